/* Command lines: see options.h. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_num.h"
#include "tsr_shown.h"
#include "tsr_suggest.h"
#include "tsr_version.h"

enum { HELP_WIDTH = 96, HELP_INDENT = 26, MAX_NAME = 64, MAX_MESSAGE = 1024, MAX_OPTIONS = 128 };

const tsr_cli_renamed tsr_cli_renamed_options[] = {
    {"shape", "dims"},
    {"formats", "format"},
    {"list", "list-kernels"},
    {0},
};
enum { NRENAMED = sizeof tsr_cli_renamed_options / sizeof *tsr_cli_renamed_options };

/* A command line while it is parsed. */
typedef struct command_line {
    const tsr_cli_tool *tool;
    void *settings;
    int argc, i; /* argv[i] is parsed now */
    char *const *argv;
    bool noted[NRENAMED];    /* this old name was used */
    bool given[MAX_OPTIONS]; /* the option of this row of the table was given */
} command_line;

static bool is_end(const tsr_cli_option *option)
{
    return !option->name && !option->help;
}

/* ---- --help, --version and --describe-options ---- */

/* Lines of --help: HELP_WIDTH columns, fewer where the terminal has fewer. */
static int help_width(void)
{
    const int width = tsr_cli_width(stdout);
    return width > 0 && width < HELP_WIDTH ? width : HELP_WIDTH;
}

/* Whether the argument of the option is optional: "[N]". */
static bool is_optional(const tsr_cli_option *option)
{
    return option->arg && option->arg[0] == '[';
}

static void show_option(const tsr_cli_option *option)
{
    char head[MAX_NAME * 2];
    int col;
    if (option->letter)
        col = snprintf(head, sizeof head, "  -%c, --%s", option->letter, option->name);
    else
        col = snprintf(head, sizeof head, "      --%s", option->name);
    if (is_optional(option))
        col += snprintf(head + col, sizeof head - (size_t)col, "[=%s", option->arg + 1);
    else if (option->arg)
        col += snprintf(head + col, sizeof head - (size_t)col, "=%s", option->arg);
    fputs(head, stdout);
    if (col + 2 > HELP_INDENT) {
        fputc('\n', stdout);
        col = 0;
    }
    tsr_cli_print_wrapped(stdout, option->help, col, HELP_INDENT, help_width());
}

void tsr_cli_show_help(const tsr_cli_tool *tool)
{
    const char *line = tool->usage;
    for (int i = 0; *line; i++) {
        const int n = (int)strcspn(line, "\n");
        printf("%s %s %.*s\n", i == 0 ? "Usage:" : "      ", tool->name, n, line);
        line += n + (line[n] == '\n');
    }
    fputc('\n', stdout);
    tsr_cli_print_wrapped(stdout, tool->summary, 0, 0, help_width());
    for (const tsr_cli_option *o = tool->options; !is_end(o); o++) {
        if (!o->name)
            printf("\n%s:\n", o->help);
        else
            show_option(o);
    }
    printf("\n%s", tool->notes);
    if (tool->show_more)
        tool->show_more();
}

static void describe(const tsr_cli_tool *tool, const char *table)
{
    for (const tsr_cli_option *o = tool->options; !is_end(o); o++) {
        if (!o->name) {
            printf("%s\theading\t%s\n", table, o->help);
            continue;
        }
        printf("%s\toption\t", table);
        if (o->letter)
            printf("-%c", o->letter);
        printf("\t--%s\t%s\t", o->name, o->arg ? o->arg : "");
        for (const char *c = o->help; *c; c++)
            putchar(*c == '\n' ? ' ' : *c);
        putchar('\n');
    }
    if (tool->describe_more)
        tool->describe_more(table);
}

void tsr_cli_show_version(const tsr_cli_tool *tool)
{
    const char *const left_out = tsr_left_out();
    printf("%s (Tessera) %s%s%s\n", tool->name, tsr_version(), *left_out ? ", built without " : "", left_out);
}

/* ---- parsing ---- */

int tsr_cli_usage_error(const tsr_cli_tool *tool, const char *format, ...)
{
    char text[MAX_MESSAGE];
    va_list args;
    va_start(args, format);
    tsr_show_format(text, sizeof text, format, args);
    va_end(args);
    tsr_cli_put_message("%s: %s", tool->name, text);
    fprintf(stderr, "Try '%s --help'.\n", tool->name);
    return TSR_EXIT_USAGE;
}

static int unknown_option(const tsr_cli_tool *tool, const char *name, size_t n)
{
    tsr_suggest suggest;
    tsr_text near = {0};
    tsr_suggest_begin(&suggest, name, n);
    for (const tsr_cli_option *o = tool->options; !is_end(o); o++)
        if (o->name)
            tsr_suggest_offer(&suggest, o->name);
    tsr_suggest_print(&near, &suggest, "--");
    const int code = tsr_cli_usage_error(tool, "unknown option --%.*s%s", (int)n, name, tsr_text_cstr(&near));
    tsr_text_clear(&near);
    tsr_suggest_clear(&suggest);
    return code;
}

/* The candidates "--verify or --version". */
static int ambiguous_option(const tsr_cli_tool *tool, const char *name, size_t n, int ncandidates)
{
    tsr_text list = {0};
    int i = 0;
    for (const tsr_cli_option *o = tool->options; !is_end(o); o++) {
        if (!o->name || strncmp(o->name, name, n) != 0)
            continue;
        tsr_text_addf(&list, "%s--%s", i == 0 ? "" : i == ncandidates - 1 ? " or " : ", ", o->name);
        i++;
    }
    const int code =
        tsr_cli_usage_error(tool, "--%.*s is ambiguous: it may be %s", (int)n, name, tsr_text_cstr(&list));
    tsr_text_clear(&list);
    return code;
}

static bool is_name(const char *name, size_t n, const char *of)
{
    return of && strlen(of) == n && strncmp(of, name, n) == 0;
}

/* The row of tsr_cli_renamed_options where name[0..n) is an old name; else its last. */
static const tsr_cli_renamed *find_renamed(const char *name, size_t n)
{
    const tsr_cli_renamed *r = tsr_cli_renamed_options;
    while (r->old && !is_name(name, n, r->old))
        r++;
    return r;
}

/* The option that name[0..n) means: its full name, an old name, or a beginning that no other option has.
 * NULL: *code is the exit code after the error message. */
static const tsr_cli_option *find_option(int *code, command_line *line, const char *name, size_t n)
{
    const tsr_cli_tool *const tool = line->tool;
    const tsr_cli_renamed *const now = find_renamed(name, n);
    const tsr_cli_option *renamed = NULL, *begun = NULL;
    int nbegun = 0;
    for (const tsr_cli_option *o = tool->options; !is_end(o); o++) {
        if (is_name(name, n, o->name))
            return o;
        if (now->old && o->name && strcmp(o->name, now->name) == 0)
            renamed = o;
        if (o->name && n > 0 && strncmp(o->name, name, n) == 0) {
            begun = o;
            nbegun++;
        }
    }
    if (renamed) {
        line->noted[now - tsr_cli_renamed_options] = true;
        return renamed;
    }
    if (nbegun != 1)
        *code = nbegun > 1 ? ambiguous_option(tool, name, n, nbegun) : unknown_option(tool, name, n);
    return nbegun == 1 ? begun : NULL;
}

void tsr_cli_note_renamed(const tsr_cli_tool *tool, const void *settings, const char *old, const char *name)
{
    const tsr_cli_common *const common = settings;
    if (!common || !common->quiet)
        tsr_cli_put_message("%s: note: %s is now %s; the next version will not accept it any more",
                            tool->name, old, name);
}

static void note_old_names(const command_line *line)
{
    for (const tsr_cli_renamed *r = tsr_cli_renamed_options; r->old; r++) {
        char old[MAX_NAME], name[MAX_NAME];
        if (!line->noted[r - tsr_cli_renamed_options])
            continue;
        snprintf(old, sizeof old, "--%s", r->old);
        snprintf(name, sizeof name, "--%s", r->name);
        tsr_cli_note_renamed(line->tool, line->settings, old, name);
    }
}

static bool is_given_once(const tsr_cli_tool *tool, const tsr_cli_option *option)
{
    const char *const at = tool->once ? strstr(tool->once, option->name) : NULL;
    return at && at[-1] == ' ' && at[strlen(option->name)] == ' ';
}

/* Apply one option; -1 to go on. */
static int apply(command_line *line, const tsr_cli_option *option, const char *value)
{
    const ptrdiff_t row = option - line->tool->options;
    if (row < MAX_OPTIONS && line->given[row] && is_given_once(line->tool, option))
        return tsr_cli_usage_error(line->tool, "--%s is given twice: give it once", option->name);
    if (row < MAX_OPTIONS)
        line->given[row] = true;
    if (option->show) {
        note_old_names(line);
        option->show(line->tool);
        return TSR_EXIT_OK;
    }
    tsr_error err = {0};
    const tsr_status status = option->set ? option->set(line->settings, value, &err)
                                          : line->tool->set_more(line->settings, option->name, value, &err);
    if (status != TSR_OK)
        return tsr_cli_usage_error(line->tool, "--%s: %s", option->name, err.message);
    return -1;
}

/* The option of the letter, or NULL. */
static const tsr_cli_option *find_letter(const tsr_cli_tool *tool, char letter)
{
    const tsr_cli_option *o = tool->options;
    while (!is_end(o) && !(o->name && o->letter == letter))
        o++;
    return is_end(o) ? NULL : o;
}

/* Take the next word as the argument of `option`, which was written as `given`: "--output" or "-o"; -1 to go on. */
static int take_argument(const char **value, command_line *line, const tsr_cli_option *option,
                         const char *given)
{
    const bool is_long = given[1] == '-';
    if (line->i + 1 >= line->argc)
        return tsr_cli_usage_error(line->tool, "%s needs an argument: %s%s%s", given, given,
                                   is_long ? "=" : " ", option->arg);
    const char *const word = line->argv[line->i + 1];
    if (word[0] == '-' && word[1] != '\0' && (word[1] == '-' || find_letter(line->tool, word[1])))
        return tsr_cli_usage_error(
            line->tool,
            "%s needs an argument, but the option %s follows: write %s%s%s, or --%s=%s "
            "if that is the argument",
            given, word, given, is_long ? "=" : " ", option->arg, option->name, word);
    *value = word;
    line->i++;
    return -1;
}

/* --NAMES=VALUE of an option without an argument: the option --NAME, where there is one, takes it. */
static int refuse_argument(const command_line *line, const tsr_cli_option *given)
{
    const size_t n = strlen(given->name);
    for (const tsr_cli_option *o = line->tool->options; !is_end(o); o++)
        if (o->name && o->arg && strlen(o->name) + 1 == n && given->name[n - 1] == 's' &&
            strncmp(o->name, given->name, n - 1) == 0)
            return tsr_cli_usage_error(line->tool, "--%s takes no argument; use --%s=%s", given->name,
                                       o->name, o->arg);
    return tsr_cli_usage_error(line->tool, "--%s takes no argument", given->name);
}

/* The word is "--name" or "--name=value". */
static int parse_long(command_line *line)
{
    const char *const name = line->argv[line->i] + 2;
    const size_t n = strcspn(name, "=");
    int code = TSR_EXIT_USAGE;
    const tsr_cli_option *const o = find_option(&code, line, name, n);
    if (!o)
        return code;
    const char *value = NULL;
    if (name[n] == '=') {
        value = name + n + 1;
        if (!o->arg)
            return refuse_argument(line, o);
    } else if (o->arg && !is_optional(o)) {
        char given[MAX_NAME];
        snprintf(given, sizeof given, "--%s", o->name);
        code = take_argument(&value, line, o, given);
        if (code >= 0)
            return code;
    }
    return apply(line, o, value);
}

/* The word is "-x", "-xyz" or "-xvalue". */
static int parse_short(command_line *line)
{
    for (const char *p = line->argv[line->i] + 1; *p; p++) {
        const tsr_cli_option *const o = find_letter(line->tool, *p);
        if (!o)
            return tsr_cli_usage_error(line->tool, "unknown option -%c", *p);
        const char *value = NULL;
        if (o->arg && !is_optional(o) && p[1]) {
            value = p + 1;
        } else if (o->arg && !is_optional(o)) {
            const int code = take_argument(&value, line, o, (const char[]){'-', *p, '\0'});
            if (code >= 0)
                return code;
        }
        const int done = apply(line, o, value);
        if (done >= 0 || value)
            return done;
    }
    return -1;
}

int tsr_cli_parse(tsr_cli_operands *operands, const tsr_cli_tool *tool, void *settings, int argc,
                  char *const *argv)
{
    static const char describe_options[] = "--describe-options=";
    command_line line = {.tool = tool, .settings = settings, .argc = argc, .argv = argv};
    if (argc == 2 && strncmp(argv[1], describe_options, sizeof describe_options - 1) == 0) {
        describe(tool, argv[1] + sizeof describe_options - 1);
        return TSR_EXIT_OK;
    }
    memset(operands, 0, sizeof *operands);
    bool only_operands = false;
    for (line.i = 1; line.i < argc; line.i++) {
        const char *const word = argv[line.i];
        int done = -1;
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            if (operands->n == tool->max_operands)
                return tsr_cli_usage_error(tool, "unexpected argument '%s'%s%s", word,
                                           tool->extra_operand ? ": " : "",
                                           tool->extra_operand ? tool->extra_operand : "");
            operands->text[operands->n++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else {
            done = word[1] == '-' ? parse_long(&line) : parse_short(&line);
        }
        if (done >= 0)
            return done;
    }
    note_old_names(&line);
    return -1;
}

/* ---- arguments ---- */

tsr_status tsr_cli_parse_int(int *out, const char *text, int lo, int hi, tsr_error *err)
{
    uint64_t v = 0;
    const char *const end = text + strlen(text);
    if (tsr_parse_u64(&v, text, end) != end || text == end || v > (uint64_t)hi || (int)v < lo)
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a number from %d to %d", text, lo, hi);
    *out = (int)v;
    return TSR_OK;
}

tsr_status tsr_cli_parse_nbytes(uint64_t *out, const char *text, tsr_error *err)
{
    static const char units[] = "KMGT";
    double number;
    const char *const end = text + strlen(text), *p = tsr_parse_f64(&number, text, end);
    const char *const unit = p && p < end ? strchr(units, *p) : NULL;
    p += unit != NULL;
    for (const char *u = units; unit && u <= unit; u++)
        number *= 1024;
    if (!p || p != end || !(number >= 1 && number < 0x1p62))
        return tsr_fail(err, TSR_ARGUMENT,
                        "invalid size '%s': use a number of bytes, or one with K, M, G or T", text);
    *out = (uint64_t)number;
    return TSR_OK;
}

tsr_status tsr_cli_parse_list(uint64_t *out, int *n, const char *text, int max_n, uint64_t max,
                              tsr_error *err)
{
    const char *const end = text + strlen(text);
    *n = 0;
    for (const char *p = text;; p++) {
        if (*n == max_n)
            return tsr_fail(err, TSR_ARGUMENT, "'%s' has more than %d numbers", text, max_n);
        p = tsr_parse_u64(&out[*n], p, end);
        if (!p || (*p && *p != ',' && *p != 'x'))
            return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a list of numbers such as 4,5,6", text);
        if (out[*n] > max)
            return tsr_fail(err, TSR_ARGUMENT, "%llu is more than %llu", (unsigned long long)out[*n],
                            (unsigned long long)max);
        ++*n;
        if (!*p)
            return TSR_OK;
    }
}

tsr_status tsr_cli_parse_word(int *out, const char *text, const char *const *words, tsr_error *err)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return TSR_OK;
        }
    return tsr_suggest_fail_words(TSR_ARGUMENT, "value", text, words, err);
}
