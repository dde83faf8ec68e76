/* Making the result of a kernel. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel_internal.h"
#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_pack.h"

/* Copy the first nlevels levels of the pattern operand. */
static tsr_status copy_levels(tsr_tensor *result, int nlevels, const tsr_tensor *from, tsr_error *err)
{
    for (int l = 0; l < nlevels; l++) {
        tsr_level *const to = &result->levels[l];
        to->pitch = from->levels[l].pitch;
        to->nparents = from->levels[l].nparents;
        to->npos = from->levels[l].npos;
        to->low = from->levels[l].low;
        for (int role = 0; role < TSR_LEVEL_NROLES; role++) {
            tsr_array *const array = tsr_level_array_of(to, (tsr_level_role)role);
            *array = *tsr_level_array_at(&from->levels[l], (tsr_level_role)role);
            array->borrowed = array->data != NULL;
            TSR_TRY(tsr_array_own(array, 1, "levels of a result", err));
        }
        result->npos = to->npos;
    }
    result->like = from->number;
    result->like_nlevels = nlevels;
    return TSR_OK;
}

static tsr_status too_large(const tsr_kernel *kernel, double nbytes, tsr_error *err)
{
    const kernel_tensor *const kt = &kernel->tensor[0];
    char words[TSR_MEMORY_WORDS_NBYTES];
    tsr_text what = {0};
    tsr_format_print_name_for(&what, kt->format, kt->dims);
    for (int m = 0; m < kt->format->order; m++)
        tsr_text_addf(&what, "%s%" PRIu64, m > 0 ? " x " : " of ", kt->dims[m]);
    const tsr_status status =
        tsr_fail(err, TSR_LIMIT, "the result %s (%s) needs %s", kernel->notation->tensor[0].name,
                 tsr_text_cstr(&what), tsr_memory_words(words, nbytes));
    tsr_text_clear(&what);
    return status;
}

/* TSR_LIMIT where the copied levels and the values do not fit into memory; nothing is allocated before. */
static tsr_status check_memory(const tsr_tensor *result, const tsr_kernel *kernel, int nshared,
                               const tsr_tensor *from, tsr_error *err)
{
    double nvalues = nshared > 0 ? (double)from->levels[nshared - 1].npos : 1, nbytes = 0;
    for (int l = 0; l < nshared; l++)
        nbytes += (double)tsr_level_nbytes(&from->levels[l]);
    for (int l = nshared; l < result->nlevels; l++)
        nvalues *= (double)result->levels[l].pitch;
    nbytes += nvalues * (double)tsr_type_nbytes(result->type);
    return tsr_memory_fits(nbytes) ? TSR_OK : too_large(kernel, nbytes, err);
}

/* Set *value to the value of absent cells in the semiring of the kernel. In an integer type, infinity is the
 * largest or the smallest value. */
static tsr_status absent_value(unsigned char *value, const tsr_kernel *kernel, tsr_type type, tsr_error *err)
{
    const double fill = kernel->ring->fill;
    const char class = tsr_type_class(type);
    const size_t nbytes = tsr_type_nbytes(type);
    if (isfinite(fill) || class == 'R')
        return tsr_values_convert(value, type, &fill, TSR_F64, 1, err);
    memset(value, fill < 0 ? 0 : 0xff, nbytes); /* the value of unsigned types */
    if (class == 'I')                           /* all bits 1 except the sign, or only the sign */
        tsr_array_set(&(tsr_array){.data = value, .n = 1, .width = nbytes}, 0,
                      (UINT64_MAX >> (64 - 8 * nbytes)) / 2 + (fill < 0));
    return TSR_OK;
}

static tsr_status complete(tsr_tensor *result, const tsr_kernel *kernel, int first, tsr_error *err);

/* Set all cells of a dense result to the value of absent cells; the padding stays 0. */
static tsr_status set_cells(tsr_tensor *result, const tsr_kernel *kernel, tsr_error *err)
{
    tsr_format *format;
    tsr_tensor *plain, *made;
    TSR_TRY(tsr_format_dense(&format, result->order, NULL, err));
    tsr_status status = tsr_tensor_new(&plain, format, result->dims, result->type, err);
    tsr_format_free(format);
    TSR_TRY(status);
    status = complete(plain, kernel, 0, err); /* row-major, it has no padding */
    if (status != TSR_OK) {
        tsr_tensor_free(plain);
        return status;
    }
    TSR_TRY(tsr_convert(&made, plain, result->format, NULL, NULL, err));
    memcpy(result->values.data, made->values.data, tsr_array_nbytes(&result->values));
    tsr_tensor_free(made);
    return TSR_OK;
}

/* Set the values with which a reduction into a dense result begins. */
static tsr_status set_to_absent(tsr_tensor *result, const tsr_kernel *kernel, tsr_error *err)
{
    unsigned char *const to = result->values.data;
    const size_t nbytes = tsr_type_nbytes(result->type);
    const uint64_t all = result->npos * nbytes;
    if (result->binding->may_pad)
        return set_cells(result, kernel, err);
    if (all > 0)
        TSR_TRY(absent_value(to, kernel, result->type, err));
    for (uint64_t done = nbytes; done < all; done *= 2)
        memcpy(to + done, to, done < all - done ? done : all - done);
    return TSR_OK;
}

/* Complete the result: dense levels from `first` on, and zeroed values. */
static tsr_status complete(tsr_tensor *result, const tsr_kernel *kernel, int first, tsr_error *err)
{
    const size_t nbytes = tsr_type_nbytes(result->type);
    for (int l = first; l < result->nlevels; l++) {
        tsr_level *const level = &result->levels[l];
        level->nparents = result->npos;
        if (!level->type->full || !level->type->npos(&level->npos, level->nparents, level->pitch))
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "level %d of the result %s is %s: no operand can provide the level", l,
                            kernel->notation->tensor[0].name, level->type->name);
        result->npos = level->npos;
    }
    /* memset instead of calloc, whose large blocks do not begin on a cache line */
    TSR_TRY(tsr_array_init(&result->values, result->npos, nbytes, 0, "values of a result", err));
    memset(result->values.data, 0, result->npos * nbytes);
    return kernel->notation->accumulate && kernel->ring->fill != 0 ? set_to_absent(result, kernel, err)
                                                                   : TSR_OK;
}

tsr_status tsr_kernel_result(tsr_tensor **out, const tsr_kernel *kernel, const tsr_tensor *const *operands,
                             tsr_error *err)
{
    *out = NULL;
    if (kernel->last)
        return tsr_kernel_result(out, kernel->last, NULL, err);
    if (kernel->original)
        operands = NULL;
    if (kernel_assembles(kernel))
        return kernel_empty_result(out, kernel, err);
    const kernel_tensor *const kt = &kernel->tensor[0];
    const int pattern = kernel->lowered->pattern_tensor;
    const int nshared = pattern > 0 ? kernel->lowered->pattern_nlevels : 0;
    tsr_status status = TSR_OK;
    if (nshared > 0 && !operands)
        return tsr_fail(err, TSR_ARGUMENT, "the result %s has the entries of %s: pass the operands",
                        kernel->notation->tensor[0].name, kernel->notation->tensor[pattern].name);
    if (nshared > 0)
        TSR_TRY(kernel_check_tensor(kernel, pattern, operands[pattern - 1], err));
    const tsr_tensor *const from = nshared > 0 ? operands[pattern - 1] : NULL;
    tsr_tensor *result;
    TSR_TRY(tsr_tensor_new_bound(&result, kt->binding, kt->operand.type, err));
    TSR_TRY_OUT(check_memory(result, kernel, nshared, from, err));
    if (nshared > 0)
        TSR_TRY_OUT(copy_levels(result, nshared, from, err));
    TSR_TRY_OUT(complete(result, kernel, nshared, err));
    *out = result;
out:
    if (status != TSR_OK)
        tsr_tensor_free(result);
    return status;
}
