/* Time and memory use of this process. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>

/* Monotonic time in nanoseconds. */
uint64_t bench_now_ns(void);
/* The mean number of threads of the system that ran or waited to run during the last minute; -1: unknown. */
double bench_load(void);
/* Nanoseconds that the threads of this process, all together, were ready to run and had no processor because
 * others had it (Linux); 0 when unknown. Two calls tell what happened between them. In a build with TSR_FAULTS the
 * environment's TSR_BENCH_WAITS can be "all" (they wait all the time) or "none". */
uint64_t bench_waited_ns(void);
/* Reset the peak resident size, where the system can do that (Linux); 0 where it cannot. */
int bench_reset_peak(void);
/* Peak resident bytes since the last reset (or since the start); 0 when unknown. */
uint64_t bench_peak_nbytes(void);
/* Resident bytes now; 0 when unknown. */
uint64_t bench_resident_nbytes(void);

#endif
