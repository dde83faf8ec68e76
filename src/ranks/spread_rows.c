/* The rows of the dense operands on each rank, and sending them: see tsr_spread.h. The ranks that share a chunk of a
 * mode (a layer) send each other bits for the slices in which they have entries; each rank then knows the users and the
 * owners of its rows. */
#include <string.h>

#include "spread_internal.h"
#include "tsr_alloc.h"

/* ---- the users of the slices ---- */

uint32_t spread_chunk_of(const tsr_grid *grid, int rank, int mode)
{
    uint32_t inner = 1;
    for (int m = mode + 1; m < grid->order; m++)
        inner *= grid->n[m];
    return (uint32_t)rank / inner % grid->n[mode];
}

/* The slices of the chunk, in words of 64 bits. */
typedef struct layer {
    uint64_t first, nslices, nwords;
    uint64_t *used;   /* nwords: bit b of word w: this rank has entries in slice first + 64 w + b */
    uint64_t *before; /* nwords: rows before the word */
    uint64_t *others; /* nusers * nwords: `used` of each rank of the layer, in their order */
    int nusers;
    int *rank; /* nusers */
    spread_mail mail;
} layer;

static tsr_status layer_new(layer *l, const tsr_spread_tensor *s, int mode, tsr_error *err)
{
    const tsr_grid *const grid = &s->grid;
    const uint32_t mine = spread_chunk_of(grid, s->ranks->rank, mode);
    void *memory;
    l->first = grid->cut[mode][mine];
    l->nslices = grid->cut[mode][mine + 1] - l->first;
    l->nwords = l->nslices / 64 + 1;
    TSR_TRY(spread_mail_new(&l->mail, s->ranks->n, err));
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)s->ranks->n, sizeof *l->rank, 0, "the ranks of a layer", err));
    l->rank = memory;
    for (int r = 0; r < s->ranks->n; r++)
        if (spread_chunk_of(grid, r, mode) == mine)
            l->rank[l->nusers++] = r;
    TSR_TRY(tsr_alloc_array(&memory, 2 * l->nwords, sizeof *l->used, 1, "the rows of a rank", err));
    l->used = memory;
    l->before = l->used + l->nwords;
    TSR_TRY(tsr_alloc_array(&memory, l->nwords, (size_t)l->nusers * sizeof *l->others, 0,
                            "the rows of a layer of ranks", err));
    l->others = memory;
    return TSR_OK;
}

static void layer_clear(layer *l)
{
    spread_mail_clear(&l->mail);
    tsr_free(l->used);
    tsr_free(l->others);
    tsr_free(l->rank);
}

static int count_bits(uint64_t word)
{
    int n = 0;
    for (; word; word &= word - 1)
        n++;
    return n;
}

/* Mark the slices with entries, and count them. Returns the number of rows. */
static uint64_t mark(layer *l, const tsr_array *crd)
{
    uint64_t nrows = 0;
    for (uint64_t i = 0; i < crd->n; i++) {
        const uint64_t slice = tsr_array_get(crd, i) - l->first;
        l->used[slice / 64] |= UINT64_C(1) << slice % 64;
    }
    for (uint64_t w = 0; w < l->nwords; w++) {
        l->before[w] = nrows;
        nrows += (uint64_t)count_bits(l->used[w]);
    }
    return nrows;
}

/* Send the bits to the ranks of the layer, and receive their bits. */
static tsr_status tell(layer *l, tsr_spread_tensor *s, tsr_error *err)
{
    for (int u = 0; u < l->nusers; u++) {
        const int r = l->rank[u];
        l->mail.sent[r] = l->mail.got[r] = l->nwords * sizeof *l->used;
        l->mail.from[r] = l->used;
        l->mail.to[r] = l->others + (uint64_t)u * l->nwords;
    }
    return spread_mail_exchange(&l->mail, s->ranks, &s->setup_nbytes, err);
}

/* ---- the lists ---- */

/* The users of a slice, one of which is this rank; returns the owner. */
static int find_users(int *users, int *nusers, const layer *l, uint64_t slice)
{
    *nusers = 0;
    for (int u = 0; u < l->nusers; u++)
        if (l->others[(uint64_t)u * l->nwords + slice / 64] >> slice % 64 & 1)
            users[(*nusers)++] = l->rank[u];
    return users[(l->first + slice) % (uint64_t)*nusers];
}

/* Count the rows that move (fill false: lend_at[r + 1] and borrow_at[r + 1] become numbers), or fill the lists, of
 * which lend_at[r] is then where the next row goes. */
static void list_rows(tsr_spread_mode *mode, const layer *l, int *users, int me, bool fill)
{
    for (uint64_t q = 0; q < mode->nrows; q++) {
        int n;
        const int owner = find_users(users, &n, l, mode->row[q] - l->first);
        mode->borrowed[q] = owner != me;
        for (int u = 0; u < n && owner == me; u++)
            if (users[u] != me && fill)
                mode->lend[mode->lend_at[users[u]]++] = q;
            else if (users[u] != me)
                mode->lend_at[users[u] + 1]++;
        if (owner != me && fill)
            mode->borrow[mode->borrow_at[owner]++] = q;
        else if (owner != me)
            mode->borrow_at[owner + 1]++;
    }
}

static void add_up(uint64_t *at, int n)
{
    for (int r = 0; r < n; r++)
        at[r + 1] += at[r];
}

/* at[r] has become the end of list r: make it the beginning again. */
static void step_back(uint64_t *at, int n)
{
    for (int r = n; r > 0; r--)
        at[r] = at[r - 1];
    at[0] = 0;
}

static tsr_status alloc_words(uint64_t **out, uint64_t n, int zero, tsr_error *err)
{
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, n, sizeof **out, zero, "the rows of a rank", err));
    *out = memory;
    return TSR_OK;
}

/* Before the layer is told. */
static tsr_status begin_mode(tsr_spread_mode *mode, layer *l, const tsr_spread_tensor *s,
                             const tsr_array *crd, tsr_error *err)
{
    void *memory;
    mode->nrows = mark(l, crd);
    TSR_TRY(alloc_words(&mode->row, mode->nrows, 0, err));
    TSR_TRY(alloc_words(&mode->lend_at, (uint64_t)s->ranks->n + 1, 1, err));
    TSR_TRY(alloc_words(&mode->borrow_at, (uint64_t)s->ranks->n + 1, 1, err));
    TSR_TRY(tsr_alloc_array(&memory, mode->nrows, 1, 1, "the rows of a rank", err));
    mode->borrowed = memory;
    uint64_t q = 0;
    for (uint64_t slice = 0; slice < l->nslices; slice++)
        if (l->used[slice / 64] >> slice % 64 & 1)
            mode->row[q++] = l->first + slice;
    return TSR_OK;
}

static tsr_status end_mode(tsr_spread_mode *mode, const layer *l, int me, int n, tsr_error *err)
{
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, (uint64_t)n, sizeof(int), 0, "the users of a row", err));
    int *const users = memory;
    list_rows(mode, l, users, me, false);
    add_up(mode->lend_at, n);
    add_up(mode->borrow_at, n);
    tsr_status status = alloc_words(&mode->lend, mode->lend_at[n], 0, err);
    if (status == TSR_OK)
        status = alloc_words(&mode->borrow, mode->borrow_at[n], 0, err);
    if (status == TSR_OK) {
        list_rows(mode, l, users, me, true);
        step_back(mode->lend_at, n);
        step_back(mode->borrow_at, n);
    }
    tsr_free(users);
    return status;
}

/* From indices to rows. */
static void number_rows(tsr_coo *coo, int m, const layer *l, uint64_t nrows)
{
    for (uint64_t i = 0; i < coo->nnz; i++) {
        const uint64_t slice = tsr_array_get(&coo->crd[m], i) - l->first, bit = slice % 64;
        const uint64_t lower = l->used[slice / 64] & ((UINT64_C(1) << bit) - 1);
        tsr_array_set(&coo->crd[m], i, l->before[slice / 64] + (uint64_t)count_bits(lower));
    }
    coo->dims[m] = nrows;
    if (coo->crd[m].width == 8 && nrows <= UINT32_MAX) { /* the width of its dim: in place, from the front */
        unsigned char *const data = coo->crd[m].data;
        for (uint64_t i = 0; i < coo->nnz; i++) {
            const uint32_t q = (uint32_t)tsr_array_get(&coo->crd[m], i);
            memcpy(data + i * sizeof q, &q, sizeof q);
        }
        coo->crd[m].width = 4;
    }
}

tsr_status spread_find_rows(tsr_spread_tensor *s, int m, tsr_error *err)
{
    tsr_spread_mode *const mode = &s->mode[m];
    layer l = {0};
    tsr_status status = layer_new(&l, s, m, err);
    if (status == TSR_OK)
        status = begin_mode(mode, &l, s, &s->coo->crd[m], err);
    TSR_TRY_OUT(tsr_ranks_agree(s->ranks, status, err));
    TSR_TRY_OUT(tell(&l, s, err));
    status = end_mode(mode, &l, s->ranks->rank, s->ranks->n, err);
    TSR_TRY_OUT(tsr_ranks_agree(s->ranks, status, err));
    number_rows(s->coo, m, &l, mode->nrows);
out:
    layer_clear(&l);
    return status;
}

/* ---- rows on their way ---- */

/* Rows for all ranks and from all ranks: `lent` has room for the rows of the list lend, `borrowed` for those of the list borrow. */
typedef struct spread_parcel {
    spread_mail fetch, add; /* addresses and lengths of both directions */
    double *lent, *borrowed;
} spread_parcel;

static tsr_status parcel_new(spread_parcel *p, const tsr_spread_mode *mode, int n, uint64_t ncolumns,
                             tsr_error *err)
{
    void *memory;
    const size_t row = (size_t)ncolumns * sizeof(double);
    TSR_TRY(spread_mail_new(&p->fetch, n, err));
    TSR_TRY(spread_mail_new(&p->add, n, err));
    TSR_TRY(tsr_alloc_array(&memory, mode->lend_at[n], row, 0, "rows for other ranks", err));
    p->lent = memory;
    TSR_TRY(tsr_alloc_array(&memory, mode->borrow_at[n], row, 0, "rows of other ranks", err));
    p->borrowed = memory;
    for (int r = 0; r < n; r++) {
        p->fetch.sent[r] = p->add.got[r] = (mode->lend_at[r + 1] - mode->lend_at[r]) * row;
        p->add.sent[r] = p->fetch.got[r] = (mode->borrow_at[r + 1] - mode->borrow_at[r]) * row;
        p->fetch.from[r] = p->add.to[r] = p->lent + mode->lend_at[r] * ncolumns;
        p->add.from[r] = p->fetch.to[r] = p->borrowed + mode->borrow_at[r] * ncolumns;
    }
    return TSR_OK;
}

void spread_parcels_free(tsr_spread_tensor *s)
{
    for (int m = 0; m < s->order && s->parcel; m++) {
        spread_mail_clear(&s->parcel[m].fetch);
        spread_mail_clear(&s->parcel[m].add);
        tsr_free(s->parcel[m].lent);
        tsr_free(s->parcel[m].borrowed);
    }
    tsr_free(s->parcel);
    s->parcel = NULL;
}

tsr_status tsr_spread_prepare(tsr_spread_tensor *s, uint64_t ncolumns, tsr_error *err)
{
    spread_parcels_free(s);
    s->ncolumns = ncolumns;
    s->parcel = tsr_calloc((size_t)s->order, sizeof *s->parcel);
    tsr_status status = s->parcel ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int m = 0; m < s->order && status == TSR_OK; m++)
        status = parcel_new(&s->parcel[m], &s->mode[m], s->ranks->n, ncolumns, err);
    return tsr_ranks_agree(s->ranks, status, err);
}

/* Copy the rows of the list, n of them, one after the other. */
static void copy_rows(double *out, const double *rows, const uint64_t *list, uint64_t n, uint64_t ncolumns)
{
    for (uint64_t i = 0; i < n; i++)
        memcpy(out + i * ncolumns, rows + list[i] * ncolumns, (size_t)ncolumns * sizeof *rows);
}

tsr_status tsr_spread_fetch(double *rows, tsr_spread_tensor *s, int m, tsr_error *err)
{
    const tsr_spread_mode *const mode = &s->mode[m];
    spread_parcel *const p = &s->parcel[m];
    const uint64_t k = s->ncolumns;
    copy_rows(p->lent, rows, mode->lend, mode->lend_at[s->ranks->n], k);
    TSR_TRY(spread_mail_exchange(&p->fetch, s->ranks, &s->sent_nbytes, err));
    for (uint64_t i = 0; i < mode->borrow_at[s->ranks->n]; i++)
        memcpy(rows + mode->borrow[i] * k, p->borrowed + i * k, (size_t)k * sizeof *rows);
    return TSR_OK;
}

tsr_status tsr_spread_add(double *rows, tsr_spread_tensor *s, int m, tsr_error *err)
{
    const tsr_spread_mode *const mode = &s->mode[m];
    spread_parcel *const p = &s->parcel[m];
    const uint64_t k = s->ncolumns;
    copy_rows(p->borrowed, rows, mode->borrow, mode->borrow_at[s->ranks->n], k);
    TSR_TRY(spread_mail_exchange(&p->add, s->ranks, &s->sent_nbytes, err));
    for (uint64_t i = 0; i < mode->lend_at[s->ranks->n]; i++)
        for (uint64_t c = 0; c < k; c++)
            rows[mode->lend[i] * k + c] += p->lent[i * k + c];
    return TSR_OK;
}

/* ---- the whole result ---- */

/* Copy the indices and the rows that are owned here, one after the other. Returns the number of rows. */
static uint64_t owned_rows(uint64_t *index, double *out, const tsr_spread_mode *mode, const double *rows,
                           uint64_t ncolumns)
{
    uint64_t n = 0;
    for (uint64_t q = 0; q < mode->nrows; q++)
        if (!mode->borrowed[q]) {
            index[n] = mode->row[q];
            memcpy(out + n++ * ncolumns, rows + q * ncolumns, (size_t)ncolumns * sizeof *rows);
        }
    return n;
}

/* Rows with their indices on their way to rank 0. */
typedef struct harvest {
    uint64_t n, nall;            /* rows of this rank, of all ranks (rank 0; else 0) */
    uint64_t *at;                /* nranks + 1: where those of each rank begin */
    uint64_t *index, *all_index; /* n, nall */
    double *rows, *all_rows;     /* n, nall rows */
} harvest;

static void harvest_clear(harvest *h)
{
    tsr_free(h->at);
    tsr_free(h->index);
    tsr_free(h->all_index);
    tsr_free(h->rows);
    tsr_free(h->all_rows);
}

static tsr_status alloc_rows(uint64_t **index, double **rows, uint64_t n, uint64_t ncolumns, tsr_error *err)
{
    void *memory;
    TSR_TRY(alloc_words(index, n, 0, err));
    TSR_TRY(tsr_alloc_array(&memory, n, (size_t)ncolumns * sizeof **rows, 0, "the rows of the result", err));
    *rows = memory;
    return TSR_OK;
}

/* Send `width` bytes of each row to rank 0. */
static tsr_status send_to_first(harvest *h, void *in, const void *out, size_t width, const tsr_ranks *ranks,
                                tsr_error *err)
{
    spread_mail mail = {.memory = NULL};
    uint64_t nbytes = 0;
    tsr_status status = spread_mail_new(&mail, ranks->n, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    mail.sent[0] = h->n * width;
    mail.from[0] = out;
    for (int r = 0; r < ranks->n && ranks->rank == 0; r++) {
        mail.got[r] = (h->at[r + 1] - h->at[r]) * width;
        mail.to[r] = (unsigned char *)in + h->at[r] * width;
    }
    status = spread_mail_exchange(&mail, ranks, &nbytes, err);
out:
    spread_mail_clear(&mail);
    return status;
}

static tsr_status harvest_own(harvest *h, const tsr_spread_mode *mode, const double *rows, uint64_t ncolumns,
                              tsr_error *err)
{
    TSR_TRY(alloc_rows(&h->index, &h->rows, mode->nrows, ncolumns, err));
    h->n = owned_rows(h->index, h->rows, mode, rows, ncolumns);
    return TSR_OK;
}

tsr_status tsr_spread_collect(double *all, const double *rows, tsr_spread_tensor *s, int m, tsr_error *err)
{
    const tsr_ranks *const ranks = s->ranks;
    const uint64_t ncolumns = s->ncolumns;
    const size_t row = (size_t)ncolumns * sizeof *rows;
    harvest h = {.n = 0};
    tsr_status status = harvest_own(&h, &s->mode[m], rows, ncolumns, err);
    if (status == TSR_OK)
        status = alloc_words(&h.at, (uint64_t)ranks->n + 1, 1, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    TSR_TRY_OUT(ranks->gather(h.at + 1, &h.n, sizeof h.n, ranks->ctx, err));
    add_up(h.at, ranks->n);
    h.nall = ranks->rank == 0 ? h.at[ranks->n] : 0;
    status = alloc_rows(&h.all_index, &h.all_rows, h.nall, ncolumns, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    TSR_TRY_OUT(send_to_first(&h, h.all_index, h.index, sizeof *h.index, ranks, err));
    TSR_TRY_OUT(send_to_first(&h, h.all_rows, h.rows, row, ranks, err));
    for (uint64_t i = 0; i < h.nall; i++)
        memcpy(all + h.all_index[i] * ncolumns, h.all_rows + i * ncolumns, row);
out:
    harvest_clear(&h);
    return status;
}
