/* A build that compiles no kernels (TSR_WITH_JIT=OFF): they are interpreted. See tsr_jit.h. */
#include "tsr_jit.h"

const char *const tsr_jit_default_flags[] = {NULL};

static tsr_status fail(tsr_error *err)
{
    return tsr_fail(err, TSR_UNSUPPORTED, "this build of Tessera does not start a compiler");
}

tsr_status tsr_jit_load(tsr_jit **out, const char *text, const tsr_jit_options *options, tsr_jit_stats *stats,
                        tsr_text *log, tsr_error *err)
{
    (void)text, (void)options, (void)log;
    *out = NULL;
    if (stats)
        *stats = (tsr_jit_stats){.from_cache = false};
    return fail(err);
}

struct tsr_jit_pool {
    char none;
};

tsr_jit_pool *tsr_jit_pool_new(void)
{
    static tsr_jit_pool pool;
    return &pool;
}

tsr_jit_pool *tsr_jit_pool_share(tsr_jit_pool *pool)
{
    return pool;
}

void tsr_jit_pool_free(tsr_jit_pool *pool)
{
    (void)pool;
}

tsr_status tsr_jit_start(uint64_t *number, tsr_jit_pool *pool, const char *text,
                         const tsr_jit_options *options, tsr_error *err)
{
    (void)pool, (void)text, (void)options, (void)err;
    *number = 0;
    return TSR_OK;
}

bool tsr_jit_is_at_work(tsr_jit_pool *pool, uint64_t number)
{
    (void)pool, (void)number;
    return false;
}

void tsr_jit_add_cache_folder(tsr_text *path)
{
    (void)path;
}

void tsr_jit_free(tsr_jit *jit)
{
    (void)jit;
}

tsr_jit_function tsr_jit_find(const tsr_jit *jit, const char *name)
{
    (void)jit, (void)name;
    return NULL;
}

tsr_status tsr_jit_program(const char *folder, const char *name, const char *text,
                           const tsr_jit_options *options, tsr_text *log, tsr_error *err)
{
    (void)folder, (void)name, (void)text, (void)options, (void)log;
    return fail(err);
}

tsr_status tsr_jit_list(const tsr_jit_options *options, bool (*visit)(void *arg, const tsr_jit_entry *entry),
                        void *arg, tsr_error *err)
{
    (void)options, (void)visit, (void)arg;
    return fail(err);
}

tsr_status tsr_jit_clear(const tsr_jit_options *options, tsr_error *err)
{
    (void)options;
    return fail(err);
}
