/* The sum of a loop that is marked LANES is added up in several lanes.
 *
 *     for p in [lo, hi) in lanes of 8       local lanes: f64[8] = 0
 *       let j: index = crd[p]               ...
 *       acc += A[p] * x[j]                  for group in [0, ngroups)
 *                                             let first: index = begin + group * 8
 *                                      ->     for lane in [0, 8) vector
 *                                               let p: index = first + lane
 *                                               let j: index = crd[p]
 *                                               lanes[lane] += A[p] * x[min(j, last)]
 *                                           for lane in [0, 8)
 *                                             acc += lanes[lane]
 *                                           for p in [begin + ngroups * 8, end)
 *                                             ...
 *
 * min(j, last) makes the read a gather, whose lanes are always within the array. The loop has declarations and the sum alone.
 * A least or largest value is a sum, too, though its value depends on the sum before: "acc = select(acc < v, v, acc)". Its lanes begin
 * with the value of acc.
 * An addition has to wait for the one before (four cycles), so long lists are added up in as many lanes as a cache line has
 * values: TTV on fibers of 228 entries, EPYC, 2.33 to 1.91 ms, of which the result's zeros take most. */
#include "passes_internal.h"

typedef struct lanes {
    const tsr_ir_copier *c;
    const tsr_ir_stmt *loop;
} lanes;

/* The only sum of the loop; NULL: it does something else. */
static const tsr_ir_stmt *only_sum(const tsr_ir_stmt *loop)
{
    const tsr_ir_stmt *sum = NULL;
    for (const tsr_ir_stmt *s = loop->body.first; s; s = s->next) {
        if (s->kind == TSR_IR_DECLARE && !s->var->is_mutable && !sum)
            continue;
        if (sum || s->kind != TSR_IR_ASSIGN || s->var->type.kind != TSR_IR_IS_VALUE || s->var->type.lanes > 1)
            return NULL;
        sum = s;
    }
    for (const tsr_ir_stmt *s = loop->body.first; s && sum && sum->add; s = s->next)
        if (tsr_ir_reads(s->expr, sum->var))
            return NULL;
    return sum;
}

/* Whether the statement is of the part that joins a value to a sum that is not an addition: from the first one on that reads
 * the sum. */
static const tsr_ir_stmt *join_of(const tsr_ir_stmt *loop, const tsr_ir_stmt *sum)
{
    const tsr_ir_stmt *s = loop->body.first;
    while (s && s != sum && !tsr_ir_reads(s->expr, sum->var))
        s = s->next;
    return s;
}

/* The value that is joined to the sum: the last one that is declared before the part that joins it; NULL: that part reads another
 * variable of the loop, too, or loads. */
static const tsr_ir_var *joined(const tsr_ir_stmt *loop, const tsr_ir_stmt *join)
{
    const tsr_ir_var *value = NULL;
    for (const tsr_ir_stmt *s = loop->body.first; s && s != join; s = s->next)
        value = s->var;
    for (const tsr_ir_stmt *s = join; s && value; s = s->next) {
        bool others = tsr_ir_reads(s->expr, loop->var) || value->type.kind != TSR_IR_IS_VALUE;
        for (const tsr_ir_stmt *d = loop->body.first; d != join; d = d->next)
            others = others || (d->var != value && tsr_ir_reads(s->expr, d->var));
        if (others)
            return NULL;
    }
    return value;
}

/* Whether the variable is declared in the loop as an element of a list. */
static bool is_from_list(const tsr_ir_stmt *loop, const tsr_ir_var *var)
{
    const tsr_ir_stmt *const s = pass_declaration(loop->body.first, var);
    return s && s->expr->op == TSR_IR_LOAD && s->expr->array->is_index;
}

static const tsr_ir_expr *gather(void *arg, const tsr_ir_expr *x)
{
    const lanes *const l = arg;
    if (x->op != TSR_IR_LOAD || x->array->is_index || x->arg[0]->op != TSR_IR_VAR ||
        !is_from_list(l->loop, x->arg[0]->var))
        return NULL;
    const tsr_ir_expr *const at =
        tsr_ir_op2(l->c->b, TSR_IR_MIN, tsr_ir_copy_expr(l->c, x->arg[0]), l->loop->index);
    return tsr_ir_like(l->c->b, x, (const tsr_ir_expr *const[3]){at}, x->array, NULL);
}

/* Add a group of the loop's iterations to acc, a lane for each. sum: the variable that is read for it, or NULL. */
static void add_group(tsr_ir_copier *c, const tsr_ir_stmt *loop, const tsr_ir_var *sum,
                      const tsr_ir_array *acc, const tsr_ir_expr *first)
{
    tsr_ir_builder *const b = c->b;
    const tsr_ir_expr *const lane =
        tsr_ir_for(b, "lane", tsr_ir_index(b, 0), tsr_ir_index(b, loop->each), TSR_IR_VECTOR);
    const tsr_ir_stmt position = {
        .kind = TSR_IR_DECLARE, .var = loop->var, .expr = tsr_ir_add(b, first, lane)};
    lanes l = {c, loop};
    tsr_ir_copy_stmt(c, &position);
    if (sum)
        c->var[sum->number] = tsr_ir_declare(b, sum->name, tsr_ir_load_value(b, acc, lane, sum->type), false);
    c->edit = gather;
    c->arg = &l;
    for (const tsr_ir_stmt *s = loop->body.first; s; s = s->next)
        if (s->kind == TSR_IR_DECLARE)
            tsr_ir_copy_stmt(c, s);
        else
            tsr_ir_store(b, acc, lane, tsr_ir_copy_expr(c, s->expr), s->add, false);
    tsr_ir_end(b);
    c->edit = NULL;
    if (sum)
        c->var[sum->number] = NULL;
}

static const tsr_ir_expr *open_lanes(tsr_ir_builder *b, const tsr_ir_stmt *loop)
{
    return tsr_ir_for(b, "lane", tsr_ir_index(b, 0), tsr_ir_index(b, loop->each), 0);
}

/* Join the lanes to the sum, one after the other, by the part of the loop that joins a value. */
static void join_lanes(tsr_ir_copier *c, const tsr_ir_stmt *loop, const tsr_ir_stmt *join,
                       const tsr_ir_array *acc)
{
    tsr_ir_builder *const b = c->b;
    const tsr_ir_var *const value = joined(loop, join);
    const tsr_ir_expr *const x = tsr_ir_load_value(b, acc, open_lanes(b, loop), value->type);
    c->var[value->number] = tsr_ir_declare(b, value->name, x, false);
    for (const tsr_ir_stmt *s = join; s; s = s->next)
        tsr_ir_copy_stmt(c, s);
    tsr_ir_end(b);
}

static tsr_status take_lanes(tsr_ir *ir, tsr_ir_block *block, tsr_ir_stmt *before, tsr_ir_stmt *loop,
                             tsr_error *err)
{
    const tsr_ir_stmt *const sum = only_sum(loop);
    tsr_ir_builder *const b = ir->builder;
    tsr_ir_copier c;
    pass_grouping g;
    if (!sum || !loop->index)
        return TSR_OK;
    const tsr_ir_stmt *const join = sum->add ? NULL : join_of(loop, sum);
    if (join && !joined(loop, join))
        return TSR_OK;
    TSR_TRY(pass_copier_init(&c, ir, err));
    tsr_ir_begin_insert(ir, block, before);
    const tsr_ir_expr *const total = tsr_ir_read(b, sum->var);
    const tsr_ir_array *const acc = tsr_ir_array_new(b, "lanes", sum->var->type.type, TSR_IR_LOCAL,
                                                     tsr_ir_index(b, loop->each), sum->add);
    if (join) {
        tsr_ir_store(b, acc, open_lanes(b, loop), total, false, false);
        tsr_ir_end(b);
    }
    pass_open_groups(&g, b, loop);
    add_group(&c, loop, join ? sum->var : NULL, acc, g.first);
    pass_close_groups(&g, b, loop);
    if (join) {
        join_lanes(&c, loop, join, acc);
    } else {
        tsr_ir_assign(b, total, tsr_ir_load_value(b, acc, open_lanes(b, loop), sum->var->type), true);
        tsr_ir_end(b);
    }
    pass_copier_clear(&c);
    return tsr_ir_end_insert(ir, err);
}

tsr_status pass_lanes(tsr_ir *ir, tsr_error *err)
{
    return pass_each_loop(ir, &ir->body, TSR_IR_LANES, take_lanes, err);
}
