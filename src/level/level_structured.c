/* Structured levels, structured(N): each parent has N positions, whose coordinates rise strictly. A parent with
 * fewer children also lists the smallest coordinates that are not entries; their values hold the fill. With
 * (j floordiv 4 : dense, j mod 4 : structured(2)) this is 2:4 sparsity. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* The positions of a parent: N, or all coordinates where there are fewer. */
static uint64_t group_size(const tsr_level *level)
{
    return level->param < level->size ? level->param : level->size;
}

/* Store the children of a parent, entries [first, end), and the coordinates that fill the group. */
static tsr_status fill_group(tsr_level *level, tsr_level_entries *e, uint64_t first, uint64_t end, int index,
                             tsr_error *err)
{
    const uint64_t parent = e->position[first];
    uint64_t used = 0, n = level->pitch, at = parent * n;
    for (uint64_t i = first; i < end; i++)
        used += i == first || level_opens(e, i);
    if (used > n)
        return tsr_fail(err, TSR_ARGUMENT,
                        "level %d (structured(%" PRIu64 ")): group %" PRIu64 " has %" PRIu64
                        " entries, but at most %" PRIu64 " are possible",
                        index, n, parent, used, n);
    uint64_t spare = n - used, c = 0; /* every coordinate below c is stored */
    for (uint64_t i = first; i < end;) {
        const uint64_t next = e->coord[i];
        for (; spare > 0 && c < next; c++, spare--)
            tsr_array_set(&level->crd, at++, c);
        tsr_array_set(&level->crd, at, next);
        do
            e->position[i++] = at;
        while (i < end && e->coord[i] == next);
        at++;
        c = next + 1;
    }
    for (; spare > 0; c++, spare--)
        tsr_array_set(&level->crd, at++, c);
    return TSR_OK;
}

static tsr_status structured_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t next = 0;
    TSR_TRY(level_set_uniform(level, group_size(level), index, err));
    TSR_TRY(level_make(
        level, (level_want){TSR_LEVEL_CRD, level->npos, level->size ? level->size - 1 : 0, LEVEL_UNDEFINED},
        &e->room, index, err));
    if (level->pitch == 0)
        return TSR_OK;
    for (uint64_t p = 0; p < level->npos; p++)
        tsr_array_set(&level->crd, p, p % level->pitch);
    for (uint64_t i = 0; i < e->n; i = next) {
        next = level_parent_end(e, i);
        TSR_TRY(fill_group(level, e, i, next, index, err));
    }
    return TSR_OK;
}

static void structured_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->crd, position, n);
    for (size_t i = 0; i < n; i++)
        position[i] /= level->pitch;
}

static tsr_status structured_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    if (level->pitch != group_size(level))
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: %" PRIu64 " positions per parent in structured(%" PRIu64 ")", index,
                        level->pitch, level->param);
    TSR_TRY(level_check_uniform(level, index, err));
    TSR_TRY(level_check_crd(level, index, err));
    for (uint64_t p = 1; p < level->npos; p++)
        if (p % level->pitch && tsr_array_get(&level->crd, p) <= tsr_array_get(&level->crd, p - 1))
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64 " follows %" PRIu64
                            " in the same group, but must be larger",
                            index, tsr_array_get(&level->crd, p), p, tsr_array_get(&level->crd, p - 1));
    return TSR_OK;
}

static bool structured_settle(tsr_level *level, const int64_t *numbers)
{
    (void)numbers;
    level->pitch = group_size(level);
    return true;
}

/* 2:4 sparsity: the two coordinates of a group, 2 bits each, the first one low (CUTLASS, cuSPARSELt). */
static uint64_t structured_ncodes(const tsr_level *level)
{
    return level->pitch == 2 && level->size == 4 ? level->npos / 2 : 0;
}

static uint64_t structured_code(const tsr_level *level, uint64_t i)
{
    return tsr_array_get(&level->crd, 2 * i) | tsr_array_get(&level->crd, 2 * i + 1) << 2;
}

static void structured_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const bool is_literal = walk->size && walk->size->op == TSR_IR_INDEX && walk->param <= INT32_MAX;
    if (is_literal) { /* as in group_size */
        const int64_t n = (int64_t)walk->param, size = walk->size->index;
        walk->pitch = tsr_ir_index(ir, n < size ? n : size);
        walk->marks |= TSR_IR_UNROLL;
    }
    tsr_level_for_uniform(walk);
    tsr_level_load_crd(walk);
    walk->nblocks = 1;
}

static const tsr_level_walker structured_walker = {
    .open = structured_open, .find = tsr_level_find_in_uniform, .begin = tsr_level_begin_uniform};

const tsr_level_type tsr_level_structured = {
    .name = "structured",
    .rule = "N coordinates for each parent",
    .parameter = "positions per parent",
    .is_ordered = true,
    .is_grouped = true,
    .is_uniform = true,
    .by_value = true,
    .is_partial = true,
    .arrays = {{.name = "crd",
                .role = TSR_LEVEL_CRD,
                .length = TSR_PER_POSITION,
                .content = TSR_HOLDS_COORDINATES}},
    .npos = level_depends,
    .assemble = structured_assemble,
    .climb = structured_climb,
    .set_numbers = structured_settle,
    .ncodes = structured_ncodes,
    .code = structured_code,
    .check = structured_check,
    .walker = &structured_walker,
};
