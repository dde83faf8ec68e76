/* Expressions with several sparse operands and sparse results, whose answers programs of others worked out:
 * TSR_SHARED/cases/merge (its README says what an answer means). Each case is also tried with some of the schedules that
 * overrule how a sparse result is made, again with rows in any order: operands whose rows are reversed, and a result whose rows are
 * not sorted; and again with formats at random, of all named ones, for the operands and the result.
 *
 *     test_kernels_merge [compiled] [FILE...]
 *
 * Each case runs on 1, 2, 3 and 7 threads, interpreted, or compiled with the word "compiled". FILE: other files of that form, such
 * as gen_cases.py makes; then each case has one of the schedules, in turns, and runs on 1 thread and in turns on 2, 3 or 7; compiled:
 * one case of 400, on 1, 2, 3 and 7. */
#include <jansson.h>
#include <math.h>

#include "random_format.h"
#include "tsr_kernel.h"
#include "tsr_notation.h"
#include "tsr_pack.h"
#include "tsr_test.h"

static bool compiled;
static char **files; /* NULL: the cases of TSR_SHARED */

/* What a case says, as far as C wants arrays of it. */
typedef struct entry {
    uint64_t crd[TSR_MAX_ORDER];
    double value;
} entry;

typedef struct entries {
    int order;
    size_t n;
    entry *e;
} entries;

static double number(const json_t *x)
{
    const char *word = json_string_value(x);
    if (!word)
        return json_number_value(x);
    return strcmp(word, "nan") == 0 ? NAN : word[0] == '-' ? -INFINITY : INFINITY;
}

static int order_of_entries; /* qsort has no argument for it */

static int compare_entries(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    for (int m = 0; m < order_of_entries; m++)
        if (a->crd[m] != b->crd[m])
            return a->crd[m] < b->crd[m] ? -1 : 1;
    return 0;
}

static void set_coordinates(entry *e, const json_t *crd)
{
    for (size_t m = 0; m < json_array_size(crd); m++)
        e->crd[m] = (uint64_t)json_integer_value(json_array_get(crd, m));
}

/* The result's pattern and values, those that are 0 left out unless they are to be seen. */
static entries wanted(const json_t *result, bool with_zeros, double fill)
{
    const json_t *pattern = json_object_get(result, "pattern"), *values = json_object_get(result, "values");
    entries w = {(int)json_array_size(json_object_get(result, "dims")), 0, NULL};
    w.e = calloc(json_array_size(pattern) + 1, sizeof *w.e);
    for (size_t k = 0; k < json_array_size(pattern); k++) {
        set_coordinates(&w.e[w.n], json_array_get(pattern, k));
        w.e[w.n].value = number(json_array_get(values, k));
        w.n += with_zeros || w.e[w.n].value != fill;
    }
    return w;
}

static entries unpacked(const tsr_tensor *tensor, bool with_zeros, double fill)
{
    tsr_coo *coo;
    assert_ok(tsr_unpack(&coo, tensor, 1, err));
    entries g = {coo->order, 0, calloc(coo->nnz + 1, sizeof *g.e)};
    for (uint64_t k = 0; k < coo->nnz; k++) {
        for (int m = 0; m < coo->order; m++)
            g.e[g.n].crd[m] = tsr_array_get(&coo->crd[m], k);
        g.e[g.n].value = ((const double *)coo->values.data)[k];
        g.n += with_zeros || g.e[g.n].value != fill;
    }
    order_of_entries = g.order;
    qsort(g.e, g.n, sizeof *g.e, compare_entries);
    tsr_coo_free(coo);
    return g;
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Compare what came out with what is wanted. */
static void check(const tsr_tensor *got, const json_t *result, const char *what)
{
    tsr_error err = {0};
    if (tsr_tensor_check(got, 1, &err) != TSR_OK)
        fail_msg("%s: the result: %s", what, err.message);
    const bool exact = strcmp(json_string_value(json_object_get(result, "compare")), "exact") == 0;
    if (got->order == 0) {
        const json_t *values = json_object_get(result, "values");
        const double want =
            number(json_array_size(values) ? json_array_get(values, 0) : json_object_get(result, "fill"));
        if (!same_value(((const double *)got->values.data)[0], want))
            fail_msg("%s: %g instead of %g", what, ((const double *)got->values.data)[0], want);
        return;
    }
    /* a dense result holds what is absent in the semiring where nothing was contributed */
    const double fill = tsr_format_is_dense(got->format) ? number(json_object_get(result, "fill")) : 0;
    entries w = wanted(result, exact, fill), g = unpacked(got, exact, fill);
    if (w.n != g.n)
        fail_msg("%s: %zu entries instead of %zu", what, g.n, w.n);
    for (size_t k = 0; k < w.n; k++)
        if (compare_entries(&w.e[k], &g.e[k]) != 0 || !same_value(w.e[k].value, g.e[k].value))
            fail_msg("%s: entry %zu is (%d, %d...) %g instead of (%d, %d...) %g", what, k, (int)g.e[k].crd[0],
                     (int)g.e[k].crd[1], g.e[k].value, (int)w.e[k].crd[0], (int)w.e[k].crd[1], w.e[k].value);
    free(w.e);
    free(g.e);
}

static int dims_of(uint64_t *dims, const json_t *tensor)
{
    const json_t *list = json_object_get(tensor, "dims");
    for (size_t m = 0; m < json_array_size(list); m++)
        dims[m] = (uint64_t)json_integer_value(json_array_get(list, m));
    return (int)json_array_size(list);
}

/* The same format with the last level in any order, where there is such a format. */
static const char *in_any_order(const char *format, int order)
{
    static const struct {
        const char *sorted, *any;
        int order;
    } pairs[] = {{"csr", "csru", 2},
                 {"ds", "csru", 2},
                 {"csc", "csru:1,0", 2},
                 {"ds:1,0", "csru:1,0", 2},
                 {"s", "(i) -> (i : unordered)", 1},
                 {"ss", "(i, j) -> (i : compressed, j : unordered)", 2},
                 {"dcsr", "(i, j) -> (i : compressed, j : unordered)", 2},
                 {"sss", "(i, j, k) -> (i : compressed, j : compressed, k : unordered)", 3},
                 {"csf", "(i, j, k) -> (i : compressed, j : compressed, k : unordered)", 3}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (order == pairs[k].order && strcmp(format, pairs[k].sorted) == 0)
            return pairs[k].any;
    return format;
}

/* Reverse the children of each parent of the last level, with their values. */
static void reverse_rows(tsr_tensor *tensor)
{
    tsr_level *const last = &tensor->levels[tensor->nlevels - 1];
    double *const values = tensor->values.data;
    for (uint64_t p = 0; p < last->nparents; p++) {
        uint64_t lo = tsr_array_get(&last->pos, p), hi = tsr_array_get(&last->pos, p + 1);
        for (; lo + 1 < hi; lo++) {
            hi--;
            const uint64_t crd = tsr_array_get(&last->crd, lo);
            const double value = values[lo];
            tsr_array_set(&last->crd, lo, tsr_array_get(&last->crd, hi));
            tsr_array_set(&last->crd, hi, crd);
            values[lo] = values[hi];
            values[hi] = value;
        }
    }
}

/* The formats of a case. */
typedef enum forms { AS_GIVEN, ANY_ORDER, AT_RANDOM } forms;

/* The entries of an operand or of a result. */
static tsr_coo *listed(const json_t *tensor, bool is_result)
{
    uint64_t dims[TSR_MAX_ORDER] = {0};
    const int order = dims_of(dims, tensor);
    const json_t *const list = json_object_get(tensor, is_result ? "pattern" : "entries");
    const json_t *const values = json_object_get(tensor, "values");
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, json_array_size(list), err));
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *const row = json_array_get(list, k);
        entry e;
        set_coordinates(&e, is_result ? row : json_array_get(row, 0));
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], k, e.crd[m]);
        ((double *)coo->values.data)[k] =
            number(is_result ? json_array_get(values, k) : json_array_get(row, 1));
    }
    return coo;
}

/* The number of entries of the tensor in the format; SIZE_MAX: it does not have the format. */
static size_t count_in(const json_t *tensor, bool is_result, const char *text)
{
    tsr_format *format;
    tsr_tensor *packed;
    tsr_coo *coo = listed(tensor, is_result);
    size_t n = SIZE_MAX;
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    const tsr_pack_options how = {.duplicates =
                                      tsr_format_keeps_duplicates(format) ? TSR_DUP_KEEP : TSR_DUP_SUM};
    if (tsr_pack(&packed, coo, format, &how, NULL, NULL) == TSR_OK) {
        assert_ok(tsr_unpack(&coo, packed, 1, err));
        n = coo->nnz;
        tsr_coo_free(coo);
        tsr_tensor_free(packed);
    }
    tsr_format_free(format);
    return n;
}

static uint64_t number_of_case; /* with the number of the tensor: the seed of its format */
static char
    common_format[RANDOM_FORMAT_NBYTES]; /* of all tensors of a case in four, where they can have it */

/* Whether the tensor may have the format instead of the given one: it stores all of its entries, zeros too, and each once. */
static bool can_have(const json_t *tensor, bool is_result, const char *text)
{
    uint64_t dims[TSR_MAX_ORDER] = {0};
    tsr_format *format;
    const int order = dims_of(dims, tensor);
    if (tsr_format_parse(&format, text, order, dims, NULL) != TSR_OK)
        return false;
    const bool may = !tsr_format_is_dense(format) && !tsr_format_keeps_duplicates(format) &&
                     !tsr_format_is_unordered(format);
    tsr_format_free(format);
    return may && count_in(tensor, is_result, text) ==
                      count_in(tensor, is_result, json_string_value(json_object_get(tensor, "format")));
}

/* The format that a tensor of a case has. */
static const char *format_of(char text[RANDOM_FORMAT_NBYTES], const json_t *tensor, bool is_result, forms how)
{
    uint64_t dims[TSR_MAX_ORDER] = {0};
    const char *const given = json_string_value(json_object_get(tensor, "format"));
    const int order = dims_of(dims, tensor);
    tsr_format *format;
    if (how == ANY_ORDER)
        return in_any_order(given, order);
    assert_ok(tsr_format_parse(&format, given, order, dims, err));
    const bool stays =
        how == AS_GIVEN || order == 0 || tsr_format_is_dense(format) || tsr_format_keeps_duplicates(format);
    tsr_format_free(format);
    if (stays)
        return given;
    if (common_format[0] && can_have(tensor, is_result, common_format))
        return common_format;
    tsr_rng rng = {number_of_case++};
    for (int k = 0; k < 20; k++) {
        random_partial_format(text, &rng, order, dims, false);
        if (!can_have(tensor, is_result, text))
            continue;
        if (number_of_case % 4 == 0)
            memcpy(common_format, text, RANDOM_FORMAT_NBYTES);
        return text;
    }
    return given;
}

static tsr_tensor *operand(const json_t *given, forms form)
{
    char drawn[RANDOM_FORMAT_NBYTES];
    uint64_t dims[TSR_MAX_ORDER] = {0};
    const int order = dims_of(dims, given);
    tsr_format *format;
    tsr_tensor *tensor;
    tsr_coo *const coo = listed(given, false);
    assert_ok(tsr_format_parse(&format, format_of(drawn, given, false, form), order, dims, err));
    const tsr_pack_options how = {.duplicates =
                                      tsr_format_keeps_duplicates(format) ? TSR_DUP_KEEP : TSR_DUP_SUM};
    assert_ok(tsr_pack(&tensor, coo, format, &how, NULL, err));
    if (tsr_format_is_unordered(format))
        reverse_rows(tensor);
    tsr_format_free(format);
    return tensor;
}

/* Whether the levels' arrays are the same, byte for byte. */
static bool same_bytes(const tsr_tensor *a, const tsr_tensor *b)
{
    bool same =
        a->npos == b->npos && memcmp(a->values.data, b->values.data, tsr_array_nbytes(&a->values)) == 0;
    for (int l = 0; same && l < a->nlevels; l++) {
        const tsr_array *x[] = {&a->levels[l].pos, &a->levels[l].crd, &a->levels[l].bits},
                        *y[] = {&b->levels[l].pos, &b->levels[l].crd, &b->levels[l].bits};
        for (int k = 0; k < 3; k++)
            same =
                same && x[k]->n == y[k]->n && x[k]->width == y[k]->width &&
                (x[k]->n == 0 || !x[k]->data || memcmp(x[k]->data, y[k]->data, tsr_array_nbytes(x[k])) == 0);
    }
    return same;
}

static void run_all(const tsr_kernel *kernel, tsr_tensor *const *operands, const json_t *result,
                    const char *what, size_t number)
{
    static const int all[] = {1, 3, 2, 7}, some[3][2] = {{1, 3}, {1, 2}, {1, 7}};
    const int *const threads = compiled || !files ? all : some[number % 3];
    tsr_tensor *first = NULL;
    for (int k = 0; k < (compiled || !files ? 4 : 2); k++) {
        tsr_error why = {0};
        tsr_tensor *got;
        char with[900];
        snprintf(with, sizeof with, "%.800s, %d threads", what, threads[k]);
        assert_ok(tsr_kernel_result(&got, kernel, (const tsr_tensor *const *)operands, err));
        for (int time = 0; time < 2; time++) {
            if (tsr_kernel_run(kernel, got, (const tsr_tensor *const *)operands, threads[k], &why) != TSR_OK)
                fail_msg("%s: %s", with, why.message);
            check(got, result, with);
        }
        if (first && !same_bytes(first, got))
            fail_msg("%s: other bytes than with 1 thread", with);
        if (first)
            tsr_tensor_free(got);
        else
            first = got;
    }
    tsr_tensor_free(first);
}

/* Compilers take most of the time of this test. Of eight rows, one is compiled with the flags of users, two are
 * optimized a little, and five are not optimized. The row with the flags of users and one other row have the pieces of
 * tsr_rt_rows.h with AVX-512, whose header takes the compiler longer than the rest of a kernel. */
static const char *const *compiler_flags(size_t row)
{
#define FLAGS \
    "-std=c11", "-march=native", "-fopenmp", "-fPIC", "-shared", "-fno-math-errno", "-ffp-contract=fast", "-w"
#ifdef __x86_64__
#define PLAIN "-mno-avx512bw"
#else
#define PLAIN "-w"
#endif
    static const char *const flags[3][12] = {
        {FLAGS, "-O1", NULL}, {FLAGS, "-O1", PLAIN, NULL}, {FLAGS, "-O0", PLAIN, NULL}};
    switch (row % 8) {
    case 0:
        return NULL;
    case 4:
        return flags[0];
    case 2:
        return flags[1];
    default:
        return flags[2];
    }
}

/* Schedules: %s is the last variable of the result. Each case has a few of them when it is compiled. */
static const char *const schedules[] = {
    NULL,
    "workspace(%s,hash)",
    "workspace(%s,list)",
    "assemble(two-pass)",
    "workspace(%s,hash), assemble(two-pass)",
    "workspace(%s,list), assemble(two-pass)",
    "workspace(dense), assemble(two-pass)",
    "workspace(hash), serial",
    "precompute(none)",
};
enum { NSCHEDULES = sizeof schedules / sizeof *schedules };
static int naccepted[NSCHEDULES];

/* Write the schedule for an expression; false: the result has no variable. */
static bool write_schedule(char *text, size_t nbytes, const char *form, const char *expr)
{
    const char *end = expr + strcspn(expr, ")=");
    const char *begin = end;
    while (begin > expr && begin[-1] != ',' && begin[-1] != '(')
        begin--;
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
    snprintf(text, nbytes, form, name);
    return *end == ')';
}

/* Whether the tensor of a case has a format whose rows can be in any order. */
static bool has_rows(const json_t *tensor)
{
    uint64_t dims[TSR_MAX_ORDER];
    const char *const format = json_string_value(json_object_get(tensor, "format"));
    return in_any_order(format, dims_of(dims, tensor)) != format;
}

static bool case_has_rows(const json_t *row)
{
    const json_t *given;
    const char *name;
    bool has = has_rows(json_object_get(row, "result"));
    json_object_foreach((json_t *)(uintptr_t)json_object_get(row, "operands"), name, given)
    {
        has = has || has_rows(given);
    }
    return has;
}

static void try_case(const json_t *row, size_t number, forms form)
{
    const json_t *operands = json_object_get(row, "operands"), *result = json_object_get(row, "result");
    const char *expr = json_string_value(json_object_get(row, "expr"));
    char what[600], drawn[RANDOM_FORMAT_NBYTES];
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_tensor *tensor[TSR_NOTATION_MAX_TENSORS], *ordered[TSR_NOTATION_MAX_TENSORS];
    uint64_t dims[TSR_MAX_ORDER] = {0};
    tsr_format *format;
    const int order = dims_of(dims, result);
    number_of_case = number;
    common_format[0] = '\0';
    const char *const of_result = format_of(drawn, result, true, form);
    assert_ok(tsr_format_parse(&format, of_result, order, dims, err));
    snprintf(what, sizeof what, "%s%s: %s, result %.100s", form == ANY_ORDER ? "rows in any order, " : "",
             json_string_value(json_object_get(row, "id")), expr, of_result);
    tensors[0] = (tsr_kernel_tensor){.name = json_string_value(json_object_get(result, "name")),
                                     .format = format,
                                     .dims = dims,
                                     .type = TSR_F64};
    const char *name;
    json_t *given;
    int n = 1;
    json_object_foreach((json_t *)(uintptr_t)operands, name, given)
    {
        tensor[n] = operand(given, form);
        if (form == AT_RANDOM) {
            tsr_text name_of = {0};
            tsr_format_print_name(&name_of, tensor[n]->format);
            const size_t at = strlen(what);
            snprintf(what + at, sizeof what - at, ", %s %.80s", name, tsr_text_cstr(&name_of));
            tsr_text_clear(&name_of);
        }
        tensors[n] = (tsr_kernel_tensor){.name = name, .tensor = tensor[n]};
        n++;
    }
    for (int k = 0; k < NSCHEDULES; k++) {
        char text[100] = "", with[800];
        const size_t turns = files ? NSCHEDULES - 1 : compiled || form != AS_GIVEN ? 16 : 2;
        if (k > 0 &&
            ((number + (size_t)k) % turns != 0 || !write_schedule(text, sizeof text, schedules[k], expr)))
            continue;
        const tsr_kernel_options how = {.engine = compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER,
                                        .nthreads = 2,
                                        .schedule = text,
                                        .flags = compiler_flags(number + number / 16),
                                        .semiring = json_string_value(json_object_get(row, "semiring")),
                                        .cache_dir = tsr_test_path(tsr_test_tmp(), "cache")};
        tsr_kernel *kernel;
        tsr_error why = {0};
        snprintf(with, sizeof with, "%s%s%s", what, k ? ", " : "", text);
        const tsr_status status = tsr_kernel_new(&kernel, expr, tensors, n, &how, &why);
        if (k > 0 && (status == TSR_UNSUPPORTED || status == TSR_ARGUMENT))
            continue;
        if (status != TSR_OK)
            fail_msg("%s: %s", with, why.message);
        naccepted[k]++;
        for (int t = 1; t < n; t++)
            for (int m = 1; m < n; m++)
                if (strcmp(tsr_kernel_tensor_name(kernel, t), tensors[m].name) == 0)
                    ordered[t - 1] = tensor[m];
        run_all(kernel, ordered, result, with, number);
        tsr_kernel_free(kernel);
    }
    for (int t = 1; t < n; t++)
        tsr_tensor_free(tensor[t]);
    tsr_format_free(format);
}

/* Try the cases of a file: every one, or of every 400 (of fewer, if the file has fewer) the one with the number `first`. */
static size_t try_file(const char *path, size_t first)
{
    enum { EACH = 400 };
    json_error_t fault;
    json_t *rows = json_load_file(path, 0, &fault);
    if (!rows)
        fail_msg("%s: %s", path, fault.text);
    const size_t n = json_array_size(rows);
    if (n == 0)
        fail_msg("%s: no cases", path);
    const size_t step = !compiled || !files ? 1 : n < EACH ? n : EACH;
    for (size_t k = step > 1 ? first % step : 0; k < n; k += step) {
        const json_t *const row = json_array_get(rows, k);
        try_case(row, k + first, AS_GIVEN);
        if (!compiled || (k + first) % 8 == 5)
            try_case(row, k + first, AT_RANDOM);
        if (case_has_rows(row) && (!compiled || (k + first) % 8 == 3))
            try_case(row, k + first, ANY_ORDER);
    }
    json_decref(rows);
    return n;
}

static void test_cases(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    const size_t n = try_file(tsr_test_path(tsr_test_shared(), "cases/merge/merge-cases-visible.json"), 0);
    /* a schedule that is always refused would prove nothing */
    for (int k = 1; k < NSCHEDULES && !compiled; k++)
        if (naccepted[k] < 10)
            fail_msg("%s: only %d of %zu cases took it", schedules[k], naccepted[k], n);
}

static void test_files(void **state)
{
    (void)state;
    for (size_t k = 0; files[k]; k++) {
        const char *const slash = strrchr(files[k], '/'), *const name = slash ? slash + 1 : files[k];
        try_file(files[k], strtoul(name + strcspn(name, "0123456789"), NULL, 10));
        print_message("%s\n", files[k]);
    }
}

int main(int argc, char **argv)
{
    compiled = argc > 1 && strcmp(argv[1], "compiled") == 0;
    files = argc > 1 + compiled ? argv + 1 + compiled : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)},
                            others[] = {cmocka_unit_test(test_files)};
    return files ? cmocka_run_group_tests(others, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
