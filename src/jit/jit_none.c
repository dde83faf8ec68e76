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
