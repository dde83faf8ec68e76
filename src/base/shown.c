/* Text made safe for a terminal: see tsr_shown.h. */
#include "tsr_shown.h"

#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"

enum { MAX_SHOWN = 7 }; /* bytes of one shown character, at most: "\u202e" and the NUL */

/* The length of the UTF-8 character at p, where n bytes can be read; 0: not UTF-8. */
static int utf8_nbytes(const unsigned char *p, size_t n)
{
    static const struct {
        /* pattern of the lead byte; for the byte `lead` itself the smallest second byte */
        unsigned char mask, lead, lo;
        int nbytes;
    } kinds[] = {{0x80, 0x00, 0, 1}, {0xe0, 0xc0, 0, 2}, {0xf0, 0xe0, 0xa0, 3}, {0xf8, 0xf0, 0x90, 4}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if ((p[0] & kinds[k].mask) != kinds[k].lead)
            continue;
        if ((size_t)kinds[k].nbytes > n)
            return 0;
        for (int i = 1; i < kinds[k].nbytes; i++)
            if ((p[i] & 0xc0) != 0x80)
                return 0;
        if (kinds[k].nbytes == 1)
            return 1;
        const bool overlong = (p[0] & 0xfe) == 0xc0 || (p[0] == kinds[k].lead && p[1] < kinds[k].lo);
        const bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
        const bool beyond = p[0] > 0xf4 || (p[0] == 0xf4 && p[1] >= 0x90);
        return overlong || surrogate || beyond ? 0 : kinds[k].nbytes;
    }
    return 0;
}

static uint32_t decode(const unsigned char *p, int nbytes)
{
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = p[0] & lead_bits[nbytes];
    for (int i = 1; i < nbytes; i++)
        code = code << 6 | (p[i] & 0x3f);
    return code;
}

/* False for control characters, and for invisible characters that reorder or break a line. */
static bool is_plain(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     /* C0, DEL and C1 */
        {0x061c, 0x061c}, {0x200e, 0x200f}, /* directional marks */
        {0x2028, 0x202e},                   /* line and paragraph separators, embeddings and overrides */
        {0x2066, 0x2069},                   /* isolates */
        {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, /* byte-order mark, annotations */
    };
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return false;
    return true;
}

tsr_char tsr_char_at(const char *p, const char *end)
{
    const unsigned char *const u = (const unsigned char *)p;
    const int n = utf8_nbytes(u, (size_t)(end - p));
    if (n == 0)
        return (tsr_char){.nbytes = 1, .code = *u};
    const uint32_t code = decode(u, n);
    return (tsr_char){.nbytes = n, .code = code, .utf8 = true, .plain = is_plain(code)};
}

/* Write character c, whose bytes are at p, as it is shown; returns the length. */
static size_t show_char(char out[MAX_SHOWN], tsr_char c, const char *p)
{
    if (c.plain) {
        memcpy(out, p, (size_t)c.nbytes);
        return (size_t)c.nbytes;
    }
    return (size_t)snprintf(out, MAX_SHOWN, c.nbytes == 1 ? "\\x%02x" : "\\u%04x", (unsigned)c.code & 0xffff);
}

/* The number of bytes of the shown text. */
static size_t shown_nbytes(const char *p, const char *end)
{
    char one[MAX_SHOWN];
    size_t n = 0;
    while (p < end) {
        const tsr_char c = tsr_char_at(p, end);
        n += show_char(one, c, p);
        p += c.nbytes;
    }
    return n;
}

/* Show characters of [*p, end) while they fit into `room` bytes; returns the number of bytes written. */
static size_t show_while_fits(char *buf, size_t room, const char **p, const char *end)
{
    size_t used = 0;
    while (*p < end) {
        char one[MAX_SHOWN];
        const tsr_char c = tsr_char_at(*p, end);
        const size_t n = show_char(one, c, *p);
        if (used + n > room)
            break;
        memcpy(buf + used, one, n);
        used += n;
        *p += c.nbytes;
    }
    return used;
}

size_t tsr_show_n(char *buf, size_t room, const char *s, size_t n)
{
    static const char gap[] = "...";
    const char *const end = s + n;
    size_t left = shown_nbytes(s, end), used = 0;
    if (left > room - 1) {
        /* the head is more informative than the tail */
        const size_t both = room - sizeof gap, tail = both / 3;
        used = show_while_fits(buf, both - tail, &s, end);
        memcpy(buf + used, gap, sizeof gap - 1);
        used += sizeof gap - 1;
        for (left = shown_nbytes(s, end); left > tail;) {
            char one[MAX_SHOWN];
            const tsr_char c = tsr_char_at(s, end);
            left -= show_char(one, c, s);
            s += c.nbytes;
        }
    }
    used += show_while_fits(buf + used, room - 1 - used, &s, end);
    buf[used] = '\0';
    return used;
}

const char *tsr_show(char *buf, const char *s)
{
    tsr_show_n(buf, TSR_SHOWN_NBYTES, s, strlen(s));
    return buf;
}

void tsr_show_format(char *buf, size_t room, const char *format, va_list args)
{
    char text[1024], *whole = NULL;
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(text, sizeof text, format, args);
    if (n >= (int)sizeof text && (whole = tsr_malloc((size_t)n + 1)) != NULL)
        vsnprintf(whole, (size_t)n + 1, format, again);
    va_end(again);
    /* without memory for the whole text: only its beginning */
    const char *const s = whole ? whole : n < 0 ? "" : text;
    tsr_show_n(buf, room, s, strlen(s));
    tsr_free(whole);
}
