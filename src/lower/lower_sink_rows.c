/* A sparse result as rows of entries. It is made in one pass, or (if the schedule asks for it) in two: the first counts the
 * entries, so that the second stores them at their places, and no memory is needed besides the result. In one pass, threads take
 * shares of the loops in turn. The entries of a share, a piece of the result, are few enough to stay in a cache: the thread
 * appends them to a part, which only this thread writes, and then gives them to the result, in the order of the shares. So
 * the memory of the result is written once, by all threads. Positions of a piece count from 0; at the end, the number of
 * entries of the pieces before is added to them. So the result has the same bytes for any number of threads. */
#include "lower_merge.h"

/* Over the levels of the result's tensor that level k of the assembled format is. */
#define FOR_PARTS(l, k) for (int l = merge_result_level(s, (k)); l < merge_result_level(s, (k) + 1); l++)

enum {
    PART_MULTIPLE = 128, /* of the elements of a thread in a workspace: two cache lines of marks */
    LEAST_PIECES = 4,    /* for each thread, as pieces may differ in work */
    MAX_BLOW_UP =
        256 /* reserve at most this number times the entries of the operands: pages are made where entries are
                         written, and pieces are cut by this number; parts that need more grow, which copies them */
};

/* ---- bounds ---- */

/* Add to `most` the entries of an access at each level, in the share of the thread; the number may be
 * estimated. */
static void add_entries(merge_state *s, int a, const tsr_ir_expr **most)
{
    const tsr_plan_access *access = &s->plan->access[a];
    const tsr_plan_view *view = &s->plan->view[access->view];
    const tsr_ir_expr *lo = INDEX(0), *hi = INDEX(1), *n = NULL;
    for (int l = 0; l < view->nlevels; l++) {
        const int v = access->expr->index[view->mode[l]];
        const bool is_shared = l == 0 && s->share.lo && view->full[0] && v == s->plan->var[0];
        const tsr_mode_window *const w = tsr_expr_window(access->expr, view->mode[l]);
        if (w && view->full[l]) { /* the rows of the window, and all coordinates of other levels */
            const tsr_ir_expr *const size = lower_level_size(s->p, merge_tensor(s, a), l, -1);
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

/* Whether `bound` bounds the entries of the share at all levels, so that nothing else is reserved: each entry of the result takes
 * another entry of an access that has all variables of the result. */
static bool is_bounded(const merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    bool bounded = plan->sink == TSR_PLAN_ROWS && plan->nouter == plan->nresult;
    for (int i = 0; i < plan->nterms; i++)
        bounded = bounded && (plan->term[i].empty || tsr_plan_bound(plan, &plan->term[i]) >= 0);
    return bounded;
}

/* For each variable v of the result, set most[v] to the number of entries at the level of v that the share will have (all
 * of the result, where s->lo is NULL), about or at most; NULL if the number is unknown. */
static void bound(merge_state *s, const tsr_ir_expr **most)
{
    const tsr_plan *plan = s->plan;
    const int last = plan->var[plan->nresult - 1];
    bool seen[TSR_PLAN_MAX_ACCESSES] = {false}, is_product = s->share.products;
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
    const tsr_ir_expr *products = tsr_ir_sub(s->ir, tsr_ir_load_index(s->ir, s->share.products, hi),
                                             tsr_ir_load_index(s->ir, s->share.products, lo));
    most[last] = OP(MIN, products, tsr_ir_mul(s->ir, most[last], INDEX(MAX_BLOW_UP)));
    if (plan->rows.appends) /* an entry is written behind the last one */
        most[last] = tsr_ir_add(s->ir, most[last], INDEX(1));
}

/* ---- rows ---- */

tsr_type merge_key_type(const merge_state *s)
{
    double span = 1;
    for (int k = s->plan->nouter; k < s->plan->nresult; k++)
        span *= (double)s->plan->size[s->plan->var[k]];
    return span < 0x1p31 ? TSR_U32 : TSR_U64;
}

/* The workspace of all threads: values, the number of the row that wrote each value (mark), and the list of
 * the keys of a row. */
static void new_workspace(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *n = INDEX(1);
    for (int k = plan->nouter; k < plan->nresult; k++)
        n = tsr_ir_mul(s->ir, n, lower_size(s->p, plan->var[k]));
    if (threaded) /* no cache line has elements of two threads */
        n = tsr_ir_mul(s->ir,
                       OP(FLOORDIV, tsr_ir_add(s->ir, n, INDEX(PART_MULTIPLE - 1)), INDEX(PART_MULTIPLE)),
                       INDEX(PART_MULTIPLE));
    s->work.span =
        n && n->op != TSR_IR_INDEX && n->op != TSR_IR_VAR ? tsr_ir_declare(s->ir, "span", n, false) : n;
    n = tsr_ir_mul(s->ir, s->work.span,
                   plan->rows.meets ? lower_nshares(s->p, &plan->share) : lower_nthreads(s->p, threaded));
    if (plan->rows.appends) {
        merge_new_numbers(s, n);
        return;
    }
    s->work.array = tsr_ir_array_new(s->ir, "work", s->p->type, TSR_IR_HEAP, merge_in_blocks_of(s, n), false);
    s->work.mark = tsr_ir_index_array_new(s->ir, "mark", TSR_U8, TSR_IR_HEAP, n, true);
    if (!plan->rows.meets)
        s->work.list = tsr_ir_index_array_new(s->ir, "list", merge_key_type(s), TSR_IR_HEAP, n, false);
}

/* The index of element (k, t) of the array `told`, in which the threads store the sizes of pieces: k *
 * (npieces + 1) + t. The array has rows of npieces + 1 numbers: row l has the entries of level ndense + l,
 * and the last row has the first coordinate of each piece. */
static const tsr_ir_expr *told_at(merge_state *s, int k, const tsr_ir_expr *t)
{
    return tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(k), tsr_ir_add(s->ir, s->share.npieces, INDEX(1))), t);
}

static const tsr_ir_expr *told(merge_state *s, int k, const tsr_ir_expr *t)
{
    return tsr_ir_load_index(s->ir, s->out.told, told_at(s, k, t));
}

/* Reserve room in the parts for the largest number of entries, or about that number. */
static void reserve_parts(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    /* a block is cleared before it is known whether the result has an entry there */
    const int spare = plan->storage.nblock > 0 ? 1 : 0;
    const tsr_ir_expr *most[TSR_NOTATION_MAX_VARS] = {NULL};
    bound(s, most);
    const bool is_bound = is_bounded(s);
    void (*const reserve)(tsr_ir_builder *, const tsr_ir_array *, const tsr_ir_expr *) =
        is_bound ? tsr_ir_reserve_all : tsr_ir_reserve;
    for (int k = plan->ndense; k < plan->nresult; k++) {
        const tsr_ir_expr *n = most[plan->var[k]];
        if (!n)
            continue;
        n = tsr_ir_declare(s->ir, "most", n, false);
        FOR_PARTS(l, k)
        reserve(s->ir, s->out.crd[l], n);
        if (k + 1 == plan->nresult)
            reserve(s->ir, s->out.values, merge_in_blocks_of(s, tsr_ir_add(s->ir, n, INDEX(spare))));
        else if (is_bound)
            reserve(s->ir, s->out.pos[k + 1], tsr_ir_add(s->ir, n, INDEX(1)));
    }
}

/* Make the parts of a thread, all empty. */
static void new_parts(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    for (int k = plan->ndense; k < plan->nresult; k++) {
        if (k > plan->ndense)
            s->out.pos[k] = tsr_ir_part_new(s->ir, s->out.result_pos[k], s->share.part.t);
        FOR_PARTS(l, k)
        s->out.crd[l] = tsr_ir_part_new(s->ir, s->out.result_crd[l], s->share.part.t);
    }
    s->out.values = tsr_ir_part_new(s->ir, s->out.result_values, s->share.part.t);
}

/* Begin to count the entries of a share, or to store them after those of the shares before. A piece has its own
 * counts; positions below a compressed level begin with a 0, which only the first piece keeps. */
static void start_cursors(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const bool appends = s->pass == MERGE_PASS_APPEND;
    for (int k = plan->ndense; k < plan->nresult; k++) {
        char name[32] = "n0";
        name[1] = (char)('1' + k % 9);
        s->out.cursor[k] = tsr_ir_declare(
            s->ir, name,
            s->pass == MERGE_PASS_FILL ? told(s, k - plan->ndense, s->share.part.number) : INDEX(0), true);
        if (appends && k > plan->ndense) {
            tsr_ir_reserve(s->ir, s->out.pos[k], INDEX(1));
            tsr_ir_store(s->ir, s->out.pos[k], INDEX(0), INDEX(0), false, false);
        }
        FOR_PARTS(l, k)
        s->out.crd[l] = appends ? s->out.crd[l] : s->out.result_crd[l];
        s->out.pos[k] = appends ? s->out.pos[k] : s->out.result_pos[k];
    }
    s->out.values = appends ? s->out.values : s->out.result_values;
    if (appends && !plan->rows.meets) /* where the entries of a piece are counted */
        reserve_parts(s);
}

/* Replace the coordinates in windows of the result by those in the whole of it. */
static void leave_windows(merge_state *s)
{
    const tsr_plan *const plan = s->plan;
    for (int k = plan->ndense; k < plan->nresult; k++) {
        const tsr_mode_window *const w = tsr_expr_window(plan->notation->result, plan->rows.mode[k]);
        if (!w || s->pass == MERGE_PASS_COUNT)
            continue;
        const tsr_ir_array *const crd = s->out.crd[merge_result_level(s, k)];
        const tsr_ir_expr *const first =
            s->pass == MERGE_PASS_FILL ? told(s, k - plan->ndense, s->share.part.number) : INDEX(0);
        const tsr_ir_expr *const q = tsr_ir_for(s->ir, "q", first, s->out.cursor[k], 0);
        tsr_ir_store(s->ir, crd, q, lower_out_of_window(s->p, w, tsr_ir_load_index(s->ir, crd, q)), false,
                     false);
        tsr_ir_end(s->ir);
    }
}

/* Store the numbers of entries of the share, and give the parts as a piece. */
static void end_share(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    leave_windows(s);
    for (int k = plan->ndense; k < plan->nresult && s->pass != MERGE_PASS_FILL; k++)
        tsr_ir_store(s->ir, s->out.told, told_at(s, k - plan->ndense, s->share.part.number), s->out.cursor[k],
                     false, false);
    if (s->pass != MERGE_PASS_APPEND)
        return;
    const tsr_ir_expr *is_first = OP(EQ, s->share.part.number, INDEX(0));
    for (int k = plan->ndense; k < plan->nresult; k++) {
        if (k > plan->ndense)
            tsr_ir_give(s->ir, s->out.pos[k], tsr_ir_select(s->ir, is_first, INDEX(0), INDEX(1)),
                        tsr_ir_add(s->ir, s->out.cursor[k - 1], INDEX(1)), s->share.part.number);
        FOR_PARTS(l, k)
        tsr_ir_give(s->ir, s->out.crd[l], INDEX(0), s->out.cursor[k], s->share.part.number);
    }
    tsr_ir_give(s->ir, s->out.values, INDEX(0), merge_in_blocks_of(s, s->out.cursor[plan->nresult - 1]),
                s->share.part.number);
}

/* Emit a pass over the loops that makes entries. */
static void assemble(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const bool appends = s->pass == MERGE_PASS_APPEND, meets = plan->rows.meets;
    if (meets)
        merge_collect(s);
    lower_open_threads(s->p, &s->share.part, threaded);
    if (appends)
        new_parts(s);
    if ((s->work.array || s->numbers.array) && !meets) {
        s->work.first = tsr_ir_mul(s->ir, s->work.span, s->share.part.t);
        if (s->work.first && s->work.first->op != TSR_IR_INDEX && s->work.first->op != TSR_IR_VAR)
            s->work.first = tsr_ir_declare(s->ir, "part", s->work.first, false);
    }
    if (!meets)
        merge_begin_rows(s);
    if (s->share.taken && appends)
        merge_open_pieces(s);
    merge_start_share(s, threaded ? &plan->share : NULL);
    if (threaded && appends && plan->ndense > 0)
        tsr_ir_store(s->ir, s->out.told, told_at(s, plan->nresult - plan->ndense, s->share.part.number),
                     s->share.lo, false, false);
    start_cursors(s);
    merge_outer(s, 0);
    end_share(s);
    if (s->share.taken && appends)
        tsr_ir_end(s->ir);
    if (threaded)
        tsr_ir_end(s->ir);
}

/* Replace each number of row k of `told` by the sum of the numbers before it; the last number becomes the
 * sum of all. */
static void add_up(merge_state *s, int k)
{
    const tsr_ir_expr *total = tsr_ir_declare(s->ir, "total", INDEX(0), true);
    const tsr_ir_expr *t = tsr_ir_for(s->ir, "t", INDEX(0), s->share.npieces, 0);
    const tsr_ir_expr *n = tsr_ir_declare(s->ir, "n", told(s, k, t), false);
    tsr_ir_store(s->ir, s->out.told, told_at(s, k, t), total, false, false);
    tsr_ir_assign(s->ir, total, n, true);
    tsr_ir_end(s->ir);
    tsr_ir_store(s->ir, s->out.told, told_at(s, k, s->share.npieces), total, false, false);
}

/* Count the positions of level k from the begin of the output, not of their pieces; these begin at `factor` times the numbers of
 * row `begins` of `told`. */
static void shift_level(merge_state *s, int k, int begins, const tsr_ir_expr *factor)
{
    const tsr_ir_expr *const range[] = {told_at(s, k - s->plan->ndense, INDEX(0)),
                                        told_at(s, begins, INDEX(0)), s->share.npieces, factor};
    tsr_ir_shift(s->ir, s->out.result_pos[k], s->out.told, range, s->share.part.nthreads);
}

static void move_positions(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const int nlevels = plan->nresult - plan->ndense;
    if (plan->ndense == 0 && nlevels < 2)
        return;
    const tsr_ir_expr *inner = INDEX(1);
    for (int k = 1; k < plan->ndense; k++)
        inner = tsr_ir_mul(s->ir, inner, lower_size(s->p, plan->var[k]));
    if (plan->ndense > 0) {
        tsr_ir_store(s->ir, s->out.told, told_at(s, nlevels, s->share.npieces),
                     lower_size(s->p, plan->var[0]), false, false);
        shift_level(s, plan->ndense, nlevels, inner);
    } else {
        add_up(s, 0);
    }
    for (int k = plan->ndense + 1; k < plan->nresult; k++)
        shift_level(s, k, k - plan->ndense - 1, INDEX(1));
}

/* Allocate pos of the first level that is not dense, whose length is known. */
static void new_first_positions(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *nparents = INDEX(1);
    for (int k = 0; k < plan->ndense; k++)
        nparents = tsr_ir_mul(s->ir, nparents, lower_size(s->p, plan->var[k]));
    s->out.pos[plan->ndense] = s->out.result_pos[plan->ndense];
    tsr_ir_output_new(s->ir, s->out.result_pos[plan->ndense], tsr_ir_add(s->ir, nparents, INDEX(1)), false);
}

/* Compute the result in one pass, in parts that are joined. */
static void append_rows(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    assemble(s, threaded);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        if (k > plan->ndense)
            tsr_ir_join(s->ir, s->out.result_pos[k]);
        FOR_PARTS(l, k)
        tsr_ir_join(s->ir, s->out.result_crd[l]);
    }
    tsr_ir_join(s->ir, s->out.result_values);
    if (threaded)
        move_positions(s);
    if (plan->ndense == 0 && (!threaded || plan->nresult < 2))
        add_up(s, 0);
}

/* Count the entries, allocate the arrays of the result, and fill them. */
static void count_and_fill(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    tsr_ir_comment(s->ir, "count the entries");
    s->pass = MERGE_PASS_COUNT;
    assemble(s, threaded);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        add_up(s, k - plan->ndense);
        const tsr_ir_expr *n = told(s, k - plan->ndense, s->share.npieces);
        FOR_PARTS(l, k)
        tsr_ir_output_new(s->ir, s->out.result_crd[l], n, false);
        if (k + 1 < plan->nresult) {
            tsr_ir_output_new(s->ir, s->out.result_pos[k + 1], tsr_ir_add(s->ir, n, INDEX(1)), false);
            tsr_ir_store(s->ir, s->out.result_pos[k + 1], INDEX(0), INDEX(0), false, false);
        }
    }
    const tsr_ir_expr *const nentries = told(s, plan->nresult - plan->ndense - 1, s->share.npieces);
    tsr_ir_output_new(s->ir, s->out.result_values, merge_in_blocks_of(s, nentries), false);
    tsr_ir_comment(s->ir, "fill the result");
    s->pass = MERGE_PASS_FILL;
    assemble(s, threaded);
}

/* Declare the number of pieces. One thread makes one piece, which is not copied. */
static void count_pieces(merge_state *s, const tsr_ir_expr *most)
{
    const tsr_ir_expr *n = tsr_ir_mul(s->ir, s->share.part.nthreads, INDEX(LEAST_PIECES));
    if (most)
        n = OP(MAX, n, OP(FLOORDIV, most, INDEX(s->plan->rows.piece)));
    n = tsr_ir_select(s->ir, OP(LT, INDEX(1), s->share.part.nthreads), n, INDEX(1));
    merge_new_pieces(s, tsr_ir_declare(s->ir, "npieces", n, false));
}

/* Declare that the outputs are joined from pieces. */
static void declare_parts(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *most[TSR_NOTATION_MAX_VARS] = {NULL};
    merge_start_share(s, NULL);
    bound(s, most);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        const tsr_ir_expr *const n = most[plan->var[k]];
        most[plan->var[k]] =
            n ? tsr_ir_declare(s->ir, "most", plan->rows.meets ? OP(MIN, n, s->work.span) : n, false) : NULL;
    }
    if (threaded)
        count_pieces(s, most[plan->var[plan->nresult - 1]]
                            ? merge_in_blocks_of(s, most[plan->var[plan->nresult - 1]])
                            : NULL);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        const tsr_ir_expr *const n =
            k + 1 == plan->nresult ? merge_about(s, most[plan->var[k]]) : most[plan->var[k]];
        tsr_ir_extent extent = {s->share.part.nthreads, s->share.npieces, n ? n : INDEX(0)};
        FOR_PARTS(l, k)
        tsr_ir_parts(s->ir, s->out.result_crd[l], &extent);
        if (k + 1 == plan->nresult) {
            extent.about = merge_in_blocks_of(s, extent.about);
            tsr_ir_parts(s->ir, s->out.result_values, &extent);
        } else {
            extent.about = tsr_ir_add(s->ir, extent.about, INDEX(1));
            tsr_ir_parts(s->ir, s->out.result_pos[k + 1], &extent);
        }
    }
}

/* Allocate the workspaces, the tables and the weights of the rows. */
static void prepare_rows(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const bool is_keyed =
        plan->rows.workspace == TSR_PLAN_WORKSPACE_HASH || plan->rows.workspace == TSR_PLAN_WORKSPACE_LIST;
    if (plan->nouter < plan->nresult && !is_keyed)
        new_workspace(s, threaded);
    merge_new_united(s, threaded);
    new_first_positions(s);
    merge_count_products(s, threaded);
    merge_find_rises(s, threaded);
    if (is_keyed) {
        merge_gauge(s, threaded);
        merge_new_keys(s);
    }
    merge_new_places(s, threaded);
    s->share.part.nthreads = s->share.npieces = lower_nthreads(s->p, threaded);
    if (!plan->rows.two_pass)
        declare_parts(s, threaded);
    s->out.told = tsr_ir_index_array_new(s->ir, "told", TSR_U64, TSR_IR_HEAP,
                                         tsr_ir_mul(s->ir, INDEX(plan->nresult - plan->ndense + 1),
                                                    tsr_ir_add(s->ir, s->share.npieces, INDEX(1))),
                                         false);
    tsr_ir_store(s->ir, s->out.result_pos[plan->ndense], INDEX(0), INDEX(0), false, false);
}

void merge_emit_rows(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const bool threaded = plan->share.cut;
    s->share.part.nthreads = lower_nthreads(s->p, threaded);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        s->out.result_pos[k] = lower_array_param(s->p, TSR_PARAM_OUT_POS, 0, merge_result_level(s, k));
        FOR_PARTS(l, k)
        s->out.result_crd[l] = lower_array_param(s->p, TSR_PARAM_OUT_CRD, 0, l);
    }
    s->out.result_values = lower_array_param(s->p, TSR_PARAM_OUT_VALUES, 0, -1);
    prepare_rows(s, threaded);
    if (plan->rows.two_pass)
        count_and_fill(s, threaded);
    else
        append_rows(s, threaded);
    if (plan->ndense == 0)
        tsr_ir_store(s->ir, s->out.result_pos[0], INDEX(1), told(s, 0, s->share.npieces), false, false);
}
