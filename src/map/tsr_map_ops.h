/* Tensor operations as index maps, in both directions.
 *
 * Output to input: dims are the output's coordinates, results those of the operand that are read there.
 * Input to output: dims are the operand's coordinates, results those of the output that they go to.
 * The domain holds just the coordinates that have a partner on the other side: dims are bounded by their
 * tensor's shape and narrowed where whole ranges have none; constraints do the rest. Where one coordinate has
 * several partners, range symbols [s0] run over them; where a partner is known only when the program runs,
 * runtime symbols {rt0} stand for what is then given.
 *
 * Every constructor takes the operand's shape, dims[0..ndims); out_dims, where there is one, receives the
 * output's shape and may be NULL. Shapes with a dim of 0 give maps with an empty domain.
 * TSR_ARGUMENT for arguments that do not fit together, TSR_LIMIT for dims or products over 2^63 - 1 and for
 * more than TSR_MAP_MAX_VARS variables. */
#ifndef TSR_MAP_OPS_H
#define TSR_MAP_OPS_H

#include "tsr_map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_map_direction { TSR_OUTPUT_TO_INPUT, TSR_INPUT_TO_OUTPUT } tsr_map_direction;

/* Both shapes the same: (d0, d1) -> (d0, d1). */
tsr_status tsr_map_identity(tsr_map **out, int ndims, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

/* Output dim i is operand dim perm[i]: out_dims[i] = dims[perm[i]]. */
tsr_status tsr_map_transpose(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, int ndims,
                             const uint64_t *dims, const int *perm, tsr_error *err) TSR_NODISCARD;

/* Reversed dims run backwards; the map is its own inverse. reversed: ndims flags. */
tsr_status tsr_map_reverse(tsr_map **out, int ndims, const uint64_t *dims, const bool *reversed,
                           tsr_error *err) TSR_NODISCARD;

/* start, start + stride, ... while under limit; start <= limit <= dim, stride >= 1. */
typedef struct tsr_slice {
    uint64_t start, limit, stride;
} tsr_slice;
tsr_status tsr_map_slice(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, int ndims,
                         const uint64_t *dims, const tsr_slice *slices, tsr_error *err) TSR_NODISCARD;

/* `interior` cells between neighbours, then `low` before the first and `high` after the last; negative low
 * and high cut off. out_dims[i] = low + high + dim + (dim - 1) * interior, which may not be negative. */
typedef struct tsr_padding {
    int64_t low, high;
    uint64_t interior;
} tsr_padding;
tsr_status tsr_map_pad(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, int ndims,
                       const uint64_t *dims, const tsr_padding *paddings, tsr_error *err) TSR_NODISCARD;

/* The same entries in row-major order under another shape of as many entries. The map is simplified: runs of
 * dims that only split, join or stay do so in the map. */
tsr_status tsr_map_reshape(tsr_map **out, tsr_map_direction direction, int ndims, const uint64_t *dims,
                           int nout, const uint64_t *out_dims, tsr_error *err) TSR_NODISCARD;

/* Operand dim i is output dim at[i], all different and dims[i] = out_dims[at[i]]; the rest are repetitions.
 */
tsr_status tsr_map_broadcast(tsr_map **out, tsr_map_direction direction, int ndims, const uint64_t *dims,
                             int nout, const uint64_t *out_dims, const int *at, tsr_error *err) TSR_NODISCARD;

/* Operand k of a concatenation along dim `axis`: `before` = the sum of that dim over the operands before it,
 * `total` = over all of them. dims: the shape of operand k. */
tsr_status tsr_map_concat(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, int ndims,
                          const uint64_t *dims, int axis, uint64_t before, uint64_t total,
                          tsr_error *err) TSR_NODISCARD;

/* The dims whose flag is set are summed (or whatever) away: output to input they are range symbols.
 * *nout: the output's number of dims (may be NULL). */
tsr_status tsr_map_reduce(tsr_map **out, int *nout, uint64_t *out_dims, tsr_map_direction direction,
                          int ndims, const uint64_t *dims, const bool *reduced, tsr_error *err) TSR_NODISCARD;

/* Running sums (or whatever) along dim `dim`: an output is made of the entries up to its own place,
 * backwards: from there on. */
tsr_status tsr_map_scan(tsr_map **out, tsr_map_direction direction, int ndims, const uint64_t *dims, int dim,
                        bool backwards, tsr_error *err) TSR_NODISCARD;

/* One side of a product of tensors. Output dims are the batch dims, then the left operand's free dims, then
 * the right one's. A side's dim is batch (paired with the other side's, in the order of the lists),
 * contracted (the same), or free. `left` first, `right` second; `side`: 0 for the map of the left one. */
typedef struct tsr_dot {
    int nleft, nright, nbatch, ncontracted;
    const uint64_t *left, *right;                  /* shapes */
    const int *left_batch, *right_batch;           /* nbatch dims each */
    const int *left_contracted, *right_contracted; /* ncontracted dims each */
} tsr_dot;
tsr_status tsr_map_dot(tsr_map **out, int *nout, uint64_t *out_dims, tsr_map_direction direction,
                       const tsr_dot *dot, int side, tsr_error *err) TSR_NODISCARD;

/* A window that slides over one dim. All zero is the window of one cell that does nothing; a 0 of size,
 * stride or a dilation means 1. The operand is first dilated (base_dilation - 1 cells between neighbours) and
 * padded, then cell s of the window at output d reads d * stride + s * window_dilation. */
typedef struct tsr_index_window {
    uint64_t size, stride, base_dilation, window_dilation;
    int64_t low, high;
    bool reversed; /* a convolution meets the kernel's cells backwards */
} tsr_index_window;
/* What a reduction over windows reads; range symbols run over the windows' cells (dims of size 1 have none).
 * The output is defined everywhere; the domain leaves out the cells that lie in the padding. */
tsr_status tsr_map_reduce_window(tsr_map **out, uint64_t *out_dims, tsr_map_direction direction, int ndims,
                                 const uint64_t *dims, const tsr_index_window *windows,
                                 tsr_error *err) TSR_NODISCARD;

/* A convolution of a `base` with a `kernel`, nspatial dims and two more in each, output too. The lists say
 * which dims are which: base batch and feature, kernel input and output feature, output batch and feature,
 * and the spatial dims of each in the order of the windows (whose sizes are the kernel's, whatever they say).
 * Input features come in feature_groups groups, each for its group of output features. batch_groups groups of
 * the batch are read for one output: a range symbol of its own runs over them, after the windows' symbols and
 * that of the input feature. Groups of 0 mean 1, and only one of the two may be over 1. */
typedef struct tsr_convolution {
    int nspatial;
    const uint64_t *base, *kernel; /* shapes, nspatial + 2 dims each */
    const tsr_index_window *windows;     /* nspatial */
    int base_batch, base_feature, kernel_input, kernel_output, out_batch, out_feature;
    const int *base_spatial, *kernel_spatial, *out_spatial; /* nspatial each */
    uint64_t feature_groups, batch_groups;
} tsr_convolution;
/* Output to input only: of the base (side 0), or of the kernel (side 1, whose cells are read for padding
 * too). */
tsr_status tsr_map_convolution(tsr_map **out, uint64_t *out_dims, const tsr_convolution *convolution,
                               int side, tsr_error *err) TSR_NODISCARD;

/* The block of shape `sizes` at offsets known when the program runs; {rt0} is that of dim 0, and so on, each
 * such that the block stays inside. */
tsr_status tsr_map_dynamic_slice(tsr_map **out, tsr_map_direction direction, int ndims, const uint64_t *dims,
                                 const uint64_t *sizes, tsr_error *err) TSR_NODISCARD;

/* An operand of shape dims with a block of shape `sizes` overwritten at offsets known when the program runs.
 * The map of the block. Output to input, output coordinates outside the block give coordinates outside it:
 * that is left to whoever knows the offsets (as in XLA's indexing analysis). */
tsr_status tsr_map_dynamic_update(tsr_map **out, tsr_map_direction direction, int ndims, const uint64_t *dims,
                                  const uint64_t *sizes, tsr_error *err) TSR_NODISCARD;

/* Slices gathered from an operand at starts that an array of indices gives. Output dims offset[0..noffset)
 * run over the slice, for the operand's dims that are not collapsed, in order; the others choose the start.
 * Starts exist for the operand dims with started[i]: their runtime symbols come in the order of the dims.
 * Output to input only. */
typedef struct tsr_gather {
    int ndims, nout, noffset;
    const uint64_t *dims, *out_dims;
    const uint64_t *sizes; /* ndims: the slice; 1 where collapsed */
    const bool *collapsed; /* ndims */
    const bool *started;   /* ndims */
    const int *offset;     /* noffset output dims, rising */
} tsr_gather;
tsr_status tsr_map_gather(tsr_map **out, const tsr_gather *gather, tsr_error *err) TSR_NODISCARD;

/* ---- what analyses of several operations need ---- */

/* (d0, ..., dn) -> (): an operand without dims, read for every output. */
tsr_status tsr_map_scalar(tsr_map **out, int ndims, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* () [s0, ..., sn] -> (s0, ..., sn): what becomes every coordinate of the shape. */
tsr_status tsr_map_everywhere(tsr_map **out, int ndims, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* Whether a result or a constraint uses variable `var`. */
bool tsr_map_uses(const tsr_map *map, int var);
/* The map with only the variables that keep[] says (tsr_map_nvars entries); dims stay. TSR_ARGUMENT when one
 * that goes is used, or has no values. */
tsr_status tsr_map_keep(tsr_map **out, const tsr_map *map, const bool *keep, tsr_error *err) TSR_NODISCARD;
/* The map's results and constraints over the variables of `like`: variable v is like's variable at[v], a
 * different one for each; the bounds are like's. */
tsr_status tsr_map_embed(tsr_map **out, const tsr_map *map, const tsr_map *like, const int *at,
                         tsr_error *err) TSR_NODISCARD;
/* The map with variable `var` replaced by the only result of `value`, a map over the same variables (its
 * bounds and constraints are not taken over). Values outside var's bounds are outside the domain. */
tsr_status tsr_map_substitute(tsr_map **out, const tsr_map *map, int var, const tsr_map *value,
                              tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
