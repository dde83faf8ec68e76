/* What the files of the relayout share: plan (digits and boxes), copy (strided copies of a box), bits. */
#ifndef RELAYOUT_INTERNAL_H
#define RELAYOUT_INTERNAL_H

#include "tsr_parallel.h"
#include "tsr_relayout.h"

/* Digits of one layout, of the refinement of a mode, and of a box, at most; more take the slow path. */
enum { RELAYOUT_MAX_DIGITS = 64 };
/* Segments of a mode: at most two for each radix. */
enum { RELAYOUT_MAX_SEGMENTS = 2 * RELAYOUT_MAX_DIGITS + 2 };

/* stride * ((mode floordiv div) mod mod) of a position; mod = 0: no mod. */
typedef struct relayout_term {
    int mode;
    uint64_t div, mod, stride;
} relayout_term;

/* One side: position = sum of its terms. */
typedef struct relayout_side {
    uint64_t npos;
    uint64_t pitch[TSR_MAX_LEVELS];  /* nlevels */
    uint64_t stride[TSR_MAX_LEVELS]; /* nlevels: of a level's coordinate */
    int nterms;                      /* -1: it is no sum of digits with positive factors */
    relayout_term terms[RELAYOUT_MAX_DIGITS];
    /* Whether its cells are exactly the box of all coordinates below these dims, the true ones rounded up. */
    bool boxed;
    uint64_t padded[TSR_MAX_ORDER];
} relayout_side;

/* A range of a mode that is a box of digits: first + radix * y for y in [0, count), all digits below free. */
typedef struct relayout_segment {
    uint64_t first, count;
    int digit;
} relayout_segment;

typedef struct relayout_mode {
    int ndigits;
    uint64_t radix[RELAYOUT_MAX_DIGITS];                         /* 1 = radix[0] | radix[1] | ... */
    uint64_t to[RELAYOUT_MAX_DIGITS], from[RELAYOUT_MAX_DIGITS]; /* strides of the digits */
} relayout_mode;

struct tsr_relayout {
    int order, nbits, nlevels_to, nlevels_from;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nelements; /* product of the dims */
    const tsr_binding *to_binding, *from_binding;
    relayout_side to, from;
    bool strided;
    relayout_mode modes[TSR_MAX_ORDER];
    tsr_map_plan *to_plan, *from_plan; /* when not strided */
};

/* A strided copy: extents and strides in units of `nbits`, the strides and positions below 2^63 bits. */
typedef struct relayout_box {
    int n, nbits;
    uint64_t extent[RELAYOUT_MAX_DIGITS], to[RELAYOUT_MAX_DIGITS], from[RELAYOUT_MAX_DIGITS];
    uint64_t to_at, from_at;
} relayout_box;

/* One call of tsr_relayout_run. */
typedef struct relayout_job {
    const tsr_relayout *relayout;
    unsigned char *to;
    const unsigned char *from;
    unsigned char fill[16]; /* an element; of less than a byte: the byte full of it */
    bool zero_fill;
    bool stream;            /* past the caches */
    bool fill_padding;      /* the boxes of the padding too */
    unsigned char *buffers; /* nthreads * RELAYOUT_BUFFER_NBYTES */
    void **scratch;         /* slow path */
    int nthreads;
} relayout_job;

/* A tile's bytes at most, and those of the buffer: the last tile may have a quarter more both ways, and there
 * is a line between runs of 256 bytes and more. */
enum { RELAYOUT_TILE_NBYTES = 1 << 16, RELAYOUT_BUFFER_NBYTES = RELAYOUT_TILE_NBYTES * 2 };

/* ---- relayout_plan.c ---- */

/* Visit the boxes of [lo[m], hi[m]) of all modes in a fixed order; stop and return false when visit does. */
typedef bool relayout_visit(void *ctx, const relayout_box *box);
bool relayout_each_box(const tsr_relayout *relayout, const uint64_t *lo, const uint64_t *hi,
                       relayout_visit *visit, void *ctx);
/* Make neighbouring digits one where both sides allow it, drop those of extent 1, sort by stride in `to`. */
void relayout_coalesce(relayout_box *box);
/* Make elements larger (up to 16 bytes) where both sides hold them together. */
void relayout_widen(relayout_box *box);

/* ---- relayout_copy.c ---- */

/* Part i of nparts of copying a widened box of whole bytes, or of one of less that is a transpose of whole
 * bytes: digit 0 runs in `to`, another one in `from`, both for whole bytes, and all else is in whole bytes.
 * buffer: RELAYOUT_BUFFER_NBYTES, this thread's. */
void relayout_copy_box(const relayout_job *job, const relayout_box *box, int i, int nparts,
                       unsigned char *buffer);
/* Part i of nparts of putting job->fill into the cells of `to` of a coalesced box of whole bytes. */
void relayout_fill_box(const relayout_job *job, const relayout_box *box, int i, int nparts);

/* ---- relayout_bits.c ---- */

/* Part i of nparts of copying a coalesced box of elements of less than a byte. No two parts write one byte.
 */
void relayout_copy_bits(const relayout_job *job, const relayout_box *box, int i, int nparts,
                        unsigned char *buffer);
/* Transpose elements of nbits < 8: the k-th one of byte c of row r goes to the byte r / (8 / nbits) of `to`
 * that is to_byte * c + to_column * k bytes on. nrows * 8 / nbits rows of ncols bytes. */
void relayout_turn_bits(unsigned char *to, ptrdiff_t to_column, ptrdiff_t to_byte, const unsigned char *from,
                        ptrdiff_t from_row, size_t nrows, size_t ncols, int nbits);
/* Move one element of less than a byte. */
void relayout_move_bits(unsigned char *to, uint64_t to_at, const unsigned char *from, uint64_t from_at,
                        int nbits);

#endif
