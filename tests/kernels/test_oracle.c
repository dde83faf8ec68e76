/* The oracle of kernels gives every stated result, and the terms of an expression mean what the expression
 * does, whichever tensors are sparse. */
#include "kernel_case.h"
#include "tsr_test.h"

static void oracle_agrees(void *arg, const kernel_case *c)
{
    (void)arg;
    const dense *operands[TSR_NOTATION_MAX_TENSORS];
    kernel_case_operands(operands, c);
    dense result;
    dense_copy(&result, &c->tensors[0]);
    dense_evaluate(&result, NULL, c->notation, operands);
    dense_compare(&result, &c->want, NULL, 0, c->name);
    dense_clear(&result);
}

static void test_stated_results(void **state)
{
    (void)state;
    assert_true(kernel_cases_shared(oracle_agrees, NULL) > 30);
}

static void test_our_results(void **state)
{
    (void)state;
    assert_true(kernel_cases_of_folder(CASES, oracle_agrees, NULL) > 15);
}

/* Every format of every case packs, and what is packed is what was given. */
static void formats_hold(void *arg, const kernel_case *c)
{
    (void)arg;
    for (int r = 0; r < c->nrows; r++)
        for (int t = 1; t < c->notation->ntensors; t++) {
            tsr_tensor *tensor;
            dense back;
            dense_pack(&tensor, &c->tensors[t], kernel_case_format(c, r, t), TSR_F64, NULL);
            dense_from_tensor(&back, tensor);
            dense_compare(&back, &c->tensors[t], NULL, 0, c->name);
            const bool all_dense = tsr_format_is_dense(tensor->format);
            const bool dense_leaf = tsr_format_has_dense_leaf(tensor->format);
            for (uint64_t k = 0; k < back.n; k++)
                assert_int_equal(back.stored[k],
                                 all_dense || (c->tensors[t].stored[k] && (!dense_leaf || back.v[k] != 0)));
            dense_clear(&back);
            tsr_tensor_free(tensor);
        }
}

static void test_formats(void **state)
{
    (void)state;
    kernel_cases_of_folder(CASES, formats_hold, NULL);
    kernel_cases_shared(formats_hold, NULL);
}

/* ---- terms ---- */

static const char *const expressions[] = {
    "a(i) = b(i)*(C(i,j) + d(i))",
    "a(i) = b(i)*(C(i,j) + d(i)) - C(i,j)*(d(j) - 2)",
    "a = (b(i) + d(j))*(b(i) - d(j))",
    "a = (b(i) + s)*(d(i) - s)",
    "A(i,j) = (b(i) + d(i))*C(i,j)",
    "a(i) = -((b(i) + d(i))*-(b(i) + C(i,k)))/2",
    "a(i) = (C(i,j) + 1)*(d(j) + 1)*(C(i,k) + d(i))",
    "a = C(i,j)*(b(i)/(s/(d(j) + s)))",
    "a(i) = b(i)*((C(i,j) - (d(i) + s))*2 + s)",
    "a += b(i) - (C(i,j) - (b(i)*s - (s - d(k))))",
    "a(k) = b(i)*(d(i)/(b(i) + 3))",
};

/* Small positive integers: no divisor is 0. */
static void fill(dense *d, tsr_rng *rng)
{
    for (uint64_t k = 0; k < d->n; k++) {
        d->stored[k] = true;
        d->v[k] = (double)(1 + tsr_rng_below(rng, 4));
    }
}

/* The product of a term at a point, its sums evaluated whole. */
static double factor_value(const tsr_notation *n, const dense *const *operands, const uint64_t *at,
                           const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_NUMBER)
        return e->number;
    if (e->kind == TSR_EXPR_ACCESS) {
        uint64_t crd[TSR_MAX_ORDER];
        for (int k = 0; k < e->nindices; k++)
            crd[k] = at[e->index[k]];
        return creal(operands[e->tensor]->v[dense_offset(operands[e->tensor], crd)]);
    }
    const double a = factor_value(n, operands, at, e->a);
    const double b = e->b ? factor_value(n, operands, at, e->b) : 0;
    switch (e->kind) {
    case TSR_EXPR_ADD:
        return a + b;
    case TSR_EXPR_SUB:
        return a - b;
    case TSR_EXPR_MUL:
        return a * b;
    case TSR_EXPR_DIV:
        return a / b;
    default:
        return -a;
    }
}

/* result += the term; every size is `size`. */
static void add_term(dense *result, const tsr_notation *n, const dense *const *operands, const tsr_term *term,
                     uint64_t size)
{
    uint64_t at[TSR_NOTATION_MAX_VARS] = {0}, npoints = 1;
    const uint32_t vars = term->vars | n->result->vars;
    assert_int_equal(term->sum, vars & ~n->result->vars);
    for (int v = 0; v < n->nvars; v++)
        npoints *= vars >> v & 1 ? size : 1;
    for (uint64_t p = 0; p < npoints; p++) {
        uint64_t rest = p, crd[TSR_MAX_ORDER];
        for (int v = 0; v < n->nvars; v++)
            if (vars >> v & 1) {
                at[v] = rest % size;
                rest /= size;
            }
        double product = term->negative ? -1 : 1;
        for (int f = 0; f < term->nfactors; f++) {
            const double v = factor_value(n, operands, at, term->factor[f].expr);
            product = term->factor[f].inverse ? product / v : product * v;
        }
        for (int k = 0; k < n->result->nindices; k++)
            crd[k] = at[n->result->index[k]];
        result->v[dense_offset(result, crd)] += product;
    }
}

static void check_terms(const tsr_notation *n, const dense *operands_of, uint32_t sparse, const dense *want,
                        const double *magnitude, uint64_t size)
{
    const dense *operands[TSR_NOTATION_MAX_TENSORS];
    for (int t = 0; t < n->ntensors; t++)
        operands[t] = &operands_of[t];
    tsr_terms *terms;
    const tsr_status status = tsr_notation_terms(&terms, n, sparse, NULL);
    if (status == TSR_UNSUPPORTED)
        return; /* divides by a sparse tensor */
    assert_int_equal(status, TSR_OK);
    dense result;
    dense_copy(&result, operands[0]);
    for (int k = 0; k < terms->nterms; k++)
        add_term(&result, n, operands, &terms->term[k], size);
    dense_compare(&result, want, magnitude, 1e-13, n->text);
    dense_clear(&result);
    tsr_terms_free(terms);
}

static void test_terms_mean_the_expression(void **state)
{
    (void)state;
    tsr_rng rng = {5};
    for (size_t e = 0; e < sizeof expressions / sizeof *expressions; e++) {
        enum { SIZE = 3 };
        tsr_notation *n;
        assert_ok(tsr_notation_parse(&n, expressions[e], err));
        static const uint64_t dims[] = {SIZE, SIZE, SIZE, SIZE};
        dense tensors[TSR_NOTATION_MAX_TENSORS], want;
        double magnitude[SIZE * SIZE];
        const dense *operands[TSR_NOTATION_MAX_TENSORS];
        for (int t = 0; t < n->ntensors; t++) {
            dense_init(&tensors[t], n->tensor[t].order, dims);
            fill(&tensors[t], &rng);
            operands[t] = &tensors[t];
        }
        if (!n->accumulate)
            memset(tensors[0].v, 0, tensors[0].n * sizeof *tensors[0].v);
        dense_copy(&want, &tensors[0]);
        dense_evaluate(&want, magnitude, n, operands);
        for (uint32_t sparse = 0; sparse < UINT32_C(1) << n->ntensors; sparse += 2)
            check_terms(n, tensors, sparse, &want, magnitude, SIZE);
        for (int t = 0; t < n->ntensors; t++)
            dense_clear(&tensors[t]);
        dense_clear(&want);
        tsr_notation_free(n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated_results),
        cmocka_unit_test(test_our_results),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_terms_mean_the_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
