/* The child that runs a kernel written by taco. tbench puts three texts before this one: bench_driver.h, the
 * C of taco, and the description of the case (a tensor has its number in the expression; 0 is the result):
 *
 *     #define TACO_SPARSE 1              the operand that has the entries
 *     #define TACO_ASSEMBLES 0           whether each run assembles the result
 *     #define TACO_STORED {"d", {0}, 0}  the levels of each tensor, in taco's letters, their modes, and whether it is a
 *                                        further sparse operand; others but TACO_SPARSE are dense
 *     #define TACO_ASSEMBLE(t) assemble(t[0], t[1])
 *     #define TACO_COMPUTE(t) compute(t[0], t[1])
 *     #define TACO_EVALUATE(t) evaluate(t[0], t[1])  only where both in one are wanted
 *
 * All values are double. Unless TACO_ASSEMBLES, the result is assembled once; a run is only taco's compute, which
 * includes the necessary zeroing. */
#include <stdbool.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { MAX_ORDER = 16 };

static const struct {
    const char *
        levels; /* one letter per level: d (dense), s (sparse; u: its coordinates may repeat), q or c (singleton); "": a scalar */
    int modes[MAX_ORDER];
    int is_other;
} stored[] = {TACO_STORED};

enum { NTENSORS = sizeof stored / sizeof *stored };

typedef struct taco {
    taco_tensor_t *tensor[NTENSORS];
    uint64_t nvalues;             /* values of the result */
    bool is_sparse;               /* the result is sparse */
    bench_driver_entries entries; /* room for the entries of a sparse result */
} taco;

static uint64_t in_32_bits(uint64_t n, const char *what)
{
    if (n >= INT32_MAX) /* taco adds 1 to the number */
        bench_driver_fail("taco counts in 32 bits, which is too small for %llu %s", (unsigned long long)n,
                          what);
    return n;
}

static taco_tensor_t *new_tensor(int number, uint64_t order, const uint64_t *dims)
{
    taco_tensor_t *const t = bench_driver_alloc(1, sizeof *t);
    memset(t, 0, sizeof *t);
    t->order = (int32_t)order;
    t->csize = sizeof(double);
    t->dimensions = bench_driver_alloc(order, sizeof *t->dimensions);
    t->mode_ordering = bench_driver_alloc(order, sizeof *t->mode_ordering);
    t->mode_types = bench_driver_alloc(order, sizeof *t->mode_types);
    t->indices = bench_driver_alloc(order, sizeof *t->indices);
    for (uint64_t l = 0; l < order; l++) {
        t->dimensions[l] = (int32_t)in_32_bits(dims[l], "rows or columns");
        t->mode_ordering[l] = stored[number].modes[l];
        t->mode_types[l] = stored[number].levels[l] == 'd' ? taco_mode_dense : taco_mode_sparse;
        t->indices[l] = bench_driver_alloc(2, sizeof *t->indices[l]);
        t->indices[l][0] = t->indices[l][1] = NULL;
    }
    return t;
}

/* ---- the operands ---- */

/* The numbers of the entries in the order of the levels: a radix sort from the mode of the last level to that
 * of the first, 16 bits at a time. */
static uint32_t *sorted(const bench_driver_sparse *c, const int *modes)
{
    uint32_t *order = bench_driver_alloc(c->nnz, sizeof *order),
             *other = bench_driver_alloc(c->nnz, sizeof *other);
    for (uint64_t n = 0; n < c->nnz; n++)
        order[n] = (uint32_t)n;
    for (int l = (int)c->order - 1; l >= 0; l--) {
        const int m = modes[l];
        for (int shift = 0; (c->dims[m] - 1) >> shift > 0; shift += 16) {
            static uint64_t start[(1 << 16) + 1];
            memset(start, 0, sizeof start);
            for (uint64_t n = 0; n < c->nnz; n++)
                start[(c->crd[m][n] >> shift & 0xffff) + 1]++;
            for (int digit = 0; digit < 1 << 16; digit++)
                start[digit + 1] += start[digit];
            for (uint64_t n = 0; n < c->nnz; n++)
                other[start[c->crd[m][order[n]] >> shift & 0xffff]++] = order[n];
            uint32_t *const swap = order;
            order = other;
            other = swap;
        }
    }
    free(other);
    return order;
}

/* The coordinates of a mode: crd[order[0]], crd[order[1]]..., crd[order[n - 1]]. */
typedef struct {
    const int64_t *crd;
    const uint32_t *order;
    uint64_t n;
} column;

/* Make a compressed level below `nparents` nodes; at[n] is the parent node of entry order[n], and then
 * becomes the node of the entry in this level. Where coordinates repeat, each entry has a node. Returns the number of
 * nodes. */
static uint64_t compress(uint8_t **arrays, uint32_t *at, column c, uint64_t nparents, bool repeats)
{
    int32_t *const pos = bench_driver_alloc(nparents + 1, sizeof *pos);
    int32_t *const nodes = bench_driver_alloc(c.n, sizeof *nodes);
    uint64_t nnodes = 0;
    uint32_t parent = 0;
    memset(pos, 0, (nparents + 1) * sizeof *pos);
    for (uint64_t n = 0; n < c.n; n++) {
        const int32_t i = (int32_t)c.crd[c.order[n]];
        if (repeats || n == 0 || at[n] != parent || nodes[nnodes - 1] != i) {
            parent = at[n];
            pos[parent + 1]++;
            nodes[nnodes++] = i;
        }
        at[n] = (uint32_t)(nnodes - 1);
    }
    for (uint64_t p = 0; p < nparents; p++)
        pos[p + 1] += pos[p];
    arrays[0] = (uint8_t *)pos;
    arrays[1] = realloc(nodes, (nnodes ? nnodes : 1) * sizeof *nodes);
    return nnodes;
}

/* The coordinates of a singleton level, whose parents are the entries. */
static void list(uint8_t **arrays, column c)
{
    int32_t *const nodes = bench_driver_alloc(c.n, sizeof *nodes);
    for (uint64_t n = 0; n < c.n; n++)
        nodes[n] = (int32_t)c.crd[c.order[n]];
    arrays[1] = (uint8_t *)nodes;
}

static taco_tensor_t *pack(uint64_t *nbytes, int number, const bench_driver_sparse *c)
{
    const int *const modes = stored[number].modes;
    taco_tensor_t *const t = new_tensor(number, c->order, c->dims);
    uint32_t *const order = sorted(c, modes), *const at = bench_driver_alloc(c->nnz, sizeof *at);
    uint64_t nnodes = 1;
    memset(at, 0, c->nnz * sizeof *at);
    for (uint64_t l = 0; l < c->order; l++) {
        const int m = modes[l];
        const uint64_t nparents = nnodes;
        if (t->mode_types[l] == taco_mode_dense) {
            nnodes = in_32_bits(nnodes * c->dims[m], "cells");
            for (uint64_t n = 0; n < c->nnz; n++)
                at[n] = (uint32_t)(at[n] * c->dims[m] + (uint64_t)c->crd[m][order[n]]);
        } else if (strchr("qc", stored[number].levels[l])) {
            list(t->indices[l], (column){c->crd[m], order, c->nnz});
            *nbytes += nnodes * sizeof(int32_t);
        } else {
            nnodes = compress(t->indices[l], at, (column){c->crd[m], order, c->nnz}, nparents,
                              stored[number].levels[l] == 'u');
            *nbytes += (nparents + 1 + nnodes) * sizeof(int32_t);
        }
    }
    double *const values = bench_driver_alloc(nnodes, sizeof *values);
    memset(values, 0, nnodes * sizeof *values);
    for (uint64_t n = 0; n < c->nnz; n++)
        values[at[n]] += c->values[order[n]];
    *nbytes += nnodes * sizeof *values;
    t->vals = (uint8_t *)values;
    t->vals_size = (int32_t)nnodes;
    free(order);
    free(at);
    for (uint64_t m = 0; m < c->order; m++)
        free(c->crd[m]);
    free(c->values);
    return t;
}

static taco_tensor_t *wrap_dense(int number, const bench_driver_dense *from)
{
    taco_tensor_t *const t = new_tensor(number, from->order, from->dims);
    uint64_t n = 1;
    for (uint64_t m = 0; m < from->order; m++)
        n = in_32_bits(n * from->dims[m], "cells of a dense operand");
    t->vals = (uint8_t *)from->values;
    t->vals_size = (int32_t)n;
    return t;
}

/* ---- the result ---- */

/* Whether level l of the result is a singleton level: a node for each parent. */
static bool is_single(int l)
{
    return strchr("qc", stored[0].levels[l]) != NULL;
}

static uint64_t count_values(const taco_tensor_t *t)
{
    uint64_t n = 1;
    for (int l = 0; l < t->order; l++)
        if (t->mode_types[l] == taco_mode_dense)
            n *= (uint64_t)t->dimensions[t->mode_ordering[l]];
        else if (!is_single(l))
            n = (uint64_t)((const int32_t *)t->indices[l][0])[n];
    return n;
}

/* Write the coordinates of all entries below a node of level l - 1. */
static void add_entries(bench_driver_entries *e, int64_t *idx, const taco_tensor_t *t, int l, uint64_t node)
{
    if (l == t->order) {
        for (int m = 0; m < t->order; m++)
            e->crd[m][e->n] = idx[m];
        e->values[e->n++] = ((const double *)t->vals)[node];
        return;
    }
    const int m = t->mode_ordering[l];
    if (t->mode_types[l] == taco_mode_dense) {
        for (idx[m] = 0; idx[m] < t->dimensions[m]; idx[m]++)
            add_entries(e, idx, t, l + 1, node * (uint64_t)t->dimensions[m] + (uint64_t)idx[m]);
    } else if (is_single(l)) {
        idx[m] = ((const int32_t *)t->indices[l][1])[node];
        add_entries(e, idx, t, l + 1, node);
    } else {
        const int32_t *const pos = (const int32_t *)t->indices[l][0], *const crd =
                                                                          (const int32_t *)t->indices[l][1];
        for (int32_t p = pos[node]; p < pos[node + 1]; p++) {
            idx[m] = crd[p];
            add_entries(e, idx, t, l + 1, (uint64_t)p);
        }
    }
}

static const double *taco_result(void *state)
{
    return (const double *)((taco *)state)->tensor[0]->vals;
}

static void free_result(taco_tensor_t *t)
{
    for (int l = 0; l < t->order; l++)
        for (int k = 0; k < 2 && t->mode_types[l] == taco_mode_sparse; k++) {
            free(t->indices[l][k]);
            t->indices[l][k] = NULL;
        }
    free(t->vals);
    t->vals = NULL;
}

/* Room for the entries of the result, whose number may be another one after each run. */
static void make_room(taco *s)
{
    taco_tensor_t *const t = s->tensor[0];
    const uint64_t n = count_values(t);
    if (!s->is_sparse || (s->entries.crd && n <= s->nvalues)) {
        s->nvalues = n;
        return;
    }
    s->nvalues = n;
    free(s->entries.values);
    s->entries.values = bench_driver_alloc(n, sizeof *s->entries.values);
    for (int m = 0; m < t->order && s->entries.crd; m++)
        free(s->entries.crd[m]);
    free(s->entries.crd);
    s->entries.crd = bench_driver_alloc((uint64_t)t->order, sizeof *s->entries.crd);
    for (int m = 0; m < t->order; m++)
        s->entries.crd[m] = bench_driver_alloc(n, sizeof *s->entries.crd[m]);
}

static void assemble_result(taco *s)
{
    TACO_ASSEMBLE(s->tensor);
    if (!s->tensor[0]->vals)
        bench_driver_fail("taco's function assemble made no values");
}

static void new_result(taco *s, const bench_driver_case *c)
{
    s->tensor[0] = new_tensor(0, c->result_order, c->result_dims);
    s->is_sparse = strpbrk(stored[0].levels, "suqc") != NULL;
    if (!s->is_sparse)
        in_32_bits(c->ncells, "cells of a dense result");
    assemble_result(s);
    make_room(s);
}

static void taco_entries(bench_driver_entries *out, void *state)
{
    taco *const s = state;
    int64_t idx[MAX_ORDER];
    if (s->is_sparse) {
        make_room(s);
        s->entries.n = 0;
        add_entries(&s->entries, idx, s->tensor[0], 0, 0);
        *out = s->entries;
    }
}

/* ---- functions for tbench ---- */

static void *taco_open(bench_driver_ready *ready, bench_driver_case *c, int nthreads)
{
    taco *const s = bench_driver_alloc(1, sizeof *s);
    memset(s, 0, sizeof *s);
#ifdef _OPENMP
    if (!getenv("OMP_SCHEDULE")) /* taco's loops have schedule(runtime), and this is taco's own setting */
        omp_set_schedule(omp_sched_static, 0);
    omp_set_num_threads(nthreads);
#endif
    in_32_bits(c->nnz, "entries");
    const bench_driver_sparse main_operand = {c->order, c->nnz, c->dims, c->crd, c->values};
    for (int t = 1, d = 0, other = 0; t < NTENSORS; t++)
        if (t == TACO_SPARSE)
            s->tensor[t] = pack(&ready->nbytes, t, &main_operand);
        else if (stored[t].is_other)
            s->tensor[t] = pack(&ready->nbytes, t, &c->others[other++]);
        else
            s->tensor[t] = wrap_dense(t, &c->dense[d++]);
    new_result(s, c);
    return s;
}

/* What the last run made is freed, as tbench frees results of Tessera, while no time is taken. */
static void taco_prepare(void *state)
{
    if (TACO_ASSEMBLES)
        free_result(((taco *)state)->tensor[0]);
}

static void taco_run(void *state)
{
    taco *const s = state;
#ifdef TACO_EVALUATE
    TACO_EVALUATE(s->tensor);
#else
    if (TACO_ASSEMBLES)
        assemble_result(s);
    TACO_COMPUTE(s->tensor);
#endif
}

static void taco_overwrite(void *state)
{
    taco *const s = state;
    memset(s->tensor[0]->vals, 0xff, count_values(s->tensor[0]) * sizeof(double)); /* NaN */
}

int main(int argc, char **argv)
{
    static const bench_driver driver = {.open = taco_open,
                                        .prepare = taco_prepare,
                                        .run = taco_run,
                                        .overwrite = taco_overwrite,
                                        .result = taco_result,
                                        .entries = taco_entries};
    return bench_driver_main(argc, argv, &driver);
}
