/* Dense levels: they do not store arrays; position = parent * pitch + coordinate. */
#include "tsr_level.h"

#include <inttypes.h>

#include "tsr_checked.h"
#include "tsr_level_walk.h"

static bool dense_npos(uint64_t *npos, uint64_t nparents, uint64_t pitch)
{
    return tsr_mul_u64(npos, nparents, pitch);
}

static uint64_t dense_count(const tsr_level_block *block)
{
    (void)block;
    return 0;
}

static size_t dense_fill(tsr_level *level, tsr_level_cursor *cursor, tsr_level_block *block)
{
    const uint64_t pitch = level->pitch, *restrict coord = block->coord;
    uint64_t *restrict position = block->position;
    for (size_t i = 0; i < block->n; i++)
        position[i] = position[i] * pitch + coord[i];
    if (block->n > 0)
        cursor->npos = position[block->n - 1] + 1;
    return block->n;
}

/* Positions mostly step by one, so a division is needed only where they jump. */
static void dense_climb(const tsr_level *level, uint64_t *restrict position, uint64_t *restrict coord,
                        size_t n)
{
    const uint64_t pitch = level->pitch;
    uint64_t last = 0, parent = 0, c = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t step = position[i] - last;
        last = position[i];
        if (step < pitch - c) {
            c += step;
        } else {
            parent = last / pitch;
            c = last % pitch;
        }
        coord[i] = c;
        position[i] = parent;
    }
}

static tsr_status dense_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    uint64_t npos;
    if (level->pitch < level->size)
        return tsr_fail(err, TSR_CORRUPT, "level %d: pitch %" PRIu64 " is less than size %" PRIu64, index,
                        level->pitch, level->size);
    if (!tsr_mul_u64(&npos, level->nparents, level->pitch) || npos != level->npos)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: a dense level of pitch %" PRIu64 " under %" PRIu64
                        " positions cannot have %" PRIu64 " positions",
                        index, level->pitch, level->nparents, level->npos);
    return TSR_OK;
}

static void dense_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *lo = walk->lo ? walk->lo : tsr_ir_index(ir, 0);
    walk->coordinate = tsr_ir_for(ir, walk->crd_name, lo, walk->hi ? walk->hi : walk->size, walk->marks);
    walk->position = tsr_ir_add(ir, tsr_level_begin_uniform(walk, walk->parent), walk->coordinate);
    if (walk->position && walk->position->op != TSR_IR_VAR)
        walk->position = tsr_ir_declare(ir, walk->pos_name, walk->position, false);
    walk->nblocks = 1;
}

static void dense_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    walk->position = tsr_ir_add(walk->ir, tsr_level_begin_uniform(walk, walk->parent), coordinate);
}

static const tsr_level_walker dense_walker = {
    .open = dense_open, .find = dense_find, .begin = tsr_level_begin_uniform};

const tsr_level_type tsr_level_dense = {
    .name = "dense",
    .letter = 'd',
    .rule = "every coordinate has a position",
    .full = true,
    .is_ordered = true,
    .is_grouped = true,
    .is_uniform = true,
    .by_value = true,
    .is_locatable = true,
    .can_insert = true,
    .can_have_pitch = true,
    .npos = dense_npos,
    .count = dense_count,
    .fill = dense_fill,
    .climb = dense_climb,
    .check = dense_check,
    .walker = &dense_walker,
};
