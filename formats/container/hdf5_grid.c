/* Datasets in chunks that hdf5_chunk.c does not read: of several dimensions, of values to convert, with chunks that are not stored. HDF5
 * itself decodes no chunk: it does not check that a chunk makes the bytes that its values take, and reads beyond them.
 * And h5py's filter lzf, which HDF5 does not have. */
#include "hdf5_internal.h"

#include <libdeflate.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

bool tsr_hdf5_expand_lzf(unsigned char *out, size_t n, const unsigned char *in, size_t nstored)
{
    size_t to = 0, from = 0;
    while (from < nstored) {
        const unsigned control = in[from++];
        if (control < 32) {
            const size_t run = control + 1;
            if (run > nstored - from || run > n - to)
                return false;
            memcpy(out + to, in + from, run);
            to += run;
            from += run;
            continue;
        }
        size_t length = (control >> 5) + 2;
        if (control >> 5 == 7) {
            if (from == nstored)
                return false;
            length += in[from++];
        }
        if (from == nstored)
            return false;
        const size_t back = ((size_t)(control & 31) << 8 | in[from++]) + 1;
        if (back > to || length > n - to)
            return false;
        for (size_t i = 0; i < length; i++, to++) /* may overlap */
            out[to] = out[to - back];
    }
    return to == n;
}

/* A dataset in chunks of any number of dimensions that are decoded one after the other. */
typedef struct grid {
    const tsr_hdf5_chunked *from;
    int ndims;
    hsize_t chunk[TSR_CONTAINER_MAX_DIMS]; /* the size of a chunk in each dimension */
    hsize_t at[TSR_CONTAINER_MAX_DIMS];    /* the first cell of the current chunk */
    hid_t stored, memory;                  /* types of a value, in the file and in `out` */
    size_t width;                          /* bytes of a value in `out` */
    size_t slot;                           /* the larger of both widths */
    bool same;                             /* values are in the file as in memory */
    unsigned char fill[TSR_MAX_VALUE_NBYTES];
    unsigned char *cells;    /* the cells of a chunk, `slot` bytes each */
    unsigned char *shuffled; /* the same before shuffle is undone */
    tsr_hdf5_stored raw;
    struct libdeflate_decompressor *z;
    uint64_t nfound; /* chunks that were found so far */
    uint64_t skip;   /* the cells of the array before those of the result */
} grid;

static tsr_status open_grid(grid *g, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, tsr_error *err)
{
    const tsr_stored *const array = from->array;
    *g = (grid){
        .from = from, .ndims = array->ndims, .width = tsr_type_nbytes(array->type), .raw.optional = true};
    g->slot = g->width > array->width ? g->width : array->width;
    tsr_hdf5_lock();
    g->stored = H5Dget_type(from->dataset);
    g->memory = g->stored >= 0 ? tsr_hdf5_new_memory_type(array, g->stored) : -1;
    g->same = g->memory >= 0 && g->width == array->width && H5Tequal(g->stored, g->memory) > 0;
    const hid_t plan = H5Dget_create_plist(from->dataset);
    const bool ok = g->memory >= 0 && plan >= 0 &&
                    H5Pget_chunk(plan, TSR_CONTAINER_MAX_DIMS, g->chunk) == g->ndims &&
                    H5Pget_fill_value(plan, g->memory, g->fill) >= 0;
    if (plan >= 0)
        H5Pclose(plan);
    const tsr_status status =
        ok ? TSR_OK : tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' cannot be opened", array->name);
    tsr_hdf5_unlock();
    TSR_TRY(status);
    void *cells = NULL, *shuffled = NULL;
    TSR_TRY(tsr_alloc_array(&cells, from->chunks->n, g->slot, 0, "a chunk", err));
    g->cells = cells;
    TSR_TRY(tsr_alloc_array(&shuffled, from->chunks->n, array->width, 0, "a chunk", err));
    g->shuffled = shuffled;
    g->z = libdeflate_alloc_decompressor();
    return g->z ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory: inflating dataset '%s'", array->name);
}

static void close_grid(grid *g)
{
    tsr_hdf5_lock();
    if (g->stored >= 0)
        H5Tclose(g->stored);
    if (g->memory >= 0)
        H5Tclose(g->memory);
    tsr_hdf5_unlock();
    tsr_free(g->cells);
    tsr_free(g->shuffled);
    tsr_free(g->raw.bytes);
    libdeflate_free_decompressor(g->z);
}

/* Undo the filters of the chunk that was fetched: its values, as they are stored, to `cells`. */
static tsr_status decode(grid *g, tsr_error *err)
{
    const tsr_hdf5_chunks *const chunks = g->from->chunks;
    const size_t width = g->from->array->width, n = (size_t)chunks->n;
    const bool shuffled = chunks->shuffle_bit >= 0 && !(g->raw.mask >> chunks->shuffle_bit & 1);
    unsigned char *const to = shuffled ? g->shuffled : g->cells;
    const unsigned char *const plain = tsr_hdf5_expand(to, n * width, &g->raw, chunks, g->z);
    if (!plain)
        return tsr_fail(err, TSR_CORRUPT, "dataset '%s': a chunk of %zu bytes does not make %zu bytes",
                        g->from->array->name, g->raw.nbytes, n * width);
    if (plain != to && !shuffled)
        memcpy(to, plain, n * width);
    for (size_t b = 0; b < width && shuffled; b++)
        for (size_t i = 0; i < n; i++)
            g->cells[i * width + b] = plain[b * n + i];
    return TSR_OK;
}

/* Fetch the current chunk and undo its filters: its values, as they are stored, to `cells`. *found false: it is not stored. */
static tsr_status fetch(bool *found, grid *g, tsr_hdf5 *h5, tsr_error *err)
{
    const tsr_hdf5_chunked *const from = g->from;
    if (!tsr_hdf5_is_plain(from->chunks)) {
        TSR_TRY(tsr_hdf5_fetch_chunk(&g->raw, h5, from, g->at, err));
        *found = g->raw.nbytes > 0;
        return *found ? decode(g, err) : TSR_OK;
    }
    tsr_hdf5_stored place = {.bytes = g->cells,
                             .lent = true,
                             .capacity = from->chunks->n * from->array->width,
                             .optional = g->raw.optional};
    TSR_TRY(tsr_hdf5_fetch_chunk(&place, h5, from, g->at, err));
    *found = place.nbytes > 0;
    return !*found || place.nbytes == place.capacity
               ? TSR_OK
               : tsr_fail(err, TSR_CORRUPT, "dataset '%s': a chunk of %zu bytes does not make %zu bytes",
                          from->array->name, place.nbytes, place.capacity);
}

/* Convert the values of the current chunk to the type in memory. */
static tsr_status load_chunk(grid *g, tsr_hdf5 *h5, tsr_error *err)
{
    bool found;
    TSR_TRY(fetch(&found, g, h5, err));
    if (!found) {
        for (uint64_t i = 0; i < g->from->chunks->n; i++)
            memcpy(g->cells + i * g->width, g->fill, g->width);
        return TSR_OK;
    }
    g->nfound++;
    if (g->same)
        return TSR_OK;
    tsr_hdf5_lock();
    const bool ok =
        H5Tconvert(g->stored, g->memory, (size_t)g->from->chunks->n, g->cells, NULL, H5P_DEFAULT) >= 0;
    const tsr_status status =
        ok ? TSR_OK
           : tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s' cannot be converted", g->from->array->name);
    tsr_hdf5_unlock();
    return status;
}

/* Go to the next place in row-major order, in steps, where only the first n dimensions change; false at the end. */
static bool next_place(hsize_t *at, const hsize_t *step, const uint64_t *end, int n)
{
    for (int m = n - 1; m >= 0; m--) {
        at[m] += step ? step[m] : 1;
        if (at[m] < end[m])
            return true;
        at[m] = 0;
    }
    return false;
}

/* Copy the cells of the chunk that lie in the array to their places, a run of the last dimension at a time. */
static void place_chunk(unsigned char *out, const grid *g)
{
    const int last = g->ndims - 1;
    const uint64_t *const dims = g->from->array->dims;
    uint64_t size[TSR_CONTAINER_MAX_DIMS]; /* of the part in the array */
    hsize_t in[TSR_CONTAINER_MAX_DIMS] = {0};
    for (int m = 0; m <= last; m++)
        size[m] = dims[m] - g->at[m] < g->chunk[m] ? dims[m] - g->at[m] : g->chunk[m];
    do {
        uint64_t from = 0, to = 0;
        for (int m = 0; m <= last; m++) {
            from = from * g->chunk[m] + in[m];
            to = to * dims[m] + g->at[m] + in[m];
        }
        memcpy(out + (to - g->skip) * g->width, g->cells + from * g->width, size[last] * g->width);
    } while (next_place(in, NULL, size, last));
}

/* TSR_CORRUPT where a chunk was not found that the dataset has. */
static tsr_status check_count(const grid *g, tsr_hdf5 *h5, tsr_error *err)
{
    hsize_t nstored = 0;
    tsr_hdf5_lock();
    const hid_t space = H5Dget_space(g->from->dataset); /* HDF5 before 1.10.9 does not take H5S_ALL */
    const bool same =
        space >= 0 && H5Dget_num_chunks(g->from->dataset, space, &nstored) >= 0 && nstored == g->nfound;
    if (space >= 0)
        H5Sclose(space);
    const tsr_status status =
        same ? TSR_OK
             : tsr_hdf5_fail(h5, TSR_CORRUPT, err, "dataset '%s': chunks cannot be found",
                             g->from->array->name);
    tsr_hdf5_unlock();
    return status;
}

tsr_status tsr_hdf5_read_grid(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, tsr_job *job,
                              tsr_error *err)
{
    grid g;
    uint64_t done = 0, total = from->array->n * tsr_type_nbytes(from->array->type);
    tsr_status status = open_grid(&g, h5, from, err);
    while (status == TSR_OK) {
        status = load_chunk(&g, h5, err);
        if (status != TSR_OK)
            break;
        place_chunk(out, &g);
        const uint64_t step = from->chunks->n * g.width;
        const uint64_t more = total - done < step ? total - done : step;
        done += more;
        status = tsr_job_step(job, more, err);
        if (!next_place(g.at, g.chunk, from->array->dims, g.ndims))
            break;
    }
    if (status == TSR_OK)
        status = check_count(&g, h5, err);
    if (status == TSR_OK)
        status = tsr_job_step(job, total - done, err);
    close_grid(&g);
    return status;
}

/* The chunks of strips, one after the other. */
static tsr_status read_strips(unsigned char *out, grid *g, tsr_hdf5 *h5, uint64_t n, tsr_error *err)
{
    const tsr_stored *const array = g->from->array;
    const uint64_t row = array->n / array->dims[0];
    uint64_t end[TSR_CONTAINER_MAX_DIMS];
    memcpy(end, array->dims, sizeof end);
    end[0] = (g->skip + n) / row;
    g->at[0] = g->skip / row;
    if (g->at[0] % g->chunk[0] != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "dataset '%s' is read in strips only", array->name);
    do {
        TSR_TRY(load_chunk(g, h5, err));
        place_chunk(out, g);
    } while (next_place(g->at, g->chunk, end, g->ndims));
    return TSR_OK;
}

tsr_status tsr_hdf5_read_grid_part(void *out, tsr_hdf5 *h5, const tsr_hdf5_chunked *from, uint64_t first,
                                   uint64_t n, tsr_error *err)
{
    grid g;
    const uint64_t end = first + n, each = from->chunks->n;
    unsigned char *to = out;
    tsr_status status = open_grid(&g, h5, from, err);
    g.raw.optional = false;
    if (status == TSR_OK && g.ndims > 1) {
        g.skip = first;
        status = read_strips(out, &g, h5, n, err);
        first = end;
    }
    while (status == TSR_OK && first < end) {
        const uint64_t at = first % each, step = end - first < each - at ? end - first : each - at;
        unsigned char *const cells = g.cells;
        const bool direct = g.same && step == each; /* all of the chunk is wanted */
        g.at[0] = first - at;
        g.cells = direct ? to : cells;
        status = load_chunk(&g, h5, err);
        g.cells = cells;
        if (status == TSR_OK && !direct)
            memcpy(to, cells + at * g.width, step * g.width);
        to += step * g.width;
        first += step;
    }
    close_grid(&g);
    return status;
}
