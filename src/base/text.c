/* Text buffer: see tsr_text.h. */
#include "tsr_text.h"

#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_num.h"

static bool reserve(tsr_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more < text->capacity - text->nbytes)
        return true;
    size_t capacity = text->capacity ? text->capacity : 128;
    while (capacity - text->nbytes <= more) {
        if (capacity > SIZE_MAX / 4) {
            text->failed = true;
            return false;
        }
        capacity *= 2;
    }
    char *s = tsr_realloc(text->s, capacity);
    if (!s) {
        text->failed = true;
        return false;
    }
    text->s = s;
    text->capacity = capacity;
    return true;
}

void tsr_text_add_n(tsr_text *text, const char *s, size_t n)
{
    if (!reserve(text, n))
        return;
    memcpy(text->s + text->nbytes, s, n);
    text->nbytes += n;
    text->s[text->nbytes] = '\0';
}

void tsr_text_add(tsr_text *text, const char *s)
{
    tsr_text_add_n(text, s, strlen(s));
}

void tsr_text_add_c_string(tsr_text *text, const char *s)
{
    tsr_text_add(text, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            tsr_text_add(text, "\\");
        tsr_text_add_n(text, s, 1);
    }
    tsr_text_add(text, "\"");
}

void tsr_text_addf(tsr_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        text->failed = true;
    else if (reserve(text, (size_t)n)) {
        vsnprintf(text->s + text->nbytes, (size_t)n + 1, format, again);
        text->nbytes += (size_t)n;
    }
    va_end(again);
}

void tsr_text_add_u64(tsr_text *text, uint64_t v)
{
    char digits[TSR_U64_NBYTES];
    tsr_text_add_n(text, digits, tsr_print_u64(digits, v));
}

void tsr_text_add_i64(tsr_text *text, int64_t v)
{
    char digits[TSR_I64_NBYTES];
    tsr_text_add_n(text, digits, tsr_print_i64(digits, v));
}

void tsr_text_cut(tsr_text *text, size_t n)
{
    if (text->s && n < text->nbytes) {
        text->nbytes = n;
        text->s[n] = '\0';
    }
}

const char *tsr_text_cstr(const tsr_text *text)
{
    return text->s ? text->s : "";
}

tsr_status tsr_text_status(const tsr_text *text, tsr_error *err)
{
    return text->failed ? tsr_fail(err, TSR_NOMEM, "out of memory for a text of %zu bytes", text->nbytes)
                        : TSR_OK;
}

tsr_status tsr_text_take(char **out, tsr_text *text, tsr_error *err)
{
    tsr_status status = tsr_text_status(text, err);
    if (status == TSR_OK && !text->s) {
        text->s = tsr_strdup("");
        if (!text->s)
            status = tsr_fail(err, TSR_NOMEM, "out of memory: a text");
    }
    if (status == TSR_OK) {
        *out = text->s;
        *text = (tsr_text){0};
    }
    tsr_text_clear(text);
    return status;
}

void tsr_text_clear(tsr_text *text)
{
    tsr_free(text->s);
    *text = (tsr_text){0};
}

bool tsr_name_is(const char *name, const char *s, size_t n)
{
    return name && strlen(name) == n && memcmp(name, s, n) == 0;
}

size_t tsr_name_find(const char *const *names, size_t nrows, size_t row_nbytes, const char *s, size_t n)
{
    size_t row = 0;
    while (row < nrows && !tsr_name_is(*(const char *const *)((const char *)names + row * row_nbytes), s, n))
        row++;
    return row;
}
