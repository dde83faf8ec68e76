/* Levels: the storage of one storage coordinate. Each level type is a const tsr_level_type in a file of its
 * own.
 *
 * A level has positions. Above level 0 is the root, with one position. The positions of the level above are
 * the parents of a level's positions. Coordinates at level l are in [0, size).
 *
 * A level type is a row of properties, a table of the arrays that it stores, and functions. Code outside this
 * folder loops over the table and asks for properties; it does not name a type. Each file level_NAME.c opens
 * with the rule of its type: which positions a parent has, and what the arrays hold. The three oldest:
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

/* The part that an array plays; a level has at most one array of each role. */
typedef enum tsr_level_role {
    TSR_LEVEL_POS,   /* prefix sums: where the children of a parent (or a slice, or a slot) begin */
    TSR_LEVEL_CRD,   /* coordinates */
    TSR_LEVEL_PERM,  /* the coordinate of each place of a permutation */
    TSR_LEVEL_BITS,  /* which positions are entries */
    TSR_LEVEL_START, /* the first coordinate of a run or of a block */
    TSR_LEVEL_END,   /* where a run or a block ends */
    TSR_LEVEL_NROLES
} tsr_level_role;

/* The number of elements of an array. */
typedef enum tsr_level_length {
    TSR_PER_PARENT_AND_ONE, /* nparents + 1 */
    TSR_PER_PARENT,         /* nparents */
    TSR_PER_POSITION,       /* npos */
    TSR_OWN_LENGTH          /* the check of the type has the rule */
} tsr_level_length;

/* What an array holds, which determines the width of the elements. */
typedef enum tsr_level_content {
    TSR_HOLDS_POSITIONS,   /* 0 .. npos */
    TSR_HOLDS_COORDINATES, /* 0 .. size - 1 */
    TSR_HOLDS_MARKED,      /* coordinates; all bits set: padding. A width that holds `size` */
    TSR_HOLDS_ENDS,        /* 0 .. size */
    TSR_HOLDS_BYTES,       /* 0 or 1, one byte each */
    TSR_HOLDS_WORDS        /* 64 bits each */
} tsr_level_content;

/* One array of a level type. */
typedef struct tsr_level_array {
    const char *name; /* as files and `tinfo --arrays` show it: "pos", "slice_pos" */
    tsr_level_role role;
    tsr_level_length length;
    tsr_level_content content;
    bool is_signed; /* shown as coordinate + base: the offset of a diagonal */
    bool is_hidden; /* follows from the other arrays and the dims: not shown */
} tsr_level_array;

/* One packed level. */
typedef struct tsr_level {
    const tsr_level_type *type;
    bool nonunique;
    uint64_t param;    /* of the format: 4 for chunked(4); 0 where the type does not have a parameter */
    uint64_t size;     /* coordinates are in [0, size) */
    int64_t base;      /* result of the map = coordinate + base; 0 unless the result can be negative */
    uint64_t pitch;    /* types with a pitch (dense, sliced...): positions per parent; other types: size */
    uint64_t low;      /* window: the coordinate of the first position of each parent; else 0 */
    uint64_t nparents; /* positions of the level above (1 above level 0) */
    uint64_t npos;     /* positions of this level */
    /* the arrays by role, empty where the type does not list them: tsr_level_array_at */
    tsr_array pos, crd, perm, bits, start, end;
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

/* Memory and widths for the arrays of a level that is packed from all entries at once. */
typedef struct tsr_level_room {
    size_t width;    /* bytes per element that the user wants; 0: the narrowest that fits */
    bool is_interop; /* 4 bytes where 31 bits hold the largest element, else 8 */
    /* Called before each allocation. TSR_LIMIT where the tensor becomes too large. */
    tsr_status (*take)(void *arg, double nbytes, tsr_error *err);
    void *arg;
} tsr_level_room;

/* All entries of a tensor in storage order, without duplicates. */
typedef struct tsr_level_entries {
    uint64_t n;
    const uint64_t *coord;     /* n: the coordinate of each entry at this level */
    uint64_t *position;        /* n: in: the position of the parent; out: the position at this level.
                                  Entries with one parent are neighbours; parents may come in any order */
    const tsr_array *values;   /* n values, or one for all */
    const unsigned char *fill; /* of one value's width */
    const tsr_level *above;    /* NULL: the root */
    tsr_level_room room;
} tsr_level_entries;

/* A number of a level that files store and `tinfo --arrays` shows: K, W, kl, ku. */
typedef struct tsr_level_number {
    const char *name;
    int64_t (*get)(const tsr_level *level);
} tsr_level_number;

enum { TSR_LEVEL_MAX_NUMBERS = 2 };

/* A level type: properties, and functions for packing, unpacking and checking. */
struct tsr_level_type {
    const char *name;      /* "dense" */
    const char *rule;      /* the type in one line, for lists */
    char letter;           /* in the short format: 'd'; 0 = none */
    char letter_nonunique; /* 'u' for compressed(nonunique); 0 = none */
    char alias;            /* a second letter with the same meaning ('c' for compressed); 0 = none */
    const char *parameter; /* the meaning of the number in parentheses, "rows per slice"; NULL: none */
    bool param_is_optional;

    /* ---- properties ---- */
    bool full; /* position = parent * pitch + coordinate for each coordinate in [0, size) */
    bool
        is_interval; /* under each parent, positions follow one another as their coordinates do, from any first one */
    bool branchless; /* exactly one position per parent, which is the parent's */
    bool is_ordered; /* under each parent, coordinates rise with positions */
    bool is_grouped; /* the positions of a parent are neighbours, and parents follow in order */
    bool
        is_splittable; /* of types that assemble: loops over a first level can be cut into ranges of positions */
    bool is_uniform; /* each parent has `pitch` positions */
    bool is_padded;  /* positions may be padding, which climbs to coordinates outside [0, size) */
    bool is_compact; /* positions for entries only */
    bool by_value;   /* as the last level: a position that holds the fill is not an entry */
    bool repeats;    /* a position has several coordinates: the last level only; see tsr_level_type.spread */
    bool is_locatable; /* a coordinate leads to its position without a search */
    bool can_append;   /* entries in storage order can be added one by one */
    bool can_insert;   /* entries can be added in any order */
    bool can_be_nonunique;
    bool can_have_pitch;   /* the format may give the pitch */
    bool has_all;          /* not full, but each coordinate has one position under each parent */
    bool sorted_by_count;  /* the number of entries of each coordinate determines its position */
    bool is_partial;       /* holds only some patterns: packing refuses other ones */
    bool needs_dense_root; /* only directly below a dense level that is the first one */

    tsr_level_array arrays[TSR_LEVEL_NROLES];        /* name NULL: the end */
    tsr_level_number numbers[TSR_LEVEL_MAX_NUMBERS]; /* name NULL: the end */

    /* *npos: the number of positions for nparents parents where it does not depend on the entries (full and
     * branchless types), else UINT64_MAX. False on overflow. NULL: it depends on the entries. */
    bool (*npos)(uint64_t *npos, uint64_t nparents, uint64_t pitch);
    /* The number of new positions that the block opens (compressed: entries with lead <= cut; other types
     * 0). */
    uint64_t (*count)(const tsr_level_block *block);
    /* Store the new positions of the block from *cursor on, advance *cursor, and replace the parents in
     * block->position by positions of this level. Level arrays are allocated; several threads may fill
     * disjoint ranges of entries in any order. The parents do not fall, and the first entry of each parent after
     * cursor->nparents opens a position. Returns block->n, or, for a singleton, the index of an entry
     * that would be the second child of its parent. */
    size_t (*fill)(tsr_level *level, tsr_level_cursor *cursor, tsr_level_block *block);
    /* Instead of count and fill, for a type that needs a look at all entries before its arrays are allocated:
     * set pitch, low and npos, make the arrays, and set entries->position. Errors: those of room.take;
     * TSR_ARGUMENT with the reason where the type cannot hold the entries; TSR_NOMEM. */
    tsr_status (*assemble)(tsr_level *level, tsr_level_entries *entries, int index, tsr_error *err);
    /* The same as assemble for a level below the root whose positions follow from the number of entries of each
     * coordinate: count[c] for each c in [0, size), and where the type is not sorted_by_count any positive number
     * for coordinates that occur. Sets place[c], the position of each coordinate that occurs; under a parent p
     * the position is p * pitch + place[c]. NULL: only assemble can do it. */
    tsr_status (*assemble_counts)(tsr_level *level, uint32_t *place, const uint32_t *count,
                                  const tsr_level_room *room, int index, tsr_error *err);
    /* The same as assemble for types that give each child of a parent a slot, in order: count[p] is the number of
     * children of parent p. crd is made, but not filled. NULL: only assemble can do it. */
    tsr_status (*assemble_slots)(tsr_level *level, const uint32_t *count, const tsr_level_room *room,
                                 int index, tsr_error *err);
    /* Replace each of the positions parent[0..n) by the position of its first slot. Returns the distance from a slot to
     * the next. */
    uint64_t (*slots)(const tsr_level *level, uint64_t *parent, size_t n);
    /* Called after the last entry (compressed: sets the rest of pos). NULL: not needed. */
    void (*finish)(tsr_level *level, tsr_level_cursor *cursor);
    /* For i in [0, n): set coord[i] to the coordinate of position[i], and replace position[i] by the
     * position of the parent. Padding has coordinates that are at least size. Where the type repeats:
     * coord[i] holds the place in the run, and becomes the coordinate. */
    void (*climb)(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n);
    /* stored[i] = whether position first + i is an entry, for i in [0, n); NULL: each position is one, or the
     * values decide (by_value). */
    void (*mark)(const tsr_level *level, uint8_t *stored, uint64_t first, size_t n);
    /* Types that repeat: the number of coordinates of a position. */
    uint64_t (*spread)(const tsr_level *level, uint64_t position);
    /* Set pitch and low from the numbers, in the order of `numbers`, of a file; false: impossible numbers.
     * NULL: the type does not have numbers. */
    bool (*set_numbers)(tsr_level *level, const int64_t *numbers);
    /* Codes of the hardware that the type is made for (2:4 sparsity: 4 bits for each group), which follow from the
     * arrays; ncodes 0: there are none. NULL: the type does not have codes. */
    uint64_t (*ncodes)(const tsr_level *level);
    uint64_t (*code)(const tsr_level *level, uint64_t i);
    /* Check the invariants of one level: array lengths, widths, bounds, order. TSR_CORRUPT. index: the
     * number of the level, for the error. in_group: do not check the order under a parent, since the tensor
     * checks nonunique groups as tuples. */
    tsr_status (*check)(const tsr_level *level, int index, bool in_group, tsr_error *err);

    /* The number of neighbouring parents whose children loops can visit at once, one of each in a vector; 0: there are no such
     * blocks. NULL: the type does not have blocks. */
    uint64_t (*block)(uint64_t param);
    /* The loops over the level in loop programs: see tsr_level_walk.h. */
    const struct tsr_level_walker *walker;
};

/* All level types, NULL at the end. */
extern const tsr_level_type *const tsr_level_types[];
/* The types of formats that no text names: all cells of a parent (dense), a list of children (compressed), a
 * further coordinate of the position above (singleton), a list of children in any order, and runs of equal values. */
extern const tsr_level_type *const tsr_level_of_cells,
    *const tsr_level_of_list, *const tsr_level_of_tuple, *const tsr_level_in_any_order,
                                                             *const tsr_level_of_runs;
/* For tests; other code asks for properties. */
extern const tsr_level_type tsr_level_dense, tsr_level_compressed, tsr_level_singleton;

/* Whether a level lists the children of each parent, each one in its own position: pos and crd. The children may be
 * in any order. */
static inline bool tsr_level_lists(const tsr_level_type *type)
{
    return type->can_append && !type->branchless && !type->assemble;
}
/* The same, with the children in order. */
static inline bool tsr_level_is_list(const tsr_level_type *type)
{
    return tsr_level_lists(type) && type->is_ordered;
}

/* Whether a level lists the coordinates that occur under any parent, in order, without positions: under the root, a list. */
static inline bool tsr_level_is_rootless(const tsr_level_type *type)
{
    return type->is_uniform && type->is_ordered && type->arrays[0].role == TSR_LEVEL_CRD &&
           type->arrays[0].length == TSR_OWN_LENGTH && !type->arrays[1].name;
}

/* The type with this name of n characters, or NULL. */
const tsr_level_type *tsr_level_type_by_name(const char *name, size_t n);
/* The type of a letter of the short format, or NULL. *nonunique: the letter means nonunique. */
const tsr_level_type *tsr_level_type_by_letter(char letter, bool *nonunique);
/* The array of the level with this role. */
tsr_array *tsr_level_array_of(tsr_level *level, tsr_level_role role);
const tsr_array *tsr_level_array_at(const tsr_level *level, tsr_level_role role);
/* The row of the type's table with this role; NULL: the type does not have such an array. */
const tsr_level_array *tsr_level_array_row(const tsr_level_type *type, tsr_level_role role);
static inline bool tsr_level_has(const tsr_level_type *type, tsr_level_role role)
{
    return tsr_level_array_row(type, role) != NULL;
}
/* Whether a level has a position for every coordinate, and an array that marks those that are entries. */
static inline bool tsr_level_is_marked(const tsr_level_type *type)
{
    return type->is_uniform && type->is_locatable && !type->full && tsr_level_has(type, TSR_LEVEL_BITS);
}
/* The number of elements of an array by its rule; false: TSR_OWN_LENGTH, or more than 2^64. */
bool tsr_level_array_length(uint64_t *n, const tsr_level_array *row, uint64_t nparents, uint64_t npos);
/* The largest element of an array, for its width. */
uint64_t tsr_level_array_max(const tsr_level_array *row, uint64_t size, uint64_t npos);
/* Make an array of n elements, undefined, of the width for the level's size and npos. */
tsr_status tsr_level_array_make(tsr_level *level, const tsr_level_array *row, uint64_t n,
                                const tsr_level_room *room, int index, tsr_error *err) TSR_NODISCARD;
/* The check of a compressed level that does not repeat coordinates, while these arrive from a file. */
typedef struct tsr_level_watch {
    const tsr_level *level;
    uint64_t seen,
        parent; /* coordinates [0, seen) were looked at; parents [0, parent) have their first ones there */
    uint64_t nbad,
        nfalls; /* of these: whether one is outside; those that do not exceed the one before under the same parent */
} tsr_level_watch;
/* Begin when pos stands. false: the level is of another type, or pos is wrong. */
bool tsr_level_watch_begin(tsr_level_watch *watch, const tsr_level *level);
/* Coordinates [0, n) stand in crd. */
void tsr_level_watch_see(tsr_level_watch *watch, uint64_t n);
/* All stand. Whether the level is right: if it is not, the check of the type says why. */
bool tsr_level_watch_end(tsr_level_watch *watch);
/* The bytes of the arrays of a level. */
uint64_t tsr_level_nbytes(const tsr_level *level);
/* Free the arrays. */
void tsr_level_clear(tsr_level *level);

#ifdef __cplusplus
}
#endif
#endif
