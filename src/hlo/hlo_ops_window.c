/* Operations with windows, and operations whose offsets are operands. */
#include "hlo_internal.h"

#include <string.h>

#include "tsr_alloc.h"

/* Reduce-window: n inputs, then n scalars. */
tsr_status hlo_reduce_window(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    tsr_index_window windows[TSR_XLA_MAX_RANK];
    uint64_t dims[TSR_XLA_MAX_RANK];
    tsr_map *map;
    if (q->in->noperands % 2 != 0)
        return hlo_wrong_operands(q, err);
    if (q->operand >= q->in->noperands / 2)
        return hlo_take_scalar(set, q, err);
    TSR_TRY(hlo_windows(windows, q->arg->rank, q->in, err));
    TSR_TRY(tsr_map_reduce_window(&map, dims, q->direction, hlo_dims(q->arg), windows, err));
    return hlo_take_checked(set, q, map, q->arg->rank, dims, err);
}

tsr_status hlo_convolution(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    const hlo_shape *base = hlo_operand_shape(q, 0), *kernel = hlo_operand_shape(q, 1);
    tsr_index_window windows[TSR_XLA_MAX_RANK];
    uint64_t dims[TSR_XLA_MAX_RANK];
    int at[3][TSR_XLA_MAX_RANK];
    int64_t features, batches;
    tsr_map *map;
    if (q->direction != TSR_OUTPUT_TO_INPUT)
        return hlo_take_unknown(set, q->in, "from an operand to the output", err);
    if (base->rank < 2 || base->rank != kernel->rank)
        return tsr_fail(err, TSR_ARGUMENT,
                        "'%.40s' (convolution) needs two operands with the same number of dims, at least 2",
                        q->in->name);
    tsr_convolution c = {
        .nspatial = base->rank - 2, .base = base->dims, .kernel = kernel->dims, .windows = windows};
    TSR_TRY(hlo_windows(windows, c.nspatial, q->in, err));
    TSR_TRY(hlo_dim_labels(&c, at[0], at[1], at[2], q->in, err));
    TSR_TRY(hlo_int(&features, 1, q->in, "feature_group_count", err));
    TSR_TRY(hlo_int(&batches, 1, q->in, "batch_group_count", err));
    c.feature_groups = (uint64_t)features;
    c.batch_groups = (uint64_t)batches;
    for (int i = 0; i < c.nspatial; i++)
        if (windows[i].size != 0 && windows[i].size != kernel->dims[at[1][i]])
            return tsr_fail(err, TSR_ARGUMENT, "the window of '%.40s' must have the size of the kernel",
                            q->in->name);
    TSR_TRY(tsr_map_convolution(&map, dims, &c, q->operand, err));
    return hlo_take_checked(set, q, map, base->rank, dims, err);
}

/* ---- offsets known at run time ---- */

/* Move `map` with its runtime symbols into the set: symbol r is read from instruction from[r] at places[r], a
 * map over the first variables of `map`, or over its dims. The places are freed on failure, too. */
static tsr_status take_runtime(tsr_hlo_indexing *set, tsr_map *map, int n, const int *from, tsr_map **places,
                               tsr_error *err)
{
    tsr_hlo_index index = {.map = map};
    int at[TSR_MAP_MAX_VARS];
    void *block;
    tsr_status status =
        tsr_alloc_array(&block, (uint64_t)n, sizeof *index.runtime, 1, "runtime symbols", err);
    index.runtime = block;
    index.nruntime = status == TSR_OK ? n : 0;
    for (int v = 0; v < TSR_MAP_MAX_VARS; v++)
        at[v] = v;
    for (int r = 0; r < n; r++) {
        if (status == TSR_OK) {
            index.runtime[r].instruction = from[r];
            status = tsr_map_embed(&index.runtime[r].map, places[r], map, at, err);
        }
        tsr_map_free(places[r]);
    }
    if (status == TSR_OK)
        return hlo_take(set, &index, err);
    hlo_index_clear(&index);
    return status;
}

/* The offsets are the operands from `first` on, a scalar for each dim of the blocks. */
static tsr_status take_with_offsets(tsr_hlo_indexing *set, const hlo_query *q, tsr_map *map, int first,
                                    int rank, tsr_error *err)
{
    tsr_map *places[TSR_XLA_MAX_RANK];
    const uint64_t any[TSR_XLA_MAX_RANK] = {0}; /* the map has the bounds already */
    for (int r = 0; r < rank; r++) {
        const tsr_status status = tsr_map_scalar(&places[r], (tsr_shape){tsr_map_ndims(map), any}, err);
        if (status != TSR_OK) {
            while (r-- > 0)
                tsr_map_free(places[r]);
            tsr_map_free(map);
            return status;
        }
    }
    return take_runtime(set, map, rank, q->in->operands + first, places, err);
}

static tsr_status check_offsets(const hlo_query *q, int first, int rank, tsr_error *err)
{
    bool good = q->in->noperands == first + rank;
    for (int i = first; good && i < q->in->noperands; i++)
        good = hlo_operand_shape(q, i)->rank == 0;
    return good ? TSR_OK
                : tsr_fail(err, TSR_ARGUMENT, "'%.40s' (%.40s) needs a scalar offset for each of %d dims",
                           q->in->name, q->in->opcode, rank);
}

tsr_status hlo_dynamic_slice(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    const hlo_shape *source = hlo_operand_shape(q, 0);
    int64_t list[TSR_XLA_MAX_RANK];
    uint64_t sizes[TSR_XLA_MAX_RANK];
    int n;
    tsr_map *map;
    TSR_TRY(check_offsets(q, 1, source->rank, err));
    if (q->operand > 0)
        return hlo_take_scalar(set, q, err);
    TSR_TRY(hlo_ints(list, &n, TSR_XLA_MAX_RANK, q->in, "dynamic_slice_sizes", err));
    if (n != source->rank)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' gives sizes for %d dims, but its operand has %d",
                        q->in->name, n, source->rank);
    for (int i = 0; i < n; i++)
        sizes[i] = (uint64_t)list[i];
    TSR_TRY(hlo_check_output(q, n, sizes, err));
    TSR_TRY(tsr_map_dynamic_slice(&map, q->direction, (tsr_shape){n, source->dims}, sizes, err));
    return take_with_offsets(set, q, map, 1, n, err);
}

/* Dynamic-update-slice: the operand, the update, and the offsets. The overwritten elements of the operand are
 * unknown at compile time: its map is the identity. */
tsr_status hlo_dynamic_update(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    const hlo_shape *whole = hlo_operand_shape(q, 0), *part = hlo_operand_shape(q, 1);
    tsr_map *map;
    TSR_TRY(check_offsets(q, 2, whole->rank, err));
    TSR_TRY(hlo_check_output(q, whole->rank, whole->dims, err));
    if (q->operand > 1)
        return hlo_take_scalar(set, q, err);
    if (q->operand == 0) {
        TSR_TRY(tsr_map_identity(&map, hlo_dims(whole), err));
        return hlo_take_map(set, map, err);
    }
    if (part->rank != whole->rank)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' puts a block of %d dims into an operand of %d dims",
                        q->in->name, part->rank, whole->rank);
    TSR_TRY(tsr_map_dynamic_update(&map, q->direction, hlo_dims(whole), part->dims, err));
    return take_with_offsets(set, q, map, 2, whole->rank, err);
}

/* ---- gather ---- */

typedef struct gather {
    tsr_gather g;
    uint64_t sizes[TSR_XLA_MAX_RANK];
    bool collapsed[TSR_XLA_MAX_RANK], started[TSR_XLA_MAX_RANK];
    int offset[TSR_XLA_MAX_RANK];
    /* of operand dim i: the component of the index vector that is its start */
    int component[TSR_XLA_MAX_RANK];
    /* vector_dim may be the rank of the indices: then the index vector has one component and no dim */
    int vector_dim, ncomponents;
    int batch[TSR_XLA_MAX_RANK]; /* the output dim of each dim of the indices except vector_dim, in order */
    int nbatch;
} gather;

static tsr_status read_gather(gather *t, const hlo_query *q, tsr_error *err)
{
    const hlo_shape *source = hlo_operand_shape(q, 0), *indices = hlo_operand_shape(q, 1);
    int list[TSR_XLA_MAX_RANK], n, noffset;
    int64_t sizes[TSR_XLA_MAX_RANK], vector_dim;
    bool offset[TSR_XLA_MAX_RANK] = {0};
    *t = (gather){0};
    TSR_TRY(hlo_dim_list(t->offset, &noffset, q->out->rank, q->in, "offset_dims", err));
    TSR_TRY(hlo_dim_list(list, &n, source->rank, q->in, "collapsed_slice_dims", err));
    for (int i = 0; i < n; i++)
        t->collapsed[list[i]] = true;
    TSR_TRY(hlo_dim_list(list, &t->ncomponents, source->rank, q->in, "start_index_map", err));
    for (int i = 0; i < t->ncomponents; i++) {
        t->started[list[i]] = true;
        t->component[list[i]] = i;
    }
    TSR_TRY(hlo_ints(sizes, &n, TSR_XLA_MAX_RANK, q->in, "slice_sizes", err));
    TSR_TRY(hlo_int(&vector_dim, indices->rank, q->in, "index_vector_dim", err));
    for (int i = 0; i < n; i++)
        t->sizes[i] = (uint64_t)sizes[i];
    for (int i = 0; i < noffset; i++)
        offset[t->offset[i]] = true;
    for (int d = 0; d < q->out->rank; d++)
        if (!offset[d])
            t->batch[t->nbatch++] = d;
    const bool implicit = vector_dim == indices->rank;
    bool good = n == source->rank && vector_dim <= indices->rank &&
                t->nbatch == indices->rank - (implicit ? 0 : 1) &&
                (uint64_t)t->ncomponents == (implicit ? 1 : indices->dims[vector_dim]);
    for (int d = 0, b = 0; good && d < indices->rank; d++)
        good = d == vector_dim || indices->dims[d] == q->out->dims[t->batch[b++]];
    t->vector_dim = (int)vector_dim;
    t->g = (tsr_gather){.ndims = source->rank,
                        .nout = q->out->rank,
                        .noffset = noffset,
                        .dims = source->dims,
                        .out_dims = q->out->dims,
                        .sizes = t->sizes,
                        .collapsed = t->collapsed,
                        .started = t->started,
                        .offset = t->offset};
    return good ? TSR_OK
                : tsr_fail(err, TSR_ARGUMENT,
                           "the shapes and attributes of '%.40s' (gather) do not fit together", q->in->name);
}

/* The map from the dims of the output to those of the indices: component `component` of the index vector, or
 * (< 0) all components as a range symbol, which a broadcast of one dim gives. */
static tsr_status place_of_start(tsr_map **out, const hlo_query *q, const gather *t, int component,
                                 tsr_error *err)
{
    const int rank = hlo_operand_shape(q, 1)->rank;
    tsr_map *before, *after;
    uint64_t dims[TSR_XLA_MAX_RANK], picked[TSR_XLA_MAX_RANK];
    bool left[TSR_XLA_MAX_RANK];
    int at[TSR_XLA_MAX_RANK], n = 0;
    for (int d = 0; d < q->out->rank; d++)
        left[d] = true;
    for (int b = 0; b < t->nbatch; b++)
        left[t->batch[b]] = false;
    *out = NULL;
    for (int d = 0; d < rank; d++) {
        dims[d] = hlo_operand_shape(q, 1)->dims[d];
        if (d != t->vector_dim) {
            picked[n] = dims[d];
            at[n++] = d;
        }
    }
    /* output -> the batch dims -> the indices */
    TSR_TRY(tsr_map_reduce(&before, NULL, TSR_INPUT_TO_OUTPUT, hlo_dims(q->out), left, err));
    tsr_status status;
    if (component >= 0) {
        tsr_map_builder *builder;
        const tsr_linear *x[TSR_XLA_MAX_RANK];
        status = tsr_map_builder_new(&builder, n, NULL, err);
        if (status == TSR_OK) {
            for (int i = 0; i < n; i++)
                x[at[i]] = tsr_map_build_var(builder, i);
            if (t->vector_dim < rank)
                x[t->vector_dim] = tsr_map_build_const(builder, component);
            status = tsr_map_build_finish(&after, builder, rank, x, err);
        }
    } else {
        status = tsr_map_broadcast(&after, TSR_INPUT_TO_OUTPUT, (tsr_shape){n, picked},
                                   (tsr_shape){rank, dims}, at, err);
    }
    if (status == TSR_OK) {
        status = tsr_map_compose(out, after, before, err);
        tsr_map_free(after);
    }
    tsr_map_free(before);
    return status;
}

tsr_status hlo_gather(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err)
{
    gather t;
    tsr_map *map, *places[TSR_XLA_MAX_RANK];
    int from[TSR_XLA_MAX_RANK], n = 0;
    const hlo_attribute *batching = hlo_attribute_of(q->in, "operand_batching_dims");
    if (q->direction != TSR_OUTPUT_TO_INPUT)
        return hlo_take_unknown(set, q->in, "from an operand to the output", err);
    if (batching && batching->value_nbytes > 2)
        return hlo_take_unknown(set, q->in, "with batching dims", err);
    TSR_TRY(read_gather(&t, q, err));
    if (q->operand == 1) {
        TSR_TRY(place_of_start(&map, q, &t, -1, err));
        return hlo_take_map(set, map, err);
    }
    TSR_TRY(tsr_map_gather(&map, &t.g, err));
    for (int d = 0; d < t.g.ndims; d++) {
        if (!t.started[d])
            continue;
        from[n] = q->in->operands[1];
        const tsr_status status = place_of_start(&places[n], q, &t, t.component[d], err);
        if (status != TSR_OK) {
            while (n-- > 0)
                tsr_map_free(places[n]);
            tsr_map_free(map);
            return status;
        }
        n++;
    }
    return take_runtime(set, map, n, from, places, err);
}
