/* The iteration graph: for each term the driver, and the depths at which each factor is multiplied, each sum
 * is finished, and the result is added to.
 *
 * A factor becomes known at the depth where the last of its driver variables becomes known. Factors known at
 * or above the depth `store`, where the result is added to, multiply the sum that is added there (prefix
 * products); a factor known below `store` multiplies the sum over everything below its own depth. A dense
 * variable is summed at the least depth where one of its factors is multiplied, or at `store`. Sums that
 * depend on dense variables are local arrays; where such an array would be too large, factors are multiplied
 * at a deeper depth instead, so that the array is not needed. Integer terms with a division are multiplied
 * and divided in the innermost loop, in the order of the text, since integer division is not distributive. */
#include "lower_internal.h"

#include <math.h>
#include <string.h>

#include "tsr_checked.h"

enum { OPEN_BLOCK_NBYTES = 128 }; /* two cache lines */

static bool is_dense(const lower_graph *graph, int tensor)
{
    return tsr_format_is_dense(graph->operands[tensor].binding->format);
}

/* The number of coordinates of v that one run of the nest covers. */
static uint64_t extent(const lower_graph *graph, int v)
{
    const uint64_t block = graph->schedule.block[v], size = graph->size[v];
    return block && block < size ? block : size;
}

/* The elements of a local array over these axes; at most UINT64_MAX. */
static uint64_t nelements(const lower_graph *graph, const lower_term *term, uint64_t axes)
{
    uint64_t n = 1;
    for (int v = 0; v < LOWER_MAX_AXES; v++) {
        if (!lower_has(axes, v))
            continue;
        const int l = v - LOWER_LEVEL_AXIS;
        if (!tsr_mul_u64(&n, n, l < 0 ? extent(graph, v) : graph->operands[term->driver].binding->size[l]))
            return UINT64_MAX;
    }
    return n;
}

static uint32_t free_vars(const lower_graph *graph)
{
    return (uint32_t)(((uint64_t)1 << graph->notation->nfree) - 1);
}

/* ---- operands ---- */

/* Types of a higher rank hold the values of types of a lower rank: pattern, integer, real, complex. */
static int rank(tsr_type type)
{
    switch (tsr_type_class(type)) {
    case 'P':
        return 0;
    case 'C':
        return 3;
    case 'R':
        return 2;
    default:
        return 1;
    }
}

static tsr_status check_numbers(const lower_graph *graph, const tsr_expr *expr, tsr_error *err)
{
    if (!expr)
        return TSR_OK;
    if (expr->kind == TSR_EXPR_NUMBER && graph->is_integer &&
        !(expr->number == floor(expr->number) && fabs(expr->number) <= 0x1p53))
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, expr->col,
                           "%s is not representable in the result type %s", expr->spelling,
                           tsr_type_name(graph->type));
    TSR_TRY(check_numbers(graph, expr->a, err));
    return check_numbers(graph, expr->b, err);
}

static tsr_status check_types(const lower_graph *graph, tsr_error *err)
{
    const tsr_notation_tensor *tensor = graph->notation->tensor;
    if (graph->type == TSR_PATTERN)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the result %s has type pattern, which does not hold values: use a type with values",
                        tensor[0].name);
    for (int t = 1; t < graph->notation->ntensors; t++)
        if (rank(graph->operands[t].type) > rank(graph->type))
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "%s has type %s, and the result %s has type %s, which cannot hold these values",
                            tensor[t].name, tsr_type_name(graph->operands[t].type), tensor[0].name,
                            tsr_type_name(graph->type));
    return check_numbers(graph, graph->notation->rhs, err);
}

/* The positions of a dense result; they must fit the index arithmetic of programs. */
static tsr_status result_positions(lower_graph *graph, tsr_error *err)
{
    const tsr_binding *binding = graph->operands[0].binding;
    graph->npositions = 1;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (!tsr_mul_u64(&graph->npositions, graph->npositions, binding->pitch[l]) ||
            graph->npositions > INT64_MAX / TSR_MAX_VALUE_NBYTES)
            return tsr_fail(err, TSR_LIMIT, "the dense result %s would have more than 2^59 positions",
                            graph->notation->tensor[0].name);
    return TSR_OK;
}

/* The deepest depth that is reached from `depth` without opening a loop. */
static int settle(const lower_graph *graph, const lower_term *term, int depth)
{
    const tsr_format *format = term->driver < 0 ? NULL : graph->operands[term->driver].binding->format;
    while (depth < term->nlevels && format->levels[depth].type->branchless)
        depth++;
    return depth;
}

static int depth_of_vars(const lower_term *term, uint32_t vars)
{
    int depth = 0;
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        if (lower_has(vars, v) && term->known[v] > depth)
            depth = term->known[v];
    return depth;
}

/* Fill in the factors of the term and the depths where they become known. */
static tsr_status term_factors(lower_graph *graph, lower_term *term, tsr_error *err)
{
    uint32_t bound = 0;
    const uint32_t vars = term->term->vars | free_vars(graph);
    for (int v = 0; v < graph->notation->nvars; v++) {
        bound |= (uint32_t)(term->known[v] >= 0) << v;
        term->empty = term->empty || (lower_has(vars, v) && graph->size[v] == 0);
    }
    term->dense = vars & ~bound;
    term->sum = term->term->sum & ~bound;
    term->nfactors = term->term->nfactors;
    term->factor =
        tsr_arena_alloc(&graph->arena, (size_t)(term->nfactors ? term->nfactors : 1) * sizeof *term->factor);
    if (!term->factor)
        return tsr_fail(err, TSR_NOMEM, "out of memory: an iteration graph");
    for (int i = 0; i < term->nfactors; i++) {
        lower_factor *f = &term->factor[i];
        f->expr = term->term->factor[i].expr;
        f->inverse = term->term->factor[i].inverse;
        f->dense = f->expr->vars & ~bound;
        f->is_driver =
            term->access && f->expr->kind == TSR_EXPR_ACCESS && tsr_expr_same_access(term->access, f->expr);
        f->depth = !f->is_driver                       ? depth_of_vars(term, f->expr->vars)
                   : graph->operands[term->driver].iso ? 0
                                                       : term->nlevels;
        f->depth = settle(graph, term, f->depth);
        term->divides = term->divides || f->inverse;
    }
    return TSR_OK;
}

/* ---- depths ---- */

/* The dense variables that may be axes of a local array. */
static uint32_t small_vars(const lower_graph *graph, const lower_term *term)
{
    uint32_t small = 0;
    for (int v = 0; v < graph->notation->nvars; v++)
        if (lower_has(term->dense, v) && extent(graph, v) > 0 && extent(graph, v) <= LOWER_LOCAL / 2)
            small |= (uint32_t)1 << v;
    while (nelements(graph, term, small) > LOWER_LOCAL) {
        int largest = -1;
        for (int v = 0; v < graph->notation->nvars; v++)
            if (lower_has(small, v) && (largest < 0 || extent(graph, v) > extent(graph, largest)))
                largest = v;
        small &= ~((uint32_t)1 << largest);
    }
    return small;
}

/* Where the factors with variable v are multiplied: the least and the largest depth. */
static void factor_range(int *least, int *most, const lower_term *term, int v)
{
    *least = term->nlevels;
    *most = 0;
    for (int i = 0; i < term->nfactors; i++) {
        const lower_factor *f = &term->factor[i];
        if (!lower_has(f->dense, v))
            continue;
        *least = f->at < *least ? f->at : *least;
        *most = f->at > *most ? f->at : *most;
    }
}

/* Move all factors that have one of these variables to the same depth, so that an array for a part of their
 * product is not needed. A factor with two of these variables joins the factors of both. */
static void gather_factors(const lower_graph *graph, lower_term *term, uint32_t vars)
{
    int least, most;
    for (bool moved = true; moved;) {
        moved = false;
        for (int v = 0; v < graph->notation->nvars; v++) {
            if (!lower_has(vars, v))
                continue;
            factor_range(&least, &most, term, v);
            for (int i = 0; i < term->nfactors && most > term->store; i++)
                if (lower_has(term->factor[i].dense, v) && term->factor[i].at < most) {
                    term->factor[i].at = most;
                    moved = true;
                }
        }
    }
}

/* Set the depths where factors are multiplied, sums are finished, and the result is added to, given
 * `out`. */
static void place_factors(const lower_graph *graph, lower_term *term)
{
    const uint32_t small = small_vars(graph, term), large = term->dense & ~small;
    int least, most;
    for (int i = 0; i < term->nfactors; i++)
        term->factor[i].at = graph->is_integer && term->divides ? term->nlevels : term->factor[i].depth;
    term->store = term->out;
    for (int v = 0; v < graph->notation->nvars; v++) {
        factor_range(&least, &most, term, v);
        if (lower_has(large & ~term->sum, v) && most > term->store)
            term->store = most;
    }
    gather_factors(graph, term, large & term->sum);
    for (int v = 0; v < graph->notation->nvars; v++) {
        if (!lower_has(term->sum, v))
            continue;
        factor_range(&least, &most, term, v);
        term->sum_depth[v] = lower_has(large, v) ? most : least;
        if (term->sum_depth[v] < term->store)
            term->sum_depth[v] = term->store;
    }
    for (int d = 0; d <= term->nlevels; d++) {
        term->carried[d] = 0;
        for (int i = 0; i < term->nfactors; i++)
            if (term->factor[i].at > d)
                term->carried[d] |= term->factor[i].dense;
        for (int v = 0; v < graph->notation->nvars; v++)
            if (lower_has(term->sum, v) && term->sum_depth[v] > d)
                term->carried[d] &= ~((uint64_t)1 << v);
        for (int l = d; l < term->nlevels; l++)
            if (lower_has(term->deferred, l))
                term->carried[d] |= (uint64_t)1 << (LOWER_LEVEL_AXIS + l);
    }
}

/* The levels that the result's place depends on. */
static uint32_t result_levels(const lower_graph *graph, const lower_term *term)
{
    uint32_t levels = 0;
    for (int m = 0; term->access && m < term->access->nindices; m++)
        if (lower_is_free(graph, term->mode[m].var))
            levels |= term->mode[m].levels;
    return levels;
}

/* Whether level l can be deferred: dense and short, and its padding can be clipped again. */
static bool can_defer(const lower_graph *graph, const lower_term *term, int l)
{
    const tsr_binding *binding = graph->operands[term->driver].binding;
    if (l < term->shared || !binding->format->levels[l].type->full || binding->size[l] > LOWER_LITERAL ||
        binding->size[l] == 0)
        return false;
    for (int m = 0; m < term->access->nindices; m++) {
        const lower_mode *mode = &term->mode[m];
        if (!mode->binds || ((mode->levels >> l & 1) && (mode->low || mode->high) && mode->clips < 0))
            return false;
    }
    for (int k = 0; k < term->nlevels; k++)
        if (term->level[k].check_depth >= 0)
            return false;
    return true;
}

/* The least depth where the elements of a sum over deferred levels are multiplied by a factor that may be
 * Inf or NaN; nlevels where there is not such a factor. */
static int multiplied_depth(const lower_term *term)
{
    int depth = term->nlevels;
    for (int i = 0; i < term->nfactors; i++) {
        const lower_factor *f = &term->factor[i];
        const bool is_finite = f->expr->kind == TSR_EXPR_NUMBER && !f->inverse;
        const int d = f->at < term->store ? term->store : f->at;
        if (!is_finite && d < depth && term->carried[d] >> LOWER_LEVEL_AXIS)
            depth = d;
    }
    return depth;
}

/* Whether elements of a sum to which nothing was added would be multiplied by a factor that may be Inf or
 * NaN. Where all entries of the driver are stored, such elements exist only where threads each have a part of
 * the sum; then term->whole is set, so that the cut is not below that depth. */
static bool multiplies_empty(const lower_graph *graph, lower_term *term)
{
    const int depth = multiplied_depth(term), v = graph->schedule.parallel_var - 1;
    if (depth == term->nlevels)
        return false;
    if (!is_dense(graph, term->driver) || graph->operands[term->driver].binding->may_pad)
        return true;
    if (graph->schedule.serial || graph->nthreads == 1)
        return false;
    term->whole = depth;
    return depth == 0 || (v >= 0 && term->known[v] > depth);
}

/* Blocks: where summed levels are between the levels that the result's place depends on, and the inner ones
 * of the latter are short and dense, the result is added to at a shallower depth, from local arrays over
 * these levels. */
static bool defer_levels(const lower_graph *graph, lower_term *term)
{
    const uint32_t levels = term->driver < 0 ? 0 : result_levels(graph, term);
    int out = term->shared, last = 0;
    uint32_t deferred = 0;
    for (int l = 0; l < term->nlevels; l++) {
        if (!lower_has(levels, l))
            continue;
        last = l;
        if (can_defer(graph, term, l)) {
            deferred |= (uint32_t)1 << l;
        } else {
            out = l + 1 > out ? l + 1 : out;
            deferred = 0;
        }
    }
    bool sums_between = false;
    for (int l = out; l < last; l++)
        sums_between = sums_between || !lower_has(levels, l);
    if (!deferred || !sums_between)
        return false;
    term->out = settle(graph, term, out);
    term->deferred = deferred;
    place_factors(graph, term);
    return term->store == term->out && !multiplies_empty(graph, term) &&
           nelements(graph, term, term->carried[term->store]) <= LOWER_LOCAL;
}

/* Set deferred, out, store and the depths of factors and sums. */
static void term_depths(const lower_graph *graph, lower_term *term)
{
    term->whole = term->nlevels;
    if (defer_levels(graph, term))
        return;
    term->deferred = 0;
    term->whole = term->nlevels;
    term->out = depth_of_vars(term, free_vars(graph));
    if (term->shared > term->out)
        term->out = term->shared;
    if (lower_has_runs(graph, term)) {
        place_factors(graph, term);
        term->run = term->store == term->out ? term->out : 0;
        if (term->run > 0)
            return;
    }
    term->out = settle(graph, term, term->out);
    place_factors(graph, term);
}

/* ---- the loops where the result is added to ---- */

/* Set the order of the axes at depth `store`. */
static void store_loops(const lower_graph *graph, lower_term *term)
{
    for (int l = 0; l < term->nlevels; l++)
        if (lower_has(term->deferred, l))
            term->order[term->norder++] = LOWER_LEVEL_AXIS + l;
    const int nlevels = term->norder;
    for (int v = 0; v < graph->notation->nvars; v++)
        if (lower_has(term->dense, v) && (!lower_has(term->sum, v) || term->sum_depth[v] == term->store))
            term->order[term->norder++] = v;
    lower_order_loops(graph, term, term->order + nlevels, term->norder - nlevels);
}

/* Whether, by depth `store`, the loops have skipped the positions of level l that the inverse map does not
 * produce or that give two different coordinates for one variable. */
static bool is_settled(const lower_term *term, int l)
{
    for (int m = 0; m < term->access->nindices; m++)
        if (term->level[l].modes >> m & 1 && !term->mode[m].binds && term->mode[m].depth > term->store)
            return false;
    return term->level[l].check_depth <= term->store;
}

/* Set distinct, once and covers: how often each element of the result is stored. */
static void count_stores(const lower_graph *graph, lower_term *term)
{
    const uint32_t freed = free_vars(graph);
    term->distinct = 0;
    while (term->distinct < term->nlevels) {
        const int l = term->distinct;
        const tsr_level_spec *spec = &graph->operands[term->driver].binding->format->levels[l];
        if (l >= term->shared && ((term->level[l].vars & ~freed) || spec->nonunique || !is_settled(term, l)))
            break;
        term->distinct++;
    }
    term->once = term->distinct >= term->store;
    bool summed = false; /* a summing loop encloses a loop over a free variable */
    for (int i = 0; i < term->norder; i++) {
        const bool sums = term->order[i] < LOWER_LEVEL_AXIS && lower_has(term->sum, term->order[i]);
        term->once = term->once && (sums || !summed);
        summed = summed || sums;
    }
    for (int v = 0; v < graph->notation->nvars; v++) /* each block of a sum stores once */
        term->once = term->once && !(lower_has(term->sum, v) && graph->schedule.block[v]);
    term->covers = term->once && graph->notation->nfree == graph->notation->tensor[0].order &&
                   !(term->store == term->nlevels && term->skips_zeros);
    term->covers = term->covers && !term->empty;
    for (int l = term->shared; l < term->store; l++) {
        const tsr_level_type *type = graph->operands[term->driver].binding->format->levels[l].type;
        term->covers = term->covers && (type->full || type->has_all);
    }
    for (int m = 0; m < TSR_MAX_ORDER && term->access && m < term->access->nindices; m++)
        if (!term->mode[m].binds && term->shared > 0)
            term->covers = false;
}

/* ---- the whole graph ---- */

static tsr_status make_term(lower_graph *graph, lower_term *term, const tsr_plan_term *t, tsr_error *err)
{
    term->term = t->term;
    term->cut_var = -1;
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        term->known[v] = -1;
    term->access = t->walked;
    term->driver = term->access ? term->access->tensor : -1;
    term->shared = t->nshared;
    if (term->driver >= 0)
        TSR_TRY(lower_term_driver(graph, term, err));
    TSR_TRY(term_factors(graph, term, err));
    bool others = false; /* whether a factor could multiply a stored zero by Inf or NaN */
    for (int i = 0; i < term->nfactors; i++)
        others = others || term->factor[i].inverse ||
                 (!term->factor[i].is_driver && term->factor[i].expr->kind != TSR_EXPR_NUMBER);
    term->skips_zeros = term->skips_zeros && others;
    term_depths(graph, term);
    store_loops(graph, term);
    count_stores(graph, term);
    return TSR_OK;
}

/* Sizes of dense variables are literals where small; in a term with a driver, also where a local array may
 * have the variable as an axis. */
static void choose_literals(lower_graph *graph)
{
    uint32_t bound = 0, local = 0;
    for (int i = 0; i < graph->nterms; i++) {
        const lower_term *term = &graph->term[i];
        for (int v = 0; v < graph->notation->nvars; v++)
            bound |= (uint32_t)(term->known[v] >= 0) << v;
        if (term->driver >= 0)
            local |= small_vars(graph, term);
    }
    graph->literal = graph->schedule.literal;
    for (int v = 0; v < graph->notation->nvars; v++)
        if (!graph->schedule.block[v] &&
            (lower_has(local, v) ||
             (!lower_has(bound, v) && graph->size[v] > 0 && graph->size[v] <= LOWER_LITERAL)))
            graph->literal |= (uint32_t)1 << v;
}

/* TSR_UNSUPPORTED where the schedule names a loop that does not exist: a request is not dropped silently. */
static tsr_status check_schedule(const lower_graph *graph, tsr_error *err)
{
    uint32_t dense = 0;
    for (int i = 0; i < graph->nterms; i++)
        dense |= graph->term[i].dense;
    for (int v = 0; v < graph->notation->nvars; v++) {
        const char *what = graph->schedule.block[v]              ? "block"
                           : graph->schedule.unroll[v]           ? "unroll"
                           : graph->schedule.vector_var == v + 1 ? "vectorize"
                                                                 : NULL;
        if (what && !lower_has(dense, v))
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "%s(%s): the loops over %s walk a stored tensor: use a variable with a loop over "
                            "its whole range",
                            what, graph->notation->var[v], graph->notation->var[v]);
    }
    return TSR_OK;
}

/* The variables of dense tensors alone whose sizes are small: literals of programs that merge, as in those that walk. */
static uint32_t plan_literals(const tsr_plan *plan)
{
    uint32_t sparse = 0, literal = 0;
    for (int a = 0; a < plan->naccesses; a++)
        sparse |= plan->access[a].expr->vars;
    for (int v = 0; v < plan->notation->nvars; v++)
        if (!lower_has(sparse, v) && plan->size[v] > 0 && plan->size[v] <= LOWER_LITERAL)
            literal |= (uint32_t)1 << v;
    return literal;
}

/* The variables of short blocks. */
static uint32_t block_literals(const tsr_plan *plan)
{
    uint32_t literal = 0;
    for (int v = 0; v < plan->notation->nvars; v++)
        if (lower_has(plan->blocks, v) && plan->size[v] > 0 && plan->size[v] <= LOWER_LITERAL)
            literal |= (uint32_t)1 << v;
    return literal;
}

/* Whether v, whose size is unknown, indexes rows of dense tensors alone, and the schedule leaves the loop over it open. */
static bool is_open_row(const lower_graph *graph, int v)
{
    const tsr_schedule *const schedule = &graph->schedule;
    bool row = graph->size[v] == graph->stand_in && !schedule->unroll[v] && schedule->vector_var != v + 1 &&
               schedule->parallel_var != v + 1;
    for (int i = 0; i < graph->plan->nterms; i++) {
        const tsr_plan_term *const term = &graph->plan->term[i];
        row = row && term->walked && lower_has(term->term->vars, v) && !lower_has(term->walked->vars, v);
    }
    return row;
}

/* Rows of unknown length, like those of factors of an unknown rank, are computed in blocks whose sums stay in registers, where
 * the schedule does not say how: one variable of the result. */
static void block_open_rows(lower_graph *graph)
{
    tsr_schedule *const schedule = &graph->schedule;
    int row = -1;
    if (!graph->stand_in || schedule->plain || schedule->norder > 0)
        return;
    for (int v = 0; v < graph->notation->nvars; v++)
        if (schedule->block[v])
            return;
    for (int v = 0; v < graph->notation->nfree; v++)
        row = is_open_row(graph, v) ? v : row;
    if (row >= 0)
        schedule->block[row] = OPEN_BLOCK_NBYTES / (uint32_t)tsr_type_nbytes(graph->type);
}

/* Make the terms of a plan that walks. */
static tsr_status make_terms(lower_graph *graph, tsr_error *err)
{
    if (is_dense(graph, 0))
        TSR_TRY(result_positions(graph, err));
    block_open_rows(graph);
    graph->nterms = graph->plan->nterms;
    graph->term = tsr_arena_alloc(&graph->arena, (size_t)(graph->nterms + 1) * sizeof *graph->term);
    if (!graph->term)
        return tsr_fail(err, TSR_NOMEM, "out of memory: an iteration graph");
    for (int i = 0; i < graph->nterms; i++)
        TSR_TRY(make_term(graph, &graph->term[i], &graph->plan->term[i], err));
    for (int i = 0; i < graph->nterms && !graph->term[0].covers; i++)
        if (graph->term[i].covers) { /* the first term sets the result, the others add */
            const lower_term first = graph->term[i];
            memmove(&graph->term[1], &graph->term[0], (size_t)i * sizeof first);
            graph->term[0] = first;
        }
    TSR_TRY(check_schedule(graph, err));
    choose_literals(graph);
    TSR_TRY(lower_choose_sharing(graph, err));
    lower_choose_specials(graph);
    return TSR_OK;
}

tsr_status lower_graph_init(lower_graph *graph, const tsr_plan *plan, const tsr_lower_operand *operands,
                            const tsr_lower_options *options, tsr_error *err)
{
    const char class = tsr_type_class(operands[0].type);
    *graph = (lower_graph){.plan = plan,
                           .notation = plan->notation,
                           .operands = operands,
                           .size = plan->size,
                           .signed_index = options->signed_index,
                           .tuning = tsr_tuning_complete(options->tuning),
                           .nthreads = options->nthreads > 0 ? options->nthreads : 1,
                           .type = operands[0].type,
                           .is_integer = class == 'I' || class == 'U',
                           .stand_in = options->stand_in,
                           .values_only = options->values_only,
                           .pattern_tensor = plan->walks ? plan->pattern_tensor : -1,
                           .pattern_nlevels = plan->walks ? plan->pattern_nlevels : 0};
    if (options->schedule)
        graph->schedule = *options->schedule;
    if (graph->schedule.deterministic)
        graph->nthreads = TSR_DETERMINISTIC_NTHREADS;
    TSR_TRY(check_types(graph, err));
    if (plan->walks)
        return make_terms(graph, err);
    graph->literal = block_literals(plan) | graph->schedule.literal |
                     (plan->sink == TSR_PLAN_DENSE ? plan_literals(plan) : 0);
    return merge_check_schedule(graph, err);
}

void lower_graph_clear(lower_graph *graph)
{
    tsr_arena_clear(&graph->arena);
    memset(graph, 0, sizeof *graph);
}
