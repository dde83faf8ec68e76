/* Every expression that a sparse compiler must compute, each operand and the result in every format of dense and compressed
 * levels, and in coordinates: against the dense oracle, entries too. The rows of `failures` are those that the compiler of the
 * founding paper refuses or gets wrong, by the number of the report. */
#include "kernel_trial.h"
#include "tsr_test.h"

enum { MAX_FORMATS = 12, MOST = 60 };

typedef struct row {
    const char *name;
    const char *text;
    const char *
        sparse; /* names of the tensors that may be stored sparse, one letter each; the result's: may be, too */
} row;

static const row expressions[] = {
    {"spmv", "y(i) = A(i,j)*x(j)", "yAx"},
    {"mattransmul", "y(i) = alpha*A(j,i)*x(j) + beta*z(i)", "yAxz"},
    {"residual", "y(i) = b(i) - A(i,j)*x(j)", "ybAx"},
    {"sddmm", "A(i,j) = B(i,j)*C(i,k)*D(k,j)", "ABCD"},
    {"plus", "A(i,j) = B(i,j) + C(i,j)", "ABC"},
    {"plus3", "A(i,j) = B(i,j) + C(i,j) + D(i,j)", "ABCD"},
    {"plus3 order 3", "A(i,j,k) = B(i,j,k) + C(i,j,k) + D(i,j,k)", "ABCD"},
    {"ttv", "A(i,j) = B(i,j,k)*c(k)", "ABc"},
    {"ttv 1", "A(i,k) = B(i,j,k)*c(j)", "ABc"},
    {"ttv 0", "A(j,k) = B(i,j,k)*c(i)", "ABc"},
    {"ttm", "A(i,j,k) = B(i,j,l)*C(k,l)", "ABC"},
    {"mttkrp", "A(i,j) = B(i,k,l)*C(k,j)*D(l,j)", "ABCD"},
    {"mttkrp 1", "A(k,j) = B(i,k,l)*C(i,j)*D(l,j)", "ABCD"},
    {"mttkrp 2", "A(l,j) = B(i,k,l)*C(i,j)*D(k,j)", "ABCD"},
    {"innerprod", "a = B(i,j,k)*C(i,j,k)", "BC"},
    {"multiply and add", "a(i) = b(i)*c(i) + d(i)", "abcd"},
    {"add and multiply", "a(i) = (b(i) + c(i))*d(i)", "abcd"},
    {"add a product", "a(i) = b(i) + c(i)*d(i)", "abcd"},
    {"square of a matrix", "A(i,j) = B(i,k)*B(k,j)", "AB"},
    {"block spmv", "A(i,j) = B(i,k,j,l)*C(k,l)", "ABC"},
    {"negation", "a = -b", ""},
    {"quotient", "a = b/c", ""},
    {"vector", "a(i) = -b(i)", "ab"},
    {"vector times scalar", "a(i) = b(i)*c", "ab"},
    {"vector plus scalar", "a(i) = b(i) + c", "ab"},
    {"vector minus", "a(i) = b(i) - c(i)", "abc"},
    {"vector over vector", "a(i) = b(i)/c(i)", "ab"},
    {"vector twice", "a(i) = b(i) + b(i)", "ab"},
    {"vector squared", "a(i) = b(i)*b(i)", "ab"},
    {"b*(c+d)", "a(i) = b(i)*(c(i) + d(i))", "abcd"},
    {"(c+d)*b", "a(i) = (c(i) + d(i))*b(i)", "abcd"},
    {"b+c+d*e", "a(i) = b(i) + c(i) + d(i)*e(i)", "abcde"},
    {"(b+c+d)*e", "a(i) = (b(i) + c(i) + d(i))*e(i)", "abcde"},
    {"b+c+d+e", "a(i) = b(i) + c(i) + d(i) + e(i)", "abcde"},
    {"b*c*d", "a(i) = b(i)*c(i)*d(i)", "abcd"},
    {"b+(c+d)", "a(i) = b(i) + (c(i) + d(i))", "abcd"},
    {"b-c*d", "a(i) = b(i) - c(i)*d(i)", "abcd"},
    {"dot", "a = b(i)*c(i)", "bc"},
    {"sum", "a = B(i,j)", "B"},
    {"row sums", "a(i) = B(i,j)", "aB"},
    {"sum over a mode", "A(i,j) = T(i,j,k)", "AT"},
    {"sum of all", "a = S(i,j,k)", "S"},
    {"sums side by side", "s = b(i) + c(j)", "bc"},
    {"product of sums", "s = b(i)*c(j)", "bc"},
    {"product of three sums", "s = b(i)*c(j)*d(k)", "bcd"},
    {"two dots", "s = b(i)*c(i) + d(j)*e(j)", "bcde"},
    {"dot and sum", "s = b(i)*c(i) + d(i)*e(j)", "bcde"},
    {"matrix", "A(i,j) = -B(i,j)", "AB"},
    {"matrix transposed", "A(j,i) = -B(i,j)", "AB"},
    {"matrix times matrix", "A(i,j) = B(i,j)*C(i,j)", "ABC"},
    {"twice", "A(i,j) = 2.0*D(i,j)", "AD"},
    {"scaled rows", "A(i,j) = b(i)*D(i,j)", "AbD"},
    {"scaled by a sum", "A(i,j) = (b(i) + c(i))*D(i,j)", "AbcD"},
    {"scaled both", "A(i,j) = b(i)*D(i,j)*c(j)", "AbDc"},
    {"over columns", "A(i,j) = B(i,j)/c(j)", "AB"},
    {"plus transposed", "A(i,j) = B(i,j) + C(j,i)", "ABC"},
    {"broadcast rows", "A(i,j) = b(i)", "Ab"},
    {"broadcast columns", "A(i,j) = b(j)", "Ab"},
    {"literal plus", "a(i) = 1 + b(i)", "ab"},
    {"trace", "a = A(i,i)", "A"},
    {"diagonal", "y(i) = A(i,i)*x(i)", "yAx"}, /* stored rows without a diagonal entry were entries of y */
    {"spmv csc", "y(j) = A(i,j)*x(i)", "yAx"},
    {"spmv plus", "y(i) = B(i,j)*c(j) + d(i)", "yBcd"},
    {"gemv", "y(i) = alpha*B(i,j)*c(j) + beta*d(i)", "yBcd"},
    {"gemv with literals", "y(i) = 2.0*(B(i,j)*c(j)) + 3.0", "yBc"},
    {"sum of matrices", "y(i) = alpha*(B(i,j) + C(i,j))*d(j)", "yBCd"},
    {"two matrices", "y(i) = A(i,j)*B(i,j)*x(j)", "yABx"},
    {"ell", "a(i) = B(j,i,k)*c(k)", "aBc"},
    {"matmul", "A(i,j) = B(i,k)*C(k,j)", "ABC"},
    {"B'B", "A(i,j) = B(k,i)*B(k,j)", "AB"},
    {"column norms", "a(i) = B(j,i)*B(j,i)", "aB"},
    {"tensor times", "A(i,j,k) = B(i,j,k)*C(i,j,k)", "ABC"},
    {"tensor plus", "A(i,j,k) = B(i,j,k) + C(i,j,k)", "ABC"},
    {"tensor plus order 4", "A(i,j,k,l) = B(i,j,k,l) + C(i,j,k,l)", "ABC"},
    {"two ttv", "A(i,j) = (B(i,j,k,l)*c(l))*d(k)", "ABcd"},
    {"ttm 1", "A(i,m,j) = B(i,m,l)*C(l,j)", "ABC"},
    {"contraction", "a(i) = B(i,j,k)*C(j,k)", "aBC"},
    {"mttkrp order 4", "A(i,j) = B(i,k,l,m)*C(k,j)*D(l,j)*E(m,j)", "ABCDE"},
    {"scaled tensor", "A(m) = b(i)*D(i,j,m)*c(j)", "AbDc"},
    {"kronecker", "A(i,j,k,l) = B(i,j)*C(k,l)", "ABC"},
    {"XY", "Z(j,k,l,m) = X(i,j,k)*Y(i,l,m)", "ZXY"},
    {"XY two", "Z(i,j,m,n) = X(i,j,k,l)*Y(m,n,k,l)", "ZXY"},
    {"network", "A(i,j,n) = B(i,j,k,l)*C(k,l,m)*D(m,n)", "ABCD"},
    {"cp", "a = X(i,j,k)*v(r)*B(i,r)*C(j,r)*D(k,r)", "XvBCD"},
    {"weights", "a = v(i)*v(j)*B(i,j)*C(i,j)*D(i,j)", "vBCD"},
    {"qcd", "a = z(i)*z(j)*z(k)*T(i,j)*T(i,k)", "zT"},
    {"chain", "A(i,l) = B(i,j)*C(j,k)*D(k,l)", "ABCD"},
};

static const row failures[] = {
    {"121, 277, 297, 307, 315, 325, 465, 537", "A(i,j) = B(i,k)*C(k,j)", "ABC"},
    {"297: A'A", "C(i,j) = A(k,i)*A(k,j)", "CA"},
    {"297: A'DA", "C(i,j) = A(k,i)*D(k,l)*A(l,j)", "CAD"},
    {"297: ABC", "D(i,l) = A(i,j)*B(j,k)*C(k,l)", "DABC"},
    {"297: (A+B)(A+B+C)", "D(i,j) = (A(i,k) + B(i,k))*(A(k,j) + B(k,j) + C(k,j))", "DABC"},
    {"297: (aA + B)'(bB' + C)", "D(i,j) = (a*A(k,i) + B(k,i))*(b*B(j,k) + C(k,j))", "DABC"},
    {"308, 309, 558", "Z(j,k,l,m) += X(i,j,k)*Y(i,l,m)", "XY"},
    {"146", "A(j,k) = G(i,j,k)*p(i)", "AGp"},
    {"522", "A(i,j,k) = B(i,j,l)*C(k,l)", "ABC"},
    {"214", "y(i) = A(j,i)*c(j)", "yAc"},
    {"215", "A(i,j) = B(i) + C(j)", "ABC"},
    {"216", "A(i,j,k) = B(i,j,k) + C(i,j)", "ABC"},
    {"199", "J(i,j) = A(i,j) + B(i,j,k)*x(k) + B(i,l,j)*x(l)", "JABx"},
    {"279, 292, 564", "A(i,j) = B(i,j) + C(j,i)", "ABC"},
    {"179: a copy in another order", "A(i,j) = B(i,j)", "AB"},
    {"199: B + B'", "A(i,j) = B(i,j) + B(j,i)", "AB"},
    {"212", "A(k,i) = B(i,j)*C(j,k)", "ABC"},
    {"280", "A(i,k) = B(i,j)*C(j,k) + D(i,k)", "ABCD"},
    {"86, 100, 210", "A(i,j) = 2*B(i,j)", "AB"},
    {"26", "a(i) = A(i,i)", "aA"},
    {"306", "B(i,i) = a(i)", "Ba"},
    {"SDDMM with both dense factors by rows", "A(i,j) = B(i,j)*C(i,k)*D(j,k)", "AB"},
    {"(B+C)*d", "y(i) = (B(i,j) + C(i,j))*d(j)", "yBCd"},
    {"289", "A(i,j) = B(i,j)*c(i)", "ABc"},
    {"27, 45", "a(i) = b(i) + c(i)", "abc"},
    {"103", "a(i) = b(i) + b(i)", "ab"},
    {"coo reduced to one mode", "y(i) = A(i,j)",
     "yA"}, /* a coordinate was an entry as often as its row had entries */
};

/* All formats of order levels, dense or compressed, in order and in reverse, and coordinates. */
static int all_formats(char (*text)[24], int order, bool sparse)
{
    int n = 0;
    if (order == 0) {
        strcpy(text[n++], "dense");
        return n;
    }
    for (int set = 0; set < (sparse && order <= 2 ? 1 << order : 1); set++)
        for (int m = 0; m < order; m++) {
            text[n + set][m] = set >> m & 1 ? 's' : 'd';
            text[n + set][m + 1] = '\0';
        }
    n = sparse && order <= 2 ? 1 << order : 1;
    if (!sparse)
        return n;
    static const char *const more[5][6] = {{NULL},
                                           {"u"},
                                           {"ds:1,0", "ss:1,0", "coo"},
                                           {"sss", "dss", "sds", "ssd", "dss:2,0,1", "uqq"},
                                           {"ssss", "dsss", "dsds:3,1,0,2", "coo"}};
    for (int k = 0; k < 6 && more[order][k]; k++)
        strcpy(text[n++], more[order][k]);
    return n;
}

typedef struct sample {
    tsr_notation *n;
    uint64_t size[TSR_NOTATION_MAX_VARS];
    dense tensors[TSR_NOTATION_MAX_TENSORS];
    char text[TSR_NOTATION_MAX_TENSORS][MAX_FORMATS][24];
    int nformats[TSR_NOTATION_MAX_TENSORS];
    tsr_rng rng;
} sample;

static void unite(sample *s, const tsr_expr *e)
{
    if (e->kind == TSR_EXPR_ACCESS) { /* a tensor that stands there twice has one shape */
        const tsr_expr *first = tsr_notation_access(s->n, e->tensor);
        for (int m = 0; m < e->nindices; m++) {
            uint64_t *a = &s->size[e->index[m]], *b = &s->size[first->index[m]];
            *a = *b = *a < *b ? *a : *b;
        }
    }
    if (e->a)
        unite(s, e->a);
    if (e->b)
        unite(s, e->b);
}

/* Small whole numbers, powers of 2 where something is divided by them. */
static void draw(sample *s, const char *sparse)
{
    const bool divides = strchr(s->n->text, '/') != NULL;
    for (int v = 0; v < s->n->nvars; v++)
        s->size[v] = 2 + tsr_rng_below(&s->rng, s->n->nvars > 3 ? 2 : 4);
    for (int k = 0; k < 4; k++)
        unite(s, s->n->rhs);
    for (int t = 0; t < s->n->ntensors; t++) {
        const tsr_expr *e = tsr_notation_access(s->n, t);
        uint64_t dims[TSR_MAX_ORDER] = {0};
        for (int m = 0; m < e->nindices; m++)
            dims[m] = s->size[e->index[m]];
        dense *d = &s->tensors[t];
        const bool is_sparse = strstr(sparse, s->n->tensor[t].name) != NULL;
        dense_init(d, e->nindices, dims);
        s->nformats[t] = all_formats(s->text[t], e->nindices, is_sparse);
        for (uint64_t k = 0; k < d->n && t > 0; k++) {
            d->stored[k] = !is_sparse || tsr_rng_below(&s->rng, 2);
            d->v[k] = !d->stored[k] ? 0
                      : divides     ? 1 << tsr_rng_below(&s->rng, 3)
                                    : (double)tsr_rng_below(&s->rng, 9) - 4;
        }
    }
}

static void try_formats(sample *s, const row *r, const int *format, tsr_kernel_engine engine)
{
    const char *formats[TSR_NOTATION_MAX_TENSORS];
    const dense *operands[TSR_NOTATION_MAX_TENSORS];
    dense given[TSR_NOTATION_MAX_TENSORS], want;
    char what[600];
    size_t n = (size_t)snprintf(what, sizeof what, "%s: %s", r->name, r->text);
    for (int t = 0; t < s->n->ntensors; t++) {
        formats[t] = s->text[t][format[t]];
        n += (size_t)snprintf(what + n, sizeof what - n, "; %s: %s", s->n->tensor[t].name, formats[t]);
        given[t] = s->tensors[t];
        operands[t] = &given[t];
        if (t == 0)
            continue;
        tsr_tensor *tensor; /* as the format shows it: zeros are absent in some */
        dense_pack(&tensor, &s->tensors[t], formats[t], TSR_F64, NULL);
        dense_from_tensor(&given[t], tensor);
        tsr_tensor_free(tensor);
    }
    dense_copy(&want, &s->tensors[0]);
    dense_evaluate(&want, NULL, s->n, operands);
    const kernel_trial trial = {.what = what,
                                .notation = s->n,
                                .tensors = given,
                                .formats = formats,
                                .want = &want,
                                .has_entries = true,
                                .engine = engine};
    tsr_error why = {0};
    if (kernel_try(&trial, &why) != TSR_OK)
        fail_msg("%s: %s", what, why.message);
    dense_clear(&want);
    for (int t = 1; t < s->n->ntensors; t++)
        dense_clear(&given[t]);
}

/* All formats of all tensors; of too many some, drawn. */
static void try_row(const row *r, uint64_t seed, uint64_t most, tsr_kernel_engine engine)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->rng.s = seed;
    assert_ok(tsr_notation_parse(&s->n, r->text, err));
    draw(s, r->sparse);
    uint64_t all = 1;
    for (int t = 0; t < s->n->ntensors; t++)
        all *= (uint64_t)s->nformats[t];
    for (uint64_t k = 0; k < (all < most ? all : most); k++) {
        int format[TSR_NOTATION_MAX_TENSORS];
        uint64_t rest = all <= most ? k : tsr_rng_below(&s->rng, all);
        for (int t = 0; t < s->n->ntensors; t++) {
            format[t] = (int)(rest % (uint64_t)s->nformats[t]);
            rest /= (uint64_t)s->nformats[t];
        }
        try_formats(s, r, format, engine);
    }
    for (int t = 0; t < s->n->ntensors; t++)
        dense_clear(&s->tensors[t]);
    tsr_notation_free(s->n);
    free(s);
}

static bool compiled;

static void test_expressions(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof expressions / sizeof *expressions; k++)
        try_row(&expressions[k], k, compiled ? 2 : 25, compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
}

static void test_failures_of_others(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof failures / sizeof *failures; k++)
        try_row(&failures[k], 1000 + k, compiled ? 4 : MOST,
                compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER);
}

/* "all": each expression in up to 5000 combinations of formats. */
static void test_all(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof expressions / sizeof *expressions; k++)
        try_row(&expressions[k], 2000 + k, 5000, TSR_ENGINE_INTERPRETER);
}

int main(int argc, char **argv)
{
    compiled = argc > 1 && strcmp(argv[1], "compiled") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_failures_of_others),
    };
    const struct CMUnitTest all[] = {cmocka_unit_test(test_all)};
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        return cmocka_run_group_tests(all, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
