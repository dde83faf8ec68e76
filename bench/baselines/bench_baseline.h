/* Baselines: other libraries and programs, one const struct each, in a file of its own. A baseline gets the
 * coordinates and the dense operands of a case, stores them in its own form, and gives a result, which is
 * checked as the results of Tessera are. */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "bench_case.h"
#include "tsr_folder.h"

/* The request to a baseline. */
typedef struct bench_asked {
    int nthreads;
    bool cold;          /* its runs are timed one by one */
    const char *format; /* of Tessera's first row; NULL: unknown */
    const char *path;   /* from --baseline=NAME=PATH, else NULL */
    const char *data;   /* the file with the entries */
    tsr_folder *folder; /* the private folder of this command; {0} until it is needed: see bench_child.h */
    uint64_t answer_within; /* time limit for a program, in ms, for packing and for each run; 0: 10 minutes */
} bench_asked;

/* What a baseline reports after it has taken the case. */
typedef struct bench_opened {
    double pack_ns; /* time of packing into its own form, from entries in the order of the file; 0: unknown */
    uint64_t nbytes;      /* size of its own form; 0: unknown */
    const char *format;   /* name of its own form, if the baseline has several; else NULL */
    char format_text[32]; /* room for a composed name: `format` may point here */
    char version[64];     /* "1.10.1"; "": unknown */
    /* what a reader must know about its times: "always on one thread". Static, or in note_text */
    const char *note;
    char note_text[160]; /* room for a composed note */
} bench_opened;

typedef struct bench_baseline {
    const char *name;    /* "graphblas" */
    const char *summary; /* for tbench list */
    const char *format;  /* its storage format: "csr" */
    /* what the PATH of --baseline=NAME=PATH is: "the folder of a SPLATT build"; NULL: it takes no path */
    const char *path_is;
    bool wants_path; /* it is measured only with a path; else it is searched */
    bool one_thread; /* its conversions run on one thread */
    bool (*takes)(const bench_case *c);
    /* Check whether a program that needs no path is available, and append its version. TSR_UNSUPPORTED with
     * the reason. */
    tsr_status (*find)(tsr_text *version, const char *path, tsr_error *err);
    /* Take a case. *opened is {0}. TSR_UNSUPPORTED with the reason: it is not available, or refuses the
     * case. */
    tsr_status (*open)(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                       tsr_error *err);
    tsr_status (*run)(void *state, tsr_error *err);
    bool
        reuses; /* a run that assembles its result gets the last one, whose memory it may use; else it makes a new one */
    void (*overwrite)(void *state); /* overwrite the last result with NaN; may be NULL */
    /* The cells of the last run, row-major, valid until the next call. NULL: use `entries`. */
    tsr_status (*result)(const double **cells, void *state, tsr_error *err);
    /* The result of the last run if it may be sparse, valid until the next call; *result = NULL: it is dense,
     * use `result`. NULL: the run checks the result itself. */
    tsr_status (*entries)(const tsr_coo **result, void *state, tsr_error *err);
    double (*said_ns)(void *state); /* time of the last run as the program reports it */
    void (*close)(void *state);
} bench_baseline;

#define X(name) extern const bench_baseline bench_##name;
#include "bench_baselines.def"
#undef X

/* Tessera itself over the file; the path of the request is the limit of its memory. Not in the list: it is asked for by --memory. */
extern const bench_baseline bench_in_file;

/* All baselines, NULL-terminated. */
extern const bench_baseline *const bench_baselines[];
/* The baseline with that name, in any case; NULL: there is none. */
const bench_baseline *bench_baseline_find(const char *name, size_t nbytes);

/* Whether the case is mttkrp. */
bool bench_is_mttkrp(const bench_case *c);

#endif
