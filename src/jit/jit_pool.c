/* Compilers in the background: processes without threads of ours. A pool starts them and looks after them when it is asked, so that the
 * environment is read, and programs are started, only in calls of the user. A compiler that has ended is forgotten after its object has
 * been put into the cache, where tsr_jit_load finds it. */
#include "jit_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tsr_alloc.h"
#include "tsr_machine.h"

enum { MAX_AT_WORK = 4 }; /* compilers of one pool; the next text waits for its compiler */

typedef struct work work;
struct work {
    work *next;
    uint64_t number;
    uint64_t start_ns, timeout_ms;
    jit_cache cache;
    tsr_text recipe; /* lines that describe how the text is compiled */
    char key[TSR_JIT_KEY_NBYTES];
    char object_name[TSR_JIT_KEY_NBYTES + 3];
    tsr_folder folder;
    tsr_process process;
};

struct tsr_jit_pool {
    atomic_int nusers;
    pid_t owner; /* the process that made the pool: compilers are no children of another one */
    pthread_mutex_t lock;
    work *works; /* compilers that have not been looked after */
    int nworks;
    uint64_t last; /* the last number */
};

tsr_jit_pool *tsr_jit_pool_new(void)
{
    tsr_jit_pool *const pool = tsr_calloc(1, sizeof *pool);
    if (!pool || pthread_mutex_init(&pool->lock, NULL) != 0) {
        tsr_free(pool);
        return NULL;
    }
    atomic_init(&pool->nusers, 1);
    pool->owner = getpid();
    return pool;
}

tsr_jit_pool *tsr_jit_pool_share(tsr_jit_pool *pool)
{
    if (pool)
        atomic_fetch_add(&pool->nusers, 1);
    return pool;
}

/* Free what is left of a compiler that has ended or did not start. */
static void work_free(work *w)
{
    tsr_folder_remove(&w->folder);
    tsr_jit_cache_close(&w->cache);
    tsr_text_clear(&w->recipe);
    tsr_free(w);
}

/* End the compiler, and put what it made into the cache. */
static void work_end(work *w)
{
    tsr_process_end end;
    tsr_process_stop(&end, &w->process, 0);
    if (!end.timed_out && end.exit_code == 0) {
        const tsr_status kept =
            tsr_jit_cache_insert(&w->cache, &w->folder, w->key, tsr_text_cstr(&w->recipe), NULL);
        (void)kept; /* it is compiled once more if it is not there */
    }
    work_free(w);
}

/* Look after the compilers that have ended, or take too long. The lock is held. */
static void look_after(tsr_jit_pool *pool)
{
    for (work **link = &pool->works; *link;) {
        work *const w = *link;
        if (!tsr_process_has_ended(&w->process) && (tsr_now_ns() - w->start_ns) / 1000000u < w->timeout_ms) {
            link = &w->next;
            continue;
        }
        *link = w->next;
        pool->nworks--;
        work_end(w);
    }
}

void tsr_jit_pool_free(tsr_jit_pool *pool)
{
    if (!pool || atomic_fetch_sub(&pool->nusers, 1) != 1)
        return;
    while (pool->works) {
        work *const w = pool->works;
        pool->works = w->next;
        if (pool->owner == getpid())
            work_end(w);
        else /* the folder and the compiler are those of another process */
            tsr_free(w);
    }
    pthread_mutex_destroy(&pool->lock);
    tsr_free(pool);
}

/* Find the key of the text; *wanted: the cache does not have what it becomes. */
static tsr_status find_key(work *w, bool *wanted, const jit_source *source, const tsr_jit_options *options,
                           tsr_error *err)
{
    int fd = -1;
    TSR_TRY(tsr_jit_cache_open(&w->cache, options, true, err));
    if (w->cache.fd < 0)
        return TSR_OK;
    TSR_TRY(tsr_jit_make_key(w->key, &w->recipe, &w->cache, source, err));
    TSR_TRY(tsr_jit_cache_find(&fd, &w->cache, w->key, source->text, tsr_text_cstr(&w->recipe), err));
    *wanted = fd < 0;
    if (fd >= 0)
        (void)close(fd);
    return TSR_OK;
}

/* Start the compiler in a folder of the cache. */
static tsr_status launch(work *w, const jit_source *source, const tsr_jit_options *options)
{
    memcpy(w->object_name, w->key, TSR_JIT_KEY_NBYTES - 1);
    memcpy(w->object_name + TSR_JIT_KEY_NBYTES - 1, ".so", 4);
    w->timeout_ms = options->timeout_ms ? options->timeout_ms : JIT_TIMEOUT_MS;
    w->start_ns = tsr_now_ns();
    TSR_TRY(tsr_folder_new(&w->folder, tsr_text_cstr(&w->cache.path), NULL));
    return tsr_jit_launch(&w->process, &w->folder, &(jit_job){*source, w->object_name, w->timeout_ms, NULL},
                          NULL);
}

/* Start a compiler unless one is at work; *kept: the pool owns w. The lock is held. */
static tsr_status start(uint64_t *number, bool *kept, tsr_jit_pool *pool, work *w, const jit_source *source,
                        const tsr_jit_options *options)
{
    look_after(pool);
    for (const work *other = pool->works; other; other = other->next)
        if (strcmp(other->key, w->key) == 0) {
            *number = other->number;
            return TSR_OK;
        }
    if (pool->nworks == MAX_AT_WORK)
        return TSR_OK;
    TSR_TRY(launch(w, source, options));
    *number = w->number = ++pool->last;
    w->next = pool->works;
    pool->works = w;
    pool->nworks++;
    *kept = true;
    return TSR_OK;
}

tsr_status tsr_jit_start(uint64_t *number, tsr_jit_pool *pool, const char *text,
                         const tsr_jit_options *options, tsr_error *err)
{
    jit_compiler compiler = {.nargs = 0};
    bool wanted = false, kept = false;
    const char *const asked = getenv("TSR_BACKGROUND");
    *number = 0;
    if (pool->owner != getpid() || options->no_cache || (asked && strcmp(asked, "0") == 0))
        return TSR_OK;
    work *const w = tsr_calloc(1, sizeof *w);
    if (!w)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a kernel");
    w->cache.fd = -1;
    const jit_source source = {text, &compiler, options->flags ? options->flags : tsr_jit_default_flags,
                               .is_cpp = false};
    tsr_status status = tsr_jit_compiler_init(&compiler, options, NULL);
    if (status == TSR_OK)
        status = find_key(w, &wanted, &source, options, NULL);
    if (status == TSR_OK && wanted) {
        pthread_mutex_lock(&pool->lock);
        status = start(number, &kept, pool, w, &source, options);
        pthread_mutex_unlock(&pool->lock);
    }
    if (!kept)
        work_free(w);
    tsr_jit_compiler_clear(&compiler);
    return status == TSR_NOMEM ? tsr_fail(err, status, "out of memory for a kernel") : TSR_OK;
}

bool tsr_jit_is_at_work(tsr_jit_pool *pool, uint64_t number)
{
    bool is_there = false;
    if (pool->owner != getpid())
        return false;
    pthread_mutex_lock(&pool->lock);
    look_after(pool);
    for (const work *w = pool->works; w; w = w->next)
        is_there = is_there || w->number == number;
    pthread_mutex_unlock(&pool->lock);
    return is_there;
}
