/* Format texts: whatever parses prints, in each form, as text that parses back to an equal format, and binds
 * to sizes or is refused; a tensor that is packed into it passes its check and unpacks to its entries. The
 * first byte chooses: byte % 8 - 1 modes (-1: unknown), and row byte / 8 % 4 of the sizes. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_pack.h"

static void parses_back(const tsr_format *format, void (*print)(tsr_text *, const tsr_format *))
{
    tsr_text text = {0};
    tsr_format *back = NULL;
    print(&text, format);
    TSR_FUZZ_MUST(tsr_text_status(&text, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_format_parse(&back, tsr_text_cstr(&text), format->order, NULL, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_format_equal(format, back));
    tsr_format_free(back);
    tsr_text_clear(&text);
}

enum { NENTRIES = 4 };

/* Entries along the diagonal of the box, from its first cell to its last, in falling order. */
static tsr_coo *diagonal(int order, const uint64_t *dims)
{
    tsr_coo *coo = NULL;
    uint64_t n = order > 0 ? NENTRIES : 1;
    for (int m = 0; m < order; m++)
        n = dims[m] < n ? dims[m] : n;
    TSR_FUZZ_MUST(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, n, NULL) == TSR_OK);
    for (uint64_t e = 0; e < n; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e, n > 1 ? (n - 1 - e) * ((dims[m] - 1) / (n - 1)) : 0);
        ((double *)coo->values.data)[e] = (double)(n - e);
    }
    return coo;
}

/* Packed and unpacked, an entry is where it was. */
static void packs(const tsr_format *format, const uint64_t *dims)
{
    const tsr_pack_options options = {.nthreads = 1, .duplicates = TSR_DUP_ERROR, .max_nbytes = 1 << 20};
    tsr_coo *back = NULL;
    tsr_tensor *tensor = NULL;
    const tsr_status status = tsr_pack(&tensor, diagonal(format->order, dims), format, &options, NULL, NULL);
    TSR_FUZZ_MUST(status == TSR_OK || status == TSR_LIMIT || status == TSR_UNSUPPORTED /* counters */ ||
                  status == TSR_ARGUMENT /* a second child */);
    if (status != TSR_OK)
        return;
    TSR_FUZZ_MUST(tsr_tensor_check(tensor, 1, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_unpack(&back, tensor, 1, NULL) == TSR_OK);
    tsr_coo *const want = diagonal(format->order, dims);
    TSR_FUZZ_MUST(back->nnz == want->nnz);
    for (uint64_t e = 0; e < back->nnz; e++) {
        const double v = ((double *)back->values.data)[e];
        TSR_FUZZ_MUST(v >= 1 && v <= (double)want->nnz);
        const uint64_t at = want->nnz - (uint64_t)v;
        for (int m = 0; m < format->order; m++)
            TSR_FUZZ_MUST(tsr_array_get(&back->crd[m], e) == tsr_array_get(&want->crd[m], at));
    }
    tsr_coo_free(want);
    tsr_coo_free(back);
    tsr_tensor_free(tensor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    static const uint64_t sizes[4][16] = {
        {7, 5, 3, 2, 9, 4, 8, 6, 7, 5, 3, 2, 9, 4, 8, 6},
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        {7, 0, 3, 0, 9, 4, 8, 6, 7, 5, 3, 2, 9, 4, 8, 6},
        {INT64_MAX, UINT64_C(1) << 62, UINT64_C(1) << 32, 3, INT64_MAX, 2},
    };
    if (nbytes == 0)
        return 0;
    const int order = data[0] % 8 - 1;
    const uint64_t *dims = sizes[data[0] / 8 % 4];
    char *text = malloc(nbytes);
    TSR_FUZZ_MUST(text != NULL);
    memcpy(text, data + 1, nbytes - 1);
    text[nbytes - 1] = '\0';
    tsr_format *format = NULL;
    tsr_error err = {0};
    const tsr_status status = tsr_format_parse(&format, text, order, order < 0 ? NULL : dims, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (format != NULL));
    if (status == TSR_OK) {
        parses_back(format, tsr_format_print);
        parses_back(format, tsr_format_print_long);
        parses_back(format, tsr_format_print_name);
        tsr_binding *binding = NULL;
        const tsr_status bound = tsr_binding_new(&binding, format, dims, &err);
        TSR_FUZZ_MUST(order < 0 || bound == TSR_OK);
        tsr_binding_free(binding);
        if (order >= 0)
            packs(format, dims);
    } else
        TSR_FUZZ_MUST(err.status == status && err.message[0] != '\0' && err.col <= nbytes);
    tsr_format_free(format);
    free(text);
    return 0;
}
