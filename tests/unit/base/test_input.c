/* Text input: blocks of whole lines put together again give the text, whatever the block size, the number of
 * threads and the way in (plain file, gzip, pipe). */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_input.h"
#include "tsr_parallel.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Texts that lie awkwardly; `want` is what comes back when it is not the text itself. */
static const struct {
    const char *name, *text, *want;
} texts[] = {
    {"empty", "", NULL},
    {"one byte", "x", "x\n"},
    {"one newline", "\n", NULL},
    {"newlines", "\n\n\n\n", NULL},
    {"two lines", "1 2\n3 4\n", NULL},
    {"no final newline", "1 2\n3 4", "1 2\n3 4\n"},
    {"CRLF is kept", "1 2\r\n3 4\r\n", NULL},
    {"CR only is one line", "1 2\r3 4\r", "1 2\r3 4\r\n"},
    {"byte order mark is kept", "\xef\xbb\xbf%%MatrixMarket\n", NULL},
    {"half a magic number", "\x1f", "\x1f\n"},
    {"not the magic number", "\x1f\x8c\n", NULL},
    {"one long line among short", "a\nb\ncccccccccccccccccccccccccccccccccccccccccccccccccccccc\nd\n", NULL},
};

/* Read all of `path` by blocks; check each block's shape. The caller frees. */
static char *read_all(size_t *n, const char *path, size_t block_nbytes)
{
    tsr_input *input;
    assert_ok(tsr_input_open(&input, path, block_nbytes, NULL, err));
    tsr_block block = {0};
    char *all = malloc(1);
    *n = 0;
    for (uint64_t index = 0;; index++) {
        assert_ok(tsr_input_next(&block, input, err));
        if (block.nbytes == 0)
            break;
        assert_int_equal(block.index, index);
        assert_int_equal(block.offset, *n);
        assert_int_equal(block.text[block.nbytes - 1], '\n');
        assert_true(block.capacity >= block.nbytes + TSR_INPUT_PADDING);
        for (int i = 0; i < TSR_INPUT_PADDING; i++)
            assert_int_equal(block.text[block.nbytes + (size_t)i], 0);
        all = realloc(all, *n + block.nbytes);
        memcpy(all + *n, block.text, block.nbytes);
        *n += block.nbytes;
    }
    assert_ok(tsr_input_next(&block, input, err)); /* the end stays the end */
    assert_int_equal(block.nbytes, 0);
    tsr_block_clear(&block);
    tsr_input_free(input);
    return all;
}

static void check_reads(const char *path, size_t block_nbytes, const char *want, size_t nwant)
{
    size_t n;
    char *all = read_all(&n, path, block_nbytes);
    assert_int_equal(n, nwant);
    assert_memory_equal(all, want, n);
    free(all);
}

/* nbytes of lines of random lengths (most short, some long), the last one ended. The caller frees. */
static char *random_text(size_t nbytes, uint64_t seed)
{
    tsr_rng rng = {seed};
    char *text = malloc(nbytes + 1);
    size_t line = 0;
    for (size_t i = 0; i < nbytes; i++) {
        if (line == 0) {
            const uint64_t kind = tsr_rng_below(&rng, 100);
            line = (size_t)(kind == 0 ? tsr_rng_below(&rng, 5000) : tsr_rng_below(&rng, 40)) + 1;
        }
        text[i] = --line == 0 || i + 1 == nbytes ? '\n' : (char)('0' + tsr_rng_below(&rng, 10));
    }
    return text;
}

static void test_texts_at_every_block_size(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "text");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *want = texts[i].want ? texts[i].want : texts[i].text;
        tsr_test_spit(path, texts[i].text, strlen(texts[i].text));
        for (size_t size = 0; size <= 70; size++)
            check_reads(path, size, want, strlen(want));
    }
}

static void test_random_text_at_random_block_sizes(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "random");
    tsr_rng rng = {1};
    const size_t nbytes = 300000;
    char *text = random_text(nbytes, 2);
    tsr_test_spit(path, text, nbytes);
    for (int i = 0; i < 40; i++)
        check_reads(path, (size_t)1 << tsr_rng_below(&rng, 20), text, nbytes);
    check_reads(path, 1, text, nbytes);
    check_reads(path, SIZE_MAX, text, nbytes);
    free(text);
}

static void test_nul_bytes_pass(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "nul");
    tsr_test_spit(path, "a\0b\n\0\n", 6);
    check_reads(path, 0, "a\0b\n\0\n", 6);
    check_reads(path, 1, "a\0b\n\0\n", 6);
}

static void test_peek_does_not_consume(void **state)
{
    (void)state;
    const char *path = tsr_test_path(tsr_test_tmp(), "peek");
    const size_t nbytes = 200000;
    char *text = random_text(nbytes, 3);
    tsr_test_spit(path, text, nbytes);
    tsr_input *input;
    tsr_block block = {0};
    const char *bytes;
    size_t n;
    assert_ok(tsr_input_open(&input, path, 1000, NULL, err));
    assert_int_equal(tsr_input_nbytes(input), nbytes);
    assert_int_equal(tsr_input_max_text_nbytes(input), nbytes);
    assert_string_equal(tsr_input_path(input), path);
    for (size_t want = 1; want <= 1 << 16; want *= 2) {
        assert_ok(tsr_input_peek(&bytes, &n, input, want, err));
        assert_int_equal(n, want);
        assert_memory_equal(bytes, text, n);
    }
    assert_ok(tsr_input_peek(&bytes, &n, input, nbytes, err));
    assert_int_equal(n, 1 << 16);
    size_t at = 0;
    for (;;) {
        assert_ok(tsr_input_next(&block, input, err));
        if (block.nbytes == 0)
            break;
        assert_memory_equal(block.text, text + at, block.nbytes);
        at += block.nbytes;
    }
    assert_int_equal(at, nbytes);
    assert_int_equal(tsr_input_nbytes_read(input), nbytes);
    assert_int_equal(tsr_input_peek(&bytes, &n, input, 1, NULL), TSR_ARGUMENT);
    tsr_block_clear(&block);
    tsr_input_free(input);
    free(text);
}

static void test_what_cannot_be_opened(void **state)
{
    (void)state;
    const struct {
        const char *path, *words;
    } cases[] = {
        {tsr_test_path(tsr_test_tmp(), "absent"), "cannot open: No such file or directory"},
        {tsr_test_path(tsr_test_tmp(), "absent/file"), "cannot open: No such file or directory"},
        {tsr_test_tmp(), "cannot read: Is a directory"},
        {"", "cannot open: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_input *input;
        tsr_error err;
        assert_int_equal(tsr_input_open(&input, cases[i].path, 0, NULL, &err), TSR_IO);
        assert_null(input);
        assert_string_equal(err.message, cases[i].words);
        assert_string_equal(err.path, cases[i].path);
    }
    if (geteuid() != 0) {
        const char *path = tsr_test_path(tsr_test_tmp(), "locked");
        tsr_input *input;
        tsr_error err;
        unlink(path);
        tsr_test_spit(path, "1\n", 2);
        chmod(path, 0);
        assert_int_equal(tsr_input_open(&input, path, 0, NULL, &err), TSR_IO);
        assert_string_equal(err.message, "cannot open: Permission denied");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_at_every_block_size),
        cmocka_unit_test(test_random_text_at_random_block_sizes),
        cmocka_unit_test(test_nul_bytes_pass),
        cmocka_unit_test(test_peek_does_not_consume),
        cmocka_unit_test(test_what_cannot_be_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
