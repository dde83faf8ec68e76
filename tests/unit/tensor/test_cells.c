/* The cells of packed tensors: which positions are entries, how many, and where they are. What broke: one
 * counter compared with 0 where the tensor has another fill, and the tools' counter was serial. */
#include "tsr_test.h"

#include "random_format.h"
#include "cells_internal.h"
#include "tsr_pack.h"

/* A tensor of random entries, none of which is the fill (all bytes `fill`); *nnz of them. */
static tsr_tensor *packed(tsr_rng *rng, const char *text, tsr_shape shape, tsr_type type, int fill,
                          uint64_t *nnz)
{
    const int order = shape.ndims;
    const uint64_t *const dims = shape.dims;
    tsr_coo *coo;
    tsr_format *format;
    tsr_tensor *tensor;
    uint64_t ncells = 1;
    for (int m = 0; m < order; m++)
        ncells *= dims[m];
    *nnz = 0;
    bool *const there = calloc(ncells, 1);
    for (uint64_t c = 0; c < ncells; c++) {
        there[c] = tsr_rng_below(rng, 3) == 0;
        *nnz += there[c];
    }
    assert_ok(tsr_coo_new_sized(&coo, shape, type, false, *nnz, err));
    uint64_t e = 0;
    for (uint64_t c = 0; c < ncells; c++) {
        uint64_t rest = c;
        for (int m = order - 1; there[c] && m >= 0; m--) {
            tsr_array_set(&coo->crd[m], e, rest % dims[m]);
            rest /= dims[m];
        }
        if (there[c])
            memset((char *)coo->values.data + e++ * coo->values.width, fill ? 0 : 1, coo->values.width);
    }
    free(there);
    coo->has_fill = fill != 0;
    memset(coo->fill, fill, tsr_type_nbytes(type));
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    const tsr_pack_options how = {.nthreads = 1};
    assert_ok(tsr_pack(&tensor, coo, format, &how, NULL, err));
    tsr_format_free(format);
    return tensor;
}

/* Counting, selecting, asking and climbing agree. */
static void check_cells(const tsr_tensor *tensor, uint64_t nnz)
{
    cell_climber walker;
    cell_rows block;
    uint64_t n = 0;
    assert_ok(tsr_tensor_check(tensor, 2, err));
    for (int nthreads = 1; nthreads <= 3; nthreads++)
        assert_int_equal(tsr_cells_nstored(tensor, nthreads), nnz);
    assert_ok(cell_climber_init(&walker, tensor, err));
    assert_ok(cell_rows_init(&block, &walker, tensor->order, err));
    for (uint64_t first = 0, step; first < tensor->npos; first += step) {
        step = tensor->npos - first < 100 ? tensor->npos - first : 100;
        const size_t found = cells_select(block.leaf, tensor, first, (size_t)step);
        size_t k = 0;
        for (uint64_t p = first; p < first + step; p++)
            if (cell_is_stored(tensor, p))
                assert_int_equal(block.leaf[k++], p);
        assert_int_equal(k, found);
        assert_true(cell_rows_climb(&block, &walker, found)); /* entries are not padding */
        for (k = 0; k < found; k++) {
            uint64_t storage[TSR_MAX_LEVELS];
            int64_t mode[TSR_MAX_ORDER], level[TSR_MAX_LEVELS];
            cell_storage(storage, tensor, block.leaf[k]);
            for (int m = 0; m < tensor->order; m++)
                mode[m] = (int64_t)block.mode[m][k];
            assert_ok(tsr_map_eval(level, tensor->binding->forward, mode, err));
            for (int l = 0; l < tensor->nlevels; l++)
                assert_int_equal(level[l] - tensor->binding->base[l], storage[l]);
        }
        n += found;
    }
    assert_int_equal(n, nnz);
    cell_rows_clear(&block);
    cell_climber_clear(&walker);
}

static void test_random(void **state)
{
    (void)state;
    static const tsr_type types[] = {TSR_I8, TSR_I16, TSR_F32, TSR_F64, TSR_C128};
    tsr_rng rng = {5};
    for (int i = 0; i < 300; i++) {
        char text[RANDOM_FORMAT_NBYTES];
        uint64_t dims[TSR_MAX_ORDER], nnz;
        const int order = 1 + (int)tsr_rng_below(&rng, 3);
        for (int m = 0; m < order; m++)
            dims[m] = 1 + tsr_rng_below(&rng, 8);
        random_format(text, &rng, order, dims, i % 2 == 0);
        tsr_tensor *const tensor =
            packed(&rng, text, (tsr_shape){order, dims}, types[i % 5], i % 3 ? 7 : 0, &nnz);
        if (!tensor->levels[tensor->nlevels - 1].type->repeats) /* runs: several entries at one position */
            check_cells(tensor, nnz);
        tsr_tensor_free(tensor);
    }
}

/* Enough positions that threads share them. */
static void test_many(void **state)
{
    (void)state;
    tsr_rng rng = {6};
    uint64_t nnz;
    tsr_tensor *const tensor = packed(&rng, "dd", (tsr_shape){2, (uint64_t[]){500, 401}}, TSR_F32, 7, &nnz);
    assert_true(tensor->npos > 1 << 16);
    check_cells(tensor, nnz);
    tsr_tensor_free(tensor);
}

/* A tensor keeps the binding that its levels were sized by; other dims are found out. */
static void test_binding(void **state)
{
    (void)state;
    tsr_rng rng = {7};
    uint64_t nnz;
    tsr_error why = {0};
    tsr_tensor *const tensor =
        packed(&rng, "bcsr(2,3)", (tsr_shape){2, (uint64_t[]){5, 7}}, TSR_F64, 0, &nnz);
    assert_ptr_equal(tensor->binding->format, tensor->format);
    assert_int_equal(tensor->binding->size[1], 3);
    tensor->dims[1] = 8;
    assert_int_equal(tsr_tensor_check(tensor, 1, &why), TSR_CORRUPT);
    assert_string_equal(why.message, "the binding of the tensor belongs to another format or other dims");
    tsr_tensor_free(tensor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_binding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
