/* Declarations shared by the files of formats: the draft that all notations produce, and lexing. */
#ifndef TSR_FORMAT_INTERNAL_H
#define TSR_FORMAT_INTERNAL_H

#include "tsr_format.h"

/* A format under construction. */
typedef struct format_draft {
    int order, nlevels;
    tsr_map_builder *builder;                  /* order dims; owned */
    const tsr_linear *results[TSR_MAX_LEVELS]; /* nlevels; NULL: out of memory, or a number overflowed */
    tsr_level_spec levels[TSR_MAX_LEVELS];     /* nlevels entries */
    uint64_t col[TSR_MAX_LEVELS];              /* nlevels: the column of each level in the text; 0: unknown */
} format_draft;

/* Make a checked format of the draft; the draft's builder is consumed, on failure, too. */
tsr_status format_finish(tsr_format **out, format_draft *draft, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT or TSR_LIMIT where the format breaks a rule (format_check.c). col: the column of each level
 * for errors, or NULL. */
tsr_status format_check(const tsr_format *format, const uint64_t *col, tsr_error *err) TSR_NODISCARD;

/* TSR_UNSUPPORTED unless all level types have letters: dense, compressed, singleton, which other systems know.
 * system: "UST". */
tsr_status format_check_letters(const tsr_format *format, const char *system, tsr_error *err) TSR_NODISCARD;

/* ---- lexing ---- */

/* Whether c is a letter or '_'. */
bool format_is_word_start(char c);
/* The first character at or after p that is not a blank or the end of a line. */
const char *format_skip_blanks(const char *p);
/* The end of the word (letters, digits, '_') that begins at p; p where there is none. */
const char *format_word_end(const char *p);
/* The column of the cursor, from 1. */
uint64_t format_col(const tsr_cursor *cursor);
/* Skip blanks, `token` and the blanks after it. TSR_SYNTAX "expected ..., not ..." with the column where the
 * token is missing. */
tsr_status format_expect(tsr_cursor *cursor, const char *token, const char *expected,
                         tsr_error *err) TSR_NODISCARD;
/* TSR_SYNTAX at cursor->p: "expected `expected`, not ...". */
tsr_status format_unexpected(const tsr_cursor *cursor, const char *expected, tsr_error *err) TSR_NODISCARD;

/* ---- the notations ---- */

/* Parse (i, j) -> (i : dense, ...) at the cursor into a draft, whose builder is allocated. mlir: accept the
 * syntax of MLIR's encodings. order < 0: unknown. */
tsr_status format_parse_map(format_draft *draft, tsr_cursor *cursor, int order, bool mlir,
                            tsr_error *err) TSR_NODISCARD;
/* Parse the names of the modes at the cursor, in (), {} or [], into a draft, whose builder is allocated. */
tsr_status format_parse_modes(format_draft *draft, tsr_cursor *cursor, int order,
                              tsr_error *err) TSR_NODISCARD;
/* The names of modes in printed formats: i, j, k, l, or d0, d1... for more than 4 modes. */
const char *const *format_mode_names(int order);
/* Set nonunique for singletons between a nonunique level and another singleton: "uqq" is coo for 3 modes. */
void format_settle_singletons(tsr_level_spec *levels, int nlevels);
/* Whether the text begins like ds:1,0, csr or bcsr(2,3):1,0; `letters`: whether the word consists of level
 * letters. */
bool format_claims_word(const char *text);
bool format_claims_letters(const char *text);
tsr_status format_parse_word(tsr_format **out, tsr_format_widths *widths, const char *text,
                             const tsr_format_hints *hints, tsr_error *err) TSR_NODISCARD;
/* Parse the whole text as a long form. */
tsr_status format_parse_long(tsr_format **out, const char *text, int order, tsr_error *err) TSR_NODISCARD;

enum { FORMAT_MAX_PARAMS = 8 };

/* A request for a named format: named(params):modes. */
typedef struct format_request {
    const tsr_named_format *named;
    int nparams;
    int64_t params[FORMAT_MAX_PARAMS]; /* nparams entries, each >= 1 */
    int order;                         /* requested number of modes; < 0: unknown */
    const int *modes;                  /* order entries, a permutation; NULL: 0, 1, 2, ... */
    const uint64_t *dims;              /* order entries; NULL: unknown */
    uint64_t col;                      /* column of the parameters, for errors; 0: unknown */
} format_request;

/* ---- format_interleave.c ---- */

/* A key of up to 62 bits is one coordinate; of a longer key the upper and the lower bits are coordinates. */
typedef enum format_key_part { FORMAT_KEY_WHOLE, FORMAT_KEY_UPPER, FORMAT_KEY_LOWER } format_key_part;
/* Append the part of the key that interleaves the bits of the modes d0, d1..., if the key has this part
 * (*applies). box: only the bits of coordinates inside boxes of this size interleave; 0: all. TSR_ARGUMENT: dims are unknown, or box is
 * not a power of two. TSR_LIMIT: more than 124 bits. */
tsr_status format_add_interleaved(tsr_text *text, bool *applies, const format_request *request,
                                  format_key_part part, int64_t box, tsr_error *err) TSR_NODISCARD;

/* ---- format_named.c ---- */

/* The named format with this name of n characters, or NULL. */
const tsr_named_format *format_find_named(const char *name, size_t n);
/* What to use instead of a format of other software that has this name of n characters: returns the length of *sentence;
 * 0: the name is unknown. */
size_t format_find_other(const char **sentence, const char *name, size_t n);
/* The number of modes of a named format; -1: any number. */
int format_named_order(const tsr_named_format *named);
tsr_status format_from_named(tsr_format **out, const format_request *request, tsr_error *err) TSR_NODISCARD;

#endif
