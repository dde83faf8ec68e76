/* A survey of the entries of a tensor: the order of the entries, their numbers in slices and fibers, and the
 * memory that each named format would take for them.
 *
 * One pass over the entries, in the order in which they are stored, finds the facts that this order shows.
 * The other facts need the entries in other orders: the survey sorts small tensors always, and large tensors
 * when the caller asks for exact facts. Of large tensors it takes samples in the same pass (tsr_sample.h), and
 * estimates from them what it does not know. */
#ifndef TSR_SURVEY_H
#define TSR_SURVEY_H

#include "tsr_density.h"
#include "tsr_observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Up to this number of entries the survey sorts for all facts: that takes a tenth of a second. */
enum { TSR_SURVEY_SMALL = 1 << 18 };

/* The numbers of entries in groups of cells (slices or fibers). */
typedef struct tsr_spread {
    bool known;        /* false: only total is valid */
    double total;      /* all groups, with the empty groups */
    uint64_t used;     /* groups with an entry */
    uint64_t min, max; /* entries of a used group; 0 when no group is used */
    double mean;       /* entries of a used group; 0 when no group is used */
    double estimate;   /* of mean, from a sample, where it is not known; 0: there is none */
} tsr_spread;

typedef struct tsr_mode_facts {
    tsr_spread slices; /* a slice of mode m: all cells with one coordinate in mode m; there are dims[m] */
    tsr_spread fibers; /* a fiber of mode m: all cells that differ in mode m only */
} tsr_mode_facts;

/* The memory that a named format would take for these entries. */
typedef struct tsr_format_size {
    char *format;    /* the name of the format, owned */
    double nbytes;   /* HUGE_VAL when the dims do not fit the format */
    bool exact;      /* false: nbytes is an upper bound */
    double estimate; /* of a size that is not exact, from a sample; 0: there is none */
} tsr_format_size;

/* The values, told apart by their bits: 0 and -0 are different. What a format stores for cells without an entry counts, too. */
typedef struct tsr_value_facts {
    double ndifferent; /* 0: not known */
    bool is_exact;     /* else ndifferent is an estimate, with a standard error below 1% */
    tsr_type
        narrowest; /* type of the same class that holds all values exactly, NaN excepted; that of the tensor if there is none */
    unsigned char first[TSR_MAX_VALUE_NBYTES]; /* where ndifferent is known: one of them */
} tsr_value_facts;

enum { TSR_SURVEY_MAX_TUPLES = 2 * TSR_MAX_ORDER + TSR_MAX_ORDER * TSR_MAX_ORDER };

typedef struct tsr_survey {
    uint64_t nnz;  /* stored entries, duplicates counted */
    double ncells; /* the product of the dims */
    bool duplicates_known;
    uint64_t nduplicates;                /* entries at the cell of an earlier entry */
    bool sorted;                         /* the coordinates of the modes, in the order sorted_by, rise
                                            lexicographically */
    int sorted_by[TSR_MAX_ORDER];        /* valid when sorted: all modes */
    tsr_mode_facts modes[TSR_MAX_ORDER]; /* if duplicates_known, entries at one cell count once, else each
                                            counts */
    /* The known numbers of different tuples of coordinates that the entries have in a set of modes. */
    int ntuples;
    struct {
        uint32_t modes; /* bit m: mode m is in the set */
        uint64_t n;
    } tuples[TSR_SURVEY_MAX_TUPLES];
    int nsizes;
    tsr_format_size *sizes; /* one per named format that fits the order and needs no parameters */
    tsr_value_facts values;
} tsr_survey;

/* With all fields zero the survey finds only the order of the entries. */
typedef struct tsr_survey_options {
    int nthreads;         /* 0: all */
    bool spreads;         /* find the slices and the fibers */
    bool sizes;           /* find the sizes of the named formats */
    bool values;          /* count the different values, if the tensor has its values */
    bool exact;           /* sort the entries for each fact that the first pass does not show */
    uint64_t small;       /* sort also without `exact` up to this number of entries; 0: TSR_SURVEY_SMALL */
    uint64_t sort_nbytes; /* memory that one sort should take; 0: 512 MiB */
    tsr_density *density; /* made by tsr_density_init, filled in the same pass; may be NULL */
    const tsr_observer *observer;
} tsr_survey_options;

/* Fill *survey from the tensor or from the coo (exactly one is not NULL). The tensor may lack values where
 * tsr_cells.h says so. options may be NULL: all fields zero. The sizes count values of the type of the
 * tensor, one value if the entries share one. Memory: each thread has one counter for each coordinate of a
 * mode; all counters together take at most 64 MiB or 4 bytes per position, whichever is more, and the slices
 * of modes that do not fit stay unknown unless the survey sorts. A sort takes 16 to 32 bytes for each entry
 * (more when the coordinates of an entry have more than 128 bits), at most sort_nbytes at a time unless one
 * slice alone needs more; there is one sort for each mode, and one for each format with blocks. TSR_CANCELLED
 * when the observer says so, TSR_NOMEM, TSR_LIMIT when a dense last level has 2^34 positions or more that
 * share one value. After a failure the survey can only be cleared. */
tsr_status tsr_survey_init(tsr_survey *survey, const tsr_tensor *tensor, const tsr_coo *coo,
                           const tsr_survey_options *options, tsr_error *err) TSR_NODISCARD;
/* Free what the survey owns. */
void tsr_survey_clear(tsr_survey *survey);

#ifdef __cplusplus
}
#endif
#endif
