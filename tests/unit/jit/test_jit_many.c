/* Several processes, each with several threads, use one cache: equal and different kernels, a limit that
 * holds only some of them, and a thread that clears the cache at times. Every answer is right, and no files
 * are left behind. */
#include "jit_support.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NPROCESSES = 8, NTHREADS = 2, NROUNDS = 14, NKERNELS = 7 };

typedef struct worker {
    tsr_jit_options options;
    uint64_t seed;
    bool clears;
    int nbad;      /* wrong answers and failures */
    int ncompiled; /* not from the cache */
    char why[512];
} worker;

static bool count_one(void *arg, const tsr_jit_entry *entry)
{
    (void)entry;
    ++*(int *)arg;
    return true;
}

/* Load NROUNDS random kernels, keep some open for a while, call them all. */
static void *work(void *arg)
{
    worker *w = arg;
    tsr_rng rng = {w->seed};
    tsr_jit *held[4] = {NULL};
    int want[4] = {0};
    for (int round = 0; round < NROUNDS; round++) {
        const size_t slot = tsr_rng_below(&rng, 4);
        tsr_error err = {0};
        tsr_jit_stats stats;
        tsr_jit_free(held[slot]);
        want[slot] = (int)tsr_rng_below(&rng, NKERNELS);
        if (tsr_jit_load(&held[slot], jit_answer_text(want[slot]), &w->options, &stats, NULL, &err) !=
            TSR_OK) {
            w->nbad++;
            snprintf(w->why, sizeof w->why, "%s", err.message);
        } else {
            w->ncompiled += !stats.from_cache;
        }
        for (int i = 0; i < 4; i++)
            if (held[i]) {
                int (*answer)(void) = (int (*)(void))tsr_jit_find(held[i], "answer");
                w->nbad += !answer || answer() != want[i];
            }
        int n = 0;
        if (w->clears && round % 8 == 7)
            w->nbad += tsr_jit_clear(&w->options, NULL) != TSR_OK;
        if (round % 8 == 3)
            w->nbad += tsr_jit_list(&w->options, count_one, &n, NULL) != TSR_OK;
    }
    for (int i = 0; i < 4; i++)
        tsr_jit_free(held[i]);
    return NULL;
}

/* Run the threads of one process; returns the number of errors. */
static int run_threads(const tsr_jit_options *options, uint64_t seed, bool clears, int *ncompiled)
{
    pthread_t thread[NTHREADS];
    worker w[NTHREADS];
    int nbad = 0;
    for (int t = 0; t < NTHREADS; t++) {
        w[t] = (worker){.options = *options, .seed = seed * 100 + (uint64_t)t, .clears = clears && t == 0};
        nbad += pthread_create(&thread[t], NULL, work, &w[t]) != 0;
    }
    for (int t = 0; t < NTHREADS; t++) {
        pthread_join(thread[t], NULL);
        nbad += w[t].nbad;
        *ncompiled += w[t].ncompiled;
        if (w[t].why[0])
            fprintf(stderr, "%s\n", w[t].why);
    }
    return nbad;
}

/* A fast compiler, so that the folder is used often: it writes the number into a prepared object. */
static const char *fast_compiler(void)
{
    char lines[3000];
    const char *ready = jit_path(tsr_test_tmp(), "ready");
    for (int v = 0; v < NKERNELS; v++) {
        snprintf(lines, sizeof lines,
                 "printf 'int answer(void) { return %d; }\\n' >'%s.c' && cc -fPIC -shared -o '%s%d' '%s.c'",
                 v, ready, ready, v, ready);
        assert_int_equal(system(lines), 0);
    }
    snprintf(lines, sizeof lines,
             "[ \"$1\" = --version ] && { echo fast; exit; }\n"
             "read a b c v rest <\"$1\"\nwhile [ \"$1\" != -o ]; do shift; done\nexec cp '%s'$v \"$2\"",
             ready);
    return jit_script("fast", lines);
}

static void test_threads(void **state)
{
    (void)state;
    const tsr_jit_options options = {.compiler = fast_compiler(), .cache_dir = jit_fresh_folder("threads")};
    int ncompiled = 0;
    assert_int_equal(run_threads(&options, 1, true, &ncompiled), 0);
    assert_int_equal(jit_count_files(options.cache_dir, ".tessera-"), 0);
}

static void test_processes(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {0, 40000}; /* no limit; room for two or three kernels */
    for (int clears = 0; clears < 2; clears++)
        for (int b = 0; b < 2; b++) {
            const tsr_jit_options options = {.compiler = fast_compiler(),
                                             .cache_dir = jit_fresh_folder("processes"),
                                             .cache_max_nbytes = bounds[b]};
            pid_t child[NPROCESSES];
            for (int p = 0; p < NPROCESSES; p++) {
                child[p] = fork();
                assert_true(child[p] >= 0);
                if (child[p] == 0) {
                    int ncompiled = 0;
                    const int nbad = run_threads(&options, (uint64_t)p, clears && p == 0, &ncompiled);
                    /* without a limit and without clearing, each thread compiles a kernel at most once */
                    const bool too_often = b == 0 && !clears && ncompiled > NKERNELS * NTHREADS;
                    _exit(nbad ? 1 : too_often ? 2 : 0);
                }
            }
            for (int p = 0; p < NPROCESSES; p++) {
                int end;
                assert_int_equal(waitpid(child[p], &end, 0), child[p]);
                assert_int_equal(end, 0);
            }
            assert_int_equal(jit_count_files(options.cache_dir, ".tessera-"), 0);
            const int npairs = jit_count_files(options.cache_dir, ".so");
            if (!clears)
                assert_true(b == 0 ? npairs == NKERNELS : npairs <= 3 && npairs >= 1);
            /* the remaining files are valid */
            tsr_jit_stats stats;
            for (int v = 0, nwarm = 0; v < NKERNELS; v++) {
                tsr_jit *jit;
                assert_ok(tsr_jit_load(&jit, jit_answer_text(v), &options, &stats, NULL, err));
                assert_int_equal(jit_answer(jit), v);
                tsr_jit_free(jit);
                nwarm += stats.from_cache;
                if (v == NKERNELS - 1 && b == 0 && !clears)
                    assert_int_equal(nwarm, NKERNELS);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_processes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
