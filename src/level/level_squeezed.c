/* Squeezed levels: the coordinates that occur anywhere in the tensor, under every parent. offset lists them in
 * rising order; position = parent * count + the coordinate's place in the list. With the coordinate j - i these
 * are the diagonals of a matrix. */
#include <inttypes.h>
#include <stdlib.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* list[0..returned): the coordinates that occur, rising. mark: `size` bytes of 0. */
static uint64_t collect_marked(uint64_t *list, uint8_t *mark, const tsr_level *level,
                               const tsr_level_entries *e)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < e->n; i++)
        mark[e->coord[i]] = 1;
    for (uint64_t c = 0; c < level->size; c++)
        if (mark[c])
            list[n++] = c;
    return n;
}

static uint64_t collect_sorted(uint64_t *list, const tsr_level_entries *e)
{
    uint64_t n = 0;
    memcpy(list, e->coord, e->n * sizeof *list);
    qsort(list, e->n, sizeof *list, level_compare_coordinates);
    for (uint64_t i = 0; i < e->n; i++)
        if (n == 0 || list[n - 1] != list[i])
            list[n++] = list[i];
    return n;
}

/* The place of c in crd, where c occurs. */
static uint64_t place_of(const tsr_array *crd, uint64_t c)
{
    uint64_t lo = 0, hi = crd->n;
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (tsr_array_get(crd, mid) <= c)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Set the positions. A small list is searched once per run of equal coordinates. */
static void set_positions(const tsr_level *level, tsr_level_entries *e)
{
    uint64_t place = 0, last = UINT64_MAX;
    for (uint64_t i = 0; i < e->n; i++) {
        if (e->coord[i] != last)
            place = place_of(&level->crd, last = e->coord[i]);
        e->position[i] = e->position[i] * level->pitch + place;
    }
}

static tsr_status squeezed_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t *list = NULL, n;
    void *mark = NULL;
    tsr_status status = TSR_OK;
    const bool marks = level->size / 8 <= e->n;
    TSR_TRY(level_scratch(&list, e->n, false, &e->room, err));
    if (marks)
        TSR_TRY_OUT(tsr_alloc_array(&mark, level->size, 1, 1, "packing", err));
    n = marks ? collect_marked(list, mark, level, e) : collect_sorted(list, e);
    TSR_TRY_OUT(level_set_uniform(level, n, index, err));
    TSR_TRY_OUT(level_make(level,
                           (level_want){TSR_LEVEL_CRD, n, level->size ? level->size - 1 : 0, LEVEL_UNDEFINED},
                           &e->room, index, err));
    tsr_array_store(&level->crd, 0, list, n);
    set_positions(level, e);
out:
    tsr_free(list);
    tsr_free(mark);
    return status;
}

static tsr_status squeezed_from_counts(tsr_level *level, uint32_t *place, const uint32_t *count,
                                       const tsr_level_room *room, int index, tsr_error *err)
{
    uint32_t n = 0;
    for (uint64_t c = 0; c < level->size; c++)
        if (count[c])
            place[c] = n++;
    TSR_TRY(level_set_uniform(level, n, index, err));
    TSR_TRY(level_make(level,
                       (level_want){TSR_LEVEL_CRD, n, level->size ? level->size - 1 : 0, LEVEL_UNDEFINED},
                       room, index, err));
    for (uint64_t c = 0; c < level->size; c++)
        if (count[c])
            tsr_array_set(&level->crd, place[c], c);
    return TSR_OK;
}

static void squeezed_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        coord[i] = tsr_array_get(&level->crd, position[i] % level->pitch);
        position[i] /= level->pitch;
    }
}

static tsr_status squeezed_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    TSR_TRY(level_check_uniform(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_CRD, level->pitch, index, err));
    for (uint64_t k = 0; k < level->pitch; k++) {
        const uint64_t c = tsr_array_get(&level->crd, k);
        if (c >= level->size || (k > 0 && c <= tsr_array_get(&level->crd, k - 1)))
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: offset[%" PRIu64 "] is coordinate %" PRIu64
                            ", but offsets rise strictly within [0, %" PRIu64 ")",
                            index, k, c, level->size);
    }
    return TSR_OK;
}

static bool squeezed_settle(tsr_level *level, const int64_t *numbers)
{
    (void)numbers;
    level->pitch = level->crd.n;
    return true;
}

static void squeezed_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    char name[TSR_LEVEL_NAME_NBYTES];
    const bool is_root = walk->parent && walk->parent->op == TSR_IR_INDEX;
    const tsr_ir_expr *begin =
        is_root ? NULL : tsr_level_name(walk, "begin", tsr_level_begin_uniform(walk, walk->parent));
    const tsr_ir_expr *lo = walk->lo ? walk->lo : tsr_ir_index(ir, 0),
                      *hi = walk->hi ? walk->hi : walk->pitch;
    if (begin && walk->lo)
        lo = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_sub(ir, lo, begin), tsr_ir_index(ir, 0));
    if (begin && walk->hi)
        hi = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_sub(ir, hi, begin), walk->pitch);
    const tsr_ir_expr *k = tsr_ir_for(ir, is_root ? walk->pos_name : tsr_level_part_name(name, walk, "place"),
                                      lo, hi, walk->marks);
    walk->position = begin ? tsr_ir_declare(ir, walk->pos_name, tsr_ir_add(ir, begin, k), false) : k;
    walk->coordinate =
        tsr_ir_declare(ir, walk->crd_name, tsr_ir_load_index(ir, walk->array[TSR_LEVEL_CRD], k), false);
    walk->nblocks = 1;
}

static void squeezed_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *const begin = tsr_level_begin_uniform(walk, walk->parent);
    tsr_level_find_among(walk, (tsr_ir_range){tsr_ir_index(walk->ir, 0), walk->pitch}, coordinate, NULL);
    walk->position = tsr_ir_add(walk->ir, begin, walk->position);
}

static const tsr_level_walker squeezed_walker = {
    .open = squeezed_open, .find = squeezed_find, .begin = tsr_level_begin_uniform};

const tsr_level_type tsr_level_squeezed = {
    .name = "squeezed",
    .rule = "the coordinates that occur anywhere, under every parent",
    .is_ordered = true,
    .is_grouped = true,
    .is_uniform = true,
    .is_splittable = true,
    .by_value = true,
    .arrays = {{.name = "offset",
                .role = TSR_LEVEL_CRD,
                .length = TSR_OWN_LENGTH,
                .content = TSR_HOLDS_COORDINATES,
                .is_signed = true}},
    .npos = level_depends,
    .assemble = squeezed_assemble,
    .assemble_counts = squeezed_from_counts,
    .climb = squeezed_climb,
    .set_numbers = squeezed_settle,
    .check = squeezed_check,
    .walker = &squeezed_walker,
};
