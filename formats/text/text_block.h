/* Parsing one block of entry lines "i j k value" in one pass, one entry per line: the inner loop of all text
 * readers. It does not depend on files or threads. */
#ifndef TSR_TEXT_BLOCK_H
#define TSR_TEXT_BLOCK_H

#include "text_fields.h"

/* The columns of an entry line: `order` indices, then a value. */
typedef struct tsr_columns {
    int order;                    /* 0: a value only */
    uint64_t base;                /* the first index of the file: 1 or 0 */
    bool has_dims;                /* the dims are known: an index beyond them is an error */
    uint64_t dims[TSR_MAX_ORDER]; /* order of them (INT64_MAX each where unknown) */
    tsr_type type;                /* f64 f32 i64 u64 c128 c64; pattern: no value column */
    bool integers;                /* type f64 only: a block of integers only becomes i64 */
    bool ignore_extra;            /* numbers after the last column are skipped and counted; {} is skipped */
    const char *comments;         /* each of these characters begins a comment */
    const tsr_fields *fields;     /* lines of fields (CSV), which are rewritten first; NULL: numbers between
                                     blanks. Used by tsr_entries_read alone */
    tsr_structure structure;      /* general, or *_lower: entries above the diagonal are mirrored */
} tsr_columns;

/* The number of numbers that a line must have. */
int tsr_columns_count(const tsr_columns *columns);

/* The entries of one block. Invariant: the arrays hold n <= capacity entries. */
typedef struct tsr_entry_block {
    size_t n, capacity;
    uint64_t *crd[TSR_MAX_ORDER]; /* order arrays, 0-based */
    void *values;                 /* of the columns' type (i64 while `integers` and not `real`) */
    bool real;                    /* `integers`: a value was not an integer. The caller sets it before
                                   * parsing where an earlier block had such a value */
    uint64_t max[TSR_MAX_ORDER];  /* largest coordinate per mode (0 when n = 0) */
    uint64_t nlines;              /* lines of the block; up to the fault where there is one */
    uint64_t nextra;              /* entries with more numbers than columns */
    uint64_t nmirrored;           /* entries above the diagonal */
    const char *fault;            /* the first wrong byte in the text of the block, or NULL */
    void *memory;                 /* owned; crd and values point into it */
    size_t memory_nbytes;
} tsr_entry_block;

/* Parse `nbytes` of text that end with a newline and have TSR_INPUT_PADDING readable bytes after them. On a
 * fault: returns the status, sets err without line and column, block->fault, and block->n to the number of
 * entries before the fault. */
tsr_status tsr_entry_block_parse(tsr_entry_block *block, const tsr_columns *columns, const char *text,
                                 size_t nbytes, tsr_error *err) TSR_NODISCARD;
/* Convert the i64 values to f64, rounded to nearest, as a parser of the same digits would. */
void tsr_entry_block_make_real(tsr_entry_block *block);
void tsr_entry_block_clear(tsr_entry_block *block);

/* The line of entry number k (from 0) in the text, which must have this entry. */
const char *tsr_entry_locate(const tsr_columns *columns, const char *text, size_t nbytes, uint64_t k);
/* TSR_SYNTAX: the file has more entries than the nnz of its header (the caller adds the place); only n of them, and ends after `line`. */
tsr_status tsr_entries_too_many(uint64_t nnz, tsr_error *err);
tsr_status tsr_entries_too_few(const char *path, uint64_t line, uint64_t n, uint64_t nnz, tsr_error *err);
/* Narrow [*p, *end) to the text before a comment or a carriage return, without blanks around it. */
void tsr_line_strip(const char **p, const char **end, const char *comments);
/* The token at p in a form that is safe for a message; a long token loses its middle. buf: TSR_TOKEN_NBYTES.
 * Returns buf. */
enum { TSR_TOKEN_NBYTES = 48 };
const char *tsr_token_text(char *buf, const char *p, const char *end);

static inline bool tsr_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

#endif
