/* What the files of XLA's layouts share: the dims on their way through the tiles. */
#ifndef XLA_INTERNAL_H
#define XLA_INTERNAL_H

#include "tsr_xla.h"

/* Sizes of dims, major to minor: the physical dims, or what some of the tiles gave. */
typedef struct xla_dims {
    int n; /* 0..TSR_XLA_MAX_EXPANDED */
    int64_t size[TSR_XLA_MAX_EXPANDED];
} xla_dims;

/* ---- xla_type.c ---- */

/* The n characters at `name` as a type in lower case; false when there is none. */
bool xla_find_type(char out[TSR_XLA_TYPE_NBYTES], const char *name, size_t n);

/* ---- xla_tile.c: one tile ---- */

/* *n = the product of the sizes; false when it does not fit. A product with a 0 is 0. */
bool xla_product(int64_t *n, const int64_t *size, int nsizes);

/* What a tile means for the dims that it meets. The dims are, major to minor: `front` of size 1, which the
 * tile puts there; `kept`, which it leaves; and the last tile->rank ones, which become ngroups dims. Group g
 * is the dims [first[g], first[g + 1]) (front counted), folded to one, and cut by t[g]. */
typedef struct xla_cut {
    int front, kept, ngroups;
    int first[TSR_XLA_MAX_TILE_RANK + 1];
    int64_t t[TSR_XLA_MAX_TILE_RANK];
} xla_cut;
void xla_cut_of(xla_cut *cut, int ndims, const tsr_xla_tile *tile);

/* dims becomes `front` ones and then what it was. */
void xla_add_front(xla_dims *dims, const xla_cut *cut);
/* folded = the kept dims and one for each group; TSR_LIMIT when a product does not fit. `dims` has its front.
 */
tsr_status xla_fold(xla_dims *folded, const xla_dims *dims, const xla_cut *cut, tsr_error *err) TSR_NODISCARD;
/* after = the kept dims, ceil(n/t) for each group, t for each group. TSR_LIMIT for too many dims. */
tsr_status xla_split(xla_dims *after, const xla_dims *folded, const xla_cut *cut,
                     tsr_error *err) TSR_NODISCARD;
/* All three at once: dims becomes the dims after the tile. */
tsr_status xla_tile_dims(xla_dims *dims, const tsr_xla_tile *tile, tsr_error *err) TSR_NODISCARD;

/* coords of the dims before the tile (`before`, without front) become those after it. */
void xla_tile_coords(int64_t *coords, const xla_dims *before, const tsr_xla_tile *tile);
/* The way back. False: padding, there is no such place before the tile. */
bool xla_untile_coords(int64_t *coords, const xla_dims *before, const tsr_xla_tile *tile);

/* ---- xla_shape.c ---- */

/* The physical dims: major to minor. Sizes 1 in a layout without dims. */
void xla_physical_dims(xla_dims *dims, const tsr_xla *xla);
/* The expanded dims' coordinates of the place `physical`, which may be padding (below the first tile's padded
 * sizes). */
void xla_expand_physical(int64_t *expanded, const tsr_xla *xla, const int64_t *physical);
/* An empty layout to fill; then check it and fill what is derived. On failure *tile is the tile at fault, or
 * -1. */
tsr_status xla_new(tsr_xla **out, tsr_error *err) TSR_NODISCARD;
tsr_status xla_derive(tsr_xla *xla, int *tile, tsr_error *err) TSR_NODISCARD;
/* A copy, strings too. */
tsr_status xla_copy(tsr_xla **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT unless there are dims. */
tsr_status xla_need_dims(const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The same, and TSR_UNSUPPORTED when some level is not dense: no slot belongs to a coordinate then. */
tsr_status xla_need_offsets(const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The shape with these dims, in their default order, and untiled; type and element bits from `like`. */
tsr_status xla_new_shape(tsr_xla **out, const tsr_xla *like, const xla_dims *dims,
                         tsr_error *err) TSR_NODISCARD;

/* ---- xla_parse.c ---- */

/* Read tiles, "(2,*,128)(2,1)", at the cursor into xla->tiles, and advance it past them. */
tsr_status xla_parse_tiles(tsr_xla *xla, tsr_cursor *cursor, tsr_error *err) TSR_NODISCARD;

/* ---- xla_print.c ---- */

/* "(2,*,128)" */
void xla_print_tile(tsr_text *text, const tsr_xla_tile *tile);
/* "f32[2,3]", type and dims. */
void xla_print_dims(tsr_text *text, const char *type, const xla_dims *dims);

#endif
