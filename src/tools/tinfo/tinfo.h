/* How tinfo prints what it has found out about a file. */
#ifndef TSR_CLI_TINFO_H
#define TSR_CLI_TINFO_H

#include <stdio.h>

#include "json.h"
#include "picture.h"
#include "tsr_facts.h"

/* Print everything as words, tables and a picture. */
void tsr_tinfo_print(FILE *to, const tsr_tensor_facts *info, bool utf8);
#endif
