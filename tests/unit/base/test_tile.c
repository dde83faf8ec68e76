/* tsr_transpose and tsr_stream_rows against plain loops, for all small sizes and some larger ones, for all
 * widths, strides and alignments; the blocks have exactly the needed size, so that the address sanitizer
 * detects an access beyond them. */
#include "tsr_test.h"
#include "tsr_tile.h"

static const size_t widths[] = {1, 2, 4, 8, 16};

static void check_transpose(size_t nrows, size_t ncols, size_t width, tsr_rng *rng)
{
    const size_t unit = width < 8 ? width : 8, rows = nrows ? nrows : 1, cols = ncols ? ncols : 1;
    const size_t from_stride = cols * width + tsr_rng_below(rng, 4) * unit;
    const size_t to_stride = rows * width + tsr_rng_below(rng, 4) * unit;
    const size_t from_nbytes = (rows - 1) * from_stride + cols * width;
    const size_t to_nbytes = (cols - 1) * to_stride + rows * width;
    const size_t shift = tsr_rng_below(rng, 8) * unit;
    unsigned char *from = malloc(shift + from_nbytes), *to = malloc(shift + to_nbytes);
    unsigned char *want = malloc(shift + to_nbytes);
    for (size_t i = 0; i < shift + from_nbytes; i++)
        from[i] = (unsigned char)tsr_rng_next(rng);
    memset(to, 0xa5, shift + to_nbytes);
    memset(want, 0xa5, shift + to_nbytes);
    for (size_t r = 0; r < nrows; r++)
        for (size_t c = 0; c < ncols; c++)
            memcpy(want + shift + c * to_stride + r * width, from + shift + r * from_stride + c * width,
                   width);
    tsr_transpose((tsr_tile){.to = to + shift,
                             .from = from + shift,
                             .to_stride = (ptrdiff_t)to_stride,
                             .from_stride = (ptrdiff_t)from_stride,
                             .nrows = nrows,
                             .ncols = ncols},
                  width);
    if (memcmp(to, want, shift + to_nbytes) != 0)
        fail_msg("%zu x %zu elements of %zu bytes, strides %zu and %zu", nrows, ncols, width, to_stride,
                 from_stride);
    free(from);
    free(to);
    free(want);
}

static void test_transpose(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    for (int w = 0; w < 5; w++) {
        for (size_t r = 0; r <= 20; r++)
            for (size_t c = 0; c <= 20; c++)
                check_transpose(r, c, widths[w], &rng);
        for (int i = 0; i < 400; i++)
            check_transpose(tsr_rng_below(&rng, 150), tsr_rng_below(&rng, 150), widths[w], &rng);
        for (size_t n = 1; n < 140; n++)
            for (size_t few = 2; few <= 4; few++) {
                check_transpose(few, n, widths[w], &rng);
                check_transpose(n, few, widths[w], &rng);
            }
    }
}

static void test_stream_rows(void **state)
{
    (void)state;
    enum { NROWS = 3 };
    unsigned char from[2000], to[2000], want[2000];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t shift = 0; shift < 65; shift++)
        for (size_t n = 0; n < 400; n += n < 200 ? 1 : 13) {
            memset(to, 0xa5, sizeof to);
            memset(want, 0xa5, sizeof want);
            for (size_t r = 0; r < NROWS; r++)
                memcpy(want + shift + r * (n + shift), from + shift / 2 + r * (n + 3), n);
            tsr_stream_rows(to + shift, (ptrdiff_t)(n + shift), from + shift / 2, (ptrdiff_t)n + 3, NROWS, n);
            tsr_stream_end();
            assert_memory_equal(to, want, sizeof to);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_stream_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
