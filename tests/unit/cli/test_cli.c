/* The parts of the tools that can be tried without running them: option arguments, JSON, tables, the survey's
 * order of entries, the density grid. */
#include "tsr_test.h"

#include <math.h>

#include "density.h"
#include "json.h"
#include "options.h"
#include "report.h"
#include "survey.h"
#include "table.h"

/* What `print` writes to a stream, in a static buffer. */
static char *captured(void (*print)(FILE *to, const void *arg), const void *arg)
{
    static char text[4096];
    FILE *const f = tmpfile();
    assert_non_null(f);
    print(f, arg);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

/* ---- arguments ---- */

static void test_int(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int lo, hi, want; /* want -1: refused */
    } rows[] = {
        {"1", 1, 9, 1}, {"9", 1, 9, 9},           {"0", 1, 9, -1},  {"10", 1, 9, -1},
        {"", 0, 9, -1}, {"-1", 0, 9, -1},         {"1x", 0, 9, -1}, {"18446744073709551616", 0, 9, -1},
        {"0", 0, 1, 0}, {"4294967297", 0, 9, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int v = -1;
        tsr_error err = {0};
        const tsr_status status = tsr_cli_parse_int(&v, rows[i].text, rows[i].lo, rows[i].hi, &err);
        assert_int_equal(status, rows[i].want < 0 ? TSR_ARGUMENT : TSR_OK);
        if (status == TSR_OK)
            assert_int_equal(v, rows[i].want);
        else
            assert_true(strlen(err.message) > 0);
    }
}

static void test_list(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n; /* -1: refused */
        uint64_t want[3];
    } rows[] = {
        {"4,5,6", 3, {4, 5, 6}}, {"4x5x6", 3, {4, 5, 6}}, {"7", 1, {7}},    {"", -1, {0}},
        {"4,", -1, {0}},         {",4", -1, {0}},         {"4 5", -1, {0}}, {"1,2,3,4", -1, {0}},
        {"1001", -1, {0}},       {"-1", -1, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t v[3] = {0};
        int n = 0;
        const tsr_status status = tsr_cli_parse_list(v, &n, rows[i].text, 3, 1000, NULL);
        assert_int_equal(status, rows[i].n < 0 ? TSR_ARGUMENT : TSR_OK);
        if (status != TSR_OK)
            continue;
        assert_int_equal(n, rows[i].n);
        assert_memory_equal(v, rows[i].want, sizeof v);
    }
}

static void test_counts(void **state)
{
    (void)state;
    static const struct {
        double n;
        const char *want;
    } rows[] = {
        {0, "0"},
        {999999, "999999"},
        {1e6, "1.00 M"},
        {76879419, "76.9 M"},
        {999499999, "999 M"},
        {999500000, "1.00 G"},
        {1.5e12, "1.50 T"},
        {1e22, "1e+22"},
    };
    char buf[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(tsr_cli_count_text(buf, rows[i].n), rows[i].want);
}

/* ---- text ---- */

static void print_wrapped(FILE *to, const void *arg)
{
    tsr_cli_print_wrapped(to, arg, 2, 4, 20);
}

static void test_wrap(void **state)
{
    (void)state;
    assert_string_equal(captured(print_wrapped, "one two three four five"),
                        "  one two three\n    four five\n");
    assert_string_equal(captured(print_wrapped, "a\nb"), "  a\n    b\n");
    assert_string_equal(captured(print_wrapped, "averyveryveryverylongword x"),
                        "  averyveryveryverylongword\n    x\n");
}

static void print_table(FILE *to, const void *arg)
{
    (void)arg;
    tsr_table table = {0};
    tsr_table_cell(&table, "name");
    tsr_table_cell(&table, "n");
    tsr_table_end_row(&table);
    tsr_table_cell(&table, "x");
    tsr_table_cell(&table, "%d", 100);
    tsr_table_end_row(&table);
    tsr_table_print(to, &table, "lr");
}

static void test_table(void **state)
{
    (void)state;
    assert_string_equal(captured(print_table, NULL), "name    n\nx     100\n");
}

static void print_json(FILE *to, const void *arg)
{
    (void)arg;
    tsr_json json = {.to = to};
    static const double complex_value[2] = {1.5, -INFINITY};
    tsr_json_open(&json, NULL, '{', false);
    tsr_json_string(&json, "s", "a\"b\\c\n\xff\xc3\xa9");
    tsr_json_u64(&json, "u", UINT64_MAX);
    tsr_json_f64(&json, "f", 0.1);
    tsr_json_f64(&json, "n", NAN);
    tsr_json_null(&json, "z");
    tsr_json_open(&json, "e", '[', false);
    tsr_json_close(&json, ']');
    tsr_json_open(&json, "l", '[', true);
    tsr_json_bool(&json, NULL, true);
    tsr_json_value(&json, NULL, TSR_C128, complex_value);
    tsr_json_close(&json, ']');
    tsr_json_close(&json, '}');
}

static void test_json(void **state)
{
    (void)state;
    assert_string_equal(captured(print_json, NULL), "{\n"
                                                    "  \"s\": \"a\\\"b\\\\c\\u000a\\ufffd\xc3\xa9\",\n"
                                                    "  \"u\": 18446744073709551615,\n"
                                                    "  \"f\": 0.1,\n"
                                                    "  \"n\": \"nan\",\n"
                                                    "  \"z\": null,\n"
                                                    "  \"e\": [],\n"
                                                    "  \"l\": [true, [1.5, \"-inf\"]]\n"
                                                    "}\n");
}

/* ---- surveys ---- */

/* Random coordinates, sorted by the modes in a random order perm when `sorted`. */
static tsr_coo *random_coo(tsr_rng *rng, int order, uint64_t nnz, bool sorted)
{
    uint64_t dims[4], perm[4] = {0, 1, 2, 3};
    for (int m = 0; m < order; m++)
        dims[m] = 1 + tsr_rng_below(rng, 4);
    for (int m = order - 1; m > 0; m--) {
        const uint64_t k = tsr_rng_below(rng, (uint64_t)m + 1), t = perm[m];
        perm[m] = perm[k];
        perm[k] = t;
    }
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, order, dims, TSR_PATTERN, true, nnz, err));
    for (uint64_t e = 0; e < nnz; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(rng, dims[m]));
    }
    for (uint64_t pass = 0; sorted && pass < nnz; pass++) {
        for (uint64_t e = 1; e < nnz; e++) {
            int k = 0;
            while (k < order &&
                   tsr_array_get(&coo->crd[perm[k]], e - 1) == tsr_array_get(&coo->crd[perm[k]], e))
                k++;
            if (k == order || tsr_array_get(&coo->crd[perm[k]], e - 1) < tsr_array_get(&coo->crd[perm[k]], e))
                continue;
            for (int m = 0; m < order; m++) {
                const uint64_t t = tsr_array_get(&coo->crd[m], e);
                tsr_array_set(&coo->crd[m], e, tsr_array_get(&coo->crd[m], e - 1));
                tsr_array_set(&coo->crd[m], e - 1, t);
            }
        }
    }
    return coo;
}

/* Whether the entries rise in any of the order! orders of the modes, all tried. */
static bool sorted_somehow(const tsr_coo *coo, int *perm, int n, unsigned used)
{
    if (n == coo->order)
        return tsr_coo_find_order(coo, perm).sorted;
    for (int m = 0; m < coo->order; m++) {
        perm[n] = m;
        if (!(used >> m & 1) && sorted_somehow(coo, perm, n + 1, used | 1u << m))
            return true;
    }
    return false;
}

static void test_survey_order(void **state)
{
    (void)state;
    tsr_rng rng = {7};
    int nsorted = 0;
    for (int round = 0; round < 400; round++) {
        const int order = 1 + (int)tsr_rng_below(&rng, 4);
        tsr_coo *const coo = random_coo(&rng, order, tsr_rng_below(&rng, 12), round % 2 == 0);
        tsr_cli_survey survey;
        const tsr_cli_survey_options options = {.nthreads = 1};
        assert_ok(tsr_cli_survey_init(&survey, coo, &options, err));
        int perm[4];
        assert_int_equal(survey.sorted, sorted_somehow(coo, perm, 0, 0));
        if (survey.sorted) {
            nsorted++;
            assert_true(tsr_coo_find_order(coo, survey.sorted_by).sorted);
            assert_int_equal(survey.nduplicates, tsr_coo_find_order(coo, survey.sorted_by).nduplicates);
        }
        tsr_cli_survey_clear(&survey);
        tsr_coo_free(coo);
    }
    assert_true(nsorted >= 200);
}

/* Slices and fibers against counting in a dense box. */
static void test_survey_spread(void **state)
{
    (void)state;
    tsr_rng rng = {8};
    for (int round = 0; round < 100; round++) {
        tsr_coo *const coo = random_coo(&rng, 3, 1 + tsr_rng_below(&rng, 20), false);
        bool cell[4][4][4] = {{{false}}};
        for (uint64_t e = 0; e < coo->nnz; e++)
            cell[tsr_array_get(&coo->crd[0], e)][tsr_array_get(&coo->crd[1], e)]
                [tsr_array_get(&coo->crd[2], e)] = true;
        uint64_t slice[4] = {0}, fiber[4][4] = {{0}}, used = 0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 4; k++) {
                    slice[j] += cell[i][j][k];
                    fiber[i][j] += cell[i][j][k];
                }
        tsr_cli_survey survey;
        const tsr_cli_survey_options options = {.nthreads = 1};
        assert_ok(tsr_cli_survey_init(&survey, coo, &options, err));
        uint64_t largest = 0;
        for (int j = 0; j < 4; j++) {
            used += slice[j] > 0;
            largest = slice[j] > largest ? slice[j] : largest;
        }
        assert_int_equal(survey.modes[1].slices.used, used);
        assert_int_equal(survey.modes[1].slices.max, largest);
        assert_true(survey.modes[1].slices.total == (double)coo->dims[1]);
        used = largest = 0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                used += fiber[i][j] > 0;
                largest = fiber[i][j] > largest ? fiber[i][j] : largest;
            }
        assert_int_equal(survey.modes[2].fibers.used, used);
        assert_int_equal(survey.modes[2].fibers.max, largest);
        assert_true(survey.modes[2].fibers.total == (double)(coo->dims[0] * coo->dims[1]));
        tsr_cli_survey_clear(&survey);
        tsr_coo_free(coo);
    }
}

/* The sizes that are called exact are those of tensors packed into the formats. */
static void test_survey_sizes(void **state)
{
    (void)state;
    tsr_rng rng = {10};
    int nexact = 0;
    for (int round = 0; round < 60; round++) {
        const int order = 1 + (int)tsr_rng_below(&rng, 4);
        tsr_coo *const coo = random_coo(&rng, order, tsr_rng_below(&rng, 20), false);
        assert_ok(tsr_coo_retype(coo, round % 2 ? TSR_F64 : TSR_I16, err));
        tsr_cli_survey survey;
        const tsr_cli_survey_options options = {.nthreads = 1};
        assert_ok(tsr_cli_survey_init(&survey, coo, &options, err));
        assert_true(survey.nsizes >= 4);
        for (int i = 0; i < survey.nsizes; i++) {
            tsr_format *format = NULL;
            tsr_tensor *tensor = NULL;
            tsr_coo *copy = NULL;
            assert_ok(tsr_format_parse(&format, survey.sizes[i].format, order, coo->dims, err));
            assert_ok(tsr_coo_new_sized(&copy, order, coo->dims, coo->type, coo->iso, coo->nnz, err));
            for (int m = 0; m < order; m++)
                memcpy(copy->crd[m].data, coo->crd[m].data, coo->nnz * coo->crd[m].width);
            memcpy(copy->values.data, coo->values.data, tsr_array_nbytes(&coo->values));
            const tsr_pack_options pack = {.duplicates = TSR_DUP_FIRST, /* keeps iso values iso */
                                           .index_width = tsr_format_is_permutation(format, NULL)
                                                              ? TSR_INDEX_INTEROP
                                                              : TSR_INDEX_NARROW};
            assert_ok(tsr_pack(&tensor, copy, format, &pack, NULL, err));
            assert_true(!survey.sizes[i].exact ||
                        survey.sizes[i].nbytes == (double)tsr_tensor_nbytes(tensor));
            assert_true(survey.sizes[i].nbytes >= (double)tsr_tensor_nbytes(tensor));
            nexact += survey.sizes[i].exact;
            tsr_tensor_free(tensor);
            tsr_format_free(format);
        }
        tsr_cli_survey_clear(&survey);
        tsr_coo_free(coo);
    }
    assert_true(nexact > 300);
}

static void test_density(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 7, 48, 49, 1000, UINT64_C(1) << 40, INT64_MAX};
    tsr_rng rng = {9};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const uint64_t dims[2] = {sizes[s], 3};
        const int modes[2] = {0, 1};
        const uint32_t n[2] = {48, 48};
        tsr_coo *coo = NULL;
        assert_ok(tsr_coo_new_sized(&coo, 2, dims, TSR_PATTERN, true, 3000, err));
        for (uint64_t e = 0; e < 3000; e++) {
            tsr_array_set(&coo->crd[0], e, e == 0 ? dims[0] - 1 : tsr_rng_below(&rng, dims[0]));
            tsr_array_set(&coo->crd[1], e, 2);
        }
        tsr_density density;
        assert_ok(tsr_density_init(&density, coo, modes, n, err));
        assert_int_equal(density.n[0], sizes[s] < 48 ? sizes[s] : 48);
        uint64_t total = 0;
        for (uint32_t r = 0; r < density.n[0]; r++) {
            assert_int_equal(density.count[r * 3] + density.count[r * 3 + 1], 0);
            total += density.count[r * 3 + 2];
        }
        assert_int_equal(total, 3000);
        assert_true(density.count[(density.n[0] - 1) * 3 + 2] > 0); /* the last index is in the last cell */
        tsr_density_clear(&density);
        tsr_coo_free(coo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int),          cmocka_unit_test(test_list),
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_json),
        cmocka_unit_test(test_survey_order), cmocka_unit_test(test_survey_spread),
        cmocka_unit_test(test_density),      cmocka_unit_test(test_survey_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
