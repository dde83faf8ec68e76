/* What the files of jit share: the compiler and the cache. */
#ifndef JIT_INTERNAL_H
#define JIT_INTERNAL_H

#include <sys/types.h>

#include "tsr_folder.h"
#include "tsr_jit.h"
#include "tsr_process.h"

/* ---- jit_file.c: files in an open folder, by name ---- */

enum { JIT_TIMEOUT_MS = 60000 }; /* unless the options say otherwise */
enum { JIT_MAX_FILE_NBYTES = 1 << 30 };

/* Read a file; the bytes are followed by a NUL and freed with tsr_free. *bytes = NULL with TSR_OK if the file
 * does not exist or cannot be read. TSR_IO if other users could have changed it: a link, a pipe, another
 * owner, or writable by others. If there are bytes, *keep (keep may be NULL) becomes the open file; else it
 * does not change. */
tsr_status tsr_jit_file_read(char **bytes, size_t *n, int *keep, int folder, const char *name,
                             tsr_error *err) TSR_NODISCARD;
/* Write a file that other users cannot read; `append`: to the end of an existing file, else the file must be
 * new. */
tsr_status tsr_jit_file_write(int folder, const char *name, const char *bytes, size_t n, bool append,
                              tsr_error *err) TSR_NODISCARD;
/* The reason why a file with this owner and mode must not be used, as the end of a sentence; NULL: it may be
 * used. */
const char *tsr_jit_not_ours(uid_t owner, mode_t mode);

/* ---- jit_compiler.c: the compiler and its version ---- */

typedef struct jit_compiler {
    tsr_text path;
    tsr_text words;    /* the given command, with spaces replaced by NULs */
    const char **argv; /* nargs strings: the path, and arguments that are part of the command */
    size_t nargs;
} jit_compiler;

tsr_status tsr_jit_compiler_init(jit_compiler *compiler, const tsr_jit_options *options,
                                 tsr_error *err) TSR_NODISCARD;
void tsr_jit_compiler_clear(jit_compiler *compiler);
/* The name of the cache file that stores the version of this compiler: a hash of its path, arguments, size
 * and time of change, and ".version". */
enum { JIT_VERSION_NAME_NBYTES = TSR_JIT_KEY_NBYTES + 8 };
tsr_status tsr_jit_compiler_version_name(char name[JIT_VERSION_NAME_NBYTES], const jit_compiler *compiler,
                                         tsr_error *err) TSR_NODISCARD;
/* Append the first line of its output for --version; its size and time of change if there is no output. */
tsr_status tsr_jit_compiler_version(tsr_text *version, const jit_compiler *compiler,
                                    tsr_error *err) TSR_NODISCARD;
/* Append the name of the processor and a hash of its features. */
tsr_status tsr_jit_processor(tsr_text *text, tsr_error *err) TSR_NODISCARD;

/* ---- jit_compile.c ---- */

#define JIT_SOURCE_NAME "kernel.c" /* name in the temporary folder */

/* A text, and how it is compiled. */
typedef struct jit_source {
    const char *text;
    const jit_compiler *compiler;
    const char *const *flags; /* NULL at the end */
    bool is_cpp;
} jit_source;
typedef struct jit_job {
    jit_source source;
    const char *object_name; /* the name of the file that it becomes */
    uint64_t timeout_ms;
    const tsr_observer *observer; /* may cancel; may be NULL */
} jit_job;
/* Write the text to `folder` and compile it there to the object. TSR_ARGUMENT: the compiler rejects
 * the text. TSR_UNSUPPORTED: the compiler, or a file that it needs, is missing. TSR_LIMIT: the time limit.
 * TSR_IO: the disk is full or not writable. The whole output of the compiler is appended to *log. */
tsr_status tsr_jit_compile(const tsr_folder *folder, const jit_job *job, tsr_text *log,
                           tsr_error *err) TSR_NODISCARD;

/* Start the compiler, whose output is dropped; the caller waits for it with tsr_process_stop. TSR_IO, TSR_UNSUPPORTED, TSR_NOMEM. */
tsr_status tsr_jit_launch(tsr_process *process, const tsr_folder *folder, const jit_job *job,
                          tsr_error *err) TSR_NODISCARD;

/* ---- jit_cache.c ---- */

typedef struct jit_cache {
    tsr_text path;
    int fd; /* the folder; -1: there is none */
    uint64_t max_nbytes;
} jit_cache;

/* Open the folder of the cache; if `make`, create it if necessary. TSR_OK with fd = -1 if the user has no
 * such folder; TSR_IO if it cannot be created or opened, or must not be used: the folder, or a folder above
 * it, belongs to another user or is writable by others. Links are followed once, at the time of opening. */
tsr_status tsr_jit_cache_open(jit_cache *cache, const tsr_jit_options *options, bool make,
                              tsr_error *err) TSR_NODISCARD;
void tsr_jit_cache_close(jit_cache *cache);
/* Find a KEY.so that is unchanged since it was written, beside a KEY.c with exactly this text and recipe. If
 * found, its time of use becomes now, and *object_fd is the open file that was checked, which the caller
 * closes; else -1. `recipe`: lines that describe how the text is compiled. */
tsr_status tsr_jit_cache_find(int *object_fd, const jit_cache *cache, const char *key, const char *text,
                              const char *recipe, tsr_error *err) TSR_NODISCARD;
/* Move JIT_SOURCE_NAME and KEY.so from the temporary folder (which is inside the folder of the cache) into
 * the cache, then remove the least recently used pairs above the limit and the temporary files of dead
 * processes. */
tsr_status tsr_jit_cache_insert(const jit_cache *cache, const tsr_folder *folder, const char *key,
                                const char *recipe, tsr_error *err) TSR_NODISCARD;
/* Write a small file into the cache. */
tsr_status tsr_jit_cache_put(const jit_cache *cache, const char *name, const char *bytes, size_t n,
                             tsr_error *err) TSR_NODISCARD;

/* ---- jit_key.c ---- */

/* The key of the source, and its recipe, lines that describe how it is compiled; empty without a cache. *recipe may begin with other
 * lines. */
tsr_status tsr_jit_make_key(char key[TSR_JIT_KEY_NBYTES], tsr_text *recipe, const jit_cache *cache,
                            const jit_source *source, tsr_error *err) TSR_NODISCARD;

#endif
