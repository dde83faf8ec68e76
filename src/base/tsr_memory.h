/* How much memory this process may still take, and refusals in words before it is taken.
 *
 * What may be taken is the least of
 *   - what the machine has free: MemAvailable and the free swap (not all of its memory: what others hold
 *     cannot be had),
 *   - what is left of the limits of the process's control groups, of version 1 and 2, its own and all above
 *     it; the files' pages that a group holds count as free, since the system drops them before it ends a
 *     process,
 *   - what is left of RLIMIT_AS (ulimit -v) and of RLIMIT_DATA (ulimit -d).
 * A block that was allocated and not yet written to counts as taken (tsr_alloc.h tells of blocks of 64 kB and
 * more). Systems without /proc: the machine's physical memory.
 *
 * Everything large is checked twice: by an estimate, which sums up what a step will hold and names it
 * (tsr_memory_check), and by the allocators, which refuse a block of TSR_MEMORY_LARGE_NBYTES that does not
 * fit. */
#ifndef TSR_MEMORY_H
#define TSR_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From here on a block is worth looking up what is left, which takes some 0.1 ms. */
#define TSR_MEMORY_LARGE_NBYTES (UINT64_C(16) << 20)

typedef struct tsr_memory_room {
    uint64_t nbytes;       /* what may still be taken; UINT64_MAX: the system does not tell */
    uint64_t limit_nbytes; /* the limit of which this is left */
    const char *limit;     /* what sets it, as "this machine has": static */
} tsr_memory_room;

/* What may be taken now, by the tightest limit. */
void tsr_memory_find_room(tsr_memory_room *room);

/* The same where the files of the system (/proc, /sys/fs/cgroup) stand in the folder `root`: for tests. In a
 * build with TSR_FAULTS the environment's TSR_MEMORY_ROOT sets the root for tsr_memory_find_room, too. */
void tsr_memory_find_room_below(tsr_memory_room *room, const char *root);

/* Whether nbytes more may be taken; a double: sizes are checked before they are known to fit 64 bits. Less
 * than 1 MiB always may: the allocator tells when it has not even that. */
bool tsr_memory_fits(double nbytes);

/* TSR_LIMIT when nbytes do not fit: "WHAT needs 25.6 TB, more than the 16.4 GB that this machine has", or
 * "... more than the 88.0 MB left of the 500 MB that the control group allows". */
tsr_status tsr_memory_check(double nbytes, const char *what, tsr_error *err) TSR_NODISCARD;

/* Append "25.6 TB, more than the 16.4 GB that this machine has" for a size that does not fit: what
 * tsr_memory_check says after "needs". buf: at least TSR_MEMORY_WORDS_NBYTES; returns buf. */
enum { TSR_MEMORY_WORDS_NBYTES = 256 };
const char *tsr_memory_words(char *buf, double nbytes);

#ifdef __cplusplus
}
#endif
#endif
