/* How a format stores the entries of a tensor and how a loop over the format visits them, estimated from samples: see
 * visit.c. */
#ifndef ADVISE_VISIT_H
#define ADVISE_VISIT_H

#include "advise_room.h"

/* A dense tensor that is read or written at some coordinates of each entry. */
typedef struct advise_access {
    /* of a second place of the sparse tensor, whose slices are looked up by one mode: whether formats do so that know the coordinate of
     * `mode` after that of the other one (1), or before (-1); 0: a dense tensor */
    int joins;
    int nmodes;
    int mode[TSR_MAX_ORDER]; /* modes of the sparse tensor, in the order of the dense one's */
    uint64_t dims[TSR_MAX_ORDER];
    double row_nbytes; /* what is contiguous for each of these cells: a value, or a row of values */
    /* Of the entries of the SLICES sample of its longest mode, which has the most groups; NULL: it has no mode of the sparse tensor. */
    const tsr_sample *sample;
    tsr_units units; /* lines, or rows; owned */
    double ncells;   /* different cells that the sample uses */
} advise_access;

/* What the entries of one sample show when they come in the order of the format. */
typedef struct advise_scan {
    bool done;
    const uint32_t *entry;              /* the entries in the order of the format, in the room */
    uint64_t ndistinct[TSR_MAX_LEVELS]; /* different prefixes of storage coordinates, down to each level */
    uint64_t nhalf[TSR_MAX_LEVELS];     /* those of the first half of the entries, where samples are thin */
    uint64_t nbreaks;                   /* see advise_visit */
} advise_scan;

/* How often the format uses a dense tensor. */
typedef struct advise_use {
    double times; /* advise_visit_times */
    double runs;  /* how often another cell comes than before */
    double cells; /* different cells that are used */
    double units; /* different lines, or rows longer than lines, that are used */
    bool
        in_order; /* line after line, most of them, each once, in the order in which they are stored: a stream */
    double misses[TSR_MAX_CACHES]; /* of each cache, of lookups; 0: not counted, because they come in order */
    double sequential
        [TSR_MAX_CACHES]; /* misses of units that come after one in the first cache, which `misses` does not have */
} advise_use;

/* The caches of a thread. */
typedef struct advise_caches {
    int n;
    double capacity[TSR_MAX_CACHES]; /* bytes that the thread may use of each */
    int nthreads;                    /* each takes one part of the entries */
} advise_caches;

/* A use that was found: the kernels of a question use the same dense tensors. */
enum { ADVISE_MAX_USES = 16 };
typedef struct advise_found_use {
    tsr_unit_kind kind;
    double row_nbytes;
    advise_use use;
} advise_found_use;

typedef struct advise_visit {
    const tsr_samples *samples;
    tsr_binding *binding;
    tsr_map_plan *forward, *inverse; /* of the binding; owned, like the memory that they need */
    void *scratch;
    advise_scan *scans;          /* of each sample; made when it is needed; owned */
    double npos[TSR_MAX_LEVELS]; /* positions of each level, with padding */
    double nbytes;               /* of all arrays and values */
    int lists; /* the last level that has lists: the levels below are full; 0: no level below another one has lists */
    double nbreaks; /* its lists whose length differs from that of the list before, empty ones among them */
    double
        nrevisits; /* lines of a vector of the first mode that are used again, since slices are sorted by length across a cache */
    int known[TSR_MAX_ORDER]; /* the level at which the coordinate of a mode is known */
    int near[TSR_MAX_ORDER];  /* the level at which it is known up to TSR_SAMPLE_BAND */
    bool in_order;            /* the scans have the entries in the order in which they are stored */
    const advise_caches *caches;
    tsr_room *room;
    int nuses;
    advise_found_use uses[ADVISE_MAX_USES];
} advise_visit;

typedef struct advise_values {
    tsr_type type;
    bool is_iso; /* the entries share one value */
} advise_values;

/* What all visits share, borrowed; each thread has a room of its own. */
typedef struct advise_visited {
    const tsr_samples *samples;
    const advise_caches *caches;
    advise_values values;
    tsr_room *room; /* of one visit at a time */
} advise_visited;
/* Estimate. format: borrowed. TSR_NOMEM, and errors of the binding. */
tsr_status advise_visit_init(advise_visit *visit, const advise_visited *of, const tsr_format *format,
                             tsr_error *err) TSR_NODISCARD;
void advise_visit_clear(advise_visit *visit);

/* Whether threads that share the positions of the first level never use the same cell of the dense tensor. */
bool advise_visit_is_exclusive(const advise_visit *visit, const advise_access *access);

/* Positions of the level at which all coordinates of the cells of the tensor are known: how often they are looked up. */
double advise_visit_times(const advise_visit *visit, const advise_access *access);

/* Find how the format uses the dense tensor. TSR_NOMEM. */
tsr_status advise_visit_use(advise_use *use, advise_visit *visit, const advise_access *access,
                            tsr_error *err) TSR_NODISCARD;

#endif
