/* What the files of the survey share. */
#ifndef ADVISE_INTERNAL_H
#define ADVISE_INTERNAL_H

#include "tsr_survey.h"

enum { ADVISE_PATTERN_MODES = 8, ADVISE_MAX_PATTERNS = 6561 /* 3^8 */ };

/* Entries under way, and what is asked of them. */
typedef struct advise_source {
    const tsr_tensor *tensor; /* or NULL */
    const tsr_coo *coo;       /* or NULL */
    int order;
    const uint64_t *dims; /* order entries */
    tsr_type type;
    bool iso;
    uint64_t npos; /* entries, or positions of a dense last level: at least as many */
    const tsr_survey_options *options;
} advise_source;

/* Whether to sort for what one pass does not show. */
bool advise_may_sort(const advise_source *source, uint64_t nnz);
/* Add n entries of one more group. */
void advise_spread_add(tsr_spread *spread, uint64_t n);
/* Note how many tuples the set of modes has. */
void advise_add_tuples(tsr_survey *survey, uint32_t modes, uint64_t n);

/* How neighbours in storage order differ: see survey_pass.c. */
typedef struct advise_pass {
    int run_mode; /* given: runs of entries that differ in this mode alone are measured; -1: none */
    bool spreads; /* given: count slices */
    uint64_t nnz;
    uint64_t nties; /* neighbours that are the same place */
    uint64_t
        npatterns[ADVISE_MAX_PATTERNS]; /* of up to 8 modes: how often each pattern of neighbours occurs */
    uint32_t weight[TSR_MAX_ORDER];     /* pattern = sum over m of weight[m] * (0 same, 1 rises, 2 falls) */
    tsr_spread runs;
    tsr_spread slices[TSR_MAX_ORDER]; /* known: false where there was no room to count them */
} advise_pass;
tsr_status advise_pass_run(advise_pass *pass, const advise_source *source, tsr_error *err) TSR_NODISCARD;
/* Whether mode m rises or stays between all neighbours that agree in the modes prefix[0..n), for all m at
 * once; *ties: such neighbours exist. One pass over the entries. */
tsr_status advise_find_rising(bool *rising, bool *ties, const advise_source *source, const int *prefix, int n,
                              tsr_error *err) TSR_NODISCARD;

/* Different prefixes of the entries' tuples of indices, taken in some order. */
typedef struct advise_prefixes {
    int n;
    uint64_t npos[TSR_MAX_LEVELS]; /* n: different tuples of the first l + 1 indices */
    tsr_spread first;              /* of tuples over the first index */
    tsr_spread last;               /* over the first n - 1 indices */
} advise_prefixes;
/* Of the modes[0..n), or, when modes is NULL, of the storage coordinates of the bound format. By sorting: see
 * prefixes.c. */
tsr_status advise_count_prefixes(advise_prefixes *out, const advise_source *source, const int *modes, int n,
                                 const tsr_binding *binding, tsr_error *err) TSR_NODISCARD;

tsr_status advise_sizes(tsr_survey *survey, const advise_source *source, tsr_error *err) TSR_NODISCARD;

#endif
