/* Sending the entries of a feed to the ranks of their blocks: see tsr_spread.h. The feed is read twice: first the
 * entries of all slices are counted, which gives the grid; then each entry goes to its rank, in rounds of a fixed
 * size. */
#include <string.h>

#include "spread_internal.h"
#include "tsr_alloc.h"
#include "tsr_stream.h"

enum { BLOCK = 1024, ROUND = 1 << 17 };

/* Entries with both triangles, the values as f64. */
typedef struct block {
    size_t n;
    uint64_t crd[TSR_MAX_ORDER][2 * BLOCK];
    double value[2 * BLOCK];
} block;

typedef struct reading {
    tsr_feed *feed;
    const tsr_observer *observer;
    tsr_run run;
    uint64_t at; /* the next entry of the run */
    bool reads;  /* this rank has a part of the input */
    bool ended;
    block *block;
} reading;

/* ---- the part of the input ---- */

static tsr_status begin_part(reading *in, const tsr_ranks *ranks, tsr_error *err)
{
    uint64_t first, end;
    in->reads = tsr_stream_rank_part(&first, &end, in->feed, ranks);
    in->ended = !in->reads;
    in->run.n = in->at = 0;
    return in->reads ? tsr_feed_seek(in->feed, first, end, err) : TSR_OK;
}

static void mirror(block *b, tsr_structure structure)
{
    const size_t n = b->n;
    const bool skew = structure == TSR_SKEW_LOWER || structure == TSR_SKEW_UPPER;
    for (size_t i = 0; i < n; i++) {
        if (b->crd[0][i] == b->crd[1][i])
            continue;
        b->crd[0][b->n] = b->crd[1][i];
        b->crd[1][b->n] = b->crd[0][i];
        b->value[b->n++] = skew ? -b->value[i] : b->value[i];
    }
}

/* The next entries; n is 0 at the end. */
static tsr_status next_block(reading *in, tsr_error *err)
{
    const tsr_facts *const facts = &in->feed->facts;
    block *const b = in->block;
    b->n = 0;
    if (!in->ended && in->at == in->run.n) {
        TSR_TRY(tsr_feed_next(&in->run, in->feed, err));
        TSR_TRY(tsr_progress(in->observer, "read", in->feed->place, in->feed->length, err));
        in->at = 0;
        in->ended = in->run.n == 0;
    }
    if (in->ended)
        return TSR_OK;
    const size_t n = in->run.n - in->at < BLOCK ? (size_t)(in->run.n - in->at) : BLOCK;
    const size_t width = tsr_type_nbytes(in->run.type);
    for (int m = 0; m < facts->order; m++)
        memcpy(b->crd[m], in->run.crd[m] + in->at, n * sizeof *b->crd[m]);
    TSR_TRY(tsr_values_convert(b->value, TSR_F64,
                               (const unsigned char *)in->run.values + (facts->iso ? 0 : in->at * width),
                               in->run.type, facts->iso ? 1 : n, err));
    for (size_t i = 1; i < n && facts->iso; i++)
        b->value[i] = b->value[0];
    in->at += n;
    b->n = n;
    if (facts->structure != TSR_GENERAL)
        mirror(b, facts->structure);
    return TSR_OK;
}

/* ---- the grid ---- */

static tsr_status count_part(tsr_slices *slices, reading *in, const tsr_ranks *ranks, tsr_error *err)
{
    const tsr_facts *const facts = &in->feed->facts;
    TSR_TRY(tsr_slices_init(slices, facts->order, facts->has_dims ? facts->dims : NULL, err));
    TSR_TRY(begin_part(in, ranks, err));
    for (;;) {
        const uint64_t *crd[TSR_MAX_ORDER];
        TSR_TRY(next_block(in, err));
        if (in->block->n == 0)
            return TSR_OK;
        for (int m = 0; m < facts->order; m++)
            crd[m] = in->block->crd[m];
        TSR_TRY(tsr_slices_add(slices, in->block->n, crd, err));
    }
}

/* Add the counts of all ranks. */
static tsr_status sum_slices(tsr_slices *slices, const tsr_ranks *ranks, tsr_error *err)
{
    void *memory;
    TSR_TRY(tsr_ranks_gather(&memory, slices->dims, sizeof slices->dims, ranks, "dims", err));
    uint64_t *const dims = memory;
    for (int r = 1; r < ranks->n; r++)
        for (int m = 0; m < slices->order; m++) {
            const uint64_t dim = dims[r * TSR_MAX_ORDER + m];
            dims[m] = dim > dims[m] ? dim : dims[m];
        }
    tsr_status status = tsr_slices_widen(slices, dims, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    for (int m = 0; m < slices->order; m++)
        TSR_TRY_OUT(ranks->sum(slices->count[m], slices->dims[m], ranks->ctx, err));
    TSR_TRY_OUT(ranks->sum(&slices->nnz, 1, ranks->ctx, err));
out:
    tsr_free(memory);
    return status;
}

static tsr_status make_grid(tsr_spread_tensor *s, const tsr_slices *slices, tsr_grid_kind kind,
                            tsr_error *err)
{
    memcpy(s->dims, slices->dims, sizeof s->dims);
    s->nnz = slices->nnz;
    TSR_TRY(tsr_grid_init(&s->grid, slices, (uint32_t)s->ranks->n, kind, err));
    return tsr_volume_model(&s->model, &s->grid, slices, err);
}

/* ---- the exchange ---- */

/* The entries of a round, and the same as messages. An entry is its coordinates, then the bits of its value. */
typedef struct batch {
    size_t nwords; /* of an entry */
    size_t n;
    uint64_t *entry; /* up to ROUND + 2 * BLOCK entries */
    uint32_t *to;    /* the rank of each entry */
    uint64_t *out, *in;
    uint64_t room;  /* entries that `in` holds */
    uint64_t nheld; /* entries that the coo holds; its arrays have room for `held_room` */
    uint64_t held_room;
    spread_mail lengths, mail;
    uint64_t *nsent, *ngot; /* entries */
} batch;

static tsr_status batch_new(batch *x, const tsr_spread_tensor *s, tsr_error *err)
{
    void *memory[5] = {0};
    const uint64_t most = ROUND + 2 * BLOCK, n = (uint64_t)s->ranks->n;
    x->nwords = (size_t)s->order + 1;
    tsr_status status = spread_mail_new(&x->mail, s->ranks->n, err);
    const uint64_t words[5] = {most * x->nwords, most, most * x->nwords, n, n};
    for (int i = 0; i < 5 && status == TSR_OK; i++)
        status =
            tsr_alloc_array(&memory[i], words[i], i == 1 ? 4 : sizeof(uint64_t), 0, "entries for ranks", err);
    x->entry = memory[0], x->to = memory[1], x->out = memory[2], x->nsent = memory[3], x->ngot = memory[4];
    TSR_TRY(status);
    TSR_TRY(spread_mail_new(&x->lengths, s->ranks->n, err));
    for (int r = 0; r < s->ranks->n; r++) {
        x->lengths.sent[r] = x->lengths.got[r] = sizeof *x->nsent;
        x->lengths.from[r] = &x->nsent[r];
        x->lengths.to[r] = &x->ngot[r];
    }
    return TSR_OK;
}

static void batch_clear(batch *x)
{
    spread_mail_clear(&x->lengths);
    spread_mail_clear(&x->mail);
    tsr_free(x->entry);
    tsr_free(x->to);
    tsr_free(x->out);
    tsr_free(x->in);
    tsr_free(x->nsent);
    tsr_free(x->ngot);
}

/* Read entries until the batch is full or the part ends. */
static tsr_status fill_batch(batch *x, const tsr_spread_tensor *s, reading *in, tsr_error *err)
{
    const tsr_grid *const grid = &s->grid;
    for (x->n = 0; x->n < ROUND && !in->ended;) {
        TSR_TRY(next_block(in, err));
        const block *const b = in->block;
        for (size_t i = 0; i < b->n; i++) {
            uint64_t *const entry = x->entry + (x->n + i) * x->nwords;
            uint32_t rank = 0;
            for (int m = 0; m < s->order; m++) {
                entry[m] = b->crd[m][i];
                if (entry[m] >= s->dims[m])
                    return tsr_fail(err, TSR_CORRUPT, "the input has changed while it was read");
                rank = tsr_grid_rank(grid, rank, m, entry[m]);
            }
            memcpy(&entry[s->order], &b->value[i], sizeof b->value[i]);
            x->to[x->n + i] = rank;
        }
        x->n += b->n;
    }
    return TSR_OK;
}

/* Order the entries by their ranks. */
static void sort_batch(batch *x, int nranks)
{
    const size_t nbytes = x->nwords * sizeof *x->entry;
    uint64_t at = 0;
    memset(x->nsent, 0, (size_t)nranks * sizeof *x->nsent);
    for (size_t i = 0; i < x->n; i++)
        x->nsent[x->to[i]]++;
    for (int r = 0; r < nranks; r++) {
        x->ngot[r] = at; /* where the next entry for the rank goes */
        x->mail.from[r] = x->out + at * x->nwords;
        at += x->nsent[r];
    }
    for (size_t i = 0; i < x->n; i++)
        memcpy(x->out + x->ngot[x->to[i]]++ * x->nwords, x->entry + i * x->nwords, nbytes);
}

/* Make room in the coo, whose arrays grow; nnz is set at the end. */
static tsr_status make_room(batch *x, tsr_coo *coo, uint64_t n, tsr_error *err)
{
    if (n <= x->held_room)
        return TSR_OK;
    const uint64_t room = n < 2 * x->held_room ? 2 * x->held_room : n;
    for (int m = 0; m <= coo->order; m++) {
        tsr_array *const array = m < coo->order ? &coo->crd[m] : &coo->values;
        TSR_TRY(tsr_array_resize(array, room, array->width, "the entries of a rank", err));
    }
    x->held_room = room;
    return TSR_OK;
}

/* Make room for the entries that this rank receives. */
static tsr_status prepare(batch *x, tsr_coo *coo, int nranks, tsr_error *err)
{
    uint64_t n = 0;
    for (int r = 0; r < nranks; r++)
        n += x->ngot[r];
    if (n > x->room) {
        void *memory;
        tsr_free(x->in);
        x->in = NULL;
        x->room = 0;
        TSR_TRY(tsr_alloc_array(&memory, n * x->nwords, sizeof *x->in, 0, "entries from ranks", err));
        x->in = memory;
        x->room = n;
    }
    for (uint64_t r = 0, at = 0; r < (uint64_t)nranks; at += x->ngot[r++]) {
        x->mail.sent[r] = x->nsent[r] * x->nwords * sizeof *x->out;
        x->mail.got[r] = x->ngot[r] * x->nwords * sizeof *x->in;
        x->mail.to[r] = x->in ? x->in + at * x->nwords : NULL;
    }
    return make_room(x, coo, x->nheld + n, err);
}

static void take(batch *x, tsr_coo *coo, uint64_t n)
{
    for (int m = 0; m < coo->order; m++) {
        coo->crd[m].n = x->held_room;
        for (uint64_t i = 0; i < n; i++)
            tsr_array_set(&coo->crd[m], x->nheld + i, x->in[i * x->nwords + (uint64_t)m]);
    }
    for (uint64_t i = 0; i < n; i++)
        memcpy((double *)coo->values.data + x->nheld + i, x->in + i * x->nwords + (uint64_t)coo->order,
               sizeof(double));
    x->nheld += n;
}

/* Send a batch, and receive the entries of this rank. */
static tsr_status send_batch(batch *x, tsr_spread_tensor *s, tsr_error *err)
{
    const tsr_ranks *const ranks = s->ranks;
    uint64_t n = 0;
    sort_batch(x, ranks->n);
    TSR_TRY(spread_mail_exchange(&x->lengths, ranks, &s->setup_nbytes, err));
    const tsr_status status = prepare(x, s->coo, ranks->n, err);
    TSR_TRY(tsr_ranks_agree(ranks, status, err));
    TSR_TRY(spread_mail_exchange(&x->mail, ranks, &s->setup_nbytes, err));
    for (int r = 0; r < ranks->n; r++)
        n += x->ngot[r];
    take(x, s->coo, n);
    return TSR_OK;
}

static tsr_status begin_sending(batch *x, tsr_spread_tensor *s, reading *in, tsr_error *err)
{
    TSR_TRY(batch_new(x, s, err));
    TSR_TRY(tsr_coo_new(&s->coo, (tsr_shape){s->order, s->dims}, TSR_F64, err));
    return begin_part(in, s->ranks, err);
}

static tsr_status send_entries(tsr_spread_tensor *s, reading *in, tsr_error *err)
{
    const tsr_ranks *const ranks = s->ranks;
    batch x = {0};
    void *memory = NULL;
    tsr_status status = begin_sending(&x, s, in, err);
    for (uint64_t left = 1; left > 0;) {
        if (status == TSR_OK)
            status = fill_batch(&x, s, in, err);
        TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
        TSR_TRY_OUT(send_batch(&x, s, err));
        left = !in->ended;
        TSR_TRY_OUT(ranks->sum(&left, 1, ranks->ctx, err));
    }
    s->coo->nnz = x.nheld;
    for (int m = 0; m < s->order; m++)
        s->coo->crd[m].n = x.nheld;
    s->coo->values.n = x.nheld;
    TSR_TRY_OUT(tsr_ranks_gather(&memory, &x.nheld, sizeof x.nheld, ranks, "numbers of entries", err));
    const uint64_t *const all = memory;
    for (int r = 0; r < ranks->n; r++)
        s->max_nnz = all[r] > s->max_nnz ? all[r] : s->max_nnz;
out:
    tsr_free(memory);
    batch_clear(&x);
    return status;
}

static tsr_status begin_reading(reading *in, tsr_error *err)
{
    const tsr_facts *const facts = &in->feed->facts;
    in->block = tsr_malloc(sizeof *in->block);
    if (!in->block)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    if (tsr_type_class(facts->type) == 'C')
        return tsr_fail(err, TSR_UNSUPPORTED, "ranks compute with f64, but the values are complex");
    if (facts->has_fill)
        return tsr_fail(err, TSR_UNSUPPORTED, "ranks compute with tensors whose absent cells are 0");
    return in->feed->can_rewind
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED,
                          "ranks read the input twice, which a pipe does not allow: use a file");
}

tsr_status spread_read(tsr_spread_tensor *s, tsr_feed *feed, tsr_grid_kind kind, const tsr_observer *observer,
                       tsr_error *err)
{
    tsr_slices slices = {0};
    reading in = {.feed = feed, .observer = observer};
    tsr_status status = begin_reading(&in, err);
    if (status == TSR_OK)
        status = count_part(&slices, &in, s->ranks, err);
    TSR_TRY_OUT(tsr_ranks_agree(s->ranks, status, err));
    TSR_TRY_OUT(sum_slices(&slices, s->ranks, err));
    status = make_grid(s, &slices, kind, err);
    TSR_TRY_OUT(tsr_ranks_agree(s->ranks, status, err));
    tsr_slices_clear(&slices);
    status = send_entries(s, &in, err);
out:
    tsr_slices_clear(&slices);
    tsr_free(in.block);
    return status;
}
