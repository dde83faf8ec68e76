/* All tools as one program, for the browser: the first argument is the name of the tool. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "signals.h"

typedef struct tool {
    const char *name;
    int (*run)(int argc, char *const *argv);
} tool;

static const tool tools[] = {
    {"tinfo", tsr_cli_tinfo},
    {"tkern", tsr_cli_tkern},
    {"tlayout", tsr_cli_tlayout},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (argc > 1 && strcmp(argv[1], tools[i].name) == 0)
            return tsr_cli_end(tools[i].run(argc - 1, argv + 1));
    fputs("the first argument is tinfo, tkern or tlayout\n", stderr);
    return 2;
}
