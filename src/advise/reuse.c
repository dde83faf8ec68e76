/* tsr_sample_reuse: stack distances of the references that a sample has. The distance of a reference is the number of
 * different units between it and the reference before to the same unit; a cache that replaces the least recently used unit
 * misses if the distance is at least the capacity (Mattson et al., 1970). Distances between the units of a sample, divided by
 * the share of the units that the sample has, estimate distances of all units (Waldspurger et al., "SHARDS", FAST 2015); here
 * the share is the true one, not the expected one. */
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_bits.h"
#include "tsr_sample.h"

enum { HASHED = 1 << 4 }; /* slots of the table, at least */

typedef struct table {
    uint64_t mask;
    uint64_t *unit; /* mask + 1: the number of a unit + 1; 0: free */
    uint32_t *last; /* mask + 1: the time of the last reference, from 1 */
} table;

typedef struct
    tree { /* Fenwick: tree[t] sums marks of times; a time is marked if no later reference is to the same unit */
    uint32_t n;
    int32_t *sum;
} tree;

static void tree_add(tree *t, uint32_t at, int32_t v)
{
    for (; at <= t->n; at += at & (0u - at))
        t->sum[at] += v;
}

static int32_t tree_sum(const tree *t, uint32_t to)
{
    int32_t sum = 0;
    for (; to > 0; to &= to - 1)
        sum += t->sum[to];
    return sum;
}

static uint32_t *find_last(table *h, uint64_t unit)
{
    uint64_t at = unit * UINT64_C(0x9e3779b97f4a7c15);
    for (at = (at ^ at >> 32) & h->mask; h->unit[at] != 0 && h->unit[at] != unit + 1; at = (at + 1) & h->mask)
        ;
    h->unit[at] = unit + 1;
    return &h->last[at];
}

static uint64_t unit_of(const tsr_reuse_query *q, const tsr_sample *s, uint64_t e)
{
    uint64_t unit = 0;
    for (int k = 0; k < q->nmodes; k++) {
        const uint64_t at = s->crd[q->mode[k]][e];
        if (k == q->nmodes - 1)
            return unit * (q->dims[k] / q->per_unit + 1) + at / q->per_unit;
        unit = unit * q->dims[k] + at;
    }
    return unit;
}

typedef struct counting {
    const tsr_reuse_query *query;
    const tsr_sample *sample;
    const uint32_t *entry;        /* the entries in the order of the references; NULL: as they are sampled */
    double limit[TSR_MAX_CACHES]; /* a reference at this distance or beyond misses */
    uint64_t missed[TSR_MAX_CACHES];
    table table;
    tree tree;
} counting;

/* Count the references of entries [range[0], range[1]) that miss. */
static void count_part(counting *counts, const uint64_t range[2])
{
    const tsr_reuse_query *const q = counts->query;
    table *const h = &counts->table;
    tree *const t = &counts->tree;
    t->n = (uint32_t)(range[1] - range[0]);
    memset(h->unit, 0, (size_t)(h->mask + 1) * sizeof *h->unit);
    memset(h->last, 0, (size_t)(h->mask + 1) * sizeof *h->last);
    memset(t->sum, 0, ((size_t)t->n + 1) * sizeof *t->sum);
    uint64_t before = UINT64_MAX;
    int32_t nmarked = 0;
    for (uint64_t i = range[0]; i < range[1]; i++) {
        const uint64_t unit = unit_of(q, counts->sample, counts->entry ? counts->entry[i] : i);
        const uint32_t now = (uint32_t)(i - range[0]) + 1;
        if (unit == before)
            continue; /* distance 0: the mark of the reference before stays */
        before = unit;
        uint32_t *const last = find_last(h, unit);
        const double distance = *last ? (double)(nmarked - tree_sum(t, *last)) : 0;
        for (int c = 0; c < q->ncaches; c++)
            counts->missed[c] += !*last || distance >= counts->limit[c];
        if (*last)
            tree_add(t, *last, -1);
        nmarked += !*last;
        tree_add(t, now, 1);
        *last = now;
    }
}

tsr_status tsr_sample_reuse(double *misses, const tsr_sample *sample, const uint32_t *entry, int nparts,
                            const tsr_reuse_query *query, tsr_error *err)
{
    const uint64_t n = sample->n;
    uint64_t slots = HASHED;
    counting counts = {.query = query, .sample = sample, .entry = entry};
    void *unit = NULL, *last = NULL, *sum = NULL;
    tsr_status status = TSR_OK;
    for (int c = 0; c < query->ncaches; c++) {
        const double hot = sample->hot_groups * TSR_SAMPLE_GROUP / (double)query->per_unit;
        const double units = query->capacity[c] / query->unit_nbytes - hot;
        counts.limit[c] = (units > 1 ? units : 1) * sample->share;
        misses[c] = 0;
    }
    if (n == 0 || sample->nnz == 0)
        return TSR_OK;
    while (slots < 2 * n)
        slots *= 2;
    TSR_TRY_OUT(tsr_alloc_array(&unit, slots, sizeof(uint64_t), 0, "a survey", err));
    TSR_TRY_OUT(tsr_alloc_array(&last, slots, sizeof(uint32_t), 0, "a survey", err));
    TSR_TRY_OUT(tsr_alloc_array(&sum, n + 1, sizeof(int32_t), 0, "a survey", err));
    counts.table = (table){slots - 1, unit, last};
    counts.tree = (tree){(uint32_t)n, sum};
    for (int part = 0; part < nparts; part++) {
        const uint64_t range[] = {n * (uint64_t)part / (uint64_t)nparts,
                                  n * ((uint64_t)part + 1) / (uint64_t)nparts};
        count_part(&counts, range);
    }
    for (int c = 0; c < query->ncaches; c++) {
        const double part = (double)counts.missed[c] / sample->share / (double)sample->nnz;
        misses[c] = part < 1 ? part : 1;
    }
out:
    tsr_free(unit);
    tsr_free(last);
    tsr_free(sum);
    return status;
}
