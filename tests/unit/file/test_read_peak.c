/* Reading a file takes at most 1.2 times the memory of the arrays that are read, and buffers whose size does not depend on the file:
 * whether the file is compressed, and whether the numbers have to be converted. Blocks of 64 kB or more count, in the library
 * itself (not in HDF5). MATLAB 5 took 2.05 times, svmlight 2.1, Octave's text 1.8. The readers of .tns, .mtx, .csv and .edges are
 * left out: their buffers (13 MB) are larger than the arrays here. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_codec.h"
#include "tsr_write.h"

enum { SIZE = 600, EACH = 300, MOST_PERCENT = 120 };
/* Buffers: a block of text, and the piece before it; for each thread a chunk of HDF5 (131,072 numbers), compressed
 * and not. */
enum { TEXT = 2800 << 10, CHUNKS = 1100 << 10 };

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

/* Read the file, and compare the memory at the peak with that of the result. */
static void read_file(const char *path, const tsr_codec *codec, uint64_t spare, int nthreads)
{
    tsr_data data = {0};
    const tsr_read_options options = {.nthreads = nthreads};
    (void)tsr_alloc_peak();
    const uint64_t before = tsr_alloc_peak();
    assert_ok(tsr_read(&data, path, codec, &options, err));
    const uint64_t peak = tsr_alloc_peak() - before, held = tsr_alloc_peak() - before;
    assert_true(held > 0);

    if (100 * peak > MOST_PERCENT * held + 100 * spare)
        fail_msg("%s, %d threads: reading takes %.2f times the arrays: %llu of %llu bytes, and buffers of "
                 "%llu bytes",
                 path, nthreads, (double)peak / (double)held, (unsigned long long)peak,
                 (unsigned long long)held, (unsigned long long)spare);
    tsr_data_clear(&data);
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

static void test_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *const r = &rows[i];
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
        assert_ok(tsr_write(path, &data, codec, &r->how, NULL, err));
        tsr_data_clear(&data);
        read_file(path, codec, r->spare, 1);
        read_file(path, codec, r->spare == CHUNKS ? 2 * CHUNKS : r->spare, 2);
    }
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

static const struct {
    const char *name, *codec;
    void (*make)(text *t);
    uint64_t spare;
} others[] = {
    {"a.svm", "svmlight", make_svmlight, TEXT},
    {"a.octave", "octave", make_octave, TEXT},
    {"four.mat", "mat", make_mat4, 0},
};

static void test_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *const path = tsr_test_path(tsr_test_tmp(), others[i].name);
        const tsr_codec *codec = NULL;
        text t = {0};
        assert_ok(tsr_codec_by_name(&codec, others[i].codec, err));
        others[i].make(&t);
        tsr_test_spit(path, t.s, t.n);
        free(t.s);
        read_file(path, codec, others[i].spare, 1);
        read_file(path, codec, others[i].spare, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_others),
    };
    if (tsr_alloc_live() < 0) { /* not built with TSR_FAULTS: nothing is counted */
        printf("skipped: the library does not count its memory\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
