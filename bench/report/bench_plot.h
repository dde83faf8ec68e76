/* Plots drawn by gnuplot: each has a script, which is kept beside its pictures. Names come from records,
 * which may come from anyone, and gnuplot executes text between backquotes: only plain characters are written
 * into a script. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include "bench_report.h"

/* The colour of line types 1 to BENCH_PLOT_NCOLOURS, used again, hatched, up to BENCH_PLOT_NSTYLES, as
 * "#rrggbb": the ten colours of M. Petroff, "Accessible color sequences for data visualization" (2021),
 * which colour-blind readers can tell apart; on a dark background the page replaces the darkest by those
 * of `dark`. */
enum { BENCH_PLOT_NCOLOURS = 10, BENCH_PLOT_NSTYLES = 2 * BENCH_PLOT_NCOLOURS };
typedef struct bench_plot_colour {
    const char *light, *dark;
} bench_plot_colour;
extern const bench_plot_colour bench_plot_colours[BENCH_PLOT_NCOLOURS];

/* The line type, from 1, of a candidate with that name ("csf", "bcsr(4,4)", "taco"), the same in every
 * report. Names that rarely occur together share a line type. */
int bench_plot_style(const char *name, bool is_baseline);

typedef struct bench_plotter {
    const bench_report *report;
    bench_plots *plots;
    const char *dir, *gnuplot;
} bench_plotter;

/* Begin a script with the style that all plots share: with room at the bottom for a key of nkeys names of up
 * to `longest` bytes, and for nlines lines of text between the key and the axis. */
void bench_plot_begin(tsr_text *script, int nkeys, size_t longest, int nlines);
/* Append a quoted string of gnuplot; '\n' begins a new line. */
void bench_plot_add_quoted(tsr_text *text, const char *s);
/* Finish the script, which draws with the commands `draw`, under the name KIND-LABEL (letters, digits and
 * '-'; a number is appended if the name is used already), and run it: SVG and PNG. Clears the script. */
typedef struct bench_plot_names {
    const char *kind, *label; /* make the name of the file */
    const char *title;
} bench_plot_names;
tsr_status bench_plot_finish(const bench_plotter *p, tsr_text *script, const char *draw,
                             const bench_plot_names *names, tsr_error *err) TSR_NODISCARD;

#endif
