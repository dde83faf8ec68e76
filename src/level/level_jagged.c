/* Jagged levels: the first children of all parents, then the second ones, and so on, without padding. The
 * parents must have falling numbers of children, as below a permuted level. Child k of parent p is at
 * pos[k] + p, where pos[k + 1] - pos[k] is the number of parents with more than k children; crd holds the
 * coordinates, which rise with k under each parent. pitch is the number of slots. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* pos[k] for the numbers of parents with more than k children; count[p]: children of parent p. */
static tsr_status place_slots(tsr_level *level, const uint64_t *count, const tsr_level_room *room, int index,
                              tsr_error *err)
{
    const uint64_t nparents = level->nparents, longest = nparents ? count[0] : 0;
    for (uint64_t p = 1; p < nparents; p++)
        if (count[p] > count[p - 1])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d (jagged): parent %" PRIu64 " has %" PRIu64
                            " children and parent %" PRIu64 " has %" PRIu64
                            ", but their number must not rise: put a level of type permuted above",
                            index, p - 1, count[p - 1], p, count[p]);
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_POS, longest + 1, level->npos, LEVEL_UNDEFINED}, room,
                       index, err));
    uint64_t at = 0, rows = nparents;
    for (uint64_t k = 0; k < longest; k++) {
        tsr_array_set(&level->pos, k, at);
        while (rows > 0 && count[rows - 1] <= k)
            rows--;
        at += rows;
    }
    tsr_array_set(&level->pos, longest, at);
    level->pitch = longest;
    return TSR_OK;
}

static tsr_status fill(tsr_level *level, tsr_level_entries *e, uint64_t *count, int index, tsr_error *err)
{
    uint64_t parent = 0, k = 0;
    level->npos = 0;
    for (uint64_t i = 0; i < e->n; i++) {
        const bool opens = i == 0 || e->position[i] != e->position[i - 1] || level_opens(e, i);
        count[e->position[i]] += opens;
        level->npos += opens;
    }
    TSR_TRY(place_slots(level, count, &e->room, index, err));
    TSR_TRY(level_make(
        level, (level_want){TSR_LEVEL_CRD, level->npos, level->size ? level->size - 1 : 0, LEVEL_UNDEFINED},
        &e->room, index, err));
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i];
        k = i > 0 && p == parent ? k + level_opens(e, i) : 0;
        parent = p;
        e->position[i] = tsr_array_get(&level->pos, k) + p;
        tsr_array_set(&level->crd, e->position[i], e->coord[i]);
    }
    return TSR_OK;
}

static tsr_status jagged_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t *count;
    TSR_TRY(level_scratch(&count, level->nparents, true, &e->room, err));
    const tsr_status status = fill(level, e, count, index, err);
    tsr_free(count);
    return status;
}

static void jagged_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->crd, position, n);
    for (size_t i = 0; i < n; i++)
        position[i] -= tsr_array_get(&level->pos, level_find(&level->pos, position[i]));
}

/* TSR_CORRUPT where slot k, below slot k - 1, is not well-formed. */
static tsr_status check_slot(const tsr_level *level, uint64_t k, int index, tsr_error *err)
{
    const uint64_t at = tsr_array_get(&level->pos, k), n = tsr_array_get(&level->pos, k + 1) - at;
    const uint64_t above = k > 0 ? tsr_array_get(&level->pos, k - 1) : 0,
                   most = k > 0 ? at - above : level->nparents;
    if (n > most)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: slot %" PRIu64 " has %" PRIu64 " positions, but at most %" PRIu64
                        " are possible",
                        index, k, n, most);
    for (uint64_t p = 0; k > 0 && p < n; p++)
        if (tsr_array_get(&level->crd, above + p) >= tsr_array_get(&level->crd, at + p))
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64 " follows %" PRIu64
                            " under the same parent %" PRIu64 ", but must be larger",
                            index, tsr_array_get(&level->crd, at + p), at + p,
                            tsr_array_get(&level->crd, above + p), p);
    return TSR_OK;
}

static tsr_status jagged_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    TSR_TRY(level_check_crd(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_POS, level->pitch + 1, index, err));
    TSR_TRY(level_check_rising(level, TSR_LEVEL_POS, level->npos, index, err));
    for (uint64_t k = 0; k + 1 < level->pos.n; k++)
        TSR_TRY(check_slot(level, k, index, err));
    return TSR_OK;
}

/* Minus the number of parents with more than q children, which does not fall with q. */
static const tsr_ir_expr *fewer(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const tsr_ir_array *pos = arg;
    const tsr_ir_expr *next = tsr_ir_load_index(ir, pos, tsr_ir_add(ir, q, tsr_ir_index(ir, 1)));
    return tsr_ir_sub(ir, tsr_ir_load_index(ir, pos, q), next);
}

static const tsr_ir_expr *jagged_place(const tsr_level_walk *walk, const tsr_ir_expr *q)
{
    return tsr_ir_add(walk->ir, tsr_ir_load_index(walk->ir, walk->array[TSR_LEVEL_POS], q), walk->parent);
}

/* Parent p has as many children as there are slots with more than p positions. */
static tsr_ir_range jagged_slots(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const zero = tsr_ir_index(ir, 0);
    char name[TSR_LEVEL_NAME_NBYTES];
    union {
        const tsr_ir_array *in;
        void *out;
    } arg = {.in = walk->array[TSR_LEVEL_POS]};
    return (tsr_ir_range){zero, tsr_ir_search(ir, tsr_level_part_name(name, walk, "end"),
                                              (tsr_ir_range){zero, walk->pitch},
                                              tsr_ir_sub(ir, zero, walk->parent), fewer, arg.out)};
}

static void jagged_open(tsr_level_walk *walk)
{
    char name[TSR_LEVEL_NAME_NBYTES];
    const tsr_ir_range in = jagged_slots(walk);
    const tsr_ir_expr *slot =
        tsr_ir_for(walk->ir, tsr_level_part_name(name, walk, "slot"), in.lo, in.hi, walk->marks);
    walk->position = tsr_ir_declare(walk->ir, walk->pos_name, jagged_place(walk, slot), false);
    tsr_level_load_crd(walk);
    walk->nblocks = 1;
}

static void jagged_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_level_find_among(walk, jagged_slots(walk), coordinate, jagged_place);
}

static bool jagged_settle(tsr_level *level, const int64_t *numbers)
{
    (void)numbers;
    level->pitch = level->pos.n > 0 ? level->pos.n - 1 : 0;
    return true;
}

static const tsr_level_walker jagged_walker = {.open = jagged_open, .find = jagged_find};

const tsr_level_type tsr_level_jagged = {
    .name = "jagged",
    .rule = "first children of all parents, second children..., without padding",
    .is_ordered = true,
    .is_compact = true,
    .is_partial = true,
    .arrays =
        {{.name = "pos", .role = TSR_LEVEL_POS, .length = TSR_OWN_LENGTH, .content = TSR_HOLDS_POSITIONS},
         {.name = "crd",
          .role = TSR_LEVEL_CRD,
          .length = TSR_PER_POSITION,
          .content = TSR_HOLDS_COORDINATES}},
    .npos = level_depends,
    .assemble = jagged_assemble,
    .climb = jagged_climb,
    .set_numbers = jagged_settle,
    .check = jagged_check,
    .walker = &jagged_walker,
};
