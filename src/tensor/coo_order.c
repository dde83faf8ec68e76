/* The order of coordinates, and the comparison of two sets of coordinates. */
#include "tsr_coo.h"

#include <inttypes.h>

#include "tensor_internal.h"

enum { BLOCK = 1024 };

/* ---- finding the order ---- */

/* cmp[k] = sign(x[e] - x[e - 1]) for e = first + k, where cmp[k] is still 0. */
#define COMPARE(ctype)                                                             \
    do {                                                                           \
        const ctype *x = (const ctype *)crd->data + first;                         \
        const ctype *before = x - 1; /* first > 0 */                               \
        for (size_t k = 0; k < n; k++) {                                           \
            const int8_t sign = (int8_t)((x[k] > before[k]) - (x[k] < before[k])); \
            cmp[k] = cmp[k] ? cmp[k] : sign;                                       \
        }                                                                          \
    } while (0)

static void compare_with_before(int8_t *restrict cmp, const tsr_array *crd, uint64_t first, size_t n)
{
    if (crd->width == 4)
        COMPARE(uint32_t);
    else
        COMPARE(uint64_t);
}

tsr_coo_order tsr_coo_find_order(const tsr_coo *coo, const int *perm)
{
    tsr_coo_order order = {.sorted = true};
    int8_t cmp[BLOCK];
    for (uint64_t first = 1; first < coo->nnz; first += BLOCK) {
        const size_t n = coo->nnz - first < BLOCK ? (size_t)(coo->nnz - first) : BLOCK;
        memset(cmp, 0, n);
        for (int m = 0; m < coo->order; m++)
            compare_with_before(cmp, &coo->crd[perm ? perm[m] : m], first, n);
        uint64_t nequal = 0, nfalling = 0;
        for (size_t k = 0; k < n; k++) {
            nequal += cmp[k] == 0;
            nfalling += cmp[k] < 0;
        }
        order.nduplicates += nequal;
        order.sorted = order.sorted && nfalling == 0;
    }
    return order;
}

/* ---- comparison ---- */

static const unsigned char *value_at(const tsr_coo *coo, uint64_t e)
{
    return (const unsigned char *)coo->values.data + (coo->iso ? 0 : e) * coo->values.width;
}

static int compare_entries(const tsr_coo *a, uint64_t ea, const tsr_coo *b, uint64_t eb)
{
    for (int m = 0; m < a->order; m++) {
        const uint64_t x = tsr_array_get(&a->crd[m], ea), y = tsr_array_get(&b->crd[m], eb);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* One stable pass of a radix sort of the entries in `index`: by bits [shift, shift + 8) of a coordinate, or,
 * where crd is NULL, by byte shift / 8 of the value. Where all entries have the same digit, nothing is moved;
 * else the two arrays are swapped. */
static void sort_by_byte(tsr_array *index, tsr_array *spare, const tsr_coo *coo, const tsr_array *crd,
                         unsigned shift)
{
    uint64_t start[257] = {0};
    const unsigned char *bytes = (const unsigned char *)coo->values.data + shift / 8;
    const size_t width = coo->values.width;
#define DIGIT(e) (crd ? (unsigned char)(tsr_array_get(crd, e) >> shift) : bytes[(e)*width])
    for (uint64_t e = 0; e < coo->nnz; e++)
        start[DIGIT(e) + 1]++;
    for (int d = 1; d <= 256; d++)
        if (start[d] == coo->nnz)
            return;
    for (int d = 1; d < 257; d++)
        start[d] += start[d - 1];
    for (uint64_t k = 0; k < coo->nnz; k++) {
        const uint64_t e = tsr_array_get(index, k);
        tsr_array_set(spare, start[DIGIT(e)]++, e);
    }
#undef DIGIT
    const tsr_array swap = *index;
    *index = *spare;
    *spare = swap;
}

/* *index: the entries of coo sorted by coordinates and, where by_value, entries with equal coordinates
 * sorted by the bytes of their values. Empty where the entries already are in order and by_value is false. */
static tsr_status sort_entries(tsr_array *index, const tsr_coo *coo, bool by_value, tsr_error *err)
{
    tsr_array_clear(index);
    if (!by_value && tsr_coo_find_order(coo, NULL).sorted)
        return TSR_OK;
    const size_t width = coo->nnz <= UINT32_MAX ? 4 : 8;
    tsr_array spare = {0};
    TSR_TRY(tsr_array_init(index, coo->nnz, width, 0, "an index of entries", err));
    TSR_TRY(tsr_array_init(&spare, coo->nnz, width, 0, "an index of entries", err));
    for (uint64_t e = 0; e < coo->nnz; e++)
        tsr_array_set(index, e, e);
    for (unsigned k = 0; by_value && !coo->iso && k < coo->values.width; k++)
        sort_by_byte(index, &spare, coo, NULL, 8 * k);
    for (int m = coo->order - 1; m >= 0; m--)
        for (unsigned k = 0; k < coo->crd[m].width; k++)
            sort_by_byte(index, &spare, coo, &coo->crd[m], 8 * k);
    tsr_array_clear(&spare);
    return TSR_OK;
}

/* The entry at place k of an index; an empty index is the stored order. */
static uint64_t entry_at(const tsr_array *index, uint64_t k)
{
    return index->data ? tsr_array_get(index, k) : k;
}

static tsr_status differ_at(const tsr_coo *coo, uint64_t e, const char *which, tsr_error *err)
{
    uint64_t v[TSR_MAX_ORDER];
    char tuple[TSR_TUPLE_NBYTES], text[TSR_VALUE_TEXT_NBYTES];
    for (int m = 0; m < coo->order; m++)
        v[m] = tsr_array_get(&coo->crd[m], e);
    const size_t n = tsr_value_print(text, coo->type, value_at(coo, e));
    tsr_fail(err, TSR_CORRUPT, "entry (%s) = %.*s is only in the %s", tsr_tuple_text(tuple, v, coo->order),
             (int)n, text, which);
    return TSR_OK;
}

/* Entries in an order; an empty index is the stored order. */
typedef struct ordered {
    const tsr_coo *coo;
    tsr_array index;
} ordered;

/* Compare two tensors in the given orders and report the first difference. *again: the values
 * of duplicates differ, so the comparison must be repeated with entries sorted by value. */
static tsr_status walk(bool *same, bool *again, const ordered *first, const ordered *second, tsr_error *err)
{
    const tsr_coo *const a = first->coo, *const b = second->coo;
    const tsr_array *const ia = &first->index, *const ib = &second->index;
    const size_t width = a->values.width;
    *same = false;
    *again = false;
    for (uint64_t k = 0; k < a->nnz; k++) {
        const uint64_t ea = entry_at(ia, k), eb = entry_at(ib, k);
        const int order = compare_entries(a, ea, b, eb);
        if (order < 0)
            return differ_at(a, ea, "first", err);
        if (order > 0)
            return differ_at(b, eb, "second", err);
        if (memcmp(value_at(a, ea), value_at(b, eb), width) == 0)
            continue;
        const bool twin_before = k > 0 && compare_entries(a, ea, a, entry_at(ia, k - 1)) == 0;
        const bool twin_after = k + 1 < a->nnz && compare_entries(a, ea, a, entry_at(ia, k + 1)) == 0;
        *again = twin_before || twin_after;
        uint64_t v[TSR_MAX_ORDER];
        char tuple[TSR_TUPLE_NBYTES], one[TSR_VALUE_TEXT_NBYTES], other[TSR_VALUE_TEXT_NBYTES];
        for (int m = 0; m < a->order; m++)
            v[m] = tsr_array_get(&a->crd[m], ea);
        const size_t n1 = tsr_value_print(one, a->type, value_at(a, ea));
        const size_t n2 = tsr_value_print(other, b->type, value_at(b, eb));
        tsr_fail(err, TSR_CORRUPT, "entry (%s) is %.*s in the first and %.*s in the second",
                 tsr_tuple_text(tuple, v, a->order), (int)n1, one, (int)n2, other);
        return TSR_OK;
    }
    *same = true;
    return TSR_OK;
}

/* Compare everything except the entries. False, with an error, where there is a difference. */
static bool same_head(const tsr_coo *a, const tsr_coo *b, tsr_error *err)
{
    if (a->order != b->order)
        tsr_fail(err, TSR_CORRUPT, "the first tensor has %d modes, the second %d", a->order, b->order);
    else if (a->type != b->type)
        tsr_fail(err, TSR_CORRUPT, "values are %s in the first and %s in the second", tsr_type_name(a->type),
                 tsr_type_name(b->type));
    else if (a->structure != b->structure)
        tsr_fail(err, TSR_CORRUPT, "structure is %s in the first and %s in the second",
                 tsr_structure_name(a->structure), tsr_structure_name(b->structure));
    else if (a->has_fill != b->has_fill ||
             (a->has_fill && memcmp(a->fill, b->fill, tsr_type_nbytes(a->type)) != 0))
        tsr_fail(err, TSR_CORRUPT, "the first and the second have different fill values");
    else {
        for (int m = 0; m < a->order; m++)
            if (a->dims[m] != b->dims[m]) {
                tsr_fail(err, TSR_CORRUPT,
                         "mode %d has size %" PRIu64 " in the first and %" PRIu64 " in the second", m,
                         a->dims[m], b->dims[m]);
                return false;
            }
        if (a->nnz == b->nnz)
            return true;
        tsr_fail(err, TSR_CORRUPT, "the first tensor has %" PRIu64 " entries, the second %" PRIu64, a->nnz,
                 b->nnz);
    }
    return false;
}

tsr_status tsr_coo_same(bool *same, const tsr_coo *a, const tsr_coo *b, tsr_error *err)
{
    *same = false;
    if (!same_head(a, b, err))
        return TSR_OK;
    ordered first = {.coo = a}, second = {.coo = b};
    bool again = false;
    tsr_status status = TSR_OK;
    for (int by_value = 0; by_value < 2 && (by_value == 0 || again); by_value++) {
        TSR_TRY_OUT(sort_entries(&first.index, a, by_value != 0, err));
        TSR_TRY_OUT(sort_entries(&second.index, b, by_value != 0, err));
        TSR_TRY_OUT(walk(same, &again, &first, &second, err));
    }
out:
    tsr_array_clear(&first.index);
    tsr_array_clear(&second.index);
    return status;
}
