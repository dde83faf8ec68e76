/* The stored entries of a packed tensor by number: entry e is the e-th in storage order. tsr_cells.h walks over all
 * entries once; a reader gives any block of them, as often as needed. */
#ifndef TSR_CELL_READER_H
#define TSR_CELL_READER_H

#include "tsr_cells.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_cell_reader tsr_cell_reader;

/* The tensor is borrowed, must pass tsr_tensor_check, and must not change. nthreads: the number of threads that
 * will load, at least 1. Cost: one pass over the values where the last level is full, else constant. Memory: 8
 * bytes for each 1024 positions where the last level is full, and blocks of the threads. TSR_CORRUPT: wrong number
 * of values. TSR_NOMEM. */
tsr_status tsr_cell_reader_new(tsr_cell_reader **out, const tsr_tensor *tensor, int nthreads,
                               tsr_error *err) TSR_NODISCARD;
void tsr_cell_reader_free(tsr_cell_reader *reader);
/* The number of entries. */
uint64_t tsr_cell_reader_nentries(const tsr_cell_reader *reader);
/* Load entries [first, first + n), 1 <= n <= TSR_LEVEL_BLOCK, with the buffers of thread t. The block is valid
 * until thread t loads another one. TSR_CORRUPT: padding holds a value. */
tsr_status tsr_cell_reader_load(tsr_cell_block *block, tsr_cell_reader *reader, int t, uint64_t first,
                                size_t n, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
