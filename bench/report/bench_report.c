/* Reports: the rows and what follows from them, and the tables as text. See bench_report.h. */
#include "bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_pay.h"
#include "tsr_alloc.h"

/* ---- rows ---- */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_group(const bench_row *a, const bench_row *b)
{
    return same_text(a->kernel, b->kernel) && same_text(a->expression, b->expression) &&
           same_text(a->dataset.name, b->dataset.name) && a->dataset.nnz == b->dataset.nnz &&
           a->has_mode == b->has_mode && a->mode == b->mode && a->rank == b->rank &&
           same_text(a->type, b->type) && a->nthreads == b->nthreads && a->cold == b->cold;
}

static bool is_called(const bench_row *row, const char *name)
{
    char label[BENCH_LABEL_NBYTES];
    return strcmp(bench_candidate_label(label, row), name) == 0 || same_text(row->format, name) ||
           strcmp(row->candidate, name) == 0;
}

/* Rows that ran together stand together: look so far to either side. */
enum { WINDOW = 256 };

static const bench_row *find_reference(const bench_record *record, uint32_t i)
{
    const bench_row *const row = &record->rows[i];
    const uint32_t lo = i > WINDOW ? i - WINDOW : 0;
    const uint32_t hi = record->nrows - i > WINDOW ? i + WINDOW : record->nrows;
    for (uint32_t k = lo; k < hi && row->reference; k++)
        if (record->rows[k].nsamples && same_group(&record->rows[k], row) &&
            is_called(&record->rows[k], row->reference))
            return &record->rows[k];
    return NULL;
}

static double break_even(const bench_row *row, const bench_row *reference)
{
    if (!reference || reference == row || !row->nsamples || !(row->pack_ns > 0))
        return 0;
    const bench_cost mine = {row->pack_ns, row->ns.median}, its = {reference->pack_ns, reference->ns.median};
    return fmax(1, bench_break_even(mine, its));
}

tsr_status bench_report_init(bench_report *report, const bench_record *records, int n, tsr_error *err)
{
    uint64_t nrows = 0;
    void *p;
    *report = (bench_report){.nrecords = n, .records = records};
    for (int i = 0; i < n; i++)
        nrows += records[i].nrows;
    if (nrows == 0 || nrows > UINT32_MAX)
        return tsr_fail(err, TSR_CORRUPT, "the records have %" PRIu64 " rows", nrows);
    TSR_TRY(tsr_alloc_array(&p, nrows, sizeof *report->rows, 1, "the rows of a report", err));
    report->rows = p;
    for (int i = 0; i < n; i++)
        for (uint32_t k = 0; k < records[i].nrows; k++) {
            const bench_row *const row = &records[i].rows[k], *const reference =
                                                                  find_reference(&records[i], k);
            report->rows[report->n++] =
                (bench_report_row){&records[i], row, reference, break_even(row, reference)};
        }
    return TSR_OK;
}

void bench_report_clear(bench_report *report)
{
    tsr_free(report->rows);
    memset(report, 0, sizeof *report);
}

/* ---- words ---- */

char *bench_number_label(char *buf, double v)
{
    buf[0] = '\0';
    if (v > 0)
        snprintf(buf, 32, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
    return buf;
}

char *bench_runs_label(char *buf, double runs)
{
    buf[0] = '\0';
    if (isinf(runs))
        snprintf(buf, 32, "never");
    else if (runs >= 1e6)
        snprintf(buf, 32, "%.2g", runs);
    else if (runs > 0)
        snprintf(buf, 32, "%.0f", runs);
    return buf;
}

/* ---- Markdown ---- */

/* Text in a cell: what Markdown would take for more than text is escaped. */
static void add_cell(tsr_text *text, const char *s)
{
    tsr_text_add(text, " ");
    for (; *s; s++) {
        if (strchr("\\|`*_<>[]#~&", *s))
            tsr_text_add(text, "\\");
        tsr_text_add_n(text, s, 1);
    }
    tsr_text_add(text, " |");
}

static void add_number(tsr_text *text, double v, const char *suffix)
{
    char label[BENCH_LABEL_NBYTES];
    tsr_text_addf(text, " %s%s |", bench_number_label(label, v), v > 0 ? suffix : "");
}

static void add_record(tsr_text *text, const bench_record *record)
{
    char size[32], title[5 * BENCH_TEXT_NBYTES];
    const bench_machine *const m = &record->machine;
    snprintf(title, sizeof title, "%s, %d processors, %s, %s of memory; %s", m->cpu, m->ncpus, m->caches,
             tsr_bytes_text(size, m->memory_nbytes), m->kernel);
    tsr_text_add(text, "|");
    add_cell(text, record->command);
    tsr_text_add(text, "\n|");
    add_cell(text, title);
    snprintf(title, sizeof title, "%s at %s, %s, %s", m->version, m->commit, m->compiler, m->flags);
    tsr_text_add(text, "\n|");
    add_cell(text, title);
    for (int i = 0; i < record->nroofs; i++) {
        const bench_roof *const r = &record->roofs[i];
        snprintf(title, sizeof title,
                 "%d thread%s: triad %.1f GB/s, gather %.0f M/s, multiply-add %.0f GFLOP/s (f64), %.0f (f32)",
                 r->nthreads, r->nthreads == 1 ? "" : "s", r->triad / 1e9, r->gather / 1e6, r->fma_f64 / 1e9,
                 r->fma_f32 / 1e9);
        tsr_text_add(text, "\n|");
        add_cell(text, title);
    }
    snprintf(title, sizeof title, "started %s%s", m->started, record->interrupted ? ", interrupted" : "");
    tsr_text_add(text, "\n|");
    add_cell(text, title);
    tsr_text_add(text, "\n");
}

static void add_row(tsr_text *text, const bench_report_row *r)
{
    char label[BENCH_LABEL_NBYTES], size[32];
    const bench_row *const row = r->row;
    tsr_text_add(text, "|");
    add_cell(text, bench_dataset_label(label, row));
    add_cell(text, bench_candidate_label(label, row));
    tsr_text_addf(text, " %d |", row->nthreads);
    if (!row->nsamples) {
        add_cell(text, row->note ? row->note : "did not run");
        tsr_text_add(text, " | | | | | | | |\n");
        return;
    }
    tsr_text_addf(text, " %s |", bench_time_label(label, row->ns.median));
    if (row->speedup.ratio > 0)
        tsr_text_addf(text, " %.2f (%.2f-%.2f) |", row->speedup.ratio, row->speedup.lo, row->speedup.hi);
    else
        tsr_text_add(text, " |");
    tsr_text_addf(text, " %s |", row->nbytes ? tsr_bytes_text(size, row->nbytes) : "");
    tsr_text_addf(text, " %s |", bench_time_label(label, row->pack_ns));
    tsr_text_addf(text, " %s |", bench_runs_label(label, r->break_even));
    add_number(text, row->moved_nbytes / row->ns.median, "");
    add_number(text, row->flops / row->ns.median, "");
    if (row->roof_share > 0)
        tsr_text_addf(text, " %.0f%% |", 100 * row->roof_share);
    else
        tsr_text_add(text, " |");
    tsr_text_addf(text, " %s%s |\n", row->noisy ? "noisy " : "", row->checked ? "" : "unchecked");
}

/* One table for each kernel, in the order in which they first come. */
void bench_report_markdown(tsr_text *text, const bench_report *report)
{
    tsr_text_add(text, "# Results\n\n");
    for (int i = 0; i < report->nrecords; i++) {
        tsr_text_addf(text, "| record %d |\n|---|\n", i + 1);
        add_record(text, &report->records[i]);
        tsr_text_add(text, "\n");
    }
    tsr_text_add(
        text,
        "Times are medians. Speed-up is over the reference of the row, with its 95% interval. Break-even: "
        "after so "
        "many runs the conversion has paid for itself against the reference. Roof: share of what memory and "
        "processor allow (above 100% where data stay in the caches).\n");
    for (uint32_t i = 0; i < report->n; i++) {
        char kernel[BENCH_LABEL_NBYTES], other[BENCH_LABEL_NBYTES];
        bench_kernel_label(kernel, report->rows[i].row);
        if (i > 0 && strcmp(kernel, bench_kernel_label(other, report->rows[i - 1].row)) == 0)
            continue;
        bool seen = false; /* in an earlier run of rows; each such run begins a table of its own otherwise */
        for (uint32_t k = 0; k < i && !seen && i < 10000; k++)
            seen = strcmp(kernel, bench_kernel_label(other, report->rows[k].row)) == 0;
        if (seen)
            continue;
        tsr_text_addf(text, "\n## %s\n\n", kernel);
        tsr_text_add(text, "| dataset | candidate | threads | time | speed-up | bytes | pack | break-even | "
                           "GB/s | GFLOP/s | roof | |\n"
                           "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
        for (uint32_t k = i; k < report->n; k++) {
            const bool same = strcmp(kernel, bench_kernel_label(other, report->rows[k].row)) == 0;
            if (same)
                add_row(text, &report->rows[k]);
            else if (i >= 10000)
                break;
        }
    }
}

/* ---- CSV (RFC 4180) ---- */

static void add_field(tsr_text *text, const char *s)
{
    tsr_text_add(text, "\"");
    for (; s && *s; s++) {
        if (*s == '"')
            tsr_text_add(text, "\"");
        tsr_text_add_n(text, s, 1);
    }
    tsr_text_add(text, "\",");
}

static void add_value(tsr_text *text, double v, const char *end)
{
    if (v > 0 && !isinf(v))
        tsr_text_addf(text, "%.9g", v);
    tsr_text_add(text, end);
}

void bench_report_csv(tsr_text *text, const bench_report *report)
{
    tsr_text_add(text, "record,commit,kernel,expression,dataset,nnz,stand_in,seed,mode,rank,type,threads,"
                       "cold,candidate,format,"
                       "schedule,engine,version,note,checked,noisy,samples,min_ns,q1_ns,median_ns,q3_ns,max_"
                       "ns,speedup,speedup_lo,"
                       "speedup_hi,bytes,pack_ns,break_even,gb_s,gflop_s,roof_share\n");
    for (uint32_t i = 0; i < report->n; i++) {
        const bench_row *const r = report->rows[i].row;
        tsr_text_addf(text, "%d,", (int)(report->rows[i].record - report->records) + 1);
        add_field(text, report->rows[i].record->machine.commit);
        add_field(text, r->kernel);
        add_field(text, r->expression);
        add_field(text, r->dataset.name);
        tsr_text_addf(text, "%" PRIu64 ",%d,%" PRIu64 ",", r->dataset.nnz, r->dataset.stand_in,
                      r->dataset.seed);
        if (r->has_mode)
            tsr_text_addf(text, "%d", r->mode);
        tsr_text_add(text, ",");
        add_value(text, r->rank, ",");
        add_field(text, r->type);
        tsr_text_addf(text, "%d,%d,", r->nthreads, r->cold);
        add_field(text, r->candidate);
        add_field(text, r->format);
        add_field(text, r->schedule);
        add_field(text, r->engine);
        add_field(text, r->version);
        add_field(text, r->note);
        tsr_text_addf(text, "%d,%d,%u,", r->checked, r->noisy, (unsigned)r->nsamples);
        const double values[] = {r->ns.min,
                                 r->ns.q1,
                                 r->ns.median,
                                 r->ns.q3,
                                 r->ns.max,
                                 r->speedup.ratio,
                                 r->speedup.lo,
                                 r->speedup.hi,
                                 (double)r->nbytes,
                                 r->pack_ns,
                                 report->rows[i].break_even,
                                 r->nsamples ? r->moved_nbytes / r->ns.median : 0,
                                 r->nsamples ? r->flops / r->ns.median : 0,
                                 r->roof_share};
        const size_t n = sizeof values / sizeof *values;
        for (size_t k = 0; k < n; k++)
            add_value(text, values[k], k + 1 < n ? "," : "\n");
    }
}
