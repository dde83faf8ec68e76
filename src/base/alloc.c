/* Memory: see tsr_alloc.h. */
#include "tsr_alloc.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_internal.h"
#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_system.h"

#ifdef TSR_FAULTS
static atomic_llong countdown = -1; /* number of allocations that still succeed; < 0: no limit */
static atomic_llong live;
static atomic_int failed;

static int may_allocate(void)
{
    long long left = atomic_load(&countdown);
    if (left < 0)
        return 1;
    while (left > 0)
        if (atomic_compare_exchange_weak(&countdown, &left, left - 1))
            return 1;
    atomic_store(&failed, 1);
    return 0;
}

static void *count(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

static void uncount(const void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
}

void tsr_alloc_fail_at(int64_t n)
{
    atomic_store(&countdown, n < 0 ? -1 : n);
    atomic_store(&failed, 0);
}

int64_t tsr_alloc_live(void)
{
    return atomic_load(&live);
}

int tsr_alloc_failed(void)
{
    return atomic_load(&failed);
}
#else
static int may_allocate(void)
{
    return 1;
}
static void *count(void *block)
{
    return block;
}
static void uncount(const void *block)
{
    (void)block;
}
void tsr_alloc_fail_at(int64_t n)
{
    (void)n;
}
int64_t tsr_alloc_live(void)
{
    return -1;
}
int tsr_alloc_failed(void)
{
    return 0;
}
#endif

/* ---- the memory that is held ---- */

/* The sum of the large blocks of all threads. A global variable, since the limits hold for the whole
 * process. */
static atomic_ullong held;

static unsigned long long size_of(void *block)
{
    enum { COUNTED_NBYTES = 64 << 10 };
    const size_t nbytes = tsr_system_block_nbytes(block);
    return nbytes >= COUNTED_NBYTES ? nbytes : 0;
}

#ifdef TSR_FAULTS
static atomic_ullong peak;

static void keep_peak(unsigned long long now)
{
    unsigned long long most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now))
        ;
}

uint64_t tsr_alloc_peak(void)
{
    return atomic_exchange(&peak, atomic_load(&held));
}
#else
static void keep_peak(unsigned long long now)
{
    (void)now;
}

uint64_t tsr_alloc_peak(void)
{
    return 0;
}
#endif

static void *hold(void *block)
{
    const unsigned long long nbytes = size_of(block);
    if (nbytes)
        keep_peak(atomic_fetch_add(&held, nbytes) + nbytes);
    return block;
}

static void release(unsigned long long nbytes)
{
    if (nbytes)
        atomic_fetch_sub(&held, nbytes);
}

uint64_t base_held_nbytes(void)
{
    return atomic_load(&held);
}

/* Whether there is memory for the block. Without this check the system would hand out the block and end the
 * process later, when it writes to the block. */
static bool has_room(size_t nbytes)
{
    return nbytes < tsr_memory_checked_nbytes() || tsr_memory_fits((double)nbytes);
}

/* ---- blocks that are kept ---- */

/* Large blocks that were freed between tsr_alloc_keep(true) and (false). The system takes longer to make a page than a program to fill it. A
 * global variable, since blocks are taken and freed by all modules. */
enum { KEPT_NBYTES = 4 << 20, MAX_KEPT = 16 };
static struct {
    pthread_mutex_t lock;
    atomic_int nusers;
    int n;
    void *block[MAX_KEPT];
    atomic_ullong nbytes;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint64_t base_kept_nbytes(void)
{
    return atomic_load(&kept.nbytes);
}

/* Under the lock: take block k out. */
static void *take_kept(int k)
{
    void *const block = kept.block[k];
    atomic_fetch_sub(&kept.nbytes, size_of(block));
    kept.block[k] = kept.block[--kept.n];
    return block;
}

static void free_kept(void)
{
    pthread_mutex_lock(&kept.lock);
    while (kept.n > 0)
        free(take_kept(kept.n - 1));
    pthread_mutex_unlock(&kept.lock);
}

void tsr_alloc_keep(bool keep)
{
    if (atomic_fetch_add(&kept.nusers, keep ? 1 : -1) == 1 && !keep)
        free_kept();
}

static bool keeps(unsigned long long nbytes)
{
    return nbytes >= KEPT_NBYTES && atomic_load(&kept.nusers) > 0;
}

/* Keep a block that is being freed. */
static bool keep_block(void *block, unsigned long long nbytes)
{
    if (!keeps(nbytes))
        return false;
    pthread_mutex_lock(&kept.lock);
    const bool has_place = kept.n < MAX_KEPT;
    if (has_place) {
        kept.block[kept.n++] = block;
        atomic_fetch_add(&kept.nbytes, nbytes);
    }
    pthread_mutex_unlock(&kept.lock);
    return has_place;
}

/* A kept block of nbytes to twice as many, the smallest one; or NULL: then a smaller one, the largest, is freed, so that the blocks that are
 * kept grow to the sizes that are wanted. */
static void *find_kept(size_t nbytes)
{
    int best = -1, below = -1;
    void *block = NULL;
    if (!keeps(nbytes))
        return NULL;
    pthread_mutex_lock(&kept.lock);
    for (int k = 0; k < kept.n; k++) {
        const unsigned long long size = size_of(kept.block[k]);
        if (size >= nbytes && size / 2 <= nbytes && (best < 0 || size < size_of(kept.block[best])))
            best = k;
        if (size < nbytes && (below < 0 || size > size_of(kept.block[below])))
            below = k;
    }
    if (best >= 0)
        block = take_kept(best);
    else if (below >= 0)
        free(take_kept(below));
    pthread_mutex_unlock(&kept.lock);
    return block;
}

/* Before a block is made: free those that are kept if there is no room for both. */
static void make_room(size_t nbytes)
{
    if (keeps(nbytes) && !tsr_memory_fits((double)nbytes + (double)base_kept_nbytes()))
        free_kept();
}

/* ---- blocks ---- */

/* Ask for large pages for a large block: without them, page faults on 4 kB pages take a quarter of the time
 * of packing. */
static void *advise(void *block, size_t nbytes)
{
    enum { LARGE_NBYTES = 4 << 20 };
    if (block && nbytes >= LARGE_NBYTES)
        tsr_system_large_pages(block, nbytes);
    return block;
}

/* malloc puts large blocks 16 bytes after the start of a page. Then each row of a dense factor touches one
 * more cache line than it needs, and a kernel that prefetches rows by lines misses that line: SDDMM with 16
 * columns takes 112 instead of 72 ms. */
static void *allocate(size_t nbytes)
{
    enum { ALIGNED_NBYTES = 4096, LINE_NBYTES = 64 };
    void *const block = find_kept(nbytes);
    if (block)
        return block;
    make_room(nbytes);
    if (nbytes < ALIGNED_NBYTES || nbytes > SIZE_MAX - LINE_NBYTES)
        return malloc(nbytes ? nbytes : 1);
    return aligned_alloc(LINE_NBYTES, (nbytes + LINE_NBYTES - 1) / LINE_NBYTES * LINE_NBYTES);
}

/* With a limit (tsr_memory_set_limit) one thread at a time looks up the free memory and allocates: else two blocks
 * could take the same room. A global variable, since the limit holds for the whole process. Returns whether the caller
 * must call `unlock`. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool lock_limited(size_t nbytes)
{
    const bool limited = tsr_memory_limit() != UINT64_MAX && nbytes >= TSR_MEMORY_LIMITED_NBYTES;
    if (limited)
        pthread_mutex_lock(&turn);
    return limited;
}

static void unlock(bool locked)
{
    if (locked)
        pthread_mutex_unlock(&turn);
}

void *tsr_malloc(size_t nbytes)
{
    if (!may_allocate())
        return NULL;
    const bool locked = lock_limited(nbytes);
    void *const block = has_room(nbytes) ? hold(allocate(nbytes)) : NULL;
    unlock(locked);
    return block ? count(advise(block, nbytes)) : NULL;
}

void *tsr_calloc(size_t n, size_t size)
{
    const bool fits = size == 0 || n <= SIZE_MAX / size; /* else calloc fails */
    const size_t nbytes = fits ? n * size : 0;
    if (!may_allocate())
        return NULL;
    const bool locked = lock_limited(nbytes);
    make_room(nbytes);
    void *const block = has_room(nbytes) ? hold(n && size ? calloc(n, size) : calloc(1, 1)) : NULL;
    unlock(locked);
    return block ? count(advise(block, nbytes)) : NULL;
}

void *tsr_realloc(void *block, size_t nbytes)
{
    if (!block)
        return tsr_malloc(nbytes);
    const unsigned long long before = size_of(block);
    const size_t more = nbytes > before ? nbytes - (size_t)before : 0;
    if (!may_allocate())
        return NULL;
    const bool locked = lock_limited(more);
    make_room(more);
    void *const moved = has_room(more) ? realloc(block, nbytes ? nbytes : 1) : NULL;
    if (moved) {
        release(before);
        hold(moved);
    }
    unlock(locked);
    return moved && more > 0 ? advise(moved, nbytes) : moved; /* a block that was small is not advised yet */
}

void tsr_alloc_adopt(void *block)
{
    count(hold(block));
}

void tsr_alloc_give(void *block)
{
    uncount(block);
    release(size_of(block));
}

void tsr_alloc_hold(uint64_t nbytes)
{
    atomic_fetch_add(&held, nbytes);
}

void tsr_alloc_release(uint64_t nbytes)
{
    release(nbytes);
}

void tsr_free(void *block)
{
    const unsigned long long nbytes = size_of(block);
    uncount(block);
    release(nbytes);
    if (!keep_block(block, nbytes))
        free(block);
}

char *tsr_strdup(const char *s)
{
    const size_t n = strlen(s) + 1;
    char *copy = tsr_malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

/* Report that a block of nbytes cannot be allocated. */
static tsr_status out_of_memory(uint64_t nbytes, const char *what, tsr_error *err)
{
    char words[TSR_MEMORY_WORDS_NBYTES];
    const bool told = nbytes >= tsr_memory_checked_nbytes() && !tsr_memory_fits((double)nbytes);
    return tsr_fail(err, TSR_NOMEM, "out of memory: cannot allocate %s: %s", what,
                    told ? tsr_memory_words(words, (double)nbytes) : tsr_bytes_text(words, nbytes));
}

tsr_status tsr_alloc_array(void **out, uint64_t n, size_t size, int zero, const char *what, tsr_error *err)
{
    uint64_t nbytes;
    char words[32];
    *out = NULL;
    if (!tsr_mul_u64(&nbytes, n, size) || nbytes > SIZE_MAX / 2)
        return tsr_fail(err, TSR_NOMEM, "cannot allocate %s: %s, more than can be addressed", what,
                        tsr_bytes_text_f(words, (double)n * (double)size));
    *out = zero ? tsr_calloc((size_t)n, size) : tsr_malloc((size_t)nbytes);
    return *out ? TSR_OK : out_of_memory(nbytes, what, err);
}

tsr_status tsr_realloc_array(void **block, uint64_t n, size_t size, const char *what, tsr_error *err)
{
    uint64_t nbytes;
    if (!tsr_mul_u64(&nbytes, n, size) || nbytes > SIZE_MAX / 2)
        nbytes = SIZE_MAX / 2;
    void *const moved = nbytes < SIZE_MAX / 2 ? tsr_realloc(*block, (size_t)nbytes) : NULL;
    if (!moved)
        return out_of_memory(nbytes, what, err);
    *block = moved;
    return TSR_OK;
}

char *tsr_bytes_text_f(char *buf, double nbytes)
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
    int u = 0;
    while (nbytes >= 999.5 && u < 8) {
        nbytes /= 1000;
        u++;
    }
    if (u == 0)
        snprintf(buf, 32, "%.0f %s", nbytes, nbytes == 1 ? "byte" : unit[u]);
    else if (nbytes >= 1e6)
        snprintf(buf, 32, "%.2e %s", nbytes, unit[u]);
    else
        snprintf(buf, 32, "%.*f %s", nbytes < 9.995 ? 2 : nbytes < 99.95 ? 1 : 0, nbytes, unit[u]);
    return buf;
}

char *tsr_bytes_text(char *buf, uint64_t nbytes)
{
    return tsr_bytes_text_f(buf, (double)nbytes);
}
