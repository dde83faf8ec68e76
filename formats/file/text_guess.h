/* What a text of numbers without a header can be, judged by its first lines. */
#ifndef TSR_TEXT_GUESS_H
#define TSR_TEXT_GUESS_H

#include "text_reader.h"

typedef enum tsr_guess {
    TSR_GUESS_ENTRIES, /* nothing else than entries is known to look so */
    TSR_GUESS_PAIRS,   /* two whole numbers a line: edges of a graph, or a vector */
    TSR_GUESS_SIZES,   /* sizes and a count, then that many entries: MatrixMarket without its banner */
    TSR_GUESS_SIZES_0, /* the same with indices from 0: SPOOLES, CHOLMOD */
    TSR_GUESS_CHOLMOD, /* rows, columns, entries, stype, then that many triplets */
    TSR_GUESS_METIS    /* vertices and edges, then the neighbours of each vertex */
} tsr_guess;

/* Look at up to a thousand lines from `lines`, which returns to where it stands. Text that is entries as well
 * and has the count right only at its end is not seen here. */
tsr_status tsr_guess_text(tsr_guess *out, tsr_lines *lines, const char *comments,
                          tsr_error *err) TSR_NODISCARD;

#endif
