/* Whole random tensors: as many entries as asked for, no duplicates, dims reached, and the statistics asked
 * for. */
#include <sys/stat.h>

#include "tsr_codec.h"
#include "tsr_dataset.h"
#include "tsr_test.h"

static tsr_coo *make(const tsr_gen_shape *shape, uint64_t seed)
{
    const tsr_gen gen = {.kind = TSR_GEN_RANDOM, .shape = *shape};
    const tsr_gen_options options = {.seed = seed};
    const bool complex = shape->values == TSR_GEN_COMPLEX;
    const char *path = tsr_test_path(tsr_test_tmp(), complex ? "shape.mtx" : "shape.tns");
    tsr_data data = {0};
    uint64_t nbytes = 0;
    struct stat s;
    assert_ok(tsr_gen_write(path, &gen, &options, &nbytes, err));
    assert_int_equal(stat(path, &s), 0);
    assert_true((uint64_t)s.st_size == nbytes);
    assert_ok(tsr_read(&data, path, NULL, NULL, err));
    return data.coo;
}

static void check(const tsr_gen_shape *shape, uint64_t seed)
{
    tsr_coo *coo = make(shape, seed);
    assert_true(coo->order == shape->order && coo->nnz == shape->nnz);
    for (int m = 0; m < shape->order; m++) /* a .tns file has no header, so this is its largest index */
        assert_true(coo->dims[m] == shape->dims[m]);
    const tsr_coo_order order = tsr_coo_find_order(coo, NULL);
    assert_true(order.sorted && order.nduplicates == 0);
    tsr_coo_free(coo);
}

static void test_every_kind_of_node(void **state)
{
    (void)state;
    static const tsr_gen_shape shapes[] = {
        {.order = 1, .dims = {1}, .nnz = 1},
        {.order = 1, .dims = {2147483}, .nnz = 1000, .skew = {1000}},
        {.order = 1, .dims = {1000}, .nnz = 1000, .skew = {2000}}, /* full */
        {.order = 2, .dims = {1, 1}, .nnz = 1},
        {.order = 2, .dims = {30, 40}, .nnz = 1200, .skew = {1000, 1000}},
        {.order = 2, .dims = {30, 40}, .nnz = 1199, .skew = {4000, 4000}},
        {.order = 2, .dims = {300, 400}, .nnz = 1, .skew = {1000, 1000}},
        {.order = 2,
         .dims = {2, 600000},
         .nnz = 1000000,
         .skew = {1500, 1000}}, /* leaves that keep nothing */
        {.order = 2, .dims = {3000, 3000}, .nnz = 50000, .run = 5500, .band = 10000},
        {.order = 2, .dims = {3000, 3000}, .nnz = 50000, .run = 3000, .band = 1},
        {.order = 2, .dims = {5000, 7}, .nnz = 9000, .band = 300000, .values = TSR_GEN_COMPLEX},
        {.order = 2, .dims = {7, 5000}, .nnz = 9000, .run = 100000, .band = 300000},
        {.order = 3,
         .dims = {2, 2000, 1500},
         .nnz = 800000,
         .skew = {1000, 800, 600}}, /* large inner nodes */
        {.order = 3,
         .dims = {2, 2000, 1500},
         .nnz = 800000,
         .skew = {1000, 800, 600},
         .has_fiber = true,
         .fiber = {0, 300000}},
        {.order = 3, .dims = {10, 20, 30}, .nnz = 5990, .skew = {2000, 2000, 2000}}, /* nearly full */
        {.order = 3, .dims = {10, 20, 30}, .nnz = 5990, .has_fiber = true, .fiber = {0, 30000}},
        {.order = 3, .dims = {1000, 1000, 1000}, .nnz = 1000, .has_fiber = true, .fiber = {0, 1000}},
        {.order = 3, .dims = {1, 1, 1}, .nnz = 1, .has_fiber = true, .fiber = {0, 1000}},
        {.order = 4, .dims = {50, 60, 3, 2}, .nnz = 9000, .skew = {500, 500, 4000, 4000}},
        {.order = 4, .dims = {1, 1, 1, 900}, .nnz = 450, .has_fiber = true, .fiber = {0, 450000, 450000}},
        {.order = 5,
         .dims = {20, 30, 40, 50, 60},
         .nnz = 30000,
         .has_fiber = true,
         .fiber = {0, 9000, 4000, 1000}},
        {.order = 4, .dims = {3, 2147483647, 2147483647, 2147483647}, .nnz = 10},
        {.order = 16, .dims = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, .nnz = 20000},
        {.order = 16,
         .dims = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9},
         .nnz = 5000,
         .skew = {500, 500, 500}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (uint64_t seed = 0; seed < (shapes[i].nnz > 10000 ? 1 : 4); seed++)
            check(&shapes[i], seed);
    }
}

static void test_random_shapes(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    for (int i = 0; i < 150; i++) {
        tsr_gen_shape s = {.order = 1 + (int)tsr_rng_below(&rng, 5)};
        uint64_t cells = 1;
        for (int m = 0; m < s.order; m++) {
            s.dims[m] = 1 + tsr_rng_below(&rng, 20);
            s.skew[m] = (uint32_t)tsr_rng_below(&rng, 2000);
            cells *= s.dims[m];
        }
        s.nnz = 1 + tsr_rng_below(&rng, cells < 5000 ? cells : 5000);
        s.has_fiber = tsr_rng_below(&rng, 2) == 0;
        for (int m = 1; m < s.order - 1; m++) {
            const uint64_t most = m > 1 ? s.fiber[m - 1] : 9000;
            s.fiber[m] = 1000 + tsr_rng_below(&rng, most - 999);
        }
        s.run = tsr_rng_below(&rng, 2) ? 1000 + tsr_rng_below(&rng, 5000) : 0;
        s.band = tsr_rng_below(&rng, 2) ? tsr_rng_below(&rng, 1000001) : 0;
        check(&s, (uint64_t)i);
    }
}

/* ---- statistics ---- */

static bool near(uint64_t got, uint64_t want, uint64_t slack)
{
    return got <= want + slack && want <= got + slack;
}

/* What is measured of a tensor is what it was made from: skews within 0.1 (0.15 for modes that are drawn
 * inside fibers), means of fibers and runs within 5%, the band within 5% of it. */
static void test_statistics(void **state)
{
    (void)state;
    static const tsr_gen_shape shapes[] = {
        {.order = 2, .dims = {2000, 3000}, .nnz = 200000, .skew = {0, 0}},
        {.order = 2, .dims = {2000, 30000}, .nnz = 200000, .skew = {700, 600}},
        {.order = 2, .dims = {20000, 20000}, .nnz = 200000, .run = 4000, .band = 50000},
        {.order = 2, .dims = {20000, 10000}, .nnz = 200000, .run = 0, .band = 100000},
        {.order = 3, .dims = {2000, 3000, 4000}, .nnz = 200000, .skew = {500, 700, 900}},
        {.order = 3,
         .dims = {2000, 3000, 4000},
         .nnz = 200000,
         .skew = {300, 500, 400},
         .has_fiber = true,
         .fiber = {0, 5000}},
        {.order = 3,
         .dims = {2000, 3000, 4000},
         .nnz = 200000,
         .skew = {300, 500, 400},
         .has_fiber = true,
         .fiber = {0, 20000}},
        {.order = 4,
         .dims = {900, 2000, 3000, 500},
         .nnz = 200000,
         .skew = {300, 500, 400, 200},
         .has_fiber = true,
         .fiber = {0, 12000, 2500}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const tsr_gen_shape *const s = &shapes[i];
        tsr_gen_shape got;
        tsr_coo_free(make(s, i));
        assert_ok(tsr_gen_measure(&got, tsr_test_path(tsr_test_tmp(), "shape.tns"), 0, NULL, err));
        assert_true(got.order == s->order && got.nnz == s->nnz && got.values == TSR_GEN_REAL);
        for (int m = 0; m < s->order; m++) {
            assert_true(got.dims[m] == s->dims[m]);
            if (!near(got.skew[m], s->skew[m], m == 0 ? 100 : 150) && !s->band)
                fail_msg("shape %zu, mode %d: skew %u, not %u", i, m, got.skew[m], s->skew[m]);
        }
        for (int m = 1; m < s->order - 1 && s->has_fiber; m++)
            if (!near(got.fiber[m], s->fiber[m], s->fiber[m] / 20))
                fail_msg("shape %zu: fiber %d of %u, not %u", i, m, (unsigned)got.fiber[m],
                         (unsigned)s->fiber[m]);
        if (s->band) {
            assert_true(near(got.band, s->band, s->band / 20));
            assert_true(s->run == 0 || near(got.run, s->run, s->run / 4)); /* runs meet in a narrow band */
        }
    }
}

/* A sibling of a file has the file's statistics, also when it is half as large. */
static void test_sibling(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    tsr_gen_shape real, half, got;
    const char *path = tsr_test_path(tsr_test_shared(), "data/tns/derived/debian-bin-pkg-dir-ext.tns");
    assert_ok(tsr_gen_measure(&real, path, 0, NULL, err));
    half = real;
    assert_ok(tsr_gen_shape_scale(&half, TSR_GEN_UNIT_SCALE / 2, err));
    assert_true(near(half.nnz, real.nnz / 2, 1));
    tsr_coo_free(make(&half, 1));
    assert_ok(tsr_gen_measure(&got, tsr_test_path(tsr_test_tmp(), "shape.tns"), 0, NULL, err));
    assert_true(got.values == TSR_GEN_COUNT && got.nnz == half.nnz);
    for (int m = 0; m < 3; m++)
        assert_true(near(got.skew[m], real.skew[m], 150));
    assert_true(near(got.fiber[1], real.fiber[1], real.fiber[1] / 20));
}

static void test_scaling(void **state)
{
    (void)state;
    const tsr_gen_shape nell2 = {.order = 3, .dims = {12092, 9184, 28818}, .nnz = 76879419};
    const tsr_gen_shape uber = {.order = 4, .dims = {183, 24, 1140, 1717}, .nnz = 3309490};
    const tsr_gen_shape cant = {.order = 2, .dims = {62451, 62451}, .nnz = 4007383};
    const struct {
        const tsr_gen_shape *shape;
        uint64_t scale, nnz, dims[4];
    } cases[] = {
        {&nell2, TSR_GEN_UNIT_SCALE, 76879419, {12092, 9184, 28818}},
        {&nell2, TSR_GEN_UNIT_SCALE / 100, 768794, {1209, 918, 2882}}, /* scale^(1/2) */
        {&nell2, 4 * TSR_GEN_UNIT_SCALE, 307517676, {24184, 18368, 57636}},
        {&uber, TSR_GEN_UNIT_SCALE / 1000, 3309, {32, 24, 114, 172}}, /* small dims stay */
        {&cant, TSR_GEN_UNIT_SCALE / 10, 400738, {6245, 6245}},       /* scale^1: rows keep their length */
        {&cant, TSR_GEN_UNIT_SCALE / 1000, 4007, {149, 149}},         /* not denser than a quarter */
        {&cant, 1, 1, {32, 32}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_gen_shape s = *cases[i].shape;
        assert_ok(tsr_gen_shape_scale(&s, cases[i].scale, err));
        assert_true(s.nnz == cases[i].nnz);
        for (int m = 0; m < s.order; m++)
            assert_true(s.dims[m] == cases[i].dims[m]);
    }
    tsr_gen_shape s = nell2;
    assert_int_equal(tsr_gen_shape_scale(&s, 0, NULL), TSR_ARGUMENT);
    s = nell2;
    assert_int_equal(tsr_gen_shape_scale(&s, 1000 * TSR_GEN_UNIT_SCALE, NULL),
                     TSR_ARGUMENT); /* too many entries */
}

static void test_every_row(void **state)
{
    (void)state;
    tsr_datasets *datasets;
    assert_ok(tsr_datasets_load(&datasets, NULL, err));
    assert_true(datasets->n >= 51);
    for (int i = 0; i < datasets->n; i++) {
        const tsr_dataset *row = &datasets->rows[i];
        tsr_gen gen;
        const bool exact = row->statistics == TSR_DATASET_EXACT;
        assert_ok(tsr_dataset_gen(&gen, row, exact ? TSR_GEN_UNIT_SCALE : TSR_GEN_UNIT_SCALE / 1000, err));
        if (exact) { /* what the table says is what the generator makes */
            assert_true(gen.shape.nnz == row->shape.nnz);
            assert_memory_equal(gen.shape.dims, row->shape.dims, sizeof gen.shape.dims);
        } else {
            if (gen.shape.nnz > 100000)
                assert_ok(tsr_dataset_gen(&gen, row, TSR_GEN_UNIT_SCALE / 100000, err));
            check(&gen.shape, 0);
        }
    }
    tsr_datasets_free(datasets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_node),
        cmocka_unit_test(test_random_shapes),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_sibling),
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
