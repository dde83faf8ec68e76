/* Steps for functions and bands. A function is one kernel with its arguments where values of one type compute both. Else the arguments that
 * are not tensors whose values doubles hold are steps of their own, whose values become doubles, and the function computes with
 * doubles.
 *
 * A band is an interval of each row, through which loops run without coordinates of its entries. A tensor times a band is a step
 * that leaves out the entries outside, since a merge would list all entries of the band. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_text.h"

/* Whether the type has the number: a function of numbers. */
static bool is_number_of(double x, tsr_type type)
{
    const char class = tsr_type_class(type);
    const double most = ldexp(1, 8 * (int)tsr_type_nbytes(type) - (class == 'I'));
    return (class == 'I' || class == 'U') && x == floor(x) && x < most && x >= (class == 'I' ? -most : 0);
}

/* The step of an argument of a function; NULL: the argument is a number, or a tensor that the function reads as it is. */
static const kernel_step *step_of_argument(const kernel_maker *m, const tsr_expr *e)
{
    for (int k = 0; k < m->kernel->nsteps; k++)
        if (m->kernel->step[k].is_argument && kernel_same_text(m->kernel, m->kernel->step[k].expr, e))
            return &m->kernel->step[k];
    return NULL;
}

/* Whether a function of doubles reads the argument as it is. */
static bool is_read_directly(const kernel_maker *m, const tsr_expr *e)
{
    if (kernel_is_number(e))
        return true;
    const tsr_kernel_tensor *const given =
        e->kind == TSR_EXPR_ACCESS && !tsr_expr_has_window(e, true) ? kernel_given_for(m, e->tensor) : NULL;
    const tsr_type type = kernel_given_type(given);
    return given && (type == TSR_NTYPES || kernel_is_exact_double(type));
}

tsr_status kernel_make_arguments(const kernel_maker *m, const tsr_expr *call)
{
    const tsr_expr *const arg[] = {call->a, call->b};
    for (int k = 0; k < call->function->nargs; k++) {
        if (is_read_directly(m, arg[k]) || step_of_argument(m, arg[k]))
            continue;
        if (!kernel_has_room(m->kernel))
            return tsr_fail(m->err, TSR_LIMIT, "the functions of the expression have too many arguments");
        kernel_step *const step = kernel_add_step(m->kernel);
        tsr_text text = {0};
        step->expr = arg[k];
        step->is_argument = true;
        step->type = TSR_NTYPES;
        tsr_expr_print(&text, m->kernel->original, arg[k]);
        TSR_TRY(kernel_step_make_part(step, m, &text, m->options->semiring));
        if (!kernel_is_exact_double(step->type) && tsr_type_class(step->type) != 'C') {
            step->type = TSR_F64;
            step->exact_for = call->function;
        }
    }
    return TSR_OK;
}

/* The type of the values of a function that is computed with doubles. */
static tsr_status call_type(tsr_type *out, const kernel_maker *m, const tsr_expr *call)
{
    const tsr_expr *const arg[] = {call->a, call->b};
    tsr_type type = TSR_PATTERN;
    for (int k = 0; k < call->function->nargs; k++) {
        const kernel_step *const step = step_of_argument(m, arg[k]);
        if (step)
            type = kernel_common_type(type, step->own->tensor[0].operand.type);
        else if (!kernel_is_number(arg[k]))
            type = kernel_common_type(type, kernel_operands_type(m, arg[k]->tensors));
    }
    const char class = tsr_type_class(type);
    if (class == 'C')
        return tsr_fail(m->err, TSR_UNSUPPORTED, "the function %s takes real or integer values, not %s",
                        call->function->name, tsr_type_name(type));
    if (kernel_is_number(call) && is_number_of(tsr_expr_constant(call), kernel_operands_type(m, UINT32_MAX)))
        *out = kernel_operands_type(m, UINT32_MAX);
    else
        *out = type == TSR_PATTERN || (class != 'R' && !call->function->whole) ? TSR_F64 : type;
    return TSR_OK;
}

tsr_status kernel_make_call(kernel_step *step, const kernel_maker *m)
{
    const tsr_expr *const call = step->expr, *const arg[] = {call->a, call->b};
    kernel_finder f;
    tsr_text text = {0};
    tsr_type type = TSR_F64;
    kernel_finder_init(&f, m->kernel, m->kernel->original, m->given, m->ngiven);
    if (kernel_is_alone(m, &f, call)) {
        step->type = kernel_operands_type(m, call->tensors);
        tsr_expr_print(&text, m->kernel->original, call);
        return kernel_step_make_part(step, m, &text, NULL);
    }
    TSR_TRY(call_type(&type, m, call));
    tsr_text_addf(&text, "%s(", call->function->name);
    for (int k = 0; k < call->function->nargs; k++) {
        const kernel_step *const of = step_of_argument(m, arg[k]);
        tsr_text_add(&text, k ? ", " : "");
        if (of)
            kernel_step_print_access(&text, of, m->kernel->original);
        else
            tsr_expr_print(&text, m->kernel->original, arg[k]);
    }
    tsr_text_add(&text, ")");
    step->type = TSR_F64;
    TSR_TRY(kernel_step_make_part(step, m, &text, NULL));
    step->type = type;
    step->exact_for = kernel_is_exact_double(type) ? NULL : call->function;
    return TSR_OK;
}

/* ---- bands: finding ---- */

static bool is_plain(const tsr_expr *e, tsr_expr_kind kind)
{
    return e && e->kind == kind && !e->open;
}

bool kernel_is_filtered(const tsr_expr **access, const tsr_expr **band, const tsr_expr *e)
{
    if (e->kind != TSR_EXPR_MUL)
        return false;
    const bool behind = is_plain(e->b, TSR_EXPR_BAND);
    *access = behind ? e->a : e->b;
    *band = behind ? e->b : e->a;
    return is_plain(*access, TSR_EXPR_ACCESS) && is_plain(*band, TSR_EXPR_BAND) &&
           (*access)->mask == TSR_MASK_NONE && !tsr_expr_has_window(*access, true) &&
           !((*band)->vars & ~(*access)->vars);
}

/* ---- bands: making ---- */

/* Append "j >= i + 2", or "j + 2 >= i" where the offset is negative. */
static void print_bound(tsr_text *text, const tsr_notation *notation, const tsr_expr *band, const char *sign,
                        int64_t offset)
{
    tsr_text_add(text, notation->var[band->index[1]]);
    if (offset < 0)
        tsr_text_addf(text, " + %" PRId64, -offset);
    tsr_text_addf(text, " %s %s", sign, notation->var[band->index[0]]);
    if (offset > 0)
        tsr_text_addf(text, " + %" PRId64, offset);
}

/* The text of the access with the condition of the band. */
static void print_filtered(tsr_text *text, const tsr_notation *notation, const tsr_expr *access,
                           const tsr_expr *band)
{
    const bool low = band->low > -TSR_NOTATION_NO_END, high = band->high < TSR_NOTATION_NO_END;
    tsr_expr_print(text, notation, access);
    tsr_text_add(text, " where ");
    if (low)
        print_bound(text, notation, band, ">=", band->low);
    tsr_text_add(text, low && high ? " and " : "");
    if (high)
        print_bound(text, notation, band, "<=", band->high);
}

/* Rows of runs of equal values. */
static tsr_status band_format(tsr_format **out, tsr_error *err)
{
    const tsr_level_spec levels[] = {{.type = tsr_level_of_cells}, {.type = tsr_level_of_runs}};
    return tsr_format_permuted(out, 2, levels, (const int[]){0, 1}, err);
}

tsr_status kernel_make_band(kernel_step *step, const kernel_maker *m)
{
    const tsr_expr *access = NULL, *band = step->expr;
    if (kernel_is_filtered(&access, &band, step->expr)) {
        tsr_text text = {0};
        step->type = kernel_given_type(kernel_given_for(m, access->tensor));
        print_filtered(&text, m->kernel->original, access, band);
        return kernel_step_make_part(step, m, &text, m->options->semiring);
    }
    step->kind = KERNEL_STEP_BAND;
    step->type = TSR_PATTERN;
    step->order = 2;
    for (int k = 0; k < 2; k++) {
        step->var[k] = band->index[k];
        step->dims[k] = m->size[band->index[k]];
    }
    return band_format(&step->format, m->err);
}

/* ---- bands: running ---- */

/* The rows [first, behind) of a band have entries; row i those from i + low, or 0, to i + high, or ncols - 1. */
typedef struct interval {
    int64_t nrows, ncols, first, behind, low, high;
} interval;

static interval rows_of(const kernel_step *step)
{
    interval s = {.nrows = (int64_t)step->dims[0], .ncols = (int64_t)step->dims[1]};
    s.low = step->expr->low < -s.nrows ? -s.nrows : step->expr->low;
    s.high = step->expr->high > s.ncols ? s.ncols : step->expr->high;
    s.first = s.high < 0 ? -s.high : 0;
    s.behind = s.low < s.ncols ? s.ncols - s.low : 0;
    s.first = s.first < s.nrows ? s.first : s.nrows;
    s.behind = s.behind < s.nrows ? s.behind : s.nrows;
    s.behind = s.behind > s.first ? s.behind : s.first;
    return s;
}

/* Fill the arrays of the runs, of which a row has at most one, with elements of this type. */
#define FILL_RUNS(name, T)                                                                           \
    static void name(const tsr_level *runs, const interval *s)                                       \
    {                                                                                                \
        T *const pos = runs->pos.data, *const start = runs->start.data, *const end = runs->end.data; \
        for (int64_t i = 0; i <= s->nrows; i++)                                                      \
            pos[i] = (T)((i < s->first ? s->first : i > s->behind ? s->behind : i) - s->first);      \
        for (int64_t q = 0; q < s->behind - s->first; q++) {                                         \
            const int64_t lo = s->first + q + s->low, hi = s->first + q + s->high + 1;               \
            start[q] = (T)(lo < 0 ? 0 : lo);                                                         \
            end[q] = (T)(hi < s->ncols ? hi : s->ncols);                                             \
        }                                                                                            \
    }
FILL_RUNS(fill_runs_32, uint32_t)
FILL_RUNS(fill_runs_64, uint64_t)

static tsr_status make_runs(tsr_level *runs, const kernel_step *step, tsr_error *err)
{
    const interval s = rows_of(step);
    const size_t width = (size_t)kernel_step_width(step);
    runs->nparents = step->dims[0];
    runs->npos = (uint64_t)(s.behind - s.first);
    for (const tsr_level_array *row = runs->type->arrays;
         row < runs->type->arrays + TSR_LEVEL_NROLES && row->name; row++)
        TSR_TRY(tsr_array_init(tsr_level_array_of(runs, row->role),
                               row->role == TSR_LEVEL_POS ? runs->nparents + 1 : runs->npos, width, 0,
                               "a band", err));
    if (width == 4)
        fill_runs_32(runs, &s);
    else
        fill_runs_64(runs, &s);
    return TSR_OK;
}

tsr_status kernel_step_band(tsr_tensor **out, const kernel_step *step, tsr_error *err)
{
    tsr_tensor *made;
    *out = NULL;
    TSR_TRY(tsr_tensor_new(&made, step->format, step->dims, TSR_PATTERN, err));
    made->levels[0].nparents = 1;
    made->levels[0].npos = step->dims[0];
    tsr_status status = make_runs(&made->levels[1], step, err);
    made->npos = made->levels[1].npos;
    made->iso = true;
    if (status == TSR_OK)
        status = tsr_array_init(&made->values, 1, tsr_type_nbytes(TSR_PATTERN), 0, "values of a step", err);
    if (status != TSR_OK) {
        tsr_tensor_free(made);
        return status;
    }
    *(unsigned char *)made->values.data = 1;
    *out = made;
    return TSR_OK;
}
