/* From arrays by slices, blocks or groups of modes to coordinates: see array_spell.h. No array is held twice: indices become
 * coordinates in the place where they are, and arrays are freed as soon as they are used up. */
#include "array_spell.h"

#include <inttypes.h>

#include "tsr_checked.h"

/* Store indices below `dim` in 4 bytes where these are enough: before other arrays are made. */
static tsr_status narrow_indices(tsr_array *indices, uint64_t dim, tsr_error *err)
{
    return indices->width == 8
               ? tsr_array_set_width(indices, tsr_crd_width(dim), "an array of coordinates", err)
               : TSR_OK;
}

tsr_status tsr_arrays_spell_slices(tsr_arrays *in, tsr_error *err)
{
    const tsr_array *const p = &in->pointers.array;
    tsr_numbers slices = {.type = TSR_U64, .name = in->pointers.name};
    const size_t width = tsr_crd_width(in->dims[in->major]);
    TSR_TRY(narrow_indices(&in->crd[0].array, in->dims[1 - in->major], err));
    TSR_TRY(tsr_array_init(&slices.array, in->crd[0].array.n, width, 0, "coordinates", err));
    slices.type = tsr_type_unsigned(width);
    for (uint64_t s = 0; s + 1 < p->n; s++)
        for (uint64_t q = tsr_array_get(p, s); q < tsr_array_get(p, s + 1); q++)
            tsr_array_set(&slices.array, q, s);
    in->crd[0].type =
        tsr_type_unsigned(in->crd[0].array.width); /* check_slices has refused negative indices */
    const tsr_numbers indices = in->crd[0];
    in->crd[in->major] = slices;
    in->crd[1 - in->major] = indices;
    in->base = 0;
    return TSR_OK;
}

tsr_status tsr_arrays_group(tsr_grouping *g, const tsr_arrays *in, tsr_error *err)
{
    bool seen[TSR_MAX_ORDER] = {false};
    *g = (tsr_grouping){.ncells = {1, 1}};
    for (int i = 0; i < in->ngrouped; i++) {
        const int m = in->grouped[i];
        if (m < 0 || m >= in->order || seen[m])
            return tsr_fail(err, TSR_CORRUPT, "the compressed axes must be different numbers below %d",
                            in->order);
        seen[m] = true;
        g->mode[0][g->n[0]++] = m;
    }
    for (int m = 0; m < in->order; m++)
        if (!seen[m])
            g->mode[1][g->n[1]++] = m;
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < g->n[kind]; i++)
            if (!tsr_mul_u64(&g->ncells[kind], g->ncells[kind], in->dims[g->mode[kind][i]]) ||
                g->ncells[kind] > INT64_MAX)
                return tsr_fail(err, TSR_LIMIT, "the tensor has more than 2^63 %s",
                                kind ? "columns" : "rows");
    return TSR_OK;
}

/* Set the coordinates of entry e in the modes of one kind, which is at cell `cell` of these modes. */
static void spell_cell(tsr_array *crd, const tsr_arrays *in, const tsr_grouping *g, int kind, uint64_t e,
                       uint64_t cell)
{
    for (int i = g->n[kind] - 1; i >= 0; i--) {
        const int m = g->mode[kind][i];
        tsr_array_set(&crd[m], e, cell % in->dims[m]);
        cell /= in->dims[m];
    }
}

static tsr_status new_modes(tsr_array *crd, const tsr_arrays *in, const tsr_grouping *g, int kind, int n,
                            tsr_error *err)
{
    for (int i = 0; i < n; i++) {
        const int m = g->mode[kind][i];
        TSR_TRY(
            tsr_array_init(&crd[m], in->crd[0].array.n, tsr_crd_width(in->dims[m]), 0, "coordinates", err));
    }
    return TSR_OK;
}

/* The indices become the coordinates of the last mode of the columns, in the same array. */
static tsr_status spell_modes(tsr_array *crd, tsr_arrays *in, const tsr_grouping *g, tsr_error *err)
{
    tsr_array *const p = &in->pointers.array, *const indices = &in->crd[0].array;
    const uint64_t n = indices->n;
    TSR_TRY(narrow_indices(indices, g->ncells[1], err));
    TSR_TRY(new_modes(crd, in, g, 0, g->n[0], err));
    for (uint64_t s = 0; s + 1 < p->n; s++)
        for (uint64_t q = tsr_array_get(p, s); q < tsr_array_get(p, s + 1); q++)
            spell_cell(crd, in, g, 0, q, s);
    tsr_array_clear(p);
    if (g->n[1] == 0) {
        tsr_array_clear(indices);
        return TSR_OK;
    }
    TSR_TRY(new_modes(crd, in, g, 1, g->n[1] - 1, err));
    const int last = g->mode[1][g->n[1] - 1];
    crd[last] = tsr_array_take(indices);
    for (uint64_t q = 0; q < n; q++)
        spell_cell(crd, in, g, 1, q, tsr_array_get(&crd[last], q));
    return TSR_OK;
}

tsr_status tsr_arrays_spell_grouped(tsr_arrays *in, const tsr_grouping *g, tsr_error *err)
{
    tsr_array crd[TSR_MAX_ORDER] = {{0}};
    const tsr_status status = spell_modes(crd, in, g, err);
    tsr_array_clear(&in->crd[0].array);
    for (int m = 0; m < in->order; m++) /* freed with `in`, also after a failure */
        in->crd[m] = (tsr_numbers){crd[m], tsr_type_unsigned(crd[m].width), "indices"};
    in->base = 0;
    return status;
}

/* The indices of the blocks grow to those of the columns in the same array, from the end on. */
tsr_status tsr_arrays_spell_blocks(tsr_arrays *in, tsr_error *err)
{
    tsr_array *const p = &in->pointers.array;
    const uint64_t rows = in->block[0], columns = in->block[1], nblocks = in->crd[0].array.n;
    const uint64_t ncells = in->values.array.n;
    const size_t widths[] = {tsr_crd_width(in->dims[0]), tsr_crd_width(in->dims[1])};
    tsr_numbers mode[2] = {{.type = tsr_type_unsigned(widths[0]), .name = in->pointers.name}, in->crd[0]};
    in->crd[0] = (tsr_numbers){.name = mode[1].name};
    mode[1].type = tsr_type_unsigned(widths[1]);
    tsr_status status = tsr_array_init(&mode[0].array, ncells, widths[0], 0, "coordinates", err);
    for (uint64_t s = 0; status == TSR_OK && s + 1 < p->n; s++)
        for (uint64_t q = tsr_array_get(p, s); q < tsr_array_get(p, s + 1); q++)
            for (uint64_t cell = 0; cell < rows * columns; cell++)
                tsr_array_set(&mode[0].array, q * rows * columns + cell, s * rows + cell / columns);
    tsr_array_clear(p);
    if (status == TSR_OK)
        status = tsr_array_set_width(&mode[1].array, widths[1], "an array of coordinates", err);
    if (status == TSR_OK)
        status = tsr_array_resize(&mode[1].array, ncells, widths[1], "coordinates", err);
    for (uint64_t q = nblocks; status == TSR_OK && q > 0; q--) {
        const uint64_t first = tsr_array_get(&mode[1].array, q - 1) * columns;
        for (uint64_t cell = rows * columns; cell > 0; cell--)
            tsr_array_set(&mode[1].array, (q - 1) * rows * columns + cell - 1, first + (cell - 1) % columns);
    }
    in->crd[0] = mode[0]; /* freed with `in` */
    in->crd[1] = mode[1];
    in->base = 0;
    return status;
}
