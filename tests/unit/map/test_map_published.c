/* The published cases of the simplifier (xla-simplifier-cases.tsv): the result of each operation means the
 * same as the published one, by the oracle and by tsr_map_same. */
#include "tsr_test.h"

#include "map_oracle.h"
#include "tsr_map.h"

/* Rows that are wrong themselves. */
static const struct {
    const char *id, *why;
} wrong[] = {
    {"M036", "floor(s0 / -3) in [-11, -5] holds for s0 in [13, 33]; the row has other bounds"},
};

/* `text` parsed, or the test fails. */
static tsr_map *parsed(const char *id, const char *text)
{
    tsr_map *map;
    tsr_error err = {0};
    if (tsr_map_parse(&map, text, &err) != TSR_OK)
        fail_msg("%s: %s: %s", id, text, err.message);
    return map;
}

/* producer: ... ## consumer: ... */
static tsr_map *composed(const char *id, const char *before)
{
    char text[2000];
    const char *sep = strstr(before, " ## ");
    assert_non_null(sep);
    snprintf(text, sizeof text, "%.*s", (int)(sep - before), before);
    tsr_map *outer = parsed(id, strchr(text, ':') + 1), *inner = parsed(id, strchr(sep, ':') + 1), *map;
    assert_ok(tsr_map_compose(&map, outer, inner, err));
    tsr_map_free(outer);
    tsr_map_free(inner);
    return map;
}

/* The result of `op` for the map, which is freed. */
static tsr_map *operated(const char *op, tsr_map *map)
{
    tsr_map *out = NULL;
    if (strcmp(op, "remove_unused_vars") == 0) {
        assert_ok(tsr_map_remove_unused(&out, NULL, map, true, true, err));
    } else if (strcmp(op, "remove_unused_symbols") == 0) {
        assert_ok(tsr_map_remove_unused(&out, NULL, map, false, true, err));
    } else if (strcmp(op, "rescale_symbols") == 0) {
        assert_ok(tsr_map_rescale_symbols(&out, map, err));
    } else if (strncmp(op, "ranges_to_dims{", 15) == 0) {
        int ranges[8], n = 0;
        for (const char *p = op + 14; *p != '}' && n < 8;) {
            char *end;
            ranges[n++] = (int)strtol(p + 1, &end, 10);
            p = end;
        }
        assert_ok(tsr_map_symbols_to_dims(&out, map, n, ranges, err));
    } else if (strcmp(op, "simplify(keep point dims)") == 0) {
        assert_ok(tsr_map_simplify_keeping_points(&out, map, err));
    } else if (strcmp(op, "construct") == 0 || strcmp(op, "print") == 0) {
        assert_ok(tsr_map_copy(&out, map, err));
    } else if (strncmp(op, "simplify", 8) == 0 || strncmp(op, "compose", 7) == 0 ||
               strcmp(op, "canonicalize") == 0 || strcmp(op, "evaluate") == 0) {
        assert_ok(tsr_map_simplify(&out, map, err));
    } else {
        fail_msg("no operation '%s'", op);
    }
    tsr_map_free(map);
    return out;
}

/* "satisfied d0=1 d1=2 s0=3 s1=4" */
static void check_satisfied(const char *id, const char *op, const tsr_map *map, const char *after)
{
    int64_t point[TSR_MAP_MAX_VARS] = {0};
    bool satisfied;
    int v = 0;
    for (const char *p = strchr(op, '='); p; p = strchr(p + 1, '='))
        point[v++] = strtoll(p + 1, NULL, 10);
    assert_int_equal(v, tsr_map_nvars(map));
    assert_ok(tsr_map_satisfies(&satisfied, map, point, err));
    if (satisfied != (strcmp(after, "true") == 0))
        fail_msg("%s: satisfied is %d", id, satisfied);
}

static void check_empty(const char *id, const tsr_map *map)
{
    map_oracle oracle;
    map_box box;
    char *text = map_text_of(map);
    if (!tsr_map_is_known_empty(map))
        fail_msg("%s: %s is not known to be empty", id, text);
    map_oracle_read(&oracle, text);
    map_box_init(&box, &oracle, MAP_MAX_POINTS);
    while (map_box_next(&box))
        if (map_oracle_inside(&oracle, box.x))
            fail_msg("%s: %s is not empty", id, text);
    free(text);
}

/* Whether our text is the published one; it must mean the same in any case. */
static bool check_answer(const char *id, const tsr_map *ours, const char *after)
{
    char wanted[2000], *text = map_text_of(ours);
    bool same = false;
    snprintf(wanted, sizeof wanted, strstr(after, "->") ? "%s" : "(x, y) -> (%s)", after);
    tsr_map *expect = parsed(id, wanted);
    char *want = map_text_of(expect);
    map_check_same(want, text, id);
    map_check_same(text, want, id);
    assert_ok(tsr_map_same(&same, NULL, ours, expect, err));
    if (!same)
        fail_msg("%s: %s and %s are not the same", id, text, want);
    const bool exact = tsr_map_equal(expect, ours);
    if (!exact && getenv("TSR_VERBOSE"))
        print_message("%s\n  ours:      %s\n  published: %s\n", id, text, want);
    free(text);
    free(want);
    tsr_map_free(expect);
    return exact;
}

/* Whether the operation of the row gives exactly the published text; it must mean the same in any case. */
static bool check_row(const char *id, const char *op, const char *before, const char *after)
{
    char text[2000];
    const bool expression = strcmp(op, "canonicalize") == 0 || strcmp(op, "evaluate") == 0;
    snprintf(text, sizeof text, expression ? "(x, y) -> (%s)" : "%s", before);
    tsr_map *map = strncmp(op, "compose", 7) == 0 ? composed(id, before) : parsed(id, text);
    bool exact = true;
    if (strncmp(op, "satisfied", 9) == 0) {
        check_satisfied(id, op, map, after);
        tsr_map_free(map);
        return exact;
    }
    tsr_map *ours = operated(op, map);
    if (strcmp(after, "KNOWN EMPTY") == 0)
        check_empty(id, ours);
    else if (strncmp(after, "(unchanged)", 11) == 0)
        exact = check_answer(id, ours, before);
    else if (strncmp(after, "(changed,", 9) ==
             0) { /* parsing the text already changes it; the next pass changes nothing */
        tsr_map *again;
        check_answer(id, ours, before);
        assert_ok(tsr_map_simplify(&again, ours, err));
        assert_true(tsr_map_equal(ours, again));
        tsr_map_free(again);
    } else {
        exact = check_answer(id, ours, after);
    }
    tsr_map_free(ours);
    return exact;
}

static const char *why_wrong(const char *id)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (strcmp(id, wrong[i].id) == 0)
            return wrong[i].why;
    return NULL;
}

/* The fields of a line, without the quotes that a spreadsheet puts around them; next line or NULL. */
static char *split(char **field, int nfields, char *line)
{
    char *next = line + strcspn(line, "\n");
    next = *next ? (*next = '\0', next + 1) : NULL;
    for (int f = 0; f < nfields; f++) {
        field[f] = line ? line : "";
        line = line ? strchr(line, '\t') : NULL;
        if (line)
            *line++ = '\0';
    }
    return next && *next ? next : NULL;
}

static void test_published_cases(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    char *file = tsr_test_slurp(tsr_test_path(tsr_test_shared(), "cases/xla-simplifier-cases.tsv"), NULL);
    int count[2] = {0}, left_out = 0;
    for (char *line = strchr(file, '\n') + 1, *field[7]; line;) {
        line = split(field, 7, line);
        if (why_wrong(field[0]))
            left_out++;
        else
            count[check_row(field[0], field[4], field[5], field[6])]++;
    }
    print_message("%d published cases, %d of them with the published text, %d wrong themselves\n",
                  count[0] + count[1], count[1], left_out);
    assert_true(count[0] + count[1] > 0);
    free(file);
}

/* The examples of the document on indexing maps (openxla.org, "Indexing analysis"), its simplifier chapter.
 */
static const struct {
    const char *before, *after;
} document[] = {
    {"(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]",
     "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]"},
    {"(d0, d1, d2) -> ((100d0 + 10d1 + d2) floorDiv 100, ((100d0 + 10d1 + d2) mod 100) floordiv 10, d2 mod "
     "10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
     "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
    {"(d0, d1, d2) -> ((16d0 + 4d1 + d2) floordiv 8, (16d0 + 4d1 + d2) mod 8), domain: d0 in [0, 9], d1 in "
     "[0, 9], d2 in [0, 9]",
     "(d0, d1, d2) -> (2d0 + (4d1 + d2) floordiv 8, (4d1 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], "
     "d2 in [0, 9]"},
    {"(d0, d1) -> (-((-11d0 - d1 + 109) floordiv 11) + 9), domain: d0 in [0, 9], d1 in [0, 10]",
     "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]"},
    {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 5], s0 in [1, 3], d0 + s0 in [0, 20]",
     "(d0)[s0] -> (d0 + s0), domain: d0 in [0, 5], s0 in [1, 3]"},
    /* reshapes of f32[10,10,10] to [50,20] and back, composed */
    {"(d0, d1, d2) -> (((d0 * 100 + d1 * 10 + d2) floordiv 20 * 20 + (d1 * 10 + d2) mod 20) floordiv 100, "
     "(((d0 * 100 + d1 * 10 + d2) floordiv 20 * 20 + (d1 * 10 + d2) mod 20) floordiv 10) mod 10, "
     "((d1 * 10 + d2) mod 20) mod 10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
     "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
    /* bounds go through floordiv, +, - and * */
    {"(d0) -> (d0), domain: (d0 * 4 - 3) floordiv 2 in [1, 9]", "(d0) -> (d0), domain: d0 in [2, 5]"},
    {"(d0) -> (d0), domain: d0 in [0, 99], 5 - d0 in [-3, 2]", "(d0) -> (d0), domain: d0 in [3, 8]"},
};

static void test_document(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof document / sizeof document[0]; i++) {
        tsr_map *ours = operated("simplify", parsed("document", document[i].before)),
                *expect = operated("simplify", parsed("document", document[i].after));
        char *text = map_text_of(ours);
        if (!tsr_map_equal(ours, expect))
            fail_msg("%s\n becomes %s\n not     %s", document[i].before, text, document[i].after);
        free(text);
        tsr_map_free(ours);
        tsr_map_free(expect);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_published_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
