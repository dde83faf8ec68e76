/* The parts of the tools that can be tested without running the tools: option arguments, JSON, tables. */
#include "tsr_test.h"

#include <math.h>

#include "json.h"
#include "options.h"
#include "report.h"
#include "table.h"

/* What `print` writes to a stream, in a static buffer. */
static char *captured(void (*print)(FILE *to, const void *arg), const void *arg)
{
    static char text[4096];
    FILE *const f = tmpfile();
    assert_non_null(f);
    print(f, arg);
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

/* ---- arguments ---- */

static void test_int(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int lo, hi, want; /* want -1: refused */
    } rows[] = {
        {"1", 1, 9, 1}, {"9", 1, 9, 9},           {"0", 1, 9, -1},  {"10", 1, 9, -1},
        {"", 0, 9, -1}, {"-1", 0, 9, -1},         {"1x", 0, 9, -1}, {"18446744073709551616", 0, 9, -1},
        {"0", 0, 1, 0}, {"4294967297", 0, 9, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int v = -1;
        tsr_error err = {0};
        const tsr_status status = tsr_cli_parse_int(&v, rows[i].text, rows[i].lo, rows[i].hi, &err);
        assert_int_equal(status, rows[i].want < 0 ? TSR_ARGUMENT : TSR_OK);
        if (status == TSR_OK)
            assert_int_equal(v, rows[i].want);
        else
            assert_true(strlen(err.message) > 0);
    }
}

static void test_list(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n; /* -1: refused */
        uint64_t want[3];
    } rows[] = {
        {"4,5,6", 3, {4, 5, 6}}, {"4x5x6", 3, {4, 5, 6}}, {"7", 1, {7}},    {"", -1, {0}},
        {"4,", -1, {0}},         {",4", -1, {0}},         {"4 5", -1, {0}}, {"1,2,3,4", -1, {0}},
        {"1001", -1, {0}},       {"-1", -1, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t v[3] = {0};
        int n = 0;
        const tsr_status status = tsr_cli_parse_list(v, &n, rows[i].text, 3, 1000, NULL);
        assert_int_equal(status, rows[i].n < 0 ? TSR_ARGUMENT : TSR_OK);
        if (status != TSR_OK)
            continue;
        assert_int_equal(n, rows[i].n);
        assert_memory_equal(v, rows[i].want, sizeof v);
    }
}

static void test_counts(void **state)
{
    (void)state;
    static const struct {
        double n;
        const char *want;
    } rows[] = {
        {0, "0"},
        {999999, "999999"},
        {1e6, "1.00 M"},
        {76879419, "76.9 M"},
        {999499999, "999 M"},
        {999500000, "1.00 G"},
        {1.5e12, "1.50 T"},
        {1e22, "1e+22"},
    };
    char buf[32];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(tsr_cli_count_text(buf, rows[i].n), rows[i].want);
}

/* ---- text ---- */

static void print_wrapped(FILE *to, const void *arg)
{
    tsr_cli_print_wrapped(to, arg, 2, 4, 20);
}

static void test_wrap(void **state)
{
    (void)state;
    assert_string_equal(captured(print_wrapped, "one two three four five"),
                        "  one two three\n    four five\n");
    assert_string_equal(captured(print_wrapped, "a\nb"), "  a\n    b\n");
    assert_string_equal(captured(print_wrapped, "averyveryveryverylongword x"),
                        "  averyveryveryverylongword\n    x\n");
}

static void print_table(FILE *to, const void *arg)
{
    (void)arg;
    tsr_cli_table table = {0};
    tsr_cli_table_cell(&table, "name");
    tsr_cli_table_cell(&table, "n");
    tsr_cli_table_end_row(&table);
    tsr_cli_table_cell(&table, "x");
    tsr_cli_table_cell(&table, "%d", 100);
    tsr_cli_table_end_row(&table);
    tsr_cli_table_print(to, &table, "lr");
}

static void test_table(void **state)
{
    (void)state;
    assert_string_equal(captured(print_table, NULL), "name    n\nx     100\n");
}

static void print_json(FILE *to, const void *arg)
{
    (void)arg;
    tsr_json json = tsr_json_of_stream(to);
    static const double complex_value[2] = {1.5, -INFINITY};
    tsr_json_open(&json, NULL, '{', false);
    tsr_json_string(&json, "s", "a\"b\\c\n\xff\xc3\xa9");
    tsr_json_u64(&json, "u", UINT64_MAX);
    tsr_json_f64(&json, "f", 0.1);
    tsr_json_f64(&json, "n", NAN);
    tsr_json_null(&json, "z");
    tsr_json_open(&json, "e", '[', false);
    tsr_json_close(&json, ']');
    tsr_json_open(&json, "l", '[', true);
    tsr_json_bool(&json, NULL, true);
    tsr_json_value(&json, NULL, TSR_C128, complex_value);
    tsr_json_close(&json, ']');
    tsr_json_close(&json, '}');
}

static void test_json(void **state)
{
    (void)state;
    assert_string_equal(captured(print_json, NULL), "{\n"
                                                    "  \"s\": \"a\\\"b\\\\c\\u000a\\ufffd\xc3\xa9\",\n"
                                                    "  \"u\": 18446744073709551615,\n"
                                                    "  \"f\": 0.1,\n"
                                                    "  \"n\": \"nan\",\n"
                                                    "  \"z\": null,\n"
                                                    "  \"e\": [],\n"
                                                    "  \"l\": [true, [1.5, \"-inf\"]]\n"
                                                    "}\n");
}

/* The second tensor that was generated showed the speed and the time since the first one began: "generate 1%, 65170 of 4.50 M, 2091/s, 32 s
 * so far". */
static void test_progress_of_another_tensor(void **state)
{
    (void)state;
    static const struct {
        uint64_t done, total;
        bool begins;
    } reports[] = {{10, 100, true}, {60, 100, false}, {59, 100, false}, {3, 100, true}, {70, 300, true}};
    enum { HOUR = 3600 };
    tsr_cli_report report;
    tsr_cli_report_init(&report, "test", false);
    tsr_cli_report_progress(&report, &(tsr_cli_progress){.when = TSR_PROGRESS_LINES, .seconds = 80000});
    for (size_t k = 0; k < sizeof reports / sizeof *reports; k++) {
        const double begun = report.phase_start -= HOUR; /* this long ago */
        assert_true(
            report.observer.progress(report.observer.ctx, "generate", reports[k].done, reports[k].total));
        assert_int_equal(report.phase_start != begun, reports[k].begins);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_int),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_progress_of_another_tensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
