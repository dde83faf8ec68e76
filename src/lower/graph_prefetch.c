/* Which prefetches the terms of a plan that walks have. A row is prefetched where its place is computed from stored
 * coordinates (these can be read some positions ahead), the place does not simply advance, and the rows among which it
 * jumps are not small. lower_prefetch.c writes them. */
#include "lower_internal.h"
#include "tsr_checked.h"

enum {
    LINE_NBYTES = 64,
    POSITIONS = 64,    /* the largest distance */
    USUAL_LINES = 128, /* at the same time; with fewer (cached_lines) the least distance shrinks, too */
    STAYS = 4,       /* positions with the same coordinate: the row is in the first cache for most of them */
    KEPT_PARTS = 2,  /* of cached-bytes: one part stays in the last cache while entries go by */
    SHORT_LINES = 2, /* a row of more is fetched nevertheless where the first cache is small */
    SHORT_PARTS = 5, /* of SHORT_OF parts of prefetch-bytes: short rows in two thirds of the second cache */
    SHORT_OF = 3,
};

/* The first level l < d such that levels [l, d) have the same positions as depth d and store coordinates; d
 * where there is not such a level. */
int lower_chain_start(const lower_graph *graph, const lower_term *term, int d)
{
    const tsr_format *format = graph->operands[term->driver].binding->format;
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
static bool is_alone(const lower_term *term, int m, int start)
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
static uint64_t near_coordinates(const lower_graph *graph, const lower_term *term, int v, int start)
{
    const tsr_binding *binding = graph->operands[term->driver].binding;
    const int m = lower_binding_mode(term, v);
    const uint64_t all = graph->size[v], n = lower_known_positions(graph, term, term->nlevels);
    uint64_t inner = 1;
    if (m < 0)
        return all;
    const int least = is_alone(term, m, start) ? 1 : start;
    for (int l = term->nlevels - 1; l >= least; l--) {
        if (term->mode[m].levels >> l & 1 && !tsr_mul_u64(&inner, inner, binding->size[l]))
            return all;
        if (l <= start && inner < all && ratio(n, lower_known_positions(graph, term, l)) >= inner)
            return inner;
    }
    return all;
}

/* The bytes of the rows among which the positions below one position at depth `start` jump. */
static double near_nbytes(const lower_graph *graph, const lower_term *term, const tsr_expr *access, int start)
{
    double nbytes = (double)tsr_type_nbytes(graph->operands[access->tensor].type);
    for (int m = 0; m < access->nindices; m++)
        nbytes *= (double)near_coordinates(graph, term, access->index[m], start);
    return nbytes;
}

/* The number of cache lines of a row that are fetched; 1 where elements of the row are not consecutive. */
uint64_t lower_row_lines(const lower_graph *graph, const tsr_expr *access, uint32_t dense)
{
    const tsr_format *format = graph->operands[access->tensor].binding->format;
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(graph->operands[access->tensor].type);
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_permutation(format, perm))
        return 1;
    const int v = access->index[perm[format->nlevels - 1]];
    if (!lower_has(dense, v))
        return 1;
    const uint64_t block = graph->schedule.block[v], size = graph->size[v];
    const uint64_t n = ((block > 0 && block < size ? block : size) + step - 1) / step;
    return n < LOWER_PREFETCH_LINES ? n : LOWER_PREFETCH_LINES;
}

/* Whether the first cache is small (tsr_tuning.h). */
static bool has_small_cache(const lower_graph *graph)
{
    return graph->tuning.cached_lines < USUAL_LINES;
}

/* The bytes of rows that the processor reads in time without a prefetch. With a small first cache, prefetches of short rows in
 * the second one cost more than they save: MTTKRP of rank 16 (EPYC, all rows of strips(4096), 512 kB, and of a factor of
 * 640 kB) takes 3 to 11% less without them, of rank 32 (strips(2048), 512 kB) from 5% less to 11% more. */
static double near_enough(const lower_graph *graph, const lower_term *term, const tsr_expr *access)
{
    const double nbytes = (double)graph->tuning.prefetch_nbytes;
    return has_small_cache(graph) && lower_row_lines(graph, access, term->dense) <= SHORT_LINES
               ? nbytes * SHORT_PARTS / SHORT_OF
               : nbytes;
}

/* Whether rows of the tensor are worth a prefetch: the rows that are near may be larger than the caches from which the
 * processor reads in time without a prefetch (tsr_tuning.h), or the schedule asks for a prefetch. */
static bool is_wanted(const lower_graph *graph, const lower_term *term, const tsr_expr *access, int start)
{
    return (near_nbytes(graph, term, access, start) > near_enough(graph, term, access) ||
            graph->schedule.prefetch > 0) &&
           !graph->operands[access->tensor].iso;
}

/* Whether the row of an access stays where it is for several positions on average, as far as the numbers of positions are
 * known: its place depends on the coordinates of level l alone, which rise below each parent. With a small first cache, the
 * next row of four lines costs more when it comes than prefetches at all positions (MTTKRP of rank 32, EPYC, loops without tbench:
 * 2 to 29%). There a short row stays already if it has one position, and all rows stay in a part of the last cache: the
 * processor fetches rising rows ahead. MTTKRP of rank 16 with strips takes 7 to 16% less without these prefetches for rows of
 * 3.8 MB (1.7 and 3.4 positions), but 10 to 19% more for rows of 12.8 MB (2.5 positions). */
static bool stays(const lower_graph *graph, const lower_term *term, const tsr_expr *access, int l)
{
    uint64_t most, least = STAYS;
    if (has_small_cache(graph)) {
        if (lower_row_lines(graph, access, term->dense) > SHORT_LINES)
            return false;
        if (near_nbytes(graph, term, access, l) <= (double)graph->tuning.cached_nbytes / KEPT_PARTS)
            least = 1;
    }
    return tsr_mul_u64(&most, lower_known_positions(graph, term, l),
                       graph->operands[term->driver].binding->size[l]) &&
           ratio(lower_known_positions(graph, term, term->nlevels), most) >= least;
}

/* Whether the place of an access becomes known at levels [start, d) and jumps from position to position. A
 * place that depends on the first level alone does not jump, since the coordinates of that level rise; nor does a place
 * that depends on level `start` alone, if it stays for several positions. */
static bool jumps_at(const lower_graph *graph, const lower_term *term, const tsr_expr *access, int start,
                     int d)
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
           (!slow || graph->schedule.prefetch > 0 || !stays(graph, term, access, first));
}

/* Whether the row of factor f is fetched at depth d; fetches_result: the row of the result. */
static bool fetches_factor(const lower_graph *graph, const lower_term *term, const lower_factor *f, int start,
                           int d)
{
    return f->expr->kind == TSR_EXPR_ACCESS && !f->is_driver && f->dense != 0 &&
           is_wanted(graph, term, f->expr, start) && jumps_at(graph, term, f->expr, start, d);
}

/* The row that a run adds to is fetched where a run begins, since rows are as far apart as runs. */
static bool fetches_result(const lower_graph *graph, const lower_term *term, int start, int d)
{
    const tsr_expr *result = graph->notation->result;
    if (term->run > 0)
        return d == term->run && is_wanted(graph, term, result, start);
    return term->shared == 0 && !term->deferred && (term->dense & ~term->sum) &&
           is_wanted(graph, term, result, start) && jumps_at(graph, term, result, start, d);
}

/* What is fetched for a position of the last level: cache lines, of rows that have nbytes together. */
typedef struct fetched {
    uint64_t lines;
    double nbytes;
} fetched;

static void count_rows(fetched *f, const lower_graph *graph, const lower_term *term, const tsr_expr *access,
                       uint32_t dense)
{
    f->lines += lower_row_lines(graph, access, dense);
    f->nbytes += near_nbytes(graph, term, access, lower_chain_start(graph, term, term->nlevels));
}

static fetched leaf_rows(const lower_graph *graph, const lower_term *term)
{
    const int start = lower_chain_start(graph, term, term->nlevels);
    fetched f = {0};
    for (int i = 0; i < term->nfactors; i++)
        if (fetches_factor(graph, term, &term->factor[i], start, term->nlevels))
            count_rows(&f, graph, term, term->factor[i].expr, term->factor[i].dense);
    if (fetches_result(graph, term, start, term->nlevels))
        count_rows(&f, graph, term, graph->notation->result, term->dense & ~term->sum);
    return f;
}

uint64_t lower_prefetched_lines(const lower_graph *graph, const lower_term *term)
{
    return term->driver < 0 || graph->schedule.prefetch < 0 ? 0 : leaf_rows(graph, term).lines;
}

int lower_prefetch_distance(const lower_graph *graph)
{
    const tsr_tuning *tuning = &graph->tuning;
    fetched most = {0};
    uint64_t lines = tuning->prefetch_lines, least = LOWER_PREFETCH;
    if (graph->schedule.prefetch)
        return graph->schedule.prefetch;
    for (int i = 0; i < graph->nterms; i++) {
        const fetched f = graph->term[i].driver >= 0 ? leaf_rows(graph, &graph->term[i]) : (fetched){0};
        most.lines = f.lines > most.lines ? f.lines : most.lines;
        most.nbytes = f.nbytes > most.nbytes ? f.nbytes : most.nbytes;
    }
    if (most.nbytes <= (double)tuning->cached_nbytes && has_small_cache(graph)) {
        lines = lines < tuning->cached_lines ? lines : tuning->cached_lines;
        least = LOWER_PREFETCH * tuning->cached_lines / USUAL_LINES;
        least = least > 0 ? least : 1;
    }
    const uint64_t distance = most.lines > 0 ? lines / most.lines : 0;
    return (int)(distance < least ? least : distance < POSITIONS ? distance : POSITIONS);
}

bool lower_is_long_stream(const lower_graph *graph, const lower_term *term, int from)
{
    const tsr_lower_operand *driver = &graph->operands[term->driver];
    double nbytes = driver->iso ? 0 : (double)tsr_type_nbytes(driver->type);
    for (int l = from; l < term->nlevels; l++)
        nbytes += driver->nbytes[TSR_LEVEL_CRD][l];
    const uint64_t n = lower_known_positions(graph, term, term->nlevels);
    if (graph->schedule.prefetch)
        return graph->schedule.prefetch > 0;
    return n == 0 || nbytes * (double)n > (double)graph->tuning.prefetch_nbytes;
}

/* Whether a new loop begins below depth d, or depth d is the last one: the positions ahead are those of this loop. */
static bool is_settled(const lower_graph *graph, const lower_term *term, int d)
{
    return d == term->nlevels || d == term->run ||
           !graph->operands[term->driver].binding->format->levels[d].type->branchless;
}

void lower_choose_prefetches(const lower_graph *graph, lower_term *term)
{
    lower_special *const special = &term->special;
    if (graph->schedule.prefetch < 0)
        return;
    for (int d = 1; d <= term->nlevels; d++) {
        const int start = lower_chain_start(graph, term, d);
        if (!is_settled(graph, term, d))
            continue;
        for (int i = 0; i < term->nfactors && d != term->run; i++)
            if (fetches_factor(graph, term, &term->factor[i], start, d))
                special->fetched[d] |= UINT64_C(1) << i;
        if (fetches_result(graph, term, start, d))
            special->fetches_result |= UINT64_C(1) << d;
    }
    for (int l = 0; l < term->nlevels; l++)
        if ((special->groups >> l & 1 || (special->slots && l == 1)) && lower_is_long_stream(graph, term, l))
            special->streams |= (uint32_t)1 << l;
}
