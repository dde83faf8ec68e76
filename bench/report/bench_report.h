/* tbench report: tables, plots and a page made from records. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench_label.h"
#include "bench_record.h"
#include "tsr_text.h"

/* A row, and what follows from the others of its group (same kernel, dataset and threads). */
typedef struct bench_report_row {
    const bench_record *record;
    const bench_row *row;
    const bench_row *reference; /* that its speed-up is over; NULL: none of the group */
    double break_even; /* bench_break_even against the reference, of medians, as all of a report; 1 for what
                          costs less from the start; 0: not known, or the reference itself */
} bench_report_row;

typedef struct bench_report {
    int nrecords;
    const bench_record *records;
    uint32_t n;
    bench_report_row *rows;
} bench_report;

/* All rows of all records. Borrows. */
tsr_status bench_report_init(bench_report *report, const bench_record *records, int n,
                             tsr_error *err) TSR_NODISCARD;
void bench_report_clear(bench_report *report);

/* Append the tables: one for each kernel; all rows with all fields. */
void bench_report_markdown(tsr_text *text, const bench_report *report);
void bench_report_csv(tsr_text *text, const bench_report *report);

enum { BENCH_MAX_PLOTS = 32, BENCH_PLOT_NAME_NBYTES = 32 };

typedef struct bench_plot {
    char name[BENCH_PLOT_NAME_NBYTES]; /* "speedup-1": of its files */
    char title[BENCH_LABEL_NBYTES];
} bench_plot;

typedef struct bench_plots {
    int n;
    bench_plot plots[BENCH_MAX_PLOTS];
} bench_plots;

/* Write DIR/NAME.gp, NAME.svg and NAME.png for every plot that the rows give. TSR_UNSUPPORTED when there is
 * no gnuplot, or it fails: the sentence says so. */
tsr_status bench_report_plots(bench_plots *plots, const bench_report *report, const char *dir,
                              tsr_error *err) TSR_NODISCARD;

/* Append the page: one HTML document with its style, its script and the plots of DIR in it. */
tsr_status bench_report_page(tsr_text *text, const bench_report *report, const bench_plots *plots,
                             const char *dir, tsr_error *err) TSR_NODISCARD;

/* "3.2": three digits; "" for 0. "12", "1,234" runs, "never". Into buf of BENCH_LABEL_NBYTES. */
char *bench_number_label(char *buf, double v);
char *bench_runs_label(char *buf, double runs);

#endif
