/* A layout in any notation behind one parse: XLA's f32[3,5]{1,0:T(2,2)}, TLA's (2,3):(3,1), or an index map.
 *
 * Whatever it is written in, a layout takes the coordinates of a dense array (dims from 0) to offsets in
 * elements. An index map with one result gives the offset itself; one with several results is a row of dense
 * levels, and the offset is row-major over their ranges. So layouts of different notations can be compared,
 * and written in one another. */
#ifndef TSR_LAYOUT_H
#define TSR_LAYOUT_H

#include "tsr_tla.h"
#include "tsr_xla.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_layout_kind { TSR_LAYOUT_XLA, TSR_LAYOUT_TLA, TSR_LAYOUT_MAP } tsr_layout_kind;

/* The notation that the first characters of `text` speak: f32[ [3 {1 {: are XLA's; a number, _4, or
 * parentheses around one are TLA's; all else is a map (or a storage format, which looks like one). */
tsr_layout_kind tsr_layout_kind_of(const char *text);

/* Read it, never write it. */
typedef struct tsr_layout {
    tsr_layout_kind kind;
    tsr_xla *xla; /* XLA, with dims */
    tsr_tla tla;  /* TLA */
    tsr_map *map; /* MAP: as it was written, dims bounded */
    int rank;
    int64_t dims[TSR_MAP_MAX_VARS]; /* rank sizes */
    int64_t span; /* offsets are in [0, span), padding counted; of a map with one result: the largest + 1 */
    tsr_map *offset;  /* (d0, d1, ...) -> (offset), dims bounded, simplified */
    tsr_map *inverse; /* MAP: of `offset`; NULL when it has none */
    tsr_arena arena;  /* holds tla */
} tsr_layout;

/* What parsing may be told besides the text. */
typedef struct tsr_layout_options {
    int ndims; /* 0: the text says the dims itself */
    const int64_t *dims;
    const char *type; /* of an XLA layout that does not say one; NULL: none */
} tsr_layout_options;

/* options may be NULL. TSR_SYNTAX with the column; TSR_ARGUMENT when the dims are not known (an XLA layout
 * alone, a map without a domain, when options give none) or disagree with those of options. */
tsr_status tsr_layout_parse(tsr_layout **out, const char *text, const tsr_layout_options *options,
                            tsr_error *err) TSR_NODISCARD;
/* The same from values of one notation, which are copied. */
tsr_status tsr_layout_from_xla(tsr_layout **out, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_layout_from_tla(tsr_layout **out, const tsr_tla *tla, tsr_error *err) TSR_NODISCARD;
/* An index map whose dims are bounded and begin at 0. */
tsr_status tsr_layout_from_map(tsr_layout **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
void tsr_layout_free(tsr_layout *layout);
/* Append its text in its own notation. */
void tsr_layout_print(tsr_text *text, const tsr_layout *layout);

/* The offset of coord[0..rank). TSR_RANGE outside the dims (or a map's domain). */
tsr_status tsr_layout_offset(int64_t *out, const tsr_layout *layout, const int64_t *coord,
                             tsr_error *err) TSR_NODISCARD;
/* The element at an offset: coord[0..rank), or *padding = true and zeros. TSR_RANGE outside [0, span);
 * TSR_UNSUPPORTED for a layout that cannot be inverted, with the reason. */
tsr_status tsr_layout_element(int64_t *coord, bool *padding, const tsr_layout *layout, int64_t offset,
                              tsr_error *err) TSR_NODISCARD;

/* ---- equality ---- */

typedef enum tsr_layout_verdict {
    TSR_LAYOUT_SAME,         /* proved: every coordinate has the same offset in both */
    TSR_LAYOUT_OTHER_RANK,   /* one has more dims */
    TSR_LAYOUT_OTHER_DIM,    /* they disagree on the size of a dim */
    TSR_LAYOUT_OTHER_OFFSET, /* they differ at a coordinate */
    TSR_LAYOUT_OTHER_DOMAIN  /* a coordinate is in the domain of one only */
} tsr_layout_verdict;

typedef struct tsr_layout_difference {
    tsr_layout_verdict verdict;
    int dim;                         /* OTHER_DIM */
    int64_t coord[TSR_MAP_MAX_VARS]; /* OTHER_OFFSET, OTHER_DOMAIN: the first in row-major order */
    int64_t offset[2];               /* OTHER_OFFSET: of a and of b there */
} tsr_layout_difference;

/* Compare a and b as functions from coordinates to offsets. Decided exactly: the difference of the two maps
 * simplifies to zero; or it is a sum of functions of one dim each, and those are compared value by value; or
 * all points are. Where that would be more than 2^20 points, tsr_map_same is asked first; over 2^28 a
 * difference need not be the first one, and TSR_UNSUPPORTED says that none of it decides. */
tsr_status tsr_layout_same(tsr_layout_difference *out, const tsr_layout *a, const tsr_layout *b,
                           tsr_error *err) TSR_NODISCARD;

/* ---- one notation in another ---- */

/* The TLA layout of the same offsets, its origin the XLA dims where tiles pad. TSR_UNSUPPORTED, with the
 * reason, when a tile cuts across the digits that an earlier one made. */
tsr_status tsr_xla_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_xla *xla, tsr_error *err) TSR_NODISCARD;
/* The XLA layout of the same offsets and span, its tiles the layout's own blocks if they can be. `type` may
 * be NULL. TSR_UNSUPPORTED, with the reason, when there is none: gaps, overlaps, blocks that no two tiles
 * give. */
tsr_status tsr_tla_to_xla(tsr_xla **out, const tsr_tla *tla, const char *type, tsr_error *err) TSR_NODISCARD;
/* The same from a layout of any notation. Maps are probed, up to 2^22 places a dim, and what is found is
 * proved. */
tsr_status tsr_layout_to_tla(tsr_tla *out, tsr_arena *arena, const tsr_layout *layout,
                             tsr_error *err) TSR_NODISCARD;
tsr_status tsr_layout_to_xla(tsr_xla **out, const tsr_layout *layout, const char *type,
                             tsr_error *err) TSR_NODISCARD;
/* A layout as dense levels: level l stores result l of the map, pitch[l] positions for each parent (0: as
 * many as it has coordinates). */
typedef struct tsr_layout_levels {
    tsr_map *map; /* from the logical dims, unbounded */
    int64_t pitch[TSR_MAP_MAX_RESULTS];
} tsr_layout_levels;
/* The levels that have the layout's offsets; what they are and when there are none: tsr_layout_print_format.
 */
tsr_status tsr_layout_to_levels(tsr_layout_levels *out, const tsr_layout *layout,
                                tsr_error *err) TSR_NODISCARD;
void tsr_layout_levels_clear(tsr_layout_levels *levels);
/* Append the storage format text that has the same offsets: all levels dense, such as
 * (d0, d1) -> (d0 floordiv 2 : dense, ...), with pitches where there are gaps, padded dims or a tail: of a
 * level, of an outer level that is several in one, or of a last level that holds 0 (elements that stand
 * apart). A layout whose strides are no multiples of each other becomes one level, its offset.
 * TSR_UNSUPPORTED when two elements share an offset, and when offsets do not begin at 0. */
tsr_status tsr_layout_print_format(tsr_text *text, const tsr_layout *layout, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
