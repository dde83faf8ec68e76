/* tkern as one of several ranks (mpirun): rank_product.h computes, rank 0 reports and writes the result. */
#include <string.h>

#include "lists.h"
#include "rank_figures.h"
#include "rank_product.h"
#include "ranks.h"
#include "tkern.h"
#include "tsr_same_input.h"
#include "tsr_shown.h"
#include "tsr_write.h"

/* ---- what is refused ---- */

static tsr_status check_settings(const tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    const struct {
        bool given;
        const char *option;
    } refused[] = {{s->has_emit, "emit"},
                   {t->c_path != NULL, "output=NAME.c"},
                   {s->check, "check"},
                   {s->drop_zeros, "drop-zeros"},
                   {s->scalars.n > 0, "scalar"},
                   {s->functions.n > 0, "function"},
                   {s->semiring != NULL || t->notation->is_truth, "semiring"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].given)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "--%s is for a single process, but this is one of several ranks (mpirun): leave it out, "
                "or use TESSERA_MPI=off",
                refused[i].option);
    if (t->notation->nstatements > 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "several statements are for a single process, but this is one of several ranks (mpirun): "
            "give each to a run of its own, or use TESSERA_MPI=off");
    if (s->has_type && s->type != TSR_F64)
        return tsr_fail(err, TSR_UNSUPPORTED, "--type=%s: ranks (mpirun) compute with f64",
                        tsr_type_name(s->type));
    return TSR_OK;
}

/* The size of v that --dims gives; 0: none. */
static uint64_t given_size(const tsr_tkern *t, int v)
{
    return t->size[v] == TSR_NOTATION_UNKNOWN ? 0 : t->size[v];
}

/* The sizes that --dims gives. dims: room for those of the sparse tensor. */
static tsr_status take_sizes(tsr_rank_question *q, const tsr_tkern *t, uint64_t *dims, tsr_error *err)
{
    const tsr_rank_roles *const roles = &q->roles;
    const tsr_expr *const sparse = tsr_notation_access(t->notation, roles->sparse);
    int ngiven = 0;
    q->ncolumns = roles->column >= 0 ? given_size(t, roles->column) : 1;
    for (int m = 0; m < sparse->nindices; m++) {
        const tsr_tkern_tensor *const a = &t->tensor[roles->sparse];
        dims[m] = a->has_dims ? a->dims[m] : given_size(t, sparse->index[m]);
        ngiven += dims[m] > 0;
    }
    for (int k = 0; k < t->notation->ntensors; k++)
        if (k != roles->sparse && (t->tensor[k].has_dims || t->tensor[k].format_text))
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "over ranks (mpirun) %s is dense and row-major, and has the sizes of %s: give --dims and "
                "--format for %s only",
                t->tensor[k].name, t->tensor[roles->sparse].name, t->tensor[roles->sparse].name);
    if (ngiven > 0 && ngiven < sparse->nindices)
        return tsr_fail(err, TSR_ARGUMENT, "--dims: give the sizes of all modes of %s, or of none",
                        t->tensor[roles->sparse].name);
    q->shape = (tsr_shape){ngiven, dims};
    return TSR_OK;
}

/* dims: as above. */
static tsr_status ask(tsr_rank_question *q, const tsr_tkern *t, uint64_t *dims, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    bool has_file[TSR_NOTATION_MAX_TENSORS];
    TSR_TRY(check_settings(t, err));
    *q = (tsr_rank_question){.notation = t->notation,
                             .expression = s->expression,
                             .kind = TSR_GRID_MEDIUM,
                             .index_width = tsr_cli_index_width(s->index, 0),
                             .schedule = s->schedule,
                             .engine = s->engine,
                             .nthreads = s->common.nthreads,
                             .seed = s->seed,
                             .observer = &t->report->observer};
    for (int k = 0; k < t->notation->ntensors; k++) {
        q->path[k] = t->tensor[k].path;
        has_file[k] = q->path[k] != NULL;
    }
    TSR_TRY(tsr_rank_roles_find(&q->roles, t->notation, has_file, err));
    q->format = t->tensor[q->roles.sparse].format_text;
    return take_sizes(q, t, dims, err);
}

/* ---- the report ---- */

/* What rank 0 reports. */
typedef struct outcome {
    tsr_rank_seconds first; /* of the first product */
    tsr_rank_times times;   /* of --time */
    tsr_rank_counts counts; /* after the first product */
    tsr_tensor *result;     /* NULL: another rank has it */
} outcome;

static void show(const tsr_tkern *t, const tsr_rank_product *p, const outcome *o)
{
    const tsr_spread_tensor *const s = p->spread;
    const int sparse = p->question.roles.sparse;
    const double mean = (double)s->nnz / s->ranks->n;
    char a[32], b[32], shown[TSR_SHOWN_NBYTES], grid[TSR_RANK_GRID_NBYTES];
    tsr_text dims = {0}, format = {0};
    tsr_cli_add_dims(&dims, s->order, s->dims);
    if (p->format)
        tsr_format_print_name(&format, p->format);
    printf("%s\n", t->s->expression);
    printf("%s     %s, %llu entries, %s, %s\n", t->tensor[sparse].name, tsr_text_cstr(&dims),
           (unsigned long long)s->nnz, p->format ? tsr_text_cstr(&format) : "no entries here",
           tsr_show(shown, t->tensor[sparse].path));
    printf("ranks %d, on a grid of %s; the largest has %llu entries, %.3f times the mean\n", s->ranks->n,
           tsr_rank_grid_text(grid, s->order, s->grid.n, " x "), (unsigned long long)s->max_nnz,
           mean > 0 ? (double)s->max_nnz / mean : 1);
    const tsr_tkern_sums sums = tsr_tkern_sum(o->result);
    printf("sum   %.6g, norm %.6g\n", sums.sum[0], sums.norm);
    printf("sent  %s by all ranks for one product, at most %s by one; expected for uniformly random entries: "
           "%s\n",
           tsr_bytes_text(a, o->counts.sent_nbytes), tsr_bytes_text(b, o->counts.max_sent_nbytes),
           tsr_bytes_text_f((char[32]){0}, o->counts.model_nbytes));
    printf("run   %.3g ms: %.3g fetching rows, %.3g computing, %.3g adding (each of the slowest rank)\n",
           1e3 * o->first.all, 1e3 * o->first.fetch, 1e3 * o->first.compute, 1e3 * o->first.add);
    if (t->s->time)
        printf("time  %.3g ms least, %.3g ms median of %d runs; least: %.3g fetching, %.3g computing, %.3g "
               "adding\n",
               1e3 * o->times.least.all, 1e3 * o->times.median.all, t->s->nruns, 1e3 * o->times.least.fetch,
               1e3 * o->times.least.compute, 1e3 * o->times.least.add);
    tsr_text_clear(&dims);
    tsr_text_clear(&format);
}

static void put_seconds(tsr_json *json, const char *name, const tsr_rank_seconds *s)
{
    tsr_json_open(json, name, '{', true);
    tsr_json_f64(json, "seconds", s->all);
    tsr_json_f64(json, "fetch_s", s->fetch);
    tsr_json_f64(json, "compute_s", s->compute);
    tsr_json_f64(json, "add_s", s->add);
    tsr_json_close(json, '}');
}

static void put(const tsr_tkern *t, const tsr_rank_product *p, const outcome *o)
{
    tsr_json *const json = t->json;
    const tsr_spread_tensor *const s = p->spread;
    const tsr_tkern_sums sums = tsr_tkern_sum(o->result);
    tsr_json_string(json, "expression", t->s->expression);
    tsr_json_u64(json, "ranks", (uint64_t)s->ranks->n);
    tsr_rank_grid_json(json, s->order, s->grid.n);
    tsr_json_dims(json, "dims", s->order, s->dims);
    tsr_json_u64(json, "columns", s->ncolumns);
    tsr_json_u64(json, "nnz", s->nnz);
    tsr_json_u64(json, "max_nnz", s->max_nnz);
    tsr_json_f64(json, "sum", sums.sum[0]);
    tsr_json_f64(json, "norm", sums.norm);
    tsr_json_u64(json, "sent_bytes", o->counts.sent_nbytes);
    tsr_json_u64(json, "max_sent_bytes", o->counts.max_sent_nbytes);
    tsr_json_f64(json, "model_bytes", o->counts.model_nbytes);
    tsr_json_u64(json, "setup_bytes", o->counts.setup_nbytes);
    put_seconds(json, "run", &o->first);
    if (!t->s->time)
        return;
    put_seconds(json, "least", &o->times.least);
    tsr_json_f64(json, "median_s", o->times.median.all);
    tsr_json_u64(json, "runs", (uint64_t)t->s->nruns);
}

/* ---- the run ---- */

static tsr_status write_result(const tsr_tkern *t, outcome *o, tsr_error *err)
{
    const tsr_write_options how = {.nthreads = t->s->common.nthreads, .observer = &t->report->observer};
    tsr_data data = {.tensor = o->result};
    o->result = NULL;
    const tsr_status status = tsr_write(t->tensor[0].out, &data, t->to, &how, NULL, err);
    tsr_data_clear(&data);
    return status;
}

/* What only rank 0 does. */
static tsr_status report(const tsr_tkern *t, const tsr_rank_product *p, outcome *o, tsr_error *err)
{
    const bool to_stdout = t->tensor[0].out && strcmp(t->tensor[0].out, "-") == 0;
    if (!o->result)
        return TSR_OK;
    if (t->json)
        put(t, p, o);
    else if (!t->s->common.quiet && !to_stdout)
        show(t, p, o);
    return t->tensor[0].out ? write_result(t, o, err) : TSR_OK;
}

tsr_status tsr_tkern_ranks(tsr_tkern *t, tsr_status planned, tsr_error *err)
{
    const tsr_ranks *const ranks = t->ranks;
    TSR_TRY(tsr_ranks_agree(ranks, planned, err));
    uint64_t dims[TSR_MAX_ORDER];
    tsr_rank_question question;
    tsr_rank_product *p = NULL;
    outcome o = {.result = NULL};
    tsr_status status = ask(&question, t, dims, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    for (int i = 0; i < t->notation->ntensors; i++)
        if (t->tensor[i].path)
            TSR_TRY_OUT(tsr_ranks_same_input(ranks, t->tensor[i].path, err));
    TSR_TRY_OUT(tsr_rank_product_new(&p, &question, ranks, err));
    TSR_TRY_OUT(tsr_rank_product_run(p, &o.first, err));
    TSR_TRY_OUT(tsr_rank_product_count(&o.counts, p, err));
    TSR_TRY_OUT(tsr_rank_product_result(&o.result, p, err));
    if (t->s->time)
        TSR_TRY_OUT(tsr_rank_product_time(&o.times, p, t->s->nruns, err));
    tsr_cli_report_wipe(t->report);
    status = report(t, p, &o, err);
    status = tsr_ranks_agree(ranks, status, err);
out:
    tsr_tensor_free(o.result);
    tsr_rank_product_free(p);
    return status;
}
