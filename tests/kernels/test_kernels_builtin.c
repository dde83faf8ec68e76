/* The kernels that are built in: each is found for tensors as users have them, and is right as it was
 * compiled for each processor that this one can stand for. */
#include <math.h>

#include "kernel_builtin.h"
#include "kernel_internal.h"
#include "tsr_alloc.h"
#include "tsr_cpu.h"
#include "tsr_kernel_file.h"
#include "tsr_pack.h"
#include "tsr_test.h"

/* Sizes of variables that a kernel does not name, by their number: enough for several threads, also in a loop
 * over the first variable alone, and beside sizes that it names for factors larger than a cache. */
static const uint64_t sizes_of_2[] = {4500, 130}, sizes_of_more[] = {150, 23, 31, 29},
                      sizes_beside[] = {150, 600, 600, 600}, sizes_of_squares[] = {4500, 4500, 4500};

/* Kernels whose order of loops depends on the sizes of all tensors, so that the built-in one serves some sizes alone. */
static bool depends_on_sizes(const char *name)
{
    return strncmp(name, "sparse-", 7) == 0;
}

/* Kernels that multiply two matrices, or whose copies of the result are treated by the shape of the matrix. */
static bool is_square(const char *name)
{
    return strcmp(name, "spgemm") == 0 || strcmp(name, "matmul") == 0 || strcmp(name, "masked") == 0 ||
           strcmp(name, "triangles") == 0 || strcmp(name, "mattransmul") == 0;
}

/* The number behind "v=" in a list of sizes, or 0. */
static uint64_t size_in(const char *sizes, const char *v)
{
    char pattern[80];
    snprintf(pattern, sizeof pattern, "%s=", v);
    const char *found = strstr(sizes, pattern);
    return found ? strtoull(found + strlen(pattern), NULL, 10) : 0;
}

/* The format of a tensor in "B:csr; C:dd", or all dense levels. */
static void format_in(char text[200], const char *formats, const char *name, int order)
{
    char pattern[80];
    snprintf(pattern, sizeof pattern, "%s:", name);
    const char *found = strstr(formats, pattern);
    if (found)
        snprintf(text, 200, "%.*s", (int)strcspn(found + strlen(pattern), ";"), found + strlen(pattern));
    else
        snprintf(text, 200, "%.*s", order, order ? "dddddddd" : "");
    if (order == 0)
        snprintf(text, 200, "() -> ()");
}

/* Everything that a built-in kernel is run with. */
typedef struct trial {
    const tsr_kernel_builtin *about;
    char what[400];
    tsr_notation *notation;
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS]; /* the result, and operands with tensors */
    tsr_tensor *operand[TSR_NOTATION_MAX_TENSORS];
    uint64_t dims[TSR_NOTATION_MAX_TENSORS][TSR_MAX_ORDER];
    tsr_format *result_format;
    tsr_tensor *want; /* the interpreter's */
} trial;

/* Values in [1/2, 3/2): a sparse tensor has 20000 entries at random, fewer where some agree. */
static tsr_coo *make_coo(tsr_rng *rng, int order, const uint64_t *dims, bool is_sparse)
{
    uint64_t n = 1;
    tsr_coo *coo;
    for (int m = 0; m < order; m++)
        n *= dims[m];
    const uint64_t nnz = is_sparse ? 20000 : n;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, nnz, err));
    for (uint64_t e = 0; e < nnz; e++) {
        uint64_t place = is_sparse ? tsr_rng_below(rng, n) : e;
        for (int m = order - 1; m >= 0; m--) {
            tsr_array_set(&coo->crd[m], e, place % dims[m]);
            place /= dims[m];
        }
        ((double *)coo->values.data)[e] = 0.5 + tsr_rng_unit(rng);
    }
    return coo;
}

static void make_tensor(trial *t, int k, tsr_rng *rng, const uint64_t *size)
{
    const tsr_notation *n = t->notation;
    const tsr_expr *access = tsr_notation_access(n, k);
    char text[200];
    tsr_type type;
    tsr_format *format;
    for (int m = 0; m < access->nindices; m++)
        t->dims[k][m] = size[access->index[m]];
    format_in(text, t->about->formats, n->tensor[k].name, access->nindices);
    assert_ok(tsr_format_parse(&format, text, access->nindices, t->dims[k], err));
    assert_ok(tsr_type_parse(&type, t->about->type, err));
    t->tensors[k] = (tsr_kernel_tensor){.name = n->tensor[k].name, .dims = t->dims[k], .type = type};
    if (k == 0) {
        t->tensors[k].format = t->result_format = format;
        return;
    }
    tsr_coo *coo = make_coo(rng, access->nindices, t->dims[k], !tsr_format_is_dense(format));
    /* as who gives no options packs: a tensor of few columns once got narrow arrays, and no built-in kernel
     */
    const tsr_pack_options pack = {.duplicates = TSR_DUP_FIRST,
                                   .index_width = t->about->index[0] == '8' ? TSR_INDEX_64 : TSR_INDEX_AUTO};
    assert_ok(tsr_coo_retype(coo, type, err));
    assert_ok(tsr_pack(&t->operand[k - 1], coo, format, &pack, NULL, err));
    t->tensors[k].tensor = t->operand[k - 1];
    tsr_format_free(format);
}

static tsr_kernel *new_kernel(const trial *t, tsr_kernel_engine engine)
{
    const bool automatic = strcmp(t->about->schedule, "automatic") == 0;
    const tsr_kernel_options options = {
        .schedule = automatic ? NULL : t->about->schedule, .nthreads = 2, .engine = engine};
    tsr_kernel *kernel;
    tsr_error err = {0};
    if (tsr_kernel_new(&kernel, t->about->expression, t->tensors, t->notation->ntensors, &options, &err) !=
        TSR_OK)
        print_error("%s: %s\n", t->what, err.message);
    return kernel;
}

static tsr_tensor *run(const trial *t, const tsr_kernel *kernel, int nthreads)
{
    const tsr_tensor *const *operands = (const tsr_tensor *const *)t->operand;
    tsr_tensor *result;
    assert_ok(tsr_kernel_result(&result, kernel, operands, err));
    assert_ok(tsr_kernel_run(kernel, result, operands, nthreads, err));
    return result;
}

static void make_trial(trial *t, const tsr_kernel_builtin *about, tsr_rng *rng)
{
    *t = (trial){.about = about};
    snprintf(t->what, sizeof t->what, "%s (%s; %s; %s; %s)", about->name, about->formats, about->type,
             about->sizes, about->schedule);
    assert_ok(tsr_notation_parse(&t->notation, about->expression, err));
    uint64_t size[TSR_NOTATION_MAX_VARS];
    for (int v = 0; v < t->notation->nvars; v++) {
        size[v] = size_in(about->sizes, t->notation->var[v]);
        if (size[v] == 0)
            size[v] = is_square(about->name)    ? sizes_of_squares[v]
                      : *about->sizes           ? sizes_beside[v]
                      : t->notation->nvars <= 2 ? sizes_of_2[v]
                                                : sizes_of_more[v];
    }
    for (int k = 0; k < t->notation->ntensors; k++)
        make_tensor(t, k, rng, size);
    tsr_kernel *kernel = new_kernel(t, TSR_ENGINE_INTERPRETER);
    assert_non_null(kernel);
    t->want = run(t, kernel, 1);
    tsr_kernel_free(kernel);
}

static void clear_trial(trial *t)
{
    for (int k = 1; k < t->notation->ntensors; k++)
        tsr_tensor_free(t->operand[k - 1]);
    tsr_tensor_free(t->want);
    tsr_format_free(t->result_format);
    tsr_notation_free(t->notation);
}

static double value(const tsr_tensor *tensor, uint64_t i)
{
    return tensor->type == TSR_F32 ? (double)((const float *)tensor->values.data)[i]
                                   : ((const double *)tensor->values.data)[i];
}

/* All operands are positive, so sums do not cancel (but for one subtraction from about 1). */
static void compare(const trial *t, const tsr_tensor *got, int nthreads, const char *processor)
{
    const double tolerance = got->type == TSR_F32 ? 1e-4 : 1e-12;
    assert_int_equal(got->values.n, t->want->values.n);
    for (uint64_t i = 0; i < got->values.n; i++) {
        const double g = value(got, i), w = value(t->want, i);
        if (!(fabs(g - w) <= tolerance * (fabs(w) + 4)))
            fail_msg("%s for %s, %d threads: value %llu is %.17g, not %.17g", t->what, processor, nthreads,
                     (unsigned long long)i, g, w);
    }
}

static void test_all(void **state)
{
    (void)state;
    static const char *const processors[] = {"any", "v3", "v4"};
    static const int levels[] = {0, 3, 4};
    tsr_rng rng = {3};
    int nmissing = 0;
    uint64_t nkernels = 0;
    if (!kernel_builtins[0].function[KERNEL_ANY])
        skip();
    for (const kernel_builtin *b = kernel_builtins; b->function[KERNEL_ANY]; b++) {
        trial t;
        make_trial(&t, &b->about, &rng);
        tsr_kernel *kernel = new_kernel(&t, TSR_ENGINE_BUILTIN);
        if (!kernel) {
            nmissing += !depends_on_sizes(b->about.name);
            clear_trial(&t);
            continue;
        }
        assert_int_equal(tsr_kernel_get_info(kernel)->engine, TSR_ENGINE_BUILTIN);
        for (int p = 0; p < KERNEL_NPROCESSORS; p++) {
            if (!b->function[p] || tsr_cpu_level() < levels[p] || !tsr_case_runs(nkernels))
                continue;
            kernel->code->function = b->function[p];
            for (int nthreads = 1; nthreads <= 3; nthreads++) {
                tsr_tensor *got = run(&t, kernel, nthreads);
                compare(&t, got, nthreads, processors[p]);
                tsr_tensor_free(got);
            }
        }
        nkernels++;
        tsr_kernel_free(kernel);
        clear_trial(&t);
    }
    assert_int_equal(nmissing, 0);
}

/* The list for users: complete, no key twice; the best function is the one that is taken. */
static void test_list(void **state)
{
    (void)state;
    assert_null(tsr_kernel_builtin_at(-1));
    int n = 0;
    for (const tsr_kernel_builtin *b = tsr_kernel_builtin_at(0); b; b = tsr_kernel_builtin_at(++n)) {
        assert_int_equal(strspn(b->key, "0123456789abcdef"), 32);
        assert_true(*b->name && *b->summary && *b->expression && *b->type && *b->schedule);
        for (int i = 0; i < n; i++)
            assert_string_not_equal(b->key, tsr_kernel_builtin_at(i)->key);
        const kernel_builtin *row = &kernel_builtins[n];
        const int level = tsr_cpu_level();
        const kernel_processor best = level >= 4 && row->function[KERNEL_X86_64_V4]   ? KERNEL_X86_64_V4
                                      : level >= 3 && row->function[KERNEL_X86_64_V3] ? KERNEL_X86_64_V3
                                                                                      : KERNEL_ANY;
        assert_true(kernel_builtin_find(b->key) == row->function[best]);
    }
    assert_null(tsr_kernel_builtin_at(n));
    assert_null(tsr_kernel_builtin_at(n + 1));
    assert_null(kernel_builtin_find("00000000000000000000000000000000"));
}

/* ---- kernel files ---- */

typedef struct broken {
    const char *text;
    tsr_status status;
    uint64_t line;
    const char *words;
} broken;

static const broken broken_files[] = {
    {"", TSR_SYNTAX, 0, "key expression is missing"},
    {"expression: a = b(i)\n", TSR_SYNTAX, 0, "key summary is missing"},
    {"summary: s\n# c\n\nexpression: a = b(i)\nspeed: 3\n", TSR_SYNTAX, 5, "expected a line"},
    {"summary: s\nnothing\n", TSR_SYNTAX, 2, "expected a line"},
    {"summary: s\n more\nsummary: t\n", TSR_SYNTAX, 3, "summary occurs twice"},
    {"summary: s\ntypes: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", TSR_LIMIT, 2, "more than 16"},
};

/* Those that fail when their kernel is made. */
static const broken broken_kernels[] = {
    {"expression: a = b(i\n", TSR_SYNTAX, 0, ""},
    {"expression: a = b(i)\nformats: c:s\n", TSR_SYNTAX, 0, "TENSOR:FORMAT"},
    {"expression: a = b(i)\nformats: b:s; b:s\n", TSR_SYNTAX, 0, "at most once"},
    {"expression: a = b(i)\nformats: b\n", TSR_SYNTAX, 0, "TENSOR:FORMAT"},
    {"expression: a = b(i)\nformats: b:s\nindex: 4x\n", TSR_SYNTAX, 0, "1, 2, 4 or 8 bytes, not \"4x\""},
    {"expression: a = b(i)\nformats: b:nosuch\n", TSR_ARGUMENT, 0, "nosuch"},
    {"expression: a = b(i)\ntypes: f63\n", TSR_ARGUMENT, 0, "f63"},
    {"expression: a = b(i)\nsizes: i=0\n", TSR_SYNTAX, 0, "VARIABLE=NUMBER"},
    {"expression: a = b(i)\nsizes: i=5 j=3\n", TSR_SYNTAX, 0, "VARIABLE=NUMBER"},
    {"expression: a = b(i)\nsizes: i\n", TSR_SYNTAX, 0, "VARIABLE=NUMBER"},
    {"expression: a = b(i)\nindex: many\n", TSR_SYNTAX, 0, "1, 2, 4 or 8"},
    {"expression: a = b(i)\nindex: 3\n", TSR_ARGUMENT, 0, "3 bytes"},
    {"expression: a = b(i)\nschedule: fast\n", TSR_SYNTAX, 0, ""},
};

static void test_broken_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken_files / sizeof broken_files[0]; i++) {
        tsr_kernel_file *file;
        tsr_error err = {0};
        assert_int_equal(tsr_kernel_file_parse(&file, "x", broken_files[i].text, &err),
                         broken_files[i].status);
        assert_null(file);
        assert_int_equal(err.line, broken_files[i].line);
        assert_non_null(strstr(err.message, broken_files[i].words));
    }
    for (size_t i = 0; i < sizeof broken_kernels / sizeof broken_kernels[0]; i++) {
        char text[500];
        snprintf(text, sizeof text, "summary: s\n%s", broken_kernels[i].text);
        tsr_kernel_file *file;
        tsr_kernel *kernel;
        tsr_error fault = {0};
        assert_ok(tsr_kernel_file_parse(&file, "x", text, err));
        const tsr_status status = tsr_kernel_file_new(
            &kernel, file, 0, &(tsr_kernel_options){.engine = TSR_ENGINE_INTERPRETER}, &fault);
        if (status != broken_kernels[i].status || !strstr(fault.message, broken_kernels[i].words))
            print_error("%s: %d, %s\n", broken_kernels[i].text, (int)status, fault.message);
        assert_int_equal(status, broken_kernels[i].status);
        assert_non_null(strstr(fault.message, broken_kernels[i].words));
        assert_null(kernel);
        tsr_kernel_file_free(file);
    }
}

static void test_variants(void **state)
{
    (void)state;
    static const char text[] = "# first\nsummary: s\nexpression: y(i) =\n  A(i,j) *\tx(j)\n\nformats: A:csr\n"
                               "formats:A:coo \ntypes: f32  f64\r\nschedule: serial\nschedule: automatic";
    static const tsr_kernel_variant want[] = {
        {"A:csr", "f32", "4", "", "serial"}, {"A:csr", "f32", "4", "", "automatic"},
        {"A:csr", "f64", "4", "", "serial"}, {"A:csr", "f64", "4", "", "automatic"},
        {"A:coo", "f32", "4", "", "serial"}, {"A:coo", "f32", "4", "", "automatic"},
        {"A:coo", "f64", "4", "", "serial"}, {"A:coo", "f64", "4", "", "automatic"},
    };
    tsr_kernel_file *file;
    assert_ok(tsr_kernel_file_parse(&file, "name", text, err));
    assert_string_equal(file->name, "name");
    assert_string_equal(file->expression, "y(i) =   A(i,j) *\tx(j)");
    assert_int_equal(tsr_kernel_file_nvariants(file), 8);
    for (int v = 0; v < 8; v++) {
        const tsr_kernel_variant got = tsr_kernel_file_variant(file, v);
        assert_string_equal(got.formats, want[v].formats);
        assert_string_equal(got.type, want[v].type);
        assert_string_equal(got.index, want[v].index);
        assert_string_equal(got.sizes, want[v].sizes);
        assert_string_equal(got.schedule, want[v].schedule);
    }
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_kernel_file *copy = NULL;
        tsr_kernel *kernel = NULL;
        tsr_faults_arm(&faults);
        tsr_status status = tsr_kernel_file_parse(&copy, "name", text, NULL);
        if (status == TSR_OK)
            status = tsr_kernel_file_new(&kernel, copy, 7,
                                         &(tsr_kernel_options){.engine = TSR_ENGINE_INTERPRETER}, NULL);
        tsr_faults_end(&faults, status);
        tsr_kernel_free(kernel);
        tsr_kernel_file_free(copy);
    }
    tsr_kernel_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_list),
                                       cmocka_unit_test(test_broken_files), cmocka_unit_test(test_variants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
