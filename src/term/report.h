/* The messages of the tools: exit codes, errors and warnings on standard error, a progress line on a
 * terminal. */
#ifndef TSR_CLI_REPORT_H
#define TSR_CLI_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "signals.h"
#include "tsr_observer.h"

/* Exit codes, documented in --help and in the man pages. */
enum {
    TSR_EXIT_OK = 0,
    TSR_EXIT_INPUT = 1,  /* the input is wrong, or the request cannot be carried out */
    TSR_EXIT_USAGE = 2,  /* the command line is wrong */
    TSR_EXIT_SYSTEM = 3, /* input/output or memory failed; 128 + N: signal N ended it, see signals.h */
};
#define TSR_EXIT_CODES_HELP                                         \
    "Exit codes:\n"                                                 \
    "    0  done\n"                                                 \
    "    1  the input is bad, or the job cannot be done as asked\n" \
    "    2  the command line is wrong\n"                            \
    "    3  the system failed: input/output, memory\n"              \
    "128+N  ended by signal N: 130 INT (Ctrl-C), 143 TERM, 129 HUP, 131 QUIT, 152 XCPU\n"

typedef enum tsr_cli_progress_when {
    TSR_PROGRESS_AUTO,
    TSR_PROGRESS_ALWAYS, /* redraw one line, as on a terminal */
    TSR_PROGRESS_NEVER,
    TSR_PROGRESS_LINES, /* print a line every `seconds`, as without a terminal */
} tsr_cli_progress_when;

/* Whether and how progress is shown. All-zero: a line that is redrawn if standard error is a terminal, else a
 * new line every 30 seconds. */
typedef struct tsr_cli_progress {
    tsr_cli_progress_when when;
    double seconds; /* seconds between lines; 0: 30 */
} tsr_cli_progress;
#define TSR_CLI_PROGRESS_HELP                                                                               \
    "how progress is shown: auto (one updated line on a terminal, else lines), always (one updated line), " \
    "never, lines (a new "                                                                                  \
    "line every 30 seconds), or the seconds between lines"
/* Parse the argument of --progress. TSR_ARGUMENT. */
tsr_status tsr_cli_parse_progress(tsr_cli_progress *out, const char *text, tsr_error *err) TSR_NODISCARD;

/* Where an error is: if text is not NULL, in the argument of an option (NULL: in an operand), in column err->col. */
typedef struct tsr_cli_place {
    const char *option, *text;
} tsr_cli_place;

typedef struct tsr_cli_report {
    const char *tool;          /* name of the tool, before every message */
    bool quiet;                /* print errors only */
    bool terminal;             /* standard error is a terminal */
    bool drawn;                /* a progress line is on the screen */
    double line_seconds;       /* seconds between lines of progress; 0: no progress */
    bool asked;                /* for lines, by --progress */
    const char *phase;         /* the phase of the last progress report */
    uint64_t done, total;      /* its numbers */
    double start, phase_start; /* seconds on the clock of tsr_cli_now */
    double next_draw;
    tsr_observer observer; /* the observer for the library; its ctx is this report */
} tsr_cli_report;

/* Initialise a report. `report` must not move while its observer is in use. From now on signals interrupt the
 * run (see signals.h): the observer's progress function returns false. */
void tsr_cli_report_init(tsr_cli_report *report, const char *tool, bool quiet);
/* Show progress in this way; not at all if the report is quiet. */
void tsr_cli_report_progress(tsr_cli_report *report, const tsr_cli_progress *progress);
/* Erase the progress line, if there is one. */
void tsr_cli_report_wipe(tsr_cli_report *report);
/* Print `text` wrapped to lines of `width` columns that begin with `indent` blanks; the cursor stands in
 * column `col`. '\n' in the text begins a new line. */
void tsr_cli_print_wrapped(FILE *to, const char *text, int col, int indent, int width);

/* The columns of the terminal that the stream writes to, at least 40; 0: it is not a terminal, or does not tell. */
int tsr_cli_width(FILE *stream);
/* A sentence on standard error and a line end; on a terminal wrapped to its width, the lines after the first indented. */
void tsr_cli_put_message(const char *format, ...) TSR_PRINTF(1, 2);
/* The exit code for a status. */
int tsr_cli_exit_code(tsr_status status);
/* Print the error, return its exit code. */
int tsr_cli_report_error(tsr_cli_report *report, const tsr_error *err);
/* The same for an error in the text of option --`option` (NULL: of an operand), which is printed with a caret
 * under err->col. Returns TSR_EXIT_USAGE, except for errors of the system. */
int tsr_cli_report_text_error(tsr_cli_report *report, const char *option, const char *text,
                              const tsr_error *err);
/* Print a sentence about the work, unless quiet. */
void tsr_cli_report_line(tsr_cli_report *report, const char *format, ...) TSR_PRINTF(2, 3);

/* Seconds on a clock that never goes backward. */
double tsr_cli_now(void);
/* Write "76.9 M", or the number itself below a million, into buf (at least 32 bytes); returns buf. */
char *tsr_cli_count_text(char *buf, double n);

/* Flush standard output; returns TSR_EXIT_SYSTEM with a message if the output could not be written, else
 * `code`. */
int tsr_cli_close_stdout(const char *tool, int code);

#endif
