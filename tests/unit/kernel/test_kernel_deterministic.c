/* `deterministic`: the same bits for any number of threads, planned for or run on, where the automatic
 * schedule gives others. */
#include "kernel_support.h"

#include "tsr_lower.h"

static const struct {
    const char *expression;
    const char *formats[5]; /* of the sparse operand; NULL after the last */
    int order;
} cases[] = {
    {"y(i) = A(i,j)*x(j)", {"csr", "csc", "coo", "bcsr(2,3)", NULL}, 2},
    {"y(j) = A(i,j)*x(i)", {"csr", "coo", "csbc(64,64)", "bdia(8)", NULL}, 2},
    {"a = A(i,j)*x(i)*z(j)", {"csr", "dense", NULL}, 2},
    {"Y(j,r) = A(i,j)*X(i,r)", {"csr", "csb(32)", NULL}, 2},
    {"D(i,j) = A(i,j)*x(j)*z(i)", {"csr", NULL}, 2},
    {"M(k,r) = A(i,j,k)*X(i,r)*Z(j,r)", {"coo", "csf", "hicoo(16)", NULL}, 3},
    {"y(k) += A(i,j,k)", {"csf", NULL}, 3},
    {"a = A(i,j)*A(i,j)*x(j)", {"csr", "coo", NULL}, 2}, /* a plan */
    {"a = abs(A(i,j))*A(i,j)*x(j)", {"csr", NULL}, 2},
};

enum { NCASES = sizeof cases / sizeof *cases, NCELLS = 20000, SIZE = 300, RANK = 5 };

/* Random entries of an order 2 or 3 tensor. */
static tsr_tensor *new_sparse(const char *text, int order, tsr_rng *rng)
{
    const uint64_t dims[] = {SIZE, SIZE - 7, 40};
    tsr_coo *coo;
    tsr_format *format;
    tsr_tensor *tensor;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, NCELLS, err));
    for (uint64_t e = 0; e < NCELLS; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, tsr_rng_below(rng, dims[m]));
        ((double *)coo->values.data)[e] = 2 * tsr_rng_unit(rng) - 1;
    }
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    assert_ok(tsr_pack(&tensor, coo, format, NULL, NULL, err));
    tsr_format_free(format);
    return tensor;
}

/* A kernel with its operands. */
typedef struct trial {
    const char *expression;
    tsr_notation *notation;
    tsr_kernel_tensor tensors[8];
    tsr_tensor *operands[8]; /* all tensors but the result */
    int n;                   /* tensors */
} trial;

static void start(trial *t, int c, const char *format, tsr_rng *rng)
{
    *t = (trial){.expression = cases[c].expression};
    assert_ok(tsr_notation_parse(&t->notation, t->expression, err));
    t->n = t->notation->ntensors;
    t->tensors[0] = (tsr_kernel_tensor){.name = t->notation->tensor[0].name};
    const uint64_t of_var[] = {SIZE, SIZE - 7, 40};
    for (int i = 1; i < t->n; i++) {
        const tsr_expr *const access = tsr_notation_access(t->notation, i);
        uint64_t dims[3];
        for (int m = 0; m < access->nindices; m++) {
            const char name = t->notation->var[access->index[m]][0];
            dims[m] = name == 'r' ? RANK : of_var[name - 'i'];
        }
        if (strcmp(t->notation->tensor[i].name, "A") == 0) {
            t->operands[i - 1] = new_sparse(format, cases[c].order, rng);
        } else {
            tsr_format *dense;
            assert_ok(tsr_format_parse(&dense, "dense", access->nindices, dims, err));
            tsr_coo *empty;
            assert_ok(tsr_coo_new(&empty, (tsr_shape){access->nindices, dims}, TSR_F64, err));
            assert_ok(tsr_pack(&t->operands[i - 1], empty, dense, NULL, NULL, err));
            tsr_format_free(dense);
            for (uint64_t p = 0; p < t->operands[i - 1]->npos; p++)
                ((double *)t->operands[i - 1]->values.data)[p] = 2 * tsr_rng_unit(rng) - 1;
        }
        t->tensors[i] =
            (tsr_kernel_tensor){.name = t->notation->tensor[i].name, .tensor = t->operands[i - 1]};
    }
}

static void end(trial *t)
{
    for (int i = 1; i < t->n; i++)
        tsr_tensor_free(t->operands[i - 1]);
    tsr_notation_free(t->notation);
}

/* The result's values; its bytes in *nbytes. For tsr_tensor_free. */
static tsr_tensor *result_of(const trial *t, const char *schedule, tsr_kernel_engine engine, int planned,
                             int nthreads)
{
    tsr_kernel_options options = kernel_options_for(engine);
    tsr_kernel *kernel;
    tsr_tensor *result;
    options.schedule = schedule;
    options.nthreads = planned;
    const tsr_tensor *const *const operands = (const tsr_tensor *const *)t->operands;
    assert_ok(tsr_kernel_new(&kernel, t->expression, t->tensors, t->n, &options, err));
    assert_ok(tsr_kernel_result(&result, kernel, operands, err));
    assert_ok(tsr_kernel_run(kernel, result, operands, nthreads, err));
    tsr_kernel_free(kernel);
    return result;
}

static bool same_bits(const tsr_tensor *a, const tsr_tensor *b)
{
    assert_int_equal(tsr_array_nbytes(&a->values), tsr_array_nbytes(&b->values));
    return memcmp(a->values.data, b->values.data, tsr_array_nbytes(&a->values)) == 0;
}

/* Whether all numbers of threads give the same bits, each planned for. */
static bool is_same(const trial *t, const char *schedule, tsr_kernel_engine engine)
{
    static const int threads[] = {2, 3, 7};
    tsr_tensor *const first = result_of(t, schedule, engine, 1, 1);
    bool same = true;
    for (int k = 0; k < 3; k++) {
        tsr_tensor *const other = result_of(t, schedule, engine, threads[k], threads[(k + 1) % 3]);
        same = same && same_bits(first, other);
        tsr_tensor_free(other);
    }
    tsr_tensor_free(first);
    return same;
}

static void check_engine(tsr_kernel_engine engine)
{
    tsr_rng rng = {5};
    int ndiffering = 0;
    for (int c = 0; c < NCASES; c++)
        for (int f = 0; cases[c].formats[f]; f++) {
            trial t;
            start(&t, c, cases[c].formats[f], &rng);
            ndiffering += !is_same(&t, NULL, engine);
            if (!is_same(&t, "deterministic", engine))
                fail_msg("%s, %s: other bits for another number of threads", cases[c].expression,
                         cases[c].formats[f]);
            end(&t);
        }
    assert_true(ndiffering > 2); /* else this test could not fail */
}

static void test_interpreter(void **state)
{
    (void)state;
    check_engine(TSR_ENGINE_INTERPRETER);
}

static void test_compiled(void **state)
{
    (void)state;
    check_engine(TSR_ENGINE_AUTO);
}

static void test_what_cannot_be(void **state)
{
    (void)state;
    tsr_notation *notation;
    tsr_schedule schedule;
    tsr_error err = {0};
    assert_int_equal(tsr_notation_parse(&notation, "y(i) = A(i,j)*x(j)", &err), TSR_OK);
    assert_int_equal(tsr_schedule_parse(&schedule, "deterministic, atomic(y)", notation, &err), TSR_ARGUMENT);
    assert_non_null(strstr(err.message, "not deterministic"));
    assert_int_equal(tsr_schedule_parse(&schedule, "private(y), deterministic", notation, &err), TSR_OK);
    tsr_text text = {0};
    tsr_schedule_print(&text, &schedule, notation, notation);
    assert_string_equal(tsr_text_cstr(&text), "deterministic, private(y)");
    tsr_text_clear(&text);
    tsr_notation_free(notation);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest compiled[] = {cmocka_unit_test(test_compiled)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_interpreter),
                                       cmocka_unit_test(test_what_cannot_be)};
    if (argc > 1 && strcmp(argv[1], "compiled") == 0)
        return cmocka_run_group_tests(compiled, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
