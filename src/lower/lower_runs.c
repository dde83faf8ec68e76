/* Runs: positions that follow each other with the same coordinate, in a list that stores a coordinate for each entry (strips,
 * coordinates). Where the row of the result is known there and runs are long, the contributions of a run are added up in a
 * local array, which the compiler keeps in registers, and added to the row once.
 *
 * The processor guesses the end of a run wrongly, so short runs cost more than they save, and long rows more than short
 * ones: fewer entries are under way when it begins anew. MTTKRP on an EPYC (Zen 4), uniform and power law, rank 16: runs of
 * 6.7 take 5 to 18% less, of 3.3 to 5 from 5% less to 20% more; rank 32: runs of 6.7 up to 23% more. Runs of
 * 188 and 900 take 54% less with rank 16, 27 to 37% less with 32, 16 to 29% less with 64. */
#include "lower_term.h"

#include "tsr_checked.h"

/* Positions at least, on average; bytes of a row at most; the same for long runs. */
enum { RUN = 6, ROW_NBYTES = 128, LONG_RUN = 32, LONG_ROW_NBYTES = 512 };

/* Prefetched cache lines of an entry, at most, where two entries are taken at a time: MTTKRP of rank 16, EPYC, takes 0 to 12%
 * less with 0 or 2 lines, with 4 lines (modes of 100,000 and 60,000) from 3% less to 8% more. Rows of 256 bytes, which fill
 * the registers: 10% less to 11% more. Keys (alto), with rows of three factors 0 to 9% less on one thread, from 3% less to 3%
 * more on two; with rows of two factors from 5% less to 8% more. */
enum { FETCHED_LINES = 2, KEY_ROWS = 3 };

bool lower_is_chain(const tsr_format *format, const lower_term *term, int l)
{
    if (!tsr_level_is_list(format->levels[l].type) || !format->levels[l].nonunique ||
        !format->levels[l].type->walker->open_runs)
        return false;
    for (int k = l + 1; k < term->nlevels; k++)
        if (!format->levels[k].type->branchless)
            return false;
    for (int m = 0; m < term->access->nindices; m++)
        if (!term->mode[m].binds || term->mode[m].low || term->mode[m].high)
            return false;
    for (int k = 0; k < term->nlevels; k++)
        if (term->level[k].check_depth >= 0)
            return false;
    return true;
}

/* The bytes of a row of the result that an entry is added to. */
static bool row_nbytes(uint64_t *nbytes, const lower_graph *graph, const lower_term *term)
{
    *nbytes = tsr_type_nbytes(graph->type);
    for (int v = 0; v < graph->notation->nfree; v++)
        if (lower_has(term->dense, v) && !tsr_mul_u64(nbytes, *nbytes, graph->size[v]))
            return false;
    return true;
}

/* Whether the entries have keys, from which the rows of three factors or more are found. */
static bool is_key_of_many(const lower_term *term)
{
    int nrows = 0;
    for (int i = 0; i < term->nfactors; i++)
        nrows += !term->factor[i].is_driver && term->factor[i].dense != 0;
    return term->nlevels == 1 && term->level[0].mode < 0 && nrows >= KEY_ROWS;
}

bool lower_takes_two(const lower_graph *graph, const lower_term *term, int l)
{
    uint64_t nbytes;
    if (graph->schedule.plain)
        return false;
    if (term->driver < 0 || !(term->dense & ~term->sum) || term->dense & term->sum ||
        !row_nbytes(&nbytes, graph, term) || nbytes > ROW_NBYTES)
        return false;
    const tsr_level_spec *const levels = graph->operands[term->driver].binding->format->levels;
    if (!tsr_level_is_list(levels[l].type))
        return false;
    if (l + 1 == term->nlevels)
        return is_key_of_many(term) && (graph->schedule.serial || graph->nthreads == 1);
    for (int k = l + 1; k < term->nlevels; k++)
        if (!levels[k].type->branchless)
            return false;
    return lower_prefetched_lines(graph, term) <= FETCHED_LINES;
}

bool lower_has_runs(const lower_graph *graph, const lower_term *term)
{
    const int l = term->out - 1;
    uint64_t most, nbytes;
    if (term->driver < 0 || l < 0 || term->out == term->nlevels || term->shared ||
        graph->pattern_tensor >= 0 || graph->schedule.parallel_var || term->level[l].mode < 0 ||
        !lower_is_chain(graph->operands[term->driver].binding->format, term, l))
        return false;
    if (!row_nbytes(&nbytes, graph, term))
        return false;
    const uint64_t size = graph->operands[term->driver].binding->size[l];
    if (!(term->dense & ~term->sum) || !tsr_mul_u64(&most, lower_known_positions(graph, term, l), size) ||
        most == 0)
        return false;
    const uint64_t run = lower_known_positions(graph, term, l + 1) / most;
    return (run >= RUN && nbytes <= ROW_NBYTES) || (run >= LONG_RUN && nbytes <= LONG_ROW_NBYTES);
}

/* 1 where position q is below the end and has this coordinate, else 0. */
static void follow(lower_state *s, const tsr_ir_expr *more, const tsr_ir_expr *q)
{
    tsr_ir_builder *ir = s->ir;
    const int l = s->term->run - 1;
    const tsr_ir_array *crd = lower_array_param(s->p, TSR_PARAM_CRD, s->term->driver, l);
    const tsr_ir_expr *same =
        tsr_ir_op2(ir, TSR_IR_EQ, tsr_ir_load_index(ir, crd, q), s->local[LOWER_LEVEL_AXIS + l]);
    tsr_ir_assign(ir, more, tsr_ir_index(ir, 0), false);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, q, s->run_end));
    tsr_ir_assign(ir, more, tsr_ir_select(ir, same, tsr_ir_index(ir, 1), tsr_ir_index(ir, 0)), false);
    tsr_ir_end(ir);
}

const tsr_ir_expr *lower_open_run(lower_state *s)
{
    const tsr_ir_expr *more = tsr_ir_declare(s->ir, "more", tsr_ir_index(s->ir, 1), true);
    tsr_ir_while_marked(s->ir, tsr_ir_op2(s->ir, TSR_IR_NE, more, tsr_ir_index(s->ir, 0)),
                        lower_takes_two(s->p->graph, s->term, s->term->run - 1) ? TSR_IR_TWICE : 0);
    return more;
}

void lower_close_run(lower_state *s, const tsr_ir_expr *more)
{
    const tsr_ir_expr *q = s->pos[s->term->run];
    tsr_ir_assign(s->ir, q, tsr_ir_index(s->ir, 1), true);
    follow(s, more, q);
    tsr_ir_end(s->ir);
}
