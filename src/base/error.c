/* Errors: see tsr_error.h. */
#include "tsr_error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_observer.h"
#include "tsr_shown.h"

static void set_path(tsr_error *err, const char *path)
{
    tsr_show_n(err->path, sizeof err->path, path, strlen(path));
}

/* Fill in everything except the place, which is unknown. */
static void fill(tsr_error *err, tsr_status status, const char *format, va_list args)
{
    if (!err)
        return;
    err->status = status;
    err->line = err->col = 0;
    err->path[0] = '\0';
    tsr_show_format(err->message, sizeof err->message, format, args);
}

tsr_status tsr_fail(tsr_error *err, tsr_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    return status;
}

tsr_status tsr_fail_at(tsr_error *err, tsr_status status, const char *path, uint64_t line, uint64_t col,
                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    if (err) {
        err->line = line;
        err->col = col;
        if (path)
            set_path(err, path);
    }
    return status;
}

tsr_status tsr_fail_expected(tsr_error *err, uint64_t line, uint64_t col, const char *what, const char *at,
                             uint64_t n)
{
    if (*at == '\0')
        return tsr_fail_at(err, TSR_SYNTAX, NULL, line, col, "expected %s, but the text ends", what);
    if (n == 0) /* a character that is not ASCII has more than one byte */
        for (n = 1; (at[0] & 0x80) && ((unsigned char)at[n] & 0xc0) == 0x80; n++) {
        }
    char token[48];
    tsr_show_n(token, sizeof token, at, n);
    return tsr_fail_at(err, TSR_SYNTAX, NULL, line, col, "expected %s, not '%s'", what, token);
}

tsr_status tsr_fail_as(tsr_error *err, const tsr_error *kept)
{
    if (err && kept->status != TSR_OK)
        *err = *kept;
    return kept->status;
}

void tsr_error_set_path(tsr_error *err, const char *path)
{
    if (err && path && err->path[0] == '\0')
        set_path(err, path);
}

const char *tsr_status_words(tsr_status status)
{
    static const char *const words[] = {
#define X(name, text) text,
#include "status.def"
#undef X
    };
    return (unsigned)status < TSR_NSTATUS ? words[status] : "unknown status";
}

char *tsr_error_text(char *buf, uint64_t nbytes, const tsr_error *err)
{
    char where[sizeof err->path + 48] = "";
    if (err->path[0] && err->line && err->col)
        snprintf(where, sizeof where, "%s:%" PRIu64 ":%" PRIu64 ": ", err->path, err->line, err->col);
    else if (err->path[0] && err->line)
        snprintf(where, sizeof where, "%s:%" PRIu64 ": ", err->path, err->line);
    else if (err->path[0])
        snprintf(where, sizeof where, "%s: ", err->path);
    else if (err->line && err->col)
        snprintf(where, sizeof where, "line %" PRIu64 ", column %" PRIu64 ": ", err->line, err->col);
    else if (err->col)
        snprintf(where, sizeof where, "column %" PRIu64 ": ", err->col);
    snprintf(buf, nbytes, "%s%s", where, err->message);
    return buf;
}

/* ---- observers: see tsr_observer.h ---- */

void tsr_warn(const tsr_observer *observer, const char *path, uint64_t line, const char *format, ...)
{
    if (!observer || !observer->warn)
        return;
    tsr_error warning;
    char sentence[sizeof warning.message];
    va_list args;
    va_start(args, format);
    tsr_show_format(sentence, sizeof sentence, format, args);
    va_end(args);
    tsr_fail_at(&warning, TSR_OK, path, line, 0, "%s", sentence);
    observer->warn(observer->ctx, &warning);
}

tsr_status tsr_progress(const tsr_observer *observer, const char *phase, uint64_t done, uint64_t total,
                        tsr_error *err)
{
    if (!observer || !observer->progress || observer->progress(observer->ctx, phase, done, total))
        return TSR_OK;
    return tsr_fail(err, TSR_CANCELLED, "cancelled during phase %s", phase);
}
