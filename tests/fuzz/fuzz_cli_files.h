/* The folder in which fuzz_cli runs command lines. */
#ifndef FUZZ_CLI_FILES_H
#define FUZZ_CLI_FILES_H

#include <stddef.h>
#include <stdint.h>

/* At the first call make the folder and go there. Put the good files there unless they are as they were;
 * write "in" (NULL: there is none). Standard input and output are empty, and no compiler is found. The folder
 * goes when the process ends normally. */
void fuzz_cli_files_enter(const uint8_t *in, size_t in_nbytes);
/* Remove what is not a good file, and go back; the number of temporary files among that. */
int fuzz_cli_files_leave(void);

#endif
