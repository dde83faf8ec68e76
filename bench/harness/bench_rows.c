/* Compares two rows of records: see bench_rows.h. */
#include "bench_rows.h"

#include <string.h>

/* ---- rows that measure the same ---- */

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_dims(const bench_dataset *a, const bench_dataset *b)
{
    int c = a->order - b->order;
    for (int m = 0; m < a->order && c == 0; m++)
        c = compare_u64(a->dims[m], b->dims[m]);
    return c;
}

int bench_case_compare(const bench_row *a, const bench_row *b)
{
    const int by[] = {
        compare_text(a->kernel, b->kernel),
        compare_text(a->expression, b->expression),
        compare_text(a->dataset.name, b->dataset.name),
        compare_dims(&a->dataset, &b->dataset),
        compare_u64(a->dataset.nnz, b->dataset.nnz),
        a->dataset.stand_in - b->dataset.stand_in,
        compare_u64(a->dataset.seed, b->dataset.seed),
        (a->has_mode ? a->mode : -1) - (b->has_mode ? b->mode : -1),
        compare_u64((uint64_t)a->rank, (uint64_t)b->rank),
        compare_text(a->type, b->type),
        a->nthreads - b->nthreads,
        a->cold - b->cold,
        compare_text(a->memory, b->memory),
    };
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i])
            return by[i];
    return 0;
}

int bench_row_compare(const bench_row *a, const bench_row *b)
{
    int c = bench_case_compare(a, b);
    c = c ? c : compare_text(a->candidate, b->candidate);
    return c ? c : compare_text(a->format, b->format);
}

/* ---- ratio of times ---- */

/* The samples of the passes in which both rows have the same number of samples. */
typedef struct shared_rounds {
    double a_ns[BENCH_MAX_SAMPLES], b_ns[BENCH_MAX_SAMPLES];
    bool disturbed[BENCH_MAX_SAMPLES]; /* disturbed on either side */
    bench_passes passes;
    size_t n;
} shared_rounds;

static bool is_disturbed(const bench_row *row, size_t k)
{
    return row->disturbed && row->disturbed[k];
}

static void share_rounds(shared_rounds *s, const bench_row *a, const bench_row *b)
{
    const bench_passes one_a = {.n = 1, .nsamples = {a->nsamples}},
                       one_b = {.n = 1, .nsamples = {b->nsamples}};
    const bench_passes *const pa = a->passes.n ? &a->passes : &one_a, *const pb =
                                                                          b->passes.n ? &b->passes : &one_b;
    size_t a_at = 0, b_at = 0;
    s->n = 0;
    s->passes.n = 0;
    for (uint32_t p = 0; p < pa->n && p < pb->n; p++) {
        const uint32_t n = pa->nsamples[p] == pb->nsamples[p] ? pa->nsamples[p] : 0;
        for (uint32_t i = 0; i < n; i++, s->n++) {
            s->a_ns[s->n] = a->samples_ns[a_at + i];
            s->b_ns[s->n] = b->samples_ns[b_at + i];
            s->disturbed[s->n] = is_disturbed(a, a_at + i) || is_disturbed(b, b_at + i);
        }
        s->passes.nsamples[s->passes.n++] = n;
        a_at += pa->nsamples[p];
        b_at += pb->nsamples[p];
    }
}

bench_ratio bench_rows_ratio(const bench_row *a, const bench_row *b)
{
    shared_rounds s;
    share_rounds(&s, a, b);
    const bench_samples x = {.ns = s.a_ns, .n = s.n, .disturbed = s.disturbed, .passes = &s.passes},
                        y = {.ns = s.b_ns, .n = s.n, .passes = &s.passes};
    return s.n ? bench_ratio_of(&x, &y, true, 0.95, 1) : (bench_ratio){0};
}
