/* Cold caches: see bench_cache.h. */
#include "bench_cache.h"

#include "tsr_alloc.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"

enum { MIN_NBYTES = 64 << 20, LINE_NBYTES = 64 };

struct bench_cache {
    uint64_t nbytes;
    unsigned char *bytes;
};

tsr_status bench_cache_new(bench_cache **out, tsr_error *err)
{
    void *bytes;
    *out = NULL;
    bench_cache *const cache = tsr_calloc(1, sizeof *cache);
    if (!cache)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a buffer larger than the caches");
    cache->nbytes = 2 * tsr_last_cache_nbytes();
    if (cache->nbytes < MIN_NBYTES)
        cache->nbytes = MIN_NBYTES;
    const tsr_status status =
        tsr_alloc_array(&bytes, cache->nbytes, 1, 1, "a buffer larger than the caches", err);
    if (status != TSR_OK) {
        tsr_free(cache);
        return status;
    }
    cache->bytes = bytes;
    *out = cache;
    return TSR_OK;
}

/* Each thread writes its part and then reads everything, which fills its own caches and the shared one. */
static void walk(void *arg, int t, int nthreads)
{
    bench_cache *const cache = arg;
    volatile unsigned char *const bytes = cache->bytes;
    for (uint64_t i = tsr_cut(cache->nbytes / LINE_NBYTES, t, nthreads);
         i < tsr_cut(cache->nbytes / LINE_NBYTES, t + 1, nthreads); i++)
        bytes[i * LINE_NBYTES]++;
}

static void look(void *arg, int t, int nthreads)
{
    const bench_cache *const cache = arg;
    const volatile unsigned char *const bytes = cache->bytes;
    (void)t;
    (void)nthreads;
    for (uint64_t i = 0; i < cache->nbytes; i += LINE_NBYTES)
        (void)bytes[i];
}

void bench_cache_flush(bench_cache *cache)
{
    if (!cache)
        return;
    tsr_parallel(tsr_thread_count(0), walk, cache);
    tsr_parallel(tsr_thread_count(0), look, cache);
}

void bench_cache_free(bench_cache *cache)
{
    if (cache)
        tsr_free(cache->bytes);
    tsr_free(cache);
}
