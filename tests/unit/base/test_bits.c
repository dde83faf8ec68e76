/* Gathering and scattering bits, by instructions and in steps, against a loop over the bits. */
#include "tsr_test.h"

#include "tsr_bits.h"

enum { N = 67 };

/* The definition: bit i of the result is the bit of x at the i-th one of the mask. */
static uint64_t gathered(uint64_t x, uint64_t mask)
{
    uint64_t y = 0;
    for (int bit = 0, i = 0; bit < 64; bit++)
        if (mask >> bit & 1)
            y |= (x >> bit & 1) << i++;
    return y;
}

static uint64_t scattered(uint64_t x, uint64_t mask)
{
    uint64_t y = 0;
    for (int bit = 0, i = 0; bit < 64; bit++)
        if (mask >> bit & 1)
            y |= (x >> i++ & 1) << bit;
    return y;
}

static void check_mask(tsr_rng *rng, uint64_t mask)
{
    uint64_t x[N], d[N];
    tsr_bits bits;
    tsr_bits_init(&bits, mask);
    for (int e = 0; e < N; e++)
        x[e] = e < 2 ? (uint64_t)0 - (uint64_t)e : tsr_rng_next(rng);
    for (int way = 0; way < 2; way++) {
        tsr_bits_gather(d, x, &bits, N);
        for (int e = 0; e < N; e++) {
            assert_int_equal(d[e], gathered(x[e], mask));
            assert_int_equal(tsr_gather_u64(x[e], mask), d[e]);
        }
        tsr_bits_scatter(d, x, &bits, N);
        for (int e = 0; e < N; e++)
            assert_int_equal(d[e], scattered(x[e], mask));
        bits.direct = false;
    }
}

static void test_masks(void **state)
{
    (void)state;
    static const uint64_t masks[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, 0x5555555555555555, 0xf0, 0x8001};
    tsr_rng rng = {1};
    for (size_t k = 0; k < sizeof masks / sizeof *masks; k++)
        check_mask(&rng, masks[k]);
    for (int round = 0; round < 500; round++) {
        const uint64_t a = tsr_rng_next(&rng), b = tsr_rng_next(&rng);
        check_mask(&rng, round % 3 == 0 ? a : round % 3 == 1 ? a & b : a | b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_masks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
