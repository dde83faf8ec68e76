/* The plan of a kernel, and the copies of operands that its program reads. */
#include <string.h>

#include "kernel_internal.h"
#include "tsr_nest.h"
#include "tsr_pack.h"

static tsr_status describe_copy(tsr_kernel *kernel, int v, tsr_error *err)
{
    const tsr_plan_view *const view = &kernel->plan->view[v];
    const kernel_tensor *const from = &kernel->tensor[view->tensor];
    tsr_plan_operand *const op = &kernel->operand[kernel->notation->ntensors + v];
    const uint64_t *const dims = kernel->open ? kernel->open->binding[view->tensor]->dims : from->dims;
    TSR_TRY(tsr_binding_new(&kernel->copy[v], view->copy, dims, err));
    op->binding = kernel->copy[v];
    op->type = from->operand.type;
    op->iso = op->type == TSR_PATTERN;
    for (int l = 0; l < view->nlevels; l++) {
        op->pitch[l] = kernel->copy[v]->pitch[l];
        if (!view->full[l])
            op->nbytes[TSR_LEVEL_POS][l] = op->nbytes[TSR_LEVEL_CRD][l] = from->operand.copy_nbytes;
    }
    return TSR_OK;
}

/* The formats that the schedule asks operands to be converted to. */
typedef struct conversions {
    tsr_format *format[TSR_NOTATION_MAX_TENSORS];   /* owned; NULL: not asked for */
    tsr_binding *binding[TSR_NOTATION_MAX_TENSORS]; /* owned */
} conversions;

static tsr_status ask_conversion(conversions *c, const tsr_kernel *kernel, int t, const tsr_binding *given,
                                 tsr_error *err)
{
    const char *const name = kernel->notation->tensor[t].name;
    const uint64_t *const dims = given->dims;
    const int order = given->format->order;
    tsr_error why = {0};
    if (tsr_format_parse(&c->format[t], kernel->schedule.convert[t], order, dims, &why) != TSR_OK)
        return tsr_fail(err, why.status, "convert(%s,%s): %s", name, kernel->schedule.convert[t],
                        why.message);
    if (tsr_format_is_dense(c->format[t]) || tsr_format_is_dense(kernel->tensor[t].format))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "convert(%s,%s): only sparse operands are converted, to formats with a sparse level: give %s "
            "that format instead",
            name, kernel->schedule.convert[t], name);
    return tsr_binding_new(&c->binding[t], c->format[t], dims, err);
}

static tsr_status plan_once(tsr_kernel *kernel, tsr_error *err)
{
    const int ntensors = kernel->notation->ntensors;
    const tsr_schedule *const schedule = &kernel->schedule;
    const kernel_storage *const storage = kernel->storage;
    conversions c = {0};
    tsr_plan_operand operands[TSR_NOTATION_MAX_TENSORS];
    tsr_status status = TSR_OK;
    for (int t = 0; t < ntensors; t++)
        operands[t] = kernel_operand(kernel, t);
    for (int t = 1; t < ntensors; t++)
        if (schedule->convert[t][0] && strcmp(schedule->convert[t], TSR_SCHEDULE_WALK) != 0) {
            TSR_TRY_OUT(ask_conversion(&c, kernel, t, operands[t].binding, err));
            operands[t].binding = c.binding[t];
        }
    const tsr_plan_request request = {.notation = storage ? storage->notation : kernel->notation,
                                      .in_storage = storage,
                                      .parts = storage && storage->has_parts ? storage->parts : NULL,
                                      .operands = operands,
                                      .size = storage ? storage->size : kernel_sizes(kernel),
                                      .ring = kernel->ring,
                                      .nthreads = kernel->how.nthreads,
                                      .tuning = kernel->how.tuning,
                                      .assembles =
                                          kernel->original || kernel->how.takes == TSR_KERNEL_TAKES_NO_LEVELS,
                                      .stand_in = kernel->how.stand_in,
                                      .open = kernel->open,
                                      .schedule = schedule,
                                      .convert = (const tsr_format *const *)c.format};
    status = tsr_plan_new(&kernel->plan, &request, err);
out:
    for (int t = 0; t < ntensors; t++) {
        tsr_binding_free(c.binding[t]);
        tsr_format_free(c.format[t]);
    }
    return status;
}

/* Check that the type and the kind of assignment go with the plan. */
static tsr_status check_plan(const tsr_kernel *kernel, tsr_error *err)
{
    const tsr_type type = kernel->tensor[0].operand.type;
    const tsr_semiring *const reduction = kernel_notation(kernel)->reduction;
    if (kernel->ring != &tsr_semirings[0] && kernel->ring->add != TSR_COMBINE_MUL &&
        tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED, "%s%s needs values that are real or integers, not %s",
                        reduction ? reduction->name : "the semiring ", reduction ? "=" : kernel->ring->name,
                        tsr_type_name(type));
    if (!tsr_plan_walks(kernel->plan) && kernel_assembles(kernel) && kernel->notation->accumulate)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "each run assembles the result %s anew, so += is not supported: use = and add the "
                        "old %s under another "
                        "name on the right",
                        kernel->notation->tensor[0].name, kernel->notation->tensor[0].name);
    return TSR_OK;
}

/* Whether the run of the plan converts a tensor. */
static bool converts(const tsr_plan *plan)
{
    bool copies = plan->converts;
    for (int v = 0; v < plan->nviews; v++)
        copies = copies || plan->view[v].copy;
    return copies;
}

/* Whether loops of the plan locate an operand. */
static bool locates(const tsr_plan *plan)
{
    bool any = false;
    for (int i = 0; i < plan->nterms; i++)
        any = any || (plan->term[i].nest && tsr_nest_filters(plan->term[i].nest, 0));
    return any;
}

/* The least part of the products of two blocks of which no factor is 0, for products of blocks to be faster than those of entries. */
#define FULL_BLOCKS 0.005

/* Whether the statement multiplies blocks, of which few values are not 0. In that case, say so where operands are copied. */
static bool has_empty_blocks(const kernel_tensor *tensors, tsr_plan *plan)
{
    const tsr_notation *const notation = plan->notation;
    double filled = 1;
    if (notation->nvars == notation->nfree || notation->nfree == 0)
        return false;
    for (int t = 1; t < notation->ntensors; t++)
        filled *= tensors[t].filled;
    for (int v = 0; v < plan->nviews && filled < FULL_BLOCKS; v++)
        if (plan->view[v].copy && tensors[plan->view[v].tensor].filled < 1)
            plan->view[v].why = "most products of values of the blocks would be 0";
    return filled < FULL_BLOCKS;
}

/* Where the plan converts tensors or searches them, plan the statement in storage coordinates instead, if loops merge all of them there. */
static tsr_status plan_in_storage(tsr_kernel *kernel, tsr_error *err)
{
    tsr_plan *const before = kernel->plan;
    if (!(converts(before) || locates(before)) || has_empty_blocks(kernel->tensor, before))
        return TSR_OK;
    TSR_TRY(kernel_make_storage(&kernel->storage, kernel, err));
    if (!kernel->storage)
        return TSR_OK;
    kernel->plan = NULL;
    const tsr_status status = plan_once(kernel, NULL);
    if (status == TSR_OK && !tsr_plan_walks(kernel->plan) && !converts(kernel->plan)) {
        tsr_plan_free(before);
        return TSR_OK;
    }
    tsr_plan_free(kernel->plan);
    kernel->plan = before;
    kernel_storage_free(kernel->storage);
    kernel->storage = NULL;
    return status == TSR_NOMEM ? tsr_fail(err, TSR_NOMEM, "out of memory: a kernel") : TSR_OK;
}

tsr_status kernel_plan(tsr_kernel *kernel, tsr_error *err)
{
    if (kernel->how.any_size)
        TSR_TRY(kernel_open_sizes(kernel, false, err));
    TSR_TRY(plan_once(kernel, err));
    if (kernel->open && !tsr_plan_walks(kernel->plan)) { /* costs decide, so sizes have other stand-ins */
        tsr_plan_free(kernel->plan);
        kernel->plan = NULL;
        TSR_TRY(kernel_open_sizes(kernel, true, err));
        TSR_TRY(plan_once(kernel, err));
    }
    TSR_TRY(plan_in_storage(kernel, err));
    TSR_TRY(check_plan(kernel, err));
    const int ntensors = kernel->notation->ntensors, nviews = kernel->plan->nviews;
    kernel->operand = tsr_calloc((size_t)(ntensors + nviews), sizeof *kernel->operand);
    if (!kernel->operand)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a kernel");
    for (int t = 0; t < ntensors; t++)
        kernel->operand[t] = kernel_operand(kernel, t);
    for (int v = 0; v < nviews; v++)
        if (kernel->plan->view[v].copy)
            TSR_TRY(describe_copy(kernel, v, err));
    return TSR_OK;
}

bool kernel_adds_copies(const tsr_kernel *kernel)
{
    for (int i = 0; i < kernel->plan->nterms; i++)
        if (kernel->plan->term[i].walks ||
            tsr_plan_share_of(kernel->plan, &kernel->plan->term[i])->sharing == TSR_SHARE_PRIVATE)
            return true;
    return false;
}

/* ---- copies ---- */

static tsr_status make_copy(tsr_tensor **out, const tsr_kernel *kernel, int v, const tsr_tensor *operand,
                            int nthreads, tsr_error *err)
{
    const tsr_plan_view *const view = &kernel->plan->view[v];
    const bool wide = kernel->tensor[view->tensor].operand.copy_nbytes == 8;
    const tsr_pack_options how = {.nthreads = nthreads, .index_width = wide ? TSR_INDEX_64 : TSR_INDEX_32};
    const bool has_blocks = tsr_format_has_dense_leaf(operand->format);
    tsr_coo *coo;
    if (!has_blocks &&
        (!operand->iso || operand->type == TSR_PATTERN)) { /* what stays the same is borrowed */
        tsr_tensor *same;
        TSR_TRY(tsr_tensor_view(&same, operand, err));
        return tsr_convert(out, same, view->copy, &how, NULL, err);
    }
    TSR_TRY(tsr_unpack(&coo, operand, nthreads, err));
    if (has_blocks && !coo->iso)
        tsr_coo_drop_zeros(coo); /* absent in blocks: -0 is the only one that unpacking keeps */
    const tsr_status status = coo->type == TSR_PATTERN ? TSR_OK : tsr_coo_repeat_value(coo, err);
    if (status != TSR_OK) {
        tsr_coo_free(coo);
        return status;
    }
    return tsr_pack(out, coo, view->copy, &how, NULL, err);
}

/* The error when a copy cannot be made, with the names of the operand and of the format. */
static tsr_status copy_fault(const tsr_kernel *kernel, int v, const tsr_error *why, tsr_error *err)
{
    const tsr_plan_view *const view = &kernel->plan->view[v];
    tsr_text format = {0};
    tsr_format_print_name_for(&format, view->copy, kernel->tensor[view->tensor].dims);
    tsr_fail(err, why->status, "%s needs a copy of %s as %s: %s", kernel->text.expression,
             kernel->notation->tensor[view->tensor].name, tsr_text_cstr(&format), why->message);
    tsr_text_clear(&format);
    return why->status;
}

tsr_status kernel_make_copies(tsr_tensor **copies, const tsr_kernel *kernel,
                              const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    for (int v = 0; v < kernel->plan->nviews; v++) {
        const tsr_plan_view *const view = &kernel->plan->view[v];
        tsr_error why = {0};
        if (view->copy &&
            make_copy(&copies[v], kernel, v, operands[view->tensor - 1], nthreads, &why) != TSR_OK)
            return copy_fault(kernel, v, &why, err);
    }
    return TSR_OK;
}
