/* Compressed levels: the children of parent p are the positions pos[p] .. pos[p+1]-1, each with its
 * coordinate in crd.
 *
 * Unordered levels are the same, but the coordinates under a parent may stand in any order; none of them repeats. They
 * are packed in order, and tensors that kernels or other programs made keep the order that they have. */
#include "tsr_level.h"

#include <inttypes.h>
#include <stdlib.h>

#include "level_internal.h"
#include "tsr_alloc.h"
#include "tsr_clones.h"
#include "tsr_level_walk.h"

static uint64_t compressed_count(const tsr_level_block *block)
{
    uint64_t count = 0;
    for (size_t i = 0; i < block->n; i++)
        count += block->lead[i] <= block->cut;
    return count;
}

#define CLOSE(ctype)                             \
    do {                                         \
        ctype *restrict p = (ctype *)pos->data;  \
        for (uint64_t i = first; i <= last; i++) \
            p[i] = (ctype)value;                 \
    } while (0)

/* pos[first..last] = value. */
static void close_parents(tsr_array *pos, uint64_t first, uint64_t last, uint64_t value)
{
    switch (pos->width) {
    case 1:
        CLOSE(uint8_t);
        break;
    case 2:
        CLOSE(uint16_t);
        break;
    case 4:
        CLOSE(uint32_t);
        break;
    default:
        CLOSE(uint64_t);
        break;
    }
}

/* Entry i opens the next position if lead <= cut. Its coordinate is stored in either case, since a processor does not guess
 * which entries do. */
#define OPEN(i)                          \
    do {                                 \
        opened[npos - first] = coord[i]; \
        npos += lead[i] <= cut;          \
        position[i] = npos - 1;          \
    } while (0)

/* The loops over entries for one width of pos: those of the parent `closed`, whose pos was written before, and the others. The
 * children of the parents after `closed` that have none begin where those of the entry's parent do. The same pos is written
 * again with each entry of a parent. */
#define FILL(ctype)                                     \
    do {                                                \
        ctype *restrict pos = (ctype *)level->pos.data; \
        uint64_t begin = npos;                          \
        size_t i = 0;                                   \
        for (; i < n && position[i] <= closed; i++)     \
            OPEN(i);                                    \
        for (; i < n; i++) {                            \
            const uint64_t parent = position[i];        \
            begin = parent > closed ? npos : begin;     \
            for (; closed + 1 < parent; closed++)       \
                pos[closed + 1] = (ctype)begin;         \
            pos[parent] = (ctype)begin;                 \
            closed = parent;                            \
            OPEN(i);                                    \
        }                                               \
    } while (0)

TSR_CLONES static size_t compressed_fill(tsr_level *level, tsr_level_cursor *cursor, tsr_level_block *block)
{
    uint64_t opened[TSR_LEVEL_BLOCK]; /* coordinates of the new positions */
    uint64_t *restrict position = block->position;
    const uint64_t *restrict coord = block->coord;
    const uint8_t *restrict lead = block->lead;
    const uint8_t cut = block->cut;
    const size_t n = block->n;
    const uint64_t first = cursor->npos;
    uint64_t npos = first, closed = cursor->nparents;
    switch (level->pos.width) {
    case 1:
        FILL(uint8_t);
        break;
    case 2:
        FILL(uint16_t);
        break;
    case 4:
        FILL(uint32_t);
        break;
    default:
        FILL(uint64_t);
        break;
    }
    tsr_array_store(&level->crd, first, opened, npos - first);
    cursor->npos = npos;
    cursor->nparents = closed;
    return n;
}

static void compressed_finish(tsr_level *level, tsr_level_cursor *cursor)
{
    close_parents(&level->pos, cursor->nparents + 1, level->nparents, cursor->npos);
    cursor->nparents = level->nparents;
}

/* Parents without children are passed in steps. */
enum { MANY_PARENTS = 8 };

#define CLIMB(ctype)                                                                                     \
    do {                                                                                                 \
        const ctype *restrict pos = (ctype *)level->pos.data;                                            \
        for (size_t i = 0; i < n; i++) {                                                                 \
            while (parent + MANY_PARENTS < level->nparents && pos[parent + MANY_PARENTS] <= position[i]) \
                parent += MANY_PARENTS;                                                                  \
            while (pos[parent + 1] <= position[i])                                                       \
                parent++;                                                                                \
            position[i] = parent;                                                                        \
        }                                                                                                \
    } while (0)

/* Whether the positions never fall. They do where a level below stores its children in another order. */
static bool never_falls(const uint64_t *position, size_t n)
{
    unsigned falls = 0;
    for (size_t i = 1; i < n; i++)
        falls |= position[i] < position[i - 1];
    return !falls;
}

static void compressed_climb(const tsr_level *level, uint64_t *restrict position, uint64_t *restrict coord,
                             size_t n)
{
    if (n == 0)
        return;
    level_gather(coord, &level->crd, position, n);
    if (!never_falls(position, n)) {
        for (size_t i = 0; i < n; i++)
            position[i] = level_find(&level->pos, position[i]);
        return;
    }
    uint64_t parent = level_find(&level->pos, position[0]);
    switch (level->pos.width) {
    case 1:
        CLIMB(uint8_t);
        break;
    case 2:
        CLIMB(uint16_t);
        break;
    case 4:
        CLIMB(uint32_t);
        break;
    default:
        CLIMB(uint64_t);
        break;
    }
}

/* The parents [p, end) have positions from 1 on, each with one of the coordinates that stand. */
#define COUNT_FALLS(ctype, ptype)                                                  \
    do {                                                                           \
        const ctype *const x = level->crd.data;                                    \
        const ptype *const from = level->pos.data;                                 \
        for (uint64_t next; p + MANY_PARENTS <= end; p = next) {                   \
            next = p + MANY_PARENTS;                                               \
            for (; from[p] < from[next] && p < next; p++)                          \
                count += (from[p] < from[p + 1]) & (x[from[p]] <= x[from[p] - 1]); \
        }                                                                          \
        for (; p < end; p++)                                                       \
            count += (from[p] < from[p + 1]) & (x[from[p]] <= x[from[p] - 1]);     \
    } while (0)

/* Of the parents [p, end): those whose first coordinate does not exceed the one before, which is another parent's. */
static uint64_t falling_parents(const tsr_level *level, uint64_t p, uint64_t end)
{
    const tsr_array *const pos = &level->pos;
    uint64_t count = 0;
    while (p < end && tsr_array_get(pos, p) == 0)
        p++;
    if (pos->width == 4 && level->crd.width == 4)
        COUNT_FALLS(uint32_t, uint32_t);
    else if (pos->width == 8 && level->crd.width == 8)
        COUNT_FALLS(uint64_t, uint64_t);
    for (; p < end; p++) {
        const uint64_t at = tsr_array_get(pos, p);
        if (at < tsr_array_get(pos, p + 1))
            count += tsr_array_get(&level->crd, at) <= tsr_array_get(&level->crd, at - 1);
    }
    return count;
}

bool tsr_level_watch_begin(tsr_level_watch *watch, const tsr_level *level)
{
    *watch = (tsr_level_watch){.level = level};
    return level->type == &tsr_level_compressed && !level->nonunique &&
           level_check_pos(level, 0, NULL) == TSR_OK;
}

void tsr_level_watch_see(tsr_level_watch *watch, uint64_t n)
{
    enum { TILE = 1 << 16 }; /* the second look at coordinates finds them in the cache */
    const tsr_level *const level = watch->level;
    while (watch->seen < n) {
        const uint64_t first = watch->seen, end = n - first < TILE ? n : first + TILE;
        uint64_t max, nfalls;
        tsr_array_survey(&max, &nfalls, &level->crd, first > 0 ? first - 1 : 0, end);
        const uint64_t parent = tsr_array_seek(&level->pos, watch->parent, level->nparents, end);
        watch->nbad += max >= level->size;
        watch->nfalls += nfalls - falling_parents(level, watch->parent, parent);
        watch->parent = parent;
        watch->seen = end;
    }
}

bool tsr_level_watch_end(tsr_level_watch *watch)
{
    const tsr_array *const crd = &watch->level->crd;
    if (!crd->data || crd->n != watch->level->npos || level_check_width(crd, "crd", 0, NULL) != TSR_OK)
        return false;
    tsr_level_watch_see(watch, crd->n);
    return watch->nbad == 0 && watch->nfalls == 0;
}

/* TSR_CORRUPT unless coordinates under each parent rise strictly. pos was checked before. */
static tsr_status check_order(const tsr_level *level, int index, tsr_error *err)
{
    uint64_t block[TSR_LEVEL_BLOCK], before = 0, parent = 0;
    uint64_t end = level->nparents > 0 ? tsr_array_get(&level->pos, 1) : 0; /* of the parent's children */
    for (uint64_t i = 0; i < level->npos;) {
        const uint64_t n = level->npos - i < TSR_LEVEL_BLOCK ? level->npos - i : TSR_LEVEL_BLOCK;
        tsr_array_load(block, &level->crd, i, n);
        for (uint64_t k = 0; k < n; before = block[k++]) {
            bool opens = i + k == 0;
            while (end <= i + k) {
                end = tsr_array_get(&level->pos, ++parent + 1);
                opens = true;
            }
            if (!opens && block[k] <= before)
                return tsr_fail(err, TSR_CORRUPT,
                                "level %d: coordinate %" PRIu64 " at position %" PRIu64 " follows %" PRIu64
                                " under the same parent %" PRIu64 ", but must be larger",
                                index, block[k], i + k, before, parent);
        }
        i += n;
    }
    return TSR_OK;
}

/* TSR_CORRUPT if a coordinate repeats among the children [lo, hi) of a parent; row has room for their coordinates. */
static tsr_status check_distinct(const tsr_level *level, uint64_t lo, uint64_t hi, uint64_t *row, int index,
                                 tsr_error *err)
{
    const size_t n = (size_t)(hi - lo);
    bool rises = true;
    tsr_array_load(row, &level->crd, lo, n);
    for (size_t k = 1; k < n && rises; k++)
        rises = row[k - 1] < row[k];
    if (rises)
        return TSR_OK;
    qsort(row, n, sizeof *row, level_compare_coordinates);
    for (size_t k = 1; k < n; k++)
        if (row[k - 1] == row[k])
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " stands twice among the positions [%" PRIu64
                            ", %" PRIu64 ") of one parent",
                            index, row[k], lo, hi);
    return TSR_OK;
}

static tsr_status unordered_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    uint64_t longest = 0;
    (void)in_group;
    TSR_TRY(level_check_pos(level, index, err));
    TSR_TRY(level_check_crd(level, index, err));
    for (uint64_t p = 0; p < level->nparents; p++) {
        const uint64_t n = tsr_array_get(&level->pos, p + 1) - tsr_array_get(&level->pos, p);
        longest = n > longest ? n : longest;
    }
    void *row;
    TSR_TRY(tsr_alloc_array(&row, longest, sizeof(uint64_t), 0, "the children of a parent", err));
    tsr_status status = TSR_OK;
    for (uint64_t p = 0; p < level->nparents && status == TSR_OK; p++)
        status = check_distinct(level, tsr_array_get(&level->pos, p), tsr_array_get(&level->pos, p + 1), row,
                                index, err);
    tsr_free(row);
    return status;
}

static tsr_status compressed_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    tsr_level_watch watch;
    if (!in_group && tsr_level_watch_begin(&watch, level) && tsr_level_watch_end(&watch))
        return TSR_OK;
    TSR_TRY(level_check_pos(level, index, err));
    TSR_TRY(level_check_crd(level, index, err));
    return in_group || level->nonunique ? TSR_OK : check_order(level, index, err);
}

static void compressed_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const bool is_root = walk->parent && walk->parent->op == TSR_IR_INDEX;
    const tsr_ir_expr *lo = tsr_level_begin_pos(walk, walk->parent);
    const tsr_ir_expr *hi = tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, tsr_ir_index(ir, 1)));
    if (walk->lo)
        lo = is_root ? walk->lo : tsr_ir_op2(ir, TSR_IR_MAX, lo, walk->lo);
    if (walk->hi)
        hi = is_root ? walk->hi : tsr_ir_op2(ir, TSR_IR_MIN, hi, walk->hi);
    walk->position = tsr_ir_for(ir, walk->pos_name, lo, hi, walk->marks);
    tsr_level_load_crd(walk);
    walk->nblocks = 1;
}

static void compressed_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *const next = tsr_ir_add(walk->ir, walk->parent, tsr_ir_index(walk->ir, 1));
    const tsr_ir_range in = {tsr_level_begin_pos(walk, walk->parent), tsr_level_begin_pos(walk, next)};
    tsr_level_find_among(walk, in, coordinate, NULL);
}

static const tsr_ir_expr *next_position(const tsr_level_walk *walk, const tsr_ir_expr *q)
{
    return tsr_ir_add(walk->ir, q, tsr_ir_index(walk->ir, 1));
}

static void unordered_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *const first = tsr_level_name(walk, "begin", tsr_level_begin_pos(walk, walk->parent));
    const tsr_ir_expr *const end = tsr_level_begin_pos(walk, next_position(walk, walk->parent));
    tsr_level_find_by_steps(walk, first, tsr_ir_sub(walk->ir, end, first), coordinate, next_position);
}

static const tsr_level_walker compressed_walker = {.open = compressed_open,
                                                   .find = compressed_find,
                                                   .begin = tsr_level_begin_pos},
                              unordered_walker = {.open = compressed_open,
                                                  .find = unordered_find,
                                                  .begin = tsr_level_begin_pos};

/* What both types have: a list for each parent, in pos and crd. */
#define LISTS                                                                                               \
    .is_grouped = true, .is_compact = true, .can_append = true,                                             \
    .arrays = {{.name = "pos",                                                                              \
                .role = TSR_LEVEL_POS,                                                                      \
                .length = TSR_PER_PARENT_AND_ONE,                                                           \
                .content = TSR_HOLDS_POSITIONS},                                                            \
               {.name = "crd",                                                                              \
                .role = TSR_LEVEL_CRD,                                                                      \
                .length = TSR_PER_POSITION,                                                                 \
                .content = TSR_HOLDS_COORDINATES}},                                                         \
    .npos = level_depends, .count = compressed_count, .fill = compressed_fill, .finish = compressed_finish, \
    .climb = compressed_climb

const tsr_level_type tsr_level_compressed = {
    .name = "compressed",
    .letter = 's',
    .letter_nonunique = 'u',
    .alias = 'c',
    .rule = "a list of coordinates for each parent",
    .is_ordered = true,
    .can_be_nonunique = true,
    .check = compressed_check,
    .walker = &compressed_walker,
    LISTS,
};

const tsr_level_type tsr_level_unordered = {
    .name = "unordered",
    .rule = "a list of coordinates for each parent, in any order",
    .check = unordered_check,
    .walker = &unordered_walker,
    LISTS,
};
