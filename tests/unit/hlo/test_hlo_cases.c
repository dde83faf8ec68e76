/* XLA's own indexing tests and the examples of its document, from the file of known answers. */
#include "tsr_test.h"

#include "hlo_support.h"

enum {
    ID,
    DOCS,
    ORIGIN,
    CASE,
    DIR,
    LAYOUT,
    NUMBER,
    OPERAND,
    HLO,
    MAP,
    ALT,
    RUNTIME,
    REPLICA,
    CHECKED,
    NFIELDS
};

/* Rows that cannot be right. */
static const struct {
    const char *id, *reason;
} wrong[] = {
    {"S041", "the third dim of the output has 64, and d1 runs to 255: it should be (d0, s0, d2)"},
    {"X043", "the operand is f32[10], so its map has a result; `() -> ()` has none"},
    {"X200", "d0 runs to 41, and the operand has 33 rows: from 33 on, XLA takes the last row"},
};

/* Output and operand for rows whose description is in words (input to output: the input and the output), if
 * they are not 0 and 0. */
static const struct {
    const char *id;
    int number, operand;
} described[] = {
    {"S008", 0, 1}, {"S010", 0, 1}, {"S011", 0, 2}, {"S013", 0, 1}, {"S019", 0, 2},
    {"S021", 2, 0}, {"S033", 0, 1}, {"S034", 0, 2}, {"S036", 1, 0}, {"S037", 2, 0},
    {"S039", 0, 1}, {"S041", 1, 0}, {"S043", 0, 1}, {"S045", 0, 1},
};

/* Rows that point at the document: its text. */
static const char plus_transposed[] =
    "f { p0 = f32[1000, 1000] parameter(0)\n"
    "  transpose_p0 = f32[1000, 1000]{0, 1} transpose(p0), dimensions={1, 0}\n"
    "  ROOT a0 = f32[1000, 1000] add(p0, transpose_p0) }";
static const char two_transposes[] =
    "f { p0 = f32[20, 10, 50] parameter(0)\n"
    "  lhs_transpose_1 = f32[10, 20, 50] transpose(p0), dimensions={1, 0, 2}\n"
    "  lhs_e = f32[10, 20, 50] exponential(lhs_transpose_1)\n"
    "  lhs_transpose_2 = f32[10, 50, 20] transpose(lhs_e), dimensions={0, 2, 1}\n"
    "  rhs_transpose_1 = f32[50, 10, 20] transpose(p0), dimensions={2, 1, 0}\n"
    "  rhs_log = f32[50, 10, 20] exponential(rhs_transpose_1)\n"
    "  rhs_transpose_2 = f32[10, 50, 20] transpose(rhs_log), dimensions={1, 0, 2}\n"
    "  ROOT add = f32[10, 50, 20] add(lhs_transpose_2, rhs_transpose_2) }";
static const char two_reshapes[] = "p0 = f32[10, 10, 10] parameter(0)\n"
                                   "reshape1 = f32[50, 20] reshape(p0)\n"
                                   "reshape2 = f32[10, 10, 10] reshape(reshape1)\n";
static const struct {
    const char *id, *hlo;
} in_document[] = {
    {"S046", plus_transposed}, {"S047", plus_transposed}, {"S048", two_transposes}, {"S049", two_reshapes}};

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static tsr_hlo_indexing direct(const tsr_hlo *hlo, char *const *f)
{
    tsr_hlo_indexing ways;
    int number = atoi(f[NUMBER]), operand = atoi(f[OPERAND]);
    const bool physical = is(f[LAYOUT], "physical");
    for (size_t i = 0; i < sizeof described / sizeof described[0]; i++)
        if (is(described[i].id, f[ID])) {
            number = described[i].number;
            operand = described[i].operand;
        }
    if (is(f[DIR], "o2i"))
        assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){tsr_hlo_root(hlo), number, operand},
                                          physical, err));
    else
        assert_ok(tsr_hlo_input_to_output(&ways, hlo, (tsr_hlo_edge){tsr_hlo_root(hlo), operand, number},
                                          physical, err));
    return ways;
}

/* From the root to: @root, @parameter, @transpose (the first instruction of that kind that has the way),
 * @root->operand(1). */
static tsr_hlo_indexing grouped(const tsr_hlo *hlo, char *const *f)
{
    tsr_hlo_indexing ways = {0};
    int from = tsr_hlo_root(hlo);
    const char *to = f[OPERAND] + 1;
    if (is(f[CASE], "ComputeGroupedOutputToInputIndexing_StartNotAtRoot")) {
        from = tsr_hlo_find(hlo, "p0_bcast");
        assert_ok(tsr_hlo_reads(&ways, hlo, from, 0, tsr_hlo_operand(hlo, from, 0), err));
    } else if (is(to, "root")) {
        assert_ok(tsr_hlo_reads(&ways, hlo, from, 0, from, err));
    } else if (strncmp(to, "root->operand(", 14) == 0) {
        assert_ok(tsr_hlo_reads(&ways, hlo, from, 0, tsr_hlo_operand(hlo, from, atoi(to + 14)), err));
    } else {
        for (int i = 0; i < from && !hlo_has_way(&ways, f[MAP]); i++)
            if (is(tsr_hlo_opcode(hlo, i), to)) {
                tsr_hlo_indexing_clear(&ways);
                assert_ok(tsr_hlo_reads(&ways, hlo, from, 0, i, err));
            }
    }
    return ways;
}

/* From the transpose to the root of its computation. */
static tsr_hlo_indexing epilogue(const tsr_hlo *hlo)
{
    tsr_hlo_indexing ways;
    const int from = tsr_hlo_find(hlo, "t"), log = tsr_hlo_find(hlo, "log");
    assert_ok(tsr_hlo_writes(&ways, hlo, from, log < 0 ? from : log, 0, err));
    return ways;
}

/* "rt0: %of1 = s32[] parameter(1); (d0) -> (), domain: ... rt1: ...": check that each is one of our symbols,
 * read from an instruction of that name or parameter number at the same coordinates. */
static void check_runtime(const tsr_hlo *hlo, const tsr_hlo_index *index, char *const *f)
{
    int n = 0;
    for (const char *p = strstr(f[RUNTIME], "rt0: "); p; n++) {
        char next[16], name[64] = "", map_text[400];
        snprintf(next, sizeof next, " rt%d: ", n + 1);
        const char *end = strstr(p, next), *map_at = strstr(p, "; ") + 2;
        const char *parameter = strstr(p, "parameter("), *percent = strchr(p, '%');
        if (percent && percent < map_at)
            sscanf(percent + 1, "%63[^ ]", name);
        snprintf(map_text, sizeof map_text, "%.*s", end ? (int)(end - map_at) : (int)strlen(map_at), map_at);
        tsr_map *want;
        assert_ok(tsr_map_parse(&want, map_text, err));
        bool found = false;
        for (int r = 0; r < index->nruntime; r++) {
            const tsr_hlo_runtime *rt = &index->runtime[r];
            bool same =
                is(tsr_hlo_name(hlo, rt->instruction), name) ||
                (parameter && parameter < map_at && is(tsr_hlo_opcode(hlo, rt->instruction), "parameter"));
            same &= tsr_map_nresults(rt->map) == tsr_map_nresults(want);
            for (int k = 0; same && k < tsr_map_nresults(want); k++) {
                tsr_text a = {0}, b = {0};
                tsr_map_print_result(&a, rt->map, k, NULL);
                tsr_map_print_result(&b, want, k, NULL);
                same = is(tsr_text_cstr(&a), tsr_text_cstr(&b));
                tsr_text_clear(&a);
                tsr_text_clear(&b);
            }
            found |= same;
        }
        tsr_map_free(want);
        if (!found)
            fail_msg("%s: no runtime symbol is read at %.60s", f[ID], p);
        p = end ? end + 1 : NULL;
    }
    if (n > 0)
        assert_int_equal(index->nruntime, n);
}

static bool check_way(const tsr_hlo *hlo, const tsr_hlo_indexing *ways, char *const *f)
{
    for (int i = 0; i < ways->n; i++)
        if (hlo_same_text(&ways->index[i], f[MAP])) {
            check_runtime(hlo, &ways->index[i], f);
            assert_true((f[REPLICA][0] != '\0') == (ways->index[i].replica != NULL));
            if (f[REPLICA][0] != '\0') {
                tsr_map *want;
                assert_ok(tsr_map_parse(&want, f[REPLICA], err));
                assert_true(hlo_same_map(ways->index[i].replica, want));
                tsr_map_free(want);
            }
            return true;
        }
    hlo_report(hlo, ways, f[ID], f[MAP]);
    return false;
}

static bool check_row(char *const *f)
{
    const char *text = f[HLO];
    bool through = is(f[DIR], "grouped-o2i");
    tsr_hlo *hlo;
    for (size_t i = 0; i < sizeof in_document / sizeof in_document[0]; i++)
        if (is(in_document[i].id, f[ID])) {
            text = in_document[i].hlo;
            through = true;
        }
    assert_ok(tsr_hlo_parse(&hlo, text, err));
    tsr_hlo_indexing ways;
    if (is(f[DIR], "epilogue")) {
        ways = epilogue(hlo);
    } else if (through && f[OPERAND][0] == '@') {
        ways = grouped(hlo, f);
    } else if (through) {
        assert_ok(tsr_hlo_reads(&ways, hlo, tsr_hlo_root(hlo), 0, tsr_hlo_find(hlo, "p0"), err));
    } else {
        ways = direct(hlo, f);
    }
    const bool good = check_way(hlo, &ways, f);
    tsr_hlo_indexing_clear(&ways);
    tsr_hlo_free(hlo);
    return good;
}

static bool is_wrong(const char *id)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (is(wrong[i].id, id))
            return true;
    return false;
}

static void test_rows(void **state)
{
    (void)state;
    const char *shared = tsr_test_shared();
    if (!shared)
        skip();
    size_t nbytes;
    char *bytes = tsr_test_slurp(tsr_test_path(shared, "cases/xla-indexing-cases.tsv"), &nbytes);
    int nrows = 0, nwrong = 0, nbad = 0;
    char *line = strchr(bytes, '\n') + 1; /* after the line with the names of the columns */
    while (*line != '\0') {
        char *end = strchr(line, '\n'), *f[NFIELDS];
        if (end)
            *end = '\0';
        for (int k = 0; k < NFIELDS; k++) {
            f[k] = line;
            line += strcspn(line, "\t");
            if (*line == '\t')
                *line++ = '\0';
        }
        nwrong += is_wrong(f[ID]);
        if (!is_wrong(f[ID]))
            nbad += !check_row(f);
        nrows++;
        line = end ? end + 1 : line;
    }
    assert_int_equal(nbad, 0);
    assert_int_equal(nrows, 195);
    assert_int_equal(nwrong, sizeof wrong / sizeof wrong[0]);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
