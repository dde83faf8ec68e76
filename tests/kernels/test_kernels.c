/* Every kernel of the known cases and of ours, in every format that is listed there. "compiled" on the
 * command line: compiled, else interpreted (but for one format of each of our cases). */
#include "kernel_case.h"
#include "kernel_trial.h"
#include "tsr_test.h"

static bool compiled;

/* Small integers are exact in any order of summation; what divides is not. */
static void try_row(const kernel_case *c, int row, tsr_kernel_engine engine)
{
    const char *formats[TSR_NOTATION_MAX_TENSORS];
    char list[1024] = "", what[1200];
    for (int t = 0; t < c->notation->ntensors; t++) {
        const char *given = c->format[row][t];
        formats[t] = kernel_case_format(c, row, t);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", t ? " " : "",
                 given && *given       ? given
                 : c->tensors[t].order ? "dense"
                                       : "-");
    }
    snprintf(what, sizeof what, "%s, %s, formats %s", c->name, c->notation->text, list);
    double *magnitude = calloc(c->want.n + 1, sizeof *magnitude);
    assert_non_null(magnitude);
    dense result;
    const dense *operands[TSR_NOTATION_MAX_TENSORS];
    kernel_case_operands(operands, c);
    dense_copy(&result, &c->tensors[0]);
    dense_evaluate(&result, magnitude, c->notation, operands);
    dense_clear(&result);
    const kernel_trial trial = {
        .what = what,
        .notation = c->notation,
        .tensors = c->tensors,
        .formats = formats,
        .want = &c->want,
        .magnitude = magnitude,
        .tolerance = 1e-15,
        .engine = engine,
    };
    tsr_error err = {0};
    const tsr_status status = kernel_try(&trial, &err);
    free(magnitude);
    if (status != TSR_OK)
        fail_msg("%s: %s", what, err.message);
}

static void try_shared(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        try_row(c, r, compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
}

static void try_ours(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        try_row(c, r, compiled || r == 0 ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
}

static void test_known_cases(void **state)
{
    (void)state;
    kernel_cases_shared(try_shared, NULL);
}

static void test_our_cases(void **state)
{
    (void)state;
    kernel_cases_of_folder(CASES, try_ours, NULL);
}

int main(int argc, char **argv)
{
    compiled = argc > 1 && strcmp(argv[1], "compiled") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_cases),
        cmocka_unit_test(test_our_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
