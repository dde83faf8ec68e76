/* Random statements about lists. What they find is mixed into a number, the hash. */
#include "random_maker.h"

/* hash = (31 * hash + x) mod a prime. */
static void mix(maker *m, const tsr_ir_expr *hash, const tsr_ir_expr *x)
{
    const tsr_ir_expr *sum = op2(m, TSR_IR_ADD, op2(m, TSR_IR_MUL, hash, tsr_ir_index(m->b, 31)), x);
    tsr_ir_assign(m->b, hash, op2(m, TSR_IR_MOD, sum, tsr_ir_index(m->b, 8191)), false);
}

/* A list of n rising elements: each is 1 to `step` more than the one before it. */
static const tsr_ir_array *make_rising(maker *m, tsr_type elem, int n, int step)
{
    tsr_ir_builder *b = m->b;
    const tsr_ir_array *list =
        tsr_ir_index_array_new(b, "rising", elem, TSR_IR_HEAP, tsr_ir_index(b, n), false);
    const tsr_ir_expr *last = tsr_ir_declare(b, "last", tsr_ir_index(b, below(m, 20)), true);
    const tsr_ir_expr *q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), tsr_ir_index(b, n), 0);
    const tsr_ir_expr *x =
        tsr_ir_load_index(b, m->array[INDEX8], op2(m, TSR_IR_MOD, q, tsr_ir_index(b, RANDOM_LENGTH)));
    x = op2(m, TSR_IR_MOD, x, tsr_ir_index(b, step));
    tsr_ir_assign(b, last, op2(m, TSR_IR_ADD, x, tsr_ir_index(b, 1)), true);
    tsr_ir_store(b, list, q, last, false, false);
    tsr_ir_end(b);
    return list;
}

/* Walk the pairs of equal elements of two lists, of lengths that differ or do not. */
static void make_match(maker *m, const tsr_ir_expr *hash)
{
    static const tsr_type types[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U32, TSR_U64};
    static const int most[] = {110, 2000, 2000, 40, 2000};
    tsr_ir_builder *b = m->b;
    const int kind = below(m, 5);
    const int n[] = {1 + below(m, most[kind]), 1 + below(m, below(m, 2) ? 20 : most[kind])};
    const tsr_ir_array *found =
        tsr_ir_index_array_new(b, "found", TSR_U64, TSR_IR_LOCAL, tsr_ir_index(b, 3 + 2 * 32), false);
    const tsr_ir_array *list[2];
    const tsr_ir_expr *q[2], *end[2];
    for (int i = 0; i < 2; i++) {
        list[i] = make_rising(m, types[kind], n[i], kind == 0 ? 2 : 1 + below(m, i == 0 ? 3 : 60));
        q[i] = tsr_ir_declare(b, "at", tsr_ir_index(b, below(m, n[i])), true);
        end[i] = tsr_ir_index(b, n[i]);
    }
    tsr_ir_while(b, op2(m, TSR_IR_AND, op2(m, TSR_IR_LT, q[0], end[0]), op2(m, TSR_IR_LT, q[1], end[1])));
    tsr_ir_match(b, found, list[0], list[1], (const tsr_ir_expr *const[]){q[0], end[0], q[1], end[1]});
    tsr_ir_assign(b, q[0], tsr_ir_load_index(b, found, tsr_ir_index(b, 1)), false);
    tsr_ir_assign(b, q[1], tsr_ir_load_index(b, found, tsr_ir_index(b, 2)), false);
    const tsr_ir_expr *npairs = tsr_ir_load_index(b, found, tsr_ir_index(b, 0));
    const tsr_ir_expr *k = tsr_ir_for(b, "k", tsr_ir_index(b, 0), npairs, 0);
    mix(m, hash, tsr_ir_load_index(b, found, op2(m, TSR_IR_ADD, k, tsr_ir_index(b, 3))));
    mix(m, hash, tsr_ir_load_index(b, found, op2(m, TSR_IR_ADD, k, tsr_ir_index(b, 3 + 32))));
    tsr_ir_end(b);
    tsr_ir_end(b);
}

/* Set marks and take them; the marks must be clear afterwards. */
static void make_take(maker *m, const tsr_ir_expr *hash)
{
    static const tsr_type types[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U32, TSR_U64};
    tsr_ir_builder *b = m->b;
    const tsr_type type = types[below(m, 5)];
    const int nmarks = type == TSR_U8 ? 200 : 1000, stride = 1 + below(m, nmarks / RANDOM_LENGTH);
    const tsr_ir_array *marks =
        tsr_ir_index_array_new(b, "marks", TSR_U8, TSR_IR_HEAP, tsr_ir_index(b, nmarks), true);
    const tsr_ir_array *list =
        tsr_ir_index_array_new(b, "list", type, TSR_IR_HEAP, tsr_ir_index(b, nmarks + TSR_IR_SLACK), false);
    const tsr_ir_expr *q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), random_place(m, RANDOM_LENGTH, 1), 0);
    const tsr_ir_expr *at =
        op2(m, TSR_IR_MUL, tsr_ir_load_index(b, m->array[INDEX16], q), tsr_ir_index(b, stride));
    tsr_ir_store(b, marks, at, tsr_ir_index(b, 1), false, false);
    tsr_ir_end(b);
    const int lo = below(m, 20);
    const tsr_ir_expr *const range[] = {tsr_ir_index(b, lo), tsr_ir_index(b, lo + below(m, nmarks - lo))};
    const tsr_ir_expr *n =
        tsr_ir_declare(b, "n", tsr_ir_take(b, list, tsr_ir_index(b, 0), marks, range, range[0]), false);
    mix(m, hash, n);
    q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), n, 0);
    mix(m, hash, tsr_ir_load_index(b, list, q));
    tsr_ir_end(b);
    q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), tsr_ir_index(b, nmarks), 0);
    mix(m, hash, tsr_ir_load_index(b, marks, q));
    tsr_ir_end(b);
}

/* Positions of pieces that are counted from the begin of all. */
static void make_shift(maker *m, const tsr_ir_expr *hash)
{
    enum { PIECES = 5 };
    static const tsr_type types[] = {TSR_U16, TSR_U32, TSR_U32, TSR_U64};
    tsr_ir_builder *b = m->b;
    const int n = below(m, PIECES), factor = 1 + below(m, 3), at = 1 + below(m, 3), begins = at + PIECES + 1;
    const tsr_ir_array *numbers = tsr_ir_index_array_new(b, "numbers", TSR_U64, TSR_IR_HEAP,
                                                         tsr_ir_index(b, begins + PIECES + 1), true);
    int begin = 0;
    for (int p = 0; p <= n; p++) {
        tsr_ir_store(b, numbers, tsr_ir_index(b, at + p), tsr_ir_index(b, below(m, 10)), false, false);
        tsr_ir_store(b, numbers, tsr_ir_index(b, begins + p), tsr_ir_index(b, begin), false, false);
        begin += below(m, 4);
    }
    const tsr_ir_expr *const length = tsr_ir_index(b, 3 * 4 * PIECES + 1);
    const tsr_ir_array *pos = tsr_ir_index_array_new(b, "pos", types[below(m, 4)], TSR_IR_HEAP, length, true);
    tsr_ir_shift(b, pos, numbers,
                 (const tsr_ir_expr *const[]){tsr_ir_index(b, at), tsr_ir_index(b, begins),
                                              tsr_ir_index(b, n), tsr_ir_index(b, factor)},
                 tsr_ir_index(b, 2));
    const tsr_ir_expr *q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), length, 0);
    mix(m, hash, tsr_ir_load_index(b, pos, q));
    tsr_ir_end(b);
    mix(m, hash, tsr_ir_load_index(b, numbers, tsr_ir_index(b, at + n)));
}

/* Mix the elements of a row, from 1 on, into the hash; the values are whole numbers below 4096. */
static void mix_row(maker *m, const tsr_ir_expr *hash, const tsr_ir_array *list, const tsr_ir_array *values,
                    const tsr_ir_expr *n)
{
    tsr_ir_builder *b = m->b;
    const tsr_ir_type type = tsr_ir_value_type(values->elem);
    n = tsr_ir_declare(b, "n", n, false);
    const tsr_ir_expr *q =
        tsr_ir_for(b, "q", tsr_ir_index(b, 1), op2(m, TSR_IR_ADD, n, tsr_ir_index(b, 1)), 0);
    mix(m, hash, tsr_ir_load_index(b, list, q));
    const tsr_ir_expr *const x = tsr_ir_load_value(b, values, q, type);
    const tsr_ir_expr *const whole = tsr_ir_declare(b, "whole", tsr_ir_index(b, 0), true);
    for (int step = 2048; step > 0; step /= 2) { /* a real value does not convert to an index */
        const tsr_ir_expr *const more = op2(m, TSR_IR_ADD, whole, tsr_ir_index(b, step));
        const tsr_ir_expr *const fits = tsr_ir_op2(b, TSR_IR_LE, tsr_ir_convert(b, more, type), x);
        tsr_ir_assign(b, whole, tsr_ir_select(b, fits, more, whole), false);
    }
    mix(m, hash, whole);
    tsr_ir_end(b);
}

/* The sum of two sparse rows, of which parts may be narrow, without gaps, or the same; and which may have factors. Or their
 * product. */
static void make_pair(maker *m, const tsr_ir_expr *hash, bool common)
{
    static const tsr_type values[] = {TSR_F64, TSR_F32, TSR_I32, TSR_U32, TSR_I64, TSR_U64};
    static const tsr_type types[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U32, TSR_U64};
    static const int most[] = {100, 300, 300, 30, 300};
    tsr_ir_builder *b = m->b;
    const int kind = below(m, 5);
    const tsr_type elem = values[below(m, 6)];
    const tsr_ir_type type = tsr_ir_value_type(elem);
    const int n[] = {1 + below(m, most[kind]), 1 + below(m, below(m, 2) ? 20 : most[kind])};
    const tsr_ir_array *from[5], *list = tsr_ir_index_array_new(b, "list", types[kind], TSR_IR_HEAP,
                                                                tsr_ir_index(b, n[0] + n[1] + 1), false);
    const tsr_ir_expr *range[6] = {NULL};
    for (int i = 0; i < 2; i++) {
        from[i] = make_rising(m, types[kind], n[i], kind == 0 ? 2 : 1 + below(m, below(m, 2) ? 3 : 60));
        from[2 + i] = tsr_ir_array_new(b, "row", elem, TSR_IR_HEAP, tsr_ir_index(b, n[i]), false);
        const tsr_ir_expr *q = tsr_ir_for(b, "q", tsr_ir_index(b, 0), tsr_ir_index(b, n[i]), 0);
        tsr_ir_store(b, from[2 + i], q, tsr_ir_convert(b, q, type), false, false);
        tsr_ir_end(b);
        range[2 * i] = tsr_ir_index(b, below(m, n[i]));
        range[2 * i + 1] = tsr_ir_index(b, n[i]);
        if (!common && below(m, 3) == 0)
            range[4 + i] = tsr_ir_value(b, type, 1 + below(m, 5));
    }
    from[4] = tsr_ir_array_new(b, "row", elem, TSR_IR_HEAP, tsr_ir_index(b, n[0] + n[1] + 1), true);
    const tsr_ir_expr *const first = tsr_ir_index(b, 1);
    mix_row(m, hash, list, from[4],
            common ? tsr_ir_intersect(b, list, first, from, range)
                   : tsr_ir_unite(b, list, first, from, range));
}

/* A row of n different columns in [0, span), of which each may be the next; returns their number. */
static int make_columns(maker *m, const tsr_ir_array *crd, const tsr_ir_array *values, int at, int span)
{
    tsr_ir_builder *b = m->b;
    const int one_of = span <= TSR_IR_NARROW ? 1 + below(m, 4) : 1 + span / (2 + below(m, 8)), begin = at;
    for (int j = 0; j < span; j++) {
        if (below(m, one_of) != 0 || at - begin == TSR_IR_NARROW)
            continue;
        tsr_ir_store(b, crd, tsr_ir_index(b, at), tsr_ir_index(b, 50 + j), false, false);
        tsr_ir_store(b, values, tsr_ir_index(b, at),
                     tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 1 + below(m, 3)), false, false);
        at++;
    }
    return at - begin;
}

/* The product of a sparse row and a sparse matrix: with few columns, or with a workspace for any number of them. */
static void make_multiply(maker *m, const tsr_ir_expr *hash, bool is_whole)
{
    enum { ROWS = 4, MOST = TSR_IR_NARROW, COLUMNS = 10000, BASE = 3 };
    static const tsr_type types[] = {TSR_U8, TSR_U16, TSR_U32, TSR_U32, TSR_U64};
    tsr_ir_builder *b = m->b;
    const tsr_type type = types[below(m, 5)];
    const int span = 1 + below(m, !is_whole ? MOST : type == TSR_U8 ? 200 : COLUMNS - 50);
    const tsr_ir_array *const from[] = {
        tsr_ir_index_array_new(b, "row_crd", type, TSR_IR_HEAP, tsr_ir_index(b, ROWS), false),
        tsr_ir_index_array_new(b, "matrix_crd", type, TSR_IR_HEAP, tsr_ir_index(b, ROWS * MOST), false),
        tsr_ir_array_new(b, "row", TSR_F64, TSR_IR_HEAP, tsr_ir_index(b, ROWS), false),
        tsr_ir_array_new(b, "matrix", TSR_F64, TSR_IR_HEAP, tsr_ir_index(b, ROWS * MOST), false),
        tsr_ir_array_new(b, "product", TSR_F64, TSR_IR_HEAP, tsr_ir_index(b, ROWS * MOST + 1 + TSR_IR_SLACK),
                         true),
        tsr_ir_index_array_new(b, "matrix_pos", type, TSR_IR_HEAP, tsr_ir_index(b, ROWS + 1), true),
        is_whole ? tsr_ir_array_new(b, "work", TSR_F64, TSR_IR_HEAP, tsr_ir_index(b, BASE + COLUMNS), false)
                 : NULL,
        is_whole
            ? tsr_ir_index_array_new(b, "mark", TSR_U8, TSR_IR_HEAP, tsr_ir_index(b, BASE + COLUMNS), true)
            : NULL,
        is_whole ? tsr_ir_index_array_new(b, "listed", TSR_U32, TSR_IR_HEAP, tsr_ir_index(b, BASE + COLUMNS),
                                          false)
                 : NULL};
    const tsr_ir_array *const list = tsr_ir_index_array_new(
        b, "list", type, TSR_IR_HEAP, tsr_ir_index(b, ROWS * MOST + 1 + TSR_IR_SLACK), false);
    if (is_whole) {
        const tsr_ir_expr *const q =
            tsr_ir_for(b, "q", tsr_ir_index(b, 0), tsr_ir_index(b, BASE + COLUMNS), 0);
        tsr_ir_store(b, from[6], q, tsr_ir_value(b, tsr_ir_value_type(TSR_F64), -0.0), false, false);
        tsr_ir_end(b);
    }
    int n = 0, longest = 0;
    for (int k = 0; k < ROWS; k++) {
        const int before = n;
        n += make_columns(m, from[1], from[3], n, span);
        longest = n - before > longest ? n - before : longest;
        tsr_ir_store(b, from[5], tsr_ir_index(b, k + 1), tsr_ir_index(b, n), false, false);
        tsr_ir_store(b, from[0], tsr_ir_index(b, k), tsr_ir_index(b, below(m, ROWS)), false, false);
        tsr_ir_store(b, from[2], tsr_ir_index(b, k), tsr_ir_value(b, tsr_ir_value_type(TSR_F64), k + 1),
                     false, false);
    }
    const tsr_ir_expr *const range[] = {tsr_ir_index(b, below(m, 2)),
                                        tsr_ir_index(b, below(m, ROWS + 1)),
                                        tsr_ir_index(b, 50),
                                        tsr_ir_index(b, 50 + span),
                                        is_whole ? tsr_ir_index(b, BASE) : NULL,
                                        is_whole ? tsr_ir_index(b, ROWS * longest) : NULL,
                                        is_whole ? tsr_ir_index(b, below(m, 3) * 16) : NULL,
                                        is_whole ? tsr_ir_index(b, below(m, 3) * 512) : NULL};
    mix_row(m, hash, list, from[4], tsr_ir_multiply(b, list, tsr_ir_index(b, 1), from, range));
}

void random_lists(maker *m)
{
    const tsr_ir_expr *hash = tsr_ir_declare(m->b, "hash", tsr_ir_index(m->b, 1), true);
    for (int i = 0; i < 4; i++) {
        make_match(m, hash);
        make_take(m, hash);
    }
    make_shift(m, hash);
    for (int i = 0; i < 4; i++)
        make_pair(m, hash, i % 2);
    make_multiply(m, hash, false);
    make_multiply(m, hash, true);
    make_multiply(m, hash, true);
    const tsr_ir_expr *x = tsr_ir_convert(m->b, hash, tsr_ir_value_type(m->type));
    tsr_ir_store(m->b, m->array[SUM], tsr_ir_index(m->b, 0), x, false, false);
}
