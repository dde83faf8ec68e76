/* Builders: entries that come a few at a time. */
#include <math.h>
#include <pthread.h>

#include "door_test.h"

static const uint64_t dims[] = {1000, 800};

static tessera_builder *new_builder(uint64_t memory_nbytes)
{
    const tessera_builder_options options = {
        .size = sizeof options, .memory_nbytes = memory_nbytes, .temp = scratch("")};
    tessera_builder *b;
    door_ok(tessera_builder_new(&b, 2, dims, TESSERA_F64, &options, ctx));
    return b;
}

/* Numbers from 0 to n - 1 that look random. */
static uint64_t hash(uint64_t k, uint64_t n)
{
    k = (k ^ (k >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
    return (k ^ (k >> 29)) % n;
}

enum { EACH = 500 };

/* Entries of piece k. Returns the status of the call. */
static tessera_status add(tessera_builder *b, uint64_t k, tessera_context *with)
{
    int32_t rows[EACH];
    int64_t columns[EACH];
    float values[EACH];
    for (uint64_t i = 0; i < EACH; i++) {
        rows[i] = (int32_t)hash(k * EACH + i, dims[0]);
        columns[i] = (int64_t)hash(3 * (k * EACH + i), dims[1]);
        values[i] = (float)hash(7 * (k * EACH + i), 1000) / 7;
    }
    const tessera_array crd[] = {{.data = rows, .n = EACH, .type = TESSERA_I32},
                                 {.data = columns, .n = EACH, .type = TESSERA_I64}};
    const tessera_array given = {.data = values, .n = EACH, .type = TESSERA_F32};
    return tessera_builder_add(b, k, crd, &given, with);
}

/* The sums of all cells by a plain loop. */
static double *sums(uint64_t npieces)
{
    double *const want = calloc(dims[0] * dims[1], sizeof *want);
    assert_non_null(want);
    for (uint64_t e = 0; e < npieces * EACH; e++)
        want[hash(e, dims[0]) * dims[1] + hash(3 * e, dims[1])] += (double)((float)hash(7 * e, 1000) / 7);
    return want;
}

/* The entries of A are those of `want`, bit by bit. */
static void check(const tessera_tensor *A, const double *want)
{
    const uint64_t n = tessera_tensor_nnz(A);
    uint64_t *const crd[] = {calloc(n, 8), calloc(n, 8)}, nonzero = 0;
    double *const values = calloc(n, sizeof *values);
    assert_true(crd[0] && crd[1] && values);
    door_ok(tessera_tensor_check(A, ctx));
    door_ok(tessera_tensor_entries(crd, values, A, ctx));
    for (uint64_t e = 0; e < n; e++) {
        assert_memory_equal(&values[e], &want[crd[0][e] * dims[1] + crd[1][e]], sizeof *values);
        nonzero += values[e] != 0;
    }
    for (uint64_t c = 0; c < dims[0] * dims[1]; c++)
        nonzero -= want[c] != 0;
    assert_int_equal(nonzero, 0);
    free(crd[0]), free(crd[1]), free(values);
}

static void test_any_format(void **state)
{
    (void)state;
    static const char *const formats[] = {"csr", "csc", "coo", "bcsr(4,4)", "hash", "dd", NULL};
    double *const want = sums(40);
    tessera_builder *const b = new_builder(0);
    for (uint64_t k = 40; k-- > 0;) /* in any sequence */
        door_ok(add(b, k, ctx));
    for (int f = 0; f < LENGTH(formats); f++) {
        const tessera_pack_options options = {.size = sizeof options, .format = formats[f]};
        tessera_tensor *A;
        door_ok(tessera_builder_finish(&A, b, 1, &options, ctx));
        check(A, want);
        tessera_tensor_free(A);
    }
    const tessera_pack_options wrong = {.size = sizeof wrong, .format = "nosuch"},
                               strict = {.size = sizeof strict, .duplicates = TESSERA_ERROR};
    tessera_tensor *A;
    door_fails(tessera_builder_finish(&A, b, 0, &wrong, ctx), TESSERA_ARGUMENT, "nosuch");
    assert_null(A);
    door_fails(tessera_builder_finish(&A, b, 0, &strict, ctx), TESSERA_DUPLICATE, "");
    tessera_context_cancel(ctx);
    door_fails(tessera_builder_finish(&A, b, 0, NULL, ctx), TESSERA_CANCELLED, "");
    tessera_context_reset(ctx);
    assert_int_equal(tessera_builder_nentries(b), 40 * EACH);
    door_ok(tessera_builder_finish(&A, b, 0, NULL, ctx));
    check(A, want);
    tessera_tensor_free(A);
    assert_int_equal(tessera_builder_nentries(b) + tessera_builder_nbytes(b), 0);
    door_ok(tessera_builder_finish(&A, b, 0, NULL, ctx));
    assert_int_equal(tessera_tensor_nnz(A), 0);
    tessera_tensor_free(A);
    tessera_builder_free(b);
    free(want);
}

/* ---- threads ---- */

typedef struct part {
    tessera_builder *b;
    uint64_t first, step, npieces;
} part;

static void *work(void *arg)
{
    const part *const p = arg;
    tessera_context *const own = tessera_context_new();
    for (uint64_t k = p->first; k < p->npieces; k += p->step)
        if (add(p->b, k, own) != TESSERA_OK)
            abort();
    tessera_context_free(own);
    return NULL;
}

/* The same bytes for any number of threads, in memory and through temporary files, and in the file. */
static void test_threads_and_files(void **state)
{
    (void)state;
    enum { NPIECES = 3000 }; /* 24 MB: more than a quarter of the limit */
    double *const want = sums(NPIECES);
    for (uint64_t nthreads = 1; nthreads < 8; nthreads += 3)
        for (int limited = 0; limited < 2; limited++) {
            tessera_builder *const b = new_builder(limited ? 64 << 20 : 0);
            part parts[8];
            pthread_t threads[8];
            for (uint64_t t = 0; t < nthreads; t++) {
                parts[t] = (part){b, t, nthreads, NPIECES};
                assert_int_equal(pthread_create(&threads[t], NULL, work, &parts[t]), 0);
            }
            for (uint64_t t = 0; t < nthreads; t++)
                assert_int_equal(pthread_join(threads[t], NULL), 0);
            assert_int_equal(tessera_builder_nentries(b), (uint64_t)NPIECES * EACH);
            assert_int_equal(tessera_builder_spilled_nbytes(b) > 0, limited);
            assert_true(!limited || tessera_builder_nbytes(b) < 20 << 20);
            const tessera_pack_options options = {.size = sizeof options, .format = "csr"};
            tessera_tensor *A;
            door_ok(tessera_builder_finish(&A, b, 1, &options, ctx));
            check(A, want);
            tessera_tensor_free(A);
#ifdef __SANITIZE_ADDRESS__ /* which keeps what is freed, so that a limit of the whole process is used up */
            if (limited) {
                tessera_builder_free(b);
                continue;
            }
#endif
            door_ok(tessera_builder_finish_file(scratch("built.bsp.h5"), b, 0, &options, NULL, ctx));
            door_ok(tessera_read(&A, scratch("built.bsp.h5"), NULL, ctx));
            assert_string_equal(tessera_tensor_format(A), "csr");
            check(A, want);
            tessera_tensor_free(A);
            assert_int_equal(tessera_builder_nentries(b) + tessera_builder_spilled_nbytes(b), 0);
            tessera_builder_free(b);
        }
    free(want);
}

/* ---- small things ---- */

static void test_single_entries(void **state)
{
    (void)state;
    const uint64_t grows[] = {0, 0, 0};
    tessera_builder *b;
    tessera_tensor *A;
    door_ok(tessera_builder_new(&b, 3, grows, TESSERA_PATTERN, NULL, ctx));
    door_ok(tessera_builder_finish(&A, b, 1, NULL, ctx));
    assert_int_equal(tessera_tensor_dims(A)[0], 0);
    tessera_tensor_free(A);
    door_ok(tessera_builder_add_one(b, 0, (const uint64_t[]){1, 2, 3}, NULL, ctx));
    door_ok(tessera_builder_add_one(b, 0, (const uint64_t[]){0, 7, 3}, NULL, NULL));
    door_ok(tessera_builder_add_one(b, 0, (const uint64_t[]){1, 2, 3}, NULL, ctx));
    door_ok(tessera_builder_finish(&A, b, 0, NULL, ctx));
    assert_int_equal(tessera_tensor_nnz(A), 2);
    assert_int_equal(tessera_tensor_dims(A)[1], 8);
    tessera_tensor_free(A);
    tessera_builder_free(b);
}

/* The first and the last by pieces and by calls; NaN and infinity are values. */
static void test_duplicates(void **state)
{
    (void)state;
    static const struct {
        tessera_duplicates how;
        double want;
    } cases[] = {{TESSERA_SUM, 15}, {TESSERA_FIRST, 4}, {TESSERA_LAST, 2}};
    tessera_builder *const b = new_builder(0);
    const uint64_t at[] = {5, 6}, other[] = {5, 7};
    const double values[] = {1, 2, 4, 8}, nan = NAN, infinity = INFINITY;
    door_ok(tessera_builder_add_one(b, 2, at, &values[0], ctx));
    door_ok(tessera_builder_add_one(b, 2, at, &values[1], ctx));
    door_ok(tessera_builder_add_one(b, 1, at, &values[2], ctx));
    door_ok(tessera_builder_add_one(b, 1, at, &values[3], ctx));
    door_ok(tessera_builder_add_one(b, 0, other, &infinity, ctx));
    door_ok(tessera_builder_add_one(b, 0, other, &nan, ctx));
    for (int c = 0; c < LENGTH(cases); c++) {
        const tessera_pack_options options = {
            .size = sizeof options, .format = "csr", .duplicates = cases[c].how};
        tessera_tensor *A;
        door_ok(tessera_builder_finish(&A, b, 1, &options, ctx));
        assert_int_equal(tessera_tensor_nnz(A), 2);
        assert_true(values_of(A)[0] == cases[c].want);
        assert_true(cases[c].how == TESSERA_FIRST ? isinf(values_of(A)[1]) : isnan(values_of(A)[1]));
        tessera_tensor_free(A);
    }
    const tessera_pack_options keep = {.size = sizeof keep, .format = "coodup", .duplicates = TESSERA_KEEP};
    tessera_tensor *A;
    door_ok(tessera_builder_finish(&A, b, 1, &keep, ctx));
    const double want[] = {4, 8, 1, 2};
    assert_int_equal(tessera_tensor_nnz(A), 6);
    assert_memory_equal(values_of(A), want, sizeof want);
    tessera_tensor_free(A);
    tessera_builder_free(b);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    const tessera_builder_options little = {.size = sizeof little, .memory_nbytes = 1000};
    const uint64_t beyond[] = {1, 800}, at[] = {1, 1};
    const double value = 1;
    tessera_builder *b;
    tessera_tensor *A;
    door_fails(tessera_builder_new(NULL, 2, dims, TESSERA_F64, NULL, ctx), TESSERA_ARGUMENT, "missing");
    door_fails(tessera_builder_new(&b, 0, dims, TESSERA_F64, NULL, ctx), TESSERA_ARGUMENT, "0 modes");
    door_fails(tessera_builder_new(&b, 17, dims, TESSERA_F64, NULL, ctx), TESSERA_ARGUMENT, "17");
    door_fails(tessera_builder_new(&b, 2, NULL, TESSERA_F64, NULL, ctx), TESSERA_ARGUMENT, "missing");
    door_fails(tessera_builder_new(&b, 2, dims, TESSERA_ANY_TYPE, NULL, ctx), TESSERA_ARGUMENT, "type");
    door_fails(tessera_builder_new(&b, 2, dims, TESSERA_F64, &little, ctx), TESSERA_ARGUMENT, "64 MiB");
    assert_null(b);
    b = new_builder(0);
    int32_t rows[] = {1, 2}, columns[] = {3, -4};
    const tessera_array crd[] = {{.data = rows, .n = 2, .type = TESSERA_I32},
                                 {.data = columns, .n = 2, .type = TESSERA_I32}},
                        real[] = {crd[0], {.data = columns, .n = 2, .type = TESSERA_F32}},
                        longer[] = {crd[0], {.data = columns, .n = 3, .type = TESSERA_I32}},
                        empty[] = {{.n = 0, .type = TESSERA_I32}, {.n = 0, .type = TESSERA_I32}};
    const tessera_array values = {.data = rows, .n = 2, .type = TESSERA_I32},
                        three = {.data = rows, .n = 3, .type = TESSERA_I32};
    door_fails(tessera_builder_add(NULL, 0, crd, &values, ctx), TESSERA_ARGUMENT, "missing builder");
    door_fails(tessera_builder_add(b, 0, NULL, &values, ctx), TESSERA_ARGUMENT, "missing coordinates");
    door_fails(tessera_builder_add(b, 0, crd, NULL, ctx), TESSERA_ARGUMENT, "missing values");
    door_fails(tessera_builder_add(b, 0, real, &values, ctx), TESSERA_ARGUMENT, "mode 1 have the type f32");
    door_fails(tessera_builder_add(b, 0, longer, &values, ctx), TESSERA_ARGUMENT, "3 coordinates of mode 1");
    door_fails(tessera_builder_add(b, 0, crd, &three, ctx), TESSERA_ARGUMENT, "3 values for 2 entries");
    door_fails(tessera_builder_add(b, 0, crd, &values, ctx), TESSERA_CORRUPT,
               "entry 1: coordinate -4 of mode 1 is negative");
    door_fails(tessera_builder_add_one(b, 0, beyond, &value, ctx), TESSERA_CORRUPT, "beyond its dim 800");
    door_fails(tessera_builder_add_one(b, 0, NULL, &value, ctx), TESSERA_ARGUMENT, "missing coordinates");
    door_fails(tessera_builder_add_one(b, 0, at, NULL, ctx), TESSERA_ARGUMENT, "missing value");
    door_ok(tessera_builder_add(b, 0, empty, &three, NULL) == TESSERA_ARGUMENT ? TESSERA_OK : TESSERA_IO);
    assert_int_equal(tessera_builder_nentries(b), 0);
    door_fails(tessera_builder_finish(&A, NULL, 0, NULL, ctx), TESSERA_ARGUMENT, "missing builder");
    door_fails(tessera_builder_finish(NULL, b, 0, NULL, ctx), TESSERA_ARGUMENT, "missing result");
    door_fails(tessera_builder_finish_file(NULL, b, 0, NULL, NULL, ctx), TESSERA_ARGUMENT, "missing path");
    door_fails(tessera_builder_finish_file(scratch("x.xyz"), b, 0, NULL, NULL, ctx), TESSERA_ARGUMENT, "xyz");
    door_fails(tessera_builder_finish_file("/nonexistent/x.mtx", b, 0, NULL, NULL, ctx), TESSERA_IO,
               "nonexistent");
    assert_int_equal(tessera_builder_nentries(NULL) + tessera_builder_nbytes(NULL) +
                         tessera_builder_spilled_nbytes(NULL),
                     0);
    tessera_builder_clear(NULL);
    tessera_builder_free(NULL);
    tessera_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_format),      cmocka_unit_test(test_threads_and_files),
        cmocka_unit_test(test_single_entries),  cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
