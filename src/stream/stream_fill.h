/* The inside of a fill, for the files that add to it (stream_fill.c), append pieces to it (stream_append.c) and make a tensor of it
 * (stream_filled.c). */
#ifndef STREAM_FILL_H
#define STREAM_FILL_H

#include "stream_internal.h"

typedef struct fill_level {
    const tsr_level_type *type;
    uint8_t cut;
    size_t crd_width, pos_width;
    uint64_t npos;    /* positions opened by all entries so far */
    uint64_t written; /* compressed: pos[0..written) is written */
    uint64_t begin;   /* a piece: the file begins with pos[begin] */
    stream_file pos, crd;
} fill_level;

struct stream_fill {
    const tsr_binding *binding;
    tsr_facts facts;
    tsr_pack_options pack;
    const char *folder;
    int nlevels;
    bool keep, dense_leaf, explicit_values, keep_files, continues;
    fill_level level[TSR_MAX_LEVELS];
    stream_file values;
    stream_writer *writer; /* of pieces, where the arrays exceed the memory; or NULL */
    uint64_t nvalues;      /* written */
    size_t width;          /* bytes of a value */
    uint64_t nentries, nduplicates, first_duplicate;
    uint64_t last[TSR_MAX_LEVELS]; /* the last entry */
    bool is_piece;
    uint64_t most_nbytes; /* in memory: of a file; 0: no limit */
    bool overflows;       /* an array would exceed most_nbytes */
    stream_piece piece;   /* its first entry, and the positions of its first and last one */
    /* of a block */
    uint64_t position[TSR_LEVEL_BLOCK], opened[TSR_LEVEL_BLOCK];
    uint8_t lead[TSR_LEVEL_BLOCK], copy[TSR_LEVEL_BLOCK]; /* copy: the entry equals the one before */
    unsigned char iso_value[TSR_MAX_VALUE_NBYTES];
    unsigned char kept[TSR_LEVEL_BLOCK * TSR_MAX_VALUE_NBYTES];
};

/* The bytes of an element of the array "pos" or "crd" of level l whose largest element is `max`: those that the array has in
 * the feed, or as the policy says. */
tsr_status stream_fill_width(size_t *width, const stream_fill *f, int l, const char *array, uint64_t max,
                             tsr_error *err) TSR_NODISCARD;

/* Elements of pos that follow each other, collected for one call. */
typedef struct pos_run {
    size_t n;
    uint64_t pos[TSR_LEVEL_BLOCK];
} pos_run;
tsr_status stream_fill_flush_pos(fill_level *level, pos_run *run, tsr_error *err) TSR_NODISCARD;
/* Write pos up to the parent: all parents after the last one begin at the next position. At most one element for each call stays in
 * the run. */
tsr_status stream_fill_write_pos(stream_fill *fill, fill_level *level, pos_run *run, uint64_t parent,
                                 tsr_error *err) TSR_NODISCARD;
/* What the fill holds as a piece, without its files. */
void stream_fill_describe_piece(stream_piece *piece, const stream_fill *fill);
/* Give the file away. */
tsr_status stream_fill_hand_over(stream_file *to, stream_file *from, tsr_error *err) TSR_NODISCARD;

#endif
