/* The sparse format that a result could have: the outer levels of a sparse operand, dense ones below. */
#include <string.h>

#include "tkern.h"

/* The mode of the result that variable v is, or -1. */
static int mode_of(const tsr_tkern *t, int v)
{
    const tsr_expr *const result = t->notation->result;
    for (int m = 0; m < result->nindices; m++)
        if (result->index[m] == v)
            return m;
    return -1;
}

/* Letters and modes: the levels of operand i down to the first that the result has no variable of, then the
 * result's other modes, dense. */
static tsr_status parse_outer(tsr_format **out, const tsr_tkern *t, int i, tsr_error *err)
{
    const tsr_format *const format = t->tensor[i].format;
    const tsr_expr *const access = tsr_notation_access(t->notation, i);
    const int order = t->tensor[0].order;
    int perm[TSR_MAX_LEVELS];
    uint32_t taken = 0;
    tsr_text letters = {0}, modes = {0};
    *out = NULL;
    for (int l = 0; tsr_format_is_permutation(format, perm) && l < format->nlevels; l++) {
        const tsr_level_spec *const level = &format->levels[l];
        const int m = mode_of(t, access->index[perm[l]]);
        if (m < 0)
            break;
        tsr_text_addf(&letters, "%c", level->nonunique ? level->type->letter_nonunique : level->type->letter);
        tsr_text_addf(&modes, "%c%d", modes.nbytes ? ',' : ':', m);
        taken |= UINT32_C(1) << m;
    }
    for (int m = 0; m < order; m++)
        if (!(taken >> m & 1)) {
            tsr_text_add(&letters, "d");
            tsr_text_addf(&modes, "%c%d", modes.nbytes ? ',' : ':', m);
        }
    tsr_text_add(&letters, tsr_text_cstr(&modes));
    tsr_status status = tsr_text_status(&letters, err);
    if (status == TSR_OK)
        status = tsr_format_parse(out, tsr_text_cstr(&letters), order, NULL, err);
    tsr_text_clear(&letters);
    tsr_text_clear(&modes);
    return status;
}

bool tsr_tkern_sparse_result(tsr_text *text, int *operand, const tsr_tkern *t,
                             const tsr_kernel_tensor *tensors)
{
    const tsr_kernel_options how = {.engine = TSR_ENGINE_INTERPRETER, .nthreads = t->s->nthreads};
    bool found = false;
    for (int i = 1; i < t->notation->ntensors && !found; i++) {
        tsr_kernel_tensor with[TSR_NOTATION_MAX_TENSORS];
        tsr_kernel *kernel = NULL;
        tsr_format *format;
        if (tsr_format_is_dense(t->tensor[i].format) || parse_outer(&format, t, i, NULL) != TSR_OK)
            continue;
        memcpy(with, tensors, (size_t)t->notation->ntensors * sizeof *with);
        with[0].format = format;
        found = !tsr_format_is_dense(format) &&
                tsr_kernel_new(&kernel, t->s->expression, with, t->notation->ntensors, &how, NULL) == TSR_OK;
        if (found) {
            tsr_format_print(text, format);
            *operand = i;
        }
        tsr_kernel_free(kernel);
        tsr_format_free(format);
    }
    return found && !text->failed;
}
