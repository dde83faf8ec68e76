/* Files on the command line: see tsr_files.h. */
#include "tsr_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_codec.h"

/* stat() of the file that `path` names: the whole path, or the part before one of the colons (the name of
 * a group may contain further colons). */
static bool find(struct stat *st, const char *path)
{
    if (stat(path, st) == 0)
        return true;
    char *const file = tsr_strdup(path);
    bool found = false;
    for (char *colon = file; file && !found && (colon = strchr(colon, ':')) != NULL; colon++) {
        *colon = '\0';
        found = stat(file, st) == 0 && S_ISREG(st->st_mode);
        *colon = ':';
    }
    tsr_free(file);
    return found;
}

uint64_t tsr_file_nbytes(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0 || !find(&st, path) || !S_ISREG(st.st_mode))
        return 0;
    return (uint64_t)st.st_size;
}

/* Check that the folder of `path` exists and is writable. */
static tsr_status check_folder_of(const char *path, tsr_error *err)
{
    const char *const slash = strrchr(path, '/');
    char *const folder = tsr_strdup(slash ? path : ".");
    if (!folder)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    if (slash)
        folder[slash == path ? 1 : slash - path] = '\0';
    tsr_status status = TSR_OK;
    struct stat st;
    if (stat(folder, &st) != 0)
        status = tsr_fail_at(err, TSR_IO, path, 0, 0, "cannot write in the folder %s: %s", folder,
                             strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        status = tsr_fail_at(err, TSR_IO, path, 0, 0, "%s is not a folder", folder);
    else if (access(folder, W_OK | X_OK) != 0)
        status = tsr_fail_at(err, TSR_IO, path, 0, 0, "cannot write in the folder %s: %s", folder,
                             strerror(errno));
    tsr_free(folder);
    return status;
}

/* The same for a path that may be "file:group", in which the name of the group may contain slashes and
 * colons. One writable reading is enough here; the codec knows which reading applies. */
static tsr_status check_folder(const char *path, tsr_error *err)
{
    const tsr_status status = check_folder_of(path, err);
    char *const file = status == TSR_IO ? tsr_strdup(path) : NULL;
    bool found = false;
    for (char *colon = file ? strrchr(file, ':') : NULL; colon && !found; colon = strrchr(file, ':')) {
        *colon = '\0';
        found = check_folder_of(file, NULL) == TSR_OK;
    }
    tsr_free(file);
    return found ? TSR_OK : status;
}

/* Whether a codec writes folders of this name. */
static bool is_of_folders(const char *out)
{
    const tsr_codec *codec;
    const char *object;
    char *const file = tsr_path_split(&object, out);
    const bool known = file && tsr_codec_by_suffix(&codec, file, NULL) == TSR_OK && codec->folders;
    const size_t n = file ? strlen(file) : 0, k = known ? strlen(codec->folders) : 0;
    const bool is = known && n >= k && strcmp(file + n - k, codec->folders) == 0;
    tsr_free(file);
    return is;
}

tsr_status tsr_check_not_folder(const char *out, tsr_error *err)
{
    struct stat st;
    if (strcmp(out, "-") != 0 && find(&st, out) && S_ISDIR(st.st_mode) && !is_of_folders(out))
        return tsr_fail_at(err, TSR_IO, out, 0, 0,
                           "is a folder: name a file in the folder, such as %s/out.h5", out);
    return TSR_OK;
}

tsr_status tsr_check_output(const char *out, const char *in, tsr_error *err)
{
    if (strcmp(out, "-") == 0)
        return TSR_OK;
    struct stat a, b;
    if (!find(&a, out))
        return check_folder(out, err);
    TSR_TRY(tsr_check_not_folder(out, err));
    if (!S_ISREG(a.st_mode) && !S_ISDIR(a.st_mode))
        return TSR_OK; /* a pipe or a device is written as it is */
    if (strcmp(in, "-") != 0 && find(&b, in) && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        return tsr_fail_at(err, TSR_ARGUMENT, out, 0, 0, "is the input; write to another file");
    struct stat link;
    if (lstat(out, &link) == 0 && S_ISLNK(link.st_mode))
        return TSR_OK; /* the target of the link is replaced; the writer checks its folder */
    return check_folder(out, err);
}
