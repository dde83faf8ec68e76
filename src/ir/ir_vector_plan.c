/* Decides which loops become vectors, and which arrays become variables. */
#include "ir_vector.h"

/* ---- expressions ---- */

bool vector_varies(const vector_plan *plan, const tsr_ir_expr *x)
{
    if (x->op == TSR_IR_VAR)
        return plan->vary[x->var->number] != VARY_NOT;
    for (int i = 0; i < ir_op_nargs(x->op); i++)
        if (vector_varies(plan, x->arg[i]))
            return true;
    return false;
}

/* 1: x is the variable of the loop plus an invariant; 0: x is invariant; -1: anything else. */
static int step_of(const vector_plan *plan, const tsr_ir_expr *x)
{
    if (!vector_varies(plan, x))
        return 0;
    if (x->op == TSR_IR_VAR)
        return plan->vary[x->var->number] == VARY_STEP ? 1 : -1;
    if (x->op != TSR_IR_ADD && x->op != TSR_IR_SUB)
        return -1;
    const int left = step_of(plan, x->arg[0]), right = step_of(plan, x->arg[1]);
    if (left < 0 || right < 0 || left + right != 1)
        return -1;
    return x->op == TSR_IR_SUB && right ? -1 : 1;
}

/* Whether x is an index that was loaded from a list at the variable of the loop plus an invariant. */
static bool is_list_var(const vector_plan *plan, const tsr_ir_expr *x)
{
    return x->op == TSR_IR_VAR && plan->vary[x->var->number] == VARY_LIST;
}

bool vector_is_pick(const vector_plan *plan, const tsr_ir_expr *x, const tsr_ir_var **list,
                    const tsr_ir_expr **bound)
{
    if (x->op != TSR_IR_LOAD || x->array->is_index || x->array->elem != x->type.type ||
        x->arg[0]->op != TSR_IR_MIN)
        return false;
    const tsr_ir_expr *a = x->arg[0]->arg[0], *b = x->arg[0]->arg[1];
    *list = a->var;
    *bound = b;
    return is_list_var(plan, a) && !vector_varies(plan, b);
}

bool vector_is_below(const vector_plan *plan, const tsr_ir_expr *x, const tsr_ir_var **list,
                     const tsr_ir_expr **bound)
{
    if (x->op != TSR_IR_LT || x->arg[0]->type.kind != TSR_IR_IS_INDEX)
        return false;
    *list = x->arg[0]->var;
    *bound = x->arg[1];
    return is_list_var(plan, x->arg[0]) && !vector_varies(plan, x->arg[1]);
}

static bool is_lane_type(tsr_type type)
{
    return tsr_type_class(type) != 'C' && tsr_type_class(type) != 'P';
}

static void widen_to(size_t *widest, tsr_type type)
{
    const size_t nbytes = tsr_type_nbytes(type);
    *widest = nbytes > *widest ? nbytes : *widest;
}

/* Whether x, which varies, can be computed in lanes. */
static bool fits_lanes(const vector_plan *plan, const tsr_ir_expr *x, size_t *widest);

/* The same for an operand, which may be invariant: then it is computed once and splat. */
static bool operand_fits(const vector_plan *plan, const tsr_ir_expr *x, size_t *widest)
{
    if (x->type.lanes > 1)
        return false;
    return !vector_varies(plan, x) || fits_lanes(plan, x, widest);
}

static bool operands_fit(const vector_plan *plan, const tsr_ir_expr *x, size_t *widest)
{
    for (int i = 0; i < ir_op_nargs(x->op); i++)
        if (!operand_fits(plan, x->arg[i], widest))
            return false;
    return true;
}

/* Whether a condition can be computed by lane: it must compare values as wide as those that it selects. */
static bool condition_fits(const vector_plan *plan, const tsr_ir_expr *c, tsr_type type)
{
    if (!vector_varies(plan, c))
        return true;
    const tsr_ir_var *list;
    const tsr_ir_expr *bound;
    if (vector_is_below(plan, c, &list, &bound))
        return true;
    if (c->op == TSR_IR_NOT)
        c = c->arg[0];
    return ir_op_kind(c->op) == 'C' && c->arg[0]->type.type == type;
}

static bool fits_lanes(const vector_plan *plan, const tsr_ir_expr *x, size_t *widest)
{
    const bool is_bool = x->type.kind == TSR_IR_IS_BOOL;
    const tsr_ir_var *list;
    const tsr_ir_expr *bound;
    if (x->type.kind == TSR_IR_IS_INDEX || (!is_bool && !is_lane_type(x->type.type)))
        return false;
    if (!is_bool)
        widen_to(widest, x->type.type);
    switch (x->op) {
    case TSR_IR_VAR:
        return !is_bool;
    case TSR_IR_LOAD:
        widen_to(widest, x->array->elem);
        if (vector_is_pick(plan, x, &list, &bound))
            return is_lane_type(x->array->elem);
        return !x->array->is_index && is_lane_type(x->array->elem) && step_of(plan, x->arg[0]) == 1;
    case TSR_IR_DIV: /* integer division checks each lane for 0 */
        return tsr_type_class(x->type.type) == 'R' && operands_fit(plan, x, widest);
    case TSR_IR_EQ:
    case TSR_IR_NE:
    case TSR_IR_LT:
    case TSR_IR_LE:
        return ir_is_value(x->arg[0]->type) && operands_fit(plan, x, widest);
    case TSR_IR_CALL:
        return false;
    case TSR_IR_AND:
    case TSR_IR_OR: /* (the booleans may come from values of different widths) */
        return false;
    case TSR_IR_SELECT:
        return !is_bool && condition_fits(plan, x->arg[0], x->type.type) &&
               (vector_is_below(plan, x->arg[0], &list, &bound) || operand_fits(plan, x->arg[0], widest)) &&
               operand_fits(plan, x->arg[1], widest) && operand_fits(plan, x->arg[2], widest);
    default:
        return operands_fit(plan, x, widest);
    }
}

static bool is_read(void *var, const tsr_ir_stmt *s)
{
    return tsr_ir_stmt_reads(s, var) || (s->kind == TSR_IR_ASSIGN && s->var == var && !s->add);
}

bool vector_reads(const tsr_ir_stmt *s, const tsr_ir_stmt *last, const tsr_ir_var *var)
{
    return tsr_ir_any_stmt(s, last, is_read, (void *)(uintptr_t)var);
}

/* ---- loops ---- */

static bool declaration_fits(vector_plan *plan, const tsr_ir_stmt *s, size_t *widest)
{
    if (s->var->is_mutable || s->var->type.lanes > 1)
        return false;
    unsigned char *v = &plan->vary[s->var->number];
    if (!vector_varies(plan, s->expr)) {
        *v = VARY_NOT;
        return true;
    }
    const tsr_ir_expr *x = s->expr;
    if (x->op == TSR_IR_LOAD && ir_is_list(x->array) && step_of(plan, x->arg[0]) == 1) {
        *v = VARY_LIST;
        return true;
    }
    *v = s->var->type.kind == TSR_IR_IS_INDEX ? VARY_STEP : VARY_VALUE;
    return *v == VARY_STEP ? step_of(plan, s->expr) == 1
                           : ir_is_value(s->var->type) && fits_lanes(plan, s->expr, widest);
}

static bool stmt_fits(vector_plan *plan, const tsr_ir_stmt *loop, const tsr_ir_stmt *s, size_t *widest)
{
    switch (s->kind) {
    case TSR_IR_DECLARE:
        return declaration_fits(plan, s, widest);
    case TSR_IR_STORE:
        widen_to(widest, s->array->elem);
        return !s->atomic && !s->array->is_index && is_lane_type(s->array->elem) &&
               step_of(plan, s->index) == 1 && operand_fits(plan, s->expr, widest);
    case TSR_IR_ASSIGN:
        if (!s->add || !ir_is_value(s->var->type) || s->var->type.lanes > 1 ||
            !is_lane_type(s->var->type.type) || vector_reads(loop->body.first, NULL, s->var))
            return false;
        widen_to(widest, s->var->type.type);
        return operand_fits(plan, s->expr, widest);
    case TSR_IR_PREFETCH:
        return step_of(plan, s->index) >= 0;
    default:
        return s->kind == TSR_IR_COMMENT;
    }
}

/* Whether the loop, of any length, only fills arrays with an invariant: compilers handle that well. */
static bool only_fills(const vector_plan *plan, const tsr_ir_stmt *loop)
{
    if (loop->lo->op == TSR_IR_INDEX && loop->hi->op == TSR_IR_INDEX)
        return false;
    for (const tsr_ir_stmt *s = loop->body.first; s; s = s->next)
        if (s->kind == TSR_IR_ASSIGN || (s->kind == TSR_IR_STORE && (s->add || vector_varies(plan, s->expr))))
            return false;
    return true;
}

static bool is_fit(vector_plan *plan, const tsr_ir_stmt *loop, size_t *widest)
{
    if (!plan->nbytes || loop->kind != TSR_IR_FOR || !(loop->marks & TSR_IR_VECTOR) ||
        loop->marks & TSR_IR_PARALLEL)
        return false;
    plan->vary[loop->var->number] = VARY_STEP;
    bool fit = true;
    for (const tsr_ir_stmt *s = loop->body.first; s && fit; s = s->next)
        fit = stmt_fits(plan, loop, s, widest);
    if (fit && !only_fills(plan, loop))
        return true;
    plan->vary[loop->var->number] = VARY_NOT;
    for (const tsr_ir_stmt *s = loop->body.first; s; s = s->next)
        if (s->kind == TSR_IR_DECLARE)
            plan->vary[s->var->number] = VARY_NOT;
    return false;
}

bool vector_is_fit(vector_plan *plan, const tsr_ir_stmt *loop)
{
    size_t widest = 0;
    return is_fit(plan, loop, &widest);
}

int64_t vector_unrolled(const vector_plan *plan, const tsr_ir_stmt *loop)
{
    if (loop->lo->op != TSR_IR_INDEX || loop->hi->op != TSR_IR_INDEX)
        return -1;
    const int64_t lo = loop->lo->index, hi = loop->hi->index;
    if (hi <= lo)
        return 0;
    const uint64_t n = (uint64_t)hi - (uint64_t)lo;
    return n <= (uint64_t)(plan->lanes * VECTOR_MAX_UNROLLED) ? (int64_t)n : -1;
}

int vector_pieces(const vector_plan *plan, int64_t n, int *lanes)
{
    int npieces = 0;
    for (int size = plan->lanes; n > 0; size = size > plan->least ? size / 2 : 1)
        for (; n >= size; n -= size)
            lanes[npieces++] = size;
    return npieces;
}

/* ---- arrays ---- */

/* The uses of the array by loads in x: at the variable of the fit loop over the array's length (at; NULL: no
 * such loop), or elsewhere. */
typedef struct seen {
    const tsr_ir_array *array;
    const tsr_ir_var *at;
    int found;
} seen;

static bool is_at(const seen *u, const tsr_ir_expr *index, const tsr_ir_expr *x)
{
    return u->at && index->op == TSR_IR_VAR && index->var == u->at && x->type.lanes == 1;
}

static bool see_load(void *arg, const tsr_ir_expr *x)
{
    seen *const u = arg;
    if (x->op == TSR_IR_LOAD && x->array == u->array)
        u->found |= is_at(u, x->arg[0], x) ? USE_LOAD : USE_ELSEWHERE;
    return false;
}

static int stmt_uses(const tsr_ir_stmt *s, const tsr_ir_array *array, const tsr_ir_var *at)
{
    seen u = {array, at, s->kind == TSR_IR_PREFETCH && s->array == array ? USE_BLOCKS : 0};
    tsr_ir_any_of(s, see_load, &u);
    if (s->kind == TSR_IR_STORE && s->array == array)
        u.found |= is_at(&u, s->index, s->expr) ? USE_STORE : USE_BLOCKS;
    return u.found;
}

static int block_uses(vector_plan *plan, const tsr_ir_block *block, const tsr_ir_array *array,
                      const tsr_ir_var *at)
{
    int uses = 0;
    for (const tsr_ir_stmt *s = block->first; s; s = s->next)
        uses |= at ? stmt_uses(s, array, at) : vector_uses(plan, s, array);
    return uses;
}

int vector_uses(vector_plan *plan, const tsr_ir_stmt *s, const tsr_ir_array *array)
{
    const tsr_ir_var *at = NULL;
    if (s->kind == TSR_IR_FOR && ir_is_index(s->lo, 0) && vector_is_fit(plan, s) &&
        vector_unrolled(plan, s) == array->length->index)
        at = s->var;
    int uses = stmt_uses(s, array, NULL);
    uses |= block_uses(plan, &s->body, array, at) | block_uses(plan, &s->other, array, NULL);
    /* if a parallel loop does not declare the array, all its iterations share it */
    const bool is_shared = s->kind == TSR_IR_FOR && s->marks & TSR_IR_PARALLEL;
    return is_shared && uses ? uses | USE_BLOCKS : uses;
}

/* Whether the array can be written to memory before each statement that loads from it; such a statement must
 * not change the array. */
static bool can_write_back(vector_plan *plan, const tsr_ir_block *block, const tsr_ir_array *array)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        const int uses = vector_uses(plan, s, array);
        if (!(uses & USE_ELSEWHERE) || !(uses & USE_STORE))
            continue;
        const bool is_whole = s->kind == TSR_IR_FOR && vector_is_fit(plan, s);
        if (is_whole || stmt_uses(s, array, NULL) & USE_ELSEWHERE || !can_write_back(plan, &s->body, array) ||
            !can_write_back(plan, &s->other, array))
            return false;
    }
    return true;
}

/* Decide for the arrays declared in this block. */
static void plan_arrays(vector_plan *plan, const tsr_ir_block *block)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        plan_arrays(plan, &s->body);
        plan_arrays(plan, &s->other);
        if (s->kind != TSR_IR_ARRAY || s->array->place != TSR_IR_LOCAL || s->array->is_index ||
            !is_lane_type(s->array->elem) || s->array->length->index > plan->lanes * VECTOR_MAX_UNROLLED)
            continue;
        const tsr_ir_block after = {s->next, block->last};
        const int uses = block_uses(plan, &after, s->array, NULL);
        if (uses & USE_STORE && !(uses & USE_BLOCKS) && can_write_back(plan, &after, s->array))
            plan->in_vars[s->array->number] = uses & USE_ELSEWHERE ? 2 : 1;
    }
}

/* ---- the plan ---- */

static void find_widest(vector_plan *plan, const tsr_ir_block *block, size_t *widest)
{
    for (const tsr_ir_stmt *s = block->first; s; s = s->next) {
        size_t here = 0;
        if (s->kind == TSR_IR_FOR && is_fit(plan, s, &here))
            *widest = here > *widest ? here : *widest;
        find_widest(plan, &s->body, widest);
        find_widest(plan, &s->other, widest);
    }
}

void vector_make_plan(vector_plan *plan)
{
    size_t widest = 1;
    find_widest(plan, &plan->ir->body, &widest);
    plan->lanes = plan->nbytes / (int)widest;
    plan->least = VECTOR_MIN_NBYTES / (int)widest;
    plan_arrays(plan, &plan->ir->body);
}
