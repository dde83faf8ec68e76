/* What tinfo knows about a file when it begins to talk. */
#ifndef TSR_CLI_TINFO_H
#define TSR_CLI_TINFO_H

#include <stdio.h>

#include "density.h"
#include "survey.h"
#include "tsr_codec.h"

typedef struct tsr_tinfo {
    const char *path;
    const char *codec;    /* its name; NULL when unknown (standard input) */
    uint64_t file_nbytes; /* 0: unknown */
    const tsr_data *data; /* as it was read */
    const tsr_coo *coo;   /* the entries: data->coo, or unpacked */
    tsr_cli_survey survey;
    const tsr_density *density; /* of the first two modes, for characters; NULL: none */
} tsr_tinfo;

/* The answer in words, tables and a picture. */
void tsr_tinfo_print(FILE *to, const tsr_tinfo *info, bool utf8);
/* The same as one JSON object. */
void tsr_tinfo_json(FILE *to, const tsr_tinfo *info);
/* The arrays themselves: {"levels": [...], "values": [...]} of a packed tensor, {"modes": [...], "values":
 * [...]} of coordinates. */
void tsr_tinfo_arrays(FILE *to, const tsr_data *data);

#endif
