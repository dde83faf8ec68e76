/* Groups of entries: lists that store both coordinates of each entry (csbc, csb, coo), whose values are added
 * to places that jump, are visited eight entries at a time, with one prefetch for each array that is read in order. The
 * processor recognises late, among the jumps, that these arrays are read in order; prefetches entry by entry would cost
 * more than they save. SpMV, csbc(32768,32768), EPYC, one thread, loops without tbench: a uniform matrix with 4 M entries 5.9 ms
 * without prefetches, 5.8 with prefetches of the values entry by entry, 5.0 in groups; a power law with 8 M entries 13.4 and
 * 12.7, and 11.6 with prefetches of y. */
#include "lower_term.h"

enum { GROUP = 8, LEAST = 64 /* entries in a list, on average */ };

bool lower_has_groups(const lower_state *s, int d)
{
    const lower_term *term = s->term;
    const lower_graph *graph = s->p->graph;
    const uint64_t lists = lower_known_positions(graph, term, d),
                   n = lower_known_positions(graph, term, term->nlevels);
    return (graph->schedule.prefetch > 0 || (lists > 0 && n / lists >= LEAST)) &&
           term->store == term->nlevels && d < term->nlevels - 1 && !term->dense && !term->deferred &&
           !term->run && !term->skips_zeros && term->across <= 0 && !s->sink->atomic &&
           lower_is_chain(graph->operands[term->driver].binding->format, term, d) &&
           lower_is_long_stream(graph, term, d);
}

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
                       const lower_product *above)
{
    const lower_share *all = s->share;
    lower_share part = *all;
    part.lo[d + 1] = lo;
    part.hi[d + 1] = hi;
    s->share = &part;
    s->in_group = true;
    lower_visit_level(s, d, NULL, above);
    s->share = all;
}

void lower_visit_groups(lower_state *s, int d, const lower_product *above)
{
    tsr_ir_builder *ir = s->ir;
    const tsr_ir_expr *begin, *end = range(s, d, &begin), *size = tsr_ir_index(ir, GROUP);
    const tsr_ir_expr *n = tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_sub(ir, end, begin), size);
    n = tsr_ir_declare(ir, "ngroups", n, false);
    const tsr_ir_expr *group = tsr_ir_for(ir, "group", tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *first =
        tsr_ir_declare(ir, "first", tsr_ir_add(ir, begin, tsr_ir_mul(ir, group, size)), false);
    lower_prefetch_group(s, d, first, GROUP);
    visit_part(s, d, first, tsr_ir_add(ir, first, size), above);
    tsr_ir_end(ir);
    visit_part(s, d, tsr_ir_add(ir, begin, tsr_ir_mul(ir, n, size)), end, above);
}
