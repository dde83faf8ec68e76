/* See hlo_support.h. */
#include "hlo_support.h"

#include "map_internal.h"

enum { MAX_POINTS = 30000 };

/* Simplified, without unused symbols. */
static tsr_map *normal(const tsr_map *map)
{
    tsr_map *simple, *out;
    bool keep[TSR_MAP_MAX_VARS];
    assert_ok(tsr_map_simplify(&simple, map, err));
    for (int v = 0; v < simple->nvars; v++)
        keep[v] = tsr_map_uses(simple, v) || tsr_interval_is_empty(simple->vars[v].bounds);
    assert_ok(tsr_map_keep(&out, simple, keep, err));
    tsr_map_free(simple);
    return out;
}

bool hlo_is_inside(const tsr_map *map, const int64_t *x)
{
    bool inside = !map->empty;
    for (int v = 0; v < map->nvars; v++)
        inside &= x[v] >= map->vars[v].bounds.lo && x[v] <= map->vars[v].bounds.hi;
    for (int c = 0; c < map->nconstraints; c++) {
        const tsr_map one = {.nvars = map->nvars, .nresults = 1, .results = {map->constraints[c].x}};
        int64_t y;
        assert_ok(tsr_map_eval(&y, &one, x, err));
        inside &= y >= map->constraints[c].in.lo && y <= map->constraints[c].in.hi;
    }
    return inside;
}

static bool same_at(const tsr_map *a, const tsr_map *b, const int64_t *x)
{
    int64_t y[TSR_MAP_MAX_RESULTS], z[TSR_MAP_MAX_RESULTS];
    const bool inside = hlo_is_inside(a, x);
    if (inside != hlo_is_inside(b, x))
        return false;
    if (!inside)
        return true;
    assert_ok(tsr_map_eval(y, a, x, err));
    assert_ok(tsr_map_eval(z, b, x, err));
    return memcmp(y, z, (size_t)a->nresults * sizeof *y) == 0;
}

/* At the points of the box that holds both boxes. */
static bool same_points(const tsr_map *a, const tsr_map *b)
{
    tsr_interval box[TSR_MAP_MAX_VARS];
    double volume = 1;
    for (int v = 0; v < a->nvars; v++) {
        const tsr_interval p = a->vars[v].bounds, q = b->vars[v].bounds;
        box[v] = (tsr_interval){p.lo < q.lo ? p.lo : q.lo, p.hi > q.hi ? p.hi : q.hi};
        volume *= (double)(box[v].hi - box[v].lo + 1);
    }
    tsr_rng rng = {.s = 1};
    const bool all = volume <= MAX_POINTS;
    const uint64_t n = all ? (uint64_t)volume : MAX_POINTS;
    for (uint64_t i = 0; i < n; i++) {
        int64_t x[TSR_MAP_MAX_VARS];
        uint64_t rest = i;
        for (int v = 0; v < a->nvars; v++) {
            const uint64_t size = (uint64_t)(box[v].hi - box[v].lo + 1);
            x[v] = box[v].lo + (int64_t)(all ? rest % size : tsr_rng_below(&rng, size));
            rest = all ? rest / size : rest;
        }
        if (!same_at(a, b, x))
            return false;
    }
    return true;
}

bool hlo_same_map(const tsr_map *map, const tsr_map *other)
{
    tsr_map *a = normal(map), *b = normal(other);
    bool same = a->ndims == b->ndims && a->nvars == b->nvars && a->nresults == b->nresults;
    for (int v = 0; same && v < a->nvars; v++)
        same = a->vars[v].kind == b->vars[v].kind;
    if (same && tsr_map_is_known_empty(a) && tsr_map_is_known_empty(b))
        same = true;
    else if (same && !tsr_map_equal(a, b))
        same = same_points(a, b);
    tsr_map_free(a);
    tsr_map_free(b);
    return same;
}

bool hlo_same_text(const tsr_hlo_index *index, const char *text)
{
    if (strcmp(text, "unknown indexing") == 0)
        return !index->map && index->why[0] != '\0';
    if (!index->map)
        return false;
    if (strcmp(text, "KNOWN EMPTY") == 0) {
        tsr_map *map = normal(index->map);
        const bool empty = tsr_map_is_known_empty(map);
        tsr_map_free(map);
        return empty;
    }
    tsr_map *want;
    assert_ok(tsr_map_parse(&want, text, err));
    const bool same = hlo_same_map(index->map, want);
    tsr_map_free(want);
    return same;
}

bool hlo_has_way(const tsr_hlo_indexing *ways, const char *text)
{
    bool any = false;
    for (int i = 0; i < ways->n && !any; i++)
        any = hlo_same_text(&ways->index[i], text);
    return any;
}

void hlo_report(const tsr_hlo *hlo, const tsr_hlo_indexing *ways, const char *what, const char *want)
{
    tsr_text text = {0};
    for (int i = 0; i < ways->n; i++) {
        tsr_text_add(&text, "\n  ");
        tsr_hlo_print_index(&text, hlo, &ways->index[i]);
    }
    print_error("%s: want %s, have %d:%s\n", what, want, ways->n, tsr_text_cstr(&text));
    tsr_text_clear(&text);
}
