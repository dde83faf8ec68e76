/* Two tensors side by side, for functions of two values. */
#include <inttypes.h>

#include "door_internal.h"
#include "tsr_pairs.h"

enum { LEAST_CAPACITY = 512 };

/* size: coordinates are below it. */
static tsr_status check(const tsr_pairs *pairs, uint64_t size, tsr_error *err)
{
    TSR_TRY(door_need(pairs->pos, "pos", err));
    TSR_TRY(door_need(pairs->crd, "crd", err));
    TSR_TRY(door_need(pairs->values[0], "values of the left tensor", err));
    TSR_TRY(door_need(pairs->values[1], "values of the right tensor", err));
    if (pairs->capacity < LEAST_CAPACITY)
        return tsr_fail(err, TSR_ARGUMENT, "room for %" PRIu64 " pairs of values: at least %d are needed",
                        pairs->capacity, LEAST_CAPACITY);
    const tsr_pairs_side *const s = pairs->side;
    const uint64_t n[2] = {tsr_array_get(s[0].pos, pairs->nrows), tsr_array_get(s[1].pos, pairs->nrows)};
    if (pairs->row > pairs->nrows || pairs->first > pairs->row || s[0].at > n[0] || s[1].at > n[1])
        return tsr_fail(err, TSR_ARGUMENT,
                        "the pairs of values go on at a row or an entry that the tensors do not have");
    if (!pairs->wide && (n[0] + n[1] > UINT32_MAX || (size > 0 && size - 1 > UINT32_MAX)))
        return tsr_fail(err, TSR_ARGUMENT,
                        "%" PRIu64 " and %" PRIu64 " entries, coordinates below %" PRIu64
                        ": positions and coordinates need 8 bytes (wide)",
                        n[0], n[1], size);
    return TSR_OK;
}

static tsr_status next(tessera_pairs *own, const tsr_tensor *left, const tsr_tensor *right, tsr_error *err)
{
    tsr_pairs pairs = {0};
    TSR_TRY(door_check_ends(left, err));
    TSR_TRY(door_check_ends(right, err));
    TSR_TRY(tsr_pairs_init(&pairs, left, right, err));
    pairs.side[0].at = own->at_left, pairs.side[1].at = own->at_right;
    pairs.row = own->row, pairs.first = own->first;
    pairs.capacity = own->capacity;
    pairs.pos = own->pos, pairs.crd = own->crd;
    pairs.values[0] = own->left, pairs.values[1] = own->right;
    pairs.wide = own->wide != 0, pairs.wanted = own->cells;
    pairs.n = own->n, pairs.total = own->total;
    TSR_TRY(check(&pairs, left->levels[left->nlevels - 1].size, err));
    if (own->kept)
        tsr_pairs_keep(&pairs, own->kept);
    tsr_pairs_next(&pairs);
    own->at_left = pairs.side[0].at, own->at_right = pairs.side[1].at;
    own->row = pairs.row, own->first = pairs.first;
    own->n = pairs.n, own->total = pairs.total;
    return TSR_OK;
}

tessera_status tessera_pairs_next(tessera_pairs *pairs, const tessera_tensor *left,
                                  const tessera_tensor *right, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tessera_pairs own = {0};
    tsr_status status = door_need(pairs, "pairs", call.err);
    if (status == TSR_OK)
        status = door_need(left, "the left tensor", call.err);
    if (status == TSR_OK)
        status = door_need(right, "the right tensor", call.err);
    if (status == TSR_OK)
        status = door_options(&own, sizeof own, pairs, "tessera_pairs", call.err);
    if (status == TSR_OK)
        status = next(&own, left->inside, right->inside, call.err);
    if (status == TSR_OK)
        status = door_fill(pairs, &own, sizeof own, "tessera_pairs", call.err);
    return door_end(&call, status);
}
