/* What tinfo finds out about a tensor's entries, whatever file they come from. */
#ifndef TSR_CLI_SURVEY_H
#define TSR_CLI_SURVEY_H

#include "tsr_observer.h"
#include "tsr_pack.h"

/* How entries are spread over groups of cells (slices or fibers). */
typedef struct tsr_cli_spread {
    double total;      /* groups that there are, empty ones too */
    uint64_t used;     /* groups with an entry */
    uint64_t min, max; /* entries of a used group; 0 when there is none */
    double mean;
} tsr_cli_spread;

typedef struct tsr_cli_mode_facts {
    tsr_cli_spread slices; /* a slice of mode m: all cells with one index in mode m; dims[m] of them */
    tsr_cli_spread fibers; /* a fiber of mode m: the cells along mode m where all other indices are fixed */
} tsr_cli_mode_facts;

/* The memory that a named format would take for these entries. */
typedef struct tsr_cli_size {
    char *format; /* its text, owned */
    double nbytes;
    bool exact; /* else an upper bound */
} tsr_cli_size;

typedef struct tsr_cli_survey {
    uint64_t nnz; /* stored entries, duplicates counted */
    double ncells;
    uint64_t nduplicates;         /* entries at a place that an earlier one has already */
    bool sorted;                  /* the entries rise lexicographically by the modes ... */
    int sorted_by[TSR_MAX_ORDER]; /* ... in this order */
    tsr_cli_mode_facts modes[TSR_MAX_ORDER];
    /* npos[f][l]: different tuples of the indices in the l + 1 modes f, f + 1, ... (cyclically); known for
     * all sets of modes of a tensor of up to 3. */
    uint64_t npos[TSR_MAX_ORDER][TSR_MAX_ORDER];
    int nsizes;
    tsr_cli_size *sizes; /* one per named format that fits the order and needs no parameters */
} tsr_cli_survey;

typedef struct tsr_cli_survey_options {
    int nthreads;
    bool exact; /* pack wherever a size is not known otherwise, however long that takes */
    const tsr_observer *observer;
} tsr_cli_survey_options;

/* Fill *survey. Cost: one sort per mode. The sizes of formats that store plain modes follow from what those
 * find; for the others tensors below some millions of entries (or with `exact`) are packed. Memory: two
 * copies of the coordinates. */
tsr_status tsr_cli_survey_init(tsr_cli_survey *survey, const tsr_coo *coo,
                               const tsr_cli_survey_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_cli_survey_clear(tsr_cli_survey *survey);

#endif
