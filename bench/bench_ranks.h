/* tbench KERNEL FILE --ranks: SpMV, MTTKRP and similar products over the ranks of an MPI run. */
#ifndef BENCH_RANKS_H
#define BENCH_RANKS_H

#include "bench_case.h"
#include "bench_options.h"

typedef struct bench_ranks_settings {
    const bench_settings *how; /* how->reps: the number of products */
    const bench_kernel *kernel;
    const char *formats, *schedule;
    const uint64_t *modes, *columns; /* of --modes and --rank */
    int nmodes, ncolumns;            /* nmodes 0: all */
    const tsr_cli_tool *tool;
} bench_ranks_settings;

/* Measure the kernel on each tensor. Returns the exit code. */
int bench_over_ranks(const bench_ranks_settings *settings, const tsr_cli_operands *operands);

#endif
