/* What tinfo has found out about a file, ready to print. */
#ifndef TSR_CLI_TINFO_H
#define TSR_CLI_TINFO_H

#include <stdio.h>

#include "json.h"
#include "picture.h"
#include "tsr_codec.h"
#include "tsr_survey.h"

typedef struct tsr_tinfo {
    const char *path;
    const char *codec;    /* its name; NULL when unknown (standard input) */
    uint64_t file_nbytes; /* 0: unknown */
    const tsr_data *data; /* as read; a packed tensor may lack the values */
    bool spreads, sizes;  /* the parts to print */
    tsr_survey survey;
    const tsr_density *density; /* of the first two modes, for characters; NULL: none */
} tsr_tinfo;

/* What coordinates and packed tensors have in common. */
typedef struct tsr_tinfo_head {
    int order;
    const uint64_t *dims;
    tsr_type type;
    bool iso;
    tsr_structure structure;
    const unsigned char *fill; /* NULL: 0 */
} tsr_tinfo_head;
tsr_tinfo_head tsr_tinfo_head_of(const tsr_data *data);
/* The bytes of all arrays of the tensor, including values that were not read. */
uint64_t tsr_tinfo_nbytes(const tsr_tensor *tensor);

/* Print everything as words, tables and a picture. */
void tsr_tinfo_print(FILE *to, const tsr_tinfo *info, bool utf8);
/* Add everything as members to an open JSON object. */
void tsr_tinfo_json(tsr_json *json, const tsr_tinfo *info);
/* Add the arrays as members: {"levels": [...], "values": [...]} of a packed tensor, {"modes": [...], "values":
 * [...]} of coordinates. */
void tsr_tinfo_arrays(tsr_json *json, const tsr_data *data);

#endif
