/* The inputs of every public function stay as they are, and results do not change with them.
 * Converting a tensor of borrowed arrays once wrote into the caller's arrays and freed them, for
 * arrays of 64 kB and more, and no test looked at its inputs. Here all inputs (arrays, dims,
 * texts, options) lie in read-only pages in front of a page without access, their bytes are
 * compared after each call, and results are read while the pages of the inputs are taken away.
 *
 * * test_door_inputs [all|some [TEST [KERNEL]]]: all pairs of formats for a few tensors; `all`:
 * for all tensors, and arrays of 10 MB; TEST: this test only, its kernels from number KERNEL on.
 * tests/arch/inputs.sh finds public functions that are missing here. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "guarded_files.h"
#include "guarded_kernels.h"
#include "guarded_tensors.h"

static int first_case;

/* ---- conversions ---- */

/* Convert a borrowed tensor whose arrays are `from`: false if it is refused. */
static bool convert(guards *from, const tessera_tensor *A, const tessera_convert_options *options)
{
    guards in = {0};
    tessera_convert_options given = *options;
    tessera_tensor *B;
    given.format = guard_text(&in, options->format);
    given.transform = guard_text(&in, options->transform);
    const tessera_status status = tessera_convert(&B, A, guard(&in, &given, sizeof given), ctx);
    guard_check(from);
    guard_check(&in);
    if (status == TESSERA_OK) {
        guard_away(&in, true);
        if (B != A) /* tessera.h: else *out is one more owner of the tensor */
            guard_result(from, B);
        guard_away(&in, false);
        tessera_tensor_free(B);
    }
    guard_clear(&in);
    return status == TESSERA_OK;
}

/* From one format to all others. Returns the number of conversions. */
static int convert_to_all(guards *from, const tessera_tensor *A, const shape *s, const char *format)
{
    int done = 0;
    for (int f = 0; f < nformats; f++) {
        const tessera_convert_options options = {
            .size = sizeof options, .format = formats[f], .max_nbytes = max_nbytes(s)};
        const bool plain =
            strcmp(format, "csr") == 0 || strcmp(formats[f], "csr") == 0 || strcmp(formats[f], "csc") == 0;
        if (s->n > 1000000 && !plain)
            continue;
        guard_say("convert %s, %s to %s", s->name, format, formats[f]);
        done += convert(from, A, &options);
    }
    return done;
}

static void test_all_pairs_of_formats(void **state)
{
    (void)state;
    guard_handle_signals();
    static bool packed[MAX_FORMATS];
    int done = 0;
    for (int s = 0; s < LENGTH(shapes); s++) {
        for (int f = 0; f < nformats && (shapes[s].always || all_cases); f++) {
            guards from = {0};
            guard_say("pack %s as %s", shapes[s].name, formats[f]);
            tessera_tensor *const packed_A = make(&shapes[s], formats[f], TESSERA_F64);
            if (!packed_A)
                continue;
            packed[f] = true;
            tessera_tensor *const A = guard_tensor(&from, packed_A);
            tessera_tensor_free(packed_A);
            done += convert_to_all(&from, A, &shapes[s], formats[f]);
            tessera_tensor_free(A);
            guard_clear(&from);
        }
    }
    for (int f = 0; f < nformats; f++)
        if (!packed[f] && all_cases)
            fail_msg("no tensor fits the format %s: add one to `shapes`", formats[f]);
    assert_true(done > 2500);
}

/* ---- other calls that take a tensor ---- */

/* Convert with each of these, from each of the formats below. */
static const tessera_convert_options conversions[] = {
    {.transform = "transpose=1,0"},
    {.transform = "slice=3:200:2,:"},
    {.transform = "slice=:,5"},
    {.transform = "slice=::-1,10:"},
    {.transform = "reverse=1"},
    {.transform = "pad=1:2,0:3:1"},
    {.transform = "pad=-1:-2,0"},
    {.transform = "reshape=-1"},
    {.transform = "unfold=1"},
    {.transform = "reduce=sum:0"},
    {.transform = "reduce=max:1"},
    {.transform = "reduce=sum"},
    {.transform = "map=(i, j) -> (i + j)"},
    {.transform = "slice=:,0:100; transpose=1,0; reduce=sum:0"},
    {.format = "csc", .index_width = TESSERA_INDEX_64},
    {.format = "csr", .index_width = TESSERA_INDEX_SAME},
    {.format = "coo", .index_width = TESSERA_INDEX_NARROW},
    {.index_width = TESSERA_INDEX_64},
    {.has_type = 1, .type = TESSERA_F32},
    {.has_type = 1, .type = TESSERA_I64},
    {.has_type = 1, .type = TESSERA_PATTERN},
    {.has_type = 1, .type = TESSERA_C128, .format = "coo"},
    {.format = "coodup", .duplicates = TESSERA_KEEP},
    {.format = "csr", .duplicates = TESSERA_LAST},
    {0},
};
static const char *const sources[] = {"csr",       "csc",    "coo",        "coo:1,0", "dcsr",   "bcsr(2,4)",
                                      "hicoo(16)", "ell",    "sell(8,32)", "dia",     "bitmap", "hash",
                                      "dense",     "densec", "csb(4)",     "csru",    "alto",   "linear"};
static const tessera_type types[] = {TESSERA_F64, TESSERA_F32,  TESSERA_I8,
                                     TESSERA_I64, TESSERA_C128, TESSERA_PATTERN};

static void test_transformations_and_types(void **state)
{
    (void)state;
    guard_handle_signals();
    int done = 0;
    for (int f = 0; f < LENGTH(sources); f++)
        for (int t = 0; t < LENGTH(types); t++) {
            guards from = {0};
            tessera_tensor *const A =
                make_guarded(&from, &shapes[t % 2 && !all_cases ? 7 : 0], sources[f], types[t]);
            if (!A)
                continue;
            for (int c = 0; c < LENGTH(conversions); c++) {
                tessera_convert_options options = conversions[c];
                options.size = sizeof options;
                guard_say("convert %s of %s: conversion %d, %s", sources[f], tessera_type_text(types[t]), c,
                          options.transform ? options.transform : "no transformation");
                done += convert(&from, A, &options);
            }
            tessera_tensor_free(A);
            guard_clear(&from);
        }
    assert_true(done > 1500);
}

/* One triangle of a symmetric matrix, expanded or not. */
static void test_triangles(void **state)
{
    (void)state;
    guard_handle_signals();
    static const char *const targets[] = {"csr", "csc", "coo", "bcsr(2,4)", "sell(8,32)", NULL};
    for (int f = 0; f < 3; f++) {
        guards lower = {0}, from = {0};
        tessera_tensor *const L = make_guarded(&lower, &shapes[3], targets[f], TESSERA_F64), *A;
        tessera_array arrays[8];
        const int narrays = tessera_tensor_narrays(L);
        for (int i = 0; i < narrays; i++)
            door_ok(tessera_tensor_array(&arrays[i], L, i, ctx));
        const tessera_parts parts = {.size = sizeof parts,
                                     .format = targets[f],
                                     .order = 2,
                                     .dims = shapes[3].dims,
                                     .arrays = guard(&from, arrays, (size_t)narrays * sizeof *arrays),
                                     .narrays = narrays,
                                     .structure = TESSERA_SYMMETRIC_LOWER};
        door_ok(tessera_borrow(&A, guard(&from, &parts, sizeof parts), ctx));
        for (int t = 0; t < LENGTH(targets); t++)
            for (int expand = 0; expand < 2; expand++) {
                const tessera_convert_options options = {
                    .size = sizeof options, .format = targets[t], .expand = expand};
                guard_say("convert a triangle, %s to %s, expand %d", targets[f], targets[t], expand);
                assert_true(convert(&lower, A, &options));
            }
        tessera_tensor_free(A);
        tessera_tensor_free(L);
        guard_clear(&from);
        guard_clear(&lower);
    }
}

/* A picture, facts, entries, a check, names. */
static void test_questions(void **state)
{
    (void)state;
    guard_handle_signals();
    for (int f = 0; f < LENGTH(sources); f++) {
        guards from = {0}, in = {0};
        uint64_t counts[12];
        const int modes[2] = {0, 1};
        const uint32_t grid[2] = {3, 4};
        const shape *const s = &shapes[0];
        tessera_tensor *const A = make_guarded(&from, s, sources[f], TESSERA_F64);
        assert_non_null(A);
        guard_say("facts of %s", sources[f]);
        const uint64_t nnz = tessera_tensor_nnz(A);
        uint64_t *const crd[2] = {malloc(nnz * 8), malloc(nnz * 8)};
        double *const values = malloc(nnz * 8);
        assert_true(crd[0] && crd[1] && values);
        door_ok(tessera_tensor_entries(guard(&in, crd, sizeof crd), values, A, ctx));
        door_ok(tessera_tensor_check(A, ctx));
        door_ok(tessera_tensor_density(counts, A, guard(&in, modes, sizeof modes),
                                       guard(&in, grid, sizeof grid), ctx));
        const uint64_t list[] = {2, 0, 2};
        const tessera_array index = {
            .data = guard(&in, list, sizeof list), .n = LENGTH(list), .type = TESSERA_U64};
        tessera_tensor *B;
        if (tessera_gather(&B, A, 0, guard(&in, &index, sizeof index), ctx) == TESSERA_OK)
            door_ok(tessera_tensor_check(B, ctx));
        tessera_tensor_free(B);
        static uint32_t pos[300], cells[20000];
        double left[512], right[512];
        tessera_pairs pairs = {
            .size = sizeof pairs, .capacity = 512, .pos = pos, .crd = cells, .left = left, .right = right};
        assert_true(nnz <= LENGTH(cells) / 2 && s->dims[0] < LENGTH(pos) && s->dims[1] < LENGTH(pos));
        while (tessera_pairs_next(&pairs, A, A, ctx) == TESSERA_OK && pairs.n > 0)
            for (uint64_t k = 0; k < pairs.n; k++)
                assert_true(left[k] == right[k]);
        const tessera_info_options info = {.size = sizeof info, .fibers = 1, .sizes = 1, .exact = 1};
        char *json;
        door_ok(tessera_tensor_info(&json, A, guard(&in, &info, sizeof info), ctx));
        tessera_text_free(json);
        const tessera_advise_options advise = {.size = sizeof advise,
                                               .kernels = guard_text(&in, "spmv"),
                                               .formats = guard_text(&in, "csr coo csc")};
        char *best;
        door_ok(tessera_advise(&best, &json, A, guard(&in, &advise, sizeof advise), ctx));
        tessera_text_free(best);
        tessera_text_free(json);
        const char *names[187], *const name = guard_text(&in, "a name");
        for (int i = 0; i < LENGTH(names); i++)
            names[i] = name + i % 6;
        door_ok(tessera_tensor_set_labels(A, 1, guard(&in, names, sizeof names), LENGTH(names), ctx));
        guard_check(&in);
        guard_away(&in, true);
        assert_string_equal(tessera_tensor_label(A, 1, 8), "name");
        guard_away(&in, false);
        tessera_threads_release();
        free(crd[0]);
        free(crd[1]);
        free(values);
        guard_check(&from);
        tessera_tensor_free(A);
        guard_clear(&in);
        guard_clear(&from);
    }
}

/* ---- kernels ---- */

static void test_kernels(void **state)
{
    (void)state;
    guard_handle_signals();
    for (int c = first_case; c < LENGTH(kernel_cases); c++) {
        run_case(&kernel_cases[c], TESSERA_ENGINE_INTERPRETER);
        if (c % 8 == 0 || all_cases)
            run_case(&kernel_cases[c], TESSERA_ENGINE_AUTO);
    }
}

/* A product with a vector, from every format. */
static void test_kernels_of_all_formats(void **state)
{
    (void)state;
    guard_handle_signals();
    for (int f = 0; f < nformats; f++) {
        guards from = {0};
        tessera_kernel *kernel;
        tessera_tensor *const A = make_guarded(&from, &shapes[0], formats[f], TESSERA_F64), *y;
        const shape vector = {"a vector", 1, {shapes[0].dims[1]}, shapes[0].dims[1], true, scattered};
        if (!A)
            continue;
        tessera_tensor *const x = make_guarded(&from, &vector, "dense", TESSERA_F64);
        const tessera_tensor *const operands[] = {A, x};
        char *gradient;
        const tessera_kernel_options options = {.size = sizeof options, .engine = TESSERA_ENGINE_INTERPRETER};
        guard_say("y(i) = A(i,j)*x(j) of %s", formats[f]);
        door_ok(tessera_gradient(&gradient, guard_text(&from, "y(i) = A(i,j)*x(j)"), guard_text(&from, "x"),
                                 ctx));
        assert_string_equal(gradient, "dx(j) = !!x(j)*(dy(i)*A(i,j))");
        tessera_text_free(gradient);
        door_ok(tessera_einsum(&kernel, guard_text(&from, "ij,j->i"), guard(&from, &options, sizeof options),
                               ctx));
        door_ok(tessera_kernel_call(&y, kernel, guard(&from, operands, sizeof operands), ctx));
        guard_result(&from, y);
        tessera_tensor_free(y);
        tessera_tensor_free(A);
        tessera_tensor_free(x);
        tessera_kernel_free(kernel);
        guard_clear(&from);
    }
}

/* ---- files ---- */

enum { MAX_CODECS = 32 };
static struct {
    char name[24], suffix[16];
} codecs[MAX_CODECS];
static int ncodecs;

/* The file formats that are written, with their first suffix. */
static void list_codecs(void)
{
    char *json;
    door_ok(tessera_list(&json, "codecs", ctx));
    for (char *at = strtok(json, "\n"); at; at = strtok(NULL, "\n")) {
        const char *const name = strstr(at, "\"name\": \""), *const suffix = strstr(at, "\"suffixes\": [\"");
        if (!name || !suffix || !strstr(at, "\"writes\": true"))
            continue;
        assert_true(ncodecs < MAX_CODECS);
        assert_int_equal(sscanf(name, "\"name\": \"%23[^\"]", codecs[ncodecs].name), 1);
        assert_int_equal(sscanf(suffix, "\"suffixes\": [\"%15[^\"]", codecs[ncodecs++].suffix), 1);
    }
    tessera_text_free(json);
    assert_true(ncodecs >= 12);
}

static uint64_t file_sum(const char *path)
{
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    uint64_t sum = 0;
    unsigned char bytes[8192];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        sum = sum * 31 + guard_sum(bytes, n);
    fclose(f);
    return sum;
}

static int count_bytes(void *user, const void *bytes, size_t n)
{
    *(uint64_t *)user += n + guard_sum(bytes, n) % 2;
    return 0;
}

/* Read the bytes of a file from memory, and write the tensor through a function. */
static void through_memory(const char *path, const tessera_tensor *A)
{
    guards in = {0};
    tessera_tensor *B;
    struct stat st;
    uint64_t n = 0;
    assert_int_equal(stat(path, &st), 0);
    unsigned char *const bytes = malloc((size_t)st.st_size);
    FILE *const f = fopen(path, "rb");
    assert_true(f && fread(bytes, 1, (size_t)st.st_size, f) == (size_t)st.st_size);
    fclose(f);
    const tessera_source source = {.size = sizeof source,
                                   .data = guard(&in, bytes, (size_t)st.st_size),
                                   .nbytes = (uint64_t)st.st_size,
                                   .name = guard_text(&in, path)};
    const tessera_sink sink = {
        .size = sizeof sink, .write = count_bytes, .user = &n, .name = guard_text(&in, path)};
    free(bytes);
    char *json;
    door_ok(tessera_info_source(&json, guard(&in, &source, sizeof source), NULL, ctx));
    tessera_text_free(json);
    door_ok(tessera_read_source(&B, guard(&in, &source, sizeof source), NULL, ctx));
    door_ok(tessera_write_sink(guard(&in, &sink, sizeof sink), A, NULL, ctx));
    assert_true(n > 0);
    guard_check(&in);
    const uint64_t sum = guard_tensor_sum(B);
    guard_away(&in, true);
    assert_true(guard_tensor_sum(B) == sum);
    guard_away(&in, false);
    tessera_tensor_free(B);
    guard_clear(&in);
}

/* Read a file in three ways: it stays as it is, and what was read stays when the file goes away. */
static void read_back(const char *path, const char *suffix)
{
    guards in = {0};
    tessera_tensor *A, *copy;
    char *json;
    const char *const given = guard_text(&in, path);
    char other[4200];
    snprintf(other, sizeof other, "%s", scratch("again"));
    strncat(other, suffix, sizeof other - strlen(other) - 1);
    const uint64_t sum = file_sum(path);
    const tessera_read_options options = {.size = sizeof options, .format = guard_text(&in, "csr")};
    const tessera_write_options write = {.size = sizeof write};
    const tessera_info_options info = {.size = sizeof info, .fibers = 1};
    door_ok(tessera_read(&A, given, guard(&in, &options, sizeof options), ctx));
    door_ok(tessera_read(&copy, given, NULL, ctx));
    door_ok(tessera_info(&json, given, guard(&in, &info, sizeof info), ctx));
    tessera_text_free(json);
    through_memory(path, copy);
    if (tessera_tensor_order(A) <= 3)
        sum_file(&in, given, tessera_tensor_order(A));
    by_ranks(path);
    door_ok(tessera_convert_file(guard_text(&in, other), given, guard(&in, &options, sizeof options),
                                 guard(&in, &write, sizeof write), ctx));
    assert_true(file_sum(path) == sum);
    const uint64_t sums[] = {guard_tensor_sum(A), guard_tensor_sum(copy)};
    guard_check(&in);
    guard_away(&in, true);
    assert_int_equal(truncate(path, 0), 0);
    assert_true(guard_tensor_sum(A) == sums[0] && guard_tensor_sum(copy) == sums[1]);
    guard_away(&in, false);
    tessera_tensor_free(A);
    tessera_tensor_free(copy);
    guard_clear(&in);
}

/* Write a tensor to every kind of file. */
static void write_to_all(bool *written, guards *from, const tessera_tensor *A, const char *format)
{
    for (int c = 0; c < ncodecs; c++) {
        guards in = {0};
        char path[4200];
        snprintf(path, sizeof path, "%s", scratch("written"));
        strcat(path, codecs[c].suffix);
        const tessera_write_options options = {.size = sizeof options,
                                               .codec = guard_text(&in, codecs[c].name)};
        guard_say("write %s to %s", format, codecs[c].name);
        const tessera_status status =
            tessera_write(guard_text(&in, path), A, guard(&in, &options, sizeof options), ctx);
        guard_check(from);
        guard_clear(&in);
        if (status != TESSERA_OK)
            continue;
        guard_say("read %s, written as %s", codecs[c].name, format);
        struct stat kind;
        assert_int_equal(stat(path, &kind), 0);
        if (!written[c] && S_ISREG(kind.st_mode)) /* a folder has no bytes of its own */
            read_back(path, codecs[c].suffix);
        written[c] = true;
    }
}

static void test_files(void **state)
{
    (void)state;
    guard_handle_signals();
    bool written[MAX_CODECS] = {false};
    for (int f = 0; f < nformats; f++) {
        bool usual = all_cases;
        for (int k = 0; k < LENGTH(sources); k++)
            usual = usual || strcmp(sources[k], formats[f]) == 0;
        guards from = {0};
        tessera_tensor *const A = usual ? make_guarded(&from, &shapes[0], formats[f], TESSERA_F64) : NULL;
        if (!A)
            continue;
        write_to_all(written, &from, A, formats[f]);
        tessera_tensor_free(A);
        guard_clear(&from);
    }
    for (int c = 0; c < ncodecs; c++)
        if (!written[c])
            fail_msg("no tensor was written to %s", codecs[c].name);
}

/* ---- builders ---- */

static void test_builders(void **state)
{
    (void)state;
    guard_handle_signals();
    enum { N = 3000 };
    guards in = {0};
    tessera_builder *b;
    tessera_tensor *A;
    uint32_t rows[N];
    double values[N];
    for (uint32_t i = 0; i < N; i++)
        rows[i] = i * 7 % 100, values[i] = i;
    const uint64_t dims[] = {100, 0}, at[] = {3, 4};
    const tessera_builder_options options = {.size = sizeof options, .temp = guard_text(&in, scratch(""))};
    const tessera_array crd[] = {{.data = guard(&in, rows, sizeof rows), .n = N, .type = TESSERA_U32},
                                 {.data = guard(&in, rows, sizeof rows), .n = N, .type = TESSERA_I32}};
    const tessera_array given = {.data = guard(&in, values, sizeof values), .n = N, .type = TESSERA_F64};
    const tessera_pack_options pack = {.size = sizeof pack, .format = guard_text(&in, "csr")};
    const tessera_write_options write = {.size = sizeof write};
    guard_say("a builder");
    door_ok(tessera_builder_new(&b, 2, guard(&in, dims, sizeof dims), TESSERA_F64,
                                guard(&in, &options, sizeof options), ctx));
    door_ok(tessera_builder_add(b, 1, guard(&in, crd, sizeof crd), guard(&in, &given, sizeof given), ctx));
    door_ok(tessera_builder_add_one(b, 0, guard(&in, at, sizeof at), guard(&in, values, 8), ctx));
    guard_check(&in);
    guard_away(&in, true); /* nothing is kept */
    assert_int_equal(tessera_builder_nentries(b), N + 1);
    assert_true(tessera_builder_nbytes(b) > 0 && tessera_builder_spilled_nbytes(b) == 0);
    guard_away(&in, false);
    door_ok(tessera_builder_finish(&A, b, 1, guard(&in, &pack, sizeof pack), ctx));
    door_ok(tessera_builder_finish_file(guard_text(&in, scratch("built.mtx")), b, 1,
                                        guard(&in, &pack, sizeof pack), guard(&in, &write, sizeof write),
                                        ctx));
    guard_check(&in);
    const uint64_t sum = guard_tensor_sum(A);
    tessera_builder_clear(b);
    tessera_builder_free(b);
    guard_away(&in, true);
    assert_true(guard_tensor_sum(A) == sum);
    guard_away(&in, false);
    tessera_tensor_free(A);
    guard_clear(&in);
}

/* ---- dense arrays, formats, layouts ---- */

static void test_dense_arrays(void **state)
{
    (void)state;
    guard_handle_signals();
    enum { ROWS = 131, COLUMNS = 187 };
    static double data[ROWS * COLUMNS];
    static const int64_t strides[][2] = {{COLUMNS, 1}, {1, ROWS}};
    const uint64_t dims[] = {ROWS, COLUMNS};
    for (int i = 0; i < ROWS * COLUMNS; i++)
        data[i] = i % 3 == 0 ? i : 0;
    for (int k = 0; k < 3; k++) {
        guards from = {0};
        tessera_tensor *A;
        const tessera_dense_parts parts = {.size = sizeof parts,
                                           .order = 2,
                                           .dims = guard(&from, dims, sizeof dims),
                                           .strides =
                                               k < 2 ? guard(&from, strides[k], sizeof strides[k]) : NULL,
                                           .type = TESSERA_F64,
                                           .data = guard(&from, data, sizeof data)};
        guard_say("borrow a dense array, strides %d", k);
        door_ok(tessera_borrow_dense(&A, guard(&from, &parts, sizeof parts), ctx));
        assert_true(convert_to_all(&from, A, &shapes[0], k == 1 ? "densec" : "dense") > 40);
        tessera_tensor_free(A);
        guard_clear(&from);
    }
}

static void test_descriptions(void **state)
{
    (void)state;
    guard_handle_signals();
    guards in = {0};
    const uint64_t dims[] = {8, 12};
    const int64_t signed_dims[] = {8, 12}, coord[] = {3, 4};
    int64_t offset, back[2];
    int padding, same;
    char *text;
    tessera_format *format, *other;
    tessera_layout *a, *b, *c, *o;
    tessera_tensor *empty;
    guard_say("formats and layouts");
    const uint64_t *const d = guard(&in, dims, sizeof dims);
    door_ok(tessera_format_parse(&format, guard_text(&in, "bcsr(2,3)"), 2, d, ctx));
    door_ok(tessera_format_parse(&other, guard_text(&in, "csr"), 2, d, ctx));
    door_ok(tessera_empty(&empty, guard_text(&in, "csr"), 2, d, TESSERA_F64, ctx));
    door_ok(tessera_layout_parse(&a, guard_text(&in, "(8,12):(12,1)"), 0, NULL, ctx));
    door_ok(tessera_layout_parse(&b, guard_text(&in, "{1,0:T(2,4)}"), 2,
                                 guard(&in, signed_dims, sizeof signed_dims), ctx));
    guard_away(&in, true);
    assert_int_equal(tessera_format_equal(format, other), 0);
    assert_int_equal(tessera_layout_dims(b)[1], 12);
    guard_away(&in, false);
    door_ok(tessera_format_print(&text, format, guard_text(&in, "long"), d, ctx));
    tessera_text_free(text);
    const int64_t *const at = guard(&in, coord, sizeof coord);
    door_ok(tessera_layout_offset(&offset, b, at, ctx));
    door_ok(tessera_layout_coord(back, &padding, b, offset, ctx));
    assert_memory_equal(back, coord, sizeof coord);
    door_ok(tessera_layout_print(&text, a, guard_text(&in, "cute"), ctx));
    tessera_text_free(text);
    door_ok(tessera_layout_equal(&same, a, b, ctx));
    door_ok(tessera_layout_parse(&o, guard_text(&in, "96:1"), 0, NULL, ctx));
    door_ok(tessera_layout_compose(&c, o, a, ctx));
    tessera_layout_free(o);
    tessera_layout_free(a);
    assert_int_equal(tessera_layout_rank(c), 2);
    tessera_layout_free(b);
    tessera_layout_free(c);
    tessera_format_free(format);
    tessera_format_free(other);
    tessera_tensor_free(empty);
    guard_clear(&in);
}

static int set_up_formats(void **state)
{
    const int failed = set_up(state);
    if (!failed) {
        list_formats();
        list_codecs();
    }
    return failed;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs_of_formats),
        cmocka_unit_test(test_transformations_and_types),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_kernels_of_all_formats),
        cmocka_unit_test(test_builders),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_dense_arrays),
        cmocka_unit_test(test_descriptions),
    };
    all_cases = argc > 1 && strcmp(argv[1], "all") == 0;
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (argc > 3)
        first_case = atoi(argv[3]);
    return cmocka_run_group_tests(tests, set_up_formats, tear_down);
}
