/* tsr_stream_pack: see tsr_stream.h. The entries go to buckets by splitters of the storage order; each bucket is sorted by
 * tsr_pack, which stores it as a list of storage coordinates that keeps duplicates, and appended to the level arrays. A bucket
 * that does not fit memory is cut again by splitters of its own. Entries in storage order need no bucket. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream_internal.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

enum { MAX_BUCKETS = 256, MAX_DEPTH = 12 };

typedef struct job {
    tsr_feed *feed;
    const tsr_format *format;
    tsr_stream_options options;
    tsr_stream_stats stats;
    int nthreads;
    uint64_t capacity;       /* entries of a bucket that fits memory */
    uint64_t staging_nbytes; /* of all buckets while they are filled */
    /* what is known of the entries; final after the first pass */
    tsr_facts facts;
    uint64_t n;                                /* entries read */
    uint64_t max[TSR_MAX_ORDER];               /* largest coordinates */
    bool real;                                 /* a run had f64 values */
    unsigned char value[TSR_MAX_VALUE_NBYTES]; /* iso: the value, of facts.type in the end */
    tsr_type value_type;
    stream_map map;      /* for comparing; of the final dims after the first pass */
    stream_rows *rows;   /* nthreads */
    tsr_format *sorting; /* the list of storage coordinates */
    stream_fill *fill;
    uint64_t filled;            /* entries, for progress */
    stream_splitters splitters; /* of the first pass */
    uint64_t saved_place;       /* of the last checkpoint of the first pass */
} job;

/* ---- passes over runs ---- */

/* Remember what a run shows. */
static void note_run(job *j, const tsr_run *run)
{
    if (!j->facts.has_dims)
        for (int m = 0; m < j->facts.order; m++)
            for (uint64_t i = 0; i < run->n; i++)
                j->max[m] = run->crd[m][i] > j->max[m] ? run->crd[m][i] : j->max[m];
    j->real = j->real || run->type == TSR_F64;
    if (j->facts.iso && j->n == 0) {
        memcpy(j->value, run->values, tsr_type_nbytes(run->type));
        j->value_type = run->type;
    }
    j->n += run->n;
}

/* A run whose entries get their buckets on all threads. */
typedef struct finding {
    job *j;
    const tsr_run *run;
    const stream_splitters *splitters;
    uint16_t *id;
    tsr_error *errors; /* nthreads */
} finding;

static void find_some(void *arg, int t, int nthreads)
{
    finding *const f = arg;
    stream_rows *const rows = &f->j->rows[t];
    const uint64_t nblocks = (f->run->n + STREAM_BLOCK - 1) / STREAM_BLOCK;
    for (uint64_t b = tsr_cut(nblocks, t, nthreads); b < tsr_cut(nblocks, t + 1, nthreads); b++) {
        const uint64_t first = b * STREAM_BLOCK;
        const size_t n = f->run->n - first < STREAM_BLOCK ? (size_t)(f->run->n - first) : STREAM_BLOCK;
        if (stream_map_apply(rows, &f->j->map, f->run, first, n, &f->errors[t]) != TSR_OK)
            return;
        stream_splitters_find(f->id + first, f->splitters, rows, n);
    }
}

static tsr_status find_buckets(finding *f, tsr_error *err)
{
    enum { PER_THREAD = 1 << 12 };
    const uint64_t useful = f->run->n / PER_THREAD + 1;
    const int nthreads = useful < (uint64_t)f->j->nthreads ? (int)useful : f->j->nthreads;
    for (int t = 0; t < nthreads; t++)
        f->errors[t] = (tsr_error){0};
    if (f->splitters->n == 0 && f->j->map.bound == 0) {
        memset(f->id, 0, f->run->n * sizeof *f->id);
        return TSR_OK;
    }
    tsr_parallel(nthreads, find_some, f);
    for (int t = 0; t < nthreads; t++)
        if (f->errors[t].status != TSR_OK) {
            if (err)
                *err = f->errors[t];
            return f->errors[t].status;
        }
    return TSR_OK;
}

/* ---- checkpoints ---- */

/* Save what the entries have shown so far. phase 0: the first pass; 1: buckets are packed. */
static void save_facts(const job *j, stream_state *state, uint64_t phase)
{
    const tsr_facts *const f = &j->facts;
    const uint64_t numbers[] = {phase,
                                f->has_dims,
                                f->has_nnz,
                                f->nnz,
                                (uint64_t)f->type,
                                f->integers,
                                f->mixed,
                                j->feed->place,
                                j->n,
                                j->real,
                                (uint64_t)j->value_type,
                                j->stats.nbuckets,
                                j->stats.spilled_nbytes,
                                j->filled};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        stream_state_add(state, numbers[i]);
    for (int m = 0; m < f->order; m++) {
        stream_state_add(state, f->dims[m]);
        stream_state_add(state, j->max[m]);
    }
    stream_state_add_bytes(state, j->value, sizeof j->value);
}

static uint64_t load_facts(job *j, uint64_t *place, stream_state *state)
{
    tsr_facts *const f = &j->facts;
    const uint64_t phase = stream_state_get(state);
    f->has_dims = stream_state_get(state) != 0;
    f->has_nnz = stream_state_get(state) != 0;
    f->nnz = stream_state_get(state);
    f->type = (tsr_type)(stream_state_get(state) % TSR_NTYPES);
    f->integers = stream_state_get(state) != 0;
    f->mixed = stream_state_get(state) != 0;
    *place = stream_state_get(state);
    j->n = stream_state_get(state);
    j->real = stream_state_get(state) != 0;
    j->value_type = (tsr_type)(stream_state_get(state) % TSR_NTYPES);
    j->stats.nbuckets = stream_state_get(state);
    j->stats.spilled_nbytes = stream_state_get(state);
    j->filled = stream_state_get(state);
    for (int m = 0; m < f->order; m++) {
        f->dims[m] = stream_state_get(state);
        j->max[m] = stream_state_get(state);
    }
    stream_state_get_bytes(state, j->value, sizeof j->value);
    return phase;
}

static tsr_status save_pass(job *j, stream_buckets *buckets, tsr_error *err)
{
    stream_state state = {0};
    const stream_splitters *const s = &j->splitters;
    stream_state_begin(&state, j->options.identity);
    save_facts(j, &state, 0);
    stream_state_add(&state, (uint64_t)s->n);
    for (int i = 0; i < s->n; i++) {
        for (int l = 0; l < s->nlevels; l++)
            stream_state_add(&state, (uint64_t)s->key[(size_t)i * (size_t)s->nlevels + (size_t)l]);
        stream_state_add(&state, s->after[i]);
    }
    tsr_status status = stream_buckets_save(buckets, 0, &state, err);
    if (status == TSR_OK)
        status = stream_state_save(&state, j->options.folder, err);
    stream_state_clear(&state);
    return status;
}

/* After bucket b - 1 of the first pass: all that is in the level arrays. */
static tsr_status save_filled(job *j, stream_buckets *buckets, int b, tsr_error *err)
{
    stream_state state = {0};
    stream_state_begin(&state, j->options.identity);
    save_facts(j, &state, 1);
    stream_state_add(&state, (uint64_t)buckets->n);
    stream_state_add(&state, (uint64_t)b);
    tsr_status status = stream_buckets_save(buckets, b, &state, err);
    if (status == TSR_OK)
        status = stream_fill_save(j->fill, &state, err);
    if (status == TSR_OK)
        status = stream_state_save(&state, j->options.folder, err);
    stream_state_clear(&state);
    return status;
}

/* After a run of the first pass: progress, and a checkpoint now and then. */
static tsr_status pass_step(job *j, stream_buckets *buckets, tsr_error *err)
{
    enum { STEP_NBYTES = 256 << 20, PARTS = 16 };
    const tsr_feed *const feed = j->feed;
    const uint64_t part = feed->length / PARTS, step = part < STEP_NBYTES ? part : STEP_NBYTES;
    if (j->options.identity && feed->can_seek && feed->place - j->saved_place > step) {
        TSR_TRY(save_pass(j, buckets, err));
        j->saved_place = feed->place;
    }
    return tsr_progress(j->options.pack.observer, "read", feed->place, feed->length, err);
}

/* ---- the first pass ---- */

/* Distribute all entries of the feed. first_pass: of the input itself. */
static tsr_status scatter(stream_buckets *buckets, job *j, tsr_feed *feed, const stream_splitters *splitters,
                          bool first_pass, tsr_error *err)
{
    finding f = {.j = j, .splitters = splitters};
    uint64_t room = 0;
    tsr_run run;
    tsr_status status;
    f.errors = tsr_calloc((size_t)j->nthreads, sizeof *f.errors);
    if (!f.errors)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    f.run = &run;
    for (;;) {
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        if (run.n > room) {
            tsr_free(f.id);
            f.id = tsr_malloc(run.n * sizeof *f.id);
            room = f.id ? run.n : 0;
            if (!f.id)
                TSR_TRY_OUT(tsr_fail(err, TSR_NOMEM, "out of memory"));
        }
        if (first_pass)
            note_run(j, &run);
        TSR_TRY_OUT(find_buckets(&f, err));
        TSR_TRY_OUT(stream_buckets_add(buckets, &run, f.id, err));
        if (first_pass)
            TSR_TRY_OUT(pass_step(j, buckets, err));
    }
    status = stream_buckets_end(buckets, err);
    for (int b = 0; status == TSR_OK && b < buckets->n; b++)
        j->stats.spilled_nbytes += buckets->bucket[b].file.nbytes;
out:
    tsr_free(f.id);
    tsr_free(f.errors);
    return status;
}

/* ---- values ---- */

/* out: n values of the final type. */
static tsr_status convert(void *out, const job *j, const void *values, tsr_type type, uint64_t n,
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

/* Add runs in storage order to the level arrays. *falls: an entry is less than the one before, and nothing counts. Where
 * `only_look`, nothing is added. */
static tsr_status fill_in_order(bool *falls, job *j, tsr_feed *feed, bool only_look, tsr_error *err)
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
            TSR_TRY_OUT(convert(room, j, (const unsigned char *)run.values + first * step, run.type,
                                j->facts.iso ? 0 : n, err));
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

static tsr_status load(tsr_coo **out, job *j, tsr_feed *feed, tsr_error *err)
{
    tsr_coo *coo;
    tsr_run run;
    uint64_t at = 0;
    const uint64_t n = feed->facts.nnz;
    *out = NULL;
    TSR_TRY(tsr_coo_new_sized(&coo, (tsr_shape){j->facts.order, j->facts.dims}, j->facts.type, j->facts.iso,
                              n, err));
    tsr_status status;
    if (j->facts.iso)
        memcpy(coo->values.data, j->value, coo->values.width);
    for (;;) {
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        if (run.n == 0 || run.n > n - at)
            break;
        for (int m = 0; m < coo->order; m++)
            tsr_array_store(&coo->crd[m], at, run.crd[m], run.n);
        if (!coo->iso)
            TSR_TRY_OUT(convert((unsigned char *)coo->values.data + at * coo->values.width, j, run.values,
                                run.type, run.n, err));
        at += run.n;
    }
    if (at != n)
        TSR_TRY_OUT(tsr_fail(err, TSR_CORRUPT, "a temporary file has changed"));
    *out = coo;
    return TSR_OK;
out:
    tsr_coo_free(coo);
    return status;
}

/* Add a list of storage coordinates to the level arrays. */
static tsr_status fill_from(job *j, const tsr_tensor *list, tsr_error *err)
{
    uint64_t *coord[TSR_MAX_LEVELS];
    for (int l = 0; l < list->nlevels; l++)
        coord[l] = (uint64_t *)j->rows[0].level[l];
    const size_t step = list->iso ? 0 : list->values.width;
    for (uint64_t first = 0; first < list->npos; first += STREAM_BLOCK) {
        const size_t n = list->npos - first < STREAM_BLOCK ? (size_t)(list->npos - first) : STREAM_BLOCK;
        for (int l = 0; l < list->nlevels; l++)
            tsr_array_load(coord[l], &list->levels[l].crd, first, n);
        TSR_TRY(
            stream_fill_add(j->fill, coord, (const unsigned char *)list->values.data + first * step, n, err));
    }
    return TSR_OK;
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
    const tsr_status status = fill_from(j, list, err);
    tsr_tensor_free(list);
    j->filled += feed->facts.nnz;
    return status;
}

/* ---- buckets ---- */

static tsr_status process(job *j, const stream_bucket *bucket, int depth, tsr_error *err);

/* Pack buckets from number `first` on. Those of the first pass (depth 1) are checkpoints. */
static tsr_status process_all(job *j, stream_buckets *buckets, int first, int depth, tsr_error *err)
{
    const bool saves = depth == 1 && j->options.identity;
    for (int b = first; b < buckets->n; b++) {
        if (saves)
            TSR_TRY(save_filled(j, buckets, b, err));
        if (b > first)
            stream_file_remove(&buckets->bucket[b - 1].file);
        if (buckets->bucket[b].nentries > 0)
            TSR_TRY(process(j, &buckets->bucket[b], depth, err));
    }
    if (saves)
        TSR_TRY(save_filled(j, buckets, buckets->n, err));
    if (buckets->n > 0)
        stream_file_remove(&buckets->bucket[buckets->n - 1].file);
    return TSR_OK;
}

static int count_buckets(const job *j, uint64_t nentries)
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
        TSR_TRY_OUT(fill_in_order(&falls, j, feed, true, err));
        TSR_TRY_OUT(tsr_feed_seek(feed, 0, UINT64_MAX, err));
    }
    if (!falls) {
        TSR_TRY_OUT(fill_in_order(&falls, j, feed, false, err));
        goto out;
    }
    if (depth > MAX_DEPTH)
        TSR_TRY_OUT(tsr_fail(err, TSR_LIMIT,
                             "%" PRIu64 " entries cannot be cut into parts that fit memory: use more memory",
                             feed->facts.nnz));
    const int nbuckets = count_buckets(j, feed->facts.nnz);
    TSR_TRY_OUT(stream_splitters_new(&splitters, &sample, nbuckets > 2 ? nbuckets : 2, err));
    stream_sample_clear(&sample);
    snprintf(name, sizeof name, "part%d-", depth);
    const stream_buckets_plan plan = {
        .n = splitters.n + 1, .folder = j->options.folder, .name = name, .nbytes = j->staging_nbytes};
    TSR_TRY_OUT(stream_buckets_new(&buckets, &plan, &j->facts, err));
    TSR_TRY_OUT(scatter(&buckets, j, feed, &splitters, false, err));
    j->stats.nbuckets += (uint64_t)buckets.n;
    status = process_all(j, &buckets, 0, depth + 1, err);
out:
    stream_sample_clear(&sample);
    stream_splitters_clear(&splitters);
    stream_buckets_clear(&buckets);
    return status;
}

static tsr_status process(job *j, const stream_bucket *bucket, int depth, tsr_error *err)
{
    tsr_feed *feed;
    TSR_TRY(stream_bucket_feed(&feed, bucket, &j->facts, err));
    const tsr_status status =
        bucket->nentries <= j->capacity ? pack_bucket(j, feed, err) : process_large(j, feed, depth, err);
    tsr_feed_close(feed);
    return status;
}

/* ---- the whole ---- */

/* After the first pass: everything is known. */
static tsr_status settle_facts(job *j, tsr_error *err)
{
    tsr_facts *const facts = &j->facts;
    unsigned char value[TSR_MAX_VALUE_NBYTES];
    if (facts->has_nnz && facts->nnz != j->n)
        return tsr_fail(err, TSR_SYNTAX, "the input has %" PRIu64 " entries, but %" PRIu64 " are announced",
                        j->n, facts->nnz);
    facts->has_nnz = true;
    facts->nnz = j->n;
    if (!facts->has_dims)
        for (int m = 0; m < facts->order; m++)
            facts->dims[m] = j->n ? j->max[m] + 1 : 0;
    facts->has_dims = true;
    if (facts->integers && !j->real)
        facts->type = TSR_I64;
    facts->integers = facts->mixed = false;
    if (facts->iso && j->n > 0) {
        TSR_TRY(convert(value, j, j->value, j->value_type, 1, err));
        memcpy(j->value, value, sizeof value);
    }
    return TSR_OK;
}

/* Everything that depends on the final dims: the map, the level arrays. */
static tsr_status start_fill(job *j, bool continues, tsr_error *err)
{
    stream_map_clear(&j->map);
    TSR_TRY(stream_map_init(&j->map, j->format, &j->facts, err));
    for (int t = 0; t < j->nthreads; t++) {
        stream_rows_clear(&j->rows[t]);
        TSR_TRY(stream_rows_init(&j->rows[t], &j->map, err));
    }
    TSR_TRY(stream_fill_new(&j->fill, j->map.binding, &j->facts, &j->options, continues, err));
    return stream_fill_add(j->fill, NULL, j->value, 0, err);
}

static tsr_status start_rows(job *j, tsr_error *err)
{
    tsr_level_spec levels[TSR_MAX_LEVELS] = {{0}};
    for (int l = 0; l < j->format->nlevels; l++)
        levels[l] =
            (tsr_level_spec){.type = l == 0 ? tsr_level_of_list : tsr_level_of_tuple, .nonunique = true};
    TSR_TRY(tsr_format_new(&j->sorting, j->format->map, levels, err));
    tsr_status status = stream_map_init(&j->map, j->format, &j->facts, j->facts.has_dims ? err : NULL);
    if (status != TSR_OK && !j->facts.has_dims) { /* the map contains dims */
        stream_map_clear(&j->map);
        TSR_TRY(tsr_stream_count(&j->facts, &j->real, j->feed, j->options.pack.observer, err));
        status = stream_map_init(&j->map, j->format, &j->facts, err);
    }
    TSR_TRY(status);
    j->rows = tsr_calloc((size_t)j->nthreads, sizeof *j->rows);
    if (!j->rows)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int t = 0; t < j->nthreads; t++)
        TSR_TRY(stream_rows_init(&j->rows[t], &j->map, err));
    return TSR_OK;
}

/* How the memory is shared out. A bucket is held as coordinates, and a second time while it is sorted. */
static void share_out(job *j)
{
    uint64_t nbytes = j->options.memory_nbytes;
    if (nbytes == 0) {
        tsr_memory_room room;
        tsr_memory_find_room(&room);
        nbytes = room.nbytes - room.nbytes / 8;
    }
    const tsr_facts *const facts = &j->facts;
    uint64_t each = tsr_type_nbytes(facts->type);
    for (int m = 0; m < facts->order; m++)
        each += facts->has_dims && facts->dims[m] > UINT32_MAX ? 8 : 4;
    each = each * 5 / 2 + 2;
    const uint64_t most = UINT64_C(256) << 20;
    j->staging_nbytes = nbytes / 8 < most ? nbytes / 8 : most;
    j->capacity = (nbytes - j->staging_nbytes) / each;
    j->capacity = j->capacity < 1024 ? 1024 : j->capacity;
    if (j->options.bucket_nentries > 0)
        j->capacity = j->options.bucket_nentries;
}

/* The entries may be in storage order: try without buckets. */
static tsr_status try_in_order(bool *falls, job *j, tsr_error *err)
{
    tsr_facts facts;
    TSR_TRY(tsr_stream_count(&facts, &j->real, j->feed, j->options.pack.observer, err));
    j->facts = facts;
    if (facts.iso) {
        tsr_run run;
        TSR_TRY(tsr_feed_next(&run, j->feed, err));
        if (run.n > 0)
            TSR_TRY(convert(j->value, j, run.values, run.type, 1, err));
        TSR_TRY(tsr_feed_seek(j->feed, 0, UINT64_MAX, err));
    }
    TSR_TRY(start_fill(j, false, err));
    TSR_TRY(fill_in_order(falls, j, j->feed, false, err));
    if (!*falls) {
        j->stats.pack.was_sorted = true;
        return TSR_OK;
    }
    stream_fill_free(j->fill);
    j->fill = NULL;
    j->filled = 0;
    return tsr_feed_seek(j->feed, 0, UINT64_MAX, err);
}

/* The room that buckets take, and the level arrays as far as the dims alone determine them. */
static tsr_status check_space(const job *j, const stream_sample *sample, tsr_error *err)
{
    enum { COORDINATE_NBYTES = 4, VALUE_NBYTES = 4 };
    const double each = COORDINATE_NBYTES * j->facts.order + (j->facts.iso ? 0 : VALUE_NBYTES);
    return stream_space_check(j->options.folder, each * (double)sample->nentries, err);
}

static tsr_status check_arrays(const job *j, tsr_error *err)
{
    const tsr_facts *const f = &j->facts;
    bool full = true;
    for (int l = 0; l < j->format->nlevels; l++)
        full = full && j->format->levels[l].type->full;
    const double nbytes =
        full ? tsr_pack_nbytes_bound(j->format, f->dims, f->type, f->nnz, j->options.pack.index_width)
             : (double)f->nnz * (double)(4 + (f->iso ? 0 : tsr_type_nbytes(f->type)));
    return stream_space_check(j->options.folder, nbytes, err);
}

static const char bucket_name[] = "bucket";

/* Everything after the first pass, from bucket `first` on; state: the level arrays of a stopped run, or NULL. */
static tsr_status pack_buckets(job *j, stream_buckets *buckets, int first, stream_state *state,
                               tsr_error *err)
{
    TSR_TRY(check_arrays(j, err));
    TSR_TRY(start_fill(j, state != NULL, err));
    if (state)
        TSR_TRY(stream_fill_continue(j->fill, state, err));
    if (state)
        TSR_TRY(stream_state_check(state, j->options.folder, err));
    return process_all(j, buckets, first, 1, err);
}

/* The first pass from where the feed stands, and all that follows. */
static tsr_status pass_on(job *j, stream_buckets *buckets, tsr_error *err)
{
    TSR_TRY(scatter(buckets, j, j->feed, &j->splitters, true, err));
    j->stats.nbuckets += (uint64_t)buckets->n;
    TSR_TRY(settle_facts(j, err));
    return pack_buckets(j, buckets, 0, NULL, err);
}

static tsr_status distribute(job *j, const stream_sample *sample, tsr_error *err)
{
    stream_buckets buckets = {0};
    tsr_status status;
    TSR_TRY_OUT(check_space(j, sample, err));
    TSR_TRY_OUT(stream_splitters_new(&j->splitters, sample, count_buckets(j, sample->nentries), err));
    const stream_buckets_plan plan = {.keep = j->options.identity != NULL,
                                      .n = j->splitters.n + 1,
                                      .folder = j->options.folder,
                                      .name = bucket_name,
                                      .nbytes = j->staging_nbytes};
    TSR_TRY_OUT(stream_buckets_new(&buckets, &plan, &j->facts, err));
    status = pass_on(j, &buckets, err);
out:
    stream_buckets_clear(&buckets);
    return status;
}

/* ---- stopped runs ---- */

static tsr_status load_splitters(job *j, stream_state *state, tsr_error *err)
{
    stream_splitters *const s = &j->splitters;
    void *memory;
    const uint64_t n = stream_state_get(state);
    const size_t width = (size_t)j->format->nlevels;
    s->nlevels = j->format->nlevels;
    if (n > UINT16_MAX || state->failed)
        return tsr_fail(err, TSR_CORRUPT, "the state in %s is damaged: remove that folder",
                        j->options.folder);
    TSR_TRY(tsr_alloc_array(&memory, n + 1, width * sizeof(int64_t) + 1, 0, "splitters", err));
    s->key = memory;
    s->after = (uint8_t *)(s->key + (size_t)(n + 1) * width);
    for (s->n = 0; s->n < (int)n; s->n++) {
        for (size_t l = 0; l < width; l++)
            s->key[(size_t)s->n * width + l] = (int64_t)stream_state_get(state);
        s->after[s->n] = stream_state_get(state) != 0;
    }
    return TSR_OK;
}

/* Continue a stopped run. */
static tsr_status resume(job *j, tsr_error *err)
{
    stream_state state = {0};
    stream_buckets buckets = {0};
    stream_buckets_plan plan = {.keep = true,
                                .state = &state,
                                .folder = j->options.folder,
                                .name = bucket_name,
                                .nbytes = j->staging_nbytes};
    uint64_t place, first = 0;
    tsr_status status;
    TSR_TRY_OUT(stream_state_load(&state, j->options.folder, j->options.identity, err));
    const uint64_t phase = load_facts(j, &place, &state);
    if (phase == 0) {
        TSR_TRY_OUT(load_splitters(j, &state, err));
        plan.n = j->splitters.n + 1;
    } else {
        const uint64_t n = stream_state_get(&state);
        first = stream_state_get(&state);
        plan.n = n <= UINT16_MAX ? (int)n : 0;
        first = first <= n ? first : n;
    }
    TSR_TRY_OUT(stream_state_check(&state, j->options.folder, err));
    TSR_TRY_OUT(stream_buckets_new(&buckets, &plan, &j->facts, err));
    TSR_TRY_OUT(stream_state_check(&state, j->options.folder, err));
    if (phase == 0) {
        TSR_TRY_OUT(tsr_feed_seek(j->feed, place, UINT64_MAX, err));
        j->saved_place = place;
        status = pass_on(j, &buckets, err);
    } else {
        TSR_TRY_OUT(stream_buckets_end(&buckets, err));
        status = pack_buckets(j, &buckets, (int)first, &state, err);
    }
out:
    stream_buckets_clear(&buckets);
    stream_state_clear(&state);
    return status;
}

static tsr_status check_arguments(const job *j, tsr_error *err)
{
    if (j->facts.order != j->format->order)
        return tsr_fail(err, TSR_ARGUMENT, "the format has %d modes, but the tensor has %d", j->format->order,
                        j->facts.order);
    if (j->format->nlevels == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "a scalar is packed in memory only");
    if (j->options.pack.duplicates != TSR_DUP_KEEP || tsr_format_keeps_duplicates(j->format))
        return TSR_OK;
    tsr_text text = {0};
    tsr_format_print(&text, j->format);
    const tsr_status status = tsr_fail(
        err, TSR_ARGUMENT, "%s stores each coordinate once: keeping duplicates needs a nonunique last level",
        tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return status;
}

static tsr_status run_job(tsr_parts **out, job *j, tsr_error *err)
{
    stream_sample sample = {.sorted = false, .nlevels = j->format->nlevels};
    bool falls = true;
    tsr_status status;
    TSR_TRY(check_arguments(j, err));
    TSR_TRY(start_rows(j, err));
    share_out(j);
    const bool stopped = j->options.identity && stream_state_has(j->options.folder);
    if (stopped)
        TSR_TRY_OUT(resume(j, err));
    else if (j->feed->can_seek)
        TSR_TRY_OUT(stream_sample_take(&sample, j->feed, &j->map, &j->rows[0], &j->facts, err));
    if (sample.sorted)
        TSR_TRY_OUT(try_in_order(&falls, j, err));
    if (falls && !stopped)
        TSR_TRY_OUT(distribute(j, &sample, err));
    const bool was_sorted = j->stats.pack.was_sorted;
    TSR_TRY_OUT(stream_fill_end(out, j->fill, &j->stats.pack, err));
    j->stats.pack.was_sorted = was_sorted;
out:
    stream_sample_clear(&sample);
    return status;
}

static void end_job(job *j)
{
    stream_fill_free(j->fill);
    for (int t = 0; j->rows && t < j->nthreads; t++)
        stream_rows_clear(&j->rows[t]);
    tsr_free(j->rows);
    stream_map_clear(&j->map);
    tsr_format_free(j->sorting);
    stream_splitters_clear(&j->splitters);
    tsr_free(j);
}

tsr_status tsr_stream_pack(tsr_parts **out, tsr_feed *feed, const tsr_format *format,
                           const tsr_stream_options *options, tsr_stream_stats *stats, tsr_error *err)
{
    *out = NULL;
    job *const j = tsr_calloc(1, sizeof *j);
    if (!j)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    j->feed = feed;
    j->format = format;
    j->options = *options;
    j->facts = feed->facts;
    j->nthreads = tsr_thread_count(options->pack.nthreads);
#ifdef TSR_FAULTS
    const char *const bucket = getenv("TSR_STREAM_BUCKET");
    if (bucket && j->options.bucket_nentries == 0)
        j->options.bucket_nentries = strtoull(bucket, NULL, 10);
#endif
    const tsr_status status = run_job(out, j, err);
    if (status == TSR_OK && stats)
        *stats = j->stats;
    end_job(j);
    return status;
}
