/* From positions to coordinates: see cells_internal.h. Blocks of leaf positions are followed up through the
 * levels, which gives storage coordinates; the inverse map gives logical coordinates. A cell is padding where
 * the coordinates are outside the dims or the size of a level, or where the map does not lead from them back
 * to the cell. */
#include "cells_internal.h"

#include "tsr_parallel.h"

enum { BLOCK = TSR_LEVEL_BLOCK, SERIAL_BELOW = 1 << 16 };
_Static_assert(TSR_LEVEL_BLOCK <= (int)TSR_MAP_BLOCK, "a block of positions is a block of a map plan");

/* ---- entries among positions ---- */

static const unsigned char *fill_of(const tsr_tensor *tensor)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    return tensor->has_fill ? tensor->fill : zero;
}

/* Whether the values determine which positions are entries. */
static bool has_fill_cells(const tsr_tensor *tensor)
{
    return tensor->nlevels == 0 || tsr_format_has_dense_leaf(tensor->format);
}

/* The last level where it marks its entries, else NULL. */
static const tsr_level *marked_leaf(const tsr_tensor *tensor)
{
    const tsr_level *leaf = tensor->nlevels > 0 ? &tensor->levels[tensor->nlevels - 1] : NULL;
    return leaf && leaf->type->mark ? leaf : NULL;
}

static const tsr_level *repeating_leaf(const tsr_tensor *tensor)
{
    const tsr_level *leaf = tensor->nlevels > 0 ? &tensor->levels[tensor->nlevels - 1] : NULL;
    return leaf && leaf->type->repeats ? leaf : NULL;
}

bool cell_is_stored(const tsr_tensor *tensor, uint64_t position)
{
    const tsr_level *marked = marked_leaf(tensor);
    uint8_t stored = 1;
    if (marked)
        marked->type->mark(marked, &stored, position, 1);
    if (!stored)
        return false;
    if (!has_fill_cells(tensor))
        return true;
    const size_t width = tensor->values.width;
    const unsigned char *value =
        (const unsigned char *)tensor->values.data + (tensor->iso ? 0 : position) * width;
    return memcmp(value, fill_of(tensor), width) != 0;
}

#define SELECT(ctype)                                            \
    do {                                                         \
        const ctype *restrict v = (const ctype *)values + first; \
        ctype f;                                                 \
        memcpy(&f, fill, sizeof f);                              \
        for (size_t i = 0; i < n; i++) {                         \
            position[count] = first + i;                         \
            count += v[i] != f;                                  \
        }                                                        \
    } while (0)

/* position[0..returned): the positions in [first, first + n) whose value is not bitwise equal to `fill`. */
static size_t select_values(uint64_t *restrict position, const void *values, size_t width,
                            const unsigned char *fill, uint64_t first, size_t n)
{
    size_t count = 0;
    switch (width) {
    case 1:
        SELECT(uint8_t);
        break;
    case 2:
        SELECT(uint16_t);
        break;
    case 4:
        SELECT(uint32_t);
        break;
    case 8:
        SELECT(uint64_t);
        break;
    default:
        for (size_t i = 0; i < n; i++) {
            position[count] = first + i;
            count += memcmp((const unsigned char *)values + (first + i) * width, fill, width) != 0;
        }
    }
    return count;
}

size_t cells_select(uint64_t *position, const tsr_tensor *tensor, uint64_t first, size_t n)
{
    if (has_fill_cells(tensor) && tensor->iso && !cell_is_stored(tensor, 0))
        return 0;
    if (has_fill_cells(tensor) && !tensor->iso)
        return select_values(position, tensor->values.data, tensor->values.width, fill_of(tensor), first, n);
    const tsr_level *marked = marked_leaf(tensor);
    if (marked) {
        uint8_t stored[BLOCK];
        size_t count = 0;
        marked->type->mark(marked, stored, first, n);
        for (size_t i = 0; i < n; i++) {
            position[count] = first + i;
            count += stored[i];
        }
        return count;
    }
    for (size_t i = 0; i < n; i++)
        position[i] = first + i;
    return n;
}

/* Positions that repeat: each cell of a run is an entry, at the place in the run that the level's row of
 * coordinates holds. */
static size_t next_repeated(cell_rows *block, const tsr_tensor *tensor, const tsr_level *leaf,
                            cell_cursor *cursor)
{
    size_t n = 0;
    for (; cursor->first < cursor->end && n < BLOCK; cursor->first++, cursor->within = 0) {
        if (!cell_is_stored(tensor, cursor->first))
            continue;
        const uint64_t ncells = leaf->type->spread(leaf, cursor->first);
        for (; cursor->within < ncells && n < BLOCK; cursor->within++) {
            block->leaf[n] = cursor->first;
            block->level[tensor->nlevels - 1][n++] = cursor->within;
        }
        if (cursor->within < ncells)
            break;
    }
    return n;
}

size_t cell_rows_next(cell_rows *block, const tsr_tensor *tensor, cell_cursor *cursor)
{
    const tsr_level *repeating = repeating_leaf(tensor);
    if (repeating)
        return next_repeated(block, tensor, repeating, cursor);
    const uint64_t left = cursor->end - cursor->first, first = cursor->first;
    const size_t step = left < BLOCK ? (size_t)left : BLOCK;
    cursor->first += step;
    return cells_select(block->leaf, tensor, first, step);
}

/* ---- counting ---- */

#define COUNT(ctype)                                     \
    do {                                                 \
        const ctype *restrict v = (const ctype *)values; \
        ctype f;                                         \
        memcpy(&f, fill, sizeof f);                      \
        for (uint64_t i = 0; i < n; i++)                 \
            count += v[i] != f;                          \
    } while (0)

/* The number of values that are not bitwise equal to `fill`. */
static uint64_t count_values(const void *values, size_t width, const unsigned char *fill, uint64_t n)
{
    uint64_t count = 0;
    switch (width) {
    case 1:
        COUNT(uint8_t);
        break;
    case 2:
        COUNT(uint16_t);
        break;
    case 4:
        COUNT(uint32_t);
        break;
    case 8:
        COUNT(uint64_t);
        break;
    default:
        for (uint64_t i = 0; i < n; i++)
            count += memcmp((const unsigned char *)values + i * width, fill, width) != 0;
    }
    return count;
}

typedef struct count_job {
    const tsr_tensor *tensor;
    uint64_t counts[TSR_MAX_THREADS];
} count_job;

static void count_share(void *arg, int t, int nthreads)
{
    count_job *job = arg;
    const tsr_array *values = &job->tensor->values;
    const uint64_t first = tsr_cut(values->n, t, nthreads), end = tsr_cut(values->n, t + 1, nthreads);
    job->counts[t] = count_values((const unsigned char *)values->data + first * values->width, values->width,
                                  fill_of(job->tensor), end - first);
}

/* The entries of a leaf that marks them, or whose positions repeat. */
static void count_leaf_share(void *arg, int t, int nthreads)
{
    count_job *job = arg;
    const tsr_tensor *tensor = job->tensor;
    const tsr_level *leaf = repeating_leaf(tensor);
    const uint64_t end = tsr_cut(tensor->npos, t + 1, nthreads);
    uint64_t first = tsr_cut(tensor->npos, t, nthreads), position[BLOCK];
    job->counts[t] = 0;
    for (size_t step; first < end; first += step) {
        step = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        if (!leaf)
            job->counts[t] += cells_select(position, tensor, first, step);
        for (uint64_t p = first; leaf && p < first + step; p++)
            job->counts[t] += cell_is_stored(tensor, p) ? leaf->type->spread(leaf, p) : 0;
    }
}

uint64_t tsr_cells_nstored(const tsr_tensor *tensor, int nthreads)
{
    count_job job = {.tensor = tensor};
    uint64_t n = 0;
    const bool by_leaf = marked_leaf(tensor) || repeating_leaf(tensor);
    if (!has_fill_cells(tensor) && !by_leaf)
        return tensor->npos;
    if (tensor->iso && !by_leaf)
        return tensor->npos > 0 && cell_is_stored(tensor, 0) ? tensor->npos : 0;
    const int threads = tensor->npos < SERIAL_BELOW ? 1 : tsr_thread_count(nthreads);
    tsr_parallel(threads, by_leaf ? count_leaf_share : count_share, &job);
    for (int t = 0; t < threads; t++)
        n += job.counts[t];
    return n;
}

/* ---- from positions to coordinates ---- */

tsr_status cell_climber_init(cell_climber *walker, const tsr_tensor *tensor, tsr_error *err)
{
    *walker = (cell_climber){.tensor = tensor};
    TSR_TRY(tsr_map_plan_new(&walker->inverse, tensor->binding->inverse, err));
    return tensor->binding->may_pad ? tsr_map_plan_new(&walker->forward, tensor->binding->forward, err)
                                    : TSR_OK;
}

void cell_climber_clear(cell_climber *walker)
{
    tsr_map_plan_free(walker->inverse);
    tsr_map_plan_free(walker->forward);
    *walker = (cell_climber){0};
}

tsr_status cell_rows_init(cell_rows *rows, const cell_climber *climber, int order, tsr_error *err)
{
    const int nlevels = climber ? climber->tensor->nlevels : 0;
    const size_t nrows = (size_t)(nlevels + order + 2);
    size_t scratch = climber ? tsr_map_plan_scratch_nbytes(climber->inverse) : 0;
    *rows = (cell_rows){0};
    if (climber && climber->forward && tsr_map_plan_scratch_nbytes(climber->forward) > scratch)
        scratch = tsr_map_plan_scratch_nbytes(climber->forward);
    TSR_TRY(tsr_alloc_array(&rows->memory, nrows * BLOCK * sizeof(uint64_t) + BLOCK + scratch, 1, 0,
                            "blocks of coordinates", err));
    uint64_t *next = rows->memory;
    for (int l = 0; l < nlevels; l++, next += BLOCK)
        rows->level[l] = next;
    for (int m = 0; m < order; m++, next += BLOCK)
        rows->mode[m] = next;
    rows->leaf = next;
    rows->position = next + BLOCK;
    rows->image = (uint8_t *)(next + 2 * (size_t)BLOCK);
    rows->plan_scratch = rows->image + BLOCK;
    return TSR_OK;
}

void cell_rows_clear(cell_rows *block)
{
    tsr_free(block->memory);
    *block = (cell_rows){0};
}

/* Set b->mode, the logical coordinates of the n cells at b->level. */
static void invert(cell_rows *b, const cell_climber *walker, size_t n)
{
    const tsr_tensor *tensor = walker->tensor;
    const int64_t *in[TSR_MAX_LEVELS];
    int64_t *out[TSR_MAX_ORDER];
    for (int l = 0; l < tensor->nlevels; l++) {
        const int64_t base = tensor->binding->base[l];
        in[l] = (const int64_t *)b->level[l];
        for (size_t i = 0; base != 0 && i < n; i++)
            b->level[l][i] += (uint64_t)base;
    }
    for (int m = 0; m < tensor->order; m++)
        out[m] = (int64_t *)b->mode[m];
    tsr_map_plan_apply(walker->inverse, out, in, n, b->plan_scratch);
}

/* Set b->image[i] = 0 and coord[i] = 0 for coordinates in the padding of a pitch: maps are not defined
 * there. */
static void clear_beyond_size(cell_rows *b, uint64_t *restrict coord, uint64_t size, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        b->image[i] &= coord[i] < size;
        coord[i] = coord[i] < size ? coord[i] : 0;
    }
}

/* Set b->image[i] = 0 for coordinates outside the dims. Returns whether all are images. */
static bool all_inside(cell_rows *b, const tsr_tensor *tensor, size_t n)
{
    for (int m = 0; m < tensor->order; m++)
        for (size_t i = 0; i < n; i++)
            b->image[i] &= b->mode[m][i] < tensor->dims[m];
    return memchr(b->image, 0, n) == NULL;
}

/* Set b->image[i] = 0 for coordinates from which the map does not lead back to the cell. Returns whether all
 * are images. Overwrites b->position. */
static bool all_images(cell_rows *b, const cell_climber *walker, size_t n)
{
    const tsr_tensor *tensor = walker->tensor;
    const int64_t *in[TSR_MAX_ORDER];
    if (!all_inside(b, tensor, n))
        for (int m = 0; m < tensor->order; m++)
            for (size_t i = 0; i < n; i++)
                b->mode[m][i] = b->image[i] ? b->mode[m][i] : 0; /* the map is defined only inside the dims */
    for (int m = 0; m < tensor->order; m++)
        in[m] = (const int64_t *)b->mode[m];
    for (int l = 0; l < tensor->nlevels; l++) {
        int64_t *out[TSR_MAX_LEVELS] = {NULL};
        out[l] = (int64_t *)b->position;
        tsr_map_plan_apply(walker->forward, out, in, n, b->plan_scratch);
        for (size_t i = 0; i < n; i++)
            b->image[i] &= b->position[i] == b->level[l][i];
    }
    return memchr(b->image, 0, n) == NULL;
}

bool cell_rows_climb(cell_rows *b, const cell_climber *walker, size_t n)
{
    const tsr_tensor *tensor = walker->tensor;
    memcpy(b->position, b->leaf, n * sizeof *b->leaf);
    memset(b->image, 1, n);
    for (int l = tensor->nlevels - 1; l >= 0; l--) {
        const tsr_level *level = &tensor->levels[l];
        level->type->climb(level, b->position, b->level[l], n);
        if (level->pitch > level->size || level->type->is_padded)
            clear_beyond_size(b, b->level[l], level->size, n);
    }
    invert(b, walker, n);
    return walker->forward ? all_images(b, walker, n) : all_inside(b, tensor, n);
}

void cell_storage(uint64_t *coord, const tsr_tensor *tensor, uint64_t position)
{
    for (int l = tensor->nlevels - 1; l >= 0; l--)
        tensor->levels[l].type->climb(&tensor->levels[l], &position, &coord[l], 1);
}
