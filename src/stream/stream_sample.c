/* Samples and splitters: see stream_internal.h. */
#include <stdlib.h>

#include "stream_internal.h"

enum {
    PLACES = 64, /* places of the input that are looked at */
    KEYS_PER_PLACE = 1024,
    WINDOW = 1 << 18, /* bytes of a text at each place: some 10,000 entries */
};

/* -1, 0, 1: row a is less than, equal to, more than row b. */
static int compare_rows(const int64_t *a, const int64_t *b, int nlevels)
{
    for (int l = 0; l < nlevels; l++)
        if (a[l] != b[l])
            return a[l] < b[l] ? -1 : 1;
    return 0;
}

/* ---- the sample ---- */

typedef struct looking {
    stream_sample *sample;
    const stream_map *map;
    stream_rows *rows;
    uint64_t capacity; /* rows of sample->key */
    bool has_last;
    int64_t last[TSR_MAX_LEVELS]; /* the entry looked at before */
} looking;

static tsr_status add_key(looking *k, const int64_t *key, tsr_error *err)
{
    stream_sample *const s = k->sample;
    if (s->n == k->capacity) {
        const uint64_t more = k->capacity ? 2 * k->capacity : 4096;
        int64_t *const keys = tsr_realloc(s->key, more * ((size_t)s->nlevels + 1) * sizeof *keys);
        if (!keys)
            return tsr_fail(err, TSR_NOMEM, "out of memory: a sample of the entries");
        s->key = keys;
        k->capacity = more;
    }
    int64_t *const row = s->key + s->n++ * ((uint64_t)s->nlevels + 1);
    row[0] = s->nlevels; /* which compare_keys needs */
    memcpy(row + 1, key, (size_t)s->nlevels * sizeof *key);
    return TSR_OK;
}

tsr_status stream_sample_add(stream_sample *sample, const stream_rows *rows, size_t i, tsr_error *err)
{
    int64_t key[TSR_MAX_LEVELS];
    looking k = {.sample = sample, .capacity = sample->n};
    /* the room doubles whenever the number of keys is a power of two from 4096 on */
    const bool full = sample->n == 0 || (sample->n >= 4096 && (sample->n & (sample->n - 1)) == 0);
    k.capacity = full ? sample->n : UINT64_MAX;
    for (int l = 0; l < sample->nlevels; l++)
        key[l] = rows->level[l][i];
    return add_key(&k, key, err);
}

/* Look at a run: whether it is in order, and every step-th entry. */
static tsr_status look_at(looking *k, const tsr_run *run, uint64_t step, tsr_error *err)
{
    const int nlevels = k->map->nlevels;
    uint64_t until = step / 2;
    for (uint64_t first = 0; first < run->n; first += STREAM_BLOCK) {
        const size_t n = run->n - first < STREAM_BLOCK ? (size_t)(run->n - first) : STREAM_BLOCK;
        TSR_TRY(stream_map_apply(k->rows, k->map, run, first, n, err));
        for (size_t i = 0; i < n; i++) {
            int64_t key[TSR_MAX_LEVELS];
            for (int l = 0; l < nlevels; l++)
                key[l] = k->rows->level[l][i];
            if (k->has_last && compare_rows(key, k->last, nlevels) < 0)
                k->sample->sorted = false;
            memcpy(k->last, key, (size_t)nlevels * sizeof *key);
            k->has_last = true;
            if (until-- == 0) {
                TSR_TRY(add_key(k, key, err));
                until = step - 1;
            }
        }
    }
    return TSR_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    return compare_rows(x + 1, y + 1, (int)x[0]);
}

void stream_sample_sort(stream_sample *sample)
{
    if (sample->n > 0)
        qsort(sample->key, sample->n, ((size_t)sample->nlevels + 1) * sizeof(int64_t), compare_keys);
}

tsr_status stream_sample_take(stream_sample *sample, tsr_feed *feed, const stream_map *map, stream_rows *rows,
                              const tsr_facts *facts, tsr_error *err)
{
    looking k = {.sample = sample, .map = map, .rows = rows};
    const uint64_t from = feed->place, length = feed->length > from ? feed->length - from : 0;
    uint64_t nentries = 0, places = 0, at = 0;
    tsr_run run;
    *sample = (stream_sample){.sorted = true, .nlevels = map->nlevels};
    for (int i = 0; i < PLACES; i++) {
        const uint64_t place = from + (uint64_t)((double)length * i / PLACES);
        if (i > 0 && place < at)
            continue;                                             /* the last run was long: a short input */
        TSR_TRY(tsr_feed_seek(feed, place, place + WINDOW, err)); /* a feed may read ahead up to the end */
        const uint64_t begin = feed->place > place ? feed->place : place;
        const tsr_status status = tsr_feed_next(&run, feed, err);
        if (status == TSR_SYNTAX || status == TSR_RANGE)
            continue; /* the pass over all entries finds it, too, and knows the line */
        TSR_TRY(status);
        if (run.n == 0)
            continue;
        at = feed->place;
        nentries += run.n;
        places += at - begin;
        TSR_TRY(look_at(&k, &run, run.n / KEYS_PER_PLACE + 1, err));
    }
    const double rate = places ? (double)nentries / (double)places : 0;
    sample->nentries = facts->has_nnz ? facts->nnz : (uint64_t)(rate * (double)length);
    stream_sample_sort(sample);
    return tsr_feed_seek(feed, 0, UINT64_MAX, err);
}

void stream_sample_clear(stream_sample *sample)
{
    tsr_free(sample->key);
    *sample = (stream_sample){0};
}

/* ---- splitters ---- */

/* Add a splitter, unless it is the last one again. */
static void add_splitter(stream_splitters *s, const int64_t *key, bool after)
{
    const size_t width = (size_t)s->nlevels;
    if (s->n > 0 && s->after[s->n - 1] == after &&
        compare_rows(s->key + (size_t)(s->n - 1) * width, key, s->nlevels) == 0)
        return;
    memcpy(s->key + (size_t)s->n * width, key, width * sizeof *key);
    s->after[s->n++] = after;
}

/* Whether key i is also the key `far` places before it or after it. */
static bool is_heavy(const stream_sample *sample, uint64_t i, uint64_t far)
{
    const uint64_t width = (uint64_t)sample->nlevels + 1;
    const int64_t *const key = sample->key + i * width + 1;
    far = far > 0 ? far : 1;
    return (i + far < sample->n && compare_rows(key, key + far * width, sample->nlevels) == 0) ||
           (i >= far && compare_rows(key, key - far * width, sample->nlevels) == 0);
}

tsr_status stream_splitters_new(stream_splitters *out, const stream_sample *sample, int nbuckets,
                                tsr_error *err)
{
    void *memory;
    const size_t width = (size_t)sample->nlevels;
    *out = (stream_splitters){.nlevels = sample->nlevels};
    TSR_TRY(
        tsr_alloc_array(&memory, 2 * (uint64_t)nbuckets, width * sizeof(int64_t) + 1, 0, "splitters", err));
    out->key = memory;
    out->after = (uint8_t *)(out->key + 2 * (size_t)nbuckets * width);
    for (int b = 1; b < nbuckets && sample->n > 0; b++) {
        const uint64_t i = (uint64_t)((double)sample->n * b / nbuckets);
        const int64_t *const key = sample->key + i * (width + 1) + 1;
        /* a key that fills a bucket of its own: its entries are in order, and need not be sorted */
        const bool heavy = is_heavy(sample, i, sample->n / (uint64_t)nbuckets / 2);
        const bool known = out->n > 0 && out->after[out->n - 1] &&
                           compare_rows(out->key + (size_t)(out->n - 1) * width, key, sample->nlevels) == 0;
        if (known)
            continue;
        add_splitter(out, key, false);
        if (heavy)
            add_splitter(out, key, true);
    }
    if (out->n == 1 &&
        !out->after[0]) /* it may be the least key of all: then its bucket alone is smaller than the whole */
        add_splitter(out, out->key, true);
    return TSR_OK;
}

tsr_status stream_splitters_merge(stream_splitters *out, const stream_splitters *splitters,
                                  const stream_sample *sample, tsr_error *err)
{
    void *memory;
    const size_t width = (size_t)splitters->nlevels;
    const uint64_t most = (uint64_t)splitters->n + 2 * sample->n + 1;
    *out = (stream_splitters){.nlevels = splitters->nlevels};
    TSR_TRY(tsr_alloc_array(&memory, most, width * sizeof(int64_t) + 1, 0, "splitters", err));
    out->key = memory;
    out->after = (uint8_t *)(out->key + most * width);
    uint64_t i = 0;
    for (int k = 0; k < splitters->n || i < sample->n;) {
        const int64_t *const old = splitters->key + (size_t)k * width, *const key =
                                                                           sample->key + i * (width + 1) + 1;
        const int order = k == splitters->n ? 1
                          : i == sample->n  ? -1
                                            : compare_rows(old, key, splitters->nlevels);
        const int64_t *const next = order <= 0 ? old : key;
        bool after = order >= 0;
        for (; k < splitters->n &&
               compare_rows(splitters->key + (size_t)k * width, next, splitters->nlevels) == 0;
             k++) {
            if (!splitters->after[k])
                add_splitter(out, next, false);
            after = after || splitters->after[k];
        }
        if (order >= 0)
            add_splitter(out, next, false);
        if (after)
            add_splitter(out, next, true);
        while (i < sample->n &&
               compare_rows(sample->key + i * (width + 1) + 1, next, splitters->nlevels) == 0)
            i++;
    }
    return TSR_OK;
}

void stream_splitters_clear(stream_splitters *splitters)
{
    tsr_free(splitters->key);
    *splitters = (stream_splitters){0};
}

/* The bucket of entry i of the rows; it is in [lo, hi]. */
static int search(const stream_splitters *s, const stream_rows *rows, size_t i, int lo, int hi)
{
    while (lo < hi) { /* splitters before lo are at or below the entry, those from hi on above it */
        const int mid = (lo + hi) / 2;
        const int64_t *const key = s->key + (size_t)mid * (size_t)s->nlevels;
        int l = 0;
        while (l < s->nlevels && rows->level[l][i] == key[l])
            l++;
        const bool below = l < s->nlevels ? rows->level[l][i] > key[l] : !s->after[mid];
        if (below)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

void stream_guide_init(stream_guide *guide, const stream_splitters *s)
{
    const int64_t max = s->n > 0 ? s->key[(size_t)(s->n - 1) * (size_t)s->nlevels] : 0;
    *guide = (stream_guide){.splitters = s};
    while (max > 0 && max >> guide->shift >= STREAM_GUIDE_SLOTS)
        guide->shift++;
    int n = 0;
    for (int k = 0; k <= STREAM_GUIDE_SLOTS; k++) {
        const int64_t first = (int64_t)((uint64_t)k << guide->shift);
        while (n < s->n && s->key[(size_t)n * (size_t)s->nlevels] < first)
            n++;
        guide->first[k] = (uint16_t)n;
    }
}

void stream_guide_find(uint16_t *id, const stream_guide *guide, const stream_rows *rows, size_t n)
{
    const stream_splitters *const s = guide->splitters;
    for (size_t i = 0; i < n && s->n > 0; i++) {
        const int64_t c = rows->level[0][i];
        const uint64_t slot = (uint64_t)c >> guide->shift;
        int lo = 0, hi = s->n;
        if (c >= 0 && slot < STREAM_GUIDE_SLOTS) {
            lo = guide->first[slot];
            hi = guide->first[slot + 1];
        } else if (c >= 0) {
            lo = hi; /* behind all splitters */
        }
        id[i] = (uint16_t)(lo == hi ? lo : search(s, rows, i, lo, hi));
    }
    for (size_t i = 0; i < n && s->n == 0; i++)
        id[i] = 0;
}
