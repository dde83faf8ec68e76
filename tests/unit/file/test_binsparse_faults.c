/* Binsparse when memory, the disk or the user's patience ends: one error, the old file untouched, nothing
 * left. */
#include "bsp_support.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_alloc.h"

/* A CSR matrix of 1000 x 5000 with 3 entries a row. */
static tsr_tensor *sample(void)
{
    const uint64_t dims[2] = {1000, 5000};
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, 3000, err));
    for (uint64_t e = 0; e < coo->nnz; e++) {
        const double v = (double)e / 7;
        tsr_array_set(&coo->crd[0], e, e / 3);
        tsr_array_set(&coo->crd[1], e, e % 3 * 1000 + e % 991);
        memcpy((double *)coo->values.data + e, &v, sizeof v);
    }
    tsr_tensor *tensor = bsp_pack("ds", coo, 4);
    tsr_coo_free(coo);
    return tensor;
}

/* A folder of its own for one test, empty. */
static const char *new_folder(const char *name)
{
    const char *folder = tsr_test_path(tsr_test_tmp(), name);
    mkdir(folder, 0777);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *d; (d = readdir(dir));)
        if (d->d_name[0] != '.' || strlen(d->d_name) > 2)
            remove(tsr_test_path(folder, d->d_name));
    closedir(dir);
    return folder;
}

static int count_files(const char *folder)
{
    DIR *dir = opendir(folder);
    int n = -2; /* . and .. */
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void assert_content(const char *path, const char *content)
{
    size_t n;
    char *bytes = tsr_test_slurp(path, &n);
    assert_string_equal(bytes, content);
    free(bytes);
}

static void test_memory_ends_while_writing(void **state)
{
    (void)state;
    tsr_tensor *tensor = sample();
    char folder[900], path[1000], group[1010];
    snprintf(folder, sizeof folder, "%s", new_folder("oom"));
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(group, sizeof group, "%s:g", path);
    for (int deflate = 0; deflate < 2; deflate++)
        for (int grouped = 0; grouped < 2; grouped++) {
            tsr_write_options o = {.deflate = deflate, .nthreads = 2};
            tsr_faults faults = {0};
            while (tsr_faults_next(&faults)) {
                tsr_error e = {0};
                if (grouped)
                    bsp_write(path, tensor, 0, 1);
                else
                    remove(path);
                tsr_faults_arm(&faults);
                const tsr_status status =
                    tsr_codec_binsparse.write_tensor(grouped ? group : path, tensor, &o, NULL, &e);
                tsr_faults_end(&faults, status);
                assert_true(status == TSR_OK || e.message[0]);
                assert_int_equal(count_files(folder), grouped || status == TSR_OK);
            }
        }
    tsr_tensor_free(tensor);
}

static void test_memory_ends_while_reading(void **state)
{
    (void)state;
    const uint64_t dims[2] = {6, 9};
    static const char *const formats[] = {"ds", "bcsr(2,3)", "coo"};
    const char *path = tsr_test_path(tsr_test_tmp(), "oom_read.h5");
    for (int f = 0; f < 3; f++)
        for (int deflate = 0; deflate < 2; deflate++) {
            tsr_coo *coo = bsp_coo(2, dims, TSR_PATTERN, "0 1 1  2 0 1  5 8 1");
            tsr_tensor *tensor = bsp_pack(formats[f], coo, 0);
            bsp_write(path, tensor, deflate, 1);
            tsr_tensor_free(tensor);
            tsr_coo_free(coo);
            tsr_faults faults = {0};
            while (tsr_faults_next(&faults)) {
                tsr_error e = {0};
                tsr_data data;
                const tsr_read_options o = {.nthreads = 1, .has_type = true, .type = TSR_F32};
                tsr_faults_arm(&faults);
                const tsr_status status = tsr_codec_binsparse.read(&data, path, &o, &e);
                tsr_faults_end(&faults, status);
                assert_true(status == TSR_OK || e.message[0]);
                tsr_tensor_free(data.tensor);
            }
        }
}

static void test_the_disk_is_full(void **state)
{
    (void)state;
    tsr_tensor *tensor = sample();
    char folder[900], path[1000], group[1010];
    snprintf(folder, sizeof folder, "%s", new_folder("full"));
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(group, sizeof group, "%s:g/h", path);
    bsp_write(path, tensor, 1, 2); /* threads start before the limit: libomp needs a file for that */
    bsp_write(path, tensor, 0, 1);
    size_t n;
    char *before = tsr_test_slurp(path, &n);
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    static const rlim_t limits[] = {0, 50, 96, 600, 2000, 4095, 5000, 9000, 14000, 25000, 33000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        for (int mode = 0; mode < 3; mode++) {
            tsr_error e = {0};
            const tsr_write_options o = {.deflate = mode == 1, .nthreads = 2};
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){limits[i], old.rlim_max});
            const tsr_status status =
                tsr_codec_binsparse.write_tensor(mode == 2 ? group : path, tensor, &o, NULL, &e);
            setrlimit(RLIMIT_FSIZE, &old);
            if (mode == 1 && status == TSR_OK) { /* it may fit when it is small */
                tsr_test_spit(path, before, n);
                continue;
            }
            assert_int_equal(status, TSR_IO);
            if (!strstr(e.message, "File too large"))
                fail_msg("limit %d: %s", (int)limits[i], e.message);
            assert_int_equal(count_files(folder), 1);
            size_t n_after;
            char *after = tsr_test_slurp(path, &n_after);
            assert_int_equal(n_after, n);
            assert_memory_equal(after, before, n);
            free(after);
        }
    signal(SIGXFSZ, handler);
    bsp_write(path, tensor, 0, 1); /* HDF5 is still in its right mind */
    tsr_tensor *again = bsp_read(path);
    bsp_assert_same(tensor, again);
    tsr_tensor_free(again);
    free(before);
    tsr_tensor_free(tensor);
}

/* ---- observers ---- */

typedef struct listener {
    int ncalls, stop_at; /* 0: never */
    uint64_t done, total;
    const char *phase;
} listener;

static bool listen(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    listener *l = ctx;
    assert_true(done >= l->done && done <= total);
    l->phase = phase;
    l->done = done;
    l->total = total;
    return ++l->ncalls != l->stop_at;
}

static void test_progress_and_cancelling(void **state)
{
    (void)state;
    tsr_tensor *tensor = sample();
    const char *path = tsr_test_path(new_folder("cancel"), "a.h5");
    tsr_test_spit(path, "old", 3);
    for (int deflate = 0; deflate < 2; deflate++) {
        listener l = {.stop_at = 1};
        const tsr_observer observer = {.ctx = &l, .progress = listen};
        tsr_write_options o = {.deflate = deflate, .nthreads = 2, .observer = &observer};
        tsr_error e;
        assert_int_equal(tsr_codec_binsparse.write_tensor(path, tensor, &o, NULL, &e), TSR_CANCELLED);
        assert_content(path, "old");
        l = (listener){.stop_at = 0};
        const char *good = tsr_test_path(tsr_test_tmp(), "progress.h5");
        uint64_t nbytes = 0;
        assert_ok(tsr_codec_binsparse.write_tensor(good, tensor, &o, &nbytes, err));
        assert_true(l.ncalls >= 2 && l.done == l.total && l.total == tsr_tensor_nbytes(tensor));
        assert_string_equal(l.phase, "write");
        struct stat st;
        assert_int_equal(stat(good, &st), 0);
        assert_int_equal(nbytes, st.st_size);

        tsr_data data;
        tsr_read_options r = {.nthreads = 2, .observer = &observer};
        l = (listener){.stop_at = 1};
        assert_int_equal(tsr_codec_binsparse.read(&data, good, &r, &e), TSR_CANCELLED);
        assert_null(data.tensor);
        l = (listener){.stop_at = 0};
        assert_ok(tsr_codec_binsparse.read(&data, good, &r, err));
        assert_true(l.done == l.total && l.total == tsr_tensor_nbytes(tensor));
        assert_string_equal(l.phase, "read");
        tsr_tensor_free(data.tensor);
    }
    tsr_tensor_free(tensor);
}

static void test_places_that_cannot_be_written(void **state)
{
    (void)state;
    tsr_tensor *tensor = sample();
    char path[1000], group[1010];
    tsr_error e;
    snprintf(path, sizeof path, "%s/no/such/folder.h5", tsr_test_tmp());
    assert_int_equal(tsr_codec_binsparse.write_tensor(path, tensor, NULL, NULL, &e), TSR_IO);
    assert_int_equal(tsr_codec_binsparse.write_tensor("-", tensor, NULL, NULL, &e), TSR_ARGUMENT);
    assert_int_equal(tsr_codec_binsparse.write_tensor(tsr_test_tmp(), tensor, NULL, NULL, &e), TSR_IO);
    snprintf(path, sizeof path, "%s/text.h5", tsr_test_tmp());
    snprintf(group, sizeof group, "%s:g", path);
    tsr_test_spit(path, "text", 4);
    assert_int_equal(tsr_codec_binsparse.write_tensor(group, tensor, NULL, NULL, &e), TSR_SYNTAX);
    assert_string_equal(e.message, "not an HDF5 file");
    assert_content(path, "text");
    const tsr_write_options o = {.deflate = 10};
    assert_int_equal(tsr_codec_binsparse.write_tensor(path, tensor, &o, NULL, &e), TSR_ARGUMENT);
    assert_content(path, "text");
    /* a group below an array */
    bsp_write(path, tensor, 0, 1);
    snprintf(group, sizeof group, "%s:values/g", path);
    assert_int_equal(tsr_codec_binsparse.write_tensor(group, tensor, NULL, NULL, &e), TSR_CORRUPT);
    assert_non_null(strstr(e.message, "'values/g' is not a group"));
    tsr_tensor_free(bsp_read(path));
    tsr_tensor_free(tensor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_ends_while_writing),
        cmocka_unit_test(test_memory_ends_while_reading),
        cmocka_unit_test(test_the_disk_is_full),
        cmocka_unit_test(test_progress_and_cancelling),
        cmocka_unit_test(test_places_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
