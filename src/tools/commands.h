/* The commands: one function each, called by the tool's main. They return the exit code. */
#ifndef TSR_CLI_COMMANDS_H
#define TSR_CLI_COMMANDS_H

int tsr_cli_tconv(int argc, char *const *argv);
int tsr_cli_tinfo(int argc, char *const *argv);
int tsr_cli_tlayout(int argc, char *const *argv);
int tsr_cli_tkern(int argc, char *const *argv);

#endif
