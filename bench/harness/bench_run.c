/* Running candidates: see bench_run.h. */
#include "bench_run.h"

#include <string.h>

#include "bench_clock.h"

/* One run of a candidate: prepared, then timed. */
static tsr_status run_once(bench_candidate *c, double *ns, tsr_error *err)
{
    if (c->prepare)
        TSR_TRY(c->prepare(c->ctx, err));
    const uint64_t start = bench_now_ns();
    TSR_TRY(c->run(c->ctx, err));
    *ns = (double)(bench_now_ns() - start);
    return TSR_OK;
}

static tsr_status first_round(bench_candidate *c, tsr_error *err)
{
    const uint64_t before = bench_resident_nbytes();
    if (c->prepare)
        TSR_TRY(c->prepare(c->ctx, err));
    const int can = bench_reset_peak();
    TSR_TRY(c->run(c->ctx, err));
    const uint64_t peak = bench_peak_nbytes();
    c->peak_nbytes = can && peak > before ? peak - before : 0;
    return c->check ? c->check(c->ctx, err) : TSR_OK;
}

tsr_status bench_run(bench_candidate *candidates, int n, const bench_run_options *options, tsr_error *err)
{
    const int reps = options->reps > BENCH_MAX_REPS ? BENCH_MAX_REPS : options->reps > 0 ? options->reps : 5;
    int done = 0;
    for (int i = 0; i < n; i++)
        TSR_TRY(first_round(&candidates[i], err));
    const uint64_t start = bench_now_ns();
    while (done < reps) {
        for (int i = 0; i < n; i++) {
            if (options->progress)
                options->progress(candidates[i].name, done + 1, reps);
            TSR_TRY(run_once(&candidates[i], &candidates[i].samples_ns[done], err));
        }
        done++;
        if (options->time_limit_s > 0 && (double)(bench_now_ns() - start) > options->time_limit_s * 1e9)
            break;
    }
    for (int i = 0; i < n; i++) {
        double sorted[BENCH_MAX_REPS];
        memcpy(sorted, candidates[i].samples_ns, (size_t)done * sizeof *sorted);
        candidates[i].ns = bench_stats_of(sorted, (size_t)done);
    }
    return TSR_OK;
}
