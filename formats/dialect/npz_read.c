/* Reading .npz: the archives of scipy.sparse.save_npz and sparse.save_npz, and single arrays. See npz.md. */
#include "growing_array.h"
#include "npz_internal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"

static const char *const part_names[NPZ_NPARTS] = {
    "data", "shape", "indices", "indptr", "row", "col", "coords", "offsets", "compressed_axes", "fill_value"};

void tsr_npz_clear(tsr_npz *npz)
{
    for (int i = 0; i < NPZ_NPARTS; i++)
        tsr_array_clear(&npz->parts[i].numbers.array);
    tsr_zip_free(npz->zip);
    *npz = (tsr_npz){.zip = NULL};
}

/* ---- finding out what is in the archive ---- */

/* The number of the member NAME.npy, or UINT64_MAX. */
static uint64_t find_array(const tsr_zip *zip, const char *name)
{
    char full[300];
    return snprintf(full, sizeof full, "%s.npy", name) < (int)sizeof full ? tsr_zip_find(zip, full)
                                                                          : UINT64_MAX;
}

/* Put the name of an array before the text of an error. */
static tsr_status name_fault(tsr_status status, const char *name, const tsr_error *why, tsr_error *err)
{
    return status == TSR_OK ? TSR_OK : tsr_fail(err, status, "array '%s': %s", name, why->message);
}

static tsr_status look_at_part(tsr_npz_part *part, tsr_zip *zip, const char *name, tsr_error *err)
{
    tsr_bytes bytes;
    tsr_error why = {0};
    part->member = find_array(zip, name);
    part->there = part->member != UINT64_MAX;
    part->numbers.name = name;
    if (!part->there)
        return TSR_OK;
    tsr_status status = tsr_zip_begin(&bytes, zip, part->member, &why);
    if (status == TSR_OK)
        status = tsr_npy_read_header(&part->npy, &bytes, &why);
    tsr_zip_drop(&bytes);
    return name_fault(status, name, &why, err);
}

static tsr_status load_part(tsr_npz_part *part, tsr_zip *zip, tsr_error *err)
{
    tsr_bytes bytes;
    tsr_error why = {0};
    tsr_status status = tsr_zip_begin(&bytes, zip, part->member, &why);
    if (status == TSR_OK)
        status = tsr_npy_read_header(&part->npy, &bytes, &why);
    if (status == TSR_OK)
        status = tsr_npy_read_numbers(&part->numbers, &part->boolean, &part->npy, &bytes, &why);
    if (status == TSR_OK)
        status = tsr_zip_end(&bytes, &why);
    tsr_zip_drop(&bytes);
    return name_fault(status, part->numbers.name, &why, err);
}

/* Whether these are values of several dimensions, of which the first is the fastest. */
static bool is_by_columns(const tsr_npz *npz, int i)
{
    const tsr_npy *const npy = &npz->parts[i].npy;
    return i == NPZ_DATA && npz->scipy && npy->fortran && npy->order > 1 && strcmp(npz->format, "coo") != 0;
}

/* Whether the archive has an array that is read step by step instead of as a whole: coordinates, diagonals, and values by columns. */
static bool comes_in_steps(const tsr_npz *npz, int i)
{
    return npz->sparse && npz->parts[i].there &&
           (i == NPZ_COORDS || is_by_columns(npz, i) ||
            (i == NPZ_DATA && npz->scipy && strcmp(npz->format, "dia") == 0));
}

/* Loading the arrays of an archive: each thread opens the archive itself and loads the next array. */
typedef struct loading {
    tsr_npz *npz;
    atomic_int next;
    tsr_error faults[NPZ_NPARTS]; /* of each array */
} loading;

static void load_some(void *arg, int t, int nthreads)
{
    loading *const l = arg;
    (void)nthreads;
    tsr_zip *zip = t == 0 ? l->npz->zip : NULL;
    for (int i; (i = atomic_fetch_add(&l->next, 1)) < NPZ_NPARTS;) {
        tsr_npz_part *const part = &l->npz->parts[i];
        if (!part->there || part->numbers.array.data || comes_in_steps(l->npz, i))
            continue;
        if (zip || tsr_zip_open_again(&zip, l->npz->zip, &l->faults[i]) == TSR_OK)
            (void)load_part(part, zip, &l->faults[i]);
    }
    if (t != 0)
        tsr_zip_free(zip);
}

static tsr_status load_all(tsr_npz *npz, const tsr_read_options *options, tsr_error *err)
{
    loading l = {.npz = npz};
    double total = 0;
    uint64_t largest = 0;
    for (int i = 0; i < NPZ_NPARTS; i++) {
        const tsr_npy *const npy = &npz->parts[i].npy;
        const uint64_t nbytes = npz->parts[i].there ? npy->n * npy->item_nbytes : 0;
        total += (double)nbytes;
        largest = nbytes > largest ? nbytes : largest;
    }
    TSR_TRY(tsr_memory_check(total, "the tensor", err));
    const int nthreads = tsr_thread_count(options->nthreads);
    tsr_zip_set_threads(npz->zip, nthreads);
    for (int i = 0; i < NPZ_NPARTS; i++) /* all threads read one stored array after the other */
        if (npz->parts[i].there && !npz->parts[i].numbers.array.data && !comes_in_steps(npz, i) &&
            strcmp(tsr_zip_method(npz->zip, npz->parts[i].member), "stored") == 0)
            TSR_TRY(load_part(&npz->parts[i], npz->zip, err));
    tsr_parallel(largest < 1 << 20 ? 1 : nthreads < 4 ? nthreads : 4, load_some, &l);
    for (int i = 0; i < NPZ_NPARTS; i++)
        TSR_TRY(tsr_fail_as(err, &l.faults[i]));
    return TSR_OK;
}

/* Load an array of at most TSR_MAX_ORDER values, unless it is loaded. */
static tsr_status need_small(tsr_npz *npz, int i, tsr_error *err)
{
    tsr_npz_part *const part = &npz->parts[i];
    if (!part->there)
        return tsr_fail(err, TSR_CORRUPT, "has no array '%s', which a sparse tensor needs", part_names[i]);
    if (part->npy.n > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT, "array '%s' has %" PRIu64 " values; at most %d are supported",
                        part_names[i], part->npy.n, TSR_MAX_ORDER);
    return part->numbers.array.data ? TSR_OK : load_part(part, npz->zip, err);
}

static tsr_status read_format(tsr_npz *npz, uint64_t member, tsr_error *err)
{
    static const char *const known[] = {"csr", "csc", "coo", "bsr", "dia", NULL};
    tsr_npy npy;
    tsr_bytes bytes;
    tsr_error why = {0};
    char shown[32];
    tsr_status status = tsr_zip_begin(&bytes, npz->zip, member, &why);
    if (status == TSR_OK)
        status = tsr_npy_read_header(&npy, &bytes, &why);
    if (status == TSR_OK)
        status = tsr_npy_read_text(npz->format, sizeof npz->format, &npy, &bytes, &why);
    tsr_zip_drop(&bytes);
    TSR_TRY(name_fault(status, "format", &why, err));
    for (int i = 0; known[i]; i++)
        if (strcmp(npz->format, known[i]) == 0)
            return TSR_OK;
    tsr_show_n(shown, sizeof shown, npz->format, strlen(npz->format));
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "is a matrix in the SciPy format '%s': csr, csc, coo, bsr and dia are "
                    "supported, so convert the matrix with tocsr()",
                    shown);
}

bool tsr_npz_is_array(size_t *nbytes, const tsr_zip *zip, uint64_t i)
{
    const char *const name = tsr_zip_name(zip, i);
    const size_t k = strlen(name);
    *nbytes = k > 4 ? k - 4 : 0;
    return k > 4 && strcmp(name + k - 4, ".npy") == 0 && tsr_zip_find(zip, name) == i;
}

bool tsr_npz_is_sparse(const tsr_zip *zip)
{
    return find_array(zip, "format") != UINT64_MAX ||
           (find_array(zip, "shape") != UINT64_MAX && find_array(zip, "data") != UINT64_MAX);
}

/* Append the names of the arrays, with commas; at most MOST names. */
static void add_array_names(tsr_text *names, const tsr_zip *zip)
{
    enum { MOST = 8 };
    char shown[TSR_SHOWN_NBYTES];
    uint64_t n = 0;
    for (uint64_t i = 0; i < tsr_zip_count(zip); i++) {
        size_t nbytes;
        if (!tsr_npz_is_array(&nbytes, zip, i) || n++ >= MOST)
            continue;
        tsr_show_n(shown, sizeof shown, tsr_zip_name(zip, i), nbytes);
        tsr_text_addf(names, "%s%s", n > 1 ? ", " : "", shown);
    }
    if (n > MOST)
        tsr_text_add(names, ", ...");
}

/* The error for an archive without a sparse tensor, or without the array `object`. */
static tsr_status refuse_archive(const tsr_npz *npz, const char *object, tsr_error *err)
{
    tsr_text names = {0};
    char shown[TSR_SHOWN_NBYTES];
    tsr_status status;
    add_array_names(&names, npz->zip);
    if (names.nbytes == 0)
        status = tsr_fail(err, TSR_UNSUPPORTED, "is a ZIP archive without NumPy arrays");
    else if (object)
        status = tsr_fail(err, TSR_ARGUMENT, "has no array '%s'; its arrays are %s", tsr_show(shown, object),
                          tsr_text_cstr(&names));
    else
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "has ordinary arrays and no sparse array: name one of them (file.npz:ARRAY): %s",
                          tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

/* Look at a single array of the archive. */
static tsr_status look_at_array(tsr_npz *npz, const char *object, tsr_error *err)
{
    tsr_npz_part *const part = &npz->parts[NPZ_DATA];
    TSR_TRY(look_at_part(part, npz->zip, object, err));
    if (!part->there)
        return refuse_archive(npz, object, err);
    npz->order = part->npy.order;
    memcpy(npz->dims, part->npy.shape, sizeof npz->dims);
    return TSR_OK;
}

static tsr_status look_at_dims(tsr_npz *npz, tsr_error *err)
{
    const tsr_npz_part *const shape = &npz->parts[NPZ_SHAPE];
    TSR_TRY(need_small(npz, NPZ_SHAPE, err));
    npz->order = (int)shape->npy.n;
    return tsr_numbers_to_dims(npz->dims, &shape->numbers, npz->order, err);
}

static tsr_status look(tsr_npz *npz, const char *object, tsr_error *err)
{
    const uint64_t format = find_array(npz->zip, "format");
    if (object)
        return look_at_array(npz, object, err);
    if (!tsr_npz_is_sparse(npz->zip))
        return refuse_archive(npz, NULL, err);
    npz->sparse = true;
    npz->scipy = format != UINT64_MAX;
    if (npz->scipy)
        TSR_TRY(read_format(npz, format, err));
    for (int i = 0; i < NPZ_NPARTS; i++)
        if (i != NPZ_AXES && (i != NPZ_FILL || !npz->scipy))
            TSR_TRY(look_at_part(&npz->parts[i], npz->zip, part_names[i], err));
    TSR_TRY(look_at_dims(npz, err));
    if (!npz->scipy && npz->order > 1) /* for an array of one dimension, NumPy has written a pickled None */
        TSR_TRY(look_at_part(&npz->parts[NPZ_AXES], npz->zip, part_names[NPZ_AXES], err));
    if (!npz->parts[NPZ_DATA].there)
        return tsr_fail(err, TSR_CORRUPT, "has no array 'data', which a sparse tensor needs");
    return TSR_OK;
}

tsr_status tsr_npz_look(tsr_npz *out, tsr_zip *zip, const char *object, tsr_error *err)
{
    *out = (tsr_npz){.zip = zip};
    const tsr_status status = look(out, object, err);
    if (status != TSR_OK)
        tsr_npz_clear(out);
    return status;
}

/* ---- reading ---- */

/* Move the numbers of part i to the caller. If the archive does not have the part, the numbers have only the
 * name, for messages. */
static tsr_numbers take(tsr_npz *npz, int i)
{
    const tsr_numbers taken = npz->parts[i].numbers;
    npz->parts[i].numbers.array = (tsr_array){0};
    return taken.name ? taken : (tsr_numbers){.name = part_names[i]};
}

/* Open the member of part i, and read its header. */
static tsr_status begin_steps(tsr_bytes *bytes, tsr_npz *npz, int i, tsr_error *err)
{
    const tsr_status status = tsr_zip_begin(bytes, npz->zip, npz->parts[i].member, err);
    return status == TSR_OK ? tsr_npy_read_header(&npz->parts[i].npy, bytes, err) : status;
}

/* Check the member, if it was read without an error, and close it. */
static tsr_status end_steps(tsr_status status, tsr_bytes *bytes, const char *name, tsr_error *why,
                            tsr_error *err)
{
    if (status == TSR_OK)
        status = tsr_zip_end(bytes, why);
    tsr_zip_drop(bytes);
    return name_fault(status, name, why, err);
}

/* Read the rows of `coords` one after the other, each to an array of its own. */
static tsr_status read_rows(tsr_arrays *in, const tsr_npy *coords, tsr_bytes *bytes, tsr_error *err)
{
    bool boolean;
    tsr_npy row = *coords;
    row.order = 1;
    row.n = row.shape[0] = coords->shape[1];
    for (int m = 0; m < in->order; m++)
        TSR_TRY(tsr_npy_read_numbers(&in->crd[m], &boolean, &row, bytes, err));
    return TSR_OK;
}

/* The same where NumPy has saved `coords` column-major: the coordinates of one entry follow each other. */
static tsr_status read_columns(tsr_arrays *in, const tsr_npy *coords, tsr_bytes *bytes, tsr_error *err)
{
    enum { STEP = 256 };
    const size_t width = (size_t)coords->item_nbytes, order = (size_t)in->order;
    const uint64_t n = coords->shape[1];
    if (coords->kind != 'i' && coords->kind != 'u')
        return tsr_fail(err, TSR_CORRUPT, "has numbers that are not integers");
    for (int m = 0; m < in->order; m++) {
        in->crd[m].type = tsr_npy_type(coords);
        TSR_TRY(tsr_array_init(&in->crd[m].array, n, width, 0, "coordinates", err));
    }
    for (uint64_t first = 0; first < n; first += STEP) {
        uint64_t block[STEP * TSR_MAX_ORDER];
        const size_t step = n - first < STEP ? (size_t)(n - first) : STEP;
        TSR_TRY(tsr_bytes_take(bytes, block, step * order * width, err));
        for (size_t k = 0; k < step * order; k++)
            memcpy((char *)in->crd[k % order].array.data + (first + k / order) * width,
                   (const char *)block + k * width, width);
    }
    for (int m = 0; m < in->order && coords->big_endian; m++)
        tsr_numbers_swap(&in->crd[m]);
    return TSR_OK;
}

static tsr_status read_coords(tsr_arrays *in, tsr_npz *npz, tsr_error *err)
{
    const tsr_npy *const coords = &npz->parts[NPZ_COORDS].npy;
    tsr_bytes bytes;
    tsr_error why = {0};
    if (coords->order != 2 || coords->shape[0] != (uint64_t)npz->order)
        return tsr_fail(err, TSR_CORRUPT, "array 'coords' must have %d rows, one for each mode", npz->order);
    for (int m = 0; m < npz->order; m++)
        in->crd[m].name = "coords";
    tsr_status status = begin_steps(&bytes, npz, NPZ_COORDS, &why);
    if (status == TSR_OK)
        status =
            coords->fortran ? read_columns(in, coords, &bytes, &why) : read_rows(in, coords, &bytes, &why);
    return end_steps(status, &bytes, "coords", &why, err);
}

/* Called with elements [first, first + n) of an array, as they are in memory. */
typedef tsr_status (*step_of_array)(void *ctx, const void *block, uint64_t first, size_t n, tsr_error *err);

/* Read the values of the archive step by step. */
static tsr_status read_steps(tsr_npz *npz, step_of_array step, void *ctx, tsr_error *err)
{
    enum { STEP = 4096 };
    tsr_npz_part *const part = &npz->parts[NPZ_DATA];
    tsr_bytes bytes;
    tsr_error why = {0};
    tsr_status status = begin_steps(&bytes, npz, NPZ_DATA, &why);
    tsr_npy some = part->npy;
    some.order = 1;
    for (uint64_t first = 0; status == TSR_OK && first < part->npy.n; first += STEP) {
        tsr_numbers block = {.name = "data"};
        some.n = some.shape[0] = part->npy.n - first < STEP ? part->npy.n - first : STEP;
        status = tsr_npy_read_numbers(&block, &part->boolean, &some, &bytes, &why);
        if (status == TSR_OK)
            status = step(ctx, block.array.data, first, (size_t)some.n, &why);
        tsr_array_clear(&block.array);
    }
    return end_steps(status, &bytes, "data", &why, err);
}

/* Values by columns that are put in row-major order. */
typedef struct by_rows {
    const tsr_npy *npy;
    uint64_t at[TSR_MAX_ORDER]; /* the indices of the next element */
    tsr_array *rows;
} by_rows;

static tsr_status put_by_rows(void *ctx, const void *block, uint64_t first, size_t n, tsr_error *err)
{
    by_rows *const b = ctx;
    const size_t width = b->rows->width;
    (void)first, (void)err;
    for (size_t e = 0; e < n; e++) {
        uint64_t to = 0;
        for (int m = 0; m < b->npy->order; m++)
            to = to * b->npy->shape[m] + b->at[m];
        memcpy((char *)b->rows->data + to * width, (const char *)block + e * width, width);
        for (int m = 0; m < b->npy->order && ++b->at[m] == b->npy->shape[m]; m++)
            b->at[m] = 0;
    }
    return TSR_OK;
}

static tsr_status read_by_rows(tsr_npz *npz, tsr_error *err)
{
    tsr_npz_part *const part = &npz->parts[NPZ_DATA];
    by_rows b = {.npy = &part->npy, .rows = &part->numbers.array};
    part->numbers.type = tsr_npy_type(&part->npy);
    TSR_TRY(tsr_array_init(b.rows, part->npy.n, tsr_type_nbytes(part->numbers.type), 0, "values", err));
    return read_steps(npz, put_by_rows, &b, err);
}

/* Diagonals that become coordinates: column j of row k of `data` is the value at (j - offsets[k], j). */
typedef struct diagonals {
    const tsr_npy *data;
    const int64_t *offsets;
    const uint64_t *dims;
    uint64_t n; /* entries so far, which the arrays have */
    tsr_array *crd[2], *values;
} diagonals;

/* Append the values that are inside the matrix and not zero. */
static tsr_status add_diagonals(void *ctx, const void *block, uint64_t first, size_t n, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    diagonals *const d = ctx;
    const tsr_npy *const npy = d->data;
    const size_t width = d->values->width;
    TSR_TRY(tsr_array_make_room(d->crd[0], d->n + n, npy->n, err));
    TSR_TRY(tsr_array_make_room(d->crd[1], d->n + n, npy->n, err));
    TSR_TRY(tsr_array_make_room(d->values, d->n + n, npy->n, err));
    for (size_t e = 0; e < n; e++) {
        const uint64_t at = first + e;
        const uint64_t k = npy->fortran ? at % npy->shape[0] : at / npy->shape[1];
        const uint64_t j = npy->fortran ? at / npy->shape[0] : at % npy->shape[1];
        const uint64_t i = j - (uint64_t)d->offsets[k]; /* beyond the dim where it is negative */
        const unsigned char *const value = (const unsigned char *)block + e * width;
        if (j >= d->dims[1] || i >= d->dims[0] || memcmp(value, zero, width) == 0)
            continue;
        tsr_array_set(d->crd[0], d->n, i);
        tsr_array_set(d->crd[1], d->n, j);
        memcpy((char *)d->values->data + d->n++ * width, value, width);
    }
    return TSR_OK;
}

static tsr_status read_diagonals(tsr_arrays *in, tsr_npz *npz, tsr_error *err)
{
    const tsr_npz_part *const part = &npz->parts[NPZ_OFFSETS];
    const tsr_npy *const npy = &npz->parts[NPZ_DATA].npy;
    if (!part->there || npy->order != 2 || npz->order != 2 || part->npy.n != npy->shape[0])
        return tsr_fail(err, TSR_CORRUPT, "array 'data' must have one row for each element of 'offsets'");
    const tsr_array *const offsets = &npz->parts[NPZ_OFFSETS].numbers.array;
    TSR_TRY(tsr_values_retype(&npz->parts[NPZ_OFFSETS].numbers.array, TSR_I64, part->numbers.type, err));
    for (uint64_t k = 0; k < offsets->n; k++)
        if (((const int64_t *)offsets->data)[k] == INT64_MIN)
            return tsr_fail(err, TSR_CORRUPT, "array 'offsets' has %" PRId64, INT64_MIN);
    diagonals d = {
        npy, offsets->data, npz->dims, 0, {&in->crd[0].array, &in->crd[1].array}, &in->values.array};
    for (int m = 0; m < 2; m++) {
        const bool wide = npz->dims[m] > (uint64_t)UINT32_MAX + 1;
        in->crd[m] = (tsr_numbers){
            .array = {.width = wide ? 8 : 4}, .type = wide ? TSR_U64 : TSR_U32, .name = "offsets"};
    }
    in->values.name = "data";
    in->values.type = tsr_npy_type(npy);
    d.values->width = tsr_type_nbytes(in->values.type);
    TSR_TRY(read_steps(npz, add_diagonals, &d, err));
    in->boolean = npz->parts[NPZ_DATA].boolean;
    TSR_TRY(tsr_array_shorten(d.crd[0], d.n, err));
    TSR_TRY(tsr_array_shorten(d.crd[1], d.n, err));
    return tsr_array_shorten(d.values, d.n, err);
}

/* Read the compressed axes of a GCXS array. */
static tsr_status take_axes(tsr_arrays *in, tsr_npz *npz, tsr_error *err)
{
    uint64_t axes[TSR_MAX_ORDER];
    TSR_TRY(need_small(npz, NPZ_AXES, err));
    in->ngrouped = (int)npz->parts[NPZ_AXES].npy.n;
    TSR_TRY(tsr_numbers_to_dims(axes, &npz->parts[NPZ_AXES].numbers, in->ngrouped, err));
    for (int i = 0; i < in->ngrouped; i++)
        in->grouped[i] = axes[i] < TSR_MAX_ORDER ? (int)axes[i] : -1;
    return TSR_OK;
}

tsr_status tsr_npz_has_fill(bool *out, tsr_npz *npz, tsr_error *err)
{
    tsr_npz_part *const fill = &npz->parts[NPZ_FILL];
    *out = false;
    if (npz->scipy || !fill->there)
        return TSR_OK;
    TSR_TRY(need_small(npz, NPZ_FILL, err));
    const unsigned char *const bytes = fill->numbers.array.data;
    for (uint64_t i = 0; i < tsr_array_nbytes(&fill->numbers.array); i++)
        *out = *out || bytes[i] != 0;
    return TSR_OK;
}

static tsr_status take_fill(tsr_arrays *in, tsr_npz *npz, tsr_error *err)
{
    tsr_npz_part *const fill = &npz->parts[NPZ_FILL];
    if (npz->scipy || !fill->there)
        return TSR_OK;
    TSR_TRY(need_small(npz, NPZ_FILL, err));
    if (fill->npy.n != 1)
        return tsr_fail(err, TSR_CORRUPT, "array 'fill_value' must have one value");
    in->has_fill = true;
    return tsr_values_convert(in->fill, npz->parts[NPZ_DATA].numbers.type, fill->numbers.array.data,
                              fill->numbers.type, 1, err);
}

static tsr_status need(const tsr_npz *npz, int i, tsr_error *err)
{
    return npz->parts[i].there
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "has no array '%s', which this kind of tensor needs",
                          part_names[i]);
}

static tsr_status need_matrix(const tsr_npz *npz, tsr_error *err)
{
    return npz->order == 2
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "is a matrix, but the shape has %d dimensions", npz->order);
}

/* Read csr, csc and bsr; csr with one dimension is a vector. */
static tsr_status read_slices(tsr_data *out, tsr_npz *npz, tsr_arrays *in, const tsr_read_options *options,
                              tsr_error *err)
{
    TSR_TRY(need(npz, NPZ_INDICES, err));
    TSR_TRY(need(npz, NPZ_INDPTR, err));
    if (is_by_columns(npz, NPZ_DATA)) {
        TSR_TRY(read_by_rows(npz, err));
        in->boolean = npz->parts[NPZ_DATA].boolean;
    }
    in->crd[0] = take(npz, NPZ_INDICES);
    in->values = take(npz, NPZ_DATA);
    if (npz->order == 1 && strcmp(npz->format, "csr") == 0)
        return tsr_arrays_coordinates(out, in, options, err);
    TSR_TRY(need_matrix(npz, err));
    in->pointers = take(npz, NPZ_INDPTR);
    in->major = strcmp(npz->format, "csc") == 0;
    if (strcmp(npz->format, "bsr") != 0)
        return tsr_arrays_compressed(out, in, options, err);
    const tsr_npy *const data = &npz->parts[NPZ_DATA].npy;
    if (data->order != 3)
        return tsr_fail(err, TSR_CORRUPT, "array 'data' must have three dimensions: blocks, rows, columns");
    in->block[0] = data->shape[1];
    in->block[1] = data->shape[2];
    return tsr_arrays_blocks(out, in, options, err);
}

/* Warn of coordinates that pydata/sparse, which does not look, would take for sorted ones; a repair is to sort them. */
static void tell_order(tsr_coo *coo, const tsr_read_options *options)
{
    const tsr_coo_order order = tsr_coo_find_order(coo, NULL);
    const bool good = order.sorted && order.nduplicates == 0;
    coo->repaired = options->repair && !good;
    if (!good)
        tsr_warn(
            options->observer, NULL, 0,
            options->repair
                ? "repaired: array 'coords' is not sorted, or has one cell several times: the entries are "
                  "sorted, and "
                  "those of one cell are combined (see --duplicates)"
                : "array 'coords' is not sorted, or has one cell several times, which pydata/sparse does not "
                  "notice: its results are wrong: tconv --repair sorts the entries, and combines those of "
                  "one cell");
}

/* Read coordinates: from `row` and `col`, or from `coords` for a tensor of any order. */
static tsr_status read_coo(tsr_data *out, tsr_npz *npz, tsr_arrays *in, const tsr_read_options *options,
                           tsr_error *err)
{
    if (npz->parts[NPZ_COORDS].there) {
        TSR_TRY(read_coords(in, npz, err));
    } else {
        TSR_TRY(need_matrix(npz, err));
        TSR_TRY(need(npz, NPZ_ROW, err));
        TSR_TRY(need(npz, NPZ_COL, err));
        in->crd[0] = take(npz, NPZ_ROW);
        in->crd[1] = take(npz, NPZ_COL);
    }
    in->values = take(npz, NPZ_DATA);
    TSR_TRY(tsr_arrays_coordinates(out, in, options, err));
    if (!npz->scipy && (options->check || options->repair))
        tell_order(out->coo, options);
    return TSR_OK;
}

static tsr_status read_gcxs(tsr_data *out, tsr_npz *npz, tsr_arrays *in, const tsr_read_options *options,
                            tsr_error *err)
{
    if (!npz->parts[NPZ_INDICES].there)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "has no indices, as sparse.save_npz does not write those of sparse.CSR and "
                        "sparse.CSC: save a sparse.GCXS or "
                        "a sparse.COO instead");
    in->crd[0] = take(npz, NPZ_INDICES);
    in->values = take(npz, NPZ_DATA);
    if (npz->order == 1)
        return tsr_arrays_coordinates(out, in, options, err);
    TSR_TRY(need(npz, NPZ_INDPTR, err));
    TSR_TRY(take_axes(in, npz, err));
    in->pointers = take(npz, NPZ_INDPTR);
    if (npz->order != 2 || in->ngrouped != 1 || in->grouped[0] < 0 || in->grouped[0] > 1)
        return tsr_arrays_grouped(out, in, options, err);
    in->major = in->grouped[0];
    return tsr_arrays_compressed(out, in, options, err);
}

static tsr_status read_all(tsr_data *out, tsr_npz *npz, tsr_arrays *in, const tsr_read_options *options,
                           tsr_error *err)
{
    TSR_TRY(load_all(npz, options, err));
    in->order = npz->order;
    memcpy(in->dims, npz->dims, sizeof in->dims);
    in->boolean = npz->parts[NPZ_DATA].boolean;
    TSR_TRY(take_fill(in, npz, err));
    if (!npz->sparse) {
        in->values = take(npz, NPZ_DATA);
        in->fortran = npz->parts[NPZ_DATA].npy.fortran;
        return tsr_arrays_dense(out, in, options, err);
    }
    if (!npz->scipy)
        return npz->parts[NPZ_COORDS].there ? read_coo(out, npz, in, options, err)
                                            : read_gcxs(out, npz, in, options, err);
    if (strcmp(npz->format, "coo") == 0)
        return read_coo(out, npz, in, options, err);
    if (strcmp(npz->format, "dia") != 0)
        return read_slices(out, npz, in, options, err);
    TSR_TRY(read_diagonals(in, npz, err));
    return tsr_arrays_coordinates(out, in, options, err);
}

tsr_status tsr_npz_read(tsr_data *out, tsr_npz *npz, const tsr_read_options *options, tsr_error *err)
{
    tsr_arrays in = {.order = 0};
    const tsr_status status = read_all(out, npz, &in, options, err);
    tsr_arrays_clear(&in);
    tsr_npz_clear(npz);
    return status;
}

/* ---- describing ---- */

static tsr_status describe_parts(tsr_brief_tensor *to, const tsr_npz *npz, tsr_error *err)
{
    for (int i = 0; i < NPZ_NPARTS; i++) {
        const tsr_npz_part *const part = &npz->parts[i];
        if (!part->there || i == NPZ_SHAPE)
            continue;
        tsr_brief_array array = {.role = i == NPZ_DATA     ? "values"
                                         : i == NPZ_FILL   ? "fill"
                                         : i == NPZ_INDPTR ? "pos"
                                                           : "crd",
                                 .level = to->format && (i == NPZ_INDICES || i == NPZ_INDPTR) ? 1 : -1,
                                 .type = tsr_npy_type(&part->npy),
                                 .n = part->npy.n};
        snprintf(array.name, sizeof array.name, "%s", part->numbers.name);
        snprintf(array.storage, sizeof array.storage, "%s", tsr_zip_method(npz->zip, part->member));
        TSR_TRY(tsr_brief_add_array(to, &array, err));
    }
    return TSR_OK;
}

tsr_status tsr_npz_describe(tsr_brief_tensor *out, const tsr_npz *npz, tsr_error *err)
{
    const tsr_npy *const data = &npz->parts[NPZ_DATA].npy;
    const bool csr = strcmp(npz->format, "csr") == 0, csc = strcmp(npz->format, "csc") == 0;
    if (!npz->sparse) {
        TSR_TRY(tsr_npy_describe(out, data, err));
        return describe_parts(out, npz, err);
    }
    out->order = npz->order;
    out->has_dims = true;
    memcpy(out->dims, npz->dims, sizeof out->dims);
    out->has_nnz = strcmp(npz->format, "dia") != 0;
    out->nnz = data->n;
    out->has_fill = npz->parts[NPZ_FILL].there;
    snprintf(out->type, sizeof out->type, "%s",
             data->kind == 'b'                             ? "bool"
             : data->kind == 'f' && data->item_nbytes == 2 ? "f16"
                                                           : tsr_type_name(tsr_npy_type(data)));
    if (npz->order == 2 && (csr || csc))
        TSR_TRY(tsr_format_nested(&out->format, 2, 1, (const int[]){csc, !csc}, err));
    return describe_parts(out, npz, err);
}
