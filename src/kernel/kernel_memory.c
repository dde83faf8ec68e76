/* Checks of the memory that a program itself allocates against the memory that is left (tsr_memory.h): the
 * workspaces are checked before the program runs, and the arrays of a sparse result each time before they
 * grow. While the program runs, this memory counts as held, like blocks of tsr_alloc.h. */
#include <math.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_memory.h"
#include "tsr_tile.h"

/* ---- workspaces ---- */

static tsr_status workspaces(double *nbytes, const tsr_kernel *kernel, const tsr_ir_arg *args, int nthreads,
                             tsr_error *err)
{
    const tsr_lowered *const lowered = kernel->lowered;
    const int n = lowered->ir->nparams;
    int64_t *const values = tsr_malloc(((size_t)n + 1) * sizeof *values);
    *nbytes = 0;
    if (!values)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %d arguments of a kernel", n);
    for (int i = 0; i < n; i++)
        values[i] = lowered->param[i].role == TSR_PARAM_NTHREADS ? nthreads : args[i].n;
    const tsr_status status = tsr_ir_memory(nbytes, lowered->ir, values, err);
    tsr_free(values);
    return status;
}

/* The largest number of threads below nthreads whose workspaces fit; *nbytes: the bytes of these workspaces.
 * 0: not even those of one thread fit. */
static int find_fewer(double *nbytes, const tsr_kernel *kernel, const tsr_ir_arg *args, int nthreads)
{
    int fits = 0, too_many = nthreads;
    while (too_many - fits > 1) {
        const int middle = fits + (too_many - fits) / 2;
        double need;
        const bool known = workspaces(&need, kernel, args, middle, NULL) == TSR_OK;
        if (known && tsr_memory_fits(need)) {
            fits = middle;
            *nbytes = need;
        } else {
            too_many = middle;
        }
    }
    return fits;
}

static tsr_status refuse(const tsr_kernel *kernel, const tsr_ir_arg *args, int nthreads, double nbytes,
                         tsr_error *err)
{
    char words[TSR_MEMORY_WORDS_NBYTES], need[32];
    double fewer_nbytes = 0;
    const int fewer = find_fewer(&fewer_nbytes, kernel, args, nthreads);
    const bool copies = kernel_adds_copies(kernel);
    tsr_text advice = {0};
    if (fewer > 0)
        tsr_text_addf(&advice, "use fewer threads: %d need%s %s", fewer, fewer == 1 ? "s" : "",
                      tsr_bytes_text_f(need, fewer_nbytes));
    else if (copies)
        tsr_text_addf(&advice, "use the schedule serial or atomic(%s), or another format",
                      kernel->notation->tensor[0].name);
    else
        tsr_text_add(&advice, "store the operands or the result in another format");
    const tsr_status status = tsr_fail(
        err, TSR_LIMIT, "%s of %s on %d thread%s need%s %s: %s",
        copies ? "the private copies of the result" : "the workspace", kernel->text.expression, nthreads,
        nthreads == 1 ? "" : "s", copies ? "" : "s", tsr_memory_words(words, nbytes), tsr_text_cstr(&advice));
    tsr_text_clear(&advice);
    return status;
}

tsr_status kernel_check_workspaces(uint64_t *held, const tsr_kernel *kernel, const tsr_ir_arg *args,
                                   int nthreads, tsr_error *err)
{
    double nbytes;
    *held = 0;
    if (!tsr_ir_takes_memory(kernel->lowered->ir))
        return TSR_OK;
    TSR_TRY(workspaces(&nbytes, kernel, args, nthreads, err));
    if (nbytes >= (double)TSR_MEMORY_LARGE_NBYTES && !tsr_memory_fits(nbytes))
        return refuse(kernel, args, nthreads, nbytes, err);
    *held = (uint64_t)nbytes; /* it fits, so it is below 2^63 */
    return TSR_OK;
}

/* ---- outputs ---- */

static int allows(tsr_rt_limit *given, int64_t n, uint64_t element_nbytes)
{
    kernel_limit *const limit = (kernel_limit *)given;
    const double nbytes = n > 0 ? (double)n * (double)element_nbytes : 0;
    const uint64_t before = atomic_load(&limit->nbytes);
    const bool is_large = (double)before + nbytes >= (double)TSR_MEMORY_LARGE_NBYTES;
    if (tsr_interrupted_in(&limit->scope))
        return 0;
    const double checked = fmax(nbytes, (double)(1 << 20)); /* as many small steps would each fit */
    if (is_large && !tsr_memory_fits(checked)) {
        if (!atomic_flag_test_and_set(&limit->refuses)) {
            tsr_memory_words(limit->words, checked);
            atomic_store(&limit->wanted, (double)before + checked);
        }
        return 0;
    }
    tsr_alloc_hold((uint64_t)nbytes); /* the memory has not been written yet */
    atomic_fetch_add(&limit->nbytes, (uint64_t)nbytes);
    return 1;
}

/* The block of this output's array in the result, which loses it; or NULL. */
static void *take_from_result(uint64_t *nbytes, const kernel_limit *limit, tsr_array *array)
{
    /* with +=, a failed run leaves the result as it was */
    if (!array || !array->data || array->borrowed || kernel_notation(limit->kernel)->accumulate)
        return NULL;
    void *const block = array->data;
    const uint64_t room = tsr_alloc_give(block);
    *nbytes = room > 0 ? room : tsr_array_nbytes(array);
    *array = (tsr_array){0};
    return block;
}

/* A new result has arrays without elements: a kept block is better. A result that is converted afterwards has other arrays than
 * those that the program assembles. */
static void *reuse(tsr_rt_limit *given, const void *output, int64_t *room, uint64_t element_nbytes)
{
    kernel_limit *const limit = (kernel_limit *)given;
    const tsr_rt_output *const of = output;
    const uint64_t elements = *room > 0 ? (uint64_t)*room : 0;
    const uint64_t wish = elements < INT64_MAX / element_nbytes ? elements * element_nbytes : 0;
    uint64_t nbytes = 0;
    tsr_array *const array = limit->kernel->plan->converts ? NULL
                                                           : kernel_output_array(limit->result, limit->kernel,
                                                                                 (int)(of - limit->output));
    const bool is_small = !array || tsr_array_nbytes(array) < wish / 4;
    void *block = is_small ? tsr_alloc_take(&nbytes, wish) : NULL;
    if (!block)
        block = take_from_result(&nbytes, limit, array);
    *room = (int64_t)(nbytes / element_nbytes);
    tsr_alloc_hold(nbytes);
    atomic_fetch_add(&limit->nbytes, nbytes);
    return block;
}

/* Whether a block of the result leaves the last cache before it is read: it is large, or it is not small, and the operands
 * with it do not fit. */
static bool leaves_cache(const kernel_limit *limit, uint64_t block_nbytes)
{
    enum { SMALL = 8 }; /* a block of a sixteenth of the cache may be read before the operands displace it */
    const uint64_t most = limit->kernel->cached_nbytes;
    return block_nbytes >= most ||
           (block_nbytes >= most / SMALL && (limit->operands_nbytes + block_nbytes) / 2 >= most);
}

/* A block that the caches do not hold is written past them: else each of its cache lines is read, too. */
static void copy(tsr_rt_limit *given, void *to, const void *from, uint64_t nbytes, uint64_t block_nbytes)
{
    const kernel_limit *const limit = (const kernel_limit *)given;
    if (!leaves_cache(limit, block_nbytes)) {
        memcpy(to, from, nbytes);
        return;
    }
    tsr_stream_rows(to, 0, from, 0, 1, nbytes);
    tsr_stream_end();
}

void kernel_reset_result(tsr_tensor *result, const tsr_kernel *kernel)
{
    bool is_whole = true;
    if (kernel->plan->converts)
        return;
    for (int i = 0; i < kernel->lowered->ir->nparams; i++) {
        const tsr_array *const array = kernel_output_array(result, kernel, i);
        is_whole = is_whole && (!array || array->data);
    }
    tsr_tensor *empty;
    if (is_whole || kernel_empty_result(&empty, kernel, NULL) != TSR_OK)
        return;
    kernel_swap(result, empty);
    tsr_tensor_free(empty);
}

void kernel_limit_init(kernel_limit *limit, const tsr_kernel *kernel, tsr_tensor *result,
                       const tsr_rt_output *output, uint64_t operands_nbytes)
{
    limit->given = (tsr_rt_limit){.allows = allows, .reuse = reuse, .copy = copy};
    limit->kernel = kernel;
    limit->result = result;
    limit->output = output;
    limit->operands_nbytes = operands_nbytes;
    limit->scope = tsr_interrupt_here();
    atomic_init(&limit->nbytes, 0);
    atomic_init(&limit->wanted, 0);
    atomic_flag_clear(&limit->refuses);
}

tsr_status kernel_refuse_outputs(const tsr_kernel *kernel, const kernel_limit *limit, tsr_error *err)
{
    char need[32];
    return tsr_fail(
        err, TSR_LIMIT,
        "the result %s of %s has grown to %s, of which the last part needs %s: compute parts of it, "
        "or use narrower values",
        kernel->notation->tensor[0].name, kernel->text.expression,
        tsr_bytes_text_f(need, atomic_load(&limit->wanted)), limit->words);
}
