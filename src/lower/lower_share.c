/* Threads and their shares: the loop over threads, that over the shares of a thread, and copies of the result, one for each share,
 * which are cleared, added to and added up. What is shared, and how, the plan says; lower_cut.c writes which loops a share has. */
#include "lower_internal.h"

enum { COPY_MULTIPLE = 64 }; /* of the elements of a copy: no cache line has elements of two threads */

const tsr_ir_expr *lower_nthreads(lower_program *p, bool threaded)
{
    return threaded ? lower_index_param(p, TSR_PARAM_NTHREADS, -1, -1, -1) : tsr_ir_index(p->ir, 1);
}

void lower_open_threads(lower_program *p, lower_part *part, bool threaded)
{
    const tsr_ir_expr *const zero = tsr_ir_index(p->ir, 0);
    part->nshares = part->nthreads = lower_nthreads(p, threaded);
    part->number = part->t = threaded ? tsr_ir_for(p->ir, "t", zero, part->nthreads, TSR_IR_PARALLEL) : zero;
}

void lower_open_shares(lower_program *p, lower_part *part, const tsr_plan_share *share)
{
    lower_open_threads(p, part, share->cut);
    if (share->nshares == 0)
        return;
    const tsr_ir_expr *const n = tsr_ir_index(p->ir, share->nshares);
    const tsr_ir_range own = lower_cut(p, part, "share", n);
    part->number = tsr_ir_for(p->ir, "share", own.lo, own.hi, 0);
    part->nshares = n;
}

void lower_close_shares(lower_program *p, const tsr_plan_share *share)
{
    for (int k = 0; k < (share->cut ? 1 : 0) + (share->nshares > 0); k++)
        tsr_ir_end(p->ir);
}

const tsr_ir_expr *lower_nshares(lower_program *p, const tsr_plan_share *share)
{
    return share->nshares > 0 ? tsr_ir_index(p->ir, share->nshares) : lower_nthreads(p, share->cut);
}

tsr_ir_range lower_open_result(lower_program *p, bool threaded)
{
    const tsr_ir_expr *const n = lower_result_npositions(p);
    lower_part part;
    if (!threaded)
        return (tsr_ir_range){tsr_ir_index(p->ir, 0), n};
    lower_open_threads(p, &part, true);
    return lower_cut(p, &part, "", n);
}

/* ---- elements ---- */

static const tsr_ir_array *result_values(lower_program *p)
{
    return lower_array_param(p, TSR_PARAM_VALUES, 0, -1);
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

/* Copies of the result, one for each share. */
typedef struct lower_copies {
    const tsr_ir_array *array;
    const tsr_ir_expr *n,
        *length; /* the number of copies; elements from the begin of one to that of the next */
    const tsr_ir_array *first, *end; /* by share: the elements that it touches; NULL: all */
} lower_copies;

/* Declare the copies of the result. */
static lower_copies new_copies(lower_program *p, const lower_loops *loops)
{
    tsr_ir_builder *const ir = p->ir;
    const tsr_plan_share *const share = loops->share;
    const tsr_ir_expr *const n = lower_result_npositions(p), *const each = tsr_ir_index(ir, COPY_MULTIPLE);
    lower_copies copies = {.n = lower_nshares(p, share), .length = n};
    tsr_ir_comment(ir, share->nshares > 0 ? "a copy of the result for each share of the work"
                                          : "a copy of the result for each thread");
    if (!n || n->op != TSR_IR_INDEX || n->index != 1) {
        const tsr_ir_expr *const lines = tsr_ir_add(ir, n, tsr_ir_index(ir, COPY_MULTIPLE - 1));
        copies.length = tsr_ir_declare(
            ir, "length", tsr_ir_mul(ir, tsr_ir_op2(ir, TSR_IR_FLOORDIV, lines, each), each), false);
    }
    copies.array =
        tsr_ir_array_new(ir, "copies", p->type, TSR_IR_HEAP, tsr_ir_mul(ir, copies.length, copies.n), false);
    if (loops->has_interval) {
        copies.first = tsr_ir_index_array_new(ir, "first_touched", TSR_U64, TSR_IR_HEAP, copies.n, false);
        copies.end = tsr_ir_index_array_new(ir, "end_touched", TSR_U64, TSR_IR_HEAP, copies.n, false);
    }
    return copies;
}

/* Clear the share's copy where the share touches it; returns its first element. */
static const tsr_ir_expr *start_copy(lower_program *p, const lower_loops *loops, const lower_copies *copies,
                                     const lower_part *part, tsr_ir_range touched)
{
    tsr_ir_builder *const ir = p->ir;
    const tsr_ir_expr *offset = tsr_ir_mul(ir, part->number, copies->length);
    if (offset != part->number)
        offset = tsr_ir_declare(ir, "copy", offset, false);
    if (loops->has_interval) {
        tsr_ir_store(ir, copies->first, part->number, touched.lo, false, false);
        tsr_ir_store(ir, copies->end, part->number, touched.hi, false, false);
    } else {
        touched = (tsr_ir_range){tsr_ir_index(ir, 0), lower_result_npositions(p)};
    }
    lower_fill(p, copies->array, offset, touched, lower_absent(p));
    return offset;
}

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

/* result[q] = (or +=) the sum of all copies' elements q, in the order of the shares; each thread takes a part of them. */
static void add_copies(lower_program *p, const lower_copies *copies, bool add)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *const zero = tsr_ir_index(ir, 0), *const all = lower_result_npositions(p);
    const bool threaded = all && all->op != TSR_IR_INDEX;
    tsr_ir_comment(ir, p->plan->schedule.deterministic ? "add up the shares' copies"
                                                       : "add up the threads' copies");
    tsr_ir_range r = lower_open_result(p, threaded);
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

void lower_emit_shared(lower_program *p, const lower_loops *loops, const lower_sink *result)
{
    const tsr_plan_share *const share = loops->share;
    const bool has_copies = share->sharing == TSR_SHARE_PRIVATE;
    lower_sink sink = *result;
    lower_copies copies = {0};
    lower_part part;
    if (has_copies) {
        copies = new_copies(p, loops);
        sink = (lower_sink){.array = copies.array, .add = true};
    }
    sink.atomic = share->sharing == TSR_SHARE_ATOMIC;
    lower_open_shares(p, &part, share);
    const tsr_ir_range touched = loops->begin(loops->arg, &part);
    if (has_copies)
        sink.offset = start_copy(p, loops, &copies, &part, touched);
    loops->emit(loops->arg, &sink);
    lower_close_shares(p, share);
    if (has_copies)
        add_copies(p, &copies, result->add);
}
