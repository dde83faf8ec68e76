/* One thing to compute: a kernel, the entries of its sparse operand, and dense operands from a seed; and the
 * right answer, which knows nothing of formats or of generated code. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "tsr_coo.h"
#include "tsr_kernel.h"
#include "tsr_notation.h"

/* ---- expressions ---- */

/* Index variables of a tensor of up to 8 modes; r is a kernel's own. */
enum { BENCH_MAX_KERNEL_ORDER = 8 };

typedef struct bench_kernel {
    const char *name;       /* "mttkrp"; "expression" for what the user wrote */
    const char *summary;    /* NULL: none */
    const char *expression; /* as its .kernel file has it, or as written */
    const char *formats;    /* of the sparse tensors: "A:csr; B:csr"; NULL: the user's own expression */
    int family;             /* see bench_kernel_expression; 0: the expression as it stands */
} bench_kernel;

/* The kernel of that name, or the notation itself (it has an '='). False: there is none. */
bool bench_kernel_find(bench_kernel *out, const char *text);
/* Kernel number i of those that have names; false past the end. */
bool bench_kernel_at(bench_kernel *out, int i);
/* Whether it has one form for each mode of its tensor. */
bool bench_kernel_has_modes(const bench_kernel *kernel);
/* Whether `--modes` not given means all (else the last). */
bool bench_kernel_takes_all_modes(const bench_kernel *kernel);
/* Append the kernel for a tensor of `order` modes and its mode `mode` (0 where it has no modes).
 * TSR_UNSUPPORTED when it takes tensors of another order. */
tsr_status bench_kernel_expression(tsr_text *text, const bench_kernel *kernel, int order, int mode,
                                   tsr_error *err) TSR_NODISCARD;

/* ---- cases ---- */

typedef struct bench_answer bench_answer;

typedef struct bench_case {
    const bench_kernel *kernel; /* borrowed */
    tsr_notation *notation;
    int sparse;         /* number of the operand that has the entries: the first of the most modes */
    const tsr_coo *coo; /* its entries, borrowed: of `type`, general */
    /* The entries of each sparse operand: coo, and of kernels with several the same moved (see bench_case.c); NULL: it
     * is dense. */
    const tsr_coo *entries[TSR_NOTATION_MAX_TENSORS];
    tsr_coo *siblings[TSR_NOTATION_MAX_TENSORS]; /* owned; those of entries that are not coo */
    bool joins;     /* several sparse accesses meet: the result is sparse, or a scalar */
    tsr_type type;  /* of all values: F64 or F32 */
    int mode, rank; /* mode -1: the kernel has none; rank 0: it has no dense variable */
    uint64_t size[TSR_NOTATION_MAX_VARS];
    tsr_tensor *operand[TSR_NOTATION_MAX_TENSORS]; /* dense, row by row; NULL: the result, the sparse one */
    uint64_t result_dims[TSR_NOTATION_MAX_ORDER];
    double ncells;        /* of the result */
    bench_answer *answer; /* right */
} bench_case;

/* rank: the size of variables that the sparse operand does not have. TSR_ARGUMENT, TSR_UNSUPPORTED. */
tsr_status bench_case_init(bench_case *out, const bench_kernel *kernel, const tsr_coo *coo, int mode,
                           int rank, tsr_error *err) TSR_NODISCARD;
void bench_case_clear(bench_case *c);

/* ---- answers ---- */

/* What the result should be: sums of its cells in groups (a cell each where they are few), each cell with a
 * weight of its own (R. Freivalds, "Probabilistic machines can use less running time", 1977), from the
 * entries alone, in double. */
tsr_status bench_answer_new(bench_answer **out, const bench_case *c, tsr_error *err) TSR_NODISCARD;
void bench_answer_free(bench_answer *answer);
/* Compare with a result: TSR_CORRUPT with the first cell or group that is not within rounding. */
tsr_status bench_answer_check(const bench_answer *answer, const tsr_tensor *result,
                              tsr_error *err) TSR_NODISCARD;
/* The same for the entries of a result, which are of the case's type. */
tsr_status bench_answer_check_entries(const bench_answer *answer, const tsr_coo *result,
                                      tsr_error *err) TSR_NODISCARD;
/* The same for a dense result of doubles, row by row. */
tsr_status bench_answer_check_dense(const bench_answer *answer, const double *cells,
                                    tsr_error *err) TSR_NODISCARD;

#endif
