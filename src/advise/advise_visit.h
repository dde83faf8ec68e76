/* How a format stores the entries of a tensor and how a loop over the format visits them, estimated from samples: see
 * visit.c. */
#ifndef ADVISE_VISIT_H
#define ADVISE_VISIT_H

#include "tsr_sample.h"

/* A dense tensor that is read or written at some coordinates of each entry. */
typedef struct advise_access {
    int nmodes;
    int mode[TSR_MAX_ORDER]; /* modes of the sparse tensor, in the order of the dense one's */
    uint64_t dims[TSR_MAX_ORDER];
    double row_nbytes; /* what is contiguous for each of these cells: a value, or a row of values */
} advise_access;

typedef struct advise_visit {
    const tsr_samples *samples;
    tsr_binding *binding;
    uint32_t *entry
        [TSR_MAX_ORDER]; /* the entries of the SLICES sample of each mode in the order of the format; owned */
    double npos[TSR_MAX_LEVELS]; /* positions of each level, with padding */
    double nbytes;               /* of all arrays and values */
    int known[TSR_MAX_ORDER];    /* the level at which the coordinate of a mode is known */
    bool in_order;               /* the format has the entries in the order in which they are stored */
} advise_visit;

/* Estimate. format: borrowed, as samples. is_pattern: the entries share one value. TSR_NOMEM, and errors of the binding. */
tsr_status advise_visit_init(advise_visit *visit, const tsr_samples *samples, const tsr_format *format,
                             tsr_type type, bool is_iso, tsr_error *err) TSR_NODISCARD;
void advise_visit_clear(advise_visit *visit);

/* Whether threads that share the positions of the first level never use the same cell of the dense tensor. TSR_NOMEM. */
tsr_status advise_visit_is_exclusive(bool *is_exclusive, const advise_visit *visit,
                                     const advise_access *access, tsr_error *err) TSR_NODISCARD;

/* How often the format uses the dense tensor. */
typedef struct advise_use {
    double
        times;   /* how often its cell is looked up: positions of the level where the coordinates are known */
    double runs; /* how often another cell comes than before */
    double cells;                  /* different cells that are used */
    bool in_order;                 /* cell after cell, in the order in which they are stored: a stream */
    double misses[TSR_MAX_CACHES]; /* of each cache, of lookups */
} advise_use;
typedef struct advise_caches {
    int n;
    double capacity[TSR_MAX_CACHES]; /* bytes that a thread may use of each */
    int nthreads;                    /* each takes one part of the entries */
} advise_caches;
/* use->cells is set if counts_cells. TSR_NOMEM. */
tsr_status advise_visit_use(advise_use *use, const advise_visit *visit, const advise_access *access,
                            bool counts_cells, const advise_caches *caches, tsr_error *err) TSR_NODISCARD;

#endif
