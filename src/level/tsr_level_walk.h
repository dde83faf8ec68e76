/* The second door of levels: loops over levels in loop programs. Only the compiler half of the library
 * includes this header, since it needs the IR; code that packs or reads tensors includes tsr_level.h alone.
 * The walker of a level type is in the file of that type. */
#ifndef TSR_LEVEL_WALK_H
#define TSR_LEVEL_WALK_H

#include "tsr_ir.h"
#include "tsr_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One level in a loop program under construction: the input of a walker, and the output of `open`. */
typedef struct tsr_level_walk {
    tsr_ir_builder *ir;
    const char *crd_name;     /* name for the variable of the coordinate: "j" */
    const char *pos_name;     /* name for the variable of the position: "pB2" */
    bool nonunique;           /* as in the level */
    bool has_padding;         /* positions may be padding */
    bool signed_index;        /* elements of crd may be signed: padding is then -1, not the largest element */
    const tsr_ir_expr *size;  /* coordinates are in [0, size); full types, and types that assemble */
    const tsr_ir_expr *pitch; /* positions per parent, of the same types */
    const tsr_ir_expr *low;   /* tsr_level.low, of types that assemble */
    const tsr_ir_expr *nparents;                 /* of types that assemble */
    uint64_t param;                              /* as in the level */
    const tsr_ir_array *array[TSR_LEVEL_NROLES]; /* those of the type */
    const tsr_ir_expr *parent;                   /* position of the parent */
    const tsr_ir_expr *lo, *hi; /* visit only positions (full levels: coordinates) in [lo, hi), which is
                                   within the range of the level; NULL: all children of the parent */
    const tsr_ir_expr *crd_lo, *crd_hi; /* of interval types: visit only coordinates in [crd_lo, crd_hi) */
    unsigned marks;                     /* tsr_ir_mark for the loop */
    /* padding is visited, too: `stored` tells it, and the coordinate is then that of some other cell */
    bool selects;
    /* out: */
    const tsr_ir_expr *coordinate, *position;
    const tsr_ir_expr *stored; /* whether the position is an entry; NULL: it is */
    int nblocks;               /* blocks that open opened: close each with tsr_ir_end */
} tsr_level_walk;

typedef struct tsr_level_walker {
    /* Open a loop over the children of walk->parent (without a loop where there is exactly one child), and
     * set coordinate, position and nblocks. Padding that the level recognises is left out. */
    void (*open)(tsr_level_walk *walk);
    /* Set position to that of the child of walk->parent with the coordinate, which is in [0, size); what follows, in blocks that are
     * opened, is for a coordinate that is stored. Where the level may repeat it (nonunique), lo and hi are set: the positions that have
     * it. Below such a level (branchless types), they are the parents among which the coordinate is found. NULL: no search leads to a
     * position. */
    void (*find)(tsr_level_walk *walk, const tsr_ir_expr *coordinate);
    /* The first position of this level whose parent is p or a later one. p may be one past the last parent.
     * NULL where the positions of a parent are not neighbours (is_grouped is false). */
    const tsr_ir_expr *(*begin)(const tsr_level_walk *walk, const tsr_ir_expr *p);
    /* Of types without `begin`: a number of positions that rises with p, from 0 to about all of them, by which the work
     * of the parents before p is measured. p as above. NULL: each parent has as much work as another. */
    const tsr_ir_expr *(*before)(const tsr_level_walk *walk, const tsr_ir_expr *p);

    /* Types with tsr_level_type.block: the children of neighbouring parents are neighbours, so that one vector holds a child of
     * each. */

    /* Whether blocks begin at multiples of their size, and the last one has positions for all of its parents, even
     * for those that do not exist; else a block begins at any parent, and all of its parents exist. */
    bool has_whole_blocks;
    /* Open a loop over the children of the block that begins at walk->parent: set nblocks, and position to that of the
     * child of the first parent, which those of the next parents follow. */
    void (*open_block)(tsr_level_walk *walk);
} tsr_level_walker;

/* p * pitch: `begin` of uniform types. */
const tsr_ir_expr *tsr_level_begin_uniform(const tsr_level_walk *walk, const tsr_ir_expr *p);
/* array[p] of the array with this role; 0 for p = 0 of prefix sums. */
const tsr_ir_expr *tsr_level_load(const tsr_level_walk *walk, tsr_level_role role, const tsr_ir_expr *p);
/* pos[p]: `begin` of types whose pos holds their positions. */
const tsr_ir_expr *tsr_level_begin_pos(const tsr_level_walk *walk, const tsr_ir_expr *p);
/* Open the loop over the positions [lo, hi), as far as they are within [walk->lo, walk->hi). */
void tsr_level_for_positions(tsr_level_walk *walk, const tsr_ir_expr *lo, const tsr_ir_expr *hi);
/* Open the loop over the positions of the parent, in a uniform type. */
void tsr_level_for_uniform(tsr_level_walk *walk);
/* A place that follows from a number, or from the place before it. */
typedef const tsr_ir_expr *(*tsr_level_place)(const tsr_level_walk *walk, const tsr_ir_expr *q);
/* The first q in the range with array[q] >= least, where the elements rise. */
const tsr_ir_expr *tsr_level_search(tsr_level_walk *walk, tsr_level_role role, tsr_ir_range in,
                                    const tsr_ir_expr *least);
/* `find` in the positions place(q) (NULL: q) for q in [lo, hi), whose coordinates rise: crd[position], or padding behind all of them, as in
 * tsr_level_skip_padding. */
void tsr_level_find_among(tsr_level_walk *walk, tsr_ir_range in, const tsr_ir_expr *coordinate,
                          tsr_level_place place);
/* The same in the positions of the parent, in a uniform type. */
void tsr_level_find_in_uniform(tsr_level_walk *walk, const tsr_ir_expr *coordinate);
/* `find` in n positions from `first` on, each of which leads to the next one, up to padding. */
void tsr_level_find_by_steps(tsr_level_walk *walk, const tsr_ir_expr *first, const tsr_ir_expr *n,
                             const tsr_ir_expr *coordinate, tsr_level_place next);
/* The position of slot q of the parent, where slots are walk->nparents positions apart: `place`. */
const tsr_ir_expr *tsr_level_slot(const tsr_level_walk *walk, const tsr_ir_expr *q);
/* Open the loop over n slots; the position is left to the caller. Returns the position of the slot. */
const tsr_ir_expr *tsr_level_for_slots(tsr_level_walk *walk, const tsr_ir_expr *n);
/* Declare walk->coordinate = crd[walk->position]. */
void tsr_level_load_crd(tsr_level_walk *walk);
/* The same, and open an if block that leaves padding out; where walk->selects, set walk->stored instead. */
void tsr_level_skip_padding(tsr_level_walk *walk);
/* "pB2_slot": a name for a variable of the level. Returns name. */
enum { TSR_LEVEL_NAME_NBYTES = 300 };
const char *tsr_level_part_name(char name[TSR_LEVEL_NAME_NBYTES], const tsr_level_walk *walk,
                                const char *part);
/* An expression that a body may use many times: x itself where it is short, else a variable. */
const tsr_ir_expr *tsr_level_name(tsr_level_walk *walk, const char *part, const tsr_ir_expr *x);

#ifdef __cplusplus
}
#endif
#endif
