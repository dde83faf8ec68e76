/* Prefetching rows of factors. A row is worth it when its place comes from coordinates that are stored at the
 * last level: these can be read some positions ahead. */
#include "lower_term.h"

enum { LINE_NBYTES = 64, CACHE_NBYTES = 32768 };

/* The first of the levels whose positions are those of the last level, and that store their coordinates; or
 * nlevels when there is none. */
static int chain_start(const lower_graph *graph, const lower_term *term)
{
    const tsr_format *format = graph->operands[term->driver].binding->format;
    int l = term->nlevels - 1;
    while (l > 0 && format->levels[l].type->branchless)
        l--;
    return format->levels[l].type->has_crd ? l : term->nlevels;
}

/* Whether the factor is a row that is worth fetching: known at the last level, longer than one element, of a
 * tensor that does not fit the first cache. */
static bool wants_prefetch(const lower_state *s, const lower_factor *f)
{
    const lower_graph *graph = s->p->graph;
    if (f->expr->kind != TSR_EXPR_ACCESS || f->is_driver || f->dense == 0 || f->depth != s->term->nlevels ||
        graph->operands[f->expr->tensor].iso)
        return false;
    const tsr_binding *binding = graph->operands[f->expr->tensor].binding;
    double nbytes = (double)tsr_type_nbytes(graph->operands[f->expr->tensor].type);
    for (int m = 0; m < binding->format->order; m++)
        nbytes *= (double)binding->dims[m];
    return nbytes > CACHE_NBYTES;
}

/* coordinates[v]: where the variables will be `ahead` positions later, for those that the chain tells; the
 * start of their range for dense ones. */
static void coordinates_ahead(lower_state *s, const tsr_ir_expr **coordinates, int start,
                              const tsr_ir_expr *position)
{
    const lower_term *term = s->term;
    const tsr_binding *binding = s->p->graph->operands[term->driver].binding;
    const tsr_ir_expr *crd[TSR_MAX_LEVELS];
    int perm[TSR_MAX_LEVELS];
    const bool is_permutation = tsr_format_is_permutation(binding->format, perm);
    for (int l = 0; l < term->nlevels; l++)
        crd[l] =
            l < start
                ? s->crd[l]
                : tsr_ir_add(s->ir,
                             tsr_ir_load_index(s->ir, lower_array_param(s->p, TSR_PARAM_CRD, term->driver, l),
                                               position),
                             tsr_ir_index(s->ir, binding->base[l]));
    for (int v = 0; v < s->p->graph->notation->nvars; v++)
        coordinates[v] = term->known[v] >= 0 ? s->at[v] : s->first[v] ? s->first[v] : tsr_ir_index(s->ir, 0);
    for (int m = 0; m < binding->format->order; m++)
        if (term->mode[m].binds && term->mode[m].depth > start)
            coordinates[term->mode[m].var] = is_permutation
                                                 ? crd[term->mode[m].depth - 1]
                                                 : lower_map_result(s->p, binding->inverse, m, crd);
}

/* Elements of the factor that lie one after the other from its first on. */
static uint64_t row_length(const lower_state *s, const lower_factor *f)
{
    const tsr_format *format = s->p->graph->operands[f->expr->tensor].binding->format;
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_permutation(format, perm))
        return 1;
    const int v = f->expr->index[perm[format->nlevels - 1]];
    return lower_has(f->dense, v) ? s->count[v] : 1;
}

void lower_prefetch(lower_state *s)
{
    const lower_term *term = s->term;
    const int asked = s->p->graph->schedule.prefetch;
    if (term->driver < 0 || term->nlevels == 0 || asked < 0)
        return;
    const int start = chain_start(s->p->graph, term);
    const tsr_ir_expr *ahead = NULL, *coordinates[TSR_NOTATION_MAX_VARS];
    for (int i = 0; i < term->nfactors && start < term->nlevels; i++) {
        const lower_factor *f = &term->factor[i];
        if (!wants_prefetch(s, f))
            continue;
        if (!ahead) {
            const tsr_ir_expr *last = tsr_ir_sub(
                s->ir, lower_index_param(s->p, TSR_PARAM_NPOS, term->driver, term->nlevels - 1, -1),
                tsr_ir_index(s->ir, 1));
            ahead = tsr_ir_add(s->ir, s->pos[term->nlevels],
                               tsr_ir_index(s->ir, asked > 0 ? asked : LOWER_PREFETCH));
            ahead = tsr_ir_declare(s->ir, "ahead", tsr_ir_op2(s->ir, TSR_IR_MIN, ahead, last), false);
            coordinates_ahead(s, coordinates, start, ahead);
        }
        const tsr_ir_array *array = lower_array_param(s->p, TSR_PARAM_VALUES, f->expr->tensor, -1);
        const tsr_ir_expr *place = lower_place(s->p, f->expr, 0, tsr_ir_index(s->ir, 0), coordinates);
        const uint64_t nbytes = tsr_type_nbytes(s->p->graph->operands[f->expr->tensor].type);
        const uint64_t row = row_length(s, f);
        const uint64_t step = LINE_NBYTES / nbytes;
        for (uint64_t k = 0; k < row && k < LOWER_PREFETCH_LINES * step; k += step)
            tsr_ir_prefetch(s->ir, array, tsr_ir_add(s->ir, place, tsr_ir_index(s->ir, (int64_t)k)), false);
    }
}
