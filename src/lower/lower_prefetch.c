/* Prefetching rows of factors and of the result, and lists that are read in order: plan_nest_prefetch.c decides which. */
#include "lower_term.h"

enum {
    LINE_NBYTES = 64,
    STREAM_NBYTES = 16384, /* distance in a long row */
};

/* coordinates[v]: the coordinate of variable v at the given position for variables of the levels [start, d),
 * the start of the range for dense variables, and the current coordinate for others. */
static void coordinates_ahead(lower_state *s, const tsr_ir_expr **coordinates, int start, int d,
                              const tsr_ir_expr *position)
{
    const tsr_nest *term = s->term;
    const tsr_binding *binding = s->p->operands[term->driver].binding;
    const tsr_ir_expr *crd[TSR_MAX_LEVELS];
    int perm[TSR_MAX_LEVELS];
    const bool is_permutation = tsr_format_is_permutation(binding->format, perm);
    for (int l = 0; l < term->nlevels; l++) /* nothing that is wanted depends on the levels from d on */
        crd[l] =
            l < start ? s->crd[l]
            : l < d
                ? tsr_ir_add(s->ir,
                             tsr_ir_load_index(s->ir, lower_array_param(s->p, TSR_PARAM_CRD, term->driver, l),
                                               position),
                             tsr_ir_index(s->ir, binding->base[l]))
                : tsr_ir_index(s->ir, 0);
    for (int v = 0; v < s->p->plan->notation->nvars; v++)
        coordinates[v] = term->known[v] >= 0 ? s->at[v] : s->first[v] ? s->first[v] : tsr_ir_index(s->ir, 0);
    for (int m = 0; m < binding->format->order; m++)
        if (term->mode[m].binds && term->mode[m].depth > start && term->mode[m].depth <= d)
            coordinates[term->mode[m].var] = is_permutation
                                                 ? crd[term->mode[m].depth - 1]
                                                 : lower_map_result(s->p, binding->inverse, m, crd);
}

/* Fetch the lines of a row from array[place] on. */
static void fetch_row(lower_state *s, const tsr_expr *access, const tsr_ir_array *array,
                      const tsr_ir_expr *place, uint32_t dense, bool write)
{
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(s->p->operands[access->tensor].type);
    const uint64_t n = tsr_nest_row_lines(s->p->plan, access, dense, s->count);
    for (uint64_t k = 0; k < n; k++)
        tsr_ir_prefetch(s->ir, array, tsr_ir_add(s->ir, place, tsr_ir_index(s->ir, (int64_t)(k * step))),
                        write);
}

/* The coordinates some positions ahead, computed once. */
typedef struct ahead {
    bool found;
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS];
} ahead;

/* Fill in `later`, once, with the coordinates at the prefetch distance. */
static void look_ahead(lower_state *s, ahead *later, int start, int d)
{
    const int leaf = s->term->special.ahead;
    const int distance = d == s->term->nlevels || d == s->term->sink.run ? leaf : (leaf + 1) / 2;
    if (later->found)
        return;
    const tsr_ir_expr *last = tsr_ir_sub(
        s->ir, lower_index_param(s->p, TSR_PARAM_NPOS, s->term->driver, d - 1, -1), tsr_ir_index(s->ir, 1));
    const tsr_ir_expr *position = tsr_ir_add(s->ir, s->pos[d], tsr_ir_index(s->ir, distance));
    position = tsr_ir_declare(s->ir, "ahead", tsr_ir_op2(s->ir, TSR_IR_MIN, position, last), false);
    coordinates_ahead(s, later->at, start, d, position);
    later->found = true;
    s->p->prefetches = true;
}

void lower_prefetch(lower_state *s, int d)
{
    const tsr_nest *term = s->term;
    const tsr_expr *result = s->p->plan->notation->result;
    ahead later = {.found = false};
    if (term->driver < 0 || d == 0)
        return;
    const int start = tsr_nest_chain_start(s->p->plan, term, d);
    for (int i = 0; i < term->nfactors; i++) {
        const tsr_nest_factor *f = &term->factor[i];
        if (!(term->special.fetched[d] >> i & 1))
            continue;
        look_ahead(s, &later, start, d);
        fetch_row(s, f->expr, lower_array_param(s->p, TSR_PARAM_VALUES, f->expr->tensor, -1),
                  lower_place(s->p, f->expr, 0, tsr_ir_index(s->ir, 0), later.at), f->dense, false);
    }
    if (term->special.fetches_result >> d & 1) {
        look_ahead(s, &later, start, d);
        const tsr_ir_expr *place = lower_place(s->p, result, 0, tsr_ir_index(s->ir, 0), later.at);
        if (s->sink->offset)
            place = tsr_ir_add(s->ir, s->sink->offset, place);
        fetch_row(s, result, s->sink->array, place, term->dense & ~term->sum, true);
    }
}

/* Fetch the lines of n elements from array[place] on. */
static void fetch_stream(lower_state *s, const tsr_ir_array *array, const tsr_ir_expr *place, uint64_t n)
{
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(array->elem);
    for (uint64_t k = 0; k * step < n && k < TSR_PLAN_PREFETCH_LINES; k++)
        tsr_ir_prefetch(s->ir, array, tsr_ir_add(s->ir, place, tsr_ir_index(s->ir, (int64_t)(k * step))),
                        false);
}

void lower_prefetch_positions(lower_state *s, int from, const tsr_ir_expr *first, uint64_t n)
{
    const int driver = s->term->driver;
    if (!(s->term->special.streams >> from & 1))
        return;
    const tsr_ir_expr *place = tsr_ir_add(s->ir, first, tsr_ir_index(s->ir, s->term->special.streams_ahead));
    for (int l = from; l < s->term->nlevels; l++)
        if (s->p->operands[driver].nbytes[TSR_LEVEL_CRD][l] > 0)
            fetch_stream(s, lower_array_param(s->p, TSR_PARAM_CRD, driver, l), place, n);
    if (!s->p->operands[driver].iso)
        fetch_stream(s, lower_array_param(s->p, TSR_PARAM_VALUES, driver, -1), place, n);
}

void lower_prefetch_group(lower_state *s, int d, const tsr_ir_expr *first, uint64_t n)
{
    tsr_ir_builder *ir = s->ir;
    const int leaf = s->term->nlevels;
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS], *size = tsr_ir_index(ir, (int64_t)n);
    lower_prefetch_positions(s, d, first, n);
    if (!(s->term->special.places >> d & 1))
        return;
    const tsr_ir_expr *last =
        tsr_ir_sub(ir, lower_index_param(s->p, TSR_PARAM_NPOS, s->term->driver, leaf - 1, -1), size);
    const tsr_ir_expr *later = tsr_ir_op2(
        ir, TSR_IR_MIN, tsr_ir_add(ir, first, tsr_ir_index(ir, s->term->special.places_ahead)), last);
    later = tsr_ir_declare(ir, "ahead", later, false);
    const tsr_ir_expr *k = tsr_ir_for(ir, "k", tsr_ir_index(ir, 0), size, 0);
    coordinates_ahead(s, at, d, leaf, tsr_ir_add(ir, later, k));
    const tsr_ir_expr *place = lower_place(s->p, s->p->plan->notation->result, 0, tsr_ir_index(ir, 0), at);
    if (s->sink->offset)
        place = tsr_ir_add(ir, s->sink->offset, place);
    tsr_ir_prefetch(ir, s->sink->array, place, true);
    tsr_ir_end(ir);
}

void lower_prefetch_stream(lower_state *s)
{
    const tsr_plan_operand *driver = &s->p->operands[s->term->driver];
    if (s->p->plan->schedule.prefetch < 0 || driver->iso)
        return;
    const int64_t distance = STREAM_NBYTES / (int64_t)tsr_type_nbytes(driver->type);
    tsr_ir_prefetch(s->ir, lower_array_param(s->p, TSR_PARAM_VALUES, s->term->driver, -1),
                    tsr_ir_add(s->ir, s->pos[s->term->nlevels], tsr_ir_index(s->ir, distance)), false);
}
