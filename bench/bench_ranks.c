/* Kernels over ranks: see bench_ranks.h. Every rank does the same; rank 0 prints. */
#include "bench_ranks.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench_formats.h"
#include "json.h"
#include "rank_figures.h"
#include "rank_product.h"
#include "ranks.h"
#include "table.h"
#include "tsr_shown.h"

enum { SEED = 1 };
#define MAX_GENERATED UINT64_C(200000000)

typedef struct ranks_run {
    const bench_ranks_settings *s;
    const tsr_ranks *ranks;
    tsr_cli_report *report;
    tsr_json *json;      /* an open object of runs; NULL: a table */
    tsr_cli_table table; /* of a tensor */
    const char *name;    /* of the tensor */
    const char *path;
    tsr_notation *notation;
    tsr_text expression;
} ranks_run;

/* ---- one product ---- */

typedef struct figures {
    tsr_rank_counts counts; /* of one product */
    tsr_rank_times times;
} figures;

static tsr_status measure(figures *f, tsr_rank_product *p, int n, tsr_error *err)
{
    TSR_TRY(tsr_rank_product_run(p, NULL, err)); /* a warm-up, after which the bytes are counted */
    TSR_TRY(tsr_rank_product_count(&f->counts, p, err));
    return tsr_rank_product_time(&f->times, p, n, err);
}

static void put(ranks_run *r, const tsr_rank_product *p, const figures *f, int mode, const char *format)
{
    tsr_json *const json = r->json;
    const tsr_spread_tensor *const s = p->spread;
    tsr_json_open(json, NULL, '{', false);
    tsr_json_string(json, "tensor", r->name);
    tsr_json_string(json, "expression", tsr_text_cstr(&r->expression));
    tsr_json_string(json, "format", format);
    if (mode >= 0)
        tsr_json_u64(json, "mode", (uint64_t)mode);
    tsr_json_u64(json, "columns", s->ncolumns);
    tsr_rank_grid_json(json, s->order, s->grid.n);
    tsr_json_u64(json, "nnz", s->nnz);
    tsr_json_u64(json, "max_nnz", s->max_nnz);
    tsr_json_u64(json, "sent_bytes", f->counts.sent_nbytes);
    tsr_json_u64(json, "max_sent_bytes", f->counts.max_sent_nbytes);
    tsr_json_f64(json, "model_bytes", f->counts.model_nbytes);
    tsr_json_f64(json, "least_s", f->times.least.all);
    tsr_json_f64(json, "median_s", f->times.median.all);
    tsr_json_f64(json, "fetch_s", f->times.least.fetch);
    tsr_json_f64(json, "compute_s", f->times.least.compute);
    tsr_json_f64(json, "add_s", f->times.least.add);
    tsr_json_close(json, '}');
}

static void add_row(ranks_run *r, const tsr_rank_product *p, const figures *f, int mode, const char *format)
{
    const tsr_spread_tensor *const s = p->spread;
    const double mean = (double)s->nnz / s->ranks->n, sent = (double)f->counts.sent_nbytes;
    const double seconds[] = {f->times.least.fetch, f->times.least.compute, f->times.least.add,
                              f->times.least.all, f->times.median.all};
    char text[32], grid[TSR_RANK_GRID_NBYTES];
    tsr_cli_table_cell(&r->table, "%s", format);
    if (mode >= 0)
        tsr_cli_table_cell(&r->table, "%d", mode);
    else
        tsr_cli_table_cell(&r->table, "%s", "");
    tsr_cli_table_cell(&r->table, "%" PRIu64, s->ncolumns);
    tsr_cli_table_cell(&r->table, "%s", tsr_rank_grid_text(grid, s->order, s->grid.n, "x"));
    tsr_cli_table_cell(&r->table, "%.3f", mean > 0 ? (double)s->max_nnz / mean : 1);
    tsr_cli_table_cell(&r->table, "%s", tsr_bytes_text_f(text, sent));
    if (sent > 0)
        tsr_cli_table_cell(&r->table, "%+.1f%%", 100 * (f->counts.model_nbytes / sent - 1));
    else
        tsr_cli_table_cell(&r->table, "%s", "");
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        tsr_cli_table_cell(&r->table, "%s", tsr_rank_seconds_text(text, seconds[i]));
    tsr_cli_table_end_row(&r->table);
}

static tsr_status measure_format(ranks_run *r, const tsr_rank_question *question, int mode, tsr_error *err)
{
    tsr_rank_product *p;
    figures f;
    tsr_text name = {0};
    bench_settings_show(r->report, "distributing %s", r->name);
    TSR_TRY(tsr_rank_product_new(&p, question, r->ranks, err));
    bench_settings_show(r->report, "measuring");
    const tsr_status status = measure(&f, p, r->s->how->reps, err);
    if (status == TSR_OK && r->ranks->rank == 0) {
        if (p->format)
            tsr_format_print_name(&name, p->format);
        if (r->json)
            put(r, p, &f, mode, tsr_text_cstr(&name));
        else
            add_row(r, p, &f, mode, tsr_text_cstr(&name));
    }
    tsr_text_clear(&name);
    tsr_rank_product_free(p);
    return status;
}

/* ---- all products of a tensor ---- */

/* Each format of --format; without it the one that suits. */
static tsr_status measure_formats(ranks_run *r, tsr_rank_question *question, int mode, tsr_error *err)
{
    const char *at = r->s->formats;
    tsr_status status = TSR_OK;
    if (!at)
        return measure_format(r, question, mode, err);
    while (status == TSR_OK && *at) {
        const char *const end = bench_format_end(at);
        tsr_text one = {0};
        tsr_text_add_n(&one, at, (size_t)(end - at));
        question->format = tsr_text_cstr(&one);
        status = tsr_text_status(&one, err);
        if (status == TSR_OK && end > at)
            status = measure_format(r, question, mode, err);
        tsr_text_clear(&one);
        at = *end ? end + 1 : end;
    }
    return status;
}

static tsr_status find_roles(ranks_run *r, tsr_rank_roles *roles, int order, int mode, tsr_error *err)
{
    bool has_file[TSR_NOTATION_MAX_TENSORS] = {false};
    r->expression.nbytes = 0;
    tsr_notation_free(r->notation);
    r->notation = NULL;
    TSR_TRY(bench_kernel_print(&r->expression, r->s->kernel, order, mode < 0 ? 0 : mode, err));
    TSR_TRY(tsr_notation_parse(&r->notation, tsr_text_cstr(&r->expression), err));
    for (int t = 1; t < r->notation->ntensors; t++)
        has_file[t] = r->notation->tensor[t].order == order;
    return tsr_rank_roles_find(roles, r->notation, has_file, err);
}

static tsr_status measure_mode(ranks_run *r, int order, int mode, tsr_error *err)
{
    tsr_rank_question question = {.kind = TSR_GRID_MEDIUM,
                                  .schedule = r->s->schedule,
                                  .nthreads = r->s->how->nthreads > 0 ? (int)r->s->how->threads[0] : 0,
                                  .seed = SEED,
                                  .observer = &r->report->observer};
    const tsr_status status = find_roles(r, &question.roles, order, mode, err);
    TSR_TRY(tsr_ranks_agree(r->ranks, status, err));
    question.notation = r->notation;
    question.expression = tsr_text_cstr(&r->expression);
    question.path[question.roles.sparse] = r->path;
    for (int i = 0; i < r->s->ncolumns; i++) {
        question.ncolumns = question.roles.column >= 0 ? r->s->columns[i] : 1;
        TSR_TRY(measure_formats(r, &question, mode, err));
        if (question.roles.column < 0)
            break;
    }
    return TSR_OK;
}

static tsr_status find_order(int *order, const ranks_run *r, tsr_error *err)
{
    const tsr_read_options how = {.nthreads = 1};
    tsr_feed *feed = NULL;
    const tsr_status status = tsr_feed_open(&feed, r->path, NULL, &how, err);
    if (status == TSR_OK)
        *order = feed->facts.order;
    tsr_feed_close(feed);
    return tsr_ranks_agree(r->ranks, status, err);
}

static void print_table(ranks_run *r)
{
    char shown[TSR_SHOWN_NBYTES];
    printf("%s over %d ranks, %s\n", r->s->kernel->name, r->ranks->n, tsr_show(shown, r->name));
    tsr_cli_table_print(stdout, &r->table, "llrlr");
    r->table = (tsr_cli_table){0};
}

static void add_heads(ranks_run *r)
{
    static const char *const heads[] = {"format", "mode",  "columns", "grid", "balance", "sent",
                                        "model",  "fetch", "compute", "add",  "least",   "median"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tsr_cli_table_cell(&r->table, "%s", heads[i]);
    tsr_cli_table_end_row(&r->table);
}

static tsr_status measure_tensor(ranks_run *r, tsr_error *err)
{
    const bench_ranks_settings *const s = r->s;
    int order = 0;
    TSR_TRY(find_order(&order, r, err));
    add_heads(r);
    if (!bench_kernel_has_modes(s->kernel))
        TSR_TRY(measure_mode(r, order, -1, err));
    for (int m = 0; m < order && bench_kernel_has_modes(s->kernel); m++) {
        bool wanted = s->nmodes == 0;
        for (int i = 0; i < s->nmodes; i++)
            wanted |= s->modes[i] == (uint64_t)m;
        if (wanted)
            TSR_TRY(measure_mode(r, order, m, err));
    }
    tsr_cli_report_wipe(r->report);
    if (r->ranks->rank == 0 && !r->json)
        print_table(r);
    return TSR_OK;
}

/* The file of that name, or of a dataset, which rank 0 generates before the other ranks look for it. */
static tsr_status find_tensor(tsr_resolved *found, const ranks_run *r, const char *text, tsr_error *err)
{
    const tsr_resolve_options how = {
        .seed = SEED, .max_nnz = MAX_GENERATED, .observer = &r->report->observer};
    tsr_datasets *datasets = NULL;
    tsr_status status = TSR_OK;
    for (int turn = 0; turn < 2; turn++) {
        if (turn == (r->ranks->rank > 0)) {
            status = bench_load_datasets(&datasets, NULL, err);
            if (status == TSR_OK)
                status = tsr_dataset_resolve(found, datasets, text, &how, err);
            tsr_datasets_free(datasets);
        }
        TSR_TRY(tsr_ranks_agree(r->ranks, status, err));
    }
    return TSR_OK;
}

static tsr_status measure_named(ranks_run *r, const char *text, tsr_error *err)
{
    const char *const slash = strrchr(text, '/');
    tsr_resolved found = {0};
    tsr_status status;
    r->path = text;
    r->name = slash ? slash + 1 : text;
    if (access(text, F_OK) != 0 && !slash && !bench_has_suffix(text)) {
        TSR_TRY_OUT(find_tensor(&found, r, text, err));
        r->path = tsr_text_cstr(&found.path);
        r->name = tsr_text_cstr(&found.name);
    }
    status = measure_tensor(r, err);
out:
    tsr_text_clear(&r->table.text);
    r->table = (tsr_cli_table){0};
    tsr_resolved_clear(&found);
    return status;
}

static tsr_status measure_all(ranks_run *r, const tsr_cli_operands *operands, tsr_error *err)
{
    for (int i = 0; i < operands->n; i++)
        TSR_TRY(measure_named(r, operands->text[i], err));
    if (r->ranks->rank == 0 && !r->json)
        puts("sent: bytes of all ranks for one product. model: expected for uniformly random entries, "
             "against these. "
             "times of "
             "the slowest rank:\nfetching rows, computing, adding, the least product and the median. The "
             "answers "
             "are not checked here");
    return TSR_OK;
}

static tsr_status measure_and_tell(ranks_run *r, const tsr_cli_operands *operands, tsr_error *err)
{
    const tsr_cli_common *const c = &r->s->how->common;
    tsr_json_output out;
    if (!c->json || r->ranks->rank > 0)
        return measure_all(r, operands, err);
    TSR_TRY(tsr_json_output_begin(&out, c->json_path, true, err));
    r->json = &out.json;
    tsr_json_string(r->json, "kernel", r->s->kernel->name);
    tsr_json_u64(r->json, "ranks", (uint64_t)r->ranks->n);
    tsr_json_open(r->json, "runs", '[', false);
    const tsr_status status = measure_all(r, operands, err);
    tsr_json_close(r->json, ']');
    return tsr_json_output_end(&out, c->json_path, status, err);
}

int bench_over_ranks(const bench_ranks_settings *s, const tsr_cli_operands *operands)
{
    tsr_cli_ranks ranks;
    tsr_cli_report report;
    tsr_error err = {0};
    int code = TSR_EXIT_OK;
    tsr_cli_report_init(&report, s->tool->name, s->how->common.quiet);
    if (tsr_cli_ranks_open(&ranks, 0, NULL, &err) != TSR_OK)
        return tsr_cli_report_error(&report, &err);
    if (!ranks.ranks)
        return tsr_cli_usage_error(
            s->tool, "--ranks measures the ranks of an MPI run: start it with mpirun -n P tbench");
    const bool speaks = tsr_cli_ranks_speaks(&ranks);
    if (speaks)
        tsr_cli_report_progress(&report, &s->how->common.progress);
    ranks_run r = {.s = s, .ranks = ranks.ranks, .report = &report};
    if (measure_and_tell(&r, operands, &err) != TSR_OK)
        code = speaks ? tsr_cli_report_error(&report, &err) : tsr_cli_exit_code(err.status);
    tsr_cli_report_wipe(&report);
    tsr_notation_free(r.notation);
    tsr_text_clear(&r.expression);
    tsr_cli_ranks_close(&ranks);
    return code;
}
