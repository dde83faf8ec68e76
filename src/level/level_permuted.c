/* Permuted levels: every coordinate has a place under each parent, and coordinates with more entries come
 * first. permuted(S) sorts each S neighbouring coordinates, permuted all of them; coordinates with equally many
 * entries keep their order. perm[p] is the coordinate at position p = parent * size + place. Above a chunked or
 * jagged level this is the row order of SELL-C-sigma and of jagged diagonals. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* Sort place[0..n), coordinates, by falling count, stably: merging runs of growing length. */
static void sort_window(uint64_t *place, uint64_t *spare, const uint64_t *count, uint64_t n)
{
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t first = 0; first < n; first += 2 * run) {
            const uint64_t mid = n - first < run ? n : first + run,
                           end = n - first < 2 * run ? n : first + 2 * run;
            uint64_t a = first, b = mid;
            for (uint64_t k = first; k < end; k++)
                spare[k] =
                    b == end || (a < mid && count[place[a]] >= count[place[b]]) ? place[a++] : place[b++];
        }
        memcpy(place, spare, n * sizeof *place);
    }
}

/* perm, and count[c] = the place of c, for the entries [first, end) of one parent. */
static void permute(tsr_level *level, const tsr_level_entries *e, uint64_t first, uint64_t end,
                    uint64_t parent, uint64_t *const memory[3])
{
    const uint64_t size = level->size, window = level->param ? level->param : size;
    uint64_t *count = memory[0], *place = memory[1];
    memset(count, 0, size * sizeof *count);
    for (uint64_t i = first; i < end; i++)
        count[e->coord[i]]++;
    for (uint64_t c = 0; c < size; c++)
        place[c] = c;
    for (uint64_t c = 0; c < size; c += window) {
        const uint64_t n = size - c < window ? size - c : window;
        sort_window(place + c, memory[2], count, n);
        if (n < window)
            break;
    }
    tsr_array_store(&level->perm, parent * size, place, size);
    for (uint64_t k = 0; k < size; k++)
        count[place[k]] = k;
}

static tsr_status permuted_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t *memory[3] = {NULL}, next = 0;
    tsr_status status = TSR_OK;
    TSR_TRY(level_set_uniform(level, level->size, index, err));
    TSR_TRY(level_make(
        level, (level_want){TSR_LEVEL_PERM, level->npos, level->size ? level->size - 1 : 0, LEVEL_UNDEFINED},
        &e->room, index, err));
    for (int k = 0; k < 3; k++)
        TSR_TRY_OUT(level_scratch(&memory[k], level->size, false, &e->room, err));
    for (uint64_t i = 0; i < e->n;) {
        const uint64_t parent = e->position[i], end = level_parent_end(e, i);
        permute(level, e, i, end, parent, memory);
        for (; i < end; i++)
            e->position[i] = parent * level->size + memory[0][e->coord[i]];
    }
    /* parents without entries keep the order of the coordinates */
    for (uint64_t c = 0; c < level->size; c++)
        memory[1][c] = c;
    for (uint64_t i = 0; level->nparents > 1 && next < level->nparents; next++) {
        while (i < e->n && e->position[i] / level->size < next)
            i++;
        if (i == e->n || e->position[i] / level->size != next)
            tsr_array_store(&level->perm, next * level->size, memory[1], level->size);
    }
    if (e->n == 0 && level->nparents == 1)
        tsr_array_store(&level->perm, 0, memory[1], level->size);
out:
    for (int k = 0; k < 3; k++)
        tsr_free(memory[k]);
    return status;
}

/* Sort the coordinates [first, first + n) by falling count, stably, into order[0..n): one counting sort. ends: a
 * place for each count up to the largest one. */
static void order_window(uint32_t *order, const uint32_t *count, uint64_t first, uint64_t n, uint32_t *ends)
{
    uint32_t most = 0, at = 0;
    bool falls = true;
    for (uint64_t k = 0; k < n; k++) {
        most = count[first + k] > most ? count[first + k] : most;
        falls = falls && (k == 0 || count[first + k] <= count[first + k - 1]);
    }
    for (uint64_t k = 0; falls && k < n; k++)
        order[k] = (uint32_t)(first + k);
    if (falls)
        return;
    memset(ends, 0, ((size_t)most + 1) * sizeof *ends);
    for (uint64_t k = 0; k < n; k++)
        ends[count[first + k]]++;
    for (uint32_t c = most + 1; c-- > 0;) {
        const uint32_t m = ends[c];
        ends[c] = at;
        at += m;
    }
    for (uint64_t k = 0; k < n; k++)
        order[ends[count[first + k]]++] = (uint32_t)(first + k);
}

/* Whether counting sorts pay: their tables are not much longer than the windows together. */
static bool counts_are_small(uint64_t *most, const tsr_level *level, const uint32_t *count, uint64_t window)
{
    uint64_t sum = 0;
    *most = 0;
    for (uint64_t first = 0; first < level->size; first += window) {
        const uint64_t end = level->size - first < window ? level->size : first + window;
        uint64_t now = 0;
        for (uint64_t c = first; c < end; c++)
            now = count[c] > now ? count[c] : now;
        sum += now;
        *most = now > *most ? now : *most;
        if (end == level->size)
            break;
    }
    return sum <= 8 * level->size;
}

/* Sort each window by merging: order[0..size) from counts. */
static tsr_status order_by_merging(uint32_t *order, const tsr_level *level, const uint32_t *count,
                                   uint64_t window, const tsr_level_room *room, tsr_error *err)
{
    uint64_t *memory;
    const uint64_t size = level->size;
    TSR_TRY(level_scratch(&memory, 3 * size, false, room, err));
    uint64_t *place = memory, *spare = memory + size, *wide = memory + 2 * size;
    for (uint64_t c = 0; c < size; c++) {
        place[c] = c;
        wide[c] = count[c];
    }
    for (uint64_t c = 0, n; c < size; c += n) {
        n = size - c < window ? size - c : window;
        sort_window(place + c, spare, wide, n);
    }
    for (uint64_t c = 0; c < size; c++)
        order[c] = (uint32_t)place[c];
    tsr_free(memory);
    return TSR_OK;
}

static tsr_status order_by_counting(uint32_t *order, const tsr_level *level, const uint32_t *count,
                                    uint64_t window, uint64_t most, tsr_error *err)
{
    void *ends;
    TSR_TRY(tsr_alloc_array(&ends, most + 1, sizeof(uint32_t), 0, "packing", err));
    for (uint64_t c = 0, n; c < level->size; c += n) {
        n = level->size - c < window ? level->size - c : window;
        order_window(order + c, count, c, n, ends);
    }
    tsr_free(ends);
    return TSR_OK;
}

static tsr_status permuted_from_counts(tsr_level *level, uint32_t *place, const uint32_t *count,
                                       const tsr_level_room *room, int index, tsr_error *err)
{
    const uint64_t size = level->size, window = level->param ? level->param : size;
    uint64_t most, block[TSR_LEVEL_BLOCK];
    void *order;
    TSR_TRY(level_set_uniform(level, size, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_PERM, level->npos, size ? size - 1 : 0, LEVEL_UNDEFINED},
                       room, index, err));
    TSR_TRY(tsr_alloc_array(&order, size, sizeof(uint32_t), 0, "packing", err));
    const tsr_status status = counts_are_small(&most, level, count, window)
                                  ? order_by_counting(order, level, count, window, most, err)
                                  : order_by_merging(order, level, count, window, room, err);
    for (uint64_t k = 0, n; status == TSR_OK && k < size; k += n) {
        const uint32_t *now = (const uint32_t *)order + k;
        n = size - k < TSR_LEVEL_BLOCK ? size - k : TSR_LEVEL_BLOCK;
        for (uint64_t i = 0; i < n; i++) {
            block[i] = now[i];
            place[now[i]] = (uint32_t)(k + i);
        }
        tsr_array_store(&level->perm, k, block, n);
    }
    tsr_free(order);
    return status;
}

static void permuted_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    level_gather(coord, &level->perm, position, n);
    for (size_t i = 0; i < n; i++)
        position[i] /= level->size;
}

/* TSR_CORRUPT unless perm holds each coordinate once under each parent. */
static tsr_status permuted_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    void *seen = NULL;
    tsr_status status = TSR_OK;
    (void)in_group;
    if (level->pitch != level->size)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: %" PRIu64 " positions per parent for %" PRIu64 " coordinates", index,
                        level->pitch, level->size);
    TSR_TRY(level_check_uniform(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_PERM, level->npos, index, err));
    TSR_TRY(tsr_alloc_array(&seen, level->size, sizeof(uint64_t), 1, "the check of a permutation", err));
    uint64_t *const last = seen; /* the parent, counted from 1, that had the coordinate */
    for (uint64_t p = 0, parent = 0; p < level->npos && status == TSR_OK; p++) {
        const uint64_t c = tsr_array_get(&level->perm, p);
        parent = p / level->size + 1;
        if (c >= level->size || last[c] == parent)
            status =
                tsr_fail(err, TSR_CORRUPT, "level %d: perm[%" PRIu64 "] = %" PRIu64 ", which %s", index, p, c,
                         c >= level->size ? "is not a coordinate" : "occurs twice under one parent");
        else
            last[c] = parent;
    }
    tsr_free(seen);
    return status;
}

static void permuted_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *lo = tsr_level_begin_uniform(walk, walk->parent), *hi = tsr_ir_add(ir, lo, walk->size);
    const bool is_root = walk->parent && walk->parent->op == TSR_IR_INDEX;
    if (walk->lo)
        lo = is_root ? walk->lo : tsr_ir_op2(ir, TSR_IR_MAX, lo, walk->lo);
    if (walk->hi)
        hi = is_root ? walk->hi : tsr_ir_op2(ir, TSR_IR_MIN, hi, walk->hi);
    walk->position = tsr_ir_for(ir, walk->pos_name, lo, hi, walk->marks);
    walk->coordinate = tsr_ir_declare(
        ir, walk->crd_name, tsr_ir_load_index(ir, walk->array[TSR_LEVEL_PERM], walk->position), false);
    walk->nblocks = 1;
}

static const tsr_level_walker permuted_walker = {.open = permuted_open, .begin = tsr_level_begin_uniform};

const tsr_level_type tsr_level_permuted = {
    .name = "permuted",
    .rule = "every coordinate, those with most entries first",
    .parameter = "coordinates that are sorted together",
    .param_is_optional = true,
    .is_grouped = true,
    .is_uniform = true,
    .is_splittable = true,
    .sorted_by_count = true,
    .has_all = true,
    .arrays = {{.name = "perm",
                .role = TSR_LEVEL_PERM,
                .length = TSR_PER_POSITION,
                .content = TSR_HOLDS_COORDINATES}},
    .npos = level_depends,
    .assemble = permuted_assemble,
    .assemble_counts = permuted_from_counts,
    .climb = permuted_climb,
    .check = permuted_check,
    .walker = &permuted_walker,
};
