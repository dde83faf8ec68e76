/* Properties of this machine: see tsr_machine.h. */
#include "tsr_machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_parallel.h"
#include "tsr_system.h"

uint64_t tsr_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t tsr_memory_nbytes(void)
{
    const long npages = sysconf(_SC_PHYS_PAGES), page_nbytes = sysconf(_SC_PAGESIZE);
    return npages > 0 && page_nbytes > 0 ? (uint64_t)npages * (uint64_t)page_nbytes : UINT64_MAX;
}

/* ---- caches ---- */

enum { CACHE_WORD_NBYTES = 32 };

/* The first word of a file in Linux's description of cache number i of the first processor. */
static bool cache_word(char *word, int i, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "%s/cpu0/cache/index%d/%s", tsr_system_path(TSR_SYSTEM_CPUS), i, name);
    FILE *const f = fopen(path, "r");
    const bool found = f && fgets(word, CACHE_WORD_NBYTES, f);
    if (found)
        word[strcspn(word, " \n")] = '\0';
    if (f)
        fclose(f);
    return found;
}

uint64_t tsr_cache_nbytes(int level)
{
    char word[CACHE_WORD_NBYTES];
    for (int i = 0; i < 8 && cache_word(word, i, "level"); i++) {
        if (strtol(word, NULL, 10) != level || !cache_word(word, i, "type") ||
            strcmp(word, "Instruction") == 0 || !cache_word(word, i, "size"))
            continue;
        const unsigned long kb = strtoul(word, NULL, 10);
        if (kb > 0 && kb <= UINT32_MAX)
            return (uint64_t)kb * 1024;
    }
    return 0;
}

uint64_t tsr_last_cache_nbytes(void)
{
    uint64_t nbytes = 0;
    for (int level = 1; level <= 4; level++) {
        const uint64_t n = tsr_cache_nbytes(level);
        nbytes = n > nbytes ? n : nbytes;
    }
    return nbytes;
}

/* ---- bandwidth ---- */

enum { NRUNS = 7, MIN_NBYTES = 32 << 20, MAX_NBYTES = 512 << 20 };

typedef struct triad {
    uint64_t n;
    double *a, *b, *c; /* n entries each */
} triad;

static void fill(void *arg, int t, int nthreads)
{
    const triad *const x = arg;
    for (uint64_t i = tsr_cut(x->n, t, nthreads); i < tsr_cut(x->n, t + 1, nthreads); i++) {
        x->a[i] = 0;
        x->b[i] = (double)i;
        x->c[i] = 1;
    }
}

static void run(void *arg, int t, int nthreads)
{
    const triad *const x = arg;
    double *restrict const a = x->a;
    const double *restrict const b = x->b, *restrict const c = x->c;
    const uint64_t hi = tsr_cut(x->n, t + 1, nthreads);
    for (uint64_t i = tsr_cut(x->n, t, nthreads); i < hi; i++)
        a[i] = b[i] + 3 * c[i];
}

double tsr_measure_bandwidth(int nthreads)
{
    uint64_t nbytes = 2 * tsr_last_cache_nbytes();
    nbytes = nbytes < MIN_NBYTES ? MIN_NBYTES : nbytes > MAX_NBYTES ? MAX_NBYTES : nbytes;
    triad x = {.n = nbytes / sizeof(double)};
    x.a = tsr_malloc(nbytes);
    x.b = tsr_malloc(nbytes);
    x.c = tsr_malloc(nbytes);
    double best = 0;
    if (x.a && x.b && x.c) {
        nthreads = tsr_thread_count(nthreads);
        tsr_parallel(nthreads, fill, &x);
        for (int r = 0; r < NRUNS; r++) {
            const uint64_t start = tsr_now_ns();
            tsr_parallel(nthreads, run, &x);
            const double seconds = 1e-9 * (double)(tsr_now_ns() - start);
            const double rate = seconds > 0 ? 3 * (double)nbytes / seconds : 0;
            best = rate > best ? rate : best;
        }
    }
    tsr_free(x.a);
    tsr_free(x.b);
    tsr_free(x.c);
    return best;
}
