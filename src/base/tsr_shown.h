/* Text from files and arguments, made safe to print on a terminal.
 *
 * A character is shown unchanged if it is valid UTF-8 and cannot control the terminal or reorder the line.
 * Every other character is shown by its number: a control character (C0, DEL, C1) or a byte that is not UTF-8
 * as \x1b; a C1 control in UTF-8, and a character that changes the direction of text or ends a line, as
 * \u202e. Showing a shown text again does not change it. */
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
    uint32_t code; /* Unicode code point; the byte itself if it is not UTF-8 */
    bool utf8;     /* the bytes are valid UTF-8 */
    bool plain;    /* shown unchanged */
} tsr_char;

/* The character at p, p < end. */
tsr_char tsr_char_at(const char *p, const char *end);

enum { TSR_SHOWN_NBYTES = 256 };

/* Show the n bytes at s in buf of `room` bytes (at least 32), always NUL-terminated. A text that needs more
 * room loses its middle, which "..." replaces. Returns the length without the NUL. */
size_t tsr_show_n(char *buf, size_t room, const char *s, size_t n);
/* The same for a whole string and a buffer of TSR_SHOWN_NBYTES bytes; returns buf. */
const char *tsr_show(char *buf, const char *s);
/* The same for a printf format and its arguments. */
void tsr_show_format(char *buf, size_t room, const char *format, va_list args);

#ifdef __cplusplus
}
#endif
#endif
