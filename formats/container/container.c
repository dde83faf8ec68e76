/* The kinds of containers, and which of them a file is: see container.h. */
#include "container.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "tsr_alloc.h"

const tsr_container_type *const tsr_container_types[] = {
#define X(name) &tsr_container_##name,
    TSR_CONTAINERS(X)
#undef X
        NULL};

/* The first kind that claims the path; the last kind claims all. */
static const tsr_container_type *kind_of(const char *path, bool is_there)
{
    const tsr_container_type *const *type = tsr_container_types;
    while (type[1] && !(is_there && (*type)->claims(path)) && !(!is_there && (*type)->claims_name(path)))
        type++;
    return *type;
}

tsr_status tsr_container_open(tsr_container **out, const char *file, tsr_error *err)
{
    *out = NULL;
    return kind_of(file, true)->open(out, file, err);
}

tsr_status tsr_container_open_object(tsr_container **out, char **file, const char **object, const char *path,
                                     tsr_error *err)
{
    *out = NULL;
    *file = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read this kind of file from standard input: give a file");
    *file = tsr_path_split(object, path);
    return *file ? tsr_container_open(out, *file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
}

tsr_status tsr_container_write(const char *path, const tsr_filling *what, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const char *object;
    char *const file = tsr_path_split(&object, path);
    if (!file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    const tsr_container_type *const type = kind_of(file, false);
    tsr_free(file);
    if (options && options->chunk_slices && !type->cuts)
        return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                           "--chunks cuts arrays of HDF5 and Zarr: leave it out");
    const tsr_status status = type->write(path, what, options ? options : &none, nbytes, err);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

tsr_status tsr_container_read_all(tsr_container *c, const tsr_wanted *arrays, int n, tsr_job *job,
                                  tsr_error *err)
{
    if (c->type->read_all)
        return c->type->read_all(c, arrays, n, job, err);
    for (int i = 0; i < n; i++)
        TSR_TRY(tsr_container_read(arrays[i].out, c, arrays[i].array, job, err));
    return TSR_OK;
}

uint64_t tsr_container_chunk(const tsr_write_options *options, uint64_t n, uint64_t nslices)
{
    const uint64_t most = 1 << 22; /* elements: larger chunks are not read in parts */
    if (!options || options->chunk_slices == 0 || n == 0 || nslices == 0)
        return 0;
    const double each = (double)n / (double)nslices * (double)options->chunk_slices;
    const uint64_t chunk = each < 1 ? 1 : each > (double)most ? most : (uint64_t)each;
    return chunk < n ? chunk : n;
}

tsr_status tsr_job_step(tsr_job *job, uint64_t nbytes, tsr_error *err)
{
    enum { STEP_NS = 100000000 }; /* at most 10 reports per second */
    job->done += nbytes;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const int64_t now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    if (job->last_ns && now - job->last_ns < STEP_NS && job->done < job->total)
        return TSR_OK;
    job->last_ns = now;
    return tsr_progress(job->observer, job->phase, job->done, job->total, err);
}

/* ---- ranges ---- */

enum {
    GROUP_NBYTES = 8 << 20, /* decoded at once; a single range goes straight to its place */
    NEAR_NBYTES = 4096      /* of an array in one piece: what lies so near is read with it */
};

bool tsr_container_has_ranges(const tsr_container *c, const tsr_stored *array)
{
    const char class = tsr_type_class(array->type);
    return c->type->read_part && array->ndims == 1 && !array->boolean && !array->packed && class != 'C' &&
           array->width == tsr_type_nbytes(array->type);
}

/* The ranges from k on that are read together, and where they end: neighbours, and those that begin in the last chunk of the ranges
 * before them, or, in an array in one piece, in the same few bytes. */
static uint64_t group_end(uint64_t *stop, const tsr_ranges *all, uint64_t k, const tsr_stored *array)
{
    const tsr_range *const ranges = all->range;
    const uint64_t first = ranges[k].first, most = GROUP_NBYTES / tsr_type_nbytes(array->type);
    const uint64_t each = array->chunk_n ? array->chunk_n : NEAR_NBYTES / tsr_type_nbytes(array->type);
    *stop = first + ranges[k].n;
    for (k++; k < all->n; k++) {
        const uint64_t last = *stop > first ? (*stop - 1) / each : first / each;
        if (ranges[k].first / each > last + (ranges[k].first == *stop) ||
            ranges[k].first + ranges[k].n - first > most)
            break;
        *stop = ranges[k].first + ranges[k].n;
    }
    return k;
}

tsr_status tsr_container_read_ranges(void *out, tsr_container *c, const tsr_stored *array,
                                     const tsr_ranges *all, tsr_job *job, tsr_error *err)
{
    const tsr_range *const ranges = all->range;
    const size_t width = tsr_type_nbytes(array->type);
    unsigned char *to = out;
    void *room = NULL;
    tsr_status status = TSR_UNSUPPORTED;
    tsr_error why = {0};
    for (uint64_t k = 0; k < all->n; k++)
        if (ranges[k].first > array->n || ranges[k].n > array->n - ranges[k].first)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' has %" PRIu64 " values, not %" PRIu64, array->name,
                            array->n, ranges[k].first + ranges[k].n);
    if (c->type->read_ranges)
        status = c->type->read_ranges(out, c, array, all, job, &why);
    if (status != TSR_UNSUPPORTED)
        return status == TSR_OK ? TSR_OK : tsr_fail_as(err, &why);
    status = TSR_OK;
    for (uint64_t k = 0, end, stop; k < all->n && status == TSR_OK; k = end) {
        end = group_end(&stop, all, k, array);
        const uint64_t first = ranges[k].first;
        unsigned char *const begin = to;
        uint64_t n = 0;
        bool direct = true; /* no gap, no overlap */
        for (uint64_t i = k; i < end; i++) {
            direct = direct && ranges[i].first == first + n;
            n += ranges[i].n;
        }
        if (!direct && !room)
            status = tsr_alloc_array(&room, GROUP_NBYTES, 1, 0, "a part of an array", err);
        if (status == TSR_OK && n > 0)
            status = tsr_container_read_part(direct ? to : room, c, array, first, stop - first, err);
        for (uint64_t i = k; i < end && status == TSR_OK && !direct; i++) {
            memcpy(to, (char *)room + (ranges[i].first - first) * width, ranges[i].n * width);
            to += ranges[i].n * width;
        }
        to = begin + n * width;
        if (status == TSR_OK)
            status = tsr_job_step(job, n * width, err);
    }
    tsr_free(room);
    return status;
}

void tsr_container_free(tsr_container *c)
{
    if (c)
        c->type->free(c);
}

tsr_status tsr_container_find_groups(tsr_text *paths, tsr_container *c, const char *attribute, tsr_error *err)
{
    enum { MAX_NAMED = 8 };
    tsr_text found = {0};
    bool more;
    tsr_status status = tsr_container_list_groups(&found, &more, c, attribute, err);
    int n = 0;
    for (size_t at = 0; status == TSR_OK && at < found.nbytes && n < MAX_NAMED; n++) {
        tsr_text_addf(paths, "%s%s", n ? ", " : "", found.s + at);
        at += strlen(found.s + at) + 1;
    }
    tsr_text_clear(&found);
    return status == TSR_OK ? tsr_text_status(paths, err) : status;
}
