/* Compares candidates on a case: see bench_contest.h. */
#include "bench_contest.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench_clock.h"
#include "bench_table.h"
#include "tsr_alloc.h"
#include "tsr_blocks.h"
#include "tsr_cells.h"
#include "tsr_pack.h"

enum { MAX_CONTENDERS = BENCH_MAX_FORMATS + BENCH_MAX_BASELINES };

/* ---- candidates ---- */

/* One row: Tessera in a format, or a baseline. */
typedef struct contest_candidate {
    const bench_case *c;
    const char *name, *format;
    const char *beside; /* a baseline: the format of the first row, or NULL */
    int nthreads;
    int count; /* which of the thread counts that are */
    double pack_ns;
    uint64_t nbytes;
    tsr_kernel *kernel;   /* Tessera: the kernel */
    tsr_kernel *values;   /* BENCH_WAY_COMPUTE: the kernel of values alone */
    uint8_t index_nbytes; /* of the result */
    uint64_t nentries;    /* BENCH_WAY_COUNT: what the last run counted */
    const char *memory;   /* see bench_row */
    tsr_tensor *result;
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    tsr_tensor *siblings[TSR_NOTATION_MAX_TENSORS]; /* owned: other sparse operands, in the same format */
    tsr_kernel_work work;
    const bench_baseline *baseline; /* NULL: Tessera */
    void *state;
    bench_opened opened;        /* what the baseline reported */
    bool failed;                /* it failed in the current rounds */
    bool late;                  /* Tessera: measured alone, after the others */
    bool lacks_memory;          /* it does not run for lack of memory */
    bench_pack *pack;           /* Tessera: the kernel */
    char why[BENCH_WHY_NBYTES]; /* the reason why it does not run */
} contest_candidate;

static void overwrite(void *ctx)
{
    contest_candidate *const k = ctx;
    if (!k->baseline && k->result && k->result->values.n > 0)
        memset(k->result->values.data, 0xff, tsr_array_nbytes(&k->result->values)); /* NaN */
    else if (k->baseline && k->baseline->overwrite)
        k->baseline->overwrite(k->state);
}

/* The tensors of the kernel but the result. */
static void describe_operands(tsr_kernel_tensor *tensors, const bench_case *c,
                              const tsr_tensor *const *operands)
{
    for (int t = 1; t < c->notation->ntensors; t++)
        tensors[t] = (tsr_kernel_tensor){.name = c->notation->tensor[t].name, .tensor = operands[t - 1]};
}

/* The number of entries for these operands, which are those of the candidate or slices of them: see tsr_blocks_counter. */
static tsr_status count_block(uint64_t *nnz, void *arg, const tsr_tensor *const *operands, tsr_error *err)
{
    contest_candidate *const k = arg;
    const int n = k->c->notation->ntensors;
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_kernel *own = NULL;
    tsr_tensor *result = NULL;
    const bool whole = memcmp(operands, k->operands, (size_t)(n - 1) * sizeof *operands) == 0;
    describe_operands(tensors, k->c, operands);
    tensors[0] = (tsr_kernel_tensor){.name = k->c->notation->tensor[0].name,
                                     .format = k->result->format,
                                     .type = k->c->type,
                                     .index_nbytes = k->index_nbytes};
    if (!whole)
        TSR_TRY(tsr_kernel_rebind(&own, k->kernel, tensors, n, err));
    tsr_status status = tsr_kernel_result(&result, own ? own : k->kernel, operands, err);
    if (status == TSR_OK)
        status = tsr_kernel_run(own ? own : k->kernel, result, operands, k->nthreads, err);
    if (status == TSR_OK)
        *nnz = tsr_cells_nstored(result, k->nthreads);
    tsr_tensor_free(result);
    tsr_kernel_free(own);
    return status;
}

static tsr_status run_tessera(contest_candidate *k, tsr_error *err)
{
    if (k->c->kernel->way == BENCH_WAY_COMPUTE)
        return tsr_kernel_compute(k->values, k->result, k->operands, k->nthreads, err);
    if (k->c->kernel->way == BENCH_WAY_COUNT) {
        const tsr_blocks_counter counter = {k->c->notation, k->operands, k->nthreads, count_block, k};
        return tsr_blocks_count_entries(&k->nentries, &counter, err);
    }
    if (!k->result)
        TSR_TRY(tsr_kernel_result(&k->result, k->kernel, k->operands, err));
    return tsr_kernel_run(k->kernel, k->result, k->operands, k->nthreads, err);
}

static tsr_status run(void *ctx, tsr_error *err)
{
    contest_candidate *const k = ctx;
    const tsr_status status = k->baseline ? k->baseline->run(k->state, err) : run_tessera(k, err);
    k->failed = status != TSR_OK;
    return status;
}

static bool makes_new(const contest_candidate *k)
{
    return k->memory && strcmp(k->memory, BENCH_NEW) == 0;
}

/* Free the last result, so that the run makes a new one. Baselines do so themselves. */
static tsr_status release(void *ctx, tsr_error *err)
{
    contest_candidate *const k = ctx;
    (void)err;
    tsr_tensor_free(k->result);
    k->result = NULL;
    return TSR_OK;
}

/* Whether as many entries were counted as a run makes, whose answer is right. */
static tsr_status check_count(contest_candidate *k, tsr_error *err)
{
    TSR_TRY(tsr_kernel_run(k->kernel, k->result, k->operands, k->nthreads, err));
    TSR_TRY(bench_answer_check(k->c->answer, k->result, err));
    const uint64_t n = tsr_cells_nstored(k->result, k->nthreads);
    return n == k->nentries ? TSR_OK
                            : tsr_fail(err, TSR_CORRUPT,
                                       "wrong: %" PRIu64 " entries were counted, but the result has %" PRIu64,
                                       k->nentries, n);
}

static tsr_status check_answer(contest_candidate *k, tsr_error *err)
{
    const double *cells;
    const tsr_coo *entries;
    if (!k->baseline && k->c->kernel->way == BENCH_WAY_COUNT)
        return check_count(k, err);
    if (!k->baseline)
        return bench_answer_check(k->c->answer, k->result, err);
    if (k->baseline->entries) {
        TSR_TRY(k->baseline->entries(&entries, k->state, err));
        if (entries)
            return bench_answer_check_entries(k->c->answer, entries, err);
    }
    if (!k->baseline->result)
        return TSR_OK;
    TSR_TRY(k->baseline->result(&cells, k->state, err));
    return bench_answer_check_dense(k->c->answer, cells, err);
}

static tsr_status check(void *ctx, tsr_error *err)
{
    contest_candidate *const k = ctx;
    const tsr_status status = check_answer(k, err);
    k->failed = status != TSR_OK;
    return status;
}

static double said_ns(void *ctx)
{
    contest_candidate *const k = ctx;
    return k->baseline->said_ns(k->state);
}

static void candidate_clear(contest_candidate *k)
{
    if (k->state)
        k->baseline->close(k->state);
    tsr_kernel_free(k->kernel);
    tsr_kernel_free(k->values);
    tsr_tensor_free(k->result);
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++) {
        tsr_tensor_free(k->siblings[t]);
        k->siblings[t] = NULL;
    }
    k->state = NULL;
    k->kernel = k->values = NULL;
    k->result = NULL;
}

/* The other sparse operands, packed like the first, or, with other modes, as the kernel's file says. */
static tsr_status pack_siblings(contest_candidate *k, const bench_contest *contest, const tsr_format *format,
                                tsr_error *err)
{
    const tsr_pack_options how = {
        .nthreads = k->nthreads, .duplicates = TSR_DUP_SUM, .index_width = TSR_INDEX_AUTO};
    for (int t = 1; t < k->c->notation->ntensors; t++) {
        tsr_coo *copy;
        if (!k->c->siblings[t])
            continue;
        TSR_TRY(tsr_coo_copy(&copy, k->c->siblings[t], err));
        tsr_format *own = NULL;
        tsr_status status = TSR_OK;
        if (copy->order != format->order)
            status = bench_case_format(&own, k->c, t, copy->dims, err);
        if (status != TSR_OK)
            tsr_coo_free(copy);
        else
            status = tsr_pack(&k->siblings[t], copy, own ? own : format, &how, NULL, err);
        if (status == TSR_OK)
            status = bench_store_as(k->siblings[t], contest->stored, err);
        tsr_format_free(own);
        TSR_TRY(status);
    }
    return TSR_OK;
}

/* The result of a kernel, as the way of the case needs it. */
static tsr_status make_result(contest_candidate *k, const tsr_kernel_tensor *tensors,
                              const tsr_kernel_options *options, tsr_error *err)
{
    tsr_kernel_options values = *options;
    values.values_only = true;
    TSR_TRY(tsr_kernel_result(&k->result, k->kernel, k->operands, err));
    if (k->c->kernel->way != BENCH_WAY_COMPUTE)
        return TSR_OK;
    TSR_TRY(tsr_kernel_assemble(k->kernel, k->result, k->operands, k->nthreads, err));
    return tsr_kernel_new(&k->values, k->c->text, tensors, k->c->notation->ntensors, &values, err);
}

/* Make the kernel for a packed operand, and its result. */
static tsr_status open_tessera(contest_candidate *k, const bench_contest *contest, const tsr_tensor *packed,
                               tsr_error *err)
{
    const tsr_notation *const notation = k->c->notation;
    tsr_tuning tuning;
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const tsr_kernel_options options = {.nthreads = k->nthreads,
                                        .schedule = contest->schedule,
                                        .tuning = &tuning,
                                        .any_size = k->c->kernel->way == BENCH_WAY_COUNT};
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_format *result;
    TSR_TRY(pack_siblings(k, contest, packed->format, err));
    TSR_TRY(bench_result_format(&result, k->c, packed->format, err));
    tensors[0] = (tsr_kernel_tensor){.name = notation->tensor[0].name, .format = result, .type = k->c->type};
    if (result) /* its levels have the types and widths of the operand's levels */
        tensors[0].index_nbytes = (uint8_t)packed->levels[packed->nlevels - 1].crd.width;
    k->index_nbytes = tensors[0].index_nbytes;
    for (int t = 1; t < notation->ntensors; t++)
        k->operands[t - 1] = t == k->c->sparse ? packed : k->siblings[t] ? k->siblings[t] : k->c->operand[t];
    describe_operands(tensors, k->c, k->operands);
    tsr_status status = tsr_kernel_new(&k->kernel, k->c->text, tensors, notation->ntensors, &options, err);
    if (status == TSR_OK)
        status = make_result(k, tensors, &options, err);
    tsr_format_free(result);
    TSR_TRY(status);
    const tsr_kernel_info *const info = tsr_kernel_get_info(k->kernel);
    if (info->engine == TSR_ENGINE_INTERPRETER)
        return tsr_fail(err, TSR_UNSUPPORTED, "there is no built-in kernel for it, and %s",
                        info->warning ? info->warning : "there is no compiler");
    return TSR_OK;
}

/* Run once and check the answer, so that a candidate that is wrong or fails does not end the others. */
static tsr_status try_once(contest_candidate *k, tsr_error *err)
{
    overwrite(k);
    TSR_TRY(run(k, err));
    if (!k->baseline && k->c->kernel->way != BENCH_WAY_COUNT) /* a sparse result has its entries now */
        TSR_TRY(tsr_kernel_count(&k->work, k->kernel, k->result, k->operands, err));
    return check(k, err);
}

static tsr_status open_baseline(contest_candidate *k, bench_contest *contest, const char *path,
                                tsr_error *err)
{
    const bench_baseline *const b = k->baseline;
    const bench_asked asked = {.nthreads = k->nthreads,
                               .cold = contest->how->cold,
                               .format = k->beside,
                               .path = path,
                               .data = contest->path,
                               .folder = &contest->folder};
    if (b->wants_path && !path)
        return tsr_fail(err, TSR_UNSUPPORTED, "use --baseline=%s=PATH, where PATH is %s", b->name,
                        b->path_is);
    TSR_TRY(b->open(&k->state, &k->opened, k->c, &asked, err));
    k->pack_ns = k->opened.pack_ns;
    k->nbytes = k->opened.nbytes;
    if (k->opened.format)
        k->format = k->opened.format;
    return TSR_OK;
}

static tsr_status open_candidate(contest_candidate *k, bench_contest *contest, const tsr_tensor *packed,
                                 const char *path, tsr_error *err)
{
    tsr_error mine = {0};
    tsr_status status;
    bench_settings_show(contest->report, "preparing %s", k->name);
    if (tsr_cli_interrupted())
        return tsr_fail(err, TSR_CANCELLED, "interrupted");
    status = k->baseline ? open_baseline(k, contest, path, &mine) : open_tessera(k, contest, packed, &mine);
    if (status == TSR_OK)
        status = try_once(k, &mine);
    if (status == TSR_OK)
        return TSR_OK;
    contest->wrong |= status == TSR_CORRUPT;
    k->failed = false;
    k->lacks_memory = bench_lacks_memory(status);
    candidate_clear(k);
    bench_tell(k->why, &mine);
    if (bench_ends_all(status))
        *err = mine;
    return bench_ends_all(status) ? status : TSR_OK;
}

/* ---- recording and printing ---- */

/* Make row `at` of the record, or add the samples of this pass to it. */
static tsr_status record_row(const bench_contest *contest, uint32_t at, const contest_candidate *k,
                             const bench_candidate *m, const char *reference, tsr_error *err)
{
    const tsr_kernel_info *const info = k->kernel ? tsr_kernel_get_info(k->kernel) : NULL;
    static const char *const engines[] = {[TSR_ENGINE_BUILTIN] = "built in", [TSR_ENGINE_JIT] = "compiled"};
    const bench_row row = {.kernel = k->c->kernel->name,
                           .expression = k->c->text,
                           .dataset = contest->dataset,
                           .has_mode = k->c->mode >= 0,
                           .mode = k->c->mode < 0 ? 0 : k->c->mode,
                           .rank = k->c->rank,
                           .type = tsr_type_name(contest->stored),
                           .nthreads = k->nthreads,
                           .cold = contest->how->cold,
                           .candidate = k->baseline ? k->baseline->name : BENCH_TESSERA,
                           .memory = k->memory,
                           .format = k->format,
                           .schedule = info ? info->schedule : NULL,
                           .engine = info ? engines[info->engine] : NULL,
                           .nbytes = k->nbytes,
                           .pack_ns = k->pack_ns,
                           .predicted_ns = k->pack ? k->pack->predicted_ns[k->count] : 0,
                           .predicted_pack_ns = k->pack ? k->pack->predicted_pack_ns[k->count] : 0,
                           .moved_nbytes = k->work.nbytes,
                           .flops = k->work.flops,
                           .reference = reference,
                           .version = k->opened.version[0] ? k->opened.version : NULL,
                           .note = k->why[0] ? k->why : k->opened.note};
    if (at < contest->record->nrows)
        return bench_record_join(contest->record, at, &row, m, err);
    return m ? bench_record_add_candidate(contest->record, &row, m, err)
             : bench_record_add(contest->record, &row, err);
}

/* Record all rows; measured[i] is NULL for a candidate that did not run. */
static tsr_status record_all(bench_contest *contest, const contest_candidate *k,
                             const bench_candidate *const *measured, int n, int reference, tsr_error *err)
{
    const uint32_t first = contest->row;
    const bool joins = first < contest->record->nrows;
    for (int i = 0; i < n; i++)
        TSR_TRY(record_row(contest, contest->row++, &k[i], measured[i], k[reference].name, err));
    for (uint32_t i = 0; i < (uint32_t)n && joins; i++)
        bench_record_speedup(contest->record, first + i, first + (uint32_t)reference);
    return TSR_OK;
}

/* No format of Tessera was measured: report it once for each tensor, with the first reason and the number of
 * other formats. */
static void tell_nothing(bench_contest *contest, const bench_row *rows, int n)
{
    const bench_row *first = NULL;
    int nmore = 0;
    tsr_text line = {0};
    contest->nothing = true;
    for (int i = 0; i < n; i++) {
        nmore += first && bench_row_is_tessera(&rows[i]);
        first = first ? first : bench_row_is_tessera(&rows[i]) ? &rows[i] : NULL;
    }
    if (!first)
        return;
    const char *const why = first->note ? first->note : "it did not run";
    const bool named = strncmp(why, first->format, strlen(first->format)) == 0;
    tsr_text_addf(&line, "%s: nothing to measure: %s%s%s", first->dataset.name, named ? "" : first->format,
                  named ? "" : ": ", why);
    if (nmore)
        tsr_text_addf(&line, " (and %d more format%s)", nmore, nmore == 1 ? "" : "s");
    if (bench_remarks_add(&contest->failures, tsr_text_cstr(&line)))
        tsr_cli_report_line(contest->report, "tbench: %s", tsr_text_cstr(&line));
    tsr_text_clear(&line);
}

/* Print the table of one thread count, whose rows are the last n of this pass. */
static tsr_status show(bench_contest *contest, int n, tsr_error *err)
{
    const bench_row *const rows = &contest->record->rows[contest->row - (uint32_t)n];
    bool is_any = false, is_tessera = false;
    for (int i = 0; i < n; i++) {
        is_any |= rows[i].nsamples > 0;
        is_tessera |= rows[i].nsamples > 0 && bench_row_is_tessera(&rows[i]);
    }
    tsr_cli_report_wipe(contest->report);
    if (!is_tessera)
        tell_nothing(contest, rows, n);
    if (!is_any)
        return TSR_OK;
    bench_warn_busy(contest->how, contest->record);
    FILE *const to = bench_pages_open(&contest->pages, err);
    if (!to)
        return TSR_NOMEM;
    const tsr_status status = bench_table_print(to, contest->record, contest->row - (uint32_t)n, (uint32_t)n,
                                                &contest->remarks, err);
    const tsr_status closed = bench_pages_close(&contest->pages, status == TSR_OK ? err : NULL);
    return status == TSR_OK ? closed : status;
}

/* ---- one thread count ---- */

/* Candidate k in the form for the harness. */
static bench_candidate as_candidate(contest_candidate *k)
{
    bench_candidate m = {.name = k->name,
                         .nthreads = k->nthreads,
                         .external = k->baseline && k->baseline != &bench_in_file,
                         .said_ns = k->baseline && k->baseline->said_ns ? said_ns : NULL,
                         .ctx = k,
                         .overwrite = overwrite,
                         .run = run,
                         .check = check};
    if (makes_new(k) && !k->baseline)
        m.prepare = release;
    return m;
}

/* Collect those that run, in order. measured[i]: candidate i, or NULL. Returns their number. */
static int gather(const bench_candidate **measured, contest_candidate *k, int n, bench_candidate *candidates)
{
    int ncandidates = 0;
    for (int i = 0; i < n; i++) {
        measured[i] = NULL;
        if (k[i].why[0] || k[i].late)
            continue;
        bench_candidate *const m = &candidates[ncandidates++];
        *m = as_candidate(&k[i]);
        measured[i] = m;
    }
    return ncandidates;
}

static bool any_failed(const contest_candidate *k, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any |= k[i].failed;
    return any;
}

/* The candidates of a case with one number of threads. */
typedef struct contenders {
    bench_contest *contest;
    const bench_case *c;
    bench_packs *packs;
    int t;              /* an index into contest->how->threads */
    const char *memory; /* of all candidates: see bench_row */
    int n;
    contest_candidate *k;        /* n */
    bench_candidate *candidates; /* MAX_CONTENDERS; those that are measured, in order */
} contenders;

/* Run the rounds of all; if a candidate fails during the rounds, run them again without it. */
static tsr_status run_rounds(const bench_candidate **measured, bench_noise *noise, const contenders *all,
                             tsr_error *err)
{
    contest_candidate *const k = all->k;
    const int n = all->n;
    bench_run_options rounds = bench_settings_run(all->contest->how);
    for (;;) {
        tsr_error mine = {0};
        const int ncandidates = gather(measured, k, n, all->candidates);
        if (ncandidates == 0)
            return TSR_OK;
        const tsr_status status = bench_run(noise, all->candidates, ncandidates, &rounds, &mine);
        all->contest->wrong |= status == TSR_CORRUPT;
        if (status == TSR_OK || bench_ends_all(status) || !any_failed(k, n)) {
            if (status != TSR_OK && err)
                *err = mine;
            return status;
        }
        for (int i = 0; i < n; i++)
            if (k[i].failed) {
                k[i].failed = false;
                bench_tell(k[i].why, &mine);
                candidate_clear(&k[i]);
            }
    }
}

/* ---- formats that do not fit into memory beside the others ---- */

/* Free the other packed tensors, pack the format of candidate k, and open it. */
static tsr_status open_late(const contenders *all, contest_candidate *k, tsr_error *err)
{
    bench_contest *const contest = all->contest;
    const bool timed = k->pack->pack_ns[contest->how->nthreads - 1] > 0;
    tsr_error mine = {0};
    for (int i = 0; i < all->n; i++) {
        tsr_tensor_free(all->k[i].result);
        all->k[i].result = NULL;
    }
    bench_packs_drop(all->packs);
    const tsr_status status = timed ? bench_pack_again(k->pack, contest, k->c, &mine)
                                    : bench_pack_time(k->pack, contest, k->c, &mine);
    if (bench_ends_all(status)) {
        *err = mine;
        return status;
    }
    if (status != TSR_OK) {
        k->lacks_memory = bench_lacks_memory(status);
        bench_tell(k->why, &mine);
        return TSR_OK;
    }
    k->pack_ns = k->pack->pack_ns[all->t];
    k->nbytes = tsr_tensor_nbytes(k->pack->tensor);
    return open_candidate(k, contest, k->pack->tensor, NULL, err);
}

/* Measure candidate k alone; its samples are compared with those of the reference, although the two did not
 * take turns. */
static tsr_status run_alone(bench_candidate *m, contest_candidate *k, const bench_contest *contest,
                            const bench_candidate *reference, tsr_error *err)
{
    bench_run_options rounds = bench_settings_run(contest->how);
    tsr_error mine = {0};
    rounds.once = true;
    *m = as_candidate(k);
    const tsr_status status = bench_run(NULL, m, 1, &rounds, &mine);
    if (bench_ends_all(status)) {
        *err = mine;
    } else if (status != TSR_OK) {
        bench_tell(k->why, &mine);
    } else if (reference) {
        const bench_samples its = {.ns = reference->samples_ns, .n = reference->ns.n},
                            own = {.ns = m->samples_ns, .n = m->ns.n};
        m->speedup = bench_ratio_of(&its, &own, false, 0.95, 1);
        k->opened.note = "measured alone, since it does not fit into memory beside the others";
    }
    return bench_ends_all(status) ? status : TSR_OK;
}

/* Measure all late candidates, one by one, after the others. */
static tsr_status run_late(const bench_candidate **measured, const contenders *all, tsr_error *err)
{
    contest_candidate *const k = all->k;
    const int n = all->n;
    const bench_candidate *reference = NULL;
    for (int i = 0; i < n && !reference; i++)
        reference = measured[i];
    int next = n;
    for (int i = 0; i < n; i++) {
        if (!k[i].late)
            continue;
        bench_candidate *const m =
            &all->candidates[--next]; /* the other candidates have the first elements */
        TSR_TRY(open_late(all, &k[i], err));
        if (!k[i].why[0])
            TSR_TRY(run_alone(m, &k[i], all->contest, reference, err));
        if (!k[i].why[0])
            measured[i] = m;
    }
    return TSR_OK;
}

static tsr_status measure(const contenders *all, tsr_error *err)
{
    bench_contest *const contest = all->contest;
    const int n = all->n;
    const bench_candidate *measured[MAX_CONTENDERS] = {NULL};
    bench_noise noise = {0};
    int reference = 0;
    tsr_status status = run_rounds(measured, &noise, all, err);
    if (status == TSR_OK)
        status = run_late(measured, all, err);
    if (status != TSR_OK && (status != TSR_CANCELLED || all->candidates[0].ns.n == 0))
        return status;
    for (int i = n - 1; i >= 0; i--) {
        reference = measured[i] ? i : reference;
        if (measured[i] && measured[i]->ns.n == 0)
            measured[i] = NULL;
    }
    bench_record_noise(contest->record, &noise);
    if (status == TSR_OK && contest->record->nwanted > contest->record->nroofs)
        bench_settings_show(contest->report, "measuring the memory and the processors");
    else if (status != TSR_OK)
        bench_record_want_roofs(contest->record, NULL, 0);
    /* an interruption is reported rather than a later error */
    tsr_error *const mine = status == TSR_OK ? err : NULL;
    tsr_status kept = record_all(contest, all->k, measured, n, reference, mine);
    if (kept == TSR_OK)
        kept = show(contest, n, mine);
    return status == TSR_OK ? kept : status;
}

/* Open candidate `mine` for a format that is packed, or that was packed and must be packed again. */
static tsr_status open_format(contest_candidate *mine, bench_contest *contest, const bench_packs *packs,
                              int t, tsr_error *err)
{
    bench_pack *const pack = mine->pack;
    tsr_error why = {0};
    const tsr_status status = pack->tensor ? TSR_OK : bench_pack_again(pack, contest, mine->c, &why);
    if (bench_ends_all(status)) {
        *err = why;
        return status;
    }
    if (status != TSR_OK) {
        mine->lacks_memory = bench_lacks_memory(status);
        bench_tell(mine->why, &why);
    } else {
        mine->pack_ns = pack->pack_ns[t];
        mine->nbytes = tsr_tensor_nbytes(pack->tensor);
        TSR_TRY(open_candidate(mine, contest, pack->tensor, NULL, err));
    }
    mine->late = mine->lacks_memory && bench_packs_has_other(packs, pack);
    if (mine->late)
        mine->why[0] = '\0';
    return TSR_OK;
}

static tsr_status open_all(contenders *all, tsr_error *err)
{
    bench_contest *const contest = all->contest;
    bench_packs *const packs = all->packs;
    const bench_case *const c = all->c;
    const int nthreads = (int)contest->how->threads[all->t];
    for (int f = 0; f < packs->formats.n; f++) {
        bench_pack *const pack = &packs->pack[f];
        contest_candidate *const mine = &all->k[all->n++];
        *mine = (contest_candidate){.c = c,
                                    .name = pack->text,
                                    .format = pack->text,
                                    .nthreads = nthreads,
                                    .count = all->t,
                                    .memory = all->memory,
                                    .pack = pack,
                                    .late = pack->late};
        if (pack->late)
            continue;
        if (!pack->why[0]) {
            TSR_TRY(open_format(mine, contest, packs, all->t, err));
        } else {
            mine->lacks_memory = pack->lacks_memory;
            memcpy(mine->why, pack->why, sizeof mine->why);
        }
    }
    for (int r = 0; r < contest->baselines->n; r++) {
        const bench_baseline *const baseline = contest->baselines->chosen[r].baseline;
        if (!baseline->takes(c) ||
            (all->memory && baseline->reuses != (strcmp(all->memory, BENCH_REUSED) == 0)))
            continue;
        contest_candidate *const other = &all->k[all->n++];
        *other = (contest_candidate){.c = c,
                                     .name = baseline->name,
                                     .format = baseline->format,
                                     .beside = all->n > 1 ? all->k[0].format : NULL,
                                     .nthreads = nthreads,
                                     .memory = all->memory,
                                     .baseline = baseline};
        TSR_TRY(open_candidate(other, contest, NULL, contest->baselines->chosen[r].path, err));
    }
    return TSR_OK;
}

void bench_contest_pass(bench_contest *contest, bool last)
{
    contest->row = 0;
    tsr_text_clear(&contest->remarks.lines);
    bench_pages_pass(&contest->pages, last);
}

void bench_contest_clear(bench_contest *contest)
{
    bench_pages_clear(&contest->pages);
    tsr_text_clear(&contest->remarks.lines);
    tsr_text_clear(&contest->failures.lines);
    tsr_folder_remove(&contest->folder);
}

/* Measure the candidates with one number of threads and one use of memory. */
static tsr_status measure_once(contenders *all, tsr_error *err)
{
    all->n = 0;
    tsr_status status = open_all(all, err);
    if (status == TSR_OK)
        status = measure(all, err);
    for (int i = 0; i < all->n; i++) {
        all->contest->refused |=
            all->contest->formats && all->k[i].why[0] && all->k[i].lacks_memory && !all->k[i].baseline;
        candidate_clear(&all->k[i]);
    }
    return status;
}

tsr_status bench_contest_case(bench_contest *contest, const bench_case *c, bench_packs *packs, tsr_error *err)
{
    static const char *const both[] = {BENCH_NEW, BENCH_REUSED};
    const bool makes_results = bench_case_makes_results(c);
    tsr_status status = TSR_OK;
    contenders all = {.contest = contest, .c = c, .packs = packs};
    all.k = tsr_calloc(MAX_CONTENDERS, sizeof *all.k);
    all.candidates = tsr_calloc(MAX_CONTENDERS, sizeof *all.candidates);
    if (!all.k || !all.candidates)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    for (all.t = 0; all.t < contest->how->nthreads && status == TSR_OK; all.t++)
        for (int i = 0; i < (makes_results ? 2 : 1) && status == TSR_OK; i++) {
            all.memory = makes_results ? both[i] : NULL;
            status = measure_once(&all, err);
        }
    tsr_free(all.k);
    tsr_free(all.candidates);
    return status;
}
