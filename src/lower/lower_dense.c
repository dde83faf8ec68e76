/* A dense result as a whole: setting all of it, and copies of it, one for each share, which are added up. */
#include "lower_internal.h"

const tsr_ir_expr *lower_nthreads(lower_program *p)
{
    return lower_index_param(p, TSR_PARAM_NTHREADS, -1, -1, -1);
}

const tsr_ir_expr *lower_result_npositions(lower_program *p)
{
    const tsr_plan *plan = p->plan;
    const int shared = plan->walk.pattern_nlevels;
    const tsr_ir_expr *n =
        shared ? lower_index_param(p, TSR_PARAM_NPOS, plan->walk.pattern_tensor, shared - 1, -1)
               : tsr_ir_index(p->ir, 1);
    return lower_npositions(p, plan->notation->result, shared, n);
}

static const tsr_ir_array *result_values(lower_program *p)
{
    return lower_array_param(p, TSR_PARAM_VALUES, 0, -1);
}

/* The range of the result's positions: the thread's part inside a loop over threads that is opened where `threaded`, else
 * all. */
static tsr_ir_range open_result(lower_program *p, bool threaded)
{
    const tsr_ir_expr *const n = lower_result_npositions(p);
    lower_part part;
    if (!threaded)
        return (tsr_ir_range){tsr_ir_index(p->ir, 0), n};
    lower_open_threads(p, &part, true);
    return lower_cut(p, &part, "", n, NULL);
}

/* Open the loop over the range, unless that is [0, 1). Returns the position; *nblocks: of blocks that were opened. */
static const tsr_ir_expr *open_range(lower_program *p, tsr_ir_range r, int *nblocks)
{
    *nblocks = !(r.hi && r.hi->op == TSR_IR_INDEX && r.hi->index == 1);
    return *nblocks ? tsr_ir_for(p->ir, "q", r.lo, r.hi, p->plan->schedule.scalar ? 0 : TSR_IR_VECTOR) : r.lo;
}

void lower_fill(lower_program *p, const tsr_ir_array *array, const tsr_ir_expr *from, tsr_ir_range r,
                const tsr_ir_expr *value)
{
    int nblocks;
    const tsr_ir_expr *const q = open_range(p, r, &nblocks);
    tsr_ir_store(p->ir, array, tsr_ir_add(p->ir, from, q), value, false, false);
    if (nblocks)
        tsr_ir_end(p->ir);
}

/* Set the cells of the result one by one: padding stays 0. */
static void fill_cells(lower_program *p)
{
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS];
    tsr_mode_window whole[TSR_MAX_ORDER];
    tsr_expr cell =
        *p->plan->notation->result; /* with a variable for each mode, which goes through all of it */
    cell.window = whole;
    for (int m = 0; m < cell.nindices; m++) {
        const uint64_t dim = p->operands[0].binding->dims[m];
        cell.index[m] = m;
        whole[m] = (tsr_mode_window){.n = dim, .behind = dim, .step = 1};
        at[m] = tsr_ir_for(p->ir, p->plan->notation->var[p->plan->notation->result->index[m]],
                           tsr_ir_index(p->ir, 0), tsr_ir_index(p->ir, (int64_t)dim), 0);
    }
    tsr_ir_store(p->ir, result_values(p), lower_place(p, &cell, 0, tsr_ir_index(p->ir, 0), at),
                 lower_absent(p), false, false);
    for (int m = 0; m < cell.nindices; m++)
        tsr_ir_end(p->ir);
}

bool lower_keeps_padding(const lower_program *p)
{
    return p->plan->ring->fill != 0 && p->operands[0].binding->may_pad;
}

void lower_clear_result(lower_program *p, bool threaded)
{
    const bool is_scalar = p->operands[0].binding->format->nlevels == 0;
    const tsr_ir_expr *const zero = tsr_ir_index(p->ir, 0);
    if (lower_keeps_padding(p)) {
        fill_cells(p);
        return;
    }
    const tsr_ir_range r =
        is_scalar ? (tsr_ir_range){zero, tsr_ir_index(p->ir, 1)} : open_result(p, threaded);
    lower_fill(p, result_values(p), zero, r, lower_absent(p));
    if (threaded && !is_scalar)
        tsr_ir_end(p->ir);
}

const tsr_ir_array *lower_new_sums(lower_program *p, const char *name, const tsr_ir_expr *n)
{
    const bool is_zero = p->plan->ring->fill == 0;
    const tsr_ir_array *const sums = tsr_ir_array_new(p->ir, name, p->type, TSR_IR_LOCAL, n, is_zero);
    const tsr_ir_expr *const zero = tsr_ir_index(p->ir, 0);
    if (!is_zero)
        lower_fill(p, sums, zero, (tsr_ir_range){zero, n}, lower_absent(p));
    return sums;
}

/* ---- copies ---- */

/* result[q] = (or +=) copies[from + q] for q in the range. */
static void take_copy(lower_program *p, const lower_copies *copies, const tsr_ir_expr *from, tsr_ir_range r,
                      bool add)
{
    int nblocks;
    const tsr_ir_expr *const q = open_range(p, r, &nblocks);
    const tsr_ir_expr *const x =
        tsr_ir_load_value(p->ir, copies->array, tsr_ir_add(p->ir, from, q), tsr_ir_value_type(p->type));
    lower_add_to_result(p, &(lower_sink){.array = result_values(p), .add = add}, q, x);
    if (nblocks)
        tsr_ir_end(p->ir);
}

/* Open a loop over blocks of the range; returns the range of a block. A block of the result stays in the first cache while all
 * copies are added to it. */
static tsr_ir_range open_copy_blocks(lower_program *p, tsr_ir_range r)
{
    enum { BLOCK = 1024 };
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *block = tsr_ir_index(ir, BLOCK);
    const tsr_ir_expr *whole = tsr_ir_add(ir, tsr_ir_sub(ir, r.hi, r.lo), tsr_ir_index(ir, BLOCK - 1));
    const tsr_ir_expr *n =
        tsr_ir_declare(ir, "nblocks", tsr_ir_op2(ir, TSR_IR_FLOORDIV, whole, block), false);
    const tsr_ir_expr *b = tsr_ir_for(ir, "b", tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *first = tsr_ir_add(ir, r.lo, tsr_ir_mul(ir, b, block));
    const tsr_ir_expr *lo = tsr_ir_declare(ir, "block_begin", first, false);
    return (tsr_ir_range){
        lo,
        tsr_ir_declare(ir, "block_end", tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_add(ir, lo, block), r.hi), false)};
}

/* result[q] += the elements q of copy u in the range that the share touched. */
static void add_touched(lower_program *p, const lower_copies *copies, const tsr_ir_expr *u, tsr_ir_range r)
{
    tsr_ir_builder *ir = p->ir;
    r.lo = tsr_ir_op2(ir, TSR_IR_MAX, r.lo, tsr_ir_load_index(ir, copies->first, u));
    r.hi = tsr_ir_op2(ir, TSR_IR_MIN, r.hi, tsr_ir_load_index(ir, copies->end, u));
    r.lo = tsr_ir_declare(ir, "lo", r.lo, false);
    r.hi = tsr_ir_declare(ir, "hi", r.hi, false);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, r.lo, r.hi));
    take_copy(p, copies, tsr_ir_mul(ir, u, copies->length), r, true);
    tsr_ir_end(ir);
}

void lower_add_copies(lower_program *p, const lower_copies *copies, bool add)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *const zero = tsr_ir_index(ir, 0), *const all = lower_result_npositions(p);
    const bool threaded = all && all->op != TSR_IR_INDEX;
    tsr_ir_comment(ir, p->plan->schedule.deterministic ? "add up the shares' copies"
                                                       : "add up the threads' copies");
    tsr_ir_range r = open_result(p, threaded);
    if (threaded)
        r = open_copy_blocks(p, r);
    if (!add && copies->first)
        lower_fill(p, result_values(p), zero, r, lower_absent(p));
    else if (!add)
        take_copy(p, copies, zero, r, false);
    const bool takes_first = add || copies->first;
    const tsr_ir_expr *u = tsr_ir_for(ir, "u", takes_first ? zero : tsr_ir_index(ir, 1), copies->n, 0);
    if (copies->first)
        add_touched(p, copies, u, r);
    else
        take_copy(p, copies, tsr_ir_mul(ir, u, copies->length), r, true);
    tsr_ir_end(ir);
    for (int k = 0; k < 2 && threaded; k++)
        tsr_ir_end(ir);
}
