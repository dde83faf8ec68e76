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
    const char *crd_name;          /* name for the variable of the coordinate: "j" */
    const char *pos_name;          /* name for the variable of the position: "pB2" */
    bool nonunique;                /* as in the level */
    const tsr_ir_expr *size;       /* coordinates are in [0, size) */
    const tsr_ir_expr *pitch;      /* dense: positions per parent */
    const tsr_ir_array *pos, *crd; /* of types that have them */
    const tsr_ir_expr *parent;     /* position of the parent */
    const tsr_ir_expr *lo, *hi;    /* visit only positions (full levels: coordinates) in [lo, hi), which is
                                      within the range of the level; NULL: all children of the parent */
    unsigned marks;                /* tsr_ir_mark for the loop */
    /* out: */
    const tsr_ir_expr *coordinate, *position;
    bool is_loop; /* open opened a block: close it with tsr_ir_end */
} tsr_level_walk;

typedef struct tsr_level_walker {
    /* Open a loop over the children of walk->parent (without a loop where there is exactly one child), and
     * set coordinate, position and is_loop. */
    void (*open)(tsr_level_walk *walk);
    /* The first position of this level whose parent is p or a later one. p may be one past the last
     * parent. */
    const tsr_ir_expr *(*begin)(const tsr_level_walk *walk, const tsr_ir_expr *p);
} tsr_level_walker;

#ifdef __cplusplus
}
#endif
#endif
