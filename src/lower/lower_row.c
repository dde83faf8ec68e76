/* Rows of a sparse result that are measured before they are computed. Each row is then computed in the way that
 * costs least, of those that the plan leaves:
 *
 *   - MARKED: the coordinates of the row span a range that is not much longer than their number (rows.marked times). Contributions
 *     are added to the workspace and marked, without a branch; the marks of the range are read in order.
 *   - FEW: the row has few contributions (rows.listed). All of them are listed and sorted, and those of one coordinate are
 *     summed. The list is short and stays in the first cache, where the workspace may not.
 *   - LISTED: contributions are added to the workspace; the first one of each coordinate is listed. The list is
 *     sorted. Where the workspace does not fit, or the schedule asks for it, a hash table or a list of all contributions
 *     takes its place (lower_row_keys.c).
 *
 * A row of a product of two matrices of f64 is computed by one statement (merge_multiply), which chooses between these ways
 * and one in registers, for rows with at most TSR_IR_NARROW columns between the first and the last one. Where the matrix has rows
 * in any order, or the entries of the result may be in any order, the statement is for the rows with few columns alone.
 *
 * Contributions to one coordinate are added in the same order in all ways, so results do not depend on the
 * way. Between two rows all elements of the workspace are neutral (-0.0: 0.0 + -0.0 would change a -0.0). */
#include "lower_merge.h"
#include "lower_term.h"

const tsr_ir_expr *merge_neutral(merge_state *s)
{
    return tsr_ir_value(s->ir, lower_type(s->p), -0.0);
}

void merge_begin_rows(merge_state *s)
{
    if (s->plan->rows.appends)
        merge_begin_numbers(s);
    const int64_t most = s->plan->rows.places;
    if (!merge_multiplies_whole(s) && (s->plan->rows.lists || !s->plan->schedule.plain)) {
        s->row.few = tsr_ir_index_array_new(s->ir, "few", s->plan->rows.wide ? TSR_U64 : TSR_U32,
                                            TSR_IR_LOCAL, INDEX(most), false);
        s->row.few_values =
            tsr_ir_array_new(s->ir, "few_values", s->p->type, TSR_IR_LOCAL, INDEX(most), false);
    }
    if (!s->plan->rows.marks)
        return;
    lower_fill(s->p, s->work.array, INDEX(0),
               (tsr_ir_range){s->work.first, tsr_ir_add(s->ir, s->work.first, s->work.span)},
               merge_neutral(s));
}

void merge_measure(merge_state *s, const tsr_ir_expr *n, const tsr_ir_expr *lo, const tsr_ir_expr *hi)
{
    tsr_ir_assign(s->ir, s->row.most, n, true);
    if (!s->row.begin)
        return;
    tsr_ir_assign(s->ir, s->row.begin, OP(MIN, s->row.begin, lo), false);
    tsr_ir_assign(s->ir, s->row.end, OP(MAX, s->row.end, hi), false);
}

void merge_add_to_row(merge_state *s, const tsr_ir_expr *key, const tsr_ir_expr *x)
{
    if (s->row.kind == MERGE_ROW_MARKED) {
        const tsr_ir_expr *at = merge_in_part(s, key);
        tsr_ir_store(s->ir, s->work.mark, at, INDEX(1), false, false);
        lower_add_to(s->p, s->work.array, at, x);
        return;
    }
    const tsr_ir_expr *number =
        tsr_ir_add(s->ir, tsr_ir_mul(s->ir, key, INDEX(s->plan->rows.places)), s->work.nlisted);
    tsr_ir_store(s->ir, s->row.few, s->work.nlisted, number, false, false);
    tsr_ir_store(s->ir, s->row.few_values, s->work.nlisted, x, false, false);
    tsr_ir_assign(s->ir, s->work.nlisted, INDEX(1), true);
}

/* ---- a workspace for the whole result ---- */

static const tsr_ir_expr *start_value(merge_state *s)
{
    return merge_has_neutral(s) ? merge_neutral(s) : lower_absent(s->p);
}

void merge_collect(merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    lower_open_shares(s->p, &s->share.part, &plan->share);
    const tsr_ir_expr *const first = tsr_ir_mul(s->ir, s->work.span, s->share.part.number);
    s->work.first = tsr_ir_declare(s->ir, "part", first, false);
    lower_fill(s->p, s->work.array, s->work.first, (tsr_ir_range){INDEX(0), s->work.span}, start_value(s));
    s->row.kind = MERGE_ROW_MARKED;
    for (int i = 0; i < plan->nterms; i++) {
        merge_start_share(s, plan->share.cut ? &plan->term[i].nest->share : NULL);
        if (!plan->term[i].empty)
            lower_emit_merged(s, &plan->term[i]);
    }
    s->row.kind = MERGE_ROW_LISTED;
    s->work.first = INDEX(0); /* all copies are added to the first one */
    lower_close_shares(s->p, &plan->share);
}

/* List the marked keys of copy u in the range; their marks are cleared. Returns their number. */
static const tsr_ir_expr *list_marked(merge_state *s, const tsr_ir_expr *u, tsr_ir_range keys)
{
    const tsr_ir_expr *const first = tsr_ir_mul(s->ir, s->work.span, u);
    const tsr_ir_expr *const range[] = {tsr_ir_add(s->ir, first, keys.lo), tsr_ir_add(s->ir, first, keys.hi)};
    return tsr_ir_declare(s->ir, "n", tsr_ir_take(s->ir, s->work.list, INDEX(0), s->work.mark, range, first),
                          false);
}

/* Add copy u to the first one, in the range of keys. */
static void add_copy(merge_state *s, const tsr_ir_expr *u, tsr_ir_range keys)
{
    const tsr_ir_expr *const i = tsr_ir_for(s->ir, "i", INDEX(0), list_marked(s, u, keys), 0);
    const tsr_ir_expr *const key =
        tsr_ir_declare(s->ir, "key", tsr_ir_load_index(s->ir, s->work.list, i), false);
    const tsr_ir_expr *const from = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, s->work.span, u), key);
    tsr_ir_store(s->ir, s->work.mark, key, INDEX(1), false, false);
    lower_add_to(s->p, s->work.array, key, tsr_ir_load_value(s->ir, s->work.array, from, lower_type(s->p)));
    tsr_ir_end(s->ir);
}

void merge_take_met(merge_state *s)
{
    enum {
        BLOCK = 2032
    }; /* keys, with TSR_IR_SLACK: what the copies have of them stays in the first cache */
    const tsr_plan *const plan = s->plan;
    const tsr_ir_expr *lo = s->share.lo ? s->share.lo : INDEX(0);
    const tsr_ir_expr *hi = s->share.hi ? s->share.hi : lower_size(s->p, plan->var[0]);
    for (int k = 1; k < plan->nresult; k++) {
        lo = tsr_ir_mul(s->ir, lo, lower_size(s->p, plan->var[k]));
        hi = tsr_ir_mul(s->ir, hi, lower_size(s->p, plan->var[k]));
    }
    lo = tsr_ir_declare(s->ir, "first", lo, false);
    hi = tsr_ir_declare(s->ir, "last", hi, false);
    s->work.list = tsr_ir_index_array_new(s->ir, "list", merge_key_type(s), TSR_IR_LOCAL,
                                          INDEX(BLOCK + TSR_IR_SLACK), false);
    merge_begin_taking(s);
    const tsr_ir_expr *const whole = tsr_ir_add(s->ir, tsr_ir_sub(s->ir, hi, lo), INDEX(BLOCK - 1));
    const tsr_ir_expr *const block =
        tsr_ir_for(s->ir, "block", INDEX(0), OP(FLOORDIV, whole, INDEX(BLOCK)), 0);
    const tsr_ir_expr *const from = tsr_ir_add(s->ir, lo, tsr_ir_mul(s->ir, block, INDEX(BLOCK)));
    tsr_ir_range keys = {tsr_ir_declare(s->ir, "lo", from, false), NULL};
    keys.hi = tsr_ir_declare(s->ir, "hi", OP(MIN, tsr_ir_add(s->ir, keys.lo, INDEX(BLOCK)), hi), false);
    if (plan->share.cut) {
        add_copy(s, tsr_ir_for(s->ir, "u", INDEX(1), lower_nshares(s->p, &plan->share), 0), keys);
        tsr_ir_end(s->ir);
    }
    s->work.nlisted = list_marked(s, INDEX(0), keys);
    merge_append_listed(s, INDEX(0));
    tsr_ir_end(s->ir);
}

/* ---- the three ways ---- */

void merge_take_marked(merge_state *s, tsr_ir_range keys, bool clears_all)
{
    const int k = s->plan->nouter;
    const tsr_ir_expr *const cursor = s->out.cursor[k];
    const tsr_ir_expr *const range[] = {merge_in_part(s, keys.lo), merge_in_part(s, keys.hi)};
    const tsr_ir_expr *const n = tsr_ir_declare(
        s->ir, "n", tsr_ir_take(s->ir, s->out.crd[k], cursor, s->work.mark, range, s->work.first), false);
    const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", cursor, tsr_ir_add(s->ir, cursor, n), 0);
    const tsr_ir_expr *const at =
        tsr_ir_declare(s->ir, "at", merge_in_part(s, tsr_ir_load_index(s->ir, s->out.crd[k], q)), false);
    tsr_ir_store(s->ir, s->out.values, q, tsr_ir_load_value(s->ir, s->work.array, at, lower_type(s->p)),
                 false, false);
    if (!clears_all)
        tsr_ir_store(s->ir, s->work.array, at, merge_neutral(s), false, false);
    tsr_ir_end(s->ir);
    if (clears_all)
        lower_fill(s->p, s->work.array, INDEX(0), (tsr_ir_range){range[0], range[1]}, merge_neutral(s));
    tsr_ir_assign(s->ir, cursor, n, true);
}

static void emit_marked(merge_state *s)
{
    s->row.kind = MERGE_ROW_MARKED;
    merge_terms(s);
    s->row.kind = MERGE_ROW_LISTED;
    merge_take_marked(s, (tsr_ir_range){s->row.begin, s->row.end}, false);
}

/* Append the sorted list; contributions to one coordinate are next to each other. There is no branch, as
 * it would often be mispredicted. */
static void append_few(merge_state *s)
{
    const int k = s->plan->nresult - 1;
    const tsr_ir_type type = lower_type(s->p);
    tsr_ir_sort(s->ir, s->row.few, INDEX(0), s->work.nlisted);
    const tsr_ir_expr *before = tsr_ir_declare(s->ir, "before", INDEX(-1), true);
    const tsr_ir_expr *sum = tsr_ir_declare(s->ir, "sum", tsr_ir_value(s->ir, type, 0), true);
    const tsr_ir_expr *i = tsr_ir_for(s->ir, "i_few", INDEX(0), s->work.nlisted, 0);
    const tsr_ir_expr *number =
        tsr_ir_declare(s->ir, "number", tsr_ir_load_index(s->ir, s->row.few, i), false);
    const tsr_ir_expr *key =
        tsr_ir_declare(s->ir, "key", OP(FLOORDIV, number, INDEX(s->plan->rows.places)), false);
    const tsr_ir_expr *x = tsr_ir_declare(
        s->ir, "x",
        tsr_ir_load_value(s->ir, s->row.few_values, OP(MOD, number, INDEX(s->plan->rows.places)), type),
        false);
    const tsr_ir_expr *is_new = OP(NE, key, before);
    const tsr_ir_expr *more = lower_plus(s->p, sum, x);
    tsr_ir_assign(s->ir, sum, tsr_ir_select(s->ir, is_new, x, more), false);
    tsr_ir_assign(s->ir, s->out.cursor[k], tsr_ir_select(s->ir, is_new, INDEX(1), INDEX(0)), true);
    const tsr_ir_expr *at = tsr_ir_sub(s->ir, s->out.cursor[k], INDEX(1));
    tsr_ir_store(s->ir, s->out.crd[k], at, key, false, false);
    tsr_ir_store(s->ir, s->out.values, at, sum, false, false);
    tsr_ir_assign(s->ir, before, key, false);
    tsr_ir_end(s->ir);
}

void merge_begin_few(merge_state *s)
{
    s->row.kind = MERGE_ROW_FEW;
    s->work.nlisted = tsr_ir_declare(s->ir, "n", INDEX(0), true);
}

void merge_end_few(merge_state *s)
{
    append_few(s);
    s->row.kind = MERGE_ROW_LISTED;
}

static void emit_few(merge_state *s)
{
    if (!s->out.reserved)
        merge_reserve(s, s->plan->nouter, s->row.most);
    merge_begin_few(s);
    merge_terms(s);
    merge_end_few(s);
}

static void emit_listed(merge_state *s)
{
    merge_begin_row(s);
    merge_terms(s);
    merge_end_row(s);
}

bool merge_measures(const merge_state *s)
{
    if (s->pass != MERGE_PASS_VALUES)
        return s->plan->rows.measures;
    return s->plan->rows.multiplies && !s->plan->rows.unordered && !merge_matrix_is_unordered(s);
}

void merge_measure_row(merge_state *s)
{
    const bool needs_range = (s->plan->rows.marks || s->plan->rows.multiplies) && !s->row.gauging;
    s->row.most = tsr_ir_declare(s->ir, "most", INDEX(0), true);
    s->row.begin = s->row.end = NULL;
    if (needs_range) {
        s->row.begin =
            tsr_ir_declare(s->ir, "row_begin", lower_size(s->p, s->plan->var[s->plan->nouter]), true);
        s->row.end = tsr_ir_declare(s->ir, "row_end", INDEX(0), true);
    }
    s->row.measuring = true;
    merge_terms(s);
    s->row.measuring = false;
}

/* Reserve room for the row that was measured, in whichever way it is computed. */
static void reserve_measured(merge_state *s)
{
    if (!s->row.begin || s->pass != MERGE_PASS_APPEND)
        return;
    const tsr_ir_expr *const span = tsr_ir_sub(s->ir, s->row.end, s->row.begin);
    const tsr_ir_expr *const most = OP(MAX, OP(MIN, s->row.most, span), INDEX(0));
    const int slack = s->plan->rows.marks ? TSR_IR_SLACK : s->plan->rows.appends ? 1 : 0;
    merge_reserve(s, s->plan->nouter,
                  tsr_ir_declare(s->ir, "room", tsr_ir_add(s->ir, most, INDEX(slack)), false));
    s->out.reserved = true;
}

static void emit_rest(merge_state *s)
{
    const tsr_plan_workspace workspace = s->plan->rows.workspace;
    if (s->plan->rows.appends)
        merge_any_order_row(s);
    else if (workspace == TSR_PLAN_WORKSPACE_HASH || workspace == TSR_PLAN_WORKSPACE_LIST)
        merge_keys_row(s);
    else
        emit_listed(s);
}

/* A row of the product that the plan names. Returns the number of blocks that are open behind it, for other rows; -1: there are none. */
static int multiplied(merge_state *s)
{
    if (!s->plan->rows.multiplies)
        return 0;
    merge_multiply(s, s->plan->nouter);
    if (merge_multiplies_whole(s))
        return -1;
    tsr_ir_else(s->ir);
    return 1;
}

/* A row in the first of the ways that fits. */
static void emit_row(merge_state *s)
{
    int nblocks = multiplied(s);
    if (nblocks < 0)
        return;
    if (s->plan->rows.marks) {
        const tsr_ir_expr *span = tsr_ir_sub(s->ir, s->row.end, s->row.begin);
        tsr_ir_if(s->ir, OP(LE, span, tsr_ir_mul(s->ir, s->row.most, INDEX(s->plan->rows.marked))));
        emit_marked(s);
        tsr_ir_else(s->ir);
        nblocks++;
    }
    if (s->plan->rows.lists) {
        tsr_ir_if(s->ir, OP(LE, s->row.most, INDEX(s->plan->rows.listed)));
        emit_few(s);
        tsr_ir_else(s->ir);
        nblocks++;
    }
    emit_rest(s);
    for (; nblocks > 0; nblocks--)
        tsr_ir_end(s->ir);
}

void merge_row(merge_state *s)
{
    if (s->row.gauging) {
        merge_measure_row(s);
        tsr_ir_assign(s->ir, s->row.longest, OP(MAX, s->row.longest, s->row.most), false);
        return;
    }
    if (s->pass == MERGE_PASS_VALUES && s->plan->nouter < s->plan->nresult) {
        merge_values_row(s);
        return;
    }
    if (s->plan->nouter < s->plan->nresult)
        s->out.reserved = false;
    if (s->plan->rows.meets) {
        merge_take_met(s);
        return;
    }
    if (s->plan->rows.measures) {
        merge_measure_row(s);
        reserve_measured(s);
    }
    if (s->plan->rows.workspace == TSR_PLAN_WORKSPACE_BITMAP && s->plan->rows.marks) {
        emit_marked(s);
        return;
    }
    const bool has_parts = merge_ends_parts(s);
    if (has_parts)
        merge_end_in_parts(s);
    emit_row(s);
    if (has_parts)
        tsr_ir_end(s->ir);
}
