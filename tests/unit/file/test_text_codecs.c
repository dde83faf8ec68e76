/* Reading MatrixMarket and FROSTT text: the tables tests/files/good.tsv and broken.tsv, generated files, and
 * the real files of TSR_SHARED. */
#include "text_table.h"

#include <math.h>

#include "tsr_parallel.h"

static const size_t block_nbytes[] = {0, 1, 11, 64};
static const int thread_counts[] = {1, 2, 3};
enum { NBLOCKS = 4, NTHREADS = 3 };

/* --- Good files ---------------------------------------------------------------------------------------- */

/* Coordinates (from 1) and value of entry k, whatever the data is. */
static const void *get_entry(const tsr_data *data, uint64_t k, uint64_t *crd)
{
    if (data->coo) {
        for (int m = 0; m < data->coo->order; m++)
            crd[m] = tsr_array_get(&data->coo->crd[m], k) + 1;
        return (const char *)data->coo->values.data + (data->coo->iso ? 0 : k) * data->coo->values.width;
    }
    uint64_t rest = k; /* values are column-major */
    for (int m = 0; m < data->tensor->order; m++) {
        crd[m] = rest % data->tensor->dims[m] + 1;
        rest /= data->tensor->dims[m];
    }
    return (const char *)data->tensor->values.data + k * data->tensor->values.width;
}

static bool same_real(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Whether the value is what the text says, as the C library reads it. */
static bool value_is(tsr_type type, const void *v, const char *text)
{
    double re, im;
    char *end;
    int64_t i;
    uint64_t u;
    switch (type) {
    case TSR_F64:
        memcpy(&re, v, sizeof re);
        return same_real(re, strtod(text, NULL));
    case TSR_C128:
        memcpy(&re, v, sizeof re);
        memcpy(&im, (const char *)v + 8, sizeof im);
        return same_real(re, strtod(text, &end)) && same_real(im, strtod(end, NULL));
    case TSR_I64:
        memcpy(&i, v, sizeof i);
        return i == strtoll(text, NULL, 10);
    case TSR_U64:
        memcpy(&u, v, sizeof u);
        return u == strtoull(text, NULL, 10);
    default:
        return false;
    }
}

static void check_entries(const tsr_data *data, const char *file, uint64_t nnz, const char *expected)
{
    char *const copy = strdup(expected);
    char *next = copy;
    for (uint64_t k = 0; k < nnz; k++) {
        uint64_t crd[TSR_MAX_ORDER];
        const int order = data->coo ? data->coo->order : data->tensor->order;
        const void *const v = get_entry(data, k, crd);
        for (int m = 0; m < order; m++) {
            const uint64_t want = strtoull(next, &next, 10);
            if (crd[m] != want)
                fail_msg("%s: entry %llu has index %llu in mode %d, expected %llu", file,
                         (unsigned long long)k, (unsigned long long)crd[m], m + 1, (unsigned long long)want);
            next += m + 1 < order;
        }
        char *const end = next + strcspn(next, ";");
        const bool last = *end == '\0';
        *end = '\0';
        if (*next == '=' && !value_is(data->coo ? data->coo->type : data->tensor->type, v, next + 1))
            fail_msg("%s: entry %llu is not %s", file, (unsigned long long)k, next + 1);
        if (last && k + 1 < nnz)
            fail_msg("%s: more entries than expected", file);
        next = last ? end : end + 1;
    }
    free(copy);
}

static void check_good(const table_row *r, const tsr_data *data)
{
    const char *const file = r->field[0];
    char dims[400] = "", *p = dims;
    const int order = data->coo ? data->coo->order : data->tensor->order;
    const uint64_t *const sizes = data->coo ? data->coo->dims : data->tensor->dims;
    const uint64_t nnz = data->coo ? data->coo->nnz : data->tensor->npos;
    for (int m = 0; m < order; m++)
        p += sprintf(p, "%s%llu", m ? "x" : "", (unsigned long long)sizes[m]);
    if (strcmp(dims, r->field[2]) != 0)
        fail_msg("%s: dims are %s, expected %s", file, dims, r->field[2]);
    if (nnz != strtoull(r->field[3], NULL, 10))
        fail_msg("%s: %llu entries, expected %s", file, (unsigned long long)nnz, r->field[3]);
    assert_string_equal(tsr_type_name(data->coo ? data->coo->type : data->tensor->type), r->field[4]);
    assert_string_equal(tsr_structure_name(data->coo ? data->coo->structure : data->tensor->structure),
                        r->field[5]);
    if (data->coo) {
        assert_ok(tsr_coo_check(data->coo, 1, err));
        assert_int_equal(data->coo->iso, data->coo->type == TSR_PATTERN);
    } else {
        assert_ok(tsr_tensor_check(data->tensor, 1, err));
    }
    check_entries(data, file, nnz, r->field[7]);
}

static void read_good(const table_row *r, void *ctx)
{
    (void)ctx;
    const char *const path = tsr_test_path(tsr_test_path(tsr_test_files(), "good"), r->field[0]);
    for (int b = 0; b < NBLOCKS; b++)
        for (int t = 0; t < NTHREADS; t++) {
            tsr_read_options options;
            const tsr_codec *codec;
            int nwarnings;
            const tsr_observer observer = counting_observer(&nwarnings);
            tsr_data data;
            parse_options(&options, &codec, r->field[1]);
            options.nthreads = thread_counts[t];
            options.observer = &observer;
            assert_ok(read_in_blocks(&data, path, codec, options, block_nbytes[b], err));
            check_good(r, &data);
            if (nwarnings != atoi(r->field[6]))
                fail_msg("%s: %d warnings, expected %s", r->field[0], nwarnings, r->field[6]);
            tsr_data_clear(&data);
        }
}

static void test_good_files(void **state)
{
    (void)state;
    each_row(tsr_test_path(tsr_test_files(), "good.tsv"), 8, read_good, NULL);
}

/* --- Broken files -------------------------------------------------------------------------------------- */

static const char *status_name(tsr_status status)
{
    static const char *const names[] = {
#define X(name, words) #name,
#include "status.def"
#undef X
    };
    return names[status];
}

static void check_number(const char *file, const char *what, uint64_t got, const char *want)
{
    if (strcmp(want, "*") != 0 && got != strtoull(want, NULL, 10))
        fail_msg("%s: %s %llu, expected %s", file, what, (unsigned long long)got, want);
}

static void check_broken(const table_row *r, const char *path, tsr_status status, const tsr_error *err)
{
    char words[300], *word[8], text[1200];
    tsr_error_text(text, sizeof text, err);
    if (strcmp(status_name(status), r->field[2]) != 0 || err->status != status)
        fail_msg("%s: status %s, expected %s: %s", r->field[0], status_name(status), r->field[2], text);
    check_number(text, "line", err->line, r->field[3]);
    check_number(text, "column", err->col, r->field[4]);
    assert_string_equal(err->path, path);
    snprintf(words, sizeof words, "%s", r->field[5]);
    const int n = split(words, ';', word, 8);
    for (int i = 0; i < n; i++)
        if (!strstr(err->message, word[i]))
            fail_msg("%s: the message does not say \"%s\": %s", r->field[0], word[i], text);
}

static void read_broken(const table_row *r, void *ctx)
{
    (void)ctx;
    const char *const path = tsr_test_path(tsr_test_path(tsr_test_files(), "broken"), r->field[0]);
    for (int b = 0; b < NBLOCKS; b++)
        for (int t = 0; t < NTHREADS; t++) {
            tsr_read_options options;
            const tsr_codec *codec;
            tsr_data data;
            tsr_error err = {0};
            parse_options(&options, &codec, r->field[1]);
            options.nthreads = thread_counts[t];
            const tsr_status status = read_in_blocks(&data, path, codec, options, block_nbytes[b], &err);
            if (status == TSR_OK)
                fail_msg("%s: accepted", r->field[0]);
            assert_null(data.coo);
            assert_null(data.tensor);
            check_broken(r, path, status, &err);
            assert_int_equal(read_in_blocks(&data, path, codec, options, block_nbytes[b], NULL), status);
        }
}

static void test_broken_files(void **state)
{
    (void)state;
    each_row(tsr_test_path(tsr_test_files(), "broken.tsv"), 6, read_broken, NULL);
}

/* --- Generated files ----------------------------------------------------------------------------------- */

static const char *spit_text(const char *name, const tsr_text *text)
{
    const char *const path = tsr_test_path(tsr_test_tmp(), name);
    assert_false(text->failed);
    tsr_test_spit(path, text->s, text->nbytes);
    return path;
}

/* Comments and padding far longer than any line buffer. */
static void test_long_comments_and_lines(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int ncomments, comment_nbytes, padding_nbytes;
    } cases[] = {{"comment_5000.mtx", 1, 5000, 1},
                 {"comment_100k_lines.mtx", 100000, 20, 1},
                 {"line_5000.mtx", 1, 5, 5000}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int b = 0; b < NBLOCKS; b++) {
            if (cases[c].ncomments > 1000 && block_nbytes[b] == 1)
                continue;
            tsr_text text = {0};
            tsr_text_add(&text, "%%MatrixMarket matrix coordinate real general\n");
            for (int i = 0; i < cases[c].ncomments; i++)
                tsr_text_addf(&text, "%%%*s\n", cases[c].comment_nbytes, "x");
            tsr_text_addf(&text, "2 2 2\n%*s 1 5\n2 %*s 7.5\n", cases[c].padding_nbytes, "1",
                          cases[c].padding_nbytes, "2");
            const char *const path = spit_text(cases[c].name, &text);
            tsr_text_clear(&text);
            tsr_data data;
            const tsr_read_options options = {.nthreads = 2};
            assert_ok(read_in_blocks(&data, path, NULL, options, block_nbytes[b], err));
            assert_int_equal(data.coo->nnz, 2);
            assert_true(value_is(TSR_F64, data.coo->values.data, "5"));
            assert_true(value_is(TSR_F64, (double *)data.coo->values.data + 1, "7.5"));
            tsr_data_clear(&data);
        }
}

/* Entry k of a big file, the same on every run: a mix of plain lines, odd ones, comments and blank lines. */
static void add_random_line(tsr_text *text, tsr_rng *rng, int order, bool integers)
{
    static const char *const odd[] = {"\n", "# comment\n", " \t\n", "%x\n"};
    if (tsr_rng_below(rng, 20) == 0)
        tsr_text_add(text, odd[tsr_rng_below(rng, 4)]);
    for (int m = 0; m < order; m++)
        tsr_text_addf(text, "%s%llu%s", tsr_rng_below(rng, 30) ? "" : "+",
                      (unsigned long long)tsr_rng_below(rng, UINT64_C(1) << tsr_rng_below(rng, 33)) + 1,
                      tsr_rng_below(rng, 30) ? " " : "\t ");
    if (integers)
        tsr_text_addf(text, "%lld", (long long)tsr_rng_next(rng) >> tsr_rng_below(rng, 63));
    else
        tsr_text_addf(text, "%.*g", (int)tsr_rng_below(rng, 17) + 1, (tsr_rng_unit(rng) - 0.5) * 1e3);
    tsr_text_add(text, tsr_rng_below(rng, 30) ? "\n" : " # end\r\n");
}

/* The same content, bit for bit, whatever the threads and blocks; a fault at a known line is found there. */
static void test_threads_and_blocks_do_not_matter(void **state)
{
    (void)state;
    for (int c = 0; c < 6; c++) {
        const int order = c % 3 + 1, nlines = 5000;
        tsr_text text = {0};
        tsr_rng rng = {.s = (uint64_t)c};
        /* c >= 3: a real value far behind turns the integers before it into reals */
        for (int i = 0; i < nlines; i++)
            add_random_line(&text, &rng, order, c < 3 || i != nlines - 100);
        uint64_t line = 1;
        for (size_t i = 0; i < text.nbytes; i++)
            line += text.s[i] == '\n';
        const char *const path = spit_text("random.tns", &text);
        tsr_text_add(&text, "1 x 2\n1 1 1 1 1 1\n0\n");
        const char *const bad_path = spit_text("random_bad.tns", &text);
        tsr_text_clear(&text);
        tsr_data first;
        const tsr_read_options one = {.nthreads = 1};
        assert_ok(tsr_read(&first, path, NULL, &one, err));
        assert_int_equal(first.coo->nnz, nlines);
        assert_int_equal(first.coo->type, c < 3 ? TSR_I64 : TSR_F64);
        for (int t = 1; t <= 4; t++)
            for (size_t block = 1 << 8; block <= 1 << 18; block <<= 5) {
                tsr_data data;
                tsr_error error = {0};
                const tsr_read_options options = {.nthreads = t};
                assert_ok(read_in_blocks(&data, path, NULL, options, block, err));
                assert_memory_equal(data.coo->dims, first.coo->dims, sizeof first.coo->dims);
                assert_int_equal(data.coo->type, first.coo->type);
                for (int m = 0; m < order; m++) {
                    assert_int_equal(data.coo->crd[m].width, first.coo->crd[m].width);
                    assert_memory_equal(data.coo->crd[m].data, first.coo->crd[m].data,
                                        tsr_array_nbytes(&first.coo->crd[m]));
                }
                assert_memory_equal(data.coo->values.data, first.coo->values.data,
                                    tsr_array_nbytes(&first.coo->values));
                tsr_data_clear(&data);
                assert_int_not_equal(read_in_blocks(&data, bad_path, NULL, options, block, &error), TSR_OK);
                assert_int_equal(error.line, line);
            }
        tsr_data_clear(&first);
    }
}

/* Lines of random tokens, a few of them wrong, each followed by `tail`. */
static void add_plain_lines(tsr_text *text, uint64_t seed, const char *field, const char *tail)
{
    static const char *const values[] = {"0",     "-0",  "1.5",   "-2.5e-3",  "7",   "12345678901234567890",
                                         "1e400", ".5",  "5.",    "-inf",     "nan", "9223372036854775807",
                                         "1D2",   "0.1", "00012", "4.9e-324", "+3",  "-9223372036854775808"};
    static const char *const wrong[] = {"x", "1.5x", "-", "1e", "0x1", "1,5", "", "."};
    tsr_rng rng = {.s = seed};
    const int nlines = 1 + (int)tsr_rng_below(&rng, 8);
    tsr_text_addf(text, "%%%%MatrixMarket matrix coordinate %s general\n99999999999 12345678 %d\n", field,
                  nlines);
    for (int i = 0; i < nlines; i++) {
        const char *const value =
            tsr_rng_below(&rng, 40) ? values[tsr_rng_below(&rng, 18)] : wrong[tsr_rng_below(&rng, 8)];
        tsr_text_addf(text, "%llu %llu",
                      (unsigned long long)tsr_rng_below(&rng, 99999999999 >> tsr_rng_below(&rng, 36)) +
                          (tsr_rng_below(&rng, 40) != 0),
                      (unsigned long long)tsr_rng_below(&rng, 12345678) + 1);
        if (strcmp(field, "pattern") != 0)
            tsr_text_addf(text, " %s", value);
        if (strcmp(field, "complex") == 0)
            tsr_text_addf(text, " %s", values[tsr_rng_below(&rng, 18)]);
        tsr_text_addf(text, "%s\n", tail);
    }
}

/* A comment behind each entry keeps the tight loop from judging the line: both ways must agree. */
static void test_both_ways_through_a_line_agree(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        bool has_type;
        tsr_type type;
    } cases[] = {{"real", false, TSR_F64},        {"real", true, TSR_F32},
                 {"integer", false, TSR_I64},     {"unsigned-integer", false, TSR_U64},
                 {"pattern", false, TSR_PATTERN}, {"complex", false, TSR_C128},
                 {"complex", true, TSR_C64}};
    int nread = 0, nrefused = 0;
    for (uint64_t seed = 0; seed < 700; seed++) {
        tsr_data data[2];
        tsr_status status[2];
        tsr_error err[2] = {0};
        for (int way = 0; way < 2; way++) {
            tsr_text text = {0};
            const tsr_read_options options = {
                .nthreads = 1, .has_type = cases[seed % 7].has_type, .type = cases[seed % 7].type};
            add_plain_lines(&text, seed, cases[seed % 7].field, way ? " % slow" : "");
            status[way] = tsr_read(&data[way], spit_text("both.mtx", &text), NULL, &options, &err[way]);
            tsr_text_clear(&text);
        }
        assert_int_equal(status[0], status[1]);
        assert_string_equal(err[0].message, err[1].message);
        assert_int_equal(err[0].line, err[1].line);
        assert_int_equal(err[0].col, err[1].col);
        *(status[0] == TSR_OK ? &nread : &nrefused) += 1;
        if (status[0] != TSR_OK)
            continue;
        assert_int_equal(data[0].coo->type, cases[seed % 7].type);
        assert_int_equal(data[0].coo->nnz, data[1].coo->nnz);
        for (int m = 0; m < 2; m++)
            assert_memory_equal(data[0].coo->crd[m].data, data[1].coo->crd[m].data,
                                tsr_array_nbytes(&data[0].coo->crd[m]));
        assert_memory_equal(data[0].coo->values.data, data[1].coo->values.data,
                            tsr_array_nbytes(&data[0].coo->values));
        tsr_data_clear(&data[0]);
        tsr_data_clear(&data[1]);
    }
    assert_true(nread > 100);
    assert_true(nrefused > 100);
}

/* --- Values while reading --------------------------------------------------------------------------------
 */

static void read_as(tsr_data *data, const char *name, const char *text, tsr_type type)
{
    const char *const path = tsr_test_path(tsr_test_tmp(), name);
    tsr_test_spit(path, text, strlen(text));
    const tsr_read_options options = {.has_type = true, .type = type};
    assert_ok(tsr_read(data, path, NULL, &options, err));
    assert_int_equal(data->coo ? data->coo->type : data->tensor->type, type);
}

static void test_types_can_be_chosen(void **state)
{
    (void)state;
    tsr_data data;
    /* Just above the middle between two floats, but not as a double: rounding twice gives 1. */
    static const char twice[] = "1 1 1.00000005960464477540\n";
    read_as(&data, "f32.tns", twice, TSR_F32);
    assert_true(*(float *)data.coo->values.data == 1.00000012f);
    tsr_data_clear(&data);
    read_as(&data, "u64.tns", "1 1 18446744073709551615\n", TSR_U64);
    assert_true(*(uint64_t *)data.coo->values.data == UINT64_MAX);
    tsr_data_clear(&data);
    read_as(&data, "i8.tns", "1 1 -128\n1 2 127.0\n", TSR_I8);
    assert_int_equal(((int8_t *)data.coo->values.data)[0], -128);
    assert_int_equal(((int8_t *)data.coo->values.data)[1], 127);
    tsr_data_clear(&data);
    read_as(&data, "c64.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1.5 -2\n",
            TSR_C64);
    assert_true(((float *)data.coo->values.data)[1] == -2);
    tsr_data_clear(&data);
    read_as(&data, "array_f32.mtx", "%%MatrixMarket matrix array integer general\n1 2\n1\n2\n", TSR_F32);
    assert_true(((float *)data.tensor->values.data)[1] == 2);
    tsr_data_clear(&data);
    const char *const path = tsr_test_path(tsr_test_tmp(), "i8.tns");
    tsr_test_spit(path, "1 1 -129\n", 9);
    const tsr_read_options options = {.has_type = true, .type = TSR_I8};
    assert_int_equal(tsr_read(&data, path, NULL, &options, NULL), TSR_RANGE);
}

static bool say_stop(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    assert_string_equal(phase, ctx);
    assert_true(total == 0 || done <= total);
    return false;
}

static void test_reading_can_be_cancelled(void **state)
{
    (void)state;
    const tsr_observer observer = {.ctx = "read", .progress = say_stop};
    const char *const path = tsr_test_path(tsr_test_path(tsr_test_files(), "good"), "t_basic.tns");
    for (int t = 0; t < NTHREADS; t++)
        for (int b = 0; b < NBLOCKS; b++) {
            const int64_t before = tsr_alloc_live();
            const tsr_read_options options = {.nthreads = thread_counts[t], .observer = &observer};
            tsr_data data;
            assert_int_equal(read_in_blocks(&data, path, NULL, options, block_nbytes[b], NULL),
                             TSR_CANCELLED);
            assert_int_equal(tsr_alloc_live(), before);
        }
}

/* --- The real files ------------------------------------------------------------------------------------- */

/* Dims and counts are those of the manifest. */
static void check_manifest(const table_row *r, const tsr_data *data)
{
    const char *const file = r->field[0];
    /* The manifest's own reader takes comments behind entries for columns, and knows no vectors. */
    if (strstr(file, "noweight") || strstr(file, "/vector_") || r->field[4][0] == '\0' ||
        strstr(r->field[8], "min indices"))
        return;
    char dims[200] = "", *p = dims;
    const int order = data->coo ? data->coo->order : data->tensor->order;
    for (int m = 0; m < order; m++)
        p += sprintf(p, "%s%llu", m ? "x" : "",
                     (unsigned long long)(data->coo ? data->coo->dims[m] : data->tensor->dims[m]));
    if (strcmp(dims, r->field[3]) != 0)
        fail_msg("%s: dims are %s, the manifest says %s", file, dims, r->field[3]);
    const uint64_t nnz = data->coo ? data->coo->nnz : data->tensor->npos;
    if (strncmp(r->field[5], "array", 5) != 0 && nnz != strtoull(r->field[4], NULL, 10))
        fail_msg("%s: %llu entries, the manifest says %s", file, (unsigned long long)nnz, r->field[4]);
}

static void read_shared(const table_row *r, void *ctx)
{
    int *const counts = ctx;
    const char *const file = r->field[0];
    if ((strncmp(file, "mtx/", 4) != 0 && strncmp(file, "tns/", 4) != 0) || strstr(file, ".bz2"))
        return;
    tsr_read_options options = {.nthreads = 2};
    tsr_data data;
    tsr_error err = {0};
    if (strstr(r->field[8], "no value column"))
        options.no_values = true;
    if (strstr(r->field[8], "min indices"))
        options.index_base = -1;
    const tsr_status status =
        tsr_read(&data, tsr_test_path(tsr_test_shared(), tsr_test_path("data", file)), NULL, &options, &err);
    counts[status == TSR_OK]++;
    if (status != TSR_OK) {
        /* The manifest says what is wrong with it. */
        if (r->field[8][0] == '\0' && strncmp(r->field[5], "Tensor-Toolbox", 14) != 0 &&
            !strstr(file, "invalid_") && !strstr(file, "overflow_"))
            fail_msg("%s: %s", file, err.message);
        return;
    }
    check_manifest(r, &data);
    tsr_data_clear(&data);
}

static void test_shared_files(void **state)
{
    (void)state;
    if (!tsr_test_shared())
        skip();
    int counts[2] = {0};
    each_row(tsr_test_path(tsr_test_shared(), "data/MANIFEST.tsv"), 11, read_shared, counts);
    print_message("%d real files read, %d refused as the manifest says\n", counts[1], counts[0]);
    assert_true(counts[1] > 250);
    assert_true(counts[0] < 60);
}

/* --- Memory running out -----------------------------------------------------------------------------------
 */

static void test_memory_runs_out(void **state)
{
    (void)state;
    static const char *const files[] = {
        "good/ok_basic.mtx",     "good/symmetric_upper.mtx", "good/array_symmetric.mtx",
        "good/t_ext_frostt.tns", "good/t_mixed_values.tns",  "good/t_bigindex.tns",
        "good/gz_multi.mtx.gz",  "broken/t_ragged.tns",      "broken/index_over.mtx"};
    if (tsr_alloc_live() < 0)
        skip();
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int nthreads = 1; nthreads <= 2; nthreads++) {
            const int64_t before = tsr_alloc_live();
            const bool good = files[f][0] == 'g';
            tsr_status status = TSR_NOMEM;
            for (int64_t n = 0; status == TSR_NOMEM; n = tsr_faults_after(n)) {
                tsr_data data;
                const tsr_read_options options = {.nthreads = nthreads};
                assert_true(n < 1000);
                tsr_alloc_fail_at(n);
                status = tsr_read(&data, tsr_test_path(tsr_test_files(), files[f]), NULL, &options, NULL);
                const int failed = tsr_alloc_failed();
                tsr_alloc_fail_at(-1);
                tsr_data_clear(&data);
                assert_int_equal(tsr_alloc_live(), before);
                if (!failed && good)
                    assert_int_equal(status, TSR_OK);
            }
            assert_true(good ? status == TSR_OK : status != TSR_OK && status != TSR_NOMEM);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_files),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_long_comments_and_lines),
        cmocka_unit_test(test_threads_and_blocks_do_not_matter),
        cmocka_unit_test(test_both_ways_through_a_line_agree),
        cmocka_unit_test(test_types_can_be_chosen),
        cmocka_unit_test(test_reading_can_be_cancelled),
        cmocka_unit_test(test_shared_files),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
