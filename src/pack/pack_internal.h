/* Declarations shared by the files of the packer: the job, its entries, its sorted records.
 *
 * Packing is done in passes over the entries, each on all threads: inspect (check the coordinates, find the
 * bits that they use and whether they are in storage order); scatter and sort where they are not; count the
 * positions that each thread's share opens; fill the level arrays. */
#ifndef PACK_INTERNAL_H
#define PACK_INTERNAL_H

#include <stdatomic.h>

#include "tsr_bits.h"
#include "tsr_parallel.h"
#include "tsr_source.h"
#include "tsr_tuning.h"

/* Entries per block: one less than a map plan takes, since the entry before the first is needed, too. */
enum { PACK_BLOCK = TSR_LEVEL_BLOCK - 1 };
/* What is assumed of the machine while n entries are packed: asking for its caches takes some 0.1 ms, so few entries go with
 * the defaults. */
static inline tsr_tuning pack_tuning(uint64_t n)
{
    enum { MANY = 1 << 18 };
    return n < MANY ? tsr_tuning_complete(NULL) : tsr_tuning_of_machine();
}

/* The largest number of key bits that select a bucket. */
enum { PACK_MAX_BUCKET_BITS = 11 };
/* The largest number of 64-bit planes of a key: a coordinate of a level is below 2^64. */
enum { PACK_MAX_PLANES = TSR_MAX_LEVELS };
/* Each border between two slots of a key may cut a level in two. */
enum { PACK_MAX_PIECES = TSR_MAX_LEVELS + PACK_MAX_PLANES };

/* A run of n bits of the key: bits [level_shift, level_shift + n) of a level's coordinate are bits
 * [slot_shift, slot_shift + n) of a slot, which is the number of a plane, or -1 for the bucket number. */
typedef struct pack_piece {
    int level, slot;
    int level_shift, slot_shift;
    uint64_t mask; /* 2^n - 1 */
} pack_piece;

/* The linearised storage coordinate: the coordinates of all levels as one string of bits, level 0 first. The
 * first bits of the string are the bucket number; the rest is cut into planes of 64 bits, of which the last
 * may be shorter. */
typedef struct pack_key {
    int nbits[TSR_MAX_LEVELS]; /* per level; 0 where the coordinate is always 0 */
    int total;                 /* their sum */
    int nbucket_bits;
    int nplanes;
    int plane_nbits[PACK_MAX_PLANES];
    size_t plane_width[PACK_MAX_PLANES]; /* bytes: 4 or 8 */
    int npieces;
    pack_piece pieces[PACK_MAX_PIECES]; /* from the first bits of the string to the last */
} pack_key;

/* The entries as keys and values, in the same order. */
typedef struct pack_records {
    uint64_t *bucket; /* 2^nbucket_bits + 1: entries [bucket[b], bucket[b+1]) have bucket number b */
    tsr_array plane[PACK_MAX_PLANES]; /* n entries each */
    tsr_array values;                 /* n entries; empty where iso */
} pack_records;

/* The buffers of a thread for a block of entries. A row of coordinates has PACK_BLOCK + 1 places: place 0 is
 * the entry before the block. */
typedef struct pack_rows {
    void *memory;
    uint64_t *mode[TSR_MAX_ORDER];   /* logical coordinates */
    const unsigned char *values;     /* of the block from the source; the one value where it is iso */
    uint64_t *level[TSR_MAX_LEVELS]; /* storage coordinates, from the map or decoded from keys */
    uint64_t *position, *work;       /* PACK_BLOCK places, used by each step in its own way */
    uint8_t *lead, *flag;            /* PACK_BLOCK places */
    void *plan_scratch;
} pack_rows;

/* The storage coordinates of one level for a block: entry first + i at index i, the entry before it at -1. */
typedef struct pack_coords {
    const void *data;
    size_t width; /* 4 or 8 */
} pack_coords;

/* The results of a thread for its share of the entries. */
typedef struct pack_share {
    uint64_t first;                  /* first entry; the share ends at the first entry of the next share */
    uint64_t used[TSR_MAX_LEVELS];   /* the bitwise or of all coordinates */
    bool falls;                      /* an entry is less than the one before it */
    uint64_t opened[TSR_MAX_LEVELS]; /* positions that the share opens */
    uint64_t nduplicates;            /* entries equal to the one before */
    tsr_error err;                   /* status TSR_OK: no error */
} pack_share;

/* The part of a call of tsr_pack that a job is, for progress. */
typedef struct pack_part {
    double begin, share; /* of the whole */
    uint64_t total;      /* entries that the whole reports; 0: those of the job */
} pack_part;

/* One call of tsr_pack, or one of two steps of it. */
typedef struct pack_job {
    tsr_source *source; /* owned */
    const tsr_format *format;
    tsr_pack_options options;
    int nthreads, nlevels;
    uint64_t n;                  /* entries */
    bool keep;                   /* duplicates are stored */
    bool dense_leaf;             /* the last level is full, or the order is 0 */
    uint8_t duplicate_lead;      /* the lead of an entry that equals the one before: nlevels, at least 1 */
    uint8_t cut[TSR_MAX_LEVELS]; /* entries with lead <= cut open a position */
    int alias[TSR_MAX_LEVELS];   /* the mode whose coordinate the level copies, or -1 */
    const tsr_binding *binding;  /* of the tensor, borrowed */
    tsr_map_plan *plan;
    pack_rows *rows;    /* nthreads */
    pack_share *shares; /* nthreads + 1 */
    bool sorted;        /* the entries of the source are in storage order; if not: */
    pack_key key;
    pack_records records;
    uint64_t nduplicates; /* entries equal to the one before them in storage order */
    bool iso;             /* the tensor will have one value for all */
    bool values_taken;    /* the array of values was moved from the source */
    bool copies_values;   /* a direct conversion copies the values, and reads the source after pack_alloc */
    bool writes_zeros;    /* it also writes the cells without an entry where the fill is 0 */
    /* arrays of the source that become those of the level, where their lengths and widths are the same; or NULL */
    tsr_array *moved_pos[TSR_MAX_LEVELS], *moved_crd[TSR_MAX_LEVELS];
    tsr_tensor *tensor; /* the result; its arrays are allocated last */
    pack_part part;
    const char *way; /* see tsr_pack_stats */
    double way_nbytes, sort_nbytes;
    int64_t step_ns;       /* time of the last progress report; only share 0 writes it */
    atomic_bool cancelled; /* the observer cancelled */
} pack_job;

/* The bytes of a value of an entry; 0: there is one value for all. */
static inline size_t pack_value_nbytes(const pack_job *job)
{
    return job->iso ? 0 : tsr_type_nbytes(job->source->value_type);
}

/* The passes, for progress. */
typedef enum pack_pass {
    PACK_INSPECT,
    PACK_BUCKETS,
    PACK_SCATTER,
    PACK_RANGES,
    PACK_COUNT,
    PACK_FILL
} pack_pass;

/* ---- pack_entries.c: storage coordinates from the source ---- */

/* Allocate the rows of all threads. */
tsr_status pack_rows_new(pack_job *job, tsr_error *err) TSR_NODISCARD;
void pack_rows_free(pack_job *job);
/* coords[l]: the storage coordinates of entries [first, first + n), n <= PACK_BLOCK, at level l, and
 * rows->values: pointers into the block of the source where the level copies a mode, else into the rows. Share t
 * keeps the error. False: failed. */
bool pack_entries_load(pack_coords *coords, pack_job *job, int t, uint64_t first, size_t n, bool with_values);
/* Set rows->lead of the block, and rows->flag to whether an entry is less than the entry before it. */
void pack_entries_lead(const pack_job *job, pack_rows *rows, const pack_coords *coords, uint64_t first,
                       size_t n);
/* Add the positions that a block of sorted entries with these leads opens, and the duplicates, to the
 * share. */
void pack_count_block(const pack_job *job, pack_share *share, const pack_rows *rows, size_t n);
/* Check all coordinates against the dims, find the used bits and whether the entries are sorted; where they
 * are, also count as pack_count does. */
tsr_status pack_inspect(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* ---- pack_key.c: keys ---- */

/* Lay out keys for coordinates that use these bits, with at most max_bucket_bits for the bucket number. */
void pack_key_init(pack_key *key, int nlevels, const uint64_t *used, int max_bucket_bits);
/* out[i] = slot (a plane or -1) of the key of the block's entry i. */
void pack_key_encode(uint64_t *out, const pack_key *key, int slot, const pack_coords *coords, size_t n);
/* Set rows->lead of a block of sorted records. */
void pack_key_lead(const pack_job *job, pack_rows *rows, uint64_t first, size_t n);
/* level[l][0..n): the storage coordinates of a block of sorted records. */
void pack_key_decode(const pack_job *job, uint64_t *const *level, uint64_t first, size_t n);

/* ---- pack_sort.c ---- */

/* Sort n different words whose bits below `low` are already in order, by digits from the lowest varying bit
 * up; scratch: n words. */
void pack_sort_words(uint64_t *word, uint64_t *scratch, size_t n, int low);
/* Turn the entries into sorted records. The source is not read afterwards. */
tsr_status pack_sort(pack_job *job, tsr_error *err) TSR_NODISCARD;
void pack_records_clear(pack_records *records);

/* ---- pack_size.c ---- */

/* The positions and widths of every level. */
typedef struct pack_shape {
    uint64_t nparents[TSR_MAX_LEVELS], npos[TSR_MAX_LEVELS];
    size_t pos_width[TSR_MAX_LEVELS], crd_width[TSR_MAX_LEVELS]; /* bytes */
    uint64_t nvalues;                                            /* positions of the last level */
} pack_shape;
/* Compute the shape. opened[l]: positions opened at level l, used for levels whose positions depend on the
 * entries; NULL: the least possible numbers. TSR_LIMIT with the size where it is too large, TSR_RANGE where
 * an array does not fit the requested width. */
tsr_status pack_shape_init(pack_shape *shape, const pack_job *job, const uint64_t *opened,
                           tsr_error *err) TSR_NODISCARD;

/* Whether a result of nbytes fits max_nbytes and the memory that is left, where `freed` bytes are freed
 * first. */
bool pack_fits(const tsr_pack_options *options, double nbytes, double freed);
/* TSR_LIMIT: "ddd of 12092 x 9184 x 28818 needs 25.6 TB, more than the allowed 8.00 GB". */
tsr_status pack_too_large(const tsr_format *format, const uint64_t *dims, const tsr_pack_options *options,
                          double nbytes, tsr_error *err) TSR_NODISCARD;

/* The memory of a tensor whose levels make their own arrays. */
typedef struct pack_room {
    pack_job *job;
    double nbytes; /* taken so far */
} pack_room;
/* Add nbytes; TSR_LIMIT where the tensor becomes too large. arg: a pack_room. */
tsr_status pack_room_take(void *arg, double nbytes, tsr_error *err) TSR_NODISCARD;
/* The same memory as levels see it, with the widths that the job asks for. */
tsr_level_room pack_room_open(pack_room *room);

/* ---- pack_alloc.c ---- */

/* Free the arrays of a source that is not read any more. */
void pack_free_arrays(tsr_source *source);
bool pack_fill_is_zero(const tsr_tensor *tensor);
/* Whether pack_alloc will move the array of values from the source. */
bool pack_takes_values(const pack_job *job);
/* Check the size of job->tensor and allocate its arrays; arrays of the source are used again where they fit. */
tsr_status pack_alloc(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* ---- pack_fill.c ---- */

/* Cut the sorted entries into shares; a share does not begin with a duplicate (unless duplicates are
 * kept). */
tsr_status pack_cut(pack_job *job, tsr_error *err) TSR_NODISCARD;
/* Count the positions that each share opens, and its duplicates. */
tsr_status pack_count(pack_job *job, tsr_error *err) TSR_NODISCARD;
/* The first entry, in storage order, that equals the entry before it; there must be one. */
uint64_t pack_first_duplicate(pack_job *job);
/* Fill job->tensor. */
tsr_status pack_fill(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* Compute rows->lead and the storage coordinates coord[l][0..n) of a block of entries in storage order, and where
 * with_values also rows->values. False: share t has failed. */
bool pack_load_block(pack_job *job, int t, uint64_t *const *coord, uint64_t first, size_t n,
                     bool with_values);

/* ---- pack_levels.c ---- */

/* Make job->tensor level by level, each from all entries: formats with a level type that assembles. */
tsr_status pack_levels(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* ---- pack.c ---- */

/* *acc += *v for a duplicate. False if an integer sum overflows, unless it may wrap around. */
static inline bool pack_add(const pack_job *job, void *acc, const void *v)
{
    return tsr_value_add(job->source->value_type, acc, v) || job->options.wraps;
}

/* The logical coordinates of entry e in storage order as "(3, 4)", with the buffers of share t. Returns buf or
 * static text. */
enum { PACK_ENTRY_NBYTES = TSR_MAX_ORDER * 22 + 3 };
const char *pack_entry_text(char buf[PACK_ENTRY_NBYTES], pack_job *job, int t, uint64_t e);
/* Run body(job, t, nthreads) on the job's threads. Returns the error of the first share that has one. */
tsr_status pack_run(pack_job *job, void (*body)(void *job, int t, int nthreads),
                    tsr_error *err) TSR_NODISCARD;
/* The same for a body with another argument. */
tsr_status pack_run_with(pack_job *job, void (*body)(void *arg, int t, int nthreads), void *arg,
                         tsr_error *err) TSR_NODISCARD;

/* Report, at most 4 times per second, that share t has done `done` of `total` in the pass; only share 0
 * reports. False: the run is cancelled, and the share may stop, since the result is not used. */
bool pack_step(pack_job *job, int t, pack_pass pass, uint64_t done, uint64_t total);
/* At the end of a pass: report progress. TSR_CANCELLED where the observer cancelled. */
tsr_status pack_end_pass(pack_job *job, pack_pass pass, tsr_error *err) TSR_NODISCARD;

#endif
