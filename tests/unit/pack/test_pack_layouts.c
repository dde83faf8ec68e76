/* Packing against known answers: level-layouts.json (every format of small tensors) and
 * level-storage-cases.tsv (storage printed by another system), array by array. */
#include <jansson.h>

#include "tsr_test.h"

#include "tsr_pack.h"

static const char *shared_path(const char *name)
{
    const char *shared = tsr_test_shared();
    return shared ? tsr_test_path(shared, name) : NULL;
}

static void must_hold(const tsr_array *array, const uint64_t *want, uint64_t n, const char *what, int l,
                      const char *name)
{
    if (!array->data || array->n != n)
        fail_msg("%s: level %d: %s has %d entries instead of %d", what, l, name, (int)array->n, (int)n);
    for (uint64_t i = 0; i < n; i++)
        if (tsr_array_get(array, i) != want[i])
            fail_msg("%s: level %d: %s[%d] is %d instead of %d", what, l, name, (int)i,
                     (int)tsr_array_get(array, i), (int)want[i]);
}

static void values_must_be(const tsr_tensor *tensor, const double *want, uint64_t n, const char *what)
{
    if (tensor->values.n != n)
        fail_msg("%s: %d values instead of %d", what, (int)tensor->values.n, (int)n);
    for (uint64_t i = 0; i < n; i++)
        if (((const double *)tensor->values.data)[i] != want[i])
            fail_msg("%s: value %d is %g instead of %g", what, (int)i,
                     ((const double *)tensor->values.data)[i], want[i]);
}

/* ---- JSON ---- */

static tsr_coo *json_coo(const json_t *row)
{
    uint64_t dims[TSR_MAX_ORDER];
    const json_t *sizes = json_object_get(row, "dims"), *entries = json_object_get(row, "entries");
    const int order = (int)json_array_size(sizes);
    for (int m = 0; m < order; m++)
        dims[m] = (uint64_t)json_integer_value(json_array_get(sizes, (size_t)m));
    tsr_coo *coo;
    const size_t n = json_array_size(entries);
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, n, err));
    for (size_t i = 0; i < n; i++) {
        const size_t e = n - 1 - i; /* backwards: the packer must sort */
        const json_t *entry = json_array_get(entries, e);
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], i,
                          (uint64_t)json_integer_value(json_array_get(json_array_get(entry, 0), (size_t)m)));
        ((double *)coo->values.data)[i] = json_number_value(json_array_get(entry, 1));
    }
    return coo;
}

static void json_array_must_be(const tsr_array *array, const json_t *want, const char *what, int l,
                               const char *name)
{
    uint64_t n = json_array_size(want), *numbers = malloc((n + 1) * sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = (uint64_t)json_integer_value(json_array_get(want, i));
    must_hold(array, numbers, n, what, l, name);
    free(numbers);
}

static void compare_json(const tsr_tensor *tensor, const json_t *row, const char *what)
{
    const json_t *levels = json_object_get(row, "levels"), *values = json_object_get(row, "values");
    assert_int_equal(json_array_size(levels), tensor->nlevels);
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *level = &tensor->levels[l];
        const json_t *want = json_array_get(levels, (size_t)l);
        if (level->type->letter != json_string_value(json_array_get(want, 0))[0])
            fail_msg("%s: level %d is %s", what, l, level->type->name);
        if (level->type->full) {
            assert_int_equal(level->size, json_integer_value(json_array_get(want, 1)));
            continue;
        }
        json_array_must_be(&level->pos, json_array_get(want, 1), what, l, "pos");
        json_array_must_be(&level->crd, json_array_get(want, 2), what, l, "crd");
    }
    const size_t n = json_array_size(values);
    double *numbers = malloc((n + 1) * sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = json_number_value(json_array_get(values, i));
    values_must_be(tensor, numbers, n, what);
    free(numbers);
}

static void test_level_layouts(void **state)
{
    (void)state;
    const char *path = shared_path("cases/level-layouts.json");
    if (!path)
        skip();
    json_t *rows = json_load_file(path, 0, NULL);
    assert_true(json_array_size(rows) > 100);
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k);
        const char *text = json_string_value(json_object_get(row, "format"));
        tsr_format *format;
        tsr_tensor *tensor;
        assert_ok(tsr_format_parse(&format, text, -1, NULL, err));
        assert_ok(tsr_pack(&tensor, json_coo(row), format, NULL, NULL, err));
        compare_json(tensor, row, text);
        tsr_tensor_free(tensor);
        tsr_format_free(format);
    }
    json_decref(rows);
}

/* ---- TSV ---- */

enum { NCOLUMNS = 11, MAX_NUMBERS = 256 };

/* "4x8: (0,0)=1 (0,2)=2" */
static tsr_coo *text_coo(const char *text)
{
    uint64_t dims[TSR_MAX_ORDER], n = 0;
    int order = 0;
    char *p = (char *)(uintptr_t)text;
    for (dims[order++] = strtoull(p, &p, 10); *p == 'x';)
        dims[order++] = strtoull(p + 1, &p, 10);
    for (const char *q = p; *q; q++)
        n += *q == '=';
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, n, err));
    for (uint64_t e = 0; e < n; e++) {
        p = strchr(p, '(');
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, strtoull(p + 1, &p, 10));
        ((double *)coo->values.data)[e] = strtod(strchr(p, '=') + 1, &p);
    }
    return coo;
}

/* The numbers of "[1, 2, 3]" at p. */
static int numbers(double *out, const char *p)
{
    int n = 0;
    char *end = (char *)(uintptr_t)p;
    while (*end && *end != ']' && n < MAX_NUMBERS) {
        out[n] = strtod(end + 1, &end);
        n++;
    }
    return n;
}

/* Compare the array of each "name[l]=[...]" in `text`; returns how many there were. */
static int compare_arrays(const tsr_tensor *tensor, const char *text, const char *name, const char *what)
{
    int found = 0;
    for (const char *p = text; (p = strstr(p, name)) != NULL; p++, found++) {
        double have[MAX_NUMBERS];
        uint64_t want[MAX_NUMBERS];
        const int l = atoi(p + 4), n = numbers(have, strchr(p, '=') + 1);
        for (int i = 0; i < n; i++)
            want[i] = (uint64_t)have[i];
        const tsr_level *level = &tensor->levels[l];
        must_hold(name[0] == 'p' ? &level->pos : &level->crd, want, (uint64_t)n, what, l, name);
    }
    return found;
}

static void check_row(char **column)
{
    const char *what = column[1];
    tsr_coo *coo = text_coo(column[3]);
    tsr_format *format;
    tsr_tensor *tensor;
    assert_ok(tsr_format_parse(&format, column[2], coo->order, coo->dims, err));
    assert_ok(tsr_pack(&tensor, coo, format, NULL, NULL, err));
    double want[MAX_NUMBERS];
    int narrays = 0;
    for (int l = 0; l < tensor->nlevels; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            narrays += tsr_level_array_row(tensor->levels[l].type, (tsr_level_role)role) != NULL;
    assert_int_equal(compare_arrays(tensor, column[5], "pos", what) +
                         compare_arrays(tensor, column[6], "crd", what),
                     narrays);
    const int n = numbers(want, column[7]);
    values_must_be(tensor, want, (uint64_t)n, what);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

static void test_storage_cases(void **state)
{
    (void)state;
    const char *path = shared_path("cases/level-storage-cases.tsv");
    if (!path)
        skip();
    char *text = tsr_test_slurp(path, NULL), *line = strchr(text, '\n') + 1;
    int nrows = 0;
    for (char *next; line && *line; line = next) {
        char *column[NCOLUMNS] = {line};
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        for (int c = 1; c < NCOLUMNS && column[c - 1]; c++) {
            column[c] = strchr(column[c - 1], '\t');
            if (column[c])
                *column[c]++ = '\0';
        }
        assert_non_null(column[7]);
        if (strstr(column[2], "structured") || strstr(column[2], "batch") || strstr(column[2], "loose"))
            continue; /* level types that we do not have */
        check_row(column);
        nrows++;
    }
    assert_true(nrows >= 10);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_layouts),
        cmocka_unit_test(test_storage_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
