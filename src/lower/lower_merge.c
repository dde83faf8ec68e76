/* The program of a plan. A sparse result is made in one pass, or (if the schedule asks for it) in two: the first counts the
 * entries, so that the second stores them at their places, and no memory is needed besides the result. In one pass, threads take
 * shares of the loops in turn. The entries of a share, a piece of the result, are few enough to stay in a cache: the thread
 * appends them to a part, which only this thread writes, and then gives them to the result, in the order of the shares. So
 * the memory of the result is written once, by all threads. Positions of a piece count from 0; at the end, the number of
 * entries of the pieces before is added to them. So the result has the same bytes for any number of threads. */
#include "lower_merge.h"

#include <string.h>

#include "tsr_checked.h"

/* Over the levels of the result's tensor that level k of the assembled format is. */
#define FOR_PARTS(l, k) for (int l = merge_result_level(s, (k)); l < merge_result_level(s, (k) + 1); l++)

enum {
    PART_MULTIPLE = 128, /* of the elements of a thread in a workspace: two cache lines of marks */
    LEAST_PIECES = 4     /* for each thread, as pieces may differ in work */
};

int merge_tensor(const tsr_plan *plan, int view)
{
    return plan->view[view].copy ? plan->notation->ntensors + view : plan->view[view].tensor;
}

void merge_start_pass(merge_state *s)
{
    for (int a = 0; a < s->plan->naccesses; a++)
        s->access[a] = (merge_access){.pos = INDEX(0)};
    s->share.lo = s->share.hi = NULL;
    s->out.reserves = s->out.reserved = false;
}

/* ---- a list ---- */

/* Make a part of each array for the thread. */
static void new_list_parts(merge_state *s)
{
    for (int m = 0; m < s->plan->nresult; m++)
        s->out.crd[m] = tsr_ir_part_new(s->ir, s->out.result_crd[m], s->share.part.t);
    s->out.values = tsr_ir_part_new(s->ir, s->out.result_values, s->share.part.t);
}

static void give_list_parts(merge_state *s, const tsr_ir_expr *piece)
{
    for (int m = 0; m < s->plan->nresult; m++)
        tsr_ir_give(s->ir, s->out.crd[m], INDEX(0), s->out.cursor[0], piece);
    tsr_ir_give(s->ir, s->out.values, INDEX(0), s->out.cursor[0], piece);
}

/* Each thread gives one piece for each term. */
static void list_terms(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *term = &plan->term[i];
        lower_open_threads(s->p, &s->share.part, threaded);
        merge_start_pass(s);
        if (threaded && term->nvars > 0)
            merge_share(s, &term->nest->share);
        new_list_parts(s);
        s->out.cursor[0] = tsr_ir_declare(s->ir, "n", INDEX(0), true);
        /* the first thread computes a term without loops */
        const bool is_point = threaded && term->nvars == 0;
        if (is_point)
            tsr_ir_if(s->ir, OP(EQ, s->share.part.t, INDEX(0)));
        if (!term->empty)
            merge_in_blocks(s, term);
        if (is_point)
            tsr_ir_end(s->ir);
        give_list_parts(
            s, tsr_ir_add(s->ir, tsr_ir_mul(s->ir, INDEX(i), s->share.part.nshares), s->share.part.t));
        if (threaded)
            tsr_ir_end(s->ir);
    }
}

void merge_emit_list(merge_state *s)
{
    const tsr_plan *plan = s->plan;
    const bool threaded = !tsr_plan_is_serial(plan);
    const tsr_ir_expr *nthreads = threaded ? lower_nthreads(s->p) : INDEX(1);
    const tsr_ir_extent extent = {nthreads, tsr_ir_mul(s->ir, INDEX(plan->nterms), nthreads), INDEX(0)};
    for (int m = 0; m < plan->nresult; m++)
        s->out.result_crd[m] = lower_array_param(s->p, TSR_PARAM_OUT_CRD, 0, m);
    s->out.result_values = lower_array_param(s->p, TSR_PARAM_OUT_VALUES, 0, -1);
    for (int m = 0; m < plan->nresult; m++)
        tsr_ir_parts(s->ir, s->out.result_crd[m], &extent);
    tsr_ir_parts(s->ir, s->out.result_values, &extent);
    merge_new_places(s, threaded);
    list_terms(s, threaded);
    for (int m = 0; m < plan->nresult; m++)
        tsr_ir_join(s->ir, s->out.result_crd[m]);
    tsr_ir_join(s->ir, s->out.result_values);
}

/* ---- rows ---- */

/* The workspace of all threads: values, the number of the row that wrote each value (mark), and the list of
 * the keys of a row. */
static void new_workspace(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *n = INDEX(1);
    double span = 1;
    for (int k = plan->nouter; k < plan->nresult; k++) {
        n = tsr_ir_mul(s->ir, n, lower_size(s->p, plan->var[k]));
        span *= (double)plan->size[plan->var[k]];
    }
    if (threaded) /* no cache line has elements of two threads */
        n = tsr_ir_mul(s->ir,
                       OP(FLOORDIV, tsr_ir_add(s->ir, n, INDEX(PART_MULTIPLE - 1)), INDEX(PART_MULTIPLE)),
                       INDEX(PART_MULTIPLE));
    s->work.span =
        n && n->op != TSR_IR_INDEX && n->op != TSR_IR_VAR ? tsr_ir_declare(s->ir, "span", n, false) : n;
    n = tsr_ir_mul(s->ir, s->work.span, threaded ? lower_nthreads(s->p) : INDEX(1));
    if (plan->rows.appends) {
        merge_new_numbers(s, n);
        return;
    }
    s->work.array = tsr_ir_array_new(s->ir, "work", s->p->type, TSR_IR_HEAP, merge_in_blocks_of(s, n), false);
    s->work.mark = tsr_ir_index_array_new(s->ir, "mark", TSR_U8, TSR_IR_HEAP, n, true);
    s->work.list =
        tsr_ir_index_array_new(s->ir, "list", span < 0x1p31 ? TSR_U32 : TSR_U64, TSR_IR_HEAP, n, false);
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
    merge_bound(s, most);
    const bool is_bound = merge_is_bounded(s);
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
    if (appends)
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
    const bool appends = s->pass == MERGE_PASS_APPEND;
    lower_open_threads(s->p, &s->share.part, threaded);
    merge_start_pass(s);
    if (appends)
        new_parts(s);
    if (s->work.array || s->numbers.array) {
        s->work.first = tsr_ir_mul(s->ir, s->work.span, s->share.part.t);
        if (s->work.first && s->work.first->op != TSR_IR_INDEX && s->work.first->op != TSR_IR_VAR)
            s->work.first = tsr_ir_declare(s->ir, "part", s->work.first, false);
    }
    merge_begin_rows(s);
    if (s->share.taken && appends) {
        s->share.part.number = tsr_ir_for_taken(s->ir, "piece", s->share.taken, s->share.npieces);
        s->share.part.nshares = s->share.npieces;
    }
    if (threaded)
        merge_share(s, &plan->share);
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
    s->share.npieces = tsr_ir_declare(s->ir, "npieces", n, false);
    s->share.taken = tsr_ir_index_array_new(s->ir, "taken", TSR_U64, TSR_IR_HEAP, INDEX(1), true);
}

/* Declare that the outputs are joined from pieces. */
static void declare_parts(merge_state *s, bool threaded)
{
    const tsr_plan *plan = s->plan;
    const tsr_ir_expr *most[TSR_NOTATION_MAX_VARS] = {NULL};
    merge_start_pass(s);
    merge_bound(s, most);
    for (int k = plan->ndense; k < plan->nresult; k++) {
        const tsr_ir_expr *const n = most[plan->var[k]];
        most[plan->var[k]] = n ? tsr_ir_declare(s->ir, "most", n, false) : NULL;
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
    merge_weigh_rows(s, threaded);
    merge_find_rises(s, threaded);
    if (is_keyed) {
        merge_gauge(s, threaded);
        merge_new_keys(s);
    }
    merge_new_places(s, threaded);
    s->share.part.nthreads = s->share.npieces = threaded ? lower_nthreads(s->p) : INDEX(1);
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
    s->share.part.nthreads = threaded ? lower_nthreads(s->p) : INDEX(1);
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
