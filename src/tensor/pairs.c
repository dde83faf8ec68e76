/* Two tensors side by side. The loop over two rows has no branch that depends on their coordinates: it notes for each cell the numbers
 * of the two entries (from 1; 0: none), a strip of cells at a time, and then fetches the values of both. */
#include "tsr_pairs.h"

#include <string.h>

enum { STRIP = 512, LEFT = 1, RIGHT = 2 };

/* The cells of a strip. */
typedef struct strip {
    uint64_t place[2][STRIP]; /* the entry of each tensor, plus 1; 0: none */
    size_t n;
} strip;

static inline uint64_t get(const void *array, size_t width, uint64_t i)
{
    const tsr_array as = {.data = (void *)(uintptr_t)array, .width = width};
    return width == 4 ? ((const uint32_t *)array)[i] : tsr_array_get(&as, i);
}

static inline void put(void *array, bool wide, uint64_t i, uint64_t v)
{
    if (wide)
        ((uint64_t *)array)[i] = v;
    else
        ((uint32_t *)array)[i] = (uint32_t)v;
}

tsr_status tsr_pairs_init(tsr_pairs *pairs, const tsr_tensor *left, const tsr_tensor *right, tsr_error *err)
{
    const tsr_tensor *const tensors[2] = {left, right};
    static const uint64_t ones[2] = {0x0101010101010101, 0x0101010101010101}; /* of a pattern */
    int ndense, modes[2][TSR_MAX_LEVELS];
    for (int s = 0; s < 2; s++) {
        const tsr_tensor *const t = tensors[s];
        if (!tsr_format_is_nested(t->format, &ndense) || ndense + 1 != t->nlevels ||
            !tsr_format_is_permutation(t->format, modes[s]) || t->structure != TSR_GENERAL)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "pairs of values need tensors of full levels and then a compressed one, such as csr: convert "
                "the tensor before");
        const tsr_level *const level = &t->levels[t->nlevels - 1];
        const bool none = t->values.n == 0; /* a pattern, or not one entry, when any value will do */
        pairs->side[s] = (tsr_pairs_side){.pos = &level->pos,
                                          .crd = &level->crd,
                                          .values = none ? ones : t->values.data,
                                          .nbytes = none ? tsr_type_nbytes(t->type) : t->values.width,
                                          .iso = t->iso || none,
                                          .fill = t->fill};
        pairs->nrows = level->nparents;
    }
    if (left->order != right->order || memcmp(modes[0], modes[1], (size_t)left->order * sizeof **modes) != 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "pairs of values need two tensors in one format: convert one of them before");
    if (memcmp(left->dims, right->dims, (size_t)left->order * sizeof *left->dims) != 0)
        return tsr_fail(err, TSR_ARGUMENT, "pairs of values need two tensors with the same sizes of modes");
    return TSR_OK;
}

/* The row where the walk stands: entries [i, ea) of the left tensor and [j, eb) of the right one. */
typedef struct span {
    const void *left, *right;
    size_t left_width, right_width;
    uint64_t i, ea, j, eb;
    unsigned wanted;
    bool wide;
    void *crd; /* from the first cell of the strip on */
} span;

/* The cells that follow, where the lists of both have the same coordinates. */
static bool take_same(span *r, strip *s)
{
    const uint64_t n = r->ea - r->i;
    if (r->left_width != 4 || r->right_width != 4 || r->wide || n != r->eb - r->j || n > STRIP - s->n ||
        !(r->wanted & TSR_PAIRS_BOTH))
        return false;
    const uint32_t *const left = (const uint32_t *)r->left + r->i, *const right =
                                                                       (const uint32_t *)r->right + r->j;
    uint32_t *const crd = (uint32_t *)r->crd + s->n;
    for (uint64_t k = 0; k < n; k++)
        if (left[k] != right[k])
            return false;
    for (uint64_t k = 0; k < n; k++) {
        crd[k] = left[k];
        s->place[0][s->n + k] = r->i + k + 1;
        s->place[1][s->n + k] = r->j + k + 1;
    }
    r->i = r->ea, r->j = r->eb;
    s->n += n;
    return true;
}

/* The cells until one of the two lists or the strip ends. Widths are given apart, so that the compiler knows them. */
static inline void take_both(span *r, strip *s, size_t left_width, size_t right_width, bool wide)
{
    const uint64_t ea = r->ea, eb = r->eb;
    const unsigned wanted = r->wanted;
    uint64_t i = r->i, j = r->j;
    size_t n = s->n;
    while (i < ea && j < eb && n < STRIP) {
        const uint64_t x = get(r->left, left_width, i), y = get(r->right, right_width, j);
        const uint64_t has_left = x <= y, has_right = y <= x;
        put(r->crd, wide, n, y + ((x - y) & -has_left));
        s->place[0][n] = (i + 1) & -has_left;
        s->place[1][n] = (j + 1) & -has_right;
        n += wanted >> (has_left * LEFT + has_right * RIGHT) & 1;
        i += has_left;
        j += has_right;
    }
    r->i = i, r->j = j;
    s->n = n;
}

/* What is left of the list of one tensor, k, once that of the other one has ended. */
static void take_rest(span *r, strip *s, int k)
{
    uint64_t *const at = k == 0 ? &r->i : &r->j;
    const uint64_t end = k == 0 ? r->ea : r->eb;
    if (!(r->wanted & (k == 0 ? TSR_PAIRS_LEFT : TSR_PAIRS_RIGHT)))
        *at = end;
    for (; *at < end && s->n < STRIP; (*at)++, s->n++) {
        put(r->crd, r->wide, s->n,
            k == 0 ? get(r->left, r->left_width, *at) : get(r->right, r->right_width, *at));
        s->place[k][s->n] = *at + 1;
        s->place[!k][s->n] = 0;
    }
}

/* Cells of the row where the walk stands, until the row or the strip ends. begin: the place in crd of the first cell of the strip. */
static void merge(tsr_pairs *pairs, strip *s, uint64_t begin)
{
    tsr_pairs_side *const a = &pairs->side[0], *const b = &pairs->side[1];
    span r = {.left = a->crd->data,
              .right = b->crd->data,
              .left_width = a->crd->width,
              .right_width = b->crd->width,
              .i = a->at,
              .ea = a->end,
              .j = b->at,
              .eb = b->end,
              .wanted =
                  pairs->wanted ? (unsigned)pairs->wanted : TSR_PAIRS_LEFT | TSR_PAIRS_RIGHT | TSR_PAIRS_BOTH,
              .wide = pairs->wide,
              .crd = (char *)pairs->crd + begin * (pairs->wide ? 8 : 4)};
    if (!take_same(&r, s)) {
        if (r.left_width == 4 && r.right_width == 4 && !r.wide)
            take_both(&r, s, 4, 4, false);
        else
            take_both(&r, s, r.left_width, r.right_width, r.wide);
        if (r.j == r.eb)
            take_rest(&r, s, 0);
        if (r.i == r.ea)
            take_rest(&r, s, 1);
    }
    a->at = r.i, b->at = r.j;
}

/* The values of n cells become elements at, at + 1... of `to`: of `parts` words each. A choice by a branch would be wrong too often. */
#define FETCH(word, parts)                                                                        \
    do {                                                                                          \
        const word *const v = side->values, *const none = side->fill;                             \
        word *const out = (word *)to + at * (parts);                                              \
        const uint64_t every = side->iso ? 0 : UINT64_MAX;                                        \
        for (size_t k = 0; k < n; k++) {                                                          \
            const uint64_t has = -(uint64_t)(place[k] != 0), from = (place[k] - 1) & has & every; \
            for (size_t h = 0; h < (parts); h++)                                                  \
                out[k * (parts) + h] = (word)((v[from * (parts) + h] & has) | (none[h] & ~has));  \
        }                                                                                         \
    } while (0)

static void fetch(void *to, uint64_t at, const tsr_pairs_side *side, const uint64_t *place, size_t n)
{
    switch (side->nbytes) {
    case 1:
        FETCH(uint8_t, 1);
        break;
    case 2:
        FETCH(uint16_t, 1);
        break;
    case 4:
        FETCH(uint32_t, 1);
        break;
    case 8:
        FETCH(uint64_t, 1);
        break;
    default:
        FETCH(uint64_t, 2);
        break;
    }
}

static void end_rows(tsr_pairs *pairs, uint64_t to)
{
    tsr_pairs_side *const a = &pairs->side[0], *const b = &pairs->side[1];
    while (a->at >= a->end && b->at >= b->end && pairs->row < pairs->nrows) {
        put(pairs->pos, pairs->wide, ++pairs->row, to);
        if (pairs->row == pairs->nrows)
            break;
        a->end = get(a->pos->data, a->pos->width, pairs->row + 1);
        b->end = get(b->pos->data, b->pos->width, pairs->row + 1);
    }
}

/* Whole rows that follow, where both tensors have the same coordinates in all of them: STRIP cells at most, which are copied. begin: the
 * place in crd of the first. False: there are none. */
static bool take_same_rows(tsr_pairs *pairs, uint64_t begin)
{
    tsr_pairs_side *const a = &pairs->side[0], *const b = &pairs->side[1];
    const bool plain = a->pos->width == 4 && b->pos->width == 4 && a->crd->width == 4 && b->crd->width == 4;
    if (!plain || pairs->wide || a->iso || b->iso || (pairs->wanted && !(pairs->wanted & TSR_PAIRS_BOTH)))
        return false;
    const uint32_t *const left = a->pos->data, *const right = b->pos->data;
    uint64_t row = pairs->row, n = 0;
    if (a->at != left[row] || b->at != right[row])
        return false;
    for (; row < pairs->nrows && row - pairs->row < STRIP; row++) {
        const uint64_t end = left[row + 1] - a->at;
        if (end > STRIP || end != right[row + 1] - b->at)
            break;
        n = end;
    }
    const uint32_t *const crd = (const uint32_t *)a->crd->data + a->at;
    if (row == pairs->row || memcmp(crd, (const uint32_t *)b->crd->data + b->at, n * sizeof *crd) != 0)
        return false;
    memcpy((uint32_t *)pairs->crd + begin, crd, n * sizeof *crd);
    for (uint64_t r = pairs->row; r < row; r++)
        ((uint32_t *)pairs->pos)[r + 1] = (uint32_t)(begin + left[r + 1] - a->at);
    for (int k = 0; k < 2; k++) {
        tsr_pairs_side *const side = &pairs->side[k];
        memcpy((char *)pairs->values[k] + pairs->n * side->nbytes,
               (const char *)side->values + side->at * side->nbytes, n * side->nbytes);
        side->at += n;
        side->end = row < pairs->nrows ? (k == 0 ? left : right)[row + 1] : side->at;
    }
    pairs->row = row;
    pairs->n += n;
    return true;
}

void tsr_pairs_next(tsr_pairs *pairs)
{
    strip s;
    pairs->first = pairs->row;
    pairs->total += pairs->n;
    pairs->n = 0;
    if (pairs->total == 0 && pairs->row == 0)
        put(pairs->pos, pairs->wide, 0, 0);
    for (int k = 0; k < 2 && pairs->row < pairs->nrows; k++) {
        tsr_pairs_side *const side = &pairs->side[k];
        side->end = get(side->pos->data, side->pos->width, pairs->row + 1);
    }
    while (pairs->row < pairs->nrows && pairs->n + STRIP <= pairs->capacity) {
        const uint64_t begin = pairs->total + pairs->n;
        if (take_same_rows(pairs, begin))
            continue;
        s.n = 0;
        end_rows(pairs, begin);
        while (s.n < STRIP && pairs->row < pairs->nrows) {
            merge(pairs, &s, begin);
            end_rows(pairs, begin + s.n);
        }
        for (int k = 0; k < 2; k++)
            fetch(pairs->values[k], pairs->n, &pairs->side[k], s.place[k], s.n);
        pairs->n += s.n;
    }
}

void tsr_pairs_keep(tsr_pairs *pairs, const unsigned char *kept)
{
    const uint64_t begin = pairs->total;
    uint64_t from = begin, to = begin;
    const bool wide = pairs->wide;
    for (uint64_t row = pairs->first; row <= pairs->row; row++) {
        const uint64_t end = row < pairs->row ? get(pairs->pos, wide ? 8 : 4, row + 1) : begin + pairs->n;
        for (; from < end; from++) {
            put(pairs->crd, wide, to, get(pairs->crd, wide ? 8 : 4, from));
            to += kept[from - begin] != 0;
        }
        if (row < pairs->row)
            put(pairs->pos, wide, row + 1, to);
    }
    pairs->n = to - begin;
}
