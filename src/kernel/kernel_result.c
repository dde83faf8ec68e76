/* Making a kernel's result. */
#include <inttypes.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_checked.h"
#include "tsr_machine.h"

static tsr_status copy_array(tsr_array *to, const tsr_array *from, const char *what, tsr_error *err)
{
    if (!from->data)
        return TSR_OK;
    TSR_TRY(tsr_array_init(to, from->n, from->width, 0, what, err));
    memcpy(to->data, from->data, from->n * from->width);
    return TSR_OK;
}

/* The outer levels of the pattern operand. */
static tsr_status copy_levels(tsr_tensor *result, int nlevels, const tsr_tensor *from, tsr_error *err)
{
    for (int l = 0; l < nlevels; l++) {
        tsr_level *const to = &result->levels[l];
        to->pitch = from->levels[l].pitch;
        to->nparents = from->levels[l].nparents;
        to->npos = from->levels[l].npos;
        TSR_TRY(copy_array(&to->pos, &from->levels[l].pos, "positions of a result", err));
        TSR_TRY(copy_array(&to->crd, &from->levels[l].crd, "coordinates of a result", err));
        result->npos = to->npos;
    }
    return TSR_OK;
}

static tsr_status too_large(const tsr_kernel *kernel, double nvalues, tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    char need[32], have[32];
    tsr_text what = {0};
    tsr_format_print_name_for(&what, kt->format, kt->dims);
    for (int m = 0; m < kt->format->order; m++)
        tsr_text_addf(&what, "%s%" PRIu64, m > 0 ? " x " : " of ", kt->dims[m]);
    const tsr_status status =
        tsr_fail(err, TSR_LIMIT, "the result %s (%s) needs %s, more than the %s that this machine has",
                 kernel->notation->tensor[0].name, tsr_text_cstr(&what),
                 tsr_bytes_text_f(need, nvalues * (double)tsr_type_nbytes(kt->operand.type)),
                 tsr_bytes_text(have, tsr_memory_nbytes()));
    tsr_text_clear(&what);
    return status;
}

/* Dense levels from `first` on, and zeros. */
static tsr_status complete(tsr_tensor *result, const tsr_kernel *kernel, int first, tsr_error *err)
{
    double nvalues = (double)result->npos;
    for (int l = first; l < result->nlevels; l++)
        nvalues *= (double)result->levels[l].pitch;
    const size_t nbytes = tsr_type_nbytes(result->type);
    if (nvalues * (double)nbytes > (double)tsr_memory_nbytes())
        return too_large(kernel, nvalues, err);
    for (int l = first; l < result->nlevels; l++) {
        tsr_level *const level = &result->levels[l];
        level->nparents = result->npos;
        if (!level->type->full || !level->type->npos(&level->npos, level->nparents, level->pitch))
            return tsr_fail(err, TSR_UNSUPPORTED, "level %d of the result %s is %s, and no operand gives it",
                            l, kernel->notation->tensor[0].name, level->type->name);
        result->npos = level->npos;
    }
    /* not zeroed by calloc, whose large blocks begin on no cache line */
    TSR_TRY(tsr_array_init(&result->values, result->npos, nbytes, 0, "values of a result", err));
    memset(result->values.data, 0, result->npos * nbytes);
    return TSR_OK;
}

tsr_status tsr_kernel_result(tsr_tensor **out, const tsr_kernel *kernel, const tsr_tensor *const *operands,
                             tsr_error *err)
{
    *out = NULL;
    const kernel_tensor *const kt = &kernel->tensor[0];
    const int pattern = kernel->lowered->pattern_tensor;
    const int nshared = pattern > 0 ? kernel->lowered->pattern_nlevels : 0;
    if (nshared > 0 && !operands)
        return tsr_fail(err, TSR_ARGUMENT, "the result %s has the entries of %s, which is not given",
                        kernel->notation->tensor[0].name, kernel->notation->tensor[pattern].name);
    if (nshared > 0)
        TSR_TRY(kernel_check_tensor(kernel, pattern, operands[pattern - 1], err));
    tsr_tensor *result;
    TSR_TRY(tsr_tensor_new(&result, kt->format, kt->dims, kt->operand.type, err));
    tsr_status status = TSR_OK;
    if (nshared > 0)
        status = copy_levels(result, nshared, operands[pattern - 1], err);
    if (status == TSR_OK)
        status = complete(result, kernel, nshared, err);
    if (status != TSR_OK) {
        tsr_tensor_free(result);
        return status;
    }
    *out = result;
    return TSR_OK;
}
