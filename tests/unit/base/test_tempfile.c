/* Temporary files beside their target: modes, locks, sweeping. Earlier errors: the file for a target of mode
 * 600 was readable by all for a moment; HDF5 opened it again by name and truncated the target of a link in
 * its place; files of killed processes stayed forever. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tsr_codec.h"
#include "tsr_output.h"
#include "tsr_pack.h"
#include "tsr_system.h"
#include "tsr_test.h"

static mode_t mode_before;   /* of the file, when fchmod was called */
static const char *intruder; /* if set, a link to this file replaces the temporary file */

/* Replaces the function of the C library. */
int fchmod(int fd, mode_t mode)
{
    struct stat s;
    assert_int_equal(fstat(fd, &s), 0);
    mode_before = s.st_mode & 07777;
    if (intruder) {
        char link[64], path[1024] = "";
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        assert_true(readlink(link, path, sizeof path - 1) > 0);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(symlink(intruder, path), 0);
    }
    return (int)syscall(SYS_fchmod, fd, mode);
}

static const char *fresh(const char *name)
{
    const char *path = tsr_test_path(tsr_test_tmp(), name);
    char command[1200];
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir '%s'", path, path);
    assert_int_equal(system(command), 0);
    return path;
}

static int count(const char *folder)
{
    char command[1200];
    snprintf(command, sizeof command, "exit $(ls -A '%s' | wc -l)", folder);
    return WEXITSTATUS(system(command));
}

static void test_modes(void **state)
{
    (void)state;
    const char *out = tsr_test_path(fresh("modes"), "out.tns");
    const struct {
        mode_t old; /* of the target, 0: none */
        mode_t mask, wanted;
    } cases[] = {{0, 022, 0644},  {0, 077, 0600},  {0, 0, 0666},     {0600, 0, 0600},
                 {0640, 0, 0640}, {0444, 0, 0444}, {0666, 077, 0666}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stat s;
        tsr_tempfile *temp;
        (void)unlink(out);
        umask(0);
        if (cases[i].old) {
            tsr_test_spit(out, "old", 3);
            assert_int_equal(chmod(out, cases[i].old), 0);
        }
        umask(cases[i].mask);
        mode_before = 0;
        if (cases[i].old == 0444 && geteuid() != 0)
            continue;
        assert_ok(tsr_tempfile_new(&temp, out, err));
        assert_int_equal(mode_before & ~cases[i].wanted & 0177, 0); /* never wider than the final mode */
        assert_int_equal(stat(tsr_tempfile_path(temp), &s), 0);
        assert_int_equal(s.st_mode & 07777, cases[i].wanted);
        assert_ok(tsr_tempfile_commit(temp, err));
        tsr_tempfile_free(temp);
        assert_int_equal(stat(out, &s), 0);
        assert_int_equal(s.st_mode & 07777, cases[i].wanted);
    }
    umask(022);
}

/* Files of dead processes are removed; locked files, files with other names, and links stay. */
static void test_sweep(void **state)
{
    if (!*tsr_system_path(TSR_SYSTEM_PAGES)) /* unknown whether locks reach all users of the folder */
        skip();
    (void)state;
    static const struct {
        const char *name;
        bool goes;
    } files[] = {
        {".out.tns.abc123.tmp", true},   {".out.tns.zzzzzz.tmp", true},    {".out.tns.abc12.tmp", false},
        {".out.tns.abc1234.tmp", false}, {".out.tns.ABC123.tmp", false},   {".out.tns.abc123.tmp2", false},
        {"out.tns.abc123.tmp", false},   {".other.tns.abc123.tmp", false}, {".out.tns.x.abc123.tmp", false},
    };
    enum { NFILES = sizeof files / sizeof *files };
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", fresh("sweep"));
    char out[1100], special[3][1100], locked_path[1100];
    snprintf(out, sizeof out, "%s/out.tns", folder);
    snprintf(special[0], sizeof special[0], "%s/.out.tns.link00.tmp", folder);
    snprintf(special[1], sizeof special[1], "%s/.out.tns.fifo00.tmp", folder);
    snprintf(special[2], sizeof special[2], "%s/.out.tns.twin00.tmp", folder);
    snprintf(locked_path, sizeof locked_path, "%s/.out.tns.locked.tmp", folder);
    for (int i = 0; i < NFILES; i++)
        tsr_test_spit(tsr_test_path(folder, files[i].name), "x", 1);
    tsr_test_spit(tsr_test_path(folder, "victim"), "x", 1);
    assert_int_equal(symlink("victim", special[0]), 0);
    assert_int_equal(mkfifo(special[1], 0600), 0);
    assert_int_equal(link(tsr_test_path(folder, "victim"), special[2]), 0);
    const int locked = open(locked_path, O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(locked, LOCK_EX), 0);
    tsr_tempfile *first, *second;
    assert_ok(tsr_tempfile_new(&first, out, err));
    for (int i = 0; i < NFILES; i++)
        assert_int_equal(access(tsr_test_path(folder, files[i].name), F_OK) != 0, files[i].goes);
    for (int i = 0; i < 3; i++) {
        struct stat s;
        assert_int_equal(lstat(special[i], &s), 0);
    }
    assert_int_equal(access(locked_path, F_OK), 0);
    assert_int_equal(access(tsr_test_path(folder, "victim"), F_OK), 0);
    assert_ok(tsr_tempfile_new(&second, out, err)); /* the owner of the first file is alive: this process */
    assert_int_equal(access(tsr_tempfile_path(first), F_OK), 0);
    const int before = count(folder);
    close(locked);
    tsr_tempfile_free(second);
    assert_ok(tsr_tempfile_commit(first, err));
    tsr_tempfile_free(first);
    assert_int_equal(count(folder), before - 1); /* the second file was removed, the first became out.tns */
    assert_ok(tsr_tempfile_new(&first, out, err));
    assert_int_not_equal(access(locked_path, F_OK), 0); /* the process has ended */
    tsr_tempfile_free(first);
}

/* Another user who may write to the folder replaces the file by a link: the target of the link must not
 * change. */
static void test_link_in_its_place(void **state)
{
    (void)state;
    const char *folder = fresh("intruder"); /* and three more of the ring of 8 */
    const char *victim = tsr_test_path(folder, "victim"), *out = tsr_test_path(folder, "out.h5"),
               *in = tsr_test_path(folder, "in.tns");
    tsr_test_spit(in, "1 1 1\n2 2 2\n", 12);
    tsr_test_spit(victim, "precious", 8);
    tsr_test_spit(out, "old", 3);
    assert_int_equal(chmod(out, 0600), 0);
    tsr_data data;
    tsr_format *format;
    tsr_tensor *tensor;
    assert_ok(tsr_read(&data, in, NULL, NULL, err));
    assert_ok(tsr_format_parse(&format, "ds", 2, data.coo->dims, err));
    assert_ok(tsr_pack(&tensor, data.coo /* tsr_pack frees it */, format, NULL, NULL, err));
    uint64_t nbytes;
    const tsr_codec *codec;
    assert_ok(tsr_codec_by_name(&codec, "binsparse", err));
    intruder = victim;
    (void)codec->write_tensor(out, tensor, &(tsr_write_options){0}, &nbytes, NULL);
    intruder = NULL;
    size_t n;
    char *text = tsr_test_slurp(victim, &n);
    assert_int_equal(n, 8);
    assert_memory_equal(text, "precious", 8);
    free(text);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_link_in_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
