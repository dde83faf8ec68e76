/* Finding the parts of an expression that are steps. Functions are parts of the kernel itself where the
 * kernel computes with the operations of numbers, in plus-times or a reduction, with values of one type. A function is a step all the same if it
 * lacks a variable of the expression, since the kernel would compute it again and again; this step is a kernel of its own. */
#include <math.h>

#include "kernel_steps.h"

enum {
    MAX_SPARSE = 4,
    MAX_ALL_SPARSE = 6 /* sparse operands of a function, and of all: 2^6 terms become of one */
};

bool kernel_has_call(const tsr_expr *e)
{
    return e && (e->kind == TSR_EXPR_CALL || kernel_has_call(e->a) || kernel_has_call(e->b));
}

bool kernel_is_sum(const tsr_expr *e)
{
    return e->kind == TSR_EXPR_ADD || e->kind == TSR_EXPR_SUB;
}

bool kernel_has_coordinate(const tsr_expr *e)
{
    return e && (e->kind == TSR_EXPR_VAR || kernel_has_coordinate(e->a) || kernel_has_coordinate(e->b));
}

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

/* Whether the values of the tensors of e (bit t of `of` for tensor t) are f64 (or patterns), or all are f32; or integers of one
 * type, which compute the functions themselves. A step of f32 values and coordinates has f64 values, and one of coordinates alone
 * has integers, so such expressions keep their steps. */
static bool has_one_type(const tsr_notation *notation, const tsr_kernel_tensor *given, int ngiven,
                         const tsr_expr *e, uint32_t of)
{
    bool any_f32 = false, any_f64 = false, any_other = kernel_has_coordinate(e);
    tsr_type whole = TSR_NTYPES;
    for (int i = 0; i < ngiven; i++) {
        const tsr_type type = kernel_given_type(&given[i]);
        const int t = tsr_notation_find_tensor(notation, given[i].name ? given[i].name : "");
        if (t < 0 || !(of >> t & 1) || (t == 0 && type == TSR_NTYPES))
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

bool kernel_is_number(const tsr_expr *e)
{
    return !e->tensors && !e->vars;
}

bool kernel_is_exact_double(tsr_type type)
{
    const char class = tsr_type_class(type);
    return class == 'R' || class == 'P' || (class != 'C' && tsr_type_nbytes(type) <= 4);
}

/* Whether the right side is one function of tensors as they are, and of numbers, with a result of doubles: all values are
 * doubles without rounding. */
static bool is_of_doubles(const tsr_notation *notation, const tsr_kernel_tensor *given, int ngiven)
{
    const tsr_expr *const arg[] = {notation->rhs->a, notation->rhs->b};
    bool fits = notation->rhs->kind == TSR_EXPR_CALL, has_result = false;
    for (int k = 0; k < 2 && fits; k++)
        fits = !arg[k] || kernel_is_number(arg[k]) || arg[k]->kind == TSR_EXPR_ACCESS;
    for (int i = 0; i < ngiven && fits; i++) {
        const tsr_type type = kernel_given_type(&given[i]);
        const int t = tsr_notation_find_tensor(notation, given[i].name ? given[i].name : "");
        has_result = has_result || (t == 0 && type == TSR_F64);
        fits = t <= 0 || type == TSR_NTYPES || kernel_is_exact_double(type);
    }
    return fits && has_result;
}

/* The set of tensors of complex values, of which no condition leaves entries. */
static uint32_t complex_set(const tsr_notation *notation, const tsr_kernel_tensor *given, int ngiven)
{
    uint32_t set = 0;
    for (int i = 0; i < ngiven; i++) {
        const tsr_type type = kernel_given_type(&given[i]);
        const int t = tsr_notation_find_tensor(notation, given[i].name ? given[i].name : "");
        if (t > 0 && type != TSR_NTYPES && tsr_type_class(type) == 'C')
            set |= UINT32_C(1) << t;
    }
    return set;
}

void kernel_finder_init(kernel_finder *f, const tsr_kernel *kernel, const tsr_notation *notation,
                        const tsr_kernel_tensor *given, int ngiven)
{
    const bool has_types = has_one_type(notation, given, ngiven, notation->rhs, UINT32_MAX) ||
                           is_of_doubles(notation, given, ngiven);
    *f = (kernel_finder){.sparse = kernel_sparse_set(notation, given, ngiven),
                         .vars = notation->rhs->vars | notation->result->vars,
                         .complex = complex_set(notation, given, ngiven),
                         .multiplies_out = kernel->ring->distributes || notation->reduction,
                         .inlines = (kernel->ring == &tsr_semirings[0] || notation->reduction) && has_types};
}

/* Whether e has operations besides functions. */
static bool has_arithmetic(const tsr_expr *e)
{
    if (!e || kernel_is_number(e) || e->kind == TSR_EXPR_ACCESS)
        return false;
    return e->kind != TSR_EXPR_CALL || has_arithmetic(e->a) || has_arithmetic(e->b);
}

static bool is_short(const kernel_finder *f, const tsr_expr *call)
{
    return count_sparse(call, f->sparse) <= MAX_SPARSE;
}

bool kernel_is_alone(const kernel_maker *m, const kernel_finder *f, const tsr_expr *call)
{
    const tsr_notation *const notation = m->kernel->original;
    const bool sums = m->kernel->ring == &tsr_semirings[0] || notation->reduction; /* the arguments */
    return is_short(f, call) && (sums || !has_arithmetic(call)) &&
           has_one_type(notation, m->given, m->ngiven, call, call->tensors);
}

/* Whether e is a part of the kernel itself. inside: e is in a function that is. */
static bool stays(kernel_finder *f, const tsr_expr *e, bool inside)
{
    if (inside || (f->inlines && kernel_is_number(e)))
        return true;
    if (!f->inlines || !is_short(f, e) || (f->vars & ~e->vars) ||
        f->nsparse + count_sparse(e, f->sparse) > MAX_ALL_SPARSE)
        return false;
    f->nsparse += count_sparse(e, f->sparse);
    return true;
}

/* Whether e, a part of `parent`, is a sum that the kernel itself cannot compute. inverse: e is or is in a divisor. */
static bool is_whole_sum(const kernel_finder *f, const tsr_expr *e, const tsr_expr *parent, bool inverse)
{
    if (!kernel_is_sum(e) || !e->open || !parent)
        return false;
    return (inverse && (e->tensors & f->sparse)) || (parent->kind == TSR_EXPR_MUL && !f->multiplies_out);
}

static void find(kernel_finder *f, const tsr_expr *e, const tsr_expr *parent, bool inverse, bool inside)
{
    if (!e)
        return;
    const bool is_part = e->kind == TSR_EXPR_CALL;
    const bool is_window = e->kind == TSR_EXPR_ACCESS && tsr_expr_has_window(e, true);
    const bool is_inner = is_part && stays(f, e, inside);
    const tsr_expr *access, *band;
    const bool is_band = e->kind == TSR_EXPR_BAND || (kernel_is_filtered(&access, &band, e) &&
                                                      (f->sparse & ~f->complex) >> access->tensor & 1);
    if ((!inside && is_whole_sum(f, e, parent, inverse)) || is_window || is_band || (is_part && !is_inner)) {
        if (f->n < TSR_NOTATION_MAX_TENSORS) {
            f->found[f->n] = e;
            /* of a dense tensor the step is cheaper: loops would read it through the matrices */
            f->is_factor[f->n] = is_window && !inside && !inverse && e->mask != TSR_MASK_ABSENT &&
                                 (f->sparse >> e->tensor & 1);
        }
        f->n++;
        return;
    }
    const bool is_product = e->kind == TSR_EXPR_MUL || e->kind == TSR_EXPR_DIV || e->kind == TSR_EXPR_NEG;
    find(f, e->a, e, is_product && inverse, inside || is_inner);
    find(f, e->b, e, is_product && inverse != (e->kind == TSR_EXPR_DIV), inside || is_inner);
}

void kernel_find_steps(kernel_finder *f, const tsr_expr *e)
{
    find(f, e, NULL, false, false);
}
