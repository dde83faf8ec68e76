/* What a run takes: amounts, counted on samples, times costs. One core takes
 *
 *     (stream^p + work^p)^(1/p) + misses + breaks,     p = 1.5,
 *     stream = lines from memory, or from the last cache if all data fit into it,
 *     work = slots + rows and fibers + lines of dense rows + updates of the result + chains,
 *
 * since the next lines of a stream arrive while the core works, but never quite all, and a miss is waited for. A dense tensor whose
 * cells come in order is a stream; of another one the misses count. A miss of the line after one that was used lately is part of a
 * stream, too: the processor reads ahead. On p cores all but the streams divide by p, a shared last cache is p times as small for each, and cores that scatter into the
 * same result each have a copy of it, which is cleared and added up. The rows of loops.def say how a class of loops differs. */
#include <math.h>
#include <string.h>

#include "advise_model.h"

enum { LINE_NBYTES = 64 };
static const double overlap = 1.5; /* 1: a stream hides no work; large: all of it */

static double lines(double nbytes)
{
    return nbytes / LINE_NBYTES;
}

/* Bytes of the whole dense tensor. */
static double dense_nbytes(const advise_access *a)
{
    double nbytes = a->row_nbytes;
    for (int m = 0; m < a->nmodes; m++)
        nbytes *= (double)a->dims[m];
    return nbytes;
}

/* Lines of a row, at least one. */
static double row_lines(double nbytes)
{
    return nbytes < LINE_NBYTES ? 1 : ceil(lines(nbytes));
}

/* Whether each slot adds a row of a dense tensor. */
static bool adds_rows(const advise_shape *shape)
{
    bool any = false;
    for (int k = 0; k < shape->naccesses; k++)
        any = any || shape->access[k].row_nbytes > (double)sizeof(double);
    return any;
}

/* Whether the slots below a position of the last level but one, the rows of blocks, are added to as many cells of the result, all at
 * once: they are cells of a dense level, and its mode is one of the result, or each slot adds a row. Else they are added up. */
static bool adds_side_by_side(const advise_visit *v, const advise_shape *shape)
{
    const int last = v->binding->format->nlevels - 1;
    const advise_access *const result = &shape->access[0];
    bool is_in_result = false;
    for (int k = 0; k < result->nmodes; k++)
        is_in_result = is_in_result || v->known[result->mode[k]] == last;
    return v->binding->format->levels[last].type->full && (adds_rows(shape) || is_in_result);
}

/* Count the levels: slots of the last one, and the rows and fibers above it. */
static void count_levels(double *amount, const advise_visit *v, const advise_shape *shape)
{
    const tsr_format *const format = v->binding->format;
    const int last = format->nlevels - 1, end = adds_side_by_side(v, shape) ? last - 1 : last;
    amount[TSR_COST_ENTRY] = v->npos[last];
    for (int l = 0; l < end; l++)
        if (!format->levels[l + 1].type->branchless)
            amount[TSR_COST_FIBER] += v->npos[l];
    /* a wrong guess hides where a row of a dense tensor is added up meanwhile; short rows make no loop */
    const double parents = v->lists > 0 ? v->npos[v->lists - 1] : 0,
                 mean = parents > 0 ? v->npos[v->lists] / parents : 0;
    amount[TSR_COST_BREAK] = v->nbreaks * (adds_rows(shape) ? 0.5 : mean < 4 ? mean / 4 * mean / 4 : 1);
}

/* Rows of the result that are added to: kernels add up neighbours with the same row where there are about six. */
static double count_row_updates(const advise_use *use)
{
    enum { NEIGHBOURS = 6 };
    return use->times >= NEIGHBOURS * use->runs ? use->runs : use->times;
}

/* Count how a dense tensor is used. */
static void count_access(double *amount, const advise_use *use, const advise_access *a, bool is_result,
                         bool scattered, double value_nbytes)
{
    const double per_row = row_lines(a->row_nbytes), twice = scattered ? 2 : 1;
    const double m1 = use->misses[0], m2 = fmin(use->misses[1], m1), m3 = fmin(use->misses[2], m2);
    const bool is_row = a->row_nbytes > value_nbytes;
    if (is_row) /* a row that is added to is read and written */
        amount[TSR_COST_VECTOR] += per_row * (is_result ? 2 * count_row_updates(use) : use->times);
    amount[TSR_COST_SECOND] += (m1 - m2) * per_row * twice;
    amount[TSR_COST_THIRD] += (m2 - m3) * per_row * twice;
    amount[TSR_COST_MEMORY] += m3 * per_row * twice;
    /* a result is written as a whole in any case */
    const double s2 = use->sequential[1] * per_row, s3 = fmin(use->sequential[2] * per_row, s2),
                 whole = is_result ? lines(dense_nbytes(a)) : 0;
    amount[TSR_COST_STREAM] += fmax(s3 - whole, 0);
    amount[TSR_COST_NEAR] += fmax(s2 - fmax(s3, whole), 0);
    if (scattered && !is_row)
        amount[TSR_COST_UPDATE] += use->times;
}

/* Whether the format brings all entries of a cell of the result together. */
static bool is_gathered(const advise_use *use)
{
    return use->runs <= 1.02 * use->cells;
}

/* The share of the entries in slices that are too long for a sample. */
static double hot_share(const advise_access *a)
{
    const tsr_sample *const s = a->sample;
    const bool is_known = s && s->nnz > 0 && tsr_units_are_whole(&a->units.kind, s);
    return is_known && s->eligible < (double)s->nnz ? 1 - s->eligible / (double)s->nnz : 0;
}

/* Additions to the result that wait for the one before, if the loop adds in memory: those of long runs of one cell, or one row. The entries of
 * slices that are too long for a sample are such runs where the format brings the entries of a cell together. */
static double count_chains(const advise_use *use, double hot)
{
    enum { UNDER_WAY = 24 }; /* entries that a core works on at the same time */
    const double run = use->runs > 0 ? use->times / use->runs : 0;
    const double others = use->times * (1 - hot) * (run < UNDER_WAY ? run / UNDER_WAY : 1);
    return others + (is_gathered(use) ? use->times * hot : 0);
}

/* The same of blocks whose slots are added to cells of the result side by side: each block of a row of blocks waits for the one before;
 * where the cells are no vector of the processor (2, 4, 8...), each column of the block waits. */
static double count_block_chains(const advise_visit *v, double hot)
{
    enum { UNDER_WAY = 40 }; /* of shorter rows a core works on several at the same time */
    const int last = v->binding->format->nlevels - 1, lists = v->lists;
    const uint64_t side = v->binding->size[last];
    const bool is_vector = (side & (side - 1)) == 0;
    if (lists == 0 || lists == last || v->npos[lists - 1] == 0)
        return 0;
    const double steps = is_vector || lists + 1 == last ? 1 : (double)v->binding->size[last - 1];
    const double run = steps * v->npos[lists] / v->npos[lists - 1];
    const double waits = run < UNDER_WAY ? run * run / (UNDER_WAY * UNDER_WAY) : 1;
    return v->npos[lists] * steps * (hot + (1 - hot) * waits);
}

static double count_result_chains(const advise_visit *v, const advise_shape *shape, const advise_use *use)
{
    const double hot = hot_share(&shape->access[0]);
    if (!v->binding->format->levels[v->binding->format->nlevels - 1].type->full)
        return count_chains(use, hot);
    if (shape->access[0].row_nbytes > sizeof(double))
        return 0; /* the rows of a block are under way together */
    return adds_side_by_side(v, shape) ? count_block_chains(v, hot) : 0; /* sums are not in memory */
}

/* Take from the work what the stream hides, so that the terms still add up. */
static void hide_work(double *ps)
{
    static const tsr_cost work[] = {TSR_COST_ENTRY, TSR_COST_FIBER, TSR_COST_VECTOR, TSR_COST_UPDATE,
                                    TSR_COST_CHAIN};
    enum { NWORK = sizeof work / sizeof *work };
    double sum = 0;
    for (int k = 0; k < NWORK; k++)
        sum += ps[work[k]];
    const double stream = ps[TSR_COST_STREAM] + ps[TSR_COST_NEAR];
    const double left =
        sum > 0 ? (pow(pow(stream, overlap) + pow(sum, overlap), 1 / overlap) - stream) / sum : 0;
    for (int k = 0; k < NWORK; k++)
        ps[work[k]] *= left;
}

static void apply_costs(tsr_advice_row *row, double *kernel_ns, const double *amount,
                        const advise_kernel *kernel, const tsr_costs *costs, int nthreads)
{
    const advise_loop *const loop = kernel->loop;
    const double miss = adds_rows(kernel->shape) ? loop->row_miss : loop->miss;
    const double factor[TSR_NCOSTS] = {[TSR_COST_STREAM] = 1,           [TSR_COST_ENTRY] = loop->entry,
                                       [TSR_COST_FIBER] = loop->fiber,  [TSR_COST_VECTOR] = loop->vector,
                                       [TSR_COST_SECOND] = miss,        [TSR_COST_THIRD] = miss,
                                       [TSR_COST_MEMORY] = miss,        [TSR_COST_UPDATE] = loop->update,
                                       [TSR_COST_CHAIN] = loop->chain,  [TSR_COST_COPY] = 1,
                                       [TSR_COST_BREAK] = loop->break_, [TSR_COST_NEAR] = 1,
                                       [TSR_COST_PRODUCT] = 1};
    double ps[TSR_NCOSTS];
    for (int c = 0; c < TSR_NCOSTS; c++)
        ps[c] = amount[c] * costs->ps[c] * factor[c] / nthreads;
    if (nthreads > 1)
        ps[TSR_COST_STREAM] =
            amount[TSR_COST_STREAM] * fmax(costs->stream_all_ps, costs->ps[TSR_COST_STREAM] / nthreads);
    hide_work(ps);
    *kernel_ns = 0;
    for (int c = 0; c < TSR_NCOSTS; c++) {
        row->amount[c] += amount[c];
        row->ns[c] += ps[c] / 1000;
        *kernel_ns += ps[c] / 1000;
    }
    row->run_ns += *kernel_ns;
}

/* What looking up the slices of all entries takes where they are in a list, in products of entries: 15 for each. */
static double list_lookups(const advise_visit *v)
{
    enum { PRODUCTS = 15 };
    return PRODUCTS * (double)v->samples->nnz;
}

/* Whether the format does not use the access: slices that formats with the other order of modes walk. */
static bool is_unused(const advise_visit *v, const advise_access *a)
{
    const bool is_later = v->known[a->mode[0]] > v->known[1 - a->mode[0]];
    return a->joins != 0 && is_later != (a->joins > 0);
}

/* Bytes of the dense tensor that are used: lines that no entry needs are left out. */
static double used_nbytes(const advise_access *a, const advise_use *use)
{
    const double unit = a->row_nbytes > LINE_NBYTES ? a->row_nbytes : LINE_NBYTES;
    return a->sample ? fmin(dense_nbytes(a), use->units * unit) : dense_nbytes(a);
}

/* What streams comes from the last cache if all data fit into it, of `capacity` bytes: loops run more than once. */
static void split_stream(double *amount, double nbytes, double capacity)
{
    const double near = (1.25 * capacity - nbytes) / (0.5 * capacity), part = near > 1   ? 1
                                                                              : near > 0 ? near
                                                                                         : 0;
    amount[TSR_COST_NEAR] += part * amount[TSR_COST_STREAM];
    amount[TSR_COST_STREAM] *= 1 - part;
}

tsr_status advise_model_run(tsr_advice_row *row, advise_visit *visit, const advise_kernel *kernel,
                            const tsr_costs *costs, int nthreads, tsr_error *err)
{
    const advise_shape *const shape = kernel->shape;
    const int third = nthreads == visit->caches->nthreads ? 2 : 3;
    double amount[TSR_NCOSTS] = {0}, nbytes = visit->nbytes;
    count_levels(amount, visit, shape);
    amount[TSR_COST_STREAM] = lines(visit->nbytes);
    if (shape->nproducts > 0) /* the first level is looked up: a list takes a search for each entry */
        amount[TSR_COST_PRODUCT] =
            shape->nproducts + (visit->binding->format->levels[0].type->full ? 0 : list_lookups(visit));
    for (int k = 0; k < shape->naccesses; k++) {
        const advise_access *const a = &shape->access[k];
        advise_use use;
        if (visit->binding->format->order == 2 && is_unused(visit, a))
            continue;
        if (k == 0 && shape->has_sparse_result) {
            amount[TSR_COST_STREAM] += lines(advise_visit_times(visit, a) * a->row_nbytes);
            continue;
        }
        TSR_TRY(advise_visit_use(&use, visit, a, err));
        use.misses[2] = use.misses[third];
        use.sequential[2] = use.sequential[third];
        nbytes += used_nbytes(a, &use);
        const bool is_result = k == 0 && a->nmodes > 0, returns = is_result && !is_gathered(&use),
                   scattered = is_result && !use.in_order;
        if (returns && !use.in_order) /* the result is cleared before */
            amount[TSR_COST_STREAM] += lines(dense_nbytes(a));
        if (k == 0 || use.in_order) /* a result is written as a whole */
            amount[TSR_COST_STREAM] += lines(k == 0 ? dense_nbytes(a) : used_nbytes(a, &use));
        if (is_result && a->row_nbytes <= sizeof(double)) /* read and written */
            amount[TSR_COST_STREAM] += 2 * visit->nrevisits;
        count_access(amount, &use, a, k == 0, scattered, (double)sizeof(double));
        if (is_result)
            amount[TSR_COST_CHAIN] = count_result_chains(visit, shape, &use);
        if (returns && nthreads > 1 && !advise_visit_is_exclusive(visit, a)) /* cells of several threads */
            amount[TSR_COST_COPY] += 2 * nthreads * lines(dense_nbytes(a));
    }
    split_stream(amount, nbytes, costs->cache[2]);
    apply_costs(row, &row->kernel_ns[kernel->number], amount, kernel, costs, nthreads);
    return TSR_OK;
}

/* Nanoseconds on the machine of the table (costs.c), by how the entries are moved: entries of a matrix and of a tensor that keep their
 * order, columns of a matrix, which are counted, other orders and maps, which are sorted by keys; and for each block, and each row that is
 * sorted by its length. Medians of the cases of bench/advice.cases. */
double advise_model_pack(const advise_visit *visit, const tsr_costs *costs, int nthreads)
{
    static const double start = 20000, kept = 1.6, kept_fibers = 5, counted = 10, mapped = 21, block = 90,
                        row = 30;
    const tsr_format *const format = visit->binding->format;
    const int last = format->nlevels - 1;
    const bool plain = tsr_format_is_permutation(format, NULL), matrix = format->order == 2,
               keeps = visit->in_order && plain;
    const double per_entry = keeps ? (matrix ? kept : kept_fibers) : plain && matrix ? counted : mapped;
    const double more = visit->in_order && tsr_format_assembles(format) ? 2 * kept : per_entry;
    double ns = (double)visit->samples->nnz * more;
    if (visit->lists < last)
        ns += block * visit->npos[visit->lists];
    else if (tsr_format_assembles(format))
        ns += row * visit->npos[0];
    const double cores = 1 + 0.9 * (nthreads - 1);
    return start + ns / cores * costs->ps[TSR_COST_STREAM] / 1958;
}
