/* Products over ranks: see rank_product.h. */
#include "rank_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_format.h"
#include "tkern.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"
#include "tsr_write.h"

typedef tsr_rank_product product;

/* ---- which products ---- */

/* Whether the expression multiplies accesses only, each tensor once; *tensors: the set of those found. */
static bool is_product(const tsr_expr *e, uint32_t *tensors)
{
    if (e->kind == TSR_EXPR_MUL)
        return is_product(e->a, tensors) && is_product(e->b, tensors);
    const uint32_t bit = UINT32_C(1) << (e->kind == TSR_EXPR_ACCESS ? e->tensor : 0);
    if (e->kind != TSR_EXPR_ACCESS || e->window || e->mask != TSR_MASK_NONE || (*tensors & bit))
        return false;
    *tensors |= bit;
    return true;
}

/* Whether each tensor except `sparse` has the rows of one mode of the sparse tensor, a different mode each, and all
 * have the same columns. */
static bool suits(tsr_rank_roles *roles, const tsr_notation *n, int sparse)
{
    const tsr_expr *const a = tsr_notation_access(n, sparse);
    uint32_t modes = 0;
    *roles = (tsr_rank_roles){.sparse = sparse, .column = -2};
    if (a->nindices < 2 || n->ntensors > a->nindices + 1)
        return false;
    for (int m = 0; m < a->nindices; m++)
        if (tsr_expr_mode(a, a->index[m]) != m)
            return false;
    for (int t = 0; t < n->ntensors; t++) {
        const tsr_expr *const dense = tsr_notation_access(n, t);
        if (t == sparse)
            continue;
        if (dense->nindices < 1 || dense->nindices > 2)
            return false;
        const int column = dense->nindices == 2 ? dense->index[1] : -1;
        const int mode = tsr_expr_mode(a, dense->index[0]);
        if (mode < 0 || (modes >> mode & 1) || (roles->column != -2 && roles->column != column) ||
            (column >= 0 && tsr_expr_mode(a, column) >= 0))
            return false;
        roles->column = column;
        roles->mode[t] = mode;
        modes |= UINT32_C(1) << mode;
    }
    return true;
}

tsr_status tsr_rank_roles_find(tsr_rank_roles *roles, const tsr_notation *n, const bool *has_file,
                               tsr_error *err)
{
    uint32_t tensors = 0;
    const bool plain = n->nstatements == 0 && !tsr_notation_has_ending(n) && !n->selection.gives_place;
    const bool simple =
        plain && !n->is_truth && !n->accumulate && !n->reduction && is_product(n->rhs, &tensors);
    for (int t = 1; t < n->ntensors && simple; t++)
        if (has_file[t] && suits(roles, n, t))
            return TSR_OK;
    return tsr_fail(
        err, TSR_UNSUPPORTED,
        "ranks (mpirun) compute products of one sparse tensor from a file with a dense operand for "
        "each other mode, such as y(i) = A(i,j)*x(j) and Z(i,r) = T(i,j,k)*B(j,r)*C(k,r): use "
        "TESSERA_MPI=off for processes that work alone");
}

/* ---- the sparse tensor ---- */

static tsr_status read_sparse(product *p, const tsr_ranks *ranks, tsr_error *err)
{
    const tsr_rank_question *const q = &p->question;
    const int sparse = q->roles.sparse, order = tsr_notation_access(q->notation, sparse)->nindices;
    tsr_read_options how = {.nthreads = p->nthreads, .observer = q->observer, .shape_order = q->shape.ndims};
    tsr_feed *feed = NULL;
    for (int m = 0; m < q->shape.ndims; m++)
        how.shape[m] = q->shape.dims[m];
    tsr_status status = tsr_feed_open(&feed, q->path[sparse], NULL, &how, err);
    if (status == TSR_OK && feed->facts.order != order)
        status =
            tsr_fail_at(err, TSR_UNSUPPORTED, q->path[sparse], 0, 0,
                        "holds a tensor of %d mode%s, but %s has %d in the expression", feed->facts.order,
                        feed->facts.order == 1 ? "" : "s", q->notation->tensor[sparse].name, order);
    if (status == TSR_OK && !q->format && feed->facts.format)
        status = tsr_format_copy(&p->format, feed->facts.format, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    status = tsr_spread_new(&p->spread, feed, ranks, q->kind, q->observer, err);
out:
    tsr_feed_close(feed);
    return status;
}

/* The mode of the result first, then the shorter modes first. */
static tsr_status choose_format(product *p, tsr_error *err)
{
    const tsr_rank_question *const q = &p->question;
    const tsr_coo *const coo = p->spread->coo;
    int modes[TSR_MAX_ORDER], n = 1, nbits = 0;
    modes[0] = q->roles.mode[0];
    for (int m = 0; m < coo->order; m++) {
        if (m == modes[0])
            continue;
        int at = n++;
        for (; at > 1 && p->spread->dims[m] < p->spread->dims[modes[at - 1]]; at--)
            modes[at] = modes[at - 1];
        modes[at] = m;
    }
    if (p->format)
        return TSR_OK;
    if (q->format)
        return tsr_format_parse_sized(&p->format, &nbits, q->format, (tsr_shape){coo->order, coo->dims},
                                      TSR_F64, err);
    return tsr_format_nested(&p->format, coo->order, coo->order == 2 ? 1 : 0, modes, err);
}

static tsr_status pack_sparse(product *p, tsr_error *err)
{
    tsr_spread_tensor *const s = p->spread;
    if (s->coo->nnz == 0)
        return TSR_OK;
    TSR_TRY(choose_format(p, err));
    const tsr_pack_options how = {.nthreads = p->nthreads,
                                  .duplicates =
                                      tsr_format_keeps_duplicates(p->format) ? TSR_DUP_KEEP : TSR_DUP_SUM,
                                  .index_width = p->question.index_width,
                                  .observer = p->question.observer};
    tsr_coo *const coo = s->coo;
    s->coo = NULL;
    return tsr_pack(&p->tensor[p->question.roles.sparse], coo, p->format, &how, NULL, err);
}

/* ---- the dense operands ---- */

/* The row of this rank that has the index; nrows: there is no such row. */
static uint64_t find_row(const tsr_spread_mode *mode, uint64_t index)
{
    uint64_t lo = 0, hi = mode->nrows;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (mode->row[mid] < index)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < mode->nrows && mode->row[lo] == index ? lo : mode->nrows;
}

/* Check the dims of a file against those of the sparse tensor, and take over the number of columns. */
static tsr_status check_dims(product *p, int t, const tsr_coo *coo, tsr_error *err)
{
    tsr_rank_question *const q = &p->question;
    const tsr_notation *const n = q->notation;
    const tsr_expr *const access = tsr_notation_access(n, t);
    const uint64_t rows = p->spread->dims[q->roles.mode[t]];
    if (coo->order < access->nindices || coo->order > 2 ||
        (coo->order == 2 && access->nindices == 1 && coo->dims[1] != 1))
        return tsr_fail_at(err, TSR_UNSUPPORTED, q->path[t], 0, 0,
                           "holds a tensor of %d modes, but %s has %d in the expression", coo->order,
                           n->tensor[t].name, access->nindices);
    if (coo->dims[0] != rows)
        return tsr_fail_at(err, TSR_ARGUMENT, q->path[t], 0, 0, "%s is %llu in %s but %llu in %s",
                           n->var[access->index[0]], (unsigned long long)coo->dims[0], n->tensor[t].name,
                           (unsigned long long)rows, n->tensor[q->roles.sparse].name);
    if (access->nindices == 1)
        return TSR_OK;
    if (q->ncolumns == 0)
        q->ncolumns = coo->dims[1];
    return coo->dims[1] == q->ncolumns
               ? TSR_OK
               : tsr_fail_at(err, TSR_ARGUMENT, q->path[t], 0, 0, "%s is %llu in %s but %llu elsewhere",
                             n->var[q->roles.column], (unsigned long long)coo->dims[1], n->tensor[t].name,
                             (unsigned long long)q->ncolumns);
}

/* Read a dense operand as coordinates, on every rank. */
static tsr_status read_dense(tsr_coo **out, product *p, int t, tsr_error *err)
{
    const tsr_read_options how = {.nthreads = p->nthreads, .observer = p->question.observer};
    tsr_data data = {0};
    tsr_status status = tsr_read(&data, p->question.path[t], NULL, &how, err);
    if (status == TSR_OK)
        status = tsr_data_unpack(&data, p->nthreads, err);
    if (status == TSR_OK)
        status = tsr_coo_expand(data.coo, err);
    if (status == TSR_OK)
        status = tsr_coo_retype(data.coo, TSR_F64, err);
    if (status == TSR_OK)
        status = check_dims(p, t, data.coo, err);
    if (status == TSR_OK) {
        *out = data.coo;
        data.coo = NULL;
    }
    tsr_data_clear(&data);
    return status;
}

/* Only the rows that this rank owns: the other rows come from their owners. */
static void take_rows(double *rows, const tsr_coo *coo, const tsr_spread_mode *mode, uint64_t ncolumns)
{
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const uint64_t q = find_row(mode, tsr_array_get(&coo->crd[0], e));
        const uint64_t c = ncolumns > 1 ? tsr_array_get(&coo->crd[1], e) : 0;
        if (q < mode->nrows && !mode->borrowed[q])
            rows[q * ncolumns + c] += ((const double *)coo->values.data)[coo->iso ? 0 : e];
    }
}

static tsr_status make_dense(product *p, int t, const tsr_coo *coo, tsr_error *err)
{
    const tsr_rank_question *const q = &p->question;
    const tsr_spread_mode *const mode = &p->spread->mode[q->roles.mode[t]];
    const int order = q->roles.column >= 0 ? 2 : 1;
    const uint64_t dims[2] = {mode->nrows, q->ncolumns};
    if (mode->nrows == 0)
        return TSR_OK;
    TSR_TRY(tsr_cli_dense_tensor(&p->tensor[t], (tsr_shape){order, dims}, TSR_F64, err));
    double *const rows = p->tensor[t]->values.data;
    memset(rows, 0, tsr_array_nbytes(&p->tensor[t]->values));
    if (coo)
        take_rows(rows, coo, mode, q->ncolumns);
    for (uint64_t i = 0; i < mode->nrows && !coo; i++)
        if (!mode->borrowed[i])
            tsr_tkern_random_cells(rows + i * q->ncolumns,
                                   &(tsr_tkern_cells){q->notation->tensor[t].name, q->seed,
                                                      mode->row[i] * q->ncolumns, q->ncolumns});
    return TSR_OK;
}

static tsr_status make_operands(product *p, tsr_error *err)
{
    tsr_rank_question *const q = &p->question;
    tsr_coo *coo[TSR_NOTATION_MAX_TENSORS] = {NULL};
    tsr_status status = TSR_OK;
    if (q->roles.column < 0)
        q->ncolumns = 1;
    for (int t = 1; t < q->notation->ntensors && status == TSR_OK; t++)
        if (t != q->roles.sparse && q->path[t])
            status = read_dense(&coo[t], p, t, err);
    if (status == TSR_OK && q->ncolumns == 0)
        status = tsr_fail(err, TSR_ARGUMENT, "the size of %s is unknown: use --dims=%s:SIZE",
                          q->notation->var[q->roles.column], q->notation->var[q->roles.column]);
    for (int t = 1; t < q->notation->ntensors && status == TSR_OK; t++)
        if (t != q->roles.sparse)
            status = make_dense(p, t, coo[t], err);
    for (int t = 1; t < q->notation->ntensors; t++)
        tsr_coo_free(coo[t]);
    return status;
}

/* ---- the kernel ---- */

static tsr_status make_kernel(product *p, tsr_error *err)
{
    const tsr_rank_question *const q = &p->question;
    const uint64_t dims[2] = {p->spread->mode[q->roles.mode[0]].nrows, q->ncolumns};
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_tuning tuning;
    if (!p->tensor[q->roles.sparse])
        return TSR_OK;
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const tsr_kernel_options how = {
        .schedule = q->schedule, .tuning = &tuning, .nthreads = p->nthreads, .engine = q->engine};
    for (int t = 0; t < q->notation->ntensors; t++)
        tensors[t] = (tsr_kernel_tensor){.name = q->notation->tensor[t].name, .tensor = p->tensor[t]};
    tensors[0].dims = dims;
    for (int t = 1; t < q->notation->ntensors; t++)
        p->operands[t - 1] = p->tensor[t];
    TSR_TRY(tsr_kernel_new(&p->kernel, q->expression, tensors, q->notation->ntensors, &how, err));
    return tsr_kernel_result(&p->tensor[0], p->kernel, p->operands, err);
}

tsr_status tsr_rank_product_new(tsr_rank_product **out, const tsr_rank_question *question,
                                const tsr_ranks *ranks, tsr_error *err)
{
    product *const p = tsr_calloc(1, sizeof *p);
    *out = NULL;
    tsr_status status = p ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    p->question = *question;
    p->nthreads = question->nthreads;
    if (p->nthreads == 0) {
        p->nthreads = tsr_thread_count(0) / ranks->nlocal;
        p->nthreads = p->nthreads > 0 ? p->nthreads : 1;
    }
    TSR_TRY_OUT(read_sparse(p, ranks, err));
    status = pack_sparse(p, err);
    if (status == TSR_OK)
        status = make_operands(p, err);
    if (status == TSR_OK)
        status = make_kernel(p, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    TSR_TRY_OUT(tsr_spread_prepare(p->spread, p->question.ncolumns, err));
    *out = p;
    return TSR_OK;
out:
    tsr_rank_product_free(p);
    return status;
}

void tsr_rank_product_free(product *p)
{
    if (!p)
        return;
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        tsr_tensor_free(p->tensor[t]);
    tsr_kernel_free(p->kernel);
    tsr_format_free(p->format);
    tsr_spread_free(p->spread);
    tsr_free(p);
}

/* ---- running ---- */

static double *rows_of(const product *p, int t)
{
    return p->tensor[t] ? p->tensor[t]->values.data : NULL;
}

/* Each of the numbers becomes the largest one of all ranks. */
static tsr_status slowest(tsr_rank_seconds *seconds, const tsr_ranks *ranks, tsr_error *err)
{
    void *memory;
    TSR_TRY(tsr_ranks_gather(&memory, seconds, sizeof *seconds, ranks, "the times of ranks", err));
    const tsr_rank_seconds *const all = memory;
    for (int r = 0; r < ranks->n; r++) {
        seconds->fetch = fmax(seconds->fetch, all[r].fetch);
        seconds->compute = fmax(seconds->compute, all[r].compute);
        seconds->add = fmax(seconds->add, all[r].add);
        seconds->all = fmax(seconds->all, all[r].all);
    }
    tsr_free(memory);
    return TSR_OK;
}

tsr_status tsr_rank_product_run(product *p, tsr_rank_seconds *seconds, tsr_error *err)
{
    const tsr_rank_question *const q = &p->question;
    const tsr_ranks *const ranks = p->spread->ranks;
    uint64_t at[4] = {tsr_now_ns()};
    for (int t = 1; t < q->notation->ntensors; t++)
        if (t != q->roles.sparse)
            TSR_TRY(tsr_spread_fetch(rows_of(p, t), p->spread, q->roles.mode[t], err));
    at[1] = tsr_now_ns();
    tsr_status status = TSR_OK;
    if (p->kernel)
        status = tsr_kernel_run(p->kernel, p->tensor[0], p->operands, p->nthreads, err);
    at[2] = tsr_now_ns();
    TSR_TRY(tsr_ranks_agree(ranks, status, err));
    TSR_TRY(tsr_spread_add(rows_of(p, 0), p->spread, q->roles.mode[0], err));
    at[3] = tsr_now_ns();
    if (!seconds)
        return TSR_OK;
    *seconds = (tsr_rank_seconds){.fetch = 1e-9 * (double)(at[1] - at[0]),
                                  .compute = 1e-9 * (double)(at[2] - at[1]),
                                  .add = 1e-9 * (double)(at[3] - at[2]),
                                  .all = 1e-9 * (double)(at[3] - at[0])};
    return slowest(seconds, ranks, err);
}

static int compare(const void *a, const void *b)
{
    const double x = ((const tsr_rank_seconds *)a)->all, y = ((const tsr_rank_seconds *)b)->all;
    return (x > y) - (x < y);
}

tsr_status tsr_rank_product_time(tsr_rank_times *times, product *p, int n, tsr_error *err)
{
    void *memory;
    tsr_status status =
        tsr_alloc_array(&memory, (uint64_t)n, sizeof(tsr_rank_seconds), 0, "the times of runs", err);
    TSR_TRY_OUT(tsr_ranks_agree(p->spread->ranks, status, err));
    tsr_rank_seconds *const seconds = memory;
    for (int i = 0; i < n; i++)
        TSR_TRY_OUT(tsr_rank_product_run(p, &seconds[i], err));
    qsort(seconds, (size_t)n, sizeof *seconds, compare);
    *times = (tsr_rank_times){seconds[0], seconds[n / 2]};
out:
    tsr_free(memory);
    return status;
}

tsr_status tsr_rank_product_result(tsr_tensor **out, const product *p, tsr_error *err)
{
    const tsr_rank_question *const q = &p->question;
    const tsr_ranks *const ranks = p->spread->ranks;
    const int mode = q->roles.mode[0];
    const uint64_t dims[2] = {p->spread->dims[mode], q->ncolumns};
    tsr_status status = TSR_OK;
    double *all = NULL;
    *out = NULL;
    if (ranks->rank == 0) {
        status = tsr_cli_dense_tensor(out, (tsr_shape){q->roles.column >= 0 ? 2 : 1, dims}, TSR_F64, err);
        if (status == TSR_OK) {
            all = (*out)->values.data;
            memset(all, 0, tsr_array_nbytes(&(*out)->values));
        }
    }
    status = tsr_ranks_agree(ranks, status, err);
    if (status == TSR_OK)
        status = tsr_spread_collect(all, rows_of(p, 0), p->spread, mode, err);
    if (status != TSR_OK) {
        tsr_tensor_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- counts ---- */

tsr_status tsr_rank_product_count(tsr_rank_counts *counts, const product *p, tsr_error *err)
{
    const tsr_ranks *const ranks = p->spread->ranks;
    const tsr_spread_tensor *const s = p->spread;
    const uint64_t mine[2] = {s->sent_nbytes, s->setup_nbytes};
    void *memory;
    TSR_TRY(tsr_ranks_gather(&memory, mine, sizeof mine, ranks, "the counts of ranks", err));
    const uint64_t *const all = memory;
    *counts = (tsr_rank_counts){.nnz = s->nnz, .max_nnz = s->max_nnz};
    for (int r = 0; r < ranks->n; r++) {
        const uint64_t sent = all[2 * r];
        counts->sent_nbytes += sent;
        counts->setup_nbytes += all[2 * r + 1];
        counts->max_sent_nbytes = sent > counts->max_sent_nbytes ? sent : counts->max_sent_nbytes;
    }
    for (int t = 0; t < p->question.notation->ntensors; t++)
        if (t != p->question.roles.sparse)
            counts->model_nbytes += s->model.mode[p->question.roles.mode[t]].moved * 8 * (double)s->ncolumns;
    tsr_free(memory);
    return TSR_OK;
}
