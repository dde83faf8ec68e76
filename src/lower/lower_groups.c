/* Groups of entries: lists that store both coordinates of each entry in blocks (csbc, csb), whose values are added
 * to places that jump, are visited eight entries at a time, with one prefetch for each array that is read in order. The
 * processor recognises late, among the jumps, that these arrays are read in order; prefetches entry by entry would cost
 * more than they save. SpMV, csbc(32768,32768), EPYC, one thread, loops without tbench: a uniform matrix with 4 M entries 5.9 ms
 * without prefetches, 5.8 with prefetches of the values entry by entry, 5.0 in groups; a power law with 8 M entries 13.4 and
 * 12.7, and 11.6 with prefetches of y. */
#include "lower_term.h"

/* The entries of the share below depth d: [*begin, the result). */
static const tsr_ir_expr *range(lower_state *s, int d, const tsr_ir_expr **begin)
{
    tsr_ir_builder *ir = s->ir;
    const tsr_ir_expr *lo = lower_first(s->p, s->term, d, d + 1, s->pos[d]);
    const tsr_ir_expr *hi =
        lower_first(s->p, s->term, d, d + 1, tsr_ir_add(ir, s->pos[d], tsr_ir_index(ir, 1)));
    if (s->share->lo[d + 1])
        lo = tsr_ir_op2(ir, TSR_IR_MAX, lo, s->share->lo[d + 1]);
    *begin = tsr_ir_declare(ir, "begin", lo, false);
    if (s->share->hi[d + 1])
        hi = tsr_ir_op2(ir, TSR_IR_MAX, *begin, tsr_ir_op2(ir, TSR_IR_MIN, hi, s->share->hi[d + 1]));
    return tsr_ir_declare(ir, "end", hi, false);
}

/* Visit the entries [lo, hi). */
static void visit_part(lower_state *s, int d, const tsr_ir_expr *lo, const tsr_ir_expr *hi,
                       const lower_target *into, const lower_product *above)
{
    const lower_share *all = s->share;
    lower_share part = *all;
    part.lo[d + 1] = lo;
    part.hi[d + 1] = hi;
    s->share = &part;
    s->in_group = true;
    lower_visit_level(s, d, into, above);
    s->share = all;
}

void lower_visit_groups(lower_state *s, int d, const lower_product *above)
{
    tsr_ir_builder *ir = s->ir;
    const tsr_ir_expr *begin, *end = range(s, d, &begin), *size = tsr_ir_index(ir, TSR_NEST_GROUP);
    const tsr_ir_expr *n = tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_sub(ir, end, begin), size);
    n = tsr_ir_declare(ir, "ngroups", n, false);
    const tsr_ir_expr *group = tsr_ir_for(ir, "group", tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *first =
        tsr_ir_declare(ir, "first", tsr_ir_add(ir, begin, tsr_ir_mul(ir, group, size)), false);
    visit_part(s, d, first, tsr_ir_add(ir, first, size), NULL, above);
    tsr_ir_end(ir);
    visit_part(s, d, tsr_ir_add(ir, begin, tsr_ir_mul(ir, n, size)), end, NULL, above);
}

/* ---- partial sums ----
 * An addition has to wait for the one before (four cycles), so long lists are added up in as many lanes as a cache line has
 * values: TTV on fibers of 228 entries, EPYC, 2.33 to 1.91 ms, of which the result's zeros take most. */

/* Add the products of the n entries from `first` on to acc, a lane for each. */
static void add_lanes(lower_state *s, int d, const tsr_ir_array *acc, const tsr_ir_expr *first, uint64_t n)
{
    tsr_ir_builder *ir = s->ir;
    const int v = s->term->mode[s->term->level[d].mode].var;
    lower_walk w;
    lower_walk_init(&w, s->p, s->term, d);
    const tsr_ir_expr *lane =
        tsr_ir_for(ir, "lane", tsr_ir_index(ir, 0), tsr_ir_index(ir, (int64_t)n), TSR_IR_VECTOR);
    s->pos[d + 1] = tsr_ir_declare(ir, w.pos, tsr_ir_add(ir, first, lane), false);
    const tsr_ir_array *list = lower_array_param(s->p, TSR_PARAM_CRD, s->term->driver, d);
    const tsr_ir_expr *crd = tsr_ir_declare(ir, w.crd, tsr_ir_load_index(ir, list, s->pos[d + 1]), false);
    const tsr_ir_expr *last = tsr_ir_sub(ir, lower_size(s->p, v), tsr_ir_index(ir, 1));
    s->crd[d] = s->at[v] =
        tsr_ir_op2(ir, TSR_IR_MIN, crd, last); /* a gather, which is always within the vector */
    lower_product product = {.n = 0};
    lower_collect(s, d + 1, &product);
    tsr_ir_store(ir, acc, lane, lower_multiply(s, &product), true, false);
    tsr_ir_end(ir);
}

void lower_visit_partial_sums(lower_state *s, int d, const lower_target *into, const lower_product *above)
{
    tsr_ir_builder *ir = s->ir;
    const tsr_ir_type type = tsr_ir_value_type(s->p->type);
    s->p->lanes = s->term->special.lanes_nbytes;
    const uint64_t n = (uint64_t)s->p->lanes / tsr_type_nbytes(s->p->type);
    const tsr_ir_expr *begin, *end = range(s, d, &begin), *size = tsr_ir_index(ir, (int64_t)n);
    const tsr_ir_expr *zero = tsr_ir_index(ir, 0);
    const tsr_ir_expr *ngroups = tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_sub(ir, end, begin), size);
    ngroups = tsr_ir_declare(ir, "ngroups", ngroups, false);
    const tsr_ir_array *acc = tsr_ir_array_new(ir, "lanes", s->p->type, TSR_IR_LOCAL, size, true);
    const tsr_ir_expr *group = tsr_ir_for(ir, "group", zero, ngroups, 0);
    const tsr_ir_expr *first =
        tsr_ir_declare(ir, "first", tsr_ir_add(ir, begin, tsr_ir_mul(ir, group, size)), false);
    add_lanes(s, d, acc, first, n);
    tsr_ir_end(ir);
    const tsr_ir_expr *lane = tsr_ir_for(ir, "lane", zero, size, 0);
    tsr_ir_assign(ir, into->scalar, tsr_ir_load_value(ir, acc, lane, type), true);
    tsr_ir_end(ir);
    visit_part(s, d, tsr_ir_add(ir, begin, tsr_ir_mul(ir, ngroups, size)), end, into, above);
}
