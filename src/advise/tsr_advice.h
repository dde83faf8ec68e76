/* Advice: which storage format serves a kernel on a tensor. For each format of a list (formats/storage/advice.txt) it predicts the
 * bytes, the time to pack and the time of a run, from samples of the entries (tsr_sample.h) and from the costs of the machine.
 * A prediction is a sum of terms, amount times cost, and a row shows them: a reader who disagrees can change the cost. */
#ifndef TSR_ADVICE_H
#define TSR_ADVICE_H

#include "tsr_json.h"
#include "tsr_notation.h"
#include "tsr_sample.h"
#include "tsr_survey.h"
#include "tsr_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- costs ---- */

typedef enum tsr_cost {
#define COST(NAME, name, member, unit, words) TSR_COST_##NAME,
#include "costs.def"
#undef COST
    TSR_NCOSTS
} tsr_cost;

/* Picoseconds for one line of 64 bytes (streams, copies) or one of the others, on one core. */
typedef struct tsr_costs {
    double ps[TSR_NCOSTS];
    double stream_all_ps; /* of a line while all cores stream */
    double cache[3];      /* bytes of the caches of one core; the third is shared by all */
    char source[96];      /* "measured by tbench calibrate", or the family of processors */
} tsr_costs;
/* The costs of this machine: those of the tuning (NULL: no numbers) where it has them, else those of the family of processors. */
tsr_costs tsr_costs_of_machine(const tsr_tuning *tuning);
/* The costs that loops.def was fitted with: those of another machine are these times a ratio of measurements. */
tsr_costs tsr_costs_fitted(void);

/* ---- advice ---- */

enum {
    TSR_ADVICE_MAX_ROWS = 64,
    TSR_ADVICE_MAX_KERNELS = 16,
    TSR_ADVICE_RANK = 16,
    TSR_ADVICE_FEW_RUNS = 10
};

typedef struct tsr_advice_options {
    int nthreads; /* of the kernels; 0: all */
    double nruns; /* of each kernel; 0: unknown */
    double
        budget; /* formats with more than `budget` times the bytes of the smallest are left out; 0: no limit */
    uint64_t rank; /* size of the variables that the tensor does not have; 0: TSR_ADVICE_RANK */
    const char *
        formats; /* these instead of those of the list, separated by blanks, or by ends of lines; NULL: the list */
    const tsr_costs *costs; /* NULL: those of the family of processors */
    const tsr_observer *observer;
} tsr_advice_options;

/* What a format is predicted to take. */
typedef struct tsr_advice_row {
    char *format;        /* text that tsr_format_parse accepts; owned */
    const char *loop;    /* the class of its loop: a row of loops.def */
    bool is_source;      /* the tensor has this format: packing takes no time */
    double nbytes;       /* of the tensor in this format */
    double value_nbytes; /* of these, the values: 0 where the entries share one */
    double
        pattern_nbytes; /* of the tensor as a pattern: cells without an entry that a format stores have a byte to tell */
    double pack_ns, run_ns; /* run_ns: of one run of each kernel, together */
    double other_ns;        /* the same as run_ns with other_nthreads of the advice */
    /* of run_ns, beside the other rows: the true time is probably within run_ns / (1 + error) and run_ns * (1 + error) */
    double error;
    double amount[TSR_NCOSTS]; /* counted: lines of 64 bytes, or numbers */
    double ns[TSR_NCOSTS];     /* the same in nanoseconds; run_ns is their sum */
    double kernel_ns[TSR_ADVICE_MAX_KERNELS];
    double cost_ns; /* packing and all runs */
    bool is_tied;   /* the errors reach over the difference to the cheapest row */
    /* the same as pack_ns and run_ns, measured by the caller of tsr_advice_choose_measured; measured_ns 0: not measured */
    double measured_pack_ns, measured_ns;
    double
        measured_cost_ns; /* measured_ns where costs are compared: of a tie with the reference as slow as the samples allow */
} tsr_advice_row;

typedef struct tsr_advice {
    int nthreads, nkernels, nrows;
    uint64_t nnz;
    uint64_t nread;     /* entries that were looked at, less than nnz where these were too many */
    int other_nthreads; /* 1, if nthreads is not, else 2 */
    double nruns;       /* for which it is chosen: 10 if unknown */
    bool knows_runs;
    char *kernel[TSR_ADVICE_MAX_KERNELS];    /* the expressions, owned */
    tsr_advice_row row[TSR_ADVICE_MAX_ROWS]; /* the cheapest first */
    int chosen;                              /* number of a row; -1: there are no rows */
    bool is_measured;                        /* the choice is among the rows that were measured */
    int source;                              /* the row of the tensor's own format; -1: not among the rows */
    tsr_type type;                           /* of the values */
    tsr_value_facts values;
    tsr_costs costs;
} tsr_advice;

/* What is asked: a tensor or coordinates (exactly one is not NULL), and nkernels kernels, all borrowed. */
typedef struct tsr_advice_question {
    const tsr_tensor *tensor;
    const tsr_coo *coo;
    const tsr_notation *const *kernels;
    int nkernels;
    const tsr_thin *
        thin; /* NULL: the coordinates are all entries; else some of them, sorted as the format thin->own stores them */
} tsr_advice_question;
/* TSR_UNSUPPORTED: the largest operand of a kernel does not have as many modes as the tensor. TSR_NOMEM, TSR_CANCELLED. Free
 * the advice with tsr_advice_clear. */
tsr_status tsr_advice_init(tsr_advice *advice, const tsr_advice_question *question,
                           const tsr_advice_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_advice_clear(tsr_advice *advice);
/* Choose among the rows with measured_ns, by these times. Nothing changes if there are none. */
void tsr_advice_choose_measured(tsr_advice *advice);

/* Append the sentence: what to choose, by how much, and what would change the answer. */
void tsr_advice_sentence(tsr_text *text, const tsr_advice *advice);
/* Append the two largest terms of a row: "9.3 ms 108 MB streamed from memory + 20.8 ms 5.9 M misses of L2". */
void tsr_advice_terms(tsr_text *text, const tsr_advice *advice, const tsr_advice_row *row);
/* Add "different_values" (null: not known) and "different_values_exact" to an open JSON object. */
void tsr_value_facts_json(tsr_json *json, const tsr_value_facts *values);
/* Add the advice as members to an open JSON object. */
void tsr_advice_json(tsr_json *json, const tsr_advice *advice);

#ifdef __cplusplus
}
#endif
#endif
