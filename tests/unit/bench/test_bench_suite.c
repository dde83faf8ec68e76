/* Suites: the tensors of a kernel, from texts of this test. */
#include "bench_suite.h"

#include "tsr_test.h"

const bench_suite_text bench_suite_texts[] = {
    {"first",
     "# a comment\n\nkernels: spmv spmm\nbanded:n=10,width=3\n# between\n\nuniform:dims=5x5,nnz=3\n"},
    {"empty", ""},
    {"nobody", "kernels:\nlost:n=1\n"},
    {"headless", "lost:n=2\n"},
    {"second", "kernels: ttv\nnell-2@0.02"}, /* no newline at the end */
    {"later", "kernels: spmv\nnever:n=1\n"}, /* spmv has one already */
    {"none", "kernels: ttm\n"},
    {"third", "kernels: spm v spmmm\nlost:n=3\n"},
    {0},
};

static void test_lines(void **state)
{
    static const struct {
        const char *kernel;
        int i;
        const char *line; /* NULL: there is none */
    } rows[] = {
        {"spmv", 0, "banded:n=10,width=3"},
        {"spmv", 1, "uniform:dims=5x5,nnz=3"},
        {"spmv", 2, NULL},
        {"spmm", 1, "uniform:dims=5x5,nnz=3"},
        {"ttv", 0, "nell-2@0.02"},
        {"ttv", 1, NULL},
        {"ttm", 0, NULL},      /* an empty suite */
        {"sddmm", 0, NULL},    /* in no suite */
        {"kernels:", 0, NULL}, /* not a word of the list */
        {"mv", 0, NULL},       /* only the end of a word */
        {"spm", 0, "lost:n=3"},
        {"spmmm", 0, "lost:n=3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[BENCH_SUITE_LINE_NBYTES] = "untouched";
        const int found = bench_suite_at(line, rows[i].kernel, rows[i].i);
        if (found != (rows[i].line != NULL) || strcmp(line, rows[i].line ? rows[i].line : "untouched") != 0)
            fail_msg("%s %d: %d, \"%s\" instead of \"%s\"", rows[i].kernel, rows[i].i, found, line,
                     rows[i].line ? rows[i].line : "(none)");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
