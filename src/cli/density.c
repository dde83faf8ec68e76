/* Density of entries: see density.h. */
#include "density.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };

/* floor(i * n / dim) for i < dim, n <= dim, n < 2^16: exact while dim < 2^47, beyond that within a cell of
 * it. */
static size_t cell_of(uint64_t i, uint32_t n, uint64_t dim, int shift)
{
    return (size_t)((i >> shift) * n / ((dim >> shift) + (shift > 0)));
}

tsr_status tsr_density_init(tsr_density *density, const tsr_coo *coo, const int mode[2], const uint32_t n[2],
                            tsr_error *err)
{
    memset(density, 0, sizeof *density);
    int shift[2];
    for (int a = 0; a < 2; a++) {
        const uint64_t dim = mode[a] >= 0 ? coo->dims[mode[a]] : 1;
        density->mode[a] = mode[a];
        density->dim[a] = dim > 0 ? dim : 1;
        density->n[a] = n[a] < density->dim[a] ? n[a] : (uint32_t)density->dim[a];
        shift[a] = density->dim[a] >> 47 ? 16 : 0;
    }
    void *block = NULL;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)density->n[0] * density->n[1], sizeof(uint64_t), 1,
                            "the picture", err));
    density->count = block;
    uint64_t crd[2][BLOCK] = {{0}};
    for (uint64_t first = 0; first < coo->nnz; first += BLOCK) {
        const size_t here = coo->nnz - first < BLOCK ? (size_t)(coo->nnz - first) : BLOCK;
        for (int a = 0; a < 2; a++) {
            if (mode[a] >= 0)
                tsr_array_load(crd[a], &coo->crd[mode[a]], first, here);
        }
        for (size_t e = 0; e < here; e++) {
            const size_t row = cell_of(crd[0][e], density->n[0], density->dim[0], shift[0]);
            const size_t col = cell_of(crd[1][e], density->n[1], density->dim[1], shift[1]);
            density->count[row * density->n[1] + col]++;
        }
    }
    for (size_t c = 0; c < (size_t)density->n[0] * density->n[1]; c++) {
        if (density->count[c] > density->max)
            density->max = density->count[c];
    }
    density->total = coo->nnz;
    return TSR_OK;
}

void tsr_density_clear(tsr_density *density)
{
    tsr_free(density->count);
    memset(density, 0, sizeof *density);
}

double tsr_density_shade(const tsr_density *density, uint64_t count)
{
    return density->max > 1 ? log((double)count) / log((double)density->max) : 1;
}

void tsr_density_print(FILE *to, const tsr_density *density, bool utf8)
{
    static const char *const ascii[] = {".", ":", "+", "#"};
    static const char *const blocks[] = {"\u2591", "\u2592", "\u2593", "\u2588"};
    const char *const *const ramp = utf8 ? blocks : ascii;
    const int wide =
        2 * density->n[1] <= TSR_DENSITY_COLUMNS ? 2 : 1; /* characters are twice as high as wide */
    char frame[TSR_DENSITY_COLUMNS + 1];
    memset(frame, '-', sizeof frame);

    fprintf(to, "mode %d down (%llu)", density->mode[0], (unsigned long long)density->dim[0]);
    if (density->mode[1] >= 0)
        fprintf(to, ", mode %d across (%llu)", density->mode[1], (unsigned long long)density->dim[1]);
    fprintf(to, "\n+%.*s+\n", wide * (int)density->n[1], frame);
    for (uint32_t r = 0; r < density->n[0]; r++) {
        fputc('|', to);
        for (uint32_t c = 0; c < density->n[1]; c++) {
            const uint64_t count = density->count[(size_t)r * density->n[1] + c];
            const int shade = (int)(tsr_density_shade(density, count ? count : 1) * 3.999);
            for (int k = 0; k < wide; k++)
                fputs(count ? ramp[shade] : " ", to);
        }
        fputs("|\n", to);
    }
    fprintf(to, "+%.*s+", wide * (int)density->n[1], frame);
    if (density->max > 1)
        fprintf(to, " %s 1 to %s %llu entries in a cell", ramp[0], ramp[3], (unsigned long long)density->max);
    fputc('\n', to);
}

void tsr_density_grid(uint32_t n[2], const uint64_t dim[2])
{
    const double across = 2.0 * TSR_DENSITY_LINES * ((double)dim[1] / (double)dim[0]);
    n[0] = TSR_DENSITY_LINES;
    n[1] = across < TSR_DENSITY_LINES     ? TSR_DENSITY_LINES
           : across > TSR_DENSITY_COLUMNS ? TSR_DENSITY_COLUMNS
                                          : (uint32_t)across;
    if (2 * dim[1] <= TSR_DENSITY_COLUMNS)
        n[1] = (uint32_t)dim[1];
}
