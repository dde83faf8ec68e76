/* Narrow indices
 * Compile with: cc -O3 -march=native -c narrow.c */
#include <stdint.h>

int narrow(int64_t n, const uint8_t *restrict c8, const uint32_t *restrict c32, const uint64_t *restrict c64,
           double *restrict y)
{
    for (int64_t i = 0; i < n; i++) {
        y[(int64_t)c32[i] * 4096 + c8[i]] = (double)((int64_t)c32[i] * c32[i]);
        y[5 - (int64_t)c32[i]] = (double)((int64_t)c64[i] + (int64_t)c32[i] * 3 - (c8[i] - i));
        y[-(int64_t)c32[i]] = (double)((int64_t)(c32[i] / 8) + c8[i] % c32[i]);
        y[(int64_t)c32[i] + c8[i] + i] = (double)((int64_t)c32[i] * c32[i] * (int64_t)c64[i]);
        if (c8[i] < c32[i] && (int64_t)c64[i] != c32[i])
            y[i < 4 ? (int64_t)c32[i] : -1] = 1.0;
    }
    return 0;
}
