/* The named formats of XLA's TPU document, and its rule for choosing one. */
#include "xla_internal.h"

#include <string.h>

enum { FOLDED, TPU_8X128, TPU_2X128, TPU_4X128, TPU_16BIT, TPU_8BIT, TPU_1BIT, NNAMED };

static const tsr_xla_named named[NNAMED] = {
    [FOLDED] = {"folded", "", 0, "the linear format of C++, for arrays that are not on a TPU"},
    [TPU_8X128] = {"tpu-8x128", "(8,128)", 32, "the most common one: a tile fills a vector register"},
    [TPU_2X128] = {"tpu-2x128", "(2,128)", 32, "small: the second most minor dim is 1 or 2"},
    [TPU_4X128] = {"tpu-4x128", "(4,128)", 32, "small: the second most minor dim is 3 or 4"},
    [TPU_16BIT] = {"tpu-16bit", "(8,128)(2,1)", 16, "two elements of a column make 32 bits"},
    [TPU_8BIT] = {"tpu-8bit", "(8,128)(4,1)", 8, "four elements of a column make 32 bits"},
    [TPU_1BIT] = {"tpu-1bit", "(32,128)(32,1)", 1, "pred packed: 32 elements of a column make 32 bits"},
};

const tsr_xla_named *tsr_xla_named_list(int *n)
{
    *n = NNAMED;
    return named;
}

/* `layout` with the tiles of a named format. */
static tsr_status retile(tsr_xla **out, const tsr_xla *layout, const char *tiles, tsr_error *err)
{
    tsr_xla read = {.ntiles = 0};
    tsr_cursor cursor = {.start = tiles, .p = tiles};
    if (*tiles != '\0')
        TSR_TRY(xla_parse_tiles(&read, &cursor, err));
    return tsr_xla_retile(out, layout, read.ntiles, read.tiles, err);
}

static tsr_status no_such_name(const char *name, tsr_error *err)
{
    tsr_text names = {0};
    for (int i = 0; i < NNAMED; i++)
        tsr_text_addf(&names, i > 0 ? ", %s" : "%s", named[i].name);
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "unknown XLA format '%.40s' (known: %s)", name, tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

tsr_status tsr_xla_apply_named(tsr_xla **out, const tsr_xla *layout, const char *name, tsr_error *err)
{
    int i = 0;
    *out = NULL;
    while (i < NNAMED && strcmp(named[i].name, name) != 0)
        i++;
    if (i == NNAMED)
        return no_such_name(name, err);
    if (i != TPU_1BIT)
        return retile(out, layout, named[i].tiles, err);
    static const char *const one_bit[] = {"", "pred", "s1", "u1"};
    size_t t = 0;
    while (t < sizeof one_bit / sizeof one_bit[0] && strcmp(one_bit[t], layout->type) != 0)
        t++;
    if (t == sizeof one_bit / sizeof one_bit[0])
        return tsr_fail(err, TSR_ARGUMENT, "tpu-1bit stores one bit per element, but %s has more",
                        layout->type);
    tsr_xla *packed;
    TSR_TRY(xla_copy(&packed, layout, err));
    packed->element_nbits = 1;
    const tsr_status status = retile(out, packed, named[i].tiles, err);
    tsr_xla_free(packed);
    return status;
}

tsr_status tsr_xla_choose(const tsr_xla_named **out, const tsr_xla *xla, tsr_error *err)
{
    const int64_t nbits = tsr_xla_element_nbits(xla);
    *out = NULL;
    TSR_TRY(xla_need_dims(xla, err));
    if (nbits == 0)
        return tsr_fail(err, TSR_ARGUMENT, "the element size is unknown: give a type or E(bits)");
    const int64_t second = xla->rank >= 2 ? xla->dims[xla->order[1]] : 1;
    if (nbits == 1)
        *out = &named[TPU_1BIT];
    else if (nbits == 8)
        *out = &named[TPU_8BIT];
    else if (nbits == 16)
        *out = &named[TPU_16BIT];
    else if (nbits >= 32)
        *out = &named[second == 1 || second == 2   ? TPU_2X128
                      : second == 3 || second == 4 ? TPU_4X128
                                                   : TPU_8X128];
    else
        return tsr_fail(err, TSR_UNSUPPORTED, "no TPU format for elements of %lld bits", (long long)nbits);
    return TSR_OK;
}
