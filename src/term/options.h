/* Command lines from one table per tool. The same rows parse the arguments, print --help, and make the lists of options in the man
 * pages and in the shell completions (docs/man/README.md). */
#ifndef TSR_CLI_OPTIONS_H
#define TSR_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"
#include "tsr_error.h"

typedef struct tsr_cli_tool tsr_cli_tool;

/* The settings that tools share, see rows.h: the first member of each tool's settings. All-zero: the defaults. */
typedef struct tsr_cli_common {
    bool quiet, json;
    const char *json_path;  /* of --json=FILE; NULL: standard output */
    int nthreads;           /* 0: see tsr_thread_count */
    uint64_t memory_nbytes; /* of --memory; 0: not given */
    tsr_cli_progress progress;
} tsr_cli_common;

typedef struct tsr_cli_option {
    const char *name; /* "index-base", without dashes; NULL: a heading of --help, whose text is `help` */
    char letter;      /* 'o' for -o; 0: no letter */
    /* "FILE": the option takes one argument, of that name; "[N]": the argument is optional, written --name=N,
     * and its value is NULL if missing; NULL: no argument */
    const char *arg;
    /* description; --help wraps it, '\n' begins a new line. NULL (and no name): the end of the table */
    const char *help;
    /* Store the argument (NULL if the option takes none) in the settings of the tool. A failure is a usage
     * error; its sentence says what is wrong with the argument. */
    tsr_status (*set)(void *settings, const char *value, tsr_error *err);
    /* Instead of `set`: print something on standard output, after which the tool ends. */
    void (*show)(const tsr_cli_tool *tool);
    /* Neither: the set_more of the tool. */
} tsr_cli_option;

struct tsr_cli_tool {
    const char *name;              /* "tconv" */
    const char *usage;             /* the text after the name: "IN -o OUT"; one form per line */
    const char *summary;           /* one or more sentences, wrapped */
    const char *notes;             /* printed unchanged below the options */
    const tsr_cli_option *options; /* headings and options, ended by a row without name and help */
    /* names of options between spaces, " output from ", that are a usage error when given twice; NULL: none */
    const char *once;
    int max_operands;
    const char *extra_operand; /* said when one more operand is given: "use -o OUT for the output"; or NULL */
    void (*show_more)(void);   /* printed by --help after the notes; NULL: nothing */
    /* Print lines of --describe-options besides those of the options, each begun by `table` and a tab; NULL: nothing. */
    void (*describe_more)(const char *table);
    /* The same as `set` of an option, for options without it. */
    tsr_status (*set_more)(void *settings, const char *name, const char *value, tsr_error *err);
};

enum { TSR_CLI_MAX_OPERANDS = 4096 };

/* Names that options had in the version before: accepted for one version, with a note on standard error unless --quiet is given, by
 * each tool that has an option of the new name and not one of the old. {NULL} at the end. */
typedef struct tsr_cli_renamed {
    const char *old, *name;
} tsr_cli_renamed;
extern const tsr_cli_renamed tsr_cli_renamed_options[];

/* The operands that parsing leaves. */
typedef struct tsr_cli_operands {
    int n;
    const char *text[TSR_CLI_MAX_OPERANDS];
} tsr_cli_operands;

/* Parse argv as GNU tools do: --name=value, --name value, -o value, -ovalue, -abc for flags, -- ends the
 * options, "-" is an operand, options and operands in any order; a name may be cut where no other begins so
 * (--verb for --verbose), else the complaint lists the candidates. The next word is not taken as an argument
 * if it is an option itself (-o, --name): such an argument is written --name=-o. Returns -1 to go on, or the exit code with
 * which the tool is done: 0 after a `show` option, TSR_EXIT_USAGE after a complaint on standard error (with
 * the nearest names for an unknown one). `settings` begins with a tsr_cli_common, or is NULL where no option sets anything.
 *
 * "--describe-options=TABLE" alone prints the table for programs (docs/man/README.md, completions/tessera.bash). One line for each
 * row, of words with tabs between them: TABLE, "heading", the text; or TABLE, "option", "-o" or nothing, "--output", "OUT" or
 * nothing, the description. */
int tsr_cli_parse(tsr_cli_operands *operands, const tsr_cli_tool *tool, void *settings, int argc,
                  char *const *argv);

/* Note on standard error, unless the settings (a tsr_cli_common, or NULL) say quiet, that `old` has become `name`. */
void tsr_cli_note_renamed(const tsr_cli_tool *tool, const void *settings, const char *old, const char *name);

/* Print an error about the command line, and a hint to --help, on standard error; returns TSR_EXIT_USAGE. */
int tsr_cli_usage_error(const tsr_cli_tool *tool, const char *format, ...) TSR_PRINTF(2, 3);

/* The `show` functions of --help and --version. */
void tsr_cli_show_help(const tsr_cli_tool *tool);
void tsr_cli_show_version(const tsr_cli_tool *tool);

/* ---- arguments that several tools take ---- */

/* Parse a decimal number in [lo, hi]; TSR_ARGUMENT with the range otherwise. */
tsr_status tsr_cli_parse_int(int *out, const char *text, int lo, int hi, tsr_error *err) TSR_NODISCARD;
/* Parse a number of bytes: "500M", "4G", "1.5G"; K, M, G and T are powers of 1024. TSR_ARGUMENT. */
tsr_status tsr_cli_parse_nbytes(uint64_t *out, const char *text, tsr_error *err) TSR_NODISCARD;
/* Parse "4,5,6" or "4x5x6": at most max_n numbers up to max; *n is their number. TSR_ARGUMENT. */
tsr_status tsr_cli_parse_list(uint64_t *out, int *n, const char *text, int max_n, uint64_t max,
                              tsr_error *err) TSR_NODISCARD;
/* The index of `text` in `words` (NULL-terminated); TSR_ARGUMENT with the list of words for an unknown
 * one. */
tsr_status tsr_cli_parse_word(int *out, const char *text, const char *const *words,
                              tsr_error *err) TSR_NODISCARD;

#endif
