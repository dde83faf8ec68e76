/* Sums of sparse rows with factors, C(i,j) = b(i)*A(i,j) - 3*B(i,j), in each type of values: the entries of both, and the bits
 * that single operations in the order of the text give, with -0.0, infinities and NaN among the values.
 *
 *     test_kernels_sums [compiled] */
#include <complex.h>
#include <math.h>

#include "dense.h"
#include "tsr_kernel.h"
#include "tsr_test.h"

enum { NROWS = 60, NCOLUMNS = 300, NOPERANDS = 3, ROW_FACTOR = 1000 };

static bool compiled;

/* A statement, and the factor of each operand; ROW_FACTOR: b(i). */
typedef struct sum {
    const char *text;
    int noperands, factor[NOPERANDS];
} sum;

static const sum sums[] = {
    {"C(i,j) = A(i,j) + B(i,j)", 2, {1, 1}},
    {"C(i,j) = A(i,j) - B(i,j)", 2, {1, -1}},
    {"C(i,j) = 2*A(i,j) - 3*B(i,j)", 2, {2, -3}},
    {"C(i,j) = b(i)*A(i,j) - B(i,j)*5", 2, {ROW_FACTOR, -5}},
    {"C(i,j) = A(i,j) - B(i,j) + b(i)*D(i,j)", 3, {1, -1, ROW_FACTOR}},
    {"C(i,j) = 7*A(i,j) - b(i)*B(i,j) - D(i,j)", 3, {7, -ROW_FACTOR, -1}},
};

/* Rows without entries, with some, in blocks, and with entries everywhere. */
static void draw(dense *out, int number, bool is_real)
{
    static const double reals[] = {-0.0, 0.0, 1.0 / 3, -2.7, 1e300, INFINITY, 12345.678, NAN, -1.0 / 3};
    dense_init(out, 2, (const uint64_t[]){NROWS, NCOLUMNS});
    uint64_t state = (uint64_t)number + 1;
    for (int i = 0; i < NROWS; i++)
        for (int j = 0; j < NCOLUMNS; j++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const int k = i * NCOLUMNS + j;
            const unsigned r = (unsigned)(state >> 40);
            const int kind = (i + 3 * number) % 6;
            out->stored[k] = kind == 1   ? r % 40 == 0
                             : kind == 2 ? j >= 10 * number + i && j < 10 * number + i + 12
                             : kind == 3 ? r % 4 != 0
                             : kind == 4 ? j % 64 < 9
                                         : kind == 5;
            out->v[k] = is_real ? reals[r % 9] : r % 7;
        }
}

/* The value of the real type that is nearest to x: with it, doubles compute what floats would. */
static double rounded(tsr_type type, double x)
{
    return type == TSR_F32 ? (double)(float)x : x;
}

/* The value of the result at cell k; `of_row`: the value of b. */
static double real_at(tsr_type type, const sum *s, const dense *operand, int k, double of_row)
{
    double x = 0;
    bool is_first = true;
    for (int t = 0; t < s->noperands; t++) {
        if (!operand[t].stored[k])
            continue;
        const int f = s->factor[t];
        const double factor = f == ROW_FACTOR ? of_row : f == -ROW_FACTOR ? -of_row : f;
        const double y = rounded(type, rounded(type, factor) * rounded(type, creal(operand[t].v[k])));
        x = is_first ? y : rounded(type, x + y);
        is_first = false;
    }
    return x;
}

static uint64_t integer_at(const sum *s, const dense *operand, int k, int64_t of_row)
{
    uint64_t x = 0;
    for (int t = 0; t < s->noperands; t++) {
        const int f = s->factor[t];
        const int64_t factor = f == ROW_FACTOR ? of_row : f == -ROW_FACTOR ? -of_row : f;
        if (operand[t].stored[k])
            x += (uint64_t)factor * (uint64_t)(int64_t)creal(operand[t].v[k]);
    }
    return x;
}

/* The value at position p and the wanted one are the same bits, or NaN. */
static void check_value(const tsr_tensor *got, size_t p, double real, uint64_t integer)
{
    const tsr_type type = got->type;
    const size_t nbytes = tsr_type_nbytes(type);
    const char *const at = (const char *)got->values.data + p * nbytes;
    if (tsr_type_class(type) != 'R') {
        assert_memory_equal(at, &integer, nbytes); /* little-endian */
        return;
    }
    const float single = (float)real;
    if (!isnan(real))
        assert_memory_equal(at, type == TSR_F32 ? (const void *)&single : &real, nbytes);
    else
        assert_true(type == TSR_F32 ? isnan(((const float *)got->values.data)[p])
                                    : isnan(((const double *)got->values.data)[p]));
}

static void check(const tsr_tensor *got, const sum *s, const dense *operand, const dense *b)
{
    size_t p = 0;
    for (int i = 0; i < NROWS; i++) {
        for (int j = 0; j < NCOLUMNS; j++) {
            const int k = i * NCOLUMNS + j;
            bool has = false;
            for (int t = 0; t < s->noperands; t++)
                has = has || operand[t].stored[k];
            if (!has)
                continue;
            assert_int_equal(tsr_array_get(&got->levels[1].crd, p), j);
            const bool is_real = tsr_type_class(got->type) == 'R';
            check_value(got, p, is_real ? real_at(got->type, s, operand, k, creal(b->v[i])) : 0,
                        is_real ? 0 : integer_at(s, operand, k, (int64_t)creal(b->v[i])));
            p++;
        }
        assert_int_equal(tsr_array_get(&got->levels[1].pos, (size_t)i + 1), p);
    }
}

static void try_sum(const sum *s, tsr_type type, const dense *operand, const dense *b)
{
    static const char *const names[] = {"A", "B", "D", "b"};
    tsr_tensor *tensor[NOPERANDS + 1], *ordered[NOPERANDS + 1], *got;
    tsr_kernel_tensor given[NOPERANDS + 2] = {{.name = "C", .type = type}};
    tsr_format *csr;
    int n = 0;
    assert_ok(tsr_format_parse(&csr, "csr", 2, operand->dims, err));
    given[0].format = csr;
    for (int t = 0; t <= NOPERANDS; t++) {
        if (!strstr(s->text, t == NOPERANDS ? "b(" : (const char *[]){"A(", "B(", "D("}[t]))
            continue;
        dense_pack(&tensor[n], t == NOPERANDS ? b : &operand[t], t == NOPERANDS ? "d" : "csr", type, NULL);
        given[n + 1] = (tsr_kernel_tensor){.name = names[t], .tensor = tensor[n]};
        n++;
    }
    const tsr_kernel_options how = {.engine = compiled ? TSR_ENGINE_JIT : TSR_ENGINE_INTERPRETER,
                                    .nthreads = 2,
                                    .cache_dir = tsr_test_path(tsr_test_tmp(), "cache")};
    tsr_kernel *kernel;
    assert_ok(tsr_kernel_new(&kernel, s->text, given, n + 1, &how, err));
    for (int t = 0; t < n; t++)
        for (int k = 0; k < n; k++)
            if (strcmp(tsr_kernel_tensor_name(kernel, t + 1), given[k + 1].name) == 0)
                ordered[t] = tensor[k];
    for (int nthreads = 1; nthreads < 4; nthreads += 2) {
        assert_ok(tsr_kernel_result(&got, kernel, (const tsr_tensor *const *)ordered, err));
        assert_ok(tsr_kernel_run(kernel, got, (const tsr_tensor *const *)ordered, nthreads, err));
        check(got, s, operand, b);
        tsr_tensor_free(got);
    }
    tsr_kernel_free(kernel);
    tsr_format_free(csr);
    for (int t = 0; t < n; t++)
        tsr_tensor_free(tensor[t]);
}

static void test_sums(void **state)
{
    (void)state;
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I32, TSR_U32, TSR_I64, TSR_U64, TSR_I16, TSR_U8};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const bool is_real = tsr_type_class(types[t]) == 'R';
        dense operand[NOPERANDS], b;
        for (int k = 0; k < NOPERANDS; k++)
            draw(&operand[k], k, is_real);
        dense_init(&b, 1, (const uint64_t[]){NROWS});
        for (int i = 0; i < NROWS; i++) {
            b.stored[i] = true;
            b.v[i] = is_real ? i / 7.0 : i;
        }
        for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
            if (!compiled || (t + k) % 3 == 0) /* compilers take most of the time */
                try_sum(&sums[k], types[t], operand, &b);
        for (int k = 0; k < NOPERANDS; k++)
            dense_clear(&operand[k]);
        dense_clear(&b);
    }
}

int main(int argc, char **argv)
{
    compiled = argc > 1 && strcmp(argv[1], "compiled") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
