/* What can be found out about the entries of a tensor: their order, how they are spread over slices and
 * fibers, and the memory that other formats would take for them.
 *
 * One pass over the entries, in the order in which they are stored, gives all that this order shows. The rest
 * needs the entries in other orders: it is found by sorting, for small tensors always and for large ones when
 * the caller asks for exact answers. */
#ifndef TSR_SURVEY_H
#define TSR_SURVEY_H

#include "tsr_density.h"
#include "tsr_observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Up to so many entries everything is found out: that takes a tenth of a second. */
enum { TSR_SURVEY_SMALL = 1 << 18 };

/* How entries are spread over groups of cells (slices or fibers). */
typedef struct tsr_spread {
    bool known;        /* else only total is valid */
    double total;      /* groups that there are, empty ones too */
    uint64_t used;     /* groups with an entry */
    uint64_t min, max; /* entries of a used group; 0 when no group is used */
    double mean;
} tsr_spread;

typedef struct tsr_mode_facts {
    tsr_spread slices; /* a slice of mode m: all cells with one index in mode m; dims[m] of them */
    tsr_spread fibers; /* a fiber of mode m: the cells along mode m where all other indices are fixed */
} tsr_mode_facts;

/* The memory that a named format would take for these entries. */
typedef struct tsr_format_size {
    char *format; /* its text, owned */
    double nbytes;
    bool exact; /* else an upper bound */
} tsr_format_size;

enum { TSR_SURVEY_MAX_TUPLES = 2 * TSR_MAX_ORDER + TSR_MAX_ORDER * TSR_MAX_ORDER };

typedef struct tsr_survey {
    uint64_t nnz; /* stored entries, duplicates counted */
    double ncells;
    bool duplicates_known;
    uint64_t nduplicates;                /* entries at a place that an earlier one has already */
    bool sorted;                         /* the entries rise lexicographically by the modes ... */
    int sorted_by[TSR_MAX_ORDER];        /* ... in this order */
    tsr_mode_facts modes[TSR_MAX_ORDER]; /* where duplicates are known they count once, else each time */
    /* How many different tuples of indices the entries have in a set of modes, as far as that is known. */
    int ntuples;
    struct {
        uint32_t modes; /* bit m: mode m is in the set */
        uint64_t n;
    } tuples[TSR_SURVEY_MAX_TUPLES];
    int nsizes;
    tsr_format_size *sizes; /* one per named format that fits the order and needs no parameters */
} tsr_survey;

/* All-zero: only the order of the entries. */
typedef struct tsr_survey_options {
    int nthreads; /* 0: all */
    bool spreads; /* slices and fibers */
    bool sizes;
    bool exact;           /* sort wherever something is not known otherwise */
    uint64_t small;       /* up to so many entries likewise; 0: TSR_SURVEY_SMALL */
    uint64_t sort_nbytes; /* memory that sorting aims at; 0: 512 MiB */
    tsr_density *density; /* initialised, counted into in the same pass; may be NULL */
    const tsr_observer *observer;
} tsr_survey_options;

/* Fill *survey from the tensor or from the coordinates (exactly one is not NULL); the tensor's values may be
 * absent where tsr_cells.h says so. iso, type: as the sizes are to count values. Memory: for each thread one
 * counter per index of a mode, at most 64 MiB or 4 bytes per position together; modes of more indices stay
 * unknown unless they are sorted. With `exact`, and for small tensors, in addition keys of 16 to 32 bytes
 * (more for more than 128 bits of indices) for each entry, at most 512 MiB at a time unless one slice alone
 * needs more, and one sort for each mode and each format with blocks. TSR_CANCELLED when the observer says
 * so. */
tsr_status tsr_survey_init(tsr_survey *survey, const tsr_tensor *tensor, const tsr_coo *coo,
                           const tsr_survey_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_survey_clear(tsr_survey *survey);

#ifdef __cplusplus
}
#endif
#endif
