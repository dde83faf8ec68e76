/* Coordinates and positions as expressions of the program: results of maps, places in dense operands, and
 * levels of the driver. */
#include "lower_internal.h"

#include <stdio.h>

/* ---- maps ---- */

typedef struct folding {
    tsr_ir_builder *ir;
    const tsr_ir_expr *const *vars;
} folding;

static const void *fold_constant(void *arg, int64_t c)
{
    return tsr_ir_index(((folding *)arg)->ir, c);
}

static const void *fold_var(void *arg, int var)
{
    return ((folding *)arg)->vars[var];
}

static const void *fold_apply(void *arg, char operation, const void *x, const void *y)
{
    static const struct {
        char operation;
        tsr_ir_op op;
    } table[] = {{'+', TSR_IR_ADD}, {'-', TSR_IR_SUB}, {'*', TSR_IR_MUL}, {'/', TSR_IR_FLOORDIV},
                 {'%', TSR_IR_MOD}, {'<', TSR_IR_MIN}, {'>', TSR_IR_MAX}};
    size_t i = 0;
    while (table[i].operation != operation)
        i++;
    return tsr_ir_op2(((folding *)arg)->ir, table[i].op, x, y);
}

static const tsr_ir_expr *gathered_result(lower_program *p, const tsr_map *map, int r,
                                          const tsr_ir_expr *const *vars)
{
    tsr_bit_move move[TSR_PLAN_MOVES];
    const int n = tsr_plan_gathers(move, map, r);
    const tsr_ir_expr *sum = NULL;
    for (int i = 0; i < n; i++) {
        const int64_t unit = (int64_t)(move[i].to & (~move[i].to + 1));
        const tsr_ir_expr *const mask = tsr_ir_index(p->ir, (int64_t)move[i].from);
        const tsr_ir_expr *x = tsr_ir_op2(p->ir, TSR_IR_GATHER, vars[move[i].var], mask);
        x = tsr_ir_mul(p->ir, x, tsr_ir_index(p->ir, unit));
        sum = sum ? tsr_ir_add(p->ir, sum, x) : x;
    }
    return sum;
}

const tsr_ir_expr *lower_fold_map(tsr_ir_builder *ir, const tsr_map *map, int r,
                                  const tsr_ir_expr *const *vars)
{
    folding f = {ir, vars};
    const tsr_map_fold fold = {&f, fold_constant, fold_var, fold_apply};
    return tsr_map_fold_result(map, r, &fold);
}

const tsr_ir_expr *lower_map_result(lower_program *p, const tsr_map *map, int r,
                                    const tsr_ir_expr *const *vars)
{
    const tsr_ir_expr *const gathered = gathered_result(p, map, r, vars);
    return gathered ? gathered : lower_fold_map(p->ir, map, r, vars);
}

/* x mod c is at most c - 1 in a level, even where x is smaller. */
static const void *fold_last(void *arg, char operation, const void *x, const void *y)
{
    tsr_ir_builder *const ir = ((folding *)arg)->ir;
    return operation == '%' ? tsr_ir_sub(ir, y, tsr_ir_index(ir, 1)) : fold_apply(arg, operation, x, y);
}

const tsr_ir_expr *lower_fold_map_last(tsr_ir_builder *ir, const tsr_map *map, int r,
                                       const tsr_ir_expr *const *last)
{
    folding f = {ir, last};
    const tsr_map_fold fold = {&f, fold_constant, fold_var, fold_last};
    return tsr_map_fold_result(map, r, &fold);
}

static const void *try_constant(void *arg, int64_t c)
{
    return c >= 0 ? arg : NULL;
}

static const void *try_var(void *arg, int var)
{
    (void)var;
    return arg;
}

static const void *try_apply(void *arg, char operation, const void *x, const void *y)
{
    return operation != '-' && x && y ? arg : NULL;
}

bool lower_can_fold(const tsr_map *map, int r)
{
    static char any;
    const tsr_map_fold fold = {&any, try_constant, try_var, try_apply};
    return tsr_map_fold_result(map, r, &fold) != NULL;
}

/* ---- dense operands ---- */

const tsr_ir_expr *lower_out_of_window(lower_program *p, const tsr_mode_window *w, const tsr_ir_expr *c)
{
    if (!w)
        return c;
    c = w->step > 1 ? tsr_ir_mul(p->ir, c, tsr_ir_index(p->ir, (int64_t)w->step)) : c;
    return w->first > 0 ? tsr_ir_add(p->ir, c, tsr_ir_index(p->ir, (int64_t)w->first)) : c;
}

/* The variable whose coordinate level l of the access stores, or -1. */
static int level_var(const lower_program *p, const tsr_expr *access, int l)
{
    int perm[TSR_MAX_LEVELS];
    const tsr_format *format = p->operands[access->tensor].binding->format;
    if (!tsr_format_is_permutation(format, perm) || tsr_expr_window(access, perm[l]))
        return -1;
    return access->index[perm[l]];
}

const tsr_ir_expr *lower_level_crd(lower_program *p, const tsr_expr *access, int l,
                                   const tsr_ir_expr *const *at, int *var)
{
    const tsr_binding *binding = p->operands[access->tensor].binding;
    const tsr_ir_expr *mode[TSR_MAX_ORDER];
    int perm[TSR_MAX_LEVELS];
    for (int m = 0; m < access->nindices; m++)
        mode[m] = lower_out_of_window(p, tsr_expr_window(access, m), at[access->index[m]]);
    *var = level_var(p, access, l);
    const tsr_ir_expr *const crd = tsr_format_is_permutation(binding->format, perm)
                                       ? mode[perm[l]]
                                       : lower_map_result(p, binding->forward, l, mode);
    return binding->base[l] != 0 ? tsr_ir_sub(p->ir, crd, tsr_ir_index(p->ir, binding->base[l])) : crd;
}

const tsr_ir_expr *lower_place(lower_program *p, const tsr_expr *access, int from, const tsr_ir_expr *parent,
                               const tsr_ir_expr *const *at)
{
    const tsr_binding *binding = p->operands[access->tensor].binding;
    for (int l = from; l < binding->format->nlevels; l++) {
        int v;
        const tsr_ir_expr *const crd = lower_level_crd(p, access, l, at, &v);
        const bool is_first = parent && parent->op == TSR_IR_INDEX && parent->index == 0;
        if (!is_first)
            parent = tsr_ir_mul(p->ir, parent, lower_level_pitch(p, access->tensor, l, v));
        parent = is_first ? crd : tsr_ir_add(p->ir, parent, crd);
    }
    return parent;
}

const tsr_ir_expr *lower_npositions(lower_program *p, const tsr_expr *access, int from, const tsr_ir_expr *n)
{
    const tsr_format *format = p->operands[access->tensor].binding->format;
    for (int l = from; l < format->nlevels; l++)
        n = tsr_ir_mul(p->ir, n, lower_level_pitch(p, access->tensor, l, level_var(p, access, l)));
    return n;
}

const tsr_ir_expr *lower_result_npositions(lower_program *p)
{
    const tsr_plan *plan = p->plan;
    const int shared = plan->walk.pattern_nlevels;
    const tsr_ir_expr *n =
        shared ? lower_index_param(p, TSR_PARAM_NPOS, plan->walk.pattern_tensor, shared - 1, -1)
               : tsr_ir_index(p->ir, 1);
    return lower_npositions(p, plan->notation->result, shared, n);
}

const tsr_ir_expr *lower_load(lower_program *p, int t, const tsr_ir_expr *position, tsr_ir_type type)
{
    const tsr_plan_operand *const operand = &p->operands[t];
    if (operand->iso && operand->type == TSR_PATTERN)
        return tsr_ir_value(p->ir, type, 1);
    return tsr_ir_load_value(p->ir, lower_array_param(p, TSR_PARAM_VALUES, t, -1),
                             operand->iso ? tsr_ir_index(p->ir, 0) : position, type);
}

/* ---- levels of the driver ---- */

const tsr_level_type *lower_level_type(const tsr_plan *plan, const tsr_nest *term, int l)
{
    return plan->walk.operand[term->driver].binding->format->levels[l].type;
}

void lower_walk_init(lower_walk *w, lower_program *p, const tsr_nest *term, int l)
{
    const int m = term->level[l].mode, var = m >= 0 ? term->mode[m].var : -1;
    lower_walk_tensor(w, p, term->driver, l, var);
    if (var >= 0 && term->mode[m].binds)
        snprintf(w->crd, sizeof w->crd, "%.200s", p->plan->notation->var[var]);
}

void lower_walk_tensor(lower_walk *w, lower_program *p, int t, int l, int var)
{
    const tsr_level_spec *const level = &p->operands[t].binding->format->levels[l];
    const tsr_level_type *const type = level->type;
    const char *tensor = p->plan->notation->tensor[t].name;
    *w = (lower_walk){
        .walk.ir = p->ir, .walk.signed_index = p->options->signed_index, .walk.nonunique = level->nonunique};
    snprintf(w->crd, sizeof w->crd, "%.200s%d", tensor, l + 1);
    snprintf(w->pos, sizeof w->pos, "p%.200s%d", tensor, l + 1);
    w->walk.crd_name = w->crd;
    w->walk.pos_name = w->pos;
    w->walk.param = level->param;
    if (type->full || type->assemble)
        w->walk.size = lower_level_size(p, t, l, var);
    if (type->full)
        w->walk.pitch = lower_level_pitch(p, t, l, var);
    if (type->assemble) {
        w->walk.pitch = lower_index_param(p, TSR_PARAM_PITCH, t, l, -1);
        w->walk.low = lower_index_param(p, TSR_PARAM_LOW, t, l, -1);
        w->walk.nparents =
            l > 0 ? lower_index_param(p, TSR_PARAM_NPOS, t, l - 1, -1) : tsr_ir_index(p->ir, 1);
    }
    for (int k = 0; k < TSR_LEVEL_NROLES && type->arrays[k].name; k++)
        w->walk.array[type->arrays[k].role] =
            lower_array_param(p, (tsr_param_role)(TSR_PARAM_POS + type->arrays[k].role), t, l);
}

const tsr_ir_expr *lower_first(lower_program *p, const tsr_nest *term, int from, int to, const tsr_ir_expr *q)
{
    lower_walk w;
    for (int l = from; l < to; l++) {
        const tsr_level_type *type = lower_level_type(p->plan, term, l);
        if (type->branchless || !type->walker->begin)
            continue;
        lower_walk_init(&w, p, term, l);
        q = type->walker->begin(&w.walk, q);
    }
    return q;
}

bool lower_is_uniform(const tsr_plan *plan, const tsr_nest *term, int from, int to)
{
    bool uniform = true, grouped = true;
    for (int l = from; l < to; l++) {
        const tsr_level_type *type = lower_level_type(plan, term, l);
        uniform = uniform && (type->branchless || type->is_uniform);
        grouped = grouped && (type->branchless || type->walker->begin);
    }
    return uniform || !grouped; /* positions that are not neighbours are not counted */
}
