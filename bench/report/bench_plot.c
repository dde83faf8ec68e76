/* One plot: see bench_plot.h. */
#include "bench_plot.h"

#include <stdio.h>
#include <string.h>

#include "tsr_output.h"
#include "tsr_process.h"

/* In pixels of the SVG: its width, and the approximate widths of a letter and of a key without its name. */
enum { WIDTH = 720, LETTER_WIDTH = 8, KEY_WIDTH = 62 };

const bench_plot_colour bench_plot_colours[BENCH_PLOT_NCOLOURS] = {
    {"#3f90da", "#3f90da"}, {"#ffa90e", "#ffa90e"}, {"#bd1f01", "#d51f25"}, {"#94a4a2", "#94a4a2"},
    {"#832db6", "#bb4dfc"}, {"#a96b59", "#a96b59"}, {"#e76300", "#e76300"}, {"#b9ac70", "#b9ac70"},
    {"#717581", "#717581"}, {"#92dadd", "#92dadd"},
};

/* Formats of matrices and formats of tensors do not occur together, so they share colours; formats for any
 * order have colours of their own. */
int bench_plot_style(const char *name, bool is_baseline)
{
    static const struct {
        const char *name;
        int style;
    } formats[] = {{"coo", 1},           {"csr", 2},   {"csf in order", 13}, {"csf", 3},   {"hicoo", 4},
                   {"csc", 5},           {"dss", 5},   {"duqq", 6},          {"duqqq", 6}, {"dcsr", 6},
                   {"duq in order", 16}, {"duq", 6},   {"csbc", 7},          {"bcsf", 7},  {"bcsr", 8},
                   {"bdia", 9},          {"dcsc", 10}, {"csb", 17},          {"bcsc", 18}, {"dense", 14}},
      baselines[] = {{"taco", 1}, {"splatt", 2}, {"graphblas", 3}, {"librsb", 5}, {"eigen", 6}, {"scipy", 7}};
    const size_t n = is_baseline ? sizeof baselines / sizeof *baselines : sizeof formats / sizeof *formats;
    unsigned hash = 0;
    for (size_t i = 0; i < n; i++) {
        const char *const known = is_baseline ? baselines[i].name : formats[i].name;
        const size_t length = strlen(known);
        /* strchr also finds the NUL at the end */
        if (strncmp(name, known, length) == 0 && strchr("(: ", name[length]))
            return is_baseline ? baselines[i].style : formats[i].style;
    }
    for (const char *s = name; *s; s++)
        hash = 31 * hash + (unsigned char)*s;
    return BENCH_PLOT_NCOLOURS + 1 + (int)(hash % BENCH_PLOT_NCOLOURS);
}

void bench_plot_begin(tsr_text *script, int nkeys, size_t longest, int nlines)
{
    static const int points[BENCH_PLOT_NCOLOURS] = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10};
    for (int i = 0; i < BENCH_PLOT_NSTYLES; i++)
        tsr_text_addf(script, "set linetype %d lc rgb \"%s\" lw 1.5 pt %d ps 0.9\n", i + 1,
                      bench_plot_colours[i % BENCH_PLOT_NCOLOURS].light,
                      points[(i + i / BENCH_PLOT_NCOLOURS * 3) % BENCH_PLOT_NCOLOURS]);
    const int fit = WIDTH / (LETTER_WIDTH * (int)longest + KEY_WIDTH), ncolumns = fit > 1 ? fit : 1,
              nrows = (nkeys + ncolumns - 1) / ncolumns;
    tsr_text_addf(script,
                  "set encoding utf8\nset datafile missing \"NaN\"\n"
                  "set key at screen 0.5, screen 0.015 center bottom maxrows %d Left reverse samplen 1.5\n"
                  "set bmargin %.3g\n",
                  nrows, 1.1 * nrows + nlines + 1.2);
    tsr_text_add(
        script,
        "set grid ytics lt 0 lc rgb \"#999999\"\nset border 3 lc rgb \"black\"\nset tics nomirror out\n");
}

void bench_plot_add_quoted(tsr_text *text, const char *s)
{
    tsr_text_add(text, "\"");
    for (int n = 0; *s && n < 160; s++, n++) {
        const bool is_plain =
            (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
        if (*s == '\n')
            tsr_text_add(text, "\\n");
        else
            tsr_text_add_n(text, is_plain || strchr(" _.,()[]+-*:/=@", *s) ? s : "_", 1);
    }
    tsr_text_add(text, "\"");
}

/* "speedup-mttkrp-rank-16" */
static void name_plot(bench_plots *plots, const char *kind, const char *label)
{
    char *const name = plots->plots[plots->n].name;
    int n = snprintf(name, BENCH_PLOT_NAME_NBYTES, "%.20s", kind), number = 1;
    bool at_gap = true;
    for (; *label && n < BENCH_PLOT_NAME_NBYTES - 12; label++) {
        const bool is_plain = (*label >= '0' && *label <= '9') || (*label >= 'a' && *label <= 'z') ||
                              (*label >= 'A' && *label <= 'Z');
        if (is_plain && at_gap)
            name[n++] = '-';
        if (is_plain)
            name[n++] = *label;
        at_gap = !is_plain;
    }
    name[n] = '\0';
    for (int i = 0; i < plots->n; i++)
        if (strcmp(plots->plots[i].name, name) == 0) {
            snprintf(name + n, BENCH_PLOT_NAME_NBYTES - (size_t)n, "-%d", ++number);
            i = -1;
        }
}

static tsr_status write_script(const bench_plotter *p, const char *name, const tsr_text *script,
                               tsr_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.gp", p->dir, name);
    return tsr_output_text(path, script, err);
}

static tsr_status run_script(const bench_plotter *p, const char *name, tsr_error *err)
{
    static const char *const env[] = {"LC_ALL=C", NULL};
    const tsr_process_options options = {.env = env, .timeout_ms = 60000};
    tsr_process_end end;
    tsr_text said = {0}, cd = {0};
    /* gnuplot executes nothing in single quotes, and only the quotes themselves must be doubled */
    tsr_text_add(&cd, "cd '");
    for (const char *c = p->dir; *c; c++)
        tsr_text_add_n(&cd, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
    tsr_text_addf(&cd, "'; load '%s.gp'", name);
    const char *const argv[] = {p->gnuplot, "-e", tsr_text_cstr(&cd), NULL};
    tsr_status status = tsr_process_run(&end, NULL, &said, argv, &options, err);
    if (status == TSR_OK && (end.exit_code != 0 || end.timed_out))
        status = tsr_fail(err, TSR_UNSUPPORTED, "gnuplot failed at %s: %.200s", name, tsr_text_cstr(&said));
    tsr_text_clear(&said);
    tsr_text_clear(&cd);
    return status;
}

tsr_status bench_plot_finish(const bench_plotter *p, tsr_text *script, const char *draw,
                             const bench_plot_names *names, tsr_error *err)
{
    bench_plot *const plot = &p->plots->plots[p->plots->n];
    name_plot(p->plots, names->kind, names->label);
    snprintf(plot->title, sizeof plot->title, "%.400s", names->title);
    tsr_text_addf(
        script,
        "set terminal svg size 720,460 dynamic noenhanced font \"sans-serif,14\" background \"#ffffff\"\n"
        "set output \"%s.svg\"\n%s\n"
        "set terminal pngcairo size 1080,690 noenhanced font \"sans-serif,16\" background \"#ffffff\"\n"
        "set output \"%s.png\"\n%s\nunset output\n",
        plot->name, draw, plot->name, draw);
    tsr_status status = write_script(p, plot->name, script, err);
    tsr_text_clear(script);
    if (status == TSR_OK)
        status = run_script(p, plot->name, err);
    if (status == TSR_OK)
        p->plots->n++;
    return status;
}
