/* Cuts between the shares of ranks, by histograms: splitters of samples make some 32 small buckets for each rank, all entries are counted,
 * and the ranks get rows of buckets of about equal numbers. Buckets in which a share begins and that are too large are cut by new
 * samples, and counted again. */
#include <stdlib.h>

#include "stream_ranks.h"

typedef stream_job job;

enum {
    FINE = 32,             /* small buckets of a rank */
    MAX_FINE = 60000,      /* of all ranks */
    SAMPLES = 16,          /* keys for each small bucket */
    MAX_SAMPLES = 1 << 19, /* of all ranks */
    MAX_ROUNDS = 6,
};

/* ---- keys of all ranks ---- */

/* Replace the local keys, rows of nlevels + 1 numbers, by those of all ranks, sorted. At most `most` of them come from this rank. */
static tsr_status share_keys(stream_sample *sample, const tsr_ranks *ranks, uint64_t most, tsr_error *err)
{
    const size_t width = (size_t)sample->nlevels + 1;
    const int n = ranks->n;
    const uint64_t mine = sample->n < most ? sample->n : most;
    void *memory = NULL, *keys = NULL;
    uint64_t total = 0;
    tsr_status status;
    for (uint64_t i = 0; i < mine; i++) /* evenly spaced ones */
        memmove(sample->key + i * width, sample->key + sample->n / mine * i * width, width * sizeof(int64_t));
    status = tsr_alloc_array(&memory, (uint64_t)n, 4 * sizeof(uint64_t), 0, "lengths", err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    uint64_t *const counts = memory, *const sent = counts + n;
    const void **const from = (const void **)(void *)(sent + n);
    void **const to = (void **)(void *)(from + n);
    TSR_TRY_OUT(ranks->gather(counts, &mine, sizeof mine, ranks->ctx, err));
    for (int r = 0; r < n; r++)
        total += counts[r];
    status = tsr_alloc_array(&keys, total + 1, width * sizeof(int64_t), 0, "a sample of the entries", err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    uint64_t at = 0;
    for (int r = 0; r < n; r++) {
        from[r] = sample->key;
        sent[r] = mine * width * sizeof(int64_t);
        to[r] = (int64_t *)keys + at * width;
        at += counts[r];
        counts[r] *= width * sizeof(int64_t);
    }
    TSR_TRY_OUT(ranks->exchange(to, counts, from, sent, ranks->ctx, err));
    tsr_free(sample->key);
    sample->key = keys;
    sample->n = total;
    keys = NULL;
    stream_sample_sort(sample);
out:
    tsr_free(memory);
    tsr_free(keys);
    return status;
}

/* ---- counting ---- */

/* Entries of the list by bucket. */
static tsr_status count_local(uint64_t *count, job *j, const stream_list *list, const stream_splitters *fine,
                              tsr_error *err)
{
    tsr_feed *feed;
    stream_finder finder = {0};
    tsr_run run;
    tsr_status status;
    memset(count, 0, ((size_t)fine->n + 1) * sizeof *count);
    TSR_TRY(stream_list_feed(&feed, list, &j->facts, err));
    for (;;) {
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        TSR_TRY_OUT(stream_finder_find(&finder, j, &run, fine, err));
        for (uint64_t i = 0; i < run.n; i++)
            count[finder.id[i]]++;
    }
out:
    stream_finder_clear(&finder);
    tsr_feed_close(feed);
    return status;
}

/* Give rows of buckets to ranks. Returns the entries of the largest share. */
static uint64_t assign(uint16_t *owner, const uint64_t *count, int nfine, int nranks, uint64_t total)
{
    uint64_t before = 0, share = 0, largest = 0;
    int r = 0;
    for (int b = 0; b < nfine; b++) {
        /* the cut to rank r + 1 lies where half of the bucket is beyond it */
        while (r + 1 < nranks && (double)before + (double)count[b] / 2 >= (double)total * (r + 1) / nranks) {
            largest = share > largest ? share : largest;
            share = 0;
            r++;
        }
        owner[b] = (uint16_t)r;
        share += count[b];
        before += count[b];
    }
    return share > largest ? share : largest;
}

/* ---- finer buckets ---- */

/* Keys of the entries of buckets that hold a cut and are too large: sample. */
static tsr_status sample_large(stream_sample *sample, job *j, const stream_list *list,
                               const stream_cuts *cuts, const uint64_t *count, tsr_error *err)
{
    enum { STEP = 61 }; /* every 61st entry of such a bucket */
    tsr_feed *feed;
    stream_finder finder = {0};
    tsr_run run;
    uint64_t seen = 0, total = 0;
    tsr_status status;
    for (int b = 0; b <= cuts->fine.n; b++)
        total += count[b];
    const uint64_t large = total / (uint64_t)j->options.ranks->n / FINE;
    *sample = (stream_sample){.nlevels = j->map.nlevels};
    TSR_TRY(stream_list_feed(&feed, list, &j->facts, err));
    for (;;) {
        TSR_TRY_OUT(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            break;
        TSR_TRY_OUT(stream_finder_find(&finder, j, &run, &cuts->fine, err));
        for (uint64_t i = 0; i < run.n; i++) {
            const int b = finder.id[i];
            if (count[b] <= large || seen++ % STEP != 0 || sample->n >= MAX_SAMPLES)
                continue;
            TSR_TRY_OUT(stream_map_apply(&j->rows[0], &j->map, &run, i, 1, err));
            TSR_TRY_OUT(stream_sample_add(sample, &j->rows[0], 0, err));
        }
    }
out:
    stream_finder_clear(&finder);
    tsr_feed_close(feed);
    if (status != TSR_OK)
        stream_sample_clear(sample);
    return status;
}

/* The splitters, and each key as two more: before it and after it. */
static tsr_status refine(stream_splitters *fine, const stream_sample *keys, tsr_error *err)
{
    stream_splitters more;
    stream_sample thin = *keys;
    const size_t width = (size_t)fine->nlevels + 1;
    const uint64_t most = (uint64_t)(MAX_FINE - fine->n) / 2;
    const uint64_t step = keys->n / (most < 4096 ? most + 1 : 4096) + 1;
    thin.n = 0;
    for (uint64_t i = step / 2; i < keys->n; i += step)
        memmove(thin.key + thin.n++ * width, keys->key + i * width, width * sizeof(int64_t));
    TSR_TRY(stream_splitters_merge(&more, fine, &thin, err));
    stream_splitters_clear(fine);
    *fine = more;
    return TSR_OK;
}

/* ---- the whole ---- */

static tsr_status start(stream_cuts *cuts, job *j, const stream_list *list, uint64_t total, tsr_error *err)
{
    const tsr_ranks *const ranks = j->options.ranks;
    stream_sample sample = {.nlevels = j->map.nlevels};
    tsr_feed *feed = NULL;
    const int nfine = ranks->n * FINE < MAX_FINE ? ranks->n * FINE : MAX_FINE;
    const uint64_t wanted = (uint64_t)nfine * SAMPLES < MAX_SAMPLES ? (uint64_t)nfine * SAMPLES : MAX_SAMPLES;
    /* each rank gives keys in proportion to its entries */
    const uint64_t most = total ? (uint64_t)((double)wanted * (double)list->nentries / (double)total) + 1 : 0;
    tsr_status status = stream_list_feed(&feed, list, &j->facts, err);
    if (status == TSR_OK)
        status = stream_sample_take(&sample, feed, &j->map, &j->rows[0], &feed->facts, err);
    tsr_feed_close(feed);
    status = tsr_ranks_agree(ranks, status, err);
    if (status == TSR_OK)
        status = share_keys(&sample, ranks, most, err);
    if (status == TSR_OK)
        status = stream_splitters_new(&cuts->fine, &sample, nfine, err);
    stream_sample_clear(&sample);
    return tsr_ranks_agree(ranks, status, err);
}

static tsr_status count_all(stream_cuts *cuts, uint64_t **count, job *j, const stream_list *list,
                            tsr_error *err)
{
    const tsr_ranks *const ranks = j->options.ranks;
    const size_t n = (size_t)cuts->fine.n + 1;
    void *counts = NULL, *owners = NULL;
    tsr_free(*count);
    tsr_free(cuts->owner);
    *count = NULL;
    cuts->owner = NULL;
    tsr_status status = tsr_alloc_array(&counts, n, sizeof **count, 0, "a histogram", err);
    if (status == TSR_OK)
        status = tsr_alloc_array(&owners, n, sizeof *cuts->owner, 0, "owners of buckets", err);
    *count = counts;
    cuts->owner = owners;
    if (status == TSR_OK)
        status = count_local(*count, j, list, &cuts->fine, err);
    TSR_TRY(tsr_ranks_agree(ranks, status, err));
    return ranks->sum(*count, n, ranks->ctx, err);
}

tsr_status stream_cuts_find(stream_cuts *cuts, job *j, const stream_list *list, tsr_error *err)
{
    const tsr_ranks *const ranks = j->options.ranks;
    uint64_t total = list->nentries, *count = NULL, last = UINT64_MAX;
    tsr_status status;
    *cuts = (stream_cuts){0};
    TSR_TRY(ranks->sum(&total, 1, ranks->ctx, err));
    TSR_TRY_OUT(start(cuts, j, list, total, err));
    for (int round = 1;; round++) {
        const double mean = (double)total / ranks->n;
        TSR_TRY_OUT(count_all(cuts, &count, j, list, err));
        const uint64_t largest = assign(cuts->owner, count, cuts->fine.n + 1, ranks->n, total);
        j->stats.ranks.rounds = round;
        if ((double)largest <= 1.03 * mean + 1 || round == MAX_ROUNDS || largest >= last ||
            cuts->fine.n > MAX_FINE / 2)
            break;
        last = round > 1 ? largest : UINT64_MAX;
        stream_sample sample;
        status = sample_large(&sample, j, list, cuts, count, err);
        TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
        status = share_keys(&sample, ranks, MAX_SAMPLES / (uint64_t)ranks->n + 1, err);
        if (status == TSR_OK)
            status = refine(&cuts->fine, &sample, err);
        stream_sample_clear(&sample);
        TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    }
out:
    tsr_free(count);
    if (status != TSR_OK)
        stream_cuts_clear(cuts);
    return status;
}

void stream_cuts_clear(stream_cuts *cuts)
{
    stream_splitters_clear(&cuts->fine);
    tsr_free(cuts->owner);
    *cuts = (stream_cuts){0};
}
