/* The grid of tsr_density.h. */
#include "tsr_density.h"

#include <string.h>

#include "tsr_clones.h"

/* cell[e] = floor(c[e] * n / dim). The quotient of doubles is at most 1 off; integers, which do not overflow
 * as c * n < 2^63, correct it. */
TSR_CLONES static void compute_cells(uint32_t *restrict cell, const uint64_t *restrict c, size_t n_entries,
                                     uint32_t n, uint64_t dim)
{
    const int shift = dim >> 47 ? 16 : 0;
    const uint64_t d = (dim >> shift) + (shift > 0);
    const double scale = (double)n / (double)d;
    for (size_t e = 0; e < n_entries; e++) {
        const uint64_t v = (c[e] >> shift) * n;
        uint64_t k = (uint64_t)(int64_t)((double)(int64_t)(c[e] >> shift) * scale);
        k -= k * d > v;
        k += (k + 1) * d <= v;
        cell[e] = (uint32_t)k;
    }
}

/* compute_cells, faster where the coordinates rise: if the first and the last coordinate fall into one cell,
 * all do. */
static void find_cells(uint32_t *cell, const uint64_t *c, size_t n_entries, uint32_t n, uint64_t dim)
{
    uint32_t ends[2];
    bool rising = n_entries > 2;
    for (size_t e = 1; e < n_entries && rising; e++)
        rising = c[e - 1] <= c[e];
    if (rising) {
        compute_cells(ends, &(uint64_t){c[0]}, 1, n, dim);
        compute_cells(ends + 1, &(uint64_t){c[n_entries - 1]}, 1, n, dim);
    }
    if (!rising || ends[0] != ends[1])
        compute_cells(cell, c, n_entries, n, dim);
    else
        for (size_t e = 0; e < n_entries; e++)
            cell[e] = ends[0];
}

tsr_status tsr_density_init(tsr_density *density, int order, const uint64_t *dims, const int mode[2],
                            const uint32_t n[2], tsr_error *err)
{
    memset(density, 0, sizeof *density);
    for (int a = 0; a < 2; a++) {
        const uint64_t dim = mode[a] >= 0 && mode[a] < order ? dims[mode[a]] : 1;
        density->mode[a] = mode[a];
        density->dim[a] = dim > 0 ? dim : 1;
        density->n[a] = n[a] < density->dim[a] ? n[a] : (uint32_t)density->dim[a];
    }
    void *block = NULL;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)density->n[0] * density->n[1], sizeof(uint64_t), 1,
                            "the picture", err));
    density->count = block;
    return TSR_OK;
}

void tsr_density_add(const tsr_density *density, uint64_t *count, const tsr_cell_block *block)
{
    uint32_t row[TSR_LEVEL_BLOCK] = {0}, col[TSR_LEVEL_BLOCK] = {0};
    if (density->mode[0] >= 0)
        find_cells(row, block->crd[density->mode[0]], block->n, density->n[0], density->dim[0]);
    if (density->mode[1] >= 0)
        find_cells(col, block->crd[density->mode[1]], block->n, density->n[1], density->dim[1]);
    for (size_t e = 0; e < block->n; e++)
        count[(size_t)row[e] * density->n[1] + col[e]]++;
}

void tsr_density_finish(tsr_density *density)
{
    density->max = density->total = 0;
    for (size_t c = 0; c < (size_t)density->n[0] * density->n[1]; c++) {
        density->max = density->count[c] > density->max ? density->count[c] : density->max;
        density->total += density->count[c];
    }
}

void tsr_density_clear(tsr_density *density)
{
    tsr_free(density->count);
    memset(density, 0, sizeof *density);
}
