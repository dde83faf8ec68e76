/* How threads share the terms of plans that walk, by the rule at the head of plan_share.c. */
#include "plan_state.h"

#include "tsr_checked.h"

enum { DETERMINISTIC_SHARES = 48 };
enum {
    MAX_ABOVE = 256,
    ABOVE_SHARE = 16
}; /* positions above level `across`, also as a share of its coordinates */
enum { WORK = 4096, UNKNOWN = 1 << 20 };
/* Coordinates of a window: 16 kB of doubles of the result, and as much of an operand; elements of the result in a window where
 * each coordinate has a row of them, and coordinates, at least. */
enum { WINDOW = 2048, TILE = 512, TILE_ROWS = 16 };

uint64_t tsr_nest_known_positions(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const tsr_plan_operand *operand = &plan->walk.operand[term->driver];
    uint64_t n = 1;
    if (d > 0 && operand->npos[d - 1] > 0)
        return operand->npos[d - 1];
    for (int l = 0; l < d; l++)
        if (!operand->binding->format->levels[l].type->full ||
            !tsr_mul_u64(&n, n, operand->binding->pitch[l]))
            return 0;
    return n;
}

/* a * b, at most UINT64_MAX. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return tsr_mul_u64(&a, a, b) ? a : UINT64_MAX;
}

/* The first depth in [1, most] with enough positions for even ranges. */
static int fair_depth(const tsr_plan *plan, const tsr_nest *term, int most)
{
    int depth = 1;
    for (; depth < most; depth++) {
        const uint64_t n = tsr_nest_known_positions(plan, term, depth);
        if (n == 0 || n >= (uint64_t)PLAN_SHARES * (uint64_t)plan->target.nthreads)
            break;
    }
    return depth;
}

/* The number of elements of the result that one position of the driver adds to. */
static uint64_t free_elements(const tsr_plan *plan, const tsr_nest *term)
{
    uint64_t n = 1;
    for (int v = 0; v < plan->notation->nfree; v++)
        if (tsr_plan_has(term->dense, v))
            n = times(n, plan->size[v]);
    return n;
}

/* Let the term run on one thread. */
static void share_nothing(tsr_nest *term)
{
    term->share.sharing = TSR_SHARE_EXCLUSIVE;
    term->share.cut = 0;
    term->share.cut_var = -1;
}

/* The cheaper of copies and atomic additions for nstores additions (0: unknown), unless the schedule
 * chooses. */
static tsr_sharing private_or_atomic(const tsr_plan *plan, const tsr_nest *term, uint64_t nstores)
{
    if (plan->schedule.sharing != TSR_SHARE_AUTO)
        return plan->schedule.sharing;
    if (plan->walk.pattern_tensor >= 0)
        return TSR_SHARE_ATOMIC;
    nstores = times(nstores ? nstores : UNKNOWN, free_elements(plan, term));
    return plan->walk.npositions <= PLAN_SHARES ||
                   plan_copies_pay(plan, (double)plan_copied_elements(plan, term),
                                   tsr_type_nbytes(plan->walk.operand[0].type), (double)nstores)
               ? TSR_SHARE_PRIVATE
               : TSR_SHARE_ATOMIC;
}

/* Set the sharing of a term whose cut lets several threads touch an element; nstores: additions to the
 * result. */
static void share_among(const tsr_plan *plan, tsr_nest *term, uint64_t nstores)
{
    term->share.sharing = private_or_atomic(plan, term, nstores);
    if (term->share.sharing != TSR_SHARE_ATOMIC || !plan->schedule.deterministic)
        return;
    if (plan->schedule.parallel_var && plan->walk.pattern_tensor < 0)
        term->share.sharing = TSR_SHARE_PRIVATE; /* threads were asked for */
    else
        share_nothing(term);
}

/* what, name: the loops that the threads share, "over" a variable or "of" a tensor. */
static tsr_status not_exclusive(const tsr_plan *plan, const char *what, const char *name, tsr_error *err)
{
    const char *result = plan->notation->tensor[0].name;
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "exclusive(%s): threads that share the loops %s %s would add to the same elements of %s: "
                    "use private or atomic",
                    result, what, name, result);
}

/* ---- loops over dense variables ---- */

static tsr_status share_dense(const tsr_plan *plan, tsr_nest *term, tsr_error *err)
{
    uint64_t work = 1;
    for (int i = 0; i < term->sink.norder; i++)
        work = times(work, plan->size[term->sink.order[i]]);
    if (term->sink.norder == 0 || (work < WORK && !plan->schedule.parallel_var))
        return TSR_OK;
    int chosen = -1;
    for (int i = 0; i < term->sink.norder; i++) {
        const int v = term->sink.order[i];
        if (plan->schedule.parallel_var == v + 1) {
            chosen = v;
            break;
        }
        if (tsr_plan_has(term->sum, v))
            continue;
        if (chosen < 0 ||
            (plan->size[chosen] < 4 * (uint64_t)plan->target.nthreads && plan->size[v] > plan->size[chosen]))
            chosen = v;
    }
    term->share.cut_var = chosen >= 0 ? chosen : term->sink.order[0];
    if (!tsr_plan_has(term->sum, term->share.cut_var))
        return TSR_OK;
    if (plan->schedule.sharing == TSR_SHARE_EXCLUSIVE)
        return not_exclusive(plan, "over", plan->notation->var[term->share.cut_var], err);
    share_among(plan, term, work);
    return TSR_OK;
}

/* ---- a driver's loops ---- */

/* A divisor k > 0 such that (first level's coordinate floordiv k) rises along the positions, and positions
 * where it differs belong to different elements of the result; 0: there is not such a divisor. */
static int64_t cut_key(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    if (term->nlevels == 0 || !tsr_level_is_list(binding->format->levels[0].type) || term->sink.store < 1 ||
        binding->base[0] != 0)
        return 0;
    if (term->level[0].vars != 0 && (term->level[0].vars >> plan->notation->nfree) == 0)
        return 1;
    for (int m = 0; m < term->access->nindices; m++) {
        const tsr_nest_mode *mode = &term->mode[m];
        tsr_digit d;
        int64_t constant;
        if (mode->depth == 1 && mode->binds && tsr_plan_is_free(plan, mode->var) &&
            tsr_map_result_digits(&d, 1, &constant, binding->inverse, m) == 1 && d.k > 0 && d.mod == 0)
            return d.div;
    }
    return 0;
}

/* Cut the first level where its key changes; false: it does not have a key, or too few different keys. */
static bool share_by_key(const tsr_plan *plan, tsr_nest *term)
{
    const uint64_t size = plan->walk.operand[term->driver].binding->size[0];
    const int64_t key = cut_key(plan, term);
    if (key == 0 || (plan->schedule.sharing == TSR_SHARE_AUTO &&
                     size / (uint64_t)key < (uint64_t)PLAN_SHARES * (uint64_t)plan->target.nthreads))
        return false;
    term->share.cut = 1;
    term->share.cut_key = key;
    return true;
}

/* The deepest depth at which the positions can be cut: a level that is packed at once is cut only as the first
 * one, where its type allows it. */
static int deepest_cut(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_format *format = plan->walk.operand[term->driver].binding->format;
    int depth = 0;
    while (depth < term->nlevels) {
        const tsr_level_type *type = format->levels[depth].type;
        if (type->assemble && !(depth == 0 && type->is_splittable))
            break;
        depth++;
    }
    return depth;
}

/* The level whose coordinates threads may share, so that each element of the result belongs to one of them; 0: there
 * is not such a level. See tsr_nest.across. */
static int find_across(const tsr_plan *plan, const tsr_nest *term, int deepest)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    const int most = plan->walk.pattern_tensor >= 0 ? 0
                     : term->sink.store < deepest   ? term->sink.store
                                                    : deepest;
    for (int l = 0; l < most && l < term->whole; l++) {
        const uint64_t above = tsr_nest_known_positions(plan, term, l), size = binding->size[l];
        const tsr_level_type *type = binding->format->levels[l].type;
        int64_t constant;
        tsr_digit d;
        if (above == 0 || above > MAX_ABOVE || !(type->full || tsr_level_is_list(type)))
            break;
        if (l > 0 && binding->format->levels[l].pitch == 0 && binding->base[l] == 0 &&
            size >= (uint64_t)PLAN_SHARES * (uint64_t)plan->target.nthreads && above * ABOVE_SHARE <= size &&
            tsr_map_result_digits(&d, 1, &constant, binding->forward, l) == 1 && constant == 0 && d.k == 1 &&
            d.mod == 0 && term->mode[d.dim].binds && tsr_plan_is_free(plan, term->mode[d.dim].var))
            return l;
        if (!type->full)
            break;
    }
    return 0;
}

/* Whether the result has coordinates of variable v alone, apart from those of dense variables. */
static bool has_rows_of(const tsr_plan *plan, const tsr_nest *term, int v)
{
    for (int u = 0; u < plan->notation->nfree; u++)
        if (u != v && !tsr_plan_has(term->dense, u))
            return false;
    return tsr_plan_is_free(plan, v) && plan->notation->result->nindices == plan->notation->nfree;
}

/* The coordinates of a window if `row` elements of the result belong to each. The rows of both dense operands stay in the
 * first cache for all diagonals. Smaller windows than it holds are faster: C(i,k) = A(i,j) * B(j,k), 100,000 rows of 32,
 * 7 neighbouring diagonals, EPYC: 3.6 ms with 16 rows, 4.0 with 32, 5.2 with 64, 7.3 with 128; with 8 rows 3.2, but
 * 6.2 where the diagonals are 300 apart (16 rows: 4.8). */
static uint64_t window_size(uint64_t row)
{
    if (row <= 1)
        return WINDOW;
    return row < TILE / TILE_ROWS ? TILE / row : TILE_ROWS;
}

/* Let the term be walked in windows of the last level's coordinates, where that is possible: see tsr_nest.window. */
static bool take_windows(const tsr_plan *plan, tsr_nest *term)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    if (plan->schedule.without_special >> TSR_SPECIAL_WINDOWS & 1 || term->nlevels != 2 ||
        term->sink.store != 2 || term->sum || term->sink.deferred || term->sink.shared ||
        plan->walk.pattern_tensor >= 0)
        return false;
    const tsr_level_spec *upper = &binding->format->levels[0], *lower = &binding->format->levels[1];
    const int m = term->level[1].mode;
    const uint64_t row = free_elements(plan, term);
    if (!upper->type->is_splittable || !upper->type->by_value || !lower->type->full || lower->pitch != 0 ||
        m < 0 || !term->mode[m].binds || !has_rows_of(plan, term, term->mode[m].var) ||
        binding->base[1] != 0 || times(binding->size[1], row) <= WINDOW ||
        term->known[term->mode[m].var] != 2)
        return false;
    term->share.window = 1;
    term->share.window_size = window_size(row);
    return true;
}

static tsr_status share_driver(const tsr_plan *plan, tsr_nest *term, tsr_error *err)
{
    const tsr_sharing asked = plan->schedule.sharing;
    const bool may_be_exclusive = asked == TSR_SHARE_AUTO || asked == TSR_SHARE_EXCLUSIVE;
    if (may_be_exclusive && !plan->schedule.parallel_var && take_windows(plan, term)) {
        term->share.cuts_windows = true;
        return TSR_OK;
    }
    const int v = plan->schedule.parallel_var - 1;
    const int deepest = deepest_cut(plan, term);
    const int whole = term->whole < deepest ? term->whole : deepest;
    int exclusive = term->sink.distinct < term->sink.store ? term->sink.distinct : term->sink.store;
    exclusive = exclusive < deepest ? exclusive : deepest;
    if (deepest == 0) {
        share_nothing(term);
        return TSR_OK;
    }
    const uint64_t nleaves = tsr_nest_known_positions(plan, term, term->nlevels);
    if (nleaves > 0 && times(nleaves, free_elements(plan, term)) < WORK && asked == TSR_SHARE_AUTO && v < 0)
        return TSR_OK;
    const int wanted = v >= 0 && term->known[v] >= 1 && term->known[v] <= deepest ? term->known[v] : 0;
    if (exclusive < 1 && wanted <= 1 && (asked == TSR_SHARE_EXCLUSIVE || asked == TSR_SHARE_AUTO) &&
        share_by_key(plan, term))
        return TSR_OK;
    const int across = find_across(plan, term, deepest);
    const bool takes_across = may_be_exclusive && across > 0 && (wanted == 0 || wanted == across + 1);
    if (asked == TSR_SHARE_EXCLUSIVE && !takes_across && (exclusive < 1 || wanted > exclusive))
        return not_exclusive(plan, "of", plan->notation->tensor[term->driver].name, err);
    if (may_be_exclusive && exclusive >= 1 && wanted <= exclusive) {
        term->share.cut = wanted ? wanted : fair_depth(plan, term, exclusive);
        const uint64_t n = tsr_nest_known_positions(plan, term, term->share.cut);
        if ((asked == TSR_SHARE_EXCLUSIVE && !takes_across) || wanted || n == 0 ||
            n >= 4 * (uint64_t)plan->target.nthreads || plan->walk.pattern_tensor >= 0)
            return TSR_OK;
    }
    if (takes_across) {
        term->share.cut = 0;
        term->share.across = across;
        return TSR_OK;
    }
    term->share.cut = wanted ? wanted : fair_depth(plan, term, whole);
    share_among(plan, term, tsr_nest_known_positions(plan, term, term->sink.store));
    return TSR_OK;
}

/* Whether the loop over v is cut in some term. */
static bool is_cut(const tsr_plan *plan, int v)
{
    bool is = false;
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_nest *const term = plan->term[i].nest;
        if (term)
            is = is || term->share.cut_var == v ||
                 (term->share.cut > 0 && term->known[v] == term->share.cut) ||
                 (term->share.across > 0 && term->known[v] == term->share.across + 1) || term->empty;
        else
            is = is || (plan->term[i].nvars > 0 && plan->term[i].order[0] == v);
    }
    return is;
}

tsr_status plan_share_nests(tsr_plan *plan, tsr_error *err)
{
    const bool serial = plan->schedule.serial || plan->target.nthreads == 1;
    for (int i = 0; i < plan->nterms; i++) {
        tsr_nest *term = plan->term[i].nest;
        if (!term)
            continue;
        term->share.sharing = TSR_SHARE_EXCLUSIVE;
        if (serial && !term->empty && term->driver >= 0)
            (void)take_windows(plan, term);
        if (serial || term->empty)
            continue;
        if (term->driver < 0)
            TSR_TRY(share_dense(plan, term, err));
        else if (term->nlevels > 0)
            TSR_TRY(share_driver(plan, term, err));
        if (plan->schedule.deterministic)
            term->share.nshares =
                term->share.sharing == TSR_SHARE_PRIVATE ? TSR_DETERMINISTIC_NTHREADS : DETERMINISTIC_SHARES;
    }
    const int v = plan->schedule.parallel_var - 1;
    if (tsr_plan_walks(plan) && v >= 0 && !serial && !is_cut(plan, v))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "parallelize(%s): the loop over %s is not an outer loop of any term",
                        plan->notation->var[v], plan->notation->var[v]);
    return TSR_OK;
}
