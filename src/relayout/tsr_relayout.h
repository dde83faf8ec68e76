/* Relayout: copy a dense tensor from one layout to another, in blocks and on all threads.
 *
 * A layout is a binding whose levels are all dense: the position of an element is ((c0 * pitch1 + c1) *
 * pitch2 + c2)..., where c0, c1, ... are the storage coordinates of the element. The plan splits the
 * coordinate of each mode into digits so that both positions are linear in the digits; the radices are 1, r1,
 * r2, ..., and each divides the next. Then the relayout is a strided copy of one box of digits, and of a few
 * more boxes where a radix does not divide a dim. Inside a box, tiles that are a few cache lines long in both
 * layouts go through a buffer. There the digits with stride 1 in one of the layouts are transposed. The
 * buffer is written to the result in whole lines while the lines of the next tile are fetched. If there are
 * no such digits (blocks of 3 to blocks of 4), or a position is not a sum of digits with positive factors,
 * each element is sent through both maps, which is slow.
 *
 * Elements of 1, 2 and 4 bits are packed: element k of a byte has the bits from k * nbits on, counted from
 * the low end (as in XLA's E(1), E(2), E(4)). */
#ifndef TSR_RELAYOUT_H
#define TSR_RELAYOUT_H

#include "tsr_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_dense_layout {
    const tsr_binding *binding; /* all levels dense; borrowed */
    /* nlevels elements, each at least the size of the level; NULL: the pitches of the binding */
    const uint64_t *pitch;
} tsr_dense_layout;

typedef struct tsr_relayout tsr_relayout;

/* Plan a relayout of elements of nbits: 1, 2, 4, 8, 16, 32, 64 or 128. The bindings must outlive the plan.
 * Free it with tsr_relayout_free. TSR_ARGUMENT when the dims differ, a level is not dense, a pitch is less
 * than the size of the level, or nbits is another number; TSR_LIMIT when a layout has 2^63 bits or more;
 * TSR_NOMEM. */
tsr_status tsr_relayout_new(tsr_relayout **out, const tsr_dense_layout *to, const tsr_dense_layout *from,
                            int nbits, tsr_error *err) TSR_NODISCARD;
void tsr_relayout_free(tsr_relayout *relayout);
/* The number of positions, with padding, of the two layouts; and the bytes of npos elements. */
uint64_t tsr_relayout_to_npos(const tsr_relayout *relayout);
uint64_t tsr_relayout_from_npos(const tsr_relayout *relayout);
uint64_t tsr_relayout_nbytes(const tsr_relayout *relayout, uint64_t npos);

typedef struct tsr_relayout_copy {
    void *to;
    const void *from, *fill;
    bool to_is_filled;
} tsr_relayout_copy;
/* Copy all elements from `from` to `to`, and write `fill` to all padding of `to`. The padding of `from` is
 * not read. `to` and `from` have tsr_relayout_nbytes of their positions, are aligned as by malloc, and do not
 * overlap. `fill` is one element, in the low bits if it is less than a byte; NULL: zeros. to_is_filled: the
 * caller has filled all of `to` with `fill`. The result does not depend on nthreads (0: all). TSR_NOMEM. */
tsr_status tsr_relayout_run(const tsr_relayout *relayout, const tsr_relayout_copy *copy, int nthreads,
                            tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
