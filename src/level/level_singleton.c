/* Singleton levels: exactly one child per parent, at the parent's own position; its coordinate is in crd. */
#include "tsr_level.h"

#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

static bool singleton_npos(uint64_t *npos, uint64_t nparents, uint64_t size)
{
    (void)size;
    *npos = nparents;
    return true;
}

static uint64_t singleton_count(const tsr_level_block *block)
{
    (void)block;
    return 0;
}

/* The position of an entry is the position of its parent, so block->position stays as it is. New positions
 * are consecutive, since those of the parents are, and begin at cursor->npos. */
static size_t singleton_fill(tsr_level *level, tsr_level_cursor *cursor, tsr_level_block *block)
{
    uint64_t opened[TSR_LEVEL_BLOCK];
    const uint64_t first = cursor->npos, *restrict position = block->position;
    uint64_t npos = first;
    size_t i = 0;
    for (; i < block->n; i++) {
        if (block->lead[i] > block->cut)
            continue;
        if (position[i] < npos)
            break; /* a second child */
        opened[npos++ - first] = block->coord[i];
    }
    tsr_array_store(&level->crd, first, opened, npos - first);
    cursor->npos = npos;
    return i;
}

static void singleton_climb(const tsr_level *level, uint64_t *restrict position, uint64_t *restrict coord,
                            size_t n)
{
    level_gather(coord, &level->crd, position, n);
}

static tsr_status singleton_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    if (level->npos != level->nparents)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: a singleton level has %" PRIu64 " positions under %" PRIu64
                        ", but must have the same number",
                        index, level->npos, level->nparents);
    return level_check_crd(level, index, err);
}

static void singleton_open(tsr_level_walk *walk)
{
    walk->position = walk->parent;
    tsr_level_load_crd(walk);
    walk->nblocks = 0;
}

static void singleton_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    if (walk->lo) {
        tsr_level_find_among(walk, (tsr_ir_range){walk->lo, walk->hi}, coordinate, NULL);
        return;
    }
    const tsr_ir_expr *const stored = tsr_ir_load_index(walk->ir, walk->array[TSR_LEVEL_CRD], walk->parent);
    walk->position = walk->parent;
    tsr_ir_if(walk->ir, tsr_ir_op2(walk->ir, TSR_IR_EQ, stored, coordinate));
    walk->nblocks++;
}

static const tsr_ir_expr *singleton_begin(const tsr_level_walk *walk, const tsr_ir_expr *p)
{
    (void)walk;
    return p;
}

static const tsr_level_walker singleton_walker = {
    .open = singleton_open, .find = singleton_find, .begin = singleton_begin};

const tsr_level_type tsr_level_singleton = {
    .name = "singleton",
    .letter = 'q',
    .rule = "one coordinate for each parent",
    .branchless = true,
    .is_ordered = true,
    .is_grouped = true,
    .is_compact = true,
    .can_append = true,
    .arrays = {{.name = "crd",
                .role = TSR_LEVEL_CRD,
                .length = TSR_PER_POSITION,
                .content = TSR_HOLDS_COORDINATES}},
    .can_be_nonunique = true,
    .npos = singleton_npos,
    .count = singleton_count,
    .fill = singleton_fill,
    .climb = singleton_climb,
    .check = singleton_check,
    .walker = &singleton_walker,
};
