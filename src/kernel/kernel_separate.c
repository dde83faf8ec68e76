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

static bool has_same_levels(const tsr_tensor *a, const tsr_tensor *b, int nthreads)
{
    bool same = a->npos == b->npos && a->values.n == b->values.n;
    for (int l = 0; l < a->nlevels && same; l++)
        same = kernel_same_level(&a->levels[l], &b->levels[l], nthreads);
    return same;
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
    tsr_status status =
        tsr_format_equal(fresh->format, result->format) && fresh->type == result->type
            ? tsr_kernel_run(kernel, fresh, operands, nthreads, err)
            : tsr_fail(err, TSR_ARGUMENT,
                       "the result %s has another format or type than the kernel was made for",
                       kernel_notation(kernel)->tensor[0].name);
    if (status == TSR_OK && has_same_levels(result, fresh, nthreads))
        memcpy(result->values.data, fresh->values.data, tsr_array_nbytes(&result->values));
    else if (status == TSR_OK)
        status = other_entries(kernel, result, err);
    tsr_tensor_free(fresh);
    return status;
}

/* ---- trails ---- */

enum {
    MAX_MISSED = 2,      /* a trail that was wrong so often is not stored again */
    SMALL_NBYTES = 65536 /* that a trail may take besides the bytes of the result */
};

/* The rows of the result, whose trail the program has; NULL: it has none. */
static const tsr_level *rows_of(const tsr_kernel *kernel, const tsr_tensor *result)
{
    const int i = kernel_find_param(kernel, TSR_PARAM_STARTS),
              level = i < 0 ? -1 : kernel->lowered->param[i].level;
    return i >= 0 && level < result->nlevels ? &result->levels[level] : NULL;
}

/* Begin to count, if the starts fit. A trail takes not more memory than the result. */
static void begin_trail(tsr_tensor *result, const tsr_level *rows)
{
    tsr_trail *const trail = result->trail;
    tsr_trail_clear(trail);
    trail->way = TSR_TRAIL_NONE;
    const uint64_t n = rows->pos.n;
    if (n == 0 || n > (tsr_tensor_nbytes(result) + SMALL_NBYTES) / 16 || trail->nmissed >= MAX_MISSED)
        return;
    if (tsr_array_init(&trail->starts, n, 8, 1, "a trail", NULL) == TSR_OK &&
        tsr_array_init(&trail->pos, n, rows->pos.width, 0, "a trail", NULL) == TSR_OK) {
        memcpy(trail->pos.data, rows->pos.data, tsr_array_nbytes(&rows->pos));
        trail->way = TSR_TRAIL_COUNT;
    }
}

/* After the contributions to each row were counted: the starts, and room for the places, if they fit. */
static void lay_trail(tsr_trail *trail, uint64_t most)
{
    uint64_t *const starts = trail->starts.data;
    for (uint64_t i = 1; i < trail->starts.n; i++)
        starts[i] += starts[i - 1];
    const uint64_t n = starts[trail->starts.n - 1];
    trail->way = TSR_TRAIL_NONE;
    if (n > 0 && n <= most / sizeof(uint16_t) &&
        tsr_array_init(&trail->places, n, sizeof(uint16_t), 0, "a trail", NULL) == TSR_OK)
        trail->way = TSR_TRAIL_WRITE;
    else
        tsr_trail_clear(trail);
}

/* Make the trail ready for a call, or for its first one. *out: NULL: the call has none. */
static void take_trail(tsr_trail **out, const tsr_kernel *kernel, tsr_tensor *result)
{
    const tsr_level *const rows = rows_of(kernel, result);
    *out = NULL;
    if (!rows)
        return;
    const bool is_new = !result->trail;
    if (is_new)
        result->trail = tsr_calloc(1, sizeof *result->trail);
    if (!result->trail)
        return;
    if (is_new ||
        (result->trail->way != TSR_TRAIL_NONE && !tsr_array_equal(&result->trail->pos, &rows->pos, 1)))
        begin_trail(result, rows);
    *out = result->trail;
}

/* Compute values, and leave or follow a trail. */
static tsr_status compute_values(kernel_met *met, const tsr_kernel *kernel, tsr_tensor *result,
                                 const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    take_trail(&met->trail, kernel, result);
    tsr_trail *const trail = met->trail;
    const int way = trail ? trail->way : TSR_TRAIL_NONE;
    tsr_status status = kernel_run(met, kernel, result, operands, nthreads, err);
    if (way == TSR_TRAIL_NONE)
        return status;
    if (status != TSR_OK || met->number[0] != 0 || met->number[1] != 0) {
        trail->nmissed += met->number[1] != 0;
        begin_trail(result, rows_of(kernel, result));
        if (status == TSR_OK && way == TSR_TRAIL_FOLLOW) {
            *met = (kernel_met){0};
            status = kernel_run(met, kernel, result, operands, nthreads, err);
        }
    } else if (way == TSR_TRAIL_COUNT) {
        lay_trail(trail, tsr_tensor_nbytes(result) + SMALL_NBYTES);
    } else {
        trail->way = TSR_TRAIL_FOLLOW;
    }
    return status;
}

tsr_status tsr_kernel_compute(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                              int nthreads, tsr_error *err)
{
    if (!result)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", kernel_notation(kernel)->tensor[0].name);
    if (kernel->how.values_only) {
        kernel_met met = {0};
        TSR_TRY(compute_values(&met, kernel, result, operands, nthreads, err));
        return met.number[0] ? other_entries(kernel, result, err) : TSR_OK;
    }
    if (kernel_assembles(kernel))
        return compute_assembled(kernel, result, operands, nthreads, err);
    return tsr_kernel_run(kernel, result, operands, nthreads, err);
}
