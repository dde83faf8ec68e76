/* What this machine is like: memory, caches, bandwidth, a clock. */
#ifndef TSR_MACHINE_H
#define TSR_MACHINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds on a clock that only goes forward. */
uint64_t tsr_now_ns(void);

/* Bytes of physical memory; UINT64_MAX when the system does not tell. */
uint64_t tsr_memory_nbytes(void);

/* Bytes of the data cache of that level (1, 2, 3, 4) of the first processor: what one core may fill, which
 * sysconf does not tell everywhere. 0: there is none, or the system does not tell. */
uint64_t tsr_cache_nbytes(int level);
/* Of the largest. */
uint64_t tsr_last_cache_nbytes(void);

/* The bandwidth of memory in bytes a second, measured now: the best of several triads a[i] = b[i] + s * c[i]
 * (24 bytes an element, as STREAM counts) on nthreads threads (0: all) over three arrays of doubles, each at
 * least twice the last cache and 32 MiB. Takes some 100 ms. 0 when there is no memory for it. */
double tsr_measure_bandwidth(int nthreads);

#ifdef __cplusplus
}
#endif
#endif
