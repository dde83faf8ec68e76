/* Expressions with several sparse operands and sparse results, whose answers programs of others worked out:
 * TSR_SHARED/cases/merge (its README says what an answer means). Each case is also tried with some of the schedules that
 * overrule how a sparse result is made, again with rows in any order: operands whose rows are reversed, and a result whose rows are
 * not sorted; and again with formats at random, of all named ones, for the operands and the result.
 *
 *     test_kernels_merge [compiled] [FILE...]
 *
 * Each case runs on 1, 2, 3 and 7 threads, interpreted, or compiled with the word "compiled". FILE: other files of that form, such
 * as gen_cases.py makes; then each case has one of the schedules, in turns, and runs on 1 thread and in turns on 2, 3 or 7; compiled:
 * one case of 200, on 1, 2, 3 and 7. */
#include <jansson.h>
#include <math.h>

#include "random_format.h"
#include "random_schedule.h"
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

/* The sorted entries with duplicates added; returns their number. */
static size_t added(entry *e, size_t n)
{
    size_t m = 0;
    for (size_t k = 0; k < n; k++)
        if (m > 0 && compare_entries(&e[m - 1], &e[k]) == 0)
            e[m - 1].value += e[k].value;
        else
            e[m++] = e[k];
    return m;
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
    if (tsr_format_keeps_duplicates(tensor->format))
        g.n = added(g.e, g.n);
    tsr_coo_free(coo);
    return g;
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Compare what came out with what is wanted; with_zeros: entries that are 0, too, where the case says that they can be seen. */
static void check(const tsr_tensor *got, const json_t *result, bool with_zeros, const char *what)
{
    tsr_error err = {0};
    if (tsr_tensor_check(got, 1, &err) != TSR_OK)
        fail_msg("%s: the result: %s", what, err.message);
    const bool exact =
        with_zeros && strcmp(json_string_value(json_object_get(result, "compare")), "exact") == 0;
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

/* How the formats of a case are drawn. */
typedef struct drawing {
    forms how;
    size_t number;         /* of the case */
    uint64_t seed;         /* of the next format */
    bool zeros_are_absent; /* an entry 0 more or less, as other formats store, does not change other values */
    bool is_exact; /* the result's format holds only some patterns: operands store what they are given */
    char common
        [RANDOM_FORMAT_NBYTES]; /* the format of all tensors of a case in four, where they can have it */
} drawing;

static bool has_property(const char *text, const json_t *tensor, bool (*property)(const tsr_format *format))
{
    uint64_t dims[TSR_MAX_ORDER] = {0};
    tsr_format *format;
    const int order = dims_of(dims, tensor);
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    const bool has = property(format);
    tsr_format_free(format);
    return has;
}

static const char *given_format(const json_t *tensor)
{
    return json_string_value(json_object_get(tensor, "format"));
}

/* Whether the tensor can have the format instead of the given one: it stores the same entries, or others that do not matter. */
static bool can_have(const drawing *d, const json_t *tensor, bool is_result, const char *text)
{
    uint64_t dims[TSR_MAX_ORDER] = {0};
    tsr_format *format;
    const char *const given = given_format(tensor);
    if (tsr_format_parse(&format, text, dims_of(dims, tensor), dims, NULL) != TSR_OK)
        return false;
    tsr_format_free(format);
    const size_t n = count_in(tensor, is_result, text);
    if (n == SIZE_MAX ||
        (is_result && !d->zeros_are_absent && has_property(text, tensor, tsr_format_keeps_duplicates)))
        return false;
    if (d->zeros_are_absent && !d->is_exact)
        return true;
    return has_property(text, tensor, tsr_format_is_dense) ==
               has_property(given, tensor, tsr_format_is_dense) &&
           n == count_in(tensor, is_result, given);
}

/* How often operands, and results, had each named format. */
enum { MAX_NAMED = 200 };
static int nhad[2][MAX_NAMED];

/* The count of the named format of the text; NULL: it is not one. */
static int *count_of(const char *text, bool is_result)
{
    const size_t nbytes = strcspn(text, "(:");
    for (int k = 0; k < MAX_NAMED && tsr_named_formats[k].name; k++)
        if (strlen(tsr_named_formats[k].name) == nbytes &&
            memcmp(tsr_named_formats[k].name, text, nbytes) == 0)
            return &nhad[is_result][k];
    return NULL;
}

static void count_format(const char *text, bool is_result)
{
    int *const count = count_of(text, is_result);
    if (count)
        ++*count;
}

/* Draw a format that the tensor can have, rather a named one that was never drawn; false: there was none in many draws. */
static bool draw_format(char text[RANDOM_FORMAT_NBYTES], drawing *d, const json_t *tensor, bool is_result)
{
    enum { NDRAWS = 20, ENOUGH = 8 };
    char other[RANDOM_FORMAT_NBYTES];
    uint64_t dims[TSR_MAX_ORDER] = {0};
    const int order = dims_of(dims, tensor);
    bool is_drawn = false;
    tsr_rng rng = {d->seed++};
    for (int k = 0; k < (is_drawn ? ENOUGH : NDRAWS); k++) {
        random_partial_format(other, &rng, order, dims, false);
        const int *const count = count_of(other, is_result);
        const bool is_new = count && *count == 0;
        if ((is_drawn && !is_new) || !can_have(d, tensor, is_result, other))
            continue;
        memcpy(text, other, RANDOM_FORMAT_NBYTES);
        is_drawn = true;
        if (is_new)
            break;
    }
    return is_drawn;
}

/* The format that a tensor of a case has. */
static const char *format_of(char text[RANDOM_FORMAT_NBYTES], drawing *d, const json_t *tensor,
                             bool is_result)
{
    uint64_t dims[TSR_MAX_ORDER] = {0};
    const char *const given = given_format(tensor);
    const int order = dims_of(dims, tensor);
    if (d->how == ANY_ORDER)
        return in_any_order(given, order);
    if (d->how == AS_GIVEN || order == 0 ||
        (!is_result && has_property(given, tensor, tsr_format_keeps_duplicates)))
        return given;
    if (d->common[0] && can_have(d, tensor, is_result, d->common))
        return d->common;
    if (!draw_format(text, d, tensor, is_result))
        return given;
    if (d->seed % 4 == 0)
        memcpy(d->common, text, RANDOM_FORMAT_NBYTES);
    return text;
}

static tsr_tensor *operand(drawing *d, const json_t *given)
{
    char drawn[RANDOM_FORMAT_NBYTES];
    uint64_t dims[TSR_MAX_ORDER] = {0};
    const int order = dims_of(dims, given);
    tsr_format *format;
    tsr_tensor *tensor;
    tsr_coo *const coo = listed(given, false);
    const char *const text = format_of(drawn, d, given, false);
    count_format(text, false);
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
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

static void run_all(const tsr_kernel *kernel, tsr_tensor *const *operands, const json_t *row,
                    const drawing *d, const char *what)
{
    static const int all[] = {1, 3, 2, 7}, some[3][2] = {{1, 3}, {1, 2}, {1, 7}};
    const int *const threads = compiled || !files ? all : some[d->number % 3];
    tsr_tensor *first = NULL;
    for (int k = 0; k < (compiled || !files ? 4 : 2); k++) {
        tsr_error why = {0};
        tsr_tensor *got;
        char with[900];
        snprintf(with, sizeof with, "%.800s, %d threads", what, threads[k]);
        assert_ok(tsr_kernel_result(&got, kernel, (const tsr_tensor *const *)operands, err));
        for (int time = 0; time < (k == 0 || !files ? 2 : 1); time++) {
            if (tsr_kernel_run(kernel, got, (const tsr_tensor *const *)operands, threads[k], &why) != TSR_OK)
                fail_msg("%s: %s", with, why.message);
            check(got, json_object_get(row, "result"), !d->zeros_are_absent, with);
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
static int naccepted[NSCHEDULES + 1]; /* the last one: schedules at random */

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

/* Whether an entry 0 more or less does not change the other values of the result. */
static bool zeros_may_be_absent(const json_t *row)
{
    const json_t *given, *values = json_object_get(json_object_get(row, "result"), "values");
    const char *name;
    bool are_finite = true;
    for (size_t k = 0; k < json_array_size(values); k++)
        are_finite = are_finite && !json_is_string(json_array_get(values, k));
    json_object_foreach((json_t *)(uintptr_t)json_object_get(row, "operands"), name, given)
    {
        const json_t *const list = json_object_get(given, "entries");
        for (size_t k = 0; k < json_array_size(list); k++)
            are_finite = are_finite && !json_is_string(json_array_get(json_array_get(list, k), 1));
    }
    return are_finite && strcmp(json_string_value(json_object_get(row, "semiring")), "plus_times") == 0;
}

/* A case with its tensors; operands in the order of the row. */
typedef struct trial {
    const json_t *row;
    drawing drawing;
    char what[600];
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    tsr_format *format; /* of the result */
    uint64_t dims[TSR_MAX_ORDER];
    int n;
} trial;

static void trial_init(trial *t, const json_t *row, size_t number, forms how)
{
    char drawn[RANDOM_FORMAT_NBYTES];
    const json_t *const result = json_object_get(row, "result");
    *t = (trial){.row = row, .n = 1, .drawing = {.how = how, .number = number, .seed = number}};
    drawing *const d = &t->drawing;
    d->zeros_are_absent = how == AT_RANDOM && number % 3 > 0 && zeros_may_be_absent(row);
    const int order = dims_of(t->dims, result);
    const char *const of_result = format_of(drawn, d, result, true);
    count_format(of_result, true);
    assert_ok(tsr_format_parse(&t->format, of_result, order, t->dims, err));
    d->is_exact = format_is_partial(t->format);
    snprintf(t->what, sizeof t->what, "%s%s: %s, result %.100s",
             how == ANY_ORDER ? "rows in any order, " : "", json_string_value(json_object_get(row, "id")),
             json_string_value(json_object_get(row, "expr")), of_result);
    t->tensors[0] = (tsr_kernel_tensor){.name = json_string_value(json_object_get(result, "name")),
                                        .format = t->format,
                                        .dims = t->dims,
                                        .type = TSR_F64};
    const char *name;
    json_t *given;
    json_object_foreach((json_t *)(uintptr_t)json_object_get(row, "operands"), name, given)
    {
        t->operands[t->n] = operand(d, given);
        if (how == AT_RANDOM) {
            tsr_text name_of = {0};
            tsr_format_print_name(&name_of, t->operands[t->n]->format);
            const size_t at = strlen(t->what);
            snprintf(t->what + at, sizeof t->what - at, ", %s %.80s", name, tsr_text_cstr(&name_of));
            tsr_text_clear(&name_of);
        }
        t->tensors[t->n] = (tsr_kernel_tensor){.name = name, .tensor = t->operands[t->n]};
        t->n++;
    }
}

static void trial_clear(trial *t)
{
    for (int k = 1; k < t->n; k++)
        tsr_tensor_free(t->operands[k]);
    tsr_format_free(t->format);
}

/* With a schedule, which may be refused; without one (number 0) the case may not be. */
static void try_schedule(const trial *t, int number, bool may_be_refused, const char *schedule)
{
    char with[800];
    const drawing *const d = &t->drawing;
    const tsr_kernel_options how = {.engine = compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER,
                                    .nthreads = 2,
                                    .schedule = schedule,
                                    .flags = compiler_flags(d->number + d->number / 16),
                                    .semiring = json_string_value(json_object_get(t->row, "semiring")),
                                    .cache_dir = tsr_test_path(tsr_test_tmp(), "cache")};
    tsr_kernel *kernel;
    tsr_error why = {0};
    snprintf(with, sizeof with, "%s%s%s", t->what, *schedule ? ", " : "", schedule);
    const char *const expr = json_string_value(json_object_get(t->row, "expr"));
    const tsr_status status = tsr_kernel_new(&kernel, expr, t->tensors, t->n, &how, &why);
    if (may_be_refused && (status == TSR_UNSUPPORTED || status == TSR_ARGUMENT))
        return;
    if (status != TSR_OK)
        fail_msg("%s: %s", with, why.message);
    naccepted[number]++;
    tsr_tensor *ordered[TSR_NOTATION_MAX_TENSORS];
    for (int k = 1; k < t->n; k++)
        for (int m = 1; m < t->n; m++)
            if (strcmp(tsr_kernel_tensor_name(kernel, k), t->tensors[m].name) == 0)
                ordered[k - 1] = t->operands[m];
    run_all(kernel, ordered, t->row, d, with);
    tsr_kernel_free(kernel);
}

static void try_random_schedule(const trial *t)
{
    char text[RANDOM_SCHEDULE_NBYTES];
    tsr_rng rng = {t->drawing.number};
    tsr_notation *notation;
    assert_ok(tsr_notation_parse(&notation, json_string_value(json_object_get(t->row, "expr")), err));
    const bool is_general = random_schedule(text, &rng, notation);
    tsr_notation_free(notation);
    try_schedule(t, NSCHEDULES, !is_general, text);
}

static void try_case(const json_t *row, size_t number, forms form)
{
    trial *const t = malloc(sizeof *t);
    assert_non_null(t);
    trial_init(t, row, number, form);
    const size_t turns = files ? NSCHEDULES - 1 : compiled || form != AS_GIVEN ? 16 : 2;
    const char *const expr = json_string_value(json_object_get(row, "expr"));
    for (int k = 0; k < NSCHEDULES; k++) {
        char text[100] = "";
        if (k == 0 ||
            ((number + (size_t)k) % turns == 0 && write_schedule(text, sizeof text, schedules[k], expr)))
            try_schedule(t, k, k > 0, text);
    }
    if (form == AT_RANDOM)
        try_random_schedule(t);
    trial_clear(t);
    free(t);
}

/* Try the cases of a file: every one, or of every EACH (of fewer, if the file has fewer) the one with the number `first`. */
static size_t try_file(const char *path, size_t first)
{
    enum { EACH = 200 };
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
        if (!files || (k + first) % 2 == 0)
            try_case(row, k + first, AS_GIVEN);
        if (!compiled || files || (k + first) % 8 == 5)
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
    for (int k = 1; k <= NSCHEDULES && !compiled; k++)
        if (naccepted[k] < 10)
            fail_msg("%s: only %d of %zu cases took it", k < NSCHEDULES ? schedules[k] : "at random",
                     naccepted[k], n);
    int nnever =
        0; /* two hold triangles only, which few cases have; compiled cases are too few to draw all formats */
    for (int k = 0; k < MAX_NAMED && tsr_named_formats[k].name && !compiled; k++)
        nnever += nhad[0][k] + nhad[1][k] == 0;
    if (nnever > 2)
        fail_msg("%d named formats were never drawn", nnever);
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
