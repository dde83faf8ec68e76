/* Tensor operations as index maps, in both directions.
 *
 * Output to input: the dims are the coordinates of the output, the results the operand's coordinates that are
 * read there. Input to output: the dims are the coordinates of the operand, the results the output's
 * coordinates that they go to. The domain holds just the coordinates that have a partner in the other tensor:
 * dims are bounded by the shape of their tensor and narrowed where whole ranges have no partner; constraints
 * exclude the rest. Where one coordinate has several partners, range symbols [s0] run over them; where a
 * partner is known only at run time, runtime symbols {rt0} stand for the value.
 *
 * Every constructor takes the shape of the operand; the lists beside it have an entry for each of its dims. out_dims, if there is one, receives the
 * shape of the output and may be NULL. Shapes with a dim of 0 give maps with an empty domain. TSR_ARGUMENT
 * for arguments that do not fit together, TSR_LIMIT for dims or products over 2^63 - 1 and for more than
 * TSR_MAP_MAX_VARS variables. */
#ifndef TSR_MAP_OPS_H
#define TSR_MAP_OPS_H

#include "tsr_map.h"
#include "tsr_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_map_direction { TSR_OUTPUT_TO_INPUT, TSR_INPUT_TO_OUTPUT } tsr_map_direction;

/* The number of dims of the output, from a map in this direction. */
static inline int tsr_map_out_ndims(const tsr_map *map, tsr_map_direction direction)
{
    return direction == TSR_OUTPUT_TO_INPUT ? tsr_map_ndims(map) : tsr_map_nresults(map);
}

/* The identity, (d0, d1) -> (d0, d1); output and operand have the same shape. */
tsr_status tsr_map_identity(tsr_map **out, tsr_shape shape, tsr_error *err) TSR_NODISCARD;

/* Output dim i is operand dim perm[i]: out_dims[i] = dims[perm[i]]. */
tsr_status tsr_map_transpose(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                             const int *perm, tsr_error *err) TSR_NODISCARD;

/* Flip the dims whose flag is set; the map is its own inverse. */
tsr_status tsr_map_reverse(tsr_map **out, tsr_shape shape, const bool *reversed,
                           tsr_error *err) TSR_NODISCARD;

/* The coordinates start, start + stride, ... below limit; start <= limit <= dim, stride >= 1. */
typedef struct tsr_slice {
    uint64_t start, limit, stride;
} tsr_slice;
tsr_status tsr_map_slice(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                         const tsr_slice *slices, tsr_error *err) TSR_NODISCARD;

/* `interior` cells between neighbours, then `low` cells before the first and `high` after the last; negative
 * low and high cut cells off. out_dims[i] = low + high + dim + (dim - 1) * interior, which may not be
 * negative. */
typedef struct tsr_padding {
    int64_t low, high;
    uint64_t interior;
} tsr_padding;
tsr_status tsr_map_pad(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                       const tsr_padding *paddings, tsr_error *err) TSR_NODISCARD;

/* The same cells in row-major order under another shape with the same number of cells. The map is simplified:
 * it treats runs of dims that split, join or stay separately. */
tsr_status tsr_map_reshape(tsr_map **out, tsr_map_direction direction, tsr_shape shape, tsr_shape out_shape,
                           tsr_error *err) TSR_NODISCARD;

/* Operand dim i is output dim at[i], all different, and both have the same size; the operand is repeated along
 * the other output dims. */
tsr_status tsr_map_broadcast(tsr_map **out, tsr_map_direction direction, tsr_shape shape, tsr_shape out_shape,
                             const int *at, tsr_error *err) TSR_NODISCARD;

/* An operand of a concatenation along dim `axis`: `before` is the sum of that dim over the operands before this
 * operand, `total` the sum over all operands. */
typedef struct tsr_concat {
    int axis;
    uint64_t before, total;
} tsr_concat;
tsr_status tsr_map_concat(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                          const tsr_concat *concat, tsr_error *err) TSR_NODISCARD;

/* Reduce (sum, for instance) over the dims whose flag is set: output to input they are range symbols. */
tsr_status tsr_map_reduce(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, tsr_shape shape,
                          const bool *reduced, tsr_error *err) TSR_NODISCARD;

/* Running sums (or another reduction) along dim `dim`: an output cell combines the operand cells up to its
 * own coordinate; if `backwards`, those from its own coordinate on. */
tsr_status tsr_map_scan(tsr_map **out, tsr_map_direction direction, tsr_shape shape, int dim, bool backwards,
                        tsr_error *err) TSR_NODISCARD;

/* One operand of a product of tensors. The output dims are the batch dims, then the free dims of the left
 * operand, then those of the right operand. A dim of an operand is batch (paired with a dim of the other
 * operand, in the order of the lists), contracted (also paired), or free. `side`: 0 for the map of the left
 * operand, 1 for the right. */
typedef struct tsr_dot {
    int nleft, nright, nbatch, ncontracted;
    const uint64_t *left, *right;                  /* shapes */
    const int *left_batch, *right_batch;           /* nbatch dims each */
    const int *left_contracted, *right_contracted; /* ncontracted dims each */
} tsr_dot;
tsr_status tsr_map_dot(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, const tsr_dot *dot,
                       int side, tsr_error *err) TSR_NODISCARD;

/* A window that slides over one dim. All fields zero is a window of one cell that changes nothing; 0 for
 * size, stride or a dilation means 1. The operand is first dilated (base_dilation - 1 cells between
 * neighbours) and padded; then cell s of the window at output coordinate d reads d * stride + s *
 * window_dilation. */
typedef struct tsr_index_window {
    uint64_t size, stride, base_dilation, window_dilation;
    int64_t low, high;
    bool reversed; /* a convolution reads the cells of its kernel backwards */
} tsr_index_window;
/* A reduction over windows; range symbols run over the cells of the windows (dims of size 1 have no symbol).
 * Every output coordinate has a window; the domain leaves out the cells that lie in the padding. */
tsr_status tsr_map_reduce_window(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction,
                                 tsr_shape shape, const tsr_index_window *windows,
                                 tsr_error *err) TSR_NODISCARD;

/* A convolution of a `base` with a `kernel`; each of them, and the output, has nspatial spatial dims and two
 * more. The lists give the role of each dim: batch and feature of the base, input and output feature of the
 * kernel, batch and feature of the output, and the spatial dims of each in the order of the windows (the
 * sizes of the windows are those of the kernel, their own `size` is ignored). The input features are split
 * into feature_groups groups, one for each group of output features. One output reads batch_groups groups of
 * the batch: a range symbol runs over them, after the symbols of the windows and of the input feature. 0
 * groups mean 1, and only one of the two numbers may be over 1. */
typedef struct tsr_convolution {
    int nspatial;
    const uint64_t *base, *kernel;   /* shapes, nspatial + 2 dims each */
    const tsr_index_window *windows; /* nspatial windows */
    int base_batch, base_feature, kernel_input, kernel_output, out_batch, out_feature;
    const int *base_spatial, *kernel_spatial, *out_spatial; /* nspatial entries each */
    uint64_t feature_groups, batch_groups;
} tsr_convolution;
/* Output to input only: the map of the base (side 0), or of the kernel (side 1; its cells are also read where
 * the base is padding). */
tsr_status tsr_map_convolution(tsr_map **out, uint64_t *out_dims, const tsr_convolution *convolution,
                               int side, tsr_error *err) TSR_NODISCARD;

/* The block of shape `sizes` at offsets known at run time; {rt0} is the offset in dim 0, and so on, each
 * bounded so that the block stays inside. */
tsr_status tsr_map_dynamic_slice(tsr_map **out, tsr_map_direction direction, tsr_shape shape,
                                 const uint64_t *sizes, tsr_error *err) TSR_NODISCARD;

/* An operand of shape dims in which a block of shape `sizes` at offsets known at run time is overwritten: the
 * map of the block. Output to input, output coordinates outside the block give coordinates outside it: only a
 * caller that knows the offsets can exclude them (as in XLA's indexing analysis). */
tsr_status tsr_map_dynamic_update(tsr_map **out, tsr_map_direction direction, tsr_shape shape,
                                  const uint64_t *sizes, tsr_error *err) TSR_NODISCARD;

/* Slices gathered from an operand at starts that an index array gives. Output dims offset[0..noffset) run
 * over the slice, for the operand dims that are not collapsed, in order; the other output dims choose the
 * start. Operand dims with started[i] have a start: their runtime symbols come in the order of the dims.
 * Output to input only. */
typedef struct tsr_gather {
    int ndims, nout, noffset;
    const uint64_t *dims, *out_dims;
    const uint64_t *sizes; /* ndims entries: the shape of the slice; 1 where collapsed */
    const bool *collapsed; /* ndims flags */
    const bool *started;   /* ndims flags */
    const int *offset;     /* noffset output dims, ascending */
} tsr_gather;
tsr_status tsr_map_gather(tsr_map **out, const tsr_gather *gather, tsr_error *err) TSR_NODISCARD;

/* ---- for analyses of several operations ---- */

/* (d0, ..., dn) -> (): the map of a scalar operand, which every output reads. */
tsr_status tsr_map_scalar(tsr_map **out, tsr_shape shape, tsr_error *err) TSR_NODISCARD;
/* () [s0, ..., sn] -> (s0, ..., sn): the map of a scalar that goes to every coordinate of the shape. */
tsr_status tsr_map_everywhere(tsr_map **out, tsr_shape shape, tsr_error *err) TSR_NODISCARD;
/* Whether a result or a constraint uses variable `var`. */
bool tsr_map_uses(const tsr_map *map, int var);
/* The map with only the variables whose flag in keep[] is set (tsr_map_nvars flags); dims stay. TSR_ARGUMENT
 * if a removed variable is used or has an empty range. */
tsr_status tsr_map_keep(tsr_map **out, const tsr_map *map, const bool *keep, tsr_error *err) TSR_NODISCARD;
/* The results and constraints of the map over the variables of `like`: variable v becomes variable at[v] of
 * `like`, a different one for each v; the bounds are those of `like`. */
tsr_status tsr_map_embed(tsr_map **out, const tsr_map *map, const tsr_map *like, const int *at,
                         tsr_error *err) TSR_NODISCARD;
/* The map with variable `var` replaced by the only result of `value`, a map over the same variables (the
 * bounds and constraints of `value` are not added). Points where `value` is outside the bounds of `var` are
 * outside the domain. */
tsr_status tsr_map_substitute(tsr_map **out, const tsr_map *map, int var, const tsr_map *value,
                              tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
