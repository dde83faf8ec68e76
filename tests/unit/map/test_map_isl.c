/* isl (the integer set library) as an independent oracle: the results of simplify, compose and invert are
 * equal as relations on all integer points. */
#include "tsr_test.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>

#include "map_internal.h"
#include "map_random.h"

enum { MAX_ISL_OPERATIONS = 60000 }; /* harder cases are skipped and counted */

static void add_linear(tsr_text *text, const tsr_linear *x)
{
    tsr_text_addf(text, "(%lld", (long long)x->c);
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        tsr_text_addf(text, " + %lld * ", (long long)x->t[i].k);
        if (a->kind == TSR_ATOM_VAR) {
            tsr_text_addf(text, "v%d", a->var);
            continue;
        }
        if (a->kind == TSR_ATOM_MIN || a->kind == TSR_ATOM_MAX) {
            tsr_text_add(text, a->kind == TSR_ATOM_MIN ? "min(" : "max(");
            add_linear(text, a->x);
            tsr_text_add(text, ", ");
            add_linear(text, a->y);
            tsr_text_add(text, ")");
            continue;
        }
        assert_true(a->kind == TSR_ATOM_MOD || a->kind == TSR_ATOM_FLOORDIV); /* isl has no products */
        tsr_text_add(text, a->kind == TSR_ATOM_MOD ? "(" : "floor(");
        add_linear(text, a->x);
        tsr_text_addf(text, a->kind == TSR_ATOM_MOD ? " mod %lld)" : "/%lld)", (long long)a->c);
    }
    tsr_text_add(text, ")");
}

static void add_interval(tsr_text *text, const tsr_linear *x, int var, tsr_interval in)
{
    if (in.lo == INT64_MIN && in.hi == INT64_MAX)
        return;
    tsr_text_addf(text, " and %lld <= ", (long long)in.lo);
    if (x)
        add_linear(text, x);
    else
        tsr_text_addf(text, "v%d", var);
    tsr_text_addf(text, " <= %lld", (long long)in.hi);
}

/* The map in isl's form: { [v0, ...] -> [results] : domain }. */
static isl_map *isl_of(isl_ctx *ctx, const tsr_map *map)
{
    tsr_text text = {0};
    tsr_text_add(&text, "{ [");
    for (int v = 0; v < map->nvars; v++)
        tsr_text_addf(&text, "%sv%d", v > 0 ? ", " : "", v);
    tsr_text_add(&text, "] -> [");
    for (int r = 0; r < map->nresults; r++) {
        tsr_text_add(&text, r > 0 ? ", " : "");
        add_linear(&text, map->results[r]);
    }
    tsr_text_add(&text, map->empty ? "] : 1 = 0" : "] : 0 = 0");
    for (int v = 0; v < map->nvars; v++)
        add_interval(&text, NULL, v, map->vars[v].bounds);
    for (int c = 0; c < map->nconstraints; c++)
        add_interval(&text, map->constraints[c].x, 0, map->constraints[c].in);
    tsr_text_add(&text, " }");
    assert_int_equal(tsr_text_status(&text, NULL), TSR_OK);
    isl_map *out = isl_map_read_from_str(ctx, tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return out;
}

typedef struct counts {
    int agreed, given_up, injective, inverted;
} counts;

/* Check that both are equal; both are freed. */
static void must_equal(counts *n, isl_ctx *ctx, isl_map *a, isl_map *b, const char *what, const char *about)
{
    isl_ctx_reset_operations(ctx);
    const isl_bool equal = isl_map_is_equal(a, b);
    if (equal == isl_bool_false)
        fail_msg("%s of %s differs:\n%s\n%s", what, about, isl_map_to_str(a), isl_map_to_str(b));
    *(equal == isl_bool_true ? &n->agreed : &n->given_up) += 1;
    isl_map_free(a);
    isl_map_free(b);
}

static tsr_map *random_map(tsr_text *text, tsr_rng *rng, int ndims, int nresults)
{
    tsr_map *map;
    tsr_text_clear(text);
    map_random_of(text, rng, ndims, nresults, tsr_rng_below(rng, 2) == 0);
    assert_ok(tsr_map_parse(&map, tsr_text_cstr(text), err));
    return map;
}

static isl_ctx *new_context(void)
{
    isl_ctx *ctx = isl_ctx_alloc();
    assert_non_null(ctx);
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, MAX_ISL_OPERATIONS);
    return ctx;
}

static void test_simplify_and_compose(void **state)
{
    (void)state;
    isl_ctx *ctx = new_context();
    tsr_rng rng = {.s = 31};
    tsr_text text = {0}, text_inner = {0};
    counts n = {0};
    for (int i = 0; i < 40; i++) {
        tsr_map *outer = random_map(&text, &rng, 2, 2), *inner = random_map(&text_inner, &rng, 2, 2), *simple,
                *composed;
        assert_ok(tsr_map_simplify(&simple, outer, err));
        assert_ok(tsr_map_compose(&composed, outer, inner, err));
        isl_ctx_reset_operations(ctx);
        must_equal(&n, ctx, isl_of(ctx, outer), isl_of(ctx, simple), "simplify", tsr_text_cstr(&text));
        isl_ctx_reset_operations(ctx);
        must_equal(&n, ctx, isl_of(ctx, composed),
                   isl_map_apply_range(isl_of(ctx, inner), isl_of(ctx, outer)), "compose",
                   tsr_text_cstr(&text_inner));
        tsr_map_free(outer);
        tsr_map_free(inner);
        tsr_map_free(simple);
        tsr_map_free(composed);
    }
    tsr_text_clear(&text);
    tsr_text_clear(&text_inner);
    isl_ctx_free(ctx);
    print_message("isl agrees on %d maps; %d were too hard for it\n", n.agreed, n.given_up);
    assert_true(n.agreed > 30);
}

/* A map with an inverse is injective, and the inverse restricted to the image is the reverse relation; a map
 * that isl finds not injective is refused. */
static void check_invert(counts *n, isl_ctx *ctx, const tsr_map *map, const char *about)
{
    tsr_map *inverse;
    isl_ctx_reset_operations(ctx);
    isl_map *forward = isl_of(ctx, map);
    const isl_bool injective = isl_map_is_injective(forward);
    const bool inverts = tsr_map_invert(&inverse, map, NULL) == TSR_OK;
    n->injective += injective == isl_bool_true;
    n->inverted += inverts;
    if (inverts && injective == isl_bool_false)
        fail_msg("%s was inverted, but is not injective", about);
    if (inverts) {
        isl_map *reverse = isl_map_reverse(isl_map_copy(forward));
        isl_map *ours = isl_map_intersect_domain(isl_of(ctx, inverse), isl_map_domain(isl_map_copy(reverse)));
        must_equal(n, ctx, reverse, ours, "inverse", about);
    }
    isl_map_free(forward);
    tsr_map_free(inverse);
}

/* A random map whose results are digits and small sums of the dims: some are injective, some are not. */
static void random_digits(tsr_text *text, tsr_rng *rng)
{
    static const char *const results[] = {
        "d0 floordiv 2",
        "d0 mod 2",
        "d0 floordiv 6",
        "(d0 floordiv 2) mod 3",
        "d0 mod 6",
        "d1 floordiv 3",
        "d1 mod 3",
        "d1",
        "d1 - d0",
        "d0 + d1 * 2",
        "d0 * 9 + d1",
        "(d0 * 9 + d1) floordiv 4",
        "(d0 * 9 + d1) mod 4",
        "(d1 - d0) mod 2",
        "(d1 - d0) floordiv 2",
        "d0 mod 2 + (d1 mod 3) * 2",
    };
    const uint64_t nresults = 2 + tsr_rng_below(rng, 3);
    tsr_text_add(text, "(d0, d1) -> (");
    for (uint64_t r = 0; r < nresults; r++) {
        tsr_text_add(text, r > 0 ? ", " : "");
        tsr_text_add(text, results[tsr_rng_below(rng, sizeof results / sizeof results[0])]);
    }
    tsr_text_addf(text, "), domain: d0 in [0, %d], d1 in [0, %d]", (int)tsr_rng_below(rng, 12),
                  (int)tsr_rng_below(rng, 9));
}

static void test_invert(void **state)
{
    (void)state;
    isl_ctx *ctx = new_context();
    tsr_rng rng = {.s = 77};
    tsr_text text = {0};
    counts n = {0};
    for (int i = 0; i < 90; i++) {
        tsr_map *map;
        tsr_text_clear(&text);
        random_digits(&text, &rng);
        assert_ok(tsr_map_parse(&map, tsr_text_cstr(&text), err));
        check_invert(&n, ctx, map, tsr_text_cstr(&text));
        tsr_map_free(map);
    }
    for (int i = 0; i < 10; i++) {
        tsr_map *map = random_map(&text, &rng, 1, 2);
        check_invert(&n, ctx, map, tsr_text_cstr(&text));
        tsr_map_free(map);
    }
    tsr_text_clear(&text);
    isl_ctx_free(ctx);
    print_message("isl: %d of 100 maps are injective; %d were inverted, %d proved equal, %d too hard\n",
                  n.injective, n.inverted, n.agreed, n.given_up);
    assert_true(n.agreed > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simplify_and_compose),
        cmocka_unit_test(test_invert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
