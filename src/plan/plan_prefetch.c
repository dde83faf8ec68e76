/* Which prefetches loops have. A row is prefetched where its place is computed from stored coordinates (these can be read some
 * positions ahead), the place does not simply advance, and the rows among which it jumps are not small: a row of a dense operand or of
 * the result, where loops walk; where a loop that merges walks the stored coordinates of one operand alone, and another
 * operand has a row for each of them (Gustavson's product), that row, and its place as many positions before. lower_ask.c asks
 * the pass `prefetches` for them. */
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
int tsr_nest_chain_start(const tsr_plan *plan, const tsr_nest *term, int d)
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

/* The number of cache lines of a row that are fetched; 1 where elements of the row are not consecutive. */
uint64_t tsr_nest_row_lines(const tsr_plan *plan, const tsr_expr *access, uint32_t dense)
{
    const tsr_format *format = plan->walk.operand[access->tensor].binding->format;
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(plan->walk.operand[access->tensor].type);
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_permutation(format, perm))
        return 1;
    const int v = access->index[perm[format->nlevels - 1]];
    if (!tsr_plan_has(dense, v))
        return 1;
    const uint64_t block = plan->schedule.block[v], size = plan->size[v];
    const uint64_t length = block > 0 && block < size ? block : size;
    const uint64_t n = (length + step - 1) / step;
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
    return has_small_cache(plan) && tsr_nest_row_lines(plan, access, term->dense) <= SHORT_LINES
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
        if (tsr_nest_row_lines(plan, access, term->dense) > SHORT_LINES)
            return false;
        if (near_nbytes(plan, term, access, l) <= (double)plan->target.tuning.cached_nbytes / KEPT_PARTS)
            least = 1;
    }
    return tsr_mul_u64(&most, tsr_nest_known_positions(plan, term, l),
                       plan->walk.operand[term->driver].binding->size[l]) &&
           ratio(tsr_nest_known_positions(plan, term, term->nlevels), most) >= least;
}

/* Whether the place of an access becomes known at levels [start, d) and jumps from position to position. A
 * place that depends on the first level alone does not jump, since the coordinates of that level rise; nor does a place
 * that depends on level `start` alone, if it stays for several positions. */
static bool jumps_at(const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access, int start, int d)
{
    const int first = start < term->nlevels ? start : 0;
    int depth = 0;
    bool rises = term->level[0].mode >= 0, slow = term->level[first].mode >= 0;
    for (int m = 0; m < access->nindices; m++) {
        const int v = access->index[m];
        if (term->known[v] > depth)
            depth = term->known[v];
        if (term->known[v] >= 0 && term->level[0].mode >= 0 && term->mode[term->level[0].mode].var != v)
            rises = false;
        if (term->known[v] > first && term->level[first].mode >= 0 &&
            term->mode[term->level[first].mode].var != v)
            slow = false;
    }
    return depth > start && depth <= d && !rises &&
           (!slow || plan_asks_prefetch(plan) || !stays(plan, term, access, first));
}

/* Whether the row of factor f is fetched at depth d; fetches_result: the row of the result. */
static bool fetches_factor(const tsr_plan *plan, const tsr_nest *term, const tsr_nest_factor *f, int start,
                           int d)
{
    return f->expr->kind == TSR_EXPR_ACCESS && !f->is_driver && f->dense != 0 &&
           is_wanted(plan, term, f->expr, start) && jumps_at(plan, term, f->expr, start, d);
}

/* The row that a run adds to is fetched where a run begins, since rows are as far apart as runs. */
static bool fetches_result(const tsr_plan *plan, const tsr_nest *term, int start, int d)
{
    const tsr_expr *result = plan->notation->result;
    if (term->sink.run > 0)
        return d == term->sink.run && is_wanted(plan, term, result, start);
    return term->sink.shared == 0 && !term->sink.deferred && (term->dense & ~term->sum) &&
           is_wanted(plan, term, result, start) && jumps_at(plan, term, result, start, d);
}

/* What is fetched for a position of the last level: cache lines, of rows that have nbytes together. */
typedef struct fetched {
    uint64_t lines;
    double nbytes;
} fetched;

static void count_rows(fetched *f, const tsr_plan *plan, const tsr_nest *term, const tsr_expr *access,
                       uint32_t dense)
{
    f->lines += tsr_nest_row_lines(plan, access, dense);
    f->nbytes += near_nbytes(plan, term, access, tsr_nest_chain_start(plan, term, term->nlevels));
}

/* What is fetched for a position of the deepest level where rows are fetched. */
static fetched deepest_rows(const tsr_plan *plan, const tsr_nest *term)
{
    fetched f = {0};
    for (int d = term->nlevels; d > 0 && f.lines == 0; d--) {
        for (int i = 0; i < term->nfactors; i++)
            if (term->special.fetched[d] >> i & 1)
                count_rows(&f, plan, term, term->factor[i].expr, term->factor[i].dense);
        if (term->special.fetches_result >> d & 1)
            count_rows(&f, plan, term, plan->notation->result, term->dense & ~term->sum);
    }
    return f;
}

/* How far ahead rows are fetched of which one position has these. */
static int find_distance(const tsr_plan *plan, const fetched *of)
{
    const tsr_tuning *tuning = &plan->target.tuning;
    uint64_t lines = tuning->prefetch_lines, least = LEAST;
    if (plan->schedule.prefetch > 0)
        return plan->schedule.prefetch;
    if (of->nbytes <= (double)tuning->cached_nbytes && has_small_cache(plan)) {
        lines = lines < tuning->cached_lines ? lines : tuning->cached_lines;
        least = LEAST * tuning->cached_lines / USUAL_LINES;
        least = least > 0 ? least : 1;
    }
    const uint64_t distance = of->lines > 0 ? lines / of->lines : 0;
    return (int)(distance < least ? least : distance < POSITIONS ? distance : POSITIONS);
}

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

/* Whether a new loop begins below depth d, or depth d is the last one: the positions ahead are those of this loop. */
static bool is_settled(const tsr_plan *plan, const tsr_nest *term, int d)
{
    return d == term->nlevels || d == term->sink.run ||
           !plan->walk.operand[term->driver].binding->format->levels[d].type->branchless;
}

/* Whether the place of the result follows from the coordinates below depth d + 1 of the entries, which jump. */
static bool result_jumps(const tsr_plan *plan, const tsr_nest *term, int d)
{
    const tsr_expr *result = plan->notation->result;
    bool jumps = false;
    for (int m = 0; m < result->nindices; m++) {
        const int of = tsr_nest_binding_mode(term, result->index[m]);
        jumps = jumps || (of >= 0 && term->mode[of].depth > d + 1);
    }
    return jumps;
}

/* Whether the last level has short lists, which are read one after the other: the processor forgets at each page what it knew of the
 * stream (y(i) = A(i,j)*x(j), csr, 8 entries to a row: f64 and f32 16 to 20% less time with the prefetches). */
static bool has_short_lists(const tsr_plan *plan, const tsr_nest *term)
{
    const tsr_plan_operand *const driver = &plan->walk.operand[term->driver];
    const tsr_nest_special *const special = &term->special;
    bool fetches_rows = special->fetches_result != 0;
    for (int d = 0; d <= term->nlevels; d++)
        fetches_rows = fetches_rows || special->fetched[d];
    return term->nlevels > 1 && driver->short_lists >> (term->nlevels - 1) & 1 && !term->dense &&
           !special->streams && !special->slots && !driver->iso && !fetches_rows;
}

void plan_choose_prefetches(const tsr_plan *plan, tsr_nest *term)
{
    tsr_nest_special *const special = &term->special;
    if (plan_leaves_prefetches(plan))
        return;
    for (int d = 1; d <= term->nlevels; d++) {
        const int start = tsr_nest_chain_start(plan, term, d);
        if (!is_settled(plan, term, d))
            continue;
        for (int i = 0; i < term->nfactors && d != term->sink.run; i++)
            if (fetches_factor(plan, term, &term->factor[i], start, d))
                special->fetched[d] |= UINT64_C(1) << i;
        if (fetches_result(plan, term, start, d))
            special->fetches_result |= UINT64_C(1) << d;
    }
    for (int l = 0; l < term->nlevels; l++)
        if (special->groups >> l & 1 && result_jumps(plan, term, l))
            special->places |= (uint32_t)1 << l;
    for (int l = 0; l < term->nlevels; l++)
        if ((special->groups >> l & 1 || (special->slots && l == 1)) && plan_is_long_stream(plan, term, l))
            special->streams |= (uint32_t)1 << l;
    special->has_short_lists = has_short_lists(plan, term);
    if (special->has_short_lists)
        special->streams = (uint32_t)1 << (term->nlevels - 1);
}

void plan_choose_distance(tsr_plan *plan)
{
    const tsr_schedule *const schedule = &plan->schedule;
    fetched most = {0};
    for (int i = 0; i < plan->nterms; i++) {
        const tsr_nest *const nest = plan->term[i].nest;
        const fetched f = nest->driver >= 0 ? deepest_rows(plan, nest) : (fetched){0};
        most.lines = f.lines > most.lines ? f.lines : most.lines;
        most.nbytes = f.nbytes > most.nbytes ? f.nbytes : most.nbytes;
    }
    const int ahead = find_distance(plan, &most);
    for (int i = 0; i < plan->nterms; i++) {
        tsr_nest_special *const special = &plan->term[i].nest->special;
        special->ahead = ahead;
        special->streams_ahead = schedule->ways.stream      ? schedule->ways.stream
                                 : schedule->prefetch > 0   ? schedule->prefetch
                                 : special->has_short_lists ? LISTS
                                                            : STREAM;
        special->places_ahead = special->streams_ahead > 1 ? special->streams_ahead / 2 : 1;
    }
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

/* How far ahead loop k fetches these rows: rows in the caches, and rows that are looked up in a table, a few positions. */
static int merge_distance(const tsr_plan *plan, const tsr_plan_term *term, int k, const fetched *of)
{
    if (plan->schedule.ways.rows)
        return plan->schedule.ways.rows;
    if (plan->schedule.prefetch > 0)
        return plan->schedule.prefetch;
    const bool is_large = of->nbytes > (double)LARGE_ROWS && of->nbytes < (double)UINT64_MAX;
    return is_large && !looks_up(plan, term, k) ? find_distance(plan, of) : NEAR;
}

/* The rows that loop k prefetches. */
static tsr_plan_fetch find_rows(const tsr_plan *plan, const tsr_plan_term *term, int k)
{
    const int walked = walked_alone(plan, term, k);
    tsr_plan_fetch fetch = {.access = walked};
    fetched rows = {0};
    for (int i = 0; i < term->naccesses && walked >= 0; i++) {
        const int a = term->access[i];
        if (a == walked || !has_rows(plan, a, term->order[k]) ||
            !are_far(plan, rows_nbytes(plan, a), (double)plan->target.tuning.prefetch_nbytes))
            continue;
        fetch.rows |= UINT64_C(1) << i;
        rows.lines += 2; /* of coordinates, and of values */
        rows.nbytes += rows_nbytes(plan, a);
    }
    if (fetch.rows) {
        fetch.level = plan_level_of(plan, walked, term->order[k]);
        fetch.ahead = merge_distance(plan, term, k, &rows);
    }
    return fetch;
}

/* Returns whether there are such loops. */
static bool choose_fetches(tsr_plan *plan)
{
    bool any = false;
    for (int i = 0; i < plan->nterms; i++) {
        tsr_plan_term *const term = &plan->term[i];
        for (int k = plan->sink == TSR_PLAN_ROWS ? plan->nouter : 0; k < term->nvars && !term->empty; k++) {
            term->fetch[k] = find_rows(plan, term, k);
            any = any || term->fetch[k].rows;
        }
    }
    return any;
}

void plan_choose_fetches(tsr_plan *plan)
{
    tsr_schedule *const schedule = &plan->schedule;
    if (plan_leaves_prefetches(plan) || plan->storage.parts)
        return; /* no other operand has the coordinate of a compound level */
    if (choose_fetches(plan) || !schedule->ways.usual || !schedule->ways.rows)
        return;
    schedule->ways.usual = false; /* the plan has no such loops without the item, so it asks for them */
    schedule->prefetch = schedule->prefetch ? schedule->prefetch : schedule->ways.rows;
    choose_fetches(plan);
}
