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
    for (int k = 0; k < a->nmodes; k++) {
        const int m = a->mode[k];
        kind.mode[k] = m;
        kind.dims[k] = a->dims[k];
        if (!a->sample || samples->dims[m] > samples->dims[a->sample->mode])
            a->sample = tsr_samples_find(samples, TSR_SAMPLE_SLICES, m);
    }
    for (int m = 0; a->sample && a->sample->n == 0 && m < samples->order; m++) /* it is too short */
        if (tsr_samples_find(samples, TSR_SAMPLE_SLICES, m)->n > 0)
            a->sample = tsr_samples_find(samples, TSR_SAMPLE_SLICES, m);
    if (!a->sample)
        return TSR_OK;
    TSR_TRY(tsr_units_init(&a->units, a->sample, &kind, err));
    a->ncells = a->units.n;
    if (a->row_nbytes >= LINE_NBYTES)
        return TSR_OK;
    tsr_units_clear(&a->units);
    kind.per_unit = (uint64_t)(LINE_NBYTES / a->row_nbytes);
    return tsr_units_init(&a->units, a->sample, &kind, err);
}

/* Pairs of entries that agree in mode a of the first and in mode b of the second. */
static double count_pairs(const tsr_samples *samples, int a, int b)
{
    const uint32_t *const x = samples->slices[a], *const y = samples->slices[b];
    const uint64_t n = samples->dims[a] < samples->dims[b] ? samples->dims[a] : samples->dims[b];
    double sum = 0;
    if (!x || !y)
        return (double)samples->nnz * (double)samples->nnz / (double)(n ? n : 1);
    for (uint64_t i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    return sum;
}

/* The tensor stands in a second place, too: for each entry of one place a slice of the other is walked. Formats that have the modes in
 * order walk slices of the second place, the others slices of the first. */
static void add_join(advise_shape *out, const tsr_expr *first, const tsr_expr *second,
                     const tsr_samples *samples, double value_nbytes)
{
    int a = -1, b = -1;
    for (int k = 0; k < second->nindices && a < 0; k++)
        if ((a = tsr_expr_mode(first, second->index[k])) >= 0)
            b = k;
    if (a < 0) /* all pairs */
        a = b = 0;
    out->nproducts = count_pairs(samples, a, b);
    for (int way = 1; way >= -1 && out->naccesses < ADVISE_MAX_ACCESSES; way -= 2) {
        const int m = way > 0 ? a : b;
        const double nslices = (double)(samples->dims[m] ? samples->dims[m] : 1);
        advise_access *const access = &out->access[out->naccesses++];
        *access = (advise_access){.joins = way, .nmodes = 1, .mode = {m}, .dims = {samples->dims[m]}};
        access->row_nbytes = (double)samples->nnz / nslices * (value_nbytes + sizeof(uint32_t));
    }
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
    if (second)
        add_join(out, sparse, second, samples, value);
    for (int k = 0; k < out->naccesses; k++)
        TSR_TRY(count_units(&out->access[k], samples, err));
    return TSR_OK;
}
