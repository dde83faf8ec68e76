/* The engine that runs a lowered program: a built-in function, a function that the JIT compiles or finds in
 * the cache, or the interpreter, for good or while a compiler works. */
#include "kernel_builtin.h"
#include "kernel_steps.h"
#include "tsr_emit.h"

#define ENTRY "tsr_rt_entry"

enum { LOOK_MS = 1 }; /* how often to look whether the compiler has ended */

static tsr_status warn(kernel_code *code, const char *words, tsr_error *err)
{
    code->info.warning = code->warning = tsr_strdup(words);
    return code->warning ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
}

tsr_jit_options kernel_jit_options(const tsr_kernel_options *options)
{
    return (tsr_jit_options){.compiler = options->compiler,
                             .flags = options->flags,
                             .cache_dir = options->cache_dir,
                             .no_cache = options->no_cache,
                             .observer = options->observer};
}

/* Compile and load the text, or load it from the cache; an object of the cache that lacks the
 * function, such as the object of another program, is not used. */
static tsr_status compile(kernel_code *code, const char *text, const tsr_kernel_options *options,
                          tsr_error *err)
{
    tsr_jit_options how = kernel_jit_options(options);
    tsr_jit_stats stats = {0};
    tsr_jit_function entry = NULL;
    do {
        tsr_jit_free(code->jit);
        code->jit = NULL;
        how.no_cache = how.no_cache || stats.from_cache;
        TSR_TRY(tsr_jit_load(&code->jit, text, &how, &stats, NULL, err));
        entry = tsr_jit_find(code->jit, ENTRY);
    } while (!entry && stats.from_cache);
    if (!entry)
        return tsr_fail(err, TSR_CORRUPT, "the compiled kernel does not define the function %s", ENTRY);
    code->info.engine = TSR_ENGINE_JIT;
    code->info.from_cache = stats.from_cache && !code->source; /* else its own compiler put it there */
    code->info.compile_ns = stats.compile_ns;
    code->info.load_ns = stats.load_ns;
    char why[sizeof(tsr_error) + 64];
    if (stats.cache_fault.status != TSR_OK)
        TSR_TRY(warn(code, tsr_error_text(why, sizeof why, &stats.cache_fault), err));
    atomic_store(&code->function, (tsr_rt_function *)entry);
    return TSR_OK;
}

/* Compile the text, or interpret the program where that is not possible. */
static tsr_status compile_or_interpret(kernel_code *code, const char *text, const tsr_kernel_options *options,
                                       tsr_error *err)
{
    tsr_error why = {0};
    const tsr_status status = compile(code, text, options, &why);
    /* no compiler, or one that takes too long */
    if ((status == TSR_UNSUPPORTED || status == TSR_LIMIT) && options->engine == TSR_ENGINE_AUTO) {
        code->info.engine = TSR_ENGINE_INTERPRETER;
        return warn(code, why.message, err);
    }
    if (status != TSR_OK && err)
        *err = why;
    return status;
}

/* Start the compiler, and interpret meanwhile, where that gives the same bits: else code->waits stays false. */
static tsr_status begin(kernel_code *code, const tsr_kernel *kernel, const char *text,
                        const tsr_kernel_options *options, tsr_error *err)
{
    tsr_jit_options how = kernel_jit_options(options);
    how.observer = NULL;
    if (!options->pool || options->engine != TSR_ENGINE_AUTO || !tsr_ir_is_exact(kernel->lowered->ir))
        return TSR_OK;
    TSR_TRY(tsr_jit_start(&code->number, options->pool, text, &how, err));
    if (code->number == 0)
        return TSR_OK;
    code->source = tsr_strdup(text);
    if (!code->source)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    code->pool = tsr_jit_pool_share(options->pool);
    code->info.engine = TSR_ENGINE_INTERPRETER;
    atomic_store(&code->waits, true);
    return TSR_OK;
}

/* text: the C text of n bytes. */
static tsr_status choose(kernel_code *code, const tsr_kernel *kernel, const tsr_text *text,
                         const tsr_kernel_options *options, tsr_error *err)
{
    if (options->engine != TSR_ENGINE_JIT) {
        char key[TSR_JIT_KEY_NBYTES];
        tsr_jit_hash(key, tsr_text_cstr(text), text->nbytes);
        tsr_rt_function *function = kernel_made_find(&code->info.made, options, key);
        if (!function)
            function = kernel_builtin_find(key);
        atomic_store(&code->function, function);
        code->info.engine = TSR_ENGINE_BUILTIN;
        if (function)
            return TSR_OK;
        if (options->engine == TSR_ENGINE_BUILTIN)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "there is no built-in kernel for %s with these formats, sizes and types: use another engine",
                kernel->text.expression);
    }
    TSR_TRY(begin(code, kernel, tsr_text_cstr(text), options, err));
    return atomic_load(&code->waits) ? TSR_OK : compile_or_interpret(code, tsr_text_cstr(text), options, err);
}

/* ---- a compiler at work ---- */

/* Take what the compiler made, which is not at work any more. After an error the next call tries again. */
static tsr_status take(kernel_code *code, const tsr_kernel *kernel, tsr_error *err)
{
    tsr_kernel_options options = kernel->how;
    tsr_status status = TSR_OK;
    options.observer = NULL; /* of the call that made the kernel */
    pthread_mutex_lock(&code->lock);
    if (atomic_load(&code->waits)) {
        status = compile_or_interpret(code, code->source, &options, err);
        atomic_store(&code->is_news, status == TSR_OK && code->warning);
        atomic_store(&code->waits, status != TSR_OK);
    }
    pthread_mutex_unlock(&code->lock);
    return status;
}

tsr_status kernel_find_function(tsr_rt_function **function, bool *waits, const tsr_kernel *kernel,
                                tsr_error *err)
{
    kernel_code *const code = kernel->code;
    *waits = atomic_load(&code->waits);
    if (*waits && !tsr_jit_is_at_work(code->pool, code->number)) {
        TSR_TRY(take(code, kernel, err));
        *waits = false;
    }
    *function = atomic_load(&code->function);
    return TSR_OK;
}

tsr_status kernel_await(tsr_rt_function **function, const tsr_kernel *kernel, tsr_error *err)
{
    bool waits = true;
    while (waits) {
        TSR_TRY(tsr_interrupt_check(err));
        TSR_TRY(kernel_find_function(function, &waits, kernel, err));
        if (waits)
            tsr_interrupt_sleep(LOOK_MS);
    }
    return TSR_OK;
}

tsr_status tsr_kernel_await(const tsr_kernel_info **info, const tsr_kernel *kernel, tsr_error *err)
{
    tsr_rt_function *function;
    *info = kernel->code ? &kernel->code->info : &kernel->info;
    for (int k = 0; k < kernel->nsteps; k++) {
        const tsr_kernel_info *own;
        if (kernel->step[k].own)
            TSR_TRY(tsr_kernel_await(&own, kernel->step[k].own, err));
    }
    return kernel->code ? kernel_await(&function, kernel, err) : TSR_OK;
}

struct tsr_jit_pool *tsr_kernel_pool_new(void)
{
    return tsr_jit_pool_new();
}

void tsr_kernel_pool_free(struct tsr_jit_pool *pool)
{
    tsr_jit_pool_free(pool);
}

const char *tsr_kernel_news(const tsr_kernel *kernel)
{
    kernel_code *const code = kernel->code;
    return code && atomic_exchange(&code->is_news, false) ? code->warning : NULL;
}

void kernel_code_free(kernel_code *code)
{
    if (!code)
        return;
    tsr_jit_pool_free(code->pool);
    tsr_jit_free(code->jit);
    pthread_mutex_destroy(&code->lock);
    tsr_free(code->warning);
    tsr_free(code->source);
    tsr_free(code);
}

/* ---- what is compiled ---- */

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
    kernel_code *const code = tsr_calloc(1, sizeof *code);
    if (!code || pthread_mutex_init(&code->lock, NULL) != 0) {
        tsr_free(code);
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    }
    kernel_code_free(kernel->code); /* of a kernel that was made to be asked only */
    kernel->code = code;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    code->info = kernel->info;
    code->info.engine = TSR_ENGINE_INTERPRETER;
    if (options->engine != TSR_ENGINE_INTERPRETER) {
        status = kernel_entry_text(&text, kernel, err);
        if (status == TSR_OK)
            status = choose(code, kernel, &text, options, err);
    }
    kernel->info = code->info;
    tsr_text_clear(&text);
    return status;
}
