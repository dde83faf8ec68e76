/* Prefetching rows of factors and of the result. A row is prefetched where its place is computed from stored
 * coordinates (these can be read some positions ahead), the place does not simply advance, and the rows among which it
 * jumps are not small. */
#include "lower_term.h"

#include "tsr_checked.h"

enum {
    LINE_NBYTES = 64,
    POSITIONS = 64,         /* the largest distance */
    USUAL_LINES = 128,      /* at the same time; with fewer (cached_lines) the least distance shrinks, too */
    STREAM_NBYTES = 16384,  /* distance in a long row */
    STREAM_POSITIONS = 128, /* distance where a loop jumps in another operand */
    STAYS = 4,       /* positions with the same coordinate: the row is in the first cache for most of them */
    KEPT_PARTS = 2,  /* of cached-bytes: one part stays in the last cache while entries go by */
    SHORT_LINES = 2, /* a row of more is fetched nevertheless where the first cache is small */
    SHORT_PARTS = 5, /* of SHORT_OF parts of prefetch-bytes: short rows in two thirds of the second cache */
    SHORT_OF = 3,
};

/* The first level l < d such that levels [l, d) have the same positions as depth d and store coordinates; d
 * where there is not such a level. */
static int chain_start(const lower_graph *graph, const lower_term *term, int d)
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
static uint64_t row_lines(const lower_graph *graph, const tsr_expr *access, uint32_t dense)
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
    return has_small_cache(graph) && row_lines(graph, access, term->dense) <= SHORT_LINES
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
        if (row_lines(graph, access, term->dense) > SHORT_LINES)
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

/* coordinates[v]: the coordinate of variable v at the given position for variables of the levels [start, d),
 * the start of the range for dense variables, and the current coordinate for others. */
static void coordinates_ahead(lower_state *s, const tsr_ir_expr **coordinates, int start, int d,
                              const tsr_ir_expr *position)
{
    const lower_term *term = s->term;
    const tsr_binding *binding = s->p->graph->operands[term->driver].binding;
    const tsr_ir_expr *crd[TSR_MAX_LEVELS];
    int perm[TSR_MAX_LEVELS];
    const bool is_permutation = tsr_format_is_permutation(binding->format, perm);
    for (int l = 0; l < term->nlevels; l++) /* nothing that is wanted depends on the levels from d on */
        crd[l] =
            l < start ? s->crd[l]
            : l < d
                ? tsr_ir_add(s->ir,
                             tsr_ir_load_index(s->ir, lower_array_param(s->p, TSR_PARAM_CRD, term->driver, l),
                                               position),
                             tsr_ir_index(s->ir, binding->base[l]))
                : tsr_ir_index(s->ir, 0);
    for (int v = 0; v < s->p->graph->notation->nvars; v++)
        coordinates[v] = term->known[v] >= 0 ? s->at[v] : s->first[v] ? s->first[v] : tsr_ir_index(s->ir, 0);
    for (int m = 0; m < binding->format->order; m++)
        if (term->mode[m].binds && term->mode[m].depth > start && term->mode[m].depth <= d)
            coordinates[term->mode[m].var] = is_permutation
                                                 ? crd[term->mode[m].depth - 1]
                                                 : lower_map_result(s->p, binding->inverse, m, crd);
}

/* Fetch the lines of a row from array[place] on. */
static void fetch_row(lower_state *s, const tsr_expr *access, const tsr_ir_array *array,
                      const tsr_ir_expr *place, uint32_t dense, bool write)
{
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(s->p->graph->operands[access->tensor].type);
    const uint64_t n = row_lines(s->p->graph, access, dense);
    for (uint64_t k = 0; k < n; k++)
        tsr_ir_prefetch(s->ir, array, tsr_ir_add(s->ir, place, tsr_ir_index(s->ir, (int64_t)(k * step))),
                        write);
}

/* The coordinates some positions ahead, computed once. */
typedef struct ahead {
    bool found;
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS];
} ahead;

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
    f->lines += row_lines(graph, access, dense);
    f->nbytes += near_nbytes(graph, term, access, chain_start(graph, term, term->nlevels));
}

static fetched leaf_rows(const lower_graph *graph, const lower_term *term)
{
    const int start = chain_start(graph, term, term->nlevels);
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

/* Fill in `later`, once, with the coordinates at the prefetch distance. */
static void look_ahead(lower_state *s, ahead *later, int start, int d)
{
    const int leaf = lower_prefetch_distance(s->p->graph);
    const int distance = d == s->term->nlevels || d == s->term->run ? leaf : (leaf + 1) / 2;
    if (later->found)
        return;
    const tsr_ir_expr *last = tsr_ir_sub(
        s->ir, lower_index_param(s->p, TSR_PARAM_NPOS, s->term->driver, d - 1, -1), tsr_ir_index(s->ir, 1));
    const tsr_ir_expr *position = tsr_ir_add(s->ir, s->pos[d], tsr_ir_index(s->ir, distance));
    position = tsr_ir_declare(s->ir, "ahead", tsr_ir_op2(s->ir, TSR_IR_MIN, position, last), false);
    coordinates_ahead(s, later->at, start, d, position);
    later->found = true;
    s->p->prefetches = true;
}

void lower_prefetch(lower_state *s, int d)
{
    const lower_graph *graph = s->p->graph;
    const lower_term *term = s->term;
    const tsr_expr *result = graph->notation->result;
    ahead later = {.found = false};
    if (term->driver < 0 || d == 0 || graph->schedule.prefetch < 0)
        return;
    const int start = chain_start(graph, term, d);
    for (int i = 0; i < term->nfactors && d != term->run; i++) {
        const lower_factor *f = &term->factor[i];
        if (!fetches_factor(graph, term, f, start, d))
            continue;
        look_ahead(s, &later, start, d);
        fetch_row(s, f->expr, lower_array_param(s->p, TSR_PARAM_VALUES, f->expr->tensor, -1),
                  lower_place(s->p, f->expr, 0, tsr_ir_index(s->ir, 0), later.at), f->dense, false);
    }
    if (fetches_result(graph, term, start, d)) {
        look_ahead(s, &later, start, d);
        const tsr_ir_expr *place = lower_place(s->p, result, 0, tsr_ir_index(s->ir, 0), later.at);
        if (s->sink->offset)
            place = tsr_ir_add(s->ir, s->sink->offset, place);
        fetch_row(s, result, s->sink->array, place, term->dense & ~term->sum, true);
    }
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

/* The distance that the schedule asks for, else the usual one. */
static const tsr_ir_expr *distance_or(lower_state *s, int usual)
{
    const int asked = s->p->graph->schedule.prefetch;
    return tsr_ir_index(s->ir, asked > 0 ? asked : usual);
}

/* Fetch the lines of n elements from array[place] on. */
static void fetch_stream(lower_state *s, const tsr_ir_array *array, const tsr_ir_expr *place, uint64_t n)
{
    const uint64_t step = LINE_NBYTES / tsr_type_nbytes(array->elem);
    for (uint64_t k = 0; k * step < n && k < LOWER_PREFETCH_LINES; k++)
        tsr_ir_prefetch(s->ir, array, tsr_ir_add(s->ir, place, tsr_ir_index(s->ir, (int64_t)(k * step))),
                        false);
}

void lower_prefetch_positions(lower_state *s, int from, const tsr_ir_expr *first, uint64_t n)
{
    const int driver = s->term->driver;
    if (!lower_is_long_stream(s->p->graph, s->term, from))
        return;
    const tsr_ir_expr *place = tsr_ir_add(s->ir, first, distance_or(s, STREAM_POSITIONS));
    for (int l = from; l < s->term->nlevels; l++)
        if (s->p->graph->operands[driver].nbytes[TSR_LEVEL_CRD][l] > 0)
            fetch_stream(s, lower_array_param(s->p, TSR_PARAM_CRD, driver, l), place, n);
    if (!s->p->graph->operands[driver].iso)
        fetch_stream(s, lower_array_param(s->p, TSR_PARAM_VALUES, driver, -1), place, n);
}

/* Whether the place of the result follows from the coordinates below depth d + 1 of the entries, which jump. */
static bool result_jumps(const lower_state *s, int d)
{
    const tsr_expr *result = s->p->graph->notation->result;
    bool jumps = false;
    for (int m = 0; m < result->nindices; m++) {
        const int of = lower_binding_mode(s->term, result->index[m]);
        jumps = jumps || (of >= 0 && s->term->mode[of].depth > d + 1);
    }
    return jumps;
}

void lower_prefetch_group(lower_state *s, int d, const tsr_ir_expr *first, uint64_t n)
{
    tsr_ir_builder *ir = s->ir;
    const int leaf = s->term->nlevels;
    const tsr_ir_expr *at[TSR_NOTATION_MAX_VARS], *size = tsr_ir_index(ir, (int64_t)n);
    lower_prefetch_positions(s, d, first, n);
    if (!result_jumps(s, d))
        return;
    const tsr_ir_expr *last =
        tsr_ir_sub(ir, lower_index_param(s->p, TSR_PARAM_NPOS, s->term->driver, leaf - 1, -1), size);
    const tsr_ir_expr *later =
        tsr_ir_op2(ir, TSR_IR_MIN, tsr_ir_add(ir, first, distance_or(s, POSITIONS)), last);
    later = tsr_ir_declare(ir, "ahead", later, false);
    const tsr_ir_expr *k = tsr_ir_for(ir, "k", tsr_ir_index(ir, 0), size, 0);
    coordinates_ahead(s, at, d, leaf, tsr_ir_add(ir, later, k));
    const tsr_ir_expr *place = lower_place(s->p, s->p->graph->notation->result, 0, tsr_ir_index(ir, 0), at);
    if (s->sink->offset)
        place = tsr_ir_add(ir, s->sink->offset, place);
    tsr_ir_prefetch(ir, s->sink->array, place, true);
    tsr_ir_end(ir);
}

void lower_prefetch_stream(lower_state *s)
{
    const tsr_lower_operand *driver = &s->p->graph->operands[s->term->driver];
    if (s->p->graph->schedule.prefetch < 0 || driver->iso)
        return;
    const int64_t distance = STREAM_NBYTES / (int64_t)tsr_type_nbytes(driver->type);
    tsr_ir_prefetch(s->ir, lower_array_param(s->p, TSR_PARAM_VALUES, s->term->driver, -1),
                    tsr_ir_add(s->ir, s->pos[s->term->nlevels], tsr_ir_index(s->ir, distance)), false);
}
