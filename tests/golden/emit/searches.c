/* Searches
 * Compile with: cc -O3 -march=native -c searches.c */
#include <stdint.h>

/* The kernel calls these functions, which follow it. */
static int64_t first_pos(const uint32_t *pos, int64_t lo, int64_t hi, int64_t target);
static int64_t first_pos_2(const uint8_t *crd, int64_t lo, int64_t hi, int64_t target);
static inline int16_t sub_i16(int16_t a, int16_t b);

int searches(int64_t n, int64_t lo, const uint32_t *restrict pos, const uint8_t *restrict crd,
             double *restrict y, int16_t *restrict x)
{
    const int64_t first = first_pos(pos, 0, n, lo * 3);
    const int64_t last = first_pos(pos, first, n, 100);
    const int64_t other = first_pos_2(crd, 0, n, lo);

    for (int64_t i = first; i < last; i++) {
        const double v = y[i];
        if (other > 0 && v >= 0.0) {
            y[other] -= v;
#pragma omp atomic
            y[0] -= v;
            x[other] = sub_i16(x[other], x[i]);
        }
    }
    return 0;
}

/* The first position in [lo, hi) at which the searched sequence, which never decreases, is at
 * least the target; hi where there is none. */
static int64_t first_pos(const uint32_t *pos, int64_t lo, int64_t hi, int64_t target)
{
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (target <= pos[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static int64_t first_pos_2(const uint8_t *crd, int64_t lo, int64_t hi, int64_t target)
{
    while (lo < hi) {
        const int64_t middle = lo + (hi - lo) / 2;
        if (target <= crd[middle])
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* a - b, wrapping around. */
static inline int16_t sub_i16(int16_t a, int16_t b)
{
    return (int16_t)((uint64_t)a - (uint64_t)b);
}
