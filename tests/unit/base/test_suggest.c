/* Unknown words: which known words are near, and what the error says. */
#include "tsr_test.h"

#include "tsr_suggest.h"
#include "tsr_text.h"

static const char *const names[] = {"bcsr",  "coo",      "csc",    "csf",    "csr",
                                    "hicoo", "min-plus", "nell-1", "nell-2", NULL};

static const struct {
    const char *given, *says;
} rows[] = {
    {"CSR", "unknown format 'CSR'; did you mean csr?"},
    {"Csf", "unknown format 'Csf'; did you mean csf?"},
    {"csx", "unknown format 'csx'; did you mean csc, csf or csr?"},
    {"bscr", "unknown format 'bscr'; did you mean bcsr?"}, /* swapped neighbours are one slip */
    {"hico", "unknown format 'hico'; did you mean hicoo?"},
    {"hi", "unknown format 'hi'; did you mean hicoo?"}, /* a beginning */
    {"hhiccoo", "unknown format 'hhiccoo'; did you mean hicoo?"},
    {"min_plus", "unknown format 'min_plus'; did you mean min-plus?"},
    {"nell", "unknown format 'nell'; did you mean nell-1 or nell-2?"},
    {"c", "unknown format 'c' (known: bcsr, coo, csc, csf, csr, hicoo, min-plus, nell-1, nell-2)"},
    {"xx", "unknown format 'xx' (known: bcsr, coo, csc, csf, csr, hicoo, min-plus, nell-1, nell-2)"},
    {"cs", "unknown format 'cs'; did you mean csc, csf or csr?"},
    {"12", "unknown format '12' (known: bcsr, coo, csc, csf, csr, hicoo, min-plus, nell-1, nell-2)"},
    {"", "missing format (known: bcsr, coo, csc, csf, csr, hicoo, min-plus, nell-1, nell-2)"},
    /* longer than any name, and too long to compare */
    {"csrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsr",
     "unknown format 'csrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrcsrc' (known: bcsr, coo, csc, csf, csr, hicoo, "
     "min-plus, "
     "nell-1, nell-2)"},
};

static void test_rows(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_error err = {0};
        const tsr_status status = tsr_suggest_fail_words(TSR_ARGUMENT, "format", rows[i].given, names, &err);
        if (status != TSR_ARGUMENT || strcmp(err.message, rows[i].says) != 0) {
            print_error("'%s': %s\n", rows[i].given, err.message);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* A part of a longer text is a name only if both have the same length; rows without a name are no match. */
static void test_parts_of_a_text_are_names(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *name;
    } table[] = {{0, "top"}, {1, NULL}, {2, "topmost"}, {3, "to"}, {4, ""}};
    enum { NROWS = sizeof table / sizeof *table };
    const char *const text = "topmost";
    for (size_t n = 0; n <= 7; n++) {
        const size_t expected = n == 7 ? 2 : n == 3 ? 0 : n == 2 ? 3 : n == 0 ? 4 : NROWS;
        assert_int_equal(tsr_name_find(&table[0].name, NROWS, sizeof *table, text, n), expected);
        assert_int_equal(tsr_name_is("top", text, n), n == 3);
    }
    assert_false(tsr_name_is(NULL, text, 0));
    assert_int_equal(tsr_name_find(names, 0, sizeof *names, "bcsr", 4), 0);
    assert_int_equal(tsr_name_find(names, 9, sizeof *names, "nell-2", 6), 8);
}

/* More near words than the limit: all known words are listed. Two equal words count as two. */
static void test_many(void **state)
{
    (void)state;
    static const char *const near[] = {"ax", "bx", "cx", "dx", "ex", NULL};
    static const char *const four[] = {"ax", "bx", "cx", "dx", NULL};
    tsr_error err = {0};
    assert_int_equal(tsr_suggest_fail_words(TSR_SYNTAX, "word", "xx", near, &err), TSR_SYNTAX);
    assert_string_equal(err.message, "unknown word 'xx' (known: ax, bx, cx, dx, ex)");
    assert_int_equal(tsr_suggest_fail_words(TSR_SYNTAX, "word", "xx", four, &err), TSR_SYNTAX);
    assert_string_equal(err.message, "unknown word 'xx'; did you mean ax, bx, cx or dx?");
}

/* A word inside a text, with its column. */
static void test_column(void **state)
{
    (void)state;
    tsr_suggest suggest;
    tsr_error err = {0};
    tsr_suggest_begin(&suggest, "seriel, private", 6);
    tsr_suggest_offer(&suggest, "serial");
    assert_int_equal(tsr_suggest_fail(&suggest, TSR_SYNTAX, 7, "item", &err), TSR_SYNTAX);
    assert_string_equal(err.message, "unknown item 'seriel'; did you mean serial?");
    assert_int_equal(err.col, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_parts_of_a_text_are_names),
        cmocka_unit_test(test_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
