/* Compares two records: see bench_compare.h. */
#include "bench_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_rows.h"
#include "tsr_alloc.h"

/* ---- rows that are in both records ---- */

static int compare_pointers(const void *a, const void *b)
{
    const bench_row *const x = *(const bench_row *const *)a, *const y = *(const bench_row *const *)b;
    const int c = bench_row_compare(x, y);
    return c ? c : (x > y) - (x < y);
}

/* The rows of a record that were run, sorted. */
static tsr_status sorted_rows(const bench_row ***out, uint32_t *n, const bench_record *record, tsr_error *err)
{
    void *p;
    *n = 0;
    *out = NULL;
    TSR_TRY(tsr_alloc_array(&p, record->nrows, sizeof **out, 0, "the rows of a record", err));
    *out = p;
    for (uint32_t i = 0; i < record->nrows; i++)
        if (record->rows[i].nsamples)
            (*out)[(*n)++] = &record->rows[i];
    qsort(*out, *n, sizeof **out, compare_pointers);
    return TSR_OK;
}

/* ---- changes ---- */

static bool is_noisy(const bench_change *change)
{
    return change->a->noisy || change->b->noisy;
}

/* How far the ratios of rows that are not noisy are spread if nothing changed: 1.4826 times the median
 * distance from their median, in logarithms. For normal noise that is the standard deviation, and a few rows
 * that did change hardly affect it. 0 if there are too few rows. */
static double noise_between(const bench_comparison *c, double *logs)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (!is_noisy(&c->changes[i]))
            logs[n++] = log(c->changes[i].ratio.ratio);
    if (n < BENCH_COMPARE_MIN_ROWS)
        return 0;
    const double middle = bench_stats_of(logs, n).median;
    for (uint32_t i = 0; i < n; i++)
        logs[i] = fabs(logs[i] - middle);
    return 1.4826 * bench_stats_of(logs, n).median;
}

/* The median distance of passes; `work` has room for two numbers per row. */
static double usual_apart(const bench_comparison *c, double *work)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        work[n++] = c->changes[i].a->least.apart;
        work[n++] = c->changes[i].b->least.apart;
    }
    return n ? bench_stats_of(work, n).median : 0;
}

static bool is_few(const bench_row *row)
{
    return row->least.n < BENCH_COMPARE_MIN_SAMPLES;
}

/* The changes of the baselines in each case in which they took turns with Tessera: the baselines did not
 * change, so the machine did. */
static void find_drift(bench_comparison *c)
{
    for (uint32_t first = 0, end; first < c->n; first = end) {
        double up = 1, down = 1;
        bool has_tessera = false;
        for (end = first; end < c->n && bench_case_compare(c->changes[first].a, c->changes[end].a) == 0;
             end++) {
            const bench_change *const x = &c->changes[end];
            if (bench_row_is_tessera(x->a)) {
                has_tessera = true;
            } else if (!is_few(x->a) && !is_few(x->b)) {
                up = fmax(up, x->ratio.ratio);
                down = fmin(down, x->ratio.ratio);
            }
        }
        for (uint32_t i = first; i < end; i++) {
            c->changes[i].up = has_tessera ? up : 1;
            c->changes[i].down = has_tessera ? down : 1;
        }
    }
}

static bench_verdict judge(const bench_comparison *c, const bench_change *change)
{
    const bench_row *const a = change->a, *const b = change->b;
    const double apart = (fmax(a->least.apart, b->least.apart) + c->apart) / 2;
    const double least = 1 + fmax(c->threshold, BENCH_COMPARE_APARTS * apart);
    if (is_few(a) || is_few(b))
        return BENCH_FEW;
    const double q1 = b->least.q1 / a->least.q1, half = sqrt(least);
    if (change->ratio.ratio > least * change->up && q1 > half * change->up)
        return BENCH_SLOWER;
    if (change->ratio.ratio < change->down / least && q1 < change->down / half)
        return BENCH_FASTER;
    return is_noisy(change) ? BENCH_NOISY : BENCH_SAME;
}

static bench_ratio ratio_of(const bench_least *a, const bench_least *b)
{
    const double ratio = b->ns / a->ns;
    return (bench_ratio){ratio, ratio / (1 + a->apart), ratio * (1 + b->apart)};
}

static void judge_all(bench_comparison *c, double threshold, double *logs)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        bench_change *const x = &c->changes[i];
        x->ratio = ratio_of(&x->a->least, &x->b->least);
        sum += log(x->ratio.ratio);
    }
    c->mean = c->n ? exp(sum / c->n) : 1;
    find_drift(c);
    c->noise = noise_between(c, logs);
    c->apart = usual_apart(c, logs);
    c->threshold = fmax(threshold, exp(BENCH_COMPARE_NOISES * c->noise) - 1);
    for (uint32_t i = 0; i < c->n; i++) {
        const bench_verdict verdict = judge(c, &c->changes[i]);
        c->changes[i].verdict = verdict;
        c->nslower += verdict == BENCH_SLOWER;
        c->nfaster += verdict == BENCH_FASTER;
        c->nfew += verdict == BENCH_FEW;
        c->nnoisy += verdict == BENCH_NOISY;
    }
}

tsr_status bench_compare(bench_comparison *comparison, const bench_record *a, const bench_record *b,
                         double threshold, tsr_error *err)
{
    const bench_row **x = NULL, **y = NULL;
    uint32_t nx = 0, ny = 0, i = 0, j = 0;
    tsr_status status = TSR_OK;
    double *logs = NULL;
    void *p;
    memset(comparison, 0, sizeof *comparison);
    TSR_TRY_OUT(sorted_rows(&x, &nx, a, err));
    TSR_TRY_OUT(sorted_rows(&y, &ny, b, err));
    TSR_TRY_OUT(tsr_alloc_array(&p, nx, sizeof *comparison->changes, 1, "the rows in both records", err));
    comparison->changes = p;
    while (i < nx && j < ny) {
        const int c = bench_row_compare(x[i], y[j]);
        if (c == 0)
            comparison->changes[comparison->n++] = (bench_change){.a = x[i], .b = y[j]};
        i += c <= 0;
        j += c >= 0;
    }
    comparison->only_a = nx - comparison->n;
    comparison->only_b = ny - comparison->n;
    TSR_TRY_OUT(tsr_alloc_array(&p, nx, 2 * sizeof *logs, 0, "the ratios of rows", err));
    logs = p;
    judge_all(comparison, threshold, logs);
out:
    tsr_free(logs);
    tsr_free(x);
    tsr_free(y);
    return status;
}

void bench_comparison_clear(bench_comparison *comparison)
{
    tsr_free(comparison->changes);
    memset(comparison, 0, sizeof *comparison);
}
