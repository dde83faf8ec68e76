/* The definition of tiling in XLA's documents, applied to an array: pad, reshape, transpose. */
#include "xla_oracle.h"

#include "tsr_test.h"

enum { MAX_DIMS = 80 };

/* A row-major array. */
typedef struct nd {
    int n;
    int64_t size[MAX_DIMS], total;
    int64_t *data; /* total entries */
} nd;

static nd nd_new(int n, const int64_t *size)
{
    nd a = {.n = n, .total = 1};
    assert_true(n <= MAX_DIMS);
    for (int i = 0; i < n; i++)
        a.total *= a.size[i] = size[i];
    a.data = malloc((size_t)(a.total + 1) * sizeof *a.data);
    assert_non_null(a.data);
    for (int64_t e = 0; e < a.total; e++)
        a.data[e] = -1;
    return a;
}

/* The coordinates of entry e. */
static void nd_coords(int64_t *coords, const nd *a, int64_t e)
{
    for (int i = a->n - 1; i >= 0; i--) {
        coords[i] = e % a->size[i];
        e /= a->size[i];
    }
}

static int64_t nd_at(const nd *a, const int64_t *coords)
{
    int64_t e = 0;
    for (int i = 0; i < a->n; i++)
        e = e * a->size[i] + coords[i];
    return e;
}

/* Dim i of the result is dim perm[i] of *a. */
static void nd_transpose(nd *a, const int *perm)
{
    int64_t size[MAX_DIMS], from[MAX_DIMS], to[MAX_DIMS];
    for (int i = 0; i < a->n; i++)
        size[i] = a->size[perm[i]];
    nd b = nd_new(a->n, size);
    for (int64_t e = 0; e < a->total; e++) {
        nd_coords(from, a, e);
        for (int i = 0; i < a->n; i++)
            to[i] = from[perm[i]];
        b.data[nd_at(&b, to)] = a->data[e];
    }
    free(a->data);
    *a = b;
}

static void nd_pad(nd *a, const int64_t *size)
{
    nd b = nd_new(a->n, size);
    int64_t at[MAX_DIMS];
    for (int64_t e = 0; e < a->total; e++) {
        nd_coords(at, a, e);
        b.data[nd_at(&b, at)] = a->data[e];
    }
    free(a->data);
    *a = b;
}

static void nd_reshape(nd *a, int n, const int64_t *size)
{
    a->n = n;
    memcpy(a->size, size, (size_t)n * sizeof *size);
}

/* "If dim i is eliminated by a star, it is removed from the shape and the tile, and the bound of dim i - 1
 * grows from d(i-1) to d(i) d(i-1)", for each star. */
static void combine(nd *a, tsr_xla_tile *tile)
{
    for (int i = 0; i < tile->rank;) {
        const int d = a->n - tile->rank + i;
        if (tile->t[i] != TSR_XLA_STAR) {
            i++;
            continue;
        }
        a->size[d + 1] *= a->size[d];
        memmove(a->size + d, a->size + d + 1, (size_t)(a->n - d - 1) * sizeof *a->size);
        memmove(tile->t + i, tile->t + i + 1, (size_t)(tile->rank - i - 1) * sizeof *tile->t);
        a->n--;
        tile->rank--;
    }
}

static void apply_tile(nd *a, tsr_xla_tile tile)
{
    int64_t size[MAX_DIMS];
    int perm[MAX_DIMS];
    while (a->n < tile.rank) { /* dims of size 1 in front */
        memmove(a->size + 1, a->size, (size_t)a->n * sizeof *a->size);
        a->size[0] = 1;
        a->n++;
    }
    combine(a, &tile);
    const int kept = a->n - tile.rank;
    for (int i = 0; i < a->n; i++) {
        const int64_t t = i < kept ? 1 : tile.t[i - kept];
        size[i] = (a->size[i] + t - 1) / t * t;
    }
    nd_pad(a, size);
    int n = kept;
    for (int i = 0; i < tile.rank; i++) {
        size[n++] = a->size[kept + i] / tile.t[i];
        size[n++] = tile.t[i];
    }
    nd_reshape(a, n, size);
    for (int i = 0; i < kept; i++)
        perm[i] = i;
    for (int i = 0; i < tile.rank; i++) {
        perm[kept + i] = kept + 2 * i;
        perm[kept + tile.rank + i] = kept + 2 * i + 1;
    }
    nd_transpose(a, perm);
}

int64_t *xla_memory(const tsr_xla *xla)
{
    int perm[MAX_DIMS];
    nd a = nd_new(xla->rank, xla->dims);
    for (int64_t e = 0; e < a.total; e++)
        a.data[e] = e;
    for (int i = 0; i < xla->rank; i++)
        perm[i] = xla->order[xla->rank - 1 - i];
    nd_transpose(&a, perm);
    for (int k = 0; k < xla->ntiles; k++)
        apply_tile(&a, xla->tiles[k]);
    const int64_t nslots = (a.total + xla->tail - 1) / xla->tail * xla->tail;
    nd_reshape(&a, 1, &a.total);
    nd_pad(&a, &nslots);
    assert_int_equal(nslots, xla->nslots);
    return a.data;
}
