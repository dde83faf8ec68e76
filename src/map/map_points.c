/* Walking the points of a box of variables, in row-major order. */
#include "map_internal.h"

#include "tsr_checked.h"

bool tsr_points_init(tsr_points *points, const tsr_var *vars, int nvars, uint64_t chosen, int64_t reach)
{
    *points = (tsr_points){.first = true, .whole = true, .npoints = 1};
    for (int v = 0; v < nvars; v++) {
        if (!(chosen >> v & 1))
            continue;
        tsr_interval in = vars[v].bounds;
        uint64_t width;
        if (tsr_interval_is_empty(in))
            return false;
        if (!tsr_interval_is_bounded(in)) { /* the part of the interval that is nearest to 0 */
            const tsr_interval near = tsr_interval_meet(in, (tsr_interval){-reach, reach});
            in = !tsr_interval_is_empty(near) ? near
                 : in.lo != INT64_MIN         ? (tsr_interval){in.lo, in.lo}
                                              : (tsr_interval){in.hi, in.hi};
            points->whole = false;
        }
        points->var[points->n] = v;
        points->in[points->n++] = in;
        points->x[v] = in.lo;
        width = (uint64_t)in.hi - (uint64_t)in.lo;
        if (width == UINT64_MAX || !tsr_mul_u64(&points->npoints, points->npoints, width + 1))
            points->npoints = UINT64_MAX;
    }
    return true;
}

bool tsr_points_next(tsr_points *points)
{
    if (points->first) {
        points->first = false;
        return true;
    }
    for (int i = points->n - 1; i >= 0; i--) {
        int64_t *x = &points->x[points->var[i]];
        if (*x < points->in[i].hi) {
            ++*x;
            return true;
        }
        *x = points->in[i].lo;
    }
    return false;
}

uint64_t tsr_map_cost(const tsr_map *map)
{
    uint64_t cost = 1;
    for (int r = 0; r < map->nresults; r++)
        cost += (uint64_t)map->results[r]->nnodes;
    for (int c = 0; c < map->nconstraints; c++)
        cost += (uint64_t)map->constraints[c].x->nnodes;
    return cost;
}
