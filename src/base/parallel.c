/* Threads: see tsr_parallel.h.
 *
 * OpenMP's libraries end the process when they cannot make a thread (RLIMIT_NPROC, pids.max of a cgroup, no
 * address space for a stack). So whenever a team is larger than the team before it, this file first makes and
 * joins that many threads itself, and then asks OpenMP for no more threads than it could make. */
#include "tsr_parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tsr_interrupt.h"
#include "tsr_machine.h"
#include "tsr_system.h"

#if defined _OPENMP && defined __GNUC__ && !defined __clang__ && __GNUC__ >= 9
#define END_TEAM() omp_pause_resource_all(omp_pause_soft)
#else /* LLVM's threads wait for all teams, and need no end */
#define END_TEAM() (-1)
#endif

#ifdef _OPENMP
#include <omp.h>
enum { HAVE_THREADS = true };
#else /* TSR_WITH_OPENMP=OFF: one thread, whatever is asked for */
enum { HAVE_THREADS = false };
#define omp_get_max_threads() 1
#define omp_get_num_procs() 1
#define omp_get_level() 0
#define omp_get_max_active_levels() 1
#endif

/* Memory left free for small blocks of OpenMP, which also ends the process when it cannot allocate them. */
enum { SPARE_NBYTES = 64 << 10 };

/* Set in a child of fork. The threads of OpenMP do not exist there, and libgomp would wait for them without end. */
static atomic_bool is_child;

static void enter_child(void)
{
    atomic_store(&is_child, true);
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL,
                         enter_child); /* fails without memory only: then a child must not use threads */
}

int tsr_thread_count(int requested)
{
    if (atomic_load_explicit(&is_child, memory_order_relaxed))
        return 1;
    int n = requested;
    if (requested <= 0 && getenv("OMP_NUM_THREADS")) {
        n = omp_get_max_threads(); /* which reads it as OpenMP does */
    } else if (requested <= 0) {   /* the affinity of now counts, and the job */
        const int given = tsr_scheduler_threads();
        n = omp_get_num_procs();
        if (given > 0 && given < n)
            n = given;
    }
    return n < 1 ? 1 : n > TSR_MAX_THREADS ? TSR_MAX_THREADS : n;
}

/* ---- trial ---- */

static void *wait_at_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The stack size of OMP_STACKSIZE: a number and B, K, M or G (no letter: K). 0: not set, or not valid. */
static size_t openmp_stack_nbytes(void)
{
    static const char units[] = "BKMG";
    const char *const text = getenv("OMP_STACKSIZE");
    char *end;
    if (!text)
        return 0;
    const unsigned long long n = strtoull(text, &end, 10);
    while (*end == ' ')
        end++;
    const char upper = (char)(*end >= 'a' && *end <= 'z' ? *end - 'a' + 'A' : *end);
    const char *const unit = *end ? strchr(units, upper) : units + 1;
    return unit && n <= SIZE_MAX >> 30 ? (size_t)n << 10 * (unit - units) : 0;
}

static int make_threads(int n, const pthread_attr_t *attr)
{
    pthread_t thread[TSR_MAX_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int made = 0;
    pthread_mutex_lock(&gate);
    while (made < n && pthread_create(&thread[made], attr, wait_at_gate, &gate) == 0)
        made++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < made; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&gate);
    return made;
}

/* The number of threads of this process; 0: the system does not report it. */
static unsigned long count_threads(void)
{
    struct stat folder;
    return stat(tsr_system_path(TSR_SYSTEM_THREADS), &folder) == 0 && folder.st_nlink > 2
               ? folder.st_nlink - 2
               : 0;
}

/* Wait until the system has cleared away the joined threads: until then they count for the limits. */
static void wait_for_end(unsigned long nthreads)
{
    enum { MOST_TURNS = 200, TURN_NS = 100000 };
    const struct timespec turn = {.tv_nsec = TURN_NS};
    for (int i = 0; i < MOST_TURNS && count_threads() > nthreads; i++)
        if (i < 10)
            sched_yield();
        else
            nanosleep(&turn, NULL);
}

/* How many of n threads can exist at once beside the existing threads. */
static int try_threads(int n)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return 0;
    const size_t stack_nbytes = openmp_stack_nbytes();
    if (stack_nbytes > 0)
        (void)pthread_attr_setstacksize(&attr,
                                        stack_nbytes); /* if this fails, OpenMP uses the default size, too */
    const unsigned long before = count_threads();
    const int made = make_threads(n, &attr);
    wait_for_end(before);
    pthread_attr_destroy(&attr);
    return made;
}

/* The size of the last team of this thread. OpenMP keeps the threads of a team for the next team of the same
 * thread, and ends those that a smaller team does not need. */
static _Thread_local int team = 1;

/* Make OpenMP create its threads now, while that is possible: the code that follows may start no parallel
 * region. */
static void make_team(int nthreads)
{
    atomic_int nrunning = 0;
#pragma omp parallel num_threads(nthreads)
    atomic_fetch_add(&nrunning, 1);
    team = nthreads;
}

int tsr_threads_ready(int nthreads)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    nthreads = nthreads > TSR_MAX_THREADS ? TSR_MAX_THREADS : nthreads;
    if (nthreads <= 1 || atomic_load_explicit(&is_child, memory_order_relaxed) || !HAVE_THREADS)
        return 1;
    (void)pthread_once(&once, watch_forks);
    if (omp_get_level() >= omp_get_max_active_levels())
        return nthreads; /* inside a parallel region: a nested one makes no threads */
    void *const spare = malloc(SPARE_NBYTES);
    if (!spare)
        return 1;
    if (nthreads > team) {
        nthreads = team + try_threads(nthreads - team);
        if (nthreads > 1)
            make_team(nthreads);
    }
    free(spare);
    team = nthreads;
    return nthreads;
}

void tsr_threads_release(void)
{
    if (team > 1 && !atomic_load_explicit(&is_child, memory_order_relaxed) && END_TEAM() == 0)
        team = 1;
}

/* ---- running ---- */

void tsr_parallel(int nthreads, void (*body)(void *arg, int t, int nthreads), void *arg)
{
    const int ready = tsr_threads_ready(nthreads);
    if (ready <= 1) {
        for (int t = 0; t < nthreads || t == 0; t++)
            body(arg, t, nthreads < 1 ? 1 : nthreads);
        return;
    }
    const tsr_interrupt_scope scope = tsr_interrupt_here();
#pragma omp parallel for num_threads(ready) schedule(static, 1)
    for (int t = 0; t < nthreads; t++) {
        const tsr_interrupt_scope before = tsr_interrupt_enter(scope);
        body(arg, t, nthreads);
        (void)tsr_interrupt_enter(before);
    }
}
