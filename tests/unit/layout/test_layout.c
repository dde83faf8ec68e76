/* Layouts of different notations: recognising the notation, equality, conversion. The four fractal layouts of
 * TLA are XLA layouts, also for ragged sizes. */
#include "tsr_layout.h"

#include "tsr_test.h"

/* ---- recognising the notation ---- */

static void test_kind(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tsr_layout_kind kind;
    } rows[] = {
        {"f32[3,5]{1,0:T(2,2)}", TSR_LAYOUT_XLA},
        {"f32[]", TSR_LAYOUT_XLA},
        {"[3,5]{1,0}", TSR_LAYOUT_XLA},
        {" {1,0:T(2,2)}", TSR_LAYOUT_XLA},
        {"{:T(128)}", TSR_LAYOUT_XLA},
        {"{}", TSR_LAYOUT_XLA},
        {"[]", TSR_LAYOUT_XLA},
        {"[]{}", TSR_LAYOUT_XLA},
        {"[](d0) -> (d0)", TSR_LAYOUT_MAP},
        {"{}(d0) -> (d0)", TSR_LAYOUT_MAP},
        {"(2,3):(3,1)", TSR_LAYOUT_TLA},
        {"_4:_1", TSR_LAYOUT_TLA},
        {"((_4,2),(4,3)):((4,16),(1,32))", TSR_LAYOUT_TLA},
        {"8", TSR_LAYOUT_TLA},
        {"():()", TSR_LAYOUT_TLA},
        {"(d0, d1) -> (d0)", TSR_LAYOUT_MAP},
        {"() -> (3)", TSR_LAYOUT_MAP},
        {"(_a) -> (_a)", TSR_LAYOUT_MAP},
        {"[s0](d0) -> (d0 + s0)", TSR_LAYOUT_MAP},
        {"{l0}(d0) -> (l0 = d0)", TSR_LAYOUT_MAP},
        {"KNOWN EMPTY", TSR_LAYOUT_MAP},
        {"csr", TSR_LAYOUT_MAP},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (tsr_layout_kind_of(rows[i].text) != rows[i].kind)
            fail_msg("%s: kind %d", rows[i].text, (int)tsr_layout_kind_of(rows[i].text));
}

/* ---- equality ---- */

static void expect_verdict(const char *a, const char *b, tsr_layout_verdict want, const char *where)
{
    tsr_layout *x = NULL, *y = NULL;
    tsr_layout_difference difference;
    char at[256] = "";
    size_t used = 0;
    assert_ok(tsr_layout_parse(&x, a, NULL, err));
    assert_ok(tsr_layout_parse(&y, b, NULL, err));
    assert_ok(tsr_layout_same(&difference, x, y, err));
    if (difference.verdict == TSR_LAYOUT_OTHER_OFFSET) {
        for (int d = 0; d < x->rank; d++)
            used += (size_t)snprintf(at + used, sizeof at - used, "%lld,", (long long)difference.coord[d]);
        snprintf(at + used, sizeof at - used, " %lld %lld", (long long)difference.offset[0],
                 (long long)difference.offset[1]);
    }
    if (difference.verdict != want || (where && strcmp(at, where) != 0))
        fail_msg("%s and %s: verdict %d at '%s'", a, b, (int)difference.verdict, at);
    tsr_layout_free(x);
    tsr_layout_free(y);
}

static void test_same(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        tsr_layout_verdict want;
        const char *where;
    } rows[] = {
        /* XLA "Tiled layout", figures 1 and 2, and combined dims; CATLASS "TLA Layouts". */
        {"f32[3,5]{1,0:T(2,2)}", "((2,2),(2,3)):((2,12),(1,4))@(3,5)", TSR_LAYOUT_SAME, NULL},
        {"f32[4,8]{1,0:T(2,4)(2,1)}", "((2,2),(4,2)):((1,16),(2,8))", TSR_LAYOUT_SAME, NULL},
        {"[8,12]{0,1:T(4,4)(4,1)}", "((4,2),(4,3)):((4,16),(1,32))", TSR_LAYOUT_SAME, NULL},
        {"(2,3):(3,1)", "f32[2,3]{1,0}", TSR_LAYOUT_SAME, NULL},
        {"(2,3):(1,2)", "f32[2,3]{0,1}", TSR_LAYOUT_SAME, NULL},
        {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
         "(a, b, c, d, e) -> (((a * 7 + b) * 8 + c) floordiv 2, (d * 10 + e) floordiv 3, ((a * 7 + b) * 8 + "
         "c) mod 2, (d * 10 + e) mod 3), domain: a in [0, 1], b in [0, 6], c in [0, 7], d in [0, 10], e in "
         "[0, 9]",
         TSR_LAYOUT_SAME, NULL},
        {"f32[3,5]{1,0:T(2,2)}",
         "(i, j) -> (i floordiv 2, j floordiv 2, i mod 2, j mod 2), domain: i in [0, 2], j in [0, 4]",
         TSR_LAYOUT_SAME, NULL},
        {"f32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)(2,1)}", TSR_LAYOUT_OTHER_OFFSET, "0,1, 1 2"},
        {"f32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0}", TSR_LAYOUT_OTHER_OFFSET, "0,2, 4 2"},
        {"f32[3,5]{1,0}", "(3,5):(6,1)", TSR_LAYOUT_OTHER_OFFSET, "1,0, 5 6"},
        {"f32[3,5]{1,0}", "(3,6):(6,1)", TSR_LAYOUT_OTHER_DIM, NULL},
        {"f32[3,5]{1,0}", "15:1", TSR_LAYOUT_OTHER_RANK, NULL},
        {"f32[0,5]{1,0}", "f32[0,5]{0,1}", TSR_LAYOUT_SAME, NULL},
        /* texts that CuTe and XLA print */
        {"cute::Layout<cute::Shape<_2, Int<4>>, Stride<_4,C<1>>>", "(2,4):(4,1)", TSR_LAYOUT_SAME, NULL},
        {"Layout<Shape<Shape<_2,_2>,Shape<_4,_2>>,Stride<tuple<_1,_16>,tuple<_2,_8>>>",
         "f32[4,8]{1,0:T(2,4)(2,1)}", TSR_LAYOUT_SAME, NULL},
        {"f32[<=3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)}", TSR_LAYOUT_SAME, NULL},
        {"affine_map<(i, j) -> (i * 5 + j)>, domain: i in [0, 2], j in [0, 4]", "f32[3,5]{1,0}",
         TSR_LAYOUT_SAME, NULL},
        {"4:0", "(i) -> (i mod 1), domain: i in [0, 3]", TSR_LAYOUT_SAME, NULL},
        {"4:1", "(i) -> (i), domain: i in [0, 3], i mod 2 in [0, 0]", TSR_LAYOUT_OTHER_DOMAIN, NULL},
        {"f32[1000000,1000000]{1,0:T(8,128)}",
         "((8,125000),(128,7813)):((128,8000512),(1,1024))@(1000000,1000000)", TSR_LAYOUT_SAME, NULL},
        {"f32[1000000,1000000]{1,0:T(8,128)}", "f32[1000000,1000000]{1,0:T(8,128)(2,1)}",
         TSR_LAYOUT_OTHER_OFFSET, "0,1, 1 2"},
        {"f32[300,300,300,300]{3,2,1,0:T(*,*,8,128)}", "f32[300,300,300,300]{3,2,1,0:T(*,*,8,128)(2,1)}",
         TSR_LAYOUT_OTHER_OFFSET, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_verdict(rows[i].a, rows[i].b, rows[i].want, rows[i].where);
}

/* zZ = {1,0:T(R,C)}, nN = {0,1:T(C,R)}, zN = {0,1:T(C,R)(C,1)}, nZ = {1,0:T(R,C)(R,1)}: the same offsets and
 * the same span for whole and ragged matrices, and each is found from the other. */
static void check_fractal(tsr_tla_fractal fractal, long long m, long long n, long long r, long long c)
{
    const bool by_columns = fractal == TSR_TLA_NN || fractal == TSR_TLA_ZN;
    const bool transposed = fractal == TSR_TLA_ZN || fractal == TSR_TLA_NZ;
    const long long t0 = by_columns ? c : r, t1 = by_columns ? r : c;
    char text[128], second[32] = "";
    if (transposed)
        snprintf(second, sizeof second, "(%lld,1)", t0);
    snprintf(text, sizeof text, "[%lld,%lld]{%s:T(%lld,%lld)%s}", m, n, by_columns ? "0,1" : "1,0", t0, t1,
             second);
    tsr_arena arena = {0};
    tsr_tla tla, back;
    tsr_layout *a = NULL, *b = NULL;
    tsr_xla *xla = NULL;
    tsr_layout_difference difference;
    assert_ok(tsr_tla_make_fractal(&tla, &arena, fractal, (int64_t[]){m, n}, (int64_t[]){r, c}, err));
    assert_ok(tsr_layout_from_tla(&a, &tla, err));
    assert_ok(tsr_layout_parse(&b, text, NULL, err));
    assert_ok(tsr_layout_same(&difference, a, b, err));
    if (difference.verdict != TSR_LAYOUT_SAME)
        fail_msg("%s: verdict %d at %lld,%lld: %lld %lld", text, (int)difference.verdict,
                 (long long)difference.coord[0], (long long)difference.coord[1],
                 (long long)difference.offset[0], (long long)difference.offset[1]);
    assert_int_equal(a->span, b->span);

    assert_ok(tsr_xla_to_tla(&back, &arena, b->xla, err));
    assert_int_equal(tsr_tla_cosize(&back), a->span);
    tsr_layout_free(b);
    assert_ok(tsr_layout_from_tla(&b, &back, err));
    assert_ok(tsr_layout_same(&difference, a, b, err));
    assert_int_equal(difference.verdict, TSR_LAYOUT_SAME);
    assert_ok(tsr_tla_to_xla(&xla, &tla, NULL, err));
    tsr_xla_free(xla);
    tsr_layout_free(a);
    tsr_layout_free(b);
    tsr_arena_clear(&arena);
}

static void test_fractals(void **state)
{
    (void)state;
    static const struct {
        int m, n, r, c;
    } rows[] = {{8, 12, 4, 4},  {16, 16, 16, 16}, {7, 9, 4, 4},   {1, 1, 4, 4},
                {13, 5, 2, 3},  {48, 64, 16, 8},  {5, 40, 16, 8}, {33, 3, 3, 5},
                {100, 1, 8, 2}, {1, 100, 8, 2},   {31, 33, 1, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int fractal = TSR_TLA_ZN; fractal <= TSR_TLA_NN; fractal++)
            check_fractal((tsr_tla_fractal)fractal, rows[i].m, rows[i].n, rows[i].r, rows[i].c);
}

/* ---- conversion ---- */

static void expect_text(const tsr_text *text, const char *input, const char *want)
{
    if (strcmp(tsr_text_cstr(text), want) != 0)
        fail_msg("%s gives %s, not %s", input, tsr_text_cstr(text), want);
}

static void test_convert(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to; /* XLA and TLA, either way; NULL: none */
    } rows[] = {
        {"f32[3,5]{1,0:T(2,2)}", "((2,2),(2,3)):((2,12),(1,4))@(3,5)"},
        {"f32[4,8]{1,0:T(2,4)(2,1)}", "((2,2),(4,2)):((1,16),(2,8))"},
        {"bf16[16,256]{1,0:T(8,128)(2,1)}", "((2,4,2),(128,2)):((1,256,2048),(2,1024))"},
        {"f32[2,3]{0,1}", "(2,3):(1,2)"},
        {"f32[2,3,4]{0,2,1}", "(2,3,4):(1,8,2)"},
        {"f32[4,6]{1,0:T(*,8)}", NULL}, /* 8 goes across rows of 6 */
        {"f32[4,6]{1,0:T(*,3)}", "(4,(3,2)):(6,(1,3))"},
        {"f32[9,9]{1,0:T(6,6)(4,1)}", NULL}, /* 4 does not divide 6 */
        {"f32[3]{0:T(8,128)}", "(128):(1)@(3)"},
        {"f32[]", "():()"},
        {"(2,3):(3,1)", "[2,3]{1,0}"},
        {"((4,2),(4,3)):((4,16),(1,32))", "[8,12]{0,1:T(4,4)(4,1)}"},
        {"((4,2),(4,3)):((4,16),(1,32))@(7,9)", "[7,9]{0,1:T(4,4)(4,1)}"},
        {"((2,2),(2,3)):((2,12),(1,4))@(3,5)", "[3,5]{1,0:T(2,2)}"},
        {"((2,2),(4,2)):((1,16),(2,8))", "[4,8]{1,0:T(2,4)(2,1)}"},
        {"(2,4):(12,1)", NULL},
        {"(2,4):(0,1)", NULL},
        {"(2,4):(2,3)", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_layout *layout = NULL;
        tsr_arena arena = {0};
        tsr_text text = {0};
        tsr_tla tla = {0};
        tsr_xla *xla = NULL;
        tsr_error err = {0};
        assert_int_equal(tsr_layout_parse(&layout, rows[i].from, NULL, &err), TSR_OK);
        const tsr_status status = layout->kind == TSR_LAYOUT_XLA
                                      ? tsr_xla_to_tla(&tla, &arena, layout->xla, &err)
                                      : tsr_tla_to_xla(&xla, &layout->tla, NULL, &err);
        if (status == TSR_OK && layout->kind == TSR_LAYOUT_XLA)
            tsr_tla_print(&text, &tla);
        else if (status == TSR_OK)
            tsr_xla_print(&text, xla);
        else
            tsr_text_add(&text, err.message);
        if (!rows[i].to)
            assert_int_equal(status, TSR_UNSUPPORTED);
        else
            expect_text(&text, rows[i].from, rows[i].to);
        if (status == TSR_OK)
            expect_verdict(rows[i].from, tsr_text_cstr(&text), TSR_LAYOUT_SAME, NULL);
        tsr_text_clear(&text);
        tsr_xla_free(xla);
        tsr_layout_free(layout);
        tsr_arena_clear(&arena);
    }
}

static void test_formats(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {
        {"f32[3,5]{1,0:T(2,2)}",
         "(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : dense, d0 mod 2 : dense, d1 mod 2 : dense)"},
        {"((4,2),(4,3)):((4,16),(1,32))",
         "(d0, d1) -> (d1 floordiv 4 : dense, d0 floordiv 4 : dense, d0 mod 4 : dense, d1 mod 4 : dense)"},
        {"(1,3):(0,1)", "(d0, d1) -> (d0 : dense, d1 : dense)"},
        {"(2,4):(12,1)", "(d0, d1) -> (d0 : dense, d1 : dense(pitch = 12))"},
        {"(4):(2)", "(d0) -> (d0 : dense, 0 : dense(pitch = 2))"},
        {"((2,2),(2,3)):((2,12),(1,4))@(3,5)",
         "(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : dense, d0 mod 2 : dense, d1 mod 2 : dense)"},
        {"(4,(2,3)):(32,(1,8))",
         "(d0, d1) -> (d0 : dense, d1 floordiv 2 : dense(pitch = 4), d1 mod 2 : dense(pitch = 8))"},
        {"(3,5):(2,7)", "(d0, d1) -> (d0 * 2 + d1 * 7 : dense)"}, /* 7 is not a multiple of 2 */
        {"(2,3):(1,1)", NULL},
        {"(2,3):(0,1)", NULL},
        {"f32[3]{0:T(8,128)}",
         "(d0) -> (0 : dense, d0 floordiv 128 : dense, 0 : dense(pitch = 8), d0 mod 128 : dense)"},
        {"f32[10]{0:L(16)}", "(d0) -> (d0 : dense(pitch = 16))"},
        {"f32[3,5]{1,0:L(10)}", "(d0, d1) -> (d0 : dense(pitch = 4), d1 : dense)"},
        {"f32[3,5]{0,1:L(16)}", "(d0, d1) -> (d0 + d1 * 3 : dense(pitch = 16))"},
        {"f32[4,3,5]{2,1,0:L(50)}", "(d0, d1, d2) -> (d0 * 3 + d1 : dense(pitch = 20), d2 : dense)"},
        {"f32[3,5]{1,0:T(2,2)L(20)}",
         "(d0, d1) -> ((d0 floordiv 2) * 3 + d1 floordiv 2 : dense(pitch = 10), d0 "
         "mod 2 : dense, d1 mod 2 : dense)"},
        {"f32[3,0]{1,0:L(10)}", "(d0, d1) -> (d0 : dense, d1 : dense)"},
        {"(i, j) -> (i * 7 + j), domain: i in [0, 2], j in [0, 4]", "(d0, d1) -> (d0 * 7 + d1 : dense)"},
        {"(i, j) -> (i * 5 + j + 1), domain: i in [0, 2], j in [0, 4]", NULL}, /* begins at 1 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_layout *layout = NULL;
        tsr_text text = {0};
        assert_ok(tsr_layout_parse(&layout, rows[i].from, NULL, err));
        const tsr_status status = tsr_layout_print_format(&text, layout, NULL);
        if (!rows[i].to)
            assert_int_equal(status, TSR_UNSUPPORTED);
        else
            expect_text(&text, rows[i].from, rows[i].to);
        tsr_text_clear(&text);
        tsr_layout_free(layout);
    }
}

/* ---- points ---- */

/* The element of each offset has that offset; all other offsets are padding. */
static void test_elements(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "f32[3,5]{1,0:T(2,2)}",
        "((4,2),(4,3)):((4,16),(1,32))@(7,9)",
        "(2,4):(12,1)",
        "(5):(3)",
        "(i, j) -> (i floordiv 2, j floordiv 2, i mod 2, j mod 2), domain: i in [0, 2], j in [0, 4]",
        "(i, j) -> (i * 7 + j + 2), domain: i in [0, 2], j in [0, 4]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        tsr_layout *layout = NULL;
        int64_t nelems = 1, found = 0, coord[TSR_MAP_MAX_VARS], offset;
        bool padding = false;
        assert_ok(tsr_layout_parse(&layout, texts[i], NULL, err));
        for (int d = 0; d < layout->rank; d++)
            nelems *= layout->dims[d];
        for (int64_t at = 0; at < layout->span; at++) {
            assert_ok(tsr_layout_element(coord, &padding, layout, at, err));
            if (padding)
                continue;
            found++;
            assert_ok(tsr_layout_offset(&offset, layout, coord, err));
            assert_int_equal(offset, at);
        }
        assert_int_equal(found, nelems);
        assert_int_equal(tsr_layout_element(coord, &padding, layout, layout->span, NULL), TSR_RANGE);
        coord[0] = layout->dims[0];
        assert_int_equal(tsr_layout_offset(&offset, layout, coord, NULL), TSR_RANGE);
        tsr_layout_free(layout);
    }
}

/* ---- swizzled layouts ---- */

/* The swizzle by its definition, bit by bit. */
static int64_t swizzled_by_bits(int bits, int base, int shift, int64_t x)
{
    int64_t y = x;
    for (int k = 0; k < bits; k++) {
        const int low = base + k, high = low + (shift < 0 ? -shift : shift);
        const int changed = shift < 0 ? high : low, changing = shift < 0 ? low : high;
        if (x >> changing & 1)
            y ^= (int64_t)1 << changed;
    }
    return y;
}

static void check_swizzled(int bits, int base, int shift, int offset, const char *plain)
{
    tsr_layout *x = NULL, *y = NULL, *again = NULL;
    tsr_layout_difference difference;
    tsr_text text = {0}, map = {0};
    tsr_text_addf(&text, "Sw<%d,%d,%d> o %d o %s", bits, base, shift, offset, plain);
    assert_ok(tsr_layout_parse(&x, tsr_text_cstr(&text), NULL, err));
    assert_ok(tsr_layout_parse(&y, plain, NULL, err));
    int64_t coord[2], back[2], got, want, value;
    bool padding;
    for (coord[0] = 0; coord[0] < x->dims[0]; coord[0]++)
        for (coord[1] = 0; coord[1] < x->dims[1]; coord[1]++) {
            assert_ok(tsr_layout_offset(&want, y, coord, err));
            want = swizzled_by_bits(bits, base, shift, want + offset);
            assert_ok(tsr_layout_offset(&got, x, coord, err));
            assert_int_equal(got, want);
            assert_true(got < x->span);
            assert_ok(tsr_map_eval(&value, x->offset, coord, err));
            assert_int_equal(value, want);
            assert_ok(tsr_layout_element(back, &padding, x, got, err));
            assert_false(padding);
            assert_memory_equal(back, coord, sizeof coord);
        }
    tsr_text printed = {0};
    tsr_layout_print(&printed, x);
    assert_string_equal(tsr_text_cstr(&printed), tsr_text_cstr(&text));
    assert_ok(tsr_layout_print_as(&map, x, "map", NULL, err));
    assert_ok(tsr_layout_parse(&again, tsr_text_cstr(&map), NULL, err));
    assert_ok(tsr_layout_same(&difference, x, again, err));
    assert_int_equal(difference.verdict, TSR_LAYOUT_SAME);
    tsr_text_clear(&text), tsr_text_clear(&map), tsr_text_clear(&printed);
    tsr_layout_free(x), tsr_layout_free(y), tsr_layout_free(again);
}

static void test_swizzled(void **state)
{
    (void)state;
    static const char *const plain[] = {"(8,8):(8,1)", "(8,8):(1,8)", "((2,4),(4,3)):((4,16),(1,64))",
                                        "(5,7):(9,1)"};
    static const int swizzles[][3] = {{0, 0, 0}, {1, 0, 1},  {2, 0, 3},  {3, 0, 3}, {2, 1, 2},
                                      {3, 4, 3}, {2, 0, -2}, {1, 2, -3}, {3, 0, 4}};
    for (size_t i = 0; i < sizeof swizzles / sizeof swizzles[0]; i++)
        for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++)
            for (int offset = 0; offset < 20; offset += 13)
                check_swizzled(swizzles[i][0], swizzles[i][1], swizzles[i][2], offset, plain[k]);
    /* the layout of 128 bytes in shared memory, 16-bit elements: row r exchanges blocks of 8 by r */
    tsr_layout *layout = NULL;
    assert_ok(tsr_layout_parse(&layout, "cute::Swizzle<3,3,3> o _0 o (8,64):(64,1)", NULL, err));
    for (int64_t r = 0; r < 8; r++)
        for (int64_t c = 0; c < 64; c++) {
            int64_t offset;
            assert_ok(tsr_layout_offset(&offset, layout, (int64_t[]){r, c}, err));
            assert_int_equal(offset, r * 64 + (c / 8 ^ r) * 8 + c % 8);
        }
    tsr_layout_free(layout);
    static const char *const broken[] = {"Sw<3,4,2> o 0 o 8:1",  "Sw<3,40,30> o 0 o 8:1",
                                         "Sw<3,4,3> o 0 8:1",    "Sw<3,4> o 0 o 8:1",
                                         "Sw<3,4,3> o _ o 8:1",  "Sw<3,4,3> 8:1",
                                         "Sw<-1,4,3> o 0 o 8:1", "Sw<3,4,3> o 9223372036854775807 o 8:1"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        if (tsr_layout_parse(&layout, broken[i], NULL, NULL) == TSR_OK)
            fail_msg("%s is read", broken[i]);
}

static void test_refusals(void **state)
{
    (void)state;
    static const int64_t dims[] = {4, 5};
    const tsr_layout_options options = {.ndims = 2, .dims = dims};
    static const struct {
        const char *text, *message;
        bool shape;
        tsr_status status; /* TSR_OK: TSR_ARGUMENT */
    } rows[] = {
        {"f32[3,5]{1,0}", "the dims of the layout are 3 x 5, but --dims gives 4 x 5", true, TSR_OK},
        {"{1,0:T(2,2)}", "the dims are unknown", false, TSR_OK},
        {"(d0) -> (d0)", "the size of dim 0 is unknown", false, TSR_OK},
        {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 3], s0 in [0, 3]", "'s0' would give an element several",
         false, TSR_OK},
        {"(d0) -> (d0), domain: d0 in [1, 3]", "dim 0 of a layout must begin at 0, not 1", false, TSR_OK},
        /* the offsets were outside [0, span) */
        {"(i) -> (-i), domain: i in [0, 3]", "begin at -3, but those of a layout begin at 0", false, TSR_OK},
        {"(i, j) -> (i * 9223372036854775807 + j), domain: i in [0, 1], j in [0, 1]", "2^63-1 or more", false,
         TSR_LIMIT},
    };
    tsr_layout *layout = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tsr_error err = {0};
        const tsr_status status =
            tsr_layout_parse(&layout, rows[i].text, rows[i].shape ? &options : NULL, &err);
        assert_int_equal(status, rows[i].status ? rows[i].status : TSR_ARGUMENT);
        assert_null(layout);
        if (!strstr(err.message, rows[i].message))
            fail_msg("%s: %s", rows[i].text, err.message);
    }
    assert_ok(tsr_layout_parse(&layout, "{1,0:T(2,2)}", &options, err));
    assert_int_equal(layout->span, 24);
    tsr_layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kind),     cmocka_unit_test(test_same),     cmocka_unit_test(test_fractals),
        cmocka_unit_test(test_convert),  cmocka_unit_test(test_formats),  cmocka_unit_test(test_elements),
        cmocka_unit_test(test_swizzled), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
