/* advise_shape_init: see advise_model.h. */
#include <string.h>

#include "advise_model.h"

/* The first access of the tensor in e whose indices differ from those of `first`; NULL: there is none. */
static const tsr_expr *other_access(const tsr_expr *e, int t, const tsr_expr *first)
{
    if (!e)
        return NULL;
    if (e->kind == TSR_EXPR_ACCESS && e->tensor == t && memcmp(e->index, first->index, sizeof e->index) != 0)
        return e;
    const tsr_expr *const found = other_access(e->a, t, first);
    return found ? found : other_access(e->b, t, first);
}

/* Add the access: modes of the sparse tensor whose variables it has; its other variables make a row. Returns the cells of the
 * whole tensor. */
static double add_access(advise_shape *out, const tsr_notation *notation, const tsr_expr *access,
                         const uint64_t *dims, tsr_type type, uint64_t rank)
{
    const tsr_expr *const sparse = tsr_notation_access(notation, out->sparse);
    advise_access a = {.row_nbytes = (double)tsr_type_nbytes(type)};
    double ncells = 1;
    for (int k = 0; k < access->nindices; k++) {
        const int m = tsr_expr_mode(sparse, access->index[k]);
        ncells *= m < 0 ? (double)rank : (double)dims[m];
        if (m < 0) {
            a.row_nbytes *= (double)rank;
            continue;
        }
        a.mode[a.nmodes] = m;
        a.dims[a.nmodes++] = dims[m];
    }
    if (out->naccesses < ADVISE_MAX_ACCESSES)
        out->access[out->naccesses++] = a;
    return ncells;
}

/* Find the units that the entries of a sample use, and the number of different cells. */
static tsr_status count_units(advise_access *a, const tsr_samples *samples, tsr_error *err)
{
    enum { LINE_NBYTES = 64 };
    tsr_unit_kind kind = {.nmodes = a->nmodes, .per_unit = 1};
    tsr_units cells;
    for (int k = 0; k < a->nmodes; k++) {
        const int m = a->mode[k];
        kind.mode[k] = m;
        kind.dims[k] = a->dims[k];
        if (!a->sample || samples->dims[m] > samples->dims[a->sample->mode])
            a->sample = tsr_samples_find(samples, TSR_SAMPLE_SLICES, m);
    }
    if (!a->sample)
        return TSR_OK;
    tsr_status status = tsr_units_init(&cells, a->sample, &kind, err);
    a->ncells = cells.n;
    tsr_units_clear(&cells);
    if (a->row_nbytes < LINE_NBYTES)
        kind.per_unit = (uint64_t)(LINE_NBYTES / a->row_nbytes);
    return status == TSR_OK ? tsr_units_init(&a->units, a->sample, &kind, err) : status;
}

void advise_shape_clear(advise_shape *shape)
{
    for (int k = 0; k < shape->naccesses; k++)
        tsr_units_clear(&shape->access[k].units);
}

tsr_status advise_shape_init(advise_shape *out, const tsr_notation *notation, const tsr_samples *samples,
                             tsr_type type, uint64_t rank, tsr_error *err)
{
    const int order = samples->order;
    const uint64_t *const dims = samples->dims, nnz = samples->nnz;
    const double value = (double)tsr_type_nbytes(type);
    *out = (advise_shape){.sparse = tsr_notation_largest(notation)};
    if (out->sparse < 0 || notation->tensor[out->sparse].order != order)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the largest operand of '%s' does not have %d modes, as the tensor has",
                        notation->text, order);
    const tsr_expr *const sparse = tsr_notation_access(notation, out->sparse);
    const double ncells = add_access(out, notation, notation->result, dims, type, rank);
    out->has_sparse_result = ncells > 16 * (double)nnz && ncells > 1 << 20;
    for (int t = 1; t < notation->ntensors; t++)
        if (t != out->sparse)
            add_access(out, notation, tsr_notation_access(notation, t), dims, type, rank);
    const tsr_expr *const second = other_access(notation->rhs, out->sparse, sparse);
    if (second) { /* rows of the same tensor, each of them a list */
        out->joins = true;
        add_access(out, notation, second, dims, type, 1);
        advise_access *const a = &out->access[out->naccesses - 1];
        a->nmodes = a->nmodes > 1 ? 1 : a->nmodes;
        a->row_nbytes = (double)nnz / (double)(dims[0] ? dims[0] : 1) * (value + sizeof(uint32_t));
    }
    for (int k = 0; k < out->naccesses; k++)
        TSR_TRY(count_units(&out->access[k], samples, err));
    return TSR_OK;
}
