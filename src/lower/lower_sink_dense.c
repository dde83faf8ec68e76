/* The body of a program with a dense result, or one that has the levels of an operand: the result is set to the value of absent
 * entries, unless the first term sets all of it, and each term runs over the shares of its threads, as the plan says. The loops of a
 * term walk or merge. */
#include "lower_merge.h"
#include "lower_term.h"

enum { MANY_ELEMENTS = 1 << 16 /* that all threads set together, where loops merge */ };

/* ---- the result as a whole ---- */

/* Whether the result has padding that is not like absent cells. */
static bool keeps_padding(const lower_program *p)
{
    return p->plan->ring->fill != 0 && p->operands[0].binding->may_pad && !p->plan->walk.has_zeros;
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
    tsr_ir_store(p->ir, lower_array_param(p, TSR_PARAM_VALUES, 0, -1),
                 lower_place(p, &cell, 0, tsr_ir_index(p->ir, 0), at), lower_absent(p), false, false);
    tsr_ir_close(p->ir, cell.nindices);
}

/* Set all elements of the result to the value of absent cells, and padding to 0; where `threaded`, each thread sets a part. */
static void clear_result(lower_program *p, bool threaded)
{
    const bool is_scalar = p->operands[0].binding->format->nlevels == 0;
    const tsr_ir_expr *const zero = tsr_ir_index(p->ir, 0);
    if (keeps_padding(p)) {
        fill_cells(p);
        return;
    }
    const tsr_ir_range r =
        is_scalar ? (tsr_ir_range){zero, tsr_ir_index(p->ir, 1)} : lower_open_result(p, threaded);
    lower_fill(p, lower_array_param(p, TSR_PARAM_VALUES, 0, -1), zero, r, lower_empty(p));
    tsr_ir_close(p->ir, threaded && !is_scalar);
}

/* ---- the first term ---- */

static bool is_private(const tsr_plan *plan, const tsr_plan_term *term)
{
    return tsr_plan_share_of(plan, term)->sharing == TSR_SHARE_PRIVATE;
}

/* Whether the term stores no element of the result twice; copies of the result are added up first. */
static bool stores_once(const lower_program *p, const tsr_plan_term *term)
{
    if (is_private(p->plan, term))
        return !keeps_padding(p);
    return term->nest->sink.once && term->nest->share.sharing != TSR_SHARE_ATOMIC;
}

/* Whether it stores all elements, each once. */
static bool covers(const lower_program *p, const tsr_plan_term *term)
{
    const tsr_nest *const nest = term->nest;
    const bool all =
        is_private(p->plan, term) || (nest->sink.covers && nest->share.sharing == TSR_SHARE_EXCLUSIVE);
    return !nest->empty && all && stores_once(p, term);
}

/* Whether the parts of the result that belong to the term's windows are ranges of positions. */
static bool has_ranges(const lower_program *p, const tsr_nest *term)
{
    int perm[TSR_MAX_LEVELS];
    const tsr_binding *binding = p->operands[0].binding;
    const tsr_expr *result = p->plan->notation->result;
    if (!term->special.window || !tsr_format_is_permutation(binding->format, perm) || binding->base[0] != 0 ||
        binding->format->levels[0].pitch != 0 || tsr_expr_window(result, perm[0]))
        return false;
    return result->index[perm[0]] == term->mode[term->level[term->special.window].mode].var;
}

/* Set all elements of the result to the value of absent entries. */
static void clear(lower_program *p)
{
    const tsr_plan *const plan = p->plan;
    double n = 1;
    bool threaded = false;
    for (int m = 0; m < plan->notation->result->nindices; m++)
        n *= (double)p->operands[0].binding->dims[m];
    for (int i = 0; i < plan->nterms; i++)
        threaded = threaded || tsr_plan_share_of(plan, &plan->term[i])->cut;
    clear_result(p, threaded && (tsr_plan_walks(plan) || n >= MANY_ELEMENTS));
}

/* ---- terms ---- */

void merge_point(merge_state *s)
{
    const tsr_ir_expr *const sum = tsr_ir_declare(s->ir, "sum", merge_neutral(s), true);
    s->work.any = tsr_ir_declare(s->ir, "any", tsr_ir_bool(s->ir, false), true);
    s->work.point = sum;
    merge_terms(s);
    s->work.point = NULL;
    tsr_ir_if(s->ir, s->work.any);
    merge_add_to_dense(s, sum);
    tsr_ir_end(s->ir);
}

/* The loops of a term, or of all terms, and the share of a term that walks. */
typedef struct term_loops {
    merge_state *s;
    const tsr_plan_term *term;
    lower_share share;
} term_loops;

static tsr_ir_range begin(void *arg, const lower_part *part)
{
    term_loops *const loops = arg;
    merge_state *const s = loops->s;
    const tsr_plan_share *const share = tsr_plan_share_of(s->plan, loops->term);
    s->share.part = *part;
    if (loops->term->walks) {
        loops->share = merge_cut(s, share, loops->term->nest);
        return share->sharing == TSR_SHARE_PRIVATE && share->interval.how
                   ? lower_interval(s->p, loops->term->nest, &loops->share)
                   : (tsr_ir_range){NULL, NULL};
    }
    merge_start_share(s, share->cut ? share : NULL);
    return (tsr_ir_range){NULL, NULL};
}

/* A sum for a copy of one element that the loops add to more than once stays in a variable. */
static void merge(merge_state *s, const tsr_plan_term *term, const lower_sink *sink)
{
    const bool is_scalar =
        s->plan->nresult == 0 && sink->offset && (s->plan->nouter > 0 || term->nest->sink.store > 0);
    s->dense = *sink;
    s->work.sum = is_scalar ? tsr_ir_declare(s->ir, "sum", lower_absent(s->p), true) : NULL;
    if (s->plan->nouter > 0)
        merge_outer(s, 0);
    else
        lower_emit_merged(s, term);
    if (is_scalar)
        tsr_ir_store(s->ir, sink->array, sink->offset, s->work.sum, false, false);
    s->work.sum = NULL;
}

static void emit(void *arg, const lower_sink *sink)
{
    const term_loops *const loops = arg;
    if (loops->term->walks)
        lower_emit_term(loops->s->p, loops->term->nest, sink, &loops->share);
    else
        merge(loops->s, loops->term, sink);
}

void merge_emit_dense(merge_state *s)
{
    lower_program *const p = s->p;
    const tsr_plan *const plan = s->plan;
    const bool threaded = !tsr_plan_is_serial(plan), sets = !plan->notation->accumulate;
    const tsr_nest *const first = plan->nterms ? plan->term[0].nest : NULL;
    s->out.values = lower_array_param(p, TSR_PARAM_VALUES, 0, -1);
    lower_sink result = {.array = s->out.values};
    const bool zeroes = sets && !(plan->nterms && covers(p, &plan->term[0]));
    result.clears = zeroes && first && !first->empty && !keeps_padding(p) && has_ranges(p, first);
    if (zeroes && !result.clears)
        clear(p);
    merge_new_places(s, threaded);
    merge_new_united(s, threaded);
    for (int i = 0; i < (plan->nouter > 0 ? 1 : plan->nterms); i++) {
        term_loops loops = {.s = s, .term = &plan->term[i]};
        const tsr_plan_share *const share = tsr_plan_share_of(plan, loops.term);
        const lower_loops of = {
            .share = share, .has_interval = share->interval.how, .begin = begin, .emit = emit, .arg = &loops};
        result.add = !sets || i > 0 || !stores_once(p, loops.term);
        if (!loops.term->nest->empty)
            lower_emit_shared(p, &of, &result);
        result.clears = false;
    }
}
