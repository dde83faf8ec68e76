/* The list of baselines, and functions that several baselines use. */
#include <string.h>
#include <strings.h>

#include "bench_baseline.h"

const bench_baseline *const bench_baselines[] = {
#define X(name) &bench_##name,
#include "bench_baselines.def"
#undef X
    NULL,
};

const bench_baseline *bench_baseline_find(const char *name, size_t nbytes)
{
    for (int i = 0; bench_baselines[i]; i++)
        if (strlen(bench_baselines[i]->name) == nbytes &&
            strncasecmp(bench_baselines[i]->name, name, nbytes) == 0)
            return bench_baselines[i];
    return NULL;
}

bool bench_is_mttkrp(const bench_case *c)
{
    return strcmp(c->kernel->name, "mttkrp") == 0 && c->type == TSR_F64;
}
