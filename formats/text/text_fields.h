/* Rewrite lines of fields between commas, semicolons or tabs (CSV, TSV), in place, as lines of numbers
 * between blanks, which the parser of entries reads. A line keeps its length. */
#ifndef TEXT_FIELDS_H
#define TEXT_FIELDS_H

#include "tsr_coo.h"

typedef struct tsr_fields {
    char separator;                /* ',', ';' or '\t' */
    int ncolumns;                  /* fields of each line */
    int n;                         /* fields to keep */
    int column[TSR_MAX_ORDER + 1]; /* the numbers of these fields, from 0 on, in the new order */
} tsr_fields;

enum { TSR_MAX_FIELDS = 256 };

/* Find the next field of [*p, end), without blanks and quotes around it, and move *p after the separator, which does not count
 * between quotes. A quote inside the field is doubled there, and stays so.
 * Returns false when the line has no more fields. A field at the end of a line may be empty. */
bool tsr_next_field(const char **field, const char **field_end, const char **p, const char *end,
                    char separator);
/* Rewrite all lines of the text. Blank lines, and lines that begin with '#' or '%', stay. TSR_SYNTAX when a
 * line has another number of fields, or an empty field; *fault is the place, and all lines before it have
 * been rewritten. */
tsr_status tsr_fields_rewrite(char *text, size_t nbytes, const tsr_fields *fields, const char **fault,
                              tsr_error *err) TSR_NODISCARD;

#endif
