/* XLA layouts: what parses prints as text that parses back the same; slots and elements lead to each other,
 * and the map says the same as the direct formula. Mosaic's tiled layouts: parse, print, parse. */
#include "xla_same.h"
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tsr_xla.h"

static void check_print(const tsr_xla *xla)
{
    tsr_text text = {0};
    tsr_xla *back;
    tsr_xla_print(&text, xla);
    TSR_FUZZ_MUST(tsr_text_status(&text, NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_xla_parse(&back, tsr_text_cstr(&text), NULL) == TSR_OK);
    TSR_FUZZ_MUST(xla_same(xla, back));
    tsr_xla_free(back);
    tsr_text_clear(&text);
}

/* The digits are the expanded coordinates of an element. */
static void check_digits(const tsr_xla *xla, const int64_t *coords, const int64_t *expanded)
{
    tsr_xla_digit digits[TSR_XLA_MAX_EXPANDED];
    if (!tsr_xla_digits(digits, xla))
        return;
    for (int i = 0; i < xla->nexpanded; i++) {
        const int64_t x = digits[i].dim < 0 ? 0 : coords[digits[i].dim] / digits[i].divisor;
        TSR_FUZZ_MUST((digits[i].modulus > 0 ? x % digits[i].modulus : x) == expanded[i]);
    }
}

static void check_element(const tsr_xla *xla, const tsr_map *map, int64_t slot)
{
    int64_t coords[TSR_XLA_MAX_RANK], expanded[TSR_XLA_MAX_EXPANDED], results[TSR_MAP_MAX_RESULTS], back;
    bool padding;
    TSR_FUZZ_MUST(tsr_xla_element(coords, &padding, xla, slot, NULL) == TSR_OK);
    if (padding)
        return;
    TSR_FUZZ_MUST(tsr_xla_linear(&back, xla, coords, NULL) == TSR_OK);
    TSR_FUZZ_MUST(back == slot);
    TSR_FUZZ_MUST(tsr_xla_expand(expanded, xla, coords, NULL) == TSR_OK);
    check_digits(xla, coords, expanded);
    if (map && tsr_map_eval(results, map, coords, NULL) == TSR_OK)
        TSR_FUZZ_MUST(memcmp(results, expanded, (size_t)xla->nexpanded * sizeof *results) == 0);
}

static void check_slots(const tsr_xla *xla)
{
    tsr_map *map, *slots;
    const tsr_status status = tsr_xla_to_map(&map, xla, NULL);
    TSR_FUZZ_MUST((status == TSR_OK) == (map != NULL));
    if (tsr_xla_to_slot_map(&slots, xla, NULL) == TSR_OK && xla->nelems > 0) {
        int64_t coords[TSR_XLA_MAX_RANK], slot, result;
        for (int d = 0; d < xla->rank; d++)
            coords[d] = xla->dims[d] - 1;
        TSR_FUZZ_MUST(tsr_xla_linear(&slot, xla, coords, NULL) == TSR_OK);
        TSR_FUZZ_MUST(tsr_map_eval(&result, slots, coords, NULL) != TSR_OK || result == slot);
    }
    tsr_map_free(slots);
    for (int64_t i = 0; i < 16 && i < xla->nslots; i++) {
        check_element(xla, map, i);
        check_element(xla, map, xla->nslots - 1 - i);
        check_element(xla, map, (int64_t)((uint64_t)i * 0x9E3779B97F4A7C15u % (uint64_t)xla->nslots));
    }
    tsr_map_free(map);
}

/* The strides give the slots of the corners. */
static void check_strides(const tsr_xla *xla)
{
    int64_t strides[TSR_XLA_MAX_RANK], coords[TSR_XLA_MAX_RANK], slot, sum = 0;
    if (!tsr_xla_strides(strides, xla) || xla->nelems == 0)
        return;
    for (int d = 0; d < xla->rank; d++) {
        coords[d] = xla->dims[d] - 1;
        sum += coords[d] * strides[d];
    }
    TSR_FUZZ_MUST(tsr_xla_linear(&slot, xla, coords, NULL) == TSR_OK);
    TSR_FUZZ_MUST(slot == sum);
    if (tsr_xla_is_linear(xla))
        TSR_FUZZ_MUST(slot == xla->nslots - 1);
}

static void check_others(const tsr_xla *xla)
{
    tsr_text text = {0};
    tsr_xla *made;
    const tsr_xla_named *named;
    int64_t nbytes;
    if (tsr_xla_combine(&made, xla, NULL) == TSR_OK) {
        TSR_FUZZ_MUST(made->nslots == xla->nslots);
        check_print(made);
    }
    tsr_xla_free(made);
    if (tsr_xla_physical(&made, xla, NULL) == TSR_OK)
        check_print(made);
    tsr_xla_free(made);
    if (tsr_xla_choose(&named, xla, NULL) == TSR_OK &&
        tsr_xla_apply_named(&made, xla, named->name, NULL) == TSR_OK) {
        check_print(made);
        tsr_xla_free(made);
    }
    const tsr_status sized = tsr_xla_nbytes(&nbytes, xla, NULL);
    TSR_FUZZ_MUST(sized != TSR_OK || nbytes >= 0);
    const tsr_status stepped = tsr_xla_print_steps(&text, xla, NULL);
    TSR_FUZZ_MUST(stepped == TSR_OK || stepped == TSR_LIMIT);
    if (xla->nslots <= 256) {
        const tsr_status drawn = tsr_xla_table(&text, xla, NULL);
        TSR_FUZZ_MUST(drawn == TSR_OK || drawn == TSR_LIMIT);
    }
    tsr_text_clear(&text);
}

static void check_tpu_tiled(const char *s)
{
    tsr_tpu_tiled tiled, back;
    tsr_text text = {0};
    int64_t strides[TSR_XLA_MAX_EXPANDED];
    int n;
    if (tsr_tpu_tiled_parse(&tiled, s, NULL) != TSR_OK)
        return;
    tsr_tpu_tiled_print(&text, &tiled);
    TSR_FUZZ_MUST(tsr_tpu_tiled_parse(&back, tsr_text_cstr(&text), NULL) == TSR_OK);
    TSR_FUZZ_MUST(memcmp(&tiled, &back, sizeof back) == 0);
    const tsr_status status = tsr_tpu_tiled_expanded_strides(strides, &n, &tiled, NULL);
    TSR_FUZZ_MUST(status == TSR_OK || status == TSR_LIMIT);
    TSR_FUZZ_MUST(tsr_tpu_tiled_contiguous_dims(&n, &tiled, tiled.rank, tiled.strides, NULL) == TSR_OK);
    TSR_FUZZ_MUST(n >= 0 && n <= tiled.rank);
    tsr_text_clear(&text);
}

/* A sparse layout has no offsets. */
static void check_no_slots(const tsr_xla *xla)
{
    int64_t coords[TSR_XLA_MAX_RANK] = {0}, slot;
    bool padding;
    tsr_map *map;
    TSR_FUZZ_MUST(tsr_xla_element(coords, &padding, xla, 0, NULL) != TSR_OK);
    TSR_FUZZ_MUST(tsr_xla_linear(&slot, xla, coords, NULL) != TSR_OK);
    TSR_FUZZ_MUST(tsr_xla_to_slot_map(&map, xla, NULL) != TSR_OK && map == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char *const text = tsr_fuzz_text(data, nbytes);
    tsr_xla *xla;
    tsr_error err = {0};
    const tsr_status status = tsr_xla_parse(&xla, text, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (xla != NULL));
    if (status != TSR_OK)
        TSR_FUZZ_MUST(err.status == status && err.message[0] != '\0' && err.col > 0 && err.col <= nbytes + 1);
    if (xla)
        check_print(xla);
    if (xla && xla->has_dims && !tsr_xla_is_dense(xla)) {
        check_no_slots(xla);
    } else if (xla && xla->has_dims) {
        check_slots(xla);
        check_strides(xla);
        check_others(xla);
    }
    tsr_xla_free(xla);
    check_tpu_tiled(text);
    free(text);
    return 0;
}
