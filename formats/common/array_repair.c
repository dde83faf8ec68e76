/* Faults of arrays with one exact repair: see array_repair.h. */
#include "array_repair.h"

#include <inttypes.h>

/* ---- pointers that wrapped ---- */

/* Where pointers of 8, 16 or 32 bits have passed the largest number, add what is missing: each fall is one more round.
 * That is right if no slice has a whole round of entries. Returns the last pointer; `out` may be NULL. *falls: the number
 * of rounds, and a negative number counts as a fall. */
static uint64_t unwrap(uint64_t *out, uint64_t *falls, const tsr_numbers *pointers)
{
    const tsr_array *const p = &pointers->array;
    const uint64_t round = UINT64_C(1) << 8 * p->width;
    uint64_t last = 0, base = 0;
    *falls = 0;
    for (uint64_t i = 0; i < p->n; i++) {
        const uint64_t v = tsr_array_get(p, i); /* a negative number as the unsigned one with the same bits */
        if (tsr_type_class(pointers->type) == 'I' && v >= round / 2 && *falls == 0)
            *falls = 1; /* negative */
        if (i > 0 && base + v < last) {
            base += round;
            (*falls)++;
        }
        last = base + v;
        if (out)
            out[i] = last;
    }
    return last;
}

/* Whether the pointers are wrong, and unwrapped pointers begin with 0 and end with nnz. */
static bool are_wrapped(const tsr_numbers *pointers, uint64_t nnz)
{
    uint64_t falls = 0;
    const char class = tsr_type_class(pointers->type);
    return (class == 'I' || class == 'U') && pointers->array.width < 8 && pointers->array.n > 0 &&
           tsr_array_get(&pointers->array, 0) == 0 && unwrap(NULL, &falls, pointers) == nnz && falls > 0;
}

static tsr_status mend_wrapped(tsr_arrays *in, const tsr_read_options *options, tsr_error *err)
{
    tsr_array whole;
    uint64_t falls;
    const size_t width = in->pointers.array.width;
    TSR_TRY(tsr_array_init(&whole, in->pointers.array.n, 8, 0, in->pointers.name, err));
    unwrap(whole.data, &falls, &in->pointers);
    tsr_array_clear(&in->pointers.array);
    in->pointers.array = whole;
    in->pointers.type = TSR_U64;
    tsr_warn(options->observer, NULL, 0,
             "repaired: array '%s' had numbers of %zu bits, which had wrapped: now it ends at the %" PRIu64
             " entries",
             in->pointers.name, 8 * width, tsr_array_get(&whole, whole.n - 1));
    return TSR_OK;
}

/* ---- counting from 1 ---- */

static bool is_integer(const tsr_numbers *numbers)
{
    const char class = tsr_type_class(numbers->type);
    return class == 'I' || class == 'U';
}

/* Whether the pointers begin with 1 and end with nnz + 1. */
static bool pointers_from_one(const tsr_arrays *in, uint64_t nnz)
{
    const tsr_array *const p = &in->pointers.array;
    return is_integer(&in->pointers) && in->base == 0 && p->n > 0 && tsr_array_get(p, 0) == 1 &&
           tsr_array_get(p, p->n - 1) == nnz + 1;
}

/* Whether the indices are 1 to dim, with dim among them. */
static bool indices_from_one(const tsr_arrays *in, uint64_t dim)
{
    const tsr_array *const crd = &in->crd[0].array;
    bool reaches = false;
    if (!is_integer(&in->crd[0]) || in->base != 0)
        return false;
    for (uint64_t i = 0; i < crd->n; i++) {
        const uint64_t v = tsr_array_get(crd, i);
        if (v == 0 || v > dim)
            return false;
        reaches = reaches || v == dim;
    }
    return reaches;
}

static void subtract_one(tsr_numbers *numbers, const tsr_read_options *options)
{
    (void)tsr_indices_rebase(&numbers->array, numbers->type, 1);
    tsr_warn(options->observer, NULL, 0, "repaired: array '%s' counted from 1, and now counts from 0",
             numbers->name);
}

/* ---- the doors ---- */

tsr_status tsr_arrays_mend(tsr_arrays *in, uint64_t dim, const tsr_read_options *options, tsr_error *err)
{
    const uint64_t nnz = in->crd[0].array.n;
    if (!in->pointers.array.data || !in->crd[0].array.data)
        return TSR_OK;
    if (pointers_from_one(in, nnz))
        subtract_one(&in->pointers, options);
    if (indices_from_one(in, dim))
        subtract_one(&in->crd[0], options);
    return are_wrapped(&in->pointers, nnz) ? mend_wrapped(in, options, err) : TSR_OK;
}

const char *tsr_arrays_diagnose(const tsr_arrays *in, uint64_t dim)
{
    if (!in->pointers.array.data || !in->crd[0].array.data)
        return NULL;
    const uint64_t nnz = in->crd[0].array.n;
    if (are_wrapped(&in->pointers, nnz))
        return "the pointers have wrapped, as their numbers have too few bits; with the missing rounds added "
               "they end "
               "exactly at the last entry, so --repair is almost certainly right";
    if (pointers_from_one(in, nnz) && indices_from_one(in, dim))
        return "pointers and indices count from 1, both exactly within their bounds, so --repair is "
               "certainly right";
    if (pointers_from_one(in, nnz))
        return "the pointers count from 1 and end exactly after the last entry, so --repair is almost "
               "certainly right";
    if (indices_from_one(in, dim))
        return "the indices count from 1 to the dim, so --repair is probably right";
    return NULL;
}
