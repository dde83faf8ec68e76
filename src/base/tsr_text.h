/* A growing text buffer with a sticky failure: builders append without checking, and check once, at the
 * end. */
#ifndef TSR_TEXT_H
#define TSR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_text {
    char *s;         /* nbytes characters and a NUL; NULL until something is added */
    size_t nbytes;   /* length, without the NUL */
    size_t capacity; /* allocated bytes */
    bool failed;     /* memory ran out: the text is cut, and later calls add nothing */
} tsr_text;

/* Append; {0} is an empty text. */
void tsr_text_add(tsr_text *text, const char *s);
void tsr_text_add_n(tsr_text *text, const char *s, size_t n);
/* A string of C: s in quotes, with a backslash before quotes and backslashes; s has no control characters. */
void tsr_text_add_c_string(tsr_text *text, const char *s);
void tsr_text_addf(tsr_text *text, const char *format, ...) TSR_PRINTF(2, 3);
void tsr_text_add_u64(tsr_text *text, uint64_t v);
void tsr_text_add_i64(tsr_text *text, int64_t v);
/* Keep the first n characters, at most nbytes. */
void tsr_text_cut(tsr_text *text, size_t n);
/* The text so far, never NULL ("" while empty); borrowed until the next change. */
const char *tsr_text_cstr(const tsr_text *text);
/* TSR_NOMEM if memory ran out in an earlier call, else TSR_OK. */
tsr_status tsr_text_status(const tsr_text *text, tsr_error *err) TSR_NODISCARD;
void tsr_text_clear(tsr_text *text);
/* *out: the text, to be freed with tsr_free; or TSR_NOMEM. The text is cleared. */
tsr_status tsr_text_take(char **out, tsr_text *text, tsr_error *err) TSR_NODISCARD;

/* Whether the n characters at s, which may be a part of a longer text, are the name. */
bool tsr_name_is(const char *name, const char *s, size_t n);
/* The first of nrows rows whose name they are, or nrows. `names` is the name of row 0, and the name of each further row is row_nbytes
 * behind the one before: tsr_name_find(&rows[0].name, nrows, sizeof rows[0], s, n). A row whose name is NULL has none. */
size_t tsr_name_find(const char *const *names, size_t nrows, size_t row_nbytes, const char *s, size_t n);

#ifdef __cplusplus
}
#endif
#endif
