/* Patterns of discretised equations: stencils on a grid, and a band with a full last row and column. */
#include "gen_internal.h"
#include "tsr_alloc.h"

/* ---- stencils ---- */

enum { NDIMS = 3, MOST_POINTS = 27 };

/* A grid of up to three dims, missing ones of size 1; its nodes are counted with the last dim fastest. */
typedef struct grid {
    uint64_t size[NDIMS];
    int64_t offset[MOST_POINTS]
                  [NDIMS]; /* from a node to its neighbours and to itself, in the order of their numbers */
    int npoints;
} grid;

/* Whether an offset with this number of steps belongs to a stencil: one step (5 and 7 points), or any (9 and 27). */
static bool is_point(int nsteps, bool full)
{
    return full || nsteps <= 1;
}

static grid make_grid(const tsr_gen *gen)
{
    grid g = {.size = {gen->m, gen->n, gen->k}};
    const bool full = gen->width == 9 || gen->width == MOST_POINTS;
    int64_t reach[NDIMS];
    for (int d = 0; d < NDIMS; d++)
        reach[d] = g.size[d] > 1;
    for (int64_t a = -reach[0]; a <= reach[0]; a++)
        for (int64_t b = -reach[1]; b <= reach[1]; b++)
            for (int64_t c = -reach[2]; c <= reach[2]; c++)
                if (is_point((a != 0) + (b != 0) + (c != 0), full)) {
                    int64_t *const offset = g.offset[g.npoints++];
                    offset[0] = a, offset[1] = b, offset[2] = c;
                }
    return g;
}

/* The numbers of the neighbours of the node at `at`, and its own, rising. */
static int find_neighbours(uint64_t *out, const grid *g, const uint64_t *at)
{
    int n = 0;
    for (int p = 0; p < g->npoints; p++) {
        uint64_t number = 0;
        bool inside = true;
        for (int d = 0; d < NDIMS; d++) {
            const uint64_t x = at[d] + (uint64_t)g->offset[p][d]; /* -1 wraps beyond every size */
            inside = inside && x < g->size[d];
            number = number * g->size[d] + x;
        }
        if (inside)
            out[n++] = number;
    }
    return n;
}

uint64_t gen_stencil_nnz(const tsr_gen *gen)
{
    const grid g = make_grid(gen);
    const uint64_t first[NDIMS] = {0}, unknowns = gen->block, cut = gen->per_row;
    uint64_t neighbours[MOST_POINTS], pairs = 0;
    for (int p = 0; p < g.npoints; p++) {
        uint64_t nodes = 1; /* that have this neighbour */
        for (int d = 0; d < NDIMS; d++)
            nodes = gen_saturating_mul(nodes, g.size[d] - (g.offset[p][d] != 0));
        pairs = nodes > UINT64_MAX - pairs ? UINT64_MAX : pairs + nodes;
    }
    const uint64_t all = gen_saturating_mul(pairs, unknowns * unknowns),
                   near = (uint64_t)find_neighbours(neighbours, &g, first) * unknowns;
    return all == UINT64_MAX ? all : all - (2 * cut * near - cut * cut);
}

/* A node and its neighbours. */
typedef struct stencil_node {
    uint64_t number, near[MOST_POINTS];
    int nnear;
} stencil_node;

/* The rows of a node: its unknowns, less those that are cut, which are the first ones of node 0. columns: scratch. */
static tsr_status add_node(gen_sink *sink, const tsr_gen *gen, const stencil_node *node, uint32_t *columns,
                           uint64_t seed, tsr_error *err)
{
    const uint64_t unknowns = gen->block, cut = gen->per_row;
    size_t n = 0;
    for (int p = 0; p < node->nnear; p++)
        for (uint64_t u = node->near[p] == 0 ? cut : 0; u < unknowns; u++)
            columns[n++] = (uint32_t)(node->near[p] * unknowns + u - cut);
    for (uint64_t u = node->number == 0 ? cut : 0; u < unknowns; u++) {
        const uint64_t row = node->number * unknowns + u - cut;
        gen_rng rng = {gen_child_seed(seed, row)};
        TSR_TRY(gen_sink_fiber(sink, (tsr_shape){1, &row}, columns, n, &rng, err));
    }
    return TSR_OK;
}

tsr_status gen_stencil(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    const grid g = make_grid(gen);
    uint64_t at[NDIMS];
    stencil_node node = {0};
    void *columns;
    tsr_status status = TSR_OK;
    TSR_TRY(
        tsr_alloc_array(&columns, MOST_POINTS * gen->block, sizeof(uint32_t), 0, "a row of a stencil", err));
    for (at[0] = 0; at[0] < g.size[0]; at[0]++)
        for (at[1] = 0; at[1] < g.size[1]; at[1]++)
            for (at[2] = 0; at[2] < g.size[2]; at[2]++, node.number++) {
                node.nnear = find_neighbours(node.near, &g, at);
                TSR_TRY_OUT(add_node(sink, gen, &node, columns, seed, err));
            }
out:
    tsr_free(columns);
    return status;
}

/* ---- arrows ---- */

/* Row i: its part of the band, then the last column; the last row is full. */
tsr_status gen_arrow(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    const uint64_t n = gen->shape.dims[0], half = gen->width / 2;
    for (uint64_t i = 0; i < n; i++) {
        gen_rng rng = {gen_child_seed(seed, i)};
        const uint64_t begin = i > half && i + 1 < n ? i - half : 0, end = i + half < n ? i + half + 1 : n;
        TSR_TRY(gen_sink_range(sink, i, i + 1 < n ? begin : 0, i + 1 < n ? end : n, &rng, err));
        if (end < n)
            TSR_TRY(gen_sink_range(sink, i, n - 1, n, &rng, err));
    }
    return TSR_OK;
}
