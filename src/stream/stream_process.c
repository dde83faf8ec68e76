/* From buckets to level arrays: see stream_job.h. A bucket that fits memory is sorted by tsr_pack, which stores it as a list of
 * storage coordinates that keeps duplicates; one that does not fit is cut again by splitters of its own. */
#include <inttypes.h>
#include <stdio.h>

#include "stream_job.h"

typedef stream_job job;

enum { MAX_BUCKETS = 256, MAX_DEPTH = 12 };

/* ---- values ---- */

tsr_status stream_job_convert(void *out, const job *j, const void *values, tsr_type type, uint64_t n,
                              tsr_error *err)
{
    enum { STEP = 1024 };
    double real[STEP];
    const size_t width = tsr_type_nbytes(j->facts.type);
    if (type == j->facts.type) {
        memcpy(out, values, n * width);
        return TSR_OK;
    }
    if (type != TSR_I64 || !j->real)
        return tsr_values_convert(out, j->facts.type, values, type, n, err);
    for (uint64_t i = 0; i < n; i += STEP) { /* as a parser would that had known of the reals */
        const size_t k = n - i < STEP ? (size_t)(n - i) : STEP;
        TSR_TRY(tsr_values_convert(real, TSR_F64, (const int64_t *)values + i, TSR_I64, k, err));
        TSR_TRY(tsr_values_convert((unsigned char *)out + i * width, j->facts.type, real, TSR_F64, k, err));
    }
    return TSR_OK;
}

/* ---- entries in order ---- */

tsr_status stream_job_fill_in_order(bool *falls, job *j, tsr_feed *feed, bool only_look, tsr_error *err)
{
    int64_t last[TSR_MAX_LEVELS];
    bool has_last = false;
    tsr_run run;
    void *room;
    tsr_status status = TSR_OK;
    stream_rows *const rows = &j->rows[0];
    *falls = false;
    TSR_TRY(tsr_alloc_array(&room, STREAM_BLOCK, TSR_MAX_VALUE_NBYTES, 0, "a block of values", err));
    for (;;) {
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        for (uint64_t first = 0; first < run.n; first += STREAM_BLOCK) {
            const size_t n = run.n - first < STREAM_BLOCK ? (size_t)(run.n - first) : STREAM_BLOCK;
            TSR_TRY_OUT(stream_map_apply(rows, &j->map, &run, first, n, err));
            for (size_t i = 0; i < n; i++) {
                int l = 0;
                while (has_last && l < j->map.nlevels && rows->level[l][i] == last[l])
                    l++;
                if (has_last && l < j->map.nlevels && rows->level[l][i] < last[l]) {
                    *falls = true;
                    goto out;
                }
                for (l = 0; l < j->map.nlevels; l++)
                    last[l] = rows->level[l][i];
                has_last = true;
            }
            if (only_look)
                continue;
            const size_t step = j->facts.iso ? 0 : tsr_type_nbytes(run.type);
            TSR_TRY_OUT(stream_job_convert(room, j, (const unsigned char *)run.values + first * step,
                                           run.type, j->facts.iso ? 0 : n, err));
            uint64_t *coord[TSR_MAX_LEVELS];
            for (int l = 0; l < j->map.nlevels; l++)
                coord[l] = (uint64_t *)rows->level[l];
            TSR_TRY_OUT(stream_fill_add(j->fill, coord, j->facts.iso ? j->value : room, n, err));
        }
        j->filled += only_look ? 0 : run.n;
        TSR_TRY_OUT(tsr_progress(j->options.pack.observer, "pack", j->filled, j->facts.nnz, err));
    }
out:
    tsr_free(room);
    return status;
}

/* ---- a bucket that fits memory ---- */

/* The progress of packing a bucket, as a part of the whole. */
static bool forward_progress(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    const job *const j = ctx;
    (void)total;
    return tsr_progress(j->options.pack.observer, phase, j->filled + done, j->facts.nnz, NULL) == TSR_OK;
}

/* The chunks of a bucket, on their way into coordinates on several threads. */
typedef struct loading {
    const job *j;
    tsr_coo *coo;
    const stream_list_chunk *chunk;
    size_t nchunks;
    stream_chunk_room *rooms; /* of threads */
    tsr_error *errors;
} loading;

static tsr_status load_chunk(const loading *l, const stream_list_chunk *chunk, stream_chunk_room *room,
                             tsr_error *err)
{
    tsr_coo *const coo = l->coo;
    tsr_array *crd[TSR_MAX_ORDER];
    tsr_run run = {0};
    for (int m = 0; m < coo->order; m++)
        crd[m] = &coo->crd[m];
    TSR_TRY(stream_list_load(crd, &run, chunk, &l->j->facts, room, err));
    return coo->iso ? TSR_OK
                    : stream_job_convert((unsigned char *)coo->values.data + chunk->at * coo->values.width,
                                         l->j, run.values, run.type, run.n, err);
}

static void load_some(void *arg, int t, int nthreads)
{
    const loading *const l = arg;
    for (uint64_t i = tsr_cut(l->nchunks, t, nthreads); i < tsr_cut(l->nchunks, t + 1, nthreads); i++)
        if (load_chunk(l, &l->chunk[i], &l->rooms[t], &l->errors[t]) != TSR_OK)
            return;
}

static tsr_status load_all(loading *l, tsr_error *err)
{
    const size_t n = l->nchunks < (size_t)l->j->nthreads ? l->nchunks : (size_t)l->j->nthreads;
    const int nthreads = n > 0 ? (int)n : 1;
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)nthreads, sizeof *l->errors + sizeof *l->rooms, 1,
                            "loading a bucket", err));
    l->errors = memory;
    l->rooms = (stream_chunk_room *)(void *)(l->errors + nthreads);
    tsr_parallel(nthreads, load_some, l);
    tsr_status status = TSR_OK;
    for (int t = 0; t < nthreads; t++) {
        if (status == TSR_OK)
            status = tsr_fail_as(err, &l->errors[t]);
        stream_chunk_room_clear(&l->rooms[t]);
    }
    tsr_free(memory);
    return status;
}

/* The entries of a list as coordinates. */
static tsr_status load(tsr_coo **out, job *j, tsr_feed *feed, tsr_error *err)
{
    loading l = {.j = j};
    stream_list_chunk *chunks = NULL;
    tsr_status status;
    *out = NULL;
    TSR_TRY_OUT(tsr_coo_new_sized(&l.coo, (tsr_shape){j->facts.order, j->facts.dims}, j->facts.type,
                                  j->facts.iso, feed->facts.nnz, err));
    if (j->facts.iso)
        memcpy(l.coo->values.data, j->value, l.coo->values.width);
    TSR_TRY_OUT(stream_list_chunks(&chunks, &l.nchunks, feed, err));
    l.chunk = chunks;
    TSR_TRY_OUT(load_all(&l, err));
    *out = l.coo;
    l.coo = NULL;
out:
    tsr_free(chunks);
    tsr_coo_free(l.coo);
    return status;
}

static tsr_status pack_bucket(job *j, tsr_feed *feed, tsr_error *err)
{
    tsr_coo *coo;
    tsr_tensor *list;
    const tsr_observer observer = {.ctx = j, .progress = forward_progress};
    const tsr_pack_options how = {.duplicates = TSR_DUP_KEEP,
                                  .index_width = TSR_INDEX_NARROW,
                                  .nthreads = j->options.pack.nthreads,
                                  .observer = &observer};
    TSR_TRY(load(&coo, j, feed, err));
    TSR_TRY(tsr_pack(&list, coo, j->sorting, &how, NULL, err));
    const tsr_status status = stream_job_append(j, list, err);
    tsr_tensor_free(list);
    j->filled += feed->facts.nnz;
    return status;
}

/* ---- buckets ---- */

static tsr_status process_bucket(job *j, const stream_bucket *bucket, int depth, tsr_error *err)
{
    const stream_part part = {.file = &bucket->file, .nbytes = bucket->file.nbytes};
    const stream_list list = {.nentries = bucket->nentries, .nparts = 1, .part = &part};
    return stream_job_process(j, &list, depth, err);
}

static tsr_status process_all(job *j, stream_buckets *buckets, int first, int depth, tsr_error *err)
{
    const bool saves = depth == 1 && j->options.identity;
    for (int b = first; b < buckets->n; b++) {
        if (saves)
            TSR_TRY(stream_job_save_filled(j, buckets, b, buckets->n, err));
        if (b > first)
            stream_file_remove(&buckets->bucket[b - 1].file);
        if (buckets->bucket[b].nentries > 0)
            TSR_TRY(process_bucket(j, &buckets->bucket[b], depth, err));
    }
    if (saves)
        TSR_TRY(stream_job_save_filled(j, buckets, buckets->n, buckets->n, err));
    if (buckets->n > 0)
        stream_file_remove(&buckets->bucket[buckets->n - 1].file);
    return TSR_OK;
}

tsr_status stream_job_process_all(job *j, stream_buckets *buckets, int first, int depth, tsr_error *err)
{
    tsr_alloc_keep(true); /* a bucket takes the memory of the one before */
    const tsr_status status = process_all(j, buckets, first, depth, err);
    tsr_alloc_keep(false);
    return status;
}

int stream_job_count_buckets(const job *j, uint64_t nentries)
{
    /* the largest of the buckets that sampled splitters make has 1.3 times the mean */
    const uint64_t n = nentries / (j->capacity - j->capacity / 3 > 0 ? j->capacity - j->capacity / 3 : 1) + 1;
    return n < MAX_BUCKETS ? (int)n : MAX_BUCKETS;
}

/* Cut a bucket that does not fit memory. */
static tsr_status process_large(job *j, tsr_feed *feed, int depth, tsr_error *err)
{
    stream_sample sample;
    stream_splitters splitters = {0};
    stream_buckets buckets = {0};
    char name[32];
    bool falls = true;
    tsr_status status;
    TSR_TRY_OUT(stream_sample_take(&sample, feed, &j->map, &j->rows[0], &feed->facts, err));
    if (sample.sorted) {
        TSR_TRY_OUT(stream_job_fill_in_order(&falls, j, feed, true, err));
        TSR_TRY_OUT(tsr_feed_seek(feed, 0, UINT64_MAX, err));
    }
    if (!falls) {
        TSR_TRY_OUT(stream_job_fill_in_order(&falls, j, feed, false, err));
        goto out;
    }
    if (depth > MAX_DEPTH)
        TSR_TRY_OUT(tsr_fail(err, TSR_LIMIT,
                             "%" PRIu64 " entries cannot be cut into parts that fit memory: use more memory",
                             feed->facts.nnz));
    const int nbuckets = stream_job_count_buckets(j, feed->facts.nnz);
    TSR_TRY_OUT(stream_splitters_new(&splitters, &sample, nbuckets > 2 ? nbuckets : 2, err));
    stream_sample_clear(&sample);
    snprintf(name, sizeof name, "part%d-", depth);
    const stream_buckets_plan plan = {.n = splitters.n + 1,
                                      .folder = j->options.folder,
                                      .name = name,
                                      .nbytes = j->staging_nbytes,
                                      .nthreads = j->nthreads};
    TSR_TRY_OUT(stream_buckets_new(&buckets, &plan, &j->facts, err));
    TSR_TRY_OUT(stream_job_scatter(&buckets, j, feed, &splitters, false, err));
    j->stats.nbuckets += (uint64_t)buckets.n;
    status = stream_job_process_all(j, &buckets, 0, depth + 1, err);
out:
    stream_sample_clear(&sample);
    stream_splitters_clear(&splitters);
    stream_buckets_clear(&buckets);
    return status;
}

tsr_status stream_job_process(job *j, const stream_list *list, int depth, tsr_error *err)
{
    tsr_feed *feed;
    TSR_TRY(stream_list_feed(&feed, list, &j->facts, err));
    const tsr_status status =
        list->nentries <= j->capacity ? pack_bucket(j, feed, err) : process_large(j, feed, depth, err);
    tsr_feed_close(feed);
    return status;
}
