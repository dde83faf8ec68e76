/* When a conversion has paid for itself: arithmetic on times that were measured. */
#ifndef BENCH_PAY_H
#define BENCH_PAY_H

#include <stddef.h>

/* What a format costs: `pack` once, then `run` for each run of the kernel, in the same unit. */
typedef struct bench_cost {
    double pack, run;
} bench_cost;

/* The break-even of tbench KERNEL (of least times) and of tbench report (of medians): after how many runs the
 * format has cost no more than the reference: the smallest n >= 0 with pack + n * run <= pack' + n * run',
 * where that then stays so. 0: from the start; infinity: never. */
double bench_break_even(bench_cost format, bench_cost reference);

/* The one of costs[0..n), n >= 1, that is cheapest for so many runs; the first where some are equal. Those
 * whose run is 0 did not run. Returns n when none did. */
size_t bench_winner(const bench_cost *costs, size_t n, double nruns);

#endif
