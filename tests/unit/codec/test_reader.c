/* Reading in pieces gives the entries that reading at once gives, for every good file and every codec; a file that is
 * refused at once is refused in pieces. The n-th allocation fails in both. */
#include "tsr_test.h"

#include <dirent.h>

#include "tsr_pack.h"
#include "tsr_reader.h"
#include "tsr_write.h"

/* The codecs of tests/fuzz/corpus/files, by the first byte of a file: see fuzz_files.c. */
static const char *const names[] = {"npz",    "npy", "h5ad",     "10x",  "mat", "octave", "petsc",
                                    "splatt", "csv", "svmlight", "smtx", "rb",  "zarr",   "rds"};
enum { NNAMES = sizeof names / sizeof *names };

/* The entries of all pieces. */
typedef struct joined {
    uint64_t n;
    tsr_text crd[TSR_MAX_ORDER]; /* uint64_t */
    tsr_text values[2];          /* of i64 that come before the first f64; of the last type */
    tsr_type type[2];
    tsr_reader_info info;
} joined;

static void clear(joined *j)
{
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_text_clear(&j->crd[m]);
    tsr_text_clear(&j->values[0]);
    tsr_text_clear(&j->values[1]);
}

static tsr_status add_piece(joined *j, const tsr_piece *piece, int order, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(piece->type);
    if (j->n == 0)
        j->type[0] = piece->type;
    const int k = piece->type != j->type[0];
    j->type[1] = k ? piece->type : j->type[1];
    for (int m = 0; m < order; m++)
        tsr_text_add_n(&j->crd[m], (const char *)piece->crd[m], piece->n * sizeof(uint64_t));
    for (uint64_t e = 0; e < piece->n; e++)
        tsr_text_add_n(&j->values[k], (const char *)piece->values + (piece->iso ? 0 : e * width), width);
    j->n += piece->n;
    return tsr_text_status(&j->values[k], err);
}

static tsr_status read_pieces(joined *j, const char *path, const tsr_codec *codec,
                              const tsr_read_options *options, tsr_error *err)
{
    tsr_reader *reader;
    tsr_piece piece;
    *j = (joined){.n = 0};
    TSR_TRY(tsr_reader_open(&reader, path, codec, options, err));
    tsr_status status;
    while ((status = tsr_reader_next(&piece, reader, err)) == TSR_OK && piece.n > 0)
        TSR_TRY_OUT(add_piece(j, &piece, tsr_reader_about(reader)->order, err));
    for (int m = 0; m < TSR_MAX_ORDER && status == TSR_OK; m++)
        status = tsr_text_status(&j->crd[m], err);
    j->info = *tsr_reader_about(reader);
out:
    tsr_reader_free(reader);
    return status;
}

/* The coordinates of the pieces, with values of the type that the reader reports at the end. */
static tsr_coo *join(const joined *j)
{
    tsr_coo *coo;
    const tsr_reader_info *const info = &j->info;
    assert_true(info->has_dims);
    assert_int_equal(info->nnz, j->n);
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){info->order, info->dims}, info->type, false, j->n, err));
    for (int m = 0; m < info->order; m++)
        tsr_array_store(&coo->crd[m], 0, (const uint64_t *)(const void *)tsr_text_cstr(&j->crd[m]), j->n);
    const size_t width = tsr_type_nbytes(info->type);
    uint64_t at = 0;
    for (int k = 0; k < 2; k++) {
        const uint64_t n = j->values[k].nbytes / tsr_type_nbytes(j->type[k]);
        if (n > 0)
            assert_ok(tsr_values_convert((char *)coo->values.data + at * width, info->type, j->values[k].s,
                                         j->type[k], n, err));
        at += n;
    }
    assert_int_equal(at, j->n);
    coo->structure = info->structure;
    coo->has_fill = info->has_fill;
    memcpy(coo->fill, info->fill, sizeof coo->fill);
    return coo;
}

/* The same values, one for each entry. */
static void spell_out(tsr_coo *coo)
{
    tsr_array all;
    if (!coo->iso)
        return;
    assert_ok(tsr_array_init(&all, coo->nnz, coo->values.width, 0, "values", err));
    for (uint64_t e = 0; e < coo->nnz; e++)
        memcpy((char *)all.data + e * all.width, coo->values.data, all.width);
    tsr_array_clear(&coo->values);
    coo->values = all;
    coo->iso = false;
}

static int nbounded;

static void compare(const char *path, const tsr_codec *codec, const tsr_read_options *options)
{
    tsr_data data;
    joined j;
    tsr_error a = {0}, b = {0};
    const tsr_status status = tsr_read(&data, path, codec, options, &a);
    const tsr_status pieces = read_pieces(&j, path, codec, options, &b);
    if (status != pieces || strcmp(a.message, b.message) != 0)
        print_error("%s: %s / %s\n", path, a.message, b.message);
    assert_int_equal(status, pieces);
    assert_string_equal(a.message, b.message);
    assert_int_equal(a.line, b.line);
    assert_int_equal(a.col, b.col);
    if (status == TSR_OK) {
        bool same = false;
        if (data.tensor)
            assert_ok(tsr_unpack(&data.coo, data.tensor, 1, err));
        tsr_coo *const joint = join(&j);
        spell_out(data.coo);
        assert_ok(tsr_coo_same(&same, data.coo, joint, err));
        if (!same)
            print_error("%s\n", path);
        assert_true(same);
        nbounded += j.info.bounded;
        tsr_coo_free(joint);
    }
    clear(&j);
    tsr_data_clear(&data);
}

/* Call `use` for every file of a folder. */
static int for_each(const char *folder, void (*use)(const char *path))
{
    char copy[4096], path[4400]; /* tsr_test_path uses its buffers again */
    snprintf(copy, sizeof copy, "%s", folder);
    DIR *const d = opendir(copy);
    int n = 0;
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", copy, entry->d_name);
            use(path);
            n++;
        }
    closedir(d);
    return n;
}

static void use_text(const char *path)
{
    for (int nthreads = 1; nthreads <= 3; nthreads += 2)
        compare(path, NULL, &(const tsr_read_options){.nthreads = nthreads});
}

static void test_texts(void **state)
{
    (void)state;
    assert_true(for_each(tsr_test_path(tsr_test_files(), "good"), use_text) > 100);
    assert_true(nbounded > 200);
    assert_true(for_each(tsr_test_path(tsr_test_files(), "broken"), use_text) > 50);
}

/* Several blocks: integers, a real value late, and a fault at the end. */
static void test_many_blocks(void **state)
{
    (void)state;
    enum { N = 300000 };
    const char *const path = tsr_test_path(tsr_test_tmp(), "many.tns");
    for (int kind = 0; kind < 3; kind++) {
        tsr_text text = {0};
        for (int i = 1; i <= N; i++)
            tsr_text_addf(&text, "%d %d %d %d%s\n", i % 1000 + 1, i % 777 + 1, i, i % 99,
                          kind >= 1 && i == N / 2 ? ".5" : "");
        if (kind == 2)
            tsr_text_add(&text, "1 2 x 4\n");
        assert_ok(tsr_text_status(&text, err));
        tsr_test_spit(path, text.s, text.nbytes);
        tsr_text_clear(&text);
        const int before = nbounded;
        for (int nthreads = 1; nthreads <= 3; nthreads++)
            compare(path, NULL, &(const tsr_read_options){.nthreads = nthreads});
        compare(path, NULL, &(const tsr_read_options){.has_type = true, .type = TSR_F32});
        assert_int_equal(nbounded - before, kind == 2 ? 0 : 4);
    }
}

/* A file of the corpus without the first byte, which chooses the codec. */
static const char *corpus_file(const tsr_codec **codec, const char *path)
{
    const char *const copy = tsr_test_path(tsr_test_tmp(), "corpus");
    size_t n;
    char *const bytes = tsr_test_slurp(path, &n);
    assert_true(n > 0);
    assert_ok(tsr_codec_by_name(codec, names[(unsigned char)bytes[0] % NNAMES], err));
    tsr_test_spit(copy, bytes + 1, n - 1);
    free(bytes);
    return copy;
}

static void use_corpus(const char *path)
{
    const tsr_codec *codec;
    const char *const copy = corpus_file(&codec, path);
    compare(copy, codec, &(const tsr_read_options){.nthreads = 2});
}

static const char *corpus(void)
{
    return tsr_test_path(tsr_test_files(), "../fuzz/corpus/files");
}

static void test_codecs_of_other_software(void **state)
{
    (void)state;
    assert_true(for_each(corpus(), use_corpus) > 20);
}

/* Matrices by slices and coordinates, larger than the windows through which arrays are read. */
static tsr_coo *random_matrix(bool sorted)
{
    enum { ROWS = 5000, COLUMNS = 3000, N = 150000 };
    tsr_coo *coo;
    tsr_rng rng = {sorted ? 5u : 6u};
    const uint64_t dims[2] = {ROWS, COLUMNS};
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, N, err));
    for (uint64_t e = 0; e < N; e++) {
        const uint64_t cell = sorted ? e * 97 : tsr_rng_below(&rng, (uint64_t)ROWS * COLUMNS);
        tsr_array_set(&coo->crd[0], e, cell / COLUMNS);
        tsr_array_set(&coo->crd[1], e, cell % COLUMNS);
        ((double *)coo->values.data)[e] = (double)e / 3;
    }
    return coo;
}

static void test_arrays_in_pieces(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool sorted; /* else coordinates in any order, which the codec must be able to write */
        int deflate, version;
    } cases[] = {
        {"a.npz", true, 0, 0},  {"a.npz", true, 3, 0},  {"a.npz", false, 0, 0},   {"a.npz", false, 1, 0},
        {"a.h5ad", true, 0, 0}, {"a.h5ad", true, 2, 0}, {"a.10x.h5", true, 0, 0}, {"a.10x.h5", true, 1, 0},
        {"a.mat", true, 0, 73}, {"a.mat", true, 1, 73},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const path = tsr_test_path(tsr_test_tmp(), cases[c].name);
        tsr_data data = {.coo = random_matrix(cases[c].sorted)};
        tsr_format *format = NULL;
        if (cases[c].sorted) {
            assert_ok(tsr_format_parse(&format, "csr", 2, data.coo->dims, err));
            assert_ok(tsr_pack(&data.tensor, data.coo, format, NULL, NULL, err));
            data.coo = NULL;
            tsr_format_free(format);
        } else {
            assert_ok(tsr_format_coordinates(&format, 2, true, err));
            assert_ok(tsr_pack(&data.tensor, data.coo, format,
                               &(tsr_pack_options){.duplicates = TSR_DUP_KEEP}, NULL, err));
            data.coo = NULL;
            tsr_format_free(format);
        }
        remove(path);
        assert_ok(tsr_write(path, &data, NULL,
                            &(tsr_write_options){.deflate = cases[c].deflate, .version = cases[c].version},
                            NULL, err));
        tsr_data_clear(&data);
        const int before = nbounded;
        compare(path, NULL, &(const tsr_read_options){.nthreads = 1, .labels = true});
        if (nbounded != before + 1)
            fail_msg("%s (%zu) is not read in pieces", path, c);
        remove(path);
    }
}

/* Read at once (kind 0), in pieces (1), at once with repairs and names as numbers (2). */
static tsr_status read_as(int kind, tsr_data *data, joined *j, const char *path, const tsr_codec *codec,
                          tsr_error *err)
{
    const tsr_read_options options = {.nthreads = 1,
                                      .labels = true,
                                      .repair = kind == 2,
                                      .relabel = kind == 2 ? TSR_RELABEL_JOINT : TSR_RELABEL_NONE};
    return kind == 1 ? read_pieces(j, path, codec, &options, err)
                     : tsr_read(data, path, codec, &options, err);
}

static void starve(const char *path)
{
    const tsr_codec *codec;
    const char *const copy = corpus_file(&codec, path);
    const int64_t before = tsr_alloc_live();
    for (int kind = 0; kind < 3; kind++) {
        int failed = 1;
        for (int64_t n = 0; failed; n = tsr_faults_after(n)) {
            tsr_data data = {0};
            joined j = {.n = 0};
            tsr_error err = {0};
            assert_true(n < 2000);
            tsr_alloc_fail_at(n);
            const tsr_status status = read_as(kind, &data, &j, copy, codec, &err);
            failed = tsr_alloc_failed();
            tsr_alloc_fail_at(-1);
            if (status != TSR_OK && err.message[0] == '\0')
                print_error("%s: allocation %d fails without a message, kind %d\n", path, (int)n, kind);
            assert_true(status == TSR_OK || err.message[0] != '\0');
            clear(&j);
            tsr_data_clear(&data);
            if (tsr_alloc_live() != before)
                print_error("%s: allocation %d is lost, kind %d\n", path, (int)n, kind);
            assert_int_equal(tsr_alloc_live(), before);
        }
    }
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    assert_true(for_each(corpus(), starve) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_codecs_of_other_software),
        cmocka_unit_test(test_arrays_in_pieces),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
