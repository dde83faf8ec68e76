/* From text to a program. It is compiled in a temporary folder, in the cache or else where it shall be, and copied when it is
 * complete. */
#include "jit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tsr_alloc.h"

enum { TIMEOUT_MS = 60000 };

typedef struct job {
    jit_job how;
    const char *target;
    const char *parent;
    jit_cache cache;
    tsr_text recipe;
    char key[TSR_JIT_KEY_NBYTES];
    char object_name[TSR_JIT_KEY_NBYTES + 3];
    tsr_text log;
} job;

/* Copy an open file, from its beginning on, to the program. */
static tsr_status copy(const char *target, int from, tsr_error *err)
{
    char bytes[1 << 14];
    const int to = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    ssize_t got = 0, put = 0;
    int error = to < 0 || lseek(from, 0, SEEK_SET) != 0 ? errno : 0;
    while (!error && (got = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0; done < got && !error; done += put) {
            put = write(to, bytes + done, (size_t)(got - done));
            error = put <= 0 ? errno : 0;
        }
    error = got < 0 ? errno : error;
    if (to >= 0 && close(to) != 0 && !error)
        error = errno;
    return error ? tsr_fail_errno(err, error, target, "cannot write") : TSR_OK;
}

/* Append the hash of the text as the preprocessor leaves it: its headers belong to the recipe. A text that has none is told by the
 * compiler later. */
static tsr_status add_headers(job *j, tsr_error *err)
{
    static const char name[] = "program.i";
    size_t nflags = 0, n;
    while (j->how.source.flags[nflags])
        nflags++;
    const char **const flags = tsr_calloc(nflags + 2, sizeof *flags);
    if (!flags)
        return tsr_fail(err, TSR_NOMEM, "out of memory for the arguments of the compiler");
    memcpy(flags, j->how.source.flags, nflags * sizeof *flags);
    flags[nflags] = "-E";
    jit_job how = j->how;
    how.source.flags = flags;
    how.object_name = name;
    tsr_folder folder;
    tsr_text path = {0};
    char key[TSR_JIT_KEY_NBYTES], *bytes = NULL;
    tsr_status status = tsr_folder_new(&folder, tsr_text_cstr(&j->cache.path), err);
    if (status == TSR_OK) {
        status = tsr_jit_compile(&folder, &how, &j->log, err);
        if (status == TSR_OK)
            status = tsr_jit_file_read(&bytes, &n, NULL, folder.fd, name, err);
        tsr_text_add(&path, tsr_text_cstr(&folder.path));
        tsr_folder_remove(&folder);
    }
    if (path.failed)
        status = tsr_fail(err, TSR_NOMEM, "out of memory for the path of a folder");
    else if (bytes) {
        for (char *p = bytes; (p = strstr(p, tsr_text_cstr(&path))); p += path.nbytes)
            memset(p, '-', path.nbytes); /* the temporary folder has another name each time */
        tsr_jit_hash(key, bytes, n);
        tsr_text_addf(&j->recipe, "with headers: %s\n", key);
    }
    tsr_text_clear(&path);
    tsr_free(bytes);
    tsr_free(flags);
    return status;
}

/* Copy the program from the cache, if it is there. */
static tsr_status ask_cache(bool *found, job *j, tsr_error *err)
{
    int fd;
    *found = false;
    TSR_TRY(add_headers(j, err));
    TSR_TRY(tsr_jit_make_key(j->key, &j->recipe, &j->cache, &j->how.source, err));
    TSR_TRY(tsr_jit_cache_find(&fd, &j->cache, j->key, j->how.source.text, tsr_text_cstr(&j->recipe), err));
    if (fd < 0)
        return TSR_OK;
    const tsr_status status = copy(j->target, fd, err);
    (void)close(fd);
    *found = status == TSR_OK;
    return status;
}

static tsr_status build(job *j, tsr_error *err)
{
    tsr_folder folder;
    const bool caches = j->cache.fd >= 0;
    TSR_TRY(tsr_folder_new(&folder, caches ? tsr_text_cstr(&j->cache.path) : j->parent, err));
    tsr_status status = tsr_jit_compile(&folder, &j->how, &j->log, err);
    const int made = status == TSR_OK ? openat(folder.fd, j->how.object_name, O_RDONLY | O_CLOEXEC) : -1;
    if (status == TSR_OK)
        status =
            made < 0 ? tsr_fail_errno(err, errno, j->target, "cannot write") : copy(j->target, made, err);
    if (made >= 0)
        (void)close(made);
    if (status == TSR_OK && caches) { /* the program is there: a failure to cache it does not matter */
        const tsr_status kept =
            tsr_jit_cache_insert(&j->cache, &folder, j->key, tsr_text_cstr(&j->recipe), NULL);
        (void)kept;
    }
    tsr_folder_remove(&folder);
    return status;
}

static tsr_status run(job *j, const tsr_jit_options *options, tsr_error *err)
{
    bool found = false;
    tsr_error fault = {0};
    tsr_status status = options->no_cache ? TSR_OK : tsr_jit_cache_open(&j->cache, options, true, &fault);
    if (status == TSR_OK && j->cache.fd >= 0)
        status = ask_cache(&found, j, &fault);
    if (status != TSR_OK && status != TSR_IO) {
        if (err)
            *err = fault;
        return status;
    }
    if (found)
        return TSR_OK;
    if (status == TSR_OK && j->cache.fd >= 0) {
        memcpy(j->object_name, j->key, TSR_JIT_KEY_NBYTES - 1);
        memcpy(j->object_name + TSR_JIT_KEY_NBYTES - 1, ".so", 4);
        status = build(j, err);
        if (status != TSR_IO)
            return status;
    }
    tsr_jit_cache_close(&j->cache); /* it cannot or must not be used */
    memcpy(j->object_name, "program", sizeof "program");
    return build(j, err);
}

tsr_status tsr_jit_program(const char *folder, const char *name, const char *text,
                           const tsr_jit_options *options, tsr_text *log, tsr_error *err)
{
    tsr_text target = {0};
    jit_compiler compiler;
    tsr_text_addf(&target, "%s/%s", folder, name);
    job j = {.how = {.source = {.text = text,
                                .compiler = &compiler,
                                .flags = options->flags,
                                .is_cpp = options->is_cpp},
                     .timeout_ms = options->timeout_ms ? options->timeout_ms : TIMEOUT_MS,
                     .observer = options->observer},
             .target = tsr_text_cstr(&target),
             .parent = folder,
             .cache = {.fd = -1}};
    j.how.object_name = j.object_name;
    tsr_status status = tsr_text_status(&target, err);
    if (status == TSR_OK)
        status = tsr_jit_compiler_init(&compiler, options, err);
    if (status == TSR_OK) {
        status = run(&j, options, err);
        tsr_jit_compiler_clear(&compiler);
    }
    if (log)
        tsr_text_add(log, tsr_text_cstr(&j.log));
    tsr_text_clear(&j.log);
    tsr_text_clear(&j.recipe);
    tsr_jit_cache_close(&j.cache);
    tsr_text_clear(&target);
    return status;
}
