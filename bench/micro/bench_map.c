/* Measures the cost of a map per entry, beside a hand-written loop for the same map with constant sizes.
 *
 *     bench_map [entries [rounds]]
 *
 * The entries (8 M by default) are read from memory and the results written to memory, block by block as in
 * packing; then the same with one block that stays in the cache, which shows the arithmetic alone. GB/s
 * counts coordinates read and results written. The results of each plan are first compared with those of the
 * loop. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_run.h"
#include "tsr_map.h"

enum { MAX_COLUMNS = 4, DIM = 200 }; /* coordinates are in [0, DIM) */

typedef void (*hand_loop)(int64_t *const *out, const int64_t *const *in, size_t n);

typedef struct subject {
    const tsr_map_plan *plan; /* NULL: the loop */
    hand_loop loop;
    int nin, nout;
    size_t n;
    bool in_cache;
    int64_t *in[MAX_COLUMNS], *out[MAX_COLUMNS], *want[MAX_COLUMNS];
    void *scratch;
} subject;

#define U(x) ((uint64_t)(x))

static void permute(int64_t *const *out, const int64_t *const *in, size_t n)
{
    memcpy(out[0], in[2], n * sizeof(int64_t));
    memcpy(out[1], in[0], n * sizeof(int64_t));
    memcpy(out[2], in[1], n * sizeof(int64_t));
}

static void block8(int64_t *const *out, const int64_t *const *in, size_t n)
{
    const int64_t *restrict i = in[0], *restrict j = in[1];
    int64_t *restrict a = out[0], *restrict b = out[1], *restrict c = out[2], *restrict d = out[3];
    for (size_t e = 0; e < n; e++) {
        a[e] = (int64_t)(U(i[e]) / 8);
        b[e] = (int64_t)(U(j[e]) / 8);
        c[e] = (int64_t)(U(i[e]) % 8);
        d[e] = (int64_t)(U(j[e]) % 8);
    }
}

static void block3(int64_t *const *out, const int64_t *const *in, size_t n)
{
    const int64_t *restrict i = in[0], *restrict j = in[1];
    int64_t *restrict a = out[0], *restrict b = out[1], *restrict c = out[2], *restrict d = out[3];
    for (size_t e = 0; e < n; e++) {
        a[e] = (int64_t)(U(i[e]) / 3);
        b[e] = (int64_t)(U(j[e]) / 3);
        c[e] = (int64_t)(U(i[e]) % 3);
        d[e] = (int64_t)(U(j[e]) % 3);
    }
}

static void unblock3(int64_t *const *out, const int64_t *const *in, size_t n)
{
    const int64_t *restrict a = in[0], *restrict b = in[1], *restrict c = in[2], *restrict d = in[3];
    int64_t *restrict i = out[0], *restrict j = out[1];
    for (size_t e = 0; e < n; e++) {
        i[e] = a[e] * 3 + c[e];
        j[e] = b[e] * 3 + d[e];
    }
}

static void linearise(int64_t *const *out, const int64_t *const *in, size_t n)
{
    const int64_t *restrict i = in[0], *restrict j = in[1], *restrict k = in[2];
    int64_t *restrict l = out[0];
    for (size_t e = 0; e < n; e++)
        l[e] = i[e] * (DIM * DIM) + j[e] * DIM + k[e];
}

static void delinearise(int64_t *const *out, const int64_t *const *in, size_t n)
{
    const int64_t *restrict l = in[0];
    int64_t *restrict i = out[0], *restrict j = out[1], *restrict k = out[2];
    for (size_t e = 0; e < n; e++) {
        i[e] = (int64_t)(U(l[e]) / (DIM * DIM));
        j[e] = (int64_t)(U(l[e]) / DIM % DIM);
        k[e] = (int64_t)(U(l[e]) % DIM);
    }
}

static const struct {
    const char *name, *map;
    hand_loop loop;
    int64_t bound; /* inputs are in [0, bound) */
} cases[] = {
    {"permutation", "(i, j, k) -> (k, i, j)", permute, DIM},
    {"blocks of 8", "(i, j) -> (i floordiv 8, j floordiv 8, i mod 8, j mod 8)", block8, DIM},
    {"blocks of 3", "(i, j) -> (i floordiv 3, j floordiv 3, i mod 3, j mod 3)", block3, DIM},
    {"out of blocks of 3", "(a, b, c, d) -> (a * 3 + c, b * 3 + d)", unblock3, DIM},
    {"linear", "(i, j, k) -> (i * 40000 + j * 200 + k)", linearise, DIM},
    {"out of linear", "(l) -> (l floordiv 40000, (l floordiv 200) mod 200, l mod 200)", delinearise,
     DIM *DIM *DIM},
    {"out of linear, 62 bits", "(l) -> (l floordiv 40000, (l floordiv 200) mod 200, l mod 200)", delinearise,
     INT64_C(1) << 62},
};

static tsr_status run(void *ctx, tsr_error *err)
{
    (void)err;
    subject *s = ctx;
    for (size_t at = 0; at < s->n; at += TSR_MAP_BLOCK) {
        const size_t n = s->n - at < TSR_MAP_BLOCK ? s->n - at : TSR_MAP_BLOCK, from = s->in_cache ? 0 : at;
        const int64_t *in[MAX_COLUMNS];
        int64_t *out[MAX_COLUMNS];
        for (int c = 0; c < s->nin; c++)
            in[c] = s->in[c] + from;
        for (int c = 0; c < s->nout; c++)
            out[c] = (s->plan ? s->out[c] : s->want[c]) + from;
        if (s->plan)
            tsr_map_plan_apply(s->plan, out, in, n, s->scratch);
        else
            s->loop(out, in, n);
    }
    return TSR_OK;
}

/* In each round the plan runs after the loop, so that both results exist. */
static tsr_status check(void *ctx, tsr_error *err)
{
    const subject *s = ctx;
    const size_t n = s->in_cache ? TSR_MAP_BLOCK : s->n;
    for (int c = 0; c < s->nout; c++)
        if (memcmp(s->out[c], s->want[c], n * sizeof(int64_t)) != 0)
            return tsr_fail(err, TSR_CORRUPT, "result %d of the plan differs from the loop's", c);
    return TSR_OK;
}

static int64_t *column(size_t n)
{
    int64_t *c = malloc((n > TSR_MAP_BLOCK ? n : TSR_MAP_BLOCK) * sizeof *c);
    if (!c)
        exit(1);
    memset(c, 0, n * sizeof *c);
    return c;
}

static tsr_status make_plan(tsr_map_plan **plan, subject *s, const char *text, int64_t bound, tsr_error *err)
{
    tsr_map *map, *bound_map;
    uint64_t dims[MAX_COLUMNS];
    TSR_TRY(tsr_map_parse(&map, text, err));
    s->nin = tsr_map_ndims(map);
    s->nout = tsr_map_nresults(map);
    for (int d = 0; d < s->nin; d++)
        dims[d] = (uint64_t)bound;
    tsr_status status = tsr_map_bind(&bound_map, map, dims, err);
    tsr_map_free(map);
    if (status == TSR_OK)
        status = tsr_map_plan_new(plan, bound_map, err);
    tsr_map_free(bound_map);
    return status;
}

static tsr_status bench_case(size_t which, subject *s, int rounds, tsr_error *err)
{
    tsr_map_plan *plan;
    uint64_t z = 1;
    TSR_TRY(make_plan(&plan, s, cases[which].map, cases[which].bound, err));
    s->scratch = malloc(tsr_map_plan_scratch_nbytes(plan) + 1);
    for (int c = 0; c < s->nin; c++)
        for (size_t e = 0; e < s->n; e++) {
            z = z * UINT64_C(6364136223846793005) + 1442695040888963407;
            s->in[c][e] = (int64_t)((z >> 2) % (uint64_t)cases[which].bound);
        }
    tsr_status status = TSR_OK;
    for (int in_cache = 0; status == TSR_OK && in_cache < 2; in_cache++) {
        subject loop = *s, ours = *s;
        loop.loop = cases[which].loop;
        ours.plan = plan;
        loop.in_cache = ours.in_cache = in_cache;
        bench_candidate pair[] = {{.name = "loop", .nthreads = 1, .ctx = &loop, .run = run},
                                  {.name = "plan", .nthreads = 1, .ctx = &ours, .run = run, .check = check}};
        const bench_run_options options = {.reps = rounds};
        status = bench_run(NULL, pair, 2, &options, err);
        if (status != TSR_OK)
            break;
        const double n = (double)s->n, nbytes = n * 8 * (s->nin + s->nout);
        printf("%-24s %-7s plan %6.2f ns %6.2f GB/s   loop %6.2f ns %6.2f GB/s   plan/loop %.2f\n",
               cases[which].name, in_cache ? "cache" : "memory", pair[1].ns.min / n, nbytes / pair[1].ns.min,
               pair[0].ns.min / n, nbytes / pair[0].ns.min, pair[1].ns.min / pair[0].ns.min);
    }
    free(s->scratch);
    tsr_map_plan_free(plan);
    return status;
}

int main(int argc, char **argv)
{
    subject s = {.n = argc > 1 ? strtoull(argv[1], NULL, 10) : 8000000};
    const int rounds = argc > 2 ? atoi(argv[2]) : 9;
    tsr_error err = {0};
    tsr_status status = TSR_OK;
    if (s.n < TSR_MAP_BLOCK || rounds < 1) {
        fprintf(stderr, "bench_map [entries [rounds]]: at least %d entries and 1 round\n", TSR_MAP_BLOCK);
        return 2;
    }
    for (int c = 0; c < MAX_COLUMNS; c++) {
        s.in[c] = column(s.n);
        s.out[c] = column(s.n);
        s.want[c] = column(s.n);
    }
    for (size_t c = 0; status == TSR_OK && c < sizeof cases / sizeof cases[0]; c++)
        status = bench_case(c, &s, rounds, &err);
    for (int c = 0; c < MAX_COLUMNS; c++) {
        free(s.in[c]);
        free(s.out[c]);
        free(s.want[c]);
    }
    if (status != TSR_OK)
        fprintf(stderr, "bench_map: %s\n", err.message);
    return status != TSR_OK;
}
