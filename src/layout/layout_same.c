/* Exact comparison of layouts: see tsr_layout_same. */
#include "tsr_layout.h"

#include <string.h>

#include "tsr_checked.h"

static const int64_t few_points = (int64_t)1 << 20; /* compared without trying anything else first */
static const int64_t max_points = (int64_t)1 << 28; /* the most points that are compared */

/* Whether the offset is known to be a sum of functions of one dim each. */
static bool is_separable(const tsr_layout *layout)
{
    if (layout->kind == TSR_LAYOUT_TLA)
        return true;
    if (layout->kind != TSR_LAYOUT_XLA)
        return layout->rank < 2;
    for (int k = 0; k < layout->xla->ntiles; k++)
        for (int i = 0; i < layout->xla->tiles[k].rank; i++)
            if (layout->xla->tiles[k].t[i] == TSR_XLA_STAR)
                return false;
    return true;
}

/* out->verdict at this coordinate: same offset, different offset, or outside one domain. */
static tsr_status compare_at(tsr_layout_difference *out, const tsr_layout *const pair[2],
                             const int64_t *coord)
{
    bool outside[2] = {false, false};
    int64_t offset[2];
    for (int i = 0; i < 2; i++) {
        tsr_error fault;
        const tsr_status status = tsr_layout_offset(&offset[i], pair[i], coord, &fault);
        if (status == TSR_NOMEM)
            return status;
        outside[i] = status != TSR_OK;
    }
    if (outside[0] != outside[1])
        out->verdict = TSR_LAYOUT_OTHER_DOMAIN;
    else if (!outside[0] && offset[0] != offset[1])
        out->verdict = TSR_LAYOUT_OTHER_OFFSET;
    else
        return TSR_OK;
    memcpy(out->coord, coord, (size_t)pair[0]->rank * sizeof *coord);
    memcpy(out->offset, offset, sizeof offset);
    return TSR_OK;
}

/* Both offsets are sums of functions of one dim: in the first difference in row-major order all coordinates
 * before the last dim whose functions differ are 0. */
static tsr_status compare_dims(tsr_layout_difference *out, const tsr_layout *const pair[2])
{
    for (int d = pair[0]->rank - 1; d >= 0; d--) {
        int64_t coord[TSR_MAP_MAX_VARS] = {0};
        for (; coord[d] < pair[0]->dims[d] && out->verdict == TSR_LAYOUT_SAME; coord[d]++)
            TSR_TRY(compare_at(out, pair, coord));
        if (out->verdict != TSR_LAYOUT_SAME)
            return TSR_OK;
    }
    return TSR_OK;
}

static tsr_status compare_points(tsr_layout_difference *out, const tsr_layout *const pair[2])
{
    int64_t coord[TSR_MAP_MAX_VARS] = {0};
    for (;;) {
        TSR_TRY(compare_at(out, pair, coord));
        if (out->verdict != TSR_LAYOUT_SAME)
            return TSR_OK;
        int d = pair[0]->rank - 1;
        while (d >= 0 && ++coord[d] == pair[0]->dims[d])
            coord[d--] = 0;
        if (d < 0)
            return TSR_OK;
    }
}

/* Compare by the maps alone, for layouts with too many points. */
static tsr_status compare_maps(tsr_layout_difference *out, const tsr_layout *const pair[2], tsr_error *err)
{
    bool same = false;
    TSR_TRY(tsr_map_same(&same, out->coord, pair[0]->offset, pair[1]->offset, err));
    if (!same)
        TSR_TRY(compare_at(out, pair, out->coord));
    if (!same && out->verdict == TSR_LAYOUT_SAME)
        return tsr_fail(err, TSR_LIMIT, "the layouts have too many points to compare");
    return TSR_OK;
}

/* The number of points to compare, at most max_points + 1: the sum of the dims if separable, else their
 * product. */
static int64_t count_points(const tsr_layout *layout, bool separable)
{
    int64_t n = separable ? 0 : 1;
    for (int d = 0; d < layout->rank; d++) {
        const bool fits =
            separable ? tsr_add_i64(&n, n, layout->dims[d]) : tsr_mul_i64(&n, n, layout->dims[d]);
        if (!fits || n > max_points)
            return max_points + 1;
    }
    return n;
}

tsr_status tsr_layout_same(tsr_layout_difference *out, const tsr_layout *a, const tsr_layout *b,
                           tsr_error *err)
{
    const tsr_layout *const pair[2] = {a, b};
    bool empty = false;
    memset(out, 0, sizeof *out);
    if (a->rank != b->rank) {
        out->verdict = TSR_LAYOUT_OTHER_RANK;
        return TSR_OK;
    }
    for (int d = 0; d < a->rank; d++) {
        if (a->dims[d] != b->dims[d]) {
            out->verdict = TSR_LAYOUT_OTHER_DIM;
            out->dim = d;
            return TSR_OK;
        }
        empty = empty || a->dims[d] == 0;
    }
    const bool same_text =
        a->kind == TSR_LAYOUT_TLA && b->kind == TSR_LAYOUT_TLA && tsr_tla_equal(&a->tla, &b->tla);
    if (empty || same_text || tsr_map_equal(a->offset, b->offset))
        return TSR_OK;
    const bool separable = is_separable(a) && is_separable(b);
    const int64_t npoints = count_points(a, separable);
    if (npoints > few_points) {
        const tsr_status decided = compare_maps(out, pair, err);
        const bool differ = decided == TSR_OK && out->verdict != TSR_LAYOUT_SAME;
        if ((decided != TSR_UNSUPPORTED && !differ) || npoints > max_points)
            return decided;
        /* preliminary: if there is an earlier difference, it is found below */
        out->verdict = TSR_LAYOUT_SAME;
    }
    const tsr_status status = separable ? compare_dims(out, pair) : compare_points(out, pair);
    return status == TSR_NOMEM ? tsr_fail(err, TSR_NOMEM, "out of memory while comparing layouts") : status;
}
