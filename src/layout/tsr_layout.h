/* Layouts in any notation: XLA's f32[3,5]{1,0:T(2,2)}, TLA's (2,3):(3,1), or an index map.
 *
 * In every notation, a layout maps the coordinates of a dense array (each dim from 0) to offsets in elements.
 * An index map with one result gives the offset itself; an index map with several results is a row of dense
 * levels, and the offset is row-major over the ranges of the results. So layouts of different notations can
 * be compared, and converted from one notation to another. */
#ifndef TSR_LAYOUT_H
#define TSR_LAYOUT_H

#include "tsr_tla.h"
#include "tsr_xla.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_layout_kind {
    TSR_LAYOUT_XLA,
    TSR_LAYOUT_TLA,
    TSR_LAYOUT_MAP,
    TSR_LAYOUT_SWIZZLED
} tsr_layout_kind;

/* The notation that the first characters of `text` indicate: f32[ [3 {1 {: are XLA; Sw< is swizzled; a number, _4, or
 * parentheses around one are TLA; everything else is a map (or a storage format, which looks like a map). */
tsr_layout_kind tsr_layout_kind_of(const char *text);

/* A layout; callers must not change it. */
typedef struct tsr_layout {
    tsr_layout_kind kind;
    tsr_xla *xla;          /* XLA: the layout, with dims */
    tsr_tla tla;           /* TLA: the layout */
    tsr_swizzled swizzled; /* SWIZZLED: the layout */
    tsr_map *map;          /* MAP: the map as written, with bounded dims; SWIZZLED: the map of the layout */
    int rank;
    int64_t dims[TSR_MAP_MAX_VARS]; /* rank sizes */
    /* offsets are in [0, span), including padding; for a map with one result: the largest offset + 1 */
    int64_t span;
    tsr_map *offset;  /* (d0, d1, ...) -> (offset), with bounded dims, simplified */
    tsr_map *inverse; /* MAP: the inverse of `offset`; NULL if there is none */
    tsr_arena arena;  /* owns the memory of `tla` and `swizzled` */
} tsr_layout;

/* What the caller knows besides the text. */
typedef struct tsr_layout_options {
    int ndims; /* 0: the text gives the dims */
    const int64_t *dims;
    const char *type; /* the type for an XLA layout without one; NULL: none */
} tsr_layout_options;

/* Parse a layout; options may be NULL. TSR_SYNTAX with the column; TSR_ARGUMENT if the dims are unknown (for
 * an XLA layout alone or a map without a domain, without dims in options) or differ from those in options, or if a map has an
 * offset below 0; TSR_LIMIT if it has one of 2^63-1 or more. */
tsr_status tsr_layout_parse(tsr_layout **out, const char *text, const tsr_layout_options *options,
                            tsr_error *err) TSR_NODISCARD;
/* The same from a value of one notation, which is copied. */
tsr_status tsr_layout_from_xla(tsr_layout **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_layout_from_tla(tsr_layout **out, const tsr_tla *tla, tsr_error *err) TSR_NODISCARD;
/* The same from an index map, whose dims must be bounded and begin at 0. */
tsr_status tsr_layout_from_map(tsr_layout **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
void tsr_layout_free(tsr_layout *layout);
/* Append the text of the layout in its own notation. */
void tsr_layout_print(tsr_text *text, const tsr_layout *layout);
/* Append the layout in a notation: "own", "xla", "tla", "cute" (tla without an origin), "map" or "format"; `type`
 * for XLA, or NULL. TSR_UNSUPPORTED, with the reason, if the notation cannot express it; TSR_ARGUMENT for
 * another name. */
tsr_status tsr_layout_print_as(tsr_text *text, const tsr_layout *layout, const char *notation,
                               const char *type, tsr_error *err) TSR_NODISCARD;

/* The offset of coord[0..rank). TSR_RANGE outside the dims or outside the domain of a map. */
tsr_status tsr_layout_offset(int64_t *out, const tsr_layout *layout, const int64_t *coord,
                             tsr_error *err) TSR_NODISCARD;
/* The element at an offset: coord[0..rank), or *padding = true and zeros. TSR_RANGE outside [0, span);
 * TSR_UNSUPPORTED, with the reason, if the layout cannot be inverted. */
tsr_status tsr_layout_element(int64_t *coord, bool *padding, const tsr_layout *layout, int64_t offset,
                              tsr_error *err) TSR_NODISCARD;

/* ---- equality ---- */

typedef enum tsr_layout_verdict {
    TSR_LAYOUT_SAME,         /* proved: every coordinate has the same offset in both */
    TSR_LAYOUT_OTHER_RANK,   /* the layouts have different numbers of dims */
    TSR_LAYOUT_OTHER_DIM,    /* a dim has different sizes */
    TSR_LAYOUT_OTHER_OFFSET, /* a coordinate has different offsets */
    TSR_LAYOUT_OTHER_DOMAIN  /* a coordinate is in the domain of only one layout */
} tsr_layout_verdict;

typedef struct tsr_layout_difference {
    tsr_layout_verdict verdict;
    int dim; /* OTHER_DIM: the dim */
    /* OTHER_OFFSET, OTHER_DOMAIN: the first such coordinate in row-major order */
    int64_t coord[TSR_MAP_MAX_VARS];
    int64_t offset[2]; /* OTHER_OFFSET: the offsets in a and b */
} tsr_layout_difference;

/* Compare a and b as functions from coordinates to offsets, exactly: the difference of the two maps
 * simplifies to zero; or it is a sum of functions of one dim each, which are compared value by value; or all
 * points are compared. For more than 2^20 points tsr_map_same is tried first; above 2^28 points the reported
 * difference need not be the first one, and TSR_UNSUPPORTED means that no method could decide. */
tsr_status tsr_layout_same(tsr_layout_difference *out, const tsr_layout *a, const tsr_layout *b,
                           tsr_error *err) TSR_NODISCARD;

/* ---- conversion between notations ---- */

/* The TLA layout with the same offsets; its origin is the XLA dims where tiles pad. TSR_UNSUPPORTED, with the
 * reason, if a tile crosses the digits that an earlier tile made. */
tsr_status tsr_xla_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The XLA layout with the same offsets and span; its tiles are the blocks of the layout if possible. `type`
 * may be NULL. TSR_UNSUPPORTED, with the reason, if there is none: gaps, overlaps, blocks that two tiles
 * cannot give. */
tsr_status tsr_tla_to_xla(tsr_xla **out, const tsr_tla *tla, const char *type, tsr_error *err) TSR_NODISCARD;
/* The same from a layout of any notation. Maps are probed, up to 2^22 coordinates per dim, and the result is
 * proved. */
tsr_status tsr_layout_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_layout *layout,
                             tsr_error *err) TSR_NODISCARD;
tsr_status tsr_layout_to_xla(tsr_xla **out, const tsr_layout *layout, const char *type,
                             tsr_error *err) TSR_NODISCARD;
/* A layout as dense levels: level l stores result l of the map, with pitch[l] positions for each parent (0:
 * as many as the level has coordinates). */
typedef struct tsr_layout_levels {
    tsr_map *map; /* from the logical dims, unbounded, to the coordinates of the levels */
    int64_t pitch[TSR_MAP_MAX_RESULTS];
} tsr_layout_levels;
/* The levels that have the offsets of the layout; tsr_layout_print_format describes them and the errors. */
tsr_status tsr_layout_to_levels(tsr_layout_levels *out, const tsr_layout *layout,
                                tsr_error *err) TSR_NODISCARD;
void tsr_layout_levels_clear(tsr_layout_levels *levels);
/* Append the text of a storage format with the same offsets. All its levels are dense, as in (d0, d1) -> (d0
 * floordiv 2 : dense, ...). Gaps, padded dims and a tail become pitches: of a level, of an outer level that
 * merges several, or of a last level that stores 0 (if elements are not adjacent). A layout whose strides are
 * not multiples of each other becomes one level, its offset. TSR_UNSUPPORTED if two elements share an offset,
 * and if the offsets do not begin at 0. */
tsr_status tsr_layout_print_format(tsr_text *text, const tsr_layout *layout, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
