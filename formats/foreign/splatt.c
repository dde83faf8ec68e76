/* SPLATT's .bin: coordinates and values, little-endian. See binary.md. */
#include "held_arrays.h"
#include "file_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_brief.h"
#include "tsr_output.h"

enum { COORDINATES = 0, CSF = 1, HEAD_NBYTES = 20 };

/* The header: int32 kind, u64 bytes of an index, u64 bytes of a value. */
static int splatt_probe(const tsr_probe *probe)
{
    const unsigned char *const h = probe->head;
    static const unsigned char zeros[7];
    const bool widths = probe->n >= HEAD_NBYTES + 4 && (h[4] == 4 || h[4] == 8) &&
                        (h[12] == 4 || h[12] == 8) && memcmp(h + 5, zeros, 7) == 0 &&
                        memcmp(h + 13, zeros, 7) == 0;
    return widths && (h[0] == COORDINATES || h[0] == CSF) && memcmp(h + 1, zeros, 3) == 0 ? 95 : 0;
}

/* The header. */
typedef struct head {
    size_t width;   /* bytes of an index: 4 or 8 */
    tsr_type value; /* f32 or f64 */
    int order;
    uint64_t dims[TSR_MAX_ORDER], nnz;
} head;

static tsr_status read_head(head *h, tsr_file *file, tsr_error *err)
{
    int64_t kind, width, value, n;
    TSR_TRY(tsr_file_integer(&kind, file, 4, false, err));
    TSR_TRY(tsr_file_integer(&width, file, 8, false, err));
    TSR_TRY(tsr_file_integer(&value, file, 8, false, err));
    if (kind == CSF)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "has a tensor as CSF, which is not supported: write coordinates with SPLATT");
    if (kind != COORDINATES || (width != 4 && width != 8) || (value != 4 && value != 8))
        return tsr_fail(err, TSR_SYNTAX, "is not a binary file of SPLATT: the first bytes are not a header");
    *h = (head){.width = (size_t)width, .value = value == 4 ? TSR_F32 : TSR_F64};
    TSR_TRY(tsr_file_integer(&n, file, h->width, false, err));
    if (n < 1 || n > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "the tensor has %" PRId64 " modes: 1 to %d are supported", n,
                        TSR_MAX_ORDER);
    h->order = (int)n;
    for (int m = 0; m <= h->order; m++) {
        TSR_TRY(tsr_file_integer(&n, file, h->width, false, err));
        *(m < h->order ? &h->dims[m] : &h->nnz) = h->width == 4 ? (uint32_t)n : (uint64_t)n;
    }
    return TSR_OK;
}

static tsr_status read_open(tsr_data *out, tsr_file *file, const tsr_read_options *options, tsr_error *err)
{
    head h;
    tsr_arrays in = {.values.name = "values"};
    tsr_status status;
    TSR_TRY(read_head(&h, file, err));
    in.order = h.order;
    memcpy(in.dims, h.dims, sizeof in.dims);
    for (int m = 0; m < in.order; m++) {
        in.crd[m].name = "indices";
        TSR_TRY_OUT(tsr_file_numbers(&in.crd[m], file, h.width == 4 ? TSR_U32 : TSR_U64, h.nnz, false, err));
    }
    TSR_TRY_OUT(tsr_file_numbers(&in.values, file, h.value, h.nnz, false, err));
    if (file->bytes.left > 0) {
        status = tsr_fail(err, TSR_CORRUPT, "has %" PRIu64 " bytes after the last value", file->bytes.left);
        goto out;
    }
    status = tsr_arrays_coordinates(out, &in, options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

static tsr_status splatt_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                  tsr_error *err)
{
    head h = {.order = 0};
    tsr_file file;
    tsr_brief_tensor *tensor = NULL;
    tsr_status status = tsr_file_open(&file, path, err);
    (void)options;
    if (status == TSR_OK)
        status = read_head(&h, &file, err);
    if (status == TSR_OK && !(tensor = tsr_brief_add(out, "")))
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK) {
        tensor->order = h.order;
        tensor->has_dims = tensor->has_nnz = true;
        memcpy(tensor->dims, h.dims, sizeof tensor->dims);
        tensor->nnz = h.nnz;
        snprintf(tensor->type, sizeof tensor->type, "%s", tsr_type_name(h.value));
    }
    tsr_file_close(&file);
    return status;
}

static tsr_status splatt_read(tsr_data *out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    tsr_file file;
    tsr_status status = tsr_file_open(&file, path, err);
    if (status == TSR_OK)
        status = read_open(out, &file, options, err);
    tsr_file_close(&file);
    return status;
}

/* ---- writing ---- */

static tsr_status splatt_check(int order, tsr_type type, tsr_error *err)
{
    if (order < 1)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write a scalar to a file of SPLATT, which needs at least one mode");
    if (tsr_type_class(type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write complex values to a file of SPLATT: convert them with --type");
    return TSR_OK;
}

static tsr_status put(tsr_output *output, uint64_t v, size_t width, tsr_error *err)
{
    unsigned char raw[8];
    for (size_t i = 0; i < width; i++)
        raw[i] = (unsigned char)(v >> 8 * i);
    return tsr_output_write(output, raw, width, err);
}

static tsr_status put_indices(tsr_output *output, const tsr_array *array, size_t width, tsr_error *err)
{
    tsr_array copy;
    const void *data;
    TSR_TRY(tsr_indices_as(&data, &copy, array, width, err));
    tsr_status status = TSR_OK;
    if (!tsr_must_swap(false))
        status = tsr_output_write(output, data, array->n * width, err);
    else
        for (uint64_t i = 0; i < array->n && status == TSR_OK; i++)
            status = put(output, tsr_array_get(array, i), width, err);
    tsr_array_clear(&copy);
    return status;
}

/* Write the values as f32 (if single) or f64. */
static tsr_status put_values(tsr_output *output, const tsr_coo *coo, bool single, tsr_error *err)
{
    TSR_TRY(tsr_check_exact(NULL, &coo->values, coo->type, "SPLATT's binary files have", err));
    for (uint64_t i = 0; i < coo->nnz; i++) {
        double v;
        float f;
        uint64_t bits = 0;
        const char *const from = (const char *)coo->values.data + (coo->iso ? 0 : i * coo->values.width);
        TSR_TRY(tsr_values_convert(&v, TSR_F64, from, coo->type, 1, err));
        f = (float)v;
        if (single)
            memcpy(&bits, &f, sizeof f);
        else
            memcpy(&bits, &v, sizeof v);
        TSR_TRY(put(output, single ? bits & UINT32_MAX : bits, single ? 4 : 8, err));
    }
    return TSR_OK;
}

static tsr_status splatt_write_coo(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                                   uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const tsr_output_options plain = {.gzip_level = -1, .nthreads = options ? options->nthreads : 0};
    options = options ? options : &none;
    const bool single = coo->type == TSR_F32 || coo->type == TSR_PATTERN;
    uint64_t most = coo->nnz;
    tsr_output *output = NULL;
    tsr_status status;
    TSR_TRY(splatt_check(coo->order, coo->type, err));
    if (coo->has_fill || coo->structure != TSR_GENERAL)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write a fill value, or one triangle of a matrix, to a file of SPLATT");
    for (int m = 0; m < coo->order; m++)
        most = coo->dims[m] > most ? coo->dims[m] : most;
    const size_t width = most <= UINT32_MAX ? 4 : 8;
    TSR_TRY_OUT(tsr_output_open(&output, path, &plain, err));
    TSR_TRY_OUT(put(output, COORDINATES, 4, err));
    TSR_TRY_OUT(put(output, width, 8, err));
    TSR_TRY_OUT(put(output, single ? 4 : 8, 8, err));
    TSR_TRY_OUT(put(output, (uint64_t)coo->order, width, err));
    for (int m = 0; m < coo->order; m++)
        TSR_TRY_OUT(put(output, coo->dims[m], width, err));
    TSR_TRY_OUT(put(output, coo->nnz, width, err));
    for (int m = 0; m < coo->order; m++)
        TSR_TRY_OUT(put_indices(output, &coo->crd[m], width, err));
    TSR_TRY_OUT(put_values(output, coo, single, err));
    TSR_TRY_OUT(tsr_output_commit(output, err));
    if (nbytes)
        *nbytes = tsr_output_nbytes(output);
out:
    tsr_output_free(output);
    return status;
}

static const char *const suffixes[] = {".bin", NULL};

const tsr_codec tsr_codec_splatt = {
    .name = "splatt",
    .summary = "SPLATT binary: coordinates and values of any order",
    .suffixes = suffixes,
    .probe = splatt_probe,
    .read = splatt_read,
    .describe = splatt_describe,
    .check = splatt_check,
    .write_coo = splatt_write_coo,
};
