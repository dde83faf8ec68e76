#include "ir_programs.h"

#include "tsr_test.h"

#define I(c) tsr_ir_index(b, c)
#define ADD(x, y) tsr_ir_add(b, x, y)
#define MUL(x, y) tsr_ir_mul(b, x, y)

static const tsr_ir_expr *position_of(tsr_ir_builder *b, void *arg, const tsr_ir_expr *q)
{
    const tsr_ir_array *pos = arg;
    return tsr_ir_load_index(b, pos, q);
}

/* The first row that has an entry from `target` on. */
static const tsr_ir_expr *first_row(tsr_ir_builder *b, const char *name, const tsr_ir_expr *target,
                                    const tsr_ir_expr *rows, const tsr_ir_array *pos)
{
    return tsr_ir_search(b, name, (tsr_ir_range){I(0), rows}, target, position_of, (void *)(uintptr_t)pos);
}

void program_spmv(tsr_ir_builder *b)
{
    const tsr_ir_type f64 = tsr_ir_value_type(TSR_F64);
    const tsr_ir_expr *nthreads = tsr_ir_index_param(b, "nthreads"), *rows = tsr_ir_index_param(b, "i_size"),
                      *cols = tsr_ir_index_param(b, "j_size"), *nnz = tsr_ir_index_param(b, "A2_npos");
    const tsr_ir_array *pos = tsr_ir_array_param(b, "A2_pos", true, TSR_U32, true, ADD(rows, I(1))),
                       *crd = tsr_ir_array_param(b, "A2_crd", true, TSR_U16, true, nnz),
                       *values = tsr_ir_array_param(b, "A", false, TSR_F64, true, nnz),
                       *x = tsr_ir_array_param(b, "x", false, TSR_F64, true, cols),
                       *y = tsr_ir_array_param(b, "y", false, TSR_F64, false, rows);
    const tsr_ir_expr *t = tsr_ir_for(b, "t", I(0), nthreads, TSR_IR_PARALLEL);
    tsr_ir_comment(b, "the rows of this thread: as many entries as the others have");
    const tsr_ir_expr *lo =
        first_row(b, "lo", tsr_ir_op2(b, TSR_IR_FLOORDIV, MUL(nnz, t), nthreads), rows, pos);
    const tsr_ir_expr *hi =
        first_row(b, "hi", tsr_ir_op2(b, TSR_IR_FLOORDIV, MUL(nnz, ADD(t, I(1))), nthreads), rows, pos);
    const tsr_ir_expr *i = tsr_ir_for(b, "i", lo, hi, 0);
    const tsr_ir_expr *sum = tsr_ir_declare(b, "sum", tsr_ir_value(b, f64, 0), true);
    const tsr_ir_expr *p =
        tsr_ir_for(b, "pA2", tsr_ir_load_index(b, pos, i), tsr_ir_load_index(b, pos, ADD(i, I(1))), 0);
    const tsr_ir_expr *j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, crd, p), false);
    tsr_ir_assign(b, sum, MUL(tsr_ir_load_value(b, values, p, f64), tsr_ir_load_value(b, x, j, f64)), true);
    tsr_ir_end(b);
    tsr_ir_store(b, y, i, sum, false, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

void program_mttkrp(tsr_ir_builder *b, int rank, tsr_type elem, tsr_type compute)
{
    const tsr_ir_type type = tsr_ir_value_type(compute);
    const tsr_ir_expr *isize = tsr_ir_index_param(b, "i_size"), *jsize = tsr_ir_index_param(b, "j_size"),
                      *ksize = tsr_ir_index_param(b, "k_size"), *n1 = tsr_ir_index_param(b, "B1_npos"),
                      *n2 = tsr_ir_index_param(b, "B2_npos"), *nnz = tsr_ir_index_param(b, "B3_npos");
    const tsr_ir_array *crd1 = tsr_ir_array_param(b, "B1_crd", true, TSR_U32, true, n1),
                       *pos2 = tsr_ir_array_param(b, "B2_pos", true, TSR_U32, true, ADD(n1, I(1))),
                       *crd2 = tsr_ir_array_param(b, "B2_crd", true, TSR_U32, true, n2),
                       *pos3 = tsr_ir_array_param(b, "B3_pos", true, TSR_U32, true, ADD(n2, I(1))),
                       *crd3 = tsr_ir_array_param(b, "B3_crd", true, TSR_U16, true, nnz),
                       *B = tsr_ir_array_param(b, "B", false, elem, true, nnz),
                       *C = tsr_ir_array_param(b, "C", false, elem, true, MUL(jsize, I(rank))),
                       *D = tsr_ir_array_param(b, "D", false, elem, true, MUL(ksize, I(rank))),
                       *A = tsr_ir_array_param(b, "A", false, elem, false, MUL(isize, I(rank)));
    const tsr_ir_expr *p1 = tsr_ir_for(b, "pB1", I(0), n1, 0);
    const tsr_ir_expr *i = tsr_ir_declare(b, "i", tsr_ir_load_index(b, crd1, p1), false);
    const tsr_ir_array *row = tsr_ir_array_new(b, "row", compute, TSR_IR_LOCAL, I(rank), true);
    const tsr_ir_expr *p2 =
        tsr_ir_for(b, "pB2", tsr_ir_load_index(b, pos2, p1), tsr_ir_load_index(b, pos2, ADD(p1, I(1))), 0);
    const tsr_ir_expr *j = tsr_ir_declare(b, "j", tsr_ir_load_index(b, crd2, p2), false);
    const tsr_ir_array *fiber = tsr_ir_array_new(b, "fiber", compute, TSR_IR_LOCAL, I(rank), true);
    const tsr_ir_expr *p3 =
        tsr_ir_for(b, "pB3", tsr_ir_load_index(b, pos3, p2), tsr_ir_load_index(b, pos3, ADD(p2, I(1))), 0);
    tsr_ir_prefetch(b, D, MUL(tsr_ir_load_index(b, crd3, p3), I(rank)), false);
    const tsr_ir_expr *k = tsr_ir_declare(b, "k", tsr_ir_load_index(b, crd3, p3), false);
    const tsr_ir_expr *v = tsr_ir_declare(b, "v", tsr_ir_load_value(b, B, p3, type), false);
    const tsr_ir_expr *r = tsr_ir_for(b, "r", I(0), I(rank), TSR_IR_VECTOR);
    tsr_ir_store(b, fiber, r, MUL(v, tsr_ir_load_value(b, D, ADD(MUL(k, I(rank)), r), type)), true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    r = tsr_ir_for(b, "r", I(0), I(rank), TSR_IR_VECTOR);
    tsr_ir_store(
        b, row, r,
        MUL(tsr_ir_load_value(b, fiber, r, type), tsr_ir_load_value(b, C, ADD(MUL(j, I(rank)), r), type)),
        true, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
    r = tsr_ir_for(b, "r", I(0), I(rank), TSR_IR_VECTOR);
    tsr_ir_store(b, A, ADD(MUL(i, I(rank)), r), tsr_ir_load_value(b, row, r, type), false, false);
    tsr_ir_end(b);
    tsr_ir_end(b);
}

tsr_ir *program_finish(tsr_ir_builder *b, const char *header)
{
    tsr_ir *ir;
    assert_ok(tsr_ir_finish(&ir, b, header, err));
    return ir;
}

char *program_text(const tsr_ir *ir)
{
    tsr_text text = {0};
    tsr_ir_print(&text, ir);
    assert_ok(tsr_text_status(&text, err));
    char *copy = strdup(tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return copy;
}
