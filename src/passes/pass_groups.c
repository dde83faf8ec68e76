/* A loop that is marked GROUPS takes several iterations at a time.
 *
 *     for p in [lo, hi) in groups of 8      let begin: index = lo
 *       y[crd[p]] += x[p]                   let end: index = hi
 *                                           let ngroups: index = max(end - begin, 0) floordiv 8
 *                                      ->   for group in [0, ngroups)
 *                                             let first: index = begin + group * 8
 *                                             for p in [first, first + 8)
 *                                               y[crd[p]] += x[p]
 *                                           for p in [begin + ngroups * 8, end)
 *                                             y[crd[p]] += x[p]
 *
 * One prefetch then serves the loop of literal length for each array that is read in order. Lists that store both coordinates of each
 * entry in blocks (csbc, csb) add values to places that jump; the processor recognises late, among the jumps, that these arrays
 * are read in order, and prefetches entry by entry would cost more than they save. SpMV, csbc(32768,32768), EPYC, one thread,
 * loops without tbench: a uniform matrix with 4 M entries 5.9 ms without prefetches, 5.8 with prefetches of the values entry by
 * entry, 5.0 in groups; a power law with 8 M entries 13.4 and 12.7, and 11.6 with prefetches of y. */
#include "passes_internal.h"

static tsr_status take_groups(tsr_ir *ir, tsr_ir_block *block, tsr_ir_stmt *before, tsr_ir_stmt *loop,
                              tsr_error *err)
{
    tsr_ir_builder *const b = ir->builder;
    tsr_ir_copier c;
    pass_grouping g;
    TSR_TRY(pass_copier_init(&c, ir, err));
    tsr_ir_begin_insert(ir, block, before);
    pass_open_groups(&g, b, loop);
    tsr_ir_stmt group = *loop;
    group.lo = g.first;
    group.hi = tsr_ir_add(b, g.first, tsr_ir_index(b, loop->each));
    group.each = 0;
    tsr_ir_copy_stmt(&c, &group);
    pass_close_groups(&g, b, loop);
    pass_copier_clear(&c);
    return tsr_ir_end_insert(ir, err);
}

tsr_status pass_groups(tsr_ir *ir, tsr_error *err)
{
    return pass_each_loop(ir, &ir->body, TSR_IR_GROUPS, take_groups, err);
}
