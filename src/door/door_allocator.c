/* The memory of tensors that a caller's allocator gives. A tensor is finished in the library's memory; then its arrays move, one after
 * the other, into blocks of the allocator, which are borrowed arrays for the rest of the library: read, never resized or freed. The
 * handle keeps the list of the blocks and gives them back. */
#include <string.h>

#include "door_internal.h"

enum { ALIGNMENT = 64 };

typedef struct block {
    void *data;
    size_t nbytes;
} block;

struct door_blocks {
    tessera_allocator from;
    int n;
    block of[TSR_MAX_LEVELS * TSR_LEVEL_NROLES + 1];
};

tessera_status tessera_context_set_allocator(tessera_context *ctx, const tessera_allocator *allocator)
{
    const door_call call = door_begin(ctx);
    tessera_allocator own;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(ctx, "context", call.err));
    TSR_TRY_OUT(door_options(&own, sizeof own, allocator, "tessera_allocator", call.err));
    if (allocator && (!own.allocate || !own.free))
        TSR_TRY_OUT(
            tsr_fail(call.err, TSR_ARGUMENT, "an allocator needs both functions, `allocate` and `free`"));
    ctx->allocator = own;
out:
    return door_end(&call, status);
}

static void *find(block *old, const door_blocks *blocks, const void *data)
{
    for (int i = 0; blocks && i < blocks->n; i++)
        if (blocks->of[i].data == data) {
            *old = blocks->of[i];
            return old->data;
        }
    return NULL;
}

/* Move one array, unless it is in a block already. */
static tsr_status move_array(door_blocks *to, tsr_array *array, const door_blocks *before, tsr_error *err)
{
    const uint64_t nbytes = tsr_array_nbytes(array);
    block b;
    if (nbytes == 0)
        return TSR_OK;
    if (array->borrowed) {
        if (find(&b, before, array->data))
            to->of[to->n++] = b;
        return TSR_OK;
    }
    void *const data = to->from.allocate(to->from.user, (size_t)nbytes, ALIGNMENT);
    if (!data) {
        char size[32];
        return tsr_fail(err, TSR_NOMEM, "out of memory: the caller's allocator does not give %s",
                        tsr_bytes_text(size, nbytes));
    }
    memcpy(data, array->data, (size_t)nbytes);
    const tsr_array moved = {.data = data, .n = array->n, .width = array->width, .borrowed = true};
    tsr_array_clear(array);
    *array = moved;
    to->of[to->n++] = (block){data, (size_t)nbytes};
    return TSR_OK;
}

static tsr_status move_all(door_blocks *to, tsr_tensor *tensor, const door_blocks *before, tsr_error *err)
{
    tsr_status status = move_array(to, &tensor->values, before, err);
    for (int l = 0; l < tensor->nlevels; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++) {
            /* after a failure, blocks that are in use are still listed */
            tsr_array *const array = tsr_level_array_of(&tensor->levels[l], (tsr_level_role)role);
            if (status == TSR_OK || array->borrowed) {
                const tsr_status one = move_array(to, array, before, err);
                status = status == TSR_OK ? one : status;
            }
        }
    return status;
}

/* Whether an array lies in the block. */
static bool is_used(const door_blocks *blocks, const void *data)
{
    block b;
    return find(&b, blocks, data) != NULL;
}

/* Give back the blocks that `now` (NULL: none) does not list, and the list. */
static void drop(door_blocks *blocks, const door_blocks *now)
{
    for (int i = 0; blocks && i < blocks->n; i++)
        if (!is_used(now, blocks->of[i].data))
            blocks->from.free(blocks->from.user, blocks->of[i].data, blocks->of[i].nbytes);
    tsr_free(blocks);
}

void door_blocks_free(door_blocks *blocks)
{
    drop(blocks, NULL);
}

static tsr_status settle(tessera_tensor *tensor, const tessera_allocator *from, tsr_error *err)
{
    door_blocks *const blocks = tsr_malloc(sizeof *blocks);
    if (!blocks)
        return tsr_fail(err, TSR_NOMEM, "out of memory: the list of blocks of a tensor");
    blocks->from = *from;
    blocks->n = 0;
    const tsr_status status = move_all(blocks, tensor->inside, tensor->blocks, err);
    drop(tensor->blocks, blocks);
    tensor->blocks = blocks;
    return status;
}

tsr_status door_settle_new(tessera_tensor *tensor, const door_call *call)
{
    return call->ctx && call->ctx->allocator.allocate ? settle(tensor, &call->ctx->allocator, call->err)
                                                      : TSR_OK;
}

tsr_status door_settle_again(tessera_tensor *tensor, const door_call *call)
{
    return tensor->blocks ? settle(tensor, &tensor->blocks->from, call->err) : TSR_OK;
}
