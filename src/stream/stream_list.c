/* Reading the chunks of buckets: as a feed, or into memory on all threads. See stream_internal.h. */
#include "stream_chunk.h"

/* ---- a feed ---- */

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

static tsr_status make_room(list_feed *r, const stream_chunk_header *h, tsr_error *err)
{
    if (h->n <= r->capacity && h->nbytes <= r->nbytes)
        return TSR_OK;
    const size_t n = h->n > r->capacity ? h->n : r->capacity;
    const size_t nbytes = h->nbytes > r->nbytes ? h->nbytes : r->nbytes;
    const int order = r->base.facts.order;
    tsr_free(r->memory);
    r->capacity = r->nbytes = 0;
    TSR_TRY(tsr_alloc_array(&r->memory, n * stream_entry_nbytes(order) + stream_padded(nbytes), 1, 0,
                            "a chunk of a bucket", err));
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
static bool is_possible(const stream_chunk_header *h, int order, bool iso)
{
    uint64_t nbytes = stream_padded((size_t)h->n * h->value_width);
    bool fine = h->n > 0 && h->n <= STREAM_MAX_CHUNK && h->type < TSR_NTYPES;
    for (int m = 0; m < order; m++) {
        fine = fine && (h->width[m] == 1 || h->width[m] == 2 || h->width[m] == 4 || h->width[m] == 8);
        nbytes += stream_padded((size_t)h->n * h->width[m]);
    }
    if (!fine || nbytes != h->nbytes)
        return false;
    if (h->value_width == tsr_type_nbytes((tsr_type)h->type) || (iso && h->value_width == 0))
        return true;
    return h->type == TSR_F64
               ? h->value_width == 4
               : h->type == TSR_I64 && (h->value_width == 1 || h->value_width == 2 || h->value_width == 4);
}

/* Read the header of the next chunk, which is at the place; *found = false: there is none. */
static tsr_status find_chunk(bool *found, stream_chunk_header *h, list_feed *r, tsr_error *err)
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
    stream_chunk_header h;
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
        next += stream_padded(h.n * (size_t)h.width[m]);
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
    stream_chunk_header h;
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

/* ---- chunks ---- */

tsr_status stream_list_chunks(stream_list_chunk **out, size_t *nchunks, tsr_feed *feed, tsr_error *err)
{
    list_feed *const r = (list_feed *)feed;
    stream_list_chunk *chunk = NULL;
    size_t n = 0, room = 0;
    uint64_t at = 0;
    tsr_status status;
    *out = NULL;
    for (;;) {
        stream_chunk_header h;
        bool found;
        TSR_TRY_OUT(find_chunk(&found, &h, r, err));
        if (!found)
            break;
        if (n == room) {
            room = room ? 2 * room : 64;
            stream_list_chunk *const more = tsr_realloc(chunk, room * sizeof *more);
            if (!more)
                TSR_TRY_OUT(tsr_fail(err, TSR_NOMEM, "out of memory: the chunks of a bucket"));
            chunk = more;
        }
        const stream_part *const part = &r->list->part[r->at];
        chunk[n++] = (stream_list_chunk){.at = at,
                                         .n = h.n,
                                         .type = (tsr_type)h.type,
                                         .file = part->file,
                                         .offset = part->first + (feed->place - r->begin)};
        at += h.n;
        feed->place += sizeof h + h.nbytes;
    }
    if (at != r->list->nentries)
        TSR_TRY_OUT(tsr_fail(err, TSR_CORRUPT, "a temporary file has changed"));
    *out = chunk;
    *nchunks = n;
    return TSR_OK;
out:
    tsr_free(chunk);
    return status;
}

tsr_status stream_list_load(tsr_array *const *crd, tsr_run *run, const stream_list_chunk *chunk,
                            const tsr_facts *facts, stream_chunk_room *room, tsr_error *err)
{
    static const unsigned char one = 1;
    stream_chunk_header h;
    TSR_TRY(stream_file_read(&h, chunk->file, chunk->offset, sizeof h, err));
    if (h.n != chunk->n || !is_possible(&h, facts->order, facts->iso))
        return tsr_fail_at(err, TSR_CORRUPT, chunk->file->path.s, 0, 0, "the temporary file has changed");
    const size_t nvalues = stream_padded(h.n * (size_t)TSR_MAX_VALUE_NBYTES), nbytes = nvalues + h.nbytes;
    if (nbytes > room->nbytes) {
        stream_chunk_room_clear(room);
        TSR_TRY(tsr_alloc_array(&room->memory, nbytes, 1, 0, "a chunk of a bucket", err));
        room->nbytes = nbytes;
    }
    unsigned char *const values = room->memory, *next = values + nvalues;
    TSR_TRY(stream_file_read(next, chunk->file, chunk->offset + sizeof h, h.nbytes, err));
    for (int m = 0; m < facts->order; m++) {
        const tsr_array stored = {.data = next, .n = h.n, .width = h.width[m]};
        tsr_array_copy(crd[m], chunk->at, &stored, 0, h.n);
        next += stream_padded(h.n * (size_t)h.width[m]);
    }
    run->n = h.n;
    run->type = (tsr_type)h.type;
    run->values = &one;
    if (h.value_width) {
        widen_values(values, next, run->type, h.value_width, h.n);
        run->values = values;
    }
    return TSR_OK;
}

void stream_chunk_room_clear(stream_chunk_room *room)
{
    tsr_free(room->memory);
    *room = (stream_chunk_room){0};
}
