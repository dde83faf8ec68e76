/* Runs candidates: see bench_run.h. */
#include "bench_run.h"

#include <math.h>
#include <string.h>

#include "bench_cache.h"
#include "bench_clock.h"
#include "bench_pin.h"
#include "tsr_alloc.h"

enum {
    MAX_RETRIES = 4, /* for a sample that was too short */
    DECIDE_LEAST = 3 /* rounds without which no comparison can be decided */
};

typedef struct bench_runner {
    bench_candidate *candidates;
    int n, reps;
    const bench_run_options *options;
    double min_sample_ns, max_apart;
    uint64_t (*waited_ns)(void);
    bench_cpus cpus;
    bench_cache *cache; /* NULL: measure hot runs */
    bool repeat_disturbed[BENCH_MAX_REPS];
    double repeat_ns[BENCH_MAX_REPS]; /* the second sample of the reference in each round */
} bench_runner;

/* ---- one sample ---- */

/* A run that lasts this long fills the caches itself, whatever ran before it. */
#define WARM_NS 2e7
/* A sample is disturbed if its threads waited for a processor for more than this part of its time. */
#define MAX_WAITED 0.02
/* A disturbed sample is taken again for at most this long, including waiting. */
#define RETAKE_NS 1e8

typedef struct one_sample {
    double ns;     /* time of all its loops */
    double waited; /* part of that time spent waiting for a processor; 0 if unknown */
} one_sample;

/* Hot means: after an untimed run of the same candidate. */
static tsr_status warm(const bench_runner *r, bench_candidate *c, tsr_error *err)
{
    if (c->external || r->cache || c->least_ns >= WARM_NS)
        return TSR_OK;
    if (c->prepare)
        TSR_TRY(c->prepare(c->ctx, err));
    return c->run(c->ctx, err);
}

/* Make `nloops` runs, each prepared, and measure their time. If nothing comes between the runs, they are
 * timed together. */
static tsr_status time_runs(const bench_runner *r, bench_candidate *c, double *ns, tsr_error *err)
{
    *ns = 0;
    if (c->prepare || c->said_ns || r->cache) {
        for (uint64_t i = 0; i < c->nloops; i++) {
            if (c->prepare)
                TSR_TRY(c->prepare(c->ctx, err));
            bench_cache_flush(r->cache);
            if (c->external && r->cache)
                bench_settle();
            const uint64_t start = bench_now_ns();
            TSR_TRY(c->run(c->ctx, err));
            const double clock = (double)(bench_now_ns() - start);
            *ns += c->said_ns ? c->said_ns(c->ctx) : clock;
        }
        return TSR_OK;
    }
    const uint64_t start = bench_now_ns();
    for (uint64_t i = 0; i < c->nloops; i++)
        TSR_TRY(c->run(c->ctx, err));
    *ns = (double)(bench_now_ns() - start);
    return TSR_OK;
}

/* Measure c->nloops runs: on pinned threads, or in another process while the threads of this process
 * sleep. */
static tsr_status sample(const bench_runner *r, bench_candidate *c, one_sample *s, tsr_error *err)
{
    uint64_t waited = 0;
    if (c->overwrite)
        c->overwrite(c->ctx);
    if (c->external && !r->options->quick)
        bench_settle();
    else if (!c->external)
        bench_pin(&r->cpus, c->nthreads);
    tsr_status status = warm(r, c, err);
    if (status == TSR_OK) {
        waited = r->waited_ns();
        status = time_runs(r, c, &s->ns, err);
        waited = r->waited_ns() - waited;
    }
    if (c->external && !r->options->quick)
        bench_settle_others();
    else if (!c->external)
        bench_unpin(&r->cpus);
    s->waited = s->ns > 0 ? (double)waited / s->ns : 0;
    c->least_ns = fmin(c->least_ns, s->ns / (double)c->nloops);
    return status;
}

/* The next number of loops, after nloops of them took ns: as many as should be enough, at least twice as
 * many. */
static uint64_t more_loops(const bench_runner *r, const bench_candidate *c, double ns)
{
    /* walking the caches takes milliseconds; another process repeats its work itself */
    const double limit = c->external ? 1 : r->cache ? 64 : BENCH_MAX_LOOPS;
    double want = ns > 0 ? 1.2 * (double)c->nloops * r->min_sample_ns / ns : limit;
    if (want < 2 * (double)c->nloops)
        want = 2 * (double)c->nloops;
    return (uint64_t)(want < limit ? want : limit);
}

/* Take one sample that is long enough. */
static tsr_status long_sample(const bench_runner *r, bench_candidate *c, one_sample *s, tsr_error *err)
{
    for (int i = 0;; i++) {
        TSR_TRY(sample(r, c, s, err));
        const uint64_t more = more_loops(r, c, s->ns);
        if (s->ns >= r->min_sample_ns / 2 || more <= c->nloops || i == MAX_RETRIES)
            return TSR_OK;
        c->nloops = more;
    }
}

/* The same, and undisturbed if possible within a short time; else the least disturbed of several: nanoseconds
 * of one run. For work in another process disturbances are unknown. */
static tsr_status calm_sample(const bench_runner *r, bench_candidate *c, double *ns, bool *disturbed,
                              tsr_error *err)
{
    const bool can_tell = !c->external && !c->said_ns, may_repeat = can_tell && !r->options->quick;
    one_sample best, next;
    TSR_TRY(long_sample(r, c, &best, err));
    const uint64_t start = bench_now_ns();
    while (may_repeat && best.waited > MAX_WAITED && (double)(bench_now_ns() - start) < RETAKE_NS) {
        TSR_TRY(sample(r, c, &next, err));
        if (next.waited < best.waited)
            best = next;
    }
    *disturbed = can_tell && best.waited > MAX_WAITED;
    *ns = best.ns / (double)c->nloops;
    if (!(*ns > 0))
        *ns = 0.5; /* less than a step of the clock: a sample must not be 0, since it is a divisor */
    return TSR_OK;
}

/* ---- rounds ---- */

static tsr_status first_round(const bench_runner *r, bench_candidate *c, tsr_error *err)
{
    double ns = 0;
    c->nloops = 1;
    memset(&c->ns, 0, sizeof c->ns);
    if (c->overwrite)
        c->overwrite(c->ctx);
    const uint64_t before = bench_resident_nbytes();
    if (c->prepare)
        TSR_TRY(c->prepare(c->ctx, err));
    const int can = bench_reset_peak();
    const uint64_t start = bench_now_ns();
    TSR_TRY(c->run(c->ctx, err));
    ns = c->said_ns ? c->said_ns(c->ctx) : (double)(bench_now_ns() - start);
    const uint64_t peak = bench_peak_nbytes();
    c->peak_nbytes = can && peak > before ? peak - before : 0;
    if (c->check)
        TSR_TRY(c->check(c->ctx, err));
    c->least_ns = ns;
    for (int i = 0; ns < r->min_sample_ns && i < 40;
         i++) { /* the first run was slow: find the number of loops with warm runs */
        one_sample s;
        TSR_TRY(sample(r, c, &s, err));
        ns = s.ns;
        const uint64_t more = ns < r->min_sample_ns ? more_loops(r, c, ns) : c->nloops;
        if (more <= c->nloops)
            break;
        c->nloops = more;
    }
    return TSR_OK;
}

static tsr_status ask(const bench_runner *r, const bench_candidate *c, int round, tsr_error *err)
{
    const bench_run_options *const o = r->options;
    if (o->progress && !o->progress(o->ctx, c->name, round, r->reps))
        return tsr_fail(err, TSR_CANCELLED, "interrupted");
    return TSR_OK;
}

/* Run round `round`, which begins with candidate round % n; the second sample of the reference comes half a
 * round after its first. */
static tsr_status one_round(bench_runner *r, int round, tsr_error *err)
{
    const int reference = r->options->reference;
    for (int k = 0; k < r->n; k++) {
        const int i = (round + k) % r->n;
        bench_candidate *const c = &r->candidates[i];
        TSR_TRY(ask(r, c, round + 1, err));
        TSR_TRY(calm_sample(r, c, &c->samples_ns[round], &c->disturbed[round], err));
        if (!r->options->once && (i + r->n / 2) % r->n == reference)
            TSR_TRY(calm_sample(r, &r->candidates[reference], &r->repeat_ns[round],
                                &r->repeat_disturbed[round], err));
    }
    return TSR_OK;
}

static bench_samples samples_of(const bench_candidate *c, int n)
{
    return (bench_samples){.ns = c->samples_ns, .n = (size_t)n, .disturbed = c->disturbed};
}

/* Whether n rounds tell each candidate from the reference, or show that the two are equal. */
static bool is_decided(const bench_runner *r, int n)
{
    const int reference = r->options->reference;
    const bench_samples first = samples_of(&r->candidates[reference], n);
    for (int i = 0; i < r->n; i++) {
        const bench_samples mine = samples_of(&r->candidates[i], n);
        const bench_ratio ratio = bench_ratio_of(&first, &mine, true, 0.95, 1);
        if (i != reference && ratio.lo <= 1 && ratio.hi >= 1 && !(ratio.hi < BENCH_DECIDED * ratio.lo))
            return false;
    }
    return true;
}

/* Whether another round comes after `done` rounds. *look: the number of rounds after which to ask; it grows by a
 * quarter, since intervals cost time, too. */
static bool goes_on(const bench_runner *r, int done, int *look)
{
    if (done < *look)
        return true;
    if (done >= BENCH_DECIDE_REPS || bench_now_ns() >= r->options->decide_until_ns || is_decided(r, done))
        return false;
    *look = done + (done + 3) / 4;
    *look = *look < BENCH_DECIDE_REPS ? *look : BENCH_DECIDE_REPS;
    return true;
}

static tsr_status rounds(bench_runner *r, int *done, tsr_error *err)
{
    for (int i = 0; i < r->n; i++) {
        TSR_TRY(ask(r, &r->candidates[i], 0, err));
        TSR_TRY(first_round(r, &r->candidates[i], err));
    }
    const uint64_t start = bench_now_ns();
    int look = r->reps;
    while (goes_on(r, *done, &look)) {
        TSR_TRY(one_round(r, *done, err));
        ++*done;
        const double limit_ns = r->options->time_limit_s * 1e9;
        const bool is_enough = !r->options->decide_until_ns || *done >= DECIDE_LEAST;
        if (limit_ns > 0 && (double)(bench_now_ns() - start) > limit_ns && is_enough)
            break;
    }
    return TSR_OK;
}

/* ---- results ---- */

static void summarise(const bench_runner *r, bench_noise *noise, int done)
{
    const bench_candidate *const first = &r->candidates[r->options->reference];
    const size_t n = (size_t)done;
    const bench_samples reference = samples_of(first, done),
                        repeat = {.ns = r->repeat_ns, .n = n, .disturbed = r->repeat_disturbed};
    double spreads[BENCH_MAX_REPS];
    for (int i = 0; i < r->n; i++) {
        bench_candidate *const c = &r->candidates[i];
        const bench_samples mine = samples_of(c, done);
        const bench_least least = bench_least_of(&mine);
        c->ns = bench_calm_stats_of(&mine);
        c->ns.n = n;
        c->speedup = bench_ratio_of(&reference, &mine, true, 0.95, 1);
        c->noisy = least.apart > r->max_apart || least.n < 3;
        if (i < BENCH_MAX_REPS)
            spreads[i] = bench_spread(&c->ns);
    }
    if (!noise)
        return;
    noise->spread = bench_stats_of(spreads, (size_t)(r->n < BENCH_MAX_REPS ? r->n : BENCH_MAX_REPS)).median;
    if (!r->options->once)
        noise->repeat = bench_ratio_of(&repeat, &reference, true, 0.95, 1);
}

tsr_status bench_run(bench_noise *noise, bench_candidate *candidates, int n, const bench_run_options *options,
                     tsr_error *err)
{
    int done = 0;
    if (noise)
        *noise = (bench_noise){0};
    if (n < 1 || options->reference < 0 || options->reference >= n)
        return tsr_fail(err, TSR_ARGUMENT, "candidate %d cannot be the reference: there are %d candidates",
                        options->reference, n);
    bench_runner *const r = tsr_calloc(1, sizeof *r);
    if (!r)
        return tsr_fail(err, TSR_NOMEM, "out of memory for %d candidates", n);
    r->candidates = candidates;
    r->n = n;
    r->options = options;
    r->reps = options->reps > BENCH_MAX_REPS ? BENCH_MAX_REPS : options->reps > 0 ? options->reps : 5;
    r->min_sample_ns = options->quick ? 0 : options->min_sample_s == 0 ? 1e6 : options->min_sample_s * 1e9;
    r->max_apart = options->max_apart > 0 ? options->max_apart : BENCH_MAX_APART;
    r->waited_ns = options->waited_ns ? options->waited_ns : bench_waited_ns;
    bench_cpus_init(&r->cpus);
    tsr_status status = options->cold ? bench_cache_new(&r->cache, err) : TSR_OK;
    if (status == TSR_OK)
        status = rounds(r, &done, err);
    if (done > 0)
        summarise(r, noise, done);
    bench_cache_free(r->cache);
    tsr_free(r);
    return status;
}
