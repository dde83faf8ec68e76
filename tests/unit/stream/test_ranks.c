/* tsr_stream_pack by ranks against tsr_pack: the same arrays, or the same error, for the formats of level-layouts.json and 500 random
 * ones (one of ten, or all with the argument "all"), by 1 to 6 ranks. The ranks are threads of the test, which meet at barriers; or
 * those of an MPI run: mpirun -n P test_ranks [all] MODULE, where MODULE is tessera-mpi.so. */
#include <dlfcn.h>
#include <sys/stat.h>

#include "mpi_ranks.h"
#include "stream_support.h"
#include "team.h"

#include "tsr_alloc.h"

/* ---- a run ---- */

typedef struct run {
    const tsr_coo *coo;
    const tsr_format *format;
    tsr_stream_options options;
    uint64_t step;
    bool can_seek, knows;
} run;

static const tsr_ranks *mpi; /* NULL: threads */

typedef struct worker {
    team_member member;
    const tsr_ranks *ranks;
    const run *run;
    char folder[1024];
    tsr_parts *parts;
    tsr_stream_stats stats;
    tsr_status status;
    tsr_error error;
    pthread_t thread;
} worker;

static void pack(worker *w)
{
    tsr_feed *const feed = read_coo(w->run->coo, w->run->step, w->run->can_seek, w->run->knows);
    tsr_stream_options options = w->run->options;
    options.ranks = w->ranks;
    options.folder = w->folder;
    w->status = tsr_stream_pack(&w->parts, feed, w->run->format, &options, &w->stats, &w->error);
    tsr_feed_close(feed);
}

static void *work(void *arg)
{
    worker *const w = arg;
    pack(w);
    if (w->status == TSR_OK)
        w->status = tsr_stream_serve(w->parts, &w->error);
    tsr_parts_free(w->parts);
    return NULL;
}

/* Rank 0 is this thread: its parts are used before finish(). With MPI this process is the only worker here. */
static void begin(worker *w, team *t, const run *r, int n)
{
    if (!mpi)
        team_init(t, n);
    for (int k = 0; k < n; k++) {
        w[k] = (worker){.run = r, .ranks = mpi ? mpi : &w[k].member.base};
        if (!mpi)
            team_join(&w[k].member, t, k, n);
        snprintf(w[k].folder, sizeof w[k].folder, "%s/rank%d", scratch(), k);
        mkdir(w[k].folder, 0700);
    }
    for (int k = 1; k < n; k++)
        pthread_create(&w[k].thread, NULL, work, &w[k]);
    pack(&w[0]);
}

static void finish(worker *w, team *t, int n)
{
    for (int k = 1; k < n; k++)
        pthread_join(w[k].thread, NULL);
    for (int k = 0; k < n; k++)
        if (rmdir(w[k].folder) != 0)
            fail_msg("%s is not empty", w[k].folder);
    if (!mpi)
        team_clear(t);
}

static uint64_t nruns, nskipped;

static void check(const tsr_coo *coo, const char *text, run *r, int n)
{
    static worker w[TEAM_MAX_RANKS];
    team t;
    tsr_format *format;
    tsr_tensor *want = NULL;
    tsr_coo *copy;
    tsr_error one = {0};
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    assert_ok(tsr_coo_copy(&copy, coo, err));
    const tsr_status wanted = tsr_pack(&want, copy, format, &r->options.pack, NULL, &one);
    r->coo = coo;
    r->format = format;
    n = mpi ? 1 : n;
    begin(w, &t, r, n);
    for (int k = 1; w[0].status != TSR_OK && k < n; k++)
        pthread_join(w[k].thread, NULL);
    nruns++;
    /* as in test_stream.c */
    const bool refused = wanted == TSR_RANGE && strstr(one.message, "do not fit");
    if (w[0].status == TSR_UNSUPPORTED && wanted != TSR_UNSUPPORTED)
        nskipped++;
    else if (!refused && (w[0].status != wanted || strcmp(w[0].error.message, one.message) != 0))
        fail_msg("%s, %d ranks: '%s' instead of '%s'", text, n, w[0].error.message, one.message);
    if (w[0].status == TSR_OK && mpi && mpi->rank > 0) {
        assert_ok(tsr_stream_serve(w[0].parts, err));
        tsr_parts_free(w[0].parts);
        finish(w, &t, n);
        tsr_tensor_free(want);
        tsr_format_free(format);
        return;
    }
    if (w[0].status == TSR_OK && !refused)
        must_be_same(w[0].parts, want, text);
    if (w[0].status == TSR_OK) {
        if (refused)
            tsr_parts_free(w[0].parts);
        else
            must_read_back(w[0].parts, want, text); /* frees them */
        finish(w, &t, n);
    } else {
        finish(w, &t, 0);
        for (int k = 0; k < n; k++)
            assert_int_equal(rmdir(w[k].folder), 0);
    }
    tsr_tensor_free(want);
    tsr_format_free(format);
}

/* ---- the tests ---- */

static bool all;

static void random_run(run *r, tsr_rng *rng, uint64_t n)
{
    *r =
        (run){.step = 1 + tsr_rng_below(rng, 300),
              .can_seek = tsr_rng_below(rng, 4) != 0,
              .knows = tsr_rng_below(rng, 2) != 0,
              .options = {.bucket_nentries = tsr_rng_below(rng, 2) ? 1 + n / (3 + tsr_rng_below(rng, 20)) : 0,
                          .pack = {.duplicates = rules[tsr_rng_below(rng, 5)],
                                   .index_width = (tsr_index_width)tsr_rng_below(rng, 7),
                                   .nthreads = 1}}};
}

static void try_ranks(const tsr_coo *coo, const char *format, tsr_rng *rng)
{
    run r;
    random_run(&r, rng, coo->nnz);
    check(coo, format, &r, 1 + (int)tsr_rng_below(rng, 6));
}

static void test_random_formats(void **state)
{
    (void)state;
    try_random_formats(try_ranks, 18, all ? 500 : 50, 500);
    assert_true(nskipped < nruns / 5);
}

static void test_level_layouts(void **state)
{
    (void)state;
    try_level_layouts(try_ranks, 4, all ? 1 : 10);
}

/* Shares differ by 5% at most, although most entries are in few slices; what a rank sends is the model: all but 1/n of its entries. */
static void test_balance(void **state)
{
    static const uint64_t dims[] = {2000, 3000, 500};
    static const int counts[] = {1, 2, 4, 8, 16};
    static worker w[TEAM_MAX_RANKS];
    enum { N = 60000 };
    tsr_rng rng = {.s = 6};
    tsr_format *format;
    (void)state;
    tsr_coo *const coo = random_coo(&rng, 3, dims, TSR_F64, N);
    for (uint64_t e = 0; e < N; e++) /* a power law in mode 0 */
        tsr_array_set(&coo->crd[0], e,
                      (uint64_t)(2000 * tsr_rng_unit(&rng) * tsr_rng_unit(&rng) * tsr_rng_unit(&rng) *
                                 tsr_rng_unit(&rng) * tsr_rng_unit(&rng) * tsr_rng_unit(&rng)));
    assert_ok(tsr_format_parse(&format, "sss", 3, NULL, err));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const int n = counts[i];
        const run r = {.coo = coo,
                       .format = format,
                       .step = 1000,
                       .can_seek = true,
                       .knows = true,
                       .options.pack.nthreads = 1};
        team t;
        uint64_t moved = 0, sent = 0, received = 0;
        begin(w, &t, &r, n);
        assert_int_equal(w[0].status, TSR_OK);
        tsr_parts_free(w[0].parts);
        finish(w, &t, n);
        for (int k = 0; k < n; k++) {
            const tsr_ranks_stats *const s = &w[k].stats.ranks;
            if ((double)s->nentries > 1.05 * N / n + 1)
                fail_msg("%d ranks: rank %d has %d of %d entries after %d rounds", n, k, (int)s->nentries, N,
                         s->rounds);
            moved += s->moved;
            sent += s->sent_nbytes;
            received += s->received_nbytes;
        }
        /* coordinates of 2 bytes (mode 0: or 1) and values of 8, and at most 56 bytes of header and padding for each chunk */
        const double away = (double)moved - (double)N * (n - 1) / n;
        assert_true(away <= 0.01 * N && away >= -0.01 * N);
        assert_true(sent >= 13 * moved && sent <= 14 * moved + (uint64_t)(56 * n * n * 2));
        assert_true(received >= 13 * N);
    }
    tsr_format_free(format);
    tsr_coo_free(coo);
}

/* The n-th allocation of all ranks fails: every rank ends, with an error or all without. */
static void test_allocations(void **state)
{
    static const uint64_t dims[] = {20, 30, 10};
    static worker w[TEAM_MAX_RANKS];
    tsr_rng rng = {.s = 12};
    tsr_format *format;
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_coo *const coo = random_coo(&rng, 3, dims, TSR_F64, 200);
    assert_ok(tsr_format_parse(&format, "dss:1,0,2", 3, NULL, err));
    for (int64_t n = 0;; n += all ? 1 : 7) {
        const run r = {
            .coo = coo, .format = format, .step = 50, .can_seek = true, .options.pack.nthreads = 1};
        const int64_t live = tsr_alloc_live();
        team t;
        tsr_alloc_fail_at(n);
        begin(w, &t, &r, 2);
        if (w[0].status == TSR_OK)
            tsr_parts_free(w[0].parts);
        finish(w, &t, 2);
        const bool failed = tsr_alloc_failed();
        tsr_alloc_fail_at(-1);
        assert_int_equal(tsr_alloc_live(), live);
        assert_true(failed ? w[0].status == TSR_OK || w[0].status == TSR_NOMEM : w[0].status == TSR_OK);
        if (!failed)
            break;
    }
    tsr_format_free(format);
    tsr_coo_free(coo);
}

/* All cases by the ranks of an MPI run. A failure outside of cmocka's runner ends the process, and mpirun all others. */
static int main_mpi(const char *path)
{
    void *const loaded = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const tsr_ranks_module *const module = loaded ? dlsym(loaded, TSR_RANKS_MODULE) : NULL;
    if (!module)
        fail_msg("%s", dlerror());
    tsr_error error = {0};
    mpi = module->open(&error);
    if (!mpi)
        fail_msg("%s", error.message);
    test_random_formats(NULL);
    if (tsr_test_shared())
        test_level_layouts(NULL);
    if (mpi->rank == 0)
        printf("%d conversions by %d ranks, %d of them refused as packed in memory only\n", (int)nruns,
               mpi->n, (int)nskipped);
    module->close(mpi);
    if (strcmp(scratch(), tsr_test_tmp()) != 0)
        rmdir(scratch());
    return 0;
}

int main(int argc, char **argv)
{
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    if (argc > 1 + all)
        return main_mpi(argv[1 + all]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_formats),
        cmocka_unit_test(test_level_layouts),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_allocations),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (strcmp(scratch(), tsr_test_tmp()) != 0)
        rmdir(scratch());
    return failed;
}
