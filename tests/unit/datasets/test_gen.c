/* The parts of the generators: arithmetic, Zipf's law, exact patterns, text, and the bytes that a seed gives.
 */
#include <math.h>

#include "gen_internal.h"
#include "gen_zipf.h"
#include "tsr_alloc.h"
#include "tsr_codec.h"
#include "tsr_jit.h"
#include "tsr_test.h"

/* ---- arithmetic ---- */

static void test_muldiv(void **state)
{
    (void)state;
    static const uint64_t cases[][4] = {
        {0, 5, 7, 0},
        {7, 6, 5, 8},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
        {UINT64_MAX, 2, 4, UINT64_MAX / 2},
        {UINT64_C(1) << 63, UINT64_C(1) << 40, UINT64_C(1) << 63, UINT64_C(1) << 40},
        {UINT64_C(0xfedcba9876543210), UINT64_C(0x123456789abcdef), UINT64_C(0xffffffffffffffff),
         UINT64_C(0x121fa00ad77d742)},
        {UINT64_C(10000000000000000000), 999999999, 1000000000, UINT64_C(9999999990000000000)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(gen_muldiv(cases[i][0], cases[i][1], cases[i][2]) == cases[i][3]);
}

static void test_logarithms(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    assert_int_equal(gen_log2(1), 0);
    assert_true(gen_log2(UINT64_C(1) << 63) == INT64_C(63) << 32);
    for (int i = 0; i < 10000; i++) {
        const uint64_t x = tsr_rng_next(&rng) >> tsr_rng_below(&rng, 63);
        const double log = (double)gen_log2(x ? x : 1) / 0x1p32;
        assert_true(fabs(log - log2((double)(x ? x : 1))) < 0x1p-29);
        const int64_t e = (int64_t)(tsr_rng_next(&rng) % (UINT64_C(50) << 32)) + (INT64_C(12) << 32);
        const double power = exp2((double)e / 0x1p32);
        assert_true(fabs((double)gen_exp2(e) - power) <= power * 0x1p-24 + 1);
    }
}

/* ---- Zipf ---- */

static void test_zipf_is_a_permutation(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 31, 32, 33, 100, 1000, 4097};
    gen_zipf zipf;
    char seen[4097];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        gen_zipf_init(&zipf, sizes[i], 1000, i);
        memset(seen, 0, sizeof seen);
        for (uint64_t k = 0; k < sizes[i]; k++) {
            const uint64_t rank = gen_zipf_rank(&zipf, k);
            assert_true(rank < sizes[i] && !seen[rank]);
            assert_true((rank * zipf.factor + zipf.offset) % sizes[i] == k);
            seen[rank] = 1;
        }
    }
    gen_zipf_init(&zipf, TSR_GEN_MAX_DIM, 900, 5); /* the largest */
    assert_true(zipf.nbuckets <= GEN_MAX_BUCKETS && zipf.first[zipf.nbuckets] == TSR_GEN_MAX_DIM);
    assert_true(gen_zipf_rank(&zipf, (12345 * zipf.factor + zipf.offset) % zipf.n) == 12345);
}

/* Shares add up, differ from the law's by less than the width of a bucket makes them, and draws agree with
 * them. */
static void test_zipf_shares_and_draws(void **state)
{
    (void)state;
    enum { N = 500, COUNT = 1000000 };
    static const uint32_t exponents[] = {0, 500, 1000, 1700};
    gen_zipf zipf;
    gen_share share;
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        double law[N], total = 0;
        uint64_t drawn[N] = {0}, sum = 0;
        gen_rng rng = {e};
        gen_zipf_init(&zipf, N, exponents[e], 3);
        gen_share_init(&share, &zipf, COUNT, 4);
        for (int r = 0; r < N; r++)
            total += law[r] = pow(r + 1, -(double)exponents[e] / 1000);
        for (int i = 0; i < COUNT; i++)
            drawn[gen_zipf_draw(&zipf, &rng)]++;
        for (uint64_t k = 0; k < N; k++) {
            const double want = law[gen_zipf_rank(&zipf, k)] / total * COUNT;
            const uint64_t got = gen_share_of(&share, &zipf, k);
            sum += got;
            assert_true(fabs((double)got - want) <= 0.06 * want + 1);
            assert_true(fabs((double)drawn[k] - (double)got) < 6 * sqrt(want) + 1);
        }
        assert_int_equal(sum, COUNT);
    }
}

static void test_fill(void **state)
{
    (void)state;
    enum { LO = 10, HI = 30 };
    tsr_rng rng = {2};
    for (int i = 0; i < 2000; i++) {
        uint32_t a[HI - LO], spare[HI - LO];
        size_t n = (size_t)tsr_rng_below(&rng, HI - LO + 1);
        for (size_t k = 0; k < n; k++)
            a[k] = LO + (uint32_t)tsr_rng_below(&rng, HI - LO);
        gen_sort(a, n, spare);
        n = gen_unique(a, n);
        const size_t more = (size_t)tsr_rng_below(&rng, HI - LO - n + 1);
        gen_fill(a, n, more, LO, HI);
        gen_sort(a, n + more, spare);
        assert_int_equal(gen_unique(a, n + more), n + more);
        assert_true(n + more == 0 || (a[0] >= LO && a[n + more - 1] < HI));
    }
}

static void test_sort(void **state)
{
    (void)state;
    enum { N = 3000 };
    static uint32_t a[N], spare[N];
    tsr_rng rng = {3};
    for (int round = 0; round < 40; round++) {
        const size_t n = (size_t)tsr_rng_below(&rng, N);
        uint64_t sum = 0, after = 0;
        for (size_t i = 0; i < n; i++)
            sum += a[i] = (uint32_t)(tsr_rng_next(&rng) >> (32 + tsr_rng_below(&rng, 31)));
        gen_sort(a, n, spare);
        for (size_t i = 0; i < n; i++) {
            after += a[i];
            assert_true(i == 0 || a[i - 1] <= a[i]);
        }
        assert_true(sum == after);
    }
}

/* ---- files ---- */

static const char *make(const char *text, const char *name, uint64_t seed, int nthreads)
{
    tsr_gen gen;
    bool known;
    const char *path = tsr_test_path(tsr_test_tmp(), name);
    const tsr_gen_options options = {.seed = seed, .nthreads = nthreads};
    assert_ok(tsr_gen_parse(&gen, &known, text, err));
    assert_true(known);
    assert_ok(tsr_gen_write(path, &gen, &options, NULL, err));
    return path;
}

static tsr_coo *make_coo(const char *text, const char *name)
{
    tsr_data data = {0};
    const char *path = make(text, name, 7, 1);
    assert_ok(tsr_read(&data, path, NULL, NULL, err));
    assert_non_null(data.coo);
    return data.coo;
}

/* These bytes are a promise: a change of them changes every published stand-in, and dataset_find.c's VERSION.
 */
static void test_same_bytes_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *text, *suffix, *hash;
    } cases[] = {
        {"uniform:dims=1000,nnz=100", "tns", "f9a9b8de31d08d94534009f3f95f119c"},
        {"uniform:dims=100x200x300,nnz=20000", "tns", "d09d57e83e465d3a1e12bea8608c9427"},
        {"power-law:dims=1000x2000x30x40,nnz=50000,skew=0.8,values=count", "tns",
         "6b4cb5e2cac7da3bae5a1261f61a0981"},
        {"power-law:dims=3x700000,nnz=1400000,skew=1.3,values=binary", "mtx",
         "8cd618ee331ba7d1318ca106685ad013"},
        {"power-law:dims=500x600,nnz=9000,values=complex", "mtx", "427bc22e88d4cac6c101c0b32487da72"},
        {"banded:n=1000,width=9", "mtx", "a1091d68f9a0a2ede5f728d3f302a1e0"},
        {"block:n=1000,block=5,per-row=7", "mtx", "af352d084fa8b5b377a542c09f3e488e"},
        {"stencil:grid=20x30", "mtx", "3e527eff39e7c24216aa7d4a6cadc693"},
        {"stencil:grid=6x7x8,points=27,unknowns=3,cut=1", "mtx", "9dea62603b65ac28ddd749a81671a0cf"},
        {"arrow:n=1000,width=7", "mtx", "c1807bdf18ddb1b82d490b8eb538013d"},
        {"rmat:scale=10,per-row=16", "mtx", "d1a6116ebf58bff9e6519a41fe48e29e"},
        {"matmul_5-6-7", "tns", "6d62e1de350e4e9d5ea82e1d949685cf"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char key[TSR_JIT_KEY_NBYTES], name[32];
        snprintf(name, sizeof name, "bytes.%s", cases[i].suffix);
        size_t n;
        char *bytes = tsr_test_slurp(make(cases[i].text, name, 42, 1), &n);
        tsr_jit_hash(key, bytes, n);
        if (strcmp(key, cases[i].hash) != 0) {
            print_error("    {\"%s\", \"%s\", \"%s\"},\n", cases[i].text, cases[i].suffix, key);
            good = false;
        }
        free(bytes);
    }
    assert_true(good);
}

static void test_threads_and_seeds(void **state)
{
    (void)state;
    static const char text[] = "power-law:dims=300x400x500,nnz=200000";
    size_t n[4];
    char *bytes[4] = {tsr_test_slurp(make(text, "a.tns.gz", 1, 1), &n[0]),
                      tsr_test_slurp(make(text, "b.tns.gz", 1, 3), &n[1]),
                      tsr_test_slurp(make(text, "c.tns", 1, 1), &n[2]),
                      tsr_test_slurp(make(text, "d.tns", 2, 1), &n[3])};
    assert_true(n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0);
    assert_true(n[0] < n[2]);
    assert_true(n[2] != n[3] || memcmp(bytes[2], bytes[3], n[2]) != 0);
    for (int i = 0; i < 4; i++)
        free(bytes[i]);
}

/* ---- exact patterns against their definition ---- */

static void check_matmul(uint64_t m, uint64_t n, uint64_t k)
{
    double a[64], b[64], c[64] = {0};
    tsr_rng rng = {m * 100 + n * 10 + k};
    char text[64];
    snprintf(text, sizeof text, "matmul_%d-%d-%d", (int)m, (int)n, (int)k);
    tsr_coo *t = make_coo(text, "matmul.tns");
    assert_true(t->order == 3 && t->nnz == m * n * k);
    assert_true(t->dims[0] == m * k && t->dims[1] == k * n && t->dims[2] == m * n);
    for (uint64_t i = 0; i < m * k; i++)
        a[i] = (double)tsr_rng_below(&rng, 100);
    for (uint64_t i = 0; i < k * n; i++)
        b[i] = (double)tsr_rng_below(&rng, 100);
    for (uint64_t e = 0; e < t->nnz; e++)
        c[tsr_array_get(&t->crd[2], e)] += a[tsr_array_get(&t->crd[0], e)] * b[tsr_array_get(&t->crd[1], e)];
    for (uint64_t i = 0; i < m; i++)
        for (uint64_t j = 0; j < n; j++) {
            double want = 0;
            for (uint64_t l = 0; l < k; l++)
                want += a[i * k + l] * b[l * n + j];
            assert_true(c[j * m + i] == want);
        }
    tsr_coo_free(t);
}

static void test_matmul(void **state)
{
    (void)state;
    for (uint64_t m = 1; m <= 4; m++)
        for (uint64_t n = 1; n <= 4; n++)
            for (uint64_t k = 1; k <= 4; k++)
                check_matmul(m, n, k);
}

/* The published files, where they are at hand. */
static void test_matmul_files(void **state)
{
    (void)state;
    static const char *const names[] = {"matmul_2-2-2", "matmul_3-3-3", "matmul_4-3-2"};
    if (!tsr_test_shared())
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[100];
        size_t n, want_n;
        snprintf(name, sizeof name, "data/tns/frostt-matmul/%s.tns", names[i]);
        char *want = tsr_test_slurp(tsr_test_path(tsr_test_shared(), name), &want_n);
        char *got = tsr_test_slurp(make(names[i], "published.tns", 0, 1), &n);
        assert_true(n == want_n && memcmp(got, want, n) == 0);
        free(want);
        free(got);
    }
}

static void test_banded(void **state)
{
    (void)state;
    static const int cases[][2] = {{1, 1}, {10, 1}, {10, 3}, {10, 7}, {10, 19}, {9000, 3}, {300, 201}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[64];
        const int64_t size = cases[c][0], half = cases[c][1] / 2;
        snprintf(text, sizeof text, "banded:n=%d,width=%d", cases[c][0], cases[c][1]);
        tsr_coo *t = make_coo(text, "banded.mtx");
        uint64_t e = 0;
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = i > half ? i - half : 0; j < size && j <= i + half; j++, e++) {
                assert_true(e < t->nnz && (int64_t)tsr_array_get(&t->crd[0], e) == i);
                assert_true((int64_t)tsr_array_get(&t->crd[1], e) == j);
            }
        assert_true(e == t->nnz && t->dims[0] == (uint64_t)size && t->dims[1] == (uint64_t)size);
        tsr_coo_free(t);
    }
}

static void test_block(void **state)
{
    (void)state;
    static const uint64_t cases[][3] = {{1, 1, 1},    {12, 3, 2},    {12, 3, 4},
                                        {400, 4, 50}, {400, 1, 399}, {64, 64, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[64];
        const uint64_t n = cases[c][0], b = cases[c][1], per_row = cases[c][2];
        snprintf(text, sizeof text, "block:n=%d,block=%d,per-row=%d", (int)n, (int)b, (int)per_row);
        tsr_coo *t = make_coo(text, "block.mtx");
        uint64_t e = 0;
        assert_true(t->nnz == n * per_row * b);
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t k = 0; k < per_row * b;
                 k++, e++) { /* whole blocks, rising, the same in all their rows */
                const uint64_t j = tsr_array_get(&t->crd[1], e);
                assert_true(tsr_array_get(&t->crd[0], e) == i && j % b == k % b && j < n);
                assert_true(k == 0 || j > tsr_array_get(&t->crd[1], e - 1));
                assert_true(i % b == 0 || j == tsr_array_get(&t->crd[1], e - per_row * b));
            }
        tsr_coo_free(t);
    }
}

/* Whether unknowns i and j of a stencil meet: their nodes are neighbours. */
static bool meets(const uint64_t size[3], uint64_t points, uint64_t unknowns, uint64_t i, uint64_t j)
{
    uint64_t a = i / unknowns, b = j / unknowns, steps = 0, most = 0;
    for (int d = 2; d >= 0; d--) {
        const uint64_t x = a % size[d], y = b % size[d], apart = x > y ? x - y : y - x;
        steps += apart;
        most = apart > most ? apart : most;
        a /= size[d], b /= size[d];
    }
    return points == 9 || points == 27 ? most <= 1 : steps <= 1;
}

static void test_stencil(void **state)
{
    (void)state;
    static const uint64_t cases[][6] = {{1, 1, 1, 5, 1, 0},  {1, 7, 1, 5, 1, 0}, {6, 5, 1, 5, 1, 0},
                                        {6, 5, 1, 9, 2, 1},  {3, 4, 5, 7, 1, 0}, {2, 3, 4, 7, 3, 2},
                                        {3, 2, 4, 27, 3, 1}, {9, 0, 0, 3, 2, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[80];
        const uint64_t *const v = cases[c], points = v[3], unknowns = v[4], cut = v[5];
        const uint64_t size[3] = {v[0], v[1] ? v[1] : 1, v[2] ? v[2] : 1};
        const uint64_t n = size[0] * size[1] * size[2] * unknowns;
        int at = snprintf(text, sizeof text, "stencil:grid=%d", (int)v[0]);
        for (int d = 1; d < (points == 3 ? 1 : points == 5 || points == 9 ? 2 : 3); d++)
            at += snprintf(text + at, sizeof text - (size_t)at, "x%d", (int)v[d]);
        snprintf(text + at, sizeof text - (size_t)at, ",points=%d,unknowns=%d,cut=%d", (int)points,
                 (int)unknowns, (int)cut);
        tsr_coo *t = make_coo(text, "stencil.mtx");
        uint64_t e = 0;
        for (uint64_t i = cut; i < n; i++)
            for (uint64_t j = cut; j < n; j++)
                if (meets(size, points, unknowns, i, j)) {
                    assert_true(e < t->nnz && tsr_array_get(&t->crd[0], e) == i - cut);
                    assert_true(tsr_array_get(&t->crd[1], e++) == j - cut);
                }
        assert_true(e == t->nnz && t->dims[0] == n - cut && t->dims[1] == n - cut);
        tsr_coo_free(t);
    }
}

static void test_arrow(void **state)
{
    (void)state;
    static const int cases[][2] = {{1, 1}, {2, 1}, {10, 3}, {10, 19}, {9000, 3}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[64];
        const int64_t n = cases[c][0], half = cases[c][1] / 2;
        snprintf(text, sizeof text, "arrow:n=%d,width=%d", cases[c][0], cases[c][1]);
        tsr_coo *t = make_coo(text, "arrow.mtx");
        uint64_t e = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1 == n || i < half ? 0 : i - half; j < n; j++) {
                if (j > i + half && j + 1 < n && i + 1 < n)
                    continue;
                assert_true(e < t->nnz && (int64_t)tsr_array_get(&t->crd[0], e) == i);
                assert_true((int64_t)tsr_array_get(&t->crd[1], e++) == j);
            }
        assert_true(e == t->nnz);
        tsr_coo_free(t);
    }
}

/* Exactly the number of entries, in order, without duplicates; three quarters of them in the upper half, of rows and of columns. */
static void test_rmat(void **state)
{
    (void)state;
    static const int cases[][2] = {{1, 1}, {1, 2}, {3, 8}, {5, 31}, {12, 16}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[64];
        const uint64_t n = UINT64_C(1) << cases[c][0], nnz = n * (uint64_t)cases[c][1];
        uint64_t top = 0, left = 0;
        snprintf(text, sizeof text, "rmat:scale=%d,per-row=%d", cases[c][0], cases[c][1]);
        tsr_coo *t = make_coo(text, "rmat.mtx");
        assert_true(t->nnz == nnz && t->dims[0] == n && t->dims[1] == n);
        for (uint64_t e = 0; e < nnz; e++) {
            const uint64_t i = tsr_array_get(&t->crd[0], e), j = tsr_array_get(&t->crd[1], e);
            assert_true(e == 0 || i > tsr_array_get(&t->crd[0], e - 1) ||
                        (i == tsr_array_get(&t->crd[0], e - 1) && j > tsr_array_get(&t->crd[1], e - 1)));
            top += i < n / 2, left += j < n / 2;
        }
        if (nnz > 10000) /* duplicates that were drawn again move some entries */
            assert_true(100 * top > 74 * nnz && 100 * top < 78 * nnz && 100 * left > 70 * nnz &&
                        100 * left < 78 * nnz);
        tsr_coo_free(t);
    }
}

/* ---- text ---- */

static void test_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"uniform", "uniform: dims=IxJx... and nnz=N are needed"},
        {"uniform:dims=3x4", "uniform: dims=IxJx... and nnz=N are needed"},
        {"uniform:dims=3x4,nnz=13", "uniform: 13 entries do not fit into 12 cells"},
        {"uniform:dims=3x4,nnz=-1", "uniform: invalid value '-1' for nnz"},
        {"uniform:dims=3x,nnz=1", "uniform: invalid value '3x' for dims"},
        {"uniform:dims=0x4,nnz=1", "uniform: a dim of 0: 1 to 2147483647 can be generated"},
        {"uniform:dims=2147483648,nnz=1", "uniform: a dim of 2147483648: 1 to 2147483647 can be generated"},
        {"uniform:dims=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1,nnz=1",
         "uniform: invalid value '1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1' for dims"},
        {"uniform:dims=999999x999999,nnz=8589934592",
         "uniform: 8589934592 entries: 1 to 8589934591 can be generated"},
        {"uniform:skew=1", "uniform: unknown parameter 'skew' (known: dims nnz values, each with =VALUE)"},
        {"uniform:=1", "uniform: unknown parameter '' (known: dims nnz values, each with =VALUE)"},
        {"uniform:nnz", "uniform: unknown parameter 'nnz' (known: dims nnz values, each with =VALUE)"},
        {"uniform:dims=3x4,nnz=3,values=odd", "uniform: invalid value 'odd' for values"},
        {"power-law:dims=3x4,nnz=3,skew=4.001", "power-law: invalid value '4.001' for skew"},
        {"power-law:dims=3x4,nnz=3,skew=1.0001", "power-law: invalid value '1.0001' for skew"},
        {"power-law:dims=3x4,nnz=3,skew=.", "power-law: invalid value '.' for skew"},
        {"banded", "banded: n=N is needed, 1 to 2147483647"},
        {"banded:n=10,width=4", "banded: the width of a band is an odd number, at most 19"},
        {"banded:n=10,width=21", "banded: the width of a band is an odd number, at most 19"},
        {"banded:n=2147483647,width=4294967293",
         "banded: 4611686014132420609 entries: 1 to 8589934591 can be "
         "generated"},
        {"stencil:points=5", "stencil: grid=I, IxJ or IxJxK is needed"},
        {"stencil:grid=3x3,points=7",
         "stencil: points=7 on a grid of 2 dims: 3 (1 dim), 5 or 9 (2), 7 or 27 (3)"},
        {"stencil:grid=3x3,unknowns=2,cut=2",
         "stencil: unknowns=2,cut=2: unknowns are 1 to 64, cut is less than unknowns"},
        {"stencil:grid=99999x99999",
         "stencil: the grid has 9999800001 nodes: 1 to 2147483647 can be generated"},
        {"arrow:n=10,width=2", "arrow: the width of a band is an odd number, at most 19"},
        {"rmat:per-row=3", "rmat: scale=S is needed, 1 to 30, for 2^S rows"},
        {"rmat:scale=2,per-row=5", "rmat: per-row=5: a row has only 4 cells"},
        {"block:n=10,block=4", "block: n=10 is not a multiple of block=4"},
        {"block:n=8,block=4,per-row=3", "block: per-row=3: a row has only 2 blocks"},
        {"matmul_", "'matmul_' is not matmul_M-N-K with sizes of 1 to 65535"},
        {"matmul_1-2", "'matmul_1-2' is not matmul_M-N-K with sizes of 1 to 65535"},
        {"matmul_1-2-0", "'matmul_1-2-0' is not matmul_M-N-K with sizes of 1 to 65535"},
        {"matmul_1-2-3x", "'matmul_1-2-3x' is not matmul_M-N-K with sizes of 1 to 65535"},
        {"matmul_65535-65535-65535", "a dim of 4294836225: 1 to 2147483647 can be generated"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_gen gen;
        bool known;
        tsr_error err = {0};
        assert_int_equal(tsr_gen_parse(&gen, &known, cases[i][0], &err), TSR_ARGUMENT);
        assert_string_equal(err.message, cases[i][1]);
    }
}

static void test_unknown(void **state)
{
    (void)state;
    static const char *const cases[] = {"nell-2", "", "uniformly:n=1", "band", "matmul", "Banded:n=3"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_gen gen;
        bool known = true;
        assert_ok(tsr_gen_parse(&gen, &known, cases[i], err));
        assert_false(known);
    }
}

static void test_decimals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int ndecimals;
        size_t used; /* 0: refused */
        uint64_t v;
    } cases[] = {
        {"1", 3, 1, 1000},
        {"0.05", 3, 4, 50},
        {".5", 3, 2, 500},
        {"2.", 3, 2, 2000},
        {"1.2345", 3, 0, 0},
        {"1.234000", 3, 8, 1234},
        {"", 3, 0, 0},
        {".", 3, 0, 0},
        {"1.2.3", 3, 3, 1200},
        {"1;2", 3, 1, 1000},
        {"-1", 3, 0, 0},
        {"18446744073709551615", 0, 0, 0},
        {"18446744073709551", 3, 17, UINT64_C(18446744073709551000)},
        {"18446744073709552", 3, 0, 0},
        {"0.000000001", 9, 11, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t v;
        const char *const s = cases[i].text,
                          *end = tsr_gen_parse_decimal(&v, s, s + strlen(s), cases[i].ndecimals);
        assert_true(cases[i].used ? end == s + cases[i].used && v == cases[i].v : end == NULL);
    }
}

static void test_suffixes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *file, *sentence;
        tsr_status status;
    } cases[] = {
        {"uniform:dims=3x4,nnz=3", "a.txt",
         "generated tensors are written as .tns or .mtx (.gz behind it compresses)", TSR_ARGUMENT},
        {"uniform:dims=3x4,nnz=3", "a.gz",
         "generated tensors are written as .tns or .mtx (.gz behind it compresses)", TSR_ARGUMENT},
        {"uniform:dims=3x4x5,nnz=3", "a.mtx", "a .mtx file holds a matrix, not a tensor of 3 modes",
         TSR_ARGUMENT},
        {"uniform:dims=3x4,nnz=3,values=complex", "a.tns",
         "a .tns file cannot hold complex values: write .mtx", TSR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_gen gen;
        bool known;
        tsr_error failure = {0};
        assert_ok(tsr_gen_parse(&gen, &known, cases[i].text, err));
        assert_int_equal(
            tsr_gen_write(tsr_test_path(tsr_test_tmp(), cases[i].file), &gen, NULL, NULL, &failure),
            cases[i].status);
        assert_string_equal(failure.message, cases[i].sentence);
    }
}

static bool cancel(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    (void)ctx;
    assert_string_equal(phase, "generate");
    assert_true(done <= total);
    return false;
}

static void test_cancelled(void **state)
{
    (void)state;
    tsr_gen gen;
    bool known;
    tsr_error failure = {0};
    const tsr_observer observer = {.progress = cancel};
    const tsr_gen_options options = {.observer = &observer};
    const char *path = tsr_test_path(tsr_test_tmp(), "cancelled.tns");
    assert_ok(tsr_gen_parse(&gen, &known, "banded:n=1000000", err));
    assert_int_equal(tsr_gen_write(path, &gen, &options, NULL, &failure), TSR_CANCELLED);
    assert_null(fopen(path, "r"));
}

static void test_out_of_memory(void **state)
{
    (void)state;
    tsr_gen gen;
    bool known;
    const char *path = tsr_test_path(tsr_test_tmp(), "memory.mtx");
    assert_ok(tsr_gen_parse(&gen, &known, "power-law:dims=30x40,nnz=300", err));
    if (tsr_alloc_live() < 0)
        skip(); /* built without fault hooks */
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_error err = {0};
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_gen_write(path, &gen, NULL, NULL, &err);
        tsr_faults_end(&faults, status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_muldiv),
        cmocka_unit_test(test_logarithms),
        cmocka_unit_test(test_zipf_is_a_permutation),
        cmocka_unit_test(test_zipf_shares_and_draws),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_same_bytes_everywhere),
        cmocka_unit_test(test_threads_and_seeds),
        cmocka_unit_test(test_matmul),
        cmocka_unit_test(test_matmul_files),
        cmocka_unit_test(test_banded),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_arrow),
        cmocka_unit_test(test_rmat),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_suffixes),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
