/* Threads: see tsr_parallel.h. */
#include "tsr_parallel.h"

#include <omp.h>

int tsr_thread_count(int requested)
{
    const int n = requested > 0 ? requested : omp_get_num_procs();
    return n < 1 ? 1 : n > TSR_MAX_THREADS ? TSR_MAX_THREADS : n;
}

void tsr_parallel(int nthreads, void (*body)(void *arg, int t, int nthreads), void *arg)
{
    if (nthreads <= 1) {
        body(arg, 0, 1);
        return;
    }
#pragma omp parallel for num_threads(nthreads) schedule(static, 1)
    for (int t = 0; t < nthreads; t++)
        body(arg, t, nthreads);
}
