/* The pass over the entries that appends each to its bucket: see stream_job.h. */
#include "stream_job.h"

typedef stream_job job;

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

/* After a run of the first pass: progress, and a checkpoint now and then. */
static tsr_status pass_step(job *j, stream_buckets *buckets, tsr_error *err)
{
    enum { STEP_NBYTES = 256 << 20, PARTS = 16 };
    const tsr_feed *const feed = j->feed;
    const uint64_t part =
                       (j->end_place < feed->length ? j->end_place - j->first_place : feed->length) / PARTS,
                   step = part < STEP_NBYTES ? part : STEP_NBYTES;
    if (j->options.identity && feed->can_seek && feed->place - j->saved_place > step) {
        TSR_TRY(stream_job_save_pass(j, buckets, 0, err));
        j->saved_place = feed->place;
    }
    return tsr_progress(j->options.pack.observer, "read", feed->place, feed->length, err);
}

/* ---- the first pass ---- */

tsr_status stream_job_scatter(stream_buckets *buckets, job *j, tsr_feed *feed,
                              const stream_splitters *splitters, bool first_pass, tsr_error *err)
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
