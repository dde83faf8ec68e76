/* Layouts as objects: making, checking, copying and measuring them; layouts made from layouts. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

tsr_status xla_new(tsr_xla **out, tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a layout");
    (*out)->tail = 1;
    return TSR_OK;
}

void tsr_xla_free(tsr_xla *xla)
{
    if (!xla)
        return;
    tsr_free(xla->levels);
    tsr_free(xla->splits);
    tsr_free(xla->physical);
    tsr_free(xla);
}

tsr_status xla_copy(tsr_xla **out, const tsr_xla *xla, tsr_error *err)
{
    TSR_TRY(xla_new(out, err));
    **out = *xla;
    (*out)->levels = xla->levels ? tsr_strdup(xla->levels) : NULL;
    (*out)->splits = xla->splits ? tsr_strdup(xla->splits) : NULL;
    (*out)->physical = xla->physical ? tsr_strdup(xla->physical) : NULL;
    if ((xla->levels && !(*out)->levels) || (xla->splits && !(*out)->splits) ||
        (xla->physical && !(*out)->physical)) {
        tsr_xla_free(*out);
        *out = NULL;
        return tsr_fail(err, TSR_NOMEM, "out of memory for a layout");
    }
    return TSR_OK;
}

tsr_status xla_need_dims(const tsr_xla *xla, tsr_error *err)
{
    return xla->has_dims
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT,
                          "the layout has no dims: write them before it, as in f32[3,5]{1,0:T(2,2)}");
}

bool tsr_xla_is_dense(const tsr_xla *xla)
{
    return !xla->levels || strspn(xla->levels, "D,") == strlen(xla->levels);
}

tsr_status xla_need_offsets(const tsr_xla *xla, tsr_error *err)
{
    TSR_TRY(xla_need_dims(xla, err));
    return tsr_xla_is_dense(xla) ? TSR_OK
                                 : tsr_fail(err, TSR_UNSUPPORTED,
                                            "the levels D(%s) are not all dense: the position of an element "
                                            "depends on the other elements, so the layout has no offsets",
                                            xla->levels);
}

void xla_physical_dims(xla_dims *dims, const tsr_xla *xla)
{
    dims->n = xla->rank;
    for (int i = 0; i < xla->rank; i++)
        dims->size[i] = xla->has_dims ? xla->dims[xla->order[xla->rank - 1 - i]] : 1;
}

/* *nbytes = ceil(nslots * nbits / 8); false if it does not fit. */
static bool bytes_of(int64_t *nbytes, int64_t nslots, int64_t nbits)
{
    int64_t whole, rest;
    if (!tsr_mul_i64(&whole, nslots / 8, nbits) || !tsr_mul_i64(&rest, nslots % 8, nbits))
        return false;
    return tsr_add_i64(nbytes, whole, rest / 8 + (rest % 8 != 0));
}

tsr_status xla_derive(tsr_xla *xla, int *tile, tsr_error *err)
{
    xla_dims dims;
    int64_t nbytes;
    *tile = -1;
    if (xla->has_dims && !xla_product(&xla->nelems, xla->dims, xla->rank))
        return tsr_fail(err, TSR_LIMIT, "the array has more than 2^63-1 elements");
    xla_physical_dims(&dims, xla);
    for (*tile = 0; *tile < xla->ntiles; ++*tile) {
        int64_t n;
        TSR_TRY(xla_tile_dims(&dims, &xla->tiles[*tile], err));
        if (xla->has_dims && !xla_product(&n, dims.size, dims.n))
            return tsr_fail(err, TSR_LIMIT, "the tiled array has more than 2^63-1 slots");
    }
    *tile = -1;
    if (!xla->has_dims)
        return TSR_OK;
    xla->nexpanded = dims.n;
    memcpy(xla->expanded, dims.size, (size_t)dims.n * sizeof dims.size[0]);
    if (!xla_product(&xla->nslots, dims.size, dims.n) ||
        !tsr_mul_i64(&xla->nslots, xla->nslots / xla->tail + (xla->nslots % xla->tail != 0), xla->tail))
        return tsr_fail(err, TSR_LIMIT, "the array has more than 2^63-1 slots with its padding");
    if (!bytes_of(&nbytes, xla->nslots, tsr_xla_element_nbits(xla)))
        return tsr_fail(err, TSR_LIMIT, "the array has more than 2^63-1 bytes (%lld elements of %lld bits)",
                        (long long)xla->nslots, (long long)tsr_xla_element_nbits(xla));
    return TSR_OK;
}

/* Check `xla`, compute its derived fields, and move it to *out; freed on failure. */
static tsr_status finish(tsr_xla **out, tsr_xla *xla, tsr_error *err)
{
    int tile;
    const tsr_status status = xla_derive(xla, &tile, err);
    *out = status == TSR_OK ? xla : NULL;
    if (status != TSR_OK)
        tsr_xla_free(xla);
    return status;
}

tsr_status xla_new_shape(tsr_xla **out, const tsr_xla *like, const xla_dims *dims, tsr_error *err)
{
    tsr_xla *xla;
    *out = NULL;
    if (dims->n > TSR_XLA_MAX_RANK)
        return tsr_fail(err, TSR_LIMIT, "a shape has at most %d dims, but this one would have %d",
                        TSR_XLA_MAX_RANK, dims->n);
    TSR_TRY(xla_new(&xla, err));
    memcpy(xla->type, like->type, sizeof xla->type);
    xla->element_nbits = like->element_nbits;
    xla->has_dims = true;
    xla->rank = dims->n;
    memcpy(xla->dims, dims->size, (size_t)dims->n * sizeof dims->size[0]);
    for (int i = 0; i < dims->n; i++)
        xla->order[i] = dims->n - 1 - i;
    return finish(out, xla, err);
}

tsr_status tsr_xla_bind(tsr_xla **out, const tsr_xla *layout, const char *type, int rank, const int64_t *dims,
                        tsr_error *err)
{
    tsr_xla *xla;
    char name[TSR_XLA_TYPE_NBYTES];
    *out = NULL;
    if (rank != layout->rank)
        return tsr_fail(err, TSR_ARGUMENT, "the layout is for %d dims, but the array has %d", layout->rank,
                        rank);
    if (type && !xla_find_type(name, type, strlen(type)))
        return tsr_fail(err, TSR_ARGUMENT, "unknown XLA type '%.40s'", type);
    for (int d = 0; d < rank; d++)
        if (dims[d] < 0)
            return tsr_fail(err, TSR_ARGUMENT, "the size of dim %d must not be negative: %lld", d,
                            (long long)dims[d]);
    TSR_TRY(xla_copy(&xla, layout, err));
    if (type)
        memcpy(xla->type, name, sizeof name);
    xla->has_dims = true;
    memcpy(xla->dims, dims, (size_t)rank * sizeof *dims);
    return finish(out, xla, err);
}

static bool is_tile(const tsr_xla_tile *tile)
{
    if (tile->rank < 1 || tile->rank > TSR_XLA_MAX_TILE_RANK || tile->t[tile->rank - 1] == TSR_XLA_STAR)
        return false;
    for (int i = 0; i < tile->rank; i++)
        if (tile->t[i] < 1 && tile->t[i] != TSR_XLA_STAR)
            return false;
    return true;
}

tsr_status tsr_xla_retile(tsr_xla **out, const tsr_xla *layout, int ntiles, const tsr_xla_tile *tiles,
                          tsr_error *err)
{
    tsr_xla *xla;
    *out = NULL;
    if (ntiles < 0 || ntiles > TSR_XLA_MAX_TILES)
        return tsr_fail(err, TSR_ARGUMENT, "a layout has at most %d tiles, not %d", TSR_XLA_MAX_TILES,
                        ntiles);
    for (int k = 0; k < ntiles; k++)
        if (!is_tile(&tiles[k]))
            return tsr_fail(
                err, TSR_ARGUMENT,
                "invalid tile %d: a tile has 1 to %d sizes, each positive or '*', and the last is not '*'", k,
                TSR_XLA_MAX_TILE_RANK);
    TSR_TRY(xla_copy(&xla, layout, err));
    xla->ntiles = ntiles;
    for (int k = 0; k < ntiles; k++)
        xla->tiles[k] = tiles[k];
    return finish(out, xla, err);
}

/* ---- sizes ---- */

tsr_status tsr_xla_nbytes(int64_t *nbytes, const tsr_xla *xla, tsr_error *err)
{
    const int64_t nbits = tsr_xla_element_nbits(xla);
    *nbytes = 0;
    TSR_TRY(xla_need_offsets(xla, err));
    if (nbits == 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the size in bytes is unknown: the layout has neither a type nor E(bits)");
    return bytes_of(nbytes, xla->nslots, nbits)
               ? TSR_OK
               : tsr_fail(err, TSR_LIMIT, "the array has more than 2^63-1 bytes");
}
