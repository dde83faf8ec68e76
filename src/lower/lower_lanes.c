/* Blocks of parents whose children are visited side by side, a lane for each parent: y(i) = A(i,j) * x(j) where A has
 * slots (ell slot by slot, sell). Each lane adds up a row of its own, in the order of the slots, so the sums are those
 * of the loop row by row. Padding does not branch: the lane adds 0, selected after a product with some element of x. */
#include "lower_term.h"

static const tsr_format *format_of(const lower_state *s)
{
    return s->p->operands[s->term->driver].binding->format;
}

/* Visit the children of the n rows from `first` on: acc[lane] = the sum of the lane, each entry times `above`. */
static void sum_block(lower_state *s, const tsr_ir_array *acc, const tsr_ir_expr *first, uint64_t n,
                      const lower_product *above)
{
    tsr_ir_builder *ir = s->ir;
    const tsr_nest *term = s->term;
    lower_walk w;
    lower_walk_init(&w, s->p, term, 1);
    w.walk.parent = first;
    w.walk.selects = true;
    format_of(s)->levels[1].type->walker->open_block(&w.walk);
    const tsr_ir_expr *lane =
        tsr_ir_for(ir, "lane", tsr_ir_index(ir, 0), tsr_ir_index(ir, (int64_t)n), TSR_IR_VECTOR);
    w.walk.position = tsr_ir_declare(ir, w.pos, tsr_ir_add(ir, w.walk.position, lane), false);
    tsr_level_skip_padding(&w.walk);
    s->pos[2] = w.walk.position;
    s->crd[1] = s->at[term->mode[term->level[1].mode].var] = w.walk.coordinate;
    lower_product product = *above;
    lower_collect(s, 2, &product);
    lower_add_to(s->p, acc, lane,
                 tsr_ir_select(ir, w.walk.stored, lower_multiply(s, &product, NULL), lower_absent(s->p)));
    tsr_ir_end(ir);
    tsr_ir_close(ir, w.walk.nblocks);
}

/* Store the sums of rows [from, end); acc has those from row `first` on. */
static void store_range(lower_state *s, const tsr_ir_array *acc, const tsr_ir_expr *first,
                        const tsr_ir_expr *from, const tsr_ir_expr *end, const lower_product *above)
{
    lower_share rows = *s->share;
    const lower_share *all = s->share;
    const lower_target result = {.is_result = true};
    rows.lo[1] = from;
    rows.hi[1] = end;
    s->share = &rows;
    int nblocks = lower_open_level(s, 0) + lower_enter(s, 1);
    lower_product product = *above;
    lower_collect(s, 1, &product);
    const tsr_ir_expr *sum =
        tsr_ir_load_value(s->ir, acc, tsr_ir_sub(s->ir, s->pos[1], first), lower_type(s->p));
    product.item[product.n++] = (lower_item){.scalar = sum};
    lower_contribute(s, 1, &result, &product);
    tsr_ir_close(s->ir, nblocks);
    s->share = all;
}

/* Store the sums of the block of n rows from `first` on, of which those before `stop` exist (NULL: all do). Loops that
 * scatter have a short literal length: a compiler unrolls them, while it makes vectors of others, and to scatter a vector
 * is slow (SpMV, uniform, 8 entries in a row, EPYC: 5.9 ms, unrolled 4.7 ms). */
static void store_block(lower_state *s, const tsr_ir_array *acc, const tsr_ir_expr *first, uint64_t n,
                        const tsr_ir_expr *stop, const lower_product *above)
{
    enum { UNROLLED = 8 };
    tsr_ir_builder *ir = s->ir;
    const tsr_ir_expr *end = tsr_ir_add(ir, first, tsr_ir_index(ir, (int64_t)n));
    const bool is_scattered = !format_of(s)->levels[0].type->full;
    const bool has_parts = is_scattered && n > UNROLLED && n % UNROLLED == 0;
    if (stop)
        tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LE, end, stop));
    if (has_parts) {
        const tsr_ir_expr *each = tsr_ir_index(ir, UNROLLED);
        const tsr_ir_expr *part =
            tsr_ir_for(ir, "part", tsr_ir_index(ir, 0), tsr_ir_index(ir, (int64_t)(n / UNROLLED)), 0);
        const tsr_ir_expr *from =
            tsr_ir_declare(ir, "from", tsr_ir_add(ir, first, tsr_ir_mul(ir, part, each)), false);
        store_range(s, acc, first, from, tsr_ir_add(ir, from, each), above);
        tsr_ir_end(ir);
    } else {
        store_range(s, acc, first, first, end, above);
    }
    if (stop) { /* the last slice may have fewer rows */
        tsr_ir_else(ir);
        store_range(s, acc, first, first, stop, above);
        tsr_ir_end(ir);
    }
}

bool lower_visit_lanes(lower_state *s, const lower_product *above, lower_share *rest)
{
    const uint64_t n = s->term->special.slots;
    if (n == 0)
        return false;
    tsr_ir_builder *ir = s->ir;
    const bool whole = format_of(s)->levels[1].type->walker->has_whole_blocks;
    const tsr_ir_expr *each = tsr_ir_index(ir, (int64_t)n), *zero = tsr_ir_index(ir, 0);
    const tsr_ir_expr *lo = s->share->lo[1] ? s->share->lo[1] : zero;
    const tsr_ir_expr *hi =
        s->share->hi[1] ? s->share->hi[1] : lower_first(s->p, s->term, 0, 1, tsr_ir_index(ir, 1));
    const tsr_ir_expr *up = tsr_ir_index(ir, (int64_t)n - 1);
    const tsr_ir_expr *begin = whole ? tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_add(ir, lo, up), each) : zero;
    const tsr_ir_expr *end =
        tsr_ir_op2(ir, TSR_IR_FLOORDIV, whole ? tsr_ir_add(ir, hi, up) : tsr_ir_sub(ir, hi, lo), each);
    end = tsr_ir_declare(ir, "block_end", end, false);
    const tsr_ir_expr *block = tsr_ir_for(ir, "block", begin, end, 0);
    const tsr_ir_expr *first = tsr_ir_mul(ir, block, each);
    first = tsr_ir_declare(ir, "first", whole ? first : tsr_ir_add(ir, lo, first), false);
    const tsr_ir_array *acc = lower_new_sums(s->p, "acc", each);
    const lower_product nothing = {.n = 0};
    const bool is_inside = tsr_nest_has_scalars(s->term);
    sum_block(s, acc, first, n, is_inside ? above : &nothing);
    const tsr_ir_expr *stop = whole ? lower_first(s->p, s->term, 0, 1, tsr_ir_index(ir, 1)) : NULL;
    store_block(s, acc, first, n, stop, is_inside ? &nothing : above);
    tsr_ir_end(ir);
    *rest = *s->share;
    rest->lo[1] = whole ? NULL : tsr_ir_add(ir, lo, tsr_ir_mul(ir, end, each));
    rest->hi[1] = whole ? NULL : hi;
    return true;
}
