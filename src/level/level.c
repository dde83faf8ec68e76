/* The table of level types, the table of arrays, and the checks that types share. */
#include "tsr_level.h"

#include <inttypes.h>
#include <string.h>

#include "level_internal.h"
#include "tsr_checked.h"
#include "tsr_text.h"

#define X(name) extern const tsr_level_type tsr_level_##name;
#include "level_types.def"
#undef X

const tsr_level_type *const tsr_level_types[] = {
#define X(name) &tsr_level_##name,
#include "level_types.def"
#undef X
    NULL};

const tsr_level_type *const
    tsr_level_of_cells = &tsr_level_dense,
    *const tsr_level_of_list = &tsr_level_compressed, *const tsr_level_of_tuple = &tsr_level_singleton,
    *const tsr_level_in_any_order = &tsr_level_unordered, *const tsr_level_of_runs = &tsr_level_stored_runs;

const tsr_level_type *tsr_level_type_by_name(const char *name, size_t n)
{
    for (const tsr_level_type *const *type = tsr_level_types; *type; type++)
        if (tsr_name_is((*type)->name, name, n))
            return *type;
    return NULL;
}

const tsr_level_type *tsr_level_type_by_letter(char letter, bool *nonunique)
{
    *nonunique = false;
    if (letter == '\0')
        return NULL;
    for (const tsr_level_type *const *type = tsr_level_types; *type; type++) {
        if (letter == (*type)->letter || letter == (*type)->alias)
            return *type;
        if (letter == (*type)->letter_nonunique) {
            *nonunique = true;
            return *type;
        }
    }
    return NULL;
}

/* ---- arrays ---- */

/* Where each role's array is in a level. */
static const size_t places[TSR_LEVEL_NROLES] = {
    [TSR_LEVEL_POS] = offsetof(tsr_level, pos),     [TSR_LEVEL_CRD] = offsetof(tsr_level, crd),
    [TSR_LEVEL_PERM] = offsetof(tsr_level, perm),   [TSR_LEVEL_BITS] = offsetof(tsr_level, bits),
    [TSR_LEVEL_START] = offsetof(tsr_level, start), [TSR_LEVEL_END] = offsetof(tsr_level, end),
};

tsr_array *tsr_level_array_of(tsr_level *level, tsr_level_role role)
{
    return (tsr_array *)(void *)((char *)level + places[role]);
}

const tsr_array *tsr_level_array_at(const tsr_level *level, tsr_level_role role)
{
    return (const tsr_array *)(const void *)((const char *)level + places[role]);
}

const tsr_level_array *tsr_level_array_row(const tsr_level_type *type, tsr_level_role role)
{
    for (int k = 0; k < TSR_LEVEL_NROLES && type->arrays[k].name; k++)
        if (type->arrays[k].role == role)
            return &type->arrays[k];
    return NULL;
}

bool tsr_level_array_length(uint64_t *n, const tsr_level_array *row, uint64_t nparents, uint64_t npos)
{
    *n = row->length == TSR_PER_POSITION ? npos : nparents;
    return row->length != TSR_OWN_LENGTH &&
           (row->length != TSR_PER_PARENT_AND_ONE || tsr_add_u64(n, nparents, 1));
}

uint64_t tsr_level_array_max(const tsr_level_array *row, uint64_t size, uint64_t npos)
{
    switch (row->content) {
    case TSR_HOLDS_POSITIONS:
        return npos;
    case TSR_HOLDS_COORDINATES:
        return size ? size - 1 : 0;
    case TSR_HOLDS_BYTES:
        return UINT8_MAX;
    case TSR_HOLDS_WORDS:
        return UINT64_MAX;
    default:
        return size;
    }
}

uint64_t tsr_level_nbytes(const tsr_level *level)
{
    uint64_t nbytes = 0;
    for (int role = 0; role < TSR_LEVEL_NROLES; role++)
        nbytes += tsr_array_nbytes(tsr_level_array_at(level, (tsr_level_role)role));
    return nbytes;
}

void tsr_level_clear(tsr_level *level)
{
    for (int role = 0; role < TSR_LEVEL_NROLES; role++)
        tsr_array_clear(tsr_level_array_of(level, (tsr_level_role)role));
    memset(level, 0, sizeof *level);
}

#define GATHER(ctype)                                       \
    do {                                                    \
        const ctype *restrict c = (const ctype *)crd->data; \
        for (size_t i = 0; i < n; i++)                      \
            coord[i] = c[position[i]];                      \
    } while (0)

void level_gather(uint64_t *restrict coord, const tsr_array *crd, const uint64_t *restrict position, size_t n)
{
    switch (crd->width) {
    case 1:
        GATHER(uint8_t);
        break;
    case 2:
        GATHER(uint16_t);
        break;
    case 4:
        GATHER(uint32_t);
        break;
    default:
        GATHER(uint64_t);
        break;
    }
}

tsr_status level_check_width(const tsr_array *array, const char *name, int index, tsr_error *err)
{
    const size_t w = array->width;
    if (w == 1 || w == 2 || w == 4 || w == 8)
        return TSR_OK;
    return tsr_fail(err, TSR_CORRUPT, "level %d: elements of %s have %zu bytes, but must have 1, 2, 4 or 8",
                    index, name, w);
}

/* The first coordinate that is outside the level. */
static tsr_status fail_outside(const tsr_level *level, int index, tsr_error *err)
{
    uint64_t i = 0;
    while (i + 1 < level->npos && tsr_array_get(&level->crd, i) < level->size)
        i++;
    return tsr_fail(err, TSR_CORRUPT,
                    "level %d: coordinate %" PRIu64 " at position %" PRIu64 " is outside [0, %" PRIu64 ")",
                    index, tsr_array_get(&level->crd, i), i, level->size);
}

tsr_status level_check_crd(const tsr_level *level, int index, tsr_error *err)
{
    const tsr_array *crd = &level->crd;
    uint64_t max, nfalls;
    if (!crd->data || crd->n != level->npos)
        return tsr_fail(err, TSR_CORRUPT, "level %d: crd has %" PRIu64 " elements for %" PRIu64 " positions",
                        index, crd->data ? crd->n : 0, level->npos);
    TSR_TRY(level_check_width(crd, "crd", index, err));
    tsr_array_survey(&max, &nfalls, crd, 0, crd->n);
    return crd->n > 0 && max >= level->size ? fail_outside(level, index, err) : TSR_OK;
}
