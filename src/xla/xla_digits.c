/* The expanded dims as digits of coordinates. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_checked.h"

static const tsr_xla_digit zero = {.dim = -1, .divisor = 1, .modulus = 1, .extent = 1};

/* Compute the extent of a digit. */
static tsr_xla_digit digit_of(tsr_xla_digit digit)
{
    return digit.extent > 1 ? digit : zero;
}

/* q = digit floordiv t and r = digit mod t; false if these are not digits. */
static bool cut_digit(tsr_xla_digit *q, tsr_xla_digit *r, tsr_xla_digit digit, int64_t t)
{
    const int64_t n = digit.extent;
    *q = zero;
    *r = digit;
    if (n <= t)
        return true;
    if (digit.modulus > 0 && digit.modulus % t != 0)
        return false;
    q->dim = digit.dim;
    q->modulus = digit.modulus / t;
    q->extent = n / t + (n % t != 0);
    r->modulus = r->extent = t;
    if (!tsr_mul_i64(&q->divisor, digit.divisor, t))
        return false;
    *r = digit_of(*r);
    return true;
}

/* hi * (size of lo) + lo; false if that is not a digit, that is, if hi does not continue where lo ends. */
static bool fold_digits(tsr_xla_digit *folded, tsr_xla_digit hi, tsr_xla_digit lo, int64_t lo_size)
{
    int64_t next;
    *folded = lo;
    if (hi.dim < 0)
        return true;
    if (lo.dim < 0) {
        *folded = hi;
        return lo_size == 1;
    }
    if (hi.dim != lo.dim || lo.modulus != lo_size || !tsr_mul_i64(&next, lo.divisor, lo_size) ||
        next != hi.divisor || !tsr_mul_i64(&folded->extent, hi.extent, lo_size))
        return false;
    folded->modulus = hi.modulus * lo_size; /* hi.modulus is 0 or hi.extent */
    return true;
}

/* Replace the digits of the dims before a tile by those of the dims after it. */
static bool tile_digits(tsr_xla_digit *digits, const xla_dims *before, const tsr_xla_tile *tile)
{
    tsr_xla_digit in[TSR_XLA_MAX_EXPANDED];
    xla_dims dims = *before;
    xla_cut cut;
    xla_cut_of(&cut, before->n, tile);
    xla_add_front(&dims, &cut);
    for (int i = 0; i < dims.n; i++)
        in[i] = i < cut.front ? zero : digits[i - cut.front];
    memcpy(digits, in, (size_t)cut.kept * sizeof *in);
    for (int g = 0; g < cut.ngroups; g++) {
        int64_t size = 1;
        tsr_xla_digit y = zero;
        for (int i = cut.first[g + 1] - 1; i >= cut.first[g]; i--) {
            if (!fold_digits(&y, in[i], y, size) || !tsr_mul_i64(&size, size, dims.size[i]))
                return false;
        }
        if (!cut_digit(&digits[cut.kept + g], &digits[cut.kept + cut.ngroups + g], y, cut.t[g]))
            return false;
    }
    return true;
}

bool tsr_xla_digits(tsr_xla_digit *digits, const tsr_xla *xla)
{
    xla_dims dims;
    if (!xla->has_dims || !tsr_xla_is_dense(xla) || xla->nelems == 0)
        return false;
    xla_physical_dims(&dims, xla);
    for (int i = 0; i < dims.n; i++)
        digits[i] = digit_of((tsr_xla_digit){
            .dim = xla->order[xla->rank - 1 - i], .divisor = 1, .modulus = 0, .extent = dims.size[i]});
    for (int k = 0; k < xla->ntiles; k++)
        if (!tile_digits(digits, &dims, &xla->tiles[k]) ||
            xla_tile_dims(&dims, &xla->tiles[k], NULL) != TSR_OK)
            return false;
    int64_t stride = 1;
    for (int i = dims.n - 1; i >= 0; i--) {
        digits[i].size = dims.size[i];
        digits[i].stride = stride;
        stride *= dims.size[i]; /* at most nslots */
    }
    return true;
}
