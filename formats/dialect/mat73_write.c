/* Writing MATLAB's .mat of version 7.3: one variable, in HDF5 behind 512 bytes of MATLAB's. See dialects.md. */
#include "held_arrays.h"
#include "array_import.h"
#include "hdf5_io.h"
#include "mat5.h"

#include <stdio.h>
#include <string.h>

#include "tsr_parallel.h"

enum { BLOCK_NBYTES = 512 };

typedef struct writing {
    const char *name;
    const tsr_tensor *tensor;
    const tsr_write_options *options;
} writing;

/* The class of the values in MATLAB; sparse matrices have double or logical ones. */
static const char *class_of(const tsr_tensor *tensor)
{
    static const char *const classes[TSR_NTYPES] = {
        [TSR_F64] = "double", [TSR_F32] = "single", [TSR_I8] = "int8",   [TSR_U8] = "uint8",
        [TSR_I16] = "int16",  [TSR_U16] = "uint16", [TSR_I32] = "int32", [TSR_U32] = "uint32",
        [TSR_I64] = "int64",  [TSR_U64] = "uint64", [TSR_C64] = "single"};
    if (tensor->type == TSR_PATTERN)
        return "logical";
    return tsr_format_is_dense(tensor->format) && classes[tensor->type] ? classes[tensor->type] : "double";
}

/* ---- sparse ---- */

/* The values as MATLAB has them: bytes 1 of a pattern, else doubles or complex doubles. *data may be in *copy, which
 * the caller clears. */
static tsr_status make_values(const void **data, tsr_array *copy, tsr_type *type, const tsr_tensor *tensor,
                              tsr_error *err)
{
    const uint64_t n = tensor->npos;
    const bool pattern = tensor->type == TSR_PATTERN;
    *type = pattern ? TSR_U8 : tsr_type_class(tensor->type) == 'C' ? TSR_C128 : TSR_F64;
    *data = tensor->values.data;
    if (tensor->type == *type && !tensor->iso)
        return TSR_OK;
    const size_t width = tsr_type_nbytes(*type);
    TSR_TRY(tsr_array_init(copy, n, width, 0, "values", err));
    *data = copy->data;
    if (pattern)
        memset(copy->data, 1, n);
    else if (n > 0)
        TSR_TRY(tsr_values_convert(copy->data, *type, tensor->values.data, tensor->type, tensor->iso ? 1 : n,
                                   err));
    for (uint64_t i = 1; i < n && tensor->iso && !pattern; i++)
        memcpy((char *)copy->data + i * width, copy->data, width);
    return n > 0 && (tensor->type == TSR_I64 || tensor->type == TSR_U64)
               ? tsr_check_exact(copy->data, &tensor->values, tensor->type, "sparse matrices of MATLAB have",
                                 err)
               : TSR_OK;
}

static tsr_status write_values(tsr_hdf5 *h5, const writing *w, tsr_job *job, tsr_error *err)
{
    tsr_stored array = {.name = "data", .n = w->tensor->npos, .ndims = 1, .dims = {w->tensor->npos}};
    tsr_array copy = {0};
    const void *data;
    tsr_status status = make_values(&data, &copy, &array.type, w->tensor, err);
    if (status == TSR_OK)
        status = array.type == TSR_C128 ? tsr_hdf5_write_wide(h5, &array, data, w->options->deflate, err)
                                        : tsr_hdf5_write(h5, &array, data, w->options->deflate, job, err);
    tsr_array_clear(&copy);
    return status;
}

static tsr_status write_indices(tsr_hdf5 *h5, const char *name, const tsr_array *from, const writing *w,
                                tsr_job *job, tsr_error *err)
{
    tsr_stored array = {.type = TSR_U64, .n = from->n};
    tsr_array copy;
    const void *data;
    snprintf(array.name, sizeof array.name, "%s", name);
    TSR_TRY(tsr_indices_as(&data, &copy, from, 8, err));
    const tsr_status status = tsr_hdf5_write(h5, &array, data, w->options->deflate, job, err);
    tsr_array_clear(&copy);
    return status;
}

/* A group with the arrays; its attributes tell the class and the number of rows. */
static tsr_status write_sparse(tsr_hdf5 *h5, const writing *w, tsr_error *err)
{
    const tsr_tensor *const tensor = w->tensor;
    tsr_job job = {.nthreads = tsr_thread_count(w->options->nthreads),
                   .observer = w->options->observer,
                   .phase = "write",
                   .total = tsr_tensor_nbytes(tensor)};
    TSR_TRY(tsr_hdf5_enter(h5, w->name, err));
    TSR_TRY(tsr_hdf5_write_fixed_text(h5, NULL, "MATLAB_class", class_of(tensor), err));
    TSR_TRY(tsr_hdf5_write_integer(h5, NULL, "MATLAB_sparse", TSR_U64, (int64_t)tensor->dims[0], err));
    if (tensor->type == TSR_PATTERN)
        TSR_TRY(tsr_hdf5_write_integer(h5, NULL, "MATLAB_int_decode", TSR_I32, 1, err));
    TSR_TRY(write_indices(h5, "jc", &tensor->levels[1].pos, w, &job, err));
    if (tensor->npos == 0)
        return TSR_OK; /* MATLAB leaves the arrays of an empty matrix out */
    TSR_TRY(write_indices(h5, "ir", &tensor->levels[1].crd, w, &job, err));
    return write_values(h5, w, &job, err);
}

/* ---- dense ---- */

/* A dataset, whose dims in HDF5 are reversed. Of an empty matrix it holds the dims. */
static tsr_status write_dense(tsr_hdf5 *h5, const writing *w, tsr_error *err)
{
    const tsr_tensor *const tensor = w->tensor;
    tsr_stored array = {
        .type = tensor->type, .n = tensor->npos, .ndims = 2, .dims = {tensor->dims[1], tensor->dims[0]}};
    const tsr_stored empty = {.type = TSR_U64, .n = 2, .ndims = 1, .dims = {2}};
    const bool is_empty = tensor->npos == 0, is_half = tsr_type_is_half(tensor->type);
    const void *values = is_empty ? (const void *)tensor->dims : tensor->values.data;
    tsr_array copy = {0};
    array = is_empty ? empty : array;
    snprintf(array.name, sizeof array.name, "%s", w->name);
    if (is_half && !is_empty) /* MATLAB has no such class */
        TSR_TRY(make_values(&values, &copy, &array.type, tensor, err));
    const tsr_status status = tsr_hdf5_write_wide(h5, &array, values, w->options->deflate, err);
    tsr_array_clear(&copy);
    TSR_TRY(status);
    if (is_empty)
        TSR_TRY(tsr_hdf5_write_integer(h5, w->name, "MATLAB_empty", TSR_U8, 1, err));
    return tsr_hdf5_write_fixed_text(h5, w->name, "MATLAB_class", class_of(tensor), err);
}

static tsr_status write_variable(tsr_container *to, const char *object, const void *ctx, tsr_error *err)
{
    const writing *const w = ctx;
    tsr_hdf5 *const h5 = tsr_hdf5_of(to);
    (void)object;
    return tsr_format_is_dense(w->tensor->format) ? write_dense(h5, w, err) : write_sparse(h5, w, err);
}

/* ---- the file ---- */

tsr_status tsr_mat73_write(const char *file, const char *name, const tsr_tensor *tensor,
                           const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    static const char words[] = "MATLAB 7.3 MAT-file, written by Tessera HDF5 schema 1.00 .";
    unsigned char block[BLOCK_NBYTES] = {0};
    const writing w = {name, tensor, options};
    memset(block, ' ', 116);
    memcpy(block, words, sizeof words - 1);
    block[124] = 0; /* version 2.00 */
    block[125] = 2;
    block[126] = 'I';
    block[127] = 'M';
    return tsr_hdf5_write_new(
        file, &(tsr_filling){.block = block, .nblock = sizeof block, .write = write_variable, .ctx = &w},
        nbytes, err);
}
