/* Plots of a report, drawn by gnuplot: see bench_report.h. Each is a script of its own, kept beside its
 * pictures. Names come from records, which may be anybody's, and gnuplot runs what stands between backquotes:
 * only plain characters get into a script. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_report.h"
#include "tsr_output.h"
#include "tsr_process.h"

enum { MAX_SERIES = 8, MAX_GROUPS = 16, MAX_LINES = 12 };

/* Names that come up, in their order; a name beyond the last is not drawn. */
typedef struct names {
    int n, max;
    char text[MAX_GROUPS][BENCH_LABEL_NBYTES];
} names;

typedef struct plotter {
    const bench_report *report;
    bench_plots *plots;
    const char *dir;
    const char *gnuplot;
    const names *candidates; /* of all plots: each has one colour everywhere */
    tsr_error *err;
} plotter;

static int name_index(names *set, const char *name)
{
    for (int i = 0; i < set->n; i++)
        if (strcmp(set->text[i], name) == 0)
            return i;
    if (set->n == set->max)
        return -1;
    snprintf(set->text[set->n], BENCH_LABEL_NBYTES, "%s", name);
    return set->n++;
}

/* The line type, from 1, of a candidate. */
static int colour_of(const plotter *p, const char *candidate)
{
    for (int i = 0; i < p->candidates->n; i++)
        if (strcmp(p->candidates->text[i], candidate) == 0)
            return i % MAX_SERIES + 1;
    return MAX_SERIES;
}

/* Add a string of gnuplot's in quotes. */
static void add_quoted(tsr_text *text, const char *s)
{
    tsr_text_add(text, "\"");
    for (int n = 0; *s && n < 120; s++, n++)
        tsr_text_add_n(text,
                       (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
                               strchr(" _.,()+-:/=", *s)
                           ? s
                           : "_",
                       1);
    tsr_text_add(text, "\"");
}

/* ---- one plot ---- */

static tsr_status write_script(const plotter *p, const char *name, const tsr_text *script)
{
    char path[4096];
    tsr_output *output = NULL;
    const tsr_output_options plain = {.gzip_level = -1};
    TSR_TRY(tsr_text_status(script, p->err));
    snprintf(path, sizeof path, "%s/%s.gp", p->dir, name);
    tsr_status status = tsr_output_open(&output, path, &plain, p->err);
    if (status == TSR_OK)
        status = tsr_output_write(output, script->s, script->nbytes, p->err);
    if (status == TSR_OK)
        status = tsr_output_commit(output, p->err);
    tsr_output_free(output);
    return status;
}

/* Begin a script: the style that all plots share. Colours (P. Tol's "bright") are told apart by the
 * colour-blind and on dark and light ground. */
static void begin(tsr_text *script)
{
    static const char *const colours[MAX_SERIES] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                                    "#66ccee", "#aa3377", "#ee7733", "#999999"};
    for (int i = 0; i < MAX_SERIES; i++)
        tsr_text_addf(script, "set linetype %d lc rgb \"%s\" lw 2 pt %d ps 0.8\n", i + 1, colours[i],
                      (const int[]){7, 5, 9, 11, 13, 15, 6, 4}[i]);
    tsr_text_add(script,
                 "set encoding utf8\nset datafile missing \"NaN\"\nset key outside right top\nset grid ytics "
                 "lt 0 lc rgb \"#999999\"\n"
                 "set border 3 lc rgb \"black\"\nset tics nomirror out\nset style fill solid 0.9 noborder\n");
}

/* The script draws by DRAW; it is written once to SVG and once to PNG. */
static tsr_status finish(const plotter *p, tsr_text *script, const char *draw, const char *kind,
                         const char *title)
{
    bench_plot *const plot = &p->plots->plots[p->plots->n];
    int number = 1;
    for (int i = 0; i < p->plots->n; i++)
        number += strncmp(p->plots->plots[i].name, kind, strlen(kind)) == 0;
    snprintf(plot->name, sizeof plot->name, "%.20s-%d", kind, number);
    snprintf(plot->title, sizeof plot->title, "%.400s", title);
    tsr_text_addf(
        script,
        "set terminal svg size 860,420 dynamic noenhanced font \"sans-serif,13\" background \"#ffffff\"\n"
        "set output \"%s.svg\"\n%s\n"
        "set terminal pngcairo size 1720,840 noenhanced font \"sans-serif,22\" background \"#ffffff\"\n"
        "set output \"%s.png\"\n%s\nunset output\n",
        plot->name, draw, plot->name, draw);
    tsr_status status = write_script(p, plot->name, script);
    tsr_text_clear(script);
    TSR_TRY(status);
    tsr_process_end end;
    tsr_text said = {0}, cd = {0};
    tsr_text_add(&cd, "cd '"); /* in single quotes nothing is run, and only they are doubled */
    for (const char *c = p->dir; *c; c++)
        tsr_text_add_n(&cd, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
    tsr_text_addf(&cd, "'; load '%s.gp'", plot->name);
    static const char *const env[] = {"LC_ALL=C", NULL};
    const char *const argv[] = {p->gnuplot, "-e", tsr_text_cstr(&cd), NULL};
    const tsr_process_options options = {.env = env, .timeout_ms = 60000};
    status = tsr_process_run(&end, NULL, &said, argv, &options, p->err);
    if (status == TSR_OK && (end.exit_code != 0 || end.timed_out))
        status = tsr_fail(p->err, TSR_UNSUPPORTED, "gnuplot failed at %s: %.200s", plot->name,
                          tsr_text_cstr(&said));
    tsr_text_clear(&said);
    tsr_text_clear(&cd);
    if (status == TSR_OK)
        p->plots->n++;
    return status;
}

/* ---- bars by dataset, one for each candidate ---- */

typedef double (*bar_value)(const bench_report_row *row);

static double speedup_of(const bench_report_row *r)
{
    return r->row->nsamples ? r->row->speedup.ratio : 0;
}

static double storage_of(const bench_report_row *r)
{
    return r->row->dataset.nnz ? (double)r->row->nbytes / (double)r->row->dataset.nnz : 0;
}

static double break_even_of(const bench_report_row *r)
{
    return isinf(r->break_even) ? 0 : r->break_even;
}

typedef struct bars {
    const char *kind, *title, *axis, *settings;
    bar_value value;
    bool by_kernel; /* one plot for each kernel; else one for all */
} bars;

static const bars bar_plots[] = {
    {"speedup", "Speed-up over the reference", "times as fast",
     "set logscale y 2\nset arrow 1 from graph 0, first 1 to graph 1, first 1 nohead "
     "lc rgb \"#888888\" dt "
     "2\n",
     speedup_of, true},
    {"storage", "Storage", "bytes an entry", "set yrange [0:*]\n", storage_of, false},
    {"break-even", "Break-even: runs until the conversion has paid", "runs",
     "set logscale y 10\nset yrange [0.5:*]\n", break_even_of, true},
};

/* The last row of that dataset and candidate among those drawn, by series and group. */
typedef struct grid {
    names datasets, candidates;
    double value[MAX_GROUPS][MAX_SERIES], least;
} grid;

static bool in_plot(const bars *what, const bench_row *row, const char *kernel, int nthreads)
{
    char label[BENCH_LABEL_NBYTES];
    return !what->by_kernel ||
           (row->nthreads == nthreads && strcmp(bench_kernel_label(label, row), kernel) == 0);
}

static void fill(grid *g, const plotter *p, const bars *what, const char *kernel, int nthreads)
{
    char label[BENCH_LABEL_NBYTES];
    memset(g, 0, sizeof *g);
    g->datasets.max = MAX_GROUPS;
    g->candidates.max = MAX_SERIES;
    for (uint32_t i = 0; i < p->report->n; i++) {
        const bench_report_row *const r = &p->report->rows[i];
        const double value = what->value(r);
        if (!(value > 0) || !in_plot(what, r->row, kernel, nthreads))
            continue;
        const int d = name_index(&g->datasets, bench_dataset_label(label, r->row));
        const int c = name_index(&g->candidates, bench_candidate_label(label, r->row));
        if (d < 0 || c < 0)
            continue;
        g->value[d][c] = value;
        g->least = g->least > 0 && g->least < value ? g->least : value;
    }
}

static tsr_status draw_bars(const plotter *p, const bars *what, const char *kernel, int nthreads)
{
    char title[BENCH_LABEL_NBYTES];
    tsr_text script = {0}, draw = {0};
    grid g;
    fill(&g, p, what, kernel, nthreads);
    if (g.datasets.n == 0 || (g.candidates.n < 2 && what->by_kernel) || p->plots->n == BENCH_MAX_PLOTS)
        return TSR_OK;
    snprintf(title, sizeof title, "%s%s%.300s", what->title, what->by_kernel ? ": " : "",
             what->by_kernel ? kernel : "");
    if (what->by_kernel)
        snprintf(title + strlen(title), 32, ", %d thread%s", nthreads, nthreads == 1 ? "" : "s");
    size_t width = 0;
    for (int d = 0; d < g.datasets.n; d++)
        width += strlen(g.datasets.text[d]) + 2;
    begin(&script);
    tsr_text_add(&script, "set title ");
    add_quoted(&script, title);
    tsr_text_addf(&script,
                  "\nset ylabel \"%s\"\nset style data histograms\nset style histogram clustered gap 1\nset "
                  "boxwidth 0.9\nset xtics %s\n%s$d << EOD\n",
                  what->axis, width > 70 ? "rotate by -20" : "norotate", what->settings);
    for (int d = 0; d < g.datasets.n; d++) {
        add_quoted(&script, g.datasets.text[d]);
        for (int c = 0; c < g.candidates.n; c++)
            if (g.value[d][c] > 0)
                tsr_text_addf(&script, " %.6g", g.value[d][c]);
            else
                tsr_text_add(&script, " NaN");
        tsr_text_add(&script, "\n");
    }
    tsr_text_add(&script, "EOD\n");
    if (what->value == speedup_of && g.least > 0.5) /* a bar of 1 has a height */
        tsr_text_add(&script, "set yrange [0.5:*]\n");
    tsr_text_add(&draw, "plot");
    for (int c = 0; c < g.candidates.n; c++) {
        tsr_text_addf(&draw, "%s $d using %d%s title ", c ? "," : "", c + 2, c ? "" : ":xtic(1)");
        add_quoted(&draw, g.candidates.text[c]);
        tsr_text_addf(&draw, " lt %d", colour_of(p, g.candidates.text[c]));
    }
    const tsr_status status = finish(p, &script, tsr_text_cstr(&draw), what->kind, title);
    tsr_text_clear(&draw);
    return status;
}

/* The most threads with which that kernel was run. */
static int most_threads(const bench_report *report, const char *kernel)
{
    char label[BENCH_LABEL_NBYTES];
    int most = 0;
    for (uint32_t i = 0; i < report->n; i++) {
        const bench_row *const r = report->rows[i].row;
        if (r->nsamples && r->nthreads > most && strcmp(bench_kernel_label(label, r), kernel) == 0)
            most = r->nthreads;
    }
    return most;
}

/* One plot for each kernel, with its most threads, in the order in which they first come. */
static tsr_status draw_all_bars(const plotter *p, const bars *what)
{
    names seen = {.max = MAX_GROUPS};
    char label[BENCH_LABEL_NBYTES];
    if (!what->by_kernel)
        return draw_bars(p, what, "", 0);
    for (uint32_t i = 0; i < p->report->n; i++) {
        const int before = seen.n;
        if (name_index(&seen, bench_kernel_label(label, p->report->rows[i].row)) == before)
            TSR_TRY(draw_bars(p, what, label, most_threads(p->report, label)));
    }
    return TSR_OK;
}

/* ---- roofline ---- */

static tsr_status draw_roofline(const plotter *p)
{
    names candidates = {.max = MAX_SERIES};
    char label[BENCH_LABEL_NBYTES];
    const bench_record *const record = &p->report->records[0];
    const bench_roof *roof = NULL;
    tsr_text script = {0}, draw = {0};
    for (int i = 0; i < record->nroofs; i++)
        if (!roof || record->roofs[i].nthreads > roof->nthreads)
            roof = &record->roofs[i];
    for (uint32_t i = 0; i < p->report->n; i++) {
        const bench_row *const r = p->report->rows[i].row;
        if (r->nsamples && r->flops > 0 && r->moved_nbytes > 0)
            (void)name_index(&candidates, bench_candidate_label(label, r));
    }
    if (!roof || !(roof->triad > 0 && roof->fma_f64 > 0) || candidates.n == 0 ||
        p->plots->n == BENCH_MAX_PLOTS)
        return TSR_OK;
    begin(&script);
    tsr_text_addf(
        &script,
        "set title \"Roofline: %d threads, f64\"\nset xlabel \"operations a byte\"\nset ylabel \"GFLOP/s\"\n"
        "set logscale xy 10\nset grid xtics\nroof(x) = x * %.6g < %.6g ? x * %.6g : %.6g\n",
        roof->nthreads, roof->triad / 1e9, roof->fma_f64 / 1e9, roof->triad / 1e9, roof->fma_f64 / 1e9);
    for (int c = 0; c < candidates.n; c++) {
        tsr_text_addf(&script, "$c%d << EOD\n", c);
        for (uint32_t i = 0; i < p->report->n; i++) {
            const bench_row *const r = p->report->rows[i].row;
            if (r->nsamples && r->flops > 0 && r->moved_nbytes > 0 &&
                strcmp(bench_candidate_label(label, r), candidates.text[c]) == 0)
                tsr_text_addf(&script, "%.6g %.6g\n", r->flops / r->moved_nbytes, r->flops / r->ns.median);
        }
        tsr_text_add(&script, "EOD\n");
    }
    tsr_text_add(&draw, "plot [0.01:10] roof(x) with lines lc rgb \"#888888\" lw 2 title \"roof\"");
    for (int c = 0; c < candidates.n; c++) {
        tsr_text_addf(&draw, ", $c%d using 1:2 with points lt %d title ", c,
                      colour_of(p, candidates.text[c]));
        add_quoted(&draw, candidates.text[c]);
    }
    const tsr_status status = finish(p, &script, tsr_text_cstr(&draw), "roofline", "Roofline");
    tsr_text_clear(&draw);
    return status;
}

/* ---- thread scaling ---- */

/* What is the same over thread counts: "spmv, cant, csr". */
static char *line_label(char *buf, const bench_row *row)
{
    char kernel[BENCH_LABEL_NBYTES], dataset[BENCH_LABEL_NBYTES], candidate[BENCH_LABEL_NBYTES];
    snprintf(buf, BENCH_LABEL_NBYTES, "%.100s, %.100s, %.100s", bench_kernel_label(kernel, row),
             bench_dataset_label(dataset, row), bench_candidate_label(candidate, row));
    return buf;
}

static const bench_row *with_threads(const bench_report *report, const char *line, int nthreads)
{
    char label[BENCH_LABEL_NBYTES];
    for (uint32_t i = 0; i < report->n; i++) {
        const bench_row *const r = report->rows[i].row;
        if (r->nsamples && r->nthreads == nthreads && strcmp(line_label(label, r), line) == 0)
            return r;
    }
    return NULL;
}

static tsr_status draw_scaling(const plotter *p)
{
    names lines = {.max = MAX_LINES};
    char label[BENCH_LABEL_NBYTES];
    int most = 1;
    tsr_text script = {0}, draw = {0};
    for (uint32_t i = 0; i < p->report->n; i++) {
        const bench_row *const r = p->report->rows[i].row;
        if (!r->nsamples || r->nthreads < 2 || !with_threads(p->report, line_label(label, r), 1))
            continue;
        (void)name_index(&lines, label);
        most = r->nthreads > most ? r->nthreads : most;
    }
    if (lines.n == 0 || p->plots->n == BENCH_MAX_PLOTS)
        return TSR_OK;
    begin(&script);
    tsr_text_add(&script, "set title \"Speed-up by threads\"\nset xlabel \"threads\"\nset ylabel \"times as "
                          "fast as 1 thread\"\n"
                          "set yrange [0:*]\nset xtics 1\n");
    tsr_text_addf(&draw, "plot [1:%d] x with lines lc rgb \"#888888\" dt 2 title \"ideal\"", most);
    for (int l = 0; l < lines.n; l++) {
        const bench_row *const one = with_threads(p->report, lines.text[l], 1);
        tsr_text_addf(&script, "$l%d << EOD\n", l);
        for (int t = 1; t <= most && t <= 1024; t++) {
            const bench_row *const r = with_threads(p->report, lines.text[l], t);
            if (r && one)
                tsr_text_addf(&script, "%d %.6g\n", t, one->ns.median / r->ns.median);
        }
        tsr_text_add(&script, "EOD\n");
        tsr_text_addf(&draw, ", $l%d using 1:2 with linespoints lt %d title ", l, l % MAX_SERIES + 1);
        add_quoted(&draw, lines.text[l]);
    }
    const tsr_status status = finish(p, &script, tsr_text_cstr(&draw), "threads", "Speed-up by threads");
    tsr_text_clear(&draw);
    return status;
}

tsr_status bench_report_plots(bench_plots *plots, const bench_report *report, const char *dir, tsr_error *err)
{
    tsr_text gnuplot = {0};
    names candidates = {.max = MAX_GROUPS};
    char label[BENCH_LABEL_NBYTES];
    plots->n = 0;
    for (uint32_t i = 0; i < report->n; i++)
        if (report->rows[i].row->nsamples)
            (void)name_index(&candidates, bench_candidate_label(label, report->rows[i].row));
    if (tsr_process_find(&gnuplot, "gnuplot", NULL) != TSR_OK) {
        tsr_text_clear(&gnuplot);
        return tsr_fail(err, TSR_UNSUPPORTED, "gnuplot is not installed (package gnuplot-nox)");
    }
    const plotter p = {report, plots, dir, tsr_text_cstr(&gnuplot), &candidates, err};
    tsr_status status = TSR_OK;
    for (size_t i = 0; i < sizeof bar_plots / sizeof *bar_plots && status == TSR_OK; i++)
        status = draw_all_bars(&p, &bar_plots[i]);
    if (status == TSR_OK)
        status = draw_roofline(&p);
    if (status == TSR_OK)
        status = draw_scaling(&p);
    tsr_text_clear(&gnuplot);
    return status;
}
