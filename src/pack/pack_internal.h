/* What the packer's files share: the job, its entries, its sorted records.
 *
 * Packing runs in passes over the entries, each on all threads: inspect (are the coordinates legal, which
 * bits do they use, is their order the storage order?), scatter and sort when it is not, count the positions
 * that each thread's share opens, fill the level arrays. */
#ifndef PACK_INTERNAL_H
#define PACK_INTERNAL_H

#include <stdatomic.h>

#include "tsr_pack.h"
#include "tsr_parallel.h"

/* Entries handled at a time: one less than a map plan takes, for the entry before the first. */
enum { PACK_BLOCK = TSR_LEVEL_BLOCK - 1 };
/* Bits of the key that choose a bucket, at most. */
enum { PACK_MAX_BUCKET_BITS = 11 };
/* Planes of 64 bits that a key may take: every level's coordinate is below 2^64. */
enum { PACK_MAX_PLANES = TSR_MAX_LEVELS };
/* Each border between the slots of a key may cut a level in two. */
enum { PACK_MAX_PIECES = TSR_MAX_LEVELS + PACK_MAX_PLANES };

/* A run of n bits of the key: bits [level_shift, level_shift + n) of a level's coordinate stand at bits
 * [slot_shift, slot_shift + n) of a slot, which is a plane or (-1) the bucket number. */
typedef struct pack_piece {
    int level, slot;
    int level_shift, slot_shift;
    uint64_t mask; /* 2^n - 1 */
} pack_piece;

/* The linearised storage coordinate: the levels' coordinates as one string of bits, level 0 at the top. The
 * string's first bits are the bucket number, the rest is cut into planes of 64 bits, the last one shorter. */
typedef struct pack_key {
    int nbits[TSR_MAX_LEVELS]; /* per level; 0 when its coordinate is always 0 */
    int total;                 /* their sum */
    int nbucket_bits;
    int nplanes;
    int plane_nbits[PACK_MAX_PLANES];
    size_t plane_width[PACK_MAX_PLANES]; /* bytes: 4 or 8 */
    int npieces;
    pack_piece pieces[PACK_MAX_PIECES]; /* from the top of the string down */
} pack_key;

/* The entries as keys and values; the values travel with the keys. */
typedef struct pack_records {
    uint64_t *bucket; /* 2^nbucket_bits + 1: entries [bucket[b], bucket[b+1]) have bucket number b */
    tsr_array plane[PACK_MAX_PLANES]; /* n entries each */
    tsr_array values;                 /* n entries; absent when iso */
} pack_records;

/* One thread's room for a block of entries. A row of coordinates has PACK_BLOCK + 1 places: place 0 is for
 * the entry before the block. */
typedef struct pack_rows {
    void *memory;
    uint64_t *mode[TSR_MAX_ORDER];   /* coordinates as the map takes them */
    uint64_t *level[TSR_MAX_LEVELS]; /* coordinates as the map gives them, or as decoded from keys */
    uint64_t *position, *work;       /* PACK_BLOCK places, for each step's own use */
    uint8_t *lead, *flag;            /* PACK_BLOCK places */
    void *plan_scratch;
} pack_rows;

/* The storage coordinates of one level for a block: entry first + i at index i, the entry before it at -1. */
typedef struct pack_coords {
    const void *data;
    size_t width; /* 4 or 8 */
} pack_coords;

/* What one thread finds out about its share of the entries. */
typedef struct pack_share {
    uint64_t first;                  /* the share ends where the next one begins */
    uint64_t used[TSR_MAX_LEVELS];   /* the or of all coordinates */
    bool falls;                      /* an entry is less than the one before it */
    uint64_t opened[TSR_MAX_LEVELS]; /* positions that the share opens */
    uint64_t nduplicates;            /* entries equal to the one before */
    tsr_error err;                   /* status TSR_OK: none */
} pack_share;

typedef struct pack_job {
    tsr_coo *coo;
    const tsr_format *format;
    tsr_pack_options options;
    int nthreads, nlevels;
    uint64_t n;                  /* entries */
    bool keep;                   /* duplicates are stored */
    bool dense_leaf;             /* the last level is full, or there is none */
    uint8_t duplicate_lead;      /* the lead of an entry that equals the one before: nlevels, at least 1 */
    uint8_t cut[TSR_MAX_LEVELS]; /* entries with lead <= cut open a position */
    int alias[TSR_MAX_LEVELS];   /* the mode that a level's coordinate is a copy of, or -1 */
    const tsr_binding *binding;  /* the tensor's */
    tsr_map_plan *plan;
    pack_rows *rows;       /* nthreads */
    pack_share *shares;    /* nthreads + 1 */
    bool sorted;           /* the coo's entries are in storage order */
    pack_key key;          /* when they are not */
    pack_records records;  /* likewise */
    uint64_t nduplicates;  /* entries equal to the one before them in storage order */
    bool iso;              /* the tensor will have one value for all */
    bool values_taken;     /* the tensor's values are the source's array itself */
    tsr_tensor *tensor;    /* made first, its arrays last */
    int64_t step_ns;       /* when the observer heard last; share 0 alone writes it */
    atomic_bool cancelled; /* the observer wants no more */
} pack_job;

/* The passes that progress tells apart. */
typedef enum pack_pass {
    PACK_INSPECT,
    PACK_BUCKETS,
    PACK_SCATTER,
    PACK_RANGES,
    PACK_COUNT,
    PACK_FILL
} pack_pass;

/* ---- pack_entries.c: storage coordinates straight from the coo ---- */

/* Make every thread's rows. */
tsr_status pack_rows_new(pack_job *job, tsr_error *err) TSR_NODISCARD;
void pack_rows_free(pack_job *job);
/* The storage coordinates of entries [first, first + n), n <= PACK_BLOCK, at every level: pointers into the
 * coo where a level copies a mode, else into the rows. */
void pack_entries_load(pack_coords *coords, const pack_job *job, pack_rows *rows, uint64_t first, size_t n);
/* rows->lead of the block, and in rows->flag whether an entry is less than the one before it. */
void pack_entries_lead(const pack_job *job, pack_rows *rows, const pack_coords *coords, uint64_t first,
                       size_t n);
/* Add what a block of sorted entries with these leads opens, and its duplicates, to the share. */
void pack_count_block(const pack_job *job, pack_share *share, const pack_rows *rows, size_t n);
/* Check every coordinate against its dim, find the bits used and whether the entries are sorted; when they
 * are, count as pack_count does. */
tsr_status pack_inspect(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* ---- pack_key.c: keys ---- */

/* Lay out keys for coordinates that use these bits, with at most max_bucket_bits for the bucket number. */
void pack_key_init(pack_key *key, int nlevels, const uint64_t *used, int max_bucket_bits);
/* out[i] = slot (a plane or -1) of the key of the block's entry i. */
void pack_key_encode(uint64_t *out, const pack_key *key, int slot, const pack_coords *coords, size_t n);
/* rows->lead of the block of sorted records. */
void pack_key_lead(const pack_job *job, pack_rows *rows, uint64_t first, size_t n);
/* The storage coordinates of the block of sorted records, at rows->level[l][0..n). */
void pack_key_decode(const pack_job *job, uint64_t *const *level, uint64_t first, size_t n);

/* ---- pack_sort.c ---- */

/* Turn the coo into sorted records. The coo's arrays are not needed after that. */
tsr_status pack_sort(pack_job *job, tsr_error *err) TSR_NODISCARD;
void pack_records_clear(pack_records *records);

/* ---- pack_size.c ---- */

/* The positions and widths of every level. */
typedef struct pack_shape {
    uint64_t nparents[TSR_MAX_LEVELS], npos[TSR_MAX_LEVELS];
    size_t pos_width[TSR_MAX_LEVELS], crd_width[TSR_MAX_LEVELS]; /* bytes */
    uint64_t nvalues;                                            /* positions of the last level */
} pack_shape;
/* From the positions opened at each level that cannot tell by itself; opened = NULL: as few as possible.
 * TSR_LIMIT with the size in words, TSR_RANGE when an array does not fit the width asked for. */
tsr_status pack_shape_init(pack_shape *shape, const pack_job *job, const uint64_t *opened,
                           tsr_error *err) TSR_NODISCARD;

/* What TSR_INDEX_AUTO means for this format; other policies as they are. */
tsr_index_width pack_index_width(tsr_index_width policy, const tsr_format *format);
/* Whether a result of nbytes is allowed: by max_nbytes, and by the memory that is left when `freed` bytes
 * are given back. */
bool pack_fits(const tsr_pack_options *options, double nbytes, double freed);
/* TSR_LIMIT: "ddd of 12092 x 9184 x 28818 needs 25.6 TB, more than the 8.00 GB that are allowed". */
tsr_status pack_too_large(const tsr_format *format, const uint64_t *dims, const tsr_pack_options *options,
                          double nbytes, tsr_error *err) TSR_NODISCARD;

/* ---- pack_alloc.c ---- */

/* Free the arrays of a coo that was turned into records (a single value stays). */
void pack_free_coordinates(tsr_coo *coo);
/* Make job->tensor with all its arrays, from the coo's own where they fit; checks its size first. */
tsr_status pack_alloc(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* ---- pack_fill.c ---- */

/* Cut the sorted entries into shares that begin with no duplicate (unless these are kept). */
void pack_cut(pack_job *job);
/* Count what each share opens. */
void pack_count(pack_job *job);
/* The first entry, in storage order, that equals the one before; there is one. */
uint64_t pack_first_duplicate(pack_job *job);
/* Fill job->tensor. */
tsr_status pack_fill(pack_job *job, tsr_error *err) TSR_NODISCARD;

/* ---- pack.c ---- */

/* The logical coordinates of entry e (of the sorted records, when there are such) as "(3, 4)". */
enum { PACK_ENTRY_NBYTES = TSR_MAX_ORDER * 22 + 3 };
const char *pack_entry_text(char buf[PACK_ENTRY_NBYTES], const pack_job *job, uint64_t e);
/* Run body(job, t, nthreads) on the job's threads; then the error of the first share that has one. */
tsr_status pack_run(pack_job *job, void (*body)(void *job, int t, int nthreads),
                    tsr_error *err) TSR_NODISCARD;

/* Tell the observer, twice a second at the most, that share t has done `done` of its `total` in the pass;
 * only share 0 tells. False when the run is cancelled: the share may stop where nobody uses what it leaves.
 */
bool pack_step(pack_job *job, int t, pack_pass pass, uint64_t done, uint64_t total);
/* At the end of a pass: TSR_CANCELLED when the observer wants no more. */
tsr_status pack_end_pass(pack_job *job, pack_pass pass, tsr_error *err) TSR_NODISCARD;

/* The number of bits that v takes: the smallest b with v < 2^b. */
static inline int pack_bit_length(uint64_t v)
{
    int n = 0;
    for (int step = 32; step; step /= 2)
        if (v >> step) {
            v >>= step;
            n += step;
        }
    return n + (v != 0);
}

#endif
