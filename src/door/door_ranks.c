/* Reading a file by several processes: each gets its share of the entries (src/ranks). The caller's functions carry the bytes. */
#include <string.h>

#include "door_file.h"
#include "tsr_alloc.h"
#include "tsr_feed.h"
#include "tsr_same_input.h"
#include "tsr_spread.h"

/* ---- the caller's functions ---- */

static tsr_status carried(int failed, tsr_error *err)
{
    return failed ? tsr_fail(err, TSR_IO, "the caller's function cannot exchange bytes with the other ranks")
                  : TSR_OK;
}

static tsr_status gather(void *out, const void *mine, size_t nbytes, void *ctx, tsr_error *err)
{
    const tessera_ranks *const r = ctx;
    return carried(r->gather(r->user, out, mine, nbytes), err);
}

static tsr_status sum(uint64_t *numbers, size_t count, void *ctx, tsr_error *err)
{
    const tessera_ranks *const r = ctx;
    return carried(r->sum(r->user, numbers, count), err);
}

static tsr_status exchange(void *const *recv, const uint64_t *recv_nbytes, const void *const *send,
                           const uint64_t *send_nbytes, void *ctx, tsr_error *err)
{
    const tessera_ranks *const r = ctx;
    return carried(r->exchange(r->user, recv, recv_nbytes, send, send_nbytes), err);
}

/* The ranks as the library asks them; errors: room for one of each. */
static tsr_status take_ranks(tsr_ranks *out, tessera_ranks *own, const tessera_ranks *given, tsr_error *err)
{
    TSR_TRY(door_need(given, "ranks", err));
    TSR_TRY(door_options(own, sizeof *own, given, "tessera_ranks", err));
    if (own->n < 1 || own->n > TSR_GRID_MAX_RANKS || own->rank < 0 || own->rank >= own->n)
        return tsr_fail(err, TSR_ARGUMENT, "rank %d of %d: ranks are numbered from 0, and at most %d",
                        own->rank, own->n, TSR_GRID_MAX_RANKS);
    if (!own->gather || !own->sum || !own->exchange)
        return tsr_fail(err, TSR_ARGUMENT, "missing function of ranks: gather, sum and exchange are needed");
    *out = (tsr_ranks){.version = TSR_RANKS_VERSION,
                       .rank = own->rank,
                       .n = own->n,
                       .nlocal = 1,
                       .ctx = own,
                       .gather = gather,
                       .sum = sum,
                       .exchange = exchange};
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)own->n, sizeof(tsr_error), 0, "the errors of ranks", err));
    out->errors = memory;
    return TSR_OK;
}

/* ---- reading ---- */

/* how: what the feed borrows. */
static tsr_status open_feed(tsr_feed **feed, door_reading *how, const char *path,
                            const tessera_read_options *given, const door_call *call)
{
    const tsr_codec *codec;
    TSR_TRY(door_take_reading(how, &codec, given, call));
    const tessera_read_options *const o = &how->options;
    if (o->transform || o->select || o->keep_symmetry || o->has_type || o->duplicates != TESSERA_SUM)
        return tsr_fail(
            call->err, TSR_UNSUPPORTED,
            "ranks read whole tensors with values as f64, and add duplicates: leave out transform, "
            "select, keep_symmetry, the type and duplicates");
    TSR_TRY(door_check_codec_options(o, path, call->err));
    how->read.labels = false;
    TSR_TRY(tsr_feed_open(feed, path, codec, &how->read, call->err));
    return (*feed)->facts.order > 0
               ? TSR_OK
               : tsr_fail_at(call->err, TSR_UNSUPPORTED, path, 0, 0, "a scalar cannot be shared by ranks");
}

/* The entries of the spread as a tensor with the dims of the whole, entries at the same cell added. */
static tsr_status take_entries(tessera_tensor **out, tsr_spread_tensor *spread, const tessera_read_options *o,
                               const door_call *call)
{
    tsr_data data = {.coo = spread->coo};
    spread->coo = NULL;
    const door_shape shape = {
        .format = o->format, .index_width = o->index_width, .max_nbytes = o->max_nbytes};
    return door_shape_new(out, &data, &shape, call);
}

static tsr_status read_share(tessera_tensor **out, uint64_t *cuts, const char *path,
                             const tessera_read_options *options, const tsr_ranks *ranks,
                             const door_call *call)
{
    const tessera_ranks *const own = ranks->ctx;
    const tsr_grid_kind kind = own->grid ? TSR_GRID_MEDIUM : TSR_GRID_ROWS;
    door_reading how;
    tsr_feed *feed = NULL;
    tsr_spread_tensor *spread = NULL;
    TSR_TRY(tsr_ranks_same_input(ranks, path, call->err));
    tsr_status status = open_feed(&feed, &how, path, options, call);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, call->err));
    TSR_TRY_OUT(tsr_spread_read(&spread, feed, ranks, kind, call->observer, call->err));
    if (cuts && !own->grid)
        memcpy(cuts, spread->grid.cut[0], ((size_t)ranks->n + 1) * sizeof *cuts);
    status = take_entries(out, spread, &how.options, call);
    status = tsr_ranks_agree(ranks, status, call->err);
    if (status != TSR_OK) {
        tessera_tensor_free(*out);
        *out = NULL;
    }
out:
    tsr_spread_free(spread);
    tsr_feed_close(feed);
    return status;
}

static tsr_status read_ranks(tessera_tensor **out, uint64_t *cuts, const char *path,
                             const tessera_read_options *options, const tessera_ranks *given,
                             const door_call *call)
{
    tessera_ranks own;
    tsr_ranks ranks;
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(path, "path", call->err));
    TSR_TRY(take_ranks(&ranks, &own, given, call->err));
    const tsr_status status = read_share(out, cuts, path, options, &ranks, call);
    tsr_free(ranks.errors);
    return status;
}

tessera_status tessera_read_ranks(tessera_tensor **out, uint64_t *cuts, const char *path,
                                  const tessera_read_options *options, const tessera_ranks *ranks,
                                  tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, read_ranks(out, cuts, path, options, ranks, &call));
}
