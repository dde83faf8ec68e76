/* Words for rows of a record, for tables. */
#ifndef BENCH_LABEL_H
#define BENCH_LABEL_H

#include "bench_record.h"

enum { BENCH_LABEL_NBYTES = 512 };

/* Each writes into buf of BENCH_LABEL_NBYTES and returns it. */
/* "mttkrp, mode 1, rank 16, f32, cold": what is computed (f64, no mode and no rank go without saying). */
char *bench_kernel_label(char *buf, const bench_row *row);
/* The same without the mode: what is drawn in one plot. */
char *bench_plot_label(char *buf, const bench_row *row);
/* "mttkrp"; an expression itself. Borrowed. */
const char *bench_kernel_name(const bench_row *row);
/* "nell-2", "nell-2 (stand-in)" */
char *bench_dataset_label(char *buf, const bench_row *row);
/* A generator's text in short, "power-law 500k, 4M": its kind, n or dims, and nnz; of the other keys those
 * that are no skew, seed, per-row or values. All else as bench_dataset_label. */
char *bench_short_label(char *buf, const bench_row *row);
/* "csf" for one of ours in a format, "splatt", "splatt csf" for others */
char *bench_candidate_label(char *buf, const bench_row *row);
/* "850 ns", "4.44 ms": three digits; 0 gives "" */
char *bench_time_label(char *buf, double ns);
/* "1.70 (1.62-1.81)" with the bounds apart by `between` ("-", " to "); without them where there is no upper
 * one */
char *bench_ratio_label(char *buf, const bench_ratio *ratio, const char *between);
/* "3.2": three digits; "" for 0. */
char *bench_number_label(char *buf, double v);
/* Of runs: "12", "1.2e+07" from a million on, "never" for infinity; "" for NAN. 0 is "0". */
char *bench_runs_label(char *buf, double runs);

#endif
