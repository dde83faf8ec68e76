/* Plots drawn by gnuplot: each a script of its own, kept beside its pictures. Names come from records, which
 * may be anybody's, and gnuplot runs what stands between backquotes: only plain characters get into a script.
 */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include "bench_report.h"

/* Colours of line types 1 to BENCH_PLOT_NCOLOURS, and again of those up to BENCH_PLOT_NSTYLES, which are
 * hatched, "#rrggbb": the ten of M. Petroff, "Accessible color sequences for data visualization" (2021),
 * which stay apart for the colour-blind; on dark ground the page replaces those that are too dark by `dark`.
 */
enum { BENCH_PLOT_NCOLOURS = 10, BENCH_PLOT_NSTYLES = 2 * BENCH_PLOT_NCOLOURS };
typedef struct bench_plot_colour {
    const char *light, *dark;
} bench_plot_colour;
extern const bench_plot_colour bench_plot_colours[BENCH_PLOT_NCOLOURS];

/* The line type, from 1, of a candidate of that name ("csf", "bcsr(4,4)", "taco"), the same in every report.
 * Names that seldom meet share one. */
int bench_plot_style(const char *name, bool is_other);

typedef struct bench_plotter {
    const bench_report *report;
    bench_plots *plots;
    const char *dir, *gnuplot;
} bench_plotter;

/* Begin a script with the style that all plots share: room for a key of so many names, of up to `longest`
 * bytes, at the bottom, and for so many lines of text between it and the axis. */
void bench_plot_begin(tsr_text *script, int nkeys, size_t longest, int nlines);
/* Add a string of gnuplot's in quotes; '\n' begins a line. */
void bench_plot_add_quoted(tsr_text *text, const char *s);
/* End the script, which draws by the commands `draw`, as KIND-LABEL (of letters, digits and '-', another
 * number behind it when it is taken), and run it: SVG and PNG. Clears the script. */
tsr_status bench_plot_finish(const bench_plotter *p, tsr_text *script, const char *draw, const char *kind,
                             const char *label, const char *title, tsr_error *err) TSR_NODISCARD;

#endif
