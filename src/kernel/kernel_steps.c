/* Functions of sparse tensors such as min(B(i,j), C(i,j)) are computed in steps before the kernel itself
 * runs: the kernel's own expression has a tensor in the place of each function. A step computes each argument
 * of the function by a kernel, in sorted levels over all variables of the call, and then walks both arguments
 * side by side. An absent cell of an argument counts as 0. An argument without tensors is a number, and is
 * stored nowhere. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_checked.h"
#include "tsr_pack.h"

enum { MAX_NAME = 48 };

typedef struct kernel_step {
    const tsr_expr *call;          /* the call in kernel->original */
    char name[MAX_NAME];           /* of the tensor that replaces it */
    int order, var[TSR_MAX_ORDER]; /* the variables of the call, one per mode */
    uint64_t dims[TSR_MAX_ORDER];
    tsr_kernel *arg[2]; /* owned; NULL: a number, or the function has only one argument */
    double number[2];   /* the value where the argument is a number */
    tsr_type type;
    tsr_format *format; /* owned; of the result and of the arguments */
} kernel_step;

/* ---- finding the calls ---- */

/* The outermost calls in e, from left to right: at most `most` of them into call[]; *n counts all. */
static void find_calls(const tsr_expr **call, int *n, int most, const tsr_expr *e)
{
    if (!e || !e->has_call)
        return;
    if (e->kind == TSR_EXPR_CALL) {
        if (*n < most)
            call[*n] = e;
        ++*n;
        return;
    }
    find_calls(call, n, most, e->a);
    find_calls(call, n, most, e->b);
}

/* The value of an expression that does not contain tensors. */
static double constant(const tsr_expr *e)
{
    const double a = e->a ? constant(e->a) : 0, b = e->b ? constant(e->b) : 0;
    switch (e->kind) {
    case TSR_EXPR_NUMBER:
        return e->number;
    case TSR_EXPR_NEG:
        return -a;
    case TSR_EXPR_ADD:
        return a + b;
    case TSR_EXPR_SUB:
        return a - b;
    case TSR_EXPR_MUL:
        return a * b;
    case TSR_EXPR_DIV:
        return a / b;
    default:
        return e->function->value(a, b);
    }
}

/* Name the step "T1_", "T2_"...: the next name that the expression does not use. */
static void name_step(kernel_step *step, const tsr_notation *notation, int *number)
{
    do
        snprintf(step->name, sizeof step->name, "T%d_", ++*number);
    while (tsr_notation_find_tensor(notation, step->name) >= 0 ||
           tsr_notation_find_var(notation, step->name) >= 0);
}

static void print_access(tsr_text *text, const char *name, const kernel_step *step,
                         const tsr_notation *notation)
{
    tsr_text_add(text, name);
    for (int m = 0; m < step->order; m++)
        tsr_text_addf(text, "%c%s", m ? ',' : '(', notation->var[step->var[m]]);
    tsr_text_add(text, step->order ? ")" : "");
}

/* ---- making a step ---- */

/* *out: the result of the step, then those of the caller's tensors that e contains. Room for ngiven + 1 is
 * enough. Returns their number. */
static int pick_tensors(tsr_kernel_tensor *out, const kernel_step *step, const tsr_notation *notation,
                        const tsr_expr *e, const tsr_kernel_tensor *given, int ngiven)
{
    int n = 0;
    out[n++] = (tsr_kernel_tensor){
        .name = step->name, .format = step->format, .dims = step->dims, .type = TSR_NTYPES};
    for (int i = 0; i < ngiven; i++) {
        const int t = tsr_notation_find_tensor(notation, given[i].name ? given[i].name : "");
        if (t > 0 && (e->tensors >> t & 1))
            out[n++] = given[i];
    }
    return n;
}

static tsr_status make_argument(kernel_step *step, int k, const tsr_kernel *kernel,
                                const tsr_kernel_tensor *given, int ngiven, const tsr_kernel_options *options,
                                tsr_error *err)
{
    const tsr_notation *const notation = kernel->original;
    const tsr_expr *const e = k == 0 ? step->call->a : step->call->b;
    if (!e->tensors) {
        step->number[k] = constant(e);
        return TSR_OK;
    }
    tsr_kernel_tensor *const tensors = tsr_malloc(((size_t)ngiven + 1) * sizeof *tensors);
    tsr_text text = {0};
    print_access(&text, step->name, step, notation);
    tsr_text_add(&text, " = ");
    tsr_expr_print(&text, notation, e);
    tsr_status status =
        tensors ? tsr_text_status(&text, err) : tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    if (status == TSR_OK) {
        tsr_kernel_options how = *options;
        how.schedule = NULL;
        const int n = pick_tensors(tensors, step, notation, e, given, ngiven);
        status = tsr_kernel_new(&step->arg[k], tsr_text_cstr(&text), tensors, n, &how, err);
    }
    tsr_text_clear(&text);
    tsr_free(tensors);
    return status;
}

/* Choose the type of the step's result. The function is computed in double, which must hold all values. */
static tsr_status choose_type(kernel_step *step, tsr_error *err)
{
    tsr_type type = TSR_PATTERN;
    for (int k = 0; k < 2; k++)
        if (step->arg[k])
            type = kernel_common_type(type, step->arg[k]->tensor[0].operand.type);
    step->type = type == TSR_PATTERN ? TSR_F64 : type;
    const char class = tsr_type_class(step->type);
    if (class == 'C' || (class != 'R' && tsr_type_nbytes(step->type) > 4))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s needs values of real type, or integers of up to 32 bits, not %s",
                        step->call->function->name, tsr_type_name(step->type));
    return TSR_OK;
}

static tsr_status make_step(kernel_step *step, const tsr_kernel *kernel, const uint64_t *size,
                            const tsr_kernel_tensor *given, int ngiven, const tsr_kernel_options *options,
                            tsr_error *err)
{
    char letters[TSR_MAX_ORDER + 1] = "";
    for (int v = 0; v < kernel->original->nvars; v++) {
        if (!(step->call->vars >> v & 1))
            continue;
        if (step->order == TSR_MAX_ORDER)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, step->call->col,
                               "the arguments of a function have more than %d index variables",
                               TSR_MAX_ORDER);
        step->dims[step->order] = size[v];
        letters[step->order] = 's';
        step->var[step->order++] = v;
    }
    TSR_TRY(tsr_format_parse(&step->format, step->order ? letters : "dense", step->order, NULL, err));
    for (int k = 0; k < step->call->function->nargs; k++)
        TSR_TRY(make_argument(step, k, kernel, given, ngiven, options, err));
    return choose_type(step, err);
}

/* ---- the expression without calls ---- */

static tsr_status replace_calls(tsr_kernel *kernel, tsr_error *err)
{
    const tsr_notation *const notation = kernel->original;
    tsr_text text = {0};
    uint32_t at = 1; /* the column of the next character to copy */
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        tsr_text_add_n(&text, notation->text + at - 1, step->call->col - at);
        print_access(&text, step->name, step, notation);
        at = step->call->end;
    }
    tsr_text_add(&text, notation->text + at - 1);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = tsr_notation_parse(&kernel->notation, tsr_text_cstr(&text), err);
    tsr_text_clear(&text);
    return status;
}

/* The sizes of the variables of the original notation, from the caller's tensors. */
static tsr_status find_sizes(uint64_t *size, const tsr_notation *notation, const tsr_kernel_tensor *given,
                             int ngiven, tsr_error *err)
{
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS] = {NULL};
    for (int i = 0; i < ngiven; i++) {
        const char *const name = given[i].name ? given[i].name : "";
        const int t = tsr_notation_find_tensor(notation, name), order = t < 0 ? 0 : notation->tensor[t].order;
        if (t < 0)
            return tsr_fail(err, TSR_ARGUMENT, "the expression has no tensor '%s'", name);
        const int has = given[i].tensor   ? given[i].tensor->order
                        : given[i].format ? given[i].format->order
                                          : order;
        if (has != order)
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, notation->tensor[t].col,
                               "%s has %d modes, but %d indices in the expression", name, has, order);
        dims[t] = given[i].tensor ? given[i].tensor->dims : given[i].dims;
    }
    return tsr_notation_sizes(size, notation, dims, NULL, err);
}

static tsr_status make_steps(tsr_kernel *kernel, const tsr_kernel_tensor *given, int ngiven,
                             const tsr_kernel_options *options, tsr_error *err)
{
    const tsr_expr *call[TSR_NOTATION_MAX_TENSORS];
    uint64_t size[TSR_NOTATION_MAX_VARS];
    int n = 0, number = 0;
    find_calls(call, &n, TSR_NOTATION_MAX_TENSORS, kernel->original->rhs);
    if (n + kernel->original->ntensors > TSR_NOTATION_MAX_TENSORS)
        return tsr_fail(err, TSR_LIMIT, "%d functions and %d tensors are more than %d together", n,
                        kernel->original->ntensors, TSR_NOTATION_MAX_TENSORS);
    TSR_TRY(find_sizes(size, kernel->original, given, ngiven, err));
    kernel->step = tsr_calloc((size_t)n, sizeof *kernel->step);
    if (!kernel->step)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    kernel->nsteps = n;
    for (int k = 0; k < n; k++) {
        kernel->step[k].call = call[k];
        name_step(&kernel->step[k], kernel->original, &number);
        TSR_TRY(make_step(&kernel->step[k], kernel, size, given, ngiven, options, err));
    }
    return replace_calls(kernel, err);
}

tsr_status kernel_make_steps(tsr_kernel *kernel, tsr_kernel_tensor **out, int *n,
                             const tsr_kernel_tensor *given, int ngiven, const tsr_kernel_options *options,
                             tsr_error *err)
{
    kernel->original = kernel->notation;
    kernel->notation = NULL;
    TSR_TRY(make_steps(kernel, given, ngiven, options, err));
    *out = tsr_malloc(((size_t)ngiven + (size_t)kernel->nsteps) * sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    *n = 0;
    for (int i = 0; i < ngiven; i++)
        if (tsr_notation_find_tensor(kernel->notation, given[i].name) >= 0)
            (*out)[(*n)++] = given[i];
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        bool wide = false;
        for (int m = 0; m < step->order; m++)
            wide = wide || step->dims[m] > (uint64_t)UINT32_MAX + 1;
        (*out)[(*n)++] = (tsr_kernel_tensor){.name = step->name,
                                             .format = step->format,
                                             .dims = step->dims,
                                             .type = step->type,
                                             .index_nbytes = wide ? 8 : 4};
    }
    return TSR_OK;
}

void kernel_free_steps(tsr_kernel *kernel)
{
    for (int k = 0; k < kernel->nsteps; k++) {
        tsr_kernel_free(kernel->step[k].arg[0]);
        tsr_kernel_free(kernel->step[k].arg[1]);
        tsr_format_free(kernel->step[k].format);
    }
    tsr_free(kernel->step);
    kernel->step = NULL;
    kernel->nsteps = 0;
}

/* ---- running a step ---- */

/* An argument: sorted entries, or a number. */
typedef struct side {
    tsr_coo *coo; /* owned; NULL: `number` is the value */
    double number;
    bool is_tensor; /* false: the argument does not contain tensors */
    uint64_t at;    /* the next entry */
} side;

/* Run the kernel of an argument; operands: of kernel->original. */
static tsr_status run_argument(tsr_tensor **out, const tsr_kernel *arg, const tsr_kernel *kernel,
                               const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    const tsr_tensor *own[TSR_NOTATION_MAX_TENSORS] = {NULL};
    for (int t = 1; t < tsr_kernel_ntensors(arg); t++) {
        const int k = tsr_notation_find_tensor(kernel->original, tsr_kernel_tensor_name(arg, t));
        own[t - 1] = operands[k - 1];
        if (!own[t - 1])
            return tsr_fail(err, TSR_ARGUMENT, "the tensor %s is missing", tsr_kernel_tensor_name(arg, t));
    }
    TSR_TRY(tsr_kernel_result(out, arg, own, err));
    const tsr_status status = tsr_kernel_run(arg, *out, own, nthreads, err);
    if (status != TSR_OK) {
        tsr_tensor_free(*out);
        *out = NULL;
    }
    return status;
}

static tsr_status open_side(side *s, const kernel_step *step, int k, const tsr_kernel *kernel,
                            const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    tsr_tensor *result;
    *s = (side){.number = step->number[k], .is_tensor = step->arg[k] != NULL};
    if (!s->is_tensor)
        return TSR_OK;
    TSR_TRY(run_argument(&result, step->arg[k], kernel, operands, nthreads, err));
    tsr_status status;
    if (step->order == 0)
        status = tsr_values_convert(&s->number, TSR_F64, result->values.data, result->type, 1, err);
    else
        status = tsr_unpack(&s->coo, result, nthreads, err);
    if (status == TSR_OK && s->coo)
        status = tsr_coo_retype(s->coo, TSR_F64, err);
    tsr_tensor_free(result);
    return status;
}

/* Compare the coordinates of the argument's next entry with crd: < 0, 0 or > 0. */
static int compare(const side *s, const uint64_t *crd)
{
    for (int m = 0; m < s->coo->order; m++) {
        const uint64_t c = tsr_array_get(&s->coo->crd[m], s->at);
        if (c != crd[m])
            return c < crd[m] ? -1 : 1;
    }
    return 0;
}

static bool has_more(const side *s)
{
    return s->coo && s->at < s->coo->nnz;
}

/* crd: the least coordinates among the next entries of both arguments. False: there are no more entries. */
static bool next_entry(uint64_t *crd, const side *sides)
{
    bool any = false;
    for (int k = 0; k < 2; k++) {
        if (!has_more(&sides[k]) || (any && compare(&sides[k], crd) > 0))
            continue;
        for (int m = 0; m < sides[k].coo->order; m++)
            crd[m] = tsr_array_get(&sides[k].coo->crd[m], sides[k].at);
        any = true;
    }
    return any;
}

/* Move crd to the next cell in row-major order. False: crd was the last cell. */
static bool next_cell(uint64_t *crd, const kernel_step *step)
{
    for (int m = step->order - 1; m >= 0; m--) {
        if (++crd[m] < step->dims[m])
            return true;
        crd[m] = 0;
    }
    return false;
}

/* The value of the function at these coordinates; moves past the entries there. False: the cell of the
 * result is absent. */
static bool evaluate(double *value, const kernel_step *step, side *sides, const uint64_t *crd)
{
    double x[2];
    bool any = false, all = true;
    for (int k = 0; k < 2; k++) {
        side *const s = &sides[k];
        const bool here = s->coo ? has_more(s) && compare(s, crd) == 0 : s->is_tensor;
        x[k] = s->coo ? (here ? ((const double *)s->coo->values.data)[s->at] : 0) : s->number;
        s->at += here && s->coo;
        any = any || here;
        all = all && (here || !s->is_tensor);
    }
    *value = step->call->function->value(x[0], x[1]);
    return step->call->function->both ? all : any;
}

/* *n: the number of cells where the result is `full`, else an upper bound of the number of its entries. */
static tsr_status count_entries(uint64_t *n, const kernel_step *step, const side *sides, bool full,
                                tsr_error *err)
{
    *n = 1;
    for (int m = 0; m < step->order && full; m++)
        if (!tsr_mul_u64(n, *n, step->dims[m]) || *n > (uint64_t)1 << 32)
            return tsr_fail(err, TSR_LIMIT,
                            "%s is not 0 where both arguments are absent, so the result would have more than "
                            "2^32 entries",
                            step->call->function->name);
    if (!full)
        *n = (sides[0].coo ? sides[0].coo->nnz : 0) + (sides[1].coo ? sides[1].coo->nnz : 0);
    return TSR_OK;
}

static tsr_status merge(tsr_coo **out, const kernel_step *step, side *sides, tsr_error *err)
{
    const double x = sides[0].is_tensor ? 0 : sides[0].number, y = sides[1].is_tensor ? 0 : sides[1].number;
    const bool full = step->call->function->value(x, y) != 0;
    uint64_t most, n = 0, crd[TSR_MAX_ORDER] = {0};
    TSR_TRY(count_entries(&most, step, sides, full, err));
    TSR_TRY(tsr_coo_new_sized(out, step->order, step->dims, TSR_F64, false, most, err));
    bool more = full ? most > 0 : next_entry(crd, sides);
    while (more) {
        double value;
        if (evaluate(&value, step, sides, crd) || full) {
            for (int m = 0; m < step->order; m++)
                tsr_array_set(&(*out)->crd[m], n, crd[m]);
            ((double *)(*out)->values.data)[n++] = value;
        }
        more = full ? next_cell(crd, step) : next_entry(crd, sides);
    }
    for (int m = 0; m < step->order; m++)
        (*out)->crd[m].n = n;
    (*out)->values.n = (*out)->nnz = n;
    return TSR_OK;
}

/* The result of a function of scalars. */
static tsr_status scalar_result(tsr_tensor **out, const kernel_step *step, const side *sides, tsr_error *err)
{
    const double value = step->call->function->value(sides[0].number, sides[1].number);
    TSR_TRY(tsr_tensor_new(out, step->format, NULL, step->type, err));
    tsr_status status = tsr_array_init(&(*out)->values, 1, tsr_type_nbytes(step->type), 1, "a value", err);
    (*out)->npos = 1;
    if (status == TSR_OK)
        status = tsr_values_convert((*out)->values.data, step->type, &value, TSR_F64, 1, err);
    return status;
}

static tsr_status finish(tsr_tensor **out, const kernel_step *step, side *sides, int nthreads, tsr_error *err)
{
    if (step->order == 0)
        return scalar_result(out, step, sides, err);
    bool wide = false;
    for (int m = 0; m < step->order; m++)
        wide = wide || step->dims[m] > (uint64_t)UINT32_MAX + 1;
    const tsr_pack_options how = {.nthreads = nthreads, .index_width = wide ? TSR_INDEX_64 : TSR_INDEX_32};
    tsr_coo *coo = NULL;
    tsr_status status = merge(&coo, step, sides, err);
    if (status == TSR_OK)
        status = tsr_coo_retype(coo, step->type, err);
    if (status != TSR_OK) {
        tsr_coo_free(coo);
        return status;
    }
    return tsr_pack(out, coo, step->format, &how, NULL, err);
}

static tsr_status run_step(tsr_tensor **out, const kernel_step *step, const tsr_kernel *kernel,
                           const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    side sides[2] = {{0}};
    tsr_status status = TSR_OK;
    for (int k = 0; k < step->call->function->nargs && status == TSR_OK; k++)
        status = open_side(&sides[k], step, k, kernel, operands, nthreads, err);
    if (status == TSR_OK)
        status = finish(out, step, sides, nthreads, err);
    tsr_coo_free(sides[0].coo);
    tsr_coo_free(sides[1].coo);
    return status;
}

tsr_status kernel_run_steps(const tsr_tensor **inner, tsr_tensor **owned, const tsr_kernel *kernel,
                            const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    for (int k = 0; k < kernel->nsteps; k++)
        TSR_TRY(run_step(&owned[k], &kernel->step[k], kernel, operands, nthreads, err));
    for (int t = 1; t < kernel->notation->ntensors; t++) {
        const char *const name = kernel->notation->tensor[t].name;
        const int original = tsr_notation_find_tensor(kernel->original, name);
        for (int k = 0; k < kernel->nsteps && original < 0; k++)
            if (strcmp(kernel->step[k].name, name) == 0)
                inner[t - 1] = owned[k];
        if (original > 0)
            inner[t - 1] = operands[original - 1];
    }
    return TSR_OK;
}

tsr_status kernel_print_steps(tsr_text *text, const tsr_kernel *kernel, tsr_error *err)
{
    for (int k = 0; k < kernel->nsteps; k++) {
        const kernel_step *const step = &kernel->step[k];
        tsr_text_addf(text, "step %d: ", k + 1);
        print_access(text, step->name, step, kernel->original);
        tsr_text_add(text, " = ");
        tsr_expr_print(text, kernel->original, step->call);
        tsr_text_add(text, ", entry by entry\n");
        for (int a = 0; a < 2; a++)
            if (step->arg[a] && !step->arg[a]->original && step->arg[a]->plan)
                TSR_TRY(tsr_kernel_print(text, step->arg[a], TSR_KERNEL_GRAPH, err));
    }
    tsr_text_add(text, "then ");
    tsr_notation_print(text, kernel->notation);
    tsr_text_add(text, "\n");
    return tsr_text_status(text, err);
}
