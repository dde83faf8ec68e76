/* Random chains of operations on small tensors: the composed maps give the same pairs of coordinates as the
 * maps of the single operations one after the other, in both directions. */
#include "tsr_test.h"

#include "hlo_support.h"

enum { NROUNDS = 3000, NSTEPS = 5, MAX_RANK = 3, MAX_SIZE = 64, MAX_VALUES = 1 << 16 };

typedef struct shape {
    int n;
    uint64_t dims[MAX_RANK];
} shape;

/* pairs[o * MAX_SIZE + i]: element o of one tensor reads element i of the other. */
typedef struct pairs {
    unsigned char at[MAX_SIZE * MAX_SIZE];
} pairs;

static uint64_t size_of(const shape *s)
{
    uint64_t n = 1;
    for (int d = 0; d < s->n; d++)
        n *= s->dims[d];
    return n;
}

static void add_shape(tsr_text *text, const shape *s, int name)
{
    tsr_text_addf(text, "x%d = f32[", name);
    for (int d = 0; d < s->n; d++)
        tsr_text_addf(text, d > 0 ? ",%d" : "%d", (int)s->dims[d]);
    tsr_text_add(text, "] ");
}

/* A random other shape with the same number of elements. */
static shape refold(const shape *s, tsr_rng *rng)
{
    static const uint64_t primes[] = {2, 3, 5, 7};
    shape out = {.n = 1 + (int)tsr_rng_below(rng, MAX_RANK), .dims = {1, 1, 1}};
    uint64_t total = size_of(s);
    for (size_t p = 0; p < 4; p++)
        for (; total % primes[p] == 0; total /= primes[p])
            out.dims[tsr_rng_below(rng, (uint64_t)out.n)] *= primes[p];
    out.dims[0] *= total;
    return out;
}

static shape permuted(const shape *s, int *perm, tsr_rng *rng)
{
    shape out = {.n = s->n};
    for (int d = 0; d < s->n; d++) {
        const int j = (int)tsr_rng_below(rng, (uint64_t)d + 1);
        perm[d] = perm[j];
        perm[j] = d;
    }
    for (int d = 0; d < s->n; d++)
        out.dims[d] = s->dims[perm[d]];
    return out;
}

/* Append `x<name> = op(x<from>)`, and return its shape. */
static shape add_step(tsr_text *text, const shape *s, int name, int from, tsr_rng *rng)
{
    shape out = *s;
    int perm[MAX_RANK];
    tsr_text tail = {0};
    switch (tsr_rng_below(rng, 8)) {
    case 0:
        out = permuted(s, perm, rng);
        tsr_text_addf(&tail, "transpose(x%d), dimensions={", from);
        for (int d = 0; d < s->n; d++)
            tsr_text_addf(&tail, d > 0 ? ",%d" : "%d", perm[d]);
        tsr_text_add(&tail, "}");
        break;
    case 1:
        tsr_text_addf(&tail, "reverse(x%d), dimensions={%d}", from, (int)tsr_rng_below(rng, (uint64_t)s->n));
        break;
    case 2:
        tsr_text_addf(&tail, "slice(x%d), slice={", from);
        for (int d = 0; d < s->n; d++) {
            const uint64_t start = tsr_rng_below(rng, (s->dims[d] + 1) / 2);
            const uint64_t stride = 1 + tsr_rng_below(rng, 3);
            out.dims[d] = (s->dims[d] - start + stride - 1) / stride;
            tsr_text_addf(&tail, "%s[%d:%d:%d]", d > 0 ? ", " : "", (int)start, (int)s->dims[d], (int)stride);
        }
        tsr_text_add(&tail, "}");
        break;
    case 3: {
        tsr_text_addf(&tail, "pad(x%d, c), padding=", from);
        for (int d = 0; d < s->n; d++) {
            const int low = (int)tsr_rng_below(rng, 3) - 1, inside = (int)tsr_rng_below(rng, 2);
            const int high = s->dims[d] > 1 ? (int)tsr_rng_below(rng, 3) - 1 : 1;
            out.dims[d] = (uint64_t)((int)s->dims[d] + ((int)s->dims[d] - 1) * inside + low + high);
            tsr_text_addf(&tail, "%s%d_%d_%d", d > 0 ? "x" : "", low, high, inside);
        }
        break;
    }
    case 4:
        if (s->n > 1) {
            const int d = (int)tsr_rng_below(rng, (uint64_t)s->n);
            for (int e = d; e + 1 < s->n; e++)
                out.dims[e] = s->dims[e + 1];
            out.n--;
            tsr_text_addf(&tail, "reduce(x%d, c), dimensions={%d}", from, d);
            break;
        }
        tsr_text_addf(&tail, "negate(x%d)", from);
        break;
    case 5:
        if (s->n < MAX_RANK) {
            out.dims[out.n++] = 1 + tsr_rng_below(rng, 3);
            tsr_text_addf(&tail,
                          s->n == 1 ? "broadcast(x%d), dimensions={0}" : "broadcast(x%d), dimensions={0,1}",
                          from);
            break;
        }
        tsr_text_addf(&tail, "abs(x%d)", from);
        break;
    default:
        out = refold(s, rng);
        tsr_text_addf(&tail, "reshape(x%d)", from);
        break;
    }
    if (size_of(&out) > MAX_SIZE || size_of(&out) == 0) {
        out = *s;
        tsr_text_clear(&tail);
        tsr_text_addf(&tail, "copy(x%d)", from);
    }
    add_shape(text, &out, name);
    tsr_text_addf(text, "%s\n", tsr_text_cstr(&tail));
    tsr_text_clear(&tail);
    return out;
}

static int64_t number(const shape *s, const int64_t *x)
{
    int64_t at = 0;
    for (int d = 0; d < s->n; d++) {
        assert_in_range(x[d], 0, s->dims[d] - 1);
        at = at * (int64_t)s->dims[d] + x[d];
    }
    return at;
}

/* Mark the pairs of the ways; dims are those of `from`. turned: swap the pairs. */
static void mark(pairs *p, const tsr_hlo_indexing *ways, const shape *from, const shape *to, bool turned)
{
    memset(p, 0, sizeof *p);
    for (int w = 0; w < ways->n; w++) {
        const tsr_map *map = ways->index[w].map;
        int64_t x[TSR_MAP_MAX_VARS], y[TSR_MAP_MAX_RESULTS];
        uint64_t volume = 1;
        for (int v = 0; v < tsr_map_nvars(map); v++) {
            const tsr_interval b = tsr_map_var_bounds(map, v);
            volume *= b.lo > b.hi ? 0 : (uint64_t)(b.hi - b.lo + 1);
        }
        assert_in_range(volume, 0, MAX_VALUES);
        for (uint64_t i = 0; i < volume; i++) {
            uint64_t rest = i;
            for (int v = 0; v < tsr_map_nvars(map); v++) {
                const tsr_interval b = tsr_map_var_bounds(map, v);
                x[v] = b.lo + (int64_t)(rest % (uint64_t)(b.hi - b.lo + 1));
                rest /= (uint64_t)(b.hi - b.lo + 1);
            }
            if (!hlo_is_inside(map, x))
                continue;
            assert_ok(tsr_map_eval(y, map, x, err));
            const int64_t a = number(from, x), b = number(to, y);
            p->at[turned ? b * MAX_SIZE + a : a * MAX_SIZE + b] = 1;
        }
    }
}

/* all: o reads i if it reads an m that reads i. */
static void join(pairs *all, const pairs *first, const pairs *second)
{
    for (int o = 0; o < MAX_SIZE; o++)
        for (int m = 0; m < MAX_SIZE; m++)
            for (int i = 0; first->at[o * MAX_SIZE + m] && i < MAX_SIZE; i++)
                all->at[o * MAX_SIZE + i] |= second->at[m * MAX_SIZE + i];
}

/* x0, and each xk made from the one before. */
static void check_chain(uint64_t seed)
{
    tsr_rng rng = {.s = seed};
    tsr_text text = {0};
    shape shapes[NSTEPS + 1] = {{.n = 1 + (int)tsr_rng_below(&rng, MAX_RANK)}};
    static pairs walked, step, next, have;
    tsr_hlo_indexing ways;
    for (int d = 0; d < shapes[0].n; d++)
        shapes[0].dims[d] = 1 + tsr_rng_below(&rng, 4);
    tsr_text_add(&text, "c = f32[] constant(0)\n");
    add_shape(&text, &shapes[0], 0);
    tsr_text_add(&text, "parameter(0)\n");
    for (int k = 1; k <= NSTEPS; k++)
        shapes[k] = add_step(&text, &shapes[k - 1], k, k - 1, &rng);
    tsr_hlo *hlo;
    assert_ok(tsr_hlo_parse(&hlo, tsr_text_cstr(&text), err));
    memset(&walked, 0, sizeof walked);
    for (uint64_t o = 0; o < size_of(&shapes[NSTEPS]); o++)
        walked.at[o * MAX_SIZE + o] = 1;
    for (int k = NSTEPS; k > 0; k--) { /* instruction 0 is c, 1 is x0 */
        assert_ok(tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){k + 1, 0, 0}, false, err));
        mark(&step, &ways, &shapes[k], &shapes[k - 1], false);
        tsr_hlo_indexing_clear(&ways);
        memset(&next, 0, sizeof next);
        join(&next, &walked, &step);
        walked = next;
    }
    assert_ok(tsr_hlo_reads(&ways, hlo, NSTEPS + 1, 0, 1, err));
    mark(&have, &ways, &shapes[NSTEPS], &shapes[0], false);
    if (memcmp(&have, &walked, sizeof have) != 0) {
        hlo_report(hlo, &ways, tsr_text_cstr(&text), "what the operations say one after the other");
        fail();
    }
    tsr_hlo_indexing_clear(&ways);
    assert_ok(tsr_hlo_writes(&ways, hlo, 1, NSTEPS + 1, 0, err));
    mark(&have, &ways, &shapes[0], &shapes[NSTEPS], true);
    if (memcmp(&have, &walked, sizeof have) != 0) {
        hlo_report(hlo, &ways, tsr_text_cstr(&text), "the same from the other side");
        fail();
    }
    tsr_hlo_indexing_clear(&ways);
    tsr_hlo_free(hlo);
    tsr_text_clear(&text);
}

static void test_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < NROUNDS; seed++)
        check_chain(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
