/* The list of baselines, and what several ask. */
#include <string.h>

#include "bench_baseline.h"

const bench_baseline *const bench_baselines[] = {
    &bench_graphblas,
    &bench_librsb,
    &bench_eigen,
    NULL,
};

const bench_baseline *bench_baseline_find(const char *name, size_t nbytes)
{
    for (int i = 0; bench_baselines[i]; i++)
        if (strlen(bench_baselines[i]->name) == nbytes &&
            strncmp(bench_baselines[i]->name, name, nbytes) == 0)
            return bench_baselines[i];
    return NULL;
}

bool bench_is_spmv(const bench_case *c)
{
    return strcmp(c->kernel->name, "spmv") == 0 && c->type == TSR_F64;
}

bool bench_is_mttkrp(const bench_case *c)
{
    return strcmp(c->kernel->name, "mttkrp") == 0 && c->type == TSR_F64;
}
