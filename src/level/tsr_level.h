/* Levels: how one storage coordinate is stored. One file per level type, each a const tsr_level_type.
 *
 * A level has positions. The root has one position, above level 0; each level takes the positions of the
 * level above (its parents) to its own. Coordinates at level l are in [0, size).
 *
 *   - dense: position = parent * pitch + coordinate; nothing is stored. pitch >= size, and positions whose
 *     coordinate would be in [size, pitch) are padding.
 *   - compressed: the children of parent p are the positions pos[p] .. pos[p+1]-1, with coordinate
 *     crd[position]. pos has nparents+1 entries, 0 = pos[0] <= ... <= pos[nparents] = npos; crd has npos
 *     entries, rising inside a parent (strictly, unless nonunique).
 *   - singleton: position = parent, coordinate crd[position]; crd has npos = nparents entries.
 *
 * A nonunique level may store one coordinate several times under one parent: then it and the singletons after
 * it, up to and with the first unique one, form a group, and a position stands for one tuple of the group's
 * coordinates; a group without a unique end has a position for each stored entry (duplicates are kept). */
#ifndef TSR_LEVEL_H
#define TSR_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_array.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_MAX_LEVELS = 32, TSR_LEVEL_BLOCK = 1024 };

typedef struct tsr_level_type tsr_level_type;

/* One packed level. */
typedef struct tsr_level {
    const tsr_level_type *type;
    bool nonunique;
    uint64_t size;     /* coordinates are in [0, size) */
    uint64_t pitch;    /* dense: positions for each parent, >= size (= size: no padding); others: size */
    uint64_t nparents; /* positions of the level above (1 above level 0) */
    uint64_t npos;     /* positions of this level */
    tsr_array pos;     /* nparents+1 entries, or absent */
    tsr_array crd;     /* npos entries, or absent */
} tsr_level;

/* A block of entries, in storage order, on their way down through the levels. */
typedef struct tsr_level_block {
    size_t n;              /* <= TSR_LEVEL_BLOCK */
    const uint64_t *coord; /* n: the entries' coordinate at this level */
    const uint8_t *lead; /* n: the first level at which the entry differs from the entry before it (0 for the
                            very first entry, nlevels for a duplicate) */
    uint8_t cut;         /* an entry opens a new position here when lead <= cut (255: always) */
    uint64_t *position;  /* n: in: the parent's position; out: this level's */
} tsr_level_block;

/* Where a thread's share of the entries stands in one level: enough to go on from any entry. */
typedef struct tsr_level_cursor {
    uint64_t npos; /* positions opened by all entries before */
    uint64_t
        nparents; /* entries of pos already closed: pos[0..nparents] are written; the first is pos[0] = 0 */
} tsr_level_cursor;

struct tsr_level_type {
    const char *name;      /* "dense" */
    char letter;           /* in the short format: 'd' */
    char letter_nonunique; /* 'u' for compressed(nonunique); 0 = none */
    char alias;            /* a second letter with the same meaning ('c' for compressed); 0 = none */
    bool full;             /* every coordinate of [0, size) has a position under every parent */
    bool branchless;       /* exactly one position per parent */
    bool has_pos, has_crd; /* which arrays it stores */
    bool can_be_nonunique;
    bool can_have_pitch;

    /* How many positions the level has for nparents parents, without looking at entries: full and branchless
     * levels know (false on overflow); others leave *npos and return true with *npos = UINT64_MAX. */
    bool (*npos)(uint64_t *npos, uint64_t nparents, uint64_t pitch);
    /* How many new positions the block opens (compressed: entries with lead <= cut; others 0). */
    uint64_t (*count)(const tsr_level_block *block);
    /* Store the block's new positions from *cursor on, advance it, and turn block->position from parents into
     * positions. Level arrays are allocated; different threads fill disjoint ranges of entries in any order.
     * A singleton whose parent would get a second child returns the index of that entry; otherwise the return
     * value is block->n. */
    size_t (*fill)(tsr_level *level, tsr_level_cursor *cursor, tsr_level_block *block);
    /* After the last entry: close what is open (compressed: pos up to nparents). NULL: nothing to do. */
    void (*finish)(tsr_level *level, tsr_level_cursor *cursor);
    /* The way up: for i in [0, n) positions position[i] (not falling) of this level become coord[i] and the
     * parents' positions (not falling), in place. Padding of a pitch gets coordinates in [size, pitch). */
    void (*climb)(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n);
    /* Deep check of one level's own invariants (array lengths, widths, bounds, order): TSR_CORRUPT. `index`
     * is the level's number, for the sentence; in_group tells that order inside a parent is checked elsewhere
     * (a nonunique group is checked as tuples by the tensor). */
    tsr_status (*check)(const tsr_level *level, int index, bool in_group, tsr_error *err);

    /* How loop programs walk the level: tsr_level_walk.h. */
    const struct tsr_level_walker *walker;
};

/* All level types, NULL at the end. */
extern const tsr_level_type *const tsr_level_types[];
extern const tsr_level_type tsr_level_dense, tsr_level_compressed, tsr_level_singleton;

/* The type of that name (n characters), or NULL. */
const tsr_level_type *tsr_level_type_by_name(const char *name, size_t n);
/* The type of a short-format letter, with *nonunique set, or NULL. */
const tsr_level_type *tsr_level_type_by_letter(char letter, bool *nonunique);
/* Bytes of a level's arrays. */
uint64_t tsr_level_nbytes(const tsr_level *level);
void tsr_level_clear(tsr_level *level);

#ifdef __cplusplus
}
#endif
#endif
