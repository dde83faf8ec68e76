/* Every kernel of the known cases and of ours, in every format that is listed there. "compiled" on the
 * command line: compiled, else interpreted (but for one format of each of our cases). */
#include "kernel_case.h"
#include "kernel_trial.h"
#include "tsr_test.h"

static bool compiled;

/* Cases that no kernel serves yet, by name and formats, the result's first ('-': a scalar). Each is refused
 * with TSR_UNSUPPORTED; one that begins to work must leave this table. */
static const struct {
    const char *name, *formats;
} waiting[] = {
    /* several sparse operands in one term: merge lattices */
    {"vec_elmul2", "d s s"},
    {"vec_elmul2", "s s s"},
    {"vc1", "d s s s"},
    {"vc3", "d s d s"},
    {"vc5", "d s d s s"},
    {"vc5", "d s s s s"},
    {"comp1", "s s s s"},
    {"ml_mul3", "d d s s"},
    {"ml_mul3", "d s d s"},
    {"ml_mul3", "d s s d"},
    {"ml_mul3", "d s s s"},
    {"ml_mul3", "s d s s"},
    {"ml_mul3", "s s d s"},
    {"ml_mul3", "s s s d"},
    {"ml_mul3", "s s s s"},
    {"ml_addmul", "d d s s"},
    {"ml_addmul", "d s d s"},
    {"ml_addmul", "d s s s"},
    {"ml_sub3", "d d s s"},
    {"ml_sub3", "d s s s"},
    {"inner2", "- s s"},
    {"spmv", "d ds s"},
    {"spmv", "s ss s"},
    {"axpy", "d ss s s"},
    {"spgemm", "ds ds ds"},
    {"spgemm", "ds ss ds"},
    {"spgemm", "ds ss ss"},
    {"spgemm", "ds ds ds:1,0"},
    {"spgemm", "ds ss ss:1,0"},
    {"spgemm", "ss ss ss"},
    {"spgemm", "ss ss ss:1,0"},
    {"spgemm", "ds:1,0 ds:1,0 ds:1,0"},
    {"contract4", "dddd sss sss"},
    {"contract4", "ssss sss sss"},
    /* a sparse result and dense operands */
    {"vec_neg2", "s d"},
    {"ml_mul3", "s d d d"},
    {"mat_neg_all", "ds dd"},
    {"mat_neg_all", "sd dd"},
    {"mat_neg_all", "ss dd"},
    {"bcast_mul_scalar", "s - d"},
    {"bcast_mul_const", "s d"},
    /* a sparse result of several terms */
    {"vec_add2", "s s s"},
    {"mat_add", "ds ds ds"},
    {"mat_add", "ds:1,0 ds:1,0 ds:1,0"},
    {"mat_add", "ss ss ss"},
    {"ten_add", "sss sss sss"},
    {"ten_add", "dss dss dss"},
    {"ten_add", "duq duq duq"},
    /* division by what is stored sparse */
    {"vec_div", "d d s"},
    {"vec_div", "d s s"},
    {"vec_div", "s s s"},
    /* a sparse result with other levels than the operand */
    {"mat_neg_all", "ds sd"},
    {"mat_neg_all", "ds ss"},
    {"mat_neg_all", "sd ds"},
    {"mat_neg_all", "ss ds"},
    {"mat_neg_all", "ss sd"},
};
enum { NWAITING = sizeof waiting / sizeof *waiting };
static bool seen[NWAITING];

static bool is_waiting(const char *name, const char *formats)
{
    for (int k = 0; k < NWAITING; k++)
        if (strcmp(waiting[k].name, name) == 0 && strcmp(waiting[k].formats, formats) == 0)
            return seen[k] = true;
    return false;
}

/* Small integers are exact in any order of summation; what divides is not. */
static void try_row(const kernel_case *c, int row, tsr_kernel_engine engine, bool may_wait)
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
    const bool waits = may_wait && is_waiting(c->name, list);
    if (waits && status == TSR_OK)
        fail_msg("%s: works now; take it off the list of those that wait", what);
    if (status != TSR_OK && !(waits && status == TSR_UNSUPPORTED))
        fail_msg("%s: %s", what, err.message);
}

static void try_shared(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        try_row(c, r, compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER, true);
}

static void try_ours(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        try_row(c, r, compiled || r == 0 ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER, false);
}

static void test_known_cases(void **state)
{
    (void)state;
    kernel_cases_shared(try_shared, NULL);
    for (int k = 0; k < NWAITING; k++)
        if (!seen[k])
            fail_msg("%s, formats %s: waits, but is no case", waiting[k].name, waiting[k].formats);
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
