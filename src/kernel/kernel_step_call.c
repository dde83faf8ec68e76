/* Functions of sparse tensors, such as min(B(i,j), C(i,j)): the entries of both arguments are read in sorted
 * order, side by side. An absent cell of an argument counts as 0. An argument without tensors is a number,
 * and does not have entries. */
#include <math.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_checked.h"

/* An argument: sorted entries, or a number. */
typedef struct side {
    tsr_coo *coo; /* owned; NULL: the argument is a number, or a scalar */
    double number;
    bool is_tensor;
    uint64_t at; /* the next entry */
} side;

/* Check that all values are doubles without rounding: TSR_RANGE for an integer over 2^53. */
static tsr_status check_exact(const tsr_coo *coo, const kernel_step *step, tsr_type type, tsr_error *err)
{
    for (uint64_t e = 0; tsr_type_class(type) != 'R' && e < coo->nnz; e++) {
        const double x = ((const double *)coo->values.data)[e];
        if (!(fabs(x) <= 0x1p53))
            return tsr_fail(err, TSR_RANGE,
                            "%s computes with doubles, which are exact for integers up to 2^53 only, but a "
                            "value is %.17g",
                            step->expr->function->name, x);
    }
    return TSR_OK;
}

static tsr_status open_side(side *s, const kernel_step *step, int k, const kernel_step_input *in,
                            tsr_error *err)
{
    tsr_tensor *result;
    *s = (side){.number = step->number[k], .is_tensor = step->arg[k] != NULL};
    if (!s->is_tensor)
        return TSR_OK;
    TSR_TRY(kernel_step_argument(&result, step->arg[k], in, err));
    tsr_status status;
    if (step->order == 0)
        status = tsr_values_convert(&s->number, TSR_F64, result->values.data, result->type, 1, err);
    else
        status = tsr_unpack(&s->coo, result, in->nthreads, err);
    if (status == TSR_OK && s->coo)
        status = tsr_coo_retype(s->coo, TSR_F64, err);
    if (status == TSR_OK && s->coo && tsr_type_nbytes(step->arg[k]->tensor[0].operand.type) == 8)
        status = check_exact(s->coo, step, step->arg[k]->tensor[0].operand.type, err);
    tsr_tensor_free(result);
    return status;
}

/* Compare the coordinates of the next entry of the side with crd: negative, 0 or positive. */
static int compare(const side *s, const uint64_t *crd)
{
    for (int m = 0; m < s->coo->order; m++) {
        const uint64_t c = tsr_array_get(&s->coo->crd[m], s->at);
        if (c != crd[m])
            return c < crd[m] ? -1 : 1;
    }
    return 0;
}

static bool has_more(const side *s)
{
    return s->coo && s->at < s->coo->nnz;
}

/* Set crd to the smallest coordinates of the next entries of both sides; false: there are no more
 * entries. */
static bool next_entry(uint64_t *crd, const side *sides)
{
    bool any = false;
    for (int k = 0; k < 2; k++) {
        if (!has_more(&sides[k]) || (any && compare(&sides[k], crd) > 0))
            continue;
        for (int m = 0; m < sides[k].coo->order; m++)
            crd[m] = tsr_array_get(&sides[k].coo->crd[m], sides[k].at);
        any = true;
    }
    return any;
}

/* Move crd to the next cell; false: there are no more cells. */
static bool next_cell(uint64_t *crd, const kernel_step *step)
{
    for (int m = step->order - 1; m >= 0; m--) {
        if (++crd[m] < step->dims[m])
            return true;
        crd[m] = 0;
    }
    return false;
}

/* Compute the function at these coordinates; false: the result has no entry there. */
static bool evaluate(double *value, const kernel_step *step, side *sides, const uint64_t *crd)
{
    double x[2];
    bool any = false, all = true;
    for (int k = 0; k < 2; k++) {
        side *const s = &sides[k];
        const bool here = s->coo ? has_more(s) && compare(s, crd) == 0 : s->is_tensor;
        x[k] = s->coo ? (here ? ((const double *)s->coo->values.data)[s->at] : 0) : s->number;
        s->at += here && s->coo;
        any = any || here;
        all = all && (here || !s->is_tensor || !(step->expr->function->needs >> k & 1));
    }
    *value = step->expr->function->value(x[0], x[1]);
    return all && (any || step->expr->function->needs);
}

/* The largest number of entries of the result: all cells, or the entries of both sides. */
static tsr_status count_entries(uint64_t *n, const kernel_step *step, const side *sides, bool full,
                                tsr_error *err)
{
    *n = 1;
    for (int m = 0; m < step->order && full; m++)
        if (!tsr_mul_u64(n, *n, step->dims[m]) || *n > (uint64_t)1 << 32)
            return tsr_fail(
                err, TSR_LIMIT,
                "%s is not 0 in absent cells of the arguments, so the result would have over 2^32 entries",
                step->expr->function->name);
    if (!full)
        *n = (sides[0].coo ? sides[0].coo->nnz : 0) + (sides[1].coo ? sides[1].coo->nnz : 0);
    return TSR_OK;
}

static tsr_status merge(tsr_coo **out, const kernel_step *step, side *sides, tsr_error *err)
{
    const double x = sides[0].is_tensor ? 0 : sides[0].number, y = sides[1].is_tensor ? 0 : sides[1].number;
    const bool full = !step->expr->function->needs && step->expr->function->value(x, y) != 0;
    uint64_t most, n = 0, crd[TSR_MAX_ORDER] = {0};
    TSR_TRY(count_entries(&most, step, sides, full, err));
    TSR_TRY(tsr_coo_new_sized(out, (tsr_shape){step->order, step->dims}, TSR_F64, false, most, err));
    bool more = full ? most > 0 : next_entry(crd, sides);
    while (more) {
        double value;
        if (evaluate(&value, step, sides, crd) || full) {
            for (int m = 0; m < step->order; m++)
                tsr_array_set(&(*out)->crd[m], n, crd[m]);
            ((double *)(*out)->values.data)[n++] = value;
        }
        more = full ? next_cell(crd, step) : next_entry(crd, sides);
    }
    for (int m = 0; m < step->order; m++)
        (*out)->crd[m].n = n;
    (*out)->values.n = (*out)->nnz = n;
    return TSR_OK;
}

/* Compute a function of scalars. */
static tsr_status scalar_result(tsr_tensor **out, const kernel_step *step, const side *sides, tsr_error *err)
{
    const double value = step->expr->function->value(sides[0].number, sides[1].number);
    TSR_TRY(tsr_tensor_new(out, step->format, NULL, step->type, err));
    tsr_status status = tsr_array_init(&(*out)->values, 1, tsr_type_nbytes(step->type), 1, "a value", err);
    (*out)->npos = 1;
    if (status == TSR_OK)
        status = tsr_values_convert((*out)->values.data, step->type, &value, TSR_F64, 1, err);
    return status;
}

/* Compute all entries of the function, and pack them. */
static tsr_status finish(tsr_tensor **out, const kernel_step *step, side *sides, int nthreads, tsr_error *err)
{
    if (step->order == 0)
        return scalar_result(out, step, sides, err);
    tsr_coo *coo = NULL;
    tsr_status status = merge(&coo, step, sides, err);
    if (status == TSR_OK && tsr_type_nbytes(step->type) == 8)
        status = check_exact(coo, step, step->type, err);
    if (status == TSR_OK)
        status = tsr_coo_retype(coo, step->type, err);
    return kernel_step_pack(out, step, coo, status, nthreads, err);
}

tsr_status kernel_step_call(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                            tsr_error *err)
{
    side sides[2] = {{0}};
    tsr_status status = TSR_OK;
    for (int k = 0; k < step->expr->function->nargs && status == TSR_OK; k++)
        status = open_side(&sides[k], step, k, in, err);
    if (status == TSR_OK)
        status = finish(out, step, sides, in->nthreads, err);
    tsr_coo_free(sides[0].coo);
    tsr_coo_free(sides[1].coo);
    return status;
}
