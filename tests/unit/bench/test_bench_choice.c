/* When packing pays, the standing of rows, and the chosen format, for made-up numbers. */
#include "bench_choice.h"

#include <math.h>
#include <stdio.h>

#include "bench_label.h"
#include "bench_record_internal.h"
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

static void test_cheap_until(void **state)
{
    (void)state;
    static const struct {
        bench_cost format, reference;
        double nruns;
    } rows[] = {{{10, 3}, {20, 2}, 10},      {{10, 3}, {20, 1}, 5}, {{10, 4}, {20, 1}, 3},
                {{19, 30}, {20, 2}, 0},      {{20, 3}, {20, 2}, 0}, {{30, 3}, {20, 2}, 0},
                {{10, 2}, {20, 2}, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(bench_cheap_until(rows[i].format, rows[i].reference) == rows[i].nruns);
}

/* Rows of five samples in one pass around a median, 1 ns apart unless `apart` is given. */
typedef struct made {
    const char *format;
    double pack, median, apart;
    const char *candidate; /* NULL: Tessera */
} made;

enum { NSAMPLES = 5, MAX_ROWS = 8 };

typedef struct case_rows {
    bench_row row[MAX_ROWS];
    double ns[MAX_ROWS][NSAMPLES];
    size_t n;
} case_rows;

static void make_rows(case_rows *c, const made *rows, size_t n, uint32_t nsamples)
{
    /* a slow round of one row is not slow for another */
    static const int order[NSAMPLES] = {0, -2, 1, 2, -1};
    const bench_record record = {0};
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        const double apart = rows[i].apart > 0 ? rows[i].apart : 1;
        for (size_t k = 0; k < NSAMPLES; k++)
            c->ns[i][k] = rows[i].median + apart * order[(k + i) % NSAMPLES];
        c->row[i] = (bench_row){.kernel = "spmv",
                                .candidate = rows[i].candidate ? rows[i].candidate : BENCH_TESSERA,
                                .format = rows[i].format,
                                .reference = rows[0].format,
                                .pack_ns = rows[i].pack,
                                .nthreads = 1,
                                .samples_ns = c->ns[i],
                                .nsamples = rows[i].median > 0 ? nsamples : 0};
        c->row[i].passes = (bench_passes){.n = 1, .nsamples = {c->row[i].nsamples}};
        bench_row_derive(&record, &c->row[i]);
    }
}

/* The text for each row and for the choice: "coo ; csr always; csr, csr, csr, csr. csr runs ...". */
static char *told(char *buf, size_t size, const case_rows *c)
{
    bench_choice choice;
    bench_standing standings[MAX_ROWS];
    tsr_text text = {0};
    bench_choose(&choice, standings, c->row, c->n);
    for (size_t i = 0; i < c->n; i++) {
        char label[BENCH_LABEL_NBYTES];
        tsr_text_addf(&text, "%s %s; ", c->row[i].format, bench_pays_label(label, &standings[i]));
    }
    for (int o = 0; o < BENCH_NOFTEN && choice.is_sure; o++)
        tsr_text_addf(&text, "%s%s", c->row[choice.winner[o]].format, o + 1 < BENCH_NOFTEN ? ", " : ". ");
    bench_choice_sentence(&text, &choice, standings, c->row);
    snprintf(buf, size, "%s", tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return buf;
}

static void test_choose(void **state)
{
    (void)state;
    static const struct {
        made rows[MAX_ROWS];
        const char *told;
    } cases[] = {
        {{{"coo", 1000, 2000, 0, NULL}}, "coo ; "},
        {{{"coo", 1000, 2000, 0, NULL}, {"csr", 4500, 1000, 0, NULL}},
         "coo ; csr from 4; coo, csr, csr, csr. csr runs 2.00 (2.00 to 2.00) times as fast as coo; packing "
         "pays after 4 runs."},
        {{{"coo", 1000, 2000, 0, NULL}, {"csr", 500, 1000, 0, NULL}},
         "coo ; csr always; csr, csr, csr, csr. csr runs 2.00 (2.00 to 2.00) times as fast as coo and "
         "packs at least as fast."},
        /* By the medians csr would pay after 50 runs, but the samples do not tell the two apart. */
        {{{"coo", 1000, 2000, 400, NULL}, {"csr", 2000, 1980, 400, NULL}},
         "coo ; csr tied; coo, coo, coo, coo. No format is measurably faster than coo. csr is not "
         "measurably slower or faster."},
        /* Tied and cheaper to pack: not chosen for many runs, which may be slower. */
        {{{"coo", 20000, 2000, 400, NULL}, {"csr", 500, 2020, 400, NULL}},
         "coo ; csr until 9; csr, coo, coo, coo. No format is measurably faster than coo. csr is not "
         "measurably slower or faster."},
        /* It won 10,000 runs, with the speed-up 1.00, since packing took 0.1 ms less. */
        {{{"coo", 1000, 2000, 400, NULL}, {"csf:0,1,2", 900, 2000, 400, NULL}},
         "coo ; csf:0,1,2 tied; coo, coo, coo, coo. No format is measurably faster than coo. csf:0,1,2 is "
         "not "
         "measurably slower or faster."},
        {{{"coo", 1000, 2000, 0, NULL}, {"csr", 900, 2050, 0, NULL}, {"csc", 1100, 2050, 0, NULL}},
         "coo ; csr until 2; csc never; csr, coo, coo, coo. No format is measurably faster than coo."},
        /* Two that are faster, and tied with each other. */
        {{{"coo", 1000, 2000, 0, NULL}, {"csr", 9000, 1000, 50, NULL}, {"csf", 5000, 1010, 50, NULL}},
         "coo ; csr from 8; csf from 5; coo, csf, csf, csr. csr runs 2.00 (1.82 to 2.22) times as fast as "
         "coo; packing pays "
         "after 8 runs. csf is not measurably slower or faster."},
        /* Baselines are not chosen. */
        {{{"coo", 1000, 2000, 0, NULL}, {"eigen", 1, 100, 0, "eigen"}, {"csr", 0, 0, 0, NULL}},
         "coo ; eigen always; csr ; "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        case_rows c;
        char said[1024];
        size_t n = 0;
        while (n < MAX_ROWS && cases[i].rows[n].format)
            n++;
        make_rows(&c, cases[i].rows, n, NSAMPLES);
        assert_string_equal(told(said, sizeof said, &c), cases[i].told);
    }
}

static void test_few_samples(void **state)
{
    (void)state;
    static const made rows[] = {{"coo", 1000, 2000, 0, NULL}, {"csr", 4500, 1000, 0, NULL}};
    case_rows c;
    char said[1024];
    make_rows(&c, rows, 2, 2);
    assert_string_equal(told(said, sizeof said, &c),
                        "coo ; csr ; Too few samples to compare formats: at least three rounds are needed.");
}

static double random_part(uint64_t *x)
{
    *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*x >> 40) / (1 << 24);
}

/* The choice is consistent: for random times, the format that is called the cheapest for n runs pays for n
 * runs, and the best format is certainly faster than the reference, or is the reference itself. */
static void test_no_contradiction(void **state)
{
    (void)state;
    static const char *const names[MAX_ROWS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    uint64_t x = 7;
    for (int t = 0; t < 200; t++) {
        made rows[MAX_ROWS];
        case_rows c;
        bench_choice choice;
        bench_standing s[MAX_ROWS];
        for (int i = 0; i < MAX_ROWS; i++)
            rows[i] = (made){names[i], 1e6 * random_part(&x), 2e4 * (0.8 + 0.4 * random_part(&x)),
                             3e3 * random_part(&x), NULL};
        make_rows(&c, rows, MAX_ROWS, NSAMPLES);
        bench_choose(&choice, s, c.row, c.n);
        assert_int_equal(choice.reference, 0);
        assert_true(choice.is_sure);
        assert_true(choice.best == 0 || s[choice.best].speedup.lo > 1);
        for (int o = 0; o < BENCH_NOFTEN; o++) {
            const size_t w = choice.winner[o];
            const double n = bench_oftens[o].nruns;
            assert_true(w == 0 || s[w].pays <= n || n <= s[w].until);
            /* the reference is not chosen if another format certainly pays */
            for (size_t i = 1; i < c.n; i++)
                assert_true(w != 0 || s[i].pays >= n);
        }
        for (size_t i = 1; i < c.n; i++)
            assert_true(s[i].speedup.lo <= s[i].speedup.ratio && s[i].speedup.ratio <= s[i].speedup.hi &&
                        s[i].speedup.ratio == c.row[0].ns.median / c.row[i].ns.median);
    }
}

/* A ratio whose interval spans more than a factor of 2 is not given as a number. */
static void test_unsteady_ratios(void **state)
{
    (void)state;
    static const struct {
        bench_ratio ratio;
        const char *label;
    } rows[] = {{{.ratio = 3.89, .lo = 0.06, .hi = 18.6}, "unsteady"},
                {{.ratio = 1.5, .lo = 1, .hi = 2.01}, "unsteady"},
                {{.ratio = 1.5, .lo = 1, .hi = 2}, "1.50 (1.00-2.00)"},
                {{.ratio = 1.7, .lo = 1.62, .hi = INFINITY}, "1.70"}};
    char label[BENCH_LABEL_NBYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(bench_ratio_label(label, &rows[i].ratio, "-"), rows[i].label);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_break_even),       cmocka_unit_test(test_cheap_until),
        cmocka_unit_test(test_choose),           cmocka_unit_test(test_few_samples),
        cmocka_unit_test(test_no_contradiction), cmocka_unit_test(test_unsteady_ratios)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
