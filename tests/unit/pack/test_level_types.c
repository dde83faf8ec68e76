/* Level types that are packed from all entries at once: what they refuse, what the deep check finds in broken
 * arrays, and packing where the n-th allocation fails. test_pack_named.c packs random tensors in them, and
 * cli_level_cases compares arrays with known answers. */
#include "tsr_test.h"

#include "tsr_pack.h"

/* A 4 x 4 matrix with the entries of each row: 0 1 3 | - | 1 2 | 0 3. */
static tsr_coo *matrix(void)
{
    static const uint64_t rows[] = {0, 0, 0, 2, 2, 3, 3}, columns[] = {0, 1, 3, 1, 2, 0, 3};
    const uint64_t dims[] = {4, 4};
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 7, err));
    for (uint64_t e = 0; e < 7; e++) {
        tsr_array_set(&coo->crd[0], e, rows[e]);
        tsr_array_set(&coo->crd[1], e, columns[e]);
        ((double *)coo->values.data)[e] = (double)(e % 3 + 1);
    }
    return coo;
}

static tsr_status pack(tsr_tensor **out, const char *text, tsr_error *err)
{
    const uint64_t dims[] = {4, 4};
    tsr_format *format = NULL;
    *out = NULL;
    TSR_TRY(tsr_format_parse(&format, text, 2, dims, err));
    const tsr_pack_options options = {.nthreads = 1};
    const tsr_status status = tsr_pack(out, matrix(), format, &options, NULL, err);
    tsr_format_free(format);
    return status;
}

/* ---- what is refused ---- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        tsr_status status;
        const char *says;
    } rows[] = {
        {"skyline", TSR_ARGUMENT, "coordinate 1 of row 0 is beyond the diagonal"},
        {"nm(2,4)", TSR_ARGUMENT, "group 0 has 3 entries, but at most 2 are possible"},
        {"(i, j) -> (i : dense, j : jagged)", TSR_ARGUMENT, "put a level of type permuted above"},
        {"(i, j) -> (i - j : squeezed, i : range)", TSR_ARGUMENT, "is outside the run of parent"},
        {"(i, j) -> (i : dense, j : range)", TSR_ARGUMENT, "must store the difference of a mode"},
        {"(i, j) -> (i : hashed, j : compressed)", TSR_ARGUMENT, "cannot be below level 0, hashed"},
        {"(i, j) -> (i : unordered, j : compressed)", TSR_ARGUMENT, "cannot be below level 0, unordered"},
        {"(i, j) -> (i : dense, j : unordered(nonunique))", TSR_ARGUMENT, "cannot be nonunique"},
        {"(i, j) -> (i : filled_runs, j : dense)", TSR_ARGUMENT, "it can only be the last level"},
        {"(i, j) -> (i : compressed, j : upto)", TSR_ARGUMENT, "directly below a dense one"},
        {"(i, j) -> (i : dense, j : chunked)", TSR_ARGUMENT, "write chunked(4)"},
        {"(i, j) -> (i : dense, j : sliced(3))", TSR_SYNTAX, "does not have a number in parentheses"},
        {"(i, j) -> (i : dense, j : chunked(0))", TSR_ARGUMENT, "must be 1 to 2^31 - 1"},
        {"sell(0)", TSR_ARGUMENT, "from 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tensor *tensor;
        tsr_error why = {0};
        const tsr_status status = pack(&tensor, rows[i].format, &why);
        if (status != rows[i].status || !strstr(why.message, rows[i].says))
            fail_msg("%s: status %d: %s", rows[i].format, (int)status, why.message);
        assert_null(tensor);
    }
}

/* ---- threads ---- */

/* A 60 x 50 matrix with 2,400 entries, `step` cells apart: in order for 1. Where `twice` is set, some come twice. */
static tsr_coo *many(uint64_t step, bool twice)
{
    enum { N = 2400, CELLS = 3000 };
    const uint64_t dims[] = {60, 50};
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, N, err));
    for (uint64_t e = 0; e < N; e++) {
        const uint64_t cell = (twice && e % 9 == 8 ? e - 1 : e) * step % CELLS;
        tsr_array_set(&coo->crd[0], e, cell / 50);
        tsr_array_set(&coo->crd[1], e, cell % 50);
        ((double *)coo->values.data)[e] = (double)(e % 5 + 1);
    }
    return coo;
}

static void pack_many(tsr_tensor **out, const char *text, int nthreads, int way)
{
    const uint64_t dims[] = {60, 50}, steps[] = {1, 7, 7};
    const tsr_pack_options options = {.nthreads = nthreads};
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, 2, dims, err));
    assert_ok(tsr_pack(out, many(steps[way], way == 2), format, &options, NULL, err));
    tsr_format_free(format);
}

static void assert_same_array(const tsr_array *a, const tsr_array *b, const char *format, int nthreads)
{
    if (a->n != b->n || a->width != b->width ||
        (a->n > 0 && memcmp(a->data, b->data, tsr_array_nbytes(a)) != 0))
        fail_msg("%s: other arrays with %d threads", format, nthreads);
}

/* The number of threads does not change a byte. */
static void test_threads(void **state)
{
    (void)state;
    static const char *const formats[] = {"ell",  "ellc",    "sell(8,16)", "jad",     "dia",
                                          "diap", "band",    "hash",       "vbl",     "bitmap",
                                          "srun", "bell(4)", "runs",       "nm(4,4)", "csru"};
    static const int counts[] = {2, 3, 7};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int way = 0; way < 3; way++) {
            tsr_tensor *one, *more;
            pack_many(&one, formats[i], 1, way);
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
                pack_many(&more, formats[i], counts[k], way);
                assert_same_array(&one->values, &more->values, formats[i], counts[k]);
                for (int l = 0; l < one->nlevels; l++)
                    for (int role = 0; role < TSR_LEVEL_NROLES; role++)
                        assert_same_array(tsr_level_array_at(&one->levels[l], (tsr_level_role)role),
                                          tsr_level_array_at(&more->levels[l], (tsr_level_role)role),
                                          formats[i], counts[k]);
                tsr_tensor_free(more);
            }
            tsr_tensor_free(one);
        }
}

/* ---- broken arrays ---- */

static void test_broken_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        int level;
        tsr_level_role role;
        uint64_t index, value;
        const char *says;
    } rows[] = {
        {"ell", 1, TSR_LEVEL_CRD, 1, 4, "outside [0, 4)"},
        {"ell", 1, TSR_LEVEL_CRD, 1, 0, "must be larger"},
        {"ell", 1, TSR_LEVEL_CRD, 0, UINT32_MAX, "comes after padding"},
        {"ellc", 1, TSR_LEVEL_CRD, 4, 0, "must be larger"},
        {"sell(2,4)", 0, TSR_LEVEL_PERM, 1, 0, "occurs twice"},
        {"sell(2,4)", 0, TSR_LEVEL_PERM, 1, 9, "is not a coordinate"},
        {"sell(2,4)", 1, TSR_LEVEL_POS, 1, 5, "do not divide"},
        {"sell(3)", 1, TSR_LEVEL_CRD, 10, 1, "there are 4 parents"},
        {"jad", 1, TSR_LEVEL_POS, 1, 1, "at most"},
        {"jad", 1, TSR_LEVEL_CRD, 3, 0, "must be larger"},
        {"dia", 0, TSR_LEVEL_CRD, 1, 0, "offsets rise strictly"},
        {"sband", 1, TSR_LEVEL_START, 0, 3, "which are not within"},
        {"bitmap", 1, TSR_LEVEL_BITS, 0, UINT64_C(1) << 20, "a 1 after the last of 16 bits"},
        {"bytemap", 1, TSR_LEVEL_BITS, 3, 2, "must be 0 or 1"},
        {"bitmapc", 1, TSR_LEVEL_BITS, 0, 1, "bits are 1"},
        {"hash", 1, TSR_LEVEL_CRD, 0, 7, "is outside [0, 4)"},
        {"nm(3,4)", 2, TSR_LEVEL_CRD, 1, 0, "must be larger"},
        {"runs", 1, TSR_LEVEL_END, 0, 0, "runs follow each other"},
        {"srun", 1, TSR_LEVEL_START, 1, 0, "runs follow each other"},
        {"vbl", 1, TSR_LEVEL_START, 1, 1, "blocks follow each other"},
        {"vbl", 1, TSR_LEVEL_END, 1, 7, "is less than the element before"},
        {"csru", 1, TSR_LEVEL_CRD, 1, 0, "coordinate 0 stands twice"},
        {"csru", 1, TSR_LEVEL_CRD, 1, 4, "outside [0, 4)"},
        {"csru", 1, TSR_LEVEL_POS, 1, 9, "pos"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_tensor *tensor;
        tsr_error why = {0};
        assert_ok(pack(&tensor, rows[i].format, err));
        assert_ok(tsr_tensor_check(tensor, 1, err));
        tsr_array *array = tsr_level_array_of(&tensor->levels[rows[i].level], rows[i].role);
        assert_true(rows[i].index < array->n);
        tsr_array_set(array, rows[i].index, rows[i].value);
        const tsr_status status = tsr_tensor_check(tensor, 1, &why);
        if (status != TSR_CORRUPT || !strstr(why.message, rows[i].says))
            fail_msg("row %d, %s: status %d: %s", (int)i, rows[i].format, (int)status, why.message);
        tsr_tensor_free(tensor);
    }
}

/* ---- memory ---- */

static const char *const all[] = {"ell",     "ellc",  "sell(2,4)", "jad",    "dia",     "diac",    "diap",
                                  "band",    "bandr", "sband",     "bitmap", "bytemap", "bitmapc", "hash",
                                  "nm(3,4)", "runs",  "srun",      "vbl",    "bell(2)", "csru"};

#ifdef TSR_FAULTS
/* Packing and unpacking where allocation n fails, for n = 0, 1...: an error or the whole result. */
static void test_out_of_memory(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_tensor *tensor = NULL;
            tsr_coo *back = NULL;
            const uint64_t dims[] = {4, 4};
            tsr_format *format;
            assert_ok(tsr_format_parse(&format, all[f], 2, dims, err));
            const tsr_pack_options options = {.nthreads = 1};
            tsr_coo *coo = matrix();
            tsr_faults_arm(&faults);
            tsr_status status = tsr_pack(&tensor, coo, format, &options, NULL, NULL);
            if (status == TSR_OK)
                status = tsr_unpack(&back, tensor, 1, NULL);
            tsr_faults_end(&faults, status);
            tsr_tensor_free(tensor);
            tsr_coo_free(back);
            tsr_format_free(format);
        }
    }
}

#endif

/* A limit on the bytes of the tensor is kept: the error has the numbers. */
static void test_limits(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        const uint64_t dims[] = {4, 4};
        tsr_format *format;
        tsr_tensor *tensor;
        tsr_error why = {0};
        const tsr_pack_options options = {.nthreads = 1, .max_nbytes = 20};
        assert_ok(tsr_format_parse(&format, all[f], 2, dims, err));
        const tsr_status status = tsr_pack(&tensor, matrix(), format, &options, NULL, &why);
        if (status != TSR_LIMIT || !strstr(why.message, "more than the allowed 20 bytes"))
            fail_msg("%s: status %d: %s", all[f], (int)status, why.message);
        tsr_format_free(format);
    }
}

/* Runs of equal values came back with values of the gaps between them: three entries at positions 0, 0 and 2 were
 * taken for three neighbouring positions. */
static void test_equal_values(void **state)
{
    (void)state;
    static const uint64_t columns[] = {0, 1, 3};
    static const double values[] = {5, 5, 7};
    const uint64_t dims[] = {1, 4};
    for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
        tsr_format *format;
        tsr_tensor *tensor;
        tsr_coo *coo, *back;
        const tsr_pack_options options = {.nthreads = 1};
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 3, err));
        for (uint64_t e = 0; e < 3; e++) {
            tsr_array_set(&coo->crd[0], e, 0);
            tsr_array_set(&coo->crd[1], e, columns[e]);
            ((double *)coo->values.data)[e] = values[e];
        }
        assert_ok(tsr_format_parse(&format, all[f], 2, dims, err));
        assert_ok(tsr_pack(&tensor, coo, format, &options, NULL, err));
        assert_ok(tsr_unpack(&back, tensor, 1, err));
        assert_int_equal(back->nnz, 3);
        for (uint64_t e = 0; e < 3; e++) { /* hash stores them in another order */
            const uint64_t c = tsr_array_get(&back->crd[1], e);
            if (((const double *)back->values.data)[e] != (c == 3 ? 7 : 5))
                fail_msg("%s: column %d holds %g", all[f], (int)c, ((const double *)back->values.data)[e]);
        }
        tsr_coo_free(back);
        tsr_tensor_free(tensor);
        tsr_format_free(format);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_broken_arrays),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_out_of_memory),
#endif
        cmocka_unit_test(test_limits),        cmocka_unit_test(test_equal_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
