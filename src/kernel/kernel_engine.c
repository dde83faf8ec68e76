/* The engine that runs a lowered program: a built-in function, a function that the JIT compiles or finds in
 * the cache, or the interpreter. */
#include "kernel_builtin.h"
#include "kernel_internal.h"
#include "tsr_emit.h"

#define ENTRY "tsr_rt_entry"

/* Set the kernel's warning. */
static tsr_status warn(tsr_kernel *kernel, const char *words, tsr_error *err)
{
    kernel->info.warning = kernel->text.warning = tsr_strdup(words);
    return kernel->text.warning ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
}

/* Compile and load the text, or load it from the cache; an object of the cache that lacks the
 * function, such as the object of another program, is not used. */
static tsr_status compile(tsr_kernel *kernel, const char *text, const tsr_kernel_options *options,
                          tsr_error *err)
{
    tsr_jit_options how = {.compiler = options->compiler,
                           .flags = options->flags,
                           .cache_dir = options->cache_dir,
                           .no_cache = options->no_cache,
                           .observer = options->observer};
    tsr_jit_stats stats = {0};
    TSR_TRY(tsr_jit_load(&kernel->jit, text, &how, &stats, NULL, err));
    tsr_jit_function entry = tsr_jit_find(kernel->jit, ENTRY);
    if (!entry && stats.from_cache) {
        tsr_jit_free(kernel->jit);
        kernel->jit = NULL;
        how.no_cache = true;
        TSR_TRY(tsr_jit_load(&kernel->jit, text, &how, &stats, NULL, err));
        entry = tsr_jit_find(kernel->jit, ENTRY);
    }
    if (!entry)
        return tsr_fail(err, TSR_CORRUPT, "the compiled kernel does not define the function %s", ENTRY);
    kernel->function = (tsr_rt_function *)entry;
    kernel->info.engine = TSR_ENGINE_JIT;
    kernel->info.from_cache = stats.from_cache;
    kernel->info.compile_ns = stats.compile_ns;
    kernel->info.load_ns = stats.load_ns;
    if (stats.cache_fault.status == TSR_OK)
        return TSR_OK;
    char why[sizeof(tsr_error) + 64];
    return warn(kernel, tsr_error_text(why, sizeof why, &stats.cache_fault), err);
}

/* text: the C text of n bytes. */
static tsr_status choose(tsr_kernel *kernel, const char *text, size_t n, const tsr_kernel_options *options,
                         tsr_error *err)
{
    const tsr_kernel_engine engine = options->engine;
    if (engine != TSR_ENGINE_JIT) {
        char key[TSR_JIT_KEY_NBYTES];
        tsr_jit_hash(key, text, n);
        kernel->function = kernel_made_find(&kernel->info.made, options, key);
        if (!kernel->function)
            kernel->function = kernel_builtin_find(key);
        if (kernel->function) {
            kernel->info.engine = TSR_ENGINE_BUILTIN;
            return TSR_OK;
        }
        if (engine == TSR_ENGINE_BUILTIN)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "there is no built-in kernel for %s with these formats, sizes and types: use another engine",
                kernel->text.expression);
    }
    tsr_error why = {0};
    const tsr_status status = compile(kernel, text, options, &why);
    /* no compiler, or one that takes too long */
    if ((status == TSR_UNSUPPORTED || status == TSR_LIMIT) && engine == TSR_ENGINE_AUTO) {
        kernel->info.engine = TSR_ENGINE_INTERPRETER;
        return warn(kernel, why.message, err);
    }
    if (status != TSR_OK && err)
        *err = why;
    return status;
}

/* The title of the kernel in the list of the cache: "y(i) = A(i,j)*x(j), A:csr, f64". Formats are listed
 * except row-major dense ones; types as one type where all are the same. */
static void add_title(tsr_text *text, const tsr_kernel *kernel)
{
    bool one_type = true;
    tsr_text_add(text, kernel->text.expression);
    for (int t = 0; t < kernel->notation->ntensors; t++) {
        const kernel_tensor *const kt = &kernel->tensor[t];
        one_type = one_type && kt->operand.type == kernel->tensor[0].operand.type;
        int modes[TSR_MAX_ORDER];
        bool plain = tsr_format_is_dense(kt->format) && tsr_format_is_permutation(kt->format, modes);
        for (int m = 0; plain && m < kt->format->order; m++)
            plain = modes[m] == m;
        if (plain)
            continue;
        tsr_text_addf(text, ", %s:", kernel->notation->tensor[t].name);
        tsr_format_print_name_for(text, kt->format, kt->dims);
    }
    for (int t = 0; t < (one_type ? 1 : kernel->notation->ntensors); t++)
        tsr_text_addf(text, "%s%s", t > 0 ? " " : ", ", tsr_type_name(kernel->tensor[t].operand.type));
}

tsr_status kernel_entry_text(tsr_text *text, const tsr_kernel *kernel, tsr_error *err)
{
    const tsr_emit_options how = {.entry = true, .scalar = kernel->schedule.scalar};
    tsr_text_add(text, "/* ");
    add_title(text, kernel);
    tsr_text_add(text, " */\n");
    TSR_TRY(tsr_emit_c(text, kernel->lowered->ir, &how, err));
    return tsr_text_status(text, err);
}

tsr_status kernel_choose_engine(tsr_kernel *kernel, const tsr_kernel_options *options, tsr_error *err)
{
    if (options->engine == TSR_ENGINE_INTERPRETER) {
        kernel->info.engine = TSR_ENGINE_INTERPRETER;
        return TSR_OK;
    }
    tsr_text text = {0};
    tsr_status status = kernel_entry_text(&text, kernel, err);
    if (status == TSR_OK)
        status = choose(kernel, tsr_text_cstr(&text), text.nbytes, options, err);
    tsr_text_clear(&text);
    return status;
}
