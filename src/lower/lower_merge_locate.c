/* Locating instead of merging. Suppose two compressed levels are walked together in a loop, and one of them
 * has the same parent during all of the loop around (such as the mask of a product, row by row). Then this
 * level is written into a table before the loop around: place[j] is 1 + the position of coordinate j. The
 * loop walks only the other level, and looks up its coordinates in the table. A number in the table from an
 * earlier parent is outside the positions of this parent, so the table is never cleared.
 *
 * A complement is looked up in the same way: its loop skips the coordinates that the table has. Where a table does
 * not pay, because the parent of the level changes in the loop around, the level is searched. */
#include "lower_merge.h"

#include <stdio.h>

/* The table of the access in loop k, or NULL. */
static merge_places *places_of(merge_state *s, const tsr_plan_term *term, int k, int a)
{
    for (int i = 0; i < s->tables.n; i++)
        if (s->tables.place[i].term == term && s->tables.place[i].k == k && s->tables.place[i].access == a)
            return &s->tables.place[i];
    return NULL;
}

int merge_located(const merge_state *s, const tsr_plan_term *term, int k)
{
    for (int i = 0; i < s->tables.n; i++)
        if (s->tables.place[i].term == term && s->tables.place[i].k == k && !s->tables.place[i].is_mask)
            return s->tables.place[i].access;
    return -1;
}

static void new_place(merge_state *s, const tsr_plan_term *term, int k, int a, bool is_mask, bool threaded)
{
    const tsr_plan *plan = s->plan;
    if (a < 0 || s->tables.n == MERGE_MAX_PLACES)
        return;
    const tsr_plan_access *access = &plan->access[a];
    const int t = merge_tensor(plan, access->view), l = plan->view[access->view].nlevels - 1;
    const tsr_type type = s->p->operands[t].nbytes[TSR_LEVEL_POS][l] > 4 ? TSR_U64 : TSR_U32;
    const tsr_ir_expr *n = lower_size(s->p, term->order[k]);
    if (threaded)
        n = tsr_ir_mul(s->ir, n, lower_nthreads(s->p));
    s->tables.place[s->tables.n++] =
        (merge_places){.term = term,
                       .k = k,
                       .access = a,
                       .is_mask = is_mask,
                       .place = tsr_ir_index_array_new(s->ir, "place", type, TSR_IR_HEAP, n, true)};
}

void merge_new_places(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    s->tables.n = 0;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *term = &plan->term[i];
        for (int k = 1; k < term->nvars && !term->empty; k++) {
            new_place(s, term, k, tsr_plan_located(plan, term, k), false, threaded);
            for (int j = 0; j < term->nmasks; j++)
                if (tsr_plan_mask_located(plan, term, k, term->mask[j]))
                    new_place(s, term, k, term->mask[j], true, threaded);
        }
    }
}

static const tsr_ir_expr *place_of(merge_state *s, const merge_places *p, const tsr_ir_expr *coordinate)
{
    const tsr_ir_expr *part = tsr_ir_mul(s->ir, lower_size(s->p, p->term->order[p->k]), s->share.part.t);
    return tsr_ir_add(s->ir, part, coordinate);
}

/* Declare the positions of the row to write into the table; none where the access does not have the row. */
static void find_row(merge_state *s, merge_places *p)
{
    const merge_access *at = &s->access[p->access];
    const tsr_plan_access *access = &s->plan->access[p->access];
    const tsr_ir_array *pos =
        lower_array_param(s->p, TSR_PARAM_POS, merge_tensor(s->plan, access->view), at->depth);
    const tsr_ir_expr *parent = at->pos, *next = tsr_ir_add(s->ir, parent, INDEX(1));
    if (!at->has) {
        p->lo = tsr_ir_declare(s->ir, "mask_begin", tsr_ir_load_index(s->ir, pos, parent), false);
        p->hi = tsr_ir_declare(s->ir, "mask_end", tsr_ir_load_index(s->ir, pos, next), false);
        return;
    }
    p->lo = tsr_ir_declare(s->ir, "mask_begin", INDEX(0), true);
    p->hi = tsr_ir_declare(s->ir, "mask_end", INDEX(0), true);
    tsr_ir_if(s->ir, at->has);
    tsr_ir_assign(s->ir, p->lo, tsr_ir_load_index(s->ir, pos, parent), false);
    tsr_ir_assign(s->ir, p->hi, tsr_ir_load_index(s->ir, pos, next), false);
    tsr_ir_end(s->ir);
}

void merge_mark(merge_state *s, const tsr_plan_term *term, int k)
{
    for (int i = 0; i < s->tables.n; i++) {
        merge_places *p = &s->tables.place[i];
        if (p->term != term || p->k != k || (s->row.measuring && (p->is_mask || k == term->nvars - 1)))
            continue;
        const int t = merge_tensor(s->plan, s->plan->access[p->access].view);
        const tsr_ir_array *crd = lower_array_param(s->p, TSR_PARAM_CRD, t, s->access[p->access].depth);
        find_row(s, p);
        const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", p->lo, p->hi, 0);
        tsr_ir_store(s->ir, p->place, place_of(s, p, tsr_ir_load_index(s->ir, crd, q)),
                     tsr_ir_add(s->ir, q, INDEX(1)), false, false);
        tsr_ir_end(s->ir);
    }
}

/* Whether the table has the coordinate of loop k; *found: 1 + the position. */
static const tsr_ir_expr *look_up(merge_state *s, const merge_places *p, const tsr_ir_expr **found)
{
    *found = tsr_ir_declare(s->ir, "found",
                            tsr_ir_load_index(s->ir, p->place, place_of(s, p, s->at[p->term->order[p->k]])),
                            false);
    return OP(AND, OP(LT, p->lo, *found), OP(LE, *found, p->hi));
}

void merge_locate(merge_state *s, const tsr_plan_term *term, int k, int *nblocks)
{
    const int a = merge_located(s, term, k);
    const tsr_ir_expr *found;
    if (a < 0)
        return;
    tsr_ir_if(s->ir, look_up(s, places_of(s, term, k, a), &found));
    ++*nblocks;
    s->access[a].pos = tsr_ir_sub(s->ir, found, INDEX(1));
    s->access[a].depth++;
}

void merge_skip_masked(merge_state *s, const tsr_plan_term *term, int k, int *nblocks)
{
    for (int j = 0; j < term->nmasks && !s->row.measuring; j++) {
        const int a = term->mask[j], depth = s->access[a].depth;
        const int nlevels = s->plan->view[s->plan->access[a].view].nlevels;
        const merge_places *p = places_of(s, term, k, a);
        const tsr_ir_expr *found;
        if (depth == nlevels)
            continue; /* skipped in a loop around */
        if (p) {
            tsr_ir_if(s->ir, OP(NOT, look_up(s, p, &found), NULL));
            s->access[a].depth = nlevels;
            ++*nblocks;
            continue;
        }
        merge_enter_masks(s, &(tsr_plan_term){.nmasks = 1, .mask = {a}}, term->order[k]);
        if (s->access[a].depth < nlevels)
            continue;
        tsr_ir_if(s->ir, OP(NOT, s->access[a].has, NULL));
        ++*nblocks;
    }
}
