/* Blocks of a packed tensor whose arrays are in a file: slices of the outermost level with all that is below them. */
#include <inttypes.h>
#include <string.h>

#include "blocks_internal.h"

enum { WINDOW = 1 << 15 };

/* The positions of each level that the slices [first[0], end[0]) have. */
typedef struct span {
    uint64_t first[TSR_MAX_LEVELS], end[TSR_MAX_LEVELS];
} span;

/* ---- where slices begin ---- */

/* Element i of the pos array of a level. */
static tsr_status pos_at(uint64_t *out, tsr_blocks *b, int level, uint64_t i, tsr_error *err)
{
    const tsr_array *const array = &b->parts->tensor->levels[level].pos;
    tsr_array *const loaded = &b->window.loaded;
    if (b->window.level != level || i < b->window.first || i - b->window.first >= loaded->n) {
        const uint64_t first = i - i % WINDOW, left = array->n - first;
        const tsr_part_range range = {TSR_PART_POS, level, first, left < WINDOW ? left : WINDOW};
        if (!loaded->data)
            TSR_TRY(tsr_array_init(loaded, WINDOW, 8, 0, "a part of an array", err));
        loaded->n = 0;
        TSR_TRY(b->parts->load(loaded->data, b->parts, &range, err));
        b->window.level = level;
        b->window.first = first;
        loaded->n = range.n;
        loaded->width = array->width;
    }
    *out = tsr_array_get(loaded, i - b->window.first);
    return TSR_OK;
}

/* Complete the span of the slices [s->first[0], s->end[0]). */
static tsr_status find_span(span *s, tsr_blocks *b, tsr_error *err)
{
    const tsr_tensor *const t = b->parts->tensor;
    for (int l = 1; l < t->nlevels; l++) {
        const tsr_level *const level = &t->levels[l];
        s->first[l] = s->first[l - 1] * (level->type->full ? level->pitch : 1);
        s->end[l] = s->end[l - 1] * (level->type->full ? level->pitch : 1);
        if (level->type->full || level->type->branchless)
            continue;
        TSR_TRY(pos_at(&s->first[l], b, l, s->first[l - 1], err));
        TSR_TRY(pos_at(&s->end[l], b, l, s->end[l - 1], err));
        if (s->first[l] > s->end[l] || s->end[l] > level->npos)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: pos goes from %" PRIu64 " to %" PRIu64 ", and there are %" PRIu64
                            " positions",
                            l, s->first[l], s->end[l], level->npos);
    }
    return TSR_OK;
}

/* The bytes that the span has in the file. */
static double span_nbytes(const span *s, const tsr_tensor *t)
{
    double nbytes = 0;
    for (int l = 0; l < t->nlevels; l++) {
        const double n = (double)(s->end[l] - s->first[l]);
        if (tsr_level_has(t->levels[l].type, TSR_LEVEL_CRD))
            nbytes += n * (double)t->levels[l].crd.width;
        if (l + 1 < t->nlevels && tsr_level_has(t->levels[l + 1].type, TSR_LEVEL_POS))
            nbytes += n * (double)t->levels[l + 1].pos.width;
        if (l + 1 == t->nlevels && !t->iso && t->type != TSR_PATTERN)
            nbytes += n * (double)t->values.width;
    }
    return nbytes;
}

/* Move a bound of the end of a block, which is in [*least, *most], by looking at the slices up to `end`. */
static tsr_status narrow(uint64_t *least, uint64_t *most, span *s, tsr_blocks *b, uint64_t end,
                         tsr_error *err)
{
    if (end <= *least || end > *most)
        return TSR_OK;
    s->end[0] = end;
    TSR_TRY(find_span(s, b, err));
    if (span_nbytes(s, b->parts->tensor) <= (double)b->nbytes)
        *least = end;
    else
        *most = end - 1;
    return TSR_OK;
}

/* As many slices as a block has room for, from the next one on; at least one. */
static tsr_status choose_slices(span *s, tsr_blocks *b, tsr_error *err)
{
    const tsr_tensor *const t = b->parts->tensor;
    char size[32], room[32];
    uint64_t most = t->levels[0].npos, least = b->next < most ? b->next + 1 : most;
    *s = (span){.first = {b->next}};
    /* `least` fits, or is one slice. Most blocks have about as many slices as the one before. */
    TSR_TRY(narrow(&least, &most, s, b, b->next + 2 * b->nslices, err));
    TSR_TRY(narrow(&least, &most, s, b, b->next + b->nslices / 2, err));
    while (least < most)
        TSR_TRY(narrow(&least, &most, s, b, most - (most - least) / 2, err));
    s->end[0] = least;
    b->nslices = least - b->next;
    TSR_TRY(find_span(s, b, err));
    const double nbytes = span_nbytes(s, t);
    if (nbytes <= 2 * (double)b->nbytes)
        return TSR_OK;
    return tsr_fail(err, TSR_LIMIT,
                    "slice %" PRIu64 " of the outermost level takes %s, but a block may have %s: give more "
                    "memory, or convert the file to a format with another outermost mode",
                    b->next, tsr_bytes_text_f(size, nbytes), tsr_bytes_text(room, b->nbytes));
}

/* ---- arrays ---- */

/* Room for array k of the slot, which becomes `array`: n elements of `width` bytes. */
static tsr_status make_room(tsr_array *array, blocks_slot *slot, int k, uint64_t n, size_t width,
                            tsr_error *err)
{
    const uint64_t nbytes = n * width;
    if (!slot->memory[k] || slot->room[k] < nbytes) {
        tsr_free(slot->memory[k]);
        slot->room[k] = 0;
        TSR_TRY(tsr_alloc_array(&slot->memory[k], nbytes + nbytes / 16, 1, 0, "a block of a file", err));
        slot->room[k] = nbytes + nbytes / 16;
    }
    tsr_array_clear(array);
    *array = (tsr_array){.data = slot->memory[k], .n = n, .width = width, .borrowed = true};
    return TSR_OK;
}

/* The pos array of a level below the first: as in the file, but from 0 on. */
static tsr_status load_pos(tsr_blocks *b, blocks_slot *slot, int l, const span *s, tsr_error *err)
{
    const uint64_t n = s->end[l - 1] - s->first[l - 1];
    tsr_array *const pos = &slot->tensor->levels[l].pos;
    const tsr_part_range range = {TSR_PART_POS, l, s->first[l - 1], n + 1};
    TSR_TRY(make_room(pos, slot, 2 * l, n + 1, b->parts->tensor->levels[l].pos.width, err));
    TSR_TRY(b->parts->load(pos->data, b->parts, &range, err));
    for (uint64_t i = 0; i <= n; i++)
        tsr_array_set(pos, i, tsr_array_get(pos, i) - s->first[l]);
    return TSR_OK;
}

/* The slices of a full level, as a list. */
static tsr_status list_slices(blocks_slot *slot, const span *s, size_t width, tsr_error *err)
{
    tsr_array *const crd = &slot->tensor->levels[0].crd;
    TSR_TRY(make_room(crd, slot, 1, s->end[0] - s->first[0], width, err));
    for (uint64_t i = s->first[0]; i < s->end[0]; i++)
        tsr_array_set(crd, i - s->first[0], i);
    return TSR_OK;
}

static tsr_status load_level(tsr_blocks *b, blocks_slot *slot, int l, const span *s, tsr_error *err)
{
    const tsr_level *const from = &b->parts->tensor->levels[l];
    tsr_level *const to = &slot->tensor->levels[l];
    const uint64_t n = s->end[l] - s->first[l];
    if (l > 0)
        to->pitch = from->pitch;
    to->nparents = l > 0 ? slot->tensor->levels[l - 1].npos : 1;
    to->npos = slot->tensor->npos = n;
    if (l == 0) { /* a list, also where the file has all slices */
        const size_t width = from->type->full ? tsr_crd_width(from->npos) : from->pos.width;
        TSR_TRY(make_room(&to->pos, slot, 0, 2, width, err));
        tsr_array_set(&to->pos, 0, 0);
        tsr_array_set(&to->pos, 1, n);
        if (from->type->full)
            return list_slices(slot, s, width, err);
    } else if (tsr_level_has(from->type, TSR_LEVEL_POS)) {
        TSR_TRY(load_pos(b, slot, l, s, err));
    }
    if (!tsr_level_has(from->type, TSR_LEVEL_CRD))
        return TSR_OK;
    TSR_TRY(make_room(&to->crd, slot, 2 * l + 1, n, from->crd.width, err));
    return b->parts->load(to->crd.data, b->parts, &(tsr_part_range){TSR_PART_CRD, l, s->first[l], n}, err);
}

static tsr_status load_values(tsr_blocks *b, blocks_slot *slot, const span *s, tsr_error *err)
{
    const tsr_tensor *const t = b->parts->tensor;
    const int last = t->nlevels - 1;
    const bool pattern = t->type == TSR_PATTERN, one = t->iso || pattern;
    tsr_part_range range = {TSR_PART_VALUES, 0, s->first[last], s->end[last] - s->first[last]};
    slot->tensor->iso = one;
    if (one)
        range = (tsr_part_range){TSR_PART_VALUES, 0, 0, 1};
    TSR_TRY(
        make_room(&slot->tensor->values, slot, BLOCKS_NARRAYS - 1, range.n, tsr_type_nbytes(t->type), err));
    if (pattern)
        *(unsigned char *)slot->tensor->values.data = 1;
    return pattern ? TSR_OK : b->parts->load(slot->tensor->values.data, b->parts, &range, err);
}

tsr_status blocks_load_slices(tsr_blocks *b, blocks_slot *slot, tsr_error *err)
{
    const tsr_tensor *const t = b->parts->tensor;
    span s;
    tsr_tensor_free(slot->tensor);
    slot->tensor = NULL;
    slot->nbytes = 0;
    if (b->next >= t->levels[0].npos && b->begun)
        return TSR_OK;
    TSR_TRY(choose_slices(&s, b, err));
    TSR_TRY(tsr_tensor_new_bound(&slot->tensor, b->binding, t->type, err));
    for (int l = 0; l < t->nlevels; l++)
        TSR_TRY(load_level(b, slot, l, &s, err));
    TSR_TRY(load_values(b, slot, &s, err));
    slot->nbytes = (uint64_t)span_nbytes(&s, t);
    b->next = s.end[0];
    return TSR_OK;
}
