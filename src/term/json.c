/* Writes JSON: see json.h. */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_num.h"
#include "tsr_output.h"
#include "tsr_shown.h"

static void put_string(FILE *to, const char *text)
{
    const char *const end = text + strlen(text);
    fputc('"', to);
    for (const char *p = text; p < end;) {
        const tsr_char c = tsr_char_at(p, end);
        if (!c.utf8)
            fputs("\\ufffd", to);
        else if (!c.plain) /* four hexadecimal digits: characters beyond U+FFFF are printed as they are */
            fprintf(to, "\\u%04x", (unsigned)c.code);
        else if (*p == '"' || *p == '\\')
            fprintf(to, "\\%c", *p);
        else
            fwrite(p, 1, (size_t)c.nbytes, to);
        p += c.nbytes;
    }
    fputc('"', to);
}

/* Write the comma, the newline and the key before a value. */
static void begin(tsr_json *json, const char *key)
{
    const int d = json->depth;
    if (d > 0) {
        if (json->any[d])
            fputc(',', json->to);
        if (!json->inside[d])
            fprintf(json->to, "\n%*s", 2 * d, "");
        else if (json->any[d])
            fputc(' ', json->to);
        json->any[d] = true;
    }
    if (key) {
        put_string(json->to, key);
        fputs(": ", json->to);
    }
}

void tsr_json_open(tsr_json *json, const char *key, char bracket, bool one_line)
{
    begin(json, key);
    fputc(bracket, json->to);
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
        fprintf(json->to, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->to);
    if (json->depth == 0)
        fputc('\n', json->to);
}

void tsr_json_string(tsr_json *json, const char *key, const char *text)
{
    begin(json, key);
    put_string(json->to, text);
}

void tsr_json_bool(tsr_json *json, const char *key, bool v)
{
    begin(json, key);
    fputs(v ? "true" : "false", json->to);
}

void tsr_json_null(tsr_json *json, const char *key)
{
    begin(json, key);
    fputs("null", json->to);
}

void tsr_json_u64(tsr_json *json, const char *key, uint64_t v)
{
    char buf[TSR_U64_NBYTES];
    begin(json, key);
    fwrite(buf, 1, tsr_print_u64(buf, v), json->to);
}

void tsr_json_i64(tsr_json *json, const char *key, int64_t v)
{
    begin(json, key);
    fprintf(json->to, "%lld", (long long)v);
}

static void put_f64(tsr_json *json, double v)
{
    char buf[TSR_F64_NBYTES];
    const size_t n = tsr_print_f64(buf, v);
    const char *const quote = isfinite(v) ? "" : "\"";
    fprintf(json->to, "%s%.*s%s", quote, (int)n, buf, quote);
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
    fprintf(json->to, "%s%.*s%s", quote, (int)n, text, quote);
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
    fputc('[', json->to);
    put_printed(json, buf, (size_t)(blank - buf));
    fputs(", ", json->to);
    put_printed(json, blank + 1, n - (size_t)(blank - buf) - 1);
    fputc(']', json->to);
}

void tsr_json_indices(tsr_json *json, const char *key, const tsr_array *array)
{
    tsr_json_open(json, key, '[', true);
    for (uint64_t i = 0; i < array->n; i++)
        tsr_json_u64(json, NULL, tsr_array_get(array, i));
    tsr_json_close(json, ']');
}

/* ---- the object of --json ---- */

static bool to_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

tsr_status tsr_json_output_begin(tsr_json_output *output, const char *path, bool whole, tsr_error *err)
{
    *output = (tsr_json_output){.json.to = stdout};
    if (whole || !to_stdout(path))
        output->json.to = open_memstream(&output->bytes, &output->nbytes);
    if (!output->json.to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_json_open(&output->json, NULL, '{', false);
    return TSR_OK;
}

static tsr_status write_file(const char *path, const tsr_json_output *output, tsr_error *err)
{
    tsr_output *file = NULL;
    const tsr_output_options plain = {.gzip_level = -1};
    TSR_TRY(tsr_output_open(&file, path, &plain, err));
    tsr_status status = tsr_output_write(file, output->bytes, output->nbytes, err);
    if (status == TSR_OK)
        status = tsr_output_commit(file, err);
    tsr_output_free(file);
    return status;
}

tsr_status tsr_json_output_end(tsr_json_output *output, const char *path, tsr_status status, tsr_error *err)
{
    tsr_json_close(&output->json, '}');
    if (output->json.to == stdout)
        return status;
    if (fclose(output->json.to) != 0 && status == TSR_OK)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && to_stdout(path))
        fwrite(output->bytes, 1, output->nbytes, stdout);
    else if (status == TSR_OK)
        status = write_file(path, output, err);
    free(output->bytes);
    return status;
}
