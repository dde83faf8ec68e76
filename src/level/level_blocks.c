/* Blocks: neighbouring coordinates of a parent form a block of any length. The blocks of parent p are
 * pos[p] .. pos[p+1]-1; block b begins with coordinate start[b], and has the positions ofs[b] .. ofs[b+1]-1.
 * ofs has one element more than there are blocks. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* Whether entry i begins a block. */
static bool begins(const tsr_level_entries *e, const uint64_t *parent, uint64_t i)
{
    return i == 0 || parent[i] != parent[i - 1] || e->coord[i] > e->coord[i - 1] + 1;
}

static tsr_status fill(tsr_level *level, tsr_level_entries *e, uint64_t *first, int index, tsr_error *err)
{
    uint64_t nblocks = 0, block = 0, at = 0, parent = 0;
    level->npos = 0;
    for (uint64_t i = 0; i < e->n; i++) {
        first[e->position[i]] += begins(e, e->position, i);
        nblocks += begins(e, e->position, i);
        level->npos += i == 0 || e->position[i] != e->position[i - 1] || level_opens(e, i);
    }
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_POS, level->nparents + 1, nblocks, LEVEL_UNDEFINED},
                       &e->room, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_START, nblocks, level->size, LEVEL_UNDEFINED}, &e->room,
                       index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_END, nblocks + 1, level->npos, LEVEL_UNDEFINED},
                       &e->room, index, err));
    for (uint64_t p = 0; p < level->nparents; p++) {
        tsr_array_set(&level->pos, p, at);
        at += first[p];
    }
    tsr_array_set(&level->pos, level->nparents, at);
    at = 0;
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i], c = e->coord[i];
        const bool is_new = i == 0 || p != parent;
        if (is_new || c > e->coord[i - 1] + 1) {
            tsr_array_set(&level->start, block, c);
            tsr_array_set(&level->end, block++, at);
        }
        at += is_new || level_opens(e, i);
        parent = p;
        e->position[i] = at - 1;
    }
    tsr_array_set(&level->end, block, at);
    return TSR_OK;
}

static tsr_status blocks_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t *first;
    for (uint64_t i = 1; i < e->n; i++)
        if (e->position[i] < e->position[i - 1])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d (blocks): the level above must store its children in order", index);
    TSR_TRY(level_scratch(&first, level->nparents, true, &e->room, err));
    const tsr_status status = fill(level, e, first, index, err);
    tsr_free(first);
    return status;
}

static void blocks_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    uint64_t block = 0, first = 1, end = 0, parent = 0;
    for (size_t i = 0; i < n; i++) {
        if (position[i] < first || position[i] >= end) {
            block = level_find(&level->end, position[i]);
            first = tsr_array_get(&level->end, block);
            end = tsr_array_get(&level->end, block + 1);
            parent = level_find(&level->pos, block);
        }
        coord[i] = tsr_array_get(&level->start, block) + position[i] - first;
        position[i] = parent;
    }
}

static tsr_status check_blocks(const tsr_level *level, uint64_t p, int index, tsr_error *err)
{
    const uint64_t last = tsr_array_get(&level->pos, p + 1);
    uint64_t at = 0;
    for (uint64_t b = tsr_array_get(&level->pos, p); b < last; b++) {
        const uint64_t n = tsr_array_get(&level->end, b + 1) - tsr_array_get(&level->end, b);
        const uint64_t lo = tsr_array_get(&level->start, b);
        if (n == 0 || lo < at || lo > level->size || n > level->size - lo)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: block %" PRIu64 " of parent %" PRIu64 " has %" PRIu64
                            " coordinates from %" PRIu64
                            " on, but blocks follow each other within [0, %" PRIu64 ")",
                            index, b, p, n, lo, level->size);
        at = lo + n;
    }
    return TSR_OK;
}

static tsr_status blocks_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    const uint64_t nblocks = level->start.data ? level->start.n : 0;
    (void)in_group;
    TSR_TRY(level_check_array(level, TSR_LEVEL_POS, level->nparents + 1, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_START, nblocks, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_END, nblocks + 1, index, err));
    TSR_TRY(level_check_rising(level, TSR_LEVEL_POS, nblocks, index, err));
    TSR_TRY(level_check_rising(level, TSR_LEVEL_END, level->npos, index, err));
    for (uint64_t p = 0; p < level->nparents; p++)
        TSR_TRY(check_blocks(level, p, index, err));
    return TSR_OK;
}

static const tsr_ir_expr *blocks_begin(const tsr_level_walk *walk, const tsr_ir_expr *p)
{
    const tsr_ir_expr *block = tsr_level_begin_pos(walk, p);
    return block && block->op == TSR_IR_INDEX
               ? block
               : tsr_ir_load_index(walk->ir, walk->array[TSR_LEVEL_END], block);
}

static void blocks_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    char name[TSR_LEVEL_NAME_NBYTES];
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    const tsr_ir_array *ofs = walk->array[TSR_LEVEL_END];
    const tsr_ir_expr *b =
        tsr_ir_for(ir, tsr_level_part_name(name, walk, "block"), tsr_level_begin_pos(walk, walk->parent),
                   tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, one)), 0);
    const tsr_ir_expr *lo = tsr_level_name(walk, "begin", tsr_ir_load_index(ir, ofs, b));
    const tsr_ir_expr *hi = tsr_ir_load_index(ir, ofs, tsr_ir_add(ir, b, one));
    const tsr_ir_expr *start = tsr_ir_load_index(ir, walk->array[TSR_LEVEL_START], b);
    const tsr_ir_expr *shift = tsr_level_name(walk, "shift", tsr_ir_sub(ir, start, lo));
    tsr_level_for_positions(walk, lo, hi);
    walk->coordinate = tsr_ir_declare(ir, walk->crd_name, tsr_ir_add(ir, walk->position, shift), false);
    walk->nblocks = 2;
}

/* In the last block that begins at the coordinate or before. */
static void blocks_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const one = tsr_ir_index(ir, 1);
    const tsr_ir_expr *const first = tsr_level_name(walk, "first", tsr_level_begin_pos(walk, walk->parent));
    const tsr_ir_expr *const end = tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, one));
    const tsr_ir_expr *const next =
        tsr_level_search(walk, TSR_LEVEL_START, (tsr_ir_range){first, end}, tsr_ir_add(ir, coordinate, one));
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, first, next));
    const tsr_ir_expr *const b = tsr_level_name(walk, "block", tsr_ir_sub(ir, next, one));
    const tsr_ir_expr *const start = tsr_ir_load_index(ir, walk->array[TSR_LEVEL_START], b);
    const tsr_ir_expr *const place = tsr_ir_add(ir, tsr_ir_load_index(ir, walk->array[TSR_LEVEL_END], b),
                                                tsr_ir_sub(ir, coordinate, start));
    walk->position = tsr_level_name(walk, "place", place);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, walk->position,
                             tsr_ir_load_index(ir, walk->array[TSR_LEVEL_END], next)));
    walk->nblocks += 2;
}

static const tsr_level_walker blocks_walker = {
    .open = blocks_open, .find = blocks_find, .begin = blocks_begin};

const tsr_level_type tsr_level_blocks = {
    .name = "blocks",
    .rule = "blocks of neighbouring coordinates",
    .is_ordered = true,
    .is_grouped = true,
    .is_compact = true,
    .can_append = true,
    .arrays =
        {{.name = "pos",
          .role = TSR_LEVEL_POS,
          .length = TSR_PER_PARENT_AND_ONE,
          .content = TSR_HOLDS_POSITIONS},
         {.name = "start", .role = TSR_LEVEL_START, .length = TSR_OWN_LENGTH, .content = TSR_HOLDS_ENDS},
         {.name = "ofs", .role = TSR_LEVEL_END, .length = TSR_OWN_LENGTH, .content = TSR_HOLDS_POSITIONS}},
    .npos = level_depends,
    .assemble = blocks_assemble,
    .climb = blocks_climb,
    .check = blocks_check,
    .walker = &blocks_walker,
};
