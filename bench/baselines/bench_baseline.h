/* What others compute: one const struct per library or program, in a file of its own. A baseline knows the
 * case's coordinates and dense operands, stores them as it likes, and gives a result, which is held against
 * the right answer like ours. */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "bench_case.h"
#include "tsr_folder.h"

/* How a baseline is to take a case in. */
typedef struct bench_asked {
    int nthreads;
    bool cold;              /* its runs are timed one by one */
    const char *path;       /* of --baseline=NAME=PATH, else NULL */
    tsr_folder *folder;     /* the run's private folder, {0} until somebody needs it: see bench_child.h */
    uint64_t answer_within; /* ms that a program may take to pack or to run once; 0: 10 minutes */
} bench_asked;

/* What it says when it has. */
typedef struct bench_opened {
    double pack_ns;       /* into its own form, from entries in the file's order; 0: not known */
    uint64_t nbytes;      /* of that; 0: not known */
    const char *format;   /* what that is, where the baseline has several; else NULL */
    char format_text[32]; /* room for a format that is made: `format` may point here */
    char version[64];     /* "1.10.1"; "": not known */
    const char *note;    /* what a reader must know of its times, a text that stays: "always on one thread" */
    char note_text[160]; /* room for one that is made */
} bench_opened;

typedef struct bench_baseline {
    const char *name;    /* "graphblas" */
    const char *summary; /* for tbench list */
    const char *format;  /* what it stores: "csr" */
    const char *absent; /* why it is not there, else NULL; then the functions below may be NULL but `takes` */
    const char *path_is; /* it is a program, and this the PATH of --baseline=NAME=PATH: "the folder of a
                            SPLATT build"; NULL: it is built in */
    bool wants_path;     /* without one it is not measured, else it is looked for */
    bool (*takes)(const bench_case *c);
    /* Whether a program that needs no path is there: append its version. TSR_UNSUPPORTED, with a sentence. */
    tsr_status (*find)(tsr_text *version, const char *path, tsr_error *err);
    /* Take the case in. *opened is {0}. TSR_UNSUPPORTED, with a sentence: it is not there, or refuses. */
    tsr_status (*open)(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                       tsr_error *err);
    tsr_status (*run)(void *state, tsr_error *err);
    void (*overwrite)(void *state); /* make the last result wrong; may be NULL */
    /* The cells of the last run, row by row, good until the next call. NULL: see entries. */
    tsr_status (*result)(const double **cells, void *state, tsr_error *err);
    /* The last run's result where it may be sparse, good until the next call; *result = NULL: it is dense,
     * see above. NULL: the run checks it. */
    tsr_status (*entries)(const tsr_coo **result, void *state, tsr_error *err);
    double (*said_ns)(void *state); /* of the last run; NULL: the clock tells */
    void (*close)(void *state);
} bench_baseline;

#define X(name) extern const bench_baseline bench_##name;
#include "bench_baselines.def"
#undef X

/* All of them, NULL at the end. */
extern const bench_baseline *const bench_baselines[];
const bench_baseline *bench_baseline_find(const char *name, size_t nbytes);

/* ---- what several ask ---- */

/* Whether the case is this kernel, in f64. */
bool bench_is(const bench_case *c, const char *kernel);

/* A kernel that a library computes. */
typedef struct bench_library_kernel {
    const char *name;                               /* NULL: the end of a table */
    tsr_status (*run)(void *state, tsr_error *err); /* NULL: built without the library */
    bool transposes;                                /* it multiplies by the transposed matrix */
} bench_library_kernel;
/* The case's row of a table, or NULL. */
const bench_library_kernel *bench_library_find(const bench_library_kernel *kernels, const bench_case *c);

/* The dense operand of this name, or NULL. */
const tsr_tensor *bench_operand(const bench_case *c, const char *name);
/* Its values. */
const double *bench_values(const bench_case *c, const char *name);

/* The entries of a matrix in the arrays that libraries take. */
typedef struct bench_entries {
    void *rows, *columns; /* nnz each, of 4 or 8 bytes */
    double *values;       /* nnz */
} bench_entries;
tsr_status bench_entries_init(bench_entries *out, const bench_case *c, size_t index_nbytes,
                              tsr_error *err) TSR_NODISCARD;
/* The same of other entries of the case's type, f64. */
tsr_status bench_entries_of(bench_entries *out, const tsr_coo *coo, size_t index_nbytes,
                            tsr_error *err) TSR_NODISCARD;
void bench_entries_clear(bench_entries *entries);

/* Whether it is mttkrp. */
bool bench_is_mttkrp(const bench_case *c);

#endif
