/* Loops that walk several sparse operands at once.
 *
 * A loop of a term visits the coordinates that all of its operands with that variable store: two or more
 * compressed levels are walked side by side, and each step advances those that stand at the least coordinate.
 * Dense levels are not walked: their position is computed. The loops around all terms visit the coordinates
 * that any term may have; there the flag `has` of each operand tells whether it stores the coordinate, and an
 * operand that does not store it does not have children in the loops inside.
 *
 * Where an access has a window (FIRST,BEHIND,STEP) of a mode, its variable counts the coordinates of the window. A dense
 * level is entered at FIRST + STEP * the variable. In a compressed level, children outside the window are left out: by two
 * searches where the window is short or the level is the first, else child by child; and so are those between two steps. */
#include <stdio.h>
#include <string.h>

#include "lower_merge.h"
#include "lower_term.h"

typedef struct loop {
    int v;                                  /* the variable */
    tsr_ir_range block;                     /* of its coordinates; lo NULL: all */
    int n;                                  /* of walked levels */
    merge_walked of[TSR_PLAN_MAX_ACCESSES]; /* compressed levels */
    const tsr_ir_expr *next; /* union over some of the coordinates: the next coordinate; else NULL */
    int nblocks;             /* ifs that are open inside the loop */
    bool matches;            /* the loop is over pairs that a match found */
    bool may_mask;           /* merge_may_mask, for the last loop of a term */
    bool is_row;             /* tsr_plan_is_row, for the last loop of a term */
} loop;

enum {
    MATCH_PAIRS = 64, /* pairs that one search of two lists finds, at most */
    SHORT_WINDOW = 8  /* a window of at most this part of the coordinates is short */
};

/* ---- levels ---- */

static const tsr_plan_view *view_of(const merge_state *s, int a)
{
    return &s->plan->view[s->plan->access[a].view];
}

/* The variable of the access's next level; -1: all are open. */
static int next_var(const merge_state *s, int a)
{
    const tsr_plan_view *view = view_of(s, a);
    const int l = s->access[a].depth;
    return l < view->nlevels ? s->plan->access[a].expr->index[view->mode[l]] : -1;
}

static bool next_is_full(const merge_state *s, int a)
{
    return view_of(s, a)->full[s->access[a].depth];
}

void merge_level_name(char *buf, size_t n, const merge_state *s, const char *before, int a, const char *after)
{
    snprintf(buf, n, "%s%s%d%s", before, view_of(s, a)->name, s->access[a].depth + 1, after);
}

/* Declare a variable with such a name. */
static const tsr_ir_expr *declare_level(merge_state *s, const char *before, int a, const char *after,
                                        const tsr_ir_expr *x, bool is_mutable)
{
    char name[100];
    merge_level_name(name, sizeof name, s, before, a, after);
    return tsr_ir_declare(s->ir, name, x, is_mutable);
}

/* The window of the mode of the access's next level; NULL: none. */
static const tsr_mode_window *next_window(const merge_state *s, int a)
{
    return tsr_expr_window(s->plan->access[a].expr, view_of(s, a)->mode[s->access[a].depth]);
}

/* The children of the access's position: [*lo, *hi). */
static void children(merge_state *s, int a, const tsr_ir_expr **lo, const tsr_ir_expr **hi)
{
    const tsr_ir_expr *const parent = s->access[a].pos;
    const bool is_root = s->access[a].depth == 0;
    *lo = is_root ? INDEX(0) : merge_first_child(s, a, s->access[a].depth, parent);
    *hi = merge_first_child(s, a, s->access[a].depth, tsr_ir_add(s->ir, parent, INDEX(1)));
}

/* The list of the access's next level. */
static merge_list next_list(const merge_state *s, int a)
{
    return (merge_list){a, s->access[a].depth};
}

/* The array of its coordinates; NULL: it is compound. */
static const tsr_ir_array *coordinates(merge_state *s, int a)
{
    return merge_list_array(s, next_list(s, a));
}

/* The first place in [lo, hi) whose coordinate is at least `target`; after: of the name of the place. */
static const tsr_ir_expr *seek(merge_state *s, int a, const char *after, const tsr_ir_expr *lo,
                               const tsr_ir_expr *hi, const tsr_ir_expr *target)
{
    char name[100];
    merge_level_name(name, sizeof name, s, "p", a, after);
    return merge_seek_crd(s, name, (tsr_ir_range){lo, hi}, target, next_list(s, a));
}

void merge_enter(merge_state *s, int a, const tsr_ir_expr *pos)
{
    s->access[a].pos = pos;
    s->access[a].depth++;
}

/* Look up whether the position that the access has just entered is an entry, if it has marks: as in enter_again. */
static void look_up_mark(merge_state *s, int a, int *nblocks)
{
    const tsr_plan_view *const view = view_of(s, a);
    if (!view->marks || s->access[a].depth < view->nlevels || s->plan->sink == TSR_PLAN_CELLS)
        return;
    const tsr_ir_expr *has = merge_mark_at(s, a, s->access[a].pos);
    if (nblocks) {
        tsr_ir_if(s->ir, has);
        ++*nblocks;
        return;
    }
    has = s->access[a].has ? OP(AND, s->access[a].has, has) : has;
    s->access[a].has = tsr_ir_declare(s->ir, "marked", has, false);
}

/* Open the next level of the access, which is dense or has marks, at the coordinate of its variable; nblocks: as in enter_again. */
static void enter_full(merge_state *s, int a, int *nblocks)
{
    const int l = s->access[a].depth, v = next_var(s, a);
    const bool is_root = l == 0;
    const tsr_mode_window *const w = next_window(s, a);
    const tsr_ir_expr *pitch = lower_level_pitch(s->p, merge_tensor(s, a), l, w ? -1 : v);
    const tsr_ir_expr *pos = lower_out_of_window(s->p, w, s->at[v]);
    if (!is_root)
        pos = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, s->access[a].pos, pitch), pos);
    if (pos && pos->op != TSR_IR_VAR)
        pos = declare_level(s, "p", a, "", pos, false);
    merge_enter(s, a, pos);
    look_up_mark(s, a, nblocks);
}

/* Open further levels over the same variable (a diagonal), where the coordinate must be stored. Inside a
 * term's own loops the body goes into ifs, and their number is added to *nblocks; around all terms (nblocks
 * is NULL) the flag `has` of the access is set. */
static void enter_again(merge_state *s, int a, int v, int *nblocks)
{
    while (next_var(s, a) == v) {
        const tsr_ir_expr *lo, *hi, *found = NULL, *place = NULL;
        if (next_is_full(s, a)) {
            enter_full(s, a, nblocks);
            continue;
        }
        if (!nblocks) {
            found = tsr_ir_declare(s->ir, "found", tsr_ir_bool(s->ir, false), true);
            place = tsr_ir_declare(s->ir, "place", INDEX(0), true);
            tsr_ir_if(s->ir, s->access[a].has ? s->access[a].has : tsr_ir_bool(s->ir, true));
        }
        children(s, a, &lo, &hi);
        hi = tsr_ir_declare(s->ir, "last", hi, false);
        const tsr_ir_expr *there = lower_out_of_window(s->p, next_window(s, a), s->at[v]);
        const tsr_ir_expr *q = seek(s, a, "", lo, hi, there);
        tsr_ir_if(s->ir, OP(LT, q, hi));
        tsr_ir_if(s->ir, OP(EQ, merge_load_crd(s, next_list(s, a), q), there));
        if (nblocks) {
            *nblocks += 2;
            merge_enter(s, a, q);
            continue;
        }
        tsr_ir_assign(s->ir, found, tsr_ir_bool(s->ir, true), false);
        tsr_ir_assign(s->ir, place, q, false);
        tsr_ir_end(s->ir);
        tsr_ir_end(s->ir);
        tsr_ir_end(s->ir);
        s->access[a].has = found;
        merge_enter(s, a, place);
    }
}

/* Reserve room for a row of the result with at most n entries, if the loop that is opened walks a row. */
static void reserve_row(merge_state *s, const tsr_ir_expr *n)
{
    if (!s->out.reserves)
        return;
    merge_reserve(s, s->plan->nresult - 1, n);
    s->out.reserves = false;
    s->out.reserved = true;
}

/* ---- intersections ---- */

/* Add the accesses of the list whose next level is compressed over v to the loop. Returns whether the next
 * level of an access is dense over v. */
static bool gather(loop *l, merge_state *s, const int *list, int n)
{
    bool any_full = false;
    for (int i = 0; i < n; i++) {
        bool seen = false;
        for (int k = 0; k < l->n; k++)
            seen = seen || l->of[k].number == list[i];
        if (seen || next_var(s, list[i]) != l->v)
            continue;
        if (next_is_full(s, list[i]))
            any_full = true;
        else
            l->of[l->n++].number = list[i];
    }
    return any_full;
}

/* Whether two searches for the ends of the window are cheaper than looking at all children. */
static bool is_short(const merge_state *s, int a, const tsr_mode_window *w)
{
    const tsr_plan_view *const view = view_of(s, a);
    const int l = s->access[a].depth;
    const tsr_binding *const of = s->p->operands[view->tensor].binding;
    return l == 0 || w->n <= of->dims[view->mode[l]] / SHORT_WINDOW;
}

/* The walk over the children of the access's position, none of which are left out yet. */
static merge_clip clip_of(merge_state *s, int a)
{
    return (merge_clip){.list = next_list(s, a), .crds = coordinates(s, a), .window = next_window(s, a)};
}

/* The children to walk, [*lo, *hi), within the thread's share; within the window, if clips is true or searches pay. */
static void range_of(merge_state *s, merge_walked *w, const tsr_ir_expr **lo, const tsr_ir_expr **hi,
                     bool clips)
{
    children(s, w->number, lo, hi);
    w->clip = clip_of(s, w->number);
    w->clip.clipped = w->clip.window && (clips || s->share.lo || is_short(s, w->number, w->clip.window));
    if (!s->share.lo && !w->clip.clipped)
        return;
    const tsr_ir_expr *all = *hi;
    const tsr_ir_expr *first =
        lower_out_of_window(s->p, w->clip.window, s->share.lo ? s->share.lo : INDEX(0));
    const tsr_ir_expr *behind = s->share.hi || !w->clip.window /* memory ran out */
                                    ? lower_out_of_window(s->p, w->clip.window, s->share.hi)
                                    : INDEX((int64_t)w->clip.window->behind);
    *lo = seek(s, w->number, "_begin", *lo, all, first);
    *hi = seek(s, w->number, "_end", *lo, all, behind);
}

void merge_start_rows(merge_state *s, merge_walked *of, int n, bool clips)
{
    const tsr_ir_expr *lo, *hi[TSR_PLAN_MAX_ACCESSES];
    for (int i = 0; i < n; i++) {
        range_of(s, &of[i], &lo, &hi[i], clips);
        of[i].q = declare_level(s, "p", of[i].number, "", lo, true);
    }
    for (int i = 0; i < n; i++)
        of[i].end = declare_level(s, "p", of[i].number, "_last", hi[i], false);
    s->share.lo = s->share.hi = NULL;
}

/* Open the loops over the pairs of equal coordinates of two levels. */
static void open_match(merge_state *s, loop *l)
{
    merge_walked *const x = &l->of[0], *const y = &l->of[1];
    const tsr_ir_array *found =
        tsr_ir_index_array_new(s->ir, "found", TSR_U64, TSR_IR_LOCAL, INDEX(3 + 2 * MATCH_PAIRS), false);
    tsr_ir_while(s->ir, OP(AND, OP(LT, x->q, x->end), OP(LT, y->q, y->end)));
    tsr_ir_match(s->ir, found, x->clip.crds, y->clip.crds,
                 (const tsr_ir_expr *const[]){x->q, x->end, y->q, y->end});
    tsr_ir_assign(s->ir, x->q, tsr_ir_load_index(s->ir, found, INDEX(1)), false);
    tsr_ir_assign(s->ir, y->q, tsr_ir_load_index(s->ir, found, INDEX(2)), false);
    const tsr_ir_expr *pair =
        tsr_ir_for(s->ir, "pair", INDEX(0), tsr_ir_load_index(s->ir, found, INDEX(0)), 0);
    for (int i = 0; i < 2; i++) {
        const tsr_ir_expr *at = tsr_ir_add(s->ir, pair, INDEX(3 + i * MATCH_PAIRS));
        l->of[i].q = declare_level(s, "q", l->of[i].number, "", tsr_ir_load_index(s->ir, found, at), false);
    }
    s->at[l->v] =
        tsr_ir_declare(s->ir, s->plan->notation->var[l->v], merge_load_crd(s, x->clip.list, x->q), false);
}

/* Open the loop that walks two or more levels side by side, and the if for coordinates that all of them
 * store. */
static void open_merge(merge_state *s, loop *l)
{
    char name[100];
    const char *var = s->plan->notation->var[l->v];
    const tsr_ir_expr *more = NULL, *least = NULL, *all = NULL;
    merge_start_rows(s, l->of, l->n, true);
    for (int i = 0; i < l->n; i++) {
        const tsr_ir_expr *const here = OP(LT, l->of[i].q, l->of[i].end);
        more = more ? OP(AND, more, here) : here;
    }
    reserve_row(s, tsr_ir_sub(s->ir, l->of[0].end, l->of[0].q));
    l->matches = l->n == 2 && tsr_plan_gallops(s->plan, l->v, l->of[0].number, l->of[1].number);
    if (l->matches) {
        open_match(s, l);
        return;
    }
    tsr_ir_while(s->ir, more);
    for (int i = 0; i < l->n; i++) {
        merge_walked *w = &l->of[i];
        snprintf(name, sizeof name, "%.40s_%.40s", var, view_of(s, w->number)->name);
        const tsr_ir_expr *const c = merge_load_crd(s, w->clip.list, w->q);
        w->crd = tsr_ir_declare(s->ir, name, merge_in_window(s, w->clip.window, c), false);
        least = least ? OP(MIN, least, w->crd) : w->crd;
    }
    if (l->n == 2) {
        s->at[l->v] = l->of[0].crd;
        all = OP(EQ, l->of[0].crd, l->of[1].crd);
    } else {
        s->at[l->v] = tsr_ir_declare(s->ir, var, least, false);
    }
    for (int i = 0; i < l->n && l->n > 2; i++) {
        const tsr_ir_expr *same = OP(EQ, l->of[i].crd, s->at[l->v]);
        all = all ? OP(AND, all, same) : same;
    }
    /* of the children that round down to one step, the one on the step is the first, so all lists stand there together */
    for (int i = 0; i < l->n; i++) {
        const merge_walked *const w = &l->of[i];
        if (w->clip.window && w->clip.window->step > 1)
            all = OP(AND, all, merge_is_on_step(s, w->clip.window, merge_load_crd(s, w->clip.list, w->q)));
    }
    tsr_ir_if(s->ir, all);
}

static void close_merge(merge_state *s, const loop *l)
{
    tsr_ir_end(s->ir);
    if (l->matches) {
        tsr_ir_end(s->ir);
        return;
    }
    for (int i = 0; i < l->n; i++) {
        const merge_walked *w = &l->of[i];
        const tsr_ir_expr *is_least =
            l->n == 2 ? OP(LE, w->crd, l->of[1 - i].crd) : OP(EQ, w->crd, s->at[l->v]);
        tsr_ir_assign(s->ir, w->q, tsr_ir_select(s->ir, is_least, INDEX(1), INDEX(0)), true);
    }
    tsr_ir_end(s->ir);
}

/* The coordinates of the loop over l->v: the block, else all, or those of the share. */
static tsr_ir_range range_of_var(merge_state *s, const loop *l)
{
    const tsr_ir_range share = {s->share.lo ? s->share.lo : INDEX(0),
                                s->share.hi ? s->share.hi : lower_size(s->p, l->v)};
    s->share.lo = s->share.hi = NULL;
    return l->block.lo ? l->block : share;
}

static void open_range(merge_state *s, const loop *l, bool is_row)
{
    reserve_row(s, lower_size(s->p, l->v));
    const tsr_ir_range r = range_of_var(s, l);
    s->at[l->v] = tsr_ir_for(s->ir, s->plan->notation->var[l->v], r.lo, r.hi, is_row ? TSR_IR_VECTOR : 0);
}

void merge_enter_blocks(merge_state *s, const tsr_plan_term *term)
{
    for (int i = 0; i < term->naccesses; i++)
        while (next_var(s, term->access[i]) >= 0)
            enter_full(s, term->access[i], NULL);
}

/* Enter the levels over l->v of the accesses of the list, at the coordinate of the open loop. */
static void enter_all(merge_state *s, loop *l, const int *list, int n)
{
    for (int i = 0; i < l->n; i++)
        merge_enter(s, l->of[i].number, l->of[i].q);
    for (int i = 0; i < n; i++)
        enter_again(s, list[i], l->v, &l->nblocks);
}

/* Open the loop over l->v that visits the coordinates that all accesses of the list store. */
static void open_intersection(merge_state *s, loop *l, const int *list, int n)
{
    gather(l, s, list, n);
    if (l->n == 0) {
        open_range(s, l, l->is_row && !s->share.lo);
    } else if (l->n == 1) {
        char name[100];
        merge_walked *w = &l->of[0];
        const tsr_ir_expr *lo, *hi;
        range_of(s, w, &lo, &hi, false);
        s->share.lo = s->share.hi = NULL;
        merge_level_name(name, sizeof name, s, "p", w->number, "");
        reserve_row(s, tsr_ir_sub(s->ir, hi, lo));
        l->may_mask = l->may_mask && merge_masks(&w->clip);
        if (l->may_mask)
            merge_begin_masked(s);
        w->q = tsr_ir_for(s->ir, name, lo, hi, 0);
        s->at[l->v] = l->may_mask ? merge_visit_masked(s, &w->clip, w->q, l->v)
                                  : merge_visit(s, &w->clip, w->q, l->v, &l->nblocks);
    } else {
        open_merge(s, l);
    }
    enter_all(s, l, list, n);
}

static void close_intersection(merge_state *s, const loop *l)
{
    for (int i = 0; i < l->nblocks; i++)
        tsr_ir_end(s->ir);
    if (l->n > 1)
        close_merge(s, l);
    else
        tsr_ir_end(s->ir);
}

/* Instead of the term's last loop: add the number of steps of the loop, and widen the range of coordinates. */
static void measure(merge_state *s, const tsr_plan_term *term)
{
    loop l = {.v = term->order[term->nvars - 1]};
    gather(&l, s, term->access, term->naccesses);
    if (l.n == 0) {
        merge_measure(s, lower_size(s->p, l.v), INDEX(0), lower_size(s->p, l.v));
        return;
    }
    const tsr_ir_expr *lo, *hi;
    const int a = l.of[0].number;
    children(s, a, &lo, &hi);
    lo = declare_level(s, "p", a, "_begin", lo, false);
    hi = declare_level(s, "p", a, "_end", hi, false);
    tsr_ir_if(s->ir, OP(LT, lo, hi));
    const tsr_ir_array *crd = coordinates(s, a);
    const tsr_ir_expr *first = tsr_ir_load_index(s->ir, crd, lo);
    const tsr_ir_expr *last = tsr_ir_load_index(s->ir, crd, tsr_ir_sub(s->ir, hi, INDEX(1)));
    if (view_of(s, a)->unordered && !s->row.rises) {
        merge_measure(s, tsr_ir_sub(s->ir, hi, lo), INDEX(0), lower_size(s->p, l.v));
        tsr_ir_end(s->ir);
        return;
    }
    const tsr_mode_window *const w = next_window(s, a);
    first = merge_in_window(s, w, first);
    last = tsr_ir_add(s->ir, merge_in_window(s, w, last), INDEX(1));
    if (w) { /* the row may reach out of the window */
        first = OP(MIN, OP(MAX, first, INDEX(0)), lower_size(s->p, l.v));
        last = OP(MIN, OP(MAX, last, INDEX(0)), lower_size(s->p, l.v));
    }
    if (s->row.rises) { /* the matrix of the only term */
        first = tsr_ir_select(s->ir, s->row.rises, first, INDEX(0));
        last = tsr_ir_select(s->ir, s->row.rises, last, lower_size(s->p, l.v));
    }
    merge_measure(s, tsr_ir_sub(s->ir, hi, lo), first, last);
    tsr_ir_end(s->ir);
}

void merge_enter_masks(merge_state *s, const tsr_plan_term *term, int v)
{
    for (int i = 0; i < (term ? 1 : s->plan->nterms); i++) {
        const tsr_plan_term *const one = term ? term : &s->plan->term[i];
        for (int k = 0; k < one->nmasks && !one->empty; k++)
            enter_again(s, one->mask[k], v, NULL);
    }
}

/* A loop of a term, and what is inside. */
typedef struct merge_body {
    lower_state *of;
    int k; /* the number of the loop in the term's order */
    const lower_target *into;
    const lower_product *above;
} merge_body;

/* Emit what is inside the loop, where the accesses of the list have been entered. */
static void inside(merge_state *s, const merge_body *body, loop *l)
{
    const tsr_plan_term *const term = body->of->merged;
    merge_locate(s, term, body->k, &l->nblocks);
    merge_skip_masked(s, term, body->k, &l->nblocks);
    lower_visit(body->of, body->k - s->plan->nouter + 1, body->into, body->above);
    s->window.on = NULL;
}

/* Emit the loop, over the range of its variable, several steps at a time, and what is inside. */
static void unrolled(merge_state *s, const merge_body *body, const loop *of, const int *list, int n)
{
    const char *const name = s->plan->notation->var[of->v];
    const uint32_t unroll = s->plan->schedule.unroll[of->v];
    merge_access before[TSR_PLAN_MAX_ACCESSES];
    tsr_ir_range rest = range_of_var(s, of);
    memcpy(before, s->access, sizeof before);
    for (int part = 0; part < 2; part++) {
        loop l = *of;
        if (part == 0) {
            const tsr_ir_range step = lower_open_blocks(s->p, "step", rest, unroll, &rest);
            const tsr_ir_expr *const u = tsr_ir_for(s->ir, "u", INDEX(0), INDEX(unroll), TSR_IR_UNROLL);
            s->at[l.v] = tsr_ir_declare(s->ir, name, tsr_ir_add(s->ir, step.lo, u), false);
        } else {
            s->at[l.v] = tsr_ir_for(s->ir, name, rest.lo, rest.hi, 0);
        }
        enter_all(s, &l, list, n);
        inside(s, body, &l);
        for (int i = 0; i < l.nblocks + (part == 0); i++)
            tsr_ir_end(s->ir);
        tsr_ir_end(s->ir);
        memcpy(s->access, before, sizeof before);
    }
}

void merge_loop(lower_state *of, int d, const lower_target *into, const lower_product *above)
{
    merge_state *const s = of->merge;
    const tsr_plan_term *const term = of->merged;
    const merge_body body = {of, s->plan->nouter + d, into, above};
    const bool is_last = d == of->term->nlevels - 1;
    merge_access before[TSR_PLAN_MAX_ACCESSES];
    if (s->row.measuring && is_last) {
        measure(s, term);
        return;
    }
    loop l = {.v = term->order[body.k],
              .block = of->block[term->order[body.k]],
              .may_mask = is_last && merge_may_mask(s, term),
              .is_row = is_last && tsr_plan_is_row(s->plan, term)};
    memcpy(before, s->access, sizeof before);
    merge_mark(s, term, body.k + 1);
    const int located = merge_located(s, term, body.k);
    int list[TSR_NOTATION_MAX_FACTORS], n = 0;
    for (int i = 0; i < term->naccesses; i++)
        if (term->access[i] != located)
            list[n++] = term->access[i];
    if (s->plan->schedule.unroll[l.v] > 1 && tsr_plan_is_range(s->plan, term, l.v)) {
        unrolled(s, &body, &l, list, n);
        return;
    }
    open_intersection(s, &l, list, n);
    inside(s, &body, &l);
    close_intersection(s, &l);
    memcpy(s->access, before, sizeof before);
}

/* ---- unions ---- */

/* Set w->crd to the coordinate at w->q, or to the variable's size at the end of the children or of the window. */
static void reload(merge_state *s, const merge_walked *w, int v)
{
    tsr_ir_assign(s->ir, w->crd, lower_size(s->p, v), false);
    if (w->clip.window)
        merge_skip(s, &w->clip, w->q, w->end);
    tsr_ir_if(s->ir, OP(LT, w->q, w->end));
    const tsr_ir_expr *c = merge_in_window(s, w->clip.window, merge_load_crd(s, w->clip.list, w->q));
    tsr_ir_assign(s->ir, w->crd, w->clip.window ? OP(MIN, c, lower_size(s->p, v)) : c, false);
    tsr_ir_end(s->ir);
}

/* Declare q, end and crd for a walk over the children. Where the access does not store the coordinate of an
 * outer loop, the children are an empty range. */
static void start_walk(merge_state *s, merge_walked *w, int v)
{
    char name[100];
    const tsr_ir_expr *lo, *hi, *const has = s->access[w->number].has;
    if (!has)
        range_of(s, w, &lo, &hi, false);
    w->q = declare_level(s, "p", w->number, "", has ? INDEX(0) : lo, true);
    w->end = declare_level(s, "p", w->number, "_last", has ? INDEX(0) : hi, has);
    if (has) {
        w->clip = clip_of(s, w->number);
        tsr_ir_if(s->ir, has);
        children(s, w->number, &lo, &hi);
        tsr_ir_assign(s->ir, w->q, lo, false);
        tsr_ir_assign(s->ir, w->end, hi, false);
        tsr_ir_end(s->ir);
    }
    snprintf(name, sizeof name, "%.40s_%.40s", s->plan->notation->var[v], view_of(s, w->number)->name);
    w->crd = tsr_ir_declare(s->ir, name, lower_size(s->p, v), true);
    reload(s, w, v);
}

static const tsr_ir_expr *least(merge_state *s, const loop *l)
{
    const tsr_ir_expr *x = NULL;
    for (int i = 0; i < l->n; i++)
        x = x ? OP(MIN, x, l->of[i].crd) : l->of[i].crd;
    return x;
}

/* Open the loop over l->v that visits the coordinates that at least one access of the list stores; where
 * `full`, all coordinates. */
static void open_union(merge_state *s, loop *l, const int *list, int n, bool full)
{
    const char *var = s->plan->notation->var[l->v];
    char name[100];
    for (int i = 0; i < l->n; i++)
        start_walk(s, &l->of[i], l->v);
    if (full) {
        open_range(s, l, false);
    } else {
        s->share.lo = s->share.hi = NULL; /* the walked ranges are the thread's share */
        snprintf(name, sizeof name, "%.80s_next", var);
        const tsr_ir_expr *all = INDEX(0);
        for (int i = 0; i < l->n; i++)
            all = tsr_ir_add(s->ir, all, tsr_ir_sub(s->ir, l->of[i].end, l->of[i].q));
        reserve_row(s, all);
        l->next = tsr_ir_declare(s->ir, name, least(s, l), true);
        tsr_ir_while(s->ir, OP(LT, l->next, lower_size(s->p, l->v)));
        s->at[l->v] = tsr_ir_declare(s->ir, var, l->next, false);
    }
    for (int i = 0; i < l->n; i++) {
        merge_walked *w = &l->of[i];
        snprintf(name, sizeof name, "has_%.80s", view_of(s, w->number)->name);
        s->access[w->number].has = tsr_ir_declare(s->ir, name, OP(EQ, w->crd, s->at[l->v]), false);
        merge_enter(s, w->number, w->q);
    }
    for (int i = 0; i < n; i++)
        enter_again(s, list[i], l->v, NULL);
}

static void close_union(merge_state *s, const loop *l)
{
    for (int i = 0; i < l->n; i++) {
        const merge_walked *w = &l->of[i];
        tsr_ir_if(s->ir, OP(EQ, w->crd, s->at[l->v]));
        tsr_ir_assign(s->ir, w->q, INDEX(1), true);
        reload(s, w, l->v);
        tsr_ir_end(s->ir);
    }
    if (l->next)
        tsr_ir_assign(s->ir, l->next, least(s, l), false);
    tsr_ir_end(s->ir);
}

/* Emit instead of loop k, the last one, a statement that merges whole rows; false: there is no such statement. */
static bool merges_rows(merge_state *s, int k)
{
    const tsr_plan_rows *const rows = &s->plan->rows;
    if (s->plan->var[k] != tsr_plan_last(s->plan))
        return false;
    if (rows->nsummed > 0)
        merge_sum_rows(s, k);
    else if (rows->intersects && s->pass == MERGE_PASS_APPEND)
        merge_intersect_rows(s, k);
    else
        return false;
    return true;
}

void merge_outer_loop(merge_state *s, int k)
{
    const tsr_plan *const plan = s->plan;
    int list[TSR_PLAN_MAX_ACCESSES], nterms;
    merge_access saved[TSR_PLAN_MAX_ACCESSES];
    if (k == plan->nouter) {
        (plan->sink == TSR_PLAN_ROWS ? merge_row : merge_point)(s);
        return;
    }
    const int n = merge_all_accesses(list, s, &nterms);
    const bool must_be_full = k < plan->ndense;
    loop l = {.v = plan->var[k]};
    if ((nterms == 0 && !must_be_full) || merges_rows(s, k))
        return;
    memcpy(saved, s->access, sizeof saved);
    bool is_flagged = false; /* an operand may lack the coordinate of an outer loop */
    for (int i = 0; i < n; i++)
        is_flagged = is_flagged || s->access[list[i]].has;
    const bool intersects = nterms == 1 && !must_be_full && !is_flagged;
    s->out.reserves = plan->sink == TSR_PLAN_ROWS && l.v == tsr_plan_last(plan) && !must_be_full;
    if (intersects) {
        open_intersection(s, &l, list, n);
    } else {
        const bool any_full = gather(&l, s, list, n);
        open_union(s, &l, list, n, must_be_full || any_full || merge_some_term_is_free(s, l.v));
    }
    merge_enter_masks(s, NULL, l.v);
    const tsr_ir_expr *const before = merge_enter_outer(s, k);
    merge_outer(s, k + 1);
    merge_append_outer(s, k, before);
    if (intersects)
        close_intersection(s, &l);
    else
        close_union(s, &l);
    memcpy(s->access, saved, sizeof saved);
}
