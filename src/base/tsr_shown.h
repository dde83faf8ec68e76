/* Text that comes from files and arguments, made fit for a terminal.
 *
 * A character is shown as it is when it is valid UTF-8 and cannot drive the terminal or reorder the line.
 * Everything else is shown by its number: a control character (C0, DEL, C1) or a byte that is not UTF-8 as
 * \x1b, a C1 control in UTF-8 and the characters that change the direction of text or end a line as \u202e.
 * What is shown once stays the same when it is shown again. */
#ifndef TSR_SHOWN_H
#define TSR_SHOWN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One character of a text. */
typedef struct tsr_char {
    int nbytes;    /* at least 1 */
    uint32_t code; /* of Unicode; the byte itself where it is not UTF-8 */
    bool utf8;     /* the bytes are valid UTF-8 */
    bool plain;    /* shown as it is */
} tsr_char;

/* The character at p, p < end. */
tsr_char tsr_char_at(const char *p, const char *end);

enum { TSR_SHOWN_NBYTES = 256 };

/* The n bytes at s as a text to show, in buf of `room` bytes (at least 32), always terminated. A text that
 * needs more loses its middle, where "..." stands. Returns the length without the NUL. */
size_t tsr_show_n(char *buf, size_t room, const char *s, size_t n);
/* The same for a whole string and a buffer of TSR_SHOWN_NBYTES; returns buf. */
const char *tsr_show(char *buf, const char *s);
/* The same for what printf would make of the format. */
void tsr_show_format(char *buf, size_t room, const char *format, va_list args);

#ifdef __cplusplus
}
#endif
#endif
