/* Tensors larger than memory: the entries of a feed are distributed to buckets (temporary files) by splitters of the
 * storage order, each bucket is sorted in memory, and the level arrays grow in temporary files. The result is that of
 * tsr_pack, element by element, whatever the memory, the number of buckets, and the number of threads. */
#ifndef TSR_STREAM_H
#define TSR_STREAM_H

#include "tsr_pack.h"
#include "tsr_feed.h"
#include "tsr_ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much of the work a call does. Several processes can do the first pass over the entries, each over its part of the input, with
 * files in one folder (TSR_STREAM_SHARD); then one does the rest (TSR_STREAM_JOIN). */
typedef enum tsr_stream_step { TSR_STREAM_WHOLE, TSR_STREAM_SHARD, TSR_STREAM_JOIN } tsr_stream_step;
enum { TSR_STREAM_MAX_SHARDS = 9999 };

typedef struct tsr_stream_options {
    tsr_pack_options pack; /* max_nbytes is not used */
    bool keeps_widths;     /* the format is that of the feed, and its arrays keep the widths of the facts */
    /* A folder for temporary files, beside other files of any kind: what is made there is removed. */
    const char *folder;
    uint64_t memory_nbytes; /* of buffers and buckets together; 0: what the system has left */
    /* Not NULL: the run can be stopped and continued. The folder keeps the files after a failure too, and a later call with the same
     * identity, a line of text about the input and the options, continues where its last checkpoint is. */
    const char *identity;
    /* A shard and the join need an identity, and the same one. A shard that was stopped continues where its last checkpoint is, and one
     * that is done does nothing. */
    tsr_stream_step step;
    int shard, nshards; /* of TSR_STREAM_SHARD: number 0 to nshards - 1 of 1 to TSR_STREAM_MAX_SHARDS */
    /* Not NULL: ranks work together. Each calls with a feed of the same input, the same format and options, and a folder of its
     * own. */
    const tsr_ranks *ranks;
    uint64_t *written_nbytes; /* with ranks, or NULL: grows by what this rank writes to the output */
    uint64_t bucket_nentries; /* > 0: no bucket is larger: for tests */
} tsr_stream_options;

/* What was done. */
typedef struct tsr_stream_stats {
    tsr_pack_stats pack;
    uint64_t nbuckets;       /* 0: the input was in storage order, and was not spilled */
    uint64_t spilled_nbytes; /* written to buckets */
    uint64_t nread;          /* entries of the input, or of the shard */
    bool was_done;           /* the shard was there */
    tsr_ranks_stats ranks;
} tsr_stream_stats;

/* The facts of the feed with final dims, type and nnz, which takes a pass over the entries where the feed does not
 * know them. *real (may be NULL): a run had f64 values. The feed stands at its beginning afterwards. TSR_UNSUPPORTED where a
 * pass is needed and the feed cannot rewind. */
tsr_status tsr_stream_count(tsr_facts *facts, bool *real, tsr_feed *feed, const tsr_observer *observer,
                            tsr_error *err) TSR_NODISCARD;

/* A change of the entries on their way, such as a slice. */
typedef struct tsr_stream_change {
    void *ctx;
    /* Replace the facts before the change by those after it: order, dims, structure, fill. */
    tsr_status (*plan)(void *ctx, tsr_facts *facts, tsr_error *err);
    /* Change some of the entries, which can be replaced. Called by one thread, for runs in their order. */
    tsr_status (*apply)(void *ctx, tsr_coo **coo, tsr_error *err);
} tsr_stream_change;
/* A feed of the changed entries. Owns `feed` from now on, on failure, too; the change is borrowed. final: facts of the
 * feed, with its dims. */
tsr_status tsr_stream_changed(tsr_feed **out, tsr_feed *feed, const tsr_facts *final,
                              const tsr_stream_change *change, tsr_error *err) TSR_NODISCARD;
/* A feed of the same entries whose facts are final, and whose runs have the final type, which may take a pass over the
 * entries (tsr_stream_count). Owns `feed` from now on, on failure, too. */
tsr_status tsr_stream_settled(tsr_feed **out, tsr_feed *feed, const tsr_observer *observer,
                              tsr_error *err) TSR_NODISCARD;

/* Several files as one input. */
typedef struct tsr_stream_inputs {
    int n; /* files */
    const char *const *path;
    int along; /* they are joined along this mode; -1: they are parts of one tensor, and their entries follow each other */
    const tsr_codec *codec; /* of all; NULL: the content of each determines it */
    const tsr_read_options *read;
    tsr_format *format; /* made: the storage format that all files have, owned; NULL: they have not one */
} tsr_stream_inputs;
/* A feed of all entries of these files, in their sequence. Dims of parts are the largest of all; symmetric matrices are expanded where the
 * others are of another structure, and before they are joined along a mode. Where the header of a file does not have the dims that are needed, it
 * takes a pass. TSR_ARGUMENT, naming the file: other modes, types, dims or names than the first; TSR_LIMIT; errors of reading. */
tsr_status tsr_stream_files(tsr_feed **out, tsr_stream_inputs *in, tsr_error *err) TSR_NODISCARD;
/* All entries of the feed, with final values. Owns `feed`, on failure, too. */
tsr_status tsr_stream_collect(tsr_coo **out, tsr_feed *feed, const tsr_observer *observer,
                              tsr_error *err) TSR_NODISCARD;

/* The bytes of a value in the records of a chunk: the fewest that hold each of the n values without loss. */
size_t tsr_stream_value_width(tsr_type type, const void *values, size_t n);

/* Pack the entries of the feed into the format. The arrays of *out are temporary files until tsr_parts_free. The feed
 * stays open. stats may be NULL. Errors: those of the feed and of tsr_pack; TSR_IO where a temporary file cannot be
 * written; TSR_UNSUPPORTED: a level of a kind that is not filled in parts, or a scalar. *out is NULL after a shard.
 * TSR_ARGUMENT: the input cannot be cut into shards; the folder holds shards of another number, input or options, or they are
 * not complete. */
tsr_status tsr_stream_pack(tsr_parts **out, tsr_feed *feed, const tsr_format *format,
                           const tsr_stream_options *options, tsr_stream_stats *stats,
                           tsr_error *err) TSR_NODISCARD;

/* Load all arrays of the parts, which are consumed, on failure, too. TSR_LIMIT: more bytes than max_nbytes (0: no such limit), or than there is
 * memory. */
tsr_status tsr_stream_load(tsr_tensor **out, tsr_parts *parts, uint64_t max_nbytes,
                           tsr_error *err) TSR_NODISCARD;

/* The places of the feed that this rank reads: a part of equal length, or all on rank 0 where the feed cannot seek. false: the rank
 * reads nothing. */
bool tsr_stream_rank_part(uint64_t *first, uint64_t *end, const tsr_feed *feed, const tsr_ranks *ranks);

/* With ranks, *out of tsr_stream_pack is the whole tensor, whose arrays lie on all ranks. Rank 0 uses it as any other; all other
 * ranks call this function, which serves rank 0 until it frees its parts. */
tsr_status tsr_stream_serve(tsr_parts *parts, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
