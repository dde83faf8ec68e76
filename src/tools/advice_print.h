/* Advice on formats, as tinfo and tconv ask for it and print it. */
#ifndef TSR_CLI_ADVICE_PRINT_H
#define TSR_CLI_ADVICE_PRINT_H

#include <stdio.h>

#include "tsr_advice.h"
#include "tsr_codec.h"
#include "tsr_feed.h"

/* What the user asks. All zero but `kernels`: defaults. */
typedef struct tsr_cli_advise {
    const char *kernels; /* "mttkrp,spmv" or an expression */
    const char *path;    /* of the tensor, for the file of errors */
    bool measure;        /* run the best few formats */
    double nruns, budget;
    int rank, nthreads;
    const tsr_observer *observer;
    const tsr_thin *thin; /* as in tsr_advice_question */
} tsr_cli_advise;

/* The options that both tools have: functions that set a member of that type, and rows. with: "with --advise: " */
#define TSR_CLI_SET_ADVISE(settings, member)                              \
    TSR_CLI_SET_BY(settings, runs, member.nruns, tsr_cli_parse_runs)      \
    TSR_CLI_SET_BY(settings, budget, member.budget, tsr_cli_parse_budget) \
    TSR_CLI_SET_FLAG(settings, measure, member.measure)
#define TSR_CLI_ROWS_ADVISE(with)                                                                           \
    {"runs",                                                                                                \
     0,                                                                                                     \
     "N",                                                                                                   \
     with "the number of runs of each kernel for one packing. Without it the format of the file stays "     \
          "unless packing another one pays within 10 runs",                                                 \
     set_runs,                                                                                              \
     NULL},                                                                                                 \
        {"budget",   0,                                                                                     \
         "N",        with "leave out formats that take more than N times the bytes of the smallest one",    \
         set_budget, NULL},                                                                                 \
    {                                                                                                       \
        "measure", 0, NULL,                                                                                 \
            with "run the best few formats in turns, choose among them by what was measured, and append "   \
                 "predicted and measured times to the file $TSR_ADVICE_ERRORS, or advice.tsv in the cache " \
                 "folder",                                                                                  \
            set_measure, NULL                                                                               \
    }
#define TSR_CLI_RANK_HELP "the size of each index variable that only dense operands have (16)"

tsr_status tsr_cli_parse_runs(double *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* "1.5" or "1.5x". */
tsr_status tsr_cli_parse_budget(double *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* Advise for what was read, and measure if that is asked. Clear it with tsr_advice_clear. */
tsr_status tsr_cli_advice(tsr_advice *out, const tsr_data *data, const tsr_cli_advise *ask,
                          tsr_error *err) TSR_NODISCARD;

/* ---- advice_measure.c ---- */

/* Set the measured times of the best few rows, of the source and of the choice, and choose among them. A format that cannot be
 * measured is a warning. TSR_CANCELLED, TSR_NOMEM. */
tsr_status tsr_cli_measure_advice(tsr_advice *advice, const tsr_data *data, const tsr_cli_advise *ask,
                                  tsr_error *err) TSR_NODISCARD;
/* The first line of the file of errors; each further one is a format of one answer, with tabs between the fields. */
#define TSR_CLI_ADVICE_ERRORS_HEAD                                                                  \
    "kernel\ttensor\tdims\tnnz\trank\tthreads\tformat\tbytes\tpack_ns\tpredicted_pack_ns\trun_ns\t" \
    "predicted_run_ns\tdate\n"
/* Append what was measured to $TSR_ADVICE_ERRORS, else to advice.tsv in the cache folder of kernels; not if that is "none", or if no such
 * folder is known. TSR_IO. */
tsr_status tsr_cli_append_errors(const tsr_advice *advice, const tsr_data *data, const tsr_cli_advise *ask,
                                 tsr_error *err) TSR_NODISCARD;

/* ---- advice_blocks.c ---- */

/* Of a file with more than WHOLE_NNZ entries NBLOCKS blocks are read for advice, each of BLOCK_NNZ entries. */
enum { TSR_CLI_WHOLE_NNZ = 1 << 24, TSR_CLI_NBLOCKS = 32, TSR_CLI_BLOCK_NNZ = 1 << 15 };
typedef struct tsr_cli_blocks {
    bool found; /* false: the file is to be read as a whole */
    tsr_feed_blocks read;
    tsr_thin thin; /* what `read` is of the file */
} tsr_cli_blocks;
/* Read the blocks of a file of codec (NULL: by its content). Clear out->read with tsr_feed_blocks_clear. */
tsr_status tsr_cli_read_blocks(tsr_cli_blocks *out, const char *path, const tsr_codec *codec,
                               const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

/* ---- advice_print.c ---- */

/* Print the table of at most `most` rows, and the sentence. */
tsr_status tsr_cli_print_advice(FILE *to, const tsr_advice *advice, int most, tsr_error *err) TSR_NODISCARD;

#endif
