/* Rows of the tables in tests/files, and what the tests of text codecs share. */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include "tsr_codec.h"
#include "tsr_test.h"

enum { MAX_FIELDS = 12 };

typedef struct table_row {
    char *field[MAX_FIELDS]; /* tab-separated */
    int nfields;
} table_row;

/* Call body for each row of the table that is not a comment. */
void each_row(const char *path, int nfields, void (*body)(const table_row *r, void *ctx), void *ctx);
/* Split s at `separator` in place; returns the number of parts, at most max. */
int split(char *s, char separator, char **part, int max);
/* Options from text: "-" or words like "index-base=0", "no-values", "shape=4x5", "codec=tns" joined by ','.
 */
void parse_options(tsr_read_options *options, const tsr_codec **codec, const char *text);
/* Read through an input whose blocks aim at block_nbytes (0: let tsr_read open the file). */
tsr_status read_in_blocks(tsr_data *out, const char *path, const tsr_codec *codec, tsr_read_options options,
                          size_t block_nbytes, tsr_error *err);
/* An observer that counts warnings in *nwarnings. */
tsr_observer counting_observer(int *nwarnings);

#endif
