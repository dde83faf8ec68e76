/* tinfo --brief: what the headers of a file report, in words. */
#ifndef TSR_CLI_TINFO_BRIEF_H
#define TSR_CLI_TINFO_BRIEF_H

#include <stdio.h>

#include "tsr_brief.h"

/* file_nbytes 0: unknown. */
void tsr_tinfo_brief_print(FILE *to, const tsr_brief *brief, const char *path, uint64_t file_nbytes);

#endif
