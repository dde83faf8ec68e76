/* Formats made from values, and the notations of formats: what each prints parses back to the same format;
 * what nvmath-python and XLA print is read as they mean it. */
#include "tsr_test.h"

#include "random_format.h"
#include "tsr_alloc.h"
#include "tsr_format.h"

static tsr_format *parsed(const char *text, int order, const uint64_t *dims)
{
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    return format;
}

static void assert_same(tsr_format *made, const char *text)
{
    tsr_format *const wanted = parsed(text, made->order, NULL);
    assert_true(tsr_format_equal(made, wanted));
    tsr_format_free(wanted);
    tsr_format_free(made);
}

/* ---- formats from values ---- */

static void test_made(void **state)
{
    (void)state;
    tsr_format *format;
    assert_ok(tsr_format_dense(&format, 3, NULL, err));
    assert_same(format, "ddd");
    assert_ok(tsr_format_dense(&format, 3, (int[]){2, 0, 1}, err));
    assert_same(format, "ddd:2,0,1");
    assert_ok(tsr_format_dense(&format, 0, NULL, err));
    assert_same(format, "() -> ()");
    assert_ok(tsr_format_nested(&format, 3, 1, (int[]){1, 0, 2}, err));
    assert_same(format, "dss:1,0,2");
    assert_ok(tsr_format_nested(&format, 2, 0, NULL, err));
    assert_same(format, "ss");
    assert_ok(tsr_format_coordinates(&format, 3, false, err));
    assert_same(format, "coo");
    assert_ok(tsr_format_coordinates(&format, 1, false, err));
    assert_same(format, "coo");
    assert_ok(tsr_format_coordinates(&format, 2, true, err));
    assert_same(format, "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))");
    const tsr_level_spec csr[] = {{.type = &tsr_level_dense}, {.type = &tsr_level_compressed}};
    assert_ok(tsr_format_permuted(&format, 2, csr, (int[]){1, 0}, err));
    assert_same(format, "csc");
    tsr_map *map;
    assert_ok(
        tsr_map_parse(&map, "(i, j) -> (i floordiv 2, j, i mod 2), domain: i in [0, 6], j in [0, 3]", err));
    const tsr_level_spec blocks[] = {
        {.type = &tsr_level_dense}, {.type = &tsr_level_compressed}, {.type = &tsr_level_dense, .pitch = 4}};
    assert_ok(tsr_format_new(&format, map, blocks, err));
    tsr_map_free(map);
    assert_same(format, "(i, j) -> (i floordiv 2 : dense, j : compressed, i mod 2 : dense(pitch = 4))");
}

static void test_made_wrongly(void **state)
{
    (void)state;
    tsr_format *format;
    tsr_map *map;
    tsr_error why = {0};
    const tsr_level_spec levels[] = {{.type = &tsr_level_dense}, {.type = &tsr_level_singleton}};
    assert_int_equal(tsr_format_permuted(&format, 2, levels, NULL, &why), TSR_ARGUMENT);
    assert_null(format);
    assert_int_equal(tsr_format_dense(&format, 2, (int[]){0, 0}, &why), TSR_ARGUMENT);
    assert_int_equal(tsr_format_dense(&format, 2, (int[]){0, 2}, &why), TSR_ARGUMENT);
    assert_int_equal(tsr_format_dense(&format, 17, NULL, &why), TSR_LIMIT);
    assert_ok(tsr_map_parse(&map, "(i)[s] -> (i + s)", err));
    assert_int_equal(tsr_format_new(&format, map, levels, &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "symbols are not supported in a format: remove 's' from the map");
    tsr_map_free(map);
    assert_ok(tsr_map_parse(&map, "(i, j) -> (i)", err));
    assert_int_equal(tsr_format_new(&format, map, levels, &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "mode 1 (j) is not stored in any level");
    tsr_map_free(map);
}

/* ---- texts of others ---- */

static const struct {
    const char *text, *same; /* NULL: refused */
} texts[] = {
    /* as nvmath-python prints its NamedFormats */
    {"[] -> ()", "() -> ()"},
    {"[i] -> (i: <LevelFormat.COMPRESSED>)", "s"},
    {"[i, j] -> (j: <LevelFormat.DENSE>, i: <LevelFormat.DENSE>)", "dd:1,0"},
    {"[i, j] -> (i: (<LevelFormat.COMPRESSED>, <LevelProperty.NONUNIQUE>), j: <LevelFormat.SINGLETON>)",
     "coo"},
    {"[i, j] -> (i: <LevelFormat.DENSE>, j: <LevelFormat.COMPRESSED>)", "csr"},
    {"[i, j] -> (j: <LevelFormat.COMPRESSED>, i: <LevelFormat.DENSE>)", "sd:1,0"},
    {"[i, j] -> ((i // 2): <LevelFormat.DENSE>, (j // 3): <LevelFormat.COMPRESSED>, (i % 2): "
     "<LevelFormat.DENSE>, "
     "(j % 3): <LevelFormat.DENSE>)",
     "bcsr(2,3)"},
    {"[batch, i, j] -> (batch: <LevelFormat.DENSE>, i: <LevelFormat.DENSE>, j: <LevelFormat.COMPRESSED>)",
     "dds"},
    {"[i, j, k] -> (i: (<LevelFormat.COMPRESSED>, <LevelProperty.NONUNIQUE>), j: <LevelFormat.SINGLETON>, k: "
     "<LevelFormat.SINGLETON>)",
     "uqq"},
    {"[i,j]->(i:DENSE,j:(COMPRESSED,(UNIQUE,UNORDERED)))", "csru"},
    {"[i, j] -> (i: <LevelFormat.DENSE: 0>, j: (<LevelFormat.COMPRESSED: 2>, [NONUNIQUE]))", "du"},
    {"[i, j] -> ((j - i): <LevelFormat.COMPRESSED>, i: <LevelFormat.RANGE>)", NULL},
    {"[i, j] -> (i: <LevelFormat.DENSE>, j: (<LevelFormat.DELTA>, 8))", NULL},
    {"[i, j] -> (i: <LevelFormat.DENSE>)", NULL},
    {"[i, i] -> (i: <LevelFormat.DENSE>)", NULL},
    {"[i, j] -> (i: <LevelFormat.DENSE, j: DENSE)", NULL},
    {"[i, j] -> (i: DENSE, j: (COMPRESSED, SOMETIMES))", NULL},
    {"[i, j] -> (i: DENSE, j: (COMPRESSED, (UNORDERED, NONUNIQUE)))", NULL},
    {"[i, j] -> (i: DENSE, j: DENSE) and", NULL},
    {"[i, j] ->", NULL},
    /* XLA's sparse layouts: letters major to minor */
    {"{1,0:D(D,C)}", "csr"},
    {"f32[4,5]{1,0:D(D,C)}", "csr"},
    {"{0,1:D(D,C)}", "csc"},
    {"{1,0:D(C,C)}", "ss"},
    {"{1,0:D(C+,S)}", "coo"},
    {"{2,0,1:D(D,C,C~)}", "(i, j, k) -> (j : dense, i : compressed, k : unordered)"},
    {"{1,0:D(C+~,S)}", NULL},
    {"{1,0:D(C~,C)}", NULL},
    {"{1,0:D(D,H)}", NULL},
    {"{1,0:D(D,S)}", NULL},
    {"{1,0:D(D,C)T(2,2)}", NULL},
    /* dense layouts that say their sizes */
    {"(3,5):(8,1)", "(i, j) -> (i : dense, j : dense(pitch = 8))"},
    {"f32[3,5]{0,1}", "dd:1,0"},
    {"(2,3):(0,1)", NULL},
    {"{1,0:T(2,2)}", NULL}, /* needs sizes */
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tsr_format *format = NULL;
        tsr_error why = {0};
        const tsr_status status = tsr_format_parse(&format, texts[i].text, -1, NULL, &why);
        if ((status == TSR_OK) != (texts[i].same != NULL))
            fail_msg("'%s': %s", texts[i].text, why.message);
        assert_int_equal(status == TSR_OK, format != NULL);
        if (format)
            assert_same(format, texts[i].same);
        else
            assert_true(why.message[0] != '\0');
    }
}

/* The tensor's dims and type are held against a layout's own. */
static void test_hints(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 5};
    const tsr_type type = TSR_F32;
    const tsr_format_hints hints = {.order = 2, .dims = dims, .type = &type}, none = {.order = -1};
    tsr_format_widths widths;
    tsr_format *format;
    tsr_error why = {0};
    assert_ok(tsr_format_parse_for(&format, &widths, "{1,0:T(2,2)}", &hints, err));
    assert_same(format,
                "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : dense, i mod 2 : dense, j mod 2 : dense)");
    assert_int_equal(tsr_format_parse_for(&format, &widths, "f64[3,5]", &hints, &why), TSR_ARGUMENT);
    assert_int_equal(tsr_format_parse_for(&format, &widths, "[3,4]{1,0}", &hints, &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "the dims of the layout are 3 x 4, but those of the tensor are 3 x 5");
    assert_int_equal(tsr_format_parse_for(&format, &widths, "[3,4]{1,0:D(D,C)}", &hints, &why), TSR_ARGUMENT);
    assert_int_equal(tsr_format_parse_for(&format, &widths, "(3,4):(4,1)", &hints, &why), TSR_ARGUMENT);
    assert_int_equal(tsr_format_parse_for(&format, &widths, "{0}", &hints, &why), TSR_ARGUMENT);
    assert_ok(
        tsr_format_parse_for(&format, &widths, "{1,0:T(2,2)}", &none, err)); /* well-formed, that is all */
    assert_null(format);
}

/* ---- what prints parses back ---- */

static void check_round_trips(const tsr_format *format, const uint64_t *dims, int *nprinted)
{
    for (const tsr_format_notation *const *n = tsr_format_notations; *n; n++) {
        tsr_text text = {0};
        tsr_error why = {0};
        const tsr_status status = (*n)->print(&text, format, dims, &why);
        if (status == TSR_OK) {
            tsr_format *back;
            const tsr_format_hints hints = {.order = format->order, .dims = dims};
            tsr_format_widths widths;
            assert_ok(tsr_format_parse_for(&back, &widths, tsr_text_cstr(&text), &hints, err));
            /* a layout says where elements are: the levels that say so may be others */
            const bool is_layout = tsr_format_is_dense(format) &&
                                   (strcmp((*n)->name, "xla") == 0 || strcmp((*n)->name, "tla") == 0);
            if (!is_layout && !tsr_format_equal(back, format))
                fail_msg("%s: %s", (*n)->name, tsr_text_cstr(&text));
            tsr_format_free(back);
            ++*nprinted;
        } else {
            assert_true(status == TSR_UNSUPPORTED || status == TSR_LIMIT);
            assert_true(why.message[0] != '\0');
        }
        tsr_text_clear(&text);
    }
}

static void test_round_trips(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    int nprinted = 0;
    for (int i = 0; i < 300; i++) {
        uint64_t dims[TSR_MAX_ORDER];
        const int order = 1 + (int)tsr_rng_below(&rng, 4);
        for (int m = 0; m < order; m++)
            dims[m] = 1 + tsr_rng_below(&rng, 9);
        char text[RANDOM_FORMAT_NBYTES];
        random_format(text, &rng, order, dims, false);
        tsr_format *const format = parsed(text, order, dims);
        check_round_trips(format, dims, &nprinted);
        tsr_format_free(format);
    }
    assert_true(nprinted > 900);
}

/* Every row of the table claims its own example, or a row before it does. */
static void test_table(void **state)
{
    (void)state;
    for (const tsr_format_notation *const *n = tsr_format_notations; *n; n++) {
        assert_non_null(tsr_format_notation_of((*n)->example));
        assert_ptr_equal(tsr_format_notation_by_name((*n)->name), *n);
    }
    assert_null(tsr_format_notation_of(""));
    assert_null(tsr_format_notation_of("%"));
    assert_null(tsr_format_notation_by_name("sql"));
}

/* Which sizes are in the map of a format that has a name: those of `linear` but the slowest mode's, and all of `alto`. */
static void test_sizes_in_map(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 4, 5};
    static const struct {
        const char *text;
        uint32_t modes;
    } rows[] = {{"linear", 6}, {"alto", 7}, {"alto:2,0,1", 7}, {"linear:2,0,1", 0},
                {"csf", 0},    {"ddd", 0},  {"bcsf(2)", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_format *const format = parsed(rows[i].text, 3, dims);
        assert_int_equal(tsr_format_sizes_in_map(format, dims), rows[i].modes);
        tsr_format_free(format);
    }
}

#ifdef TSR_FAULTS
static tsr_status use_all(void)
{
    const uint64_t dims[] = {4, 6};
    tsr_format *format = NULL;
    tsr_status status = TSR_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == TSR_OK; i++) {
        if (!texts[i].same)
            continue;
        status = tsr_format_parse(&format, texts[i].text, -1, NULL, NULL);
        for (const tsr_format_notation *const *n = tsr_format_notations; *n && status == TSR_OK; n++) {
            tsr_text text = {0};
            const tsr_status printed =
                (*n)->print(&text, format, format->order == 2 ? dims : (uint64_t[]){2, 2, 2}, NULL);
            status = printed == TSR_NOMEM ? printed : TSR_OK;
            tsr_text_clear(&text);
        }
        tsr_format_free(format);
    }
    return status;
}

static void test_memory_running_out(void **state)
{
    (void)state;
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_faults_arm(&faults);
        const tsr_status status = use_all();
        tsr_faults_end(&faults, status);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_made_wrongly),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_sizes_in_map),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
