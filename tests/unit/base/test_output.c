/* Output: a committed file is complete, an uncommitted file never appears; gzip output is the same for any
 * number of threads. */
#include "tsr_test.h"

#include "tsr_alloc.h"
#include "tsr_input.h"
#include "tsr_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

static char folder[900]; /* a new folder for each test */

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/XXXXXX", tsr_test_tmp());
    return mkdtemp(folder) ? 0 : -1;
}

/* Entries of a folder, without "." and "..". */
static int count_files(const char *path)
{
    DIR *dir = opendir(path);
    assert_non_null(dir);
    int n = 0;
    for (const struct dirent *e; (e = readdir(dir));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n;
}

static int remove_folder(void **state)
{
    (void)state;
    char name[1000];
    (void)umount(folder); /* a mount that test_full_disk may have left */
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        snprintf(name, sizeof name, "%s/%.90s", folder, e->d_name);
        if (unlink(name) != 0)
            (void)rmdir(name);
    }
    if (dir)
        closedir(dir);
    return rmdir(folder);
}

static const char *in_folder(const char *name)
{
    return tsr_test_path(folder, name);
}

static void check_file(const char *path, const void *want, size_t n)
{
    size_t got;
    char *bytes = tsr_test_slurp(path, &got);
    assert_int_equal(got, n);
    assert_memory_equal(bytes, want, n);
    free(bytes);
}

static char *random_text(size_t n, uint64_t seed)
{
    tsr_rng rng = {seed};
    char *text = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)(tsr_rng_below(&rng, 8) ? '0' + (int)tsr_rng_below(&rng, 10) : '\n');
    return text;
}

/* Write text to path in calls of random sizes up to `most`, and commit. */
static void write_text(const char *path, const tsr_output_options *options, const char *text, size_t n,
                       size_t most, uint64_t seed)
{
    tsr_rng rng = {seed};
    tsr_output *output;
    assert_ok(tsr_output_open(&output, path, options, err));
    for (size_t at = 0; at < n;) {
        size_t take = (size_t)tsr_rng_below(&rng, most + 1);
        take = take < n - at ? take : n - at;
        assert_ok(tsr_output_write(output, text + at, take, err));
        at += take;
    }
    assert_ok(tsr_output_commit(output, err));
    struct stat st;
    if (strncmp(path, "/dev/", 5) != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        assert_int_equal(tsr_output_nbytes(output), st.st_size);
    tsr_output_free(output);
}

static void test_plain_content(void **state)
{
    (void)state;
    const size_t n = 5000000;
    char *text = random_text(n, 1);
    const char *path = in_folder("out.mtx");
    static const size_t sizes[] = {0, 1, 100, 1048575, 1048576, 1048577, 5000000}, most[] = {100000, 3000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t k = 0; k < 2; k++) {
            write_text(path, NULL, text, sizes[i], most[k], i);
            check_file(path, text, sizes[i]);
            assert_int_equal(count_files(folder), 1);
        }
    free(text);
}

static void check_gzip(const char *path, const char *text, size_t n)
{
    char *back = malloc(n + 100);
    gzFile f = gzopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(gzread(f, back, (unsigned)n + 100), n);
    assert_int_equal(gzdirect(f), 0);
    assert_int_equal(gzclose(f), Z_OK);
    assert_memory_equal(back, text, n);
    tsr_input *input;
    tsr_block block = {0};
    assert_ok(tsr_input_open(&input, path, 0, NULL, err));
    size_t at = 0;
    for (;;) {
        assert_ok(tsr_input_next(&block, input, err));
        if (block.nbytes == 0)
            break;
        assert_true(block.nbytes <= n - at);
        assert_memory_equal(block.text, text + at, block.nbytes);
        at += block.nbytes;
    }
    assert_int_equal(at, n);
    tsr_block_clear(&block);
    tsr_input_free(input);
    free(back);
}

static void test_gzip_content_and_sameness(void **state)
{
    (void)state;
    const size_t most = 9 << 20;
    char *text = random_text(most, 2);
    static const size_t sizes[] = {0, 1, 1048576, 1048577, 5000000, 9 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i] > 0)
            text[sizes[i] - 1] = '\n';
        for (int nthreads = 1; nthreads <= 3; nthreads++) {
            const tsr_output_options options = {.gzip_level = 1, .nthreads = nthreads};
            const char *first = in_folder("1.gz"), *path = nthreads == 1 ? first : in_folder("n.gz");
            write_text(path, &options, text, sizes[i], nthreads == 2 ? sizes[i] : 70000, i);
            if (nthreads == 1) {
                check_gzip(path, text, sizes[i]);
            } else {
                size_t n;
                char *bytes = tsr_test_slurp(first, &n);
                check_file(path, bytes, n);
                free(bytes);
            }
        }
    }
    free(text);
}

static void test_level_by_option_and_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int level, gzip; /* gzip: -1 refused */
    } cases[] = {
        {"a.mtx", 0, 0},      {"a.mtx.gz", 0, 1}, {"a.mtx.gz", -1, 0}, {"a.mtx", 9, 1}, {"a.mtx", -1, 0},
        {"a.mtx.gz.x", 0, 0}, {"gz", 0, 0},       {"a.mtx", 10, -1},   {"a", -2, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tsr_output_options options = {.gzip_level = cases[i].level, .nthreads = 1};
        const char *path = in_folder(cases[i].name);
        tsr_output *output;
        tsr_error failure;
        const tsr_status status = tsr_output_open(&output, path, &options, &failure);
        assert_int_equal(status, cases[i].gzip < 0 ? TSR_ARGUMENT : TSR_OK);
        if (status != TSR_OK)
            continue;
        assert_ok(tsr_output_write(output, "1\n", 2, err));
        assert_ok(tsr_output_commit(output, err));
        tsr_output_free(output);
        size_t n;
        char *bytes = tsr_test_slurp(path, &n);
        assert_int_equal(bytes[0] == '\x1f' && bytes[1] == '\x8b', cases[i].gzip);
        free(bytes);
    }
}

static void test_uncommitted_leaves_the_old_file(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    for (int existed = 0; existed <= 1; existed++) {
        if (existed)
            tsr_test_spit(path, "old", 3);
        tsr_output *output;
        tsr_tempfile *temp;
        char *text = random_text(3000000, 3);
        assert_ok(tsr_output_open(&output, path, NULL, err));
        assert_ok(tsr_output_write(output, text, 3000000, err));
        assert_int_equal(count_files(folder), existed + 1);
        tsr_output_free(output);
        assert_ok(tsr_tempfile_new(&temp, path, err));
        assert_int_equal(count_files(folder), existed + 1);
        tsr_tempfile_free(temp);
        assert_int_equal(count_files(folder), existed);
        if (existed)
            check_file(path, "old", 3);
        free(text);
    }
}

static void test_nothing_is_written_after_the_end(void **state)
{
    (void)state;
    const char *path = in_folder("out");
    tsr_output *output;
    tsr_error failure;
    assert_ok(tsr_output_open(&output, path, NULL, err));
    assert_ok(tsr_output_write(output, "1\n", 2, err));
    assert_ok(tsr_output_commit(output, err));
    assert_int_equal(tsr_output_write(output, "2\n", 2, &failure), TSR_ARGUMENT);
    assert_int_equal(tsr_output_commit(output, &failure), TSR_ARGUMENT);
    tsr_output_free(output);
    check_file(path, "1\n", 2);
    tsr_output_free(NULL);
    tsr_tempfile_free(NULL);
}

static void test_tempfile_for_writers_of_paths(void **state)
{
    (void)state;
    const char *path = in_folder("out.h5");
    tsr_tempfile *temp;
    assert_ok(tsr_tempfile_new(&temp, path, err));
    const char *name = tsr_tempfile_path(temp);
    assert_memory_equal(name, in_folder(".out.h5."), strlen(folder) + 9);
    assert_string_equal(name + strlen(name) - 4, ".tmp");
    tsr_test_spit(name, "new", 3);
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(tsr_tempfile_commit(temp, err));
    tsr_tempfile_free(temp);
    check_file(path, "new", 3);
    assert_int_equal(count_files(folder), 1);
}

static void test_long_names(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'x', 255);
    name[255] = '\0';
    write_text(in_folder(name), NULL, "1\n", 2, 2, 1);
    check_file(in_folder(name), "1\n", 2);
    unlink(in_folder(name));
    tsr_output *output;
    tsr_error err;
    char *path = malloc(6000);
    memset(path, 'x', 5999);
    path[5999] = '\0';
    assert_int_equal(tsr_output_open(&output, path, NULL, &err), TSR_IO);
    assert_string_equal(err.message, "cannot write: File name too long");
    free(path);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void test_modes(void **state)
{
    (void)state;
    const mode_t old = umask(027);
    const char *path = in_folder("out");
    write_text(path, NULL, "1\n", 2, 2, 1);
    assert_int_equal(mode_of(path), 0640);
    static const mode_t modes[] = {0600, 0666, 0755, 0200};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        chmod(path, modes[i]);
        write_text(path, NULL, "1\n", 2, 2, 1);
        assert_int_equal(mode_of(path), modes[i]);
    }
    umask(old);
}

static void test_links_stay(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("d"), 0777), 0);
    assert_int_equal(symlink("d/file", in_folder("a")), 0);
    assert_int_equal(symlink("a", in_folder("b")), 0);
    assert_int_equal(symlink(in_folder("b"), in_folder("c")), 0);
    for (int i = 0; i < 2; i++) { /* in the first round the links are dangling */
        write_text(in_folder("c"), NULL, i ? "2\n" : "1\n", 2, 2, 1);
        check_file(in_folder("d/file"), i ? "2\n" : "1\n", 2);
        assert_int_equal(count_files(in_folder("d")), 1);
        assert_int_equal(count_files(folder), 4);
        struct stat st;
        assert_int_equal(lstat(in_folder("a"), &st), 0);
        assert_true(S_ISLNK(st.st_mode));
    }
    assert_int_equal(symlink("y", in_folder("x")), 0);
    assert_int_equal(symlink("x", in_folder("y")), 0);
    tsr_output *output;
    tsr_error err;
    assert_int_equal(tsr_output_open(&output, in_folder("x"), NULL, &err), TSR_IO);
    assert_string_equal(err.message, "cannot write: Too many levels of symbolic links");
    unlink(in_folder("d/file"));
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    tsr_test_spit(in_folder("file"), "old", 3);
    assert_int_equal(mkdir(in_folder("d"), 0777), 0);
    const struct {
        const char *path, *words;
    } cases[] = {
        {in_folder("absent/out"), "No such file or directory"},
        {in_folder("file/out"), "cannot write: Not a directory"},
        {in_folder("d"), "cannot write: Is a directory"},
        {in_folder("d/"), "cannot write: Is a directory"},
        {"", "cannot write: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tsr_output *output;
        tsr_error err;
        assert_int_equal(tsr_output_open(&output, cases[i].path, NULL, &err), TSR_IO);
        assert_null(output);
        if (!strstr(err.message, cases[i].words))
            fail_msg("%s: %s", cases[i].path, err.message);
        assert_string_equal(err.path, cases[i].path);
    }
    tsr_tempfile *temp;
    tsr_error err;
    assert_int_equal(tsr_tempfile_new(&temp, "/dev/null", &err), TSR_IO);
    assert_string_equal(err.message, "cannot write: not a regular file");
}

/* Run `body` in a child process as a user without rights (when root), and give its exit code. */
static int run_unprivileged(int (*body)(void))
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(100);
        _exit(body());
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : 101;
}

static int write_where_forbidden(void)
{
    tsr_output *output;
    tsr_error err;
    if (tsr_output_open(&output, in_folder("new"), NULL, &err) != TSR_IO ||
        !strstr(err.message, "Permission"))
        return 1;
    if (tsr_output_open(&output, in_folder("readonly"), NULL, &err) != TSR_IO ||
        strcmp(err.message, "cannot write: Permission denied") != 0)
        return 2;
    return 0;
}

static void test_forbidden_folder_and_file(void **state)
{
    (void)state;
    tsr_test_spit(in_folder("readonly"), "old", 3);
    chmod(in_folder("readonly"), 0444);
    chmod(folder, 0555);
    const int code = run_unprivileged(write_where_forbidden);
    chmod(folder, 0777);
    assert_int_equal(code, 0);
    check_file(in_folder("readonly"), "old", 3);
    assert_int_equal(count_files(folder), 1);
}

/* Writing 3 MB to path fails with these words; so does every later call, and no file is left. */
static void check_failing_write(const char *path, int gzip_level, const char *words)
{
    const tsr_output_options options = {.gzip_level = gzip_level, .nthreads = 2};
    char *text = random_text(3000000, 4);
    tsr_output *output;
    tsr_error failure = {0}, again = {0};
    assert_ok(tsr_output_open(&output, path, &options, err));
    tsr_status status = TSR_OK;
    for (int i = 0; i < 30 && status == TSR_OK; i++)
        status = tsr_output_write(output, text + 100000 * i, 100000, &failure);
    if (status == TSR_OK)
        status = tsr_output_commit(output, &failure);
    assert_int_equal(status, TSR_IO);
    if (!strstr(failure.message, words))
        fail_msg("expected %s: %s", words, failure.message);
    assert_string_equal(failure.path, path);
    assert_int_equal(tsr_output_write(output, text, 1, &again), TSR_IO);
    assert_string_equal(again.message, failure.message);
    assert_int_equal(tsr_output_commit(output, &again), TSR_IO);
    assert_string_equal(again.message, failure.message);
    tsr_output_free(output);
    free(text);
}

static void test_file_size_limit(void **state)
{
    (void)state;
    struct rlimit old, low;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low = old;
    low.rlim_cur = 500000;
    const char *path = in_folder("out");
    tsr_test_spit(path, "old", 3);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    check_failing_write(path, -1, "cannot write after 500000 bytes: File too large");
    check_failing_write(path, 1, "File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    check_file(path, "old", 3);
    assert_int_equal(count_files(folder), 1);
}

static void test_full_disk(void **state)
{
    (void)state;
    if (mount("tmpfs", folder, "tmpfs", 0, "size=1m") != 0)
        skip();
    const char *path = in_folder("out");
    tsr_test_spit(path, "old", 3);
    check_failing_write(path, -1, "No space left on device");
    check_failing_write(path, 1, "No space left on device");
    check_file(path, "old", 3);
    assert_int_equal(count_files(folder), 1);
    assert_int_equal(umount(folder), 0);
}

static void test_dev_full_and_dev_null(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) == 0)
        check_failing_write("/dev/full", -1, "No space left on device");
    write_text("/dev/null", NULL, "1\n", 2, 2, 1);
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void test_pipe_as_target(void **state)
{
    (void)state;
    const char *path = in_folder("fifo");
    assert_int_equal(mkfifo(path, 0666), 0);
    const size_t n = 2000000;
    char *text = random_text(n, 5), *back = malloc(n + 1);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_text(path, NULL, text, n, 50000, 6);
        _exit(0);
    }
    FILE *f = fopen(path, "rb");
    assert_int_equal(fread(back, 1, n + 1, f), n);
    fclose(f);
    assert_memory_equal(back, text, n);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    free(text);
    free(back);
}

static void ignore_signal(int number)
{
    (void)number;
}

/* A signal every millisecond while write(2) waits for a slow reader. */
static void test_interrupted_writes(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = ignore_signal}, old; /* no SA_RESTART */
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    const char *path = in_folder("fifo");
    assert_int_equal(mkfifo(path, 0666), 0);
    const size_t n = 2000000;
    char *text = random_text(n, 7);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static char back[100000];
        const int fd = open(path, O_RDONLY);
        size_t at = 0;
        for (ssize_t got; (got = read(fd, back, sizeof back)) > 0; at += (size_t)got) {
            if (at + (size_t)got > n || memcmp(back, text + at, (size_t)got) != 0)
                _exit(1);
            const struct timespec pause = {0, 3000000};
            nanosleep(&pause, NULL);
        }
        _exit(at == n ? 0 : 2);
    }
    tsr_output *output;
    assert_ok(tsr_output_open(&output, path, NULL, err)); /* waits for the reader */
    sigaction(SIGALRM, &action, &old);
    setitimer(ITIMER_REAL, &often, NULL);
    assert_ok(tsr_output_write(output, text, n, err));
    assert_ok(tsr_output_commit(output, err));
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    tsr_output_free(output);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    free(text);
}

/* Standard output is a file opened for appending; it must be neither replaced nor closed. */
static void test_standard_output(void **state)
{
    (void)state;
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1"};
    const char *path = in_folder("log");
    for (size_t i = 0; i < 3; i++)
        for (int level = 0; level <= 1; level++) {
            const tsr_output_options options = {.gzip_level = level, .nthreads = 1};
            tsr_test_spit(path, "log\n", 4);
            fflush(stdout);
            const int saved = dup(STDOUT_FILENO), fd = open(path, O_WRONLY | O_APPEND);
            assert_true(saved >= 0 && fd >= 0);
            dup2(fd, STDOUT_FILENO);
            close(fd);
            write_text(names[i], &options, "1\n2\n", 4, 4, 1);
            const ssize_t put = write(STDOUT_FILENO, "end\n", 4);
            dup2(saved, STDOUT_FILENO);
            close(saved);
            assert_int_equal(put, 4);
            size_t n;
            char *bytes = tsr_test_slurp(path, &n);
            assert_memory_equal(bytes, "log\n", 4);
            assert_memory_equal(bytes + n - 4, "end\n", 4);
            assert_int_equal(memcmp(bytes + 4, "1\n2\n", 4) == 0, level == 0);
            assert_int_equal(bytes[4] == '\x1f', level);
            free(bytes);
        }
    assert_int_equal(count_files(folder), 1);
}

static tsr_status write_a_little(const char *path, int level)
{
    const tsr_output_options options = {.gzip_level = level, .nthreads = 2};
    tsr_output *output;
    tsr_error err = {0};
    tsr_status status = tsr_output_open(&output, path, &options, &err);
    if (status == TSR_OK)
        status = tsr_output_write(output, "1\n", 2, &err);
    if (status == TSR_OK)
        status = tsr_output_commit(output, &err);
    if (status != TSR_OK) {
        assert_int_equal(status, TSR_NOMEM);
        assert_non_null(strstr(err.message, "out of memory"));
    }
    tsr_output_free(output);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    if (tsr_alloc_live() < 0)
        skip();
    const char *path = in_folder("out");
    for (int level = -1; level <= 1; level += 2) {
        tsr_faults faults = {0};
        while (tsr_faults_next(&faults)) {
            tsr_faults_arm(&faults);
            const tsr_status status = write_a_little(path, level);
            tsr_faults_end(&faults, status);
            assert_int_equal(count_files(folder), faults.failed ? 0 : 1);
        }
        assert_true(faults.n >= 5);
        unlink(path);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_plain_content),
        IN_FOLDER(test_gzip_content_and_sameness),
        IN_FOLDER(test_level_by_option_and_name),
        IN_FOLDER(test_uncommitted_leaves_the_old_file),
        IN_FOLDER(test_nothing_is_written_after_the_end),
        IN_FOLDER(test_tempfile_for_writers_of_paths),
        IN_FOLDER(test_long_names),
        IN_FOLDER(test_modes),
        IN_FOLDER(test_links_stay),
        IN_FOLDER(test_what_cannot_be_written),
        IN_FOLDER(test_forbidden_folder_and_file),
        IN_FOLDER(test_file_size_limit),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_dev_full_and_dev_null),
        IN_FOLDER(test_pipe_as_target),
        IN_FOLDER(test_interrupted_writes),
        IN_FOLDER(test_standard_output),
        IN_FOLDER(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
