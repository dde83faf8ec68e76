/* Single operations: a table from opcodes to the functions that make their maps. The indexing of an opcode
 * that is not in the table is unknown. */
#include "hlo_internal.h"

#include <string.h>

#include "tsr_alloc.h"

const hlo_shape *hlo_operand_shape(const hlo_query *q, int operand)
{
    return &q->work->hlo->instructions[q->in->operands[operand]].shapes[0];
}

tsr_status hlo_check_output(const hlo_query *q, int n, const uint64_t *dims, tsr_error *err)
{
    bool same = n == q->out->rank;
    for (int d = 0; same && d < n; d++)
        same = dims[d] == q->out->dims[d];
    return same
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT, "the shape of '%.40s' (%.40s) does not follow from its operands",
                          q->in->name, q->in->opcode);
}

static bool same_dims(const hlo_shape *a, const hlo_shape *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof a->dims[0]) == 0;
}

tsr_status hlo_wrong_operands(const hlo_query *q, tsr_error *err)
{
    return tsr_fail(err, TSR_ARGUMENT, "'%.40s' (%.40s) cannot have %d operands", q->in->name, q->in->opcode,
                    q->in->noperands);
}

tsr_status hlo_take_checked(tsr_hlo_indexing *set, const hlo_query *q, tsr_map *map, int n,
                            const uint64_t *dims, tsr_error *err)
{
    const tsr_status status = hlo_check_output(q, n, dims, err);
    if (status == TSR_OK)
        return hlo_take_map(set, map, err);
    tsr_map_free(map);
    return status;
}

tsr_status hlo_take_scalar(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_map *map;
    if (q->operand < q->in->noperands && q->arg->rank != 0)
        return tsr_fail(err, TSR_ARGUMENT, "operand %d of '%.40s' (%.40s) must be a scalar", q->operand,
                        q->in->name, q->in->opcode);
    if (q->direction == TSR_OUTPUT_TO_INPUT)
        TSR_TRY(tsr_map_scalar(&map, hlo_dims(q->out), err));
    else
        TSR_TRY(tsr_map_everywhere(&map, hlo_dims(q->out), err));
    return hlo_take_map(set, map, err);
}

/* ---- operations that move no elements ---- */

static tsr_status identity(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_map *map;
    TSR_TRY(tsr_map_identity(&map, hlo_dims(q->arg), err));
    return hlo_take_checked(set, q, map, q->arg->rank, q->arg->dims, err);
}

/* Each operand has the shape of the output, or is a scalar. */
static tsr_status elementwise(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    return q->arg->rank == 0 && q->out->rank != 0 ? hlo_take_scalar(set, q, err) : identity(set, q, err);
}

/* Bits as another type; if the sizes of the types differ, so do the shapes. */
static tsr_status bitcast_convert(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    return same_dims(q->out, q->arg) ? identity(set, q, err)
                                     : hlo_take_unknown(set, q->in, "to elements of another size", err);
}

static tsr_status tuple(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    return q->output == q->operand ? identity(set, q, err) : TSR_OK;
}

static tsr_status get_tuple_element(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    int64_t index;
    const hlo_instruction *from = &q->work->hlo->instructions[q->in->operands[0]];
    TSR_TRY(hlo_int(&index, 0, q->in, "index", err));
    if (index >= from->noutputs || !same_dims(&from->shapes[index], q->out))
        return tsr_fail(err, TSR_ARGUMENT,
                        "'%.40s' takes member %lld of a tuple, but no such member has its shape", q->in->name,
                        (long long)index);
    tsr_map *map;
    TSR_TRY(tsr_map_identity(&map, hlo_dims(q->out), err));
    return hlo_take_map(set, map, err);
}

/* ---- operations that move elements ---- */

static tsr_status transpose(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    int perm[TSR_XLA_MAX_RANK], n;
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_map *map;
    TSR_TRY(hlo_dim_list(perm, &n, q->arg->rank, q->in, "dimensions", err));
    if (n != q->arg->rank)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' permutes %d dims, but its operand has %d", q->in->name, n,
                        q->arg->rank);
    TSR_TRY(tsr_map_transpose(&map, dims, q->direction, (tsr_shape){n, q->arg->dims}, perm, err));
    return hlo_take_checked(set, q, map, n, dims, err);
}

static tsr_status flags(bool *out, const hlo_query *q, int rank, const char *name, tsr_error *err)
{
    int list[TSR_XLA_MAX_RANK], n;
    TSR_TRY(hlo_dim_list(list, &n, rank, q->in, name, err));
    memset(out, 0, TSR_XLA_MAX_RANK * sizeof *out);
    for (int i = 0; i < n; i++)
        out[list[i]] = true;
    return TSR_OK;
}

static tsr_status reverse(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    bool reversed[TSR_XLA_MAX_RANK];
    tsr_map *map;
    TSR_TRY(flags(reversed, q, q->arg->rank, "dimensions", err));
    TSR_TRY(tsr_map_reverse(&map, hlo_dims(q->arg), reversed, err));
    return hlo_take_checked(set, q, map, q->arg->rank, q->arg->dims, err);
}

static tsr_status slice(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_slice slices[TSR_XLA_MAX_RANK];
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_map *map;
    TSR_TRY(hlo_slices(slices, q->arg->rank, q->in, err));
    TSR_TRY(tsr_map_slice(&map, dims, q->direction, hlo_dims(q->arg), slices, err));
    return hlo_take_checked(set, q, map, q->arg->rank, dims, err);
}

static tsr_status pad(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_padding pads[TSR_XLA_MAX_RANK];
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_map *map;
    if (q->operand == 1)
        return hlo_take_scalar(set, q, err);
    TSR_TRY(hlo_paddings(pads, q->arg->rank, q->in, err));
    TSR_TRY(tsr_map_pad(&map, dims, q->direction, hlo_dims(q->arg), pads, err));
    return hlo_take_checked(set, q, map, q->arg->rank, dims, err);
}

static tsr_status reshape(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_map *map;
    TSR_TRY(tsr_map_reshape(&map, q->direction, hlo_dims(q->arg), hlo_dims(q->out), err));
    return hlo_take_map(set, map, err);
}

/* The map from the logical coordinates of a shape to those in memory, major to minor, or the reverse. */
static tsr_status physical_order(tsr_map **out, const hlo_shape *shape, bool back, tsr_error *err)
{
    int perm[TSR_XLA_MAX_RANK];
    for (int d = 0; d < shape->rank; d++)
        perm[d] = shape->order[shape->rank - 1 - d];
    return tsr_map_transpose(out, NULL, back ? TSR_OUTPUT_TO_INPUT : TSR_INPUT_TO_OUTPUT, hlo_dims(shape),
                             perm, err);
}

static void physical_dims(uint64_t *dims, const hlo_shape *shape)
{
    for (int d = 0; d < shape->rank; d++)
        dims[d] = shape->dims[shape->order[shape->rank - 1 - d]];
}

/* *map = `outer` after *map, simplified; outer is freed. */
static tsr_status append(tsr_map **map, tsr_map *outer, tsr_error *err)
{
    tsr_map *inner = *map, *both;
    *map = NULL;
    tsr_status status = tsr_map_compose(&both, outer, inner, err);
    if (status == TSR_OK)
        status = tsr_map_simplify(map, both, err);
    tsr_map_free(both);
    tsr_map_free(inner);
    tsr_map_free(outer);
    return status;
}

/* The same bytes with another shape and layout: to memory, reshape, and back. */
static tsr_status bitcast(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    if (q->out->tiled || q->arg->tiled)
        return hlo_take_unknown(set, q->in, "of a tiled layout", err);
    const bool back = q->direction == TSR_OUTPUT_TO_INPUT;
    uint64_t in_dims[TSR_XLA_MAX_RANK], out_dims[TSR_XLA_MAX_RANK];
    tsr_map *map = NULL, *step;
    tsr_status status;
    physical_dims(in_dims, q->arg);
    physical_dims(out_dims, q->out);
    TSR_TRY(physical_order(&map, back ? q->out : q->arg, false, err));
    TSR_TRY_OUT(tsr_map_reshape(&step, q->direction, (tsr_shape){q->arg->rank, in_dims},
                                (tsr_shape){q->out->rank, out_dims}, err));
    TSR_TRY_OUT(append(&map, step, err));
    TSR_TRY_OUT(physical_order(&step, back ? q->arg : q->out, true, err));
    TSR_TRY_OUT(append(&map, step, err));
    return hlo_take_map(set, map, err);
out:
    tsr_map_free(map);
    return status;
}

static tsr_status broadcast(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    int at[TSR_XLA_MAX_RANK], n;
    tsr_map *map;
    TSR_TRY(hlo_dim_list(at, &n, q->out->rank, q->in, "dimensions", err));
    if (n != q->arg->rank)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' places %d dims, but its operand has %d", q->in->name, n,
                        q->arg->rank);
    TSR_TRY(tsr_map_broadcast(&map, q->direction, (tsr_shape){n, q->arg->dims}, hlo_dims(q->out), at, err));
    return hlo_take_map(set, map, err);
}

/* Parse dimensions={dim} with dim < `rank`. */
static tsr_status one_dim(int *dim, const hlo_query *q, int rank, tsr_error *err)
{
    int dims[TSR_XLA_MAX_RANK] = {0}, n;
    TSR_TRY(hlo_dim_list(dims, &n, rank, q->in, "dimensions", err));
    *dim = dims[0];
    return n == 1 ? TSR_OK
                  : tsr_fail(err, TSR_ARGUMENT, "'%.40s' (%.40s) needs dimensions={dim}", q->in->name,
                             q->in->opcode);
}

static tsr_status concatenate(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    int axis;
    uint64_t dims[TSR_XLA_MAX_RANK], before = 0, total = 0;
    tsr_map *map;
    TSR_TRY(one_dim(&axis, q, q->out->rank, err));
    for (int i = 0; i < q->in->noperands; i++) {
        const hlo_shape *shape = hlo_operand_shape(q, i);
        if (shape->rank != q->out->rank || shape->dims[axis] > INT64_MAX - total)
            return hlo_check_output(q, shape->rank, (const uint64_t[TSR_XLA_MAX_RANK]){0}, err);
        before = i == q->operand ? total : before;
        total += shape->dims[axis];
    }
    TSR_TRY(
        tsr_map_concat(&map, dims, q->direction, hlo_dims(q->arg), &(tsr_concat){axis, before, total}, err));
    return hlo_take_checked(set, q, map, q->arg->rank, dims, err);
}

/* Reduce: n inputs, then n scalars. */
static tsr_status reduce(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    bool reduced[TSR_XLA_MAX_RANK];
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_map *map;
    if (q->in->noperands % 2 != 0)
        return hlo_wrong_operands(q, err);
    if (q->operand >= q->in->noperands / 2)
        return hlo_take_scalar(set, q, err);
    TSR_TRY(flags(reduced, q, q->arg->rank, "dimensions", err));
    TSR_TRY(tsr_map_reduce(&map, dims, q->direction, hlo_dims(q->arg), reduced, err));
    return hlo_take_checked(set, q, map, tsr_map_out_ndims(map, q->direction), dims, err);
}

/* ---- products ---- */

typedef struct dot_lists {
    int lists[4][TSR_XLA_MAX_RANK];
    tsr_dot dot;
} dot_lists;

static tsr_status read_dot(dot_lists *d, const hlo_query *q, tsr_error *err)
{
    static const char *const names[] = {"lhs_batch_dims", "rhs_batch_dims", "lhs_contracting_dims",
                                        "rhs_contracting_dims"};
    const hlo_shape *left = hlo_operand_shape(q, 0), *right = hlo_operand_shape(q, 1);
    int n[4];
    for (int i = 0; i < 4; i++)
        TSR_TRY(hlo_dim_list(d->lists[i], &n[i], i % 2 ? right->rank : left->rank, q->in, names[i], err));
    if (n[0] != n[1] || n[2] != n[3])
        return tsr_fail(err, TSR_ARGUMENT,
                        "'%.40s' pairs %d batch dims with %d, and %d contracted dims with %d", q->in->name,
                        n[0], n[1], n[2], n[3]);
    d->dot = (tsr_dot){.nleft = left->rank,
                       .nright = right->rank,
                       .nbatch = n[0],
                       .ncontracted = n[2],
                       .left = left->dims,
                       .right = right->dims,
                       .left_batch = d->lists[0],
                       .right_batch = d->lists[1],
                       .left_contracted = d->lists[2],
                       .right_contracted = d->lists[3]};
    return TSR_OK;
}

static tsr_status dot_map(tsr_map **out, const hlo_query *q, int side, tsr_error *err)
{
    dot_lists d;
    uint64_t dims[2 * TSR_XLA_MAX_RANK];
    *out = NULL;
    TSR_TRY(read_dot(&d, q, err));
    TSR_TRY(tsr_map_dot(out, dims, q->direction, &d.dot, side, err));
    const tsr_status status = hlo_check_output(q, tsr_map_out_ndims(*out, q->direction), dims, err);
    if (status != TSR_OK) {
        tsr_map_free(*out);
        *out = NULL;
    }
    return status;
}

static tsr_status dot(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_map *map;
    TSR_TRY(dot_map(&map, q, q->operand, err));
    return hlo_take_map(set, map, err);
}

/* The map from the coordinates of an operand to those of its scales: one scale covers a run of elements in
 * each dim. */
static tsr_status scale_map(tsr_map **out, const hlo_query *q, const hlo_shape *side, tsr_error *err)
{
    tsr_map_builder *builder;
    const tsr_linear *x[TSR_XLA_MAX_RANK];
    *out = NULL;
    for (int d = 0; d < side->rank; d++)
        if (q->arg->rank != side->rank || q->arg->dims[d] == 0 || side->dims[d] % q->arg->dims[d] != 0)
            return tsr_fail(err, TSR_ARGUMENT,
                            "the scales in '%.40s' do not divide the dims of their operand", q->in->name);
    TSR_TRY(tsr_map_builder_new(&builder, side->rank, NULL, err));
    for (int d = 0; d < side->rank; d++) {
        const int64_t n = (int64_t)side->dims[d];
        tsr_map_build_bound(builder, d, 0, n - 1);
        x[d] = tsr_map_build_floordiv(builder, tsr_map_build_var(builder, d),
                                      n == 0 ? 1 : n / (int64_t)q->arg->dims[d]);
    }
    return tsr_map_build_finish(out, builder, side->rank, x, err);
}

/* Scaled dot: two operands, then their scales. */
static tsr_status scaled_dot(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_map *map, *scale;
    if (q->operand >= 2 && q->arg->rank == 0)
        return hlo_take_scalar(set, q, err);
    if (q->operand >= 2 && q->direction == TSR_INPUT_TO_OUTPUT)
        return hlo_take_unknown(set, q->in, "from scales to the output", err);
    TSR_TRY(dot_map(&map, q, q->operand % 2, err));
    if (q->operand >= 2) {
        tsr_status status = scale_map(&scale, q, hlo_operand_shape(q, q->operand % 2), err);
        if (status == TSR_OK)
            status = append(&map, scale, err);
        if (status != TSR_OK) {
            tsr_map_free(map);
            return status;
        }
    }
    return hlo_take_map(set, map, err);
}

/* ---- scan, all-gather ---- */

/* Scan: the operands are inputs, then carries; the outputs are outputs, then the last values of the
 * carries. */
static tsr_status scan(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    int64_t ncarries;
    int dim;
    bool reduced[TSR_XLA_MAX_RANK] = {0};
    tsr_map *map;
    TSR_TRY(hlo_int(&ncarries, q->in->noperands / 2, q->in, "num_carries", err));
    if (ncarries > q->in->noperands || ncarries > q->in->noutputs)
        return hlo_wrong_operands(q, err);
    const int ninputs = q->in->noperands - (int)ncarries, nscanned = q->in->noutputs - (int)ncarries;
    const bool input = q->operand < ninputs, scanned = q->output < nscanned;
    const hlo_shape *shape = input ? q->arg : q->out; /* the shape that has the scanned dim */
    if (!input && !scanned) /* a carry depends on the carries; on its own initial value along the whole dim */
        return elementwise(set, q, err);
    TSR_TRY(one_dim(&dim, q, shape->rank, err));
    reduced[dim] = true;
    if (input && scanned) {
        TSR_TRY(tsr_map_scan(&map, q->direction, hlo_dims(shape), dim, hlo_flag(q->in, "is_reverse"), err));
        return hlo_take_checked(set, q, map, shape->rank, shape->dims, err);
    }
    uint64_t dims[TSR_XLA_MAX_RANK];
    if (input) { /* the last value of a carry depends on all elements */
        TSR_TRY(tsr_map_reduce(&map, dims, q->direction, hlo_dims(shape), reduced, err));
        return hlo_take_checked(set, q, map, tsr_map_out_ndims(map, q->direction), dims, err);
    }
    /* an initial carry is read along the whole dim: a reduction in the opposite direction */
    const tsr_map_direction other =
        q->direction == TSR_OUTPUT_TO_INPUT ? TSR_INPUT_TO_OUTPUT : TSR_OUTPUT_TO_INPUT;
    TSR_TRY(tsr_map_reduce(&map, dims, other, hlo_dims(shape), reduced, err));
    const int n = tsr_map_out_ndims(map, other);
    if (n != q->arg->rank || memcmp(dims, q->arg->dims, (size_t)n * sizeof *dims) != 0) {
        tsr_map_free(map);
        return tsr_fail(err, TSR_ARGUMENT,
                        "operand %d of '%.40s' (scan) does not have the shape of the carry", q->operand,
                        q->in->name);
    }
    return hlo_take_map(set, map, err);
}

/* All-gather: the operand of every replica is a part of the output along one dim. */
static tsr_status all_gather(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    int axis;
    tsr_hlo_index index = {0};
    TSR_TRY(one_dim(&axis, q, q->out->rank, err));
    if (q->in->noperands != 1 || q->direction != TSR_OUTPUT_TO_INPUT)
        return hlo_take_unknown(set, q->in, "of several operands, or from one to its output", err);
    if (q->arg->rank != q->out->rank)
        return hlo_check_output(q, q->arg->rank, q->arg->dims, err);
    const uint64_t part = q->arg->dims[axis], whole = q->out->dims[axis];
    uint64_t dims[TSR_XLA_MAX_RANK];
    memcpy(dims, q->arg->dims, sizeof dims);
    dims[axis] = whole;
    TSR_TRY(hlo_check_output(q, q->arg->rank, dims, err));
    if (part == 0 || whole % part != 0)
        return tsr_fail(err, TSR_ARGUMENT, "the output of '%.40s' is not a whole number of operands",
                        q->in->name);
    tsr_map_builder *builders[2] = {0};
    const tsr_linear *x[TSR_XLA_MAX_RANK];
    tsr_status status = TSR_OK;
    for (int b = 0; b < 2 && status == TSR_OK; b++) {
        status = tsr_map_builder_new(&builders[b], q->out->rank, NULL, err);
        for (int d = 0; status == TSR_OK && d < q->out->rank; d++) {
            tsr_map_build_bound(builders[b], d, 0, (int64_t)q->out->dims[d] - 1);
            x[d] = tsr_map_build_var(builders[b], d);
        }
        if (status != TSR_OK)
            break;
        if (b == 0) {
            x[axis] = tsr_map_build_mod(builders[b], x[axis], (int64_t)part);
            status = tsr_map_build_finish(&index.map, builders[b], q->out->rank, x, err);
        } else {
            x[0] = tsr_map_build_floordiv(builders[b], tsr_map_build_var(builders[b], axis), (int64_t)part);
            status = tsr_map_build_finish(&index.replica, builders[b], 1, x, err);
        }
    }
    if (status != TSR_OK) {
        hlo_index_clear(&index);
        return status;
    }
    return hlo_take(set, &index, err);
}

/* ---- the table of operations ---- */

typedef struct hlo_op {
    const char *opcode;
    hlo_answer *answer;
    int min_operands, max_operands; /* max 0: no limit */
} hlo_op;

static const hlo_op ops[] = {
    {"all-gather", all_gather, 1, 0},
    {"bitcast", bitcast, 1, 1},
    {"bitcast-convert", bitcast_convert, 1, 1},
    {"broadcast", broadcast, 1, 1},
    {"call", hlo_fusion, 0, 0},
    {"concatenate", concatenate, 1, 0},
    {"convolution", hlo_convolution, 2, 2},
    {"dot", dot, 2, 2},
    {"dynamic-slice", hlo_dynamic_slice, 1, 0},
    {"dynamic-update-slice", hlo_dynamic_update, 2, 0},
    {"fusion", hlo_fusion, 0, 0},
    {"gather", hlo_gather, 2, 2},
    {"get-tuple-element", get_tuple_element, 1, 1},
    {"pad", pad, 2, 2},
    {"reduce", reduce, 2, 0},
    {"reduce-window", hlo_reduce_window, 2, 0},
    {"reshape", reshape, 1, 1},
    {"reverse", reverse, 1, 1},
    {"scaled-dot", scaled_dot, 4, 4},
    {"scan", scan, 1, 0},
    {"slice", slice, 1, 1},
    {"transpose", transpose, 1, 1},
    {"tuple", tuple, 0, 0},
};

/* Operations that compute each element of the output from the elements of the operands at the same
 * coordinates. */
static const char *const elementwise_opcodes[] = {
    "abs",
    "add",
    "and",
    "atan2",
    "cbrt",
    "ceil",
    "clamp",
    "compare",
    "complex",
    "convert",
    "copy",
    "cosine",
    "count-leading-zeros",
    "divide",
    "erf",
    "exponential",
    "exponential-minus-one",
    "floor",
    "imag",
    "is-finite",
    "log",
    "log-plus-one",
    "logistic",
    "map",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "popcnt",
    "power",
    "real",
    "reduce-precision",
    "remainder",
    "round-nearest-afz",
    "round-nearest-even",
    "rsqrt",
    "select",
    "shift-left",
    "shift-right-arithmetic",
    "shift-right-logical",
    "sign",
    "sine",
    "sqrt",
    "stochastic-convert",
    "subtract",
    "tan",
    "tanh",
    "xor",
};

static const hlo_op *find_op(const char *opcode)
{
    static const hlo_op same_place = {NULL, elementwise, 1, 0};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(ops[i].opcode, opcode) == 0)
            return &ops[i];
    for (size_t i = 0; i < sizeof elementwise_opcodes / sizeof elementwise_opcodes[0]; i++)
        if (strcmp(elementwise_opcodes[i], opcode) == 0)
            return &same_place;
    return NULL;
}

tsr_status hlo_indexing_of(tsr_hlo_indexing *set, hlo_work *work, tsr_hlo_edge edge,
                           tsr_map_direction direction, tsr_error *err)
{
    const hlo_instruction *in = &work->hlo->instructions[edge.instruction];
    const hlo_op *op = find_op(in->opcode);
    hlo_query q = {.work = work,
                   .in = in,
                   .direction = direction,
                   .output = edge.output,
                   .operand = edge.operand,
                   .out = &in->shapes[edge.output]};
    if (in->noperands == 0)
        return hlo_take_scalar(set, &q, err); /* the operand is a scalar */
    if (!op)
        return hlo_take_unknown(set, in, "no maps are known", err);
    if (in->noperands < op->min_operands || (op->max_operands > 0 && in->noperands > op->max_operands))
        return hlo_wrong_operands(&q, err);
    if (op->answer != get_tuple_element && op->answer != hlo_fusion)
        for (int i = 0; i < in->noperands; i++)
            if (work->hlo->instructions[in->operands[i]].noutputs != 1)
                return tsr_fail(err, TSR_ARGUMENT, "operand %d of '%.40s' (%.40s) is a tuple", i, in->name,
                                in->opcode);
    if (work->hlo->instructions[in->operands[edge.operand]].noutputs > 0)
        q.arg = hlo_operand_shape(&q, edge.operand);
    return op->answer(set, &q, err);
}

/* ---- public functions ---- */

static tsr_status check_place(const tsr_hlo *hlo, tsr_hlo_edge edge, tsr_error *err)
{
    const int instruction = edge.instruction, output = edge.output, operand = edge.operand;
    if (instruction < 0 || instruction >= hlo->ninstructions)
        return tsr_fail(err, TSR_ARGUMENT, "there are %d instructions, so instruction %d does not exist",
                        hlo->ninstructions, instruction);
    const hlo_instruction *in = &hlo->instructions[instruction];
    if (output < 0 || output >= in->noutputs)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' has %d outputs, so there is no output %d", in->name,
                        in->noutputs, output);
    if (operand < 0 || operand >= (in->noperands > 0 ? in->noperands : 1))
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' has %d operands, so there is no operand %d", in->name,
                        in->noperands, operand);
    if (in->noperands > 0 && hlo->instructions[in->operands[operand]].noutputs == 0)
        return tsr_fail(err, TSR_ARGUMENT, "operand %d of '%.40s' is an empty tuple", operand, in->name);
    return TSR_OK;
}

/* Change every map of the set to physical coordinates. */
static tsr_status to_physical(tsr_hlo_indexing *out, hlo_work *work, const tsr_hlo_indexing *logical,
                              const hlo_shape *from, const hlo_shape *to, tsr_error *err)
{
    tsr_hlo_index before = {0}, after = {0}, half = {0}, whole = {0};
    tsr_status status;
    TSR_TRY_OUT(physical_order(&before.map, from, true, err));
    TSR_TRY_OUT(physical_order(&after.map, to, false, err));
    for (int i = 0; i < logical->n; i++) {
        TSR_TRY_OUT(hlo_compose(&half, work, &logical->index[i], &before, err));
        TSR_TRY_OUT(hlo_compose(&whole, work, &after, &half, err));
        TSR_TRY_OUT(hlo_take(out, &whole, err));
        hlo_index_clear(&half);
    }
    status = TSR_OK;
out:
    hlo_index_clear(&before);
    hlo_index_clear(&after);
    hlo_index_clear(&half);
    return status;
}

static tsr_status between(tsr_hlo_indexing *out, const tsr_hlo *hlo, tsr_hlo_edge edge,
                          tsr_map_direction direction, bool physical, tsr_error *err)
{
    hlo_work work = {.hlo = hlo, .budget = HLO_BUDGET};
    *out = (tsr_hlo_indexing){0};
    TSR_TRY(check_place(hlo, edge, err));
    const hlo_instruction *in = &hlo->instructions[edge.instruction];
    const hlo_instruction *arg = in->noperands > 0 ? &hlo->instructions[in->operands[edge.operand]] : NULL;
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    tsr_hlo_indexing raw = {0}, refined = {0};
    tsr_hlo_index one = {0};
    tsr_status status;
    TSR_TRY_OUT(hlo_indexing_of(&raw, &work, edge, direction, err));
    for (int i = 0; i < raw.n; i++) {
        TSR_TRY_OUT(hlo_copy(&one, &raw.index[i], err));
        TSR_TRY_OUT(hlo_refine(&one, &work, err));
        TSR_TRY_OUT(hlo_take(&refined, &one, err));
    }
    if (physical && arg) {
        const hlo_shape *read = &arg->shapes[0], *made = &in->shapes[edge.output];
        TSR_TRY_OUT(to_physical(out, &work, &refined, back ? made : read, back ? read : made, err));
    } else {
        *out = refined;
        refined = (tsr_hlo_indexing){0};
    }
    status = TSR_OK;
out:
    hlo_index_clear(&one);
    tsr_hlo_indexing_clear(&raw);
    tsr_hlo_indexing_clear(&refined);
    if (status != TSR_OK)
        tsr_hlo_indexing_clear(out);
    return status;
}

tsr_status tsr_hlo_output_to_input(tsr_hlo_indexing *out, const tsr_hlo *hlo, tsr_hlo_edge edge,
                                   bool physical, tsr_error *err)
{
    return between(out, hlo, edge, TSR_OUTPUT_TO_INPUT, physical, err);
}

tsr_status tsr_hlo_input_to_output(tsr_hlo_indexing *out, const tsr_hlo *hlo, tsr_hlo_edge edge,
                                   bool physical, tsr_error *err)
{
    return between(out, hlo, edge, TSR_INPUT_TO_OUTPUT, physical, err);
}
