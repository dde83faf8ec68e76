/* The sinks of contributions: a contribution is added to a dense result, appended to a list, or collected in
 * a workspace for a row of the result. */
#include "lower_merge.h"

/* ---- values ---- */

/* The number of the term's sparse access that e is; -1: e is an access of a dense tensor. */
static int access_of(const merge_state *s, const tsr_plan_term *term, const tsr_expr *e)
{
    for (int k = 0; k < term->naccesses; k++) {
        if (tsr_expr_same_access(s->plan->access[term->access[k]].expr, e))
            return term->access[k];
    }
    return -1;
}

/* What the values of a term are read from. */
typedef struct reading {
    merge_state *s;
    const tsr_plan_term *term;
} reading;

static const tsr_ir_expr *read_access(void *arg, const tsr_expr *e)
{
    const reading *const of = arg;
    merge_state *const s = of->s;
    const int a = access_of(s, of->term, e);
    if (e->mask != TSR_MASK_NONE)
        return lower_number(s->p, 1);
    for (int f = 0; f < of->term->nest->nfactors; f++)
        if (of->term->nest->factor[f].is_located && tsr_expr_same_access(of->term->nest->factor[f].expr, e))
            return lower_load(s->p, e->tensor, s->found[f], lower_type(s->p));
    return a < 0 ? NULL : lower_load(s->p, merge_tensor(s, a), s->access[a].pos, lower_type(s->p));
}

const tsr_ir_expr *merge_value(merge_state *s, const tsr_plan_term *term, const tsr_expr *e)
{
    reading of = {s, term};
    return lower_value(
        s->p, &(lower_reader){.type = lower_type(s->p), .at = s->at, .read = read_access, .arg = &of}, e);
}

/* merge_product, with these values of the factors, or NULL; absent: whether one of them is a zero of a block; NULL: it is not. */
static const tsr_ir_expr *multiply(merge_state *s, const tsr_plan_term *term, int without,
                                   const tsr_ir_expr *const *value, const tsr_ir_expr *absent)
{
    const tsr_ir_expr *x = NULL;
    for (int f = 0; f < term->term->nfactors; f++) {
        const tsr_factor *factor = &term->term->factor[f];
        if (f == without || factor->expr->kind == TSR_EXPR_BAND ||
            (factor->expr->kind == TSR_EXPR_ACCESS && factor->expr->mask != TSR_MASK_NONE))
            continue; /* a mask does not have a value, nor does a band */
        const tsr_ir_expr *y = value ? value[f] : merge_value(s, term, factor->expr);
        if (absent && factor->expr->kind != TSR_EXPR_NUMBER)
            y = tsr_ir_select(s->ir, absent, lower_number(s->p, factor->inverse), y);
        x = lower_times(s->p, x, y, factor->inverse);
    }
    if (!x && without >= 0 && !term->term->negative)
        return NULL;
    if (!x)
        x = lower_number(s->p, 1);
    if (!s->work.point && !value) /* a sum at a point is one of numbers */
        x = lower_truth(s->p, x);
    return term->term->negative ? OP(NEG, x, NULL) : x;
}

const tsr_ir_expr *merge_product(merge_state *s, const tsr_plan_term *term, int without)
{
    return multiply(s, term, without, NULL, NULL);
}

/* The product of the term's factors, in the order of the text. */
static const tsr_ir_expr *product(merge_state *s, const tsr_plan_term *term)
{
    return merge_product(s, term, -1);
}

/* Whether the factor is a value of a block. */
static bool is_in_block(const merge_state *s, const tsr_plan_term *term, const tsr_expr *e)
{
    const int a = e->kind == TSR_EXPR_ACCESS ? access_of(s, term, e) : -1;
    const tsr_plan_view *const view = a >= 0 ? &s->plan->view[s->plan->access[a].view] : NULL;
    return view && view->full[view->nlevels - 1];
}

const tsr_ir_expr *merge_block_product(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_expr *value[TSR_NOTATION_MAX_FACTORS], *absent = NULL;
    int nvalues = 0;
    for (int f = 0; f < term->term->nfactors; f++)
        nvalues += term->term->factor[f].expr->kind != TSR_EXPR_NUMBER;
    if (nvalues < 2) /* 0 times a number is 0 */
        return product(s, term);
    for (int f = 0; f < term->term->nfactors; f++) {
        value[f] = lower_held(s->p, merge_value(s, term, term->term->factor[f].expr));
        if (!is_in_block(s, term, term->term->factor[f].expr))
            continue;
        const tsr_ir_expr *const is_zero = OP(EQ, value[f], lower_number(s->p, 0));
        absent = absent ? OP(OR, absent, is_zero) : is_zero;
    }
    return multiply(s, term, -1, value, absent);
}

/* ---- one contribution ---- */

/* Append the term's contribution to the list. */
static void list_it(merge_state *s, const tsr_plan_term *term)
{
    const tsr_expr *result = s->plan->notation->result;
    const tsr_ir_expr *n = tsr_ir_add(s->ir, s->out.cursor[0], INDEX(1));
    for (int m = 0; m < result->nindices; m++) {
        tsr_ir_reserve(s->ir, s->out.crd[m], n);
        tsr_ir_store(s->ir, s->out.crd[m], s->out.cursor[0],
                     lower_out_of_window(s->p, tsr_expr_window(result, m), s->at[result->index[m]]), false,
                     false);
    }
    tsr_ir_reserve(s->ir, s->out.values, n);
    tsr_ir_store(s->ir, s->out.values, s->out.cursor[0], product(s, term), false, false);
    tsr_ir_assign(s->ir, s->out.cursor[0], INDEX(1), true);
}

const tsr_ir_expr *merge_workspace_key(merge_state *s)
{
    const tsr_ir_expr *key = INDEX(0);
    for (int k = s->plan->nouter; k < s->plan->nresult; k++)
        key = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, key, lower_size(s->p, s->plan->var[k])),
                         s->at[s->plan->var[k]]);
    return key && key->op != TSR_IR_VAR ? tsr_ir_declare(s->ir, "key", key, false) : key;
}

const tsr_ir_expr *merge_in_part(merge_state *s, const tsr_ir_expr *key)
{
    return tsr_ir_add(s->ir, s->work.first, key);
}

void merge_if_first(merge_state *s, const tsr_ir_array *mark, const tsr_ir_expr *at, const tsr_ir_expr *x)
{
    const tsr_ir_expr *there = tsr_ir_load_index(s->ir, mark, at);
    if (!x) {
        tsr_ir_if(s->ir, OP(EQ, there, INDEX(0)));
        return;
    }
    tsr_ir_if(s->ir, OP(NE, there, INDEX(0)));
    lower_add_to(s->p, s->work.array, at, x);
    tsr_ir_else(s->ir);
    tsr_ir_store(s->ir, s->work.array, at, x, false, false);
}

void merge_list_key(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *at)
{
    tsr_ir_store(s->ir, s->work.mark, at, INDEX(1), false, false);
    tsr_ir_store(s->ir, s->work.list, merge_in_part(s, s->work.nlisted), key, false, false);
    tsr_ir_assign(s->ir, s->work.nlisted, INDEX(1), true);
}

/* Add the contribution to the workspace; the first one of an element in a row sets the element and lists it. */
static void scatter(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x)
{
    const tsr_ir_expr *at = merge_in_part(s, key);
    if (at && at->op != TSR_IR_VAR)
        at = tsr_ir_declare(s->ir, "at", at, false);
    merge_if_first(s, s->work.mark, at, x);
    merge_list_key(s, key, at);
    tsr_ir_end(s->ir);
}

/* The term's contribution, or the neutral value, whichever counts. */
static const tsr_ir_expr *counted(merge_state *s, const tsr_plan_term *term)
{
    const tsr_ir_expr *const x = product(s, term);
    if (!s->window.on)
        return x;
    tsr_ir_store(s->ir, s->window.pick, INDEX(1), x, false, false);
    return tsr_ir_load_value(s->ir, s->window.pick, s->window.on, lower_type(s->p));
}

void merge_add_to_dense(merge_state *s, const tsr_ir_expr *x)
{
    if (s->work.sum)
        lower_add_to_var(s->p, s->work.sum, x);
    else
        lower_add_to_result(s->p, &s->dense, lower_place(s->p, s->plan->notation->result, 0, INDEX(0), s->at),
                            x);
}

/* Add the term's contribution to a row, in the way of the loops being emitted. */
static void contribute_to_row(merge_state *s, const tsr_plan_term *term)
{
    static const struct {
        void (*add)(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x);
        bool has_keys; /* of any number of variables; entries may only be counted; x is used more than once */
    } ways[] = {[MERGE_ROW_LISTED] = {scatter, true},
                [MERGE_ROW_MARKED] = {merge_add_to_row, false},
                [MERGE_ROW_FEW] = {merge_add_to_row, false},
                [MERGE_ROW_HASHED] = {merge_add_to_keys, true},
                [MERGE_ROW_RECORDED] = {merge_add_to_keys, true},
                [MERGE_ROW_APPENDED] = {merge_add_to_any_order, false},
                [MERGE_ROW_PLACED] = {merge_add_to_placed, false},
                [MERGE_ROW_FOLLOWED] = {merge_add_to_followed, false}};
    const bool has_keys = ways[s->row.kind].has_keys;
    const tsr_ir_expr *const key =
        has_keys || s->plan->rows.meets ? merge_workspace_key(s) : s->at[s->plan->var[s->plan->nresult - 1]];
    const tsr_ir_expr *const x = has_keys && s->pass == MERGE_PASS_COUNT ? NULL : product(s, term);
    ways[s->row.kind].add(s, key, x && has_keys ? tsr_ir_declare(s->ir, "x", x, false) : x);
}

void merge_contribute(merge_state *s, const tsr_plan_term *term)
{
    const tsr_plan *plan = s->plan;
    if (plan->storage.blocks) {
        merge_contribute_block(s, term);
    } else if (s->work.point) {
        tsr_ir_assign(s->ir, s->work.point, product(s, term), true);
        tsr_ir_assign(s->ir, s->work.any, tsr_ir_bool(s->ir, true), false);
    } else if (plan->sink == TSR_PLAN_LIST) {
        list_it(s, term);
    } else if (plan->sink == TSR_PLAN_DENSE) {
        merge_add_to_dense(s, counted(s, term));
    } else if (plan->nouter < plan->nresult || s->row.kind != MERGE_ROW_LISTED) {
        contribute_to_row(s, term);
    } else {
        if (s->pass != MERGE_PASS_COUNT)
            lower_add_to_var(s->p, s->work.sum, product(s, term));
        tsr_ir_assign(s->ir, s->work.any, tsr_ir_bool(s->ir, true), false);
    }
}

/* ---- rows ---- */

void merge_begin_row(merge_state *s)
{
    if (s->plan->nouter < s->plan->nresult) {
        s->work.nlisted = tsr_ir_declare(s->ir, "n", INDEX(0), true);
        return;
    }
    if (s->plan->storage.nblock >
        0) { /* the block is computed at its place, which counts only if it is an entry */
        const int last = s->plan->nresult - 1;
        if (!s->out.reserved)
            merge_reserve(s, last, INDEX(1));
        if (s->pass != MERGE_PASS_COUNT)
            merge_clear_block(
                s, s->out.values,
                tsr_ir_declare(s->ir, "block", merge_in_blocks_of(s, s->out.cursor[last]), false));
    } else {
        const tsr_ir_expr *const start = merge_has_neutral(s) ? merge_neutral(s) : lower_absent(s->p);
        s->work.sum = s->pass == MERGE_PASS_COUNT ? NULL : tsr_ir_declare(s->ir, "sum", start, true);
    }
    s->work.any = tsr_ir_declare(s->ir, "any", tsr_ir_bool(s->ir, false), true);
}

void merge_reserve(merge_state *s, int k, const tsr_ir_expr *n)
{
    if (s->pass != MERGE_PASS_APPEND)
        return;
    n = tsr_ir_add(s->ir, s->out.cursor[k], n);
    for (int l = merge_result_level(s, k); l < merge_result_level(s, k + 1); l++)
        tsr_ir_reserve(s->ir, s->out.crd[l], n);
    if (k + 1 == s->plan->nresult)
        tsr_ir_reserve(s->ir, s->out.values, merge_in_blocks_of(s, n));
}

/* Append a coordinate to level k; room has been reserved. Append a value, too, if k is the last level; else
 * `value` is NULL. */
static void append(merge_state *s, int k, const tsr_ir_expr *crd, const tsr_ir_expr *value)
{
    if (s->pass == MERGE_PASS_VALUES) {
        merge_meet(s, k, crd, value);
        return;
    }
    if (s->pass != MERGE_PASS_COUNT)
        merge_store_crd(s, k, s->out.cursor[k], crd);
    if (value && s->pass != MERGE_PASS_COUNT)
        tsr_ir_store(s->ir, s->out.values, s->out.cursor[k], value, false, false);
    tsr_ir_assign(s->ir, s->out.cursor[k], INDEX(1), true);
}

/* Store the sum of two terms, or the value of the first one where the second is NULL, as the next entry. */
static void store_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second)
{
    if (s->plan->storage.nblock > 0) {
        merge_store_block_sum(s, first, second);
        return;
    }
    const tsr_ir_expr *const x = product(s, first);
    tsr_ir_store(s->ir, s->out.values, s->out.cursor[s->plan->nresult - 1],
                 second ? lower_plus(s->p, x, product(s, second)) : x, false, false);
}

/* The same with a branch for each of the three cases, as a textbook does it. */
static void store_by_case(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second,
                          const tsr_ir_expr *const *crd)
{
    tsr_ir_if(s->ir, OP(EQ, crd[0], crd[1]));
    store_sum(s, first, second);
    tsr_ir_else(s->ir);
    tsr_ir_if(s->ir, OP(LT, crd[0], crd[1]));
    store_sum(s, first, NULL);
    tsr_ir_else(s->ir);
    store_sum(s, second, NULL);
    tsr_ir_close(s->ir, 2);
}

/* The same without a branch, which would be predicted right only half of the time: the value is read from memory. */
static const tsr_ir_expr *select_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second,
                                     const tsr_ir_expr *const *crd)
{
    const tsr_ir_expr *const x = lower_held(s->p, product(s, first));
    const tsr_ir_expr *const y = lower_held(s->p, product(s, second));
    const tsr_ir_array *each = tsr_ir_array_new(s->ir, "each", s->p->type, TSR_IR_LOCAL, INDEX(3), false);
    const tsr_ir_expr *const value[] = {x, lower_plus(s->p, x, y), y};
    for (int i = 0; i < 3; i++)
        tsr_ir_store(s->ir, each, INDEX(i), value[i], false, false);
    const tsr_ir_expr *not_first = tsr_ir_select(s->ir, OP(LT, crd[0], crd[1]), INDEX(0), INDEX(1));
    const tsr_ir_expr *only_second = tsr_ir_select(s->ir, OP(LT, crd[1], crd[0]), INDEX(1), INDEX(0));
    return tsr_ir_load_value(s->ir, each, tsr_ir_add(s->ir, not_first, only_second), lower_type(s->p));
}

void merge_append_sum(merge_state *s, const tsr_plan_term *first, const tsr_plan_term *second,
                      const tsr_ir_expr *const *crd)
{
    const int last = s->plan->nresult - 1;
    const bool is_block = s->plan->storage.nblock > 0, counts = s->pass == MERGE_PASS_COUNT;
    const tsr_ir_expr *x = NULL;
    if (second && s->plan->schedule.plain && s->pass == MERGE_PASS_APPEND && !is_block) {
        merge_store_crd(s, last, s->out.cursor[last], s->at[s->plan->var[last]]);
        store_by_case(s, first, second, crd);
        tsr_ir_assign(s->ir, s->out.cursor[last], INDEX(1), true);
        return;
    }
    if (is_block && !counts && second)
        store_by_case(s, first, second, crd);
    else if (is_block && !counts)
        store_sum(s, first, NULL);
    else if (!counts)
        x = second ? select_sum(s, first, second, crd) : product(s, first);
    append(s, last, s->at[s->plan->var[last]], x);
}

/* Store, at element `at` of the positions of level k + 1, where the children of the last entry of level k end. */
static void store_position(merge_state *s, int k, const tsr_ir_expr *at)
{
    if (s->pass == MERGE_PASS_VALUES)
        merge_meet_position(s, k + 1, at);
    if (s->pass == MERGE_PASS_APPEND && k >= s->plan->ndense)
        tsr_ir_reserve(s->ir, s->out.pos[k + 1], tsr_ir_add(s->ir, at, INDEX(1)));
    if (s->pass == MERGE_PASS_APPEND || s->pass == MERGE_PASS_FILL)
        tsr_ir_store(s->ir, s->out.pos[k + 1], at, s->out.cursor[k + 1], false, false);
}

void merge_begin_taking(merge_state *s)
{
    for (int k = s->plan->nouter; k < s->plan->nresult - 1; k++)
        s->out.before[k] = tsr_ir_declare(s->ir, "before", INDEX(-1), true);
}

void merge_append_key(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *value)
{
    const tsr_plan *plan = s->plan;
    const int first = plan->nouter, last = plan->nresult - 1;
    const tsr_ir_expr *part[TSR_MAX_ORDER];
    part[last] = key;
    for (int k = last - 1; k >= first; k--) {
        const tsr_ir_expr *size = lower_size(s->p, plan->var[k + 1]);
        part[k] = tsr_ir_declare(s->ir, "prefix", OP(FLOORDIV, part[k + 1], size), false);
    }
    for (int k = first; k < last; k++) {
        tsr_ir_if(s->ir, OP(NE, part[k], s->out.before[k]));
        merge_reserve(s, k, INDEX(1));
        append(s, k, k == first ? part[k] : OP(MOD, part[k], lower_size(s->p, plan->var[k])), NULL);
        tsr_ir_assign(s->ir, s->out.before[k], part[k], false);
        tsr_ir_end(s->ir);
    }
    append(s, last, first < last ? OP(MOD, key, lower_size(s->p, plan->var[last])) : key, value);
    for (int k = first; k < last; k++)
        store_position(s, k, s->out.cursor[k]);
}

/* Append the row from a workspace: the keys in the list from its element `from` on are the coordinates. */
void merge_append_listed(merge_state *s, const tsr_ir_expr *from)
{
    if (!s->out.reserved)
        merge_reserve(s, s->plan->nresult - 1, s->work.nlisted);
    const tsr_ir_expr *i = tsr_ir_for(s->ir, "i_row", INDEX(0), s->work.nlisted, 0);
    const tsr_ir_expr *key = tsr_ir_declare(
        s->ir, "key", tsr_ir_load_index(s->ir, s->work.list, tsr_ir_add(s->ir, from, i)), false);
    const tsr_ir_expr *const at = merge_in_part(s, key);
    if (!s->plan->rows.meets) /* its marks have been read and cleared */
        tsr_ir_store(s->ir, s->work.mark, at, INDEX(0), false, false);
    const tsr_ir_expr *x = NULL;
    if (s->pass != MERGE_PASS_COUNT && s->plan->storage.nblock > 0)
        merge_copy_block(s, merge_in_blocks_of(s, s->out.cursor[s->plan->nresult - 1]), s->work.array,
                         merge_in_blocks_of(s, at));
    else if (s->pass != MERGE_PASS_COUNT)
        x = tsr_ir_load_value(s->ir, s->work.array, at, lower_type(s->p));
    merge_append_key(s, key, x);
    if (s->plan->rows.marks)
        tsr_ir_store(s->ir, s->work.array, at, merge_neutral(s), false, false);
    tsr_ir_end(s->ir);
}

static void take_out(merge_state *s)
{
    const bool is_single = s->plan->nresult - s->plan->nouter == 1;
    if (!is_single || (s->pass != MERGE_PASS_COUNT && !s->plan->rows.unordered))
        tsr_ir_sort(s->ir, s->work.list, s->work.first, merge_in_part(s, s->work.nlisted));
    merge_begin_taking(s);
    merge_append_listed(s, s->work.first);
}

void merge_end_row(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    if (plan->nouter == plan->nresult) {
        tsr_ir_if(s->ir, s->work.any);
        if (!s->out.reserved && plan->storage.nblock == 0)
            merge_reserve(s, plan->nresult - 1, INDEX(1));
        append(s, plan->nresult - 1, s->at[plan->var[plan->nresult - 1]],
               plan->storage.nblock > 0 ? NULL : s->work.sum);
        tsr_ir_end(s->ir);
    } else {
        take_out(s);
    }
}

const tsr_ir_expr *merge_enter_outer(merge_state *s, int k)
{
    const tsr_plan *const plan = s->plan;
    if (k < plan->ndense) {
        const tsr_ir_expr *const parent = k > 0 ? s->out.respos[k - 1] : INDEX(0);
        s->out.respos[k] =
            tsr_ir_add(s->ir, tsr_ir_mul(s->ir, parent, lower_size(s->p, plan->var[k])), s->at[plan->var[k]]);
        return NULL;
    }
    return plan->sink == TSR_PLAN_ROWS && k + 1 < plan->nresult && !s->row.gauging
               ? tsr_ir_declare(s->ir, "before", s->out.cursor[k + 1], false)
               : NULL;
}

void merge_append_outer(merge_state *s, int k, const tsr_ir_expr *before)
{
    const tsr_plan *plan = s->plan;
    if (s->row.gauging)
        return;
    if (k + 1 == plan->nresult || k + 1 < plan->ndense)
        return; /* the entry of the last level was appended with the value; dense levels have no positions */
    if (k < plan->ndense) {
        store_position(s, k, tsr_ir_add(s->ir, s->out.respos[k], INDEX(1)));
        return;
    }
    if (!before)
        return; /* a dense result */
    tsr_ir_if(s->ir, OP(LT, before, s->out.cursor[k + 1]));
    merge_reserve(s, k, INDEX(1));
    append(s, k, s->at[plan->var[k]], NULL);
    store_position(s, k, s->out.cursor[k]);
    tsr_ir_end(s->ir);
}
