/* Generators of sparse tensors: from a seed the same bytes on every machine, streamed, with exactly the
 * number of entries that was asked for and no duplicates.
 *
 * A shape says what a random tensor is like. Entries come in lexicographic order; the last one is at the far
 * corner, so a plain .tns file (which has no header) tells the dims. Memory is bounded whatever the number of
 * entries: what is sorted to drop duplicates is a part of one slice, at most GEN_LOCAL entries (gen_tree.c).
 */
#ifndef TSR_GEN_H
#define TSR_GEN_H

#include "tsr_format.h"
#include "tsr_observer.h"
#include "tsr_suggest.h"
#include "tsr_text.h"

#define TSR_GEN_MAX_DIM ((UINT64_C(1) << 31) - 1)
#define TSR_GEN_MAX_NNZ ((UINT64_C(1) << 33) - 1)
#define TSR_GEN_MAX_SKEW 4000
#define TSR_GEN_UNIT_SCALE UINT64_C(1000000000) /* a scale of 1: scales are counted in billionths */

/* What the values are. X(NAME, text). */
#define TSR_GEN_VALUES(X)                                                        \
    X(REAL, "real")       /* three decimals, in (-1, 1), never 0 */              \
    X(COUNT, "count")     /* whole, 1 half of the time, 2 a quarter... */        \
    X(BINARY, "binary")   /* all 1; a pattern where the file has such a field */ \
    X(COMPLEX, "complex") /* two reals; matrices only */
typedef enum tsr_gen_values {
#define X(name, text) TSR_GEN_##name,
    TSR_GEN_VALUES(X)
#undef X
        TSR_GEN_NVALUES
} tsr_gen_values;
extern const char *const tsr_gen_values_names[]; /* NULL at the end */

typedef struct tsr_gen_shape {
    int order;                    /* 1..TSR_MAX_ORDER */
    uint64_t dims[TSR_MAX_ORDER]; /* each 1..TSR_GEN_MAX_DIM */
    uint64_t nnz;                 /* 1..TSR_GEN_MAX_NNZ, at most the product of the dims */
    uint32_t
        skew[TSR_MAX_ORDER]; /* Zipf exponent of each mode's marginal in thousandths: 0 (uniform) to 4000 */
    bool has_fiber;          /* else coordinates of different modes are independent */
    uint64_t fiber[TSR_MAX_ORDER]; /* [m], 0 < m < order - 1: mean entries, in thousandths, that share their
                                      first m + 1 coordinates; not rising with m */
    uint64_t run;  /* mean length, in thousandths, of runs of consecutive last coordinates; 0: 1000 */
    uint64_t band; /* last coordinates lie within this part of their dim, in millionths, around the diagonal
                      of the first and the last mode; 0: anywhere (and skewed) */
    tsr_gen_values values;
} tsr_gen_shape;

/* TSR_ARGUMENT with the number that breaks the limits above. */
tsr_status tsr_gen_shape_check(const tsr_gen_shape *shape, tsr_error *err) TSR_NODISCARD;
/* Scale (billionths): nnz * scale entries, rounded, at least 1. Dims of more than 32 are multiplied by
 * scale^(1 / (order - 1)), so that fibers keep their mean length, but get not below 32; and when they shrink
 * they are raised again, at most to what they were, while more than a quarter of the cells would be filled.
 * TSR_ARGUMENT: the scale is not in (0, 1000], or what comes out is beyond the limits. */
tsr_status tsr_gen_shape_scale(tsr_gen_shape *shape, uint64_t scale, tsr_error *err) TSR_NODISCARD;

/* A generator: a random shape or an exact pattern. */
typedef enum tsr_gen_kind {
    TSR_GEN_RANDOM,
    TSR_GEN_BANDED,
    TSR_GEN_BLOCK,
    TSR_GEN_MATMUL,
    TSR_GEN_STENCIL,
    TSR_GEN_ARROW,
    TSR_GEN_RMAT
} tsr_gen_kind;
typedef struct tsr_gen {
    tsr_gen_kind kind;
    tsr_gen_shape shape; /* of every kind: order, dims, nnz, values */
    uint64_t width;      /* banded, arrow: diagonals, an odd number; stencil: points */
    uint64_t block;      /* block: rows and columns of a dense block; stencil: unknowns of a node */
    uint64_t
        per_row; /* block: blocks in a row of blocks; stencil: unknowns of the first node that are left out */
    uint64_t m, n, k; /* matmul: C (m x n) = A (m x k) B (k x n); stencil: the grid; rmat: m is the scale */
} tsr_gen;

/* Parse "banded:n=1000000,width=7", "uniform:dims=100x200x300,nnz=5000",
 * "power-law:dims=...,nnz=...,skew=1.1", "block:n=1000,block=4,per-row=8", "stencil:grid=100x100", "arrow:n=1000,width=7",
 * "rmat:scale=17,per-row=16" or "matmul_M-N-K". *known is false,
 * with TSR_OK, when the text begins like none of them. TSR_ARGUMENT. */
tsr_status tsr_gen_parse(tsr_gen *gen, bool *known, const char *text, tsr_error *err) TSR_NODISCARD;
/* Offer the names of all generators. */
void tsr_gen_offer_names(tsr_suggest *suggest);
/* One line a generator, "usage \t what it makes \n", for --help. */
extern const char tsr_gen_help[];

typedef struct tsr_gen_options {
    uint64_t seed;
    int nthreads;                 /* for compression; 0: all. The bytes do not depend on it */
    const char *comment;          /* put into the head of a .mtx file; may be NULL */
    const tsr_observer *observer; /* progress "generate", in entries; may be NULL */
} tsr_gen_options;

/* Write the tensor to `path` ("-": standard output), whole or not at all: .tns, or .mtx for matrices, gzip
 * when
 * ".gz" follows. "-" is .tns. *nbytes (may be NULL): of the file. TSR_ARGUMENT (suffix, limits),
 * TSR_UNSUPPORTED (complex values in .tns), TSR_IO, TSR_NOMEM, TSR_CANCELLED. */
tsr_status tsr_gen_write(const char *path, const tsr_gen *gen, const tsr_gen_options *options,
                         uint64_t *nbytes, tsr_error *err) TSR_NODISCARD;

/* Append a name for a file of that tensor: the text with '-' for what does not belong into a name, .tns or
 * .mtx. */
void tsr_gen_file_name(tsr_text *file, const char *text, const tsr_gen_shape *shape);

/* The shape of a file's tensor: its skews by maximum likelihood, fibers, runs, band and kind of values
 * counted. Reads the whole file. TSR_LIMIT when it is beyond what is generated. */
tsr_status tsr_gen_measure(tsr_gen_shape *shape, const char *path, int nthreads, const tsr_observer *observer,
                           tsr_error *err) TSR_NODISCARD;

/* Parse a decimal number such as "0.05" into units of 10^-ndecimals (at most 9; finer digits are an error).
 * Returns the first byte after it, or NULL. */
const char *tsr_gen_parse_decimal(uint64_t *out, const char *p, const char *end, int ndecimals);

#endif
