/* tsr_relayout_run: fill the padding, and copy box by box, or element by element. */
#include "relayout_internal.h"

#include "tsr_checked.h"
#include "tsr_tile.h"

enum {
    STREAM_NBYTES = 1 << 24,    /* of both layouts together: with more, write past the caches */
    NBYTES_PER_THREAD = 1 << 17 /* another thread pays only for this number of bytes */
};

/* ---- filling all positions ---- */

static void fill_all(void *arg, int t, int nthreads)
{
    const relayout_job *job = arg;
    const tsr_relayout *r = job->relayout;
    const uint64_t nbytes = tsr_relayout_nbytes(r, r->to.npos);
    const size_t width = r->nbits < 8 ? 1 : (size_t)r->nbits / 8;
    const uint64_t n = nbytes / width, first = tsr_cut(n, t, nthreads), end = tsr_cut(n, t + 1, nthreads);
    const relayout_box box = {
        .n = 1, .nbits = (int)width * 8, .extent = {end - first}, .to = {1}, .to_at = first};
    if (first < end)
        relayout_fill_box(job, &box, 0, 1);
}

/* ---- by boxes ---- */

typedef struct visitor {
    const relayout_job *job;
    int t, nthreads;
    int part; /* the part of the next box that this thread copies */
    bool fill;
} visitor;

/* Each thread copies one part of each box. Another thread gets the first part of the next box, as small
 * boxes have only one part. */
static bool visit_box(void *ctx, const relayout_box *given)
{
    visitor *v = ctx;
    relayout_box box = *given;
    const int part = v->part;
    v->part = (part + 1) % v->nthreads;
    relayout_coalesce(&box);
    if (v->fill) {
        relayout_fill_box(v->job, &box, part, v->nthreads);
        return true;
    }
    relayout_widen(&box);
    if (box.nbits >= 8)
        relayout_copy_box(v->job, &box, part, v->nthreads,
                          v->job->buffers + (size_t)v->t * RELAYOUT_BUFFER_NBYTES);
    return true;
}

/* Fill the padding of `to`, mode by mode: for mode m the cells whose coordinate is outside the dim of mode m
 * and inside the dims of all modes before. */
static void fill_padding(visitor *v)
{
    const tsr_relayout *r = v->job->relayout;
    for (int m = 0; m < r->order; m++) {
        uint64_t lo[TSR_MAX_ORDER] = {0}, hi[TSR_MAX_ORDER];
        for (int k = 0; k < r->order; k++)
            hi[k] = k < m ? r->dims[k] : r->to.padded[k];
        lo[m] = r->dims[m];
        relayout_each_box(r, lo, hi, visit_box, v);
    }
}

static void copy_boxes(void *arg, int t, int nthreads)
{
    const relayout_job *job = arg;
    const tsr_relayout *r = job->relayout;
    const uint64_t lo[TSR_MAX_ORDER] = {0};
    visitor v = {.job = job, .t = t, .nthreads = nthreads, .part = t};
    relayout_each_box(r, lo, r->dims, visit_box, &v);
    if (job->fill_padding) {
        v.fill = true;
        fill_padding(&v);
    }
    if (job->stream)
        tsr_stream_end();
}

/* ---- bits ---- */

/* All threads copy one box, and then the next: neighbouring boxes share bytes. */
typedef struct bits_job {
    const relayout_job *job;
    relayout_box box;
} bits_job;

static void copy_bits(void *arg, int t, int nthreads)
{
    const bits_job *b = arg;
    relayout_copy_bits(b->job, &b->box, t, nthreads, b->job->buffers + (size_t)t * RELAYOUT_BUFFER_NBYTES);
    if (b->job->stream)
        tsr_stream_end();
}

static bool visit_bits(void *ctx, const relayout_box *given)
{
    bits_job b = {.job = ctx, .box = *given};
    relayout_coalesce(&b.box);
    relayout_box wide = b.box;
    relayout_widen(&wide);
    if (wide.nbits >= 8)
        return true;
    b.box = wide;
    uint64_t n = 1;
    for (int k = 0; k < wide.n; k++)
        n *= wide.extent[k];
    tsr_parallel(n < NBYTES_PER_THREAD ? 1 : b.job->nthreads, copy_bits, &b);
    return true;
}

/* ---- element by element ---- */

/* A block of coordinates, row-major, and the positions in both layouts. */
typedef struct rows {
    int64_t mode[TSR_MAX_ORDER][TSR_MAP_BLOCK], level[TSR_MAX_LEVELS][TSR_MAP_BLOCK];
    uint64_t to[TSR_MAP_BLOCK], from[TSR_MAP_BLOCK];
} rows;

/* The positions of n coordinates of w; the scratch memory of the plan is behind w. */
static void positions(uint64_t *out, rows *w, const tsr_map_plan *plan, const tsr_binding *binding,
                      const relayout_side *side, size_t n)
{
    const int64_t *in[TSR_MAX_ORDER];
    int64_t *level[TSR_MAX_LEVELS];
    for (int m = 0; m < binding->format->order; m++)
        in[m] = w->mode[m];
    for (int l = 0; l < binding->format->nlevels; l++)
        level[l] = w->level[l];
    tsr_map_plan_apply(plan, level, in, n, w + 1);
    memset(out, 0, n * sizeof *out);
    for (int l = 0; l < binding->format->nlevels; l++)
        for (size_t i = 0; i < n; i++)
            out[i] += (uint64_t)(w->level[l][i] - binding->base[l]) * side->stride[l];
}

static void copy_elements(void *arg, int t, int nthreads)
{
    const relayout_job *job = arg;
    const tsr_relayout *r = job->relayout;
    rows *w = job->scratch[t];
    const uint64_t end = tsr_cut(r->nelements, t + 1, nthreads);
    uint64_t at[TSR_MAX_ORDER], rest = tsr_cut(r->nelements, t, nthreads);
    const uint64_t first = rest;
    for (int m = r->order - 1; m >= 0; m--) {
        at[m] = rest % r->dims[m];
        rest /= r->dims[m];
    }
    for (uint64_t e = first; e < end;) {
        const size_t n = end - e < TSR_MAP_BLOCK ? (size_t)(end - e) : TSR_MAP_BLOCK;
        for (size_t i = 0; i < n; i++) {
            for (int m = 0; m < r->order; m++)
                w->mode[m][i] = (int64_t)at[m];
            for (int m = r->order - 1; m >= 0 && ++at[m] == r->dims[m]; m--)
                at[m] = 0;
        }
        positions(w->to, w, r->to_plan, r->to_binding, &r->to, n);
        positions(w->from, w, r->from_plan, r->from_binding, &r->from, n);
        const size_t width = (size_t)r->nbits / 8;
        for (size_t i = 0; i < n; i++)
            if (width)
                memcpy(job->to + w->to[i] * width, job->from + w->from[i] * width, width);
            else
                relayout_move_bits(job->to, w->to[i], job->from, w->from[i], r->nbits);
        e += n;
    }
}

static tsr_status run_elements(relayout_job *job, tsr_error *err)
{
    const tsr_relayout *r = job->relayout;
    const int nthreads = r->nbits < 8 ? 1 : job->nthreads; /* the elements of two threads may share a byte */
    size_t nbytes = tsr_map_plan_scratch_nbytes(r->to_plan);
    tsr_status status = TSR_OK;
    void *p;
    if (tsr_map_plan_scratch_nbytes(r->from_plan) > nbytes)
        nbytes = tsr_map_plan_scratch_nbytes(r->from_plan);
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)nthreads, sizeof *job->scratch, 1, "moving between layouts", err));
    job->scratch = p;
    for (int t = 0; t < nthreads && status == TSR_OK; t++)
        status =
            tsr_alloc_array(&job->scratch[t], sizeof(rows) + nbytes, 1, 0, "moving between layouts", err);
    if (status == TSR_OK)
        tsr_parallel(nthreads, copy_elements, job);
    for (int t = 0; t < nthreads; t++)
        tsr_free(job->scratch[t]);
    tsr_free(job->scratch);
    return status;
}

/* ---- all of it ---- */

static void set_fill(relayout_job *job, const void *fill)
{
    const int nbits = job->relayout->nbits;
    memset(job->fill, 0, sizeof job->fill);
    if (fill && nbits >= 8) {
        memcpy(job->fill, fill, (size_t)nbits / 8);
    } else if (fill) {
        const unsigned v = *(const unsigned char *)fill & ((1u << nbits) - 1);
        for (int at = 0; at < 8; at += nbits)
            job->fill[0] |= (unsigned char)(v << at);
    }
    job->zero_fill = true;
    for (size_t i = 0; i < sizeof job->fill; i++)
        job->zero_fill = job->zero_fill && job->fill[i] == 0;
}

tsr_status tsr_relayout_run(const tsr_relayout *r, const tsr_relayout_copy *copy, int nthreads,
                            tsr_error *err)
{
    relayout_job job = {
        .relayout = r, .to = copy->to, .from = copy->from, .nthreads = tsr_thread_count(nthreads)};
    const uint64_t nbytes = tsr_relayout_nbytes(r, r->to.npos) + tsr_relayout_nbytes(r, r->from.npos);
    const bool pads = r->to.npos > r->nelements;
    const bool by_boxes = r->strided && r->to.boxed && r->nbits >= 8;
    if (nbytes / NBYTES_PER_THREAD < (uint64_t)job.nthreads)
        job.nthreads = nbytes < 2 * NBYTES_PER_THREAD ? 1 : (int)(nbytes / NBYTES_PER_THREAD);
    set_fill(&job, copy->fill);
    job.stream = nbytes >= STREAM_NBYTES;
    job.fill_padding = pads && by_boxes && !copy->to_is_filled;
    if (!copy->to_is_filled && pads && !by_boxes)
        tsr_parallel(job.nthreads, fill_all, &job);
    else if (!copy->to_is_filled && r->to.npos * (uint64_t)r->nbits % 8 != 0)
        job.to[r->to.npos * (uint64_t)r->nbits / 8] = job.fill[0]; /* the bits after the last element */
    if (r->nelements == 0)
        return TSR_OK;
    if (!r->strided)
        return run_elements(&job, err);
    void *p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)job.nthreads, RELAYOUT_BUFFER_NBYTES, 0, "moving between layouts",
                            err));
    job.buffers = p;
    tsr_parallel(job.nthreads, copy_boxes, &job);
    if (r->nbits < 8) {
        const uint64_t lo[TSR_MAX_ORDER] = {0};
        relayout_each_box(r, lo, r->dims, visit_bits, &job);
    }
    tsr_free(job.buffers);
    return TSR_OK;
}
