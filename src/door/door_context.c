/* Contexts: errors, warnings, threads, progress and cancelling of calls; options; texts. */
#include <string.h>

#include "door_internal.h"
#include "tsr_interrupt.h"
#include "tsr_kernel.h"
#include "tsr_parallel.h"
#include "tsr_version.h"

/* ---- constants ---- */

/* The public numbers are those of status.def, types.def and tsr_structure. */
#define X(name, words) _Static_assert((int)TESSERA_##name == (int)TSR_##name, #name);
#include "status.def"
#undef X
#define X(name, text, ctype, nbytes, class) _Static_assert((int)TESSERA_##name == (int)TSR_##name, #name);
#include "types.def"
#undef X
_Static_assert((int)TESSERA_SKEW_UPPER == (int)TSR_SKEW_UPPER, "structures");
_Static_assert((int)TESSERA_ERROR == (int)TSR_DUP_ERROR, "duplicates");
_Static_assert((int)TESSERA_INDEX_64 == (int)TSR_INDEX_64, "widths");
_Static_assert((int)TESSERA_MAX_ORDER == (int)TSR_MAX_ORDER && (int)TESSERA_MAX_LEVELS == (int)TSR_MAX_LEVELS,
               "limits");

const char *tessera_version(void)
{
    return tsr_version();
}

const char *tessera_status_text(tessera_status status)
{
    return (unsigned)status < TSR_NSTATUS ? tsr_status_words((tsr_status)status) : "?";
}

const char *tessera_type_text(tessera_type type)
{
    return (unsigned)type < TSR_NTYPES ? tsr_type_name((tsr_type)type) : "?";
}

size_t tessera_type_nbytes(tessera_type type)
{
    return (unsigned)type < TSR_NTYPES ? tsr_type_nbytes((tsr_type)type) : 0;
}

void tessera_text_free(char *text)
{
    tsr_free(text);
}

/* ---- observers ---- */

static bool goes_on(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    tessera_context *const c = ctx;
    atomic_store_explicit(&c->phase, phase, memory_order_relaxed);
    atomic_store_explicit(&c->done, done, memory_order_relaxed);
    atomic_store_explicit(&c->total, total, memory_order_relaxed);
    const tessera_progress state = {.size = sizeof state, .phase = phase, .done = done, .total = total};
    if (c->watch && c->watch(c->watch_user, &state) != 0)
        tessera_context_cancel(c);
    return !atomic_load_explicit(&c->cancelled, memory_order_relaxed) && !tsr_interrupted();
}

static void keep_warning(void *ctx, const tsr_error *warning)
{
    tessera_context *const c = ctx;
    char text[sizeof(tsr_error) + 64];
    if (c->nwarnings == DOOR_MAX_WARNINGS)
        return;
    char *const copy = tsr_strdup(tsr_error_text(text, sizeof text, warning));
    if (copy)
        c->warning[c->nwarnings++] = copy;
}

static bool goes_on_alone(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    (void)ctx, (void)phase, (void)done, (void)total;
    return !tsr_interrupted();
}

/* ---- contexts ---- */

tessera_context *tessera_context_new(void)
{
    tessera_context *const ctx = tsr_calloc(1, sizeof *ctx);
    if (!ctx || !(ctx->pool = tsr_kernel_pool_new())) {
        tsr_free(ctx);
        return NULL;
    }
    atomic_init(&ctx->phase, "");
    ctx->observer = (tsr_observer){.ctx = ctx, .warn = keep_warning, .progress = goes_on};
    tsr_alloc_recycle(true);
    return ctx;
}

static void forget_warnings(tessera_context *ctx)
{
    for (int i = 0; i < ctx->nwarnings; i++)
        tsr_free(ctx->warning[i]);
    ctx->nwarnings = 0;
}

static void forget(tessera_context *ctx)
{
    forget_warnings(ctx);
    ctx->err.status = TSR_OK;
    ctx->err.line = ctx->err.col = 0;
    ctx->err.path[0] = ctx->err.message[0] = '\0';
    atomic_store_explicit(&ctx->phase, "", memory_order_relaxed);
    atomic_store_explicit(&ctx->done, 0, memory_order_relaxed);
    atomic_store_explicit(&ctx->total, 0, memory_order_relaxed);
}

void tessera_context_free(tessera_context *ctx)
{
    if (!ctx)
        return;
    forget_warnings(ctx);
    for (int i = 0; i < DOOR_NBINDINGS; i++) {
        tsr_free(ctx->bindings[i].text);
        door_unbind(ctx->bindings[i].binding);
    }
    tsr_free(ctx->scratch);
    tsr_kernel_pool_free(ctx->pool);
    tsr_free(ctx);
    tsr_alloc_recycle(false);
}

void tessera_set_kept_memory(uint64_t nbytes)
{
    tsr_alloc_set_recycled(nbytes);
}

void tessera_context_set_threads(tessera_context *ctx, int nthreads)
{
    if (ctx)
        ctx->nthreads = nthreads > 0 ? nthreads : 0;
}

void tessera_threads_release(void)
{
    tsr_threads_release();
}

tessera_status tessera_context_status(const tessera_context *ctx)
{
    return ctx ? (tessera_status)ctx->err.status : TESSERA_OK;
}

const char *tessera_context_message(const tessera_context *ctx)
{
    return ctx ? ctx->err.message : "";
}

const char *tessera_context_path(const tessera_context *ctx)
{
    return ctx ? ctx->err.path : "";
}

uint64_t tessera_context_line(const tessera_context *ctx)
{
    return ctx ? ctx->err.line : 0;
}

uint64_t tessera_context_column(const tessera_context *ctx)
{
    return ctx ? ctx->err.col : 0;
}

const char *tessera_context_text(const tessera_context *ctx)
{
    return ctx ? ctx->text : "";
}

int tessera_context_nwarnings(const tessera_context *ctx)
{
    return ctx ? ctx->nwarnings : 0;
}

const char *tessera_context_warning(const tessera_context *ctx, int i)
{
    return ctx && i >= 0 && i < ctx->nwarnings ? ctx->warning[i] : NULL;
}

void tessera_context_progress(tessera_progress *out, const tessera_context *ctx)
{
    tessera_progress own = {.phase = ""};
    if (ctx) {
        tessera_context *const c =
            (tessera_context *)(uintptr_t)ctx; /* C11 loads atomics from non-const objects */
        own.phase = atomic_load_explicit(&c->phase, memory_order_relaxed);
        own.done = atomic_load_explicit(&c->done, memory_order_relaxed);
        own.total = atomic_load_explicit(&c->total, memory_order_relaxed);
    }
    if (out && door_fill(out, &own, sizeof own, "tessera_progress", NULL) != TSR_OK)
        return; /* a size of 0: there is no room for an answer */
}

void tessera_context_watch(tessera_context *ctx, int (*watch)(void *user, const tessera_progress *state),
                           void *user)
{
    if (ctx) {
        ctx->watch = watch;
        ctx->watch_user = user;
    }
}

void tessera_context_cancel(tessera_context *ctx)
{
    if (ctx)
        atomic_store_explicit(&ctx->cancelled, true, memory_order_relaxed);
}

void tessera_context_reset(tessera_context *ctx)
{
    if (!ctx)
        return;
    atomic_store_explicit(&ctx->cancelled, false, memory_order_relaxed);
    forget(ctx);
    ctx->text[0] = '\0';
}

void tessera_interrupt(int on)
{
    if (on) {
        tsr_interrupt();
        return;
    }
    (void)tsr_interrupt_init(); /* without a pipe, waits end later */
    tsr_interrupt_reset();
}

/* ---- calls ---- */

static bool is_cancelled(void *ctx)
{
    return atomic_load_explicit(&((tessera_context *)ctx)->cancelled, memory_order_relaxed);
}

door_call door_begin(tessera_context *ctx)
{
    static const tsr_observer alone = {.progress = goes_on_alone};
    const tsr_interrupt_scope scope = {ctx ? is_cancelled : NULL, ctx};
    const tsr_interrupt_scope outer = tsr_interrupt_enter(scope);
    if (!ctx)
        return (door_call){.observer = &alone, .outer = outer};
    forget(ctx);
    ctx->text[0] = '\0';
    return (door_call){
        .ctx = ctx, .err = &ctx->err, .nthreads = ctx->nthreads, .observer = &ctx->observer, .outer = outer};
}

tessera_status door_end(const door_call *call, tsr_status status)
{
    (void)tsr_interrupt_enter(call->outer);
    if (!call->ctx)
        return (tessera_status)status;
    call->err->status = status;
    if (status == TSR_OK) {
        call->err->message[0] = call->err->path[0] = '\0';
        call->err->line = call->err->col = 0;
        return TESSERA_OK;
    }
    if (call->err->message[0] == '\0')
        tsr_fail(call->err, status, "%s", tsr_status_words(status));
    tsr_error_text(call->ctx->text, sizeof call->ctx->text, call->err);
    return (tessera_status)status;
}

tsr_status door_check_cancelled(const door_call *call)
{
    return tsr_interrupt_check(call->err);
}

tsr_status door_need(const void *pointer, const char *what, tsr_error *err)
{
    return pointer ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "missing %s: the pointer is NULL", what);
}

/* ---- structs that begin with their size ---- */

static tsr_status size_of(size_t *size, const void *given, const char *what, tsr_error *err)
{
    memcpy(size, given, sizeof *size);
    if (*size >= sizeof *size)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "the size of %s is %zu: set it to sizeof(%s) before the call", what,
                    *size, what);
}

tsr_status door_options(void *own, size_t nbytes, const void *given, const char *what, tsr_error *err)
{
    size_t size = 0;
    memset(own, 0, nbytes);
    if (!given)
        return TSR_OK;
    TSR_TRY(size_of(&size, given, what, err));
    const unsigned char *const bytes = given;
    for (size_t i = nbytes; i < size; i++)
        if (bytes[i] != 0)
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "%s has a field that this library (version %s) does not know: link a later version", what,
                tsr_version());
    memcpy(own, given, size < nbytes ? size : nbytes);
    return TSR_OK;
}

tsr_status door_fill(void *given, const void *own, size_t nbytes, const char *what, tsr_error *err)
{
    size_t size = 0;
    TSR_TRY(size_of(&size, given, what, err));
    memcpy((char *)given + sizeof size, (const char *)own + sizeof size,
           (size < nbytes ? size : nbytes) - sizeof size);
    return TSR_OK;
}
