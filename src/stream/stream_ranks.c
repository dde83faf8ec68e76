/* The share of a rank: see stream_ranks.h. Each rank reads its part of the input into a file, the ranks find cuts, each entry goes to its
 * rank in chunks (the same as in buckets), and each rank packs what it got, ordered by the rank that sent it, which is the sequence of the
 * input. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "stream_ranks.h"

typedef stream_job job;

tsr_status tsr_ranks_agree(const tsr_ranks *ranks, tsr_status status, tsr_error *err)
{
    tsr_error mine = {0};
    uint64_t nfailed = status != TSR_OK; /* one number, as an error is much longer */
    TSR_TRY(ranks->sum(&nfailed, 1, ranks->ctx, err));
    if (nfailed == 0)
        return TSR_OK;
    if (status != TSR_OK && err)
        mine = *err;
    mine.status = status;
    TSR_TRY(ranks->gather(ranks->errors, &mine, sizeof mine, ranks->ctx, err));
    for (int r = 0; r < ranks->n; r++)
        TSR_TRY(tsr_fail_as(err, &ranks->errors[r]));
    return TSR_OK;
}

tsr_status tsr_ranks_gather(void **out, const void *mine, size_t nbytes, const tsr_ranks *ranks,
                            const char *what, tsr_error *err)
{
    tsr_status status = tsr_alloc_array(out, (uint64_t)ranks->n, nbytes, 0, what, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    status = ranks->gather(*out, mine, nbytes, ranks->ctx, err);
out:
    if (status != TSR_OK) {
        tsr_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- reading ---- */

/* What the ranks have seen of their parts. */
typedef struct seen {
    uint64_t n, max[TSR_MAX_ORDER];
    unsigned char value[TSR_MAX_VALUE_NBYTES];
    int32_t value_type;
    int32_t real;
} seen;

static tsr_status merge_seen(job *j, tsr_error *err)
{
    const tsr_ranks *const ranks = j->options.ranks;
    seen mine = {.n = j->n, .value_type = (int32_t)j->value_type, .real = j->real};
    memcpy(mine.max, j->max, sizeof mine.max);
    memcpy(mine.value, j->value, sizeof mine.value);
    void *memory;
    TSR_TRY(tsr_ranks_gather(&memory, &mine, sizeof mine, ranks, "what ranks saw", err));
    const seen *const all = memory;
    j->n = 0;
    for (int r = 0; r < ranks->n; r++) {
        if (j->n == 0) {
            memcpy(j->value, all[r].value, sizeof j->value);
            j->value_type = (tsr_type)all[r].value_type;
        }
        j->n += all[r].n;
        j->real = j->real || all[r].real;
        for (int m = 0; m < j->facts.order; m++)
            j->max[m] = all[r].max[m] > j->max[m] ? all[r].max[m] : j->max[m];
    }
    tsr_free(memory);
    return TSR_OK;
}

bool tsr_stream_rank_part(uint64_t *first, uint64_t *end, const tsr_feed *feed, const tsr_ranks *ranks)
{
    const uint64_t whole = feed->length / (uint64_t)ranks->n;
    *first = 0;
    *end = UINT64_MAX;
    if (!feed->can_seek)
        return ranks->rank == 0;
    *first = whole * (uint64_t)ranks->rank;
    *end = ranks->rank + 1 < ranks->n ? whole * (uint64_t)(ranks->rank + 1) : UINT64_MAX;
    return true;
}

/* Read the part of this rank into one bucket. */
static tsr_status read_part(stream_buckets *store, job *j, tsr_error *err)
{
    const stream_buckets_plan plan = {
        .n = 1, .folder = j->options.folder, .name = "read", .nbytes = j->staging_nbytes};
    j->splitters.nlevels = j->format->nlevels;
    TSR_TRY(stream_buckets_new(store, &plan, &j->facts, err));
    if (!tsr_stream_rank_part(&j->first_place, &j->end_place, j->feed, j->options.ranks))
        return stream_buckets_end(store, err);
    if (j->feed->can_seek)
        TSR_TRY(tsr_feed_seek(j->feed, j->first_place, j->end_place, err));
    return stream_job_scatter(store, j, j->feed, &j->splitters, true, err);
}

/* ---- exchange ---- */

typedef struct message {
    uint64_t nbytes, nentries;
} message;

typedef struct sending {
    job *j;
    const stream_cuts *cuts;
    stream_buckets wire;  /* a bucket in memory for each rank */
    stream_file received; /* what came, round after round */
    void *memory;
    message *mine, *theirs; /* n: of a round */
    uint64_t *sent, *got, *all;
    const void **from;
    void **to;
    stream_part *part; /* nrounds * n */
    int nrounds, room;
    uint64_t nentries;
} sending;

static tsr_status start_sending(sending *s, tsr_error *err)
{
    const uint64_t n = (uint64_t)s->j->options.ranks->n;
    const stream_buckets_plan plan = {.n = (int)n, .nbytes = s->j->staging_nbytes};
    TSR_TRY(stream_buckets_new(&s->wire, &plan, &s->j->facts, err));
    TSR_TRY(stream_file_new(&s->received, s->j->options.folder, "received", 0, err));
    TSR_TRY(stream_file_continue(&s->received, 0, err));
    TSR_TRY(tsr_alloc_array(&s->memory, n, 2 * sizeof(message) + 3 * sizeof(uint64_t) + 2 * sizeof(void *), 0,
                            "lengths of messages", err));
    s->mine = s->memory;
    s->theirs = s->mine + n;
    s->sent = (uint64_t *)(void *)(s->theirs + n);
    s->got = s->sent + n;
    s->all = s->got + n;
    s->from = (const void **)(void *)(s->all + n);
    s->to = (void **)(void *)(s->from + n);
    return TSR_OK;
}

/* Fill the buckets until they hold enough for a round. */
static tsr_status fill_wire(bool *more, sending *s, tsr_feed *feed, stream_finder *finder, tsr_error *err)
{
    job *const j = s->j;
    const int me = j->options.ranks->rank;
    uint64_t nbytes = 0;
    tsr_run run;
    stream_buckets_reset(&s->wire);
    while (*more && nbytes < j->staging_nbytes) {
        TSR_TRY(tsr_feed_next(&run, feed, err));
        *more = run.n > 0;
        if (run.n == 0)
            break;
        TSR_TRY(stream_finder_find(finder, j, &run, &s->cuts->fine, err));
        for (uint64_t i = 0; i < run.n; i++) {
            finder->id[i] = s->cuts->owner[finder->id[i]];
            j->stats.ranks.moved += finder->id[i] != me;
        }
        TSR_TRY(stream_buckets_add(&s->wire, &run, &(stream_finding){.id = finder->id}, err));
        nbytes = 0;
        for (int r = 0; r < s->wire.n; r++)
            nbytes += s->wire.bucket[r].file.nbytes;
    }
    return stream_buckets_settle(&s->wire, err);
}

/* Tell all ranks what comes, and make room for it in the file. */
static tsr_status announce(sending *s, tsr_error *err)
{
    const tsr_ranks *const ranks = s->j->options.ranks;
    tsr_status status = TSR_OK;
    for (int r = 0; r < ranks->n; r++) {
        s->mine[r] = (message){s->wire.bucket[r].file.nbytes, s->wire.bucket[r].nentries};
        s->sent[r] = s->got[r] = sizeof(message);
        s->from[r] = &s->mine[r];
        s->to[r] = &s->theirs[r];
        s->j->stats.ranks.sent_nbytes += r == ranks->rank ? 0 : s->mine[r].nbytes;
    }
    TSR_TRY(ranks->exchange(s->to, s->got, s->from, s->sent, ranks->ctx, err));
    if (s->nrounds == s->room) {
        const int room = s->room ? 2 * s->room : 8;
        stream_part *const part = tsr_realloc(s->part, (size_t)room * (size_t)ranks->n * sizeof *part);
        if (part) {
            s->part = part;
            s->room = room;
        } else {
            status = tsr_fail(err, TSR_NOMEM, "out of memory");
        }
    }
    TSR_TRY(tsr_ranks_agree(ranks, status, err));
    for (int r = 0; r < ranks->n; r++) {
        s->part[(size_t)s->nrounds * (size_t)ranks->n + (size_t)r] =
            (stream_part){.file = &s->received, .first = s->received.nbytes, .nbytes = s->theirs[r].nbytes};
        s->received.nbytes += s->theirs[r].nbytes;
        s->nentries += s->theirs[r].nentries;
        s->j->stats.ranks.received_nbytes += s->theirs[r].nbytes;
    }
    s->nrounds++;
    return TSR_OK;
}

static uint64_t slice_of(uint64_t nbytes, uint64_t first, uint64_t most)
{
    return first >= nbytes ? 0 : nbytes - first < most ? nbytes - first : most;
}

/* Move the buckets of a round, in slices, so that what comes fits the memory, from any rank. */
static tsr_status move_round(sending *s, unsigned char *room, uint64_t slice, tsr_error *err)
{
    const tsr_ranks *const ranks = s->j->options.ranks;
    const stream_part *const part = s->part + (size_t)(s->nrounds - 1) * (size_t)ranks->n;
    uint64_t most = 0, longest = 0;
    for (int r = 0; r < ranks->n; r++)
        most = s->mine[r].nbytes > most ? s->mine[r].nbytes : most;
    TSR_TRY(ranks->gather(s->all, &most, sizeof most, ranks->ctx, err));
    for (int r = 0; r < ranks->n; r++)
        longest = s->all[r] > longest ? s->all[r] : longest;
    for (uint64_t first = 0; first < longest; first += slice) {
        tsr_status status = TSR_OK;
        for (int r = 0; r < ranks->n; r++) {
            s->sent[r] = slice_of(s->mine[r].nbytes, first, slice);
            s->got[r] = slice_of(s->theirs[r].nbytes, first, slice);
            s->from[r] = s->sent[r] ? s->wire.bucket[r].file.buf + first : NULL;
            s->to[r] = room + (uint64_t)r * slice;
        }
        TSR_TRY(ranks->exchange(s->to, s->got, s->from, s->sent, ranks->ctx, err));
        for (int r = 0; status == TSR_OK && r < ranks->n; r++)
            status = stream_file_put(&s->received, part[r].first + first, s->to[r], s->got[r], err);
        TSR_TRY(tsr_ranks_agree(ranks, status, err));
    }
    return TSR_OK;
}

/* Send all entries of the list to their ranks. */
static tsr_status send_all(sending *s, const stream_list *list, tsr_error *err)
{
    const tsr_ranks *const ranks = s->j->options.ranks;
    const uint64_t slice = s->j->staging_nbytes / (uint64_t)ranks->n + 1;
    stream_finder finder = {0};
    tsr_feed *feed = NULL;
    void *room = NULL;
    bool more = true;
    tsr_status status = start_sending(s, err);
    if (status == TSR_OK)
        status = stream_list_feed(&feed, list, &s->j->facts, err);
    if (status == TSR_OK)
        status = tsr_alloc_array(&room, slice * (uint64_t)ranks->n, 1, 0, "messages of ranks", err);
    for (uint64_t left = 1; left > 0;) {
        if (status == TSR_OK)
            status = fill_wire(&more, s, feed, &finder, err);
        TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
        TSR_TRY_OUT(announce(s, err));
        TSR_TRY_OUT(move_round(s, room, slice, err));
        left = more;
        TSR_TRY_OUT(ranks->sum(&left, 1, ranks->ctx, err));
    }
out:
    stream_finder_clear(&finder);
    tsr_feed_close(feed);
    tsr_free(room);
    return status;
}

static void end_sending(sending *s)
{
    stream_buckets_clear(&s->wire);
    stream_file_clear(&s->received);
    tsr_free(s->memory);
    tsr_free(s->part);
}

/* ---- the whole ---- */

/* Pack what was received: all of rank 0, then all of rank 1... */
static tsr_status pack_share(sending *s, tsr_error *err)
{
    const int n = s->j->options.ranks->n;
    void *memory;
    TSR_TRY(stream_job_start_fill(s->j, NULL, err));
    if (s->nentries == 0)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)n * (uint64_t)s->nrounds, sizeof(stream_part), 0,
                            "parts of a share", err));
    stream_part *const part = memory;
    int nparts = 0;
    for (int r = 0; r < n; r++)
        for (int k = 0; k < s->nrounds; k++)
            part[nparts++] = s->part[(size_t)k * (size_t)n + (size_t)r];
    const stream_list list = {.nentries = s->nentries, .nparts = nparts, .part = part};
    const tsr_status status = stream_job_process(s->j, &list, 1, err);
    tsr_free(memory);
    return status;
}

tsr_status stream_ranks_run(tsr_parts **out, job *j, tsr_error *err)
{
    const tsr_ranks *const ranks = j->options.ranks;
    stream_buckets store = {0};
    stream_cuts cuts = {0};
    sending s = {.j = j, .cuts = &cuts, .received.fd = -1};
    tsr_status status = read_part(&store, j, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    TSR_TRY_OUT(merge_seen(j, err));
    const stream_part part = {.file = &store.bucket[0].file, .nbytes = store.bucket[0].file.nbytes};
    const stream_list list = {.nentries = store.bucket[0].nentries, .nparts = 1, .part = &part};
    TSR_TRY_OUT(stream_cuts_find(&cuts, j, &list, err));
    TSR_TRY_OUT(send_all(&s, &list, err));
    stream_buckets_clear(&store);
    stream_buckets_clear(&s.wire);
    status = stream_job_settle(j, err);
    if (status == TSR_OK)
        status = pack_share(&s, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    j->stats.ranks.nentries = s.nentries;
    j->stats.nread = j->n;
    status = stream_pieces_join(out, j, err);
out:
    end_sending(&s);
    stream_cuts_clear(&cuts);
    stream_buckets_clear(&store);
    return status;
}
