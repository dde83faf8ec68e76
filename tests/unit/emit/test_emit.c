/* The C of small programs, against golden files (TSR_UPDATE=1 in the environment writes them anew). That the
 * golden files compile is tests/golden/compile.sh's part. */
#include "emit_programs.h"
#include "ir_programs.h"
#include "tsr_alloc.h"
#include "tsr_emit.h"
#include "tsr_test.h"

static tsr_ir *build(const emit_program *p)
{
    tsr_ir_builder *b = tsr_ir_builder_new(p->name);
    p->build(b);
    tsr_ir *ir = program_finish(b, p->header), *vectors;
    if (!p->vector_nbytes)
        return ir;
    assert_ok(tsr_ir_vectorize(&vectors, ir, p->vector_nbytes, err));
    tsr_ir_free(ir);
    return vectors;
}

static void test_golden(void **state)
{
    (void)state;
    for (const emit_program *p = emit_programs; p->name; p++) {
        char name[80];
        tsr_ir *ir = build(p);
        tsr_text text = {0};
        const tsr_emit_options options = {.entry = strcmp(p->name, "values") == 0,
                                          .has_header = strcmp(p->name, "statements") == 0};
        assert_ok(tsr_emit_c(&text, ir, &options, err));
        snprintf(name, sizeof name, "emit/%s.c", p->name);
        tsr_test_golden(name, tsr_text_cstr(&text));
        if (options.has_header) {
            text.nbytes = 0;
            assert_ok(tsr_emit_header(&text, ir, NULL, err));
            snprintf(name, sizeof name, "emit/%s.h", p->name);
            tsr_test_golden(name, tsr_text_cstr(&text));
        }
        tsr_text_clear(&text);
        tsr_ir_free(ir);
    }
}

/* No line is longer than 110 characters, no line ends with a blank. */
static void test_lines(void **state)
{
    (void)state;
    for (const emit_program *p = emit_programs; p->name; p++) {
        tsr_ir *ir = build(p);
        tsr_text text = {0};
        assert_ok(tsr_emit_c(&text, ir, NULL, err));
        for (const char *s = tsr_text_cstr(&text); *s; s += strcspn(s, "\n") + 1) {
            const size_t n = strcspn(s, "\n");
            if (n > 110 || (n && s[n - 1] == ' '))
                fail_msg("%s: %.*s", p->name, (int)n, s);
        }
        tsr_text_clear(&text);
        tsr_ir_free(ir);
    }
}

static void empty(tsr_ir_builder *b)
{
    (void)b;
}

static void complex_vector(tsr_ir_builder *b)
{
    const tsr_ir_array *a = tsr_ir_array_param(b, "a", false, TSR_C64, false, tsr_ir_index(b, 8));
    const tsr_ir_type type = {TSR_IR_IS_VALUE, TSR_C64, 4};
    tsr_ir_store(b, a, tsr_ir_index(b, 0), tsr_ir_load_value(b, a, tsr_ir_index(b, 4), type), false, false);
}

static void test_refused(void **state)
{
    static const struct {
        emit_program program;
        tsr_status status;
        const char *message;
    } cases[] = {
        {{"empty", "", empty, 0}, TSR_OK, ""},
        {{"while", "", empty, 0},
         TSR_ARGUMENT,
         "'while' cannot be the name of a C function: use letters, digits and '_', and not a word of C"},
        {{"int64_t", "", empty, 0},
         TSR_ARGUMENT,
         "'int64_t' cannot be the name of a C function: use letters, digits and '_', and not a word of C"},
        {{"min_i64", "", empty, 0},
         TSR_ARGUMENT,
         "'min_i64' cannot be the name of a C function: use letters, digits and '_', and not a word of C"},
        {{"spmv_f64", "", empty, 0}, TSR_OK, ""},
        {{"f", "", complex_vector, 0},
         TSR_UNSUPPORTED,
         "vectors of 4 values of type c64 are not supported in C"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_ir *ir = build(&cases[i].program);
        tsr_text text = {0};
        tsr_error err = {0};
        assert_int_equal(tsr_emit_c(&text, ir, NULL, &err), cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        tsr_text_clear(&text);
        tsr_ir_free(ir);
    }
}

/* Names that mean something else in the text are changed: a tensor HUGE_VAL was declared as a function, and
 * no name was ever found for INTENSITY. Others stay. */
static void test_names(void **state)
{
    static const struct {
        const char *name, *in_c;
    } rows[] = {
        {"A", "A"},
        {"ALPHA", "ALPHA"},
        {"Interior", "Interior"},
        {"INTENSITY", "v_INTENSITY"},
        {"UINT8_MAX", "v_UINT8_MAX"},
        {"I", "I_2"},
        {"HUGE_VAL", "v_HUGE_VAL"},
        {"MAXFLOAT", "MAXFLOAT_2"},
        {"M_PI", "v_M_PI"},
        {"FP_NAN", "v_FP_NAN"},
        {"PTRDIFF_MAX", "v_PTRDIFF_MAX"},
        {"RAND_MAX", "RAND_MAX_2"},
        {"WCHAR_MAX", "v_WCHAR_MAX"},
        {"EXIT_SUCCESS", "v_EXIT_SUCCESS"},
        {"math_errhandling", "math_errhandling_2"},
        {"size_t", "size_t_2"},
        {"linux", "linux_2"},
        {"restrict", "restrict_2"},
        {"LOAD", "LOAD_2"},
        {"sum_f64x8", "sum_f64x8_2"},
        {"_A", "v_A"},
        {"f", "f2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char wanted[80];
        tsr_text text = {0};
        tsr_ir_builder *b = tsr_ir_builder_new("f");
        const tsr_ir_expr *one = tsr_ir_index(b, 1);
        const tsr_ir_array *a = tsr_ir_array_param(b, rows[i].name, false, TSR_F64, false, one);
        tsr_ir_store(b, a, tsr_ir_index(b, 0), tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 1), false, false);
        tsr_ir *ir = program_finish(b, "");
        assert_ok(tsr_emit_c(&text, ir, NULL, err));
        snprintf(wanted, sizeof wanted, "*restrict %s)", rows[i].in_c);
        if (!strstr(tsr_text_cstr(&text), wanted))
            fail_msg("%s: %s", rows[i].name, tsr_text_cstr(&text));
        tsr_text_clear(&text);
        tsr_ir_free(ir);
    }
}

/* The n-th allocation fails: out of memory is reported and nothing is left. */
static void test_no_memory(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    for (const emit_program *p = emit_programs; p->name; p++) {
        tsr_ir *ir = build(p);
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_text text = {0}, header = {0};
            tsr_faults_arm(&faults);
            tsr_status status = tsr_emit_c(&text, ir, &(tsr_emit_options){.entry = true}, NULL);
            if (status == TSR_OK)
                status = tsr_emit_header(&header, ir, NULL, NULL);
            if (status == TSR_OK && p == emit_programs)
                status = tsr_emit_runtime(&header, NULL, NULL);
            tsr_faults_end(&faults, status);
            tsr_text_clear(&text);
            tsr_text_clear(&header);
        }
        tsr_ir_free(ir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden), cmocka_unit_test(test_lines),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_names),  cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
