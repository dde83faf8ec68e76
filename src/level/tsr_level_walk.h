/* The second door of levels: how loop programs walk them. Only the compiler half of the library includes this
 * header (it shows the IR); whoever packs or reads tensors includes tsr_level.h alone. The walker of a level
 * type stands in the file of that type. */
#ifndef TSR_LEVEL_WALK_H
#define TSR_LEVEL_WALK_H

#include "tsr_ir.h"
#include "tsr_level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One level in a loop program under construction: what the walker is given, and what `open` leaves. */
typedef struct tsr_level_walk {
    tsr_ir_builder *ir;
    const char *crd_name;          /* for the coordinate's variable: "j" */
    const char *pos_name;          /* for the position's variable: "pB2" */
    bool nonunique;                /* as in the level */
    const tsr_ir_expr *size;       /* coordinates are in [0, size) */
    const tsr_ir_expr *pitch;      /* dense: positions per parent */
    const tsr_ir_array *pos, *crd; /* where the type has them */
    const tsr_ir_expr *parent;     /* position of the parent */
    const tsr_ir_expr *lo, *hi;    /* only positions (full levels: only coordinates) in [lo, hi) are wanted,
                                      which is inside the level's own range; NULL: all of the parent's */
    unsigned marks;                /* tsr_ir_mark for the loop, if there is one */
    /* out: */
    const tsr_ir_expr *coordinate, *position;
    bool is_loop; /* open opened a block: close it with tsr_ir_end */
} tsr_level_walk;

typedef struct tsr_level_walker {
    /* Walk the children of walk->parent: opens a loop over them (or none, where there is one child), and
     * leaves coordinate and position. */
    void (*open)(tsr_level_walk *walk);
    /* The first position of this level that belongs to parent p or a later one (p may be one past the last
     * parent). */
    const tsr_ir_expr *(*begin)(const tsr_level_walk *walk, const tsr_ir_expr *p);
} tsr_level_walker;

#ifdef __cplusplus
}
#endif
#endif
