/* tsr_samples_init: see tsr_sample.h. The first pass counts the entries of each bucket of each sample. From the counts
 * follows which buckets are taken, and where each share writes its entries. The second pass writes them. */
#include "tsr_sample.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_observer.h"
#include "tsr_parallel.h"

enum {
    NBUCKETS_LOG = 12,
    NBUCKETS = 1 << NBUCKETS_LOG,
    BLOCK = TSR_LEVEL_BLOCK,
    COUNTED =
        1 << 20, /* entries whose buckets the first pass counts, about, where it does not count slices */
    MAX_SAMPLED = 32 << 20,  /* bytes of all samples */
    MAX_SLICES = 24 << 20,   /* bytes of the counts of slices, of all shares */
    HOT = 8,                 /* a bucket with more than HOT times the mean is not taken ... */
    HOT_PARTS = 32,          /* ... if it would fill more than 1 / HOT_PARTS of a sample */
    MAX_ENUMERATED = 1 << 22 /* groups that are hashed to count those that a sample has */
};

typedef struct share {
    uint64_t nblocks, nnz, ncounted;               /* of the first pass */
    uint64_t *count;                               /* nsamples * NBUCKETS */
    uint32_t *slices[TSR_MAX_ORDER];               /* entries of each slice; NULL: not counted */
    uint64_t *crd[TSR_MAX_SAMPLES][TSR_MAX_ORDER]; /* the entries taken */
    uint64_t n[TSR_MAX_SAMPLES], room[TSR_MAX_SAMPLES];
    bool failed, cancelled;
} share;

typedef struct sampling {
    tsr_samples *out;
    const tsr_observer *observer;
    uint64_t npos;
    uint64_t every; /* the first pass counts the buckets of each every-th block */
    unsigned char taken[TSR_MAX_SAMPLES][NBUCKETS];
    share *shares;
    int nshares;
} sampling;

/* A number whose upper bits depend on all bits of x. */
static inline uint64_t mix(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    return x * UINT64_C(0xbf58476d1ce4e5b9);
}

/* Set bucket[i] of each entry of the block. */
static void find_buckets(uint32_t *restrict bucket, const tsr_sample *s, const tsr_cell_block *block)
{
    if (s->kind == TSR_SAMPLE_TILES) {
        uint64_t key[BLOCK] = {0};
        for (int m = 0; m < s->order; m++)
            for (size_t i = 0; i < block->n; i++)
                key[i] = mix(key[i] + block->crd[m][i] / TSR_SAMPLE_TILE + 1);
        for (size_t i = 0; i < block->n; i++)
            bucket[i] = (uint32_t)(key[i] >> (64 - NBUCKETS_LOG));
        return;
    }
    const uint64_t *const crd = block->crd[s->mode];
    if (s->kind == TSR_SAMPLE_SLICES)
        for (size_t i = 0; i < block->n; i++)
            bucket[i] = (uint32_t)(mix(crd[i] / TSR_SAMPLE_GROUP) >> (64 - NBUCKETS_LOG));
    else
        for (size_t i = 0; i < block->n; i++)
            bucket[i] = (uint32_t)(mix(crd[i] / TSR_SAMPLE_BAND) >> (64 - NBUCKETS_LOG));
}

/* Whether the entries of the buckets follow from those of slices. */
static bool has_slices(const sampling *p, const tsr_sample *s)
{
    return s->kind != TSR_SAMPLE_TILES && p->shares[0].slices[s->mode];
}

static bool count_block(void *arg, int t, const tsr_cell_block *block)
{
    const sampling *const p = arg;
    share *const s = &p->shares[t];
    uint32_t bucket[BLOCK];
    s->nnz += block->n;
    for (int m = 0; m < p->out->order; m++) {
        uint32_t *const slices = s->slices[m];
        for (size_t i = 0; slices && i < block->n; i++)
            slices[block->crd[m][i]]++;
    }
    if (s->nblocks++ % p->every != 0)
        return true;
    s->ncounted += block->n;
    for (int k = 0; k < p->out->n; k++) {
        if (has_slices(p, &p->out->of[k]))
            continue;
        uint64_t *const count = s->count + (size_t)k * NBUCKETS;
        find_buckets(bucket, &p->out->of[k], block);
        for (size_t i = 0; i < block->n; i++)
            count[bucket[i]]++;
    }
    return true;
}

/* Room for n more entries of sample k. */
static bool make_room(share *s, const sampling *p, int k, uint64_t n)
{
    if (s->n[k] + n <= s->room[k])
        return true;
    const uint64_t room = 2 * s->room[k] > s->n[k] + n ? 2 * s->room[k] : s->n[k] + n + BLOCK;
    for (int m = 0; m < p->out->order; m++) {
        uint64_t *const grown = tsr_realloc(s->crd[k][m], (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        s->crd[k][m] = grown;
    }
    s->room[k] = room;
    return true;
}

static bool take_block(void *arg, int t, const tsr_cell_block *block)
{
    const sampling *const p = arg;
    share *const s = &p->shares[t];
    uint32_t bucket[BLOCK], taken[BLOCK];
    if (t == 0 && tsr_progress(p->observer, "survey", 0, 0, NULL) != TSR_OK) {
        s->cancelled = true;
        return false;
    }
    for (int k = 0; k < p->out->n; k++) {
        const unsigned char *const wanted = p->taken[k];
        uint32_t n = 0;
        find_buckets(bucket, &p->out->of[k], block);
        for (uint32_t i = 0; i < block->n; i++) {
            taken[n] = i;
            n += wanted[bucket[i]];
        }
        if (n > 0 && !make_room(s, p, k, n)) {
            s->failed = true;
            return false;
        }
        for (int m = 0; n > 0 && m < p->out->order; m++) {
            uint64_t *const to = s->crd[k][m] + s->n[k];
            for (uint32_t i = 0; i < n; i++)
                to[i] = block->crd[m][taken[i]];
        }
        s->n[k] += n;
    }
    return true;
}

/* ---- which buckets ---- */

/* Count the groups of the mode that are taken, and those that could have been. */
static void count_groups(tsr_sample *s, const unsigned char *taken, const bool *hot, uint64_t dim)
{
    const uint64_t width = s->kind == TSR_SAMPLE_SLICES ? TSR_SAMPLE_GROUP : TSR_SAMPLE_BAND;
    const uint64_t ngroups = dim / width + (dim % width != 0),
                   n = ngroups < MAX_ENUMERATED ? ngroups : MAX_ENUMERATED;
    double ntaken = 0, ncold = 0;
    for (uint64_t g = 0; g < n; g++) {
        const uint32_t bucket = (uint32_t)(mix(g) >> (64 - NBUCKETS_LOG));
        ntaken += taken[bucket];
        ncold += !hot[bucket];
    }
    s->share = ncold > 0 ? ntaken / ncold : 1;
    s->hot_groups = ((double)n - ncold) * (double)ngroups / (double)(n ? n : 1);
}

/* Take buckets of sample k until they have about `wanted` entries. */
static void choose_buckets(sampling *p, int k, const uint64_t *count, double scale, double wanted)
{
    tsr_sample *const s = &p->out->of[k];
    bool hot[NBUCKETS];
    double total = 0, n = 0, sum = 0;
    int nused = 0;
    for (int b = 0; b < NBUCKETS; b++) {
        total += (double)count[b] * scale;
        nused += count[b] > 0;
    }
    const double mean = nused ? total / nused : 0;
    const bool all = total <= wanted;
    for (int b = 0; b < NBUCKETS; b++) {
        const double have = (double)count[b] * scale;
        hot[b] = !all && have > HOT * mean && have > wanted / HOT_PARTS;
        s->eligible += hot[b] ? 0 : have;
    }
    for (int b = 0; b < NBUCKETS; b++) {
        p->taken[k][b] = all || (!hot[b] && n < wanted);
        n += p->taken[k][b] ? (double)count[b] * scale : 0;
        sum += hot[b];
    }
    s->hot_buckets = sum;
    if (s->kind == TSR_SAMPLE_TILES)
        s->share = s->eligible > 0 ? n / s->eligible : 1, s->hot_groups = sum;
    else
        count_groups(s, p->taken[k], hot, p->out->dims[s->mode]);
}

/* Add up the counts of the slices of mode m of all shares, which become those of the samples. */
static void join_slices(sampling *p, int m)
{
    uint32_t *const to = p->out->slices[m] = p->shares[0].slices[m];
    for (int t = 1; to && t < p->nshares; t++)
        for (uint64_t i = 0; i < p->out->dims[m]; i++)
            to[i] += p->shares[t].slices[m][i];
}

/* The entries of each bucket of a sample, from those of the slices. */
static void fill_buckets(uint64_t *count, const tsr_sample *s, const uint32_t *slices, uint64_t dim)
{
    const uint64_t width = s->kind == TSR_SAMPLE_SLICES ? TSR_SAMPLE_GROUP : TSR_SAMPLE_BAND;
    for (uint64_t first = 0, group = 0; first < dim; first += width, group++) {
        const uint64_t end = first + width < dim ? first + width : dim;
        uint64_t sum = 0;
        for (uint64_t i = first; i < end; i++)
            sum += slices[i];
        count[mix(group) >> (64 - NBUCKETS_LOG)] += sum;
    }
}

static void choose(sampling *p, uint64_t wanted)
{
    tsr_samples *const out = p->out;
    uint64_t counted = 0;
    for (int t = 0; t < p->nshares; t++) {
        out->nnz += p->shares[t].nnz;
        counted += p->shares[t].ncounted;
    }
    for (int m = 0; m < out->order; m++)
        join_slices(p, m);
    for (int t = 1; t < p->nshares; t++)
        for (int i = 0; i < out->n * NBUCKETS; i++)
            p->shares[0].count[i] += p->shares[t].count[i];
    const double room = (double)MAX_SAMPLED / (8.0 * out->order * (out->n ? out->n : 1));
    const double most = (double)wanted < room ? (double)wanted : room;
    for (int k = 0; k < out->n; k++) {
        tsr_sample *const s = &out->of[k];
        uint64_t *const count = p->shares[0].count + (size_t)k * NBUCKETS;
        const bool exact = has_slices(p, s);
        s->nnz = out->nnz;
        if (exact)
            fill_buckets(count, s, out->slices[s->mode], out->dims[s->mode]);
        choose_buckets(p, k, count, exact || counted == 0 ? 1 : (double)out->nnz / (double)counted, most);
    }
}

/* ---- the passes ---- */

static void add_sample(tsr_samples *out, tsr_sample_kind kind, int mode)
{
    out->of[out->n++] = (tsr_sample){.kind = kind, .mode = mode, .order = out->order};
}

static tsr_status join(sampling *p, int k, tsr_error *err)
{
    tsr_sample *const s = &p->out->of[k];
    void *block;
    for (int t = 0; t < p->nshares; t++)
        s->n += p->shares[t].n[k];
    for (int m = 0; m < s->order; m++) {
        uint64_t at = 0;
        TSR_TRY(tsr_alloc_array(&block, s->n + 1, sizeof(uint64_t), 0, "a sample of the entries", err));
        s->crd[m] = block;
        for (int t = 0; t < p->nshares; t++) {
            if (p->shares[t].n[k] > 0)
                memcpy(s->crd[m] + at, p->shares[t].crd[k][m], (size_t)p->shares[t].n[k] * sizeof(uint64_t));
            at += p->shares[t].n[k];
            tsr_free(p->shares[t].crd[k][m]);
            p->shares[t].crd[k][m] = NULL;
        }
    }
    return TSR_OK;
}

/* Counts for the slices of modes that are not too long. */
static tsr_status alloc_slices(sampling *p, tsr_error *err)
{
    const uint64_t room = p->npos <= UINT32_MAX ? MAX_SLICES / sizeof(uint32_t) / (uint64_t)p->nshares : 0;
    for (int m = 0; m < p->out->order; m++) {
        const bool fits = p->out->dims[m] <= room / (uint64_t)p->out->order;
        for (int t = 0; fits && t < p->nshares; t++) {
            void *block;
            TSR_TRY(tsr_alloc_array(&block, p->out->dims[m] + 1, sizeof(uint32_t), 1, "samples", err));
            p->shares[t].slices[m] = block;
        }
    }
    return TSR_OK;
}

static tsr_status run(sampling *p, tsr_cells *cells, uint64_t wanted, tsr_error *err)
{
    void *block;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)p->nshares, sizeof *p->shares, 1, "samples", err));
    p->shares = block;
    for (int t = 0; t < p->nshares; t++) {
        TSR_TRY(
            tsr_alloc_array(&block, (uint64_t)p->out->n * NBUCKETS + 1, sizeof(uint64_t), 1, "samples", err));
        p->shares[t].count = block;
    }
    TSR_TRY(alloc_slices(p, err));
    TSR_TRY(tsr_cells_walk(cells, count_block, p, err));
    choose(p, wanted);
    TSR_TRY(tsr_cells_walk(cells, take_block, p, err));
    for (int t = 0; t < p->nshares; t++) {
        if (p->shares[t].cancelled)
            return tsr_fail(err, TSR_CANCELLED, "cancelled while in phase survey");
        if (p->shares[t].failed)
            return tsr_fail(err, TSR_NOMEM, "out of memory for samples of the entries");
    }
    for (int k = 0; k < p->out->n; k++)
        TSR_TRY(join(p, k, err));
    return TSR_OK;
}

static void clear_shares(sampling *p)
{
    for (int t = 0; p->shares && t < p->nshares; t++) {
        tsr_free(p->shares[t].count);
        for (int m = 0; m < TSR_MAX_ORDER; m++)
            if (p->shares[t].slices[m] != p->out->slices[m])
                tsr_free(p->shares[t].slices[m]);
        for (int k = 0; k < TSR_MAX_SAMPLES; k++)
            for (int m = 0; m < TSR_MAX_ORDER; m++)
                tsr_free(p->shares[t].crd[k][m]);
    }
    tsr_free(p->shares);
}

tsr_status tsr_samples_init(tsr_samples *out, const tsr_tensor *tensor, const tsr_coo *coo,
                            const tsr_sample_options *options, tsr_error *err)
{
    static const tsr_sample_options defaults = {0};
    const tsr_sample_options *const o = options ? options : &defaults;
    const uint64_t npos = tensor ? tensor->npos : coo->nnz;
    tsr_cells *cells = NULL;
    *out = (tsr_samples){.order = tensor ? tensor->order : coo->order};
    memcpy(out->dims, tensor ? tensor->dims : coo->dims, (size_t)out->order * sizeof *out->dims);
    for (int m = 0; m < out->order; m++)
        add_sample(out, TSR_SAMPLE_SLICES, m);
    for (int m = 0; out->order == 2 && m < 2; m++)
        add_sample(out, TSR_SAMPLE_BANDS, m);
    if (out->order > 1)
        add_sample(out, TSR_SAMPLE_TILES, 0);
    sampling *const p = tsr_calloc(1, sizeof *p);
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory for samples of the entries");
    p->out = out;
    p->observer = o->observer;
    p->npos = npos;
    p->every = npos / COUNTED + 1;
    tsr_status status = tsr_cells_new(&cells, tensor, coo, o->nthreads, err);
    if (status == TSR_OK) {
        p->nshares = tsr_cells_nshares(cells);
        status = run(p, cells, o->nnz ? o->nnz : TSR_SAMPLE_NNZ, err);
        tsr_cells_free(cells);
    }
    clear_shares(p);
    tsr_free(p);
    if (status != TSR_OK)
        tsr_samples_clear(out);
    return status;
}

void tsr_samples_clear(tsr_samples *samples)
{
    for (int k = 0; k < samples->n; k++)
        for (int m = 0; m < samples->order; m++)
            tsr_free(samples->of[k].crd[m]);
    for (int m = 0; m < samples->order; m++)
        tsr_free(samples->slices[m]);
    memset(samples, 0, sizeof *samples);
}

const tsr_sample *tsr_samples_find(const tsr_samples *samples, tsr_sample_kind kind, int mode)
{
    for (int k = 0; k < samples->n; k++)
        if (samples->of[k].kind == kind && (kind == TSR_SAMPLE_TILES || samples->of[k].mode == mode))
            return &samples->of[k];
    return NULL;
}
