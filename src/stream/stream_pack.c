/* tsr_stream_pack: see tsr_stream.h. The entries go to buckets by splitters of the storage order; each bucket is sorted by
 * tsr_pack, which stores it as a list of storage coordinates that keeps duplicates, and appended to the level arrays. A bucket
 * that does not fit memory is cut again by splitters of its own. Entries in storage order need no bucket. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream_chunk.h"
#include "stream_ranks.h"
#include "tsr_memory.h"

typedef stream_job job;

/* ---- the whole ---- */

tsr_status stream_job_settle(job *j, tsr_error *err)
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
        TSR_TRY(stream_job_convert(value, j, j->value, j->value_type, 1, err));
        memcpy(j->value, value, sizeof value);
    }
    return TSR_OK;
}

/* The room of the level arrays, as far as the dims and the entries determine it. */
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

tsr_status stream_job_start_fill(job *j, stream_state *state, tsr_error *err)
{
    TSR_TRY(check_arrays(j, err));
    stream_map_clear(&j->map);
    TSR_TRY(stream_map_init(&j->map, j->format, &j->facts, err));
    for (int t = 0; t < j->nthreads; t++) {
        stream_rows_clear(&j->rows[t]);
        TSR_TRY(stream_rows_init(&j->rows[t], &j->map, err));
    }
    TSR_TRY(stream_fill_new(&j->fill, j->map.binding, &j->facts, &j->options, state != NULL, err));
    TSR_TRY(stream_fill_add(j->fill, NULL, j->value, 0, err));
    if (!state)
        return TSR_OK;
    TSR_TRY(stream_fill_continue(j->fill, state, err));
    return stream_state_check(state, j->options.folder, err);
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
    uint64_t most = UINT64_C(256) << 20;
    if (j->feed->length > 0 &&
        j->feed->length < most / 1024) /* the input has at most this number of entries */
        most = (UINT64_C(1) << 20) + j->feed->length * 8 * stream_entry_nbytes(facts->order);
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
            TSR_TRY(stream_job_convert(j->value, j, run.values, run.type, 1, err));
        TSR_TRY(tsr_feed_seek(j->feed, 0, UINT64_MAX, err));
    }
    TSR_TRY(stream_job_start_fill(j, NULL, err));
    TSR_TRY(stream_job_fill_in_order(falls, j, j->feed, false, err));
    if (!*falls) {
        j->stats.pack.was_sorted = true;
        return TSR_OK;
    }
    stream_fill_free(j->fill);
    j->fill = NULL;
    j->filled = 0;
    return tsr_feed_seek(j->feed, 0, UINT64_MAX, err);
}

tsr_status stream_job_check_space(const job *j, const stream_sample *sample, tsr_error *err)
{
    enum { COORDINATE_NBYTES = 4, VALUE_NBYTES = 4 };
    const double each = COORDINATE_NBYTES * j->facts.order + (j->facts.iso ? 0 : VALUE_NBYTES);
    return stream_space_check(j->options.folder, each * (double)sample->nentries, err);
}

static const char bucket_name[] = "bucket";

/* Everything after the first pass, from bucket `first` on; state: the level arrays of a stopped run, or NULL. */
static tsr_status pack_buckets(job *j, stream_buckets *buckets, int first, stream_state *state,
                               tsr_error *err)
{
    TSR_TRY(stream_job_start_fill(j, state, err));
    return stream_job_process_all(j, buckets, first, 1, err);
}

/* The first pass from where the feed stands, and all that follows. */
static tsr_status pass_on(job *j, stream_buckets *buckets, tsr_error *err)
{
    TSR_TRY(stream_job_scatter(buckets, j, j->feed, &j->splitters, true, err));
    j->stats.nbuckets += (uint64_t)buckets->n;
    TSR_TRY(stream_job_settle(j, err));
    return pack_buckets(j, buckets, 0, NULL, err);
}

static tsr_status distribute(job *j, const stream_sample *sample, tsr_error *err)
{
    stream_buckets buckets = {0};
    tsr_status status;
    TSR_TRY_OUT(stream_job_check_space(j, sample, err));
    TSR_TRY_OUT(
        stream_splitters_new(&j->splitters, sample, stream_job_count_buckets(j, sample->nentries), err));
    const stream_buckets_plan plan = {.keep = j->options.identity != NULL,
                                      .n = j->splitters.n + 1,
                                      .folder = j->options.folder,
                                      .name = bucket_name,
                                      .nbytes = j->staging_nbytes,
                                      .nthreads = j->nthreads};
    TSR_TRY_OUT(stream_buckets_new(&buckets, &plan, &j->facts, err));
    status = pass_on(j, &buckets, err);
out:
    stream_buckets_clear(&buckets);
    return status;
}

/* ---- stopped runs ---- */

static tsr_status resume(job *j, tsr_error *err)
{
    stream_state state = {0};
    stream_buckets buckets = {0};
    stream_buckets_plan plan = {.keep = true,
                                .state = &state,
                                .folder = j->options.folder,
                                .name = bucket_name,
                                .nbytes = j->staging_nbytes,
                                .nthreads = j->nthreads};
    uint64_t place, first = 0;
    tsr_status status;
    TSR_TRY_OUT(stream_state_load(&state, j->options.folder, j->state, j->options.identity, err));
    const uint64_t phase = stream_job_load_facts(j, &place, &state);
    if (phase == 0) {
        TSR_TRY_OUT(stream_job_load_splitters(j, &state, err));
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
    for (int l = 0; l < j->format->nlevels; l++)
        if (j->format->levels[l].type->assemble)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "%s levels are packed in memory only: give more memory, or use another format",
                            j->format->levels[l].type->name);
    if (j->options.pack.duplicates != TSR_DUP_KEEP || tsr_format_keeps_duplicates(j->format))
        return TSR_OK;
    tsr_text text = {0};
    tsr_format_print_name(&text, j->format);
    const tsr_status status = tsr_fail(
        err, TSR_ARGUMENT, "%s stores each coordinate once: keeping duplicates needs a nonunique last level",
        tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return status;
}

static tsr_status run_job(tsr_parts **out, job *j, tsr_error *err)
{
    stream_sample sample = {.sorted = false, .nlevels = j->format->nlevels};
    bool falls = true, fills = true;
    tsr_status status;
    status = check_arguments(j, err);
    if (status == TSR_OK)
        status = start_rows(j, err);
    share_out(j);
    TSR_TRY(j->options.ranks ? tsr_ranks_agree(j->options.ranks, status, err) : status);
    if (j->options.ranks)
        return stream_ranks_run(out, j, err);
    if (j->options.step != TSR_STREAM_WHOLE) {
        TSR_TRY(stream_shard_run(&fills, j, err));
        return fills ? stream_fill_end(out, j->fill, &j->stats.pack, err) : TSR_OK;
    }
    const bool stopped = j->options.identity && stream_state_has(j->options.folder, j->state);
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
    stream_job_free_pieces(j);
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
    const tsr_status begun = j ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    const tsr_status all = options->ranks ? tsr_ranks_agree(options->ranks, begun, err) : begun;
    if (!j || all != TSR_OK) {
        tsr_free(j);
        return all;
    }
    j->feed = feed;
    j->format = format;
    j->options = *options;
    j->facts = feed->facts;
    j->nthreads = tsr_thread_count(options->pack.nthreads);
    j->state = "state";
    j->end_place = UINT64_MAX;
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
