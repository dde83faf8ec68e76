/* XLA's tiled layouts: f32[3,5]{1,0:T(2,2)}
 *
 *   shape  := [type '[' [int {',' int}] ']'] '{' [int {',' int}] [':' property {property}] '}'
 *   property := 'T' tile {tile} | tile {tile} | 'L(' int ')' | '#(' type ')' | '*(' type ')' | 'E(' int ')'
 *             | 'S(' int ')' | 'SC(' int ':' ints ')' {...} | 'P(' shape ')' | 'M(' int ')'
 *             | 'D(' letter {',' letter} ')'
 *   tile   := '(' (int | '*' | '-1') {',' ...} ')'
 *
 * The braces hold the order of the dims, minor to major. The physical dims are the dims from major to minor;
 * a tile of rank r cuts the r most minor of them (a tile of higher rank first puts dims of size 1 in front),
 * after folding each dim that has a star into the next more minor one. Cut by t, a dim of size n becomes
 * ceil(n/t) and t; all the ceil(n/t) come first, then all the t; the next tile cuts what that gave. The dims
 * after the last tile are the expanded dims; an element's linear index is row-major over them, and what no
 * element maps to is padding. L(n) rounds the number of slots up to a multiple of n. D names how each
 * physical dim is stored, major to minor: a layout that is not dense (D(D,C)) has no offsets, and the
 * questions about slots below answer TSR_UNSUPPORTED. P(shape) is kept and printed; it is how a sparse array
 * is laid out.
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
    TSR_XLA_MAX_EXPANDED = 64, /* expanded dims; as many results as a map has */
    TSR_XLA_STAR = -1,         /* in a tile: fold this dim into the next more minor one */
    TSR_XLA_TYPE_NBYTES = 16   /* the longest type name and a NUL */
};

typedef struct tsr_xla_tile {
    int rank;                         /* 1..TSR_XLA_MAX_TILE_RANK */
    int64_t t[TSR_XLA_MAX_TILE_RANK]; /* rank entries, major to minor; > 0 or TSR_XLA_STAR */
} tsr_xla_tile;

/* A layout with its shape, or alone (has_dims false: {1,0:T(2,2)} or the same without sizes). Made by the
 * functions below, which check it and fill what is derived; read it, never write it. */
typedef struct tsr_xla {
    char type[TSR_XLA_TYPE_NBYTES]; /* "f32", in lower case; "" when not said */
    bool has_dims;                  /* whether dims, and all that is derived, are there */
    int rank;                       /* 0..TSR_XLA_MAX_RANK */
    int64_t dims[TSR_XLA_MAX_RANK]; /* rank entries >= 0, in logical order */
    int order[TSR_XLA_MAX_RANK];    /* rank entries, minor to major: a permutation of 0..rank-1 */
    int ntiles;                     /* 0..TSR_XLA_MAX_TILES */
    tsr_xla_tile tiles[TSR_XLA_MAX_TILES];
    int64_t tail;                           /* L: slots are a multiple of it; >= 1 */
    int64_t element_nbits;                  /* E: bits of one element; 0 = what the type takes in memory */
    int64_t memory_space;                   /* S: 0 = default */
    int64_t metadata_nbytes;                /* M: prefix of dynamic shapes, not counted in sizes; 0 = none */
    char index_type[TSR_XLA_TYPE_NBYTES];   /* #, "" = none */
    char pointer_type[TSR_XLA_TYPE_NBYTES]; /* *, "" = none */
    char *levels;                           /* D: canonical text in the parentheses, "D,C"; NULL = none */
    char *splits;                           /* SC: canonical text after SC, "(0:3)(1:0,4)"; NULL = none */
    char *physical; /* P: canonical text of the physical shape, "f32[3]{0}"; NULL = none */

    /* derived, when has_dims */
    int nexpanded;                          /* expanded dims */
    int64_t expanded[TSR_XLA_MAX_EXPANDED]; /* nexpanded sizes, major to minor */
    int64_t nelems;                         /* product of dims */
    int64_t nslots; /* product of expanded, rounded up to a multiple of tail; fits int64, as do the bytes */
} tsr_xla;

/* ---- text ---- */

/* Parse the whole of `text`. Type names in any case; [dims] without a type; a shape without braces, or a
 * layout alone; tiles without the T; U+2217 as a star. TSR_SYNTAX with the column and what was expected,
 * TSR_LIMIT for more dims or tiles than above and for sizes over 64 bits. */
tsr_status tsr_xla_parse(tsr_xla **out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The same for a shape inside other text: read at cursor->p, and advance it past the shape. */
tsr_status tsr_xla_parse_at(tsr_xla **out, tsr_cursor *cursor, tsr_error *err) TSR_NODISCARD;
/* Append the canonical text; parse of it gives the same. Default properties are left out: a shape that has
 * nothing but the default order prints it all the same, f32[3,5]{1,0}. */
void tsr_xla_print(tsr_text *text, const tsr_xla *xla);
void tsr_xla_free(tsr_xla *xla);
/* Whether both print the same. */
bool tsr_xla_same(const tsr_xla *a, const tsr_xla *b);

/* ---- making layouts from layouts ---- */

/* The layout with this type (NULL: the layout's own) and these dims instead of its own. TSR_ARGUMENT when
 * its rank is another. */
tsr_status tsr_xla_bind(tsr_xla **out, const tsr_xla *layout, const char *type, int rank, const int64_t *dims,
                        tsr_error *err) TSR_NODISCARD;
/* The layout with these tiles instead of its own. TSR_ARGUMENT for tiles that no text could give. */
tsr_status tsr_xla_retile(tsr_xla **out, const tsr_xla *layout, int ntiles, const tsr_xla_tile *tiles,
                          tsr_error *err) TSR_NODISCARD;
/* The dims that the stars of the first tile fold are folded in the shape, and the dims are put in physical
 * order: f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)} gives f32[112,110]{1,0:T(2,3)}. The bytes are the same.
 * Needs dims. */
tsr_status tsr_xla_combine(tsr_xla **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The untiled shape of the same bytes (but the tail): f32[3,5]{1,0:T(2,2)} gives f32[2,3,2,2]{3,2,1,0}.
 * Needs dims; TSR_LIMIT for more than TSR_XLA_MAX_RANK expanded dims. */
tsr_status tsr_xla_physical(tsr_xla **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* Append the tiling as the documents explain it, a line each: transpose to the physical order, then for each
 * tile combine, pad, reshape, transpose, with the shape that each gives. Needs dims. */
tsr_status tsr_xla_print_steps(tsr_text *text, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* ---- the layout as a map ---- */

/* Whether every level is dense: D is absent, or it says D alone. Only then has a coordinate a slot. */
bool tsr_xla_is_dense(const tsr_xla *xla);

/* The map from the logical dims, each bounded by its size, to the expanded dims: nexpanded results, all of
 * them dense levels of the sizes xla->expanded (a result may have a smaller range than its level: f32[3]
 * under T(8,128)). Needs dims, else TSR_ARGUMENT. */
tsr_status tsr_xla_to_map(tsr_map **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* The map from the logical dims, bounded, to the slot: one result. Two layouts of one shape are equal when
 * these maps are. Needs dims; TSR_LIMIT when a constant does not fit. */
tsr_status tsr_xla_to_slot_map(tsr_map **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* An expanded dim as a digit of a coordinate: (coords[dim] floordiv divisor) mod modulus. */
typedef struct tsr_xla_digit {
    int dim; /* logical dim; -1: the digit is always 0 */
    int64_t divisor;
    int64_t modulus; /* 0: no mod, this is the highest digit of its coordinate */
    int64_t extent;  /* the digit is in [0, extent); no more than size */
    int64_t size;    /* of the expanded dim */
    int64_t stride;  /* slots between neighbours: the product of the sizes of more minor expanded dims */
} tsr_xla_digit;

/* The expanded dims as digits, nexpanded of them, if that is what they are: always for one tile without
 * stars, for more when each tile divides the sizes that the tiles before it gave; for a star when it folds
 * what a tile had cut. False without dims and for an array without elements. */
bool tsr_xla_digits(tsr_xla_digit *digits, const tsr_xla *xla);
/* The other way: `shape` in another order and with other tiles, such that its expanded dims are these n
 * digits, major to minor; of each dim, divisor, modulus and size count, and digits of size 1 may be left out
 * or not. Without stars, with the fewest tiles that do; TSR_UNSUPPORTED when two do not, the second
 * within the first and none of a higher rank than the array (or when it is not found within some 0.2 s: of
 * more than 5 dims only one order is tried). The rest of `shape` stays: its type, E, L, S... */
tsr_status tsr_xla_from_digits(tsr_xla **out, const tsr_xla *shape, int n, const tsr_xla_digit *digits,
                               tsr_error *err) TSR_NODISCARD;

/* ---- points (all need dims, else TSR_ARGUMENT) ---- */

/* expanded[0..nexpanded) = where the element coords[0..rank) is in the expanded dims. TSR_RANGE when coords
 * are outside the dims. */
tsr_status tsr_xla_expand(int64_t *expanded, const tsr_xla *xla, const int64_t *coords,
                          tsr_error *err) TSR_NODISCARD;
/* The slot of the element: *linear in [0, nslots). */
tsr_status tsr_xla_linear(int64_t *linear, const tsr_xla *xla, const int64_t *coords,
                          tsr_error *err) TSR_NODISCARD;
/* The element in slot `linear`: coords[0..rank), or *padding = true (coords are then zeros). TSR_RANGE when
 * linear is outside [0, nslots). Going through all slots gives the memory order. */
tsr_status tsr_xla_element(int64_t *coords, bool *padding, const tsr_xla *xla, int64_t linear,
                           tsr_error *err) TSR_NODISCARD;
/* If the slot of every element is sum strides[d] * coords[d]: true, and rank strides (of dims of size 1 or
 * 0: 0). False for a layout without dims. Never wrongly true; wrongly false only where a star folds dims and
 * another tile cuts too. */
bool tsr_xla_strides(int64_t *strides, const tsr_xla *xla);
/* Whether the array lies in memory as it would without tiles and tail: same slots, none more. */
bool tsr_xla_is_linear(const tsr_xla *xla);

/* ---- sizes ---- */

/* Bits of one element: E, else what the type takes in memory (whole bytes: s4 and pred take 8), else 0. */
int64_t tsr_xla_element_nbits(const tsr_xla *xla);
/* The same for a type name in any case; 0 when there is no such type. */
int64_t tsr_xla_type_nbits(const char *type);
/* Elements, slots with padding, bytes with padding and tail, rounded up to whole bytes. TSR_ARGUMENT without
 * dims, the last without a type or E too. */
tsr_status tsr_xla_nelems(int64_t *nelems, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_xla_nslots(int64_t *nslots, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_xla_nbytes(int64_t *nbytes, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* ---- pictures (all need dims) ---- */

/* Append a table of linear indices as in the documents' figures: rows are d0, columns d1 (an array of more
 * dims gives a table for each index of the leading ones, of rank 1 one row). Borders of the first tile are
 * lines, those of later tiles dotted lines; padding is a '.'. TSR_LIMIT over TSR_XLA_MAX_CELLS cells. */
enum { TSR_XLA_MAX_CELLS = 1 << 16 };
tsr_status tsr_xla_table(tsr_text *text, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* What other pictures are made of: the sizes of the dims padded to whole first tiles (rank entries; a dim
 * that a star folds is not padded), and in which tile an element is, when tiles 0..k are applied: two have
 * the same index when they are in the same tile. coords are inside the padded dims; TSR_RANGE for a k or for
 * coords that are not there. */
tsr_status tsr_xla_padded_dims(int64_t *padded, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_xla_tile_index(int64_t *index, const tsr_xla *xla, int k, const int64_t *coords,
                              tsr_error *err) TSR_NODISCARD;
/* Append the elements of slots [first, first + n) in memory order, cut at nslots: "0,0 0,1 1,0 pad". */
tsr_status tsr_xla_print_order(tsr_text *text, const tsr_xla *xla, int64_t first, int64_t n,
                               tsr_error *err) TSR_NODISCARD;

/* ---- named formats ---- */

/* The formats of the TPU document. */
typedef struct tsr_xla_named {
    const char *name;  /* "tpu-16bit" */
    const char *tiles; /* "(8,128)(2,1)", "" = untiled */
    int nbits;         /* bits of the elements that it is for; 0 = any */
    const char *words; /* what the document says of it */
} tsr_xla_named;

/* All of them; *n = how many. */
const tsr_xla_named *tsr_xla_named_list(int *n);
/* `layout` in the format of that name (its tiles; tpu-1bit sets E(1) too), the rest as it was. TSR_ARGUMENT
 * with the list of names for an unknown one, and for tpu-1bit when the type has more than one bit. */
tsr_status tsr_xla_apply_named(tsr_xla **out, const tsr_xla *layout, const char *name,
                               tsr_error *err) TSR_NODISCARD;
/* The format that the document's rule chooses from the dims and the bits of an element:
 *   1 bit (by E(1)): tpu-1bit;  8: tpu-8bit;  16: tpu-16bit;
 *   32 and more: tpu-2x128 when the second most minor dim is 1 or 2, tpu-4x128 when 3 or 4, else tpu-8x128.
 * A rank below 2 counts as having dims of size 1 in front. TSR_ARGUMENT without dims and element size;
 * TSR_UNSUPPORTED for other sizes, of which the document says nothing. */
tsr_status tsr_xla_choose(const tsr_xla_named **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;

/* ---- tiles with strides: #tpu.tiled<(8,128),[?,1]>, as Mosaic writes it ---- */

/* Like a tiled layout, but the tiles are not packed: a step of one tile in dim d is strides[d] tiles in
 * memory. The dims are in order; the first tile cuts the last dims, the others cut within it. */
enum { TSR_TPU_UNKNOWN = -1 }; /* a size or stride that is not known: ? */
typedef struct tsr_tpu_tiled {
    int ntiles; /* 0: none */
    tsr_xla_tile tiles[TSR_XLA_MAX_TILES];
    int rank;
    int64_t strides[TSR_XLA_MAX_RANK]; /* rank entries, in tiles (elements without tiles); or unknown */
} tsr_tpu_tiled;

/* Parse the whole of `text`. TSR_SYNTAX, TSR_LIMIT as above. */
tsr_status tsr_tpu_tiled_parse(tsr_tpu_tiled *out, const char *text, tsr_error *err) TSR_NODISCARD;
void tsr_tpu_tiled_print(tsr_text *text, const tsr_tpu_tiled *tiled);
/* The strides in elements of the expanded dims: *n of them (at most TSR_XLA_MAX_EXPANDED), the dims' first,
 * then those within a tile. TSR_LIMIT on overflow. */
tsr_status tsr_tpu_tiled_expanded_strides(int64_t *strides, int *n, const tsr_tpu_tiled *tiled,
                                          tsr_error *err) TSR_NODISCARD;
/* How many of the most minor dims have tiles that are known to lie one after the other in an array of these
 * sizes (rank entries, each >= 0 or unknown); 0 without tiles. TSR_ARGUMENT for another rank. */
tsr_status tsr_tpu_tiled_contiguous_dims(int *n, const tsr_tpu_tiled *tiled, int rank, const int64_t *dims,
                                         tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
