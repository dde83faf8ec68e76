/* What the files of blocks share. */
#ifndef BLOCKS_INTERNAL_H
#define BLOCKS_INTERNAL_H

#include "tsr_blocks.h"

enum { BLOCKS_NARRAYS = 2 * TSR_MAX_LEVELS + 1, BLOCKS_NSLOTS = 2 };

/* A block, and the memory of its arrays, which later blocks take over: pos and crd of each level, then the values. */
typedef struct blocks_slot {
    tsr_tensor *tensor; /* owned; NULL: none */
    void *memory[BLOCKS_NARRAYS];
    uint64_t room[BLOCKS_NARRAYS]; /* bytes */
    uint64_t nbytes;               /* of the file that the block took, or entries */
} blocks_slot;

struct tsr_blocks {
    tsr_feed *feed;   /* owned */
    tsr_parts *parts; /* of the feed: slices of it are blocks; NULL: runs of entries are */
    int mode;         /* of the outermost level */
    tsr_format
        *format; /* of a block: lists, of which slices have the levels below them as in the file; owned */
    tsr_binding *binding; /* of that format to slices; owned; NULL: without parts */
    uint64_t nbytes;      /* of a block */
    uint64_t nslices;     /* of the last block */
    uint64_t next;        /* the slice of the outermost level that is read next */
    tsr_run run;          /* entries that were read, of which the first `used` are in a block */
    uint64_t used;
    bool ended; /* no entries are left */
    bool begun; /* the first block was read, which may be empty */
    /* elements [first, first + n) of the pos array of `level`: see pos_at */
    struct {
        int level;
        tsr_array loaded; /* owned */
        uint64_t first;
    } window;
    blocks_slot slot[BLOCKS_NSLOTS];
    uint64_t count, done,
        total; /* blocks; bytes of arrays (or entries) that were read, of all of them (0: unknown) */
};

/* Read the next block into the slot; its tensor is NULL behind the last one. */
tsr_status blocks_load_slices(tsr_blocks *b, blocks_slot *slot, tsr_error *err) TSR_NODISCARD;
tsr_status blocks_load_entries(tsr_blocks *b, blocks_slot *slot, tsr_error *err) TSR_NODISCARD;

#endif
