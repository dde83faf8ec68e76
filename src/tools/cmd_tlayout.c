/* tlayout: compute with layouts and index maps. The commands are rows of tables; what is not the name of a command is
 * a layout that is asked about. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "rows.h"
#include "tlayout.h"
#include "tsr_checked.h"
#include "tsr_format_layout.h"
#include "tsr_num.h"
#include "tsr_suggest.h"

static const tsr_tlayout_command *const command_tables[] = {tsr_tlayout_layout_commands,
                                                            tsr_tlayout_map_commands, tsr_tlayout_op_commands,
                                                            tsr_tlayout_algebra_commands};
static const char *const table_titles[] = {"Commands on layouts of any notation", "Commands on index maps",
                                           "Commands on HLO", "Commands on TLA (CuTe) layouts"};
enum { NTABLES = sizeof command_tables / sizeof command_tables[0] };

/* ---- the command line ---- */

TSR_CLI_SET_TEXT(tsr_tlayout, inverse, inverse)
TSR_CLI_SET_TEXT(tsr_tlayout, svg, svg)
TSR_CLI_SET_TEXT(tsr_tlayout, part, part)
TSR_CLI_SET_FLAG(tsr_tlayout, table, table)
TSR_CLI_SET_FLAG(tsr_tlayout, size, size)
TSR_CLI_SET_FLAG(tsr_tlayout, map, map)
TSR_CLI_SET_FLAG(tsr_tlayout, steps, steps)
TSR_CLI_SET_FLAG(tsr_tlayout, order, order)

TSR_CLI_SET(to)
{
    enum { MAX_WORDS = 32 };
    const char *words[MAX_WORDS + 1] = {"xla", "tla", "cute", "map",
                                        "format"}; /* and the other notations of formats */
    int n = 5, i;
    for (const tsr_format_notation *const *notation = tsr_format_notations; *notation && n < MAX_WORDS;
         notation++)
        if (*notation != &tsr_format_xla && *notation != &tsr_format_tla)
            words[n++] = (*notation)->name;
    ((tsr_tlayout *)to)->to = value;
    return tsr_cli_parse_word(&i, value, words, err);
}

TSR_CLI_SET(type)
{
    ((tsr_tlayout *)to)->type = value;
    if (tsr_xla_type_nbits(value) == 0)
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a type of XLA, such as f32, bf16, s8 or pred", value);
    return TSR_OK;
}

TSR_CLI_SET(dims)
{
    tsr_tlayout *const t = to;
    uint64_t dims[TSR_XLA_MAX_RANK];
    TSR_TRY(tsr_cli_parse_list(dims, &t->ndims, value, TSR_XLA_MAX_RANK, INT64_MAX, err));
    for (int d = 0; d < t->ndims; d++)
        t->dims[d] = (int64_t)dims[d];
    return TSR_OK;
}

static void show_commands(void)
{
    for (int i = 0; i < NTABLES; i++) {
        printf("\n%s:\n", table_titles[i]);
        for (const tsr_tlayout_command *c = command_tables[i]; c->name; c++) {
            const int col = printf("  %s %s", c->name, c->usage);
            if (col > 38)
                putchar('\n');
            tsr_cli_print_wrapped(stdout, c->help, col > 38 ? 0 : col, 40, 96);
        }
    }
}

static void describe_commands(const char *table)
{
    for (int i = 0; i < NTABLES; i++)
        for (const tsr_tlayout_command *c = command_tables[i]; c->name; c++)
            printf("%s\tcommand\t%s\t%s\t%s\t%s\n", table, c->name, c->help, c->usage, table_titles[i]);
}

static const tsr_cli_option options[] = {
    {.help = "Facts about LAYOUT"},
    {"inverse", 0, "N", "the element at offset N, or padding", set_inverse, NULL},
    {"table", 0, NULL, "the offsets as a table", set_table, NULL},
    {"size", 0, NULL, "elements, slots and bytes", set_size, NULL},
    {"map", 0, NULL, "the index map from coordinates to the offset", set_map, NULL},
    {"order", 0, NULL, "the elements in memory order", set_order, NULL},
    {"steps", 0, NULL, "the tiling step by step (XLA)", set_steps, NULL},
    {"svg", 0, "FILE", "draw it: tiles in colours, offsets in the cells; - is standard output", set_svg,
     NULL},
    {"cells", 0, "RANGES", "the part that --svg draws: FIRST:END for each dim, such as 0:8,128:136", set_part,
     NULL},

    {.help = "Additions to LAYOUT or MAP"},
    TSR_CLI_ROW_DIMS("", set_dims),
    {"type", 0, "TYPE", "the type of the elements (f32, bf16, s8...), if the text does not contain it",
     set_type, NULL},

    {.help = "The run"},
    {"to", 0, "NOTATION",
     "the notation of convert: xla, tla, cute, map or format; for a storage format also letters, name, long, "
     "mlir "
     "or ust",
     set_to, NULL},
    TSR_CLI_ROW_JSON("one JSON object instead of text"),
    {"quiet", 'q', NULL, "print errors only; the exit code of equal says whether the two are equal",
     tsr_cli_set_quiet, NULL},
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tlayout",
    .usage = "LAYOUT [COORD... | --inverse=N | --table | --size | --map | --svg=FILE]\n"
             "COMMAND OPERAND...",
    .summary = "Compute with layouts and index maps. LAYOUT is XLA's f32[3,5]{1,0:T(2,2)}, TLA's or CuTe's "
               "((4,2),(4,3)):((4,16),(1,32)), or an index map (d0, d1) -> (d0 * 5 + d1), domain: d0 in [0, "
               "2], d1 in [0, 4]. With COORDs such as 2,3 the offset of each is printed, without one the "
               "layout is described; - reads COORDs from standard input, one in a line.",
    .notes = "Examples:\n"
             "  tlayout 'f32[3,5]{1,0:T(2,2)}' 2,3\n"
             "  tlayout 'f32[4,8]{1,0:T(2,4)(2,1)}' --svg=figure2.svg\n"
             "  tlayout equal '[8,12]{0,1:T(4,4)(4,1)}' '((4,2),(4,3)):((4,16),(1,32))'\n"
             "  tlayout convert --to=tla 'f32[3,5]{1,0:T(2,2)}'\n"
             "  tlayout simplify '(d0) -> ((d0 * 4) floordiv 8), domain: d0 in [0, 9]'\n"
             "  tlayout divide '(4,2,3):(2,1,8)' 4:2\n\n" TSR_EXIT_CODES_HELP
             "equal exits with 1 when the two differ.\n",
    .options = options,
    .max_operands = TSR_CLI_MAX_OPERANDS,
    .show_more = show_commands,
    .describe_more = describe_commands,
};

/* ---- operands ---- */

tsr_status tsr_tlayout_in_text(tsr_tlayout *t, const char *text, tsr_status status)
{
    if (status != TSR_OK)
        t->wrong_text = text;
    return status;
}

/* A storage format, if the text is one: the layout of its map when all its levels are dense. */
static tsr_status parse_dense_format(tsr_layout **out, const char *text, const tsr_layout_options *how,
                                     tsr_error *err)
{
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_format *format = NULL;
    for (int d = 0; d < how->ndims; d++)
        dims[d] = (uint64_t)how->dims[d];
    TSR_TRY(
        tsr_format_parse(&format, text, how->ndims > 0 ? how->ndims : -1, how->ndims > 0 ? dims : NULL, err));
    tsr_status status = TSR_OK;
    if (!tsr_format_is_dense(format))
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "cannot write a format with sparse levels as a layout: all levels must be dense");
    else if (how->ndims == 0 && format->order > 0)
        status = tsr_fail(err, TSR_ARGUMENT, "the dims of the format are unknown: use --dims=DIMS");
    else
        status = tsr_layout_from_format(out, format, dims, err);
    tsr_format_free(format);
    return status;
}

tsr_status tsr_tlayout_parse_layout(tsr_layout **out, tsr_tlayout *t, const char *text, tsr_error *err)
{
    const tsr_layout_options how = {.ndims = t->ndims, .dims = t->dims, .type = t->type};
    const tsr_status status = tsr_layout_parse(out, text, &how, err);
    if (status != TSR_SYNTAX || tsr_layout_kind_of(text) != TSR_LAYOUT_MAP)
        return tsr_tlayout_in_text(t, text, status);
    tsr_error fault = {0};
    const tsr_status other = parse_dense_format(out, text, &how, &fault);
    if (other == TSR_OK)
        return TSR_OK;
    const bool better = other != TSR_SYNTAX || fault.col > err->col; /* more of it is a format than a map */
    if (better)
        *err = fault;
    return tsr_tlayout_in_text(t, text, better ? other : status);
}

tsr_status tsr_tlayout_parse_map(tsr_map **out, tsr_tlayout *t, const char *text, tsr_error *err)
{
    TSR_TRY(tsr_tlayout_in_text(t, text, tsr_map_parse(out, text, err)));
    if (t->ndims == 0)
        return TSR_OK;
    tsr_map *const map = *out;
    uint64_t dims[TSR_XLA_MAX_RANK];
    *out = NULL;
    for (int d = 0; d < t->ndims; d++)
        dims[d] = (uint64_t)t->dims[d];
    const tsr_status status = tsr_map_ndims(map) == t->ndims
                                  ? tsr_map_bind(out, map, dims, err)
                                  : tsr_fail(err, TSR_ARGUMENT, "the map has %d dims, but --dims gives %d",
                                             tsr_map_ndims(map), t->ndims);
    tsr_map_free(map);
    return status;
}

tsr_status tsr_tlayout_parse_tla(tsr_tla *out, tsr_tlayout *t, const char *text, tsr_error *err)
{
    return tsr_tlayout_in_text(t, text, tsr_tla_parse(out, &t->arena, text, err));
}

tsr_status tsr_tlayout_parse_tuple(const tsr_tuple **out, tsr_tlayout *t, const char *text, tsr_error *err)
{
    return tsr_tlayout_in_text(t, text, tsr_tuple_parse(out, &t->arena, text, err));
}

tsr_status tsr_tlayout_parse_tiler(const tsr_tiler **out, tsr_tlayout *t, const char *text, tsr_error *err)
{
    return tsr_tlayout_in_text(t, text, tsr_tiler_parse(out, &t->arena, text, err));
}

tsr_status tsr_tlayout_parse_i64(int64_t *out, const char *what, const char *text, tsr_error *err)
{
    const char *const end = text + strlen(text);
    if (tsr_parse_i64(out, text, end) != end || end == text)
        return tsr_fail(err, TSR_ARGUMENT, "%s: '%s' is not a 64-bit integer", what, text);
    return TSR_OK;
}

tsr_status tsr_tlayout_parse_point(int64_t *out, int *n, int max, const char *text, tsr_error *err)
{
    const char *const end = text + strlen(text);
    const char *const first = text + strspn(text, "( ");
    *n = 0;
    if (first > text && *first == ')' && strspn(first, ") ") == strlen(first))
        return TSR_OK; /* (), the point of no dims */
    for (const char *p = first; *p; p += strspn(p, ", )")) {
        if (*n == max)
            return tsr_fail(err, TSR_ARGUMENT, "'%s' has more than %d coordinates", text, max);
        p = tsr_parse_i64(&out[*n], p, end);
        if (!p || (*p && !strchr(", )", *p)))
            return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a point such as 2,3", text);
        ++*n;
    }
    return TSR_OK;
}

/* The lines of standard input as points; empty lines are skipped. */
static tsr_status read_points(tsr_tlayout *t, tsr_tlayout_point *say, void *to, tsr_error *err)
{
    char line[4096];
    for (uint64_t number = 1; fgets(line, sizeof line, stdin); number++) {
        size_t n = strlen(line);
        if (n == sizeof line - 1 && line[n - 1] != '\n')
            return tsr_fail_at(err, TSR_LIMIT, "standard input", number, 0, "a point has at most %zu bytes",
                               sizeof line - 2);
        while (n > 0 && strchr(" \t\r\n", line[n - 1]))
            line[--n] = '\0';
        if (n == 0)
            continue;
        const tsr_status status = say(to, t, line, err);
        t->wrong_text = NULL; /* the line is gone when the error is shown */
        if (status != TSR_OK && err) {
            err->line = number;
            tsr_error_set_path(err, "standard input");
        }
        TSR_TRY(status);
    }
    return ferror(stdin) ? tsr_fail(err, TSR_IO, "standard input cannot be read") : TSR_OK;
}

tsr_status tsr_tlayout_each_point(tsr_tlayout *t, const tsr_tlayout_points *points, tsr_tlayout_point *say,
                                  void *to, tsr_error *err)
{
    const char *const *const word = points->word;
    t->many = t->json && (points->n > 1 || strcmp(word[0], "-") == 0);
    if (t->many)
        tsr_json_open(&t->out.json, points->key, '[', true);
    for (int i = 0; i < points->n; i++)
        TSR_TRY(strcmp(word[i], "-") == 0 ? read_points(t, say, to, err) : say(to, t, word[i], err));
    if (t->many)
        tsr_json_close(&t->out.json, ']');
    return TSR_OK;
}

/* ---- results ---- */

tsr_status tsr_tlayout_say(tsr_tlayout *t, const char *key, tsr_text *text, tsr_error *err)
{
    const tsr_status status = tsr_text_status(text, err);
    if (status == TSR_OK && t->json)
        tsr_json_string(&t->out.json, key, tsr_text_cstr(text));
    else if (status == TSR_OK) {
        fputs(tsr_text_cstr(text), stdout);
        if (text->nbytes == 0 || text->s[text->nbytes - 1] != '\n')
            putchar('\n');
    }
    tsr_text_clear(text);
    return status;
}

void tsr_tlayout_say_i64(tsr_tlayout *t, const char *key, int64_t v)
{
    if (t->json)
        tsr_json_i64(&t->out.json, key, v);
    else
        printf("%lld\n", (long long)v);
}

void tsr_tlayout_json_list(tsr_tlayout *t, const char *key, int n, const int64_t *v)
{
    tsr_json_open(&t->out.json, key, '[', true);
    for (int i = 0; i < n; i++)
        tsr_json_i64(&t->out.json, NULL, v[i]);
    tsr_json_close(&t->out.json, ']');
}

void tsr_tlayout_add_point(tsr_text *text, int n, const int64_t *v)
{
    tsr_text_add(text, n > 0 ? "" : "()");
    for (int i = 0; i < n; i++)
        tsr_text_addf(text, i > 0 ? ",%lld" : "%lld", (long long)v[i]);
}

/* ---- the run ---- */

static const tsr_tlayout_command *find_command(const char *name)
{
    for (int i = 0; i < NTABLES; i++)
        for (const tsr_tlayout_command *c = command_tables[i]; c->name; c++)
            if (strcmp(c->name, name) == 0)
                return c;
    return NULL;
}

static int unknown_command(const char *name)
{
    tsr_suggest suggest;
    tsr_error err = {0};
    tsr_suggest_begin(&suggest, name, strlen(name));
    for (int i = 0; i < NTABLES; i++)
        for (const tsr_tlayout_command *c = command_tables[i]; c->name; c++)
            tsr_suggest_offer(&suggest, c->name);
    (void)tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "command", &err);
    return tsr_cli_usage_error(&tool, "%s", err.message);
}

/* A word, and not a layout: nothing but letters and _. */
static bool is_word(const char *text)
{
    return text[0] && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == strlen(text);
}

static int report(const tsr_tlayout *t, const tsr_error *err)
{
    tsr_cli_report say;
    tsr_cli_report_init(&say, tool.name, t->common.quiet);
    if (t->wrong_text && err->col > 0 && err->line <= 1)
        return tsr_cli_report_text_error(&say, NULL, t->wrong_text, err);
    return tsr_cli_report_error(&say, err);
}

/* The JSON object is written to memory first: after a failure nothing of it is printed, and with --quiet alone nothing of it
 * at all. */
static tsr_status run_for_json(tsr_tlayout *t,
                               tsr_status (*run)(tsr_tlayout *, int, const char *const *, tsr_error *), int n,
                               const char *const *word, tsr_error *err)
{
    const bool shown = t->common.json;
    TSR_TRY(tsr_json_output_begin(&t->out, t->common.json_path, true, err));
    const tsr_status status = run(t, n, word, err);
    const tsr_status end =
        tsr_json_output_end(&t->out, t->common.json_path, shown ? status : TSR_CANCELLED, err);
    return shown ? end : status;
}

/* The first option that asks a fact about a layout, which a command does not answer; NULL: none. */
static const char *fact_asked(const tsr_tlayout *t, const tsr_tlayout_command *command)
{
    const struct {
        bool given;
        const char *name;
    } facts[] = {{t->inverse, "inverse"}, {t->table, "table"},
                 {t->size, "size"},       {t->map, "map"},
                 {t->order, "order"},     {t->steps, "steps"},
                 {t->part, "cells"},      {t->svg && !strstr(command->usage, "--svg"), "svg"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].given)
            return facts[i].name;
    return NULL;
}

int tsr_cli_tlayout(int argc, char *const *argv)
{
    tsr_tlayout t = {.code = TSR_EXIT_OK};
    tsr_cli_operands operands;
    int code = tsr_cli_parse(&operands, &tool, &t, argc, argv);
    if (code >= 0)
        return tsr_cli_close_stdout(tool.name, code);
    if (operands.n == 0)
        return tsr_cli_usage_error(&tool, "missing layout or command, such as 'f32[3,5]{1,0:T(2,2)}'");
    const tsr_tlayout_command *const command = find_command(operands.text[0]);
    t.command = command;
    const char *const *word = operands.text;
    int n = operands.n;
    if (command) {
        word++;
        n--;
        if (n < command->min || n > command->max)
            return tsr_cli_usage_error(&tool, "%s takes %s", command->name, command->usage);
        const char *const fact = fact_asked(&t, command);
        if (fact)
            return tsr_cli_usage_error(&tool, "--%s is asked of a LAYOUT, not of the command %s", fact,
                                       command->name);
    } else if (is_word(word[0]) && t.ndims == 0) {
        return unknown_command(word[0]);
    }
    tsr_error err = {0};
    tsr_cli_signals_init();
    if (tsr_cli_signals_direct(true, &err) != TSR_OK) /* until a file is written */
        return report(&t, &err);
    tsr_status (*const run)(tsr_tlayout *, int, const char *const *, tsr_error *) =
        command ? command->run : tsr_tlayout_show;
    t.json = t.common.json || t.common.quiet;
    const tsr_status status = t.json ? run_for_json(&t, run, n, word, &err) : run(&t, n, word, &err);
    code = status == TSR_OK ? t.code : report(&t, &err);
    tsr_arena_clear(&t.arena);
    return tsr_cli_close_stdout(tool.name, code);
}
