/* Coordinates: making, checking, expanding, order, sameness, retyping. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_coo.h"

/* A coo of f64: nnz rows of `order` coordinates, and values. */
static tsr_coo *make(int order, const uint64_t *dims, uint64_t nnz, const uint64_t *crd, const double *values)
{
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, nnz, err));
    for (uint64_t e = 0; e < nnz; e++)
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, crd[e * (uint64_t)order + (uint64_t)m]);
    memcpy(coo->values.data, values, nnz * sizeof *values);
    return coo;
}

static void test_widths_and_bytes(void **state)
{
    (void)state;
    const uint64_t dims[] = {UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, 0};
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){3, dims}, TSR_F32, false, 10, err));
    assert_int_equal(coo->crd[0].width, 4);
    assert_int_equal(coo->crd[1].width, 8);
    assert_int_equal(coo->crd[2].width, 4);
    assert_int_equal(coo->values.width, 4);
    assert_int_equal(tsr_coo_nbytes(coo), 10 * (4 + 8 + 4 + 4));
    tsr_coo_free(coo);
    assert_int_equal(tsr_coo_nbytes_for((tsr_shape){3, dims}, TSR_F32, 10), 10 * (4 + 8 + 4 + 4));
    assert_int_equal(tsr_coo_nbytes_for((tsr_shape){3, dims}, TSR_PATTERN, 10), 10 * (4 + 8 + 4));
    assert_true(tsr_coo_nbytes_for((tsr_shape){3, dims}, TSR_F32, UINT64_MAX) == UINT64_MAX);
    assert_ok(tsr_coo_new(&coo, (tsr_shape){2, dims}, TSR_I8, err));
    assert_int_equal(coo->nnz, 0);
    assert_non_null(coo->crd[0].data);
    assert_int_equal(tsr_coo_check(coo, 1, NULL), TSR_OK);
    tsr_coo_free(coo);
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){0, NULL}, TSR_I8, true, 5, err));
    assert_int_equal(tsr_coo_check(coo, 1, NULL), TSR_OK);
    tsr_coo_free(coo);
}

static void test_new_refuses(void **state)
{
    (void)state;
    const uint64_t dims[17] = {1, (uint64_t)INT64_MAX + 1};
    tsr_coo *coo = (tsr_coo *)&dims;
    assert_int_equal(tsr_coo_new(&coo, (tsr_shape){17, dims}, TSR_F64, NULL), TSR_LIMIT);
    assert_null(coo);
    assert_int_equal(tsr_coo_new(&coo, (tsr_shape){2, dims}, TSR_F64, NULL), TSR_LIMIT);
    assert_int_equal(tsr_coo_new(&coo, (tsr_shape){-1, dims}, TSR_F64, NULL), TSR_LIMIT);
    assert_int_equal(tsr_coo_new(&coo, (tsr_shape){1, dims}, TSR_NTYPES, NULL), TSR_ARGUMENT);
    assert_int_equal(tsr_coo_new_sized(&coo, (tsr_shape){1, dims}, TSR_F64, true, UINT64_MAX / 4, NULL),
                     TSR_LIMIT);
    assert_null(coo);
}

/* A copy has all that is not an array too, and arrays of its own. */
static void test_copy(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 3}, crd[] = {1, 0, 2, 1};
    const double values[] = {4, 5}, fill = 7;
    tsr_coo *copy = NULL, *const coo = make(2, dims, 2, crd, values);
    bool same = false;
    coo->structure = TSR_SKEW_LOWER;
    coo->has_fill = true;
    memcpy(coo->fill, &fill, sizeof fill);
    coo->natural = "csr";
    assert_ok(tsr_coo_copy(&copy, coo, err));
    assert_ok(tsr_coo_same(&same, copy, coo, err));
    assert_true(same);
    assert_true(copy->has_fill);
    assert_memory_equal(copy->fill, coo->fill, sizeof fill);
    assert_string_equal(copy->natural, "csr");
    assert_ptr_not_equal(copy->crd[0].data, coo->crd[0].data);
    assert_ptr_not_equal(copy->values.data, coo->values.data);
    tsr_coo_free(copy);
    tsr_coo_free(coo);
}

/* ---- checking ---- */

static void break_length(tsr_coo *coo)
{
    coo->crd[1].n--;
}
static void break_values_length(tsr_coo *coo)
{
    coo->values.n--;
}
static void break_values_width(tsr_coo *coo)
{
    coo->values.width = 4;
}
static void break_width(tsr_coo *coo)
{
    coo->crd[0].width = 2;
}
static void break_range(tsr_coo *coo)
{
    tsr_array_set(&coo->crd[1], 2, 7);
}
static void break_range_late(tsr_coo *coo)
{
    tsr_array_set(&coo->crd[0], 3, UINT32_MAX);
}
static void break_dims(tsr_coo *coo)
{
    coo->dims[0] = UINT64_MAX;
}
static void break_triangle(tsr_coo *coo)
{
    coo->structure = TSR_SYMMETRIC_UPPER;
}
static void break_skew(tsr_coo *coo)
{
    coo->structure = TSR_SKEW_LOWER;
}
static void break_square(tsr_coo *coo)
{
    coo->structure = TSR_SYMMETRIC_LOWER;
    coo->dims[1] = 8;
}
static void break_order(tsr_coo *coo)
{
    coo->structure = TSR_HERMITIAN_LOWER;
    coo->order = 1;
}
static void break_structure(tsr_coo *coo)
{
    coo->structure = (tsr_structure)99;
}
static void break_iso(tsr_coo *coo)
{
    coo->iso = true;
}
static void break_pattern(tsr_coo *coo)
{
    assert_ok(tsr_coo_retype(coo, TSR_PATTERN, err));
    *(unsigned char *)coo->values.data = 3;
}
static void lower(tsr_coo *coo)
{
    coo->structure = TSR_SYMMETRIC_LOWER;
}
static void skew_zero(tsr_coo *coo)
{
    coo->structure = TSR_SKEW_LOWER;
    ((double *)coo->values.data)[1] = -0.0;
}

static void test_check(void **state)
{
    (void)state;
    static const struct {
        void (*change)(tsr_coo *);
        tsr_status status;
        const char *says;
    } cases[] = {
        {lower, TSR_OK, ""},
        {skew_zero, TSR_OK, ""},
        {break_length, TSR_CORRUPT, "mode 1 has 3 coordinates for 4 entries"},
        {break_values_length, TSR_CORRUPT, "3 values for 4 entries"},
        {break_values_width, TSR_CORRUPT, "values have 4 bytes, but type f64 has 8"},
        {break_width, TSR_CORRUPT, "mode 0 has coordinates of 2 bytes"},
        {break_range, TSR_CORRUPT, "entry 2: coordinate 7 of mode 1 is outside [0, 7)"},
        {break_range_late, TSR_CORRUPT, "entry 3: coordinate 4294967295 of mode 0"},
        {break_dims, TSR_LIMIT, "18446744073709551615"},
        {break_triangle, TSR_CORRUPT,
         "entry 0 at (3, 1) is outside the triangle that symmetric_upper stores"},
        {break_skew, TSR_CORRUPT, "entry 1 at (2, 2) is on the diagonal"},
        {break_square, TSR_CORRUPT, "7 x 8"},
        {break_order, TSR_CORRUPT, "needs 2 modes, but the tensor has 1"},
        {break_structure, TSR_CORRUPT, "structure 99"},
        {break_pattern, TSR_CORRUPT, "pattern: entry 0 holds 3, but must hold 1"},
        {break_iso, TSR_CORRUPT, "4 values for 4 entries that share one value"},
    };
    const uint64_t dims[] = {7, 7}, crd[] = {3, 1, 2, 2, 6, 0, 6, 6};
    const double values[] = {1, 2, 3, 0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tsr_coo *coo = make(2, dims, 4, crd, values);
        assert_int_equal(tsr_coo_check(coo, 2, NULL), TSR_OK);
        cases[k].change(coo);
        tsr_error err = {0};
        assert_int_equal(tsr_coo_check(coo, 2, &err), cases[k].status);
        if (!strstr(err.message, cases[k].says))
            fail_msg("'%s' is not in '%s'", cases[k].says, err.message);
        tsr_coo_free(coo);
    }
}

/* Many entries, several threads, one fault: the first one in entry order is told. */
static void test_check_many(void **state)
{
    (void)state;
    enum { N = 200000 };
    const uint64_t dims[] = {1000, UINT64_C(1) << 33};
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_U8, true, N, err));
    for (uint64_t e = 0; e < N; e++) {
        tsr_array_set(&coo->crd[0], e, e % 1000);
        tsr_array_set(&coo->crd[1], e, e << 15);
    }
    for (int nthreads = 1; nthreads <= 8; nthreads *= 2) {
        assert_ok(tsr_coo_check(coo, nthreads, err));
        for (uint64_t bad = 0; bad < N; bad += 33333) {
            const int m = bad % 2 == 0;
            const uint64_t keep = tsr_array_get(&coo->crd[m], bad);
            tsr_array_set(&coo->crd[m], bad, dims[m]);
            tsr_array_set(&coo->crd[1], N - 1, UINT64_MAX);
            tsr_error why = {0};
            char says[64];
            assert_int_equal(tsr_coo_check(coo, nthreads, &why), TSR_CORRUPT);
            snprintf(says, sizeof says, "entry %llu:", (unsigned long long)bad);
            assert_memory_equal(why.message, says, strlen(says));
            tsr_array_set(&coo->crd[m], bad, keep);
            tsr_array_set(&coo->crd[1], N - 1, (uint64_t)(N - 1) << 15);
        }
    }
    tsr_coo_free(coo);
}

/* ---- expanding ---- */

typedef struct expand_case {
    tsr_structure structure;
    tsr_type type;
    tsr_status status;
    double in[4];  /* entries (1,0), (2,2), (2,1) of a 3 x 3 matrix (transposed for upper); c128: re, im of
                      each  is in[k], in[k] + 1 */
    double out[2]; /* the mirror images of the first and the third */
} expand_case;

static const expand_case expand_cases[] = {
    {TSR_GENERAL, TSR_F64, TSR_OK, {1, 2, 3}, {0, 0}},
    {TSR_SYMMETRIC_LOWER, TSR_F64, TSR_OK, {1, 2, 3}, {1, 3}},
    {TSR_SYMMETRIC_UPPER, TSR_F64, TSR_OK, {1, 2, 3}, {1, 3}},
    {TSR_HERMITIAN_LOWER, TSR_F64, TSR_OK, {1, 2, 3}, {1, 3}},
    {TSR_HERMITIAN_LOWER, TSR_C128, TSR_OK, {1, 2, 3}, {1, 3}},
    {TSR_HERMITIAN_UPPER, TSR_C128, TSR_OK, {1, 2, 3}, {1, 3}},
    {TSR_SKEW_LOWER, TSR_F64, TSR_OK, {1, 0, -3}, {-1, 3}},
    {TSR_SKEW_UPPER, TSR_I8, TSR_OK, {1, 0, -3}, {-1, 3}},
    {TSR_SKEW_LOWER, TSR_I8, TSR_RANGE, {1, 0, -128}, {0, 0}},
    {TSR_SKEW_LOWER, TSR_U8, TSR_RANGE, {1, 0, 3}, {0, 0}},
};

static void put(tsr_array *values, tsr_type type, uint64_t e, double v)
{
    if (type == TSR_F64)
        ((double *)values->data)[e] = v;
    else if (type == TSR_C128) {
        ((double *)values->data)[2 * e] = v;
        ((double *)values->data)[2 * e + 1] = v + 1;
    } else if (type == TSR_I8)
        ((int8_t *)values->data)[e] = (int8_t)v;
    else
        ((uint8_t *)values->data)[e] = (uint8_t)v;
}

static void test_expand(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 3}, crd[2][3] = {{1, 2, 2}, {0, 2, 1}};
    for (size_t k = 0; k < sizeof expand_cases / sizeof *expand_cases; k++) {
        const expand_case *c = &expand_cases[k];
        const int up = c->structure == TSR_SYMMETRIC_UPPER || c->structure == TSR_HERMITIAN_UPPER ||
                       c->structure == TSR_SKEW_UPPER;
        tsr_coo *coo = NULL;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, c->type, false, 3, err));
        coo->structure = c->structure;
        for (uint64_t e = 0; e < 3; e++) {
            tsr_array_set(&coo->crd[up], e, crd[0][e]);
            tsr_array_set(&coo->crd[!up], e, crd[1][e]);
            put(&coo->values, c->type, e, c->in[e]);
        }
        assert_ok(tsr_coo_check(coo, 1, err));
        tsr_error why = {0};
        assert_int_equal(tsr_coo_expand(coo, &why), c->status);
        if (c->status != TSR_OK || c->structure == TSR_GENERAL) {
            assert_int_equal(coo->nnz, 3);
            assert_int_equal(coo->structure, c->structure);
        } else {
            assert_int_equal(coo->nnz, 5);
            assert_int_equal(coo->structure, TSR_GENERAL);
            tsr_array want = {0};
            assert_ok(tsr_array_init(&want, 5, tsr_type_nbytes(c->type), 0, "values", err));
            static const int from[] = {0, 0, 1, 2, 2}; /* an entry, its mirror image... */
            for (uint64_t e = 0; e < 5; e++) {
                const bool mirrored = e > 0 && from[e] == from[e - 1];
                assert_int_equal(tsr_array_get(&coo->crd[up], e), crd[mirrored][from[e]]);
                assert_int_equal(tsr_array_get(&coo->crd[!up], e), crd[!mirrored][from[e]]);
                put(&want, c->type, e, mirrored ? c->out[from[e] / 2] : c->in[from[e]]);
                if (mirrored && c->type == TSR_C128)
                    ((double *)want.data)[2 * e + 1] *= -1;
            }
            assert_memory_equal(coo->values.data, want.data, 5 * want.width);
            tsr_array_clear(&want);
        }
        assert_ok(tsr_coo_check(coo, 1, err));
        tsr_coo_free(coo);
    }
}

/* One value for all entries stays one value where its mirror image is itself, and is spelled out elsewhere.
 */
static void test_expand_iso(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 3};
    for (int skew = 0; skew < 2; skew++) {
        tsr_coo *coo = NULL;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, true, 2, err));
        coo->structure = skew ? TSR_SKEW_LOWER : TSR_SYMMETRIC_LOWER;
        for (uint64_t e = 0; e < 2; e++) {
            tsr_array_set(&coo->crd[0], e, e + 1);
            tsr_array_set(&coo->crd[1], e, e);
        }
        *(double *)coo->values.data = 7;
        assert_ok(tsr_coo_expand(coo, err));
        assert_int_equal(coo->nnz, 4);
        assert_int_equal(coo->iso, !skew);
        assert_int_equal(coo->values.n, skew ? 4 : 1);
        const double want[] = {7, skew ? -7 : 7, 7, -7};
        assert_memory_equal(coo->values.data, want, coo->values.n * sizeof *want);
        assert_ok(tsr_coo_check(coo, 1, err));
        tsr_coo_free(coo);
    }
}

/* More entries than a block, every width of values, diagonal entries here and there. */
static void test_expand_many(void **state)
{
    (void)state;
    static const tsr_type types[] = {TSR_I8, TSR_I16, TSR_F32, TSR_F64, TSR_C128};
    const uint64_t dims[] = {UINT64_C(1) << 33, UINT64_C(1) << 33};
    enum { N = 5000 };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        tsr_coo *coo = NULL;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, types[k], false, N, err));
        coo->structure = TSR_SYMMETRIC_LOWER;
        tsr_rng rng = {k};
        uint64_t ndiagonal = 0, own[2][N];
        unsigned char given[N * TSR_MAX_VALUE_NBYTES];
        for (uint64_t e = 0; e < N; e++) {
            const uint64_t j = tsr_rng_below(&rng, UINT64_C(1) << 32), i = j + tsr_rng_below(&rng, 3);
            tsr_array_set(&coo->crd[0], e, own[0][e] = i);
            tsr_array_set(&coo->crd[1], e, own[1][e] = j);
            ndiagonal += i == j;
        }
        const size_t width = coo->values.width;
        unsigned char *bytes = coo->values.data;
        for (size_t b = 0; b < N * width; b++)
            bytes[b] = given[b] = (unsigned char)tsr_rng_below(&rng, 256);
        assert_ok(tsr_coo_expand(coo, err));
        assert_int_equal(coo->nnz, 2 * N - ndiagonal);
        bytes = coo->values.data;
        uint64_t at = 0;
        for (uint64_t e = 0; e < N; e++)
            for (int mirrored = 0; mirrored < (own[0][e] == own[1][e] ? 1 : 2); mirrored++, at++) {
                assert_true(tsr_array_get(&coo->crd[0], at) == own[mirrored][e]);
                assert_true(tsr_array_get(&coo->crd[1], at) == own[!mirrored][e]);
                assert_memory_equal(bytes + at * width, given + e * width, width);
            }
        assert_int_equal(at, coo->nnz);
        tsr_coo_free(coo);
    }
}

/* ---- order and sameness ---- */

static void test_find_order(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    const uint64_t dims[] = {4, UINT64_C(1) << 40, 3};
    const int perms[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    for (int round = 0; round < 200; round++) {
        const uint64_t n = tsr_rng_below(&rng, round < 150 ? 6 : 3000);
        const int *perm = perms[round % 3];
        tsr_coo *coo = NULL;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){3, dims}, TSR_F64, false, n, err));
        uint64_t key = 0, ndup = 0;
        for (uint64_t e = 0; e < n; e++) {
            const uint64_t step = tsr_rng_below(&rng, 3);
            key += step;
            ndup += e > 0 && step == 0;
            tsr_array_set(&coo->crd[perm[0]], e, key / 100 % dims[perm[0]]);
            tsr_array_set(&coo->crd[perm[1]], e, key / 10 % 10 % dims[perm[1]]);
            tsr_array_set(&coo->crd[perm[2]], e, key % 10 % dims[perm[2]]);
        }
        /* the slow way */
        bool sorted = true;
        uint64_t nequal = 0;
        for (uint64_t e = 1; e < n; e++) {
            int cmp = 0;
            for (int k = 0; k < 3 && cmp == 0; k++) {
                const uint64_t x = tsr_array_get(&coo->crd[perm[k]], e - 1),
                               y = tsr_array_get(&coo->crd[perm[k]], e);
                cmp = x < y ? -1 : x > y;
            }
            sorted = sorted && cmp <= 0;
            nequal += cmp == 0;
        }
        assert_true(nequal >= ndup);
        tsr_coo_order order = tsr_coo_find_order(coo, perm);
        assert_int_equal(order.sorted, sorted);
        assert_int_equal(order.nduplicates, nequal);
        order = tsr_coo_find_order(coo, perm[0] == 0 ? NULL : perm);
        assert_int_equal(order.nduplicates, nequal);
        tsr_coo_free(coo);
    }
}

static void test_same(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 70000, 5};
    const uint64_t a_crd[] = {0, 69999, 1, 2, 0, 0, 1, 256, 4, 2, 0, 0, 1, 255, 4};
    const uint64_t b_crd[] = {2, 0, 0, 1, 255, 4, 2, 0, 0, 0, 69999, 1, 1, 256, 4};
    const double a_values[] = {1, -0.0, 3, 5, 7}, b_values[] = {5, 7, -0.0, 1, 3};
    tsr_coo *a = make(3, dims, 5, a_crd, a_values), *b = make(3, dims, 5, b_crd, b_values);
    bool same = false;
    assert_ok(tsr_coo_same(&same, a, a, err));
    assert_true(same);
    assert_ok(tsr_coo_same(&same, a, b, err));
    assert_true(same);
    /* each bit of each value, each coordinate */
    for (uint64_t e = 0; e < 5; e++) {
        ((unsigned char *)b->values.data)[8 * e] ^= 1;
        tsr_error why = {0};
        assert_int_equal(tsr_coo_same(&same, a, b, &why), TSR_OK);
        assert_false(same);
        assert_non_null(strstr(why.message, "entry ("));
        ((unsigned char *)b->values.data)[8 * e] ^= 1;
        for (int m = 0; m < 3; m++) {
            const uint64_t keep = tsr_array_get(&b->crd[m], e);
            tsr_array_set(&b->crd[m], e, keep ? keep - 1 : 1);
            assert_int_equal(tsr_coo_same(&same, a, b, &why), TSR_OK);
            assert_false(same);
            assert_int_equal(tsr_coo_same(&same, b, a, NULL), TSR_OK);
            assert_false(same);
            tsr_array_set(&b->crd[m], e, keep);
        }
    }
    /* 0.0 is not -0.0 */
    ((double *)b->values.data)[2] = 0.0;
    assert_ok(tsr_coo_same(&same, a, b, err));
    assert_false(same);
    tsr_coo_free(a);
    tsr_coo_free(b);
}

static void test_same_tells(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 3}, more[] = {3, 4}, crd[] = {0, 1, 2, 2}, other[] = {2, 2, 0, 2};
    const double values[] = {1.5, 2}, swapped[] = {2, 1.5};
    tsr_coo *a = make(2, dims, 2, crd, values);
    tsr_coo *b = make(2, dims, 2, other, swapped), *c = make(2, more, 2, crd, values),
            *d = make(2, dims, 2, crd, swapped), *e = make(2, dims, 1, crd, values);
    bool same;
    tsr_error why = {0};
    assert_int_equal(tsr_coo_same(&same, a, b, &why), TSR_OK);
    assert_string_equal(why.message, "entry (0, 1) = 1.5 is only in the first");
    assert_int_equal(tsr_coo_same(&same, b, a, &why), TSR_OK);
    assert_string_equal(why.message, "entry (0, 1) = 1.5 is only in the second");
    assert_int_equal(tsr_coo_same(&same, a, c, &why), TSR_OK);
    assert_string_equal(why.message, "mode 1 has size 3 in the first and 4 in the second");
    assert_int_equal(tsr_coo_same(&same, a, d, &why), TSR_OK);
    assert_string_equal(why.message, "entry (0, 1) is 1.5 in the first and 2 in the second");
    assert_int_equal(tsr_coo_same(&same, a, e, &why), TSR_OK);
    assert_string_equal(why.message, "the first tensor has 2 entries, the second 1");
    d->structure = TSR_SYMMETRIC_LOWER;
    assert_int_equal(tsr_coo_same(&same, a, d, &why), TSR_OK);
    assert_string_equal(why.message, "structure is general in the first and symmetric_lower in the second");
    d->structure = TSR_GENERAL;
    d->has_fill = true;
    assert_int_equal(tsr_coo_same(&same, a, d, &why), TSR_OK);
    assert_string_equal(why.message, "the first and the second have different fill values");
    tsr_coo_free(a);
    tsr_coo_free(b);
    tsr_coo_free(c);
    tsr_coo_free(d);
    tsr_coo_free(e);
}

/* Shuffled copies of random entries with duplicates are the same; a value moved to another entry is not. */
static void test_same_shuffled(void **state)
{
    (void)state;
    tsr_rng rng = {7};
    const uint64_t dims[] = {50, UINT64_C(1) << 35, 300};
    for (int round = 0; round < 30; round++) {
        const uint64_t n = 2 + tsr_rng_below(&rng, 2000);
        tsr_coo *a = NULL, *b = NULL;
        assert_ok(tsr_coo_new_sized(&a, (tsr_shape){3, dims}, TSR_F64, false, n, err));
        assert_ok(tsr_coo_new_sized(&b, (tsr_shape){3, dims}, TSR_F64, false, n, err));
        uint64_t *at = malloc(n * sizeof *at);
        for (uint64_t e = 0; e < n; e++) {
            at[e] = e;
            tsr_array_set(&a->crd[0], e, tsr_rng_below(&rng, round % 2 ? 2 : 50));
            tsr_array_set(&a->crd[1], e, tsr_rng_below(&rng, 3) << 33);
            tsr_array_set(&a->crd[2], e, tsr_rng_below(&rng, 300));
            ((double *)a->values.data)[e] = (double)e;
        }
        for (uint64_t e = n - 1; e > 0; e--) {
            const uint64_t k = tsr_rng_below(&rng, e + 1), t = at[e];
            at[e] = at[k];
            at[k] = t;
        }
        for (uint64_t e = 0; e < n; e++) {
            for (int m = 0; m < 3; m++)
                tsr_array_set(&b->crd[m], at[e], tsr_array_get(&a->crd[m], e));
            ((double *)b->values.data)[at[e]] = (double)e;
        }
        bool same;
        assert_ok(tsr_coo_same(&same, a, b, err));
        assert_true(same);
        ((double *)b->values.data)[tsr_rng_below(&rng, n)] = -1;
        assert_ok(tsr_coo_same(&same, a, b, err));
        assert_false(same);
        free(at);
        tsr_coo_free(a);
        tsr_coo_free(b);
    }
}

/* One value for all is the same as that value spelled out. */
static void test_same_iso(void **state)
{
    (void)state;
    const uint64_t dims[] = {9}, crd[] = {3, 1};
    const double values[] = {4, 4};
    tsr_coo *a = make(1, dims, 2, crd, values), *b = NULL;
    assert_ok(tsr_coo_new_sized(&b, (tsr_shape){1, dims}, TSR_F64, true, 2, err));
    tsr_array_set(&b->crd[0], 0, 1);
    tsr_array_set(&b->crd[0], 1, 3);
    *(double *)b->values.data = 4;
    bool same;
    assert_ok(tsr_coo_same(&same, a, b, err));
    assert_true(same);
    *(double *)b->values.data = 5;
    assert_ok(tsr_coo_same(&same, a, b, err));
    assert_false(same);
    tsr_coo_free(a);
    tsr_coo_free(b);
}

/* ---- types ---- */

static void test_retype(void **state)
{
    (void)state;
    const uint64_t dims[] = {9}, crd[] = {3, 1};
    const double values[] = {4, -5}, half[] = {4, 0.5}, fill = 3;
    tsr_coo *coo = make(1, dims, 2, crd, values);
    coo->has_fill = true;
    memcpy(coo->fill, &fill, sizeof fill);
    assert_ok(tsr_coo_retype(coo, TSR_I16, err));
    assert_int_equal(coo->type, TSR_I16);
    assert_int_equal(((int16_t *)coo->values.data)[1], -5);
    assert_int_equal(coo->values.width, 2);
    int16_t fill16;
    memcpy(&fill16, coo->fill, sizeof fill16);
    assert_int_equal(fill16, 3);
    assert_int_equal(tsr_coo_retype(coo, TSR_U8, NULL), TSR_RANGE);
    assert_int_equal(coo->type, TSR_I16);
    assert_ok(tsr_coo_check(coo, 1, err));
    assert_ok(tsr_coo_retype(coo, TSR_PATTERN, err));
    assert_true(coo->iso && coo->values.n == 1);
    assert_ok(tsr_coo_check(coo, 1, err));
    assert_ok(tsr_coo_retype(coo, TSR_F32, err));
    assert_true(coo->iso && coo->values.n == 1 && *(float *)coo->values.data == 1);
    tsr_coo_free(coo);
    coo = make(1, dims, 2, crd, half);
    assert_int_equal(tsr_coo_retype(coo, TSR_I64, NULL), TSR_RANGE);
    assert_ok(tsr_coo_check(coo, 1, err));
    tsr_coo_free(coo);
}

#ifdef TSR_FAULTS
static void test_no_memory(void **state)
{
    (void)state;
    const uint64_t dims[] = {9, 9}, crd[] = {3, 1, 2, 2, 8, 0}, other[] = {8, 0, 2, 2, 3, 1};
    const double values[] = {1, 0, 3};
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_coo *a = make(2, dims, 3, crd, values), *b = NULL;
        a->structure = TSR_SKEW_LOWER;
        bool same = false;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_coo_new_sized(&b, (tsr_shape){2, dims}, TSR_F64, false, 3, NULL);
        if (status == TSR_OK) {
            for (uint64_t e = 0; e < 3; e++)
                for (int m = 0; m < 2; m++)
                    tsr_array_set(&b->crd[m], e, other[2 * e + (uint64_t)m]);
            memset(b->values.data, 0, 24);
            status = tsr_coo_same(&same, a, b, NULL);
        }
        if (status == TSR_OK)
            status = tsr_coo_expand(a, NULL);
        if (status == TSR_OK)
            status = tsr_coo_retype(a, TSR_C128, NULL); /* a narrower type needs no memory */
        tsr_faults_end(&faults, status);
        assert_ok(tsr_coo_check(a, 1, err)); /* whole after a failure too */
        tsr_coo_free(a);
        tsr_coo_free(b);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths_and_bytes),
        cmocka_unit_test(test_new_refuses),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_check_many),
        cmocka_unit_test(test_expand),
        cmocka_unit_test(test_expand_many),
        cmocka_unit_test(test_expand_iso),
        cmocka_unit_test(test_find_order),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_same_tells),
        cmocka_unit_test(test_same_shuffled),
        cmocka_unit_test(test_same_iso),
        cmocka_unit_test(test_retype),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_no_memory),
#endif
    };
    return cmocka_run_group_tests_name("coo", tests, NULL, NULL);
}
