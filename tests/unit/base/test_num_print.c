/* Number printing: the documented form; reads back bit for bit (with our parser and with strtod); has as few
 * digits as the shortest %.{1..17}g that reads back; and of these the nearest to the value. */
#include "tsr_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "tsr_num.h"

static uint64_t nrandom =
    1; /* "slow" on the command line: other random cases, 8 times as many; a number: as many times */
static uint64_t seed;

static double f64_of(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float f32_of(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Print into a buffer of exactly the documented size with a mark after it; returns a NUL-terminated copy in a
 * ring. */
static const char *print(char type, double v, uint64_t u)
{
    static char ring[4][80];
    static unsigned next;
    char *buf = ring[next++ % 4];
    memset(buf, '#', sizeof ring[0]);
    const size_t room = type == 'd'   ? TSR_F64_NBYTES
                        : type == 'f' ? TSR_F32_NBYTES
                        : type == 'u' ? TSR_U64_NBYTES
                                      : TSR_I64_NBYTES;
    const size_t n = type == 'd'   ? tsr_print_f64(buf, v)
                     : type == 'f' ? tsr_print_f32(buf, (float)v)
                     : type == 'u' ? tsr_print_u64(buf, u)
                                   : tsr_print_i64(buf, (int64_t)u);
    assert_true(n <= room);
    for (size_t i = room; i < sizeof ring[0]; i++)
        assert_int_equal(buf[i], '#');
    buf[n] = '\0';
    return buf;
}

static void test_form(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1, "-1"},
        {3, "3"},
        {0.1, "0.1"},
        {-0.1, "-0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {12.5, "12.5"},
        {100, "100"},
        {1.0 / 3, "0.3333333333333333"},
        {2.0 / 3, "0.6666666666666666"},
        {1234567.875, "1234567.875"},
        {12345678.125, "12345678.125"},
        {123456789.0625, "123456789.0625"},
        {1234567890123.25, "1234567890123.25"},
        {123456789012345.67, "123456789012345.67"},
        {9007199254740991, "9007199254740991"},
        {9007199254740992, "9007199254740992"},
        {9007199254740994, "9007199254740994"},
        {1e15, "1000000000000000"},
        {1e16, "10000000000000000"},
        {12345678901234568, "12345678901234568"},
        {-12345678901234568, "-12345678901234568"},
        {99999999999999984, "99999999999999980"},
        {1e17, "1e+17"},
        {123456789012345680, "1.2345678901234568e+17"},
        {1e22, "1e+22"},
        {1e23, "1e+23"},
        {1.5e-7, "1.5e-7"},
        {1e-5, "0.00001"},
        {1.2e-5, "0.000012"},
        {-1.2345678901234568e-5, "-0.000012345678901234568"},
        {9.999e-6, "9.999e-6"},
        {-1.2345678901234567e-6, "-1.2345678901234567e-6"},
        {1e100, "1e+100"},
        {-1.2345678901234568e-300, "-1.2345678901234568e-300"},
        {5e-324, "5e-324"},
        {1e-323, "1e-323"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {9.5367431640625e-07, "9.5367431640625e-7"},
        {2e-44, "2e-44"},
        {9.007199254740993e+15, "9007199254740992"},
        {4.35, "4.35"},
        {0.000001, "1e-6"},
        {1.7800590868057611e-307, "1.7800590868057611e-307"}, /* the least of a binade */
        {2.98023223876953125e-08, "2.9802322387695312e-8"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(print('d', cases[i].v, 0), cases[i].text);
    assert_string_equal(print('d', -f64_of(UINT64_C(0x7ff8000000000001)), 0), "nan");
    static const struct {
        float v;
        const char *text;
    } singles[] = {
        {0, "0"},
        {-0.0f, "-0"},
        {0.1f, "0.1"},
        {16777216.0f, "16777216"},
        {16777215.0f, "16777215"},
        {33554432.0f, "33554432"},
        {123456789.0f, "123456790"},
        {1e10f, "10000000000"},
        {-1e16f, "-10000000000000000"},
        {1e17f, "1e+17"},
        {3.4028235e38f, "3.4028235e+38"},
        {-1.1754944e-38f, "-1.1754944e-38"},
        {1e-45f, "1e-45"},
        {-1.23456789e-5f, "-0.000012345679"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++)
        assert_string_equal(print('f', (double)singles[i].v, 0), singles[i].text);
}

/* The significant digits of a printed number: no leading or trailing zeros, no point; *exp10 of the first. */
static size_t digits_of(char digits[32], const char *text)
{
    size_t n = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0'))
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        n--;
    digits[n] = '\0';
    return n;
}

/* The shortest %.{1..max}g that reads back; its digits. */
static size_t fewest_digits(char digits[32], double v, bool single)
{
    char text[64];
    for (int precision = 1;; precision++) {
        snprintf(text, sizeof text, "%.*e", precision - 1, v);
        const bool same = single ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v;
        if (same || precision == 17) {
            assert_true(same);
            return digits_of(digits, text);
        }
    }
}

/* printf rounds v itself to n digits, which gives the nearest decimal of n digits. If that reads back, it
 * must be our text. If not, our text must have as few digits as any text that reads back. */
static void check_shortest(const char *text, double v, bool single)
{
    char ours[32], best[32];
    const size_t n = digits_of(ours, text), fewest = fewest_digits(best, v, single);
    if (n > fewest)
        fail_msg("%s has %zu digits, but %s suffice", text, n, best);
    if (n == fewest && strcmp(ours, best) != 0)
        fail_msg("%s: the nearest of %zu digits is %s", text, n, best);
}

static void check_f64(double v, bool shortest)
{
    const char *text = print('d', v, 0);
    double back;
    const char *end = tsr_parse_f64(&back, text, text + strlen(text));
    if (!end || *end || memcmp(&back, &v, sizeof v) != 0)
        fail_msg("%a prints as %s, which reads as %a", v, text, back);
    if (shortest) {
        back = strtod(text, NULL);
        assert_memory_equal(&back, &v, sizeof v);
        check_shortest(text, v, false);
    }
}

static void check_f32(float v, bool shortest)
{
    const char *text = print('f', (double)v, 0);
    float back;
    const char *end = tsr_parse_f32(&back, text, text + strlen(text));
    if (!end || *end || memcmp(&back, &v, sizeof v) != 0)
        fail_msg("%a prints as %s, which reads as %a", (double)v, text, (double)back);
    if (shortest) {
        back = strtof(text, NULL);
        assert_memory_equal(&back, &v, sizeof v);
        check_shortest(text, (double)v, true);
    }
}

static void test_f64_edges(void **state)
{
    (void)state;
    for (uint64_t biased = 0; biased < 2047; biased++) { /* around each power of two */
        static const int64_t near[] = {-2, -1, 0, 1, 2, 3};
        for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
            const double v = f64_of((biased << 52) + (uint64_t)near[i]);
            if (isfinite(v))
                check_f64(v, v != 0);
        }
    }
    for (int e = -323; e <= 308; e++) { /* and of ten */
        char text[32];
        snprintf(text, sizeof text, "1e%d", e);
        const double v = strtod(text, NULL);
        check_f64(v, true);
        check_f64(nextafter(v, 0), nextafter(v, 0) > 0);
        check_f64(nextafter(v, INFINITY), true);
        snprintf(text, sizeof text, "%de%d", 1 + (e + 324) % 997, e);
        check_f64(strtod(text, NULL), isfinite(strtod(text, NULL)));
    }
}

static void test_f64_random(void **state)
{
    (void)state;
    tsr_rng rng = {seed + 1};
    for (uint64_t i = 0; i < 1000000 * nrandom; i++) {
        double v = f64_of(tsr_rng_next(&rng));
        if (i & 1)
            v = (tsr_rng_unit(&rng) - 0.5) * (double)(UINT64_C(1) << tsr_rng_below(&rng, 64));
        if (i & 2) /* few digits */
            v = (double)tsr_rng_below(&rng, 1000000) * 1e-4;
        if (isfinite(v))
            check_f64(v, i % 64 < 4 && v != 0);
    }
}

static void test_f32_stride(void **state)
{
    (void)state;
    const uint64_t stride = nrandom == 1 ? 4099 : 499;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += stride) {
        const float v = f32_of((uint32_t)bits);
        if (isfinite(v))
            check_f32(v, bits / stride % 16 == 0 && v != 0.0f);
    }
    for (uint32_t biased = 0; biased < 255; biased++)
        for (uint32_t low = 0; low < 4; low++) {
            check_f32(f32_of((biased << 23) + low), biased + low > 0);
            if (biased > 0)
                check_f32(f32_of((biased << 23) - 1 - low), true);
        }
}

static void test_integers(void **state)
{
    (void)state;
    char want[32];
    tsr_rng rng = {seed + 2};
    for (uint64_t i = 0; i < 300000 * nrandom; i++) {
        uint64_t v = tsr_rng_next(&rng) >> tsr_rng_below(&rng, 64);
        if (i < 80) { /* around each power of ten, and the ends */
            v = 1;
            for (uint64_t k = 0; k < i / 4; k++)
                v *= 10;
            v += i % 4 - 2;
        }
        snprintf(want, sizeof want, "%" PRIu64, v);
        if (strcmp(print('u', 0, v), want) != 0)
            fail_msg("%s printed as %s", want, print('u', 0, v));
        snprintf(want, sizeof want, "%" PRId64, (int64_t)v);
        if (strcmp(print('i', 0, v), want) != 0)
            fail_msg("%s printed as %s", want, print('i', 0, v));
    }
    assert_string_equal(print('u', 0, 0), "0");
    assert_string_equal(print('u', 0, UINT64_MAX), "18446744073709551615");
    assert_string_equal(print('i', 0, (uint64_t)INT64_MAX), "9223372036854775807");
    assert_string_equal(print('i', 0, UINT64_C(1) << 63), "-9223372036854775808");
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        nrandom *= strcmp(argv[1], "slow") == 0 ? 8 : strtoull(argv[1], NULL, 10);
        seed = 1000; /* not the cases of the quick run */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),       cmocka_unit_test(test_f64_edges),
        cmocka_unit_test(test_f64_random), cmocka_unit_test(test_f32_stride),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
