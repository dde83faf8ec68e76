/* Direct conversion of packed tensors: between all pairs of named formats it gives, byte by byte, what unpacking to
 * coordinates and packing again gives, for any number of threads; and the matrix formats with ways of their own give
 * what the slow packer of oracle.h gives. */
#include "oracle.h"
#include "random_format.h"

#include "tsr_alloc.h"
#include "tsr_source.h"

enum { MAX_MODES = 4, MAX_TEXTS = 80, TEXT_NBYTES = 64 };

static const int all_threads[] = {1, 2, 3, 7};
enum { NTHREADS = sizeof all_threads / sizeof *all_threads };

static tsr_format *parse(const char *text, int order, const uint64_t *dims)
{
    tsr_format *format;
    assert_ok(tsr_format_parse(&format, text, order, dims, err));
    return format;
}

/* ---- all pairs of named formats ---- */

/* A random NAME(PARAMETERS):MODES of the format for this order; false: it has none. *partial: the format holds only some
 * patterns. */
static bool named_text(char text[TEXT_NBYTES], bool *partial, const tsr_named_format *named, int order,
                       tsr_rng *rng)
{
    static const uint64_t some[MAX_MODES] = {2, 2, 2, 2};
    tsr_text made = {0}, usage = {0}, summary = {0};
    tsr_format *format = NULL;
    tsr_named_format_describe(&usage, &summary, named);
    tsr_text_add(&made, named->name);
    const char *params = strchr(tsr_text_cstr(&usage), '(');
    for (const char *p = params; p; p = strchr(p + 1, ','))
        tsr_text_addf(&made, "%c%d", p == params ? '(' : ',', 1 + (int)tsr_rng_below(rng, 4));
    tsr_text_add(&made, params ? ")" : "");
    const int turn = order > 0 ? (int)tsr_rng_below(rng, (uint64_t)order) : 0;
    for (int m = 0; m < order; m++)
        tsr_text_addf(&made, "%c%d", m ? ',' : ':', (m + turn) % order);
    const bool fits = tsr_format_parse(&format, tsr_text_cstr(&made), order, some, NULL) == TSR_OK;
    *partial = fits && format_is_partial(format);
    snprintf(text, TEXT_NBYTES, "%s", tsr_text_cstr(&made));
    tsr_format_free(format);
    tsr_text_clear(&made);
    tsr_text_clear(&usage);
    tsr_text_clear(&summary);
    return fits;
}

static bool same_array(const tsr_array *a, const tsr_array *b)
{
    return a->n == b->n && (a->n == 0 || a->width == b->width) && !a->data == !b->data &&
           (!a->data || memcmp(a->data, b->data, (size_t)(a->n * a->width)) == 0);
}

static void must_be_same(const tsr_tensor *a, const tsr_tensor *b, const char *what)
{
    bool same = a->npos == b->npos && a->iso == b->iso && a->type == b->type &&
                a->structure == b->structure && a->has_fill == b->has_fill &&
                memcmp(a->fill, b->fill, sizeof a->fill) == 0 && same_array(&a->values, &b->values);
    for (int l = 0; l < a->nlevels; l++) {
        const tsr_level *x = &a->levels[l], *y = &b->levels[l];
        same = same && x->nparents == y->nparents && x->npos == y->npos && x->pitch == y->pitch &&
               x->low == y->low;
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            same = same && same_array(tsr_level_array_at(x, (tsr_level_role)role),
                                      tsr_level_array_at(y, (tsr_level_role)role));
    }
    if (!same)
        fail_msg("%s: another result than over coordinates", what);
}

/* Convert `from`, which stays, over coordinates. NULL: refused with *status. */
static tsr_tensor *over_coordinates(tsr_status *status, const tsr_tensor *from, const tsr_format *format,
                                    tsr_pack_options options)
{
    tsr_coo *coo;
    tsr_tensor *to;
    options.nthreads = 1;
    assert_ok(tsr_unpack(&coo, from, 1, err));
    *status = tsr_pack(&to, coo, format, &options, NULL, NULL);
    return to;
}

/* A tensor of a copy of the entries, duplicates kept where the format keeps them. */
static tsr_tensor *packed(const tsr_coo *coo, const tsr_format *format, tsr_index_width width)
{
    const bool keeps = tsr_format_keeps_duplicates(format);
    const tsr_pack_options options = {
        .nthreads = 1, .index_width = width, .duplicates = keeps ? TSR_DUP_KEEP : TSR_DUP_LAST};
    tsr_tensor *tensor;
    assert_ok(tsr_pack(&tensor, coo_copy(coo), format, &options, NULL, err));
    return tensor;
}

static void convert_pair(const tsr_coo *coo, const char *from_text, const char *to_text,
                         tsr_pack_options options)
{
    tsr_format *from = parse(from_text, coo->order, coo->dims), *to = parse(to_text, coo->order, coo->dims);
    tsr_tensor *source = packed(coo, from, options.index_width), *want, *got;
    tsr_status status;
    tsr_pack_stats stats;
    char what[2 * TEXT_NBYTES + 64];
    want = over_coordinates(&status, source, to, options);
    snprintf(what, sizeof what, "%s to %s, %d threads, duplicates %d", from_text, to_text, options.nthreads,
             (int)options.duplicates);
    const tsr_status direct = tsr_convert(&got, source, to, &options, &stats, NULL);
    if (direct != status)
        fail_msg("%s: status %d instead of %d", what, (int)direct, (int)status);
    if (status == TSR_OK) {
        assert_ok(tsr_tensor_check(got, 1, err));
        must_be_same(want, got, what);
    }
    tsr_tensor_free(got);
    tsr_tensor_free(want);
    tsr_format_free(from);
    tsr_format_free(to);
}

static void set_nnz(tsr_coo *coo, uint64_t nnz)
{
    coo->nnz = nnz;
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = nnz;
    if (!coo->iso)
        coo->values.n = nnz;
}

/* Of a format that holds only some patterns: take out each entry that the format refuses beside the entries before it. */
static void keep_held(tsr_coo *coo, const char *format_text)
{
    tsr_format *format = parse(format_text, coo->order, coo->dims);
    const uint64_t n = coo->nnz;
    uint64_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        const tsr_pack_options options = {.nthreads = 1, .duplicates = TSR_DUP_LAST};
        tsr_tensor *tensor;
        for (int m = 0; m < coo->order; m++)
            tsr_array_set(&coo->crd[m], kept, tsr_array_get(&coo->crd[m], e));
        if (!coo->iso)
            memmove((char *)coo->values.data + kept * coo->values.width,
                    (char *)coo->values.data + e * coo->values.width, coo->values.width);
        set_nnz(coo, kept + 1);
        kept += tsr_pack(&tensor, coo_copy(coo), format, &options, NULL, NULL) == TSR_OK;
        tsr_tensor_free(tensor);
    }
    set_nnz(coo, kept);
    tsr_format_free(format);
}

/* *nheld: add the entries of sources that hold only some patterns. */
static void all_pairs(int order, tsr_rng *rng, uint64_t *nheld)
{
    static const tsr_type types[] = {TSR_F64, TSR_I16, TSR_C128, TSR_U8, TSR_F32, TSR_PATTERN};
    static char texts[MAX_TEXTS][TEXT_NBYTES];
    bool partial[MAX_TEXTS];
    int n = 0;
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++) {
        assert_true(n < MAX_TEXTS);
        n += named_text(texts[n], &partial[n], named, order, rng);
    }
    assert_true(n > 1);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            uint64_t dims[MAX_MODES];
            for (int m = 0; m < order; m++)
                dims[m] = tsr_rng_below(rng, 16) == 0 ? 0 : 1 + tsr_rng_below(rng, 11);
            uint64_t cells = 1;
            for (int m = 0; m < order; m++)
                cells *= dims[m];
            tsr_coo *coo = coo_random(rng, (tsr_shape){order, dims}, types[tsr_rng_below(rng, 6)],
                                      cells ? tsr_rng_below(rng, 60) : 0, false, true);
            const tsr_pack_options options = {.nthreads = all_threads[(a + b) % NTHREADS],
                                              .duplicates = (tsr_duplicates)tsr_rng_below(rng, 5),
                                              .index_width = (tsr_index_width)tsr_rng_below(rng, 3)};
            if (tsr_case_runs((uint64_t)(a + b))) {
                if (partial[a]) /* as a target it may refuse the entries, in both ways */
                    keep_held(coo, texts[a]);
                *nheld += partial[a] ? coo->nnz : 0;
                convert_pair(coo, texts[a], texts[b], options);
            }
            tsr_coo_free(coo);
        }
}

static void test_all_pairs_of_named_formats(void **state)
{
    (void)state;
    tsr_rng rng = {13};
    uint64_t nheld = 0;
    for (int order = 1; order <= MAX_MODES; order++)
        all_pairs(order, &rng, &nheld);
    assert_true(nheld > 0);
}

/* ---- matrices with ways of their own, large enough for several buckets and shares ---- */

typedef struct matrix_case {
    const char *what;
    uint64_t rows, columns, nnz;
    uint64_t band; /* columns are within this distance of the row's place on the diagonal; 0: anywhere */
    int skew;      /* columns are drawn this number of times, and the least one is taken */
    uint64_t nfar; /* entries that are in the mirrored column */
} matrix_case;

static tsr_coo *random_matrix(const matrix_case *c, tsr_type type, tsr_rng *rng)
{
    const uint64_t dims[] = {c->rows, c->columns};
    tsr_coo *coo = coo_random(rng, (tsr_shape){2, dims}, type, c->nnz, false, true);
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const uint64_t row = tsr_array_get(&coo->crd[0], e);
        uint64_t column = tsr_array_get(&coo->crd[1], e);
        for (int k = 1; k < c->skew; k++) {
            const uint64_t other = tsr_rng_below(rng, c->columns);
            column = other < column ? other : column;
        }
        if (c->band) { /* around the edge, band and dia would be the whole matrix */
            column = row * c->columns / c->rows + tsr_rng_below(rng, c->band);
            column = column < c->columns ? column : c->columns - 1;
        }
        if (e < c->nfar)
            column = c->columns - 1 - column;
        tsr_array_set(&coo->crd[1], e, column);
    }
    return coo;
}

static void compare_with_oracle(const tsr_coo *coo, const char *from_text, const char *to_text, int nthreads,
                                tsr_index_width width, const char *what)
{
    tsr_format *from = parse(from_text, 2, coo->dims), *to = parse(to_text, 2, coo->dims);
    tsr_tensor *source = packed(coo, from, width), *got;
    tsr_coo *entries;
    oracle o;
    char text[200];
    const tsr_pack_options options = {.nthreads = nthreads, .index_width = width};
    assert_ok(tsr_unpack(&entries, source, 1, err));
    oracle_pack(&o, entries, to, TSR_DUP_SUM);
    assert_ok(tsr_convert(&got, source, to, &options, NULL, err));
    snprintf(text, sizeof text, "%s: %s to %s, %d threads", what, from_text, to_text, nthreads);
    oracle_compare(&o, got, width, text);
    oracle_clear(&o);
    tsr_coo_free(entries);
    tsr_tensor_free(got);
    tsr_format_free(from);
    tsr_format_free(to);
}

static void test_matrices_of_all_shapes(void **state)
{
    (void)state;
    static const matrix_case cases[] = {
        {"uniform", 30000, 200000, 60000, 0, 1, 0},
        {"banded", 10000, 10000, 20000, 5, 1, 0},
        {"power law", 9000, 200000, 60000, 0, 6, 0},
        {"few columns", 9000, 3, 20000, 0, 1, 0},
        {"few rows", 2, 30000, 20000, 0, 1, 0},
        {"hypersparse", 1 << 30, 1 << 29, 3000, 0, 1, 0},
        {"one entry", 1000, 1000, 1, 0, 1, 0},
        {"nearly full", 120, 100, 20000, 0, 1, 0},
        {"a few entries a block", 5000, 700, 18000, 0, 1, 0},
        {"some 32 entries in rows of blocks", 2500, 60000, 20000, 0, 1, 0},
        {"a bucket of 80,000", 90000, 400000, 100000, 0, 10, 0},
    };
    static const char *const formats[] = {"csr",       "csc",       "coo",       "dcsr",      "coo:1,0",
                                          "bcsr(3,5)", "bcsc(4,4)", "bcsr(1,4)", "bcsrc(3,1)"};
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I8, TSR_C128, TSR_I16};
    tsr_rng rng = {77};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int pair = 0; pair < 7 * 7; pair++) {
            const char *from = formats[pair % 7], *to = formats[pair / 7];
            const uint64_t cells = cases[k].rows * cases[k].columns;
            if (cases[k].nnz > 20000 && pair / 7 > 1)
                continue; /* buckets are made for csr and csc only */
            if (cases[k].nnz > 60000 && pair != 7)
                continue;                                 /* csr to csc */
            const bool large = cells > UINT64_C(1) << 40; /* formats with a place for each row do not fit */
            if (large && (strchr("b", from[0]) || strchr("b", to[0]) || from[1] == 's' || to[1] == 's'))
                continue;
            tsr_coo *coo = random_matrix(&cases[k], types[tsr_rng_below(&rng, 5)], &rng);
            if (cases[k].nnz > 20000 || tsr_case_runs((uint64_t)pair)) /* there are few of the large ones */
                compare_with_oracle(coo, from, to, all_threads[(pair + 1) % NTHREADS],
                                    pair % 3 ? TSR_INDEX_INTEROP : TSR_INDEX_NARROW, cases[k].what);
            tsr_coo_free(coo);
        }
}

/* Entries that move a little, and one that goes far. */
static void test_near_entries(void **state)
{
    (void)state;
    static const matrix_case cases[] = {{"banded", 4000, 4000, 12000, 7, 1, 0},
                                        {"banded, one far away", 4000, 4000, 12000, 7, 1, 1},
                                        {"wide band", 2000, 2000, 12000, 300, 1, 0},
                                        {"tall", 6000, 4000, 12000, 9, 1, 0}};
    static const char *const pairs[][2] = {{"csr", "csc"}, {"coo", "csc"}, {"dcsc", "csr"}};
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_C128, TSR_I16, TSR_PATTERN};
    tsr_rng rng = {85};
    for (int k = 0; k < 4 * 3 * NTHREADS; k++) {
        const matrix_case *c = &cases[k % 4];
        tsr_coo *coo = random_matrix(c, types[k % 5], &rng);
        compare_with_oracle(coo, pairs[k / 4 % 3][0], pairs[k / 4 % 3][1], all_threads[k / 12],
                            TSR_INDEX_INTEROP, c->what);
        tsr_coo_free(coo);
    }
}

/* Rows of 7 neighbouring columns. In one stretch of 64 rows out of `every`, rows have holes,
 * some rows have more entries, and others none. */
static void test_rows_of_neighbouring_columns(void **state)
{
    (void)state;
    enum { LENGTH = 7, STRETCH = 64 };
    static const matrix_case band = {"rows of neighbours", 2000, 2000, 2000 * LENGTH, 0, 1, 0};
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_C128, TSR_PATTERN};
    static const uint64_t every[] = {2, 16, 1000};
    tsr_rng rng = {1381};
    for (int k = 0; k < 2 * 3 * 4 * NTHREADS; k++) {
        tsr_coo *coo = random_matrix(&band, types[k / 6 % 4], &rng);
        for (uint64_t e = 0; e < coo->nnz; e++) {
            uint64_t row = e / LENGTH, column = row + e % LENGTH;
            if (row / STRETCH % every[k / 2 % 3] == 1) {
                column = row + tsr_rng_below(&rng, LENGTH);
                row -= row % 8 < 4 ? row % 4 : 0;
            }
            column = column < band.columns ? column : band.columns - 1;
            tsr_array_set(&coo->crd[k % 2], e, row);
            tsr_array_set(&coo->crd[1 - k % 2], e, column);
        }
        compare_with_oracle(coo, k % 2 ? "csc" : "csr", k % 2 ? "csr" : "csc", all_threads[k / 24],
                            TSR_INDEX_INTEROP, band.what);
        tsr_coo_free(coo);
    }
}

/* Coordinates in no order into rows: duplicates in rows that are counted and sorted, and rows of any length. */
static void test_coordinates_into_rows(void **state)
{
    (void)state;
    static const matrix_case cases[] = {
        {"uniform", 30000, 90000, 60000, 0, 1, 0},
        {"long rows", 9, 90000, 50000, 0, 1, 0},
        {"banded", 40000, 90000, 60000, 5, 1, 0},
        {"without duplicates", 60000, UINT64_C(1) << 31, 60000, 0, 1, 0},
        {"rows of 5 to 40", 3000, 90000, 60000, 0, 1, 0},
        {"14 + 18 bits of row and column", 30000, 200000, 60000, 0, 1, 0},
        {"14 + 19 bits", 30000, 300000, 60000, 0, 1, 0},
        {"one column", 30000, 1, 70000, 0, 1, 0}, /* as csc: numbers of entries that 16 bits do not hold */
    };
    tsr_rng rng = {78};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int t = 0; t < NTHREADS; t++) {
            const tsr_type real = k % 2 ? TSR_F64 : TSR_F32;
            tsr_coo *coo = random_matrix(&cases[k], t % 2 ? real : TSR_C128, &rng);
            tsr_format *format = parse(t % 2 ? "csr" : "csc", 2, coo->dims);
            const tsr_pack_options options = {.nthreads = all_threads[t], .index_width = TSR_INDEX_INTEROP};
            tsr_tensor *got;
            oracle o;
            if (cases[k].columns < UINT64_C(1) << 31 || t % 2) {
                oracle_pack(&o, coo, format, TSR_DUP_SUM);
                assert_ok(tsr_pack(&got, coo_copy(coo), format, &options, NULL, err));
                oracle_compare(&o, got, TSR_INDEX_INTEROP, cases[k].what);
                oracle_clear(&o);
                tsr_tensor_free(got);
            }
            tsr_coo_free(coo);
            tsr_format_free(format);
        }
}

/* Rows into slots, diagonals and bands, from a source in coordinates (all entries are looked at) and from rows (their
 * numbers are). */
static void test_rows_into_slots_and_cells(void **state)
{
    (void)state;
    static const matrix_case cases[] = {
        {"banded", 3000, 3000, 20000, 9, 1, 0},     {"wide", 300, 900, 8000, 0, 1, 0},
        {"power law", 2000, 700, 9000, 0, 5, 0},    {"empty rows", 5000, 5000, 1500, 3, 1, 0},
        {"few columns", 2500, 3, 2500, 0, 1, 0},    {"few rows", 2, 2500, 1200, 0, 1, 0},
        {"many rows of one", 1, 4000, 900, 0, 1, 0}};
    static const char *const formats[] = {
        "ell",   "ellc",    "sell(8,1)", "sell(4,64)", "sell(32,100000)", "dia",      "diac",    "band",
        "bandr", "ell:1,0", "dia:1,0",   "bandr:1,0",  "sell(3,7):1,0",   "band:1,0", "ellc:1,0"};
    enum { NFORMATS = sizeof formats / sizeof *formats };
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_I8, TSR_C128, TSR_PATTERN};
    tsr_rng rng = {83};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int f = 0; f < NFORMATS; f++) {
            tsr_coo *coo = random_matrix(&cases[k], types[tsr_rng_below(&rng, 5)], &rng);
            convert_pair(coo, strchr(formats[f], ':') ? "csc" : "csr", formats[f],
                         (tsr_pack_options){.nthreads = all_threads[((int)k + f) % NTHREADS],
                                            .index_width = (tsr_index_width)tsr_rng_below(&rng, 3)});
            convert_pair(coo, strchr(formats[f], ':') ? "csr" : "csc", formats[f],
                         (tsr_pack_options){.nthreads = 2});
            tsr_coo_free(coo);
        }
}

/* Pack the entries into the format, which is `want`, without keys. The source is consumed. */
static void must_go_over_rows(tsr_source *source, const tsr_tensor *want, const tsr_pack_options *options,
                              const char *what)
{
    tsr_tensor *got;
    tsr_pack_stats stats;
    assert_ok(tsr_pack_source(&got, source, want->format, options, &stats, err));
    assert_ok(tsr_tensor_check(got, 1, err));
    must_be_same(want, got, what);
    if (stats.key_nbits != 0) /* packing level by level begins with a sort by keys */
        fail_msg("%s: entries are sorted by keys of %d bits", what, stats.key_nbits);
    tsr_tensor_free(got);
}

/* Many entries that are not in storage order are packed by rows first: the result is that of the conversion from rows, which the
 * test above compares with packing level by level. Duplicates, their sums, and the order of the entries are those of rows. */
static void test_many_entries_go_over_rows(void **state)
{
    (void)state;
    static const matrix_case banded = {"banded", 20000, 20000, 60000, 5, 1, 0},
                             square = {"square", 300, 280, 60000, 0, 1, 0};
    static const char *const formats[] = {"ell",       "sell(8,64)",  "dia",     "diac",        "band",
                                          "bandr:1,0", "ellc:1,0",    "hash",    "jad",         "bitmap",
                                          "bitmapc",   "bytemap:1,0", "nm(4,4)", "nm(4,4):1,0", "sband",
                                          "vbl",       "runs",        "srun:1,0"};
    static const tsr_duplicates policies[] = {TSR_DUP_SUM, TSR_DUP_LAST, TSR_DUP_FIRST};
    tsr_rng rng = {84};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        const bool by_columns = strchr(formats[k], ':') != NULL;
        tsr_coo *coo = random_matrix(k < 7 ? &banded : &square, k % 2 ? TSR_F64 : TSR_I16, &rng);
        tsr_format *rows = parse(by_columns ? "csc" : "csr", 2, coo->dims),
                   *columns = parse(by_columns ? "csr" : "csc", 2, coo->dims),
                   *to = parse(formats[k], 2, coo->dims);
        const tsr_pack_options options = {.nthreads = all_threads[k % 3], .duplicates = policies[k % 3]};
        tsr_tensor *between, *want, *turned;
        tsr_source *source;
        tsr_pack_stats stats;
        assert_ok(tsr_pack(&between, coo_copy(coo), rows, &options, &stats, err));
        assert_true(stats.nduplicates > 0 && stats.nstored == stats.nentries - stats.nduplicates);
        assert_ok(tsr_convert(&want, between, to, &options, NULL, err));
        assert_ok(tsr_pack(&turned, coo_copy(coo), columns, &options, NULL, err));
        assert_ok(tsr_source_of_coo(&source, coo, err));
        must_go_over_rows(source, want, &options, formats[k]);
        assert_ok(tsr_source_of_tensor(&source, turned, err));
        must_go_over_rows(source, want, &options, formats[k]);
        tsr_tensor_free(want);
        tsr_format_free(rows);
        tsr_format_free(columns);
        tsr_format_free(to);
    }
}

/* ---- memory ---- */

#ifdef TSR_FAULTS
/* Make the n-th allocation of a conversion fail, for every n, until nothing fails. */
static void fail_everywhere(const tsr_coo *coo, const char *from_text, const char *to_text, int nthreads)
{
    tsr_format *from = parse(from_text, coo->order, coo->dims), *to = parse(to_text, coo->order, coo->dims);
    const tsr_pack_options options = {.nthreads = nthreads, .index_width = TSR_INDEX_INTEROP};
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_tensor *source = packed(coo, from, TSR_INDEX_INTEROP), *got;
        tsr_error fault = {0};
        tsr_faults_arm(&faults);
        const tsr_status status = tsr_convert(&got, source, to, &options, NULL, &fault);
        tsr_faults_end(&faults, status);
        tsr_tensor_free(got);
        assert_true(!faults.failed || fault.message[0] != '\0');
    }
    tsr_format_free(from);
    tsr_format_free(to);
}

static void test_memory_running_out_at_every_place(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"csr", "csc"},       {"csr", "coo"},       {"coo", "csr"},
                                           {"csr", "dcsr"},      {"csr", "bcsr(4,4)"}, {"bcsr(2,3)", "csr"},
                                           {"dense", "coo"},     {"hicoo(4)", "csc"},  {"csr", "ell"},
                                           {"csr", "sell(4,8)"}, {"csr", "dia"},       {"csc", "band"}};
    static const matrix_case small = {"small", 60, 50, 300, 0, 1, 0},
                             wide = {"wide", 9000, 200000, 60000, 0, 1, 0};
    tsr_rng rng = {79};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (int nthreads = 1; nthreads < 4; nthreads += 2) {
            tsr_coo *coo = random_matrix(&small, TSR_F64, &rng);
            fail_everywhere(coo, pairs[k][0], pairs[k][1], nthreads);
            tsr_coo_free(coo);
        }
    static const matrix_case far = {"far", 3000, 3000, 6000, 5, 1, 1};
    tsr_coo *coo = random_matrix(&wide, TSR_F64, &rng); /* through buckets */
    fail_everywhere(coo, "csr", "csc", 2);
    tsr_coo_free(coo);
    coo = random_matrix(&far, TSR_F64, &rng); /* inside the arrays of the source, with entries put aside */
    fail_everywhere(coo, "csr", "csc", 2);
    tsr_coo_free(coo);
}
#endif

#if defined(TSR_FAULTS) && defined(__linux__)
/* A conversion holds the source, the result, and at most 16 bytes per entry; one more where a list is below the level
 * that assembles, and a value where duplicates are combined. */
static void test_memory_of_conversions(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        uint64_t nbytes; /* per entry */
    } rows[] = {{"csr", "csc", 16},
                {"csc", "coo", 16},
                {"csr", "bcsr(2,2)", 16},
                {"csr", "ellc", 16},
                {"csr", "sell(8,64)", 16},
                {"csr", "dia", 16},
                {"csc", "band", 16},
                {"csr", "jad", 16},
                {"csr", "hash", 16},
                {"coo", "hash", 16},
                {"csr", "bitmap", 16},
                {"csr", "bitmapc", 16},
                {"csr", "bytemap", 16},
                {"csr", "nm(4,4)", 16},
                {"csr", "sband", 16},
                {"csr", "vbl", 16},
                {"csr", "runs", 16},
                {"csr", "srun", 16},
                {"csc", "hash", 16},
                {"csc", "jad", 16},
                {"csr", "(i, j) -> (i floordiv 4 : hashed, i mod 4 : dense, j : dense)", 16},
                {"csr", "(i, j) -> (i : bits, j : compressed)", 17}};
    static const matrix_case some = {"some", 3000, 400, 60000, 9, 1, 0},
                             wide = {"wide", 900, 1200, 60000, 0, 1, 0};
    tsr_rng rng = {86};
    for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
        tsr_coo *coo = random_matrix(k % 2 ? &wide : &some, TSR_F64, &rng);
        tsr_format *from = parse(rows[k / 2].from, 2, coo->dims), *to = parse(rows[k / 2].to, 2, coo->dims);
        const tsr_pack_options options = {.nthreads = 1};
        const uint64_t before = tsr_alloc_peak(), now = tsr_alloc_peak(); /* the second one: what is held */
        tsr_tensor *source = packed(coo, from, TSR_INDEX_AUTO), *got;
        const uint64_t n = source->npos, given = tsr_tensor_nbytes(source);
        (void)before;
        (void)tsr_alloc_peak();
        assert_ok(tsr_convert(&got, source, to, &options, NULL, err));
        const uint64_t most = tsr_alloc_peak() - now,
                       allowed = given + tsr_tensor_nbytes(got) + rows[k / 2].nbytes * n;
        const uint64_t rounding = 8 * 4096; /* of blocks to pages */
        if (most > allowed + rounding)
            fail_msg("%s to %s holds %llu bytes, more than %llu: %.1f per entry", rows[k / 2].from,
                     rows[k / 2].to, (unsigned long long)most, (unsigned long long)allowed,
                     (double)(most - given - tsr_tensor_nbytes(got)) / (double)n);
        tsr_tensor_free(got);
        tsr_coo_free(coo);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}
#endif

/* Sorted coordinates, and tensors of them, into levels that are all lists, in several blocks of entries. */
static void test_lists(void **state)
{
    (void)state;
    static const uint64_t dims[][5] = {{30, 20, 25}, {3, 2000, 7}, {900, 3, 3, 3}, {4, 5, 6, 7, 8}};
    static const int orders[] = {3, 3, 4, 5};
    static const char *const texts[][2] = {
        {"coo", "csf"}, {"coo:2,0,1", "csf:2,0,1"}, {"coo", "csf"}, {"coo", "csf"}};
    static const tsr_type types[] = {TSR_F64, TSR_F32, TSR_PATTERN};
    static const tsr_index_width widths[] = {TSR_INDEX_INTEROP, TSR_INDEX_NARROW, TSR_INDEX_64};
    tsr_rng rng = {83};
    for (int k = 0; k < 4 * 3 * NTHREADS; k++) {
        const int c = k % 4;
        const tsr_pack_options options = {.nthreads = all_threads[k / 4 % NTHREADS],
                                          .index_width = widths[k % 3]};
        tsr_coo *coo = coo_random(&rng, (tsr_shape){orders[c], dims[c]}, types[k / 4 / NTHREADS],
                                  k % 5 == 0 ? 3 : 4000, true, false);
        tsr_format *from = parse(texts[c][0], coo->order, coo->dims),
                   *to = parse(texts[c][1], coo->order, coo->dims);
        coo_sort(coo, to);
        oracle want;
        tsr_tensor *got;
        char what[80];
        oracle_pack(&want, coo, to, TSR_DUP_SUM);
        snprintf(what, sizeof what, "case %d, %s, %d threads", k, texts[c][1], options.nthreads);
        assert_ok(tsr_convert(&got, packed(coo, from, TSR_INDEX_INTEROP), to, &options, NULL, err));
        oracle_compare(&want, got, options.index_width, what);
        tsr_tensor_free(got);
        assert_ok(tsr_pack(&got, coo, to, &options, NULL, err));
        oracle_compare(&want, got, options.index_width, what);
        tsr_tensor_free(got);
        oracle_clear(&want);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

/* No keys are made where another way is known. */
static void test_direct_ways_need_no_keys(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"csr", "csc"},       {"csr", "coo"},       {"coo", "csr"},        {"csr", "dcsr"},
        {"dcsr", "csc"},      {"coo", "csc"},       {"csr", "bcsr(3,5)"},  {"csc", "bcsc(4,4)"},
        {"csc", "coo:1,0"},   {"csr", "ellc"},      {"csr", "sell(8,32)"}, {"csr", "dia"},
        {"csc", "band"},      {"csr", "diac"},      {"csc", "ell:1,0"},    {"csr", "bcsr(1,4)"},
        {"csr", "bcsr(4,1)"}, {"csr", "bcsr(1,1)"}, {"csr", "bcsrc(1,4)"}, {"csc", "bcsc(3,1)"}};
    static const matrix_case some = {"some", 90, 70, 400, 0, 1, 0};
    tsr_rng rng = {82};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        tsr_coo *coo = random_matrix(&some, TSR_F64, &rng);
        tsr_format *from = parse(pairs[k][0], 2, coo->dims), *to = parse(pairs[k][1], 2, coo->dims);
        const tsr_pack_options options = {.index_width = TSR_INDEX_INTEROP};
        tsr_pack_stats stats;
        tsr_tensor *got;
        assert_ok(tsr_convert(&got, packed(coo, from, TSR_INDEX_INTEROP), to, &options, &stats, err));
        if (stats.key_nbits != 0)
            fail_msg("%s to %s sorts by keys", pairs[k][0], pairs[k][1]);
        tsr_tensor_free(got);
        tsr_coo_free(coo);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

/* The cheapest way runs: each fits some of these matrices, and sorting is cheaper for rows of which most are empty. So few entries
 * are packed with the defaults, whatever the caches of this machine are, and the numbers of 300,000 rows exceed the default. */
static void test_the_cheapest_way(void **state)
{
    (void)state;
    static const matrix_case some = {"some", 90, 70, 400, 0, 1, 0},
                             nearly = {"in the last cache", 20000, 20000, (1 << 18) - 1, 0, 1, 0},
                             far = {"far", 60000, 300000, (1 << 18) - 1, 0, 1, 0},
                             beside =
                                 {"19 + 16 bits of column and row", 300000, 300000, (1 << 18) - 1, 0, 1, 0},
                             empty = {"empty", 40000, 40000, 5000, 0, 1, 0};
    static const struct {
        const char *from, *to;
        const matrix_case *matrix;
        const char *way;
    } rows[] = {
        {"csr", "coo", &some, "arrays are moved"},
        {"coo", "dcsr", &some, "arrays are moved"}, /* lists fit, too */
        {"csr", "csc", &some, "places are near"},
        {"csr", "csc", &nearly, "places are near"}, /* lines are fetched */
        {"csr", "csc", &far, "through buckets"},
        {"csr", "csc", &beside, "through buckets"},
        {"csr", "csc", &empty, "entries are sorted"},
        {"csr", "bcsr(3,5)", &some, "blocks are made of rows"},
        {"csr", "ell", &some, "rows are taken over"},
    };
    tsr_rng rng = {83};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_coo *coo = random_matrix(rows[k].matrix, TSR_F64, &rng);
        tsr_format *from = parse(rows[k].from, 2, coo->dims), *to = parse(rows[k].to, 2, coo->dims);
        const tsr_pack_options options = {.nthreads = 1, .index_width = TSR_INDEX_INTEROP};
        tsr_pack_stats stats;
        tsr_tensor *got;
        assert_ok(tsr_convert(&got, packed(coo, from, TSR_INDEX_INTEROP), to, &options, &stats, err));
        if (!stats.way || !strstr(stats.way, rows[k].way) ||
            (stats.sort_nbytes > 0 && stats.way_nbytes >= stats.sort_nbytes))
            fail_msg("%s to %s, %s: %s, %.0f bytes, sorting %.0f", rows[k].from, rows[k].to,
                     rows[k].matrix->what, stats.way ? stats.way : "(none)", stats.way_nbytes,
                     stats.sort_nbytes);
        assert_true((stats.sort_nbytes > 0) == (stats.key_nbits == 0));
        if (strcmp(rows[k].to, "csc") == 0)
            compare_with_oracle(coo, rows[k].from, rows[k].to, 1 + (int)(k % 2), TSR_INDEX_INTEROP,
                                rows[k].matrix->what);
        tsr_tensor_free(got);
        tsr_coo_free(coo);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

/* The size is known exactly before the result is allocated: a limit of these bytes suffices, and one byte less is
 * refused. */
static void test_limits(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"csr", "csc"},      {"csr", "coo"},       {"coo", "csr"},
                                           {"csr", "dcsr"},     {"csr", "bcsr(4,4)"}, {"csc", "coo"},
                                           {"dense", "csr"},    {"coo", "hicoo(4)"},  {"csr", "ell"},
                                           {"csc", "ellc:1,0"}, {"csr", "dia"},       {"csc", "band"}};
    static const matrix_case some = {"some", 90, 70, 400, 0, 1, 0};
    tsr_rng rng = {81};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        tsr_coo *coo = random_matrix(&some, TSR_F64, &rng);
        tsr_format *from = parse(pairs[k][0], 2, coo->dims), *to = parse(pairs[k][1], 2, coo->dims);
        tsr_pack_options options = {0};
        tsr_tensor *got;
        tsr_error fault = {0};
        assert_ok(tsr_convert(&got, packed(coo, from, TSR_INDEX_AUTO), to, &options, NULL, err));
        options.max_nbytes = tsr_tensor_nbytes(got);
        tsr_tensor_free(got);
        assert_ok(tsr_convert(&got, packed(coo, from, TSR_INDEX_AUTO), to, &options, NULL, err));
        tsr_tensor_free(got);
        options.max_nbytes--;
        assert_int_equal(tsr_convert(&got, packed(coo, from, TSR_INDEX_AUTO), to, &options, NULL, &fault),
                         TSR_LIMIT);
        assert_null(got);
        assert_non_null(strstr(fault.message, "more than the allowed"));
        tsr_coo_free(coo);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

/* ---- cancelling ---- */

static void test_cancelling_undoes_all(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"csr", "csc"},       {"csr", "coo"},      {"csr", "bcsr(4,4)"},
                                           {"dense", "csr"},     {"coo", "hicoo(4)"}, {"csr", "dia"},
                                           {"csr", "sell(4,8)"}, {"coo", "ell"}};
    static const matrix_case small = {"small", 60, 50, 300, 0, 1, 0},
                             large = {"large", 9000, 9000, 40000, 9, 1, 0};
    tsr_rng rng = {80};
    const tsr_status ends[] = {TSR_CANCELLED, TSR_OK};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const bool over_rows = strcmp(pairs[k][1], "ell") == 0;
        tsr_coo *coo = random_matrix(over_rows ? &large : &small, TSR_F64, &rng);
        tsr_format *from = parse(pairs[k][0], 2, coo->dims), *to = parse(pairs[k][1], 2, coo->dims);
        const int64_t live = tsr_alloc_live();
        for (int calls = 0, over = 0; !over; calls++) {
            int calls_left = calls;
            const tsr_observer observer = {.ctx = &calls_left, .progress = cancel_after};
            const tsr_pack_options options = {.observer = &observer};
            tsr_tensor *got;
            const tsr_status status =
                tsr_convert(&got, packed(coo, from, TSR_INDEX_AUTO), to, &options, NULL, NULL);
            over = status == TSR_OK;
            assert_int_equal(status, ends[over]);
            assert_true(!over || calls > 1);
            tsr_tensor_free(got);
            assert_int_equal(tsr_alloc_live(), live);
        }
        tsr_coo_free(coo);
        tsr_format_free(from);
        tsr_format_free(to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs_of_named_formats),
        cmocka_unit_test(test_matrices_of_all_shapes),
        cmocka_unit_test(test_near_entries),
        cmocka_unit_test(test_rows_of_neighbouring_columns),
        cmocka_unit_test(test_coordinates_into_rows),
        cmocka_unit_test(test_rows_into_slots_and_cells),
        cmocka_unit_test(test_many_entries_go_over_rows),
#ifdef TSR_FAULTS
        cmocka_unit_test(test_memory_running_out_at_every_place),
#endif
#if defined(TSR_FAULTS) && defined(__linux__)
        cmocka_unit_test(test_memory_of_conversions),
#endif
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_direct_ways_need_no_keys),
        cmocka_unit_test(test_the_cheapest_way),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_cancelling_undoes_all),
    };
    return cmocka_run_group_tests_name("convert", tests, NULL, NULL);
}
