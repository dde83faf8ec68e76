/* When a conversion has paid for itself, and who wins, on made-up numbers. */
#include "bench_pay.h"

#include <math.h>

#include "tsr_test.h"

static void test_break_even(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        bench_cost format, reference;
        double nruns;
    } rows[] = {
        {"10 more to pack, 1 saved each run", {30, 1}, {20, 2}, 10},
        {"rounded up", {30, 1}, {20, 4}, 4},
        {"exactly", {30, 1}, {20, 6}, 2},
        {"a run is enough", {21, 1}, {20, 4}, 1},
        {"cheaper in both", {10, 1}, {20, 2}, 0},
        {"the same", {20, 2}, {20, 2}, 0},
        {"cheaper to pack, equal runs", {10, 2}, {20, 2}, 0},
        {"dearer to pack, equal runs", {30, 2}, {20, 2}, INFINITY},
        {"slower", {30, 3}, {20, 2}, INFINITY},
        {"cheaper to pack, slower: it falls behind in time", {10, 3}, {20, 2}, INFINITY},
        {"by very little", {1e9, 1}, {0, 1 + 1e-3}, 1e12},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double n = bench_break_even(rows[i].format, rows[i].reference);
        if (isinf(rows[i].nruns) ? !isinf(n) : fabs(n - rows[i].nruns) > 1e-6 * rows[i].nruns)
            fail_msg("%s: %g runs instead of %g", rows[i].what, n, rows[i].nruns);
    }
}

static void test_winner(void **state)
{
    (void)state;
    static const bench_cost costs[] = {{20, 2}, {50, 1}, {0, 0}, {500, 0.5}, {20, 2}};
    static const struct {
        double nruns;
        size_t winner;
    } rows[] = {{1, 0}, {10, 0}, {31, 1}, {100, 1}, {899, 1}, {901, 3}, {10000, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t winner = bench_winner(costs, sizeof costs / sizeof *costs, rows[i].nruns);
        if (winner != rows[i].winner)
            fail_msg("%g runs: %zu wins instead of %zu", rows[i].nruns, winner, rows[i].winner);
    }
    assert_int_equal(bench_winner(&costs[2], 1, 5), 1); /* nothing ran */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_break_even), cmocka_unit_test(test_winner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
