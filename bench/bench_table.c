/* The table of one case: see bench_table.h. */
#include "bench_table.h"

#include <math.h>
#include <string.h>

#include "bench_choice.h"
#include "bench_label.h"
#include "lists.h"
#include "report.h"
#include "table.h"
#include "tsr_alloc.h"
#include "tsr_shown.h"

/* A name that would make the table too wide is cut and numbered: "[2] (i, j) -> (i..."; the whole name
 * follows below the table. */
enum { NAME_WIDTH = 18 };

bool bench_remarks_add(bench_remarks *remarks, const char *line)
{
    const size_t n = strlen(line);
    for (const char *at = tsr_text_cstr(&remarks->lines); *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, line, n) == 0 && at[n] == '\n')
            return false;
    tsr_text_addf(&remarks->lines, "%s\n", line);
    return true;
}

/* ---- the title ---- */

static void print_title(FILE *to, const bench_row *row)
{
    char count[32], name[TSR_SHOWN_NBYTES];
    tsr_text dims = {0};
    const bench_dataset *const d = &row->dataset;
    tsr_cli_add_dims(&dims, d->order, d->dims);
    fprintf(to, "%s", bench_kernel_name(row));
    if (row->has_mode)
        fprintf(to, " mode %d", row->mode);
    fprintf(to, ", %s (%s%s, %s entries)", tsr_show(name, d->name), d->stand_in ? "stand-in, " : "",
            tsr_text_cstr(&dims), tsr_cli_count_text(count, (double)d->nnz));
    if (row->rank > 0)
        fprintf(to, ", rank %d", row->rank);
    fprintf(to, ", %s, %d thread%s%s%s%s\n", row->type, row->nthreads, row->nthreads == 1 ? "" : "s",
            row->cold ? ", cold" : "", row->memory ? ", " : "", row->memory ? row->memory : "");
    tsr_text_clear(&dims);
}

/* ---- rows ---- */

/* The name of a row: a format, or a baseline. */
static const char *name_of(const bench_row *row)
{
    return bench_row_is_tessera(row) && row->format ? row->format : row->candidate;
}

static bool is_cut(const bench_row *row)
{
    return strlen(name_of(row)) > NAME_WIDTH;
}

static void name_cell(tsr_cli_table *table, const bench_row *row, uint32_t number)
{
    if (!is_cut(row))
        tsr_cli_table_cell(table, "%s", name_of(row));
    else
        tsr_cli_table_cell(table, "[%u] %.*s...", (unsigned)number, NAME_WIDTH - 7 - (number > 9),
                           name_of(row));
}

static void ms_cell(tsr_cli_table *table, double ns, const char *mark)
{
    tsr_cli_table_cell(table, ns < 1e8 ? "%.3f%s" : ns < 1e9 ? "%.1f%s" : "%.0f%s", ns / 1e6, mark);
}

static void speedup_cell(tsr_cli_table *table, const bench_standing *s)
{
    char label[BENCH_LABEL_NBYTES];
    if (s->relation == BENCH_REFERENCE)
        tsr_cli_table_cell(table, "reference");
    else
        tsr_cli_table_cell(table, "%s", bench_ratio_label(label, &s->speedup, "-"));
}

static void pays_cell(tsr_cli_table *table, const bench_standing *s)
{
    char label[BENCH_LABEL_NBYTES];
    tsr_cli_table_cell(table, "%s", isnan(s->pays) ? "-" : bench_pays_label(label, s));
}

static void add_row(tsr_cli_table *table, const bench_row *row, uint32_t number, const bench_standing *s)
{
    char nbytes[32], roof[BENCH_LABEL_NBYTES];
    const double ns = row->ns.median;
    name_cell(table, row, number);
    tsr_cli_table_cell(table, row->pack_ns > 0 ? "%.2f" : "-", row->pack_ns / 1e6);
    tsr_cli_table_cell(table, "%s", row->nbytes ? tsr_bytes_text(nbytes, row->nbytes) : "-");
    ms_cell(table, row->ns.min, "");
    ms_cell(table, ns, row->noisy ? "~" : "");
    if (row->predicted_ns > 0)
        ms_cell(table, row->predicted_ns, "");
    else
        tsr_cli_table_cell(table, "-");
    speedup_cell(table, s);
    tsr_cli_table_cell(table, row->moved_nbytes > 0 ? "%.1f" : "-", row->gb_s);
    tsr_cli_table_cell(table, row->moved_nbytes > 0 ? "%.2f" : "-", row->gflop_s);
    tsr_cli_table_cell(table, "%s", row->roof_share > 0 ? bench_roof_label(roof, row->roof_share) : "-");
    pays_cell(table, s);
    tsr_cli_table_end_row(table);
}

static void print_rows(FILE *to, const bench_row *rows, uint32_t n, const bench_standing *standings)
{
    static const char *const heads[] = {"format",   "pack ms", "size",    "min ms", "median", "predicted",
                                        "speed-up", "GB/s",    "GFLOP/s", "roof",   "pays"};
    tsr_cli_table table = {0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        tsr_cli_table_cell(&table, "%s", heads[i]);
    tsr_cli_table_end_row(&table);
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].nsamples)
            add_row(&table, &rows[i], i + 1, &standings[i]);
    tsr_cli_table_print(to, &table, "lrrrrrrrrrr");
    for (uint32_t i = 0; i < n; i++)
        if (rows[i].nsamples && is_cut(&rows[i]))
            fprintf(to, "[%u] is %s\n", (unsigned)(i + 1), name_of(&rows[i]));
}

/* ---- text below the table ---- */

/* Text from users and other programs is made safe for a terminal. */
static void print_note(FILE *to, const bench_row *row)
{
    char name[TSR_SHOWN_NBYTES], note[1024];
    tsr_show_n(note, sizeof note, row->note, strlen(row->note));
    fprintf(to, "%s: %s%s\n", tsr_show(name, name_of(row)), row->nsamples ? "" : "not measured: ", note);
}

/* The reason why a format has no row belongs to the tensor; the reason why a baseline has none belongs to the
 * machine. */
static void print_notes(FILE *to, const bench_row *rows, uint32_t n, bench_remarks *remarks)
{
    bool is_any_noisy = false, is_any_cached = false;
    for (uint32_t i = 0; i < n; i++) {
        const bench_row *const row = &rows[i];
        tsr_text key = {0};
        is_any_noisy |= row->nsamples && row->noisy;
        is_any_cached |= row->nsamples && row->roof_share > 1.005;
        if (!row->note)
            continue;
        tsr_text_addf(&key, "%s %s: %s", bench_row_is_tessera(row) ? row->dataset.name : "", name_of(row),
                      row->note);
        if (bench_remarks_add(remarks, tsr_text_cstr(&key)))
            print_note(to, row);
        tsr_text_clear(&key);
    }
    if (is_any_cached && bench_remarks_add(remarks, ">100%"))
        fprintf(to, ">100%% of the roof: the data come from the caches, which are faster than memory.\n");
    if (is_any_noisy && bench_remarks_add(remarks, "~"))
        fprintf(to, "~: the fastest run was not repeated within 10%%; such a row is rough.\n");
}

/* Print "Least cost, packing and running, for 1 run: coo; 10: coo; 100: csf; 10,000: csf." */
static void print_winners(FILE *to, const bench_choice *choice, const bench_row *rows)
{
    for (int o = 0; o < BENCH_NOFTEN; o++)
        fprintf(to, "%s%s: %s", o ? "; " : "Least cost, packing and running, for ", bench_oftens[o].text,
                name_of(&rows[choice->winner[o]]));
    fprintf(to, ".\n");
}

static void print_choice(FILE *to, const bench_choice *choice, const bench_standing *standings,
                         const bench_row *rows)
{
    tsr_text sentence = {0};
    bench_choice_sentence(&sentence, choice, standings, rows);
    if (sentence.nbytes)
        fprintf(to, "%s\n", tsr_text_cstr(&sentence));
    bool is_best = true; /* for any number of runs: then the sentence is enough */
    for (int o = 0; o < BENCH_NOFTEN; o++)
        is_best &= choice->winner[o] == choice->best;
    if (choice->is_sure && !is_best)
        print_winners(to, choice, rows);
    tsr_text_clear(&sentence);
}

tsr_status bench_table_print(FILE *to, const bench_record *record, uint32_t first, uint32_t n,
                             bench_remarks *remarks, tsr_error *err)
{
    const bench_row *const rows = &record->rows[first];
    bench_choice choice;
    void *p;
    bool is_any = false;
    for (uint32_t i = 0; i < n; i++)
        is_any |= rows[i].nsamples > 0;
    if (!is_any)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&p, n, sizeof(bench_standing), 1, "a table", err));
    bench_standing *const standings = p;
    bench_choose(&choice, standings, rows, n);
    print_title(to, rows);
    print_rows(to, rows, n, standings);
    print_notes(to, rows, n, remarks);
    print_choice(to, &choice, standings, rows);
    tsr_free(standings);
    return tsr_text_status(&remarks->lines, err);
}
