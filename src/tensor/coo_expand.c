/* From one stored triangle to the whole matrix. */
#include "tsr_coo.h"

#include <inttypes.h>

#include "tensor_internal.h"
#include "tsr_checked.h"

/* What the mirror image of a value is. */
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

/* Off-diagonal entries are counted, and their values tried, before anything changes. */
static tsr_status count_mirrors(uint64_t *nmirrors, const tsr_coo *coo, tsr_error *err)
{
    const bool try_values = tsr_structure_is_skew(coo->structure);
    uint64_t n = 0;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const uint64_t i = tsr_array_get(&coo->crd[0], e), j = tsr_array_get(&coo->crd[1], e);
        if (i == j)
            continue;
        n++;
        if (!try_values || (coo->iso && n > 1))
            continue;
        _Alignas(double) unsigned char v[TSR_MAX_VALUE_NBYTES];
        memcpy(v, (const char *)coo->values.data + (coo->iso ? 0 : e) * coo->values.width, coo->values.width);
        if (mirror_value(coo->structure, coo->type, v))
            continue;
        char text[TSR_VALUE_TEXT_NBYTES];
        const size_t len = tsr_value_print(
            text, coo->type, (const char *)coo->values.data + (coo->iso ? 0 : e) * coo->values.width);
        return tsr_fail(err, TSR_RANGE,
                        "entry (%" PRIu64 ", %" PRIu64 ") is %.*s, whose mirror image of opposite sign does "
                        "not fit type %s",
                        i, j, (int)len, text, tsr_type_name(coo->type));
    }
    *nmirrors = n;
    return TSR_OK;
}

static tsr_status grow(tsr_array *array, uint64_t n, const char *what, tsr_error *err)
{
    uint64_t nbytes;
    char words[32];
    void *data = NULL;
    if (tsr_mul_u64(&nbytes, n, array->width) && nbytes <= SIZE_MAX / 2)
        data = tsr_realloc(array->data, (size_t)nbytes);
    if (!data)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %s needs %s", what,
                        tsr_bytes_text_f(words, (double)n * (double)array->width));
    array->data = data;
    return TSR_OK;
}

/* One value becomes nnz equal ones. */
static tsr_status spell_values(tsr_coo *coo, tsr_error *err)
{
    TSR_TRY(grow(&coo->values, coo->nnz, "an array of values", err));
    const size_t width = coo->values.width;
    for (uint64_t e = 1; e < coo->nnz; e++)
        memcpy((char *)coo->values.data + e * width, coo->values.data, width);
    coo->values.n = coo->nnz;
    coo->iso = false;
    return TSR_OK;
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
    /* An iso matrix stays so when the mirror image of its value is the value itself. */
    _Alignas(double) unsigned char mirrored[TSR_MAX_VALUE_NBYTES];
    memcpy(mirrored, coo->values.data, coo->iso ? coo->values.width : 0);
    if (coo->iso && nmirrors > 0 && mirror_value(coo->structure, coo->type, mirrored) &&
        memcmp(mirrored, coo->values.data, coo->values.width) != 0)
        TSR_TRY(spell_values(coo, err));
    for (int m = 0; m < 2; m++)
        TSR_TRY(grow(&coo->crd[m], total, "an array of coordinates", err));
    if (!coo->iso)
        TSR_TRY(grow(&coo->values, total, "an array of values", err));
    for (int m = 0; m < 2; m++)
        coo->crd[m].n = total;
    if (!coo->iso)
        coo->values.n = total;
    const bool plain = keeps_values(coo->structure);
    const size_t width = coo->values.width;
    char *values = coo->values.data;
    uint64_t at = coo->nnz;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const uint64_t i = tsr_array_get(&coo->crd[0], e), j = tsr_array_get(&coo->crd[1], e);
        if (i == j)
            continue;
        tsr_array_set(&coo->crd[0], at, j);
        tsr_array_set(&coo->crd[1], at, i);
        if (!coo->iso) {
            memcpy(values + at * width, values + e * width, width);
            if (!plain)
                mirror_value(coo->structure, coo->type, values + at * width); /* tried above: it fits */
        }
        at++;
    }
    coo->nnz = total;
    coo->structure = TSR_GENERAL;
    return TSR_OK;
}
