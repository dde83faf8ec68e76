/* The shares of the threads in the coordinates of the first loop, and the number of entries that a share
 * makes.
 *
 * If a row of the result is a sum of rows of another operand, the work of the row is the number of products
 * (weights); else it is the number of entries of the operands in the row. */
#include "lower_merge.h"

enum {
    MAX_BLOW_UP =
        256 /* reserve at most this number times the entries of the operands: pages are made where entries are
                         written, and pieces are cut by this number; parts that need more grow, which copies them */
};

/* ---- shares ---- */

/* The work of all rows before row q: q, plus the entries in these rows of the operands whose first level is
 * dense over the variable of the rows; or, with weights, plus the products. */
typedef struct row_weight {
    int n;
    const tsr_ir_array
        *pos[TSR_PLAN_MAX_COUNTED + 1]; /* pos of the second level of each of these operands, or weights */
} row_weight;

static const tsr_ir_expr *weigh(tsr_ir_builder *ir, void *arg, const tsr_ir_expr *q)
{
    const row_weight *w = arg;
    const tsr_ir_expr *sum = q;
    for (int k = w->n - 1; k >= 0; k--)
        sum = tsr_ir_add(ir, tsr_ir_load_index(ir, w->pos[k], q), sum);
    return sum;
}

static const tsr_plan_view *view_of(const merge_state *s, int a)
{
    return &s->plan->view[s->plan->access[a].view];
}

/* The window of the mode of level l of the access; NULL: none. */
static const tsr_mode_window *window_of(const merge_state *s, int a, int l)
{
    return tsr_expr_window(s->plan->access[a].expr, view_of(s, a)->mode[l]);
}

static const tsr_ir_array *array_of(merge_state *s, tsr_param_role role, int a, int level)
{
    return lower_array_param(s->p, role, merge_tensor(s->plan, s->plan->access[a].view), level);
}

static row_weight find_weight(merge_state *s, const tsr_plan_work *work)
{
    row_weight w = {.n = work->nentries};
    for (int k = 0; k < w.n; k++)
        w.pos[k] = array_of(s, TSR_PARAM_POS, work->entries[k], 1);
    if (s->pass == MERGE_PASS_VALUES && s->plan->ndense == 1 && s->plan->nresult > 1)
        w.pos[w.n++] = s->out.pos[1];
    return w;
}

/* Emit the first coordinate of share t: shares have equally many positions of the list. */
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

/* Set the share of the loop over v by the weights. */
static void share_by(merge_state *s, int v, row_weight *w)
{
    const tsr_ir_expr *const size = lower_size(s->p, v);
    const lower_work work = {.weigh = w->n > 0 ? weigh : NULL, .arg = w, .all = weigh(s->ir, w, size)};
    const tsr_ir_range r = lower_cut(s->p, &s->share.part, "", size, &work);
    s->share.lo = r.lo;
    s->share.hi = r.hi;
}

void merge_share(merge_state *s, const tsr_plan_share *share)
{
    const merge_list list = {share->work.list, 0};
    row_weight w = {1, {s->share.weights}};
    if (list.access >= 0) {
        const tsr_ir_expr *const size = lower_size(s->p, share->var);
        s->share.lo = cut_list(s, list, "begin", size, s->share.part.number);
        s->share.hi = cut_list(s, list, "end", size, tsr_ir_add(s->ir, s->share.part.number, INDEX(1)));
        return;
    }
    if (!s->share.weights)
        w = find_weight(s, &share->work);
    share_by(s, share->var, &w);
}

/* ---- products of rows ---- */

/* Emit statements that add the number of products of row i to n. */
static void count_products(merge_state *s, int rows, int columns, const tsr_ir_expr *i, const tsr_ir_expr *n)
{
    const tsr_ir_array *pos = array_of(s, TSR_PARAM_POS, rows, 1);
    const tsr_ir_expr *q = tsr_ir_for(s->ir, "q", tsr_ir_load_index(s->ir, pos, i),
                                      tsr_ir_load_index(s->ir, pos, tsr_ir_add(s->ir, i, INDEX(1))), 0);
    const tsr_ir_expr *k =
        tsr_ir_declare(s->ir, "k", tsr_ir_load_index(s->ir, array_of(s, TSR_PARAM_CRD, rows, 1), q), false);
    const tsr_ir_array *other = array_of(s, TSR_PARAM_POS, columns, 1);
    tsr_ir_assign(s->ir, n,
                  tsr_ir_sub(s->ir, tsr_ir_load_index(s->ir, other, tsr_ir_add(s->ir, k, INDEX(1))),
                             tsr_ir_load_index(s->ir, other, k)),
                  true);
    tsr_ir_end(s->ir);
}

void merge_weigh_rows(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const bool masked = plan->share.work.masked;
    if (!plan->share.work.products)
        return;
    const int v = plan->var[0];
    row_weight entries = find_weight(s, &plan->share.work);
    const tsr_ir_expr *size = lower_size(s->p, v);
    const tsr_ir_array *weights = tsr_ir_index_array_new(s->ir, "products", TSR_U64, TSR_IR_HEAP,
                                                         tsr_ir_add(s->ir, size, INDEX(1)), masked);
    if (masked)
        tsr_ir_if(s->ir, OP(LT, INDEX(1), threaded ? lower_nthreads(s->p) : INDEX(1)));
    tsr_ir_comment(s->ir, "the products of each row");
    lower_open_threads(s->p, &s->share.part, threaded);
    s->share.lo = INDEX(0);
    s->share.hi = size;
    if (threaded)
        share_by(s, v, &entries);
    const tsr_ir_expr *i = tsr_ir_for(s->ir, plan->notation->var[v], s->share.lo, s->share.hi, 0);
    const tsr_ir_expr *n = tsr_ir_declare(s->ir, "n", INDEX(0), true);
    for (int k = 0; k < plan->nterms; k++)
        if (plan->term[k].nest->share.work.rows >= 0)
            count_products(s, plan->term[k].nest->share.work.rows, plan->term[k].nest->share.work.columns, i,
                           n);
    tsr_ir_store(s->ir, weights, tsr_ir_add(s->ir, i, INDEX(1)), n, false, false);
    tsr_ir_end(s->ir);
    if (threaded)
        tsr_ir_end(s->ir);
    tsr_ir_store(s->ir, weights, INDEX(0), INDEX(0), false, false);
    i = tsr_ir_for(s->ir, plan->notation->var[v], INDEX(0), size, 0);
    tsr_ir_store(s->ir, weights, tsr_ir_add(s->ir, i, INDEX(1)), tsr_ir_load_index(s->ir, weights, i), true,
                 false);
    tsr_ir_end(s->ir);
    if (masked)
        tsr_ir_end(s->ir);
    s->share.weights = weights;
}

/* ---- bounds ---- */

/* Add to `most` the entries of an access at each level, in the share of the thread; the number may be
 * estimated. */
static void add_entries(merge_state *s, int a, const tsr_ir_expr **most)
{
    const tsr_plan_access *access = &s->plan->access[a];
    const tsr_plan_view *view = view_of(s, a);
    const tsr_ir_expr *lo = INDEX(0), *hi = INDEX(1), *n = NULL;
    for (int l = 0; l < view->nlevels; l++) {
        const int v = access->expr->index[view->mode[l]];
        const bool is_shared = l == 0 && s->share.lo && view->full[0] && v == s->plan->var[0];
        const tsr_mode_window *const w = window_of(s, a, l);
        if (w && view->full[l]) { /* the rows of the window, and all coordinates of other levels */
            const tsr_ir_expr *const size =
                lower_level_size(s->p, merge_tensor(s->plan, access->view), l, -1);
            const tsr_ir_expr *const behind = INDEX((int64_t)w->behind);
            lo = l > 0 ? tsr_ir_mul(s->ir, lo, size)
                       : lower_out_of_window(s->p, w, is_shared ? s->share.lo : INDEX(0));
            hi = l > 0 ? tsr_ir_mul(s->ir, hi, size) : behind;
            if (is_shared) { /* the share may end behind the last step */
                lo = OP(MIN, lo, behind);
                hi = OP(MIN, lower_out_of_window(s->p, w, s->share.hi), behind);
            }
        } else if (view->full[l]) {
            lo = is_shared ? s->share.lo : tsr_ir_mul(s->ir, lo, lower_size(s->p, v));
            hi = is_shared ? s->share.hi : tsr_ir_mul(s->ir, hi, lower_size(s->p, v));
        } else {
            lo = merge_first_child(s, a, l, lo);
            hi = merge_first_child(s, a, l, hi);
        }
        n = tsr_ir_sub(s->ir, hi, lo);
        most[v] = most[v] ? tsr_ir_add(s->ir, most[v], n) : n;
    }
}

/* Each entry of the result takes another entry of an access that has all variables of the result. */
bool merge_is_bounded(const merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    bool bounded = plan->sink == TSR_PLAN_ROWS && plan->nouter == plan->nresult;
    for (int i = 0; i < plan->nterms; i++)
        bounded = bounded && (plan->term[i].empty || tsr_plan_bound(plan, &plan->term[i]) >= 0);
    return bounded;
}

void merge_bound(merge_state *s, const tsr_ir_expr **most)
{
    const tsr_plan *plan = s->plan;
    const int last = plan->var[plan->nresult - 1];
    bool seen[TSR_PLAN_MAX_ACCESSES] = {false}, is_product = s->share.weights;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *term = &plan->term[i];
        const int mask = tsr_plan_bound(plan, term);
        is_product = is_product && mask < 0;
        for (int k = 0; k < term->naccesses && !term->empty; k++) {
            const int a = term->access[k];
            const bool counts = (mask < 0 || a == mask) && !seen[a];
            if (counts)
                add_entries(s, a, most);
            seen[a] = seen[a] || counts;
        }
    }
    if (!is_product || !most[last])
        return;
    const tsr_ir_expr *lo = s->share.lo ? s->share.lo : INDEX(0),
                      *hi = s->share.hi ? s->share.hi : lower_size(s->p, plan->var[0]);
    const tsr_ir_expr *products = tsr_ir_sub(s->ir, tsr_ir_load_index(s->ir, s->share.weights, hi),
                                             tsr_ir_load_index(s->ir, s->share.weights, lo));
    most[last] = OP(MIN, products, tsr_ir_mul(s->ir, most[last], INDEX(MAX_BLOW_UP)));
    if (plan->rows.appends) /* an entry is written behind the last one */
        most[last] = tsr_ir_add(s->ir, most[last], INDEX(1));
}
