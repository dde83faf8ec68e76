/* Every kernel of the known cases and of ours, in every format that is listed there. "compiled" on the
 * command line: compiled, else interpreted (but for one format of each of our cases). Besides in named formats at
 * random, for tensors that a row stores sparse, and the result.
 *
 *     test_kernels [compiled]
 *     test_kernels random FIRST LAST    with these seeds */
#include "kernel_case.h"
#include "kernel_trial.h"
#include "random_format.h"
#include "tsr_test.h"

static bool compiled;

/* Small integers are exact in any order of summation; what divides is not. */
static void try_formats(const kernel_case *c, const char *const *formats, tsr_kernel_engine engine)
{
    char list[1024] = "", what[1200];
    for (int t = 0; t < c->notation->ntensors; t++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.150s", t ? " " : "",
                 c->tensors[t].order ? formats[t] : "-");
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

static void try_row(const kernel_case *c, int row, tsr_kernel_engine engine)
{
    const char *formats[TSR_NOTATION_MAX_TENSORS];
    for (int t = 0; t < c->notation->ntensors; t++)
        formats[t] = kernel_case_format(c, row, t);
    try_formats(c, formats, engine);
}

/* Whether the tensor would be sparse; stores_zeros: and have all of its zeros as entries. */
static bool is_sparse(const dense *d, const char *text, bool stores_zeros)
{
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, d->order, d->dims, err));
    const bool sparse = !tsr_format_is_dense(format), whole = !tsr_format_has_dense_leaf(format);
    tsr_format_free(format);
    return stores_zeros ? whole : sparse;
}

static bool has_zeros(const dense *d)
{
    bool has = false;
    for (uint64_t k = 0; k < d->n; k++)
        has = has || (d->stored[k] && d->v[k] == 0);
    return has;
}

static uint64_t seed;

/* Rows in turns, with other formats for the sparse tensors and for the result. */
static void try_random(const kernel_case *c, int n)
{
    static char text[TSR_NOTATION_MAX_TENSORS][RANDOM_FORMAT_NBYTES];
    const char *formats[TSR_NOTATION_MAX_TENSORS];
    tsr_rng rng = {seed};
    for (const char *p = c->name; *p; p++)
        rng.s = rng.s * 31 + (unsigned char)*p;
    for (int k = 0; k < n && c->nrows > 0; k++) {
        for (int t = 0; t < c->notation->ntensors; t++) {
            const dense *const d = &c->tensors[t];
            formats[t] = kernel_case_format(c, k % c->nrows, t);
            if (d->order == 0 || !(t == 0 || is_sparse(d, formats[t], false)))
                continue;
            random_format(text[t], &rng, d->order, d->dims, t == 0 && c->notation->accumulate);
            if (t == 0 || is_sparse(d, text[t], c->notation->rhs->has_mask || has_zeros(d)))
                formats[t] = text[t];
        }
        try_formats(c, formats, compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
    }
}

static void try_shared(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        try_row(c, r, compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
    try_random(c, compiled ? 1 : 8);
}

static void try_ours(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        try_row(c, r, compiled || r == 0 ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
    try_random(c, compiled ? 1 : 8);
}

static void try_seed(void *arg, const kernel_case *c)
{
    (void)arg;
    try_random(c, 8);
}

static uint64_t last_seed;

static void test_seeds(void **state)
{
    (void)state;
    for (; seed <= last_seed; seed++) {
        kernel_cases_of_folder(CASES, try_seed, NULL);
        kernel_cases_shared(try_seed, NULL);
        print_message("seed %d\n", (int)seed);
    }
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
    const struct CMUnitTest seeds[] = {cmocka_unit_test(test_seeds)};
    if (argc > 3 && strcmp(argv[1], "random") == 0) {
        seed = strtoull(argv[2], NULL, 10);
        last_seed = strtoull(argv[3], NULL, 10);
        return cmocka_run_group_tests(seeds, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
