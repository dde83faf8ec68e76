/* The ranges of a map's results on its domain. */
#include "map_internal.h"

/* limits of evaluating all points: points, and points times nodes */
enum { MAX_POINTS = 1 << 16, MAX_WORK = 1 << 26 };

/* bounds[r] = the least and the greatest value of result r over all points; false: there are too many points,
 * or a value leaves int64. */
static bool walk_image(tsr_interval *bounds, const tsr_map *map)
{
    tsr_points points;
    int64_t y[TSR_MAP_MAX_RESULTS];
    bool inside, any = false;
    if (!tsr_points_init(&points, map->vars, map->nvars, UINT64_MAX, 0) || !points.whole ||
        points.npoints > MAX_POINTS || points.npoints > MAX_WORK / tsr_map_cost(map))
        return false;
    tsr_interval seen[TSR_MAP_MAX_RESULTS];
    while (tsr_points_next(&points)) {
        if (tsr_map_inside(&inside, map, points.x, NULL) != TSR_OK)
            return false;
        if (!inside)
            continue;
        if (tsr_map_eval(y, map, points.x, NULL) != TSR_OK)
            return false;
        for (int r = 0; r < map->nresults; r++) {
            seen[r].lo = any && seen[r].lo < y[r] ? seen[r].lo : y[r];
            seen[r].hi = any && seen[r].hi > y[r] ? seen[r].hi : y[r];
        }
        any = true;
    }
    for (int r = 0; r < map->nresults; r++)
        bounds[r] = any ? seen[r] : TSR_INTERVAL_EMPTY;
    return true;
}

tsr_status tsr_map_image(tsr_interval *bounds, const tsr_map *map, tsr_error *err)
{
    tsr_map *simple;
    TSR_TRY(tsr_map_simplify(&simple, map, err));
    if (tsr_map_is_known_empty(simple))
        for (int r = 0; r < map->nresults; r++)
            bounds[r] = TSR_INTERVAL_EMPTY;
    else if (!walk_image(bounds, simple))
        for (int r = 0; r < map->nresults; r++)
            bounds[r] = tsr_simplify_interval(simple, simple->results[r]);
    tsr_map_free(simple);
    return TSR_OK;
}
