/* What level types share that are packed from all entries at once: making arrays, looking at the entries, and
 * checks of arrays. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_checked.h"
#include "tsr_clones.h"

int level_compare_coordinates(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

bool level_depends(uint64_t *npos, uint64_t nparents, uint64_t pitch)
{
    (void)nparents;
    (void)pitch;
    *npos = UINT64_MAX;
    return true;
}

/* ---- making arrays ---- */

static size_t width_of(const tsr_level_array *row, uint64_t max, const tsr_level_room *room)
{
    if (row->content == TSR_HOLDS_BYTES)
        return 1;
    if (row->content == TSR_HOLDS_WORDS)
        return 8;
    if (room->width)
        return room->width;
    return room->is_interop ? (max < (UINT64_C(1) << 31) ? 4 : 8) : tsr_width_for(max);
}

tsr_status level_make(tsr_level *level, level_want want, const tsr_level_room *room, int index,
                      tsr_error *err)
{
    const tsr_level_array *row = tsr_level_array_row(level->type, want.role);
    tsr_array *array = tsr_level_array_of(level, want.role);
    const size_t width = width_of(row, want.max, room);
    if (row->content < TSR_HOLDS_BYTES && width < tsr_width_for(want.max))
        return tsr_fail(err, TSR_RANGE,
                        "level %d: %s needs elements up to %" PRIu64 ", which do not fit %zu bits", index,
                        row->name, want.max, 8 * width);
    TSR_TRY(room->take(room->arg, (double)want.n * (double)width, err));
    TSR_TRY(tsr_array_init(array, want.n, width, want.init == LEVEL_ZEROS, row->name, err));
    if (want.init == LEVEL_PADDING && want.n > 0)
        memset(array->data, 0xff, want.n * width);
    return TSR_OK;
}

tsr_status tsr_level_array_make(tsr_level *level, const tsr_level_array *row, uint64_t n,
                                const tsr_level_room *room, int index, tsr_error *err)
{
    return level_make(
        level,
        (level_want){row->role, n, tsr_level_array_max(row, level->size, level->npos), LEVEL_UNDEFINED}, room,
        index, err);
}

tsr_status level_scratch(uint64_t **out, uint64_t n, bool zero, const tsr_level_room *room, tsr_error *err)
{
    void *memory;
    *out = NULL;
    TSR_TRY(room->take(room->arg, 8 * (double)n, err));
    TSR_TRY(tsr_alloc_array(&memory, n, sizeof **out, zero, "packing", err));
    *out = memory;
    return TSR_OK;
}

/* ---- looking at entries ---- */

uint64_t level_parent_end(const tsr_level_entries *e, uint64_t i)
{
    const uint64_t parent = e->position[i];
    while (i < e->n && e->position[i] == parent)
        i++;
    return i;
}

uint64_t level_longest(const tsr_level_entries *e, uint64_t *parent)
{
    uint64_t longest = 0, now = 0;
    *parent = 0;
    for (uint64_t i = 0; i < e->n; i++) {
        now = i > 0 && e->position[i] == e->position[i - 1] ? now + level_opens(e, i) : 1;
        if (now > longest) {
            longest = now;
            *parent = e->position[i];
        }
    }
    return longest;
}

tsr_status level_set_uniform(tsr_level *level, uint64_t pitch, int index, tsr_error *err)
{
    level->pitch = pitch;
    if (tsr_mul_u64(&level->npos, level->nparents, pitch) && level->npos <= INT64_MAX)
        return TSR_OK;
    return tsr_fail(err, TSR_LIMIT,
                    "level %d (%s): %" PRIu64 " parents with %" PRIu64
                    " positions each are more than 2^63 - 1",
                    index, level->type->name, level->nparents, pitch);
}

uint64_t level_find(const tsr_array *pos, uint64_t position)
{
    uint64_t lo = 0, hi = pos->n > 0 ? pos->n - 1 : 0; /* pos[lo] <= position < pos[hi] */
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (tsr_array_get(pos, mid) <= position)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static uint64_t all_bits(const tsr_array *crd)
{
    return UINT64_MAX >> (64 - 8 * crd->width);
}

void level_mark_crd(const tsr_level *level, uint8_t *stored, uint64_t first, size_t n)
{
    const uint64_t padding = all_bits(&level->crd);
    uint64_t block[TSR_LEVEL_BLOCK];
    for (size_t i = 0; i < n;) {
        const size_t step = n - i < TSR_LEVEL_BLOCK ? n - i : TSR_LEVEL_BLOCK;
        tsr_array_load(block, &level->crd, first + i, step);
        for (size_t k = 0; k < step; k++)
            stored[i + k] = block[k] != padding;
        i += step;
    }
}

void level_widen_padding(uint64_t *coord, const tsr_array *crd, size_t n)
{
    const uint64_t padding = all_bits(crd);
    for (size_t i = 0; i < n; i++)
        coord[i] = coord[i] == padding ? UINT64_MAX : coord[i];
}

/* ---- checks ---- */

tsr_status level_check_array(const tsr_level *level, tsr_level_role role, uint64_t n, int index,
                             tsr_error *err)
{
    const tsr_level_array *row = tsr_level_array_row(level->type, role);
    const tsr_array *array = tsr_level_array_at(level, role);
    if (!array->data || array->n != n)
        return tsr_fail(err, TSR_CORRUPT, "level %d: %s has %" PRIu64 " elements, but needs %" PRIu64, index,
                        row->name, array->data ? array->n : 0, n);
    if (row->content == TSR_HOLDS_BYTES || row->content == TSR_HOLDS_WORDS) {
        const size_t width = row->content == TSR_HOLDS_BYTES ? 1 : 8;
        if (array->width != width)
            return tsr_fail(err, TSR_CORRUPT, "level %d: elements of %s have %zu bytes, but must have %zu",
                            index, row->name, array->width, width);
        return TSR_OK;
    }
    return level_check_width(array, row->name, index, err);
}

#define FALLS(ctype)                          \
    do {                                      \
        const ctype *restrict x = pos->data;  \
        for (uint64_t i = 1; i < pos->n; i++) \
            falls |= x[i] < x[i - 1];         \
    } while (0)

/* Whether the elements begin with 0, end with `last` and never fall: without branches, as nearly all do. False for some widths. */
TSR_CLONES static bool rises_to(const tsr_array *pos, uint64_t last)
{
    unsigned falls = 0;
    if (pos->n == 0 || tsr_array_get(pos, 0) != 0 || tsr_array_get(pos, pos->n - 1) != last)
        return false;
    if (pos->width == 4)
        FALLS(uint32_t);
    else if (pos->width == 8)
        FALLS(uint64_t);
    else
        return false;
    return !falls;
}

tsr_status level_check_rising(const tsr_level *level, tsr_level_role role, uint64_t last, int index,
                              tsr_error *err)
{
    const char *name = tsr_level_array_row(level->type, role)->name;
    const tsr_array *pos = tsr_level_array_at(level, role);
    uint64_t block[TSR_LEVEL_BLOCK], before = 0;
    if (rises_to(pos, last))
        return TSR_OK;
    if (pos->n == 0)
        return tsr_fail(err, TSR_CORRUPT, "level %d: %s is empty, but begins with 0", index, name);
    for (uint64_t i = 0; i < pos->n;) {
        const uint64_t n = pos->n - i < TSR_LEVEL_BLOCK ? pos->n - i : TSR_LEVEL_BLOCK;
        tsr_array_load(block, pos, i, n);
        if (i == 0 && block[0] != 0)
            return tsr_fail(err, TSR_CORRUPT, "level %d: %s[0] is %" PRIu64 ", but must be 0", index, name,
                            block[0]);
        for (uint64_t k = 0; k < n; before = block[k++])
            if (block[k] < before)
                return tsr_fail(err, TSR_CORRUPT,
                                "level %d: %s[%" PRIu64 "] = %" PRIu64
                                " is less than the element before it, %" PRIu64,
                                index, name, i + k, block[k], before);
        i += n;
    }
    if (before != last)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: %s ends with %" PRIu64 " but there are %" PRIu64 " positions", index, name,
                        before, last);
    return TSR_OK;
}

tsr_status level_check_pos(const tsr_level *level, int index, tsr_error *err)
{
    const tsr_array *pos = &level->pos;
    if (!pos->data || pos->n == 0 || pos->n - 1 != level->nparents)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: pos has %" PRIu64 " elements for %" PRIu64
                        " parents, but needs one more than parents",
                        index, pos->data ? pos->n : 0, level->nparents);
    TSR_TRY(level_check_width(pos, "pos", index, err));
    return level_check_rising(level, TSR_LEVEL_POS, level->npos, index, err);
}

tsr_status level_check_uniform(const tsr_level *level, int index, tsr_error *err)
{
    uint64_t npos;
    if (tsr_mul_u64(&npos, level->nparents, level->pitch) && npos == level->npos)
        return TSR_OK;
    return tsr_fail(err, TSR_CORRUPT,
                    "level %d: %" PRIu64 " parents with %" PRIu64 " positions each do not have %" PRIu64
                    " positions",
                    index, level->nparents, level->pitch, level->npos);
}

tsr_status level_check_padded(const tsr_level *level, uint64_t parent, uint64_t most, level_place at,
                              int index, tsr_error *err)
{
    const uint64_t padding = all_bits(&level->crd);
    uint64_t before = 0;
    for (uint64_t k = 0; k < most; k++) {
        const uint64_t position = at(level, parent, k), c = tsr_array_get(&level->crd, position);
        if (c == padding) {
            before = UINT64_MAX;
            continue;
        }
        if (before == UINT64_MAX)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64
                            " comes after padding of parent %" PRIu64,
                            index, c, position, parent);
        if (c >= level->size)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64 " is outside [0, %" PRIu64
                            ")",
                            index, c, position, level->size);
        if (k > 0 && c <= before)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: coordinate %" PRIu64 " at position %" PRIu64 " follows %" PRIu64
                            " under the same parent %" PRIu64 ", but must be larger",
                            index, c, position, before, parent);
        before = c;
    }
    return TSR_OK;
}
