/* Lists of formats: what --format says, and what suits a kernel when it says nothing. */
#include "bench_formats.h"

#include <math.h>

#include "tsr_advice.h"
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
        /* no list, and few formats have a kernel */
        {NULL, "a = x(i) * y(i)", "9", -1, "cvec dvec"},
        {NULL, "ttv", "9000x8000x7", 2, "csf dss"}, /* its result is sparse */
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

/* Without a list: the references, then what the advisor predicts to be the fastest, one of each name. */
static void test_proposals(void **state)
{
    static const struct {
        const char *kernel, *dims;
        int mode;
        const char *references[2], *there;
    } rows[] = {
        {"spmv", "616x616", -1, {"coo", "csr"}, "bdia(256)"}, /* a diagonal */
        {"mattransmul", "1000x2000", -1, {"coo", "csr"}, NULL},
        {"spmm", "1000x2000", -1, {"coo", "csr"}, NULL},
        {"mttkrp", "9x8x7", 0, {"coo", "csf:0,2,1"}, "dss"},
        {"mttkrp", "9x8x7x6", 3, {"coo", "csf:3,2,1,0"}, NULL},
        {"ttv", "9x8x7", 2, {"coo", "csf"}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture f;
        bench_formats formats;
        tsr_advice advice;
        bool has_best = false, has_named = !rows[i].there;
        init(&f, rows[i].kernel, rows[i].dims, rows[i].mode);
        assert_ok(bench_formats_init(&formats, NULL, &f.c, err));
        assert_in_range(formats.n, 3, 8);
        const tsr_notation *const kernel[] = {f.c.notation};
        assert_ok(tsr_advice_init(&advice,
                                  &(tsr_advice_question){.coo = f.coo, .kernels = kernel, .nkernels = 1},
                                  &(tsr_advice_options){.nruns = 1e6, .rank = (uint64_t)f.c.rank}, err));
        for (int k = 0; k < formats.n; k++) {
            const char *const text = tsr_text_cstr(&formats.text[k]);
            if (k < 2)
                assert_string_equal(text, rows[i].references[k]);
            for (int other = 0; other < k; other++)
                assert_string_not_equal(text, tsr_text_cstr(&formats.text[other]));
            has_named = has_named || strcmp(text, rows[i].there) == 0;
            has_best = has_best || strcmp(text, advice.row[0].format) == 0;
        }
        if (!has_named || !has_best)
            fail_msg("%s on %s lacks %s", rows[i].kernel, rows[i].dims,
                     has_named ? advice.row[0].format : rows[i].there);
        tsr_advice_clear(&advice);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),     cmocka_unit_test(test_numbers_from_caches),
        cmocka_unit_test(test_proposals), cmocka_unit_test(test_all),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
