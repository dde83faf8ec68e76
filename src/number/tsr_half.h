/* Reals in 16 bits: f16 (IEEE 754 binary16: 5 bits of exponent, 10 of mantissa) and bf16 (the upper half of an f32: 8
 * and 7). They are stored, never computed with: both fit into f32 and f64 exactly. */
#ifndef TSR_HALF_H
#define TSR_HALF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_f16 {
    uint16_t bits;
} tsr_f16;
typedef struct tsr_bf16 {
    uint16_t bits;
} tsr_bf16;

/* The value of a half with `nbits` bits of mantissa: exact, with the payload of a NaN. */
double tsr_half_value(uint16_t half, int nbits);
/* The half nearest to the value, of two the even one; infinite beyond the largest half and half of its last place. */
uint16_t tsr_half_of(double value, int nbits);

static inline double tsr_f16_value(tsr_f16 half)
{
    return tsr_half_value(half.bits, 10);
}

static inline double tsr_bf16_value(tsr_bf16 half)
{
    return tsr_half_value(half.bits, 7);
}

static inline tsr_f16 tsr_f16_of(double value)
{
    const tsr_f16 half = {tsr_half_of(value, 10)};
    return half;
}

static inline tsr_bf16 tsr_bf16_of(double value)
{
    const tsr_bf16 half = {tsr_half_of(value, 7)};
    return half;
}

#ifdef __cplusplus
}
#endif
#endif
