/* Declarations shared by the direct conversions: from one way of storing a matrix to another without keys.
 *
 * A matrix format that stores one mode after the other has a top: the way in which it stores the coordinates of
 * the major mode. Below it, the coordinates of the minor mode are an array with an element per entry. */
#ifndef DIRECT_INTERNAL_H
#define DIRECT_INTERNAL_H

#include <math.h>

#include "pack_internal.h"

typedef enum direct_top {
    DIRECT_FULL,   /* pos for each major coordinate (csr) */
    DIRECT_NODES,  /* each major coordinate that has entries, with pos (dcsr) */
    DIRECT_ENTRIES /* a major coordinate for each entry (coo) */
} direct_top;

/* A matrix stored in such a format, or coordinates in any order. The arrays are borrowed. */
typedef struct direct_matrix {
    direct_top top;
    int major, minor;        /* the modes */
    uint64_t nmajor, nminor; /* their dims */
    uint64_t n;              /* entries */
    uint64_t nnodes;         /* DIRECT_NODES: major coordinates that have entries */
    tsr_array *pos;          /* nmajor + 1; DIRECT_NODES: nnodes + 1; DIRECT_ENTRIES: NULL */
    tsr_array *rows;         /* DIRECT_NODES: nnodes; DIRECT_ENTRIES: n; DIRECT_FULL: NULL */
    tsr_array *crd;          /* n */
} direct_matrix;

/* ---- direct_matrix.c: which formats and sources these are ---- */

/* Whether the level stores no arrays, and each coordinate has a position without padding. */
bool direct_is_full(const tsr_level_spec *level);
/* Whether the format is one of these; mode: the major and the minor mode. */
bool direct_format(direct_top *top, int mode[2], const tsr_format *format);
/* Whether the source is a tensor in such a format. */
bool direct_source(direct_matrix *matrix, const tsr_source *source);
/* The columns of a source that was inspected and is sorted by these modes without duplicates. False: it is not, or the
 * columns are not in one array each. */
bool direct_columns(direct_matrix *matrix, const pack_job *job, const int mode[2]);
/* out[0..n): the major coordinates of entries [first, first + n), which must be below 2^32. *node: 0, or the value
 * after an earlier call with a smaller `first`. */
void direct_majors(uint32_t *out, uint64_t *node, const direct_matrix *matrix, uint64_t first, uint64_t n);

/* ---- direct_scatter.c: count, prefix, scatter ---- */

/* Entries that are stored by digits, those of a digit in their order. Entry e has the digit key[e] >> shift; its coordinate
 * becomes (key[e] & mask) << nbits | the other coordinate of e. */
typedef struct direct_pass {
    uint64_t n;
    const uint32_t *key; /* n */
    int shift, nbits;
    uint32_t mask;
    const uint32_t *other;     /* n; NULL: the major coordinates of `from`; 0 for direct_put */
    const direct_matrix *from; /* n entries */
    const unsigned char *values;
    size_t width; /* of a value; 0: none */
    /* the result: */
    uint32_t *crd;
    unsigned char *to_values;
    uint32_t *low; /* n: key[e] & low_mask; NULL: not wanted */
    uint32_t low_mask;
    bool
        fetches; /* neighbouring entries go to lines that no processor predicts: fetch them all; else where a sample of them does */
} direct_pass;

/* count[d] += the entries [first, end) with digit d. */
void direct_count(uint32_t *count, const direct_pass *p, uint64_t first, uint64_t end);
/* Put all entries on this thread, each at next[its digit]++. */
void direct_put(uint32_t *next, const direct_pass *p);

/* The places of n digits. */
typedef struct direct_digits {
    uint64_t n;
    /* n + 1, 4 bytes each, the first 0; after direct_scatter: where the entries of each digit begin. The last thread counts in it from element
     * 1 on, since the place after the last entry of a digit is where the next one begins */
    tsr_array begin;
    uint32_t *counts;                     /* of the other threads */
    uint32_t *next[TSR_MAX_THREADS];      /* n each: the place of the next entry */
    uint64_t before[TSR_MAX_THREADS + 1]; /* entries with digits of the threads before */
} direct_digits;
/* Count n digits of the entries, whose results need not be set yet, and find their places. TSR_NOMEM; cleared by the caller then, too. */
tsr_status direct_digits_init(direct_digits *d, pack_job *job, const direct_pass *pass,
                              tsr_error *err) TSR_NODISCARD;
/* Put all entries on the threads of the job; when: for progress. */
void direct_scatter(pack_job *job, direct_digits *d, const direct_pass *pass, pack_pass when);
void direct_digits_clear(direct_digits *d);

/* ---- direct_pairs.c: rows without branches ---- */

/* Rows with at most this number of entries are short. */
enum { DIRECT_SHORT = 32 };

/* Rows one after the other: the entries of row k end before end[k]. */
typedef struct direct_short {
    uint64_t nrows;
    const uint32_t *end;         /* nrows */
    const uint32_t *crd;         /* below 2^31; DIRECT_SHORT elements more may be read, whatever they are */
    const unsigned char *values; /* with `width` bytes each */
    size_t width;                /* 4 or 8 */
    uint32_t *to_crd;
    unsigned char *to_values;
} direct_short;
/* Copy the rows, and sort the entries of each row by coordinate. Rows that are longer, or have a coordinate twice, are
 * copied as they are. Returns whether all rows are in order. */
bool direct_sort_short(const direct_short *rows);

/* The entries of a row of blocks, at most DIRECT_SHORT. */
typedef struct direct_few {
    const uint32_t *crd; /* n */
    uint32_t n;
    uint32_t width; /* of a block; there are fewer than 2^31 columns of blocks */
    int shift;      /* width = 2^shift; -1: width is not such a number */
    /* for places: */
    uint32_t nrows;
    const uint32_t *begin;                /* nrows: the first entry of each row */
    uint32_t area, row_step, column_step; /* of a block; DIRECT_SHORT * area is below 2^32 */
} direct_few;
/* The number of blocks. */
uint32_t direct_few_count(const direct_few *f);
/* place[i]: the place of entry i, counted from the first of the blocks; block[k]: the column of block k. DIRECT_SHORT elements
 * each. Returns the number of blocks. */
uint32_t direct_few_place(uint32_t *restrict place, uint64_t *restrict block, const direct_few *f);

/* ---- direct_move.c, direct_lists.c, direct_reorder.c, direct_blocks.c, direct_rows.c ----
 *
 * Each way has two functions. One computes the cost, pack_way.nbytes: the bytes that are read and written, about, besides the arrays of
 * the result, which every way writes; INFINITY where the way does not fit. The other sets *done = true where it has filled job->tensor;
 * else nothing has changed. */

/* The bytes of n entries that are read twice, once to be counted. */
static inline double direct_read_nbytes(const pack_job *job, uint64_t n)
{
    return (double)n * (double)(2 * sizeof(uint32_t) + pack_value_nbytes(job));
}

/* The same order of the modes: coordinates and values move, and the top is made anew. */
double direct_move_nbytes(const pack_job *job);
tsr_status direct_move(bool *done, pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Copy an array to another width on the threads of the job, unless pack_alloc has moved it. */
void direct_keep(pack_job *job, tsr_array *to, const tsr_array *from);
/* Coordinates in order, into levels that are all lists: as direct_move, for any order. The entries of a source that is not a tensor
 * were inspected. */
double direct_lists_nbytes(const pack_job *job);
tsr_status direct_lists(bool *done, pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Another order of the modes, where most entries go to places near those before them: one scatter by rows. */
double direct_near_nbytes(const pack_job *job);
tsr_status direct_near(bool *done, pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Another order of the modes, or entries in no order: a scatter to buckets of rows, and one by rows in each. */
double direct_reorder_nbytes(const pack_job *job);
tsr_status direct_reorder(bool *done, pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Rows into blocks. */
double direct_blocks_nbytes(const pack_job *job);
tsr_status direct_blocks(bool *done, pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Pack rows into slots, diagonals and bands. */
double direct_rows_nbytes(const pack_job *job);
tsr_status direct_rows(bool *done, pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Whether it pays to pack the source by rows of mode[0] first: direct_rows takes rows, or the rows are the entries in storage
 * order, so that levels which are made from all entries (pack_levels) need no keys. */
bool direct_wants_rows(int mode[2], const tsr_source *source, const tsr_format *format,
                       tsr_duplicates duplicates);

#endif
