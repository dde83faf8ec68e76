/* The baselines that the user asks for: --baseline=NAME[=PATH]. */
#ifndef BENCH_CHOSEN_H
#define BENCH_CHOSEN_H

#include "bench_baseline.h"

enum { BENCH_MAX_BASELINES = 16 };

/* A baseline that the user asked for. */
typedef struct bench_chosen_baseline {
    const bench_baseline *baseline;
    const char *path; /* path of its program, or NULL */
} bench_chosen_baseline;

typedef struct bench_chosen {
    int n;
    bench_chosen_baseline chosen[BENCH_MAX_BASELINES];
} bench_chosen;

/* Add a baseline, or set its path. TSR_LIMIT. */
tsr_status bench_chosen_add(bench_chosen *baselines, const bench_baseline *baseline, const char *path,
                            tsr_error *err) TSR_NODISCARD;
/* Add the baseline of the text NAME or NAME=PATH. TSR_ARGUMENT, TSR_LIMIT. */
tsr_status bench_chosen_parse(bench_chosen *baselines, const char *text, tsr_error *err) TSR_NODISCARD;
/* The row of the baseline, or NULL. */
const bench_chosen_baseline *bench_chosen_find(const bench_chosen *baselines, const bench_baseline *baseline);

#endif
