/* Bitmaps: every coordinate has a position under each parent, and a map of all positions tells which ones are
 * entries. Values at other positions hold the fill.
 *
 *   bits      words: bit b of 64-bit word w is position 64 * w + b; unused bits are 0
 *   bytes     bytes: 1 for an entry, else 0
 *   ranked    the same words, and positions for entries only: pos[p] is the first one of parent p, and the
 *             children follow in the order of the bits */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_checked.h"
#include "tsr_level_walk.h"

static bool get_bit(const tsr_array *words, uint64_t b)
{
    return ((const uint64_t *)words->data)[b / 64] >> (b % 64) & 1;
}

static void set_bit(tsr_array *words, uint64_t b)
{
    ((uint64_t *)words->data)[b / 64] |= UINT64_C(1) << (b % 64);
}

static int count_bits(uint64_t v)
{
    v = v - (v >> 1 & UINT64_C(0x5555555555555555));
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(v * UINT64_C(0x0101010101010101) >> 56);
}

static uint64_t words_for(uint64_t nbits)
{
    return nbits / 64 + (nbits % 64 != 0);
}

/* ---- packing ---- */

static tsr_status bitmap_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    TSR_TRY(level_set_uniform(level, level->size, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_BITS, words_for(level->npos), 0, LEVEL_ZEROS}, &e->room,
                       index, err));
    for (uint64_t i = 0; i < e->n; i++) {
        e->position[i] = e->position[i] * level->size + e->coord[i];
        set_bit(&level->bits, e->position[i]);
    }
    return TSR_OK;
}

static tsr_status bytemap_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    TSR_TRY(level_set_uniform(level, level->size, index, err));
    TSR_TRY(
        level_make(level, (level_want){TSR_LEVEL_BITS, level->npos, 0, LEVEL_ZEROS}, &e->room, index, err));
    for (uint64_t i = 0; i < e->n; i++) {
        e->position[i] = e->position[i] * level->size + e->coord[i];
        ((uint8_t *)level->bits.data)[e->position[i]] = 1;
    }
    return TSR_OK;
}

/* first[p]: in: the number of children of parent p; out: the first position. Sets npos. */
static void place_parents(tsr_level *level, uint64_t *first)
{
    level->npos = 0;
    for (uint64_t p = 0; p < level->nparents; p++) {
        const uint64_t n = first[p];
        first[p] = level->npos;
        level->npos += n;
    }
}

static tsr_status fill_ranked(tsr_level *level, tsr_level_entries *e, uint64_t *first, uint64_t nbits,
                              int index, tsr_error *err)
{
    uint64_t parent = 0, at = 0;
    for (uint64_t i = 0; i < e->n; i++)
        first[e->position[i]] += i == 0 || e->position[i] != e->position[i - 1] || level_opens(e, i);
    place_parents(level, first);
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_POS, level->nparents + 1, level->npos, LEVEL_UNDEFINED},
                       &e->room, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_BITS, words_for(nbits), 0, LEVEL_ZEROS}, &e->room, index,
                       err));
    tsr_array_store(&level->pos, 0, first, level->nparents);
    tsr_array_set(&level->pos, level->nparents, level->npos);
    for (uint64_t i = 0; i < e->n; i++) {
        const uint64_t p = e->position[i];
        at = i > 0 && p == parent ? at + level_opens(e, i) : first[p];
        parent = p;
        set_bit(&level->bits, p * level->size + e->coord[i]);
        e->position[i] = at;
    }
    return TSR_OK;
}

static tsr_status ranked_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    uint64_t *first, nbits;
    if (!tsr_mul_u64(&nbits, level->nparents, level->size) || nbits > INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "level %d (ranked) needs more than 2^63 - 1 bits", index);
    TSR_TRY(level_scratch(&first, level->nparents, true, &e->room, err));
    const tsr_status status = fill_ranked(level, e, first, nbits, index, err);
    tsr_free(first);
    return status;
}

/* ---- from positions to coordinates ---- */

static void uniform_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        coord[i] = position[i] % level->pitch;
        position[i] /= level->pitch;
    }
}

/* The place of the first 1 in the words at or after bit b; there must be one. */
static uint64_t next_bit(const tsr_array *words, uint64_t b)
{
    uint64_t w = b / 64, bits = ((const uint64_t *)words->data)[w] & UINT64_MAX << (b % 64);
    while (bits == 0)
        bits = ((const uint64_t *)words->data)[++w];
    return 64 * w + (uint64_t)count_bits((bits & -bits) - 1);
}

static void ranked_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    uint64_t parent = 0, first = 1, end = 0, at = 0, bit = 0; /* bit: the place of position at - 1, plus 1 */
    for (size_t i = 0; i < n; i++) {
        const uint64_t q = position[i];
        if (q < first || q >= end) {
            parent = level_find(&level->pos, q);
            first = tsr_array_get(&level->pos, parent);
            end = tsr_array_get(&level->pos, parent + 1);
            at = first;
            bit = parent * level->size;
        } else if (q < at) {
            at = first;
            bit = parent * level->size;
        }
        for (; at <= q; at++)
            bit = next_bit(&level->bits, bit) + 1;
        coord[i] = bit - 1 - parent * level->size;
        position[i] = parent;
    }
}

static void bitmap_mark(const tsr_level *level, uint8_t *stored, uint64_t first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        stored[i] = get_bit(&level->bits, first + i);
}

static void bytemap_mark(const tsr_level *level, uint8_t *stored, uint64_t first, size_t n)
{
    memcpy(stored, (const uint8_t *)level->bits.data + first, n);
}

/* ---- checks ---- */

static tsr_status check_words(const tsr_level *level, uint64_t nbits, int index, tsr_error *err)
{
    TSR_TRY(level_check_array(level, TSR_LEVEL_BITS, words_for(nbits), index, err));
    if (nbits % 64 && ((const uint64_t *)level->bits.data)[nbits / 64] >> (nbits % 64))
        return tsr_fail(err, TSR_CORRUPT, "level %d: words has a 1 after the last of %" PRIu64 " bits", index,
                        nbits);
    return TSR_OK;
}

static tsr_status check_pitch(const tsr_level *level, int index, tsr_error *err)
{
    if (level->pitch != level->size)
        return tsr_fail(err, TSR_CORRUPT,
                        "level %d: %" PRIu64 " positions per parent for %" PRIu64 " coordinates", index,
                        level->pitch, level->size);
    return level_check_uniform(level, index, err);
}

static tsr_status bitmap_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    TSR_TRY(check_pitch(level, index, err));
    return check_words(level, level->npos, index, err);
}

static tsr_status bytemap_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    (void)in_group;
    TSR_TRY(check_pitch(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_BITS, level->npos, index, err));
    for (uint64_t p = 0; p < level->npos; p++)
        if (((const uint8_t *)level->bits.data)[p] > 1)
            return tsr_fail(err, TSR_CORRUPT, "level %d: bytes[%" PRIu64 "] is %d, but must be 0 or 1", index,
                            p, ((const uint8_t *)level->bits.data)[p]);
    return TSR_OK;
}

/* The number of ones among the bits [first, end). */
static uint64_t count_ones(const tsr_array *words, uint64_t first, uint64_t end)
{
    const uint64_t *w = words->data;
    uint64_t n = 0;
    for (uint64_t b = first; b < end;) {
        const uint64_t left = 64 - b % 64 < end - b ? 64 - b % 64 : end - b;
        n += (uint64_t)count_bits(w[b / 64] >> (b % 64) << (64 - left));
        b += left;
    }
    return n;
}

static tsr_status ranked_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    uint64_t nbits;
    (void)in_group;
    if (!tsr_mul_u64(&nbits, level->nparents, level->size))
        return tsr_fail(err, TSR_CORRUPT, "level %d (ranked) needs more than 2^64 bits", index);
    TSR_TRY(check_words(level, nbits, index, err));
    TSR_TRY(level_check_pos(level, index, err));
    for (uint64_t p = 0; p < level->nparents; p++) {
        const uint64_t n = tsr_array_get(&level->pos, p + 1) - tsr_array_get(&level->pos, p);
        const uint64_t ones = count_ones(&level->bits, p * level->size, (p + 1) * level->size);
        if (n != ones)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: parent %" PRIu64 " has %" PRIu64 " positions, but %" PRIu64
                            " bits are 1",
                            index, p, n, ones);
    }
    return TSR_OK;
}

/* ---- loops ---- */

/* Bit `b` of the words, which loops read as bytes; they are stored with the first bits in the first byte. */
static const tsr_ir_expr *load_bit(tsr_level_walk *walk, const tsr_ir_expr *b)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *eight = tsr_ir_index(ir, 8);
    const tsr_ir_expr *byte =
        tsr_ir_load_index(ir, walk->array[TSR_LEVEL_BITS], tsr_ir_op2(ir, TSR_IR_FLOORDIV, b, eight));
    return tsr_ir_op2(ir, TSR_IR_BIT, byte, tsr_ir_op2(ir, TSR_IR_MOD, b, eight));
}

static const tsr_ir_expr *load_byte(tsr_level_walk *walk, const tsr_ir_expr *cell)
{
    return tsr_ir_load_index(walk->ir, walk->array[TSR_LEVEL_BITS], cell);
}

/* Open the loop over the coordinates, and return the number of the cell. */
static const tsr_ir_expr *open_cells(tsr_level_walk *walk, const char *name)
{
    tsr_ir_builder *ir = walk->ir;
    const bool is_root = walk->parent && walk->parent->op == TSR_IR_INDEX;
    const tsr_ir_expr *begin = tsr_ir_mul(ir, walk->parent, walk->size);
    const tsr_ir_expr *first = is_root ? NULL : tsr_level_name(walk, "begin", begin);
    const tsr_ir_expr *c = tsr_ir_for(ir, walk->crd_name, tsr_ir_index(ir, 0), walk->size, walk->marks);
    walk->coordinate = c;
    return first ? tsr_ir_declare(ir, name, tsr_ir_add(ir, first, c), false) : c;
}

static void bitmap_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    walk->position = open_cells(walk, walk->pos_name);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_NE, load_bit(walk, walk->position), tsr_ir_index(ir, 0)));
    walk->nblocks = 2;
}

static void bytemap_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    walk->position = open_cells(walk, walk->pos_name);
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_NE, load_byte(walk, walk->position), tsr_ir_index(ir, 0)));
    walk->nblocks = 2;
}

static void ranked_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    char name[TSR_LEVEL_NAME_NBYTES];
    const tsr_ir_expr *one = tsr_ir_index(ir, 1);
    const tsr_ir_expr *before = tsr_ir_sub(ir, tsr_level_begin_pos(walk, walk->parent), one);
    const tsr_ir_expr *rank = tsr_ir_declare(ir, tsr_level_part_name(name, walk, "rank"), before, true);
    const tsr_ir_expr *cell = open_cells(walk, tsr_level_part_name(name, walk, "cell"));
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_NE, load_bit(walk, cell), tsr_ir_index(ir, 0)));
    tsr_ir_assign(ir, rank, one, true);
    walk->position = tsr_ir_declare(ir, walk->pos_name, rank, false);
    walk->nblocks = 2;
}

/* Go on where the coordinate is an entry, and return the number of its cell. */
static const tsr_ir_expr *find_cell(tsr_level_walk *walk, const char *part, const tsr_ir_expr *coordinate,
                                    const tsr_ir_expr *(*load)(tsr_level_walk *, const tsr_ir_expr *))
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const begin = tsr_ir_mul(ir, walk->parent, walk->size);
    const tsr_ir_expr *const cell = tsr_level_name(walk, part, tsr_ir_add(ir, begin, coordinate));
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_NE, load(walk, cell), tsr_ir_index(ir, 0)));
    walk->nblocks++;
    return cell;
}

static void bitmap_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    walk->position = find_cell(walk, "cell", coordinate, load_bit);
}

static void bytemap_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    walk->position = find_cell(walk, "cell", coordinate, load_byte);
}

/* The position is that of the parent's first entry and the number of entries before the coordinate. */
static void ranked_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const cell = find_cell(walk, "cell", coordinate, load_bit);
    walk->position = tsr_ir_declare(ir, walk->pos_name, tsr_level_begin_pos(walk, walk->parent), true);
    const tsr_ir_expr *const b = tsr_ir_for(ir, "b", tsr_ir_mul(ir, walk->parent, walk->size), cell, 0);
    tsr_ir_assign(ir, walk->position, load_bit(walk, b), true);
    tsr_ir_end(ir);
}

static const tsr_level_walker
    bitmap_walker = {.open = bitmap_open, .find = bitmap_find, .begin = tsr_level_begin_uniform},
    bytemap_walker = {.open = bytemap_open, .find = bytemap_find, .begin = tsr_level_begin_uniform},
    ranked_walker = {.open = ranked_open, .find = ranked_find, .begin = tsr_level_begin_pos};

/* Of types with a position for every coordinate. */
#define FULL_PROPERTIES                                                                                   \
    .is_ordered = true, .is_grouped = true, .is_uniform = true, .is_locatable = true, .can_insert = true, \
    .npos = level_depends, .climb = uniform_climb

const tsr_level_type tsr_level_bits = {
    FULL_PROPERTIES,
    .name = "bits",
    .rule = "every coordinate, and a bit that is 1 where it is an entry",
    .arrays =
        {{.name = "words", .role = TSR_LEVEL_BITS, .length = TSR_OWN_LENGTH, .content = TSR_HOLDS_WORDS}},
    .assemble = bitmap_assemble,
    .mark = bitmap_mark,
    .check = bitmap_check,
    .walker = &bitmap_walker,
};

const tsr_level_type tsr_level_bytes = {
    FULL_PROPERTIES,
    .name = "bytes",
    .rule = "every coordinate, and a byte that is 1 where it is an entry",
    .arrays =
        {{.name = "bytes", .role = TSR_LEVEL_BITS, .length = TSR_PER_POSITION, .content = TSR_HOLDS_BYTES}},
    .assemble = bytemap_assemble,
    .mark = bytemap_mark,
    .check = bytemap_check,
    .walker = &bytemap_walker,
};

const tsr_level_type tsr_level_ranked = {
    .name = "ranked",
    .rule = "a bit for every coordinate, and positions for entries only",
    .is_ordered = true,
    .is_grouped = true,
    .is_compact = true,
    .is_locatable = true,
    .arrays =
        {{.name = "words", .role = TSR_LEVEL_BITS, .length = TSR_OWN_LENGTH, .content = TSR_HOLDS_WORDS},
         {.name = "pos",
          .role = TSR_LEVEL_POS,
          .length = TSR_PER_PARENT_AND_ONE,
          .content = TSR_HOLDS_POSITIONS}},
    .npos = level_depends,
    .assemble = ranked_assemble,
    .climb = ranked_climb,
    .check = ranked_check,
    .walker = &ranked_walker,
};
