/* Running a kernel: the arguments of the program are taken from tensors. */
#include "kernel_steps.h"
#include "tsr_parallel.h"

static tsr_ir_arg of_array(const tsr_array *array)
{
    return (tsr_ir_arg){.n = (int64_t)array->n, .data = array->data};
}

static tsr_ir_arg of_index(uint64_t n)
{
    return (tsr_ir_arg){.n = (int64_t)n}; /* sizes and positions are below 2^63 */
}

/* The sizes of the variables of the statement that is planned. */
static const uint64_t *run_sizes(const tsr_kernel *kernel)
{
    return kernel->storage ? kernel->storage->size : kernel->size;
}

static tsr_ir_arg bind(const tsr_kernel *kernel, const tsr_param *param, const tsr_tensor *tensor,
                       int nthreads)
{
    const tsr_level *const level = tensor && param->level >= 0 ? &tensor->levels[param->level] : NULL;
    switch (param->role) {
    case TSR_PARAM_NTHREADS:
        return of_index((uint64_t)nthreads);
    case TSR_PARAM_SIZE:
        return of_index(run_sizes(kernel)[param->var]);
    case TSR_PARAM_LEVEL_SIZE:
        return of_index(level->size);
    case TSR_PARAM_PITCH:
        return of_index(level->pitch);
    case TSR_PARAM_NPOS:
        return of_index(level ? level->npos : 1);
    case TSR_PARAM_LOW:
        return of_index(level->low);
    case TSR_PARAM_VALUES:
        return of_array(&tensor->values);
    default:
        break;
    }
    const tsr_level_role role = (tsr_level_role)(param->role - TSR_PARAM_POS);
    tsr_ir_arg arg = of_array(tsr_level_array_at(level, role));
    if (tsr_level_array_row(level->type, role)->content == TSR_HOLDS_WORDS)
        arg.n *= 8; /* read as bytes */
    return arg;
}

/* The arguments of the program in one run, and the memory that the run owns. */
typedef struct run {
    const tsr_kernel *kernel;
    tsr_tensor *result;
    const tsr_tensor *const *operands;
    tsr_tensor *copies[TSR_PLAN_MAX_VIEWS]; /* owned */
    tsr_ir_arg *args;                       /* nparams elements */
    tsr_ir_output *output;
    kernel_met *met;
    tsr_rt_function *function; /* NULL: the interpreter */
} run;

static uint64_t operands_nbytes(const run *r)
{
    uint64_t nbytes = 0;
    for (int t = 1; t < r->kernel->notation->ntensors; t++)
        nbytes += tsr_tensor_nbytes(r->operands[t - 1]);
    return nbytes;
}

/* Call the compiled function. It allocates its outputs with malloc, so they are adopted; it may take arrays of the
 * result for them. */
static tsr_status call(const run *r, tsr_error *err)
{
    const tsr_kernel *const kernel = r->kernel;
    const int n = kernel->lowered->ir->nparams;
    tsr_rt_arg *const plain = tsr_malloc(((size_t)n + 1) * sizeof *plain);
    tsr_rt_output *const given = tsr_calloc((size_t)n, sizeof *given);
    kernel_limit limit;
    int failed = 1;
    kernel_limit_init(&limit, kernel, r->result, given, operands_nbytes(r));
    for (int i = 0; plain && given && i < n; i++) {
        const bool is_given = r->args[i].data == &r->output[i];
        plain[i] = (tsr_rt_arg){.n = r->args[i].n, .data = is_given ? &given[i] : r->args[i].data};
    }
    if (plain && given) {
        plain[n] = (tsr_rt_arg){.data = &limit};
        failed = r->function(plain);
    }
    tsr_status status = failed ? tsr_interrupt_check(err) : TSR_OK;
    if (failed && status == TSR_OK && atomic_load(&limit.wanted) > 0)
        status = kernel_refuse_outputs(kernel, &limit, err);
    else if (failed && status == TSR_OK)
        status = tsr_fail(err, TSR_NOMEM, "out of memory: the workspace of %s", kernel->text.expression);
    tsr_alloc_release(atomic_load(&limit.nbytes));
    for (int i = 0; !failed && i < n; i++)
        if (given[i].data) {
            const size_t width = tsr_type_nbytes(kernel->lowered->ir->param[i].array->elem);
            tsr_alloc_adopt_part(&given[i].data, (uint64_t)(given[i].n > 0 ? given[i].n : 1) * width);
            r->output[i] = (tsr_ir_output){given[i].data, given[i].n};
        }
    tsr_free(plain);
    tsr_free(given);
    return status;
}

/* Set the arguments; the lengths of copies that have not been made are negative. */
static void bind_all(run *r, int nthreads)
{
    const tsr_lowered *const lowered = r->kernel->lowered;
    for (int i = 0; i < lowered->ir->nparams; i++) {
        const tsr_param *const param = &lowered->param[i];
        const int t = param->tensor, copy = t - r->kernel->notation->ntensors;
        const tsr_tensor *const tensor = copy >= 0 ? r->copies[copy] : t > 0 ? r->operands[t - 1] : r->result;
        if (param->role >= TSR_PARAM_OUT_POS && param->role <= TSR_PARAM_OUT_VALUES)
            r->args[i].data = &r->output[i];
        else if (param->role == TSR_PARAM_DIFFERS)
            r->args[i] = (tsr_ir_arg){.n = 2, .data = r->met->number};
        else if (param->role == TSR_PARAM_TRAIL)
            r->args[i] = of_index(r->met->trail ? (uint64_t)r->met->trail->way : TSR_TRAIL_NONE);
        else if (param->role == TSR_PARAM_STARTS || param->role == TSR_PARAM_PLACES)
            r->args[i] = of_array(!r->met->trail                    ? &(tsr_array){0}
                                  : param->role == TSR_PARAM_STARTS ? &r->met->trail->starts
                                                                    : &r->met->trail->places);
        else
            r->args[i] = tensor ? bind(r->kernel, param, tensor, nthreads) : (tsr_ir_arg){.n = -1};
    }
}

/* The limits of what is interpreted while a compiler works: the positions of the operands and the result together, and the number of
 * statements, which take some tens of milliseconds. */
enum { FEW_POSITIONS = 2000000, FEW_STEPS = 4000000 };

static bool is_small(const run *r)
{
    uint64_t n = r->result->values.n;
    for (int t = 1; t < r->kernel->notation->ntensors; t++)
        n += r->operands[t - 1]->npos;
    return n <= FEW_POSITIONS;
}

/* ---- how many threads ---- */

/* Runs of fewer steps take one thread where no number of threads is asked for: waking a second one takes as long. A step takes some
 * 10 ns. The second thread wakes in 3 us where it is still looking for work, in 0.05 to 0.1 ms where it sleeps (two processors). */
enum { SERIAL_STEPS = 8192 };
/* Products of a step, entries of a step of loops that walk. */
#define PRODUCTS 8.0
#define WALKED 2.0

/* The part of the cells of the tensor that have positions. */
static double density(const tsr_tensor *tensor)
{
    double cells = 1;
    for (int m = 0; m < tensor->format->order; m++)
        cells *= (double)tensor->dims[m];
    return cells > 0 ? (double)tensor->npos / cells : 0;
}

/* About how often the innermost bodies run: for each term, entries of different operands are taken to be independent. */
static double count_products(const tsr_kernel *kernel, const double *density_of)
{
    const tsr_notation *const notation = kernel->plan->notation;
    const uint64_t *const size = run_sizes(kernel);
    double all = 0;
    for (int i = 0; i < kernel->plan->nterms; i++) {
        const tsr_term *const term = kernel->plan->term[i].term;
        double n = 1;
        for (int v = 0; v < notation->nvars; v++)
            n *= v < notation->nfree || (term->vars >> v & 1) ? (double)size[v] : 1;
        for (int t = 1; t < notation->ntensors; t++)
            n *= term->tensors >> t & 1 ? density_of[t] : 1;
        all += n;
    }
    return all;
}

int tsr_kernel_threads(const tsr_kernel *kernel, const tsr_tensor *const *operands, int requested)
{
    double steps = 0, density_of[TSR_NOTATION_MAX_TENSORS] = {0};
    if (requested > 0 || !TSR_HAVE_THREADS)
        return requested;
    for (int t = 1; t < kernel_notation(kernel)->ntensors; t++) {
        density_of[t] = density(operands[t - 1]);
        if (kernel->original || !tsr_format_is_dense(operands[t - 1]->format))
            steps += (double)operands[t - 1]->npos;
    }
    if (!kernel->original)
        steps = (steps + count_products(kernel, density_of) / PRODUCTS) /
                (tsr_plan_walks(kernel->plan) ? WALKED : 1);
    return steps < SERIAL_STEPS ? 1 : 0;
}

/* ---- runs ---- */

/* Run the interpreter while a compiler works: *done. Else wait for the compiler. */
static tsr_status run_meanwhile(bool *done, run *r, tsr_error *err)
{
    *done = false;
    if (is_small(r) && !r->kernel->notation->accumulate) { /* what is added cannot be taken back */
        const tsr_status status = tsr_ir_run(r->kernel->lowered->plain, r->args, FEW_STEPS, NULL);
        *done = status == TSR_OK;
        if (status == TSR_NOMEM)
            return tsr_fail(err, status, "out of memory: a kernel");
        if (*done)
            return TSR_OK;
        memset(r->met->number, 0, sizeof r->met->number);
    }
    return kernel_await(&r->function, r->kernel, err);
}

/* Make the copies of operands, after the workspaces have been checked. requested: the number of threads; 0: all where they pay. */
static tsr_status run_program(run *r, int requested, tsr_error *err)
{
    const tsr_kernel *const kernel = r->kernel;
    int nthreads = tsr_thread_count(requested);
    uint64_t held;
    bool waits, done = false;
    bind_all(r, nthreads);
    TSR_TRY(kernel_check_workspaces(&held, kernel, r->args, nthreads, err));
    TSR_TRY(kernel_make_copies(r->copies, kernel, r->operands, requested, err));
    TSR_TRY(kernel_find_function(&r->function, &waits, kernel, err));
    if ((r->function || waits) &&
        kernel_find_param(kernel, TSR_PARAM_NTHREADS) >= 0) /* the function has its own parallel regions */
        nthreads = tsr_threads_ready(nthreads);
    bind_all(r, nthreads);
    if (waits)
        TSR_TRY(run_meanwhile(&done, r, err));
    if (!done && !r->function) { /* the interpreter allocates with tsr_alloc.h */
        TSR_TRY(tsr_ir_run(kernel->lowered->plain, r->args, 0, err));
    } else if (!done) {
        tsr_alloc_hold(held);
        const tsr_status status = call(r, err);
        tsr_alloc_release(held);
        TSR_TRY(status);
    }
    return kernel_has_outputs(kernel) ? kernel_take_outputs(r->result, kernel, r->output, requested, err)
                                      : TSR_OK;
}

static tsr_status run_after_steps(kernel_met *met, const tsr_kernel *kernel, tsr_tensor *result,
                                  const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    TSR_TRY(kernel_check_run(kernel, result, operands, nthreads, err));
    kernel_note_pattern(kernel, result, operands);
    if (!kernel->original) /* else it is decided by the operands that the caller has */
        nthreads = tsr_kernel_threads(kernel, operands, nthreads);
    const size_t n = (size_t)kernel->lowered->ir->nparams;
    run r = {.kernel = kernel, .result = result, .operands = operands, .met = met};
    r.args = tsr_calloc(n, sizeof *r.args);
    r.output = tsr_calloc(n, sizeof *r.output);
    const tsr_status status = r.args && r.output
                                  ? run_program(&r, nthreads, err)
                                  : tsr_fail(err, TSR_NOMEM, "out of memory: %zu arguments of a kernel", n);
    if (status != TSR_OK && kernel_has_outputs(kernel))
        kernel_reset_result(result, kernel);
    tsr_free(r.args);
    tsr_free(r.output);
    for (int v = 0; v < TSR_PLAN_MAX_VIEWS; v++)
        tsr_tensor_free(r.copies[v]);
    return status;
}

/* Check that the whole result and the operands are there and differ. Each step checks the tensors that it
 * reads. */
static tsr_status check_original(const tsr_kernel *kernel, const tsr_tensor *result,
                                 const tsr_tensor *const *operands, tsr_error *err)
{
    const tsr_notation_tensor *const names = kernel->original->tensor;
    if (!result)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", names[0].name);
    for (int t = 1; t < kernel->original->ntensors; t++) {
        if (!operands[t - 1])
            return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", names[t].name);
        if (operands[t - 1] == result)
            return tsr_fail(err, TSR_ARGUMENT, "the result %s is also the operand %s", names[0].name,
                            names[t].name);
    }
    return TSR_OK;
}

tsr_status tsr_kernel_run(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                          int nthreads, tsr_error *err)
{
    kernel_met none = {0};
    if (kernel->how.values_only)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "the kernel of %s was made for values alone: use tsr_kernel_compute, or make a kernel "
            "without values_only",
            kernel->text.expression);
    return kernel_run(&none, kernel, result, operands, nthreads, err);
}

tsr_status kernel_run(kernel_met *met, const tsr_kernel *kernel, tsr_tensor *result,
                      const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    TSR_TRY(tsr_interrupt_check(err));
    if (!kernel->original)
        return run_after_steps(met, kernel, result, operands, nthreads, err);
    const tsr_tensor *inner[TSR_NOTATION_MAX_TENSORS] = {NULL};
    tsr_tensor *owned[TSR_NOTATION_MAX_TENSORS] = {NULL};
    TSR_TRY(check_original(kernel, result, operands, err));
    nthreads = tsr_kernel_threads(kernel, operands, nthreads);
    tsr_tensor *moved = NULL;
    const kernel_step_input in = {.kernel = kernel,
                                  .operands = operands,
                                  .result = result,
                                  .moved = &moved,
                                  .made = owned,
                                  .nthreads = nthreads};
    tsr_status status = kernel_run_steps(inner, owned, &in, err);
    if (status == TSR_OK && !kernel->last)
        status = run_after_steps(met, kernel, result, inner, nthreads, err);
    if (status != TSR_OK && moved)
        kernel_swap(result, moved);
    for (int k = 0; k < kernel->nsteps; k++)
        tsr_tensor_free(owned[k]);
    return status;
}
