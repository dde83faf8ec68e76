/* tlayout's commands on index maps. */
#include <stdio.h>
#include <string.h>

#include "tlayout.h"

static tsr_status say_map(tsr_tlayout *t, const tsr_map *map, tsr_error *err)
{
    tsr_text text = {0};
    tsr_map_show(&text, map);
    return tsr_tlayout_say(t, "map", &text, err);
}

/* Print the simplified map, and free it. */
static tsr_status say_simplified(tsr_tlayout *t, tsr_map *map, tsr_error *err)
{
    tsr_map *simple = NULL;
    tsr_status status = tsr_map_simplify(&simple, map, err);
    tsr_map_free(map);
    if (status == TSR_OK)
        status = say_map(t, simple, err);
    tsr_map_free(simple);
    return status;
}

static tsr_status run_simplify(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    return say_simplified(t, map, err);
}

/* The composition word[0] after word[1] after word[2]... */
static tsr_status run_compose(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL;
    TSR_TRY(tsr_tlayout_in_text(t, word[0], tsr_map_parse(&map, word[0], err)));
    for (int i = 1; i < n; i++) {
        tsr_map *inner = NULL, *both = NULL;
        tsr_status status = tsr_tlayout_in_text(t, word[i], tsr_map_parse(&inner, word[i], err));
        if (status == TSR_OK && tsr_map_ndims(map) != tsr_map_nresults(inner))
            status =
                tsr_fail(err, TSR_ARGUMENT, "map %d has %d results, but map %d has %d dims: they must agree",
                         i + 1, tsr_map_nresults(inner), i, tsr_map_ndims(map));
        if (status == TSR_OK)
            status = tsr_map_compose(&both, map, inner, err);
        tsr_map_free(inner);
        tsr_map_free(map);
        map = both;
        TSR_TRY(status);
    }
    return say_simplified(t, map, err);
}

static tsr_status run_invert(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL, *inverse = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    const tsr_status status = tsr_map_invert(&inverse, map, err);
    tsr_map_free(map);
    TSR_TRY(status);
    return say_simplified(t, inverse, err);
}

/* ---- other variables ---- */

static tsr_status run_remove_unused(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL, *fewer = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    tsr_status status = tsr_map_remove_unused(&fewer, NULL, map, true, true, err);
    tsr_map_free(map);
    if (status == TSR_OK)
        status = say_map(t, fewer, err);
    tsr_map_free(fewer);
    return status;
}

static tsr_status run_rescale(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL, *rescaled = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    tsr_status status = tsr_map_rescale_symbols(&rescaled, map, err);
    tsr_map_free(map);
    if (status == TSR_OK)
        status = say_map(t, rescaled, err);
    tsr_map_free(rescaled);
    return status;
}

/* The number of the symbol of that name, or -1. */
static int find_symbol(const tsr_map *map, const char *name)
{
    for (int v = tsr_map_ndims(map); v < tsr_map_nvars(map); v++)
        if (strcmp(tsr_map_var_name(map, v), name) == 0)
            return v - tsr_map_ndims(map);
    return -1;
}

static tsr_status run_symbols_to_dims(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL, *out = NULL;
    int symbols[TSR_MAP_MAX_VARS];
    tsr_status status = TSR_OK;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    for (int i = 1; i < n && status == TSR_OK; i++) {
        symbols[i - 1] = find_symbol(map, word[i]);
        if (symbols[i - 1] < 0)
            status = tsr_fail(err, TSR_ARGUMENT, "the map has no symbol '%s'", word[i]);
    }
    if (status == TSR_OK)
        status = tsr_map_symbols_to_dims(&out, map, n - 1, symbols, err);
    if (status == TSR_OK)
        status = say_map(t, out, err);
    tsr_map_free(map);
    tsr_map_free(out);
    return status;
}

/* ---- points ---- */

static tsr_status eval_at(void *to, tsr_tlayout *t, const char *word, tsr_error *err)
{
    const tsr_map *const map = to;
    int64_t vars[TSR_MAP_MAX_VARS], results[TSR_MAP_MAX_RESULTS];
    int n = 0;
    bool inside;
    tsr_text text = {0};
    TSR_TRY(tsr_tlayout_parse_point(vars, &n, TSR_MAP_MAX_VARS, word, err));
    if (n != tsr_map_nvars(map))
        return tsr_fail(err, TSR_ARGUMENT, "the map has %d variables, '%s' has %d", tsr_map_nvars(map), word,
                        n);
    TSR_TRY(tsr_map_inside(&inside, map, vars, err));
    if (!inside)
        return tsr_fail(err, TSR_RANGE, "%s is outside the domain of the map", word);
    TSR_TRY(tsr_map_eval(results, map, vars, err));
    if (t->json) {
        tsr_tlayout_json_list(t, t->many ? NULL : "results", tsr_map_nresults(map), results);
        return TSR_OK;
    }
    tsr_tlayout_add_point(&text, tsr_map_nresults(map), results);
    return tsr_tlayout_say(t, "results", &text, err);
}

static tsr_status run_eval(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    const tsr_status status =
        tsr_tlayout_each_point(t, &(tsr_tlayout_points){"results", n - 1, word + 1}, eval_at, map, err);
    tsr_map_free(map);
    return status;
}

static void add_bound(tsr_text *text, int64_t v)
{
    if (v == INT64_MIN || v == INT64_MAX)
        tsr_text_add(text, v < 0 ? "-inf" : "inf");
    else
        tsr_text_add_i64(text, v);
}

static void json_bound(tsr_tlayout *t, int64_t v)
{
    if (v == INT64_MIN || v == INT64_MAX)
        tsr_json_null(&t->out.json, NULL);
    else
        tsr_json_i64(&t->out.json, NULL, v);
}

static tsr_status say_bounds(tsr_tlayout *t, const tsr_map *map, tsr_error *err)
{
    tsr_text text = {0};
    tsr_interval bounds[TSR_MAP_MAX_RESULTS];
    TSR_TRY(tsr_map_image(bounds, map, err));
    if (t->json)
        tsr_json_open(&t->out.json, "bounds", '[', true);
    for (int r = 0; r < tsr_map_nresults(map); r++) {
        const tsr_interval b = bounds[r];
        if (t->json) {
            tsr_json_open(&t->out.json, NULL, '[', true);
            json_bound(t, b.lo);
            json_bound(t, b.hi);
            tsr_json_close(&t->out.json, ']');
            continue;
        }
        tsr_map_print_result(&text, map, r, NULL);
        tsr_text_add(&text, " in [");
        add_bound(&text, b.lo);
        tsr_text_add(&text, ", ");
        add_bound(&text, b.hi);
        tsr_text_add(&text, "]\n");
    }
    if (!t->json)
        return tsr_tlayout_say(t, "bounds", &text, err);
    tsr_json_close(&t->out.json, ']');
    return TSR_OK;
}

static tsr_status run_bounds(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL, *simple = NULL;
    (void)n;
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    tsr_status status = tsr_map_simplify(&simple, map, err);
    if (status == TSR_OK)
        status = say_bounds(t, simple, err);
    tsr_map_free(simple);
    tsr_map_free(map);
    return status;
}

/* C of a function for the map; NAME is its name. */
static tsr_status run_emit(tsr_tlayout *t, int n, const char *const *word, tsr_error *err)
{
    tsr_map *map = NULL, *simple = NULL;
    tsr_text text = {0};
    TSR_TRY(tsr_tlayout_parse_map(&map, t, word[0], err));
    tsr_status status = tsr_map_simplify(&simple, map, err);
    if (status == TSR_OK)
        status = tsr_map_emit_c(&text, simple, n > 1 ? word[1] : "map", err);
    if (status == TSR_OK)
        status = tsr_tlayout_say(t, "c", &text, err);
    tsr_text_clear(&text);
    tsr_map_free(simple);
    tsr_map_free(map);
    return status;
}

const tsr_tlayout_command tsr_tlayout_map_commands[] = {
    {"simplify", "MAP", "an equal map on its domain, as simple as possible", 1, 1, run_simplify},
    {"compose", "OUTER INNER...", "the first map applied after the second (after the third...), simplified",
     2, 16, run_compose},
    {"remove_unused", "MAP", "remove dims and symbols that no result needs", 1, 1, run_remove_unused},
    {"rescale", "MAP",
     "replace symbols that take only every m-th value by symbols that take every value; simplified", 1, 1,
     run_rescale},
    {"symbols_to_dims", "MAP SYMBOL...", "turn range and runtime symbols into dims, after the others", 2, 16,
     run_symbols_to_dims},
    {"invert", "MAP", "the inverse of a map with bounded dims, or the reason why there is none", 1, 1,
     run_invert},
    {"eval", "MAP POINT...",
     "the results at each point: dims, then range and runtime symbols; - reads points from standard input", 2,
     TSR_CLI_MAX_OPERANDS, run_eval},
    {"bounds", "MAP", "an interval for each result", 1, 1, run_bounds},
    {"emit", "MAP [NAME]",
     "the map as a function in C, and a second function that tests whether a point is in the domain", 1, 2,
     run_emit},
    {0},
};
