/* What others compute: one const struct per library or program, in a file of its own. A baseline knows the
 * case's coordinates and dense operands, stores them as it likes, and gives a dense result, which is held
 * against the right answer like ours. */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "bench_case.h"

typedef struct bench_baseline {
    const char *name;    /* "graphblas" */
    const char *summary; /* for tbench list */
    const char *format;  /* what it stores: "csr" */
    bool is_program;     /* it is run by a path that the user gives, or that it looks for */
    const char *absent; /* why it is not there, else NULL; then the functions below may be NULL but `takes` */
    bool (*takes)(const bench_case *c);
    /* Take the case in, in its own form, and say how long that took (ns) and how large it is (0: not known).
     * `path`: of the program, or NULL. TSR_UNSUPPORTED, with a sentence: it is not there. */
    tsr_status (*open)(void **state, double *pack_ns, uint64_t *nbytes, const bench_case *c, int nthreads,
                       const char *path, tsr_error *err);
    tsr_status (*run)(void *state, tsr_error *err);
    void (*overwrite)(void *state);       /* make the last result wrong; may be NULL */
    const double *(*result)(void *state); /* the cells of the last run, row by row; NULL: the run checks it */
    double (*said_ns)(void *state);       /* NULL: the clock tells */
    void (*close)(void *state);           /* NULL state: nothing */
} bench_baseline;

extern const bench_baseline bench_graphblas, bench_librsb, bench_eigen;

/* All of them, NULL at the end. */
extern const bench_baseline *const bench_baselines[];
const bench_baseline *bench_baseline_find(const char *name, size_t nbytes);

/* Whether the case is y(i) = A(i,j) * x(j) in f64. */
bool bench_is_spmv(const bench_case *c);
/* Whether it is mttkrp. */
bool bench_is_mttkrp(const bench_case *c);

#endif
