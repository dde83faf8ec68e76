/* What the files of builders share: stream_builder.c adds entries, stream_builder_take.c gives them back. */
#ifndef STREAM_BUILDER_H
#define STREAM_BUILDER_H

#include <stdatomic.h>

#include "stream_chunk.h"
#include "tsr_builder.h"
#include "tsr_folder.h"

/* ThreadSanitizer follows fewer than 64 locks that are held at once: builder_lock_all takes one for each lane. */
enum { BUILDER_LANES = 32, BUILDER_CHUNK = 1 << 12 };

/* Entries of a block from `first` on, up to the next segment. */
typedef struct builder_segment {
    uint64_t piece, stamp;
    uint32_t first;
} builder_segment;

/* Entries in memory, of one lane. */
typedef struct builder_block {
    uint32_t n, capacity; /* entries */
    uint32_t nsegments, room;
    builder_segment *segment;
    unsigned char *crd[TSR_MAX_ORDER]; /* capacity coordinates of builder->width[m] bytes */
    unsigned char *values;             /* capacity values; not used for patterns */
    size_t nbytes;                     /* of the block and its columns */
} builder_block;

/* Chunks in the file of a lane that follow each other and have one piece and stamp. */
typedef struct builder_spill {
    uint64_t piece, stamp, first, nbytes, nentries;
} builder_spill;

/* What one thread has added, or several that share a lane. `lock` is taken for all of it, except the atomic numbers. */
typedef struct builder_lane {
    pthread_mutex_t lock;
    builder_block **block; /* nblocks; all but the last one are full */
    size_t nblocks, room;
    uint32_t capacity;     /* of the last block that was made */
    uint64_t piece, stamp; /* of the last segment */
    atomic_ullong nentries;
    uint64_t max[TSR_MAX_ORDER]; /* the largest coordinates */
    stream_file file;            /* fd is -1: not made */
    builder_spill *spill;        /* nspills */
    size_t nspills, spill_room;
    unsigned char *scratch; /* to write chunks; NULL until then */
} builder_lane;

struct tsr_builder {
    tsr_builder_options options;
    tsr_text temp;
    size_t width[TSR_MAX_ORDER],
        value_nbytes;   /* bytes of a coordinate of a block, and of a value: 0 for patterns */
    uint32_t most;      /* entries of a block */
    uint64_t held_most; /* bytes of blocks; UINT64_MAX: no limit */
    atomic_ullong held, spilled;
    atomic_ullong stamp;  /* rises where another lane goes on than the one that added last */
    pthread_mutex_t lock; /* of what follows */
    tsr_folder folder;
    bool has_folder;
    stream_part *part; /* of the last feed */
    stream_list list;
    builder_lane lane[BUILDER_LANES];
};

/* Write the blocks of a lane, whose lock is held, to its file, and free them. After a failure they are still there. */
tsr_status builder_spill_lane(tsr_builder *b, builder_lane *lane, tsr_error *err) TSR_NODISCARD;
/* Take and give back the locks of all lanes. */
void builder_lock_all(tsr_builder *b);
void builder_unlock_all(tsr_builder *b);

#endif
