/* Hashed levels: a table of W places for each parent, W being the least power of two that is at least twice the
 * largest number of children of a parent (1 where there are no entries). Coordinate c belongs at place
 * floor(c * 0x9E3779B97F4A7C15 mod 2^64 / 2^(64 - log2 W)), or at the first free place after it, counted around;
 * coordinates are inserted in rising order, so equal tensors have equal arrays. Place k of parent p is position
 * p * W + k; crd holds the coordinates, all bits set where a place is free. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_checked.h"
#include "tsr_level_walk.h"

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

static int log2_of(uint64_t power)
{
    int n = 0;
    while (power > 1) {
        power /= 2;
        n++;
    }
    return n;
}

static uint64_t home(uint64_t c, int nbits)
{
    return nbits ? c * GOLDEN >> (64 - nbits) : 0;
}

/* The position of c in the table of the parent, or that of the first free place; npos: the table is full. */
static uint64_t find(const tsr_level *level, uint64_t parent, uint64_t c, int nbits)
{
    const uint64_t w = level->pitch, first = parent * w;
    const uint64_t padding = UINT64_MAX >> (64 - 8 * level->crd.width);
    uint64_t k = home(c, nbits);
    for (uint64_t tried = 0; tried < w; tried++, k = (k + 1) % w) {
        const uint64_t at = tsr_array_get(&level->crd, first + k);
        if (at == c || at == padding)
            return first + k;
    }
    return level->npos;
}

static tsr_status hashed_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t parent, w = 1;
    const uint64_t longest = level_longest(e, &parent);
    while (w < 2 * longest)
        w *= 2;
    TSR_TRY(level_set_uniform(level, w, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_CRD, level->npos, level->size, LEVEL_PADDING}, &e->room,
                       index, err));
    const int nbits = log2_of(w);
    for (uint64_t i = 0; i < e->n; i++) {
        e->position[i] = find(level, e->position[i], e->coord[i], nbits);
        tsr_array_set(&level->crd, e->position[i], e->coord[i]);
    }
    return TSR_OK;
}

static void hashed_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->crd, position, n);
    level_widen_padding(coord, &level->crd, n);
    for (size_t i = 0; i < n; i++)
        position[i] /= level->pitch;
}

static tsr_status hashed_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    const uint64_t w = level->pitch;
    (void)in_group;
    if (w == 0 || (w & (w - 1)) != 0)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: tables of %" PRIu64 " places, but W must be a power of two", index, w);
    TSR_TRY(level_check_uniform(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_CRD, level->npos, index, err));
    const int nbits = log2_of(w);
    for (uint64_t p = 0; p < level->npos; p++) {
        uint8_t stored;
        level_mark_crd(level, &stored, p, 1);
        const uint64_t c = tsr_array_get(&level->crd, p);
        if (!stored)
            continue;
        if (c >= level->size)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64 " is outside [0, %" PRIu64
                            ")",
                            index, c, p, level->size);
        if (find(level, p / w, c, nbits) != p)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64
                            " is not where a search for it leads",
                            index, c, p);
    }
    return TSR_OK;
}

static int64_t get_places(const tsr_level *level)
{
    return (int64_t)level->pitch;
}

static bool set_places(tsr_level *level, const int64_t *numbers)
{
    level->pitch = (uint64_t)numbers[0];
    return numbers[0] > 0;
}

static void hashed_open(tsr_level_walk *walk)
{
    tsr_level_for_uniform(walk);
    walk->nblocks = 1;
    tsr_level_skip_padding(walk);
}

static const tsr_ir_expr *next_place(const tsr_level_walk *walk, const tsr_ir_expr *q)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const begin = tsr_level_begin_uniform(walk, walk->parent);
    const tsr_ir_expr *const next = tsr_ir_add(ir, tsr_ir_sub(ir, q, begin), tsr_ir_index(ir, 1));
    return tsr_ir_add(ir, begin, tsr_ir_op2(ir, TSR_IR_MOD, next, walk->pitch));
}

/* The home of a coordinate is its hash, of 62 bits, divided by 2^62 / W. */
static void hashed_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const golden = tsr_ir_index(ir, (int64_t)GOLDEN), *const most = tsr_ir_index(
                                                                             ir, INT64_C(1) << 62);
    const tsr_ir_expr *const home =
        tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_op2(ir, TSR_IR_MIX, coordinate, golden),
                   tsr_ir_op2(ir, TSR_IR_FLOORDIV, most, walk->pitch));
    walk->has_padding = true;
    tsr_level_find_by_steps(walk, tsr_ir_add(ir, tsr_level_begin_uniform(walk, walk->parent), home),
                            walk->pitch, coordinate, next_place);
}

static const tsr_level_walker hashed_walker = {
    .open = hashed_open, .find = hashed_find, .begin = tsr_level_begin_uniform};

const tsr_level_type tsr_level_hashed = {
    .name = "hashed",
    .rule = "a hash table for each parent",
    .is_grouped = true,
    .is_uniform = true,
    .is_padded = true,
    .is_locatable = true,
    .can_insert = true,
    .arrays =
        {{.name = "crd", .role = TSR_LEVEL_CRD, .length = TSR_PER_POSITION, .content = TSR_HOLDS_MARKED}},
    .numbers = {{"W", get_places}},
    .npos = level_depends,
    .assemble = hashed_assemble,
    .climb = hashed_climb,
    .mark = level_mark_crd,
    .set_numbers = set_places,
    .check = hashed_check,
    .walker = &hashed_walker,
};
