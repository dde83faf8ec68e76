/* HDF5 arrays: checking their headers, reading and writing. See hdf5_io.h. */
#include "hdf5_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"
#include "byte_relay.h"

enum {
    FILTER_LZF = 32000,      /* h5py's */
    PIECE_NBYTES = 16 << 20, /* bytes that are read or written between two calls of the observer */
    WARM_NBYTES =
        256
        << 10, /* bytes that are read at once where the reader looks at them: they are still in the cache */
    LOADED_NBYTES = 2 << 20, /* the same where values are loaded piece by piece */
    CHUNK_NBYTES = 1 << 20,
    MAX_RATIO = 1032 /* the best ratio of deflate: 258 bytes from 2 bits; the other filters of HDF5 are not
                      * better on numbers that differ */
};

/* An open dataset and the information in its header. */
typedef struct dataset {
    hid_t id, plan; /* -1: none; plan: the creation properties */
    H5D_layout_t layout;
    uint64_t chunk_n; /* values per chunk of a chunked dataset */
    int nfilters;
    tsr_hdf5_chunks chunks;
} dataset;

static void dataset_clear(dataset *d)
{
    if (d->plan >= 0)
        H5Pclose(d->plan);
    if (d->id >= 0)
        H5Dclose(d->id);
    *d = (dataset){.id = -1, .plan = -1};
}

/* ---- headers ---- */

static const char *filter_name(H5Z_filter_t id)
{
    static const struct {
        H5Z_filter_t id;
        const char *name;
    } known[] = {
        {H5Z_FILTER_SHUFFLE, "shuffle"},
        {H5Z_FILTER_DEFLATE, "deflate"},
        {H5Z_FILTER_FLETCHER32, "fletcher32"},
        {H5Z_FILTER_SZIP, "szip"},
        {H5Z_FILTER_NBIT, "nbit"},
        {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
        {FILTER_LZF, "lzf"},
        {32001, "Blosc"},
        {32004, "LZ4"},
        {32015, "Zstandard"},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (known[k].id == id)
            return known[k].name;
    return "unknown filter";
}

/* Examine the filters of a dataset: shuffle, deflate or lzf, and fletcher32, each once and in this order. TSR_UNSUPPORTED: others, or
 * another order. (HDF5 has more filters; decoding them, it reads beyond the chunks of damaged files.) */
static tsr_status look_at_filters(dataset *d, tsr_hdf5 *h5, const char *name, size_t width, tsr_error *err)
{
    d->chunks = (tsr_hdf5_chunks){.shuffle_bit = -1, .deflate_bit = -1, .sum_bit = -1};
    d->nfilters = H5Pget_nfilters(d->plan);
    if (d->nfilters < 0)
        return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' has unreadable filters", name);
    tsr_hdf5_chunks *const c = &d->chunks;
    for (int i = 0; i < d->nfilters; i++) {
        unsigned flags, values[8];
        size_t nvalues = 8;
        const H5Z_filter_t id = H5Pget_filter2(d->plan, (unsigned)i, &flags, &nvalues, values, 0, NULL, NULL);
        c->lzf = c->lzf || id == FILTER_LZF;
        if (id == H5Z_FILTER_SHUFFLE && i == 0 && nvalues >= 1 && values[0] == width)
            c->shuffle_bit = i;
        else if ((id == H5Z_FILTER_DEFLATE || id == FILTER_LZF) && c->deflate_bit < 0 && c->sum_bit < 0)
            c->deflate_bit = i;
        else if (id == H5Z_FILTER_FLETCHER32 && c->sum_bit < 0)
            c->sum_bit = i;
        else
            return tsr_fail(
                err, TSR_UNSUPPORTED,
                "dataset '%s' is stored with filter %d (%s) at place %d, which is not supported: write it "
                "with gzip, and no other filter than shuffle before it",
                name, (int)id, filter_name(id), i + 1);
    }
    return TSR_OK;
}

/* Open a dataset by a hard link, and check that all of it is in this file. */
static tsr_status open_dataset(dataset *d, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    *d = (dataset){.id = -1, .plan = -1};
    tsr_hdf5_target target;
    TSR_TRY(tsr_hdf5_follow(&target, h5, h5->group, name, "dataset", err));
    if (!target.there)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' is missing", name);
    d->id = H5Dopen2(h5->group, name, H5P_DEFAULT);
    if (d->id >= 0)
        d->plan = H5Dget_create_plist(d->id);
    if (d->plan < 0)
        return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' cannot be opened", name);
    d->layout = H5Pget_layout(d->plan);
    if (d->layout == H5D_VIRTUAL || H5Pget_external_count(d->plan) != 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "dataset '%s' is stored in other files, which are not read: copy the data into this file", name);
    return TSR_OK;
}

/* TSR_CORRUPT where the stored bytes cannot hold the values that the header claims. */
static tsr_status look_at_storage(dataset *d, tsr_hdf5 *h5, const tsr_stored *array, size_t width,
                                  tsr_error *err)
{
    uint64_t need, chunk = 0, can;
    if (!tsr_mul_u64(&need, array->n, width))
        need = UINT64_MAX;
    if (d->layout == H5D_CHUNKED) {
        hsize_t dims[TSR_CONTAINER_MAX_DIMS];
        if (H5Pget_chunk(d->plan, TSR_CONTAINER_MAX_DIMS, dims) != array->ndims)
            return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' has unreadable chunks", array->name);
        d->chunk_n = 1;
        for (int m = 0; m < array->ndims; m++)
            d->chunk_n *= dims[m]; /* HDF5 has checked that a chunk is below 4 GiB */
        if (d->chunk_n == 0)
            return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has empty chunks", array->name);
        chunk = d->chunk_n * width;
    }
    uint64_t stored = array->n ? H5Dget_storage_size(d->id) : 0;
    if (stored > h5->device.nbytes && d->layout != H5D_COMPACT)
        stored = h5->device.nbytes;
    const bool packed = d->layout == H5D_CHUNKED && d->nfilters > 0; /* other layouts ignore filters */
    if (!tsr_mul_u64(&can, stored, packed ? MAX_RATIO : 1))
        can = UINT64_MAX;
    if (array->n && (need > can || chunk > can)) {
        char a[32], b[32];
        return tsr_fail(err, TSR_CORRUPT,
                        "dataset '%s' claims %" PRIu64
                        " values of %zu bytes%s%s, but its %s of storage cannot "
                        "hold them",
                        array->name, array->n, width, chunk > need ? " in chunks of " : "",
                        chunk > need ? tsr_bytes_text(a, chunk) : "", tsr_bytes_text(b, stored));
    }
    return TSR_OK;
}

/* The dims of a dataset, one unless it is looked at widely. */
static tsr_status look_at_dims(tsr_stored *array, tsr_hdf5 *h5, hid_t space, tsr_error *err)
{
    hsize_t dims[TSR_CONTAINER_MAX_DIMS] = {0};
    const H5S_class_t class = H5Sget_simple_extent_type(space);
    array->ndims = class == H5S_SCALAR ? 0 : H5Sget_simple_extent_ndims(space);
    const bool fits = array->wide ? class == H5S_SCALAR || class == H5S_SIMPLE : class == H5S_SIMPLE;
    if (!fits || (!array->wide && array->ndims != 1))
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has %d dimensions, but 1 is expected", array->name,
                        H5Sget_simple_extent_ndims(space));
    if (array->ndims > TSR_CONTAINER_MAX_DIMS)
        return tsr_fail(err, TSR_LIMIT, "dataset '%s' has %d dimensions; at most %d are supported",
                        array->name, array->ndims, TSR_CONTAINER_MAX_DIMS);
    if (array->ndims > 0 && H5Sget_simple_extent_dims(space, dims, NULL) != array->ndims)
        return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' has an unreadable size", array->name);
    array->n = 1;
    for (int m = 0; m < array->ndims; m++) {
        array->dims[m] = dims[m];
        if (!tsr_mul_u64(&array->n, array->n, dims[m]))
            return tsr_fail(err, TSR_CORRUPT, "dataset '%s' has more than 2^64 values", array->name);
    }
    return TSR_OK;
}

/* Open the dataset array->name and check its header. */
static tsr_status look_at_header(dataset *d, tsr_stored *array, tsr_hdf5 *h5, tsr_error *err)
{
    TSR_TRY(open_dataset(d, h5, array->name, err));
    tsr_status status = TSR_OK;
    const hid_t space = H5Dget_space(d->id), type = H5Dget_type(d->id);
    if (space < 0 || type < 0)
        status = tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' cannot be opened", array->name);
    if (status == TSR_OK)
        status = look_at_dims(array, h5, space, err);
    if (status == TSR_OK && !tsr_hdf5_value_type(array, type))
        status = tsr_fail(err, TSR_CORRUPT, "dataset '%s' must hold integers of 8 to 64 bits or IEEE floats",
                          array->name);
    if (status == TSR_OK)
        status = look_at_filters(d, h5, array->name, array->width, err);
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    return status;
}

/* Open the dataset array->name and do all checks of tsr_hdf5_look. */
static tsr_status look(dataset *d, tsr_stored *array, tsr_hdf5 *h5, tsr_error *err)
{
    TSR_TRY(look_at_header(d, array, h5, err));
    return look_at_storage(d, h5, array, array->width, err);
}

/* What is read at once of the dataset: see tsr_stored. */
static uint64_t chunk_of(const dataset *d, const tsr_stored *array)
{
    hsize_t dims[TSR_CONTAINER_MAX_DIMS] = {1};
    uint64_t n;
    if (array->ndims < 2)
        return d->layout == H5D_CHUNKED ? d->chunk_n : 0;
    if (d->layout == H5D_CHUNKED && H5Pget_chunk(d->plan, TSR_CONTAINER_MAX_DIMS, dims) != array->ndims)
        return 0;
    n = dims[0];
    for (int m = 1; m < array->ndims; m++)
        if (!tsr_mul_u64(&n, n, array->dims[m]))
            return 0;
    return n;
}

static tsr_status look_at_name(tsr_stored *out, bool wide, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    *out = (tsr_stored){.wide = wide};
    snprintf(out->name, sizeof out->name, "%s", name);
    dataset d;
    tsr_hdf5_lock();
    const tsr_status status = look(&d, out, h5, err);
    if (status == TSR_OK)
        out->chunk_n = chunk_of(&d, out);
    dataset_clear(&d);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_look(tsr_stored *out, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    return look_at_name(out, false, h5, name, err);
}

tsr_status tsr_hdf5_look_wide(tsr_stored *out, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    return look_at_name(out, true, h5, name, err);
}

/* The names of a dataset's filters, each with a comma before it. */
static void filter_text(char *text, size_t room, const dataset *d)
{
    for (int i = 0; i < d->nfilters; i++) {
        unsigned flags, values[8] = {0};
        size_t nvalues = 8, n = strlen(text);
        const H5Z_filter_t id = H5Pget_filter2(d->plan, (unsigned)i, &flags, &nvalues, values, 0, NULL, NULL);
        n += (size_t)snprintf(text + n, room - n, ", %s", filter_name(id));
        if (id == H5Z_FILTER_DEFLATE && nvalues >= 1 && n < room)
            snprintf(text + n, room - n, " %u", values[0]);
        if (n >= room)
            return;
    }
}

static tsr_status storage_text(char *text, const dataset *d, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    const size_t room = TSR_STORAGE_NBYTES;
    hsize_t dim[TSR_CONTAINER_MAX_DIMS] = {0};
    snprintf(text, room, "%s", d->layout == H5D_COMPACT ? "in the header" : "contiguous");
    if (d->layout != H5D_CHUNKED)
        return TSR_OK;
    const int ndims = H5Pget_chunk(d->plan, TSR_CONTAINER_MAX_DIMS, dim);
    if (ndims < 1 || ndims > TSR_CONTAINER_MAX_DIMS || dim[0] == 0)
        return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' has unreadable chunks", name);
    size_t n = (size_t)snprintf(text, room, "chunks of %" PRIu64, (uint64_t)dim[0]);
    for (int m = 1; m < ndims && n < room; m++)
        n += (size_t)snprintf(text + n, room - n, " x %" PRIu64, (uint64_t)dim[m]);
    filter_text(text, room, d);
    return TSR_OK;
}

static tsr_status glance_at_name(tsr_stored *out, bool wide, char *storage, tsr_hdf5 *h5, const char *name,
                                 tsr_error *err)
{
    *out = (tsr_stored){.wide = wide};
    snprintf(out->name, sizeof out->name, "%s", name);
    dataset d;
    tsr_hdf5_lock();
    tsr_status status = look_at_header(&d, out, h5, err);
    if (status == TSR_OK)
        status = storage_text(storage, &d, h5, name, err);
    dataset_clear(&d);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_glance(tsr_stored *out, char storage[TSR_STORAGE_NBYTES], tsr_hdf5 *h5, const char *name,
                           tsr_error *err)
{
    return glance_at_name(out, false, storage, h5, name, err);
}

tsr_status tsr_hdf5_glance_wide(tsr_stored *out, char storage[TSR_STORAGE_NBYTES], tsr_hdf5 *h5,
                                const char *name, tsr_error *err)
{
    return glance_at_name(out, true, storage, h5, name, err);
}

/* ---- reading and writing whole arrays in pieces ---- */

typedef struct transfer {
    tsr_hdf5 *h5;
    hid_t dataset;
    const tsr_stored *array;
    void *out; /* reading: value number `begin` */
    uint64_t begin;
    uint64_t place;           /* reading: where value 0 is in the file, as it is in memory; 0: HDF5 reads */
    const tsr_supply *supply; /* writing */
    const void *in;           /* writing: value number `begin` */
    tsr_job *job;             /* writing whose values are loaded */
} transfer;

/* Read the selected values in the type of the array. */
static bool read_selected(void *out, const transfer *t, hid_t memory, hid_t space)
{
    const hid_t stored = H5Dget_type(t->dataset), type = tsr_hdf5_new_memory_type(t->array, stored);
    const bool ok = type >= 0 && H5Dread(t->dataset, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Tclose(stored);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}

/* Where the values of a contiguous dataset are in the file, which holds them as memory does; 0: it does not. Under the lock. */
static uint64_t place_of(const dataset *d, const tsr_hdf5 *h5, const tsr_stored *array)
{
    if (d->layout != H5D_CONTIGUOUS || h5->device.writable)
        return 0;
    const hid_t type = H5Dget_type(d->id);
    const haddr_t at = tsr_hdf5_is_as_in_memory(type, array->type) ? H5Dget_offset(d->id) : HADDR_UNDEF;
    H5Tclose(type);
    return at == HADDR_UNDEF ? 0 : at;
}

/* Read values [first, first + n) from their place, and have those looked at that stand. */
static tsr_status read_placed(const transfer *t, uint64_t first, uint64_t n, const tsr_job *job,
                              tsr_error *err)
{
    const size_t width = tsr_type_nbytes(t->array->type);
    const uint64_t end = first + n, each = job && job->arrived ? WARM_NBYTES / width : n;
    for (uint64_t i = first; i < end;) {
        const uint64_t some = end - i < each ? end - i : each;
        unsigned char *const to = (unsigned char *)t->out + (i - t->begin) * width;
        if (!tsr_hdf5_device_read(&t->h5->device, to, t->place + i * width, (size_t)(some * width))) {
            tsr_hdf5_lock();
            const tsr_status status =
                tsr_hdf5_fail(t->h5, TSR_CORRUPT, err, "dataset '%s' cannot be read", t->array->name);
            tsr_hdf5_unlock();
            return status;
        }
        i += some;
        if (job && job->arrived)
            job->arrived(job->arrived_ctx, i);
    }
    return TSR_OK;
}

static bool write_selected(const void *in, const transfer *t, hid_t memory, hid_t space)
{
    const hid_t type = tsr_hdf5_new_type(t->array->type, false);
    const bool ok = type >= 0 && H5Dwrite(t->dataset, type, memory, space, H5P_DEFAULT, in) >= 0;
    if (type >= 0)
        H5Tclose(type);
    return ok && !t->h5->device.fault;
}

/* Read or write values [first, first + n), under the lock. */
static tsr_status transfer_piece(const transfer *t, uint64_t first, uint64_t n, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(t->array->type);
    hsize_t start[TSR_CONTAINER_MAX_DIMS] = {first}, count[TSR_CONTAINER_MAX_DIMS] = {n},
            dim[TSR_CONTAINER_MAX_DIMS] = {t->array->n};
    const hsize_t many = n;
    const size_t at = (size_t)(first - t->begin) * width;
    const int ndims = t->array->ndims > 1 ? t->array->ndims : 1;
    if (ndims > 1) { /* rows: all cells of places of the first dim */
        for (int m = 0; m < ndims; m++)
            dim[m] = count[m] = t->array->dims[m];
        start[0] = first / (t->array->n / dim[0]);
        count[0] = n / (t->array->n / dim[0]);
    }
    tsr_hdf5_lock();
    const hid_t space = H5Screate_simple(ndims, dim, NULL), memory = H5Screate_simple(1, &many, NULL);
    bool ok = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    if (ok && t->out)
        ok = read_selected((char *)t->out + at, t, memory, space);
    else if (ok)
        ok = write_selected((const char *)t->in + at, t, memory, space);
    const tsr_status status =
        ok ? TSR_OK
           : tsr_hdf5_fail(t->h5, t->out ? TSR_CORRUPT : TSR_IO, err, "dataset '%s' cannot be %s",
                           t->array->name, t->out ? "read" : "written");
    H5Sclose(memory);
    H5Sclose(space);
    tsr_hdf5_unlock();
    return status;
}

/* Values that are not numbers in a row: all at once. */
static tsr_status read_whole(const transfer *t, tsr_job *job, tsr_error *err)
{
    tsr_status status = TSR_OK;
    tsr_hdf5_lock();
    if (!read_selected(t->out, t, H5S_ALL, H5S_ALL))
        status = tsr_hdf5_fail(t->h5, TSR_CORRUPT, err, "dataset '%s' cannot be read", t->array->name);
    tsr_hdf5_unlock();
    return status == TSR_OK ? tsr_job_step(job, t->array->n * tsr_type_nbytes(t->array->type), err) : status;
}

static tsr_status transfer_all(const transfer *t, tsr_job *job, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(t->array->type);
    const uint64_t each = PIECE_NBYTES / width;
    for (uint64_t i = 0; i < t->array->n; i += each) {
        const uint64_t n = t->array->n - i < each ? t->array->n - i : each;
        TSR_TRY(t->place ? read_placed(t, i, n, job, err) : transfer_piece(t, i, n, err));
        TSR_TRY(tsr_job_step(job, n * width, err));
    }
    return TSR_OK;
}

/* Whether all chunks are stored, so that the fill value is not needed. */
static bool all_chunks_stored(const dataset *d, const tsr_stored *array)
{
    hsize_t nchunks = 0, chunk[TSR_CONTAINER_MAX_DIMS];
    uint64_t wanted = 1;
    if (H5Pget_chunk(d->plan, TSR_CONTAINER_MAX_DIMS, chunk) != array->ndims)
        return false;
    for (int m = 0; m < array->ndims; m++)
        wanted *= array->dims[m] / chunk[m] + (array->dims[m] % chunk[m] != 0);
    const hid_t space = H5Dget_space(d->id); /* HDF5 before 1.10.9 does not take H5S_ALL */
    const bool counted = space >= 0 && H5Dget_num_chunks(d->id, space, &nchunks) >= 0;
    if (space >= 0)
        H5Sclose(space);
    return counted && nchunks == wanted;
}

tsr_status tsr_hdf5_read(void *out, tsr_hdf5 *h5, const tsr_stored *array, tsr_job *job, tsr_error *err)
{
    dataset d;
    tsr_stored again = {.wide = array->wide};
    snprintf(again.name, sizeof again.name, "%s", array->name);
    if (array->n == 0)
        return TSR_OK;
    tsr_hdf5_lock();
    tsr_status status = look(&d, &again, h5, err);
    const bool plain = array->ndims == 1 && !array->boolean && tsr_type_class(array->type) != 'C';
    const bool chunked = status == TSR_OK && d.layout == H5D_CHUNKED;
    bool by_threads = false;
    if (chunked && plain) {
        const hid_t type = H5Dget_type(d.id);
        by_threads = tsr_hdf5_is_as_in_memory(type, array->type) && all_chunks_stored(&d, array);
        H5Tclose(type);
        d.chunks.width = tsr_type_nbytes(array->type);
    }
    d.chunks.n = d.chunk_n;
    const uint64_t place = status == TSR_OK && plain ? place_of(&d, h5, array) : 0;
    tsr_hdf5_unlock();
    if (status == TSR_OK && (again.n != array->n || again.type != array->type))
        status = tsr_fail(err, TSR_CORRUPT, "dataset '%s' changed while it was read", array->name);
    const transfer whole = {.h5 = h5, .dataset = d.id, .array = array, .out = out, .place = place};
    const tsr_hdf5_chunked from = {d.id, &again, &d.chunks};
    if (status == TSR_OK)
        status = by_threads ? tsr_hdf5_read_chunks(out, h5, &from, job, err)
                 : chunked  ? tsr_hdf5_read_grid(out, h5, &from, job, err)
                 : plain    ? transfer_all(&whole, job, err)
                            : read_whole(&whole, job, err);
    tsr_hdf5_lock();
    dataset_clear(&d);
    tsr_hdf5_unlock();
    return status;
}

/* ---- reading parts ---- */

/* The dataset that parts were read of last, which stays open, since most parts follow others of the same dataset. */
struct tsr_hdf5_part {
    dataset d;
    tsr_stored array;
    uint64_t place; /* see struct transfer */
    bool same;      /* numbers in a row, in chunks that hold them as memory does */
    uint64_t group_at;
};

void tsr_hdf5_end_parts(tsr_hdf5 *h5)
{
    if (h5->part)
        dataset_clear(&h5->part->d);
    tsr_free(h5->part);
    h5->part = NULL;
}

/* Open the dataset to read parts of it, under the lock. */
static tsr_status open_part(tsr_hdf5 *h5, const tsr_stored *array, tsr_error *err)
{
    tsr_hdf5_part *p = h5->part;
    if (p && p->group_at == h5->group_at && strcmp(p->array.name, array->name) == 0)
        return TSR_OK;
    tsr_hdf5_end_parts(h5);
    h5->part = p = tsr_calloc(1, sizeof *p);
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    p->array.wide = array->wide;
    p->group_at = h5->group_at;
    snprintf(p->array.name, sizeof p->array.name, "%s", array->name);
    TSR_TRY(look_at_header(&p->d, &p->array, h5, err));
    if (p->array.n != array->n || p->array.type != array->type)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s' changed while it was read", array->name);
    p->d.chunks.n = p->d.chunk_n = array->chunk_n;
    for (int m = 1; m < array->ndims && p->d.layout == H5D_CHUNKED; m++) { /* from the strip to the chunk */
        hsize_t chunk[TSR_CONTAINER_MAX_DIMS];
        if (H5Pget_chunk(p->d.plan, TSR_CONTAINER_MAX_DIMS, chunk) != array->ndims || array->dims[m] == 0)
            return tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' has unreadable chunks", array->name);
        p->d.chunks.n = p->d.chunk_n = p->d.chunk_n / array->dims[m] * chunk[m];
    }
    if (p->d.layout == H5D_CHUNKED && (array->chunk_n == 0 || !all_chunks_stored(&p->d, &p->array)))
        return tsr_fail(err, TSR_UNSUPPORTED, "dataset '%s' lacks chunks: it is read only as a whole",
                        array->name);
    const bool plain = array->ndims <= 1 && !array->boolean && tsr_type_class(array->type) != 'C';
    p->place = plain ? place_of(&p->d, h5, array) : 0;
    const hid_t type = H5Dget_type(p->d.id);
    p->same = plain && array->ndims == 1 && p->d.layout == H5D_CHUNKED &&
              tsr_hdf5_is_as_in_memory(type, array->type);
    H5Tclose(type);
    p->d.chunks.width = tsr_type_nbytes(array->type);
    return TSR_OK;
}

static tsr_status begin_part(tsr_hdf5 *h5, const tsr_stored *array, tsr_error *err)
{
    tsr_hdf5_lock();
    const tsr_status status = open_part(h5, array, err);
    if (status != TSR_OK)
        tsr_hdf5_end_parts(h5);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_read_ranges(void *out, tsr_hdf5 *h5, const tsr_stored *array, const tsr_ranges *ranges,
                                tsr_job *job, tsr_error *err)
{
    const size_t width = tsr_type_nbytes(array->type);
    TSR_TRY(begin_part(h5, array, err));
    const tsr_hdf5_chunked from = {h5->part->d.id, &h5->part->array, &h5->part->d.chunks};
    if (h5->part->same)
        return tsr_hdf5_read_chunk_ranges(out, h5, &from, ranges, job, err);
    for (uint64_t k = 0, hinted = 0; k < ranges->n && h5->part->place; k++) {
        const uint64_t at = h5->part->place + ranges->range[k].first * width,
                       end = at + ranges->range[k].n * width;
        if (end > hinted)
            tsr_hdf5_device_soon(&h5->device, at, end - at);
        hinted = (end | (TSR_HDF5_NEAR_NBYTES - 1)) + 1; /* the system fetches whole pages */
    }
    return tsr_fail(err, TSR_UNSUPPORTED, "the ranges are read one by one");
}

tsr_status tsr_hdf5_read_part(void *out, tsr_hdf5 *h5, const tsr_stored *array, uint64_t first, uint64_t n,
                              tsr_error *err)
{
    if (n == 0)
        return TSR_OK;
    TSR_TRY(begin_part(h5, array, err));
    const dataset *const d = &h5->part->d;
    const transfer part = {.h5 = h5,
                           .dataset = d->id,
                           .array = array,
                           .out = out,
                           .begin = first,
                           .place = first < array->n && n <= array->n - first ? h5->part->place : 0};
    const tsr_hdf5_chunked from = {d->id, &h5->part->array, &d->chunks};
    const uint64_t width = tsr_type_nbytes(array->type), left = array->n - first - n;
    if (part.place &&
        n * width >= 4 * WARM_NBYTES) /* large parts follow each other: have the next one fetched */
        tsr_hdf5_device_soon(&h5->device, part.place + (first + n) * width, (n < left ? n : left) * width);
    return d->layout == H5D_CHUNKED ? tsr_hdf5_read_grid_part(out, h5, &from, first, n, err)
           : part.place             ? read_placed(&part, first, n, NULL, err)
                                    : transfer_piece(&part, first, n, err);
}

/* ---- texts ---- */

/* Read texts of fixed length, or the references to texts of variable length, `width` bytes each, without HDF5's own conversion. */
static tsr_status read_references(void *out, tsr_hdf5 *h5, const dataset *d, const tsr_stored *array,
                                  tsr_job *job, tsr_error *err)
{
    tsr_hdf5_chunks chunks = d->chunks;
    tsr_hdf5_lock();
    const uint64_t at = d->layout == H5D_CONTIGUOUS ? H5Dget_offset(d->id) : 0;
    const bool whole = d->layout == H5D_CHUNKED && all_chunks_stored(d, array);
    tsr_hdf5_unlock();
    if (whole) {
        chunks.n = d->chunk_n;
        chunks.width = array->width;
        const tsr_hdf5_chunked from = {d->id, array, &chunks};
        return tsr_hdf5_read_chunks(out, h5, &from, job, err);
    }
    if (d->layout != H5D_CONTIGUOUS)
        return tsr_fail(err, TSR_UNSUPPORTED, "dataset '%s' stores texts in a way that is not supported",
                        array->name);
    return tsr_hdf5_device_read(&h5->device, out, at, array->n * array->width)
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "damaged file: dataset '%s' ends after the file", array->name);
}

/* Check a dataset of texts. *variable: they have any length, and the dataset has references to them. */
static tsr_status look_at_texts(dataset *d, tsr_stored *array, bool *variable, hid_t *type, tsr_hdf5 *h5,
                                tsr_error *err)
{
    TSR_TRY(open_dataset(d, h5, array->name, err));
    const hid_t space = H5Dget_space(d->id);
    *type = H5Dget_type(d->id);
    *variable = *type >= 0 && H5Tis_variable_str(*type) > 0;
    tsr_status status = space < 0 || *type < 0 ? tsr_hdf5_fail(h5, TSR_CORRUPT, err,
                                                               "dataset '%s' cannot be opened", array->name)
                                               : look_at_dims(array, h5, space, err);
    if (status == TSR_OK && (H5Tget_class(*type) != H5T_STRING || array->ndims > 1))
        status = tsr_fail(err, TSR_CORRUPT, "dataset '%s' must hold texts", array->name);
    array->width = *variable ? 4 + h5->offset_size + 4 : status == TSR_OK ? H5Tget_size(*type) : 1;
    if (status == TSR_OK)
        status = look_at_filters(d, h5, array->name, array->width, err);
    if (status == TSR_OK)
        status = look_at_storage(d, h5, array, array->width, err);
    if (space >= 0)
        H5Sclose(space);
    return status;
}

/* Read fixed-length texts, or references, to `raw`; HDF5 converts nothing. */
static tsr_status read_raw_texts(tsr_array *raw, bool *variable, tsr_hdf5 *h5, tsr_stored *array,
                                 tsr_job *job, tsr_error *err)
{
    dataset d;
    hid_t type = -1;
    tsr_hdf5_lock();
    tsr_status status = look_at_texts(&d, array, variable, &type, h5, err);
    tsr_hdf5_unlock();
    if (status == TSR_OK)
        status = tsr_array_init(raw, array->n, array->width, 0, array->name, err);
    const bool whole = *variable || d.layout == H5D_CHUNKED;
    if (status == TSR_OK && whole && array->n > 0)
        status = read_references(raw->data, h5, &d, array, job, err);
    tsr_hdf5_lock();
    if (status == TSR_OK && !whole && array->n > 0 &&
        H5Dread(d.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw->data) < 0)
        status = tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' cannot be read", array->name);
    if (type >= 0)
        H5Tclose(type);
    dataset_clear(&d);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_read_names(tsr_names *out, tsr_hdf5 *h5, const char *name, tsr_error *err)
{
    tsr_stored array = {.wide = true};
    tsr_job job = {.nthreads = 1};
    tsr_array raw = {0};
    bool variable = false;
    snprintf(array.name, sizeof array.name, "%s", name);
    tsr_status status = read_raw_texts(&raw, &variable, h5, &array, &job, err);
    if (status == TSR_OK && variable)
        status = tsr_hdf5_take_references(out, h5, &raw, err);
    for (uint64_t i = 0; i < array.n && status == TSR_OK && !variable; i++) {
        const char *const text = (const char *)raw.data + i * array.width;
        size_t n = array.width;
        while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\0'))
            n--;
        status = tsr_names_add(out, text, n, err);
    }
    tsr_array_clear(&raw);
    if (status != TSR_OK)
        tsr_names_clear(out);
    return status;
}

/* The creation properties of a new dataset; chunks->n is 0 where the dataset is contiguous. -1: HDF5
 * failed. */
static hid_t new_plan(tsr_hdf5_chunks *chunks, const tsr_stored *array, int deflate)
{
    const size_t width = tsr_type_nbytes(array->type);
    *chunks = (tsr_hdf5_chunks){
        .width = width, .shuffle_bit = -1, .deflate_bit = -1, .sum_bit = -1, .level = deflate};
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    bool ok = plan >= 0 && H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) >= 0 &&
              H5Pset_obj_track_times(plan, false) >= 0;
    if (deflate > 0 && array->n > 0) {
        const uint64_t most = array->chunk_n ? array->chunk_n : CHUNK_NBYTES / width;
        const hsize_t n = array->n < most ? array->n : most;
        ok = ok && H5Pset_chunk(plan, 1, &n) >= 0;
        int bit = 0;
        if (width > 1) {
            ok = ok && H5Pset_shuffle(plan) >= 0;
            chunks->shuffle_bit = bit++;
        }
        ok = ok && H5Pset_deflate(plan, (unsigned)deflate) >= 0;
        chunks->deflate_bit = bit;
        chunks->n = n;
    }
    if (ok)
        return plan;
    if (plan >= 0)
        H5Pclose(plan);
    return -1;
}

/* Have the place of the dataset in the file decided, by writing a value, and tell it. */
static tsr_status place_contiguous(const transfer *t, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    const transfer one = {.h5 = t->h5, .dataset = t->dataset, .array = t->array, .in = zero};
    TSR_TRY(transfer_piece(&one, 0, 1, err));
    tsr_hdf5_lock();
    const haddr_t offset = H5Dget_offset(t->dataset);
    tsr_hdf5_unlock();
    if (offset == HADDR_UNDEF)
        return tsr_fail(err, TSR_IO, "dataset '%s' has no place in the file", t->array->name);
    return t->supply->place(t->supply->ctx, offset, err);
}

static tsr_status load_some(void *room, void *ctx, uint64_t first, uint64_t n, tsr_error *err)
{
    const transfer *const t = ctx;
    return t->supply->load(room, t->supply->ctx, first, n, err);
}

static tsr_status write_some(void *ctx, const void *data, uint64_t first, uint64_t n, tsr_error *err)
{
    transfer piece = *(const transfer *)ctx;
    piece.in = data;
    piece.begin = first;
    TSR_TRY(transfer_piece(&piece, first, n, err));
    return tsr_job_step(piece.job, n * tsr_type_nbytes(piece.array->type), err);
}

/* Write all values to a contiguous dataset. */
static tsr_status write_contiguous(tsr_hdf5 *h5, hid_t id, const tsr_stored *array, const tsr_supply *supply,
                                   tsr_job *job, tsr_error *err)
{
    transfer whole = {
        .h5 = h5, .dataset = id, .array = array, .supply = supply, .in = supply->data, .job = job};
    const size_t width = tsr_type_nbytes(array->type);
    if (supply->place)
        return array->n > 0 ? place_contiguous(&whole, err) : TSR_OK;
    if (supply->data)
        return transfer_all(&whole, job, err);
    const tsr_relay relay = {.total = array->n,
                             .step = LOADED_NBYTES / width,
                             .unit_nbytes = width,
                             .nthreads = supply->any_thread ? job->nthreads : 1,
                             .ctx = &whole,
                             .load = load_some,
                             .take = write_some};
    return tsr_relay_run(&relay, err);
}

tsr_status tsr_hdf5_write(tsr_hdf5 *h5, const tsr_stored *array, const void *values, int deflate,
                          tsr_job *job, tsr_error *err)
{
    const tsr_supply supply = {.data = values};
    return tsr_hdf5_write_from(h5, array, &supply, deflate, job, err);
}

tsr_status tsr_hdf5_write_from(tsr_hdf5 *h5, const tsr_stored *array, const tsr_supply *supply, int deflate,
                               tsr_job *job, tsr_error *err)
{
    tsr_status status = TSR_OK;
    tsr_hdf5_chunks chunks;
    const hsize_t dim = array->n;
    hid_t id = -1;
    tsr_hdf5_lock();
    const hid_t plan = new_plan(&chunks, array, deflate), space = H5Screate_simple(1, &dim, NULL);
    const hid_t type = tsr_hdf5_new_type(array->type, true);
    if (plan >= 0 && space >= 0 && type >= 0)
        id = H5Dcreate2(h5->group, array->name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (id < 0 || h5->device.fault)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "dataset '%s' cannot be created", array->name);
    if (space >= 0)
        H5Sclose(space);
    if (plan >= 0)
        H5Pclose(plan);
    if (type >= 0)
        H5Tclose(type);
    tsr_hdf5_unlock();
    if (status == TSR_OK)
        status = chunks.n
                     ? tsr_hdf5_write_chunks(h5, &(tsr_hdf5_chunked){id, array, &chunks}, supply, job, err)
                     : write_contiguous(h5, id, array, supply, job, err);
    tsr_hdf5_lock();
    if (id >= 0 && H5Dclose(id) < 0 && status == TSR_OK)
        status = tsr_hdf5_fail(h5, TSR_IO, err, "dataset '%s' cannot be written", array->name);
    tsr_hdf5_unlock();
    return status;
}
