/* Prints JSON: see tsr_json.h. */
#include "tsr_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tsr_num.h"
#include "tsr_shown.h"

static void put(const tsr_json *json, const char *s)
{
    json->put(json->to, s, strlen(s));
}

static void put_text(void *to, const char *s, size_t n)
{
    tsr_text_add_n(to, s, n);
}

tsr_json tsr_json_of_text(tsr_text *text)
{
    return (tsr_json){.put = put_text, .to = text};
}

static void put_spaces(const tsr_json *json, int n)
{
    static const char spaces[] = "                                ";
    _Static_assert(sizeof spaces > 2 * (TSR_JSON_MAX_DEPTH - 1), "one indentation fits");
    put(json, "\n");
    json->put(json->to, spaces, (size_t)n);
}

static void put_string(const tsr_json *json, const char *text)
{
    const char *const end = text + strlen(text);
    put(json, "\"");
    for (const char *p = text; p < end;) {
        const tsr_char c = tsr_char_at(p, end);
        if (!c.utf8)
            put(json, "\\ufffd");
        else if (!c.plain) { /* four hexadecimal digits: characters beyond U+FFFF are printed as they are */
            char code[16];
            snprintf(code, sizeof code, "\\u%04x", (unsigned)c.code);
            put(json, code);
        } else {
            if (*p == '"' || *p == '\\')
                put(json, "\\");
            json->put(json->to, p, (size_t)c.nbytes);
        }
        p += c.nbytes;
    }
    put(json, "\"");
}

/* Write the comma, the newline and the key before a value. */
static void begin(tsr_json *json, const char *key)
{
    const int d = json->depth;
    if (d > 0) {
        if (json->any[d])
            put(json, ",");
        if (!json->inside[d])
            put_spaces(json, 2 * d);
        else if (json->any[d])
            put(json, " ");
        json->any[d] = true;
    }
    if (key) {
        put_string(json, key);
        put(json, ": ");
    }
}

void tsr_json_open(tsr_json *json, const char *key, char bracket, bool one_line)
{
    begin(json, key);
    json->put(json->to, &bracket, 1);
    const bool inside = one_line || (json->depth > 0 && json->inside[json->depth]);
    json->depth++;
    json->any[json->depth] = false;
    json->inside[json->depth] = inside;
}

void tsr_json_close(tsr_json *json, char bracket)
{
    const bool lines = json->any[json->depth] && !json->inside[json->depth];
    json->depth--;
    if (lines)
        put_spaces(json, 2 * json->depth);
    json->put(json->to, &bracket, 1);
    if (json->depth == 0)
        put(json, "\n");
}

void tsr_json_string(tsr_json *json, const char *key, const char *text)
{
    begin(json, key);
    put_string(json, text);
}

void tsr_json_bool(tsr_json *json, const char *key, bool v)
{
    begin(json, key);
    put(json, v ? "true" : "false");
}

void tsr_json_null(tsr_json *json, const char *key)
{
    begin(json, key);
    put(json, "null");
}

void tsr_json_u64(tsr_json *json, const char *key, uint64_t v)
{
    char buf[TSR_U64_NBYTES];
    begin(json, key);
    json->put(json->to, buf, tsr_print_u64(buf, v));
}

void tsr_json_i64(tsr_json *json, const char *key, int64_t v)
{
    char buf[32];
    begin(json, key);
    snprintf(buf, sizeof buf, "%lld", (long long)v);
    put(json, buf);
}

static void put_f64(tsr_json *json, double v)
{
    char buf[TSR_F64_NBYTES];
    const size_t n = tsr_print_f64(buf, v);
    const char *const quote = isfinite(v) ? "" : "\"";
    put(json, quote);
    json->put(json->to, buf, n);
    put(json, quote);
}

void tsr_json_f64(tsr_json *json, const char *key, double v)
{
    begin(json, key);
    put_f64(json, v);
}

/* Write a real number that was already printed: "1.5", "nan", "-inf". */
static void put_printed(tsr_json *json, const char *text, size_t n)
{
    const char last = n > 0 ? text[n - 1] : '0';
    const char *const quote = last >= '0' && last <= '9' ? "" : "\"";
    put(json, quote);
    json->put(json->to, text, n);
    put(json, quote);
}

void tsr_json_value(tsr_json *json, const char *key, tsr_type type, const void *v)
{
    char buf[TSR_VALUE_TEXT_NBYTES];
    const size_t n = tsr_value_print(buf, type, v);
    const char *const blank = memchr(buf, ' ', n);
    begin(json, key);
    if (!blank) {
        put_printed(json, buf, n);
        return;
    }
    put(json, "[");
    put_printed(json, buf, (size_t)(blank - buf));
    put(json, ", ");
    put_printed(json, blank + 1, n - (size_t)(blank - buf) - 1);
    put(json, "]");
}

void tsr_json_dims(tsr_json *json, const char *key, int n, const uint64_t *dims)
{
    tsr_json_open(json, key, '[', true);
    for (int m = 0; m < n; m++)
        tsr_json_u64(json, NULL, dims[m]);
    tsr_json_close(json, ']');
}

void tsr_json_indices(tsr_json *json, const char *key, const tsr_array *array)
{
    tsr_json_open(json, key, '[', true);
    for (uint64_t i = 0; i < array->n; i++)
        tsr_json_u64(json, NULL, tsr_array_get(array, i));
    tsr_json_close(json, ']');
}
