/* Moving the entries of a tensor: transpose, slice, reshape and whatever else is an index map, applied to
 * coordinates in place. What tsr_map_ops.h builds and tsr_map_compose joins becomes one pass over the
 * entries. */
#ifndef TSR_TRANSFORM_H
#define TSR_TRANSFORM_H

#include "tsr_coo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Take each entry at coordinates x to forward(x) in a tensor of out_dims (one per result of forward). Entries
 * outside forward's domain are dropped (*ndropped of them; may be NULL), the others keep their order and
 * their values, zeros too; entries that meet stay side by side for packing to combine. The order becomes the
 * number of results, natural NULL. coo must be sound and its structure general.
 * In place: arrays whose width stays are used again, others are made anew; peak memory is the coordinates
 * before and after in the worst case, and values are never copied. Time: one pass, on nthreads threads
 * (0: all); none at all where modes only change places. The result does not depend on the threads.
 * TSR_ARGUMENT: forward has not one dim per mode, or symbols; TSR_LIMIT: more than TSR_MAX_ORDER results,
 * dims over 2^63 - 1, intermediate values over int64; TSR_RANGE: an entry of the domain is taken outside
 * out_dims. After a failure coo can only be freed. */
tsr_status tsr_transform(tsr_coo *coo, uint64_t *ndropped, const tsr_map *forward, const uint64_t *out_dims,
                         int nthreads, tsr_error *err) TSR_NODISCARD;

/* Take coordinate x of one mode to table[x]; table: dims[mode] numbers below dims[mode]. natural becomes
 * NULL. */
void tsr_transform_mode(tsr_coo *coo, int mode, const uint64_t *table, int nthreads);

/* Append `other` along dim `axis`: its entries come after those of coo, shifted by coo's dim. `other` keeps
 * its dims but loses its arrays' use: it is emptied as they are copied. TSR_ARGUMENT: orders, types or other
 * dims differ, or one is not general, or fills differ; TSR_LIMIT: the new dim is over 2^63 - 1. After a
 * failure both can only be freed. */
tsr_status tsr_transform_concat(tsr_coo *coo, tsr_coo *other, int axis, tsr_error *err) TSR_NODISCARD;

/* Let the entries at one place, which must be neighbours, become one with the smallest (largest) of their
 * values; where they are fewer than ncells, the 0 of those that are not stored counts too. NaN wins. coo must
 * be without fill. TSR_UNSUPPORTED for complex values and patterns, TSR_NOMEM. */
tsr_status tsr_transform_extremes(tsr_coo *coo, bool largest, uint64_t ncells, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
