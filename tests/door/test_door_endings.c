/* Statements with endings, several statements, entries without values, formulas and choices, by the public functions alone: stated
 * results, and refusals in words. A is the matrix of door_test.h, x a vector. */
#include "door_test.h"

static double x_data[] = {10, 1, 5, 0};

/* The content of a file .tns, with 12 in place of 12.0. */
static const char *content(const char *path)
{
    static char text[4096];
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    assert_int_equal(fclose(f), 0);
    for (char *end = text; (end = strstr(end, ".0\n"));)
        memmove(end, end + 2, strlen(end + 2) + 1);
    return text;
}

/* The kernel, and its operands by name: A and x. */
static tessera_kernel *make(const tessera_tensor **operands, const char *expression, const char *format,
                            const tessera_tensor *A, const tessera_tensor *x)
{
    const tessera_kernel_options options = {.size = sizeof options, .format = format};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, expression, &options, ctx));
    for (int t = 1; t < tessera_kernel_ntensors(k); t++)
        operands[t - 1] = strcmp(tessera_kernel_name(k, t), "A") == 0 ? A : x;
    return k;
}

static void test_results(void **state)
{
    static const struct {
        const char *expression, *format, *entries; /* of a file .tns */
    } rows[] = {
        {"C(j,l) top(1)= A(i,j)*A(i,l)", NULL, "1 4 12\n2 3 2\n3 3 4\n4 4 16\n"},
        {"C(j,l) bottom(1, abs)= A(i,j)*A(i,l)", NULL, "1 1 9\n2 2 1\n3 2 2\n4 1 12\n"},
        {"p(j) argmax(l)= A(i,j)*A(i,l)", NULL, "1 3\n2 2\n3 2\n4 3\n"},
        {"p(j) argmin(l)= A(i,j)*A(i,l)", "s", "1 0\n2 1\n3 1\n4 0\n"},
        {"C(j,l) = A(i,j)*A(i,l) where l > j and C > 2", NULL, "1 4 12\n"},
        {"C(j,l) = A(i,j)*A(i,l) where l > j and C > x(j)", "coo", "1 4 12\n2 3 2\n"},
        {"D(i,j) = A(i,j)*x(j) where A(i,j) > 1", "csc", "3 1 30\n1 3 10\n3 4 0\n"},
        {"C(j,l) top(1)= A(i,j)*A(i,l) where uniform(j, l, 3) >= 0 and C < 10", NULL,
         "1 1 9\n2 3 2\n3 3 4\n"},
        {"D(i,j) = x(j)*A(i,j)/2 where D != 0", NULL, "1 2 0.5\n1 3 5\n3 1 15\n"},
        {"C(j,l) |= A(i,j)&A(i,l) where j < 2", NULL, "1 1 1\n1 4 1\n2 2 1\n2 3 1\n"},
        {"y(i) = A(i,j) > 2 ? A(i,j) : 0", NULL, "3 7\n"},
        {"I(i,j) : i == j ? 2 : abs(i - j) == 1 ? -1 : 0; y(i) = I(i,j)*x(j)", NULL,
         "1 19\n2 -13\n3 9\n4 -5\n"},
        {"y(i) = band(i,j,1,1)*x(j)", NULL, "1 1\n2 5\n"},
        {"y(i) = tril(i,j)*A(i,j)", NULL, "3 3\n"},
        {"T(i) = A(i,j)*x(j); s max= T(i); y(i) = T(i)/s", NULL, "1 0.36666666666666664\n3 1\n"},
    };
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx), *const x = borrow_vector(x_data, 4, ctx);
    for (int k = 0; k < LENGTH(rows); k++) {
        const tessera_tensor *operands[8];
        const char *const path = scratch("result.tns");
        tessera_tensor *result;
        tessera_kernel *const kernel = make(operands, rows[k].expression, rows[k].format, A, x);
        door_ok(tessera_kernel_call(&result, kernel, operands, ctx));
        door_ok(tessera_write(path, result, NULL, ctx));
        if (strcmp(content(path), rows[k].entries) != 0)
            fail_msg("%s: %s, expected %s", rows[k].expression, content(path), rows[k].entries);
        tessera_tensor_free(result);
        tessera_kernel_free(kernel);
    }
    tessera_tensor_free(A);
    tessera_tensor_free(x);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *expression, *format, *words;
        tessera_status status;
    } rows[] = {
        {"y(j) top(2)= A(i,j)", "dense", "top and bottom leave out entries of y, but a dense result has all",
         TESSERA_UNSUPPORTED},
        {"C(j,l) top(0)= A(i,j)*A(i,l)", NULL, "write a whole number from 1 to", TESSERA_RANGE},
        {"p(j) argmax(j)= A(i,j)", NULL, "the result has the index j already", TESSERA_ARGUMENT},
        {"p(j) argmax(i)= A(i,j) where p > 1", NULL, "a condition cannot stand behind argmax",
         TESSERA_UNSUPPORTED},
        {"D(i,j) = A(i,j) where D > A(i,j)", NULL, "the sparse A is compared with more than numbers",
         TESSERA_UNSUPPORTED},
        {"y(i) = A(i,j) where y > x(j)", "s", "which does not have the index j", TESSERA_ARGUMENT},
        {"D(i,j) = A(i,j) where !A(i,j)", NULL, "a condition has no masks", TESSERA_UNSUPPORTED},
        {"D(i,j) = A(i,j) & 3", NULL, "joins entries in a statement with '|='", TESSERA_ARGUMENT},
        {"T(i) = A(i,j)*x(j); y = x(j)*x(j)", NULL, "no statement behind this one reads 'T'",
         TESSERA_ARGUMENT},
        {"F(i,j) : x(i)*j; y(i) = F(i,j)*x(j)", NULL, "the formula of F reads the tensor x",
         TESSERA_ARGUMENT},
    };
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx), *const x = borrow_vector(x_data, 4, ctx);
    for (int k = 0; k < LENGTH(rows); k++) {
        const tessera_kernel_options options = {.size = sizeof options, .format = rows[k].format};
        const tessera_tensor *operands[8];
        tessera_tensor *result = NULL;
        tessera_kernel *kernel = NULL;
        if (tessera_kernel_new(&kernel, rows[k].expression, &options, ctx) != TESSERA_OK) {
            assert_null(kernel);
        } else {
            tessera_kernel_free(kernel);
            kernel = make(operands, rows[k].expression, rows[k].format, A, x);
            assert_int_not_equal(tessera_kernel_call(&result, kernel, operands, ctx), TESSERA_OK);
        }
        if (tessera_context_status(ctx) != rows[k].status ||
            !strstr(tessera_context_text(ctx), rows[k].words))
            fail_msg("%s: %s, expected: %s", rows[k].expression, tessera_context_text(ctx), rows[k].words);
        assert_null(result);
        tessera_kernel_free(kernel);
    }
    tessera_tensor_free(A);
    tessera_tensor_free(x);
}

static void test_gradients(void **state)
{
    (void)state;
    char *text;
    door_ok(tessera_gradient(&text, "C(i,l) = A(i,j)*B(j,l) where C > x(l)", "A", ctx));
    assert_string_equal(
        text, "C(i,l) = A(i,j)*B(j,l) where gt(C, x(l)); dA(i,j) = !!A(i,j)*(dC(i,l)*!!C(i,l)*B(j,l))");
    tessera_text_free(text);
    door_fails(tessera_gradient(&text, "y *= x(i)", "x", ctx), TESSERA_UNSUPPORTED,
               "the gradient of *= is not known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_gradients),
    };
    return cmocka_run_group_tests_name("endings", tests, set_up, tear_down);
}
