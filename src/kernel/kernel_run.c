/* Running a kernel: the arguments of the program are taken from tensors. */
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
    const tsr_level *const level = tensor && param->level >= 0 ? &tensor->levels[param->level] : NULL;
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
    default: /* TSR_PARAM_VALUES */
        break;
    }
    return of_array(&tensor->values);
}

/* Call the compiled function. It allocates its outputs with malloc, so they are adopted. */
static tsr_status call(const tsr_kernel *kernel, const tsr_ir_arg *args, tsr_ir_output *output, int n,
                       tsr_error *err)
{
    tsr_rt_arg *const plain = tsr_malloc((size_t)n * sizeof *plain);
    tsr_rt_output *const given = tsr_calloc((size_t)n, sizeof *given);
    int failed = 1;
    for (int i = 0; plain && given && i < n; i++)
        plain[i] =
            (tsr_rt_arg){.n = args[i].n, .data = args[i].data == &output[i] ? &given[i] : args[i].data};
    if (plain && given)
        failed = kernel->function(plain);
    for (int i = 0; !failed && i < n; i++)
        if (given[i].data) {
            tsr_alloc_adopt(given[i].data);
            output[i] = (tsr_ir_output){given[i].data, given[i].n};
        }
    tsr_free(plain);
    tsr_free(given);
    return failed ? tsr_fail(err, TSR_NOMEM, "out of memory: the workspace of %s", kernel->expression)
                  : TSR_OK;
}

/* The tensor with number t: the result, an operand or a copy. */
static const tsr_tensor *tensor_of(const tsr_kernel *kernel, int t, const tsr_tensor *result,
                                   const tsr_tensor *const *operands, tsr_tensor *const *copies)
{
    const int ntensors = kernel->notation->ntensors;
    return t >= ntensors ? copies[t - ntensors] : t > 0 ? operands[t - 1] : result;
}

static bool is_output(tsr_param_role role)
{
    return role == TSR_PARAM_OUT_POS || role == TSR_PARAM_OUT_CRD || role == TSR_PARAM_OUT_VALUES;
}

static tsr_status run(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                      tsr_tensor *const *copies, int nthreads, tsr_error *err)
{
    const tsr_lowered *const lowered = kernel->lowered;
    const int n = lowered->ir->nparams;
    tsr_ir_arg *const args = tsr_calloc((size_t)n, sizeof *args);
    tsr_ir_output *const output = tsr_calloc((size_t)n, sizeof *output);
    tsr_status status = TSR_NOMEM;
    if (args && output) {
        for (int i = 0; i < n; i++) {
            const tsr_param *const param = &lowered->param[i];
            if (is_output(param->role))
                args[i].data = &output[i];
            else
                args[i] =
                    bind(kernel, param, tensor_of(kernel, param->tensor, result, operands, copies), nthreads);
        }
        status =
            kernel->function ? call(kernel, args, output, n, err) : tsr_ir_run(lowered->plain, args, 0, err);
        if (status == TSR_OK && kernel_assembles(kernel))
            status = kernel_take_outputs(result, kernel, output, nthreads, err);
    } else {
        tsr_fail(err, TSR_NOMEM, "out of memory: %d arguments of a kernel", n);
    }
    tsr_free(args);
    tsr_free(output);
    return status;
}

static tsr_status run_after_steps(const tsr_kernel *kernel, tsr_tensor *result,
                                  const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    tsr_tensor *copies[TSR_PLAN_MAX_VIEWS] = {NULL};
    TSR_TRY(kernel_check_run(kernel, result, operands, err));
    nthreads = tsr_thread_count(nthreads);
    tsr_status status = TSR_OK;
    if (kernel->plan)
        status = kernel_make_copies(copies, kernel, operands, nthreads, err);
    if (kernel->function) /* the function starts its own parallel regions */
        nthreads = tsr_threads_ready(nthreads);
    if (status == TSR_OK)
        status = run(kernel, result, operands, copies, nthreads, err);
    for (int v = 0; v < TSR_PLAN_MAX_VIEWS; v++)
        tsr_tensor_free(copies[v]);
    return status;
}

tsr_status tsr_kernel_run(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                          int nthreads, tsr_error *err)
{
    if (!kernel->original)
        return run_after_steps(kernel, result, operands, nthreads, err);
    const tsr_tensor *inner[TSR_NOTATION_MAX_TENSORS] = {NULL};
    tsr_tensor *owned[TSR_NOTATION_MAX_TENSORS] = {NULL};
    tsr_status status = kernel_run_steps(inner, owned, kernel, operands, nthreads, err);
    if (status == TSR_OK)
        status = run_after_steps(kernel, result, inner, nthreads, err);
    for (int k = 0; k < kernel->nsteps; k++)
        tsr_tensor_free(owned[k]);
    return status;
}
