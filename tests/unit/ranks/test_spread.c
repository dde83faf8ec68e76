/* Products over ranks (threads of the test) against plain loops over all entries; the rows that are sent against tsr_volume_count. */
#include "tsr_test.h"

#include <math.h>

#include "coo_feed.h"
#include "team.h"
#include "tsr_alloc.h"
#include "tsr_spread.h"

enum { MAX_ORDER = 4, NCOLUMNS = 3 };

typedef struct spread_case {
    const char *name;
    int order;
    uint64_t dims[MAX_ORDER], nnz;
    int skew; /* the smallest of so many random numbers is the index */
    int nranks;
    tsr_grid_kind kind;
    bool seeks, knows; /* the feed: parts can be read; the dims are known before */
    tsr_structure structure;
    tsr_type type;
} spread_case;

static const spread_case cases[] = {
    {"one rank", 3, {5, 4, 3}, 30, 1, 1, TSR_GRID_MEDIUM, true, true, TSR_GENERAL, TSR_F64},
    {"rows", 2, {300, 200}, 3000, 1, 7, TSR_GRID_ROWS, true, true, TSR_GENERAL, TSR_F64},
    {"blocks, unknown dims", 2, {300, 200}, 3000, 2, 4, TSR_GRID_MEDIUM, true, false, TSR_GENERAL, TSR_F64},
    {"rank 0 reads", 2, {60, 500}, 900, 1, 6, TSR_GRID_MEDIUM, false, false, TSR_GENERAL, TSR_F32},
    {"order 3", 3, {48, 17, 80}, 4000, 2, 16, TSR_GRID_MEDIUM, true, true, TSR_GENERAL, TSR_F64},
    {"order 4, integers",
     4,
     {20, 50, 30, 10},
     5000,
     2,
     12,
     TSR_GRID_MEDIUM,
     true,
     true,
     TSR_GENERAL,
     TSR_I32},
    {"symmetric", 2, {70, 70}, 400, 1, 9, TSR_GRID_MEDIUM, true, true, TSR_SYMMETRIC_LOWER, TSR_F64},
    {"skew-symmetric", 2, {70, 70}, 400, 1, 6, TSR_GRID_ROWS, true, true, TSR_SKEW_LOWER, TSR_F64},
    {"patterns", 3, {9, 8, 70}, 300, 1, 8, TSR_GRID_MEDIUM, true, true, TSR_GENERAL, TSR_PATTERN},
    {"ranks without entries", 2, {4, 3}, 5, 1, 16, TSR_GRID_MEDIUM, true, true, TSR_GENERAL, TSR_F64},
    {"no entries", 3, {4, 3, 2}, 0, 1, 4, TSR_GRID_MEDIUM, true, true, TSR_GENERAL, TSR_F64},
    {"several rounds", 2, {5000, 4000}, 300000, 1, 2, TSR_GRID_MEDIUM, true, true, TSR_GENERAL, TSR_F64},
};
enum { NCASES = sizeof cases / sizeof *cases };

static tsr_coo *make(const spread_case *c)
{
    tsr_coo *coo;
    tsr_rng rng = {.s = 5};
    const bool iso = c->type == TSR_PATTERN;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){c->order, c->dims}, c->type, iso, c->nnz, err));
    for (int m = 0; m < c->order; m++)
        for (uint64_t e = 0; e < c->nnz; e++) {
            uint64_t index = c->dims[m] - 1; /* of the first entry, so that it determines the dims */
            for (int k = 0; k < c->skew && e > 0; k++) {
                const uint64_t other = tsr_rng_below(&rng, c->dims[m]);
                index = other < index ? other : index;
            }
            if (c->structure != TSR_GENERAL && m == 1) /* the lower triangle; skew: without the diagonal */
                index = tsr_rng_below(&rng, tsr_array_get(&coo->crd[0], e) + 1);
            tsr_array_set(&coo->crd[m], e, index);
        }
    if (c->structure == TSR_SKEW_LOWER)
        for (uint64_t e = 0; e < c->nnz; e++)
            if (tsr_array_get(&coo->crd[0], e) == tsr_array_get(&coo->crd[1], e)) {
                tsr_array_set(&coo->crd[0], e, 5);
                tsr_array_set(&coo->crd[1], e, 3);
            }
    coo->structure = c->structure;
    for (uint64_t e = 0; e < (iso ? 1 : c->nnz); e++) {
        const double v = 1 + (double)tsr_rng_below(&rng, 50);
        assert_ok(tsr_values_convert((char *)coo->values.data + e * coo->values.width, c->type, &v, TSR_F64,
                                     1, err));
    }
    return coo;
}

/* Column c of row i of the operand of mode m. */
static double cell(int m, uint64_t i, int c)
{
    return 1 + (double)((i * 7 + (uint64_t)(m * 5 + c * 3)) % 11) / 8;
}

/* ---- the ranks ---- */

typedef struct rank {
    team_member member;
    const spread_case *c;
    const tsr_coo *coo;
    tsr_spread_tensor *spread;
    double *all; /* rank 0: the result of each mode, one after the other */
    tsr_status status;
    tsr_error error;
    pthread_t thread;
} rank;

/* rows of mode m: those that are borrowed are wrong. */
static double *rows_of(const tsr_spread_tensor *s, int m, bool zero)
{
    double *const rows = calloc(s->mode[m].nrows + 1, NCOLUMNS * sizeof *rows);
    for (uint64_t q = 0; q < s->mode[m].nrows; q++)
        for (int c = 0; c < NCOLUMNS && !zero; c++)
            rows[q * NCOLUMNS + (uint64_t)c] = s->mode[m].borrowed[q] ? NAN : cell(m, s->mode[m].row[q], c);
    return rows;
}

/* The result of mode `target` from the entries of this rank. */
static void multiply(double *result, double *const *rows, const tsr_spread_tensor *s, int target)
{
    for (uint64_t e = 0; e < s->coo->nnz; e++)
        for (uint64_t c = 0; c < NCOLUMNS; c++) {
            double v = ((const double *)s->coo->values.data)[e];
            for (int m = 0; m < s->order; m++)
                v *= m == target ? 1 : rows[m][tsr_array_get(&s->coo->crd[m], e) * NCOLUMNS + c];
            result[tsr_array_get(&s->coo->crd[target], e) * NCOLUMNS + c] += v;
        }
}

static tsr_status product(double *all, tsr_spread_tensor *s, int target, tsr_error *err)
{
    double *rows[MAX_ORDER] = {NULL};
    tsr_status status = TSR_OK;
    for (int m = 0; m < s->order; m++)
        rows[m] = rows_of(s, m, m == target);
    for (int m = 0; m < s->order && status == TSR_OK; m++)
        if (m != target)
            status = tsr_spread_fetch(rows[m], s, m, err);
    if (status == TSR_OK) {
        multiply(rows[target], rows, s, target);
        status = tsr_spread_add(rows[target], s, target, err);
    }
    if (status == TSR_OK)
        status = tsr_spread_collect(all, rows[target], s, target, err);
    for (int m = 0; m < s->order; m++)
        free(rows[m]);
    return status;
}

static void *work(void *arg)
{
    rank *const k = arg;
    tsr_feed *const feed = read_coo(k->coo, 100, k->c->seeks, k->c->knows);
    feed->can_rewind = true;
    double *all = k->all;
    k->status = tsr_spread_new(&k->spread, feed, &k->member.base, k->c->kind, NULL, &k->error);
    if (k->status == TSR_OK)
        k->status = tsr_spread_prepare(k->spread, NCOLUMNS, &k->error);
    for (int m = 0; m < k->c->order && k->status == TSR_OK; m++) {
        k->status = product(all, k->spread, m, &k->error);
        all = all ? all + k->c->dims[m] * NCOLUMNS : NULL;
    }
    tsr_feed_close(feed);
    return NULL;
}

static uint64_t all_cells(const spread_case *c)
{
    uint64_t n = 0;
    for (int m = 0; m < c->order; m++)
        n += c->dims[m] * NCOLUMNS;
    return n;
}

static void run(rank *ranks, const spread_case *c, const tsr_coo *coo)
{
    team t;
    team_init(&t, c->nranks);
    for (int k = 0; k < c->nranks; k++) {
        ranks[k] = (rank){.c = c, .coo = coo};
        team_join(&ranks[k].member, &t, k, c->nranks);
    }
    ranks[0].all = calloc(all_cells(c), sizeof(double));
    for (int k = 1; k < c->nranks; k++)
        pthread_create(&ranks[k].thread, NULL, work, &ranks[k]);
    work(&ranks[0]);
    for (int k = 1; k < c->nranks; k++)
        pthread_join(ranks[k].thread, NULL);
    team_clear(&t);
}

static void end(rank *ranks, int n)
{
    for (int k = 0; k < n; k++)
        tsr_spread_free(ranks[k].spread);
    free(ranks[0].all);
}

/* ---- the tests ---- */

/* Every case: the results of all modes by plain loops. */
static void must_be_right(const spread_case *c, const double *all, const tsr_coo *coo)
{
    for (int target = 0; target < c->order; target++) {
        double *const want = calloc(c->dims[target] * NCOLUMNS, sizeof *want);
        for (uint64_t e = 0; e < coo->nnz; e++)
            for (int k = 0; k < NCOLUMNS; k++) {
                double v;
                assert_ok(tsr_values_convert(
                    &v, TSR_F64, (const char *)coo->values.data + (coo->iso ? 0 : e * coo->values.width),
                    coo->type, 1, err));
                for (int m = 0; m < c->order; m++)
                    v *= m == target ? 1 : cell(m, tsr_array_get(&coo->crd[m], e), k);
                want[tsr_array_get(&coo->crd[target], e) * NCOLUMNS + (uint64_t)k] += v;
            }
        for (uint64_t i = 0; i < c->dims[target] * NCOLUMNS; i++)
            if (!(fabs(all[i] - want[i]) <= 1e-12 * fabs(want[i])))
                fail_msg("%s: mode %d, cell %d: %g instead of %g", c->name, target, (int)i, all[i], want[i]);
        all += c->dims[target] * NCOLUMNS;
        free(want);
    }
}

/* The bytes sent are those of the rows that tsr_volume_count counts, for all ranks together and for the rank with the
 * most. */
static void must_send_the_volume(const spread_case *c, const rank *ranks, const tsr_coo *coo)
{
    tsr_slices slices;
    tsr_grid grid;
    tsr_volume want;
    const uint64_t *crd[MAX_ORDER];
    uint64_t *room = malloc((coo->nnz + 1) * sizeof *room * MAX_ORDER), sent = 0;
    double most = 0, moved = 0;
    for (int m = 0; m < c->order; m++) {
        tsr_array_load(room + (uint64_t)m * coo->nnz, &coo->crd[m], 0, coo->nnz);
        crd[m] = room + (uint64_t)m * coo->nnz;
    }
    assert_ok(tsr_slices_init(&slices, c->order, c->dims, err));
    assert_ok(tsr_slices_add(&slices, coo->nnz, crd, err));
    assert_ok(tsr_grid_init(&grid, &slices, (uint32_t)c->nranks, c->kind, err));
    assert_ok(tsr_volume_count(&want, &grid, &slices, NULL, coo, err));
    for (int k = 0; k < c->nranks; k++) {
        const tsr_spread_tensor *const s = ranks[k].spread;
        uint64_t lent = 0, borrowed = 0;
        for (int m = 0; m < c->order; m++) {
            lent += s->mode[m].lend_at[c->nranks];
            borrowed += s->mode[m].borrow_at[c->nranks];
        }
        most = fmax(most, (double)(lent > borrowed ? lent : borrowed));
        sent += s->sent_nbytes;
        assert_true((double)s->max_nnz == want.max_nnz);
        assert_int_equal(s->nnz, coo->nnz);
    }
    for (int m = 0; m < c->order; m++)
        moved += want.mode[m].moved;
    /* a product for each mode moves the rows of all modes */
    if ((double)sent != moved * NCOLUMNS * 8 * c->order || most != want.max_moved)
        fail_msg("%s: %g bytes sent instead of %g; most rows of a rank %g instead of %g", c->name,
                 (double)sent, moved * NCOLUMNS * 8 * c->order, most, want.max_moved);
    tsr_grid_clear(&grid);
    tsr_slices_clear(&slices);
    free(room);
}

static void test_cases(void **state)
{
    static rank ranks[TEAM_MAX_RANKS];
    (void)state;
    for (int i = 0; i < NCASES; i++) {
        const spread_case *const c = &cases[i];
        tsr_coo *const coo = make(c);
        run(ranks, c, coo);
        for (int k = 0; k < c->nranks; k++)
            if (ranks[k].status != TSR_OK)
                fail_msg("%s, rank %d: %s", c->name, k, ranks[k].error.message);
        assert_ok(tsr_coo_expand(coo, err));
        must_be_right(c, ranks[0].all, coo);
        must_send_the_volume(c, ranks, coo);
        end(ranks, c->nranks);
        tsr_coo_free(coo);
    }
}

static void test_refused(void **state)
{
    static rank ranks[TEAM_MAX_RANKS];
    static const spread_case complex = {"complex",       2,    {5, 4}, 10,          1,      2,
                                        TSR_GRID_MEDIUM, true, true,   TSR_GENERAL, TSR_C64};
    (void)state;
    tsr_coo *const coo = make(&complex);
    run(ranks, &complex, coo);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(ranks[k].status, TSR_UNSUPPORTED);
        assert_string_equal(ranks[k].error.message, "ranks compute with f64, but the values are complex");
    }
    end(ranks, 2);
    tsr_coo_free(coo);
}

/* The n-th allocation of all ranks fails: every rank ends, with the same status, and nothing is left. */
static void test_allocations(void **state)
{
    static rank ranks[TEAM_MAX_RANKS];
    static const spread_case c = {"memory",        3,    {5, 4, 3}, 20,          1,      3,
                                  TSR_GRID_MEDIUM, true, false,     TSR_GENERAL, TSR_F64};
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    tsr_coo *const coo = make(&c);
    for (int64_t n = 0;; n += n < 60 ? 1 : 5) {
        const int64_t live = tsr_alloc_live();
        tsr_alloc_fail_at(n);
        run(ranks, &c, coo);
        const bool failed = tsr_alloc_failed();
        tsr_alloc_fail_at(-1);
        for (int k = 0; k < c.nranks; k++)
            assert_int_equal(ranks[k].status, failed ? TSR_NOMEM : TSR_OK);
        end(ranks, c.nranks);
        assert_int_equal(tsr_alloc_live(), live);
        if (!failed)
            break;
    }
    tsr_coo_free(coo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
