/* Moving a dense tensor from one layout to another: one fused, blocked, parallel copy.
 *
 * A layout is a bound map all of whose levels are dense: the position of an element is
 * ((c0 * pitch1 + c1) * pitch2 + c2)... over its storage coordinates. Both maps' digits of each mode are
 * split to a common refinement (radices 1 | r1 | r2 ..., each dividing the next), over which both positions
 * are linear: the copy is then a strided copy over boxes of these digits, of which there is one, and a few
 * more where a radix does not divide a dim. Inside a box, tiles of a few cache lines of both sides go through
 * a buffer (the digits that have stride 1 on either side are transposed there) and leave in whole lines,
 * while the lines of the next tile are asked for. Where the digits do not refine each other (blocks of 3
 * against blocks of 4), or a result is no sum of digits with positive factors, each element is sent through
 * both maps: right, and slow.
 *
 * Elements of 1, 2 and 4 bits are packed: element k of a byte stands at its bits k * nbits and up, from the
 * low end (as in XLA's E(1), E(2), E(4)). */
#ifndef TSR_RELAYOUT_H
#define TSR_RELAYOUT_H

#include "tsr_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_dense_layout {
    const tsr_binding *binding; /* all levels dense */
    const uint64_t *pitch;      /* nlevels entries, each >= the level's size; NULL: the format's */
} tsr_dense_layout;

typedef struct tsr_relayout tsr_relayout;

/* A plan for elements of nbits: 1, 2, 4, 8, 16, 32, 64 or 128. The bindings must outlive it. TSR_ARGUMENT
 * when the dims differ, a level is not dense, a pitch is below its level's size or nbits is none of these;
 * TSR_LIMIT when a layout has 2^63 bits or more. */
tsr_status tsr_relayout_new(tsr_relayout **out, const tsr_dense_layout *to, const tsr_dense_layout *from,
                            int nbits, tsr_error *err) TSR_NODISCARD;
void tsr_relayout_free(tsr_relayout *relayout);
/* Positions (cells, padding too) of the two sides, and the bytes that so many elements take. */
uint64_t tsr_relayout_to_npos(const tsr_relayout *relayout);
uint64_t tsr_relayout_from_npos(const tsr_relayout *relayout);
uint64_t tsr_relayout_nbytes(const tsr_relayout *relayout, uint64_t npos);
/* Whether the digits refine each other: else every element goes through both maps. */
bool tsr_relayout_is_strided(const tsr_relayout *relayout);

/* Copy all elements bitwise, and put `fill` (one element, of less than a byte in its low bits; NULL: zeros)
 * into every cell of `to` that is padding; padding of `from` is not read. `to` and `from` are aligned as
 * malloc does and do not overlap. to_is_filled: the cells of `to` all are `fill` already. The result does not
 * depend on nthreads (0: all). TSR_NOMEM. */
tsr_status tsr_relayout_run(const tsr_relayout *relayout, void *to, const void *from, const void *fill,
                            bool to_is_filled, int nthreads, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
