/* Gradients: of y(i) = A(i,j)*x(j) with respect to x, the statement dx(j) = !!x(j)*dy(i)*A(i,j), where dy is the derivative of a
 * number with respect to y and dx that with respect to x. Each access of x in the right side gives a product: dy, times the
 * derivatives of the operations around it. Products whose accesses have the same indices are added in one statement, others in a
 * statement that reads the results of several. Of several statements, the gradients of the results follow from the last statement to the
 * first, and what several statements give to one tensor is added. */
#include <stdio.h>
#include <string.h>

#include "notation_internal.h"

enum { MAX_PLACES = 8 };

/* A list of indices with which the operand stands in the expression, and the sum of the products of these accesses. */
typedef struct place {
    const tsr_expr *access;
    tsr_text sum;
} place;

typedef struct gradient {
    const tsr_notation *notation;
    int tensor;      /* the operand */
    char suffix[16]; /* of the name of the result: "", or "_s2" where several statements contribute */
    int nplaces;
    place place[MAX_PLACES];
    tsr_error *err;
} gradient;

/* The derivatives of a function by its first and its second argument: @1 and @2 in these texts stand for the arguments, NULL for
 * a derivative that does not exist, "" for one that is 0. */
static const struct {
    const char *name, *by[2];
} derivatives[] = {
    {"min", {"lt(@1, @2)", "not(lt(@1, @2))"}},
    {"max", {"gt(@1, @2)", "not(gt(@1, @2))"}},
    {"abs", {"sign(@1)", NULL}},
    {"square", {"2*(@1)", NULL}},
    {"cube", {"3*square(@1)", NULL}},
    {"sqrt", {".5*pow(@1, -.5)", NULL}},
    {"cbrt", {"pow(square(cbrt(@1)), -1)*.3333333333333333", NULL}},
    {"pow", {"(@2)*pow(@1, @2 - 1)", "pow(@1, @2)*log(@1)"}},
    {"mod", {"1", NULL}},
    {"hypot", {"(@1)*pow(hypot(@1, @2), -1)", "(@2)*pow(hypot(@1, @2), -1)"}},
    {"exp", {"exp(@1)", NULL}},
    {"expm1", {"exp(@1)", NULL}},
    {"log", {"pow(@1, -1)", NULL}},
    {"log10", {".4342944819032518*pow(@1, -1)", NULL}},
    {"log2", {"1.4426950408889634*pow(@1, -1)", NULL}},
    {"log1p", {"pow(@1 + 1, -1)", NULL}},
    {"sin", {"cos(@1)", NULL}},
    {"cos", {"(-sin(@1))", NULL}},
    {"tan", {"pow(cos(@1), -2)", NULL}},
    {"asin", {"pow(1 - square(@1), -.5)", NULL}},
    {"acos", {"(-pow(1 - square(@1), -.5))", NULL}},
    {"atan", {"pow(1 + square(@1), -1)", NULL}},
    {"atan2", {"(@2)*pow(square(@1) + square(@2), -1)", "(-(@1)*pow(square(@1) + square(@2), -1))"}},
    {"sinh", {"cosh(@1)", NULL}},
    {"cosh", {"sinh(@1)", NULL}},
    {"tanh", {"pow(cosh(@1), -2)", NULL}},
    {"asinh", {"pow(square(@1) + 1, -.5)", NULL}},
    {"acosh", {"pow(square(@1) - 1, -.5)", NULL}},
    {"atanh", {"pow(1 - square(@1), -1)", NULL}},
    {"erf", {"1.1283791670955126*exp(-square(@1))", NULL}},
    {"floor", {"", NULL}},
    {"ceil", {"", NULL}},
    {"round", {"", NULL}},
    {"sign", {"", NULL}},
    {"heaviside", {"", ""}},
    {"lt", {"", ""}},
    {"le", {"", ""}},
    {"eq", {"", ""}},
    {"ne", {"", ""}},
    {"ge", {"", ""}},
    {"gt", {"", ""}},
    {"uniform", {"", ""}},
    {"and", {"", ""}},
    {"or", {"", ""}},
    {"xor", {"", ""}},
    {"not", {"", NULL}},
    {"when", {"", "ne(@1, 0)"}},
    {"unless", {"", "eq(@1, 0)"}},
    {"either", {"1", "1"}},
};

static tsr_status differentiate(gradient *g, const tsr_expr *e, const char *outside);

static bool has_operand(const gradient *g, const tsr_expr *e)
{
    if (!e || !(e->tensors >> g->tensor & 1))
        return false;
    if (e->kind == TSR_EXPR_ACCESS)
        return e->mask == TSR_MASK_NONE;
    return has_operand(g, e->a) || has_operand(g, e->b);
}

/* Add `product` to the sum of the accesses with these indices. */
static tsr_status add_product(gradient *g, const tsr_expr *access, const char *product)
{
    int p = 0;
    while (p < g->nplaces && memcmp(g->place[p].access->index, access->index, sizeof access->index) != 0)
        p++;
    if (tsr_expr_has_window(access, false))
        return tsr_fail_at(g->err, TSR_UNSUPPORTED, NULL, 0, access->col,
                           "the gradient with respect to %s needs all of it, but this is a window",
                           g->notation->tensor[g->tensor].name);
    if (p == MAX_PLACES)
        return tsr_fail_at(g->err, TSR_LIMIT, NULL, 0, access->col,
                           "%s stands in more than %d places with different indices",
                           g->notation->tensor[g->tensor].name, MAX_PLACES);
    if (p == g->nplaces)
        g->place[g->nplaces++] = (place){.access = access};
    tsr_text_add(&g->place[p].sum, g->place[p].sum.nbytes > 0 ? " + " : "");
    tsr_text_add(&g->place[p].sum, product);
    return TSR_OK;
}

/* differentiate(e) where the product outside is `outside`, then `with`, whose '@' stands before the texts of e1 and e2. */
static tsr_status go_into(gradient *g, const tsr_expr *e, const char *outside, const char *with,
                          const tsr_expr *const arg[2])
{
    tsr_text text = {0};
    tsr_text_add(&text, outside);
    for (const char *s = with; *s; s++) {
        if (*s != '@') {
            tsr_text_add_n(&text, s, 1);
            continue;
        }
        tsr_expr_print(&text, g->notation, arg[*++s - '1']);
    }
    tsr_status status = tsr_text_status(&text, g->err);
    if (status == TSR_OK)
        status = differentiate(g, e, tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return status;
}

/* Append a factor 1 that has the variables of the call, if the derivative `by` is a sum, a choice or a number outside of functions: a sum over
 * those that a part of it lacks would not count each point. */
static void keep_variables(tsr_text *with, const gradient *g, const tsr_expr *call, const char *by)
{
    const bool may_lack = call->function->exact >= TSR_EXACT_WHEN || strcmp(by, "1") == 0 ||
                          strncmp(by, "(@", 2) == 0 || strstr(by, "*(@") || strstr(by, "-(@");
    if (may_lack && (call->vars & ~tsr_notation_tensor_vars(g->notation, g->tensor)))
        tsr_text_add(with, call->b ? "*ge(abs(@1), 0)*ge(abs(@2), 0)" : "*ge(abs(@1), 0)");
}

static tsr_status go_into_call(gradient *g, const tsr_expr *e, const char *outside)
{
    const tsr_expr *const arg[] = {e->a, e->b};
    size_t d = 0;
    while (d < sizeof derivatives / sizeof *derivatives &&
           strcmp(derivatives[d].name, e->function->name) != 0)
        d++;
    for (int k = 0; k < e->function->nargs; k++) {
        tsr_text with = {0};
        if (!has_operand(g, arg[k]))
            continue;
        const char *const by = d < sizeof derivatives / sizeof *derivatives ? derivatives[d].by[k] : NULL;
        if (!by)
            return tsr_fail_at(g->err, TSR_UNSUPPORTED, NULL, 0, e->col,
                               "the derivative of %s by argument %d is not known", e->function->name, k + 1);
        if (!*by)
            continue;
        tsr_text_addf(&with, "*%s", by);
        keep_variables(&with, g, e, by);
        tsr_status status = tsr_text_status(&with, g->err);
        if (status == TSR_OK)
            status = go_into(g, arg[k], outside, tsr_text_cstr(&with), arg);
        tsr_text_clear(&with);
        TSR_TRY(status);
    }
    return TSR_OK;
}

/* Add what the accesses of the operand in e contribute. outside: dy times the derivatives of the operations around e. */
static tsr_status differentiate(gradient *g, const tsr_expr *e, const char *outside)
{
    const tsr_expr *const arg[] = {e->a, e->b};
    if (!has_operand(g, e))
        return TSR_OK;
    switch (e->kind) {
    case TSR_EXPR_ACCESS:
        return add_product(g, e, outside);
    case TSR_EXPR_NEG:
        return go_into(g, e->a, outside, "*(-1)", arg);
    case TSR_EXPR_ADD:
    case TSR_EXPR_SUB:
        TSR_TRY(differentiate(g, e->a, outside));
        return go_into(g, e->b, outside, e->kind == TSR_EXPR_SUB ? "*(-1)" : "", arg);
    case TSR_EXPR_MUL:
        TSR_TRY(go_into(g, e->a, outside, "*(@2)", arg));
        return go_into(g, e->b, outside, "*(@1)", arg);
    case TSR_EXPR_DIV:
        TSR_TRY(go_into(g, e->a, outside, "/(@2)", arg));
        return go_into(g, e->b, outside, "*(-1)*(@1)/square(@2)", arg);
    default:
        return go_into_call(g, e, outside);
    }
}

static void print_indices(tsr_text *text, const tsr_notation *notation, const tsr_expr *access)
{
    for (int m = 0; m < access->nindices; m++)
        tsr_text_addf(text, "%c%s", m > 0 ? ',' : '(', notation->var[access->index[m]]);
    tsr_text_add(text, access->nindices > 0 ? ")" : "");
}

/* Append what is 1 where the value of the right side is the result of min= or max=. */
static void print_chosen(tsr_text *text, const tsr_notation *notation)
{
    tsr_text_add(text, "eq(");
    tsr_expr_print(text, notation, notation->rhs);
    tsr_text_addf(text, ", %s", notation->tensor[0].name);
    print_indices(text, notation, notation->result);
    tsr_text_add(text, ")");
}

/* Append the product around the whole right side: dy, where the result has chosen. */
static void print_outside(tsr_text *text, const tsr_notation *notation)
{
    const char *const name = notation->tensor[0].name;
    tsr_text_addf(text, "d%s", name);
    print_indices(text, notation, notation->result);
    if (notation->reduction) {
        tsr_text_addf(text, "/max(n%s", name);
        print_indices(text, notation, notation->result);
        tsr_text_add(text, ", 1)*");
        print_chosen(text, notation);
    } else if (tsr_notation_has_ending(notation)) {
        tsr_text_addf(text, "*!!%s", name);
        print_indices(text, notation, notation->result);
    }
}

/* Append the statement for place p, whose result is called `name`, with a number where there are several places. */
static void print_place(tsr_text *text, const gradient *g, const char *name, int p)
{
    const place *const at = &g->place[p];
    tsr_text_addf(text, "d%s%s", name, g->suffix);
    if (g->nplaces > 1)
        tsr_text_addf(text, "_%d", p + 1);
    print_indices(text, g->notation, at->access);
    tsr_text_add(text, " = ");
    if (at->access->nindices > 0) {
        tsr_text_addf(text, "!!%s", name);
        print_indices(text, g->notation, at->access);
        tsr_text_add(text, "*");
    }
    tsr_text_addf(text, "(%s)", tsr_text_cstr(&at->sum));
    text->failed = text->failed || at->sum.failed;
}

/* The place whose indices all differ; NULL: there is none. */
static const tsr_expr *find_plain(const gradient *g)
{
    for (int p = 0; p < g->nplaces; p++) {
        const tsr_expr *const access = g->place[p].access;
        bool differ = true;
        for (int m = 0; m < access->nindices; m++)
            differ = differ && tsr_expr_mode(access, access->index[m]) == m;
        if (differ)
            return access;
    }
    return NULL;
}

/* Append what counts the equal values of min= and max=, which share dy. */
static void print_count(tsr_text *text, const tsr_notation *notation)
{
    tsr_text_addf(text, "n%s", notation->tensor[0].name);
    print_indices(text, notation, notation->result);
    tsr_text_add(text, " = ");
    print_chosen(text, notation);
    tsr_text_add(text, "; ");
}

/* Append the statements of the sums of all places, each with a ';' behind it. */
static tsr_status print_places(tsr_text *text, const gradient *g)
{
    const char *const name = g->notation->tensor[g->tensor].name;
    const tsr_expr *const plain = find_plain(g);
    if (g->nplaces > 1 && !plain)
        return tsr_fail(g->err, TSR_UNSUPPORTED, "every access of %s has an index twice: no gradient is made",
                        name);
    for (int p = 0; p < g->nplaces; p++) {
        print_place(text, g, name, p);
        tsr_text_add(text, "; ");
    }
    if (g->nplaces == 1)
        return tsr_text_status(text, g->err);
    tsr_text_addf(text, "d%s%s", name, g->suffix);
    print_indices(text, g->notation, plain);
    for (int p = 0; p < g->nplaces; p++) {
        tsr_text_addf(text, "%sd%s%s_%d", p > 0 ? " + " : " = ", name, g->suffix, p + 1);
        print_indices(text, g->notation, plain);
    }
    tsr_text_add(text, "; ");
    return tsr_text_status(text, g->err);
}

/* Find the places of the operand in the right side of g->notation, and the sums of their products. */
static tsr_status find_places(gradient *g)
{
    tsr_text outside = {0};
    print_outside(&outside, g->notation);
    tsr_status status = tsr_text_status(&outside, g->err);
    if (status == TSR_OK)
        status = differentiate(g, g->notation->rhs, tsr_text_cstr(&outside));
    tsr_text_clear(&outside);
    return status;
}

static void clear_places(gradient *g)
{
    for (int p = 0; p < g->nplaces; p++)
        tsr_text_clear(&g->place[p].sum);
    g->nplaces = 0;
}

/* ---- several statements: the chain rule ---- */

/* The statements, and which of them change with the operand. */
typedef struct chain {
    tsr_notation *const *of;
    int n;
    const char *operand;
    bool changes[TSR_NOTATION_MAX_STATEMENTS];
    bool has_gradient[TSR_NOTATION_MAX_STATEMENTS]; /* of what the statement makes */
    tsr_error *err;
} chain;

static tsr_status refuse(const tsr_notation *notation, const chain *c)
{
    const char *const reduction = notation->reduction ? notation->reduction->name : "min";
    char name[64];
    if (strcmp(reduction, "min") != 0 && strcmp(reduction, "max") != 0)
        return tsr_fail(c->err, TSR_UNSUPPORTED,
                        "the gradient of %s= is not known: use =, +=, min= or max=", reduction);
    if (tsr_expr_has_window(notation->result, false))
        return tsr_fail(c->err, TSR_UNSUPPORTED, "the result has a window, of which no gradient is made");
    for (int t = -1; t < notation->ntensors; t++) {
        snprintf(name, sizeof name, "%c%.60s", t < 0 ? 'n' : 'd', notation->tensor[t < 0 ? 0 : t].name);
        for (int k = 0; k < c->n; k++)
            if (tsr_notation_find_tensor(c->of[k], name) >= 0 || tsr_notation_find_var(c->of[k], name) >= 0)
                return tsr_fail(c->err, TSR_ARGUMENT,
                                "'%s' is a name in the expression, but the gradient gives it to a derivative",
                                name);
    }
    return TSR_OK;
}

/* The statement that makes the tensor of this name; -1: none does. */
static int maker_of(const chain *c, const char *name)
{
    for (int k = 0; k < c->n; k++)
        if (strcmp(c->of[k]->tensor[0].name, name) == 0)
            return k;
    return -1;
}

/* Whether tensor t of statement k is the operand, or changes with it. */
static bool follows(const chain *c, int k, int t)
{
    const char *const name = c->of[k]->tensor[t].name;
    const int maker = maker_of(c, name);
    return strcmp(name, c->operand) == 0 || (maker >= 0 && c->changes[maker]);
}

/* Append the part of the gradient of `name` that statement k gives, or count it alone (text NULL). *n: 1 if there is one. */
static tsr_status add_part(tsr_text *text, int *n, const chain *c, int k, const char *name, bool is_one)
{
    const int t = tsr_notation_find_tensor(c->of[k], name);
    gradient g = {.notation = c->of[k], .tensor = t, .err = c->err};
    *n = 0;
    if (t <= 0 || !c->has_gradient[k])
        return TSR_OK;
    if (!is_one)
        snprintf(g.suffix, sizeof g.suffix, "_s%d", k + 1);
    tsr_status status = find_places(&g);
    *n = g.nplaces > 0;
    if (status == TSR_OK && text && g.nplaces > 0)
        status = print_places(text, &g);
    clear_places(&g);
    return status;
}

/* Append an access of `name` with the indices that it has in statement k where each stands once; false: there is none. */
static bool print_plain(tsr_text *text, const chain *c, int k, const char *name)
{
    gradient g = {.notation = c->of[k], .tensor = tsr_notation_find_tensor(c->of[k], name)};
    const tsr_expr *access = g.tensor >= 0 ? tsr_notation_access(c->of[k], g.tensor) : NULL;
    if (!access || tsr_expr_has_window(access, false))
        return false;
    for (int m = 0; m < access->nindices; m++)
        if (tsr_expr_mode(access, access->index[m]) != m)
            return false;
    print_indices(text, c->of[k], access);
    return true;
}

/* Append the gradient of `name`, made by statement `maker` (-1: the operand): the sum of what the statements behind that one give. */
static tsr_status add_tensor(tsr_text *text, bool *has, const chain *c, const char *name, int maker)
{
    int count = 0, n, plain = -1;
    tsr_text indices = {0};
    for (int k = maker + 1; k < c->n; k++) {
        TSR_TRY(add_part(NULL, &n, c, k, name, true));
        count += n;
        plain = n && plain < 0 && print_plain(&indices, c, k, name) ? k : plain;
    }
    if (plain < 0 && maker >= 0 && print_plain(&indices, c, maker, name))
        plain = maker;
    tsr_status status = count > 1 && plain < 0
                            ? tsr_fail(c->err, TSR_UNSUPPORTED,
                                       "every access of %s has an index twice: no gradient is made", name)
                            : TSR_OK;
    for (int k = maker + 1; k < c->n && status == TSR_OK; k++)
        status = add_part(text, &n, c, k, name, count == 1);
    if (status == TSR_OK && count > 1) {
        tsr_text_addf(text, "d%s%s", name, tsr_text_cstr(&indices));
        for (int k = maker + 1, at = 0; k < c->n && status == TSR_OK; k++) {
            status = add_part(NULL, &n, c, k, name, true);
            if (n)
                tsr_text_addf(text, "%sd%s_s%d%s", at++ > 0 ? " + " : " = ", name, k + 1,
                              tsr_text_cstr(&indices));
        }
        tsr_text_add(text, "; ");
    }
    tsr_text_clear(&indices);
    *has = count > 0;
    return status;
}

/* Whether a small change of the operands leaves the result as it is. */
static bool is_constant(const tsr_notation *statement)
{
    return statement->is_truth || statement->selection.gives_place;
}

/* Append the statements that compute all values, then those of the gradients, the last statement first. */
static tsr_status print_chain(tsr_text *text, chain *c)
{
    bool has = false;
    for (int k = 0; k < c->n; k++) {
        tsr_notation_print(text, c->of[k]);
        tsr_text_add(text, "; ");
        for (int t = 1; t < c->of[k]->ntensors; t++)
            c->changes[k] = c->changes[k] || (!is_constant(c->of[k]) && follows(c, k, t));
    }
    c->has_gradient[c->n - 1] = c->changes[c->n - 1];
    for (int k = c->n - 1; k >= 0; k--) {
        if (k < c->n - 1 && c->changes[k])
            TSR_TRY(add_tensor(text, &c->has_gradient[k], c, c->of[k]->tensor[0].name, k));
        if (c->has_gradient[k] && c->of[k]->reduction)
            print_count(text, c->of[k]);
    }
    TSR_TRY(add_tensor(text, &has, c, c->operand, -1));
    return has ? tsr_text_status(text, c->err)
               : tsr_fail(c->err, TSR_UNSUPPORTED, "the result does not change with %s: its gradient is 0",
                          c->operand);
}

/* ---- all statements ---- */

enum { MAX_MADE = 64 };

/* Append those of the statements that the last one needs, in canonical form. */
static tsr_status print_needed(tsr_text *text, const char *statements, tsr_error *err)
{
    tsr_notation *of[MAX_MADE] = {NULL};
    bool needed[MAX_MADE] = {false};
    tsr_status status = TSR_OK;
    int n = 0;
    for (const char *s = statements; *s; s += strcspn(s, ";") + 2) {
        tsr_text one = {0};
        if (n == MAX_MADE)
            status = tsr_fail(err, TSR_LIMIT, "the gradient has more than %d statements", MAX_MADE);
        tsr_text_add_n(&one, s, strcspn(s, ";"));
        if (status == TSR_OK)
            status = tsr_text_status(&one, err);
        if (status == TSR_OK)
            status = tsr_notation_parse(&of[n], tsr_text_cstr(&one), err);
        tsr_text_clear(&one);
        if (status != TSR_OK)
            break;
        n++;
    }
    for (int k = n - 1; k >= 0; k--) {
        needed[k] = needed[k] || k == n - 1;
        for (int other = 0; other < k; other++)
            if (needed[k] && tsr_notation_find_tensor(of[k], of[other]->tensor[0].name) > 0)
                needed[other] = true;
    }
    bool first = true;
    for (int k = 0; k < n; k++) {
        if (needed[k]) {
            tsr_text_add(text, first ? "" : "; ");
            tsr_notation_print(text, of[k]);
            first = false;
        }
        tsr_notation_free(of[k]);
    }
    return status == TSR_OK ? tsr_text_status(text, err) : status;
}

tsr_status tsr_notation_gradient(tsr_text *text, const tsr_notation *notation, const char *operand,
                                 tsr_error *err)
{
    tsr_notation *const alone[] = {(tsr_notation *)(uintptr_t)notation}; /* which is only read */
    const bool is_one = notation->nstatements == 0;
    chain c = {.of = is_one ? alone : notation->statement,
               .n = is_one ? 1 : notation->nstatements,
               .operand = operand,
               .err = err};
    tsr_text made = {0}, needed = {0};
    tsr_notation *parsed = NULL;
    if (tsr_notation_find_tensor(notation, operand) <= 0)
        return tsr_fail(err, TSR_ARGUMENT, "%s is not an operand of the expression", operand);
    for (int k = 0; k < c.n; k++)
        TSR_TRY(refuse(c.of[k], &c));
    tsr_status status = print_chain(&made, &c);
    if (status == TSR_OK)
        status = print_needed(&needed, tsr_text_cstr(&made), err);
    if (status == TSR_OK)
        status = tsr_program_parse(&parsed, tsr_text_cstr(&needed), NULL, err);
    if (status == TSR_OK) {
        tsr_text_add(text, tsr_text_cstr(&needed));
        status = tsr_text_status(text, err);
    }
    tsr_notation_free(parsed);
    tsr_text_clear(&needed);
    tsr_text_clear(&made);
    return status;
}
