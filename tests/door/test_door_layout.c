/* Formats and layouts. */
#include "door_test.h"

static const struct {
    const char *text, *notation, *printed; /* printed: NULL: refused */
    int order, nlevels;
} formats[] = {
    {"csr", NULL, "csr", 2, 2},
    {"ds", "name", "csr", 2, 2},
    {"csr", "letters", "ds", 2, 2},
    {"csr", "long", "(i, j) -> (i : dense, j : compressed)", 2, 2},
    {"bcsr(2,3)", NULL, "bcsr(2,3)", 2, 4},
    {"bcsr(2,3)", "letters", NULL, 2, 4},
    {"csf:2,0,1", NULL, "csf:2,0,1", 3, 3},
    {"csr", "latex", NULL, 2, 2},
};

static void test_formats(void **state)
{
    (void)state;
    tessera_format *a = NULL, *b = NULL;
    char *text;
    for (int i = 0; i < LENGTH(formats); i++) {
        door_ok(tessera_format_parse(&a, formats[i].text, formats[i].order, NULL, ctx));
        assert_int_equal(tessera_format_order(a), formats[i].order);
        assert_int_equal(tessera_format_nlevels(a), formats[i].nlevels);
        const tessera_status status = tessera_format_print(&text, a, formats[i].notation, NULL, ctx);
        assert_int_equal(status == TESSERA_OK, formats[i].printed != NULL);
        if (status == TESSERA_OK)
            assert_string_equal(text, formats[i].printed);
        else
            assert_null(text);
        tessera_text_free(text);
        tessera_format_free(a);
    }
    door_ok(tessera_format_parse(&a, "csr", 2, NULL, ctx));
    door_ok(tessera_format_parse(&b, "(r, c) -> (r : dense, c : compressed)", -1, NULL, ctx));
    assert_true(tessera_format_equal(a, b));
    assert_false(tessera_format_equal(a, NULL));
    assert_string_equal(tessera_format_kind(a, 1), "compressed");
    assert_null(tessera_format_kind(a, 2));
    assert_null(tessera_format_kind(NULL, 0));
    tessera_format_free(a);
    tessera_format_free(b);
    door_fails(tessera_format_parse(&a, "dxs", 3, NULL, ctx), TESSERA_ARGUMENT,
               "unknown storage format 'dxs'");
    assert_int_equal(tessera_context_column(ctx), 1);
    assert_null(a);
    door_fails(tessera_format_parse(&a, NULL, 3, NULL, ctx), TESSERA_ARGUMENT, "missing text");
    door_fails(tessera_format_print(&text, NULL, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing format");
    tessera_format_free(NULL);
}

static const struct {
    const char *text;
    int64_t coord[2], offset, span;
} layouts[] = {
    {"f32[3,5]{1,0:T(2,2)}", {2, 3}, 17, 24},
    {"(3,5):(5,1)", {2, 3}, 13, 15},
    {"(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 2], d1 in [0, 4]", {2, 3}, 19, 21},
};

static void test_layouts(void **state)
{
    (void)state;
    tessera_layout *layout = NULL;
    for (int i = 0; i < LENGTH(layouts); i++) {
        int64_t offset, coord[2] = {9, 9};
        int padding;
        door_ok(tessera_layout_parse(&layout, layouts[i].text, 0, NULL, ctx));
        assert_int_equal(tessera_layout_rank(layout), 2);
        assert_int_equal(tessera_layout_dims(layout)[1], 5);
        assert_int_equal(tessera_layout_span(layout), layouts[i].span);
        door_ok(tessera_layout_offset(&offset, layout, layouts[i].coord, ctx));
        assert_int_equal(offset, layouts[i].offset);
        door_ok(tessera_layout_coord(coord, &padding, layout, offset, ctx));
        assert_int_equal(padding, 0);
        assert_memory_equal(coord, layouts[i].coord, sizeof coord);
        door_fails(tessera_layout_offset(&offset, layout, (const int64_t[]){3, 0}, ctx), TESSERA_RANGE, "");
        tessera_layout_free(layout);
    }
    door_fails(tessera_layout_parse(&layout, "f32[3,5]{1,0:T(2,}", 0, NULL, ctx), TESSERA_SYNTAX, "");
    assert_null(layout);
    door_fails(tessera_layout_parse(&layout, NULL, 0, NULL, ctx), TESSERA_ARGUMENT, "missing text");
    door_fails(tessera_layout_parse(&layout, "4:1", 1, NULL, ctx), TESSERA_ARGUMENT, "missing dims");
    door_fails(tessera_layout_parse(&layout, "4:1", 99999, NULL, ctx), TESSERA_ARGUMENT, "99999");
    tessera_layout_free(NULL);
    assert_null(tessera_layout_dims(NULL));
}

static void test_layouts_together(void **state)
{
    (void)state;
    static const struct {
        const char *notation, *want; /* of f32[3,5]{0,1} */
    } prints[] = {{NULL, "f32[3,5]{0,1}"},
                  {"tla", "(3,5):(1,3)"},
                  {"cute", "(3,5):(1,3)"},
                  {"format", "dd:1,0"},
                  {"xml", NULL}};
    tessera_layout *a, *b, *c;
    char *text;
    int same;
    door_ok(tessera_layout_parse(&a, "f32[3,5]{0,1}", 0, NULL, ctx));
    for (int i = 0; i < LENGTH(prints); i++) {
        const tessera_status status = tessera_layout_print(&text, a, prints[i].notation, ctx);
        assert_int_equal(status, prints[i].want ? TESSERA_OK : TESSERA_ARGUMENT);
        if (text && strcmp(prints[i].want, "dd:1,0") != 0)
            assert_string_equal(text, prints[i].want);
        tessera_text_free(text);
    }
    door_ok(tessera_layout_parse(&b, "(3,5):(1,3)", 0, NULL, ctx));
    door_ok(tessera_layout_equal(&same, a, b, ctx));
    assert_int_equal(same, 1);
    tessera_layout_free(b);
    door_ok(tessera_layout_parse(&b, "15:2", 0, NULL, ctx));
    door_ok(tessera_layout_equal(&same, a, b, ctx));
    assert_int_equal(same, 0);
    door_ok(tessera_layout_compose(&c, b, a, ctx)); /* offsets of a are multiplied by 2 */
    door_ok(tessera_layout_print(&text, c, "tla", ctx));
    assert_string_equal(text, "(3,5):(2,6)");
    tessera_text_free(text);
    tessera_layout_free(c);
    door_fails(tessera_layout_compose(&c, NULL, a, ctx), TESSERA_ARGUMENT, "missing layout");
    door_fails(tessera_layout_equal(&same, NULL, a, ctx), TESSERA_ARGUMENT, "missing layout");
    door_fails(tessera_layout_print(&text, NULL, "tla", ctx), TESSERA_ARGUMENT, "missing layout");
    tessera_layout_free(a);
    tessera_layout_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_layouts_together),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
