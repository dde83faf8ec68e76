/* A file's statistics, as the generators take them.
 *
 * The skew of a mode is the exponent of Zipf's law under which its counts are likeliest: with the counts c(r)
 * sorted falling, that is where the law's mean of log2(rank) is the data's, (sum of c(r) log2(r)) / nnz. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen_internal.h"
#include "gen_zipf.h"
#include "tsr_alloc.h"
#include "tsr_codec.h"
#include "tsr_pack.h"

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The counts of coordinates in a[0..nnz) into the same array; returns how many there are. */
static uint64_t count_sorted(uint64_t *a, uint64_t nnz)
{
    uint64_t n = 0;
    qsort(a, (size_t)nnz, sizeof *a, falling);
    for (uint64_t i = 0, end; i < nnz; i = end) {
        for (end = i + 1; end < nnz && a[end] == a[i];)
            end++;
        a[n++] = end - i;
    }
    return n;
}

/* The counts of the coordinates that occur, sorted falling: *out (n of them). */
static tsr_status count_mode(uint64_t **out, uint64_t *n, const tsr_coo *coo, int mode, tsr_error *err)
{
    enum { STEP = 1024 };
    const uint64_t dim = coo->dims[mode], nnz = coo->nnz;
    const bool sparse = dim > nnz; /* then the coordinates themselves take less room */
    void *p;
    *out = NULL;
    TSR_TRY(tsr_alloc_array(&p, sparse ? nnz : dim, sizeof(uint64_t), !sparse, "the counts of a mode", err));
    uint64_t *const a = p;
    *out = a;
    *n = 0;
    if (sparse) {
        tsr_array_load(a, &coo->crd[mode], 0, nnz);
        *n = count_sorted(a, nnz);
    } else {
        uint64_t crd[STEP];
        for (uint64_t first = 0; first < nnz; first += STEP) {
            const uint64_t end = nnz - first < STEP ? nnz - first : STEP;
            tsr_array_load(crd, &coo->crd[mode], first, end);
            for (uint64_t i = 0; i < end; i++)
                a[crd[i]]++;
        }
        for (uint64_t i = 0; i < dim; i++)
            if (a[i] > 0)
                a[(*n)++] = a[i];
    }
    qsort(a, (size_t)*n, sizeof *a, falling);
    return TSR_OK;
}

static uint32_t fit_skew(const uint64_t *counts, uint64_t n, uint64_t nnz, uint64_t dim, gen_zipf *zipf)
{
    uint64_t mean = 0, rest = 0; /* nnz < 2^33 and log2 < 2^37, so sums are split at nnz */
    for (uint64_t r = 0; r < n; r++) {
        const uint64_t log = (uint64_t)gen_log2(r + 1);
        mean += gen_muldiv(counts[r], log, nnz);
        rest += 1;
    }
    mean += rest / 2; /* each was rounded down */
    uint32_t lo = 0, hi = TSR_GEN_MAX_SKEW;
    while (lo < hi) { /* the law's mean falls as the exponent grows */
        const uint32_t middle = (lo + hi) / 2;
        gen_zipf_init(zipf, dim, middle, 0);
        if (gen_zipf_mean_log2(zipf) > mean)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static tsr_status measure_skews(tsr_gen_shape *shape, const tsr_coo *coo, tsr_error *err)
{
    void *zipf;
    TSR_TRY(tsr_alloc_array(&zipf, 1, sizeof(gen_zipf), 0, "Zipf's law", err));
    tsr_status status = TSR_OK;
    for (int m = 0; m < coo->order && status == TSR_OK; m++) {
        uint64_t *counts, n;
        status = count_mode(&counts, &n, coo, m, err);
        if (status != TSR_OK)
            break;
        shape->skew[m] = fit_skew(counts, n, coo->nnz, coo->dims[m], zipf);
        tsr_free(counts);
    }
    tsr_free(zipf);
    return status;
}

/* ---- fibers, runs, band ---- */

typedef struct distances {
    uint64_t nprefixes[TSR_MAX_ORDER]; /* [m]: different prefixes of m + 1 coordinates */
    uint64_t nfollowing;               /* entries behind one with the last coordinate one less */
    uint64_t deviation;                /* sum of |last - first scaled to the last dim| */
} distances;

/* One pass over entries in lexicographic order. */
static void measure_order(distances *d, const tsr_coo *coo)
{
    enum { STEP = 1024 };
    const int order = coo->order;
    uint64_t crd[TSR_MAX_ORDER][STEP], before[TSR_MAX_ORDER] = {0};
    for (uint64_t first = 0; first < coo->nnz; first += STEP) {
        const uint64_t n = coo->nnz - first < STEP ? coo->nnz - first : STEP;
        for (int m = 0; m < order; m++)
            tsr_array_load(crd[m], &coo->crd[m], first, n);
        for (uint64_t i = 0; i < n; i++) {
            int same = 0;
            while (same < order && first + i > 0 && crd[same][i] == before[same])
                same++;
            for (int m = same; m < order; m++)
                d->nprefixes[m]++;
            d->nfollowing += same == order - 1 && first + i > 0 && crd[same][i] == before[same] + 1;
            const uint64_t centre = gen_muldiv(2 * crd[0][i] + 1, coo->dims[order - 1], 2 * coo->dims[0]);
            const uint64_t last = crd[order - 1][i];
            d->deviation += last > centre ? last - centre : centre - last;
            for (int m = 0; m < order; m++)
                before[m] = crd[m][i];
        }
    }
}

static void set_distances(tsr_gen_shape *shape, const distances *d)
{
    const uint64_t nnz = shape->nnz, nruns = nnz - d->nfollowing;
    shape->has_fiber = shape->order > 2;
    for (int m = 1; m < shape->order - 1; m++)
        shape->fiber[m] = gen_muldiv(nnz, 1000, d->nprefixes[m]);
    const uint64_t run = gen_muldiv(nnz, 1000, nruns);
    shape->run = run > 1000 ? run : 0;
    if (shape->order != 2)
        return;
    /* Uniform in a band of width w the mean distance from its middle is w / 4; 1 / 3 of the dim is not a band at
     * all. */
    const uint64_t band = gen_muldiv(d->deviation, 4000000, nnz) / shape->dims[1];
    shape->band = band < 500000 ? (band > 0 ? band : 1) : 0;
}

/* ---- reading ---- */

/* The coordinates stay, the values become doubles. */
static tsr_status find_values(tsr_gen_values *values, tsr_coo *coo, tsr_error *err)
{
    const char class = tsr_type_class(coo->type);
    *values = class == 'P'                      ? TSR_GEN_BINARY
              : class == 'C' && coo->order == 2 ? TSR_GEN_COMPLEX
                                                : TSR_GEN_REAL;
    if (class == 'P' || class == 'C')
        return TSR_OK;
    TSR_TRY(tsr_coo_retype(coo, TSR_F64, err));
    const double *v = coo->values.data;
    bool ones = true, whole = true;
    for (uint64_t i = 0; i < coo->values.n; i++) {
        ones = ones && v[i] == 1;
        whole = whole && v[i] >= 1 && v[i] <= 1e9 && v[i] == (double)(uint64_t)v[i];
    }
    *values = ones ? TSR_GEN_BINARY : whole ? TSR_GEN_COUNT : TSR_GEN_REAL;
    return TSR_OK;
}

/* Whatever the file holds as sorted coordinates without duplicates. */
static tsr_status read_sorted(tsr_coo **out, const char *path, int nthreads, const tsr_observer *observer,
                              tsr_error *err)
{
    const tsr_read_options options = {.nthreads = nthreads, .observer = observer};
    const tsr_pack_options pack = {.nthreads = nthreads, .observer = observer, .duplicates = TSR_DUP_FIRST};
    tsr_data data = {0};
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    char levels[TSR_MAX_ORDER + 1] = "";
    *out = NULL;
    tsr_status status = tsr_read(&data, path, NULL, &options, err);
    if (status == TSR_OK && data.tensor)
        TSR_TRY_OUT(tsr_unpack(&data.coo, data.tensor, nthreads, err));
    TSR_TRY_OUT(status);
    TSR_TRY_OUT(tsr_coo_expand(data.coo, err));
    if (data.coo->order < 1 || data.coo->nnz == 0)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_LIMIT, path, 0, 0, "a tensor without entries has no statistics"));
    memset(levels, 's', (size_t)data.coo->order);
    TSR_TRY_OUT(tsr_format_parse(&format, levels, data.coo->order, data.coo->dims, err));
    tsr_coo *const given = data.coo;
    data.coo = NULL; /* used up */
    TSR_TRY_OUT(tsr_pack(&tensor, given, format, &pack, NULL, err));
    status = tsr_unpack(out, tensor, nthreads, err);
out:
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    tsr_data_clear(&data);
    return status;
}

tsr_status tsr_gen_measure(tsr_gen_shape *shape, const char *path, int nthreads, const tsr_observer *observer,
                           tsr_error *err)
{
    tsr_coo *coo;
    tsr_error inner = {0};
    distances d = {0};
    *shape = (tsr_gen_shape){0};
    TSR_TRY(read_sorted(&coo, path, nthreads, observer, err));
    shape->order = coo->order;
    memcpy(shape->dims, coo->dims, sizeof shape->dims);
    shape->nnz = coo->nnz;
    tsr_status status = tsr_gen_shape_check(shape, &inner);
    if (status != TSR_OK)
        status = tsr_fail_at(err, TSR_LIMIT, path, 0, 0, "%s", inner.message);
    if (status == TSR_OK)
        status = find_values(&shape->values, coo, err);
    if (status == TSR_OK) {
        measure_order(&d, coo);
        set_distances(shape, &d);
        status = measure_skews(shape, coo, err);
    }
    tsr_coo_free(coo);
    return status;
}
