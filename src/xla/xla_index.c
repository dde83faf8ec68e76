/* Elements and slots, by the formulas of XLA's documents. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_checked.h"

/* Compute the coordinates in the expanded dims from those in the physical dims; `physical` may be padding (it
 * is less than the first tile's padded sizes). */
static void expand_physical(int64_t *expanded, const tsr_xla *xla, const int64_t *physical)
{
    xla_dims dims;
    xla_physical_dims(&dims, xla);
    memcpy(expanded, physical, (size_t)dims.n * sizeof *physical);
    for (int k = 0; k < xla->ntiles; k++) {
        xla_tile_coords(expanded, &dims, &xla->tiles[k]);
        const tsr_status status = xla_tile_dims(&dims, &xla->tiles[k], NULL);
        (void)status; /* the same call succeeded when the layout was made */
    }
}

tsr_status tsr_xla_expand(int64_t *expanded, const tsr_xla *xla, const int64_t *coords, tsr_error *err)
{
    int64_t physical[TSR_XLA_MAX_EXPANDED];
    TSR_TRY(xla_need_offsets(xla, err));
    for (int d = 0; d < xla->rank; d++)
        if (coords[d] < 0 || coords[d] >= xla->dims[d])
            return tsr_fail(err, TSR_RANGE, "coordinate %lld of dim %d is outside [0, %lld)",
                            (long long)coords[d], d, (long long)xla->dims[d]);
    for (int i = 0; i < xla->rank; i++)
        physical[i] = coords[xla->order[xla->rank - 1 - i]];
    expand_physical(expanded, xla, physical);
    return TSR_OK;
}

tsr_status tsr_xla_linear(int64_t *linear, const tsr_xla *xla, const int64_t *coords, tsr_error *err)
{
    int64_t expanded[TSR_XLA_MAX_EXPANDED];
    *linear = 0;
    TSR_TRY(tsr_xla_expand(expanded, xla, coords, err));
    for (int i = 0; i < xla->nexpanded; i++)
        *linear = *linear * xla->expanded[i] + expanded[i];
    return TSR_OK;
}

/* Replace the coordinates in the expanded dims by those in the physical dims; false: padding. */
static bool contract(int64_t *coords, const tsr_xla *xla)
{
    xla_dims before[TSR_XLA_MAX_TILES + 1];
    xla_physical_dims(&before[0], xla);
    for (int k = 0; k < xla->ntiles; k++) {
        before[k + 1] = before[k];
        const tsr_status status = xla_tile_dims(&before[k + 1], &xla->tiles[k], NULL);
        (void)status; /* the same call succeeded when the layout was made */
    }
    for (int k = xla->ntiles - 1; k >= 0; k--)
        if (!xla_untile_coords(coords, &before[k], &xla->tiles[k]))
            return false;
    return true;
}

tsr_status tsr_xla_element(int64_t *coords, bool *padding, const tsr_xla *xla, int64_t linear, tsr_error *err)
{
    int64_t at[TSR_XLA_MAX_EXPANDED];
    for (int d = 0; d < xla->rank; d++)
        coords[d] = 0;
    *padding = true;
    TSR_TRY(xla_need_offsets(xla, err));
    if (linear < 0 || linear >= xla->nslots)
        return tsr_fail(err, TSR_RANGE, "slot %lld is outside [0, %lld)", (long long)linear,
                        (long long)xla->nslots);
    for (int i = xla->nexpanded - 1; i >= 0; i--) {
        if (xla->expanded[i] == 0)
            return TSR_OK;
        at[i] = linear % xla->expanded[i];
        linear /= xla->expanded[i];
    }
    *padding = linear > 0 || !contract(at, xla); /* linear > 0: the slot is in the tail */
    for (int i = 0; !*padding && i < xla->rank; i++)
        coords[xla->order[xla->rank - 1 - i]] = at[i];
    return TSR_OK;
}

tsr_status tsr_xla_print_order(tsr_text *text, const tsr_xla *xla, int64_t first, int64_t n, tsr_error *err)
{
    TSR_TRY(xla_need_offsets(xla, err));
    if (first < 0 || n < 0)
        return tsr_fail(err, TSR_RANGE,
                        "the first slot and the number of slots must not be negative: %lld, %lld",
                        (long long)first, (long long)n);
    for (int64_t i = 0; i < n && i < xla->nslots - first && !text->failed; i++) {
        int64_t coords[TSR_XLA_MAX_RANK];
        bool padding;
        TSR_TRY(tsr_xla_element(coords, &padding, xla, first + i, err));
        tsr_text_add(text, i > 0 ? " " : "");
        if (padding)
            tsr_text_add(text, "pad");
        for (int d = 0; !padding && d < xla->rank; d++) {
            tsr_text_add(text, d > 0 ? "," : "");
            tsr_text_add_i64(text, coords[d]);
        }
    }
    return tsr_text_status(text, err);
}

/* ---- linear layouts ---- */

/* One group of a tile: n dims of these sizes fold to y = sum w[i] * coords[i], and the slot is q * (y floordiv
 * t) + r * (y mod t) = r * y + (q - r * t) * (y floordiv t). For coords[i] in [0, extent[i]) this is linear
 * if and only if q = r * t or the remainders never add up to t: sum (w[i] mod t) * (extent[i] - 1) < t. */
typedef struct tile_group {
    int n;
    const int64_t *size, *extent;
    int64_t t, q, r;
} tile_group;

static bool group_strides(int64_t *strides, const tile_group *g)
{
    const int64_t t = g->t, q = g->q, r = g->r;
    int64_t w = 1, most = 0, packed;
    bool small = true;
    for (int i = g->n - 1; i >= 0; i--) { /* a stride is the slot of an element, so it fits */
        int64_t remainder;
        small = small && tsr_mul_i64(&remainder, w % t, g->extent[i] - 1) &&
                tsr_add_i64(&most, most, remainder) && most < t;
        strides[i] = g->extent[i] > 1 ? q * (w / t) + r * (w % t) : 0;
        w *= g->size[i];
    }
    return small || (tsr_mul_i64(&packed, r, t) && packed == q);
}

/* Replace the strides of the dims after a tile by those of the dims before it; false if the slot is not
 * linear in those. extent[i]: the coordinates of dim i before the tile are in [0, extent[i]). */
static bool untile_strides(int64_t *strides, const int64_t *extent, const xla_dims *before,
                           const tsr_xla_tile *tile)
{
    int64_t out[TSR_XLA_MAX_EXPANDED] = {0}, extents[TSR_XLA_MAX_EXPANDED];
    xla_dims dims = *before;
    xla_cut cut;
    xla_cut_of(&cut, before->n, tile);
    xla_add_front(&dims, &cut);
    for (int i = 0; i < dims.n; i++)
        extents[i] = i < cut.front ? 1 : extent[i - cut.front];
    memcpy(out, strides, (size_t)cut.kept * sizeof *out);
    for (int g = 0; g < cut.ngroups; g++) {
        const int first = cut.first[g];
        const tile_group group = {.n = cut.first[g + 1] - first,
                                  .size = dims.size + first,
                                  .extent = extents + first,
                                  .t = cut.t[g],
                                  .q = strides[cut.kept + g],
                                  .r = strides[cut.kept + cut.ngroups + g]};
        if (!group_strides(out + first, &group))
            return false;
    }
    memcpy(strides, out + cut.front, (size_t)before->n * sizeof *out);
    return true;
}

/* Replace the extents of the dims before the tile by those of the dims after it. */
static void tile_extent(int64_t *extent, const xla_dims *before, const tsr_xla_tile *tile)
{
    xla_cut cut;
    int64_t last[TSR_XLA_MAX_EXPANDED];
    xla_cut_of(&cut, before->n, tile);
    for (int i = 0; i < before->n; i++)
        last[i] = extent[i] - 1;
    xla_tile_coords(last, before, tile);
    for (int i = 0; i < cut.kept + cut.ngroups; i++)
        extent[i] = last[i] + 1;
    for (int g = 0; g < cut.ngroups; g++) /* less than t only if no coordinate reaches t */
        extent[cut.kept + cut.ngroups + g] =
            last[cut.kept + g] > 0 ? cut.t[g] : last[cut.kept + cut.ngroups + g] + 1;
}

bool tsr_xla_strides(int64_t *strides, const tsr_xla *xla)
{
    xla_dims before[TSR_XLA_MAX_TILES + 1];
    int64_t extent[TSR_XLA_MAX_TILES + 1][TSR_XLA_MAX_EXPANDED], at[TSR_XLA_MAX_EXPANDED];
    for (int d = 0; d < xla->rank; d++)
        strides[d] = 0;
    if (!tsr_xla_is_dense(xla))
        return false;
    if (!xla->has_dims || xla->nelems == 0)
        return xla->has_dims;
    xla_physical_dims(&before[0], xla);
    memcpy(extent[0], before[0].size, sizeof extent[0]);
    for (int k = 0; k < xla->ntiles; k++) {
        before[k + 1] = before[k];
        memcpy(extent[k + 1], extent[k], sizeof extent[0]);
        tile_extent(extent[k + 1], &before[k], &xla->tiles[k]);
        if (xla_tile_dims(&before[k + 1], &xla->tiles[k], NULL) != TSR_OK)
            return false;
    }
    int64_t stride = 1;
    for (int i = xla->nexpanded - 1; i >= 0; i--) {
        at[i] = stride;
        stride *= xla->expanded[i]; /* at most nslots */
    }
    for (int k = xla->ntiles - 1; k >= 0; k--)
        if (!untile_strides(at, extent[k], &before[k], &xla->tiles[k]))
            return false;
    for (int i = 0; i < xla->rank; i++) {
        const int d = xla->order[xla->rank - 1 - i];
        strides[d] = xla->dims[d] > 1 ? at[i] : 0;
    }
    return true;
}

bool tsr_xla_is_linear(const tsr_xla *xla)
{
    int64_t strides[TSR_XLA_MAX_RANK], stride = 1;
    if (!tsr_xla_strides(strides, xla) || xla->nslots != xla->nelems)
        return false;
    for (int i = 0; i < xla->rank && xla->nelems > 0; i++) {
        const int d = xla->order[i];
        if (xla->dims[d] > 1 && strides[d] != stride)
            return false;
        stride *= xla->dims[d];
    }
    return true;
}
