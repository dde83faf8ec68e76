/* Kernels as handles: an expression that runs on tensors of any formats, types and sizes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "door_kernel.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"

/* ---- making kernels ---- */

static tsr_status copy_text(const char **out, char **owned, const char *text, tsr_error *err)
{
    *out = NULL;
    if (!text)
        return TSR_OK;
    *owned = tsr_strdup(text);
    if (!*owned)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *out = *owned;
    return TSR_OK;
}

/* Compile the functions of the options. The column in an error belongs to the expression, so the message names the
 * column in a function. */
static tsr_status define_functions(tessera_kernel *kernel, const tessera_kernel_options *o,
                                   const door_call *call)
{
    if (o->nfunctions < 0)
        return tsr_fail(call->err, TSR_ARGUMENT, "nfunctions is %d", o->nfunctions);
    if (o->nfunctions == 0)
        return TSR_OK;
    TSR_TRY(door_need(o->functions, "functions", call->err));
    for (int k = 0; k < o->nfunctions; k++)
        if (!o->functions[k])
            return tsr_fail(call->err, TSR_ARGUMENT, "missing function %d of %d: the pointer is NULL", k,
                            o->nfunctions);
    tsr_kernel_options how = kernel->options;
    tsr_error why = {0};
    how.observer = call->observer;
    const tsr_status status = tsr_functions_new(&kernel->functions, o->functions, o->nfunctions, &how, &why);
    kernel->options.functions = kernel->functions;
    if (status == TSR_OK || why.col == 0)
        return status == TSR_OK ? TSR_OK : tsr_fail(call->err, status, "%s", why.message);
    return tsr_fail(call->err, status, "functions: byte %" PRIu64 ": %s", why.col, why.message);
}

static tsr_status take_options(tessera_kernel *kernel, const tessera_kernel_options *given,
                               const door_call *call)
{
    tsr_error *const err = call->err;
    tessera_kernel_options o;
    tsr_kernel_options *const to = &kernel->options;
    const char *format;
    const tsr_semiring *ring;
    TSR_TRY(door_options(&o, sizeof o, given, "tessera_kernel_options", err));
    if ((unsigned)o.engine > TESSERA_ENGINE_INTERPRETER)
        return tsr_fail(err, TSR_ARGUMENT, "%d is not an engine: see tessera_engine", (int)o.engine);
    TSR_TRY(tsr_semiring_parse(&ring, o.semiring, err));
    kernel->has_type = o.has_type != 0;
    if (kernel->has_type)
        TSR_TRY(door_check_type(o.type, err));
    kernel->is_pattern = kernel->has_type && o.type == TESSERA_PATTERN;
    kernel->half = kernel->has_type && tsr_type_is_half((tsr_type)o.type) ? (tsr_type)o.type : TSR_NTYPES;
    kernel->has_type = kernel->has_type && !kernel->is_pattern && kernel->half == TSR_NTYPES;
    kernel->type = kernel->has_type ? (tsr_type)o.type : TSR_NTYPES;
    to->engine = (tsr_kernel_engine)o.engine;
    to->no_cache = o.no_cache != 0;
    TSR_TRY(copy_text(&to->schedule, &kernel->text[0], o.schedule, err));
    TSR_TRY(copy_text(&to->semiring, &kernel->text[1], o.semiring, err));
    TSR_TRY(copy_text(&to->compiler, &kernel->text[2], o.compiler, err));
    TSR_TRY(copy_text(&to->cache_dir, &kernel->text[3], o.cache_dir, err));
    TSR_TRY(copy_text(&format, &kernel->text[4], o.format, err));
    return define_functions(kernel, &o, call);
}

/* What can be refused before there are operands. */
static tsr_status check_texts(const tessera_kernel *kernel, tsr_error *err)
{
    tsr_format *format = NULL;
    if (!kernel->text[4])
        return TSR_OK;
    const tsr_status status =
        tsr_format_parse(&format, kernel->text[4], kernel->notation->tensor[0].order, NULL, err);
    tsr_format_free(format);
    return status;
}

tsr_status door_kernel_new(tessera_kernel **out, const char *expression,
                           const tessera_kernel_options *options, const door_call *call)
{
    tsr_text text = {0};
    tessera_kernel *const kernel = tsr_calloc(1, sizeof *kernel);
    if (!kernel || pthread_mutex_init(&kernel->lock, NULL) != 0) {
        tsr_free(kernel);
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: a kernel");
    }
    tsr_status status = take_options(kernel, options, call);
    if (status == TSR_OK)
        status = tsr_program_parse(&kernel->notation, expression, tsr_functions_list(kernel->functions),
                                   call->err);
    if (status == TSR_OK) {
        tsr_notation_print(&text, kernel->notation);
        status = tsr_text_take(&kernel->expression, &text, call->err);
    }
    if (status == TSR_OK) {
        kernel->is_pattern = kernel->is_pattern ||
                             (kernel->notation->is_truth && !kernel->has_type && kernel->half == TSR_NTYPES);
        status = check_texts(kernel, call->err);
    }
    if (status == TSR_OK)
        status = door_take_made(kernel, call);
    if (status == TSR_OK)
        *out = kernel;
    else
        tessera_kernel_free(kernel);
    return status;
}

tessera_status tessera_kernel_new(tessera_kernel **out, const char *expression,
                                  const tessera_kernel_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_need(expression, "expression", call.err));
    status = door_kernel_new(out, expression, options, &call);
out:
    return door_end(&call, status);
}

void tessera_kernel_free(tessera_kernel *kernel)
{
    if (!kernel)
        return;
    while (kernel->variants) {
        door_variant *const variant = kernel->variants;
        kernel->variants = variant->next;
        door_variant_drop(variant);
    }
    door_drop_made(kernel);
    tsr_notation_free(kernel->notation);
    tsr_functions_free(kernel->functions);
    tsr_free(kernel->expression);
    for (size_t i = 0; i < sizeof kernel->text / sizeof kernel->text[0]; i++)
        tsr_free(kernel->text[i]);
    pthread_mutex_destroy(&kernel->lock);
    tsr_free(kernel);
}

/* ---- properties ---- */

const char *tessera_kernel_expression(const tessera_kernel *kernel)
{
    return kernel ? kernel->expression : "";
}

int tessera_kernel_ntensors(const tessera_kernel *kernel)
{
    return kernel ? kernel->notation->ntensors : 0;
}

const char *tessera_kernel_name(const tessera_kernel *kernel, int t)
{
    return kernel && t >= 0 && t < kernel->notation->ntensors ? kernel->notation->tensor[t].name : NULL;
}

int tessera_kernel_order(const tessera_kernel *kernel, int t)
{
    return kernel && t >= 0 && t < kernel->notation->ntensors ? kernel->notation->tensor[t].order : -1;
}

int tessera_kernel_nlowered(const tessera_kernel *kernel)
{
    return kernel ? atomic_load(&((tessera_kernel *)(uintptr_t)kernel)->nlowered) : 0;
}

/* ---- runs ---- */

tsr_status door_kernel_begin(const door_call *call)
{
    return tsr_progress(call->observer, "run", 0, 0, call->err);
}

tsr_status door_kernel_operands(door_operands *to, const tessera_kernel *kernel,
                                const tessera_tensor *const *given, const door_call *call)
{
    TSR_TRY(door_need(kernel, "kernel", call->err));
    if (kernel->notation->ntensors > 1)
        TSR_TRY(door_need(given, "operands", call->err));
    for (int t = 1; t < kernel->notation->ntensors; t++) {
        if (!given[t - 1])
            return tsr_fail(call->err, TSR_ARGUMENT, "missing the tensor %s: operand %d is NULL",
                            kernel->notation->tensor[t].name, t - 1);
        to->inside[t - 1] = given[t - 1]->inside;
        TSR_TRY(door_check_ends(to->inside[t - 1], call->err));
    }
    return door_check_cancelled(call);
}

void door_tell_news(const door_variant *variant, const door_call *call)
{
    const char *const words = tsr_kernel_news(variant->kernel);
    if (words)
        door_warn_kernel(words, true, call);
}

tessera_status tessera_kernel_prepare(tessera_kernel *kernel, const tessera_tensor *const *given,
                                      tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    const tsr_kernel_info *info;
    door_operands o;
    door_variant *variant = NULL;
    tsr_status status = door_kernel_operands(&o, kernel, given, &call);
    if (status == TSR_OK)
        status = door_variant_find(&variant, kernel, (door_use){.operands = o.inside}, &call);
    if (status == TSR_OK)
        status = tsr_kernel_await(&info, variant->kernel, call.err);
    if (status == TSR_OK)
        door_tell_news(variant, &call);
    door_variant_drop(variant);
    return door_end(&call, status);
}

static tsr_status new_result(tessera_tensor **out, const door_variant *variant, const door_operands *o,
                             const door_call *call)
{
    tsr_tensor *result;
    TSR_TRY(tsr_kernel_result(&result, variant->kernel, o->inside, call->err));
    return door_tensor_new(out, result, call);
}

/* Computes into a result: tsr_kernel_run, tsr_kernel_compute. */
typedef tsr_status (*run_function)(const tsr_kernel *kernel, tsr_tensor *result,
                                   const tsr_tensor *const *operands, int nthreads, tsr_error *err);

/* A dense result has a kernel for all purposes. */
static door_use use_of(const tsr_tensor *result, const door_operands *o, run_function run)
{
    return (door_use){.result = result,
                      .operands = o->inside,
                      .values_only = run == tsr_kernel_compute && !tsr_format_is_dense(result->format)};
}

/* A result of type pattern has no values to compute into, and one of 16 bits is rounded when all sums are complete. */
static tsr_status refuse_type(const tessera_kernel *kernel, tsr_error *err)
{
    if (kernel->half != TSR_NTYPES)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "a result of type %s is rounded once, after the run: make a new one with "
                        "tessera_kernel_call",
                        tsr_type_name(kernel->half));
    return kernel->is_pattern ? tsr_fail(err, TSR_UNSUPPORTED,
                                         "a result of type pattern has no values: make a new one with "
                                         "tessera_kernel_call")
                              : TSR_OK;
}

static tessera_status run_into(tessera_kernel *kernel, tessera_tensor *result,
                               const tessera_tensor *const *given, run_function run, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    door_operands o;
    door_variant *variant = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(result, "result", call.err));
    TSR_TRY_OUT(door_kernel_operands(&o, kernel, given, &call));
    TSR_TRY_OUT(refuse_type(kernel, call.err));
    TSR_TRY_OUT(door_variant_find(&variant, kernel, use_of(result->inside, &o, run), &call));
    TSR_TRY_OUT(door_kernel_begin(&call));
    status = run(variant->kernel, result->inside, o.inside, call.nthreads, call.err);
    door_tell_news(variant, &call);
    if (status == TSR_OK)
        status = door_settle_again(result, &call);
out:
    door_variant_drop(variant);
    return door_end(&call, status);
}

tessera_status tessera_kernel_run(tessera_kernel *kernel, tessera_tensor *result,
                                  const tessera_tensor *const *given, tessera_context *ctx)
{
    return run_into(kernel, result, given, tsr_kernel_run, ctx);
}

tessera_status tessera_kernel_compute(tessera_kernel *kernel, tessera_tensor *result,
                                      const tessera_tensor *const *given, tessera_context *ctx)
{
    return run_into(kernel, result, given, tsr_kernel_compute, ctx);
}

/* A new result for these operands, into which `run` (NULL: nothing) has computed. */
static tessera_status make_result(tessera_tensor **out, tessera_kernel *kernel,
                                  const tessera_tensor *const *given, run_function run, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    door_operands o;
    door_variant *variant = NULL;
    tessera_tensor *result = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_kernel_operands(&o, kernel, given, &call));
    TSR_TRY_OUT(door_variant_find(&variant, kernel, (door_use){.operands = o.inside}, &call));
    TSR_TRY_OUT(new_result(&result, variant, &o, &call));
    TSR_TRY_OUT(door_kernel_begin(&call));
    const bool is_truth = kernel->notation->is_truth, only_entries = kernel->is_pattern && !is_truth;
    if (run)
        TSR_TRY_OUT((only_entries ? tsr_kernel_assemble : run)(variant->kernel, result->inside, o.inside,
                                                               call.nthreads, call.err));
    if (kernel->half != TSR_NTYPES && run == tsr_kernel_run)
        TSR_TRY_OUT(tsr_tensor_retype(result->inside, kernel->half, call.err));
    if (kernel->is_pattern)
        TSR_TRY_OUT((is_truth ? tsr_tensor_make_pattern : tsr_tensor_drop_values)(result->inside, call.err));
    door_tell_news(variant, &call);
    TSR_TRY_OUT(door_settle_again(result, &call));
    *out = result;
    result = NULL;
out:
    tessera_tensor_free(result);
    door_variant_drop(variant);
    return door_end(&call, status);
}

tessera_status tessera_kernel_result(tessera_tensor **out, tessera_kernel *kernel,
                                     const tessera_tensor *const *given, tessera_context *ctx)
{
    return make_result(out, kernel, given, NULL, ctx);
}

tessera_status tessera_kernel_assemble(tessera_tensor **out, tessera_kernel *kernel,
                                       const tessera_tensor *const *given, tessera_context *ctx)
{
    return make_result(out, kernel, given, tsr_kernel_assemble, ctx);
}

tessera_status tessera_kernel_call(tessera_tensor **out, tessera_kernel *kernel,
                                   const tessera_tensor *const *given, tessera_context *ctx)
{
    return make_result(out, kernel, given, tsr_kernel_run, ctx);
}

/* ---- texts ---- */

static tsr_status print_engine(tsr_text *text, const tsr_kernel *kernel, tsr_error *err)
{
    const tsr_kernel_info *info;
    TSR_TRY(tsr_kernel_await(&info, kernel, err));
    switch (info->engine) {
    case TSR_ENGINE_BUILTIN:
        if (info->made)
            tsr_text_addf(text, "made ahead of time (%s)", info->made);
        else
            tsr_text_add(text, "built in");
        break;
    case TSR_ENGINE_INTERPRETER:
        tsr_text_add(text, "interpreted");
        break;
    default:
        tsr_text_add(text, info->from_cache ? "compiled (cached)" : "compiled");
        break;
    }
    if (info->warning)
        tsr_text_addf(text, ": %s", info->warning);
    return TSR_OK;
}

static tsr_status print(tsr_text *text, const tsr_kernel *kernel, tessera_kernel_text what, tsr_error *err)
{
    switch (what) {
    case TESSERA_TEXT_C:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_C, err);
    case TESSERA_TEXT_C11:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_C11, err);
    case TESSERA_TEXT_C_SHORT:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_C_SHORT, err);
    case TESSERA_TEXT_C11_SHORT:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_C11_SHORT, err);
    case TESSERA_TEXT_RUNTIME:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_RUNTIME, err);
    case TESSERA_TEXT_IR:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_IR, err);
    case TESSERA_TEXT_GRAPH:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_GRAPH, err);
    case TESSERA_TEXT_HEADER:
        return tsr_kernel_print(text, kernel, TSR_KERNEL_HEADER, err);
    case TESSERA_TEXT_SCHEDULE:
        tsr_text_add(text, tsr_kernel_get_info(kernel)->schedule);
        return TSR_OK;
    case TESSERA_TEXT_ENGINE:
        return print_engine(text, kernel, err);
    }
    return tsr_fail(err, TSR_ARGUMENT, "%d is not a text of a kernel: see tessera_kernel_text", (int)what);
}

tessera_status tessera_kernel_print(char **out, tessera_kernel *kernel, tessera_kernel_text what,
                                    const tessera_tensor *const *given, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    door_operands o;
    tsr_text text = {0};
    door_variant *variant = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(door_kernel_operands(&o, kernel, given, &call));
    TSR_TRY_OUT(door_variant_find(&variant, kernel, (door_use){.operands = o.inside}, &call));
    TSR_TRY_OUT(print(&text, variant->kernel, what, call.err));
    status = tsr_text_take(out, &text, call.err);
out:
    tsr_text_clear(&text);
    door_variant_drop(variant);
    return door_end(&call, status);
}

/* ---- times ---- */

enum { MIN_RUNS = 5, MAX_RUNS = 10000, WANTED_NS = 200000000 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Run nruns times (0: for a while); seconds[] receives at most MAX_RUNS times. */
static tsr_status run_often(double *seconds, int *nruns, const door_variant *variant, tsr_tensor *result,
                            const door_operands *o, const door_call *call)
{
    const uint64_t begin = tsr_now_ns();
    const int wanted = *nruns;
    TSR_TRY(tsr_kernel_run(variant->kernel, result, o->inside, call->nthreads, call->err));
    int n = 0;
    while (wanted > 0 ? n < wanted : n < MIN_RUNS || (n < MAX_RUNS && tsr_now_ns() - begin < WANTED_NS)) {
        TSR_TRY(tsr_progress(call->observer, "run", (uint64_t)n, (uint64_t)wanted, call->err));
        const uint64_t start = tsr_now_ns();
        TSR_TRY(tsr_kernel_run(variant->kernel, result, o->inside, call->nthreads, call->err));
        seconds[n++] = (double)(tsr_now_ns() - start) * 1e-9;
    }
    *nruns = n;
    return TSR_OK;
}

static tsr_status measure(tessera_times *times, const door_variant *variant, tsr_tensor *result,
                          const door_operands *o, const door_call *call)
{
    tsr_kernel_work work = {0};
    double *const seconds = tsr_malloc(MAX_RUNS * sizeof *seconds);
    if (!seconds)
        return tsr_fail(call->err, TSR_NOMEM, "out of memory: the times of the runs");
    tsr_status status = run_often(seconds, &times->nruns, variant, result, o, call);
    if (status == TSR_OK && tsr_kernel_count(&work, variant->kernel, result, o->inside, NULL) != TSR_OK)
        work = (tsr_kernel_work){0}; /* the times are there */
    if (status == TSR_OK) {
        const int n = times->nruns;
        qsort(seconds, (size_t)n, sizeof *seconds, by_size);
        for (int i = 0; i < n; i++)
            times->mean_s += seconds[i] / n;
        times->least_s = seconds[0];
        times->median_s = (seconds[n / 2] + seconds[(n - 1) / 2]) / 2;
        times->largest_s = seconds[n - 1];
        times->flops = work.flops;
        times->nbytes = work.nbytes;
    }
    tsr_free(seconds);
    return status;
}

tessera_status tessera_kernel_time(tessera_times *times, tessera_kernel *kernel, tessera_tensor *result,
                                   const tessera_tensor *const *given, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    const tsr_kernel_info *info;
    door_operands o;
    tessera_times own = {0};
    door_variant *variant = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(times, "times", call.err));
    TSR_TRY_OUT(door_options(&own, sizeof own, times, "tessera_times", call.err));
    TSR_TRY_OUT(door_need(result, "result", call.err));
    own = (tessera_times){.nruns = own.nruns};
    if (own.nruns < 0 || own.nruns > MAX_RUNS) {
        status = tsr_fail(call.err, TSR_ARGUMENT, "nruns is %d: use 1 to %d, or 0", own.nruns, (int)MAX_RUNS);
        goto out;
    }
    TSR_TRY_OUT(door_kernel_operands(&o, kernel, given, &call));
    TSR_TRY_OUT(door_variant_find(&variant, kernel, use_of(result->inside, &o, tsr_kernel_run), &call));
    TSR_TRY_OUT(tsr_kernel_await(&info, variant->kernel, call.err));
    TSR_TRY_OUT(measure(&own, variant, result->inside, &o, &call));
    status = door_fill(times, &own, sizeof own, "tessera_times", call.err);
out:
    door_variant_drop(variant);
    return door_end(&call, status);
}
