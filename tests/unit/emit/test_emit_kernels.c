/* The C of whole kernels, from notation to text, against golden files (TSR_UPDATE=1 in the environment writes
 * them anew): what a reviewer would sign. */
#include "tsr_kernel_file.h"
#include "tsr_test.h"

static const struct {
    const char *name; /* tests/golden/NAME.c */
    const char *file; /* as in bench/kernels */
    tsr_kernel_text text;
} kernels[] = {
    {"spmv", "expression: y(i) = A(i,j) * x(j)\nformats: A:csr\n", TSR_KERNEL_C},
    {"mttkrp", "expression: A(i,r) = B(i,j,k) * C(j,r) * D(k,r)\nformats: B:csf\nsizes: r=16\n",
     TSR_KERNEL_C},
    {"mttkrp_c11", "expression: A(i,r) = B(i,j,k) * C(j,r) * D(k,r)\nformats: B:csf\nsizes: r=16\n",
     TSR_KERNEL_C11},
    {"sddmm", "expression: A(i,j) = B(i,j) * C(i,k) * D(j,k)\nformats: A:csr; B:csr\nsizes: k=16\n",
     TSR_KERNEL_C},
    {"spmv_blocked", "expression: y(i) = A(i,j) * x(j)\nformats: A:bcsr(2,3)\n", TSR_KERNEL_C},
    {"ttv", "expression: A(i,j) = B(i,j,k) * c(k)\nformats: B:csf; A:ss\n", TSR_KERNEL_C},
};

static void check_golden(const char *name, const char *text)
{
    const char *path = tsr_test_path(tsr_test_files(), name);
    size_t n;
    if (getenv("TSR_UPDATE"))
        tsr_test_spit(path, text, strlen(text));
    char *expected = tsr_test_slurp(path, &n);
    if (strcmp(expected, text) != 0)
        print_error("%s differs; now it is:\n%s", path, text);
    assert_string_equal(expected, text);
    free(expected);
}

static void test_kernels(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        tsr_kernel_file *file;
        tsr_kernel *kernel;
        tsr_text text = {0};
        char name[80], source[500];
        snprintf(source, sizeof source, "summary: %s\n%s", kernels[i].name, kernels[i].file);
        assert_ok(tsr_kernel_file_parse(&file, kernels[i].name, source, err));
        const tsr_kernel_options options = {.engine = TSR_ENGINE_INTERPRETER, .name = kernels[i].name};
        assert_ok(tsr_kernel_file_new(&kernel, file, 0, &options, err));
        assert_ok(tsr_kernel_print(&text, kernel, kernels[i].text, err));
        snprintf(name, sizeof name, "../golden/%s.c", kernels[i].name);
        check_golden(name, tsr_text_cstr(&text));
        tsr_text_clear(&text);
        tsr_kernel_free(kernel);
        tsr_kernel_file_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
