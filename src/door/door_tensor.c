/* Tensors as handles: properties, levels, arrays, entries. */
#include <inttypes.h>
#include <string.h>

#include "door_internal.h"
#include "tsr_cells.h"
#include "tsr_parallel.h"

/* ---- handles ---- */

tsr_status door_borrowed_new(tessera_tensor **out, tsr_tensor *inside, const door_release *release,
                             tsr_error *err)
{
    tessera_tensor *const tensor = tsr_calloc(1, sizeof *tensor);
    if (!tensor) {
        tsr_tensor_free(inside);
        return tsr_fail(err, TSR_NOMEM, "out of memory: a tensor");
    }
    atomic_init(&tensor->nowners, 1);
    tensor->inside = inside;
    tensor->release = release->function;
    tensor->release_arg = release->arg;
    *out = tensor;
    return TSR_OK;
}

tsr_status door_tensor_new(tessera_tensor **out, tsr_tensor *inside, const door_call *call)
{
    static const door_release none;
    TSR_TRY(door_borrowed_new(out, inside, &none, call->err));
    const tsr_status status = door_settle_new(*out, call);
    if (status != TSR_OK) {
        tessera_tensor_free(*out);
        *out = NULL;
    }
    return status;
}

tsr_status door_data_new(tessera_tensor **out, tsr_data *data, const door_call *call)
{
    tsr_labels *const labels = data->labels;
    const tsr_status status = door_tensor_new(out, data->tensor, call);
    if (status == TSR_OK)
        (*out)->labels = labels;
    else
        tsr_labels_free(labels);
    *data = (tsr_data){.codec = data->codec};
    return status;
}

void tessera_tensor_free(tessera_tensor *tensor)
{
    if (!tensor || atomic_fetch_sub(&tensor->nowners, 1) > 1)
        return;
    tsr_tensor_free(tensor->inside);
    door_blocks_free(tensor->blocks);
    tsr_labels_free(tensor->labels);
    tsr_free(atomic_load(&tensor->format));
    if (tensor->release)
        tensor->release(tensor->release_arg);
    tsr_free(tensor);
}

tessera_tensor *tessera_tensor_share(tessera_tensor *tensor)
{
    if (tensor)
        atomic_fetch_add(&tensor->nowners, 1);
    return tensor;
}

/* ---- properties ---- */

int tessera_tensor_order(const tessera_tensor *tensor)
{
    return tensor ? tensor->inside->order : 0;
}

const uint64_t *tessera_tensor_dims(const tessera_tensor *tensor)
{
    return tensor ? tensor->inside->dims : NULL;
}

tessera_type tessera_tensor_type(const tessera_tensor *tensor)
{
    return tensor ? (tessera_type)tensor->inside->type : TESSERA_ANY_TYPE;
}

tessera_structure tessera_tensor_structure(const tessera_tensor *tensor)
{
    return tensor ? (tessera_structure)tensor->inside->structure : TESSERA_GENERAL;
}

uint64_t tessera_tensor_nnz(const tessera_tensor *tensor)
{
    return tensor ? tsr_cells_nstored(tensor->inside, 0) : 0;
}

uint64_t tessera_tensor_nbytes(const tessera_tensor *tensor)
{
    return tensor ? tsr_tensor_nbytes(tensor->inside) : 0;
}

int tessera_tensor_is_iso(const tessera_tensor *tensor)
{
    return tensor && tensor->inside->iso;
}

const void *tessera_tensor_fill(const tessera_tensor *tensor)
{
    return tensor && tensor->inside->has_fill ? tensor->inside->fill : NULL;
}

const char *tessera_tensor_format(const tessera_tensor *tensor)
{
    if (!tensor)
        return "";
    tessera_tensor *const t = (tessera_tensor *)(uintptr_t)tensor; /* the name is kept in the handle */
    char *name = atomic_load(&t->format), *none = NULL;
    if (name)
        return name;
    tsr_text text = {0};
    tsr_format_print_name_for(&text, t->inside->format, t->inside->dims);
    if (tsr_text_take(&name, &text, NULL) != TSR_OK)
        return "";
    if (atomic_compare_exchange_strong(&t->format, &none, name))
        return name;
    tsr_free(name); /* another thread was faster */
    return none;
}

/* ---- levels and arrays ---- */

int tessera_tensor_nlevels(const tessera_tensor *tensor)
{
    return tensor ? tensor->inside->nlevels : 0;
}

tessera_status tessera_tensor_level(tessera_level *out, const tessera_tensor *tensor, int l,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    if (!out || !tensor)
        return door_end(&call, door_need(NULL, out ? "tensor" : "result", call.err));
    const tsr_tensor *const inside = tensor->inside;
    if (l < 0 || l >= inside->nlevels)
        return door_end(&call,
                        tsr_fail(call.err, TSR_ARGUMENT, "level %d does not exist: the tensor has %d levels",
                                 l, inside->nlevels));
    const tsr_level *const level = &inside->levels[l];
    tessera_level own = {.kind = level->type->name,
                         .dim = level->size,
                         .pitch = level->pitch,
                         .nparents = level->nparents,
                         .npos = level->npos,
                         .nonunique = level->nonunique};
    for (int k = 0; k < TSR_LEVEL_MAX_NUMBERS && level->type->numbers[k].name; k++)
        *(k ? &own.second_number : &own.number) = level->type->numbers[k].get(level);
    return door_end(&call, door_fill(out, &own, sizeof own, "tessera_level", call.err));
}

/* The type of the elements of a level array. */
static tessera_type index_type(size_t width)
{
    return width == 1 ? TESSERA_U8 : width == 2 ? TESSERA_U16 : width == 4 ? TESSERA_U32 : TESSERA_U64;
}

bool door_is_index_type(tessera_type type)
{
    return type >= TESSERA_I8 && type <= TESSERA_U64;
}

/* Array i of the tensor. False: there is none. */
static bool array_at(tessera_array *out, const tsr_tensor *tensor, int i)
{
    int k = 0;
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *const level = &tensor->levels[l];
        for (int a = 0; a < TSR_LEVEL_NROLES && level->type->arrays[a].name; a++) {
            const tsr_level_array *const row = &level->type->arrays[a];
            const tsr_array *const array = tsr_level_array_at(level, row->role);
            if (k++ != i)
                continue;
            *out = (tessera_array){row->name, array->data, array->n, index_type(array->width), l};
            return true;
        }
    }
    if (k != i)
        return false;
    *out = (tessera_array){"values", tensor->values.data, tensor->values.n, (tessera_type)tensor->type, -1};
    return true;
}

int tessera_tensor_narrays(const tessera_tensor *tensor)
{
    int n = 1;
    for (int l = 0; tensor && l < tensor->inside->nlevels; l++)
        for (int a = 0; a < TSR_LEVEL_NROLES && tensor->inside->levels[l].type->arrays[a].name; a++)
            n++;
    return tensor ? n : 0;
}

tessera_status tessera_tensor_array(tessera_array *out, const tessera_tensor *tensor, int i,
                                    tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = (tessera_array){.level = -1};
    TSR_TRY_OUT(door_need(tensor, "tensor", call.err));
    if (i < 0 || !array_at(out, tensor->inside, i))
        status = tsr_fail(call.err, TSR_ARGUMENT, "array %d does not exist: the tensor has %d arrays", i,
                          tessera_tensor_narrays(tensor));
out:
    return door_end(&call, status);
}

static tsr_status find(tessera_array *out, const tsr_tensor *tensor, int l, const char *name, tsr_error *err)
{
    tessera_array array;
    for (int i = 0; array_at(&array, tensor, i); i++)
        if (strcmp(array.name, name) == 0 && (array.level == l || array.level < 0)) {
            *out = array;
            return TSR_OK;
        }
    if (l < 0 || l >= tensor->nlevels)
        return tsr_fail(err, TSR_ARGUMENT, "level %d does not exist: the tensor has %d levels", l,
                        tensor->nlevels);
    return tsr_fail(err, TSR_ARGUMENT, "level %d is %s and has no array '%s'", l,
                    tensor->levels[l].type->name, name);
}

tessera_status tessera_tensor_find(tessera_array *out, const tessera_tensor *tensor, int l, const char *name,
                                   tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = (tessera_array){.level = -1};
    TSR_TRY_OUT(door_need(tensor, "tensor", call.err));
    TSR_TRY_OUT(door_need(name, "name", call.err));
    status = find(out, tensor->inside, l, name, call.err);
out:
    return door_end(&call, status);
}

/* ---- entries ---- */

typedef struct copier {
    const tsr_tensor *tensor;
    uint64_t *const *crd;
    char *values;
    uint64_t at[TSR_MAX_THREADS]; /* the place of the next entry of each share */
} copier;

static bool copy_block(void *arg, int t, const tsr_cell_block *block)
{
    copier *const c = arg;
    const tsr_array *const from = &c->tensor->values;
    const size_t width = from->width;
    for (int m = 0; m < c->tensor->order; m++)
        if (c->crd[m])
            memcpy(c->crd[m] + c->at[t], block->crd[m], block->n * sizeof *block->crd[m]);
    for (size_t i = 0; c->values && i < block->n; i++) {
        char *const to = c->values + (c->at[t] + i) * width;
        if (c->tensor->type == TSR_PATTERN)
            *to = 1;
        else
            memcpy(to, (const char *)from->data + (c->tensor->iso ? 0 : block->position[i]) * width, width);
    }
    c->at[t] += block->n;
    return true;
}

static tsr_status copy_entries(copier *c, const door_call *call)
{
    tsr_cells *cells = NULL;
    uint64_t counts[TSR_MAX_THREADS], nnz = 0;
    TSR_TRY(tsr_cells_new(&cells, c->tensor, NULL, call->nthreads, call->err));
    tsr_status status = tsr_cells_count(counts, cells, call->err);
    if (status == TSR_OK) {
        for (int t = 0; t < tsr_cells_nshares(cells); t++) {
            c->at[t] = nnz;
            nnz += counts[t];
        }
        status = tsr_cells_walk(cells, copy_block, c, call->err);
    }
    tsr_cells_free(cells);
    return status;
}

tessera_status tessera_tensor_entries(uint64_t *const *crd, void *values, const tessera_tensor *tensor,
                                      tessera_context *ctx)
{
    static uint64_t *const none[TSR_MAX_ORDER] = {NULL};
    const door_call call = door_begin(ctx);
    if (!tensor)
        return door_end(&call, door_need(NULL, "tensor", call.err));
    copier c = {.tensor = tensor->inside, .crd = crd ? crd : none, .values = values};
    const tsr_status status = door_check_ends(tensor->inside, call.err);
    return door_end(&call, status == TSR_OK ? copy_entries(&c, &call) : status);
}

tessera_status tessera_tensor_check(const tessera_tensor *tensor, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    if (!tensor)
        return door_end(&call, door_need(NULL, "tensor", call.err));
    return door_end(&call, tsr_tensor_check(tensor->inside, call.nthreads, call.err));
}
