/* An array of unsigned integers of one width, or of values. Levels and coordinates are made of these
 * arrays. */
#ifndef TSR_ARRAY_H
#define TSR_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tsr_alloc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_array {
    void *
        data; /* n * width bytes; NULL = absent (an empty array has a block). From tsr_alloc.h and owned, unless
                   `borrowed` */
    uint64_t n; /* elements */
    size_t
        /* bytes per element: 1, 2, 4 or 8 for coordinates and positions; for values the size of one value */
        width;
    bool
        borrowed; /* the elements belong to a caller, who frees them; they are not changed, except that a kernel
                      writes the values of a result */
} tsr_array;

/* Make *array n elements of `width` bytes, zeroed if `zero`. The error message calls the array `what`.
 * TSR_NOMEM. */
static inline tsr_status tsr_array_init(tsr_array *array, uint64_t n, size_t width, int zero,
                                        const char *what, tsr_error *err)
{
    array->n = n;
    array->width = width;
    array->borrowed = false;
    return tsr_alloc_array(&array->data, n, width, zero, what, err);
}

static inline void tsr_array_clear(tsr_array *array)
{
    if (!array->borrowed)
        tsr_free(array->data);
    memset(array, 0, sizeof *array);
}

/* Make a borrowed array a copy that the array owns, made by nthreads threads, so that the elements may be changed. Nothing else turns borrowed memory into
 * memory that may be written, resized, freed or handed on. The error message calls the array `what`. TSR_NOMEM: the array is as
 * before. */
tsr_status tsr_array_own(tsr_array *array, int nthreads, const char *what, tsr_error *err) TSR_NODISCARD;
/* Give the block of an array room for n elements of `width` bytes: the bytes at the beginning stay. A borrowed array gets a block of
 * its own. The error message calls the array `what`. TSR_NOMEM where a new block is needed: then the array is as before. */
tsr_status tsr_array_resize(tsr_array *array, uint64_t n, size_t width, const char *what,
                            tsr_error *err) TSR_NODISCARD;
/* Store the elements, unsigned integers that fit, in `width` bytes each: in place, or in a block of its own if it was borrowed. The error message calls the array `what`.
 * TSR_NOMEM: the array is as before. */
tsr_status tsr_array_set_width(tsr_array *array, size_t width, const char *what,
                               tsr_error *err) TSR_NODISCARD;
/* Widen elements to 8 bytes that never decreased, by less than 2^(8 * width) from one to the next, beginning with 0, and that were
 * stored modulo 2^(8 * width). The error message calls the array `what`. TSR_NOMEM: the array is as before. */
tsr_status tsr_array_unwrap(tsr_array *array, const char *what, tsr_error *err) TSR_NODISCARD;

/* Move the elements out of the array, which is empty then. */
static inline tsr_array tsr_array_take(tsr_array *array)
{
    const tsr_array taken = *array;
    memset(array, 0, sizeof *array);
    return taken;
}

static inline uint64_t tsr_array_nbytes(const tsr_array *array)
{
    return array->data ? array->n * array->width : 0;
}

/* The bytes that tsr_array_clear frees, and that another array may take over: 0 where the array is borrowed. */
static inline uint64_t tsr_array_owned_nbytes(const tsr_array *array)
{
    return array->borrowed ? 0 : tsr_array_nbytes(array);
}

/* Element i as a number (width 1, 2, 4, 8). Not for inner loops: use tsr_array_load there. */
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

/* Set element i to v, which must fit the width. Not for inner loops: use tsr_array_store there. */
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

/* out[k] = element first + k, for k in [0, n). One tight loop per width. */
void tsr_array_load(uint64_t *out, const tsr_array *array, uint64_t first, uint64_t n);
/* Element first + k = in[k], for k in [0, n). All in[k] must fit the width. */
void tsr_array_store(tsr_array *array, uint64_t first, const uint64_t *in, uint64_t n);
/* Elements [first, end) of `from` become elements at, at + 1... of `to`, whose width they fit. */
void tsr_array_copy(tsr_array *to, uint64_t at, const tsr_array *from, uint64_t first, uint64_t end);
/* Whether two arrays have the same elements, in any widths. Cost: one pass over both, on nthreads threads (0: all); none for the same
 * memory. */
bool tsr_array_equal(const tsr_array *a, const tsr_array *b, int nthreads);
/* Of the elements [first, end): the largest (0 where there are none), and the number of those that do not exceed the element before them,
 * which the element `first` does not have. Cost: one pass. */
void tsr_array_survey(uint64_t *max, uint64_t *nfalls, const tsr_array *array, uint64_t first, uint64_t end);
/* The first element of [lo, hi) that is at least v, where these elements never decrease; hi if there is none. */
uint64_t tsr_array_seek(const tsr_array *array, uint64_t lo, uint64_t hi, uint64_t v);
/* dst[k] = src[index[k] & mask] for elements of `width` bytes (1, 2, 4, 8 or 16). dst and src do not
 * overlap. */
void tsr_array_gather(void *dst, const void *src, size_t width, const uint64_t *index, uint64_t mask,
                      size_t n);
/* dst[index[k]] = src[k] for elements of `width` bytes (1, 2, 4, 8 or 16). dst and src do not overlap. */
void tsr_array_scatter(void *dst, const void *src, size_t width, const uint64_t *index, size_t n);
/* The narrowest of 1, 2, 4, 8 bytes that holds `max`. */
size_t tsr_width_for(uint64_t max);
/* The bytes of a coordinate in an array of coordinates of a mode of that dim: 4 or 8. */
static inline size_t tsr_crd_width(uint64_t dim)
{
    return dim <= UINT64_C(1) << 32 ? 4 : 8;
}

#ifdef __cplusplus
}
#endif
#endif
