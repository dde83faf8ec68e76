/* Programs that show what emit makes of each part of the language. */
#include "emit_programs.h"

#include "ir_programs.h"
#include "tsr_test.h"

#define I(c) tsr_ir_index(b, c)
#define OP(op, x, y) tsr_ir_op2(b, TSR_IR_##op, x, y)
#define ADD(x, y) tsr_ir_add(b, x, y)
#define SUB(x, y) tsr_ir_sub(b, x, y)
#define MUL(x, y) tsr_ir_mul(b, x, y)

typedef const tsr_ir_expr *expr;
typedef const tsr_ir_array *array;

static expr load(tsr_ir_builder *b, array a, expr i)
{
    return tsr_ir_load_value(b, a, i, tsr_ir_value_type(a->elem));
}

static expr load_n(tsr_ir_builder *b, array a, expr i, int lanes)
{
    tsr_ir_type type = tsr_ir_value_type(a->elem);
    type.lanes = lanes;
    return tsr_ir_load_value(b, a, i, type);
}

static expr element_of(tsr_ir_builder *b, void *arg, expr q)
{
    return tsr_ir_load_index(b, arg, q);
}

static void spmv(tsr_ir_builder *b)
{
    program_spmv(b);
}

static void mttkrp(tsr_ir_builder *b)
{
    program_mttkrp(b, 16, TSR_F64, TSR_F64);
}

/* A sparse matrix of blocks of 2 x 3 times a vector; the last blocks stick out of the matrix. */
static void blocked(tsr_ir_builder *b)
{
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64);
    expr i_size = tsr_ir_index_param(b, "i_size"), j_size = tsr_ir_index_param(b, "j_size"),
         A1_size = tsr_ir_index_param(b, "A1_size"), n = tsr_ir_index_param(b, "A2_npos");
    array y = tsr_ir_array_param(b, "y", false, TSR_F64, false, i_size),
          pos = tsr_ir_array_param(b, "A2_pos", true, TSR_U64, true, ADD(A1_size, I(1))),
          crd = tsr_ir_array_param(b, "A2_crd", true, TSR_U32, true, n),
          A = tsr_ir_array_param(b, "A", false, TSR_F64, true, MUL(n, I(6))),
          x = tsr_ir_array_param(b, "x", false, TSR_F64, true, j_size);
    expr A1 = tsr_ir_for(b, "A1", I(0), A1_size, 0);
    array acc = tsr_ir_array_new(b, "acc", TSR_F64, TSR_IR_LOCAL, I(2), true);
    expr p = tsr_ir_for(b, "pA2", tsr_ir_load_index(b, pos, A1), tsr_ir_load_index(b, pos, ADD(A1, I(1))), 0);
    expr A2 = tsr_ir_declare(b, "A2", tsr_ir_load_index(b, crd, p), false);
    expr A3 = tsr_ir_for(b, "A3", I(0), OP(MIN, I(2), SUB(i_size, MUL(A1, I(2)))), 0);
    expr sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, f64, 0), true);
    expr A4 = tsr_ir_for(b, "A4", I(0), OP(MIN, I(3), SUB(j_size, MUL(A2, I(3)))), TSR_IR_VECTOR);
    tsr_ir_assign(
        b, sum,
        MUL(load(b, A, ADD(MUL(ADD(MUL(p, I(2)), A3), I(3)), A4)), load(b, x, ADD(MUL(A2, I(3)), A4))), true);
    tsr_ir_end(b);
    tsr_ir_store(b, acc, A3, sum, true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    A3 = tsr_ir_for(b, "A3", I(0), OP(MIN, I(2), SUB(i_size, MUL(A1, I(2)))), 0);
    tsr_ir_store(b, y, ADD(MUL(A1, I(2)), A3), load(b, acc, A3), false, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

/* Sampled products of dense rows, by vectors. */
static void sddmm(tsr_ir_builder *b)
{
    expr i_size = tsr_ir_index_param(b, "i_size"), j_size = tsr_ir_index_param(b, "j_size"),
         n = tsr_ir_index_param(b, "B2_npos");
    array A = tsr_ir_array_param(b, "A", false, TSR_F64, false, n),
          pos = tsr_ir_array_param(b, "B2_pos", true, TSR_U32, true, ADD(i_size, I(1))),
          crd = tsr_ir_array_param(b, "B2_crd", true, TSR_U32, true, n),
          B = tsr_ir_array_param(b, "B", false, TSR_F64, true, n),
          C = tsr_ir_array_param(b, "C", false, TSR_F64, true, MUL(i_size, I(16))),
          D = tsr_ir_array_param(b, "D", false, TSR_F64, true, MUL(j_size, I(16)));
    expr i = tsr_ir_for(b, "i", I(0), i_size, 0);
    expr p = tsr_ir_for(b, "pB2", tsr_ir_load_index(b, pos, i), tsr_ir_load_index(b, pos, ADD(i, I(1))), 0);
    tsr_ir_prefetch(b, D, MUL(tsr_ir_load_index(b, crd, OP(MIN, ADD(p, I(16)), SUB(n, I(1)))), I(16)), false);
    expr j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, crd, p), false);
    expr sum =
        tsr_ir_declare(b, "sum", MUL(load_n(b, C, MUL(i, I(16)), 8), load_n(b, D, MUL(j, I(16)), 8)), true);
    tsr_ir_assign(b, sum,
                  MUL(load_n(b, C, ADD(MUL(i, I(16)), I(8)), 8), load_n(b, D, ADD(MUL(j, I(16)), I(8)), 8)),
                  true);
    tsr_ir_store(b, A, p, MUL(load(b, B, p), tsr_ir_hsum(b, sum)), false, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

/* Statements of every kind, names that are words of C, variables that nothing reads. */
static void statements(tsr_ir_builder *b)
{
    const tsr_ir_type f32 = tsr_ir_value_type(TSR_F32), c64 = tsr_ir_value_type(TSR_C64);
    expr n = tsr_ir_index_param(b, "n"), unused = tsr_ir_index_param(b, "double");
    array y = tsr_ir_array_param(b, "y", false, TSR_F32, false, n),
          z = tsr_ir_array_param(b, "z", false, TSR_C64, false, n),
          x = tsr_ir_array_param(b, "int", false, TSR_PATTERN, true, n);
    (void)unused;
    tsr_ir_comment(
        b, "Two arrays: the second may fail when the first is there.\nA comment cannot end */ early.");
    array sums = tsr_ir_array_new(b, "sums", TSR_F32, TSR_IR_HEAP, n, true);
    array rest = tsr_ir_array_new(b, "rest", TSR_F32, TSR_IR_HEAP, MUL(n, I(2)), false);
    expr count = tsr_ir_declare(b, "count", I(0), true);
    expr nothing = tsr_ir_declare(b, "nothing", I(7), true);
    expr i = tsr_ir_for(b, "i", I(0), n, TSR_IR_PARALLEL);
    expr is_there = tsr_ir_declare(b, "is_there",
                                   OP(LT, tsr_ir_value(b, f32, 0), tsr_ir_load_value(b, x, i, f32)), false);
    tsr_ir_if(b, OP(OR, OP(AND, is_there, OP(LT, i, I(7))), OP(EQ, OP(MOD, i, I(3)), I(1))));
    tsr_ir_store(b, y, I(0), tsr_ir_value(b, f32, 0.1), true, true);
    tsr_ir_else(b);
    tsr_ir_if(b, OP(NOT, OP(LT, i, I(9)), NULL));
    tsr_ir_store(b, z, OP(FLOORDIV, i, I(2)), MUL(load(b, z, i), tsr_ir_value(b, c64, -2)), true, true);
    tsr_ir_else(b);
    tsr_ir_store(b, sums, i,
                 tsr_ir_select(b, is_there, tsr_ir_value(b, f32, 1e30), OP(NEG, load(b, y, i), NULL)), true,
                 false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    tsr_ir_end(b);
    tsr_ir_while(b, OP(LT, count, n));
    tsr_ir_store(b, rest, OP(FLOORDIV, SUB(count, I(3)), I(2)), load(b, sums, count), false, false);
    tsr_ir_store(b, rest, OP(MOD, SUB(n, count), I(5)), tsr_ir_convert(b, SUB(n, count), f32), false, false);
    tsr_ir_assign(b, count, I(1), true);
    tsr_ir_assign(b, nothing, count, true);
    tsr_ir_store(b, y, I(0), load(b, rest, count), false, false);
    tsr_ir_end(b);
}

/* Two searches by the same function, and one by another; how sums and comparisons are written. */
static void searches(tsr_ir_builder *b)
{
    expr n = tsr_ir_index_param(b, "n"), m = tsr_ir_index_param(b, "lo");
    array pos = tsr_ir_array_param(b, "pos", true, TSR_U32, true, ADD(n, I(1))),
          crd = tsr_ir_array_param(b, "crd", true, TSR_U8, true, ADD(n, I(1))),
          y = tsr_ir_array_param(b, "y", false, TSR_F64, false, n),
          x = tsr_ir_array_param(b, "x", false, TSR_I16, false, n);
    expr first =
        tsr_ir_search(b, "first", (tsr_ir_range){I(0), n}, MUL(m, I(3)), element_of, (void *)(uintptr_t)pos);
    expr last =
        tsr_ir_search(b, "last", (tsr_ir_range){first, n}, I(100), element_of, (void *)(uintptr_t)pos);
    expr other = tsr_ir_search(b, "other", (tsr_ir_range){I(0), n}, m, element_of, (void *)(uintptr_t)crd);
    expr i = tsr_ir_for(b, "i", first, last, 0);
    expr v = tsr_ir_declare(b, "v", load(b, y, i), false);
    tsr_ir_if(b, OP(AND, OP(LT, I(0), other), OP(LE, tsr_ir_value(b, tsr_ir_value_type(TSR_F64), 0), v)));
    tsr_ir_store(b, y, other, OP(NEG, v, NULL), true, false);
    tsr_ir_store(b, y, I(0), OP(NEG, v, NULL), true, true);
    tsr_ir_store(b, x, other, OP(NEG, load(b, x, i), NULL), true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

/* Indices from narrow arrays: computed in 64 bits. */
static void narrow(tsr_ir_builder *b)
{
    expr n = tsr_ir_index_param(b, "n");
    array c8 = tsr_ir_array_param(b, "c8", true, TSR_U8, true, n),
          c32 = tsr_ir_array_param(b, "c32", true, TSR_U32, true, n),
          c64 = tsr_ir_array_param(b, "c64", true, TSR_U64, true, n),
          y = tsr_ir_array_param(b, "y", false, TSR_F64, false, n);
    expr i = tsr_ir_for(b, "i", I(0), n, 0);
    expr a = tsr_ir_load_index(b, c8, i), c = tsr_ir_load_index(b, c32, i), d = tsr_ir_load_index(b, c64, i);
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64);
    tsr_ir_store(b, y, ADD(MUL(c, I(4096)), a), tsr_ir_convert(b, MUL(c, c), f64), false, false);
    tsr_ir_store(b, y, SUB(I(5), c), tsr_ir_convert(b, SUB(ADD(d, MUL(c, I(3))), SUB(a, i)), f64), false,
                 false);
    tsr_ir_store(b, y, OP(NEG, c, NULL), tsr_ir_convert(b, ADD(OP(FLOORDIV, c, I(8)), OP(MOD, a, c)), f64),
                 false, false);
    /* written without parentheses: the first sum, c + a, must not wrap around */
    tsr_ir_store(b, y, ADD(c, ADD(a, i)), tsr_ir_convert(b, MUL(c, MUL(c, d)), f64), false, false);
    tsr_ir_if(b, OP(AND, OP(LT, a, c), OP(NE, d, c)));
    tsr_ir_store(b, y, tsr_ir_select(b, OP(LT, i, I(4)), c, I(-1)), tsr_ir_value(b, f64, 1), false, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

/* All operations of a type, scalars or vectors. */
static void operations(tsr_ir_builder *b, tsr_type type, int lanes)
{
    char name[16];
    const tsr_ir_type t = {TSR_IR_IS_VALUE, type, lanes};
    const bool is_complex = tsr_type_class(type) == 'C';
    snprintf(name, sizeof name, "x%d", type);
    array a = tsr_ir_array_param(b, name, false, type, false, I(64)),
          index = tsr_ir_array_param(b, name, false, type == TSR_U8 ? TSR_PATTERN : TSR_U8, true, I(64));
    expr x = tsr_ir_declare(b, "x", load_n(b, a, I(0), lanes), false), y = load_n(b, a, I(lanes), lanes);
    expr c = tsr_ir_value(b, t, 3);
    expr sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, t, 0), true);
    tsr_ir_assign(b, sum, ADD(MUL(x, y), SUB(x, c)), true);
    tsr_ir_assign(b, sum, OP(DIV, OP(NEG, x, NULL), ADD(y, MUL(c, c))), false);
    tsr_ir_assign(b, sum, tsr_ir_select(b, is_complex ? OP(NE, x, y) : OP(LE, x, y), x, SUB(x, SUB(y, c))),
                  false);
    tsr_ir_store(b, a, I(0), ADD(sum, tsr_ir_load_value(b, index, I(lanes), t)), true, false);
    if (lanes > 1)
        tsr_ir_store(b, a, I(lanes), tsr_ir_hsum(b, sum), true, true);
    else
        tsr_ir_store(b, a, I(lanes), tsr_ir_convert(b, I(7), t), true, true);
}

static void values(tsr_ir_builder *b)
{
    for (int type = 0; type < TSR_PATTERN; type++)
        operations(b, (tsr_type)type, 1);
}

static void vectors(tsr_ir_builder *b)
{
    for (int type = 0; type < TSR_PATTERN; type++)
        if (tsr_type_class((tsr_type)type) != 'C')
            operations(b, (tsr_type)type, 32 / (int)tsr_type_nbytes((tsr_type)type));
}

const emit_program emit_programs[] = {
    {"spmv", "y(i) = A(i,j) * x(j)\n\nA: csr, f64, positions u32, coordinates u16; x, y: dense, f64", spmv,
     0},
    {"mttkrp", "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)\n\nB: csf, f64; A, C, D: dense, f64, 16 columns", mttkrp,
     0},
    {"mttkrp_vectors", "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)\n\nB: csf, f64; A, C, D: dense, f64, 16 columns",
     mttkrp, 64},
    {"blocked", "y(i) = A(i,j) * x(j)\n\nA: bcsr, blocks of 2 x 3, f64; x, y: dense, f64", blocked, 0},
    {"sddmm", "A(i,j) = B(i,j) * C(i,k) * D(j,k)\n\nA, B: csr, f64; C, D: dense, f64, 16 columns", sddmm, 0},
    {"statements", "Statements of every kind", statements, 0},
    {"searches", "Searches", searches, 0},
    {"narrow", "Narrow indices", narrow, 0},
    {"values", "All operations of all types", values, 0},
    {"vectors", "All operations of vectors", vectors, 0},
    {0},
};
