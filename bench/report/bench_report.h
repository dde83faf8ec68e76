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
    BENCH_REPORT_MAX_BASELINES = 16,
    BENCH_MAX_NOTES = 32, /* notes of one kernel */
    BENCH_MAX_FOOTNOTES = 1024,
};

/* A row, and values computed from the other rows of its group. */
typedef struct bench_report_row {
    const bench_record *record;
    const bench_row *row;
    bench_standing standing; /* relation to the reference of the group */
    /* the best median of Tessera over the median of this row; {0}: a row of Tessera, or one of the two did
     * not run */
    bench_ratio tessera_over;
    int dataset; /* index in `datasets` */
    int note;    /* index of its note in `notes`, from 1; 0: no note, or no room for it */
} bench_report_row;

/* Rows first to first + n - 1, which ran together: the same record and the same case (bench_rows.h). */
typedef struct bench_report_group {
    uint32_t first, n;
    int section;
    bench_choice choice;                      /* by numbers of rows, counted from `first` */
    const bench_standing *standings;          /* n standings */
    const bench_report_row *reference, *best; /* from the choice; NULL: no row of Tessera ran */
} bench_report_group;

/* One computation, "mttkrp, mode 0, rank 16". */
typedef struct bench_report_section {
    const char *label;
    const bench_row *row; /* a row of the section */
    int kernel;
} bench_report_section;

typedef struct bench_report_kernel {
    const char *label; /* "mttkrp"; for an expression the expression itself */
    bool has_tessera;
    int nbaselines; /* number of baselines, including those that did not run */
    const char *baseline[BENCH_REPORT_MAX_BASELINES];
} bench_report_kernel;

typedef struct bench_report_dataset {
    /* short: bench_short_label, unless two datasets have the same; with " [B]" for setup B */
    const char *label;
    const char *name; /* the whole name */
    const bench_dataset *dataset;
    int setup;
} bench_report_dataset;

typedef struct bench_report {
    int nrecords;
    const bench_record *records;
    /* Records with the same setup come from the same machine and the same build. */
    int nsetups, nmachines, nbuilds;
    int *setup; /* nrecords entries */
    uint32_t n, ngroups;
    int ndatasets, nsections, nkernels;
    bench_report_row *rows;
    bench_report_group *groups;
    bench_report_dataset *datasets;
    bench_report_section *sections;
    bench_report_kernel *kernels;
    int nnotes;
    const char **notes; /* notes of rows, each once */
    tsr_arena arena;    /* owns the strings and arrays */
} bench_report;

/* Collect all rows of all records. Borrows the records. TSR_LIMIT, TSR_NOMEM; TSR_CORRUPT: there are no
 * rows. */
tsr_status bench_report_init(bench_report *report, const bench_record *records, int n,
                             tsr_error *err) TSR_NODISCARD;
void bench_report_clear(bench_report *report);

/* Append the sentence that lists the machines and builds of the records; nothing if there is only one. */
void bench_report_add_setups(tsr_text *text, const bench_report *report);
/* The letter of a setup: 'A' for 0. */
char bench_setup_letter(int setup);
/* The row of that baseline in the group, or NULL. */
const bench_report_row *bench_report_find_baseline(const bench_report *report,
                                                   const bench_report_group *group, const char *name);
/* Rows of baselines with a note, each note once; returns their number. */
int bench_report_notes(const bench_row *out[BENCH_MAX_NOTES], const bench_report *report, int kernel);

/* Append the tables: which format pays, Tessera and the baselines, all rows of each section; and as CSV all
 * rows with all fields. */
void bench_report_markdown(tsr_text *text, const bench_report *report);
void bench_report_csv(tsr_text *text, const bench_report *report);
/* Whether the group is in the table of README: it has the first rank and the largest number of threads with
 * which its kernel was measured. */
bool bench_report_in_summary(const bench_report *report, const bench_report_group *group);
/* Append the short table for README: for each kernel its first rank and largest number of threads. */
void bench_report_summary(tsr_text *text, const bench_report *report);

/* Append how the records were made: a line for each, with its command, build and the versions of the
 * baselines. */
void bench_report_commands(tsr_text *text, const bench_report *report);

enum { BENCH_MAX_PLOTS = 64, BENCH_PLOT_NAME_NBYTES = 80 };

typedef struct bench_plot {
    char name[BENCH_PLOT_NAME_NBYTES]; /* name of its files: "speedup-mttkrp-rank-16" */
    char title[BENCH_LABEL_NBYTES];
} bench_plot;

typedef struct bench_plots {
    int n;
    bench_plot plots[BENCH_MAX_PLOTS];
} bench_plots;

/* Write DIR/NAME.gp, NAME.svg and NAME.png for every plot that the rows allow. TSR_UNSUPPORTED if gnuplot is
 * missing or fails. */
tsr_status bench_report_plots(bench_plots *plots, const bench_report *report, const char *dir,
                              tsr_error *err) TSR_NODISCARD;

/* Append the page: one HTML document that contains its style, its script and the plots of DIR. */
tsr_status bench_report_page(tsr_text *text, const bench_report *report, const bench_plots *plots,
                             const char *dir, tsr_error *err) TSR_NODISCARD;

#endif
