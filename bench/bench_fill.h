/* How well a matrix fills the blocks of blocked formats, and slices of rows: decides which of these formats are
 * worth measuring. */
#ifndef BENCH_FILL_H
#define BENCH_FILL_H

#include "tsr_coo.h"

/* Bytes per entry, with 4 bytes per index, that the format would store: all cells of each block that has an
 * entry, and the index of the block. Counted on evenly spread bands of rows with about a million entries.
 * INFINITY: more than `limit`, or not enough memory to count. coo: two modes. */
double bench_fill_bdia(const tsr_coo *coo, uint64_t nrows, double limit);
double bench_fill_bcsr(const tsr_coo *coo, uint64_t size, double limit);

/* Slots per entry of sell(c,sigma) whose rows are the coordinates of a mode: 1 if nothing is padding. The last slice is
 * counted as a whole one. c divides sigma. INFINITY: not enough memory to count, or a row has 2^32 entries. */
double bench_fill_sell(const tsr_coo *coo, int mode, uint64_t c, uint64_t sigma);

/* Entries of each fiber of a strip of tcsf(width) with the modes in this order (coo->order of them), on average, counted on fibers
 * with about a million entries; 0: there are no entries, or not enough memory to count. */
double bench_fill_tcsf(const tsr_coo *coo, const int *modes, uint64_t width);

#endif
