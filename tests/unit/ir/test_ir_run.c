/* The interpreter: results of single operations and of whole programs; every error that it detects. */
#include "tsr_test.h"

#include <math.h>

#include "ir_programs.h"
#include "tsr_alloc.h"
#include "tsr_alloc.h"
#include "tsr_num.h"

#define I(c) tsr_ir_index(b, c)
#define V(c) tsr_ir_value(b, tsr_ir_value_type(TSR_F64), c)

/* ---- operations on values ---- */

static tsr_ir_op op_by_text(const char *text)
{
    static const char *const names[] = {
#define X(name, text, nargs, kind) text,
#include "ops.def"
#undef X
    };
    for (int op = 0; op < TSR_IR_NOPS; op++)
        if (strcmp(names[op], text) == 0)
            return (tsr_ir_op)op;
    fail_msg("no operation %s", text);
    return TSR_IR_NOPS;
}

/* Read a value of that type from text ("1 2" for complex ones). */
static void read_value(void *v, tsr_type type, const char *text)
{
    const char *end = text + strlen(text);
    double r;
    int64_t i;
    uint64_t u;
    switch (tsr_type_class(type)) {
    case 'I':
        assert_non_null(tsr_parse_i64(&i, text, end));
        assert_ok(tsr_values_convert(v, type, &i, TSR_I64, 1, err));
        break;
    case 'U':
        assert_non_null(tsr_parse_u64(&u, text, end));
        assert_ok(tsr_values_convert(v, type, &u, TSR_U64, 1, err));
        break;
    default:
        assert_non_null(text = tsr_parse_f64(&r, text, end));
        assert_ok(tsr_values_convert(v, type, &r, TSR_F64, 1, err));
        if (tsr_type_class(type) == 'C') {
            const size_t half = tsr_type_nbytes(type) / 2;
            assert_non_null(tsr_parse_f64(&r, text + 1, end));
            assert_ok(
                tsr_values_convert((char *)v + half, half == 4 ? TSR_F32 : TSR_F64, &r, TSR_F64, 1, err));
        }
    }
}

static void test_value_operations(void **state)
{
    (void)state;
    static const struct {
        const char *type, *op, *x, *y, *want; /* == != < <=: 1 or 0 */
    } rows[] = {
        {"f64", "+", "0.1", "0.2", "0.30000000000000004"},
        {"f32", "+", "0.1", "0.2", "0.3"},
        {"f32", "*", "16777217", "1", "16777216"},
        {"f32", "/", "1", "3", "0.33333334"},
        {"f64", "/", "1", "0", "inf"},
        {"f64", "-", "inf", "inf", "nan"},
        {"f64", "==", "nan", "nan", "0"},
        {"f64", "!=", "nan", "nan", "1"},
        {"f64", "<=", "0", "-0", "1"},
        {"f64", "-", "0", "0", "0"},
        {"f64", "*", "-0", "1", "-0"},
        {"i8", "+", "127", "1", "-128"},
        {"i8", "*", "-128", "-1", "-128"},
        {"i8", "/", "-128", "-1", "-128"},
        {"i8", "/", "7", "-2", "-3"},
        {"i8", "/", "7", "0", "0"},
        {"i16", "-", "-32768", "1", "32767"},
        {"i32", "*", "65536", "65536", "0"},
        {"i64", "/", "-9223372036854775808", "-1", "-9223372036854775808"},
        {"i64", "+", "9223372036854775807", "9223372036854775807", "-2"},
        {"i64", "<", "-1", "0", "1"},
        {"u8", "-", "0", "1", "255"},
        {"u8", "/", "255", "255", "1"},
        {"u8", "/", "255", "0", "0"},
        {"u16", "*", "65535", "65535", "1"},
        {"u32", "+", "4294967295", "1", "0"},
        {"u64", "*", "18446744073709551615", "2", "18446744073709551614"},
        {"u64", "<", "1", "18446744073709551615", "1"},
        {"c64", "*", "1 2", "3 4", "-5 10"},
        {"c128", "*", "1 2", "3 4", "-5 10"},
        {"c128", "/", "-5 10", "3 4", "1 2"},
        {"c128", "-", "1 2", "3 5", "-2 -3"},
        {"c128", "==", "1 2", "1 2", "1"},
        {"c128", "!=", "1 2", "1 3", "1"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        tsr_type elem;
        assert_ok(tsr_type_parse(&elem, rows[r].type, err));
        const tsr_ir_type type = tsr_ir_value_type(elem);
        const tsr_ir_op op = op_by_text(rows[r].op);
        tsr_ir_builder *b = tsr_ir_builder_new("f");
        const tsr_ir_array *x = tsr_ir_array_param(b, "x", false, elem, true, I(1)),
                           *y = tsr_ir_array_param(b, "y", false, elem, true, I(1)),
                           *z = tsr_ir_array_param(b, "z", false, elem, false, I(1));
        const tsr_ir_expr *it =
            tsr_ir_op2(b, op, tsr_ir_load_value(b, x, I(0), type), tsr_ir_load_value(b, y, I(0), type));
        if (op == TSR_IR_EQ || op == TSR_IR_NE || op == TSR_IR_LT || op == TSR_IR_LE)
            it = tsr_ir_select(b, it, tsr_ir_value(b, type, 1), tsr_ir_value(b, type, 0));
        tsr_ir_store(b, z, I(0), it, false, false);
        tsr_ir *ir = program_finish(b, "");
        _Alignas(16) unsigned char v[3][16];
        read_value(v[0], elem, rows[r].x);
        read_value(v[1], elem, rows[r].y);
        const tsr_ir_arg args[] = {{.data = v[0]}, {.data = v[1]}, {.data = v[2]}};
        assert_ok(tsr_ir_run(ir, args, 0, err));
        char text[TSR_VALUE_TEXT_NBYTES + 1];
        text[tsr_value_print(text, elem, v[2])] = '\0';
        const bool is_truth = rows[r].op[0] == '<' || rows[r].op[0] == '!' || rows[r].op[1] == '=';
        if (is_truth && tsr_type_class(elem) == 'C')
            text[1] = '\0';
        if (strcmp(text, rows[r].want) != 0)
            fail_msg("%s %s %s %s: %s instead of %s", rows[r].type, rows[r].x, rows[r].op, rows[r].y, text,
                     rows[r].want);
        tsr_ir_free(ir);
    }
}

/* Every pair of types: 3 in an array of `from` loads as 3 of type `to`, or the builder refuses. */
static void test_conversions(void **state)
{
    (void)state;
    for (int from = 0; from < TSR_NTYPES; from++)
        for (int to = 0; to < TSR_PATTERN; to++) {
            const char from_class = tsr_type_class((tsr_type)from), to_class = tsr_type_class((tsr_type)to);
            const bool to_integer = to_class == 'I' || to_class == 'U';
            const bool can = from_class == 'C' ? to_class == 'C' : from_class == 'R' ? !to_integer : true;
            tsr_ir_builder *b = tsr_ir_builder_new("f");
            const tsr_ir_array *x = tsr_ir_array_param(b, "x", false, (tsr_type)from, true, I(2)),
                               *z = tsr_ir_array_param(b, "z", false, (tsr_type)to, false, I(2));
            const tsr_ir_type type = {TSR_IR_IS_VALUE, (tsr_type)to, 2};
            tsr_ir_store(b, z, I(0), tsr_ir_load_value(b, x, I(0), type), false, false);
            tsr_ir *ir;
            const tsr_status status = tsr_ir_finish(&ir, b, "", NULL);
            assert_int_equal(status, can ? TSR_OK : TSR_ARGUMENT);
            if (!can)
                continue;
            const double three[] = {3, 3};
            _Alignas(16) unsigned char v[32] = {9, 9}, want[32] = {0}, got[32] = {0};
            if (from_class != 'P')
                assert_ok(tsr_values_convert(v, (tsr_type)from, three, TSR_F64, 2, err));
            const double one[] = {1, 1};
            assert_ok(
                tsr_values_convert(want, (tsr_type)to, from_class == 'P' ? one : three, TSR_F64, 2, err));
            const tsr_ir_arg args[] = {{.data = v}, {.data = got}};
            assert_ok(tsr_ir_run(ir, args, 0, err));
            assert_memory_equal(got, want, sizeof want);
            tsr_ir_free(ir);
        }
}

static void test_vectors(void **state)
{
    (void)state;
    const tsr_ir_type f64x4 = {TSR_IR_IS_VALUE, TSR_F64, 4};
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_array *x = tsr_ir_array_param(b, "x", false, TSR_F64, true, I(6)),
                       *y = tsr_ir_array_param(b, "y", false, TSR_F64, false, I(8));
    const tsr_ir_expr *v = tsr_ir_declare(b, "v", tsr_ir_load_value(b, x, I(2), f64x4), true);
    tsr_ir_assign(b, v, V(0.5), true);
    const tsr_ir_expr *is_small = tsr_ir_op2(b, TSR_IR_LT, v, V(4));
    tsr_ir_store(b, y, I(0), tsr_ir_select(b, is_small, v, V(-1)), false, false);
    tsr_ir_store(b, y, I(1), V(100), true, false);
    tsr_ir_store(b, y, I(4), tsr_ir_hsum(b, v), false, false);
    tsr_ir_store(b, y, I(5), tsr_ir_select(b, tsr_ir_op2(b, TSR_IR_LT, V(1), V(2)), V(7), V(8)), false,
                 false);
    tsr_ir *ir = program_finish(b, "");
    double in[] = {0, 1, 2, 3, 4, 5}, out[8] = {0};
    const tsr_ir_arg args[] = {{.data = in}, {.data = out}};
    assert_ok(tsr_ir_run(ir, args, 0, err));
    const double want[] = {2.5, 103.5, -1, -1, 16, 7, 0, 0};
    assert_memory_equal(out, want, sizeof want);
    tsr_ir_free(ir);
}

/* ---- whole programs ---- */

enum { ROWS = 40, COLS = 30 };

static void test_spmv_on_any_number_of_threads(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    tsr_ir_builder *b = tsr_ir_builder_new("spmv");
    program_spmv(b);
    tsr_ir *ir = program_finish(b, "");
    uint32_t pos[ROWS + 1] = {0};
    uint16_t crd[ROWS * COLS];
    double values[ROWS * COLS], x[COLS], y[ROWS], want[ROWS];
    uint32_t nnz = 0;
    for (int j = 0; j < COLS; j++)
        x[j] = tsr_rng_unit(&rng);
    for (int i = 0; i < ROWS; i++) {
        want[i] = 0;
        for (int j = 0; j < COLS && i % 7 != 3; j++)
            if (tsr_rng_below(&rng, 4) == 0) {
                crd[nnz] = (uint16_t)j;
                values[nnz] = tsr_rng_unit(&rng);
                want[i] += values[nnz++] * x[j];
            }
        pos[i + 1] = nnz;
    }
    for (int nthreads = 1; nthreads < 50; nthreads += 3) {
        for (int i = 0; i < ROWS; i++)
            y[i] = NAN;
        const tsr_ir_arg args[] = {{.n = nthreads}, {.n = ROWS},      {.n = COLS}, {.n = nnz}, {.data = pos},
                                   {.data = crd},   {.data = values}, {.data = x}, {.data = y}};
        assert_ok(tsr_ir_run(ir, args, 0, err));
        /* (rows without entries after the last one with entries belong to nobody in this simple cut) */
        for (int i = 0; i < ROWS && pos[i] < nnz; i++)
            assert_true(y[i] == want[i]);
    }
    tsr_ir_free(ir);
}

/* ---- errors ---- */

/* Parameters of all programs below: n = 10, c: u8 index [n] = 0 1 2 ... 8 200, x: const f64[n] = 0 1 2 ...,
 * y: f64[n]. */
typedef struct given {
    tsr_ir_builder *b;
    const tsr_ir_expr *n;
    const tsr_ir_array *c, *x, *y;
} given;

static const tsr_ir_expr *x_at(const given *g, const tsr_ir_expr *i)
{
    return tsr_ir_load_value(g->b, g->x, i, tsr_ir_value_type(TSR_F64));
}

static void beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *i = tsr_ir_for(b, "i", I(0), tsr_ir_add(b, g->n, I(1)), 0);
    tsr_ir_store(b, g->y, i, V(1), true, false);
    tsr_ir_end(b);
}
static void before(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_declare(b, "v", x_at(g, tsr_ir_sub(b, I(9), g->n)), false);
}
static void coordinate(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *i = tsr_ir_for(b, "i", I(0), g->n, 0);
    tsr_ir_store(b, g->y, I(0), x_at(g, tsr_ir_load_index(b, g->c, i)), true, false);
    tsr_ir_end(b);
}
static void vector_beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_type f64x4 = {TSR_IR_IS_VALUE, TSR_F64, 4};
    tsr_ir_store(b, g->y, I(7), tsr_ir_value(b, f64x4, 1), false, false);
}
static void overflow(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_declare(b, "v", tsr_ir_mul(b, g->n, I(INT64_MAX / 2)), false);
}
static void divisor(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_declare(b, "v", tsr_ir_op2(b, TSR_IR_MOD, I(1), tsr_ir_sub(b, g->n, I(10))), false);
}
static void heap_negative(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_array_new(b, "h", TSR_F64, TSR_IR_HEAP, tsr_ir_sub(b, I(0), g->n), true);
}
static void heap_huge(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_array_new(b, "h", TSR_F64, TSR_IR_HEAP, tsr_ir_mul(b, g->n, I(INT64_MAX / 16)), false);
}
static void endless(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_while(b, tsr_ir_op2(b, TSR_IR_LT, I(0), g->n));
    tsr_ir_end(b);
}
static void long_loop(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_for(b, "i", I(0), I(INT64_MAX), 0);
    tsr_ir_store(b, g->y, I(0), V(1), true, false);
    tsr_ir_end(b);
}
static void shared_sum(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_for(b, "t", I(0), I(2), TSR_IR_PARALLEL);
    tsr_ir_store(b, g->y, I(3), V(1), true, false);
    tsr_ir_end(b);
}
static void shared_local(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *a = tsr_ir_array_new(b, "a", TSR_F64, TSR_IR_LOCAL, I(2), true);
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(5), I(7), TSR_IR_PARALLEL);
    tsr_ir_store(b, a, tsr_ir_op2(b, TSR_IR_MIN, t, I(1)), V(1), false, false);
    tsr_ir_end(b);
}
static void shared_read(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(1), g->n, TSR_IR_PARALLEL);
    const tsr_ir_expr *left = tsr_ir_load_value(b, g->y, tsr_ir_sub(b, t, I(1)), tsr_ir_value_type(TSR_F64));
    tsr_ir_store(b, g->y, t, left, false, false);
    tsr_ir_end(b);
}
static void read_before_atomic(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(0), I(2), TSR_IR_PARALLEL);
    tsr_ir_declare(b, "v", tsr_ir_load_value(b, g->y, I(0), tsr_ir_value_type(TSR_F64)), false);
    tsr_ir_store(b, g->y, t, V(1), true, true);
    tsr_ir_end(b);
}
static void fine_atomic(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_for(b, "t", I(0), I(5), TSR_IR_PARALLEL);
    tsr_ir_store(b, g->y, I(3), V(1), true, true);
    tsr_ir_end(b);
    tsr_ir_for(b, "t", I(0), I(1), TSR_IR_PARALLEL); /* alone, and after the others */
    tsr_ir_store(b, g->y, I(3), V(1), true, false);
    tsr_ir_end(b);
}
static void fine_own(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(0), g->n, TSR_IR_PARALLEL);
    const tsr_ir_array *a = tsr_ir_array_new(b, "a", TSR_F64, TSR_IR_LOCAL, I(1), true);
    tsr_ir_store(b, a, I(0), V(1), true, false);
    tsr_ir_store(b, g->y, t, tsr_ir_load_value(b, a, I(0), tsr_ir_value_type(TSR_F64)), true, false);
    tsr_ir_store(b, g->y, t, V(1), true, true);
    tsr_ir_end(b);
}
static void fine_prefetch(const given *g)
{
    tsr_ir_prefetch(g->b, g->x, tsr_ir_mul(g->b, g->n, g->n), false);
}
static void prefetch_index(const given *g)
{
    tsr_ir_prefetch(g->b, g->x, tsr_ir_load_index(g->b, g->c, g->n), false);
}

static const tsr_ir_array *own_indices(const given *g)
{
    return tsr_ir_index_array_new(g->b, "h", TSR_U8, TSR_IR_HEAP, g->n, true);
}
static void index_too_large(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *h = own_indices(g);
    tsr_ir_store(b, h, I(0), I(200), false, false);
    tsr_ir_store(b, h, I(0), I(56), true, false);
}
static void index_negative(const given *g)
{
    tsr_ir_store(g->b, own_indices(g), tsr_ir_index(g->b, 0), tsr_ir_index(g->b, -1), false, false);
}
static void sort_beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    tsr_ir_sort(b, own_indices(g), I(3), tsr_ir_add(b, g->n, I(1)));
}
static void shared_sort(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *h = own_indices(g);
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(0), I(2), TSR_IR_PARALLEL);
    tsr_ir_sort(b, h, I(0), tsr_ir_add(b, t, I(2)));
    tsr_ir_end(b);
}

static void match_beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *found = tsr_ir_index_array_new(b, "found", TSR_U64, TSR_IR_LOCAL, I(67), false);
    tsr_ir_match(b, found, g->c, g->c, (const tsr_ir_expr *const[]){I(8), I(11), I(9), g->n});
    tsr_ir_match(b, found, g->c, g->c, (const tsr_ir_expr *const[]){I(9), I(11), I(0), I(11)});
}
static void take_beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *h = own_indices(g);
    const tsr_ir_array *list = tsr_ir_index_array_new(b, "list", TSR_U32, TSR_IR_HEAP, I(1), false);
    for (int i = 0; i < 2; i++) {
        tsr_ir_store(b, h, I(2), I(1), false, false);
        tsr_ir_take(b, list, I(i), h, (const tsr_ir_expr *const[]){I(1), g->n}, I(1));
    }
}

static void unite_beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *list = tsr_ir_index_array_new(b, "list", TSR_U8, TSR_IR_HEAP, I(3), false);
    const tsr_ir_array *sums = tsr_ir_array_new(b, "sums", TSR_F64, TSR_IR_HEAP, I(3), false);
    const tsr_ir_array *const from[] = {g->c, g->c, g->x, g->x, sums};
    tsr_ir_unite(b, list, I(0), from, (const tsr_ir_expr *const[6]){I(1), I(3), I(2), I(3)});
    tsr_ir_unite(b, list, I(2), from, (const tsr_ir_expr *const[6]){I(1), I(3), I(2), I(3)});
}

static void intersect_beyond(const given *g)
{
    tsr_ir_builder *b = g->b;
    const tsr_ir_array *list = tsr_ir_index_array_new(b, "list", TSR_U8, TSR_IR_HEAP, I(3), false);
    const tsr_ir_array *product = tsr_ir_array_new(b, "product", TSR_F64, TSR_IR_HEAP, I(3), false);
    const tsr_ir_array *const from[] = {g->c, g->c, g->x, g->x, product};
    tsr_ir_intersect(b, list, I(0), from, (const tsr_ir_expr *const[4]){I(1), I(4), I(1), I(4)});
    tsr_ir_intersect(b, list, I(2), from, (const tsr_ir_expr *const[4]){I(1), I(3), I(1), I(3)});
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        void (*build)(const given *g);
        const char *message; /* NULL: no error */
    } rows[] = {
        {beyond, "loop program f: y[10] is outside its 10 elements, in: y[i] += 1.0"},
        {before, "loop program f: x[-1] is outside its 10 elements, in: let v: f64 = x[9 - n]"},
        {coordinate, "loop program f: x[200] is outside its 10 elements, in: y[0] += x[c[i]]"},
        {vector_beyond, "loop program f: y[7 : 4] is outside its 10 elements, in: y[7 : 4] = f64x4(1.0)"},
        {overflow,
         "loop program f: 10 times 4611686018427387903 does not fit into 64 bits, in: let v: index = n * "
         "4611686018427387903"},
        {divisor, "loop program f: 1 mod 0 needs a positive divisor, in: let v: index = 1 mod (n - 10)"},
        {heap_negative, "loop program f: -10 elements, in: heap h: f64[0 - n] = 0"},
        {heap_huge, NULL},
        {endless, "loop program f: stopped after 1000 statements, in: while 0 < n"},
        {long_loop, "loop program f: stopped after 1000 statements, in: for i in [0, 9223372036854775807)"},
        {shared_sum,
         "loop program f: y[3] is accessed by two iterations of a parallel loop, in: y[3] += 1.0"},
        {shared_local,
         "loop program f: a[1] is accessed by two iterations of a parallel loop, in: a[min(t, 1)] = 1.0"},
        {shared_read,
         "loop program f: y[1] is accessed by two iterations of a parallel loop, in: y[t] = y[t - 1]"},
        {read_before_atomic,
         "loop program f: y[0] is accessed by two iterations of a parallel loop, in: let v: f64 = y[0]"},
        {prefetch_index, "loop program f: c[10] is outside its 10 elements, in: prefetch x[c[n]]"},
        {index_too_large, "loop program f: h cannot store that sum, in: h[0] += 56"},
        {index_negative, "loop program f: h cannot store -1, in: h[0] = -1"},
        {sort_beyond, "loop program f: h[3, 11) is outside its 10 elements, in: sort h[3, n + 1)"},
        {shared_sort,
         "loop program f: h[0] is accessed by two iterations of a parallel loop, in: sort h[0, t + 2)"},
        {match_beyond,
         "loop program f: c[10] is outside its 10 elements, in: match found: c[9, 11), c[0, 11)"},
        {take_beyond,
         "loop program f: list[1] is outside its 1 elements, in: take list[1...]: h[1, n) - 1, taken2"},
        {unite_beyond,
         "loop program f: list[3] is outside its 3 elements, in: unite list, sums[2...]: c[1, 3) of x, "
         "c[2, 3) of x, appended2"},
        {intersect_beyond, "loop program f: list[3] is outside its 3 elements, in: intersect list, "
                           "product[2...]: c[1, 3) of x, "
                           "c[1, 3) of x, appended2"},
        {fine_atomic, ""},
        {fine_own, ""},
        {fine_prefetch, ""},
    };
    const size_t nrows = sizeof rows / sizeof rows[0];
    for (size_t k = 0; k < 2 * nrows;
         k++) { /* once the program gives the lengths of the arrays, once the caller */
        const size_t r = k / 2;
        const bool told = k % 2;
        given g = {.b = tsr_ir_builder_new("f")};
        g.n = tsr_ir_index_param(g.b, "n");
        g.c = tsr_ir_array_param(g.b, "c", true, TSR_U8, true, told ? NULL : g.n);
        g.x = tsr_ir_array_param(g.b, "x", false, TSR_F64, true, told ? NULL : g.n);
        g.y = tsr_ir_array_param(g.b, "y", false, TSR_F64, false, told ? NULL : g.n);
        rows[r].build(&g);
        tsr_ir *ir = program_finish(g.b, "");
        uint8_t c[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 200};
        double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, y[10] = {0};
        const int64_t length = told ? 10 : 0;
        const tsr_ir_arg args[] = {{.n = 10}, {length, c}, {length, x}, {length, y}};
        tsr_error err = {0};
        const tsr_status status = tsr_ir_run(ir, args, 1000, &err);
        if (rows[r].message)
            assert_string_equal(err.message, rows[r].message);
        assert_int_equal(status == TSR_OK, rows[r].message && !*rows[r].message);
        assert_int_equal(status == TSR_CANCELLED, rows[r].build == endless || rows[r].build == long_loop);
        tsr_ir_free(ir);
    }
}

/* The counts of the values of c, their places, and the values in rising order: a sort by counting. */
static void test_outputs_are_the_callers(void **state)
{
    (void)state;
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_expr *n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *c = tsr_ir_array_param(b, "c", true, TSR_U8, true, n);
    const tsr_ir_array *pos = tsr_ir_output_param(b, "pos", true, TSR_U32);
    const tsr_ir_array *sorted = tsr_ir_output_param(b, "sorted", true, TSR_U8);
    tsr_ir_output_new(b, pos, I(5), true);
    const tsr_ir_expr *i = tsr_ir_for(b, "i", I(0), n, 0);
    tsr_ir_store(b, pos, tsr_ir_add(b, tsr_ir_load_index(b, c, i), I(1)), I(1), true, false);
    tsr_ir_end(b);
    i = tsr_ir_for(b, "i", I(0), I(4), 0);
    tsr_ir_store(b, pos, tsr_ir_add(b, i, I(1)), tsr_ir_load_index(b, pos, i), true, false);
    tsr_ir_end(b);
    tsr_ir_output_new(b, sorted, tsr_ir_load_index(b, pos, I(4)), false);
    i = tsr_ir_for(b, "i", I(0), n, 0);
    tsr_ir_store(b, sorted, i, tsr_ir_load_index(b, c, i), false, false);
    tsr_ir_end(b);
    tsr_ir_sort(b, sorted, I(0), n);
    tsr_ir *plain = program_finish(b, ""), *ir;
    assert_ok(tsr_ir_vectorize(&ir, plain, 64, err));
    uint8_t values[] = {3, 1, 0, 3, 3, 1};
    tsr_ir_output out[2] = {{0}};
    const tsr_ir_arg args[] = {{.n = 6}, {.data = values}, {.data = &out[0]}, {.data = &out[1]}};
    assert_ok(tsr_ir_run(ir, args, 0, err));
    assert_int_equal(out[0].n, 5);
    assert_int_equal(out[1].n, 6);
    assert_memory_equal(out[0].data, ((const uint32_t[]){0, 1, 3, 3, 6}), 20);
    assert_memory_equal(out[1].data, ((const uint8_t[]){0, 1, 1, 3, 3, 3}), 6);
    tsr_free(out[0].data);
    tsr_free(out[1].data);
    out[0] = out[1] = (tsr_ir_output){0};
    values[5] = 7; /* there is no such element: the first output was allocated, and is freed */
    const int64_t live = tsr_alloc_live();
    assert_int_equal(tsr_ir_run(ir, args, 0, &(tsr_error){0}), TSR_CORRUPT);
    assert_int_equal(tsr_alloc_live(), live);
    assert_null(out[0].data);
    tsr_ir_free(plain);
    tsr_ir_free(ir);
}

/* Two threads append t, t + 1 ... 3 to their parts for each number t below `ngiven`, and give these but the first as piece t;
 * `room`: elements asked for. */
static tsr_ir *parts_program(int room, int nparts, int ngiven)
{
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_expr *n = tsr_ir_index_param(b, "n");
    const tsr_ir_array *all = tsr_ir_output_param(b, "all", true, TSR_U16);
    const tsr_ir_array *next = tsr_ir_index_array_new(b, "next", TSR_U64, TSR_IR_HEAP, I(1), true);
    tsr_ir_parts(b, all, &(tsr_ir_extent){I(nparts), n, I(0)});
    const tsr_ir_expr *thread = tsr_ir_for(b, "thread", I(0), I(2), TSR_IR_PARALLEL);
    const tsr_ir_array *part = tsr_ir_part_new(b, all, thread);
    const tsr_ir_expr *t = tsr_ir_for_taken(b, "t", next, I(ngiven));
    const tsr_ir_expr *at = tsr_ir_declare(b, "at", I(0), true);
    const tsr_ir_expr *i = tsr_ir_for(b, "i", t, I(4), 0);
    if (room < 0)
        tsr_ir_reserve(b, part, tsr_ir_add(b, at, I(1)));
    else
        tsr_ir_reserve(b, part, I(room));
    tsr_ir_store(b, part, at, i, false, false);
    tsr_ir_assign(b, at, I(1), true);
    tsr_ir_end(b);
    tsr_ir_give(b, part, I(1), at, t);
    tsr_ir_end(b);
    tsr_ir_end(b);
    tsr_ir_join(b, all);
    tsr_ir_store(b, all, I(0), I(9), true, false);
    return program_finish(b, "");
}

static void test_parts_are_joined(void **state)
{
    (void)state;
    static const struct {
        int room, nparts, n, ngiven;
        const char *message;
    } rows[] = {
        {-1, 2, 3, 3, ""},
        {5, 2, 3, 3, ""},
        {3, 2, 3, 3, "loop program f: all_part[3] is outside its 3 elements, in: all_part[at] = i"},
        {-1, 2, 3, 2, "loop program f: piece 2 was not given, in: join all"},
        {-1, 2, 2, 3,
         "loop program f: piece 2 of 2 is not there, or was given before, in: give all_part[1, at) as t"},
        {-1, 1, 3, 3, "loop program f: part 1 of 1 is not there, in: part all_part: all[thread]"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        tsr_ir *plain = parts_program(rows[k].room, rows[k].nparts, rows[k].ngiven), *ir;
        assert_ok(tsr_ir_vectorize(&ir, plain, 64, err));
        tsr_ir_output out = {0};
        const tsr_ir_arg args[] = {{.n = rows[k].n}, {.data = &out}};
        tsr_error err = {0};
        const int64_t live = tsr_alloc_live();
        const tsr_status status = tsr_ir_run(ir, args, 0, &err);
        assert_string_equal(err.message, rows[k].message);
        if (status == TSR_OK) {
            assert_int_equal(out.n, 6);
            assert_memory_equal(out.data, ((const uint16_t[]){10, 2, 3, 2, 3, 3}), 12);
            tsr_free(out.data);
        }
        assert_int_equal(tsr_alloc_live(), live);
        tsr_ir_free(plain);
        tsr_ir_free(ir);
    }
}

static void test_parameters_are_checked(void **state)
{
    (void)state;
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_expr *n = tsr_ir_index_param(b, "n");
    tsr_ir_array_param(b, "x", false, TSR_F64, true, n);
    tsr_ir *ir = program_finish(b, "");
    tsr_error why = {0};
    tsr_ir_arg args[] = {{.n = 1}, {.data = NULL}};
    assert_int_equal(tsr_ir_run(ir, args, 0, &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "loop program f: x has 1 elements but no data, in: the parameters");
    args[0].n = -1;
    assert_int_equal(tsr_ir_run(ir, args, 0, &why), TSR_ARGUMENT);
    args[0].n = 0;
    assert_ok(tsr_ir_run(ir, args, 0, err));
    tsr_ir_free(ir);
}

static void test_no_memory_at_any_point(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_ir_builder *b = tsr_ir_builder_new("f");
    const tsr_ir_array *y = tsr_ir_array_param(b, "y", false, TSR_F64, false, I(2)),
                       *h = tsr_ir_array_new(b, "h", TSR_F64, TSR_IR_HEAP, I(2), true);
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(0), I(2), TSR_IR_PARALLEL);
    tsr_ir_store(b, h, t, V(1), true, false);
    for (int i = 0; i < 40; i++)
        tsr_ir_store(b, y, t, tsr_ir_load_value(b, h, t, tsr_ir_value_type(TSR_F64)), true, false);
    tsr_ir_end(b);
    tsr_ir *ir = program_finish(b, "");
    double out[2] = {0};
    const tsr_ir_arg args[] = {{.data = out}};
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_ir_run(ir, args, 0, NULL);
        tsr_faults_end(&faults, status);
    }
    assert_true(faults.n > 5);
    tsr_ir_free(ir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_operations),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_spmv_on_any_number_of_threads),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_outputs_are_the_callers),
        cmocka_unit_test(test_parts_are_joined),
        cmocka_unit_test(test_parameters_are_checked),
        cmocka_unit_test(test_no_memory_at_any_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
