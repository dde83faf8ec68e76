/* Errors, texts, arenas, arrays, checked arithmetic, threads. */
#include "tsr_test.h"

#include "tsr_arena.h"
#include "tsr_array.h"
#include "tsr_checked.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"
#include "tsr_text.h"
#include "tsr_version.h"
#include "tessera.h"

#include <stdalign.h>
#include <stdatomic.h>

static void test_error_text_names_the_place(void **state)
{
    (void)state;
    tsr_error err;
    char buf[1200];
    assert_int_equal(tsr_fail_at(&err, TSR_SYNTAX, "a.mtx", 3, 7, "expected %d", 4), TSR_SYNTAX);
    assert_string_equal(tsr_error_text(buf, sizeof buf, &err), "a.mtx:3:7: expected 4");
    assert_int_equal(tsr_fail(&err, TSR_NOMEM, "token '\x1b[2J'"), TSR_NOMEM);
    assert_string_equal(tsr_error_text(buf, sizeof buf, &err), "token '\\x1b[2J'");
    tsr_error_set_path(&err, "b.tns");
    assert_string_equal(tsr_error_text(buf, sizeof buf, &err), "b.tns: token '\\x1b[2J'");
    assert_int_equal(tsr_fail(NULL, TSR_IO, "nobody listens"), TSR_IO);
}

static void test_expected_quotes_the_token(void **state)
{
    (void)state;
    static const struct {
        const char *at;
        uint64_t n;
        const char *message;
    } rows[] = {
        {"", 0, "expected a word, but the text ends"},
        {"", 3, "expected a word, but the text ends"},
        {") b", 0, "expected a word, not ')'"},
        {"abc d", 3, "expected a word, not 'abc'"},
        {"\xc3\xa9t\xc3\xa9", 0, "expected a word, not '\xc3\xa9'"},
        {"\xe2\x82\xac)", 0, "expected a word, not '\xe2\x82\xac'"},
        {"\xff", 0, "expected a word, not '\\xff'"},
        {"\n", 0, "expected a word, not '\\x0a'"},
        {"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee", 50,
         "expected a word, not 'aaaaaaaaaabbbbbbbbbbcccccccccc...ddddeeeeeeeeee'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_error err;
        assert_int_equal(tsr_fail_expected(&err, 2, 5, "a word", rows[i].at, rows[i].n), TSR_SYNTAX);
        assert_string_equal(err.message, rows[i].message);
        assert_true(err.status == TSR_SYNTAX && err.line == 2 && err.col == 5);
    }
    assert_int_equal(tsr_fail_expected(NULL, 0, 1, "a word", "x", 1), TSR_SYNTAX);
}

static void test_long_path_loses_its_middle(void **state)
{
    (void)state;
    char path[2000];
    memset(path, 'x', sizeof path);
    memcpy(path, "/begin", 6);
    memcpy(path + sizeof path - 8, "/end.h5", 8);
    tsr_error err;
    tsr_status s = tsr_fail_at(&err, TSR_IO, path, 0, 0, "no");
    assert_int_equal(s, TSR_IO);
    assert_int_equal(strlen(err.path), sizeof err.path - 1);
    assert_memory_equal(err.path, "/beginx", 7);
    assert_non_null(strstr(err.path, "xxx...xxx"));
    assert_string_equal(err.path + strlen(err.path) - 7, "/end.h5");
    /* So does a long sentence, whose end says what to do. */
    s = tsr_fail(&err, TSR_ARGUMENT, "'%s' is not a number", path);
    assert_int_equal(s, TSR_ARGUMENT);
    assert_memory_equal(err.message, "'/beginx", 8);
    assert_string_equal(err.message + strlen(err.message) - 24, "/end.h5' is not a number");
}

/* Text from files and arguments reaches the terminal only in a safe form. */
static void test_text_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"", ""},
        {"a b.mtx", "a b.mtx"},
        {"back\\slash 100%", "back\\slash 100%"},
        {"\x1b[31m\a\r\n\t\x7f", "\\x1b[31m\\x07\\x0d\\x0a\\x09\\x7f"},
        {"\x9b[31m", "\\x9b[31m"},       /* CSI as one byte */
        {"\xc2\x9b[31m", "\\u009b[31m"}, /* CSI in UTF-8 */
        {"\xc2\x85\xc2\xa0",
         "\\u0085\xc2\xa0"},               /* the last C1 character breaks lines; the next one is text */
        {"\xe2\x80\xaegpj", "\\u202egpj"}, /* right-to-left override */
        {"\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8f\xd8\x9c", "\\u2066\\u2069\\u200f\\u061c"},
        {"\xe2\x80\xa8\xef\xbb\xbf", "\\u2028\\ufeff"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xd7\x90", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xd7\x90"},
        {"\xc3(\xe2\x82\xff", "\\xc3(\\xe2\\x82\\xff"}, /* an incomplete character */
        {"\xc0\x9b\xe0\x80\x9b\xed\xa0\x80\xf4\x90\x80\x80",
         "\\xc0\\x9b\\xe0\\x80\\x9b\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"},
        {"\xe2\x82", "\\xe2\\x82"}, /* the text ends inside a character */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buf[TSR_SHOWN_NBYTES], again[TSR_SHOWN_NBYTES];
        assert_string_equal(tsr_show(buf, rows[i].text), rows[i].shown);
        assert_string_equal(tsr_show(again, buf), buf);
    }
}

/* A text of any length is cut between characters, for any size of the buffer. */
static void test_long_text_is_cut(void **state)
{
    (void)state;
    char text[600] = "", buf[300];
    for (int i = 0; i < 100; i++)
        strcat(text, i % 3 ? "\xe2\x82\xac" : "\x1b");
    for (size_t room = 32; room <= sizeof buf; room++) {
        memset(buf, 'x', sizeof buf);
        const size_t n = tsr_show_n(buf, room, text, strlen(text));
        assert_true(n < room && n + 8 > (room < sizeof buf ? room : 0));
        assert_int_equal(strlen(buf), n);
        assert_memory_equal(buf, "\\x1b", 4);
        assert_non_null(strstr(buf, "..."));
        const char *p = buf;
        for (tsr_char c; p < buf + n; p += c.nbytes) {
            c = tsr_char_at(p, buf + n);
            assert_true(c.utf8 && c.plain);
        }
    }
#ifdef TSR_FAULTS
    char many[5000];
    memset(many, 'm', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    tsr_error err;
    tsr_alloc_fail_at(0);
    const tsr_status s = tsr_fail(&err, TSR_ARGUMENT, "%s", many);
    tsr_alloc_fail_at(-1);
    assert_int_equal(s, TSR_ARGUMENT);
    assert_memory_equal(err.message, "mmmm", 4);
#endif
}

static void test_text_grows_and_goes_sticky(void **state)
{
    (void)state;
    tsr_text t = {0};
    assert_string_equal(tsr_text_cstr(&t), "");
    for (int i = 0; i < 1000; i++)
        tsr_text_addf(&t, "%d,", i);
    tsr_text_add_u64(&t, UINT64_MAX);
    assert_string_equal(t.s + t.nbytes - 20, "18446744073709551615");
    assert_int_equal(tsr_text_status(&t, NULL), TSR_OK);
#ifdef TSR_FAULTS
    tsr_alloc_fail_at(0);
    for (int i = 0; i < 10000; i++)
        tsr_text_add(&t, "more");
    tsr_alloc_fail_at(-1);
    tsr_error err;
    assert_int_equal(tsr_text_status(&t, &err), TSR_NOMEM);
    tsr_text_add(&t, "x");
    assert_true(t.failed);
#endif
    tsr_text_clear(&t);
}

static void test_arena_memory_is_zero_and_aligned(void **state)
{
    (void)state;
    tsr_arena a = {0};
    for (size_t n = 1; n < 20000; n = n * 3 + 1) {
        unsigned char *p = tsr_arena_alloc(&a, n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    assert_string_equal(tsr_arena_strndup(&a, "abcdef", 3), "abc");
    tsr_arena_clear(&a);
}

static void test_arrays_widen_and_narrow(void **state)
{
    (void)state;
    for (size_t width = 1; width <= 8; width *= 2) {
        tsr_array a;
        assert_int_equal(tsr_array_init(&a, 300, width, 1, "test", NULL), TSR_OK);
        uint64_t in[300], out[300];
        for (uint64_t i = 0; i < 300; i++)
            in[i] = (i * 0x9e3779b97f4a7c15u) >> (64 - 8 * width);
        tsr_array_store(&a, 0, in, 300);
        tsr_array_load(out, &a, 0, 300);
        assert_memory_equal(in, out, sizeof in);
        tsr_array_set(&a, 7, 200);
        assert_int_equal(tsr_array_get(&a, 7), 200);
        tsr_array_clear(&a);
    }
    assert_int_equal(tsr_width_for(255), 1);
    assert_int_equal(tsr_width_for(256), 2);
    assert_int_equal(tsr_width_for(65536), 4);
    assert_int_equal(tsr_width_for(UINT32_MAX), 4);
    assert_int_equal(tsr_width_for(UINT64_C(1) << 32), 8);
}

static void test_gather_and_scatter_are_inverse(void **state)
{
    (void)state;
    enum { N = 257 };
    for (size_t width = 1; width <= 16; width *= 2) {
        alignas(16) unsigned char from[N * 16], to[N * 16], back[N * 16];
        uint64_t index[N];
        for (size_t i = 0; i < sizeof from; i++)
            from[i] = (unsigned char)(i * 37 + i / 256);
        for (uint64_t i = 0; i < N; i++)
            index[i] = i * 100 % N; /* 257 is prime: a permutation */
        tsr_array_scatter(to, from, width, index, N);
        for (uint64_t i = 0; i < N; i++)
            assert_memory_equal(to + index[i] * width, from + i * width, width);
        for (uint64_t i = 0; i < N; i++)
            index[i] |= i << 32; /* bits that the mask removes */
        tsr_array_gather(back, to, width, index, 0xffff, N);
        assert_memory_equal(back, from, N * width);
    }
}

static void test_checked_arithmetic(void **state)
{
    (void)state;
    uint64_t u;
    int64_t i;
    assert_true(tsr_mul_u64(&u, UINT32_MAX, UINT32_MAX));
    assert_false(tsr_mul_u64(&u, UINT64_C(1) << 32, UINT64_C(1) << 32));
    assert_false(tsr_add_u64(&u, UINT64_MAX, 1));
    assert_false(tsr_mul_i64(&i, INT64_MIN, -1));
    assert_true(tsr_mul_i64(&i, INT64_MIN, 1));
    assert_false(tsr_add_i64(&i, INT64_MAX, 1));
    void *p;
    tsr_error err;
    assert_int_equal(tsr_alloc_array(&p, UINT64_MAX / 4, 8, 0, "the test", &err), TSR_NOMEM);
    assert_null(p);
    assert_non_null(strstr(err.message, "cannot allocate the test: 36.9 EB, more than can be addressed"));
}

static void test_byte_counts_read_well(void **state)
{
    (void)state;
    char b[32];
    assert_string_equal(tsr_bytes_text(b, 1), "1 byte");
    assert_string_equal(tsr_bytes_text(b, 999), "999 bytes");
    assert_string_equal(tsr_bytes_text(b, 1000), "1.00 kB");
    assert_string_equal(tsr_bytes_text(b, 999999), "1.00 MB");
    assert_string_equal(tsr_bytes_text_f(b, 25.6e12), "25.6 TB");
    assert_string_equal(tsr_bytes_text_f(b, 8.2e29), "820000 YB");
}

static void mark(void *arg, int t, int nthreads)
{
    (void)nthreads;
    atomic_fetch_add((atomic_int *)arg + t, 1);
}

static void test_parallel_runs_each_part_once(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++) {
        atomic_int seen[9] = {0};
        tsr_parallel(n, mark, seen);
        for (int t = 0; t < n; t++)
            assert_int_equal(seen[t], 1);
        assert_int_equal(tsr_cut(100, 0, n), 0);
        assert_int_equal(tsr_cut(100, n, n), 100);
    }
}

static void test_machine_is_measured(void **state)
{
    (void)state;
    const uint64_t start = tsr_now_ns();
    assert_true(tsr_memory_nbytes() > UINT64_C(1) << 26);
    uint64_t largest = 0;
    for (int level = 0; level < 6; level++) {
        const uint64_t nbytes = tsr_cache_nbytes(level);
        assert_true(nbytes == 0 || (level > 0 && nbytes >= 4096 && nbytes < tsr_memory_nbytes()));
        largest = nbytes > largest ? nbytes : largest;
    }
    assert_true(tsr_last_cache_nbytes() == largest);
    const double rate = tsr_measure_bandwidth(1);
    assert_true(rate > 1e8 && rate < 1e13); /* between an old disk and the fastest memory */
    assert_true(tsr_now_ns() > start);
}

static void test_version_is_that_of_the_headers(void **state)
{
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH);
    assert_string_equal(tsr_version(), text);
    assert_int_equal(TSR_VERSION_NUMBER,
                     10000 * TSR_VERSION_MAJOR + 100 * TSR_VERSION_MINOR + TSR_VERSION_PATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_text_names_the_place),
        cmocka_unit_test(test_expected_quotes_the_token),
        cmocka_unit_test(test_long_path_loses_its_middle),
        cmocka_unit_test(test_text_is_shown),
        cmocka_unit_test(test_long_text_is_cut),
        cmocka_unit_test(test_text_grows_and_goes_sticky),
        cmocka_unit_test(test_arena_memory_is_zero_and_aligned),
        cmocka_unit_test(test_arrays_widen_and_narrow),
        cmocka_unit_test(test_gather_and_scatter_are_inverse),
        cmocka_unit_test(test_checked_arithmetic),
        cmocka_unit_test(test_byte_counts_read_well),
        cmocka_unit_test(test_parallel_runs_each_part_once),
        cmocka_unit_test(test_machine_is_measured),
        cmocka_unit_test(test_version_is_that_of_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
