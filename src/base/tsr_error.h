/* Errors: a status, and one sentence with the numbers in it.
 *
 * Every function that can fail returns a tsr_status and takes `tsr_error *err` last (err may be NULL: then
 * the caller gets only the status). The function that first detects the error fills *err; all its callers
 * pass the status on with TSR_TRY. */
#ifndef TSR_ERROR_H
#define TSR_ERROR_H

#include <stdarg.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_status {
#define X(name, words) TSR_##name,
#include "status.def"
#undef X
    TSR_NSTATUS
} tsr_status;

#if defined(__GNUC__)
#define TSR_NODISCARD __attribute__((warn_unused_result))
#define TSR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TSR_NODISCARD
#define TSR_PRINTF(fmt, args)
#endif

/* `path` and `message` are safe to print on a terminal (tsr_shown.h), and a text that is too long has "..."
 * in its middle. So `path` is for reading, not for opening. */
typedef struct tsr_error {
    tsr_status status;
    uint64_t line;     /* 1-based line of the input; 0: no line */
    uint64_t col;      /* 1-based byte column in that line; 0: unknown */
    char path[512];    /* name of the input; "": no input */
    char message[512]; /* the sentence, without a newline and without a full stop at the end */
} tsr_error;

/* Fill *err (when not NULL) with `status` and the formatted sentence; return `status`. */
tsr_status tsr_fail(tsr_error *err, tsr_status status, const char *format, ...) TSR_PRINTF(3, 4);

/* The same for an error at a place in an input: `path` may be NULL; `line` and `col` are 0 when unknown. */
tsr_status tsr_fail_at(tsr_error *err, tsr_status status, const char *path, uint64_t line, uint64_t col,
                       const char *format, ...) TSR_PRINTF(6, 7);

/* TSR_SYNTAX at a place of a text: "expected <what>, not '<token>'". The token is the n bytes at `at` (n = 0:
 * the one character at `at`); a long token loses its middle. "expected <what>, but the text ends" if `at`
 * points to a NUL. */
tsr_status tsr_fail_expected(tsr_error *err, uint64_t line, uint64_t col, const char *what, const char *at,
                             uint64_t n);

/* TSR_IO for `path` (may be NULL): the formatted sentence, then ": " and the system's text for `errnum`. */
tsr_status tsr_fail_errno(tsr_error *err, int errnum, const char *path, const char *format, ...)
    TSR_PRINTF(4, 5);

/* Pass on an error that was kept, as by a thread: fill *err (when not NULL) with it, unless its status is TSR_OK; return its
 * status. */
tsr_status tsr_fail_as(tsr_error *err, const tsr_error *kept);

/* Set the path of an error that does not have a path yet (a function that parses rarely knows the path). */
void tsr_error_set_path(tsr_error *err, const char *path);

/* The text of status.def for a status: "malformed input". */
const char *tsr_status_words(tsr_status status);

/* Write "path:line:col: message" (only the parts that are known) into buf, always NUL-terminated; return
 * buf. */
char *tsr_error_text(char *buf, uint64_t nbytes, const tsr_error *err);

/* Return from the caller with the status of `call` unless it is TSR_OK. */
#define TSR_TRY(call)                             \
    do {                                          \
        const tsr_status tsr_try_status = (call); \
        if (tsr_try_status != TSR_OK)             \
            return tsr_try_status;                \
    } while (0)

/* Store the status of `call` in the variable `status`, and jump to the label `out` unless it is TSR_OK. */
#define TSR_TRY_OUT(call)     \
    do {                      \
        status = (call);      \
        if (status != TSR_OK) \
            goto out;         \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
