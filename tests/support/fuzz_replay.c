/* The main of replay_<name>: runs a fuzz target over files and folders of files, without libFuzzer. */
#include "tsr_fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int nruns;

/* The bytes get a block of exactly their size, so that a sanitizer detects a read past the end. */
static void run(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || stat(path, &st) != 0) {
        perror(path);
        exit(2);
    }
    const size_t nbytes = (size_t)st.st_size;
    uint8_t *data = malloc(nbytes ? nbytes : 1);
    if (!data || fread(data, 1, nbytes, f) != nbytes) {
        fprintf(stderr, "%s: cannot read the file\n", path);
        exit(2);
    }
    fclose(f);
    fprintf(stderr, "%s\n", path); /* if the program crashes, the last path printed is the failing input */
    LLVMFuzzerTestOneInput(data, nbytes);
    free(data);
    nruns++;
}

static void run_folder(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir) {
        perror(path);
        exit(2);
    }
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        char file[4096];
        if (entry->d_name[0] == '.')
            continue;
        if (snprintf(file, sizeof file, "%s/%s", path, entry->d_name) < (int)sizeof file)
            run(file);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
            run_folder(argv[i]);
        else
            run(argv[i]);
    }
    if (nruns == 0) {
        fprintf(stderr, "usage: replay_NAME FILE|FOLDER...: no input found\n");
        return 2;
    }
    printf("%d inputs\n", nruns);
    return 0;
}
