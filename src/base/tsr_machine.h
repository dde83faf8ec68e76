/* Properties of this machine: memory, caches, bandwidth, and a clock; and what a batch system gives this process. */
#ifndef TSR_MACHINE_H
#define TSR_MACHINE_H

#include <stdint.h>

#include "tsr_error.h"

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

/* What a batch system gives this process (scheduler.c). Slurm says it in environment variables (sbatch(1), srun(1), "OUTPUT ENVIRONMENT
 * VARIABLES"); they count only inside a job (SLURM_JOB_ID), and numbers that are not valid count as absent. */

/* This process does part *part (from 0) of *nparts of the work of its job: the task of an array (sbatch --array=0-63, in steps of any
 * size), the rank of a step (srun --ntasks=4), or, where there are both, that rank in the part of the array's task. TSR_ARGUMENT,
 * in words, outside of both, and where nparts exceeds `most`. */
tsr_status tsr_scheduler_part(int *part, int *nparts, int most, tsr_error *err) TSR_NODISCARD;

/* The processors of this process: --cpus-per-task. 0: not said. */
int tsr_scheduler_threads(void);

/* The bytes of this process: --mem-per-cpu times its processors, or --mem divided by the step's tasks on this node. UINT64_MAX: not
 * said, or all of the node's. */
uint64_t tsr_scheduler_memory(void);

#ifdef __cplusplus
}
#endif
#endif
