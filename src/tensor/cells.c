/* The walker of entries: see tsr_cells.h. */
#include "tsr_cells.h"

#include <inttypes.h>

#include "tsr_parallel.h"

enum { BLOCK = TSR_LEVEL_BLOCK };

/* One thread's share of the positions. */
typedef struct share {
    uint64_t nentries; /* in it, as counted */
    tsr_error err;     /* status TSR_OK: none */
    void *memory;
    /* BLOCK places each */
    uint64_t *level[TSR_MAX_LEVELS], *mode[TSR_MAX_ORDER];
    uint64_t *leaf, *position; /* positions of the last level, and the same on their way up */
    uint8_t *image;            /* 1: the cell is the image of a coordinate, 0: padding */
    void *scratch;             /* for the maps' plans */
} share;

struct tsr_cells {
    const tsr_tensor *tensor; /* or NULL */
    const tsr_coo *coo;       /* or NULL */
    tsr_binding *binding;
    tsr_map_plan *inverse, *forward; /* forward: only where cells may be padding */
    bool dense;                      /* the last level holds fill where there is no entry */
    bool iso_padding;                /* padding has the one value, too, and is told by its cell alone */
    int nthreads;
    share *shares;
    bool (*take)(void *arg, int t, const tsr_cell_block *block);
    void *arg;
};

/* ---- which positions are entries ---- */

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

/* The positions in [first, first + n) whose value is not bitwise `fill`. */
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

static size_t select_block(const tsr_cells *c, uint64_t *position, uint64_t first, size_t n)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const tsr_tensor *tensor = c->tensor;
    const unsigned char *fill = tensor->has_fill ? tensor->fill : zero;
    if (c->dense && tensor->iso && memcmp(tensor->values.data, fill, tensor->values.width) == 0)
        return 0;
    if (c->dense && !tensor->iso)
        return select_values(position, tensor->values.data, tensor->values.width, fill, first, n);
    for (size_t i = 0; i < n; i++)
        position[i] = first + i;
    return n;
}

/* ---- from positions to coordinates ---- */

/* The modes' coordinates of the n cells at s->level. */
static void invert(const tsr_cells *c, share *s, size_t n)
{
    const int64_t *in[TSR_MAX_LEVELS];
    int64_t *out[TSR_MAX_ORDER];
    for (int l = 0; l < c->tensor->nlevels; l++) {
        const int64_t base = c->binding->base[l];
        in[l] = (const int64_t *)s->level[l];
        for (size_t i = 0; base != 0 && i < n; i++)
            s->level[l][i] += (uint64_t)base;
    }
    for (int m = 0; m < c->tensor->order; m++)
        out[m] = (int64_t *)s->mode[m];
    tsr_map_plan_apply(c->inverse, out, in, n, s->scratch);
}

/* s->image[i] = 0 for the coordinates that the padding of a pitch has; these become 0, as the maps do not
 * take them. */
static void clear_beyond_size(share *s, uint64_t *restrict coord, uint64_t size, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        s->image[i] &= coord[i] < size;
        coord[i] = coord[i] < size ? coord[i] : 0;
    }
}

/* s->image[i] = 0 for the coordinates that are outside the dims; true when there is none. */
static bool all_inside(const tsr_cells *c, share *s, size_t n)
{
    for (int m = 0; m < c->tensor->order; m++)
        for (size_t i = 0; i < n; i++)
            s->image[i] &= s->mode[m][i] < c->tensor->dims[m];
    return memchr(s->image, 0, n) == NULL;
}

/* s->image[i] = 0 for the coordinates that the map does not take back to the cell they came from; true when
 * there is none.
 * Overwrites s->position. */
static bool all_images(const tsr_cells *c, share *s, size_t n)
{
    const int64_t *in[TSR_MAX_ORDER];
    if (!all_inside(c, s, n))
        for (int m = 0; m < c->tensor->order; m++)
            for (size_t i = 0; i < n; i++)
                s->mode[m][i] = s->image[i] ? s->mode[m][i] : 0; /* the map takes only what is in bounds */
    for (int m = 0; m < c->tensor->order; m++)
        in[m] = (const int64_t *)s->mode[m];
    for (int l = 0; l < c->tensor->nlevels; l++) {
        int64_t *out[TSR_MAX_LEVELS] = {NULL};
        out[l] = (int64_t *)s->position;
        tsr_map_plan_apply(c->forward, out, in, n, s->scratch);
        for (size_t i = 0; i < n; i++)
            s->image[i] &= s->position[i] == s->level[l][i];
    }
    return memchr(s->image, 0, n) == NULL;
}

/* Leave out what is padding: s->leaf and s->mode keep the rest. */
static size_t drop_padding(const tsr_cells *c, share *s, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!s->image[i])
            continue;
        s->leaf[kept] = s->leaf[i];
        for (int m = 0; m < c->tensor->order; m++)
            s->mode[m][kept] = s->mode[m][i];
        kept++;
    }
    return kept;
}

/* The coordinates (at s->mode) of those of the n leaf positions at s->leaf that are entries: *n of them.
 * Padding that holds a value of its own is TSR_CORRUPT. */
static tsr_status climb(const tsr_cells *c, share *s, size_t *n)
{
    const tsr_tensor *tensor = c->tensor;
    memcpy(s->position, s->leaf, *n * sizeof *s->leaf);
    memset(s->image, 1, *n);
    for (int l = tensor->nlevels - 1; l >= 0; l--) {
        const tsr_level *level = &tensor->levels[l];
        level->type->climb(level, s->position, s->level[l], *n);
        if (level->pitch > level->size)
            clear_beyond_size(s, s->level[l], level->size, *n);
    }
    invert(c, s, *n);
    if (c->binding->may_pad ? all_images(c, s, *n) : all_inside(c, s, *n))
        return TSR_OK;
    if (c->iso_padding) {
        *n = drop_padding(c, s, *n);
        return TSR_OK;
    }
    size_t i = 0;
    while (s->image[i])
        i++;
    return tsr_fail(&s->err, TSR_CORRUPT,
                    "position %" PRIu64 " of the last level holds a value but stands for no coordinate",
                    s->leaf[i]);
}

/* ---- the passes ---- */

static void count_share(void *arg, int t, int nthreads)
{
    const tsr_cells *c = arg;
    share *s = &c->shares[t];
    const uint64_t npos = c->tensor->npos, end = tsr_cut(npos, t + 1, nthreads);
    size_t step;
    s->nentries = 0;
    if (!c->dense) {
        s->nentries = end - tsr_cut(npos, t, nthreads);
        return;
    }
    for (uint64_t first = tsr_cut(npos, t, nthreads); first < end; first += step) {
        step = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        size_t n = select_block(c, s->leaf, first, step);
        if (c->iso_padding && climb(c, s, &n) != TSR_OK)
            return;
        s->nentries += n;
    }
}

static void walk_tensor(const tsr_cells *c, share *s, int t, int nthreads)
{
    tsr_cell_block block = {.position = s->leaf};
    const uint64_t npos = c->tensor->npos, end = tsr_cut(npos, t + 1, nthreads);
    size_t step;
    for (int m = 0; m < c->tensor->order; m++)
        block.crd[m] = s->mode[m];
    for (uint64_t first = tsr_cut(npos, t, nthreads); first < end; first += step) {
        step = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        block.n = select_block(c, s->leaf, first, step);
        if (block.n == 0)
            continue;
        if (climb(c, s, &block.n) != TSR_OK)
            return;
        if (block.n > 0 && !c->take(c->arg, t, &block))
            return;
    }
}

static void walk_coo(const tsr_cells *c, share *s, int t, int nthreads)
{
    tsr_cell_block block = {.n = 0};
    const uint64_t end = tsr_cut(c->coo->nnz, t + 1, nthreads);
    for (int m = 0; m < c->coo->order; m++)
        block.crd[m] = s->mode[m];
    for (uint64_t first = tsr_cut(c->coo->nnz, t, nthreads); first < end; first += block.n) {
        block.n = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        for (int m = 0; m < c->coo->order; m++)
            tsr_array_load(s->mode[m], &c->coo->crd[m], first, block.n);
        if (!c->take(c->arg, t, &block))
            return;
    }
}

static void walk_share(void *arg, int t, int nthreads)
{
    const tsr_cells *c = arg;
    if (c->tensor)
        walk_tensor(c, &c->shares[t], t, nthreads);
    else
        walk_coo(c, &c->shares[t], t, nthreads);
}

/* Run the body for all shares; the fault of the first share that has one wins. */
static tsr_status run(tsr_cells *c, void (*body)(void *c, int t, int nthreads), tsr_error *err)
{
    tsr_parallel(c->nthreads, body, c);
    for (int t = 0; t < c->nthreads; t++)
        if (c->shares[t].err.status != TSR_OK) {
            if (err)
                *err = c->shares[t].err;
            return c->shares[t].err.status;
        }
    return TSR_OK;
}

int tsr_cells_nshares(const tsr_cells *cells)
{
    return cells->nthreads;
}

tsr_status tsr_cells_count(uint64_t *counts, tsr_cells *cells, tsr_error *err)
{
    if (cells->tensor)
        TSR_TRY(run(cells, count_share, err));
    for (int t = 0; t < cells->nthreads; t++)
        counts[t] = cells->tensor ? cells->shares[t].nentries
                                  : tsr_cut(cells->coo->nnz, t + 1, cells->nthreads) -
                                        tsr_cut(cells->coo->nnz, t, cells->nthreads);
    return TSR_OK;
}

tsr_status tsr_cells_walk(tsr_cells *cells, bool (*take)(void *arg, int t, const tsr_cell_block *block),
                          void *arg, tsr_error *err)
{
    cells->take = take;
    cells->arg = arg;
    return run(cells, walk_share, err);
}

/* ---- making and freeing ---- */

static tsr_status new_share(tsr_cells *c, share *s, tsr_error *err)
{
    const int nlevels = c->tensor ? c->tensor->nlevels : 0,
              order = c->tensor ? c->tensor->order : c->coo->order;
    const size_t row = BLOCK * sizeof(uint64_t), nrows = (size_t)(nlevels + order + 2);
    size_t scratch = c->inverse ? tsr_map_plan_scratch_nbytes(c->inverse) : 0;
    if (c->forward && tsr_map_plan_scratch_nbytes(c->forward) > scratch)
        scratch = tsr_map_plan_scratch_nbytes(c->forward);
    TSR_TRY(tsr_alloc_array(&s->memory, nrows * row + BLOCK + scratch, 1, 0, "blocks of coordinates", err));
    uint64_t *next = s->memory;
    for (int l = 0; l < nlevels; l++, next += BLOCK)
        s->level[l] = next;
    for (int m = 0; m < order; m++, next += BLOCK)
        s->mode[m] = next;
    s->leaf = next;
    s->position = next + BLOCK;
    s->image = (uint8_t *)(next + 2 * (size_t)BLOCK);
    s->scratch = s->image + BLOCK;
    return TSR_OK;
}

static tsr_status bind_tensor(tsr_cells *c, tsr_error *err)
{
    const tsr_tensor *tensor = c->tensor;
    const uint64_t nvalues = tensor->iso ? 1 : tensor->npos;
    c->dense = tensor->nlevels == 0 || tsr_format_has_dense_leaf(tensor->format);
    if (c->dense && (!tensor->values.data || tensor->values.n != nvalues))
        return tsr_fail(err, TSR_CORRUPT, "there are %" PRIu64 " values for %" PRIu64 " positions",
                        tensor->values.data ? tensor->values.n : 0, nvalues);
    TSR_TRY(tsr_binding_new(&c->binding, tensor->format, tensor->dims, err));
    TSR_TRY(tsr_map_plan_new(&c->inverse, c->binding->inverse, err));
    if (c->binding->may_pad)
        TSR_TRY(tsr_map_plan_new(&c->forward, c->binding->forward, err));
    c->iso_padding = c->dense && tensor->iso && c->binding->may_pad;
    return TSR_OK;
}

tsr_status tsr_cells_new(tsr_cells **out, const tsr_tensor *tensor, const tsr_coo *coo, int nthreads,
                         tsr_error *err)
{
    *out = NULL;
    tsr_cells *const c = tsr_calloc(1, sizeof *c);
    if (!c)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a walk over entries");
    *c = (tsr_cells){.tensor = tensor, .coo = coo, .nthreads = tsr_thread_count(nthreads)};
    void *shares = NULL;
    tsr_status status = tensor ? bind_tensor(c, err) : TSR_OK;
    if (status == TSR_OK)
        status = tsr_alloc_array(&shares, (uint64_t)c->nthreads, sizeof *c->shares, 1, "threads", err);
    c->shares = shares;
    for (int t = 0; t < c->nthreads && status == TSR_OK; t++)
        status = new_share(c, &c->shares[t], err);
    if (status == TSR_OK)
        *out = c;
    else
        tsr_cells_free(c);
    return status;
}

void tsr_cells_free(tsr_cells *cells)
{
    if (!cells)
        return;
    for (int t = 0; cells->shares && t < cells->nthreads; t++)
        tsr_free(cells->shares[t].memory);
    tsr_free(cells->shares);
    tsr_map_plan_free(cells->inverse);
    tsr_map_plan_free(cells->forward);
    tsr_binding_free(cells->binding);
    tsr_free(cells);
}
