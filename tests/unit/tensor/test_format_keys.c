/* Interleaved keys (alto, keys in boxes, linear ones with a lower level): the format's map, its plan, and the rule bit by bit agree. */
#include "tsr_test.h"

#include "tsr_format.h"

static int bits_of_dim(uint64_t dim)
{
    int n = 1;
    while (n < 64 && dim > 0 && (dim - 1) >> n)
        n++;
    return n;
}

/* The key by the rule of formats/storage/README.md, bit by bit; *nbits: its length. The lowest nlow bits of each mode interleave; the
 * others stand above them mode after mode, of the last mode first. */
static void interleave(uint64_t key[2], int *nbits, int nlow, int order, const uint64_t *dims,
                       const int64_t *crd)
{
    key[0] = key[1] = 0;
    *nbits = 0;
    for (int bit = 0; bit < nlow; bit++)
        for (int width = 1; width <= 64; width++) /* modes with fewer bits come first */
            for (int m = 0; m < order; m++)
                if (bits_of_dim(dims[m]) == width && bit < width) {
                    key[*nbits / 64] |= ((uint64_t)crd[m] >> bit & 1) << *nbits % 64;
                    ++*nbits;
                }
    for (int m = order - 1; m >= 0; m--)
        for (int bit = nlow; bit < bits_of_dim(dims[m]); bit++, ++*nbits)
            key[*nbits / 64] |= ((uint64_t)crd[m] >> bit & 1) << *nbits % 64;
}

/* Bits [lo, hi) of the key. */
static uint64_t bits_of(const uint64_t key[2], int lo, int hi)
{
    uint64_t v = 0;
    for (int b = lo; b < hi; b++)
        v |= (key[b / 64] >> b % 64 & 1) << (b - lo);
    return v;
}

static const struct {
    int order;
    uint64_t dims[5];
    int low; /* bits of the lower level; 0: one level */
    const char *format;
    int nlow; /* bits of each mode that interleave */
} keys[] = {
    {1, {5}, 0, NULL, 64},
    {2, {4, 4}, 0, NULL, 64},
    {2, {1, 9}, 0, NULL, 64},
    {2, {0, 9}, 0, NULL, 64},
    {3, {100000, 60000, 2000}, 0, NULL, 64},
    {3, {2000, 100000, 60001}, 0, NULL, 64},
    {5, {30, 20, 15, 11, 9}, 0, NULL, 64},
    {2, {UINT64_C(1) << 31, UINT64_C(1) << 31}, 0, NULL, 64},
    {2, {(UINT64_C(1) << 31) + 1, UINT64_C(1) << 31}, 32, NULL, 64},
    {2, {UINT64_C(1) << 62, 2}, 32, NULL, 64},
    {3, {UINT64_C(1) << 31, UINT64_C(1) << 31, UINT64_C(1) << 32}, 32, NULL, 64},
    {3, {UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 32}, 62, NULL, 64},
    {2, {UINT64_C(1) << 62, UINT64_C(1) << 62}, 62, NULL, 64},
    {3, {100000, 60000, 2000}, 0, "keys", 4},
    {3, {100000, 60000, 2000}, 0, "keys(1)", 0},
    {3, {2000, 100000, 60001}, 0, "keys(1024)", 10},
    {3, {2000, 100000, 60001}, 0, "keys(65536)", 16},
    {3, {3, 100000, 1}, 0, "keys(16)", 4},
    {1, {5}, 0, "keys(2)", 1},
    {2, {UINT64_C(1) << 62, 2}, 32, "keys(16)", 4},
    {3, {UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 32}, 62, "keys(4096)", 12},
};

/* The storage coordinates of random cells, by the map, by its plan, and by the rule; and back. */
static void check_key(tsr_rng *rng, size_t k)
{
    enum { N = 40 };
    const int order = keys[k].order;
    tsr_format *format;
    tsr_binding *binding;
    tsr_map_plan *forward, *inverse;
    int64_t crd[5][N], level[2][N], back[5][N], *in[5], *out[2], *again[5];
    static unsigned char scratch[1 << 22];
    const int nlow = keys[k].nlow;
    assert_ok(tsr_format_parse(&format, keys[k].format ? keys[k].format : "alto", order, keys[k].dims, err));
    assert_ok(tsr_binding_new(&binding, format, keys[k].dims, err));
    assert_int_equal(format->nlevels, keys[k].low ? 2 : 1);
    assert_ok(tsr_map_plan_new(&forward, binding->forward, err));
    assert_ok(tsr_map_plan_new(&inverse, binding->inverse, err));
    assert_true(tsr_map_plan_scratch_nbytes(forward) <= sizeof scratch);
    assert_true(tsr_map_plan_scratch_nbytes(inverse) <= sizeof scratch);
    for (int m = 0; m < order; m++) {
        for (int e = 0; e < N; e++)
            crd[m][e] = keys[k].dims[m] == 0 ? 0
                        : e == 0             ? (int64_t)(keys[k].dims[m] - 1)
                                             : (int64_t)tsr_rng_below(rng, keys[k].dims[m]);
        in[m] = crd[m];
        again[m] = back[m];
    }
    out[0] = level[0];
    out[1] = level[1];
    tsr_map_plan_apply(forward, out, (const int64_t *const *)in, N, scratch);
    tsr_map_plan_apply(inverse, again, (const int64_t *const *)out, N, scratch);
    for (int e = 0; e < N; e++) {
        int64_t cell[5], simple[2], lead[5];
        uint64_t key[2];
        int nbits;
        for (int m = 0; m < order; m++)
            cell[m] = crd[m][e];
        interleave(key, &nbits, nlow, order, keys[k].dims, cell);
        assert_ok(tsr_map_eval(simple, binding->forward, cell, err));
        assert_int_equal(simple[0], bits_of(key, keys[k].low, nbits));
        if (keys[k].low)
            assert_int_equal(simple[1], bits_of(key, 0, keys[k].low));
        assert_ok(tsr_map_eval(lead, binding->inverse, simple, err));
        for (int l = 0; l < format->nlevels; l++)
            assert_int_equal(level[l][e], simple[l]);
        for (int m = 0; m < order; m++) {
            assert_int_equal(lead[m], cell[m]);
            assert_int_equal(back[m][e], cell[m]);
        }
    }
    tsr_map_plan_free(forward);
    tsr_map_plan_free(inverse);
    tsr_binding_free(binding);
    tsr_format_free(format);
}

static void test_interleaved_keys(void **state)
{
    (void)state;
    tsr_rng rng = {7};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        check_key(&rng, k);
    const uint64_t dims[] = {4, 4, 2}, longest[] = {INT64_MAX, INT64_MAX};
    const char *const text = "(i, j, k) -> (k + (i floordiv 2) * 8 + (j floordiv 2) * 16 + (i mod 2) * 2 + "
                             "(j mod 2) * 4 : compressed)";
    tsr_format *format = NULL;
    tsr_text name = {0};
    tsr_error why = {0};
    assert_ok(tsr_format_parse(&format, "alto", 3, dims, err));
    tsr_format_print_long(&name, format);
    assert_string_equal(tsr_text_cstr(&name), text);
    tsr_text_clear(&name);
    tsr_format_print_name_for(&name, format, dims);
    assert_string_equal(tsr_text_cstr(&name), "alto");
    tsr_text_clear(&name);
    tsr_format_free(format);
    assert_ok(tsr_format_parse(&format, "keys(2):2,0,1", 3, dims,
                               err)); /* boxes of mode 2 at the top, though it has one bit */
    tsr_format_print_long(&name, format);
    assert_string_equal(tsr_text_cstr(&name),
                        "(i, j, k) -> (j * 4 + k + (i floordiv 2) * 16 + (i mod 2) * 2 : compressed)");
    tsr_text_clear(&name);
    tsr_format_free(format);
    assert_ok(tsr_format_parse(&format, "keys(2)", 3, dims, err));
    tsr_format_print_name_for(&name, format, dims);
    assert_string_equal(tsr_text_cstr(&name), "keys(2)");
    tsr_text_clear(&name);
    tsr_format_free(format);
    assert_int_equal(tsr_format_parse(&format, "keys(24)", 3, dims, &why), TSR_ARGUMENT);
    assert_string_equal(why.message, "keys: 24 is not a power of two, as the size of a box is");
    assert_int_equal(tsr_format_parse(&format, "alto", 2, longest, &why), TSR_LIMIT);
    assert_string_equal(why.message,
                        "alto: the coordinates of a cell have 126 bits together, more than the limit "
                        "of 124");
    assert_int_equal(tsr_format_parse(&format, "alto", 2, NULL, &why), TSR_ARGUMENT);
    assert_non_null(strstr(why.message, "depends on the dims"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interleaved_keys),
    };
    return cmocka_run_group_tests_name("format keys", tests, NULL, NULL);
}
