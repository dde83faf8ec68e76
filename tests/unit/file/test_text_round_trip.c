/* Writing MatrixMarket and FROSTT text: exact texts, and what was written reads back bit for bit. */
#include "text_table.h"

/* --- Making coordinates ----------------------------------------------------------------------------------
 */

/* A value of any bits that text can hold (NaNs lose their payload, so there are none). */
static void random_value(void *v, tsr_type type, tsr_rng *rng)
{
    const size_t nbytes = tsr_type_nbytes(type), part = type == TSR_C128 ? 8 : type == TSR_C64 ? 4 : nbytes;
    if (type == TSR_PATTERN) {
        *(unsigned char *)v = 1;
        return;
    }
    for (size_t at = 0; at < nbytes; at += part) {
        double d;
        float f = 0;
        do {
            const uint64_t bits = tsr_rng_below(rng, 4) ? tsr_rng_next(rng) : 0;
            memcpy((char *)v + at, &bits, part);
            memcpy(&d, (char *)v + at, part == 8 ? 8 : 0);
            memcpy(&f, (char *)v + at, part == 4 ? 4 : 0);
            if (tsr_type_is_half(type))
                assert_ok(tsr_values_convert(&f, TSR_F32, v, type, 1, err));
        } while (strchr("RC", tsr_type_class(type)) && ((part == 8 && d != d) || (part <= 4 && f != f)));
    }
}

static bool is_upper(tsr_structure s)
{
    return s == TSR_SYMMETRIC_UPPER || s == TSR_HERMITIAN_UPPER || s == TSR_SKEW_UPPER;
}

static bool is_skew(tsr_structure s)
{
    return s == TSR_SKEW_LOWER || s == TSR_SKEW_UPPER;
}

static tsr_coo *random_coo(int order, const uint64_t *dims, tsr_type type, uint64_t nnz,
                           tsr_structure structure, uint64_t seed)
{
    tsr_rng rng = {.s = seed};
    tsr_coo *coo = NULL;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, type, type == TSR_PATTERN, nnz, err));
    coo->structure = structure;
    if (coo->iso)
        random_value(coo->values.data, type, &rng);
    for (uint64_t e = 0; e < nnz; e++) {
        uint64_t crd[TSR_MAX_ORDER];
        do
            for (int m = 0; m < order; m++)
                crd[m] = tsr_rng_below(&rng, dims[m]);
        while (is_skew(structure) && crd[0] == crd[1]);
        if (structure != TSR_GENERAL && (crd[0] < crd[1]) != is_upper(structure)) {
            const uint64_t row = crd[0];
            crd[0] = crd[1];
            crd[1] = row;
        }
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, crd[m]);
        if (!coo->iso)
            random_value((char *)coo->values.data + e * coo->values.width, type, &rng);
    }
    return coo;
}

static const tsr_codec *codec_named(const char *name)
{
    const tsr_codec *codec;
    assert_int_equal(tsr_codec_by_name(&codec, name, NULL), TSR_OK);
    return codec;
}

/* --- There and back ---------------------------------------------------------------------------------------
 */

/* Write with several thread counts (the bytes must agree), read back as the same type, compare. */
static void round_trip(const char *codec_name, tsr_coo *coo, const char *suffix)
{
    const tsr_codec *const codec = codec_named(codec_name);
    char name[64];
    char *first = NULL;
    size_t first_nbytes = 0;
    snprintf(name, sizeof name, "round_trip%s", suffix);
    const char *const path = tsr_test_path(tsr_test_tmp(), name);
    for (int nthreads = 1; nthreads <= 3; nthreads += 2) {
        /* the dims are larger than the entries tell */
        const tsr_write_options options = {.nthreads = nthreads, .header = TSR_HEADER_EXTENDED};
        uint64_t told;
        size_t nbytes;
        assert_ok(codec->write_coo(path, coo, &options, &told, err));
        char *const bytes = tsr_test_slurp(path, &nbytes);
        assert_int_equal(told, nbytes);
        if (first) {
            assert_int_equal(nbytes, first_nbytes);
            assert_memory_equal(bytes, first, nbytes);
            free(bytes);
        } else {
            first = bytes;
            first_nbytes = nbytes;
        }
    }
    free(first);
    tsr_data data;
    const tsr_read_options options = {.nthreads = 2, .has_type = true, .type = coo->type};
    assert_ok(tsr_read(&data, path, NULL, &options, err));
    assert_non_null(data.coo);
    assert_ok(tsr_coo_check(data.coo, 1, err));
    if (coo->structure != data.coo->structure) { /* an upper triangle came back as a lower one, or whole */
        assert_ok(tsr_coo_expand(coo, err));
        assert_ok(tsr_coo_expand(data.coo, err));
    }
    bool same;
    tsr_error why = {0};
    assert_int_equal(tsr_coo_same(&same, coo, data.coo, &why), TSR_OK);
    if (!same)
        fail_msg("%s %s: %s", codec_name, tsr_type_name(coo->type), why.message);
    tsr_data_clear(&data);
    tsr_coo_free(coo);
}

static const uint64_t sizes[TSR_MAX_ORDER] = {
    40, 50, UINT64_C(1) << 33, 7, 1, 9, INT64_MAX, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static void test_every_type_comes_back(void **state)
{
    (void)state;
    round_trip("tns", random_coo(0, NULL, TSR_F64, 1, TSR_GENERAL, 1), ".tns"); /* a scalar is one number */
    for (int type = 0; type < TSR_NTYPES; type++)
        for (uint64_t nnz = 0; nnz <= 30000; nnz = nnz * 500 + 50) {
            round_trip("mtx", random_coo(2, sizes, (tsr_type)type, nnz, TSR_GENERAL, nnz), ".mtx");
            if (tsr_type_class((tsr_type)type) != 'C' && type != TSR_PATTERN)
                round_trip("tns", random_coo(3, sizes, (tsr_type)type, nnz, TSR_GENERAL, nnz), ".tns");
        }
    round_trip("mtx", random_coo(2, sizes, TSR_F64, 3000, TSR_GENERAL, 1), ".mtx.gz");
    round_trip("tns", random_coo(2, sizes, TSR_I64, 3000, TSR_GENERAL, 1), ".tns.gz");
}

static void test_every_order_comes_back(void **state)
{
    (void)state;
    for (int order = 1; order <= TSR_MAX_ORDER; order++)
        for (uint64_t nnz = 0; nnz < 300; nnz = 200 * nnz + 1) {
            round_trip("mtx", random_coo(order, sizes, TSR_F64, nnz, TSR_GENERAL, nnz), ".mtx");
            round_trip("tns", random_coo(order, sizes, TSR_F64, nnz, TSR_GENERAL, nnz), ".tns");
        }
}

static void test_every_structure_comes_back(void **state)
{
    (void)state;
    static const uint64_t dims[2] = {20, 20};
    static const tsr_type types[] = {TSR_F64, TSR_C128, TSR_I64, TSR_PATTERN};
    for (int s = TSR_SYMMETRIC_LOWER; s <= TSR_SKEW_UPPER; s++)
        for (int t = 0; t < 4; t++) {
            if (is_skew((tsr_structure)s) && types[t] == TSR_PATTERN)
                continue;
            if ((s == TSR_HERMITIAN_LOWER || s == TSR_HERMITIAN_UPPER) && types[t] != TSR_C128)
                continue; /* comes back as symmetric */
            tsr_rng seed = {.s = (uint64_t)(s * 4 + t)};
            round_trip("mtx", random_coo(2, dims, types[t], 100, (tsr_structure)s, tsr_rng_next(&seed)),
                       ".mtx");
            if (types[t] == TSR_F64 || types[t] == TSR_I64)
                round_trip("tns", random_coo(2, dims, types[t], 100, (tsr_structure)s, 5), ".tns");
        }
}

/* --- Exact texts
 * --------------------------------------------------------------------------------------------- */

static void check_text(const tsr_coo *coo, const char *codec, const tsr_write_options *options,
                       const char *expected)
{
    const char *const path = tsr_test_path(tsr_test_tmp(), "exact");
    assert_ok(codec_named(codec)->write_coo(path, coo, options, NULL, err));
    char *const text = tsr_test_slurp(path, NULL);
    assert_string_equal(text, expected);
    free(text);
}

/* A tns text with the header, and how many warnings that gives. */
static void check_header(const tsr_coo *coo, tsr_header header, const char *expected, int nwarnings)
{
    int n;
    const tsr_observer observer = counting_observer(&n);
    const tsr_write_options options = {.header = header, .observer = &observer};
    check_text(coo, "tns", &options, expected);
    assert_int_equal(n, nwarnings);
}

static tsr_coo *small_coo(uint64_t rows, uint64_t cols, tsr_structure structure)
{
    const uint64_t dims[2] = {rows, cols};
    tsr_coo *const coo = random_coo(2, dims, TSR_F64, 2, TSR_GENERAL, 1);
    static const uint32_t row[2] = {0, 1}, col[2] = {0, 2};
    static const double value[2] = {1, -2.5};
    memcpy(coo->crd[0].data, row, sizeof row);
    memcpy(coo->crd[1].data, col, sizeof col);
    memcpy(coo->values.data, value, sizeof value);
    coo->structure = structure;
    return coo;
}

static void test_exact_texts(void **state)
{
    (void)state;
    const tsr_write_options comment = {.comment = "two\nlines"}, zero_based = {.index_base = -1};
    tsr_coo *coo = small_coo(2, 3, TSR_GENERAL);
    check_text(coo, "mtx", NULL, "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 3 -2.5\n");
    check_text(coo, "mtx", &comment,
               "%%MatrixMarket matrix coordinate real general\n% two\n% lines\n2 3 2\n1 1 1\n2 3 -2.5\n");
    check_text(coo, "tns", &comment, "1 1 1.0\n2 3 -2.5\n");
    check_text(coo, "tns", &zero_based, "0 0 1.0\n1 2 -2.5\n");
    tsr_coo_free(coo);
    coo = small_coo(4, 4, TSR_SYMMETRIC_UPPER); /* more rows than the entries tell */
    check_text(coo, "mtx", NULL, "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n1 1 1\n3 2 -2.5\n");
    check_header(coo, TSR_HEADER_AUTO, "1 1 1.0\n2 3 -2.5\n3 2 -2.5\n", 1);
    check_header(coo, TSR_HEADER_NONE, "1 1 1.0\n2 3 -2.5\n3 2 -2.5\n", 1);
    check_header(coo, TSR_HEADER_EXTENDED,
                 "# extended FROSTT format\n2 3\n4 4\n1 1 1.0\n2 3 -2.5\n3 2 -2.5\n", 0);
    check_header(coo, TSR_HEADER_PARTI, "2\n4 4\n1 1 1.0\n2 3 -2.5\n3 2 -2.5\n", 0);
    tsr_coo_free(coo);
    coo = small_coo(
        2, 3, TSR_GENERAL); /* a header that is asked for is written where the entries tell the dims too */
    check_header(coo, TSR_HEADER_AUTO, "1 1 1.0\n2 3 -2.5\n", 0);
    check_header(coo, TSR_HEADER_PARTI, "2\n2 3\n1 1 1.0\n2 3 -2.5\n", 0);
    coo->nnz = 0; /* nothing but a header can hold the dims */
    check_header(coo, TSR_HEADER_AUTO, "# extended FROSTT format\n2 0\n2 3\n", 1);
    check_header(coo, TSR_HEADER_NONE, "", 1);
    tsr_coo_free(coo);
    coo = small_coo(3, 3, TSR_HERMITIAN_UPPER);
    check_text(coo, "mtx", NULL, "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n3 2 -2.5\n");
    tsr_coo_free(coo);
}

static void test_arrays_come_back(void **state)
{
    (void)state;
    static const char *const files[] = {"array.mtx",        "array_integer.mtx", "array_complex.mtx",
                                        "array_tensor.ttx", "array_vector.mtx",  "array_0x0.mtx"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        const char *const path = tsr_test_path(tsr_test_tmp(), "array.mtx");
        const char *const original = tsr_test_path(tsr_test_path(tsr_test_files(), "good"), files[f]);
        tsr_data data;
        const char *instead;
        assert_ok(tsr_read(&data, original, NULL, NULL, err));
        assert_true(codec_named("mtx")->takes_tensor(data.tensor, &instead));
        assert_ok(codec_named("mtx")->write_tensor(path, data.tensor, NULL, NULL, err));
        char *const was = tsr_test_slurp(original, NULL), *const is = tsr_test_slurp(path, NULL);
        assert_string_equal(is, was);
        free(was);
        free(is);
        tsr_data_clear(&data);
    }
}

static void test_other_tensors_are_not_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *format, *instead;
        tsr_type type;
    } cases[] = {{"dd", "dd:1,0", TSR_F64}, {"dd:1,0", NULL, TSR_PATTERN}, {"ds", NULL, TSR_F64}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        tsr_format *format;
        tsr_tensor *tensor;
        const char *instead;
        assert_ok(tsr_format_parse(&format, cases[c].format, 2, sizes, err));
        assert_ok(tsr_tensor_new(&tensor, format, sizes, cases[c].type, err));
        assert_false(codec_named("mtx")->takes_tensor(tensor, &instead));
        if (cases[c].instead)
            assert_string_equal(instead, cases[c].instead);
        else
            assert_null(instead);
        assert_int_equal(codec_named("mtx")->write_tensor("never", tensor, NULL, NULL, NULL), TSR_ARGUMENT);
        tsr_tensor_free(tensor);
        tsr_format_free(format);
    }
}

/* --- Refusals
 * ------------------------------------------------------------------------------------------------- */

static void refuse(const tsr_coo *coo, const char *codec, const char *words)
{
    tsr_error err = {0};
    const char *const path = tsr_test_path(tsr_test_tmp(), "refused");
    remove(path);
    assert_int_not_equal(codec_named(codec)->write_coo(path, coo, NULL, NULL, &err), TSR_OK);
    if (!strstr(err.message, words))
        fail_msg("expected \"%s\" in: %s", words, err.message);
    assert_null(fopen(path, "r"));
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    static const uint64_t dims[2] = {3, 3};
    tsr_coo *coo = small_coo(3, 3, TSR_GENERAL);
    const double fill = 0.5;
    coo->has_fill = true;
    memcpy(coo->fill, &fill, sizeof fill);
    refuse(coo, "mtx", "the fill of this tensor is 0.5");
    refuse(coo, "tns", "the fill of this tensor is 0.5");
    tsr_coo_free(coo);
    coo = random_coo(2, dims, TSR_C128, 3, TSR_GENERAL, 1);
    refuse(coo, "tns", "complex");
    tsr_coo_free(coo);
    coo = random_coo(0, NULL, TSR_F64, 1, TSR_GENERAL, 1);
    refuse(coo, "mtx", "scalars");
    tsr_coo_free(coo);
    coo = random_coo(2, dims, TSR_U8, 3, TSR_SKEW_LOWER, 1);
    refuse(coo, "mtx", "skew-symmetric unsigned-integer");
    refuse(coo, "tns", "cannot be negated");
    tsr_coo_free(coo);
    coo = small_coo(3, 3, TSR_SKEW_UPPER);
    refuse(coo, "mtx", "(1, 1) is on the diagonal");
    tsr_coo_free(coo);
}

/* A fault in the middle of many batches, on several threads: nothing is left behind. */
static void test_faults_leave_nothing(void **state)
{
    (void)state;
    static const uint64_t dims[2] = {2000, 2000};
    tsr_coo *const coo = random_coo(2, dims, TSR_I64, 100000, TSR_SKEW_LOWER, 1);
    tsr_array_set(&coo->crd[0], 77777, 5);
    tsr_array_set(&coo->crd[1], 77777, 5);
    tsr_array_set(&coo->crd[0], 99999, 6);
    tsr_array_set(&coo->crd[1], 99999, 6);
    const char *const path = tsr_test_path(tsr_test_tmp(), "fault.mtx");
    tsr_test_spit(path, "before", 6);
    for (int nthreads = 1; nthreads <= 4; nthreads++) {
        const tsr_write_options options = {.nthreads = nthreads};
        tsr_error err = {0};
        assert_int_equal(codec_named("mtx")->write_coo(path, coo, &options, NULL, &err), TSR_CORRUPT);
        assert_non_null(strstr(err.message, "(6, 6)"));
        char *const text = tsr_test_slurp(path, NULL);
        assert_string_equal(text, "before");
        free(text);
    }
    tsr_error err = {0};
    assert_int_equal(codec_named("mtx")->write_coo("/no/such/folder/x.mtx", coo, NULL, NULL, &err), TSR_IO);
    assert_string_equal(err.path, "/no/such/folder/x.mtx");
    tsr_coo_free(coo);
}

static bool say_stop(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    (void)ctx;
    assert_string_equal(phase, "write");
    assert_true(done <= total);
    return false;
}

static void test_writing_can_be_cancelled(void **state)
{
    (void)state;
    static const uint64_t dims[2] = {2000, 2000};
    tsr_coo *const coo = random_coo(2, dims, TSR_F64, 200000, TSR_GENERAL, 1);
    const char *const path = tsr_test_path(tsr_test_tmp(), "cancelled.mtx");
    const tsr_observer observer = {.progress = say_stop};
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        const tsr_write_options options = {.nthreads = nthreads, .observer = &observer};
        assert_int_equal(codec_named("mtx")->write_coo(path, coo, &options, NULL, NULL), TSR_CANCELLED);
        assert_null(fopen(path, "r"));
    }
    tsr_coo_free(coo);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_coo *const coo = random_coo(3, sizes, TSR_F64, 100, TSR_GENERAL, 1);
    static const char *const codecs[] = {"mtx", "tns"};
    for (int c = 0; c < 2; c++)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            const tsr_write_options options = {.nthreads = nthreads, .comment = "c"};
            tsr_faults faults = {0};
            while (tsr_faults_next(&faults)) {
                tsr_faults_arm(&faults);
                const tsr_status status = codec_named(codecs[c])->write_coo(
                    tsr_test_path(tsr_test_tmp(), "oom"), coo, &options, NULL, NULL);
                tsr_faults_end(&faults, status);
            }
        }
    tsr_coo_free(coo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_comes_back),
        cmocka_unit_test(test_every_order_comes_back),
        cmocka_unit_test(test_every_structure_comes_back),
        cmocka_unit_test(test_exact_texts),
        cmocka_unit_test(test_arrays_come_back),
        cmocka_unit_test(test_other_tensors_are_not_arrays),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_faults_leave_nothing),
        cmocka_unit_test(test_writing_can_be_cancelled),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
