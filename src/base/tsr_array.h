/* An array of unsigned integers of one width, or of values: the piece that levels and coordinates are made
 * of. */
#ifndef TSR_ARRAY_H
#define TSR_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tsr_alloc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_array {
    void *data; /* n * width bytes from tsr_alloc.h, owned; NULL = absent (an empty array has a block) */
    uint64_t n; /* entries */
    size_t
        width; /* bytes per entry: 1, 2, 4 or 8 for coordinates and positions; a value's bytes for values */
} tsr_array;

/* Make *array n entries of `width` bytes, zeroed when `zero`. `what` names it in the error. */
static inline tsr_status tsr_array_init(tsr_array *array, uint64_t n, size_t width, int zero,
                                        const char *what, tsr_error *err)
{
    array->n = n;
    array->width = width;
    return tsr_alloc_array(&array->data, n, width, zero, what, err);
}

static inline void tsr_array_clear(tsr_array *array)
{
    tsr_free(array->data);
    memset(array, 0, sizeof *array);
}

static inline uint64_t tsr_array_nbytes(const tsr_array *array)
{
    return array->data ? array->n * array->width : 0;
}

/* Entry i as a number (width 1, 2, 4, 8). Not for inner loops: see tsr_array_load. */
static inline uint64_t tsr_array_get(const tsr_array *array, uint64_t i)
{
    switch (array->width) {
    case 1:
        return ((const uint8_t *)array->data)[i];
    case 2:
        return ((const uint16_t *)array->data)[i];
    case 4:
        return ((const uint32_t *)array->data)[i];
    default:
        return ((const uint64_t *)array->data)[i];
    }
}

/* Set entry i (it must fit the width). Not for inner loops. */
static inline void tsr_array_set(tsr_array *array, uint64_t i, uint64_t v)
{
    switch (array->width) {
    case 1:
        ((uint8_t *)array->data)[i] = (uint8_t)v;
        break;
    case 2:
        ((uint16_t *)array->data)[i] = (uint16_t)v;
        break;
    case 4:
        ((uint32_t *)array->data)[i] = (uint32_t)v;
        break;
    default:
        ((uint64_t *)array->data)[i] = v;
        break;
    }
}

/* Widen entries [first, first + n) into out[0..n): one tight loop per width. */
void tsr_array_load(uint64_t *out, const tsr_array *array, uint64_t first, uint64_t n);
/* Narrow in[0..n) into entries [first, first + n); they must fit. */
void tsr_array_store(tsr_array *array, uint64_t first, const uint64_t *in, uint64_t n);
/* dst[k] = src[index[k] & mask] for entries of `width` bytes (1, 2, 4, 8 or 16). dst and src do not overlap.
 */
void tsr_array_gather(void *dst, const void *src, size_t width, const uint64_t *index, uint64_t mask,
                      size_t n);
/* dst[index[k]] = src[k], likewise. */
void tsr_array_scatter(void *dst, const void *src, size_t width, const uint64_t *index, size_t n);
/* The narrowest of 1, 2, 4, 8 bytes that holds `max`. */
size_t tsr_width_for(uint64_t max);

#ifdef __cplusplus
}
#endif
#endif
