/* Cold caches. */
#ifndef BENCH_CACHE_H
#define BENCH_CACHE_H

#include <stdint.h>

#include "tsr_error.h"

typedef struct bench_cache bench_cache;

/* Allocate a buffer twice as large as the last cache (at least 64 MiB). TSR_NOMEM. */
tsr_status bench_cache_new(bench_cache **out, tsr_error *err) TSR_NODISCARD;
/* Walk the buffer on every processor, so that all caches contain nothing else. NULL does nothing. */
void bench_cache_flush(bench_cache *cache);
void bench_cache_free(bench_cache *cache);

#endif
