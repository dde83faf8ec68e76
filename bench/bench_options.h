/* Options that several commands of tbench have: how to measure, and which datasets. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "bench_record.h"
#include "rows.h"
#include "tsr_coo.h"
#include "tsr_dataset.h"

/* ---- how to measure ---- */

enum { BENCH_MAX_THREAD_COUNTS = 8 };

/* The first member of the settings of each such command, so that the setters find it. */
typedef struct bench_settings {
    tsr_cli_common common; /* first: see options.h; its nthreads is not used */
    uint64_t threads[BENCH_MAX_THREAD_COUNTS];
    int nthreads; /* number of entries of threads; 0: bench_settings_finish uses 1 and all */
    int reps, time_limit_s;
    int decide_s; /* rounds go on until comparisons are decided or this time has passed; 0: they do not */
    uint64_t decide_until_ns; /* the same by the clock, set by bench_start */
    int passes, pass;         /* number of passes; the current one, from 1 */
    bool cold, quick;
    tsr_cli_report *report; /* for the progress line */
    bool warned;            /* the warning of a busy machine was printed */
    int stdout_fd; /* where standard output leads while tables go to standard error; 0: they do not */
} bench_settings;

tsr_status bench_set_threads(void *settings, const char *value, tsr_error *err);
tsr_status bench_set_reps(void *settings, const char *value, tsr_error *err);
tsr_status bench_set_time_limit(void *settings, const char *value, tsr_error *err);
tsr_status bench_set_decide(void *settings, const char *value, tsr_error *err);
tsr_status bench_set_cold(void *settings, const char *value, tsr_error *err);
tsr_status bench_set_quick(void *settings, const char *value, tsr_error *err);

/* Rows for the option table of a command. */
#define BENCH_OPTIONS_HOW                                                                                    \
    {.help = "How"},                                                                                         \
        {"threads", 'j', "N,...", "thread counts to compare (default: 1 and all)", bench_set_threads, NULL}, \
        {"reps", 0, "N", "rounds that count (default 5)", bench_set_reps, NULL},                             \
        {"time-limit",         0,   "SECONDS", "stop counting after this long per row of candidates",        \
         bench_set_time_limit, NULL},                                                                        \
        {"decide",                                                                                           \
         0,                                                                                                  \
         "SECONDS",                                                                                          \
         "make three rounds at least; after --reps go on, to 50 and --time-limit, until the comparison "     \
         "with the "                                                                                         \
         "reference is decided, or the command has run so long",                                             \
         bench_set_decide,                                                                                   \
         NULL},                                                                                              \
        TSR_CLI_ROW_MEMORY(": a tensor or a format that does not fit is refused with its size; programs "    \
                           "that run as baselines do not count"),                                            \
        {"cold", 0, NULL, "empty the caches before each run", bench_set_cold, NULL},                         \
        {"quick",                                                                                            \
         0,                                                                                                  \
         NULL,                                                                                               \
         "a first look: take each sample once, however busy the machine is, and do not measure its roof",    \
         bench_set_quick,                                                                                    \
         NULL},                                                                                              \
        TSR_CLI_ROW_JSON("write the record, machine, roof and every sample, for report and compare"),        \
        TSR_CLI_ROWS_END

/* After parsing: default thread counts, 1 and all, and the FILE of "--json FILE", as versions before wrote it: an operand
 * that ends in .json, which is taken out, with a note. */
void bench_settings_finish(bench_settings *settings, const tsr_cli_tool *tool, tsr_cli_operands *operands);
/* Show a progress line on a terminal, unless one was shown a moment ago. */
void bench_settings_show(tsr_cli_report *report, const char *format, ...) TSR_PRINTF(2, 3);
/* The options for bench_run from the settings, with a progress line; its callback also checks for signals. */
bench_run_options bench_settings_run(const bench_settings *settings);

/* The beginning of a command that measures: an empty record for --json, which measures the machine's roofs for the
 * thread counts with its first row, unless the run is a quick one. Where the record goes to standard output,
 * tables go to standard error until bench_finish. Errors: bench_record_init. */
tsr_status bench_start(bench_record *record, bench_settings *settings, int argc, char *const *argv,
                       tsr_error *err) TSR_NODISCARD;
/* Warn once if other processes disturbed more than a tenth of the samples so far, unless --quick: before the table
 * that they are in. */
void bench_warn_busy(bench_settings *settings, const bench_record *record);
/* End a command that measures: write the record even if `status` is a failure (then err is printed) or an
 * interruption; returns the exit code. */
int bench_finish(bench_record *record, bench_settings *settings, tsr_status status, const tsr_error *err);

/* ---- which datasets ---- */

/* The first member of the settings of each command that uses the table of datasets. */
typedef struct bench_data_settings {
    tsr_cli_common common; /* first: see options.h */
    const char *datasets;  /* path of another table; NULL: the default */
} bench_data_settings;

tsr_status bench_set_datasets(void *settings, const char *value, tsr_error *err);

/* Rows for the option table of a command. */
#define BENCH_OPTION_DATASETS                                                                              \
    {                                                                                                      \
        "datasets", 0, "CSV", "another table of datasets (default: $TSR_DATASETS, else the built-in one)", \
            bench_set_datasets, NULL                                                                       \
    }
/* Whether the text ends in the suffix of a file format, so that it is not the name of a dataset. */
bool bench_has_suffix(const char *text);
/* A tensor that a command names: a file, or a dataset, which may be generated (datasets/tsr_dataset.h). */
typedef struct bench_tensor {
    const char *path;      /* of the file with its entries */
    bench_dataset dataset; /* its name; order, dims and nnz are set by bench_tensor_size */
    tsr_resolved found;
} bench_tensor;

/* Find the tensor, and generate it where it is not there. `text` stays valid until bench_tensor_clear. TSR_IO, and the
 * errors of tsr_dataset_resolve. */
tsr_status bench_tensor_find(bench_tensor *out, const char *text, const tsr_datasets *datasets,
                             tsr_cli_report *report, tsr_error *err) TSR_NODISCARD;
/* Set the dims and the number of entries. */
void bench_tensor_size(bench_tensor *tensor, const tsr_coo *coo);
void bench_tensor_clear(bench_tensor *tensor);

/* Load the table in this file; NULL: the table that $TSR_DATASETS names, else the built-in table. */
tsr_status bench_load_datasets(tsr_datasets **out, const char *path, tsr_error *err) TSR_NODISCARD;

#endif
