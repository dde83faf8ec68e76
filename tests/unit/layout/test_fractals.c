/* TLA's four layouts of matrices in blocks are XLA's tiled layouts: zZ = {1,0:T(R,C)}, nN = {0,1:T(C,R)},
 * zN = {0,1:T(C,R)(C,1)}, nZ = {1,0:T(R,C)(R,1)}, for sizes that are no whole blocks, too. */
#include "tsr_test.h"

#include "tsr_tla.h"
#include "tsr_xla.h"

/* The XLA layout of a rows x cols matrix in blocks of r x c. */
static tsr_xla *make_xla(tsr_tla_fractal fractal, int64_t rows, int64_t cols, int64_t r, int64_t c)
{
    static const struct {
        const char *order;
        bool columns_first;   /* the tile is (C,R) */
        bool transposed_cell; /* then a second tile puts the elements of a block in the other order */
    } kinds[] = {[TSR_TLA_ZZ] = {"1,0", false, false},
                 [TSR_TLA_NN] = {"0,1", true, false},
                 [TSR_TLA_ZN] = {"0,1", true, true},
                 [TSR_TLA_NZ] = {"1,0", false, true}};
    const int64_t first = kinds[fractal].columns_first ? c : r, second = kinds[fractal].columns_first ? r : c;
    char text[160];
    tsr_xla *xla;
    int n = snprintf(text, sizeof text, "f16[%lld,%lld]{%s:T(%lld,%lld)", (long long)rows, (long long)cols,
                     kinds[fractal].order, (long long)first, (long long)second);
    if (kinds[fractal].transposed_cell)
        n += snprintf(text + n, sizeof text - (size_t)n, "(%lld,1)", (long long)first);
    snprintf(text + n, sizeof text - (size_t)n, "}");
    assert_ok(tsr_xla_parse(&xla, text, err));
    return xla;
}

/* Every element of the matrix has the same place in both, and both take as many. */
static void check_same_places(const tsr_tla *tla, const tsr_xla *xla)
{
    int64_t slot;
    assert_int_equal(tsr_tla_size(tla), xla->nslots);
    for (int64_t y = 0; y < xla->dims[0]; y++)
        for (int64_t x = 0; x < xla->dims[1]; x++) {
            const int64_t coord[2] = {y, x};
            assert_ok(tsr_xla_linear(&slot, xla, coord, err));
            assert_int_equal(tsr_tla_offset_at(tla, coord), slot);
        }
}

/* The XLA layout, read as digits, is the TLA layout again, where it tells each dim by whole digits. */
static void check_converts(tsr_arena *arena, const tsr_tla *tla, const tsr_xla *xla)
{
    tsr_xla_digit digits[TSR_XLA_MAX_EXPANDED];
    tsr_tla_levels levels = {.rank = 2, .dims = {xla->dims[0], xla->dims[1]}};
    tsr_tla again;
    assert_true(tsr_xla_digits(digits, xla));
    for (int i = 0; i < xla->nexpanded; i++)
        if (digits[i].dim >= 0)
            levels.level[levels.nlevels++] = (tsr_tla_level){.mode = digits[i].dim,
                                                             .divisor = digits[i].divisor,
                                                             .size = digits[i].size,
                                                             .stride = digits[i].stride};
    assert_ok(tsr_tla_from_levels(&again, arena, &levels, err));
    for (int64_t y = 0; y < xla->dims[0]; y++)
        for (int64_t x = 0; x < xla->dims[1]; x++)
            assert_int_equal(tsr_tla_offset_at(&again, (int64_t[]){y, x}),
                             tsr_tla_offset_at(tla, (int64_t[]){y, x}));
    for (int m = 0; m < 2; m++)
        assert_int_equal(tsr_tla_dim(&again, m), tsr_tla_dim(tla, m));
}

static void test_fractals_are_tiles(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    for (int i = 0; i < 800; i++) {
        tsr_arena arena = {0};
        tsr_tla tla;
        const tsr_tla_fractal fractal = (tsr_tla_fractal)(i % 4);
        const int64_t r = 1 + (int64_t)tsr_rng_below(&rng, 5), c = 1 + (int64_t)tsr_rng_below(&rng, 5);
        const int64_t rows = 1 + (int64_t)tsr_rng_below(&rng, 13),
                      cols = 1 + (int64_t)tsr_rng_below(&rng, 13);
        assert_ok(tsr_tla_make_fractal(&tla, &arena, fractal, rows, cols, r, c, err));
        tsr_xla *xla = make_xla(fractal, rows, cols, r, c);
        check_same_places(&tla, xla);
        check_converts(&arena, &tla, xla);
        tsr_xla_free(xla);
        tsr_arena_clear(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fractals_are_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
