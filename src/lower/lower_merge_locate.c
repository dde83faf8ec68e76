/* Locating instead of merging. Suppose two compressed levels are walked together in a loop, and one of them
 * has the same parent during all of the loop around (such as the mask of a product, row by row). Then this
 * level is written into a table before the loop around: place[j] is 1 + the position of coordinate j. The
 * loop walks only the other level, and looks up its coordinates in the table. A number in the table from an
 * earlier parent is outside the positions of this parent, so the table is never cleared. */
#include "lower_merge.h"

#include <stdio.h>

#define INDEX(c) tsr_ir_index(s->ir, (c))
#define OP(op, x, y) tsr_ir_op2(s->ir, TSR_IR_##op, (x), (y))

enum { MAX_PLACES = 1 << 26 }; /* elements of the tables of all threads */

static int rank_of(const tsr_plan_term *term, int v)
{
    int k = 0;
    while (k < term->nvars && term->order[k] != v)
        k++;
    return k;
}

/* Whether the access has exactly one level over v, which is compressed. *before: the number of the loop that
 * binds the parent of the level; -1 if it is the first level. */
static bool find_level(int *before, const merge_state *s, const tsr_plan_term *term, int a, int v)
{
    const tsr_plan_access *access = &s->plan->access[a];
    const tsr_plan_view *view = &s->plan->view[access->view];
    int n = 0;
    for (int l = 0; l < view->nlevels; l++) {
        if (access->expr->index[view->mode[l]] != v)
            continue;
        if (view->full[l])
            return false;
        *before = l > 0 ? rank_of(term, access->expr->index[view->mode[l - 1]]) : -1;
        n++;
    }
    return n == 1;
}

/* The access that a table could locate in loop k; -1: no access. */
static int find_located(const merge_state *s, const tsr_plan_term *term, int k)
{
    int located = -1, nwalked = 0, nlast = 0;
    if (k < 1 || k >= term->nvars || k - 1 < (s->plan->sink == TSR_PLAN_ROWS ? s->plan->nouter : 0) ||
        (double)s->plan->size[term->order[k]] * s->p->graph->nthreads > (double)MAX_PLACES)
        return -1;
    for (int i = 0; i < term->naccesses; i++) {
        const int a = term->access[i];
        int before;
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen = seen || term->access[j] == a;
        if (seen || !find_level(&before, s, term, a, term->order[k]))
            continue;
        nwalked++;
        nlast += before == k - 1;
        if (before >= 0 && before < k - 1)
            located = a;
    }
    return nwalked == 2 && nlast == 1 ? located : -1;
}

/* The table of loop k, or NULL. */
static const merge_places *places_of(const merge_state *s, const tsr_plan_term *term, int k)
{
    for (int i = 0; i < s->nplaces; i++)
        if (s->places[i].term == term && s->places[i].k == k)
            return &s->places[i];
    return NULL;
}

int merge_located(const merge_state *s, const tsr_plan_term *term, int k)
{
    return places_of(s, term, k) ? find_located(s, term, k) : -1;
}

void merge_new_places(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    s->nplaces = 0;
    for (int i = 0; i < plan->nterms; i++)
        for (int k = 1; k < plan->term[i].nvars && !plan->term[i].empty; k++) {
            const int a = find_located(s, &plan->term[i], k);
            if (a < 0 || s->nplaces == MERGE_MAX_PLACES)
                continue;
            const tsr_plan_access *access = &plan->access[a];
            const int t = merge_tensor(plan, access->view), l = plan->view[access->view].nlevels - 1;
            const tsr_type type = s->p->graph->operands[t].nbytes[TSR_LEVEL_POS][l] > 4 ? TSR_U64 : TSR_U32;
            const tsr_ir_expr *n = merge_size(s, plan->term[i].order[k]);
            if (threaded)
                n = tsr_ir_mul(s->ir, n, merge_nthreads(s));
            s->places[s->nplaces++] =
                (merge_places){.term = &plan->term[i],
                               .k = k,
                               .place = tsr_ir_index_array_new(s->ir, "place", type, TSR_IR_HEAP, n, true)};
        }
}

static const tsr_ir_expr *place_of(merge_state *s, const merge_places *p, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *part = tsr_ir_mul(s->ir, merge_size(s, p->term->order[p->k]), s->t);
    return tsr_ir_add(s->ir, part, coordinate);
}

void merge_mark(merge_state *s, const tsr_plan_term *term, int k)
{
    const int a = merge_located(s, term, k);
    merge_places *p =
        a >= 0 ? (merge_places *)(uintptr_t)places_of(s, term, k) : NULL; /* an element of s->places */
    if (!p)
        return;
    const tsr_plan_access *access = &s->plan->access[a];
    const int t = merge_tensor(s->plan, access->view), l = s->access[a].depth;
    const tsr_ir_array *pos = lower_array_param(s->p, TSR_PARAM_POS, t, l),
                       *crd = lower_array_param(s->p, TSR_PARAM_CRD, t, l);
    p->lo = tsr_ir_declare(s->ir, "mask_begin", tsr_ir_load_index(s->ir, pos, s->access[a].pos), false);
    p->hi =
        tsr_ir_declare(s->ir, "mask_end",
                       tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, s->access[a].pos, INDEX(1))), false);
    const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", p->lo, p->hi, 0);
    tsr_ir_store(s->ir, p->place, place_of(s, p, tsr_ir_load_index(s->ir, crd, q)),
                 tsr_ir_add(s->ir, q, INDEX(1)), false, false);
    tsr_ir_end(s->ir);
}

bool merge_locate(merge_state *s, const tsr_plan_term *term, int k, int *nblocks)
{
    const int a = merge_located(s, term, k);
    const merge_places *p = a >= 0 ? places_of(s, term, k) : NULL;
    if (!p)
        return false;
    const tsr_ir_expr *at = tsr_ir_declare(
        s->ir, "found", tsr_ir_load_index(s->ir, p->place, place_of(s, p, s->at[term->order[k]])), false);
    tsr_ir_if(s->ir, OP(AND, OP(LT, p->lo, at), OP(LE, at, p->hi)));
    ++*nblocks;
    s->access[a].pos = tsr_ir_sub(s->ir, at, INDEX(1));
    s->access[a].depth++;
    return true;
}
