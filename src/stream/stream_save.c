/* What is saved of a job, and loaded again: see stream_job.h. */
#include "stream_job.h"

typedef stream_job job;

/* ---- checkpoints ---- */

void stream_job_save_facts(const job *j, stream_state *state, uint64_t phase)
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

uint64_t stream_job_load_facts(job *j, uint64_t *place, stream_state *state)
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

void stream_job_save_splitters(const job *j, stream_state *state)
{
    const stream_splitters *const s = &j->splitters;
    stream_state_add(state, (uint64_t)s->n);
    for (int i = 0; i < s->n; i++) {
        for (int l = 0; l < s->nlevels; l++)
            stream_state_add(state, (uint64_t)s->key[(size_t)i * (size_t)s->nlevels + (size_t)l]);
        stream_state_add(state, s->after[i]);
    }
}

tsr_status stream_job_save_pass(job *j, stream_buckets *buckets, uint64_t phase, tsr_error *err)
{
    stream_state state = {0};
    stream_state_begin(&state, j->options.identity);
    stream_job_save_facts(j, &state, phase);
    stream_job_save_splitters(j, &state);
    tsr_status status = stream_buckets_save(buckets, 0, &state, err);
    if (status == TSR_OK)
        status = stream_state_save(&state, j->options.folder, j->state, err);
    stream_state_clear(&state);
    return status;
}

tsr_status stream_job_save_filled(job *j, stream_buckets *buckets, int b, int n, tsr_error *err)
{
    stream_state state = {0};
    stream_state_begin(&state, j->options.identity);
    stream_job_save_facts(j, &state, 1);
    stream_state_add(&state, (uint64_t)n);
    stream_state_add(&state, (uint64_t)b);
    tsr_status status = buckets ? stream_buckets_save(buckets, b, &state, err) : TSR_OK;
    if (status == TSR_OK)
        status = stream_fill_save(j->fill, &state, err);
    if (status == TSR_OK)
        status = stream_state_save(&state, j->options.folder, j->state, err);
    stream_state_clear(&state);
    return status;
}

tsr_status stream_job_load_splitters(job *j, stream_state *state, tsr_error *err)
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
