/* Labels: names of the indices of the modes of a tensor, such as the barcodes and genes of a matrix of counts. A file
 * format that has names gives them, conversions carry them along, and a format that can hold them writes
 * them. */
#ifndef TSR_LABELS_H
#define TSR_LABELS_H

#include "tsr_array.h"
#include "tsr_coo.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of names. {0} is an empty list. */
typedef struct tsr_names {
    uint64_t n;        /* names */
    tsr_text text;     /* the names one after the other, each ended by a NUL */
    uint64_t *at;      /* n offsets in text.s; owned */
    uint64_t capacity; /* allocated elements of `at` */
} tsr_names;

/* Append a name of nbytes bytes, up to a NUL in it. TSR_NOMEM. */
tsr_status tsr_names_add(tsr_names *names, const char *name, size_t nbytes, tsr_error *err) TSR_NODISCARD;
/* Name i, ended by a NUL; borrowed until the next change. */
const char *tsr_names_get(const tsr_names *names, uint64_t i);
/* Make *out the names from[index[0]], from[index[1]], ... (n of them); UINT64_MAX: an empty name. TSR_NOMEM. */
tsr_status tsr_names_take(tsr_names *out, const tsr_names *from, const uint64_t *index, uint64_t n,
                          tsr_error *err) TSR_NODISCARD;
/* The length of the longest name. */
size_t tsr_names_longest(const tsr_names *names);
void tsr_names_clear(tsr_names *names);

/* The names of each mode of a tensor. A mode without names has n = 0, else n is the dim. */
typedef struct tsr_labels {
    tsr_names modes[TSR_MAX_ORDER];
} tsr_labels;

/* Labels without names; NULL: out of memory. */
tsr_labels *tsr_labels_new(void);
/* NULL is fine. */
void tsr_labels_free(tsr_labels *labels);
/* Whether any mode has names; labels may be NULL. */
bool tsr_labels_any(const tsr_labels *labels);
/* The names of the mode if it has exactly `dim` names, else NULL. labels may be NULL. */
const tsr_names *tsr_labels_of(const tsr_labels *labels, int mode, uint64_t dim);

#ifdef __cplusplus
}
#endif
#endif
