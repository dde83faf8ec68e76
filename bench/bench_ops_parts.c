/* Rows of a file, and a builder that gets entries a few at a time, as benchmarks: see bench_ops.h. */
#include <inttypes.h>
#include <stdatomic.h>

#include "bench_ops.h"
#include "bench_random.h"
#include "tsr_alloc.h"
#include "tsr_builder.h"
#include "tsr_parallel.h"
#include "tsr_picked.h"

/* ---- rows ---- */

enum { ROWS = 1000, SHARE = 10 };

/* Choose rows: one in each of that many equal steps, at a place that a seed gives. */
static tsr_status rows_setup(bench_job *job, tsr_error *err)
{
    const uint64_t dim = job->source->order > 0 ? job->source->dims[0] : 0;
    const uint64_t n = dim / SHARE < 1 ? 1 : dim / SHARE < ROWS ? dim / SHARE : ROWS;
    uint64_t seed = 7;
    if (dim == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s has no rows", job->path);
    for (uint64_t i = 0; i < n; i++)
        tsr_text_addf(&job->rows, "%s%" PRIu64, i ? "," : "",
                      i * (dim / n) + bench_random(&seed) % (dim / n));
    return tsr_text_status(&job->rows, err);
}

static tsr_status rows_run(void *ctx, tsr_error *err)
{
    bench_job *const job = ctx;
    const tsr_picked picked = {.text = {tsr_text_cstr(&job->rows)}};
    tsr_read_options how = job->read ? *job->read : (tsr_read_options){0};
    tsr_data data = {0};
    how.nthreads = job->nthreads;
    how.select = &picked;
    TSR_TRY(tsr_read_selected(&data, job->path, NULL, &how, err));
    job->coo = data.coo;
    job->tensor = data.tensor;
    tsr_labels_free(data.labels);
    job->nnz = data.coo ? data.coo->nnz : data.tensor->npos;
    job->nbytes = data.coo ? tsr_coo_nbytes(data.coo) : tsr_tensor_nbytes(data.tensor);
    return TSR_OK;
}

/* Set place[row] to 1 + the number of the row among the chosen ones, and *nrows to how many they are. */
static tsr_status number_rows(uint64_t *place, uint64_t *nrows, const bench_job *job, tsr_error *err)
{
    const tsr_picked picked = {.text = {tsr_text_cstr(&job->rows)}};
    tsr_array list = {0};
    TSR_TRY(tsr_picked_list(&list, &picked, 0, job->source->dims[0], err));
    for (uint64_t i = 0; i < list.n; i++)
        place[tsr_array_get(&list, i)] = i + 1;
    *nrows = list.n;
    tsr_array_clear(&list);
    return TSR_OK;
}

/* The entries of the source in the chosen rows, one by one. */
static tsr_status take_rows(tsr_coo **out, const bench_job *job, const uint64_t *place, uint64_t nrows,
                            tsr_error *err)
{
    const tsr_coo *const from = job->source;
    uint64_t dims[TSR_MAX_ORDER], n = 0;
    for (int m = 0; m < from->order; m++)
        dims[m] = m == 0 ? nrows : from->dims[m];
    for (uint64_t i = 0; i < from->nnz; i++)
        n += place[tsr_array_get(&from->crd[0], i)] > 0;
    TSR_TRY(tsr_coo_new_sized(out, (tsr_shape){from->order, dims}, from->type, from->iso, n, err));
    tsr_coo *const to = *out;
    n = 0;
    for (uint64_t i = 0; i < from->nnz; i++) {
        const uint64_t row = place[tsr_array_get(&from->crd[0], i)];
        if (row == 0)
            continue;
        tsr_array_set(&to->crd[0], n, row - 1);
        for (int m = 1; m < from->order; m++)
            tsr_array_set(&to->crd[m], n, tsr_array_get(&from->crd[m], i));
        if (!from->iso)
            tsr_array_copy(&to->values, n, &from->values, i, i + 1);
        n++;
    }
    if (from->iso)
        tsr_array_copy(&to->values, 0, &from->values, 0, 1);
    return TSR_OK;
}

/* Whether the entries `mine` are those that must be there. */
static tsr_status same_entries(const tsr_coo *mine, const tsr_coo *right, tsr_error *err)
{
    bool same;
    tsr_error why = {0};
    TSR_TRY(tsr_coo_same(&same, mine, right, &why));
    return same ? TSR_OK : tsr_fail(err, TSR_CORRUPT, "wrong: %s", why.message);
}

static tsr_status rows_check(void *ctx, tsr_error *err)
{
    bench_job *const job = ctx;
    tsr_coo *right = NULL, *mine = NULL;
    void *place;
    uint64_t nrows;
    TSR_TRY(tsr_alloc_array(&place, job->source->dims[0], sizeof(uint64_t), 1, "the rows of a tensor", err));
    tsr_status status = number_rows(place, &nrows, job, err);
    if (status == TSR_OK)
        status = take_rows(&right, job, place, nrows, err);
    if (status == TSR_OK && job->tensor)
        status = tsr_unpack(&mine, job->tensor, job->nthreads, err);
    if (status == TSR_OK)
        status = same_entries(mine ? mine : job->coo, right, err);
    tsr_coo_free(mine);
    tsr_coo_free(right);
    tsr_free(place);
    return status;
}

const bench_op bench_op_rows = {
    .name = "rows",
    .summary = "1,000 rows of a file (a tenth of the rows where it has fewer) into memory",
    .needs_source = true,
    .setup = rows_setup,
    .prepare = bench_job_drop,
    .run = rows_run,
    .check = rows_check,
};

/* ---- a builder ---- */

enum { PIECE = 10000 };

/* Threads that add pieces of the source. */
typedef struct adding {
    const tsr_coo *source;
    tsr_builder *builder;
    atomic_uint_fast64_t next; /* piece */
    tsr_status *status;        /* one for each thread */
    tsr_error *err;            /* of the first one that failed */
    atomic_flag failed;
} adding;

static tsr_status add_piece(adding *a, uint64_t piece, tsr_error *err)
{
    const tsr_coo *const from = a->source;
    const uint64_t first = piece * PIECE, left = from->nnz - first;
    static const tsr_type widths[] = {[1] = TSR_U8, [2] = TSR_U16, [4] = TSR_U32, [8] = TSR_U64};
    tsr_builder_column crd[TSR_MAX_ORDER];
    for (int m = 0; m < from->order; m++)
        crd[m] = (tsr_builder_column){(const char *)from->crd[m].data + first * from->crd[m].width,
                                      widths[from->crd[m].width]};
    const tsr_builder_entries entries = {.n = left < PIECE ? left : PIECE,
                                         .crd = crd,
                                         .values = (const char *)from->values.data +
                                                   (from->iso ? 0 : first * from->values.width),
                                         .type = from->type,
                                         .iso = from->iso};
    return tsr_builder_add(a->builder, piece, &entries, err);
}

static void add_pieces(void *arg, int t, int nthreads)
{
    adding *const a = arg;
    tsr_error mine = {0};
    uint64_t piece;
    (void)nthreads;
    while (a->status[t] == TSR_OK && (piece = atomic_fetch_add(&a->next, 1)) * PIECE < a->source->nnz)
        a->status[t] = add_piece(a, piece, &mine);
    if (a->status[t] != TSR_OK && !atomic_flag_test_and_set(&a->failed))
        *a->err = mine;
}

/* All entries of the source, from all threads. */
static tsr_status add_all(tsr_builder *builder, const bench_job *job, tsr_error *err)
{
    const int nthreads = tsr_thread_count(job->nthreads);
    tsr_status status[TSR_MAX_THREADS] = {TSR_OK};
    adding a = {
        .source = job->source, .builder = builder, .status = status, .err = err, .failed = ATOMIC_FLAG_INIT};
    tsr_parallel(nthreads, add_pieces, &a);
    for (int t = 0; t < nthreads; t++)
        if (status[t] != TSR_OK)
            return status[t];
    return TSR_OK;
}

static tsr_status build(tsr_coo **out, const bench_job *job, tsr_error *err)
{
    tsr_builder_options how = {.order = job->source->order, .type = job->source->type};
    tsr_builder *builder;
    for (int m = 0; m < how.order; m++)
        how.dims[m] = job->source->dims[m];
    *out = NULL;
    TSR_TRY(tsr_builder_new(&builder, &how, err));
    tsr_status status = add_all(builder, job, err);
    if (status == TSR_OK)
        status = tsr_builder_take(out, builder, job->nthreads, err);
    tsr_builder_free(builder);
    return status;
}

static tsr_status build_setup(bench_job *job, tsr_error *err)
{
    job->nnz = job->source->nnz;
    job->nbytes = tsr_coo_nbytes(job->source);
    return bench_job_format(job, job->source, err);
}

static tsr_status build_run(void *ctx, tsr_error *err)
{
    bench_job *const job = ctx;
    const tsr_pack_options how = {.nthreads = job->nthreads};
    tsr_coo *coo;
    TSR_TRY(build(&coo, job, err));
    return tsr_pack(&job->tensor, coo, job->parsed, &how, NULL, err);
}

/* The builder has the entries of the source before they are packed. */
static tsr_status build_check(void *ctx, tsr_error *err)
{
    const bench_job *const job = ctx;
    tsr_coo *coo;
    TSR_TRY(tsr_tensor_check(job->tensor, 0, err));
    TSR_TRY(build(&coo, job, err));
    const tsr_status status = same_entries(coo, job->source, err);
    tsr_coo_free(coo);
    return status;
}

const bench_op bench_op_build = {
    .name = "build",
    .summary = "entries that threads add to a builder, 10,000 at a time, into a storage format",
    .needs_source = true,
    .setup = build_setup,
    .prepare = bench_job_drop,
    .run = build_run,
    .check = build_check,
};
