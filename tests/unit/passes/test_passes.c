/* Passes: the text of a program before and after each of them against golden files (TSR_UPDATE=1 writes them anew), and random
 * programs, which give the same bits before and after. */
#include <stdio.h>
#include <string.h>

#include "random_program.h"
#include "tsr_alloc.h"
#include "tsr_passes.h"
#include "tsr_test.h"

#define I(c) tsr_ir_index(b, c)
#define OP(op, x, y) tsr_ir_op2(b, TSR_IR_##op, x, y)

static const char *const names[] = {
#define X(NAME, name) #name,
#include "passes.def"
#undef X
};

static const tsr_ir_type f64 = {TSR_IR_IS_VALUE, TSR_F64, 1};

/* y[k] = x[k] where x[k] is not 0, with a flag that is always set, a sum of one number, variables that nothing reads, and what must
 * stay: a flag that a loop sets, and a sum that begins with 0. */
static void flags(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const x = tsr_ir_array_param(b, "x", false, TSR_F64, true, n);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, n);
    const tsr_ir_expr *const unused = tsr_ir_declare(b, "unused", tsr_ir_add(b, n, I(1)), false);
    tsr_ir_declare(b, "unused_too", unused, false);
    const tsr_ir_expr *const seen = tsr_ir_declare(b, "seen", tsr_ir_bool(b, false), true);
    const tsr_ir_expr *const total = tsr_ir_declare(b, "total", tsr_ir_value(b, f64, 0), true);
    const tsr_ir_expr *const k = tsr_ir_for(b, "k", I(0), n, 0);
    const tsr_ir_expr *const sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, f64, -0.0), true);
    const tsr_ir_expr *const any = tsr_ir_declare(b, "any", tsr_ir_bool(b, false), true);
    tsr_ir_assign(b, sum, tsr_ir_load_value(b, x, k, f64), true);
    tsr_ir_assign(b, any, tsr_ir_bool(b, true), false);
    tsr_ir_if(b, any);
    tsr_ir_store(b, y, k, sum, false, false);
    tsr_ir_end(b);
    tsr_ir_if(b, OP(NOT, any, NULL));
    tsr_ir_store(b, y, k, tsr_ir_value(b, f64, 7), false, false);
    tsr_ir_end(b);
    tsr_ir_assign(b, seen, tsr_ir_bool(b, true), false);
    tsr_ir_end(b);
    tsr_ir_if(b, seen);
    tsr_ir_assign(b, total, tsr_ir_load_value(b, y, I(0), f64), true);
    tsr_ir_store(b, y, I(0), total, false, false);
    tsr_ir_end(b);
}

/* The even numbers below n, in one piece whose room is known, and in one that grows. */
static void pieces(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *output[2], *part[2];
    const tsr_ir_expr *const most = tsr_ir_add(b, n, I(1));
    for (int i = 0; i < 2; i++) {
        output[i] = tsr_ir_output_param(b, i ? "grown" : "known", true, TSR_U32);
        tsr_ir_parts(b, output[i], &(tsr_ir_extent){I(1), I(1), i ? I(0) : most});
    }
    for (int i = 0; i < 2; i++)
        part[i] = tsr_ir_part_new(b, output[i], I(0));
    tsr_ir_reserve(b, part[0], tsr_ir_declare(b, "most", most, false));
    const tsr_ir_expr *const at = tsr_ir_declare(b, "at", I(0), true);
    const tsr_ir_expr *const k = tsr_ir_for(b, "k", I(0), n, 0);
    tsr_ir_if(b, OP(EQ, OP(MOD, k, I(2)), I(0)));
    tsr_ir_reserve(b, part[1], tsr_ir_add(b, at, I(1)));
    for (int i = 0; i < 2; i++)
        tsr_ir_store(b, part[i], at, k, false, false);
    tsr_ir_assign(b, at, I(1), true);
    tsr_ir_end(b);
    tsr_ir_end(b);
    for (int i = 0; i < 2; i++)
        tsr_ir_give(b, part[i], I(0), at, I(0));
    for (int i = 0; i < 2; i++)
        tsr_ir_join(b, output[i]);
}

/* The even numbers below n and those that three divides, in pieces whose room is known when they begin; then a part that grows again after
 * its first piece. */
static void room(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const output = tsr_ir_output_param(b, "numbers", true, TSR_U32);
    tsr_ir_parts(b, output, &(tsr_ir_extent){I(1), I(3), n});
    const tsr_ir_array *const part = tsr_ir_part_new(b, output, I(0));
    for (int piece = 0; piece < 3; piece++) {
        const tsr_ir_expr *const at = tsr_ir_declare(b, "at", I(0), true);
        if (piece < 2)
            tsr_ir_reserve_all(b, part, n);
        const tsr_ir_expr *const k = tsr_ir_for(b, "k", I(0), n, 0);
        tsr_ir_if(b, OP(EQ, OP(MOD, k, I(piece + 2)), I(0)));
        tsr_ir_reserve(b, part, tsr_ir_add(b, at, I(1)));
        tsr_ir_store(b, part, at, k, false, false);
        tsr_ir_assign(b, at, I(1), true);
        tsr_ir_end(b);
        tsr_ir_end(b);
        tsr_ir_give(b, part, I(0), at, I(piece));
    }
    tsr_ir_join(b, output);
}

/* y[q] = the sums of rows of C that the lists of q say, of 24 elements: a row of three lines, of which two are asked for. Then the rows of a
 * sparse matrix, which two loops of one step read and the first one fetches. Then a run, whose loop moves the position: the row of y is fetched
 * before it, the elements of C in it. Then a list that is read in order, eight elements at a
 * time, and an array that is read in order. */
static void prefetches(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const pos = tsr_ir_array_param(b, "pos", true, TSR_U32, true, tsr_ir_add(b, n, I(1)));
    const tsr_ir_array *const crd = tsr_ir_array_param(b, "crd", true, TSR_U32, true, NULL);
    const tsr_ir_array *const row = tsr_ir_array_param(b, "row", true, TSR_U32, true, NULL);
    const tsr_ir_array *const x = tsr_ir_array_param(b, "x", false, TSR_F64, true, NULL);
    const tsr_ir_array *const C = tsr_ir_array_param(b, "C", false, TSR_F64, true, NULL);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, n);
    const tsr_ir_expr *const last = tsr_ir_sub(b, n, I(1));
    tsr_ir_ask(b, &(tsr_ir_fetch){.array = C, .list = crd, .last = last, .ahead = 64, .nlines = 2});
    tsr_ir_ask(
        b, &(tsr_ir_fetch){.array = row, .beside = x, .list = crd, .last = last, .ahead = 8, .nlines = 1});
    tsr_ir_ask(
        b, &(tsr_ir_fetch){.array = y, .list = row, .last = last, .ahead = 64, .nlines = 1, .write = true});
    tsr_ir_ask(b, &(tsr_ir_fetch){.array = crd, .ahead = 128});
    tsr_ir_ask(b, &(tsr_ir_fetch){.array = x, .ahead = 2048, .each = true});
    const tsr_ir_expr *const q = tsr_ir_for(b, "q", I(0), n, 0);
    const tsr_ir_expr *const p = tsr_ir_for(b, "p", tsr_ir_load_index(b, pos, q),
                                            tsr_ir_load_index(b, pos, tsr_ir_add(b, q, I(1))), 0);
    const tsr_ir_expr *const j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, crd, p), false);
    const tsr_ir_expr *const r = tsr_ir_for(b, "r", I(0), I(24), TSR_IR_VECTOR);
    tsr_ir_store(b, y, q, tsr_ir_load_value(b, C, tsr_ir_add(b, tsr_ir_mul(b, j, I(24)), r), f64), true,
                 false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    for (int twice = 0; twice < 2; twice++) {
        const tsr_ir_expr *const s = tsr_ir_for(b, "s", tsr_ir_load_index(b, pos, q),
                                                tsr_ir_load_index(b, pos, tsr_ir_add(b, q, I(1))), 0);
        const tsr_ir_expr *const k = tsr_ir_declare(b, "k", tsr_ir_load_index(b, crd, s), false);
        const tsr_ir_expr *const t = tsr_ir_for(b, "t", tsr_ir_load_index(b, pos, k),
                                                tsr_ir_load_index(b, pos, tsr_ir_add(b, k, I(1))), 0);
        const tsr_ir_expr *const i = tsr_ir_declare(b, "i", tsr_ir_load_index(b, row, t), false);
        tsr_ir_store(b, y, i, tsr_ir_load_value(b, x, t, f64), true, false);
        tsr_ir_end(b);
        tsr_ir_end(b);
    }
    const tsr_ir_expr *const v = tsr_ir_declare(b, "v", q, true);
    const tsr_ir_expr *const m = tsr_ir_declare(b, "m", tsr_ir_load_index(b, row, v), false);
    const tsr_ir_expr *const total = tsr_ir_declare(b, "total", tsr_ir_value(b, f64, 0), true);
    tsr_ir_while(b, OP(LT, v, n));
    const tsr_ir_expr *const h = tsr_ir_declare(b, "h", tsr_ir_load_index(b, crd, v), false);
    tsr_ir_assign(b, total, tsr_ir_load_value(b, C, h, f64), true);
    tsr_ir_assign(b, v, I(1), true);
    tsr_ir_end(b);
    tsr_ir_store(b, y, m, total, true, false);
    const tsr_ir_expr *const first = tsr_ir_declare(b, "first", tsr_ir_mul(b, q, I(8)), false);
    const tsr_ir_expr *const u = tsr_ir_for(b, "u", first, tsr_ir_add(b, first, I(8)), 0);
    tsr_ir_store(b, y, tsr_ir_load_index(b, crd, u), tsr_ir_value(b, f64, 1), true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

/* y[row[p]] += x[p] for the entries of a list, eight at a time; the other list has a loop inside, and is not asked for. */
static void groups(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const pos = tsr_ir_array_param(b, "pos", true, TSR_U32, true, NULL);
    const tsr_ir_array *const row = tsr_ir_array_param(b, "row", true, TSR_U32, true, NULL);
    const tsr_ir_array *const x = tsr_ir_array_param(b, "x", false, TSR_F64, true, NULL);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, NULL);
    for (int k = 0; k < 2; k++) {
        const tsr_ir_expr *const q = tsr_ir_for(b, "q", I(0), n, 0);
        const tsr_ir_expr *const p = tsr_ir_for(b, "p", tsr_ir_load_index(b, pos, q),
                                                tsr_ir_load_index(b, pos, tsr_ir_add(b, q, I(1))), 0);
        if (k == 0)
            tsr_ir_ask_loop(b, TSR_IR_GROUPS, 8, NULL);
        const tsr_ir_expr *const i = tsr_ir_declare(b, "i", tsr_ir_load_index(b, row, p), false);
        const tsr_ir_expr *const sum = tsr_ir_declare(b, "sum", tsr_ir_load_value(b, y, i, f64), true);
        tsr_ir_if(b, OP(LT, i, n));
        tsr_ir_assign(b, sum, tsr_ir_load_value(b, x, p, f64), true);
        tsr_ir_end(b);
        tsr_ir_store(b, y, i, sum, false, false);
        tsr_ir_end(b);
        tsr_ir_end(b);
    }
}

/* y[q] = the sum of A[p] * x[crd[p]] over a list, in lanes; then loops that ask for lanes and do something else: one has no sum, one
 * reads its sum. */
static void lanes(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const pos = tsr_ir_array_param(b, "pos", true, TSR_U32, true, NULL);
    const tsr_ir_array *const crd = tsr_ir_array_param(b, "crd", true, TSR_U32, true, NULL);
    const tsr_ir_array *const A = tsr_ir_array_param(b, "A", false, TSR_F64, true, NULL);
    const tsr_ir_array *const x = tsr_ir_array_param(b, "x", false, TSR_F64, true, n);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, n);
    const tsr_ir_expr *const q = tsr_ir_for(b, "q", I(0), n, 0);
    const tsr_ir_expr *const sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, f64, 0), true);
    for (int k = 0; k < 3; k++) {
        const tsr_ir_expr *const p = tsr_ir_for(b, "p", tsr_ir_load_index(b, pos, q),
                                                tsr_ir_load_index(b, pos, tsr_ir_add(b, q, I(1))), 0);
        tsr_ir_ask_loop(b, TSR_IR_LANES, 4, tsr_ir_sub(b, n, I(1)));
        const tsr_ir_expr *const j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, crd, p), false);
        const tsr_ir_expr *const v = tsr_ir_declare(b, "v", tsr_ir_load_value(b, x, j, f64), false);
        const tsr_ir_expr *const product = tsr_ir_mul(b, tsr_ir_load_value(b, A, p, f64), v);
        if (k == 1)
            tsr_ir_store(b, y, j, product, true, false);
        else
            tsr_ir_assign(b, sum, k == 2 ? tsr_ir_mul(b, sum, product) : product, true);
        tsr_ir_end(b);
    }
    tsr_ir_store(b, y, q, sum, true, false);
    tsr_ir_end(b);
}

/* The row i = crd[p] of y += the row of C that another list says, for each entry. Then loops whose runs are not added up together: one stores
 * the row of each entry; one adds to a sum that does not begin as 0; one reads a constant, declared beside the sum, after it; one declares the
 * coordinate too late; one stores the sum of the last entry; one counts entries. Once each of the last five was changed, or became a wrong program. */
enum { PLAIN, STORES, BEGINS, SHARES, LATE, LAST, COUNTS, NRUNS };

static void runs(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const crd = tsr_ir_array_param(b, "crd", true, TSR_U32, true, n);
    const tsr_ir_array *const other = tsr_ir_array_param(b, "other", true, TSR_U32, true, n);
    const tsr_ir_array *const C = tsr_ir_array_param(b, "C", false, TSR_F64, true, NULL);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, NULL);
    for (int k = 0; k < NRUNS; k++) {
        const tsr_ir_expr *const p = tsr_ir_for(b, "p", I(0), n, 0), *i = NULL;
        tsr_ir_ask_loop(b, TSR_IR_RUNS, 0, NULL);
        if (k != LATE)
            i = tsr_ir_declare(b, "i", tsr_ir_load_index(b, crd, p), false);
        const tsr_ir_array *const acc = tsr_ir_array_new(b, "acc", TSR_F64, TSR_IR_LOCAL, I(4), true);
        const tsr_ir_expr *const sum =
            k == BEGINS ? tsr_ir_declare(b, "sum", tsr_ir_value(b, f64, 1), true) : NULL;
        const tsr_ir_expr *const j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, other, p), false);
        if (k == LATE)
            i = tsr_ir_declare(b, "i", tsr_ir_load_index(b, crd, p), false);
        const tsr_ir_expr *const at =
            k == SHARES ? tsr_ir_declare(b, "at", tsr_ir_mul(b, i, I(4)), false) : tsr_ir_mul(b, i, I(4));
        const tsr_ir_expr *const r = tsr_ir_for(b, "r", I(0), I(4), 0);
        const tsr_ir_expr *const x = tsr_ir_load_value(b, C, tsr_ir_add(b, tsr_ir_mul(b, j, I(4)), r), f64);
        tsr_ir_store(b, acc, r, x, k != STORES, false);
        if (sum)
            tsr_ir_assign(b, sum, x, true);
        tsr_ir_end(b);
        const tsr_ir_expr *const s = tsr_ir_for(b, "s", I(0), I(4), 0);
        const tsr_ir_expr *const a = sum ? sum : tsr_ir_load_value(b, acc, s, f64);
        tsr_ir_store(b, y, tsr_ir_add(b, at, s), k == COUNTS ? tsr_ir_add(b, a, tsr_ir_value(b, f64, 1)) : a,
                     k != LAST, false);
        tsr_ir_end(b);
        tsr_ir_end(b);
    }
}

/* A value of an outer position in a sum over a list, where it is named there, and in a loop inside a loop; and what must stay: a load under a
 * condition, of an array that is written, and at a place that the loop changes. */
static void hoist(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const pos = tsr_ir_array_param(b, "pos", true, TSR_U32, true, tsr_ir_add(b, n, I(1)));
    const tsr_ir_array *const x = tsr_ir_array_param(b, "x", false, TSR_F64, true, n);
    const tsr_ir_array *const z = tsr_ir_array_param(b, "z", false, TSR_F64, true, n);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, NULL);
    const tsr_ir_expr *const p = tsr_ir_for(b, "p", I(0), n, 0);
    for (int named = 0; named < 2; named++) {
        const tsr_ir_expr *const q = tsr_ir_for(b, "q", tsr_ir_load_index(b, pos, p),
                                                tsr_ir_load_index(b, pos, tsr_ir_add(b, p, I(1))), 0);
        const tsr_ir_expr *const value = tsr_ir_load_value(b, x, p, f64);
        const tsr_ir_expr *const a = named ? tsr_ir_declare(b, "a", value, false) : value;
        const tsr_ir_expr *const r = tsr_ir_for(b, "r", I(0), I(4), 0);
        tsr_ir_store(b, y, tsr_ir_add(b, q, r), OP(MUL, a, tsr_ir_load_value(b, x, q, f64)), true, false);
        tsr_ir_end(b);
        tsr_ir_if(b, OP(LT, q, I(3)));
        tsr_ir_store(b, y, q, OP(MUL, tsr_ir_load_value(b, z, p, f64), tsr_ir_load_value(b, y, p, f64)), true,
                     false);
        tsr_ir_end(b);
        tsr_ir_end(b);
    }
    tsr_ir_end(b);
}

/* A row of 13 elements, added to another in vectors of 32 bytes, and a sum. */
static void vectors(tsr_ir_builder *b)
{
    const tsr_ir_expr *const n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *const x = tsr_ir_array_param(b, "x", false, TSR_F64, true, NULL);
    const tsr_ir_array *const y = tsr_ir_array_param(b, "y", false, TSR_F64, false, NULL);
    tsr_ir_ask_vectors(b, 32);
    const tsr_ir_expr *const sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, f64, 0), true);
    const tsr_ir_expr *const r = tsr_ir_for(b, "r", I(0), I(13), TSR_IR_VECTOR);
    tsr_ir_store(b, y, r, tsr_ir_load_value(b, x, r, f64), true, false);
    tsr_ir_end(b);
    const tsr_ir_expr *const k = tsr_ir_for(b, "k", I(0), n, TSR_IR_VECTOR);
    tsr_ir_assign(b, sum, tsr_ir_load_value(b, x, k, f64), true);
    tsr_ir_end(b);
    tsr_ir_store(b, y, I(0), sum, true, false);
}

/* The arguments of the programs `groups`, `lanes` and `runs`: lists of at most N elements below N, and values that are small integers, so that
 * sums are the same in any order. */
enum { N = 57 };

typedef struct numbers {
    uint32_t pos[N + 1], crd[N], other[N];
    double a[4 * N], x[4 * N], y[4 * N];
} numbers;

/* Lists of very different lengths, the last one with nearly all entries. */
static void fill(numbers *v, int64_t n)
{
    *v = (numbers){0};
    for (int64_t k = 0; k < n; k++) {
        v->pos[k + 1] = (uint32_t)(k + 1 == n ? n : k / 3);
        v->crd[k] = (uint32_t)(k / 5 * 7 % n);
        v->other[k] = (uint32_t)(k * 11 % n);
    }
    for (int k = 0; k < 4 * N; k++) {
        v->a[k] = k % 7 - 3;
        v->x[k] = k % 5 - 1;
        v->y[k] = k % 3;
    }
}

static const struct {
    tsr_pass pass;
    void (*build)(tsr_ir_builder *b);
} golden[] = {{TSR_PASS_GROUPS, groups},         {TSR_PASS_LANES, lanes},   {TSR_PASS_RUNS, runs},
              {TSR_PASS_PREFETCHES, prefetches}, {TSR_PASS_HOIST, hoist},   {TSR_PASS_ROOM, room},
              {TSR_PASS_FLAGS, flags},           {TSR_PASS_PIECES, pieces}, {TSR_PASS_VECTORS, vectors}};

enum { GROUPS, LANES, RUNS, ROOM = 5, PIECES = 7 }; /* rows */

static tsr_ir *build(size_t i)
{
    tsr_ir *ir;
    tsr_ir_builder *b = tsr_ir_builder_new(names[golden[i].pass]);
    golden[i].build(b);
    assert_ok(tsr_ir_finish(&ir, b, "", err));
    return ir;
}

static void test_golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        char name[80];
        tsr_text text = {0};
        tsr_ir *const ir = build(i);
        tsr_ir_print(&text, ir);
        assert_ok(tsr_passes_run(ir, ~(UINT32_C(1) << golden[i].pass), err));
        tsr_text_add(&text, "\nafter the pass:\n\n");
        tsr_ir_print(&text, ir);
        snprintf(name, sizeof name, "passes/%s.txt", names[golden[i].pass]);
        tsr_test_golden(name, tsr_text_cstr(&text));
        tsr_text_clear(&text);
        tsr_ir_free(ir);
    }
    assert_int_equal(sizeof golden / sizeof *golden, TSR_NPASSES); /* each pass has a row */
}

/* The outputs of the program of `pieces` are the same before and after, for outputs of no and of some elements. */
static void test_pieces_run(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 40; n += 13) {
        tsr_ir *const before = build(PIECES), *const after = build(PIECES);
        assert_ok(tsr_passes_run(after, 0, err));
        tsr_ir_output out[2][2] = {{{0}}};
        for (int i = 0; i < 2; i++) {
            const tsr_ir_arg args[] = {{.n = n}, {.data = &out[i][0]}, {.data = &out[i][1]}};
            assert_ok(tsr_ir_run(i ? after : before, args, 0, err));
        }
        for (int k = 0; k < 2; k++) {
            assert_int_equal(out[0][k].n, (n + 1) / 2);
            assert_int_equal(out[1][k].n, (n + 1) / 2);
            if (n > 0)
                assert_memory_equal(out[0][k].data, out[1][k].data, (size_t)out[0][k].n * 4);
        }
        for (int i = 0; i < 4; i++)
            tsr_free(out[i / 2][i % 2].data);
        tsr_ir_free(before);
        tsr_ir_free(after);
    }
}

/* The programs that add up lists give the same values before and after, for lists of all lengths. */
static void test_lists_run(void **state)
{
    (void)state;
    static numbers before, after;
    for (int64_t n = 1; n <= N; n += n < 20 ? 1 : 12)
        for (size_t row = GROUPS; row <= RUNS; row++)
            for (int i = 0; i < 2; i++) {
                numbers *const v = i ? &after : &before;
                tsr_ir *const ir = build(row);
                if (i)
                    assert_ok(tsr_passes_run(ir, 0, err));
                fill(v, n);
                const tsr_ir_arg pos = {.data = v->pos, .n = N + 1}, crd = {.data = v->crd, .n = N},
                                 other = {.data = v->other, .n = N}, a = {.data = v->a, .n = 4 * N},
                                 x = {.data = v->x, .n = 4 * N}, y = {.data = v->y, .n = 4 * N};
                const tsr_ir_arg args[][6] = {[GROUPS] = {{.n = n}, pos, crd, x, y},
                                              [LANES] = {{.n = n}, pos, crd, a, x, y},
                                              [RUNS] = {{.n = n}, crd, other, a, y}};
                assert_ok(tsr_ir_run(ir, args[row], 0, err));
                tsr_ir_free(ir);
                if (i)
                    assert_memory_equal(before.y, after.y, sizeof after.y);
            }
}

/* The numbers of the program of `room` are the same before and after. */
static void test_room_run(void **state)
{
    (void)state;
    for (int64_t n = 0; n < 40; n += 13) {
        tsr_ir_output out[2] = {{0}};
        for (int i = 0; i < 2; i++) {
            tsr_ir *const ir = build(ROOM);
            if (i)
                assert_ok(tsr_passes_run(ir, 0, err));
            assert_ok(tsr_ir_run(ir, (tsr_ir_arg[]){{.n = n}, {.data = &out[i]}}, 0, err));
            tsr_ir_free(ir);
        }
        assert_int_equal(out[0].n, (n + 1) / 2 + (n + 2) / 3 + (n + 3) / 4);
        assert_int_equal(out[1].n, out[0].n);
        if (n > 0)
            assert_memory_equal(out[0].data, out[1].data, (size_t)out[0].n * 4);
        for (int i = 0; i < 2; i++)
            tsr_free(out[i].data);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int type = 0; type < TSR_PATTERN; type++) {
            random_program p = random_program_new("p", (tsr_type)type, false, seed * 100 + (uint64_t)type);
            random_program q = random_program_new("p", (tsr_type)type, false, seed * 100 + (uint64_t)type);
            random_args expected, args;
            random_args_init(&expected, &p, seed);
            random_args_init(&args, &p, seed);
            assert_ok(tsr_passes_run(q.ir, 0, err));
            assert_ok(tsr_ir_run(p.ir, expected.arg, 0, err));
            assert_ok(tsr_ir_run(q.ir, args.arg, 0, err));
            if (!random_args_same(&p, &expected, &args))
                fail_msg("seed %d, type %s", (int)seed, tsr_type_name((tsr_type)type));
            random_args_free(&expected);
            random_args_free(&args);
            tsr_ir_free(p.ir);
            tsr_ir_free(q.ir);
        }
}

static void test_no_memory(void **state)
{
    (void)state;
    tsr_faults faults = {0};
    if (tsr_alloc_live() < 0)
        skip();
    for (size_t row = 0; row < sizeof golden / sizeof *golden; row++)
        for (faults = (tsr_faults){0}; tsr_faults_next(&faults);) {
            tsr_ir *const ir = build(row);
            tsr_faults_arm(&faults);
            const tsr_status status = tsr_passes_run(ir, 0, NULL);
            tsr_faults_end(&faults, status);
            tsr_ir_free(ir);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),    cmocka_unit_test(test_pieces_run), cmocka_unit_test(test_room_run),
        cmocka_unit_test(test_lists_run), cmocka_unit_test(test_random),     cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
