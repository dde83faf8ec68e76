/* Elements of arrays in memory or in parts: see held_arrays.h. */
#include "held_arrays.h"

#include <inttypes.h>
#include <string.h>

static const tsr_array *array_of(const tsr_held *held, const tsr_part_range *range)
{
    return range->part == TSR_PART_VALUES ? &held->tensor->values
           : range->part == TSR_PART_POS  ? &held->tensor->levels[range->level].pos
                                          : &held->tensor->levels[range->level].crd;
}

static tsr_status load(void *out, const tsr_held *held, const tsr_part_range *range, tsr_error *err)
{
    const tsr_array *const array = array_of(held, range);
    if (range->n == 0)
        return TSR_OK;
    if (held->parts)
        return held->parts->load(out, held->parts, range, err);
    memcpy(out, (const char *)array->data + range->first * array->width, range->n * array->width);
    return TSR_OK;
}

tsr_status tsr_held_indices(void *out, const tsr_held *held, const tsr_part_range *range, size_t width,
                            tsr_error *err)
{
    enum { STEP = 1024 };
    const size_t stored = array_of(held, range)->width;
    uint64_t raw[STEP], block[STEP];
    tsr_array to = {.data = out, .n = range->n, .width = width};
    if (stored == width)
        return load(out, held, range, err);
    for (uint64_t i = 0; i < range->n; i += STEP) {
        tsr_part_range piece = *range;
        piece.first += i;
        piece.n = range->n - i < STEP ? range->n - i : STEP;
        TSR_TRY(load(raw, held, &piece, err));
        const tsr_array from = {.data = raw, .n = piece.n, .width = stored};
        tsr_array_load(block, &from, 0, (size_t)piece.n);
        tsr_array_store(&to, i, block, (size_t)piece.n);
    }
    return TSR_OK;
}

tsr_status tsr_held_values(void *out, const tsr_held *held, uint64_t first, uint64_t n, tsr_error *err)
{
    const bool iso = held->tensor->iso;
    const size_t width = held->tensor->values.width;
    const tsr_part_range range = {
        .part = TSR_PART_VALUES, .first = iso ? 0 : first, .n = iso && n > 0 ? 1 : n};
    TSR_TRY(load(out, held, &range, err));
    for (uint64_t i = 1; i < n && iso; i++)
        memcpy((char *)out + i * width, out, width);
    return TSR_OK;
}

static bool is_exact(double as, uint64_t bits, tsr_type type)
{
    if (type == TSR_I64)
        return as < 0x1p63 && as >= -0x1p63 && (int64_t)as == (int64_t)bits;
    return as < 0x1p64 && as >= 0 && (uint64_t)as == bits;
}

tsr_status tsr_check_exact(const double *as, const tsr_array *values, tsr_type type, const char *whose,
                           tsr_error *err)
{
    for (uint64_t i = 0; i < values->n && (type == TSR_I64 || type == TSR_U64); i++) {
        uint64_t bits;
        memcpy(&bits, (const char *)values->data + 8 * i, 8);
        const double v = as ? as[i] : type == TSR_I64 ? (double)(int64_t)bits : (double)bits;
        if (is_exact(v, bits, type))
            continue;
        char text[TSR_VALUE_TEXT_NBYTES + 1];
        text[tsr_value_print(text, type, &bits)] = '\0';
        return tsr_fail(err, TSR_RANGE,
                        "%s double values, and the integer %s (value %" PRIu64
                        ") is not a double: convert the values with --type=f64 to round them",
                        whose, text, i);
    }
    return TSR_OK;
}
