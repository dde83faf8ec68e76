/* XLA's layouts: the examples of the documents, and random layouts against the definition in the documents.
 * The text of "Tiled layout" was read in its Chinese translation, that of "Tiled layout: examples of tiling
 * formats" in its Persian one. */
#include "xla_same.h"
#include "xla_oracle.h"
#include "xla_support.h"

/* ---- the documents' examples ---- */

/* Figure 1 and "Linear index formulas": element (2,3) of f32[3,5] in 2x2 tiles. */
static void test_element_of_figure_1(void **state)
{
    (void)state;
    static const char *const texts[] = {"f32[3,5]{1,0:T(2,2)}", "F32[3,5]{1,0:(2,2)}",
                                        "F32[3,5]{1,0:T(2,2)}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        static const int64_t element[] = {2, 3}, combined[] = {1, 1, 0, 1}, bounds[] = {2, 3, 2, 2};
        tsr_xla *xla = xla_of(texts[i]);
        int64_t expanded[TSR_XLA_MAX_EXPANDED], slot, n;
        assert_int_equal(xla->nexpanded, 4);
        assert_memory_equal(xla->expanded, bounds, sizeof bounds);
        assert_ok(tsr_xla_expand(expanded, xla, element, err));
        assert_memory_equal(expanded, combined, sizeof combined);
        assert_ok(tsr_xla_linear(&slot, xla, element, err));
        assert_int_equal(slot, 17);
        tsr_xla *tiles = xla_of("f32[2,3]"), *within = xla_of("f32[2,2]");
        int64_t tile, inside; /* linear_index((1,1), (2,3)) * 2 * 2 + linear_index((0,1), (2,2)) */
        assert_ok(tsr_xla_linear(&tile, tiles, combined, err));
        assert_ok(tsr_xla_linear(&inside, within, combined + 2, err));
        assert_int_equal(slot, tile * 2 * 2 + inside);
        tsr_xla_free(tiles);
        tsr_xla_free(within);
        assert_int_equal(xla->nelems, 15);
        assert_int_equal(xla->nslots, 24);
        assert_ok(tsr_xla_nbytes(&n, xla, err));
        assert_int_equal(n, 96);
        assert_string_equal(xla_text(xla), texts[0]);
        tsr_xla_free(xla);
    }
}

/* Figure 1 on the right: the memory. */
static void test_memory_of_figure_1(void **state)
{
    (void)state;
    tsr_xla *xla = xla_of("f32[3,5]{1,0:T(2,2)}");
    tsr_text text = {0};
    assert_ok(tsr_xla_print_order(&text, xla, 0, INT64_MAX, err));
    assert_string_equal(xla_take(&text), "0,0 0,1 1,0 1,1 0,2 0,3 1,2 1,3 0,4 pad 1,4 pad "
                                         "2,0 2,1 pad pad 2,2 2,3 pad pad 2,4 pad pad pad");
    assert_ok(tsr_xla_print_order(&text, xla, 10, 4, err));
    assert_string_equal(xla_take(&text), "1,4 pad 2,0 2,1");
    assert_ok(tsr_xla_print_order(&text, xla, 22, 40, err));
    assert_string_equal(xla_take(&text), "pad pad");
    tsr_xla_free(xla);
}

static const struct {
    const char *layout, *table;
} tables[] = {
    /* Figure 1 */
    {"f32[3,5]{1,0:T(2,2)}", " 0  1 |  4  5 |  8  .\n"
                             " 2  3 |  6  7 | 10  .\n"
                             "------+-------+------\n"
                             "12 13 | 16 17 | 20  .\n"
                             " .  . |  .  . |  .  .\n"},
    /* Figure 2 */
    {"f32[4,8]{1,0:T(2,4)(2,1)}", " 0 :  2 :  4 :  6 |  8 : 10 : 12 : 14\n"
                                  " 1 :  3 :  5 :  7 |  9 : 11 : 13 : 15\n"
                                  "------------------+------------------\n"
                                  "16 : 18 : 20 : 22 | 24 : 26 : 28 : 30\n"
                                  "17 : 19 : 21 : 23 | 25 : 27 : 29 : 31\n"},
    /* A second tile over the tiles of the first. */
    {"f32[4,4]{1,0:T(2,2)(2,1,1)}", " 0 :  2 |  1 :  3\n"
                                    "........+........\n"
                                    " 4 :  6 |  5 :  7\n"
                                    "--------+--------\n"
                                    " 8 : 10 |  9 : 11\n"
                                    "........+........\n"
                                    "12 : 14 | 13 : 15\n"},
    {"f32[2,3]", "0 1 2\n3 4 5\n"},
    {"f32[2,3]{0,1}", "0 2 4\n1 3 5\n"},
    {"f32[3,5]{1,0:T(*,4)}", " 0  1    2    3 |  4\n"
                             "-----------+--------\n"
                             " 5  6    7 |  8    9\n"
                             "------+-------------\n"
                             "10 11 | 12   13   14\n"},
    {"f32[5]{0:T(2,4)}", " 0  1  2  3 |  8  .  .  .\n"},
    {"f32[]{:T(4)}", "0\n"},
    {"f32[2,1,2]{2,1,0:T(2)}", "d0 = 0\n0 1\n\nd0 = 1\n2 3\n"},
    {"f32[0,3]{1,0:T(2,2)}", ""},
};

static void test_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        tsr_xla *xla = xla_of(tables[i].layout);
        tsr_text text = {0};
        assert_ok(tsr_xla_table(&text, xla, err));
        assert_string_equal(xla_take(&text), tables[i].table);
        tsr_xla_free(xla);
    }
    tsr_xla *large = xla_of("f32[300,300]");
    tsr_text text = {0};
    assert_int_equal(tsr_xla_table(&text, large, NULL), TSR_LIMIT);
    assert_int_equal(text.nbytes, 0);
    tsr_xla_free(large);
}

/* "Tiling as pad-reshape-transpose", on Figure 1, Figure 2 and the combined dims; and other cases. */
static const struct {
    const char *layout, *steps, *combined, *physical;
} steps[] = {
    {"f32[3,5]{1,0:T(2,2)}",
     "shape     f32[3,5]\n"
     "pad       f32[4,6]\n"
     "reshape   f32[2,2,3,2]\n"
     "transpose f32[2,3,2,2]\n",
     "f32[3,5]{1,0:T(2,2)}", "f32[2,3,2,2]{3,2,1,0}"},
    {"f32[4,8]{1,0:T(2,4)(2,1)}",
     "shape     f32[4,8]\n"
     "pad       f32[4,8]\n"
     "reshape   f32[2,2,2,4]\n"
     "transpose f32[2,2,2,4]\n"
     "pad       f32[2,2,2,4]\n"
     "reshape   f32[2,2,1,2,4,1]\n"
     "transpose f32[2,2,1,4,2,1]\n",
     "f32[4,8]{1,0:T(2,4)(2,1)}", "f32[2,2,1,4,2,1]{5,4,3,2,1,0}"},
    {"F32[2,7,8,11,10]{4,3,2,1,0:T(\xE2\x88\x97,\xE2\x88\x97,2,-1,3)}",
     "shape     f32[2,7,8,11,10]\n"
     "combine   f32[112,110]\n"
     "pad       f32[112,111]\n"
     "reshape   f32[56,2,37,3]\n"
     "transpose f32[56,37,2,3]\n",
     "f32[112,110]{1,0:T(2,3)}", "f32[56,37,2,3]{3,2,1,0}"},
    {"bf16[3,5]{0,1:T(2,2)L(32)S(1)}",
     "shape     bf16[3,5]\n"
     "transpose bf16[5,3]\n"
     "pad       bf16[6,4]\n"
     "reshape   bf16[3,2,2,2]\n"
     "transpose bf16[3,2,2,2]\n"
     "tail      32 slots\n",
     "bf16[5,3]{1,0:T(2,2)L(32)S(1)}", "bf16[3,2,2,2]{3,2,1,0}"},
    {"pred[3]{0:T(2,4)E(1)}",
     "shape     pred[3]\n"
     "reshape   pred[1,3]\n"
     "pad       pred[2,4]\n"
     "reshape   pred[1,2,1,4]\n"
     "transpose pred[1,1,2,4]\n",
     "pred[3]{0:T(2,4)E(1)}", "pred[1,1,2,4]{3,2,1,0:E(1)}"},
    {"f32[3]{0:T(*,4)}",
     "shape     f32[3]\n"
     "reshape   f32[1,3]\n"
     "combine   f32[3]\n"
     "pad       f32[4]\n"
     "reshape   f32[1,4]\n"
     "transpose f32[1,4]\n",
     "f32[3]{0:T(4)}", "f32[1,4]{1,0}"},
    {"f32[2,3]{0,1}", "shape     f32[2,3]\ntranspose f32[3,2]\n", "f32[3,2]{1,0}", "f32[3,2]{1,0}"},
    {"f32[]", "shape     f32[]\n", "f32[]", "f32[]"},
};

static void test_same_bytes_as_other_shapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        tsr_xla *xla = xla_of(steps[i].layout), *combined, *physical;
        tsr_text text = {0};
        assert_ok(tsr_xla_print_steps(&text, xla, err));
        assert_string_equal(xla_take(&text), steps[i].steps);
        assert_ok(tsr_xla_combine(&combined, xla, err));
        assert_string_equal(xla_text(combined), steps[i].combined);
        assert_ok(tsr_xla_physical(&physical, xla, err));
        assert_string_equal(xla_text(physical), steps[i].physical);
        tsr_xla_free(xla);
        tsr_xla_free(combined);
        tsr_xla_free(physical);
    }
}

/* "Examples of tiling formats": the memory of each format for an array, and the format that the rule
 * chooses. */
static const struct {
    const char *shape, *name, *layout;
    int64_t nbytes;
} formats[] = {
    {"f32[300,300]", "tpu-8x128", "f32[300,300]{1,0:T(8,128)}", 304 * 384 * 4},
    {"f32[1,200]", "tpu-2x128", "f32[1,200]{1,0:T(2,128)}", 2048},
    {"f32[2,200]", "tpu-2x128", "f32[2,200]{1,0:T(2,128)}", 2048},
    {"f32[3,200]", "tpu-4x128", "f32[3,200]{1,0:T(4,128)}", 4096},
    {"f32[4,200]", "tpu-4x128", "f32[4,200]{1,0:T(4,128)}", 4096},
    {"f32[5,200]", "tpu-8x128", "f32[5,200]{1,0:T(8,128)}", 8192},
    {"f32[5,7,2]{0,2,1}", "tpu-2x128", "f32[5,7,2]{0,2,1:T(2,128)}", 7 * 256 * 4},
    {"f32[5,7,9]{0,2,1}", "tpu-8x128", "f32[5,7,9]{0,2,1:T(8,128)}", 7 * 16 * 128 * 4},
    {"f32[7]", "tpu-2x128", "f32[7]{0:T(2,128)}", 1024},
    {"f32[]", "tpu-2x128", "f32[]{:T(2,128)}", 1024},
    {"s64[5,200]", "tpu-8x128", "s64[5,200]{1,0:T(8,128)}", 16384},
    {"bf16[9,130]", "tpu-16bit", "bf16[9,130]{1,0:T(8,128)(2,1)}", 8192},
    {"f16[2,130]", "tpu-16bit", "f16[2,130]{1,0:T(8,128)(2,1)}", 4096},
    {"u8[33,257]", "tpu-8bit", "u8[33,257]{1,0:T(8,128)(4,1)}", 15360},
    {"pred[40,200]", "tpu-8bit", "pred[40,200]{1,0:T(8,128)(4,1)}", 10240},
    {"pred[40,200]{1,0:E(1)}", "tpu-1bit", "pred[40,200]{1,0:T(32,128)(32,1)E(1)}", 2048},
};

static void test_formats_are_chosen(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        tsr_xla *shape = xla_of(formats[i].shape), *xla;
        const tsr_xla_named *named;
        int64_t nbytes;
        assert_ok(tsr_xla_choose(&named, shape, err));
        assert_string_equal(named->name, formats[i].name);
        assert_ok(tsr_xla_apply_named(&xla, shape, named->name, err));
        assert_string_equal(xla_text(xla), formats[i].layout);
        assert_ok(tsr_xla_nbytes(&nbytes, xla, err));
        assert_int_equal(nbytes, formats[i].nbytes);
        tsr_xla_free(shape);
        tsr_xla_free(xla);
    }
}

static void test_formats_by_name(void **state)
{
    (void)state;
    int n;
    const tsr_xla_named *named = tsr_xla_named_list(&n);
    assert_int_equal(n, 7);
    for (int i = 0; i < n; i++) {
        tsr_xla *shape = xla_of("pred[9,130]{0,1:T(3,3)S(2)}"), *xla, *alone = xla_of("{1,0}"), *tiled;
        char expected[80];
        const char *e = named[i].nbits == 1 ? "E(1)" : "", *t = *named[i].tiles ? "T" : "";
        assert_ok(tsr_xla_apply_named(&xla, shape, named[i].name, err));
        snprintf(expected, sizeof expected, "pred[9,130]{0,1:%s%s%sS(2)}", t, named[i].tiles, e);
        assert_string_equal(xla_text(xla), expected);
        assert_ok(tsr_xla_apply_named(&tiled, alone, named[i].name, err));
        snprintf(expected, sizeof expected, *t ? "{1,0:%s%s%s}" : "{1,0}", t, named[i].tiles, e);
        assert_string_equal(xla_text(tiled), expected);
        tsr_xla_free(shape);
        tsr_xla_free(xla);
        tsr_xla_free(alone);
        tsr_xla_free(tiled);
    }
}

/* The 16-bit format packs an element of an even row and one of the next row into 32 bits; the 8-bit format
 * four elements of a column; the 1-bit format 32. */
static void test_packed_formats_gather_columns(void **state)
{
    (void)state;
    static const struct {
        const char *layout;
        int together;
    } packed[] = {{"bf16[64,256]{1,0:T(8,128)(2,1)}", 2},
                  {"s8[64,256]{1,0:T(8,128)(4,1)}", 4},
                  {"pred[64,256]{1,0:T(32,128)(32,1)E(1)}", 32}};
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        tsr_xla *xla = xla_of(packed[i].layout);
        int64_t word_nbits = packed[i].together * tsr_xla_element_nbits(xla);
        assert_int_equal(word_nbits, 32);
        for (int64_t slot = 0; slot < xla->nslots; slot++) {
            int64_t at[2], first[2];
            bool padding;
            assert_ok(tsr_xla_element(at, &padding, xla, slot, err));
            assert_ok(tsr_xla_element(first, &padding, xla, slot - slot % packed[i].together, err));
            assert_int_equal(at[1], first[1]);
            assert_int_equal(at[0], first[0] + slot % packed[i].together);
        }
        tsr_xla_free(xla);
    }
}

/* ---- random layouts against the definition ---- */

static int64_t number_of(const tsr_xla *xla, const int64_t *coords)
{
    int64_t e = 0;
    for (int d = 0; d < xla->rank; d++)
        e = e * xla->dims[d] + coords[d];
    return e;
}

/* Every slot holds the element of the definition, and tsr_xla_linear leads back to the slot; every element
 * has a slot. */
static void check_slots(const tsr_xla *xla, const int64_t *memory)
{
    int64_t found = 0, coords[TSR_XLA_MAX_RANK], slot;
    for (int64_t i = 0; i < xla->nslots; i++) {
        bool padding;
        assert_ok(tsr_xla_element(coords, &padding, xla, i, err));
        assert_int_equal(padding ? -1 : number_of(xla, coords), memory[i]);
        if (padding)
            continue;
        found++;
        assert_ok(tsr_xla_linear(&slot, xla, coords, err));
        assert_int_equal(slot, i);
    }
    assert_int_equal(found, xla->nelems);
}

/* The map gives the same as tsr_xla_expand, within the levels; the slot map gives the slot. */
static void check_map(const tsr_xla *xla)
{
    tsr_map *map, *slot_map;
    int64_t coords[TSR_XLA_MAX_RANK] = {0};
    assert_ok(tsr_xla_to_map(&map, xla, err));
    assert_ok(tsr_xla_to_slot_map(&slot_map, xla, err));
    assert_int_equal(tsr_map_nresults(slot_map), 1);
    assert_int_equal(tsr_map_ndims(map), xla->rank);
    assert_int_equal(tsr_map_nresults(map), xla->nexpanded);
    do {
        int64_t expanded[TSR_XLA_MAX_EXPANDED], results[TSR_MAP_MAX_RESULTS];
        assert_ok(tsr_xla_expand(expanded, xla, coords, err));
        assert_ok(tsr_map_eval(results, map, coords, err));
        for (int r = 0; r < xla->nexpanded; r++) {
            assert_int_equal(results[r], expanded[r]);
            assert_in_range(results[r], 0, xla->expanded[r] - 1);
        }
        int64_t slot, result;
        assert_ok(tsr_xla_linear(&slot, xla, coords, err));
        assert_ok(tsr_map_eval(&result, slot_map, coords, err));
        assert_int_equal(result, slot);
    } while (xla_next(coords, xla));
    tsr_map_free(map);
    tsr_map_free(slot_map);
}

static bool has_star(const tsr_xla *xla)
{
    for (int k = 0; k < xla->ntiles; k++)
        for (int i = 0; i < xla->tiles[k].rank; i++)
            if (xla->tiles[k].t[i] == TSR_XLA_STAR)
                return true;
    return false;
}

/* Whether a star folds dims and another tile cuts them, too: then tsr_xla_strides may return false for a
 * linear layout. */
static bool has_cut_stars(const tsr_xla *xla)
{
    return xla->ntiles > 1 && has_star(xla);
}

/* tsr_xla_strides returns whether the slots are linear in the coordinates: exactly, or (if not `exact`) never
 * wrongly true. */
static void check_strides(const tsr_xla *xla, bool exact)
{
    int64_t strides[TSR_XLA_MAX_RANK], unit[TSR_XLA_MAX_RANK] = {0}, coords[TSR_XLA_MAX_RANK] = {0}, slot;
    bool linear = true;
    const bool said = tsr_xla_strides(strides, xla);
    int64_t steps_by[TSR_XLA_MAX_RANK];
    for (int d = 0; d < xla->rank; d++) {
        unit[d] = xla->dims[d] > 1;
        assert_ok(tsr_xla_linear(&steps_by[d], xla, unit, err));
        unit[d] = 0;
    }
    do {
        int64_t sum = 0;
        for (int d = 0; d < xla->rank; d++)
            sum += steps_by[d] * coords[d];
        assert_ok(tsr_xla_linear(&slot, xla, coords, err));
        linear &= slot == sum;
    } while (xla_next(coords, xla));
    if (said)
        assert_true(linear);
    if (said)
        assert_memory_equal(strides, steps_by, (size_t)xla->rank * sizeof *strides);
    if (exact)
        assert_int_equal(said, linear);
}

/* The digits give the same as tsr_xla_expand; returns whether there are digits. */
static bool check_digits(const tsr_xla *xla)
{
    tsr_xla_digit digits[TSR_XLA_MAX_EXPANDED];
    int64_t coords[TSR_XLA_MAX_RANK] = {0}, expanded[TSR_XLA_MAX_EXPANDED];
    if (!tsr_xla_digits(digits, xla))
        return false;
    do {
        int64_t slot, sum = 0;
        assert_ok(tsr_xla_expand(expanded, xla, coords, err));
        for (int i = 0; i < xla->nexpanded; i++) {
            int64_t x = digits[i].dim < 0 ? 0 : coords[digits[i].dim] / digits[i].divisor;
            if (digits[i].modulus > 0)
                x %= digits[i].modulus;
            assert_int_equal(x, expanded[i]);
            assert_int_equal(digits[i].size, xla->expanded[i]);
            assert_in_range(x, 0, digits[i].extent - 1);
            assert_true(digits[i].extent <= digits[i].size);
            sum += x * digits[i].stride;
        }
        assert_ok(tsr_xla_linear(&slot, xla, coords, err));
        assert_int_equal(sum, slot);
    } while (xla_next(coords, xla));
    return true;
}

/* The combined shape has the same slots, numbered in physical order; the physical shape has no padding. */
static void check_other_shapes(const tsr_xla *xla, const int64_t *memory)
{
    tsr_xla *combined, *physical;
    tsr_error error = {0};
    assert_ok(tsr_xla_combine(&combined, xla, err));
    assert_int_equal(combined->nslots, xla->nslots);
    int64_t *slots = xla_memory(combined);
    for (int64_t i = 0; i < xla->nslots; i++) {
        int64_t coords[TSR_XLA_MAX_RANK], number = 0;
        bool padding;
        assert_ok(tsr_xla_element(coords, &padding, xla, i, err));
        for (int d = xla->rank - 1; d >= 0; d--)
            number = number * xla->dims[xla->order[d]] + coords[xla->order[d]];
        assert_int_equal(slots[i], memory[i] < 0 ? -1 : number);
    }
    if (tsr_xla_physical(&physical, xla, &error) == TSR_OK) {
        assert_true(physical->nslots <= xla->nslots && xla->nslots - physical->nslots < xla->tail);
        assert_true(tsr_xla_is_linear(physical));
        tsr_xla_free(physical);
    } else {
        assert_int_equal(error.status, TSR_LIMIT);
        assert_true(xla->nexpanded > TSR_XLA_MAX_RANK);
    }
    free(slots);
    tsr_xla_free(combined);
}

static void check_text(const tsr_xla *xla)
{
    const char *text = xla_text(xla);
    tsr_xla *again = xla_of(text);
    assert_true(xla_same(xla, again));
    assert_string_equal(xla_text(again), text);
    tsr_xla_free(again);
}

/* A linear layout has the elements in physical order, without padding. */
static void check_is_linear(const tsr_xla *xla, const int64_t *memory)
{
    bool linear = xla->nslots == xla->nelems;
    char text[256] = "";
    snprintf(text, sizeof text, "%s", xla_text(xla));
    char *colon = strchr(text, ':');
    if (colon)
        strcpy(colon, "}");
    tsr_xla *plain = xla_of(text);
    int64_t *order = xla_memory(plain);
    for (int64_t i = 0; linear && i < xla->nslots; i++)
        linear = order[i] == memory[i];
    if (!has_cut_stars(xla))
        assert_int_equal(tsr_xla_is_linear(xla), linear);
    else if (tsr_xla_is_linear(xla))
        assert_true(linear);
    free(order);
    tsr_xla_free(plain);
}

static void test_random_layouts(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 20261120};
    int nlinear = 0, ndigits = 0, nstars = 0, npadded = 0;
    for (int i = 0; i < 4000; i++) {
        tsr_xla *xla = xla_random(&rng);
        int64_t *memory = xla_memory(xla), strides[TSR_XLA_MAX_RANK];
        check_slots(xla, memory);
        check_map(xla);
        check_strides(xla, !has_cut_stars(xla));
        check_other_shapes(xla, memory);
        check_is_linear(xla, memory);
        check_text(xla);
        const bool digits = check_digits(xla);
        if (xla->ntiles == 0 || (xla->ntiles == 1 && !has_star(xla)))
            assert_true(digits);
        ndigits += digits;
        nlinear += tsr_xla_strides(strides, xla);
        nstars += has_cut_stars(xla);
        npadded += xla->nslots > xla->nelems;
        free(memory);
        tsr_xla_free(xla);
    }
    assert_true(nlinear > 100 && ndigits > 100 && nstars > 100 && npadded > 100);
}

/* Digits written as dim, divisor, modulus, size. */
static const struct {
    const char *shape;
    int n;
    int64_t digits[8][4];
    const char *layout; /* NULL: there is none */
} from_digits[] = {
    {"f32[3,5]", 2, {{0, 1, 0, 3}, {1, 1, 0, 5}}, "f32[3,5]{1,0}"},
    {"f32[3,5]", 2, {{1, 1, 0, 5}, {0, 1, 0, 3}}, "f32[3,5]{0,1}"},
    {"f32[3,5]{0,1:T(7)}",
     4,
     {{0, 2, 0, 2}, {1, 2, 0, 3}, {0, 1, 2, 2}, {1, 1, 2, 2}},
     "f32[3,5]{1,0:T(2,2)}"},
    {"f32[2,3,5]", 3, {{1, 1, 0, 3}, {2, 1, 0, 5}, {0, 1, 0, 2}}, "f32[2,3,5]{0,2,1}"},
    /* The four fractals of TLA, R = 2 and C = 4 on a ragged 5x9: zZ, nN, zN, nZ. */
    {"f32[5,9]", 4, {{0, 2, 0, 3}, {1, 4, 0, 3}, {0, 1, 2, 2}, {1, 1, 4, 4}}, "f32[5,9]{1,0:T(2,4)}"},
    {"f32[5,9]", 4, {{1, 4, 0, 3}, {0, 2, 0, 3}, {1, 1, 4, 4}, {0, 1, 2, 2}}, "f32[5,9]{0,1:T(4,2)}"},
    {"f32[5,9]", 4, {{1, 4, 0, 3}, {0, 2, 0, 3}, {0, 1, 2, 2}, {1, 1, 4, 4}}, "f32[5,9]{0,1:T(4,2)(4,1)}"},
    {"f32[5,9]", 4, {{0, 2, 0, 3}, {1, 4, 0, 3}, {1, 1, 4, 4}, {0, 1, 2, 2}}, "f32[5,9]{1,0:T(2,4)(2,1)}"},
    {"bf16[20,300]",
     5,
     {{0, 8, 0, 3}, {1, 128, 0, 3}, {0, 2, 4, 4}, {1, 1, 128, 128}, {0, 1, 2, 2}},
     "bf16[20,300]{1,0:T(8,128)(2,1)}"},
    /* Two digits of one dim the wrong way round take a tile that moves one of them. */
    {"f32[6]", 2, {{0, 1, 2, 2}, {0, 2, 0, 3}}, NULL},
    {"f32[3,5]", 1, {{0, 1, 0, 3}}, NULL},
    {"f32[3,5]", 2, {{0, 1, 0, 4}, {1, 1, 0, 5}}, "f32[3,5]{1,0:T(4,5)}"},
    {"f32[3,5]", 2, {{0, 1, 0, 3}, {1, 1, 0, 4}}, NULL},
    {"f32[4,1]", 3, {{0, 2, 0, 2}, {0, 1, 2, 2}, {1, 1, 2, 2}}, "f32[4,1]{1,0:T(2,2)}"},
    {"f32[0,5]", 2, {{0, 1, 0, 1}, {1, 1, 0, 5}}, NULL},
    {"f32[]", 0, {{0}}, "f32[]"},
};

static void test_layouts_of_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof from_digits / sizeof from_digits[0]; i++) {
        tsr_xla *shape = xla_of(from_digits[i].shape), *xla;
        tsr_xla_digit digits[8];
        tsr_error error = {0};
        for (int k = 0; k < from_digits[i].n; k++)
            digits[k] = (tsr_xla_digit){.dim = (int)from_digits[i].digits[k][0],
                                        .divisor = from_digits[i].digits[k][1],
                                        .modulus = from_digits[i].digits[k][2],
                                        .size = from_digits[i].digits[k][3]};
        const tsr_status status = tsr_xla_from_digits(&xla, shape, from_digits[i].n, digits, &error);
        assert_int_equal(status, from_digits[i].layout ? TSR_OK : TSR_UNSUPPORTED);
        if (xla)
            assert_string_equal(xla_text(xla), from_digits[i].layout);
        tsr_xla_free(xla);
        digits[0].size = 0;
        assert_int_equal(tsr_xla_from_digits(&xla, shape, 1, digits, &error), TSR_ARGUMENT);
        assert_int_equal(tsr_xla_from_digits(&xla, shape, 65, digits, &error), TSR_LIMIT);
        tsr_xla_free(shape);
    }
}

/* A layout that is found from its digits has the same slots. */
static void test_random_layouts_are_found_again(void **state)
{
    (void)state;
    tsr_rng rng = {.s = 5};
    int nfound = 0, ntried = 0;
    while (ntried < 300) {
        tsr_xla *xla = xla_random(&rng), *shape, *found;
        tsr_xla_digit digits[TSR_XLA_MAX_EXPANDED];
        if (xla->tail == 1 && xla->rank <= 3 && tsr_xla_digits(digits, xla)) {
            ntried++;
            assert_ok(tsr_xla_retile(&shape, xla, 0, NULL, err));
            if (tsr_xla_from_digits(&found, shape, xla->nexpanded, digits, NULL) == TSR_OK) {
                nfound++;
                assert_true(found->ntiles <= xla->ntiles);
                int64_t *memory = xla_memory(xla), *again = xla_memory(found);
                assert_int_equal(found->nslots, xla->nslots);
                assert_memory_equal(memory, again, (size_t)xla->nslots * sizeof *memory);
                free(memory);
                free(again);
                tsr_xla_free(found);
            }
            tsr_xla_free(shape);
        }
        tsr_xla_free(xla);
    }
    assert_true(nfound > 150);
}

/* Elements in the same tile have the same index, elements in different tiles different indices. */
static void test_tile_index(void **state)
{
    (void)state;
    tsr_xla *xla = xla_of("f32[5,9]{1,0:T(2,4)(2,1)}");
    int64_t padded[2];
    assert_ok(tsr_xla_padded_dims(padded, xla, err));
    assert_int_equal(padded[0], 6);
    assert_int_equal(padded[1], 12);
    for (int64_t r = 0; r < padded[0]; r++)
        for (int64_t c = 0; c < padded[1]; c++) {
            const int64_t at[] = {r, c};
            int64_t index;
            assert_ok(tsr_xla_tile_index(&index, xla, 0, at, err));
            assert_int_equal(index, r / 2 * 3 + c / 4);
            assert_ok(tsr_xla_tile_index(&index, xla, 1, at, err));
            assert_int_equal(index, (r / 2 * 3 + c / 4) * 4 + c % 4);
        }
    int64_t index;
    assert_int_equal(tsr_xla_tile_index(&index, xla, 2, padded, NULL), TSR_RANGE);
    assert_int_equal(tsr_xla_tile_index(&index, xla, 0, padded, NULL), TSR_RANGE);
    tsr_xla_free(xla);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_element_of_figure_1),
        cmocka_unit_test(test_memory_of_figure_1),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_same_bytes_as_other_shapes),
        cmocka_unit_test(test_formats_are_chosen),
        cmocka_unit_test(test_formats_by_name),
        cmocka_unit_test(test_packed_formats_gather_columns),
        cmocka_unit_test(test_random_layouts),
        cmocka_unit_test(test_tile_index),
        cmocka_unit_test(test_layouts_of_digits),
        cmocka_unit_test(test_random_layouts_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
