/* What is compiled does what the interpreter does: random programs of every value type, with and without
 * vectors, by every compiler that there is, with the undefined-behaviour sanitizer (which traps) and without.
 * A program goes one of these four ways, so that four seeds in a row take each type all four ways; with "all" on
 * the command line every program goes all of them. TSR_SEED gives other programs, TSR_COUNT more of them. Also
 * the pieces of src/rt one by one. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* OpenMP's */
#endif
#include "tsr_rt_arrays.h"
#include "tsr_rt_rows.h"
#include "tsr_rt_values.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>

#include "random_program.h"
#include "tsr_emit.h"
#include "tsr_process.h"
#include "tsr_type.h"

enum { MAX_PROGRAMS = 2 * TSR_NTYPES, MAX_ARGV = MAX_PROGRAMS + 32 };

typedef struct way {
    const char *compiler;
    const char *flags[8];
} way;

/* gcc 12 takes (uint32_t) of an int8_t, beside another uint32_t, for an int: no -Wsign-conversion there;
 * with its sanitizer on it does not see casts. Its vectorizer of straight code makes vfmaddsub of a complex
 * product or quotient even under -ffp-contract=off, which rounds once less than the interpreter does. */
static const way ways[] = {
    {"gcc", {"-O2", "-Wno-sign-conversion", "-march=native", "-fopenmp", "-fno-tree-slp-vectorize"}},
    {"gcc",
     {"-O0", "-Wno-conversion", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error",
      "-Wno-unknown-pragmas"}},
    {"clang", {"-O2", "-march=native", "-Wno-pass-failed", "-Wno-unknown-pragmas"}},
    {"clang", {"-O0", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-Wno-unknown-pragmas"}},
};

enum { NWAYS = sizeof ways / sizeof *ways };

static bool all_ways;

static bool goes_way(int program, int number, uint64_t seed)
{
    return all_ways || (seed + (uint64_t)program) % NWAYS == (uint64_t)number;
}

typedef struct programs {
    random_program p[MAX_PROGRAMS];
    int n;
} programs;

static programs programs_new(uint64_t seed)
{
    programs all = {.n = 0};
    for (int type = 0; type < TSR_PATTERN; type++)
        for (int vectors = 0; vectors < 2; vectors++) {
            char name[20];
            if (vectors && tsr_type_class((tsr_type)type) == 'C')
                continue;
            snprintf(name, sizeof name, "p%d", all.n);
            all.p[all.n] = random_program_new(name, (tsr_type)type, vectors, seed * 100 + (uint64_t)all.n);
            all.n++;
        }
    return all;
}

static void programs_free(programs *all)
{
    for (int i = 0; i < all->n; i++)
        tsr_ir_free(all->p[i].ir);
}

/* p0.c ... into the scratch folder; program i's entry point is called entry_i. */
static void write_sources(const programs *all)
{
    for (int i = 0; i < all->n; i++) {
        tsr_text text = {0};
        char name[32];
        tsr_text_addf(&text, "#define tsr_rt_entry entry_%d\n", i);
        assert_ok(tsr_emit_c(&text, all->p[i].ir, &(tsr_emit_options){.entry = true}, err));
        snprintf(name, sizeof name, "p%d.c", i);
        tsr_test_spit(tsr_test_path(tsr_test_tmp(), name), text.s, text.nbytes);
        tsr_text_clear(&text);
    }
}

/* Sanitizers and poisoned frees see the emitter, not what it emits. */
static bool optimizes(void)
{
#ifdef TSR_TEST_SANITIZED
    return false;
#else
    return !getenv("MALLOC_PERTURB_");
#endif
}

/* Compile those of them that go this way to one shared object, with gcc's way where there is no clang; false when
 * there is no gcc either. Nothing is optimized where only the emitter is watched. */
static bool compile(const char *object, const programs *all, int number, uint64_t seed)
{
    const way *w = &ways[number];
    /* what random programs do by chance, and people do not */
    static const char *const strict[] = {"-std=c11",          "-Wall",
                                         "-Wextra",           "-Wpedantic",
                                         "-Wconversion",      "-Wshadow",
                                         "-Werror",           "-fPIC",
                                         "-shared",           "-g0",
                                         "-ffp-contract=off", "-fno-math-errno",
                                         "-Wno-type-limits",  "-Wno-tautological-compare",
                                         "-Wno-bool-compare", "-Wno-unknown-warning-option",
                                         "-Wno-array-bounds", "-Wno-stringop-overflow"};
    const char *argv[MAX_ARGV] = {NULL};
    char sources[MAX_PROGRAMS][300];
    tsr_text compiler = {0}, output = {0};
    tsr_process_end end;
    size_t n = 0;
    if (tsr_process_find(&compiler, w->compiler, NULL) != TSR_OK && number >= 2)
        w = &ways[number - 2];
    if (compiler.nbytes == 0 && tsr_process_find(&compiler, w->compiler, NULL) != TSR_OK)
        return false;
    argv[n++] = tsr_text_cstr(&compiler);
    for (size_t i = 0; i < sizeof strict / sizeof *strict; i++)
        argv[n++] = strict[i];
    for (size_t i = 0; i < sizeof w->flags / sizeof *w->flags && w->flags[i]; i++)
        argv[n++] = w->flags[i];
    if (!optimizes())
        argv[n++] = "-O0";
    for (int i = 0; i < all->n; i++) {
        if (!goes_way(i, number, seed))
            continue;
        snprintf(sources[i], sizeof *sources, "%s/p%d.c", tsr_test_tmp(), i);
        argv[n++] = sources[i];
    }
    argv[n++] = "-o";
    argv[n++] = object;
    assert_ok(tsr_process_run(&end, &output, &output, argv, NULL, err));
    if (end.exit_code != 0)
        fail_msg("%s %s: %s", w->compiler, w->flags[0], tsr_text_cstr(&output));
    tsr_text_clear(&compiler);
    tsr_text_clear(&output);
    return true;
}

static int allows(tsr_rt_limit *limit, int64_t n, uint64_t element_nbytes)
{
    (void)limit, (void)n, (void)element_nbytes;
    return 1;
}

static int refuses(tsr_rt_limit *limit, int64_t n, uint64_t element_nbytes)
{
    (void)limit, (void)n, (void)element_nbytes;
    return 0;
}

/* A program that is refused the memory for its outputs hands over none. */
static void check_refused(const random_program *p, tsr_rt_function *function, uint64_t seed)
{
    tsr_rt_arg rt[RANDOM_NPARAMS + 1];
    tsr_rt_limit limit = {.allows = refuses};
    random_args args;
    random_args_init(&args, p, seed);
    for (int k = 0; k < p->ir->nparams; k++)
        rt[k] = (tsr_rt_arg){args.arg[k].n, args.arg[k].data};
    rt[p->ir->nparams] = (tsr_rt_arg){.data = &limit};
    assert_int_equal(function(rt), 1);
    for (int k = 0; k < RANDOM_NPARAMS; k++)
        assert_null(args.output[k].data);
    random_args_free(&args);
}

/* Run program i both ways on the same arguments. */
static void check_program(const programs *all, int i, void *object, uint64_t seed)
{
    const random_program *p = &all->p[i];
    char name[20];
    tsr_rt_arg rt[RANDOM_NPARAMS + 1];
    tsr_rt_limit limit = {.allows = allows};
    snprintf(name, sizeof name, "entry_%d", i);
    void *symbol = dlsym(object, name);
    tsr_rt_function *function;
    assert_non_null(symbol);
    memcpy(&function, &symbol, sizeof function);
    random_args expected, args;
    random_args_init(&expected, p, seed);
    random_args_init(&args, p, seed);
    for (int k = 0; k < p->ir->nparams; k++)
        rt[k] = (tsr_rt_arg){args.arg[k].n, args.arg[k].data};
    rt[p->ir->nparams] = (tsr_rt_arg){.data = &limit};
    assert_ok(tsr_ir_run(p->ir, expected.arg, 0, err));
    assert_int_equal(function(rt), 0);
    if (!random_args_same(p, &expected, &args))
        fail_msg("program %d (%s%s)", i, tsr_type_name(p->type), p->vectors ? ", vectors" : "");
    random_args_free(&expected);
    random_args_free(&args);
    check_refused(p, function, seed);
}

/* The programs that go way `number`. */
static void check_way(const programs *all, int number, uint64_t seed)
{
    char object[400];
    /* a new name each time: what is loaded once stays loaded */
    snprintf(object, sizeof object, "%s/way%d_%llu.so", tsr_test_tmp(), number, (unsigned long long)seed);
    if (!compile(object, all, number, seed))
        return;
    /* never unloaded: OpenMP's threads may still run its code */
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle)
        fail_msg("%s", dlerror());
    for (int i = 0; i < all->n; i++)
        for (uint64_t k = 0; k < 4 && goes_way(i, number, seed); k++)
            check_program(all, i, handle, seed + k);
    remove(object);
}

static void test_random(void **state)
{
    (void)state;
    const char *seed = getenv("TSR_SEED"), *count = getenv("TSR_COUNT");
    const uint64_t first = seed ? strtoull(seed, NULL, 10) : 1, n = count ? strtoull(count, NULL, 10) : 1;
    for (uint64_t s = first; s < first + n; s++) {
        if (n > 1 && !tsr_case_runs(s))
            continue;
        programs all = programs_new(s);
        write_sources(&all);
        for (int i = 0; i < NWAYS; i++)
            check_way(&all, i, s);
        programs_free(&all);
    }
}

static void test_pieces(void **state)
{
    (void)state;
    static const struct {
        int64_t a, b, quotient, remainder;
    } divisions[] = {{7, 2, 3, 1}, {-7, 2, -4, 1}, {-8, 2, -4, 0},
                     {0, 5, 0, 0}, {-1, 3, -1, 2}, {INT64_MIN, 1, INT64_MIN, 0}};
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++) {
        assert_int_equal(floordiv_i64(divisions[i].a, divisions[i].b), divisions[i].quotient);
        assert_int_equal(mod_i64(divisions[i].a, divisions[i].b), divisions[i].remainder);
    }
    assert_int_equal(gather_i64(52, 21), 6); /* 110100 at the ones of 010101 */
    assert_int_equal(gather_i64(INT64_MAX, INT64_MAX), INT64_MAX);
    assert_int_equal(gather_i64(INT64_C(0x5a5a5a5a5a5a5a5a), 0), 0);
    assert_int_equal(gather_i64(INT64_C(0x5a5a5a5a5a5a5a5a), UINT64_C(0xf0f0f0f0f0f0f0f0)), 0x55555555);
    assert_int_equal(min_i64(-3, 2), -3);
    assert_int_equal(max_i64(-3, 2), 2);
    assert_int_equal(add_i32(INT32_MAX, 1), INT32_MIN);
    assert_int_equal(sub_i32(INT32_MIN, 1), INT32_MAX);
    assert_int_equal(mul_i32(INT32_MIN, -1), INT32_MIN);
    assert_int_equal(neg_i32(INT32_MIN), INT32_MIN);
    assert_int_equal(div_i32(INT32_MIN, -1), INT32_MIN);
    assert_int_equal(div_i32(-7, 2), -3);
    assert_int_equal(div_i32(5, 0), 0);
    assert_int_equal(div_u32(5, 0), 0);
    assert_int_equal(div_u32(5, 2), 2);
    int32_t sum = INT32_MAX;
    atomic_add_i32(&sum, 2);
    assert_int_equal(sum, INT32_MIN + 1);
    double _Complex z = mul_c128(make_c128(1, 2), make_c128(3, -5));
    atomic_add_c128(&z, make_c128(0.5, 0.25));
    assert_true(creal(z) == 13.5 && cimag(z) == 1.25);
    z = mul_c128(make_c128(1e308, 1e308), make_c128(1e308, 1e308));
    assert_true(!isfinite(creal(z)) && cimag(z) > 1e308); /* NaN, or -Inf where products are fused */
    static const struct {
        double a[2], b[2], quotient[2];
    } quotients[] = {{{1, 2}, {3, -4}, {-0.2, 0.4}},
                     {{3, -4}, {2, 0}, {1.5, -2}},
                     {{3, -4}, {0, 2}, {-2, -1.5}},
                     {{1e300, 1e300}, {1e300, 1e300}, {1, 0}},
                     {{1e-300, 0}, {1e-300, 1e-300}, {0.5, -0.5}}};
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
        z = div_c128(make_c128(quotients[i].a[0], quotients[i].a[1]),
                     make_c128(quotients[i].b[0], quotients[i].b[1]));
        assert_true(fabs(creal(z) - quotients[i].quotient[0]) <= 1e-15);
        assert_true(fabs(cimag(z) - quotients[i].quotient[1]) <= 1e-15);
    }
    z = div_c128(make_c128(-1, 0), make_c128(-0.0, 0));
    assert_true(isinf(creal(z)) && creal(z) < 0 && isnan(cimag(z)));
    assert_null(new_array(INT64_MAX, 8));
    assert_null(new_zeros(INT64_MAX / 8 + 1, 8));
    double *zeros = new_zeros(3, sizeof *zeros), *none = new_array(0, sizeof *none);
    assert_true(zeros && none && zeros[0] == 0 && zeros[2] == 0);
    free(zeros);
    free(none);
}

static double any_part(uint64_t *state)
{
    static const double scales[] = {0, 1, -3, 1e-5, -1e160, 1e-160};
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return scales[(*state >> 33) % 6] * (double)(*state >> 40);
}

/* The interpreter divides complex numbers as the piece does, bit for bit: compilers divide in ways of their own, so
 * what was compiled differed from what was interpreted. */
static void test_division(void **state)
{
    (void)state;
    enum { N = 1000 };
    static double a[N][2], b[N][2], got[N][2];
    const tsr_ir_type type = {TSR_IR_IS_VALUE, TSR_C128, 1};
    uint64_t random = 1;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++) {
            a[i][k] = any_part(&random);
            b[i][k] = any_part(&random);
        }
    tsr_ir_builder *const ir = tsr_ir_builder_new("divide");
    const tsr_ir_expr *const n = tsr_ir_index_param(ir, "n");
    const tsr_ir_array *const x = tsr_ir_array_param(ir, "x", false, TSR_C128, true, n);
    const tsr_ir_array *const y = tsr_ir_array_param(ir, "y", false, TSR_C128, true, n);
    const tsr_ir_array *const z = tsr_ir_array_param(ir, "z", false, TSR_C128, false, n);
    const tsr_ir_expr *const at = tsr_ir_for(ir, "i", tsr_ir_index(ir, 0), n, 0);
    tsr_ir_store(
        ir, z, at,
        tsr_ir_op2(ir, TSR_IR_DIV, tsr_ir_load_value(ir, x, at, type), tsr_ir_load_value(ir, y, at, type)),
        false, false);
    tsr_ir_end(ir);
    tsr_ir *program;
    assert_ok(tsr_ir_finish(&program, ir, "", err));
    const tsr_ir_arg args[] = {{.n = N}, {.n = N, .data = a}, {.n = N, .data = b}, {.n = N, .data = got}};
    assert_ok(tsr_ir_run(program, args, 0, err));
    tsr_ir_free(program);
    for (int i = 0; i < N; i++) {
        const double _Complex want = div_c128(make_c128(a[i][0], a[i][1]), make_c128(b[i][0], b[i][1]));
        const double part[2] = {creal(want), cimag(want)};
        for (int k = 0; k < 2; k++)
            assert_true(memcmp(&part[k], &got[i][k], sizeof part[k]) == 0 ||
                        (isnan(part[k]) && isnan(got[i][k])));
    }
}

/* exp_f64 is within one unit in the last place of the right value, over all of its range, and right where exp() is exact. */
static void test_exp(void **state)
{
    static const double exact[] = {0,   -0.0, INFINITY, -INFINITY, 1e300, -1e300,
                                   710, -746, 1e-17,    -1e-17,    5e-324};
    static const double edges[] = {709.782712893384,
                                   709.7827128933841,
                                   709.782712893385,
                                   -708.3964185322641,
                                   -708.3964185322642,
                                   -745.133219101941,
                                   -745.1332191019412,
                                   -745.13321910195,
                                   0.34657359027997264,
                                   1,
                                   -1};
    uint64_t random = 1;
    double worst = 0;
    (void)state;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        assert_true(exp_f64(exact[i]) == exp(exact[i]));
    assert_true(isnan(exp_f64(NAN)) && exp_f64(709.7) <= DBL_MAX);
    const int nedges = sizeof edges / sizeof *edges;
    for (int i = 0; i < 300000 + nedges; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const double part = (double)(random >> 11) * 0x1p-53;
        const double x = i < nedges ? edges[i] : i % 2 ? part * 1456 - 746 : part * 4 - 2;
        const double got = exp_f64(x), near = exp(x);
        if (near == got)
            continue;
        assert_true(isfinite(got) == isfinite(near));
        const double unit = nextafter(near, INFINITY) - near;
        worst = fmax(worst, (double)(fabsl((long double)got - expl(x)) / unit));
    }
    if (worst >= 1)
        fail_msg("off by %g units", worst);
}

static int compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Numbers of all lengths that are sorted in different ways; also with the place of each number in the lowest bits. */
static void test_sort(void **state)
{
    enum { MOST = 9000, PLACES = 1024 };
    static const int ns[] = {0,   1,   2,   15,  16,  17,  24,  31,   63,   64,   95,   96,   97,
                             127, 128, 129, 255, 500, 512, 513, 1000, 1024, 2048, 4096, 4097, MOST};
    static const uint32_t ranges[] = {1, 2, 500, 100000, 4000000};
    static uint32_t a[MOST], expected[MOST];
    uint64_t random = 1;
    (void)state;
    for (size_t k = 0; k < sizeof ns / sizeof *ns * (sizeof ranges / sizeof *ranges); k++) {
        const int n = ns[k / (sizeof ranges / sizeof *ranges)];
        const uint32_t range = ranges[k % (sizeof ranges / sizeof *ranges)];
        for (int with_place = 0; with_place < 2; with_place++) {
            for (int i = 0; i < n; i++) {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
                const uint32_t x = (uint32_t)((random >> 32) * range >> 32);
                expected[i] = a[i] = with_place ? x * PLACES + (uint32_t)i % PLACES : x;
            }
            sort_u32(a, n);
            qsort(expected, (size_t)n, sizeof *expected, compare_u32);
            if (memcmp(a, expected, (size_t)n * sizeof *a) != 0)
                fail_msg("%d numbers below %u%s", n, range, with_place ? ", with places" : "");
        }
    }
}

static void *grow_bytes(void *block, size_t nbytes)
{
    int64_t room = 0;
    return grow_block(block, &room, (int64_t)nbytes, 0, 1, NULL);
}

static void test_output_grows_without_copy(void **state)
{
    (void)state;
    assert_true(tsr_test_growth_faults(grow_bytes, free) < tsr_test_growth_faults(realloc, free) + 1000);
}

int main(int argc, char **argv)
{
    all_ways = argc > 1 && strcmp(argv[1], "all") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_exp),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_output_grows_without_copy),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
