/* Parts of an expression that loops cannot compute among the other factors: each is a step, whose tensor stands for it.
 *
 * `parts` accepts
 *   functions: y(i) = exp(b(j))*A(i,j) becomes T1_(j) = exp(b(j)), y(i) = T1_(j)*A(i,j). A function is a part of the statement
 *     itself where values of one type compute it, or doubles that hold all values without rounding, unless the function lacks a variable
 *     of the expression, since it would be computed again and again, or a semiring would compute its arguments. A step computes the
 *     function with its arguments where values of one type compute both. Else the arguments that are not tensors whose values doubles
 *     hold are steps of their own, whose values become doubles;
 *   sums: a divisor that has a sparse tensor, and a factor where the semiring does not distribute: A(i,j)/(B(i,j) + 1);
 *   lists: A(i({7,0}),j) as a factor becomes !!T1_(i,i_1)*A(i_1,j); elsewhere, and of a dense tensor, a step computes that product;
 *   bands: tril(i,j) is a step, an interval of each row, through which loops run without coordinates of its entries. In a product with
 *     sparse tensors that have both coordinates it stays: the loops leave out what is not in the band. */
#include <inttypes.h>
#include <math.h>

#include "rules_internal.h"

enum {
    MAX_SPARSE = 4,
    MAX_ALL_SPARSE = 6 /* sparse operands of a function, and of all: 2^6 terms become of one */
};

/* The parts of an expression that are steps. */
typedef struct finder {
    const tsr_rules_statement *of;
    const rewriting *r;
    const tsr_terms *terms; /* the right side multiplied out; NULL: it cannot be */
    uint32_t vars;          /* all variables */
    bool inlines;           /* functions and coordinates may be parts of the statement itself */
    bool multiplies_out;    /* products of sums may be multiplied out */
    int nsparse;            /* sparse operands of the functions that are */
    int n;                  /* the number of parts; parts that do not fit into `found` are only counted */
    const tsr_expr *found[TSR_NOTATION_MAX_TENSORS];
    bool is_factor
        [TSR_NOTATION_MAX_TENSORS]; /* an access with a list that is a factor of the statement itself */
} finder;

/* ---- value types ---- */

/* Whether integers of this type compute the functions in e themselves: they are signed, since -1 and b - c are arguments, and
 * the numbers among the arguments are of the type. */
static bool is_exact(const tsr_expr *e, tsr_type type)
{
    if (!e)
        return true;
    const tsr_expr *const arg[] = {e->a, e->b};
    for (int k = 0; k < 2 && e->kind == TSR_EXPR_CALL; k++) {
        if (e->function->exact == TSR_EXACT_NONE)
            return false;
        if (!arg[k] || arg[k]->tensors || arg[k]->vars)
            continue;
        const double x = tsr_expr_constant(arg[k]);
        if (x != floor(x) || fabs(x) >= ldexp(1, 8 * (int)tsr_type_nbytes(type) - 1) || fabs(x) > 0x1p53)
            return false;
    }
    return is_exact(e->a, type) && is_exact(e->b, type);
}

/* Whether the values of the tensors of e (bit t of `set` for tensor t) are f64 (or patterns), or all are f32; or integers of one
 * type, which compute the functions themselves. A step of f32 values and coordinates has f64 values, and one of coordinates alone
 * has integers, so such expressions keep their steps. */
static bool has_one_type(const tsr_rules_statement *of, const tsr_expr *e, uint32_t set)
{
    bool any_f32 = false, any_f64 = false, any_other = tsr_expr_has_coordinate(e);
    tsr_type whole = TSR_NTYPES;
    for (int t = 0; t < of->notation->ntensors; t++) {
        const tsr_type type = of->type[t];
        if (!(set >> t & 1) || (t == 0 && type == TSR_NTYPES))
            continue;
        if (type != TSR_NTYPES && tsr_type_class(type) == 'I') {
            if (whole != TSR_NTYPES && type != whole)
                return false;
            whole = type;
            continue;
        }
        if (type != TSR_F64 && type != TSR_F32 && type != TSR_PATTERN && type != TSR_NTYPES)
            return false;
        any_f32 = any_f32 || type == TSR_F32;
        any_f64 = any_f64 || type == TSR_F64 || type == TSR_NTYPES; /* f64 by default */
        any_other = any_other || type != TSR_F32;
    }
    if (whole != TSR_NTYPES)
        return !any_f64 && !any_other && !any_f32 && is_exact(e, whole);
    return any_f64 ? !any_f32 : any_f32 && !any_other;
}

/* Whether all values are doubles without rounding, and the result has doubles: it is said to, or an operand has them. */
static bool is_of_doubles(const tsr_rules_statement *of)
{
    bool is_double = of->type[0] == TSR_F64;
    for (int t = 1; t < of->notation->ntensors; t++) {
        if (!tsr_notation_computes(of->notation, t))
            continue;
        if (of->type[t] != TSR_NTYPES && !tsr_type_is_double(of->type[t]))
            return false;
        is_double = is_double || (of->type[0] == TSR_NTYPES && of->type[t] == TSR_F64);
    }
    return is_double;
}

/* ---- finding ---- */

static int count_sparse(const tsr_expr *e, uint32_t sparse)
{
    if (!e)
        return 0;
    if (e->kind == TSR_EXPR_ACCESS)
        return sparse >> e->tensor & 1;
    if (e->kind == TSR_EXPR_BAND)
        return 1;
    return count_sparse(e->a, sparse) + count_sparse(e->b, sparse);
}

/* Whether the statement computes functions, or the arguments of functions, with the operations of numbers. */
static bool sums(const tsr_rules_statement *of)
{
    return of->ring == &tsr_semirings[0] || of->notation->reduction;
}

static finder start(const rewriting *r, const tsr_terms *terms)
{
    const tsr_rules_statement *const of = r->of;
    const tsr_notation *const notation = of->notation;
    const finder f = {.of = of,
                      .r = r,
                      .terms = terms,
                      .vars = notation->rhs->vars | notation->result->vars,
                      .multiplies_out = of->ring->distributes || notation->reduction,
                      .inlines =
                          has_one_type(of, notation->rhs, notation->rhs->tensors | 1) || is_of_doubles(of)};
    return f;
}

/* Whether e has operations besides functions. */
static bool has_arithmetic(const tsr_expr *e)
{
    if (!e || rule_is_constant(e) || e->kind == TSR_EXPR_ACCESS)
        return false;
    return e->kind != TSR_EXPR_CALL || has_arithmetic(e->a) || has_arithmetic(e->b);
}

/* Whether a step can compute the function and its arguments. */
static bool is_alone(const tsr_rules_statement *of, const tsr_expr *call)
{
    return count_sparse(call, of->sparse) <= MAX_SPARSE && (sums(of) || !has_arithmetic(call)) &&
           has_one_type(of, call, call->tensors);
}

/* Whether e is a part of the statement itself. inside: e is in a function that is. */
static bool stays(finder *f, const tsr_expr *e, bool inside)
{
    const int nsparse = count_sparse(e, f->of->sparse);
    if (inside || (f->inlines && rule_is_constant(e)))
        return true;
    if (!f->inlines || (!sums(f->of) && has_arithmetic(e)) || nsparse > MAX_SPARSE || (f->vars & ~e->vars) ||
        f->nsparse + nsparse > MAX_ALL_SPARSE)
        return false;
    f->nsparse += nsparse;
    return true;
}

/* Whether e, a part of `parent`, is a sum that the statement itself cannot compute. inverse: e is or is in a divisor. */
static bool is_whole_sum(const finder *f, const tsr_expr *e, const tsr_expr *parent, bool inverse)
{
    if (!rule_is_sum(e) || !e->open || !parent)
        return false;
    return (inverse && (e->tensors & f->of->sparse)) || (parent->kind == TSR_EXPR_MUL && !f->multiplies_out);
}

/* Whether sparse factors of the term have the coordinates of the band, so that the band leaves out what the loops meet: one factor has both;
 * or several have them, and the band is open at one end, so that it has more entries than loops should walk. */
static bool meets_band(const rewriting *r, const tsr_term *term, const tsr_expr *band)
{
    const bool is_wide = band->low == -TSR_NOTATION_NO_END || band->high == TSR_NOTATION_NO_END;
    uint32_t met = 0;
    for (int f = 0; f < term->nfactors; f++) {
        const tsr_expr *const e = term->factor[f].expr;
        if (e->kind != TSR_EXPR_ACCESS || !(r->of->sparse >> e->tensor & 1) || term->factor[f].inverse ||
            e->mask == TSR_MASK_ABSENT || tsr_expr_has_window(e, true))
            continue;
        met = is_wide ? met | e->vars : e->vars;
        if (!(band->vars & ~met))
            return true;
    }
    return false;
}

/* Whether the band is a condition in the loops of all terms that have it: they leave its value out, a factor of 1. */
static bool is_condition(const finder *f, const tsr_expr *band)
{
    bool is_factor = false;
    if (!tsr_semiring_has_one(f->of->ring))
        return false;
    for (int i = 0; f->terms && i < f->terms->nterms; i++)
        for (int k = 0; k < f->terms->term[i].nfactors; k++) {
            const tsr_factor *const factor = &f->terms->term[i].factor[k];
            if (factor->expr != band)
                continue;
            if (factor->inverse || !meets_band(f->r, &f->terms->term[i], band))
                return false;
            is_factor = true;
        }
    return is_factor;
}

/* Find the outermost parts of e, from left to right. */
static void find(finder *f, const tsr_expr *e, const tsr_expr *parent, bool inverse, bool inside)
{
    if (!e)
        return;
    const bool is_part = e->kind == TSR_EXPR_CALL;
    const bool is_window = e->kind == TSR_EXPR_ACCESS && tsr_expr_has_window(e, true);
    const bool is_inner = is_part && stays(f, e, inside);
    const bool is_band = e->kind == TSR_EXPR_BAND && !is_condition(f, e);
    if ((!inside && is_whole_sum(f, e, parent, inverse)) || is_window || is_band || (is_part && !is_inner)) {
        if (f->n < TSR_NOTATION_MAX_TENSORS) {
            f->found[f->n] = e;
            /* of a dense tensor the step is cheaper: loops would read it through the matrices; where a sum is reduced, its other
             * terms would be read at all points of the matrix */
            const tsr_notation *const of = f->of->notation;
            f->is_factor[f->n] = is_window && !inside && !inverse && e->mask != TSR_MASK_ABSENT &&
                                 (f->of->sparse >> e->tensor & 1) &&
                                 (!of->reduction || rule_is_product(of->rhs));
        }
        f->n++;
        return;
    }
    const bool is_product = e->kind == TSR_EXPR_MUL || e->kind == TSR_EXPR_DIV || e->kind == TSR_EXPR_NEG;
    find(f, e->a, e, is_product && inverse, inside || is_inner);
    find(f, e->b, e, is_product && inverse != (e->kind == TSR_EXPR_DIV), inside || is_inner);
}

/* ---- functions ---- */

/* Whether the type has the number: a function of numbers. */
static bool is_number_of(double x, tsr_type type)
{
    const char class = tsr_type_class(type);
    const double most = ldexp(1, 8 * (int)tsr_type_nbytes(type) - (class == 'I'));
    return (class == 'I' || class == 'U') && x == floor(x) && x < most && x >= (class == 'I' ? -most : 0);
}

/* Whether a function of doubles reads the argument as it is. */
static bool is_read_directly(const rewriting *r, const tsr_expr *e)
{
    if (rule_is_constant(e))
        return true;
    if (e->kind != TSR_EXPR_ACCESS || tsr_expr_has_window(e, true))
        return false;
    return r->of->type[e->tensor] == TSR_NTYPES || tsr_type_is_double(r->of->type[e->tensor]);
}

/* Make the step of an argument. */
static tsr_status make_argument(const tsr_rules_made **out, rewriting *r, const tsr_expr *call,
                                const tsr_expr *arg)
{
    tsr_rules_step step = rule_step(arg->vars, r->of->semiring);
    tsr_text text = {0};
    step.expr = arg;
    step.is_dense = rule_is_dense(r, arg);
    step.exact_for = call->function;
    step.needs_doubles = true;
    tsr_expr_print(&text, r->notation, arg);
    return rule_make(out, r, &step, &text);
}

/* Whether the values of e are numbers of the type: e is made of bands and such numbers. */
static bool is_of_bands(const tsr_expr *e, tsr_type type)
{
    if (!e || e->kind == TSR_EXPR_BAND)
        return true;
    if (rule_is_constant(e))
        return is_number_of(tsr_expr_constant(e), type);
    return e->kind == TSR_EXPR_CALL && e->function->whole && is_of_bands(e->a, type) &&
           is_of_bands(e->b, type);
}

/* The type of the values of a function that is computed with doubles. made: the steps of its arguments; NULL: they are read as they are. */
static tsr_status call_type(tsr_type *out, const rewriting *r, const tsr_expr *call,
                            const tsr_rules_made *const *made)
{
    const tsr_expr *const arg[] = {call->a, call->b};
    const tsr_type whole = rule_type(r, UINT32_MAX);
    tsr_type type = TSR_PATTERN;
    for (int k = 0; k < call->function->nargs; k++)
        if (!rule_is_constant(arg[k]) && !is_of_bands(arg[k], whole))
            type = tsr_type_common(type, made[k] ? made[k]->type : rule_type(r, arg[k]->tensors));
    const char class = tsr_type_class(type);
    if (class == 'C')
        return tsr_fail(r->err, TSR_UNSUPPORTED, "the function %s takes real or integer values, not %s",
                        call->function->name, tsr_type_name(type));
    if (is_of_bands(call, whole))
        *out = whole;
    else
        *out = type == TSR_PATTERN || (class != 'R' && !call->function->whole) ? TSR_F64 : type;
    return TSR_OK;
}

/* Make the step of a function of doubles, and those of its arguments. */
static tsr_status make_of_doubles(const tsr_rules_made **out, rewriting *r, tsr_rules_step *step)
{
    const tsr_expr *const call = step->expr, *const arg[] = {call->a, call->b};
    const tsr_rules_made *made[2] = {NULL};
    tsr_text text = {0};
    for (int k = 0; k < call->function->nargs; k++)
        if (!is_read_directly(r, arg[k]))
            TSR_TRY(make_argument(&made[k], r, call, arg[k]));
    step->type = TSR_F64;
    TSR_TRY(call_type(&step->becomes, r, call, made));
    step->exact_for = tsr_type_is_double(step->becomes) ? NULL : call->function;
    tsr_text_addf(&text, "%s(", call->function->name);
    for (int k = 0; k < call->function->nargs; k++) {
        tsr_text_add(&text, k ? ", " : "");
        if (made[k])
            rule_print_access(&text, r->notation, made[k]->name, arg[k]->vars);
        else
            tsr_expr_print(&text, r->notation, arg[k]);
    }
    tsr_text_add(&text, ")");
    return rule_make(out, r, step, &text);
}

/* ---- making ---- */

/* The column where the part begins, and the column after it. */
static uint32_t part_begin(const tsr_expr *e)
{
    return rule_is_sum(e) ? e->open : e->col;
}

static uint32_t part_end(const tsr_expr *e)
{
    return rule_is_sum(e) ? e->close : e->end;
}

/* Append the access with the matrices of its lists, as a factor or the right side of a step. The mask, if it has one, stands before. */
static void print_selected(tsr_text *text, const rewriting *r, const tsr_expr *access,
                           const tsr_rules_made *const *list)
{
    tsr_text lists = {0};
    rule_print_lists(&lists, r, list, access);
    const bool masked = access->mask == TSR_MASK_STORED;
    const size_t behind = masked && lists.nbytes > 2 ? 2 : 0; /* the text has the first "!!" */
    tsr_text_addf(text, "%s%s%s", masked ? "" : "(", tsr_text_cstr(&lists) + behind, masked ? "!!" : "");
    rule_print_listed(text, r, list, access, r->notation->tensor[access->tensor].name);
    tsr_text_add(text, masked ? "" : ")");
    text->failed = text->failed || lists.failed;
    tsr_text_clear(&lists);
}

/* Append what stands for an access with lists. is_factor: it is a factor of the statement itself. */
static tsr_status replace_listed(rewriting *r, tsr_rules_step *step, bool is_factor)
{
    const tsr_expr *const access = step->expr;
    const tsr_rules_made *list[TSR_NOTATION_MAX_ORDER], *made;
    tsr_text text = {0};
    TSR_TRY(rule_make_lists(list, r, access, rule_windows_of(access)));
    if (is_factor) {
        print_selected(&r->right, r, access, list);
        return TSR_OK;
    }
    step->semiring = NULL;
    step->becomes = r->of->type[access->tensor] == TSR_PATTERN ? TSR_PATTERN : TSR_NTYPES;
    rule_print_lists(&text, r, list, access);
    rule_print_listed(&text, r, list, access, r->notation->tensor[access->tensor].name);
    TSR_TRY(rule_make(&made, r, step, &text));
    rule_print_access(&r->right, r->notation, made->name, step->vars);
    return TSR_OK;
}

/* Append what stands for a band. */
static tsr_status replace_band(rewriting *r, tsr_rules_step *step)
{
    const tsr_expr *const band = step->expr;
    const tsr_rules_made *made;
    tsr_text text = {0};
    step->kind = TSR_RULES_BAND;
    step->type = TSR_PATTERN;
    tsr_expr_print(&text, r->notation, band);
    TSR_TRY(rule_make(&made, r, step, &text));
    tsr_text_addf(&r->right, "%s(%s,%s)", made->name, r->notation->var[band->index[0]],
                  r->notation->var[band->index[1]]);
    return TSR_OK;
}

/* Append what stands for the part. */
static tsr_status replace(rewriting *r, const tsr_expr *e, bool is_factor)
{
    tsr_rules_step step = rule_step(e->vars, r->of->semiring);
    const tsr_rules_made *made;
    tsr_text text = {0};
    step.expr = e;
    step.is_dense = rule_is_dense(r, e);
    if (e->kind == TSR_EXPR_ACCESS)
        return replace_listed(r, &step, is_factor);
    if (e->kind == TSR_EXPR_BAND)
        return replace_band(r, &step);
    if (e->kind == TSR_EXPR_CALL && !is_alone(r->of, e)) {
        step.semiring = NULL;
        TSR_TRY(make_of_doubles(&made, r, &step));
    } else {
        const bool is_call = e->kind == TSR_EXPR_CALL;
        step.semiring = is_call ? NULL : step.semiring;
        step.type = is_call ? rule_type(r, e->tensors) : rule_type_of_part(r, e);
        tsr_expr_print(&text, r->notation, e);
        TSR_TRY(rule_make(&made, r, &step, &text));
    }
    rule_print_access(&r->right, r->notation, made->name, step.vars);
    return TSR_OK;
}

tsr_status rule_parts(bool *fits, rewriting *r)
{
    const tsr_notation *const notation = r->notation;
    if (r->has_right)
        return TSR_OK;
    tsr_terms *terms = NULL;
    if (notation->rhs->has_band && tsr_notation_terms(&terms, notation, r->of->sparse, NULL) != TSR_OK)
        terms = NULL;
    finder f = start(r, terms);
    find(&f, notation->rhs, NULL, false, false);
    tsr_terms_free(terms);
    if (f.n == 0)
        return TSR_OK;
    if (f.n > r->maker->room)
        return tsr_fail(r->err, TSR_LIMIT,
                        "the expression has %d functions and windows, and %d tensors: at most "
                        "%d together are supported",
                        f.n, notation->ntensors, TSR_NOTATION_MAX_TENSORS - 2);
    uint32_t at = notation->rhs_col;
    for (int k = 0; k < f.n; k++) {
        if (part_begin(f.found[k]) <
            at) /* the condition of a choice: it stands once in the text, and twice in the expression */
            continue;
        tsr_text_add_n(&r->right, notation->text + at - 1, part_begin(f.found[k]) - at);
        TSR_TRY(replace(r, f.found[k], f.is_factor[k]));
        at = part_end(f.found[k]);
    }
    tsr_text_add_n(&r->right, notation->text + at - 1, notation->rhs_end - at);
    *fits = r->has_right = true;
    return TSR_OK;
}
