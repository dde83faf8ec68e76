/* Properties of this machine: memory, caches, bandwidth, and a clock. */
#ifndef TSR_MACHINE_H
#define TSR_MACHINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds of a clock that never goes backward. */
uint64_t tsr_now_ns(void);

/* Bytes of physical memory; UINT64_MAX when the system does not report it. */
uint64_t tsr_memory_nbytes(void);

/* Bytes of the data cache of level 1, 2, 3 or 4 of the first processor: the part that one core may fill,
 * which sysconf does not report everywhere. 0: there is no such cache, or the system does not report it. */
uint64_t tsr_cache_nbytes(int level);
/* Bytes of the largest data cache. */
uint64_t tsr_last_cache_nbytes(void);

/* The bandwidth of memory in bytes per second, measured now: the best of several triads a[i] = b[i] + s *
 * c[i] (24 bytes per element, as STREAM counts) on nthreads threads (0: all) over three arrays of doubles,
 * each at least 32 MiB and twice the last cache. Takes about 100 ms. 0 when the arrays cannot be
 * allocated. */
double tsr_measure_bandwidth(int nthreads);

#ifdef __cplusplus
}
#endif
#endif
