/* Slices of tensors by lists of coordinates. */
#include "door_test.h"

/* Slices 3, 0, 3 and 1 of each format whose first level is a dense one: all their entries, in their order, with the names. */
static void test_slices_are_gathered(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        int order, mode;
    } rows[] = {{"csr", 2, 0},       {"csc", 2, 1}, {"dd", 2, 0},  {"dd:1,0", 2, 1}, {"dss", 3, 0},
                {"dds:2,0,1", 3, 2}, {"dsd", 3, 0}, {"duq", 3, 0}, {"d", 1, 0}};
    enum { N = 4, NNZ = 30 };
    const uint64_t all_dims[] = {N, N, N};
    const uint32_t list[] = {3, 0, 3, 1};
    const char *const names[] = {"a", "b", "c", "d"};
    const tessera_array index = {.data = (void *)(uintptr_t)list, .n = LENGTH(list), .type = TESSERA_U32};
    for (int f = 0; f < LENGTH(rows); f++) {
        const int order = rows[f].order, mode = rows[f].mode;
        uint64_t at[3][NNZ];
        double v[NNZ];
        tessera_array crd[3];
        for (int m = 0; m < 3; m++)
            crd[m] = (tessera_array){.data = at[m], .n = NNZ, .type = TESSERA_U64};
        for (int e = 0; e < NNZ; e++) {
            at[0][e] = (uint64_t)(e * e + e / 3) % N, at[1][e] = (uint64_t)(e * 7 + e / 5) % N;
            at[2][e] = (uint64_t)(e / 4) % N, v[e] = e + 1;
        }
        const tessera_entries entries = {.size = sizeof entries,
                                         .order = order,
                                         .dims = all_dims,
                                         .nnz = NNZ,
                                         .crd = crd,
                                         .values = {.data = v, .n = NNZ, .type = TESSERA_F64}};
        const tessera_pack_options options = {.size = sizeof options, .format = rows[f].format};
        tessera_tensor *A, *B;
        door_ok(tessera_pack(&A, &entries, &options, ctx));
        door_ok(tessera_tensor_set_labels(A, mode, names, N, ctx));
        door_ok(tessera_gather(&B, A, mode, &index, ctx));
        door_ok(tessera_tensor_check(B, ctx));
        assert_string_equal(tessera_tensor_format(B), tessera_tensor_format(A));
        double want[N * N * N] = {0}, got[N * N * N] = {0};
        for (int side = 0; side < 2; side++) {
            const tessera_tensor *const T = side ? B : A;
            const uint64_t n = tessera_tensor_nnz(T);
            uint64_t *const c[] = {calloc(n, 8), calloc(n, 8), calloc(n, 8)};
            double *const x = calloc(n, sizeof *x);
            assert_true(c[0] && c[1] && c[2] && x);
            door_ok(tessera_tensor_entries(c, x, T, ctx));
            for (uint64_t e = 0; e < n; e++)
                for (uint64_t k = 0; k < (side ? 1 : N); k++) {
                    uint64_t place[3] = {c[0][e], order > 1 ? c[1][e] : 0, order > 2 ? c[2][e] : 0};
                    if (!side && list[k] != place[mode])
                        continue;
                    place[mode] = side ? place[mode] : k;
                    (side ? got : want)[(place[0] * N + place[1]) * N + place[2]] += x[e];
                }
            free(c[0]), free(c[1]), free(c[2]), free(x);
        }
        assert_memory_equal(got, want, sizeof want);
        assert_string_equal(tessera_tensor_label(B, mode, 2), "d");
        assert_string_equal(tessera_tensor_label(B, mode, 3), "b");
        tessera_tensor_free(B);
        tessera_tensor_free(A);
    }
}

static void test_slices_that_are_refused(void **state)
{
    (void)state;
    tessera_tensor *const A = borrow_csr(ctx);
    tessera_tensor *B;
    int64_t list[] = {0, -1};
    float real[] = {1};
    tessera_array index = {.data = list, .n = 2, .type = TESSERA_I64};
    door_fails(tessera_gather(&B, A, 0, &index, ctx), TESSERA_ARGUMENT, "coordinate 1 of the list");
    assert_null(B);
    list[1] = 3;
    door_fails(tessera_gather(&B, A, 0, &index, ctx), TESSERA_ARGUMENT, "mode 0 has [0, 3)");
    door_fails(tessera_gather(&B, A, 1, &index, ctx), TESSERA_UNSUPPORTED, "convert the tensor before");
    door_fails(tessera_gather(&B, A, 2, &index, ctx), TESSERA_ARGUMENT, "no mode 2");
    door_fails(tessera_gather(&B, NULL, 0, &index, ctx), TESSERA_ARGUMENT, "missing tensor");
    door_fails(tessera_gather(&B, A, 0, NULL, ctx), TESSERA_ARGUMENT, "missing index");
    index = (tessera_array){.data = real, .n = 1, .type = TESSERA_F32};
    door_fails(tessera_gather(&B, A, 0, &index, ctx), TESSERA_ARGUMENT, "f32");
    index = (tessera_array){.n = 0, .type = TESSERA_I32};
    door_ok(tessera_gather(&B, A, 0, &index, ctx));
    assert_int_equal(tessera_tensor_dims(B)[0], 0);
    assert_int_equal(tessera_tensor_nnz(B), 0);
    tessera_tensor_free(B);
    tessera_tensor_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_are_gathered),
        cmocka_unit_test(test_slices_that_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
