/* Contexts: errors, warnings, cancelling, progress, threads at once, fork. */
#include "door_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void test_constants(void **state)
{
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(tessera_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(10000 * major + 100 * minor + patch, TSR_VERSION_NUMBER);
    assert_string_equal(tessera_version(), TSR_VERSION);
    assert_string_equal(tessera_status_text(TESSERA_OK), "no error");
    assert_string_equal(tessera_status_text((tessera_status)-1), "?");
    assert_string_equal(tessera_type_text(TESSERA_C128), "c128");
    assert_string_equal(tessera_type_text(TESSERA_ANY_TYPE), "?");
    assert_int_equal(tessera_type_nbytes(TESSERA_C128), 16);
    assert_int_equal(tessera_type_nbytes(TESSERA_BF16), 2);
    assert_int_equal(tessera_type_nbytes((tessera_type)15), 0);
}

static void test_errors_belong_to_a_call(void **state)
{
    (void)state;
    tessera_format *format;
    door_fails(tessera_format_parse(&format, "d!", 2, NULL, ctx), TESSERA_SYNTAX, "!");
    assert_int_equal(tessera_context_column(ctx), 2);
    assert_true(strlen(tessera_context_message(ctx)) > 0);
    door_ok(tessera_format_parse(&format, "dd", 2, NULL, ctx));
    assert_string_equal(tessera_context_message(ctx), "");
    assert_string_equal(tessera_context_text(ctx), "");
    assert_int_equal(tessera_context_column(ctx), 0);
    tessera_format_free(format);
    /* without a context there is the status */
    assert_int_equal(tessera_format_parse(&format, "d!", 2, NULL, NULL), TESSERA_SYNTAX);
    assert_null(format);
    assert_int_equal(tessera_context_status(NULL), TESSERA_OK);
    assert_string_equal(tessera_context_text(NULL), "");
    assert_string_equal(tessera_context_path(NULL), "");
    assert_string_equal(tessera_context_message(NULL), "");
    assert_int_equal(tessera_context_nwarnings(NULL) + (int)tessera_context_line(NULL), 0);
    assert_null(tessera_context_warning(NULL, 0));
    tessera_context_cancel(NULL);
    tessera_context_reset(NULL);
    tessera_context_set_threads(NULL, 3);
    tessera_context_free(NULL);
    tessera_text_free(NULL);
}

static void test_warnings_are_kept(void **state)
{
    (void)state;
    const char *const path = scratch("edges.tns");
    tessera_tensor *A;
    write_file(path, "1 2\n3 4\n"); /* two columns: a list of edges or a vector with values */
    door_ok(tessera_read(&A, path, NULL, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 1);
    assert_non_null(strstr(tessera_context_warning(ctx, 0), "edges.tns"));
    assert_null(tessera_context_warning(ctx, 1));
    tessera_tensor_free(A);
    A = borrow_csr(ctx);
    assert_int_equal(tessera_context_nwarnings(ctx), 0);
    tessera_tensor_free(A);
}

/* ---- cancelling ---- */

static void test_a_request_ends_calls(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx), *B;
    const tessera_tensor *const operands[] = {A, x};
    const tessera_convert_options csc = {.size = sizeof csc, .format = "csc"};
    tessera_kernel *k;
    tessera_progress progress = {.size = sizeof progress, .phase = NULL};
    struct stat st;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    tessera_context_progress(&progress, ctx);
    assert_non_null(progress.phase);
    tessera_context_cancel(ctx);
    door_fails(tessera_convert(&B, A, &csc, ctx), TESSERA_CANCELLED, "cancelled");
    assert_null(B);
    door_fails(tessera_kernel_call(&B, k, operands, ctx), TESSERA_CANCELLED, "cancelled");
    door_fails(tessera_write(scratch("cancelled.mtx"), A, NULL, ctx), TESSERA_CANCELLED, "cancelled");
    assert_int_not_equal(stat(scratch("cancelled.mtx"), &st), 0);
    tessera_context_reset(ctx);
    assert_int_equal(tessera_context_status(ctx), TESSERA_OK);
    door_ok(tessera_kernel_call(&B, k, operands, ctx));
    tessera_tensor_free(B);
    tessera_interrupt(0);
    tessera_interrupt(1);
    door_fails(tessera_convert(&B, A, &csc, ctx), TESSERA_CANCELLED, "cancelled");
    assert_int_equal(tessera_convert(&B, A, &csc, NULL), TESSERA_CANCELLED);
    tessera_interrupt(0);
    door_ok(tessera_convert(&B, A, &csc, ctx));
    tessera_tensor_free(B);
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
}

/* Converts until a call is cancelled. */
static void *convert_on(void *arg)
{
    tessera_context *const own = arg;
    tessera_tensor *const A = borrow_csr(own), *B = NULL;
    const tessera_convert_options csc = {.size = sizeof csc, .format = "csc"};
    tessera_status status = TESSERA_OK;
    while (status == TESSERA_OK) {
        status = tessera_convert(&B, A, &csc, own);
        tessera_tensor_free(B);
    }
    tessera_tensor_free(A);
    return status == TESSERA_CANCELLED ? own : NULL;
}

static void test_a_request_from_another_thread_ends_calls(void **state)
{
    (void)state;
    tessera_context *const own = tessera_context_new();
    tessera_progress progress = {.size = sizeof progress};
    pthread_t thread;
    void *ended;
    assert_int_equal(pthread_create(&thread, NULL, convert_on, own), 0);
    do
        tessera_context_progress(&progress, own);
    while (strcmp(progress.phase, "pack") != 0); /* seen in the middle of a call */
    assert_true(progress.done <= progress.total);
    tessera_context_cancel(own);
    assert_int_equal(pthread_join(thread, &ended), 0);
    assert_ptr_equal(ended, own);
    tessera_context_free(own);
}

/* A kernel whose compiler does not end by itself. */
typedef struct compiling {
    tessera_context *ctx;
    const char *compiler;
    atomic_int ended;
} compiling;

static void *compile(void *arg)
{
    compiling *const c = arg;
    double x_data[] = {1, 2, 3, 4};
    const tessera_kernel_options jit = {
        .size = sizeof jit, .engine = TESSERA_ENGINE_JIT, .compiler = c->compiler, .no_cache = 1};
    tessera_tensor *const A = borrow_csr(c->ctx), *const x = borrow_vector(x_data, 4, c->ctx);
    const tessera_tensor *const operands[] = {A, x};
    tessera_kernel *k = NULL;
    tessera_status status = tessera_kernel_new(&k, "y(i) = 3*A(i,j)*x(j)", &jit, c->ctx);
    if (status == TESSERA_OK)
        status = tessera_kernel_prepare(k, operands, c->ctx);
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    atomic_store(&c->ended, 1);
    return status == TESSERA_CANCELLED ? c : NULL;
}

/* tessera_context_cancel once left the compiler running: only tessera_interrupt ended it. */
static void test_a_request_ends_the_compiler(void **state)
{
    (void)state;
    const char *const script = scratch("endless-cc");
    compiling c = {.ctx = tessera_context_new(), .compiler = script};
    tessera_progress progress = {.size = sizeof progress};
    pthread_t thread;
    void *ended;
    write_file(script, "#!/bin/sh\n[ \"$1\" = --version ] && exit\nsleep 20\nexit 1\n");
    assert_int_equal(chmod(script, 0700), 0);
    assert_int_equal(pthread_create(&thread, NULL, compile, &c), 0);
    do {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        tessera_context_progress(&progress, c.ctx);
    } while (strcmp(progress.phase, "compile") != 0 && !atomic_load(&c.ended));
    tessera_context_cancel(c.ctx);
    assert_int_equal(pthread_join(thread, &ended), 0);
    assert_ptr_equal(ended, &c);
    tessera_context_free(c.ctx);
}

/* ---- compilers in the background ---- */

/* A compiler that waits until there is a file "go", and then is cc, or fails; it leaves a file "late" where nobody made "go" meanwhile. */
static const char *waiting_compiler(const char *then)
{
    static char script[4096];
    char text[16000];
    const char *const go = scratch("go"), *const late = scratch("late");
    snprintf(script, sizeof script, "%s", scratch("waiting-cc"));
    remove(go);
    remove(late);
    snprintf(text, sizeof text,
             "#!/bin/sh\n[ \"$1\" = --version ] && exec cc --version\nn=0\n"
             "while [ ! -e '%s' ] && [ $n -lt 600 ]; do sleep .05; n=$((n + 1)); done\n"
             "[ -e '%s' ] || echo > '%s'\n%s\n",
             go, go, late, then);
    write_file(script, text);
    assert_int_equal(chmod(script, 0700), 0);
    return script;
}

/* A kernel that is not built in, its operand, and a number of its expression. */
typedef struct background {
    tessera_kernel *kernel;
    tessera_tensor *A;
    int number;
} background;

/* A kernel of an expression that no cache knows. */
static background background_new(const char *words, const char *then, tessera_context *own)
{
    static int ntests;
    char expression[100];
    background b = {.A = borrow_csr(own), .number = 10 * (int)getpid() + ntests++};
    snprintf(expression, sizeof expression, "C(i,j) = (%s + %d)*!!A(i,j)", words, b.number);
    const tessera_kernel_options how = {.size = sizeof how,
                                        .format = "dense",
                                        .compiler = waiting_compiler(then),
                                        .cache_dir = scratch("background")};
    door_ok(tessera_kernel_new(&b.kernel, expression, &how, own));
    return b;
}

static void background_free(background *b)
{
    struct stat s;
    assert_int_not_equal(stat(scratch("late"), &s), 0); /* no run has waited for it */
    tessera_kernel_free(b->kernel);
    tessera_tensor_free(b->A);
}

/* Whether the kernel has the result: max(A, 2) plus the number at entries of A. */
static bool has_result(const background *b, tessera_context *own)
{
    const double more = b->number;
    const tessera_tensor *const operands[] = {b->A};
    tessera_tensor *C = NULL;
    if (tessera_kernel_call(&C, b->kernel, operands, own) != TESSERA_OK)
        return false;
    const double *const c = values_of(C), want[] = {2 + more, 2 + more, 3 + more, 4 + more};
    const bool is_right = c[1] == want[0] && c[2] == want[1] && c[8] == want[2] && c[11] == want[3];
    tessera_tensor_free(C);
    return is_right;
}

static void expect_engine(const background *b, const char *words)
{
    const tessera_tensor *const operands[] = {b->A};
    char *text;
    door_ok(tessera_kernel_print(&text, b->kernel, TESSERA_TEXT_ENGINE, operands, ctx));
    if (!strstr(text, words))
        fail_msg("the engine is '%s', not '%s'", text, words);
    tessera_text_free(text);
}

static void *run_often(void *arg)
{
    const background *const b = arg;
    tessera_context *const own = tessera_context_new();
    bool is_right = true;
    for (int k = 0; k < 100; k++)
        is_right = is_right && has_result(b, own);
    tessera_context_free(own);
    return is_right ? arg : NULL;
}

/* Runs do not wait for the compiler, in several threads and before and after it has ended. */
static void test_runs_while_a_compiler_works(void **state)
{
    (void)state;
    background b = background_new("max(A(i,j), 2)", "exec cc \"$@\"", ctx);
    pthread_t thread[2];
    assert_true(has_result(&b, ctx));
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, run_often, &b), 0);
    write_file(scratch("go"), "");
    for (int t = 0; t < 2; t++) {
        void *ended;
        assert_int_equal(pthread_join(thread[t], &ended), 0);
        assert_ptr_equal(ended, &b);
    }
    expect_engine(&b, "compiled");
    assert_true(has_result(&b, ctx));
    background_free(&b);
}

/* The context, and then the kernel, are freed while the compiler works, which would never end: it is ended. */
static void test_a_context_ends_its_compilers(void **state)
{
    (void)state;
    tessera_context *const own = tessera_context_new();
    background b = background_new("max(A(i,j), 2)", "exec cc \"$@\"", own);
    assert_true(has_result(&b, own));
    tessera_context_free(own);
    assert_true(has_result(&b, ctx));
    background_free(&b);
}

/* A compiler that fails later is told where it is found out. */
static void test_a_compiler_fails_later(void **state)
{
    (void)state;
    background b = background_new("max(A(i,j), 2)", "exit 7", ctx);
    const tessera_tensor *const operands[] = {b.A};
    assert_true(has_result(&b, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 0);
    write_file(scratch("go"), "");
    door_ok(tessera_kernel_prepare(b.kernel, operands, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 1);
    assert_non_null(strstr(tessera_context_warning(ctx, 0), "exit code 7"));
    assert_true(has_result(&b, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 0);
    expect_engine(&b, "interpreted: ");
    background_free(&b);
}

/* What has other bits where it is interpreted waits for the compiler, which leaves a file when it has ended. */
static void test_sums_of_products_wait(void **state)
{
    (void)state;
    char then[4200];
    struct stat s;
    const char *const ended = scratch("ended");
    remove(ended);
    snprintf(then, sizeof then, "sleep .1; cc \"$@\" && echo > '%s'", ended);
    background b = background_new("A(i,j)*7", then, ctx);
    const tessera_tensor *const operands[] = {b.A};
    tessera_tensor *C;
    write_file(scratch("go"), "");
    door_ok(tessera_kernel_call(&C, b.kernel, operands, ctx));
    assert_true(values_of(C)[11] == 28 + b.number);
    assert_int_equal(stat(scratch("ended"), &s), 0);
    tessera_tensor_free(C);
    background_free(&b);
}

/* A child of fork neither waits for the compiler of its parent nor ends it. */
static void test_a_child_compiles_itself(void **state)
{
    (void)state;
    background b = background_new("max(A(i,j), 2)", "exec cc \"$@\"", ctx);
    int status;
    assert_true(has_result(&b, ctx));
    write_file(scratch("go"), "");
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* a child that hangs is ended */
        const bool is_right = has_result(&b, ctx);
        background_free(&b);
        tessera_context_free(ctx);
        _exit(is_right ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(has_result(&b, ctx));
    expect_engine(&b, "compiled");
    background_free(&b);
}

typedef struct reader {
    const char *path;
    tessera_context *ctx;
    tessera_status status;
} reader;

static void *read_pipe(void *arg)
{
    reader *const r = arg;
    tessera_tensor *A;
    const tessera_read_options mtx = {.size = sizeof mtx, .codec = "mtx"};
    r->status = tessera_read(&A, r->path, &mtx, r->ctx);
    return NULL;
}

/* A call that waits for a pipe that nobody writes to. */
static void test_waits_end(void **state)
{
    (void)state;
    reader r = {.path = scratch("pipe"), .ctx = tessera_context_new()};
    pthread_t thread;
    remove(r.path);
    assert_int_equal(mkfifo(r.path, 0600), 0);
    tessera_interrupt(0);
    assert_int_equal(pthread_create(&thread, NULL, read_pipe, &r), 0);
    tessera_interrupt(1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(r.status, TESSERA_CANCELLED);
    tessera_interrupt(0);
    /* the request of a context once did not end such waits */
    r.status = TESSERA_OK;
    assert_int_equal(pthread_create(&thread, NULL, read_pipe, &r), 0);
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    tessera_context_cancel(r.ctx);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(r.status, TESSERA_CANCELLED);
    tessera_context_free(r.ctx);
}

/* ---- threads at once ---- */

enum { NTHREADS = 8, NROUNDS = 50 };

typedef struct worker {
    const tessera_tensor *A;
    tessera_kernel *kernel;
    int number, nfailed;
} worker;

static void work(worker *w, tessera_context *own)
{
    double x_data[4] = {1, 2, 3, 4};
    const uint64_t n = 4;
    const tessera_dense_parts parts = {
        .size = sizeof parts, .order = 1, .dims = &n, .type = TESSERA_F64, .data = x_data};
    const tessera_convert_options csc = {.size = sizeof csc, .format = w->number % 2 ? "csc" : "dd"};
    tessera_tensor *x = NULL, *y = NULL, *B = NULL, *last = NULL;
    char *text = NULL;
    w->nfailed += tessera_borrow_dense(&x, &parts, own) != TESSERA_OK;
    w->nfailed += tessera_convert(&B, w->A, &csc, own) != TESSERA_OK;
    const tessera_tensor *const operands[] = {B, x};
    for (int i = 0; i < NROUNDS && w->nfailed == 0; i++) {
        x_data[0] = w->number;
        w->nfailed += tessera_kernel_call(&y, w->kernel, operands, own) != TESSERA_OK;
        w->nfailed += y && values_of(y)[2] != 3 * w->number + 16;
        w->nfailed += tessera_kernel_print(&text, w->kernel, (tessera_kernel_text)99, operands, own) !=
                      TESSERA_ARGUMENT;
        w->nfailed += !strstr(tessera_context_text(own), "99");
        w->nfailed += strcmp(tessera_tensor_format(w->A), "csr") != 0;
        last = tessera_tensor_share((tessera_tensor *)(uintptr_t)w->A);
        tessera_tensor_free(last);
        tessera_tensor_free(y);
        y = NULL;
    }
    tessera_tensor_free(x);
    tessera_tensor_free(B);
}

static void *run_worker(void *arg)
{
    tessera_context *const own = tessera_context_new();
    tessera_context_set_threads(own, 2);
    work(arg, own);
    tessera_context_free(own);
    return NULL;
}

static void test_threads_share_handles(void **state)
{
    (void)state;
    const tessera_kernel_options interpreted = {.size = sizeof interpreted,
                                                .engine = TESSERA_ENGINE_INTERPRETER};
    tessera_tensor *const A = borrow_csr(ctx);
    tessera_kernel *k;
    pthread_t thread[NTHREADS];
    worker workers[NTHREADS];
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", &interpreted, ctx));
    for (int t = 0; t < NTHREADS; t++) {
        workers[t] = (worker){.A = A, .kernel = k, .number = t};
        assert_int_equal(pthread_create(&thread[t], NULL, run_worker, &workers[t]), 0);
    }
    for (int t = 0; t < NTHREADS; t++) {
        assert_int_equal(pthread_join(thread[t], NULL), 0);
        assert_int_equal(workers[t].nfailed, 0);
    }
    assert_int_equal(tessera_kernel_nlowered(k), 2); /* csc and dd, each once */
    tessera_kernel_free(k);
    tessera_tensor_free(A);
}

/* ---- fork ---- */

/* Work that uses several threads. */
static int compute(void)
{
    enum { N = 200000 };
    static double x_data[N], v[N];
    static uint64_t r[N];
    tessera_tensor *A = NULL, *x = NULL, *y = NULL, *B = NULL;
    tessera_kernel *k = NULL;
    tessera_context *const own = tessera_context_new();
    int good = 0;
    for (uint64_t i = 0; i < N; i++) {
        r[i] = N - 1 - i;
        v[i] = 1;
        x_data[i] = (double)i;
    }
    const uint64_t dims[] = {N, N};
    const tessera_array crd[] = {{.data = r, .n = N, .type = TESSERA_U64},
                                 {.data = r, .n = N, .type = TESSERA_U64}};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 2,
                                     .dims = dims,
                                     .nnz = N,
                                     .crd = crd,
                                     .values = {.data = v, .n = N, .type = TESSERA_F64}};
    const tessera_pack_options csr = {.size = sizeof csr, .format = "csr"};
    const tessera_convert_options csc = {.size = sizeof csc, .format = "csc"};
    const tessera_dense_parts parts = {
        .size = sizeof parts, .order = 1, .dims = dims, .type = TESSERA_F64, .data = x_data};
    tessera_context_set_threads(own, 4);
    if (tessera_pack(&A, &entries, &csr, own) == TESSERA_OK &&
        tessera_convert(&B, A, &csc, own) == TESSERA_OK &&
        tessera_borrow_dense(&x, &parts, own) == TESSERA_OK &&
        tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, own) == TESSERA_OK) {
        const tessera_tensor *const operands[] = {A, x};
        if (tessera_kernel_call(&y, k, operands, own) == TESSERA_OK)
            good = values_of(y)[N - 1] == N - 1;
    }
    tessera_kernel_free(k);
    tessera_tensor_free(y);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    tessera_tensor_free(B);
    tessera_context_free(own);
    return good;
}

/* The threads of this process; 1 where the system does not tell. */
static int count_threads(void)
{
    struct stat folder;
    return stat("/proc/self/task", &folder) == 0 && folder.st_nlink > 2 ? (int)folder.st_nlink - 2 : 1;
}

/* Two threads of a program that had both kept OpenMP's threads waited for them in every region. */
static void test_kept_threads_are_released(void **state)
{
    (void)state;
    assert_true(compute());
    const int kept = count_threads();
    assert_true(kept > 0);
    for (int i = 0; i < 2; i++) /* the second one finds nothing to end */
        tessera_threads_release();
#ifndef __clang__ /* LLVM's threads stay */
    for (int i = 0; i < 5000 && kept > 1 && count_threads() >= kept; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(kept == 1 || count_threads() < kept);
#endif
    assert_true(compute());
}

/* libgomp hangs in a child of fork that starts a parallel region after its parent has run one. */
static void test_a_child_of_fork_works(void **state)
{
    (void)state;
    int status = -1;
    assert_true(compute());
    const pid_t child = fork();
    if (child == 0) {
        alarm(60); /* a child that hangs is ended */
        _exit(compute() ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(compute()); /* the parent has its threads */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_errors_belong_to_a_call),
        cmocka_unit_test(test_warnings_are_kept),
        cmocka_unit_test(test_a_request_ends_calls),
        cmocka_unit_test(test_a_request_from_another_thread_ends_calls),
        cmocka_unit_test(test_a_request_ends_the_compiler),
        cmocka_unit_test(test_runs_while_a_compiler_works),
        cmocka_unit_test(test_a_context_ends_its_compilers),
        cmocka_unit_test(test_a_compiler_fails_later),
        cmocka_unit_test(test_sums_of_products_wait),
        cmocka_unit_test(test_a_child_compiles_itself),
        cmocka_unit_test(test_waits_end),
        cmocka_unit_test(test_threads_share_handles),
        cmocka_unit_test(test_kept_threads_are_released),
        cmocka_unit_test(test_a_child_of_fork_works),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
