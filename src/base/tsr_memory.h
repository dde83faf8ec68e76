/* How much more memory this process may take, and errors that say so before the memory is taken.
 *
 * The process may take the least of
 *   - what the machine has free: MemAvailable and the free swap (not all of its memory, since other processes
 *     hold a part of it),
 *   - what is left of the limits of the control groups of the process, version 1 and 2, of its own group and
 *     of all groups above it; file pages that a group holds count as free, since the system drops them before
 *     it ends a process,
 *   - what is left of the limit of tsr_memory_set_limit,
 *   - what is left of the memory of a task of a batch job (tsr_machine.h),
 *   - what is left of RLIMIT_AS (ulimit -v) and of RLIMIT_DATA (ulimit -d).
 * A block that was allocated and not yet written counts as taken (tsr_alloc.h knows the blocks of 64 kB and
 * more). Where the system does not report it, the limit is the physical memory of the machine.
 *
 * Large memory is checked twice: by an estimate, which adds up what a step will hold and names the step
 * (tsr_memory_check), and by the allocators, which refuse a block of TSR_MEMORY_LARGE_NBYTES or more that
 * does not fit. */
#ifndef TSR_MEMORY_H
#define TSR_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The allocators look up the free memory for blocks of this size or more: the lookup takes about 0.1 ms. Where
 * tsr_memory_set_limit was called, they look it up for smaller blocks, too, so that many small blocks together keep the
 * limit. */
#define TSR_MEMORY_LARGE_NBYTES (UINT64_C(16) << 20)
#define TSR_MEMORY_LIMITED_NBYTES (UINT64_C(256) << 10)
uint64_t tsr_memory_checked_nbytes(void);

typedef struct tsr_memory_room {
    uint64_t nbytes;       /* what may still be taken; UINT64_MAX: the system does not report it */
    uint64_t limit_nbytes; /* the limit that leaves the least */
    const char *limit;     /* who sets that limit: "this machine has"; static */
} tsr_memory_room;

/* Limit the resident memory of this process, that of its libraries too; UINT64_MAX: no limit, as at the start. */
void tsr_memory_set_limit(uint64_t nbytes);
uint64_t tsr_memory_limit(void);
/* The resident memory of this process, without blocks that are kept for later (tsr_alloc_recycle); 0: unknown. */
uint64_t tsr_memory_resident(void);

/* Find what may be taken now, by the tightest limit. */
void tsr_memory_find_room(tsr_memory_room *room);

/* The same with the system's files (tsr_system_path) in the folder `root`: for tests. In a build with
 * TSR_FAULTS the environment variable TSR_MEMORY_ROOT sets the root of tsr_memory_find_room, too. */
void tsr_memory_find_room_below(tsr_memory_room *room, const char *root);

/* Whether nbytes more may be taken. nbytes is a double, since sizes are checked before they are known to fit
 * 64 bits. Always true for less than 1 MiB (TSR_MEMORY_LIMITED_NBYTES with a limit): the allocator reports it if even that
 * fails. */
bool tsr_memory_fits(double nbytes);

/* TSR_LIMIT when nbytes do not fit: "WHAT needs 25.6 TB, more than the 16.4 GB that this machine has", or
 * "... more than the 88.0 MB left of the 500 MB that the control group allows". */
tsr_status tsr_memory_check(double nbytes, const char *what, tsr_error *err) TSR_NODISCARD;

/* Append "25.6 TB, more than the 16.4 GB that this machine has" for a size that does not fit: the part of the
 * error of tsr_memory_check after "needs". buf has at least TSR_MEMORY_WORDS_NBYTES bytes; returns buf. */
enum { TSR_MEMORY_WORDS_NBYTES = 256 };
const char *tsr_memory_words(char *buf, double nbytes);

#ifdef __cplusplus
}
#endif
#endif
