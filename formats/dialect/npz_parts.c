/* Reading the arrays of .npz piece by piece: see array_parts.h. A member is a stream: what is asked for again is its last
 * element, or the beginning. The checksum of a member that was read to its end is checked. */
#include "npz_internal.h"

#include <string.h>

#include "array_parts.h"
#include "tsr_parallel.h"

enum { STEP_NBYTES = 1 << 16 };

/* One array. */
typedef struct stream {
    const tsr_npz_part *part;
    uint64_t base; /* the elements of the member before those of the array: a row of `coords` */
    bool open;
    tsr_bytes bytes;
    uint64_t next;                            /* the element that the bytes go on with */
    unsigned char last[TSR_MAX_VALUE_NBYTES]; /* element next - 1, if next > 0 */
} stream;

typedef struct npz_parts {
    tsr_npz npz;      /* owned */
    bool only_stored; /* compressed members are refused */
    stream streams[TSR_PART_ARRAYS];
} npz_parts;

static void close_parts(void *ctx)
{
    npz_parts *const p = ctx;
    for (int k = 0; k < TSR_PART_ARRAYS; k++)
        tsr_zip_drop(&p->streams[k].bytes);
    tsr_npz_clear(&p->npz);
    tsr_free(p);
}

static tsr_status begin(stream *s, npz_parts *p, tsr_error *err)
{
    tsr_npy npy;
    tsr_zip_drop(&s->bytes);
    s->open = true;
    s->next = 0;
    TSR_TRY(tsr_zip_begin(&s->bytes, p->npz.zip, s->part->member, err));
    return tsr_npy_read_header(&npy, &s->bytes, err);
}

/* Read n elements from the stream. */
static tsr_status take(unsigned char *out, stream *s, uint64_t n, tsr_error *err)
{
    const uint64_t width = s->part->npy.item_nbytes;
    if (n == 0)
        return TSR_OK;
    TSR_TRY(tsr_bytes_take(&s->bytes, out, n * width, err));
    s->next += n;
    memcpy(s->last, out + (n - 1) * width, (size_t)width);
    if (s->bytes.left > 0)
        return TSR_OK;
    s->open = false; /* the end: the checksum */
    return tsr_zip_end(&s->bytes, err);
}

/* Read on to element `first`. */
static tsr_status skip(stream *s, uint64_t first, tsr_error *err)
{
    unsigned char *const buffer = tsr_malloc(STEP_NBYTES);
    const uint64_t most = STEP_NBYTES / s->part->npy.item_nbytes;
    tsr_status status = buffer ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    while (status == TSR_OK && s->next < first)
        status = take(buffer, s, first - s->next < most ? first - s->next : most, err);
    tsr_free(buffer);
    return status;
}

static tsr_status read_elements(void *out, npz_parts *p, stream *s, uint64_t first, uint64_t n,
                                tsr_error *err)
{
    const uint64_t width = s->part->npy.item_nbytes;
    first += s->base;
    const bool again = s->next > 0 && first == s->next - 1 && n > 0;
    if (again) {
        memcpy(out, s->last, (size_t)width);
        return take((unsigned char *)out + width, s, n - 1, err);
    }
    if (!s->open || first < s->next)
        TSR_TRY(begin(s, p, err));
    if (first > s->next)
        TSR_TRY(skip(s, first, err));
    return take(out, s, n, err);
}

/* Errors name the file and the array, since the caller writes another file meanwhile. */
static tsr_status read_part(void *out, void *ctx, int k, uint64_t first, uint64_t n, tsr_error *err)
{
    npz_parts *const p = ctx;
    tsr_error why = {0};
    const tsr_status status = read_elements(out, p, &p->streams[k], first, n, &why);
    return status == TSR_OK ? TSR_OK
                            : tsr_fail_at(err, status, tsr_zip_path(p->npz.zip), 0, 0, "array '%s': %s",
                                          p->streams[k].part->numbers.name, why.message);
}

/* Use the part as array k; TSR_UNSUPPORTED: not numbers as they are in memory. */
static tsr_status use(tsr_array_parts *to, npz_parts *p, int k, int i, tsr_error *err)
{
    const tsr_npz_part *const part = &p->npz.parts[i];
    const tsr_npy *const npy = &part->npy;
    const bool rows = i == NPZ_COORDS; /* array k is row k */
    if (p->only_stored && strcmp(tsr_zip_method(p->npz.zip, part->member), "stored") != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "the arrays are compressed");
    if (!part->there || npy->order != (rows ? 2 : 1) || (rows && npy->fortran) || npy->big_endian ||
        !strchr("iufc", npy->kind) || (npy->kind == 'f' && npy->item_nbytes == 2))
        return tsr_arrays_only_whole(err);
    p->streams[k].part = part;
    p->streams[k].base = rows ? (uint64_t)k * npy->shape[1] : 0;
    to->arrays[k] = (tsr_part_array){part->numbers.name, tsr_npy_type(npy), npy->shape[npy->order - 1]};
    return TSR_OK;
}

/* Coordinates of any order: the rows of `coords`. */
static tsr_status use_rows(tsr_array_parts *to, npz_parts *p, tsr_error *err)
{
    const tsr_npz_part *const coords = &p->npz.parts[NPZ_COORDS];
    bool has_fill;
    TSR_TRY(tsr_npz_has_fill(&has_fill, &p->npz, err));
    if (has_fill || to->order == 0 || coords->npy.order != 2 || coords->npy.shape[0] != (uint64_t)to->order)
        return tsr_arrays_only_whole(err);
    for (int m = 0; m < to->order; m++)
        TSR_TRY(use(to, p, m, NPZ_COORDS, err));
    return use(to, p, to->order, NPZ_DATA, err);
}

static tsr_status describe(tsr_array_parts *to, npz_parts *p, tsr_error *err)
{
    const tsr_npz *const npz = &p->npz;
    const bool csc = strcmp(npz->format, "csc") == 0, coo = strcmp(npz->format, "coo") == 0;
    to->slices = csc || strcmp(npz->format, "csr") == 0;
    to->major = csc;
    to->order = npz->order;
    memcpy(to->dims, npz->dims, sizeof to->dims);
    if (npz->sparse && (coo || !npz->scipy) && npz->parts[NPZ_COORDS].there)
        return use_rows(to, p, err);
    if (npz->order != 2 || (!to->slices && !coo))
        return tsr_fail(err, TSR_UNSUPPORTED, "this kind of .npz is read only as a whole");
    TSR_TRY(use(to, p, 0, to->slices ? NPZ_INDPTR : NPZ_ROW, err));
    TSR_TRY(use(to, p, 1, to->slices ? NPZ_INDICES : NPZ_COL, err));
    return use(to, p, 2, NPZ_DATA, err);
}

tsr_status tsr_npz_feed(tsr_feed **out, tsr_npz *npz, const tsr_read_options *options, tsr_error *err)
{
    tsr_array_parts in = {.read = read_part, .close = close_parts};
    npz_parts *const p = tsr_calloc(1, sizeof *p);
    *out = NULL;
    if (!p) {
        tsr_npz_clear(npz);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    p->npz = *npz;
    p->only_stored = options->only_stored;
    tsr_zip_set_threads(p->npz.zip, tsr_thread_count(options->nthreads));
    *npz = (tsr_npz){.zip = NULL};
    in.ctx = p;
    const tsr_status status = describe(&in, p, err);
    if (status == TSR_OK)
        return tsr_feed_of_arrays(out, &in, options, err);
    close_parts(p);
    return status;
}
