/* The deep check, case by case: the sentence for each fault, dense levels that no array bounds, and large
 * arrays on several threads. */
#include "given.h"
#include "tsr_test.h"

static void test_sentences(void **state)
{
    (void)state;
    static const struct {
        given g;
        const char *says;
    } cases[] = {
        {{"coo", 2, {4, 5}, {{2, {0, 3}}}, {{3, {0, 2, 2}}, {3, {1, 4, 3}}}, 3, {1, 2, 3}, GIVEN_PLAIN},
         "levels 0 to 1: coordinates (2, 3) at position 2 follow (2, 4) under the same parent, but must be "
         "larger"},
        {{"coo", 2, {4, 5}, {{2, {0, 3}}}, {{3, {0, 2, 2}}, {3, {1, 4, 4}}}, 3, {1, 2, 3}, GIVEN_PLAIN},
         "(2, 4) at position 2 follow (2, 4)"},
        {{"coodup", 2, {4, 5}, {{2, {0, 3}}}, {{3, {0, 2, 1}}, {3, {1, 4, 4}}}, 3, {1, 2, 3}, GIVEN_PLAIN},
         ", but must be larger or equal"},
        {{"csr",
          2,
          {2, 2},
          {NONE, {3, {0, 1, 2}}},
          {NONE, {2, {1, 0}}},
          2,
          {1, 2},
          TSR_SYMMETRIC_LOWER,
          false,
          TSR_F64,
          0},
         "position 0 at (0, 1) is outside the triangle that symmetric_lower stores"},
        {{"csc",
          2,
          {2, 2},
          {NONE, {3, {0, 1, 2}}},
          {NONE, {2, {1, 0}}},
          2,
          {1, 2},
          TSR_SYMMETRIC_UPPER,
          false,
          TSR_F64,
          0},
         "position 0 at (1, 0) is outside the triangle that symmetric_upper stores"},
        {{"csr",
          2,
          {2, 3},
          {NONE, {3, {0, 0, 0}}},
          {NONE, {0, {0}}},
          0,
          {0},
          TSR_SYMMETRIC_LOWER,
          false,
          TSR_F64,
          0},
         "structure symmetric_lower needs a square matrix, but this matrix is 2 x 3"},
        {{"s", 1, {2}, {{2, {0, 0}}}, {{0, {0}}}, 0, {0}, TSR_SYMMETRIC_LOWER, false, TSR_F64, 0},
         "structure symmetric_lower needs 2 modes"},
        {{"csr",
          2,
          {2, 2},
          {NONE, {3, {0, 0, 1}}},
          {NONE, {1, {1}}},
          1,
          {4},
          TSR_SKEW_LOWER,
          false,
          TSR_F64,
          0},
         "position 0 at (1, 1) is on the diagonal of a skew-symmetric matrix, but is not 0"},
        {{"dd", 2, {2, 2}, {NONE}, {NONE}, 4, {1, 2, 0, 1}, TSR_HERMITIAN_LOWER, false, TSR_F64, 0},
         "position 1 at (0, 1) is outside the triangle that hermitian_lower stores"},
        {{"dd", 2, {2, 2}, {NONE}, {NONE}, 1, {1}, TSR_SYMMETRIC_LOWER, true, TSR_F64, 0},
         "all 4 positions of a dense last level share a value that is not the fill, but some of them are "
         "outside"},
        {{"tiled(2,2)", 2, {3, 2}, {NONE}, {NONE}, 1, {1}, TSR_GENERAL, true, TSR_F64, 0},
         "some of them are padding"},
        {{"bcsr(2,3)",
          2,
          {3, 2},
          {NONE, {3, {0, 0, 1}}},
          {NONE, {1, {0}}},
          6,
          {1, 2, 0, 0, 0, 3},
          GIVEN_PLAIN},
         "position 5 with storage coordinates (1, 0, 1, 2) holds a value, but is outside the tensor"},
        {{"s", 1, {2}, {{2, {0, 1}}}, {{1, {0}}}, 1, {2}, TSR_GENERAL, true, TSR_PATTERN, 0},
         "pattern: position 0 holds 2, but must hold 1"},
        {{"d", 1, {2}, {NONE}, {NONE}, 2, {1, 2}, TSR_GENERAL, false, TSR_PATTERN, 0},
         "pattern: position 1 holds 2, but must hold 0 or 1"},
        {{"d", 1, {2}, {NONE}, {NONE}, 1, {1}, TSR_GENERAL, true, TSR_PATTERN, 0},
         "needs a byte for each position"},
        {{"s", 1, {2}, {{2, {0, 1}}}, {{1, {0}}}, 1, {1}, TSR_GENERAL, false, TSR_PATTERN, 0},
         "needs one value for all positions"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tsr_tensor *t = given_build(&cases[k].g, 4);
        tsr_error why = {0};
        assert_int_equal(tsr_tensor_check(t, 1, &why), TSR_CORRUPT);
        if (!strstr(why.message, cases[k].says))
            fail_msg("'%s' is not in '%s'", cases[k].says, why.message);
        tsr_tensor_free(t);
    }
}

/* Dense levels whose positions no array bounds: answered at once. */
static void test_huge_iso(void **state)
{
    (void)state;
    static const given cases[] = {
        {"dd", 2, {1u << 31, 1u << 31}, {NONE}, {NONE}, 1, {1}, TSR_GENERAL, true, TSR_F64, 0},
        {"dd", 2, {1u << 31, 1u << 31}, {NONE}, {NONE}, 1, {0}, TSR_SYMMETRIC_LOWER, true, TSR_F64, 0},
        {"tiled(2,3)", 2, {1u << 31, 1u << 31}, {NONE}, {NONE}, 1, {0}, TSR_GENERAL, true, TSR_F64, 0},
        {"(i) -> (i : dense(pitch = 4611686018427387904))",
         1,
         {3},
         {NONE},
         {NONE},
         1,
         {0},
         TSR_GENERAL,
         true,
         TSR_F64,
         0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tsr_tensor *t = given_build(&cases[k], 4);
        assert_ok(tsr_tensor_check(t, 1, err));
        tsr_tensor_free(t);
    }
    const given overflow = {"dd", 2, {INT64_MAX, 4}, {NONE}, {NONE}, 1, {1}, TSR_GENERAL, true, TSR_F64, 0};
    tsr_tensor *t = given_build(&overflow, 4);
    assert_int_equal(tsr_tensor_check(t, 1, NULL), TSR_CORRUPT);
    tsr_tensor_free(t);
}

/* Large arrays on several threads: the first fault is told, wherever the shares are cut. */
static void test_threads(void **state)
{
    (void)state;
    enum { N = 150000 };
    for (int kind = 0; kind < 2; kind++) {
        const uint64_t dims[] = {500, 500, 1000};
        tsr_format *format = NULL;
        tsr_tensor *t = NULL;
        assert_ok(tsr_format_parse(&format, kind ? "hicoo(512)" : "coo", 3, dims, err));
        assert_ok(tsr_tensor_new(&t, format, dims, TSR_F32, err));
        tsr_format_free(format);
        /* hicoo: one block in modes 0 and 1; all entries are in its half of mode 2 */
        const int first = kind ? 3 : 0;
        for (int l = 0; l < t->nlevels; l++) {
            tsr_level *level = &t->levels[l];
            const uint64_t n = l < first ? 1 : N;
            level->nparents = l == 0 ? 1 : t->levels[l - 1].npos;
            level->npos = n;
            assert_ok(tsr_array_init(&level->crd, n, 4, 1, "crd", err));
            if (tsr_level_array_row(level->type, TSR_LEVEL_POS)) {
                assert_ok(tsr_array_init(&level->pos, 2, 4, 1, "pos", err));
                tsr_array_set(&level->pos, 1, n);
            }
        }
        for (uint64_t e = 0; e < N; e++) {
            tsr_array_set(&t->levels[first].crd, e, e / 400);
            tsr_array_set(&t->levels[first + 1].crd, e, e % 400 / 2);
            tsr_array_set(&t->levels[first + 2].crd, e, e % 2);
        }
        t->npos = N;
        assert_ok(tsr_array_init(&t->values, N, 4, 1, "values", err));
        for (int nthreads = 1; nthreads <= 8; nthreads *= 2) {
            assert_ok(tsr_tensor_check(t, nthreads, err));
            for (uint64_t bad = 1; bad < N; bad += 9375) { /* a multiple of it is where 16 shares are cut */
                tsr_array *crd = &t->levels[first + 1].crd;
                for (uint64_t at = bad - 1; at <= bad; at++) {
                    const uint64_t keep = tsr_array_get(crd, at), before = tsr_array_get(crd, at - (at > 0));
                    char says[64];
                    tsr_error why = {0};
                    if (before == 0)
                        continue;
                    tsr_array_set(crd, at, before - 1);
                    assert_int_equal(tsr_tensor_check(t, nthreads, &why), TSR_CORRUPT);
                    snprintf(says, sizeof says, "at position %llu follow", (unsigned long long)at);
                    if (at % 400 != 0 && !strstr(why.message, says))
                        fail_msg("%s: %s", says, why.message);
                    tsr_array_set(crd, at, keep);
                }
            }
            /* 510 of a block of 512 is inside the block and outside the tensor */
            const uint64_t keep = tsr_array_get(&t->levels[first].crd, N - 1);
            tsr_array_set(&t->levels[first].crd, N - 1, 510);
            tsr_error why = {0};
            assert_int_equal(tsr_tensor_check(t, nthreads, &why), TSR_CORRUPT);
            assert_non_null(
                strstr(why.message, kind ? "position 149999 with storage coordinates (0, 0, 0, 510, "
                                         : "coordinate 510 at position 149999"));
            tsr_array_set(&t->levels[first].crd, N - 1, keep);
        }
        tsr_tensor_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_huge_iso),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("tensor cases", tests, NULL, NULL);
}
