/* tsr_unpack: from a packed tensor back to coordinates.
 *
 * Blocks of leaf positions climb through the levels, which gives storage coordinates; the inverse map takes
 * these to the modes. */
#include <inttypes.h>

#include "tsr_pack.h"
#include "tsr_parallel.h"

enum { BLOCK = TSR_LEVEL_BLOCK };

/* One thread's share of the leaf positions. */
typedef struct share {
    uint64_t nentries; /* in it */
    uint64_t out;      /* where they go */
    tsr_error err;     /* status TSR_OK: none */
    void *memory;
    /* BLOCK places each */
    uint64_t *level[TSR_MAX_LEVELS], *mode[TSR_MAX_ORDER];
    uint64_t *leaf, *position; /* leaf positions, and the same on their way up */
    uint8_t *image;            /* 1: the cell is the image of a coordinate, 0: padding */
    void *scratch;             /* for the maps' plans */
} share;

typedef struct unpacker {
    const tsr_tensor *tensor;
    tsr_binding *binding;
    tsr_map_plan *inverse, *forward; /* forward: only where cells may be padding */
    bool dense;                      /* the leaf holds fill where there is no entry */
    bool iso_padding;                /* padding has the one value, too, and is told by its cell alone */
    int nthreads;
    share *shares;
    tsr_coo *coo;
} unpacker;

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

static size_t select_block(const unpacker *u, uint64_t *position, uint64_t first, size_t n)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const tsr_tensor *tensor = u->tensor;
    const unsigned char *fill = tensor->has_fill ? tensor->fill : zero;
    if (u->dense && tensor->iso && memcmp(tensor->values.data, fill, tensor->values.width) == 0)
        return 0;
    if (u->dense && !tensor->iso)
        return select_values(position, tensor->values.data, tensor->values.width, fill, first, n);
    for (size_t i = 0; i < n; i++)
        position[i] = first + i;
    return n;
}

/* ---- from positions to coordinates ---- */

/* The modes' coordinates of the n cells at s->level. */
static void invert(const unpacker *u, share *s, size_t n)
{
    const int64_t *in[TSR_MAX_LEVELS];
    int64_t *out[TSR_MAX_ORDER];
    for (int l = 0; l < u->tensor->nlevels; l++) {
        const int64_t base = u->binding->base[l];
        in[l] = (const int64_t *)s->level[l];
        for (size_t i = 0; base != 0 && i < n; i++)
            s->level[l][i] += (uint64_t)base;
    }
    for (int m = 0; m < u->tensor->order; m++)
        out[m] = (int64_t *)s->mode[m];
    tsr_map_plan_apply(u->inverse, out, in, n, s->scratch);
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
static bool all_inside(const unpacker *u, share *s, size_t n)
{
    for (int m = 0; m < u->tensor->order; m++)
        for (size_t i = 0; i < n; i++)
            s->image[i] &= s->mode[m][i] < u->tensor->dims[m];
    return memchr(s->image, 0, n) == NULL;
}

/* s->image[i] = 0 for the coordinates that the map does not take back to the cell they came from; true when
 * there is none.
 * Overwrites s->position. */
static bool all_images(const unpacker *u, share *s, size_t n)
{
    const int64_t *in[TSR_MAX_ORDER];
    if (!all_inside(u, s, n))
        for (int m = 0; m < u->tensor->order; m++)
            for (size_t i = 0; i < n; i++)
                s->mode[m][i] = s->image[i] ? s->mode[m][i] : 0; /* the map takes only what is in bounds */
    for (int m = 0; m < u->tensor->order; m++)
        in[m] = (const int64_t *)s->mode[m];
    for (int l = 0; l < u->tensor->nlevels; l++) {
        int64_t *out[TSR_MAX_LEVELS] = {NULL};
        out[l] = (int64_t *)s->position;
        tsr_map_plan_apply(u->forward, out, in, n, s->scratch);
        for (size_t i = 0; i < n; i++)
            s->image[i] &= s->position[i] == s->level[l][i];
    }
    return memchr(s->image, 0, n) == NULL;
}

/* Leave out what is padding: s->leaf and s->mode keep the rest. */
static size_t drop_padding(const unpacker *u, share *s, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!s->image[i])
            continue;
        s->leaf[kept] = s->leaf[i];
        for (int m = 0; m < u->tensor->order; m++)
            s->mode[m][kept] = s->mode[m][i];
        kept++;
    }
    return kept;
}

/* The coordinates (at s->mode) of those of the n leaf positions at s->leaf that are entries: *n of them.
 * Padding that holds a value of its own is TSR_CORRUPT. */
static tsr_status climb(const unpacker *u, share *s, size_t *n)
{
    const tsr_tensor *tensor = u->tensor;
    memcpy(s->position, s->leaf, *n * sizeof *s->leaf);
    memset(s->image, 1, *n);
    for (int l = tensor->nlevels - 1; l >= 0; l--) {
        const tsr_level *level = &tensor->levels[l];
        level->type->climb(level, s->position, s->level[l], *n);
        if (level->pitch > level->size)
            clear_beyond_size(s, s->level[l], level->size, *n);
    }
    invert(u, s, *n);
    if (u->binding->may_pad ? all_images(u, s, *n) : all_inside(u, s, *n))
        return TSR_OK;
    if (u->iso_padding) {
        *n = drop_padding(u, s, *n);
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
    const unpacker *u = arg;
    share *s = &u->shares[t];
    const uint64_t npos = u->tensor->npos, end = tsr_cut(npos, t + 1, nthreads);
    size_t step;
    if (!u->dense) {
        s->nentries = end - tsr_cut(npos, t, nthreads);
        return;
    }
    for (uint64_t first = tsr_cut(npos, t, nthreads); first < end; first += step) {
        step = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        size_t n = select_block(u, s->leaf, first, step);
        if (u->iso_padding && climb(u, s, &n) != TSR_OK)
            return;
        s->nentries += n;
    }
}

/* The values at the n rising leaf positions, to entry `out` and after. */
static void copy_values(tsr_array *to, uint64_t out, const tsr_array *from, const uint64_t *restrict leaf,
                        size_t n)
{
    const size_t width = from->width;
    if (leaf[n - 1] - leaf[0] == n - 1) {
        memcpy((unsigned char *)to->data + out * width, (unsigned char *)from->data + leaf[0] * width,
               n * width);
        return;
    }
    tsr_array_gather((unsigned char *)to->data + out * width, from->data, width, leaf, UINT64_MAX, n);
}

static void write_share(void *arg, int t, int nthreads)
{
    const unpacker *u = arg;
    share *s = &u->shares[t];
    const uint64_t npos = u->tensor->npos, end = tsr_cut(npos, t + 1, nthreads);
    uint64_t out = s->out;
    size_t step;
    for (uint64_t first = tsr_cut(npos, t, nthreads); first < end; first += step) {
        step = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        size_t n = select_block(u, s->leaf, first, step);
        if (n == 0)
            continue;
        if (climb(u, s, &n) != TSR_OK)
            return;
        for (int m = 0; m < u->tensor->order; m++)
            tsr_array_store(&u->coo->crd[m], out, s->mode[m], n);
        if (!u->coo->iso && n > 0)
            copy_values(&u->coo->values, out, &u->tensor->values, s->leaf, n);
        out += n;
    }
}

static tsr_status run(unpacker *u, void (*body)(void *u, int t, int nthreads), tsr_error *err)
{
    tsr_parallel(u->nthreads, body, u);
    for (int t = 0; t < u->nthreads; t++)
        if (u->shares[t].err.status != TSR_OK) {
            if (err)
                *err = u->shares[t].err;
            return u->shares[t].err.status;
        }
    return TSR_OK;
}

/* ---- all of it ---- */

static tsr_status new_shares(unpacker *u, tsr_error *err)
{
    const tsr_tensor *tensor = u->tensor;
    const size_t row = BLOCK * sizeof(uint64_t);
    const size_t nrows = (size_t)(tensor->nlevels + tensor->order + 2);
    size_t scratch = tsr_map_plan_scratch_nbytes(u->inverse);
    if (u->forward && tsr_map_plan_scratch_nbytes(u->forward) > scratch)
        scratch = tsr_map_plan_scratch_nbytes(u->forward);
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)u->nthreads, sizeof *u->shares, 1, "unpacking", err));
    u->shares = out;
    for (int t = 0; t < u->nthreads; t++) {
        share *s = &u->shares[t];
        TSR_TRY(tsr_alloc_array(&s->memory, nrows * row + BLOCK + scratch, 1, 0, "unpacking", err));
        uint64_t *next = s->memory;
        for (int l = 0; l < tensor->nlevels; l++, next += BLOCK)
            s->level[l] = next;
        for (int m = 0; m < tensor->order; m++, next += BLOCK)
            s->mode[m] = next;
        s->leaf = next;
        s->position = next + BLOCK;
        s->image = (uint8_t *)(next + 2 * (size_t)BLOCK);
        s->scratch = s->image + BLOCK;
    }
    return TSR_OK;
}

static tsr_status new_coo(unpacker *u, tsr_error *err)
{
    const tsr_tensor *tensor = u->tensor;
    uint64_t nnz = 0;
    for (int t = 0; t < u->nthreads; t++) {
        u->shares[t].out = nnz;
        nnz += u->shares[t].nentries;
    }
    const bool iso = tensor->iso || tensor->type == TSR_PATTERN;
    TSR_TRY(tsr_coo_new_sized(&u->coo, tensor->order, tensor->dims, tensor->type, iso, nnz, err));
    if (tensor->type == TSR_PATTERN)
        *(unsigned char *)u->coo->values.data = 1;
    else if (iso)
        memcpy(u->coo->values.data, tensor->values.data, tensor->values.width);
    u->coo->structure = tensor->structure;
    u->coo->has_fill = tensor->has_fill;
    memcpy(u->coo->fill, tensor->fill, sizeof tensor->fill);
    return TSR_OK;
}

static tsr_status unpack(unpacker *u, tsr_error *err)
{
    const tsr_tensor *tensor = u->tensor;
    const uint64_t nvalues = tensor->iso ? 1 : tensor->npos;
    if (!tensor->values.data || tensor->values.n != nvalues)
        return tsr_fail(err, TSR_CORRUPT, "there are %" PRIu64 " values for %" PRIu64 " positions",
                        tensor->values.data ? tensor->values.n : 0, nvalues);
    TSR_TRY(tsr_binding_new(&u->binding, tensor->format, tensor->dims, err));
    TSR_TRY(tsr_map_plan_new(&u->inverse, u->binding->inverse, err));
    if (u->binding->may_pad)
        TSR_TRY(tsr_map_plan_new(&u->forward, u->binding->forward, err));
    u->dense = tensor->nlevels == 0 || tsr_format_has_dense_leaf(tensor->format);
    u->iso_padding = u->dense && tensor->iso && u->binding->may_pad;
    TSR_TRY(new_shares(u, err));
    TSR_TRY(run(u, count_share, err));
    TSR_TRY(new_coo(u, err));
    return run(u, write_share, err);
}

tsr_status tsr_unpack(tsr_coo **out, const tsr_tensor *tensor, int nthreads, tsr_error *err)
{
    unpacker u = {.tensor = tensor, .nthreads = tsr_thread_count(nthreads)};
    *out = NULL;
    const tsr_status status = unpack(&u, err);
    for (int t = 0; u.shares && t < u.nthreads; t++)
        tsr_free(u.shares[t].memory);
    tsr_free(u.shares);
    tsr_map_plan_free(u.inverse);
    tsr_map_plan_free(u.forward);
    tsr_binding_free(u.binding);
    if (status == TSR_OK)
        *out = u.coo;
    else
        tsr_coo_free(u.coo);
    return status;
}
