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

/* Blocks with more room than they hold (tsr_alloc_adopt_part), whose spare bytes were never written. Only the owner of a block
 * looks it up, so the numbers need no lock. Global variables, as above. */
enum { COUNTED_NBYTES = 64 << 10, MAX_SPARE = 64 };
static struct {
    _Atomic(void *) block; /* NULL: free */
    uint64_t nbytes;
} spare[MAX_SPARE];
static atomic_int nspare;

uint64_t base_room_nbytes(void *block)
{
    const size_t nbytes = tsr_system_block_nbytes(block);
    return nbytes >= COUNTED_NBYTES ? nbytes : 0;
}

static int find_spare(const void *block)
{
    for (int k = 0; block && k < MAX_SPARE && atomic_load(&nspare) > 0; k++)
        if (atomic_load(&spare[k].block) == block)
            return k;
    return -1;
}

/* Note that nbytes of the block are spare. False: there is no place for the note. */
static bool add_spare(void *block, uint64_t nbytes)
{
    static char taken; /* any address that is not that of a block */
    for (int k = 0; k < MAX_SPARE; k++) {
        void *expected = NULL;
        if (!atomic_compare_exchange_strong(&spare[k].block, &expected, (void *)&taken))
            continue;
        spare[k].nbytes = nbytes;
        atomic_fetch_add(&nspare, 1);
        atomic_store(&spare[k].block, block);
        return true;
    }
    return false;
}

/* Forget that bytes of the block are spare, before another owner has it. Returns their number. */
static uint64_t forget_spare(const void *block)
{
    const int k = find_spare(block);
    if (k < 0)
        return 0;
    const uint64_t nbytes = spare[k].nbytes;
    atomic_store(&spare[k].block, NULL);
    atomic_fetch_sub(&nspare, 1);
    return nbytes;
}

/* The bytes of a block that count. */
static unsigned long long size_of(void *block)
{
    const uint64_t nbytes = base_room_nbytes(block);
    const int k = nbytes ? find_spare(block) : -1;
    return k < 0 ? nbytes : nbytes - spare[k].nbytes;
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
    base_kept_make_room(nbytes);
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
    void *block = !locked || has_room(nbytes) ? base_kept_take(nbytes) : NULL;
    if (!block && has_room(nbytes))
        block = advise(allocate(nbytes), nbytes);
    hold(block);
    unlock(locked);
    return count(block);
}

void *tsr_calloc(size_t n, size_t size)
{
    const bool fits = size == 0 || n <= SIZE_MAX / size; /* else calloc fails */
    const size_t nbytes = fits ? n * size : 0;
    if (!may_allocate())
        return NULL;
    const bool locked = lock_limited(nbytes);
    void *block = !locked || has_room(nbytes) ? base_kept_take(nbytes) : NULL;
    if (block) {
        memset(block, 0, nbytes); /* takes less time than new pages */
    } else {
        base_kept_make_room(nbytes);
        block = has_room(nbytes) ? advise(n && size ? calloc(n, size) : calloc(1, 1), nbytes) : NULL;
    }
    hold(block);
    unlock(locked);
    return count(block);
}

void *tsr_realloc(void *block, size_t nbytes)
{
    if (!block)
        return tsr_malloc(nbytes);
    tsr_alloc_hold(forget_spare(block));
    const unsigned long long before = size_of(block);
    const size_t more = nbytes > before ? nbytes - (size_t)before : 0;
    if (!may_allocate())
        return NULL;
    const bool locked = lock_limited(more);
    base_kept_make_room(more);
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

void tsr_alloc_adopt_part(void **block, uint64_t nbytes)
{
    const uint64_t room = base_room_nbytes(*block), rest = room > nbytes ? room - nbytes : 0;
    const bool stays = rest / 2 <= nbytes && base_keeps(room) && add_spare(*block, rest);
    if (rest >= COUNTED_NBYTES && !stays) {
        void *const shorter = realloc(*block, nbytes);
        *block = shorter ? shorter : *block;
    }
    tsr_alloc_adopt(*block);
}

uint64_t tsr_alloc_give(void *block)
{
    const unsigned long long nbytes = size_of(block);
    uncount(block);
    release(nbytes);
    (void)forget_spare(block);
    return base_room_nbytes(block);
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
    (void)forget_spare(block);
    if (!base_kept_add(block, nbytes))
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
