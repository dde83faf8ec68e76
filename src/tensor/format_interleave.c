/* Keys that interleave the bits of all coordinates of a cell, as expressions of index maps (Helal et al., "ALTO:
 * adaptive linearized storage of sparse tensors", ICS 2021).
 *
 * The rule: the lowest bits of the modes come first, one from each mode, the mode with the fewest bits first; then
 * the next bits of the modes that have more, and so on. A mode of dim n has as many bits as n - 1, and at least
 * one. So entries with near keys have near coordinates in all modes, and the highest bits, which divide the
 * entries among threads, are of the longest mode.
 *
 * In boxes, only the bits of coordinates inside a box interleave: the coordinates of the box stand above them, mode after mode, the
 * first mode at the top. */
#include "format_internal.h"

#include <inttypes.h>

#include "tsr_bits.h"

enum {
    MAX_BITS = 62, /* of the coordinates of a level */
    LOWER_BITS =
        32, /* of the lower level, where two levels are needed and the upper one has room for the rest */
};

/* Bits of a key: bit b of the key is bit bit[b] of mode mode[b]. */
typedef struct key_bits {
    int nbits;
    uint8_t mode[2 * MAX_BITS], bit[2 * MAX_BITS];
} key_bits;

/* The modes of the request, in its order, and among them those with fewer bits first. */
static void order_modes(int *order, const int *nbits, const format_request *request)
{
    for (int k = 0; k < request->order; k++) {
        const int m = request->modes ? request->modes[k] : k;
        int at = k;
        for (; at > 0 && nbits[order[at - 1]] > nbits[m]; at--)
            order[at] = order[at - 1];
        order[at] = m;
    }
}

/* Append the bits [from, to) of the modes in `order`: one of each mode in turn, or all of a mode, then those of the next one. */
static void add_bits(key_bits *key, const int *order, const int *nbits, int norder, const int range[2],
                     bool in_turn)
{
    const int nrounds = in_turn ? range[1] - range[0] : 1;
    for (int round = 0; round < nrounds; round++)
        for (int k = 0; k < norder; k++) {
            const int m = order[k], first = range[0] + round, end = in_turn ? first + 1 : range[1];
            for (int bit = first; bit < end && bit < nbits[m]; bit++) {
                key->mode[key->nbits] = (uint8_t)m;
                key->bit[key->nbits++] = (uint8_t)bit;
            }
        }
}

/* Set the bits that a coordinate has in a box of `box` (0: there are no boxes); the limit is the bits of the longest mode. */
static tsr_status count_box_bits(int *nlow, int64_t box, int most, const char *name, tsr_error *err)
{
    *nlow = most;
    if (box == 0)
        return TSR_OK;
    if ((box & (box - 1)) != 0)
        return tsr_fail(err, TSR_ARGUMENT, "%s: %" PRId64 " is not a power of two, as the size of a box is",
                        name, box);
    const int n = tsr_bit_length((uint64_t)box) - 1;
    *nlow = n < most ? n : most;
    return TSR_OK;
}

static tsr_status fill_key(key_bits *key, int *nbits, const format_request *request, int64_t box,
                           tsr_error *err)
{
    int order[TSR_MAX_ORDER], last_first[TSR_MAX_ORDER], total = 0, most = 0, nlow;
    for (int m = 0; m < request->order; m++) {
        nbits[m] = request->dims[m] > 2 ? tsr_bit_length(request->dims[m] - 1) : 1;
        total += nbits[m];
        most = nbits[m] > most ? nbits[m] : most;
    }
    if (total > 2 * MAX_BITS)
        return tsr_fail(err, TSR_LIMIT,
                        "%s: the coordinates of a cell have %d bits together, more than the limit of %d",
                        request->named->name, total, 2 * MAX_BITS);
    TSR_TRY(count_box_bits(&nlow, box, most, request->named->name, err));
    order_modes(order, nbits, request);
    for (int k = 0; k < request->order; k++)
        last_first[request->order - 1 - k] = request->modes ? request->modes[k] : k;
    key->nbits = 0;
    add_bits(key, order, nbits, request->order, (int[]){0, nlow}, true);
    add_bits(key, last_first, nbits, request->order, (int[]){nlow, most}, false);
    return TSR_OK;
}

/* Append bits [lo, hi) of the key as a sum of runs of bits that stay side by side. */
static void add_runs(tsr_text *text, const key_bits *key, const int *nbits, int lo, int hi)
{
    for (int b = lo, end; b < hi; b = end) {
        const int m = key->mode[b], from = key->bit[b];
        for (end = b + 1; end < hi && key->mode[end] == m; end++)
            continue; /* the bits of a mode are in order */
        const int n = end - b;
        tsr_text_add(text, b > lo ? " + " : "");
        tsr_text_addf(text, "d%d", m);
        if (from > 0)
            tsr_text_addf(text, " floordiv %" PRId64, INT64_C(1) << from);
        if (from + n < nbits[m])
            tsr_text_addf(text, " mod %" PRId64, INT64_C(1) << n);
        if (b > lo)
            tsr_text_addf(text, " * %" PRId64, INT64_C(1) << (b - lo));
    }
}

tsr_status format_add_interleaved(tsr_text *text, bool *applies, const format_request *request,
                                  format_key_part part, int64_t box, tsr_error *err)
{
    key_bits key = {0};
    int nbits[TSR_MAX_ORDER];
    *applies = false;
    if (!request->dims)
        return tsr_fail(err, TSR_ARGUMENT, "%s depends on the dims, which are unknown here",
                        request->named->name);
    TSR_TRY(fill_key(&key, nbits, request, box, err));
    if ((part == FORMAT_KEY_WHOLE) != (key.nbits <= MAX_BITS))
        return TSR_OK;
    *applies = true;
    const int split = key.nbits <= MAX_BITS + LOWER_BITS ? LOWER_BITS : MAX_BITS;
    if (key.nbits == 0)
        tsr_text_add(text, "0");
    add_runs(text, &key, nbits, part == FORMAT_KEY_UPPER ? split : 0,
             part == FORMAT_KEY_LOWER ? split : key.nbits);
    return TSR_OK;
}
