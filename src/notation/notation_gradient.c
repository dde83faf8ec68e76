/* Gradients: of y(i) = A(i,j)*x(j) with respect to x, the statement dx(j) = !!x(j)*dy(i)*A(i,j), where dy is the derivative of a
 * number with respect to y and dx that with respect to x. Each access of x in the right side gives a product: dy, times the
 * derivatives of the operations around it. Products whose accesses have the same indices are added in one statement, others in a
 * statement that reads the results of several. */
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
    int tensor; /* the operand */
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

static tsr_status refuse(const tsr_notation *notation, const char *operand, tsr_error *err)
{
    const char *const reduction = notation->reduction ? notation->reduction->name : "min";
    char name[64];
    if (notation->nstatements > 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "the gradient of several statements is not made: take that of each, the last one first");
    if (tsr_notation_find_tensor(notation, operand) <= 0)
        return tsr_fail(err, TSR_ARGUMENT, "%s is not an operand of the expression", operand);
    if (strcmp(reduction, "min") != 0 && strcmp(reduction, "max") != 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the gradient of %s= is not known: use =, +=, min= or max=", reduction);
    if (tsr_expr_has_window(notation->result, false))
        return tsr_fail(err, TSR_UNSUPPORTED, "the result has a window, of which no gradient is made");
    for (int t = -1; t < notation->ntensors; t++) {
        snprintf(name, sizeof name, "%c%.60s", t < 0 ? 'n' : 'd', notation->tensor[t < 0 ? 0 : t].name);
        if (tsr_notation_find_tensor(notation, name) >= 0 || tsr_notation_find_var(notation, name) >= 0)
            return tsr_fail(err, TSR_ARGUMENT,
                            "'%s' is a name in the expression, but the gradient gives it to a derivative",
                            name);
    }
    return TSR_OK;
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
    tsr_text_addf(text, "d%s", name);
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

static tsr_status print_all(tsr_text *text, const gradient *g)
{
    const tsr_notation *const notation = g->notation;
    const char *const name = notation->tensor[g->tensor].name;
    const tsr_expr *const plain = find_plain(g);
    if (g->nplaces == 0)
        return tsr_fail(g->err, TSR_UNSUPPORTED, "the result does not change with %s: its gradient is 0",
                        name);
    if (g->nplaces > 1 && !plain)
        return tsr_fail(g->err, TSR_UNSUPPORTED, "every access of %s has an index twice: no gradient is made",
                        name);
    if (notation->reduction || tsr_notation_has_ending(notation)) { /* the choice */
        tsr_notation_print(text, notation);
        tsr_text_add(text, "; ");
    }
    if (notation->reduction) { /* several equal values share dy */
        tsr_text_addf(text, "n%s", notation->tensor[0].name);
        print_indices(text, notation, notation->result);
        tsr_text_add(text, " = ");
        print_chosen(text, notation);
        tsr_text_add(text, "; ");
    }
    for (int p = 0; p < g->nplaces; p++) {
        tsr_text_add(text, p > 0 ? "; " : "");
        print_place(text, g, name, p);
    }
    if (g->nplaces == 1)
        return tsr_text_status(text, g->err);
    tsr_text_addf(text, "; d%s", name);
    print_indices(text, notation, plain);
    for (int p = 0; p < g->nplaces; p++) {
        tsr_text_addf(text, "%sd%s_%d", p > 0 ? " + " : " = ", name, p + 1);
        print_indices(text, notation, plain);
    }
    return tsr_text_status(text, g->err);
}

tsr_status tsr_notation_gradient(tsr_text *text, const tsr_notation *notation, const char *operand,
                                 tsr_error *err)
{
    gradient g = {.notation = notation, .err = err};
    tsr_text outside = {0}, made = {0};
    tsr_notation *parsed = NULL;
    TSR_TRY(refuse(notation, operand, err));
    g.tensor = tsr_notation_find_tensor(notation, operand);
    print_outside(&outside, notation);
    tsr_status status = tsr_text_status(&outside, err);
    if (status == TSR_OK)
        status = differentiate(&g, notation->rhs, tsr_text_cstr(&outside));
    if (status == TSR_OK)
        status = print_all(&made, &g);
    if (status == TSR_OK)
        status = tsr_program_parse(&parsed, tsr_text_cstr(&made), NULL, err);
    if (status == TSR_OK) {
        tsr_notation_print(text, parsed);
        status = tsr_text_status(text, err);
    }
    tsr_notation_free(parsed);
    tsr_text_clear(&made);
    tsr_text_clear(&outside);
    for (int p = 0; p < g.nplaces; p++)
        tsr_text_clear(&g.place[p].sum);
    return status;
}
