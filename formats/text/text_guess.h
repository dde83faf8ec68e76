/* Guessing the format of a text of numbers without a header from its first lines. */
#ifndef TSR_TEXT_GUESS_H
#define TSR_TEXT_GUESS_H

#include "text_reader.h"

typedef enum tsr_guess {
    TSR_GUESS_ENTRIES, /* entries: the text does not look like another format */
    TSR_GUESS_PAIRS,   /* two whole numbers per line: edges of a graph, or a vector */
    TSR_GUESS_SIZES,   /* sizes and a count, then that number of entries: Matrix Market without a banner */
    TSR_GUESS_SIZES_0, /* TSR_GUESS_SIZES with indices from 0: SPOOLES, CHOLMOD */
    TSR_GUESS_CHOLMOD, /* rows, columns, entries, stype, then that number of triplets */
    TSR_GUESS_METIS    /* vertices and edges, then the neighbours of each vertex */
} tsr_guess;

/* Examine up to a thousand lines, and move `lines` back to where it was. If a text could also be entries,
 * and the count can only be checked at the end of the text, the guess is TSR_GUESS_ENTRIES. */
tsr_status tsr_guess_text(tsr_guess *out, tsr_lines *lines, const char *comments,
                          tsr_error *err) TSR_NODISCARD;

#endif
