/* Help for fuzz targets: see tsr_fuzz.h. */
#include "tsr_fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tsr_fuzz_abort(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: must hold: %s\n", file, line, condition);
    abort();
}

char *tsr_fuzz_text(const uint8_t *data, size_t nbytes)
{
    char *const text = malloc(nbytes + 1);
    TSR_FUZZ_MUST(text != NULL);
    memcpy(text, data, nbytes);
    text[nbytes] = '\0';
    return text;
}

const char *tsr_fuzz_folder(void)
{
    const char *const dir = getenv("TMPDIR");
    return dir && *dir ? dir : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

static char path[1024];

static void remove_file(void)
{
    unlink(path);
}

const char *tsr_fuzz_file(const uint8_t *data, size_t nbytes)
{
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "%s/tsr_fuzz_XXXXXX", tsr_fuzz_folder());
        const int fd = mkstemp(path);
        TSR_FUZZ_MUST(fd >= 0);
        close(fd);
        atexit(remove_file);
    }
    FILE *f = fopen(path, "wb");
    TSR_FUZZ_MUST(f != NULL);
    TSR_FUZZ_MUST(fwrite(data, 1, nbytes, f) == nbytes);
    TSR_FUZZ_MUST(fclose(f) == 0);
    return path;
}
