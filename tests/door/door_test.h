/* The header of the tests of the public functions. They include nothing of Tessera except tessera.h, so that they run
 * with an installed library, too. */
#ifndef DOOR_TEST_H
#define DOOR_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tessera/tessera.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof *(array))

/* The call, whose last argument is `ctx`, succeeds, or the test fails with the error. */
#define door_ok(call)                                                                             \
    do {                                                                                          \
        if ((call) != TESSERA_OK) {                                                               \
            print_error("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, tessera_context_text(ctx)); \
            fail();                                                                               \
        }                                                                                         \
    } while (0)

/* The call fails with this status, and the error contains these words. */
#define door_fails(call, wanted, words)                                                             \
    do {                                                                                            \
        const tessera_status got = (call);                                                          \
        if (got != (wanted) || tessera_context_status(ctx) != got ||                                \
            !strstr(tessera_context_text(ctx), words)) {                                            \
            print_error("%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, tessera_status_text(got), \
                        tessera_context_text(ctx));                                                 \
            fail();                                                                                 \
        }                                                                                           \
    } while (0)

/* A file in the scratch folder of the test; a ring of 4 buffers. */
static inline const char *scratch(const char *name)
{
    static char path[4][4096];
    static int next;
    char *const out = path[next++ % 4];
    const char *const folder = getenv("TSR_TMP");
    snprintf(out, sizeof path[0], "%s/%s", folder ? folder : ".", name);
    return out;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

/* The 3 x 4 matrix of most tests, as csr:
 *     . 1 2 .
 *     . . . .
 *     3 . . 4 */
static int32_t csr_pos[] = {0, 2, 2, 4};
static int32_t csr_crd[] = {1, 2, 0, 3};
static double csr_values[] = {1, 2, 3, 4};
static const uint64_t csr_dims[] = {3, 4};

static inline tessera_tensor *borrow_csr(tessera_context *ctx)
{
    const tessera_array arrays[] = {{.data = csr_pos, .n = 4, .type = TESSERA_I32},
                                    {.data = csr_crd, .n = 4, .type = TESSERA_I32},
                                    {.data = csr_values, .n = 4, .type = TESSERA_F64}};
    const tessera_parts parts = {
        .size = sizeof parts, .format = "csr", .order = 2, .dims = csr_dims, .arrays = arrays, .narrays = 3};
    tessera_tensor *A = NULL;
    door_ok(tessera_borrow(&A, &parts, ctx));
    return A;
}

static inline tessera_tensor *borrow_vector(double *data, uint64_t n, tessera_context *ctx)
{
    const tessera_dense_parts parts = {
        .size = sizeof parts, .order = 1, .dims = &n, .type = TESSERA_F64, .data = data};
    tessera_tensor *x = NULL;
    door_ok(tessera_borrow_dense(&x, &parts, ctx));
    return x;
}

/* The values of the tensor as doubles. */
static inline const double *values_of(const tessera_tensor *tensor)
{
    tessera_array values;
    assert_int_equal(tessera_tensor_find(&values, tensor, -1, "values", NULL), TESSERA_OK);
    return values.data;
}

/* The context of all tests of a program; the fixture of cmocka_run_group_tests. */
static tessera_context *ctx;

static inline int set_up(void **state)
{
    (void)state;
    ctx = tessera_context_new();
    return ctx ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    tessera_context_free(ctx);
    return 0;
}

#endif
