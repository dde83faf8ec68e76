/* Slices, and the grid of ranks that cuts them: see tsr_grid.h. */
#include "tsr_grid.h"

#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_memory.h"

/* ---- slices ---- */

/* Make room for `dim` slices of mode m. */
static tsr_status make_room(tsr_slices *slices, int m, uint64_t dim, tsr_error *err)
{
    char what[64];
    snprintf(what, sizeof what, "counting the entries of each slice of mode %d", m);
    TSR_TRY(tsr_memory_check(8.0 * (double)dim, what, err));
    uint64_t room = slices->room[m] > UINT64_MAX / 2 ? dim : 2 * slices->room[m];
    room = room < dim || !slices->grows ? dim : room;
    if (room > SIZE_MAX / 8)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %s", what);
    uint64_t *const count = tsr_realloc(slices->count[m], (size_t)room * sizeof *count);
    if (!count)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %s", what);
    memset(count + slices->room[m], 0, (size_t)(room - slices->room[m]) * sizeof *count);
    slices->count[m] = count;
    slices->room[m] = room;
    return TSR_OK;
}

tsr_status tsr_slices_init(tsr_slices *slices, int order, const uint64_t *dims, tsr_error *err)
{
    *slices = (tsr_slices){.order = order, .grows = dims == NULL};
    for (int m = 0; m < order && dims; m++) {
        slices->dims[m] = dims[m];
        TSR_TRY(make_room(slices, m, dims[m], err));
    }
    return TSR_OK;
}

tsr_status tsr_slices_add(tsr_slices *slices, uint64_t n, const uint64_t *const *crd, tsr_error *err)
{
    for (int m = 0; m < slices->order; m++) {
        uint64_t max = 0;
        for (uint64_t i = 0; i < n; i++)
            max = crd[m][i] > max ? crd[m][i] : max;
        if (n > 0 && max >= slices->room[m])
            TSR_TRY(make_room(slices, m, max + 1, err));
        if (n > 0 && max >= slices->dims[m])
            slices->dims[m] = max + 1;
        uint64_t *const count = slices->count[m];
        for (uint64_t i = 0; i < n; i++)
            count[crd[m][i]]++;
    }
    slices->nnz += n;
    return TSR_OK;
}

tsr_status tsr_slices_widen(tsr_slices *slices, const uint64_t *dims, tsr_error *err)
{
    for (int m = 0; m < slices->order; m++) {
        if (dims[m] > slices->room[m])
            TSR_TRY(make_room(slices, m, dims[m], err));
        slices->dims[m] = dims[m];
    }
    return TSR_OK;
}

void tsr_slices_clear(tsr_slices *slices)
{
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_free(slices->count[m]);
    *slices = (tsr_slices){0};
}

/* ---- the grid ---- */

static uint32_t largest_prime_factor(uint32_t n)
{
    uint32_t largest = 1;
    for (uint32_t f = 2; f * f <= n; f++)
        for (; n % f == 0; n /= f)
            largest = f;
    return n > 1 ? n : largest;
}

static void choose_medium(tsr_grid *grid, const tsr_slices *slices)
{
    for (uint32_t left = grid->nranks; left > 1;) {
        const uint32_t f = largest_prime_factor(left);
        int longest = 0;
        for (int m = 1; m < grid->order; m++)
            if ((double)slices->dims[m] / grid->n[m] > (double)slices->dims[longest] / grid->n[longest])
                longest = m;
        grid->n[longest] *= f;
        left /= f;
    }
}

/* Chunk c begins at the border of slices before which the number of entries is nearest to c shares. */
static void cut_mode(uint64_t *cut, uint32_t n, const uint64_t *count, uint64_t dim, uint64_t nnz)
{
    const double share = (double)nnz / n;
    uint64_t slice = 0;
    double before = 0;
    cut[0] = 0;
    for (uint32_t c = 1; c < n; c++) {
        while (slice < dim && before + (double)count[slice] / 2 <= share * c)
            before += (double)count[slice++];
        cut[c] = slice;
    }
    cut[n] = dim;
}

tsr_status tsr_grid_init(tsr_grid *grid, const tsr_slices *slices, uint32_t nranks, tsr_grid_kind kind,
                         tsr_error *err)
{
    *grid = (tsr_grid){.order = slices->order, .nranks = nranks};
    for (int m = 0; m < grid->order; m++)
        grid->n[m] = 1;
    if (kind == TSR_GRID_ROWS)
        grid->n[0] = nranks;
    else
        choose_medium(grid, slices);
    for (int m = 0; m < grid->order; m++) {
        void *cut;
        TSR_TRY(
            tsr_alloc_array(&cut, (uint64_t)grid->n[m] + 1, sizeof(uint64_t), 0, "the cuts of a grid", err));
        grid->cut[m] = cut;
        cut_mode(cut, grid->n[m], slices->count[m], slices->dims[m], slices->nnz);
    }
    return TSR_OK;
}

void tsr_grid_clear(tsr_grid *grid)
{
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_free(grid->cut[m]);
    *grid = (tsr_grid){0};
}

/* The chunk of mode m that holds the slice. */
static uint32_t chunk_of(const tsr_grid *grid, int m, uint64_t slice)
{
    uint32_t lo = 0, hi = grid->n[m]; /* cut[lo] <= slice < cut[hi] */
    while (hi - lo > 1) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (grid->cut[m][mid] <= slice)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

uint32_t tsr_grid_rank(const tsr_grid *grid, uint32_t rank, int m, uint64_t slice)
{
    return rank * grid->n[m] + (grid->n[m] > 1 ? chunk_of(grid, m, slice) : 0);
}
