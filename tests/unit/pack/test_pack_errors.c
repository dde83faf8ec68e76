/* What tsr_pack, tsr_unpack and tsr_convert refuse and in which words; memory that runs out at every place;
 * cancelling; sizes that are refused before anything is allocated. */
#include "oracle.h"

#include "tsr_alloc.h"

static tsr_format *parse(const char *text, int order, const uint64_t *dims)
{
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    return format;
}

/* Three entries of an order-2 tensor. */
static tsr_coo *three(const uint64_t *dims, const uint64_t crd[3][2], tsr_type type)
{
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, type, false, 3, err));
    for (uint64_t e = 0; e < 3; e++) {
        const double value = 100 + (double)e;
        for (int m = 0; m < 2; m++)
            tsr_array_set(&coo->crd[m], e, crd[e][m]);
        assert_ok(tsr_values_convert((unsigned char *)coo->values.data + e * tsr_type_nbytes(type), type,
                                     &value, TSR_F64, 1, err));
    }
    return coo;
}

static void test_refusals_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint64_t dims[2], crd[3][2];
        tsr_type type;
        tsr_duplicates policy;
        tsr_index_width width;
        uint64_t max_nbytes;
        tsr_status status;
        const char *message;
    } rows[] = {
        {"ds",
         {4, 5},
         {{3, 4}, {0, 0}, {3, 4}},
         TSR_F64,
         TSR_DUP_ERROR,
         TSR_INDEX_NARROW,
         0,
         TSR_DUPLICATE,
         "entry (3, 4) (counted from 0) occurs more than once"},
        {"ds",
         {4, 5},
         {{0, 0}, {3, 4}, {3, 4}},
         TSR_F64,
         TSR_DUP_ERROR,
         TSR_INDEX_NARROW,
         0,
         TSR_DUPLICATE,
         "entry (3, 4) (counted from 0) occurs more than once"},
        {"bcsr(2,2)",
         {4, 5},
         {{3, 4}, {0, 0}, {3, 4}},
         TSR_F64,
         TSR_DUP_ERROR,
         TSR_INDEX_NARROW,
         0,
         TSR_DUPLICATE,
         "entry (3, 4) (counted from 0) occurs more than once"},
        {"ds",
         {4, 5},
         {{3, 4}, {0, 0}, {3, 4}},
         TSR_I8,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         0,
         TSR_RANGE,
         "the sum of the duplicates of entry (3, 4) does not fit i8"},
        {"dd",
         {4, 5},
         {{0, 0}, {3, 4}, {3, 4}},
         TSR_I8,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         0,
         TSR_RANGE,
         "the sum of the duplicates of entry (3, 4) does not fit i8"},
        {"ds",
         {4, 5},
         {{3, 4}, {0, 5}, {9, 9}},
         TSR_F64,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         0,
         TSR_CORRUPT,
         "entry 1 has coordinate 5 in mode 1, which is outside [0, 5)"},
        {"ds",
         {4, 5},
         {{3, 4}, {0, 4}, {4, 9}},
         TSR_F64,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         0,
         TSR_CORRUPT,
         "entry 2 has coordinate 4 in mode 0, which is outside [0, 4)"},
        {"ds",
         {4, 5},
         {{3, 4}, {0, 4}, {1, 1}},
         TSR_F64,
         TSR_DUP_KEEP,
         TSR_INDEX_NARROW,
         0,
         TSR_ARGUMENT,
         "csr stores each coordinate once: keeping duplicates needs a nonunique last level"},
        {"(i, j) -> (i : compressed, j : singleton)",
         {4, 5},
         {{3, 4}, {0, 4}, {3, 1}},
         TSR_F64,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         0,
         TSR_ARGUMENT,
         "level 1 is a singleton, which stores one coordinate per parent, but entry (3, 4) needs "
         "a second one: use another format"},
        {"ds",
         {4, 300},
         {{3, 4}, {0, 4}, {3, 1}},
         TSR_F64,
         TSR_DUP_SUM,
         TSR_INDEX_8,
         0,
         TSR_RANGE,
         "level 1: crd needs elements up to 299, which do not fit 8 bits"},
        {"dd",
         {1000, 1000},
         {{3, 4}, {0, 4}, {3, 1}},
         TSR_F64,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         1000000,
         TSR_LIMIT,
         "dense of 1000 x 1000 needs 8.00 MB, more than the allowed 1.00 MB"},
        {"sd",
         {1000, 1000},
         {{3, 4}, {0, 4}, {2, 1}},
         TSR_F64,
         TSR_DUP_SUM,
         TSR_INDEX_NARROW,
         20000,
         TSR_LIMIT,
         "crow of 1000 x 1000 needs 24.0 kB, more than the allowed 20.0 kB"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int nthreads = 1; nthreads <= 3; nthreads++) {
            tsr_format *format = parse(rows[k].format, 2, rows[k].dims);
            const tsr_pack_options options = {.duplicates = rows[k].policy,
                                              .index_width = rows[k].width,
                                              .nthreads = nthreads,
                                              .max_nbytes = rows[k].max_nbytes};
            tsr_tensor *tensor;
            tsr_error fault = {0};
            const tsr_status status = tsr_pack(&tensor, three(rows[k].dims, rows[k].crd, rows[k].type),
                                               format, &options, NULL, &fault);
            assert_string_equal(fault.message, rows[k].message);
            assert_int_equal(status, rows[k].status);
            assert_null(tensor);
            tsr_format_free(format);
        }
}

/* Formats that no memory holds: refused by a size computed beforehand. */
static void test_sizes_are_refused_before_allocating(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        int order;
        uint64_t dims[3];
        const char *message;
    } rows[] = {
        {"ddd", 3, {12092, 9184, 28818}, "dense of 12092 x 9184 x 28818 needs 25.6 TB, more than the"},
        {"ds", 2, {UINT64_C(1) << 43, 3}, "csr of 8796093022208 x 3 needs 35.2 TB, more than the"},
        {"sds", 3, {5, UINT64_C(1) << 60, 3}, "sds of 5 x 1152921504606846976 x 3 needs 4.61 EB, more than"},
        {"ddd", 3, {INT64_MAX, INT64_MAX, INT64_MAX}, " needs 6.28e+33 YB, more than the"},
        {"csb(2)",
         2,
         {UINT64_C(1) << 40, UINT64_C(1) << 40},
         "csb(2) of 1099511627776 x 1099511627776 needs 302 ZB, more than the"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_coo *coo;
        tsr_tensor *tensor;
        tsr_error fault = {0};
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){rows[k].order, rows[k].dims}, TSR_F64, false, 1, err));
        for (int m = 0; m < rows[k].order; m++)
            tsr_array_set(&coo->crd[m], 0, rows[k].dims[m] - 1);
        tsr_format *format = parse(rows[k].format, rows[k].order, rows[k].dims);
        assert_int_equal(tsr_pack(&tensor, coo, format, NULL, NULL, &fault), TSR_LIMIT);
        if (!strstr(fault.message, rows[k].message))
            fail_msg("%s", fault.message);
        tsr_format_free(format);
    }
    tsr_format *format = parse("ds", 2, NULL);
    static const uint64_t dims[] = {10, 1000};
    /* pos: 11 of 1 byte; crd: 7 of 2 bytes; values: 7 of 8 bytes */
    assert_true(tsr_pack_nbytes_bound(format, dims, TSR_F64, 7, TSR_INDEX_NARROW) == 11 + 7 * 2 + 7 * 8);
    assert_true(tsr_pack_nbytes_bound(format, dims, TSR_PATTERN, 7, TSR_INDEX_64) == 11 * 8 + 7 * 8 + 1);
    assert_true(tsr_pack_nbytes_bound(format, dims, TSR_F64, 7, TSR_INDEX_AUTO) == 11 * 4 + 7 * 4 + 7 * 8);
    tsr_format_free(format);
    format = parse("csb(2)", 2, NULL); /* blocks: narrow */
    assert_true(tsr_pack_nbytes_bound(format, dims, TSR_F64, 7, TSR_INDEX_AUTO) ==
                tsr_pack_nbytes_bound(format, dims, TSR_F64, 7, TSR_INDEX_NARROW));
    tsr_format_free(format);
    format = parse("dd", 2, NULL);
    assert_true(tsr_pack_nbytes_bound(format, dims, TSR_PATTERN, 7, TSR_INDEX_64) == 10000);
    tsr_format_free(format);
}

static void test_inconsistent_coordinates_are_refused(void **state)
{
    (void)state;
    static const uint64_t dims[] = {4, 5};
    static const uint64_t crd[3][2] = {{0, 0}, {1, 1}, {2, 2}};
    tsr_format *format = parse("ds", 2, NULL), *cubic = parse("sss", 3, NULL);
    tsr_tensor *tensor;
    tsr_coo *coo = three(dims, crd, TSR_F64);
    coo->crd[1].n = 2;
    assert_int_equal(tsr_pack(&tensor, coo, format, NULL, NULL, NULL), TSR_CORRUPT);
    coo = three(dims, crd, TSR_F64);
    coo->values.width = 4;
    assert_int_equal(tsr_pack(&tensor, coo, format, NULL, NULL, NULL), TSR_CORRUPT);
    assert_int_equal(tsr_pack(&tensor, three(dims, crd, TSR_F64), cubic, NULL, NULL, NULL), TSR_ARGUMENT);
    tsr_format_free(format);
    tsr_format_free(cubic);
}

static void test_padding_with_a_value_is_refused(void **state)
{
    (void)state;
    static const uint64_t dims[] = {3, 3};
    static const uint64_t crd[3][2] = {{0, 0}, {1, 1}, {2, 2}};
    static const char *const formats[] = {"bcsr(2,2)", "hicoo(2)"};
    for (int f = 0; f < 2; f++) {
        tsr_format *format = parse(formats[f], 2, dims);
        tsr_tensor *tensor;
        tsr_coo *coo;
        tsr_error fault = {0};
        assert_ok(tsr_pack(&tensor, three(dims, crd, TSR_F64), format, NULL, NULL, err));
        if (f == 0) /* the last cell of block (1, 1) is (3, 3) */
            ((double *)tensor->values.data)[tensor->npos - 1] = 1;
        else
            tsr_array_set(&tensor->levels[2].crd, 2, 1);
        assert_int_equal(tsr_unpack(&coo, tensor, 2, &fault), TSR_CORRUPT);
        assert_null(coo);
        assert_non_null(strstr(fault.message, "holds a value, but is padding"));
        tsr_tensor_free(tensor);
        tsr_format_free(format);
    }
}

/* An iso tensor with a dense leaf (a reader may make one): every cell but the padding is an entry. */
static void test_iso_dense_leaf_unpacks_to_all_cells(void **state)
{
    (void)state;
    static const uint64_t dims[] = {3, 5};
    static const uint64_t crd[3][2] = {{0, 0}, {1, 1}, {2, 4}};
    tsr_format *format = parse("(i, j) -> (i floordiv 2 : dense, j floordiv 2 : dense, i mod 2 : dense, "
                               "j mod 2 : dense)",
                               2, dims);
    tsr_tensor *tensor;
    assert_ok(tsr_pack(&tensor, three(dims, crd, TSR_F64), format, NULL, NULL, err));
    tensor->iso = true;
    tensor->values.n = 1;
    for (int nthreads = 1; nthreads < 4; nthreads++) {
        tsr_coo *coo;
        assert_ok(tsr_unpack(&coo, tensor, nthreads, err));
        assert_int_equal(coo->nnz, 15);
        assert_true(coo->iso);
        assert_ok(tsr_coo_check(coo, 1, err));
        tsr_coo_free(coo);
    }
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

static void test_convert_keeps_the_order_when_it_agrees(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        bool sorted;
    } rows[] = {
        {"ds", "ss", true}, {"ds", "coo", true}, {"ds", "ds:1,0", false}, {"coo", "bcsr(4,4)", false}};
    static const uint64_t dims[] = {40, 50};
    tsr_rng rng = {1};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_format *from = parse(rows[k].from, 2, dims), *to = parse(rows[k].to, 2, dims);
        tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_F64, 300, true, true), *back;
        tsr_tensor *a, *b;
        tsr_pack_stats stats;
        assert_ok(tsr_pack(&a, coo_copy(coo), from, NULL, NULL, err));
        assert_ok(tsr_convert(&b, a, to, NULL, &stats, err));
        assert_int_equal(stats.was_sorted, rows[k].sorted);
        assert_ok(tsr_unpack(&back, b, 0, err));
        coo_sort(coo, to);
        if (tsr_format_has_dense_leaf(to))
            coo_drop_fill(coo);
        coo_must_equal(coo, back, rows[k].to);
        tsr_coo_free(coo);
        tsr_coo_free(back);
        tsr_tensor_free(b);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

static void test_cancelling_undoes_all(void **state)
{
    (void)state;
    static const uint64_t dims[] = {40, 50};
    tsr_rng rng = {2};
    tsr_format *format = parse("ds", 2, dims);
    tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_F64, 300, true, true);
    const int64_t live = tsr_alloc_live();
    for (int calls = 0;; calls++) {
        int calls_left = calls;
        const tsr_observer observer = {.ctx = &calls_left, .progress = cancel_after};
        const tsr_pack_options options = {.observer = &observer};
        tsr_tensor *tensor;
        const tsr_status status = tsr_pack(&tensor, coo_copy(coo), format, &options, NULL, NULL);
        tsr_tensor_free(tensor);
        assert_int_equal(tsr_alloc_live(), live);
        if (status == TSR_OK) {
            assert_true(calls > 2);
            break;
        }
        assert_int_equal(status, TSR_CANCELLED);
    }
    tsr_coo_free(coo);
    tsr_format_free(format);
}

#ifdef TSR_FAULTS
/* Make the n-th allocation of a conversion there and back fail, for every n, until nothing fails. */
static void fail_everywhere(const char *text, const tsr_coo *coo, int nthreads)
{
    tsr_format *format = parse(text, coo->order, coo->dims);
    const tsr_pack_options options = {.nthreads = nthreads};
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_coo *copy = coo_copy(coo), *back = NULL;
        tsr_tensor *tensor, *again = NULL;
        tsr_error fault = {0};
        tsr_faults_arm(&faults);
        tsr_status status = tsr_pack(&tensor, copy, format, &options, NULL, &fault);
        if (status == TSR_OK)
            status = tsr_unpack(&back, tensor, nthreads, &fault);
        if (status == TSR_OK)
            status = tsr_convert(&again, tensor, format, &options, NULL, &fault);
        else
            tsr_tensor_free(tensor);
        tsr_faults_end(&faults, status);
        tsr_coo_free(back);
        tsr_tensor_free(again);
        assert_true(!faults.failed || fault.message[0] != '\0');
    }
    tsr_format_free(format);
}

static void test_memory_running_out_at_every_place(void **state)
{
    (void)state;
    static const char *const formats[] = {"ds", "dd", "coo", "bcsr(2,3)", "hicoo(2)"};
    static const uint64_t dims[] = {40, 50};
    tsr_rng rng = {3};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int nthreads = 1; nthreads < 4; nthreads += 2) {
            tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_F64, 300, false, true);
            fail_everywhere(formats[f], coo, nthreads);
            tsr_coo_free(coo);
        }
    /* with a long range to split */
    tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_I64, 70000, false, true);
    fail_everywhere("ss", coo, 2);
    tsr_coo_free(coo);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals_in_words),
        cmocka_unit_test(test_sizes_are_refused_before_allocating),
        cmocka_unit_test(test_inconsistent_coordinates_are_refused),
        cmocka_unit_test(test_padding_with_a_value_is_refused),
        cmocka_unit_test(test_iso_dense_leaf_unpacks_to_all_cells),
        cmocka_unit_test(test_convert_keeps_the_order_when_it_agrees),
        cmocka_unit_test(test_cancelling_undoes_all),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out_at_every_place),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
