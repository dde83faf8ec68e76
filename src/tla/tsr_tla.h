/* TLA and CuTe layouts: ((4,2),(4,3)):((4,16),(1,32)).
 *
 * A layout is a shape and a stride, two IntTuples of the same structure. It maps a coordinate to an offset in
 * elements: each top-level mode is a mode of the tensor; the coordinate of a mode that is itself a tuple is
 * split into digits, the first the fastest, and the offset is the sum of digit * stride. So the layout above
 * is an 8x12 matrix in 4x4 blocks: (1, 5) is digits (1, 0) and (1, 1), offset 1*4 + 1*1 + 1*32 = 37.
 *
 * Text: tuple  := int | '_' int | '_' | '(' [tuple {',' tuple}] ')'     _4 is an int known at compile time
 *       layout := tuple ':' tuple ['@' tuple]                           '@': the origin shape, see below
 *       tiler  := '_' | layout | tuple | '[' tiler {';' tiler} ']' | '<' tiler {',' tiler} '>'
 * Printed text parses back. Sources: CATLASS, TLA Layouts (the names, the tables, the tiles); NVIDIA CUTLASS,
 * CuTe Layout Algebra (the algebra).
 *
 * Values are immutable and live in the arena that was passed to the constructor; single values are not freed.
 * A layout contains only pointers and may be copied, but *out must not be one of the inputs. Every function
 * that takes an arena leaves NULL or zeros in *out if it fails: TSR_SYNTAX (with the column), TSR_ARGUMENT,
 * TSR_RANGE (a coordinate outside), TSR_UNSUPPORTED (the result is not a layout), TSR_LIMIT (64 leaves, 16
 * levels of nesting, int64), TSR_NOMEM. A computed integer is static (`_`) if all its inputs are. */
#ifndef TSR_TLA_H
#define TSR_TLA_H

#include <stdbool.h>
#include <stdint.h>

#include "tsr_arena.h"
#include "tsr_map.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_TLA_MAX_LEAVES = 64, TSR_TLA_MAX_DEPTH = 16 }; /* an empty tuple counts as a leaf */

/* an empty tuple counts as one leaf */

typedef enum tsr_tuple_kind {
    TSR_TUPLE_INT,
    TSR_TUPLE_ANY, /* `_`: in coordinates and tilers, never in layouts */
    TSR_TUPLE_LIST
} tsr_tuple_kind;

typedef struct tsr_tuple tsr_tuple;
struct tsr_tuple {
    tsr_tuple_kind kind;
    bool is_static;            /* INT: static, written _4 */
    int n;                     /* LIST: number of entries, may be 0 */
    int64_t v;                 /* INT: the integer, >= 0 */
    const tsr_tuple *const *x; /* LIST: n entries */
};

tsr_status tsr_tuple_parse(const tsr_tuple **out, tsr_arena *arena, const char *text,
                           tsr_error *err) TSR_NODISCARD;
void tsr_tuple_print(tsr_text *text, const tsr_tuple *tuple);
/* The integer v >= 0; the tuple of n integers; the tuple of n tuples (the array is copied, the limits are
 * checked). */
tsr_status tsr_tuple_int(const tsr_tuple **out, tsr_arena *arena, int64_t v, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tuple_ints(const tsr_tuple **out, tsr_arena *arena, int n, const int64_t *v,
                          tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tuple_list(const tsr_tuple **out, tsr_arena *arena, int n, const tsr_tuple *const *x,
                          tsr_error *err) TSR_NODISCARD;

/* The number of entries; 1 for an integer. */
int tsr_tuple_rank(const tsr_tuple *tuple);
/* The depth of nesting; 0 for an integer. */
int tsr_tuple_depth(const tsr_tuple *tuple);
int tsr_tuple_nleaves(const tsr_tuple *tuple);
/* Whether both have the same integers in the same structure; `_4` equals `4`. */
bool tsr_tuple_equal(const tsr_tuple *a, const tsr_tuple *b);
/* Whether both have the same structure. */
bool tsr_tuple_congruent(const tsr_tuple *a, const tsr_tuple *b);
/* Whether every coordinate of shape a is a coordinate of shape b: the sizes are equal, and b has a tuple
 * where a has one. */
bool tsr_tuple_compatible(const tsr_tuple *a, const tsr_tuple *b);
/* The product of all leaves (1 for the empty tuple). TSR_LIMIT if it does not fit int64. */
tsr_status tsr_tuple_size(int64_t *out, const tsr_tuple *tuple, tsr_error *err) TSR_NODISCARD;
/* The tuple of the products of the entries: (4,(16,32)) -> (4,512), 5 -> (5). */
tsr_status tsr_tuple_product_each(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tuple,
                                  tsr_error *err) TSR_NODISCARD;
/* All leaves as one tuple; an integer stays an integer. */
tsr_status tsr_tuple_flatten(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tuple,
                             tsr_error *err) TSR_NODISCARD;

/* a / b for shapes. Two integers: the quotient if exact, 1 if a divides b, else TSR_UNSUPPORTED. A tuple by
 * an integer: b is divided out of the leaves from the left. An integer by a tuple: division by the product of
 * the tuple. Two tuples: entry by entry. */
tsr_status tsr_shape_div(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *a, const tsr_tuple *b,
                         tsr_error *err) TSR_NODISCARD;
/* The shape of the first n coordinates of a shape: (3,6,2,8) mod 9 = (3,3,1,1). */
tsr_status tsr_shape_mod(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *a, int64_t n,
                         tsr_error *err) TSR_NODISCARD;

/* The coordinate in the structure of the shape: an integer becomes digits where the shape has a tuple, the
 * first the fastest: 16 in (3,(2,3)) -> (1,(1,2)). TSR_RANGE outside the shape. */
tsr_status tsr_idx2crd(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *coord,
                       const tsr_tuple *shape, tsr_error *err) TSR_NODISCARD;
/* The linear index of a coordinate (flat, nested or mixed) in a shape, the first mode the fastest. */
tsr_status tsr_crd2idx(int64_t *out, const tsr_tuple *coord, const tsr_tuple *shape,
                       tsr_error *err) TSR_NODISCARD;
/* The next coordinate, the first leaf the fastest; the last leaf counts on past its size. */
tsr_status tsr_crd_increment(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *coord,
                             const tsr_tuple *shape, tsr_error *err) TSR_NODISCARD;

/* ---- layouts ---- */

/* A layout. Shape and stride have the same structure and contain only integers, those of the shape >= 1; size
 * and cosize fit int64. The origin shape is the part of the shape that holds data: one integer per mode, at
 * most the size of the mode. It is NULL if that part is the whole shape; an origin equal to the shape is
 * stored as NULL. */
typedef struct tsr_tla {
    const tsr_tuple *shape, *stride, *origin;
} tsr_tla;

tsr_status tsr_tla_parse(tsr_tla *out, tsr_arena *arena, const char *text, tsr_error *err) TSR_NODISCARD;
void tsr_tla_print(tsr_text *text, const tsr_tla *layout);
/* MakeLayout(shape, stride) with an origin shape or NULL; checks the properties above. The tuples are not
 * copied. */
tsr_status tsr_tla_make(tsr_tla *out, const tsr_tuple *shape, const tsr_tuple *stride,
                        const tsr_tuple *origin, tsr_error *err) TSR_NODISCARD;

/* A copy in another arena. */
tsr_status tsr_tla_copy(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, tsr_error *err) TSR_NODISCARD;

int tsr_tla_rank(const tsr_tla *layout);
int tsr_tla_depth(const tsr_tla *layout);
/* The number of coordinates of the whole shape, with padding. */
int64_t tsr_tla_size(const tsr_tla *layout);
/* The largest offset + 1. */
int64_t tsr_tla_cosize(const tsr_tla *layout);
/* The logical size of mode m: that of the origin if there is one, else that of the mode. m < rank. */
int64_t tsr_tla_dim(const tsr_tla *layout, int m);
/* Whether shape, stride and origin are the same; `_4` equals `4`. */
bool tsr_tla_equal(const tsr_tla *a, const tsr_tla *b);

/* crd2offset: the offset of a coordinate: linear (one integer), flat (one per mode), nested or mixed.
 * TSR_RANGE outside the shape. */
tsr_status tsr_tla_offset(int64_t *out, const tsr_tla *layout, const tsr_tuple *coord,
                          tsr_error *err) TSR_NODISCARD;
/* The same for one integer per mode, unchecked: 0 <= coord[m] < size of mode m. */
int64_t tsr_tla_offset_at(const tsr_tla *layout, const int64_t *coord);

/* Mode get<path...> as a layout (without an arena: it points into the layout). TSR_ARGUMENT if there is no
 * such mode. */
tsr_status tsr_tla_mode(tsr_tla *out, const tsr_tla *layout, int npath, const int *path,
                        tsr_error *err) TSR_NODISCARD;
/* The layout of these n modes, as a tuple even when n = 1. */
tsr_status tsr_tla_select(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int n, const int *modes,
                          tsr_error *err) TSR_NODISCARD;
/* The layout with modes [first, last) grouped into one. */
tsr_status tsr_tla_group(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int first, int last,
                         tsr_error *err) TSR_NODISCARD;
/* The layout whose modes are these layouts. It has no origin, since an origin has one integer per mode. */
tsr_status tsr_tla_concat(tsr_tla *out, tsr_arena *arena, int n, const tsr_tla *layouts,
                          tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tla_flatten(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout,
                           tsr_error *err) TSR_NODISCARD;

/* ---- constructors ---- */

/* Compact strides for a shape: the leaves follow each other from the left (the first the fastest:
 * column-major) or from the right (row-major). */
tsr_status tsr_tla_make_left(tsr_tla *out, tsr_arena *arena, const tsr_tuple *shape,
                             tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tla_make_right(tsr_tla *out, tsr_arena *arena, const tsr_tuple *shape,
                              tsr_error *err) TSR_NODISCARD;

/* Matrices in blocks: the small letter is the order inside a block, the capital letter the order of the
 * blocks; z and Z go along rows, n and N along columns. */
typedef enum tsr_tla_fractal {
    TSR_TLA_ZN,
    TSR_TLA_NZ,
    TSR_TLA_ZZ,
    TSR_TLA_NN,
    TSR_TLA_L0C /* MakeLayoutL0C: the order of zN, with blocks of 16 x 16 for elements of every size */
} tsr_tla_fractal;

/* The block of the Ascend cube core for elements of `bits` bits: 16 x (256 / bits) for zN and zZ, (256 /
 * bits) x 16 for nZ and nN. bits is a power of two up to 256. */
tsr_status tsr_tla_fractal_block(int64_t *block_rows, int64_t *block_cols, tsr_tla_fractal fractal, int bits,
                                 tsr_error *err) TSR_NODISCARD;
/* A matrix of size[0] x size[1] in such blocks of block[0] x block[1], padded to whole blocks: ((block[0], n),
 * (block[1], m)); the origin is `size` if there is padding. */
tsr_status tsr_tla_make_fractal(tsr_tla *out, tsr_arena *arena, tsr_tla_fractal fractal,
                                const int64_t size[2], const int64_t block[2], tsr_error *err) TSR_NODISCARD;
/* "zN", "nZ", "zZ", "nN", "L0C" as a tsr_tla_fractal; TSR_ARGUMENT for an unknown name. */
tsr_status tsr_tla_fractal_parse(tsr_tla_fractal *out, const char *name, tsr_error *err) TSR_NODISCARD;

/* MakeLayoutTile: the shape reduced (or extended) to a tile with one integer per mode; the strides stay. A
 * nested mode keeps its sizes except the last, which becomes ceil(tile / product of the others). The origin
 * is the tile where that is smaller. */
tsr_status tsr_tla_make_tile(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tuple *tile,
                             tsr_error *err) TSR_NODISCARD;
/* A part of a layout, and the offset of its first element. */
typedef struct tsr_tla_view {
    tsr_tla layout;
    int64_t offset;
} tsr_tla_view;
/* GetTileLayout: the tile whose first element is `at` (one integer per mode) as a layout, and the offset of
 * that element; origin[m] = min(tile[m], max(dim[m] - at[m], 0)). TSR_UNSUPPORTED if the tile begins inside a
 * block and extends beyond it, so that the strides of the layout do not give the offsets of its elements. */
tsr_status tsr_tla_tile_view(tsr_tla_view *out, tsr_arena *arena, const tsr_tla *layout,
                             const tsr_tuple *tile, const tsr_tuple *at, tsr_error *err) TSR_NODISCARD;
/* TileView: the first element of tile number `coord`: coord[m] * tile[m]. */
tsr_status tsr_tla_tile_start(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *tile,
                              const tsr_tuple *coord, tsr_error *err) TSR_NODISCARD;

/* ---- algebra on shapes and strides; origins are dropped ---- */

/* The right operand of a division, product or composition: a layout that applies to the whole, or a list that
 * applies mode by mode. In text, a shape (3,8) is the list [3:1;8:1]; a lone 8 is 8:1. */
typedef enum tsr_tiler_kind { TSR_TILER_ANY, TSR_TILER_LAYOUT, TSR_TILER_LIST } tsr_tiler_kind;

typedef struct tsr_tiler tsr_tiler;
struct tsr_tiler {
    tsr_tiler_kind kind;
    tsr_tla layout;            /* LAYOUT */
    int n;                     /* LIST: number of entries */
    const tsr_tiler *const *x; /* LIST: n entries */
};

tsr_status tsr_tiler_parse(const tsr_tiler **out, tsr_arena *arena, const char *text,
                           tsr_error *err) TSR_NODISCARD;
void tsr_tiler_print(tsr_text *text, const tsr_tiler *tiler);

/* ceil(shape / tiler), mode by mode for a list. An integer (n, or n:1) divides a tuple from the left as in
 * tsr_shape_div, rounding up: (3,6,2,8) by 9 gives (1,2,2,8). Any other layout divides the whole shape by its
 * size. */
tsr_status tsr_shape_ceil_div(const tsr_tuple **out, tsr_arena *arena, const tsr_tuple *shape,
                              const tsr_tiler *tiler, tsr_error *err) TSR_NODISCARD;

/* The same function of the linear coordinate with as few modes as possible. With a profile (may be NULL),
 * each leaf of the profile coalesces the mode at the same place; modes that the profile does not reach
 * stay. */
tsr_status tsr_tla_coalesce(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tuple *profile,
                            tsr_error *err) TSR_NODISCARD;
/* a after b: result(c) = a(b(c)), with the shape of b (whose leaves are split where necessary); the last mode
 * of a continues past its size. TSR_UNSUPPORTED if the sizes of a and the strides of b do not divide each
 * other, or if modes of b carry into each other within a (the result of CuTe is then not a after b). */
tsr_status tsr_tla_compose(tsr_tla *out, tsr_arena *arena, const tsr_tla *a, const tsr_tiler *b,
                           tsr_error *err) TSR_NODISCARD;
/* The ordered layout of the offsets that `layout` does not use, such that both together fill `cosize` >= 1
 * offsets (1: only the gaps). TSR_UNSUPPORTED if the layout overlaps itself; modes with stride 0 are
 * ignored. */
tsr_status tsr_tla_complement(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, int64_t cosize,
                              tsr_error *err) TSR_NODISCARD;
/* The largest layout R with layout(R(k)) = k for all k < size(R). */
tsr_status tsr_tla_right_inverse(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout,
                                 tsr_error *err) TSR_NODISCARD;
/* L with L(layout(c)) = c for all linear c; the digits of c in modes with stride 0 become 0. TSR_UNSUPPORTED
 * if the layout overlaps itself or its strides are not multiples of each other. */
tsr_status tsr_tla_left_inverse(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout,
                                tsr_error *err) TSR_NODISCARD;

/* The arrangement of the modes of a quotient or product, for a list of tilers of rank 2: logical
 * ((T0,R0),(T1,R1)), zipped ((T0,T1),(R0,R1)), tiled ((T0,T1),R0,R1), flat (T0,T1,R0,R1). */
typedef enum tsr_tla_form { TSR_TLA_LOGICAL, TSR_TLA_ZIPPED, TSR_TLA_TILED, TSR_TLA_FLAT } tsr_tla_form;

/* The logical form: layout after (tiler, complement of tiler in the size of the layout). */
tsr_status tsr_tla_divide(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                          tsr_tla_form form, tsr_error *err) TSR_NODISCARD;
/* The logical form: (layout, complement of the layout after tiler): the layout, repeated as the tiler
 * says. */
tsr_status tsr_tla_product(tsr_tla *out, tsr_arena *arena, const tsr_tla *layout, const tsr_tiler *tiler,
                           tsr_tla_form form, tsr_error *err) TSR_NODISCARD;
/* The product with mode m of the block and mode m of the tiler paired: blocks ((B0,T0),(B1,T1)), or raked
 * ((T0,B0),(T1,B1)). A mode that only one of them has stays alone. */
tsr_status tsr_tla_blocked_product(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tla *tiler,
                                   tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tla_raked_product(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tla *tiler,
                                 tsr_error *err) TSR_NODISCARD;
/* The block repeated to cover a shape. order[m] says how fast the blocks advance along mode m (0: the
 * fastest); NULL: the first mode is the fastest. Where a block does not divide a size, the last block extends
 * beyond it: the result is the shape rounded up to whole blocks. */
tsr_status tsr_tla_tile_to_shape(tsr_tla *out, tsr_arena *arena, const tsr_tla *block, const tsr_tuple *shape,
                                 const tsr_tuple *order, tsr_error *err) TSR_NODISCARD;

/* ---- swizzled layouts ---- */

/* CuTe's Swizzle<bits, base, shift>: bits base, base + 1, ... of an offset change by exclusive or with the bits that
 * lie `shift` above them; for shift < 0 those that lie above change. |shift| >= bits >= 0, base >= 0. */
typedef struct tsr_swizzle {
    int bits, base, shift;
} tsr_swizzle;
enum { TSR_SWIZZLE_MAX_NBITS = 60 };

/* Sw<B,M,S> o OFFSET o LAYOUT: coordinate c has the offset swizzle(offset + layout(c)), offset >= 0. */
typedef struct tsr_swizzled {
    tsr_swizzle swizzle;
    int64_t offset;
    tsr_tla layout;
} tsr_swizzled;

/* Whether the text begins as one, with Sw<, S< or Swizzle<, also after cute::. */
bool tsr_swizzled_begins(const char *text);
tsr_status tsr_swizzled_parse(tsr_swizzled *out, tsr_arena *arena, const char *text,
                              tsr_error *err) TSR_NODISCARD;
/* The printed text parses back. */
void tsr_swizzled_print(tsr_text *text, const tsr_swizzled *x);
/* TSR_ARGUMENT or TSR_LIMIT unless the numbers are as above and the offsets fit. */
tsr_status tsr_swizzled_check(const tsr_swizzled *x, tsr_error *err) TSR_NODISCARD;
/* x >= 0 swizzled; twice gives x again. */
int64_t tsr_swizzle_apply(const tsr_swizzle *swizzle, int64_t x);
/* Offsets are in [0, cosize): that of the layout, rounded up to whole blocks that the swizzle permutes. */
int64_t tsr_swizzled_cosize(const tsr_swizzled *x);
/* The offset of one integer per mode, unchecked. */
int64_t tsr_swizzled_offset_at(const tsr_swizzled *x, const int64_t *coord);
/* (d0, d1, ...) -> (offset), with bounded dims. */
tsr_status tsr_swizzled_to_map(tsr_map **out, const tsr_swizzled *x, tsr_error *err) TSR_NODISCARD;

/* ---- layouts as maps, levels and tables ---- */

/* (d0, d1, ...) -> (offset): one dim per mode, bounded by its logical size. */
tsr_status tsr_tla_to_map(tsr_map **out, const tsr_tla *layout, tsr_error *err) TSR_NODISCARD;

/* A layout as nested dense levels: level l stores the digit (coord[mode] floordiv divisor) mod modulus.
 * The offset of an element is unit * pos; pos is 0 before level 0, and each level sets pos = pos * pitch +
 * digit. */
typedef struct tsr_tla_level {
    int mode;
    int64_t divisor;
    int64_t modulus; /* 0: no modulus, since this is the last digit of its mode */
    int64_t size;    /* digits are in [0, size) */
    int64_t pitch;   /* >= size; level 0: its size */
    int64_t stride;  /* difference of the offsets of neighbours: unit * the pitches of the levels below */
} tsr_tla_level;

typedef struct tsr_tla_levels {
    int rank;                                /* number of modes */
    int64_t dims[TSR_TLA_MAX_LEAVES];        /* rank logical sizes */
    int nlevels;                             /* levels of size 1 are left out */
    int64_t unit;                            /* the stride of the last level; 1 if elements are adjacent */
    int64_t cosize;                          /* offsets are in [0, cosize) */
    tsr_tla_level level[TSR_TLA_MAX_LEAVES]; /* by descending stride */
} tsr_tla_levels;

/* TSR_UNSUPPORTED with the reason if the layout is only a view: it has stride 0, overlaps itself, or has a
 * stride that is not a multiple of the next smaller one. */
tsr_status tsr_tla_to_levels(tsr_tla_levels *out, const tsr_tla *layout, tsr_error *err) TSR_NODISCARD;
/* (d0, d1, ...) -> (digits of level 0, 1, ...), with bounded dims. */
tsr_status tsr_tla_levels_map(tsr_map **out, const tsr_tla_levels *levels, tsr_error *err) TSR_NODISCARD;
/* The inverse of the offset: coord[0..rank) of the element at `offset`; false if no element has that offset
 * (a gap, padding, outside). */
bool tsr_tla_levels_coord(int64_t *coord, const tsr_tla_levels *levels, int64_t offset);

enum { TSR_TLA_TABLE_MAX = 1 << 20 }; /* limit of the cells of a table; TSR_LIMIT above */

/* Print all offsets by linear coordinate (the first mode the fastest), separated by blanks, without a
 * newline. */
tsr_status tsr_tla_print_1d(tsr_text *text, const tsr_tla *layout, tsr_error *err) TSR_NODISCARD;
/* Print a layout of rank 2 as a table like those of the TLA document (rank 1: one row); each row ends with a
 * newline; `.` is padding. */
tsr_status tsr_tla_print_2d(tsr_text *text, const tsr_tla *layout, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
