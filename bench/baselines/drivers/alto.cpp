/* One mttkrp by ALTO, with one tensor for all modes. ALTO is a header of templates; ALTO_ORDER and ALTO_RANK,
 * set by the compiler's arguments, are the sizes that it specialises its loops for, as its config.mk offers. */
#include "bench_driver.h"

#include <math.h>
#include <typeinfo> // alto.hpp needs it

#define MAX_NUM_MODES 8
#define ALTO_MODES_SPECIALIZED 0, ALTO_ORDER
#define ALTO_RANKS_SPECIALIZED 0, ALTO_RANK
#include "alto.hpp"

#if defined(IDX_TYPE32) || defined(FP_TYPE32)
#error "this ALTO computes in float or with short indices"
#endif

enum { MAX_PACKINGS = 5 };

struct problem {
    int mode, rank;
    uint64_t order, ncells;
    SparseTensor entries;
    AltoTensor<ALTO_KEY> *tensor;
    FType **copies; /* of rows of the result, one for each thread that needs one */
    FType *factors[MAX_NUM_MODES]; /* [mode]: the result */
};

static FType *aligned_cells(uint64_t n)
{
    void *block;
    if (posix_memalign(&block, 64, (size_t)(n > 0 ? n : 1) * sizeof(FType)) != 0)
        bench_driver_fail("out of memory for %.3g cells", (double)n);
    return (FType *)block;
}

static double pack_once(problem *p, int nthreads)
{
    if (p->tensor)
        destroy_alto(p->tensor);
    const uint64_t start = bench_driver_now();
    create_alto(&p->entries, &p->tensor, nthreads);
    return (double)(bench_driver_now() - start);
}

/* The least of several packing times, taken for half a second. */
static double pack(problem *p, int nthreads)
{
    double best = INFINITY, sum = 0;
    for (int i = 0; i < MAX_PACKINGS && sum < 5e8; i++) {
        const double ns = pack_once(p, nthreads);
        best = ns < best ? ns : best;
        sum += ns;
    }
    return best;
}

/* Keys and values, and for modes with few entries per row their order by rows. */
static uint64_t tensor_nbytes(const problem *p)
{
    uint64_t nbytes = p->tensor->nnz * (sizeof(ALTO_KEY) + sizeof(ValType));
    for (uint64_t m = 0; p->tensor->is_oidx && m < p->order; m++)
        nbytes += p->tensor->oidx[m] ? p->tensor->nnz * sizeof(IType) : 0;
    return nbytes;
}

static void *open_case(bench_driver_ready *ready, bench_driver_case *c, int nthreads)
{
    static problem p;
    if (c->order != ALTO_ORDER || c->rank != ALTO_RANK)
        bench_driver_fail("this driver was compiled for another order or rank");
    for (uint64_t m = 0; m < c->order; m++)
        if (c->dims[m] < 2)
            bench_driver_fail("ALTO does not take modes of size 1: it counts the zeros above the highest bit of 0");
    p.mode = (int)c->mode;
    p.rank = (int)c->rank;
    p.order = c->order;
    p.ncells = c->ncells;
    p.entries.nmodes = (int)c->order;
    p.entries.dims = (IType *)c->dims;
    p.entries.nnz = c->nnz;
    p.entries.cidx = (IType **)c->crd;
    p.entries.vals = c->values;
    for (uint64_t m = 0, d = 0; m < c->order; m++) {
        const uint64_t n = c->dims[m] * c->rank;
        p.factors[m] = aligned_cells(n);
        memset(p.factors[m], 0, n * sizeof(FType));
        if (m != c->mode)
            memcpy(p.factors[m], c->dense[d++].values, n * sizeof(FType));
    }
    ready->pack_ns = pack(&p, nthreads);
    ready->nbytes = tensor_nbytes(&p);
    create_da_mem(p.mode, (IType)p.rank, p.tensor, &p.copies);
    return &p;
}

/* ALTO adds to the result, so its user has to clear the result first. */
static void run(void *state)
{
    problem *const p = (problem *)state;
    ParMemset(p->factors[p->mode], 0, p->ncells * sizeof(FType));
    mttkrp_alto_par(p->mode, p->factors, (IType)p->rank, p->tensor, (omp_lock_t *)NULL, p->copies);
}

static void overwrite(void *state)
{
    problem *const p = (problem *)state;
    for (uint64_t i = 0; i < p->ncells; i++)
        p->factors[p->mode][i] = NAN;
}

static const double *result(void *state)
{
    problem *const p = (problem *)state;
    return p->factors[p->mode];
}

int main(int argc, char **argv)
{
    bench_driver driver = {};
    driver.open = open_case;
    driver.run = run;
    driver.overwrite = overwrite;
    driver.result = result;
    return bench_driver_main(argc, argv, &driver);
}
