/* What the files of XLA's layouts share: sizes of dims before, between and after the tiles. */
#ifndef XLA_INTERNAL_H
#define XLA_INTERNAL_H

#include "tsr_xla.h"

/* Sizes of dims, major to minor: the physical dims, or the dims after some of the tiles. */
typedef struct xla_dims {
    int n; /* 0..TSR_XLA_MAX_EXPANDED */
    int64_t size[TSR_XLA_MAX_EXPANDED];
} xla_dims;

/* ---- xla_type.c ---- */

/* Write the type with the n characters at `name` in lower case to `out`; false if there is no such type. */
bool xla_find_type(char out[TSR_XLA_TYPE_NBYTES], const char *name, size_t n);

/* ---- xla_tile.c: one tile ---- */

/* *n = the product of the sizes; false if it does not fit. A product with a factor 0 is 0. */
bool xla_product(int64_t *n, const int64_t *size, int nsizes);

/* How a tile cuts the dims before it. These are, major to minor: `front` dims of size 1, which the tile adds;
 * `kept` dims, which do not change; and the last tile->rank dims, which become ngroups dims: group g consists
 * of the dims [first[g], first[g + 1]) (including front), which are folded to one dim and cut by t[g]. */
typedef struct xla_cut {
    int front, kept, ngroups;
    int first[TSR_XLA_MAX_TILE_RANK + 1];
    int64_t t[TSR_XLA_MAX_TILE_RANK];
} xla_cut;
void xla_cut_of(xla_cut *cut, int ndims, const tsr_xla_tile *tile);

/* Put `front` dims of size 1 before the dims. */
void xla_add_front(xla_dims *dims, const xla_cut *cut);
/* folded = the kept dims and one dim for each group; TSR_LIMIT if a product does not fit. xla_add_front was
 * called for `dims`. */
tsr_status xla_fold(xla_dims *folded, const xla_dims *dims, const xla_cut *cut, tsr_error *err) TSR_NODISCARD;
/* after = the kept dims, ceil(n/t) for each group, t for each group. TSR_LIMIT for too many dims. */
tsr_status xla_split(xla_dims *after, const xla_dims *folded, const xla_cut *cut,
                     tsr_error *err) TSR_NODISCARD;
/* All three steps: replace dims by the dims after the tile. */
tsr_status xla_tile_dims(xla_dims *dims, const tsr_xla_tile *tile, tsr_error *err) TSR_NODISCARD;

/* Replace the coordinates in the dims before the tile (`before`, without front) by those in the dims after
 * it. */
void xla_tile_coords(int64_t *coords, const xla_dims *before, const tsr_xla_tile *tile);
/* The reverse. False: padding, to which no coordinate before the tile belongs. */
bool xla_untile_coords(int64_t *coords, const xla_dims *before, const tsr_xla_tile *tile);

/* ---- xla_shape.c ---- */

/* The physical dims: major to minor. Sizes 1 in a layout without dims. */
void xla_physical_dims(xla_dims *dims, const tsr_xla *xla);
/* Make an empty layout, which the caller fills; then check it and compute the derived fields. On failure
 * *tile is the number of the wrong tile, or -1. */
tsr_status xla_new(tsr_xla **out, tsr_error *err) TSR_NODISCARD;
tsr_status xla_derive(tsr_xla *xla, int *tile, tsr_error *err) TSR_NODISCARD;
/* A copy, with its strings. */
tsr_status xla_copy(tsr_xla **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT unless the layout has dims. */
tsr_status xla_need_dims(const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The same, and TSR_UNSUPPORTED if some level is not dense: then a coordinate has no slot. */
tsr_status xla_need_offsets(const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The untiled shape with these dims in their default order; type and element bits are those of `like`. */
tsr_status xla_new_shape(tsr_xla **out, const tsr_xla *like, const xla_dims *dims,
                         tsr_error *err) TSR_NODISCARD;

/* ---- xla_parse.c ---- */

/* Parse tiles, "(2,*,128)(2,1)", at the cursor into xla->tiles, and advance the cursor past them. */
tsr_status xla_parse_tiles(tsr_xla *xla, tsr_cursor *cursor, tsr_error *err) TSR_NODISCARD;

/* ---- xla_print.c ---- */

/* Append "(2,*,128)". */
void xla_print_tile(tsr_text *text, const tsr_xla_tile *tile);
/* Append "f32[2,<=3]": the type and n sizes; dynamic[i]: size i is a bound (NULL: none is). */
void xla_print_dims(tsr_text *text, const char *type, int n, const int64_t *size, const bool *dynamic);

#endif
