/* Samples of the entries of a tensor: for each mode, the entries of some groups of slices, all of each group or none.
 * What depends on whole slices is found without bias from a small part of the entries: how often rows of dense operands
 * are used again (tsr_sample_reuse), in any order of the entries; the number of different prefixes of coordinates.
 *
 * A slice belongs to a group of TSR_SAMPLE_GROUP neighbouring slices, and a group to a bucket by the number of the
 * group times the golden section, so that the groups of a bucket are spread evenly. A sample is the entries of some buckets. Groups that hold far more entries than others would fill a sample:
 * buckets with such groups are not taken. A mode with so few groups that one of them would fill the sample has none: its slices are
 * all in the samples of longer modes. */
#ifndef TSR_SAMPLE_H
#define TSR_SAMPLE_H

#include "tsr_cells.h"
#include "tsr_observer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TSR_SAMPLE_GROUP = 24, /* slices of a group: a multiple of 2, 3, 4, 6 and 8, whole lines of 8 values */
    TSR_SAMPLE_BAND = 768, /* slices of a group where blocks of slices are to be whole */
    TSR_SAMPLE_TILE = 256, /* indices of a tile along each mode */
    /* entries of a sample, about, unless the caller asks for another number: this part of all, within these bounds */
    TSR_SAMPLE_PART = 64,
    TSR_SAMPLE_LEAST = 1 << 14,
    TSR_SAMPLE_NNZ = 1 << 15
};

/* What makes a group. */
typedef enum tsr_sample_kind {
    TSR_SAMPLE_SLICES, /* neighbouring slices of a mode */
    TSR_SAMPLE_BANDS,  /* longer groups of neighbouring slices of a mode */
    TSR_SAMPLE_TILES   /* a box of TSR_SAMPLE_TILE indices in each mode */
} tsr_sample_kind;

/* Some entries of a tensor. */
typedef struct tsr_sample {
    tsr_sample_kind kind;
    int mode; /* of SLICES and BANDS */
    int order;
    uint64_t n;                   /* entries; 0 of SLICES also where the mode is too short for a sample */
    uint64_t *crd[TSR_MAX_ORDER]; /* n coordinates for each mode, in storage order; owned */
    uint64_t nnz;                 /* entries of the tensor, or of the part of it that the sample is of */
    double more;     /* the tensor has `more` times these entries: 1, unless the samples are thin */
    double eligible; /* entries of the tensor in groups that could be taken */
    /* the share of the groups that could be taken (with entries or without), which the sample has; TILES: the share of their entries */
    double share;
    double hot_groups;  /* groups that could not be taken, about */
    double hot_buckets; /* buckets with such a group: about as many slices are far longer than the others */
} tsr_sample;

/* The samples of a tensor: the slices of each mode, and of two modes the bands of each mode, then tiles. */
enum { TSR_MAX_SAMPLES = 2 * TSR_MAX_ORDER + 1 };
typedef struct tsr_samples {
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t nnz;
    bool is_thin;  /* see tsr_samples_thin */
    int thin_mode; /* whose slices are whole */
    uint32_t *slices
        [TSR_MAX_ORDER]; /* of each mode: entries of each slice, dims[m] numbers, owned; NULL: too many slices to count */
    int n;
    tsr_sample of[TSR_MAX_SAMPLES];
} tsr_samples;

typedef struct tsr_sample_options {
    int nthreads; /* 0: all */
    uint64_t nnz; /* entries of each sample, about; 0: TSR_SAMPLE_LEAST to TSR_SAMPLE_NNZ */
    const tsr_observer *observer;
} tsr_sample_options;

/* Take samples of the tensor or of the coo (exactly one is not NULL). Memory: about 8 * order * n bytes for each sample, at
 * most 32 MB together, 128 kB for each sample and thread, and at most 24 MB for slices that are counted. One pass over the entries, two
 * where few slices hold most of them. The samples of the same entries in the same order are the same for any number of threads. TSR_NOMEM,
 * TSR_CANCELLED. options may be NULL. After a failure *out is empty. */
tsr_status tsr_samples_init(tsr_samples *out, const tsr_tensor *tensor, const tsr_coo *coo,
                            const tsr_sample_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_samples_clear(tsr_samples *samples);

/* Entries of a tensor that is too large to be read: those of evenly spaced slices of one mode, in the storage order of the tensor. */
typedef struct tsr_thin {
    int mode;
    uint64_t nslices;             /* slices of the mode that were read, with entries or without */
    uint64_t nnz;                 /* entries of the tensor */
    const struct tsr_format *own; /* of the tensor, borrowed */
} tsr_thin;
/* Let the samples of such entries stand for the tensor. Of the other modes they lack entries in each slice: what was different in the entries
 * that were read, in the first half of them and in all, tells how much more is different in the tensor (Heaps' law). */
void tsr_samples_thin(tsr_samples *samples, const tsr_thin *thin);
/* The sample of that kind; NULL: there is none. */
const tsr_sample *tsr_samples_find(const tsr_samples *samples, tsr_sample_kind kind, int mode);

/* ---- reuse ---- */

/* The units of a dense operand: its cells that are fetched together, a line or a row. */
typedef struct tsr_unit_kind {
    int nmodes; /* modes that the operand has */
    int mode[TSR_MAX_ORDER];
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t per_unit; /* cells of the last of these modes in a unit */
} tsr_unit_kind;

/* The units that the entries of a sample use. */
typedef struct tsr_units {
    tsr_unit_kind kind;
    uint32_t n;   /* different units */
    uint32_t *of; /* the unit of each entry of the sample, below n; owned */
    uint32_t *
        after; /* of each unit: the unit that it comes after in memory; TSR_UNIT_UNUSED: no entry uses that unit;
                      * TSR_UNIT_UNKNOWN: the sample does not have it; owned */
    uint32_t *group; /* of each unit: a number that all units of a group of the sample share; owned */
    double chance;   /* that two entries of the sample are of the same group */
} tsr_units;
static const uint32_t TSR_UNIT_UNKNOWN = UINT32_MAX, TSR_UNIT_UNUSED = UINT32_MAX - 1;
/* Clear it also after a failure. TSR_NOMEM. */
tsr_status tsr_units_init(tsr_units *out, const tsr_sample *sample, const tsr_unit_kind *kind,
                          tsr_error *err) TSR_NODISCARD;
void tsr_units_clear(tsr_units *units);
/* Whether the sample has all uses of a unit or none. */
bool tsr_units_are_whole(const tsr_unit_kind *kind, const tsr_sample *sample);

enum { TSR_MAX_CACHES = 4 };

/* Memory for the search, which may serve many of them, one after the other: see advise_room.h. */
typedef struct tsr_room tsr_room;

/* How the entries, one after the other, use a dense operand. */
typedef struct tsr_reuse_query {
    int ncaches;
    double capacity[TSR_MAX_CACHES]; /* bytes of each cache that may hold the operand */
    const tsr_units *units;          /* of the sample */
    double unit_nbytes;
    double stream_nbytes; /* other bytes that pass through the caches with each entry */
    tsr_room *room;       /* NULL: memory is taken for this search alone */
} tsr_reuse_query;

/* Of all entries, for each cache. */
typedef struct tsr_reuse {
    double misses[TSR_MAX_CACHES]; /* the part that does not find its unit in the cache */
    double sequential
        [TSR_MAX_CACHES]; /* of these, the part for which the first cache holds the unit before: the processor
                                        * has seen the units come one after the other, and reads ahead */
} tsr_reuse;
/* Find the misses of caches of capacity[k] bytes, with the least recently used unit replaced. The entries of the sample come in the order of `entry` (n of them; NULL: as they are), each
 * of nparts parts with a cache of its own that has seen the part before. The sample is one of SLICES, of a mode of the operand if that is
 * long enough: then it has all uses of a unit or none. Else it has all units, and is taken for a smaller tensor. TSR_NOMEM. */
tsr_status tsr_sample_reuse(tsr_reuse *out, const tsr_sample *sample, const uint32_t *entry, int nparts,
                            const tsr_reuse_query *query, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
