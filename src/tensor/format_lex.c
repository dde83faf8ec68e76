/* The tokens of format texts outside map expressions: ASCII, independent of the locale. */
#include "format_internal.h"

bool format_is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *format_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

const char *format_word_end(const char *p)
{
    if (!format_is_word_start(*p))
        return p;
    while (format_is_word_start(*p) || (*p >= '0' && *p <= '9'))
        p++;
    return p;
}

uint64_t format_col(const tsr_cursor *cursor)
{
    return (uint64_t)(cursor->p - cursor->start) + 1;
}

tsr_status format_unexpected(const tsr_cursor *cursor, const char *expected, tsr_error *err)
{
    return tsr_fail_expected(err, 0, format_col(cursor), expected, cursor->p,
                             (uint64_t)(format_word_end(cursor->p) - cursor->p));
}

tsr_status format_expect(tsr_cursor *cursor, const char *token, const char *expected, tsr_error *err)
{
    const size_t n = strlen(token);
    cursor->p = format_skip_blanks(cursor->p);
    if (strncmp(cursor->p, token, n) != 0)
        return format_unexpected(cursor, expected, err);
    cursor->p = format_skip_blanks(cursor->p + n);
    return TSR_OK;
}
