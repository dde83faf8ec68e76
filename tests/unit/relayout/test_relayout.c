/* tsr_relayout against the two maps, an element at a time: tables of layouts and random ones, all element
 * sizes, several threads, pitches, memory that runs out, and what is refused. */
#include <inttypes.h>

#include "relayout_internal.h"
#include "tsr_alloc.h"
#include "tsr_pack.h"
#include "tsr_relayout.h"
#include "tsr_test.h"

enum { MAX_THREADS = 3 };
static const int all_nbits[] = {1, 2, 4, 8, 16, 32, 64, 128};
enum { NSIZES = sizeof all_nbits / sizeof *all_nbits };

/* ---- the oracle ---- */

typedef struct layout {
    tsr_format *format;
    tsr_dense_layout dense;
    tsr_binding *binding;
    uint64_t pitch[TSR_MAX_LEVELS];
} layout;

static void layout_init(layout *x, const char *text, int order, const uint64_t *dims, tsr_rng *pitches)
{
    assert_ok(tsr_format_parse(&x->format, text, order, dims, err));
    assert_ok(tsr_binding_new(&x->binding, x->format, dims, err));
    x->dense = (tsr_dense_layout){.binding = x->binding};
    if (!pitches)
        return;
    for (int l = 0; l < x->format->nlevels; l++)
        x->pitch[l] = x->binding->size[l] + tsr_rng_below(pitches, 4);
    x->dense.pitch = x->pitch;
}

static void layout_clear(layout *x)
{
    tsr_binding_free(x->binding);
    tsr_format_free(x->format);
}

static uint64_t position(const layout *x, const int64_t *at)
{
    int64_t result[TSR_MAX_LEVELS];
    assert_int_equal(tsr_map_eval(result, x->binding->forward, at, NULL), TSR_OK);
    uint64_t p = 0;
    for (int l = 0; l < x->format->nlevels; l++)
        p = p * (x->dense.pitch ? x->pitch[l] : x->binding->size[l]) +
            (uint64_t)(result[l] - x->binding->base[l]);
    return p;
}

/* Bit `at` of a packed array. */
static bool get_bit(const unsigned char *bytes, uint64_t at)
{
    return bytes[at / 8] >> at % 8 & 1;
}

static void set_bit(unsigned char *bytes, uint64_t at, bool v)
{
    bytes[at / 8] = (unsigned char)((bytes[at / 8] & ~(1u << at % 8)) | (unsigned)v << at % 8);
}

static void move_element(unsigned char *to, uint64_t to_at, const unsigned char *from, uint64_t from_at,
                         int nbits)
{
    if (nbits >= 8)
        memcpy(to + to_at * (uint64_t)nbits / 8, from + from_at * (uint64_t)nbits / 8, (size_t)nbits / 8);
    else
        for (int b = 0; b < nbits; b++)
            set_bit(to, to_at * (uint64_t)nbits + (uint64_t)b,
                    get_bit(from, from_at * (uint64_t)nbits + (uint64_t)b));
}

/* Move the elements from layout b to layout a. */
static void expect(unsigned char *to, const unsigned char *from, const layout *a, const layout *b, int nbits)
{
    int64_t at[TSR_MAX_ORDER] = {0};
    const int order = a->format->order;
    for (int m = 0; m < order; m++)
        if (a->binding->dims[m] == 0)
            return;
    for (int m = 0; m >= 0;) {
        move_element(to, position(a, at), from, position(b, at), nbits);
        for (m = order - 1; m >= 0 && (uint64_t)++at[m] == a->binding->dims[m]; m--)
            at[m] = 0;
    }
}

static bool same(const unsigned char *a, const unsigned char *b, uint64_t npos, int nbits)
{
    const uint64_t n = npos * (uint64_t)nbits;
    if (memcmp(a, b, (size_t)(n / 8)) != 0)
        return false;
    for (uint64_t i = n / 8 * 8; i < n; i++)
        if (get_bit(a, i) != get_bit(b, i))
            return false;
    return true;
}

/* One pair of layouts at one element size, on 1 to 3 threads; padding of both sides begins as junk. */
static bool check_pair(const layout *to, const layout *from, int nbits, tsr_rng *rng)
{
    tsr_relayout *r;
    assert_ok(tsr_relayout_new(&r, &to->dense, &from->dense, nbits, err));
    const uint64_t to_npos = tsr_relayout_to_npos(r), from_npos = tsr_relayout_from_npos(r);
    const size_t to_nbytes = (size_t)tsr_relayout_nbytes(r, to_npos);
    const size_t from_nbytes = (size_t)tsr_relayout_nbytes(r, from_npos);
    /* blocks of exactly these bytes: the address sanitizer sees a byte too many */
    unsigned char *source = malloc(from_nbytes + 1), *want = malloc(to_nbytes + 1),
                  *got = malloc(to_nbytes ? to_nbytes : 1);
    unsigned char fill[16];
    for (size_t i = 0; i < from_nbytes; i++)
        source[i] = (unsigned char)tsr_rng_next(rng);
    for (size_t i = 0; i < sizeof fill; i++)
        fill[i] = (unsigned char)tsr_rng_next(rng);
    const bool zero = tsr_rng_below(rng, 2) == 0;
    if (zero)
        memset(fill, 0, sizeof fill);
    unsigned char *exact = malloc(from_nbytes ? from_nbytes : 1);
    memcpy(exact, source, from_nbytes);
    memset(want, 0, to_nbytes + 1);
    for (uint64_t p = 0; p < to_npos; p++)
        move_element(want, p, fill, 0, nbits);
    expect(want, source, to, from, nbits);
    bool ok = true;
    for (int t = 1; t <= MAX_THREADS; t++) {
        memset(got, 0xa5, to_nbytes);
        assert_ok(tsr_relayout_run(
            r, &(tsr_relayout_copy){.to = got, .from = exact, .fill = zero ? NULL : fill}, t, err));
        ok = ok && same(got, want, to_npos, nbits);
    }
    for (uint64_t p = 0; p < to_npos; p++)
        move_element(got, p, fill, 0, nbits);
    assert_ok(tsr_relayout_run(
        r, &(tsr_relayout_copy){.to = got, .from = exact, .fill = fill, .to_is_filled = true}, 2, err));
    ok = ok && same(got, want, to_npos, nbits);
    free(source);
    free(exact);
    free(want);
    free(got);
    tsr_relayout_free(r);
    return ok;
}

/* ---- the table ---- */

typedef struct pair {
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    const char *to, *from;
    bool strided;
} pair;

#define TILED_8_128 \
    "(i, j) -> (i floordiv 8 : dense, j floordiv 128 : dense, i mod 8 : dense, j mod 128 : dense)"
#define TILED_2_1                                                                                         \
    "(i, j) -> (i floordiv 8 : dense, j floordiv 128 : dense, (i floordiv 2) mod 4 : dense, j mod 128 : " \
    "dense, "                                                                                             \
    "i mod 2 : dense)"
#define TILED_4_1                                                                                         \
    "(i, j) -> (i floordiv 8 : dense, j floordiv 128 : dense, (i floordiv 4) mod 2 : dense, j mod 128 : " \
    "dense, "                                                                                             \
    "i mod 4 : dense)"
#define ZN "(i, j) -> (j floordiv 16 : dense, i floordiv 16 : dense, i mod 16 : dense, j mod 16 : dense)"

static const pair pairs[] = {
    {0, {0}, "() -> ()", "() -> ()", true},
    {1, {0}, "d", "(i) -> (i floordiv 4 : dense, i mod 4 : dense)", true},
    {1, {37}, "d", "d", true},
    {1, {37}, "(i) -> (i floordiv 4 : dense, i mod 4 : dense)", "d", true},
    {2, {0, 5}, "dd:1,0", "dd", true},
    {2, {1, 1}, "dd:1,0", "dd", true},
    {2, {64, 64}, "dd:1,0", "dd", true},
    {2, {61, 83}, "dd:1,0", "dd", true},
    {2, {2, 300}, "dd:1,0", "dd", true},
    {2, {300, 2}, "dd:1,0", "dd", true},
    {2, {4, 300}, "dd:1,0", "dd", true},
    {2, {300, 4}, "dd:1,0", "dd", true},
    {2, {16, 256}, TILED_8_128, "dd", true},
    {2, {17, 259}, TILED_8_128, "dd", true},
    {2, {17, 259}, "dd", TILED_8_128, true},
    {2, {3, 5}, TILED_8_128, "dd:1,0", true},
    {2, {16, 256}, TILED_2_1, "dd", true},
    {2, {19, 259}, TILED_2_1, "dd", true},
    {2, {19, 259}, "dd", TILED_2_1, true},
    {2, {19, 259}, TILED_4_1, TILED_2_1, true},
    {2, {16, 256}, "dd", TILED_4_1, true},
    /* several tiles both ways */
    {2, {300, 1100}, "dd:1,0", "dd", true},
    {2, {1100, 304}, "dd", "dd:1,0", true},
    {3, {72, 5, 288}, "ddd:2,1,0", "ddd", true},
    {2, {1096, 1224}, "dd:1,0", "dd", true},
    {2, {8, 640}, "dd:1,0", "dd", true},
    {2, {640, 8}, "dd:1,0", "dd", true},
    {2, {64, 64}, ZN, "dd", true},
    {2, {50, 70}, ZN, "dd", true},
    {2, {50, 70}, "dd:1,0", ZN, true},
    {2, {50, 70}, ZN, TILED_8_128, true},
    {2, {50, 70}, "(i, j) -> (i * 70 + j : dense)", "dd:1,0", true},
    {2,
     {12, 18},
     "(i, j) -> (i floordiv 3 : dense, j : dense, i mod 3 : dense)",
     "(i, j) -> (i floordiv 4 : dense, j : dense, i mod 4 : dense)",
     false},
    {2,
     {13, 18},
     "(i, j) -> (i floordiv 3 : dense, j : dense, i mod 3 : dense)",
     "(i, j) -> (j : dense, i floordiv 5 : dense, i mod 5 : dense)",
     false},
    {2, {13, 18}, "(i, j) -> (i : dense, -j : dense)", "dd", false},
    {2, {13, 18}, "(i, j) -> ((i * 18 + j) floordiv 4 : dense, (i * 18 + j) mod 4 : dense)", "dd", false},
    {2, {13, 18}, "(i, j) -> (i + j : dense, j : dense)", "dd:1,0", true},
    {3, {7, 11, 13}, "ddd:2,1,0", "ddd", true},
    {3, {16, 32, 8}, "ddd:1,2,0", "ddd", true},
    {3, {16, 3, 32}, "ddd:0,2,1", "ddd", true},
    {3, {8, 9, 10}, "ddd:1,0,2", "ddd", true},
    {4, {3, 4, 5, 6}, "dddd:3,1,0,2", "dddd:2,0,3,1", true},
};
enum { NPAIRS = sizeof pairs / sizeof *pairs };

static void test_pairs(void **state)
{
    (void)state;
    tsr_rng rng = {1};
    for (int i = 0; i < NPAIRS; i++)
        for (int pitched = 0; pitched < 2; pitched++) {
            const pair *p = &pairs[i];
            layout to = {0}, from = {0};
            layout_init(&to, p->to, p->order, p->dims, pitched ? &rng : NULL);
            layout_init(&from, p->from, p->order, p->dims, pitched ? &rng : NULL);
            for (int s = 0; s < NSIZES; s++)
                if (!check_pair(&to, &from, all_nbits[s], &rng))
                    fail_msg("pair %d (%s from %s), %d bits", i, p->to, p->from, all_nbits[s]);
            tsr_relayout *r;
            assert_ok(tsr_relayout_new(&r, &to.dense, &from.dense, 8, err));
            bool empty = false;
            for (int m = 0; m < p->order; m++)
                empty = empty || p->dims[m] == 0;
            if (!empty && r->strided != p->strided)
                fail_msg("pair %d (%s from %s) is%s strided", i, p->to, p->from, p->strided ? " not" : "");
            tsr_relayout_free(r);
            layout_clear(&to);
            layout_clear(&from);
        }
}

/* ---- random layouts ---- */

/* A random dense format: each mode cut into digits by a chain of radices, the digits in any order. */
static void random_format(char *text, size_t nbytes, int order, tsr_rng *rng)
{
    char part[TSR_MAX_LEVELS][80];
    int n = 0;
    for (int m = 0; m < order; m++) {
        uint64_t below = 1;
        const int ncuts = (int)tsr_rng_below(rng, 3);
        static const uint64_t factors[] = {2, 2, 4, 8, 16, 3};
        for (int c = 0; c < ncuts; c++) {
            const uint64_t f = factors[tsr_rng_below(rng, 6)];
            snprintf(part[n++], sizeof *part, "(d%d floordiv %" PRIu64 ") mod %" PRIu64, m, below, f);
            below *= f;
        }
        snprintf(part[n++], sizeof *part, "d%d floordiv %" PRIu64, m, below);
    }
    for (int i = n - 1; i > 0; i--) {
        char swap[80];
        const int k = (int)tsr_rng_below(rng, (uint64_t)i + 1);
        memcpy(swap, part[i], sizeof swap);
        memcpy(part[i], part[k], sizeof swap);
        memcpy(part[k], swap, sizeof swap);
    }
    size_t at = 0;
    for (int m = 0; m < order; m++)
        at += (size_t)snprintf(text + at, nbytes - at, "%sd%d", m ? ", " : "(", m);
    at += (size_t)snprintf(text + at, nbytes - at, ") -> (");
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, nbytes - at, "%s%s : dense", i ? ", " : "", part[i]);
    snprintf(text + at, nbytes - at, ")");
}

static void random_pairs(int count, uint64_t seed, uint64_t max_elements)
{
    tsr_rng rng = {seed};
    int nstrided = 0;
    for (int i = 0; i < count; i++) {
        char to_text[2000], from_text[2000];
        const int order = 1 + (int)tsr_rng_below(&rng, 4);
        uint64_t dims[TSR_MAX_ORDER], left = max_elements;
        for (int m = 0; m < order; m++) {
            const uint64_t most = m + 1 < order ? 1 + tsr_rng_below(&rng, left < 200 ? left : 200) : left;
            dims[m] = 1 + tsr_rng_below(&rng, most);
            left = left / dims[m] + 1;
        }
        layout to = {0}, from = {0};
        random_format(to_text, sizeof to_text, order, &rng);
        random_format(from_text, sizeof from_text, order, &rng);
        layout_init(&to, to_text, order, dims, tsr_rng_below(&rng, 4) ? NULL : &rng);
        layout_init(&from, from_text, order, dims, tsr_rng_below(&rng, 4) ? NULL : &rng);
        const int nbits = all_nbits[tsr_rng_below(&rng, NSIZES)];
        tsr_relayout *r;
        assert_ok(tsr_relayout_new(&r, &to.dense, &from.dense, nbits, err));
        nstrided += r->strided;
        const bool small = tsr_relayout_to_npos(r) < 16 * max_elements;
        tsr_relayout_free(r);
        if (small && !check_pair(&to, &from, nbits, &rng))
            fail_msg("random pair %d of seed %" PRIu64 ": %s from %s, %d bits", i, seed, to_text, from_text,
                     nbits);
        layout_clear(&to);
        layout_clear(&from);
    }
    assert_true(nstrided > count / 2 && nstrided < count);
}

static void test_random_small(void **state)
{
    (void)state;
    random_pairs(600, 7, 300);
}

/* Large enough for threads. */
static void test_random_large(void **state)
{
    (void)state;
    random_pairs(30, 8, 40000);
}

/* Larger than the caches: lines are streamed. */
static void test_streaming(void **state)
{
    (void)state;
    const uint64_t dims[] = {1021, 1030};
    static const char *const tos[] = {"dd:1,0", TILED_8_128, ZN, "dd"};
    tsr_rng rng = {3};
    for (int i = 0; i < 4; i++) {
        layout to = {0}, from = {0};
        layout_init(&to, tos[i], 2, dims, NULL);
        layout_init(&from, "dd", 2, dims, i == 3 ? &rng : NULL);
        if (!check_pair(&to, &from, 64, &rng))
            fail_msg("%s", tos[i]);
        layout_clear(&to);
        layout_clear(&from);
    }
}

/* ---- tsr_convert ---- */

/* A dense tensor of these values at every coordinate, some of them the fill, -0.0 or NaN. */
static tsr_tensor *dense_tensor(const char *format_text, const uint64_t *dims, tsr_type type, bool has_fill,
                                tsr_rng *rng)
{
    tsr_format *format;
    tsr_coo *coo;
    tsr_tensor *tensor;
    assert_ok(tsr_format_parse(&format, format_text, 2, dims, err));
    const uint64_t n = dims[0] * dims[1];
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, type, false, n, err));
    const size_t width = tsr_type_nbytes(type);
    if (has_fill) {
        coo->has_fill = true;
        memset(coo->fill, 7, width);
    }
    for (uint64_t i = 0; i < n; i++) {
        tsr_array_set(&coo->crd[0], i, i / dims[1]);
        tsr_array_set(&coo->crd[1], i, i % dims[1]);
        memset((unsigned char *)coo->values.data + i * width, (int)tsr_rng_below(rng, 9) * 32 - 1, width);
        if (tsr_rng_below(rng, 4) == 0)
            memset((unsigned char *)coo->values.data + i * width, has_fill ? 7 : 0, width);
    }
    assert_ok(tsr_pack(&tensor, coo, format, NULL, NULL, err));
    tsr_format_free(format);
    return tensor;
}

/* Straight conversion gives what the way through coordinates gives. */
static void test_convert(void **state)
{
    (void)state;
    static const char *const texts[] = {"dd",      "dd:1,0", TILED_8_128,
                                        TILED_2_1, ZN,       "(i, j) -> (i : dense, -j : dense)"};
    static const uint64_t dims[] = {37, 141};
    static const tsr_type types[] = {TSR_U8, TSR_I16, TSR_F32, TSR_F64, TSR_C128};
    tsr_rng rng = {5};
    for (int k = 0; k < 6 * 6 * 5 * 2; k++) {
        const char *from = texts[k % 6], *to = texts[k / 6 % 6];
        const bool has_fill = k / 180 == 1;
        tsr_tensor *tensor = dense_tensor(from, dims, types[k / 36 % 5], has_fill, &rng), *want, *got;
        tsr_format *format;
        tsr_coo *coo;
        tsr_pack_stats want_stats, stats;
        const tsr_pack_options options = {.nthreads = 1 + k % 3};
        assert_ok(tsr_format_parse(&format, to, 2, dims, err));
        assert_ok(tsr_unpack(&coo, tensor, 1, err));
        assert_ok(tsr_pack(&want, coo, format, NULL, &want_stats, err));
        assert_ok(tsr_convert(&got, tensor, format, &options, &stats, err));
        assert_ok(tsr_tensor_check(got, 1, err));
        assert_true(stats.was_sorted); /* the straight way */
        assert_int_equal(stats.nentries, want_stats.nentries);
        assert_int_equal(stats.nstored, want_stats.nstored);
        assert_int_equal(got->npos, want->npos);
        assert_int_equal(got->has_fill, want->has_fill);
        assert_memory_equal(got->fill, want->fill, sizeof got->fill);
        for (int l = 0; l < got->nlevels; l++) {
            assert_int_equal(got->levels[l].npos, want->levels[l].npos);
            assert_int_equal(got->levels[l].nparents, want->levels[l].nparents);
        }
        assert_int_equal(got->values.n, want->values.n);
        if (memcmp(got->values.data, want->values.data, (size_t)tsr_array_nbytes(&want->values)) != 0)
            fail_msg("%s to %s", from, to);
        tsr_tensor_free(got);
        tsr_tensor_free(want);
        tsr_format_free(format);
    }
}

/* What the way through coordinates refuses, the straight way refuses in the same words. */
static void test_convert_refusals(void **state)
{
    (void)state;
    static const uint64_t dims[] = {5, 7};
    tsr_rng rng = {6};
    tsr_format *format;
    tsr_tensor *out, *tensor = dense_tensor(ZN, dims, TSR_F64, false, &rng);
    tsr_error err = {0};
    assert_int_equal(tsr_format_parse(&format, "dd", 2, dims, NULL), TSR_OK);
    ((double *)tensor->values.data)[200] = 1; /* row 12 */
    assert_int_equal(tsr_convert(&out, tensor, format, NULL, NULL, &err), TSR_CORRUPT);
    assert_string_equal(err.message, "position 200 of the last level holds a value, but is padding");
    const tsr_pack_options small = {.max_nbytes = 100}, keep = {.duplicates = TSR_DUP_KEEP};
    tensor = dense_tensor("dd:1,0", dims, TSR_F64, false, &rng);
    assert_int_equal(tsr_convert(&out, tensor, format, &small, NULL, &err), TSR_LIMIT);
    tensor = dense_tensor("dd:1,0", dims, TSR_F64, false, &rng);
    assert_int_equal(tsr_convert(&out, tensor, format, &keep, NULL, &err), TSR_ARGUMENT);
    tsr_format_free(format);
}

/* ---- refusals and memory ---- */

static void test_refusals(void **state)
{
    (void)state;
    const uint64_t dims[] = {4, 6}, others[] = {4, 7}, huge[] = {UINT64_C(1) << 31, UINT64_C(1) << 31};
    layout dd = {0}, other = {0}, ds = {0}, vector = {0}, large = {0};
    layout_init(&dd, "dd", 2, dims, NULL);
    layout_init(&other, "dd", 2, others, NULL);
    layout_init(&ds, "ds", 2, dims, NULL);
    layout_init(&vector, "d", 1, dims, NULL);
    layout_init(&large, "dd", 2, huge, NULL);
    const uint64_t low[] = {4, 5};
    const tsr_dense_layout pitched = {.binding = dd.binding, .pitch = low};
    const struct {
        const tsr_dense_layout *to, *from;
        int nbits;
        tsr_status status;
        const char *message;
    } rows[] = {
        {&dd.dense, &dd.dense, 3, TSR_ARGUMENT,
         "elements cannot have 3 bits: 1, 2, 4, 8, 16, 32, 64 or 128 are supported"},
        {&dd.dense, &dd.dense, 256, TSR_ARGUMENT,
         "elements cannot have 256 bits: 1, 2, 4, 8, 16, 32, 64 or 128 are supported"},
        {&dd.dense, &other.dense, 8, TSR_ARGUMENT,
         "dim 1 is 6 in one layout and 7 in the other: the dims must be equal"},
        {&dd.dense, &vector.dense, 8, TSR_ARGUMENT, "the orders of the layouts differ: 2 and 1"},
        {&dd.dense, &ds.dense, 8, TSR_ARGUMENT,
         "cannot use level 1, compressed, in a layout: all levels must be dense"},
        {&pitched, &dd.dense, 8, TSR_ARGUMENT,
         "level 1 has the pitch 5: it must be at least the size of the level, 6"},
        {&large.dense, &large.dense, 8, TSR_LIMIT,
         "the layout has 4611686018427387904 positions of 8 bits: a layout must have less than 2^63 bits"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsr_relayout *r;
        tsr_error err = {0};
        assert_int_equal(tsr_relayout_new(&r, rows[i].to, rows[i].from, rows[i].nbits, &err), rows[i].status);
        assert_null(r);
        assert_string_equal(err.message, rows[i].message);
    }
    layout_clear(&dd);
    layout_clear(&other);
    layout_clear(&ds);
    layout_clear(&vector);
    layout_clear(&large);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    static const char *const tos[] = {"dd:1,0", "(i, j) -> (i : dense, -j : dense)"};
    const uint64_t dims[] = {20, 30};
    for (int k = 0; k < 2; k++) {
        layout to = {0}, from = {0};
        layout_init(&to, tos[k], 2, dims, NULL);
        layout_init(&from, "dd", 2, dims, NULL);
        unsigned char source[600] = {0}, target[600];
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_relayout *r = NULL;
            tsr_error err = {0};
            tsr_faults_arm(&faults);
            tsr_status status = tsr_relayout_new(&r, &to.dense, &from.dense, 8, &err);
            if (status == TSR_OK)
                status = tsr_relayout_run(r, &(tsr_relayout_copy){.to = target, .from = source}, 1, &err);
            tsr_faults_end(&faults, status);
            tsr_relayout_free(r);
            if (status != TSR_OK) {
                assert_int_equal(status, TSR_NOMEM);
                assert_true(err.message[0] != '\0');
            }
        }
        layout_clear(&to);
        layout_clear(&from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),        cmocka_unit_test(test_random_small),
        cmocka_unit_test(test_random_large), cmocka_unit_test(test_streaming),
        cmocka_unit_test(test_convert),      cmocka_unit_test(test_convert_refusals),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
