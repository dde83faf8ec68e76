/* Surveys against counting in a box that holds every cell: coordinates in any order and packed tensors, with
 * and without sorting, on any number of threads. */
#include "tsr_test.h"

#include <math.h>

#include "tsr_pack.h"
#include "tsr_survey.h"

enum { MAX_ORDER = 4, MAX_DIM = 4, MAX_CELLS = 256 };

/* ---- the oracle ---- */

/* How often each cell of the box is stored. */
typedef struct box {
    int order, ncells;
    uint64_t dims[MAX_ORDER];
    uint64_t stored[MAX_CELLS]; /* ncells, row-major */
} box;

static int cell_of(const box *b, const uint64_t *index)
{
    uint64_t cell = 0;
    for (int m = 0; m < b->order; m++)
        cell = cell * b->dims[m] + index[m];
    return (int)cell;
}

static void index_of(uint64_t *index, const box *b, int cell)
{
    uint64_t left = (uint64_t)cell;
    for (int m = b->order - 1; m >= 0; m--) {
        index[m] = left % b->dims[m];
        left /= b->dims[m];
    }
}

static box box_of(const tsr_coo *coo)
{
    box b = {.order = coo->order, .ncells = 1};
    for (int m = 0; m < coo->order; m++) {
        b.dims[m] = coo->dims[m];
        b.ncells *= (int)coo->dims[m];
    }
    for (uint64_t e = 0; e < coo->nnz; e++) {
        uint64_t index[MAX_ORDER];
        for (int m = 0; m < coo->order; m++)
            index[m] = tsr_array_get(&coo->crd[m], e);
        b.stored[cell_of(&b, index)]++;
    }
    return b;
}

/* Entries grouped by their indices in the set of modes; duplicates count once or each time. */
static tsr_spread group(const box *b, uint32_t modes, bool once)
{
    uint64_t count[MAX_CELLS] = {0};
    tsr_spread spread = {0};
    for (int cell = 0; cell < b->ncells; cell++) {
        uint64_t index[MAX_ORDER];
        index_of(index, b, cell);
        for (int m = 0; m < b->order; m++)
            index[m] = modes >> m & 1 ? index[m] : 0;
        count[cell_of(b, index)] += once ? b->stored[cell] > 0 : b->stored[cell];
    }
    for (int cell = 0; cell < b->ncells; cell++) {
        if (count[cell] == 0)
            continue;
        spread.min = spread.used == 0 || count[cell] < spread.min ? count[cell] : spread.min;
        spread.max = count[cell] > spread.max ? count[cell] : spread.max;
        spread.used++;
    }
    return spread;
}

static uint64_t count_distinct(const box *b)
{
    uint64_t n = 0;
    for (int cell = 0; cell < b->ncells; cell++)
        n += b->stored[cell] > 0;
    return n;
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

/* ---- what is surveyed ---- */

/* Random coordinates, sorted by the modes in a random order perm when `sorted`. */
static tsr_coo *random_coo(tsr_rng *rng, int order, uint64_t nnz, bool sorted)
{
    uint64_t dims[MAX_ORDER], perm[MAX_ORDER] = {0, 1, 2, 3};
    for (int m = 0; m < order; m++)
        dims[m] = 1 + tsr_rng_below(rng, MAX_DIM);
    for (int m = order - 1; m > 0; m--) {
        const uint64_t k = tsr_rng_below(rng, (uint64_t)m + 1), t = perm[m];
        perm[m] = perm[k];
        perm[k] = t;
    }
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_PATTERN, true, nnz, err));
    tsr_array_set(&coo->values, 0, 1);
    for (uint64_t e = 0; e < nnz; e++)
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(rng, dims[m]));
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

static tsr_coo *copy_of(const tsr_coo *coo)
{
    tsr_coo *copy = NULL;
    assert_ok(tsr_coo_copy(&copy, coo, err));
    return copy;
}

/* The coordinates, which are used up, in a random format. */
static tsr_tensor *random_tensor(tsr_rng *rng, tsr_coo *coo)
{
    static const char *const formats[MAX_ORDER + 1][7] = {
        {""},
        {"s", "d", "s", "d", "s", "s", "s"},
        {"csr", "csc", "ss:1,0", "coo", "bcsr(2,3)", "dd", "uq:1,0"},
        {"csf", "csf:2,0,1", "coo", "hicoo(2)", "dss:1,2,0", "ssd:0,2,1", "ssu"},
        {"csf", "csf:2,0,3,1", "coo", "hicoo(2)", "dsds", "sssd", "ssss:3,2,1,0"},
    };
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    const char *const text = formats[coo->order][tsr_rng_below(rng, 7)];
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    const tsr_pack_options pack = {.duplicates =
                                       tsr_format_keeps_duplicates(format) ? TSR_DUP_KEEP : TSR_DUP_FIRST};
    assert_ok(tsr_pack(&tensor, coo, format, &pack, NULL, err));
    tsr_format_free(format);
    return tensor;
}

/* ---- checks ---- */

static void check_spread(const tsr_spread *got, const box *b, uint32_t modes, bool once)
{
    if (!got->known)
        return;
    const tsr_spread want = group(b, modes, once);
    assert_int_equal(got->used, want.used);
    assert_int_equal(got->min, want.min);
    assert_int_equal(got->max, want.max);
}

/* Everything that the survey claims to know about the entries, which are those of `coo` in this order. */
static void check_survey(const tsr_survey *survey, const tsr_coo *coo)
{
    const box b = box_of(coo);
    const uint64_t ndistinct = count_distinct(&b);
    const uint32_t all = (1u << coo->order) - 1;
    int perm[TSR_MAX_ORDER];
    assert_int_equal(survey->nnz, coo->nnz);
    if (survey->duplicates_known)
        assert_int_equal(survey->nduplicates, coo->nnz - ndistinct);
    assert_int_equal(survey->sorted, sorted_somehow(coo, perm, 0, 0));
    if (survey->sorted)
        assert_true(tsr_coo_find_order(coo, survey->sorted_by).sorted);
    for (int m = 0; m < coo->order; m++) {
        const uint32_t set = 1u << m;
        check_spread(&survey->modes[m].slices, &b, set, survey->duplicates_known);
        check_spread(&survey->modes[m].fibers, &b, all & ~set, survey->duplicates_known);
        assert_true(survey->modes[m].slices.total == (double)coo->dims[m]);
        assert_true(survey->modes[m].fibers.total * (double)coo->dims[m] == survey->ncells);
    }
    for (int i = 0; i < survey->ntuples; i++)
        assert_int_equal(survey->tuples[i].n, group(&b, survey->tuples[i].modes, true).used);
}

/* How many spreads are known. */
static int count_known(const tsr_survey *survey, int order)
{
    int n = 0;
    for (int m = 0; m < order; m++)
        n += survey->modes[m].slices.known + survey->modes[m].fibers.known;
    return n;
}

/* ---- tests ---- */

static void test_coordinates(void **state)
{
    (void)state;
    tsr_rng rng = {7};
    int nsorted = 0;
    for (int round = 0; round < 600; round++) {
        const int order = 1 + (int)tsr_rng_below(&rng, MAX_ORDER);
        tsr_coo *const coo = random_coo(&rng, order, tsr_rng_below(&rng, 24), round % 2 == 0);
        const tsr_survey_options quick = {
            .nthreads = 1 + round % 4, .spreads = true, .sizes = round % 3 == 0, .small = 1};
        const tsr_survey_options exact = {
            .nthreads = 1 + round % 4, .spreads = true, .exact = true, .sort_nbytes = round % 5 ? 0 : 64};
        tsr_survey survey;
        assert_ok(tsr_survey_init(&survey, NULL, coo, &quick, err));
        check_survey(&survey, coo);
        nsorted += survey.sorted;
        if (survey.sorted) {
            assert_true(survey.duplicates_known);
            assert_true(count_known(&survey, order) >= order + 1); /* slices, and fibers of the last mode */
        }
        tsr_survey_clear(&survey);
        assert_ok(tsr_survey_init(&survey, NULL, coo, &exact, err));
        check_survey(&survey, coo);
        assert_true(survey.duplicates_known || coo->nnz == 0);
        assert_true(count_known(&survey, order) == 2 * order || coo->nnz == 0);
        tsr_survey_clear(&survey);
        tsr_coo_free(coo);
    }
    assert_true(nsorted >= 300);
}

/* What the samples of a large tensor say beside what the sorts count. */
static void test_estimates(void **state)
{
    static const uint64_t dims[] = {4000, 3000, 500};
    enum { NNZ = 300000 };
    tsr_coo *coo;
    tsr_survey quick, exact;
    tsr_rng rng = {3};
    int nsizes = 0, nfibers = 0;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){3, dims}, TSR_F64, false, NNZ, err));
    for (uint64_t e = 0; e < NNZ; e++) { /* boxes of 8 cells, four entries to a fiber of mode 2 */
        const uint64_t i = e / 75;
        const uint64_t crd[] = {i, (i / 8 * 1511 + e / 4 * 97 % 480) % dims[1],
                                e % 4 + 8 * tsr_rng_below(&rng, 2)};
        for (int m = 0; m < 3; m++)
            tsr_array_set(&coo->crd[m], e, crd[m]);
    }
    const tsr_survey_options few = {.spreads = true, .sizes = true},
                             all = {.spreads = true, .sizes = true, .exact = true};
    assert_ok(tsr_survey_init(&quick, NULL, coo, &few, err));
    assert_ok(tsr_survey_init(&exact, NULL, coo, &all, err));
    assert_int_equal(quick.nsizes, exact.nsizes);
    for (int i = 0; i < quick.nsizes; i++) {
        const tsr_format_size *const size = &quick.sizes[i];
        if (size->exact || !isfinite(size->nbytes))
            continue;
        nsizes++;
        assert_true(size->estimate > 0.95 * exact.sizes[i].nbytes);
        assert_true(size->estimate < 1.05 * exact.sizes[i].nbytes);
    }
    for (int m = 0; m < 3; m++) {
        const tsr_spread *const guess = &quick.modes[m].fibers, *const truth = &exact.modes[m].fibers;
        nfibers += !guess->known;
        if (!guess->known)
            assert_true(guess->estimate > 0.9 * truth->mean && guess->estimate < 1.1 * truth->mean);
    }
    assert_true(nsizes > 3 && nfibers > 1);
    tsr_survey_clear(&quick);
    tsr_survey_clear(&exact);
    tsr_coo_free(coo);
}

static void test_tensors(void **state)
{
    (void)state;
    tsr_rng rng = {17};
    for (int round = 0; round < 600; round++) {
        const int order = 1 + (int)tsr_rng_below(&rng, MAX_ORDER);
        tsr_tensor *const tensor =
            random_tensor(&rng, random_coo(&rng, order, tsr_rng_below(&rng, 24), false));
        tsr_coo *coo = NULL;
        assert_ok(tsr_unpack(&coo, tensor, 1, err));
        tsr_survey survey;
        for (int exact = 0; exact < 2; exact++) {
            const tsr_survey_options options = {
                .nthreads = 1 + round % 4, .spreads = true, .exact = exact == 1, .small = 1};
            assert_ok(tsr_survey_init(&survey, tensor, NULL, &options, err));
            check_survey(&survey, coo);
            assert_true(survey.duplicates_known);
            assert_true(count_known(&survey, order) == 2 * order || !exact || coo->nnz == 0);
            if (tsr_format_is_permutation(tensor->format, NULL) && coo->nnz > 0)
                assert_true(count_known(&survey, order) >= order + 1);
            tsr_survey_clear(&survey);
        }
        /* Where the levels alone tell the entries the values may be absent. */
        if (!tsr_format_has_dense_leaf(tensor->format)) {
            tsr_array_clear(&tensor->values);
            assert_ok(tsr_survey_init(&survey, tensor, NULL, NULL, err));
            assert_int_equal(survey.nnz, coo->nnz);
            tsr_survey_clear(&survey);
        }
        tsr_coo_free(coo);
        tsr_tensor_free(tensor);
    }
}

/* Sizes that are called exact are those of tensors packed into the formats, the others are no smaller. */
static void test_sizes(void **state)
{
    (void)state;
    tsr_rng rng = {10};
    int nexact = 0, nbounds = 0;
    for (int round = 0; round < 200; round++) {
        const int order = 1 + (int)tsr_rng_below(&rng, MAX_ORDER);
        tsr_coo *const coo = random_coo(&rng, order, tsr_rng_below(&rng, 20), round % 3 == 0);
        assert_ok(tsr_coo_retype(coo, round % 2 ? TSR_F64 : TSR_I16, err));
        const tsr_survey_options options = {
            .nthreads = 1, .sizes = true, .small = round % 5 == 0, .sort_nbytes = round % 7 ? 0 : 64};
        tsr_survey survey;
        assert_ok(tsr_survey_init(&survey, NULL, coo, &options, err));
        assert_true(survey.nsizes >= 4);
        for (int i = 0; i < survey.nsizes; i++) {
            tsr_format *format = NULL;
            tsr_tensor *tensor = NULL;
            assert_ok(tsr_format_parse(&format, survey.sizes[i].format, order, coo->dims, err));
            const tsr_pack_options pack = {.duplicates = TSR_DUP_FIRST, /* keeps iso values iso */
                                           .index_width = tsr_format_is_permutation(format, NULL)
                                                              ? TSR_INDEX_INTEROP
                                                              : TSR_INDEX_NARROW};
            assert_ok(tsr_pack(&tensor, copy_of(coo), format, &pack, NULL, err));
            const double nbytes = (double)tsr_tensor_nbytes(tensor);
            assert_true(survey.sizes[i].exact ? survey.sizes[i].nbytes == nbytes
                                              : survey.sizes[i].nbytes >= nbytes);
            nexact += survey.sizes[i].exact;
            nbounds += !survey.sizes[i].exact;
            tsr_tensor_free(tensor);
            tsr_format_free(format);
        }
        tsr_survey_clear(&survey);
        tsr_coo_free(coo);
    }
    assert_true(nexact > 600 && nbounds > 20);
}

/* Keys of more than 64 and 128 bits, and modes too long for counters. */
static void test_long_modes(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    const uint64_t dims[] = {UINT64_C(1) << 62, UINT64_C(1) << 61, 1, UINT64_C(1) << 40};
    for (int round = 0; round < 50; round++) {
        tsr_coo *coo = NULL, *small = NULL;
        const uint64_t near[] = {4, 4, 1, 4};
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){4, dims}, TSR_PATTERN, true, 30, err));
        assert_ok(tsr_coo_new_sized(&small, (tsr_shape){4, near}, TSR_PATTERN, true, 30, err));
        for (uint64_t e = 0; e < 30; e++)
            for (int m = 0; m < 4; m++) {
                const uint64_t c = tsr_rng_below(&rng, near[m]);
                tsr_array_set(&coo->crd[m], e, c * (dims[m] / 4));
                tsr_array_set(&small->crd[m], e, c);
            }
        const tsr_survey_options options = {
            .nthreads = 2, .spreads = true, .sort_nbytes = round % 2 ? 0 : 500};
        tsr_survey survey;
        const box b = box_of(small);
        assert_ok(tsr_survey_init(&survey, NULL, coo, &options, err));
        assert_int_equal(count_known(&survey, 4), 8);
        assert_int_equal(survey.nduplicates, 30 - count_distinct(&b));
        for (int m = 0; m < 4; m++) {
            check_spread(&survey.modes[m].slices, &b, 1u << m, true);
            check_spread(&survey.modes[m].fibers, &b, 15u & ~(1u << m), true);
        }
        tsr_survey_clear(&survey);
        tsr_coo_free(small);
        tsr_coo_free(coo);
    }
}

/* More modes than patterns are kept of. */
static void test_many_modes(void **state)
{
    (void)state;
    tsr_rng rng = {12};
    uint64_t dims[10];
    for (int m = 0; m < 10; m++)
        dims[m] = 2;
    for (int round = 0; round < 60; round++) {
        tsr_coo *coo = NULL;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){10, dims}, TSR_PATTERN, true, 40, err));
        for (uint64_t e = 0; e < 40; e++) { /* rising when the modes are read from the last to the first */
            const uint64_t v = round % 2 ? e * 20 + tsr_rng_below(&rng, 20) : tsr_rng_below(&rng, 1024);
            for (int m = 0; m < 10; m++)
                tsr_array_set(&coo->crd[m], e, v >> m & 1);
        }
        tsr_survey survey;
        const tsr_survey_options options = {.nthreads = 1 + round % 3, .spreads = true};
        assert_ok(tsr_survey_init(&survey, NULL, coo, &options, err));
        assert_true(survey.duplicates_known);
        assert_int_equal(count_known(&survey, 10), 20);
        if (round % 2) {
            assert_true(survey.sorted);
            assert_true(tsr_coo_find_order(coo, survey.sorted_by).sorted);
            assert_int_equal(survey.nduplicates, 0);
        }
        tsr_survey_clear(&survey);
        tsr_coo_free(coo);
    }
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
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_PATTERN, true, 3000, err));
        for (uint64_t e = 0; e < 3000; e++) {
            tsr_array_set(&coo->crd[0], e, e == 0 ? dims[0] - 1 : tsr_rng_below(&rng, dims[0]));
            tsr_array_set(&coo->crd[1], e, 2);
        }
        tsr_density density;
        tsr_survey survey;
        assert_ok(tsr_density_init(&density, 2, dims, modes, n, err));
        assert_int_equal(density.n[0], sizes[s] < 48 ? sizes[s] : 48);
        const tsr_survey_options options = {.nthreads = 3, .density = &density};
        assert_ok(tsr_survey_init(&survey, NULL, coo, &options, err));
        uint64_t row[48] = {0};
        for (uint64_t e = 0; e < 3000 && sizes[s] < UINT64_C(1) << 47; e++)
            row[tsr_array_get(&coo->crd[0], e) * density.n[0] / sizes[s]]++;
        for (uint32_t r = 0; r < density.n[0]; r++) {
            assert_int_equal(density.count[r * 3] + density.count[r * 3 + 1], 0);
            if (sizes[s] < UINT64_C(1) << 47)
                assert_int_equal(density.count[r * 3 + 2], row[r]);
        }
        assert_int_equal(density.total, 3000);
        assert_true(density.count[(density.n[0] - 1) * 3 + 2] > 0); /* the last index is in the last cell */
        tsr_survey_clear(&survey);
        tsr_density_clear(&density);
        tsr_coo_free(coo);
    }
}

/* Of n values of each type `different` ones are different, in any order. Up to 2^15 are counted, more are estimated, the same for any number
 * of threads; values are told apart by their bits. */
static void test_values(void **state)
{
    static const struct {
        tsr_type type;
        uint64_t n, different;
        bool is_exact;
    } cases[] = {
        {TSR_F64, 1, 1, true},
        {TSR_F64, 400000, 1, true},
        {TSR_F64, 400000, 32768, true},
        {TSR_F64, 400000, 32769, false},
        {TSR_C128, 400000, 399999, false},
        {TSR_C128, 70000, 30000, true},
        {TSR_I64, 400000, 200000, false},
        {TSR_U32, 300000, 3, true},
        {TSR_I16, 200000, 32767, true},
        {TSR_U8, 100000, 256, true},
        {TSR_F32, 400000, 100000, false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const uint64_t n = cases[c].n, dims[1] = {n};
        double estimate = 0;
        tsr_coo *coo;
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){1, dims}, cases[c].type, false, n, err));
        for (uint64_t e = 0; e < n; e++) {
            const uint64_t v = e * 7919 % n % cases[c].different; /* 7919 is a prime */
            const double number = (double)(v ? v : 0);
            tsr_array_set(&coo->crd[0], e, e);
            if (cases[c].type == TSR_C128)
                memcpy((char *)coo->values.data + 16 * e, (const double[]){1, number}, 16);
            else if (cases[c].type == TSR_F64)
                ((double *)coo->values.data)[e] = v ? number : -0.0;
            else if (cases[c].type == TSR_F32)
                ((float *)coo->values.data)[e] = (float)number;
            else
                tsr_array_set(&coo->values, e, v);
        }
        for (int t = 1; t <= 4; t += 3) {
            tsr_survey survey;
            assert_ok(tsr_survey_init(&survey, NULL, coo,
                                      &(tsr_survey_options){.nthreads = t, .values = true}, err));
            const double found = survey.values.ndifferent, right = (double)cases[c].different;
            assert_int_equal(survey.values.is_exact, cases[c].is_exact);
            if (cases[c].is_exact ? found != right : fabs(found - right) > 0.03 * right)
                fail_msg("case %zu: %g of %g values", c, found, right);
            assert_true(t == 1 || found == estimate);
            estimate = found;
            tsr_survey_clear(&survey);
        }
        tsr_coo_free(coo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates), cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_tensors),     cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_long_modes),  cmocka_unit_test(test_many_modes),
        cmocka_unit_test(test_density),     cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
