/* The table of level types, and functions that they share. */
#include "tsr_level.h"

#include <inttypes.h>
#include <string.h>

#include "level_internal.h"

const tsr_level_type *const tsr_level_types[] = {&tsr_level_dense, &tsr_level_compressed,
                                                 &tsr_level_singleton, NULL};

const tsr_level_type *tsr_level_type_by_name(const char *name, size_t n)
{
    for (const tsr_level_type *const *type = tsr_level_types; *type; type++)
        if (strlen((*type)->name) == n && memcmp((*type)->name, name, n) == 0)
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

uint64_t tsr_level_nbytes(const tsr_level *level)
{
    return tsr_array_nbytes(&level->pos) + tsr_array_nbytes(&level->crd);
}

void tsr_level_clear(tsr_level *level)
{
    tsr_array_clear(&level->pos);
    tsr_array_clear(&level->crd);
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

tsr_status level_check_crd(const tsr_level *level, int index, tsr_error *err)
{
    const tsr_array *crd = &level->crd;
    if (!crd->data || crd->n != level->npos)
        return tsr_fail(err, TSR_CORRUPT, "level %d: crd has %" PRIu64 " elements for %" PRIu64 " positions",
                        index, crd->data ? crd->n : 0, level->npos);
    TSR_TRY(level_check_width(crd, "crd", index, err));
    uint64_t block[TSR_LEVEL_BLOCK];
    for (uint64_t i = 0; i < crd->n;) {
        const uint64_t n = crd->n - i < TSR_LEVEL_BLOCK ? crd->n - i : TSR_LEVEL_BLOCK;
        tsr_array_load(block, crd, i, n);
        for (uint64_t k = 0; k < n; k++)
            if (block[k] >= level->size)
                return tsr_fail(err, TSR_CORRUPT,
                                "level %d: coordinate %" PRIu64 " at position %" PRIu64
                                " is outside [0, %" PRIu64 ")",
                                index, block[k], i + k, level->size);
        i += n;
    }
    return TSR_OK;
}
