/* Grids of ranks: the cuts, the rows counted against sets of ranks made one by one, the model against the count. */
#include "tsr_test.h"

#include <math.h>

#include "tsr_grid.h"

enum { MAX_ORDER = 4 };

typedef struct tensor_case {
    const char *name;
    int order;
    uint64_t dims[MAX_ORDER];
    uint64_t nnz;
    int skew; /* the smallest of so many random numbers is the index */
    uint32_t nranks;
    tsr_grid_kind kind;
    uint32_t grid[MAX_ORDER]; /* expected */
    double tolerance;         /* of the model */
} tensor_case;

static const tensor_case cases[] = {
    {"one rank", 3, {5, 4, 3}, 30, 1, 1, TSR_GRID_MEDIUM, {1, 1, 1}, 1e-9},
    {"a matrix by rows", 2, {300, 200}, 3000, 1, 7, TSR_GRID_ROWS, {7, 1}, 0.03},
    {"a matrix by blocks", 2, {300, 200}, 3000, 1, 4, TSR_GRID_MEDIUM, {2, 2}, 0.03},
    {"skewed", 2, {900, 800}, 20000, 4, 36, TSR_GRID_MEDIUM, {6, 6}, 0.03},
    {"a prime number", 3, {40, 50, 60}, 2000, 1, 13, TSR_GRID_MEDIUM, {1, 1, 13}, 0.03},
    {"order 3", 3, {480, 177, 180}, 20000, 2, 16, TSR_GRID_MEDIUM, {4, 2, 2}, 0.03},
    {"many ranks", 3, {500, 400, 300}, 20000, 1, 256, TSR_GRID_MEDIUM, {8, 8, 4}, 0.03},
    {"order 4", 4, {20, 50, 30, 10}, 5000, 2, 24, TSR_GRID_MEDIUM, {2, 6, 2, 1}, 0.03},
    {"more ranks than slices", 2, {2, 3}, 6, 1, 64, TSR_GRID_MEDIUM, {8, 8}, 1e9},
    {"a heavy slice", 2, {3, 1000}, 5000, 9, 8, TSR_GRID_ROWS, {8, 1}, 0.03},
    {"empty", 3, {5, 4, 3}, 0, 1, 8, TSR_GRID_MEDIUM, {2, 2, 2}, 1e-9},
};
enum { NCASES = sizeof cases / sizeof *cases };

static tsr_coo *make(const tensor_case *c)
{
    tsr_coo *coo;
    tsr_rng rng = {7};
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){c->order, c->dims}, TSR_PATTERN, true, c->nnz, err));
    for (int m = 0; m < c->order; m++)
        for (uint64_t e = 0; e < c->nnz; e++) {
            uint64_t index = c->dims[m];
            for (int k = 0; k < c->skew; k++) {
                const uint64_t other = tsr_rng_below(&rng, c->dims[m]);
                index = other < index ? other : index;
            }
            tsr_array_set(&coo->crd[m], e, index);
        }
    return coo;
}

/* Count twice: all at once into given dims, and in two parts into dims that grow. */
static void count_slices(tsr_slices *slices, const tsr_coo *coo)
{
    uint64_t *crd[MAX_ORDER];
    const uint64_t *first[MAX_ORDER], *rest[MAX_ORDER];
    const uint64_t half = coo->nnz / 3;
    tsr_slices grown;
    for (int m = 0; m < coo->order; m++) {
        crd[m] = tsr_malloc(coo->nnz * sizeof **crd);
        for (uint64_t e = 0; e < coo->nnz; e++)
            crd[m][e] = tsr_array_get(&coo->crd[m], e);
        first[m] = crd[m];
        rest[m] = crd[m] + half;
    }
    assert_ok(tsr_slices_init(slices, coo->order, coo->dims, err));
    assert_ok(tsr_slices_add(slices, coo->nnz, first, err));
    assert_ok(tsr_slices_init(&grown, coo->order, NULL, err));
    assert_ok(tsr_slices_add(&grown, half, first, err));
    assert_ok(tsr_slices_add(&grown, coo->nnz - half, rest, err));
    assert_int_equal((int64_t)grown.nnz, (int64_t)coo->nnz);
    for (int m = 0; m < coo->order; m++) {
        assert_true(grown.dims[m] <= coo->dims[m]);
        for (uint64_t i = 0; i < coo->dims[m]; i++)
            assert_int_equal((int64_t)(i < grown.dims[m] ? grown.count[m][i] : 0),
                             (int64_t)slices->count[m][i]);
        tsr_free(crd[m]);
    }
    tsr_slices_clear(&grown);
}

/* Chunks cover the mode, and no border could be nearer to its share. */
static void check_cuts(const tsr_grid *grid, const tsr_slices *slices)
{
    for (int m = 0; m < grid->order; m++) {
        uint64_t before = 0, slice = 0;
        assert_int_equal((int64_t)grid->cut[m][0], 0);
        assert_int_equal((int64_t)grid->cut[m][grid->n[m]], (int64_t)slices->dims[m]);
        for (uint32_t c = 1; c < grid->n[m]; c++) {
            assert_true(grid->cut[m][c] >= grid->cut[m][c - 1]);
            for (; slice < grid->cut[m][c]; slice++)
                before += slices->count[m][slice];
            const double share = (double)slices->nnz / grid->n[m] * c, off = fabs((double)before - share);
            if (slice > 0)
                assert_true(off <= fabs((double)(before - slices->count[m][slice - 1]) - share) + 1e-6);
            if (slice < slices->dims[m])
                assert_true(off <= fabs((double)(before + slices->count[m][slice]) - share) + 1e-6);
        }
        for (uint64_t i = 0; i < slices->dims[m]; i++) {
            const uint32_t c = tsr_grid_rank(grid, 0, m, i); /* of a grid of this mode alone */
            assert_true(grid->cut[m][c] <= i && i < grid->cut[m][c + 1]);
        }
    }
}

static void check_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * want + 1e-9))
        fail_msg("%g instead of %g", got, want);
}

/* The same numbers from a stream of entries, one after the other. */
static void check_stream(const tsr_volume *counted, const tsr_grid *grid, const tsr_slices *slices,
                         const tsr_coo *coo)
{
    tsr_volume_counter *counter;
    tsr_volume streamed;
    assert_ok(tsr_volume_counter_new(&counter, grid, slices, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        uint64_t index[MAX_ORDER];
        const uint64_t *crd[MAX_ORDER];
        for (int m = 0; m < coo->order; m++) {
            index[m] = tsr_array_get(&coo->crd[m], e);
            crd[m] = &index[m];
        }
        tsr_volume_counter_add(counter, 1, crd);
    }
    tsr_volume_counter_end(&streamed, counter);
    tsr_volume_counter_free(counter);
    assert_memory_equal(&streamed, counted, sizeof streamed);
}

/* The volume from a table of all slices and ranks. */
static void check_volume(const tensor_case *c, const tsr_grid *grid, const tsr_slices *slices,
                         const tsr_coo *coo)
{
    const uint32_t p = grid->nranks;
    tsr_volume counted, model;
    uint64_t *nnz = tsr_calloc(p, sizeof *nnz), max_nnz = 0;
    assert_ok(tsr_volume_count(&counted, grid, slices, NULL, coo, err));
    check_stream(&counted, grid, slices, coo);
    assert_ok(tsr_volume_model(&model, grid, slices, err));
    for (int m = 0; m < grid->order; m++) {
        bool *seen = tsr_calloc(slices->dims[m] * p, sizeof *seen);
        uint64_t used = 0, slices_used = 0;
        for (uint64_t e = 0; e < coo->nnz; e++) {
            uint32_t rank = 0;
            for (int k = 0; k < grid->order; k++) {
                uint32_t chunk = 0;
                while (tsr_array_get(&coo->crd[k], e) >= grid->cut[k][chunk + 1])
                    chunk++;
                rank = rank * grid->n[k] + chunk;
            }
            nnz[rank] += m == 0;
            seen[tsr_array_get(&coo->crd[m], e) * p + rank] = true;
        }
        for (uint64_t i = 0; i < slices->dims[m]; i++) {
            uint64_t lambda = 0;
            for (uint32_t r = 0; r < p; r++)
                lambda += seen[i * p + r];
            used += lambda;
            slices_used += lambda > 0;
        }
        assert_int_equal((int64_t)counted.mode[m].used, (int64_t)used);
        assert_int_equal((int64_t)counted.mode[m].moved, (int64_t)(used - slices_used));
        assert_true(counted.mode[m].moved <= counted.mode[m].bound);
        check_near(model.mode[m].used, counted.mode[m].used, c->tolerance);
        check_near(model.mode[m].bound, counted.mode[m].bound, 1e-12);
        tsr_free(seen);
    }
    for (uint32_t r = 0; r < p; r++)
        max_nnz = nnz[r] > max_nnz ? nnz[r] : max_nnz;
    assert_int_equal((int64_t)counted.max_nnz, (int64_t)max_nnz);
    tsr_free(nnz);
}

static void test_cases(void **state)
{
    (void)state;
    for (int i = 0; i < NCASES; i++) {
        const tensor_case *const c = &cases[i];
        print_message("%s\n", c->name);
        tsr_coo *coo = make(c);
        tsr_slices slices;
        tsr_grid grid;
        count_slices(&slices, coo);
        assert_ok(tsr_grid_init(&grid, &slices, c->nranks, c->kind, err));
        for (int m = 0; m < c->order; m++)
            assert_int_equal(grid.n[m], c->grid[m]);
        check_cuts(&grid, &slices);
        check_volume(c, &grid, &slices, coo);
        tsr_grid_clear(&grid);
        tsr_slices_clear(&slices);
        tsr_coo_free(coo);
    }
}

/* Every allocation that fails is reported, and nothing is left. */
static void test_memory(void **state)
{
    (void)state;
    const int64_t before = tsr_alloc_live();
    if (before < 0)
        skip(); /* built without TSR_FAULTS */
    tsr_coo *const coo = make(&cases[7]);
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_slices slices = {0};
        tsr_grid grid = {0};
        tsr_volume volume;
        tsr_volume_counter *counter = NULL;
        tsr_error err = {0};
        const uint64_t index = 3, *const crd[MAX_ORDER] = {&index, &index, &index, &index};
        tsr_faults_arm(&faults);
        tsr_status status = tsr_slices_init(&slices, 4, NULL, &err);
        if (status == TSR_OK)
            status = tsr_slices_add(&slices, 1, crd, &err);
        if (status == TSR_OK)
            status = tsr_grid_init(&grid, &slices, 6, TSR_GRID_MEDIUM, &err);
        if (status == TSR_OK)
            status = tsr_volume_model(&volume, &grid, &slices, &err);
        if (status == TSR_OK)
            status = tsr_volume_counter_new(&counter, &grid, &slices, &err);
        tsr_faults_end(&faults, status);
        tsr_volume_counter_free(counter);
        tsr_grid_clear(&grid);
        tsr_slices_clear(&slices);
    }
    tsr_coo_free(coo);
    assert_int_equal(tsr_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
