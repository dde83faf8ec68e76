/* Write a few tensors into the folder given, and tell on standard output what is in them, for h5py_check.py:
 * lines "file PATH", "shape N...", "entry COORDS RE IM". */
#include "bsp_support.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *format;
        int order;
        tsr_type type;
    } rows[] = {
        {"d", 1, TSR_F64},
        {"s", 1, TSR_I32},
        {"dd", 2, TSR_F64},
        {"dd:1,0", 2, TSR_F32},
        {"ds", 2, TSR_F64},
        {"ds:1,0", 2, TSR_I8},
        {"ss", 2, TSR_U16},
        {"ss:1,0", 2, TSR_C128},
        {"coo", 2, TSR_C64},
        {"cooc", 2, TSR_U64},
        {"sd", 2, TSR_PATTERN},
        {"ds", 2, TSR_PATTERN},
        {"coo", 3, TSR_I64},
        {"csf", 3, TSR_F64},
        {"dss:1,2,0", 3, TSR_F64},
        {"ssd:2,0,1", 3, TSR_F32},
        {"dsd:0,2,1", 3, TSR_I16},
        {"csf:4,2,0,1,3", 5, TSR_F64},
        {"() -> ()", 0, TSR_F64},
        {"(i, j) -> (i : dense(pitch = 6), j : dense(pitch = 9))", 2, TSR_F64},
        {"(i, j) -> (i : dense(pitch = 6), j : compressed)", 2, TSR_F32},
        {"(i, j, k) -> (i : compressed, j : compressed, k : dense(pitch = 8))", 3, TSR_I32},
    };
    const uint64_t dims[5] = {5, 7, 4, 3, 6};
    tsr_rng rng = {11};
    if (argc != 2)
        return 2;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_coo *coo = bsp_random(&rng, rows[i].order, dims, rows[i].type, rows[i].order ? 20 : 1);
        tsr_tensor *tensor = bsp_pack(rows[i].format, coo, i % 3 == 2 ? 1 : i % 3 == 1 ? 8 : 4);
        char path[1100];
        snprintf(path, sizeof path, "%s/%zu.h5%s", argv[1], i, i % 4 == 3 ? ":a/b" : "");
        bsp_write(path, tensor, i % 2 ? 1 : 0, 2);
        printf("file %s\nshape", path);
        for (int m = 0; m < coo->order; m++)
            printf(" %llu",
                   (unsigned long long)(tsr_format_has_pitch(tensor->format) ? tensor->levels[m].pitch
                                                                             : coo->dims[m]));
        printf("\n");
        for (uint64_t e = 0; e < coo->nnz; e++) {
            double v[2] = {0, 0};
            const bool complex = tsr_type_class(coo->type) == 'C';
            assert_ok(tsr_values_convert(v, complex ? TSR_C128 : TSR_F64,
                                         (char *)coo->values.data + (coo->iso ? 0 : e * coo->values.width),
                                         coo->type, 1, err));
            printf("entry");
            for (int m = 0; m < coo->order; m++)
                printf(" %llu", (unsigned long long)tsr_array_get(&coo->crd[m], e));
            printf(" %.17g %.17g\n", v[0], v[1]);
        }
        tsr_tensor_free(tensor);
        tsr_coo_free(coo);
    }
    return 0;
}
