/* Shapes: limits, and scaling. */
#include <inttypes.h>

#include "gen_internal.h"

enum { SMALL_DIM = 32, MAX_DENSITY_INVERSE = 4 };

static uint64_t cells(const tsr_gen_shape *shape)
{
    uint64_t n = 1;
    for (int m = 0; m < shape->order; m++)
        n = gen_saturating_mul(n, shape->dims[m]);
    return n;
}

static tsr_status check_fibers(const tsr_gen_shape *shape, tsr_error *err)
{
    for (int m = 1; shape->has_fiber && m < shape->order - 1; m++) {
        if (shape->fiber[m] < 1000)
            return tsr_fail(err, TSR_ARGUMENT, "a fiber has a mean of 1 entry or more, not of 0.%03" PRIu64,
                            shape->fiber[m]);
        if (m > 1 && shape->fiber[m] > shape->fiber[m - 1])
            return tsr_fail(err, TSR_ARGUMENT,
                            "entries per prefix of %d coordinates cannot be more than of %d coordinates",
                            m + 1, m);
    }
    return TSR_OK;
}

tsr_status tsr_gen_shape_check(const tsr_gen_shape *shape, tsr_error *err)
{
    if (shape->order < 1 || shape->order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_ARGUMENT, "a tensor of %d modes: 1 to %d are supported", shape->order,
                        TSR_MAX_ORDER);
    for (int m = 0; m < shape->order; m++) {
        if (shape->dims[m] < 1 || shape->dims[m] > TSR_GEN_MAX_DIM)
            return tsr_fail(err, TSR_ARGUMENT, "a dim of %" PRIu64 ": 1 to %" PRIu64 " can be generated",
                            shape->dims[m], TSR_GEN_MAX_DIM);
        if (shape->skew[m] > TSR_GEN_MAX_SKEW)
            return tsr_fail(err, TSR_ARGUMENT,
                            "a skew of %" PRIu32 ".%03" PRIu32 ": 0 to %d can be generated",
                            shape->skew[m] / 1000, shape->skew[m] % 1000, TSR_GEN_MAX_SKEW / 1000);
    }
    if (shape->nnz < 1 || shape->nnz > TSR_GEN_MAX_NNZ)
        return tsr_fail(err, TSR_ARGUMENT, "%" PRIu64 " entries: 1 to %" PRIu64 " can be generated",
                        shape->nnz, TSR_GEN_MAX_NNZ);
    if (shape->nnz > cells(shape))
        return tsr_fail(err, TSR_ARGUMENT, "%" PRIu64 " entries do not fit into %" PRIu64 " cells",
                        shape->nnz, cells(shape));
    if (shape->run > 1000 * TSR_GEN_MAX_DIM || (shape->run > 0 && shape->run < 1000))
        return tsr_fail(err, TSR_ARGUMENT, "a run has a mean length of 1 to %" PRIu64, TSR_GEN_MAX_DIM);
    if (shape->band > 1000000)
        return tsr_fail(err, TSR_ARGUMENT, "a band is a part of a dim, 0 to 1");
    return check_fibers(shape, err);
}

/* dim * 2^(log / 2^32), rounded. */
static uint64_t scale_dim(uint64_t dim, int64_t log)
{
    const int64_t one = (int64_t)1 << 32, all = gen_log2(dim) + log;
    if (dim <= SMALL_DIM)
        return dim;
    if (all >= 40 * one)
        return UINT64_MAX;
    const uint64_t scaled = (gen_exp2(all + 16 * one) + (1 << 15)) >> 16;
    return scaled < SMALL_DIM ? SMALL_DIM : scaled;
}

tsr_status tsr_gen_shape_scale(tsr_gen_shape *shape, uint64_t scale, tsr_error *err)
{
    const tsr_gen_shape whole = *shape;
    const uint64_t unit = TSR_GEN_UNIT_SCALE;
    if (scale == 0 || scale > 1000 * unit)
        return tsr_fail(err, TSR_ARGUMENT, "a scale is more than 0 and at most 1000");
    if (scale == unit)
        return tsr_gen_shape_check(shape, err);
    shape->nnz = (gen_muldiv(whole.nnz, 2 * scale, unit) + 1) / 2; /* rounded */
    shape->nnz = shape->nnz ? shape->nnz : 1;
    int64_t log = (gen_log2(scale) - gen_log2(unit)) / (shape->order > 1 ? shape->order - 1 : 1);
    /* Up again in steps of 2^(1/4) while it is too dense, but never to more than it was before scaling down.
     */
    for (;; log += (int64_t)1 << 30) {
        for (int m = 0; m < shape->order; m++)
            shape->dims[m] = scale_dim(whole.dims[m], log);
        if (scale > unit || log >= 0 || cells(shape) / MAX_DENSITY_INVERSE >= shape->nnz)
            break;
    }
    if (scale < unit && log >= 0)
        for (int m = 0; m < shape->order; m++)
            shape->dims[m] = whole.dims[m];
    return tsr_gen_shape_check(shape, err);
}
