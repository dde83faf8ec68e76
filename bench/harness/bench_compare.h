/* Two records of the same rows: what got faster or slower, and what is only noise. */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench_record.h"

enum { BENCH_COMPARE_MIN_SAMPLES = 5, BENCH_COMPARE_MIN_ROWS = 8 };
#define BENCH_COMPARE_NOISES 3
#define BENCH_COMPARE_APARTS 4

typedef enum bench_verdict {
    BENCH_SAME, /* the difference is within the noise, or below the threshold */
    BENCH_FASTER,
    BENCH_SLOWER,
    BENCH_FEW,   /* fewer than BENCH_COMPARE_MIN_SAMPLES undisturbed samples on a side: nothing can be said */
    BENCH_NOISY, /* it may be the same: a side is marked noisy */
} bench_verdict;

typedef struct bench_change {
    const bench_row *a, *b; /* the same row of both records */
    bench_ratio ratio; /* least of b over least of a: above 1 is slower; lo, hi: without the best pass of b,
                          of a */
    double up, down;   /* the largest and the smallest such ratio of the libraries and programs beside ours in
                          the   same case; 1 where that says less, or there are none */
    bench_verdict verdict;
} bench_change;

typedef struct bench_comparison {
    uint32_t n; /* rows that stand in both and were run in both */
    bench_change *changes;
    uint32_t nfaster, nslower, nfew, nnoisy;
    uint32_t only_a, only_b; /* rows that the other lacks */
    double mean;             /* geometric mean of the ratios; 1 when there are none */
    double noise;            /* what two starts of a program differ by, see below; 0: too few rows to tell */
    double apart;            /* the median of bench_least.apart, over the rows of both */
    double threshold;        /* that was used */
} bench_comparison;

/* Pair the rows that agree in kernel, expression, dataset, mode, rank, type, threads, cold, candidate and
 * format (the k-th of several alike with the k-th), and compare their leasts (bench_stats.h). A row is slower
 * when the ratio is above 1 + the largest of:
 * - threshold;
 * - BENCH_COMPARE_APARTS times what its passes are apart: the mean of the worse side's, and of the median of
 *   all rows, since one row's few passes may agree by chance;
 * - BENCH_COMPARE_NOISES times the noise between the two records, which is what hits a whole run (where its
 *   memory lies, who else is on the machine): it shows in how far the ratios of all rows lie apart, from
 *   BENCH_COMPARE_MIN_ROWS rows on.
 * times what the slowest of the others became slower by that took turns with it (candidates that are not
 * "tessera"): nobody changed them, so it was the machine. Faster is the reverse. Borrows from a and b.
 * TSR_NOMEM. */
tsr_status bench_compare(bench_comparison *comparison, const bench_record *a, const bench_record *b,
                         double threshold, tsr_error *err) TSR_NODISCARD;
void bench_comparison_clear(bench_comparison *comparison);

#endif
