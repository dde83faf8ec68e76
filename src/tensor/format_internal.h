/* What the files of the format share: the draft that all text forms end in, and small lexing. */
#ifndef TSR_FORMAT_INTERNAL_H
#define TSR_FORMAT_INTERNAL_H

#include "tsr_format.h"

/* A format while it is read. */
typedef struct format_draft {
    int order, nlevels;
    tsr_map_builder *builder; /* order dims; owned */
    const tsr_linear
        *results[TSR_MAX_LEVELS];          /* nlevels entries; NULL stands for "memory or int64 ran out" */
    tsr_level_spec levels[TSR_MAX_LEVELS]; /* nlevels entries */
    uint64_t col[TSR_MAX_LEVELS]; /* nlevels entries: where each level stands in the text; 0: nowhere */
} format_draft;

/* The draft as a checked format; its builder is used up, on failure too. */
tsr_status format_finish(tsr_format **out, format_draft *draft, tsr_error *err) TSR_NODISCARD;
/* The rules that every format obeys. col (nlevels entries, or NULL) is where to point. TSR_ARGUMENT. */
tsr_status format_check(const tsr_format *format, const uint64_t *col, tsr_error *err) TSR_NODISCARD;

/* ---- lexing ---- */

bool format_is_word_start(char c);
/* The first character at or after p that is neither blank nor a line's end. */
const char *format_skip_blanks(const char *p);
/* The end of the word (letters, digits, _) that starts at p; p when none does. */
const char *format_word_end(const char *p);
uint64_t format_col(const tsr_cursor *cursor);
/* Skip blanks, then `token` and the blanks after it, or TSR_SYNTAX "expected ..., not ..." with the column.
 */
tsr_status format_expect(tsr_cursor *cursor, const char *token, const char *expected,
                         tsr_error *err) TSR_NODISCARD;
/* TSR_SYNTAX at cursor->p: "expected `expected`, not ...". */
tsr_status format_unexpected(const tsr_cursor *cursor, const char *expected, tsr_error *err) TSR_NODISCARD;

/* ---- the forms ---- */

/* (i, j) -> (i : dense, ...) at the cursor, into a draft whose builder is made. mlir: as in an encoding. */
tsr_status format_parse_map(format_draft *draft, tsr_cursor *cursor, int order, bool mlir,
                            tsr_error *err) TSR_NODISCARD;
/* The modes' names at the cursor, in (), {} or [], into a draft whose builder is made. */
tsr_status format_parse_modes(format_draft *draft, tsr_cursor *cursor, int order,
                              tsr_error *err) TSR_NODISCARD;
/* The names that modes are printed by: i, j, k, l, or d0, d1, ... for more than 4. */
const char *const *format_mode_names(int order);
/* Singletons below a nonunique level and above another singleton are nonunique: "uqq" is coo for 3 modes. */
void format_settle_singletons(tsr_level_spec *levels, int nlevels);
/* ds:1,0, csr or bcsr(2,3):1,0: a name wins over letters where its number of modes fits. */
bool format_claims_word(const char *text);
bool format_claims_letters(const char *text);
tsr_status format_parse_word(tsr_format **out, tsr_format_widths *widths, const char *text,
                             const tsr_format_hints *hints, tsr_error *err) TSR_NODISCARD;
/* (i, j) -> (i : dense, ...), the whole text. */
tsr_status format_parse_long(tsr_format **out, const char *text, int order, tsr_error *err) TSR_NODISCARD;

enum { FORMAT_MAX_PARAMS = 8 };

/* A named format asked for: named(params):modes. */
typedef struct format_request {
    const tsr_named_format *named;
    int nparams;
    int64_t params[FORMAT_MAX_PARAMS]; /* nparams entries, each >= 1 */
    int order;                         /* modes wanted; < 0: unknown */
    const int *modes;                  /* order entries, a permutation; NULL: 0, 1, 2, ... */
    const uint64_t *dims;              /* order entries; NULL: unknown */
    uint64_t col;                      /* of the parameters, for errors */
} format_request;

/* The named format of that name (n characters), or NULL. */
const tsr_named_format *format_find_named(const char *name, size_t n);
/* How many modes a named format has; -1: any number. */
int format_named_order(const tsr_named_format *named);
tsr_status format_from_named(tsr_format **out, const format_request *request, tsr_error *err) TSR_NODISCARD;

#endif
