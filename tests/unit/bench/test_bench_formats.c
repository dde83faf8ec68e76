/* Lists of formats: what --format says, and what suits a kernel when it says nothing. */
#include "bench_formats.h"

#include <math.h>

#include "bench_fill.h"
#include "tsr_test.h"

/* A case of a kernel on a thousand entries in a box of these dims: scattered, but all in a small one, and on
 * the diagonal of 616 x 616. */
typedef struct fixture {
    tsr_coo *coo;
    bench_kernel kernel;
    bench_case c;
} fixture;

static void init(fixture *f, const char *kernel, const char *dims_text, int mode)
{
    uint64_t dims[TSR_MAX_ORDER];
    int order = 0;
    for (const char *s = dims_text; *s; s += strcspn(s, "x") + (strchr(s, 'x') != NULL))
        dims[order++] = strtoull(s, NULL, 10);
    assert_true(bench_kernel_find(&f->kernel, kernel));
    assert_ok(tsr_coo_new_sized(&f->coo, (tsr_shape){order, dims}, TSR_F64, true, 1000, err));
    for (int m = 0; m < order; m++)
        for (uint64_t n = 0; n < 1000; n++)
            tsr_array_set(&f->coo->crd[m], n, (m > 0 ? 617 * n : n) % dims[m]);
    *(double *)f->coo->values.data = 1;
    assert_ok(bench_case_init(&f->c, &f->kernel, f->coo, mode, 4, err));
}

static void clear(fixture *f)
{
    bench_case_clear(&f->c);
    tsr_coo_free(f->coo);
}

/* "csf csf:1,0 coo" */
static void join(tsr_text *text, const bench_formats *formats)
{
    for (int i = 0; i < formats->n; i++)
        tsr_text_addf(text, "%s%s", i ? " " : "", tsr_text_cstr(&formats->text[i]));
}

/* Blocks of csbc fit the second cache, and each thread has several of them. */
static void test_blocks_fit_the_cache(void **state)
{
    static const struct {
        uint64_t nrows, cache_nbytes;
        int nthreads;
        uint64_t rows;
    } rows[] = {
        {1000000, 2 << 20, 2, 65536},  {1000000, 2 << 20, 1, 65536},
        {1000000, 2 << 20, 8, 16384},  {1000000, 1 << 20, 2, 32768},
        {1000000, 512 << 10, 2, 2048}, {1000000, 0, 2, 2048},
        {500000, 2 << 20, 2, 32768},   {9, 2 << 20, 2, 2048},
        {0, 2 << 20, 1024, 2048},      {UINT64_C(1) << 62, UINT64_C(1) << 62, 2, 65536},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(bench_csbc_rows(rows[k].nrows,
                                         tsr_tuning_of_caches(0, rows[k].cache_nbytes).block_nbytes,
                                         rows[k].nthreads),
                         rows[k].rows);
}

/* Slots for each entry of slices: 8 of 8192 rows have 101 entries, the others one. Where they are sorted together, the
 * long rows share a slice; in windows, two slices have four of them each. */
static void test_slots_of_slices(void **state)
{
    enum { NROWS = 8192, LONG = 8, MORE = 100, NNZ = NROWS + LONG * MORE };
    const uint64_t dims[] = {NROWS, NNZ};
    tsr_coo *coo;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, true, NNZ, err));
    for (uint64_t n = 0; n < NNZ; n++) {
        tsr_array_set(&coo->crd[0], n, n < NROWS ? n : n % LONG * (NROWS / LONG));
        tsr_array_set(&coo->crd[1], n, n);
    }
    assert_true(fabs(bench_fill_sell(coo, 0, 8, NROWS) - 1) < 1e-9);
    assert_true(fabs(bench_fill_sell(coo, 0, 8, 4096) - (1 + 2 * 4.0 * MORE / NNZ)) < 1e-9);
    assert_true(fabs(bench_fill_sell(coo, 1, 8, 4096) - 1) < 1e-9);
    assert_true(bench_fill_sell(coo, 0, 8, 8) > 1.5);
    tsr_coo_free(coo);
}

/* The rows of a strip fit the second cache, unless a strip would have fewer than three entries for each row of the first
 * mode, six where rows are short: narrow strips of a tensor with few entries took a quarter longer than wide ones. */
static void test_width_of_strips(void **state)
{
    static const struct {
        uint64_t dims[2], nnz;
        double row_nbytes;
        uint64_t cache_nbytes, width;
    } rows[] = {
        {{100000, 60000}, 2000000, 128, 1 << 20, 16384},
        {{100000, 60000}, 20000000, 128, 1 << 20, 2048},
        {{30000, 20000}, 2000000, 128, 1 << 20, 2048},
        {{30000, 20000}, 2000000, 256, 1 << 20, 1024},
        {{30000, 20000}, 1000000, 256, 1 << 20, 2048},
        {{30000, 20000}, 1000000, 128, 1 << 20, 4096},
        {{30000, 20000}, 2000000, 128, 2 << 20, 4096},
        {{30000, 20000}, 0, 128, 1 << 20, 16384},
        {{9, 7}, 5, 128, 1 << 20, 256},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(bench_strip_width(rows[k].dims, rows[k].nnz, rows[k].row_nbytes,
                                           tsr_tuning_of_caches(0, rows[k].cache_nbytes).block_nbytes),
                         rows[k].width);
}

/* The rows of a strip of tiled CSF fit twice a first cache of a thirty-second of the second one. */
static void test_width_of_tiles(void **state)
{
    static const struct {
        double row_nbytes;
        uint64_t nbytes, width;
    } rows[] = {{128, 1 << 20, 512}, {256, 1 << 20, 256},  {512, 1 << 20, 256}, {128, (1 << 20) - 1, 256},
                {8, 1 << 20, 2048},  {128, 2 << 20, 1024}, {128, 0, 256}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(bench_tile_width(rows[k].row_nbytes, rows[k].nbytes), rows[k].width);
}

/* Entries of fibers in strips: (n % 10, n / 10 % 10, n / 100), in a box whose third mode has 20 coordinates. */
static void test_entries_of_fibers(void **state)
{
    static const uint64_t dims[] = {10, 10, 20};
    static const int orders[2][3] = {{0, 1, 2}, {2, 1, 0}};
    tsr_coo *coo;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){3, dims}, TSR_F64, true, 2000, err));
    for (uint64_t n = 0; n < 2000; n++) {
        tsr_array_set(&coo->crd[0], n, n % 10);
        tsr_array_set(&coo->crd[1], n, n / 10 % 10);
        tsr_array_set(&coo->crd[2], n, n / 100);
    }
    assert_true(bench_fill_tcsf(coo, orders[0], 100) == 20);
    assert_true(bench_fill_tcsf(coo, orders[0], 4) == 4);
    assert_true(bench_fill_tcsf(coo, orders[0], 8) == 20.0 / 3);
    assert_true(bench_fill_tcsf(coo, orders[1], 4) == 10.0 / 3);
    tsr_coo_free(coo);
}

/* Numbers that follow from caches do not exceed their limits. */
static void test_numbers_from_caches(void **state)
{
    static const struct {
        uint64_t first, second, cached_lines, prefetch_nbytes, cached_nbytes;
    } rows[] = {
        {32 << 10, 1 << 20, 85, 419430, 16 << 20},
        {48 << 10, 2 << 20, 128, 419430, 32 << 20},
        {64 << 10, 512 << 10, 128, 209714, 8 << 20},
        {0, 0, 128, 32768, 16 << 20},
        {1, 1, 128, 32768, 16},
        {UINT64_MAX, UINT64_MAX / 16, 128, 419430, UINT64_C(1) << 62},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const tsr_tuning tuning = tsr_tuning_of_caches(rows[k].first, rows[k].second);
        assert_int_equal(tuning.cached_lines, rows[k].cached_lines);
        assert_int_equal(tuning.prefetch_nbytes, rows[k].prefetch_nbytes);
        assert_int_equal(tuning.cached_nbytes, rows[k].cached_nbytes);
    }
}

static void test_lists(void **state)
{
    static const struct {
        const char *formats; /* NULL: not given */
        const char *kernel, *dims;
        int mode;
        const char *list;
    } rows[] = {
        /* commas inside parentheses and those before a number belong to the format */
        {"csr", "spmv", "9x8", -1, "csr"},
        {"csr,csc", "spmv", "9x8", -1, "csr csc"},
        {"csr,,csc,", "spmv", "9x8", -1, "csr csc"},
        {"csb(4,4),bcsr(2,2),csr", "spmv", "9x8", -1, "csb(4,4) bcsr(2,2) csr"},
        {"ds:1,0,csr", "spmv", "9x8", -1, "ds:1,0 csr"},
        {"csf:2,0,1,coo,hicoo(2)", "ttv", "9x8x7", 2, "csf:2,0,1 coo hicoo(2)"},
        {"(i, j) -> (i : dense, j : compressed),coo", "spmv", "9x8", -1,
         "(i, j) -> (i : dense, j : compressed) coo"},
        {"csr,csr", "spmv", "9x8", -1, "csr csr"},           /* one format twice shows the noise */
        {"nonsense,csr", "spmv", "9x8", -1, "nonsense csr"}, /* packing reports the error */
        /* csf gets the modes of the result first, then short ones */
        {"csf", "mttkrp", "9x8x7", 0, "csf:0,2,1"},
        {"csf", "mttkrp", "9x8x7", 1, "csf:1,2,0"},
        {"csf", "mttkrp", "7x8x9", 0, "csf"},
        {"csf", "ttv", "9x8x7", 0, "csf:1,2,0"},
        {"csf", "innerprod", "9x8x7", -1, "csf:2,1,0"},
        {"csf,csf", "mttkrp", "9x8x7x6", 2, "csf:2,3,1,0 csf:2,3,1,0"},
        /* no list: formats that suit the kernel */
        {NULL, "spmv", "1000x2000", -1, "coo csr csc dcsr hicoo(128) csbc(2048,32768) sell(8,4096)"},
        {NULL, "spmv", "9x8", -1, "coo csr csc dcsr hicoo(128) csbc(2048,32768) bcsr(3,3) bcsrc(3,3)"},
        {NULL, "spmv", "616x616", -1, "coo csr csc dcsr hicoo(128) csbc(2048,32768) sell(8,4096) bdia(256)"},
        {NULL, "mattransmul", "9x8", -1,
         "coo csr csc dcsr hicoo(128) csbc(2048,32768) csbc(2048,32768):1,0 sell(8,4096):1,0 bcsr(3,3) "
         "bcsrc(3,3) "
         "bcsrc(3,3):1,0"},
        {NULL, "a = x(i) * y(i)", "9", -1, "cvec dvec"},
        {NULL, "mttkrp", "9x8x7", 0, "coo csf:0,2,1 hicoo(128) alto strips(256):0,1,2 duq:0,2,1 csf:0,1,2"},
        {NULL, "mttkrp", "7x8x9", 0, "coo csf hicoo(128) alto strips(256):2,1,0 duq"},
        {NULL, "mttkrp", "9x8x7x6", 3,
         "coo csf:3,2,1,0 hicoo(128) alto strips(256):0,1,2,3 duqq:3,2,1,0 csf:0,1,2,3"},
        {NULL, "spmm", "9x8", -1, "coo csr csc dcsr hicoo(128) csbc(2048,32768)"},
        {NULL, "ttv", "9x8x7", 2, "coo csf hicoo(128) dss duq"},
        {NULL, "ttm", "9x8x7", 0, "coo csf:1,2,0 hicoo(128) dss duq:1,2,0"},
        {NULL, "ttv", "9000x8000x7", 2, "csf dss"}, /* its result is sparse */
        {NULL, "ttv", "9x8x7x6", 3, "coo csf hicoo(128) dsss duqq"},
        {NULL, "innerprod", "9x8x7", -1, "coo csf:2,1,0 hicoo(128) duq:2,1,0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        bench_formats formats;
        tsr_text text = {0};
        init(&f, rows[i].kernel, rows[i].dims, rows[i].mode);
        assert_ok(bench_formats_init(&formats, rows[i].formats, &f.c, err));
        join(&text, &formats);
        if (strcmp(tsr_text_cstr(&text), rows[i].list) != 0)
            fail_msg("--format=%s of %s on %s, mode %d: \"%s\" instead of \"%s\"",
                     rows[i].formats ? rows[i].formats : "(none)", rows[i].kernel, rows[i].dims, rows[i].mode,
                     tsr_text_cstr(&text), rows[i].list);
        tsr_text_clear(&text);
        bench_formats_clear(&formats);
        clear(&f);
    }
}

/* Every named format that takes the order and is not too large, each once and each valid. */
static void test_all(void **state)
{
    static const char *const shapes[] = {"9", "9x8", "9x8x7", "9x8x7x6"};
    static const struct {
        const char *dims, *name;
        bool there;
    } rows[] = {{"9x8", "csr", true},           {"9x8", "bcsr(2,2)", true},  {"9x8", "coodup", false},
                {"9x8", "dense", true},         {"9x8x7", "csr", false},     {"9x8x7", "csf:2,1,0", true},
                {"9000x80000", "dense", false}, {"9000x80000", "csr", true}, {"9", "cvec", true}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fixture f;
        bench_formats formats;
        const char *const kernel = i == 0 ? "a = x(i) * y(i)" : i == 1 ? "spmv" : "innerprod";
        init(&f, kernel, shapes[i], -1);
        assert_ok(bench_formats_init(&formats, "all", &f.c, err));
        assert_in_range(formats.n, 2, BENCH_MAX_FORMATS);
        for (int a = 0; a < formats.n; a++) {
            const char *const text = tsr_text_cstr(&formats.text[a]);
            tsr_format *format = NULL;
            assert_ok(tsr_format_parse(&format, text, f.coo->order, f.coo->dims, err));
            tsr_format_free(format);
            for (int b = 0; b < a; b++)
                assert_string_not_equal(text, tsr_text_cstr(&formats.text[b]));
        }
        bench_formats_clear(&formats);
        clear(&f);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        bench_formats formats;
        bool there = false;
        const char *const kernel = !strchr(rows[i].dims, 'x')                   ? "a = x(i) * y(i)"
                                   : strchr(strchr(rows[i].dims, 'x') + 1, 'x') ? "innerprod"
                                                                                : "spmv";
        init(&f, kernel, rows[i].dims, -1);
        assert_ok(bench_formats_init(&formats, "all", &f.c, err));
        for (int a = 0; a < formats.n; a++)
            there |= strcmp(tsr_text_cstr(&formats.text[a]), rows[i].name) == 0;
        if (there != rows[i].there)
            fail_msg("%s is %s among all of %s", rows[i].name, there ? "" : "not", rows[i].dims);
        bench_formats_clear(&formats);
        clear(&f);
    }
}

static void test_limits(void **state)
{
    fixture f;
    bench_formats formats;
    tsr_error err = {0};
    char many[8 * BENCH_MAX_FORMATS + 8] = "";
    (void)state;
    init(&f, "spmv", "9x8", -1);
    for (int i = 0; i < BENCH_MAX_FORMATS; i++)
        strcat(many, i ? ",csr" : "csr");
    assert_int_equal(bench_formats_init(&formats, many, &f.c, &err), TSR_OK);
    assert_int_equal(formats.n, BENCH_MAX_FORMATS);
    bench_formats_clear(&formats);
    strcat(many, ",csc");
    assert_int_equal(bench_formats_init(&formats, many, &f.c, &err), TSR_LIMIT);
    assert_string_equal(err.message, "there are more than 64 formats to compare");
    bench_formats_clear(&formats);
    for (const char *const *text = (const char *const[]){"", ",", ",,,", NULL}; *text; text++) {
        assert_int_equal(bench_formats_init(&formats, *text, &f.c, &err), TSR_ARGUMENT);
        assert_non_null(strstr(err.message, "contains no format"));
        bench_formats_clear(&formats);
    }
    clear(&f);
}

/* ---- the format of the result ---- */

static void test_results(void **state)
{
    static const struct {
        const char *kernel, *dims;
        int mode;
        const char *operand;
        const char *result; /* "": dense; NULL: refused */
    } rows[] = {
        {"spmv", "9x8", -1, "csr", ""},
        {"sddmm", "900x800", -1, "csr", ""}, /* few cells */
        {"sddmm", "90000x80000", -1, "csr", "csr"},
        {"sddmm", "90000x80000", -1, "csc", "csc"},
        {"sddmm", "90000x80000", -1, "coo", "coo"},
        {"ttv", "90000x80000x7", 2, "csf", "ss"},
        {"ttv", "90000x80000x7", 2, "dss", "ds"},
        {"ttv", "7x90000x80000", 0, "csf:2,1,0", "ss:1,0"},
        {"ttv", "90000x80000x7", 2, "coo", NULL},
        {"ttv", "90000x80000x7", 2, "csf:2,0,1", NULL},
        {"ttm", "90000x80000x7", 2, "csf", "ssd"},
        {"ttm", "7x90000x80000", 0, "csf:2,1,0", "ssd:1,0,2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        tsr_format *format = NULL, *result = NULL, *should = NULL;
        tsr_text got = {0}, want = {0};
        init(&f, rows[i].kernel, rows[i].dims, rows[i].mode);
        assert_ok(tsr_format_parse(&format, rows[i].operand, f.coo->order, f.coo->dims, err));
        const tsr_status status = bench_result_format(&result, &f.c, format, NULL);
        assert_int_equal(status, rows[i].result ? TSR_OK : TSR_UNSUPPORTED);
        if (rows[i].result && *rows[i].result) {
            assert_ok(tsr_format_parse(&should, rows[i].result, f.c.notation->result->nindices,
                                       f.c.result_dims, err));
            assert_non_null(result);
            tsr_format_print(&got, result);
            tsr_format_print(&want, should);
            assert_string_equal(tsr_text_cstr(&got), tsr_text_cstr(&want));
        } else {
            assert_null(result);
        }
        tsr_text_clear(&got);
        tsr_text_clear(&want);
        tsr_format_free(format);
        tsr_format_free(result);
        tsr_format_free(should);
        clear(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists),
                                       cmocka_unit_test(test_blocks_fit_the_cache),
                                       cmocka_unit_test(test_slots_of_slices),
                                       cmocka_unit_test(test_width_of_strips),
                                       cmocka_unit_test(test_width_of_tiles),
                                       cmocka_unit_test(test_entries_of_fibers),
                                       cmocka_unit_test(test_numbers_from_caches),
                                       cmocka_unit_test(test_all),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
