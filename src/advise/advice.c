/* tsr_advice_init: samples, candidates, predictions, the choice. */
#include "tsr_advice.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "advise_internal.h"
#include "advise_model.h"
#include "tsr_alloc.h"
#include "tsr_pack.h"
#include "tsr_parallel.h"

/* Of rows within this factor of the cheapest one the smallest is chosen, or the format that the tensor has. */
static const double close = 1.05;
/* What an error grows by where only blocks of the entries were read: predictions from 1/16 of the entries of 13 tensors were within 10% of those
 * from all, in the middle. */
static const double thin_error = 0.1;

/* What is predicted for a candidate. */
typedef struct prediction {
    tsr_status status;
    tsr_error err;
    tsr_advice_row row; /* format NULL: it does not suit */
} prediction;

typedef struct advising {
    tsr_advice *out;
    const tsr_advice_options *options;
    tsr_samples samples;
    advise_candidates candidates;
    advise_shape shape[TSR_ADVICE_MAX_KERNELS];
    const tsr_format *own; /* format of the tensor; NULL: coordinates */
    advise_values values;
    prediction *found;   /* of each candidate */
    atomic_int next;     /* the candidate that the next free thread predicts */
    atomic_bool is_over; /* a prediction failed, or the caller cancels */
    /* the first and the second cache, and a thread's share of the third one with each number of threads */
    advise_caches caches;
} advising;

/* ---- one row ---- */

/* Whether the format is out of the question: far more bytes than coordinates take. */
static bool is_hopeless(const advising *a, const tsr_format *format)
{
    const tsr_samples *const s = &a->samples;
    const double each = 4.0 * s->order + (double)tsr_type_nbytes(a->values.type);
    return tsr_format_is_permutation(format, NULL) && !tsr_format_assembles(format) &&
           tsr_pack_nbytes_bound(format, s->dims, a->values.type, s->nnz, TSR_INDEX_32) >
               64 * (each * (double)s->nnz + 4096);
}

/* Whether a kernel has the tensor in two places, and the format cannot be walked slice by slice: it would be converted first. */
static bool cannot_join(const advising *a, const tsr_format *format)
{
    bool joins = false;
    for (int k = 0; k < a->out->nkernels; k++)
        joins = joins || a->shape[k].nproducts > 0;
    const tsr_level_spec *const last = &format->levels[format->nlevels - 1];
    return joins && (!tsr_format_is_permutation(format, NULL) || tsr_format_assembles(format) ||
                     last->type->branchless || last->nonunique || format->levels[0].nonunique);
}

static tsr_status predict(tsr_advice_row *to, advising *a, int candidate, tsr_room *room, tsr_error *err)
{
    const tsr_format *const format = a->candidates.format[candidate];
    const tsr_advice *const out = a->out;
    const advise_visited visited = {&a->samples, &a->caches, a->values, room};
    advise_visit visit;
    const bool is_source = a->own && tsr_format_equal(a->own, format);
    if (is_hopeless(a, format) || (cannot_join(a, format) && !is_source))
        return TSR_OK;
    tsr_status status = advise_visit_init(&visit, &visited, format, NULL);
    if (status == TSR_NOMEM)
        return tsr_fail(err, TSR_NOMEM, "out of memory for advice");
    if (status != TSR_OK)
        return TSR_OK; /* the dims do not suit it, or its size cannot be estimated */
    const advise_loop *const loop = &advise_loops[a->candidates.loop[candidate]];
    tsr_advice_row other = {0}, row = {.format = tsr_strdup(a->candidates.text[candidate]),
                                       .loop = loop->name,
                                       .error = loop->error + (a->samples.is_thin ? thin_error : 0),
                                       .nbytes = visit.nbytes};
    row.is_source = is_source;
    const bool spells = tsr_format_has_dense_leaf(format);
    const double nvalues = visit.npos[format->nlevels - 1];
    row.value_nbytes = a->values.is_iso && !spells ? 0 : nvalues * (double)tsr_type_nbytes(a->values.type);
    row.pattern_nbytes = row.nbytes - row.value_nbytes + (spells ? nvalues : 0);
    status = row.format ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory for advice");
    for (int k = 0; k < out->nkernels && status == TSR_OK; k++) {
        const advise_kernel kernel = {k, &a->shape[k], loop};
        status = advise_model_run(&row, &visit, &kernel, &out->costs, out->nthreads, err);
        if (status == TSR_OK)
            status = advise_model_run(&other, &visit, &kernel, &out->costs, out->other_nthreads, err);
    }
    row.other_ns = other.run_ns;
    row.pack_ns = row.is_source ? 0 : advise_model_pack(&visit, &out->costs, out->nthreads);
    advise_visit_clear(&visit);
    if (status == TSR_OK)
        *to = row;
    else
        tsr_free(row.format);
    return status;
}

/* Predict candidates until there are none left: the body of each thread. */
static void predict_some(void *arg, int t, int nthreads)
{
    advising *const a = arg;
    tsr_room room = {{0}, {0}};
    (void)nthreads;
    for (int k; !atomic_load(&a->is_over) && (k = atomic_fetch_add(&a->next, 1)) < a->candidates.n;) {
        prediction *const p = &a->found[k];
        p->status = predict(&p->row, a, k, &room, &p->err);
        if (p->status == TSR_OK && t == 0)
            p->status = tsr_progress(a->options->observer, "survey", (uint64_t)k + 1,
                                     (uint64_t)a->candidates.n, &p->err);
        if (p->status != TSR_OK)
            atomic_store(&a->is_over, true);
    }
    advise_room_clear(&room);
}

/* Add the rows of all candidates to the advice, in the order of the candidates. */
static tsr_status predict_all(advising *a, tsr_error *err)
{
    tsr_advice *const out = a->out;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)a->candidates.n + 1, sizeof *a->found, 1, "advice", err));
    a->found = block;
    tsr_parallel(out->nthreads == 1 ? 1 : tsr_thread_count(0), predict_some, a);
    tsr_status status = TSR_OK;
    for (int k = 0; k < a->candidates.n; k++) {
        const prediction *const p = &a->found[k];
        if (p->row.format)
            out->row[out->nrows++] = p->row;
        if (status == TSR_OK && p->status != TSR_OK) {
            status = p->status;
            if (err)
                *err = p->err;
        }
    }
    tsr_free(a->found);
    return status;
}

/* ---- the choice ---- */

static int cheapest_first(const void *a, const void *b)
{
    const double x = ((const tsr_advice_row *)a)->cost_ns, y = ((const tsr_advice_row *)b)->cost_ns;
    return (x > y) - (x < y);
}

/* Leave out the rows beyond the budget, except the format that the tensor has. */
static void keep_budget(tsr_advice *out, double budget)
{
    double least = INFINITY;
    int n = 0;
    for (int k = 0; k < out->nrows; k++)
        least = fmin(least, out->row[k].nbytes);
    for (int k = 0; k < out->nrows; k++)
        if (out->row[k].is_source || out->row[k].nbytes <= budget * least)
            out->row[n++] = out->row[k];
        else
            tsr_free(out->row[k].format);
    out->nrows = n;
}

static void choose(tsr_advice *out)
{
    for (int k = 0; k < out->nrows; k++)
        out->row[k].cost_ns = out->row[k].pack_ns + out->nruns * out->row[k].run_ns;
    qsort(out->row, (size_t)out->nrows, sizeof *out->row, cheapest_first);
    out->chosen = out->nrows > 0 ? 0 : -1;
    out->source = -1;
    for (int k = 0; k < out->nrows; k++) {
        tsr_advice_row *const row = &out->row[k];
        const bool is_close = row->cost_ns <= close * out->row[0].cost_ns;
        row->is_tied = row->cost_ns / (1 + row->error) <= out->row[0].cost_ns * (1 + out->row[0].error);
        if (row->is_source)
            out->source = k;
        if (is_close && row->nbytes < 0.95 * out->row[out->chosen].nbytes)
            out->chosen = k;
    }
    if (out->source >= 0 && out->row[out->source].cost_ns <= close * out->row[0].cost_ns)
        out->chosen = out->source;
}

void tsr_advice_choose_measured(tsr_advice *a)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < a->nrows; k++) {
        const tsr_advice_row *const row = &a->row[k];
        const double cost =
            row->measured_ns > 0 ? row->measured_pack_ns + a->nruns * row->measured_cost_ns : INFINITY;
        if (cost < least || (row->is_source && isfinite(cost) && cost <= least))
            best = k, least = cost;
    }
    if (best < 0)
        return;
    a->chosen = best;
    a->is_measured = true;
}

/* ---- advice ---- */

static tsr_status add_kernels(advising *a, advise_wish *wish, const tsr_notation *const *kernels, int n,
                              tsr_error *err)
{
    const tsr_samples *const s = &a->samples;
    const uint64_t rank = a->options->rank ? a->options->rank : TSR_ADVICE_RANK;
    if (n > TSR_ADVICE_MAX_KERNELS)
        return tsr_fail(err, TSR_LIMIT, "there are more than %d kernels to advise for",
                        TSR_ADVICE_MAX_KERNELS);
    for (int k = 0; k < n; k++) {
        const tsr_type type = a->values.type == TSR_PATTERN ? TSR_F64 : a->values.type;
        TSR_TRY(advise_shape_init(&a->shape[k], kernels[k], s, type, rank, err));
        const tsr_expr *const sparse = tsr_notation_access(kernels[k], a->shape[k].sparse);
        for (int m = 0; m < s->order; m++) {
            const int place = tsr_expr_mode(kernels[k]->result, sparse->index[m]);
            wish->place[k][m] = place < 0 ? TSR_MAX_ORDER : place;
        }
        a->out->kernel[k] = tsr_strdup(kernels[k]->text);
        if (!a->out->kernel[k])
            return tsr_fail(err, TSR_NOMEM, "out of memory for advice");
        a->out->nkernels = wish->nkernels = k + 1;
    }
    return TSR_OK;
}

static tsr_status run(advising *a, const tsr_advice_question *question, tsr_error *err)
{
    const tsr_tensor *const tensor = question->tensor;
    const tsr_coo *const coo = question->coo;
    const tsr_advice_options *const o = a->options;
    tsr_format *coordinates = NULL;
    TSR_TRY(tsr_samples_init(&a->samples, tensor, coo, &(tsr_sample_options){.observer = o->observer}, err));
    a->out->nread = a->samples.nnz;
    if (question->thin)
        tsr_samples_thin(&a->samples, question->thin);
    a->out->nnz = a->samples.nnz;
    advise_wish wish = {.order = a->samples.order, .dims = a->samples.dims};
    TSR_TRY(add_kernels(a, &wish, question->kernels, question->nkernels, err));
    if (!tensor && !question->thin)
        TSR_TRY(tsr_format_coordinates(&coordinates, coo->order, false, err));
    a->own = tensor ? tensor->format : question->thin ? question->thin->own : coordinates;
    tsr_status status = advise_candidates_init(&a->candidates, &wish, o->formats, a->own, err);
    if (status == TSR_OK)
        status = predict_all(a, err);
    tsr_format_free(coordinates);
    TSR_TRY(status);
    a->out->type = a->values.type;
    TSR_TRY(advise_look_at_values(&a->out->values, tensor ? &tensor->values : &coo->values, a->values.type, 0,
                                  err));
    if (o->budget > 0)
        keep_budget(a->out, o->budget);
    choose(a->out);
    return TSR_OK;
}

tsr_status tsr_advice_init(tsr_advice *advice, const tsr_advice_question *question,
                           const tsr_advice_options *options, tsr_error *err)
{
    const tsr_tensor *const tensor = question->tensor;
    const tsr_coo *const coo = question->coo;
    static const tsr_advice_options defaults = {0};
    const tsr_advice_options *const o = options ? options : &defaults;
    memset(advice, 0, sizeof *advice);
    advice->nthreads = tsr_thread_count(o->nthreads);
    advice->other_nthreads = advice->nthreads == 1 ? 2 : 1;
    advice->knows_runs = o->nruns > 0;
    advice->nruns = advice->knows_runs ? o->nruns : TSR_ADVICE_FEW_RUNS;
    advice->costs = o->costs ? *o->costs : tsr_costs_of_machine(NULL);
    advising *const a = tsr_calloc(1, sizeof *a);
    if (!a)
        return tsr_fail(err, TSR_NOMEM, "out of memory for advice");
    a->out = advice;
    a->options = o;
    a->values.type = tensor ? tensor->type : coo->type;
    a->values.is_iso = a->values.type == TSR_PATTERN || (tensor ? tensor->iso : coo->iso);
    const double *const cache = advice->costs.cache;
    a->caches =
        (advise_caches){4,
                        {cache[0], cache[1], cache[2] / advice->nthreads, cache[2] / advice->other_nthreads},
                        advice->nthreads};
    const tsr_status status = run(a, question, err);
    tsr_samples_clear(&a->samples);
    for (int k = 0; k < TSR_ADVICE_MAX_KERNELS; k++)
        advise_shape_clear(&a->shape[k]);
    advise_candidates_clear(&a->candidates);
    tsr_free(a);
    if (status != TSR_OK)
        tsr_advice_clear(advice);
    return status;
}

void tsr_advice_clear(tsr_advice *advice)
{
    for (int k = 0; k < advice->nrows; k++)
        tsr_free(advice->row[k].format);
    for (int k = 0; k < TSR_ADVICE_MAX_KERNELS; k++)
        tsr_free(advice->kernel[k]);
    memset(advice, 0, sizeof *advice);
}
