/* Chunked levels: parents in slices of C. Slice s has K(s) slots for each of the C parents, K(s) being the
 * largest number of children in the slice; slot k of parent p is at slice_pos[p / C] + k * C + p mod C. The last
 * slice has C parents, too, whether they exist or not. slice_pos has ceil(nparents / C) + 1 elements. crd holds
 * the coordinates in rising order, followed by padding, where all bits are set. Below permuted rows this is
 * SELL-C-sigma. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_checked.h"
#include "tsr_level_walk.h"

static uint64_t count_slices(const tsr_level *level)
{
    return level->nparents / level->param + (level->nparents % level->param != 0);
}

/* slots[s] = K(s). */
static void measure(uint64_t *slots, const tsr_level *level, const tsr_level_entries *e)
{
    for (uint64_t i = 0, end; i < e->n; i = end) {
        uint64_t n = 0, *most = &slots[e->position[i] / level->param];
        end = level_parent_end(e, i);
        for (uint64_t k = i; k < end; k++)
            n += k == i || level_opens(e, k);
        *most = n > *most ? n : *most;
    }
}

/* Replace slots[s] by where slice s begins, and set npos. */
static tsr_status place_slices(tsr_level *level, uint64_t *slots, uint64_t n, int index, tsr_error *err)
{
    level->npos = 0;
    for (uint64_t s = 0; s < n; s++) {
        uint64_t cells;
        const uint64_t first = level->npos;
        if (!tsr_mul_u64(&cells, slots[s], level->param) || !tsr_add_u64(&level->npos, level->npos, cells) ||
            level->npos > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "level %d (chunked) needs more than 2^63 - 1 positions", index);
        slots[s] = first;
    }
    return TSR_OK;
}

/* Make the arrays, crd as `init` says, from slots[s] = K(s). Afterwards slots[s] is where slice s begins. */
static tsr_status make_slices(tsr_level *level, uint64_t *slots, level_init init, const tsr_level_room *room,
                              int index, tsr_error *err)
{
    const uint64_t n = count_slices(level);
    TSR_TRY(place_slices(level, slots, n, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_POS, n + 1, level->npos, LEVEL_UNDEFINED}, room, index,
                       err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_CRD, level->npos, level->size, init}, room, index, err));
    tsr_array_store(&level->pos, 0, slots, n);
    tsr_array_set(&level->pos, n, level->npos);
    return TSR_OK;
}

static tsr_status chunked_from_counts(tsr_level *level, const uint32_t *count, const tsr_level_room *room,
                                      int index, tsr_error *err)
{
    uint64_t *slots;
    TSR_TRY(level_scratch(&slots, count_slices(level), true, room, err));
    for (uint64_t p = 0; p < level->nparents; p++) {
        uint64_t *most = &slots[p / level->param];
        *most = count[p] > *most ? count[p] : *most;
    }
    const tsr_status status = make_slices(level, slots, LEVEL_UNDEFINED, room, index, err);
    tsr_free(slots);
    return status;
}

static uint64_t chunked_slots(const tsr_level *level, uint64_t *parent, size_t n)
{
    const uint64_t each = level->param;
    for (size_t i = 0; i < n; i++)
        parent[i] = tsr_array_get(&level->pos, parent[i] / each) + parent[i] % each;
    return each;
}

static tsr_status fill(tsr_level *level, tsr_level_entries *e, uint64_t *slots, int index, tsr_error *err)
{
    const uint64_t each = level->param;
    uint64_t parent = 0, slot = 0;
    measure(slots, level, e);
    TSR_TRY(make_slices(level, slots, LEVEL_PADDING, &e->room, index, err));
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i];
        slot = i > 0 && p == parent ? slot + level_opens(e, i) : 0;
        parent = p;
        e->position[i] = slots[p / each] + slot * each + p % each;
        tsr_array_set(&level->crd, e->position[i], e->coord[i]);
    }
    return TSR_OK;
}

static tsr_status chunked_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t *slots;
    TSR_TRY(level_scratch(&slots, count_slices(level), true, &e->room, err));
    const tsr_status status = fill(level, e, slots, index, err);
    tsr_free(slots);
    return status;
}

static void chunked_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->crd, position, n);
    level_widen_padding(coord, &level->crd, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t s = level_find(&level->pos, position[i]);
        const uint64_t p = s * level->param + (position[i] - tsr_array_get(&level->pos, s)) % level->param;
        position[i] = p < level->nparents ? p : level->nparents - 1; /* padding of the last slice */
    }
}

static uint64_t chunked_place(const tsr_level *level, uint64_t parent, uint64_t k)
{
    return tsr_array_get(&level->pos, parent / level->param) + k * level->param + parent % level->param;
}

/* TSR_CORRUPT where slice s is not well-formed. */
static tsr_status check_slice(const tsr_level *level, uint64_t s, int index, tsr_error *err)
{
    const uint64_t each = level->param,
                   cells = tsr_array_get(&level->pos, s + 1) - tsr_array_get(&level->pos, s);
    if (cells % each != 0)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: slice %" PRIu64 " has %" PRIu64 " positions, which %" PRIu64
                        " parents do not divide",
                        index, s, cells, each);
    for (uint64_t r = 0; r < each && cells > 0; r++) {
        uint8_t stored = 0;
        const uint64_t parent = s * each + r;
        if (parent < level->nparents) {
            TSR_TRY(level_check_padded(level, parent, cells / each, chunked_place, index, err));
            continue;
        }
        for (uint64_t k = 0; k < cells / each && !stored; k++)
            level_mark_crd(level, &stored, chunked_place(level, parent, k), 1);
        if (stored)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: slice %" PRIu64 " stores a coordinate for parent %" PRIu64
                            ", but there are %" PRIu64 " parents",
                            index, s, parent, level->nparents);
    }
    return TSR_OK;
}

static tsr_status chunked_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    const uint64_t n = count_slices(level);
    (void)in_group;
    TSR_TRY(level_check_array(level, TSR_LEVEL_POS, n + 1, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_CRD, level->npos, index, err));
    TSR_TRY(level_check_rising(level, TSR_LEVEL_POS, level->npos, index, err));
    for (uint64_t s = 0; s < n; s++)
        TSR_TRY(check_slice(level, s, index, err));
    return TSR_OK;
}

/* Where the slice of walk->parent begins; *n: its slots. */
static const tsr_ir_expr *walk_slice(const tsr_ir_expr **n, tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *each = tsr_ir_index(ir, (int64_t)walk->param);
    const tsr_ir_expr *s = tsr_level_name(walk, "slice", tsr_ir_op2(ir, TSR_IR_FLOORDIV, walk->parent, each));
    const tsr_ir_expr *first = tsr_level_name(walk, "first", tsr_level_load(walk, TSR_LEVEL_POS, s));
    const tsr_ir_expr *end = tsr_level_load(walk, TSR_LEVEL_POS, tsr_ir_add(ir, s, tsr_ir_index(ir, 1)));
    *n = tsr_level_name(walk, "slots", tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_sub(ir, end, first), each));
    return first;
}

/* The row of walk->parent, as the slots of one of C parents. Returns the number of its slots. */
static const tsr_ir_expr *enter_row(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *n, *const first = walk_slice(&n, walk);
    walk->nparents = tsr_ir_index(ir, (int64_t)walk->param);
    walk->parent = tsr_level_name(
        walk, "row", tsr_ir_add(ir, first, tsr_ir_op2(ir, TSR_IR_MOD, walk->parent, walk->nparents)));
    return n;
}

static void chunked_open(tsr_level_walk *walk)
{
    const tsr_ir_expr *const n = enter_row(walk);
    walk->position = tsr_ir_declare(walk->ir, walk->pos_name, tsr_level_for_slots(walk, n), false);
    tsr_level_skip_padding(walk);
}

static void chunked_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *const n = enter_row(walk);
    walk->has_padding = true;
    tsr_level_find_among(walk, (tsr_ir_range){tsr_ir_index(walk->ir, 0), n}, coordinate, tsr_level_slot);
}

static uint64_t chunked_block(uint64_t param)
{
    return param;
}

static void chunked_open_block(tsr_level_walk *walk)
{
    const tsr_ir_expr *n;
    walk->parent = walk_slice(&n, walk);
    walk->nparents = tsr_ir_index(walk->ir, (int64_t)walk->param);
    walk->position = tsr_level_name(walk, "place", tsr_level_for_slots(walk, n));
}

/* Where the slice of p begins. */
static const tsr_ir_expr *chunked_before(const tsr_level_walk *walk, const tsr_ir_expr *p)
{
    const tsr_ir_expr *each = tsr_ir_index(walk->ir, (int64_t)walk->param);
    return tsr_level_load(walk, TSR_LEVEL_POS, tsr_ir_op2(walk->ir, TSR_IR_FLOORDIV, p, each));
}

static const tsr_level_walker chunked_walker = {.open = chunked_open,
                                                .find = chunked_find,
                                                .before = chunked_before,
                                                .has_whole_blocks = true,
                                                .open_block = chunked_open_block};

const tsr_level_type tsr_level_chunked = {
    .name = "chunked",
    .rule = "slots for each parent, as many as the longest of C parents needs",
    .parameter = "parents per slice",
    .is_ordered = true,
    .is_padded = true,
    .arrays =
        {{.name = "slice_pos",
          .role = TSR_LEVEL_POS,
          .length = TSR_OWN_LENGTH,
          .content = TSR_HOLDS_POSITIONS},
         {.name = "crd", .role = TSR_LEVEL_CRD, .length = TSR_PER_POSITION, .content = TSR_HOLDS_MARKED}},
    .npos = level_depends,
    .assemble = chunked_assemble,
    .assemble_slots = chunked_from_counts,
    .slots = chunked_slots,
    .climb = chunked_climb,
    .mark = level_mark_crd,
    .check = chunked_check,
    .block = chunked_block,
    .walker = &chunked_walker,
};
