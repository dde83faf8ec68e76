/* Buckets: see stream_internal.h. A file is a row of chunks; a chunk is a header, the coordinates mode by mode, and the
 * values. Each array begins at a multiple of 8 bytes after the header. Integers are stored in 1, 2, 4 or 8 bytes, and f64 as f32
 * where that loses nothing, so that counts and small tensors make short files. */
#include "stream_internal.h"

#include <stdio.h>

typedef struct chunk_header {
    uint32_t n;          /* entries */
    uint32_t nbytes;     /* of what follows */
    uint8_t type;        /* of the values */
    uint8_t value_width; /* 0: not stored */
    uint8_t width[TSR_MAX_ORDER];
    uint8_t unused[6];
} chunk_header;
_Static_assert(sizeof(chunk_header) == 32, "arrays begin at multiples of 8 bytes");

enum { MIN_CAPACITY = 64, MAX_CAPACITY = 1 << 14, FILE_ROOM = 1 << 12 };

static size_t padded(size_t nbytes)
{
    return (nbytes + 7) / 8 * 8;
}

/* The bytes of an entry in memory. */
static size_t entry_nbytes(int order)
{
    return 8 * (size_t)order + TSR_MAX_VALUE_NBYTES;
}

/* ---- writing ---- */

tsr_status stream_buckets_new(stream_buckets *buckets, const stream_buckets_plan *plan,
                              const tsr_facts *facts, tsr_error *err)
{
    const int n = plan->n;
    const size_t each = entry_nbytes(facts->order);
    uint64_t capacity = plan->nbytes / ((uint64_t)n * each);
    capacity = capacity < MIN_CAPACITY ? MIN_CAPACITY : capacity > MAX_CAPACITY ? MAX_CAPACITY : capacity;
    *buckets = (stream_buckets){.order = facts->order, .capacity = (size_t)capacity, .iso = facts->iso};
    buckets->bucket = tsr_calloc((size_t)n, sizeof *buckets->bucket);
    if (!buckets->bucket)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int b = 0; b < n; b++)
        buckets->bucket[b].file.fd = -1;
    buckets->n = n;
    TSR_TRY(tsr_alloc_array(&buckets->memory, (uint64_t)n * capacity, each, 0, "buffers of buckets", err));
    TSR_TRY(tsr_alloc_array(&buckets->narrow, capacity, sizeof(uint64_t), 0, "buffers of buckets", err));
    unsigned char *next = buckets->memory;
    for (int b = 0; b < n; b++) {
        stream_bucket *const bucket = &buckets->bucket[b];
        char text[64];
        snprintf(text, sizeof text, "%s%04d", plan->name, b);
        if (plan->folder)
            TSR_TRY(stream_file_new(&bucket->file, plan->folder, text, FILE_ROOM, err));
        bucket->file.grows = !plan->folder;
        bucket->file.keep = plan->keep;
        bucket->nentries = plan->state ? stream_state_get(plan->state) : 0;
        if (plan->folder)
            TSR_TRY(
                stream_file_continue(&bucket->file, plan->state ? stream_state_get(plan->state) : 0, err));
        for (int m = 0; m < facts->order; m++, next += 8 * capacity)
            bucket->crd[m] = (uint64_t *)(void *)next;
        bucket->values = next;
        next += TSR_MAX_VALUE_NBYTES * capacity;
    }
    return TSR_OK;
}

size_t tsr_stream_value_width(tsr_type type, const void *values, size_t n)
{
    size_t width = 1;
    if (type == TSR_I64) {
        const int64_t *const v = values;
        for (size_t i = 0; i < n; i++)
            while (width < 8 && (v[i] >> (8 * width - 1)) != (v[i] < 0 ? -1 : 0))
                width *= 2;
        return width;
    }
    if (type != TSR_F64)
        return tsr_type_nbytes(type);
    const double *const v = values;
    for (size_t i = 0; i < n; i++) {
        const float narrow = (float)v[i];
        const double back = (double)narrow;
        if (memcmp(&back, &v[i], sizeof back) != 0)
            return 8;
    }
    return 4;
}

/* Move the values to the front of their memory, in this width. */
static void narrow_values(stream_bucket *bucket, size_t width)
{
    unsigned char *const to = bucket->values;
    if (width == tsr_type_nbytes(bucket->type))
        return;
    for (size_t i = 0; i < bucket->n; i++) {
        if (bucket->type == TSR_F64) {
            double v;
            memcpy(&v, to + 8 * i, sizeof v);
            const float f = (float)v;
            memcpy(to + 4 * i, &f, sizeof f);
        } else {
            int64_t v;
            memcpy(&v, to + 8 * i, sizeof v);
            const int8_t v8 = (int8_t)v;
            const int16_t v16 = (int16_t)v;
            const int32_t v32 = (int32_t)v;
            memcpy(to + width * i,
                   width == 1   ? (const void *)&v8
                   : width == 2 ? (const void *)&v16
                                : &v32,
                   width);
        }
    }
}

/* Add the array and zeros up to a multiple of 8 bytes. */
static tsr_status add_padded(stream_file *file, const void *bytes, size_t nbytes, tsr_error *err)
{
    static const unsigned char zero[8];
    TSR_TRY(stream_file_add(file, bytes, nbytes, err));
    return stream_file_add(file, zero, padded(nbytes) - nbytes, err);
}

/* Write the chunk of the bucket. */
static tsr_status write_chunk(const stream_buckets *buckets, stream_bucket *bucket, tsr_error *err)
{
    chunk_header h = {.n = (uint32_t)bucket->n, .type = (uint8_t)bucket->type};
    size_t nbytes = 0;
    if (bucket->n == 0)
        return TSR_OK;
    for (int m = 0; m < buckets->order; m++) {
        uint64_t max = 0;
        for (size_t i = 0; i < bucket->n; i++)
            max |= bucket->crd[m][i];
        h.width[m] = (uint8_t)tsr_width_for(max);
        nbytes += padded(bucket->n * h.width[m]);
    }
    h.value_width =
        (uint8_t)(buckets->iso ? 0 : tsr_stream_value_width(bucket->type, bucket->values, bucket->n));
    h.nbytes = (uint32_t)(nbytes + padded(bucket->n * h.value_width));
    TSR_TRY(stream_file_add(&bucket->file, &h, sizeof h, err));
    for (int m = 0; m < buckets->order; m++) {
        tsr_array narrow = {.data = buckets->narrow, .n = bucket->n, .width = h.width[m]};
        tsr_array_store(&narrow, 0, bucket->crd[m], bucket->n);
        TSR_TRY(add_padded(&bucket->file, narrow.data, bucket->n * h.width[m], err));
    }
    if (h.value_width) {
        narrow_values(bucket, h.value_width);
        TSR_TRY(add_padded(&bucket->file, bucket->values, bucket->n * h.value_width, err));
    }
    bucket->nentries += bucket->n;
    bucket->n = 0;
    return TSR_OK;
}

tsr_status stream_buckets_add(stream_buckets *buckets, const tsr_run *run, const uint16_t *id, tsr_error *err)
{
    const size_t width = buckets->iso ? 0 : tsr_type_nbytes(run->type);
    const unsigned char *value = run->values;
    for (uint64_t i = 0; i < run->n; i++, value += width) {
        stream_bucket *const bucket = &buckets->bucket[id[i]];
        if (bucket->type != run->type || bucket->n == buckets->capacity) {
            TSR_TRY(write_chunk(buckets, bucket, err));
            bucket->type = run->type;
        }
        const size_t k = bucket->n++;
        for (int m = 0; m < buckets->order; m++)
            bucket->crd[m][k] = run->crd[m][i];
        if (width == 8)
            memcpy(bucket->values + 8 * k, value, 8);
        else
            memcpy(bucket->values + width * k, value, width);
    }
    return TSR_OK;
}

tsr_status stream_buckets_save(stream_buckets *buckets, int first, stream_state *state, tsr_error *err)
{
    for (int b = 0; b < buckets->n; b++) {
        stream_bucket *const bucket = &buckets->bucket[b];
        if (buckets->memory) { /* still being filled */
            TSR_TRY(write_chunk(buckets, bucket, err));
            TSR_TRY(stream_file_sync(&bucket->file, err));
        }
        stream_state_add(state, b < first ? 0 : bucket->nentries);
        stream_state_add(state, b < first ? 0 : bucket->file.nbytes);
    }
    return TSR_OK;
}

tsr_status stream_buckets_settle(stream_buckets *buckets, tsr_error *err)
{
    for (int b = 0; b < buckets->n; b++)
        TSR_TRY(write_chunk(buckets, &buckets->bucket[b], err));
    return TSR_OK;
}

void stream_buckets_reset(stream_buckets *buckets)
{
    for (int b = 0; b < buckets->n; b++) {
        stream_bucket *const bucket = &buckets->bucket[b];
        bucket->nentries = bucket->file.nbytes = 0;
        bucket->file.nbuf = bucket->n = 0;
    }
}

tsr_status stream_buckets_end(stream_buckets *buckets, tsr_error *err)
{
    for (int b = 0; b < buckets->n; b++) {
        TSR_TRY(write_chunk(buckets, &buckets->bucket[b], err));
        TSR_TRY(stream_file_flush(&buckets->bucket[b].file, err));
    }
    tsr_free(buckets->memory);
    tsr_free(buckets->narrow);
    buckets->memory = buckets->narrow = NULL;
    return TSR_OK;
}

void stream_buckets_clear(stream_buckets *buckets)
{
    for (int b = 0; b < buckets->n; b++)
        stream_file_clear(&buckets->bucket[b].file);
    tsr_free(buckets->bucket);
    tsr_free(buckets->memory);
    tsr_free(buckets->narrow);
    *buckets = (stream_buckets){0};
}

/* ---- reading ---- */

typedef struct list_feed {
    tsr_feed base; /* first */
    const stream_list *list;
    int at;         /* the part at the place */
    uint64_t begin; /* the place where it begins */
    uint64_t end;   /* no chunk that begins here or later is read */
    void *memory;
    size_t nbytes;
    size_t capacity; /* entries */
    unsigned char *bytes;
    uint64_t *crd[TSR_MAX_ORDER];
    unsigned char *values;
} list_feed;

static tsr_status make_room(list_feed *r, const chunk_header *h, tsr_error *err)
{
    if (h->n <= r->capacity && h->nbytes <= r->nbytes)
        return TSR_OK;
    const size_t n = h->n > r->capacity ? h->n : r->capacity;
    const size_t nbytes = h->nbytes > r->nbytes ? h->nbytes : r->nbytes;
    const int order = r->base.facts.order;
    tsr_free(r->memory);
    r->capacity = r->nbytes = 0;
    TSR_TRY(tsr_alloc_array(&r->memory, n * entry_nbytes(order) + padded(nbytes), 1, 0, "a chunk of a bucket",
                            err));
    unsigned char *next = r->memory;
    for (int m = 0; m < order; m++, next += 8 * n)
        r->crd[m] = (uint64_t *)(void *)next;
    r->values = next;
    r->bytes = next + n * TSR_MAX_VALUE_NBYTES;
    r->capacity = n;
    r->nbytes = nbytes;
    return TSR_OK;
}

/* Widen n stored values. */
static void widen_values(unsigned char *out, const unsigned char *in, tsr_type type, size_t width, size_t n)
{
    if (width == tsr_type_nbytes(type)) {
        memcpy(out, in, n * width);
        return;
    }
    for (size_t i = 0; i < n; i++, in += width, out += 8) {
        int8_t v8;
        int16_t v16 = 0;
        int32_t v32 = 0;
        float f = 0;
        memcpy(&v8, in, sizeof v8);
        if (width >= 2)
            memcpy(&v16, in, sizeof v16);
        if (width >= 4) {
            memcpy(&v32, in, sizeof v32);
            memcpy(&f, in, sizeof f);
        }
        const int64_t v = width == 1 ? v8 : width == 2 ? v16 : v32;
        const double d = (double)(width == 4 ? f : 0);
        memcpy(out, type == TSR_F64 ? (const void *)&d : &v, 8);
    }
}

/* Whether a chunk can have this header: the file may have been damaged between two runs. */
static bool is_possible(const chunk_header *h, int order, bool iso)
{
    uint64_t nbytes = padded((size_t)h->n * h->value_width);
    bool fine = h->n > 0 && h->n <= MAX_CAPACITY && h->type < TSR_NTYPES;
    for (int m = 0; m < order; m++) {
        fine = fine && (h->width[m] == 1 || h->width[m] == 2 || h->width[m] == 4 || h->width[m] == 8);
        nbytes += padded((size_t)h->n * h->width[m]);
    }
    if (!fine || nbytes != h->nbytes)
        return false;
    if (h->value_width == tsr_type_nbytes((tsr_type)h->type) || (iso && h->value_width == 0))
        return true;
    return h->type == TSR_F64
               ? h->value_width == 4
               : h->type == TSR_I64 && (h->value_width == 1 || h->value_width == 2 || h->value_width == 4);
}

/* *out: the place of the next chunk in the part, whose header is read; false: there is none. */
static tsr_status find_chunk(bool *found, chunk_header *h, list_feed *r, tsr_error *err)
{
    const stream_list *const list = r->list;
    while (r->at < list->nparts && r->base.place - r->begin >= list->part[r->at].nbytes)
        r->begin += list->part[r->at++].nbytes;
    *found = r->at < list->nparts && r->base.place < r->end;
    if (!*found)
        return TSR_OK;
    const stream_part *const part = &list->part[r->at];
    const uint64_t offset = r->base.place - r->begin, left = part->nbytes - offset;
    if (left >= sizeof *h)
        TSR_TRY(stream_file_read(h, part->file, part->first + offset, sizeof *h, err));
    if (left < sizeof *h || left - sizeof *h < h->nbytes ||
        !is_possible(h, r->base.facts.order, r->base.facts.iso))
        return tsr_fail_at(err, TSR_CORRUPT, part->file->path.s, 0, 0, "the temporary file has changed");
    return TSR_OK;
}

static tsr_status list_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    list_feed *const r = (list_feed *)feed;
    static const unsigned char one = 1;
    chunk_header h;
    bool found;
    TSR_TRY(find_chunk(&found, &h, r, err));
    if (!found)
        return TSR_OK;
    const stream_part *const part = &r->list->part[r->at];
    TSR_TRY(make_room(r, &h, err));
    TSR_TRY(stream_file_read(r->bytes, part->file, part->first + (feed->place - r->begin) + sizeof h,
                             h.nbytes, err));
    feed->place += sizeof h + h.nbytes;
    unsigned char *next = r->bytes;
    for (int m = 0; m < feed->facts.order; m++) {
        const tsr_array stored = {.data = next, .n = h.n, .width = h.width[m]};
        tsr_array_load(r->crd[m], &stored, 0, h.n);
        run->crd[m] = r->crd[m];
        next += padded(h.n * (size_t)h.width[m]);
    }
    run->n = h.n;
    run->type = (tsr_type)h.type;
    run->values = r->values;
    if (h.value_width)
        widen_values(r->values, next, run->type, h.value_width, h.n);
    else
        run->values = &one; /* the caller knows the value */
    return TSR_OK;
}

/* Places are bytes of the parts; chunks are walked over. */
static tsr_status list_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    list_feed *const r = (list_feed *)feed;
    chunk_header h;
    bool found = true;
    if (first < feed->place) {
        feed->place = r->begin = 0;
        r->at = 0;
    }
    r->end = end;
    while (feed->place < first) {
        TSR_TRY(find_chunk(&found, &h, r, err));
        if (!found)
            break;
        feed->place += sizeof h + h.nbytes;
    }
    return TSR_OK;
}

static void list_close(tsr_feed *feed)
{
    tsr_free(((list_feed *)feed)->memory);
    tsr_free(feed);
}

static const tsr_feed_type type = {.next = list_next, .seek = list_seek, .close = list_close};

tsr_status stream_list_feed(tsr_feed **out, const stream_list *list, const tsr_facts *facts, tsr_error *err)
{
    list_feed *const r = tsr_calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    r->base.type = &type;
    r->base.facts = *facts;
    r->base.facts.has_nnz = true;
    r->base.facts.nnz = list->nentries;
    for (int i = 0; i < list->nparts; i++)
        r->base.length += list->part[i].nbytes;
    r->base.can_seek = r->base.can_rewind = true;
    r->list = list;
    r->end = UINT64_MAX;
    *out = &r->base;
    return TSR_OK;
}
