/* The formats that are compared for a tensor: the rows of formats/storage/advice.txt. */
#ifndef ADVISE_CANDIDATES_H
#define ADVISE_CANDIDATES_H

#include "tsr_advice.h"
#include "tsr_format.h"

enum { ADVISE_MAX_CANDIDATES = TSR_ADVICE_MAX_ROWS };

/* What the kernels wish of the orders of the modes. */
typedef struct advise_wish {
    int order;
    const uint64_t *dims;
    int nkernels;
    int place[TSR_ADVICE_MAX_KERNELS]
             [TSR_MAX_ORDER]; /* of each mode in the result; TSR_MAX_ORDER: it is not in the result */
} advise_wish;

typedef struct advise_candidates {
    int n;
    char *text[ADVISE_MAX_CANDIDATES];         /* owned */
    tsr_format *format[ADVISE_MAX_CANDIDATES]; /* owned */
    int loop[ADVISE_MAX_CANDIDATES];           /* class of the loop: a row of loops.def */
} advise_candidates;

/* A row of loops.def. */
typedef struct advise_loop {
    const char *name;
    double entry, fiber, vector, miss, row_miss, update, chain, break_, error;
} advise_loop;
extern const advise_loop advise_loops[];

/* The formats of the list; or those of `formats` (blanks between them), with the classes that the list has for them. The format
 * of the tensor (NULL: coordinates) is added if it is missing. Clear it also after a failure. TSR_NOMEM, errors of
 * tsr_format_parse. */
tsr_status advise_candidates_init(advise_candidates *out, const advise_wish *wish, const char *formats,
                                  const tsr_format *own, tsr_error *err) TSR_NODISCARD;
void advise_candidates_clear(advise_candidates *candidates);

#endif
