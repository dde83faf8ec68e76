/* tsr_pack and tsr_unpack against the oracle: every format of orders 1 to 4, random formats beyond, blocks,
 * groups, duplicates, types, widths, sizes; the same bytes for any number of threads, and back again. */
#include "oracle.h"

static const int thread_counts[] = {1, 2, 3, 7};

/* Pack and unpack on one thread and on one of the other numbers of threads, each in turn (on all of them when
 * there are many entries): all must agree with the oracle. */
static void check(const char *text, const tsr_coo *coo, tsr_duplicates policy, tsr_index_width width)
{
    static uint64_t ncases;
    if (coo->nnz < 1000 && !tsr_case_runs(ncases++))
        return;
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, coo->order, coo->dims, err));
    oracle o;
    oracle_pack(&o, coo, format, policy);
    tsr_coo *sorted = coo_copy(coo);
    coo_sort(sorted, format);
    if (tsr_format_has_dense_leaf(format) || format->nlevels == 0)
        coo_drop_fill(sorted);
    static size_t turn;
    turn = turn % 3 + 1;
    for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; k++) {
        if (k != 0 && k != turn && coo->nnz < 1000)
            continue;
        const tsr_pack_options options = {
            .duplicates = policy, .index_width = width, .nthreads = thread_counts[k]};
        tsr_pack_stats stats;
        tsr_tensor *tensor;
        tsr_error fault = {0};
        const tsr_status status = tsr_pack(&tensor, coo_copy(coo), format, &options, &stats, &fault);
        if (status != o.status)
            fail_msg("%s: status %d instead of %d: %s", text, (int)status, (int)o.status, fault.message);
        if (status != TSR_OK)
            continue;
        oracle_compare(&o, tensor, width, text);
        assert_int_equal(stats.nentries, coo->nnz);
        assert_int_equal(stats.nstored, o.nstored);
        assert_int_equal(stats.nduplicates, o.nduplicates);
        assert_int_equal(stats.was_sorted, o.was_sorted);
        assert_ok(tsr_tensor_check(tensor, 2, err));
        if (o.nduplicates == 0 || policy == TSR_DUP_KEEP) {
            tsr_coo *back;
            assert_ok(tsr_unpack(&back, tensor, thread_counts[k], err));
            coo_must_equal(sorted, back, text);
            assert_int_equal(back->structure, coo->structure);
            tsr_coo_free(back);
        }
        tsr_tensor_free(tensor);
    }
    tsr_coo_free(sorted);
    oracle_clear(&o);
    tsr_format_free(format);
}

static void check_default(const char *text, const tsr_coo *coo)
{
    check(text, coo, TSR_DUP_SUM, TSR_INDEX_NARROW);
}

/* ---- all formats of small orders ---- */

/* The k-th permutation of 0..n-1. */
static void permutation(int *perm, int n, unsigned k)
{
    int left[TSR_MAX_ORDER];
    for (int i = 0; i < n; i++)
        left[i] = i;
    for (int i = 0; i < n; i++) {
        const unsigned pick = k % (unsigned)(n - i);
        k /= (unsigned)(n - i);
        perm[i] = left[pick];
        memmove(left + pick, left + pick + 1, (size_t)(n - i - 1 - (int)pick) * sizeof *left);
    }
}

static void print_short(char *text, const char *letters, const int *perm, int n)
{
    int at = sprintf(text, "%.*s", n, letters);
    for (int i = 0; i < n; i++)
        at += sprintf(text + at, "%c%d", i > 0 ? ',' : ':', perm[i]);
}

static void test_all_formats_of_orders_1_to_4(void **state)
{
    (void)state;
    static const uint64_t dims[4][4] = {{37}, {9, 14}, {5, 7, 6}, {3, 4, 2, 5}};
    static const unsigned npermutations[] = {1, 2, 6, 24};
    tsr_rng rng = {1};
    for (int n = 1; n <= 4; n++) {
        tsr_coo *coo = coo_random(&rng, (tsr_shape){n, dims[n - 1]}, TSR_F64, 60, true, true);
        for (unsigned k = 0; k < npermutations[n - 1]; k++)
            for (unsigned dense = 0; dense < 1u << n; dense++) {
                int perm[4];
                char letters[5] = "", text[64];
                permutation(perm, n, k);
                for (int l = 0; l < n; l++)
                    letters[l] = dense >> l & 1 ? 'd' : 's';
                print_short(text, letters, perm, n);
                check_default(text, coo);
            }
        tsr_coo_free(coo);
    }
}

/* Dims whose box has at most `limit` cells. */
static void random_dims(tsr_rng *rng, uint64_t *dims, int order, uint64_t limit)
{
    uint64_t cells = 1;
    for (int m = 0; m < order; m++) {
        const uint64_t most = limit / cells;
        dims[m] = 1 + tsr_rng_below(rng, most < 9 ? most : 9);
        cells *= dims[m];
    }
    for (int m = order - 1; m > 0; m--) {
        const uint64_t k = tsr_rng_below(rng, (uint64_t)m + 1), d = dims[k];
        dims[k] = dims[m];
        dims[m] = d;
    }
}

static void random_permutation(tsr_rng *rng, int *perm, int n)
{
    for (int i = 0; i < n; i++) {
        const int k = (int)tsr_rng_below(rng, (uint64_t)i + 1);
        perm[i] = perm[k];
        perm[k] = i;
    }
}

static void test_random_formats_of_orders_5_to_16(void **state)
{
    (void)state;
    tsr_rng rng = {2};
    for (int round = 0; round < 150; round++) {
        const int n = 5 + round % 12;
        uint64_t dims[TSR_MAX_ORDER];
        int perm[TSR_MAX_ORDER];
        char letters[TSR_MAX_ORDER + 1] = "", text[128];
        random_dims(&rng, dims, n, 6000);
        random_permutation(&rng, perm, n);
        for (int l = 0; l < n; l++)
            letters[l] = "ds"[tsr_rng_below(&rng, 2)];
        print_short(text, letters, perm, n);
        tsr_coo *coo =
            coo_random(&rng, (tsr_shape){n, dims}, TSR_F32, 1 + tsr_rng_below(&rng, 300), true, true);
        check_default(text, coo);
        tsr_coo_free(coo);
    }
}

/* ---- blocks and groups ---- */

/* A long format: each mode plain, or cut into blocks, levels in random order, level types random. */
static void random_blocked(tsr_rng *rng, char *text, int order)
{
    char expr[2 * TSR_MAX_ORDER][40];
    int n = 0, perm[2 * TSR_MAX_ORDER], at = 0;
    for (int m = 0; m < order; m++) {
        if (tsr_rng_below(rng, 2)) {
            sprintf(expr[n++], "%c", 'a' + m);
            continue;
        }
        const int block = 1 + (int)tsr_rng_below(rng, 4);
        sprintf(expr[n++], "%c floordiv %d", 'a' + m, block);
        sprintf(expr[n++], "%c mod %d", 'a' + m, block);
    }
    random_permutation(rng, perm, n);
    at += sprintf(text + at, "(");
    for (int m = 0; m < order; m++)
        at += sprintf(text + at, "%s%c", m ? ", " : "", 'a' + m);
    at += sprintf(text + at, ") -> (");
    bool in_group = false; /* the level above is nonunique */
    for (int l = 0; l < n; l++) {
        const bool last = l == n - 1;
        const char *type = tsr_rng_below(rng, 2) ? "dense" : "compressed";
        if (in_group) {
            in_group = !last && tsr_rng_below(rng, 3) == 0;
            type = in_group ? "singleton(nonunique)" : "singleton";
        } else if (!last && tsr_rng_below(rng, 4) == 0) {
            in_group = true;
            type = "compressed(nonunique)";
        }
        at += sprintf(text + at, "%s%s : %s", l ? ", " : "", expr[perm[l]], type);
    }
    sprintf(text + at, ")");
}

static void test_random_blocked_formats(void **state)
{
    (void)state;
    tsr_rng rng = {3};
    for (int round = 0; round < 300; round++) {
        const int order = 1 + round % 5;
        uint64_t dims[TSR_MAX_ORDER];
        char text[1024];
        random_dims(&rng, dims, order, 400);
        random_blocked(&rng, text, order);
        tsr_coo *coo =
            coo_random(&rng, (tsr_shape){order, dims}, TSR_I32, tsr_rng_below(&rng, 200), true, true);
        check_default(text, coo);
        tsr_coo_free(coo);
    }
}

static void test_named_formats(void **state)
{
    (void)state;
    static const struct {
        int order;
        const char *text;
    } rows[] = {
        {2, "hicoo(2)"},   {3, "hicoo(4)"}, {4, "hicoo(2)"},  {1, "linear"},    {2, "linear"},
        {3, "linear"},     {2, "csb(4)"},   {3, "coodup"},    {2, "coo"},       {3, "coo:2,0,1"},
        {1, "coo"},        {2, "cooc"},     {2, "bcsr(2,3)"}, {2, "bcsc(3,2)"}, {2, "dbcsr(2,2)"},
        {3, "csf:1,2,0"},  {2, "dcsr"},     {2, "dcsc"},      {2, "zn(4,4)"},   {2, "nz(3,5)"},
        {2, "tiled(4,8)"}, {3, "dense"},    {2, "densec"},    {2, "crow"},      {2, "ccol"},
        {1, "cvec"},       {1, "dvec"},     {1, "bvec(4)"},   {2, "csbc(4,3)"}, {2, "bdia(4)"},
        {1, "alto"},       {2, "alto:1,0"}, {3, "alto"},      {4, "alto"},
    };
    tsr_rng rng = {4};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        static const uint64_t sizes[3][4] = {{8, 16, 4, 4}, {9, 7, 5, 3}, {1, 1, 1, 1}};
        for (int s = 0; s < 3; s++) {
            tsr_coo *coo = coo_random(&rng, (tsr_shape){rows[k].order, sizes[s]}, TSR_F64, 80, true, true);
            tsr_format *format;
            tsr_error fault;
            if (tsr_format_parse(&format, rows[k].text, rows[k].order, sizes[s], &fault) != TSR_OK)
                fail_msg("%s: %s", rows[k].text, fault.message);
            tsr_format_free(format);
            check_default(rows[k].text, coo);
            tsr_coo_free(coo);
        }
    }
}

/* ---- duplicates, types, widths ---- */

static void test_duplicates_by_every_policy(void **state)
{
    (void)state;
    static const char *const formats[] = {
        "ds",
        "sd",
        "ss:1,0",
        "dd",
        "coo",
        "coodup",
        "hicoo(2)",
        "linear",
        "alto",
        "bcsr(2,2)",
        "(i, j) -> (i : dense, j : compressed(nonunique))",
        "(i, j) -> (j : compressed, i : compressed(nonunique))",
    };
    static const uint64_t dims[] = {6, 9};
    tsr_rng rng = {5};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int policy = TSR_DUP_SUM; policy <= TSR_DUP_ERROR; policy++)
            for (int type = 0; type < TSR_NTYPES; type++) {
                tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, (tsr_type)type, 100, false, true);
                check(formats[f], coo, (tsr_duplicates)policy, TSR_INDEX_NARROW);
                tsr_coo_free(coo);
            }
}

static void test_duplicates_across_blocks_and_shares(void **state)
{
    (void)state;
    tsr_rng rng = {6};
    static const uint64_t dims[][2] = {{1, 1}, {1, 3}, {40, 50}};
    for (size_t d = 0; d < 3; d++)
        for (int policy = TSR_DUP_SUM; policy <= TSR_DUP_ERROR; policy++)
            for (int sorted = 0; sorted < 2; sorted++) {
                tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims[d]}, TSR_I64, 9000, false, true);
                tsr_format *format;
                assert_ok(tsr_format_parse(&format, "ds", 2, NULL, err));
                if (sorted)
                    coo_sort(coo, format);
                tsr_format_free(format);
                check("ds", coo, (tsr_duplicates)policy, TSR_INDEX_NARROW);
                check("coodup", coo, (tsr_duplicates)policy, TSR_INDEX_NARROW);
                check("dd", coo, (tsr_duplicates)policy, TSR_INDEX_NARROW);
                tsr_coo_free(coo);
            }
}

/* NaN payloads, -0.0, stored zeros: values are random bits. */
static void test_every_type_bit_for_bit(void **state)
{
    (void)state;
    static const char *const formats[] = {"ds", "sd", "sss", "ddd:2,0,1", "coo", "hicoo(2)"};
    tsr_rng rng = {7};
    for (int type = 0; type < TSR_NTYPES; type++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
            for (int fill = 0; fill < 2; fill++) {
                static const uint64_t dims[] = {7, 5, 6};
                const int order = formats[f][2] == '\0' || formats[f][0] == 'c' ? 2 : 3;
                tsr_coo *coo = coo_random(&rng, (tsr_shape){order, dims}, (tsr_type)type, 60, true, false);
                const size_t width = tsr_type_nbytes((tsr_type)type);
                if (coo->nnz > 2 && !coo->iso) { /* a stored zero and a stored fill */
                    memset(coo->values.data, 0, width);
                    coo->has_fill = fill;
                    memcpy(coo->fill, (unsigned char *)coo->values.data + width, width);
                }
                check_default(formats[f], coo);
                tsr_coo_free(coo);
            }
}

static void test_iso_stays_iso(void **state)
{
    (void)state;
    static const char *const formats[] = {"ds", "dd", "ss", "coo", "bcsr(2,2)", "coodup"};
    static const uint64_t dims[] = {12, 11};
    tsr_rng rng = {8};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int distinct = 0; distinct < 2; distinct++)
            for (int policy = TSR_DUP_SUM; policy <= TSR_DUP_ERROR; policy++) {
                tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_F32, 70, distinct, true);
                const float value = 2.5f;
                tsr_array_clear(&coo->values);
                assert_ok(tsr_array_init(&coo->values, 1, 4, 0, "the value", err));
                memcpy(coo->values.data, &value, sizeof value);
                coo->iso = true;
                check(formats[f], coo, (tsr_duplicates)policy, TSR_INDEX_NARROW);
                tsr_coo_free(coo);
            }
}

static void test_widths_at_their_limits(void **state)
{
    (void)state;
    tsr_rng rng = {9};
    static const uint64_t n[] = {254, 255, 256, 257, 65535, 65536, 65537};
    for (size_t k = 0; k < sizeof n / sizeof *n; k++)
        for (int width = TSR_INDEX_NARROW; width <= TSR_INDEX_64; width++) {
            const uint64_t dims[] = {n[k], 3};
            tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims}, TSR_PATTERN, n[k], false, true);
            for (uint64_t e = 0; e < n[k]; e++)
                tsr_array_set(&coo->crd[0], e, n[k] - 1 - e); /* so that npos is n */
            tsr_format *format;
            assert_ok(tsr_format_parse(&format, "ss", 2, NULL, err));
            const tsr_pack_options options = {.index_width = (tsr_index_width)width, .nthreads = 2};
            tsr_tensor *tensor;
            tsr_error fault = {0};
            const size_t bytes = width == TSR_INDEX_8 ? 1 : width == TSR_INDEX_16 ? 2 : 8;
            const uint64_t room = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
            const tsr_status status = tsr_pack(&tensor, coo_copy(coo), format, &options, NULL, &fault);
            assert_int_equal(status, n[k] <= room ? TSR_OK : TSR_RANGE);
            if (status == TSR_OK && n[k] < 1000)
                check("ss", coo, TSR_DUP_SUM, (tsr_index_width)width);
            if (n[k] == 256 && width == TSR_INDEX_8)
                assert_string_equal(fault.message,
                                    "level 0: pos needs elements up to 256, which do not fit 8 bits");
            tsr_tensor_free(tensor);
            tsr_format_free(format);
            tsr_coo_free(coo);
        }
}

/* ---- sizes ---- */

static void test_nothing_and_little(void **state)
{
    (void)state;
    static const char *const formats[] = {"ds",        "sd",       "dd",     "ss",  "coo",
                                          "bcsr(2,3)", "hicoo(2)", "linear", "alto"};
    static const uint64_t dims[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {5, 4}, {1, 7}};
    tsr_rng rng = {10};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t d = 0; d < 6; d++)
            for (uint64_t nnz = 0; nnz < 3; nnz++) {
                if (nnz > 0 && dims[d][0] * dims[d][1] == 0)
                    continue;
                if (dims[d][0] * dims[d][1] == 0 && strcmp(formats[f], "linear") == 0)
                    continue; /* it has no form for empty modes */
                tsr_coo *coo = coo_random(&rng, (tsr_shape){2, dims[d]}, TSR_F64, nnz, true, true);
                check_default(formats[f], coo);
                tsr_coo_free(coo);
            }
}

static void test_order_0(void **state)
{
    (void)state;
    tsr_rng rng = {11};
    for (int type = 0; type < TSR_NTYPES; type++)
        for (uint64_t nnz = type == TSR_PATTERN; nnz < 4; nnz++)
            for (int policy = TSR_DUP_SUM; policy <= TSR_DUP_ERROR; policy++) {
                tsr_coo *coo = coo_random(&rng, (tsr_shape){0, NULL}, (tsr_type)type, nnz, false, true);
                check("() -> ()", coo, (tsr_duplicates)policy, TSR_INDEX_NARROW);
                tsr_coo_free(coo);
            }
}

/* Enough entries for buckets, several blocks and several shares. */
static void test_many_entries(void **state)
{
    (void)state;
    static const struct {
        int order;
        const char *text;
        uint64_t dims[4], nnz;
    } rows[] = {
        {2, "ds", {3000, 5000}, 20000},
        {2, "ds:1,0", {70000, 65536}, 30000},
        {2, "dd", {300, 200}, 40000},
        {3, "sss:2,1,0", {1 << 20, 1 << 20, 1 << 21}, 20000},
        {4, "ssss", {UINT64_C(1) << 40, UINT64_C(1) << 62, 3, UINT64_C(1) << 33}, 20000},
        {3, "hicoo(128)", {1000, 3000, 2000}, 20000},
        {2, "bcsr(4,3)", {1000, 1001}, 20000},
        {2, "linear", {1 << 20, 1 << 20}, 20000},
        {3, "alto", {100000, 60000, 2000}, 20000},
        {2, "alto", {UINT64_C(1) << 40, UINT64_C(1) << 30}, 20000}, /* two levels */
        {3, "alto", {UINT64_C(1) << 40, UINT64_C(1) << 40, UINT64_C(1) << 44}, 20000},
    };
    tsr_rng rng = {12};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_coo *coo =
            coo_random(&rng, (tsr_shape){rows[k].order, rows[k].dims}, TSR_F64, rows[k].nnz, false, true);
        check_default(rows[k].text, coo);
        tsr_coo_free(coo);
        coo = coo_random(&rng, (tsr_shape){rows[k].order, rows[k].dims}, TSR_C128, rows[k].nnz, true, false);
        tsr_format *format;
        assert_ok(tsr_format_parse(&format, rows[k].text, rows[k].order, rows[k].dims, err));
        coo_sort(coo, format);
        tsr_format_free(format);
        check_default(rows[k].text, coo);
        tsr_coo_free(coo);
    }
}

/* Nearly all entries fall into one bucket (one far away stretches the key), which is split again and again.
 */
static void test_skewed_entries(void **state)
{
    (void)state;
    static const struct {
        uint64_t dims[3], most[3]; /* the entries but one are below `most` */
    } rows[] = {
        {{1 << 20, 1 << 20, 1 << 20}, {1, 300, 1000}},
        {{1 << 20, 1 << 20, 1 << 20}, {1, 1, 70000}},
        {{1 << 20, 1 << 20, 1 << 20}, {1, 1, 2}},
        {{UINT64_C(1) << 50, UINT64_C(1) << 50, UINT64_C(1) << 50}, {1, 1, 100000}},
        {{UINT64_C(1) << 50, UINT64_C(1) << 50, UINT64_C(1) << 50}, {1, 3, 100000}},
    };
    tsr_rng rng = {13};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_coo *coo = coo_random(&rng, (tsr_shape){3, rows[k].most}, TSR_I64, 150000, false, true);
        for (int m = 0; m < 3; m++) {
            coo->dims[m] = rows[k].dims[m];
            const size_t width = rows[k].dims[m] > UINT32_MAX ? 8 : 4;
            if (coo->crd[m].width != width) {
                tsr_array wide;
                assert_ok(tsr_array_init(&wide, coo->nnz, width, 0, "wide", err));
                for (uint64_t e = 0; e < coo->nnz; e++)
                    tsr_array_set(&wide, e, tsr_array_get(&coo->crd[m], e));
                tsr_array_clear(&coo->crd[m]);
                coo->crd[m] = wide;
            }
            tsr_array_set(&coo->crd[m], 77777, rows[k].dims[m] - 1);
        }
        check_default("sss", coo);
        check("coodup", coo, TSR_DUP_KEEP, TSR_INDEX_INTEROP);
        tsr_coo_free(coo);
    }
}

static void test_order_16_with_the_largest_dims(void **state)
{
    (void)state;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_rng rng = {14};
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        dims[m] = m % 3 ? INT64_MAX : UINT64_C(1) << 62;
    tsr_coo *coo = coo_random(&rng, (tsr_shape){TSR_MAX_ORDER, dims}, TSR_F64, 9000, false, true);
    for (uint64_t e = 1; e < coo->nnz; e += 2) /* entries that differ late, or not at all */
        for (int m = 0; m < TSR_MAX_ORDER - (int)(e % 4); m++)
            tsr_array_set(&coo->crd[m], e, tsr_array_get(&coo->crd[m], e - 1));
    check_default("ssssssssssssssss", coo);
    check_default("coo", coo);
    check("coodup", coo, TSR_DUP_KEEP, TSR_INDEX_NARROW);
    tsr_coo_free(coo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_formats_of_orders_1_to_4),
        cmocka_unit_test(test_random_formats_of_orders_5_to_16),
        cmocka_unit_test(test_random_blocked_formats),
        cmocka_unit_test(test_named_formats),
        cmocka_unit_test(test_duplicates_by_every_policy),
        cmocka_unit_test(test_duplicates_across_blocks_and_shares),
        cmocka_unit_test(test_every_type_bit_for_bit),
        cmocka_unit_test(test_iso_stays_iso),
        cmocka_unit_test(test_widths_at_their_limits),
        cmocka_unit_test(test_nothing_and_little),
        cmocka_unit_test(test_order_0),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_skewed_entries),
        cmocka_unit_test(test_order_16_with_the_largest_dims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
