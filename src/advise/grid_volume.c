/* The rows that the ranks of a grid exchange, computed and counted: see tsr_grid.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_bits.h"
#include "tsr_grid.h"
#include "tsr_memory.h"

/* The most rows that the ranks can exchange: all ranks of a layer use all slices of the chunk that have entries. */
static void find_bounds(tsr_volume *volume, const tsr_grid *grid, const tsr_slices *slices)
{
    volume->order = grid->order;
    for (int m = 0; m < grid->order; m++) {
        uint64_t nslices = 0;
        for (uint64_t i = 0; i < slices->dims[m]; i++)
            nslices += slices->count[m][i] > 0;
        volume->mode[m].bound = (double)nslices * (grid->nranks / grid->n[m] - 1);
    }
}

/* ---- the model ---- */

static uint64_t entries_of_chunk(const tsr_grid *grid, const tsr_slices *slices, int m, uint32_t c)
{
    uint64_t n = 0;
    for (uint64_t i = grid->cut[m][c]; i < grid->cut[m][c + 1]; i++)
        n += slices->count[m][i];
    return n;
}

/* part: the shares of the chunks of each mode, one mode after the other, from at[m] on. */
typedef struct shares {
    double *part;
    size_t at[TSR_MAX_ORDER];
    double *
        layer; /* of the q ranks of a layer of the mode in hand: log(1 - share), to be multiplied by a number of entries */
    uint32_t q;
} shares;

static tsr_status find_shares(shares *s, const tsr_grid *grid, const tsr_slices *slices, tsr_error *err)
{
    uint64_t n = 0;
    void *part, *layer;
    for (int m = 0; m < grid->order; m++) {
        s->at[m] = (size_t)n;
        n += grid->n[m];
    }
    TSR_TRY(tsr_alloc_array(&part, n, sizeof *s->part, 0, "the model of ranks", err));
    s->part = part;
    TSR_TRY(tsr_alloc_array(&layer, grid->nranks, sizeof *s->layer, 0, "the model of ranks", err));
    s->layer = layer;
    for (int m = 0; m < grid->order; m++)
        for (uint32_t c = 0; c < grid->n[m]; c++)
            s->part[s->at[m] + c] =
                slices->nnz > 0 ? (double)entries_of_chunk(grid, slices, m, c) / (double)slices->nnz : 0;
    return TSR_OK;
}

/* The ranks of a layer of `mode` are all combinations of chunks of the other modes. */
static void find_layer(shares *s, const tsr_grid *grid, int mode)
{
    s->q = grid->nranks / grid->n[mode];
    for (uint32_t b = 0; b < s->q; b++) {
        uint32_t left = b;
        double share = 1;
        for (int m = 0; m < grid->order; m++)
            if (m != mode) {
                share *= s->part[s->at[m] + left % grid->n[m]];
                left /= grid->n[m];
            }
        s->layer[b] = log1p(-share); /* -inf for 1 */
    }
}

/* The ranks that are expected to have some of h > 0 entries. */
static double expected_ranks(const shares *s, double h)
{
    double lambda = 0;
    for (uint32_t b = 0; b < s->q; b++)
        lambda -= expm1(h * s->layer[b]);
    return lambda < 1 ? 1 : lambda;
}

static void add_rows(tsr_volume_mode *to, double lambda, uint64_t nslices)
{
    to->used += lambda * (double)nslices;
    to->moved += (lambda - 1) * (double)nslices;
}

/* Slices of the same size are computed once: small sizes are tallied. */
static void model_mode(tsr_volume_mode *to, const shares *s, const uint64_t *count, uint64_t dim,
                       uint64_t *tally, uint64_t ntally)
{
    memset(tally, 0, (size_t)ntally * sizeof *tally);
    for (uint64_t i = 0; i < dim; i++) {
        if (count[i] < ntally)
            tally[count[i]]++;
        else
            add_rows(to, expected_ranks(s, (double)count[i]), 1);
    }
    for (uint64_t h = 1; h < ntally; h++)
        if (tally[h] > 0)
            add_rows(to, expected_ranks(s, (double)h), tally[h]);
}

tsr_status tsr_volume_model(tsr_volume *volume, const tsr_grid *grid, const tsr_slices *slices,
                            tsr_error *err)
{
    enum { NTALLY = 1 << 16 };
    shares s = {0};
    void *tally = NULL;
    *volume = (tsr_volume){0};
    find_bounds(volume, grid, slices);
    tsr_status status = find_shares(&s, grid, slices, err);
    if (status == TSR_OK)
        status = tsr_alloc_array(&tally, NTALLY, sizeof(uint64_t), 0, "the model of ranks", err);
    volume->max_nnz = (double)slices->nnz;
    for (int m = 0; m < grid->order && status == TSR_OK; m++) {
        double largest = 0;
        for (uint32_t c = 0; c < grid->n[m]; c++)
            largest = fmax(largest, s.part[s.at[m] + c]);
        volume->max_nnz *= largest;
        find_layer(&s, grid, m);
        model_mode(&volume->mode[m], &s, slices->count[m], slices->dims[m], tally, NTALLY);
    }
    tsr_free(tally);
    tsr_free(s.part);
    tsr_free(s.layer);
    return status;
}

/* ---- counting ---- */

typedef struct counting {
    const tsr_grid *grid;
    const tsr_slices *slices;
    int mode;
    uint64_t *next;     /* of each slice: where its next rank goes */
    uint32_t *rank;     /* of each entry, slice by slice */
    uint32_t *used_by;  /* of each rank: 1 while it is among the users */
    uint32_t *users;    /* nranks: of one slice */
    uint64_t *nnz;      /* of each rank */
    uint64_t *moved[2]; /* of each rank: rows that it sends as a user, and as an owner */
} counting;

static uint32_t rank_of(const tsr_grid *grid, const tsr_cell_block *block, size_t i)
{
    uint32_t rank = 0;
    for (int m = 0; m < grid->order; m++)
        rank = tsr_grid_rank(grid, rank, m, block->crd[m][i]);
    return rank;
}

static bool take_block(void *arg, int t, const tsr_cell_block *block)
{
    counting *const c = arg;
    (void)t;
    for (size_t i = 0; i < block->n; i++)
        c->rank[c->next[block->crd[c->mode][i]]++] = rank_of(c->grid, block, i);
    return true;
}

static tsr_status sort_ranks(counting *c, const tsr_tensor *tensor, const tsr_coo *coo, tsr_error *err)
{
    tsr_cells *cells;
    uint64_t first = 0;
    for (uint64_t i = 0; i < c->slices->dims[c->mode]; i++) {
        c->next[i] = first;
        first += c->slices->count[c->mode][i];
    }
    TSR_TRY(tsr_cells_new(&cells, tensor, coo, 1, err));
    const tsr_status status = tsr_cells_walk(cells, take_block, c, err);
    tsr_cells_free(cells);
    return status;
}

static int compare_ranks(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The different ranks of a slice, rising, into c->users. */
static uint32_t find_users(counting *c, uint64_t slice)
{
    const uint64_t end = c->next[slice], first = end - c->slices->count[c->mode][slice];
    uint32_t n = 0;
    for (uint64_t q = first; q < end; q++) {
        const uint32_t rank = c->rank[q];
        if (c->used_by[rank] == 0)
            c->users[n++] = rank;
        c->used_by[rank] = 1;
    }
    for (uint32_t u = 0; u < n; u++)
        c->used_by[c->users[u]] = 0;
    qsort(c->users, n, sizeof *c->users, compare_ranks);
    return n;
}

/* Count the row of a slice with n > 0 users. moved: of each rank, rows that it sends as a user, and as an owner. */
static void count_row(tsr_volume_mode *to, uint64_t *const *moved, uint64_t slice, const uint32_t *users,
                      uint32_t n)
{
    const uint32_t owner = users[slice % n];
    add_rows(to, n, 1);
    for (uint32_t u = 0; u < n; u++)
        moved[0][users[u]] += users[u] != owner;
    moved[1][owner] += n - 1;
}

static void count_rows(counting *c, tsr_volume_mode *to)
{
    for (uint64_t i = 0; i < c->slices->dims[c->mode]; i++) {
        const uint32_t n = find_users(c, i);
        if (n > 0)
            count_row(to, c->moved, i, c->users, n);
    }
}

/* The largest shares of ranks. */
static void find_largest(tsr_volume *volume, uint32_t nranks, const uint64_t *nnz, uint64_t *const *moved)
{
    for (uint32_t r = 0; r < nranks; r++) {
        volume->max_nnz = fmax(volume->max_nnz, (double)nnz[r]);
        volume->max_moved =
            fmax(volume->max_moved, (double)(moved[0][r] > moved[1][r] ? moved[0][r] : moved[1][r]));
    }
}

static tsr_status counting_init(counting *c, tsr_error *err)
{
    uint64_t longest = 1;
    const uint64_t n = c->grid->nranks;
    void *block[7] = {0};
    for (int m = 0; m < c->grid->order; m++)
        longest = c->slices->dims[m] > longest ? c->slices->dims[m] : longest;
    const struct {
        uint64_t n;
        size_t size;
    } want[7] = {{longest, 8}, {c->slices->nnz, 4}, {n, 4}, {n, 4}, {n, 8}, {n, 8}, {n, 8}};
    tsr_status status = TSR_OK;
    for (int i = 0; i < 7 && status == TSR_OK; i++)
        status = tsr_alloc_array(&block[i], want[i].n, want[i].size, 1, "counting the rows of ranks", err);
    c->next = block[0], c->rank = block[1], c->used_by = block[2], c->users = block[3];
    c->nnz = block[4], c->moved[0] = block[5], c->moved[1] = block[6];
    return status;
}

static void counting_clear(counting *c)
{
    tsr_free(c->next);
    tsr_free(c->rank);
    tsr_free(c->used_by);
    tsr_free(c->users);
    tsr_free(c->nnz);
    tsr_free(c->moved[0]);
    tsr_free(c->moved[1]);
}

tsr_status tsr_volume_count(tsr_volume *volume, const tsr_grid *grid, const tsr_slices *slices,
                            const tsr_tensor *tensor, const tsr_coo *coo, tsr_error *err)
{
    counting c = {.grid = grid, .slices = slices};
    *volume = (tsr_volume){0};
    find_bounds(volume, grid, slices);
    tsr_status status = counting_init(&c, err);
    for (int m = 0; m < grid->order && status == TSR_OK; m++) {
        c.mode = m;
        status = sort_ranks(&c, tensor, coo, err);
        if (status == TSR_OK)
            count_rows(&c, &volume->mode[m]);
    }
    for (uint64_t q = 0; q < slices->nnz && status == TSR_OK; q++)
        c.nnz[c.rank[q]]++;
    if (status == TSR_OK)
        find_largest(volume, grid->nranks, c.nnz, c.moved);
    counting_clear(&c);
    return status;
}

/* ---- counting in a stream ---- */

struct tsr_volume_counter {
    const tsr_grid *grid;
    const tsr_slices *slices;
    uint32_t inner[TSR_MAX_ORDER]; /* ranks with the same chunks of the modes up to this one */
    uint32_t layer[TSR_MAX_ORDER]; /* ranks of a layer */
    /* layer[m] bits for each slice: whether the rank of the layer has an entry of the slice; NULL: one rank alone */
    uint64_t *bits[TSR_MAX_ORDER];
    uint64_t nwords[TSR_MAX_ORDER];
    uint64_t *nnz, *moved[2]; /* nranks each */
    uint32_t *users;          /* nranks */
};

static tsr_status counter_alloc(tsr_volume_counter *c, tsr_error *err)
{
    static const char what[] = "counting the rows of ranks";
    enum { MAX_NBYTES = 1 << 30 }; /* about as long as it takes to read the entries again */
    double nbytes = 0;
    for (int m = c->grid->order - 1; m >= 0; m--) {
        const bool last = m == c->grid->order - 1;
        c->inner[m] = last ? 1 : c->inner[m + 1] * c->grid->n[m + 1];
        c->layer[m] = c->grid->nranks / c->grid->n[m];
        nbytes += c->layer[m] > 1 ? (double)c->slices->dims[m] * c->layer[m] / 8 : 0;
    }
    if (nbytes > MAX_NBYTES)
        return tsr_fail(err, TSR_LIMIT, "%s takes %.3g bytes", what, nbytes);
    TSR_TRY(tsr_memory_check(nbytes, what, err));
    for (int m = 0; m < c->grid->order; m++) {
        void *bits = NULL;
        c->nwords[m] = c->layer[m] > 1 ? c->slices->dims[m] * c->layer[m] / 64 + 1 : 0;
        if (c->nwords[m] > 0)
            TSR_TRY(tsr_alloc_array(&bits, c->nwords[m], sizeof *c->bits[m], 1, what, err));
        c->bits[m] = bits;
    }
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, c->grid->nranks, 4 * sizeof *c->nnz, 1, what, err));
    c->nnz = memory;
    c->moved[0] = c->nnz + c->grid->nranks;
    c->moved[1] = c->moved[0] + c->grid->nranks;
    c->users = (uint32_t *)(c->moved[1] + c->grid->nranks);
    return TSR_OK;
}

tsr_status tsr_volume_counter_new(tsr_volume_counter **out, const tsr_grid *grid, const tsr_slices *slices,
                                  tsr_error *err)
{
    tsr_volume_counter *const c = tsr_calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    c->grid = grid;
    c->slices = slices;
    const tsr_status status = counter_alloc(c, err);
    if (status == TSR_OK)
        *out = c;
    else
        tsr_volume_counter_free(c);
    return status;
}

void tsr_volume_counter_free(tsr_volume_counter *c)
{
    if (!c)
        return;
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_free(c->bits[m]);
    tsr_free(c->nnz);
    tsr_free(c);
}

void tsr_volume_counter_add(tsr_volume_counter *c, uint64_t n, const uint64_t *const *crd)
{
    const tsr_grid *const grid = c->grid;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t rank = 0;
        for (int m = 0; m < grid->order; m++)
            rank = tsr_grid_rank(grid, rank, m, crd[m][i]);
        c->nnz[rank]++;
        for (int m = 0; m < grid->order; m++) {
            if (!c->bits[m])
                continue;
            const uint32_t inner = c->inner[m], before = rank / (inner * grid->n[m]);
            const uint64_t bit = crd[m][i] * c->layer[m] + before * inner + rank % inner;
            c->bits[m][bit / 64] |= UINT64_C(1) << bit % 64;
        }
    }
}

/* The rows of a mode whose layers have several ranks: bit by bit, which is slice by slice, the ranks rising. */
static void count_bits(tsr_volume_mode *to, tsr_volume_counter *c, int m)
{
    const uint32_t q = c->layer[m], inner = c->inner[m], n = c->grid->n[m];
    uint64_t slice = 0;
    uint32_t nusers = 0, chunk = 0;
    for (uint64_t w = 0; w < c->nwords[m]; w++)
        for (uint64_t word = c->bits[m][w]; word; word &= word - 1) {
            const uint64_t at = 64 * w + (uint64_t)tsr_bit_length(word & (~word + 1)) - 1;
            if (at / q != slice && nusers > 0) {
                count_row(to, c->moved, slice, c->users, nusers);
                nusers = 0;
            }
            slice = at / q;
            while (slice >= c->grid->cut[m][chunk + 1])
                chunk++;
            const uint32_t b = (uint32_t)(at % q);
            c->users[nusers++] = b / inner * inner * n + chunk * inner + b % inner;
        }
    if (nusers > 0)
        count_row(to, c->moved, slice, c->users, nusers);
}

void tsr_volume_counter_end(tsr_volume *volume, tsr_volume_counter *c)
{
    *volume = (tsr_volume){0};
    find_bounds(volume, c->grid, c->slices);
    for (int m = 0; m < c->grid->order; m++) {
        for (uint64_t i = 0; i < c->slices->dims[m] && !c->bits[m]; i++)
            if (c->slices->count[m][i] > 0)
                add_rows(&volume->mode[m], 1, 1);
        if (c->bits[m])
            count_bits(&volume->mode[m], c, m);
    }
    find_largest(volume, c->grid->nranks, c->nnz, c->moved);
}
