/* Operations as maps, compared with their definitions: for random small operations, the definition decides
 * for every pair of an output and an operand coordinate whether one is read for the other, and the maps of
 * both directions must give exactly these pairs. So domains are exact, and each direction composed with the
 * other contains the identity. */
#include "tsr_test.h"

#include "map_op_kinds.h"
#include "map_oracle.h"
#include "tsr_alloc.h"

enum { MAX = MAP_OP_MAX, MAX_PAIRS = 1 << 16, NROUNDS = 600 };

/* ---- comparison ---- */

static int64_t count(int n, const uint64_t *dims)
{
    int64_t product = 1;
    for (int k = 0; k < n; k++)
        product *= (int64_t)dims[k];
    return product;
}

/* Row-major number of x, or -1 when it is outside. */
static int64_t number(int n, const uint64_t *dims, const int64_t *x)
{
    int64_t at = 0;
    for (int k = 0; k < n; k++) {
        if (x[k] < 0 || x[k] >= (int64_t)dims[k])
            return -1;
        at = at * (int64_t)dims[k] + x[k];
    }
    return at;
}

static void coordinates(int64_t *x, int n, const uint64_t *dims, int64_t at)
{
    for (int k = n - 1; k >= 0; k--) {
        x[k] = at % (int64_t)dims[k];
        at /= (int64_t)dims[k];
    }
}

/* Mark the pairs (runtime values, output, operand) that the map has. */
static void mark(unsigned char *pairs, const tsr_map *map, tsr_map_direction direction, const op_kind *kind,
                 const op_case *c)
{
    tsr_text text = {0};
    map_oracle oracle;
    map_box box;
    const bool back = direction == TSR_OUTPUT_TO_INPUT;
    const int64_t no = count(c->nout, c->out), ni = count(c->n, c->dims);
    tsr_map_print(&text, map);
    map_oracle_read(&oracle, tsr_text_cstr(&text));
    assert_int_equal(oracle.ndims, back ? c->nout : c->n);
    assert_int_equal(oracle.nresults, back ? c->n : c->nout);
    map_box_init(&box, &oracle, 1 << 22);
    for (bool more = map_box_next(&box); more; more = map_box_next(&box)) {
        int64_t y[64];
        if (!map_oracle_inside(&oracle, box.x))
            continue;
        for (int r = 0; r < oracle.nresults; r++)
            y[r] = map_oracle_result(&oracle, r, box.x);
        const int64_t o = number(c->nout, c->out, back ? box.x : y);
        const int64_t i = number(c->n, c->dims, back ? y : box.x);
        const int64_t rt = number(c->nrt, c->rt, box.x + oracle.nvars - c->nrt);
        if (kind->may_leave && (o < 0 || i < 0))
            continue;
        if (o < 0 || i < 0 || rt < 0)
            fail_msg("%s: '%s' leads outside", kind->name, tsr_text_cstr(&text));
        pairs[(rt * no + o) * ni + i] = 1;
    }
    tsr_text_clear(&text);
}

static void mark_by_definition(unsigned char *pairs, const op_kind *kind, const op_case *c)
{
    const int64_t no = count(c->nout, c->out), ni = count(c->n, c->dims), nrt = count(c->nrt, c->rt);
    int64_t o[MAX], i[MAX], rt[MAX];
    for (int64_t a = 0; a < nrt; a++)
        for (int64_t b = 0; b < no; b++)
            for (int64_t d = 0; d < ni; d++) {
                coordinates(rt, c->nrt, c->rt, a);
                coordinates(o, c->nout, c->out, b);
                coordinates(i, c->n, c->dims, d);
                pairs[(a * no + b) * ni + d] = kind->reads(c, o, i, rt);
            }
}

static void compare(const op_kind *kind, const op_case *c, const tsr_map *map, tsr_map_direction direction,
                    const unsigned char *want)
{
    const size_t n = (size_t)(count(c->nout, c->out) * count(c->n, c->dims) * count(c->nrt, c->rt));
    unsigned char *have = calloc(n + 1, 1);
    assert_non_null(have);
    mark(have, map, direction, kind, c);
    if (memcmp(have, want, n) != 0) {
        tsr_text text = {0};
        tsr_map_print(&text, map);
        fail_msg("%s, direction %d: other pairs than by definition: %s", kind->name, (int)direction,
                 tsr_text_cstr(&text));
    }
    free(have);
}

/* Make both maps of a case, and check that they give the shape of the output. False: there are too many
 * pairs. */
static bool build(tsr_map **maps, const op_kind *kind, op_case *c)
{
    uint64_t out[MAX] = {0};
    assert_ok(kind->map(&maps[0], out, TSR_OUTPUT_TO_INPUT, c, err));
    assert_ok(kind->map(&maps[1], NULL, kind->one_way ? TSR_OUTPUT_TO_INPUT : TSR_INPUT_TO_OUTPUT, c, err));
    if (!kind->any_shape)
        memcpy(c->out, out, sizeof out);
    return count(c->nout, c->out) * count(c->n, c->dims) * count(c->nrt, c->rt) <= MAX_PAIRS;
}

static void test_by_definition(void **state)
{
    (void)state;
    for (size_t k = 0; k < MAP_OP_NKINDS; k++) {
        uint64_t npairs = 0;
        for (uint64_t round = 0; round < NROUNDS; round++) {
            tsr_rng rng = {.s = round * 1000 + k};
            op_case c = {0};
            tsr_map *maps[2];
            map_op_kinds[k].choose(&c, &rng);
            const bool fits = build(maps, &map_op_kinds[k], &c);
            const size_t n =
                fits ? (size_t)(count(c.nout, c.out) * count(c.n, c.dims) * count(c.nrt, c.rt)) : 0;
            unsigned char *want = calloc(n + 1, 1);
            assert_non_null(want);
            if (fits) {
                mark_by_definition(want, &map_op_kinds[k], &c);
                compare(&map_op_kinds[k], &c, maps[0], TSR_OUTPUT_TO_INPUT, want);
                if (!map_op_kinds[k].one_way)
                    compare(&map_op_kinds[k], &c, maps[1], TSR_INPUT_TO_OUTPUT, want);
                for (size_t p = 0; p < n; p++)
                    npairs += want[p];
            }
            free(want);
            tsr_map_free(maps[0]);
            tsr_map_free(maps[1]);
        }
        if (npairs < NROUNDS)
            fail_msg("%s: only %llu pairs were looked at", map_op_kinds[k].name, (unsigned long long)npairs);
    }
}

static uint64_t or1(uint64_t x)
{
    return x == 0 ? 1 : x;
}

static const op_kind *kind_named(const char *name)
{
    for (size_t k = 0; k < MAP_OP_NKINDS; k++)
        if (strcmp(map_op_kinds[k].name, name) == 0)
            return &map_op_kinds[k];
    fail_msg("no operation %s", name);
    return NULL;
}

/* The shape of the output as the definitions give it. */
static void test_output_shapes(void **state)
{
    (void)state;
    const op_kind *slice = kind_named("slice"), *window = kind_named("reduce-window");
    for (uint64_t round = 0; round < 2000; round++) {
        tsr_rng rng = {.s = round};
        op_case c = {0};
        uint64_t out[MAX];
        tsr_map *map;
        slice->choose(&c, &rng);
        assert_ok(slice->map(&map, out, TSR_OUTPUT_TO_INPUT, &c, err));
        for (int k = 0; k < c.n; k++) {
            uint64_t n = 0, at = c.slices[k].start;
            while (at < c.slices[k].limit) {
                n++;
                at = c.slices[k].stride > c.slices[k].limit ? c.slices[k].limit : at + c.slices[k].stride;
            }
            assert_int_equal(out[k], n);
        }
        tsr_map_free(map);
        memset(&c, 0, sizeof c);
        window->choose(&c, &rng);
        assert_ok(window->map(&map, out, TSR_OUTPUT_TO_INPUT, &c, err));
        for (int k = 0; k < c.n; k++) {
            const tsr_index_window *w = &c.windows[k];
            const int64_t body = c.dims[k] ? (int64_t)((c.dims[k] - 1) * or1(w->base_dilation) + 1) : 0;
            const int64_t last = (int64_t)((or1(w->size) - 1) * or1(w->window_dilation)); /* the last cell */
            uint64_t n = 0;
            while ((int64_t)(n * or1(w->stride)) + last < w->low + body + w->high)
                n++;
            assert_int_equal(out[k], n);
        }
        tsr_map_free(map);
    }
}

/* ---- texts of maps ---- */

static void expect(tsr_map *map, const char *want)
{
    tsr_text text = {0};
    tsr_map_print(&text, map);
    assert_string_equal(tsr_text_cstr(&text), want);
    tsr_text_clear(&text);
    tsr_map_free(map);
}

static void test_texts(void **state)
{
    (void)state;
    tsr_map *map;
    const uint64_t d45[] = {4, 5}, d8[] = {8}, d248[] = {2, 4, 8}, huge[] = {1ull << 40, 1ull << 40};
    const uint64_t halves[] = {1ull << 40, 1ull << 20, 1ull << 20}, ones[] = {1, 1};
    assert_ok(tsr_map_scalar(&map, (tsr_shape){2, d45}, err));
    expect(map, "(d0, d1) -> (), domain: d0 in [0, 3], d1 in [0, 4]");
    assert_ok(tsr_map_everywhere(&map, (tsr_shape){2, d45}, err));
    expect(map, "()[s0, s1] -> (s0, s1), domain: s0 in [0, 3], s1 in [0, 4]");
    assert_ok(tsr_map_identity(&map, (tsr_shape){2, d45}, err));
    expect(map, "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 4]");
    assert_ok(tsr_map_pad(&map, NULL, TSR_OUTPUT_TO_INPUT, (tsr_shape){1, d8},
                          (tsr_padding[]){{.low = -3, .high = -5, .interior = 1}}, err));
    expect(map, "(d0) -> ((d0 + 3) floordiv 2), domain: d0 in [0, 6], (d0 + 3) mod 2 in [0, 0]");
    assert_ok(tsr_map_reshape(&map, TSR_INPUT_TO_OUTPUT, (tsr_shape){3, d248},
                              (tsr_shape){1, (uint64_t[]){64}}, err));
    expect(map, "(d0, d1, d2) -> (d0 * 32 + d1 * 8 + d2), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 7]");
    /* products over 2^63 do not occur in this case */
    assert_ok(tsr_map_reshape(&map, TSR_OUTPUT_TO_INPUT, (tsr_shape){2, huge}, (tsr_shape){3, halves}, err));
    expect(map, "(d0, d1, d2) -> (d0, d1 * 1048576 + d2), domain: d0 in [0, 1099511627775], d1 in [0, "
                "1048575], d2 in [0, 1048575]");
    assert_ok(tsr_map_reshape(&map, TSR_OUTPUT_TO_INPUT, (tsr_shape){2, ones}, (tsr_shape){0, ones}, err));
    expect(map, "() -> (0, 0)");
    assert_ok(tsr_map_reshape(&map, TSR_INPUT_TO_OUTPUT, (tsr_shape){2, ones}, (tsr_shape){0, ones}, err));
    expect(map, "(d0, d1) -> (), domain: d0 in [0, 0], d1 in [0, 0]");
}

static void test_symbols(void **state)
{
    (void)state;
    tsr_map *map, *value, *out;
    const bool keep[] = {false, false, false, true, true, false},
               fewer[] = {true, true, true, false, true, true};
    const int at[] = {1, 0, 3};
    assert_ok(tsr_map_parse(&map,
                            "(a, b)[s, t, u]{r} -> (a + t), domain: a in [0, 3], b in [0, 4], s in [0, 5], t "
                            "in [0, 6], u in [0, 9], r in [0, 7], u + a in [0, 5]",
                            err));
    for (int v = 0; v < 6; v++)
        assert_int_equal(tsr_map_uses(map, v), v == 0 || keep[v]);
    assert_ok(tsr_map_keep(&out, map, keep, err));
    expect(out, "(d0, d1)[s0, s1] -> (d0 + s0), domain: d0 in [0, 3], d1 in [0, 4], s0 in [0, 6], s1 in [0, "
                "9], d0 + s1 in [0, 5]");
    assert_int_equal(tsr_map_keep(&out, map, fewer, NULL), TSR_ARGUMENT);
    assert_null(out);
    assert_ok(tsr_map_parse(&value, "(a, b)[s] -> (b * 2, a + s), domain: a - b in [0, 9]", err));
    assert_ok(tsr_map_embed(&out, value, map, at, err));
    expect(out, "(d0, d1)[s0, s1, s2]{rt0} -> (d0 * 2, d1 + s1), domain: d0 in [0, 3], d1 in [0, 4], s0 in "
                "[0, 5], s1 in [0, 6], s2 in [0, 9], rt0 in [0, 7], -d0 + d1 in [0, 9]");
    tsr_map_free(value);
    tsr_map_free(map);
    assert_ok(
        tsr_map_parse(&map, "(a){r, q} -> (a + r), domain: a in [0, 9], r in [2, 5], q in [0, 1]", err));
    assert_ok(tsr_map_parse(&value, "(a){r, q} -> (a * 2 + q)", err));
    assert_ok(tsr_map_substitute(&out, map, 1, value, err));
    expect(out, "(d0){rt0} -> (d0 * 3 + rt0), domain: d0 in [0, 9], rt0 in [0, 1], d0 * 2 + rt0 in [2, 5]");
    assert_int_equal(tsr_map_substitute(&out, map, 0, value, NULL), TSR_ARGUMENT);
    assert_null(out);
    assert_int_equal(tsr_map_substitute(&out, map, 3, value, NULL), TSR_ARGUMENT);
    tsr_map_free(map);
    tsr_map_free(value);
}

/* ---- arguments that do not fit together ---- */

static void check_refused(tsr_status status, const tsr_map *out, const tsr_error *err, tsr_status want,
                          const char *message)
{
    assert_null(out);
    assert_int_equal(status, want);
    assert_string_equal(err->message, message);
}

#define REFUSED(call, want, message)                            \
    do {                                                        \
        tsr_error refused = {0}, *const err = &refused;         \
        tsr_map *out = (tsr_map *)-1;                           \
        const tsr_status refused_status = (call);               \
        check_refused(refused_status, out, err, want, message); \
    } while (0)

static void test_refusals(void **state)
{
    (void)state;
    const uint64_t d[] = {4, 5}, over[] = {1ull << 63, 1}, big[] = {1ull << 40, 1ull << 40};
    const tsr_map_direction o2i = TSR_OUTPUT_TO_INPUT;
    const tsr_slice good = {.limit = 1, .stride = 1};
    const tsr_padding none = {0};
    const int twice[] = {1, 1}, outside[] = {0, 2}, zero[] = {0}, one[] = {1};
    REFUSED(tsr_map_identity(&out, (tsr_shape){2, over}, err), TSR_LIMIT,
            "dim 0 of 9223372036854775808 is over 2^63 - 1");
    REFUSED(tsr_map_identity(&out, (tsr_shape){65, NULL}, err), TSR_LIMIT,
            "an operation takes at most 64 dims, not 65");
    REFUSED(tsr_map_transpose(&out, NULL, o2i, (tsr_shape){2, d}, twice, err), TSR_ARGUMENT,
            "the permutation names dim 1 twice");
    REFUSED(tsr_map_transpose(&out, NULL, o2i, (tsr_shape){2, d}, outside, err), TSR_ARGUMENT,
            "the permutation names dim 2, but there are only 2 dims");
    REFUSED(tsr_map_slice(&out, NULL, o2i, (tsr_shape){2, d}, (tsr_slice[]){good, {.limit = 5}}, err),
            TSR_ARGUMENT, "the slice of dim 1 has stride 0");
    REFUSED(tsr_map_slice(&out, NULL, o2i, (tsr_shape){2, d}, (tsr_slice[]){{3, 6, 1}, good}, err),
            TSR_ARGUMENT, "the slice [3:6] does not lie inside dim 0 of 4");
    REFUSED(tsr_map_slice(&out, NULL, o2i, (tsr_shape){2, d}, (tsr_slice[]){{3, 2, 1}, good}, err),
            TSR_ARGUMENT, "the slice [3:2] does not lie inside dim 0 of 4");
    REFUSED(tsr_map_pad(&out, NULL, o2i, (tsr_shape){2, d}, (tsr_padding[]){{-2, -3, 0}, none}, err),
            TSR_ARGUMENT, "dim 0 of 4 with padding -2 and -3 has a negative size");
    REFUSED(tsr_map_pad(&out, NULL, o2i, (tsr_shape){2, d}, (tsr_padding[]){none, {0, INT64_MAX, 0}}, err),
            TSR_LIMIT, "dim 1 of 5 with its padding does not fit into 64 bits");
    REFUSED(
        tsr_map_pad(&out, NULL, o2i, (tsr_shape){2, d}, (tsr_padding[]){none, {0, 0, INT64_MAX / 2}}, err),
        TSR_LIMIT, "dim 1 of 5 with interior padding is larger than 2^63 - 1");
    REFUSED(tsr_map_reshape(&out, o2i, (tsr_shape){2, d}, (tsr_shape){1, (uint64_t[]){21}}, err),
            TSR_ARGUMENT,
            "a reshape keeps the number of cells, but [21] and [4, 5] have different numbers of cells");
    REFUSED(tsr_map_reshape(&out, o2i, (tsr_shape){2, d}, (tsr_shape){1, (uint64_t[]){0}}, err), TSR_ARGUMENT,
            "a reshape keeps the number of cells, but [0] and [4, 5] have different numbers of cells");
    REFUSED(tsr_map_reshape(&out, o2i, (tsr_shape){2, big}, (tsr_shape){1, (uint64_t[]){1ull << 62}}, err),
            TSR_LIMIT, "a reshape of [4611686018427387904] joins dims whose product is over 2^63 - 1");
    REFUSED(tsr_map_broadcast(&out, o2i, (tsr_shape){2, d}, (tsr_shape){2, d}, twice, err), TSR_ARGUMENT,
            "the broadcast names dim 1 twice");
    REFUSED(tsr_map_broadcast(&out, o2i, (tsr_shape){1, d}, (tsr_shape){2, d}, one, err), TSR_ARGUMENT,
            "the broadcast puts dim 0 of 4 at dim 1 of 5");
    REFUSED(tsr_map_concat(&out, NULL, o2i, (tsr_shape){2, d}, &(tsr_concat){2, 0, 4}, err), TSR_ARGUMENT,
            "a concatenation along dim 2, but there are only 2 dims");
    REFUSED(tsr_map_concat(&out, NULL, o2i, (tsr_shape){2, d}, &(tsr_concat){0, 3, 6}, err), TSR_ARGUMENT,
            "4 after 3 do not fit into a concatenation of 6");
    REFUSED(tsr_map_dynamic_slice(&out, o2i, (tsr_shape){2, d}, (uint64_t[]){4, 6}, err), TSR_ARGUMENT,
            "a block of 6 does not fit into dim 1 of 5");
    const tsr_index_window wide[] = {{.size = 1ull << 40}, {0}};
    REFUSED(tsr_map_reduce_window(&out, NULL, o2i, (tsr_shape){2, d}, wide, err), TSR_LIMIT,
            "dim 0 of 4 or its window is larger than 2^30, or its padding larger than 2^60");
    const tsr_dot unequal = {.nleft = 2,
                             .nright = 2,
                             .ncontracted = 1,
                             .left = d,
                             .right = d,
                             .left_contracted = zero,
                             .right_contracted = one};
    REFUSED(tsr_map_dot(&out, NULL, o2i, &unequal, 0, err), TSR_ARGUMENT,
            "a product pairs dim 0 of 4 with dim 1 of 5");
    const tsr_convolution groups = {
        .base = d, .kernel = d, .base_feature = 1, .kernel_output = 1, .out_feature = 1, .feature_groups = 3};
    REFUSED(tsr_map_convolution(&out, NULL, &groups, 0, err), TSR_ARGUMENT,
            "5 features in 3 groups do not fit a kernel of 4 input and 5 output features");
}

static void test_memory_running_out(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    for (size_t k = 0; k < MAP_OP_NKINDS; k++) {
        op_case c = {0};
        tsr_rng rng = {.s = k};
        map_op_kinds[k].choose(&c, &rng);
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_map *map;
            tsr_faults_arm(&faults);
            const tsr_status status = map_op_kinds[k].map(&map, NULL, TSR_OUTPUT_TO_INPUT, &c, NULL);
            tsr_faults_end(&faults, status);
            assert_true((status == TSR_OK) == (map != NULL));
            tsr_map_free(map);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_definition), cmocka_unit_test(test_output_shapes),
        cmocka_unit_test(test_texts),         cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_memory_running_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
