/* C text in, functions out: a compiler spawned by argv (never a shell), its shared objects kept in a cache.
 *
 * The cache is a folder of files KEY.so, KEY a hash of the text, the compiler's path and version, the flags
 * and the processor; beside each, KEY.c holds all of these, and is compared with what is wanted. A file is
 * written under a temporary name and renamed; the folder is made with mode 0700 and left alone when it, or a
 * file in it, belongs to somebody else or others may write to it or put another in its place. What is loaded
 * from it is the open file that was compared, not what has its name a moment later. Several processes and
 * threads may use it at once. When it grows beyond its bound the files used longest ago go. */
#ifndef TSR_JIT_H
#define TSR_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_jit tsr_jit; /* a loaded shared object; immutable, any thread may call into it */

typedef struct tsr_jit_options {
    const char *compiler;      /* a name or path; NULL: $TSR_CC, else "cc". The environment's value may hold
                                  arguments too, split at spaces ("gcc -m64") */
    const char *const *flags;  /* NULL-terminated; NULL: tsr_jit_default_flags */
    const char *cache_dir;     /* NULL: $XDG_CACHE_HOME/tessera, else $HOME/.cache/tessera */
    bool no_cache;             /* neither look into the cache nor write to it */
    uint64_t cache_max_nbytes; /* 0: 256 MiB */
    uint64_t timeout_ms;       /* of one compile; 0: 60 s */
} tsr_jit_options;

typedef struct tsr_jit_stats {
    bool from_cache;
    uint64_t compile_ns;   /* 0 when from the cache */
    uint64_t load_ns;      /* key, lookup, open and symbols: everything else */
    tsr_error cache_fault; /* why the cache was left alone; its status is TSR_OK when it was not */
} tsr_jit_stats;

/* -std=c11 -O3 -march=native -fopenmp -fPIC -shared -fno-math-errno -fno-trapping-math -ffp-contract=fast -w
 * -pipe, NULL-terminated: NaN, infinities and signed zeros are as IEEE 754 says. */
extern const char *const tsr_jit_default_flags[];

/* Compile (or find) and load. options and stats may be NULL. TSR_UNSUPPORTED when there is no compiler, with
 * what was looked for, or when it does not work: it dies, or something that it needs (a header, its OpenMP
 * library) is not there. TSR_ARGUMENT when it refuses the text: the message is its first error, err->line and
 * err->col its place in the text, and all that it said is appended to `log` (may be NULL). TSR_LIMIT when it
 * takes too long. TSR_CANCELLED after tsr_interrupt. TSR_IO when no folder can be written to. A cached file
 * that does not load is compiled anew. A cache that cannot or must not be used is not a failure: the object
 * is then compiled and loaded in a temporary folder ($TMPDIR, /tmp), and the stats say why. The OpenMP
 * library that an object brings stays in the process. */
tsr_status tsr_jit_load(tsr_jit **out, const char *text, const tsr_jit_options *options, tsr_jit_stats *stats,
                        tsr_text *log, tsr_error *err) TSR_NODISCARD;
void tsr_jit_free(tsr_jit *jit); /* functions from it must not be called any more */
/* The function of that name; NULL when there is none. Cast it to its type. */
typedef void (*tsr_jit_function)(void);
tsr_jit_function tsr_jit_find(const tsr_jit *jit, const char *name);

/* Compile a text to a program, folder/name: options->flags (not NULL) say how, the cache is not asked.
 * Statuses and log as above, but for the cache's. */
tsr_status tsr_jit_program(const char *folder, const char *name, const char *text,
                           const tsr_jit_options *options, tsr_text *log, tsr_error *err) TSR_NODISCARD;

/* A 128-bit hash of n bytes as 32 hexadecimal digits and a NUL: what names kernels. */
enum { TSR_JIT_KEY_NBYTES = 33 };
void tsr_jit_hash(char key[TSR_JIT_KEY_NBYTES], const char *bytes, size_t n);

/* One file of the cache, for people who look: called for each, newest use first; stop by returning false. */
typedef struct tsr_jit_entry {
    const char *key;        /* 32 digits */
    const char *first_line; /* of the kernel's text, kept beside it (KEY.c) */
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
