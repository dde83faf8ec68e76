/* Reading a file takes at most 1.2 times the memory of the arrays of the file, or of the result where that is larger, and buffers whose
 * size does not depend on the file: whether the file is compressed, and whether the numbers have to be converted. Blocks of 64 kB or
 * more count, in the library itself (not in HDF5). MATLAB 5 took 2.05 times, svmlight 2.1, Octave's text 1.8, diagonals 2.2, SMTX 9,
 * a conversion of the values 1.3. The readers of .tns, .mtx, .csv and .edges are left out: their buffers (13 MB) are larger than the
 * arrays here. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_codec.h"
#include "tsr_write.h"
#include "zip_io.h"
#include "tsr_system.h"

enum { SIZE = 600, EACH = 300, MOST_PERCENT = 120 };
/* Buffers: a block of text, and the piece before it; for each thread a chunk of HDF5 (131,072 numbers), compressed
 * and not. */
enum { TEXT = 2800 << 10, BLOCK = 1100 << 10, CHUNKS = 1100 << 10 };

/* Columns 1, 3, 5... of each row. */
static tsr_coo *make_matrix(tsr_type type)
{
    tsr_coo *coo = NULL;
    const uint64_t dims[] = {SIZE, SIZE};
    assert_ok(
        tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, type, type == TSR_PATTERN, (uint64_t)SIZE * EACH, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const double value = (double)(e % 1000 + 1);
        tsr_array_set(&coo->crd[0], e, e / EACH);
        tsr_array_set(&coo->crd[1], e, 2 * (e % EACH) + 1);
        if (e == 0 || !coo->iso)
            assert_ok(tsr_values_convert((char *)coo->values.data + e * coo->values.width, type, &value,
                                         TSR_F64, 1, err));
    }
    return coo;
}

/* Read the file, and compare the memory at the peak with that of the result, or of the arrays in the file. */
static void read_file(const char *path, const tsr_codec *codec, uint64_t spare, uint64_t file_nbytes,
                      const tsr_read_options *how)
{
    tsr_data data = {0};
    const tsr_read_options options = *how;
    const int nthreads = how->nthreads;
    (void)tsr_alloc_peak();
    const uint64_t before = tsr_alloc_peak();
    assert_ok(tsr_read(&data, path, codec, &options, err));
    const uint64_t peak = tsr_alloc_peak() - before, result = tsr_alloc_peak() - before;
    const uint64_t held = result > file_nbytes ? result : file_nbytes;
    assert_true(result > 0);

    if (100 * peak > MOST_PERCENT * held + 100 * spare)
        fail_msg("%s, %d threads: reading takes %.2f times the arrays: %llu of %llu bytes, and buffers of "
                 "%llu bytes",
                 path, nthreads, (double)peak / (double)held, (unsigned long long)peak,
                 (unsigned long long)held, (unsigned long long)spare);
    tsr_data_clear(&data);
}

/* With 1 and with 2 threads. */
static void read_both(const char *path, const tsr_codec *codec, uint64_t spare, uint64_t file_nbytes,
                      const tsr_read_options *how)
{
    tsr_read_options options = *how;
    for (options.nthreads = 1; options.nthreads <= 2; options.nthreads++)
        read_file(path, codec, options.nthreads == 2 && spare == CHUNKS ? 2 * CHUNKS : spare, file_nbytes,
                  &options);
}

/* Files that Tessera writes. */
typedef struct row {
    const char *name, *codec, *format; /* format NULL: as the codec likes it */
    tsr_type type;
    tsr_write_options how;
    uint64_t spare; /* bytes of buffers */
} row;

static const row rows[] = {
    {"csr.npz", "npz", "csr", TSR_F64, {0}, 0},
    {"deflated.npz", "npz", "csr", TSR_F64, {.deflate = 1}, 0},
    {"coo.npz", "npz", "coo", TSR_F32, {0}, 0},
    {"dense.npy", "npy", "dd", TSR_F64, {0}, 0},
    {"a.h5ad", "h5ad", "csr", TSR_F32, {0}, 0},
    {"deflated.h5ad", "h5ad", "csr", TSR_F32, {.deflate = 1}, CHUNKS},
    {"csc.10x.h5", "10x", "csc", TSR_I32, {.deflate = 1}, CHUNKS},
    {"five.mat", "mat", "csc", TSR_F64, {.version = 50}, 0},
    {"seven.mat", "mat", "csc", TSR_F64, {.version = 70}, 0},
    {"complex.mat", "mat", "csc", TSR_C128, {.version = 70}, 0},
    {"dense.mat", "mat", "dd:1,0", TSR_F64, {.version = 70}, 0},
    {"hdf5.mat", "mat", "csc", TSR_F64, {.version = 73, .deflate = 1}, CHUNKS},
    {"a.petsc", "petsc", "csr", TSR_F64, {0}, 0},
    {"a.bin", "splatt", NULL, TSR_F64, {0}, 0},
    {"a.rb", "rb", "csc", TSR_F64, {0}, TEXT},
    {"pattern.rb", "rb", "csc", TSR_PATTERN, {0}, TEXT},
    {"a.h5", "binsparse", "csr", TSR_F64, {0}, 0},
};

/* The same, with the values converted while they are read. */
static const struct {
    row from;
    tsr_type to;
} conversions[] = {
    {{"wider.npz", "npz", "csr", TSR_F32, {0}, 0}, TSR_F64},
    {{"narrower.npz", "npz", "csr", TSR_F64, {0}, 0}, TSR_F32},
    {{"other.npz", "npz", "coo", TSR_I64, {.deflate = 1}, 0}, TSR_F64},
    {{"complex.npz", "npz", "csr", TSR_F64, {0}, 0}, TSR_C128},
    {{"wider.h5ad", "h5ad", "csr", TSR_F32, {0}, 0}, TSR_F64},
    {{"narrower.mat", "mat", "csc", TSR_F64, {.version = 70}, 0}, TSR_I16},
    {{"wider.petsc", "petsc", "csr", TSR_F64, {0}, 0}, TSR_C128},
    {{"other.bin", "splatt", NULL, TSR_F64, {0}, 0}, TSR_I64},
    {{"wider.rb", "rb", "csc", TSR_F64, {0}, TEXT}, TSR_C128},
    {{"wider.h5", "binsparse", "csr", TSR_F32, {0}, 0}, TSR_F64},
    {{"narrower.h5", "binsparse", "csf", TSR_I64, {0}, 0}, TSR_F32},
};

static void write_and_read(const row *r, const tsr_read_options *how)
{
    const char *const path = tsr_test_path(tsr_test_tmp(), r->name);
    const tsr_codec *codec = NULL;
    tsr_data data = {.coo = make_matrix(r->type)};
    tsr_format *format = NULL;
    assert_ok(tsr_codec_by_name(&codec, r->codec, err));
    if (r->format) {
        assert_ok(tsr_format_parse(&format, r->format, 2, data.coo->dims, err));
        assert_ok(tsr_data_pack(&data, format, NULL, NULL, err));
        tsr_format_free(format);
    }
    const uint64_t nbytes = data.tensor ? tsr_tensor_nbytes(data.tensor) : tsr_coo_nbytes(data.coo);
    assert_ok(tsr_write(path, &data, codec, &r->how, NULL, err));
    tsr_data_clear(&data);
    read_both(path, codec, r->spare, how->has_type ? nbytes : 0, how);
}

static void test_written(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the sizes of blocks are unknown */
        skip();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        write_and_read(&rows[i], &(tsr_read_options){0});
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        write_and_read(&conversions[i].from,
                       &(tsr_read_options){.has_type = true, .type = conversions[i].to});
}

/* ---- files of other programs ---- */

typedef struct text {
    char *s;
    size_t n, room;
} text;

static void add(text *t, const void *bytes, size_t n)
{
    if (t->room < t->n + n) { /* sanitizers copy in every call of realloc */
        t->room = 2 * (t->n + n);
        t->s = realloc(t->s, t->room);
        assert_non_null(t->s);
    }
    memcpy(t->s + t->n, bytes, n);
    t->n += n;
}

static void make_svmlight(text *t)
{
    char field[32];
    for (int i = 0; i < SIZE; i++) {
        add(t, "1", 1);
        for (int k = 0; k < EACH; k++)
            add(t, field, (size_t)sprintf(field, " %d:%d.5", 2 * k + 1, k));
        add(t, "\n", 1);
    }
}

static void make_octave(text *t)
{
    char line[128];
    add(t, line,
        (size_t)sprintf(line, "# Created by Octave 7\n# name: A\n# type: sparse matrix\n# nnz: %d\n",
                        SIZE * EACH));
    add(t, line, (size_t)sprintf(line, "# rows: %d\n# columns: %d\n", SIZE, SIZE));
    for (int e = 0; e < SIZE * EACH; e++)
        add(t, line, (size_t)sprintf(line, "%d %d 1.5\n", 2 * (e % EACH) + 2, e / EACH + 1));
}

/* MATLAB 4: a header, the name, columns i, j, value, the last row with the dims. */
static void make_mat4(text *t)
{
    enum { N = SIZE * EACH };
    const uint32_t head[] = {2, N + 1, 3, 0, 2};
    static double column[N + 1];
    add(t, head, sizeof head);
    add(t, "A", 2);
    for (int k = 0; k < 3; k++) {
        for (int e = 0; e < N; e++)
            column[e] = k == 0 ? 2 * (e % EACH) + 1 : k == 1 ? e / EACH + 1 : 1.5;
        column[N] = k < 2 ? SIZE : 0;
        add(t, column, sizeof column);
    }
}

/* SMTX: two lines, the second as long as the file. */
static void make_smtx(text *t)
{
    enum { COLUMNS = 2000000000 };
    char number[64];
    add(t, number, (size_t)sprintf(number, "%d, %d, %d\n0", SIZE, COLUMNS, SIZE * EACH));
    for (int i = 1; i <= SIZE; i++)
        add(t, number, (size_t)sprintf(number, " %d", i * EACH));
    for (int e = 0; e < SIZE * EACH; e++)
        add(t, number, (size_t)sprintf(number, e ? " %d" : "\n%d", 1000000000 + e % EACH));
    add(t, "\n", 1);
}

static const struct {
    const char *name, *codec;
    void (*make)(text *t);
    uint64_t spare;
} others[] = {
    {"a.svm", "svmlight", make_svmlight, TEXT},
    {"a.octave", "octave", make_octave, TEXT},
    {"a.smtx", "smtx", make_smtx, BLOCK},
    {"four.mat", "mat", make_mat4, 0},
};

static void test_others(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the sizes of blocks are unknown */
        skip();
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *const path = tsr_test_path(tsr_test_tmp(), others[i].name);
        const tsr_codec *codec = NULL;
        text t = {0};
        assert_ok(tsr_codec_by_name(&codec, others[i].codec, err));
        others[i].make(&t);
        tsr_test_spit(path, t.s, t.n);
        free(t.s);
        read_both(path, codec, others[i].spare, 0, &(tsr_read_options){0});
    }
}

/* ---- archives of SciPy and pydata/sparse that Tessera does not write ---- */

enum { N = SIZE * EACH };

/* An array of an archive: element e is (e * step / pace) % dim, or the value 1.5 where dim is 0. */
typedef struct member {
    const char *name, *descr; /* "<i4", "<i8", "<f8"; text: the characters */
    int order;
    uint64_t shape[3];
    bool fortran;
    uint64_t step, pace, dim;
} member;

static const struct archive {
    const char *name, *format; /* format NULL: of pydata/sparse */
    uint64_t dims[3];
    member members[5];
} archives[] = {
    {"dia.npz",
     "dia",
     {SIZE, SIZE, 0},
     {{"data", "<f8", 2, {EACH, SIZE}, false, 0, 1, 0}, {"offsets", "<i4", 1, {EACH}, false, 1, 1, EACH}}},
    {"bsr.npz",
     "bsr",
     {SIZE, SIZE, 0},
     {{"data", "<f8", 3, {N / 4, 2, 2}, false, 0, 1, 0},
      {"indices", "<i4", 1, {N / 4}, false, 149, 1, EACH / 2},
      {"indptr", "<i4", 1, {SIZE / 2 + 1}, false, EACH / 2, 1, N / 4 + 1}}},
    {"blocks.npz", /* by columns */
     "bsr",
     {SIZE, SIZE, 0},
     {{"data", "<f8", 3, {N / 4, 2, 2}, true, 0, 1, 0},
      {"indices", "<i4", 1, {N / 4}, false, 1, 1, EACH / 2},
      {"indptr", "<i4", 1, {SIZE / 2 + 1}, false, EACH / 2, 1, N / 4 + 1}}},
    {"unsorted.npz",
     "csr",
     {SIZE, SIZE, 0},
     {{"data", "<f8", 1, {N}, false, 0, 1, 0},
      {"indices", "<i8", 1, {N}, false, EACH - 1, 1, EACH},
      {"indptr", "<i8", 1, {SIZE + 1}, false, EACH, 1, N + 1}}},
    {"columns.npz",
     NULL,
     {SIZE, SIZE, SIZE},
     {{"data", "<f8", 1, {N}, false, 0, 1, 0}, {"coords", "<i8", 2, {3, N}, true, 1, 3, SIZE}}},
    {"gcxs.npz",
     NULL,
     {SIZE, 20, 30},
     {{"data", "<f8", 1, {N}, false, 0, 1, 0},
      {"indices", "<i8", 1, {N}, false, 1, 1, EACH},
      {"indptr", "<i8", 1, {SIZE + 1}, false, EACH, 1, N + 1},
      {"compressed_axes", "<i8", 1, {1}, false, 0, 1, 1}}},
};

static uint64_t add_array(tsr_zip_writer *zip, const member *m)
{
    char name[32];
    tsr_text head = {0};
    uint64_t n = 1;
    const size_t width = (size_t)(m->descr[2] - '0');
    for (int i = 0; i < m->order; i++)
        n *= m->shape[i];
    tsr_array array;
    assert_ok(tsr_array_init(&array, n, width, 0, "an array", err));
    for (uint64_t e = 0; e < n; e++)
        if (m->dim)
            tsr_array_set(&array, e, e / m->pace * m->step % m->dim);
        else
            ((double *)array.data)[e] = 1.5;
    tsr_npy_add_header(&head, m->descr, m->fortran, m->order, m->shape);
    snprintf(name, sizeof name, "%s.npy", m->name);
    const tsr_zip_piece pieces[] = {{.data = head.s, .nbytes = head.nbytes},
                                    {.data = array.data, .nbytes = n * width}};
    assert_ok(tsr_zip_writer_add(zip, name, pieces, 2, err));
    tsr_text_clear(&head);
    tsr_array_clear(&array);
    return n * width;
}

static void test_archives(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* the sizes of blocks are unknown */
        skip();
    (void)state;
    const tsr_codec *codec = NULL;
    assert_ok(tsr_codec_by_name(&codec, "npz", err));
    for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
        const struct archive *const a = &archives[i];
        const char *const path = tsr_test_path(tsr_test_tmp(), a->name);
        static const tsr_write_options plain;
        tsr_zip_writer *zip = NULL;
        tsr_text head = {0};
        uint64_t nbytes = 0, order = a->dims[2] ? 3 : 2;
        assert_ok(tsr_zip_writer_new(&zip, path, &plain, err));
        tsr_npy_add_header(&head, "<i8", false, 1, &order);
        const tsr_zip_piece shape[] = {{.data = head.s, .nbytes = head.nbytes},
                                       {.data = a->dims, .nbytes = order * 8}};
        assert_ok(tsr_zip_writer_add(zip, "shape.npy", shape, 2, err));
        tsr_text_clear(&head);
        if (a->format) {
            tsr_npy_add_header(&head, "|S3", false, 0, NULL);
            const tsr_zip_piece format[] = {{.data = head.s, .nbytes = head.nbytes},
                                            {.data = a->format, .nbytes = 3}};
            assert_ok(tsr_zip_writer_add(zip, "format.npy", format, 2, err));
            tsr_text_clear(&head);
        }
        for (int m = 0; m < 5 && a->members[m].name; m++)
            nbytes += add_array(zip, &a->members[m]);
        assert_ok(tsr_zip_writer_commit(zip, NULL, err));
        read_both(path, codec, 0, nbytes, &(tsr_read_options){0});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_archives),
    };
    if (tsr_alloc_live() < 0) { /* not built with TSR_FAULTS: nothing is counted */
        printf("skipped: the library does not count its memory\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
