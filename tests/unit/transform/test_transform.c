/* tsr_transform: each operation against the formula that says what it does to one coordinate; random chains
 * of them as one composed map and one by one; every value width, both coordinate widths, any number of
 * threads; tables, concatenation, extremes; what is refused; memory running out. */
#include "oracle.h"

#include <math.h>

#include "tsr_map_ops.h"
#include "tsr_transform.h"

/* ---- operations as formulas ---- */

typedef enum op_kind { TRANSPOSE, REVERSE, SLICE, PAD, RESHAPE, REDUCE, NKINDS } op_kind;

typedef struct op {
    op_kind kind;
    int n, nout;
    uint64_t dims[TSR_MAX_ORDER], out_dims[TSR_MAX_ORDER];
    int perm[TSR_MAX_ORDER];
    bool flag[TSR_MAX_ORDER];
    tsr_slice slice[TSR_MAX_ORDER];
    tsr_padding pad[TSR_MAX_ORDER];
} op;

/* out = where x goes; false: nowhere. */
static bool take_one(int64_t *out, const op *o, const int64_t *x)
{
    uint64_t line = 0;
    int n = 0;
    for (int m = 0; m < o->n; m++) {
        const int64_t dim = (int64_t)o->dims[m];
        switch (o->kind) {
        case TRANSPOSE:
            out[m] = x[o->perm[m]];
            break;
        case REVERSE:
            out[m] = o->flag[m] ? dim - 1 - x[m] : x[m];
            break;
        case SLICE: {
            const tsr_slice *s = &o->slice[m];
            if (x[m] < (int64_t)s->start || x[m] >= (int64_t)s->limit ||
                (x[m] - (int64_t)s->start) % (int64_t)s->stride != 0)
                return false;
            out[m] = (x[m] - (int64_t)s->start) / (int64_t)s->stride;
            break;
        }
        case PAD:
            out[m] = x[m] * ((int64_t)o->pad[m].interior + 1) + o->pad[m].low;
            if (out[m] < 0 || out[m] >= (int64_t)o->out_dims[m])
                return false;
            break;
        case REDUCE:
            if (!o->flag[m])
                out[n++] = x[m];
            break;
        case RESHAPE:
        default:
            line = line * o->dims[m] + (uint64_t)x[m];
        }
    }
    for (int m = o->nout - 1; o->kind == RESHAPE && m >= 0; m--) {
        out[m] = (int64_t)(line % o->out_dims[m]);
        line /= o->out_dims[m];
    }
    return true;
}

static tsr_map *map_of(op *o)
{
    tsr_map *map = NULL;
    const tsr_map_direction on = TSR_INPUT_TO_OUTPUT;
    o->nout = o->kind == RESHAPE ? o->nout : o->n;
    switch (o->kind) {
    case TRANSPOSE:
        assert_ok(tsr_map_transpose(&map, o->out_dims, on, (tsr_shape){o->n, o->dims}, o->perm, err));
        break;
    case REVERSE:
        memcpy(o->out_dims, o->dims, sizeof o->dims);
        assert_ok(tsr_map_reverse(&map, (tsr_shape){o->n, o->dims}, o->flag, err));
        break;
    case SLICE:
        assert_ok(tsr_map_slice(&map, o->out_dims, on, (tsr_shape){o->n, o->dims}, o->slice, err));
        break;
    case PAD:
        assert_ok(tsr_map_pad(&map, o->out_dims, on, (tsr_shape){o->n, o->dims}, o->pad, err));
        break;
    case REDUCE:
        assert_ok(tsr_map_reduce(&map, o->out_dims, on, (tsr_shape){o->n, o->dims}, o->flag, err));
        o->nout = tsr_map_nresults(map);
        break;
    case RESHAPE:
    default:
        assert_ok(
            tsr_map_reshape(&map, on, (tsr_shape){o->n, o->dims}, (tsr_shape){o->nout, o->out_dims}, err));
    }
    return map;
}

static void random_reshape(tsr_rng *rng, op *o)
{
    uint64_t left = 1;
    for (int m = 0; m < o->n; m++)
        left *= o->dims[m];
    o->nout = 0;
    while (left > 1 && o->nout < 4) {
        uint64_t d = 1 + tsr_rng_below(rng, left < 40 ? left : 40);
        while (left % d != 0)
            d--;
        o->out_dims[o->nout++] = d;
        left /= d;
    }
    o->out_dims[o->nout++] = left;
}

/* A random operation on a tensor of n modes. */
static void random_op(op *o, tsr_rng *rng, int n, const uint64_t *dims)
{
    *o = (op){.kind = (op_kind)tsr_rng_below(rng, NKINDS), .n = n};
    for (int m = 0; m < n; m++) {
        o->dims[m] = dims[m];
        o->flag[m] = tsr_rng_below(rng, 3) == 0;
        const int k = (int)tsr_rng_below(rng, (uint64_t)m + 1);
        o->perm[m] = o->perm[k];
        o->perm[k] = m;
        tsr_slice *s = &o->slice[m];
        s->start = tsr_rng_below(rng, dims[m]);
        s->limit = s->start + 1 + tsr_rng_below(rng, dims[m] - s->start);
        s->stride = 1 + tsr_rng_below(rng, 3);
        if (tsr_rng_below(rng, 2))
            *s = (tsr_slice){0, dims[m], 1};
        const bool cuts = dims[m] > 3 && tsr_rng_below(rng, 3) == 0;
        o->pad[m].low = cuts ? -1 : (int64_t)tsr_rng_below(rng, 3);
        o->pad[m].high = cuts ? -1 : (int64_t)tsr_rng_below(rng, 3);
        o->pad[m].interior = tsr_rng_below(rng, 4) ? 0 : 1;
    }
    if (o->kind == RESHAPE)
        random_reshape(rng, o);
}

/* ---- the entries as the formulas leave them ---- */

static tsr_coo *expected(const tsr_coo *coo, const op *ops, int nops)
{
    const int order = nops > 0 ? ops[nops - 1].nout : coo->order;
    const uint64_t *dims = nops > 0 ? ops[nops - 1].out_dims : coo->dims;
    tsr_coo *out;
    assert_ok(tsr_coo_new_sized(&out, (tsr_shape){order, dims}, coo->type, coo->iso, coo->nnz, err));
    const size_t width = coo->values.width;
    uint64_t n = 0;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        int64_t x[TSR_MAX_ORDER] = {0}, y[TSR_MAX_ORDER] = {0};
        bool kept = true;
        for (int m = 0; m < coo->order; m++)
            x[m] = (int64_t)tsr_array_get(&coo->crd[m], e);
        for (int k = 0; k < nops && kept; k++) {
            kept = take_one(y, &ops[k], x);
            memcpy(x, y, sizeof x);
        }
        if (!kept)
            continue;
        for (int m = 0; m < order; m++)
            tsr_array_set(&out->crd[m], n, (uint64_t)x[m]);
        if (!coo->iso)
            memcpy((char *)out->values.data + n * width, (char *)coo->values.data + e * width, width);
        n++;
    }
    if (coo->iso)
        memcpy(out->values.data, coo->values.data, width);
    out->nnz = n;
    for (int m = 0; m < order; m++)
        out->crd[m].n = n;
    if (!coo->iso)
        out->values.n = n;
    return out;
}

/* The same entries in the same order, in arrays that a coo may have. */
static void must_be(const tsr_coo *want, const tsr_coo *got, const char *what)
{
    tsr_error fault = {0};
    if (tsr_coo_check(got, 1, &fault) != TSR_OK)
        fail_msg("%s: %s", what, fault.message);
    assert_int_equal(got->order, want->order);
    for (int m = 0; m < want->order; m++)
        assert_int_equal(got->crd[m].width, want->dims[m] <= UINT64_C(1) << 32 ? 4 : 8);
    assert_null(got->natural);
    coo_must_equal(want, got, what);
}

/* The chain as one map, and step by step, on several threads. */
static void check_chain(const tsr_coo *coo, op *ops, int nops, tsr_map *const *maps)
{
    tsr_map *all;
    assert_ok(tsr_map_identity(&all, (tsr_shape){coo->order, coo->dims}, err));
    for (int k = 0; k < nops; k++) {
        tsr_map *composed, *simple;
        assert_ok(tsr_map_compose(&composed, maps[k], all, err));
        assert_ok(tsr_map_simplify(&simple, composed, err));
        tsr_map_free(composed);
        tsr_map_free(all);
        all = simple;
    }
    tsr_coo *want = expected(coo, ops, nops);
    const uint64_t *dims = nops > 0 ? ops[nops - 1].out_dims : coo->dims;
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        tsr_coo *got = coo_copy(coo);
        uint64_t ndropped;
        assert_ok(tsr_transform(got, &ndropped, all, dims, nthreads, err));
        assert_int_equal(ndropped, coo->nnz - want->nnz);
        must_be(want, got, "as one map");
        tsr_coo_free(got);
    }
    tsr_coo *got = coo_copy(coo);
    got->natural = NULL;
    for (int k = 0; k < nops; k++)
        assert_ok(tsr_transform(got, NULL, maps[k], ops[k].out_dims, 2, err));
    must_be(want, got, "step by step");
    tsr_coo_free(got);
    tsr_coo_free(want);
    tsr_map_free(all);
}

static bool too_large(int n, const uint64_t *dims)
{
    double cells = 1;
    for (int m = 0; m < n; m++)
        cells *= (double)dims[m];
    return cells > 1e15 || cells == 0;
}

static void run_chain(tsr_rng *rng, const tsr_coo *coo, int nops)
{
    op ops[8];
    tsr_map *maps[8];
    int k = 0, n = coo->order;
    const uint64_t *dims = coo->dims;
    while (k < nops && n > 0 && n < 10 && !too_large(n, dims)) {
        random_op(&ops[k], rng, n, dims);
        maps[k] = map_of(&ops[k]);
        n = ops[k].nout;
        dims = ops[k].out_dims;
        k++;
    }
    check_chain(coo, ops, k, maps);
    for (int i = 0; i < k; i++)
        tsr_map_free(maps[i]);
}

static void test_random_chains(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    for (int round = 0; round < 600; round++) {
        uint64_t dims[4];
        const int order = 1 + round % 4;
        for (int m = 0; m < order; m++)
            dims[m] = 1 + tsr_rng_below(&rng, 9);
        const tsr_type type = (tsr_type)tsr_rng_below(&rng, TSR_NTYPES);
        tsr_coo *coo =
            coo_random(&rng, (tsr_shape){order, dims}, type, tsr_rng_below(&rng, 60), false, false);
        run_chain(&rng, coo, 1 + round % 6);
        tsr_coo_free(coo);
    }
}

static void test_many_blocks(void **state)
{
    (void)state;
    tsr_rng rng = {12};
    static const tsr_type types[] = {TSR_F64, TSR_I8, TSR_C128, TSR_PATTERN, TSR_I16, TSR_F32};
    for (int round = 0; round < 24; round++) {
        const uint64_t dims[3] = {100, 40, 30};
        tsr_coo *coo = coo_random(&rng, (tsr_shape){3, dims}, types[round % 6], 5000, false, false);
        run_chain(&rng, coo, 1 + round % 4);
        tsr_coo_free(coo);
    }
}

static void test_wide_coordinates(void **state)
{
    (void)state;
    tsr_rng rng = {13};
    for (int round = 0; round < 60; round++) {
        const uint64_t dims[3] = {round % 2 ? UINT64_C(1) << 33 : 1 << 20, 1 << 14,
                                  1 + tsr_rng_below(&rng, 3)};
        tsr_coo *coo = coo_random(&rng, (tsr_shape){3, dims}, TSR_F64, 3000, false, false);
        run_chain(&rng, coo, 1 + round % 3);
        tsr_coo_free(coo);
    }
}

/* ---- maps as text ---- */

typedef struct text_row {
    const char *map;
    uint64_t out_dims[3];
    tsr_status status;
    const char *message; /* a part of it */
} text_row;

static const text_row text_rows[] = {
    {"(i, j) -> (j, i), domain: i in [0, 9], j in [0, 6]", {7, 10}, TSR_OK, NULL},
    {"(i, j) -> (i + j, i - j + 6), domain: i in [0, 9], j in [0, 6]", {16, 16}, TSR_OK, NULL},
    {"(i, j) -> (i, i), domain: i in [0, 9], j in [0, 6]", {10, 10}, TSR_OK, NULL},
    {"(i, j) -> (3), domain: i in [0, 9], j in [0, 6]", {4}, TSR_OK, NULL},
    {"(i, j) -> (), domain: i in [0, 9], j in [0, 6]", {0}, TSR_OK, NULL},
    {"(i, j) -> (i - 2), domain: i in [2, 5], j in [0, 6]", {4}, TSR_OK, NULL},
    {"(i, j) -> (i - j), domain: i in [0, 9], j in [0, 6], i - j in [0, 9]", {10}, TSR_OK, NULL},
    {"(i, j) -> (i, j), domain: i in [0, 9], j in [0, 6], i mod 3 in [1, 1], i + j in [3, 8]",
     {10, 7},
     TSR_OK,
     NULL},
    {"(i, j) -> (i, j), domain: i in [5, 4], j in [0, 6]", {10, 7}, TSR_OK, NULL},
    {"(i, j) -> (i, j), domain: i in [0, 9], j in [0, 6], 1 in [2, 3]", {10, 7}, TSR_OK, NULL},
    {"(i, j) -> (i - j), domain: i in [0, 9], j in [0, 6]", {10}, TSR_RANGE, "moves to (-"},
    {"(i, j) -> (i), domain: i in [0, 9], j in [0, 6]", {9}, TSR_RANGE, "outside dim 0 of 9"},
    {"(i) -> (i), domain: i in [0, 9]", {10}, TSR_ARGUMENT, "1 dims"},
    {"(i, j)[s] -> (i), domain: i in [0, 9], j in [0, 6], s in [0, 1]", {10}, TSR_ARGUMENT, "symbols"},
    {"(i, j) -> (i), domain: i in [0, 9], j in [0, 6]", {UINT64_C(1) << 63}, TSR_LIMIT, "2^63 - 1"},
    {"(i, j) -> (i,i,i,i,i,i,i,i,i,i,i,i,i,i,i,i,i)", {1}, TSR_LIMIT, "17 modes"},
    {"(i, j) -> (i * 9223372036854775807)", {1}, TSR_LIMIT, "64 bits"},
};

static void test_maps_as_text(void **state)
{
    (void)state;
    tsr_rng rng = {14};
    const uint64_t dims[2] = {10, 7};
    for (size_t k = 0; k < sizeof text_rows / sizeof *text_rows; k++) {
        const text_row *row = &text_rows[k];
        tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_I32, 2500, false, false),
                *got = coo_copy(coo);
        tsr_map *map;
        tsr_error fault = {0};
        assert_ok(tsr_map_parse(&map, row->map, err));
        const tsr_status status = tsr_transform(got, NULL, map, row->out_dims, 2, &fault);
        if (status != row->status || (row->message && !strstr(fault.message, row->message)))
            fail_msg("%s: status %d: %s", row->map, (int)status, fault.message);
        uint64_t n = 0;
        for (uint64_t e = 0; status == TSR_OK && e < coo->nnz; e++) {
            int64_t x[2], y[TSR_MAX_ORDER];
            bool inside;
            for (int m = 0; m < 2; m++)
                x[m] = (int64_t)tsr_array_get(&coo->crd[m], e);
            assert_ok(tsr_map_inside(&inside, map, x, err));
            if (!inside)
                continue;
            assert_ok(tsr_map_eval(y, map, x, err));
            for (int r = 0; r < got->order; r++)
                assert_int_equal(tsr_array_get(&got->crd[r], n), y[r]);
            assert_memory_equal((char *)got->values.data + 4 * n, (char *)coo->values.data + 4 * e, 4);
            n++;
        }
        assert_true(status != TSR_OK || n == got->nnz);
        tsr_map_free(map);
        tsr_coo_free(coo);
        tsr_coo_free(got);
    }
}

static void test_symmetric_is_refused(void **state)
{
    (void)state;
    tsr_coo *coo;
    tsr_map *map;
    tsr_error fault = {0};
    const uint64_t dims[2] = {3, 3};
    assert_ok(tsr_coo_new(&coo, (tsr_shape){2, dims}, TSR_F64, err));
    coo->structure = TSR_SYMMETRIC_LOWER;
    assert_ok(tsr_map_identity(&map, (tsr_shape){2, dims}, err));
    assert_int_equal(tsr_transform(coo, NULL, map, dims, 1, &fault), TSR_ARGUMENT);
    assert_non_null(strstr(fault.message, "symmetric_lower"));
    tsr_map_free(map);
    tsr_coo_free(coo);
}

/* Modes that only change places keep their arrays, whatever the number of entries. */
static void test_transpose_moves_arrays(void **state)
{
    (void)state;
    tsr_rng rng = {15};
    const uint64_t dims[3] = {10, 20, 30}, out_dims[3] = {30, 10, 20};
    static const int perm[3] = {2, 0, 1};
    tsr_coo *coo = coo_random(&rng, (tsr_shape){3, dims}, TSR_F64, 100, false, false);
    const void *const first = coo->crd[0].data, *const values = coo->values.data;
    tsr_map *map;
    assert_ok(tsr_map_transpose(&map, NULL, TSR_INPUT_TO_OUTPUT, (tsr_shape){3, dims}, perm, err));
    assert_ok(tsr_transform(coo, NULL, map, out_dims, 0, err));
    assert_ptr_equal(coo->crd[1].data, first);
    assert_ptr_equal(coo->values.data, values);
    tsr_map_free(map);
    tsr_coo_free(coo);
}

/* ---- tables and concatenation ---- */

static void test_tables(void **state)
{
    (void)state;
    tsr_rng rng = {16};
    for (int wide = 0; wide < 2; wide++) {
        const uint64_t dims[2] = {wide ? UINT64_C(1) << 40 : 9, 50};
        uint64_t table[50];
        for (uint64_t i = 0; i < 50; i++)
            table[i] = (i * 7 + 3) % 50;
        tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_F64, 4000, false, false),
                *got = coo_copy(coo);
        tsr_transform_mode(got, 1, table, 3);
        for (uint64_t e = 0; e < coo->nnz; e++) {
            assert_int_equal(tsr_array_get(&got->crd[0], e), tsr_array_get(&coo->crd[0], e));
            assert_int_equal(tsr_array_get(&got->crd[1], e), table[tsr_array_get(&coo->crd[1], e)]);
        }
        tsr_coo_free(coo);
        tsr_coo_free(got);
    }
}

static void test_concat(void **state)
{
    (void)state;
    tsr_rng rng = {17};
    for (int round = 0; round < 48; round++) {
        const int axis = round % 3;
        const tsr_type type = round % 4 == 0 ? TSR_PATTERN : round % 4 == 1 ? TSR_C128 : TSR_I16;
        uint64_t a_dims[3] = {5, 6, 7}, b_dims[3] = {5, 6, 7};
        b_dims[axis] = round % 2 ? 4 : UINT64_C(1) << 32;
        tsr_coo *a = coo_random(&rng, (tsr_shape){3, a_dims}, type, tsr_rng_below(&rng, 30), false, false);
        tsr_coo *b = coo_random(&rng, (tsr_shape){3, b_dims}, type, tsr_rng_below(&rng, 3000), false, false);
        if (round % 8 == 4 && a->type == TSR_PATTERN) { /* a pattern with a value for each */
            tsr_array_clear(&b->values);
            assert_ok(tsr_array_init(&b->values, b->nnz, 1, 0, "values", err));
            memset(b->values.data, 1, b->nnz);
            b->iso = false;
        }
        tsr_coo *joined = coo_copy(a), *other = coo_copy(b);
        assert_ok(tsr_transform_concat(joined, other, axis, err));
        assert_ok(tsr_coo_check(joined, 1, err));
        assert_int_equal(joined->nnz, a->nnz + b->nnz);
        assert_int_equal(joined->dims[axis], a_dims[axis] + b_dims[axis]);
        const size_t width = joined->values.width;
        for (uint64_t e = 0; e < joined->nnz; e++) {
            const tsr_coo *from = e < a->nnz ? a : b;
            const uint64_t i = e < a->nnz ? e : e - a->nnz;
            for (int m = 0; m < 3; m++)
                assert_int_equal(tsr_array_get(&joined->crd[m], e),
                                 tsr_array_get(&from->crd[m], i) + (from == b && m == axis ? a_dims[m] : 0));
            assert_memory_equal((char *)joined->values.data + (joined->iso ? 0 : e * width),
                                (char *)from->values.data + (from->iso ? 0 : i * width), width);
        }
        tsr_coo_free(a);
        tsr_coo_free(b);
        tsr_coo_free(joined);
        tsr_coo_free(other);
    }
}

static void test_concat_is_refused(void **state)
{
    (void)state;
    static const struct {
        int order, axis;
        uint64_t dims[3];
        tsr_type type;
        tsr_structure structure;
        tsr_status status;
        const char *message;
    } rows[] = {
        {3, 0, {5, 5, 1}, TSR_F64, TSR_GENERAL, TSR_ARGUMENT, "2 modes"},
        {2, 2, {5, 5}, TSR_F64, TSR_GENERAL, TSR_ARGUMENT, "along mode 2"},
        {2, 0, {5, 6}, TSR_F64, TSR_GENERAL, TSR_ARGUMENT, "dim 1 is 5 and 6"},
        {2, 0, {5, 5}, TSR_F32, TSR_GENERAL, TSR_ARGUMENT, "a tensor of f64 and a tensor of f32"},
        {2, 0, {5, 5}, TSR_F64, TSR_SYMMETRIC_UPPER, TSR_ARGUMENT, "expand"},
        {2, 1, {5, INT64_MAX}, TSR_F64, TSR_GENERAL, TSR_LIMIT, "2^63 - 1"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_coo *a, *b;
        tsr_error fault = {0};
        assert_ok(tsr_coo_new(&a, (tsr_shape){2, (const uint64_t[]){5, 5}}, TSR_F64, err));
        assert_ok(tsr_coo_new(&b, (tsr_shape){rows[k].order, rows[k].dims}, rows[k].type, err));
        b->structure = rows[k].structure;
        assert_int_equal(tsr_transform_concat(a, b, rows[k].axis, &fault), rows[k].status);
        if (!strstr(fault.message, rows[k].message))
            fail_msg("%s", fault.message);
        tsr_coo_free(a);
        tsr_coo_free(b);
    }
}

/* ---- extremes ---- */

static tsr_coo *run_of(const double *values, uint64_t n, tsr_type type)
{
    static const uint64_t dims[2] = {UINT64_C(1) << 33, 4};
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, type, false, n + 1, err));
    for (uint64_t e = 0; e <= n; e++) { /* n entries at one place, then another */
        tsr_array_set(&coo->crd[0], e, UINT64_C(1) << 32);
        tsr_array_set(&coo->crd[1], e, e < n ? 1 : 2);
        const double v = e < n ? values[e] : 5;
        assert_ok(
            tsr_values_convert((char *)coo->values.data + e * coo->values.width, type, &v, TSR_F64, 1, err));
    }
    return coo;
}

static void test_extremes(void **state)
{
    (void)state;
    static const struct {
        double values[3];
        uint64_t ncells;
        double min, max;
    } rows[] = {
        {{3, 1, 2}, 3, 1, 3}, {{3, 1, 2}, 4, 0, 3}, {{3, 1, 2}, UINT64_MAX, 0, 3},
        {{0, 0, 0}, 3, 0, 0}, {{7, 7, 9}, 3, 7, 9},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int type = 0; type < TSR_NTYPES; type++)
            for (int largest = 0; largest < 2; largest++) {
                if (tsr_type_class((tsr_type)type) == 'P' || tsr_type_class((tsr_type)type) == 'C')
                    continue;
                tsr_coo *coo = run_of(rows[k].values, 3, (tsr_type)type);
                double got[2];
                assert_ok(tsr_transform_extremes(coo, largest, rows[k].ncells, err));
                assert_ok(tsr_coo_check(coo, 1, err));
                assert_int_equal(coo->nnz, 2);
                assert_int_equal(tsr_array_get(&coo->crd[1], 1), 2);
                assert_ok(tsr_values_convert(got, TSR_F64, coo->values.data, (tsr_type)type, 2, err));
                assert_true(got[0] == (largest ? rows[k].max : rows[k].min));
                assert_true(got[1] == (largest || rows[k].ncells == 1 ? 5 : 0));
                tsr_coo_free(coo);
            }
}

static void test_extremes_of_nan_and_iso(void **state)
{
    (void)state;
    tsr_error fault = {0};
    const double nan_at[3][3] = {{NAN, 1, 2}, {1, NAN, 2}, {-1, -2, NAN}};
    for (int k = 0; k < 3; k++) {
        tsr_coo *coo = run_of(nan_at[k], 3, TSR_F64);
        assert_ok(tsr_transform_extremes(coo, true, 9, err));
        assert_true(((double *)coo->values.data)[0] != ((double *)coo->values.data)[0]);
        tsr_coo_free(coo);
    }
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){1, (const uint64_t[]){9}}, TSR_I8, true, 3, err));
    for (uint64_t e = 0; e < 3; e++)
        tsr_array_set(&coo->crd[0], e, e / 2);
    *(int8_t *)coo->values.data = -3;
    assert_ok(tsr_transform_extremes(coo, true, 2, err));
    assert_false(coo->iso);
    assert_memory_equal(coo->values.data, ((const int8_t[]){-3, 0}), 2);
    assert_ok(tsr_coo_retype(coo, TSR_C64, err));
    assert_int_equal(tsr_transform_extremes(coo, true, 2, &fault), TSR_UNSUPPORTED);
    tsr_coo_free(coo);
}

/* ---- memory running out ---- */

static void test_no_memory(void **state)
{
    (void)state;
    tsr_rng rng = {18};
    const uint64_t dims[2] = {1 << 20, 1 << 14}, out_dims[1] = {UINT64_C(1) << 34};
    tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_F64, 3000, false, false);
    tsr_coo *small = coo_random(&rng, (tsr_shape){2, dims}, TSR_F64, 10, false, false);
    small->dims[0] = UINT64_C(1) << 33;
    tsr_map *map;
    assert_ok(
        tsr_map_reshape(&map, TSR_INPUT_TO_OUTPUT, (tsr_shape){2, dims}, (tsr_shape){1, out_dims}, err));
    int nfailed = 0;
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_coo *a = coo_copy(coo), *b = coo_copy(small);
        tsr_array_clear(&b->crd[0]);
        assert_ok(tsr_array_init(&b->crd[0], b->nnz, 8, 1, "coordinates", err));
        tsr_faults_arm(&faults);
        tsr_status status = tsr_transform_concat(a, b, 0, NULL);
        if (status == TSR_OK) {
            tsr_coo *c = a;
            c->dims[0] = dims[0]; /* all coordinates of the copy are below it, but for the appended ones */
            status = tsr_transform(c, NULL, map, out_dims, 2, NULL);
        }
        tsr_faults_disarm(&faults);
        tsr_coo_free(a);
        tsr_coo_free(b);
        if (status == TSR_OK)
            continue; /* giving memory back may fail */
        assert_int_equal(status, TSR_NOMEM);
        nfailed++;
    }
    assert_true(nfailed >= 5);
    tsr_map_free(map);
    tsr_coo_free(coo);
    tsr_coo_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_chains),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_wide_coordinates),
        cmocka_unit_test(test_maps_as_text),
        cmocka_unit_test(test_symmetric_is_refused),
        cmocka_unit_test(test_transpose_moves_arrays),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_concat),
        cmocka_unit_test(test_concat_is_refused),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_extremes_of_nan_and_iso),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
