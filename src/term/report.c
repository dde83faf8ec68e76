/* Messages and progress: see report.h. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_num.h"
#include "tsr_shown.h"
#include "tsr_text.h"

enum { MAX_LINE = 4096 }; /* bytes of a sentence on standard error */

double tsr_cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

char *tsr_cli_count_text(char *buf, double n)
{
    static const char unit[] = " MGTPE"; /* 10^3, 10^6, ... */
    if (n < 1e6) {
        snprintf(buf, 32, "%.0f", n);
        return buf;
    }
    if (!(n < 1e21)) {
        snprintf(buf, 32, "%.3g", n);
        return buf;
    }
    int u = 0;
    n /= 1e3;
    while (n >= 999.5 && u < 5) {
        n /= 1e3;
        u++;
    }
    snprintf(buf, 32, "%.*f %c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, unit[u]);
    return buf;
}

/* ---- messages ---- */

void tsr_cli_print_wrapped(FILE *to, const char *text, int col, int indent, int width)
{
    for (const char *p = text; *p;) {
        if (*p == '\n') {
            fputc('\n', to);
            col = 0;
            p++;
            continue;
        }
        const char *const word = p + strspn(p, " ");
        const int n = (int)strcspn(word, " \n");
        bool begins = col <= indent;
        if (!begins && col + 1 + n > width) {
            fputc('\n', to);
            col = 0;
            begins = true;
        }
        if (col < indent) {
            fprintf(to, "%*s", indent - col, "");
            col = indent;
        } else if (!begins) {
            fputc(' ', to);
            col++;
        }
        fwrite(word, 1, (size_t)n, to);
        col += n;
        p = word + n;
    }
    fputc('\n', to);
}

int tsr_cli_width(FILE *stream)
{
    enum { NARROWEST = 40 };
    struct winsize size;
    const int fd = fileno(stream);
    if (isatty(fd) != 1 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 0;
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

void tsr_cli_put_message(const char *format, ...)
{
    enum { INDENT = 2 };
    char text[MAX_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const int width = tsr_cli_width(stderr);
    if (width == 0 || strlen(text) <= (size_t)width)
        fprintf(stderr, "%s\n", text);
    else
        tsr_cli_print_wrapped(stderr, text, INDENT, INDENT, width);
}

void tsr_cli_report_wipe(tsr_cli_report *report)
{
    if (report->drawn)
        fputs("\r\033[K", stderr);
    report->drawn = false;
}

int tsr_cli_exit_code(tsr_status status)
{
    static const int code[TSR_NSTATUS] = {
        [TSR_OK] = TSR_EXIT_OK,
        [TSR_NOMEM] = TSR_EXIT_SYSTEM,
        [TSR_IO] = TSR_EXIT_SYSTEM,
        [TSR_ARGUMENT] = TSR_EXIT_USAGE,
    };
    if (status == TSR_CANCELLED)
        return tsr_cli_interrupt_code();
    return status == TSR_OK || code[status] ? code[status] : TSR_EXIT_INPUT;
}

int tsr_cli_report_error(tsr_cli_report *report, const tsr_error *err)
{
    tsr_cli_report_wipe(report);
    if (err->status == TSR_CANCELLED) {
        if (tsr_cli_interrupt_words())
            tsr_cli_put_message("%s: %s", report->tool, tsr_cli_interrupt_words());
    } else {
        char text[sizeof(tsr_error) + 64];
        tsr_cli_put_message("%s: %s", report->tool, tsr_error_text(text, sizeof text, err));
    }
    return tsr_cli_exit_code(err->status);
}

/* Print the characters of [p, end) as tsr_shown.h says; returns the number of columns. Line ends and tabs
 * become blanks, so that the text stays on one line. */
static int put_shown(const char *p, const char *end)
{
    int ncols = 0;
    while (p < end) {
        char one[32];
        const tsr_char c = tsr_char_at(p, end);
        const bool blank = c.utf8 && (c.code == '\n' || c.code == '\t' || c.code == '\r');
        const size_t n = tsr_show_n(one, sizeof one, blank ? " " : p, blank ? 1 : (size_t)c.nbytes);
        fwrite(one, 1, n, stderr);
        ncols += c.plain ? 1 : (int)n;
        p += c.nbytes;
    }
    return ncols;
}

/* Print the text with a caret under byte `at`; of a long text the part around it. */
static void show_caret(const char *text, size_t at)
{
    enum { BEFORE = 100, AFTER = 60 };
    const size_t nbytes = strlen(text);
    size_t first = at > BEFORE + 8 ? at - BEFORE : 0;
    size_t end = nbytes - at > AFTER + 8 ? at + AFTER : nbytes;
    while (first > 0 && ((unsigned char)text[first] & 0xc0) == 0x80 && first < at)
        first++; /* do not begin inside a UTF-8 character */
    while (end < nbytes && ((unsigned char)text[end] & 0xc0) == 0x80)
        end++;
    int col = 2;
    fputs("  ", stderr);
    if (first > 0)
        col += fprintf(stderr, "...");
    col += put_shown(text + first, text + at);
    put_shown(text + at, text + end);
    fprintf(stderr, "%s\n%*s^\n", end < nbytes ? "..." : "", col, "");
}

int tsr_cli_report_text_error(tsr_cli_report *report, const char *option, const char *text,
                              const tsr_error *err)
{
    tsr_cli_report_wipe(report);
    tsr_cli_put_message("%s: %s%s%s%s", report->tool, option ? "--" : "", option ? option : "",
                        option ? ": " : "", err->message);
    if (err->col > 0 && err->col <= strlen(text) + 1)
        show_caret(text, (size_t)err->col - 1);
    const int code = tsr_cli_exit_code(err->status);
    return code == TSR_EXIT_INPUT ? TSR_EXIT_USAGE : code;
}

void tsr_cli_report_line(tsr_cli_report *report, const char *format, ...)
{
    tsr_cli_report_wipe(report);
    if (report->quiet)
        return;
    char text[MAX_LINE];
    va_list args;
    va_start(args, format);
    tsr_show_format(text, sizeof text, format, args);
    va_end(args);
    tsr_cli_put_message("%s", text);
}

int tsr_cli_close_stdout(const char *tool, int code)
{
    const bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return code;
    if (tsr_cli_interrupted())
        return tsr_cli_interrupt_code();
    fprintf(stderr, "%s: standard output: %s\n", tool, errno ? strerror(errno) : "the output is incomplete");
    return TSR_EXIT_SYSTEM;
}

/* ---- the observer ---- */

static void on_warning(void *ctx, const tsr_error *warning)
{
    tsr_cli_report *const report = ctx;
    if (report->quiet)
        return;
    tsr_cli_report_wipe(report);
    char text[sizeof(tsr_error) + 64];
    tsr_cli_put_message("%s: warning: %s", report->tool, tsr_error_text(text, sizeof text, warning));
}

/* "12 s", "3 min 20 s", "2 h 5 min" */
static void duration_text(char *buf, size_t n, double seconds)
{
    const double s = ceil(seconds);
    if (s < 60)
        snprintf(buf, n, "%.0f s", s);
    else if (s < 3600)
        snprintf(buf, n, "%.0f min %.0f s", floor(s / 60), fmod(s, 60));
    else
        snprintf(buf, n, "%.0f h %.0f min", floor(s / 3600), floor(fmod(s, 3600) / 60));
}

static void amount_text(char *buf, const char *phase, double n)
{
    if (strcmp(phase, "pack") == 0 || strcmp(phase, "transform") == 0 || strcmp(phase, "generate") == 0 ||
        strcmp(phase, "survey") == 0)
        tsr_cli_count_text(buf, n);
    else
        tsr_bytes_text_f(buf, n);
}

/* Append "45%, 640 MB of 1.5 GB, 600 MB/s, 2 s left". The time left is shown once two seconds have passed and
 * a fiftieth of the work is done: before that the speed says little. */
static void add_state(tsr_text *text, const tsr_cli_report *report, double now, uint64_t done, uint64_t total)
{
    enum { SURE_PARTS = 50 };
    char amount[32], whole[32], rate[32], left[64];
    const double seconds = now - report->phase_start;
    const double speed = seconds > 0 ? (double)done / seconds : 0;
    amount_text(amount, report->phase, (double)done);
    amount_text(rate, report->phase, speed);
    if (total > 0) {
        amount_text(whole, report->phase, (double)total);
        tsr_text_addf(text, "%.0f%%, %s of %s", floor(100.0 * (double)done / (double)total), amount, whole);
    } else {
        tsr_text_add(text, amount);
    }
    tsr_text_addf(text, ", %s/s", rate);
    if (total > done && speed > 0 && seconds >= 2 && done >= total / SURE_PARTS) {
        duration_text(left, sizeof left, (double)(total - done) / speed);
        tsr_text_addf(text, ", %s left", left);
    }
}

/* Draw "\rread 45%, ..." over the previous line. */
static void draw(tsr_cli_report *report, const tsr_text *state)
{
    fprintf(stderr, "\r%s %s\033[K", report->phase, tsr_text_cstr(state));
    fflush(stderr);
    report->drawn = true;
}

/* Print "tconv: read 45%, ..., 1 min 30 s so far": the time of the phase. */
static void print_line(const tsr_cli_report *report, const tsr_text *state, double now)
{
    char elapsed[64];
    duration_text(elapsed, sizeof elapsed, now - report->phase_start);
    fprintf(stderr, "%s: %s %s, %s so far\n", report->tool, report->phase, tsr_text_cstr(state), elapsed);
    fflush(stderr);
}

/* Note a report of progress. The phase is a new one, too, if it has another total, or begins again: several tensors may be
 * made one after the other, with other work between them. */
static void note(tsr_cli_report *report, const char *phase, uint64_t done, uint64_t total, double now)
{
    if (!report->phase || strcmp(report->phase, phase) != 0 || total != report->total ||
        done < report->done / 2) {
        report->phase = phase;
        report->phase_start = now;
    }
    report->done = done;
    report->total = total;
}

static bool on_progress(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    enum { DRAWS_PER_SECOND = 2 };
    tsr_cli_report *const report = ctx;
    if (report->quiet || (!report->terminal && report->line_seconds <= 0))
        return !tsr_cli_interrupted();
    const double now = tsr_cli_now();
    note(report, phase, done, total, now);
    if (now >= report->next_draw) {
        tsr_text state = {0};
        add_state(&state, report, now, done, total);
        if (report->terminal)
            draw(report, &state);
        else
            print_line(report, &state, now);
        report->next_draw = now + (report->terminal ? 1.0 / DRAWS_PER_SECOND : report->line_seconds);
        tsr_text_clear(&state);
    }
    return !tsr_cli_interrupted();
}

tsr_status tsr_cli_parse_progress(tsr_cli_progress *out, const char *text, tsr_error *err)
{
    static const char *const words[] = {"auto", "always", "never", "lines", NULL};
    const char *const end = text + strlen(text);
    double seconds;
    if (tsr_parse_f64(&seconds, text, end) == end && end > text) {
        if (!(seconds > 0 && seconds <= 86400))
            return tsr_fail(err, TSR_ARGUMENT, "'%.40s' seconds are out of range: use 0 to 86400", text);
        *out = (tsr_cli_progress){.when = TSR_PROGRESS_LINES, .seconds = seconds};
        return TSR_OK;
    }
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = (tsr_cli_progress){.when = (tsr_cli_progress_when)i};
            return TSR_OK;
        }
    return tsr_fail(err, TSR_ARGUMENT,
                    "invalid value '%.40s': use auto, always, never, lines, or the seconds between lines",
                    text);
}

void tsr_cli_report_progress(tsr_cli_report *report, const tsr_cli_progress *progress)
{
    const bool draws = progress->when == TSR_PROGRESS_ALWAYS ||
                       (progress->when == TSR_PROGRESS_AUTO && isatty(STDERR_FILENO) == 1);
    const bool lines = !draws && progress->when != TSR_PROGRESS_NEVER;
    report->terminal = draws;
    report->asked = progress->when == TSR_PROGRESS_LINES;
    report->line_seconds = lines ? progress->seconds > 0 ? progress->seconds : 30 : 0;
    /* nothing is drawn for work that takes less than a second */
    report->next_draw = report->start + (lines ? report->line_seconds : 1.0);
}

void tsr_cli_report_init(tsr_cli_report *report, const char *tool, bool quiet)
{
    memset(report, 0, sizeof *report);
    report->tool = tool;
    report->quiet = quiet;
    report->start = tsr_cli_now();
    tsr_cli_report_progress(report, &(tsr_cli_progress){.when = TSR_PROGRESS_AUTO});
    report->observer.ctx = report;
    report->observer.warn = on_warning;
    report->observer.progress = on_progress;
    tsr_cli_signals_init();
}
