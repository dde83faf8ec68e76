/* Separate calls for the levels of a sparse result and for the values. Without a program for values alone, each call runs
 * the kernel and keeps one part of the result. */
#include <inttypes.h>
#include <string.h>

#include "kernel_internal.h"

tsr_status tsr_kernel_assemble(const tsr_kernel *kernel, tsr_tensor *result,
                               const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    TSR_TRY(tsr_kernel_run(kernel, result, operands, nthreads, err));
    memset(result->values.data, 0, tsr_array_nbytes(&result->values));
    return TSR_OK;
}

static bool same_array(const tsr_array *a, const tsr_array *b)
{
    if (a->n != b->n)
        return false;
    if (a->width == b->width)
        return a->n == 0 || (!a->data && !b->data) || memcmp(a->data, b->data, tsr_array_nbytes(a)) == 0;
    for (uint64_t i = 0; i < a->n; i++)
        if (tsr_array_get(a, i) != tsr_array_get(b, i))
            return false;
    return true;
}

static bool has_same_levels(const tsr_tensor *a, const tsr_tensor *b)
{
    for (int l = 0; l < a->nlevels; l++) {
        bool same = a->levels[l].npos == b->levels[l].npos;
        for (int role = 0; same && role < TSR_LEVEL_NROLES; role++)
            same = same_array(tsr_level_array_at(&a->levels[l], (tsr_level_role)role),
                              tsr_level_array_at(&b->levels[l], (tsr_level_role)role));
        if (!same)
            return false;
    }
    return a->npos == b->npos && a->values.n == b->values.n;
}

/* The error when the operands give other entries than the result has. */
static tsr_status other_entries(const tsr_kernel *kernel, tsr_tensor *result, tsr_error *err)
{
    memset(result->values.data, 0, tsr_array_nbytes(&result->values));
    return tsr_fail(err, TSR_ARGUMENT,
                    "these operands give %s other entries than its %" PRIu64 ": assemble the result anew",
                    kernel_notation(kernel)->tensor[0].name, result->values.n);
}

/* tsr_kernel_compute for a result whose levels the kernel makes: compute another result, check that the
 * levels are equal, and move the values. */
static tsr_status compute_assembled(const tsr_kernel *kernel, tsr_tensor *result,
                                    const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    tsr_tensor *fresh;
    if (kernel_notation(kernel)->accumulate)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot compute only the values of %s, as += can change the entries: use tsr_kernel_run",
            kernel_notation(kernel)->tensor[0].name);
    TSR_TRY(tsr_kernel_result(&fresh, kernel, operands, err));
    tsr_status status = TSR_OK;
    if (!tsr_format_equal(fresh->format, result->format) || fresh->type != result->type)
        status = tsr_fail(err, TSR_ARGUMENT,
                          "the result %s has another format or type than the kernel was made for",
                          kernel_notation(kernel)->tensor[0].name);
    if (status == TSR_OK)
        status = tsr_kernel_run(kernel, fresh, operands, nthreads, err);
    if (status == TSR_OK && has_same_levels(result, fresh))
        memcpy(result->values.data, fresh->values.data, tsr_array_nbytes(&result->values));
    else if (status == TSR_OK)
        status = other_entries(kernel, result, err);
    tsr_tensor_free(fresh);
    return status;
}

tsr_status tsr_kernel_compute(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                              int nthreads, tsr_error *err)
{
    if (!result)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", kernel_notation(kernel)->tensor[0].name);
    if (kernel->how.values_only) {
        int64_t differs;
        TSR_TRY(kernel_run(&differs, kernel, result, operands, nthreads, err));
        return differs ? other_entries(kernel, result, err) : TSR_OK;
    }
    if (kernel_assembles(kernel))
        return compute_assembled(kernel, result, operands, nthreads, err);
    return tsr_kernel_run(kernel, result, operands, nthreads, err);
}
