/* Writes reports as text: Markdown and CSV. See bench_report.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_report.h"
#include "tsr_alloc.h"

/* ---- Markdown ---- */

/* Append text after a blank; characters that are special in Markdown are escaped. */
static void add_text(tsr_text *text, const char *s)
{
    tsr_text_add(text, " ");
    for (; *s; s++) {
        if (strchr("\\|`*_<>[]#~&", *s))
            tsr_text_add(text, "\\");
        tsr_text_add_n(text, s, 1);
    }
}

static void add_cell(tsr_text *text, const char *s)
{
    add_text(text, s);
    tsr_text_add(text, " |");
}

static void add_number(tsr_text *text, double v, const char *suffix)
{
    char label[BENCH_LABEL_NBYTES];
    tsr_text_addf(text, " %s%s |", bench_number_label(label, v), v > 0 ? suffix : "");
}

static void add_record(tsr_text *text, const bench_report *report, int i)
{
    const bench_record *const record = &report->records[i];
    char size[32], title[5 * BENCH_TEXT_NBYTES];
    const bench_machine *const m = &record->machine;
    snprintf(title, sizeof title, "%s, %d processors, %s, %s of memory; %s", m->cpu, m->ncpus, m->caches,
             tsr_bytes_text(size, m->memory_nbytes), m->kernel);
    tsr_text_addf(text, "| record %d", i + 1);
    if (report->nsetups > 1)
        tsr_text_addf(text, " [%c]", bench_setup_letter(report->setup[i]));
    tsr_text_add(text, " |\n|---|\n|");
    add_cell(text, record->command);
    tsr_text_add(text, "\n|");
    add_cell(text, title);
    snprintf(title, sizeof title, "%s at %s, %s, %s", m->version, m->commit, m->compiler, m->flags);
    tsr_text_add(text, "\n|");
    add_cell(text, title);
    for (int k = 0; k < record->nroofs; k++) {
        const bench_roof *const r = &record->roofs[k];
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
    tsr_text_add(text, "\n\n");
}

static void add_row(tsr_text *text, const bench_report *report, const bench_report_row *r)
{
    char label[BENCH_LABEL_NBYTES], size[32];
    const bench_row *const row = r->row;
    tsr_text_add(text, "|");
    add_cell(text, report->datasets[r->dataset].label);
    add_cell(text, bench_candidate_label(label, row));
    tsr_text_addf(text, " %d |", row->nthreads);
    if (!row->nsamples) {
        add_cell(text, row->note ? row->note : "did not run");
        tsr_text_add(text, " | | | | | | | |\n");
        return;
    }
    tsr_text_addf(text, " %s |", bench_time_label(label, row->ns.median));
    if (r->standing.relation == BENCH_REFERENCE)
        tsr_text_add(text, " reference |");
    else
        tsr_text_addf(text, " %s |",
                      r->standing.speedup.ratio > 0 ? bench_ratio_label(label, &r->standing.speedup, "-")
                                                    : "");
    tsr_text_addf(text, " %s |", row->nbytes ? tsr_bytes_text(size, row->nbytes) : "");
    tsr_text_addf(text, " %s |", bench_time_label(label, row->pack_ns));
    tsr_text_addf(text, " %s |", bench_pays_label(label, &r->standing));
    add_number(text, row->gb_s, "");
    add_number(text, row->gflop_s, "");
    if (row->roof_share > 0)
        tsr_text_addf(text, " %.0f%% |", 100 * row->roof_share);
    else
        tsr_text_add(text, " |");
    tsr_text_addf(text, " %s%s |\n", row->noisy ? "\\~ " : "", row->checked ? "" : "unchecked");
}

/* ---- parts of the report ---- */

static void add_datasets(tsr_text *text, const bench_report *report)
{
    char count[32];
    tsr_text_add(text, "## Tensors\n\n| name | whole name | dims | entries | |\n|---|---|---|--:|---|\n");
    for (int i = 0; i < report->ndatasets; i++) {
        const bench_dataset *const d = report->datasets[i].dataset;
        tsr_text_add(text, "|");
        add_cell(text, report->datasets[i].label);
        add_cell(text, d->name ? d->name : "");
        tsr_text_add(text, " ");
        for (int m = 0; m < d->order; m++)
            tsr_text_addf(text, "%s%" PRIu64, m ? " x " : "", d->dims[m]);
        snprintf(count, sizeof count, "seed %" PRIu64, d->seed);
        tsr_text_addf(text, " | %" PRIu64 " | %s%s%s |\n", d->nnz, d->stand_in ? "stand-in" : "",
                      d->stand_in && d->seed ? ", " : "", d->seed ? count : "");
    }
}

/* "mode 0, rank 16": the label of the section without the kernel. */
static const char *case_label(const bench_report *report, const bench_report_group *group)
{
    const bench_report_section *const section = &report->sections[group->section];
    const char *const label = section->label + strlen(report->kernels[section->kernel].label);
    return *label ? label + 2 : label;
}

static void add_group_cells(tsr_text *text, const bench_report *report, const bench_report_group *group)
{
    const bench_report_row *const first = &report->rows[group->first];
    tsr_text_add(text, "|");
    add_cell(text, report->datasets[first->dataset].label);
    add_cell(text, case_label(report, group));
    tsr_text_addf(text, " %d |", first->row->nthreads);
}

static void add_timed(tsr_text *text, const bench_row *row)
{
    char name[BENCH_LABEL_NBYTES], time[BENCH_LABEL_NBYTES], cell[2 * BENCH_LABEL_NBYTES + 8];
    snprintf(cell, sizeof cell, "%s, %s%s", bench_candidate_label(name, row),
             bench_time_label(time, row->ns.median), row->noisy ? " ~" : "");
    add_cell(text, cell);
}

/* Append the best format, its speed-up and when it pays, or why there is none. */
static void add_best_cells(tsr_text *text, const bench_report_group *group)
{
    char label[BENCH_LABEL_NBYTES];
    if (group->best == group->reference) {
        add_cell(text, group->n == 1 ? "" : bench_none_label(&group->choice));
        tsr_text_add(text, " | |");
        return;
    }
    add_timed(text, group->best->row);
    tsr_text_addf(text, " %s |", bench_ratio_label(label, &group->best->standing.speedup, "-"));
    tsr_text_addf(text, " %s |", bench_pays_label(label, &group->best->standing));
}

/* Append the reference, the best format of Tessera, and the cheapest format for each number of runs. */
static void add_what_pays(tsr_text *text, const bench_report *report, const bench_report_group *group)
{
    char label[BENCH_LABEL_NBYTES];
    add_group_cells(text, report, group);
    add_timed(text, group->reference->row);
    add_best_cells(text, group);
    for (int o = 0; o < BENCH_NOFTEN; o++)
        add_cell(text, !group->choice.is_sure
                           ? ""
                           : bench_candidate_label(label,
                                                   report->rows[group->first + group->choice.winner[o]].row));
    tsr_text_add(text, "\n");
}

static void add_what_pays_table(tsr_text *text, const bench_report *report, int kernel)
{
    tsr_text_add(text, "Which format\n\n| tensor | case | threads | reference | best | speed-up | pays |");
    for (int o = 0; o < BENCH_NOFTEN; o++)
        tsr_text_addf(text, " %s |", bench_oftens[o].text);
    tsr_text_add(text, "\n|---|---|--:|---|---|--:|--:|---|---|---|---|\n");
    for (uint32_t g = 0; g < report->ngroups; g++)
        if (report->sections[report->groups[g].section].kernel == kernel && report->groups[g].best)
            add_what_pays(text, report, &report->groups[g]);
}

/* ---- Tessera and the baselines ---- */

/* Write "0.67" or "1.02, tied". */
static char *over_label(char *buf, const bench_ratio *over)
{
    bench_number_label(buf, over->ratio);
    if (over->lo <= 1 && over->hi >= 1)
        strcat(buf, ", tied");
    return buf;
}

static void add_baseline_cell(tsr_text *text, const bench_report_row *other)
{
    char label[BENCH_LABEL_NBYTES], number[BENCH_LABEL_NBYTES];
    if (!other)
        tsr_text_add(text, " - |");
    else if (!other->row->nsamples)
        tsr_text_add(text, " absent |");
    else if (other->tessera_over.ratio > 0)
        tsr_text_addf(text, " %s (%s)%s |", bench_time_label(label, other->row->ns.median),
                      over_label(number, &other->tessera_over), other->row->noisy ? " \\~" : "");
    else
        tsr_text_addf(text, " %s |", bench_time_label(label, other->row->ns.median));
}

/* Append the reasons why baselines have no time, and notes about their times. */
static void add_notes(tsr_text *text, const bench_report *report, int kernel)
{
    const bench_row *rows[BENCH_MAX_NOTES];
    const int n = bench_report_notes(rows, report, kernel);
    for (int i = 0; i < n; i++) {
        tsr_text_add(text, i ? "-" : "\n-");
        add_text(text, rows[i]->candidate);
        tsr_text_add(text, rows[i]->nsamples ? ":" : ", absent:");
        add_text(text, rows[i]->note);
        tsr_text_add(text, "\n");
    }
}

/* Append "librsb 1.2.0": a name and the version that was measured. */
static void add_baseline_name(tsr_text *text, const bench_report *report, int kernel, const char *name)
{
    add_text(text, name);
    for (uint32_t i = 0; i < report->n; i++) {
        const bench_row *const row = report->rows[i].row;
        if (row->version && strcmp(row->candidate, name) == 0 &&
            strcmp(bench_kernel_name(row), report->kernels[kernel].label) == 0) {
            add_text(text, row->version);
            return;
        }
    }
}

static void add_others_table(tsr_text *text, const bench_report *report, int kernel)
{
    const bench_report_kernel *const k = &report->kernels[kernel];
    tsr_text_add(text, "\nTessera and the baselines: median time, and in brackets the best median of Tessera "
                       "over it (below 1: Tessera is faster)\n\n| tensor | case | threads | Tessera, best |");
    for (int i = 0; i < k->nbaselines; i++) {
        add_baseline_name(text, report, kernel, k->baseline[i]);
        tsr_text_add(text, " |");
    }
    tsr_text_add(text, "\n|---|---|--:|---|");
    for (int i = 0; i < k->nbaselines; i++)
        tsr_text_add(text, "--:|");
    tsr_text_add(text, "\n");
    for (uint32_t g = 0; g < report->ngroups; g++) {
        const bench_report_group *const group = &report->groups[g];
        if (report->sections[group->section].kernel != kernel)
            continue;
        add_group_cells(text, report, group);
        if (group->best)
            add_timed(text, group->best->row);
        else
            tsr_text_add(text, " - |");
        for (int i = 0; i < k->nbaselines; i++)
            add_baseline_cell(text, bench_report_find_baseline(report, group, k->baseline[i]));
        tsr_text_add(text, "\n");
    }
    add_notes(text, report, kernel);
}

static void add_section(tsr_text *text, const bench_report *report, int section)
{
    tsr_text_add(text, "\n###");
    add_text(text, report->sections[section].label);
    tsr_text_add(text, "\n\n| tensor | candidate | threads | time | speed-up | bytes | pack | pays | "
                       "GB/s | GFLOP/s | roof | |\n"
                       "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for (uint32_t g = 0; g < report->ngroups; g++)
        if (report->groups[g].section == section)
            for (uint32_t i = 0; i < report->groups[g].n; i++)
                add_row(text, report, &report->rows[report->groups[g].first + i]);
}

static void add_kernel(tsr_text *text, const bench_report *report, int kernel)
{
    tsr_text_add(text, "\n##");
    add_text(text, report->kernels[kernel].label);
    tsr_text_add(text, "\n\n");
    if (report->kernels[kernel].has_tessera) {
        add_what_pays_table(text, report, kernel);
        if (report->kernels[kernel].nbaselines)
            add_others_table(text, report, kernel);
    }
    for (int s = 0; s < report->nsections; s++)
        if (report->sections[s].kernel == kernel)
            add_section(text, report, s);
}

void bench_report_markdown(tsr_text *text, const bench_report *report)
{
    tsr_text_add(text, "# Results\n\n");
    if (report->nsetups > 1) {
        tsr_text sentence = {0};
        bench_report_add_setups(&sentence, report);
        tsr_text_add(text, "**Several setups.**");
        add_text(text, tsr_text_cstr(&sentence));
        tsr_text_add(text, "\n\n");
        tsr_text_clear(&sentence);
    }
    for (int i = 0; i < report->nrecords; i++)
        add_record(text, report, i);
    add_datasets(text, report);
    tsr_text_add(
        text,
        "\nTimes are medians. Speed-up is the reference's median over the row's, with its 95% interval. If "
        "the interval contains 1, the row is tied with the reference and counts as not faster. Pays: for how "
        "many runs the row costs less than the reference, packing and running together; tied: runs are not "
        "measurably faster, and packing is dearer. 1 run to 10,000: the cheapest format of Tessera for "
        "that number of runs. \\~: the fastest run was not repeated within 10%. Roof: share of what "
        "memory and processor allow (above 100% if data stay in the caches).\n");
    for (int k = 0; k < report->nkernels; k++)
        add_kernel(text, report, k);
}

/* ---- the table of README ---- */

static void add_summary_row(tsr_text *text, const bench_report *report, const bench_report_group *group)
{
    char label[BENCH_LABEL_NBYTES];
    const bench_report_kernel *const kernel = &report->kernels[report->sections[group->section].kernel];
    const bench_report_row *const best = group->best, *other = NULL;
    const bench_row *const row = best->row;
    for (int i = 0; i < kernel->nbaselines; i++) {
        const bench_report_row *const r = bench_report_find_baseline(report, group, kernel->baseline[i]);
        if (r && r->row->nsamples && (!other || r->row->ns.median < other->row->ns.median))
            other = r;
    }
    int n =
        snprintf(label, sizeof label, row->has_mode ? "%.300s, mode %d" : "%.300s", kernel->label, row->mode);
    if (row->memory)
        snprintf(label + n, sizeof label - (size_t)n, ", %.24s", row->memory);
    tsr_text_add(text, "|");
    add_cell(text, label);
    add_cell(text, report->datasets[best->dataset].label);
    add_timed(text, group->reference->row);
    add_best_cells(text, group);
    if (!other) {
        tsr_text_add(text, " | |\n");
        return;
    }
    snprintf(label, sizeof label, "%.200s, ", other->row->candidate);
    bench_time_label(label + strlen(label), other->row->ns.median);
    if (other->row->noisy)
        strcat(label, " ~");
    add_cell(text, label);
    tsr_text_addf(text, " %s |\n", over_label(label, &other->tessera_over));
}

static bool is_absent(const bench_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->n; i++)
        if (report->rows[i].row->nsamples && strcmp(report->rows[i].row->candidate, name) == 0)
            return false;
    return true;
}

/* Append the baselines that were asked for and never measured. */
static void add_absent(tsr_text *text, const bench_report *report)
{
    const char *told[BENCH_REPORT_MAX_BASELINES];
    int n = 0;
    for (int k = 0; k < report->nkernels; k++) {
        const bench_report_kernel *const kernel = &report->kernels[k];
        for (int i = 0; i < kernel->nbaselines && kernel->has_tessera && n < BENCH_REPORT_MAX_BASELINES;
             i++) {
            bool is_new = is_absent(report, kernel->baseline[i]);
            for (int t = 0; t < n && is_new; t++)
                is_new = strcmp(told[t], kernel->baseline[i]) != 0;
            if (!is_new)
                continue;
            tsr_text_add(text, n ? "," : "\nMissing baselines:");
            add_text(text, kernel->baseline[i]);
            told[n++] = kernel->baseline[i];
        }
    }
    tsr_text_add(text, n ? ".\n" : "");
}

bool bench_report_in_summary(const bench_report *report, const bench_report_group *group)
{
    const int kernel = report->sections[group->section].kernel;
    const bench_row *const row = report->rows[group->first].row;
    const bench_row *first = NULL;
    for (int s = 0; s < report->nsections && !first; s++)
        if (report->sections[s].kernel == kernel)
            first = report->sections[s].row;
    if (!group->best || !first || row->rank != first->rank)
        return false;
    for (uint32_t g = 0; g < report->ngroups; g++)
        if (report->sections[report->groups[g].section].kernel == kernel &&
            report->rows[report->groups[g].first].row->nthreads > row->nthreads)
            return false;
    return true;
}

void bench_report_summary(tsr_text *text, const bench_report *report)
{
    const bench_machine *const m = &report->records[0].machine;
    int nthreads = 0, rank = 0;
    bool are_checked = true;
    tsr_text rows = {0};
    for (uint32_t g = 0; g < report->ngroups; g++)
        if (bench_report_in_summary(report, &report->groups[g])) {
            const bench_row *const row = report->groups[g].best->row;
            nthreads = row->nthreads > nthreads ? row->nthreads : nthreads;
            rank = row->rank ? row->rank : rank;
            for (uint32_t i = report->groups[g].first; i < report->groups[g].first + report->groups[g].n; i++)
                are_checked &= report->rows[i].row->checked || !report->rows[i].row->nsamples;
            add_summary_row(&rows, report, &report->groups[g]);
        }
    if (report->nsetups > 1) {
        bench_report_add_setups(text, report);
        tsr_text_add(text, "\n\n");
    }
    tsr_text_addf(text, "%s, %d processors, %s, %s at %s; %d threads", m->cpu, m->ncpus, m->compiler,
                  m->version, m->commit, nthreads);
    if (rank)
        tsr_text_addf(text, ", rank %d", rank);
    tsr_text_addf(
        text,
        "; medians%s. Speed-up: times as fast as the reference, and its 95%% interval. Tessera / "
        "baseline: below 1 Tessera is faster. Tied: the interval contains 1. ~: the fastest "
        "run was not repeated within 10%%.\n\n| kernel | tensor | reference | best format | speed-up "
        "| pays | best baseline | Tessera / baseline |\n|---|---|---|---|--:|--:|---|--:|\n",
        are_checked ? ", every answer checked" : "");
    tsr_text_add_n(text, tsr_text_cstr(&rows), rows.nbytes);
    tsr_text_clear(&rows);
    add_absent(text, report);
}

/* ---- how the records were made ---- */

/* Append the baselines of a record: those that were measured, with their versions, or those that were not. */
static void add_baselines_of(tsr_text *text, const bench_record *record, bool measured)
{
    const char *told[BENCH_REPORT_MAX_BASELINES];
    int n = 0;
    for (uint32_t i = 0; i < record->nrows && n < BENCH_REPORT_MAX_BASELINES; i++) {
        const bench_row *const row = &record->rows[i];
        bool is_new = !bench_row_is_tessera(row) && (row->nsamples > 0) == measured;
        for (int t = 0; t < n && is_new; t++)
            is_new = strcmp(told[t], row->candidate) != 0;
        if (!is_new)
            continue;
        told[n++] = row->candidate;
        tsr_text_add(text, n > 1 ? "," : "");
        add_text(text, row->candidate);
        if (measured && row->version)
            add_text(text, row->version);
    }
    tsr_text_add(text, " |");
}

void bench_report_commands(tsr_text *text, const bench_report *report)
{
    tsr_text_add(text, "| command | build | started | baselines | not measured |\n|---|---|---|---|---|\n");
    for (int i = 0; i < report->nrecords; i++) {
        const bench_record *const record = &report->records[i];
        char build[4 * BENCH_TEXT_NBYTES];
        tsr_text_add(text, "|");
        add_cell(text, record->command);
        snprintf(build, sizeof build, "%s at %s, %s", record->machine.version, record->machine.commit,
                 record->machine.compiler);
        add_cell(text, build);
        add_cell(text, record->machine.started);
        add_baselines_of(text, record, true);
        add_baselines_of(text, record, false);
        tsr_text_add(text, "\n");
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

static void add_value(tsr_text *text, double v)
{
    if (v > 0 && !isinf(v))
        tsr_text_addf(text, "%.9g", v);
    tsr_text_add(text, ",");
}

/* The columns: X(name, how it is added, what). */
#define CSV_COLUMNS(X)                                                     \
    X(record, COUNT, row->record - report->records + 1)                    \
    X(commit, TEXT, row->record->machine.commit)                           \
    X(kernel, TEXT, r->kernel)                                             \
    X(expression, TEXT, r->expression)                                     \
    X(dataset, TEXT, r->dataset.name)                                      \
    X(nnz, COUNT, r->dataset.nnz)                                          \
    X(stand_in, COUNT, r->dataset.stand_in)                                \
    X(seed, COUNT, r->dataset.seed)                                        \
    X(mode, MODE, r->mode)                                                 \
    X(rank, VALUE, r->rank)                                                \
    X(type, TEXT, r->type)                                                 \
    X(threads, COUNT, r->nthreads)                                         \
    X(cold, COUNT, r->cold)                                                \
    X(candidate, TEXT, r->candidate)                                       \
    X(format, TEXT, r->format)                                             \
    X(memory, TEXT, r->memory)                                             \
    X(schedule, TEXT, r->schedule)                                         \
    X(engine, TEXT, r->engine)                                             \
    X(version, TEXT, r->version)                                           \
    X(note, TEXT, r->note)                                                 \
    X(checked, COUNT, r->checked)                                          \
    X(noisy, COUNT, r->noisy)                                              \
    X(samples, COUNT, r->nsamples)                                         \
    X(min_ns, VALUE, r->ns.min)                                            \
    X(q1_ns, VALUE, r->ns.q1)                                              \
    X(median_ns, VALUE, r->ns.median)                                      \
    X(q3_ns, VALUE, r->ns.q3)                                              \
    X(max_ns, VALUE, r->ns.max)                                            \
    X(speedup, VALUE, row->standing.speedup.ratio)                         \
    X(speedup_lo, VALUE, row->standing.speedup.lo)                         \
    X(speedup_hi, VALUE, row->standing.speedup.hi)                         \
    X(bytes, VALUE, (double)r->nbytes)                                     \
    X(pack_ns, VALUE, r->pack_ns)                                          \
    X(break_even, VALUE, row->standing.pays == 0 ? 1 : row->standing.pays) \
    X(gb_s, VALUE, r->gb_s)                                                \
    X(gflop_s, VALUE, r->gflop_s)                                          \
    X(roof_share, VALUE, r->roof_share)                                    \
    X(ours_over_this, VALUE, row->tessera_over.ratio)
#define ADD_TEXT(v) add_field(text, v)
#define ADD_VALUE(v) add_value(text, v)
#define ADD_COUNT(v) tsr_text_addf(text, "%" PRIu64 ",", (uint64_t)(v))
#define ADD_MODE(v) tsr_text_addf(text, r->has_mode ? "%d," : ",", v)

/* End a row, at whose end is a comma. */
static void end_csv_row(tsr_text *text)
{
    tsr_text_cut(text, text->nbytes > 0 ? text->nbytes - 1 : 0);
    tsr_text_add(text, "\n");
}

static void add_csv_row(tsr_text *text, const bench_report *report, const bench_report_row *row)
{
    const bench_row *const r = row->row;
#define X(name, how, what) ADD_##how(what);
    CSV_COLUMNS(X)
#undef X
    end_csv_row(text);
}

void bench_report_csv(tsr_text *text, const bench_report *report)
{
#define X(name, how, what) tsr_text_add(text, #name ",");
    CSV_COLUMNS(X)
#undef X
    end_csv_row(text);
    for (uint32_t g = 0; g < report->ngroups; g++)
        for (uint32_t i = 0; i < report->groups[g].n; i++)
            add_csv_row(text, report, &report->rows[report->groups[g].first + i]);
}
