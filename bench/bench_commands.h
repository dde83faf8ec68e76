/* The commands of tbench: one cmd_NAME.c and one line of bench_commands.def each. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#define X(name, function, summary) int function(int argc, char **argv);
#include "bench_commands.def"
#undef X
/* The command for words that are not in that list: argv[0] is the name of a kernel, or an expression. */
int bench_cmd_kernel(int argc, char **argv);

#endif
