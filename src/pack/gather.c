/* Slices of a tensor by a list of coordinates of the mode of the first level: rows of csr, columns of csc.
 *
 * The first level is dense, so slice c is position c of it, and below it each level has the positions of a slice as neighbours: an
 * interval [first, first + count), which follows from that of the level above. The intervals are copied one after the other, in the
 * order of the list. */
#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"
#include "tsr_pack.h"
#include "tsr_parallel.h"
#include "tsr_tile.h"

enum { AHEAD = 12, PARALLEL_FROM = 1 << 14 };

/* The slices of one level: n of them. */
typedef struct slices {
    uint64_t *first; /* n positions of the level of `from` */
    uint64_t *
        at; /* n + 1 positions of the level of `to`, where the slices begin and end; before that, at[k + 1] is a number */
} slices;

typedef struct gather {
    const tsr_tensor *from;
    tsr_tensor *to;
    uint64_t n;
    int last; /* level, whose positions have values */
    slices level[TSR_MAX_LEVELS];
} gather;

/* ---- where the slices are ---- */

/* The interval of a level that lies below the interval [*first, *first + *count) of the level above. */
static void descend(uint64_t *first, uint64_t *count, const tsr_level *level)
{
    const uint64_t end = *first + *count;
    if (level->pos.data) {
        *first = tsr_array_get(&level->pos, *first);
        *count = tsr_array_get(&level->pos, end) - *first;
    } else if (level->type->full) {
        *first *= level->pitch;
        *count *= level->pitch;
    }
}

static void find_share(void *arg, int t, int nthreads)
{
    const gather *const g = arg;
    const uint64_t *const index = g->level[0].first;
    const tsr_array *const pos = g->last > 0 ? &g->from->levels[1].pos : NULL;
    const uint64_t end = tsr_cut(g->n, t + 1, nthreads);
    for (uint64_t k = tsr_cut(g->n, t, nthreads); k < end; k++) {
        uint64_t first = index[k], count = 1;
        if (pos && pos->data && k + AHEAD < end)
            tsr_fetch((const char *)pos->data + index[k + AHEAD] * pos->width, 1);
        for (int l = 1; l <= g->last; l++) {
            descend(&first, &count, &g->from->levels[l]);
            g->level[l].first[k] = first;
            g->level[l].at[k + 1] = count;
        }
    }
}

/* ---- copying ---- */

#define COPY(ctype)                                         \
    do {                                                    \
        ctype *const x = (ctype *)to->data + at;            \
        const ctype *const y = (ctype *)from->data + first; \
        for (uint64_t i = 0; i < n; i++)                    \
            x[i] = y[i];                                    \
    } while (0)

/* Elements [first, first + n) of `from` become elements at, at + 1... of `to`, of the same width. Most slices are short. */
static void copy(tsr_array *to, uint64_t at, const tsr_array *from, uint64_t first, uint64_t n)
{
    if (n > AHEAD)
        memcpy((char *)to->data + at * to->width, (const char *)from->data + first * to->width,
               n * to->width);
    else if (to->width == 4)
        COPY(uint32_t);
    else if (to->width == 8)
        COPY(uint64_t);
    else if (n > 0)
        memcpy((char *)to->data + at * to->width, (const char *)from->data + first * to->width,
               n * to->width);
}

/* The positions of the children of the parents of slice k: they begin at `at` instead of `first`. */
static void copy_pos(const gather *g, int l, uint64_t k)
{
    const uint64_t *const parent = g->level[l - 1].first;
    const uint64_t to = l > 1 ? g->level[l - 1].at[k] : k, n = l > 1 ? g->level[l - 1].at[k + 1] - to : 1;
    const uint64_t shift = g->level[l].at[k] - g->level[l].first[k];
    for (uint64_t i = 0; i < n; i++)
        tsr_array_set(&g->to->levels[l].pos, to + i,
                      tsr_array_get(&g->from->levels[l].pos, parent[k] + i) + shift);
}

static void copy_slice(const gather *g, uint64_t k)
{
    for (int l = 1; l <= g->last; l++) {
        const slices *const s = &g->level[l];
        const tsr_level *const from = &g->from->levels[l];
        if (from->pos.data)
            copy_pos(g, l, k);
        if (from->crd.data)
            copy(&g->to->levels[l].crd, s->at[k], &from->crd, s->first[k], s->at[k + 1] - s->at[k]);
    }
    const slices *const s = &g->level[g->last];
    if (!g->from->iso)
        copy(&g->to->values, s->at[k], &g->from->values, s->first[k], s->at[k + 1] - s->at[k]);
}

static void fetch_slice(const gather *g, uint64_t k)
{
    for (int l = 1; l <= g->last; l++) {
        const tsr_array *const crd = &g->from->levels[l].crd;
        if (crd->data)
            tsr_fetch((const char *)crd->data + g->level[l].first[k] * crd->width, 1);
    }
    const tsr_array *const values = &g->from->values;
    if (!g->from->iso)
        tsr_fetch((const char *)values->data + g->level[g->last].first[k] * values->width, 64);
}

/* Slices are cut where their positions are, so that threads copy as much. */
static uint64_t cut(const gather *g, int t, int nthreads)
{
    const tsr_array at = {.data = g->level[g->last].at, .n = g->n + 1, .width = 8};
    return t == nthreads ? g->n : tsr_array_seek(&at, 0, g->n, tsr_cut(g->to->npos, t, nthreads));
}

static void copy_share(void *arg, int t, int nthreads)
{
    const gather *const g = arg;
    const uint64_t end = cut(g, t + 1, nthreads);
    for (uint64_t k = cut(g, t, nthreads); k < end; k++) {
        if (k + AHEAD < end)
            fetch_slice(g, k + AHEAD);
        copy_slice(g, k);
    }
}

/* ---- the whole ---- */

/* Whether a level below the first keeps the children of a parent together and has no other arrays than pos and crd. */
static bool is_plain(const tsr_level_type *type)
{
    bool plain = type->is_grouped && !type->is_padded && !type->assemble;
    for (int role = 0; role < TSR_LEVEL_NROLES; role++)
        plain = plain && (role == TSR_LEVEL_POS || role == TSR_LEVEL_CRD ||
                          !tsr_level_array_row(type, (tsr_level_role)role));
    return plain;
}

static tsr_status check(const tsr_tensor *tensor, int mode, tsr_error *err)
{
    int perm[TSR_MAX_LEVELS];
    if (mode < 0 || mode >= tensor->order)
        return tsr_fail(err, TSR_ARGUMENT, "there is no mode %d: the tensor has %d", mode, tensor->order);
    if (tensor->structure != TSR_GENERAL)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "slices of a tensor that stores one triangle: expand it before (tessera_convert)");
    bool plain = tsr_format_is_permutation(tensor->format, perm) && perm[0] == mode &&
                 tensor->levels[0].type->full && tensor->levels[0].pitch == tensor->levels[0].size;
    for (int l = 1; plain && l < tensor->nlevels; l++)
        plain = tensor->levels[l].type->full || is_plain(tensor->levels[l].type);
    return plain
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED,
                          "slices of mode %d are taken from formats whose first level is dense and has this "
                          "mode (csr for rows of a matrix, csc for columns): convert the tensor before",
                          mode);
}

static tsr_status new_array(tsr_array *array, uint64_t n, size_t width, tsr_error *err)
{
    return tsr_array_init(array, n, width, 0, "slices", err);
}

/* Make the arrays of the result. The last pos of each level is set. */
static tsr_status make_arrays(gather *g, tsr_error *err)
{
    tsr_tensor *const to = g->to;
    uint64_t nparents = to->levels[0].npos = to->levels[0].size;
    to->levels[0].nparents = 1;
    for (int l = 1; l <= g->last; l++) {
        const tsr_level *const from = &g->from->levels[l];
        tsr_level *const level = &to->levels[l];
        level->nparents = nparents;
        level->npos = nparents = g->level[l].at[g->n];
        if (from->pos.data) {
            const size_t width = tsr_width_for(level->npos) > from->pos.width ? 8 : from->pos.width;
            TSR_TRY(new_array(&level->pos, level->nparents + 1, width, err));
            tsr_array_set(&level->pos, level->nparents, level->npos);
        }
        if (from->crd.data)
            TSR_TRY(new_array(&level->crd, level->npos, from->crd.width, err));
    }
    to->npos = nparents;
    to->iso = g->from->iso;
    to->has_fill = g->from->has_fill;
    memcpy(to->fill, g->from->fill, sizeof to->fill);
    TSR_TRY(new_array(&to->values, to->iso ? 1 : nparents, g->from->values.width, err));
    if (to->iso)
        memcpy(to->values.data, g->from->values.data, to->values.width);
    return TSR_OK;
}

static tsr_status add_up(slices *s, uint64_t n, tsr_error *err)
{
    s->at[0] = 0;
    for (uint64_t k = 0; k < n; k++)
        if (!tsr_add_u64(&s->at[k + 1], s->at[k + 1], s->at[k]))
            return tsr_fail(err, TSR_LIMIT, "the slices have more than 2^64 positions");
    return TSR_OK;
}

static tsr_status run(gather *g, int nthreads, tsr_error *err)
{
    for (int l = 1; l <= g->last; l++) {
        TSR_TRY(tsr_alloc_array((void **)&g->level[l].first, g->n, sizeof(uint64_t), 0, "slices", err));
        TSR_TRY(tsr_alloc_array((void **)&g->level[l].at, g->n + 1, sizeof(uint64_t), 0, "slices", err));
    }
    if (g->last == 0) { /* of a vector: one element each */
        TSR_TRY(tsr_alloc_array((void **)&g->level[0].at, g->n + 1, sizeof(uint64_t), 0, "slices", err));
        for (uint64_t k = 0; k < g->n; k++)
            g->level[0].at[k + 1] = 1;
        TSR_TRY(add_up(&g->level[0], g->n, err));
    }
    tsr_parallel(g->n < PARALLEL_FROM ? 1 : nthreads, find_share, g);
    for (int l = 1; l <= g->last; l++)
        TSR_TRY(add_up(&g->level[l], g->n, err));
    TSR_TRY(make_arrays(g, err));
    tsr_parallel(g->to->npos < PARALLEL_FROM ? 1 : nthreads, copy_share, g);
    return TSR_OK;
}

tsr_status tsr_gather_slices(tsr_tensor **out, const tsr_tensor *tensor, int mode, const tsr_array *index,
                             int nthreads, tsr_error *err)
{
    uint64_t dims[TSR_MAX_ORDER];
    *out = NULL;
    TSR_TRY(check(tensor, mode, err));
    const uint64_t *const wanted = index->data;
    for (uint64_t k = 0; k < index->n; k++)
        if (wanted[k] >= tensor->dims[mode])
            return tsr_fail(err, TSR_ARGUMENT,
                            "coordinate %" PRIu64 " of the list is %" PRIu64 ", but mode %d has [0, %" PRIu64
                            ")",
                            k, wanted[k], mode, tensor->dims[mode]);
    memcpy(dims, tensor->dims, (size_t)tensor->order * sizeof *dims);
    dims[mode] = index->n;
    gather g = {.from = tensor, .n = index->n, .last = tensor->nlevels - 1, .level[0].first = index->data};
    TSR_TRY(tsr_tensor_new(&g.to, tensor->format, dims, tensor->type, err));
    const tsr_status status = run(&g, nthreads, err);
    for (int l = 0; l <= g.last; l++) {
        tsr_free(g.level[l].at);
        if (l > 0)
            tsr_free(g.level[l].first);
    }
    if (status == TSR_OK)
        *out = g.to;
    else
        tsr_tensor_free(g.to);
    return status;
}
