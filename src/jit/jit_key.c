/* The key of an object in the cache: a hash of its text and of how it is compiled. */
#include "jit_internal.h"

#include "tsr_alloc.h"

/* The version of the compiler, from the cache if possible, else from the compiler; then it is cached. */
static tsr_status add_version(tsr_text *recipe, const jit_cache *cache, const jit_compiler *compiler,
                              tsr_error *err)
{
    char name[JIT_VERSION_NAME_NBYTES], *known;
    size_t n;
    TSR_TRY(tsr_jit_compiler_version_name(name, compiler, err));
    TSR_TRY(tsr_jit_file_read(&known, &n, NULL, cache->fd, name, err));
    if (known) {
        tsr_text_add(recipe, known);
        tsr_free(known);
        return TSR_OK;
    }
    tsr_text version = {0};
    tsr_status status = tsr_jit_compiler_version(&version, compiler, err);
    if (status == TSR_OK) {
        tsr_text_add(recipe, tsr_text_cstr(&version));
        const tsr_status put = tsr_jit_cache_put(cache, name, tsr_text_cstr(&version), version.nbytes, NULL);
        if (put == TSR_NOMEM)
            status = tsr_fail(err, put, "out of memory for the version of the compiler");
    }
    tsr_text_clear(&version);
    return status;
}

static tsr_status add_recipe(tsr_text *recipe, const jit_cache *cache, const jit_source *source,
                             tsr_error *err)
{
    tsr_text_add(recipe, "compiler:");
    for (size_t i = 0; i < source->compiler->nargs; i++)
        tsr_text_addf(recipe, " \"%s\"", source->compiler->argv[i]);
    tsr_text_add(recipe, "\nversion: ");
    TSR_TRY(add_version(recipe, cache, source->compiler, err));
    tsr_text_add(recipe, source->is_cpp ? "\nflags for C++:" : "\nflags:");
    for (size_t i = 0; source->flags[i]; i++)
        tsr_text_addf(recipe, " \"%s\"", source->flags[i]);
    tsr_text_add(recipe, "\nprocessor: ");
    TSR_TRY(tsr_jit_processor(recipe, err));
    tsr_text_add(recipe, "\n");
    return tsr_text_status(recipe, err);
}

tsr_status tsr_jit_make_key(char key[TSR_JIT_KEY_NBYTES], tsr_text *recipe, const jit_cache *cache,
                            const jit_source *source, tsr_error *err)
{
    tsr_text whole = {0};
    if (cache->fd >= 0)
        TSR_TRY(add_recipe(recipe, cache, source, err));
    tsr_text_add(&whole, tsr_text_cstr(recipe));
    tsr_text_add(&whole, source->text);
    const tsr_status status = tsr_text_status(&whole, err);
    tsr_jit_hash(key, tsr_text_cstr(&whole), whole.nbytes);
    tsr_text_clear(&whole);
    return status;
}
