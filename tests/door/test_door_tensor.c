/* Tensors: borrowed arrays, entries, converting, properties. */
#include "door_test.h"

/* ---- borrowing ---- */

static void count_release(void *arg)
{
    ++*(int *)arg;
}

static void test_arrays_are_borrowed_and_released_once(void **state)
{
    (void)state;
    int released = 0;
    const tessera_array arrays[] = {{.data = csr_pos, .n = 4, .type = TESSERA_I32},
                                    {.data = csr_crd, .n = 4, .type = TESSERA_U32},
                                    {.data = csr_values, .n = 4, .type = TESSERA_F64}};
    const tessera_parts parts = {.size = sizeof parts,
                                 .format = "csr",
                                 .order = 2,
                                 .dims = csr_dims,
                                 .arrays = arrays,
                                 .narrays = 3,
                                 .release = count_release,
                                 .release_arg = &released};
    tessera_tensor *A;
    tessera_array array;
    door_ok(tessera_borrow(&A, &parts, ctx));
    assert_string_equal(tessera_tensor_format(A), "csr");
    assert_int_equal(tessera_tensor_order(A), 2);
    assert_int_equal(tessera_tensor_dims(A)[1], 4);
    assert_int_equal(tessera_tensor_type(A), TESSERA_F64);
    assert_int_equal(tessera_tensor_structure(A), TESSERA_GENERAL);
    assert_int_equal(tessera_tensor_nnz(A), 4);
    assert_int_equal(tessera_tensor_nbytes(A), 16 + 16 + 32);
    assert_int_equal(tessera_tensor_is_iso(A), 0);
    assert_null(tessera_tensor_fill(A));
    assert_int_equal(tessera_tensor_nlevels(A), 2);
    assert_int_equal(tessera_tensor_narrays(A), 3);
    static const struct {
        const char *name;
        void *data;
        tessera_type type;
        int level;
    } want[] = {{"pos", csr_pos, TESSERA_U32, 1},
                {"crd", csr_crd, TESSERA_U32, 1},
                {"values", csr_values, TESSERA_F64, -1}};
    for (int i = 0; i < LENGTH(want); i++) {
        door_ok(tessera_tensor_array(&array, A, i, ctx));
        assert_string_equal(array.name, want[i].name);
        assert_ptr_equal(array.data, want[i].data);
        assert_int_equal(array.n, 4);
        assert_int_equal(array.type, want[i].type);
        assert_int_equal(array.level, want[i].level);
        door_ok(tessera_tensor_find(&array, A, 1, want[i].name, ctx));
        assert_ptr_equal(array.data, want[i].data);
    }
    door_fails(tessera_tensor_array(&array, A, 3, ctx), TESSERA_ARGUMENT, "array 3 does not exist");
    door_fails(tessera_tensor_find(&array, A, 0, "crd", ctx), TESSERA_ARGUMENT, "level 0 is dense");
    door_fails(tessera_tensor_find(&array, A, 2, "crd", ctx), TESSERA_ARGUMENT, "level 2 does not exist");
    door_ok(tessera_tensor_check(A, ctx));
    assert_ptr_equal(tessera_tensor_share(A), A);
    tessera_tensor_free(A);
    assert_int_equal(released, 0);
    tessera_tensor_free(A);
    assert_int_equal(released, 1);
}

/* Faults of arrays: what is given, and the error. */
static const struct {
    const char *format;
    int32_t pos[4], crd[4];
    uint64_t npos, ncrd, nvalues;
    tessera_type pos_type;
    int narrays;
    tessera_status status;
    const char *words;
} faults[] = {
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 4}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "4"},
    {"csr", {0, 2, 2, 4}, {2, 1, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 2, 2, 4}, {1, 1, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 3, 2, 4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 2, 2, 5}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 2, 2, -4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 2, 2, 4}, {-1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 3}, 3, 4, 4, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 3}, 4, 3, 3, TESSERA_I32, 3, TESSERA_CORRUPT, "level 1"},
    {"csr",
     {0, 2, 2, 4},
     {1, 2, 0, 3},
     4,
     4,
     3,
     TESSERA_I32,
     3,
     TESSERA_CORRUPT,
     "3 values, but 4 positions"},
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_F32, 3, TESSERA_ARGUMENT, "indices are integers"},
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 2, TESSERA_ARGUMENT, "values are missing"},
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 1, TESSERA_ARGUMENT, "format has more"},
    {"csr", {0, 2, 2, 4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 0, TESSERA_ARGUMENT, "no arrays"},
    {"dd",
     {0, 2, 2, 4},
     {1, 2, 0, 3},
     4,
     4,
     4,
     TESSERA_I32,
     3,
     TESSERA_ARGUMENT,
     "3 arrays are given, but the format has 1"},
    {"csrr",
     {0, 2, 2, 4},
     {1, 2, 0, 3},
     4,
     4,
     4,
     TESSERA_I32,
     3,
     TESSERA_ARGUMENT,
     "did you mean csr or csru?"},
    {"csf:0", {0, 2, 2, 4}, {1, 2, 0, 3}, 4, 4, 4, TESSERA_I32, 3, TESSERA_ARGUMENT, ""},
};

static void test_wrong_arrays_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(faults); i++) {
        int32_t pos[4], crd[4];
        int released = 0;
        memcpy(pos, faults[i].pos, sizeof pos);
        memcpy(crd, faults[i].crd, sizeof crd);
        const tessera_array arrays[] = {{.data = pos, .n = faults[i].npos, .type = faults[i].pos_type},
                                        {.data = crd, .n = faults[i].ncrd, .type = TESSERA_I32},
                                        {.data = csr_values, .n = faults[i].nvalues, .type = TESSERA_F64}};
        const tessera_parts parts = {.size = sizeof parts,
                                     .format = faults[i].format,
                                     .order = 2,
                                     .dims = csr_dims,
                                     .arrays = arrays,
                                     .narrays = faults[i].narrays,
                                     .release = count_release,
                                     .release_arg = &released};
        tessera_tensor *A = (tessera_tensor *)&released;
        const tessera_status status = tessera_borrow(&A, &parts, ctx);
        if (status != faults[i].status || !strstr(tessera_context_text(ctx), faults[i].words)) {
            print_error("row %d: %s: %s\n", i, tessera_status_text(status), tessera_context_text(ctx));
            fail();
        }
        assert_null(A);
        assert_int_equal(released, 0);
    }
}

static void test_null_and_wrong_numbers_are_refused(void **state)
{
    (void)state;
    tessera_tensor *A, *B;
    const uint64_t huge = UINT64_MAX;
    tessera_parts parts = {.size = sizeof parts, .order = 17, .dims = csr_dims};
    door_fails(tessera_borrow(&A, NULL, ctx), TESSERA_ARGUMENT, "missing parts");
    door_fails(tessera_borrow(NULL, &parts, ctx), TESSERA_ARGUMENT, "missing result");
    door_fails(tessera_borrow(&A, &parts, ctx), TESSERA_ARGUMENT, "0 to 16 modes, not 17");
    parts.order = 1;
    parts.dims = &huge;
    door_fails(tessera_borrow(&A, &parts, ctx), TESSERA_ARGUMENT, "2^63 - 1");
    parts.dims = NULL;
    door_fails(tessera_borrow(&A, &parts, ctx), TESSERA_ARGUMENT, "missing dims");
    parts.dims = csr_dims;
    door_fails(tessera_borrow(&A, &parts, ctx), TESSERA_ARGUMENT, "missing parts.format");
    parts.size = 0;
    door_fails(tessera_borrow(&A, &parts, ctx), TESSERA_ARGUMENT, "sizeof(tessera_parts)");
    door_fails(tessera_convert(&A, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_tensor_check(NULL, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_tensor_entries(NULL, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_empty(&A, "csr", 2, csr_dims, (tessera_type)99, ctx), TESSERA_ARGUMENT,
               "99 is not a value type");
    door_fails(tessera_empty(&A, NULL, 2, csr_dims, TESSERA_F64, ctx), TESSERA_ARGUMENT, "missing format");
    B = borrow_csr(ctx);
    const tessera_convert_options wrong = {.size = sizeof wrong, .index_width = (tessera_index_width)8};
    door_fails(tessera_convert(&A, B, &wrong, ctx), TESSERA_ARGUMENT, "8 is not an index width");
    tessera_tensor_free(B);
    tessera_tensor_free(NULL);
    assert_null(tessera_tensor_share(NULL));
    assert_int_equal(tessera_tensor_order(NULL), 0);
    assert_null(tessera_tensor_dims(NULL));
    assert_int_equal(tessera_tensor_type(NULL), TESSERA_ANY_TYPE);
    assert_int_equal(tessera_tensor_nnz(NULL) + tessera_tensor_nbytes(NULL), 0);
    assert_int_equal(tessera_tensor_nlevels(NULL) + tessera_tensor_narrays(NULL), 0);
    assert_string_equal(tessera_tensor_format(NULL), "");
}

/* A struct of a later version: its new field is refused only when it is set. */
static void test_structs_say_their_size(void **state)
{
    (void)state;
    struct {
        tessera_convert_options known;
        uint64_t later;
    } options = {.known = {.size = sizeof options, .format = "csc"}, .later = 0};
    struct {
        size_t size;
        const char *format;
    } earlier = {.size = sizeof earlier, .format = "csc"};
    struct {
        size_t size;
        const char *kind;
        uint64_t canary;
    } level = {.size = 2 * sizeof(size_t), .canary = 77};
    tessera_tensor *A = borrow_csr(ctx), *B;
    door_ok(tessera_convert(&B, A, &options.known, ctx));
    assert_string_equal(tessera_tensor_format(B), "csc");
    tessera_tensor_free(B);
    options.later = 1;
    door_fails(tessera_convert(&B, A, &options.known, ctx), TESSERA_UNSUPPORTED, "link a later version");
    door_ok(tessera_convert(&B, A, (const tessera_convert_options *)&earlier, ctx));
    assert_string_equal(tessera_tensor_format(B), "csc");
    door_ok(tessera_tensor_level((tessera_level *)&level, B, 1, ctx));
    assert_string_equal(level.kind, "compressed");
    assert_int_equal(level.canary, 77);
    level.size = 0;
    door_fails(tessera_tensor_level((tessera_level *)&level, B, 1, ctx), TESSERA_ARGUMENT,
               "sizeof(tessera_level)");
    tessera_tensor_free(A);
    tessera_tensor_free(B);
}

/* ---- dense arrays ---- */

static const struct {
    int order;
    uint64_t dims[3];
    int64_t strides[3];
    const char *format; /* NULL: refused */
} strides[] = {
    {2, {3, 4}, {4, 1}, "dd"},
    {2, {3, 4}, {1, 3}, "dd:1,0"},
    {3, {2, 3, 4}, {12, 4, 1}, "ddd"},
    {3, {2, 3, 4}, {1, 8, 2}, "ddd:1,2,0"},
    {2, {3, 1}, {1, 99}, "dd:1,0"},
    {2, {1, 4}, {-7, 1}, "dd"},
    {2, {0, 4}, {5, 9}, "dd:1,0"},
    {1, {5}, {1}, "d"},
    {2, {3, 4}, {8, 1}, NULL},
    {2, {3, 4}, {4, 2}, NULL},
    {1, {5}, {-1}, NULL},
    {1, {5}, {0}, NULL},
    {2, {3, 4}, {1, 1}, NULL},
    {1, {5}, {2}, NULL},
};

/* An array of order 0 as a pattern was borrowed, and then failed tessera_tensor_check. */
static void test_dense_patterns(void **state)
{
    (void)state;
    unsigned char bytes[4] = {1, 0, 0, 1};
    for (int order = 0; order <= 2; order++) {
        const uint64_t dims[] = {2, 2};
        const tessera_dense_parts parts = {
            .size = sizeof parts, .order = order, .dims = dims, .type = TESSERA_PATTERN, .data = bytes};
        tessera_tensor *A;
        if (order == 0) {
            door_fails(tessera_borrow_dense(&A, &parts, ctx), TESSERA_UNSUPPORTED, "use the type u8");
            continue;
        }
        door_ok(tessera_borrow_dense(&A, &parts, ctx));
        door_ok(tessera_tensor_check(A, ctx));
        tessera_tensor_free(A);
    }
}

static void test_dense_arrays_have_strides(void **state)
{
    (void)state;
    static double data[24];
    for (int i = 0; i < 24; i++)
        data[i] = i + 1;
    for (int i = 0; i < LENGTH(strides); i++) {
        const tessera_dense_parts parts = {.size = sizeof parts,
                                           .order = strides[i].order,
                                           .dims = strides[i].dims,
                                           .strides = strides[i].strides,
                                           .type = TESSERA_F64,
                                           .data = data};
        tessera_tensor *A;
        if (!strides[i].format) {
            door_fails(tessera_borrow_dense(&A, &parts, ctx), TESSERA_UNSUPPORTED, "copy the array first");
            continue;
        }
        door_ok(tessera_borrow_dense(&A, &parts, ctx));
        if (strides[i].dims[0] > 0) {
            tessera_format *is, *wanted;
            door_ok(tessera_format_parse(&is, tessera_tensor_format(A), strides[i].order, NULL, ctx));
            door_ok(tessera_format_parse(&wanted, strides[i].format, strides[i].order, NULL, ctx));
            if (!tessera_format_equal(is, wanted))
                print_error("row %d: %s\n", i, tessera_tensor_format(A));
            assert_true(tessera_format_equal(is, wanted) || strides[i].dims[0] == 1 ||
                        strides[i].dims[1] == 1);
            tessera_format_free(is);
            tessera_format_free(wanted);
            /* the entry at the last coordinates lies where the strides say */
            uint64_t crd[3][24], *list[16] = {crd[0], crd[1], crd[2]};
            double values[24];
            const uint64_t nnz = tessera_tensor_nnz(A);
            door_ok(tessera_tensor_entries(list, values, A, ctx));
            for (uint64_t e = 0; e < nnz; e++) {
                int64_t offset = 0;
                for (int m = 0; m < strides[i].order; m++)
                    offset += (int64_t)crd[m][e] * strides[i].strides[m];
                assert_float_equal(values[e], data[offset], 0);
            }
            assert_ptr_equal(values_of(A), data);
        }
        tessera_tensor_free(A);
    }
}

/* ---- entries in any order ---- */

static void test_entries_are_sorted_and_added(void **state)
{
    (void)state;
    const int64_t row[] = {2, 0, 2, 0, 0};
    const uint8_t column[] = {3, 2, 0, 1, 2};
    const double values[] = {4, 1.5, 3, 1, 0.5};
    const tessera_array crd[] = {{.data = (void *)(uintptr_t)row, .n = 5, .type = TESSERA_I64},
                                 {.data = (void *)(uintptr_t)column, .n = 5, .type = TESSERA_U8}};
    tessera_entries entries = {.size = sizeof entries,
                               .order = 2,
                               .dims = csr_dims,
                               .nnz = 5,
                               .crd = crd,
                               .values = {.data = (void *)(uintptr_t)values, .n = 5, .type = TESSERA_F64}};
    tessera_pack_options options = {.size = sizeof options, .format = "csr"};
    tessera_tensor *A, *B;
    tessera_array array;
    door_ok(tessera_pack(&A, &entries, &options, ctx));
    assert_int_equal(tessera_tensor_nnz(A), 4);
    assert_memory_equal(values_of(A), csr_values, sizeof csr_values);
    door_ok(tessera_tensor_find(&array, A, 1, "crd", ctx));
    assert_int_equal(array.type, TESSERA_U32);
    assert_memory_equal(array.data, csr_crd, sizeof csr_crd);
    options.duplicates = TESSERA_ERROR;
    door_fails(tessera_pack(&B, &entries, &options, ctx), TESSERA_DUPLICATE, "(0, 2)");
    options.duplicates = TESSERA_FIRST;
    options.format = NULL;
    door_ok(tessera_pack(&B, &entries, &options, ctx));
    assert_string_equal(tessera_tensor_format(B), "coo");
    assert_float_equal(values_of(B)[1], 1.5, 0);
    tessera_tensor_free(B);
    entries.dims = (const uint64_t[]){3, 3};
    door_fails(tessera_pack(&B, &entries, &options, ctx), TESSERA_CORRUPT,
               "coordinate 3 of mode 1 is beyond its dim 3");
    entries.dims = csr_dims;
    entries.values = (tessera_array){.type = TESSERA_PATTERN};
    door_ok(tessera_pack(&B, &entries, NULL, ctx));
    assert_int_equal(tessera_tensor_is_iso(B), 1);
    assert_int_equal(tessera_tensor_nnz(B), 4);
    tessera_tensor_free(A);
    tessera_tensor_free(B);
}

static void test_wrong_entries_are_refused(void **state)
{
    (void)state;
    const int32_t row[] = {2, -1};
    const double value[2] = {1, 2};
    tessera_array crd = {.data = (void *)(uintptr_t)row, .n = 2, .type = TESSERA_I32};
    const uint64_t dim = 3;
    tessera_entries entries = {.size = sizeof entries,
                               .order = 1,
                               .dims = &dim,
                               .nnz = 2,
                               .crd = &crd,
                               .values = {.data = (void *)(uintptr_t)value, .n = 2, .type = TESSERA_F64}};
    tessera_tensor *A;
    door_fails(tessera_pack(&A, &entries, NULL, ctx), TESSERA_CORRUPT,
               "entry 1: coordinate -1 of mode 0 is negative");
    entries.nnz = 3;
    door_fails(tessera_pack(&A, &entries, NULL, ctx), TESSERA_ARGUMENT,
               "2 coordinates of mode 0 for 3 entries");
    entries.nnz = 2;
    crd.type = TESSERA_F64;
    door_fails(tessera_pack(&A, &entries, NULL, ctx), TESSERA_ARGUMENT, "coordinates are integers");
    crd.type = TESSERA_I32;
    crd.data = NULL;
    door_fails(tessera_pack(&A, &entries, NULL, ctx), TESSERA_ARGUMENT, "missing coordinates");
    crd.data = (void *)(uintptr_t)row;
    entries.values.n = 5;
    door_fails(tessera_pack(&A, &entries, NULL, ctx), TESSERA_ARGUMENT, "5 values for 2 entries");
    entries.values.n = 2;
    entries.values.data = NULL;
    door_fails(tessera_pack(&A, &entries, NULL, ctx), TESSERA_ARGUMENT, "missing values");
    door_fails(tessera_pack(&A, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing entries");
}

/* ---- converting ---- */

/* What is asked of the 3 x 4 matrix, and what comes out. */
static const struct {
    const char *format, *transform;
    tessera_index_width width;
    const char *got;
    uint64_t nnz, dims[2];
    double first; /* value of the first entry in storage order */
    tessera_type crd_type;
} conversions[] = {
    {"csc", NULL, TESSERA_INDEX_AUTO, "csc", 4, {3, 4}, 3, TESSERA_U32},
    {"coo", NULL, TESSERA_INDEX_64, "coo", 4, {3, 4}, 1, TESSERA_U64},
    {"dcsr", NULL, TESSERA_INDEX_8, "dcsr", 4, {3, 4}, 1, TESSERA_U8},
    {"dcsr", NULL, TESSERA_INDEX_NARROW, "dcsr", 4, {3, 4}, 1, TESSERA_U8},
    {"csr", NULL, TESSERA_INDEX_SAME, "csr", 4, {3, 4}, 1, TESSERA_U32},
    {NULL, "transpose=1,0", TESSERA_INDEX_AUTO, "csr", 4, {4, 3}, 3, TESSERA_U32},
    {NULL, " slice=0:1,: ; transpose=1,0\nreverse=0;", TESSERA_INDEX_AUTO, "csr", 2, {4, 1}, 2, TESSERA_U32},
    {"csr", "reshape=4,3", TESSERA_INDEX_AUTO, "csr", 4, {4, 3}, 1, TESSERA_U32},
};

/* A converted tensor was taken for the one before the conversion where it got the same address: each row runs more than
 * once. */
static void test_tensors_are_converted(void **state)
{
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx);
    for (int r = 0, i = 0; r < 20 * LENGTH(conversions); r++, i = r % LENGTH(conversions)) {
        const tessera_convert_options options = {.size = sizeof options,
                                                 .format = conversions[i].format,
                                                 .transform = conversions[i].transform,
                                                 .index_width = conversions[i].width};
        tessera_tensor *B;
        tessera_array crd;
        door_ok(tessera_convert(&B, A, &options, ctx));
        assert_string_equal(tessera_tensor_format(B), conversions[i].got);
        assert_int_equal(tessera_tensor_nnz(B), conversions[i].nnz);
        assert_memory_equal(tessera_tensor_dims(B), conversions[i].dims, sizeof conversions[i].dims);
        assert_float_equal(values_of(B)[0], conversions[i].first, 0);
        door_ok(tessera_tensor_find(&crd, B, 1, "crd", ctx));
        assert_int_equal(crd.type, conversions[i].crd_type);
        door_ok(tessera_tensor_check(B, ctx));
        assert_int_equal((uintptr_t)B == (uintptr_t)A, i == 4);
        tessera_tensor_free(B);
    }
    tessera_tensor_free(A);
    assert_float_equal(csr_values[3], 4, 0); /* the caller's arrays are as they were */
}

/* What comes out does not depend on the arrays of what went in. */
static void test_conversions_outlive_borrowed_arrays(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr",      "csc", "coo", "dd",  "dcsr",   "bcsr(2,2)", "dd:1,0",
                                          "hicoo(2)", "ell", "dia", "jad", "bitmap", "hash",      "alto"};
    for (int i = 0; i < LENGTH(formats); i++)
        for (int k = 0; k < LENGTH(formats); k++) {
            int32_t pos[4], crd[4];
            double values[4];
            memcpy(pos, csr_pos, sizeof pos);
            memcpy(crd, csr_crd, sizeof crd);
            memcpy(values, csr_values, sizeof values);
            const tessera_array arrays[] = {{.data = pos, .n = 4, .type = TESSERA_I32},
                                            {.data = crd, .n = 4, .type = TESSERA_I32},
                                            {.data = values, .n = 4, .type = TESSERA_F64}};
            const tessera_parts parts = {.size = sizeof parts,
                                         .format = "csr",
                                         .order = 2,
                                         .dims = csr_dims,
                                         .arrays = arrays,
                                         .narrays = 3};
            tessera_convert_options options = {
                .size = sizeof options, .format = formats[i], .index_width = TESSERA_INDEX_64};
            tessera_tensor *A, *B, *C;
            uint64_t r[4], c[4], *list[] = {r, c};
            double v[4];
            door_ok(tessera_borrow(&A, &parts, ctx));
            door_ok(tessera_convert(&B, A, &options, ctx));
            tessera_tensor_free(A);
            memset(pos, 0xff, sizeof pos);
            memset(crd, 0xff, sizeof crd);
            memset(values, 0xff, sizeof values);
            options.format = formats[k];
            door_ok(tessera_convert(&C, B, &options, ctx));
            tessera_tensor_free(B);
            options.format = "coo";
            door_ok(tessera_convert(&B, C, &options, ctx));
            tessera_tensor_free(C);
            assert_int_equal(tessera_tensor_nnz(B), 4);
            door_ok(tessera_tensor_entries(list, v, B, ctx));
            assert_memory_equal(v, csr_values, sizeof v);
            for (int e = 0; e < 4; e++)
                assert_int_equal(c[e], csr_crd[e]);
            tessera_tensor_free(B);
        }
}

static void test_types_and_triangles_are_converted(void **state)
{
    (void)state;
    const uint64_t row[] = {0, 1, 2}, column[] = {0, 0, 1}, dims[] = {3, 3};
    const double values[] = {1, 2, 3};
    const tessera_array crd[] = {{.data = (void *)(uintptr_t)row, .n = 3, .type = TESSERA_U64},
                                 {.data = (void *)(uintptr_t)column, .n = 3, .type = TESSERA_U64}};
    const tessera_entries entries = {
        .size = sizeof entries,
        .order = 2,
        .dims = dims,
        .nnz = 3,
        .crd = crd,
        .values = {.data = (void *)(uintptr_t)values, .n = 3, .type = TESSERA_F64},
        .structure = TESSERA_SYMMETRIC_LOWER};
    tessera_convert_options options = {.size = sizeof options, .format = "csr", .expand = 1};
    tessera_tensor *A, *B;
    door_ok(tessera_pack(&A, &entries, NULL, ctx));
    assert_int_equal(tessera_tensor_structure(A), TESSERA_SYMMETRIC_LOWER);
    door_ok(tessera_convert(&B, A, &options, ctx));
    assert_int_equal(tessera_tensor_structure(B), TESSERA_GENERAL);
    assert_int_equal(tessera_tensor_nnz(B), 5);
    tessera_tensor_free(B);
    options = (tessera_convert_options){.size = sizeof options, .has_type = 1, .type = TESSERA_I16};
    door_ok(tessera_convert(&B, A, &options, ctx));
    assert_int_equal(tessera_tensor_type(B), TESSERA_I16);
    assert_int_equal(tessera_tensor_structure(B), TESSERA_SYMMETRIC_LOWER);
    tessera_tensor_free(B);
    options = (tessera_convert_options){.size = sizeof options, .transform = "transpose=1,0"};
    door_fails(tessera_convert(&B, A, &options, ctx), TESSERA_ARGUMENT, "needs the whole matrix");
    tessera_tensor_free(A);
}

static const struct {
    const char *transform, *words;
    tessera_status status;
} wrong_transforms[] = {
    {"transpose", "expected NAME=TEXT", TESSERA_SYNTAX},
    {"turn=1,0", "unknown transformation 'turn'", TESSERA_ARGUMENT},
    {"transpose=0,7", "mode 7 does not exist", TESSERA_ARGUMENT},
    {"slice=:,:;transpose=x", "transpose=x", TESSERA_SYNTAX},
    {"concat=/nowhere/at/all.mtx,0", "/nowhere/at/all.mtx", TESSERA_IO},
};

static void test_wrong_transformations_are_refused(void **state)
{
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx), *B;
    for (int i = 0; i < LENGTH(wrong_transforms); i++) {
        const tessera_convert_options options = {.size = sizeof options,
                                                 .transform = wrong_transforms[i].transform};
        door_fails(tessera_convert(&B, A, &options, ctx), wrong_transforms[i].status,
                   wrong_transforms[i].words);
        assert_null(B);
    }
    tessera_tensor_free(A);
}

static void test_limits_are_kept(void **state)
{
    (void)state;
    const uint64_t dims[] = {1 << 20, 1 << 20};
    tessera_tensor *A, *B;
    tessera_convert_options options = {.size = sizeof options, .format = "dd"};
    door_ok(tessera_empty(&A, "csr", 2, dims, TESSERA_F64, ctx));
    assert_int_equal(tessera_tensor_nnz(A), 0);
    door_fails(tessera_convert(&B, A, &options, ctx), TESSERA_LIMIT, "8.80 TB");
    options.format = "csc";
    options.max_nbytes = 1000;
    door_fails(tessera_convert(&B, A, &options, ctx), TESSERA_LIMIT, "");
    tessera_tensor_free(A);
}

static void test_facts_and_pictures(void **state)
{
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx);
    char *json;
    uint64_t counts[4];
    const int modes[] = {0, 1}, no_mode[] = {-1, 1}, wrong[] = {0, 2};
    const uint32_t grid[] = {2, 2}, row[] = {1, 4};
    door_ok(tessera_tensor_info(&json, A, NULL, ctx));
    assert_non_null(strstr(json, "\"nnz\": 4"));
    assert_non_null(strstr(json, "\"format\": \"csr\""));
    tessera_text_free(json);
    door_ok(tessera_tensor_density(counts, A, modes, grid, ctx));
    assert_int_equal(counts[0] + counts[1] + counts[2] + counts[3], 4);
    door_ok(tessera_tensor_density(counts, A, no_mode, row, ctx));
    assert_int_equal(counts[2], 1);
    door_fails(tessera_tensor_density(counts, A, wrong, grid, ctx), TESSERA_ARGUMENT,
               "mode 2 does not exist");
    door_fails(tessera_tensor_density(counts, A, modes, (const uint32_t[]){9, 2}, ctx), TESSERA_ARGUMENT,
               "9 boxes");
    door_fails(tessera_tensor_info(&json, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing tensor");
    tessera_tensor_free(A);
}

static void test_advice_names_a_format_that_converts(void **state)
{
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx);
    tessera_tensor *B;
    char *format, *json;
    tessera_advise_options o = {.size = sizeof o, .kernels = "spmv", .nruns = 1e6};
    door_ok(tessera_advise(&format, &json, A, &o, ctx));
    assert_non_null(strstr(json, "\"sentence\""));
    assert_non_null(strstr(json, format));
    const tessera_convert_options convert = {.size = sizeof convert, .format = format};
    door_ok(tessera_convert(&B, A, &convert, ctx));
    assert_int_equal(tessera_tensor_nnz(B), tessera_tensor_nnz(A));
    tessera_text_free(format);
    tessera_text_free(json);
    o.nruns = 0; /* unknown: packing such a small tensor does not pay */
    door_ok(tessera_advise(&format, NULL, A, &o, ctx));
    assert_string_equal(format, "csr");
    tessera_text_free(format);
    o.formats = "csc";
    o.nruns = 1;
    door_ok(tessera_advise(&format, NULL, A, &o, ctx));
    tessera_text_free(format);
    o.kernels = "spvm";
    door_fails(tessera_advise(&format, &json, A, &o, ctx), TESSERA_ARGUMENT, "spmv");
    o.kernels = "A(i) = B(i,j,k) * c(j) * d(k)";
    door_fails(tessera_advise(&format, &json, A, &o, ctx), TESSERA_UNSUPPORTED, "does not have 2 modes");
    assert_null(format);
    assert_null(json);
    o = (tessera_advise_options){.size = sizeof o, .kernels = "spmv", .nruns = -1};
    door_fails(tessera_advise(&format, NULL, A, &o, ctx), TESSERA_ARGUMENT, "must not be negative");
    o.kernels = NULL;
    door_fails(tessera_advise(&format, NULL, A, &o, ctx), TESSERA_ARGUMENT, "missing kernels");
    door_fails(tessera_advise(&format, NULL, NULL, &o, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_advise(NULL, NULL, A, &o, ctx), TESSERA_ARGUMENT, "missing result");
    tessera_tensor_free(B);
    tessera_tensor_free(A);
}

/* A blocked tensor of SciPy, and a coo that is sorted: their arrays are those of Tessera's formats. */
static void test_blocks_and_coordinates_are_borrowed(void **state)
{
    (void)state;
    int64_t pos[] = {0, 1, 2}, crd[] = {1, 0};
    float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint64_t dims[] = {4, 4};
    const tessera_array blocks[] = {{.data = pos, .n = 3, .type = TESSERA_I64},
                                    {.data = crd, .n = 2, .type = TESSERA_I64},
                                    {.data = values, .n = 8, .type = TESSERA_F32}};
    tessera_parts parts = {.size = sizeof parts,
                           .format = "bcsr(2,2)",
                           .order = 2,
                           .dims = dims,
                           .arrays = blocks,
                           .narrays = 3};
    tessera_tensor *A;
    uint64_t r[8], c[8], *list[] = {r, c};
    float v[8];
    door_ok(tessera_borrow(&A, &parts, ctx));
    assert_int_equal(tessera_tensor_nnz(A), 8);
    door_ok(tessera_tensor_entries(list, v, A, ctx));
    assert_int_equal(c[0], 2);
    assert_int_equal(r[7], 3);
    tessera_tensor_free(A);
    uint16_t row[] = {0, 0, 2, 2}, column[] = {1, 2, 0, 3};
    const tessera_array coo[] = {{0},
                                 {.data = row, .n = 4, .type = TESSERA_U16},
                                 {.data = column, .n = 4, .type = TESSERA_U16},
                                 {.data = csr_values, .n = 4, .type = TESSERA_F64}};
    parts = (tessera_parts){
        .size = sizeof parts, .format = "coo", .order = 2, .dims = csr_dims, .arrays = coo, .narrays = 4};
    tessera_array array;
    tessera_array with_type[4];
    memcpy(with_type, coo, sizeof coo);
    with_type[0].type = TESSERA_I64;
    parts.arrays = with_type;
    door_ok(tessera_borrow(&A, &parts, ctx));
    door_ok(tessera_tensor_find(&array, A, 0, "pos", ctx));
    assert_int_equal(array.n, 2);
    door_ok(tessera_tensor_find(&array, A, 1, "crd", ctx));
    assert_ptr_equal(array.data, column);
    tessera_tensor_free(A);
    row[3] = 1;
    door_fails(tessera_borrow(&A, &parts, ctx), TESSERA_CORRUPT, "levels 0 to 1");
}

/* ---- the caller's arrays ---- */

enum { LARGE_ROWS = 50000, LARGE_NNZ = 200000 };

/* Converting large borrowed arrays wrote into them and freed them: their memory was taken for the result. Small arrays never were. */
static void test_large_borrowed_arrays_stay(void **state)
{
    static const char *const formats[] = {"csc", "dcsr", "dcsc", "coo", "ss:1,0", "hicoo", "alto", "csr"};
    (void)state;
    const uint64_t dims[] = {LARGE_ROWS, LARGE_ROWS};
    int32_t *const pos = malloc((LARGE_ROWS + 1) * sizeof *pos), *const crd = malloc(LARGE_NNZ * sizeof *crd);
    double *const values = malloc(LARGE_NNZ * sizeof *values);
    assert_true(pos && crd && values);
    for (int32_t i = 0; i <= LARGE_ROWS; i++)
        pos[i] = i * (LARGE_NNZ / LARGE_ROWS);
    for (int32_t e = 0; e < LARGE_NNZ; e++) { /* rising in each row, far apart between rows */
        crd[e] = (e / 4 * 7919 % 12000) + e % 4 * 12500;
        values[e] = e;
    }
    const tessera_array arrays[] = {{.data = pos, .n = LARGE_ROWS + 1, .type = TESSERA_I32},
                                    {.data = crd, .n = LARGE_NNZ, .type = TESSERA_I32},
                                    {.data = values, .n = LARGE_NNZ, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = dims, .arrays = arrays, .narrays = 3};
    tessera_tensor *A, *B;
    door_ok(tessera_borrow(&A, &parts, ctx));
    for (int f = 0; f < LENGTH(formats); f++) {
        const tessera_convert_options options = {.size = sizeof options, .format = formats[f]};
        door_ok(tessera_convert(&B, A, &options, ctx));
        for (int32_t i = 0; i <= LARGE_ROWS; i++)
            assert_int_equal(pos[i], i * (LARGE_NNZ / LARGE_ROWS));
        for (int32_t e = 0; e < LARGE_NNZ; e++)
            assert_true(crd[e] == (e / 4 * 7919 % 12000) + e % 4 * 12500 && values[e] == e);
        door_ok(tessera_tensor_check(B, ctx));
        tessera_tensor_free(B);
    }
    tessera_tensor_free(A);
    free(pos);
    free(crd);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_are_borrowed_and_released_once),
        cmocka_unit_test(test_wrong_arrays_are_refused),
        cmocka_unit_test(test_null_and_wrong_numbers_are_refused),
        cmocka_unit_test(test_structs_say_their_size),
        cmocka_unit_test(test_dense_patterns),
        cmocka_unit_test(test_dense_arrays_have_strides),
        cmocka_unit_test(test_entries_are_sorted_and_added),
        cmocka_unit_test(test_wrong_entries_are_refused),
        cmocka_unit_test(test_tensors_are_converted),
        cmocka_unit_test(test_conversions_outlive_borrowed_arrays),
        cmocka_unit_test(test_types_and_triangles_are_converted),
        cmocka_unit_test(test_wrong_transformations_are_refused),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_facts_and_pictures),
        cmocka_unit_test(test_advice_names_a_format_that_converts),
        cmocka_unit_test(test_blocks_and_coordinates_are_borrowed),
        cmocka_unit_test(test_large_borrowed_arrays_stay),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
