/* Draws the plots of a report: bars by tensor and candidate, and the roofline. See bench_report.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_plot.h"
#include "tsr_process.h"

enum { MAX_SERIES = 24, MAX_CLUSTERS = 40 };

/* ---- series and clusters of bars ---- */

/* A candidate, for all tensors and modes; in the colour of its name if that is free. */
typedef struct series {
    char label[BENCH_LABEL_NBYTES];
    bool is_baseline;
    int style; /* line type, from 1 */
} series;

typedef struct series_list {
    int n;
    series s[MAX_SERIES];
} series_list;

/* One tensor (and mode): a cluster of bars. */
typedef struct cluster {
    int dataset; /* -1: no dataset */
    char name[BENCH_LABEL_NBYTES], mode[32];
} cluster;

typedef struct chart {
    series_list series;
    int n;
    cluster cluster[MAX_CLUSTERS];
    double value[MAX_CLUSTERS][MAX_SERIES]; /* 0: no value; INFINITY: never */
    /* ends of an interval; 0: no interval */
    double lo[MAX_CLUSTERS][MAX_SERIES], hi[MAX_CLUSTERS][MAX_SERIES];
    int count[MAX_CLUSTERS][MAX_SERIES];
    double least, most; /* the least and the largest finite value */
} chart;

/* "csf" for "csf:0,2,1", where the order of modes suits the mode; "csf in order" for the natural order. "duq"
 * for "duqq", which has four modes. */
static void series_label(char *buf, const bench_row *row)
{
    char *colon;
    if (!bench_row_is_tessera(row)) {
        snprintf(buf, BENCH_LABEL_NBYTES, "%.100s", row->candidate);
        return;
    }
    bench_candidate_label(buf, row);
    colon = strrchr(buf, ':');
    bool in_order = false;
    if (colon && colon > buf && colon[1 + strspn(colon + 1, "0123456789,")] == '\0') {
        const char *s = colon + 1;
        in_order = true;
        for (int m = 0; *s; m++, s += strcspn(s, ","), s += *s == ',')
            in_order &= *s == '0' + m;
        *colon = '\0';
    }
    size_t n = strlen(buf);
    while (n > 1 && buf[n - 1] == 'q' && buf[n - 2] == 'q')
        n--;
    snprintf(buf + n, 12, "%s", in_order ? " in order" : "");
}

static int find_series(const series_list *list, const char *label)
{
    for (int i = 0; i < list->n; i++)
        if (strcmp(list->s[i].label, label) == 0)
            return i;
    return -1;
}

/* Returns the index of the series; -1: there is no room. */
static int add_series(series_list *list, const char *label, bool is_baseline)
{
    const int found = find_series(list, label);
    if (found >= 0 || list->n == MAX_SERIES)
        return found;
    series *const s = &list->s[list->n];
    snprintf(s->label, sizeof s->label, "%s", label);
    s->is_baseline = is_baseline;
    return list->n++;
}

static bool is_free(const series_list *list, bool is_baseline, int style)
{
    for (int k = 0; k < list->n; k++)
        if (list->s[k].is_baseline == is_baseline && list->s[k].style == style)
            return false;
    return true;
}

/* Choose a line type for each series: its own; if that is used, the same colour hatched, else the first free
 * one. */
static void choose_styles(series_list *list)
{
    for (int i = 0; i < list->n; i++)
        list->s[i].style = 0;
    for (int i = 0; i < list->n; i++) {
        const bool is_baseline = list->s[i].is_baseline;
        const int own = bench_plot_style(list->s[i].label, is_baseline),
                  hatched = own <= BENCH_PLOT_NCOLOURS ? own + BENCH_PLOT_NCOLOURS : own;
        int style = is_free(list, is_baseline, own) ? own : is_free(list, is_baseline, hatched) ? hatched : 1;
        while (style < BENCH_PLOT_NSTYLES && !is_free(list, is_baseline, style))
            style++;
        list->s[i].style = style;
    }
}

/* Returns the index of the cluster; -1: there is no room. */
static int add_cluster(chart *c, int dataset, const char *name, const char *mode)
{
    for (int i = 0; i < c->n; i++)
        if (c->cluster[i].dataset == dataset && strcmp(c->cluster[i].name, name) == 0 &&
            strcmp(c->cluster[i].mode, mode) == 0)
            return i;
    if (c->n == MAX_CLUSTERS)
        return -1;
    cluster *const mine = &c->cluster[c->n];
    mine->dataset = dataset;
    snprintf(mine->name, sizeof mine->name, "%s", name);
    snprintf(mine->mode, sizeof mine->mode, "%s", mode);
    return c->n++;
}

/* ---- bars ---- */

typedef struct bars {
    const char *kind, *title, *axis, *modes, *settings;
    double (*value)(const bench_report_row *row);
    double base;     /* value at which bars begin */
    bool is_log;     /* the axis is logarithmic */
    bool with_modes; /* a cluster for each mode; else only the first mode of a tensor counts */
    bool ours_only;
    bool has_interval; /* the value is a speed-up, which has an interval */
} bars;

static double speedup_of(const bench_report_row *r)
{
    /* the reference is the line at 1 */
    return r->row->nsamples && r->standing.relation != BENCH_REFERENCE ? r->standing.speedup.ratio : 0;
}

static double storage_of(const bench_report_row *r)
{
    return r->row->dataset.nnz ? (double)r->row->nbytes / (double)r->row->dataset.nnz : 0;
}

static double break_even_of(const bench_report_row *r)
{
    return isnan(r->standing.pays) ? 0 : fmax(1, r->standing.pays); /* a logarithmic axis has no 0 */
}

static const bars speedup_bars = {.kind = "speedup",
                                  .title = "Speed-up",
                                  .axis = "times as fast as the reference",
                                  .modes = "mode",
                                  .settings = "set logscale y 2\n",
                                  .value = speedup_of,
                                  .base = 1,
                                  .is_log = true,
                                  .with_modes = true,
                                  .has_interval = true};
static const bars storage_bars = {
    .kind = "storage", .axis = "bytes per entry", .settings = "set yrange [0:*]\n", .value = storage_of};
static const bars break_even_bars = {.kind = "break-even",
                                     .title = "Runs until packing has paid",
                                     .axis = "runs",
                                     .modes = "mode",
                                     .settings = "set logscale y 10\n",
                                     .value = break_even_of,
                                     .base = 0.5,
                                     .is_log = true,
                                     .with_modes = true,
                                     .ours_only = true};
static const bars thread_bars = {.kind = "threads",
                                 .axis = "times as fast as 1 thread",
                                 .modes = "threads",
                                 .settings = "set yrange [0:*]\n"};

static void add_bar(chart *c, const bars *what, const bench_report *report, const bench_report_row *r)
{
    char label[BENCH_LABEL_NBYTES], mode[32] = "";
    const bool is_baseline = !bench_row_is_tessera(r->row);
    const double value = what->value(r);
    if (!(value > 0) || (what->ours_only && is_baseline))
        return;
    if (what->with_modes && r->row->has_mode)
        snprintf(mode, sizeof mode, "%d", r->row->mode);
    const int k = add_cluster(c, r->dataset, report->datasets[r->dataset].label, mode);
    series_label(label, r->row);
    int s = add_series(&c->series, label, is_baseline);
    /* the same format with another order of modes, as csf:2,0,1 and csf:2,1,0 */
    if (k >= 0 && s >= 0 && c->value[k][s] > 0 && what->with_modes)
        s = add_series(&c->series, bench_candidate_label(label, r->row), is_baseline);
    if (k < 0 || s < 0 || c->value[k][s] > 0)
        return;
    c->value[k][s] = value;
    if (what->has_interval && isfinite(r->standing.speedup.hi)) {
        c->lo[k][s] = r->standing.speedup.lo;
        c->hi[k][s] = r->standing.speedup.hi;
    }
    if (isinf(value))
        return;
    c->least = c->least > 0 ? fmin(c->least, value) : value;
    c->most = fmax(c->most, value);
}

static size_t longest_label(const series_list *list)
{
    size_t most = 0;
    for (int i = 0; i < list->n; i++) {
        const size_t n = strlen(list->s[i].label);
        most = n > most ? n : most;
    }
    return most;
}

/* Order the series: formats of Tessera first, then baselines, each in the order in which they were added. */
static int order_series(int *order, const series_list *list)
{
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < list->n; s++)
            if (list->s[s].is_baseline == (pass == 1))
                order[n++] = s;
    return n;
}

/* Append text below the axis, in line `line`. */
static void add_label(tsr_text *labels, const char *text, double x, int line, bool is_small)
{
    tsr_text_add(labels, "set label ");
    bench_plot_add_quoted(labels, text);
    tsr_text_addf(labels, " at first %.4g, graph 0 center offset 0, %d%s\n", x, -1 - line,
                  is_small ? " font \",12\"" : "");
}

/* Append a name split into lines: "power-law", "500k", "4M". Returns the number of lines. */
static int add_name(tsr_text *labels, const char *name, double x, int line, bool is_small)
{
    char lines[BENCH_LABEL_NBYTES];
    int n = 1;
    size_t at = 0;
    for (; *name && at + 1 < sizeof lines; name++) {
        const bool is_break = *name == ' ' && (n == 1 || (at > 0 && lines[at - 1] == ',')) && n < 4;
        at -= is_break && lines[at - 1] == ',';
        lines[at++] = is_break ? '\n' : *name;
        n += is_break;
    }
    lines[at] = '\0';
    add_label(labels, lines, x, line, is_small);
    return n;
}

/* Compute the left end of each cluster, and append the texts below the clusters; *nlines is their number of
 * lines. The bars of a cluster are adjacent, without gaps for missing bars. Returns the total width. */
static double place_clusters(double *at, int *nlines, tsr_text *labels, const chart *c, const char *modes)
{
    double x = 1, begin = 1;
    int nnames = 0;
    *nlines = 0;
    for (int k = 0; k < c->n; k++)
        nnames += k == 0 || strcmp(c->cluster[k].name, c->cluster[k - 1].name) != 0;
    for (int k = 0; k < c->n; k++) {
        const cluster *const mine = &c->cluster[k], *const next = k + 1 < c->n ? mine + 1 : NULL;
        const bool ends_name = !next || next->dataset != mine->dataset || strcmp(next->name, mine->name) != 0;
        int nbars = 0;
        for (int s = 0; s < c->series.n; s++)
            nbars += c->value[k][s] > 0;
        const double end = x + nbars - 1;
        at[k] = x;
        if (*mine->mode)
            add_label(labels, mine->mode, (x + end) / 2, 0, false);
        if (ends_name) {
            const int line = *mine->mode != '\0',
                      n = line + add_name(labels, mine->name, (begin + end) / 2, line, nnames > 5);
            *nlines = n > *nlines ? n : *nlines;
        }
        x = end + (ends_name ? 3 : 2);
        begin = ends_name ? x : begin;
    }
    if (c->n && *c->cluster[0].mode)
        tsr_text_addf(labels, "set label \"%s\" at graph 0, graph 0 right offset -1, -1\n", modes);
    return x - 2;
}

/* Append the data of each series, "x low high", and the marks of values that are never reached. */
static void add_data(tsr_text *data, const chart *c, const bars *what, const double *at, double never)
{
    int order[MAX_SERIES];
    const int n = order_series(order, &c->series);
    for (int i = 0; i < n; i++) {
        tsr_text_addf(data, "$s%d << EOD\n", i);
        for (int k = 0; k < c->n; k++) {
            double place = at[k];
            for (int before = 0; before < i; before++)
                place += c->value[k][order[before]] > 0;
            const double v = c->value[k][order[i]];
            if (v > 0 && !isinf(v))
                tsr_text_addf(data, "%.4g %.4g %.4g\n", place, fmin(v, what->base), fmax(v, what->base));
        }
        tsr_text_add(data, "EOD\n");
    }
    tsr_text_add(data, "$intervals << EOD\n");
    for (int k = 0; k < c->n; k++) {
        double place = at[k];
        for (int i = 0; i < n; i++) {
            const int s = order[i];
            if (c->hi[k][s] > 0)
                tsr_text_addf(data, "%.4g %.4g %.4g %.4g\n", place, c->value[k][s], c->lo[k][s], c->hi[k][s]);
            place += c->value[k][s] > 0;
        }
    }
    tsr_text_add(data, "EOD\n$never << EOD\n");
    for (int k = 0; k < c->n; k++) {
        double place = at[k];
        for (int i = 0; i < n; i++) {
            const double v = c->value[k][order[i]];
            if (isinf(v))
                tsr_text_addf(data, "%.4g %.4g %d\n", place, never, c->series.s[order[i]].style);
            place += v > 0;
        }
    }
    tsr_text_add(data, "EOD\n");
}

/* Append the plot command: formats of Tessera are filled, baselines framed. */
static void add_plot_command(tsr_text *draw, const chart *c, bool has_intervals, bool has_never)
{
    int order[MAX_SERIES];
    const int n = order_series(order, &c->series);
    tsr_text_add(draw, "plot");
    for (int i = 0; i < n; i++) {
        const series *const s = &c->series.s[order[i]];
        tsr_text_addf(draw, "%s $s%d using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt %d fs %s title ",
                      i ? "," : "", i, s->style,
                      s->is_baseline                   ? "solid 0.2 border"
                      : s->style > BENCH_PLOT_NCOLOURS ? "pattern 5 border"
                                                       : "solid noborder");
        bench_plot_add_quoted(draw, s->label);
    }
    if (has_intervals)
        tsr_text_add(
            draw,
            ", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "
            "\"black\" notitle");
    if (has_never)
        tsr_text_add(draw,
                     ", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points "
                     "pt 2 ps 1 lw 2 lc rgb \"black\" title \"never, or tied\"");
}

/* The texts of a chart, and where a line is drawn across it (0: nowhere). */
typedef struct frame {
    const char *label, *title, *axis;
    double line;
} frame;

static tsr_status draw_bars(const bench_plotter *p, chart *c, const bars *what, const frame *around,
                            tsr_error *err)
{
    const double line = around->line;
    tsr_text script = {0}, draw = {0}, labels = {0};
    double at[MAX_CLUSTERS];
    char head[2 * BENCH_LABEL_NBYTES];
    bool has_never = false, has_intervals = false;
    int nlines;
    if (c->n == 0 || !(c->most > 0) || p->plots->n == BENCH_MAX_PLOTS)
        return TSR_OK;
    for (int k = 0; k < c->n; k++)
        for (int s = 0; s < c->series.n; s++)
            has_never |= isinf(c->value[k][s]), has_intervals |= c->hi[k][s] > 0;
    choose_styles(&c->series);
    const double never = c->most * 3, width = place_clusters(at, &nlines, &labels, c, what->modes);
    bench_plot_begin(&script, c->series.n + has_never, longest_label(&c->series), nlines);
    tsr_text_add(&script, "set title ");
    snprintf(head, sizeof head, "%s%s", around->title,
             has_intervals ? "\nfilled: a format, framed: a baseline, whisker: its interval" : "");
    bench_plot_add_quoted(&script, head);
    tsr_text_add(&script, "\nset ylabel ");
    bench_plot_add_quoted(&script, around->axis);
    tsr_text_addf(&script, "\n%sset xrange [0:%.4g]\nunset xtics\n%s", what->settings, width,
                  tsr_text_cstr(&labels));
    if (what->is_log)
        tsr_text_addf(&script, "set yrange [%.4g:%.4g]\n",
                      fmin(c->least, what->base) * (what->base < 1 ? 1 : 0.8),
                      has_never ? never * 2 : fmax(c->most, what->base) * 1.25);
    if (line > 0)
        tsr_text_addf(&script,
                      "set arrow 1 from graph 0, first %.4g to graph 1, first %.4g nohead lc rgb \"#888888\" "
                      "dt 2\n",
                      line, line);
    add_data(&script, c, what, at, never);
    add_plot_command(&draw, c, has_intervals, has_never);
    const tsr_status status = bench_plot_finish(
        p, &script, tsr_text_cstr(&draw), &(bench_plot_names){what->kind, around->label, around->title}, err);
    tsr_text_clear(&draw);
    tsr_text_clear(&labels);
    return status;
}

/* The largest number of threads with which this was run. */
static int most_threads(const bench_report *report, const char *plot)
{
    char label[BENCH_LABEL_NBYTES];
    int most = 0;
    for (uint32_t g = 0; g < report->ngroups; g++) {
        const bench_row *const row = report->rows[report->groups[g].first].row;
        if (row->nthreads > most && strcmp(bench_plot_label(label, row), plot) == 0)
            most = row->nthreads;
    }
    return most;
}

/* Draw one kernel (and rank), for all tensors and modes. */
static tsr_status draw_kernel(const bench_plotter *p, const bars *what, const char *plot, tsr_error *err)
{
    char label[BENCH_LABEL_NBYTES], title[2 * BENCH_LABEL_NBYTES], axis[128];
    const bench_report *const report = p->report;
    const int nthreads = most_threads(report, plot);
    const bench_row *reference = NULL; /* of all groups */
    bool is_one = true;
    chart c = {0};
    for (uint32_t g = 0; g < report->ngroups; g++) {
        const bench_report_group *const group = &report->groups[g];
        const bench_row *const row = report->rows[group->first].row;
        if (row->nthreads != nthreads || strcmp(bench_plot_label(label, row), plot) != 0)
            continue;
        for (uint32_t i = group->first; i < group->first + group->n; i++)
            add_bar(&c, what, report, &report->rows[i]);
        const bench_row *const mine = group->reference ? group->reference->row : NULL;
        is_one &= mine && (!reference || strcmp(mine->candidate, reference->candidate) == 0);
        is_one &= !reference || !mine ||
                  strcmp(mine->format ? mine->format : "", reference->format ? reference->format : "") == 0;
        reference = mine ? mine : reference;
    }
    snprintf(axis, sizeof axis, "%s", what->axis);
    if (what->value == speedup_of && reference && is_one)
        snprintf(axis, sizeof axis, "times as fast as %.100s", bench_candidate_label(label, reference));
    snprintf(title, sizeof title, "%s: %.300s, %d thread%s", what->title, plot, nthreads,
             nthreads == 1 ? "" : "s");
    return draw_bars(p, &c, what, &(frame){plot, title, axis, what->value == speedup_of ? 1 : 0}, err);
}

static tsr_status draw_kernels(const bench_plotter *p, const bars *what, tsr_error *err)
{
    char label[BENCH_LABEL_NBYTES], earlier[BENCH_LABEL_NBYTES];
    const bench_report *const report = p->report;
    int n = 0; /* candidates that were tried */
    for (int s = 0; s < report->nsections && n < BENCH_MAX_PLOTS; s++) {
        bool is_new = true;
        bench_plot_label(label, report->sections[s].row);
        for (int k = 0; k < s && is_new; k++)
            is_new = strcmp(bench_plot_label(earlier, report->sections[k].row), label) != 0;
        if (!is_new)
            continue;
        n++;
        TSR_TRY(draw_kernel(p, what, label, err));
    }
    return TSR_OK;
}

static tsr_status draw_storage(const bench_plotter *p, bool matrices, tsr_error *err)
{
    const bench_report *const report = p->report;
    chart c = {0};
    for (uint32_t i = 0; i < report->n; i++) {
        const int order = report->rows[i].row->dataset.order;
        if (matrices ? order == 2 : order != 2)
            add_bar(&c, &storage_bars, report, &report->rows[i]);
    }
    return draw_bars(p, &c, &storage_bars,
                     &(frame){.label = matrices ? "matrices" : "tensors",
                              .title = matrices ? "Storage of matrices" : "Storage of tensors",
                              .axis = storage_bars.axis},
                     err);
}

/* ---- threads ---- */

/* The group of one thread that belongs to this one; they were measured one after the other. */
static const bench_report_group *with_one_thread(const bench_report *report, uint32_t g)
{
    const bench_report_row *const mine = &report->rows[report->groups[g].first];
    for (uint32_t k = g; k-- > 0 && g - k < 16;) {
        const bench_report_row *const r = &report->rows[report->groups[k].first];
        if (r->record == mine->record && r->dataset == mine->dataset &&
            report->groups[k].section == report->groups[g].section && r->row->nthreads == 1)
            return &report->groups[k];
    }
    return NULL;
}

/* Add the geometric mean, over tensors and modes, of the speed-up over one thread; computed from
 * logarithms. */
static void add_scaling(chart *c, const bench_report *report, uint32_t g)
{
    char label[BENCH_LABEL_NBYTES], mine[BENCH_LABEL_NBYTES], name[BENCH_LABEL_NBYTES], threads[32];
    const bench_report_group *const group = &report->groups[g], *const one = with_one_thread(report, g);
    const bench_row *const first = report->rows[group->first].row;
    if (first->nthreads < 2 || !one)
        return;
    snprintf(threads, sizeof threads, "%d", first->nthreads);
    bench_plot_label(name, first);
    for (uint32_t i = group->first; i < group->first + group->n; i++)
        for (uint32_t k = one->first; k < one->first + one->n; k++) {
            const bench_row *const a = report->rows[k].row, *const b = report->rows[i].row;
            if (!a->nsamples || !b->nsamples ||
                strcmp(bench_candidate_label(label, a), bench_candidate_label(mine, b)) != 0)
                continue;
            series_label(label, b);
            const int at = add_cluster(c, -1, name, threads),
                      s = add_series(&c->series, label, !bench_row_is_tessera(b));
            if (at < 0 || s < 0)
                continue;
            c->value[at][s] += log(a->ns.median / b->ns.median);
            c->count[at][s]++;
        }
}

static tsr_status draw_scaling(const bench_plotter *p, bool matrices, tsr_error *err)
{
    const bench_report *const report = p->report;
    int most = 0;
    chart c = {0};
    for (uint32_t g = 0; g < report->ngroups; g++) {
        const bench_row *const row = report->rows[report->groups[g].first].row;
        if ((row->dataset.order == 2) != matrices)
            continue;
        add_scaling(&c, report, g);
        most = row->nthreads > most ? row->nthreads : most;
    }
    for (int k = 0; k < c.n; k++) {
        bool has_more = false;
        for (int i = 0; i < c.n; i++)
            has_more |= i != k && strcmp(c.cluster[i].name, c.cluster[k].name) == 0;
        if (!has_more)
            c.cluster[k].mode[0] = '\0'; /* there is only one number of threads */
        for (int s = 0; s < c.series.n; s++)
            if (c.count[k][s]) {
                c.value[k][s] = exp(c.value[k][s] / c.count[k][s]);
                c.most = fmax(c.most, c.value[k][s]);
            }
    }
    char title[128];
    snprintf(title, sizeof title, "Speed-up of %s%d threads over 1, mean over %s", most > 2 ? "up to " : "",
             most, matrices ? "matrices" : "tensors and modes");
    return draw_bars(p, &c, &thread_bars,
                     &(frame){matrices ? "matrices" : "tensors", title, thread_bars.axis, most}, err);
}

/* ---- roofline ---- */

static bool is_in_roofline(const bench_report *report, const bench_report_row *r, const bench_roof *roof)
{
    return r->row->nsamples && r->row->flops > 0 && r->row->moved_nbytes > 0 &&
           r->row->nthreads == roof->nthreads && report->datasets[r->dataset].setup == 0;
}

static void add_points(tsr_text *script, const bench_report *report, const bench_roof *roof,
                       const char *candidate)
{
    char label[BENCH_LABEL_NBYTES];
    for (uint32_t i = 0; i < report->n; i++) {
        const bench_report_row *const r = &report->rows[i];
        series_label(label, r->row);
        if (is_in_roofline(report, r, roof) && strcmp(label, candidate) == 0)
            tsr_text_addf(script, "%.4g %.4g\n", r->row->flops / r->row->moved_nbytes,
                          r->row->flops / r->row->ns.median);
    }
}

/* Draw the roofline of the first setup, with its largest number of threads. */
static tsr_status draw_roofline(const bench_plotter *p, tsr_error *err)
{
    const bench_report *const report = p->report;
    const bench_record *const record = &report->records[0];
    char label[BENCH_LABEL_NBYTES], title[64];
    const bench_roof *roof = NULL;
    series_list candidates = {0};
    tsr_text script = {0}, draw = {0};
    double least = INFINITY, most = 0;
    for (int i = 0; i < record->nroofs; i++)
        if (!roof || record->roofs[i].nthreads > roof->nthreads)
            roof = &record->roofs[i];
    for (uint32_t i = 0; i < report->n && roof; i++) {
        const bench_report_row *const r = &report->rows[i];
        if (!is_in_roofline(report, r, roof))
            continue;
        series_label(label, r->row);
        (void)add_series(&candidates, label, !bench_row_is_tessera(r->row));
        least = fmin(least, r->row->flops / r->row->moved_nbytes);
        most = fmax(most, r->row->flops / r->row->moved_nbytes);
    }
    if (!roof || !(roof->triad > 0 && roof->fma_f64 > 0) || candidates.n == 0 ||
        p->plots->n == BENCH_MAX_PLOTS)
        return TSR_OK;
    choose_styles(&candidates);
    snprintf(title, sizeof title, "Roofline: %d thread%s, f64%s", roof->nthreads,
             roof->nthreads == 1 ? "" : "s", report->nsetups > 1 ? " [A]" : "");
    bench_plot_begin(&script, candidates.n + 1, longest_label(&candidates), 3);
    tsr_text_addf(&script,
                  "set title \"%s\"\nset xlabel \"operations per byte\"\nset ylabel \"GFLOP/s\"\nset "
                  "logscale xy 10\nset grid xtics\nroof(x) = x * %.6g < %.6g ? x * %.6g : %.6g\n",
                  title, roof->triad / 1e9, roof->fma_f64 / 1e9, roof->triad / 1e9, roof->fma_f64 / 1e9);
    tsr_text_addf(&draw, "plot [%.3g:%.3g] roof(x) with lines lc rgb \"#888888\" lw 2 title \"roof\"",
                  least / 2, fmax(2 * most, 2 * roof->fma_f64 / roof->triad));
    for (int c = 0; c < candidates.n; c++) {
        tsr_text_addf(&script, "$c%d << EOD\n", c);
        add_points(&script, report, roof, candidates.s[c].label);
        tsr_text_add(&script, "EOD\n");
        tsr_text_addf(&draw, ", $c%d using 1:2 with points lt %d title ", c, candidates.s[c].style);
        bench_plot_add_quoted(&draw, candidates.s[c].label);
    }
    const tsr_status status =
        bench_plot_finish(p, &script, tsr_text_cstr(&draw), &(bench_plot_names){"roofline", "", title}, err);
    tsr_text_clear(&draw);
    return status;
}

tsr_status bench_report_plots(bench_plots *plots, const bench_report *report, const char *dir, tsr_error *err)
{
    tsr_text gnuplot = {0};
    plots->n = 0;
    if (tsr_process_find(&gnuplot, "gnuplot", NULL) != TSR_OK) {
        tsr_text_clear(&gnuplot);
        return tsr_fail(err, TSR_UNSUPPORTED, "gnuplot is not installed (Debian package gnuplot-nox)");
    }
    const bench_plotter p = {report, plots, dir, tsr_text_cstr(&gnuplot)};
    tsr_status status = draw_kernels(&p, &speedup_bars, err);
    if (status == TSR_OK)
        status = draw_storage(&p, true, err);
    if (status == TSR_OK)
        status = draw_storage(&p, false, err);
    if (status == TSR_OK)
        status = draw_kernels(&p, &break_even_bars, err);
    if (status == TSR_OK)
        status = draw_roofline(&p, err);
    if (status == TSR_OK)
        status = draw_scaling(&p, true, err);
    if (status == TSR_OK)
        status = draw_scaling(&p, false, err);
    tsr_text_clear(&gnuplot);
    return status;
}
