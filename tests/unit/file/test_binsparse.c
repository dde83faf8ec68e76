/* Binsparse: files of others have the content that they say, and what we write reads back bit for bit. */
#include "bsp_support.h"

#include <dirent.h>

/* ---- known files ---- */

/* "shape 4 5 6", then "i j k value" lines; complex values are "(re+imj)". */
static tsr_coo *read_oracle(const char *path, tsr_type type)
{
    char *text = tsr_test_slurp(path, NULL), *p = text + strlen("shape");
    uint64_t dims[TSR_MAX_ORDER];
    int order = 0;
    for (; *p && *p != '\n'; order++)
        dims[order] = strtoull(p, &p, 10);
    tsr_coo *coo;
    uint64_t nlines = 0;
    for (const char *q = p + 1; *q; q++)
        nlines += *q == '\n' || q[1] == '\0';
    if (p[0] == '\0' || p[1] == '\0')
        nlines = 0;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, type, false, nlines, err));
    for (uint64_t e = 0; e < nlines; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, strtoull(p, &p, 10));
        double v[2] = {0, 0};
        if (type == TSR_C128) {
            p = strchr(p, '(') + 1;
            v[0] = strtod(p, &p);
            v[1] = strtod(p, &p);
            p = strchr(p, ')') + 1;
        } else
            v[0] = strtod(p, &p);
        memcpy((double *)coo->values.data + e * (coo->values.width / sizeof *v), v, coo->values.width);
    }
    free(text);
    return coo;
}

static void test_shared_cases(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    char folder[700];
    snprintf(folder, sizeof folder, "%s/cases/binsparse", tsr_test_shared());
    DIR *dir = opendir(folder);
    if (!dir)
        skip();
    int n = 0;
    for (struct dirent *d; (d = readdir(dir));) {
        const char *dot = strstr(d->d_name, ".bsp.h5");
        if (!dot)
            continue;
        char oracle[1024];
        snprintf(oracle, sizeof oracle, "%s/%.*s.coo.txt", folder, (int)(dot - d->d_name), d->d_name);
        tsr_tensor *tensor = bsp_read(tsr_test_path(folder, d->d_name));
        tsr_coo *got = bsp_unpack(tensor);
        tsr_coo *expected = read_oracle(oracle, strstr(d->d_name, "cplx") ? TSR_C128 : TSR_F64);
        expected->structure = strstr(d->d_name, "symlow") ? TSR_SYMMETRIC_LOWER : TSR_GENERAL;
        bsp_assert_entries(got, expected);
        tsr_coo_free(expected);
        tsr_coo_free(got);
        tsr_tensor_free(tensor);
        n++;
    }
    closedir(dir);
    assert_true(n >= 16);
}

/* The entries of a coordinate .mtx; a vector has one column of sizes and coordinates. */
static tsr_coo *read_mtx(const char *path, int order, tsr_type type)
{
    char *text = tsr_test_slurp(path, NULL), *p = strchr(text, '\n') + 1;
    while (*p == '%')
        p = strchr(p, '\n') + 1;
    uint64_t dims[2];
    for (int m = 0; m < order; m++)
        dims[m] = strtoull(p, &p, 10);
    const uint64_t nnz = strtoull(p, &p, 10);
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, type, false, nnz, err));
    for (uint64_t e = 0; e < nnz; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, strtoull(p, &p, 10) - 1);
        const double v = strtod(p, &p);
        assert_ok(tsr_values_convert((char *)coo->values.data + 8 * e, type, &v, TSR_F64, 1, err));
    }
    free(text);
    return coo;
}

static void test_reference_files(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *mtx;
        int order;
        tsr_type type;
        const char *format;
    } rows[] = {
        {"b1_ss_COO", "b1_ss", 2, TSR_F64, "coo"},   {"b1_ss_COOC", "b1_ss", 2, TSR_F64, "cooc"},
        {"b1_ss_CSC", "b1_ss", 2, TSR_F64, "csc"},   {"b1_ss_CSR", "b1_ss", 2, TSR_F64, "csr"},
        {"b1_ss_DCSC", "b1_ss", 2, TSR_F64, "dcsc"}, {"b1_ss_DCSR", "b1_ss", 2, TSR_F64, "dcsr"},
        {"b1_ss_DMAT", "b1_ss", 2, TSR_F64, "dd"},   {"b1_ss_DMATR", "b1_ss", 2, TSR_F64, "dd:1,0"},
        {"bar_DVEC", "bar", 1, TSR_I64, "d"},        {"bar_VEC", "bar", 1, TSR_I64, "s"},
        {"farm_COO", "farm", 2, TSR_I64, "coo"},     {"farm_COOC", "farm", 2, TSR_I64, "cooc"},
        {"farm_CSC", "farm", 2, TSR_I64, "csc"},     {"farm_CSR", "farm", 2, TSR_I64, "csr"},
        {"farm_DCSC", "farm", 2, TSR_I64, "dcsc"},   {"farm_DCSR", "farm", 2, TSR_I64, "dcsr"},
        {"farm_DMAT", "farm", 2, TSR_I64, "dd"},     {"farm_DMATR", "farm", 2, TSR_I64, "dd:1,0"},
        {"foo_DVEC", "foo", 1, TSR_I64, "d"},        {"foo_VEC", "foo", 1, TSR_I64, "s"},
    };
    if (!tsr_test_shared())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[900];
        snprintf(path, sizeof path, "%s/cases/binsparse-reference/%s/%s.mtx", tsr_test_shared(),
                 rows[i].folder, rows[i].mtx);
        tsr_coo *expected = read_mtx(path, rows[i].order, rows[i].type);
        snprintf(path, sizeof path, "%s/cases/binsparse-reference/%s/%s.bsp.h5", tsr_test_shared(),
                 rows[i].folder, rows[i].folder);
        tsr_tensor *tensor = bsp_read(path);
        tsr_format *format;
        assert_ok(tsr_format_parse(&format, rows[i].format, rows[i].order, tensor->dims, err));
        assert_true(tsr_format_equal(format, tensor->format));
        tsr_coo *got = bsp_unpack(tensor);
        bsp_assert_entries(got, expected);
        tsr_format_free(format);
        tsr_coo_free(got);
        tsr_coo_free(expected);
        tsr_tensor_free(tensor);
    }
}

/* ---- write, then read ---- */

static void round_trip(const tsr_tensor *tensor, int deflate)
{
    const char *path = tsr_test_path(tsr_test_tmp(), "round.h5");
    bsp_write(path, tensor, deflate, 2);
    tsr_tensor *again = bsp_read(path);
    bsp_assert_same(tensor, again);
    tsr_tensor_free(again);
}

static void test_every_nesting_comes_back(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    const uint64_t dims[6] = {3, 4, 2, 3, 2, 2};
    for (int order = 0; order <= 6; order++)
        for (unsigned bits = 0; bits < 1u << order; bits++) {
            char text[64] = "";
            int perm[6];
            for (int l = 0; l < order; l++) { /* a random mode order */
                const int at = (int)tsr_rng_below(&rng, (uint64_t)l + 1);
                perm[l] = perm[at];
                perm[at] = l;
            }
            for (int l = 0; l < order; l++)
                strcat(text, bits >> l & 1 ? "s" : "d");
            for (int l = 0; l < order; l++)
                snprintf(text + strlen(text), 8, "%c%d", l ? ',' : ':', perm[l]);
            tsr_coo *coo = bsp_random(&rng, order, dims, TSR_F64, order == 0 ? 1 : tsr_rng_below(&rng, 30));
            tsr_tensor *tensor = bsp_pack(order ? text : "() -> ()", coo, 0);
            round_trip(tensor, bits % 2 ? 1 : 0);
            tsr_tensor_free(tensor);
            tsr_coo_free(coo);
        }
}

static void test_types_widths_and_iso(void **state)
{
    (void)state;
    tsr_rng rng = {2};
    const uint64_t dims[2] = {7, 9};
    static const char *const formats[] = {"ds", "ss:1,0", "sd", "dd", "coo"};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        for (tsr_type type = 0; type < TSR_NTYPES; type++)
            for (size_t width = type == TSR_F64 ? 1 : 4; width <= (type == TSR_F64 ? 8 : 4); width *= 2) {
                tsr_coo *coo = bsp_random(&rng, 2, dims, type, 20);
                tsr_tensor *tensor = bsp_pack(formats[f], coo, width);
                round_trip(tensor, type % 2 ? 0 : 6);
                if (!tensor->iso && type != TSR_PATTERN) {
                    tensor->iso = true;
                    tensor->values.n = 1;
                    round_trip(tensor, 0);
                }
                tsr_tensor_free(tensor);
                tsr_coo_free(coo);
            }
}

static void test_fill_and_structure(void **state)
{
    (void)state;
    const uint64_t dims[2] = {4, 4};
    for (tsr_type type = 0; type < TSR_PATTERN; type++) {
        tsr_coo *coo = bsp_coo(2, dims, type, "0 0 1  2 1 3  3 3 5");
        coo->has_fill = true;
        memset(coo->fill, 0x41, tsr_type_nbytes(type));
        static const char *const formats[] = {"ds", "dd", "coo"};
        for (int f = 0; f < 3; f++) {
            tsr_tensor *tensor = bsp_pack(formats[f], coo, 0);
            round_trip(tensor, 0);
            tsr_tensor_free(tensor);
        }
        tsr_coo_free(coo);
    }
    for (tsr_structure s = TSR_GENERAL; s <= TSR_SKEW_UPPER; s++) {
        const bool upper = s == TSR_SYMMETRIC_UPPER || s == TSR_HERMITIAN_UPPER || s == TSR_SKEW_UPPER;
        tsr_coo *coo = bsp_coo(2, dims, TSR_C128, upper ? "0 1 1  1 3 3" : "1 0 1  3 1 3");
        coo->structure = s;
        static const char *const formats[] = {
            "ds",
            "ds:1,0",
            "coo",
            "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
            "coodup",
            "(i, j) -> (i : dense, j : dense(pitch = 6))",
            "(i, j) -> (j : dense(pitch = 5), i : dense(pitch = 5))",
            "(i, j) -> (i : dense(pitch = 4), j : compressed)"};
        for (int f = 0; f < 8; f++) {
            tsr_tensor *tensor = bsp_pack(formats[f], coo, 0);
            round_trip(tensor, 0);
            tsr_tensor_free(tensor);
        }
        tsr_coo_free(coo);
    }
}

/* Formats that the level tree alone cannot tell: the second attribute brings them back. */
static void test_other_formats_come_back(void **state)
{
    (void)state;
    static const struct {
        int order;
        const char *format;
    } rows[] = {
        {2, "bcsr(2,3)"},
        {2, "(i, j) -> (i + j : compressed, j : compressed)"},
        {2, "(i, j) -> (j - i : compressed, i : compressed)"},
        {2, "(i, j) -> (i * 9 + j : compressed)"},
        {3, "hicoo(4)"},
        {2, "coodup"},
        {1, "u"},
        {3, "(i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton(nonunique))"},
        {2, "(i, j) -> (i : compressed, j floordiv 16 : singleton, j mod 16 : dense)"},
        {2, "(i, j) -> (i floordiv 4 : dense, j floordiv 4 : dense, i mod 4 : dense, j mod 4 : dense)"},
        {2, "(i, j) -> (i : dense, j : dense(pitch = 9))"},
        {2, "(i, j) -> (j : dense(pitch = 10), i : dense(pitch = 8))"},
        {2, "(i, j) -> (j : dense(pitch = 10), i : compressed)"},
        {3, "(i, j, k) -> (i : compressed, k floordiv 2 : dense, j : dense(pitch = 11), k mod 2 : "
            "dense(pitch = 3))"},
        {16, "coo"},
        {16, "csf"},
    };
    tsr_rng rng = {3};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        static const uint64_t all[16] = {7, 9, 5, 1, 2, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1};
        uint64_t n = 25;
        if (strstr(rows[r].format, "j floordiv 16 : singleton"))
            n = 1; /* it has no room for two entries of a row */
        tsr_coo *coo = bsp_random(&rng, rows[r].order, all, TSR_F32, n);
        tsr_tensor *tensor = bsp_pack(rows[r].format, coo, 0);
        round_trip(tensor, r % 2 ? 0 : 3);
        tsr_tensor_free(tensor);
        tsr_coo_free(coo);
    }
}

static void test_empty_shapes(void **state)
{
    (void)state;
    static const char *const formats[] = {"ds",
                                          "ss",
                                          "dd",
                                          "sd",
                                          "coo",
                                          "ds:1,0",
                                          "bcsr(2,2)",
                                          "(i, j) -> (i : dense(pitch = 6), j : dense(pitch = 8))",
                                          "(i, j) -> (j : dense(pitch = 6), i : compressed)"};
    static const uint64_t shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {3, 4}};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        for (size_t s = 0; s < 4; s++) {
            tsr_coo *coo = bsp_coo(2, shapes[s], TSR_F64, "");
            tsr_tensor *tensor = bsp_pack(formats[f], coo, 0);
            round_trip(tensor, (f + s) % 2 ? 1 : 0);
            tsr_tensor_free(tensor);
            tsr_coo_free(coo);
        }
}

/* A tensor of some MB, so that there are several chunks and a ragged last one. */
static tsr_tensor *large(void)
{
    const uint64_t dims[2] = {1000, 100000};
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 300001, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const double v = (double)(e % 1000) / 8;
        tsr_array_set(&coo->crd[0], e, e / 301);
        tsr_array_set(&coo->crd[1], e, e % 301 * 331 + e % 7);
        memcpy((double *)coo->values.data + e, &v, sizeof v);
    }
    tsr_tensor *tensor = bsp_pack("ds", coo, 4);
    tsr_coo_free(coo);
    return tensor;
}

static void test_bytes_do_not_depend_on_threads(void **state)
{
    (void)state;
    tsr_tensor *tensor = large();
    static const int levels[] = {0, 1, 6};
    for (int i = 0; i < 3; i++) {
        size_t n1 = 0, n = 0;
        char *first = NULL;
        for (int nthreads = 1; nthreads <= 3; nthreads++) {
            const char *path = tsr_test_path(tsr_test_tmp(), "threads.h5");
            bsp_write(path, tensor, levels[i], nthreads);
            char *bytes = tsr_test_slurp(path, &n);
            if (nthreads == 1) {
                first = bytes;
                n1 = n;
                tsr_tensor *again = bsp_read(path);
                bsp_assert_same(tensor, again);
                tsr_tensor_free(again);
                continue;
            }
            assert_int_equal(n, n1);
            assert_memory_equal(bytes, first, n);
            free(bytes);
        }
        if (levels[i])
            assert_true(n1 < tsr_tensor_nbytes(tensor) / 2);
        free(first);
    }
    tsr_tensor_free(tensor);
}

/* ---- groups ---- */

static void test_groups_of_a_file(void **state)
{
    (void)state;
    const uint64_t dims[2] = {3, 4};
    const char *path = tsr_test_path(tsr_test_tmp(), "groups.h5");
    char a[1100], b[1100], none[1100];
    snprintf(a, sizeof a, "%s:a", path);
    snprintf(b, sizeof b, "%s:b/c", path);
    snprintf(none, sizeof none, "%s:b/d", path);
    remove(path);
    tsr_coo *coo = bsp_coo(2, dims, TSR_F64, "0 1 1  2 0 2");
    tsr_tensor *one = bsp_pack("ds", coo, 0), *two = bsp_pack("coo", coo, 0);
    bsp_write(a, one, 0, 1);
    bsp_write(b, two, 1, 1);
    tsr_tensor *x = bsp_read(a), *y = bsp_read(b);
    bsp_assert_same(one, x);
    bsp_assert_same(two, y);
    tsr_tensor_free(x);
    tsr_tensor_free(y);
    bsp_write(a, two, 0, 1); /* instead of the old one: no array of it stays */
    x = bsp_read(a);
    bsp_assert_same(two, x);
    tsr_tensor_free(x);

    tsr_data data;
    tsr_error e;
    assert_int_equal(tsr_codec_binsparse.read(&data, path, NULL, &e), TSR_ARGUMENT);
    assert_non_null(strstr(e.message, "groups that have it (use file.h5:group): a, b/c"));
    assert_int_equal(tsr_codec_binsparse.read(&data, none, NULL, &e), TSR_ARGUMENT);
    assert_non_null(strstr(e.message, "there is no group 'b/d'"));
    assert_string_equal(e.path, none);

    tsr_tensor_free(one);
    tsr_tensor_free(two);
    tsr_coo_free(coo);
}

static void test_a_colon_in_a_file_name(void **state)
{
    (void)state;
    const uint64_t dims[1] = {3};
    const char *path = tsr_test_path(tsr_test_tmp(), "odd:name");
    tsr_test_spit(path, "", 0); /* it is there, so it is the file that is meant */
    tsr_coo *coo = bsp_coo(1, dims, TSR_I32, "1 7");
    tsr_tensor *tensor = bsp_pack("s", coo, 0);
    bsp_write(path, tensor, 0, 1);
    tsr_tensor *again = bsp_read(path);
    bsp_assert_same(tensor, again);
    tsr_tensor_free(again);
    tsr_tensor_free(tensor);
    tsr_coo_free(coo);
    remove(path);
}

static void test_duplicates_are_refused(void **state)
{
    (void)state;
    const uint64_t dims[2] = {3, 4};
    tsr_coo *coo = bsp_coo(2, dims, TSR_F64, "0 1 1  2 0 2  2 0 3");
    tsr_tensor *tensor = bsp_pack("coodup", coo, 0);
    const char *path = tsr_test_path(tsr_test_tmp(), "dup.h5"), *instead;
    tsr_error e;
    tsr_test_spit(path, "what was there", 14);
    assert_true(tsr_codec_binsparse.takes_tensor(tensor, &instead));
    assert_int_equal(tsr_codec_binsparse.write_tensor(path, tensor, NULL, NULL, &e), TSR_DUPLICATE);
    assert_string_equal(e.message,
                        "entries 1 and 2 of level 0 have the same coordinates, and Binsparse does not allow "
                        "duplicates: sum or drop them first");
    size_t n;
    char *bytes = tsr_test_slurp(path, &n);
    assert_int_equal(n, 14);
    free(bytes);
    tsr_tensor_free(tensor);
    tsr_coo_free(coo);
}

/* ---- faults far inside ---- */

/* A matrix of 3 rows whose second has all n columns. */
static tsr_tensor *new_long(uint64_t n)
{
    const uint64_t dims[2] = {3, n};
    tsr_format *format;
    tsr_tensor *t;
    assert_ok(tsr_format_parse(&format, "ds", 2, dims, err));
    assert_ok(tsr_tensor_new(&t, format, dims, TSR_F64, err));
    tsr_format_free(format);
    t->levels[0].nparents = 1;
    t->levels[0].npos = t->levels[1].nparents = 3;
    t->levels[1].npos = t->npos = n;
    assert_ok(tsr_array_init(&t->levels[1].pos, 4, 4, 0, "pos", err));
    assert_ok(tsr_array_init(&t->levels[1].crd, n, 4, 0, "crd", err));
    assert_ok(tsr_array_init(&t->values, n, 8, 1, "values", err));
    for (uint64_t p = 0; p < 4; p++)
        tsr_array_set(&t->levels[1].pos, p, p < 2 ? 0 : n);
    for (uint64_t e = 0; e < n; e++)
        tsr_array_set(&t->levels[1].crd, e, e);
    return t;
}

/* Coordinates are checked piece by piece while they are read: a fault is seen at the borders of pieces, too. */
static void test_faults_far_inside(void **state)
{
    (void)state;
    enum { N = 200000, BORDER = 1 << 16 };
    static const struct {
        bool in_pos;
        uint64_t at, value;
        const char *words;
    } faults[] = {
        {false, N - 1, N, "level 1: coordinate 200000 at position 199999 is outside [0, 200000)"},
        {false, BORDER, BORDER - 1,
         "level 1: coordinate 65535 at position 65536 follows 65535 under the same parent 1, but must be "
         "larger"},
        {false, 2 * BORDER - 1, 2 * BORDER,
         "level 1: coordinate 131072 at position 131072 follows 131072 under the same parent 1, but must be "
         "larger"},
        {false, BORDER + 1, UINT32_MAX - 4, "dataset 'indices_1' has a negative value at 65537"},
        {true, 1, UINT32_MAX, "dataset 'pointers_to_1' has a negative value at 1"},
        {true, 1, 7, NULL}, /* two rows, which rise */
    };
    const char *path = tsr_test_path(tsr_test_tmp(), "long.h5");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        tsr_tensor *const t = new_long(N);
        tsr_array_set(faults[i].in_pos ? &t->levels[1].pos : &t->levels[1].crd, faults[i].at,
                      faults[i].value);
        remove(path);
        bsp_write(path, t, 0, 1);
        tsr_tensor_free(t);
        tsr_data data;
        tsr_error e = {0};
        const tsr_status status = tsr_codec_binsparse.read(&data, path, NULL, &e);
        assert_int_equal(status, faults[i].words ? TSR_CORRUPT : TSR_OK);
        if (faults[i].words && strncmp(e.message, faults[i].words, strlen(faults[i].words)) != 0)
            fail_msg("%s", e.message);
        tsr_tensor_free(data.tensor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_cases),
        cmocka_unit_test(test_reference_files),
        cmocka_unit_test(test_every_nesting_comes_back),
        cmocka_unit_test(test_types_widths_and_iso),
        cmocka_unit_test(test_fill_and_structure),
        cmocka_unit_test(test_other_formats_come_back),
        cmocka_unit_test(test_empty_shapes),
        cmocka_unit_test(test_bytes_do_not_depend_on_threads),
        cmocka_unit_test(test_groups_of_a_file),
        cmocka_unit_test(test_a_colon_in_a_file_name),
        cmocka_unit_test(test_duplicates_are_refused),
        cmocka_unit_test(test_faults_far_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
