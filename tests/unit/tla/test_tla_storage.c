/* TLA layouts as storage: matrices in blocks, tiles, index maps, nested dense levels. */
#include "tla_random.h"

#include "tsr_alloc.h"

enum { NRANDOM = 1500 };

/* ---- constructors ---- */

/* zN and the other formats by their definition: inside a block along rows (z) or columns (n), blocks along
 * rows (Z) or columns (N). */
static void test_fractals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        tsr_tla_fractal fractal;
        bool inside, outside; /* along rows */
    } kinds[] = {{"zN", TSR_TLA_ZN, true, false},
                 {"nZ", TSR_TLA_NZ, false, true},
                 {"zZ", TSR_TLA_ZZ, true, true},
                 {"nN", TSR_TLA_NN, false, false},
                 {"L0C", TSR_TLA_L0C, true, false}};
    tsr_rng rng = {1};
    for (int i = 0; i < 400; i++) {
        tsr_arena arena = {0};
        tsr_tla_fractal fractal;
        tsr_tla layout;
        const int64_t br = 1 + (int64_t)tsr_rng_below(&rng, 5), bc = 1 + (int64_t)tsr_rng_below(&rng, 5);
        const int64_t rows = 1 + (int64_t)tsr_rng_below(&rng, 12);
        const int64_t cols = 1 + (int64_t)tsr_rng_below(&rng, 12);
        const int64_t nr = (rows + br - 1) / br, nc = (cols + bc - 1) / bc;
        assert_ok(tsr_tla_fractal_parse(&fractal, kinds[i % 5].name, err));
        assert_int_equal(fractal, kinds[i % 5].fractal);
        assert_ok(tsr_tla_make_fractal(&layout, &arena, fractal, (int64_t[]){rows, cols}, (int64_t[]){br, bc},
                                       err));
        assert_int_equal(tsr_tla_dim(&layout, 0), rows);
        assert_int_equal(tsr_tla_dim(&layout, 1), cols);
        assert_int_equal(layout.origin != NULL, rows % br != 0 || cols % bc != 0);
        for (int64_t y = 0; y < nr * br; y++)
            for (int64_t x = 0; x < nc * bc; x++) {
                const int64_t block = kinds[i % 5].outside ? y / br * nc + x / bc : x / bc * nr + y / br;
                const int64_t cell = kinds[i % 5].inside ? y % br * bc + x % bc : x % bc * br + y % br;
                assert_int_equal(tsr_tla_offset_at(&layout, (int64_t[]){y, x}), block * br * bc + cell);
            }
        tsr_arena_clear(&arena);
    }
}

static void test_fractal_refusals(void **state)
{
    (void)state;
    tsr_arena arena = {0};
    tsr_error why = {0};
    tsr_tla_fractal fractal;
    tsr_tla layout;
    int64_t r, c;
    assert_int_equal(tsr_tla_fractal_parse(&fractal, "zM", &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "unknown block layout 'zM' (known: zN, nZ, zZ, nN, L0C)");
    assert_int_equal(tsr_tla_fractal_parse(&fractal, "zNN", NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_tla_fractal_block(&r, &c, TSR_TLA_ZN, 24, &why), TSR_ARGUMENT);
    assert_string_equal(why.message,
                        "a line of 256 bits does not hold a whole number of elements of 24 bits");
    assert_int_equal(tsr_tla_fractal_block(&r, &c, TSR_TLA_ZN, 0, NULL), TSR_ARGUMENT);
    assert_ok(tsr_tla_fractal_block(&r, &c, TSR_TLA_L0C, 32, err)); /* 16 x 16 for elements of every size */
    assert_true(r == 16 && c == 16);
    assert_int_equal(tsr_tla_fractal_parse(&fractal, "L0", NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_tla_fractal_block(&r, &c, TSR_TLA_ZN, 512, NULL), TSR_ARGUMENT);
    assert_int_equal(
        tsr_tla_make_fractal(&layout, &arena, TSR_TLA_ZN, (int64_t[]){0, 3}, (int64_t[]){2, 2}, &why),
        TSR_ARGUMENT);
    assert_string_equal(
        why.message, "a matrix and its blocks must have sizes of at least 1, not 0 x 3 in blocks of 2 x 2");
    assert_int_equal(
        tsr_tla_make_fractal(&layout, &arena, TSR_TLA_ZN, (int64_t[]){INT64_MAX, 3}, (int64_t[]){2, 2}, &why),
        TSR_LIMIT);
    assert_int_equal(
        tsr_tla_make_fractal(&layout, &arena, TSR_TLA_NN, (int64_t[]){3, INT64_MAX}, (int64_t[]){2, 2}, &why),
        TSR_LIMIT);
    assert_string_equal(why.message, "the size of the layout does not fit into 64 bits");
    tsr_arena_clear(&arena);
}

static void test_compact(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *left, *right;
    } rows[] = {
        {"(2,3)", "(2,3):(1,2)", "(2,3):(3,1)"}, /* document: column-major and row-major */
        {"(2,(3,4))", "(2,(3,4)):(1,(2,6))", "(2,(3,4)):(12,(4,1))"},
        {"7", "7:1", "7:1"},
        {"()", "():()", "():()"},
        {"(_2,_3)", "(_2,_3):(_1,_2)", "(_2,_3):(_3,_1)"},
        {"(2,_)", NULL, NULL},
        {"(2,0)", NULL, NULL},
        {"(4294967296,4294967296)", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        const tsr_tuple *shape;
        tsr_tla left, right;
        assert_ok(tsr_tuple_parse(&shape, &arena, rows[i].shape, err));
        if (rows[i].left) {
            assert_ok(tsr_tla_make_left(&left, &arena, shape, err));
            assert_ok(tsr_tla_make_right(&right, &arena, shape, err));
            assert_string_equal(tla_text(&left), rows[i].left);
            assert_string_equal(tla_text(&right), rows[i].right);
        } else {
            assert_int_not_equal(tsr_tla_make_left(&left, &arena, shape, NULL), TSR_OK);
            assert_int_not_equal(tsr_tla_make_right(&right, &arena, shape, NULL), TSR_OK);
        }
        tsr_arena_clear(&arena);
    }
}

/* ---- tiles ---- */

static void test_make_tile(void **state)
{
    (void)state;
    static const struct {
        const char *layout, *tile, *result;
    } rows[] = {
        /* document: MakeLayoutTile changes the shape, not the stride */
        {"((4,2),(4,3)):((4,16),(1,32))", "(4,4)", "((4,1),(4,1)):((4,16),(1,32))"},
        {"((_4,_2),(_4,_3)):((_4,_16),(_1,_32))", "(4,4)", "((_4,1),(_4,1)):((_4,_16),(_1,_32))"},
        {"((4,2),(4,3)):((4,16),(1,32))", "(5,12)", "((4,2),(4,3)):((4,16),(1,32))@(5,12)"},
        {"(8,16):(16,1)", "(4,8)", "(4,8):(16,1)"},
        {"((2,3,4)):((1,2,6))", "(7)", "((2,3,2)):((1,2,6))@(7)"},
        {"((2,(3,4))):((1,(2,6)))", "(7)", "((2,(3,2))):((1,(2,6)))@(7)"},
        {"8:3", "5", "5:3"},
        {"(8,16):(16,1)", "4", "the tile 4 must have one integer for each mode of (8,16):(16,1)"},
        {"(8,16):(16,1)", "(4,(2))", "the tile (4,(2)) must have one integer for each mode of (8,16):(16,1)"},
        {"(8,16):(16,1)", "(4,_)", "the tile (4,_) must have one integer for each mode of (8,16):(16,1)"},
        {"(8,16):(16,1)", "(4,0)", "the sizes of a tile must be at least 1, but that of mode 1 is 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_error why = {0};
        const tsr_tuple *tile;
        tsr_tla layout, out;
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].layout, err));
        assert_ok(tsr_tuple_parse(&tile, &arena, rows[i].tile, err));
        const tsr_status status = tsr_tla_make_tile(&out, &arena, &layout, tile, &why);
        assert_string_equal(status == TSR_OK ? tla_text(&out) : why.message, rows[i].result);
        tsr_arena_clear(&arena);
    }
}

/* Whether layout(at + c) = offset + view(c) for all c in `n` = the view's logical sizes, rank 2. */
static bool shows(const tsr_tla *layout, const tsr_tla_view *view, const int64_t *at, const int64_t *n)
{
    for (int64_t y = 0; y < n[0]; y++)
        for (int64_t x = 0; x < n[1]; x++)
            if (tsr_tla_offset_at(layout, (int64_t[]){at[0] + y, at[1] + x}) !=
                view->offset + tsr_tla_offset_at(&view->layout, (int64_t[]){y, x}))
                return false;
    return true;
}

static void test_tile_view(void **state)
{
    (void)state;
    tsr_rng rng = {2};
    int nrefused = 0, nshown = 0;
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        tsr_tla layout, cut;
        tsr_tla_view view;
        const tsr_tuple *tile, *at;
        int64_t n[2], a[2], dim[2];
        const int64_t br = 1 + (int64_t)tsr_rng_below(&rng, 4), bc = 1 + (int64_t)tsr_rng_below(&rng, 4);
        for (int m = 0; m < 2; m++) {
            dim[m] = 1 + (int64_t)tsr_rng_below(&rng, 12);
            n[m] = 1 + (int64_t)tsr_rng_below(&rng, 8);
            a[m] = (int64_t)tsr_rng_below(&rng, 14);
        }
        assert_ok(
            tsr_tla_make_fractal(&layout, &arena, (tsr_tla_fractal)(i % 4), dim, (int64_t[]){br, bc}, err));
        assert_ok(tsr_tuple_ints(&tile, &arena, 2, n, err));
        assert_ok(tsr_tuple_ints(&at, &arena, 2, a, err));
        const tsr_status status = tsr_tla_tile_view(&view, &arena, &layout, tile, at, NULL);
        for (int m = 0; m < 2; m++) /* origin[m] = min(tile[m], max(dim[m] - at[m], 0)) */
            n[m] = a[m] >= dim[m] ? 0 : dim[m] - a[m] < n[m] ? dim[m] - a[m] : n[m];
        if (status == TSR_OK) {
            nshown++;
            assert_int_equal(tsr_tla_dim(&view.layout, 0), n[0]);
            assert_int_equal(tsr_tla_dim(&view.layout, 1), n[1]);
            assert_true(tsr_tuple_equal(view.layout.stride, layout.stride));
            assert_true(shows(&layout, &view, a, n));
        } else {
            nrefused++;
            assert_int_equal(status, TSR_UNSUPPORTED);
            assert_ok(tsr_tla_make_tile(&cut, &arena, &layout, tile, err));
            for (int m = 0; m < 2; m++) /* refused although the element exists */
                n[m] = n[m] > 0 ? n[m] : 1;
            assert_true(a[0] < dim[0] || a[1] < dim[1]);
            if (a[0] < dim[0] && a[1] < dim[1])
                assert_false(shows(&layout, &(tsr_tla_view){cut, tsr_tla_offset_at(&layout, a)}, a, n));
        }
        tsr_arena_clear(&arena);
    }
    assert_true(nshown > 100 && nrefused > 100);
}

/* ---- maps and levels ---- */

/* The next coordinate of the dims, first mode the fastest; false after the last. */
static bool next_coord(int64_t *coord, const int64_t *dims, int rank)
{
    for (int m = 0; m < rank; m++) {
        if (++coord[m] < dims[m])
            return true;
        coord[m] = 0;
    }
    return false;
}

static void check_map(const tsr_tla *layout)
{
    int64_t coord[TSR_TLA_MAX_LEAVES] = {0}, dims[TSR_TLA_MAX_LEAVES], offset;
    const int rank = tsr_tla_rank(layout);
    tsr_map *map;
    assert_ok(tsr_tla_to_map(&map, layout, err));
    assert_int_equal(tsr_map_ndims(map), rank);
    assert_int_equal(tsr_map_nresults(map), 1);
    for (int m = 0; m < rank; m++) {
        dims[m] = tsr_tla_dim(layout, m);
        assert_int_equal(tsr_map_var_bounds(map, m).lo, 0);
        assert_int_equal(tsr_map_var_bounds(map, m).hi, dims[m] - 1);
    }
    do {
        assert_ok(tsr_map_eval(&offset, map, coord, err));
        assert_int_equal(offset, tsr_tla_offset_at(layout, coord));
    } while (next_coord(coord, dims, rank));
    tsr_map_free(map);
}

/* offset = unit * pos; coordinates are found again from their offsets, and from no other offsets. */
static void check_levels(const tsr_tla *layout, const tsr_tla_levels *levels)
{
    int64_t coord[TSR_TLA_MAX_LEAVES] = {0}, digit[TSR_TLA_MAX_LEAVES], back[TSR_TLA_MAX_LEAVES];
    const int rank = levels->rank;
    int64_t ncoords = 0, nfound = 0;
    tsr_map *map;
    assert_ok(tsr_tla_levels_map(&map, levels, err));
    assert_int_equal(tsr_map_nresults(map), levels->nlevels);
    do {
        int64_t pos = 0;
        assert_ok(tsr_map_eval(digit, map, coord, err));
        for (int l = 0; l < levels->nlevels; l++) {
            assert_in_range(digit[l], 0, levels->level[l].size - 1);
            assert_true(levels->level[l].pitch >= levels->level[l].size);
            pos = pos * levels->level[l].pitch + digit[l];
        }
        assert_int_equal(pos * levels->unit, tsr_tla_offset_at(layout, coord));
        assert_true(tsr_tla_levels_coord(back, levels, pos * levels->unit));
        assert_memory_equal(back, coord, (size_t)rank * sizeof *coord);
        ncoords++;
    } while (next_coord(coord, levels->dims, rank));
    for (int64_t offset = -1; offset <= levels->cosize; offset++)
        nfound += tsr_tla_levels_coord(back, levels, offset);
    assert_int_equal(nfound, ncoords);
    tsr_map_free(map);
}

static void test_maps_and_levels(void **state)
{
    (void)state;
    tsr_rng rng = {3};
    for (int i = 0; i < NRANDOM; i++) {
        tsr_arena arena = {0};
        tsr_tla layout = tla_random(&arena, &rng, (tla_kind)(i % 3));
        tsr_tla_levels levels;
        if (i % 2 == 0) { /* with an origin */
            int64_t dims[TSR_TLA_MAX_LEAVES];
            const tsr_tuple *origin;
            const int rank = tsr_tla_rank(&layout);
            for (int m = 0; m < rank; m++)
                dims[m] = 1 + (int64_t)tsr_rng_below(&rng, (uint64_t)tsr_tla_dim(&layout, m));
            if (layout.shape->kind == TSR_TUPLE_LIST)
                assert_ok(tsr_tuple_ints(&origin, &arena, rank, dims, err));
            else
                assert_ok(tsr_tuple_int(&origin, &arena, dims[0], err));
            assert_ok(tsr_tla_make(&layout, layout.shape, layout.stride, origin, err));
        }
        check_map(&layout);
        const tsr_status status = tsr_tla_to_levels(&levels, &layout, NULL);
        if (i % 3 != TLA_ANY)
            assert_int_equal(status, TSR_OK);
        if (status == TSR_OK)
            check_levels(&layout, &levels);
        else
            assert_int_equal(status, TSR_UNSUPPORTED);
        if (!tla_is_injective(&layout))
            assert_int_equal(status, TSR_UNSUPPORTED);
        tsr_arena_clear(&arena);
    }
}

static void test_levels_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *layout, *levels; /* size/pitch of mode : divisor, in order; or the reason */
    } rows[] = {
        {"((4,2),(4,3)):((4,16),(1,32))", "3/3 1:4, 2/2 0:4, 4/4 0:1, 4/4 1:1, unit 1"}, /* document: zN */
        {"(2,4):(12,1)", "2/2 0:1, 4/12 1:1, unit 1"}, /* the document's w2xh4: a pitch */
        {"8:2", "8/8 0:1, unit 2"},
        {"1:0", "unit 1"},
        {"():()", "unit 1"},
        {"(3,4):(0,1)", "(3,4):(0,1) is only a view: stride 0 in mode 0 gives 3 coordinates the same offset"},
        {"(2,3):(7,2)",
         "(2,3):(7,2) is only a view: stride 7 of mode 0 is not a multiple of stride 2 of mode 1"},
        {"(4,2):(1,2)",
         "(4,2):(1,2) is only a view: 4 elements with stride 1 in mode 0 overlap stride 2 of mode 1"},
        {"(2,2):(1,1)",
         "(2,2):(1,1) is only a view: 2 elements with stride 1 in mode 1 overlap stride 1 of mode 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_error why = {0};
        tsr_text text = {0};
        tsr_tla layout;
        tsr_tla_levels levels;
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].layout, err));
        if (tsr_tla_to_levels(&levels, &layout, &why) == TSR_OK) {
            for (int l = 0; l < levels.nlevels; l++)
                tsr_text_addf(&text, "%lld/%lld %d:%lld, ", (long long)levels.level[l].size,
                              (long long)levels.level[l].pitch, levels.level[l].mode,
                              (long long)levels.level[l].divisor);
            tsr_text_addf(&text, "unit %lld", (long long)levels.unit);
        } else {
            tsr_text_add(&text, why.message);
        }
        assert_string_equal(tsr_text_cstr(&text), rows[i].levels);
        tsr_text_clear(&text);
        tsr_arena_clear(&arena);
    }
}

static void test_map_texts(void **state)
{
    (void)state;
    static const struct {
        const char *layout, *map;
    } rows[] = {
        {"((4,2),(4,3)):((4,16),(1,32))",
         "(d0, d1) -> (d0 floordiv 4 * 16 + d0 mod 4 * 4 + d1 floordiv 4 * 32 + d1 mod 4), domain: d0 in [0, "
         "7], d1 in [0, 11]"},
        {"(2,4):(12,1)@(2,3)", "(d0, d1) -> (d0 * 12 + d1), domain: d0 in [0, 1], d1 in [0, 2]"},
        {"():()", "() -> (0)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_arena arena = {0};
        tsr_tla layout;
        tsr_map *map, *expected;
        assert_ok(tsr_tla_parse(&layout, &arena, rows[i].layout, err));
        assert_ok(tsr_tla_to_map(&map, &layout, err));
        assert_ok(tsr_map_parse(&expected, rows[i].map, err));
        assert_true(tsr_map_equal(map, expected));
        tsr_map_free(map);
        tsr_map_free(expected);
        tsr_arena_clear(&arena);
    }
}

/* ---- running out of memory ---- */

/* Call everything that allocates once; outputs are NULL or zero after a failure. */
static tsr_status do_all(tsr_error *err)
{
    tsr_arena arena = {0};
    tsr_status status;
    tsr_tla a, b, r;
    const tsr_tuple *tuple, *out;
    const tsr_tiler *tiler;
    tsr_text text = {0};
    tsr_map *map = NULL, *digits = NULL;
    tsr_tla_levels levels;
    tsr_tla_view view;
    TSR_TRY_OUT(tsr_tla_parse(&a, &arena, "((4,2),(4,3)):((4,16),(1,32))@(7,12)", err));
    TSR_TRY_OUT(tsr_tla_make_fractal(&b, &arena, TSR_TLA_ZN, (int64_t[]){40, 50}, (int64_t[]){16, 16}, err));
    TSR_TRY_OUT(tsr_tiler_parse(&tiler, &arena, "[2:1;(2,2):(1,4)]", err));
    TSR_TRY_OUT(tsr_tuple_parse(&tuple, &arena, "(3,5)", err));
    TSR_TRY_OUT(tsr_idx2crd(&out, &arena, tuple, a.shape, err));
    TSR_TRY_OUT(tsr_tla_tile_view(&view, &arena, &b, tuple, tuple, err));
    TSR_TRY_OUT(tsr_tla_divide(&r, &arena, &a, tiler, TSR_TLA_FLAT, err));
    TSR_TRY_OUT(tsr_tla_product(&r, &arena, &a, tiler, TSR_TLA_ZIPPED, err));
    TSR_TRY_OUT(tsr_tla_raked_product(&r, &arena, &a, &b, err));
    TSR_TRY_OUT(tsr_tla_coalesce(&r, &arena, &b, NULL, err));
    TSR_TRY_OUT(tsr_tla_left_inverse(&r, &arena, &b, err));
    TSR_TRY_OUT(tsr_tla_to_map(&map, &b, err));
    TSR_TRY_OUT(tsr_tla_to_levels(&levels, &b, err));
    TSR_TRY_OUT(tsr_tla_levels_map(&digits, &levels, err));
    TSR_TRY_OUT(tsr_tla_print_2d(&text, &a, err));
    TSR_TRY_OUT(tsr_tla_print_1d(&text, &b, err));
out:
    tsr_map_free(map);
    tsr_map_free(digits);
    tsr_text_clear(&text);
    tsr_arena_clear(&arena);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_error why = {0};
        tsr_faults_arm(&faults);
        const tsr_status status = do_all(&why);
        tsr_faults_end(&faults, status);
        assert_true(status == TSR_OK || why.message[0] != '\0');
    }
    assert_true(faults.n > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fractals),       cmocka_unit_test(test_fractal_refusals),
        cmocka_unit_test(test_compact),        cmocka_unit_test(test_make_tile),
        cmocka_unit_test(test_tile_view),      cmocka_unit_test(test_maps_and_levels),

        cmocka_unit_test(test_levels_by_hand), cmocka_unit_test(test_map_texts),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
