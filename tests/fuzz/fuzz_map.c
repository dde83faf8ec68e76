/* Map texts: what parses prints as text that parses back to an equal map; simplifying keeps its values,
 * inverting gives back its points, its plan computes what eval does, wherever eval does not overflow, and it
 * is the same map as its simplification. */
#include "tsr_fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "map_internal.h"

enum { NPOINTS = 16, MAX_WORK_NBYTES = 400 }; /* longer texts are only parsed and printed */

static void check_print(const tsr_map *map)
{
    tsr_text text = {0};
    tsr_map *back;
    tsr_map_print(&text, map);
    TSR_FUZZ_MUST(tsr_text_status(&text, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_map_parse(&back, tsr_text_cstr(&text), NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_map_equal(map, back));
    tsr_map_free(back);
    tsr_text_clear(&text);
}

/* The i-th of some points of the box, corners among them. False: the box is empty. */
static bool choose_point(int64_t *x, const tsr_map *map, uint64_t i)
{
    for (int v = 0; v < map->nvars; v++) {
        const tsr_interval b = map->vars[v].bounds;
        const int64_t lo = b.lo < -1000 && b.hi >= -1000 ? -1000 : b.lo;
        const int64_t hi = b.hi > lo && b.hi - 1000 > lo ? lo + 1000 : b.hi;
        if (lo > hi)
            return false;
        const uint64_t mix = (i * 2654435761u + (uint64_t)v * 40503u) >> 3;
        x[v] = i == 0   ? b.lo
               : i == 1 ? b.hi
                        : (int64_t)((uint64_t)lo + mix % ((uint64_t)hi - (uint64_t)lo + 1));
    }
    return true;
}

/* Whether the point is in the domain; false also when that overflows. */
static bool is_inside(const tsr_map *map, const int64_t *x)
{
    bool inside;
    return tsr_map_inside(&inside, map, x, NULL) == TSR_OK && inside;
}

static void check_plan(const tsr_map *map, const int64_t *x, const int64_t *y)
{
    tsr_map_plan *plan;
    if (tsr_map_plan_new(&plan, map, NULL) != TSR_OK)
        return;
    const int64_t *in[TSR_MAP_MAX_VARS];
    int64_t *out[TSR_MAP_MAX_RESULTS], got[TSR_MAP_MAX_RESULTS];
    void *scratch = malloc(tsr_map_plan_scratch_nbytes(plan) + 1);
    TSR_FUZZ_MUST(scratch != NULL);
    for (int v = 0; v < map->nvars; v++)
        in[v] = &x[v];
    for (int r = 0; r < map->nresults; r++)
        out[r] = &got[r];
    uint8_t inside;
    tsr_map_plan_inside(plan, &inside, in, 1, scratch);
    TSR_FUZZ_MUST(inside == 1);
    tsr_map_plan_apply(plan, out, in, 1, scratch);
    TSR_FUZZ_MUST(map->nresults == 0 || memcmp(got, y, (size_t)map->nresults * sizeof *y) == 0);
    free(scratch);
    tsr_map_plan_free(plan);
}

static void check_values(const tsr_map *map, const tsr_map *simple, const tsr_map *inverse)
{
    int64_t x[TSR_MAP_MAX_VARS], y[TSR_MAP_MAX_RESULTS], z[TSR_MAP_MAX_VARS + TSR_MAP_MAX_RESULTS];
    for (uint64_t i = 0; i < NPOINTS; i++) {
        if (!choose_point(x, map, i) || !is_inside(map, x) || tsr_map_eval(y, map, x, NULL) != TSR_OK)
            continue;
        if (i < 3)
            check_plan(map, x, y);
        if (tsr_map_eval(z, simple, x, NULL) == TSR_OK)
            TSR_FUZZ_MUST(map->nresults == 0 || memcmp(z, y, (size_t)map->nresults * sizeof *y) == 0);
        TSR_FUZZ_MUST(is_inside(simple, x));
        if (inverse && tsr_map_eval(z, inverse, y, NULL) == TSR_OK)
            TSR_FUZZ_MUST(map->nvars == 0 || memcmp(z, x, (size_t)map->nvars * sizeof *x) == 0);
    }
}

/* Points are walked only where they are few: the target has to be quick. */
static void check_same(const tsr_map *map, const tsr_map *simple)
{
    tsr_map *again;
    tsr_points points;
    bool same = true;
    TSR_FUZZ_MUST(tsr_map_simplify(&again, simple, NULL) == TSR_OK);
    if (tsr_points_init(&points, map->vars, map->nvars, UINT64_MAX, 1) && points.npoints < 5000)
        TSR_FUZZ_MUST(tsr_map_same(&same, NULL, map, again, NULL) != TSR_OK || same);
    tsr_map_free(again);
    tsr_text text = {0};
    const tsr_status status = tsr_map_emit_c(&text, map, "function", NULL);
    TSR_FUZZ_MUST(status == TSR_OK || status == TSR_UNSUPPORTED);
    tsr_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char *const text = tsr_fuzz_text(data, nbytes);
    tsr_map *map, *simple = NULL, *inverse = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_map_parse(&map, text, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (map != NULL));
    if (status != TSR_OK)
        TSR_FUZZ_MUST(err.status == status && err.message[0] != '\0' && err.col <= nbytes + 1);
    else
        check_print(map);
    if (map && nbytes <= MAX_WORK_NBYTES) {
        TSR_FUZZ_MUST(tsr_map_simplify(&simple, map, NULL) == TSR_OK);
        check_print(simple);
        check_same(map, simple);
        if (tsr_map_invert(&inverse, map, NULL) == TSR_OK)
            check_print(inverse);
        check_values(map, simple, inverse);
    }
    tsr_map_free(map);
    tsr_map_free(simple);
    tsr_map_free(inverse);
    free(text);
    return 0;
}
