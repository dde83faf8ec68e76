/* Advice on formats, as tinfo and tconv ask for it and print it. */
#ifndef TSR_CLI_ADVICE_PRINT_H
#define TSR_CLI_ADVICE_PRINT_H

#include <stdio.h>

#include "tsr_advice.h"
#include "tsr_codec.h"

/* What the user asks. All zero but `kernels`: defaults. */
typedef struct tsr_cli_advise {
    const char *kernels; /* "mttkrp,spmv" or an expression */
    double nruns, budget;
    int rank, nthreads;
    const tsr_observer *observer;
} tsr_cli_advise;

/* Options that both tools have. */
#define TSR_CLI_RUNS_HELP                                                                                \
    "the number of runs of each kernel for one packing. Without it the format of the file stays unless " \
    "packing another one pays within 10 runs"
#define TSR_CLI_BUDGET_HELP "leave out formats that take more than N times the bytes of the smallest one"

tsr_status tsr_cli_parse_runs(double *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* "1.5" or "1.5x". */
tsr_status tsr_cli_parse_budget(double *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* Advise for what was read. Clear it with tsr_advice_clear. */
tsr_status tsr_cli_advice(tsr_advice *out, const tsr_data *data, const tsr_cli_advise *ask,
                          tsr_error *err) TSR_NODISCARD;
/* Print the table of at most `most` rows, and the sentence. */
tsr_status tsr_cli_print_advice(FILE *to, const tsr_advice *advice, int most, tsr_error *err) TSR_NODISCARD;

#endif
