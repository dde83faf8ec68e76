/* Pins threads to processors: see bench_pin.h. Uses Linux's calls; on other systems nothing is pinned. */
#define _GNU_SOURCE
#include "bench_pin.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "tsr_parallel.h"
#include "tsr_system.h"

#ifdef __linux__

/* Whether `cpu` is the first of the processors that share its core. */
static bool first_of_core(int cpu)
{
    char path[96];
    int first = cpu;
    snprintf(path, sizeof path, "%s/cpu%d/topology/thread_siblings_list", tsr_system_path(TSR_SYSTEM_CPUS),
             cpu);
    FILE *const f = fopen(path, "r");
    if (f) {
        if (fscanf(f, "%d", &first) != 1)
            first = cpu;
        fclose(f);
    }
    return first == cpu;
}

void bench_cpus_init(bench_cpus *cpus)
{
    cpu_set_t set;
    cpus->n = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int siblings = 0; siblings < 2; siblings++)
        for (int c = 0; c < CPU_SETSIZE && cpus->n < BENCH_MAX_CPUS; c++)
            if (CPU_ISSET((size_t)c, &set) && first_of_core(c) != siblings)
                cpus->cpu[cpus->n++] = c;
}

static void pin_thread(void *arg, int t, int nthreads)
{
    const bench_cpus *const cpus = arg;
    cpu_set_t set;
    (void)nthreads;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpus->cpu[t], &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

void bench_pin(const bench_cpus *cpus, int nthreads)
{
    bench_cpus copy = *cpus;
    if (nthreads <= cpus->n)
        tsr_parallel(nthreads, pin_thread, &copy);
}

static void free_thread(void *arg, int t, int nthreads)
{
    const bench_cpus *const cpus = arg;
    cpu_set_t set;
    (void)t;
    (void)nthreads;
    CPU_ZERO(&set);
    for (int i = 0; i < cpus->n; i++)
        CPU_SET((size_t)cpus->cpu[i], &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

/* Unpin the whole pool: threads created meanwhile inherited the processor of the caller. */
void bench_unpin(const bench_cpus *cpus)
{
    bench_cpus copy = *cpus;
    if (cpus->n)
        tsr_parallel(cpus->n, free_thread, &copy);
}

#else

void bench_cpus_init(bench_cpus *cpus)
{
    cpus->n = 0;
}

void bench_pin(const bench_cpus *cpus, int nthreads)
{
    (void)cpus;
    (void)nthreads;
}

void bench_unpin(const bench_cpus *cpus)
{
    (void)cpus;
}

#endif

static uint64_t busy_ns(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0
               ? (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec
               : 0;
}

static void rest(long ns)
{
    (void)nanosleep(&(struct timespec){0, ns}, NULL);
}

void bench_settle(void)
{
    enum { LOOK_NS = 2000000, MAX_LOOKS = 250 };
    for (int i = 0; i < MAX_LOOKS; i++) {
        const uint64_t before = busy_ns();
        rest(LOOK_NS);
        if (busy_ns() - before < LOOK_NS / 4)
            return;
    }
}

void bench_settle_others(void)
{
    enum { OTHERS_NS = 20000000 }; /* libgomp busy-waits for 300,000 pauses, which take 5 to 15 ms */
    rest(OTHERS_NS);
}

char *bench_cpus_text(char *buf, size_t n, const bench_cpus *cpus)
{
    if (cpus->n == 0) {
        snprintf(buf, n, "threads are not pinned");
        return buf;
    }
    int at = snprintf(buf, n, "while timed, thread t on the t-th of processors ");
    for (int i = 0; i < cpus->n && at > 0 && (size_t)at < n; i++)
        at += snprintf(buf + at, n - (size_t)at, "%s%d", i ? "," : "", cpus->cpu[i]);
    return buf;
}
