/* Slots: K positions for every parent, K being the largest number of children of a parent. crd holds the
 * coordinates in rising order, followed by padding, where all bits are set.
 *
 *   sliced   slot k of parent p is at p * K + k: below dense rows, ELLPACK row by row
 *   strided  slot k of parent p is at k * nparents + p: ELLPACK slot by slot */
#include "level_internal.h"
#include "tsr_level_walk.h"

enum { BLOWN_NBYTES = 1 << 26 };

/* The number of entries, and of the children of the parent that has the most. */
typedef struct slot_counts {
    uint64_t n, longest, parent;
} slot_counts;

/* TSR_LIMIT where one long parent makes arrays that are mostly padding. */
static tsr_status check_blow_up(const tsr_level *level, const slot_counts *counts, tsr_error *err)
{
    const double cells = (double)level->nparents * (double)counts->longest;
    if (cells <= 10 * (double)counts->n + (double)level->nparents || cells * 4 < BLOWN_NBYTES)
        return TSR_OK;
    return tsr_fail(err, TSR_LIMIT,
                    "%s would need %.0f positions for %llu entries, since parent %llu has %llu children: use "
                    "sell, jad or csr",
                    level->type->name, cells, (unsigned long long)counts->n,
                    (unsigned long long)counts->parent, (unsigned long long)counts->longest);
}

/* Make the arrays; crd is as `init` says. */
static tsr_status make_slots(tsr_level *level, const slot_counts *counts, level_init init,
                             const tsr_level_room *room, int index, tsr_error *err)
{
    TSR_TRY(check_blow_up(level, counts, err));
    TSR_TRY(level_set_uniform(level, counts->longest, index, err));
    return level_make(level, (level_want){TSR_LEVEL_CRD, level->npos, level->size, init}, room, index, err);
}

/* Make the arrays and store the entries; slot k of parent p is at p * each + k * step. step 0: nparents. */
static tsr_status fill_slots(tsr_level *level, tsr_level_entries *e, bool by_slot, int index, tsr_error *err)
{
    uint64_t parent = 0, slot = 0;
    const uint64_t longest = level_longest(e, &parent);
    const slot_counts counts = {e->n, longest, parent};
    TSR_TRY(make_slots(level, &counts, LEVEL_PADDING, &e->room, index, err));
    const uint64_t each = by_slot ? 1 : longest, step = by_slot ? level->nparents : 1;
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i];
        slot = i > 0 && p == parent ? slot + level_opens(e, i) : 0;
        parent = p;
        e->position[i] = p * each + slot * step;
        tsr_array_set(&level->crd, e->position[i], e->coord[i]);
    }
    return TSR_OK;
}

static tsr_status slots_from_counts(tsr_level *level, const uint32_t *count, const tsr_level_room *room,
                                    int index, tsr_error *err)
{
    slot_counts counts = {0};
    for (uint64_t p = 0; p < level->nparents; p++) {
        counts.n += count[p];
        if (count[p] > counts.longest) {
            counts.longest = count[p];
            counts.parent = p;
        }
    }
    return make_slots(level, &counts, LEVEL_UNDEFINED, room, index, err);
}

static uint64_t sliced_slots(const tsr_level *level, uint64_t *parent, size_t n)
{
    for (size_t i = 0; i < n; i++)
        parent[i] *= level->pitch;
    return 1;
}

static uint64_t strided_slots(const tsr_level *level, uint64_t *parent, size_t n)
{
    (void)parent; /* its first slot is at its own number */
    (void)n;
    return level->nparents;
}

static tsr_status sliced_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return fill_slots(level, e, false, index, err);
}

static tsr_status strided_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return fill_slots(level, e, true, index, err);
}

static void sliced_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->crd, position, n);
    level_widen_padding(coord, &level->crd, n);
    for (size_t i = 0; i < n; i++)
        position[i] /= level->pitch;
}

static void strided_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->crd, position, n);
    level_widen_padding(coord, &level->crd, n);
    for (size_t i = 0; i < n; i++)
        position[i] %= level->nparents;
}

static uint64_t sliced_place(const tsr_level *level, uint64_t parent, uint64_t k)
{
    return parent * level->pitch + k;
}

static uint64_t strided_place(const tsr_level *level, uint64_t parent, uint64_t k)
{
    return k * level->nparents + parent;
}

static tsr_status check(const tsr_level *level, level_place place, int index, tsr_error *err)
{
    TSR_TRY(level_check_uniform(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_CRD, level->npos, index, err));
    for (uint64_t p = 0; level->pitch > 0 && p < level->nparents; p++)
        TSR_TRY(level_check_padded(level, p, level->pitch, place, index, err));
    return TSR_OK;
}

static tsr_status sliced_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    return check(level, sliced_place, index, err);
}

static tsr_status strided_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    return check(level, strided_place, index, err);
}

static int64_t get_slots(const tsr_level *level)
{
    return (int64_t)level->pitch;
}

static bool set_slots(tsr_level *level, const int64_t *numbers)
{
    level->pitch = (uint64_t)numbers[0];
    return numbers[0] >= 0;
}

static void sliced_open(tsr_level_walk *walk)
{
    tsr_level_for_uniform(walk);
    walk->nblocks = 1;
    tsr_level_skip_padding(walk);
}

static void sliced_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    walk->has_padding = true;
    tsr_level_find_in_uniform(walk, coordinate);
}

static void strided_open(tsr_level_walk *walk)
{
    walk->position = tsr_ir_declare(walk->ir, walk->pos_name, tsr_level_for_slots(walk, walk->pitch), false);
    tsr_level_skip_padding(walk);
}

static void strided_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    walk->has_padding = true;
    tsr_level_find_among(walk, (tsr_ir_range){tsr_ir_index(walk->ir, 0), walk->pitch}, coordinate,
                         tsr_level_slot);
}

enum { STRIDED_BLOCK = 32 };

static uint64_t strided_block(uint64_t param)
{
    (void)param;
    return STRIDED_BLOCK;
}

static void strided_open_block(tsr_level_walk *walk)
{
    walk->position = tsr_level_name(walk, "first", tsr_level_for_slots(walk, walk->pitch));
}

static const tsr_level_walker sliced_walker = {.open = sliced_open,
                                               .find = sliced_find,
                                               .begin = tsr_level_begin_uniform},
                              strided_walker = {.open = strided_open,
                                                .find = strided_find,
                                                .open_block = strided_open_block};

#define SLOT_PROPERTIES                                                                                    \
    .is_ordered = true, .is_uniform = true, .is_padded = true, .numbers = {{"K", get_slots}},              \
    .arrays =                                                                                              \
        {{.name = "crd", .role = TSR_LEVEL_CRD, .length = TSR_PER_POSITION, .content = TSR_HOLDS_MARKED}}, \
    .npos = level_depends, .assemble_slots = slots_from_counts, .mark = level_mark_crd,                    \
    .set_numbers = set_slots

const tsr_level_type tsr_level_sliced = {
    SLOT_PROPERTIES,
    .name = "sliced",
    .rule = "K slots for each parent, parent by parent",
    .is_grouped = true,
    .assemble = sliced_assemble,
    .slots = sliced_slots,
    .climb = sliced_climb,
    .check = sliced_check,
    .walker = &sliced_walker,
};

const tsr_level_type tsr_level_strided = {
    SLOT_PROPERTIES,
    .name = "strided",
    .rule = "K slots for each parent, slot by slot",
    .assemble = strided_assemble,
    .slots = strided_slots,
    .climb = strided_climb,
    .check = strided_check,
    .block = strided_block,
    .walker = &strided_walker,
};
