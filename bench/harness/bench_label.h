/* Texts that describe the rows of a record, for tables. */
#ifndef BENCH_LABEL_H
#define BENCH_LABEL_H

#include "bench_record.h"

enum { BENCH_LABEL_NBYTES = 512 };

/* Each function writes into buf of BENCH_LABEL_NBYTES and returns buf. */
/* "mttkrp, mode 1, rank 16, f32, cold", "spgemm, new result": the computation (f64, no mode and no rank are not
 * mentioned). */
char *bench_kernel_label(char *buf, const bench_row *row);
/* The same without the mode: the subject of one plot. */
char *bench_plot_label(char *buf, const bench_row *row);
/* "mttkrp"; for an expression the expression itself. Borrowed. */
const char *bench_kernel_name(const bench_row *row);
/* "nell-2", "nell-2 (stand-in)" */
char *bench_dataset_label(char *buf, const bench_row *row);
/* A short text for a generator, "power-law 500k, 4M": its kind, n or dims, and nnz; of the other keys all
 * except skew, seed, per-row and values. For other datasets as bench_dataset_label. */
char *bench_short_label(char *buf, const bench_row *row);
/* "csf" for a format of Tessera; "splatt", "splatt csf" for a baseline */
char *bench_candidate_label(char *buf, const bench_row *row);
/* "850 ns", "4.44 ms": three digits; 0 gives "" */
char *bench_time_label(char *buf, double ns);
/* "87%", or ">100%" where the data come from the caches. */
char *bench_roof_label(char *buf, double share);
/* Whether the interval spans more than a factor of 2: then the ratio is not a number to cite. */
bool bench_ratio_is_unsteady(const bench_ratio *ratio);
/* "1.70 (1.62-1.81)" with `between` ("-", " to ") between the bounds; without bounds if there is no upper
 * bound; "unsteady" */
char *bench_ratio_label(char *buf, const bench_ratio *ratio, const char *between);
/* "3.2": three digits; "" for 0. */
char *bench_number_label(char *buf, double v);
/* A number of runs: "12", "1.2e+07" from a million on, "never" for infinity; "" for NAN. 0 is "0". */
char *bench_runs_label(char *buf, double runs);

#endif
