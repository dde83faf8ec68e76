/* Keys that interleave the bits of all coordinates of a cell, as expressions of index maps (Helal et al., "ALTO:
 * adaptive linearized storage of sparse tensors", ICS 2021).
 *
 * The rule: the lowest bits of the modes come first, one from each mode, the mode with the fewest bits first; then
 * the next bits of the modes that have more, and so on. A mode of dim n has as many bits as n - 1, and at least
 * one. So entries with near keys have near coordinates in all modes, and the highest bits, which divide the
 * entries among threads, are of the longest mode. */
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

static tsr_status fill_key(key_bits *key, int *nbits, const format_request *request, tsr_error *err)
{
    int order[TSR_MAX_ORDER], total = 0, most = 0;
    for (int m = 0; m < request->order; m++) {
        nbits[m] = request->dims[m] > 2 ? tsr_bit_length(request->dims[m] - 1) : 1;
        total += nbits[m];
        most = nbits[m] > most ? nbits[m] : most;
    }
    if (total > 2 * MAX_BITS)
        return tsr_fail(err, TSR_LIMIT,
                        "%s: the coordinates of a cell have %d bits together, more than the limit of %d",
                        request->named->name, total, 2 * MAX_BITS);
    order_modes(order, nbits, request);
    key->nbits = 0;
    for (int bit = 0; bit < most; bit++)
        for (int k = 0; k < request->order; k++)
            if (bit < nbits[order[k]]) {
                key->mode[key->nbits] = (uint8_t)order[k];
                key->bit[key->nbits++] = (uint8_t)bit;
            }
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
                                  format_key_part part, tsr_error *err)
{
    key_bits key = {0};
    int nbits[TSR_MAX_ORDER];
    *applies = false;
    if (!request->dims)
        return tsr_fail(err, TSR_ARGUMENT, "%s depends on the dims, which are unknown here",
                        request->named->name);
    TSR_TRY(fill_key(&key, nbits, request, err));
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
