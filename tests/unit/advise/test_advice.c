/* Advice: bytes against tensors that are packed, terms that add up, the rules of the choice. */
#include "tsr_test.h"

#include <math.h>

#include "tsr_advice.h"
#include "tsr_alloc.h"
#include "tsr_feed.h"
#include "tsr_pack.h"

static tsr_coo *make(int order, const uint64_t *dims, uint64_t nnz, bool is_band)
{
    tsr_coo *coo;
    tsr_rng rng = {9};
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){order, dims}, TSR_F64, false, nnz, err));
    for (uint64_t e = 0; e < nnz; e++) {
        for (int m = 0; m < order; m++)
            tsr_array_set(&coo->crd[m], e,
                          is_band ? (m == 0 ? e / 5 : e / 5 + e % 5) : tsr_rng_below(&rng, dims[m]));
        ((double *)coo->values.data)[e] = 1;
    }
    return coo;
}

static void advise(tsr_advice *out, const tsr_coo *coo, const char *kernel, const tsr_advice_options *options)
{
    tsr_notation *notation;
    assert_ok(tsr_notation_parse(&notation, kernel, err));
    assert_ok(tsr_advice_init(
        out,
        &(tsr_advice_question){.coo = coo, .kernels = (const tsr_notation *const[]){notation}, .nkernels = 1},
        options, err));
    tsr_notation_free(notation);
}

static const tsr_advice_row *find(const tsr_advice *a, const char *format)
{
    for (int k = 0; k < a->nrows; k++)
        if (strcmp(a->row[k].format, format) == 0)
            return &a->row[k];
    print_error("no row %s\n", format);
    fail();
    return NULL;
}

/* One value among many decides, wherever it stands, on any number of threads; NaN is not taken for exact. */
static void values_are_narrowed(void **state)
{
    static const struct {
        tsr_type type, exact;
        double usual, one;
    } cases[] = {
        {TSR_F64, TSR_F32, 0.5, 16777217 - 1.0},
        {TSR_F64, TSR_F64, 0.5, 16777217},
        {TSR_F64, TSR_F64, 1, 1e300},
        {TSR_F64, TSR_F64, 1, NAN},
        {TSR_F64, TSR_F32, -0.0, INFINITY},
        {TSR_F32, TSR_F32, 1, 1},
        {TSR_I64, TSR_I8, -128, 127},
        {TSR_I64, TSR_I16, 1, 128},
        {TSR_I64, TSR_I32, 200, -32769},
        {TSR_I64, TSR_I64, 1, 2147483648.0},
        {TSR_I32, TSR_I16, 1, -129},
        {TSR_I8, TSR_I8, 1, 1},
        {TSR_U64, TSR_U8, 255, 0},
        {TSR_U64, TSR_U32, 1, 65536},
        {TSR_C128, TSR_C64, 1, 2},
        {TSR_C128, TSR_C128, 1, 0.1},
    };
    enum { N = 9000 };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int round = 0; round < 6; round++) {
            const uint64_t at = (uint64_t)(N - 1) * (uint64_t)(round / 2) / 2;
            tsr_coo *const coo = make(2, (const uint64_t[]){2000, 2000}, N, true);
            tsr_array all;
            tsr_advice a;
            double *const v = coo->values.data;
            for (uint64_t e = 0; e < N; e++)
                v[e] = e == at ? cases[c].one : cases[c].usual;
            assert_ok(tsr_array_init(&all, N, tsr_type_nbytes(cases[c].type), 0, "values", err));
            assert_ok(tsr_values_convert(all.data, cases[c].type, v, TSR_F64, N, err));
            tsr_array_clear(&coo->values);
            coo->values = all;
            coo->type = cases[c].type;
            advise(&a, coo, "y(i) = A(i,j) * x(j)",
                   &(tsr_advice_options){.nthreads = 1 + round % 2, .formats = "csr"});
            if (a.values.narrowest != cases[c].exact)
                print_error("case %d: %s\n", (int)c, tsr_type_name(a.values.narrowest));
            assert_int_equal(a.values.narrowest, cases[c].exact);
            tsr_advice_clear(&a);
            tsr_coo_free(coo);
        }
}

/* All entries are in the samples of a small tensor, so bytes are exact unless they follow from all entries at once. */
static void bytes_are_those_of_packed_tensors(void **state)
{
    static const struct {
        const char *kernel;
        int order;
        uint64_t dims[4], nnz;
        bool is_band;
    } cases[] = {
        {"y(i) = A(i,j) * x(j)", 2, {4000, 3000}, 20000, false},
        {"y(i) = A(i,j) * x(j)", 2, {4000, 4004}, 20000, true},
        {"A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", 3, {300, 500, 40}, 20000, false},
        {"A(i,r) = B(i,j,k,l) * C(j,r) * D(k,r) * E(l,r)", 4, {300, 20, 40, 10}, 20000, false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        tsr_coo *coo = make(cases[c].order, cases[c].dims, cases[c].nnz, cases[c].is_band);
        tsr_advice a;
        advise(&a, coo, cases[c].kernel, NULL);
        assert_true(a.nrows >= 8);
        for (int k = 0; k < a.nrows; k++) {
            tsr_coo *copy;
            tsr_tensor *packed;
            tsr_format *format;
            assert_ok(tsr_coo_copy(&copy, coo, err));
            assert_ok(tsr_format_parse(&format, a.row[k].format, coo->order, coo->dims, err));
            assert_ok(tsr_pack(&packed, copy, format, NULL, NULL, err));
            const double exact = (double)tsr_tensor_nbytes(packed), ratio = a.row[k].nbytes / exact;
            const double allowed = tsr_format_assembles(format) ? 0.25 : 0.01;
            if (fabs(ratio - 1) > allowed) {
                print_error("%s: %s takes %.0f bytes, predicted %.0f\n", cases[c].kernel, a.row[k].format,
                            exact, a.row[k].nbytes);
                fail();
            }
            tsr_tensor_free(packed);
            tsr_format_free(format);
        }
        tsr_advice_clear(&a);
        tsr_coo_free(coo);
    }
}

/* A row with half of the entries is in no sample, and makes the seven rows beside it as long. */
static void long_rows_are_padded(void **state)
{
    enum { N = 100000 };
    const uint64_t dims[] = {N, N};
    tsr_coo *coo;
    tsr_tensor *packed;
    tsr_format *format;
    tsr_advice a;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 2 * N - 1, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        tsr_array_set(&coo->crd[0], e, e < N ? 0 : e - N + 1);
        tsr_array_set(&coo->crd[1], e, e % N);
        ((double *)coo->values.data)[e] = 1;
    }
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.formats = "sell(8,4096)"});
    const double predicted = find(&a, "sell(8,4096)")->nbytes;
    assert_ok(tsr_format_parse(&format, "sell(8,4096)", 2, dims, err));
    assert_ok(tsr_pack(&packed, coo, format, NULL, NULL, err));
    assert_true(fabs(predicted / (double)tsr_tensor_nbytes(packed) - 1) < 0.25);
    tsr_tensor_free(packed);
    tsr_format_free(format);
    tsr_advice_clear(&a);
}

/* Long rows that are far apart are each padded to eight, unless all rows are sorted: both sizes follow from the lengths of all rows. */
static void windows_are_padded(void **state)
{
    enum { N = 20000, LONG = 1000, EVERY = 2000 };
    const uint64_t dims[] = {N, N};
    tsr_coo *coo;
    tsr_advice a;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, true, N + N / EVERY * (LONG - 1), err));
    uint64_t e = 0;
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t j = 0; j < (i % EVERY == 7 ? LONG : 1); j++, e++) {
            tsr_array_set(&coo->crd[0], e, i);
            tsr_array_set(&coo->crd[1], e, j);
        }
    assert_int_equal(e, coo->nnz);
    advise(&a, coo, "y(i) = A(i,j) * x(j)",
           &(tsr_advice_options){.nthreads = 1, .formats = "sell(8,1000) sell(8,20000)"});
    assert_true(find(&a, "sell(8,1000)")->amount[TSR_COST_ENTRY] == 10 * 8 * LONG + N - 80);
    assert_true(find(&a, "sell(8,20000)")->amount[TSR_COST_ENTRY] == 2 * 8 * LONG + N - 16);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

/* The product of a matrix with itself: pairs of entries that meet are counted, and only formats are compared that are walked slice by
 * slice; sell was proposed, which is converted first and took 5 times as long. */
static void pairs_are_counted(void **state)
{
    enum { N = 500 };
    const uint64_t dims[] = {N, N};
    tsr_coo *coo = make(2, dims, 4000, false);
    uint64_t row[N] = {0}, column[N] = {0}, pairs = 0;
    tsr_advice a;
    (void)state;
    for (uint64_t e = 0; e < coo->nnz; e++) {
        row[tsr_array_get(&coo->crd[0], e)]++;
        column[tsr_array_get(&coo->crd[1], e)]++;
    }
    for (int k = 0; k < N; k++)
        pairs += row[k] * column[k];
    advise(&a, coo, "C(i,j) = A(i,k) * A(k,j)", &(tsr_advice_options){.nthreads = 1});
    assert_true(find(&a, "csr")->amount[TSR_COST_PRODUCT] == (double)pairs);
    assert_true(find(&a, "csc")->amount[TSR_COST_PRODUCT] == (double)pairs);
    assert_true(find(&a, "dcsr")->run_ns > 1.5 * find(&a, "csr")->run_ns);
    assert_int_equal(a.nrows, 5); /* csr, csc, dcsr, dcsc, and coo, which the tensor has */
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

/* Small data stream from the last cache, large data from memory; a changed size of the cache changes that. */
static void caches_stream(void **state)
{
    const uint64_t dims[] = {4000, 3000};
    tsr_coo *coo = make(2, dims, 20000, false);
    tsr_costs costs = tsr_costs_of_machine(NULL);
    tsr_advice a;
    (void)state;
    costs.cache[2] = 8 << 20;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 1, .costs = &costs});
    assert_true(find(&a, "csr")->amount[TSR_COST_NEAR] > 0 && find(&a, "csr")->amount[TSR_COST_STREAM] == 0);
    tsr_advice_clear(&a);
    costs.cache[2] = 64 << 10;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 1, .costs = &costs});
    assert_true(find(&a, "csr")->amount[TSR_COST_STREAM] > 0 && find(&a, "csr")->amount[TSR_COST_NEAR] == 0);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

static void terms_add_up(void **state)
{
    const uint64_t dims[] = {4000, 3000};
    tsr_coo *coo = make(2, dims, 20000, false);
    tsr_advice a;
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 2, .nruns = 7});
    for (int k = 0; k < a.nrows; k++) {
        double sum = 0;
        for (int c = 0; c < TSR_NCOSTS; c++)
            sum += a.row[k].ns[c];
        assert_true(fabs(sum - a.row[k].run_ns) < 1e-6 * sum);
        assert_true(fabs(a.row[k].pack_ns + 7 * a.row[k].run_ns - a.row[k].cost_ns) <
                    1e-6 * a.row[k].cost_ns);
        assert_true(k == 0 || a.row[k].cost_ns >= a.row[k - 1].cost_ns);
    }
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

/* A cost that is raised raises the time of what it is counted for, and no count. */
static void costs_are_the_callers(void **state)
{
    const uint64_t dims[] = {4000, 3000};
    tsr_coo *coo = make(2, dims, 20000, false);
    tsr_costs costs = tsr_costs_of_machine(NULL);
    tsr_advice a, b;
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 1, .costs = &costs});
    costs.ps[TSR_COST_FIBER] *= 2;
    advise(&b, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 1, .costs = &costs});
    const tsr_advice_row *const x = find(&a, "csr"), *const y = find(&b, "csr");
    assert_true(x->ns[TSR_COST_FIBER] > 0);
    for (int c = 0; c < TSR_NCOSTS; c++)
        assert_true(y->amount[c] == x->amount[c]);
    assert_true(y->run_ns > 1.01 * x->run_ns && y->ns[TSR_COST_STREAM] == x->ns[TSR_COST_STREAM]);
    tsr_advice_clear(&a);
    tsr_advice_clear(&b);
    tsr_coo_free(coo);
}

/* The other number of threads is predicted as if it were asked for. */
static void other_threads_are_predicted(void **state)
{
    const uint64_t dims[] = {4000, 3000};
    tsr_coo *coo = make(2, dims, 20000, false);
    tsr_advice a, b;
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 2});
    advise(&b, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nthreads = 1});
    assert_true(a.other_nthreads == 1 && b.other_nthreads == 2);
    for (int k = 0; k < a.nrows; k++) {
        const tsr_advice_row *const one = find(&b, a.row[k].format);
        assert_true(fabs(a.row[k].other_ns / one->run_ns - 1) < 0.1); /* which caches are warm may differ */
        assert_true(fabs(a.row[k].run_ns / one->other_ns - 1) < 0.1);
    }
    tsr_advice_clear(&a);
    tsr_advice_clear(&b);
    tsr_coo_free(coo);
}

/* Slots of a block that are added to cells of the result side by side make no sum: bcsrc(4,4) was predicted to be as slow as
 * bcsr(4,4), which takes 1.2 times as long. */
static void sums_within_blocks_are_counted(void **state)
{
    enum { N = 4000, SIZE = 4, NBLOCKS = N / SIZE };
    const uint64_t dims[] = {N, N};
    static const struct {
        const char *kernel, *sums, *none;
    } rows[] = {{"y(i) = A(i,j) * x(j)", "bcsr(4,4)", "bcsrc(4,4)"},
                {"y(j) = A(i,j) * x(i)", "bcsrc(4,4)", "bcsr(4,4)"}};
    tsr_coo *coo;
    (void)state;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, true, N * SIZE, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        tsr_array_set(&coo->crd[0], e, e / SIZE);
        tsr_array_set(&coo->crd[1], e, e / SIZE / SIZE * SIZE + e % SIZE);
    }
    for (size_t k = 0; k < 2; k++) {
        tsr_advice a;
        advise(&a, coo, rows[k].kernel,
               &(tsr_advice_options){.nthreads = 1, .formats = "bcsr(4,4) bcsrc(4,4)"});
        assert_true(find(&a, rows[k].sums)->amount[TSR_COST_FIBER] == 2 * NBLOCKS + N);
        assert_true(find(&a, rows[k].none)->amount[TSR_COST_FIBER] == 2 * NBLOCKS);
        assert_true(find(&a, rows[k].sums)->run_ns > find(&a, rows[k].none)->run_ns);
        tsr_advice_clear(&a);
    }
    tsr_coo_free(coo);
}

static void few_runs_keep_the_format(void **state)
{
    const uint64_t dims[] = {100000, 100000};
    tsr_coo *coo = make(2, dims, 300000, false);
    tsr_advice a;
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nruns = 1});
    assert_string_equal(a.row[a.chosen].format, "coo");
    assert_true(a.row[a.chosen].is_source && a.row[a.chosen].pack_ns == 0);
    tsr_advice_clear(&a);
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nruns = 1e6});
    assert_true(!a.row[a.chosen].is_source);
    for (int k = 0; k < a.nrows; k++) /* nothing is clearly faster than the choice */
        assert_true(a.row[a.chosen].run_ns <= 1.06 * a.row[k].run_ns);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

/* What is measured decides among the rows that were measured; the format that the tensor has stays if it costs the same. */
static void measurements_decide(void **state)
{
    const uint64_t dims[] = {4000, 3000};
    tsr_coo *coo = make(2, dims, 20000, false);
    tsr_advice a;
    tsr_text text = {0};
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.nruns = 100, .formats = "csr csc"});
    assert_int_equal(a.nrows, 3);
    const int before = a.chosen;
    tsr_advice_choose_measured(&a);
    assert_true(a.chosen == before && !a.is_measured);
    tsr_advice_row *const csr = (tsr_advice_row *)find(&a, "csr"), *const csc =
                                                                       (tsr_advice_row *)find(&a, "csc");
    csr->measured_ns = csr->measured_cost_ns = 2000, csr->measured_pack_ns = 1000;
    csc->measured_ns = csc->measured_cost_ns = 1000, csc->measured_pack_ns = 90000;
    tsr_advice_choose_measured(&a);
    assert_ptr_equal(&a.row[a.chosen], csc);
    csc->measured_pack_ns = 200000;
    tsr_advice_choose_measured(&a);
    assert_ptr_equal(&a.row[a.chosen], csr);
    tsr_advice_row *const source = &a.row[a.source];
    source->measured_ns = source->measured_cost_ns = 2010; /* coordinates and csr take 201,000 ns */
    tsr_advice_choose_measured(&a);
    assert_true(a.is_measured && a.row[a.chosen].is_source);
    source->measured_ns = source->measured_cost_ns = 2200;
    csr->measured_cost_ns = 2300; /* a tie */
    tsr_advice_choose_measured(&a);
    assert_true(a.row[a.chosen].is_source);
    csr->measured_cost_ns = 2000;
    tsr_advice_choose_measured(&a);
    assert_ptr_equal(&a.row[a.chosen], csr);
    tsr_advice_sentence(&text, &a);
    assert_non_null(strstr(
        text.s,
        "Choose csr: of 3 measured formats it costs the least for 100 runs; a run is 1.10 times as fast"));
    tsr_text_clear(&text);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

static void budgets_leave_formats_out(void **state)
{
    const uint64_t dims[] = {4000, 3000};
    tsr_coo *coo = make(2, dims, 20000, false);
    tsr_advice a;
    double least = INFINITY;
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", &(tsr_advice_options){.budget = 1.2});
    for (int k = 0; k < a.nrows; k++)
        least = fmin(least, a.row[k].nbytes);
    for (int k = 0; k < a.nrows; k++)
        assert_true(a.row[k].is_source || a.row[k].nbytes <= 1.2 * least);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

static void other_orders_are_refused(void **state)
{
    const uint64_t dims[] = {40, 30};
    tsr_coo *coo = make(2, dims, 200, false);
    tsr_notation *notation;
    tsr_advice a;
    tsr_error e = {0};
    (void)state;
    assert_ok(tsr_notation_parse(&notation, "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", err));
    assert_int_equal(
        tsr_advice_init(&a,
                        &(tsr_advice_question){
                            .coo = coo, .kernels = (const tsr_notation *const[]){notation}, .nkernels = 1},
                        NULL, &e),
        TSR_UNSUPPORTED);
    assert_non_null(strstr(e.message, "does not have 2 modes"));
    tsr_notation_free(notation);
    tsr_coo_free(coo);
}

static void empty_tensors_get_advice(void **state)
{
    const uint64_t dims[] = {40, 30};
    tsr_coo *coo = make(2, dims, 0, false);
    tsr_advice a;
    tsr_text text = {0};
    (void)state;
    advise(&a, coo, "y(i) = A(i,j) * x(j)", NULL);
    tsr_advice_sentence(&text, &a);
    assert_true(a.chosen >= 0 && text.nbytes > 0);
    tsr_text_clear(&text);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

/* The orders of bits: keys with the boxes of the result's mode at the top scatter less than those that interleave everything. */
static void orders_of_keys_are_compared(void **state)
{
    (void)state;
    tsr_coo *const coo = make(3, (uint64_t[]){60000, 200, 50000}, 200000, false);
    tsr_advice a;
    tsr_text text = {0};
    const tsr_advice_options options = {.nthreads = 1, .nruns = 1000};
    advise(&a, coo, "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)", &options);
    const tsr_advice_row *best = NULL;
    for (int k = 0; k < a.nrows; k++)
        if (strncmp(a.row[k].format, "keys(", 5) == 0 && (!best || a.row[k].run_ns < best->run_ns))
            best = &a.row[k];
    assert_non_null(best);
    assert_true(best->run_ns < 0.95 * find(&a, "alto")->run_ns);
    tsr_advice_sentence(&text, &a);
    assert_non_null(strstr(tsr_text_cstr(&text), " times as fast as with alto."));
    tsr_text_clear(&text);
    tsr_advice_clear(&a);
    tsr_coo_free(coo);
}

/* At most 64 MB beside the entries, also for modes whose slices are too many to count. */
static void memory_is_bounded(void **state)
{
    static const struct {
        const char *kernel;
        int order;
        uint64_t dims[4], nnz;
    } cases[] = {
        {"y(i) = A(i,j) * x(j)", 2, {2000000, 2000000}, 400000},
        {"y(i) = A(i,j) * x(j)", 2, {300000, 300000}, 600000},
        {"A(i,r) = B(i,j,k,l) * C(j,r) * D(k,r) * E(l,r)", 4, {700000, 400000, 3000, 500000}, 300000},
    };
    (void)state;
    void *const block = tsr_malloc(1 << 20);
    const bool counts = tsr_alloc_peak() >= 1 << 20;
    tsr_free(block);
    if (!counts)
        skip(); /* this build, or this system, does not count */
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        tsr_coo *const coo = make(cases[c].order, cases[c].dims, cases[c].nnz, false);
        tsr_advice a;
        (void)tsr_alloc_peak();
        const uint64_t before = tsr_alloc_peak(); /* what is held now */
        advise(&a, coo, cases[c].kernel, NULL);
        const uint64_t nbytes = tsr_alloc_peak() - before;
        if (nbytes == 0 || nbytes > 64 << 20) {
            print_error("%s: advice takes %.1f MB\n", cases[c].kernel, (double)nbytes / (1 << 20));
            fail();
        }
        tsr_advice_clear(&a);
        tsr_coo_free(coo);
    }
}

static void memory_runs_out(void **state)
{
    const uint64_t dims[] = {300, 200};
    tsr_coo *coo = make(2, dims, 300, false);
    tsr_notation *notation;
    (void)state;
    assert_ok(tsr_notation_parse(&notation, "y(i) = A(i,j) * x(j)", err));
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_advice a;
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_advice_init(
            &a,
            &(tsr_advice_question){
                .coo = coo, .kernels = (const tsr_notation *const[]){notation}, .nkernels = 1},
            &(tsr_advice_options){.nthreads = 1, .formats = "csr sell(8,8)"}, NULL);
        tsr_faults_end(&faults, status);
        tsr_advice_clear(&a);
    }
    tsr_notation_free(notation);
    tsr_coo_free(coo);
}

/* ---- blocks of a large file ---- */

/* A packed tensor as a file that is read in parts. */
static tsr_status load_part(void *out, tsr_parts *parts, const tsr_part_range *range, tsr_error *e)
{
    const tsr_level *const level = &parts->tensor->levels[range->level];
    const tsr_array *const a = range->part == TSR_PART_POS   ? &level->pos
                               : range->part == TSR_PART_CRD ? &level->crd
                                                             : &parts->tensor->values;
    (void)e;
    assert_true(range->first + range->n <= a->n);
    memcpy(out, (char *)a->data + range->first * a->width, (size_t)range->n * a->width);
    return TSR_OK;
}

static void free_parts(tsr_parts *parts)
{
    tsr_tensor_free(parts->tensor);
    tsr_free(parts);
}

/* Pointers and columns that a file may have: 0 is no fault. */
static void spoil(tsr_tensor *t, int fault)
{
    tsr_array *const pos = &t->levels[1].pos, *const crd = &t->levels[1].crd;
    for (uint64_t i = 1; i + 1 < pos->n && fault >= 1 && fault <= 3; i++)
        tsr_array_set(pos, i, fault == 1 ? t->npos - tsr_array_get(pos, i) : fault == 2 ? UINT32_MAX : 0);
    for (uint64_t e = 0; e < crd->n && fault > 3; e++)
        tsr_array_set(crd, e, fault == 4 ? t->dims[1] : t->dims[1] - 1 - tsr_array_get(crd, e));
}

static tsr_feed *faulty_feed_of(const tsr_coo *coo, const char *text, int fault)
{
    tsr_parts *const parts = tsr_calloc(1, sizeof *parts);
    tsr_format *format;
    tsr_coo *copy;
    tsr_feed *feed;
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    assert_ok(tsr_coo_copy(&copy, coo, err));
    parts->load = load_part;
    parts->free = free_parts;
    assert_ok(
        tsr_pack(&parts->tensor, copy, format, &(tsr_pack_options){.duplicates = TSR_DUP_SUM}, NULL, err));
    tsr_format_free(format);
    spoil(parts->tensor, fault);
    assert_ok(tsr_feed_of_parts(&feed, parts, err));
    return feed;
}

static tsr_feed *feed_of(const tsr_coo *coo, const char *text)
{
    return faulty_feed_of(coo, text, 0);
}

/* Whether the blocks have all entries of the slices of which they have some, except of the outermost ones. */
static void check_blocks(const tsr_feed_blocks *blocks, const tsr_coo *coo)
{
    uint64_t *const all = tsr_calloc(coo->dims[blocks->mode], sizeof *all), *const read = tsr_calloc(
                                                                                coo->dims[blocks->mode],
                                                                                sizeof *read);
    for (uint64_t e = 0; e < coo->nnz; e++)
        all[tsr_array_get(&coo->crd[blocks->mode], e)]++;
    for (uint64_t e = 0; e < blocks->coo->nnz; e++)
        read[tsr_array_get(&blocks->coo->crd[blocks->mode], e)]++;
    for (uint64_t i = 0; i < coo->dims[blocks->mode]; i++)
        if (read[i] > 0)
            assert_int_equal(read[i], all[i]);
    tsr_free(all);
    tsr_free(read);
}

/* From an eighth of the entries, in blocks of a file, nearly the same is predicted as from all. */
static void blocks_stand_for_the_file(void **state)
{
    static const struct {
        const char *own, *kernel, *formats;
        int order;
        uint64_t dims[3];
        bool is_band;
    } cases[] = {
        {"csr",
         "y(i) = A(i,j) * x(j)",
         "csr sell(8,4096) csbc(2048,32768) bcsr(2,2) csc",
         2,
         {60000, 60000},
         false},
        {"csr",
         "y(i) = A(i,j) * x(j)",
         "csr sell(8,4096) csbc(2048,32768) bcsr(2,2) bdia(256)",
         2,
         {60000, 60004},
         true},
        {"csc", "y(j) = A(i,j) * x(i)", "csc csr csbc(2048,32768):1,0", 2, {60000, 60000}, false},
        {"coo", "y(i) = A(i,j) * x(j)", "coo csr dcsr", 2, {60000, 60000}, false},
        {"csf:1,0,2",
         "A(i,r) = B(i,j,k) * C(j,r) * D(k,r)",
         "csf csf:1,0,2 duq alto",
         3,
         {3000, 4000, 500},
         false},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        enum { NNZ = 300000, NBLOCKS = 8 };
        tsr_coo *const coo = make(cases[c].order, cases[c].dims, NNZ, cases[c].is_band);
        tsr_feed *const feed = feed_of(coo, cases[c].own);
        const tsr_advice_options how = {.nthreads = 1, .nruns = 1e6, .formats = cases[c].formats};
        tsr_feed_blocks blocks;
        tsr_notation *notation;
        tsr_advice all, some;
        assert_ok(tsr_feed_read_blocks(&blocks, feed, NBLOCKS, feed->length / 8 / NBLOCKS, err));
        assert_true(blocks.coo->nnz > blocks.nnz / 10 && blocks.coo->nnz <= blocks.nnz / 8);
        check_blocks(&blocks, coo);
        const tsr_thin thin = {blocks.mode, blocks.nslices, blocks.nnz, blocks.format};
        assert_ok(tsr_notation_parse(&notation, cases[c].kernel, err));
        assert_ok(tsr_advice_init(&some,
                                  &(tsr_advice_question){.coo = blocks.coo,
                                                         .kernels = (const tsr_notation *const[]){notation},
                                                         .nkernels = 1,
                                                         .thin = &thin},
                                  &how, err));
        advise(&all, coo, cases[c].kernel, &how);
        assert_int_equal(some.nread, blocks.coo->nnz);
        assert_int_equal(some.nnz, blocks.nnz);
        if (some.source < 0 || some.nrows < 3)
            fail_msg("case %zu: %d rows, the format of the file is row %d", c, some.nrows, some.source);
        for (int k = 0; k < some.nrows; k++)
            for (int i = 0; i < all.nrows; i++) {
                const tsr_advice_row *const a = &all.row[i], *const b = &some.row[k];
                if (strcmp(a->format, b->format) != 0)
                    continue;
                if (fabs(b->nbytes / a->nbytes - 1) > 0.25 || fabs(log(b->run_ns / a->run_ns)) > log(1.5))
                    fail_msg("case %zu, %s: %g bytes, %g ns of %g, %g", c, a->format, b->nbytes, b->run_ns,
                             a->nbytes, a->run_ns);
            }
        tsr_advice_clear(&all);
        tsr_advice_clear(&some);
        tsr_notation_free(notation);
        tsr_feed_blocks_clear(&blocks);
        tsr_feed_close(feed);
        tsr_coo_free(coo);
    }
}

/* Files that are not read in blocks, and faults: an error, and nothing is kept. */
static void blocks_of_other_files_are_refused(void **state)
{
    tsr_coo *const coo = make(2, (const uint64_t[]){3000, 3000}, 40000, false);
    tsr_feed_blocks blocks;
    (void)state;
    static const char *const formats[] = {"bcsr(2,2)", "dd", "hicoo(128)", "csr"};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        tsr_feed *const feed = feed_of(coo, formats[k]);
        assert_int_equal(tsr_feed_read_blocks(&blocks, feed, 8, k < 3 ? 100 : 4000, NULL), TSR_UNSUPPORTED);
        assert_null(blocks.coo);
        tsr_feed_close(feed);
    }
    /* a row that is longer than the blocks */
    tsr_coo *const row = make(2, (const uint64_t[]){3000, 60000}, 40000, false);
    memset(row->crd[0].data, 0, (size_t)tsr_array_nbytes(&row->crd[0]));
    tsr_feed *feed = feed_of(row, "csr");
    assert_int_equal(tsr_feed_read_blocks(&blocks, feed, 8, 1000, NULL), TSR_UNSUPPORTED);
    tsr_feed_close(feed);
    tsr_coo_free(row);
    for (int fault = 1; fault <= 5; fault++) {
        feed = faulty_feed_of(coo, "csr", fault);
        const tsr_status status = tsr_feed_read_blocks(&blocks, feed, 8, 1000, NULL);
        if (status != TSR_CORRUPT)
            fail_msg("fault %d: status %d", fault, (int)status);
        assert_null(blocks.coo);
        assert_null(blocks.format);
        tsr_feed_close(feed);
    }
    tsr_coo_free(coo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_packed_tensors),
        cmocka_unit_test(values_are_narrowed),
        cmocka_unit_test(long_rows_are_padded),
        cmocka_unit_test(windows_are_padded),
        cmocka_unit_test(pairs_are_counted),
        cmocka_unit_test(caches_stream),
        cmocka_unit_test(terms_add_up),
        cmocka_unit_test(costs_are_the_callers),
        cmocka_unit_test(other_threads_are_predicted),
        cmocka_unit_test(sums_within_blocks_are_counted),
        cmocka_unit_test(few_runs_keep_the_format),
        cmocka_unit_test(measurements_decide),
        cmocka_unit_test(budgets_leave_formats_out),
        cmocka_unit_test(other_orders_are_refused),
        cmocka_unit_test(empty_tensors_get_advice),
        cmocka_unit_test(orders_of_keys_are_compared),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(blocks_stand_for_the_file),
        cmocka_unit_test(blocks_of_other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
