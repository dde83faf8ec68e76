/* "file:object" in two: see tsr_codec.h. */
#include "tsr_codec.h"

#include <string.h>
#include <sys/stat.h>

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static bool ends_with(const char *s, const char *tail)
{
    const size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

/* Whether the name looks like a file that holds objects. */
static bool holds_objects(const char *file)
{
    for (int i = 0; tsr_codecs[i]; i++)
        for (const char *const *s = tsr_codecs[i]->suffixes; tsr_codecs[i]->has_groups && *s; s++)
            if (ends_with(file, *s))
                return true;
    return false;
}

char *tsr_path_split(const char **object, const char *path)
{
    *object = NULL;
    char *file = tsr_strdup(path);
    if (!file || exists(path))
        return file;
    char *by_name = NULL; /* where a name that looks like such a file ends */
    for (char *colon = strrchr(file, ':'); colon; colon = strrchr(file, ':')) {
        *colon = '\0'; /* each round cuts one more off */
        if (exists(file)) {
            *object = path + (colon - file) + 1;
            return file;
        }
        if (!by_name && holds_objects(file))
            by_name = colon;
    }
    strcpy(file, path);
    if (by_name) {
        *by_name = '\0';
        *object = path + (by_name - file) + 1;
    }
    return file;
}
