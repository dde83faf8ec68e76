/* The page of a report: see bench_report.h. report/page.html, page.css and page.js are built in; what comes
 * from records is escaped. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_report.h"
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

static void add_record(tsr_text *text, const bench_record *record, bool open)
{
    const bench_machine *const m = &record->machine;
    char size[32], line[4 * BENCH_TEXT_NBYTES];
    tsr_text_addf(text, "<details%s><summary>", open ? " open" : "");
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

/* ---- rows ---- */

static const struct {
    const char *name;
    bool number, choice;
} columns[] = {
    {"kernel", false, true},   {"dataset", false, true}, {"candidate", false, true},
    {"threads", true, true},   {"time", true, false},    {"speed-up", true, false},
    {"bytes", true, false},    {"pack", true, false},    {"break-even", true, false},
    {"GB/s", true, false},     {"GFLOP/s", true, false}, {"roof", true, false},
    {"remarks", false, false},
};

static void add_heads(tsr_text *text)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        tsr_text_addf(text, "<th scope=\"col\"%s%s>%s</th>", columns[i].number ? " class=\"n\"" : "",
                      columns[i].choice ? " data-choice" : "", columns[i].name);
}

static void add_text_cell(tsr_text *text, int column, const char *s)
{
    tsr_text_addf(text, "<td data-label=\"%s\">", columns[column].name);
    add_escaped(text, s);
    tsr_text_add(text, "</td>");
}

/* A number, what it sorts by, and how it reads; an empty cell for 0. */
static void add_number_cell(tsr_text *text, int column, double v, const char *s)
{
    if (!(v > 0))
        tsr_text_addf(text, "<td class=\"n\" data-label=\"%s\" data-v=\"\"></td>", columns[column].name);
    else
        tsr_text_addf(text, "<td class=\"n\" data-label=\"%s\" data-v=\"%.9g\">%s</td>", columns[column].name,
                      isinf(v) ? 1e300 : v, s);
}

static void add_speedup_cell(tsr_text *text, const bench_ratio *r)
{
    char cell[256];
    const char *const colour = r->lo > 1 ? " class=\"good\"" : r->hi < 1 ? " class=\"bad\"" : "";
    if (isinf(r->hi))
        snprintf(cell, sizeof cell, "<span>%.2f</span>", r->ratio);
    else
        snprintf(cell, sizeof cell, "<span%s>%.2f</span> <span class=\"range\">%.2f&ndash;%.2f</span>",
                 colour, r->ratio, r->lo, r->hi);
    add_number_cell(text, 5, r->ratio, cell);
}

static void add_remarks(tsr_text *text, const bench_row *row)
{
    tsr_text_addf(text, "<td data-label=\"remarks\" class=\"flag\">");
    if (row->noisy)
        tsr_text_add(text, "noisy ");
    if (row->nsamples && !row->checked)
        tsr_text_add(text, "unchecked ");
    if (row->note)
        add_escaped(text, row->note);
    tsr_text_add(text, "</td>");
}

static void add_row(tsr_text *text, const bench_report_row *r)
{
    const bench_row *const row = r->row;
    char label[BENCH_LABEL_NBYTES], size[32];
    const double median = row->ns.median, gb_s = row->nsamples ? row->moved_nbytes / median : 0;
    const double gflop_s = row->nsamples ? row->flops / median : 0;
    tsr_text_add(text, "<tr>");
    add_text_cell(text, 0, bench_kernel_label(label, row));
    add_text_cell(text, 1, bench_dataset_label(label, row));
    add_text_cell(text, 2, bench_candidate_label(label, row));
    snprintf(label, sizeof label, "%d", row->nthreads);
    add_number_cell(text, 3, row->nthreads, label);
    add_number_cell(text, 4, median, bench_time_label(label, median));
    add_speedup_cell(text, &row->speedup);
    add_number_cell(text, 6, (double)row->nbytes, tsr_bytes_text(size, row->nbytes));
    add_number_cell(text, 7, row->pack_ns, bench_time_label(label, row->pack_ns));
    add_number_cell(text, 8, r->break_even, bench_runs_label(label, r->break_even));
    add_number_cell(text, 9, gb_s, bench_number_label(label, gb_s));
    add_number_cell(text, 10, gflop_s, bench_number_label(label, gflop_s));
    snprintf(label, sizeof label, "%.0f%%", 100 * row->roof_share);
    add_number_cell(text, 11, row->roof_share, label);
    add_remarks(text, row);
    tsr_text_add(text, "</tr>\n");
}

/* ---- plots ---- */

/* An SVG inside the page: black becomes the text's colour, the ground none, and its names ("gp...", "...box")
 * get the plot's number, since several stand in one document. What stands before <svg goes. */
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
    };
    const char *p = strstr(svg, "<svg");
    if (!p)
        return;
    tsr_text_addf(text, "<svg role=\"img\" aria-label=\"");
    add_escaped(text, title);
    tsr_text_add(text, "\" ");
    for (p += 4; *p;) {
        size_t i = 0;
        while (i < sizeof changes / sizeof *changes &&
               strncmp(p, changes[i].from, strlen(changes[i].from)) != 0)
            i++;
        if (i < sizeof changes / sizeof *changes) {
            tsr_text_add(text, changes[i].to);
            p += strlen(changes[i].from);
        } else if (strncmp(p, "<title>", 7) == 0 && strstr(p, "</title>")) {
            p = strstr(p, "</title>") +
                8; /* "Gnuplot", or a curve's: browsers would show it at the pointer */
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

/* The template, with each @WORD@ replaced by its part. */
tsr_status bench_report_page(tsr_text *text, const bench_report *report, const bench_plots *plots,
                             const char *dir, tsr_error *err)
{
    for (const char *p = bench_page_html; *p;) {
        if (strncmp(p, "@CSS@", 5) == 0) {
            tsr_text_add(text, bench_page_css);
            p += 5;
        } else if (strncmp(p, "@JS@", 4) == 0) {
            tsr_text_add(text, bench_page_js);
            p += 4;
        } else if (strncmp(p, "@RECORDS@", 9) == 0) {
            for (int i = 0; i < report->nrecords; i++)
                add_record(text, &report->records[i], report->nrecords == 1);
            p += 9;
        } else if (strncmp(p, "@HEADS@", 7) == 0) {
            add_heads(text);
            p += 7;
        } else if (strncmp(p, "@ROWS@", 6) == 0) {
            for (uint32_t i = 0; i < report->n; i++)
                add_row(text, &report->rows[i]);
            p += 6;
        } else if (strncmp(p, "@PLOTS@", 7) == 0) {
            TSR_TRY(add_plots(text, plots, dir, err));
            p += 7;
        } else {
            tsr_text_add_n(text, p++, 1);
        }
    }
    return tsr_text_status(text, err);
}
