/* What Slurm gives this process: see tsr_machine.h. */
#include "tsr_machine.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* Read a number of at most `most` from *text and step over it. */
static bool read_number(uint64_t *out, const char **text, uint64_t most)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *out = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0 && *out <= most;
}

static bool variable(uint64_t *out, const char *name, uint64_t most)
{
    const char *text = getenv("SLURM_JOB_ID") ? getenv(name) : NULL;
    return text && read_number(out, &text, most) && *text == '\0';
}

/* ---- shares of the work ---- */

/* Task ID of MIN, MIN + STEP, ...: COUNT of them. */
static bool find_array(uint64_t *at, uint64_t *n, uint64_t most)
{
    uint64_t id, min, step;
    if (!variable(&id, "SLURM_ARRAY_TASK_ID", INT32_MAX) || !variable(&min, "SLURM_ARRAY_TASK_MIN", id) ||
        !variable(n, "SLURM_ARRAY_TASK_COUNT", most))
        return false;
    if (!variable(&step, "SLURM_ARRAY_TASK_STEP", INT32_MAX) || step == 0)
        step = 1;
    *at = (id - min) / step;
    return (id - min) % step == 0 && *at < *n;
}

static bool find_step(uint64_t *at, uint64_t *n, uint64_t most)
{
    uint64_t step;
    return variable(&step, "SLURM_STEP_ID", UINT32_MAX) && variable(n, "SLURM_STEP_NUM_TASKS", most) &&
           variable(at, "SLURM_PROCID", most) && *at < *n;
}

tsr_status tsr_scheduler_part(int *part, int *nparts, int most, tsr_error *err)
{
    uint64_t outer, nouter, inner, ninner;
    const bool in_array = find_array(&outer, &nouter, (uint64_t)most);
    const bool in_step = find_step(&inner, &ninner, (uint64_t)most);
    if (!in_array && !in_step)
        return tsr_fail(err, TSR_ARGUMENT,
                        "this process is no task of a Slurm array (sbatch --array=0-63) and of no step (srun "
                        "--ntasks=64), each of at most %d tasks",
                        most);
    if (!in_array)
        outer = 0, nouter = 1;
    if (!in_step)
        inner = 0, ninner = 1;
    if (nouter * ninner > (uint64_t)most)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the tasks of the array and of the step are %llu together, more than %d",
                        (unsigned long long)(nouter * ninner), most);
    *part = (int)(outer * ninner + inner);
    *nparts = (int)(nouter * ninner);
    return TSR_OK;
}

/* ---- processors and memory ---- */

int tsr_scheduler_threads(void)
{
    uint64_t n;
    return variable(&n, "SLURM_CPUS_PER_TASK", INT32_MAX) ? (int)n : 0;
}

/* The element of this node in a list such as "2(x3),1": two tasks on each of three nodes, one on the next. 1: not said. */
static uint64_t tasks_of_node(void)
{
    uint64_t node = 0, n, repeats;
    const char *at = getenv("SLURM_STEP_TASKS_PER_NODE");
    (void)variable(&node, "SLURM_NODEID", UINT32_MAX);
    while (at && read_number(&n, &at, INT32_MAX)) {
        repeats = 1;
        if (at[0] == '(' && at[1] == 'x') {
            at += 2;
            if (!read_number(&repeats, &at, UINT32_MAX) || *at++ != ')')
                break;
        }
        if (node < repeats)
            return n > 0 ? n : 1;
        node -= repeats;
        if (*at++ != ',')
            break;
    }
    return 1;
}

uint64_t tsr_scheduler_memory(void)
{
    enum { MOST_MB = INT32_MAX };
    uint64_t mb, cpus = 1;
    if (variable(&mb, "SLURM_MEM_PER_CPU", MOST_MB) && mb > 0) {
        if (!variable(&cpus, "SLURM_CPUS_PER_TASK", INT32_MAX >> 8) || cpus == 0)
            cpus = 1;
        return (mb << 20) * cpus;
    }
    if (variable(&mb, "SLURM_MEM_PER_NODE", MOST_MB) && mb > 0)
        return (mb << 20) / tasks_of_node();
    return UINT64_MAX;
}
