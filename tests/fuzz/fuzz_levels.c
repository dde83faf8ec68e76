/* Packed tensors with level types of their own, as a hostile file holds them: a small tensor is packed, and bytes of the
 * input change its arrays, their lengths and the numbers of its levels. What passes the deep check unpacks to entries
 * inside the dims, and packed again in other formats it has the same entries.
 *
 * Byte 0 chooses the format, byte 1 the dims, byte 2 the number of entries; the next bytes are their coordinates. Then
 * follow changes of 4 bytes each: level and array, operation, place, value. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_pack.h"

static const char *const formats[] = {"ell",
                                      "ellc",
                                      "sell(2,1)",
                                      "sell(3,6)",
                                      "bell(2)",
                                      "jad",
                                      "dia",
                                      "diac",
                                      "diap",
                                      "band",
                                      "bandr",
                                      "skyline",
                                      "bitmap",
                                      "bitmapc",
                                      "bytemap",
                                      "hash",
                                      "nm(2,4)",
                                      "runs",
                                      "srun",
                                      "vbl",
                                      "csr",
                                      "bcsr(2,2)",
                                      "dcsr",
                                      "csb(2)",
                                      "coo",
                                      "coodup",
                                      "(i, j) -> (i : compressed, j : hashed)",
                                      "(i, j) -> (i : hashed, j : ranked)",
                                      "(i, j) -> (i : bits, j : compressed)",
                                      "(i, j) -> (i : dense, j floordiv 4 : compressed, j mod 4 : bits)",
                                      "(i, j) -> (i : compressed, j : stored_runs)",
                                      "(i, j) -> (i : permuted, j : dense)",
                                      "(i, j) -> (i : permuted(2), j : chunked(2))",
                                      "(i, j) -> (i - j : squeezed, j : hashed)",
                                      "(i, j) -> (i : squeezed, j : run)",
                                      "(i, j) -> (i : dense, j : sliced(nonunique))"};
enum { NFORMATS = sizeof formats / sizeof *formats, MAX_ENTRIES = 24, MAX_DIM = 9 };

/* The bytes that are left. */
typedef struct input {
    const uint8_t *data;
    size_t n;
} input;

static uint8_t next(input *in)
{
    if (in->n == 0)
        return 0;
    in->n--;
    return *in->data++;
}

static tsr_coo *entries(input *in, const uint64_t *dims)
{
    tsr_coo *coo = NULL;
    const uint64_t n = dims[0] && dims[1] ? next(in) % MAX_ENTRIES : 0;
    TSR_FUZZ_MUST(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, n, NULL) == TSR_OK);
    for (uint64_t e = 0; e < n; e++) {
        const uint8_t at = next(in);
        tsr_array_set(&coo->crd[0], e, at / 16 % dims[0]);
        tsr_array_set(&coo->crd[1], e, at % 16 % dims[1]);
        ((double *)coo->values.data)[e] = (double)(at % 3); /* a zero, too, and equal neighbours */
    }
    return coo;
}

/* Small numbers around the ones that are right, and the largest ones of their width. */
static uint64_t wrong(uint64_t old, uint8_t value)
{
    if (value < 64)
        return value;
    if (value < 128)
        return old + value - 96;
    return value == 255 ? UINT64_MAX : value == 254 ? (uint64_t)INT64_MAX : UINT64_C(1) << (value % 64);
}

/* Give the array n elements, the new ones 0. */
static void resize(tsr_array *array, uint64_t n)
{
    tsr_array changed;
    if (array->width == 0 || n > 4096 ||
        tsr_array_init(&changed, n, array->width, 1, "array", NULL) != TSR_OK)
        return;
    const uint64_t both = n < array->n ? n : array->n;
    if (both > 0)
        memcpy(changed.data, array->data, (size_t)(both * array->width));
    tsr_array_clear(array);
    *array = changed;
}

static void change_array(tsr_array *array, uint8_t operation, uint8_t place, uint8_t value)
{
    if (operation == 0)
        resize(array, wrong(array->n, value));
    else if (array->n > 0)
        tsr_array_set(array, place % array->n, wrong(tsr_array_get(array, place % array->n), value));
}

static void change_number(tsr_level *level, uint8_t place, uint8_t value)
{
    int64_t numbers[TSR_LEVEL_MAX_NUMBERS] = {0};
    for (int k = 0; k < TSR_LEVEL_MAX_NUMBERS && level->type->numbers[k].name; k++)
        numbers[k] = level->type->numbers[k].get(level);
    numbers[place % TSR_LEVEL_MAX_NUMBERS] =
        (int64_t)wrong((uint64_t)numbers[place % TSR_LEVEL_MAX_NUMBERS], value);
    tsr_level old = *level;
    if (level->type->set_numbers && !level->type->set_numbers(level, numbers))
        *level = old; /* the reader refuses them */
}

/* One change. False: there are no more. */
static bool change(tsr_tensor *tensor, input *in)
{
    if (in->n < 4)
        return false;
    const uint8_t what = next(in), operation = next(in) % 4, place = next(in), value = next(in);
    tsr_level *level = &tensor->levels[what % tensor->nlevels];
    const int k = what / 16 % (TSR_LEVEL_NROLES + 2);
    if (k < TSR_LEVEL_NROLES && level->type->arrays[k].name)
        change_array(tsr_level_array_of(level, level->type->arrays[k].role), operation, place, value);
    else if (k == TSR_LEVEL_NROLES)
        change_number(level, place, value);
    else if (k > TSR_LEVEL_NROLES && operation == 0)
        level->npos = wrong(level->npos, value);
    else if (k > TSR_LEVEL_NROLES)
        change_array(&tensor->values, operation - 1, place, value);
    return true;
}

static bool same_entry(const tsr_coo *a, uint64_t i, const tsr_coo *b, uint64_t k)
{
    bool same = memcmp((const double *)a->values.data + i, (const double *)b->values.data + k, 8) == 0;
    for (int m = 0; m < 2; m++)
        same = same && tsr_array_get(&a->crd[m], i) == tsr_array_get(&b->crd[m], k);
    return same;
}

/* Whether both have the same entries. Their sequence may differ: a file may permute rows as it likes. Tensors are small:
 * each entry of a is looked for in b from the place of the last one on. */
static bool same_entries(const tsr_coo *a, const tsr_coo *b)
{
    bool same = a->nnz == b->nnz;
    for (uint64_t i = 0, k = 0; same && i < a->nnz; i++) {
        uint64_t looked = 0;
        for (; looked < b->nnz && !same_entry(a, i, b, k); looked++)
            k = (k + 1) % b->nnz;
        same = looked < b->nnz;
    }
    return same;
}

/* Entries that are packed in the format and unpacked are the same; a format may refuse them. */
static void packs_again(const tsr_coo *coo, const tsr_format *format)
{
    static const tsr_pack_options options = {.nthreads = 1,
                                             .duplicates = TSR_DUP_KEEP,
                                             .max_nbytes = 1 << 20},
                                  unique = {
                                      .nthreads = 1, .duplicates = TSR_DUP_ERROR, .max_nbytes = 1 << 20};
    tsr_coo *copy = NULL, *back = NULL;
    tsr_tensor *tensor = NULL;
    TSR_FUZZ_MUST(tsr_coo_new_sized(&copy, (tsr_shape){2, coo->dims}, TSR_F64, false, coo->nnz, NULL) ==
                  TSR_OK);
    for (int m = 0; m < 2; m++)
        for (uint64_t e = 0; e < coo->nnz; e++)
            tsr_array_set(&copy->crd[m], e, tsr_array_get(&coo->crd[m], e));
    if (coo->nnz > 0)
        memcpy(copy->values.data, coo->values.data, (size_t)coo->nnz * 8);
    const bool keeps = tsr_format_keeps_duplicates(format);
    const tsr_status status = tsr_pack(&tensor, copy, format, keeps ? &options : &unique, NULL, NULL);
    TSR_FUZZ_MUST(status == TSR_OK || status == TSR_ARGUMENT || status == TSR_LIMIT);
    if (status != TSR_OK)
        return;
    TSR_FUZZ_MUST(tsr_tensor_check(tensor, 1, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_unpack(&back, tensor, 1, NULL) == TSR_OK);
    TSR_FUZZ_MUST(same_entries(coo, back));
    tsr_coo_free(back);
    tsr_tensor_free(tensor);
}

/* A tensor that passed its check: consumed. */
static void is_usable(tsr_tensor *tensor, const uint64_t *dims)
{
    tsr_coo *coo = NULL;
    tsr_format *rows = NULL;
    tsr_tensor *packed = NULL;
    const tsr_status status = tsr_unpack(&coo, tensor, 1, NULL);
    if (status == TSR_OK) {
        for (uint64_t e = 0; e < coo->nnz; e++)
            for (int m = 0; m < 2; m++)
                TSR_FUZZ_MUST(tsr_array_get(&coo->crd[m], e) < dims[m]);
        packs_again(coo, tensor->format);
    }
    TSR_FUZZ_MUST(status == TSR_OK || status == TSR_CORRUPT);
    tsr_coo_free(coo);
    TSR_FUZZ_MUST(tsr_format_parse(&rows, "csr", 2, dims, NULL) == TSR_OK);
    const tsr_pack_options options = {.nthreads = 1, .max_nbytes = 1 << 20};
    TSR_FUZZ_MUST(tsr_convert(&packed, tensor, rows, &options, NULL, NULL) == status);
    TSR_FUZZ_MUST(!packed || tsr_tensor_check(packed, 1, NULL) == TSR_OK);
    tsr_tensor_free(packed);
    tsr_format_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    input in = {data, nbytes};
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    const char *text = formats[next(&in) % NFORMATS];
    const uint8_t shape = next(&in);
    const uint64_t dims[] = {shape / 16 % (MAX_DIM + 1), shape % 16 % (MAX_DIM + 1)};
    const tsr_pack_options options = {.nthreads = 1, .max_nbytes = 1 << 20};
    if (tsr_format_parse(&format, text, 2, dims, NULL) != TSR_OK)
        return 0;
    const tsr_status status = tsr_pack(&tensor, entries(&in, dims), format, &options, NULL, NULL);
    tsr_format_free(format);
    if (status != TSR_OK)
        return 0;
    while (change(tensor, &in))
        ;
    for (int l = 0; l < tensor->nlevels; l++) /* as the reader of a file does */
        tensor->levels[l].nparents = l > 0 ? tensor->levels[l - 1].npos : 1;
    tensor->npos = tensor->levels[tensor->nlevels - 1].npos;
    if (tsr_tensor_check(tensor, 1, NULL) == TSR_OK)
        is_usable(tensor, dims);
    else
        tsr_tensor_free(tensor);
    return 0;
}
