/* Threads and their shares: the loop over threads, that over the shares of a thread, cuts into parts of equal work, and copies of
 * the result, one for each share, which are cleared, added to and added up. What is shared, and how, the plan says. */
#include "lower_internal.h"

#include <stdio.h>

enum { COPY_MULTIPLE = 64 }; /* of the elements of a copy: no cache line has elements of two threads */

void lower_open_threads(lower_program *p, lower_part *part, bool threaded)
{
    const tsr_ir_expr *const zero = tsr_ir_index(p->ir, 0);
    part->nshares = part->nthreads = threaded ? lower_nthreads(p) : tsr_ir_index(p->ir, 1);
    part->number = part->t = threaded ? tsr_ir_for(p->ir, "t", zero, part->nthreads, TSR_IR_PARALLEL) : zero;
}

void lower_open_shares(lower_program *p, lower_part *part, const tsr_plan_share *share)
{
    lower_open_threads(p, part, share->cut);
    if (share->nshares == 0)
        return;
    const tsr_ir_expr *const n = tsr_ir_index(p->ir, share->nshares);
    const tsr_ir_range own = lower_cut(p, part, "share", n, NULL);
    part->number = tsr_ir_for(p->ir, "share", own.lo, own.hi, 0);
    part->nshares = n;
}

void lower_close_shares(lower_program *p, const tsr_plan_share *share)
{
    for (int k = 0; k < (share->cut ? 1 : 0) + (share->nshares > 0); k++)
        tsr_ir_end(p->ir);
}

/* ---- cuts ---- */

/* The begin of share s where [0, n) is cut into equal ranges. */
static const tsr_ir_expr *equal_begin(lower_program *p, const lower_part *part, const tsr_ir_expr *n,
                                      const tsr_ir_expr *s, bool is_large)
{
    tsr_ir_builder *const ir = p->ir;
    if (!is_large)
        return tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_mul(ir, n, s), part->nshares);
    const tsr_ir_expr *const whole = tsr_ir_mul(ir, tsr_ir_op2(ir, TSR_IR_FLOORDIV, n, part->nshares), s);
    const tsr_ir_expr *const rest =
        tsr_ir_op2(ir, TSR_IR_MIN, s, tsr_ir_op2(ir, TSR_IR_MOD, n, part->nshares));
    return tsr_ir_add(ir, whole, rest);
}

tsr_ir_range lower_cut(lower_program *p, const lower_part *part, const char *name, const tsr_ir_expr *n,
                       const lower_work *work)
{
    tsr_ir_builder *const ir = p->ir;
    const tsr_ir_expr *const next = tsr_ir_add(ir, part->number, tsr_ir_index(ir, 1));
    const char *const under = *name ? "_" : "";
    tsr_ir_range r;
    char begin[300], end[300];
    snprintf(begin, sizeof begin, "%.256s%sbegin", name, under);
    snprintf(end, sizeof end, "%.256s%send", name, under);
    if (!work || !work->weigh) {
        r.lo = tsr_ir_declare(ir, begin, equal_begin(p, part, n, part->number, work), false);
        r.hi = tsr_ir_declare(ir, end, equal_begin(p, part, n, next, work), false);
        return r;
    }
    const tsr_ir_expr *const all = tsr_ir_declare(ir, "work", work->all, false);
    r.lo = tsr_ir_search(ir, begin, (tsr_ir_range){tsr_ir_index(ir, 0), n},
                         equal_begin(p, part, all, part->number, false), work->weigh, work->arg);
    r.hi = tsr_ir_search(ir, end, (tsr_ir_range){r.lo, n}, equal_begin(p, part, all, next, false),
                         work->weigh, work->arg);
    return r;
}

/* ---- copies ---- */

/* Declare the copies of the result. */
static lower_copies new_copies(lower_program *p, const lower_loops *loops)
{
    tsr_ir_builder *const ir = p->ir;
    const tsr_plan_share *const share = loops->share;
    const tsr_ir_expr *const n = lower_result_npositions(p), *const each = tsr_ir_index(ir, COPY_MULTIPLE);
    lower_copies copies = {.n = share->nshares ? tsr_ir_index(ir, share->nshares) : lower_nthreads(p),
                           .length = n};
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
        lower_add_copies(p, &copies, result->add);
}
