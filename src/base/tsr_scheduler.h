/* What a batch system gives this process. Slurm says it in environment variables (sbatch(1), srun(1), "OUTPUT ENVIRONMENT VARIABLES");
 * they count only inside a job (SLURM_JOB_ID), and numbers that are not valid count as absent. */
#ifndef TSR_SCHEDULER_H
#define TSR_SCHEDULER_H

#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

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
