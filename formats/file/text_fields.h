/* Lines of fields between commas, semicolons or tabs (CSV, TSV) become lines of numbers between blanks, of the
 * same length, in place: what the parser of entries reads. */
#ifndef TEXT_FIELDS_H
#define TEXT_FIELDS_H

#include "tsr_coo.h"

typedef struct tsr_fields {
    char separator;                /* ',', ';' or '\t' */
    int ncolumns;                  /* fields that each line has */
    int n;                         /* fields that are kept */
    int column[TSR_MAX_ORDER + 1]; /* which, in the order in which they are kept */
} tsr_fields;

enum { TSR_MAX_FIELDS = 256 };

/* Find the next field of [*p, end), its blanks and quotes taken off; *p moves behind its separator. False
 * when the line has no more. A field at the end of a line may be empty. */
bool tsr_next_field(const char **field, const char **field_end, const char **p, const char *end,
                    char separator);
/* Rewrite all lines of the text. Lines that are blank or begin with '#' or '%' stay. TSR_SYNTAX: a line has
 * another number of fields, or an empty one; *fault is the place, and the lines before it are rewritten. */
tsr_status tsr_fields_rewrite(char *text, size_t nbytes, const tsr_fields *fields, const char **fault,
                              tsr_error *err) TSR_NODISCARD;

#endif
