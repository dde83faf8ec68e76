/* When a conversion has paid for itself: see bench_pay.h. */
#include "bench_pay.h"

#include <math.h>

double bench_break_even(bench_cost format, bench_cost reference)
{
    if (format.run > reference.run)
        return INFINITY;
    if (format.pack <= reference.pack)
        return 0;
    if (format.run == reference.run)
        return INFINITY;
    return ceil((format.pack - reference.pack) / (reference.run - format.run));
}

size_t bench_winner(const bench_cost *costs, size_t n, double nruns)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (costs[i].run > 0 &&
            (best == n || costs[i].pack + nruns * costs[i].run < costs[best].pack + nruns * costs[best].run))
            best = i;
    return best;
}
