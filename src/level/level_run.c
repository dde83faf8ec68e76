/* Runs: one run of neighbouring coordinates under each parent, stored densely. start[p] is the first coordinate
 * of parent p; position = pos[p] + coordinate - start[p]. pos has nparents + 1 elements, start nparents.
 *
 *   run      from the first to the last entry of the parent; without entries an empty run
 *   upto     from the first entry to the diagonal: parent p is row p of a dense root, and the run ends with
 *            coordinate p, even without entries; a coordinate after p is refused
 *   range    all coordinates of a diagonal: below coordinates a - b, which a dimension b of size `size` and
 *            another one bound, b goes from max(0, -(a - b)) to where a or b ends */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_checked.h"
#include "tsr_level_walk.h"

/* Make pos and start from the runs [lo[p], lo[p] + length[p]), and set the positions of the entries. */
static tsr_status make_runs(tsr_level *level, tsr_level_entries *e, const uint64_t *lo,
                            const uint64_t *length, int index, tsr_error *err)
{
    const uint64_t n = level->nparents;
    level->npos = 0;
    for (uint64_t p = 0; p < n; p++)
        if (!tsr_add_u64(&level->npos, level->npos, length[p]) || level->npos > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "level %d (%s) needs more than 2^63 - 1 positions", index,
                            level->type->name);
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_POS, n + 1, level->npos, LEVEL_UNDEFINED}, &e->room,
                       index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_START, n, level->size, LEVEL_UNDEFINED}, &e->room, index,
                       err));
    uint64_t at = 0;
    for (uint64_t p = 0; p < n; p++) {
        tsr_array_set(&level->pos, p, at);
        at += length[p];
    }
    tsr_array_set(&level->pos, n, at);
    tsr_array_store(&level->start, 0, lo, n);
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i], c = e->coord[i];
        if (c < lo[p] || c - lo[p] >= length[p])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d (%s): coordinate %" PRIu64 " is outside the run of parent %" PRIu64
                            ", which has %" PRIu64 " coordinates from %" PRIu64 " on",
                            index, level->type->name, c, p, length[p], lo[p]);
        e->position[i] = tsr_array_get(&level->pos, p) + c - lo[p];
    }
    return TSR_OK;
}

/* The rule of a type: set lo[p] and length[p] of all parents. */
typedef tsr_status (*run_rule)(uint64_t *lo, uint64_t *length, const tsr_level *level,
                               const tsr_level_entries *e, int index, tsr_error *err);

static tsr_status assemble(tsr_level *level, tsr_level_entries *e, run_rule rule, int index, tsr_error *err)
{
    uint64_t *lo = NULL, *length = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(level_scratch(&lo, level->nparents, true, &e->room, err));
    TSR_TRY_OUT(level_scratch(&length, level->nparents, true, &e->room, err));
    TSR_TRY_OUT(rule(lo, length, level, e, index, err));
    TSR_TRY_OUT(make_runs(level, e, lo, length, index, err));
out:
    tsr_free(lo);
    tsr_free(length);
    return status;
}

static tsr_status run_rule_of_entries(uint64_t *lo, uint64_t *length, const tsr_level *level,
                                      const tsr_level_entries *e, int index, tsr_error *err)
{
    (void)level;
    (void)index;
    (void)err;
    for (uint64_t i = 0; i < e->n; i++) { /* coordinates rise under each parent */
        const uint64_t p = e->position[i], c = e->coord[i];
        if (length[p] == 0)
            lo[p] = c;
        length[p] = c - lo[p] + 1;
    }
    return TSR_OK;
}

static tsr_status skyline_rule(uint64_t *lo, uint64_t *length, const tsr_level *level,
                               const tsr_level_entries *e, int index, tsr_error *err)
{
    for (uint64_t p = 0; p < level->nparents; p++)
        lo[p] = p < level->size ? p : level->size;
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i], c = e->coord[i];
        if (c > p)
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d (skyline): coordinate %" PRIu64 " of row %" PRIu64
                            " is beyond the diagonal: a skyline stores one triangle",
                            index, c, p);
        lo[p] = c < lo[p] ? c : lo[p];
    }
    for (uint64_t p = 0; p < level->nparents; p++)
        length[p] = (p + 1 < level->size ? p + 1 : level->size) - lo[p];
    return TSR_OK;
}

/* The parent's coordinate c stands for a - b = c + base, where base = -(size - 1), and a is below `other`. */
static tsr_status range_rule(uint64_t *lo, uint64_t *length, const tsr_level *level,
                             const tsr_level_entries *e, int index, tsr_error *err)
{
    const tsr_level *above = e->above;
    const uint64_t size = level->size;
    if (!above || above->base >= 0 ? size > 1 : (uint64_t)-above->base != size - 1)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "level %d (range): the level above must store the difference of a mode and the mode of "
            "this level, as in (j - i : squeezed, i : range)",
            index);
    uint64_t *parent = length; /* the coordinates of the parents; then the lengths */
    for (uint64_t p = 0, n; above && p < level->nparents; p += n) {
        uint64_t position[TSR_LEVEL_BLOCK];
        n = level->nparents - p < TSR_LEVEL_BLOCK ? level->nparents - p : TSR_LEVEL_BLOCK;
        for (uint64_t k = 0; k < n; k++)
            position[k] = p + k;
        above->type->climb(above, position, parent + p, (size_t)n);
    }
    const uint64_t other = above && above->size >= size ? above->size - size + 1 : 0;
    for (uint64_t p = 0; p < level->nparents; p++) {
        const int64_t difference = (int64_t)parent[p] + (above ? above->base : 0);
        const int64_t most = (int64_t)other - difference; /* b is below it */
        lo[p] = difference < 0 ? (uint64_t)-difference : 0;
        const uint64_t end = most < (int64_t)size ? (most > 0 ? (uint64_t)most : 0) : size;
        length[p] = end > lo[p] ? end - lo[p] : 0;
    }
    return TSR_OK;
}

static tsr_status run_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return assemble(level, e, run_rule_of_entries, index, err);
}

static tsr_status skyline_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return assemble(level, e, skyline_rule, index, err);
}

static tsr_status range_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return assemble(level, e, range_rule, index, err);
}

static void run_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    uint64_t parent = 0, first = 1, end = 0; /* of the parent's positions */
    for (size_t i = 0; i < n; i++) {
        if (position[i] < first || position[i] >= end) {
            parent = level_find(&level->pos, position[i]);
            first = tsr_array_get(&level->pos, parent);
            end = tsr_array_get(&level->pos, parent + 1);
        }
        coord[i] = position[i] - first + tsr_array_get(&level->start, parent);
        position[i] = parent;
    }
}

static tsr_status run_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    TSR_TRY(level_check_pos(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_START, level->nparents, index, err));
    for (uint64_t p = 0; p < level->nparents; p++) {
        const uint64_t n = tsr_array_get(&level->pos, p + 1) - tsr_array_get(&level->pos, p);
        const uint64_t lo = tsr_array_get(&level->start, p);
        if (lo > level->size || n > level->size - lo)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: the run of parent %" PRIu64 " has %" PRIu64
                            " coordinates from %" PRIu64 " on, which are not within [0, %" PRIu64 ")",
                            index, p, n, lo, level->size);
    }
    return TSR_OK;
}

static void run_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *lo = tsr_level_name(walk, "begin", tsr_level_begin_pos(walk, walk->parent));
    const tsr_ir_expr *hi = tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, tsr_ir_index(ir, 1)));
    const tsr_ir_expr *first = tsr_ir_load_index(ir, walk->array[TSR_LEVEL_START], walk->parent);
    const tsr_ir_expr *shift = tsr_level_name(walk, "shift", tsr_ir_sub(ir, first, lo));
    if (walk->crd_lo)
        lo = tsr_ir_op2(ir, TSR_IR_MAX, lo, tsr_ir_sub(ir, walk->crd_lo, shift));
    if (walk->crd_hi)
        hi = tsr_ir_op2(ir, TSR_IR_MIN, hi, tsr_ir_sub(ir, walk->crd_hi, shift));
    tsr_level_for_positions(walk, lo, hi);
    walk->coordinate = tsr_ir_declare(ir, walk->crd_name, tsr_ir_add(ir, walk->position, shift), false);
    walk->nblocks = 1;
}

static void run_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const lo = tsr_level_name(walk, "begin", tsr_level_begin_pos(walk, walk->parent));
    const tsr_ir_expr *const hi =
        tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, tsr_ir_index(ir, 1)));
    const tsr_ir_expr *const first = tsr_ir_load_index(ir, walk->array[TSR_LEVEL_START], walk->parent);
    walk->position =
        tsr_ir_declare(ir, walk->pos_name, tsr_ir_add(ir, lo, tsr_ir_sub(ir, coordinate, first)), false);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_AND, tsr_ir_op2(ir, TSR_IR_LE, lo, walk->position),
                             tsr_ir_op2(ir, TSR_IR_LT, walk->position, hi)));
    walk->nblocks++;
}

static const tsr_level_walker run_walker = {.open = run_open, .find = run_find, .begin = tsr_level_begin_pos};

#define RUN_PROPERTIES                                                                                   \
    .is_interval = true, .is_ordered = true, .is_grouped = true, .by_value = true, .is_locatable = true, \
    .npos = level_depends, .climb = run_climb, .check = run_check, .walker = &run_walker
#define RUN_ARRAYS(hidden)                                                                                 \
    {                                                                                                      \
        {.name = "pos",                                                                                    \
         .role = TSR_LEVEL_POS,                                                                            \
         .length = TSR_PER_PARENT_AND_ONE,                                                                 \
         .content = TSR_HOLDS_POSITIONS},                                                                  \
        {                                                                                                  \
            .name = "start", .role = TSR_LEVEL_START, .length = TSR_PER_PARENT, .content = TSR_HOLDS_ENDS, \
            .is_hidden = hidden                                                                            \
        }                                                                                                  \
    }

const tsr_level_type tsr_level_run = {
    .name = "run",
    .rule = "from the first to the last entry of each parent, densely",
    .arrays = RUN_ARRAYS(false),
    .assemble = run_assemble,
    RUN_PROPERTIES,
};

const tsr_level_type tsr_level_upto = {
    .name = "upto",
    .rule = "from the first entry of each row to the diagonal, densely",
    .needs_dense_root = true,
    .is_partial = true,
    .arrays = RUN_ARRAYS(true),
    .assemble = skyline_assemble,
    RUN_PROPERTIES,
};

const tsr_level_type tsr_level_range = {
    .name = "range",
    .rule = "the cells of a diagonal",
    .arrays = RUN_ARRAYS(true),
    .assemble = range_assemble,
    RUN_PROPERTIES,
};
