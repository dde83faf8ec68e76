/* How well a matrix fills the blocks of blocked formats: decides which of these formats are worth
 * measuring. */
#ifndef BENCH_FILL_H
#define BENCH_FILL_H

#include "tsr_coo.h"

/* Bytes per entry, with 4 bytes per index, that the format would store: all cells of each block that has an
 * entry, and the index of the block. Counted on evenly spread bands of rows with about a million entries.
 * INFINITY: more than `limit`, or not enough memory to count. coo: two modes. */
double bench_fill_bdia(const tsr_coo *coo, uint64_t nrows, double limit);
double bench_fill_bcsr(const tsr_coo *coo, uint64_t size, double limit);

#endif
