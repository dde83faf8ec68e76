/* The interval of the result's rows that a share of a term touches: a private copy of the result is cleared and added up
 * only there. A row is all elements of the result with one coordinate of the variable whose level is the outermost.
 *
 * One level of the driver determines the row, up to the part that other levels add (blocks, strips). If it is the first
 * level and dense, the share's positions give the interval; if it stores coordinates, the share looks for the least and
 * the greatest one: of all its positions, or where coordinates rise below each parent, of the first and the last child of each.
 * A first level of keys that interleave bits gives the interval of all keys that have the same leading bits as the first and
 * the last key of the share. */
#include "plan_state.h"
#include "tsr_checked.h"

/* PER_PARENT: elements of a copy that are cleared and added up in the time in which the ends of the children of one parent are
 * looked at (two cache lines); a coordinate counts as one element. LEAST: elements of a result that is worth it. */
enum { PER_PARENT = 8, LEAST = 256 };

/* The variable of the result's outermost level where the result is dense; -1: there is not one. */
static int row_var(const tsr_plan *plan)
{
    const tsr_binding *binding = plan->walk.operand[0].binding;
    int perm[TSR_MAX_LEVELS];
    if (plan->walk.pattern_tensor >= 0 || plan->walk.npositions < LEAST || binding->format->nlevels == 0 ||
        !tsr_format_is_permutation(binding->format, perm))
        return -1;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (!binding->format->levels[l].type->full || binding->base[l] != 0 ||
            binding->pitch[l] != binding->size[l])
            return -1;
    return plan->notation->result->index[perm[0]];
}

/* Split the coordinate of mode m into the digit with the largest unit, *unit * (coordinate of *level), and the rest, which is
 * less than a unit. False: it is not such a sum. */
static bool split_coordinate(int *level, int64_t *unit, const tsr_binding *binding, int m)
{
    tsr_digit digit[TSR_MAX_LEVELS];
    int64_t constant;
    uint64_t rest = 0;
    const int n = tsr_map_result_digits(digit, TSR_MAX_LEVELS, &constant, binding->inverse, m);
    int top = 0;
    if (n < 1 || constant != 0)
        return false;
    for (int i = 0; i < n; i++) {
        if (digit[i].k <= 0 || digit[i].div != 1 || digit[i].mod != 0 || binding->base[digit[i].dim] != 0)
            return false;
        top = digit[i].k > digit[top].k ? i : top;
    }
    for (int i = 0; i < n; i++) {
        uint64_t most;
        if (i != top && (!tsr_mul_u64(&most, (uint64_t)digit[i].k, binding->size[digit[i].dim] - 1) ||
                         !tsr_add_u64(&rest, rest, most)))
            return false;
    }
    *level = digit[top].dim;
    *unit = digit[top].k;
    return rest < (uint64_t)*unit;
}

/* Whether the positions at depth `to` below neighbours at depth `from` are neighbours. */
static bool is_grouped(const tsr_format *format, int from, int to)
{
    for (int l = from; l < to; l++)
        if (!format->levels[l].type->branchless && !format->levels[l].type->is_grouped)
            return false;
    return true;
}

tsr_plan_interval plan_find_interval(const tsr_plan *plan, const tsr_nest *term)
{
    tsr_plan_interval s = {.how = TSR_INTERVAL_NONE, .var = row_var(plan)};
    const int v = s.var;
    if (v < 0)
        return s;
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    tsr_bit_move move[TSR_PLAN_MOVES];
    const int m = tsr_nest_binding_mode(term, v);
    if (m < 0 || tsr_expr_window(term->access, m))
        return s;
    if (tsr_plan_gathers(move, binding->inverse, m) == 1 && move[0].var == 0 &&
        tsr_level_is_list(binding->format->levels[0].type) && binding->base[0] == 0)
        return (tsr_plan_interval){.how = TSR_INTERVAL_BY_KEYS, .var = v, .unit = 1};
    if (!split_coordinate(&s.level, &s.unit, binding, m) ||
        !is_grouped(binding->format, term->share.level + 1, s.level + 1))
        return s;
    const tsr_level_spec *spec = &binding->format->levels[s.level];
    const uint64_t children = tsr_nest_known_positions(plan, term, s.level + 1),
                   parents = tsr_nest_known_positions(plan, term, s.level);
    const bool is_list = tsr_level_is_list(spec->type);
    if (spec->type->full)
        s.how = s.level == 0 && spec->pitch == 0 ? TSR_INTERVAL_BY_POSITIONS : TSR_INTERVAL_NONE;
    else if (is_list && parents > 0 && 2 * parents < children &&
             parents <= plan->walk.npositions / PER_PARENT && term->share.level < s.level)
        s.how = TSR_INTERVAL_BY_PARENTS;
    else if ((tsr_level_lists(spec->type) || (spec->type->branchless && spec->type->can_append)) &&
             tsr_level_has(spec->type, TSR_LEVEL_CRD) && children > 0 && children <= plan->walk.npositions)
        s.how = TSR_INTERVAL_BY_CHILDREN;
    return s;
}

/* The number of the key's `n` highest bits that belong to mode m. */
static int count_high_bits(const tsr_binding *binding, int m, int n)
{
    tsr_bit_move move[TSR_PLAN_MOVES];
    int nbits = 0, found = 0;
    for (uint64_t v = binding->size[0] - 1; v > 0; v >>= 1)
        nbits++;
    if (tsr_plan_gathers(move, binding->inverse, m) != 1)
        return 0;
    for (int b = nbits - 1; b >= 0 && b >= nbits - n; b--)
        found += (int)(move[0].from >> b & 1);
    return found;
}

/* The elements of all copies whose intervals come from keys. Of threads with equal parts of the entries one has keys that
 * differ in the highest bit, two have keys that differ in the second one, four in the third, and so on. */
static uint64_t count_by_keys(const tsr_plan *plan, const tsr_binding *binding, int m)
{
    uint64_t sum = 0;
    int left = plan->target.nthreads;
    for (int equal = 0; left > 0; equal++) {
        const int n = left < 1 << equal ? left : 1 << equal;
        uint64_t all;
        if (!tsr_mul_u64(&all, plan->walk.npositions >> count_high_bits(binding, m, equal), (uint64_t)n) ||
            !tsr_add_u64(&sum, sum, all))
            return UINT64_MAX;
        left -= n;
    }
    return sum;
}

uint64_t plan_copied_elements(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_plan_interval s = term->share.interval;
    const uint64_t nthreads = (uint64_t)plan->target.nthreads;
    uint64_t n = 0, shared = 0;
    if (s.how == TSR_INTERVAL_BY_KEYS)
        return count_by_keys(plan, plan->walk.operand[term->driver].binding,
                             tsr_nest_binding_mode(term, s.var));
    if (s.how == TSR_INTERVAL_BY_POSITIONS) { /* neighbours share the rows of one position */
        const uint64_t row = plan->walk.npositions / plan->size[s.var];
        if (tsr_mul_u64(&shared, row, (uint64_t)s.unit) && tsr_mul_u64(&shared, shared, nthreads) &&
            tsr_add_u64(&n, plan->walk.npositions, shared) && n / nthreads <= plan->walk.npositions)
            return n;
    }
    return tsr_mul_u64(&n, plan->walk.npositions, nthreads) ? n : UINT64_MAX;
}
