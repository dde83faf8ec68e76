/* Memory: see tsr_alloc.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "tsr_alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tsr_checked.h"

#ifdef TSR_FAULTS
#include <stdatomic.h>

static atomic_llong countdown = -1; /* allocations that may still succeed; < 0: all */
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

/* Ask for large pages where a block is large: faulting in 4 kB pages costs a quarter of packing's time. */
static void *advise(void *block, size_t nbytes)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE_NBYTES = 4 << 20, PAGE_NBYTES = 4096 };
    if (block && nbytes >= LARGE_NBYTES) {
        const uintptr_t first = ((uintptr_t)block + PAGE_NBYTES - 1) / PAGE_NBYTES * PAGE_NBYTES;
        const size_t length = (uintptr_t)block + nbytes - first;
        (void)madvise((void *)first, length, MADV_HUGEPAGE); /* advice: failing does no harm */
    }
#else
    (void)nbytes;
#endif
    return block;
}

/* malloc puts large blocks 16 bytes behind the start of a page: each row of a dense factor would then lie on
 * a line more than it has to, which a kernel that prefetches rows by lines misses: SDDMM of 16 columns takes
 * 112 instead of 72 ms. */
static void *allocate(size_t nbytes)
{
    enum { ALIGNED_NBYTES = 4096, LINE_NBYTES = 64 };
    if (nbytes < ALIGNED_NBYTES || nbytes > SIZE_MAX - LINE_NBYTES)
        return malloc(nbytes ? nbytes : 1);
    return aligned_alloc(LINE_NBYTES, (nbytes + LINE_NBYTES - 1) / LINE_NBYTES * LINE_NBYTES);
}

void *tsr_malloc(size_t nbytes)
{
    return may_allocate() ? count(advise(allocate(nbytes), nbytes)) : NULL;
}

void *tsr_calloc(size_t n, size_t size)
{
    if (!may_allocate())
        return NULL;
    return count(n && size ? advise(calloc(n, size), n * size) : calloc(1, 1));
}

void *tsr_realloc(void *block, size_t nbytes)
{
    if (!block)
        return tsr_malloc(nbytes);
    return may_allocate() ? realloc(block, nbytes ? nbytes : 1) : NULL;
}

void tsr_free(void *block)
{
    uncount(block);
    free(block);
}

char *tsr_strdup(const char *s)
{
    const size_t n = strlen(s) + 1;
    char *copy = tsr_malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

tsr_status tsr_alloc_array(void **out, uint64_t n, size_t size, int zero, const char *what, tsr_error *err)
{
    uint64_t nbytes;
    char words[32];
    *out = NULL;
    if (!tsr_mul_u64(&nbytes, n, size) || nbytes > SIZE_MAX / 2)
        return tsr_fail(err, TSR_NOMEM, "%s needs %s: more than can be addressed", what,
                        tsr_bytes_text_f(words, (double)n * (double)size));
    *out = zero ? tsr_calloc((size_t)n, size) : tsr_malloc((size_t)nbytes);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %s needs %s", what, tsr_bytes_text(words, nbytes));
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
