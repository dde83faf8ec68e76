/* Cuts: from what the plan says of a share (tsr_plan_share) to the ranges that a thread, or a piece, has of the loops. Ranges of
 * positions, coordinates and rows are equal in length, or in the work that a lower_work counts: positions of the driver, entries of
 * operands, or products. */
#include "lower_merge.h"

#include <stdio.h>

/* The work before q, which `before` emits; or other numbers that rise with q, for searches. */
typedef struct lower_work {
    tsr_ir_function_of before; /* NULL: q */
    const tsr_ir_expr *all;    /* of the whole range */
    lower_program *p;
    /* of a nest that walks: the positions at depth `to` below those at depth `from` */
    const tsr_nest *nest;
    int from, to;
    bool with_self; /* and those at depth `from` */
    /* of rows: q, and element q of each of these arrays */
    int narrays;
    const tsr_ir_array *array[TSR_PLAN_MAX_COUNTED + 1];
} lower_work;

/* ---- ranges ---- */

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

/* Declare the share of [0, n), NAME_begin and NAME_end: equal in work; work NULL: equal in length; work->before NULL: the same, and
 * n * nshares may overflow. */
static tsr_ir_range cut(lower_program *p, const lower_part *part, const char *name, const tsr_ir_expr *n,
                        lower_work *work)
{
    tsr_ir_builder *const ir = p->ir;
    const tsr_ir_expr *const next = tsr_ir_add(ir, part->number, tsr_ir_index(ir, 1));
    const char *const under = *name ? "_" : "";
    tsr_ir_range r;
    char begin[300], end[300];
    snprintf(begin, sizeof begin, "%.256s%sbegin", name, under);
    snprintf(end, sizeof end, "%.256s%send", name, under);
    if (!work || !work->before) {
        r.lo = tsr_ir_declare(ir, begin, equal_begin(p, part, n, part->number, work), false);
        r.hi = tsr_ir_declare(ir, end, equal_begin(p, part, n, next, work), false);
        return r;
    }
    const tsr_ir_expr *const all = tsr_ir_declare(ir, "work", work->all, false);
    r.lo = tsr_ir_search(ir, begin, (tsr_ir_range){tsr_ir_index(ir, 0), n},
                         equal_begin(p, part, all, part->number, false), work->before, work);
    r.hi = tsr_ir_search(ir, end, (tsr_ir_range){r.lo, n}, equal_begin(p, part, all, next, false),
                         work->before, work);
    return r;
}

tsr_ir_range lower_cut(lower_program *p, const lower_part *part, const char *name, const tsr_ir_expr *n)
{
    return cut(p, part, name, n, NULL);
}

/* ---- positions of the driver ---- */

/* The work at depth `to` below the positions at depth `from` before q: lower_first, or what levels without it measure. */
static const tsr_ir_expr *below(lower_program *p, const tsr_nest *term, int from, int to,
                                const tsr_ir_expr *q)
{
    lower_walk w;
    for (int l = from; l < to; l++) {
        const tsr_level_walker *walker = lower_level_type(p->plan, term, l)->walker;
        if (!walker->before) {
            q = lower_first(p, term, l, l + 1, q);
            continue;
        }
        lower_walk_init(&w, p, term, l);
        q = walker->before(&w.walk, q);
    }
    return q;
}

/* Whether all positions at depth `from` are taken to have the same work: `below` does not say more. */
static bool is_even(const tsr_plan *plan, const tsr_nest *term, int from, int to)
{
    bool measured = false;
    for (int l = from; l < to; l++)
        measured = measured || lower_level_type(plan, term, l)->walker->before;
    return lower_is_uniform(plan, term, from, to) && !measured;
}

static const tsr_ir_expr *before_position(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const lower_work *const w = arg;
    const tsr_ir_expr *const first = below(w->p, w->nest, w->from, w->to, q);
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
        lower_work first = {.p = p, .nest = term, .from = d, .to = d + 1};
        snprintf(name, sizeof name, "%s_first", w.pos);
        lo = tsr_ir_search(ir, name, (tsr_ir_range){zero, n}, tsr_ir_add(ir, lo, one), before_position,
                           &first);
        lo = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_sub(ir, lo, one), zero);
        snprintf(name, sizeof name, "%s_last", w.pos);
        hi = tsr_ir_search(ir, name, (tsr_ir_range){zero, n}, hi, before_position, &first);
    }
    snprintf(name, sizeof name, "%s_begin", w.pos);
    share->lo[d] = tsr_ir_declare(ir, name, lo, false);
    snprintf(name, sizeof name, "%s_end", w.pos);
    share->hi[d] = tsr_ir_declare(ir, name, hi, false);
}

/* The key at position q of the first level. */
static const tsr_ir_expr *key_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const lower_work *const w = arg;
    const tsr_ir_array *crd = lower_array_param(w->p, TSR_PARAM_CRD, w->nest->driver, 0);
    return tsr_ir_op2(ir, TSR_IR_FLOORDIV, tsr_ir_load_index(ir, crd, q),
                      tsr_ir_index(ir, w->nest->share.key));
}

/* The first position p >= q with p = 0 or key(p) != key(p - 1). */
static const tsr_ir_expr *move_to_change(lower_program *p, const tsr_nest *term, const char *name,
                                         const tsr_ir_expr *q, const tsr_ir_expr *n)
{
    tsr_ir_builder *ir = p->ir;
    lower_work key = {.p = p, .nest = term};
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *cut = tsr_ir_declare(ir, name, q, true);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, tsr_ir_index(ir, 0), cut));
    const tsr_ir_expr *target = tsr_ir_add(ir, key_at(ir, &key, tsr_ir_sub(ir, cut, one)), one);
    tsr_ir_assign(ir, cut, tsr_ir_search(ir, "change", (tsr_ir_range){cut, n}, target, key_at, &key), false);
    tsr_ir_end(ir);
    return cut;
}

/* A share of the driver's positions. A cut is where the number of leaf positions before it plus the number of positions before it
 * reaches the share's part of the total; so each position belongs to a share, even one without leaves. */
static void cut_driver(lower_program *p, const tsr_nest *term, lower_share *share, const lower_part *part)
{
    tsr_ir_builder *ir = p->ir;
    const int c = tsr_nest_cut_depth(term);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *n = lower_first(p, term, 0, c, one);
    char name[300];
    lower_walk w;
    lower_walk_init(&w, p, term, c - 1);
    lower_work work = {
        .before = before_position, .p = p, .nest = term, .from = c, .to = term->nlevels, .with_self = true};
    const bool even = is_even(p->plan, term, c, term->nlevels);
    if (!even)
        work.all = before_position(ir, &work, n);
    const tsr_ir_range r = cut(p, part, w.pos, n, even ? NULL : &work);
    share->lo[c] = r.lo;
    share->hi[c] = r.hi;
    if (term->share.key > 0) {
        snprintf(name, sizeof name, "%s_first", w.pos);
        share->lo[c] = move_to_change(p, term, name, share->lo[c], n);
        snprintf(name, sizeof name, "%s_last", w.pos);
        share->hi[c] = move_to_change(p, term, name, share->hi[c], n);
    }
    for (int d = c - 1; d >= 1; d--)
        cut_above(p, term, share, d);
}

/* ---- coordinates of a level of the driver, below all positions above ---- */

/* The coordinate at position q of level `across`, a list. */
static const tsr_ir_expr *coordinate_at(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const lower_work *const w = arg;
    return tsr_ir_load_index(ir, lower_array_param(w->p, TSR_PARAM_CRD, w->nest->driver, w->from), q);
}

const tsr_ir_expr *lower_find_across(lower_program *p, const tsr_nest *term, const char *name,
                                     const tsr_ir_expr *above, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.level;
    const tsr_ir_expr *first = lower_first(p, term, l, l + 1, above);
    if (p->operands[term->driver].binding->format->levels[l].type->full)
        return tsr_ir_add(ir, first, coordinate);
    lower_work at = {.p = p, .nest = term, .from = l};
    const tsr_ir_expr *end = lower_first(p, term, l, l + 1, tsr_ir_add(ir, above, tsr_ir_index(ir, 1)));
    return tsr_ir_search(ir, name, (tsr_ir_range){first, end}, coordinate, coordinate_at, &at);
}

/* The work before coordinate q of level `across`, below all positions of the level above: leaf positions, and also
 * coordinates if each coordinate has a position. */
static const tsr_ir_expr *before_coordinate(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const lower_work *const w = arg;
    const int l = w->from;
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *n = lower_first(w->p, w->nest, 0, l, one);
    const tsr_ir_expr *before = w->with_self ? tsr_ir_mul(ir, q, n) : tsr_ir_index(ir, 0);
    before = tsr_ir_declare(ir, "before", before, true);
    const tsr_ir_expr *above = tsr_ir_for(ir, "above", tsr_ir_index(ir, 0), n, 0);
    const tsr_ir_expr *first = lower_first(w->p, w->nest, l, l + 1, above);
    const tsr_ir_expr *last = lower_find_across(w->p, w->nest, "place", above, q);
    tsr_ir_assign(ir, before,
                  tsr_ir_sub(ir, lower_first(w->p, w->nest, l + 1, w->to, last),
                             lower_first(w->p, w->nest, l + 1, w->to, first)),
                  true);
    tsr_ir_end(ir);
    return before;
}

/* A share of the coordinates of level `across`: equal numbers of leaf positions, and also of coordinates if each coordinate has a
 * position. */
static tsr_ir_range cut_across(lower_program *p, const tsr_nest *term, const lower_part *part)
{
    tsr_ir_builder *ir = p->ir;
    const int l = term->share.level, m = term->level[l].mode;
    const bool is_full = p->operands[term->driver].binding->format->levels[l].type->full;
    const tsr_ir_expr *size = lower_level_size(p, term->driver, l, m >= 0 ? term->mode[m].var : -1);
    lower_walk level;
    lower_walk_init(&level, p, term, l);
    if (is_full && lower_is_uniform(p->plan, term, l + 1, term->nlevels))
        return cut(p, part, level.crd, size, NULL);
    const tsr_ir_expr *n = lower_first(p, term, 0, l + 1, tsr_ir_index(ir, 1));
    const tsr_ir_expr *all = lower_first(p, term, l + 1, term->nlevels, n);
    lower_work work = {.before = before_coordinate,
                       .all = is_full ? tsr_ir_add(ir, all, n) : all,
                       .p = p,
                       .nest = term,
                       .from = l,
                       .to = term->nlevels,
                       .with_self = is_full};
    return cut(p, part, level.crd, size, &work);
}

/* ---- rows of loops that merge ---- */

static const tsr_ir_expr *before_row(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const lower_work *const w = arg;
    const tsr_ir_expr *sum = q;
    for (int k = w->narrays - 1; k >= 0; k--)
        sum = tsr_ir_add(ir, tsr_ir_load_index(ir, w->array[k], q), sum);
    return sum;
}

/* Cut the rows, of variable v: by their entries in the operands that the plan names, and in a result that has them, or by the
 * products that are counted. */
static tsr_ir_range cut_rows(merge_state *s, const tsr_plan_share *share, int v, const tsr_ir_array *products)
{
    const tsr_ir_expr *const n = lower_size(s->p, v);
    lower_work work = {.narrays = products ? 1 : share->work.nentries, .array = {products}};
    for (int k = 0; k < work.narrays && !products; k++)
        work.array[k] = merge_array(s, TSR_PARAM_POS, share->work.entries[k], 1);
    if (!products && s->pass == MERGE_PASS_VALUES && s->plan->ndense == 1 && s->plan->nresult > 1)
        work.array[work.narrays++] = s->out.pos[1];
    work.before = work.narrays > 0 ? before_row : NULL;
    work.all = before_row(s->ir, &work, n);
    return cut(s->p, &s->share.part, "", n, &work);
}

/* Emit the first coordinate of share t: the shares have equal numbers of positions of the list. */
static const tsr_ir_expr *cut_list(merge_state *s, merge_list list, const char *name, const tsr_ir_expr *size,
                                   const tsr_ir_expr *t)
{
    const tsr_ir_expr *const all = merge_first_child(s, list.access, list.level, INDEX(1));
    const tsr_ir_expr *const n = tsr_ir_declare(s->ir, "all", all, false);
    const tsr_ir_expr *const is_first = OP(EQ, t, INDEX(0));
    const tsr_ir_expr *const at =
        tsr_ir_declare(s->ir, "at", OP(FLOORDIV, tsr_ir_mul(s->ir, n, t), s->share.part.nshares), false);
    const tsr_ir_expr *const crd =
        tsr_ir_declare(s->ir, name, tsr_ir_select(s->ir, is_first, INDEX(0), size), true);
    tsr_ir_if(s->ir, OP(AND, OP(LT, INDEX(0), t), OP(LT, at, n)));
    tsr_ir_assign(s->ir, crd, merge_load_crd(s, list, at), false);
    tsr_ir_end(s->ir);
    return crd;
}

/* ---- products of rows ---- */

/* Emit statements that add the number of products of row i to n. */
static void count_products(merge_state *s, int rows, int columns, const tsr_ir_expr *i, const tsr_ir_expr *n)
{
    const tsr_ir_array *pos = merge_array(s, TSR_PARAM_POS, rows, 1);
    const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", tsr_ir_load_index(s->ir, pos, i),
                                      tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, i, INDEX(1))), 0);
    const tsr_ir_expr *k = tsr_ir_declare(
        s->ir, "k", tsr_ir_load_index(s->ir, merge_array(s, TSR_PARAM_CRD, rows, 1), q), false);
    const tsr_ir_array *other = merge_array(s, TSR_PARAM_POS, columns, 1);
    tsr_ir_assign(s->ir, n,
                  tsr_ir_sub(s->ir, tsr_ir_load_index(s->ir, other, tsr_ir_add(s->ir, k, INDEX(1))),
                             tsr_ir_load_index(s->ir, other, k)),
                  true);
    tsr_ir_end(s->ir);
}

void merge_count_products(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const bool masked = plan->share.work.masked;
    if (!plan->share.work.products)
        return;
    const int v = plan->var[0];
    const tsr_ir_expr *size = lower_size(s->p, v);
    const tsr_ir_array *products = tsr_ir_index_array_new(s->ir, "products", TSR_U64, TSR_IR_HEAP,
                                                          tsr_ir_add(s->ir, size, INDEX(1)), masked);
    if (masked)
        tsr_ir_if(s->ir, OP(LT, INDEX(1), lower_nthreads(s->p, threaded)));
    tsr_ir_comment(s->ir, "the products of each row");
    lower_open_threads(s->p, &s->share.part, threaded);
    const tsr_ir_range own = threaded ? cut_rows(s, &plan->share, v, NULL) : (tsr_ir_range){INDEX(0), size};
    const tsr_ir_expr *i = tsr_ir_for(s->ir, plan->notation->var[v], own.lo, own.hi, 0);
    const tsr_ir_expr *n = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    for (int k = 0; k < plan->nterms; k++)
        if (plan->term[k].nest->share.work.rows >= 0)
            count_products(s, plan->term[k].nest->share.work.rows, plan->term[k].nest->share.work.columns, i,
                           n);
    tsr_ir_store(s->ir, products, tsr_ir_add(s->ir, i, INDEX(1)), n, false, false);
    tsr_ir_end(s->ir);
    tsr_ir_close(s->ir, threaded);
    tsr_ir_store(s->ir, products, INDEX(0), INDEX(0), false, false);
    i = tsr_ir_for(s->ir, plan->notation->var[v], INDEX(0), size, 0);
    tsr_ir_store(s->ir, products, tsr_ir_add(s->ir, i, INDEX(1)), tsr_ir_load_index(s->ir, products, i), true,
                 false);
    tsr_ir_end(s->ir);
    tsr_ir_close(s->ir, masked);
    s->share.products = products;
}

/* ---- shares ---- */

lower_share merge_cut(merge_state *s, const tsr_plan_share *share, const tsr_nest *nest)
{
    lower_program *const p = s->p;
    const lower_part *const part = &s->share.part;
    const merge_list list = {share->work.list, 0};
    lower_share own = {.var_lo = NULL};
    tsr_ir_range vars = {NULL, NULL};
    if (!nest && list.access >= 0) {
        const tsr_ir_expr *const size = lower_size(p, share->var);
        vars.lo = cut_list(s, list, "begin", size, part->number);
        vars.hi = cut_list(s, list, "end", size, tsr_ir_add(s->ir, part->number, INDEX(1)));
    } else if (!nest) {
        vars = cut_rows(s, share, share->var, s->share.products);
    } else if (share->cut == TSR_CUT_POSITIONS) {
        cut_driver(p, nest, &own, part);
    } else if (share->cut == TSR_CUT_ACROSS) {
        vars = cut_across(p, nest, part);
    } else if (share->cut) {
        const int v =
            share->cut == TSR_CUT_LOOP ? share->var : nest->mode[nest->level[share->level].mode].var;
        vars = cut(p, part, p->plan->notation->var[v], lower_size(p, v), NULL);
    }
    own.var_lo = vars.lo;
    own.var_hi = vars.hi;
    return own;
}

void merge_start_share(merge_state *s, const tsr_plan_share *share)
{
    for (int a = 0; a < s->plan->naccesses; a++)
        s->access[a] = (merge_access){.pos = INDEX(0)};
    s->out.reserves = s->out.reserved = false;
    const lower_share own = share ? merge_cut(s, share, NULL) : (lower_share){.var_lo = NULL};
    s->share.lo = own.var_lo;
    s->share.hi = own.var_hi;
}

/* ---- pieces ---- */

void merge_new_pieces(merge_state *s, const tsr_ir_expr *n)
{
    s->share.npieces = n;
    s->share.taken = tsr_ir_index_array_new(s->ir, "taken", TSR_U64, TSR_IR_HEAP, INDEX(1), true);
}

void merge_open_pieces(merge_state *s)
{
    s->share.part.number = tsr_ir_for_taken(s->ir, "piece", s->share.taken, s->share.npieces);
    s->share.part.nshares = s->share.npieces;
}
