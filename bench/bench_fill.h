/* How far a matrix fills the blocks of blocked formats: which of these are worth comparing. */
#ifndef BENCH_FILL_H
#define BENCH_FILL_H

#include "tsr_coo.h"

/* Bytes an entry, with 4 for an index, of what the format would store: every cell of each block that has an
 * entry, and the block's index. Counted on evenly spread bands of rows with some million entries. INFINITY:
 * not worth it, since more than `limit`; also where there is no memory to count. coo: two modes. */
double bench_fill_bdia(const tsr_coo *coo, uint64_t nrows, double limit);
double bench_fill_bcsr(const tsr_coo *coo, uint64_t size, double limit);

#endif
