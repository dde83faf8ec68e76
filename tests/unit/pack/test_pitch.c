/* Pitches: random formats of 1 to 4 modes, whole or in blocks, dense with pitches or compressed, against the
 * oracle; from one dense layout to another; padding that holds something. */
#include "oracle.h"
#include "tsr_test.h"

typedef struct random_format {
    char text[1024];
    int order;
    uint64_t dims[4];
    bool pads; /* some cell of a dense level stands for nothing */
} random_format;

/* Add a level: expression, and a type for coordinates [0, size). */
static char *add_level(char *p, random_format *f, tsr_rng *rng, bool sparse, uint64_t size, bool ragged)
{
    if (sparse && tsr_rng_below(rng, 3) == 0)
        return p + sprintf(p, " : compressed");
    f->pads = f->pads || ragged;
    if (tsr_rng_below(rng, 2))
        return p + sprintf(p, " : dense");
    const uint64_t more = tsr_rng_below(rng, 4);
    f->pads = f->pads || more > 0;
    return p + sprintf(p, " : dense(pitch = %d)", (int)(size + more));
}

/* Each mode whole or in blocks; in random order, but the blocks' own levels are after their grid. */
static void make_format(random_format *f, tsr_rng *rng, int order, const uint64_t *dims, bool sparse)
{
    int left = 0, piece[4] = {0}, block[4];
    char *p = f->text;
    *f = (random_format){.order = order};
    for (int m = 0; m < order; m++) {
        f->dims[m] = dims[m];
        block[m] = tsr_rng_below(rng, 2) ? 0 : 1 + (int)tsr_rng_below(rng, 4);
        left += block[m] ? 2 : 1;
    }
    for (int m = 0; m < order; m++)
        p += sprintf(p, m ? ", d%d" : "(d%d", m);
    p += sprintf(p, ") -> (");
    for (bool first = true; left > 0; first = false, left--) {
        int m = (int)tsr_rng_below(rng, (uint64_t)order);
        while (piece[m] == (block[m] ? 2 : 1))
            m = (m + 1) % order;
        const uint64_t b = (uint64_t)block[m];
        const bool inner = piece[m]++ == 1;
        p += sprintf(p, first ? "" : ", ");
        p +=
            b == 0 ? sprintf(p, "d%d", m) : sprintf(p, inner ? "d%d mod %d" : "d%d floordiv %d", m, block[m]);
        p = add_level(p, f, rng, sparse,
                      b == 0  ? dims[m]
                      : inner ? b
                              : (dims[m] - 1) / b + 1,
                      inner && dims[m] % b != 0);
    }
    sprintf(p, ")");
}

static tsr_format *parse(const random_format *f)
{
    tsr_format *format = NULL;
    assert_ok(tsr_format_parse(&format, f->text, f->order, f->dims, err));
    return format;
}

static void random_dims(uint64_t *dims, tsr_rng *rng, int order)
{
    for (int m = 0; m < order; m++)
        dims[m] = 1 + tsr_rng_below(rng, 7);
}

/* ---- packing and back ---- */

/* A position that is not full must not be told apart from one that is by anything but its cell. */
static void test_packs_as_the_oracle(void **state)
{
    (void)state;
    static const tsr_type types[] = {TSR_F64, TSR_I8, TSR_C128, TSR_PATTERN, TSR_F32};
    tsr_rng rng = {51};
    for (int round = 0; round < 600; round++) {
        const int order = 1 + round % 4;
        random_format f;
        oracle o;
        tsr_tensor *tensor = NULL;
        tsr_coo *back = NULL;
        uint64_t dims[4];
        random_dims(dims, &rng, order);
        make_format(&f, &rng, order, dims, round % 2);
        tsr_coo *coo = coo_random(&rng, (tsr_shape){order, dims}, types[round % 5],
                                  1 + tsr_rng_below(&rng, 60), true, true);
        if (round % 3 == 0 && coo->type == TSR_F64) {
            const double nine = 9;
            coo->has_fill = true;
            memcpy(coo->fill, &nine, sizeof nine);
        }
        tsr_format *format = parse(&f);
        oracle_pack(&o, coo, format, TSR_DUP_ERROR);
        const tsr_pack_options options = {
            .nthreads = 1 + round % 3, .duplicates = TSR_DUP_ERROR, .index_width = TSR_INDEX_NARROW};
        assert_ok(tsr_pack(&tensor, coo_copy(coo), format, &options, NULL, err));
        oracle_compare(&o, tensor, TSR_INDEX_NARROW, f.text);
        assert_ok(tsr_tensor_check(tensor, 2, err));
        const double bound = tsr_pack_nbytes_bound(format, dims, coo->type, coo->nnz, TSR_INDEX_NARROW);
        if ((double)tsr_tensor_nbytes(tensor) > bound)
            fail_msg("%s: %d bytes, bounded by %g", f.text, (int)tsr_tensor_nbytes(tensor), bound);
        assert_ok(tsr_unpack(&back, tensor, 1 + round % 3, err));
        coo_sort(coo, format);
        if (tsr_format_has_dense_leaf(format) && coo->type != TSR_PATTERN)
            coo_drop_fill(coo);
        coo_must_equal(coo, back, f.text);
        oracle_clear(&o);
        tsr_coo_free(back);
        tsr_coo_free(coo);
        tsr_tensor_free(tensor);
        tsr_format_free(format);
    }
}

/* ---- dense to dense ---- */

static void test_moves_as_the_oracle(void **state)
{
    (void)state;
    tsr_rng rng = {52};
    for (int round = 0; round < 600; round++) {
        const int order = 1 + round % 4;
        random_format a, b;
        oracle o;
        tsr_tensor *tensor = NULL, *moved = NULL;
        uint64_t dims[4];
        random_dims(dims, &rng, order);
        make_format(&a, &rng, order, dims, false);
        make_format(&b, &rng, order, dims, false);
        tsr_coo *coo =
            coo_random(&rng, (tsr_shape){order, dims}, round % 2 ? TSR_F64 : TSR_U8, 200, true, true);
        coo->has_fill = round % 3 == 0;
        coo->fill[0] = 7;
        tsr_format *from = parse(&a), *to = parse(&b);
        oracle_pack(&o, coo, to, TSR_DUP_ERROR);
        assert_ok(tsr_pack(&tensor, coo, from, NULL, NULL, err));
        const tsr_pack_options options = {.nthreads = 1 + round % 3, .index_width = TSR_INDEX_NARROW};
        assert_ok(tsr_convert(&moved, tensor, to, &options, NULL, err));
        oracle_compare(&o, moved, TSR_INDEX_NARROW, b.text);
        assert_ok(tsr_tensor_check(moved, 1, err));
        oracle_clear(&o);
        tsr_tensor_free(moved);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

/* ---- padding that holds something ---- */

/* Whether some element stands at position p: all of them are asked. */
static bool is_element(const tsr_tensor *tensor, uint64_t p)
{
    int64_t at[4] = {0}, result[TSR_MAX_LEVELS];
    for (int m = 0; m >= 0;) {
        uint64_t position = 0;
        assert_int_equal(tsr_map_eval(result, tensor->format->map, at, NULL), TSR_OK);
        for (int l = 0; l < tensor->nlevels; l++) {
            const uint64_t asked = tensor->format->levels[l].pitch;
            position = position * (asked ? asked : tensor->levels[l].size) + (uint64_t)result[l];
        }
        if (position == p)
            return true;
        for (m = tensor->order - 1; m >= 0 && (uint64_t)++at[m] == tensor->dims[m]; m--)
            at[m] = 0;
    }
    return false;
}

static void test_padding_holds_nothing(void **state)
{
    (void)state;
    tsr_rng rng = {53};
    uint64_t nrefused = 0;
    for (int round = 0; round < 150; round++) {
        const int order = 1 + round % 3;
        random_format a;
        tsr_tensor *tensor = NULL;
        tsr_coo *back = NULL;
        uint64_t dims[4];
        random_dims(dims, &rng, order);
        make_format(&a, &rng, order, dims, false);
        tsr_format *format = parse(&a);
        tsr_coo *coo = coo_random(&rng, (tsr_shape){order, dims}, TSR_U8, 20, true, true);
        assert_ok(tsr_pack(&tensor, coo, format, NULL, NULL, err));
        for (int k = 0; k < 8; k++) {
            const uint64_t p = tsr_rng_below(&rng, tensor->npos);
            unsigned char *value = (unsigned char *)tensor->values.data + p, keep = *value;
            const bool element = is_element(tensor, p);
            tsr_error why = {0};
            *value = 200;
            const tsr_status want = element ? TSR_OK : TSR_CORRUPT;
            if (tsr_tensor_check(tensor, 1, &why) != want || tsr_unpack(&back, tensor, 2, &why) != want)
                fail_msg("%s: position %d: %s", a.text, (int)p, element ? why.message : "goes through");
            if (!element)
                assert_non_null(strstr(why.message, "is padding"));
            nrefused += !element;
            tsr_coo_free(back);
            *value = keep;
        }
        if (a.pads) { /* the fast way sees it, too */
            uint64_t p = tensor->npos;
            while (is_element(tensor, --p))
                ;
            ((unsigned char *)tensor->values.data)[p] = 200;
            tsr_format *dense = NULL;
            tsr_tensor *moved = NULL;
            assert_ok(tsr_format_parse(&dense, &"dddd"[4 - order], order, dims, err));
            assert_int_equal(tsr_convert(&moved, tensor, dense, NULL, NULL, NULL), TSR_CORRUPT);
            assert_null(moved);
            tsr_format_free(dense);
        } else {
            tsr_tensor_free(tensor);
        }
        tsr_format_free(format);
    }
    assert_true(nrefused > 100);
}

/* One value for all positions of dense levels, as a file may have it: padding has it too. */
static void test_padding_of_one_value(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 5};
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    tsr_coo *coo = NULL;
    assert_ok(
        tsr_format_parse(&format, "(i, j) -> (i : dense(pitch = 4), j : dense(pitch = 8))", 2, dims, err));
    assert_ok(tsr_tensor_new(&tensor, format, dims, TSR_F64, err));
    tensor->levels[0].nparents = 1;
    tensor->levels[0].npos = tensor->levels[1].nparents = 4;
    tensor->levels[1].npos = tensor->npos = 32;
    tensor->iso = true;
    assert_ok(tsr_array_init(&tensor->values, 1, sizeof(double), true, "values", err));
    *(double *)tensor->values.data = 3;
    assert_int_equal(tsr_tensor_check(tensor, 1, NULL), TSR_CORRUPT);
    assert_ok(tsr_unpack(&coo, tensor, 2, err));
    assert_int_equal(coo->nnz, 15);
    for (uint64_t e = 0; e < 15; e++) {
        assert_int_equal(tsr_array_get(&coo->crd[0], e), e / 5);
        assert_int_equal(tsr_array_get(&coo->crd[1], e), e % 5);
    }
    tsr_coo_free(coo);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

/* Coordinates of padding that the inverse map could not take without overflow. */
static void test_padding_beyond_64_bits(void **state)
{
    (void)state;
    const uint64_t dims[] = {5};
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    tsr_coo *coo = NULL;
    assert_ok(tsr_format_parse(&format,
                               "(i) -> (i floordiv 4611686018427387904 : dense(pitch = 5), "
                               "i mod 4611686018427387904 : compressed)",
                               1, dims, err));
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){1, dims}, TSR_F64, false, 1, err));
    tsr_array_set(&coo->crd[0], 0, 3);
    *(double *)coo->values.data = 2;
    assert_ok(tsr_pack(&tensor, coo, format, NULL, NULL, err));
    for (uint64_t p = 1; p < 5; p++) {
        tsr_error why = {0};
        tsr_array_set(&tensor->levels[1].pos, p, 0); /* the entry stands under coordinate p of level 0 */
        assert_int_equal(tsr_tensor_check(tensor, 1, &why), TSR_CORRUPT);
        assert_non_null(strstr(why.message, "holds a value, but is outside the tensor"));
        assert_int_equal(tsr_unpack(&coo, tensor, 1, &why), TSR_CORRUPT);
        assert_non_null(strstr(why.message, "is padding"));
    }
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

/* A pitch too large for memory is told before anything is made. */
static void test_too_large(void **state)
{
    (void)state;
    const uint64_t dims[] = {3, 5};
    static const char *const texts[] = {"(i, j) -> (i : dense, j : dense(pitch = 9223372036854775807))",
                                        "(i, j) -> (i : dense(pitch = 4611686018427387904), j : compressed)"};
    for (int k = 0; k < 2; k++) {
        tsr_format *format = NULL;
        tsr_tensor *tensor = NULL;
        tsr_coo *coo = NULL;
        tsr_error why = {0};
        assert_ok(tsr_format_parse(&format, texts[k], 2, dims, err));
        assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 0, err));
        assert_int_equal(tsr_pack(&tensor, coo, format, NULL, NULL, &why), TSR_LIMIT);
        assert_non_null(strstr(why.message, "of 3 x 5 needs "));
        tsr_format_free(format);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packs_as_the_oracle),    cmocka_unit_test(test_moves_as_the_oracle),
        cmocka_unit_test(test_padding_holds_nothing),  cmocka_unit_test(test_padding_of_one_value),
        cmocka_unit_test(test_padding_beyond_64_bits), cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
