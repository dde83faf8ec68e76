/* Windows: the coordinates from the smallest to the largest one of the tensor, under every parent, dense between
 * them. position = parent * pitch + coordinate - low. The window contains result 0 of the map, so that with i - j
 * below dense columns this is LAPACK's band with kl diagonals below the main one and ku above it. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* The coordinate of result 0 of the map. */
static uint64_t zero_of(const tsr_level *level)
{
    const uint64_t zero = level->base < 0 ? (uint64_t)-level->base : 0;
    return zero < level->size ? zero : 0;
}

static tsr_status window_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t low = zero_of(level), high = low;
    for (uint64_t i = 0; i < e->n; i++) {
        low = e->coord[i] < low ? e->coord[i] : low;
        high = e->coord[i] > high ? e->coord[i] : high;
    }
    level->low = low;
    TSR_TRY(level_set_uniform(level, level->size ? high - low + 1 : 0, index, err));
    for (uint64_t i = 0; i < e->n; i++)
        e->position[i] = e->position[i] * level->pitch + e->coord[i] - low;
    return TSR_OK;
}

static tsr_status window_from_counts(tsr_level *level, uint32_t *place, const uint32_t *count,
                                     const tsr_level_room *room, int index, tsr_error *err)
{
    const uint64_t zero = zero_of(level);
    uint64_t low = 0, high = level->size;
    (void)room;
    while (low < zero && count[low] == 0)
        low++;
    while (high > zero + 1 && count[high - 1] == 0)
        high--;
    level->low = low;
    TSR_TRY(level_set_uniform(level, high - low, index, err));
    for (uint64_t c = low; c < high; c++)
        place[c] = (uint32_t)(c - low);
    return TSR_OK;
}

static void window_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        coord[i] = level->low + position[i] % level->pitch;
        position[i] /= level->pitch;
    }
}

static tsr_status window_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    if (level->low > level->size || level->pitch > level->size - level->low)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: a window of %" PRIu64 " coordinates from %" PRIu64
                        " on is not within [0, %" PRIu64 ")",
                        index, level->pitch, level->low, level->size);
    return level_check_uniform(level, index, err);
}

/* The largest result of the map in the window, and minus the smallest one. */
static int64_t get_kl(const tsr_level *level)
{
    return level->pitch ? (int64_t)(level->low + level->pitch - 1) + level->base : 0;
}

static int64_t get_ku(const tsr_level *level)
{
    return level->pitch ? -((int64_t)level->low + level->base) : 0;
}

static bool set_window(tsr_level *level, const int64_t *numbers)
{
    const int64_t kl = numbers[0], ku = numbers[1], size = (int64_t)level->size;
    if (size > INT64_MAX / 4 || kl < -size || kl > size || ku < -size || ku > size)
        return false;
    const int64_t low = -ku - level->base, pitch = kl + ku + 1;
    if (low < 0 || pitch < 0)
        return false;
    level->low = level->size ? (uint64_t)low : 0; /* without coordinates there is no window in them */
    level->pitch = level->size ? (uint64_t)pitch : 0;
    return true;
}

static void window_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *begin = tsr_level_begin_uniform(walk, walk->parent);
    const tsr_ir_expr *shift = tsr_level_name(walk, "shift", tsr_ir_sub(ir, begin, walk->low));
    const tsr_ir_expr *lo = walk->low, *hi = tsr_ir_add(ir, walk->low, walk->pitch);
    if (walk->lo)
        lo = tsr_ir_op2(ir, TSR_IR_MAX, lo, tsr_ir_sub(ir, walk->lo, shift));
    if (walk->hi)
        hi = tsr_ir_op2(ir, TSR_IR_MIN, hi, tsr_ir_sub(ir, walk->hi, shift));
    if (walk->crd_lo)
        lo = tsr_ir_op2(ir, TSR_IR_MAX, lo, walk->crd_lo);
    if (walk->crd_hi)
        hi = tsr_ir_op2(ir, TSR_IR_MIN, hi, walk->crd_hi);
    walk->coordinate = tsr_ir_for(ir, walk->crd_name, lo, hi, walk->marks);
    walk->position = tsr_ir_declare(ir, walk->pos_name, tsr_ir_add(ir, shift, walk->coordinate), false);
    walk->nblocks = 1;
}

static void window_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const place = tsr_level_name(walk, "place", tsr_ir_sub(ir, coordinate, walk->low));
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_AND, tsr_ir_op2(ir, TSR_IR_LE, tsr_ir_index(ir, 0), place),
                             tsr_ir_op2(ir, TSR_IR_LT, place, walk->pitch)));
    walk->nblocks++;
    walk->position = tsr_ir_add(ir, tsr_level_begin_uniform(walk, walk->parent), place);
}

static const tsr_level_walker window_walker = {
    .open = window_open, .find = window_find, .begin = tsr_level_begin_uniform};

const tsr_level_type tsr_level_window = {
    .name = "window",
    .rule = "all coordinates from the smallest to the largest of the tensor",
    .is_interval = true,
    .is_ordered = true,
    .is_grouped = true,
    .is_uniform = true,
    .by_value = true,
    .is_locatable = true,
    .numbers = {{"kl", get_kl}, {"ku", get_ku}},
    .npos = level_depends,
    .assemble = window_assemble,
    .assemble_counts = window_from_counts,
    .climb = window_climb,
    .set_numbers = set_window,
    .check = window_check,
    .walker = &window_walker,
};
