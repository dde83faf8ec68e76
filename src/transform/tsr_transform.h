/* Transformations of the coordinates of a tensor, in place: transpose, slice, reshape and any other index
 * map. A sequence of transformations becomes one map (tsr_map_ops.h builds the maps, tsr_map_compose joins
 * them), and tsr_transform applies that map in one pass over the entries. */
#ifndef TSR_TRANSFORM_H
#define TSR_TRANSFORM_H

#include "tsr_coo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Move each entry from coordinates x to forward(x), in a tensor with out_dims (one element for each result
 * of forward). Entries outside the domain of forward are dropped; *ndropped, which may be NULL, is set to
 * their number. The entries that stay keep the sequence in which they are stored, and the values, also the
 * value 0. If several entries move to one cell, all of them stay: packing combines them. The order of coo
 * becomes the number of results, and coo->natural becomes NULL. coo must pass tsr_coo_check and have the
 * structure general. Memory: a result takes over the coordinate array of a mode of the same width, or gets a
 * new array; in the worst case the coordinates before and after exist together. Values are moved within the
 * array. Time: one pass on nthreads threads (0: all), and no pass if the modes are only permuted. The result
 * does not depend on nthreads. TSR_ARGUMENT: forward does not have one dim for each mode, or has symbols, or
 * coo is not general; TSR_LIMIT: more than TSR_MAX_ORDER results, a dim over 2^63 - 1, an intermediate value
 * that does not fit int64_t; TSR_RANGE: an entry in the domain moves to a cell outside out_dims; TSR_NOMEM.
 * After a failure coo can only be freed. */
tsr_status tsr_transform(tsr_coo *coo, uint64_t *ndropped, const tsr_map *forward, const uint64_t *out_dims,
                         int nthreads, tsr_error *err) TSR_NODISCARD;

/* Replace each coordinate x of one mode by table[x], on nthreads threads (0: all). The table has dims[mode]
 * elements, each below dims[mode]. coo->natural becomes NULL. */
void tsr_transform_mode(tsr_coo *coo, int mode, const uint64_t *table, int nthreads);

/* Append the entries of `other` to coo: the coordinates in mode `axis` grow by coo->dims[axis], and the dim
 * of that mode becomes the sum of both dims. The arrays of `other` are freed on the way and other->nnz
 * becomes 0; `other` keeps its dims. coo->natural becomes NULL. TSR_ARGUMENT: there is no mode `axis`; the
 * orders, the types, the fills or the dims of another mode differ; or the structure of one of them is not
 * general. TSR_LIMIT: the new dim is over 2^63 - 1. TSR_NOMEM. After a failure both can only be freed. */
tsr_status tsr_transform_concat(tsr_coo *coo, tsr_coo *other, int axis, tsr_error *err) TSR_NODISCARD;

/* Replace the entries at one cell, which must be neighbours, by one entry with the smallest (largest) of
 * their values. If they are fewer than ncells, the value 0 counts as one of them. If one value is NaN, the
 * result is NaN. coo must not have a fill; coo->natural becomes NULL. TSR_UNSUPPORTED for complex values and
 * patterns, TSR_NOMEM. */
tsr_status tsr_transform_extremes(tsr_coo *coo, bool largest, uint64_t ncells, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
