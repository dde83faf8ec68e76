/* From text to functions: looks in the cache first, then runs the compiler in the folder of the cache, or in
 * a temporary folder if the cache cannot be written to or loaded from. A new object is loaded before it is
 * moved into the cache: so the loaded object is the one that was compiled, and an object that does not load
 * is not cached. */
#define _GNU_SOURCE /* dlinfo, dladdr1 */
#include "jit_internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_machine.h"
#include "tsr_system.h"

struct tsr_jit {
    void *handle;
};

typedef struct job {
    const char *text;
    const tsr_jit_options *options;
    const char *const *flags;
    jit_compiler compiler;
    jit_cache cache;
    tsr_text recipe; /* lines that describe how the text is compiled */
    char key[TSR_JIT_KEY_NBYTES];
    char object_name[TSR_JIT_KEY_NBYTES + 3];
    tsr_text log;
    uint64_t compile_ns;
    bool from_cache;
    tsr_error cache_fault; /* status TSR_OK: no error */
    void *handle;
} job;

static tsr_status make_key(job *j, tsr_error *err)
{
    const jit_source source = {.text = j->text, .compiler = &j->compiler, .flags = j->flags};
    TSR_TRY(tsr_jit_make_key(j->key, &j->recipe, &j->cache, &source, err));
    memcpy(j->object_name, j->key, TSR_JIT_KEY_NBYTES - 1);
    memcpy(j->object_name + TSR_JIT_KEY_NBYTES - 1, ".so", 4);
    return TSR_OK;
}

/* ---- loading ---- */

/* Keep the OpenMP library that the object loaded in memory for good: its threads live on after the object is
 * closed, and they need its code. */
static void keep_openmp(void *handle)
{
    const void *const symbol = dlsym(handle, "omp_get_max_threads");
    if (symbol)
        tsr_system_keep_library(symbol);
}

/* The loader identifies an open object by its path; so every path contains the key. */
static void add_folder_path(tsr_text *path, const tsr_text *folder, const char *object_name)
{
    tsr_text_addf(path, "%s%s/%s", strchr(tsr_text_cstr(folder), '/') ? "" : "./", tsr_text_cstr(folder),
                  object_name);
}

/* Append the path of an open file, FOLDER/FD. To make the path depend on the key without changing its meaning, each digit d of
 * the key is written as d times "./", and "/". */
static void add_fd_path(tsr_text *path, int fd, const char *key)
{
    static const char digits[] = "0123456789abcdef";
    tsr_text_addf(path, "%s/", tsr_system_path(TSR_SYSTEM_FILES));
    for (const char *p = key; *p; p++) {
        for (long d = strchr(digits, *p) - digits; d > 0; d--)
            tsr_text_add(path, "./");
        tsr_text_add(path, "/");
    }
    tsr_text_addf(path, "%d", fd);
}

/* Load the object at the path, and clear the path. */
static tsr_status open_object(job *j, tsr_text *path, tsr_error *err)
{
    tsr_status status = tsr_text_status(path, err);
    if (status == TSR_OK)
        j->handle = dlopen(path->s, RTLD_NOW | RTLD_LOCAL);
    if (status == TSR_OK && !j->handle) {
        const char *why = dlerror();
        if (why && strncmp(why, path->s, path->nbytes) == 0)
            why += path->nbytes + strspn(why + path->nbytes, ": ");
        const bool undefined = why && strstr(why, "undefined symbol");
        status = tsr_fail(err, undefined ? TSR_ARGUMENT : TSR_UNSUPPORTED,
                          "the object that %s compiled cannot be loaded: %s", j->compiler.argv[0],
                          why ? why : "no reason given");
    }
    if (status == TSR_OK)
        keep_openmp(j->handle);
    tsr_text_clear(path);
    return status;
}

static tsr_status load_cached(job *j, tsr_error *err)
{
    int fd;
    TSR_TRY(tsr_jit_cache_find(&fd, &j->cache, j->key, j->text, tsr_text_cstr(&j->recipe), err));
    if (fd < 0)
        return TSR_OK;
    tsr_text path = {0};
    if (*tsr_system_path(
            TSR_SYSTEM_FILES)) /* load the file that was checked, even if KEY.so is another file by now */
        add_fd_path(&path, fd, j->key);
    else
        add_folder_path(&path, &j->cache.path, j->object_name);
    const tsr_status status = open_object(j, &path, err);
    (void)close(fd);
    j->from_cache = status == TSR_OK;
    /* the file is gone or cannot be loaded from there: compile */
    return status == TSR_NOMEM ? status : TSR_OK;
}

/* Compile and load in a temporary folder in `parent`. */
static tsr_status build_in(job *j, const char *parent, bool is_cache, tsr_error *err)
{
    tsr_folder folder;
    TSR_TRY(tsr_folder_new(&folder, parent, err));
    const uint64_t start = tsr_now_ns();
    const uint64_t timeout_ms = j->options->timeout_ms ? j->options->timeout_ms : JIT_TIMEOUT_MS;
    tsr_status status = tsr_jit_compile(&folder,
                                        &(jit_job){{j->text, &j->compiler, j->flags, .is_cpp = false},
                                                   j->object_name,
                                                   timeout_ms,
                                                   j->options->observer},
                                        &j->log, err);
    j->compile_ns += tsr_now_ns() - start;
    if (status == TSR_OK) {
        tsr_text path = {0};
        add_folder_path(&path, &folder.path, j->object_name);
        status = open_object(j, &path, err);
    }
    if (status == TSR_OK && is_cache) { /* the object is loaded: a failure to cache it does not matter */
        const tsr_status kept =
            tsr_jit_cache_insert(&j->cache, &folder, j->key, tsr_text_cstr(&j->recipe), NULL);
        (void)kept;
    }
    tsr_folder_remove(&folder);
    return status;
}

static tsr_status build(job *j, tsr_error *err)
{
    const char *given = getenv("TMPDIR");
    const char *const parents[] = {j->cache.fd >= 0 ? tsr_text_cstr(&j->cache.path) : NULL,
                                   given && given[0] == '/' ? given : NULL, "/tmp"};
    tsr_status status = TSR_OK;
    for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++) {
        if (!parents[i])
            continue;
        tsr_text_clear(&j->log);
        status = build_in(j, parents[i], i == 0, err);
        if (status != TSR_IO && status != TSR_UNSUPPORTED)
            break; /* success, or an error that another folder would not avoid */
    }
    return status;
}

/* Look into the cache. */
static tsr_status ask_cache(job *j, tsr_error *err)
{
    TSR_TRY(tsr_jit_cache_open(&j->cache, j->options, true, err));
    TSR_TRY(make_key(j, err));
    return j->cache.fd >= 0 ? load_cached(j, err) : TSR_OK;
}

static tsr_status run(job *j, tsr_error *err)
{
    TSR_TRY(tsr_jit_compiler_init(&j->compiler, j->options, err));
    tsr_status status = TSR_OK;
    if (!j->options->no_cache)
        status = ask_cache(j, &j->cache_fault);
    if (status != TSR_OK && status != TSR_IO) {
        if (err)
            *err = j->cache_fault;
        return status;
    }
    if (status == TSR_IO) { /* the cache must not be used */
        tsr_jit_cache_close(&j->cache);
        tsr_text_clear(&j->recipe);
    } else {
        j->cache_fault.status = TSR_OK;
    }
    if (j->cache.fd < 0)
        TSR_TRY(make_key(j, err));
    return j->handle ? TSR_OK : build(j, err);
}

tsr_status tsr_jit_load(tsr_jit **out, const char *text, const tsr_jit_options *options, tsr_jit_stats *stats,
                        tsr_text *log, tsr_error *err)
{
    static const tsr_jit_options defaults = {0};
    *out = NULL;
    const uint64_t start = tsr_now_ns();
    job j = {.text = text, .options = options ? options : &defaults, .cache = {.fd = -1}};
    j.flags = j.options->flags ? j.options->flags : tsr_jit_default_flags;
    tsr_jit *jit = tsr_calloc(1, sizeof *jit);
    tsr_error fault = {0};
    const tsr_status status =
        jit ? run(&j, &fault) : tsr_fail(&fault, TSR_NOMEM, "out of memory for a kernel");
    if (status == TSR_OK) {
        jit->handle = j.handle;
        *out = jit;
        if (stats)
            *stats = (tsr_jit_stats){j.from_cache, j.compile_ns, tsr_now_ns() - start - j.compile_ns,
                                     j.cache_fault};
    } else {
        tsr_free(jit);
        if (err)
            *err = fault;
        if (log)
            tsr_text_add(log, tsr_text_cstr(&j.log));
    }
    tsr_text_clear(&j.log);
    tsr_text_clear(&j.recipe);
    tsr_jit_cache_close(&j.cache);
    tsr_jit_compiler_clear(&j.compiler);
    return status;
}

void tsr_jit_free(tsr_jit *jit)
{
    if (!jit)
        return;
    (void)dlclose(jit->handle);
    tsr_free(jit);
}

tsr_jit_function tsr_jit_find(const tsr_jit *jit, const char *name)
{
    /* dlsym also searches the libraries that the object needs, but their functions do not belong to the
     * text */
    void *const symbol = dlsym(jit->handle, name);
    if (!symbol || !tsr_system_is_defined(jit->handle, symbol))
        return NULL;
    tsr_jit_function function;
    /* POSIX: a function pointer and a void pointer have the same representation */
    memcpy(&function, &symbol, sizeof function);
    return function;
}
