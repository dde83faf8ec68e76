/* Builders: entries that come in any order, from several threads at once, until a tensor is made of all of them. What does not fit a
 * limit of memory waits in temporary files, and comes back as a feed, which tsr_stream_pack sorts as any other. */
#ifndef TSR_BUILDER_H
#define TSR_BUILDER_H

#include "tsr_feed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_builder tsr_builder;

typedef struct tsr_builder_options {
    int order;                    /* 1 to TSR_MAX_ORDER */
    uint64_t dims[TSR_MAX_ORDER]; /* 0: the largest coordinate + 1 */
    tsr_type type;
    uint64_t
        memory_nbytes; /* a quarter of it holds entries, the rest is for what is made of them; 0: no limit */
    const char *temp;  /* the folder for temporary files; NULL: $TMPDIR, or /tmp; copied */
} tsr_builder_options;

/* Entries to add; all memory is the caller's. */
typedef struct tsr_builder_column {
    const void *data; /* n elements */
    tsr_type type;    /* an integer type */
} tsr_builder_column;
typedef struct tsr_builder_entries {
    uint64_t n;
    const tsr_builder_column *crd; /* `order` columns */
    const void *values;            /* n values, 1 where iso; not used by a builder of patterns */
    tsr_type type;                 /* of the values, which are converted (tsr_values_convert) */
    bool iso;
} tsr_builder_entries;

tsr_status tsr_builder_new(tsr_builder **out, const tsr_builder_options *options,
                           tsr_error *err) TSR_NODISCARD;
/* Removes the temporary files, too. NULL is fine. */
void tsr_builder_free(tsr_builder *builder);

/* Add entries. Any number of threads may call this at the same time; each has a lane of its own, and so waits for no other one (as long as there are
 * no more threads than lanes). The sequence of all entries, which decides about the sums and the choice of equal ones: by `piece`; within a piece those of a
 * call that returned before another one began come first; those of one call are in the sequence of its arrays.
 * TSR_CORRUPT: a coordinate is negative or beyond its dim; TSR_RANGE: a value does not fit the type; TSR_NOMEM; TSR_IO: a temporary file cannot be
 * written. After a failure nothing of the call was added, and all else is still there. */
tsr_status tsr_builder_add(tsr_builder *builder, uint64_t piece, const tsr_builder_entries *entries,
                           tsr_error *err) TSR_NODISCARD;
/* Add one entry: `order` coordinates, a value of the builder's type (NULL: a pattern). */
tsr_status tsr_builder_add_one(tsr_builder *builder, uint64_t piece, const uint64_t *crd, const void *value,
                               tsr_error *err) TSR_NODISCARD;

/* At any time, from any thread: what calls that have returned have added. */
uint64_t tsr_builder_nentries(const tsr_builder *builder);
uint64_t tsr_builder_nbytes(const tsr_builder *builder);  /* of memory for entries */
uint64_t tsr_builder_spilled(const tsr_builder *builder); /* bytes in temporary files */
const tsr_builder_options *tsr_builder_about(const tsr_builder *builder);
/* The folder of the temporary files, after tsr_builder_feed. */
const char *tsr_builder_folder(const tsr_builder *builder);

/* Calls of these functions and of tsr_builder_add wait for each other. The entries stay until tsr_builder_clear. */

/* All entries in their sequence, with the final dims, in memory. nthreads 0: all. */
tsr_status tsr_builder_take(tsr_coo **out, tsr_builder *builder, int nthreads, tsr_error *err) TSR_NODISCARD;
/* A feed of all entries in their sequence, from temporary files: what is in memory goes there, too. The caller closes it before the next call with
 * the builder. */
tsr_status tsr_builder_feed(tsr_feed **out, tsr_builder *builder, tsr_error *err) TSR_NODISCARD;
/* Forget all entries. */
void tsr_builder_clear(tsr_builder *builder);

#ifdef __cplusplus
}
#endif
#endif
