/* A program that embeds libtessera-core: packs, converts, transforms, computes by a built-in kernel and by the interpreter, looks at a
 * layout and at facts; files and compilers are refused in words. Prints "ok" where all of it holds. */
#include <stdio.h>
#include <string.h>
#include <tessera/tessera.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, tessera_context_text(ctx)); \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static tessera_array indices(uint32_t *data, uint64_t n)
{
    return (tessera_array){.data = data, .n = n, .type = TESSERA_U32};
}

/* y = A x for A = [1 0 2; 0 3 0] and x = (1, 2, 3): y = (7, 6). */
static int run(tessera_engine engine, const tessera_tensor *A, const tessera_tensor *x, tessera_context *ctx)
{
    const tessera_tensor *const operands[] = {A, x};
    const tessera_kernel_options how = {.size = sizeof how, .engine = engine};
    tessera_kernel *kernel = NULL;
    tessera_tensor *y = NULL;
    tessera_array values;
    CHECK(tessera_kernel_new(&kernel, "y(i) = A(i,j)*x(j)", &how, ctx) == TESSERA_OK);
    CHECK(tessera_kernel_call(&y, kernel, operands, ctx) == TESSERA_OK);
    CHECK(tessera_tensor_array(&values, y, 0, ctx) == TESSERA_OK && values.n == 2);
    CHECK(((double *)values.data)[0] == 7 && ((double *)values.data)[1] == 6);
    tessera_tensor_free(y);
    tessera_kernel_free(kernel);
    return 0;
}

static int refusals(const tessera_tensor *A, tessera_context *ctx)
{
    const tessera_kernel_options compiled = {.size = sizeof compiled, .engine = TESSERA_ENGINE_JIT};
    const tessera_convert_options more = {.size = sizeof more, .transform = "concat=other.mtx,0"};
    tessera_kernel *kernel = NULL;
    tessera_tensor *out = NULL;
    char *text = NULL;
    CHECK(tessera_kernel_new(&kernel, "B(i,j) = 2*A(i,j)", &compiled, ctx) == TESSERA_OK);
    CHECK(tessera_kernel_call(&out, kernel, &A, ctx) == TESSERA_UNSUPPORTED);
    CHECK(strstr(tessera_context_message(ctx), "does not start a compiler"));
    tessera_kernel_free(kernel);
    CHECK(tessera_convert(&out, A, &more, ctx) == TESSERA_UNSUPPORTED);
    CHECK(strstr(tessera_context_message(ctx), "reads no files"));
    CHECK(tessera_list(&text, "codecs", ctx) == TESSERA_OK && !strstr(text, "name"));
    tessera_text_free(text);
    return 0;
}

int main(void)
{
    uint32_t i[] = {0, 0, 1}, j[] = {2, 0, 1};
    double v[] = {2, 1, 3}, xs[] = {1, 2, 3};
    const uint64_t dims[] = {2, 3}, n = 3;
    const tessera_array crd[] = {indices(i, 3), indices(j, 3)};
    const tessera_entries entries = {.size = sizeof entries,
                                     .order = 2,
                                     .dims = dims,
                                     .nnz = 3,
                                     .crd = crd,
                                     .values = {.data = v, .n = 3, .type = TESSERA_F64}};
    const tessera_pack_options csr = {.size = sizeof csr, .format = "csr"};
    const tessera_dense_parts dense = {
        .size = sizeof dense, .order = 1, .dims = &n, .type = TESSERA_F64, .data = xs};
    const tessera_convert_options turned = {
        .size = sizeof turned, .format = "dcsc", .transform = "transpose=1,0"};
    tessera_context *const ctx = tessera_context_new();
    tessera_tensor *A = NULL, *x = NULL, *T = NULL;
    tessera_layout *layout = NULL;
    char *facts = NULL;
    int64_t offset = 0;
    CHECK(tessera_pack(&A, &entries, &csr, ctx) == TESSERA_OK && tessera_tensor_nnz(A) == 3);
    CHECK(tessera_borrow_dense(&x, &dense, ctx) == TESSERA_OK);
    CHECK(run(TESSERA_ENGINE_AUTO, A, x, ctx) == 0 && run(TESSERA_ENGINE_INTERPRETER, A, x, ctx) == 0);
    CHECK(tessera_convert(&T, A, &turned, ctx) == TESSERA_OK && tessera_tensor_dims(T)[0] == 3);
    CHECK(tessera_tensor_check(T, ctx) == TESSERA_OK);
    CHECK(tessera_tensor_info(&facts, A, NULL, ctx) == TESSERA_OK && strstr(facts, "\"nnz\""));
    CHECK(tessera_layout_parse(&layout, "f32[3,5]{1,0:T(2,2)}", 0, NULL, ctx) == TESSERA_OK);
    CHECK(tessera_layout_offset(&offset, layout, (const int64_t[]){2, 3}, ctx) == TESSERA_OK && offset == 17);
    CHECK(refusals(A, ctx) == 0);
    tessera_text_free(facts);
    tessera_layout_free(layout);
    tessera_tensor_free(T);
    tessera_tensor_free(x);
    tessera_tensor_free(A);
    tessera_context_free(ctx);
    puts("ok");
    return 0;
}
