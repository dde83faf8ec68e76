/* The body of a program: the result is set to zero unless the first term sets it; each term runs over the
 * shares of its threads; private copies are added up. */
#include "lower_internal.h"

#include <stdio.h>

/* The number of shares of a term; term NULL: the number of threads. */
static const tsr_ir_expr *nshares(lower_program *p, const tsr_nest *term)
{
    return term && term->share.nshares > 0 ? tsr_ir_index(p->ir, term->share.nshares) : lower_nthreads(p);
}

/* n * s floordiv nshares: the beginning of share s where [0, n) is cut into equal ranges. */
static const tsr_ir_expr *equal_share(lower_program *p, const tsr_nest *term, const tsr_ir_expr *n,
                                      const tsr_ir_expr *s)
{
    return tsr_ir_op2(p->ir, TSR_IR_FLOORDIV, tsr_ir_mul(p->ir, n, s), nshares(p, term));
}

static const tsr_ir_expr *next(lower_program *p, const tsr_ir_expr *t)
{
    return tsr_ir_add(p->ir, t, tsr_ir_index(p->ir, 1));
}

/* ---- cutting ---- */

/* The work before position q at depth `from`: the number of positions before it at depth `to`, plus q where
 * with_self is set. */
typedef struct weight {
    lower_program *p;
    const tsr_nest *term;
    int from, to;
    bool with_self;
} weight;

static const tsr_ir_expr *weigh(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    const tsr_ir_expr *first = lower_work_before(w->p, w->term, w->from, w->to, q);
    return w->with_self ? tsr_ir_add(ir, first, q) : first;
}

/* The share's range at depth d: the parents of its range at depth d + 1. */
static void cut_above(lower_program *p, const tsr_nest *term, lower_share *share, int d)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *lo = share->lo[d + 1], *hi = share->hi[d + 1];
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    lower_walk w;
    char name[300];
    lower_walk_init(&w, p, term, d - 1);
    const tsr_level_type *below = p->operands[term->driver].binding->format->levels[d].type;
    if (below->branchless) {
        share->lo[d] = lo;
        share->hi[d] = hi;
        return;
    }
    lower_walk child;
    lower_walk_init(&child, p, term, d);
    if (below->full) {
        const tsr_ir_expr *pitch = child.walk.pitch;
        lo = tsr_ir_op2(ir, TSR_IR_FLOORDIV, lo, pitch);
        hi = tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_add(ir, hi, tsr_ir_sub(ir, pitch, one)), pitch);
    } else {
        const tsr_ir_expr *zero = tsr_ir_index(ir, 0), *n = lower_first(p, term, 0, d, one);
        weight first = {p, term, d, d + 1, false};
        snprintf(name, sizeof name, "%s_first", w.pos);
        lo = tsr_ir_search(ir, name, (tsr_ir_range){zero, n}, tsr_ir_add(ir, lo, one), weigh, &first);
        lo = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_sub(ir, lo, one), zero);
        snprintf(name, sizeof name, "%s_last", w.pos);
        hi = tsr_ir_search(ir, name, (tsr_ir_range){zero, n}, hi, weigh, &first);
    }
    snprintf(name, sizeof name, "%s_begin", w.pos);
    share->lo[d] = tsr_ir_declare(ir, name, lo, false);
    snprintf(name, sizeof name, "%s_end", w.pos);
    share->hi[d] = tsr_ir_declare(ir, name, hi, false);
}

/* The key at position q of the first level; arg is a weight. */
static const tsr_ir_expr *key_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    const tsr_ir_array *crd = lower_array_param(w->p, TSR_PARAM_CRD, w->term->driver, 0);
    return tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_load_index(ir, crd, q),
                      tsr_ir_index(ir, w->term->share.cut_key));
}

/* The first position p >= q with p = 0 or key(p) != key(p - 1). */
static const tsr_ir_expr *move_to_change(lower_program *p, const tsr_nest *term, const char *name,
                                         const tsr_ir_expr *q, const tsr_ir_expr *n)
{
    tsr_ir_builder *ir = p->ir;
    weight key = {p, term, 0, 0, false};
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *cut = tsr_ir_declare(ir, name, q, true);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, tsr_ir_index(ir, 0), cut));
    const tsr_ir_expr *target = tsr_ir_add(ir, key_at(ir, &key, tsr_ir_sub(ir, cut, one)), one);
    tsr_ir_assign(ir, cut, tsr_ir_search(ir, "change", (tsr_ir_range){cut, n}, target, key_at, &key), false);
    tsr_ir_end(ir);
    return cut;
}

/* Thread t's share of the driver's positions. A cut is where the number of leaf positions before it plus the
 * number of positions before it reaches t / nthreads of the total; so each position belongs to a share, even
 * one without leaves. */
static void cut_driver(lower_program *p, const tsr_nest *term, lower_share *share, const tsr_ir_expr *t)
{
    tsr_ir_builder *ir = p->ir;
    const int c = term->share.cut;
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *n = lower_first(p, term, 0, c, one);
    char name[300];
    lower_walk w;
    lower_walk_init(&w, p, term, c - 1);
    if (lower_is_even(p->plan, term, c, term->nlevels)) {
        snprintf(name, sizeof name, "%s_begin", w.pos);
        share->lo[c] = tsr_ir_declare(ir, name, equal_share(p, term, n, t), false);
        snprintf(name, sizeof name, "%s_end", w.pos);
        share->hi[c] = tsr_ir_declare(ir, name, equal_share(p, term, n, next(p, t)), false);
    } else {
        weight work = {p, term, c, term->nlevels, true};
        const tsr_ir_expr *all = tsr_ir_add(ir, lower_work_before(p, term, c, term->nlevels, n), n);
        all = tsr_ir_declare(ir, "work", all, false);
        snprintf(name, sizeof name, "%s_begin", w.pos);
        share->lo[c] = tsr_ir_search(ir, name, (tsr_ir_range){tsr_ir_index(ir, 0), n},
                                     equal_share(p, term, all, t), weigh, &work);
        snprintf(name, sizeof name, "%s_end", w.pos);
        share->hi[c] = tsr_ir_search(ir, name, (tsr_ir_range){share->lo[c], n},
                                     equal_share(p, term, all, next(p, t)), weigh, &work);
    }
    if (term->share.cut_key > 0) {
        snprintf(name, sizeof name, "%s_first", w.pos);
        share->lo[c] = move_to_change(p, term, name, share->lo[c], n);
        snprintf(name, sizeof name, "%s_last", w.pos);
        share->hi[c] = move_to_change(p, term, name, share->hi[c], n);
    }
    for (int d = c - 1; d >= 1; d--)
        cut_above(p, term, share, d);
}

/* The coordinate at position q of level `across`, a list. */
static const tsr_ir_expr *coordinate_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    return tsr_ir_load_index(ir, lower_array_param(w->p, TSR_PARAM_CRD, w->term->driver, w->from), q);
}

const tsr_ir_expr *lower_find_across(lower_program *p, const tsr_nest *term, const char *name,
                                     const tsr_ir_expr *above, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.across;
    const tsr_ir_expr *first = lower_first(p, term, l, l + 1, above);
    if (p->operands[term->driver].binding->format->levels[l].type->full)
        return tsr_ir_add(ir, first, coordinate);
    weight at = {p, term, l, l, false};
    const tsr_ir_expr *end = lower_first(p, term, l, l + 1, tsr_ir_add(ir, above, tsr_ir_index(ir, 1)));
    return tsr_ir_search(ir, name, (tsr_ir_range){first, end}, coordinate, coordinate_at, &at);
}

/* The work before coordinate q of level `across`, below all positions of the level above: leaf positions, and also
 * coordinates if each coordinate has a position. */
static const tsr_ir_expr *weigh_across(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const weight *w = arg;
    const int l = w->from;
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *n = lower_first(w->p, w->term, 0, l, one);
    const tsr_ir_expr *before = w->with_self ? tsr_ir_mul(ir, q, n) : tsr_ir_index(ir, 0);
    before = tsr_ir_declare(ir, "before", before, true);
    const tsr_ir_expr *above = tsr_ir_for(ir, "above", tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *first = lower_first(w->p, w->term, l, l + 1, above);
    const tsr_ir_expr *last = lower_find_across(w->p, w->term, "place", above, q);
    tsr_ir_assign(ir, before,
                  tsr_ir_sub(ir, lower_first(w->p, w->term, l + 1, w->to, last),
                             lower_first(w->p, w->term, l + 1, w->to, first)),
                  true);
    tsr_ir_end(ir);
    return before;
}

/* Share t of the coordinates of level `across`: equal numbers of leaf positions, and also of coordinates if each
 * coordinate has a position. */
static void cut_across(lower_program *p, const tsr_nest *term, lower_share *share, const tsr_ir_expr *t)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.across, m = term->level[l].mode;
    const bool is_full = p->operands[term->driver].binding->format->levels[l].type->full;
    const tsr_ir_expr *size = lower_level_size(p, term->driver, l, m >= 0 ? term->mode[m].var : -1);
    const tsr_ir_expr *n = lower_first(p, term, 0, l + 1, tsr_ir_index(ir, 1));
    lower_walk level;
    char begin[300], end[300];
    lower_walk_init(&level, p, term, l);
    snprintf(begin, sizeof begin, "%s_begin", level.crd);
    snprintf(end, sizeof end, "%s_end", level.crd);
    if (is_full && lower_is_uniform(p->plan, term, l + 1, term->nlevels)) {
        share->var_lo = tsr_ir_declare(ir, begin, equal_share(p, term, size, t), false);
        share->var_hi = tsr_ir_declare(ir, end, equal_share(p, term, size, next(p, t)), false);
        return;
    }
    weight work = {p, term, l, term->nlevels, is_full};
    const tsr_ir_expr *all = lower_first(p, term, l + 1, term->nlevels, n);
    all = tsr_ir_declare(ir, "work", is_full ? tsr_ir_add(ir, all, n) : all, false);
    share->var_lo = tsr_ir_search(ir, begin, (tsr_ir_range){tsr_ir_index(ir, 0), size},
                                  equal_share(p, term, all, t), weigh_across, &work);
    share->var_hi = tsr_ir_search(ir, end, (tsr_ir_range){share->var_lo, size},
                                  equal_share(p, term, all, next(p, t)), weigh_across, &work);
}

/* The share of thread t. */
static void cut_term(lower_program *p, const tsr_nest *term, lower_share *share, const tsr_ir_expr *t)
{
    char name[300];
    if (term->share.cut > 0) {
        cut_driver(p, term, share, t);
        return;
    }
    if (term->share.across > 0) {
        cut_across(p, term, share, t);
        return;
    }
    const int v =
        term->share.window ? term->mode[term->level[term->share.window].mode].var : term->share.cut_var;
    const char *var = p->plan->notation->var[v];
    const tsr_ir_expr *n = lower_size(p, v);
    snprintf(name, sizeof name, "%.200s_begin", var);
    share->var_lo = tsr_ir_declare(p->ir, name, equal_share(p, term, n, t), false);
    snprintf(name, sizeof name, "%.200s_end", var);
    share->var_hi = tsr_ir_declare(p->ir, name, equal_share(p, term, n, next(p, t)), false);
}

/* ---- terms ---- */

/* Open the loop over threads and, where the number of shares is fixed, the loop over the shares of a thread.
 * Returns the number of the share. */
static const tsr_ir_expr *open_shares(lower_program *p, const tsr_nest *term)
{
    const tsr_ir_expr *t = tsr_ir_for(p->ir, "t", tsr_ir_index(p->ir, 0), lower_nthreads(p), TSR_IR_PARALLEL);
    if (term->share.nshares == 0)
        return t;
    const tsr_ir_expr *all = nshares(p, term);
    const tsr_ir_expr *begin = tsr_ir_declare(p->ir, "share_begin", equal_share(p, NULL, all, t), false);
    const tsr_ir_expr *end = tsr_ir_declare(p->ir, "share_end", equal_share(p, NULL, all, next(p, t)), false);
    return tsr_ir_for(p->ir, "share", begin, end, 0);
}

static void close_shares(lower_program *p, const tsr_nest *term)
{
    tsr_ir_end(p->ir);
    if (term->share.nshares > 0)
        tsr_ir_end(p->ir);
}

static void emit_private(lower_program *p, const tsr_nest *term, bool add)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *n = lower_result_npositions(p);
    const bool has_interval = tsr_nest_find_interval(p->plan, term).how != TSR_INTERVAL_NONE;
    lower_copies copies = {.length = n, .n = nshares(p, term)};
    lower_sink sink = {.add = true};
    lower_share share = {.var_lo = NULL};
    tsr_ir_range touched = {tsr_ir_index(ir, 0), n};
    tsr_ir_comment(ir, term->share.nshares > 0 ? "a copy of the result for each share of the work"
                                               : "a copy of the result for each thread");
    sink.array = tsr_ir_array_new(ir, "copies", p->type, TSR_IR_HEAP, tsr_ir_mul(ir, copies.n, n), false);
    copies.array = sink.array;
    if (has_interval) {
        copies.first = tsr_ir_index_array_new(ir, "first_touched", TSR_U64, TSR_IR_HEAP, copies.n, false);
        copies.end = tsr_ir_index_array_new(ir, "end_touched", TSR_U64, TSR_IR_HEAP, copies.n, false);
    }
    const tsr_ir_expr *t = open_shares(p, term);
    cut_term(p, term, &share, t);
    sink.offset = tsr_ir_mul(ir, t, n);
    if (sink.offset != t)
        sink.offset = tsr_ir_declare(ir, "copy", sink.offset, false); /* the first element of the copy */
    if (has_interval) {
        touched = lower_interval(p, term, &share);
        tsr_ir_store(ir, copies.first, t, touched.lo, false, false);
        tsr_ir_store(ir, copies.end, t, touched.hi, false, false);
    }
    lower_fill(p, sink.array, sink.offset, touched, lower_absent(p));
    lower_emit_term(p, term, &sink, &share);
    close_shares(p, term);
    lower_add_copies(p, &copies, add);
}

/* Whether the parts of the result that belong to the term's windows are ranges of positions. */
static bool has_ranges(const tsr_plan *plan, const tsr_nest *term)
{
    int perm[TSR_MAX_LEVELS];
    const tsr_binding *binding = plan->walk.operand[0].binding;
    const tsr_expr *result = plan->notation->result;
    if (!term->share.window || !tsr_format_is_permutation(binding->format, perm) || binding->base[0] != 0 ||
        binding->format->levels[0].pitch != 0 || tsr_expr_window(result, perm[0]))
        return false;
    return result->index[perm[0]] == term->mode[term->level[term->share.window].mode].var;
}

static void emit_term(lower_program *p, const tsr_nest *term, bool add, bool clears)
{
    lower_sink sink = {.array = lower_array_param(p, TSR_PARAM_VALUES, 0, -1),
                       .add = add,
                       .clears = clears,
                       .atomic = term->share.sharing == TSR_SHARE_ATOMIC};
    lower_share share = {.var_lo = NULL};
    if (!tsr_nest_is_threaded(term)) {
        lower_emit_term(p, term, &sink, &share);
        return;
    }
    const tsr_ir_expr *t = open_shares(p, term);
    cut_term(p, term, &share, t);
    lower_emit_term(p, term, &sink, &share);
    close_shares(p, term);
}

void lower_emit_nest(lower_program *p, const tsr_nest *nest, bool add)
{
    if (nest->empty)
        return;
    if (nest->share.sharing == TSR_SHARE_PRIVATE && tsr_nest_is_threaded(nest))
        emit_private(p, nest, add);
    else
        emit_term(p, nest, add, false);
}

void lower_emit(lower_program *p)
{
    const tsr_plan *plan = p->plan;
    const tsr_nest *first = plan->nterms ? plan->term[0].nest : NULL;
    const bool sets = !plan->notation->accumulate;
    const bool private = first && first->share.sharing == TSR_SHARE_PRIVATE && tsr_nest_is_threaded(first);
    bool threaded = false;
    for (int i = 0; i < plan->nterms; i++)
        threaded = threaded || tsr_nest_is_threaded(plan->term[i].nest);
    const bool zeroes =
        sets && !private && !(first && first->sink.covers && first->share.sharing == TSR_SHARE_EXCLUSIVE);
    const bool clears = zeroes && first && !first->empty && has_ranges(plan, first);
    if (zeroes && !clears)
        lower_fill_result(p, lower_absent(p), threaded);
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_nest *term = plan->term[i].nest;
        if (term->empty)
            continue;
        if (term->share.sharing == TSR_SHARE_PRIVATE && tsr_nest_is_threaded(term))
            emit_private(p, term, i > 0 || !sets);
        else
            emit_term(p, term,
                      i > 0 || !sets || !term->sink.once || term->share.sharing != TSR_SHARE_EXCLUSIVE,
                      clears && i == 0);
    }
}
