/* Tensors of the caller's arrays, without a copy. */
#include <inttypes.h>
#include <string.h>

#include "door_internal.h"
#include "tsr_checked.h"

tsr_status door_check_type(tessera_type type, tsr_error *err)
{
    return (unsigned)type < TSR_NTYPES
               ? TSR_OK
               : tsr_fail(err, TSR_ARGUMENT, "%d is not a value type: see tessera_type", (int)type);
}

tsr_status door_check_dims(int order, const uint64_t *dims, tsr_error *err)
{
    if (order < 0 || order > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_ARGUMENT, "a tensor has 0 to %d modes, not %d", (int)TSR_MAX_ORDER, order);
    if (order > 0)
        TSR_TRY(door_need(dims, "dims", err));
    for (int m = 0; m < order; m++)
        if (dims[m] > INT64_MAX)
            return tsr_fail(err, TSR_ARGUMENT, "dim %d is %" PRIu64 ", more than 2^63 - 1", m, dims[m]);
    return TSR_OK;
}

/* ---- level arrays ---- */

typedef struct taker {
    const tessera_parts *parts;
    int next; /* the array to take next */
    tsr_error *err;
} taker;

static tsr_status take(tsr_array *to, taker *t, int l, const char *name)
{
    if (t->next >= t->parts->narrays)
        return tsr_fail(t->err, TSR_ARGUMENT,
                        "%d arrays are given, but the format has more: array %d is %s of level %d",
                        t->parts->narrays, t->next, name, l);
    const tessera_array *const array = &t->parts->arrays[t->next++];
    if (!door_is_index_type(array->type))
        return tsr_fail(t->err, TSR_ARGUMENT,
                        "array %d, %s of level %d, has the type %s, but indices are integers", t->next - 1,
                        name, l, tessera_type_text(array->type));
    if (!array->data && array->n > 0)
        return tsr_fail(t->err, TSR_ARGUMENT, "array %d, %s of level %d, is NULL", t->next - 1, name, l);
    *to = (tsr_array){
        .data = array->data, .n = array->n, .width = tessera_type_nbytes(array->type), .borrowed = true};
    return TSR_OK;
}

/* An array without elements still has a block. */
static tsr_status fill_empty(tsr_array *array, tsr_error *err)
{
    return array->data ? TSR_OK : tsr_array_init(array, 0, array->width, 0, "an empty array", err);
}

/* pos = 0, n for level 0 below the root. */
static tsr_status make_root_pos(tsr_level *level, tsr_error *err)
{
    TSR_TRY(tsr_array_init(&level->pos, 2, tsr_width_for(level->crd.n) < 4 ? 4 : tsr_width_for(level->crd.n),
                           1, "positions of level 0", err));
    tsr_array_set(&level->pos, 1, level->crd.n);
    return TSR_OK;
}

/* TSR_CORRUPT: an array of signed integers that has a negative one, which would count as a large number below the bound. Signed
 * integers of 8 bytes are never below a bound. */
static tsr_status check_signs(const tsr_array *array, const taker *t, int index, uint64_t bound)
{
    const tessera_type type = t->parts->arrays[index].type;
    const int nbits = 8 * (int)array->width;
    if (type > TESSERA_I64 || nbits == 64 || bound <= UINT64_C(1) << (nbits - 1))
        return TSR_OK;
    for (uint64_t i = 0; i < array->n; i++)
        if (tsr_array_get(array, i) >> (nbits - 1))
            return tsr_fail(t->err, TSR_CORRUPT, "array %d: element %" PRIu64 " is negative", index, i);
    return TSR_OK;
}

/* A level of a kind that is packed from all entries at once: its arrays, and what the caller says of it. tsr_tensor_check checks what
 * they hold. */
static tsr_status take_assembled(tsr_level *level, taker *t, int l)
{
    const tsr_level_type *const type = level->type;
    if (!t->parts->levels)
        return tsr_fail(t->err, TSR_ARGUMENT,
                        "level %d is %s, whose positions do not follow from its arrays: give parts.levels", l,
                        type->name);
    tessera_level own;
    const size_t step = t->parts->levels->size; /* of the caller's version */
    TSR_TRY(door_options(&own, sizeof own, (const char *)t->parts->levels + (size_t)l * step, "tessera_level",
                         t->err));
    const int64_t numbers[TSR_LEVEL_MAX_NUMBERS] = {own.number, own.second_number};
    level->npos = own.npos;
    for (int k = 0; k < TSR_LEVEL_NROLES && type->arrays[k].name; k++) {
        const tsr_level_array *const row = &type->arrays[k];
        tsr_array *const array = tsr_level_array_of(level, row->role);
        TSR_TRY(take(array, t, l, row->name));
        TSR_TRY(fill_empty(array, t->err));
        if (row->content < TSR_HOLDS_BYTES && row->content != TSR_HOLDS_MARKED)
            TSR_TRY(check_signs(array, t, t->next - 1, UINT64_MAX));
    }
    if (type->set_numbers && !type->set_numbers(level, numbers))
        return tsr_fail(t->err, TSR_CORRUPT, "parts.levels has impossible numbers for level %d (%s)", l,
                        type->name);
    return TSR_OK;
}

static tsr_status take_plain(tsr_level *level, taker *t, int l)
{
    bool makes_pos = false;
    if (tsr_level_has(level->type, TSR_LEVEL_POS)) {
        makes_pos = l == 0 && t->next < t->parts->narrays && !t->parts->arrays[t->next].data;
        if (makes_pos)
            t->next++;
        else
            TSR_TRY(take(&level->pos, t, l, "pos"));
    }
    const int at = t->next;
    if (tsr_level_has(level->type, TSR_LEVEL_CRD))
        TSR_TRY(take(&level->crd, t, l, "crd"));
    if (!t->parts->unchecked && level->pos.data)
        TSR_TRY(check_signs(&level->pos, t, at - 1, level->crd.n));
    if (!t->parts->unchecked && level->crd.data)
        TSR_TRY(check_signs(&level->crd, t, at, level->size));
    if (makes_pos)
        TSR_TRY(make_root_pos(level, t->err));
    if (tsr_level_has(level->type, TSR_LEVEL_POS))
        TSR_TRY(fill_empty(&level->pos, t->err));
    if (tsr_level_has(level->type, TSR_LEVEL_CRD))
        TSR_TRY(fill_empty(&level->crd, t->err));
    if (!level->type->npos(&level->npos, level->nparents, level->pitch))
        return tsr_fail(t->err, TSR_LIMIT, "level %d has more than 2^64 positions", l);
    if (level->npos == UINT64_MAX)
        level->npos = level->crd.n;
    return TSR_OK;
}

static tsr_status take_level(tsr_tensor *tensor, taker *t, int l)
{
    tsr_level *const level = &tensor->levels[l];
    level->nparents = tensor->npos;
    TSR_TRY(level->type->assemble ? take_assembled(level, t, l) : take_plain(level, t, l));
    tensor->npos = level->npos;
    return TSR_OK;
}

static tsr_status take_values(tsr_tensor *tensor, taker *t)
{
    const tessera_parts *const parts = t->parts;
    const tessera_array *const array = &parts->arrays[t->next++];
    const uint64_t n = tensor->iso ? 1 : tensor->npos;
    if (t->next < parts->narrays)
        return tsr_fail(t->err, TSR_ARGUMENT,
                        "%d arrays are given, but the format has %d: those of the levels, and the "
                        "values",
                        parts->narrays, t->next);
    if (tensor->type == TSR_PATTERN && tensor->iso && !array->data) {
        TSR_TRY(tsr_array_init(&tensor->values, 1, 1, 0, "the value", t->err));
        *(unsigned char *)tensor->values.data = 1;
        return TSR_OK;
    }
    if (array->n != n)
        return tsr_fail(t->err, TSR_CORRUPT, "there are %" PRIu64 " values, but %" PRIu64 " positions",
                        array->n, n);
    if (!array->data && n > 0)
        return tsr_fail(t->err, TSR_ARGUMENT, "the values (array %d) are NULL", t->next - 1);
    tensor->values =
        (tsr_array){.data = array->data, .n = n, .width = tsr_type_nbytes(tensor->type), .borrowed = true};
    return fill_empty(&tensor->values, t->err);
}

/* ---- tensors ---- */

tsr_status door_check_ends(const tsr_tensor *tensor, tsr_error *err)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *const level = &tensor->levels[l];
        const tsr_array *const pos = &level->pos;
        if (!pos->borrowed || level->type->assemble || !tsr_level_has(level->type, TSR_LEVEL_POS) ||
            pos->n != level->nparents + 1)
            continue;
        const uint64_t end = tsr_array_get(pos, level->nparents);
        if (end != level->npos)
            return tsr_fail(err, TSR_CORRUPT,
                            "the arrays of the tensor were changed: level %d has %" PRIu64
                            " entries, but its positions now end at %" PRIu64 "; make a new tensor of them",
                            l, level->npos, end);
    }
    return TSR_OK;
}

static void take_properties(tsr_tensor *tensor, const tessera_parts *parts)
{
    tensor->structure = (tsr_structure)parts->structure;
    tensor->iso =
        parts->is_iso != 0 || (tensor->type == TSR_PATTERN && !tsr_format_has_dense_leaf(tensor->format));
    tensor->has_fill = parts->fill != NULL;
    if (parts->fill)
        memcpy(tensor->fill, parts->fill, tsr_type_nbytes(tensor->type));
}

static tsr_status take_all(tsr_tensor *tensor, const tessera_parts *parts, const door_call *call)
{
    taker t = {.parts = parts, .err = call->err};
    take_properties(tensor, parts);
    tensor->npos = 1;
    for (int l = 0; l < tensor->nlevels; l++)
        TSR_TRY(take_level(tensor, &t, l));
    if (t.next >= parts->narrays)
        return tsr_fail(call->err, TSR_ARGUMENT,
                        "%d arrays are given, but the values are missing: they are the last array",
                        parts->narrays);
    TSR_TRY(take_values(tensor, &t));
    return parts->unchecked ? TSR_OK : tsr_tensor_check(tensor, call->nthreads, call->err);
}

static tsr_status check_parts(const tessera_parts *parts, tsr_error *err)
{
    TSR_TRY(door_check_dims(parts->order, parts->dims, err));
    TSR_TRY(door_need(parts->format, "parts.format", err));
    TSR_TRY(door_need(parts->arrays, "parts.arrays", err));
    if (parts->narrays < 1)
        return tsr_fail(err, TSR_ARGUMENT, "no arrays are given: the last one holds the values");
    if ((unsigned)parts->structure > TSR_SKEW_UPPER)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not a structure: see tessera_structure",
                        (int)parts->structure);
    return door_check_type(parts->arrays[parts->narrays - 1].type, err);
}

static tsr_status borrow(tessera_tensor **out, const tessera_parts *given, const door_call *call)
{
    tessera_parts parts;
    tsr_binding *binding;
    tsr_tensor *tensor = NULL;
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(given, "parts", call->err));
    TSR_TRY(door_options(&parts, sizeof parts, given, "tessera_parts", call->err));
    TSR_TRY(check_parts(&parts, call->err));
    TSR_TRY(door_bind(&binding, &(door_binding_key){parts.format, NULL, parts.order, parts.dims}, call));
    tsr_status status =
        tsr_tensor_new_bound(&tensor, binding, (tsr_type)parts.arrays[parts.narrays - 1].type, call->err);
    door_unbind(binding);
    TSR_TRY(status);
    status = take_all(tensor, &parts, call);
    if (status != TSR_OK) {
        tsr_tensor_free(tensor);
        return status;
    }
    return door_borrowed_new(out, tensor, &(door_release){parts.release, parts.release_arg}, call->err);
}

tessera_status tessera_borrow(tessera_tensor **out, const tessera_parts *parts, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, borrow(out, parts, &call));
}

/* ---- dense arrays with strides ---- */

static tsr_status no_format(const tessera_dense_parts *parts, int m, uint64_t wanted, tsr_error *err)
{
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "the stride of mode %d is %" PRId64 ", but %" PRIu64
                    " is expected: the elements must lie one after the "
                    "other, with the modes in any order; copy the array first",
                    m, parts->strides[m], wanted);
}

/* modes[l] = the mode that level l stores: modes of one coordinate first, then by falling stride. */
static tsr_status order_modes(int *modes, const tessera_dense_parts *parts, tsr_error *err)
{
    const int order = parts->order;
    uint64_t wanted = 1;
    bool empty = false;
    for (int m = 0; m < order; m++) {
        int at = m;
        empty = empty || parts->dims[m] == 0;
        while (at > 0 && parts->dims[modes[at - 1]] > 1 &&
               (parts->dims[m] <= 1 || parts->strides[modes[at - 1]] < parts->strides[m])) {
            modes[at] = modes[at - 1];
            at--;
        }
        modes[at] = m;
    }
    for (int l = order - 1; l >= 0 && !empty; l--) {
        const int m = modes[l];
        if (parts->dims[m] <= 1)
            continue;
        if (parts->strides[m] < 0 || (uint64_t)parts->strides[m] != wanted)
            return no_format(parts, m, wanted, err);
        if (!tsr_mul_u64(&wanted, wanted, parts->dims[m]))
            return tsr_fail(err, TSR_LIMIT, "the array has more than 2^64 elements");
    }
    return TSR_OK;
}

static tsr_status check_dense(const tessera_dense_parts *parts, tsr_error *err)
{
    uint64_t n = 1;
    TSR_TRY(door_check_dims(parts->order, parts->dims, err));
    TSR_TRY(door_check_type(parts->type, err));
    for (int m = 0; m < parts->order; m++)
        if (!tsr_mul_u64(&n, n, parts->dims[m]) || n > SIZE_MAX / 2 / TSR_MAX_VALUE_NBYTES)
            return tsr_fail(err, TSR_LIMIT, "the array has more elements than memory can hold");
    if (parts->order == 0 && parts->type == TESSERA_PATTERN)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "a dense array of order 0 cannot be a pattern, which has no place for the number: use "
            "the type u8");
    return n > 0 ? door_need(parts->data, "parts.data", err) : TSR_OK;
}

/* Set the levels, which are dense, and the values. */
static tsr_status take_dense(tsr_tensor *tensor, void *data, tsr_error *err)
{
    tensor->npos = 1;
    for (int l = 0; l < tensor->nlevels; l++) {
        tensor->levels[l].nparents = tensor->npos;
        tensor->npos *= tensor->levels[l].pitch; /* checked before */
        tensor->levels[l].npos = tensor->npos;
    }
    tensor->values = (tsr_array){.data = tensor->npos > 0 ? data : NULL,
                                 .n = tensor->npos,
                                 .width = tsr_type_nbytes(tensor->type),
                                 .borrowed = tensor->npos > 0};
    return fill_empty(&tensor->values, err);
}

static tsr_status borrow_dense(tessera_tensor **out, const tessera_dense_parts *given, const door_call *call)
{
    tessera_dense_parts parts;
    int modes[TSR_MAX_ORDER];
    tsr_binding *binding;
    tsr_tensor *tensor;
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(given, "parts", call->err));
    TSR_TRY(door_options(&parts, sizeof parts, given, "tessera_dense_parts", call->err));
    TSR_TRY(check_dense(&parts, call->err));
    if (parts.strides)
        TSR_TRY(order_modes(modes, &parts, call->err));
    const door_binding_key key = {NULL, parts.strides ? modes : NULL, parts.order, parts.dims};
    TSR_TRY(door_bind(&binding, &key, call));
    tsr_status status = tsr_tensor_new_bound(&tensor, binding, (tsr_type)parts.type, call->err);
    door_unbind(binding);
    TSR_TRY(status);
    status = take_dense(tensor, parts.data, call->err);
    if (status != TSR_OK) {
        tsr_tensor_free(tensor);
        return status;
    }
    return door_borrowed_new(out, tensor, &(door_release){parts.release, parts.release_arg}, call->err);
}

tessera_status tessera_borrow_dense(tessera_tensor **out, const tessera_dense_parts *parts,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, borrow_dense(out, parts, &call));
}
