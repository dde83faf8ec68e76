/* Value types: names, and sums, negatives, conversions of single values written as text. */
#include "tsr_test.h"

#include <math.h>
#include <stdbool.h>

#include "tsr_num.h"
#include "tsr_type.h"

typedef union value {
    double f64[2];
    float f32[2];
    int64_t i64;
    uint64_t u64;
    char bytes[TSR_MAX_VALUE_NBYTES];
} value;

static const char *parse_component(value *v, int i, bool f32, const char *text)
{
    const char *end = text + strlen(text);
    text = f32 ? tsr_parse_f32(&v->f32[i], text, end) : tsr_parse_f64(&v->f64[i], text, end);
    assert_non_null(text);
    return text;
}

/* The value that `text` spells: "-5", "1.5", "1.5 -2", "1". */
static value make(tsr_type type, const char *text)
{
    value v = {{0}};
    const char *end = text + strlen(text);
    switch (tsr_type_class(type)) {
    case 'I': /* the low bytes of a little-endian i64; the tests below compare through the printer */
        assert_non_null(tsr_parse_i64(&v.i64, text, end));
        break;
    case 'R':
        parse_component(&v, 0, type == TSR_F32, text);
        if (tsr_type_nbytes(type) == 2) {
            const double wide = v.f64[0];
            memset(&v, 0, sizeof v);
            assert_ok(tsr_values_convert(&v, type, &wide, TSR_F64, 1, err));
        }
        return v;
    case 'C':
        text = parse_component(&v, 0, type == TSR_C64, text);
        parse_component(&v, 1, type == TSR_C64, text + 1);
        return v;
    default:
        assert_non_null(tsr_parse_u64(&v.u64, text, end));
    }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v.u64 <<= 8 * (8 - tsr_type_nbytes(type));
#endif
    return v;
}

static const char *print(tsr_type type, const value *v)
{
    static char buf[TSR_VALUE_TEXT_NBYTES + 1];
    buf[tsr_value_print(buf, type, v)] = '\0';
    return buf;
}

static void test_names(void **state)
{
    (void)state;
    tsr_error err;
    for (tsr_type type = 0; type < TSR_NTYPES; type++) {
        tsr_type back = TSR_NTYPES;
        assert_int_equal(tsr_type_parse(&back, tsr_type_name(type), &err), TSR_OK);
        assert_int_equal(back, type);
        assert_in_range(tsr_type_nbytes(type), 1, TSR_MAX_VALUE_NBYTES);
        assert_non_null(strchr("RIUCP", tsr_type_class(type)));
    }
    assert_string_equal(tsr_type_name(TSR_C128), "c128");
    assert_int_equal(tsr_type_nbytes(TSR_C128), 16);
    assert_int_equal(tsr_type_class(TSR_C128), 'C');
    assert_string_equal(tsr_type_name(TSR_NTYPES), "?");
    tsr_type type;
    static const char *const wrong[] = {"", "f", "F64", "f64 ", "double", "i128", "?"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(tsr_type_parse(&type, wrong[i], &err), TSR_ARGUMENT);
    assert_string_equal(err.message,
                        "unknown value type '?' (known: f64, f32, i8, i16, i32, i64, u8, u16, u32, "
                        "u64, c64, c128, pattern, f16, bf16)");
}

static void test_add(void **state)
{
    (void)state;
    static const struct {
        tsr_type type;
        const char *a, *b, *sum;
        bool wraps;
    } cases[] = {
        {TSR_F64, "1.5", "2", "3.5", false},
        {TSR_F64, "inf", "-inf", "nan", false},
        {TSR_F64, "-0", "-0", "-0", false},
        {TSR_F32, "16777216", "1", "16777216", false},
        {TSR_F32, "0.1", "0.2", "0.3", false},
        {TSR_I8, "100", "27", "127", false},
        {TSR_I8, "100", "28", "-128", true},
        {TSR_I8, "-100", "-28", "-128", false},
        {TSR_I8, "-100", "-29", "127", true},
        {TSR_I16, "32767", "1", "-32768", true},
        {TSR_I32, "2147483647", "1", "-2147483648", true},
        {TSR_I32, "2147483647", "-1", "2147483646", false},
        {TSR_I64, "9223372036854775807", "1", "-9223372036854775808", true},
        {TSR_I64, "-9223372036854775808", "-1", "9223372036854775807", true},
        {TSR_I64, "-9223372036854775808", "9223372036854775807", "-1", false},
        {TSR_U8, "255", "0", "255", false},
        {TSR_U8, "255", "1", "0", true},
        {TSR_U16, "65535", "1", "0", true},
        {TSR_U32, "4294967295", "1", "0", true},
        {TSR_U64, "18446744073709551615", "1", "0", true},
        {TSR_U64, "18446744073709551614", "1", "18446744073709551615", false},
        {TSR_C64, "1 2", "3 4.5", "4 6.5", false},
        {TSR_C128, "1 2", "-1 -2", "0 0", false},
        {TSR_PATTERN, "1", "1", "1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        value a = make(cases[i].type, cases[i].a), b = make(cases[i].type, cases[i].b);
        const bool fits = tsr_value_add(cases[i].type, &a, &b);
        if (fits == cases[i].wraps || strcmp(print(cases[i].type, &a), cases[i].sum) != 0)
            fail_msg("%s: %s + %s gives %s", tsr_type_name(cases[i].type), cases[i].a, cases[i].b,
                     print(cases[i].type, &a));
    }
}

static void test_negate_and_conjugate(void **state)
{
    (void)state;
    static const struct {
        tsr_type type;
        const char *v, *negative, *conjugate; /* NULL: does not fit, and v does not change */
    } cases[] = {
        {TSR_F64, "1.5", "-1.5", "1.5"},
        {TSR_F64, "0", "-0", "0"},
        {TSR_F32, "-inf", "inf", "-inf"},
        {TSR_I8, "127", "-127", "127"},
        {TSR_I8, "-128", NULL, "-128"},
        {TSR_I64, "-9223372036854775808", NULL, "-9223372036854775808"},
        {TSR_I64, "-9223372036854775807", "9223372036854775807", "-9223372036854775807"},
        {TSR_U8, "0", "0", "0"},
        {TSR_U8, "1", NULL, "1"},
        {TSR_U64, "18446744073709551615", NULL, "18446744073709551615"},
        {TSR_C64, "1 2", "-1 -2", "1 -2"},
        {TSR_C128, "-1 0", "1 -0", "-1 -0"},
        {TSR_PATTERN, "1", NULL, "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tsr_type type = cases[i].type;
        value v = make(type, cases[i].v);
        assert_int_equal(tsr_value_negate(type, &v), cases[i].negative != NULL);
        assert_string_equal(print(type, &v), cases[i].negative ? cases[i].negative : cases[i].v);
        v = make(type, cases[i].v);
        tsr_value_conjugate(type, &v);
        assert_string_equal(print(type, &v), cases[i].conjugate);
    }
}

static void test_convert(void **state)
{
    (void)state;
    static const struct {
        tsr_type from;
        const char *v;
        tsr_type to;
        const char *result; /* NULL: refused */
    } cases[] = {
        {TSR_F64, "0.1", TSR_F32, "0.1"},
        {TSR_F64, "1e300", TSR_F32, "inf"},
        {TSR_F64, "-nan", TSR_F32, "nan"},
        {TSR_F64, "-0", TSR_F32, "-0"},
        {TSR_F32, "0.1", TSR_F64, "0.10000000149011612"},
        {TSR_F64, "127", TSR_I8, "127"},
        {TSR_F64, "128", TSR_I8, NULL},
        {TSR_F64, "-128", TSR_I8, "-128"},
        {TSR_F64, "-129", TSR_I8, NULL},
        {TSR_F64, "1.5", TSR_I32, NULL},
        {TSR_F64, "-0", TSR_I32, "0"},
        {TSR_F64, "nan", TSR_I64, NULL},
        {TSR_F64, "inf", TSR_I64, NULL},
        {TSR_F64, "9223372036854775808", TSR_I64, NULL},
        {TSR_F64, "9223372036854774784", TSR_I64, "9223372036854774784"},
        {TSR_F64, "-9223372036854775808", TSR_I64, "-9223372036854775808"},
        {TSR_F64, "9223372036854775808", TSR_U64, "9223372036854775808"},
        {TSR_F64, "18446744073709551615", TSR_U64, NULL},
        {TSR_F64, "18446744073709549568", TSR_U64, "18446744073709549568"},
        {TSR_F64, "-0.5", TSR_U8, NULL},
        {TSR_F64, "-1", TSR_U8, NULL},
        {TSR_F64, "-0", TSR_U8, "0"},
        {TSR_F32, "255", TSR_U8, "255"},
        {TSR_F32, "256", TSR_U8, NULL},
        {TSR_F32, "65536", TSR_U16, NULL},
        {TSR_F32, "4294967296", TSR_U32, NULL},
        {TSR_F64, "4294967295", TSR_U32, "4294967295"},
        {TSR_F64, "1.5", TSR_C64, "1.5 0"},
        {TSR_F64, "1.5", TSR_PATTERN, "1"},
        {TSR_I64, "-1", TSR_U8, NULL},
        {TSR_I64, "-1", TSR_U64, NULL},
        {TSR_I64, "255", TSR_U8, "255"},
        {TSR_I64, "256", TSR_U8, NULL},
        {TSR_I64, "-129", TSR_I8, NULL},
        {TSR_I64, "-128", TSR_I8, "-128"},
        {TSR_I64, "4294967296", TSR_I32, NULL},
        {TSR_I64, "-2147483648", TSR_I32, "-2147483648"},
        {TSR_I64, "9223372036854775807", TSR_U64, "9223372036854775807"},
        {TSR_I64, "9007199254740993", TSR_F64, "9007199254740992"},
        {TSR_I64, "1152921573326323713", TSR_F32, "1.1529216e+18"}, /* through f64 it would round down */
        {TSR_I8, "-5", TSR_I64, "-5"},
        {TSR_I8, "-5", TSR_F32, "-5"},
        {TSR_I8, "-5", TSR_C128, "-5 0"},
        {TSR_I8, "-5", TSR_PATTERN, "1"},
        {TSR_U64, "18446744073709551615", TSR_I64, NULL},
        {TSR_U64, "9223372036854775807", TSR_I64, "9223372036854775807"},
        {TSR_U64, "18446744073709551615", TSR_I8, NULL},
        {TSR_U64, "18446744073709551615", TSR_U8, NULL},
        {TSR_U64, "128", TSR_I8, NULL},
        {TSR_U64, "18446744073709551615", TSR_F64, "1.8446744073709552e+19"},
        {TSR_U32, "4294967295", TSR_I32, NULL},
        {TSR_U32, "4294967295", TSR_I64, "4294967295"},
        {TSR_U8, "200", TSR_C64, "200 0"},
        {TSR_C128, "1 0", TSR_F64, "1"},
        {TSR_C128, "1 -0", TSR_F64, "1"},
        {TSR_C128, "1 2", TSR_F64, NULL},
        {TSR_C128, "1 nan", TSR_F32, NULL},
        {TSR_C128, "3 0", TSR_U8, "3"},
        {TSR_C128, "-3 0", TSR_U8, NULL},
        {TSR_C64, "3.5 0", TSR_I8, NULL},
        {TSR_C64, "3 1", TSR_I8, NULL},
        {TSR_C64, "0.1 -0.2", TSR_C128, "0.10000000149011612 -0.20000000298023224"},
        {TSR_C128, "0.1 -0.2", TSR_C64, "0.1 -0.2"},
        {TSR_C64, "0 0", TSR_PATTERN, "1"},
        {TSR_PATTERN, "1", TSR_F64, "1"},
        {TSR_PATTERN, "1", TSR_I8, "1"},
        {TSR_PATTERN, "1", TSR_U64, "1"},
        {TSR_PATTERN, "1", TSR_C64, "1 0"},
        {TSR_PATTERN, "7", TSR_PATTERN, "1"},
        {TSR_C128, "1 nan", TSR_C128, "1 nan"},
        {TSR_F64, "0.1", TSR_F16, "0.099975586"},
        {TSR_F64, "65519.99", TSR_F16, "65504"},
        {TSR_F64, "65520", TSR_F16, NULL},
        {TSR_F64, "-inf", TSR_F16, "-inf"},
        {TSR_F64, "2049", TSR_F16, "2048"}, /* ties to even */
        {TSR_F64, "2051", TSR_F16, "2052"},
        {TSR_F64, "2.98023223876953125e-8", TSR_F16, "0"}, /* half of the smallest */
        {TSR_F64, "-2.9802323e-8", TSR_F16, "-5.9604645e-8"},
        {TSR_F64, "nan", TSR_F16, "nan"},
        {TSR_F64, "1e300", TSR_BF16, NULL},
        {TSR_F64, "0.1", TSR_BF16, "0.100097656"},
        {TSR_F64, "1e-40", TSR_BF16, "9.1835e-41"},
        {TSR_F32, "257", TSR_BF16, "256"},
        {TSR_I64, "-70000", TSR_F16, NULL},
        {TSR_U64, "18446744073709551615", TSR_BF16, "1.8446744e+19"},
        {TSR_C64, "1.5 0", TSR_F16, "1.5"},
        {TSR_C64, "1.5 1", TSR_F16, NULL},
        {TSR_F16, "0.1", TSR_F64, "0.0999755859375"},
        {TSR_BF16, "3", TSR_U8, "3"},
        {TSR_F16, "3.5", TSR_U8, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const value v = make(cases[i].from, cases[i].v);
        value result = {{0}};
        tsr_error err;
        const tsr_status status = tsr_values_convert(&result, cases[i].to, &v, cases[i].from, 1, &err);
        const char *got = status == TSR_OK ? print(cases[i].to, &result) : NULL;
        if (status != (cases[i].result ? TSR_OK : TSR_RANGE) || (got && strcmp(got, cases[i].result) != 0))
            fail_msg("%s %s to %s gives %s, want %s", tsr_type_name(cases[i].from), cases[i].v,
                     tsr_type_name(cases[i].to), got ? got : err.message,
                     cases[i].result ? cases[i].result : "an error");
    }
}

/* Every f16 and bf16 goes to f64 and back; a value between two neighbours goes to the nearer one, in the middle to the even one. */
static void test_halves(void **state)
{
    static const tsr_type types[] = {TSR_F16, TSR_BF16};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (uint32_t bits = 0; bits < 0x10000; bits++) {
            const uint16_t half = (uint16_t)bits, next = (uint16_t)(bits + 1);
            uint16_t back;
            double here, above;
            assert_ok(tsr_values_convert(&here, TSR_F64, &half, types[k], 1, err));
            assert_ok(tsr_values_convert(&above, TSR_F64, &next, types[k], 1, err));
            assert_ok(tsr_values_convert(&back, types[k], &here, TSR_F64, 1, err));
            if (isnan(here))
                assert_true((back | (types[k] == TSR_F16 ? 0x200 : 0x40)) == back);
            else
                assert_int_equal(back, half);
            if (isnan(here) || isnan(above) || isinf(here) || isinf(above) || (half & 0x7fff) == 0x7fff)
                continue;
            const double middle = (here + above) / 2;
            const double between[] = {nextafter(middle, here), middle, nextafter(middle, above)};
            const uint16_t want[] = {half, half % 2 ? next : half, next};
            for (int i = 0; i < 3; i++) {
                assert_ok(tsr_values_convert(&back, types[k], &between[i], TSR_F64, 1, err));
                assert_int_equal(back, want[i]);
            }
        }
}

static void test_convert_many(void **state)
{
    (void)state;
    enum { N = 1000 };
    static double reals[N];
    static int16_t integers[N];
    tsr_error err;
    for (int i = 0; i < N; i++)
        reals[i] = i - 500;
    assert_int_equal(tsr_values_convert(integers, TSR_I16, reals, TSR_F64, N, &err), TSR_OK);
    for (int i = 0; i < N; i++)
        assert_int_equal(integers[i], i - 500);
    reals[777] = 0.25;
    reals[999] = 1e10;
    assert_int_equal(tsr_values_convert(integers, TSR_I16, reals, TSR_F64, N, &err), TSR_RANGE);
    assert_string_equal(err.message, "value 0.25 (number 778 of 1000) does not fit i16");
    assert_int_equal(tsr_values_convert(integers, TSR_I16, reals, TSR_F64, 777, &err), TSR_OK);
    assert_int_equal(tsr_values_convert(NULL, TSR_I16, NULL, TSR_F64, 0, &err), TSR_OK);
}

/* Every pair of types carries 1 over, and every value that goes there and back is unchanged. */
static void test_convert_all_pairs(void **state)
{
    (void)state;
    for (tsr_type from = 0; from < TSR_NTYPES; from++)
        for (tsr_type to = 0; to < TSR_NTYPES; to++) {
            const value one = make(from, tsr_type_class(from) == 'C' ? "1 0" : "1");
            value there = {{0}}, back = {{0}};
            assert_ok(tsr_values_convert(&there, to, &one, from, 1, err));
            assert_string_equal(print(to, &there), tsr_type_class(to) == 'C' ? "1 0" : "1");
            assert_ok(tsr_values_convert(&back, from, &there, to, 1, err));
            assert_memory_equal(&back, &one, sizeof one);
        }
}

/* An array is converted in place to the values that a copy has, whichever type is wider; where a value does not fit, the array is as
 * before, with the message of the copy. */
static void test_retype(void **state)
{
    enum { N = 1000 };
    (void)state;
    for (tsr_type from = 0; from < TSR_NTYPES; from++)
        for (tsr_type to = 0; to < TSR_NTYPES; to++)
            for (int bad = 0; bad < 2; bad++) {
                tsr_array array;
                tsr_error why = {0}, other = {0};
                double v[N];
                char want[N * TSR_MAX_VALUE_NBYTES], before[N * TSR_MAX_VALUE_NBYTES];
                for (int i = 0; i < N; i++)
                    v[i] = bad && i == 700 ? tsr_type_class(from) == 'R' ? 0.5 : 127 : i % 100;
                const size_t width = tsr_type_nbytes(from);
                assert_ok(tsr_array_init(&array, N, width, 0, "values", err));
                assert_ok(tsr_values_convert(array.data, from, v, TSR_F64, N, err));
                memcpy(before, array.data, N * width);
                const tsr_status status = tsr_values_convert(want, to, array.data, from, N, &other);
                assert_int_equal(tsr_values_retype(&array, to, from, &why), status);
                assert_string_equal(why.message, other.message);
                if (status == TSR_OK && to != from)
                    assert_memory_equal(array.data, want, N * tsr_type_nbytes(to));
                else
                    assert_memory_equal(array.data, before, N * width);
                assert_int_equal(array.width, status == TSR_OK ? tsr_type_nbytes(to) : width);
                tsr_array_clear(&array);
            }
}

/* The elements stay, and so do they where memory runs out. */
static void test_set_width(void **state)
{
    enum { N = 5000 };
    (void)state;
    for (size_t from = 1; from <= 8; from *= 2)
        for (size_t to = 1; to <= 8; to *= 2) {
            tsr_array array;
            assert_ok(tsr_array_init(&array, N, from, 0, "elements", err));
            for (uint64_t i = 0; i < N; i++)
                tsr_array_set(&array, i, i % 251);
            tsr_alloc_fail_at(0);
            const tsr_status status = tsr_array_set_width(&array, to, "numbers", NULL);
            assert_int_equal(status, to > from && tsr_alloc_failed() ? TSR_NOMEM : TSR_OK);
            tsr_alloc_fail_at(-1);
            assert_ok(tsr_array_set_width(&array, to, "numbers", err));
            assert_int_equal(array.width, to);
            for (uint64_t i = 0; i < N; i++)
                assert_int_equal(tsr_array_get(&array, i), i % 251);
            tsr_array_clear(&array);
        }
}

/* Positions are stored modulo 2^8, 2^16, 2^32 by steps of nearly that size, and of 0. */
static void test_unwrap(void **state)
{
    enum { N = 3000 };
    (void)state;
    for (size_t width = 1; width <= 8; width *= 2) {
        const uint64_t step = width == 8 ? 1u << 30 : (UINT64_C(1) << 8 * width) - 1;
        tsr_array array;
        assert_ok(tsr_array_init(&array, N, width, 0, "elements", err));
        for (uint64_t i = 0; i < N; i++)
            tsr_array_set(&array, i, (i / 2 * step) & (UINT64_MAX >> (64 - 8 * width)));
        assert_ok(tsr_array_unwrap(&array, "positions", err));
        assert_int_equal(array.width, 8);
        for (uint64_t i = 0; i < N; i++)
            assert_int_equal(tsr_array_get(&array, i), i / 2 * step);
        tsr_array_clear(&array);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_negate_and_conjugate),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_convert_many),
        cmocka_unit_test(test_convert_all_pairs),
        cmocka_unit_test(test_retype),
        cmocka_unit_test(test_set_width),
        cmocka_unit_test(test_unwrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
