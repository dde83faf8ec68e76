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

/* ---- tables ---- */

const tsr_ir_array *merge_new_table(merge_state *s, const tsr_ir_expr *span, int pos_nbytes, bool threaded)
{
    const tsr_ir_expr *const n = tsr_ir_mul(s->ir, span, lower_nthreads(s->p, threaded));
    return tsr_ir_index_array_new(s->ir, "place", pos_nbytes > 4 ? TSR_U64 : TSR_U32, TSR_IR_HEAP, n, true);
}

void merge_find_row(merge_state *s, merge_table *table, const tsr_ir_array *pos, const tsr_ir_expr *parent,
                    const tsr_ir_expr *none, const tsr_ir_expr *const *has)
{
    const tsr_ir_expr *const begin = tsr_ir_load_index(s->ir, pos, parent);
    const tsr_ir_expr *const end = tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, parent, INDEX(1)));
    char lo[32], hi[32];
    snprintf(lo, sizeof lo, "%s_begin", table->name);
    snprintf(hi, sizeof hi, "%s_end", table->name);
    table->lo = tsr_ir_declare(s->ir, lo, has[0] ? none : begin, has[0]);
    table->hi = tsr_ir_declare(s->ir, hi, has[0] ? none : end, has[0]);
    if (!has[0])
        return;
    for (int i = 0; has[i]; i++)
        tsr_ir_if(s->ir, has[i]);
    tsr_ir_assign(s->ir, table->lo, begin, false);
    tsr_ir_assign(s->ir, table->hi, end, false);
    for (int i = 0; has[i]; i++)
        tsr_ir_end(s->ir);
}

static const tsr_ir_expr *element(merge_state *s, const merge_table *table, const tsr_ir_expr *coordinate)
{
    return tsr_ir_add(s->ir, table->first, coordinate);
}

const tsr_ir_expr *merge_write_table(merge_state *s, const merge_table *table, const tsr_ir_array *crd)
{
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", table->lo, table->hi, 0);
    tsr_ir_store(s->ir, table->place, element(s, table, tsr_ir_load_index(s->ir, crd, q)),
                 tsr_ir_add(s->ir, q, INDEX(1)), false, false);
    return q;
}

const tsr_ir_expr *merge_look_up(merge_state *s, const merge_table *table, const tsr_ir_expr *coordinate,
                                 const tsr_ir_expr **found)
{
    *found = tsr_ir_declare(s->ir, "found",
                            tsr_ir_load_index(s->ir, table->place, element(s, table, coordinate)), false);
    return OP(AND, OP(LT, table->lo, *found), OP(LE, *found, table->hi));
}

/* ---- loops that locate ---- */

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
    const int t = merge_tensor(s, a), l = plan->view[plan->access[a].view].nlevels - 1;
    s->tables.place[s->tables.n++] = (merge_places){
        .term = term,
        .k = k,
        .access = a,
        .is_mask = is_mask,
        .table = {.name = "mask",
                  .place = merge_new_table(s, lower_size(s->p, term->order[k]),
                                           s->p->operands[t].nbytes[TSR_LEVEL_POS][l], threaded)}};
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

void merge_mark(merge_state *s, const tsr_plan_term *term, int k)
{
    for (int i = 0; i < s->tables.n; i++) {
        merge_places *p = &s->tables.place[i];
        if (p->term != term || p->k != k || (s->row.measuring && (p->is_mask || k == term->nvars - 1)))
            continue;
        const merge_access *const at = &s->access[p->access];
        const tsr_ir_array *const pos = merge_array(s, TSR_PARAM_POS, p->access, at->depth);
        const tsr_ir_array *const crd = merge_array(s, TSR_PARAM_CRD, p->access, at->depth);
        p->table.first = tsr_ir_mul(s->ir, lower_size(s->p, term->order[k]), s->share.part.t);
        merge_find_row(s, &p->table, pos, at->pos, INDEX(0), (const tsr_ir_expr *[]){at->has, NULL});
        (void)merge_write_table(s, &p->table, crd);
        tsr_ir_end(s->ir);
    }
}

void merge_locate(merge_state *s, const tsr_plan_term *term, int k, int *nblocks)
{
    const int a = merge_located(s, term, k);
    const tsr_ir_expr *found;
    if (a < 0)
        return;
    tsr_ir_if(s->ir, merge_look_up(s, &places_of(s, term, k, a)->table, s->at[term->order[k]], &found));
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
            tsr_ir_if(s->ir, OP(NOT, merge_look_up(s, &p->table, s->at[term->order[k]], &found), NULL));
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
