/* Collects the rows of a report and the values that follow from them. See bench_report.h. */
#include "bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_rows.h"
#include "tsr_alloc.h"

/* ---- rows ---- */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_dataset(const bench_dataset *a, const bench_dataset *b)
{
    return same_text(a->name, b->name) && a->nnz == b->nnz && a->stand_in == b->stand_in;
}

/* ---- setups ---- */

static bool same_machine(const bench_machine *a, const bench_machine *b)
{
    return strcmp(a->cpu, b->cpu) == 0 && strcmp(a->arch, b->arch) == 0 &&
           strcmp(a->caches, b->caches) == 0 && strcmp(a->kernel, b->kernel) == 0 && a->ncpus == b->ncpus;
}

static bool same_build(const bench_machine *a, const bench_machine *b)
{
    return strcmp(a->version, b->version) == 0 && strcmp(a->commit, b->commit) == 0 &&
           strcmp(a->compiler, b->compiler) == 0 && strcmp(a->flags, b->flags) == 0;
}

static tsr_status find_setups(bench_report *report, tsr_error *err)
{
    report->setup = tsr_arena_alloc(&report->arena, (size_t)report->nrecords * sizeof *report->setup);
    if (!report->setup)
        return tsr_fail(err, TSR_NOMEM, "out of memory for %d records", report->nrecords);
    for (int i = 0; i < report->nrecords; i++) {
        const bench_machine *const mine = &report->records[i].machine;
        bool is_new_machine = true, is_new_build = true;
        report->setup[i] = report->nsetups;
        for (int k = 0; k < i; k++) {
            const bench_machine *const other = &report->records[k].machine;
            const bool machine = same_machine(mine, other), build = same_build(mine, other);
            is_new_machine &= !machine;
            is_new_build &= !build;
            if (machine && build)
                report->setup[i] = report->setup[k];
        }
        report->nsetups += report->setup[i] == report->nsetups;
        report->nmachines += is_new_machine;
        report->nbuilds += is_new_build;
    }
    return TSR_OK;
}

char bench_setup_letter(int setup)
{
    return setup < 26 ? (char)('A' + setup) : '*';
}

void bench_report_add_setups(tsr_text *text, const bench_report *report)
{
    if (report->nsetups < 2)
        return;
    tsr_text_addf(text, "The records are of %d machine%s and %d build%s of tbench:", report->nmachines,
                  report->nmachines == 1 ? "" : "s", report->nbuilds, report->nbuilds == 1 ? "" : "s");
    for (int s = 0; s < report->nsetups && s < 26; s++)
        for (int i = 0; i < report->nrecords; i++)
            if (report->setup[i] == s) {
                const bench_machine *const m = &report->records[i].machine;
                tsr_text_addf(text, "%s [%c] %s, %d processors, %s, %s at %s", s ? ";" : "",
                              bench_setup_letter(s), m->cpu, m->ncpus, m->compiler, m->version, m->commit);
                break;
            }
    tsr_text_add(text,
                 ". Times of different setups cannot be compared: the letter after a tensor is its setup.");
}

/* ---- lists ---- */

static tsr_status keep_text(const char **out, bench_report *report, const char *text, tsr_error *err)
{
    *out = tsr_arena_strndup(&report->arena, text, strlen(text));
    return *out ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory for the labels of a report");
}

static tsr_status find_dataset(int *out, bench_report *report, const bench_row *row, int setup,
                               tsr_error *err)
{
    char label[BENCH_LABEL_NBYTES];
    for (int i = report->ndatasets - 1; i >= 0; i--)
        if (report->datasets[i].setup == setup && same_dataset(report->datasets[i].dataset, &row->dataset)) {
            *out = i;
            return TSR_OK;
        }
    if (report->ndatasets == BENCH_MAX_DATASETS)
        return tsr_fail(err, TSR_LIMIT, "the records have more than %d tensors", BENCH_MAX_DATASETS);
    bench_report_dataset *const d = &report->datasets[report->ndatasets];
    *d = (bench_report_dataset){.dataset = &row->dataset, .setup = setup};
    TSR_TRY(keep_text(&d->name, report, bench_dataset_label(label, row), err));
    TSR_TRY(keep_text(&d->label, report, bench_short_label(label, row), err));
    *out = report->ndatasets++;
    return TSR_OK;
}

/* Datasets with the same short label get their whole names; if there are several setups, each label gets its
 * letter. */
static tsr_status finish_datasets(bench_report *report, tsr_error *err)
{
    char label[2 * BENCH_LABEL_NBYTES];
    for (int i = 0; i < report->ndatasets; i++) {
        bench_report_dataset *const d = &report->datasets[i];
        bool is_short = true;
        for (int k = 0; k < report->ndatasets && is_short; k++)
            is_short = k == i || report->datasets[k].setup != d->setup ||
                       strcmp(report->datasets[k].label, d->label) != 0;
        if (!is_short)
            for (int k = report->ndatasets - 1; k >= i; k--)
                if (report->datasets[k].setup == d->setup &&
                    (k == i || strcmp(report->datasets[k].label, d->label) == 0))
                    report->datasets[k].label = report->datasets[k].name;
    }
    for (int i = 0; i < report->ndatasets && report->nsetups > 1; i++) {
        bench_report_dataset *const d = &report->datasets[i];
        snprintf(label, sizeof label, "%s [%c]", d->label, bench_setup_letter(d->setup));
        TSR_TRY(keep_text(&d->label, report, label, err));
    }
    return TSR_OK;
}

static tsr_status find_kernel(int *out, bench_report *report, const bench_row *row, tsr_error *err)
{
    for (*out = report->nkernels - 1; *out >= 0; --*out)
        if (strcmp(report->kernels[*out].label, bench_kernel_name(row)) == 0)
            return TSR_OK;
    if (report->nkernels == BENCH_MAX_KERNELS)
        return tsr_fail(err, TSR_LIMIT, "the records have more than %d kernels", BENCH_MAX_KERNELS);
    *out = report->nkernels++;
    report->kernels[*out].label = bench_kernel_name(row);
    return TSR_OK;
}

static tsr_status find_section(int *out, bench_report *report, const bench_row *row, tsr_error *err)
{
    char label[BENCH_LABEL_NBYTES];
    int kernel = 0;
    bench_kernel_label(label, row);
    for (*out = report->nsections - 1; *out >= 0; --*out)
        if (strcmp(report->sections[*out].label, label) == 0)
            return TSR_OK;
    if (report->nsections == BENCH_MAX_SECTIONS)
        return tsr_fail(err, TSR_LIMIT, "the records have more than %d kernels, modes and ranks",
                        BENCH_MAX_SECTIONS);
    TSR_TRY(find_kernel(&kernel, report, row, err));
    bench_report_section *const section = &report->sections[report->nsections];
    *section = (bench_report_section){.row = row, .kernel = kernel};
    TSR_TRY(keep_text(&section->label, report, label, err));
    *out = report->nsections++;
    return TSR_OK;
}

static void add_other(bench_report_kernel *kernel, const bench_row *row)
{
    if (bench_row_is_tessera(row)) {
        kernel->has_tessera = true;
        return;
    }
    for (int i = 0; i < kernel->nbaselines; i++)
        if (strcmp(kernel->baseline[i], row->candidate) == 0)
            return;
    if (kernel->nbaselines < BENCH_REPORT_MAX_BASELINES)
        kernel->baseline[kernel->nbaselines++] = row->candidate;
}

/* ---- groups ---- */

static int find_note(bench_report *report, const char *note)
{
    if (!note)
        return 0;
    for (int n = 0; n < report->nnotes; n++)
        if (strcmp(report->notes[n], note) == 0)
            return n + 1;
    if (report->nnotes == BENCH_MAX_FOOTNOTES)
        return 0;
    report->notes[report->nnotes++] = note;
    return report->nnotes;
}

/* Compute the standings of the rows and the choice of a format. */
static tsr_status choose(bench_report *report, bench_report_group *group, tsr_error *err)
{
    bench_report_row *const rows = &report->rows[group->first];
    bench_standing *const standings = tsr_arena_alloc(&report->arena, group->n * sizeof *standings);
    if (!standings)
        return tsr_fail(err, TSR_NOMEM, "out of memory for %u rows of a report", (unsigned)group->n);
    bench_choose(&group->choice, standings, rows[0].row, group->n);
    const bench_choice *const c = &group->choice;
    group->standings = standings;
    group->reference = c->reference < c->n ? &rows[c->reference] : NULL;
    group->best = c->best < c->n ? &rows[c->best] : NULL;
    for (uint32_t i = 0; i < group->n; i++) {
        rows[i].standing = standings[i];
        if (group->best && rows[i].row->nsamples && !bench_row_is_tessera(rows[i].row))
            rows[i].tessera_over = bench_median_ratio(group->best->row, rows[i].row);
    }
    return TSR_OK;
}

static tsr_status add_group(bench_report *report, uint32_t first, uint32_t n, tsr_error *err)
{
    bench_report_group *const group = &report->groups[report->ngroups++];
    *group = (bench_report_group){.first = first, .n = n};
    TSR_TRY(find_section(&group->section, report, report->rows[first].row, err));
    for (uint32_t i = first; i < first + n; i++)
        add_other(&report->kernels[report->sections[group->section].kernel], report->rows[i].row);
    return choose(report, group, err);
}

const bench_report_row *bench_report_find_baseline(const bench_report *report,
                                                   const bench_report_group *group, const char *name)
{
    const bench_report_row *found = NULL;
    for (uint32_t i = group->first; i < group->first + group->n; i++) {
        const bench_report_row *const r = &report->rows[i];
        if (strcmp(r->row->candidate, name) == 0 &&
            (!found || !found->row->nsamples ||
             (r->row->nsamples && r->row->ns.median < found->row->ns.median)))
            found = r;
    }
    return found;
}

int bench_report_notes(const bench_row *out[BENCH_MAX_NOTES], const bench_report *report, int kernel)
{
    int n = 0;
    for (uint32_t g = 0; g < report->ngroups; g++) {
        const bench_report_group *const group = &report->groups[g];
        for (uint32_t i = group->first; i < group->first + group->n; i++) {
            const bench_row *const row = report->rows[i].row;
            bool is_new = report->sections[group->section].kernel == kernel && row->note &&
                          !bench_row_is_tessera(row) && n < BENCH_MAX_NOTES;
            for (int t = 0; t < n && is_new; t++)
                is_new =
                    strcmp(out[t]->candidate, row->candidate) != 0 || strcmp(out[t]->note, row->note) != 0;
            if (is_new)
                out[n++] = row;
        }
    }
    return n;
}

/* ---- the whole report ---- */

static tsr_status alloc(bench_report *report, uint64_t nrows, tsr_error *err)
{
    tsr_arena *const arena = &report->arena;
    report->rows = tsr_arena_alloc(arena, nrows * sizeof *report->rows);
    report->groups = tsr_arena_alloc(arena, nrows * sizeof *report->groups);
    report->datasets = tsr_arena_alloc(arena, BENCH_MAX_DATASETS * sizeof *report->datasets);
    report->sections = tsr_arena_alloc(arena, BENCH_MAX_SECTIONS * sizeof *report->sections);
    report->notes = tsr_arena_alloc(arena, BENCH_MAX_FOOTNOTES * sizeof *report->notes);
    report->kernels = tsr_arena_alloc(arena, BENCH_MAX_KERNELS * sizeof *report->kernels);
    return report->rows && report->groups && report->datasets && report->sections && report->kernels &&
                   report->notes
               ? TSR_OK
               : tsr_fail(err, TSR_NOMEM, "out of memory for a report of %" PRIu64 " rows", nrows);
}

static tsr_status add_record(bench_report *report, const bench_record *record, tsr_error *err)
{
    const int setup = report->setup[record - report->records];
    uint32_t first = report->n;
    for (uint32_t k = 0; k < record->nrows; k++) {
        const bench_row *const row = &record->rows[k];
        bench_report_row *const r = &report->rows[report->n++];
        *r = (bench_report_row){.record = record, .row = row, .note = find_note(report, row->note)};
        TSR_TRY(find_dataset(&r->dataset, report, row, setup, err));
        if (k + 1 == record->nrows || bench_case_compare(row, row + 1) != 0) {
            TSR_TRY(add_group(report, first, report->n - first, err));
            first = report->n;
        }
    }
    return TSR_OK;
}

static tsr_status init(bench_report *report, tsr_error *err)
{
    uint64_t nrows = 0;
    for (int i = 0; i < report->nrecords; i++)
        nrows += report->records[i].nrows;
    if (nrows == 0 || nrows > UINT32_MAX)
        return tsr_fail(err, TSR_CORRUPT, "the records have %" PRIu64 " rows", nrows);
    TSR_TRY(alloc(report, nrows, err));
    TSR_TRY(find_setups(report, err));
    for (int i = 0; i < report->nrecords; i++)
        TSR_TRY(add_record(report, &report->records[i], err));
    return finish_datasets(report, err);
}

tsr_status bench_report_init(bench_report *report, const bench_record *records, int n, tsr_error *err)
{
    *report = (bench_report){.nrecords = n, .records = records};
    const tsr_status status = init(report, err);
    if (status != TSR_OK)
        bench_report_clear(report);
    return status;
}

void bench_report_clear(bench_report *report)
{
    tsr_arena_clear(&report->arena);
    memset(report, 0, sizeof *report);
}
