/* Products of factors, and the loops over dense variables that add them up. */
#include "lower_merge.h"
#include "lower_term.h"

#include <stdio.h>

#include "tsr_checked.h"

/* ---- values ---- */

const tsr_ir_expr *lower_driver_value(lower_state *s)
{
    return lower_load(s->p, s->term->driver, s->pos[s->term->nlevels], lower_type(s->p));
}

/* x, the value of an access of tensor t (-1: of another factor), as a variable that is named after it, unless x is one or a constant. */
static const tsr_ir_expr *hold(lower_state *s, int t, const tsr_ir_expr *x)
{
    char name[256] = "factor";
    if (t >= 0)
        snprintf(name, sizeof name, "%.200s_value", s->p->plan->notation->tensor[t].name);
    return x && (x->op == TSR_IR_VAR || x->op == TSR_IR_VALUE) ? x : tsr_ir_declare(s->ir, name, x, false);
}

const tsr_ir_expr *lower_hold_driver_value(lower_state *s)
{
    s->driver_value = hold(s, s->term->driver, lower_driver_value(s));
    return s->driver_value;
}

/* The value of an access: of a dense operand, read at its coordinates (NULL), or of the driver. */
static const tsr_ir_expr *read_access(void *arg, const tsr_expr *e)
{
    lower_state *const s = arg;
    if (e->mask != TSR_MASK_NONE)
        return lower_number(s->p, 1);
    if (s->term->driver < 0 || !tsr_expr_same_access(s->term->access, e))
        return NULL;
    return s->driver_value ? s->driver_value : lower_driver_value(s);
}

static const tsr_ir_expr *factor_value(lower_state *s, const tsr_nest_factor *f)
{
    const lower_reader from = {.type = lower_type(s->p), .at = s->at, .read = read_access, .arg = s};
    if (s->merge)
        return merge_value(s->merge, s->merged, f->expr);
    if (f->is_located)
        return lower_load(s->p, f->expr->tensor, s->found[f - s->term->factor], lower_type(s->p));
    return lower_value(s->p, &from, f->expr);
}

const tsr_ir_expr *lower_hoist(lower_state *s, const tsr_nest_factor *f)
{
    return hold(s, f->expr->kind == TSR_EXPR_ACCESS ? f->expr->tensor : -1, factor_value(s, f));
}

/* The index of a local array over the axes, row-major: level axes first, then variables. */
static const tsr_ir_expr *local_index(lower_state *s, uint64_t axes)
{
    const tsr_ir_expr *index = tsr_ir_index(s->ir, 0);
    for (int i = 0; i < TSR_NEST_MAX_AXES; i++) {
        const int v = (i + TSR_NEST_LEVEL_AXIS) % TSR_NEST_MAX_AXES;
        if (tsr_plan_has(axes, v))
            index = tsr_ir_add(s->ir, tsr_ir_mul(s->ir, index, tsr_ir_index(s->ir, (int64_t)s->count[v])),
                               s->local[v]);
    }
    return index;
}

static const tsr_ir_expr *item_value(lower_state *s, const lower_item *item)
{
    if (item->scalar)
        return item->scalar;
    if (item->array)
        return tsr_ir_load_value(s->ir, item->array, local_index(s, item->axes), lower_type(s->p));
    return item->factor ? factor_value(s, item->factor) : NULL; /* NULL: the builder failed */
}

static bool divides(const lower_item *item)
{
    return item->factor && item->factor->inverse;
}

const tsr_ir_expr *lower_multiply(lower_state *s, const lower_product *what, const bool *chosen)
{
    const tsr_ir_expr *product = NULL;
    const int npasses = tsr_nest_keeps_order(s->p->plan, s->term) ? 1 : 2;
    for (int pass = 0; pass < npasses; pass++)
        for (int i = 0; i < what->n; i++) {
            const lower_item *item = &what->item[i];
            if ((chosen && !chosen[i]) || (npasses == 2 && divides(item) != (pass == 1)))
                continue;
            product = lower_times(s->p, product, item_value(s, item), divides(item));
        }
    product = product ? product : lower_number(s->p, 1);
    return what->negative ? tsr_ir_op2(s->ir, TSR_IR_NEG, product, NULL) : product;
}

/* ---- targets ---- */

/* The elements of a local array over the axes; UINT64_MAX where they are more. */
static uint64_t nelements(const lower_state *s, uint64_t axes)
{
    uint64_t n = 1;
    for (int v = 0; v < TSR_NEST_MAX_AXES; v++)
        if (tsr_plan_has(axes, v) && !tsr_mul_u64(&n, n, s->count[v]))
            return UINT64_MAX;
    return n;
}

lower_target lower_new_sum(lower_state *s, uint64_t axes)
{
    lower_target sum = {.axes = axes};
    if (nelements(s, axes) > 1)
        sum.array = lower_new_sums(s->p, "acc", tsr_ir_index(s->ir, (int64_t)nelements(s, axes)));
    else
        sum.scalar = tsr_ir_declare(s->ir, "acc", lower_absent(s->p), true);
    return sum;
}

static void add_to_result(lower_state *s, const tsr_ir_expr *x)
{
    const int shared = s->term->sink.shared;
    const tsr_ir_expr *parent = shared ? s->pos[shared] : tsr_ir_index(s->ir, 0);
    if (s->term->term->negative && !tsr_nest_negates_inside(s->p->plan, s->term))
        x = tsr_ir_op2(s->ir, TSR_IR_NEG, x, NULL);
    if (s->merge) {
        merge_add_to_dense(s->merge, x);
        return;
    }
    if (!s->sink->add)
        x = lower_truth(s->p, lower_block_value(s->p, s->term->term, x));
    lower_add_to_result(s->p, s->sink, lower_place(s->p, s->p->plan->notation->result, shared, parent, s->at),
                        x);
}

void lower_add(lower_state *s, const lower_target *into, const tsr_ir_expr *x, bool set)
{
    if (into->is_result)
        add_to_result(s, x);
    else if (into->array)
        lower_add_to_result(s->p, &(lower_sink){.array = into->array, .add = !set},
                            local_index(s, into->axes), x);
    else
        lower_add_to_var(s->p, into->scalar, x);
}

/* ---- loops ---- */

/* The loops of one contribution, outermost first; the last nsums of these loops add up into one element. */
typedef struct loops {
    const lower_target *into;
    const lower_product *what;    /* NULL: 0 */
    int order[TSR_NEST_MAX_AXES]; /* the axis of each loop, n entries */
    int n, nsums;
    bool inner[TSR_NOTATION_MAX_FACTORS + 2]; /* items inside the summing loops */
    bool has_outer;                           /* there are items outside the summing loops */
    bool sets;                                /* elements are set, not added to */
    const tsr_ir_expr *sum;                   /* the scalar of the summing loops while they are open */
} loops;

static void run_loops(lower_state *s, loops *l, int i);

/* TSR_IR_VECTOR where loop i may become vectors. */
static unsigned loop_marks(const lower_state *s, const loops *l, int i)
{
    const tsr_schedule *schedule = &s->p->plan->schedule;
    const int v = l->order[i];
    if (v >= TSR_NEST_LEVEL_AXIS || i < l->n - 1 || schedule->scalar ||
        (schedule->vector_var && schedule->vector_var != v + 1))
        return 0;
    if (l->nsums == 0 && l->into->is_result && s->sink->atomic)
        return 0;
    return TSR_IR_VECTOR;
}

/* The body of loop i, with its axis at local coordinate x. */
static void run_at(lower_state *s, loops *l, int i, const tsr_ir_expr *x)
{
    const int v = l->order[i];
    s->local[v] = x;
    if (v < TSR_NEST_LEVEL_AXIS)
        s->at[v] = s->block[v].lo ? tsr_ir_add(s->ir, s->block[v].lo, x) : x;
    else if (l->into->is_result && (i + 1 == l->n || l->order[i + 1] < TSR_NEST_LEVEL_AXIS))
        lower_enter_deferred(s);
    run_loops(s, l, i + 1);
}

/* Loop i over the coordinates of a deferred level. */
static void open_level_loop(lower_state *s, loops *l, int i)
{
    const int level = l->order[i] - TSR_NEST_LEVEL_AXIS;
    const tsr_ir_expr *lo = NULL, *hi = NULL;
    const tsr_ir_expr *size = tsr_ir_index(s->ir, (int64_t)s->count[l->order[i]]);
    lower_walk w;
    lower_walk_init(&w, s->p, s->term, level);
    if (l->into->is_result)
        lower_clip(s, level, s->term->sink.deferred | (uint32_t)(((uint64_t)1 << s->term->sink.store) - 1),
                   size, &lo, &hi);
    const tsr_ir_expr *x =
        tsr_ir_for(s->ir, w.crd, lo ? lo : tsr_ir_index(s->ir, 0), hi ? hi : size, loop_marks(s, l, i));
    if (l->into->is_result)
        s->crd[level] =
            tsr_ir_add(s->ir, x, tsr_ir_index(s->ir, s->p->operands[s->term->driver].binding->base[level]));
    run_at(s, l, i, x);
    tsr_ir_end(s->ir);
}

/* Loop i over the range of its variable. */
static void open_loop(lower_state *s, loops *l, int i)
{
    const int v = l->order[i];
    if (v >= TSR_NEST_LEVEL_AXIS) {
        open_level_loop(s, l, i);
        return;
    }
    const unsigned marks = loop_marks(s, l, i);
    const uint32_t unroll = s->p->plan->schedule.unroll[v];
    tsr_ir_builder *ir = s->ir;
    tsr_ir_range all = {tsr_ir_index(ir, 0), tsr_ir_index(ir, (int64_t)s->count[v])};
    if (!s->block[v].lo)
        all = lower_own_range(s, v);
    else if (s->count[v] == 1) {
        run_at(s, l, i, all.lo);
        return;
    }
    if (unroll > 1) {
        const tsr_ir_range step = lower_open_blocks(s->p, "step", all, unroll, &all);
        const tsr_ir_expr *u =
            tsr_ir_for(ir, "u", tsr_ir_index(ir, 0), tsr_ir_index(ir, unroll), marks | TSR_IR_UNROLL);
        run_at(s, l, i, tsr_ir_add(ir, step.lo, u));
        tsr_ir_end(ir);
        tsr_ir_end(ir);
    }
    run_at(s, l, i, tsr_ir_for(ir, s->p->plan->notation->var[v], all.lo, all.hi, marks));
    tsr_ir_end(ir);
}

/* Emit the summing loops, and add their sum to the target. */
static void run_sum(lower_state *s, loops *l)
{
    const bool straight = !l->into->is_result && !l->into->array && !l->has_outer;
    l->sum = straight ? l->into->scalar : tsr_ir_declare(s->ir, "sum", lower_absent(s->p), true);
    open_loop(s, l, l->n - l->nsums);
    if (!straight) {
        const lower_item first = {.scalar = l->sum};
        lower_product rest = {.n = 1, .item = {first}};
        for (int i = 0; i < l->what->n; i++)
            if (!l->inner[i])
                rest.item[rest.n++] = l->what->item[i];
        lower_add(s, l->into, lower_multiply(s, &rest, NULL), false);
    }
    l->sum = NULL;
}

/* Emit the loops from number i on. */
static void run_loops(lower_state *s, loops *l, int i)
{
    if (!l->what && i == l->n)
        lower_add(s, l->into, lower_absent(s->p), false);
    else if (i == l->n && l->sum)
        lower_add_to_var(s->p, l->sum, lower_multiply(s, l->what, l->inner));
    else if (i == l->n)
        lower_add(s, l->into, lower_multiply(s, l->what, NULL), l->sets);
    else if (i == l->n - l->nsums && !l->sum)
        run_sum(s, l);
    else
        open_loop(s, l, i);
}

void lower_contribute(lower_state *s, int d, const lower_target *into, const lower_product *what)
{
    const tsr_plan *plan = s->p->plan;
    const tsr_nest *term = s->term;
    loops l = {.into = into, .what = what};
    for (int i = 0; into->is_result && i < term->sink.norder; i++)
        if (what || !tsr_plan_has(term->sum, term->sink.order[i]))
            l.order[l.n++] = term->sink.order[i];
    for (int v = d; !into->is_result && v < term->nlevels; v++)
        if (tsr_plan_has(into->axes, TSR_NEST_LEVEL_AXIS + v))
            l.order[l.n++] = TSR_NEST_LEVEL_AXIS + v;
    const int nlevels = l.n;
    for (int v = 0; !into->is_result && v < plan->notation->nvars; v++)
        if (tsr_plan_has(into->axes, v) || (tsr_plan_has(term->sum, v) && term->sum_depth[v] == d))
            l.order[l.n++] = v;
    if (!into->is_result)
        tsr_nest_order_loops(plan, term, l.order + nlevels, l.n - nlevels);
    while (what && l.nsums < l.n) {
        const int v = l.order[l.n - 1 - l.nsums];
        if (v >= TSR_NEST_LEVEL_AXIS || !tsr_plan_has(term->sum, v) || term->sum_depth[v] != d)
            break;
        l.nsums++;
    }
    uint32_t summed = 0;
    for (int i = l.n - l.nsums; i < l.n; i++)
        summed |= (uint32_t)1 << l.order[i];
    for (int i = 0; what && i < what->n; i++) {
        l.inner[i] = tsr_nest_keeps_order(plan, term) || (what->item[i].axes & summed) != 0;
        l.has_outer = l.has_outer || !l.inner[i];
    }
    run_loops(s, &l, 0);
    if (into->flag)
        tsr_ir_assign(s->ir, into->flag, tsr_ir_index(s->ir, 1), false);
}

void lower_contribute_selected(lower_state *s, const lower_target *into, const lower_product *what)
{
    const tsr_ir_expr *const zero = lower_number(s->p, 0), *const v = lower_hold_driver_value(s);
    const tsr_ir_expr *x = lower_multiply(s, what, NULL);
    const bool sets = into->is_result && !s->sink->add;
    x = tsr_ir_select(s->ir, tsr_ir_op2(s->ir, TSR_IR_NE, v, zero), x,
                      sets ? lower_empty(s->p) : lower_absent(s->p));
    lower_add(s, into, x, false);
    s->driver_value = NULL;
}

/* ---- the prefix ---- */

/* Choose the items that can be multiplied into one array over *axes, or one scalar: items that do not divide
 * and whose axes are among *axes, which is the largest set of axes of fixed size that fits a local array.
 * Returns the number of chosen items. */
static int choose_items(const lower_state *s, const lower_product *prefix, bool *chosen, uint64_t *axes)
{
    const tsr_plan *plan = s->p->plan;
    uint64_t most = 0;
    int n = 0;
    for (int i = 0; i < prefix->n; i++) {
        const uint64_t its = prefix->item[i].axes;
        bool fixed = nelements(s, its) > 0 && nelements(s, its) <= TSR_PLAN_LOCAL;
        for (int v = 0; v < plan->notation->nvars; v++)
            fixed = fixed && (!tsr_plan_has(its, v) || tsr_plan_has(plan->literal, v) || s->block[v].lo);
        if (fixed && !divides(&prefix->item[i]) && nelements(s, its) >= nelements(s, most))
            most = its;
    }
    for (int i = 0; i < prefix->n; i++) {
        chosen[i] = !divides(&prefix->item[i]) && (prefix->item[i].axes & ~most) == 0;
        n += chosen[i];
    }
    *axes = most;
    return n;
}

void lower_merge_prefix(lower_state *s, lower_product *prefix)
{
    bool chosen[TSR_NOTATION_MAX_FACTORS + 2];
    uint64_t axes;
    if (choose_items(s, prefix, chosen, &axes) < 2)
        return;
    lower_product part = {.n = 0};
    lower_product rest = {.n = 1};
    for (int i = 0; i < prefix->n; i++)
        if (chosen[i])
            part.item[part.n++] = prefix->item[i];
        else
            rest.item[rest.n++] = prefix->item[i];
    lower_item merged = {.axes = axes};
    if (axes == 0) {
        merged.scalar = tsr_ir_declare(s->ir, "prefix", lower_multiply(s, &part, NULL), false);
    } else {
        lower_target target = {.axes = axes};
        target.array = tsr_ir_array_new(s->ir, "prefix", s->p->type, TSR_IR_LOCAL,
                                        tsr_ir_index(s->ir, (int64_t)nelements(s, axes)), false);
        loops l = {.into = &target, .what = &part};
        for (int v = 0; v < s->p->plan->notation->nvars; v++)
            if (tsr_plan_has(axes, v))
                l.order[l.n++] = v;
        l.sets = true;
        run_loops(s, &l, 0);
        merged.array = target.array;
    }
    rest.item[0] = merged;
    *prefix = rest;
}
