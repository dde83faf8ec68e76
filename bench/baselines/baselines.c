/* The list of baselines, and functions that several baselines use. */
#include <string.h>
#include <strings.h>

#include "bench_baseline.h"
#include "tsr_alloc.h"

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

/* Whether the case is this kernel, with values of f64. */
static bool is_kernel(const bench_case *c, const char *kernel)
{
    return strcmp(c->kernel->name, kernel) == 0 && c->type == TSR_F64;
}

const bench_library_kernel *bench_library_find(const bench_library_kernel *kernels, const bench_case *c)
{
    for (const bench_library_kernel *kernel = kernels; kernel->name; kernel++)
        if (is_kernel(c, kernel->name))
            return kernel;
    return NULL;
}

bool bench_is_mttkrp(const bench_case *c)
{
    return is_kernel(c, "mttkrp");
}

const tsr_tensor *bench_operand(const bench_case *c, const char *name)
{
    for (int t = 1; t < c->notation->ntensors; t++)
        if (strcmp(c->notation->tensor[t].name, name) == 0)
            return c->operand[t];
    return NULL;
}

const double *bench_values(const bench_case *c, const char *name)
{
    return bench_operand(c, name)->values.data;
}

static tsr_status copy_indices(void **out, const tsr_array *from, size_t nbytes, tsr_error *err)
{
    tsr_array copy;
    TSR_TRY(tsr_array_init(&copy, from->n, nbytes, 0, "a baseline", err));
    for (uint64_t n = 0; n < from->n; n++)
        tsr_array_set(&copy, n, tsr_array_get(from, n));
    *out = copy.data;
    return TSR_OK;
}

tsr_status bench_entries_init(bench_entries *out, const bench_case *c, size_t index_nbytes, tsr_error *err)
{
    return bench_entries_of(out, c->coo, index_nbytes, err);
}

tsr_status bench_entries_of(bench_entries *out, const tsr_coo *coo, size_t index_nbytes, tsr_error *err)
{
    const double *const from = coo->values.data;
    tsr_status status;
    void *block;
    *out = (bench_entries){0};
    TSR_TRY_OUT(copy_indices(&out->rows, &coo->crd[0], index_nbytes, err));
    TSR_TRY_OUT(copy_indices(&out->columns, &coo->crd[1], index_nbytes, err));
    TSR_TRY_OUT(tsr_alloc_array(&block, coo->nnz, sizeof *from, 0, "a baseline", err));
    out->values = block;
    for (uint64_t n = 0; n < coo->nnz; n++)
        out->values[n] = from[coo->iso ? 0 : n];
    return TSR_OK;
out:
    bench_entries_clear(out);
    return status;
}

void bench_entries_clear(bench_entries *entries)
{
    tsr_free(entries->rows);
    tsr_free(entries->columns);
    tsr_free(entries->values);
    *entries = (bench_entries){0};
}
