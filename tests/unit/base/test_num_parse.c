/* Number parsing: bit for bit the same as strtod, strtof and strtoull in the C locale. Every text ends
 * directly before an unreadable page, so a parser that reads past the end crashes the test. */
#include "tsr_test.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tsr_digits.h"
#include "tsr_num.h"

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20
#endif

static uint64_t nrandom =
    4; /* "slow" on the command line: other random cases, 4 times as many; a number: as many times */
static uint64_t seed;

static char *fence; /* the first byte of the page that must not be read */
enum { ROOM = 1 << 16 };

static int map_fence(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *room = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED || mprotect(room + ROOM, page, PROT_NONE) != 0)
        return -1;
    fence = room + ROOM;
    return 0;
}

/* A copy of text[0..n) that ends at the fence. */
static const char *fenced(const char *text, size_t n)
{
    assert_true(n < ROOM);
    return memcpy(fence - n, text, n);
}

static void check_f64(const char *text, const char *for_strtod)
{
    char *want_end;
    const double want = strtod(for_strtod, &want_end);
    const char *p = fenced(text, strlen(text));
    double got = 17;
    const char *end = tsr_parse_f64(&got, p, fence);
    if (want_end == for_strtod) {
        if (end)
            fail_msg("'%s' is not a number, but read as %.17g", text, got);
        return;
    }
    if (!end)
        fail_msg("'%s' is a number, but was refused", text);
    if (end - p != want_end - for_strtod)
        fail_msg("'%s': read %td bytes, want %td", text, end - p, want_end - for_strtod);
    if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)))
        fail_msg("'%.60s' (%zu bytes): f64 %a, want %a", text, strlen(text), got, want);
}

static void check_f32(const char *text, const char *for_strtod)
{
    char *want_end;
    const float want = strtof(for_strtod, &want_end);
    const char *p = fenced(text, strlen(text));
    float got = 17;
    const char *end = tsr_parse_f32(&got, p, fence);
    if (want_end == for_strtod) {
        assert_null(end);
        return;
    }
    if (!end || end - p != want_end - for_strtod)
        fail_msg("'%s': f32 reads a different length", text);
    if (memcmp(&got, &want, sizeof got) != 0 && !(isnan(got) && isnan(want)))
        fail_msg("'%.60s' (%zu bytes): f32 %a, want %a", text, strlen(text), (double)got, (double)want);
}

static void check(const char *text)
{
    check_f64(text, text);
    check_f32(text, text);
}

static void test_hard_cases(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "0",
        "-0",
        "+0",
        "0.0",
        "-0.0e5",
        ".0",
        "0.",
        "00000",
        "0e999999999999999999999",
        "-0e-99999",
        "1",
        "1.",
        ".5",
        "+1.5",
        "-.5",
        "0001.5",
        "1e5",
        "1E+05",
        "1e-5",
        "12.5",
        "1e0",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "123456789012345678",
        "1234567890123456789",
        "12345678901234567890",
        "123456789012345678901",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740993.00000000000000000000000000000000000000000000000000001",
        "9007199254740994",
        "9007199254740995",
        "9007199254740993e0",
        "900719925474099300000e-5",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617",
        "9223372036854775807",
        "0.1",
        "0.2",
        "0.3",
        "0.1000000000000000055511151231257827021181583404541015625",
        "3.14159265358979323846",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072013e-308",
        "2.2250738585072014e-308",
        "2."
        "2250738585072021241887014792022203290724052827943903781430313383743510731924419468675440643256388185"
        "1382188218502438069999947733013005649884107791928741341929297200970481951993067993290969042784064731"
        "6820415659267286329336304746701233168529834221527445172608358596545663192828352447877877998943107797"
        "8383369915928859455521371418112845825114558431922307989750439508685941245723089173894616936837232119"
        "1373658977977723286698840356390251044443035457396733706583981055420456693824658413747607155981176573"
        "8776267476659123871999319040063173347090030127901881752034471902500280612777779167983910905785840064"
        "6471594381051148915428277504117468219413395246668250343130618158782937900420539237507208336669324158"
        "0002758391118854188641513168478436313080237596295773983001708984375e-308",
        "4.9406564584124654e-324",
        "4.94065645841246544176568792868e-324",
        "1e-323",
        "1e-324",
        "2e-324",
        "3e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272e-324",
        "2.470328229206232720882843964341106861825299013071623822127928412503377536351043e-324",
        "2.470328229206232720882843964341106861825299013071623822127928412503377536351044e-324",
        "1e-342",
        "1e-343",
        "18446744073709551615e-343",
        "9999999999999999999999e-345",
        "1e-400",
        "1e-99999999999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1.797693134862315807e308",
        "1.797693134862315808e308",
        "1.8e308",
        "1e308",
        "1e309",
        "1e310",
        "1e400",
        "-1e400",
        "1e99999999999",
        "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070"
        "9633028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447"
        "5730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
        "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070"
        "9633028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447"
        "5730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042879",
        "3.4028234663852886e38",
        "3.4028235e38",
        "3.4028236e38",
        "3.40282356779733661637539395458142568447e38",
        "3.40282356779733661637539395458142568448e38",
        "1.1754943508222875e-38",
        "1.1754942106924411e-38",
        "1.401298464324817e-45",
        "7.006492321624085e-46",
        "7.006492321624086e-46",
        "7.0064923216240853546186479164495e-46",
        "7.0064923216240853546186479164496e-46",
        "1e-45",
        "1e-46",
        "1e-64",
        "1e-65",
        "18446744073709551615e-65",
        "16777216",
        "16777217",
        "16777218",
        "16777219",
        "16777217.0",
        "16777217.0000000000000000000000000001",
        "0."
        "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000123"
        "45",
        "0.00000000000000000000123456789012345678",
        "0.000012345678901234567890",
        "00000000000000000000000000000001",
        "6.631236846766476e-316",
        "3.2379086165851934e-319",
        "8.988465674311582e307",
        "5e-324",
        "1.0e-10000",
        "1448997445238699",
        "65536.0000000000072759576141834259033203125",
        "8.371377236e-312",
        "1.3e-310",
        "7.8459735791271921e65",
        "3.571e266",
        "3.08984926168550152811e-32",
        "1090544144181609348671888949248",
        "1090544144181609348835077142190",
        "9.5367431640625e-7",
        "0.5000000000000000000",
        "1.00000005960464477539062500",
        "1.000000059604644775390624",
        "1.000000059604644775390625000000000000000000000000001",
        "8388608.5",
        "8388609.5",
        "0x10",
        "1e",
        "1e+",
        "1e-",
        "1e5.5",
        "1.5.5",
        "1..5",
        ".",
        "+.",
        "-",
        "+",
        "",
        "e5",
        ".e5",
        "--1",
        "+-1",
        "1.5abc",
        "1,5",
        " 1",
        "12 13",
        "1\t",
        "1-2",
        "1_000",
        "a",
        "12345678a",
        "1234567a",
        "123456789a",
        "1.2345678a",
        "nan",
        "NaN",
        "NAN",
        "-nan",
        "nano",
        "inf",
        "INF",
        "-Inf",
        "+inf",
        "infinity",
        "INFINITY",
        "-iNfInItY",
        "infinit",
        "infinityx",
        "in",
        "na",
        "n",
        "i",
        "-",
        "1inf",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(cases[i], "0x10") == 0) { /* hexadecimal is not in our grammar */
            const char *p = fenced("0x10", 4);
            double v;
            assert_ptr_equal(tsr_parse_f64(&v, p, fence), p + 1);
        } else if (cases[i][0] != ' ') {
            check(cases[i]);
        } else {
            double v;
            assert_null(tsr_parse_f64(&v, fenced(cases[i], 2), fence));
        }
    }
}

static void test_fortran_exponents(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1.5d2", "1.5e2"}, {"1.5D+02", "1.5e+02"}, {"-.5d-3", "-.5e-3"},
        {"1d", "1e"},       {"1D+x", "1e+x"},       {"2d0", "2e0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_f64(cases[i][0], cases[i][1]);
        check_f32(cases[i][0], cases[i][1]);
    }
}

/* digits, then n zeros, then tail: mantissas of many hundred digits. */
static void check_long(const char *head, size_t nzeros, const char *tail)
{
    static char text[ROOM];
    const size_t n = strlen(head);
    memcpy(text, head, n);
    memset(text + n, '0', nzeros);
    strcpy(text + n + nzeros, tail);
    check(text);
}

static void test_long_digits(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 18, 19, 20, 50, 110, 300, 767, 768, 769, 770, 800, 1200, 30000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t n = lengths[i];
        check_long("", n, "1.5");
        check_long("", n, "");
        check_long("0.", n, "15");
        check_long("9007199254740993.", n, "");
        check_long("9007199254740993.", n, "1");
        check_long("9007199254740993", n, "");
        check_long("9007199254740993", n, ".1");
        check_long("1", n, "e-300");
        check_long("1", n, "e-1000");
        check_long("1.", n, "1e-5");
        check_long("0.", n, "1234567890123456789012345e300");
        char tail[64];
        snprintf(tail, sizeof tail, "1234567890123456789012345e%zu", n);
        check_long("0.", n, tail);
        snprintf(tail, sizeof tail, "1e-%zu", n);
        check_long("9007199254740993", n, tail + 1);
        check_long("9007199254740993", n, tail);
        check_long("16777217", n, tail);
        check_long("2470328229206232720882843964341106861825299013071623822127928412503377536351043", n,
                   tail);
    }
}

/* The exact decimal expansion of the midpoint above |x|, then the same a little below and above. */
static void check_midpoint_f64(double x)
{
#if LDBL_MANT_DIG > 53
    static char text[2048];
    const double next = nextafter(x, INFINITY);
    if (!isfinite(x) || !isfinite(next))
        return;
    const long double mid = (long double)x + ((long double)next - (long double)x) / 2;
    const int n = snprintf(text, sizeof text, "%.800Le", mid); /* no midpoint has more digits */
    check(text);
    char *last = strchr(text, 'e') - 1;
    assert_true(n < 2000 && *last == '0');
    *last = '1';
    check(text);
    *last = '0';
    while (*last == '0')
        last--;
    --*last;
    check(text);
#else
    (void)x;
#endif
}

static double random_f64(tsr_rng *rng)
{
    const uint64_t bits = tsr_rng_next(rng);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static float random_f32(tsr_rng *rng)
{
    const uint32_t bits = (uint32_t)tsr_rng_next(rng);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static void test_midpoints(void **state)
{
    (void)state;
    tsr_rng rng = {seed + 1};
    static const double edges[] = {
        0, 5e-324, 1e-323, 2.2250738585072011e-308, 2.2250738585072014e-308, 1,
        2, 0.5,    1e22,   9007199254740992.0,      4503599627370496.0,      1.7976931348623155e308};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        check_midpoint_f64(edges[i]);
    for (uint64_t i = 0; i < 3000 * nrandom; i++)
        check_midpoint_f64(fabs(random_f64(&rng)));
    for (uint64_t i = 0; i < 20000 * nrandom; i++) { /* f32: midpoints are exact doubles */
        const float x = fabsf(random_f32(&rng)), next = nextafterf(x, INFINITY);
        if (!isfinite(x) || !isfinite(next))
            continue;
        char text[400];
        const double mid = ((double)x + (double)next) / 2;
        snprintf(text, sizeof text, "%.150e", mid);
        check_f32(text, text);
        snprintf(text, sizeof text, "%.17g", mid);
        check_f32(text, text);
        snprintf(text, sizeof text, "%.17g", nextafter(mid, i & 1 ? 0 : INFINITY));
        check_f32(text, text);
    }
}

static void test_random_bit_patterns(void **state)
{
    (void)state;
    tsr_rng rng = {seed + 2};
    static const char *const formats[] = {"%.17g", "%.9g", "%.25g", "%.3g", "%.16e", "%.19e", "%.18e"};
    char text[512];
    for (uint64_t i = 0; i < 350000 * nrandom; i++) {
        double v = random_f64(&rng);
        if (i & 1) /* of everyday size */
            v = (tsr_rng_unit(&rng) - 0.5) * (double)(UINT64_C(1) << tsr_rng_below(&rng, 60));
        snprintf(text, sizeof text, formats[i % 7], v);
        check_f64(text, text);
        if (i & 2)
            snprintf(text, sizeof text, formats[i % 7], (double)random_f32(&rng));
        check_f32(text, text);
    }
}

/* Random tokens of the characters of numbers: our parser and strtod agree about the end of the number. */
static void test_random_tokens(void **state)
{
    (void)state;
    tsr_rng rng = {seed + 3};
    static const char alphabet[] = "00000123456789999......eeeE+-+-nai f,";
    char text[64];
    for (uint64_t i = 0; i < 400000 * nrandom; i++) {
        const size_t n = 1 + (size_t)tsr_rng_below(&rng, i & 1 ? 8 : 40);
        for (size_t k = 0; k < n; k++)
            text[k] = alphabet[tsr_rng_below(&rng, i & 2 ? 18 : sizeof alphabet - 1)];
        if (i & 4 && n > 4)
            text[n - 3] = 'e';
        text[n] = '\0';
        if (text[0] != ' ')
            check(text);
    }
}

static void test_integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int stop; /* bytes parsed; -1: refused */
        uint64_t u64;
    } unsigned_cases[] = {
        {"0", 1, 0},
        {"7", 1, 7},
        {"+7", 2, 7},
        {"007", 3, 7},
        {"1234567", 7, 1234567},
        {"12345678", 8, 12345678},
        {"123456789", 9, 123456789},
        {"1234567 ", 7, 1234567},
        {"12345678\n", 8, 12345678},
        {"12,5", 2, 12},
        {"18446744073709551615", 20, UINT64_MAX},
        {"18446744073709551616", -1, UINT64_MAX},
        {"18446744073709551614", 20, UINT64_MAX - 1},
        {"10000000000000000000", 20, UINT64_C(10000000000000000000)},
        {"20000000000000000000", -1, UINT64_MAX},
        {"99999999999999999999", -1, UINT64_MAX},
        {"100000000000000000000", -1, UINT64_MAX},
        {"00000000000000000000000018446744073709551615", 44, UINT64_MAX},
        {"00000000000000000000000018446744073709551616", -1, UINT64_MAX},
        {"9999999999999999999", 19, UINT64_C(9999999999999999999)},
        {"000000000000000000000000000", 27, 0},
        {"", -1, 0},
        {"+", -1, 0},
        {"-1", -1, 0},
        {"a", -1, 0},
        {"+-1", -1, 0},
        {"++1", -1, 0},
        {".5", -1, 0},
        {" 1", -1, 0},
        {"1.5", 1, 1},
        {"3e2", 1, 3},
        {"/", -1, 0},
        {":", -1, 0},
        {"1\xff", 1, 1},
        {"12\xb0\xb1", 2, 12},
        {"1234567\xfa", 7, 1234567},
    };
    for (size_t i = 0; i < sizeof unsigned_cases / sizeof unsigned_cases[0]; i++) {
        const char *text = unsigned_cases[i].text;
        const char *p = fenced(text, strlen(text));
        uint64_t v = 17;
        const char *end = tsr_parse_u64(&v, p, fence);
        if ((end ? end - p : -1) != unsigned_cases[i].stop || v != unsigned_cases[i].u64)
            fail_msg("'%s': read %td bytes, value %ju", text, end ? end - p : -1, (uintmax_t)v);
    }
    static const struct {
        const char *text;
        int stop;
        int64_t i64;
    } signed_cases[] = {
        {"0", 1, 0},
        {"-0", 2, 0},
        {"-1", 2, -1},
        {"+1", 2, 1},
        {"9223372036854775807", 19, INT64_MAX},
        {"9223372036854775808", -1, INT64_MAX},
        {"-9223372036854775808", 20, INT64_MIN},
        {"-9223372036854775809", -1, INT64_MIN},
        {"-99999999999999999999999", -1, INT64_MIN},
        {"18446744073709551616", -1, INT64_MAX},
        {"18446744073709551617", -1, INT64_MAX},
        {"-", -1, 0},
        {"", -1, 0},
        {"--1", -1, 0},
        {"-x", -1, 0},
        {"-000000000000000000000000000000042", 34, -42},
        {"-12 ", 3, -12},
    };
    for (size_t i = 0; i < sizeof signed_cases / sizeof signed_cases[0]; i++) {
        const char *text = signed_cases[i].text, *p = fenced(text, strlen(text));
        int64_t v = 17;
        const char *end = tsr_parse_i64(&v, p, fence);
        if ((end ? end - p : -1) != signed_cases[i].stop || v != signed_cases[i].i64)
            fail_msg("'%s': read %td bytes, value %jd", text, end ? end - p : -1, (intmax_t)v);
    }
}

static void test_random_integers(void **state)
{
    (void)state;
    tsr_rng rng = {seed + 4};
    char text[64];
    for (uint64_t i = 0; i < 300000 * nrandom; i++) {
        const uint64_t v = tsr_rng_next(&rng) >> tsr_rng_below(&rng, 64);
        const int n = snprintf(text, sizeof text, "%0*ju", (int)tsr_rng_below(&rng, 24), (uintmax_t)v);
        uint64_t u = ~v;
        int64_t s;
        assert_ptr_equal(tsr_parse_u64(&u, fenced(text, (size_t)n), fence), fence);
        assert_int_equal(u, v);
        const int m = snprintf(text, sizeof text, "%jd", (intmax_t)(int64_t)v);
        assert_ptr_equal(tsr_parse_i64(&s, fenced(text, (size_t)m), fence), fence);
        assert_int_equal(s, (int64_t)v);
    }
}

/* Runs of 0 to 24 digits, then any other bytes, in a room of TSR_DIGITS_PADDING bytes. */
static void test_digit_runs(void **state)
{
    (void)state;
    tsr_rng rng = {seed + 5};
    for (uint64_t i = 0; i < 300000 * nrandom; i++) {
        char room[TSR_DIGITS_PADDING];
        const size_t n = (size_t)tsr_rng_below(&rng, sizeof room + 1);
        for (size_t k = 0; k < n; k++)
            room[k] = (char)('0' + tsr_rng_below(&rng, 10));
        for (size_t k = n; k < sizeof room; k++)
            do
                room[k] = (char)tsr_rng_next(&rng);
            while (k == n && room[k] >= '0' && room[k] <= '9');
        const char *p = fenced(room, sizeof room);
        uint64_t v = 17, want = 17;
        const char *end = tsr_digits(&v, p), *want_end = tsr_parse_u64(&want, p, p + n);
        if (n == 0 || n > 19)
            assert_null(end);
        else if (end != want_end || v != want)
            fail_msg("'%.24s': %td digits, value %ju, want %zu, %ju", room, end ? end - p : -1, (uintmax_t)v,
                     n, (uintmax_t)want);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        nrandom *= strcmp(argv[1], "slow") == 0 ? 4 : strtoull(argv[1], NULL, 10);
        seed = 1000; /* not the cases of the quick run */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_cases),
        cmocka_unit_test(test_fortran_exponents),
        cmocka_unit_test(test_long_digits),
        cmocka_unit_test(test_midpoints),
        cmocka_unit_test(test_random_bit_patterns),
        cmocka_unit_test(test_random_tokens),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_random_integers),
        cmocka_unit_test(test_digit_runs),
    };
    return cmocka_run_group_tests(tests, map_fence, NULL);
}
