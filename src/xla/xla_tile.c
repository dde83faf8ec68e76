/* One tile: how it changes sizes and coordinates, in both directions. Only this file implements that. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_checked.h"

bool xla_product(int64_t *n, const int64_t *size, int nsizes)
{
    *n = 1;
    for (int i = 0; i < nsizes; i++)
        if (size[i] == 0) {
            *n = 0;
            return true;
        }
    for (int i = 0; i < nsizes; i++)
        if (!tsr_mul_i64(n, *n, size[i]))
            return false;
    return true;
}

void xla_cut_of(xla_cut *cut, int ndims, const tsr_xla_tile *tile)
{
    cut->front = tile->rank > ndims ? tile->rank - ndims : 0;
    cut->kept = ndims + cut->front - tile->rank;
    cut->ngroups = 0;
    cut->first[0] = cut->kept;
    for (int i = 0; i < tile->rank; i++)
        if (tile->t[i] != TSR_XLA_STAR) {
            cut->t[cut->ngroups++] = tile->t[i];
            cut->first[cut->ngroups] = cut->kept + i + 1;
        }
}

void xla_add_front(xla_dims *dims, const xla_cut *cut)
{
    memmove(dims->size + cut->front, dims->size, (size_t)dims->n * sizeof dims->size[0]);
    for (int i = 0; i < cut->front; i++)
        dims->size[i] = 1;
    dims->n += cut->front;
}

tsr_status xla_fold(xla_dims *folded, const xla_dims *dims, const xla_cut *cut, tsr_error *err)
{
    folded->n = cut->kept + cut->ngroups;
    memcpy(folded->size, dims->size, (size_t)cut->kept * sizeof dims->size[0]);
    for (int g = 0; g < cut->ngroups; g++) {
        const int first = cut->first[g];
        if (!xla_product(&folded->size[cut->kept + g], dims->size + first, cut->first[g + 1] - first))
            return tsr_fail(err, TSR_LIMIT, "dims folded by '*' have more than 2^63-1 elements");
    }
    return TSR_OK;
}

tsr_status xla_split(xla_dims *after, const xla_dims *folded, const xla_cut *cut, tsr_error *err)
{
    after->n = cut->kept + 2 * cut->ngroups;
    if (after->n > TSR_XLA_MAX_EXPANDED)
        return tsr_fail(err, TSR_LIMIT, "the tiles give more than %d dims", TSR_XLA_MAX_EXPANDED);
    memcpy(after->size, folded->size, (size_t)cut->kept * sizeof folded->size[0]);
    for (int g = 0; g < cut->ngroups; g++) {
        const int64_t n = folded->size[cut->kept + g], t = cut->t[g];
        after->size[cut->kept + g] = n / t + (n % t != 0);
        after->size[cut->kept + cut->ngroups + g] = t;
    }
    return TSR_OK;
}

tsr_status xla_tile_dims(xla_dims *dims, const tsr_xla_tile *tile, tsr_error *err)
{
    xla_cut cut;
    xla_dims folded;
    xla_cut_of(&cut, dims->n, tile);
    xla_add_front(dims, &cut);
    TSR_TRY(xla_fold(&folded, dims, &cut, err));
    return xla_split(dims, &folded, &cut, err);
}

/* The size of dim i, where i counts the dims of `front`, which are not in `before`. */
static int64_t size_of(const xla_dims *before, const xla_cut *cut, int i)
{
    return i < cut->front ? 1 : before->size[i - cut->front];
}

void xla_tile_coords(int64_t *coords, const xla_dims *before, const tsr_xla_tile *tile)
{
    int64_t in[TSR_XLA_MAX_EXPANDED] = {0};
    xla_cut cut;
    xla_cut_of(&cut, before->n, tile);
    memcpy(in + cut.front, coords, (size_t)before->n * sizeof *in);
    memcpy(coords, in, (size_t)cut.kept * sizeof *in);
    for (int g = 0; g < cut.ngroups; g++) {
        int64_t y = 0;
        for (int i = cut.first[g]; i < cut.first[g + 1]; i++)
            y = y * size_of(before, &cut, i) + in[i];
        coords[cut.kept + g] = y / cut.t[g];
        coords[cut.kept + cut.ngroups + g] = y % cut.t[g];
    }
}

bool xla_untile_coords(int64_t *coords, const xla_dims *before, const tsr_xla_tile *tile)
{
    int64_t out[TSR_XLA_MAX_EXPANDED];
    xla_cut cut;
    xla_cut_of(&cut, before->n, tile);
    memcpy(out, coords, (size_t)cut.kept * sizeof *out);
    for (int g = 0; g < cut.ngroups; g++) {
        int64_t y = coords[cut.kept + g] * cut.t[g] + coords[cut.kept + cut.ngroups + g];
        for (int i = cut.first[g + 1] - 1; i >= cut.first[g]; i--) {
            const int64_t n = size_of(before, &cut, i);
            if (n == 0)
                return false;
            out[i] = y % n;
            y /= n;
        }
        if (y != 0)
            return false;
    }
    memcpy(coords, out + cut.front, (size_t)before->n * sizeof *out);
    return true;
}
