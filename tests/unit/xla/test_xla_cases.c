/* XLA's layouts against the known answers of cases/xla-tiling-cases.tsv: one check per row. */
#include "xla_same.h"
#include "xla_support.h"

enum { LAYOUT = 3, QUERY, INPUT, EXPECTED, NOTE, NFIELDS };

static void linear(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    int64_t coords[TSR_XLA_MAX_RANK], back[TSR_XLA_MAX_RANK], slot;
    bool padding;
    assert_int_equal(xla_ints(coords, TSR_XLA_MAX_RANK, f[INPUT]), xla->rank);
    assert_ok(tsr_xla_linear(&slot, xla, coords, err));
    assert_int_equal(slot, strtoll(f[EXPECTED], NULL, 10));
    assert_ok(tsr_xla_element(back, &padding, xla, slot, err));
    assert_false(padding);
    assert_memory_equal(back, coords, (size_t)xla->rank * sizeof *back);
    tsr_xla_free(xla);
}

/* "(exprs) bounds (sizes)": a map and the sizes of its levels. */
static void expand(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    tsr_map *map, *expected, *bound, *simple, *expected_simple;
    tsr_text text = {0};
    int64_t sizes[TSR_XLA_MAX_EXPANDED];
    uint64_t dims[TSR_XLA_MAX_RANK];
    char *bounds = strstr(f[EXPECTED], " bounds ");
    assert_non_null(bounds);
    assert_int_equal(xla_ints(sizes, TSR_XLA_MAX_EXPANDED, bounds), xla->nexpanded);
    assert_memory_equal(sizes, xla->expanded, (size_t)xla->nexpanded * sizeof *sizes);
    *bounds = '\0';
    for (int d = 0; d < xla->rank; d++) {
        tsr_text_addf(&text, d > 0 ? ", d%d" : "(d%d", d);
        dims[d] = (uint64_t)xla->dims[d];
    }
    tsr_text_addf(&text, ") -> %s", f[EXPECTED]);
    assert_ok(tsr_map_parse(&expected, xla_take(&text), err));
    assert_ok(tsr_map_bind(&bound, expected, dims, err));
    assert_ok(tsr_map_simplify(&expected_simple, bound, err));
    assert_ok(tsr_xla_to_map(&map, xla, err));
    assert_true(tsr_map_equal(map, bound));
    assert_ok(tsr_map_simplify(&simple, map, err));
    assert_true(tsr_map_equal(simple, expected_simple));
    tsr_map_free(map);
    tsr_map_free(expected);
    tsr_map_free(bound);
    tsr_map_free(simple);
    tsr_map_free(expected_simple);
    tsr_xla_free(xla);
}

static void size_elems(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    assert_int_equal(xla->nslots, strtoll(f[EXPECTED], NULL, 10));
    tsr_xla_free(xla);
}

static void size_bytes(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    int64_t nbytes;
    assert_ok(tsr_xla_nbytes(&nbytes, xla, err));
    assert_int_equal(nbytes, strtoll(f[EXPECTED], NULL, 10));
    tsr_xla_free(xla);
}

/* Either "0,0 0,1 pad" or letters; then the layout reads "[2,3]{1,0} over a b c / d e f". */
static void memory_order(char **f)
{
    char *over = strstr(f[LAYOUT], " over ");
    if (over)
        *over = '\0';
    tsr_xla *xla = xla_of(f[LAYOUT]);
    tsr_text text = {0};
    if (!over) {
        assert_ok(tsr_xla_print_order(&text, xla, 0, xla->nslots, err));
        assert_string_equal(xla_take(&text), f[EXPECTED]);
    }
    for (int64_t i = 0; over && i < xla->nslots; i++) {
        int64_t coords[2];
        bool padding;
        assert_ok(tsr_xla_element(coords, &padding, xla, i, err));
        const int64_t letter = coords[0] * xla->dims[1] + coords[1];
        tsr_text_addf(&text, "%s%c", i > 0 ? " " : "", (char)('a' + letter));
    }
    if (over)
        assert_string_equal(xla_take(&text), f[EXPECTED]);
    tsr_xla_free(xla);
}

/* "0 2 4 / 1 3 5": the slot of each element. */
static void table(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    int64_t expected[256], coords[2] = {0}, slot;
    assert_int_equal(xla_ints(expected, 256, f[EXPECTED]), xla->nelems);
    int i = 0;
    do {
        assert_ok(tsr_xla_linear(&slot, xla, coords, err));
        assert_int_equal(slot, expected[i++]);
    } while (xla_next(coords, xla));
    tsr_xla_free(xla);
}

static void valid(char **f)
{
    tsr_xla *xla;
    const tsr_status status = tsr_xla_parse(&xla, f[LAYOUT], NULL);
    assert_int_equal(status == TSR_OK, strcmp(f[EXPECTED], "yes") == 0);
    assert_int_equal(status == TSR_OK, xla != NULL);
    tsr_xla_free(xla);
}

static void same_bytes(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    assert_int_equal(tsr_xla_is_linear(xla), strcmp(f[EXPECTED], "yes") == 0);
    tsr_xla_free(xla);
}

static void round_trip(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    assert_string_equal(xla_text(xla), f[EXPECTED]);
    tsr_xla_free(xla);
}

/* "same as LAYOUT" */
static void accept(char **f)
{
    tsr_xla *a = xla_of(f[LAYOUT]), *b = xla_of(f[EXPECTED] + strlen("same as "));
    assert_true(xla_same(a, b));
    tsr_xla_free(a);
    tsr_xla_free(b);
}

static void linear_and_back(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]);
    int64_t slots[16], coords[TSR_XLA_MAX_RANK], back;
    bool padding;
    const int n = xla_ints(slots, 16, f[INPUT]);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        assert_ok(tsr_xla_element(coords, &padding, xla, slots[i], err));
        assert_false(padding);
        assert_ok(tsr_xla_linear(&back, xla, coords, err));
        assert_int_equal(back, slots[i]);
    }
    tsr_xla_free(xla);
}

static void combine(char **f)
{
    tsr_xla *xla = xla_of(f[LAYOUT]), *combined;
    assert_ok(tsr_xla_combine(&combined, xla, err));
    assert_string_equal(xla_text(combined), f[EXPECTED]);
    tsr_xla_free(xla);
    tsr_xla_free(combined);
}

/* The tiles are those of the format that the rule chooses for the array. */
static void format_name(char **f)
{
    static const struct {
        const char *words, *shape;
    } arrays[] = {
        {"32-bit default", "f32[300,300]"},
        {"second-minor size 1 or 2", "f32[7,2,300]"},
        {"second-minor size 3 or 4", "f32[7,3,300]"},
        {"16-bit (bf16 packing)", "bf16[300,300]"},
        {"8-bit", "s8[300,300]"},
        {"1-bit proposal", "pred[300,300]{1,0:E(1)}"},
    };
    size_t i = 0;
    while (i < sizeof arrays / sizeof arrays[0] && strcmp(arrays[i].words, f[EXPECTED]) != 0)
        i++;
    assert_true(i < sizeof arrays / sizeof arrays[0]);
    tsr_xla *xla = xla_of(arrays[i].shape);
    const tsr_xla_named *named;
    assert_ok(tsr_xla_choose(&named, xla, err));
    assert_string_equal(named->tiles, f[LAYOUT]);
    tsr_xla_free(xla);
}

static void expanded_strides(char **f)
{
    tsr_tpu_tiled tiled;
    tsr_text text = {0};
    int64_t strides[TSR_XLA_MAX_EXPANDED];
    int n;
    assert_ok(tsr_tpu_tiled_parse(&tiled, f[LAYOUT], err));
    assert_ok(tsr_tpu_tiled_expanded_strides(strides, &n, &tiled, err));
    for (int i = 0; i < n; i++) {
        tsr_text_add(&text, i > 0 ? ", " : "(");
        if (strides[i] == TSR_TPU_UNKNOWN)
            tsr_text_add(&text, "?");
        else
            tsr_text_add_i64(&text, strides[i]);
    }
    tsr_text_add(&text, ")");
    assert_string_equal(xla_take(&text), f[EXPECTED]);
}

/* "2x?x4" */
static void contiguous_dims(char **f)
{
    tsr_tpu_tiled tiled;
    int64_t dims[TSR_XLA_MAX_RANK];
    int rank = 0, n;
    for (char *p = f[INPUT]; *p != '\0'; p += *p == 'x') {
        dims[rank++] = *p == '?' ? TSR_TPU_UNKNOWN : strtoll(p, NULL, 10);
        while (*p != '\0' && *p != 'x')
            p++;
    }
    assert_ok(tsr_tpu_tiled_parse(&tiled, f[LAYOUT], err));
    assert_ok(tsr_tpu_tiled_contiguous_dims(&n, &tiled, rank, dims, err));
    assert_int_equal(n, strtoll(f[EXPECTED], NULL, 10));
}

static const struct {
    const char *name;
    void (*check)(char **fields);
} queries[] = {
    {"linear", linear},
    {"expand", expand},
    {"size_elems", size_elems},
    {"size_bytes", size_bytes},
    {"memory order", memory_order},
    {"table", table},
    {"valid", valid},
    {"same bytes as untiled", same_bytes},
    {"print round trip", round_trip},
    {"accept", accept},
    {"combine", combine},
    {"format name", format_name},
    {"expanded strides", expanded_strides},
    {"trailing dims with contiguous tiles", contiguous_dims},
    {"round trip linear->index->linear", linear_and_back},
};

/* Cut a line at tabs; missing fields are empty. */
static void cut(char **fields, char *line)
{
    for (int i = 0; i < NFIELDS; i++) {
        char *tab = strchr(line, '\t');
        fields[i] = line;
        if (tab)
            *tab = '\0';
        line = tab ? tab + 1 : line + strlen(line);
    }
}

static void test_all_rows(void **state)
{
    (void)state;
    const char *shared = tsr_test_shared();
    if (!shared)
        skip();
    size_t n;
    int rows = 0;
    char *text = tsr_test_slurp(tsr_test_path(shared, "cases/xla-tiling-cases.tsv"), &n);
    char *line = strchr(text, '\n'), *end;
    for (line = line ? line + 1 : NULL; line && *line; line = end ? end + 1 : NULL) {
        char *fields[NFIELDS];
        size_t q = 0;
        end = strchr(line, '\n');
        if (end)
            *end = '\0';
        cut(fields, line);
        while (q < sizeof queries / sizeof queries[0] && strcmp(queries[q].name, fields[QUERY]) != 0)
            q++;
        if (q == sizeof queries / sizeof queries[0]) {
            print_error("%s: no test for the query '%s'\n", fields[0], fields[QUERY]);
            fail();
        }
        print_message("%s\n", fields[0]);
        queries[q].check(fields);
        rows++;
    }
    assert_true(rows >= 84);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
