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

enum { AHEAD = 48, PARALLEL_FROM = 1 << 14 };

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

/* The intervals of a level that lie below those of the level above, of slices [k, end). */
static void find_level(const gather *g, int l, uint64_t k, uint64_t end)
{
    const tsr_level *const level = &g->from->levels[l];
    const uint64_t *const above = g->level[l - 1].first;
    const uint64_t *const nabove = l > 1 ? g->level[l - 1].at + 1 : NULL;
    uint64_t *const first = g->level[l].first, *const count = g->level[l].at + 1;
    const tsr_array *const pos = &level->pos;
    const uint64_t pitch = level->type->full ? level->pitch : 1;
    for (; k < end; k++) {
        const uint64_t n = nabove ? nabove[k] : 1;
        if (!pos->data) {
            first[k] = above[k] * pitch;
            count[k] = n * pitch;
            continue;
        }
        if (k + AHEAD < end)
            tsr_fetch((const char *)pos->data + above[k + AHEAD] * pos->width, 2 * pos->width);
        first[k] = tsr_array_get(pos, above[k]);
        count[k] = tsr_array_get(pos, above[k] + n) - first[k];
    }
}

static void find_share(void *arg, int t, int nthreads)
{
    const gather *const g = arg;
    for (int l = 1; l <= g->last; l++)
        find_level(g, l, tsr_cut(g->n, t, nthreads), tsr_cut(g->n, t + 1, nthreads));
}

/* ---- copying ---- */

/* The elements of slices [k, end): they begin at element s->first[k] of `from`, and at s->at[k] of `to`, which has the same width.
 * Most slices are short: SHORT elements are copied whatever the slice has, so that no branch depends on its length. The elements of
 * the next slices are written over the ones too many. */
static void copy(tsr_array *to, const tsr_array *from, const slices *s, uint64_t k, uint64_t end)
{
    enum { SHORT = 8, LINE = 64 };
    const uint64_t stop = s->at[end];
    const size_t width = from->width;
    for (; k < end; k++) {
        const uint64_t at = s->at[k], n = s->at[k + 1] - at, first = s->first[k];
        char *const x = (char *)to->data + at * width;
        const char *const y = (const char *)from->data + first * width;
        if (k + AHEAD < end) { /* two lines; the processor finds the ones after them */
            const char *const ahead = (const char *)from->data + s->first[k + AHEAD] * width;
            tsr_fetch(ahead, 1);
            tsr_fetch(ahead + LINE, 1);
        }
        const bool is_short = n <= SHORT && at + SHORT <= stop && first + SHORT <= from->n;
        if (is_short && width == 8)
            memcpy(x, y, 8 * SHORT);
        else if (is_short && width == 4)
            memcpy(x, y, 4 * SHORT);
        else if (n > 0)
            memcpy(x, y, n * width);
    }
}

/* The positions of the children of the parents of slices [k, end). */
static void copy_pos(const gather *g, int l, uint64_t k, uint64_t end)
{
    const tsr_array *const from = &g->from->levels[l].pos;
    const slices *const s = &g->level[l], *const above = &g->level[l - 1];
    for (; k < end; k++) {
        const uint64_t to = l > 1 ? above->at[k] : k, n = l > 1 ? above->at[k + 1] - to : 1;
        const uint64_t shift = s->at[k] - s->first[k];
        tsr_array_set(&g->to->levels[l].pos, to, s->at[k]);
        for (uint64_t i = 1; i < n; i++)
            tsr_array_set(&g->to->levels[l].pos, to + i, tsr_array_get(from, above->first[k] + i) + shift);
    }
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
    const uint64_t begin = cut(g, t, nthreads), end = cut(g, t + 1, nthreads);
    for (int l = 1; l <= g->last; l++) {
        const tsr_level *const from = &g->from->levels[l];
        if (from->pos.data)
            copy_pos(g, l, begin, end);
        if (from->crd.data)
            copy(&g->to->levels[l].crd, &from->crd, &g->level[l], begin, end);
    }
    if (!g->from->iso)
        copy(&g->to->values, &g->from->values, &g->level[g->last], begin, end);
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
