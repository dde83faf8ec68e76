/* What jit shares inside itself: the compiler, the cache. */
#ifndef JIT_INTERNAL_H
#define JIT_INTERNAL_H

#include <sys/types.h>

#include "tsr_folder.h"
#include "tsr_jit.h"

/* ---- jit_file.c: files in an open folder, by name ---- */

enum { JIT_MAX_FILE_NBYTES = 1 << 30 };

/* The bytes of a file, with a NUL behind them, to be freed with tsr_free. *bytes = NULL with TSR_OK when
 * there is no such file or it cannot be read. TSR_IO when it is not ours alone: a link, a pipe, of another
 * owner, one that others may write to. keep (may be NULL) becomes the open file when there are bytes, else
 * stays as it is. */
tsr_status tsr_jit_file_read(char **bytes, size_t *n, int *keep, int folder, const char *name,
                             tsr_error *err) TSR_NODISCARD;
/* Write a file that others cannot read. With `append` to the end of an existing one, else it must be new. */
tsr_status tsr_jit_file_write(int folder, const char *name, const char *bytes, size_t n, bool append,
                              tsr_error *err) TSR_NODISCARD;
/* Why something with this owner and mode must not be used: a sentence's end, or NULL when all is well. */
const char *tsr_jit_not_ours(uid_t owner, mode_t mode);

/* ---- jit_compiler.c: which compiler, and what it is ---- */

typedef struct jit_compiler {
    tsr_text path;
    tsr_text words;    /* the given command, NULs for spaces */
    const char **argv; /* nargs: the path, and arguments that come with the command */
    size_t nargs;
} jit_compiler;

tsr_status tsr_jit_compiler_init(jit_compiler *compiler, const tsr_jit_options *options,
                                 tsr_error *err) TSR_NODISCARD;
void tsr_jit_compiler_clear(jit_compiler *compiler);
/* The file of the cache that remembers this compiler's version: a hash of its path, arguments, size and time
 * of change, and ".version". */
enum { JIT_VERSION_NAME_NBYTES = TSR_JIT_KEY_NBYTES + 8 };
tsr_status tsr_jit_compiler_version_name(char name[JIT_VERSION_NAME_NBYTES], const jit_compiler *compiler,
                                         tsr_error *err) TSR_NODISCARD;
/* Append the first line of what it says to --version; its size and time of change when it says nothing. */
tsr_status tsr_jit_compiler_version(tsr_text *version, const jit_compiler *compiler,
                                    tsr_error *err) TSR_NODISCARD;
/* Append the processor's name and a hash of its features. */
tsr_status tsr_jit_processor(tsr_text *text, tsr_error *err) TSR_NODISCARD;

/* ---- jit_compile.c ---- */

#define JIT_SOURCE_NAME "kernel.c" /* in the temporary folder */

/* Write the text to `folder` and compile it there to the file object_name. TSR_ARGUMENT: the compiler refuses
 * the text. TSR_UNSUPPORTED: the compiler, or something that it needs, is not there. TSR_LIMIT: it took too
 * long. TSR_IO: no room, or no right to write. All that it wrote is appended to *log. */
tsr_status tsr_jit_compile(const tsr_folder *folder, const char *object_name, const char *text,
                           const jit_compiler *compiler, const char *const *flags, uint64_t timeout_ms,
                           tsr_text *log, tsr_error *err) TSR_NODISCARD;

/* ---- jit_cache.c ---- */

typedef struct jit_cache {
    tsr_text path;
    int fd; /* the folder, -1: there is none */
    uint64_t max_nbytes;
} jit_cache;

/* Open the folder of the cache, and `make` it where it is not. TSR_OK with fd = -1 when the user has none;
 * TSR_IO when it cannot be made or opened, or must not be used: it, or a folder above it, belongs to somebody
 * else or may be written to by others. A link leads where it leads when it is opened. */
tsr_status tsr_jit_cache_open(jit_cache *cache, const tsr_jit_options *options, bool make,
                              tsr_error *err) TSR_NODISCARD;
void tsr_jit_cache_close(jit_cache *cache);
/* Whether there is a KEY.so, as it was written, beside a KEY.c of just this text and recipe; if so its time
 * of use is now, and *object_fd is the open file that was looked at, the caller's to close; else -1.
 * `recipe`: lines that say how it is compiled. */
tsr_status tsr_jit_cache_find(int *object_fd, const jit_cache *cache, const char *key, const char *text,
                              const char *recipe, tsr_error *err) TSR_NODISCARD;
/* Move JIT_SOURCE_NAME and KEY.so from the temporary folder (which lies in the cache's) into the cache, then
 * remove what is too much and what dead processes left. */
tsr_status tsr_jit_cache_insert(const jit_cache *cache, const tsr_folder *folder, const char *key,
                                const char *recipe, tsr_error *err) TSR_NODISCARD;
/* Write a small file. */
tsr_status tsr_jit_cache_put(const jit_cache *cache, const char *name, const char *bytes, size_t n,
                             tsr_error *err) TSR_NODISCARD;

#endif
