/* Loops into vectors: the texts of the resulting programs. */
#include "tsr_test.h"

#include <math.h>

#include "ir_programs.h"
#include "ir_random.h"
#include "tsr_alloc.h"

#define I(c) tsr_ir_index(b, c)
#define V(c) tsr_ir_value(b, tsr_ir_value_type(TSR_F64), c)

/* Parameters of all programs below: n, x: const f64, z: const f32, c: const c128, k: u32 index, y: f64, w:
 * f32 */
typedef struct given {
    tsr_ir_builder *b;
    const tsr_ir_expr *n;
    const tsr_ir_array *x, *z, *c, *k, *y, *w;
} given;

static const tsr_ir_expr *at(const given *g, const tsr_ir_array *array, const tsr_ir_expr *i)
{
    return tsr_ir_load_value(g->b, array, i, tsr_ir_value_type(TSR_F64));
}

/* y[p] = sum over q in 0..p-1, r in 0..rank-1 of x[q*rank+r] * x[r] */
static void nested_sum(const given *g, const tsr_ir_expr *rank)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *p = tsr_ir_for(b, "p", I(0), g->n, 0);
    const tsr_ir_expr *sum = tsr_ir_declare(b, "sum", V(0), true);
    const tsr_ir_expr *q = tsr_ir_for(b, "q", I(0), p, 0);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), rank, TSR_IR_VECTOR);
    const tsr_ir_expr *i = tsr_ir_declare(b, "i", tsr_ir_add(b, tsr_ir_mul(b, q, rank), r), false);
    tsr_ir_assign(b, sum, tsr_ir_mul(b, at(g, g->x, i), at(g, g->x, r)), true);
    tsr_ir_end(b);
    tsr_ir_end(b);
    tsr_ir_store(b, g->y, p, sum, false, false);
    tsr_ir_end(b);
}
static void sum_10(const given *g)
{
    nested_sum(g, tsr_ir_index(g->b, 10));
}
static void sum_n(const given *g)
{
    nested_sum(g, g->n);
}
static void sum_400(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *sum = tsr_ir_declare(b, "sum", V(0), true);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(3), I(403), TSR_IR_VECTOR);
    tsr_ir_assign(b, sum, at(g, g->x, r), true);
    tsr_ir_end(b);
    tsr_ir_store(b, g->y, I(0), sum, false, false);
}
/* The sum is read in the loop over q, so it is complete at the end of each round. */
static void running_sum(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *sum = tsr_ir_declare(b, "sum", V(0), true);
    const tsr_ir_expr *q = tsr_ir_for(b, "q", I(0), g->n, 0);
    tsr_ir_if(b, tsr_ir_op2(b, TSR_IR_LT, I(2), q));
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(8), TSR_IR_VECTOR);
    tsr_ir_assign(b, sum, at(g, g->x, r), true);
    tsr_ir_end(b);
    tsr_ir_end(b);
    tsr_ir_store(b, g->y, q, sum, false, false);
    tsr_ir_end(b);
}
static void axpy(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *r = tsr_ir_for(b, "r", tsr_ir_load_index(b, g->k, I(0)), g->n, TSR_IR_VECTOR);
    tsr_ir_comment(b, "y += 2 x");
    const tsr_ir_expr *two = tsr_ir_declare(b, "two", V(2), false);
    const tsr_ir_expr *more = tsr_ir_declare(b, "more", tsr_ir_mul(b, two, at(g, g->x, r)), false);
    tsr_ir_store(b, g->y, r, more, true, false);
    tsr_ir_end(b);
}
static void mixed(const given *g) /* f32 data, f64 compute */
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(5), TSR_IR_VECTOR);
    tsr_ir_store(b, g->w, tsr_ir_add(b, g->n, r), tsr_ir_mul(b, at(g, g->z, r), at(g, g->x, I(0))), true,
                 false);
    tsr_ir_end(b);
}
static void single(const given *g) /* all f32 */
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(29), TSR_IR_VECTOR);
    const tsr_ir_expr *z = tsr_ir_load_value(b, g->z, r, tsr_ir_value_type(TSR_F32));
    tsr_ir_store(b, g->w, r, tsr_ir_mul(b, z, z), false, false);
    tsr_ir_end(b);
}
static void masked(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *sum = tsr_ir_declare(b, "sum", V(0), true);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(4), TSR_IR_VECTOR);
    const tsr_ir_expr *v = tsr_ir_declare(b, "v", at(g, g->x, r), false);
    const tsr_ir_expr *product = tsr_ir_mul(b, v, at(g, g->x, tsr_ir_add(b, r, I(4))));
    tsr_ir_assign(b, sum, tsr_ir_select(b, tsr_ir_op2(b, TSR_IR_NE, v, V(0)), product, V(0)), true);
    tsr_ir_end(b);
    tsr_ir_store(b, g->y, I(0), sum, false, false);
}
/* A row in registers that is added atomically, element by element. */
static void atomic_row(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *p = tsr_ir_for(b, "p", I(0), g->n, TSR_IR_PARALLEL);
    const tsr_ir_array *row = tsr_ir_array_new(b, "row", TSR_F64, TSR_IR_LOCAL, I(6), true);
    tsr_ir_for(b, "q", I(0), p, 0);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(6), TSR_IR_VECTOR);
    tsr_ir_store(b, row, r, at(g, g->x, r), true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    r = tsr_ir_for(b, "r", I(0), I(6), TSR_IR_VECTOR);
    tsr_ir_store(b, g->y, r, at(g, row, r), true, true);
    tsr_ir_end(b);
    tsr_ir_end(b);
}
/* A row that must stay an array, since one loop stores backwards. */
static void blocked_row(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *row = tsr_ir_array_new(b, "row", TSR_F64, TSR_IR_LOCAL, I(4), true);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(4), TSR_IR_VECTOR);
    tsr_ir_store(b, row, r, at(g, g->x, r), true, false);
    tsr_ir_end(b);
    r = tsr_ir_for(b, "r", I(0), I(4), TSR_IR_VECTOR);
    tsr_ir_store(b, row, tsr_ir_sub(b, I(3), r), at(g, g->x, r), true, false);
    tsr_ir_end(b);
    r = tsr_ir_for(b, "r", I(0), I(4), TSR_IR_VECTOR);
    tsr_ir_store(b, g->y, r, at(g, row, r), false, false);
    tsr_ir_end(b);
}
static void complex_row(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_type c128 = tsr_ir_value_type(TSR_C128);
    const tsr_ir_array *row = tsr_ir_array_new(b, "row", TSR_C128, TSR_IR_LOCAL, I(4), true);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(4), TSR_IR_VECTOR);
    tsr_ir_store(b, row, r, tsr_ir_load_value(b, g->c, r, c128), true, false);
    tsr_ir_end(b);
}
static void gather(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(8), TSR_IR_VECTOR);
    tsr_ir_store(b, g->y, r, at(g, g->x, tsr_ir_load_index(b, g->k, r)), false, false);
    tsr_ir_end(b);
}

/* Lanes by a list of indices: padding is at least n, and is left out after a product with the last element. */
static void lanes_by_list(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *sum = tsr_ir_array_new(b, "sum", TSR_F64, TSR_IR_LOCAL, I(10), true);
    const tsr_ir_expr *s = tsr_ir_for(b, "s", I(0), g->n, 0);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(10), TSR_IR_VECTOR);
    const tsr_ir_expr *place = tsr_ir_add(b, tsr_ir_mul(b, s, I(10)), r);
    const tsr_ir_expr *j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, g->k, place), false);
    const tsr_ir_expr *last = tsr_ir_op2(b, TSR_IR_MIN, j, tsr_ir_sub(b, g->n, I(1)));
    const tsr_ir_expr *product = tsr_ir_mul(b, at(g, g->x, place), at(g, g->x, last));
    tsr_ir_store(b, sum, r, tsr_ir_select(b, tsr_ir_op2(b, TSR_IR_LT, j, g->n), product, V(0)), true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    r = tsr_ir_for(b, "r", I(0), I(10), TSR_IR_VECTOR);
    tsr_ir_store(b, g->y, r, at(g, sum, r), false, false);
    tsr_ir_end(b);
}

static void zeros(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), g->n, TSR_IR_VECTOR);
    tsr_ir_store(b, g->y, r, V(0), false, false);
    tsr_ir_end(b);
    const tsr_ir_array *row = tsr_ir_array_new(b, "row2", TSR_F64, TSR_IR_LOCAL, I(10), false);
    r = tsr_ir_for(b, "r", I(0), I(10), TSR_IR_VECTOR);
    tsr_ir_store(b, row, r, V(0), false, false);
    tsr_ir_end(b);
}

typedef struct example {
    void (*build)(const given *g);
    int nbytes;
    const char *want;
} example;

static tsr_ir *build(const example *e)
{
    given g = {.b = tsr_ir_builder_new("f")};
    g.n = tsr_ir_index_param(g.b, "n");
    g.x = tsr_ir_array_param(g.b, "x", false, TSR_F64, true, NULL);
    g.z = tsr_ir_array_param(g.b, "z", false, TSR_F32, true, NULL);
    g.c = tsr_ir_array_param(g.b, "c", false, TSR_C128, true, NULL);
    g.k = tsr_ir_array_param(g.b, "k", true, TSR_U32, true, NULL);
    g.y = tsr_ir_array_param(g.b, "y", false, TSR_F64, false, g.n);
    g.w = tsr_ir_array_param(g.b, "w", false, TSR_F32, false, NULL);
    e->build(&g);
    return program_finish(g.b, "A comment.");
}

static const example rows[] = {
    {sum_10, 64,
     "  for p in [0, n)\n"
     "    var sum: f64 = 0.0\n"
     "    var sum_lanes: f64x8 = f64x8(0.0)\n"
     "    var sum_lanes2: f64x2 = f64x2(0.0)\n"
     "    for q in [0, p)\n"
     "      sum_lanes += x[q * 10 : 8] * x[0 : 8]\n"
     "      sum_lanes2 += x[q * 10 + 8 : 2] * x[8 : 2]\n"
     "    sum += hsum(sum_lanes)\n"
     "    sum += hsum(sum_lanes2)\n"
     "    y[p] = sum\n"},
    {sum_10, 0,
     "  for p in [0, n)\n"
     "    var sum: f64 = 0.0\n"
     "    for q in [0, p)\n"
     "      for r in [0, 10) vector\n"
     "        let i: index = q * 10 + r\n"
     "        sum += x[i] * x[r]\n"
     "    y[p] = sum\n"},
    {sum_n, 64,
     "  for p in [0, n)\n"
     "    var sum: f64 = 0.0\n"
     "    var sum_lanes: f64x8 = f64x8(0.0)\n"
     "    var sum_lanes2: f64x8 = f64x8(0.0)\n"
     "    var sum_lanes3: f64x8 = f64x8(0.0)\n"
     "    var sum_lanes4: f64x8 = f64x8(0.0)\n"
     "    for q in [0, p)\n"
     "      for r_round in [0, n floordiv 32)\n"
     "        let r: index = r_round * 32\n"
     "        sum_lanes += x[q * n + r : 8] * x[r : 8]\n"
     "        sum_lanes2 += x[q * n + r + 8 : 8] * x[r + 8 : 8]\n"
     "        sum_lanes3 += x[q * n + r + 16 : 8] * x[r + 16 : 8]\n"
     "        sum_lanes4 += x[q * n + r + 24 : 8] * x[r + 24 : 8]\n"
     "      let r_next: index = n floordiv 32 * 32\n"
     "      for r_round in [0, n mod 32 floordiv 8)\n"
     "        let r: index = r_next + r_round * 8\n"
     "        sum_lanes += x[q * n + r : 8] * x[r : 8]\n"
     "      for r in [n floordiv 8 * 8, n)\n"
     "        sum += x[q * n + r] * x[r]\n"
     "    sum += hsum(sum_lanes + sum_lanes2 + (sum_lanes3 + sum_lanes4))\n"
     "    y[p] = sum\n"},
    {sum_400, 32,
     "  var sum: f64 = 0.0\n"
     "  var sum_lanes: f64x4 = f64x4(0.0)\n"
     "  var sum_lanes2: f64x4 = f64x4(0.0)\n"
     "  var sum_lanes3: f64x4 = f64x4(0.0)\n"
     "  var sum_lanes4: f64x4 = f64x4(0.0)\n"
     "  for r_round in [0, 25)\n"
     "    let r: index = r_round * 16 + 3\n"
     "    sum_lanes += x[r : 4]\n"
     "    sum_lanes2 += x[r + 4 : 4]\n"
     "    sum_lanes3 += x[r + 8 : 4]\n"
     "    sum_lanes4 += x[r + 12 : 4]\n"
     "  sum += hsum(sum_lanes + sum_lanes2 + (sum_lanes3 + sum_lanes4))\n"
     "  y[0] = sum\n"},
    {running_sum, 32,
     "  var sum: f64 = 0.0\n"
     "  for q in [0, n)\n"
     "    var sum_lanes: f64x4 = f64x4(0.0)\n"
     "    var sum_lanes2: f64x4 = f64x4(0.0)\n"
     "    if 2 < q\n"
     "      sum_lanes += x[0 : 4]\n"
     "      sum_lanes2 += x[4 : 4]\n"
     "    sum += hsum(sum_lanes + sum_lanes2)\n"
     "    y[q] = sum\n"},
    {axpy, 64,
     "  let r_begin: index = k[0]\n"
     "  let r_count: index = max(n - r_begin, 0)\n"
     "  for r_round in [0, r_count floordiv 8)\n"
     "    let r: index = r_begin + r_round * 8\n"
     "    # y += 2 x\n"
     "    let two: f64 = 2.0\n"
     "    let more: f64x8 = f64x8(two) * x[r : 8]\n"
     "    y[r : 8] += more\n"
     "  for r in [r_begin + r_count floordiv 8 * 8, n)\n"
     "    # y += 2 x\n"
     "    let two: f64 = 2.0\n"
     "    let more: f64 = two * x[r]\n"
     "    y[r] += more\n"},
    {mixed, 64,
     "  w[n : 4] += f32x4(f64x4(z[0 : 4]) * f64x4(x[0]))\n"
     "  w[n + 4] += f32(f64(z[4]) * x[0])\n"},
    {single, 64,
     "  w[0 : 16] = z[0 : 16] * z[0 : 16]\n"
     "  w[16 : 8] = z[16 : 8] * z[16 : 8]\n"
     "  w[24 : 4] = z[24 : 4] * z[24 : 4]\n"
     "  w[28] = z[28] * z[28]\n"},
    {masked, 64,
     "  var sum: f64 = 0.0\n"
     "  var sum_lanes: f64x4 = f64x4(0.0)\n"
     "  let v: f64x4 = x[0 : 4]\n"
     "  sum_lanes += select(v != f64x4(0.0), v * x[4 : 4], f64x4(0.0))\n"
     "  sum += hsum(sum_lanes)\n"
     "  y[0] = sum\n"},
    {atomic_row, 64,
     "  for p in [0, n) parallel\n"
     "    local row: f64[6]\n"
     "    var row0: f64x4 = f64x4(0.0)\n"
     "    var row1: f64x2 = f64x2(0.0)\n"
     "    for q in [0, p)\n"
     "      row0 += x[0 : 4]\n"
     "      row1 += x[4 : 2]\n"
     "    row[0 : 4] = row0\n"
     "    row[4 : 2] = row1\n"
     "    for r in [0, 6)\n"
     "      y[r] += atomic row[r]\n"},
    {blocked_row, 64,
     "  local row: f64[4] = 0\n"
     "  row[0 : 4] += x[0 : 4]\n"
     "  for r in [0, 4)\n"
     "    row[3 - r] += x[r]\n"
     "  y[0 : 4] = row[0 : 4]\n"},
    {complex_row, 64,
     "  local row: c128[4] = 0\n"
     "  for r in [0, 4)\n"
     "    row[r] += c[r]\n"},
    {gather, 64,
     "  for r in [0, 8)\n"
     "    y[r] = x[k[r]]\n"},
    {lanes_by_list, 64,
     "  var sum0: f64x8 = f64x8(0.0)\n"
     "  var sum1: f64x2 = f64x2(0.0)\n"
     "  for s in [0, n)\n"
     "    sum0 += select(below(k, s * 10, n), x[s * 10 : 8] * pick(x, k, s * 10, n - 1), f64x8(0.0))\n"
     "    sum1 += select(below(k, s * 10 + 8, n), x[s * 10 + 8 : 2] * pick(x, k, s * 10 + 8, n - 1), "
     "f64x2(0.0))\n"
     "  y[0 : 8] = sum0\n"
     "  y[8 : 2] = sum1\n"},
    {zeros, 64,
     "  for r in [0, n)\n"
     "    y[r] = 0.0\n"
     "  var row2_0: f64x8 = f64x8(0.0)\n"
     "  var row2_1: f64x2 = f64x2(0.0)\n"
     "  row2_0 = f64x8(0.0)\n"
     "  row2_1 = f64x2(0.0)\n"},
};

static void test_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_ir *ir = build(&rows[i]), *v;
        assert_ok(tsr_ir_vectorize(&v, ir, rows[i].nbytes, err));
        char *text = program_text(v);
        const char *body = strstr(text, "])\n") + 3;
        assert_string_equal(body, rows[i].want);
        free(text);
        tsr_ir_free(ir);
        tsr_ir_free(v);
    }
}

/* Check that the results a and b of n values each agree: exactly, except for floats so large that sums are
 * rounded. */
static void compare(const double *a, const double *b, size_t n, tsr_type type, uint64_t seed)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i]));
    const double bound = type == TSR_F32 ? 1e-4 * largest : tsr_type_class(type) == 'R' ? 1e-12 * largest : 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= bound))
            fail_msg("seed %llu, element %zu: %g and %g", (unsigned long long)seed, i, a[i], b[i]);
}

static void assert_same_text(const tsr_ir *a, const tsr_ir *b)
{
    char *x = program_text(a), *y = program_text(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static int count_text(const tsr_ir *ir, const char *word)
{
    char *text = program_text(ir);
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p++)
        n++;
    free(text);
    return n;
}

static void test_random_programs_compute_the_same(void **state)
{
    (void)state;
    static double want[2 * RANDOM_LENGTH], got[2 * RANDOM_LENGTH];
    const int nprograms = getenv("TSR_LONG") ? 100000 : 400;
    int nvectors = 0, nrows = 0, nkept = 0;
    for (int i = 0; i < nprograms; i++) {
        tsr_rng rng = {(uint64_t)i};
        random_program p;
        random_program_new(&p, &rng);
        random_program_run(&p, p.ir, want);
        for (int nbytes = 0; nbytes <= 64; nbytes = nbytes ? nbytes * 2 : 16) {
            tsr_ir *v;
            assert_ok(tsr_ir_vectorize(&v, p.ir, nbytes, err));
            random_program_run(&p, v, got);
            compare(want, got, 2 * RANDOM_LENGTH, p.elem[3] == TSR_F32 ? TSR_F32 : p.type, (uint64_t)i);
            if (nbytes == 0)
                assert_same_text(v, p.ir);
            if (nbytes == 64) {
                tsr_ir *again;
                assert_ok(tsr_ir_vectorize(&again, v, nbytes, err));
                assert_same_text(again, v);
                tsr_ir_free(again);
                nvectors += count_text(v, "x8(");
                nrows += p.type == TSR_C128 ? 0 : count_text(p.ir, "local ");
                nkept += count_text(v, "] = 0\n");
            }
            tsr_ir_free(v);
        }
        random_program_free(&p);
    }
    assert_true(nvectors > 100); /* enough programs have vectors */
    assert_true(nkept < nrows * 3 / 4 && nkept > nrows / 10);
}

static void test_no_memory_at_any_point(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_ir *ir = build(&rows[i]);
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_ir *v = NULL;
            tsr_faults_arm(&faults);
            const tsr_status status = tsr_ir_vectorize(&v, ir, rows[i].nbytes, NULL);
            tsr_faults_end(&faults, status);
            assert_true((status == TSR_OK) == (v != NULL));
            tsr_ir_free(v);
        }
        tsr_ir_free(ir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_random_programs_compute_the_same),
        cmocka_unit_test(test_no_memory_at_any_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
