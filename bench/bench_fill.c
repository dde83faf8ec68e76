/* Counts the blocks that have entries, and the slots of slices: see bench_fill.h. */
#include "bench_fill.h"

#include <math.h>
#include <stdlib.h>

#include "tsr_alloc.h"

/* The rows of a band are a multiple of the rows of every block. */
enum { BAND_NROWS = 768, MANY = 1000000 };

/* A set of keys: open addressing, 0 is free. */
typedef struct key_set {
    uint64_t mask, n, max;
    uint64_t *key;
} key_set;

static bool key_set_init(key_set *set, uint64_t max)
{
    void *block;
    uint64_t n = 64;
    while (n < 2 * max)
        n *= 2;
    *set = (key_set){.mask = n - 1, .max = max};
    if (tsr_alloc_array(&block, n, sizeof *set->key, 1, "blocks that have entries", NULL) != TSR_OK)
        return false;
    set->key = block;
    return true;
}

/* Another number for each number, whose low bits depend on all bits of it. */
static uint64_t mix(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 32;
}

/* Add a key; false if the set would have more than `max` keys. */
static bool key_set_add(key_set *set, uint64_t key)
{
    uint64_t at = mix(key);
    for (at &= set->mask; set->key[at]; at = (at + 1) & set->mask)
        if (set->key[at] == key + 1)
            return true;
    set->key[at] = key + 1;
    return ++set->n <= set->max;
}

/* Bytes per entry for blocks of `nrows` rows and `ncols` columns, or of one diagonal (ncols 0). */
static double fill(const tsr_coo *coo, uint64_t nrows, uint64_t ncols, double limit)
{
    const uint64_t step = coo->nnz / MANY + 1;
    const double block_nbytes =
        (double)(nrows * (ncols ? ncols : 1) * tsr_type_nbytes(coo->type)) + sizeof(uint32_t);
    uint64_t n = 0;
    key_set set;
    if (coo->dims[0] > UINT32_MAX / 2 || coo->dims[1] > UINT32_MAX / 2) /* a key must fit 64 bits */
        return INFINITY;
    for (uint64_t e = 0; e < coo->nnz; e++)
        n += tsr_array_get(&coo->crd[0], e) / BAND_NROWS % step == 0;
    if (n == 0 || !key_set_init(&set, (uint64_t)(limit * (double)n / block_nbytes)))
        return INFINITY;
    bool is_worth_it = true;
    for (uint64_t e = 0; e < coo->nnz && is_worth_it; e++) {
        const uint64_t i = tsr_array_get(&coo->crd[0], e), j = tsr_array_get(&coo->crd[1], e);
        const uint64_t across = ncols ? j / ncols : j + coo->dims[0] - i;
        if (i / BAND_NROWS % step == 0)
            is_worth_it = key_set_add(&set, (i / nrows) * (coo->dims[0] + coo->dims[1]) + across);
    }
    tsr_free(set.key);
    return is_worth_it ? (double)set.n * block_nbytes / (double)n : INFINITY;
}

double bench_fill_bdia(const tsr_coo *coo, uint64_t nrows, double limit)
{
    return fill(coo, nrows, 0, limit);
}

double bench_fill_bcsr(const tsr_coo *coo, uint64_t size, double limit)
{
    return fill(coo, size, size, limit);
}

static int longest_first(const void *a, const void *b)
{
    const uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
    return (m < n) - (m > n);
}

double bench_fill_sell(const tsr_coo *coo, int mode, uint64_t c, uint64_t sigma)
{
    const uint64_t nrows = coo->dims[mode];
    void *block;
    double nslots = 0;
    if (coo->nnz == 0 || coo->nnz > UINT32_MAX ||
        tsr_alloc_array(&block, nrows, sizeof(uint32_t), 1, "entries of rows", NULL) != TSR_OK)
        return INFINITY;
    uint32_t *const count = block;
    for (uint64_t e = 0; e < coo->nnz; e++)
        count[tsr_array_get(&coo->crd[mode], e)]++;
    for (uint64_t first = 0, n; first < nrows; first += n) {
        n = nrows - first < sigma ? nrows - first : sigma;
        qsort(count + first, n, sizeof *count, longest_first);
        for (uint64_t i = 0; i < n; i += c)
            nslots += (double)count[first + i] * (double)c;
    }
    tsr_free(count);
    return nslots / (double)coo->nnz;
}

/* A number for the fiber of entry e along the last of the modes. */
static uint64_t fiber_of(const tsr_coo *coo, const int *modes, uint64_t e)
{
    uint64_t key = 0;
    for (int k = 0; k + 1 < coo->order; k++)
        key = mix(key + tsr_array_get(&coo->crd[modes[k]], e) + 1);
    return key;
}

double bench_fill_tcsf(const tsr_coo *coo, const int *modes, uint64_t width)
{
    const uint64_t step = coo->nnz / MANY + 1;
    uint64_t n = 0;
    key_set set;
    if (!key_set_init(&set, coo->nnz / step + MANY))
        return 0;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const uint64_t fiber = fiber_of(coo, modes, e);
        if (fiber % step != 0)
            continue;
        if (!key_set_add(&set, fiber + tsr_array_get(&coo->crd[modes[coo->order - 1]], e) / width))
            break;
        n++;
    }
    tsr_free(set.key);
    return set.n ? (double)n / (double)set.n : 0;
}
