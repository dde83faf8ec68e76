/* Feeds that change the entries of another feed: see tsr_stream_changed. */
#include "tsr_stream.h"

typedef struct changed {
    tsr_feed base; /* first */
    tsr_feed *inner;
    const tsr_stream_change *change;
    tsr_facts final; /* of the inner feed */
    tsr_coo *coo;    /* the changed entries of the last run */
    void *memory;
    uint64_t capacity; /* entries of memory */
} changed;

/* *out: the entries of the run. Values become those of the final type where that is known. */
static tsr_status to_coo(tsr_coo **out, const changed *c, const tsr_run *run, tsr_error *err)
{
    const tsr_facts *const facts = &c->final;
    TSR_TRY(
        tsr_coo_new_sized(out, (tsr_shape){facts->order, facts->dims}, run->type, facts->iso, run->n, err));
    tsr_coo *const coo = *out;
    for (int m = 0; m < coo->order; m++)
        tsr_array_store(&coo->crd[m], 0, run->crd[m], run->n);
    memcpy(coo->values.data, run->values, coo->values.n * coo->values.width);
    coo->structure = facts->structure;
    coo->has_fill = facts->has_fill;
    memcpy(coo->fill, facts->fill, sizeof coo->fill);
    return TSR_OK;
}

static tsr_status give_out(tsr_run *run, changed *c, tsr_error *err)
{
    const tsr_coo *const coo = c->coo;
    if (coo->nnz > c->capacity) {
        tsr_free(c->memory);
        c->capacity = 0;
        TSR_TRY(tsr_alloc_array(&c->memory, coo->nnz, (size_t)coo->order * sizeof(uint64_t), 0,
                                "a run of entries", err));
        c->capacity = coo->nnz;
    }
    for (int m = 0; m < coo->order; m++) {
        uint64_t *const crd = (uint64_t *)c->memory + (uint64_t)m * coo->nnz;
        tsr_array_load(crd, &coo->crd[m], 0, coo->nnz);
        run->crd[m] = crd;
    }
    run->n = coo->nnz;
    run->values = coo->values.data;
    run->type = coo->type;
    return TSR_OK;
}

static tsr_status changed_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    changed *const c = (changed *)feed;
    tsr_run in;
    do {
        TSR_TRY(tsr_feed_next(&in, c->inner, err));
        feed->place = c->inner->place;
        feed->unsteady = c->inner->unsteady;
        tsr_coo_free(c->coo);
        c->coo = NULL;
        if (in.n == 0)
            return TSR_OK;
        TSR_TRY(to_coo(&c->coo, c, &in, err));
        TSR_TRY(c->change->apply(c->change->ctx, &c->coo, err));
    } while (c->coo->nnz == 0);
    return give_out(run, c, err);
}

static tsr_status changed_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    changed *const c = (changed *)feed;
    TSR_TRY(tsr_feed_seek(c->inner, first, end, err));
    feed->place = c->inner->place;
    return TSR_OK;
}

static void changed_close(tsr_feed *feed)
{
    changed *const c = (changed *)feed;
    tsr_coo_free(c->coo);
    tsr_free(c->memory);
    tsr_feed_close(c->inner);
    tsr_free(c);
}

static const tsr_feed_type changed_type = {
    .next = changed_next, .seek = changed_seek, .close = changed_close};

tsr_status tsr_stream_changed(tsr_feed **out, tsr_feed *feed, const tsr_facts *final,
                              const tsr_stream_change *change, tsr_error *err)
{
    changed *const c = tsr_calloc(1, sizeof *c);
    *out = NULL;
    if (!c) {
        tsr_feed_close(feed);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    c->base = (tsr_feed){.type = &changed_type,
                         .facts = *final,
                         .place = feed->place,
                         .length = feed->length,
                         .can_seek = feed->can_seek,
                         .can_rewind = feed->can_rewind};
    c->inner = feed;
    c->change = change;
    c->final = *final;
    c->base.facts.has_nnz = false;
    c->base.facts.format = NULL;
    c->base.facts.natural = NULL;
    const tsr_status status = change->plan(change->ctx, &c->base.facts, err);
    if (status != TSR_OK) {
        changed_close(&c->base);
        return status;
    }
    *out = &c->base;
    return TSR_OK;
}

/* ---- final values ---- */

typedef struct settled {
    tsr_feed base; /* first */
    tsr_feed *inner;
    bool real; /* integers become f64 first */
    unsigned char *values;
    uint64_t capacity;
} settled;

static tsr_status settled_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    settled *const s = (settled *)feed;
    TSR_TRY(tsr_feed_next(run, s->inner, err));
    feed->place = s->inner->place;
    feed->unsteady = s->inner->unsteady;
    const tsr_type to = feed->facts.type;
    if (run->n == 0 || run->type == to)
        return TSR_OK;
    const uint64_t n = feed->facts.iso ? 1 : run->n;
    if (n > s->capacity) {
        void *more;
        tsr_free(s->values);
        s->values = NULL;
        s->capacity = 0;
        TSR_TRY(tsr_alloc_array(&more, n, TSR_MAX_VALUE_NBYTES + sizeof(double), 0, "a run of values", err));
        s->values = more;
        s->capacity = n;
    }
    const void *from = run->values;
    tsr_type type = run->type;
    if (s->real && type == TSR_I64) {
        void *const reals = s->values + n * TSR_MAX_VALUE_NBYTES;
        TSR_TRY(tsr_values_convert(reals, TSR_F64, from, type, n, err));
        from = reals;
        type = TSR_F64;
    }
    if (type == to)
        memcpy(s->values, from, n * tsr_type_nbytes(to));
    else
        TSR_TRY(tsr_values_convert(s->values, to, from, type, n, err));
    run->values = s->values;
    run->type = to;
    return TSR_OK;
}

static tsr_status settled_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    settled *const s = (settled *)feed;
    TSR_TRY(tsr_feed_seek(s->inner, first, end, err));
    feed->place = s->inner->place;
    return TSR_OK;
}

static void settled_close(tsr_feed *feed)
{
    settled *const s = (settled *)feed;
    tsr_free(s->values);
    tsr_feed_close(s->inner);
    tsr_free(s);
}

static const tsr_feed_type settled_type = {
    .next = settled_next, .seek = settled_seek, .close = settled_close};

tsr_status tsr_stream_settled(tsr_feed **out, tsr_feed *feed, const tsr_observer *observer, tsr_error *err)
{
    settled *const s = tsr_calloc(1, sizeof *s);
    tsr_status status = s ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    *out = NULL;
    if (s)
        status = tsr_stream_count(&s->base.facts, &s->real, feed, observer, err);
    if (status != TSR_OK) {
        tsr_free(s);
        tsr_feed_close(feed);
        return status;
    }
    s->base.type = &settled_type;
    s->base.place = feed->place;
    s->base.length = feed->length;
    s->base.can_seek = feed->can_seek;
    s->base.can_rewind = feed->can_rewind;
    s->inner = feed;
    *out = &s->base;
    return TSR_OK;
}
