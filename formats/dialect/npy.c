/* NumPy's .npy: one dense array. See npy_io.h and npz.md. */
#include "form.h"
#include "array_parts.h"
#include "file_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_memory.h"
#include "tsr_output.h"

/* Open the file and read the header of the array in it. */
static tsr_status open_array(tsr_npy *npy, tsr_file *file, const char *path, tsr_error *err)
{
    *file = (tsr_file){.fd = -1};
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read .npy from standard input: give a file");
    TSR_TRY(tsr_file_open(file, path, err));
    TSR_TRY(tsr_npy_read_header(npy, &file->bytes, err));
    if (file->bytes.left != npy->n * npy->item_nbytes)
        return tsr_fail(err, TSR_CORRUPT, "has %" PRIu64 " bytes after the last value",
                        file->bytes.left - npy->n * npy->item_nbytes);
    return TSR_OK;
}

static tsr_status npy_read(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    tsr_npy npy;
    tsr_file file;
    tsr_arrays in = {.values.name = "the array"};
    tsr_status status;
    TSR_TRY_OUT(open_array(&npy, &file, path, err));
    TSR_TRY_OUT(tsr_memory_check((double)npy.n * (double)npy.item_nbytes, "the array", err));
    TSR_TRY_OUT(tsr_npy_read_numbers(&in.values, &in.boolean, &npy, &file.bytes, err));
    in.order = npy.order;
    in.fortran = npy.fortran;
    memcpy(in.dims, npy.shape, sizeof in.dims);
    status = tsr_arrays_dense(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    tsr_file_close(&file);
    return status;
}

/* ---- in parts ---- */

typedef struct npy_parts {
    tsr_npy npy;
    tsr_file file; /* at the first value */
} npy_parts;

static tsr_status read_part(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err)
{
    const npy_parts *const p = ctx;
    const tsr_type type = tsr_npy_type(&p->npy);
    const size_t width = tsr_type_nbytes(type);
    tsr_numbers to = {.type = type, .array = {.data = out, .n = n, .width = width}};
    (void)k;
    return tsr_file_part(&to, &p->file, first * width, p->npy.big_endian, err);
}

static void close_parts(void *ctx)
{
    npy_parts *const p = ctx;
    tsr_file_close(&p->file);
    tsr_free(p);
}

static tsr_status npy_feed(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    npy_parts *const p = tsr_calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = open_array(&p->npy, &p->file, path, err);
    if (status == TSR_OK && strchr("SU", p->npy.kind))
        status = tsr_arrays_only_whole(err);
    if (status != TSR_OK) {
        close_parts(p);
        return status;
    }
    tsr_array_parts in = {.order = p->npy.order,
                          .dense = true,
                          .fortran = p->npy.fortran,
                          .truth = p->npy.kind == 'b',
                          .arrays = {{"the array", tsr_npy_type(&p->npy), p->npy.n}},
                          .ctx = p,
                          .read = read_part,
                          .close = close_parts};
    memcpy(in.dims, p->npy.shape, sizeof in.dims);
    return tsr_feed_of_arrays(out, &in, options, err);
}

static tsr_status describe_array(tsr_brief_tensor *to, const tsr_npy *npy, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    for (int m = 0; m < npy->order; m++)
        modes[m] = npy->fortran ? npy->order - 1 - m : m;
    to->order = npy->order;
    to->has_dims = to->has_nnz = true;
    memcpy(to->dims, npy->shape, sizeof to->dims);
    to->nnz = npy->n;
    snprintf(to->type, sizeof to->type, "%s",
             npy->kind == 'b'                       ? "bool"
             : npy->kind == 'S' || npy->kind == 'U' ? "text"
                                                    : tsr_type_name(tsr_npy_type(npy)));
    return tsr_format_dense(&to->format, npy->order, modes, err);
}

static tsr_status npy_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_npy npy;
    tsr_file file;
    tsr_brief_tensor *tensor;
    tsr_status status;
    (void)options;
    TSR_TRY_OUT(open_array(&npy, &file, path, err));
    tensor = tsr_brief_add(out, "");
    status = tensor ? describe_array(tensor, &npy, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
out:
    tsr_file_close(&file);
    return status;
}

static int npy_probe(const tsr_probe *probe)
{
    return probe->n >= 6 && memcmp(probe->head, "\x93NUMPY", 6) == 0 ? 100 : 0;
}

/* ---- writing ---- */

/* Whether all levels are dense, in row-major or column-major order, without padding. *fortran:
 * column-major. */
static bool lies_flat(bool *fortran, const tsr_tensor *tensor)
{
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_dense(tensor->format) || !tsr_format_is_permutation(tensor->format, perm) ||
        tsr_format_has_pitch(tensor->format) || tensor->structure != TSR_GENERAL)
        return false;
    bool rows = true, columns = true;
    for (int l = 0; l < tensor->nlevels; l++) {
        rows = rows && perm[l] == l;
        columns = columns && perm[l] == tensor->nlevels - 1 - l;
    }
    *fortran = columns && !rows;
    return rows || columns;
}

static bool npy_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    static const char dense[] = "dddddddddddddddd"; /* one letter for each of TSR_MAX_ORDER modes */
    bool fortran;
    *instead = dense + TSR_MAX_ORDER - tensor->order;
    return lies_flat(&fortran, tensor);
}

static tsr_status npy_write_tensor(const char *path, const tsr_tensor *tensor,
                                   const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const tsr_output_options plain = {.gzip_level = -1, .nthreads = options ? options->nthreads : 0};
    options = options ? options : &none;
    const size_t width = tsr_type_nbytes(tensor->type);
    bool fortran = false;
    tsr_text head = {0};
    tsr_output *output = NULL;
    tsr_status status;
    if (!lies_flat(&fortran, tensor))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this format to .npy, which has dense arrays in row-major or "
                        "column-major order only");
    tsr_npy_add_header(&head, tsr_npy_descr(tensor->type), fortran, tensor->order, tensor->dims);
    TSR_TRY_OUT(tsr_text_status(&head, err));
    TSR_TRY_OUT(tsr_output_open(&output, path, &plain, err));
    TSR_TRY_OUT(tsr_output_write(output, head.s, head.nbytes, err));
    if (!tensor->iso)
        TSR_TRY_OUT(tsr_output_write(output, tensor->values.data, tensor->npos * width, err));
    for (uint64_t i = 0; tensor->iso && i < tensor->npos; i++)
        TSR_TRY_OUT(tsr_output_write(output, tensor->values.data, width, err));
    TSR_TRY_OUT(tsr_output_commit(output, err));
    if (nbytes)
        *nbytes = tsr_output_nbytes(output);
out:
    tsr_output_free(output);
    tsr_text_clear(&head);
    return status;
}

static const char *const suffixes[] = {".npy", NULL};

/* Archives and arrays of NumPy have no groups: their reader finds the arrays by itself. */
const tsr_dialect tsr_dialect_npy = {.name = "npy"};

const tsr_codec tsr_codec_npy = {
    .name = "npy",
    .summary = "NumPy: one dense array",
    .suffixes = suffixes,
    .probe = npy_probe,
    .read = npy_read,
    .feed = npy_feed,
    .knows_stored = true,
    .describe = npy_describe,
    .takes_tensor = npy_takes_tensor,
    .write_tensor = npy_write_tensor,
};
