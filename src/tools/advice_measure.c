/* tinfo --advise --measure, tconv --format=auto --measure: the best few formats of an advice, packed and run in turns by tbench's
 * clock. Dense operands are filled with numbers; each result is compared with that of the first format. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "advice_print.h"
#include "bench_clock.h"
#include "bench_run.h"
#include "tkern.h"
#include "tsr_alloc.h"
#include "tsr_cpu.h"
#include "tsr_jit.h"
#include "tsr_kernel.h"
#include "tsr_pack.h"
#include "tsr_shown.h"

enum { LEAST = 3, MOST = 5, REPS = 5, PACKINGS = 3 }; /* LEAST: formats that are measured, however dear */
static const double far = 1.5,       /* times the predicted cost of the best one: not worth to measure */
    seconds = 2, pack_seconds = 0.5; /* of each kernel, of each packing */

/* The tensor in one format, and a kernel on it. */
typedef struct candidate {
    tsr_advice_row *row;
    tsr_tensor *tensor;
    tsr_kernel *kernel;
    tsr_tensor *result;
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    const struct candidate *first; /* whose result is the right one; NULL: this is the first */
    int nthreads;
} candidate;

typedef struct measuring {
    tsr_advice *advice;
    const tsr_data *data;
    const tsr_cli_advise *ask;
    int n;
    candidate of[MOST + 2]; /* and the source, and the format that was chosen */
    tsr_tensor *dense[TSR_NOTATION_MAX_TENSORS];
    bench_candidate *runs;
} measuring;

/* ---- packing ---- */

/* Pack the tensor, which stays as it is, once more. */
static tsr_status pack_once(tsr_tensor **out, const measuring *m, const tsr_format *format, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = m->advice->nthreads, .duplicates = TSR_DUP_SUM};
    *out = NULL;
    if (m->data->coo) {
        tsr_coo *copy;
        TSR_TRY(tsr_coo_copy(&copy, m->data->coo, err));
        return tsr_pack(out, copy, format, &how, NULL, err);
    }
    tsr_tensor *view;
    TSR_TRY(tsr_tensor_view(&view, m->data->tensor, err));
    TSR_TRY(tsr_convert(out, view, format, &how, NULL, err));
    return tsr_tensor_own(*out, m->advice->nthreads, err);
}

/* Pack it into the format of the row, and keep the least time. */
static tsr_status pack(candidate *e, const measuring *m, tsr_error *err)
{
    const int order = tsr_data_order(m->data);
    tsr_format *format;
    double best = INFINITY, sum = 0;
    if (e->row->is_source && m->data->tensor)
        return tsr_tensor_view(&e->tensor, m->data->tensor, err);
    TSR_TRY(tsr_format_parse(&format, e->row->format, order, tsr_data_dims(m->data), err));
    tsr_status status = TSR_OK;
    for (int i = 0; i < PACKINGS && sum < pack_seconds * 1e9 && status == TSR_OK; i++) {
        tsr_tensor_free(e->tensor);
        const uint64_t start = bench_now_ns();
        status = pack_once(&e->tensor, m, format, err);
        const double ns = (double)(bench_now_ns() - start);
        best = fmin(best, ns);
        sum += ns;
    }
    tsr_format_free(format);
    e->row->measured_pack_ns = e->row->is_source ? 0 : best;
    return status;
}

/* ---- operands and kernels ---- */

static tsr_type type_of_dense(const tsr_data *data)
{
    const tsr_type type = data->coo ? data->coo->type : data->tensor->type;
    return type == TSR_PATTERN ? TSR_F64 : type;
}

/* Make the dense operands of the kernel; *ncells: of its result. */
static tsr_status make_dense(measuring *m, double *ncells, const tsr_notation *notation, tsr_error *err)
{
    const int sparse = tsr_notation_largest(notation);
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS] = {NULL};
    uint64_t given[TSR_NOTATION_MAX_VARS], size[TSR_NOTATION_MAX_VARS];
    const uint32_t own = tsr_notation_tensor_vars(notation, sparse);
    dims[sparse] = tsr_data_dims(m->data);
    for (int v = 0; v < notation->nvars; v++)
        given[v] = own >> v & 1   ? TSR_NOTATION_UNKNOWN
                   : m->ask->rank ? (uint64_t)m->ask->rank
                                  : TSR_ADVICE_RANK;
    TSR_TRY(tsr_notation_sizes(size, notation, dims, given, err));
    *ncells = 1;
    for (int k = 0; k < notation->result->nindices; k++)
        *ncells *= (double)size[notation->result->index[k]];
    for (int t = 1; t < notation->ntensors; t++) {
        const tsr_expr *const access = tsr_notation_access(notation, t);
        uint64_t shape[TSR_NOTATION_MAX_ORDER];
        tsr_format *format;
        if (t == sparse)
            continue;
        for (int k = 0; k < access->nindices; k++)
            shape[k] = size[access->index[k]];
        TSR_TRY(tsr_format_dense(&format, access->nindices, NULL, err));
        const tsr_tkern_random want = {notation->tensor[t].name, format, shape, type_of_dense(m->data), 42};
        const tsr_status status = tsr_tkern_generate(&m->dense[t], &want, 0, err);
        tsr_format_free(format);
        TSR_TRY(status);
    }
    return TSR_OK;
}

/* The format of the result: dense unless it would have far more cells than the tensor has entries. */
static tsr_status propose_result(tsr_format **out, const tsr_kernel_question *question, bool is_sparse,
                                 tsr_error *err)
{
    const char *operand;
    TSR_TRY(tsr_kernel_propose_format(out, question, err));
    return *out || !is_sparse ? TSR_OK : tsr_kernel_propose_pattern(out, &operand, question, err);
}

static tsr_status open_kernel(candidate *e, const measuring *m, const tsr_notation *notation, double ncells,
                              tsr_error *err)
{
    const int sparse = tsr_notation_largest(notation), n = notation->ntensors;
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS] = {{.name = notation->tensor[0].name}};
    tsr_tuning tuning;
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const tsr_kernel_options how = {.nthreads = e->nthreads, .tuning = &tuning, .observer = m->ask->observer};
    for (int t = 1; t < n; t++) {
        e->operands[t - 1] = t == sparse ? e->tensor : m->dense[t];
        tensors[t] = (tsr_kernel_tensor){.name = notation->tensor[t].name, .tensor = e->operands[t - 1]};
    }
    const tsr_kernel_question question = {notation->text, tensors + 1, n - 1, NULL};
    tsr_format *result;
    TSR_TRY(
        propose_result(&result, &question, ncells > 16 * (double)e->tensor->npos && ncells > 1 << 20, err));
    tensors[0].format = result;
    tensors[0].type = result ? type_of_dense(m->data) : TSR_NTYPES;
    tsr_status status = tsr_kernel_new(&e->kernel, notation->text, tensors, n, &how, err);
    tsr_format_free(result);
    TSR_TRY(status);
    if (tsr_kernel_get_info(e->kernel)->engine == TSR_ENGINE_INTERPRETER)
        return tsr_fail(err, TSR_UNSUPPORTED, "there is no compiler, and no built-in kernel for it");
    return tsr_kernel_result(&e->result, e->kernel, e->operands, err);
}

static void close_kernels(measuring *m)
{
    for (int i = 0; i < m->n; i++) {
        tsr_kernel_free(m->of[i].kernel);
        tsr_tensor_free(m->of[i].result);
        m->of[i].kernel = NULL;
        m->of[i].result = NULL;
    }
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++) {
        tsr_tensor_free(m->dense[t]);
        m->dense[t] = NULL;
    }
}

/* ---- running ---- */

static tsr_status run(void *ctx, tsr_error *err)
{
    candidate *const e = ctx;
    return tsr_kernel_run(e->kernel, e->result, e->operands, e->nthreads, err);
}

/* Compare a dense result of f64 with that of the first candidate. */
static tsr_status check(void *ctx, tsr_error *err)
{
    const candidate *const e = ctx;
    if (!e->first || e->result->type != TSR_F64 || e->result->npos != e->first->result->npos)
        return TSR_OK;
    const double *const mine = e->result->values.data, *const right = e->first->result->values.data;
    double sum = 0, apart = 0;
    for (uint64_t i = 0; i < e->result->npos; i++) {
        sum += fabs(right[i]);
        apart += fabs(mine[i] - right[i]);
    }
    return apart <= 1e-6 * sum || !isfinite(sum)
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "the kernel gives other values with %s than with %s",
                          e->row->format, e->first->row->format);
}

static bool on_sample(void *ctx, const char *name, int round, int reps)
{
    const measuring *const m = ctx;
    (void)name;
    return tsr_progress(m->ask->observer, "measure", (uint64_t)round, (uint64_t)reps, NULL) == TSR_OK;
}

/* A format that cannot be measured is left out, and the user is told. */
static tsr_status leave_out(measuring *m, int i, tsr_status status, const tsr_error *why, tsr_error *err)
{
    candidate *const e = &m->of[i];
    if (status == TSR_CANCELLED) {
        *err = *why;
        return status;
    }
    tsr_warn(m->ask->observer, NULL, 0, "%s was not measured: %s", e->row->format, why->message);
    tsr_kernel_free(e->kernel);
    tsr_tensor_free(e->result);
    tsr_tensor_free(e->tensor);
    e->row->measured_ns = e->row->measured_cost_ns = e->row->measured_pack_ns = 0;
    memmove(e, e + 1, (size_t)(m->n - i - 1) * sizeof *e);
    memset(&m->of[--m->n], 0, sizeof *e);
    return TSR_OK;
}

static tsr_status measure_kernel(measuring *m, const tsr_notation *notation, tsr_error *err)
{
    bench_run_options how = {
        .reps = REPS, .time_limit_s = seconds, .once = true, .progress = on_sample, .ctx = m};
    double ncells;
    TSR_TRY(make_dense(m, &ncells, notation, err));
    for (int i = 0; i < m->n;) {
        tsr_error mine = {0};
        const tsr_status status = open_kernel(&m->of[i], m, notation, ncells, &mine);
        if (status != TSR_OK)
            TSR_TRY(leave_out(m, i, status, &mine, err));
        else
            i++;
    }
    if (m->n == 0)
        return TSR_OK;
    for (int i = 0; i < m->n; i++) {
        m->of[i].first = i > 0 ? &m->of[0] : NULL;
        how.reference = m->of[i].row->is_source ? i : how.reference;
        m->runs[i] = (bench_candidate){.name = m->of[i].row->format,
                                       .nthreads = m->of[i].nthreads,
                                       .ctx = &m->of[i],
                                       .run = run,
                                       .check = check};
    }
    TSR_TRY(bench_run(NULL, m->runs, m->n, &how, err));
    const double reference_ns = m->runs[how.reference].ns.median;
    for (int i = 0; i < m->n; i++) {
        const bench_candidate *const c = &m->runs[i];
        m->of[i].row->measured_ns += c->ns.median;
        m->of[i].row->measured_cost_ns +=
            i == how.reference ? reference_ns : bench_cost_ns(c->ns.median, reference_ns, &c->speedup);
    }
    return TSR_OK;
}

/* ---- which formats ---- */

static void choose_candidates(measuring *m)
{
    tsr_advice *const a = m->advice;
    for (int k = 0; k < a->nrows; k++) {
        const bool is_near = k < LEAST || (k < MOST && a->row[k].cost_ns <= far * a->row[0].cost_ns);
        if (is_near || k == a->source || k == a->chosen)
            m->of[m->n++] = (candidate){.row = &a->row[k], .nthreads = a->nthreads};
    }
}

static tsr_status measure(measuring *m, tsr_error *err)
{
    void *block;
    choose_candidates(m);
    TSR_TRY(tsr_alloc_array(&block, MOST + 2, sizeof *m->runs, 1, "measurements", err));
    m->runs = block;
    for (int i = 0; i < m->n;) {
        tsr_error mine = {0};
        const tsr_status status = pack(&m->of[i], m, &mine);
        if (status != TSR_OK)
            TSR_TRY(leave_out(m, i, status, &mine, err));
        else
            i++;
    }
    for (int k = 0; k < m->advice->nkernels; k++) {
        tsr_notation *notation;
        TSR_TRY(tsr_notation_parse(&notation, m->advice->kernel[k], err));
        const tsr_status status = measure_kernel(m, notation, err);
        close_kernels(m);
        tsr_notation_free(notation);
        TSR_TRY(status);
    }
    return TSR_OK;
}

tsr_status tsr_cli_measure_advice(tsr_advice *advice, const tsr_data *data, const tsr_cli_advise *ask,
                                  tsr_error *err)
{
    measuring *const m = tsr_calloc(1, sizeof *m);
    if (!m)
        return tsr_fail(err, TSR_NOMEM, "out of memory for measurements");
    m->advice = advice;
    m->data = data;
    m->ask = ask;
    const tsr_status status = measure(m, err);
    close_kernels(m);
    for (int i = 0; i < m->n; i++)
        tsr_tensor_free(m->of[i].tensor);
    tsr_free(m->runs);
    tsr_free(m);
    TSR_TRY(status);
    tsr_advice_choose_measured(advice);
    return TSR_OK;
}

/* ---- the file of errors ---- */

/* Append the rows that were measured, one line each. */
static void add_lines(tsr_text *to, const tsr_advice *a, const tsr_data *data, const tsr_cli_advise *ask)
{
    char date[32], shown[TSR_SHOWN_NBYTES];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    for (int k = 0; k < a->nrows; k++) {
        const tsr_advice_row *const row = &a->row[k];
        if (row->measured_ns <= 0)
            continue;
        for (int i = 0; i < a->nkernels; i++)
            tsr_text_addf(to, "%s%s", i ? "; " : "", a->kernel[i]);
        tsr_text_addf(to, "\t%s\t", tsr_show(shown, ask->path ? ask->path : "-"));
        for (int m = 0; m < tsr_data_order(data); m++)
            tsr_text_addf(to, "%s%" PRIu64, m ? "x" : "", tsr_data_dims(data)[m]);
        tsr_text_addf(to, "\t%" PRIu64 "\t%d\t%d\t%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%s\n", a->nnz,
                      ask->rank ? ask->rank : TSR_ADVICE_RANK, a->nthreads, row->format, row->nbytes,
                      row->measured_pack_ns, row->pack_ns, row->measured_ns, row->run_ns, date);
    }
}

tsr_status tsr_cli_append_errors(const tsr_advice *advice, const tsr_data *data, const tsr_cli_advise *ask,
                                 tsr_error *err)
{
    tsr_text path = {0}, lines = {0};
    tsr_status status;
    tsr_kept_path(&path, "TSR_ADVICE_ERRORS", "advice.tsv");
    add_lines(&lines, advice, data, ask);
    TSR_TRY_OUT(tsr_text_status(&path, err));
    TSR_TRY_OUT(tsr_text_status(&lines, err));
    if (path.nbytes == 0 || lines.nbytes == 0)
        goto out;
    FILE *const file = fopen(path.s, "a");
    if (!file) {
        status = tsr_fail_errno(err, errno, path.s, "the file of errors of the advice");
        goto out;
    }
    fseek(file, 0, SEEK_END);
    const char *const head = ftell(file) > 0 ? "" : TSR_CLI_ADVICE_ERRORS_HEAD;
    const bool failed = fprintf(file, "%s%s", head, lines.s) < 0;
    if (fclose(file) != 0 || failed)
        status = tsr_fail_errno(err, errno, path.s, "the file of errors of the advice");
out:
    tsr_text_clear(&path);
    tsr_text_clear(&lines);
    return status;
}
