/* Levels: the storage of one storage coordinate. Each level type is a const tsr_level_type in a file of its
 * own.
 *
 * A level has positions. Above level 0 is the root, with one position. The positions of the level above are
 * the parents of a level's positions. Coordinates at level l are in [0, size).
 *
 *   - dense: position = parent * pitch + coordinate; there are no arrays. pitch >= size, and positions with a
 *     coordinate in [size, pitch) are padding.
 *   - compressed: the children of parent p are the positions pos[p] .. pos[p+1]-1, with coordinate
 *     crd[position]. pos has nparents+1 elements, 0 = pos[0] <= ... <= pos[nparents] = npos; crd has npos
 *     elements, rising under each parent (strictly, unless nonunique).
 *   - singleton: position = parent, coordinate crd[position]; crd has npos = nparents elements.
 *
 * A nonunique level may store a coordinate several times under one parent. The level and the singletons
 * after it, up to and including the first unique one, form a group, and a position is one tuple of the
 * group's coordinates. A group without a unique singleton at its end has a position for each stored entry: it
 * keeps duplicates. */
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
    uint64_t pitch;    /* dense: positions per parent, >= size (= size: no padding); other types: size */
    uint64_t nparents; /* positions of the level above (1 above level 0) */
    uint64_t npos;     /* positions of this level */
    tsr_array pos;     /* compressed: nparents+1 elements; else empty */
    tsr_array crd;     /* compressed, singleton: npos elements; else empty */
} tsr_level;

/* A block of entries in storage order, while they are stored level by level. */
typedef struct tsr_level_block {
    size_t n;              /* <= TSR_LEVEL_BLOCK */
    const uint64_t *coord; /* n: the coordinate of each entry at this level */
    const uint8_t *lead; /* n: the first level at which the entry differs from the entry before it (0 for the
                            very first entry, nlevels for a duplicate) */
    uint8_t cut;         /* an entry with lead <= cut opens a new position (255: every entry) */
    uint64_t *position;  /* n: in: the position of the parent; out: the position at this level */
} tsr_level_block;

/* The state of a thread that fills a level: enough to continue from any entry. */
typedef struct tsr_level_cursor {
    uint64_t npos;     /* positions opened by all entries so far */
    uint64_t nparents; /* pos[0..nparents] are written; pos[0] = 0 */
} tsr_level_cursor;

/* A level type: properties, and functions for packing, unpacking and checking. */
struct tsr_level_type {
    const char *name;      /* "dense" */
    char letter;           /* in the short format: 'd' */
    char letter_nonunique; /* 'u' for compressed(nonunique); 0 = none */
    char alias;            /* a second letter with the same meaning ('c' for compressed); 0 = none */
    bool full;             /* each coordinate in [0, size) has a position under each parent */
    bool branchless;       /* exactly one position per parent */
    bool has_pos, has_crd; /* the arrays that the level stores */
    bool can_be_nonunique;
    bool can_have_pitch;

    /* *npos: the number of positions for nparents parents where it does not depend on the entries (full and
     * branchless types), else UINT64_MAX. False on overflow. */
    bool (*npos)(uint64_t *npos, uint64_t nparents, uint64_t pitch);
    /* The number of new positions that the block opens (compressed: entries with lead <= cut; other types
     * 0). */
    uint64_t (*count)(const tsr_level_block *block);
    /* Store the new positions of the block from *cursor on, advance *cursor, and replace the parents in
     * block->position by positions of this level. Level arrays are allocated; several threads may fill
     * disjoint ranges of entries in any order. Returns block->n, or, for a singleton, the index of an entry
     * that would be the second child of its parent. */
    size_t (*fill)(tsr_level *level, tsr_level_cursor *cursor, tsr_level_block *block);
    /* Called after the last entry (compressed: sets the rest of pos). NULL: not needed. */
    void (*finish)(tsr_level *level, tsr_level_cursor *cursor);
    /* For i in [0, n): set coord[i] to the coordinate of position[i], and replace position[i] by the
     * position of the parent. Positions must not decrease, and neither do the parents'. Padding of a pitch
     * has coordinates in [size, pitch). */
    void (*climb)(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n);
    /* Check the invariants of one level: array lengths, widths, bounds, order. TSR_CORRUPT. index: the
     * number of the level, for the error. in_group: do not check the order under a parent, since the tensor
     * checks nonunique groups as tuples. */
    tsr_status (*check)(const tsr_level *level, int index, bool in_group, tsr_error *err);

    /* The loops over the level in loop programs: see tsr_level_walk.h. */
    const struct tsr_level_walker *walker;
};

/* All level types, NULL at the end. */
extern const tsr_level_type *const tsr_level_types[];
extern const tsr_level_type tsr_level_dense, tsr_level_compressed, tsr_level_singleton;

/* The type with this name of n characters, or NULL. */
const tsr_level_type *tsr_level_type_by_name(const char *name, size_t n);
/* The type of a letter of the short format, or NULL. *nonunique: the letter means nonunique. */
const tsr_level_type *tsr_level_type_by_letter(char letter, bool *nonunique);
/* The bytes of the arrays of a level. */
uint64_t tsr_level_nbytes(const tsr_level *level);
/* Free the arrays. */
void tsr_level_clear(tsr_level *level);

#ifdef __cplusplus
}
#endif
#endif
