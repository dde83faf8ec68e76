/* Errors: one status, and one sentence with the numbers in it.
 *
 * Every function that can fail returns a tsr_status and takes `tsr_error *err` last (NULL is allowed: the
 * sentence is then lost, the status is not). The first to see a fault fills *err; everybody above passes the
 * status on with TSR_TRY. */
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

/* Both texts are fit for a terminal (tsr_shown.h), and a longer one has lost its middle: the path is for
 * reading, not for opening. */
typedef struct tsr_error {
    tsr_status status;
    uint64_t line;     /* 1-based line of the input, 0 when it has none */
    uint64_t col;      /* 1-based byte column in that line, 0 when unknown */
    char path[512];    /* the input's name, "" when there is none */
    char message[512]; /* the sentence, no newline, no trailing full stop */
} tsr_error;

/* Fill *err (when not NULL) with `status` and the formatted sentence; return `status`. */
tsr_status tsr_fail(tsr_error *err, tsr_status status, const char *format, ...) TSR_PRINTF(3, 4);

/* The same for a fault at a place in an input: `path` may be NULL, `line` and `col` 0 for unknown. */
tsr_status tsr_fail_at(tsr_error *err, tsr_status status, const char *path, uint64_t line, uint64_t col,
                       const char *format, ...) TSR_PRINTF(6, 7);

/* TSR_SYNTAX at a place of a text: "expected <what>, not '<token>'", the token the n bytes at `at` (0: the
 * one character there; a long one loses its middle), or "expected <what>, but the text ends" where it does.
 */
tsr_status tsr_fail_expected(tsr_error *err, uint64_t line, uint64_t col, const char *what, const char *at,
                             uint64_t n);

/* TSR_IO for `path` (NULL when there is none): the formatted sentence, then ": " and the system's words for
 * `errnum`. */
tsr_status tsr_fail_errno(tsr_error *err, int errnum, const char *path, const char *format, ...)
    TSR_PRINTF(4, 5);

/* Put `path` into an error that has none yet (a deep function rarely knows it). */
void tsr_error_set_path(tsr_error *err, const char *path);

/* The words of status.def for a status: "malformed input". */
const char *tsr_status_words(tsr_status status);

/* Write "path:line:col: message" (the parts that are known) into buf, always terminated; return buf. */
char *tsr_error_text(char *buf, uint64_t nbytes, const tsr_error *err);

/* Return from the caller with the status of `call` unless it is TSR_OK. */
#define TSR_TRY(call)                             \
    do {                                          \
        const tsr_status tsr_try_status = (call); \
        if (tsr_try_status != TSR_OK)             \
            return tsr_try_status;                \
    } while (0)

/* Keep the status of `call` in the variable `status` and jump to the label `out` unless it is TSR_OK. */
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
