/* Running a kernel: tensors become the program's arguments. */
#include "kernel_internal.h"
#include "tsr_parallel.h"

static tsr_ir_arg of_array(const tsr_array *array)
{
    return (tsr_ir_arg){.n = (int64_t)array->n, .data = array->data};
}

static tsr_ir_arg of_index(uint64_t n)
{
    return (tsr_ir_arg){.n = (int64_t)n}; /* sizes and positions are below 2^63 */
}

static tsr_ir_arg bind(const tsr_kernel *kernel, const tsr_param *param, const tsr_tensor *tensor,
                       int nthreads)
{
    const tsr_level *const level = param->level >= 0 ? &tensor->levels[param->level] : NULL;
    switch (param->role) {
    case TSR_PARAM_NTHREADS:
        return of_index((uint64_t)nthreads);
    case TSR_PARAM_SIZE:
        return of_index(kernel->size[param->var]);
    case TSR_PARAM_LEVEL_SIZE:
        return of_index(level->size);
    case TSR_PARAM_PITCH:
        return of_index(level->pitch);
    case TSR_PARAM_NPOS:
        return of_index(level ? level->npos : 1);
    case TSR_PARAM_POS:
        return of_array(&level->pos);
    case TSR_PARAM_CRD:
        return of_array(&level->crd);
    case TSR_PARAM_VALUES:
        break;
    }
    return of_array(&tensor->values);
}

/* Call the compiled function. */
static tsr_status call(const tsr_kernel *kernel, const tsr_ir_arg *args, int n, tsr_error *err)
{
    tsr_rt_arg *const plain = tsr_malloc((size_t)n * sizeof *plain);
    if (!plain)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %d arguments of a kernel", n);
    for (int i = 0; i < n; i++)
        plain[i] = (tsr_rt_arg){.n = args[i].n, .data = args[i].data};
    const int failed = kernel->function(plain);
    tsr_free(plain);
    return failed ? tsr_fail(err, TSR_NOMEM, "out of memory: the workspace of %s", kernel->expression)
                  : TSR_OK;
}

tsr_status tsr_kernel_run(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                          int nthreads, tsr_error *err)
{
    TSR_TRY(kernel_check_run(kernel, result, operands, err));
    const tsr_lowered *const lowered = kernel->lowered;
    const int n = lowered->ir->nparams;
    tsr_ir_arg *const args = tsr_calloc((size_t)n, sizeof *args);
    if (!args)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %d arguments of a kernel", n);
    nthreads = tsr_thread_count(nthreads);
    if (kernel->function) /* its parallel regions are its own */
        nthreads = tsr_threads_ready(nthreads);
    for (int i = 0; i < n; i++) {
        const int t = lowered->param[i].tensor;
        args[i] = bind(kernel, &lowered->param[i], t > 0 ? operands[t - 1] : result, nthreads);
    }
    const tsr_status status =
        kernel->function ? call(kernel, args, n, err) : tsr_ir_run(lowered->plain, args, 0, err);
    tsr_free(args);
    return status;
}
