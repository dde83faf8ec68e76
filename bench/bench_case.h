/* A case, one thing to compute: a kernel, the entries of its sparse operand, and dense operands generated
 * from a seed; and the right answer, computed without formats and without generated code. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "tsr_coo.h"
#include "tsr_kernel.h"
#include "tsr_notation.h"

/* ---- expressions ---- */

/* What is measured of a kernel: runs; the values alone, into the entries that a run gave; the number of entries alone. */
typedef enum bench_way { BENCH_WAY_RUN, BENCH_WAY_COMPUTE, BENCH_WAY_COUNT } bench_way;

typedef struct bench_kernel {
    const char *name;    /* "mttkrp"; "expression" for what the user wrote */
    const char *summary; /* NULL: no summary */
    const char
        *expression; /* from its .kernel file or its row of bench_statements.def, or as the user wrote it */
    const char *formats;  /* of the sparse tensors: "A:csr; B:csr"; NULL: the user's own expression */
    const char *schedule; /* "assemble(append)" from its file, or as the user wrote it; NULL: automatic */
    bench_way way;
    bool is_statement; /* a row of bench_statements.def: the expression is for one order */
} bench_kernel;

/* The kernel with that name, or a kernel from index notation (text that contains '='). False: neither. */
bool bench_kernel_find(bench_kernel *out, const char *text);
/* Named kernel number i; false past the end. */
bool bench_kernel_at(bench_kernel *out, int i);
/* Whether the kernel has one form for each mode of its tensor. */
bool bench_kernel_has_modes(const bench_kernel *kernel);
/* Whether the default of --modes is all modes (else the last one). */
bool bench_kernel_takes_all_modes(const bench_kernel *kernel);

/* Append the expression of the kernel for a tensor of this order and, if the kernel has modes, for this mode.
 * TSR_UNSUPPORTED. */
tsr_status bench_kernel_print(tsr_text *text, const bench_kernel *kernel, int order, int mode,
                              tsr_error *err) TSR_NODISCARD;

/* ---- cases ---- */

typedef struct bench_answer bench_answer;

typedef struct bench_case {
    const bench_kernel *kernel; /* borrowed */
    char *text;                 /* owned; one statement or several, as the kernel has them */
    tsr_notation *notation;
    int sparse; /* number of the operand that has the entries: the first of those with the most modes */
    const tsr_coo *coo; /* its entries, borrowed; values of `type`, structure general */
    /* The entries of each sparse operand: coo; of kernels with several, one that shares half of the places, or a matrix with other modes that
     * has a quarter of its cells (see bench_case.c); NULL: it is dense. */
    const tsr_coo *entries[TSR_NOTATION_MAX_TENSORS];
    tsr_coo *siblings[TSR_NOTATION_MAX_TENSORS]; /* owned; those of entries that are not coo */
    bool joins;     /* several sparse accesses meet: the result is sparse, or a scalar */
    bool assembles; /* each run assembles the result: accesses meet, or the kernel's schedule says so */
    tsr_type type;  /* type of all values: F64 or F32 */
    int mode, rank; /* mode -1: the kernel has no modes; rank 0: it has no dense variable */
    uint64_t size[TSR_NOTATION_MAX_VARS];
    /* dense operands, row-major; NULL for the result and the sparse operand */
    tsr_tensor *operand[TSR_NOTATION_MAX_TENSORS];
    uint64_t result_dims[TSR_NOTATION_MAX_ORDER];
    double ncells;        /* number of cells of the result */
    bench_answer *answer; /* the right answer */
} bench_case;

/* The format that the kernel's file names for tensor t, which has these dims. TSR_UNSUPPORTED: the file names none. */
tsr_status bench_case_format(tsr_format **out, const bench_case *c, int t, const uint64_t *dims,
                             tsr_error *err) TSR_NODISCARD;
/* Make a case. rank: the size of the index variables that the sparse operand does not have. TSR_ARGUMENT,
 * TSR_UNSUPPORTED. */
tsr_status bench_case_init(bench_case *out, const bench_kernel *kernel, const tsr_coo *coo, int mode,
                           int rank, tsr_error *err) TSR_NODISCARD;
void bench_case_clear(bench_case *c);
/* Whether runs make sparse results, so that a new result and one in the memory of the last are two things to measure. */
bool bench_case_makes_results(const bench_case *c);

/* ---- answers ---- */

/* Compute the right answer from the entries alone, in double: sums of the result's cells in groups (one cell
 * per group if there are few cells), where each cell has its own weight (R. Freivalds, "Probabilistic
 * machines can use less running time", 1977). The answer of what is no sum of products (top, where, |=, functions, operands
 * without storage) is that of the interpreter, with the plain schedule on lists. */
tsr_status bench_answer_new(bench_answer **out, const bench_case *c, tsr_error *err) TSR_NODISCARD;
void bench_answer_free(bench_answer *answer);
/* Compare with a result: TSR_CORRUPT with the first cell or group that differs by more than rounding. */
tsr_status bench_answer_check(const bench_answer *answer, const tsr_tensor *result,
                              tsr_error *err) TSR_NODISCARD;
/* The same for the entries of a sparse result, whose values have the type of the case. */
tsr_status bench_answer_check_entries(const bench_answer *answer, const tsr_coo *result,
                                      tsr_error *err) TSR_NODISCARD;
/* The same for a dense result of doubles, row-major. */
tsr_status bench_answer_check_dense(const bench_answer *answer, const double *cells,
                                    tsr_error *err) TSR_NODISCARD;

#endif
