/* The properties that a kernel is made for: the format, dims, value type and array widths of each tensor of
 * the notation. */
#include <inttypes.h>

#include "kernel_steps.h"

enum { DEFAULT_INDEX_NBYTES = 4 };

tsr_status kernel_take_given(tsr_kernel_tensor **out, const tsr_kernel_tensor *given, int n, tsr_error *err)
{
    const size_t room = (size_t)n + TSR_NOTATION_MAX_TENSORS;
    tsr_kernel_tensor *const made = *out = tsr_malloc(room * sizeof *made);
    if (!made)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    for (int i = 0; i < n; i++)
        if (!given[i].name)
            return tsr_fail(err, TSR_ARGUMENT, "missing the name of a tensor");
        else
            made[i] = kernel_complete(given[i]);
    return TSR_OK;
}

/* ---- matching names ---- */

/* given[t]: the caller's tensor with the name of tensor t of the notation, NULL where there is none. */
static tsr_status match(const tsr_kernel_tensor **given, const tsr_notation *notation,
                        const tsr_kernel_tensor *tensors, int ntensors, tsr_error *err)
{
    for (int i = 0; i < ntensors; i++) {
        const int t = tsr_notation_find_tensor(notation, tensors[i].name);
        if (t < 0)
            return tsr_fail(err, TSR_ARGUMENT, "the expression has no tensor '%s'", tensors[i].name);
        if (given[t])
            return tsr_fail(err, TSR_ARGUMENT, "the tensor %s is given twice", tensors[i].name);
        given[t] = &tensors[i];
    }
    return TSR_OK;
}

/* The order of the tensor must be the number of indices in the expression. */
static tsr_status check_order(const tsr_notation_tensor *tensor, const tsr_kernel_tensor *given,
                              tsr_error *err)
{
    const tsr_format *const format = given->format;
    if (!format || format->order == tensor->order)
        return TSR_OK;
    return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, tensor->col,
                       "%s has %d mode%s, but %d ind%s in the expression", tensor->name, format->order,
                       format->order == 1 ? "" : "s", tensor->order, tensor->order == 1 ? "ex" : "ices");
}

/* The dims of each tensor that is given. */
static void take_dims(const uint64_t **dims, const tsr_notation *notation,
                      const tsr_kernel_tensor *const *given)
{
    for (int t = 0; t < notation->ntensors; t++)
        dims[t] = given[t] ? given[t]->dims : NULL;
}

tsr_status kernel_step_sizes(uint64_t *size, const tsr_notation *notation, const tsr_kernel_tensor *tensors,
                             int ntensors, tsr_error *err)
{
    const tsr_kernel_tensor *given[TSR_NOTATION_MAX_TENSORS] = {NULL};
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS];
    TSR_TRY(match(given, notation, tensors, ntensors, err));
    for (int t = 0; t < notation->ntensors; t++)
        if (given[t])
            TSR_TRY(check_order(&notation->tensor[t], given[t], err));
    take_dims(dims, notation, given);
    return tsr_notation_sizes(size, notation, dims, NULL, err);
}

static tsr_status check_given(const tsr_kernel *kernel, int t, const tsr_kernel_tensor *given, tsr_error *err)
{
    const tsr_notation_tensor *const tensor = &kernel->notation->tensor[t];
    const tsr_type type = given->type;
    const bool common = t == 0 && !given->tensor && type == TSR_NTYPES;
    if ((unsigned)type >= TSR_NTYPES && !common)
        return tsr_fail(err, TSR_ARGUMENT, "%s has the invalid value type %d", tensor->name, (int)type);
    if (t == 0 && (type == TSR_PATTERN || (given->tensor && given->tensor->iso)))
        return tsr_fail(err, TSR_UNSUPPORTED, "the result %s must hold a value for each entry, not %s",
                        tensor->name, type == TSR_PATTERN ? "a pattern" : "one for all");
    if (t == 0 && given->format && given->format->order == 0 && !tsr_format_is_dense(given->format))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the result %s is a scalar, which has no sparse format: leave its format out",
                        tensor->name);
    TSR_TRY(check_order(tensor, given, err));
    if (given->tensor)
        return kernel_check_kind(tensor->name, given->tensor, err);
    if (given->index_nbytes > 8 || (given->index_nbytes & (given->index_nbytes - 1)) != 0)
        return tsr_fail(err, TSR_ARGUMENT, "invalid index width of %d bytes for %s: use 1, 2, 4 or 8",
                        given->index_nbytes, tensor->name);
    return TSR_OK;
}

/* ---- sizes and types ---- */

/* Raise the dims of the tensors in e to what the accesses read: the dims of a tensor of which none are given. */
static void raise_dims(tsr_kernel *kernel, const tsr_expr *e)
{
    if (!e)
        return;
    raise_dims(kernel, e->a);
    raise_dims(kernel, e->b);
    for (int m = 0; e->kind == TSR_EXPR_ACCESS && m < e->nindices; m++) {
        const tsr_mode_window *const w = tsr_expr_window(e, m);
        const uint64_t least = w ? w->behind : kernel->size[e->index[m]];
        uint64_t *const dim = &kernel->tensor[e->tensor].dims[m];
        *dim = *dim > least ? *dim : least;
    }
}

/* Set the sizes of all variables and the dims of all tensors. */
static tsr_status find_sizes(tsr_kernel *kernel, const tsr_kernel_tensor *const *given, tsr_error *err)
{
    const tsr_notation *const notation = kernel->notation;
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS];
    take_dims(dims, notation, given);
    TSR_TRY(tsr_notation_sizes(kernel->size, notation, dims, NULL, err));
    raise_dims(kernel, notation->result);
    raise_dims(kernel, notation->rhs);
    raise_dims(kernel, notation->where);
    for (int t = 0; t < notation->ntensors; t++)
        for (int m = 0; dims[t] && m < notation->tensor[t].order; m++)
            kernel->tensor[t].dims[m] = dims[t][m];
    return TSR_OK;
}

static tsr_type result_type(const tsr_kernel *kernel)
{
    tsr_type type = TSR_PATTERN;
    for (int t = 1; t < kernel->notation->ntensors; t++)
        if (tsr_notation_computes(kernel->notation, t))
            type = tsr_type_common(type, kernel->tensor[t].operand.type);
    if (tsr_expr_has_coordinate(kernel->notation->rhs))
        type = tsr_type_common(type, TSR_I64);
    return type != TSR_PATTERN          ? type
           : kernel->notation->is_truth ? TSR_U8
                                        : TSR_F64; /* all operands are patterns */
}

/* ---- formats and levels ---- */

/* Set the positions per level where they do not depend on the entries; all 0 where a level depends on
 * them. */
static void count_positions(kernel_tensor *kt)
{
    uint64_t npos = 1;
    for (int l = 0; l < kt->format->nlevels; l++) {
        const tsr_level_type *const type = kt->format->levels[l].type;
        if (!type->npos(&npos, npos, kt->binding->pitch[l]) || npos == UINT64_MAX) {
            memset(kt->operand.npos, 0, sizeof kt->operand.npos);
            return;
        }
        kt->operand.npos[l] = npos;
    }
}

static void describe_levels(kernel_tensor *kt, const tsr_kernel_tensor *given)
{
    tsr_plan_operand *const op = &kt->operand;
    const tsr_tensor *const tensor = given ? given->tensor : NULL;
    const uint8_t width = given && given->index_nbytes ? given->index_nbytes : DEFAULT_INDEX_NBYTES;
    for (int l = 0; l < kt->format->nlevels; l++) {
        const tsr_level_type *const type = kt->format->levels[l].type;
        for (int k = 0; k < TSR_LEVEL_NROLES && type->arrays[k].name; k++) {
            const tsr_level_array *const row = &type->arrays[k];
            op->nbytes[row->role][l] = tensor
                                           ? (uint8_t)tsr_level_array_at(&tensor->levels[l], row->role)->width
                                       : row->content == TSR_HOLDS_BYTES ? 1
                                       : row->content == TSR_HOLDS_WORDS ? 8
                                                                         : width;
        }
        op->pitch[l] = tensor ? tensor->levels[l].pitch : kt->binding->pitch[l];
        op->npos[l] = tensor ? tensor->levels[l].npos : 0;
    }
    if (!tensor)
        count_positions(kt);
    op->copy_nbytes = 4;
    for (int m = 0; m < kt->format->order; m++)
        op->copy_nbytes = kt->dims[m] > (uint64_t)UINT32_MAX + 1 ? 8 : op->copy_nbytes;
    for (int l = 0; l < kt->format->nlevels; l++)
        op->copy_nbytes = op->npos[l] > UINT32_MAX ? 8 : op->copy_nbytes;
}

/* The part of the values of the tensor's dense blocks that are not 0, in runs of values at equal distances. */
static double filled_part(const tsr_tensor *tensor)
{
    enum { RUNS = 64, RUN = 64 };
    const size_t width = tensor->values.width;
    const uint64_t n = tensor->values.n, nruns = n / RUN < RUNS ? n / RUN + 1 : RUNS;
    uint64_t seen = 0, filled = 0;
    for (uint64_t r = 0; r < nruns; r++) {
        const uint64_t first = n / nruns * r;
        for (uint64_t k = first; k < n && k < first + RUN; k++) {
            const unsigned char *const at = (const unsigned char *)tensor->values.data + k * width;
            size_t b = 0;
            while (b < width && at[b] == 0)
                b++;
            seen++;
            filled += b < width;
        }
    }
    return seen > 0 ? (double)filled / (double)seen : 1;
}

static tsr_status describe_tensor(tsr_kernel *kernel, int t, const tsr_kernel_tensor *given, tsr_error *err)
{
    kernel_tensor *const kt = &kernel->tensor[t];
    tsr_plan_operand *const op = &kt->operand;
    const tsr_tensor *const tensor = given ? given->tensor : NULL;
    if (given && given->format)
        TSR_TRY(tsr_format_copy(&kt->format, given->format, err));
    else
        TSR_TRY(tsr_format_dense(&kt->format, kernel->notation->tensor[t].order, NULL, err));
    tsr_error why = {0};
    if (tensor) {
        kt->binding = tsr_binding_share(tensor->binding);
    } else {
        const tsr_status status = tsr_binding_new(&kt->binding, kt->format, kt->dims, &why);
        if (status != TSR_OK)
            return tsr_fail(err, status, "%s: %s", kernel->notation->tensor[t].name, why.message);
    }
    op->binding = kt->binding;
    op->type = given && given->type != TSR_NTYPES ? given->type : result_type(kernel);
    /* a pattern holds a value for each position where the last level is dense */
    op->iso = tensor ? tensor->iso : op->type == TSR_PATTERN && !tsr_format_has_dense_leaf(kt->format);
    describe_levels(kt, given);
    const bool has_blocks = tsr_format_marks(kt->format) ||
                            (tsr_format_has_dense_leaf(kt->format) && !tsr_format_is_dense(kt->format));
    const bool multiplies = kernel->notation->nvars > kernel->notation->nfree; /* the only use of the part */
    kt->filled = tensor && has_blocks && multiplies && !tensor->iso ? filled_part(tensor) : 1;
    return TSR_OK;
}

/* A sparse result that is given by format only shares the levels of an operand: give it the widths of the
 * operand's arrays. */
static void borrow_widths(tsr_kernel *kernel)
{
    kernel_tensor *const result = &kernel->tensor[0];
    if (tsr_format_is_dense(result->format)) /* a dense result does not share levels */
        return;
    for (int t = 1; t < kernel->notation->ntensors; t++) {
        const kernel_tensor *const from = &kernel->tensor[t];
        if (tsr_format_is_dense(from->format))
            continue;
        for (int l = 0;
             l < result->format->nlevels && l < from->format->nlevels &&
             result->format->levels[l].type == from->format->levels[l].type &&
             result->binding->size[l] == from->binding->size[l]; /* a different size: a different mode */
             l++) {
            for (int role = 0; role < TSR_LEVEL_NROLES; role++)
                result->operand.nbytes[role][l] = from->operand.nbytes[role][l];
            result->operand.pitch[l] = from->operand.pitch[l];
        }
        return;
    }
}

tsr_status kernel_describe(tsr_kernel *kernel, const tsr_kernel_tensor *tensors, int ntensors, tsr_error *err)
{
    const tsr_kernel_tensor *given[TSR_NOTATION_MAX_TENSORS] = {NULL};
    const tsr_notation *const notation = kernel->notation;
    TSR_TRY(match(given, notation, tensors, ntensors, err));
    for (int t = 0; t < notation->ntensors; t++)
        if (given[t])
            TSR_TRY(check_given(kernel, t, given[t], err));
        else if (t > 0)
            return tsr_fail(err, TSR_ARGUMENT, "no format or tensor given for %s", notation->tensor[t].name);
    TSR_TRY(find_sizes(kernel, given, err));
    for (int t = 1; t < notation->ntensors; t++)
        TSR_TRY(describe_tensor(kernel, t, given[t], err));
    TSR_TRY(describe_tensor(kernel, 0, given[0], err)); /* last: its type may follow from the types of the
                                                         * operands */
    if (!given[0] || !given[0]->tensor)
        borrow_widths(kernel);
    return TSR_OK;
}
