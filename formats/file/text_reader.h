/* What the text readers share: header lines one at a time, then entries on all threads.
 *
 * A reader opens tsr_lines, takes the header's lines with tsr_lines_next, and hands the rest to
 * tsr_entries_read, which parses blocks side by side and puts the entries in input order. */
#ifndef TSR_TEXT_READER_H
#define TSR_TEXT_READER_H

#include "text_block.h"
#include "tsr_brief.h"

/* --- Header lines ----------------------------------------------------------------------------------------
 */

enum { TSR_LINES_HEAD_NBYTES = 8 << 20 };

typedef struct tsr_lines {
    tsr_input *input;
    bool owns_input;
    bool ended;       /* the input has no more blocks */
    const char *path; /* for messages */
    char *text;       /* what was fetched and is not yet done with: nbytes, then TSR_INPUT_PADDING zeros */
    size_t nbytes;
    size_t capacity;
    size_t at;           /* the next line begins here */
    uint64_t line;       /* number of the line last returned; lines end before `at` */
    size_t mark;         /* text from here on is kept (SIZE_MAX: no mark) */
    uint64_t mark_line;  /* `line` at the mark */
    uint64_t next_index; /* of the input's next block */
    bool head_only;      /* refuse to fetch more than TSR_LINES_HEAD_NBYTES: TSR_LIMIT */
    uint64_t nfetched;   /* bytes */
    tsr_block block;
} tsr_lines;

/* Open path, or take options->input. */
tsr_status tsr_lines_open(tsr_lines *lines, const char *path, const tsr_read_options *options,
                          tsr_error *err) TSR_NODISCARD;
/* The same to describe the file: only its head can be fetched, and what is known of it so far (compression,
 * the first lines) is put into *brief. */
tsr_status tsr_lines_describe(tsr_lines *lines, tsr_brief *brief, const char *path,
                              const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* The next line without its end: [*p, *end), borrowed until the next call; *p = NULL at the end of the input.
 */
tsr_status tsr_lines_next(const char **p, const char **end, tsr_lines *lines, tsr_error *err) TSR_NODISCARD;
/* The next line that holds more than blanks and comments, stripped of both. */
tsr_status tsr_lines_next_data(const char **p, const char **end, tsr_lines *lines, const char *comments,
                               tsr_error *err) TSR_NODISCARD;
/* Remember the place; tsr_lines_back returns to it. */
void tsr_lines_mark(tsr_lines *lines);
void tsr_lines_back(tsr_lines *lines);
/* Bytes of text from the mark to here, which are kept; 0: no mark. */
size_t tsr_lines_marked_nbytes(const tsr_lines *lines);
void tsr_lines_clear(tsr_lines *lines);
/* The column (from 1) of a byte of the line last returned. */
uint64_t tsr_lines_col(const tsr_lines *lines, const char *at);
/* The shape that options give, if any, against the file's order and dims (NULL: it tells none): TSR_ARGUMENT.
 */
tsr_status tsr_lines_check_shape(const tsr_lines *lines, const tsr_read_options *options, int order,
                                 const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

/* The next token of [*p, end): its bounds, *p moved behind it; false when there is none. */
bool tsr_next_token(const char **token, const char **token_end, const char **p, const char *end);
int tsr_count_tokens(const char *p, const char *end);

/* --- Entries -----------------------------------------------------------------------------------------------
 */

typedef struct tsr_entries {
    /* What to read: filled by the caller. */
    tsr_columns columns; /* its dims are found out when has_dims is false */
    bool has_nnz;
    uint64_t nnz; /* promised; afterwards how many there are */

    /* What was found. */
    tsr_type type;                /* columns.type, or i64 when `integers` and all values were integers */
    tsr_array crd[TSR_MAX_ORDER]; /* order arrays of nnz entries, width 4 when the dim allows, else 8 */
    tsr_array values;             /* nnz entries; absent for pattern */
    uint64_t nextra, nmirrored;   /* see tsr_entry_block */
} tsr_entries;

/* Read all entries that follow in `lines`. TSR_SYNTAX and TSR_RANGE with line and column for the first wrong
 * token; a count other than the promised one is TSR_SYNTAX, and one that the input is too short for is
 * refused before anything is allocated. Memory: the arrays, plus a few blocks per thread. */
tsr_status tsr_entries_read(tsr_entries *entries, tsr_lines *lines, const tsr_read_options *options,
                            tsr_error *err) TSR_NODISCARD;
void tsr_entries_clear(tsr_entries *entries);
/* Hand the arrays over to a new coo of these dims (entries is cleared, on failure too). */
tsr_status tsr_entries_to_coo(tsr_coo **out, tsr_entries *entries, tsr_error *err) TSR_NODISCARD;

/* The type that a reader should parse values as when the file says `natural` and the user may want another:
 * f32 and c64 are parsed as such, so that values are rounded once. */
tsr_type tsr_parse_type(tsr_type natural, const tsr_read_options *options);

#endif
