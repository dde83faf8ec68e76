/* Writes the page of a report: see bench_report.h. report/page.html, page.css and page.js are built in; text
 * from records is escaped. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench_plot.h"
#include "tsr_alloc.h"
#include "tsr_input.h"

extern const char bench_page_html[], bench_page_css[], bench_page_js[];

/* ---- HTML ---- */

static void add_escaped(tsr_text *text, const char *s)
{
    for (; *s; s++) {
        const char *const escaped = *s == '&'    ? "&amp;"
                                    : *s == '<'  ? "&lt;"
                                    : *s == '>'  ? "&gt;"
                                    : *s == '"'  ? "&quot;"
                                    : *s == '\'' ? "&#39;"
                                                 : NULL;
        if (escaped)
            tsr_text_add(text, escaped);
        else
            tsr_text_add_n(text, s, 1);
    }
}

/* ---- records ---- */

static void add_term(tsr_text *text, const char *term, const char *what)
{
    tsr_text_addf(text, "<dt>%s</dt><dd>", term);
    add_escaped(text, what);
    tsr_text_add(text, "</dd>\n");
}

static void add_record(tsr_text *text, const bench_report *report, int number)
{
    const bench_record *const record = &report->records[number];
    const bench_machine *const m = &record->machine;
    char size[32], line[4 * BENCH_TEXT_NBYTES];
    tsr_text_addf(text, "<details%s><summary>", report->nrecords == 1 ? " open" : "");
    if (report->nsetups > 1)
        tsr_text_addf(text, "[%c] ", bench_setup_letter(report->setup[number]));
    add_escaped(text, record->command);
    tsr_text_add(text, record->interrupted ? " (interrupted)</summary>\n<dl>\n" : "</summary>\n<dl>\n");
    snprintf(line, sizeof line, "%s, %d processors, %s", m->cpu, m->ncpus, m->arch);
    add_term(text, "processor", line);
    add_term(text, "caches", m->caches);
    add_term(text, "memory", m->memory_nbytes ? tsr_bytes_text(size, m->memory_nbytes) : "unknown");
    add_term(text, "system", m->kernel);
    snprintf(line, sizeof line, "%s at %s", m->version, m->commit);
    add_term(text, "version", line);
    snprintf(line, sizeof line, "%s, %s", m->compiler, m->flags);
    add_term(text, "compiler", line);
    add_term(text, "started", m->started);
    for (int i = 0; i < record->nroofs; i++) {
        const bench_roof *const r = &record->roofs[i];
        char term[32];
        snprintf(term, sizeof term, "roof, %d thread%s", r->nthreads, r->nthreads == 1 ? "" : "s");
        snprintf(line, sizeof line,
                 "triad %.1f GB/s; gather %.0f M/s; multiply-add %.0f GFLOP/s (f64), %.0f GFLOP/s (f32)",
                 r->triad / 1e9, r->gather / 1e6, r->fma_f64 / 1e9, r->fma_f32 / 1e9);
        add_term(text, term, line);
    }
    tsr_text_add(text, "</dl></details>\n");
}

static void add_setups(tsr_text *text, const bench_report *report)
{
    tsr_text sentence = {0};
    bench_report_add_setups(&sentence, report);
    if (sentence.nbytes) {
        tsr_text_add(text, "<p class=\"flag\" role=\"note\">");
        add_escaped(text, tsr_text_cstr(&sentence));
        tsr_text_add(text, "</p>\n");
    }
    tsr_text_clear(&sentence);
}

/* ---- tables ---- */

/* HTML allows leaving out the end tags of cells and rows, which saves much space. page.css knows by the
 * column which cells are numbers, and their headings on a phone. */
static const struct {
    const char *name;
    bool is_choice;
} columns[] = {{"kernel", true},    {"tensor", true}, {"candidate", true}, {"threads", true}, {"time", false},
               {"speed-up", false}, {"bytes", false}, {"pack", false},     {"pays", false},   {"GB/s", false},
               {"GFLOP/s", false},  {"roof", false},  {"remarks", false}};

static void add_heads(tsr_text *text)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        tsr_text_addf(text, "<th scope=\"col\"%s>%s</th>", columns[i].is_choice ? " data-choice" : "",
                      columns[i].name);
}

static void add_text_cell(tsr_text *text, const char *s)
{
    tsr_text_add(text, "<td>");
    add_escaped(text, s);
}

/* Append the short name; the pointer shows the whole name. */
static void add_dataset_cell(tsr_text *text, const bench_report_dataset *d)
{
    tsr_text_add(text, "<td");
    if (strcmp(d->label, d->name) != 0) {
        tsr_text_add(text, " title=\"");
        add_escaped(text, d->name);
        tsr_text_add(text, "\"");
    }
    tsr_text_add(text, ">");
    add_escaped(text, d->label);
}

/* Append the name of a candidate after a mark in the colour that it has in the plots: filled for a format,
 * framed for a baseline. */
static void add_candidate(tsr_text *text, const bench_row *row)
{
    char label[BENCH_LABEL_NBYTES];
    const bool is_baseline = !bench_row_is_tessera(row);
    const int style =
        bench_plot_style(is_baseline ? row->candidate : bench_candidate_label(label, row), is_baseline);
    tsr_text_addf(text, "<i class=\"mark%s\" style=\"--c:var(--c%d)\"></i>",
                  is_baseline                   ? " framed"
                  : style > BENCH_PLOT_NCOLOURS ? " hatched"
                                                : "",
                  (style - 1) % BENCH_PLOT_NCOLOURS + 1);
    add_escaped(text, bench_candidate_label(label, row));
}

static void add_candidate_cell(tsr_text *text, const bench_row *row)
{
    tsr_text_add(text, "<td>");
    add_candidate(text, row);
}

/* Append a number with its sort key and its text; an empty cell for 0. */
static void add_number_cell(tsr_text *text, double v, const char *s)
{
    if (!(v > 0))
        tsr_text_add(text, "<td data-v=\"\">");
    else
        tsr_text_addf(text, "<td data-v=%.5g>%s", isinf(v) ? 1e300 : v, s);
}

static void add_speedup_cell(tsr_text *text, const bench_standing *standing)
{
    char cell[256];
    const bench_ratio *const r = &standing->speedup;
    const char *const colour = r->lo > 1 ? " class=good" : r->hi < 1 ? " class=bad" : "";
    if (standing->relation == BENCH_REFERENCE) {
        add_number_cell(text, 1, "reference");
        return;
    }
    if (isinf(r->hi))
        snprintf(cell, sizeof cell, "%.2f", r->ratio);
    else
        snprintf(cell, sizeof cell, "<b%s>%.2f</b> <i>%.2f&ndash;%.2f</i>", colour, r->ratio, r->lo, r->hi);
    add_number_cell(text, r->ratio, cell);
}

/* The sort order is: always, from 1 run on, from more runs, until many, until few, tied, never. */
static void add_pays_cell(tsr_text *text, const bench_standing *s)
{
    char label[BENCH_LABEL_NBYTES];
    bench_pays_label(label, s);
    if (isnan(s->pays))
        tsr_text_add(text, "<td data-v=\"\">");
    else
        tsr_text_addf(text, "<td data-v=%.5g>%s",
                      !isinf(s->pays)             ? s->pays
                      : s->until > 0              ? 1e200 / s->until
                      : s->relation == BENCH_TIED ? 1e299
                                                  : 1e300,
                      label);
}

/* Append the notes of all rows, each once. */
static void add_notes(tsr_text *text, const bench_report *report)
{
    for (int n = 0; n < report->nnotes; n++) {
        tsr_text_addf(text, "%s<li id=\"note-%d\">", n ? "\n" : "<h3>Notes</h3>\n<ol>\n", n + 1);
        add_escaped(text, report->notes[n]);
    }
    tsr_text_add(text, report->nnotes ? "\n</ol>\n" : "");
}

static void add_remarks(tsr_text *text, const bench_report_row *r)
{
    const bench_row *const row = r->row;
    tsr_text_addf(text, "<td>");
    if (row->noisy)
        tsr_text_add(text, "<abbr title=\"the fastest run was not repeated within 10%\">~</abbr> ");
    if (row->nsamples && !row->checked)
        tsr_text_add(text, "unchecked ");
    if (!row->nsamples)
        tsr_text_add(text, "not measured ");
    if (r->note) {
        tsr_text_addf(text, "<a href=\"#note-%d\" title=\"", r->note);
        add_escaped(text, row->note);
        tsr_text_addf(text, "\">note %d</a>", r->note);
    } else if (row->note) {
        add_escaped(text, row->note);
    }
}

static void add_row(tsr_text *text, const bench_report *report, const bench_report_row *r)
{
    const bench_row *const row = r->row;
    char label[BENCH_LABEL_NBYTES], size[32];
    const double median = row->ns.median;
    tsr_text_add(text, "<tr>");
    add_text_cell(text, bench_kernel_label(label, row));
    add_dataset_cell(text, &report->datasets[r->dataset]);
    add_candidate_cell(text, row);
    snprintf(label, sizeof label, "%d", row->nthreads);
    add_number_cell(text, row->nthreads, label);
    add_number_cell(text, median, bench_time_label(label, median));
    add_speedup_cell(text, &r->standing);
    add_number_cell(text, (double)row->nbytes, tsr_bytes_text(size, row->nbytes));
    add_number_cell(text, row->pack_ns, bench_time_label(label, row->pack_ns));
    add_pays_cell(text, &r->standing);
    add_number_cell(text, row->gb_s, bench_number_label(label, row->gb_s));
    add_number_cell(text, row->gflop_s, bench_number_label(label, row->gflop_s));
    snprintf(label, sizeof label, "%.0f%%", 100 * row->roof_share);
    add_number_cell(text, row->roof_share, label);
    add_remarks(text, r);
    tsr_text_add(text, "\n");
}

/* ---- Tessera and the baselines ---- */

static void add_baseline_cell(tsr_text *text, const bench_report_row *other)
{
    char label[BENCH_LABEL_NBYTES];
    const bench_ratio *const over = other ? &other->tessera_over : NULL;
    if (!other) {
        tsr_text_add(text, "<td>");
    } else if (!other->row->nsamples) {
        tsr_text_add(text, "<td class=flag>absent");
    } else {
        tsr_text_addf(text, "<td>%s", bench_time_label(label, other->row->ns.median));
        if (over->ratio > 0)
            tsr_text_addf(text, " <b%s>%.2f</b>",
                          over->hi < 1   ? " class=good"
                          : over->lo > 1 ? " class=bad"
                                         : "",
                          over->ratio);
    }
}

static void add_baselines_of(tsr_text *text, const bench_report *report, int kernel)
{
    char label[BENCH_LABEL_NBYTES];
    const bench_report_kernel *const k = &report->kernels[kernel];
    tsr_text_add(text, "<details><summary>");
    add_escaped(text, k->label);
    tsr_text_add(text, "</summary>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    add_escaped(text, k->label);
    tsr_text_add(
        text,
        ", Tessera and baselines\">\n<table class=\"others\">\n<thead><tr><th scope=\"col\">kernel<th "
        "scope=\"col\">tensor<th scope=\"col\">threads<th scope=\"col\">Tessera, best<th scope=\"col\">time");
    for (int i = 0; i < k->nbaselines; i++) {
        tsr_text_add(text, "<th scope=\"col\">");
        add_escaped(text, k->baseline[i]);
    }
    tsr_text_add(text, "\n<tbody>\n");
    for (uint32_t g = 0; g < report->ngroups; g++) {
        const bench_report_group *const group = &report->groups[g];
        const bench_report_row *const first = &report->rows[group->first];
        if (report->sections[group->section].kernel != kernel)
            continue;
        tsr_text_add(text, "<tr>");
        add_text_cell(text, report->sections[group->section].label);
        add_dataset_cell(text, &report->datasets[first->dataset]);
        tsr_text_addf(text, "<td>%d", first->row->nthreads);
        add_text_cell(text, group->best ? bench_candidate_label(label, group->best->row) : "");
        add_text_cell(text, group->best ? bench_time_label(label, group->best->row->ns.median) : "");
        for (int i = 0; i < k->nbaselines; i++)
            add_baseline_cell(text, bench_report_find_baseline(report, group, k->baseline[i]));
        tsr_text_add(text, "\n");
    }
    tsr_text_add(text, "</table>\n</div>\n");
    const bench_row *notes[BENCH_MAX_NOTES];
    const int n = bench_report_notes(notes, report, kernel);
    for (int i = 0; i < n; i++) {
        tsr_text_add(text, i ? "<li>" : "<ul>\n<li>");
        add_escaped(text, notes[i]->candidate);
        tsr_text_add(text, notes[i]->nsamples ? ": " : ", absent: ");
        add_escaped(text, notes[i]->note);
        tsr_text_add(text, i + 1 < n ? "\n" : "\n</ul>\n");
    }
    tsr_text_add(text, "</details>\n");
}

static void add_baselines(tsr_text *text, const bench_report *report)
{
    bool has_any = false;
    for (int k = 0; k < report->nkernels; k++) {
        if (!report->kernels[k].has_tessera || report->kernels[k].nbaselines == 0)
            continue;
        if (!has_any)
            tsr_text_add(text, "<section aria-labelledby=\"others-title\">\n<h2 id=\"others-title\">Tessera "
                               "and the baselines</h2>\n<p class=\"hint\">Median times, and beside each the "
                               "best time of Tessera over it: below 1 Tessera is faster.</p>\n");
        has_any = true;
        add_baselines_of(text, report, k);
    }
    tsr_text_add(text, has_any ? "</section>\n" : "");
}

/* ---- which format ---- */

/* Draw the speed-up on a scale of doublings from 1/2 to 8: a bar from 1, and a whisker for its interval. */
static void add_speedup_bar(tsr_text *text, const bench_standing *s, const bench_row *row)
{
    enum { WIDTH = 120, UNIT = WIDTH / 4 };
    char label[BENCH_LABEL_NBYTES];
    const double values[] = {s->speedup.ratio, s->speedup.lo, s->speedup.hi};
    double x[3];
    for (int i = 0; i < 3; i++)
        x[i] = UNIT * (1 + fmin(fmax(log2(values[i] > 0 ? values[i] : 0.5), -1), 3));
    const int style = bench_plot_style(bench_candidate_label(label, row), false);
    tsr_text_addf(
        text,
        "<svg class=bar viewBox=\"0 0 %d 16\" aria-hidden=true><rect x=%.1f y=3 width=%.1f height=10 "
        "fill=\"var(--c%d)\"/><path d=\"M%.1f 8H%.1fM%.1f 5v6M%.1f 5v6M%d 0v16\" "
        "stroke=currentColor fill=none/></svg>",
        WIDTH, fmin(x[0], UNIT), fabs(x[0] - UNIT), (style - 1) % BENCH_PLOT_NCOLOURS + 1, x[1], x[2], x[1],
        x[2], UNIT);
}

/* Append "csr, from 100 bdia(256)": how the cheapest format changes with the number of runs. */
static void add_cheapest(tsr_text *text, const bench_report_group *group, const bench_report_row *first)
{
    tsr_text_add(text, "<td>");
    for (int o = 0; o < BENCH_NOFTEN && group->choice.is_sure; o++) {
        if (o > 0 && group->choice.winner[o] == group->choice.winner[o - 1])
            continue;
        if (o > 0)
            tsr_text_addf(text, ", <i>from %s</i> ", bench_oftens[o].text);
        add_candidate(text, first[group->choice.winner[o]].row);
    }
}

static void add_choice(tsr_text *text, const bench_report *report, const bench_report_group *group,
                       bool with_threads)
{
    char label[BENCH_LABEL_NBYTES];
    const bench_report_row *const first = &report->rows[group->first];
    const bool has_best = group->best != group->reference;
    tsr_text_add(text, "<tr>");
    add_text_cell(text, report->sections[group->section].label);
    add_dataset_cell(text, &report->datasets[first->dataset]);
    if (with_threads)
        tsr_text_addf(text, ", %d thread%s", first->row->nthreads, first->row->nthreads == 1 ? "" : "s");
    add_candidate_cell(text, group->reference->row);
    tsr_text_addf(text, " %s", bench_time_label(label, group->reference->row->ns.median));
    if (!has_best) {
        tsr_text_addf(text, "<td class=none>%s<td><td>", bench_none_label(&group->choice));
    } else {
        add_candidate_cell(text, group->best->row);
        tsr_text_add(text, "<td>");
        add_speedup_bar(text, &group->best->standing, group->best->row);
        tsr_text_addf(text, " %s<td>", bench_ratio_label(label, &group->best->standing.speedup, "&ndash;"));
        tsr_text_add(text, bench_pays_label(label, &group->best->standing));
    }
    add_cheapest(text, group, first);
    tsr_text_add(text, "\n");
}

/* Append the choices of the groups that are in the table of README, or of the other groups. Returns their
 * number. */
static int add_choice_table(tsr_text *text, const bench_report *report, bool in_summary)
{
    int n = 0;
    tsr_text_add(text, "<div class=scroll role=region tabindex=0 aria-label=\"Which format\">\n<table "
                       "class=choices>\n<thead><tr>"
                       "<th scope=col>kernel<th scope=col>tensor<th scope=col>reference<th "
                       "scope=col>best<th scope=col>speed-up<th scope=col>pays<th "
                       "scope=col>cheapest for 1 run, 10, 100, 10,000");
    tsr_text_add(text, "\n<tbody>\n");
    for (uint32_t g = 0; g < report->ngroups; g++)
        if (report->groups[g].best && bench_report_in_summary(report, &report->groups[g]) == in_summary) {
            add_choice(text, report, &report->groups[g], !in_summary);
            n++;
        }
    tsr_text_add(text, "</table>\n</div>\n");
    return n;
}

static bool has_choice(const bench_report *report)
{
    for (uint32_t g = 0; g < report->ngroups; g++)
        if (report->groups[g].best)
            return true;
    return false;
}

static void add_choices(tsr_text *text, const bench_report *report)
{
    tsr_text others = {0};
    if (!has_choice(report))
        return;
    tsr_text_add(
        text, "<section aria-labelledby=\"choice-title\">\n<h2 id=\"choice-title\">Which format</h2>\n<p "
              "class=\"hint\">Speed-up of the best format over the reference, "
              "with the 95% interval (bar from 1, on a scale of doublings from a half to eight; whisker), "
              "for how many runs it costs less, packing and running together, and which format costs least "
              "for 1 to 10,000 runs. If the interval of a format contains 1, it is tied with the reference "
              "and counts as not faster.</p>\n<p class=legend><span><i class=mark "
              "style=\"--c:var(--dim)\"></i>a format of Tessera</span> <span><i class=\"mark framed\" "
              "style=\"--c:var(--dim)\"></i>a baseline: another library</span> <span>&#9500;&#9472;&#9508; "
              "95% interval</span> <span>~ the fastest run was not repeated within 10%</span></p>\n");
    (void)add_choice_table(text, report, true);
    const int n = add_choice_table(&others, report, false);
    if (n) {
        tsr_text_addf(text, "<details><summary>%d more: other ranks and numbers of threads</summary>\n", n);
        tsr_text_add_n(text, tsr_text_cstr(&others), others.nbytes);
        tsr_text_add(text, "</details>\n");
    }
    tsr_text_add(text, "</section>\n");
    tsr_text_clear(&others);
}

/* Append links to the existing sections. */
static void add_links(tsr_text *text, const bench_report *report, const bench_plots *plots, const char *dir)
{
    bool has_baselines = false;
    char path[4200];
    snprintf(path, sizeof path, "%s/advice.md", dir);
    const bool has_advice = access(path, R_OK) == 0; /* made by ./dev results advice */
    for (int k = 0; k < report->nkernels; k++)
        has_baselines |= report->kernels[k].has_tessera && report->kernels[k].nbaselines;
    tsr_text_addf(text,
                  "<nav>%s%s%s%s<a href=\"#rows-title\">Rows</a> <a href=\"#setup-title\">How it was "
                  "measured</a></nav>\n",
                  has_choice(report) ? "<a href=\"#choice-title\">Which format</a> " : "",
                  has_advice ? "<a href=\"advice.md\">How good the advisor is</a> " : "",
                  has_baselines ? "<a href=\"#others-title\">Tessera and baselines</a> " : "",
                  plots->n ? "<a href=\"#plots-title\">Plots</a> " : "");
}

/* Append the full descriptions of the tensors. */
static void add_datasets(tsr_text *text, const bench_report *report)
{
    tsr_text_add(text, "<details><summary>Tensors</summary>\n<dl>\n");
    for (int i = 0; i < report->ndatasets; i++) {
        const bench_dataset *const d = report->datasets[i].dataset;
        tsr_text_add(text, "<dt>");
        add_escaped(text, report->datasets[i].label);
        tsr_text_add(text, "</dt><dd>");
        add_escaped(text, report->datasets[i].name);
        for (int m = 0; m < d->order; m++)
            tsr_text_addf(text, "%s%" PRIu64, m ? " &times; " : "; ", d->dims[m]);
        tsr_text_addf(text, ", %" PRIu64 " entries</dd>\n", d->nnz);
    }
    tsr_text_add(text, "</dl></details>\n");
}

/* ---- plots ---- */

/* The colour of plots, from 1, at p as "rgb( 63, 144, 218)" or "#3f90da"; 0: another colour. */
static int colour_at(const char *p)
{
    if (strncmp(p, "rgb(", 4) != 0 && *p != '#')
        return 0;
    for (int c = 0; c < BENCH_PLOT_NCOLOURS; c++) {
        const char *const hex = bench_plot_colours[c].light;
        char rgb[24];
        unsigned r, g, b;
        if (sscanf(hex, "#%2x%2x%2x", &r, &g, &b) != 3)
            continue;
        snprintf(rgb, sizeof rgb, "rgb(%3u, %3u, %3u)", r, g, b);
        if (strncmp(p, *p == '#' ? hex : rgb, strlen(*p == '#' ? hex : rgb)) == 0)
            return c + 1;
    }
    return 0;
}

/* Append the colours of plots as --c1, --c2, ..., for light and dark backgrounds. */
static void add_colours(tsr_text *text)
{
    for (int dark = 0; dark < 2; dark++) {
        tsr_text_add(text, dark ? "@media (prefers-color-scheme: dark) {\n:root {" : ":root {");
        for (int c = 0; c < BENCH_PLOT_NCOLOURS; c++)
            tsr_text_addf(text, " --c%d: %s;", c + 1,
                          dark ? bench_plot_colours[c].dark : bench_plot_colours[c].light);
        tsr_text_add(text, dark ? " }\n}\n" : " }\n");
    }
}

/* The end of an element that is not needed: a filter, an empty group, the name of a curve. NULL: the element
 * at p is needed. */
static const char *past_needless(const char *p)
{
    if (strncmp(p, "<filter", 7) == 0) {
        const char *const end = strstr(p, "</filter>");
        return end ? end + 9 : NULL;
    }
    if (strncmp(p, "id=\"gnuplot_plot", 16) == 0) {
        const char *const end = strchr(p + 4, '"');
        return end ? end + 1 : NULL;
    }
    if (strncmp(p, "<g ", 3) == 0) {
        const char *end = strchr(p, '>');
        end = end ? end + 1 + strspn(end + 1, " \t\n") : NULL;
        return end && strncmp(end, "</g>\n", 5) == 0 ? end + 5 : NULL;
    }
    return NULL;
}

/* Append an SVG as a part of the page: black becomes the colour of text, the background transparent, the
 * colours of plots variables of the page, and its names ("gp...", "...box") get the number of the plot, since
 * one document contains several. Text before <svg is left out. */
static void add_svg(tsr_text *text, const char *svg, const char *title, int number)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"fill=\"#ffffff\"", "fill=\"none\""},
        {"color=\"black\"", ""},
        {"stroke='black'", "stroke='currentColor'"},
        {"fill=\"black\"", "fill=\"currentColor\""},
        {"fill = \"black\"", "fill=\"currentColor\""},
        {"rgb(  0,   0,   0)", "currentColor"},
        {"rgb(0,0,0)", "currentColor"},
        {"#000000", "currentColor"},
        {"\t", ""},
        {" stroke-linecap=\"butt\" stroke-linejoin=\"miter\"", ""},
        {" shape-rendering='crispEdges'", ""},
        {" font-family=\"sans-serif\" font-size=\"14.00\"", ""}, /* page.css sets the font */
    };
    const char *p = strstr(svg, "<svg");
    if (!p)
        return;
    tsr_text_addf(text, "<svg role=\"img\" aria-label=\"");
    add_escaped(text, title);
    tsr_text_add(text, "\" ");
    for (p += 4; *p;) {
        const int colour = colour_at(p);
        const char *const past = past_needless(p);
        size_t i = 0;
        while (i < sizeof changes / sizeof *changes &&
               strncmp(p, changes[i].from, strlen(changes[i].from)) != 0)
            i++;
        if (past) {
            p = past;
        } else if (i < sizeof changes / sizeof *changes) {
            tsr_text_add(text, changes[i].to);
            p += strlen(changes[i].from);
        } else if (colour) {
            tsr_text_addf(text, "var(--c%d)", colour);
            p += *p == '#' ? 7 : 18;
        } else if (strncmp(p, "<title>", 7) == 0 && strstr(p, "</title>")) {
            p = strstr(p, "</title>") +
                8; /* the title "Gnuplot" or that of a curve, which browsers would show at the pointer */
        } else if (strncmp(p, "id='", 4) == 0 || strncmp(p, "id=\"", 4) == 0) {
            tsr_text_addf(text, "id=%cp%d-", p[3], number);
            p += 4;
        } else if (strncmp(p, "href='#", 7) == 0) {
            tsr_text_addf(text, "href='#p%d-", number);
            p += 7;
        } else if (strncmp(p, "url(#", 5) == 0) {
            tsr_text_addf(text, "url(#p%d-", number);
            p += 5;
        } else {
            tsr_text_add_n(text, p++, 1);
        }
    }
}

static tsr_status add_plots(tsr_text *text, const bench_plots *plots, const char *dir, tsr_error *err)
{
    if (plots->n)
        tsr_text_add(text, "<section aria-labelledby=\"plots-title\">\n<h2 id=\"plots-title\">Plots</h2>\n"
                           "<div class=\"plots\">\n");
    for (int i = 0; i < plots->n; i++) {
        char path[4200];
        tsr_text svg = {0};
        snprintf(path, sizeof path, "%s/%s.svg", dir, plots->plots[i].name);
        tsr_status status = tsr_input_read(&svg, path, UINT64_MAX, err);
        tsr_text_add(text, "<figure tabindex=\"0\">\n");
        if (status == TSR_OK)
            add_svg(text, tsr_text_cstr(&svg), plots->plots[i].title, i + 1);
        tsr_text_add(text, "</figure>\n");
        tsr_text_clear(&svg);
        TSR_TRY(status);
    }
    tsr_text_add(text, plots->n ? "</div>\n</section>\n" : "");
    return TSR_OK;
}

/* ---- parts of the page ---- */

typedef struct page {
    const bench_report *report;
    const bench_plots *plots;
    const char *dir;
} page;

static tsr_status add_style(tsr_text *text, const page *p, tsr_error *err)
{
    (void)p;
    tsr_text_add(text, bench_page_css);
    add_colours(text);
    return tsr_text_status(text, err);
}

static tsr_status add_script(tsr_text *text, const page *p, tsr_error *err)
{
    (void)p;
    tsr_text_add(text, bench_page_js);
    return tsr_text_status(text, err);
}

static tsr_status add_header(tsr_text *text, const page *p, tsr_error *err)
{
    add_setups(text, p->report);
    add_links(text, p->report, p->plots, p->dir);
    return tsr_text_status(text, err);
}

static tsr_status add_setup(tsr_text *text, const page *p, tsr_error *err)
{
    const bool are_many = p->report->nrecords > 3;
    if (are_many)
        tsr_text_addf(text, "<details><summary>%d records</summary>\n", p->report->nrecords);
    for (int i = 0; i < p->report->nrecords; i++)
        add_record(text, p->report, i);
    tsr_text_add(text, are_many ? "</details>\n" : "");
    add_datasets(text, p->report);
    return tsr_text_status(text, err);
}

static tsr_status add_sections(tsr_text *text, const page *p, tsr_error *err)
{
    add_choices(text, p->report);
    add_baselines(text, p->report);
    TSR_TRY(add_plots(text, p->plots, p->dir, err));
    return tsr_text_status(text, err);
}

static tsr_status add_row_heads(tsr_text *text, const page *p, tsr_error *err)
{
    (void)p;
    add_heads(text);
    return tsr_text_status(text, err);
}

static tsr_status add_footnotes(tsr_text *text, const page *p, tsr_error *err)
{
    add_notes(text, p->report);
    return tsr_text_status(text, err);
}

static tsr_status add_rows(tsr_text *text, const page *p, tsr_error *err)
{
    for (uint32_t i = 0; i < p->report->n; i++)
        add_row(text, p->report, &p->report->rows[i]);
    return tsr_text_status(text, err);
}

static const struct {
    const char *word;
    tsr_status (*add)(tsr_text *text, const page *p, tsr_error *err);
} parts[] = {{"@CSS@", add_style},         {"@JS@", add_script},       {"@HEADER@", add_header},
             {"@SECTIONS@", add_sections}, {"@HEADS@", add_row_heads}, {"@ROWS@", add_rows},
             {"@NOTES@", add_footnotes},   {"@SETUP@", add_setup}};
enum { NPARTS = sizeof parts / sizeof *parts };

/* Replace each @WORD@ in the template by its part. */
tsr_status bench_report_page(tsr_text *text, const bench_report *report, const bench_plots *plots,
                             const char *dir, tsr_error *err)
{
    const page mine = {report, plots, dir};
    for (const char *p = bench_page_html; *p;) {
        int k = 0;
        while (k < NPARTS && strncmp(p, parts[k].word, strlen(parts[k].word)) != 0)
            k++;
        if (k < NPARTS)
            TSR_TRY(parts[k].add(text, &mine, err));
        else
            tsr_text_add_n(text, p, 1);
        p += k < NPARTS ? strlen(parts[k].word) : 1;
    }
    return tsr_text_status(text, err);
}
