/* Compiles C text and returns functions: the compiler is started from an argument vector (never through a
 * shell), and its shared objects are cached.
 *
 * The cache is a folder of files KEY.so, where KEY is a hash of the text, the path and version of the
 * compiler, the flags and the processor; beside each, KEY.c contains all of these and is compared with the
 * wanted text. A file is written under a temporary name and renamed. The folder is created with mode 0700. It
 * is not used if it, or a file in it, belongs to another user, or if other users could write to it or replace
 * it. The loaded object is the open file that was compared, even if another file gets its name meanwhile.
 * Several processes and threads may use the cache at once. When it exceeds its limit, the least recently used
 * files are removed. */
#ifndef TSR_JIT_H
#define TSR_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_observer.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_jit tsr_jit; /* a loaded shared object; immutable, any thread may call its functions */

typedef struct tsr_jit_options {
    /* a name or path; NULL: $TSR_CC, else "cc". The value of TSR_CC may also contain arguments, separated by
     * spaces ("gcc -m64") */
    const char *compiler;
    const char *const *flags;     /* NULL-terminated; NULL: tsr_jit_default_flags */
    const char *cache_dir;        /* NULL: $XDG_CACHE_HOME/tessera, else $HOME/.cache/tessera */
    bool no_cache;                /* neither read nor write the cache */
    bool is_cpp;                  /* the text is C++; only for tsr_jit_program */
    uint64_t cache_max_nbytes;    /* limit of the size of the cache; 0: 256 MiB */
    uint64_t timeout_ms;          /* time limit of one compilation; 0: 60 s */
    const tsr_observer *observer; /* may cancel the compiler, in phase "compile"; may be NULL */
} tsr_jit_options;

typedef struct tsr_jit_stats {
    bool from_cache;
    uint64_t compile_ns;   /* 0 if the object came from the cache */
    uint64_t load_ns;      /* the rest of the time: key, lookup, open and symbols */
    tsr_error cache_fault; /* why the cache was not used; status TSR_OK if it was */
} tsr_jit_stats;

/* -std=c11 -O3 -march=native -fopenmp -fPIC -shared -fno-math-errno -fno-trapping-math -ffp-contract=fast -w
 * -pipe, NULL-terminated: NaN, infinities and signed zeros follow IEEE 754. */
extern const char *const tsr_jit_default_flags[];

/* Compile the text, or find it in the cache, and load it. options and stats may be NULL. TSR_UNSUPPORTED if
 * there is no compiler, with the name that was searched, or if it does not work: it crashes, or a file that
 * it needs (a header, its OpenMP library) is missing. TSR_ARGUMENT if it rejects the text: the message is its
 * first error, err->line and err->col are the place in the text, and its whole output is appended to `log`
 * (may be NULL). TSR_LIMIT if it takes too long. TSR_CANCELLED after tsr_interrupt or by the observer. TSR_IO if no folder is
 * writable. A cached file that does not load is compiled again. A cache that cannot or must not be used is
 * not an error: the object is then compiled and loaded in a temporary folder ($TMPDIR, /tmp), and
 * stats->cache_fault says why. The OpenMP library that an object loads stays in the process. */
tsr_status tsr_jit_load(tsr_jit **out, const char *text, const tsr_jit_options *options, tsr_jit_stats *stats,
                        tsr_text *log, tsr_error *err) TSR_NODISCARD;
/* Append the path of the cache folder that is used by default, or nothing if no such folder is known. */
void tsr_jit_add_cache_folder(tsr_text *path);
/* Compilers that work while the caller does other things; what they make is put into the cache. Any thread may call these functions. In
 * a process that was forked from the one that made the pool, no compiler is at work. */
typedef struct tsr_jit_pool tsr_jit_pool;
tsr_jit_pool *tsr_jit_pool_new(void);                 /* with one user; NULL: out of memory */
tsr_jit_pool *tsr_jit_pool_share(tsr_jit_pool *pool); /* one more user; returns the pool */
/* One user less (NULL is fine). The last one ends the compilers that are still at work. */
void tsr_jit_pool_free(tsr_jit_pool *pool);
/* Start the compiler for a text unless the cache has what it makes, or the pool compiles the same text. *number: names the
 * text for tsr_jit_is_at_work; 0: no compiler is at work for it, and tsr_jit_load finds out why. TSR_BACKGROUND=0 in the environment:
 * always 0. TSR_NOMEM. */
tsr_status tsr_jit_start(uint64_t *number, tsr_jit_pool *pool, const char *text,
                         const tsr_jit_options *options, tsr_error *err) TSR_NODISCARD;
/* Whether the compiler is still at work. If not, tsr_jit_load finds what it made in the cache, or compiles the text once more to
 * find out what is wrong. */
bool tsr_jit_is_at_work(tsr_jit_pool *pool, uint64_t number);

void tsr_jit_free(tsr_jit *jit); /* its functions must not be called any more */
/* The function with that name; NULL if there is none. Cast it to its type. */
typedef void (*tsr_jit_function)(void);
tsr_jit_function tsr_jit_find(const tsr_jit *jit, const char *name);

/* Compile a text to a program, folder/name, or copy it from the cache. options->flags (not NULL) are the flags. The key in the cache has
 * the text after preprocessing, too, so a header that changes makes another program. Errors and log as tsr_jit_load. */
tsr_status tsr_jit_program(const char *folder, const char *name, const char *text,
                           const tsr_jit_options *options, tsr_text *log, tsr_error *err) TSR_NODISCARD;

/* A 128-bit hash of n bytes as 32 hexadecimal digits and a NUL: the name of a kernel in the cache. */
enum { TSR_JIT_KEY_NBYTES = 33 };
void tsr_jit_hash(char key[TSR_JIT_KEY_NBYTES], const char *bytes, size_t n);

/* A file of the cache, for listings: the function is called for each, most recently used first, until it
 * returns false. */
typedef struct tsr_jit_entry {
    const char *key;        /* 32 hexadecimal digits */
    const char *first_line; /* first line of the kernel's text, which is stored beside it (KEY.c) */
    uint64_t nbytes;
    int64_t used_s; /* seconds since 1970 */
} tsr_jit_entry;
tsr_status tsr_jit_list(const tsr_jit_options *options, bool (*visit)(void *arg, const tsr_jit_entry *entry),
                        void *arg, tsr_error *err) TSR_NODISCARD;
/* Remove every file of the cache. */
tsr_status tsr_jit_clear(const tsr_jit_options *options, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
