/* The suites of bench/suites: see bench_suite.h. */
#include "bench_suite.h"

#include <string.h>

/* Whether `word` is among the blank-separated words of the line s[0..n). */
static int has_word(const char *s, size_t n, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++)
        if (strncmp(s + i, word, length) == 0 && i > 0 && s[i - 1] == ' ' &&
            (i + length == n || s[i + length] == ' '))
            return 1;
    return 0;
}

/* Copy tensor number i of a suite to `line`; 0 if there are no more tensors; -1: the suite belongs to other
 * kernels. */
static int line_of(char *line, const char *text, const char *kernel, int i)
{
    int is_mine = 0;
    for (const char *s = text, *end; *s; s = *end ? end + 1 : end) {
        end = s + strcspn(s, "\n");
        const size_t n = (size_t)(end - s);
        if (n == 0 || *s == '#')
            continue;
        if (strncmp(s, "kernels:", 8) == 0) {
            is_mine = has_word(s, n, kernel);
            if (!is_mine)
                return -1;
        } else if (is_mine && i-- == 0 && n < BENCH_SUITE_LINE_NBYTES) {
            memcpy(line, s, n);
            line[n] = '\0';
            return 1;
        }
    }
    return is_mine ? 0 : -1;
}

int bench_suite_at(char line[BENCH_SUITE_LINE_NBYTES], const char *kernel, int i)
{
    for (const bench_suite_text *suite = bench_suite_texts; suite->name; suite++) {
        const int found = line_of(line, suite->text, kernel, i);
        if (found >= 0)
            return found;
    }
    return 0;
}
