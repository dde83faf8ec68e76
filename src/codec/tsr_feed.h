/* Feeds: the entries of a file, or of a packed tensor whose arrays are not in memory, run by run. Memory does not grow
 * with the number of entries. */
#ifndef TSR_FEED_H
#define TSR_FEED_H

#include "tsr_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of a tensor before its entries are read. */
typedef struct tsr_facts {
    int order;
    bool has_dims; /* false: the dims are the largest coordinates + 1, known when all entries were read */
    uint64_t dims[TSR_MAX_ORDER];
    bool has_nnz;
    uint64_t nnz;
    /* The type of the values in the end. Runs may have another one: see tsr_run. */
    tsr_type type;
    bool mixed;    /* some runs may have i64 values and others f64 */
    bool integers; /* type f64, unless all runs have i64 values: then i64 */
    bool iso;      /* all entries have the value of the first run */
    tsr_structure structure;
    bool has_fill;
    unsigned char fill[TSR_MAX_VALUE_NBYTES];
    const char *natural; /* as in tsr_coo */
    const tsr_format
        *format; /* the entries come in the storage order of this format; borrowed; NULL: in any order */
    /* with `format`: bytes of an element of the arrays of each level; 0: the level does not have the array */
    uint8_t pos_nbytes[TSR_MAX_LEVELS], crd_nbytes[TSR_MAX_LEVELS];
} tsr_facts;

/* Entries that follow each other; borrowed until the next call of the feed. */
typedef struct tsr_run {
    uint64_t n; /* 0: the end */
    const uint64_t *crd
        [TSR_MAX_ORDER]; /* n coordinates per mode, 0-based, checked against the dims where these are known */
    const void *values;  /* n values (1 where facts.iso) of `type` */
    /* facts.type; or a type that is to be converted: from i64 to f64 first where another run has f64, then to
     * facts.type */
    tsr_type type;
    const uint64_t *max; /* the largest coordinate of each mode, or NULL: not known */
} tsr_run;

typedef struct tsr_feed tsr_feed;

/* What threads do with the runs of a feed that they share. */
typedef struct tsr_feed_share {
    int nthreads; /* at most */
    void *ctx;
    /* Thread t is about to take the next run, which ends at `place`. One thread at a time, in the sequence of the runs; it should be
     * short. An error ends the sharing. */
    tsr_status (*accept)(void *ctx, int t, uint64_t place, const tsr_run *run, tsr_error *err);
    /* Thread t works on run number k = 0, 1... All runs before it were accepted, and are worked on now or were. False: end the
     * sharing. */
    bool (*take)(void *ctx, int t, uint64_t k, const tsr_run *run);
} tsr_feed_share;

/* What a kind of feed can do. */
typedef struct tsr_feed_type {
    tsr_status (*next)(tsr_run *run, tsr_feed *feed, tsr_error *err);
    /* NULL: never. */
    tsr_status (*seek)(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err);
    void (*close)(tsr_feed *feed);
    /* NULL: never. */
    tsr_status (*spread)(bool *more, tsr_feed *feed, uint64_t until, const tsr_feed_share *share,
                         tsr_error *err);
} tsr_feed_type;

/* The common beginning of all feeds. */
struct tsr_feed {
    const tsr_feed_type *type;
    tsr_facts facts;
    /* Places are bytes of the text, or numbers of entries: the next run begins at `place`. length: of the whole input; 0:
     * unknown (a pipe). */
    uint64_t place, length;
    bool can_seek;     /* any place */
    bool unsteady;     /* reading cannot go on from `place` later */
    bool can_rewind;   /* at least back to place 0 */
    tsr_input *opened; /* owned; closed with the feed */
    /* The names of the indices, owned, freed with the feed; NULL: none, or not wanted (tsr_read_options.labels). They take
     * memory that grows with the dims. */
    tsr_labels *labels;
};

/* Open a file for reading its entries: as tsr_read, with the same options. TSR_UNSUPPORTED where the codec reads such
 * files only as a whole. */
tsr_status tsr_feed_open(tsr_feed **out, const char *path, const tsr_codec *codec,
                         const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;
/* The next run; run->n is 0 at the end. Errors: those of tsr_read. */
tsr_status tsr_feed_next(tsr_run *run, tsr_feed *feed, tsr_error *err) TSR_NODISCARD;
/* Whether threads can share the runs. */
bool tsr_feed_can_spread(const tsr_feed *feed);
/* Threads take the runs, of which each is made by the thread that takes it, up to the first one that ends at `until` or behind it, and
 * some more. *more: there may be other runs; after the last one tsr_feed_next must be called, which checks the whole. Needs
 * tsr_feed_can_spread. */
tsr_status tsr_feed_spread(bool *more, tsr_feed *feed, uint64_t until, const tsr_feed_share *share,
                           tsr_error *err) TSR_NODISCARD;
/* Read on from the first entry that begins at `first` or after it, up to the last one that begins before `end` (UINT64_MAX:
 * all), so that [0, a), [a, b)... give each entry once. Other places than (0, UINT64_MAX) need can_seek. */
tsr_status tsr_feed_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err) TSR_NODISCARD;
/* NULL is fine. */
void tsr_feed_close(tsr_feed *feed);

/* Evenly spaced entries of a large file, for a look at it. */
typedef struct tsr_feed_blocks {
    tsr_coo *coo;       /* the entries, in the order of the file, with the dims of the whole; owned */
    int mode;           /* the mode of the first level: of its slices the blocks have all entries or none */
    uint64_t nslices;   /* slices of that mode that were read, with entries or without */
    uint64_t nnz;       /* entries of the file */
    tsr_format *format; /* of the file, owned */
} tsr_feed_blocks;
/* Read nblocks blocks of about `each` entries, and leave out the slices at their ends, of which they may have a part: of long slices those
 * alone, of short ones up to whole groups of 24 or 768 slices. Memory: that of the entries. TSR_UNSUPPORTED: the file is not one of plain
 * levels, not in the order of its slices, cannot be read from any place, or its slices are too long for the blocks: read the whole. */
tsr_status tsr_feed_read_blocks(tsr_feed_blocks *out, tsr_feed *feed, int nblocks, uint64_t each,
                                tsr_error *err) TSR_NODISCARD;
void tsr_feed_blocks_clear(tsr_feed_blocks *blocks);

/* ---- packed tensors in parts ---- */

/* A packed tensor whose arrays are loaded piece by piece. `tensor` has everything except array data: the arrays have n
 * and width, and data is NULL. */
typedef struct tsr_parts tsr_parts;
typedef enum tsr_part { TSR_PART_POS, TSR_PART_CRD, TSR_PART_VALUES } tsr_part;
/* Elements [first, first + n) of an array of a level (of any level for values). */
typedef struct tsr_part_range {
    tsr_part part;
    int level;
    uint64_t first, n;
} tsr_part_range;
struct tsr_parts {
    tsr_tensor *tensor; /* owned */
    bool
        checked; /* all index arrays were read once and are right, so that the parts may be written as they are */
    bool unsorted; /* the positions of the levels are in any order: a list of coordinates */
    uint64_t
        nstored; /* entries; cells of dense levels without an entry do not count (where they are known: tsr_parts_count) */
    /* the first two equal entries, q - 1 and q, of a tensor that keeps duplicates; 0: all entries differ */
    uint64_t duplicate;
    bool any_thread; /* `load` may be called by another thread than the one that opened the parts */
    /* out: elements of an array, in the width of the tensor. One thread at a time. */
    tsr_status (*load)(void *out, tsr_parts *parts, const tsr_part_range *range, tsr_error *err);
    /* NULL, or both: a writer may leave an array of the file to the parts. `place` names the byte of the file where the array
     * begins; after the writer has closed the file, `fill` writes all arrays that were placed. */
    tsr_status (*place)(tsr_parts *parts, tsr_part part, int level, uint64_t offset, tsr_error *err);
    tsr_status (*fill)(tsr_parts *parts, const char *path, tsr_error *err);
    void (*free)(tsr_parts *parts); /* frees everything, tensor and parts too */
};
/* NULL is fine. */
void tsr_parts_free(tsr_parts *parts);

/* The number of entries. It takes a pass over the values where the last level is dense. */
tsr_status tsr_parts_count(uint64_t *n, tsr_parts *parts, tsr_error *err) TSR_NODISCARD;
/* Read the entries of a tensor in parts, in storage order. Positions whose value is the fill are skipped where the last
 * level is dense, as tsr_unpack does. Takes ownership of the parts, on failure, too. TSR_UNSUPPORTED: a level of a kind
 * that cannot be climbed in parts. */
tsr_status tsr_feed_of_parts(tsr_feed **out, tsr_parts *parts, tsr_error *err) TSR_NODISCARD;
/* The parts behind a feed that may be written as they are (checked, and in the storage order of the format), borrowed until the
 * feed is used or closed; NULL: none. The caller may take the tensor out of them when it does not need them any more. */
tsr_parts *tsr_feed_parts(const tsr_feed *feed);
/* The parts behind a feed of parts, which may not have been checked, and may be in any order; NULL: none. Borrowed likewise. */
tsr_parts *tsr_feed_all_parts(const tsr_feed *feed);

#ifdef __cplusplus
}
#endif
#endif
