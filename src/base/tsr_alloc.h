/* Memory: every allocation of the library goes through this file, so that tests can make the n-th allocation
 * fail and count the blocks that are not freed. Memory from here is freed with tsr_free (never free). */
#ifndef TSR_ALLOC_H
#define TSR_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The same as malloc, calloc, realloc, free, except that a request of 0 bytes gives a block of 1 byte, so
 * that NULL always means failure. The system zeroes large blocks only when they are touched, and grows them
 * without a copy where mremap exists. A block of 4096 bytes or more from tsr_malloc begins on a cache line
 * (64 bytes). */
void *tsr_malloc(size_t nbytes) TSR_NODISCARD;
void *tsr_calloc(size_t n, size_t size) TSR_NODISCARD;
void *tsr_realloc(void *block, size_t nbytes) TSR_NODISCARD;
void tsr_free(void *block);
/* Take over a block that another module (a compiled kernel) got from malloc; from now on tsr_free frees
 * it. */
void tsr_alloc_adopt(void *block);
/* The same for a block of which only the first nbytes were written. It gets shorter, unless it would be kept when it is freed: then
 * the rest, which takes no memory, stays for the next owner. */
void tsr_alloc_adopt_part(void **block, uint64_t nbytes);
/* The opposite: another module takes over the block, and frees it with free. Returns the bytes that the block has room for; 0: not
 * known. */
uint64_t tsr_alloc_give(void *block);
/* Memory that another module is about to take counts as taken from now on (tsr_memory.h), until the same
 * number of bytes is released. */
void tsr_alloc_hold(uint64_t nbytes);
void tsr_alloc_release(uint64_t nbytes);
/* Large blocks that are freed from now on are kept for later requests of about their size; false: not any more, and those that are kept are
 * freed. For work that takes and frees blocks of the same sizes again and again. Calls may be nested, also by several threads. */
void tsr_alloc_keep(bool keep);
/* The same up to tsr_alloc_set_recycled bytes in all (at the start TSR_RECYCLED_NBYTES): for results that are made and freed again and
 * again. Less frees what is too much. The system may take back the pages of kept blocks when it needs them. */
#define TSR_RECYCLED_NBYTES (UINT64_C(256) << 20)
void tsr_alloc_recycle(bool keep);
void tsr_alloc_set_recycled(uint64_t nbytes);
/* A kept block for another module, which frees it with free or hands it back (tsr_alloc_adopt): the smallest one with room for
 * `wish` bytes. NULL: none has room for `wish` to one and a half times as many bytes. *nbytes: the room. */
void *tsr_alloc_take(uint64_t *nbytes, uint64_t wish);
char *tsr_strdup(const char *s) TSR_NODISCARD;

/* Allocate n * size bytes (checked), zeroed if `zero`. On failure *out is NULL, and the error names `what`
 * and the size: TSR_NOMEM. */
tsr_status tsr_alloc_array(void **out, uint64_t n, size_t size, int zero, const char *what,
                           tsr_error *err) TSR_NODISCARD;

/* Make *block, or NULL, n * size bytes (checked); the bytes at the beginning stay. On failure *block is as before: TSR_NOMEM. */
tsr_status tsr_realloc_array(void **block, uint64_t n, size_t size, const char *what,
                             tsr_error *err) TSR_NODISCARD;

/* "25.6 TB", "820 MB", "17 bytes" (powers of 1000, three digits) into buf of at least 32 bytes; returns buf.
 */
char *tsr_bytes_text(char *buf, uint64_t nbytes);
/* The same for a count too large for 64 bits, given as a double. */
char *tsr_bytes_text_f(char *buf, double nbytes);

/* Test hooks, which do nothing unless the library is built with -DTSR_FAULTS (presets dev and asan). The n-th
 * allocation from now (0 = the next one) and all later allocations fail; n < 0 ends that. */
void tsr_alloc_fail_at(int64_t n);
/* The number of blocks that are allocated and not yet freed; -1 when not built with TSR_FAULTS. */
int64_t tsr_alloc_live(void);
/* The most bytes in blocks of 64 kB or more that were allocated at the same time since the last call; 0 when not built
 * with TSR_FAULTS. */
uint64_t tsr_alloc_peak(void);
/* Whether an allocation has failed on request since the last tsr_alloc_fail_at. */
int tsr_alloc_failed(void);

#ifdef __cplusplus
}
#endif
#endif
