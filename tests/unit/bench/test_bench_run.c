/* The harness with made-up candidates: their order, what is timed, what is dropped. */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench_cache.h"
#include "bench_clock.h"
#include "bench_machine.h"
#include "bench_pin.h"
#include "bench_run.h"
#include "tsr_system.h"
#include "tsr_test.h"

/* A candidate that reports its own times and writes a log. */
typedef struct fake {
    char letter;
    double ns;       /* of each run */
    double first_ns; /* of the first run, when not 0 */
    int nruns, nchecks, noverwrites, fail_at;
    char *diary;
    bool stale; /* the result is still that of `overwrite` */
} fake;

static char diary[4096];

static void note(fake *f, char c)
{
    const size_t n = strlen(f->diary);
    if (n + 1 < sizeof diary) {
        f->diary[n] = c;
        f->diary[n + 1] = '\0';
    }
}

static tsr_status run(void *ctx, tsr_error *err)
{
    fake *const f = ctx;
    f->nruns++;
    f->stale = false;
    note(f, f->letter);
    return f->nruns == f->fail_at ? tsr_fail(err, TSR_CORRUPT, "run %d of %c", f->nruns, f->letter) : TSR_OK;
}

static double said(void *ctx)
{
    const fake *const f = ctx;
    return f->nruns == 1 && f->first_ns > 0 ? f->first_ns : f->ns;
}

static tsr_status check(void *ctx, tsr_error *err)
{
    fake *const f = ctx;
    f->nchecks++;
    return f->stale ? tsr_fail(err, TSR_CORRUPT, "stale") : TSR_OK;
}

static void overwrite(void *ctx)
{
    fake *const f = ctx;
    f->noverwrites++;
    f->stale = true;
    note(f, '.');
}

static bench_candidate *candidates_of(fake *fakes, int n)
{
    bench_candidate *const c = calloc((size_t)n, sizeof *c);
    assert_non_null(c);
    diary[0] = '\0';
    for (int i = 0; i < n; i++) {
        fakes[i].diary = diary;
        c[i] =
            (bench_candidate){.name = "fake", .nthreads = 1, .ctx = &fakes[i], .run = run, .said_ns = said};
    }
    return c;
}

/* Each round begins with another candidate; the reference runs a second time, half a round later. */
static void test_order(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 3e7}, {.letter = 'b', .ns = 3e7}, {.letter = 'c', .ns = 3e7}};
    bench_candidate *c = candidates_of(fakes, 3);
    bench_run_options options = {.reps = 3, .once = true};
    assert_ok(bench_run(NULL, c, 3, &options, err));
    assert_string_equal(diary, "abc"
                               "abc"
                               "bca"
                               "cab");
    free(c);
    fake again[] = {{.letter = 'a', .ns = 3e7}, {.letter = 'b', .ns = 3e7}, {.letter = 'c', .ns = 3e7}};
    c = candidates_of(again, 3);
    options.once = false;
    bench_noise noise;
    assert_ok(bench_run(&noise, c, 3, &options, err));
    assert_string_equal(diary, "abc"
                               "abca"
                               "bcaa"
                               "caab");
    assert_true(noise.repeat.ratio == 1 && noise.spread == 0);
    free(c);
}

/* The number of loops is chosen so that a sample lasts 1 ms: 100 us need at least 10, and the time is that of
 * one run. */
static void test_loops(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 1e5, .first_ns = 9e5}, {.letter = 'b', .ns = 3e6}};
    bench_candidate *const c = candidates_of(fakes, 2);
    const bench_run_options options = {.reps = 4, .once = true};
    assert_ok(bench_run(NULL, c, 2, &options, err));
    assert_in_range(c[0].nloops, 10, 24);
    assert_int_equal(c[1].nloops, 1);
    assert_true(fabs(c[0].ns.median - 1e5) < 1 && c[1].ns.median == 3e6);
    assert_true(fabs(c[1].speedup.ratio - 1e5 / 3e6) < 1e-9);
    assert_false(c[0].noisy);
    free(c);
}

/* A run that becomes shorter makes samples too short: they are dropped, and the number of loops increases. */
static tsr_status faster_run(void *ctx, tsr_error *err)
{
    fake *const f = ctx;
    if (f->nruns == 30)
        f->ns /= 10;
    return run(ctx, err);
}

static void test_short_samples(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 1e5}};
    bench_candidate *const c = candidates_of(fakes, 1);
    c[0].run = faster_run;
    const bench_run_options options = {.reps = 10, .once = true};
    assert_ok(bench_run(NULL, c, 1, &options, err));
    assert_true(c[0].nloops >= 50);
    assert_true(fabs(c[0].samples_ns[9] - 1e4) < 1);
    free(c);
}

/* The answer is checked once, after one run with an overwritten result; each sample begins with overwriting,
 * and with an untimed run if runs are short. */
static void test_check(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 2e6}};
    bench_candidate *c = candidates_of(fakes, 1);
    c[0].check = check;
    c[0].overwrite = overwrite;
    const bench_run_options options = {.reps = 2, .once = true};
    assert_ok(bench_run(NULL, c, 1, &options, err));
    assert_string_equal(diary, ".a"
                               ".aa"
                               ".aa");
    assert_int_equal(fakes[0].nchecks, 1);
    free(c);
}

static void test_failure(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 2e6}, {.letter = 'b', .ns = 2e6, .fail_at = 4}};
    bench_candidate *const c = candidates_of(fakes, 2);
    const bench_run_options options = {.reps = 5, .once = true};
    tsr_error err = {0};
    assert_int_equal(bench_run(NULL, c, 2, &options, &err), TSR_CORRUPT);
    assert_string_equal(err.message, "run 4 of b");
    const bench_run_options none = {.reference = 2};
    assert_int_equal(bench_run(NULL, c, 2, &none, &err), TSR_ARGUMENT);
    free(c);
}

static bool until_round_3(void *ctx, const char *name, int round, int reps)
{
    (void)ctx;
    (void)name;
    assert_int_equal(reps, 9);
    return round < 3;
}

/* Interrupted in the third round: two complete rounds are kept, with their statistics. */
static void test_interrupted(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 2e6}, {.letter = 'b', .ns = 4e6}};
    bench_candidate *const c = candidates_of(fakes, 2);
    const bench_run_options options = {.reps = 9, .progress = until_round_3};
    tsr_error err = {0};
    assert_int_equal(bench_run(NULL, c, 2, &options, &err), TSR_CANCELLED);
    assert_int_equal(c[0].ns.n, 2);
    assert_int_equal(c[1].ns.n, 2);
    assert_true(c[1].ns.median == 4e6 && c[1].speedup.ratio == 0.5);
    assert_true(c[0].noisy); /* two samples are too few */
    free(c);
}

/* Samples of 1, 2, 3... ms lie far apart. */
static tsr_status slower_run(void *ctx, tsr_error *err)
{
    ((fake *)ctx)->ns += 1e6;
    return run(ctx, err);
}

static void test_noisy(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 1e6}};
    bench_candidate *const c = candidates_of(fakes, 1);
    c[0].run = slower_run;
    bench_run_options options = {.reps = 5, .once = true};
    bench_noise noise;
    assert_ok(bench_run(&noise, c, 1, &options, err));
    assert_true(c[0].noisy && noise.spread > 0.1);
    options.max_apart = 50;
    assert_ok(bench_run(&noise, c, 1, &options, err));
    assert_false(c[0].noisy);
    free(c);
}

/* A sample during which the threads waited for a processor is taken again; the waiting time is read before
 * and after. An untimed run comes before each sample (unless a busy machine makes runs of 2 ms last 20). */
static struct {
    int at; /* the call that reports more than the call before */
    uint64_t ns;
    bool always; /* every call reports that much more */
    int nasked;
} told;

static uint64_t told_waits(void)
{
    const int n = told.nasked++;
    return told.always ? (uint64_t)n * told.ns : n >= told.at ? told.ns : 0;
}

static tsr_status work(void *ctx, tsr_error *err)
{
    (void)err;
    ((fake *)ctx)->nruns++;
    const uint64_t until = bench_now_ns() + 2000000;
    while (bench_now_ns() < until)
        ;
    return TSR_OK;
}

static void test_disturbed(void **state)
{
    (void)state;
    static const struct {
        int at;
        uint64_t ns;
        int nsamples; /* -1: until the limit of time */
    } rows[] = {{0, 0, 3},         {1, 1000, 3},
                {1, 900000000, 4}, {2, 900000000, 3}, /* between two samples */
                {5, 900000000, 4}, {0, 900000000, -1}};
    bench_candidate *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake worker = {.diary = diary};
        diary[0] = '\0';
        told.at = rows[i].at;
        told.ns = rows[i].ns;
        told.always = rows[i].nsamples < 0;
        told.nasked = 0;
        *c = (bench_candidate){
            .name = "work", .nthreads = 1, .ctx = &worker, .overwrite = overwrite, .run = work};
        const bench_run_options options = {.reps = 3, .once = true, .waited_ns = told_waits};
        assert_ok(bench_run(NULL, c, 1, &options, err));
        assert_int_equal(c->ns.n, 3);
        if (rows[i].nsamples >= 0)
            assert_int_equal(worker.noverwrites, 1 + rows[i].nsamples);
        for (int k = 0; k < 3; k++)
            assert_int_equal(c->disturbed[k], rows[i].nsamples < 0);
        assert_in_range(worker.nruns, worker.noverwrites + 1, 2 * worker.noverwrites - 1);
    }
    free(c);
}

/* On a busy machine a sample may take much longer than its runs: retaking ends after a tenth of a second of
 * real time (earlier it ended after a tenth of a second of samples, which took minutes). */
static void overwrite_slowly(void *ctx)
{
    ((fake *)ctx)->noverwrites++;
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

static void test_disturbed_and_slow(void **state)
{
    (void)state;
    fake worker = {.diary = diary};
    bench_candidate *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    diary[0] = '\0';
    told.ns = 900000000;
    told.always = true;
    told.nasked = 0;
    *c = (bench_candidate){
        .name = "work", .nthreads = 1, .ctx = &worker, .overwrite = overwrite_slowly, .run = work};
    const bench_run_options options = {.reps = 3, .once = true, .min_sample_s = -1, .waited_ns = told_waits};
    assert_ok(bench_run(NULL, c, 1, &options, err));
    assert_in_range(worker.noverwrites, 1 + 3, 1 + 3 * 5);
    free(c);
}

/* A quick run takes each sample once, with one loop, even if all are short and disturbed, and reports
 * that. */
static void test_quick(void **state)
{
    (void)state;
    fake worker = {.diary = diary};
    bench_candidate *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    diary[0] = '\0';
    told.ns = 900000000;
    told.always = true;
    told.nasked = 0;
    *c =
        (bench_candidate){.name = "work", .nthreads = 1, .ctx = &worker, .overwrite = overwrite, .run = work};
    const bench_run_options options = {
        .reps = 3, .once = true, .quick = true, .min_sample_s = 0.1, .waited_ns = told_waits};
    assert_ok(bench_run(NULL, c, 1, &options, err));
    assert_int_equal(c->ns.n, 3);
    assert_int_equal(c->nloops, 1);
    assert_int_equal(worker.noverwrites, 1 + 3);
    for (int k = 0; k < 3; k++)
        assert_true(c->disturbed[k]);
    free(c);
}

/* Two processes on one processor: each waits for the other. */
static void test_waited(void **state)
{
    (void)state;
    bench_cpus cpus;
    bench_cpus_init(&cpus);
    if (cpus.n == 0 || !*tsr_system_path(TSR_SYSTEM_THREADS) || access("/proc/self/schedstat", R_OK) != 0)
        skip();
    bench_pin(&cpus, 1);
    const pid_t other = fork();
    assert_true(other >= 0);
    if (other == 0)
        for (;;)
            ;
    const uint64_t before = bench_waited_ns(), start = bench_now_ns();
    while (bench_waited_ns() < before + 1000000 && bench_now_ns() < start + UINT64_C(20000000000))
        ;
    const uint64_t after = bench_waited_ns();
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    bench_unpin(&cpus);
    assert_true(after >= before + 1000000);
}

/* Real time, cold caches, and the roof: plausible numbers. */
static tsr_status walk(void *ctx, tsr_error *err)
{
    volatile double *const x = ctx;
    (void)err;
    for (int i = 0; i < 1000; i++)
        x[i] += 1;
    return TSR_OK;
}

static void test_real(void **state)
{
    (void)state;
    static double x[1000];
    bench_candidate *const c = calloc(1, sizeof *c);
    assert_non_null(c);
    *c = (bench_candidate){.name = "walk", .nthreads = 1, .ctx = x, .run = walk};
    bench_run_options options = {.reps = 3};
    bench_noise noise;
    assert_ok(bench_run(&noise, c, 1, &options, err));
    assert_true(c->nloops > 10 && c->ns.min > 0 && c->ns.max < 1e9 && noise.repeat.ratio > 0);
    options = (bench_run_options){.reps = 1, .cold = true, .once = true, .min_sample_s = -1};
    assert_ok(bench_run(NULL, c, 1, &options, err));
    assert_int_equal(c->nloops, 1);
    free(c);
    const bench_roof roof = {.nthreads = 1, .triad = 2e9, .fma_f64 = 8e9, .fma_f32 = 16e9};
    assert_true(bench_roof_ns(&roof, 4e9, 8e9, 8) == 2e9);  /* memory: 2 s, work: 1 s */
    assert_true(bench_roof_ns(&roof, 2e9, 64e9, 4) == 4e9); /* memory: 1 s, work: 4 s */
    assert_true(bench_roof_ns(&(bench_roof){0}, 1, 1, 8) == 0);
}

/* A run that needs a preparation gets a run that does not count before its sample, prepared as well. */
static tsr_status prepare(void *ctx, tsr_error *err)
{
    (void)err;
    note(ctx, 'p');
    return TSR_OK;
}

static void test_prepare(void **state)
{
    (void)state;
    fake fakes[] = {{.letter = 'a', .ns = 4e6}};
    bench_candidate *const c = candidates_of(fakes, 1);
    c[0].prepare = prepare;
    const bench_run_options options = {.reps = 2, .once = true};
    assert_ok(bench_run(NULL, c, 1, &options, err));
    assert_string_equal(diary, "pa"
                               "papa"
                               "papa");
    free(c);
}

/* Rounds go on until candidates are decided: at once where they differ, up to the limit where their times change from
 * round to round, and not at all after the time. */
static tsr_status alternating_run(void *ctx, tsr_error *err)
{
    fake *const f = ctx;
    f->ns = f->nruns % 2 ? 3e7 : 6e7;
    return run(ctx, err);
}

static size_t rounds_within(double b_ns, bool alternates, uint64_t until, double limit_s)
{
    fake fakes[] = {{.letter = 'a', .ns = 4e7}, {.letter = 'b', .ns = b_ns}};
    bench_candidate *const c = candidates_of(fakes, 2);
    const bench_run_options options = {
        .reps = 5, .once = true, .decide_until_ns = until, .time_limit_s = limit_s};
    if (alternates)
        c[1].run = alternating_run;
    assert_ok(bench_run(NULL, c, 2, &options, err));
    const size_t n = c[1].ns.n;
    free(c);
    return n;
}

static size_t rounds_until_decided(double b_ns, bool alternates, uint64_t until)
{
    return rounds_within(b_ns, alternates, until, 0);
}

static void test_decided(void **state)
{
    (void)state;
    assert_int_equal(rounds_until_decided(5e7, false, UINT64_MAX), 5);     /* slower */
    assert_int_equal(rounds_until_decided(4.001e7, false, UINT64_MAX), 5); /* equal */
    assert_int_equal(rounds_until_decided(0, true, UINT64_MAX), BENCH_DECIDE_REPS);
    assert_int_equal(rounds_until_decided(0, true, 0), 5);
    assert_int_equal(rounds_until_decided(0, true, bench_now_ns()), 5);
    assert_int_equal(rounds_within(0, true, 0, 1e-9), 1);          /* the time limit */
    assert_int_equal(rounds_within(0, true, UINT64_MAX, 1e-9), 3); /* enough for an interval */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_short_samples),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_noisy),
        cmocka_unit_test(test_disturbed),
        cmocka_unit_test(test_disturbed_and_slow),
        cmocka_unit_test(test_quick),
        cmocka_unit_test(test_waited),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
