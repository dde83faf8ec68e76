/* Reading the entries of a packed tensor in parts: see tsr_feed_of_parts. Positions of the last level are taken in
 * order, and followed up through the levels; each array is seen through a window that moves forward. What a deep check
 * of the tensor would find (tsr_tensor_check) is found on the way, as far as entries depend on it. */
#include <inttypes.h>

#include "tsr_feed.h"

enum {
    BLOCK = TSR_LEVEL_BLOCK,
    RUN = 16 * TSR_LEVEL_BLOCK, /* positions that a run looks at */
    WINDOW_NBYTES = 1 << 18,
};
_Static_assert(TSR_LEVEL_BLOCK <= (int)TSR_MAP_BLOCK, "a block of positions is a block of a map plan");

/* A part of an array. */
typedef struct window {
    tsr_part part;
    int level;
    uint64_t total;   /* elements of the array */
    tsr_array loaded; /* elements first, first + 1... of the array; owned */
    uint64_t first;
} window;

typedef struct climber {
    tsr_feed base; /* first */
    tsr_parts *parts;
    window pos[TSR_MAX_LEVELS], crd[TSR_MAX_LEVELS], values;
    uint64_t parent[TSR_MAX_LEVELS]; /* compressed: the parent of the last position */
    uint64_t begin, next, end;       /* leaf positions: of the range, and the next one */
    bool dense;                      /* positions with the fill are not entries */
    bool started;                    /* last is set */
    uint64_t last[TSR_MAX_LEVELS], last_position[TSR_MAX_LEVELS]; /* of the entry before */
    tsr_map_plan *inverse, *forward; /* forward: NULL where cells are never padding */
    void *memory, *scratch;
    uint64_t *level[TSR_MAX_LEVELS], *position[TSR_MAX_LEVELS]; /* BLOCK */
    uint64_t *mode[TSR_MAX_ORDER];                              /* RUN */
    uint64_t *leaf, *work;                                      /* BLOCK */
    uint8_t *image;                                             /* BLOCK */
    unsigned char *given;                                       /* RUN values */
} climber;

/* ---- windows ---- */

static tsr_status window_init(window *w, tsr_part part, int level, const tsr_array *array, tsr_error *err)
{
    *w = (window){.part = part, .level = level, .total = array->n};
    const uint64_t room = WINDOW_NBYTES / array->width;
    TSR_TRY(tsr_array_init(&w->loaded, room < array->n ? room : array->n, array->width, 0,
                           "a part of an array", err));
    w->loaded.n = 0; /* nothing is loaded yet */
    return TSR_OK;
}

/* Make element i, which exists, part of the window. A window begins a little before i, since the next calls may ask for
 * the element before. */
static tsr_status window_move(window *w, climber *c, uint64_t i, tsr_error *err)
{
    const uint64_t room = WINDOW_NBYTES / w->loaded.width;
    w->first = i > 0 ? i - 1 : 0;
    w->loaded.n = w->total - w->first < room ? w->total - w->first : room;
    const tsr_part_range range = {w->part, w->level, w->first, w->loaded.n};
    return c->parts->load(w->loaded.data, c->parts, &range, err);
}

static inline tsr_status window_get(uint64_t *out, window *w, climber *c, uint64_t i, tsr_error *err)
{
    if (i < w->first || i - w->first >= w->loaded.n || w->loaded.n == 0)
        TSR_TRY(window_move(w, c, i, err));
    *out = tsr_array_get(&w->loaded, i - w->first);
    return TSR_OK;
}

/* ---- climbing ---- */

static tsr_status corrupt(tsr_error *err, int l, const char *what, uint64_t at)
{
    return tsr_fail(err, TSR_CORRUPT, "level %d: %s at %" PRIu64, l, what, at);
}

/* The last p in [lo, nparents) with pos[p] <= position. */
static tsr_status search_parent(uint64_t *out, climber *c, int l, uint64_t position, tsr_error *err)
{
    uint64_t lo = 0, hi = c->parts->tensor->levels[l].nparents;
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        uint64_t p;
        TSR_TRY(window_get(&p, &c->pos[l], c, mid, err));
        if (p <= position)
            lo = mid;
        else
            hi = mid;
    }
    *out = lo;
    return TSR_OK;
}

/* Replace rising positions of compressed level l by those of the parents. */
static tsr_status climb_compressed(climber *c, int l, uint64_t *out, const uint64_t *position, size_t n,
                                   tsr_error *err)
{
    const tsr_level *const level = &c->parts->tensor->levels[l];
    uint64_t parent = c->parent[l], end, before;
    if (n == 0)
        return TSR_OK;
    TSR_TRY(window_get(&end, &c->pos[l], c, parent + 1, err));
    for (size_t i = 0; i < n; i++) {
        while (end <= position[i]) {
            before = end;
            parent++;
            if (parent + 1 > level->nparents)
                return corrupt(err, l, "pos ends before the last position", parent);
            TSR_TRY(window_get(&end, &c->pos[l], c, parent + 1, err));
            if (end < before || end > level->npos)
                return corrupt(err, l, "pos falls, or exceeds the number of positions,", parent + 1);
        }
        out[i] = parent;
    }
    c->parent[l] = parent;
    return TSR_OK;
}

static tsr_status load_crd(climber *c, int l, uint64_t *out, const uint64_t *position, size_t n,
                           tsr_error *err)
{
    const uint64_t size = c->parts->tensor->levels[l].size;
    for (size_t i = 0; i < n; i++) {
        TSR_TRY(window_get(&out[i], &c->crd[l], c, position[i], err));
        if (out[i] >= size)
            return corrupt(err, l, "crd is outside the level", position[i]);
    }
    return TSR_OK;
}

/* Set the coordinates of all levels for the n leaf positions at c->leaf, and image[i] = 0 for the padding of pitches. */
static tsr_status climb(climber *c, size_t n, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    const uint64_t *at = c->leaf;
    memset(c->image, 1, n);
    for (int l = t->nlevels - 1; l >= 0; l--) {
        const tsr_level *const level = &t->levels[l];
        uint64_t *const up = l > 0 ? c->position[l - 1] : c->work;
        if (level->type->full) {
            for (size_t i = 0; i < n; i++) {
                c->level[l][i] = at[i] % level->pitch;
                up[i] = at[i] / level->pitch;
                c->image[i] &= c->level[l][i] < level->size;
            }
        } else {
            TSR_TRY(load_crd(c, l, c->level[l], at, n, err));
            if (level->type->branchless)
                memcpy(up, at, n * sizeof *up);
            else
                TSR_TRY(climb_compressed(c, l, up, at, n, err));
        }
        at = up;
    }
    return TSR_OK;
}

/* The entry before and entry i: levels rise, strictly where a level is unique. */
static tsr_status check_pair(const climber *c, size_t i, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    for (int l = 0; l < t->nlevels; l++) {
        const uint64_t *const position = l + 1 < t->nlevels ? c->position[l] : c->leaf;
        const uint64_t p = i ? position[i - 1] : c->last_position[l], x = i ? c->level[l][i - 1] : c->last[l];
        if (position[i] == p)
            continue;
        if (c->level[l][i] > x)
            return TSR_OK;
        if (c->level[l][i] < x || !t->levels[l].nonunique)
            return corrupt(err, l, "crd does not rise", position[i]);
    }
    return TSR_OK;
}

static tsr_status check_order(climber *c, size_t n, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    for (size_t i = !c->started; i < n && !c->parts->unsorted; i++)
        TSR_TRY(check_pair(c, i, err));
    for (int l = 0; n > 0 && l < t->nlevels; l++) {
        c->last[l] = c->level[l][n - 1];
        c->last_position[l] = l + 1 < t->nlevels ? c->position[l][n - 1] : c->leaf[n - 1];
    }
    c->started = c->started || n > 0;
    return TSR_OK;
}

/* ---- logical coordinates ---- */

static void invert(climber *c, uint64_t *const *mode, size_t n)
{
    const tsr_tensor *const t = c->parts->tensor;
    const int64_t *in[TSR_MAX_LEVELS];
    int64_t *out[TSR_MAX_ORDER];
    for (int l = 0; l < t->nlevels; l++) {
        const int64_t base = t->binding->base[l];
        in[l] = (const int64_t *)c->level[l];
        for (size_t i = 0; i < n; i++) {
            c->level[l][i] = c->image[i] ? c->level[l][i] : 0; /* maps are not defined beyond the size */
            c->level[l][i] += (uint64_t)base;
        }
    }
    for (int m = 0; m < t->order; m++)
        out[m] = (int64_t *)mode[m];
    tsr_map_plan_apply(c->inverse, out, in, n, c->scratch);
}

/* Set image[i] = 0 for cells that are not the image of a coordinate. */
static void find_images(climber *c, uint64_t *const *mode, size_t n)
{
    const tsr_tensor *const t = c->parts->tensor;
    const int64_t *in[TSR_MAX_ORDER];
    for (int m = 0; m < t->order; m++) {
        in[m] = (const int64_t *)mode[m];
        for (size_t i = 0; i < n; i++)
            c->image[i] &= mode[m][i] < t->dims[m];
    }
    if (!c->forward)
        return;
    for (int m = 0; m < t->order; m++)
        for (size_t i = 0; i < n; i++)
            mode[m][i] = c->image[i] ? mode[m][i] : 0;
    for (int l = 0; l < t->nlevels; l++) {
        int64_t *out[TSR_MAX_LEVELS] = {NULL};
        out[l] = (int64_t *)c->work;
        tsr_map_plan_apply(c->forward, out, in, n, c->scratch);
        for (size_t i = 0; i < n; i++)
            c->image[i] &= c->work[i] == c->level[l][i];
    }
}

/* Whether both are a cell of the stored triangle. */
static bool in_triangle(tsr_structure s, uint64_t row, uint64_t col)
{
    switch (s) {
    case TSR_GENERAL:
        return true;
    case TSR_SYMMETRIC_LOWER:
    case TSR_HERMITIAN_LOWER:
        return row >= col;
    case TSR_SKEW_LOWER:
        return row > col;
    case TSR_SKEW_UPPER:
        return row < col;
    default:
        return row <= col;
    }
}

/* ---- runs ---- */

/* leaf[0..*n): the entries among the positions [first, first + step). */
static tsr_status select_entries(size_t *n, climber *c, uint64_t first, size_t step, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const tsr_tensor *const t = c->parts->tensor;
    const size_t width = c->values.loaded.width;
    const unsigned char *const fill = t->has_fill ? t->fill : zero;
    uint64_t ignored;
    *n = 0;
    for (size_t i = 0; i < step; i++) {
        if (c->dense) {
            const uint64_t at = t->iso ? 0 : first + i;
            TSR_TRY(window_get(&ignored, &c->values, c, at, err));
            if (memcmp((unsigned char *)c->values.loaded.data + (at - c->values.first) * width, fill,
                       width) == 0)
                continue;
        }
        c->leaf[(*n)++] = first + i;
    }
    return TSR_OK;
}

/* Append the entries among the positions [first, first + step) to the run. */
static tsr_status add_block(climber *c, uint64_t *count, uint64_t first, size_t step, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    uint64_t *mode[TSR_MAX_ORDER], ignored;
    size_t n, kept = 0;
    TSR_TRY(select_entries(&n, c, first, step, err));
    if (n == 0)
        return TSR_OK;
    for (int m = 0; m < t->order; m++)
        mode[m] = c->mode[m] + *count;
    TSR_TRY(climb(c, n, err));
    TSR_TRY(check_order(c, n, err));
    invert(c, mode, n);
    find_images(c, mode, n);
    const size_t width = c->values.loaded.width;
    for (size_t i = 0; i < n; i++) {
        if (!c->image[i] && !t->iso)
            return tsr_fail(err, TSR_CORRUPT,
                            "position %" PRIu64 " of the last level holds a value, but is padding",
                            c->leaf[i]);
        if (!c->image[i])
            continue;
        for (int m = 0; m < t->order; m++)
            mode[m][kept] = mode[m][i];
        if (t->order == 2 && !in_triangle(t->structure, mode[0][kept], mode[1][kept]))
            return tsr_fail(err, TSR_CORRUPT,
                            "entry (%" PRIu64 ", %" PRIu64 ") is outside the stored triangle of a %s matrix",
                            mode[0][kept], mode[1][kept], tsr_structure_name(t->structure));
        if (!c->base.facts.iso) {
            TSR_TRY(window_get(&ignored, &c->values, c, c->leaf[i], err));
            memcpy(c->given + (*count + kept) * width,
                   (unsigned char *)c->values.loaded.data + (c->leaf[i] - c->values.first) * width, width);
        }
        kept++;
    }
    *count += kept;
    return TSR_OK;
}

static tsr_status parts_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    climber *const c = (climber *)feed;
    while (run->n == 0 && c->next < c->end) {
        for (int k = 0; k < RUN / BLOCK && c->next < c->end; k++) {
            const size_t step = c->end - c->next < BLOCK ? (size_t)(c->end - c->next) : BLOCK;
            TSR_TRY(add_block(c, &run->n, c->next, step, err));
            c->next += step;
        }
    }
    for (int m = 0; m < feed->facts.order; m++)
        run->crd[m] = c->mode[m];
    run->values = c->given;
    run->type = feed->facts.type;
    feed->place = c->next;
    return TSR_OK;
}

static tsr_status parts_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    climber *const c = (climber *)feed;
    const tsr_tensor *const t = c->parts->tensor;
    uint64_t at = first < t->npos ? first : t->npos;
    feed->place = c->begin = c->next = at;
    c->end = end < t->npos ? end : t->npos;
    c->started = false;
    for (int l = t->nlevels - 1; l >= 0 && at < t->npos; l--) {
        const tsr_level *const level = &t->levels[l];
        if (level->type->full) {
            at /= level->pitch ? level->pitch : 1;
        } else if (!level->type->branchless) {
            TSR_TRY(search_parent(&c->parent[l], c, l, at, err));
            at = c->parent[l];
        }
    }
    return TSR_OK;
}

static void parts_close(tsr_feed *feed)
{
    climber *const c = (climber *)feed;
    for (int l = 0; l < TSR_MAX_LEVELS; l++) {
        tsr_array_clear(&c->pos[l].loaded);
        tsr_array_clear(&c->crd[l].loaded);
    }
    tsr_array_clear(&c->values.loaded);
    tsr_map_plan_free(c->inverse);
    tsr_map_plan_free(c->forward);
    tsr_parts_free(c->parts);
    tsr_free(c->memory);
    tsr_free(c);
}

static const tsr_feed_type type = {.next = parts_next, .seek = parts_seek, .close = parts_close};

/* ---- opening ---- */

static tsr_status carve(climber *c, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    size_t scratch = tsr_map_plan_scratch_nbytes(c->inverse);
    if (c->forward && tsr_map_plan_scratch_nbytes(c->forward) > scratch)
        scratch = tsr_map_plan_scratch_nbytes(c->forward);
    const size_t row = BLOCK * sizeof(uint64_t);
    const size_t nbytes = (2 * (size_t)t->nlevels + 2) * row + (size_t)t->order * RUN * sizeof(uint64_t) +
                          RUN * (size_t)TSR_MAX_VALUE_NBYTES + BLOCK + scratch;
    TSR_TRY(tsr_alloc_array(&c->memory, nbytes, 1, 0, "blocks of coordinates", err));
    uint64_t *next = c->memory;
    for (int l = 0; l < t->nlevels; l++, next += 2 * (size_t)BLOCK) {
        c->level[l] = next;
        c->position[l] = next + BLOCK;
    }
    c->leaf = next;
    c->work = next + BLOCK;
    next += 2 * (size_t)BLOCK;
    for (int m = 0; m < t->order; m++, next += RUN)
        c->mode[m] = next;
    c->given = (unsigned char *)next;
    c->image = c->given + RUN * (size_t)TSR_MAX_VALUE_NBYTES;
    c->scratch = c->image + BLOCK;
    return TSR_OK;
}

static tsr_status check_ends(climber *c, int l, tsr_error *err)
{
    const tsr_level *const level = &c->parts->tensor->levels[l];
    uint64_t first, last;
    TSR_TRY(window_get(&first, &c->pos[l], c, 0, err));
    TSR_TRY(window_get(&last, &c->pos[l], c, level->nparents, err));
    return first == 0 && last == level->npos
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT,
                          "level %d: pos begins with %" PRIu64 " and ends with %" PRIu64
                          ", but 0 and %" PRIu64 " are expected",
                          l, first, last, level->npos);
}

static tsr_status open_windows(climber *c, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    for (int l = 0; l < t->nlevels; l++) {
        const tsr_level *const level = &t->levels[l];
        if (level->type->assemble)
            return tsr_fail(err, TSR_UNSUPPORTED, "%s levels are read only as a whole", level->type->name);
        if (tsr_level_has(level->type, TSR_LEVEL_CRD))
            TSR_TRY(window_init(&c->crd[l], TSR_PART_CRD, l, &level->crd, err));
        if (tsr_level_has(level->type, TSR_LEVEL_POS)) {
            TSR_TRY(window_init(&c->pos[l], TSR_PART_POS, l, &level->pos, err));
            TSR_TRY(check_ends(c, l, err));
        }
    }
    return window_init(&c->values, TSR_PART_VALUES, 0, &t->values, err);
}

static void set_facts(climber *c)
{
    const tsr_tensor *const t = c->parts->tensor;
    tsr_facts *const facts = &c->base.facts;
    facts->order = t->order;
    facts->has_dims = true;
    memcpy(facts->dims, t->dims, sizeof facts->dims);
    facts->has_nnz = !c->dense;
    facts->nnz = t->npos;
    facts->type = t->type;
    facts->iso = t->iso || t->type == TSR_PATTERN;
    facts->structure = t->structure;
    facts->has_fill = t->has_fill;
    memcpy(facts->fill, t->fill, sizeof facts->fill);
    facts->format = c->parts->unsorted ? NULL : t->format;
    for (int l = 0; l < t->nlevels && facts->format; l++) {
        const tsr_level *const level = &t->levels[l];
        facts->pos_nbytes[l] = tsr_level_has(level->type, TSR_LEVEL_POS) ? (uint8_t)level->pos.width : 0;
        facts->crd_nbytes[l] = tsr_level_has(level->type, TSR_LEVEL_CRD) ? (uint8_t)level->crd.width : 0;
    }
}

static tsr_status open_climber(climber *c, tsr_error *err)
{
    const tsr_tensor *const t = c->parts->tensor;
    uint64_t ignored;
    if (t->nlevels == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "a scalar is not read in runs");
    c->dense = tsr_format_has_dense_leaf(t->format);
    TSR_TRY(tsr_map_plan_new(&c->inverse, t->binding->inverse, err));
    if (t->binding->may_pad)
        TSR_TRY(tsr_map_plan_new(&c->forward, t->binding->forward, err));
    TSR_TRY(carve(c, err));
    TSR_TRY(open_windows(c, err));
    set_facts(c);
    if (t->type == TSR_PATTERN)
        c->given[0] = 1;
    else if (t->iso && t->values.n > 0) {
        TSR_TRY(window_get(&ignored, &c->values, c, 0, err));
        memcpy(c->given, c->values.loaded.data, c->values.loaded.width);
    }
    c->base.type = &type;
    c->base.length = t->npos;
    c->base.can_seek = c->base.can_rewind = true;
    return parts_seek(&c->base, 0, UINT64_MAX, err);
}

tsr_status tsr_feed_of_parts(tsr_feed **out, tsr_parts *parts, tsr_error *err)
{
    climber *const c = tsr_calloc(1, sizeof *c);
    *out = NULL;
    if (!c) {
        tsr_parts_free(parts);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    c->parts = parts;
    const tsr_status status = open_climber(c, err);
    if (status != TSR_OK) {
        parts_close(&c->base);
        return status;
    }
    *out = &c->base;
    return TSR_OK;
}

tsr_status tsr_parts_count(uint64_t *n, tsr_parts *parts, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const tsr_tensor *const t = parts->tensor;
    const size_t width = t->values.width;
    const unsigned char *const fill = t->has_fill ? t->fill : zero;
    tsr_part_range range = {.part = TSR_PART_VALUES};
    void *block;
    *n = parts->nstored;
    if (!tsr_format_has_dense_leaf(t->format) || t->iso)
        return TSR_OK;
    *n = 0;
    TSR_TRY(tsr_alloc_array(&block, WINDOW_NBYTES, 1, 0, "a part of an array", err));
    tsr_status status = TSR_OK;
    for (; range.first < t->npos && status == TSR_OK; range.first += range.n) {
        const uint64_t left = t->npos - range.first;
        range.n = left < WINDOW_NBYTES / width ? left : WINDOW_NBYTES / width;
        status = parts->load(block, parts, &range, err);
        for (uint64_t i = 0; i < range.n && status == TSR_OK; i++)
            *n += memcmp((char *)block + i * width, fill, width) != 0;
    }
    tsr_free(block);
    return status;
}

tsr_parts *tsr_feed_all_parts(const tsr_feed *feed)
{
    return feed->type == &type ? ((const climber *)feed)->parts : NULL;
}

tsr_parts *tsr_feed_parts(const tsr_feed *feed)
{
    tsr_parts *const parts = tsr_feed_all_parts(feed);
    return parts && parts->checked && !parts->unsorted ? parts : NULL;
}
