/* The interval of the result's rows that a share of a term touches: a private copy of the result is cleared and added up
 * only there. A row is all elements of the result with one coordinate of the variable whose level is the outermost.
 *
 * One level of the driver determines the row, up to the part that other levels add (blocks, strips). If it is the first
 * level and dense, the share's positions give the interval; if it stores coordinates, the share looks for the least and
 * the greatest one: of all its positions, or where coordinates rise below each parent, of the first and the last child of each.
 * A first level of keys that interleave bits gives the interval of all keys that have the same leading bits as the first and
 * the last key of the share. */
#include "lower_internal.h"

#include "tsr_checked.h"

/* PER_PARENT: elements of a copy that are cleared and added up in the time in which the ends of the children of one parent are
 * looked at (two cache lines); a coordinate counts as one element. LEAST: elements of a result that is worth it. */
enum { PER_PARENT = 8, LEAST = 256 };

/* The level of the driver that determines the rows, the number of rows for each of its coordinates, and how the interval is
 * found. */
typedef struct source {
    int level;
    int64_t unit;
    enum { NOT_FOUND, BY_POSITIONS, BY_CHILDREN, BY_PARENTS, BY_KEYS } how;
} source;

/* The variable of the result's outermost level where the result is dense; -1: there is not one. */
static int row_var(const lower_graph *graph)
{
    const tsr_binding *binding = graph->operands[0].binding;
    int perm[TSR_MAX_LEVELS];
    if (graph->pattern_tensor >= 0 || graph->npositions < LEAST || binding->format->nlevels == 0 ||
        !tsr_format_is_permutation(binding->format, perm))
        return -1;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (!binding->format->levels[l].type->full || binding->base[l] != 0 ||
            binding->pitch[l] != binding->size[l])
            return -1;
    return graph->notation->result->index[perm[0]];
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
        if (!format->levels[l].type->branchless && !format->levels[l].type->walker->begin)
            return false;
    return true;
}

static source find_source(const lower_graph *graph, const lower_term *term)
{
    source s = {.how = NOT_FOUND};
    const int v = row_var(graph);
    if (v < 0 || term->cut < 1 || term->driver < 0)
        return s;
    const tsr_binding *binding = graph->operands[term->driver].binding;
    tsr_bit_move move[LOWER_MOVES];
    const int m = lower_binding_mode(term, v);
    if (m < 0)
        return s;
    if (lower_gathers(move, binding->inverse, m) == 1 && move[0].var == 0 &&
        tsr_level_is_list(binding->format->levels[0].type) && binding->base[0] == 0)
        return (source){0, 1, BY_KEYS};
    if (!split_coordinate(&s.level, &s.unit, binding, m) ||
        !is_grouped(binding->format, term->cut, s.level + 1))
        return s;
    const tsr_level_spec *spec = &binding->format->levels[s.level];
    const uint64_t children = lower_known_positions(graph, term, s.level + 1),
                   parents = lower_known_positions(graph, term, s.level);
    const bool is_list = tsr_level_is_list(spec->type);
    if (spec->type->full)
        s.how = s.level == 0 && spec->pitch == 0 ? BY_POSITIONS : NOT_FOUND;
    else if (is_list && parents > 0 && 2 * parents < children && parents <= graph->npositions / PER_PARENT &&
             term->cut <= s.level)
        s.how = BY_PARENTS;
    else if ((tsr_level_lists(spec->type) || (spec->type->branchless && spec->type->can_append)) &&
             tsr_level_has(spec->type, TSR_LEVEL_CRD) && children > 0 && children <= graph->npositions)
        s.how = BY_CHILDREN;
    return s;
}

/* The number of the key's `n` highest bits that belong to mode m. */
static int count_high_bits(const tsr_binding *binding, int m, int n)
{
    tsr_bit_move move[LOWER_MOVES];
    int nbits = 0, found = 0;
    for (uint64_t v = binding->size[0] - 1; v > 0; v >>= 1)
        nbits++;
    if (lower_gathers(move, binding->inverse, m) != 1)
        return 0;
    for (int b = nbits - 1; b >= 0 && b >= nbits - n; b--)
        found += (int)(move[0].from >> b & 1);
    return found;
}

/* The elements of all copies whose intervals come from keys. Of threads with equal parts of the entries one has keys that
 * differ in the highest bit, two have keys that differ in the second one, four in the third, and so on. */
static uint64_t count_by_keys(const lower_graph *graph, const tsr_binding *binding, int m)
{
    uint64_t sum = 0;
    int left = graph->nthreads;
    for (int equal = 0; left > 0; equal++) {
        const int n = left < 1 << equal ? left : 1 << equal;
        uint64_t all;
        if (!tsr_mul_u64(&all, graph->npositions >> count_high_bits(binding, m, equal), (uint64_t)n) ||
            !tsr_add_u64(&sum, sum, all))
            return UINT64_MAX;
        left -= n;
    }
    return sum;
}

uint64_t lower_copied_elements(const lower_graph *graph, const lower_term *term)
{
    const source s = find_source(graph, term);
    const uint64_t nthreads = (uint64_t)graph->nthreads;
    uint64_t n = 0, shared = 0;
    if (s.how == BY_KEYS)
        return count_by_keys(graph, graph->operands[term->driver].binding,
                             lower_binding_mode(term, row_var(graph)));
    if (s.how == BY_POSITIONS) { /* neighbours share the rows of one position */
        const uint64_t row = graph->npositions / graph->size[row_var(graph)];
        if (tsr_mul_u64(&shared, row, (uint64_t)s.unit) && tsr_mul_u64(&shared, shared, nthreads) &&
            tsr_add_u64(&n, graph->npositions, shared) && n / nthreads <= graph->npositions)
            return n;
    }
    return tsr_mul_u64(&n, graph->npositions, nthreads) ? n : UINT64_MAX;
}

bool lower_has_interval(const lower_graph *graph, const lower_term *term)
{
    return find_source(graph, term).how != NOT_FOUND;
}

/* The share's position, the first or the end, at depth `to`. */
static const tsr_ir_expr *share_position(lower_program *p, const lower_term *term,
                                         const tsr_ir_expr *const *at, int to)
{
    return to < term->cut ? at[to] : lower_first(p, term, term->cut, to, at[term->cut]);
}

/* Coordinates in [*lo, *hi): variables that coordinates widen. */
static void widen(lower_program *p, const tsr_ir_array *crd, const tsr_ir_expr *first,
                  const tsr_ir_expr *last, const tsr_ir_expr *lo, const tsr_ir_expr *hi)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    tsr_ir_assign(ir, lo, tsr_ir_op2(ir, TSR_IR_MIN, lo, tsr_ir_load_index(ir, crd, first)), false);
    tsr_ir_assign(
        ir, hi, tsr_ir_op2(ir, TSR_IR_MAX, hi, tsr_ir_add(ir, tsr_ir_load_index(ir, crd, last), one)), false);
}

static void scan_children(lower_program *p, const tsr_ir_array *crd, tsr_ir_range in, tsr_ir_range found)
{
    const tsr_ir_expr *q = tsr_ir_for(p->ir, "q", in.lo, in.hi, 0);
    widen(p, crd, q, q, found.lo, found.hi);
    tsr_ir_end(p->ir);
}

static void scan_parents(lower_program *p, const lower_term *term, int l, const lower_share *share,
                         tsr_ir_range found)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_ir_array *crd = lower_array_param(p, TSR_PARAM_CRD, term->driver, l);
    const tsr_ir_expr *q =
        tsr_ir_for(ir, "q", share_position(p, term, share->lo, l), share_position(p, term, share->hi, l), 0);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    const tsr_ir_expr *first = tsr_ir_declare(ir, "child", lower_first(p, term, l, l + 1, q), false);
    const tsr_ir_expr *end =
        tsr_ir_declare(ir, "child_end", lower_first(p, term, l, l + 1, tsr_ir_add(ir, q, one)), false);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, first, end));
    widen(p, crd, first, tsr_ir_sub(ir, end, one), found.lo, found.hi);
    tsr_ir_end(ir);
    tsr_ir_end(ir);
}

/* The rows of all keys that have the same leading bits as the keys of positions in.lo and in.hi - 1. */
static void span_keys(lower_program *p, const lower_term *term, int m, tsr_ir_range in, tsr_ir_range found)
{
    tsr_ir_builder *ir = p->ir;
    const tsr_binding *binding = p->graph->operands[term->driver].binding;
    const tsr_ir_array *crd = lower_array_param(p, TSR_PARAM_CRD, term->driver, 0);
    const tsr_ir_expr *one = tsr_ir_index(ir, 1), *two = tsr_ir_index(ir, 2), *bound[2];
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, in.lo, in.hi));
    const tsr_ir_expr *first = tsr_ir_declare(ir, "key", tsr_ir_load_index(ir, crd, in.lo), true);
    const tsr_ir_expr *last =
        tsr_ir_declare(ir, "last_key", tsr_ir_load_index(ir, crd, tsr_ir_sub(ir, in.hi, one)), true);
    const tsr_ir_expr *span = tsr_ir_declare(ir, "span", one, true);
    tsr_ir_while(ir, tsr_ir_op2(ir, TSR_IR_NE, first, last));
    tsr_ir_assign(ir, first, tsr_ir_op2(ir, TSR_IR_FLOORDIV, first, two), false);
    tsr_ir_assign(ir, last, tsr_ir_op2(ir, TSR_IR_FLOORDIV, last, two), false);
    tsr_ir_assign(ir, span, tsr_ir_mul(ir, span, two), false);
    tsr_ir_end(ir);
    bound[0] = tsr_ir_mul(ir, first, span);
    bound[1] = tsr_ir_add(ir, bound[0], tsr_ir_sub(ir, span, one));
    tsr_ir_assign(ir, found.lo, lower_map_result(p, binding->inverse, m, &bound[0]), false);
    tsr_ir_assign(ir, found.hi, tsr_ir_add(ir, lower_map_result(p, binding->inverse, m, &bound[1]), one),
                  false);
    tsr_ir_end(ir);
}

tsr_ir_range lower_interval(lower_program *p, const lower_term *term, const lower_share *share)
{
    tsr_ir_builder *ir = p->ir;
    const source s = find_source(p->graph, term);
    const int v = row_var(p->graph);
    const tsr_ir_expr *unit = tsr_ir_index(ir, s.unit), *size = lower_size(p, v);
    const tsr_ir_expr *row = lower_npositions(p, p->graph->notation->result, 1, tsr_ir_index(ir, 1));
    const int depth = s.level + 1;
    tsr_ir_range in = {NULL, NULL}, found;
    if (s.how != BY_PARENTS) {
        in.lo = tsr_ir_declare(ir, "from", share_position(p, term, share->lo, depth), false);
        in.hi = tsr_ir_declare(ir, "to", share_position(p, term, share->hi, depth), false);
    }
    if (s.how == BY_POSITIONS) {
        found = in;
    } else {
        found.lo = tsr_ir_declare(ir, "least", size, true);
        found.hi = tsr_ir_declare(ir, "most", tsr_ir_index(ir, 0), true);
        if (s.how == BY_CHILDREN)
            scan_children(p, lower_array_param(p, TSR_PARAM_CRD, term->driver, s.level), in, found);
        else if (s.how == BY_PARENTS)
            scan_parents(p, term, s.level, share, found);
        else
            span_keys(p, term, lower_binding_mode(term, v), in, found);
    }
    const tsr_ir_expr *lo = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_mul(ir, found.lo, unit), size);
    const tsr_ir_expr *hi = tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_mul(ir, found.hi, unit), size);
    lo = tsr_ir_declare(ir, "touched", tsr_ir_mul(ir, lo, row), false);
    hi = tsr_ir_op2(ir, TSR_IR_MAX, tsr_ir_mul(ir, hi, row), lo);
    return (tsr_ir_range){lo, tsr_ir_declare(ir, "touched_end", hi, false)};
}
