/* Temporary folders: private, removed with their contents; those of dead processes are removed. */
#include "tsr_test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_folder.h"

static void make_old(const char *path)
{
    const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
}

static void test_folder(void **state)
{
    (void)state;
    const char *const tmp = tsr_test_tmp(), *const dead = tsr_test_path(tmp, ".tessera-dead"),
                      *const other = tsr_test_path(tmp, "other");
    static tsr_folder none;
    tsr_folder first, second;
    struct stat s;
    setenv("TMPDIR", tmp, 1);
    (void)mkdir(dead, 0700);
    (void)mkdir(other, 0700);
    tsr_test_spit(tsr_test_path(dead, "file"), "x", 1);
    assert_ok(tsr_folder_new_temporary(&first, err));
    const char *const path = tsr_text_cstr(&first.path);
    assert_true(strncmp(path, tmp, strlen(tmp)) == 0);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
    assert_int_equal(access(dead, F_OK), 0); /* it is young: its owner may be about to lock it */
    make_old(dead);
    make_old(other);
    make_old(path);
    assert_ok(tsr_folder_new_temporary(&second, err));
    assert_int_not_equal(access(dead, F_OK), 0);
    assert_int_equal(access(path, F_OK), 0); /* its owner is alive */
    assert_int_equal(access(other, F_OK), 0);
    /* the contents are removed with it */
    const char *const inner = tsr_test_path(path, "inner");
    assert_int_equal(mkdir(inner, 0700), 0);
    tsr_test_spit(tsr_test_path(inner, "file"), "x", 1);
    char kept[1024];
    snprintf(kept, sizeof kept, "%s", path);
    tsr_folder_remove(&first);
    tsr_folder_remove(&first);
    tsr_folder_remove(&second);
    tsr_folder_remove(&none);
    assert_int_not_equal(access(kept, F_OK), 0);
    assert_int_equal(rmdir(other), 0);
    setenv("TMPDIR", "/nonexistent", 1);
    tsr_error fault = {0};
    assert_int_equal(tsr_folder_new_temporary(&first, &fault), TSR_IO);
    assert_non_null(strstr(fault.path, "/nonexistent"));
    assert_int_equal(first.path.nbytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
