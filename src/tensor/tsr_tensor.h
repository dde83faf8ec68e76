/* The packed tensor: a format, its level arrays, and one value per position of the last level. The seam
 * between converting and computing. */
#ifndef TSR_TENSOR_H
#define TSR_TENSOR_H

#include "tsr_coo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_tensor {
    tsr_format *format;           /* owned */
    tsr_binding *binding;         /* of the format to the dims; owned */
    int order;                    /* modes */
    uint64_t dims[TSR_MAX_ORDER]; /* logical sizes */
    tsr_type type;
    tsr_structure structure;
    int nlevels;                      /* = format->nlevels */
    tsr_level levels[TSR_MAX_LEVELS]; /* outermost first */
    uint64_t npos;                    /* positions of the last level (1 when nlevels = 0) */
    bool iso;                         /* one value for all positions */
    tsr_array values; /* npos entries (1 when iso) of tsr_type_nbytes(type). Type pattern: iso without a dense
                         leaf; with one, a byte per position, 1 = stored */
    unsigned char fill[TSR_MAX_VALUE_NBYTES]; /* absent entries and padding are this when has_fill (behind an
                                                 array, and so aligned for a value) */
    bool has_fill;                            /* else they are 0 */
} tsr_tensor;

/* A tensor of this format (copied) and dims with level sizes set and no arrays yet, for a packer or a reader
 * to fill. */
tsr_status tsr_tensor_new(tsr_tensor **out, const tsr_format *format, const uint64_t *dims, tsr_type type,
                          tsr_error *err) TSR_NODISCARD;
void tsr_tensor_free(tsr_tensor *tensor);
/* Deep check of everything that a reader must not believe: array lengths and widths, pos rising from 0,
 * coordinates in range, order and uniqueness (tuples in groups), values length, structure's triangle, padding
 * holding fill only. TSR_CORRUPT with level and position. Cost: one pass over all arrays, on nthreads
 * threads. */
tsr_status tsr_tensor_check(const tsr_tensor *tensor, int nthreads, tsr_error *err) TSR_NODISCARD;
/* Bytes of all its arrays. */
uint64_t tsr_tensor_nbytes(const tsr_tensor *tensor);

#ifdef __cplusplus
}
#endif
#endif
