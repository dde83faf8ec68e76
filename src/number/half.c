/* Reals in 16 bits: see tsr_half.h. */
#include "tsr_half.h"

#include <string.h>

double tsr_half_value(uint16_t half, int nbits)
{
    const int bias = (1 << (14 - nbits)) - 1, shift = 52 - nbits;
    const uint64_t sign = (uint64_t)(half >> 15) << 63, top = (uint64_t)(2 * bias + 1) << nbits;
    const uint64_t rest = half & 0x7fffu;
    uint64_t bits = rest << shift;
    double value;
    if (rest >= top) { /* infinite, or not a number */
        bits |= UINT64_C(0x7ff) << 52;
    } else if (rest >> nbits) {
        bits += (uint64_t)(1023 - bias) << 52;
    } else { /* rest units of 2^(1 - bias - nbits) */
        const uint64_t unit = (uint64_t)(1024 - bias - nbits) << 52;
        memcpy(&value, &unit, sizeof value);
        value *= (double)rest;
        memcpy(&bits, &value, sizeof bits);
    }
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint16_t tsr_half_of(double value, int nbits)
{
    const int bias = (1 << (14 - nbits)) - 1, shift = 52 - nbits;
    const uint64_t top = (uint64_t)(2 * bias + 1) << nbits, inf = UINT64_C(0x7ff) << 52;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 63 << 15);
    bits &= UINT64_MAX >> 1;
    if (bits > inf) { /* a quiet NaN with the upper bits of the payload */
        const uint64_t payload = (bits >> shift & ((1u << nbits) - 1)) | 1u << (nbits - 1);
        return (uint16_t)(sign | top | payload);
    }
    const uint64_t least = (uint64_t)(1024 - bias) << 52; /* the smallest half with all bits of mantissa */
    if (bits < least) {
        const uint64_t scale = (uint64_t)(1022 + bias + nbits) << 52;
        double unit, magnitude;
        memcpy(&unit, &scale, sizeof unit);
        memcpy(&magnitude, &bits, sizeof magnitude);
        const double nearest = magnitude * unit + 0x1p52; /* rounded to an integer */
        return (uint16_t)(sign | (uint16_t)(nearest - 0x1p52));
    }
    bits -= (uint64_t)(1023 - bias) << 52;
    bits = (bits + (UINT64_C(1) << (shift - 1)) - 1 + (bits >> shift & 1)) >> shift;
    return (uint16_t)(sign | (bits < top ? bits : top));
}
