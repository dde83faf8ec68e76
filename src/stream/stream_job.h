/* A call of tsr_stream_pack, and its steps: a pass over the entries that appends each to its bucket (stream_pass.c), buckets to
 * level arrays (stream_process.c), what is saved on the way (stream_save.c), shards (stream_shard.c), and the order of the steps
 * (stream_pack.c). */
#ifndef STREAM_JOB_H
#define STREAM_JOB_H

#include "stream_internal.h"
#include "tsr_parallel.h"

typedef struct stream_job {
    tsr_feed *feed;
    const tsr_format *format;
    tsr_stream_options options;
    tsr_stream_stats stats;
    int nthreads;
    const char *state;       /* the name of the state in the folder */
    uint64_t capacity;       /* entries of a bucket that fits memory */
    uint64_t staging_nbytes; /* of all buckets while they are filled */
    /* what is known of the entries; final after the first pass */
    tsr_facts facts;
    uint64_t n;                                /* entries read */
    uint64_t max[TSR_MAX_ORDER];               /* largest coordinates */
    bool real;                                 /* a run had f64 values */
    unsigned char value[TSR_MAX_VALUE_NBYTES]; /* iso: the value, of facts.type in the end */
    tsr_type value_type;
    stream_map map;      /* for comparing; of the final dims after the first pass */
    stream_rows *rows;   /* nthreads */
    tsr_format *sorting; /* the list of storage coordinates */
    stream_fill *fill;
    stream_fill **pieces; /* npieces: of threads that fill the level arrays together, or NULL */
    int npieces;
    uint64_t filled;                 /* entries, for progress */
    stream_splitters splitters;      /* of the first pass */
    uint64_t first_place, end_place; /* the part of the input that is read: a shard's, or all */
    uint64_t saved_place;            /* of the last checkpoint of the first pass */
} stream_job;

/* ---- stream_pack.c ---- */

/* The room that buckets take. */
tsr_status stream_job_check_space(const stream_job *j, const stream_sample *sample,
                                  tsr_error *err) TSR_NODISCARD;
/* After the first pass: everything is known. */
tsr_status stream_job_settle(stream_job *j, tsr_error *err) TSR_NODISCARD;
/* Everything that depends on the final dims: the map, the level arrays. state: where those of a stopped run stand, or NULL. */
tsr_status stream_job_start_fill(stream_job *j, stream_state *state, tsr_error *err) TSR_NODISCARD;

/* ---- stream_pass.c ---- */

/* Finds the buckets of runs; start with {0}. */
typedef struct stream_finder {
    uint16_t *id; /* of entry i of the run */
    uint64_t room;
    tsr_error *errors; /* of the threads */
    stream_guide *guide;
    stream_job *j; /* of the run that is being looked at */
    const tsr_run *run;
} stream_finder;
tsr_status stream_finder_find(stream_finder *finder, stream_job *j, const tsr_run *run,
                              const stream_splitters *splitters, tsr_error *err) TSR_NODISCARD;
void stream_finder_clear(stream_finder *finder);

/* Distribute the entries of the feed, from where it stands. first_pass: of the input itself. */
tsr_status stream_job_scatter(stream_buckets *buckets, stream_job *j, tsr_feed *feed,
                              const stream_splitters *splitters, bool first_pass,
                              tsr_error *err) TSR_NODISCARD;

/* ---- stream_process.c ---- */

/* out: n values of the final type. */
tsr_status stream_job_convert(void *out, const stream_job *j, const void *values, tsr_type type, uint64_t n,
                              tsr_error *err) TSR_NODISCARD;
/* Add runs in storage order to the level arrays. *falls: an entry is less than the one before, and nothing counts. Where
 * `only_look`, nothing is added. */
tsr_status stream_job_fill_in_order(bool *falls, stream_job *j, tsr_feed *feed, bool only_look,
                                    tsr_error *err) TSR_NODISCARD;
/* The number of buckets for that many entries. */
int stream_job_count_buckets(const stream_job *j, uint64_t nentries);
/* Add the entries of a bucket to the level arrays. depth: how often they were cut. */
tsr_status stream_job_process(stream_job *j, const stream_list *list, int depth,
                              tsr_error *err) TSR_NODISCARD;
/* Pack buckets from number `first` on. Those of the first pass (depth 1) are checkpoints. */
tsr_status stream_job_process_all(stream_job *j, stream_buckets *buckets, int first, int depth,
                                  tsr_error *err) TSR_NODISCARD;

/* ---- stream_append.c ---- */

/* Add a list of storage coordinates, sorted, to the level arrays. The last entry before has another cell. */
tsr_status stream_job_append(stream_job *j, const tsr_tensor *list, tsr_error *err) TSR_NODISCARD;
void stream_job_free_pieces(stream_job *j);

/* ---- stream_save.c ---- */

/* What the entries have shown so far. phase 0: the first pass; 1: buckets are packed; 2: the first pass is over. */
void stream_job_save_facts(const stream_job *j, stream_state *state, uint64_t phase);
/* Returns the phase. */
uint64_t stream_job_load_facts(stream_job *j, uint64_t *place, stream_state *state);
void stream_job_save_splitters(const stream_job *j, stream_state *state);
tsr_status stream_job_load_splitters(stream_job *j, stream_state *state, tsr_error *err) TSR_NODISCARD;
/* A checkpoint of the first pass, or its end (phase 2). */
tsr_status stream_job_save_pass(stream_job *j, stream_buckets *buckets, uint64_t phase,
                                tsr_error *err) TSR_NODISCARD;
/* After bucket b - 1 of n: all that is in the level arrays. buckets: NULL where the state need not tell their lengths. */
tsr_status stream_job_save_filled(stream_job *j, stream_buckets *buckets, int b, int n,
                                  tsr_error *err) TSR_NODISCARD;

/* ---- stream_shard.c ---- */

/* The step of options.shards. *fills: the level arrays were filled. */
tsr_status stream_shard_run(bool *fills, stream_job *j, tsr_error *err) TSR_NODISCARD;

#endif
