/* Checks that tensors agree with the kernel. They compare kinds and lengths only: tsr_tensor_check checks
 * the contents of level arrays. */
#include <inttypes.h>

#include "kernel_internal.h"

tsr_status kernel_check_kind(const char *name, const tsr_tensor *tensor, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES] = {0};
    if (tensor->structure != TSR_GENERAL)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s stores one triangle of a matrix (%s), and kernels need the whole matrix: expand "
                        "it (tsr_coo_expand)",
                        name, tsr_structure_name(tensor->structure));
    if (tensor->has_fill && memcmp(tensor->fill, zero, tsr_type_nbytes(tensor->type)) != 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "the fill of %s is not 0, and kernels need absent cells that are 0: subtract it "
                        "first",
                        name);
    return TSR_OK;
}

/* "csr of 3 x 4, f64". */
static void add_kind(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_type type, bool iso)
{
    tsr_format_print_name_for(text, format, dims);
    for (int m = 0; m < format->order; m++)
        tsr_text_addf(text, "%s%" PRIu64, m > 0 ? " x " : " of ", dims[m]);
    tsr_text_addf(text, ", %s%s", tsr_type_name(type), iso && type != TSR_PATTERN ? " (one value)" : "");
}

/* TSR_ARGUMENT with the kinds of the tensor and of the kernel's tensor t. */
static tsr_status wrong_kind(const tsr_kernel *kernel, int t, const tsr_tensor *tensor, tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[t];
    tsr_text is = {0}, wanted = {0};
    add_kind(&is, tensor->format, tensor->dims, tensor->type, tensor->iso);
    add_kind(&wanted, kt->format, kt->dims, kt->operand.type, kt->operand.iso);
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "%s is %s, but the kernel was made for %s",
                 kernel->notation->tensor[t].name, tsr_text_cstr(&is), tsr_text_cstr(&wanted));
    tsr_text_clear(&is);
    tsr_text_clear(&wanted);
    return status;
}

/* Check the lengths and widths of level l of tensor t below nparents positions. */
static tsr_status check_level(const tsr_kernel *kernel, int t, int l, const tsr_level *level,
                              uint64_t nparents, tsr_error *err)
{
    const char *const name = kernel->notation->tensor[t].name;
    const tsr_plan_operand *const op = &kernel->tensor[t].operand;
    const tsr_level_type *const type = level->type;
    if (!type->assemble && level->pitch != op->pitch[l])
        return tsr_fail(err, TSR_ARGUMENT,
                        "level %d of %s has pitch %" PRIu64 ", but the kernel was made for %" PRIu64, l, name,
                        level->pitch, op->pitch[l]);
    uint64_t npos = 0; /* UINT64_MAX: depends on the entries */
    const bool fits =
        type->npos(&npos, nparents, level->pitch) && (npos == UINT64_MAX || npos == level->npos);
    for (const tsr_level_array *row = type->arrays; row < type->arrays + TSR_LEVEL_NROLES && row->name;
         row++) {
        uint64_t n;
        const tsr_array *const array = tsr_level_array_at(level, row->role);
        const bool has_rule = tsr_level_array_length(&n, row, nparents, level->npos);
        const bool holds_npos = row->role == TSR_LEVEL_POS && has_rule && array->data && array->n == n &&
                                row->content == TSR_HOLDS_POSITIONS && !type->assemble;
        if (array->width != op->nbytes[row->role][l])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d of %s has %zu bytes per element of %s, but the kernel was made for %d",
                            l, name, array->width, row->name, op->nbytes[row->role][l]);
        if (!array->data || (has_rule && array->n != n) ||
            (holds_npos && tsr_array_get(array, nparents) != level->npos))
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d of %s is inconsistent: %" PRIu64 " positions under %" PRIu64
                            " parents, but %" PRIu64 " elements of %s",
                            l, name, level->npos, nparents, array->n, row->name);
    }
    if (level->nparents != nparents || !fits)
        return tsr_fail(err, TSR_ARGUMENT,
                        "level %d of %s is inconsistent: %" PRIu64 " positions under %" PRIu64 " parents", l,
                        name, level->npos, nparents);
    return TSR_OK;
}

tsr_status kernel_check_tensor(const tsr_kernel *kernel, int t, const tsr_tensor *tensor, tsr_error *err)
{
    const char *const name = kernel->notation->tensor[t].name;
    const kernel_tensor *const kt = &kernel->tensor[t];
    if (!tensor)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", name);
    const bool is_made = t == 0 && kernel_has_outputs(kernel); /* what it holds is replaced */
    if (!tsr_format_equal(tensor->format, kt->format) ||
        memcmp(tensor->dims, kt->dims, (size_t)kt->format->order * sizeof *kt->dims) != 0 ||
        tensor->type != kt->operand.type ||
        (!is_made && (tensor->nlevels != kt->format->nlevels || tensor->iso != kt->operand.iso)))
        return wrong_kind(kernel, t, tensor, err);
    TSR_TRY(kernel_check_kind(name, tensor, err));
    if (is_made)
        return TSR_OK;
    uint64_t npos = 1;
    for (int l = 0; l < tensor->nlevels; l++) {
        TSR_TRY(check_level(kernel, t, l, &tensor->levels[l], npos, err));
        npos = tensor->levels[l].npos;
    }
    const uint64_t nvalues = tensor->iso ? 1 : npos;
    if (tensor->npos != npos || !tensor->values.data || tensor->values.n != nvalues ||
        tensor->values.width != tsr_type_nbytes(tensor->type))
        return tsr_fail(err, TSR_ARGUMENT,
                        "%s has %" PRIu64 " values of %zu bytes for %" PRIu64 " positions of the last level",
                        name, tensor->values.data ? tensor->values.n : 0, tensor->values.width, npos);
    return TSR_OK;
}

/* ---- the tensors of a run together ---- */

bool kernel_same_level(const tsr_level *a, const tsr_level *b, int nthreads)
{
    if (a->npos != b->npos || a->pitch != b->pitch || a->low != b->low)
        return false;
    for (const tsr_level_array *row = a->type->arrays; row < a->type->arrays + TSR_LEVEL_NROLES && row->name;
         row++)
        if (!tsr_array_equal(tsr_level_array_at(a, row->role), tsr_level_array_at(b, row->role), nthreads))
            return false;
    return true;
}

/* The result must have the levels of the pattern operand. All elements are compared, unless the result was made for this operand, or
 * compared with it before. */
static tsr_status check_pattern(const tsr_kernel *kernel, const tsr_tensor *result, const tsr_tensor *operand,
                                int nthreads, tsr_error *err)
{
    const int nlevels = kernel->lowered->pattern_nlevels;
    if (operand->number != 0 && result->like == operand->number && result->like_nlevels >= nlevels)
        return TSR_OK;
    for (int l = 0; l < nlevels; l++) {
        const tsr_level *const a = &result->levels[l], *const b = &operand->levels[l];
        if (kernel_same_level(a, b, nthreads))
            continue;
        const tsr_notation_tensor *const names = kernel->notation->tensor;
        return tsr_fail(err, TSR_ARGUMENT,
                        "the result %s must have the same entries as %s, but level %d differs (%" PRIu64
                        " and %" PRIu64 " positions): make a new result",
                        names[0].name, names[kernel->lowered->pattern_tensor].name, l, a->npos, b->npos);
    }
    return TSR_OK;
}

void kernel_note_pattern(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands)
{
    const int pattern = kernel->lowered->pattern_tensor;
    if (pattern <= 0)
        return;
    result->like = operands[pattern - 1]->number;
    result->like_nlevels = kernel->lowered->pattern_nlevels;
}

/* Whether the bytes of two arrays overlap. */
static bool overlap(const tsr_array *a, const tsr_array *b)
{
    const uintptr_t x = (uintptr_t)a->data, y = (uintptr_t)b->data;
    return a->data && b->data && x < y + tsr_array_nbytes(b) && y < x + tsr_array_nbytes(a);
}

/* Whether the values of the result, which the run writes, lie in an array of the operand. */
static bool writes_into(const tsr_tensor *result, const tsr_tensor *operand)
{
    bool does = overlap(&result->values, &operand->values);
    for (int l = 0; l < operand->nlevels; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            does = does ||
                   overlap(&result->values, tsr_level_array_at(&operand->levels[l], (tsr_level_role)role));
    return does;
}

tsr_status kernel_check_run(const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, int nthreads, tsr_error *err)
{
    const int noperands = kernel->notation->ntensors - 1;
    TSR_TRY(kernel_check_tensor(kernel, 0, result, err));
    for (int t = 1; t <= noperands; t++) {
        TSR_TRY(kernel_check_tensor(kernel, t, operands[t - 1], err));
        if (operands[t - 1] == result || writes_into(result, operands[t - 1]))
            return tsr_fail(err, TSR_ARGUMENT,
                            "the result %s and the operand %s share memory: use other memory for the result",
                            kernel->notation->tensor[0].name, kernel->notation->tensor[t].name);
    }
    const int pattern = kernel->lowered->pattern_tensor;
    return pattern > 0 ? check_pattern(kernel, result, operands[pattern - 1], nthreads, err) : TSR_OK;
}
