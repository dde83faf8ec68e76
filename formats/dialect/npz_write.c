/* Writing .npz: a matrix without a fill value is written like scipy.sparse.save_npz, any other tensor like
 * sparse.save_npz. See npz.md. */
#include "npz.h"
#include "held_arrays.h"
#include "zip_io.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The storage formats of archives. */
typedef enum layout { CSR, CSC, BSR, COO, NONE } layout;

/* SciPy has no fill values, and old versions of SciPy read only matrices. */
static bool is_scipy(const tsr_tensor *tensor)
{
    return tensor->order == 2 && !tensor->has_fill;
}

/* The blocks of a bcsr(R,C) that tile the matrix. */
static bool has_blocks(uint64_t block[2], const tsr_tensor *tensor)
{
    tsr_format *format = NULL;
    char text[64];
    if (tensor->nlevels != 4)
        return false;
    block[0] = tensor->levels[2].size;
    block[1] = tensor->levels[3].size;
    if (block[0] == 0 || block[1] == 0 || tensor->dims[0] % block[0] != 0 || tensor->dims[1] % block[1] != 0)
        return false;
    snprintf(text, sizeof text, "bcsr(%" PRIu64 ",%" PRIu64 ")", block[0], block[1]);
    const bool equal = tsr_format_parse(&format, text, 2, tensor->dims, NULL) == TSR_OK &&
                       tsr_format_equal(format, tensor->format);
    tsr_format_free(format);
    return equal;
}

static layout layout_of(const tsr_tensor *tensor)
{
    int perm[TSR_MAX_LEVELS], ndense;
    uint64_t block[2];
    const tsr_format *const f = tensor->format;
    if (tensor->structure != TSR_GENERAL)
        return NONE;
    if (is_scipy(tensor) && has_blocks(block, tensor))
        return BSR;
    if (!tsr_format_is_permutation(f, perm) || tsr_format_has_pitch(f))
        return NONE;
    if (is_scipy(tensor) && tsr_format_has_lists(f, &ndense) &&
        ndense == 1) /* SciPy sorts rows when it needs to */
        return perm[0] == 0 ? CSR : CSC;
    if (f->nlevels > 0 && !tsr_format_is_coordinates(f))
        return NONE;
    for (int l = 0; l < f->nlevels && !is_scipy(tensor); l++)
        if (perm[l] != l) /* pydata/sparse assumes that the entries are sorted */
            return NONE;
    return COO;
}

bool tsr_npz_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    *instead = is_scipy(tensor) ? "csr" : "coo";
    return layout_of(tensor) != NONE;
}

/* ---- arrays ---- */

static tsr_status add_array(tsr_zip_writer *zip, const char *name, const tsr_text *head,
                            const tsr_zip_piece *pieces, int npieces, tsr_error *err)
{
    enum { MOST = TSR_MAX_ORDER + 1 };
    char member[64];
    tsr_zip_piece all[MOST];
    TSR_TRY(tsr_text_status(head, err));
    snprintf(member, sizeof member, "%s.npy", name);
    all[0] = (tsr_zip_piece){.data = head->s, .nbytes = head->nbytes};
    for (int i = 0; i < npieces; i++)
        all[i + 1] = pieces[i];
    return tsr_zip_writer_add(zip, member, all, npieces + 1, err);
}

static tsr_status add_numbers(tsr_zip_writer *zip, const char *name, tsr_type type, tsr_shape shape,
                              const void *data, tsr_error *err)
{
    uint64_t nbytes = tsr_type_nbytes(type);
    tsr_text head = {0};
    for (int m = 0; m < shape.ndims; m++)
        nbytes *= shape.dims[m]; /* does not overflow, as the array is in memory */
    tsr_npy_add_header(&head, tsr_npy_descr(type), false, shape.ndims, shape.dims);
    const tsr_status status =
        add_array(zip, name, &head, &(tsr_zip_piece){.data = data, .nbytes = nbytes}, 1, err);
    tsr_text_clear(&head);
    return status;
}

/* An array of the tensor that is loaded part by part. */
typedef struct lazy {
    const tsr_held *held;
    tsr_part_range range; /* of all elements */
    size_t width;         /* of an index in the file; 0: values */
} lazy;

static tsr_status load_lazy(void *out, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    const lazy *const a = ctx;
    const size_t width = a->width ? a->width : a->held->tensor->values.width;
    tsr_part_range range = a->range;
    range.first = first / width; /* 1 MiB is a multiple of every width */
    range.n = n / width;
    return a->width ? tsr_held_indices(out, a->held, &range, a->width, err)
                    : tsr_held_values(out, a->held, range.first, range.n, err);
}

static bool any_thread(const tsr_held *held)
{
    return held->parts && held->parts->any_thread;
}

static tsr_status add_indices(tsr_zip_writer *zip, const char *name, const tsr_held *held,
                              const tsr_part_range *range, size_t width, tsr_error *err)
{
    const tsr_level *const level = &held->tensor->levels[range->level];
    const tsr_array *const array = range->part == TSR_PART_POS ? &level->pos : &level->crd;
    const tsr_type type = width == 4 ? TSR_I32 : TSR_I64;
    tsr_array copy = {0};
    tsr_text head = {0};
    lazy later = {held, *range, width};
    tsr_zip_piece piece = {
        .nbytes = array->n * width, .load = load_lazy, .ctx = &later, .any_thread = any_thread(held)};
    if (!held->parts) {
        TSR_TRY(tsr_indices_as(&piece.data, &copy, array, width, err));
        piece.load = NULL;
    }
    tsr_npy_add_header(&head, tsr_npy_descr(type), false, 1, &array->n);
    const tsr_status status = add_array(zip, name, &head, &piece, 1, err);
    tsr_text_clear(&head);
    tsr_array_clear(&copy);
    return status;
}

/* The coordinates of all modes as the rows of one array. */
static tsr_status add_coords(tsr_zip_writer *zip, const tsr_held *held, size_t width, tsr_error *err)
{
    const tsr_tensor *const tensor = held->tensor;
    tsr_array copies[TSR_MAX_ORDER] = {{0}};
    tsr_zip_piece pieces[TSR_MAX_ORDER] = {{0}};
    lazy later[TSR_MAX_ORDER];
    const uint64_t n = tensor->npos, shape[2] = {(uint64_t)tensor->order, n};
    tsr_text head = {0};
    tsr_status status = TSR_OK;
    tsr_npy_add_header(&head, width == 4 ? "<i4" : "<i8", false, 2, shape);
    for (int l = 0; l < tensor->order && status == TSR_OK; l++) {
        later[l] = (lazy){held, {.part = TSR_PART_CRD, .level = l}, width};
        pieces[l].nbytes = n * width;
        pieces[l].ctx = &later[l];
        pieces[l].any_thread = any_thread(held);
        if (held->parts)
            pieces[l].load = load_lazy;
        else
            status = tsr_indices_as(&pieces[l].data, &copies[l], &tensor->levels[l].crd, width, err);
    }
    if (status == TSR_OK)
        status = add_array(zip, "coords", &head, pieces, tensor->order, err);
    for (int l = 0; l < tensor->order; l++)
        tsr_array_clear(&copies[l]);
    tsr_text_clear(&head);
    return status;
}

/* Write the values; if the entries share one value, repeat it. */
static tsr_status add_values(tsr_zip_writer *zip, const tsr_held *held, tsr_shape shape, tsr_error *err)
{
    const tsr_tensor *const tensor = held->tensor;
    lazy later = {held, {.part = TSR_PART_VALUES}, 0};
    tsr_text head = {0};
    tsr_zip_piece piece = {.nbytes = tensor->npos * tensor->values.width,
                           .load = load_lazy,
                           .ctx = &later,
                           .any_thread = any_thread(held)};
    if (!held->parts && !tensor->iso) {
        piece.data = tensor->values.data;
        piece.load = NULL;
    }
    tsr_npy_add_header(&head, tsr_npy_descr(tensor->type), false, shape.ndims, shape.dims);
    const tsr_status status = add_array(zip, "data", &head, &piece, 1, err);
    tsr_text_clear(&head);
    return status;
}

static tsr_status add_shape(tsr_zip_writer *zip, const tsr_tensor *tensor, tsr_error *err)
{
    const uint64_t n = (uint64_t)tensor->order;
    return add_numbers(zip, "shape", TSR_I64, (tsr_shape){1, &n}, tensor->dims, err);
}

/* ---- archives ---- */

/* The width of indices: 4 bytes if all indices and the number of entries fit, else 8. */
static size_t index_width(const tsr_tensor *tensor)
{
    uint64_t most = tensor->npos;
    for (int m = 0; m < tensor->order; m++)
        most = tensor->dims[m] > most ? tensor->dims[m] : most;
    return most <= INT32_MAX ? 4 : 8;
}

/* Write the arrays that follow the indices in the archives of SciPy. */
static tsr_status add_format(tsr_zip_writer *zip, const tsr_tensor *tensor, const char *format,
                             tsr_error *err)
{
    tsr_text head = {0};
    tsr_npy_add_header(&head, "|S3", false, 0, NULL);
    const tsr_status status =
        add_array(zip, "format", &head, &(tsr_zip_piece){.data = format, .nbytes = 3}, 1, err);
    tsr_text_clear(&head);
    TSR_TRY(status);
    return add_shape(zip, tensor, err);
}

static tsr_status write_scipy(tsr_zip_writer *zip, const tsr_held *held, layout how, tsr_error *err)
{
    static const char *const names[] = {[CSR] = "csr", [CSC] = "csc", [BSR] = "bsr", [COO] = "coo"};
    const tsr_tensor *const tensor = held->tensor;
    const size_t width = index_width(tensor);
    uint64_t shape[3] = {tensor->npos, 0, 0};
    tsr_part_range first = {.part = TSR_PART_CRD, .level = 1}, second = {.part = TSR_PART_POS, .level = 1};
    if (how == COO) {
        int perm[TSR_MAX_LEVELS];
        (void)tsr_format_is_permutation(tensor->format, perm);
        first.level = perm[0] == 0 ? 0 : 1;
        second = (tsr_part_range){.part = TSR_PART_CRD, .level = 1 - first.level};
    }
    TSR_TRY(add_indices(zip, how == COO ? "row" : "indices", held, &first, width, err));
    TSR_TRY(add_indices(zip, how == COO ? "col" : "indptr", held, &second, width, err));
    TSR_TRY(add_format(zip, tensor, names[how], err));
    if (how == BSR) {
        shape[0] = tensor->levels[1].npos;
        (void)has_blocks(shape + 1, tensor);
    }
    return add_values(zip, held, (tsr_shape){how == BSR ? 3 : 1, shape}, err);
}

/* In a list of coordinates, the last level is unique if no two entries have the same coordinates. */
static tsr_status write_pydata(tsr_zip_writer *zip, const tsr_held *held, tsr_error *err)
{
    const tsr_tensor *const tensor = held->tensor;
    if (tensor->nlevels > 0 && tensor->format->levels[tensor->nlevels - 1].nonunique)
        return tsr_fail(err, TSR_DUPLICATE,
                        "cannot write several entries with the same coordinates, as pydata/sparse would "
                        "compute wrong results: "
                        "sum or drop them (--duplicates)");
    TSR_TRY(add_values(zip, held, (tsr_shape){1, &tensor->npos}, err));
    TSR_TRY(add_coords(zip, held, index_width(tensor), err));
    TSR_TRY(add_shape(zip, tensor, err));
    return add_numbers(zip, "fill_value", tensor->type, (tsr_shape){0, NULL}, tensor->fill, err);
}

static tsr_status write_archive(const char *path, const tsr_held *held, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    options = options ? options : &none;
    const layout how = layout_of(held->tensor);
    tsr_zip_writer *zip;
    if (how == NONE)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write this format to .npz: csr, csc, bcsr and coo are supported");
    TSR_TRY(tsr_zip_writer_new(&zip, path, options, err));
    const tsr_status status =
        is_scipy(held->tensor) ? write_scipy(zip, held, how, err) : write_pydata(zip, held, err);
    if (status == TSR_OK)
        return tsr_zip_writer_commit(zip, nbytes, err);
    tsr_zip_writer_free(zip);
    return status;
}

tsr_status tsr_npz_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                         uint64_t *nbytes, tsr_error *err)
{
    return write_archive(path, &(tsr_held){.tensor = tensor}, options, nbytes, err);
}

tsr_status tsr_npz_write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err)
{
    return write_archive(path, &(tsr_held){parts->tensor, parts}, options, nbytes, err);
}
