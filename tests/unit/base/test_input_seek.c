/* Parts of a plain text by byte ranges: parts that touch give each line once, wherever the borders are, for any block size. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_input.h"

static const char *const texts[] = {
    "", "x", "\n", "\n\n\n\n", "1 2\n3 4\n", "1 2\n3 4", "a\nb\nccccccccccccccccccccccccccccc\n\n\nd\nee\n",
};

/* Append the lines that begin in [first, end). Each block is at the offset that it claims. */
static void add_part(char *out, tsr_input *input, const char *text, uint64_t first, uint64_t end)
{
    tsr_block block = {0};
    assert_ok(tsr_input_seek(input, first, end, err));
    for (;;) {
        assert_ok(tsr_input_next(&block, input, err));
        if (block.nbytes == 0)
            break;
        assert_true(block.offset >= first && block.offset < end);
        const size_t left = strlen(text + block.offset);
        assert_memory_equal(block.text, text + block.offset, block.nbytes < left ? block.nbytes : left);
        strncat(out, block.text, block.nbytes);
    }
    tsr_block_clear(&block);
}

static void check(const char *path, const char *text, size_t block_nbytes)
{
    const uint64_t n = strlen(text);
    char want[128], got[128];
    tsr_input *input;
    snprintf(want, sizeof want, "%s%s", text, n && text[n - 1] != '\n' ? "\n" : "");
    assert_ok(tsr_input_open(&input, path, block_nbytes, NULL, err));
    assert_true(tsr_input_can_seek(input));
    for (uint64_t a = 0; a <= n + 1; a++)
        for (uint64_t b = a; b <= n + 1; b++) {
            got[0] = '\0';
            add_part(got, input, text, 0, a);
            add_part(got, input, text, a, b);
            add_part(got, input, text, b, UINT64_MAX);
            if (strcmp(got, want) != 0)
                fail_msg("cuts at %d and %d, blocks of %d: '%s' instead of '%s'", (int)a, (int)b,
                         (int)block_nbytes, got, want);
        }
    tsr_input_free(input);
}

static void test_parts(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 1000};
    const char *const path = tsr_test_path(tsr_test_tmp(), "parts.txt");
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        tsr_test_spit(path, texts[t], strlen(texts[t]));
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            check(path, texts[t], sizes[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
