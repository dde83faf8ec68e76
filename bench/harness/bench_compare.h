/* Compares two records of the same rows: what became faster or slower, and what is only noise. */
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench_record.h"

enum { BENCH_COMPARE_MIN_SAMPLES = 5, BENCH_COMPARE_MIN_ROWS = 8 };
#define BENCH_COMPARE_NOISES 3
#define BENCH_COMPARE_APARTS 4

typedef enum bench_verdict {
    BENCH_SAME, /* the difference is within the noise or below the threshold */
    BENCH_FASTER,
    BENCH_SLOWER,
    BENCH_FEW,   /* a side has fewer than BENCH_COMPARE_MIN_SAMPLES undisturbed samples: too few to decide */
    BENCH_NOISY, /* possibly the same: a side is marked noisy */
} bench_verdict;

typedef struct bench_change {
    const bench_row *a, *b; /* the row in both records */
    /* least time of b over least time of a: above 1 is slower; lo, hi: without the best pass of b, of a */
    bench_ratio ratio;
    /* the largest and the smallest such ratio of the baselines in the same case; 1 if that is less extreme
     * than 1, or if there are no baselines */
    double up, down;
    bench_verdict verdict;
} bench_change;

typedef struct bench_comparison {
    uint32_t n; /* rows that are in both records and were run in both */
    bench_change *changes;
    uint32_t nfaster, nslower, nfew, nnoisy;
    uint32_t only_a, only_b; /* rows that are in one record only */
    double mean;             /* geometric mean of the ratios; 1 if there are no ratios */
    /* the difference between two starts of a program, see below; 0: too few rows to estimate it */
    double noise;
    double apart;     /* the median of bench_least.apart over the rows of both records */
    double threshold; /* the threshold that was used */
} bench_comparison;

/* Pair the rows that agree in kernel, expression, dataset, mode, rank, type, threads, cold, candidate and
 * format (if several rows are alike, the k-th with the k-th), and compare their least times (bench_stats.h).
 * A row is slower if its ratio is above 1 + the largest of
 * - threshold;
 * - BENCH_COMPARE_APARTS times the distance of its passes: the mean of the distance of the worse side and of
 *   the median distance of all rows, since the few passes of one row may agree by chance;
 * - BENCH_COMPARE_NOISES times the noise between the two records, which affects a whole run (placement of
 *   memory, other users of the machine): it is estimated from the distances between the ratios of all rows,
 *   if there are at least BENCH_COMPARE_MIN_ROWS rows.
 * This limit is multiplied by the ratio of the baseline that became slowest among those that took turns with
 * the row (candidates that are not "tessera"): the baselines did not change, so the machine did. For faster
 * rows the reverse. The comparison borrows from a and b. TSR_NOMEM. */
tsr_status bench_compare(bench_comparison *comparison, const bench_record *a, const bench_record *b,
                         double threshold, tsr_error *err) TSR_NODISCARD;
void bench_comparison_clear(bench_comparison *comparison);

#endif
