/* One block of entry lines, parsed in one pass: "i j k value", one entry a line. The inner loop of every text
 * reader; knows nothing of files or threads. */
#ifndef TSR_TEXT_BLOCK_H
#define TSR_TEXT_BLOCK_H

#include "tsr_coo.h"

/* What an entry line holds: `order` indices, then a value. */
typedef struct tsr_columns {
    int order;                    /* 0: a value only */
    uint64_t base;                /* the first index of the file: 1 or 0 */
    bool has_dims;                /* the dims are known: an index beyond is an error */
    uint64_t dims[TSR_MAX_ORDER]; /* order entries (INT64_MAX each when not known) */
    tsr_type type;                /* f64 f32 i64 u64 c128 c64; pattern: no value column */
    bool integers;                /* type f64 only: a block of nothing but integers becomes i64 */
    bool ignore_extra;            /* numbers after the last column are skipped and counted */
    const char *comments;         /* each of these characters opens a comment */
    tsr_structure structure;      /* general, or *_lower: entries above the diagonal are mirrored */
} tsr_columns;

/* Numbers that a line must have. */
int tsr_columns_count(const tsr_columns *columns);

/* The entries of one block. Invariant: the arrays hold n <= capacity entries. */
typedef struct tsr_entry_block {
    size_t n, capacity;
    uint64_t *crd[TSR_MAX_ORDER]; /* order arrays, 0-based */
    void *values;                 /* of the columns' type (i64 while `integers` and not `real`) */
    bool real;                    /* integers: a value that is not one was seen. Set it to begin with
                                     when an earlier block had one */
    uint64_t max[TSR_MAX_ORDER];  /* largest coordinate per mode (0 when n = 0) */
    uint64_t nlines;              /* lines of the block (before the fault when there is one) */
    uint64_t nextra;              /* entries with more numbers than columns */
    uint64_t nmirrored;           /* entries above the diagonal */
    const char *fault;            /* the first byte that is wrong, in the block's text, or NULL */
    void *memory;                 /* behind crd and values */
    size_t memory_nbytes;
} tsr_entry_block;

/* Parse `nbytes` of text that end with a newline and have TSR_INPUT_PADDING readable bytes after them.
 * On a fault: the status, err without line and column, block->fault, and block->n entries before it. */
tsr_status tsr_entry_block_parse(tsr_entry_block *block, const tsr_columns *columns, const char *text,
                                 size_t nbytes, tsr_error *err) TSR_NODISCARD;
/* The i64 values become f64 (rounded to nearest, as a parser of the same digits would). */
void tsr_entry_block_make_real(tsr_entry_block *block);
void tsr_entry_block_clear(tsr_entry_block *block);

/* The line of the k-th entry (from 0) in the text, which has one. */
const char *tsr_entry_locate(const tsr_columns *columns, const char *text, size_t nbytes, uint64_t k);
/* Narrow [*p, *end) to what stands between blanks and before a comment and a carriage return. */
void tsr_line_strip(const char **p, const char **end, const char *comments);
/* The token at p quoted for a message: fit for a terminal; a long one loses its middle; buf of
 * TSR_TOKEN_NBYTES. */
enum { TSR_TOKEN_NBYTES = 48 };
const char *tsr_token_text(char *buf, const char *p, const char *end);

static inline bool tsr_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

#endif
