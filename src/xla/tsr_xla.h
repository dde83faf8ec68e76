/* XLA's tiled layouts: f32[3,5]{1,0:T(2,2)}
 *
 *   shape  := [type '[' [int {',' int}] ']'] '{' [int {',' int}] [':' property {property}] '}'
 *   property := 'T' tile {tile} | tile {tile} | 'L(' int ')' | '#(' type ')' | '*(' type ')' | 'E(' int ')'
 *             | 'S(' int ')' | 'SC(' int ':' ints ')' {...} | 'P(' shape ')' | 'M(' int ')'
 *             | 'D(' letter {',' letter} ')'
 *   tile   := '(' (int | '*' | '-1') {',' ...} ')'
 *
 * The braces hold the order of the dims, minor to major. The physical dims are the dims from major to minor.
 * A tile of rank r cuts the r most minor physical dims (if there are fewer, dims of size 1 are first put in
 * front), after each dim that has a star is folded into the next more minor one. A dim of size n that is cut
 * by t becomes two dims, ceil(n/t) and t; all the dims ceil(n/t) come first, then all the dims t. The next
 * tile cuts the resulting dims. The dims after the last tile are the expanded dims. The linear index of an
 * element is row-major over them; an index that belongs to no element is padding. L(n) rounds the number of
 * slots up to a multiple of n. D says how each physical dim is stored, major to minor: a layout that is not
 * dense (D(D,C)) has no offsets, and the functions about slots below return TSR_UNSUPPORTED. P(shape), the
 * physical layout of a sparse array, is parsed and printed only.
 *
 * Sources: the XLA documents "Tiled layout" and "Tiled layout: examples of tiling formats" (TPU). */
#ifndef TSR_XLA_H
#define TSR_XLA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_map.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TSR_XLA_MAX_RANK = 16,
    TSR_XLA_MAX_TILES = 8,
    TSR_XLA_MAX_TILE_RANK = 32,
    TSR_XLA_MAX_EXPANDED = 64, /* expanded dims; the maximum number of results of a map */
    TSR_XLA_STAR = -1,         /* a size in a tile: fold this dim into the next more minor one */
    TSR_XLA_TYPE_NBYTES = 16   /* room for the longest type name and a NUL */
};

typedef struct tsr_xla_tile {
    int rank;                         /* 1..TSR_XLA_MAX_TILE_RANK */
    int64_t t[TSR_XLA_MAX_TILE_RANK]; /* rank sizes, major to minor; > 0 or TSR_XLA_STAR */
} tsr_xla_tile;

/* A layout with its shape, or a layout alone (has_dims false: {1,0:T(2,2)} or the same without sizes). The
 * functions below make it, check it and compute the derived fields; other code must not change it. */
typedef struct tsr_xla {
    char type[TSR_XLA_TYPE_NBYTES]; /* "f32", in lower case; "" when unknown */
    bool has_dims;                  /* whether dims and the derived fields are set */
    int rank;                       /* 0..TSR_XLA_MAX_RANK */
    int64_t dims[TSR_XLA_MAX_RANK]; /* rank entries >= 0, in logical order */
    bool dynamic[TSR_XLA_MAX_RANK]; /* rank entries: the size varies, and dims has its bound: f32[<=3,5] */
    int order[TSR_XLA_MAX_RANK];    /* rank entries, minor to major: a permutation of 0..rank-1 */
    int ntiles;                     /* 0..TSR_XLA_MAX_TILES */
    tsr_xla_tile tiles[TSR_XLA_MAX_TILES];
    int64_t tail;            /* L: the number of slots is a multiple of this; >= 1 */
    int64_t element_nbits;   /* E: bits of one element; 0 = the size of the type in memory */
    int64_t memory_space;    /* S: 0 = default */
    int64_t metadata_nbytes; /* M: bytes of the prefix of dynamic shapes, not counted in sizes; 0 = none */
    char index_type[TSR_XLA_TYPE_NBYTES];   /* #: type name, "" = none */
    char pointer_type[TSR_XLA_TYPE_NBYTES]; /* *: type name, "" = none */
    char *levels;                           /* D: canonical text in the parentheses, "D,C"; NULL = none */
    char *splits;                           /* SC: canonical text after SC, "(0:3)(1:0,4)"; NULL = none */
    char *physical; /* P: canonical text of the physical shape, "f32[3]{0}"; NULL = none */

    /* derived fields, set if has_dims */
    int nexpanded;                          /* number of expanded dims */
    int64_t expanded[TSR_XLA_MAX_EXPANDED]; /* nexpanded sizes, major to minor */
    int64_t nelems;                         /* number of elements: product of dims */
    /* number of slots: product of expanded, rounded up to a multiple of tail; fits int64, and so do the
     * bytes */
    int64_t nslots;
} tsr_xla;

/* ---- text ---- */

/* Parse the whole `text`. Accepts type names in any case; [dims] without a type; a shape without braces, or a
 * layout alone; tiles without the T; U+2217 as a star. TSR_SYNTAX with the column and the expected token;
 * TSR_LIMIT for more dims or tiles than the limits above, and for sizes over 64 bits. */
tsr_status tsr_xla_parse(tsr_xla **out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The same for a shape inside other text: parse at cursor->p, and advance the cursor past the shape. */
tsr_status tsr_xla_parse_at(tsr_xla **out, tsr_cursor *cursor, tsr_error *err) TSR_NODISCARD;
/* Append the canonical text; parsing it gives the same layout. Default properties are left out, except that
 * the order is always printed: f32[3,5]{1,0}. */
void tsr_xla_print(tsr_text *text, const tsr_xla *xla);
void tsr_xla_free(tsr_xla *xla);

/* ---- making layouts from layouts ---- */

/* The layout with this type (NULL: keep the type of the layout) and these dims. TSR_ARGUMENT if the layout
 * has another rank. */
tsr_status tsr_xla_bind(tsr_xla **out, const tsr_xla *layout, const char *type, int rank, const int64_t *dims,
                        tsr_error *err) TSR_NODISCARD;
/* The layout with these tiles instead of its own. TSR_ARGUMENT for tiles that are not valid. */
tsr_status tsr_xla_retile(tsr_xla **out, const tsr_xla *layout, int ntiles, const tsr_xla_tile *tiles,
                          tsr_error *err) TSR_NODISCARD;
/* A shape in which the dims that the stars of the first tile fold are already folded, and the dims are in
 * physical order: f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)} gives f32[112,110]{1,0:T(2,3)}. The bytes are the
 * same. Needs dims. */
tsr_status tsr_xla_combine(tsr_xla **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The untiled shape of the same bytes (without the tail): f32[3,5]{1,0:T(2,2)} gives f32[2,3,2,2]{3,2,1,0}.
 * Needs dims; TSR_LIMIT for more than TSR_XLA_MAX_RANK expanded dims. */
tsr_status tsr_xla_physical(tsr_xla **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* Append the steps of the tiling as XLA's documents explain it, one per line: transpose to the physical
 * order, then for each tile combine, pad, reshape, transpose, with the shape after each step. Needs dims. */
tsr_status tsr_xla_print_steps(tsr_text *text, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* ---- the layout as a map ---- */

/* Whether every level is dense: there is no D, or D contains only the letter D. Only then does a coordinate
 * have a slot. */
bool tsr_xla_is_dense(const tsr_xla *xla);

/* The map from the logical dims, each bounded by its size, to the expanded dims. It has nexpanded results,
 * all of which are dense levels with the sizes xla->expanded (the range of a result may be smaller than its
 * level: f32[3] with T(8,128)). Needs dims, else TSR_ARGUMENT. */
tsr_status tsr_xla_to_map(tsr_map **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* The map from the logical dims, bounded, to the slot: one result. Two layouts of one shape are equal if and
 * only if these maps are equal. Needs dims; TSR_LIMIT if a constant does not fit. */
tsr_status tsr_xla_to_slot_map(tsr_map **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* An expanded dim as a digit of a coordinate: (coords[dim] floordiv divisor) mod modulus. */
typedef struct tsr_xla_digit {
    int dim; /* logical dim; -1: the digit is always 0 */
    int64_t divisor;
    int64_t modulus; /* 0: no mod, since this is the highest digit of its coordinate */
    int64_t extent;  /* the digit is in [0, extent); extent <= size */
    int64_t size;    /* size of the expanded dim */
    int64_t stride;  /* slots between neighbours: the product of the sizes of the more minor expanded dims */
} tsr_xla_digit;

/* The expanded dims as digits (nexpanded of them); false if they are not digits. They always are for one tile
 * without stars; for several tiles if each tile divides the sizes that the tiles before it gave; for a star
 * if it folds dims that a tile had cut. False without dims and for an array without elements. */
bool tsr_xla_digits(tsr_xla_digit *digits, const tsr_xla *xla);
/* The reverse: `shape` with another order and other tiles, such that its expanded dims are these n digits,
 * major to minor. Of each digit dim, divisor, modulus and size are used; digits of size 1 may be left out.
 * The result has no stars and as few tiles as possible. TSR_UNSUPPORTED if two tiles, the second within the
 * first and none of a higher rank than the array, cannot give the digits (or if they are not found within
 * about 0.2 s: for more than 5 dims only one order is tried). The rest of `shape` stays: type, E, L, S... */
tsr_status tsr_xla_from_digits(tsr_xla **out, const tsr_xla *shape, int n, const tsr_xla_digit *digits,
                               tsr_error *err) TSR_NODISCARD;

/* ---- points (all functions need dims, else TSR_ARGUMENT) ---- */

/* expanded[0..nexpanded) = the coordinates of the element coords[0..rank) in the expanded dims. TSR_RANGE if
 * coords are outside the dims. */
tsr_status tsr_xla_expand(int64_t *expanded, const tsr_xla *xla, const int64_t *coords,
                          tsr_error *err) TSR_NODISCARD;
/* The slot of the element: *linear in [0, nslots). */
tsr_status tsr_xla_linear(int64_t *linear, const tsr_xla *xla, const int64_t *coords,
                          tsr_error *err) TSR_NODISCARD;
/* The element in slot `linear`: coords[0..rank), or *padding = true and zeros. TSR_RANGE if linear is outside
 * [0, nslots). Calls for all slots in turn give the memory order. */
tsr_status tsr_xla_element(int64_t *coords, bool *padding, const tsr_xla *xla, int64_t linear,
                           tsr_error *err) TSR_NODISCARD;
/* Whether the slot of every element is sum strides[d] * coords[d]; then strides holds rank strides (0 for
 * dims of size 1 or 0). False for a layout without dims. Never wrongly true; wrongly false only where a star
 * folds dims and another tile also cuts them. */
bool tsr_xla_strides(int64_t *strides, const tsr_xla *xla);
/* Whether the array is stored as it would be without tiles and tail: same slots, and no padding. */
bool tsr_xla_is_linear(const tsr_xla *xla);

/* ---- sizes ---- */

/* Bits of one element: E, else the size of the type in memory (whole bytes: s4 and pred take 8 bits), else
 * 0. */
int64_t tsr_xla_element_nbits(const tsr_xla *xla);
/* The same for a type name in any case; 0 if there is no such type. */
int64_t tsr_xla_type_nbits(const char *type);
/* The number of bytes with padding and tail, rounded up to whole bytes. TSR_ARGUMENT without dims, and without both a type and E. */
tsr_status tsr_xla_nbytes(int64_t *nbytes, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* ---- pictures (all functions need dims) ---- */

/* Append a table of linear indices like the figures of XLA's documents: rows are d0, columns d1 (an array of
 * more dims gives one table for each index of the leading dims, an array of rank 1 one row). Borders of the
 * first tile are solid lines, those of later tiles dotted lines; '.' is padding. TSR_LIMIT for more than
 * TSR_XLA_MAX_CELLS cells. */
enum { TSR_XLA_MAX_CELLS = 1 << 16 };
tsr_status tsr_xla_table(tsr_text *text, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* For other pictures: the sizes of the dims padded to whole first tiles (rank entries; a dim that a star
 * folds is not padded), and the index of the tile that contains an element when tiles 0..k are applied: two
 * elements have the same index if they are in the same tile. coords are inside the padded dims; TSR_RANGE for
 * coords outside and for k >= ntiles. */
tsr_status tsr_xla_padded_dims(int64_t *padded, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_xla_tile_index(int64_t *index, const tsr_xla *xla, int k, const int64_t *coords,
                              tsr_error *err) TSR_NODISCARD;
/* Append the elements of slots [first, first + n) in memory order, stopping at nslots: "0,0 0,1 1,0 pad". */
tsr_status tsr_xla_print_order(tsr_text *text, const tsr_xla *xla, int64_t first, int64_t n,
                               tsr_error *err) TSR_NODISCARD;

/* ---- named formats ---- */

/* A format of the TPU document. */
typedef struct tsr_xla_named {
    const char *name;  /* "tpu-16bit" */
    const char *tiles; /* "(8,128)(2,1)"; "" = untiled */
    int nbits;         /* bits of the elements that the format is for; 0 = any */
    const char *words; /* the description in the document */
} tsr_xla_named;

/* All named formats; *n = their number. */
const tsr_xla_named *tsr_xla_named_list(int *n);
/* `layout` in the named format: with its tiles (tpu-1bit also sets E(1)), otherwise unchanged. TSR_ARGUMENT
 * with the list of names for an unknown name, and for tpu-1bit if the type has more than one bit. */
tsr_status tsr_xla_apply_named(tsr_xla **out, const tsr_xla *layout, const char *name,
                               tsr_error *err) TSR_NODISCARD;
/* The format that the rule of the document chooses from the dims and the bits of an element:
 *   1 bit (by E(1)): tpu-1bit;  8: tpu-8bit;  16: tpu-16bit;
 *   32 and more: tpu-2x128 if the second most minor dim is 1 or 2, tpu-4x128 if it is 3 or 4, else tpu-8x128.
 * A rank below 2 counts as having dims of size 1 in front. TSR_ARGUMENT without dims or element size;
 * TSR_UNSUPPORTED for other element sizes, which the document does not mention. */
tsr_status tsr_xla_choose(const tsr_xla_named **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* ---- tiles with strides: #tpu.tiled<(8,128),[?,1]>, the notation of Mosaic ---- */

/* A tiled layout whose tiles are not packed: a step of one tile in dim d is strides[d] tiles in memory. The
 * dims are in order; the first tile cuts the last dims, the later tiles cut within it. */
enum { TSR_TPU_UNKNOWN = -1 }; /* an unknown size or stride: ? */
typedef struct tsr_tpu_tiled {
    int ntiles; /* 0: no tiles */
    tsr_xla_tile tiles[TSR_XLA_MAX_TILES];
    int rank;
    /* rank strides, in tiles (in elements if there are no tiles); or TSR_TPU_UNKNOWN */
    int64_t strides[TSR_XLA_MAX_RANK];
} tsr_tpu_tiled;

/* Parse the whole `text`. TSR_SYNTAX, TSR_LIMIT as tsr_xla_parse. */
tsr_status tsr_tpu_tiled_parse(tsr_tpu_tiled *out, const char *text, tsr_error *err) TSR_NODISCARD;
void tsr_tpu_tiled_print(tsr_text *text, const tsr_tpu_tiled *tiled);
/* The strides, in elements, of the expanded dims: *n of them (at most TSR_XLA_MAX_EXPANDED), first those of
 * the dims, then those within a tile. TSR_LIMIT on overflow. */
tsr_status tsr_tpu_tiled_expanded_strides(int64_t *strides, int *n, const tsr_tpu_tiled *tiled,
                                          tsr_error *err) TSR_NODISCARD;
/* How many of the most minor dims have tiles that are known to be contiguous in an array of these sizes (rank
 * entries, each >= 0 or unknown); 0 without tiles. TSR_ARGUMENT for a different rank. */
tsr_status tsr_tpu_tiled_contiguous_dims(int *n, const tsr_tpu_tiled *tiled, int rank, const int64_t *dims,
                                         tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
