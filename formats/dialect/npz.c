/* NumPy's .npz: matrices of scipy.sparse.save_npz, tensors of pydata/sparse's save_npz, and single arrays. See npz.md. */
#include "npz.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dialect.h"
#include "growing_array.h"
#include "tsr_memory.h"
#include "tsr_shown.h"

/* ---- SciPy: the text `format` says which arrays there are ---- */

#define SCIPY .sparse = true, .data = "data", .dims = "shape"

static const tsr_form vector = {SCIPY, .crd = {"indices"}};
static const tsr_form rows_of_coords = {SCIPY, .coords = "coords"};

/* A csr of one dimension is a vector. */
static tsr_status look_at_csr(tsr_opened *o, tsr_error *err)
{
    tsr_stored shape;
    char storage[TSR_STORAGE_NBYTES];
    TSR_TRY(tsr_container_enter(o->c, o->leaf, err));
    o->leaf = "";
    TSR_TRY(tsr_container_glance(&shape, storage, o->c, "shape", true, err));
    o->form = shape.n == 1 ? &vector : o->form;
    return TSR_OK;
}

/* Where there are more modes than two, or in new files, the coordinates are the rows of one array. */
static tsr_status look_at_coo(tsr_opened *o, tsr_error *err)
{
    TSR_TRY(tsr_container_enter(o->c, o->leaf, err));
    o->leaf = "";
    if (tsr_container_look_up(o->c, "coords") == TSR_NODE_ARRAY)
        o->form = &rows_of_coords;
    return TSR_OK;
}

static const tsr_form csr = {SCIPY, .marks = {{"format", "csr"}}, .indices = "indices", .pointers = "indptr",
                             .look = look_at_csr};
static const tsr_form csc = {SCIPY, .marks = {{"format", "csc"}}, .major = 1, .indices = "indices",
                             .pointers = "indptr"};
static const tsr_form bsr = {SCIPY, .marks = {{"format", "bsr"}}, .blocks = true, .indices = "indices",
                             .pointers = "indptr"};
static const tsr_form coo = {SCIPY, .marks = {{"format", "coo"}}, .crd = {"row", "col"}, .look = look_at_coo};

/* Diagonals that become coordinates: column j of row k of `data` is the value at (j - offsets[k], j). */
typedef struct diagonals {
    tsr_stored data;
    uint64_t dims[2];
    tsr_numbers offsets; /* as i64 */
} diagonals;

enum { STEP = 4096 }; /* elements of `data` that are read at once */

static tsr_status look_at_diagonals(diagonals *d, const tsr_opened *o, tsr_job *job, tsr_error *err)
{
    TSR_TRY(tsr_form_read_few(d->dims, 2, o->c, "shape", err));
    TSR_TRY(tsr_container_look(&d->data, o->c, "data", true, err));
    if (!o->c->type->flat_parts)
        return tsr_fail(err, TSR_UNSUPPORTED, "diagonals are read from .npz only");
    TSR_TRY(tsr_form_read_numbers(&d->offsets, o->c, "offsets", job, err));
    TSR_TRY(tsr_values_retype(&d->offsets.array, TSR_I64, d->offsets.type, err));
    if (d->data.ndims != 2 || d->offsets.array.n != d->data.dims[0])
        return tsr_fail(err, TSR_CORRUPT, "array 'data' must have one row for each element of 'offsets'");
    for (uint64_t k = 0; k < d->offsets.array.n; k++)
        if (((const int64_t *)d->offsets.array.data)[k] == INT64_MIN)
            return tsr_fail(err, TSR_CORRUPT, "array 'offsets' has %" PRId64, INT64_MIN);
    return TSR_OK;
}

/* The coordinates of those of n elements of `data`, from `first` on, that are inside the matrix and not zero; their values move to the
 * beginning. Returns their number. */
static size_t place_diagonals(uint64_t *const *crd, unsigned char *values, const diagonals *d, uint64_t first,
                              uint64_t n)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const uint64_t *const dims = d->data.dims;
    const size_t width = tsr_type_nbytes(d->data.type);
    size_t kept = 0;
    for (uint64_t e = 0; e < n; e++) {
        const uint64_t at = first + e;
        const uint64_t k = d->data.by_columns ? at % dims[0] : at / dims[1];
        const uint64_t j = d->data.by_columns ? at / dims[0] : at % dims[1];
        const uint64_t i =
            j - (uint64_t)((const int64_t *)d->offsets.array.data)[k]; /* huge where negative */
        const unsigned char *const value = values + e * width;
        if (j >= d->dims[1] || i >= d->dims[0] || memcmp(value, zero, width) == 0)
            continue;
        crd[0][kept] = i;
        crd[1][kept] = j;
        memmove(values + kept++ * width, value, width);
    }
    return kept;
}

static tsr_status collect_diagonals(tsr_arrays *in, const diagonals *d, const tsr_opened *o, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(d->data.type);
    uint64_t at[2][STEP], *const crd[] = {at[0], at[1]}, nnz = 0;
    unsigned char block[STEP * TSR_MAX_VALUE_NBYTES];
    for (int m = 0; m < 2; m++) {
        const bool wide = d->dims[m] > (uint64_t)UINT32_MAX + 1;
        in->dims[m] = d->dims[m];
        in->crd[m] = (tsr_numbers){
            .array = {.width = wide ? 8 : 4}, .type = wide ? TSR_U64 : TSR_U32, .name = "offsets"};
    }
    in->values = (tsr_numbers){.array = {.width = width}, .type = d->data.type, .name = "data"};
    tsr_array *const arrays[] = {&in->crd[0].array, &in->crd[1].array, &in->values.array};
    for (uint64_t first = 0; first < d->data.n; first += STEP) {
        const uint64_t n = d->data.n - first < STEP ? d->data.n - first : STEP;
        TSR_TRY(tsr_container_read_part(block, o->c, &d->data, first, n, err));
        const size_t kept = place_diagonals(crd, block, d, first, n);
        for (int a = 0; a < 3; a++)
            TSR_TRY(tsr_array_make_room(arrays[a], nnz + kept, d->data.n, err));
        for (int m = 0; m < 2; m++)
            tsr_array_store(arrays[m], nnz, crd[m], kept);
        memcpy((char *)in->values.array.data + nnz * width, block, kept * width);
        nnz += kept;
    }
    for (int a = 0; a < 3; a++)
        TSR_TRY(tsr_array_shorten(arrays[a], nnz, err));
    return TSR_OK;
}

static tsr_status read_dia(tsr_data *out, const tsr_opened *o, tsr_job *job, const tsr_read_options *options,
                           tsr_error *err)
{
    tsr_arrays in = {.order = 2};
    diagonals d = {.data.n = 0};
    tsr_status status;
    TSR_TRY_OUT(look_at_diagonals(&d, o, job, err));
    TSR_TRY_OUT(collect_diagonals(&in, &d, o, err));
    in.boolean = d.data.boolean;
    status = tsr_arrays_coordinates(out, &in, options, err);
out:
    tsr_array_clear(&d.offsets.array);
    tsr_arrays_clear(&in);
    return status;
}

/* The entries of diagonals, in the order of `data`, whose elements are the places. */
typedef struct dia_feed {
    tsr_feed base; /* first */
    tsr_container *c;
    diagonals d;
    uint64_t end, crd[2][STEP];
    unsigned char values[STEP * TSR_MAX_VALUE_NBYTES];
} dia_feed;

static tsr_status dia_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    dia_feed *const f = (dia_feed *)feed;
    uint64_t *const crd[] = {f->crd[0], f->crd[1]};
    while (run->n == 0 && feed->place < f->end) {
        const uint64_t left = f->end - feed->place, n = left < STEP ? left : STEP;
        TSR_TRY(tsr_container_read_part(f->values, f->c, &f->d.data, feed->place, n, err));
        run->n = place_diagonals(crd, f->values, &f->d, feed->place, n);
        feed->place += n;
    }
    run->crd[0] = f->crd[0];
    run->crd[1] = f->crd[1];
    run->values = f->values;
    run->type = feed->facts.type;
    return TSR_OK;
}

static tsr_status dia_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    dia_feed *const f = (dia_feed *)feed;
    (void)err;
    feed->place = first < feed->length ? first : feed->length;
    f->end = end < feed->length ? end : feed->length;
    return TSR_OK;
}

static void dia_close(tsr_feed *feed)
{
    dia_feed *const f = (dia_feed *)feed;
    tsr_array_clear(&f->d.offsets.array);
    tsr_container_free(f->c);
    tsr_free(f);
}

static tsr_status feed_dia(tsr_feed **out, const tsr_opened *o, const tsr_read_options *options,
                           tsr_error *err)
{
    static const tsr_feed_type type = {.next = dia_next, .seek = dia_seek, .close = dia_close};
    tsr_job job = {.nthreads = 1};
    dia_feed *const f = tsr_calloc(1, sizeof *f);
    tsr_status status =
        f ? look_at_diagonals(&f->d, o, &job, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = tsr_arrays_check_shape(options, 2, f->d.dims, err);
    if (status == TSR_OK &&
        (f->d.data.boolean || f->d.data.width != tsr_type_nbytes(f->d.data.type) || options->has_type ||
         options->repair || options->only_stored || f->d.dims[0] > INT64_MAX || f->d.dims[1] > INT64_MAX))
        status = tsr_fail(err, TSR_UNSUPPORTED, "diagonals of this kind are read only as a whole");
    if (status != TSR_OK) {
        if (f)
            dia_close(&f->base);
        return status;
    }
    f->base = (tsr_feed){.type = &type, .length = f->d.data.n, .can_seek = true, .can_rewind = true};
    f->base.facts = (tsr_facts){.order = 2, .has_dims = true, .type = f->d.data.type};
    memcpy(f->base.facts.dims, f->d.dims, sizeof f->d.dims);
    f->c = o->c;
    f->end = f->base.length;
    *out = &f->base;
    return TSR_OK;
}

static tsr_status describe_dia(tsr_brief_tensor *out, const tsr_opened *o, tsr_error *err)
{
    tsr_stored data = {.n = 0}, offsets;
    TSR_TRY(tsr_form_read_few(out->dims, 2, o->c, "shape", err));
    TSR_TRY(tsr_form_describe_array(out, &offsets, o->c, "offsets", "crd", err));
    TSR_TRY(tsr_form_describe_array(out, &data, o->c, "data", "values", err));
    out->order = 2;
    out->has_dims = true;
    snprintf(out->type, sizeof out->type, "%s", data.boolean ? "bool" : tsr_type_name(data.type));
    return TSR_OK;
}

static tsr_status enter_dia(tsr_opened *o, tsr_error *err)
{
    return tsr_container_enter(o->c, o->leaf, err);
}

static const tsr_form dia = {.sparse = true,
                             .marks = {{"format", "dia"}},
                             .look = enter_dia,
                             .read = read_dia,
                             .feed = feed_dia,
                             .describe = describe_dia};

/* ---- pydata/sparse: only archives, without a name of the kind ---- */

#define PYDATA .sparse = true, .data = "data", .dims = "shape", .fill = "fill_value"

static bool is_archive_with(tsr_container *c, const char *const *names)
{
    bool has = c->type == &tsr_container_npz;
    for (; has && *names; names++)
        has = tsr_container_look_up(c, *names) == TSR_NODE_ARRAY;
    return has;
}

static bool is_pydata_coo(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)name, (void)array;
    return is_archive_with(c, (const char *const[]){"shape", "data", "coords", NULL});
}

static bool is_gcxs(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)name, (void)array;
    return is_archive_with(c, (const char *const[]){"shape", "data", NULL});
}

static const tsr_form pydata_coo = {PYDATA, .is = is_pydata_coo, .coords = "coords",
                                    .assumes = "pydata/sparse"};
static const tsr_form pydata_vector = {PYDATA, .crd = {"indices"}};
static const tsr_form pydata_csr = {PYDATA, .indices = "indices", .pointers = "indptr"};
static const tsr_form pydata_csc = {PYDATA, .major = 1, .indices = "indices", .pointers = "indptr"};

/* Of one dimension, NumPy has written a pickled None as the axes. */
static tsr_status look_at_gcxs(tsr_opened *o, tsr_error *err)
{
    int order, naxes;
    uint64_t dims[TSR_MAX_ORDER], axes[TSR_MAX_ORDER];
    if (tsr_container_look_up(o->c, "indices") != TSR_NODE_ARRAY)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "has no indices, as sparse.save_npz does not write those of sparse.CSR and "
                        "sparse.CSC: save a sparse.GCXS or a sparse.COO instead");
    TSR_TRY(tsr_form_read_dims(&order, dims, o->c, "shape", err));
    if (order == 1) {
        o->form = &pydata_vector;
        return TSR_OK;
    }
    TSR_TRY(tsr_form_read_dims(&naxes, axes, o->c, o->form->axes, err));
    if (order == 2 && naxes == 1 && axes[0] < 2)
        o->form = axes[0] == 0 ? &pydata_csr : &pydata_csc;
    return TSR_OK;
}

static const tsr_form gcxs = {PYDATA,
                              .is = is_gcxs,
                              .look = look_at_gcxs,
                              .indices = "indices",
                              .pointers = "indptr",
                              .axes = "compressed_axes"};

/* ---- other archives ---- */

static bool is_other_scipy(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)name, (void)array;
    return c->type == &tsr_container_npz && tsr_form_has_text(c, NULL, "format", NULL);
}

static tsr_status refuse_format(tsr_opened *o, tsr_error *err)
{
    char *format = NULL, shown[TSR_SHOWN_NBYTES];
    TSR_TRY(tsr_container_text_of(&format, o->c, NULL, "format", err));
    const tsr_status status =
        tsr_fail(err, TSR_UNSUPPORTED,
                 "is a matrix in the SciPy format '%s': csr, csc, coo, bsr and dia are supported, so convert "
                 "the matrix with tocsr()",
                 tsr_show(shown, format ? format : ""));
    tsr_free(format);
    return status;
}

static bool is_array(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)name, (void)array;
    return c->type == &tsr_container_npz;
}

static const tsr_form other_scipy = {.sparse = true, .is = is_other_scipy, .look = refuse_format};
static const tsr_form single = {.array = true, .is = is_array};

static const tsr_form *const forms[] = {&csr,         &csc,        &bsr,  &coo,    &dia,
                                        &other_scipy, &pydata_coo, &gcxs, &single, NULL};

const tsr_dialect tsr_dialect_npz = {.name = "NumPy", .forms = forms};

/* ---- the codec ---- */

TSR_DIALECT_READS(npz, NULL)

/* Every ZIP archive; reading it shows whether it has arrays. */
static int npz_probe(const tsr_probe *probe)
{
    const bool zip =
        probe->n >= 4 && (memcmp(probe->head, "PK\3\4", 4) == 0 || memcmp(probe->head, "PK\5\6", 4) == 0);
    return zip ? 90 : tsr_dialect_tell_hdf5(NULL, probe) == &tsr_dialect_npz ? 100 : 0;
}

static const char *const suffixes[] = {".npz", NULL};

const tsr_codec tsr_codec_npz = {
    .name = "npz",
    .summary =
        "SciPy's save_npz (matrices), pydata/sparse's (tensors, fill values); file.npz:array is one array",
    .suffixes = suffixes,
    .has_groups = true,
    .knows_stored = true,
    .probe = npz_probe,
    .read = npz_read,
    .feed = npz_feed,
    .describe = tsr_dialect_describe_objects,
    .takes_tensor = tsr_npz_takes_tensor,
    .write_tensor = tsr_npz_write,
    .write_parts = tsr_npz_write_parts,
};
