/* Whether two maps are the same function on the same domain: by proof if possible, else by comparing
 * points. */
#include "map_internal.h"

#include <inttypes.h>
#include <string.h>

#include "tsr_alloc.h"

enum {
    REACH = 1000,            /* largest absolute value of unbounded variables when points are tried */
    MAX_COMPARED = 1 << 24,  /* limit of points that are compared with plans */
    MAX_APPLIED = 1 << 30,   /* limit of points times nodes with plans */
    MAX_EVALUATED = 1 << 26, /* limit of points times nodes without plans */
    NTRIED = 1 << 12         /* number of random points, if there are too many points to compare all */
};

typedef enum answer { UNKNOWN, SAME, DIFFERENT } answer;

/* ---- proofs ---- */

/* *out = a - b, result by result, on a's domain, simplified. */
static tsr_status subtract(tsr_map **out, const tsr_map *a, const tsr_map *b, tsr_error *err)
{
    *out = NULL;
    tsr_map *d;
    const tsr_linear *vars[TSR_MAP_MAX_VARS], *x[TSR_MAP_MAX_RESULTS], *y[TSR_MAP_MAX_RESULTS];
    tsr_status status;
    TSR_TRY(tsr_map_new(&d, err));
    for (int v = 0; v < a->nvars; v++)
        TSR_TRY_OUT(tsr_map_add_like(&vars[v], d, &a->vars[v], true, err));
    TSR_TRY_OUT(tsr_map_import(y, d, b, vars, err));
    TSR_TRY_OUT(tsr_map_import(x, d, a, vars, err));
    for (int r = 0; r < a->nresults; r++)
        x[r] = tsr_linear_combine(&d->pool, 1, x[r], -1, y[r]);
    TSR_TRY_OUT(tsr_pool_status(&d->pool, err));
    TSR_TRY_OUT(tsr_map_finish(&d, d, a->nresults, x, err));
    status = tsr_map_simplify(out, d, err);
out:
    tsr_map_free(d);
    return status;
}

static bool all_zero(const tsr_map *map)
{
    for (int r = 0; r < map->nresults; r++)
        if (map->results[r]->n > 0 || map->results[r]->c != 0)
            return false;
    return true;
}

static tsr_status prove_by_difference(answer *out, const tsr_map *a, const tsr_map *b, tsr_error *err)
{
    tsr_map *d;
    if (!tsr_map_domain_equal(a, b))
        return TSR_OK;
    const tsr_status status = subtract(&d, a, b, err);
    if (status == TSR_LIMIT || status == TSR_UNSUPPORTED)
        return TSR_OK; /* not proved this way */
    if (status == TSR_OK && (all_zero(d) || tsr_map_is_known_empty(d)))
        *out = SAME;
    tsr_map_free(d);
    return status;
}

/* Whether outer after inner, on the domain of inner, is the identity on the dims of inner. */
static tsr_status is_identity(bool *out, const tsr_map *outer, const tsr_map *inner, tsr_error *err)
{
    tsr_map *composed, *simple = NULL;
    TSR_TRY(tsr_map_compose(&composed, outer, inner, err));
    tsr_status status = tsr_map_simplify(&simple, composed, err);
    *out = status == TSR_OK && tsr_map_domain_equal(simple, inner);
    for (int r = 0; *out && r < simple->nresults; r++) {
        const tsr_atom *atom = tsr_linear_as_atom(simple->results[r]);
        const tsr_interval in = inner->vars[r].bounds;
        *out = (atom && atom->kind == TSR_ATOM_VAR && atom->var == r) ||
               (in.lo == in.hi && simple->results[r]->n == 0 && simple->results[r]->c == in.lo);
    }
    tsr_map_free(composed);
    tsr_map_free(simple);
    return status;
}

/* Let i be the inverse of a. If i(b(x)) = x for all x, and a(i(y)) = y for all values y of b, then b(x) =
 * a(i(b(x))) = a(x). */
static tsr_status prove_by_inverse(answer *out, const tsr_map *a, const tsr_map *b, tsr_error *err)
{
    tsr_map *inverse, *plain;
    bool left = false, right = false;
    if (!tsr_map_domain_equal(a, b) || a->nvars > a->ndims || tsr_map_is_known_empty(a))
        return TSR_OK;
    tsr_status status = tsr_map_invert(&inverse, a, err);
    if (status == TSR_UNSUPPORTED || status == TSR_LIMIT)
        return TSR_OK;
    TSR_TRY(status);
    for (int r = 0; r < a->nresults; r++)
        inverse->vars[r].bounds = tsr_interval_of(b->results[r], b->vars, false);
    inverse->nconstraints = 0;
    status = tsr_map_copy(&plain, a, err); /* a without its domain */
    if (status == TSR_OK) {
        plain->nconstraints = 0;
        for (int v = 0; v < plain->nvars; v++)
            plain->vars[v].bounds = TSR_INTERVAL_ALL;
        status = is_identity(&left, inverse, b, err);
        if (status == TSR_OK && left)
            status = is_identity(&right, plain, inverse, err);
        tsr_map_free(plain);
    }
    tsr_map_free(inverse);
    if (status == TSR_LIMIT || status == TSR_UNSUPPORTED)
        return TSR_OK;
    if (left && right)
        *out = SAME;
    return status;
}

/* ---- points ---- */

/* Compare at one point; *decided: both maps have values there. */
static answer compare_at(const tsr_map *a, const tsr_map *b, const int64_t *x)
{
    int64_t ya[TSR_MAP_MAX_RESULTS], yb[TSR_MAP_MAX_RESULTS];
    bool ia, ib;
    if (tsr_map_inside(&ia, a, x, NULL) != TSR_OK || tsr_map_inside(&ib, b, x, NULL) != TSR_OK)
        return UNKNOWN;
    if (ia != ib)
        return DIFFERENT;
    if (!ia)
        return SAME;
    if (tsr_map_eval(ya, a, x, NULL) != TSR_OK || tsr_map_eval(yb, b, x, NULL) != TSR_OK)
        return UNKNOWN;
    return a->nresults == 0 || memcmp(ya, yb, (size_t)a->nresults * sizeof *ya) == 0 ? SAME : DIFFERENT;
}

/* Evaluate all points one by one. */
static answer evaluate_all(int64_t *point, const tsr_map *a, const tsr_map *b, tsr_points *points)
{
    answer all = SAME;
    while (tsr_points_next(points)) {
        const answer one = compare_at(a, b, points->x);
        if (one == DIFFERENT) {
            memcpy(point, points->x, (size_t)a->nvars * sizeof *point);
            return DIFFERENT;
        }
        all = one == UNKNOWN ? UNKNOWN : all;
    }
    return points->whole ? all : UNKNOWN;
}

/* Try some points: corners and pseudo-random points. */
static answer try_some(int64_t *point, const tsr_map *a, const tsr_map *b, const tsr_points *points,
                       uint64_t cost)
{
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    int64_t x[TSR_MAP_MAX_VARS] = {0};
    for (uint64_t n = 0; n < NTRIED && n * cost <= MAX_EVALUATED; n++) {
        for (int i = 0; i < points->n; i++) {
            const tsr_interval in = points->in[i];
            const uint64_t width = (uint64_t)in.hi - (uint64_t)in.lo;
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const uint64_t high = seed >> 33;
            /* the first quarter stays near the corners */
            uint64_t step = n < NTRIED / 4 ? high % 4 : (high << 31) ^ (seed >> 3);
            step = width == UINT64_MAX ? step : step % (width + 1);
            x[points->var[i]] =
                (int64_t)(n < NTRIED / 4 && high & 8 ? (uint64_t)in.hi - step : (uint64_t)in.lo + step);
        }
        if (compare_at(a, b, x) == DIFFERENT) {
            memcpy(point, x, (size_t)a->nvars * sizeof *point);
            return DIFFERENT;
        }
    }
    return UNKNOWN;
}

/* A block of points and the results of a map at them. */
typedef struct block {
    tsr_map_plan *plan;
    void *scratch;
    int64_t *out[TSR_MAP_MAX_RESULTS]; /* nresults arrays of TSR_MAP_BLOCK */
    uint8_t inside[TSR_MAP_BLOCK];
} block;

static void clear_block(block *b)
{
    tsr_map_plan_free(b->plan);
    tsr_free(b->scratch);
    tsr_free(b->out[0]);
}

static tsr_status init_block(block *b, const tsr_map *map, tsr_error *err)
{
    void *p;
    memset(b, 0, sizeof *b);
    TSR_TRY(tsr_map_plan_new(&b->plan, map, err));
    TSR_TRY(
        tsr_alloc_array(&b->scratch, tsr_map_plan_scratch_nbytes(b->plan) + 1, 1, 0, "comparing maps", err));
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)(map->nresults + 1) * TSR_MAP_BLOCK, sizeof(int64_t), 0,
                            "comparing maps", err));
    for (int r = 0; r < map->nresults || r == 0; r++)
        b->out[r] = (int64_t *)p + (ptrdiff_t)r * TSR_MAP_BLOCK;
    return TSR_OK;
}

static void run_block(block *b, const int64_t *const *in, size_t n)
{
    tsr_map_plan_inside(b->plan, b->inside, in, n, b->scratch);
    tsr_map_plan_apply(b->plan, b->out, in, n, b->scratch);
}

/* The index of the first entry in which the blocks differ, or n. */
static size_t find_difference(const block *a, const block *b, int nresults, size_t n)
{
    size_t first = n;
    for (size_t e = 0; e < first; e++)
        if (a->inside[e] != b->inside[e])
            first = e;
    for (int r = 0; r < nresults; r++)
        for (size_t e = 0; e < first; e++)
            if (a->inside[e] && a->out[r][e] != b->out[r][e])
                first = e;
    return first;
}

/* The two maps on the same block of points; `in` is one allocation, at in[0]. */
typedef struct two_blocks {
    block a, b;
    int64_t *in[TSR_MAP_MAX_VARS];
} two_blocks;

/* Compare a and b at all points, in blocks. */
static tsr_status apply_all(answer *out, int64_t *point, two_blocks *w, const tsr_map *const maps[2],
                            tsr_points *points, tsr_error *err)
{
    const tsr_map *a = maps[0];
    int64_t **in = w->in;
    void *p;
    TSR_TRY(init_block(&w->a, a, err));
    TSR_TRY(init_block(&w->b, maps[1], err));
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)(a->nvars + 1) * TSR_MAP_BLOCK, sizeof(int64_t), 0,
                            "comparing maps", err));
    for (int v = 0; v < a->nvars || v == 0; v++)
        in[v] = (int64_t *)p + (ptrdiff_t)v * TSR_MAP_BLOCK;
    for (bool more = true; more;) {
        size_t n = 0;
        while (n < TSR_MAP_BLOCK && (more = tsr_points_next(points))) {
            for (int v = 0; v < a->nvars; v++)
                in[v][n] = points->x[v];
            n++;
        }
        run_block(&w->a, (const int64_t *const *)in, n);
        run_block(&w->b, (const int64_t *const *)in, n);
        const size_t e = find_difference(&w->a, &w->b, a->nresults, n);
        if (e < n) {
            for (int v = 0; v < a->nvars; v++)
                point[v] = in[v][e];
            *out = DIFFERENT;
            return TSR_OK;
        }
    }
    *out = SAME;
    return TSR_OK;
}

static tsr_status compare_points(answer *out, int64_t *point, const tsr_map *a, const tsr_map *b,
                                 tsr_error *err)
{
    tsr_points points;
    tsr_var hull[TSR_MAP_MAX_VARS];
    for (int v = 0; v < a->nvars; v++) {
        const tsr_interval x = a->vars[v].bounds, y = b->vars[v].bounds;
        hull[v] = a->vars[v];
        hull[v].bounds = tsr_map_is_known_empty(a)   ? y
                         : tsr_map_is_known_empty(b) ? x
                                                     : (tsr_interval){.lo = x.lo < y.lo ? x.lo : y.lo,
                                                                      .hi = x.hi > y.hi ? x.hi : y.hi};
    }
    if (!tsr_points_init(&points, hull, a->nvars, UINT64_MAX, REACH))
        return TSR_OK;
    const uint64_t cost = tsr_map_cost(a) + tsr_map_cost(b);
    if (points.npoints > MAX_COMPARED) {
        *out = try_some(point, a, b, &points, cost);
        return TSR_OK;
    }
    if (points.npoints > 64 && points.whole && points.npoints <= MAX_APPLIED / cost) {
        two_blocks w = {0};
        const tsr_status status = apply_all(out, point, &w, (const tsr_map *[]){a, b}, &points, err);
        clear_block(&w.a);
        clear_block(&w.b);
        tsr_free(w.in[0]);
        if (status != TSR_LIMIT && status != TSR_UNSUPPORTED)
            return status;
    }
    *out = points.npoints > MAX_EVALUATED / cost ? try_some(point, a, b, &points, cost)
                                                 : evaluate_all(point, a, b, &points);
    return TSR_OK;
}

/* ---- the whole comparison ---- */

static tsr_status decide(answer *out, int64_t *point, const tsr_map *a, const tsr_map *b, tsr_error *err)
{
    const bool empty_a = tsr_map_is_known_empty(a), empty_b = tsr_map_is_known_empty(b);
    *out = UNKNOWN;
    if ((empty_a && empty_b) || tsr_map_equal(a, b)) {
        *out = SAME;
        return TSR_OK;
    }
    if (!empty_a && !empty_b) {
        TSR_TRY(prove_by_difference(out, a, b, err));
        if (*out == UNKNOWN)
            TSR_TRY(prove_by_inverse(out, a, b, err));
    }
    return *out == UNKNOWN ? compare_points(out, point, a, b, err) : TSR_OK;
}

static tsr_status check_shapes(const tsr_map *a, const tsr_map *b, tsr_error *err)
{
    if (a->ndims != b->ndims || a->nresults != b->nresults)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the maps differ in shape: one takes %d dims to %d results, the other takes %d to %d",
                        a->ndims, a->nresults, b->ndims, b->nresults);
    bool same = a->nvars == b->nvars;
    for (int v = 0; same && v < a->nvars; v++)
        same = a->vars[v].kind == b->vars[v].kind;
    return same ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "the maps have different numbers of symbols");
}

tsr_status tsr_map_same(bool *same, int64_t *point, const tsr_map *a, const tsr_map *b, tsr_error *err)
{
    int64_t at[TSR_MAP_MAX_VARS] = {0};
    tsr_map *x, *y = NULL;
    answer found = UNKNOWN;
    *same = false;
    TSR_TRY(check_shapes(a, b, err));
    TSR_TRY(tsr_map_simplify(&x, a, err));
    tsr_status status = tsr_map_simplify(&y, b, err);
    if (status == TSR_OK)
        status = decide(&found, at, x, y, err);
    tsr_map_free(x);
    tsr_map_free(y);
    TSR_TRY(status);
    if (found == UNKNOWN)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "could not decide whether the maps are the same: neither proved nor disproved, and "
                        "there are too many points to compare");
    *same = found == SAME;
    if (found == DIFFERENT && point && a->nvars > 0)
        memcpy(point, at, (size_t)a->nvars * sizeof *point);
    return TSR_OK;
}

/* ---- single results ---- */

uint64_t tsr_map_result_vars(const tsr_map *map, int r)
{
    return tsr_linear_vars(map->results[r]);
}

bool tsr_map_result_counts(const tsr_map *map, int r)
{
    return tsr_linear_has_counter(map->results[r]);
}

static bool has_mod(const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *atom = x->t[i].atom;
        if (atom->kind == TSR_ATOM_MOD || (atom->x && has_mod(atom->x)) || (atom->y && has_mod(atom->y)))
            return true;
    }
    return false;
}

bool tsr_map_result_has_mod(const tsr_map *map, int r)
{
    return has_mod(map->results[r]);
}

tsr_status tsr_map_result_same(bool *same, const tsr_map_named_result *a, const tsr_map_named_result *b,
                               tsr_error *err)
{
    const tsr_map_named_result *const side[2] = {a, b};
    const tsr_linear *vars[TSR_MAP_MAX_VARS], *mine[TSR_MAP_MAX_VARS], *results[2][TSR_MAP_MAX_RESULTS];
    tsr_map *both;
    tsr_status status = TSR_OK;
    *same = false;
    TSR_TRY(tsr_map_new(&both, err));
    for (int v = 0; v < TSR_MAP_MAX_VARS; v++)
        TSR_TRY_OUT(tsr_map_add_like(&vars[v], both,
                                     &(tsr_var){.name = "", .kind = TSR_VAR_DIM, .bounds = TSR_INTERVAL_ALL},
                                     false, err));
    for (int k = 0; k < 2; k++) {
        for (int v = 0; v < side[k]->map->nvars; v++)
            mine[v] = vars[side[k]->name[v]];
        TSR_TRY_OUT(tsr_map_import(results[k], both, side[k]->map, mine, err));
    }
    *same = results[0][a->result] == results[1][b->result]; /* equal expressions of one map are one object */
out:
    tsr_map_free(both);
    return status;
}
