/* Two tensors side by side: the cells of both, and their values, against dense arrays. */
#include "door_test.h"

enum { ROWS = 37, COLUMNS = 90, CELLS = ROWS * COLUMNS };

/* >= 0: the right matrix has the cells of the left one, but for this cell, if there is such a cell. */
static int changed = -1;

/* A matrix with an entry where a row of random numbers says so; want[row * COLUMNS + column]: its cells. */
static tessera_tensor *make(const char *format, tessera_type type, int width, unsigned seed, double *want,
                            unsigned char *stored)
{
    const int is_right = changed >= 0 && seed != 7;
    seed = is_right ? 7 : seed;
    uint64_t at[2][CELLS];
    double v[CELLS];
    const unsigned share = seed < 100 ? 40 : 2; /* percent */
    uint64_t n = 0;
    for (int c = 0; c < CELLS; c++) {
        seed = seed * 1664525 + 1013904223;
        stored[c] = (seed >> 16) % 100 < share || c / COLUMNS == 5;
        if (is_right && c == changed)
            stored[c] = !stored[c];
        want[c] = stored[c] ? (type == TESSERA_PATTERN ? 1 : (double)(seed >> 20)) : 0;
        if (stored[c])
            at[0][n] = (uint64_t)(c / COLUMNS), at[1][n] = (uint64_t)(c % COLUMNS), v[n++] = want[c];
    }
    const tessera_array crd[2] = {{.data = at[0], .n = n, .type = TESSERA_U64},
                                  {.data = at[1], .n = n, .type = TESSERA_U64}};
    const uint64_t dims[2] = {ROWS, COLUMNS};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 2,
                                     .dims = dims,
                                     .nnz = n,
                                     .crd = crd,
                                     .values = {.data = type == TESSERA_PATTERN ? NULL : v,
                                                .n = n,
                                                .type = type == TESSERA_PATTERN ? type : TESSERA_F64}};
    const tessera_pack_options options = {
        .size = sizeof options, .format = format, .index_width = (tessera_index_width)width};
    tessera_tensor *A, *B;
    door_ok(tessera_pack(&A, &entries, &options, ctx));
    if (type == TESSERA_PATTERN)
        return A;
    const tessera_convert_options how = {
        .size = sizeof how, .has_type = 1, .type = type, .index_width = (tessera_index_width)width};
    door_ok(tessera_convert(&B, A, &how, ctx));
    tessera_tensor_free(A);
    return B;
}

static double number(const void *values, tessera_type type, uint64_t k)
{
    switch (type) {
    case TESSERA_F64:
        return ((const double *)values)[k];
    case TESSERA_F32:
        return (double)((const float *)values)[k];
    case TESSERA_U16:
        return ((const uint16_t *)values)[k];
    case TESSERA_C128:
        assert_true(((const double *)values)[2 * k + 1] == 0);
        return ((const double *)values)[2 * k];
    default:
        return ((const unsigned char *)values)[k];
    }
}

static uint64_t element(const void *array, int wide, uint64_t k)
{
    return wide ? ((const uint64_t *)array)[k] : ((const uint32_t *)array)[k];
}

/* Walk over both, drop cells whose left value is a multiple of 3 if `drops`, and compare with the dense arrays. */
static void walk(const char *format, const tessera_type type[2], const int width[2], int cells, int wide,
                 int drops)
{
    static double want[2][CELLS], side[2][2 * 1024], got[2][CELLS];
    static uint64_t pos[COLUMNS + 1], crd[2 * CELLS];
    static unsigned char stored[2][CELLS], kept[1024];
    const int by_column = strcmp(format, "csc") == 0;
    tessera_tensor *const A = make(format, type[0], width[0], 7, want[0], stored[0]);
    tessera_tensor *const B = make(format, type[1], width[1], wide ? 108 : 8, want[1], stored[1]);
    tessera_pairs pairs = {.size = sizeof pairs,
                           .capacity = 1024,
                           .pos = pos,
                           .crd = crd,
                           .left = side[0],
                           .right = side[1],
                           .wide = wide,
                           .cells = cells};
    for (;;) {
        door_ok(tessera_pairs_next(&pairs, A, B, ctx));
        if (pairs.n == 0)
            break;
        uint64_t to = pairs.total;
        for (uint64_t k = 0; k < pairs.n; k++) {
            for (int s = 0; s < 2; s++)
                got[s][to] = number(side[s], type[s], k);
            kept[k] = (unsigned char)(!drops || (int)got[0][to] % 3 != 0);
            to += kept[k];
        }
        pairs.kept = drops ? kept : NULL;
    }
    const int rows = by_column ? COLUMNS : ROWS, columns = by_column ? ROWS : COLUMNS;
    uint64_t n = 0;
    for (int r = 0; r < rows; r++) {
        assert_int_equal(element(pos, wide, (uint64_t)r), n);
        for (int c = 0; c < columns; c++) {
            const int cell = by_column ? c * COLUMNS + r : r * COLUMNS + c;
            const int has = stored[0][cell] && stored[1][cell] ? 8
                            : stored[0][cell]                  ? 2
                            : stored[1][cell]                  ? 4
                                                               : 0;
            if (!has || (cells && !(cells & has)) || (drops && (int)want[0][cell] % 3 == 0))
                continue;
            assert_int_equal(element(crd, wide, n), c);
            assert_true(got[0][n] == want[0][cell] && got[1][n] == want[1][cell]);
            n++;
        }
    }
    assert_int_equal(pairs.total, n);
    assert_int_equal(element(pos, wide, (uint64_t)rows), n);
    tessera_tensor_free(A);
    tessera_tensor_free(B);
}

static void test_cells_and_values(void **state)
{
    (void)state;
    static const tessera_type types[][2] = {{TESSERA_F64, TESSERA_F64},
                                            {TESSERA_F32, TESSERA_PATTERN},
                                            {TESSERA_U16, TESSERA_C128},
                                            {TESSERA_PATTERN, TESSERA_F64}};
    static const int widths[][2] = {{TESSERA_INDEX_32, TESSERA_INDEX_32},
                                    {TESSERA_INDEX_AUTO, TESSERA_INDEX_64},
                                    {TESSERA_INDEX_16, TESSERA_INDEX_NARROW}};
    for (int t = 0; t < LENGTH(types); t++)
        for (int w = 0; w < LENGTH(widths); w++)
            for (int cells = 0; cells < 16; cells += 2)
                for (int wide = 0; wide < 2; wide++)
                    for (int drops = 0; drops < 2; drops++)
                        walk(cells % 4 ? "csc" : "csr", types[t], widths[w], cells, wide, drops);
}

/* The same lists, which are taken at once; and a tensor with itself. */
static void test_same_lists(void **state)
{
    (void)state;
    static double want[CELLS], left[512], right[512];
    static unsigned char stored[CELLS];
    static uint32_t pos[ROWS + 1], crd[2 * CELLS];
    tessera_tensor *const A = make("csr", TESSERA_F64, TESSERA_INDEX_32, 3, want, stored);
    tessera_pairs pairs = {
        .size = sizeof pairs, .capacity = 512, .pos = pos, .crd = crd, .left = left, .right = right};
    uint64_t n = 0;
    do {
        door_ok(tessera_pairs_next(&pairs, A, A, ctx));
        for (uint64_t k = 0; k < pairs.n; k++, n++) {
            assert_true(left[k] == right[k]);
        }
    } while (pairs.n > 0);
    assert_int_equal(n, tessera_tensor_nnz(A));
    tessera_tensor_free(A);
}

/* Lists that are the same up to one cell, wherever it is. */
static void test_lists_that_differ_in_one_cell(void **state)
{
    (void)state;
    const tessera_type types[] = {TESSERA_F64, TESSERA_F32};
    const int widths[] = {TESSERA_INDEX_32, TESSERA_INDEX_32};
    for (changed = 0; changed <= CELLS; changed += 111)
        for (int cells = 0; cells < 16; cells += 2)
            walk(cells % 4 ? "csc" : "csr", types, widths, cells, 0, changed % 2);
    changed = -1;
}

static void test_refusals(void **state)
{
    (void)state;
    static double want[CELLS], values[512];
    static unsigned char stored[CELLS];
    static uint32_t pos[COLUMNS + 1], crd[2 * CELLS];
    tessera_tensor *const A = make("csr", TESSERA_F64, 0, 3, want, stored);
    tessera_tensor *const B = make("csc", TESSERA_F64, 0, 3, want, stored);
    tessera_tensor *const C = make("coo", TESSERA_F64, 0, 3, want, stored);
    tessera_tensor *D;
    const tessera_convert_options part = {.size = sizeof part, .transform = "slice=:,0:5"};
    door_ok(tessera_convert(&D, A, &part, ctx));
    const tessera_pairs good = {
        .size = sizeof good, .capacity = 512, .pos = pos, .crd = crd, .left = values, .right = values};
    tessera_pairs p = good;
    door_fails(tessera_pairs_next(&p, A, B, ctx), TESSERA_UNSUPPORTED, "in one format");
    door_fails(tessera_pairs_next(&p, A, C, ctx), TESSERA_UNSUPPORTED, "such as csr");
    door_fails(tessera_pairs_next(&p, A, D, ctx), TESSERA_ARGUMENT, "the same sizes");
    door_fails(tessera_pairs_next(&p, A, NULL, ctx), TESSERA_ARGUMENT, "missing the right tensor");
    door_fails(tessera_pairs_next(NULL, A, A, ctx), TESSERA_ARGUMENT, "missing pairs");
    p.capacity = 511;
    door_fails(tessera_pairs_next(&p, A, A, ctx), TESSERA_ARGUMENT, "at least 512");
    p = good, p.right = NULL;
    door_fails(tessera_pairs_next(&p, A, A, ctx), TESSERA_ARGUMENT, "missing values of the right tensor");
    p = good, p.row = ROWS + 1;
    door_fails(tessera_pairs_next(&p, A, A, ctx), TESSERA_ARGUMENT, "do not have");
    p = good, p.at_left = CELLS + 1;
    door_fails(tessera_pairs_next(&p, A, A, ctx), TESSERA_ARGUMENT, "do not have");
    tessera_tensor_free(A), tessera_tensor_free(B), tessera_tensor_free(C), tessera_tensor_free(D);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_and_values), cmocka_unit_test(test_same_lists),
        cmocka_unit_test(test_lists_that_differ_in_one_cell), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
