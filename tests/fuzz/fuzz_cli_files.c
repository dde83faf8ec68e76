/* The folder of fuzz_cli: see fuzz_cli_files.h. */
#include "fuzz_cli_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "tsr_fuzz.h"

/* A good file: its text, or the words of a command line that makes it. */
typedef struct good_file {
    const char *name, *text;
    const char *words[8];
} good_file;

static const good_file good[] = {
    {"a.tns", "1 1 1 1.5\n2 3 1 -2\n2 3 4 0.25\n5 1 2 1e-3\n", {NULL}},
    {"m.mtx",
     "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 1.5\n2 3 2.5\n3 1 -1\n3 4 4\n",
     {NULL}},
    {"s.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 1\n3 1 7\n3 3 2\n", {NULL}},
    {"v.mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n", {NULL}},
    {"m.h5", NULL, {"tconv", "-q", "m.mtx", "--format=csr", "-o", "m.h5"}},
    {"a.h5", NULL, {"tconv", "-q", "a.tns", "--format=csf", "-o", "a.h5"}},
    {"b.h5", NULL, {"tconv", "-q", "m.mtx", "--format=bcsr(2,2)", "-o", "b.h5"}},
};
enum { NGOOD = sizeof good / sizeof good[0] };

static char folder[512];
static int outside = -1, inside = -1; /* descriptors of the folder that we came from, and of this one */
static struct stat as_made[NGOOD];

static void remove_folder(void)
{
    for (int i = 0; i < NGOOD; i++)
        unlinkat(inside, good[i].name, 0);
    rmdir(folder);
}

static void write_file(const char *name, const void *bytes, size_t nbytes)
{
    unlink(name);
    FILE *const f = fopen(name, "wb");
    TSR_FUZZ_MUST(f != NULL && fwrite(bytes, 1, nbytes, f) == nbytes);
    TSR_FUZZ_MUST(fclose(f) == 0);
}

static void make_good(int i)
{
    if (good[i].text) {
        write_file(good[i].name, good[i].text, strlen(good[i].text));
    } else {
        char words[8][32], *argv[9] = {NULL};
        int argc = 0;
        for (; argc < 8 && good[i].words[argc]; argc++) {
            snprintf(words[argc], sizeof words[argc], "%s", good[i].words[argc]);
            argv[argc] = words[argc];
        }
        TSR_FUZZ_MUST(tsr_cli_tconv(argc, argv) == 0);
    }
    TSR_FUZZ_MUST(stat(good[i].name, &as_made[i]) == 0);
}

static bool is_as_made(int i)
{
    struct stat now;
    return lstat(good[i].name, &now) == 0 && now.st_ino == as_made[i].st_ino &&
           now.st_size == as_made[i].st_size && now.st_mtim.tv_sec == as_made[i].st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == as_made[i].st_mtim.tv_nsec && as_made[i].st_ino != 0;
}

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "%s/tsr_fuzz_cli_XXXXXX", tsr_fuzz_folder());
    TSR_FUZZ_MUST(mkdtemp(folder) != NULL);
    inside = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    outside = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    TSR_FUZZ_MUST(inside >= 0 && outside >= 0);
    atexit(remove_folder);
    TSR_FUZZ_MUST(freopen("/dev/null", "rb", stdin) != NULL && freopen("/dev/null", "wb", stdout) != NULL);
    setenv("TSR_CC", "no-compiler-here", 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("OMP_THREAD_LIMIT", "4", 1);
}

void fuzz_cli_files_enter(const uint8_t *in, size_t in_nbytes)
{
    if (!*folder)
        make_folder();
    TSR_FUZZ_MUST(fchdir(inside) == 0);
    for (int i = 0; i < NGOOD; i++)
        if (!is_as_made(i))
            make_good(i);
    if (in)
        write_file("in", in, in_nbytes);
}

static bool is_good(const char *name)
{
    for (int i = 0; i < NGOOD; i++)
        if (strcmp(name, good[i].name) == 0)
            return true;
    return false;
}

int fuzz_cli_files_leave(void)
{
    int ntemporary = 0;
    DIR *const dir = opendir(".");
    TSR_FUZZ_MUST(dir != NULL);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const char *const name = entry->d_name;
        const size_t n = strlen(name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || is_good(name))
            continue;
        ntemporary += name[0] == '.' && n > 4 && strcmp(name + n - 4, ".tmp") == 0;
        if (unlink(name) != 0)
            rmdir(name);
    }
    closedir(dir);
    TSR_FUZZ_MUST(fchdir(outside) == 0);
    return ntemporary;
}
