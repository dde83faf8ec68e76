/* Threads that cannot be made. Earlier OpenMP ended the process then, with exit status 1 and its own
 * message. */
#define _DEFAULT_SOURCE /* RLIMIT_NPROC */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tsr_test.h"
#include "tsr_parallel.h"

enum { NTHREADS = 32, SKIPPED = 77 };

typedef struct tally {
    int nruns[NTHREADS];
} tally;

static void count(void *arg, int t, int nthreads)
{
    tally *const all = arg;
    all->nruns[t] += nthreads == NTHREADS ? 1 : 100;
}

/* Whether each t runs exactly once: 0; else 1. */
static int run_once(void)
{
    tally all = {{0}};
    tsr_parallel(NTHREADS, count, &all);
    for (int t = 0; t < NTHREADS; t++)
        if (all.nruns[t] != 1)
            return 1;
    return 0;
}

static unsigned long long address_space_nbytes(void)
{
    unsigned long long npages = 0;
    FILE *const f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%llu", &npages) != 1)
        npages = 0;
    if (f)
        fclose(f);
    return npages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

/* Allow at most n processes and threads, as a user who has none so far. */
static int limit_processes(rlim_t n)
{
    const struct rlimit limit = {n, n};
    if (getuid() == 0 && setuid(54321) != 0) /* root may make any number */
        return SKIPPED;
    return setrlimit(RLIMIT_NPROC, &limit) == 0 ? 0 : SKIPPED;
}

static int limit_address_space(rlim_t more)
{
    const unsigned long long now = address_space_nbytes();
    const struct rlimit limit = {now + more, now + more};
    return now > 0 && setrlimit(RLIMIT_AS, &limit) == 0 ? 0 : SKIPPED;
}

/* Run the body in a child process, which ends with _exit: so the test sees if OpenMP ends the process. */
static void in_child(int (*body)(void))
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(body());
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    if (WEXITSTATUS(how) == SKIPPED)
        skip();
    assert_int_equal(WEXITSTATUS(how), 0);
}

static int few_processes(void)
{
    const int skipped = limit_processes(3);
    return skipped ? skipped : tsr_threads_ready(NTHREADS) > 3 ? 2 : run_once();
}

static int no_more_processes(void)
{
    const int skipped = limit_processes(1);
    return skipped ? skipped : tsr_threads_ready(NTHREADS) != 1 ? 2 : run_once();
}

static int few_stacks(void)
{
    enum { STACK_NBYTES = 8 << 20 };
    const int skipped = limit_address_space(5 * STACK_NBYTES / 2);
    return skipped ? skipped : tsr_threads_ready(NTHREADS) > 3 ? 2 : run_once();
}

static int limited_between_teams(void)
{
    if (tsr_threads_ready(2) != 2 || run_once() != 0)
        return 2;
    const int skipped = limit_address_space(1 << 20);
    return skipped ? skipped : run_once();
}

static void test_a_limit_of_processes_leaves_fewer_threads(void **state)
{
    (void)state;
    in_child(few_processes);
    in_child(no_more_processes);
}

static void test_no_room_for_stacks_leaves_fewer_threads(void **state)
{
    (void)state;
#ifdef TSR_TEST_SANITIZED
    skip(); /* the sanitizer needs address space of its own for each thread */
#endif
    in_child(few_stacks);
    in_child(limited_between_teams);
}

static void test_each_part_runs_once(void **state)
{
    (void)state;
    assert_int_equal(run_once(), 0);
    assert_int_equal(tsr_threads_ready(0), 1);
    assert_int_equal(tsr_threads_ready(2), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_limit_of_processes_leaves_fewer_threads),
        cmocka_unit_test(test_no_room_for_stacks_leaves_fewer_threads),
        /* last, since a forked child of a process with threads has only one thread */
        cmocka_unit_test(test_each_part_runs_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
