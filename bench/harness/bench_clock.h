/* Time and memory of this process. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>

/* Monotonic time in nanoseconds. */
uint64_t bench_now_ns(void);
/* How many threads of the system ran or waited to run, as a mean over the last minute; -1: not known. */
double bench_load(void);
/* Nanoseconds that the threads of this process, all together, were ready to run and had no processor because
 * others had it (Linux); 0 when unknown. Two calls tell what happened between them. In a build with TSR_FAULTS the
 * environment's TSR_BENCH_WAITS can be "all" (they wait all the time) or "none". */
uint64_t bench_waited_ns(void);
/* Forget the peak resident size seen so far, where the system can (Linux); 0 when it cannot. */
int bench_reset_peak(void);
/* Peak resident bytes since the last reset (or since the start); 0 when unknown. */
uint64_t bench_peak_nbytes(void);
/* Resident bytes now; 0 when unknown. */
uint64_t bench_resident_nbytes(void);

#endif
