/* Patterns: bands, blocks, the tensor of matrix multiplication; gen_mesh.c and gen_rmat.c have more. */
#include <string.h>

#include "gen_internal.h"
#include "tsr_alloc.h"

enum { NCHUNK = 1 << 12 };

tsr_status gen_sink_range(gen_sink *sink, uint64_t i, uint64_t first, uint64_t end, gen_rng *rng,
                          tsr_error *err)
{
    uint32_t last[NCHUNK];
    while (first < end) {
        size_t n = 0;
        for (; n < NCHUNK && first < end; first++)
            last[n++] = (uint32_t)first;
        TSR_TRY(gen_sink_fiber(sink, (tsr_shape){1, &i}, last, n, rng, err));
    }
    return TSR_OK;
}

static tsr_status banded(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    const uint64_t n = gen->shape.dims[0], half = gen->width / 2;
    for (uint64_t i = 0; i < n; i++) {
        gen_rng rng = {gen_child_seed(seed, i)};
        TSR_TRY(gen_sink_range(sink, i, i > half ? i - half : 0, i + half < n ? i + half + 1 : n, &rng, err));
    }
    return TSR_OK;
}

/* Different block columns of a row of blocks, sorted. */
static void choose_blocks(uint32_t *columns, uint32_t *spare, size_t want, uint64_t nblocks, bool corner,
                          gen_rng *rng)
{
    enum { NROUNDS = 4 };
    size_t have = 0;
    if (corner)
        columns[have++] = (uint32_t)(nblocks - 1);
    for (int round = 0; round < NROUNDS && have < want; round++) {
        while (have < want)
            columns[have++] = (uint32_t)gen_below(rng, nblocks);
        gen_sort(columns, have, spare);
        have = gen_unique(columns, have);
    }
    if (have < want) {
        gen_fill(columns, have, want - have, 0, nblocks);
        gen_sort(columns, want, spare);
    }
}

static tsr_status add_block_row(gen_sink *sink, const tsr_gen *gen, uint64_t row, const uint32_t *columns,
                                gen_rng *rng, tsr_error *err)
{
    const uint64_t b = gen->block;
    for (uint64_t i = row * b; i < (row + 1) * b; i++)
        for (uint64_t c = 0; c < gen->per_row; c++)
            TSR_TRY(gen_sink_range(sink, i, columns[c] * b, (columns[c] + UINT64_C(1)) * b, rng, err));
    return TSR_OK;
}

static tsr_status block(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    const uint64_t nblocks = gen->shape.dims[0] / gen->block;
    void *columns = NULL, *spare = NULL;
    tsr_status status;
    TSR_TRY_OUT(tsr_alloc_array(&columns, gen->per_row, sizeof(uint32_t), 0, "a row of blocks", err));
    TSR_TRY_OUT(tsr_alloc_array(&spare, gen->per_row, sizeof(uint32_t), 0, "a row of blocks", err));
    for (uint64_t row = 0; row < nblocks; row++) {
        gen_rng rng = {gen_child_seed(seed, row)};
        choose_blocks(columns, spare, (size_t)gen->per_row, nblocks, row == nblocks - 1, &rng);
        TSR_TRY_OUT(add_block_row(sink, gen, row, columns, &rng, err));
    }
out:
    tsr_free(columns);
    tsr_free(spare);
    return status;
}

/* C = A B is bilinear, C(j,i) = sum over a, b of T(a, b, (j,i)) A(a) B(b): an entry for each i, j, k at
 * A's (i, k), B's (k, j) and C's (j, i), each matrix's cells counted row by row, C's of the transpose. */
static tsr_status matmul(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    gen_rng rng = {seed};
    for (uint64_t i = 0; i < gen->m; i++)
        for (uint64_t k = 0; k < gen->k; k++)
            for (uint64_t j = 0; j < gen->n; j++) {
                const uint64_t prefix[2] = {i * gen->k + k, k * gen->n + j};
                const uint32_t last = (uint32_t)(j * gen->m + i);
                TSR_TRY(gen_sink_fiber(sink, (tsr_shape){2, prefix}, &last, 1, &rng, err));
            }
    return TSR_OK;
}

tsr_status gen_pattern(gen_sink *sink, const tsr_gen *gen, uint64_t seed, tsr_error *err)
{
    switch (gen->kind) {
    case TSR_GEN_BANDED:
        return banded(sink, gen, gen_mix(seed), err);
    case TSR_GEN_BLOCK:
        return block(sink, gen, gen_mix(seed), err);
    case TSR_GEN_STENCIL:
        return gen_stencil(sink, gen, gen_mix(seed), err);
    case TSR_GEN_ARROW:
        return gen_arrow(sink, gen, gen_mix(seed), err);
    case TSR_GEN_RMAT:
        return gen_rmat(sink, gen, gen_mix(seed), err);
    default:
        return matmul(sink, gen, seed, err);
    }
}
