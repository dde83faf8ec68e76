/* --check: the result of the kernel compared with the interpreter and with the dense oracle. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tkern.h"
#include "tsr_pack.h"

/* How far two results of floating-point sums in different orders may be apart, relative to the largest value
 * (integers: not at all). */
static double tolerance(tsr_type type)
{
    const size_t nbytes = tsr_type_nbytes(type);
    switch (tsr_type_class(type)) {
    case 'R':
        return nbytes == 8 ? 1e-10 : 1e-4;
    case 'C':
        return nbytes == 16 ? 1e-10 : 1e-4;
    default:
        return 0;
    }
}

/* The distance of two values; 0 for two NaNs and for equal infinities, inf where only one is not finite. */
static double distance(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    const double d = fabs(a - b);
    return isfinite(a) && isfinite(b) ? d : INFINITY;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static tsr_tkern_comparison compare(const tsr_tkern_cell *mine, const tsr_tkern_cell *other, uint64_t n,
                                    tsr_type type)
{
    const char class = tsr_type_class(type);
    tsr_tkern_comparison c = {.whole = class == 'I' || class == 'U', .n = n, .tolerance = tolerance(type)};
    const size_t nbits = 8 * tsr_type_nbytes(type);
    const uint64_t mask = c.whole && nbits < 64 ? (UINT64_C(1) << nbits) - 1 : UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        if (c.whole) {
            c.ndifferent += ((mine[i].i ^ other[i].i) & mask) != 0;
            continue;
        }
        const double size = larger(fabs(other[i].re), fabs(other[i].im));
        c.largest = isfinite(size) ? larger(c.largest, size) : c.largest;
        c.difference = larger(c.difference,
                              larger(distance(mine[i].re, other[i].re), distance(mine[i].im, other[i].im)));
    }
    c.same = c.whole ? c.ndifferent == 0 : c.difference <= c.tolerance * larger(c.largest, DBL_MIN);
    return c;
}

/* Print the outcome; returns whether it is equal. */
static bool tell(const tsr_tkern *t, const char *against, const tsr_tkern_comparison *c)
{
    const char *const who = strcmp(against, "oracle") == 0 ? "dense oracle" : against;
    if (t->json)
        tsr_tkern_json_comparison(t, against, c, NULL);
    else if (c->whole)
        printf("check %s: %llu of %llu values differ\n", who, (unsigned long long)c->ndifferent,
               (unsigned long long)c->n);
    else
        printf("check %s: %s, largest difference %.2g of %.3g (%.0e allowed)\n", who,
               c->same ? "equal" : "DIFFERENT", c->difference, c->largest, c->tolerance);
    return c->same;
}

/* Print why the oracle did not compute. */
static void tell_why(const tsr_tkern *t, const char *why)
{
    if (t->json)
        tsr_tkern_json_comparison(t, "oracle", NULL, why);
    else
        printf("check dense oracle: %s\n", why);
}

/* The values of a tensor as they are stored, as cells. */
static tsr_status stored_values(tsr_tkern_cell **out, const tsr_tensor *tensor, tsr_error *err)
{
    void *block;
    TSR_TRY(tsr_alloc_array(&block, tensor->values.n, sizeof **out, 1, "values to compare", err));
    *out = block;
    const bool whole = tsr_type_class(tensor->type) == 'I' || tsr_type_class(tensor->type) == 'U';
    for (uint64_t i = 0; i < tensor->values.n; i++) {
        const unsigned char *const at = (const unsigned char *)tensor->values.data + i * tensor->values.width;
        if (whole) {
            (*out)[i].i = tsr_array_get(&tensor->values, i);
            continue;
        }
        double v[2];
        TSR_TRY(tsr_values_convert(v, TSR_C128, at, tensor->type, 1, err));
        (*out)[i].re = v[0];
        (*out)[i].im = v[1];
    }
    return TSR_OK;
}

tsr_status tsr_tkern_copy(tsr_tensor **out, const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = nthreads};
    tsr_coo *coo;
    *out = NULL;
    TSR_TRY(tsr_unpack(&coo, tensor, nthreads, err));
    return tsr_pack(out, coo, tensor->format, &how, NULL, err);
}

/* A new result that holds the values that the result of the kernel had before the run. */
static tsr_status result_before(tsr_tensor **out, const tsr_kernel *kernel, const tsr_tkern *t,
                                tsr_error *err)
{
    TSR_TRY(tsr_kernel_result(out, kernel, t->operands, err));
    if (t->before && !tsr_format_is_dense(t->before->format)) {
        tsr_tensor_free(*out);
        return tsr_tkern_copy(out, t->before, t->s->common.nthreads, err);
    }
    if (t->before)
        memcpy((*out)->values.data, t->before->values.data, tsr_array_nbytes(&(*out)->values));
    return TSR_OK;
}

static tsr_status check_interpreter(bool *same, const tsr_tkern *t, const tsr_tensor *computed,
                                    tsr_error *err)
{
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    const tsr_kernel_options options = {.engine = TSR_ENGINE_INTERPRETER,
                                        .schedule = t->s->schedule,
                                        .semiring = t->s->semiring,
                                        .nthreads = t->s->common.nthreads};
    for (int i = 0; i < t->notation->ntensors; i++)
        tensors[i] =
            (tsr_kernel_tensor){.name = t->tensor[i].name, .tensor = i > 0 ? t->operands[i - 1] : computed};
    tsr_kernel *kernel = NULL;
    tsr_tensor *result = NULL;
    tsr_tkern_cell *mine = NULL, *other = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_kernel_new(&kernel, t->s->expression, tensors, t->notation->ntensors, &options, err));
    TSR_TRY_OUT(result_before(&result, kernel, t, err));
    TSR_TRY_OUT(tsr_kernel_run(kernel, result, t->operands, t->s->common.nthreads, err));
    if (result->values.n != computed->values.n) {
        if (t->json)
            tsr_tkern_json_comparison(t, "interpreter", NULL, "the numbers of entries differ");
        else
            printf("the interpreter's result has %llu entries, and not %llu\n",
                   (unsigned long long)result->values.n, (unsigned long long)computed->values.n);
        *same = false;
        goto out;
    }
    TSR_TRY_OUT(stored_values(&mine, computed, err));
    TSR_TRY_OUT(stored_values(&other, result, err));
    const tsr_tkern_comparison c = compare(mine, other, computed->values.n, computed->type);
    *same = tell(t, "interpreter", &c);
out:
    tsr_kernel_free(kernel);
    tsr_tensor_free(result);
    tsr_free(mine);
    tsr_free(other);
    return status;
}

static tsr_status check_oracle(bool *same, const tsr_tkern *t, const tsr_tensor *computed, tsr_error *err)
{
    tsr_tkern_cell *cells = NULL;
    void *mine = NULL;
    uint64_t n = 0;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_tkern_oracle(&cells, &n, t, err));
    if (!cells) {
        tell_why(t, "too large for it");
        goto out;
    }
    TSR_TRY_OUT(tsr_alloc_array(&mine, n, sizeof *cells, 1, "cells to compare", err));
    TSR_TRY_OUT(tsr_tkern_cells(mine, NULL, n, computed, t->s->common.nthreads, err));
    const tsr_tkern_comparison c = compare(mine, cells, n, computed->type);
    *same = tell(t, "oracle", &c);
out:
    tsr_free(cells);
    tsr_free(mine);
    return status;
}

tsr_status tsr_tkern_check(bool *same, const tsr_tkern *t, tsr_error *err)
{
    tsr_tensor *computed = NULL;
    bool first = true, second = true;
    tsr_status status = TSR_OK;
    /* The kernel runs again here, because timed runs of += have added several times. */
    TSR_TRY_OUT(result_before(&computed, t->kernel, t, err));
    TSR_TRY_OUT(tsr_tkern_run(t, computed, err));
    TSR_TRY_OUT(check_interpreter(&first, t, computed, err));
    if (t->s->semiring || t->notation->rhs->has_step) /* the oracle adds and multiplies */
        tell_why(t, "not for semirings and functions");
    else
        TSR_TRY_OUT(check_oracle(&second, t, computed, err));
    *same = first && second;
out:
    tsr_tensor_free(computed);
    return status;
}
