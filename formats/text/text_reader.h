/* Support for text readers: header lines one at a time, then entries on all threads.
 *
 * A reader opens tsr_lines, gets the lines of the header with tsr_lines_next, and passes the rest to
 * tsr_entries_read, which parses blocks in parallel and stores the entries in input order. */
#ifndef TSR_TEXT_READER_H
#define TSR_TEXT_READER_H

#include "text_block.h"
#include "tsr_brief.h"

/* --- Header lines ----------------------------------------------------------------------------------------
 */

enum { TSR_LINES_HEAD_NBYTES = 8 << 20 };

typedef struct tsr_lines {
    tsr_input *input;
    bool owns_input;  /* tsr_lines_clear closes the input */
    bool ended;       /* the input has no more blocks */
    const char *path; /* for messages */
    char *text;       /* owned; fetched text that is still needed: nbytes, then TSR_INPUT_PADDING zeros */
    size_t nbytes;
    size_t capacity;
    uint64_t place;      /* of text[0] in the text of the input */
    size_t at;           /* the next line begins here */
    uint64_t line;       /* number of the line last returned; lines end before `at` */
    size_t mark;         /* text from here on is kept (SIZE_MAX: no mark) */
    uint64_t mark_line;  /* `line` at the mark */
    uint64_t next_index; /* number of the input's next block */
    bool head_only;      /* fetch at most TSR_LINES_HEAD_NBYTES, then TSR_LIMIT */
    uint64_t nfetched;   /* bytes fetched so far */
    tsr_block block;
} tsr_lines;

/* Open the path, or borrow options->input where it is not NULL. tsr_lines_clear frees, on failure, too. */
tsr_status tsr_lines_open(tsr_lines *lines, const char *path, const tsr_read_options *options,
                          tsr_error *err) TSR_NODISCARD;
/* The same to describe the file: only the first TSR_LINES_HEAD_NBYTES can be fetched, and compression and
 * the first lines are stored in *brief. */
tsr_status tsr_lines_describe(tsr_lines *lines, tsr_brief *brief, const char *path,
                              const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* The next line without its end: [*p, *end), borrowed until the next call; *p = NULL at the end of the input.
 */
tsr_status tsr_lines_next(const char **p, const char **end, tsr_lines *lines, tsr_error *err) TSR_NODISCARD;
/* The next line that is more than blanks and comments, without these; *p = NULL at the end of the input. */
tsr_status tsr_lines_next_data(const char **p, const char **end, tsr_lines *lines, const char *comments,
                               tsr_error *err) TSR_NODISCARD;
/* Mark the place; tsr_lines_back goes back to it and removes the mark. */
void tsr_lines_mark(tsr_lines *lines);
void tsr_lines_back(tsr_lines *lines);
/* Bytes of text from the mark to the current place; 0 without a mark. */
size_t tsr_lines_marked_nbytes(const tsr_lines *lines);
void tsr_lines_clear(tsr_lines *lines);
/* The column (from 1) of a byte in the last returned line. */
uint64_t tsr_lines_col(const tsr_lines *lines, const char *at);
/* TSR_ARGUMENT where options give a shape that differs from the order or the dims of the file (NULL: unknown
 * dims). */
tsr_status tsr_lines_check_shape(const tsr_lines *lines, const tsr_read_options *options, int order,
                                 const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

/* The next token of [*p, end): sets its bounds and moves *p past it. False: there are no more tokens. */
bool tsr_next_token(const char **token, const char **token_end, const char **p, const char *end);
int tsr_count_tokens(const char *p, const char *end);

/* --- Entries -----------------------------------------------------------------------------------------------
 */

typedef struct tsr_entries {
    /* Input, set by the caller. */
    tsr_columns columns; /* dims are output where has_dims is false */
    bool has_nnz;
    uint64_t nnz; /* the count that the header claims; output: the number of entries */

    /* Output. */
    tsr_type type;                /* columns.type, or i64 where `integers` and all values were integers */
    tsr_array crd[TSR_MAX_ORDER]; /* order arrays of nnz elements, width 4 where the dim allows, else 8 */
    tsr_array values;             /* nnz elements; empty for pattern */
    uint64_t nextra, nmirrored;   /* see tsr_entry_block */
} tsr_entries;

/* Read all entries that follow in `lines`; tsr_entries_clear frees them. TSR_SYNTAX and TSR_RANGE with line
 * and column of the first wrong token; TSR_SYNTAX where the number of entries is not the claimed one. A count
 * that the input cannot hold is refused before memory is allocated. TSR_LIMIT: too large for memory. Memory:
 * the arrays, plus a few blocks per thread. */
tsr_status tsr_entries_read(tsr_entries *entries, tsr_lines *lines, const tsr_read_options *options,
                            tsr_error *err) TSR_NODISCARD;
void tsr_entries_clear(tsr_entries *entries);
/* Whether a coordinate of any entry is 0. */
bool tsr_entries_have_zero(const tsr_entries *entries);
/* Move the arrays into new coordinates with these dims; entries is cleared, on failure, too. */
tsr_status tsr_entries_to_coo(tsr_coo **out, tsr_entries *entries, tsr_error *err) TSR_NODISCARD;

/* Parse one block of lines, which fields may change: see tsr_entry_block_parse. */
tsr_status tsr_entries_parse(tsr_entry_block *block, const tsr_columns *columns, char *text, size_t nbytes,
                             tsr_error *err) TSR_NODISCARD;
/* TSR_SYNTAX when the input is too short for the claimed number of entries: a number needs at least 2 bytes. */
tsr_status tsr_entries_check_count(const tsr_entries *entries, const tsr_lines *lines,
                                   tsr_error *err) TSR_NODISCARD;
/* Set line and column of the error (may be NULL) to those of `at` in the text, which nlines lines precede. */
void tsr_entries_place(tsr_error *err, const char *text, const char *at, uint64_t nlines);

/* The type that values are parsed as, where `natural` is the type of the file and options may request
 * another one: f32 and c64 are parsed directly, so that values are rounded once. */
tsr_type tsr_parse_type(tsr_type natural, const tsr_read_options *options);

#endif
