/* What Tessera assumes of the machine: all numbers that depend on it, in one table (tuning.c), each from the size of a cache,
 * from a measurement of `tbench calibrate`, which keeps the numbers as a text, or from a default. The numbers do not change
 * what is computed. Kernels take all of them, conversions those that follow from caches. */
#ifndef TSR_TUNING_H
#define TSR_TUNING_H

#include <stdint.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: the defaults. */
typedef struct tsr_tuning {
    /* where a kernel jumps among rows that have more bytes than this together, rows are prefetched */
    uint64_t prefetch_nbytes;
    /* cache lines that are fetched at the same time, in [1, TSR_MAX_PREFETCH_LINES] */
    uint64_t prefetch_lines;
    /* cache lines that are fetched at the same time, at most, where the rows have at most cached_nbytes together: they come
     * from caches, and more lines would leave the first cache before they are used */
    uint64_t cached_lines, cached_nbytes;
    /* elements of private copies that are cleared and added up in the time that one atomic addition takes longer than a
     * plain one */
    uint64_t atomic_cost;
    /* how many times longer an element of a copy takes whose pages the system provides anew */
    uint64_t page_cost;
    /* copies of more bytes than this get new pages in each run */
    uint64_t copies_nbytes;
    /* bytes of the entries of a bucket that is put into order at a time: of a matrix, of any tensor by keys */
    uint64_t bucket_nbytes, sort_nbytes;
    /* entries are scattered without buckets to at most this many bytes */
    uint64_t near_nbytes;
    /* What the advisor takes of the parts of a kernel (src/advise/costs.def), in picoseconds on one core: a line of memory that is
     * streamed, by one core and by all together; a slot, a row, a line of a dense row; a line that the first, the second, the last
     * cache misses; a scattered update; an addition in memory to what was added to before; a line of a private copy;
     * a row that is longer or shorter than the row before; a line that is streamed from the last cache; a pair of entries of two sparse tensors that meet. 0: not measured. */
    uint64_t stream_ps, stream_all_ps, entry_ps, fiber_ps, vector_ps, second_ps, third_ps, memory_ps,
        update_ps, chain_ps, copy_ps, break_ps, near_ps, product_ps;
    uint64_t cache_nbytes[3]; /* bytes of the caches for the advisor; 0: as the system reports them */
} tsr_tuning;

enum { TSR_MAX_PREFETCH_LINES = 4096 };

/* Append the text: for each number a comment that says where the number comes from, and a line "NAME: NUMBER"; 0 is written
 * as the default. */
void tsr_tuning_print(tsr_text *text, const tsr_tuning *tuning);
/* Read such a text. Lines that begin with '#' and empty lines are skipped; numbers that are not named keep their
 * defaults. TSR_SYNTAX with err->line: an unknown name, or a number outside its range. */
tsr_status tsr_tuning_parse(tsr_tuning *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The tuning with all defaults filled in. The defaults are the same on every machine. */
tsr_tuning tsr_tuning_complete(const tsr_tuning *tuning);
/* The tuning of this machine without measurements: numbers that follow from its caches, and the defaults. */
tsr_tuning tsr_tuning_of_machine(void);
/* The same for a first cache of first_nbytes and a second one of second_nbytes bytes; 0: unknown. */
tsr_tuning tsr_tuning_of_caches(uint64_t first_nbytes, uint64_t second_nbytes);

#ifdef __cplusplus
}
#endif
#endif
