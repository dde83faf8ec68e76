/* Expanding one stored triangle to the whole matrix. */
#include "tsr_coo.h"

#include <inttypes.h>

#include "tensor_internal.h"
#include "tsr_checked.h"
#include "tsr_memory.h"

enum { BLOCK = 1024 };

/* Replace a value by its mirror image. False: the type cannot hold it. */
static bool mirror_value(tsr_structure structure, tsr_type type, void *v)
{
    if (tsr_structure_is_skew(structure))
        return tsr_value_negate(type, v);
    if (structure == TSR_HERMITIAN_LOWER || structure == TSR_HERMITIAN_UPPER)
        tsr_value_conjugate(type, v);
    return true;
}

static bool keeps_values(tsr_structure structure)
{
    return structure == TSR_SYMMETRIC_LOWER || structure == TSR_SYMMETRIC_UPPER;
}

/* The off-diagonal entries of a block: numbers relative to the first entry, and coordinates. */
typedef struct off_diagonal {
    size_t n;
    uint64_t e[BLOCK], i[BLOCK], j[BLOCK];
} off_diagonal;

static void find_off_diagonal(off_diagonal *off, const tsr_coo *coo, uint64_t first, size_t n)
{
    uint64_t i[BLOCK], j[BLOCK];
    tsr_array_load(i, &coo->crd[0], first, n);
    tsr_array_load(j, &coo->crd[1], first, n);
    off->n = 0;
    for (size_t k = 0; k < n; k++) {
        off->e[off->n] = k;
        off->i[off->n] = i[k];
        off->j[off->n] = j[k];
        off->n += i[k] != j[k];
    }
}

static size_t block_length(const tsr_coo *coo, uint64_t first)
{
    return coo->nnz - first < BLOCK ? (size_t)(coo->nnz - first) : BLOCK;
}

/* TSR_RANGE where the type cannot hold the mirror image of entry e. */
static tsr_status try_mirror(const tsr_coo *coo, uint64_t e, tsr_error *err)
{
    _Alignas(double) unsigned char v[TSR_MAX_VALUE_NBYTES];
    const char *value = (const char *)coo->values.data + (coo->iso ? 0 : e) * coo->values.width;
    memcpy(v, value, coo->values.width);
    if (mirror_value(coo->structure, coo->type, v))
        return TSR_OK;
    char text[TSR_VALUE_TEXT_NBYTES];
    const size_t len = tsr_value_print(text, coo->type, value);
    return tsr_fail(err, TSR_RANGE,
                    "entry (%" PRIu64 ", %" PRIu64
                    ") is %.*s, and type %s cannot hold the negative of it, which the mirror image needs",
                    tsr_array_get(&coo->crd[0], e), tsr_array_get(&coo->crd[1], e), (int)len, text,
                    tsr_type_name(coo->type));
}

/* Count the off-diagonal entries and check the mirror images of their values, before the matrix changes. */
static tsr_status count_mirrors(uint64_t *nmirrors, const tsr_coo *coo, tsr_error *err)
{
    const bool skew = tsr_structure_is_skew(coo->structure);
    off_diagonal off;
    *nmirrors = 0;
    for (uint64_t first = 0; first < coo->nnz; first += BLOCK) {
        find_off_diagonal(&off, coo, first, block_length(coo, first));
        for (size_t k = 0; skew && k < off.n && (!coo->iso || *nmirrors + k == 0); k++)
            TSR_TRY(try_mirror(coo, first + off.e[k], err));
        *nmirrors += off.n;
    }
    return TSR_OK;
}

/* Room for n elements; the length stays, so that the tensor is whole if other memory is missing. */
static tsr_status make_room(tsr_array *array, uint64_t n, const char *what, tsr_error *err)
{
    const uint64_t length = array->n;
    TSR_TRY(tsr_array_resize(array, n, array->width, what, err));
    array->n = length;
    return TSR_OK;
}

/* A block of entries with their mirror images. */
typedef struct expanded {
    size_t n;
    uint64_t i[2 * BLOCK], j[2 * BLOCK];
    _Alignas(16) char values[2 * BLOCK * TSR_MAX_VALUE_NBYTES];
} expanded;

/* The mirror image of an entry follows the entry. */
static void expand_block(expanded *out, const tsr_coo *coo, uint64_t first, size_t n)
{
    uint64_t i[BLOCK], j[BLOCK];
    const size_t width = coo->values.width;
    const char *const values = coo->values.data;
    tsr_array_load(i, &coo->crd[0], first, n);
    tsr_array_load(j, &coo->crd[1], first, n);
    out->n = 0;
    for (size_t k = 0; k < n; k++) {
        const char *const value = values + (coo->iso ? 0 : (first + k) * width);
        const size_t at = out->n, mirror = at + 1;
        out->i[at] = out->j[mirror] = i[k];
        out->j[at] = out->i[mirror] = j[k];
        memcpy(out->values + at * width, value, width);
        memcpy(out->values + mirror * width, value, width);
        if (!keeps_values(coo->structure))
            mirror_value(coo->structure, coo->type,
                         out->values + mirror * width); /* fits: see count_mirrors */
        out->n += i[k] != j[k] ? 2 : 1;
    }
}

/* Put the mirror image of each entry behind it; the arrays have room for `total` entries. From the end, so that no entry is
 * overwritten before it has moved. */
static void add_mirrors(tsr_coo *coo, uint64_t total, expanded *block)
{
    for (uint64_t end = coo->nnz, to = total; end > 0;) {
        const uint64_t first = (end - 1) / BLOCK * BLOCK;
        expand_block(block, coo, first, (size_t)(end - first));
        to -= block->n;
        tsr_array_store(&coo->crd[0], to, block->i, block->n);
        tsr_array_store(&coo->crd[1], to, block->j, block->n);
        if (!coo->iso)
            memcpy((char *)coo->values.data + to * coo->values.width, block->values,
                   block->n * coo->values.width);
        end = first;
    }
}

tsr_status tsr_coo_expand(tsr_coo *coo, tsr_error *err)
{
    if (coo->structure == TSR_GENERAL)
        return TSR_OK;
    TSR_TRY(tsr_structure_check(coo->structure, coo->order, coo->dims, err));
    uint64_t nmirrors = 0, total;
    TSR_TRY(count_mirrors(&nmirrors, coo, err));
    if (!tsr_add_u64(&total, coo->nnz, nmirrors))
        return tsr_fail(err, TSR_LIMIT, "the whole matrix has more than 2^64 entries");
    /* an iso matrix stays iso where the mirror image of the value is the value itself */
    _Alignas(double) unsigned char mirrored[TSR_MAX_VALUE_NBYTES];
    memcpy(mirrored, coo->values.data, coo->iso ? coo->values.width : 0);
    if (coo->iso && nmirrors > 0 && mirror_value(coo->structure, coo->type, mirrored) &&
        memcmp(mirrored, coo->values.data, coo->values.width) != 0)
        TSR_TRY(tsr_coo_repeat_value(coo, err));
    const size_t each = coo->crd[0].width + coo->crd[1].width + (coo->iso ? 0 : coo->values.width);
    TSR_TRY(tsr_memory_check((double)nmirrors * (double)each, "the whole of the symmetric matrix", err));
    for (int m = 0; m < 2; m++)
        TSR_TRY(make_room(&coo->crd[m], total, "an array of coordinates", err));
    if (!coo->iso)
        TSR_TRY(make_room(&coo->values, total, "an array of values", err));
    for (int m = 0; m < 2; m++)
        coo->crd[m].n = total;
    if (!coo->iso)
        coo->values.n = total;
    expanded block;
    add_mirrors(coo, total, &block);
    coo->nnz = total;
    coo->structure = TSR_GENERAL;
    return TSR_OK;
}
