/* Buckets: see stream_internal.h. A file is a row of chunks; a chunk is a header, the coordinates mode by mode, and the
 * values. Each array begins at a multiple of 8 bytes after the header. Integers are stored in 1, 2, 4 or 8 bytes, and f64 as f32
 * where that loses nothing, so that counts and small tensors make short files. */
#include <stdio.h>

#include "stream_chunk.h"
#include "tsr_parallel.h"

enum { MIN_CAPACITY = 64, FILE_ROOM = 1 << 12, SLICE = 1 << 16, LONG = 1 << 11 };

/* ---- writing ---- */

tsr_status stream_buckets_new(stream_buckets *buckets, const stream_buckets_plan *plan,
                              const tsr_facts *facts, tsr_error *err)
{
    const int n = plan->n, nthreads = plan->nthreads > 0 ? plan->nthreads : 1,
              nwriters = nthreads < n ? nthreads : n;
    const size_t each = stream_entry_nbytes(facts->order);
    uint64_t capacity = plan->nbytes / ((uint64_t)(n + nwriters) * each);
    capacity = capacity < MIN_CAPACITY       ? MIN_CAPACITY
               : capacity > STREAM_MAX_CHUNK ? STREAM_MAX_CHUNK
                                             : capacity;
    *buckets = (stream_buckets){.order = facts->order,
                                .capacity = (size_t)capacity,
                                .iso = facts->iso,
                                .nwriters = nwriters,
                                .nthreads = nthreads};
    buckets->bucket = tsr_calloc((size_t)n, sizeof *buckets->bucket);
    if (!buckets->bucket)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int b = 0; b < n; b++)
        buckets->bucket[b].file.fd = -1;
    buckets->n = n;
    TSR_TRY(tsr_alloc_array(&buckets->memory, (uint64_t)n * capacity, each, 0, "buffers of buckets", err));
    buckets->chunk_nbytes = stream_chunk_room_nbytes(facts->order, (size_t)capacity);
    void *chunks;
    TSR_TRY(
        tsr_alloc_array(&chunks, (uint64_t)nwriters, buckets->chunk_nbytes, 0, "buffers of buckets", err));
    buckets->chunks = chunks;
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

/* Store n values in this width. */
static void store_values(unsigned char *to, tsr_type type, const unsigned char *from, size_t width, size_t n)
{
    if (width == tsr_type_nbytes(type)) {
        memcpy(to, from, n * width);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (type == TSR_F64) {
            double v;
            memcpy(&v, from + 8 * i, sizeof v);
            const float f = (float)v;
            memcpy(to + 4 * i, &f, sizeof f);
        } else {
            int64_t v;
            memcpy(&v, from + 8 * i, sizeof v);
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

size_t stream_chunk_room_nbytes(int order, size_t n)
{
    return sizeof(stream_chunk_header) + n * stream_entry_nbytes(order) + 8 * TSR_MAX_ORDER;
}

tsr_status stream_chunk_write(stream_file *file, const tsr_run *from, int order, bool iso,
                              unsigned char *room, tsr_error *err)
{
    const size_t n = (size_t)from->n;
    stream_chunk_header h = {.n = (uint32_t)n, .type = (uint8_t)from->type};
    unsigned char *next = room + sizeof h;
    for (int m = 0; m < order; m++) {
        uint64_t max = 0;
        for (size_t i = 0; i < n; i++)
            max |= from->crd[m][i];
        h.width[m] = (uint8_t)tsr_width_for(max);
        tsr_array narrow = {.data = next, .n = n, .width = h.width[m]};
        const size_t nbytes = stream_padded(n * h.width[m]);
        memset(next + nbytes - 8, 0, 8);
        tsr_array_store(&narrow, 0, from->crd[m], n);
        next += nbytes;
    }
    if (!iso) {
        h.value_width = (uint8_t)tsr_stream_value_width(from->type, from->values, n);
        const size_t nbytes = stream_padded(n * h.value_width);
        memset(next + nbytes - 8, 0, 8);
        store_values(next, from->type, from->values, h.value_width, n);
        next += nbytes;
    }
    h.nbytes = (uint32_t)((size_t)(next - room) - sizeof h);
    memcpy(room, &h, sizeof h);
    return stream_file_add(file, room, sizeof h + h.nbytes, err);
}

/* Write the chunk that the bucket has collected. */
static tsr_status write_chunk(const stream_buckets *buckets, stream_bucket *bucket, unsigned char *room,
                              tsr_error *err)
{
    tsr_run run = {.n = bucket->n, .type = bucket->type, .values = bucket->values};
    if (run.n == 0)
        return TSR_OK;
    for (int m = 0; m < buckets->order; m++)
        run.crd[m] = bucket->crd[m];
    bucket->n = 0;
    bucket->nentries += run.n;
    return stream_chunk_write(&bucket->file, &run, buckets->order, buckets->iso, room, err);
}

/* ---- adding a run: its entries are ordered by buckets first, then each bucket gets its own ---- */

/* A part of a run, on several threads. */
typedef struct dealing {
    stream_buckets *buckets;
    const tsr_run *run;
    const stream_finding *finding;
    uint64_t first; /* of the run */
    size_t n, width;
    size_t base; /* where the memory of the slice that is used begins */
    int nthreads;
} dealing;

static void order_values(unsigned char *restrict to, const unsigned char *restrict from,
                         const uint32_t *restrict place, size_t width, size_t n)
{
    if (width == 8)
        for (size_t i = 0; i < n; i++)
            memcpy(to + 8 * (size_t)place[i], from + 8 * i, 8);
    else
        for (size_t i = 0; i < n; i++)
            memcpy(to + width * place[i], from + width * i, width);
}

/* Find the buckets of entries [first, end) of the part, and order them by buckets, in thread t: those of bucket b are at [begin[b], begin[b + 1]). */
static void order_range(const dealing *d, int t, uint64_t first, uint64_t end)
{
    stream_buckets *const s = d->buckets;
    uint32_t *const begin = s->begin + (size_t)t * ((size_t)s->n + 1), *const at =
                                                                           s->at + (size_t)t * (size_t)s->n;
    const uint16_t *const id = d->finding->id + d->first;
    uint32_t *restrict const place = s->place + d->base;
    if (d->finding->find)
        d->finding->find(d->finding->ctx, t, d->first + first, end - first);
    memset(at, 0, (size_t)s->n * sizeof *at);
    for (uint64_t i = first; i < end; i++)
        at[id[i]]++;
    uint32_t sum = (uint32_t)(d->base + first);
    for (int b = 0; b < s->n; b++) {
        begin[b] = sum;
        sum += at[b];
        at[b] = begin[b];
    }
    begin[s->n] = sum;
    for (uint64_t i = first; i < end; i++)
        place[i] = at[id[i]]++;
    for (int m = 0; m < s->order; m++) {
        const uint64_t *restrict const from = d->run->crd[m] + d->first;
        uint64_t *restrict const to = s->ordered[m];
        for (uint64_t i = first; i < end; i++)
            to[place[i]] = from[i];
    }
    if (d->width > 0)
        order_values(s->ordered_values, (const unsigned char *)d->run->values + (d->first + first) * d->width,
                     place + first, d->width, (size_t)(end - first));
}

static void order_some(void *arg, int t, int nthreads)
{
    const dealing *const d = arg;
    order_range(d, t, tsr_cut(d->n, t, nthreads), tsr_cut(d->n, t + 1, nthreads));
}

/* Add n ordered entries to a bucket. */
static tsr_status add_some(const stream_buckets *s, stream_bucket *bucket, const tsr_run *part,
                           unsigned char *room, tsr_error *err)
{
    const size_t width = s->iso ? 0 : tsr_type_nbytes(part->type);
    if (bucket->type != part->type && part->n > 0) {
        TSR_TRY(write_chunk(s, bucket, room, err));
        bucket->type = part->type;
    }
    for (size_t i = 0; i < part->n;) {
        if (bucket->n == s->capacity)
            TSR_TRY(write_chunk(s, bucket, room, err));
        const size_t left = (size_t)part->n - i, free = s->capacity - bucket->n,
                     n = left < free ? left : free;
        for (int m = 0; m < s->order; m++)
            memcpy(bucket->crd[m] + bucket->n, part->crd[m] + i, n * sizeof *part->crd[m]);
        memcpy(bucket->values + width * bucket->n, (const unsigned char *)part->values + width * i,
               n * width);
        bucket->n += n;
        i += n;
    }
    return TSR_OK;
}

/* The entries of bucket b that thread t has ordered. */
static tsr_status add_ordered_by(const dealing *d, int b, int t, unsigned char *room, tsr_error *err)
{
    stream_buckets *const s = d->buckets;
    const uint32_t *const begin = s->begin + (size_t)t * ((size_t)s->n + 1) + b;
    tsr_run part = {.n = begin[1] - begin[0], .type = d->run->type};
    for (int m = 0; m < s->order; m++)
        part.crd[m] = s->ordered[m] + begin[0];
    part.values = s->ordered_values + d->width * begin[0];
    return add_some(s, &s->bucket[b], &part, room, err);
}

/* The entries of bucket b, thread after thread, which is their sequence in the run. */
static tsr_status add_bucket(const dealing *d, int b, unsigned char *room, tsr_error *err)
{
    for (int t = 0; t < d->nthreads; t++)
        TSR_TRY(add_ordered_by(d, b, t, room, err));
    return TSR_OK;
}

static unsigned char *chunk_room(const stream_buckets *s, int t)
{
    return s->chunks + (size_t)t * s->chunk_nbytes;
}

static void add_ordered(void *arg, int t, int nthreads)
{
    const dealing *const d = arg;
    stream_buckets *const s = d->buckets;
    for (int b = t; b < s->n; b += nthreads)
        if (add_bucket(d, b, chunk_room(s, t), &s->errors[t]) != TSR_OK)
            return;
}

/* Memory for a slice of a run. */
static tsr_status make_slice(stream_buckets *s, tsr_error *err)
{
    const size_t nplaces = (size_t)s->nthreads * (2 * (size_t)s->n + 1) + SLICE;
    void *memory;
    if (s->slice)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&memory,
                            SLICE * stream_entry_nbytes(s->order) + stream_padded(nplaces * sizeof *s->at) +
                                (size_t)s->nthreads * sizeof *s->errors,
                            1, 0, "a part of a run", err));
    unsigned char *next = s->slice = memory;
    for (int m = 0; m < s->order; m++, next += SLICE * sizeof(uint64_t))
        s->ordered[m] = (uint64_t *)(void *)next;
    s->ordered_values = next;
    s->at = (uint32_t *)(void *)(next + SLICE * TSR_MAX_VALUE_NBYTES);
    s->begin = s->at + (size_t)s->nthreads * (size_t)s->n;
    s->place = s->begin + (size_t)s->nthreads * ((size_t)s->n + 1);
    s->errors = (tsr_error *)(void *)((unsigned char *)s->at + stream_padded(nplaces * sizeof *s->at));
    return TSR_OK;
}

static tsr_status deal(dealing *d, tsr_error *err)
{
    stream_buckets *const s = d->buckets;
    enum { PER_THREAD = 1 << 12 };
    const size_t useful = d->n / PER_THREAD + 1;
    d->nthreads = useful < (size_t)s->nthreads ? (int)useful : s->nthreads;
    const int nwriters = d->nthreads < s->nwriters ? d->nthreads : s->nwriters;
    memset(s->errors, 0, (size_t)s->nthreads * sizeof *s->errors);
    tsr_parallel(d->nthreads, order_some, d);
    tsr_parallel(nwriters, add_ordered, d);
    for (int t = 0; t < d->nthreads; t++)
        TSR_TRY(tsr_fail_as(err, &s->errors[t]));
    return TSR_OK;
}

tsr_status stream_buckets_add(stream_buckets *buckets, const tsr_run *run, const stream_finding *finding,
                              tsr_error *err)
{
    if (buckets->n == 1)
        return add_some(buckets, &buckets->bucket[0], run, buckets->chunks, err);
    TSR_TRY(make_slice(buckets, err));
    dealing d = {.buckets = buckets,
                 .run = run,
                 .finding = finding,
                 .width = buckets->iso ? 0 : tsr_type_nbytes(run->type)};
    for (d.first = 0; d.first < run->n; d.first += SLICE) {
        d.n = run->n - d.first < SLICE ? (size_t)(run->n - d.first) : SLICE;
        TSR_TRY(deal(&d, err));
    }
    return TSR_OK;
}

/* ---- runs that threads take: each bucket gets them in their sequence ---- */

tsr_status stream_turns_start(stream_turns *turns, stream_buckets *buckets, tsr_error *err)
{
    void *memory;
    *turns = (stream_turns){.buckets = buckets};
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)buckets->n, sizeof *turns->turn, 1, "buckets", err));
    turns->turn = memory;
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->passed, NULL);
    return make_slice(buckets, err);
}

void stream_turns_clear(stream_turns *turns)
{
    if (!turns->turn)
        return;
    pthread_cond_destroy(&turns->passed);
    pthread_mutex_destroy(&turns->lock);
    tsr_free(turns->turn);
    *turns = (stream_turns){0};
}

/* Wait until bucket b has the runs before number k. False: it will not get them. */
static bool wait_for_turn(stream_turns *turns, int b, uint64_t k)
{
    pthread_mutex_lock(&turns->lock);
    while (turns->turn[b] != k && !turns->stopped) {
        turns->nwaiting++;
        pthread_cond_wait(&turns->passed, &turns->lock);
        turns->nwaiting--;
    }
    const bool stopped = turns->stopped;
    pthread_mutex_unlock(&turns->lock);
    return !stopped;
}

static void pass_turn(stream_turns *turns, int b, uint64_t k)
{
    pthread_mutex_lock(&turns->lock);
    turns->turn[b] = k + 1;
    if (turns->nwaiting > 0)
        pthread_cond_broadcast(&turns->passed);
    pthread_mutex_unlock(&turns->lock);
}

void stream_turns_stop(stream_turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->stopped = true;
    pthread_cond_broadcast(&turns->passed);
    pthread_mutex_unlock(&turns->lock);
}

tsr_status stream_turns_take(stream_turns *turns, const stream_turn *turn, const tsr_run *run,
                             const stream_finding *finding, tsr_error *err)
{
    stream_buckets *const s = turns->buckets;
    const uint64_t begin = tsr_cut(SLICE, turn->t, s->nthreads),
                   most = tsr_cut(SLICE, turn->t + 1, s->nthreads) - begin;
    const size_t width = s->iso ? 0 : tsr_type_nbytes(run->type);
    for (uint64_t first = 0, n; first < run->n; first += n) {
        n = run->n - first < most ? run->n - first : most;
        const dealing d = {.buckets = s,
                           .run = run,
                           .finding = finding,
                           .first = first,
                           .n = (size_t)n,
                           .width = width,
                           .base = (size_t)begin};
        order_range(&d, turn->t, 0, n);
        for (int b = 0; b < s->n; b++) {
            if (first == 0 && !wait_for_turn(turns, b, turn->k))
                return TSR_OK;
            const tsr_status status = add_ordered_by(&d, b, turn->t, chunk_room(s, turn->t), err);
            if (status != TSR_OK) {
                stream_turns_stop(turns);
                return status;
            }
            if (first + n == run->n)
                pass_turn(turns, b, turn->k);
        }
    }
    return TSR_OK;
}

/* ---- the files ---- */

tsr_status stream_buckets_save(stream_buckets *buckets, int first, stream_state *state, tsr_error *err)
{
    for (int b = 0; b < buckets->n; b++) {
        stream_bucket *const bucket = &buckets->bucket[b];
        if (buckets->memory) { /* still being filled */
            TSR_TRY(write_chunk(buckets, bucket, buckets->chunks, err));
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
        TSR_TRY(write_chunk(buckets, &buckets->bucket[b], buckets->chunks, err));
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

static void free_memory(stream_buckets *buckets)
{
    tsr_free(buckets->memory);
    tsr_free(buckets->chunks);
    tsr_free(buckets->slice);
    buckets->memory = buckets->slice = NULL;
    buckets->chunks = NULL;
}

tsr_status stream_buckets_end(stream_buckets *buckets, tsr_error *err)
{
    for (int b = 0; b < buckets->n; b++) {
        TSR_TRY(write_chunk(buckets, &buckets->bucket[b], buckets->chunks, err));
        TSR_TRY(stream_file_flush(&buckets->bucket[b].file, err));
    }
    free_memory(buckets);
    return TSR_OK;
}

void stream_buckets_clear(stream_buckets *buckets)
{
    for (int b = 0; b < buckets->n; b++)
        stream_file_clear(&buckets->bucket[b].file);
    tsr_free(buckets->bucket);
    free_memory(buckets);
    *buckets = (stream_buckets){0};
}
