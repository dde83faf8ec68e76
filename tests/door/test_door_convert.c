/* Conversions from file to file: in memory and through temporary files, and the ends of calls at every step that they report. */
#include "door_test.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* ---- steps ---- */

/* Asks the call to end at step `at` (-1: never), and counts the steps. */
typedef struct steps {
    int n, at;
    char phases[64];
} steps;

static int count_step(void *user, const tessera_progress *state)
{
    steps *const s = user;
    assert_int_equal(state->size, sizeof *state);
    assert_true(state->total == 0 || state->done <= state->total);
    if (!strstr(s->phases, state->phase) && strlen(s->phases) + strlen(state->phase) + 2 < sizeof s->phases) {
        strcat(s->phases, state->phase);
        strcat(s->phases, " ");
    }
    return s->n++ == s->at;
}

/* Files in the scratch folder, without those of the cache of kernels. */
static int count_files(void)
{
    int n = 0;
    DIR *const dir = opendir(scratch("."));
    assert_non_null(dir);
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void load(char **text, size_t *n, const char *path)
{
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *n = (size_t)ftell(f);
    rewind(f);
    *text = malloc(*n + 1);
    assert_int_equal(fread(*text, 1, *n, f), *n);
    fclose(f);
}

static void same_files(const char *a, const char *b)
{
    char *x, *y;
    size_t n, m;
    load(&x, &n, a);
    load(&y, &m, b);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

static void write_text(const char *path, int nlines)
{
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k < nlines; k++)
        fprintf(f, "%d %d %d %d.5\n", 1 + k * 7919 % 97, 1 + k * 31 % 101, 1 + k % 1009, k);
    assert_int_equal(fclose(f), 0);
}

/* Cancel at each step: no file, the input as it was, and the same call works afterwards. */
static void cancel_at_each_step(const char *in, const char *suffix, const tessera_read_options *read)
{
    char out[4200], kept[4200];
    snprintf(out, sizeof out, "%s%s", scratch("cancelled"), suffix);
    snprintf(kept, sizeof kept, "%s%s", scratch("kept"), suffix);
    steps all = {.at = -1};
    remove(out);
    tessera_context_watch(ctx, count_step, &all);
    door_ok(tessera_convert_file(kept, in, read, NULL, ctx));
    assert_true(all.n > 0);
    const int nfiles = count_files(), step = all.n > 12 ? all.n / 12 : 1;
    int ncancelled = 0;
    for (int at = 0; at < all.n; at += step) {
        steps one = {.at = at};
        tessera_context_watch(ctx, count_step, &one);
        const tessera_status status = tessera_convert_file(out, in, read, NULL, ctx);
        if (status == TESSERA_OK) { /* threads have reported fewer steps this time */
            remove(out);
        } else {
            assert_int_equal(status, TESSERA_CANCELLED);
            ncancelled++;
        }
        assert_int_equal(access(out, F_OK), -1);
        assert_int_equal(count_files(), nfiles);
        tessera_context_reset(ctx);
    }
    assert_true(ncancelled > 0);
    tessera_context_watch(ctx, NULL, NULL);
    door_ok(tessera_convert_file(out, in, read, NULL, ctx));
    same_files(out, kept);
    remove(out);
    remove(kept);
}

static void test_calls_end_at_each_step(void **state)
{
    (void)state;
    char in[4200];
    snprintf(in, sizeof in, "%s", scratch("steps.tns"));
    const tessera_read_options csf = {.size = sizeof csf, .format = "csf"};
    const tessera_read_options moved = {
        .size = sizeof moved, .format = "csf", .transform = "transpose=2,0,1"};
    write_text(in, 40000);
    tessera_context_set_threads(ctx, 1);
    cancel_at_each_step(in, ".npz", NULL);
    cancel_at_each_step(in, ".tns.gz", NULL);
    cancel_at_each_step(in, ".h5", &csf);
    cancel_at_each_step(in, ".h5", &moved);
    setenv("TSR_STREAM_BUCKET", "20000", 1); /* in builds for tests: buckets of so many entries */
    cancel_at_each_step(in, ".h5", &csf);
    cancel_at_each_step(in, ".h5", &moved);
    cancel_at_each_step(in, ".tns", &csf);
    unsetenv("TSR_STREAM_BUCKET");
    tessera_context_set_threads(ctx, 0);
}

/* ---- a limit of memory ---- */

static void test_limits(void **state)
{
    (void)state;
    char in[4200];
    snprintf(in, sizeof in, "%s", scratch("limits.tns"));
    write_text(in, 30000);
    tessera_read_options read = {.size = sizeof read, .format = "csf"};
    door_ok(tessera_convert_file(scratch("whole.h5"), in, &read, NULL, ctx));
    (void)remove(scratch("part.h5")); /* of a run before */
    read.memory_nbytes = 10 << 20;
    door_fails(tessera_convert_file(scratch("part.h5"), in, &read, NULL, ctx), TESSERA_ARGUMENT,
               "too little");
    assert_int_equal(access(scratch("part.h5"), F_OK), -1);
    read.memory_nbytes = 100 << 20;
    door_ok(tessera_convert_file(scratch("part.h5"), in, &read, NULL, ctx));
    same_files(scratch("part.h5"), scratch("whole.h5"));
    read.index_width = TESSERA_INDEX_SAME;
    door_ok(tessera_convert_file(scratch("part.h5"), in, &read, NULL, ctx));
    tessera_tensor *A;
    tessera_array crd;
    door_ok(tessera_read(&A, scratch("part.h5"), NULL, ctx));
    door_ok(tessera_tensor_find(&crd, A, 2, "crd", ctx));
    assert_int_equal(tessera_type_nbytes(crd.type), 4);
    tessera_tensor_free(A);
    read = (tessera_read_options){.size = sizeof read, .transform = "slice=:,:,:,:"}; /* of three modes */
    door_fails(tessera_convert_file(scratch("none.h5"), in, &read, NULL, ctx), TESSERA_ARGUMENT,
               "slice=:,:,:,:");
    door_fails(tessera_convert_file(in, in, NULL, NULL, ctx), TESSERA_ARGUMENT, "is the input");
}

/* ---- parts, runs that are continued, comparing ---- */

static void test_parts_make_the_file(void **state)
{
    (void)state;
    char in[4200], want[4200], out[4200];
    snprintf(in, sizeof in, "%s", scratch("parts.tns"));
    snprintf(want, sizeof want, "%s", scratch("parts-want.h5"));
    snprintf(out, sizeof out, "%s", scratch("parts-out.h5"));
    write_text(in, 20000);
    remove(out);
    tessera_read_options read = {.size = sizeof read, .format = "csf"};
    door_ok(tessera_convert_file(want, in, &read, NULL, ctx));
    tessera_read_options join = read;
    join.join = 1;
    door_fails(tessera_convert_file(out, in, &join, NULL, ctx), TESSERA_ARGUMENT, "there are no shards");
    static const char *const parts[] = {"2/3", "0/3", "1/3"};
    for (int k = 0; k < 3; k++) {
        read.shard = parts[k];
        door_ok(tessera_convert_file(out, in, &read, NULL, ctx));
        assert_int_equal(access(out, F_OK), -1);
    }
    door_ok(tessera_convert_file(out, in, &join, NULL, ctx));
    same_files(out, want);
    static const char *const wrong[] = {"3/3", "1", "1/", "/3", "-1/3", "1/3x", "0/10000", "", "a/b", "0/0"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        read.shard = wrong[k];
        door_fails(tessera_convert_file(out, in, &read, NULL, ctx), TESSERA_ARGUMENT, "write I/N");
    }
    read.shard = "0/3";
    door_fails(tessera_convert_file(
                   "-", in, &read,
                   &(tessera_write_options){.size = sizeof(tessera_write_options), .codec = "tns"}, ctx),
               TESSERA_ARGUMENT, "need files");
    read.join = 1;
    door_fails(tessera_convert_file(out, in, &read, NULL, ctx), TESSERA_ARGUMENT, "use one of them");
}

/* A request to end leaves temporary files only where the caller asks for it; the next call goes on with them. */
static void test_a_run_is_continued(void **state)
{
    (void)state;
    char in[4200], want[4200], out[4200], left[4300];
    snprintf(in, sizeof in, "%s", scratch("continued.tns"));
    snprintf(want, sizeof want, "%s", scratch("continued-want.h5"));
    snprintf(out, sizeof out, "%s", scratch("continued-out.h5"));
    snprintf(left, sizeof left, "%s.tessera-tmp", out);
    write_text(in, 20000);
    remove(out);
    tessera_read_options read = {.size = sizeof read, .format = "csf"};
    door_ok(tessera_convert_file(want, in, &read, NULL, ctx));
    setenv("TSR_STREAM_BUCKET", "2000", 1); /* in builds for tests: buckets of so many entries */
    steps all = {.at = -1};
    tessera_context_watch(ctx, count_step, &all);
    read.resume = 1;
    door_ok(tessera_convert_file(out, in, &read, NULL, ctx));
    assert_int_equal(tessera_context_nwarnings(ctx), 1);
    assert_non_null(strstr(tessera_context_warning(ctx, 0), "nothing to resume"));
    same_files(out, want);
    remove(out);
    steps most = {.at = all.n - all.n / 4};
    tessera_context_watch(ctx, count_step, &most);
    assert_int_equal(tessera_convert_file(out, in, &read, NULL, ctx), TESSERA_CANCELLED);
    tessera_context_reset(ctx);
    tessera_context_watch(ctx, NULL, NULL);
    if (access(left, F_OK) == 0) { /* not in builds for users, where this file fits memory */
        read.resume = 0;
        door_fails(tessera_convert_file(out, in, &read, NULL, ctx), TESSERA_IO, "--resume");
        read.resume = 1;
        door_ok(tessera_convert_file(out, in, &read, NULL, ctx));
        assert_int_equal(tessera_context_nwarnings(ctx), 0);
        same_files(out, want);
        assert_int_equal(access(left, F_OK), -1);
    } else {
        assert_null(strstr(all.phases, "merge"));
    }
    unsetenv("TSR_STREAM_BUCKET");
}

static void test_outputs_are_compared(void **state)
{
    (void)state;
    char in[4200];
    snprintf(in, sizeof in, "%s", scratch("compared.tns"));
    write_text(in, 3000);
    tessera_read_options read = {.size = sizeof read, .format = "csf", .verify = 1};
    door_ok(tessera_convert_file(scratch("compared.h5"), in, &read, NULL, ctx));
    read.shard = "0/2"; /* comparing takes the tensor in memory */
    door_fails(tessera_convert_file(scratch("compared.h5"), in, &read, NULL, ctx), TESSERA_ARGUMENT,
               "compares in memory");
}

/* ---- kernels over files ---- */

/* y = A x with A in a file, in one block and in many, beside A in memory; x is 1. */
static void multiply_file(const char *path, const tessera_tensor *A)
{
    enum { N = 101 };
    double ones[N];
    const uint64_t dims[] = {N};
    const tessera_dense_parts parts = {
        .size = sizeof parts, .order = 1, .dims = dims, .type = TESSERA_F64, .data = ones};
    const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER};
    const tessera_read_options read = {.size = sizeof read, .memory_nbytes = 64 << 20};
    tessera_tensor *x, *y, *want;
    tessera_kernel *k;
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    door_ok(tessera_borrow_dense(&x, &parts, ctx));
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j,k)*x(j)", &options, ctx));
    door_ok(tessera_kernel_call(&want, k, (const tessera_tensor *[]){A, x}, ctx));
    for (int round = 0; round < 2; round++) {
        steps all = {.at = -1}, first = {.at = 0};
        if (round)
            setenv("TSR_BLOCK", "2000", 1); /* in builds for tests: blocks of so many bytes */
        tessera_context_watch(ctx, count_step, &all);
        door_ok(tessera_kernel_call_file(&y, k, (const tessera_tensor *[]){NULL, x}, path, &read, ctx));
        assert_non_null(strstr(all.phases, "read"));
        tessera_array a, b;
        door_ok(tessera_tensor_find(&a, y, 0, "values", ctx));
        door_ok(tessera_tensor_find(&b, want, 0, "values", ctx));
        assert_int_equal(a.n, b.n);
        assert_memory_equal(a.data, b.data, a.n * sizeof(double)); /* halves: sums are exact */
        tessera_tensor_free(y);
        tessera_context_watch(ctx, count_step, &first);
        assert_int_equal(
            tessera_kernel_call_file(&y, k, (const tessera_tensor *[]){NULL, x}, path, &read, ctx),
            TESSERA_CANCELLED);
        tessera_context_reset(ctx);
        tessera_context_watch(ctx, NULL, NULL);
    }
    unsetenv("TSR_BLOCK");
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(want);
}

static void test_kernels_over_files(void **state)
{
    (void)state;
    char in[4200], out[4200];
    const tessera_read_options csf = {.size = sizeof csf, .format = "csf"},
                               select = {.size = sizeof select, .select = "0:2"},
                               little = {.size = sizeof little, .memory_nbytes = 1 << 20};
    const tessera_tensor *none[] = {NULL, NULL};
    tessera_tensor *A, *y;
    tessera_kernel *k;
    snprintf(in, sizeof in, "%s", scratch("product.tns"));
    snprintf(out, sizeof out, "%s", scratch("product.h5"));
    write_text(in, 3000);
    door_ok(tessera_read(&A, in, &csf, ctx));
    door_ok(tessera_convert_file(out, in, &csf, NULL, ctx));
    multiply_file(in, A);
    multiply_file(out, A);
    door_ok(tessera_kernel_new(&k, "s = A(i,j,k)*b(j)", NULL, ctx));
    door_fails(tessera_kernel_call_file(&y, k, none, out, NULL, ctx), TESSERA_ARGUMENT,
               "missing the tensor b");
    none[0] = A;
    none[1] = A;
    door_fails(tessera_kernel_call_file(&y, k, none, out, NULL, ctx), TESSERA_ARGUMENT, "no operand is left");
    tessera_kernel_free(k);
    none[0] = NULL;
    door_ok(tessera_kernel_new(&k, "s = A(i,j,k)", NULL, ctx));
    door_fails(tessera_kernel_call_file(&y, k, none, out, &select, ctx), TESSERA_ARGUMENT,
               "leave out format");
    door_fails(tessera_kernel_call_file(&y, k, none, out, &little, ctx), TESSERA_ARGUMENT, "too little");
    door_fails(tessera_kernel_call_file(&y, k, none, scratch("absent.h5"), NULL, ctx), TESSERA_IO, "");
    door_fails(tessera_kernel_call_file(NULL, k, none, out, NULL, ctx), TESSERA_ARGUMENT, "missing result");
    door_fails(tessera_kernel_call_file(&y, NULL, none, out, NULL, ctx), TESSERA_ARGUMENT, "missing kernel");
    door_fails(tessera_kernel_call_file(&y, k, none, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing path");
    tessera_kernel_free(k);
    door_ok(tessera_kernel_new(&k, "s = A(i,j) + 1", NULL, ctx));
    door_fails(tessera_kernel_call_file(&y, k, none, out, NULL, ctx), TESSERA_ARGUMENT, "3 modes");
    tessera_kernel_free(k);
    tessera_tensor_free(A);
}

/* ---- other threads ---- */

typedef struct late {
    tessera_context *ctx;
    atomic_int ended;
} late;

static void *cancel_later(void *arg)
{
    late *const l = arg;
    tessera_progress progress = {.size = sizeof progress};
    do {
        nanosleep(&(struct timespec){0, 1000000}, NULL);
        tessera_context_progress(&progress, l->ctx);
    } while (strcmp(progress.phase, "run") != 0 && !atomic_load(&l->ended));
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    tessera_context_cancel(l->ctx);
    return NULL;
}

/* The interpreter once ended with tessera_interrupt alone. */
static void test_a_request_ends_the_interpreter(void **state)
{
    (void)state;
    enum { N = 500 }; /* N^3 products take half a minute */
    late l = {.ctx = ctx};
    pthread_t thread;
    double *const x = calloc((size_t)N * N, sizeof *x);
    const uint64_t dims[2] = {N, N};
    const tessera_dense_parts parts = {
        .size = sizeof parts, .order = 2, .dims = dims, .type = TESSERA_F64, .data = x};
    const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER};
    tessera_tensor *A, *C;
    tessera_kernel *k;
    door_ok(tessera_borrow_dense(&A, &parts, ctx));
    const tessera_tensor *const operands[] = {A, A};
    door_ok(tessera_kernel_new(&k, "C(i,j) = A(i,k)*B(k,j)", &options, ctx));
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, &l), 0);
    const tessera_status status = tessera_kernel_call(&C, k, operands, ctx);
    atomic_store(&l.ended, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, TESSERA_CANCELLED);
    assert_null(C);
    tessera_context_reset(ctx);
    tessera_kernel_free(k);
    tessera_tensor_free(A);
    free(x);
}

static int end_runs(void *user, const tessera_progress *state)
{
    (void)user;
    return strcmp(state->phase, "run") == 0;
}

static void test_a_watch_ends_runs(void **state)
{
    (void)state;
    double x_data[] = {1, 2, 3, 4};
    tessera_tensor *A = borrow_csr(ctx), *x = borrow_vector(x_data, 4, ctx), *y;
    const tessera_tensor *const operands[] = {A, x};
    tessera_times times = {.size = sizeof times};
    tessera_kernel *k;
    door_ok(tessera_kernel_new(&k, "y(i) = A(i,j)*x(j)", NULL, ctx));
    door_ok(tessera_kernel_result(&y, k, operands, ctx));
    tessera_context_watch(ctx, end_runs, NULL);
    door_fails(tessera_kernel_run(k, y, operands, ctx), TESSERA_CANCELLED, "cancelled");
    assert_true(values_of(y)[0] == 0);
    tessera_context_reset(ctx);
    door_fails(tessera_kernel_time(&times, k, y, operands, ctx), TESSERA_CANCELLED, "cancelled");
    tessera_context_reset(ctx);
    tessera_context_watch(ctx, NULL, NULL);
    door_ok(tessera_kernel_run(k, y, operands, ctx));
    assert_true(values_of(y)[0] == 8);
    tessera_tensor_free(y);
    tessera_kernel_free(k);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_end_at_each_step),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_parts_make_the_file),
        cmocka_unit_test(test_a_run_is_continued),
        cmocka_unit_test(test_kernels_over_files),
        cmocka_unit_test(test_outputs_are_compared),
        cmocka_unit_test(test_a_request_ends_the_interpreter),
        cmocka_unit_test(test_a_watch_ends_runs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
