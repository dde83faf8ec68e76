/* Repairing what has one exact repair in a damaged Binsparse tensor: see binsparse_reading.h. The arrays are read again, as those of other
 * software are (array_import.h), which claim nothing. */
#include "binsparse_reading.h"

#include <string.h>

#include "array_repair.h"

/* Whether the tensor is a matrix by slices: csr or csc. */
static bool is_by_slices(const tsr_bsp_descriptor *d)
{
    return d->order == 2 && d->kind[0] == TSR_BSP_DENSE && d->kind[1] == TSR_BSP_SPARSE;
}

/* Whether the tensor is a list of coordinates. */
static bool is_list(const tsr_bsp_descriptor *d)
{
    bool tuples = d->order > 0 && d->order <= TSR_MAX_ORDER && d->kind[0] == TSR_BSP_SPARSE;
    for (int k = 1; k < d->order; k++)
        tuples = tuples && d->kind[k] == TSR_BSP_TUPLE;
    return tuples;
}

static tsr_status read_numbers(tsr_numbers *out, tsr_bsp_reading *r, const tsr_stored *array, tsr_error *err)
{
    out->name = array->name;
    out->type = array->type;
    return tsr_bsp_read_raw(&out->array, r, array, err);
}

/* Read the arrays as they are in the file. */
static tsr_status read_arrays(tsr_arrays *in, tsr_bsp_reading *r, tsr_error *err)
{
    const tsr_bsp_descriptor *const d = &r->d;
    tsr_bsp_values v;
    *in = (tsr_arrays){
        .order = d->order, .structure = d->structure, .base = d->index_base, .major = d->transpose[0]};
    memcpy(in->dims, d->shape, (size_t)d->order * sizeof *d->shape);
    if (is_by_slices(d)) {
        TSR_TRY(read_numbers(&in->pointers, r, &r->pointers[1], err));
        TSR_TRY(read_numbers(&in->crd[0], r, &r->indices[1], err));
    }
    for (int k = 0; k < d->order && is_list(d); k++)
        TSR_TRY(read_numbers(&in->crd[d->transpose[k]], r, &r->indices[k], err));
    TSR_TRY(tsr_bsp_take_values(&v, r, false, err));
    in->values = (tsr_numbers){.array = v.array, .type = v.type, .name = "values"};
    in->iso = v.iso;
    in->has_fill = v.has_fill;
    memcpy(in->fill, v.fill, sizeof v.fill);
    return TSR_OK;
}

/* Make the tensor, and clear the arrays. */
static tsr_status use_arrays(tsr_data *out, tsr_arrays *in, const tsr_bsp_descriptor *d,
                             const tsr_read_options *options, tsr_error *err)
{
    if (is_by_slices(d))
        return tsr_arrays_compressed(out, in, options, err);
    TSR_TRY(tsr_arrays_coordinates(out, in, options, err));
    out->coo->repaired = true;
    tsr_warn(options->observer, NULL, 0,
             "repaired: the entries are not in the order that the file claims: they are sorted, and those of "
             "one cell are combined "
             "(see --duplicates)");
    return TSR_OK;
}

/* What --repair would do; NULL: nothing. Clears the arrays. */
static const char *find_hint(tsr_arrays *in, const tsr_bsp_reading *r)
{
    tsr_read_options quiet = *r->options;
    tsr_data data = {0};
    quiet.repair = true;
    quiet.observer = NULL;
    const char *const told = is_by_slices(&r->d) ? tsr_arrays_diagnose(in, in->dims[1 - in->major]) : NULL;
    const bool reads = use_arrays(&data, in, &r->d, &quiet, NULL) == TSR_OK;
    tsr_data_clear(&data);
    if (told || !reads)
        return told;
    return "the entries are not in the order that the file claims, or a cell has several: --repair sorts the "
           "entries, and combines those of one cell";
}

tsr_status tsr_bsp_repair(tsr_data *out, tsr_bsp_reading *r, const tsr_error *why, tsr_error *err)
{
    tsr_arrays in = {.order = 0};
    if (r->mapped || (!is_by_slices(&r->d) && !is_list(&r->d)))
        return tsr_fail_as(err, why);
    const tsr_status status = read_arrays(&in, r, NULL);
    if (status == TSR_OK && r->options->repair)
        return use_arrays(out, &in, &r->d, r->options, err);
    const char *const hint = status == TSR_OK ? find_hint(&in, r) : NULL;
    tsr_arrays_clear(&in);
    return hint ? tsr_fail(err, why->status, "%s: %s", why->message, hint) : tsr_fail_as(err, why);
}
