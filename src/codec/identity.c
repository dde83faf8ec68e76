/* What tells one input from another: see tsr_path_identity. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "tsr_alloc.h"
#include "tsr_codec.h"
#include "tsr_system.h"

enum { MOST_FILES = 1000000, DEPTH = 16 };

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ (hash >> 31);
}

static uint64_t mix_file(uint64_t hash, const struct stat *st)
{
    hash = mix(hash, (uint64_t)st->st_ino);
    hash = mix(hash, (uint64_t)st->st_size);
    const struct timespec changed = tsr_system_changed(st);
    return mix(mix(hash, (uint64_t)changed.tv_sec), (uint64_t)changed.tv_nsec);
}

/* The files of a folder that were met; the sum does not depend on their sequence, which may change. */
typedef struct folder_sum {
    uint64_t sum, nfiles;
    size_t nroot; /* bytes of the name of the folder */
} folder_sum;

static tsr_status add_folder(folder_sum *all, tsr_text *path, int depth, tsr_error *err);

/* Add the entry of a folder; path: its name. */
static tsr_status add_entry(folder_sum *all, tsr_text *path, int depth, tsr_error *err)
{
    struct stat st;
    uint64_t hash = 1;
    TSR_TRY(tsr_text_status(path, err));
    if (lstat(path->s, &st) != 0)
        return tsr_fail_errno(err, errno, path->s, "cannot open");
    if (S_ISDIR(st.st_mode))
        return depth < DEPTH ? add_folder(all, path, depth + 1, err)
                             : tsr_fail_at(err, TSR_LIMIT, path->s, 0, 0, "more than %d folders are nested",
                                           (int)DEPTH);
    for (const char *p = path->s + all->nroot; *p; p++)
        hash = mix(hash, (unsigned char)*p);
    all->sum += mix_file(hash, &st);
    return ++all->nfiles <= MOST_FILES ? TSR_OK
                                       : tsr_fail_at(err, TSR_LIMIT, path->s, 0, 0,
                                                     "the folder has more than %d files", (int)MOST_FILES);
}

static tsr_status add_folder(folder_sum *all, tsr_text *path, int depth, tsr_error *err)
{
    const size_t nbytes = path->nbytes;
    tsr_status status = TSR_OK;
    DIR *const dir = opendir(tsr_text_cstr(path));
    if (!dir)
        return tsr_fail_errno(err, errno, tsr_text_cstr(path), "cannot list the folder");
    for (const struct dirent *e = readdir(dir); e && status == TSR_OK; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        tsr_text_addf(path, "/%s", e->d_name);
        status = add_entry(all, path, depth, err);
        tsr_text_cut(path, nbytes);
    }
    (void)closedir(dir);
    return status;
}

static tsr_status add_whole_folder(tsr_text *text, const char *name, tsr_error *err)
{
    folder_sum all = {.nroot = strlen(name)};
    tsr_text path = {0};
    tsr_text_add(&path, name);
    const tsr_status status = add_folder(&all, &path, 0, err);
    tsr_text_clear(&path);
    tsr_text_addf(text, "folder:%" PRIu64 ":%016" PRIx64, all.nfiles, all.sum);
    return status;
}

static tsr_status add_path(tsr_text *text, const char *file, tsr_error *err)
{
    struct stat st;
    if (stat(file, &st) != 0)
        return tsr_fail_errno(err, errno, file, "cannot open");
    if (S_ISDIR(st.st_mode))
        return add_whole_folder(text, file, err);
    const struct timespec changed = tsr_system_changed(&st);
    tsr_text_addf(text, "file:%" PRIu64 ":%" PRIu64 ":%" PRId64 ".%09ld", (uint64_t)st.st_ino,
                  (uint64_t)st.st_size, (int64_t)changed.tv_sec, (long)changed.tv_nsec);
    return TSR_OK;
}

tsr_status tsr_path_identity(tsr_text *text, const char *path, tsr_error *err)
{
    const char *object;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "standard input has no name, size and time: this run cannot be continued");
    char *const file = tsr_path_split(&object, path);
    if (!file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    const tsr_status status = add_path(text, file, err);
    tsr_free(file);
    TSR_TRY(status);
    if (object)
        tsr_text_add(text, ":");
    for (const char *p = object ? object : ""; *p; p++) /* one line */
        tsr_text_addf(text, *p > ' ' && *p < 0x7f ? "%c" : "\\%02x", (unsigned char)*p);
    return tsr_text_status(text, err);
}
