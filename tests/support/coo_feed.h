/* A feed of coordinates, for tests. */
#ifndef COO_FEED_H
#define COO_FEED_H

#include <stdlib.h>
#include <string.h>

#include "tsr_feed.h"

/* The feed gives runs of `step` entries. The test determines how much the feed knows before the first run. */
typedef struct coo_feed {
    tsr_feed base; /* first */
    const tsr_coo *coo;
    uint64_t end, step;
    uint64_t *crd; /* step * order */
    uint64_t
        nreal; /* entries from this one on are f64, those before i64; UINT64_MAX: all have the type of the coo */
    int64_t *integers; /* step */
} coo_feed;

static inline tsr_status coo_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    coo_feed *const r = (coo_feed *)feed;
    const tsr_coo *const coo = r->coo;
    const uint64_t first = feed->place, left = r->end > first ? r->end - first : 0;
    (void)err;
    run->n = left < r->step ? left : r->step;
    if (r->nreal != UINT64_MAX && first < r->nreal && first + run->n > r->nreal)
        run->n = r->nreal - first;
    for (int m = 0; m < coo->order; m++) {
        tsr_array_load(r->crd + (uint64_t)m * r->step, &coo->crd[m], first, run->n);
        run->crd[m] = r->crd + (uint64_t)m * r->step;
    }
    run->values = (const char *)coo->values.data + (coo->iso ? 0 : first * coo->values.width);
    run->type = coo->type;
    if (r->nreal != UINT64_MAX && first < r->nreal) {
        for (uint64_t i = 0; i < run->n; i++)
            r->integers[i] = (int64_t)((const double *)coo->values.data)[first + i];
        run->values = r->integers;
        run->type = TSR_I64;
    }
    feed->place += run->n;
    return TSR_OK;
}

static inline tsr_status coo_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    coo_feed *const r = (coo_feed *)feed;
    (void)err;
    feed->place = first < r->coo->nnz ? first : r->coo->nnz;
    r->end = end < r->coo->nnz ? end : r->coo->nnz;
    return TSR_OK;
}

static inline void coo_close(tsr_feed *feed)
{
    coo_feed *const r = (coo_feed *)feed;
    free(r->crd);
    free(r->integers);
    free(r);
}

static const tsr_feed_type coo_type = {.next = coo_next, .seek = coo_seek, .close = coo_close};

/* can_seek false: a pipe. knows false: dims and type are known at the end only. */
static inline tsr_feed *read_coo(const tsr_coo *coo, uint64_t step, bool can_seek, bool knows)
{
    coo_feed *const r = calloc(1, sizeof *r);
    r->coo = coo;
    r->end = coo->nnz;
    r->step = step;
    r->nreal = UINT64_MAX;
    r->crd = malloc((step * (uint64_t)coo->order + 1) * sizeof *r->crd);
    r->integers = malloc(step * sizeof *r->integers);
    tsr_facts *const facts = &r->base.facts;
    *facts = (tsr_facts){.order = coo->order,
                         .has_dims = knows,
                         .has_nnz = knows,
                         .nnz = coo->nnz,
                         .type = coo->type,
                         .iso = coo->iso,
                         .structure = coo->structure,
                         .has_fill = coo->has_fill};
    memcpy(facts->dims, coo->dims, sizeof facts->dims);
    memcpy(facts->fill, coo->fill, sizeof facts->fill);
    r->base.type = &coo_type;
    r->base.length = coo->nnz;
    r->base.can_seek = r->base.can_rewind = can_seek;
    return &r->base;
}

#endif
