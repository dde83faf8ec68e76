/* The pass over the entries that appends each to its bucket: see stream_job.h. */
#include "stream_job.h"

typedef stream_job job;

/* ---- passes over runs ---- */

/* Remember what a run shows. */
static void note_run(job *j, const tsr_run *run)
{
    for (int m = 0; m < j->facts.order && !j->facts.has_dims; m++) {
        for (uint64_t i = 0; i < run->n && !run->max; i++)
            j->max[m] = run->crd[m][i] > j->max[m] ? run->crd[m][i] : j->max[m];
        if (run->max && run->max[m] > j->max[m])
            j->max[m] = run->max[m];
    }
    j->real = j->real || run->type == TSR_F64;
    if (j->facts.iso && j->n == 0) {
        memcpy(j->value, run->values, tsr_type_nbytes(run->type));
        j->value_type = run->type;
    }
    j->n += run->n;
}

/* Find the buckets of entries [first, first + n) of the run, in thread t. After an error the numbers are 0. */
static void find_range(void *ctx, int t, uint64_t first, uint64_t n)
{
    stream_finder *const f = ctx;
    stream_rows *const rows = &f->j->rows[t];
    for (uint64_t i = first; i < first + n; i += STREAM_BLOCK) {
        const size_t k = first + n - i < STREAM_BLOCK ? (size_t)(first + n - i) : STREAM_BLOCK;
        if (f->errors[t].status == TSR_OK &&
            stream_map_apply(rows, &f->j->map, f->run, i, k, &f->errors[t]) == TSR_OK)
            stream_guide_find(f->id + i, f->guide, rows, k);
        else
            memset(f->id + i, 0, k * sizeof *f->id);
    }
}

static void find_some(void *arg, int t, int nthreads)
{
    const stream_finder *const f = arg;
    const uint64_t first = tsr_cut(f->run->n, t, nthreads);
    find_range(arg, t, first, tsr_cut(f->run->n, t + 1, nthreads) - first);
}

/* Make the finder ready for a run. */
static tsr_status start_finding(stream_finder *finder, job *j, const tsr_run *run,
                                const stream_splitters *splitters, tsr_error *err)
{
    finder->j = j;
    finder->run = run;
    if (run->n > finder->room) {
        tsr_free(finder->id);
        finder->id = tsr_malloc(run->n * sizeof *finder->id);
        finder->room = finder->id ? run->n : 0;
    }
    if (!finder->errors)
        finder->errors = tsr_calloc((size_t)j->nthreads, sizeof *finder->errors);
    if (!finder->guide)
        finder->guide = tsr_calloc(1, sizeof *finder->guide);
    if (!finder->id || !finder->errors || !finder->guide)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    if (finder->guide->splitters != splitters)
        stream_guide_init(finder->guide, splitters);
    memset(finder->errors, 0, (size_t)j->nthreads * sizeof *finder->errors);
    return TSR_OK;
}

static tsr_status check_found(const stream_finder *finder, tsr_error *err)
{
    for (int t = 0; t < finder->j->nthreads; t++)
        TSR_TRY(tsr_fail_as(err, &finder->errors[t]));
    return TSR_OK;
}

tsr_status stream_finder_find(stream_finder *finder, job *j, const tsr_run *run,
                              const stream_splitters *splitters, tsr_error *err)
{
    enum { PER_THREAD = 1 << 12 };
    const uint64_t useful = run->n / PER_THREAD + 1;
    const int nthreads = useful < (uint64_t)j->nthreads ? (int)useful : j->nthreads;
    TSR_TRY(start_finding(finder, j, run, splitters, err));
    if (splitters->n == 0 && j->map.bound == 0) {
        memset(finder->id, 0, run->n * sizeof *finder->id);
        return TSR_OK;
    }
    tsr_parallel(nthreads, find_some, finder);
    return check_found(finder, err);
}

/* Append the entries of the run to their buckets, which are found by the threads that order the entries. */
static tsr_status deal_out(stream_buckets *buckets, stream_finder *finder, job *j, const tsr_run *run,
                           const stream_splitters *splitters, tsr_error *err)
{
    if (buckets->n == 1)
        TSR_TRY(stream_finder_find(finder, j, run, splitters, err)); /* for its errors */
    else
        TSR_TRY(start_finding(finder, j, run, splitters, err));
    const stream_finding finding = {.id = finder->id, .find = find_range, .ctx = finder};
    TSR_TRY(stream_buckets_add(buckets, run, &finding, err));
    return check_found(finder, err);
}

void stream_finder_clear(stream_finder *finder)
{
    tsr_free(finder->id);
    tsr_free(finder->errors);
    tsr_free(finder->guide);
}

/* The place behind which the next checkpoint is. */
static uint64_t next_checkpoint(const job *j)
{
    enum { STEP_NBYTES = 256 << 20, PARTS = 16 };
    const tsr_feed *const feed = j->feed;
    const uint64_t part =
                       (j->end_place < feed->length ? j->end_place - j->first_place : feed->length) / PARTS,
                   step = part < STEP_NBYTES ? part : STEP_NBYTES;
    return j->options.identity && feed->can_seek && !feed->unsteady ? j->saved_place + step : UINT64_MAX;
}

/* After a run of the first pass: progress, and a checkpoint now and then. */
static tsr_status pass_step(job *j, stream_buckets *buckets, tsr_error *err)
{
    const tsr_feed *const feed = j->feed;
    if (feed->place > next_checkpoint(j)) {
        TSR_TRY(stream_job_save_pass(j, buckets, 0, err));
        j->saved_place = feed->place;
    }
    return tsr_progress(j->options.pack.observer, "read", feed->place, feed->length, err);
}

/* ---- runs that threads take ---- */

typedef struct taking {
    job *j;
    const stream_splitters *splitters;
    stream_turns turns;
    stream_finder *finder; /* of each thread */
    tsr_error *errors;     /* of each thread */
    int n;
} taking;

static tsr_status accept_run(void *ctx, int t, uint64_t place, const tsr_run *run, tsr_error *err)
{
    job *const j = ((taking *)ctx)->j;
    note_run(j, run);
    return t == 0 ? tsr_progress(j->options.pack.observer, "read", place, j->feed->length, err) : TSR_OK;
}

static bool take_run(void *ctx, int t, uint64_t k, const tsr_run *run)
{
    taking *const w = ctx;
    stream_finder *const finder = &w->finder[t];
    const stream_turn turn = {t, k};
    tsr_error *const err = &w->errors[t];
    tsr_status status = start_finding(finder, w->j, run, w->splitters, err);
    const stream_finding finding = {.id = finder->id, .find = find_range, .ctx = finder};
    if (status == TSR_OK)
        status = stream_turns_take(&w->turns, &turn, run, &finding, err);
    if (status == TSR_OK)
        status = check_found(finder, err);
    if (status != TSR_OK)
        stream_turns_stop(&w->turns);
    return status == TSR_OK;
}

/* All runs of the feed up to its last one, taken by threads. */
static tsr_status take_runs(taking *w, stream_buckets *buckets, tsr_error *err)
{
    const tsr_feed_share share = {.nthreads = w->n, .ctx = w, .accept = accept_run, .take = take_run};
    for (bool more = true; more;) {
        const uint64_t checkpoint = next_checkpoint(w->j);
        TSR_TRY(stream_turns_start(&w->turns, buckets, err));
        const tsr_status status = tsr_feed_spread(
            &more, w->j->feed, checkpoint < UINT64_MAX ? checkpoint + 1 : checkpoint, &share, err);
        stream_turns_clear(&w->turns);
        TSR_TRY(status);
        for (int t = 0; t < w->n; t++)
            TSR_TRY(tsr_fail_as(err, &w->errors[t]));
        TSR_TRY(pass_step(w->j, buckets, err));
    }
    return TSR_OK;
}

static tsr_status scatter_shared(stream_buckets *buckets, job *j, const stream_splitters *splitters,
                                 tsr_error *err)
{
    taking w = {.j = j, .splitters = splitters, .n = buckets->nwriters};
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)w.n, sizeof *w.finder + sizeof *w.errors, 1, "threads", err));
    w.errors = memory;
    w.finder = (stream_finder *)(void *)(w.errors + w.n);
    const tsr_status status = take_runs(&w, buckets, err);
    stream_turns_clear(&w.turns);
    for (int t = 0; t < w.n; t++)
        stream_finder_clear(&w.finder[t]);
    tsr_free(memory);
    return status;
}

/* ---- the first pass ---- */

tsr_status stream_job_scatter(stream_buckets *buckets, job *j, tsr_feed *feed,
                              const stream_splitters *splitters, bool first_pass, tsr_error *err)
{
    stream_finder finder = {0};
    tsr_run run;
    tsr_status status;
    if (first_pass && buckets->nwriters > 1 && tsr_feed_can_spread(feed))
        TSR_TRY_OUT(scatter_shared(buckets, j, splitters, err));
    for (;;) {
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        if (first_pass)
            note_run(j, &run);
        TSR_TRY_OUT(deal_out(buckets, &finder, j, &run, splitters, err));
        if (first_pass)
            TSR_TRY_OUT(pass_step(j, buckets, err));
    }
    status = stream_buckets_end(buckets, err);
    for (int b = 0; status == TSR_OK && b < buckets->n; b++)
        j->stats.spilled_nbytes += buckets->bucket[b].file.nbytes;
out:
    stream_finder_clear(&finder);
    return status;
}
