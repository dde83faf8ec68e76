/* CuTe's swizzled layouts, Sw<B,M,S> o OFFSET o LAYOUT: B bits of the offset change by exclusive or with B other
 * bits. The changed bits are z, z+1, ..., and the bits that change them are y, y+1, ...: for S > 0 z = M and
 * y = M + S, for S < 0 z = M - S and y = M. Doing it twice changes nothing. */
#include "tla_internal.h"

#include "tsr_checked.h"

static int changed_bit(const tsr_swizzle *s)
{
    return s->shift < 0 ? s->base - s->shift : s->base;
}

static int changing_bit(const tsr_swizzle *s)
{
    return s->shift > 0 ? s->base + s->shift : s->base;
}

int64_t tsr_swizzle_apply(const tsr_swizzle *swizzle, int64_t x)
{
    const int64_t mask = ((int64_t)1 << swizzle->bits) - 1;
    return x ^ (((x >> changing_bit(swizzle)) & mask) << changed_bit(swizzle));
}

/* How many of the bits of numbers up to `last` can change: where the changing bit can be 1. */
static int nchanged(const tsr_swizzle *s, int64_t last)
{
    int n = 0;
    while (n < s->bits && last >> (changing_bit(s) + n) > 0)
        n++;
    return n;
}

tsr_status tsr_swizzled_check(const tsr_swizzled *x, tsr_error *err)
{
    const tsr_swizzle *const s = &x->swizzle;
    const int distance = s->shift < 0 ? -s->shift : s->shift;
    int64_t end;
    if (distance < s->bits)
        return tsr_fail(err, TSR_ARGUMENT,
                        "Sw<%d,%d,%d>: the shift must be at least %d, or at most -%d, so that no bit changes "
                        "itself or another that changes",
                        s->bits, s->base, s->shift, s->bits, s->bits);
    if (s->bits + s->base + distance > TSR_SWIZZLE_MAX_NBITS)
        return tsr_fail(err, TSR_LIMIT, "Sw<%d,%d,%d> changes bits above bit %d", s->bits, s->base, s->shift,
                        TSR_SWIZZLE_MAX_NBITS);
    if (!tsr_add_i64(&end, x->offset, tsr_tla_cosize(&x->layout)) || end > INT64_MAX / 4)
        return tsr_fail(err, TSR_LIMIT, "the swizzled layout has offsets above 2^61");
    return TSR_OK;
}

int64_t tsr_swizzled_cosize(const tsr_swizzled *x)
{
    const int64_t end = x->offset + tsr_tla_cosize(&x->layout);
    const int n = nchanged(&x->swizzle, end - 1);
    if (n == 0)
        return end;
    const int64_t block = (int64_t)1 << (changed_bit(&x->swizzle) + n);
    return (end + block - 1) / block * block;
}

int64_t tsr_swizzled_offset_at(const tsr_swizzled *x, const int64_t *coord)
{
    return tsr_swizzle_apply(&x->swizzle, x->offset + tsr_tla_offset_at(&x->layout, coord));
}

/* x floordiv 2^bit, which is odd if the bit is 1. */
static const tsr_linear *build_shifted(tsr_map_builder *builder, const tsr_linear *x, int bit)
{
    return bit > 0 ? tsr_map_build_floordiv(builder, x, (int64_t)1 << bit) : x;
}

/* (x) -> (the swizzled offset + x). A changed bit b becomes (b + c) mod 2, where c is the bit that changes it. */
static tsr_status swizzle_map(tsr_map **out, const tsr_swizzled *s, tsr_error *err)
{
    const int64_t cosize = tsr_tla_cosize(&s->layout);
    const int n = nchanged(&s->swizzle, s->offset + cosize - 1);
    tsr_map_builder *builder;
    TSR_TRY(tsr_map_builder_new(&builder, 1, NULL, err));
    tsr_map_build_bound(builder, 0, 0, cosize - 1);
    const tsr_linear *const x =
        tsr_map_build_add(builder, tsr_map_build_var(builder, 0), tsr_map_build_const(builder, s->offset));
    const tsr_linear *sum = x;
    for (int k = 0; k < n; k++) {
        const int bit = changed_bit(&s->swizzle) + k;
        const tsr_linear *const b = build_shifted(builder, x, bit);
        const tsr_linear *const c = build_shifted(builder, x, changing_bit(&s->swizzle) + k);
        const tsr_linear *const after = tsr_map_build_mod(builder, tsr_map_build_add(builder, b, c), 2);
        const tsr_linear *const before = tsr_map_build_mod(builder, b, 2);
        const int64_t value = (int64_t)1 << bit;
        sum = tsr_map_build_add(builder, sum, tsr_map_build_scale(builder, after, value));
        sum = tsr_map_build_add(builder, sum, tsr_map_build_scale(builder, before, -value));
    }
    return tsr_map_build_finish(out, builder, 1, &sum, err);
}

tsr_status tsr_swizzled_to_map(tsr_map **out, const tsr_swizzled *x, tsr_error *err)
{
    tsr_map *outer = NULL, *inner = NULL;
    tsr_status status = TSR_OK;
    *out = NULL;
    TSR_TRY_OUT(swizzle_map(&outer, x, err));
    TSR_TRY_OUT(tsr_tla_to_map(&inner, &x->layout, err));
    TSR_TRY_OUT(tsr_map_compose(out, outer, inner, err));
out:
    tsr_map_free(outer);
    tsr_map_free(inner);
    return status;
}

void tsr_swizzled_print(tsr_text *text, const tsr_swizzled *x)
{
    tsr_text_addf(text, "Sw<%d,%d,%d> o %lld o ", x->swizzle.bits, x->swizzle.base, x->swizzle.shift,
                  (long long)x->offset);
    tsr_tla_print(text, &x->layout);
}
