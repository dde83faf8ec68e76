/* One trial of a kernel: see kernel_trial.h. */
#include "kernel_trial.h"

#include <complex.h>

#include "kernel_internal.h"
#include "tsr_test.h"

/* The compiler is the one that this program was built with, and so are the sanitizers: a sanitizer wants both
 * to be of one kind. */
#ifdef SANITIZE
#define SANITIZERS "-g", "-fsanitize=" SANITIZE, "-fno-sanitize-recover=all",
#else
#define SANITIZERS
#endif
#define FLAGS                                                                                             \
    "-std=c11", "-march=native", "-fopenmp", "-fPIC", "-shared", "-fno-math-errno", "-ffp-contract=fast", \
        SANITIZERS "-w"
#ifdef __x86_64__
#define PLAIN "-mno-avx512bw"
#else
#define PLAIN "-w"
#endif

static unsigned sum_of(const char *text)
{
    unsigned sum = 0;
    while (*text)
        sum += (unsigned char)*text++;
    return sum;
}

/* Compilers take most of the time of these tests. Two kernels of eight are optimized, one of them with the pieces of src/rt
 * for AVX-512, whose header takes the compiler longer than the rest of a kernel. */
static const char *const *compiler_flags(const char *what)
{
    static const char *const flags[3][20] = {
        {FLAGS, "-O1", NULL}, {FLAGS, "-O1", PLAIN, NULL}, {FLAGS, "-O0", PLAIN, NULL}};
    const unsigned turn = sum_of(what) % 8;
    return flags[turn < 2 ? turn : 2];
}

static tsr_type type_of(const kernel_trial *trial, int t)
{
    return trial->types ? trial->types[t] : TSR_F64;
}

/* A result to run into: of the kernel's making; for += what was there before. */
static tsr_tensor *new_result(const kernel_trial *trial, const tsr_kernel *kernel,
                              tsr_tensor *const *operands)
{
    tsr_tensor *result;
    assert_ok(tsr_kernel_result(&result, kernel, (const tsr_tensor *const *)operands, err));
    if (trial->notation->accumulate && tsr_format_is_dense(result->format)) {
        tsr_tensor_free(result);
        dense_pack(&result, &trial->tensors[0], trial->formats[0], type_of(trial, 0), NULL);
    }
    return result;
}

/* The result has the entries that it should have, zeros too. */
static void compare_entries(const dense *got, const dense *want, const char *what)
{
    for (uint64_t k = 0; k < want->n; k++)
        if (got->stored[k] != want->stored[k])
            fail_msg("%s: cell %llu is %s", what, (unsigned long long)k,
                     want->stored[k] ? "absent" : "an entry, although nothing was contributed to it");
}

/* Run and compare; the result, for tsr_tensor_free. */
static tsr_tensor *run(const kernel_trial *trial, const tsr_kernel *kernel, tsr_tensor *const *operands,
                       int nthreads)
{
    const char *engine =
        tsr_kernel_get_info(kernel)->engine == TSR_ENGINE_INTERPRETER ? "interpreter" : "compiled";
    char what[2400];
    snprintf(what, sizeof what, "%s (%s, %d threads)", trial->what, engine, nthreads);
    tsr_tensor *result = new_result(trial, kernel, operands);
    for (int time = 0; time < (trial->notation->accumulate ? 1 : 2); time++) {
        tsr_error err = {0};
        if (tsr_kernel_run(kernel, result, (const tsr_tensor *const *)operands, nthreads, &err) != TSR_OK)
            fail_msg("%s: %s", what, err.message);
        if (tsr_tensor_check(result, 1, &err) != TSR_OK)
            fail_msg("%s: the result: %s", what, err.message);
        dense got;
        dense_from_tensor(&got, result);
        dense_compare(&got, trial->want, trial->magnitude, trial->tolerance, what);
        if (trial->has_entries && result->order > 0 && !tsr_format_has_dense_leaf(result->format) &&
            !trial->notation->accumulate)
            compare_entries(&got, trial->want, what);
        dense_clear(&got);
    }
    return result;
}

static bool is_scheduled(const kernel_trial *trial, const char *item)
{
    return trial->schedule && strstr(trial->schedule, item);
}

/* The result with one thread, for tsr_tensor_free. */
static tsr_tensor *run_all(const kernel_trial *trial, const tsr_kernel *kernel, tsr_tensor *const *operands)
{
    const bool same = is_scheduled(trial, "exclusive") || is_scheduled(trial, "deterministic");
    tsr_tensor *first = run(trial, kernel, operands, 1);
    static const int threads[] = {3, 2, 7};
    const bool in_turns =
        trial->engine == TSR_ENGINE_INTERPRETER; /* it is slow, but sees threads at one element */
    const int turn = (int)(sum_of(trial->what) % 3);
    for (int k = in_turns ? turn : 0; k < (in_turns ? turn + 1 : 3); k++) {
        tsr_tensor *other = run(trial, kernel, operands, threads[k]);
        if (same && memcmp(first->values.data, other->values.data, tsr_array_nbytes(&first->values)) != 0)
            fail_msg("%s: other bits with %d threads than with 1", trial->what, threads[k]);
        tsr_tensor_free(other);
    }
    return first;
}

/* Kernels that are planned for other numbers of threads give the bits of `first`. */
static void run_other_plans(const kernel_trial *trial, const tsr_tensor *first,
                            const tsr_kernel_tensor *tensors, const tsr_kernel_options *options,
                            tsr_tensor *const *operands)
{
    static const int planned[] = {1, 7};
    for (int k = 0; k < 2; k++) {
        tsr_kernel_options how = *options;
        tsr_kernel *kernel;
        how.nthreads = planned[k];
        assert_ok(
            tsr_kernel_new(&kernel, trial->notation->text, tensors, trial->notation->ntensors, &how, err));
        tsr_tensor *const other = run(trial, kernel, operands, 5);
        if (memcmp(first->values.data, other->values.data, tsr_array_nbytes(&first->values)) != 0)
            fail_msg("%s: other bits when planned for %d threads", trial->what, planned[k]);
        tsr_tensor_free(other);
        tsr_kernel_free(kernel);
    }
}

/* A program that is exact gives the same bits where it is interpreted. */
static void interpret(const kernel_trial *trial, tsr_kernel *kernel, tsr_tensor *const *operands)
{
    kernel_code *const code = kernel->code;
    if (kernel->original || !code || !code->function || !tsr_ir_is_exact(kernel->lowered->ir))
        return;
    for (int nthreads = 1; nthreads <= 2; nthreads++) {
        tsr_rt_function *const function = code->function;
        tsr_tensor *const first = run(trial, kernel, operands, nthreads);
        code->function = (tsr_rt_function *)0;
        tsr_tensor *const other = run(trial, kernel, operands, nthreads);
        code->function = function;
        dense a, b;
        dense_from_tensor(&a, first);
        dense_from_tensor(&b, other);
        for (uint64_t k = 0; k < a.n; k++)
            if (memcmp(&a.v[k], &b.v[k], sizeof a.v[k]) != 0 && a.v[k] == a.v[k])
                fail_msg("%s: other bits where it is interpreted: %a, not %a", trial->what, creal(b.v[k]),
                         creal(a.v[k]));
        dense_clear(&a);
        dense_clear(&b);
        tsr_tensor_free(first);
        tsr_tensor_free(other);
    }
}

static tsr_format *parse_format(const char *text, const dense *d)
{
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, d->order, d->dims, err));
    return format;
}

tsr_status kernel_try(const kernel_trial *trial, tsr_error *err)
{
    const tsr_notation *n = trial->notation;
    tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    const dense *before = &trial->tensors[0];
    tsr_format *format = parse_format(trial->formats[0], before);
    tensors[0] = (tsr_kernel_tensor){
        .name = n->tensor[0].name, .format = format, .dims = before->dims, .type = type_of(trial, 0)};
    for (int t = 1; t < n->ntensors; t++) {
        dense_pack(&operands[t - 1], &trial->tensors[t], trial->formats[t], type_of(trial, t),
                   trial->pack ? &trial->pack[t] : NULL);
        tensors[t] = (tsr_kernel_tensor){.name = n->tensor[t].name, .tensor = operands[t - 1]};
    }
    const tsr_kernel_options options = {.schedule = trial->schedule,
                                        .engine = trial->engine,
                                        .nthreads = 2,
                                        .compiler = COMPILER,
                                        .flags = compiler_flags(trial->what),
                                        .cache_dir = tsr_test_path(tsr_test_tmp(), "cache")};
    tsr_kernel *kernel;
    const tsr_status status = tsr_kernel_new(&kernel, n->text, tensors, n->ntensors, &options, err);
    if (status == TSR_OK) {
        tsr_tensor *const first = run_all(trial, kernel, operands);
        if (is_scheduled(trial, "deterministic"))
            run_other_plans(trial, first, tensors, &options, operands);
        tsr_tensor_free(first);
        interpret(trial, kernel, operands);
        tsr_kernel_free(kernel);
    }
    for (int t = 1; t < n->ntensors; t++)
        tsr_tensor_free(operands[t - 1]);
    tsr_format_free(format);
    return status;
}
