/* tsr_write: whatever the data are, the file holds them, in a form that its codec writes. */
#include "tsr_test.h"

#include "tsr_write.h"

static tsr_coo *matrix(uint64_t rows, uint64_t columns)
{
    tsr_coo *coo;
    const uint64_t dims[2] = {rows, columns};
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 3, err));
    for (uint64_t e = 0; e < 3; e++) {
        tsr_array_set(&coo->crd[0], e, (2 * e) % rows);
        tsr_array_set(&coo->crd[1], e, e % columns);
        ((double *)coo->values.data)[e] = 1.5 + (double)e;
    }
    return coo;
}

static tsr_data make(const char *format_text)
{
    tsr_data data = {.coo = matrix(4, 6)};
    tsr_format *format;
    if (!format_text)
        return data;
    assert_ok(tsr_format_parse(&format, format_text, 2, data.coo->dims, err));
    assert_ok(tsr_pack(&data.tensor, data.coo, format, NULL, NULL, err));
    data.coo = NULL;
    tsr_format_free(format);
    return data;
}

static void test_every_form_to_every_codec(void **state)
{
    (void)state;
    static const char *const formats[] = {NULL, "csr", "csc", "dd", "coo", "bcsr(2,3)", "dcsc"};
    static const struct {
        const char *name;
        bool exact; /* the file keeps dims */
    } files[] = {{"a.mtx", true},   {"a.tns", false},   {"a.h5", true},   {"a.npz", true},
                 {"a.npy", true},   {"a.h5ad", true},   {"a.csv", false}, {"a.10x.h5", true},
                 {"a.petsc", true}, {"a.mtx.gz", true}, {"a.svm", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            const char *const path = tsr_test_path(tsr_test_tmp(), files[i].name);
            tsr_data data = make(formats[f]), back;
            tsr_written done;
            bool same = false;
            (void)remove(path);
            assert_ok(tsr_write(path, &data, NULL, NULL, &done, err));
            assert_true(done.nbytes > 0 && (data.coo || data.tensor));
            assert_ok(tsr_read(&back, path, NULL,
                               &(const tsr_read_options){.index_base = strstr(path, "csv") ? -1 : 0}, err));
            tsr_coo *const want = matrix(4, 6);
            tsr_coo *got = back.coo;
            if (back.tensor)
                assert_ok(tsr_unpack(&got, back.tensor, 1, err));
            if (!files[i].exact) { /* the largest indices determine the dims; svmlight has all rows */
                want->dims[0] = strstr(path, "svm") ? 4 : 3;
                want->dims[1] = 3;
            }
            assert_ok(tsr_coo_same(&same, want, got, err));
            if (!same)
                print_error("%s as %s\n", files[i].name, formats[f] ? formats[f] : "coordinates");
            assert_true(same);
            if (back.tensor)
                tsr_coo_free(got);
            tsr_coo_free(want);
            tsr_data_clear(&back);
            tsr_data_clear(&data);
        }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *path, *codec;
        tsr_write_options options;
        tsr_status status;
        const char *words;
    } rows[] = {
        {"a.xyz", NULL, {0}, TSR_ARGUMENT, "unknown suffix"},
        {"a.smtx", NULL, {0}, TSR_UNSUPPORTED, "can be read, not written"},
        {"a.h5.gz", NULL, {0}, TSR_ARGUMENT, "are not gzipped as a whole"},
        {"a.mtx", NULL, {.deflate = 3}, TSR_ARGUMENT, "would make a gzip file"},
        {"a.mtx", NULL, {.header = TSR_HEADER_PARTI}, TSR_ARGUMENT, "--header is for tns files"},
        {"-", "binsparse", {0}, TSR_ARGUMENT, "cannot be written to standard output"},
        {"missing/a.mtx", NULL, {0}, TSR_IO, "missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tsr_codec *codec = NULL;
        tsr_data data = make(NULL);
        tsr_error fault = {0};
        char text[1200];
        if (rows[i].codec)
            assert_ok(tsr_codec_by_name(&codec, rows[i].codec, err));
        const char *const path = rows[i].path[0] == '-' ? "-" : tsr_test_path(tsr_test_tmp(), rows[i].path);
        assert_int_equal(tsr_write(path, &data, codec, &rows[i].options, NULL, &fault), rows[i].status);
        assert_non_null(strstr(tsr_error_text(text, sizeof text, &fault), rows[i].words));
        tsr_data_clear(&data);
    }
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    static const char *const names[] = {"starved.npz",   "starved.npy", "starved.csv", "starved.svm",
                                        "starved.petsc", "starved.bin", "starved.rb",  "starved.mat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const path = tsr_test_path(tsr_test_tmp(), names[i]);
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_data data = make(NULL);
            tsr_faults_arm(&faults);
            const tsr_status status =
                tsr_write(path, &data, NULL, &(const tsr_write_options){.nthreads = 1}, NULL, NULL);
            tsr_faults_end(&faults, status);
            tsr_data_clear(&data);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_to_every_codec),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
