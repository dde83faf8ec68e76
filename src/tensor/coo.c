/* Coordinates: making, freeing, checking and converting values. Invariant, checked by tsr_coo_check: `order`
 * arrays of nnz coordinates, each in [0, dim), and nnz values (1 where iso). */
#include "tsr_coo.h"

#include <inttypes.h>
#include <stdio.h>

#include "tensor_internal.h"
#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

bool tsr_value_is_zero(tsr_type type, const void *v)
{
    const char class = tsr_type_class(type);
    const size_t nbytes = tsr_type_nbytes(type);
    if (class == 'R' || class == 'C') {
        double re = 0, im = 0;
        float f[2] = {0, 0};
        const bool single = class == 'R' ? nbytes == 4 : nbytes == 8;
        if (nbytes == 2) {
            uint16_t half;
            memcpy(&half, v, sizeof half);
            return (half & 0x7fffu) == 0;
        }
        if (single) {
            memcpy(f, v, nbytes);
            re = (double)f[0];
            im = (double)f[1];
        } else {
            memcpy(&re, v, sizeof re);
            if (class == 'C')
                memcpy(&im, (const char *)v + sizeof re, sizeof im);
        }
        return re == 0 && im == 0;
    }
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    return memcmp(v, zero, nbytes) == 0;
}

/* ---- making ---- */

/* TSR_LIMIT where all arrays together do not fit into memory. */
static tsr_status check_memory(tsr_shape shape, tsr_type type, bool iso, uint64_t nnz, tsr_error *err)
{
    double each = iso ? 0 : (double)tsr_type_nbytes(type);
    char what[64];
    for (int m = 0; m < shape.ndims; m++)
        each += (double)tsr_crd_width(shape.dims[m]);
    snprintf(what, sizeof what, "a list of %" PRIu64 " entries", nnz);
    return tsr_memory_check(each * (double)nnz, what, err);
}

tsr_status tsr_coo_new_sized(tsr_coo **out, tsr_shape shape, tsr_type type, bool iso, uint64_t nnz,
                             tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_shape_check(shape.ndims, shape.dims, type, err));
    TSR_TRY(check_memory(shape, type, iso, nnz, err));
    tsr_coo *coo = tsr_calloc(1, sizeof *coo);
    if (!coo)
        return tsr_fail(err, TSR_NOMEM, "out of memory: coordinates of %d modes", shape.ndims);
    coo->order = shape.ndims;
    coo->nnz = nnz;
    coo->type = type;
    coo->iso = iso;
    tsr_status status = TSR_OK;
    for (int m = 0; m < shape.ndims && status == TSR_OK; m++) {
        coo->dims[m] = shape.dims[m];
        status = tsr_array_init(&coo->crd[m], nnz, tsr_crd_width(shape.dims[m]), 0, "an array of coordinates",
                                err);
    }
    if (status == TSR_OK)
        status =
            tsr_array_init(&coo->values, iso ? 1 : nnz, tsr_type_nbytes(type), 0, "an array of values", err);
    if (status != TSR_OK) {
        tsr_coo_free(coo);
        return status;
    }
    *out = coo;
    return TSR_OK;
}

tsr_status tsr_coo_new(tsr_coo **out, tsr_shape shape, tsr_type type, tsr_error *err)
{
    return tsr_coo_new_sized(out, shape, type, false, 0, err);
}

void tsr_coo_free(tsr_coo *coo)
{
    if (!coo)
        return;
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_array_clear(&coo->crd[m]);
    tsr_array_clear(&coo->values);
    tsr_free(coo);
}

tsr_status tsr_coo_copy(tsr_coo **out, const tsr_coo *coo, tsr_error *err)
{
    TSR_TRY(tsr_coo_new_sized(out, (tsr_shape){coo->order, coo->dims}, coo->type, coo->iso, coo->nnz, err));
    tsr_coo *const copy = *out;
    for (int m = 0; m < coo->order; m++)
        memcpy(copy->crd[m].data, coo->crd[m].data, tsr_array_nbytes(&coo->crd[m]));
    memcpy(copy->values.data, coo->values.data, tsr_array_nbytes(&coo->values));
    memcpy(copy->fill, coo->fill, sizeof copy->fill);
    copy->structure = coo->structure;
    copy->has_fill = coo->has_fill;
    copy->repaired = coo->repaired;
    copy->natural = coo->natural;
    return TSR_OK;
}

uint64_t tsr_coo_nbytes(const tsr_coo *coo)
{
    uint64_t nbytes = tsr_array_nbytes(&coo->values);
    for (int m = 0; m < coo->order; m++)
        nbytes += tsr_array_nbytes(&coo->crd[m]);
    return nbytes;
}

uint64_t tsr_coo_nbytes_for(tsr_shape shape, tsr_type type, uint64_t nnz)
{
    uint64_t each = type == TSR_PATTERN ? 0 : tsr_type_nbytes(type), nbytes;
    for (int m = 0; m < shape.ndims; m++)
        each += tsr_crd_width(shape.dims[m]);
    return tsr_mul_u64(&nbytes, each, nnz) ? nbytes : UINT64_MAX;
}

tsr_status tsr_coo_retype(tsr_coo *coo, tsr_type type, tsr_error *err)
{
    if ((unsigned)type >= TSR_NTYPES)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not a value type", (int)type);
    if (type == coo->type)
        return TSR_OK;
    _Alignas(double) unsigned char fill[TSR_MAX_VALUE_NBYTES] = {0};
    if (coo->has_fill && type != TSR_PATTERN)
        TSR_TRY(tsr_values_convert(fill, type, coo->fill, coo->type, 1, err));
    const bool iso = coo->iso || type == TSR_PATTERN;
    if (type == TSR_PATTERN) {
        tsr_array one;
        TSR_TRY(tsr_array_init(&one, 1, tsr_type_nbytes(type), 0, "an array of values", err));
        *(unsigned char *)one.data = 1;
        tsr_array_clear(&coo->values);
        coo->values = one;
    } else {
        coo->values.n = iso ? 1 : coo->nnz;
        TSR_TRY(tsr_values_retype(&coo->values, type, coo->type, err));
    }
    coo->type = type;
    coo->iso = iso;
    coo->has_fill = coo->has_fill && type != TSR_PATTERN;
    memcpy(coo->fill, fill, sizeof fill);
    return TSR_OK;
}

/* ---- checking ---- */

static tsr_status check_arrays(const tsr_coo *coo, tsr_error *err)
{
    for (int m = 0; m < coo->order; m++) {
        const tsr_array *crd = &coo->crd[m];
        if (!crd->data || crd->n != coo->nnz)
            return tsr_fail(err, TSR_CORRUPT, "mode %d has %" PRIu64 " coordinates for %" PRIu64 " entries",
                            m, crd->data ? crd->n : 0, coo->nnz);
        if (crd->width != 4 && crd->width != 8)
            return tsr_fail(err, TSR_CORRUPT, "mode %d has coordinates of %zu bytes, but must have 4 or 8", m,
                            crd->width);
    }
    const uint64_t want = coo->iso ? 1 : coo->nnz;
    if (!coo->values.data || coo->values.n != want)
        return tsr_fail(err, TSR_CORRUPT, "the tensor has %" PRIu64 " values for %" PRIu64 " entries%s",
                        coo->values.data ? coo->values.n : 0, coo->nnz,
                        coo->iso ? " that share one value" : "");
    if (coo->values.width != tsr_type_nbytes(coo->type))
        return tsr_fail(err, TSR_CORRUPT, "values have %zu bytes, but type %s has %zu", coo->values.width,
                        tsr_type_name(coo->type), tsr_type_nbytes(coo->type));
    const unsigned char *bytes = coo->values.data;
    for (uint64_t e = 0; coo->type == TSR_PATTERN && e < coo->values.n; e++)
        if (bytes[e] != 1)
            return tsr_fail(err, TSR_CORRUPT, "pattern: entry %" PRIu64 " holds %d, but must hold 1", e,
                            bytes[e]);
    return TSR_OK;
}

/* TSR_CORRUPT where entry e is invalid. */
static tsr_status check_entry(const tsr_coo *coo, uint64_t e, tsr_error *err)
{
    uint64_t v[TSR_MAX_ORDER];
    char tuple[TSR_TUPLE_NBYTES];
    for (int m = 0; m < coo->order; m++) {
        v[m] = tsr_array_get(&coo->crd[m], e);
        if (v[m] >= coo->dims[m])
            return tsr_fail(err, TSR_CORRUPT,
                            "entry %" PRIu64 ": coordinate %" PRIu64 " of mode %d is outside [0, %" PRIu64
                            ")",
                            e, v[m], m, coo->dims[m]);
    }
    if (coo->structure == TSR_GENERAL)
        return TSR_OK;
    if (!tsr_structure_stores(coo->structure, v[0], v[1]))
        return tsr_fail(err, TSR_CORRUPT, "entry %" PRIu64 " at (%s) is outside the triangle that %s stores",
                        e, tsr_tuple_text(tuple, v, 2), tsr_structure_name(coo->structure));
    const unsigned char *value =
        (const unsigned char *)coo->values.data + (coo->iso ? 0 : e) * coo->values.width;
    if (v[0] == v[1] && tsr_structure_is_skew(coo->structure) && !tsr_value_is_zero(coo->type, value))
        return tsr_fail(err, TSR_CORRUPT,
                        "entry %" PRIu64
                        " at (%s) is on the diagonal of a skew-symmetric matrix, but is not 0",
                        e, tsr_tuple_text(tuple, v, 2));
    return TSR_OK;
}

/* The first entry in [lo, hi) whose coordinate is dim or more; hi where there is none. */
#define FIRST_OUT(ctype)                                                                \
    do {                                                                                \
        const ctype *x = crd->data;                                                     \
        for (uint64_t at = lo; at < hi; at += TSR_LEVEL_BLOCK) {                        \
            const uint64_t end = hi - at < TSR_LEVEL_BLOCK ? hi : at + TSR_LEVEL_BLOCK; \
            bool bad = false;                                                           \
            for (uint64_t e = at; e < end; e++)                                         \
                bad |= x[e] >= dim;                                                     \
            for (uint64_t e = at; bad && e < end; e++)                                  \
                if (x[e] >= dim)                                                        \
                    return e;                                                           \
        }                                                                               \
    } while (0)

static uint64_t first_out(const tsr_array *crd, uint64_t dim, uint64_t lo, uint64_t hi)
{
    if (crd->width == 4)
        FIRST_OUT(uint32_t);
    else
        FIRST_OUT(uint64_t);
    return hi;
}

typedef struct check_job {
    const tsr_coo *coo;
    uint64_t bad[TSR_MAX_THREADS]; /* the first invalid entry of each share; UINT64_MAX: none */
} check_job;

static void check_share(void *arg, int t, int nthreads)
{
    check_job *job = arg;
    const tsr_coo *coo = job->coo;
    const uint64_t lo = tsr_cut(coo->nnz, t, nthreads), end = tsr_cut(coo->nnz, t + 1, nthreads);
    uint64_t hi = end;
    for (int m = 0; m < coo->order; m++)
        hi = first_out(&coo->crd[m], coo->dims[m], lo, hi);
    for (uint64_t e = lo; coo->structure != TSR_GENERAL && e < hi; e++)
        if (check_entry(coo, e, NULL) != TSR_OK)
            hi = e;
    job->bad[t] = hi < end ? hi : UINT64_MAX;
}

tsr_status tsr_coo_check(const tsr_coo *coo, int nthreads, tsr_error *err)
{
    TSR_TRY(tsr_shape_check(coo->order, coo->dims, coo->type, err));
    TSR_TRY(tsr_structure_check(coo->structure, coo->order, coo->dims, err));
    TSR_TRY(check_arrays(coo, err));
    const int n = coo->nnz < 1 << 16 ? 1 : tsr_thread_count(nthreads);
    check_job job = {.coo = coo};
    tsr_parallel(n, check_share, &job);
    for (int t = 0; t < n; t++)
        if (job.bad[t] != UINT64_MAX)
            return check_entry(coo, job.bad[t], err);
    return TSR_OK;
}

tsr_status tsr_coo_repeat_value(tsr_coo *coo, tsr_error *err)
{
    if (!coo->iso)
        return TSR_OK;
    TSR_TRY(tsr_array_resize(&coo->values, coo->nnz > 0 ? coo->nnz : 1, coo->values.width,
                             "an array of values", err));
    unsigned char *const bytes = coo->values.data;
    const size_t width = coo->values.width;
    for (uint64_t e = 1; e < coo->nnz; e++)
        memcpy(bytes + e * width, bytes, width);
    coo->values.n = coo->nnz;
    coo->iso = false;
    return TSR_OK;
}

uint64_t tsr_coo_drop_zeros(tsr_coo *coo)
{
    const size_t width = coo->values.width;
    const uint64_t nnz = coo->nnz;
    char *const values = coo->values.data;
    uint64_t n = 0;
    for (uint64_t e = 0; e < nnz; e++) {
        if (tsr_value_is_zero(coo->type, values + (coo->iso ? 0 : e) * width))
            continue;
        for (int m = 0; m < coo->order && n < e; m++)
            tsr_array_set(&coo->crd[m], n, tsr_array_get(&coo->crd[m], e));
        if (n < e && !coo->iso)
            memcpy(values + n * width, values + e * width, width);
        n++;
    }
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = n;
    coo->values.n = coo->iso ? coo->values.n : n;
    coo->nnz = n;
    return nnz - n;
}
