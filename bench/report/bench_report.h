/* tbench report: tables, plots and a page made from records. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench_choice.h"
#include "bench_label.h"
#include "bench_record.h"
#include "tsr_text.h"

enum {
    BENCH_MAX_DATASETS = 4096,
    BENCH_MAX_SECTIONS = 4096,
    BENCH_MAX_KERNELS = 256,
    BENCH_MAX_OTHERS = 16,
    BENCH_MAX_NOTES = 32, /* of a kernel */
    BENCH_MAX_FOOTNOTES = 1024,
};

/* A row, and what follows from the others of its group. */
typedef struct bench_report_row {
    const bench_record *record;
    const bench_row *row;
    bench_standing standing; /* to the group's reference */
    bench_ratio ours_over; /* our best median over this one's; {0}: it is ours, or one of them did not run */
    int dataset;           /* its number in `datasets` */
    int note; /* the number of its note in `notes`, from 1; 0: it has none, or there is no room */
} bench_report_row;

/* Rows first to first + n - 1, which ran together: the same record, case (bench_rows.h). */
typedef struct bench_report_group {
    uint32_t first, n;
    int section;
    bench_choice choice;                      /* by numbers of rows from `first` on */
    const bench_standing *standings;          /* n of them */
    const bench_report_row *reference, *best; /* of the choice; NULL: none of ours ran */
} bench_report_group;

/* One thing that is computed, "mttkrp, mode 0, rank 16". */
typedef struct bench_report_section {
    const char *label;
    const bench_row *row; /* one of it */
    int kernel;
} bench_report_section;

typedef struct bench_report_kernel {
    const char *label; /* "mttkrp"; an expression itself */
    bool has_ours;
    int nothers; /* candidates that are not ours, also those that did not run */
    const char *other[BENCH_MAX_OTHERS];
} bench_report_kernel;

typedef struct bench_report_dataset {
    const char *label; /* short: bench_short_label, unless two have the same; with " [B]" of setup B */
    const char *name;  /* whole */
    const bench_dataset *dataset;
    int setup;
} bench_report_dataset;

typedef struct bench_report {
    int nrecords;
    const bench_record *records;
    /* Records of one setup were made on the same machine, by the same build. */
    int nsetups, nmachines, nbuilds;
    int *setup; /* nrecords */
    uint32_t n, ngroups;
    int ndatasets, nsections, nkernels;
    bench_report_row *rows;
    bench_report_group *groups;
    bench_report_dataset *datasets;
    bench_report_section *sections;
    bench_report_kernel *kernels;
    int nnotes;
    const char **notes; /* of rows, each once */
    tsr_arena arena;    /* strings and arrays of all of these */
} bench_report;

/* All rows of all records. Borrows. TSR_LIMIT, TSR_NOMEM; TSR_CORRUPT: there are no rows. */
tsr_status bench_report_init(bench_report *report, const bench_record *records, int n,
                             tsr_error *err) TSR_NODISCARD;
void bench_report_clear(bench_report *report);

/* Append the sentence that says of how many machines and builds the records are; nothing when of one. */
void bench_report_add_setups(tsr_text *text, const bench_report *report);
/* The letter of a setup: 'A' is 0. */
char bench_setup_letter(int setup);
/* The row of that other candidate in the group, or NULL. */
const bench_report_row *bench_report_other(const bench_report *report, const bench_report_group *group,
                                           const char *name);
/* Rows of others with something to say, each note once; returns how many. */
int bench_report_notes(const bench_row *out[BENCH_MAX_NOTES], const bench_report *report, int kernel);

/* Append the tables: what pays, ours beside others, all rows of each section; all rows with all fields. */
void bench_report_markdown(tsr_text *text, const bench_report *report);
void bench_report_csv(tsr_text *text, const bench_report *report);
/* Whether the group is in README's table: of the first rank and the most threads that its kernel was measured
 * with. */
bool bench_report_in_summary(const bench_report *report, const bench_report_group *group);
/* The short one, of README: for each kernel its first rank and most threads. */
void bench_report_summary(tsr_text *text, const bench_report *report);

/* How the records were made: a row for each, with its command, build and the versions of others. */
void bench_report_commands(tsr_text *text, const bench_report *report);

enum { BENCH_MAX_PLOTS = 64, BENCH_PLOT_NAME_NBYTES = 80 };

typedef struct bench_plot {
    char name[BENCH_PLOT_NAME_NBYTES]; /* "speedup-mttkrp-rank-16": of its files */
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

#endif
