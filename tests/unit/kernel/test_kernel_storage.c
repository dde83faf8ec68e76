/* Statements in storage coordinates, and near misses that are not merged where they are stored: the line of the plan. */
#include "kernel_support.h"
#include "tsr_notation.h"

#define BLOCKS "bcsr(2,2)"
#define CONSTANT "(i) -> (i : compressed, i mod 1 : compressed)"

static const struct {
    const char *what, *expression;
    const char *format[4]; /* of the tensors in the order of the expression; NULL: dense */
    const char *left;      /* NULL: not in storage coordinates */
} rows[] = {
    {"blocks",
     "C(i,j) = A(i,j) + B(i,j)",
     {BLOCKS, BLOCKS, BLOCKS},
     "C(i1,j1,i2,j2) = A(i1,j1,i2,j2) + B(i1,j1,i2,j2)"},
    {"a product of blocks",
     "C(i,j) = A(i,k)*B(k,j)",
     {BLOCKS, BLOCKS, BLOCKS},
     "C(i1,j1,i2,j2) = A(i1,k1,i2,k2)*B(k1,j1,k2,j2)"},
    {"diagonals", "C(i,j) = A(i,j)*2*B(i,j)", {"dia", "dia", "dia"}, "C(ij1,i) = A(ij1,i)*2*B(ij1,i)"},
    {"coordinates as one number, and a complement",
     "C(i,j) = !B(i,j)*A(i,j)",
     {"alto", "alto", "alto"},
     "C(ij1) = !B(ij1)*A(ij1)"},
    {"the name i1 is taken",
     "C(i,j) = i1(i,j)*B(i,j)",
     {BLOCKS, BLOCKS, BLOCKS},
     "C(i2,j1,i3,j2) = i1(i2,j1,i3,j2)*B(i2,j1,i3,j2)"},
    {"a level that is constant",
     "C(i) = A(i) - B(i)",
     {CONSTANT, CONSTANT, CONSTANT},
     "C(i,one1) = A(i,one2) - B(i,one3)"},
    {"near miss: plain coordinates", "C(i,j) = A(i,j) + B(i,j)", {"csr", "csr", "csr"}, NULL},
    {"near miss: other expressions of a variable",
     "C(i,j) = A(i,j)*B(i,j)",
     {BLOCKS, BLOCKS, "bcsr(3,2)"},
     NULL},
    {"near miss: an access without the diagonal", "C(i,j) = A(i,j)*B(i,j)*b(j)", {"dia", "dia", "dia"}, NULL},
    {"near miss: a term that is not absent in padding", "C(i,j) = A(i,j) + b(i,j)", {BLOCKS, BLOCKS}, NULL},
    {"near miss: a divisor is not absent, either", "C(i,j) = b(i,j)/A(i,j)", {BLOCKS, NULL, BLOCKS}, NULL},
    {"near miss: a variable twice", "C(i) = A(i,i)*B(i,i)", {"s", BLOCKS, BLOCKS}, NULL},
};
enum { NROWS = sizeof rows / sizeof *rows };

/* Append the line of the plan without its beginning; nothing: there is none. */
static tsr_status find_line(tsr_text *line, size_t row, tsr_error *error)
{
    static const char begin[] = "in storage coordinates: ";
    const uint64_t dims[] = {12, 12};
    const tsr_kernel_options how = kernel_options_for(TSR_ENGINE_INTERPRETER);
    tsr_kernel_tensor tensors[4] = {{0}};
    tsr_format *format[4] = {NULL};
    tsr_notation *notation = NULL;
    tsr_kernel *kernel = NULL;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(tsr_notation_parse(&notation, rows[row].expression, error));
    for (int t = 0; t < notation->ntensors; t++) {
        if (rows[row].format[t])
            TSR_TRY_OUT(
                tsr_format_parse(&format[t], rows[row].format[t], notation->tensor[t].order, dims, error));
        tensors[t] = (tsr_kernel_tensor){.name = notation->tensor[t].name, .format = format[t], .dims = dims};
    }
    TSR_TRY_OUT(tsr_kernel_new(&kernel, rows[row].expression, tensors, notation->ntensors, &how, error));
    TSR_TRY_OUT(tsr_kernel_print(&text, kernel, TSR_KERNEL_GRAPH, error));
    const char *const at = strstr(tsr_text_cstr(&text), begin);
    if (at)
        tsr_text_add_n(line, at + strlen(begin), strcspn(at + strlen(begin), "\n"));
    status = tsr_text_status(line, error);
out:
    for (int t = 0; t < 4; t++)
        tsr_format_free(format[t]);
    tsr_kernel_free(kernel);
    tsr_notation_free(notation);
    tsr_text_clear(&text);
    return status;
}

static void test_statements(void **state)
{
    int nwrong = 0;
    (void)state;
    for (size_t row = 0; row < NROWS; row++) {
        tsr_text line = {0};
        const char *const wanted = rows[row].left ? rows[row].left : "";
        assert_ok(find_line(&line, row, err));
        if (strcmp(tsr_text_cstr(&line), wanted) != 0) {
            print_error("%s\n  wanted %s\n  got    %s\n", rows[row].what, wanted, tsr_text_cstr(&line));
            nwrong++;
        }
        tsr_text_clear(&line);
    }
    assert_int_equal(nwrong, 0);
}

static void test_memory(void **state)
{
    (void)state;
    for (size_t row = 0; row < NROWS; row++) {
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_text line = {0};
            tsr_faults_arm(&faults);
            tsr_faults_end(&faults, find_line(&line, row, NULL));
            tsr_text_clear(&line);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_statements), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
