/* Results whose entries are known only after the program has run: the arrays that the program allocated
 * become the levels of the result, or are packed. */
#include <inttypes.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_pack.h"

static tsr_pack_options packing(const tsr_kernel *kernel, int nthreads)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    size_t width = 0;
    for (int l = 0; l < kt->format->nlevels; l++)
        width = kt->operand.nbytes[TSR_LEVEL_CRD][l] > width ? kt->operand.nbytes[TSR_LEVEL_CRD][l] : width;
    return (tsr_pack_options){.nthreads = nthreads,
                              .wraps = true,
                              .index_width = width == 8   ? TSR_INDEX_64
                                             : width == 4 ? TSR_INDEX_INTEROP
                                                          : TSR_INDEX_NARROW};
}

void kernel_swap(tsr_tensor *a, tsr_tensor *b)
{
    const tsr_tensor before = *a;
    *a = *b;
    *b = before;
}

tsr_status kernel_empty_result(tsr_tensor **out, const tsr_kernel *kernel, tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    const tsr_pack_options how = packing(kernel, 1);
    tsr_coo *coo;
    TSR_TRY(tsr_coo_new(&coo, (tsr_shape){kt->format->order, kt->dims}, kt->operand.type, err));
    return tsr_pack(out, coo, kt->format, &how, NULL, err);
}

/* ---- outputs of the program ---- */

tsr_array *kernel_output_array(tsr_tensor *tensor, const tsr_kernel *kernel, int i)
{
    const tsr_param *const param = &kernel->lowered->param[i];
    const bool is_output = param->role >= TSR_PARAM_OUT_POS && param->role <= TSR_PARAM_OUT_VALUES;
    if (kernel->plan->sink == TSR_PLAN_LIST || !is_output)
        return NULL;
    if (param->role == TSR_PARAM_OUT_VALUES)
        return &tensor->values;
    tsr_level *const level = &tensor->levels[param->level];
    return param->role == TSR_PARAM_OUT_CRD            ? &level->crd
           : param->role == TSR_PARAM_OUT_BITS         ? &level->bits
           : tsr_level_has(level->type, TSR_LEVEL_POS) ? &level->pos
                                                       : NULL;
}

static void take(tsr_array *to, tsr_ir_output *from, size_t width)
{
    tsr_array_clear(to);
    *to = (tsr_array){.data = from->data, .n = (uint64_t)from->n, .width = width};
    from->data = NULL;
}

/* The requested width where it can hold `max`; else the narrowest width that can. */
static size_t fitting(size_t asked, uint64_t max)
{
    const size_t least = tsr_width_for(max);
    return asked > least ? asked : least;
}

static tsr_coo *listed(const tsr_kernel *kernel, tsr_ir_output *output, tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    tsr_coo *coo;
    if (tsr_coo_new(&coo, (tsr_shape){kt->format->order, kt->dims}, kt->operand.type, err) != TSR_OK)
        return NULL;
    for (int i = 0; i < kernel->lowered->ir->nparams; i++) {
        const tsr_param *const param = &kernel->lowered->param[i];
        if (param->role == TSR_PARAM_OUT_CRD)
            take(&coo->crd[param->level], &output[i], tsr_crd_width(kt->dims[param->level]));
        if (param->role == TSR_PARAM_OUT_VALUES)
            take(&coo->values, &output[i], tsr_type_nbytes(kt->operand.type));
    }
    coo->nnz = coo->values.n;
    return coo;
}

/* The tensor in the format plan->rows.assembled, from the outputs. */
static tsr_status assembled(tsr_tensor **out, const tsr_kernel *kernel, tsr_ir_output *output, tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    const tsr_plan *const plan = kernel->plan;
    TSR_TRY(tsr_tensor_new(out, kernel->storage ? kt->format : plan->rows.assembled, kt->dims,
                           kt->operand.type, err));
    tsr_tensor *const tensor = *out;
    for (int i = 0; i < kernel->lowered->ir->nparams; i++) {
        tsr_array *const array = kernel_output_array(tensor, kernel, i);
        if (array)
            take(array, &output[i], tsr_type_nbytes(kernel->lowered->ir->param[i].array->elem));
        const tsr_param *const param = &kernel->lowered->param[i];
        if (array && param->role == TSR_PARAM_OUT_BITS &&
            tsr_level_array_row(tensor->levels[param->level].type, TSR_LEVEL_BITS)->content ==
                TSR_HOLDS_WORDS) /* which programs write as bytes */
            *array = (tsr_array){.data = array->data, .n = array->n / 8, .width = 8};
    }
    uint64_t npos = 1;
    for (int l = 0; l < tensor->nlevels; l++) {
        tsr_level *const level = &tensor->levels[l];
        level->nparents = npos;
        const bool is_rootless = tsr_level_is_rootless(level->type);
        npos = level->type->full || tsr_level_is_marked(level->type) ? npos * level->size : level->crd.n;
        level->npos = npos;
        level->pitch = is_rootless ? npos : tsr_level_is_marked(level->type) ? level->size : level->pitch;
    }
    tensor->npos = npos;
    return TSR_OK;
}

/* Give the level arrays the requested widths. */
static tsr_status set_widths(tsr_tensor *tensor, const tsr_kernel *kernel, tsr_error *err)
{
    static const char what[] = "positions of a result";
    const tsr_plan_operand *const op = &kernel->tensor[0].operand;
    for (int l = kernel->plan->ndense; l < tensor->nlevels; l++) {
        tsr_level *const level = &tensor->levels[l];
        if (level->type->full || tsr_level_is_marked(level->type))
            continue; /* of blocks; without coordinates */
        if (level->npos > UINT32_MAX && tsr_level_has(level->type, TSR_LEVEL_POS))
            TSR_TRY(tsr_array_unwrap(&level->pos, what, err));
        if (tsr_level_has(level->type, TSR_LEVEL_POS))
            TSR_TRY(tsr_array_set_width(&level->pos, fitting(op->nbytes[TSR_LEVEL_POS][l], level->npos), what,
                                        err));
        const uint64_t largest = level->size > 0 ? level->size - 1 : 0;
        TSR_TRY(tsr_array_set_width(&level->crd, fitting(op->nbytes[TSR_LEVEL_CRD][l], largest), what, err));
    }
    return TSR_OK;
}

static tsr_status take_all(tsr_tensor **made, const tsr_kernel *kernel, tsr_ir_output *output, int nthreads,
                           tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    const tsr_pack_options how = packing(kernel, nthreads);
    if (kernel->plan->sink == TSR_PLAN_LIST) {
        tsr_coo *const coo = listed(kernel, output, err);
        return coo ? tsr_pack(made, coo, kt->format, &how, NULL, err) : TSR_NOMEM;
    }
    tsr_tensor *tensor;
    TSR_TRY(assembled(&tensor, kernel, output, err));
    if (kernel->plan->converts)
        return tsr_convert(made, tensor, kt->format, &how, NULL, err);
    *made = tensor;
    const tsr_status status = set_widths(tensor, kernel, err);
    if (status != TSR_OK)
        tsr_tensor_free(tensor);
    return status;
}

tsr_status kernel_take_outputs(tsr_tensor *result, const tsr_kernel *kernel, tsr_ir_output *output,
                               int nthreads, tsr_error *err)
{
    tsr_tensor *made;
    const tsr_status status = take_all(&made, kernel, output, nthreads, err);
    if (status == TSR_OK) {
        kernel_swap(result, made);
        tsr_tensor_free(made);
    }
    for (int i = 0; i < kernel->lowered->ir->nparams; i++)
        tsr_free(output[i].data);
    return status;
}
