/* What the files of the survey share. */
#ifndef ADVISE_INTERNAL_H
#define ADVISE_INTERNAL_H

#include "tsr_sample.h"
#include "tsr_survey.h"

enum { ADVISE_PATTERN_MODES = 8, ADVISE_MAX_PATTERNS = 6561 /* 3^8 */ };

/* The entries that a survey reads, and the caller's options. One of tensor and coo is NULL. */
typedef struct advise_source {
    const tsr_tensor *tensor;
    const tsr_coo *coo;
    int order;
    const uint64_t *dims; /* order entries */
    tsr_type type;
    bool iso;
    uint64_t npos; /* at least the number of entries: the positions of the last level, or nnz of coo */
    const tsr_survey_options *options;
} advise_source;

/* Whether the survey may sort the entries to find facts that one pass does not show: the options say `exact`
 * or nnz is small. */
bool advise_may_sort(const advise_source *source, uint64_t nnz);
/* Count one more group of cells, which has n entries. */
void advise_spread_add(tsr_spread *spread, uint64_t n);

/* Samples that are taken in a pass over the entries which its caller makes: sample.c. */
typedef struct advise_sampling advise_sampling;
/* The shares of the pass, and the entries of each slice if the caller counts them. */
typedef struct advise_counters {
    int nshares;
    uint32_t **
        slices; /* nshares * TSR_MAX_ORDER arrays, NULL where a mode is not counted; NULL: the samples count */
} advise_counters;
/* Begin samples. Clear them also after a failure. TSR_NOMEM. */
tsr_status advise_sampling_new(advise_sampling **out, tsr_samples *samples, const advise_source *source,
                               const tsr_sample_options *options, const advise_counters *counters,
                               tsr_error *err) TSR_NODISCARD;
/* Take a block of share t; false: stop, the next function says why. */
bool advise_sampling_add(advise_sampling *sampling, int t, const tsr_cell_block *block);
/* Complete the samples after the pass, by a second one where few slices hold most entries. The caller's counts are added up to those of
 * the first share, and the samples have none then. TSR_NOMEM, TSR_CANCELLED. */
tsr_status advise_sampling_finish(advise_sampling *sampling, tsr_cells *cells, tsr_error *err) TSR_NODISCARD;
void advise_sampling_free(advise_sampling *sampling);

/* How each entry differs from the entry stored before it: see survey_pass.c. */
typedef struct advise_pass {
    int run_mode; /* input: measure runs of entries that differ in this mode alone; -1: measure none */
    bool spreads; /* input: count the entries of each slice */
    tsr_samples *samples; /* input: samples to take in the same pass; may be NULL */
    uint64_t nnz;
    uint64_t nties;                          /* pairs of neighbours at the same cell */
    uint64_t npatterns[ADVISE_MAX_PATTERNS]; /* of up to 8 modes: pairs of neighbours of each pattern */
    uint32_t weight[TSR_MAX_ORDER];          /* pattern = sum of weight[m] * (0: same, 1: rises, 2: falls) */
    tsr_spread runs;
    tsr_spread slices[TSR_MAX_ORDER]; /* known is false where the counters would take too much memory */
} advise_pass;
tsr_status advise_pass_run(advise_pass *pass, const advise_source *source, tsr_error *err) TSR_NODISCARD;
/* rising[m] (of each mode m): between all neighbours that agree in the modes prefix[0..n), the coordinate of
 * mode m never falls. *ties: such neighbours exist. One pass over the entries. */
tsr_status advise_find_rising(bool *rising, bool *ties, const advise_source *source, const int *prefix, int n,
                              tsr_error *err) TSR_NODISCARD;

/* The number of different prefixes of the tuples of coordinates of the entries, in one order of the
 * coordinates. */
typedef struct advise_prefixes {
    int n;
    uint64_t npos[TSR_MAX_LEVELS]; /* n elements: different tuples of the first l + 1 coordinates */
    tsr_spread first;              /* groups: tuples with the same first coordinate */
    tsr_spread last;               /* groups: tuples with the same first n - 1 coordinates */
} advise_prefixes;
/* Count the prefixes of the coordinates of modes[0..n) if binding is NULL, else of the n storage coordinates
 * of the bound format. The entries are sorted: see prefixes.c. */
tsr_status advise_count_prefixes(advise_prefixes *out, const advise_source *source, const int *modes, int n,
                                 const tsr_binding *binding, tsr_error *err) TSR_NODISCARD;

/* The narrowest type of the same class that holds all values exactly, NaN excepted; `type` itself if there is none. */
tsr_type advise_narrowest(const tsr_array *values, tsr_type type, int nthreads);
/* Count the different values, and find the narrowest type. Cost: a pass over the values; memory: 512 kB for each thread. TSR_NOMEM. */
tsr_status advise_look_at_values(tsr_value_facts *out, const tsr_array *values, tsr_type type, int nthreads,
                                 tsr_error *err) TSR_NODISCARD;

/* Bytes of all arrays and values of a tensor in the format; npos of the levels that depend on the entries is given. */
double advise_format_nbytes(const double *npos, const tsr_binding *binding, tsr_type type_of_values,
                            bool is_iso);

/* Estimate from the samples the sizes and the fibers that the survey does not know. TSR_NOMEM. */
tsr_status advise_estimate(tsr_survey *survey, const advise_source *source, const tsr_samples *samples,
                           tsr_error *err) TSR_NODISCARD;
/* Fill survey->sizes. TSR_NOMEM, TSR_CANCELLED. */
tsr_status advise_sizes(tsr_survey *survey, const advise_source *source, tsr_error *err) TSR_NODISCARD;

#endif
