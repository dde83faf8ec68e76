/* R-MAT graphs (Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", 2004), without edges that occur twice: each
 * edge falls into a quadrant of the matrix with the probabilities 0.57, 0.19, 0.19, 0.05 of the Graph 500 benchmark, then into a
 * quadrant of that, and so on. Rows are drawn first, by halves, so that the entries come in order and nothing but a row is kept. */
#include <string.h>

#include "gen_internal.h"
#include "tsr_alloc.h"

enum { P_TOP = 76, P_LEFT_OF_TOP = 57, P_LEFT_OF_BOTTOM = 19 }; /* in percent */

typedef struct rmat {
    gen_sink *sink;
    uint64_t seed;
    int scale;                 /* 2^scale rows */
    uint32_t *columns, *spare; /* of one row */
    uint64_t room;             /* elements of each */
} rmat;

static tsr_status make_room(rmat *m, uint64_t n, tsr_error *err)
{
    if (n <= m->room)
        return TSR_OK;
    void *columns = m->columns, *spare = m->spare;
    tsr_status status = tsr_realloc_array(&columns, n, sizeof(uint32_t), "a row of a graph", err);
    m->columns = columns;
    if (status == TSR_OK)
        status = tsr_realloc_array(&spare, n, sizeof(uint32_t), "a row of a graph", err);
    m->spare = spare;
    m->room = status == TSR_OK ? n : m->room;
    return status;
}

/* A column of an entry of the row: one bit for each bit of the row. */
static uint32_t draw_column(gen_rng *rng, uint64_t row, int scale)
{
    uint32_t column = 0;
    for (int bit = scale - 1; bit >= 0; bit--) {
        const bool bottom = row >> bit & 1;
        const bool left =
            bottom ? gen_below(rng, 100 - P_TOP) < P_LEFT_OF_BOTTOM : gen_below(rng, P_TOP) < P_LEFT_OF_TOP;
        column = column << 1 | !left;
    }
    return column;
}

/* n different columns, rising; the last row has the last column. */
static void draw_columns(rmat *m, uint64_t row, size_t n, gen_rng *rng)
{
    enum { NROUNDS = 8 };
    const uint64_t last = (UINT64_C(1) << m->scale) - 1;
    size_t have = 0;
    if (row == last)
        m->columns[have++] = (uint32_t)last;
    for (int round = 0; round < NROUNDS && have < n; round++) {
        while (have < n)
            m->columns[have++] = draw_column(rng, row, m->scale);
        gen_sort(m->columns, have, m->spare);
        have = gen_unique(m->columns, have);
    }
    if (have < n) {
        gen_fill(m->columns, have, n - have, 0, last + 1);
        gen_sort(m->columns, n, m->spare);
    }
}

/* How many of n entries fall into the upper half of 2^bits rows that begin with `row`; both halves have room for theirs, and the
 * last row of all gets an entry. */
static uint64_t cut(const rmat *m, uint64_t row, int bits, uint64_t n, gen_rng *rng)
{
    const uint64_t nrows = UINT64_C(1) << (bits - 1), room = nrows << m->scale;
    const bool is_last = row + 2 * nrows == UINT64_C(1) << m->scale;
    uint64_t top = 0;
    for (uint64_t e = 0; e < n; e++)
        top += gen_below(rng, 100) < P_TOP;
    if (is_last && n > 0 && top == n)
        top--;
    return top > room ? room : n - top > room ? n - room : top;
}

/* n entries in 2^bits rows that begin with `row`. */
static tsr_status add_rows(rmat *m, uint64_t row, int bits, uint64_t n, tsr_error *err)
{
    if (n == 0)
        return TSR_OK;
    gen_rng rng = {gen_child_seed(gen_child_seed(m->seed, row), (uint64_t)bits)};
    if (bits > 0) {
        const uint64_t top = cut(m, row, bits, n, &rng);
        TSR_TRY(add_rows(m, row, bits - 1, top, err));
        return add_rows(m, row + (UINT64_C(1) << (bits - 1)), bits - 1, n - top, err);
    }
    TSR_TRY(make_room(m, n, err));
    draw_columns(m, row, (size_t)n, &rng);
    return gen_sink_fiber(m->sink, (tsr_shape){1, &row}, m->columns, (size_t)n, &rng, err);
}

tsr_status gen_rmat(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    rmat m = {.sink = sink, .seed = seed, .scale = (int)gen->m};
    const tsr_status status = add_rows(&m, 0, m.scale, gen->shape.nnz, err);
    tsr_free(m.columns);
    tsr_free(m.spare);
    return status;
}
