/* Layouts known from elsewhere (TSR_SHARED/cases): their formats parse, print and have the sizes stated, and
 * their arrays pass the deep check. */
#include "tsr_test.h"

#include <jansson.h>

#include "tsr_alloc.h"
#include "tsr_tensor.h"

static const char *cases(const char *name)
{
    const char *shared = tsr_test_shared();
    if (!shared)
        skip();
    static char path[1024];
    snprintf(path, sizeof path, "%s/cases/%s", shared, name);
    return path;
}

static tsr_array array_of(const json_t *list)
{
    tsr_array array = {0};
    const size_t n = json_array_size(list);
    assert_ok(tsr_array_init(&array, n, 4, 0, "an array", err));
    for (size_t k = 0; k < n; k++)
        tsr_array_set(&array, k, (uint64_t)json_integer_value(json_array_get(list, k)));
    return array;
}

/* ["d", size] or ["s", pos, crd] */
static void fill_level(tsr_level *level, uint64_t nparents, const json_t *given)
{
    const bool dense = strcmp(json_string_value(json_array_get(given, 0)), "d") == 0;
    assert_ptr_equal(level->type, dense ? &tsr_level_dense : &tsr_level_compressed);
    level->nparents = nparents;
    if (dense) {
        assert_int_equal(level->size, json_integer_value(json_array_get(given, 1)));
        level->npos = nparents * level->size;
        return;
    }
    level->pos = array_of(json_array_get(given, 1));
    level->crd = array_of(json_array_get(given, 2));
    level->npos = level->crd.n;
}

static void check_layout(const json_t *layout)
{
    const char *text = json_string_value(json_object_get(layout, "format"));
    const json_t *values = json_object_get(layout, "values");
    const int order = (int)json_array_size(json_object_get(layout, "dims"));
    uint64_t dims[TSR_MAX_ORDER];
    for (int m = 0; m < order; m++)
        dims[m] = (uint64_t)json_integer_value(json_array_get(json_object_get(layout, "dims"), (size_t)m));
    tsr_format *format = NULL, *back = NULL;
    tsr_tensor *t = NULL;
    tsr_text print = {0};
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    tsr_format_print(&print, format);
    assert_memory_equal(print.s, text, print.nbytes); /* the text, or the text without its modes */
    assert_ok(tsr_format_parse(&back, print.s, order, NULL, err));
    assert_true(tsr_format_equal(format, back));
    assert_ok(tsr_tensor_new(&t, format, dims, TSR_F64, err));
    t->npos = 1;
    for (int l = 0; l < t->nlevels; l++) {
        fill_level(&t->levels[l], t->npos, json_array_get(json_object_get(layout, "levels"), (size_t)l));
        t->npos = t->levels[l].npos;
    }
    assert_ok(tsr_array_init(&t->values, json_array_size(values), 8, 0, "values", err));
    for (size_t k = 0; k < t->values.n; k++)
        ((double *)t->values.data)[k] = json_number_value(json_array_get(values, k));
    assert_ok(tsr_tensor_check(t, 1, err));
    tsr_tensor_free(t);
    tsr_format_free(format);
    tsr_format_free(back);
    tsr_text_clear(&print);
}

static void test_layouts(void **state)
{
    (void)state;
    json_t *all = json_load_file(cases("level-layouts.json"), 0, NULL);
    assert_non_null(all);
    for (size_t k = 0; k < json_array_size(all); k++)
        check_layout(json_array_get(all, k));
    assert_true(json_array_size(all) > 200);
    json_decref(all);
}

/* Numbers in text, up to the first character of `stop`. */
static int read_numbers(uint64_t *out, int capacity, const char *text, const char *stop)
{
    int n = 0;
    for (const char *end = text + strcspn(text, stop); text < end;) {
        char *next = NULL;
        const unsigned long long v = strtoull(text, &next, 10);
        if (next == text)
            text++;
        else if (n < capacity) {
            out[n++] = v;
            text = next;
        }
    }
    return n;
}

/* Columns: id, name, map and levels, tensor ("4x8: entries"), level sizes ("(4, 8)"), ... */
static void test_storage_cases(void **state)
{
    (void)state;
    char *text = tsr_test_slurp(cases("level-storage-cases.tsv"), NULL), *rest = text, *line;
    int count = 0;
    strtok_r(text, "\n", &rest); /* the heading */
    while ((line = strtok_r(NULL, "\n", &rest))) {
        char *column[5];
        for (int k = 0; k < 5; k++) {
            column[k] = line;
            line = strchr(line, '\t');
            assert_non_null(line);
            *line++ = '\0';
        }
        uint64_t dims[TSR_MAX_ORDER], sizes[TSR_MAX_LEVELS];
        const int order = read_numbers(dims, TSR_MAX_ORDER, column[3], ":");
        const int nlevels = read_numbers(sizes, TSR_MAX_LEVELS, column[4], "");
        tsr_format *format = NULL;
        tsr_binding *binding = NULL;
        if (strstr(column[2], "structured")) {
            assert_int_equal(tsr_format_parse(&format, column[2], order, dims, NULL), TSR_UNSUPPORTED);
            continue;
        }
        assert_ok(tsr_format_parse(&format, column[2], order, dims, err));
        assert_ok(tsr_binding_new(&binding, format, dims, err));
        tsr_text print = {0};
        tsr_format_print_long(&print, format);
        assert_string_equal(print.s, column[2]);
        assert_int_equal(format->nlevels, nlevels);
        for (int l = 0; l < nlevels; l++)
            assert_int_equal(binding->size[l], sizes[l]);
        tsr_text_clear(&print);
        tsr_binding_free(binding);
        tsr_format_free(format);
        count++;
    }
    assert_true(count >= 10);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_storage_cases),
    };
    return cmocka_run_group_tests_name("known layouts", tests, NULL, NULL);
}
