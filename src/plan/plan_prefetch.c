/* What loops prefetch (tsr_nest_fetch). A row is prefetched where its place is computed from stored coordinates (these can be read some
 * positions ahead), the place does not simply advance, and the rows among which it jumps are not small: where loops walk, a row of
 * a dense operand or of the result; where a loop that merges walks the stored coordinates of one operand alone, and another
 * operand has a row for each of them (Gustavson's product), that row, and its place as many positions before. Where nothing jumps but
 * elements do, lists are prefetched that are read in order. lower_ask.c asks the pass `prefetches` for all of it. */
#include "plan_state.h"
#include "tsr_checked.h"

enum {
    LINE_NBYTES = 64,
    LEAST = 16, /* positions ahead, at least */
    STREAM =
        128, /* positions ahead in lists that are read in order; places of the result in a group: half of it */
    LISTS = 512,    /* positions ahead from the beginning of a short list */
    POSITIONS = 64, /* the largest distance */
    NEAR = 8, /* the distance for rows of a sparse operand that are in the caches, or looked up in a table */
    LARGE_ROWS = 32 << 20, /* bytes of rows that are not in the caches; unknown numbers count as less */
    USUAL_LINES = 128,     /* at the same time; with fewer (cached_lines) the least distance shrinks, too */
    STAYS = 4,       /* positions with the same coordinate: the row is in the first cache for most of them */
    KEPT_PARTS = 2,  /* of cached-bytes: one part stays in the last cache while entries go by */
    SHORT_LINES = 2, /* a row of more is fetched nevertheless where the first cache is small */
    SHORT_PARTS = 5, /* of SHORT_OF parts of prefetch-bytes: short rows in two thirds of the second cache */
    SHORT_OF = 3,
};

/* The first level l < d such that levels [l, d) have the same positions as depth d and store coordinates; d
 * where there is not such a level. */
static int chain_start(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const tsr_format *format = plan->walk.operand[term->driver].binding->format;
    int l = d - 1;
    while (l > 0 && format->levels[l].type->branchless)
        l--;
    return l >= 0 && tsr_level_lists(format->levels[l].type) ? l : d;
}

/* a / b, rounded down; 0 where a or b is not known (0). */
static uint64_t ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? a / b : 0;
}

/* Whether the levels from `start` on store parts of the coordinate of mode m alone. */
static bool is_alone(const tsr_nest *term, int m, int start)
{
    for (int k = 0; k < term->access->nindices; k++)
        if (k != m && (uint64_t)term->mode[k].levels >> start)
            return false;
    return true;
}

/* The number of coordinates of variable v among which the positions below one position at depth `start` jump: all, or,
 * where levels above `start` store a part of the coordinate, those that the other part selects (the columns of a strip).
 * The smaller number counts only if it is known that each of these coordinates is used again before the next part: below one
 * position at depth `start`, or, if no rows of another mode pass by at each position, below one at a depth above it (a strip has
 * many fibers). */
static uint64_t near_coordinates(const tsr_plan *plan, const tsr_nest *term, int v, int start)
{
    const tsr_binding *binding = plan->walk.operand[term->driver].binding;
    const int m = tsr_nest_binding_mode(term, v);
    const uint64_t all = plan->size[v], n = tsr_nest_known_positions(plan, term, term->nlevels);
    uint64_t inner = 1;
    if (m < 0)
        return all;
    const int least = is_alone(term, m, start) ? 1 : start;
    for (int l = term->nlevels - 1; l >= least; l--) {
        if (term->mode[m].levels >> l & 1 && !tsr_mul_u64(&inner, inner, binding->size[l]))
            return all;
        if (l <= start && inner < all && ratio(n, tsr_nest_known_positions(plan, term, l)) >= inner)
            return inner;
    }
    return all;
}

/* The bytes of the rows among which the positions below one position at depth `start` jump. */
static double near_nbytes(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access, int start)
{
    double nbytes = (double)tsr_type_nbytes(plan->walk.operand[access->tensor].type);
    for (int m = 0; m < access->nindices; m++)
        nbytes *= (double)near_coordinates(plan, term, access->index[m], start);
    return nbytes;
}

/* The number of cache lines of a row, or of a block of it, that are fetched; 1 where elements of the row are not consecutive. */
static uint64_t row_lines(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access)
{
    const tsr_plan_operand *const operand = &plan->walk.operand[access->tensor];
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(operand->type);
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_permutation(operand->binding->format, perm))
        return 1;
    const int v = access->index[perm[operand->binding->format->nlevels - 1]];
    if (!tsr_plan_has(term->dense, v))
        return 1;
    const uint64_t n = (plan_extent(plan, v) + step - 1) / step;
    return n < TSR_PLAN_PREFETCH_LINES ? n : TSR_PLAN_PREFETCH_LINES;
}

/* Whether the first cache is small (tsr_tuning.h). */
static bool has_small_cache(const tsr_plan *plan)
{
    return plan->target.tuning.cached_lines < USUAL_LINES;
}

/* The bytes of rows that the processor reads in time without a prefetch. With a small first cache, prefetches of short rows in
 * the second one cost more than they save: MTTKRP of rank 16 (EPYC, all rows of strips(4096), 512 kB, and of a factor of
 * 640 kB) takes 3 to 11% less without them, of rank 32 (strips(2048), 512 kB) from 5% less to 11% more. */
static double near_enough(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access)
{
    const double nbytes = (double)plan->target.tuning.prefetch_nbytes;
    return has_small_cache(plan) && row_lines(plan, term, access) <= SHORT_LINES
               ? nbytes * SHORT_PARTS / SHORT_OF
               : nbytes;
}

/* Whether rows of nbytes together are worth a prefetch: they may be larger than the caches from which the processor reads in
 * time without a prefetch (tsr_tuning.h), `near` bytes, or the schedule asks for a prefetch. */
static bool are_far(const tsr_plan *plan, double nbytes, double near)
{
    return nbytes > near || plan_asks_prefetch(plan);
}

/* The same of the rows of a tensor that are near. */
static bool is_wanted(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access, int start)
{
    return are_far(plan, near_nbytes(plan, term, access, start), near_enough(plan, term, access)) &&
           !plan->walk.operand[access->tensor].iso;
}

/* Whether the row of an access stays where it is for several positions on average, as far as the numbers of positions are
 * known: its place depends on the coordinates of level l alone, which rise below each parent. With a small first cache, the
 * next row of four lines costs more when it comes than prefetches at all positions (MTTKRP of rank 32, EPYC, loops without tbench:
 * 2 to 29%). There a short row stays already if it has one position, and all rows stay in a part of the last cache: the
 * processor fetches rising rows ahead. MTTKRP of rank 16 with strips takes 7 to 16% less without these prefetches for rows of
 * 3.8 MB (1.7 and 3.4 positions), but 10 to 19% more for rows of 12.8 MB (2.5 positions). */
static bool stays(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access, int l)
{
    uint64_t most, least = STAYS;
    if (has_small_cache(plan)) {
        if (row_lines(plan, term, access) > SHORT_LINES)
            return false;
        if (near_nbytes(plan, term, access, l) <= (double)plan->target.tuning.cached_nbytes / KEPT_PARTS)
            least = 1;
    }
    return tsr_mul_u64(&most, tsr_nest_known_positions(plan, term, l),
                       plan->walk.operand[term->driver].binding->size[l]) &&
           ratio(tsr_nest_known_positions(plan, term, term->nlevels), most) >= least;
}

/* Whether all of the access's place that becomes known below depth l is the coordinate of level l, which rises. */
static bool follows_level(const tsr_nest *term, const tsr_expr *access, int l)
{
    const int m = term->level[l].mode;
    bool follows = m >= 0;
    for (int i = 0; i < access->nindices; i++)
        follows = follows && (term->known[access->index[i]] <= l || term->mode[m].var == access->index[i]);
    return follows;
}

/* Whether the place of an access becomes known at levels [start, d) and jumps from position to position. A
 * place that depends on the first level alone does not jump, since the coordinates of that level rise; nor does a place
 * that depends on level `start` alone, if it stays for several positions. */
static bool jumps_at(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access, int start, int d)
{
    const int first = start < term->nlevels ? start : 0, depth = plan_depth_of(term, access->vars);
    return depth > start && depth <= d && !follows_level(term, access, 0) &&
           (plan_asks_prefetch(plan) || !follows_level(term, access, first) ||
            !stays(plan, term, access, first));
}

/* Whether a row of the result is fetched at depth d: where a run begins, if there are runs, since rows are as far apart as runs. */
static bool fetches_result(const tsr_plan *plan, const tsr_nest *term, int start, int d)
{
    const tsr_expr *result = plan->notation->result;
    if (!is_wanted(plan, term, result, start))
        return false;
    return term->sink.run > 0 ? d == term->sink.run
                              : term->sink.shared == 0 && !term->sink.deferred &&
                                    (term->dense & ~term->sum) && jumps_at(plan, term, result, start, d);
}

/* What the loop that is the deepest one with prefetches of a kind fetches in each step: cache lines, of rows that have nbytes together. */
typedef struct fetched {
    uint64_t lines;
    double nbytes;
    bool is_near; /* rows are looked up in a table; entries are those of short lists */
} fetched;

static void add_fetch(tsr_nest *nest, const tsr_nest_fetch *f)
{
    if (nest->nfetches < TSR_NEST_FETCHES)
        nest->fetch[nest->nfetches++] = *f;
}

/* How far ahead rows are fetched of which one position has these. */
static int find_distance(const tsr_plan *plan, const fetched *of)
{
    const tsr_tuning *tuning = &plan->target.tuning;
    uint64_t lines = tuning->prefetch_lines, least = LEAST;
    if (of->nbytes <= (double)tuning->cached_nbytes && has_small_cache(plan)) {
        lines = lines < tuning->cached_lines ? lines : tuning->cached_lines;
        least = LEAST * tuning->cached_lines / USUAL_LINES;
        least = least > 0 ? least : 1;
    }
    const uint64_t distance = of->lines > 0 ? lines / of->lines : 0;
    return (int)(distance < least ? least : distance < POSITIONS ? distance : POSITIONS);
}

/* ---- loops that walk ---- */

bool plan_is_long_stream(const tsr_plan *plan, const tsr_nest *term, int from)
{
    const tsr_plan_operand *driver = &plan->walk.operand[term->driver];
    double nbytes = driver->iso ? 0 : (double)tsr_type_nbytes(driver->type);
    for (int l = from; l < term->nlevels; l++)
        nbytes += driver->nbytes[TSR_LEVEL_CRD][l];
    const uint64_t n = tsr_nest_known_positions(plan, term, term->nlevels);
    if (plan_leaves_prefetches(plan) || plan_asks_prefetch(plan))
        return plan_asks_prefetch(plan);
    return n == 0 || nbytes * (double)n > (double)plan->target.tuning.prefetch_nbytes;
}

/* Whether the last level has short lists, which are read one after the other: the processor forgets at each page what it knew of the
 * stream (y(i) = A(i,j)*x(j), csr, 8 entries to a row: f64 and f32 16 to 20% less time with the prefetches). */
static bool has_short_lists(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_plan_operand *const driver = &plan->walk.operand[term->driver];
    return term->nlevels > 1 && driver->short_lists >> (term->nlevels - 1) & 1 && !term->dense &&
           !term->special.slots && !driver->iso && term->nfetches == 0;
}

/* The rows whose places become known at depth d. */
static void find_rows(fetched *deepest, const tsr_plan *plan, tsr_nest *term, int d)
{
    const int start = chain_start(plan, term, d);
    fetched rows = {0};
    for (int i = 0; i <= term->nfactors; i++) {
        const tsr_nest_factor *const f = i < term->nfactors ? &term->factor[i] : NULL;
        const tsr_expr *const access = f ? f->expr : plan->notation->result;
        if (f ? d == term->sink.run || access->kind != TSR_EXPR_ACCESS || f->is_driver || !f->dense ||
                    !is_wanted(plan, term, access, start) || !jumps_at(plan, term, access, start, d)
              : !fetches_result(plan, term, start, d))
            continue;
        const tsr_nest_fetch row = {.tensor = access->tensor,
                                    .list = term->driver,
                                    .from = start,
                                    .to = d,
                                    .nlines = (int)row_lines(plan, term, access),
                                    .half = d != term->nlevels && d != term->sink.run};
        add_fetch(term, &row);
        rows.lines += (uint64_t)row.nlines;
        rows.nbytes += near_nbytes(plan, term, access, chain_start(plan, term, term->nlevels));
    }
    if (rows.lines)
        *deepest = rows;
}

/* What the loops of a nest with a driver prefetch: rows, or else entries of the driver. */
static void find_walked(fetched *deepest, const tsr_plan *plan, tsr_nest *term)
{
    for (int d = 1; d <= term->nlevels; d++)
        if (d == term->sink.run || plan_settle(plan, term, d) == d) /* a new loop begins below, or none */
            find_rows(deepest, plan, term, d);
    for (int l = 0; l < term->nlevels; l++) {
        const bool groups = term->special.groups >> l & 1;
        tsr_nest_fetch f = {.kind = TSR_FETCH_ENTRIES, .tensor = term->driver, .list = -1, .from = l};
        if ((groups || (term->special.slots && l == 1)) && plan_is_long_stream(plan, term, l))
            add_fetch(term, &f);
        f = (tsr_nest_fetch){TSR_FETCH_ENTRIES,   .list = term->driver, .from = l,
                             .to = term->nlevels, .nlines = 1,          .half = true};
        if (groups && plan_depth_of(term, plan->notation->result->vars) > l + 1)
            add_fetch(term, &f);
    }
    if (!has_short_lists(plan, term))
        return;
    deepest->is_near = true;
    add_fetch(term, &(tsr_nest_fetch){.kind = TSR_FETCH_ENTRIES,
                                      .tensor = term->driver,
                                      .list = -1,
                                      .from = term->nlevels - 1,
                                      .once = true});
}

/* ---- loops that merge ---- */

/* The only access of the term whose list loop k walks, whose positions are those of coordinates as they are stored; -1: there is no
 * such access. */
static int walked_alone(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    const int v = term->order[k], located = tsr_plan_located(plan, term, k);
    int found = -1;
    for (int i = 0; i < term->naccesses; i++) {
        const int a = term->access[i], l = plan_level_of(plan, a, v);
        if (a == located || l < 0 || plan->view[plan->access[a].view].full[l])
            continue;
        if (found >= 0)
            return -1;
        found = a;
    }
    if (found < 0)
        return -1;
    const int l = plan_level_of(plan, found, v);
    const tsr_expr *const expr = plan->access[found].expr;
    const tsr_plan_view *const view = &plan->view[plan->access[found].view];
    if (l + 1 < view->nlevels && expr->index[view->mode[l + 1]] == v)
        return -1; /* a diagonal: the positions are those of the level below, which may be dense */
    return tsr_expr_window(expr, view->mode[l]) ? -1 : found;
}

/* Whether the access has rows over v with coordinates of another variable. */
static bool has_rows(const tsr_plan *plan, int a, int v)
{
    return plan_has_rows(plan, a, v) &&
           plan->access[a].expr->index[plan->view[plan->access[a].view].mode[1]] != v;
}

/* The bytes of the rows of the access; an unknown number of entries counts as large. */
static double rows_nbytes(const tsr_plan *plan, int a)
{
    const tsr_plan_view *const view = &plan->view[plan->access[a].view];
    const tsr_plan_operand *const operand = &plan->walk.operand[view->tensor];
    const double each = view->crd_nbytes[1] + (operand->iso ? 0.0 : (double)tsr_type_nbytes(operand->type));
    return operand->nstored > 0 ? each * (double)operand->nstored : (double)UINT64_MAX;
}

/* Whether a loop of the term inside loop k looks its operand up in a table. */
static bool looks_up(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    while (++k < term->nvars)
        if (tsr_plan_located(plan, term, k) >= 0)
            return true;
    return false;
}

/* The rows that loop k of the term prefetches. */
static void find_sparse_rows(fetched *deepest, const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    const int walked = walked_alone(plan, term, k);
    fetched rows = {.is_near = looks_up(plan, term, k)};
    for (int i = 0; i < term->naccesses && walked >= 0; i++) {
        const int a = term->access[i], l = plan_level_of(plan, walked, term->order[k]);
        if (a == walked || !has_rows(plan, a, term->order[k]) ||
            !are_far(plan, rows_nbytes(plan, a), (double)plan->target.tuning.prefetch_nbytes))
            continue;
        add_fetch(term->nest, &(tsr_nest_fetch){.kind = TSR_FETCH_SPARSE_ROWS,
                                                .tensor = tsr_plan_operand_of(plan, a),
                                                .list = tsr_plan_operand_of(plan, walked),
                                                .from = l,
                                                .to = l + 1,
                                                .nlines = 1,
                                                .values = plan->view[plan->access[a].view].nlevels == 2});
        rows.lines += 2; /* of coordinates, and of values */
        rows.nbytes += rows_nbytes(plan, a);
    }
    if (rows.lines)
        *deepest = rows;
}

/* ---- all of them ---- */

/* How far ahead the plan fetches what is of this kind. */
static int distance_of(const tsr_plan *plan, tsr_fetch_kind kind, const fetched *of)
{
    const tsr_schedule *const schedule = &plan->schedule;
    const int asked = kind == TSR_FETCH_ENTRIES       ? schedule->ways.stream
                      : kind == TSR_FETCH_SPARSE_ROWS ? schedule->ways.rows
                                                      : 0;
    if (asked || schedule->prefetch > 0)
        return asked ? asked : schedule->prefetch;
    if (kind == TSR_FETCH_ENTRIES)
        return of->is_near ? LISTS : STREAM;
    const bool is_large = of->nbytes > (double)LARGE_ROWS && of->nbytes < (double)UINT64_MAX;
    return kind == TSR_FETCH_ROWS || (is_large && !of->is_near) ? find_distance(plan, of) : NEAR;
}

bool plan_choose_prefetches(tsr_plan *plan)
{
    fetched most[TSR_NFETCHES] = {{0}};
    bool any = false;
    memset(plan->walk.ahead, 0, sizeof plan->walk.ahead);
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_plan_term *const term = &plan->term[i];
        tsr_nest *const nest = term->nest;
        fetched deepest = {0};
        nest->nfetches = 0;
        if (plan_leaves_prefetches(plan))
            continue;
        if (nest->driver >= 0)
            find_walked(&deepest, plan, nest);
        /* no other operand has the coordinate of a compound level */
        for (int k = plan->sink == TSR_PLAN_ROWS ? plan->nouter : 0;
             k < term->nvars && !plan->storage.parts && !term->walks && !term->empty; k++)
            find_sparse_rows(&deepest, plan, term, k);
        if (nest->nfetches == 0)
            continue;
        fetched *const m = &most[nest->fetch[0].kind];
        m->lines = deepest.lines > m->lines ? deepest.lines : m->lines;
        m->nbytes = deepest.nbytes > m->nbytes ? deepest.nbytes : m->nbytes;
        m->is_near = m->is_near || deepest.is_near;
        plan->walk.ahead[nest->fetch[0].kind] = 1;
        any = true;
    }
    for (int k = 0; k < TSR_NFETCHES; k++)
        if (plan->walk.ahead[k])
            plan->walk.ahead[k] = distance_of(plan, (tsr_fetch_kind)k, &most[k]);
    return any;
}
