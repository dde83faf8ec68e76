/* tbench measures, and reports measurements. The commands are listed in bench_commands.def. */
#include <stdio.h>
#include <string.h>

#include "bench_baseline.h"
#include "bench_commands.h"
#include "rows.h"
#include "report.h"
#include "tsr_suggest.h"

typedef struct bench_command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} bench_command;

static const bench_command commands[] = {
#define X(name, function, summary) {#name, summary, function},
#include "bench_commands.def"
#undef X
};
enum { NCOMMANDS = sizeof commands / sizeof *commands };

static void print_commands(void)
{
    for (int i = 0; i < NCOMMANDS; i++)
        printf("  %-11s %s\n", commands[i].name, commands[i].summary);
}

static void print_kernels(void)
{
    bench_kernel kernel;
    for (int i = 0; bench_kernel_at(&kernel, i); i++)
        printf("  %-11s %s\n", kernel.name, kernel.summary);
}

/* Append whether the baseline is available. look: run programs that need no path to find out. */
static void add_state(tsr_text *text, const bench_baseline *b, bool look)
{
    tsr_error err = {0};
    if (!b->path_is)
        tsr_text_add(text, "compiled when it is measured");
    else if (b->wants_path)
        tsr_text_addf(text, "needs its PATH: %s", b->path_is);
    else if (!look)
        tsr_text_addf(text, "searched; PATH: %s", b->path_is);
    else {
        tsr_text version = {0};
        if (b->find(&version, NULL, &err) == TSR_OK)
            tsr_text_addf(text, "found, version %s", tsr_text_cstr(&version));
        else
            tsr_text_add(text, err.message);
        tsr_text_clear(&version);
    }
}

static void print_baselines(bool look)
{
    enum { INDENT = 14, WIDTH = 100 };
    for (int i = 0; bench_baselines[i]; i++) {
        tsr_text state = {0};
        add_state(&state, bench_baselines[i], look);
        const int col = printf("  %-*s", INDENT - 3, bench_baselines[i]->name);
        tsr_cli_print_wrapped(stdout, bench_baselines[i]->summary, col, INDENT, WIDTH);
        tsr_cli_print_wrapped(stdout, tsr_text_cstr(&state), 0, INDENT, WIDTH);
        tsr_text_clear(&state);
    }
}

/* Print the three lists. */
static void print_all(bool look)
{
    printf("Commands (tbench COMMAND --help prints details):\n");
    print_commands();
    printf("\nKernels:\n");
    print_kernels();
    printf("\nBaselines, of --baseline=NAME or --baseline=NAME=PATH:\n");
    print_baselines(look);
}

static void show_lists(void)
{
    printf("\n");
    print_all(false);
    printf("\n" TSR_EXIT_CODES_HELP);
}

/* The commands, the kernels, and the table of each command, "tbench NAME"; that of the kernels is "tbench KERNEL". */
static void describe_commands(const char *table)
{
    bench_kernel kernel;
    char option[128], kernel_name[] = "KERNEL";
    char *argv[] = {kernel_name, option, NULL};
    for (int i = 0; i < NCOMMANDS; i++)
        printf("%s\tcommand\t%s\t%s\n", table, commands[i].name, commands[i].summary);
    for (int i = 0; bench_kernel_at(&kernel, i); i++)
        printf("%s\tkernel\t%s\t%s\n", table, kernel.name, kernel.summary);
    snprintf(option, sizeof option, "--describe-options=%s %s", table, kernel_name);
    bench_cmd_kernel(2, argv);
    for (int i = 0; i < NCOMMANDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s", commands[i].name);
        snprintf(option, sizeof option, "--describe-options=%s %s", table, name);
        argv[0] = name;
        commands[i].run(2, argv);
    }
}

static const tsr_cli_option options[] = {
    {.help = "Options"},
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench",
    .usage = "KERNEL|EXPRESSION|COMMAND [ARGUMENT]... [OPTION]...",
    .summary = "Measure. Each answer is checked before its time counts, candidates take turns so that a "
               "change of the machine affects all alike, and every sample is kept.",
    .notes = "",
    .options = options,
    .max_operands = TSR_CLI_MAX_OPERANDS,
    .show_more = show_lists,
    .describe_more = describe_commands,
};

int bench_cmd_list(int argc, char **argv)
{
    static const tsr_cli_option only_help[] = {
        {.help = "Options"}, TSR_CLI_ROW_HELP, TSR_CLI_ROW_VERSION, {0}};
    static const tsr_cli_tool list = {.name = "tbench",
                                      .usage = "list",
                                      .summary = "List the commands, the kernels, and the baselines: which "
                                                 "kernels they take, and whether they are available.",
                                      .notes = "",
                                      .options = only_help};
    tsr_cli_operands operands;
    const int done = tsr_cli_parse(&operands, &list, NULL, argc, argv);
    if (done >= 0)
        return done;
    print_all(true);
    return TSR_EXIT_OK;
}

/* Report a word that is neither a command nor a kernel. */
static int unknown_word(const char *word)
{
    tsr_suggest suggest;
    tsr_text near = {0};
    bench_kernel kernel;
    tsr_suggest_begin(&suggest, word, strlen(word));
    for (int i = 0; i < NCOMMANDS; i++)
        tsr_suggest_offer(&suggest, commands[i].name);
    for (int i = 0; bench_kernel_at(&kernel, i); i++)
        tsr_suggest_offer(&suggest, kernel.name);
    tsr_suggest_print(&near, &suggest, "");
    const int code = tsr_cli_usage_error(&tool, "unknown command or kernel '%s'%s", word,
                                         near.nbytes ? tsr_text_cstr(&near) : "; tbench list names them");
    tsr_text_clear(&near);
    tsr_suggest_clear(&suggest);
    return code;
}

static int run(int argc, char **argv)
{
    tsr_cli_operands operands;
    bench_kernel kernel;
    if (argc > 1 && argv[1][0] != '-') {
        for (int i = 0; i < NCOMMANDS; i++)
            if (strcmp(commands[i].name, argv[1]) == 0)
                return tsr_cli_close_stdout(tool.name, commands[i].run(argc - 1, argv + 1));
        if (bench_kernel_find(&kernel, argv[1]))
            return tsr_cli_close_stdout(tool.name, bench_cmd_kernel(argc - 1, argv + 1));
        return unknown_word(argv[1]);
    }
    const int done = tsr_cli_parse(&operands, &tool, NULL, argc, argv);
    return done >= 0 ? tsr_cli_close_stdout(tool.name, done)
                     : tsr_cli_usage_error(&tool, "missing command or kernel: tbench list lists both");
}

int main(int argc, char **argv)
{
    return tsr_cli_end(run(argc, argv));
}
