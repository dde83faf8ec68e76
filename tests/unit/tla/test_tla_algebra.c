/* The laws of the algebra, checked by brute force on random small layouts. */
#include "tla_random.h"

enum { NRANDOM = 2000 };

static tsr_tiler whole(const tsr_tla *layout)
{
    return (tsr_tiler){.kind = TSR_TILER_LAYOUT, .layout = *layout};
}

/* Check that two layouts are the same function of the linear coordinate. */
static void check_same(const tsr_tla *a, const tsr_tla *b)
{
    assert_int_equal(tsr_tla_size(a), tsr_tla_size(b));
    for (int64_t c = 0; c < tsr_tla_size(a); c++)
        if (tla_oracle(a, c) != tla_oracle(b, c))
            fail_msg("%s and %s differ at %lld", tla_text(a), tla_text(b), (long long)c);
}

static void check_same_offsets(const tsr_tla *a, const tsr_tla *b)
{
    int64_t *x = tla_sorted_offsets(a), *y = tla_sorted_offsets(b);
    if (tsr_tla_size(a) != tsr_tla_size(b) || memcmp(x, y, (size_t)tsr_tla_size(a) * sizeof *x) != 0)
        fail_msg("%s and %s do not have the same offsets", tla_text(a), tla_text(b));
    free(x);
    free(y);
}

/* The offsets on which the other tests rely: the library against the oracle. */
static void test_offsets(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, (tla_kind)(i % 3));
        int64_t last = 0;
        for (int64_t c = 0; c < tsr_tla_size(&a); c++) {
            const tsr_tuple *linear, *nested;
            int64_t x, y, index;
            assert_ok(tsr_tuple_int(&linear, &arena, c, err));
            assert_ok(tsr_idx2crd(&nested, &arena, linear, a.shape, err));
            assert_true(tsr_tuple_congruent(nested, a.shape));
            assert_ok(tsr_crd2idx(&index, nested, a.shape, err));
            assert_int_equal(index, c);
            assert_ok(tsr_tla_offset(&x, &a, linear, err));
            assert_ok(tsr_tla_offset(&y, &a, nested, err));
            assert_int_equal(x, y);
            assert_int_equal(x, tla_oracle(&a, c));
            last = x > last ? x : last;
        }
        assert_int_equal(tsr_tla_cosize(&a), last + 1);
        tsr_arena_clear(&arena);
    }
}

static void test_increment(void **state)
{
    (void)state;
    tsr_rng rng = {2};
    for (int i = 0; i < NRANDOM / 10; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, TLA_COMPACT);
        const tsr_tuple *coord, *zero;
        assert_ok(tsr_tuple_int(&zero, &arena, 0, err));
        assert_ok(tsr_idx2crd(&coord, &arena, zero, a.shape, err));
        for (int64_t c = 1; c < tsr_tla_size(&a); c++) {
            int64_t index;
            assert_ok(tsr_crd_increment(&coord, &arena, coord, a.shape, err));
            assert_ok(tsr_crd2idx(&index, coord, a.shape, err));
            assert_int_equal(index, c);
        }
        tsr_arena_clear(&arena);
    }
}

static void test_coalesce(void **state)
{
    (void)state;
    tsr_rng rng = {3};
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, (tla_kind)(i % 3));
        tsr_tla b, c, each;
        assert_ok(tsr_tla_coalesce(&b, &arena, &a, NULL, err));
        check_same(&a, &b);
        assert_true(tsr_tla_depth(&b) <= 1);
        for (int m = 1; m < tsr_tla_rank(&b); m++)
            assert_true(b.shape->x[m]->v > 1 &&
                        b.shape->x[m - 1]->v * b.stride->x[m - 1]->v != b.stride->x[m]->v);
        assert_ok(tsr_tla_coalesce(&c, &arena, &b, NULL, err));
        assert_true(tsr_tla_equal(&b, &c));
        if (a.shape->kind == TSR_TUPLE_LIST) { /* one integer for each mode: modes are not merged */
            const tsr_tuple *profile;
            assert_ok(tsr_tuple_product_each(&profile, &arena, a.shape, err));
            assert_ok(tsr_tla_coalesce(&each, &arena, &a, profile, err));
            check_same(&a, &each);
            assert_true(tsr_tuple_compatible(profile, each.shape));
            assert_true(tsr_tla_depth(&each) <= 2);
        }
        tsr_arena_clear(&arena);
    }
}

/* Whether f(0), f(step), ... (n of them) is a layout's function, whatever its leaves. */
static bool is_layout(const int64_t *f, int64_t step, int64_t n)
{
    if (n == 1)
        return true;
    for (int64_t s = 2; s <= n; s++) {
        bool fits = n % s == 0;
        for (int64_t k = 0; fits && k < n; k++)
            fits = f[k * step] == f[k / s * s * step] + k % s * f[step];
        if (fits && is_layout(f, step * s, n / s))
            return true;
    }
    return false;
}

static int64_t first_size(tsr_arena *arena, const tsr_tla *layout)
{
    tsr_tla simple;
    assert_ok(tsr_tla_coalesce(&simple, arena, layout, NULL, err));
    return simple.shape->kind == TSR_TUPLE_INT ? simple.shape->v : simple.shape->x[0]->v;
}

/* R(c) = A(B(c)), with the structure of B. If A is one to one and B is one mode whose step divides the size
 * of A's first mode, a refused composition is not a layout (other steps may give a layout by chance: 2:6
 * after (5,2):(1,7) is 2:8). */
static void test_compose(void **state)
{
    (void)state;
    tsr_rng rng = {4};
    int nmade = 0;
    for (int i = 0; i < 4 * NRANDOM; i++) {
        tsr_arena arena = {0};
        tsr_error why = {0};
        const tsr_tla a = tla_random(&arena, &rng, (tla_kind)(i % 3));
        const tsr_tla b = tla_random(&arena, &rng, (tla_kind)(i / 3 % 3));
        const tsr_tiler tiler = whole(&b);
        const int64_t size = tsr_tla_size(&b);
        tsr_tla r;
        const tsr_status status = tsr_tla_compose(&r, &arena, &a, &tiler, &why);
        if (status == TSR_OK) {
            nmade++;
            assert_int_equal(tsr_tla_size(&r), size);
            assert_true(tsr_tuple_compatible(b.shape, r.shape));
            for (int64_t c = 0; c < size; c++)
                if (tla_oracle(&r, c) != tla_oracle(&a, tla_oracle(&b, c)))
                    fail_msg("%s after %s is not %s at %lld", tla_text(&a), tla_text(&b), tla_text(&r),
                             (long long)c);
        } else {
            assert_int_equal(status, TSR_UNSUPPORTED);
            assert_true(strstr(why.message, " is not a layout: ") != NULL);
        }
        if (status != TSR_OK && b.shape->kind == TSR_TUPLE_INT && i % 3 == TLA_COMPACT && b.stride->v > 0 &&
            first_size(&arena, &a) % b.stride->v == 0) {
            int64_t f[64];
            for (int64_t c = 0; c < size; c++)
                f[c] = tla_oracle(&a, tla_oracle(&b, c));
            if (is_layout(f, 1, size))
                fail_msg("%s after %s is a layout, but was refused", tla_text(&a), tla_text(&b));
        }
        tsr_arena_clear(&arena);
    }
    assert_true(nmade > NRANDOM);
}

/* A with its complement is one to one, and fills [0, n), n >= the requested cosize, if A's strides are
 * multiples of each other. */
static void test_complement(void **state)
{
    (void)state;
    tsr_rng rng = {5};
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        const tla_kind kind = (tla_kind)(i % 3);
        const int64_t cosize = 1 + (int64_t)tsr_rng_below(&rng, 200);
        tsr_tla parts[2] = {tla_random(&arena, &rng, kind)}, both;
        const tsr_status status = tsr_tla_complement(&parts[1], &arena, &parts[0], cosize, NULL);
        assert_true(status == TSR_OK || (status == TSR_UNSUPPORTED && kind == TLA_ANY));
        if (status == TSR_OK) {
            assert_ok(tsr_tla_concat(&both, &arena, 2, parts, err));
            assert_true(tsr_tla_depth(&parts[1]) <= 1);
            if (tla_is_injective(&parts[0]))
                assert_true(tla_is_injective(&both));
            if (kind != TLA_ANY) {
                assert_int_equal(tsr_tla_cosize(&both), tsr_tla_size(&both));
                assert_true(tsr_tla_size(&both) >= cosize);
            }
        }
        tsr_arena_clear(&arena);
    }
}

static void test_inverses(void **state)
{
    (void)state;
    tsr_rng rng = {6};
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        const tla_kind kind = (tla_kind)(i % 3);
        const tsr_tla a = tla_random(&arena, &rng, kind);
        tsr_tla right, left;
        assert_ok(tsr_tla_right_inverse(&right, &arena, &a, err));
        for (int64_t k = 0; k < tsr_tla_size(&right); k++)
            assert_int_equal(tla_oracle(&a, tla_oracle(&right, k)), k);
        if (kind == TLA_COMPACT)
            assert_int_equal(tsr_tla_size(&right), tsr_tla_size(&a));
        const tsr_status status = tsr_tla_left_inverse(&left, &arena, &a, NULL);
        assert_true(status == TSR_OK || (status == TSR_UNSUPPORTED && kind == TLA_ANY));
        if (status == TSR_OK)
            for (int64_t c = 0; c < tsr_tla_size(&a); c++) {
                const int64_t offset = tla_oracle(&a, c), back = tla_oracle(&left, offset);
                assert_int_equal(tla_oracle(&a, back), offset);
                if (tla_is_injective(&a))
                    assert_int_equal(back, c);
            }
        tsr_arena_clear(&arena);
    }
}

/* A divided by T: mode 0 is A after T; if T and its rest fill A, all offsets of A occur, and every form is
 * the same function of the flat coordinate except for its order. */
static void test_divide(void **state)
{
    (void)state;
    tsr_rng rng = {7};
    int nmade = 0;
    for (int i = 0; i < 4 * NRANDOM; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, TLA_COMPACT);
        const tsr_tla t = tla_random(&arena, &rng, TLA_GAPS);
        const tsr_tiler tiler = whole(&t);
        tsr_tla r, tile, of_tile, form;
        if (tsr_tla_divide(&r, &arena, &a, &tiler, TSR_TLA_LOGICAL, NULL) == TSR_OK) {
            nmade++;
            assert_int_equal(tsr_tla_rank(&r), 2);
            assert_ok(tsr_tla_mode(&tile, &r, 1, (int[]){0}, err));
            assert_ok(tsr_tla_compose(&of_tile, &arena, &a, &tiler, err));
            check_same(&tile, &of_tile);
            if (tsr_tla_size(&r) == tsr_tla_size(&a))
                check_same_offsets(&r, &a);
            for (tsr_tla_form f = TSR_TLA_ZIPPED; f <= TSR_TLA_FLAT; f++) {
                assert_ok(tsr_tla_divide(&form, &arena, &a, &tiler, f, err));
                check_same(&form, &r);
            }
        }
        tsr_arena_clear(&arena);
    }
    assert_true(nmade > NRANDOM);
}

/* A repeated by T: mode 0 is A, mode 1 has the shape of T; all offsets differ; the blocked and the raked
 * product have the same offsets. */
static void test_product(void **state)
{
    (void)state;
    tsr_rng rng = {8};
    int nmade = 0;
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, i % 2 ? TLA_COMPACT : TLA_GAPS);
        const tsr_tla t = tla_random(&arena, &rng, TLA_COMPACT);
        const tsr_tiler tiler = whole(&t);
        tsr_tla r, mode, form;
        if (tsr_tla_product(&r, &arena, &a, &tiler, TSR_TLA_LOGICAL, NULL) == TSR_OK) {
            nmade++;
            assert_ok(tsr_tla_mode(&mode, &r, 1, (int[]){0}, err));
            assert_true(tsr_tla_equal(&mode, &a));
            assert_ok(tsr_tla_mode(&mode, &r, 1, (int[]){1}, err));
            assert_true(tsr_tuple_compatible(t.shape, mode.shape));
            assert_true(tla_is_injective(&r));
            for (tsr_tla_form f = TSR_TLA_ZIPPED; f <= TSR_TLA_FLAT; f++) {
                assert_ok(tsr_tla_product(&form, &arena, &a, &tiler, f, err));
                check_same(&form, &r);
            }
            assert_ok(tsr_tla_blocked_product(&form, &arena, &a, &t, err));
            check_same_offsets(&form, &r);
            assert_ok(tsr_tla_raked_product(&form, &arena, &a, &t, err));
            check_same_offsets(&form, &r);
        }
        if (i % 2)
            assert_true(nmade > 0);
        tsr_arena_clear(&arena);
    }
    assert_true(nmade > NRANDOM / 2);
}

/* Block b of shape s, rounded up to whole blocks: element (i, j) is the block's element (i mod rows, j mod
 * cols) plus the offset of its block, with blocks numbered in the given order. */
static void test_tile_to_shape(void **state)
{
    (void)state;
    tsr_rng rng = {9};
    for (int i = 0; i < NRANDOM / 10; i++) {
        tsr_arena arena = {0};
        int64_t block[2], count[2], size[2];
        tsr_tla b, r;
        const tsr_tuple *tuple, *shape, *order;
        const bool swapped = tsr_rng_below(&rng, 2) == 1;
        for (int m = 0; m < 2; m++) {
            block[m] = 1 + (int64_t)tsr_rng_below(&rng, 4);
            count[m] = 1 + (int64_t)tsr_rng_below(&rng, 4);
            size[m] = block[m] * count[m] - (int64_t)tsr_rng_below(&rng, (uint64_t)block[m]); /* ragged */
        }
        assert_ok(tsr_tuple_ints(&tuple, &arena, 2, block, err));
        assert_ok(tsr_tla_make_right(&b, &arena, tuple, err));
        assert_ok(tsr_tuple_ints(&shape, &arena, 2, size, err));
        assert_ok(tsr_tuple_ints(&order, &arena, 2, (int64_t[]){swapped, !swapped}, err));
        assert_ok(tsr_tla_tile_to_shape(&r, &arena, &b, shape, order, err));
        for (int64_t y = 0; y < block[0] * count[0]; y++)
            for (int64_t x = 0; x < block[1] * count[1]; x++) {
                const int64_t by = y / block[0], bx = x / block[1];
                const int64_t nth = swapped ? by * count[1] + bx : bx * count[0] + by;
                const int64_t inside = y % block[0] * block[1] + x % block[1];
                assert_int_equal(tsr_tla_offset_at(&r, (int64_t[]){y, x}),
                                 nth * block[0] * block[1] + inside);
            }
        tsr_arena_clear(&arena);
    }
}

/* Refused operations and their messages. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *op, *layout, *tiler; /* `tiler` is a layout if the operation takes a layout */
        tsr_status status;
        const char *message;
    } rows[] = {
        {"compose", "(4,8):(2,1)", "33:5", TSR_UNSUPPORTED,
         "(4,8):(2,1) after 33:5 is not a layout: 33 steps of 5 do not divide a mode of size 4 evenly"},
        {"compose", "(12,32):(1,128)", "(4,8):(1,4)", TSR_UNSUPPORTED,
         "(12,32):(1,128) after 8:4 is not a layout: 8 steps of 4 do not divide a mode of size 12 evenly"},
        {"compose", "(3,3):(6,2)", "(2,2):(2,1)", TSR_UNSUPPORTED,
         "(3,3):(6,2) after (...,2:1,...) is not a layout: together with the modes before, the mode goes "
         "past the end of a "
         "mode "
         "of size 3"},
        {"compose", "(3,3):(6,2)", "[1;1;1]", TSR_ARGUMENT,
         "the tiler has rank 3, but (3,3):(6,2) has rank 2"},
        {"compose", "2:4611686018427387904", "3:1", TSR_LIMIT,
         "the offsets of the layout do not fit into 64 bits"},
        {"complement", "(4,2):(1,2)", "1", TSR_UNSUPPORTED,
         "(4,2):(1,2) overlaps itself or interleaves: stride 2 is inside the 4 offsets that smaller strides "
         "cover"},
        {"complement", "2:4611686018427387904", "1", TSR_LIMIT,
         "the offsets of the layout do not fit into 64 bits"},
        {"left_inverse", "(4,2):(2,7)", "1", TSR_UNSUPPORTED,
         "(4,2):(2,7) overlaps itself or interleaves: stride 7 is inside the 8 offsets that smaller strides "
         "cover"},
        {"left_inverse", "(2,3):(2,5)", "1", TSR_UNSUPPORTED,
         "(2,3):(2,5) has no inverse layout: stride 5 is not a multiple of stride 2"},
        {"divide", "24:1", "(4,6)", TSR_ARGUMENT, "the tiler has rank 2, but 24:1 has rank 1"},
        {"divide", "(4,6):(6,1)", "[_;2]", TSR_ARGUMENT,
         "a mode that the tiler leaves whole must be a pair (tile,rest), but 4:6 has rank 1"},
        {"product", "2:4611686018427387903", "2:4611686018427387904", TSR_LIMIT,
         "the size of the product does not fit into 64 bits"},
        {"tile_to_shape", "(2,3):(3,1)", "8:0", TSR_ARGUMENT,
         "the block has rank 2, but the shape has only rank 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_error why = {0};
        const tsr_tiler *tiler;
        tsr_tla layout, out;
        tsr_status status;
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].layout, err));
        assert_ok(tsr_tiler_parse(&tiler, &arena, rows[i].tiler, err));
        if (strcmp(rows[i].op, "compose") == 0)
            status = tsr_tla_compose(&out, &arena, &layout, tiler, &why);
        else if (strcmp(rows[i].op, "complement") == 0)
            status = tsr_tla_complement(&out, &arena, &layout, 1, &why);
        else if (strcmp(rows[i].op, "left_inverse") == 0)
            status = tsr_tla_left_inverse(&out, &arena, &layout, &why);
        else if (strcmp(rows[i].op, "divide") == 0)
            status = tsr_tla_divide(&out, &arena, &layout, tiler, TSR_TLA_ZIPPED, &why);
        else if (strcmp(rows[i].op, "product") == 0)
            status = tsr_tla_product(&out, &arena, &layout, tiler, TSR_TLA_LOGICAL, &why);
        else
            status = tsr_tla_tile_to_shape(&out, &arena, &layout, tiler->layout.shape, NULL, &why);
        assert_string_equal(why.message, rows[i].message);
        assert_int_equal(status, rows[i].status);
        assert_null(out.shape);
        tsr_arena_clear(&arena);
    }
}

/* Static integers stay static if all inputs are static. */
static void test_static(void **state)
{
    (void)state;
    tsr_arena arena = {0};
    tsr_tla a, b, r;
    const tsr_tiler *tiler;
    assert_ok(tsr_tla_parse(&a, &arena, "(_6,_2):(_8,_2)", err));
    assert_ok(tsr_tla_parse(&b, &arena, "(_2,4):(_1,_2)", err));
    assert_ok(tsr_tiler_parse(&tiler, &arena, "(_4,_3):(_3,_1)", err));
    assert_ok(tsr_tla_compose(&r, &arena, &a, tiler, err));
    assert_string_equal(tla_text(&r), "((_2,_2),_3):((_24,_2),_8)");
    assert_ok(tsr_tla_complement(&r, &arena, &a, 1, err));
    assert_string_equal(tla_text(&r), "(_2,_2):(_1,_4)");
    assert_ok(tsr_tla_coalesce(&r, &arena, &b, NULL, err));
    assert_string_equal(tla_text(&r), "8:1");
    assert_ok(tsr_tla_select(&r, &arena, &b, 2, (int[]){1, 0}, err));
    assert_string_equal(tla_text(&r), "(4,_2):(_2,_1)");
    tsr_arena_clear(&arena);
}

/* ceil(shape / tiler), as ceil_div of CuTe (int_tuple.hpp): an integer goes through a tuple from the left. A layout divides
 * the whole. */
static void test_ceil_div(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *tiler, *quotient;
    } rows[] = {
        {"(3,6,2,8)", "9", "(1,2,2,8)"},
        {"(8,16)", "8:1", "(1,16)"},
        {"(8,16)", "3", "(3,16)"},
        {"(8,16)", "17", "(1,6)"},
        {"(8,(4,4))", "20", "(1,(2,4))"},
        {"(_8,_16)", "_3", "(_3,_16)"},
        {"(8,16)", "8:2", "16"}, /* not an integer: a layout */
        {"(8,16)", "(4,8):(1,4)", "4"},
        {"(8,10,6)", "(3,4)", "(3,3,6)"},
        {"(8,(4,4),6)", "(3,5)", "(3,(1,2),6)"},
        {"7", "3", "3"},
        {"(0,5)", "3", "(0,2)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        const tsr_tuple *shape, *quotient;
        const tsr_tiler *tiler;
        tsr_text text = {0};
        assert_ok(tsr_tuple_parse(&shape, &arena, rows[i].shape, err));
        assert_ok(tsr_tiler_parse(&tiler, &arena, rows[i].tiler, err));
        assert_ok(tsr_shape_ceil_div(&quotient, &arena, shape, tiler, err));
        tsr_tuple_print(&text, quotient);
        assert_string_equal(tsr_text_cstr(&text), rows[i].quotient);
        tsr_text_clear(&text);
        tsr_arena_clear(&arena);
    }
}

/* ceil_div by an integer: each quotient is the least q with q * divisor >= size, and the divisor of the next size
 * is the least d with d * size >= divisor. */
static void test_ceil_div_by_search(void **state)
{
    (void)state;
    tsr_rng rng = {10};
    for (int i = 0; i < NRANDOM / 10; i++) {
        tsr_arena arena = {0};
        int64_t size[3], wanted[3], n = 1 + (int64_t)tsr_rng_below(&rng, 60);
        char text[24];
        const tsr_tuple *shape, *quotient;
        const tsr_tiler *tiler;
        snprintf(text, sizeof text, "%lld", (long long)n);
        for (int m = 0; m < 3; m++) {
            int64_t left = 1;
            size[m] = 1 + (int64_t)tsr_rng_below(&rng, 9);
            for (wanted[m] = 0; wanted[m] * n < size[m];)
                wanted[m]++;
            while (left * size[m] < n)
                left++;
            n = left;
        }
        assert_ok(tsr_tuple_ints(&shape, &arena, 3, size, err));
        assert_ok(tsr_tiler_parse(&tiler, &arena, text, err));
        assert_ok(tsr_shape_ceil_div(&quotient, &arena, shape, tiler, err));
        for (int m = 0; m < 3; m++)
            assert_int_equal(quotient->x[m]->v, wanted[m]);
        tsr_arena_clear(&arena);
    }
}

/* Whether each coordinate of `shape`, linear ones and nested ones of each depth, is one of `other`, whose size is the
 * same; the coordinates of a list are made entry by entry, the others 0. */
static bool has_all_coordinates(tsr_arena *arena, const tsr_tuple *shape, const tsr_tuple *other)
{
    int64_t size, other_size, index;
    const tsr_tuple *coord;
    tsr_error why;
    assert_ok(tsr_tuple_size(&size, shape, err));
    assert_ok(tsr_tuple_size(&other_size, other, err));
    bool all = size == other_size;
    for (int64_t c = 0; all && c < size; c++) {
        assert_ok(tsr_tuple_int(&coord, arena, c, err));
        all = tsr_crd2idx(&index, coord, other, &why) == TSR_OK;
        assert_ok(tsr_idx2crd(&coord, arena, coord, shape, err));
        all = all && tsr_crd2idx(&index, coord, other, &why) == TSR_OK;
    }
    for (int m = 0; all && shape->kind == TSR_TUPLE_LIST && m < shape->n; m++)
        all = other->kind == TSR_TUPLE_LIST && other->n == shape->n &&
              has_all_coordinates(arena, shape->x[m], other->x[m]);
    return all;
}

static void test_compatible(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    int ncompatible = 0, nothers = 0;
    for (int i = 0; i < 5 * NRANDOM; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, TLA_COMPACT), b = tla_random(&arena, &rng, TLA_COMPACT);
        const tsr_tuple *each, *shape = a.shape, *other = b.shape;
        assert_ok(tsr_tuple_product_each(&each, &arena, a.shape, err));
        if (i % 4 == 0) /* a pair that fits, and the same turned around */
            shape = each, other = a.shape;
        else if (i % 4 == 1)
            other = each;
        const bool yes = has_all_coordinates(&arena, shape, other);
        assert_int_equal(tsr_tuple_compatible(shape, other), yes);
        ncompatible += yes;
        nothers += !yes;
        tsr_arena_clear(&arena);
    }
    assert_true(ncompatible > NRANDOM / 10 && nothers > NRANDOM);
}

/* group keeps the function; select and mode leave the other coordinates at 0; concat puts modes together again. */
static void test_modes(void **state)
{
    (void)state;
    tsr_rng rng = {12};
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        const tsr_tla a = tla_random(&arena, &rng, TLA_ANY);
        const int rank = tsr_tla_rank(&a), m = (int)tsr_rng_below(&rng, (uint64_t)rank),
                  last = m + 1 + (int)tsr_rng_below(&rng, (uint64_t)(rank - m));
        tsr_tla grouped, picked, one, all[TSR_TLA_MAX_LEAVES], again;
        int64_t before = 1;
        assert_ok(tsr_tla_group(&grouped, &arena, &a, m, last, err));
        assert_int_equal(tsr_tla_rank(&grouped), rank - (last - m) + 1);
        check_same(&a, &grouped);
        for (int k = 0; k < rank; k++) {
            assert_ok(tsr_tla_mode(&all[k], &a, 1, &k, err));
            before *= k < m ? tsr_tla_size(&all[k]) : 1;
        }
        one = all[m];
        assert_ok(tsr_tla_select(&picked, &arena, &a, 1, &m, err));
        assert_int_equal(tsr_tla_rank(&picked), 1);
        check_same(&one, &picked);
        for (int64_t c = 0; c < tsr_tla_size(&one); c++)
            assert_int_equal(tla_oracle(&one, c), tla_oracle(&a, c * before));
        assert_ok(tsr_tla_concat(&again, &arena, rank, all, err));
        check_same(&a, &again);
        tsr_arena_clear(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_increment),
        cmocka_unit_test(test_coalesce),
        cmocka_unit_test(test_compose),
        cmocka_unit_test(test_complement),
        cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_divide),
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_tile_to_shape),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_static),
        cmocka_unit_test(test_ceil_div),
        cmocka_unit_test(test_compatible),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_ceil_div_by_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
