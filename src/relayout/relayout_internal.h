/* The types and functions that the files of src/relayout share: relayout_plan.c makes digits and boxes,
 * relayout_copy.c copies a box of whole bytes, relayout_bits.c copies a box of elements of less than a
 * byte. */
#ifndef RELAYOUT_INTERNAL_H
#define RELAYOUT_INTERNAL_H

#include "tsr_parallel.h"
#include "tsr_relayout.h"

/* The most digits of one layout, of the refinement of a mode, and of a box. A relayout with more digits
 * moves each element through both maps. */
enum { RELAYOUT_MAX_DIGITS = 64 };
/* The most segments of a mode: two for each radix. */
enum { RELAYOUT_MAX_SEGMENTS = 2 * RELAYOUT_MAX_DIGITS + 2 };

/* One term of a position: stride * ((coordinate of the mode floordiv div) mod mod). mod = 0: without mod. */
typedef struct relayout_term {
    int mode;
    uint64_t div, mod, stride;
} relayout_term;

/* The layout that is written or the layout that is read. The position of an element is the sum of the
 * terms. */
typedef struct relayout_side {
    uint64_t npos;
    uint64_t pitch[TSR_MAX_LEVELS];  /* nlevels elements */
    uint64_t stride[TSR_MAX_LEVELS]; /* nlevels elements: positions from a coordinate to the next */
    int nterms;                      /* -1: the position is not a sum of digits with positive factors */
    relayout_term terms[RELAYOUT_MAX_DIGITS];
    /* Whether the positions are exactly the cells of a box with the dims `padded`, which are the dims of the
     * tensor, rounded up. */
    bool boxed;
    uint64_t padded[TSR_MAX_ORDER];
} relayout_side;

/* A range of the coordinates of a mode that is a box of digits: the digit `digit` takes `count` values from
 * coordinate `first` on, and the digits below take all values. */
typedef struct relayout_segment {
    uint64_t first, count;
    int digit;
} relayout_segment;

typedef struct relayout_mode {
    int ndigits;
    uint64_t radix[RELAYOUT_MAX_DIGITS];                         /* radix[0] is 1; each divides the next */
    uint64_t to[RELAYOUT_MAX_DIGITS], from[RELAYOUT_MAX_DIGITS]; /* strides of the digits */
} relayout_mode;

struct tsr_relayout {
    int order, nbits, nlevels_to, nlevels_from;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nelements; /* the product of the dims */
    const tsr_binding *to_binding, *from_binding;
    relayout_side to, from;
    bool strided; /* the digits of both layouts refine each other: a copy of boxes; else through both maps */
    relayout_mode modes[TSR_MAX_ORDER];
    tsr_map_plan *to_plan, *from_plan; /* NULL when strided */
};

/* A strided copy of a box of digits. Strides and positions count elements of nbits; they are below 2^63
 * bits. */
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
    unsigned char fill[16]; /* one element; if it is less than a byte, a byte with copies of the element */
    bool zero_fill;
    bool stream;            /* write past the caches */
    bool fill_padding;      /* also fill the boxes of the padding */
    unsigned char *buffers; /* nthreads * RELAYOUT_BUFFER_NBYTES bytes */
    void **scratch;         /* nthreads elements; NULL if strided */
    int nthreads;
} relayout_job;

/* The most bytes of a tile, and the bytes of a buffer. The buffer is larger, as the last tile may be a
 * quarter larger in both directions, and as runs of 256 bytes and more are a cache line apart. */
enum { RELAYOUT_TILE_NBYTES = 1 << 16, RELAYOUT_BUFFER_NBYTES = RELAYOUT_TILE_NBYTES * 2 };

/* ---- relayout_plan.c ---- */

/* Visit the boxes of the range [lo[m], hi[m]) of each mode m, in a fixed order. When visit returns false,
 * stop and return false. */
typedef bool relayout_visit(void *ctx, const relayout_box *box);
bool relayout_each_box(const tsr_relayout *relayout, const uint64_t *lo, const uint64_t *hi,
                       relayout_visit *visit, void *ctx);
/* Drop the digits of extent 1, sort the digits by the stride in `to`, and join two neighbouring digits where
 * they are one digit in both layouts. */
void relayout_coalesce(relayout_box *box);
/* Join elements to larger elements (up to 16 bytes) where they are neighbours in both layouts. The box must
 * be coalesced. */
void relayout_widen(relayout_box *box);

/* ---- relayout_copy.c ---- */

/* Copy part i of nparts of a widened box. The elements are whole bytes, or smaller in a transpose of whole
 * bytes: digit 0 has stride 1 in `to`, another digit has stride 1 in `from`, the extents of both fill whole
 * bytes, and all other strides are whole bytes. `buffer` has RELAYOUT_BUFFER_NBYTES bytes and belongs to this
 * thread. */
void relayout_copy_box(const relayout_job *job, const relayout_box *box, int i, int nparts,
                       unsigned char *buffer);
/* Fill part i of nparts of the positions in `to` of a coalesced box of whole bytes with job->fill. */
void relayout_fill_box(const relayout_job *job, const relayout_box *box, int i, int nparts);

/* ---- relayout_bits.c ---- */

/* Copy part i of nparts of a coalesced box of elements of less than a byte. No two parts write to the same
 * byte. `buffer` has RELAYOUT_BUFFER_NBYTES bytes and belongs to this thread. */
void relayout_copy_bits(const relayout_job *job, const relayout_box *box, int i, int nparts,
                        unsigned char *buffer);
/* A transpose of elements of nbits < 8 bits. `from` has nrows * 8 / nbits rows of ncols bytes, from_row bytes
 * apart. Element k of byte c of row r goes to the byte of `to` at to_byte * c + to_column * k +
 * r / (8 / nbits). */
typedef struct relayout_turn {
    unsigned char *to;
    ptrdiff_t to_column, to_byte;
    const unsigned char *from;
    ptrdiff_t from_row;
    size_t nrows, ncols;
    int nbits;
} relayout_turn;
void relayout_turn_bits(const relayout_turn *turn);
/* Copy the element at position from_at to position to_at; it has less than a byte. */
void relayout_move_bits(unsigned char *to, uint64_t to_at, const unsigned char *from, uint64_t from_at,
                        int nbits);

#endif
