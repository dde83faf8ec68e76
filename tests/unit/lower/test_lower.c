/* Programs from lowering, interpreted, against the oracle. */
#include "lower_case.h"

static const char sizes[] = "i=13 j=9 k=6 l=4 m=3 r=5 s=3";

/* All of these can be lowered. Formats are separated by ';'. */
static const struct {
    const char *expression, *formats;
} cases[] = {
    /* matrix times vector */
    {"y(i) = A(i,j) * x(j)", "A:ds"},
    {"y(i) = A(i,j) * x(j)", "A:ss"},
    {"y(i) = A(i,j) * x(j)", "A:uq"},
    {"y(i) = A(i,j) * x(j)", "A:ds:1,0"},
    {"y(j) = A(i,j) * x(i)", "A:ds"},
    {"y(i) += A(i,j) * x(j)", "A:ds"},
    {"y(i) = alpha * A(j,i) * x(j) + beta * z(i)", "A:ds"},
    {"y(i) = b(i) - A(i,j) * x(j)", "A:ds"},
    {"y(i) = -A(i,j) * x(j)", "A:ss"},
    {"y(i) = A(i,j) * x(j) / d(i)", "A:ds"},
    {"y(i) = 2.5 * A(i,j) * x(j)", "A:sd"},
    /* matrix times matrix, and others */
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:ds:1,0"},
    {"Y(i,r) = A(i,j) * X(j,r)", "A:uq; Y:dd:1,0"},
    {"Y(i,j) = A(i,k) * B(k,j)", ""},
    {"Y(i,j) = A(i,k) * B(j,k)", ""},
    {"Y(i,j) = A(k,i) * B(k,j)", ""},
    {"a = x(i) * y(i)", ""},
    {"y(i) = x(i) / z(i) + 1", ""},
    {"y(i,j) = x(i)", ""},
    {"a = A(i,j)", "A:ds"},
    {"a = A(i,j) * A(i,j)", "A:ds"},
    {"a = A(i,j) * B(i,j)", "A:uq"},
    {"a = 2 * b * c", ""},
    {"y(i) = A(i,i)", "A:ds"},
    {"y(i) = A(i,i)", "A:sd"},
    {"y(i) = A(i,i)", "A:dd"},
    {"Y(i,i) = A(i,j)", "A:ds"},
    {"y(i) = A(i,j)", "A:ss"},
    {"y(j) = A(i,j)", "A:ss"},
    {"y(i,r) = A(i,j)", "A:ds"},
    /* tensors */
    {"Y(i,j) = B(i,j,k) * x(k)", "B:sss"},
    {"Y(i,k) = B(i,j,k) * x(j)", "B:sss"},
    {"Y(j,k) = B(i,j,k) * x(i)", "B:sss"},
    {"Y(i,j,r) = B(i,j,k) * X(k,r)", "B:sss"},
    {"Y(i,r,k) = B(i,j,k) * X(j,r)", "B:uqq"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:dss"},
    {"A(j,r) = B(i,j,k) * C(i,r) * D(k,r)", "B:sss"},
    {"A(k,r) = B(i,j,k) * C(i,r) * D(j,r)", "B:sss"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:uqq"},
    {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", "B:sss:2,1,0"},
    {"A(i,r) = alpha * B(i,j,k) * C(j,r) * D(k,r)", "B:sss:1,0,2"},
    {"A(i,r) = B(i,j,k,l) * C(j,r) * D(k,r) * E(l,r)", "B:ssss"},
    {"A(k,r) = B(i,j,k,l) * C(i,r) * D(j,r) * E(l,r)", "B:ssss"},
    {"A(l,r) = B(i,j,k,l) * C(i,r) * D(j,r) * E(k,r)", "B:ssss"},
    {"A(i,r) = B(i,j,k,l,m) * C(j,r) * D(k,r) * E(l,r) * F(m,r)", "B:sssss"},
    {"A(i,r,s) = B(i,j,k) * C(j,r) * D(k,s)", "B:sss"},
    {"a = B(i,j,k) * C(i,r) * D(j,r) * E(k,r)", "B:sss"},
    {"y(i) = B(i,j) * C(i,r) * D(j,r)", "B:ds"},
    /* results with the pattern of an operand */
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) * C(i,k) * D(j,k)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) * C(i,k) * D(k,j)", "B:uq; Y:uq"},
    {"Y(i,j) = B(i,j,k) * x(k)", "B:sss; Y:ss"},
    {"Y(i,j,r) = B(i,j,k) * X(k,r)", "B:sss; Y:ssd"},
    {"Y(i,j) = 2 * B(i,j)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) / d(i)", "B:ds; Y:ds"},
    {"Y(i,j) = B(i,j) * x(j) - 3 * B(i,j)", "B:ss; Y:ss"},
    {"y(i) = b(i) * b(i)", "b:s; y:s"},
    {"Y(i) = B(i,j) * x(j)", "B:ss; Y:s"},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            tsr_error err = {0};
            lower_case c = {.expression = cases[i].expression, .formats = cases[i].formats};
            c.sizes = seed == 3 ? "i=1 j=1 k=1 r=1" : sizes;
            c.seed = seed;
            c.density = seed == 2 ? 1e-9 : 0.3;
            if (!lower_case_run(&c, &err)) {
                print_error("%s: %s\n", c.expression, err.message);
                fail();
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
