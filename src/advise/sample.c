/* tsr_samples_init: see tsr_sample.h. One pass counts the entries of each bucket of each sample, and keeps those of as many of the
 * first buckets as will probably be taken. From the counts follows which buckets are taken; the others are left out of what was
 * kept. Where a sample takes more buckets than were kept, or where too many entries were in them, a second pass takes it. */
#include "tsr_sample.h"

#include <math.h>
#include <string.h>

#include "advise_internal.h"

#include "tsr_alloc.h"
#include "tsr_observer.h"
#include "tsr_parallel.h"

enum {
    NBUCKETS_LOG = 12,
    NBUCKETS = 1 << NBUCKETS_LOG,
    BLOCK = TSR_LEVEL_BLOCK,
    MOST = 2,                /* a sample has at most MOST times the entries that are wanted of many */
    MAX_SAMPLED = 32 << 20,  /* bytes of all samples */
    MAX_SLICES = 24 << 20,   /* bytes of the counts of slices, of all shares */
    HOT = 8,                 /* a bucket with more than HOT times the mean is not taken ... */
    HOT_PARTS = 32,          /* ... if it would fill more than 1 / HOT_PARTS of a sample */
    MAX_TILES = 1 << 16,     /* along a mode, that have a table */
    MAX_ENUMERATED = 1 << 22 /* groups that are hashed to count those that a sample has */
};

typedef struct share {
    uint64_t nnz;
    uint64_t *count;                               /* nsamples * NBUCKETS */
    uint32_t *slices[TSR_MAX_ORDER];               /* entries of each slice; NULL: not counted */
    uint64_t *crd[TSR_MAX_SAMPLES][TSR_MAX_ORDER]; /* the entries taken */
    uint64_t n[TSR_MAX_SAMPLES], room[TSR_MAX_SAMPLES];
    bool is_full[TSR_MAX_SAMPLES]; /* entries were left out, since there were too many */
    bool failed, cancelled;
} share;

struct advise_sampling {
    tsr_samples *out;
    const tsr_observer *observer;
    uint64_t npos;
    double wanted, most;                            /* entries of a sample */
    unsigned char taken[TSR_MAX_SAMPLES][NBUCKETS]; /* first those to keep, then those that are chosen */
    bool is_left_out[TSR_MAX_SAMPLES];              /* by this pass */
    /* of each group of a mode whose slices are counted: see fill_groups */
    unsigned char *groups[TSR_MAX_ORDER];
    uint16_t *tiles[TSR_MAX_ORDER]; /* bucket_of_tile of each tile along a mode; NULL: too many tiles */
    share *shares;
    int nshares;
    uint32_t **counted; /* the slices that the caller counts; NULL: they are counted here */
};
typedef struct advise_sampling sampling;

/* A number whose upper bits depend on all bits of x. */
static inline uint64_t mix(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    return x * UINT64_C(0xbf58476d1ce4e5b9);
}

/* The bucket of a group: multiples of the golden section, so that the groups of some buckets are spread evenly, and a window of
 * neighbouring groups has its share of them. */
static inline uint32_t bucket_of(uint64_t group)
{
    return (uint32_t)((group + 7) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - NBUCKETS_LOG));
}

/* What a tile contributes to its bucket by its place along mode m: the bucket is the exclusive or of all modes. */
static inline uint32_t bucket_of_tile(int m, uint64_t number)
{
    return (uint32_t)(mix(number + ((uint64_t)m << 48) + 1) >> (64 - NBUCKETS_LOG));
}

/* Slices of a group. */
static uint64_t width_of(tsr_sample_kind kind)
{
    return kind == TSR_SAMPLE_SLICES ? TSR_SAMPLE_GROUP : TSR_SAMPLE_BAND;
}

/* Whether the entries of the buckets follow from those of slices. */
static bool has_slices(const sampling *p, const tsr_sample *s)
{
    return s->kind != TSR_SAMPLE_TILES && p->shares[0].slices[s->mode];
}

/* ---- which entries are taken ---- */

/* Set bucket[i] of each entry of the block. */
static void find_buckets(uint32_t *restrict bucket, const sampling *p, const tsr_sample *s,
                         const tsr_cell_block *block)
{
    if (s->kind != TSR_SAMPLE_TILES) {
        const uint64_t *const crd = block->crd[s->mode], width = width_of(s->kind);
        for (size_t i = 0; i < block->n; i++)
            bucket[i] = bucket_of(crd[i] / width);
        return;
    }
    memset(bucket, 0, block->n * sizeof *bucket);
    for (int m = 0; m < s->order; m++) {
        const uint64_t *const crd = block->crd[m];
        const uint16_t *const known = p->tiles[m];
        for (size_t i = 0; known && i < block->n; i++)
            bucket[i] ^= known[crd[i] / TSR_SAMPLE_TILE];
        for (size_t i = 0; !known && i < block->n; i++)
            bucket[i] ^= bucket_of_tile(m, crd[i] / TSR_SAMPLE_TILE);
    }
}

/* Set bit k of taken[i] if entry i of the block is in a bucket of sample k that is taken, for the samples of this pass whose groups have no
 * table; count the entries of their buckets, unless count is NULL. */
static void find_taken_by_buckets(uint32_t *restrict taken, uint64_t *count, const sampling *p,
                                  const tsr_cell_block *block)
{
    uint32_t bucket[BLOCK];
    for (int k = 0; k < p->out->n; k++) {
        const tsr_sample *const s = &p->out->of[k];
        const unsigned char *const wanted = p->taken[k];
        if (p->is_left_out[k] || (s->kind != TSR_SAMPLE_TILES && p->groups[s->mode]))
            continue;
        find_buckets(bucket, p, s, block);
        for (size_t i = 0; count && i < block->n; i++)
            count[(size_t)k * NBUCKETS + bucket[i]]++;
        for (size_t i = 0; i < block->n; i++)
            taken[i] |= (uint32_t)wanted[bucket[i]] << k;
    }
}

/* The same for the samples whose groups have a table. */
static void find_taken_by_groups(uint32_t *restrict taken, const sampling *p, const tsr_cell_block *block)
{
    const int order = p->out->order;
    for (int m = 0; m < order; m++) {
        const unsigned char *const groups = p->groups[m];
        const uint64_t *const crd = block->crd[m];
        const uint32_t slices = UINT32_C(1) << m, bands = UINT32_C(1) << (order + m);
        const uint32_t bits[] = {0, slices, bands, slices | bands};
        for (size_t i = 0; groups && i < block->n; i++)
            taken[i] |= bits[groups[crd[i] / TSR_SAMPLE_GROUP]];
    }
}

/* Write which groups of each mode are taken: bit 0 by SLICES, bit 1 by BANDS, which are whole groups. */
static void fill_groups(sampling *p)
{
    for (int k = 0; k < p->out->n; k++) {
        const tsr_sample *const s = &p->out->of[k];
        unsigned char *const groups = s->kind != TSR_SAMPLE_TILES ? p->groups[s->mode] : NULL;
        const unsigned char bit = s->kind == TSR_SAMPLE_SLICES ? 1 : 2;
        const uint64_t n = p->out->dims[s->mode] / TSR_SAMPLE_GROUP + 1,
                       per = width_of(s->kind) / TSR_SAMPLE_GROUP;
        for (uint64_t g = 0; groups && g < n; g++) {
            const bool takes = !p->is_left_out[k] && p->taken[k][bucket_of(g / per)];
            groups[g] = (unsigned char)(takes ? groups[g] | bit : groups[g] & ~bit);
        }
    }
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

/* The entries of a block that samples take. */
typedef struct found {
    const tsr_cell_block *block;
    uint32_t taken[BLOCK]; /* of each entry: bit k: sample k takes it */
    uint32_t some[BLOCK];  /* nsome entries: those that a sample takes */
    uint32_t nsome;
} found;

/* Take those of sample k. Each share keeps as many as the whole sample may have, so that the sample is the same for any number of
 * shares. */
static bool take_entries(share *s, const sampling *p, int k, const found *of)
{
    uint32_t mine[BLOCK], n = 0;
    for (uint32_t i = 0; i < of->nsome; i++) {
        mine[n] = of->some[i];
        n += of->taken[of->some[i]] >> k & 1;
    }
    if (n == 0)
        return true;
    if ((double)s->n[k] >= p->most) {
        s->is_full[k] = true;
        return true;
    }
    if (!make_room(s, p, k, n))
        return false;
    for (int m = 0; m < p->out->order; m++) {
        uint64_t *const to = s->crd[k][m] + s->n[k];
        for (uint32_t i = 0; i < n; i++)
            to[i] = of->block->crd[m][mine[i]];
    }
    s->n[k] += n;
    return true;
}

/* Take the entries of a block for all samples; count: as in find_taken_by_buckets. */
static bool take(const sampling *p, int t, const tsr_cell_block *block, uint64_t *count)
{
    share *const s = &p->shares[t];
    found of = {.block = block};
    if (t == 0 && tsr_progress(p->observer, "survey", 0, 0, NULL) != TSR_OK) {
        s->cancelled = true;
        return false;
    }
    find_taken_by_groups(of.taken, p, block);
    find_taken_by_buckets(of.taken, count, p, block);
    for (uint32_t i = 0; i < block->n; i++) {
        of.some[of.nsome] = i;
        of.nsome += of.taken[i] != 0;
    }
    for (int k = 0; k < p->out->n && of.nsome > 0 && !s->failed; k++)
        s->failed = !p->is_left_out[k] && !take_entries(s, p, k, &of);
    return !s->failed;
}

static bool take_block(void *arg, int t, const tsr_cell_block *block)
{
    return take(arg, t, block, NULL);
}

/* The same, and count the entries of slices and of buckets. */
static bool count_block(void *arg, int t, const tsr_cell_block *block)
{
    const sampling *const p = arg;
    share *const s = &p->shares[t];
    s->nnz += block->n;
    for (int m = 0; m < p->out->order && !p->counted; m++) {
        uint32_t *const slices = s->slices[m];
        for (size_t i = 0; slices && i < block->n; i++)
            slices[block->crd[m][i]]++;
    }
    return take(p, t, block, s->count);
}

/* ---- which buckets ---- */

/* Count the groups of the mode that are taken, and those that could have been. */
static void count_groups(tsr_sample *s, const unsigned char *taken, const bool *hot, uint64_t dim)
{
    const uint64_t width = width_of(s->kind);
    const uint64_t ngroups = dim / width + (dim % width != 0),
                   n = ngroups < MAX_ENUMERATED ? ngroups : MAX_ENUMERATED;
    double ntaken = 0, ncold = 0;
    for (uint64_t g = 0; g < n; g++) {
        const uint32_t bucket = bucket_of(g);
        ntaken += taken[bucket];
        ncold += !hot[bucket];
    }
    s->share = ncold > 0 ? ntaken / ncold : 1;
    s->hot_groups = ((double)n - ncold) * (double)ngroups / (double)(n ? n : 1);
}

/* Take buckets of sample k until they have about as many entries as are wanted: *n of them. Returns whether the first pass kept them. */
static bool choose_buckets(double *n, sampling *p, int k, const uint64_t *count)
{
    tsr_sample *const s = &p->out->of[k];
    const double wanted = p->wanted;
    bool hot[NBUCKETS], is_kept = true;
    double total = 0;
    int nused = 0;
    for (int b = 0; b < NBUCKETS; b++) {
        total += (double)count[b];
        nused += count[b] > 0;
    }
    const double mean = nused ? total / nused : 0;
    const bool all = total <= wanted;
    for (int b = 0; b < NBUCKETS; b++) {
        const double have = (double)count[b];
        hot[b] = !all && have > HOT * mean && have > wanted / HOT_PARTS;
        s->eligible += hot[b] ? 0 : have;
        s->hot_buckets += hot[b];
    }
    *n = 0;
    for (int b = 0; b < NBUCKETS; b++) {
        const bool takes = all || (!hot[b] && *n < wanted);
        is_kept = is_kept && (p->taken[k][b] || !takes || count[b] == 0);
        p->taken[k][b] = takes;
        *n += takes ? (double)count[b] : 0;
    }
    if (s->kind == TSR_SAMPLE_TILES)
        s->share = s->eligible > 0 ? *n / s->eligible : 1, s->hot_groups = s->hot_buckets;
    else
        count_groups(s, p->taken[k], hot, p->out->dims[s->mode]);
    return is_kept;
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
    const uint64_t width = width_of(s->kind);
    for (uint64_t first = 0, group = 0; first < dim; first += width, group++) {
        const uint64_t end = first + width < dim ? first + width : dim;
        uint64_t sum = 0;
        for (uint64_t i = first; i < end; i++)
            sum += slices[i];
        count[bucket_of(group)] += sum;
    }
}

/* The mode of slices with the most groups, which has a sample in any case. */
static int longest_mode(const tsr_samples *out)
{
    int longest = 0;
    for (int m = 1; m < out->order; m++)
        longest = out->dims[m] > out->dims[longest] ? m : longest;
    return longest;
}

/* Choose the buckets of all samples; left out of a second pass are the samples that the first pass has. */
static void choose(sampling *p)
{
    tsr_samples *const out = p->out;
    const int longest = longest_mode(out);
    for (int t = 0; t < p->nshares; t++)
        out->nnz += p->shares[t].nnz;
    for (int m = 0; m < out->order; m++)
        join_slices(p, m);
    for (int t = 1; t < p->nshares; t++)
        for (int i = 0; i < out->n * NBUCKETS; i++)
            p->shares[0].count[i] += p->shares[t].count[i];
    for (int k = 0; k < out->n; k++) {
        tsr_sample *const s = &out->of[k];
        uint64_t *const count = p->shares[0].count + (size_t)k * NBUCKETS;
        double n;
        s->nnz = out->nnz;
        if (has_slices(p, s))
            fill_buckets(count, s, out->slices[s->mode], out->dims[s->mode]);
        bool is_kept = choose_buckets(&n, p, k, count);
        for (int t = 0; t < p->nshares; t++)
            is_kept = is_kept && !p->shares[t].is_full[k];
        if (s->kind == TSR_SAMPLE_SLICES && n > p->most && s->mode != longest)
            memset(p->taken[k], 0, sizeof p->taken[k]); /* its groups are too few: there is no sample */
        p->is_left_out[k] = is_kept;
        for (int t = 0; t < p->nshares && !is_kept; t++)
            p->shares[t].n[k] = 0;
    }
}

/* The buckets that the first pass keeps: those of half as many entries more than a sample has, about. */
static void guess_buckets(sampling *p)
{
    const double part = 1.5 * p->wanted / ((double)p->npos + 1);
    for (int k = 0; k < p->out->n; k++)
        for (int b = 0; b < NBUCKETS; b++)
            p->taken[k][b] = b <= part * NBUCKETS;
}

/* ---- the passes ---- */

static void add_sample(tsr_samples *out, tsr_sample_kind kind, int mode)
{
    out->of[out->n++] = (tsr_sample){.kind = kind, .mode = mode, .order = out->order, .more = 1};
}

/* Leave the entries of the buckets that were not chosen out of what share s kept for sample k. */
static void leave_out(share *s, const sampling *p, int k)
{
    const tsr_sample *const of = &p->out->of[k];
    uint64_t n = 0;
    for (uint64_t first = 0; first < s->n[k]; first += BLOCK) {
        uint32_t bucket[BLOCK];
        tsr_cell_block block = {.n = s->n[k] - first < BLOCK ? (size_t)(s->n[k] - first) : BLOCK};
        for (int m = 0; m < of->order; m++)
            block.crd[m] = s->crd[k][m] + first;
        find_buckets(bucket, p, of, &block);
        for (size_t i = 0; i < block.n; i++) {
            for (int m = 0; m < of->order; m++)
                s->crd[k][m][n] = s->crd[k][m][first + i];
            n += p->taken[k][bucket[i]];
        }
    }
    s->n[k] = n;
}

/* Make the sample of what the shares have: its first entries, if they are too many. */
static tsr_status join(sampling *p, int k, tsr_error *err)
{
    tsr_sample *const s = &p->out->of[k];
    const uint64_t most = (uint64_t)p->most;
    void *block;
    for (int t = 0; t < p->nshares; t++) {
        leave_out(&p->shares[t], p, k);
        s->n += p->shares[t].n[k];
    }
    s->n = s->n < most ? s->n : most;
    for (int m = 0; m < s->order; m++) {
        uint64_t at = 0;
        TSR_TRY(tsr_alloc_array(&block, s->n + 1, sizeof(uint64_t), 0, "a sample of the entries", err));
        s->crd[m] = block;
        for (int t = 0; t < p->nshares; t++) {
            const uint64_t have = p->shares[t].n[k], n = have < s->n - at ? have : s->n - at;
            if (n > 0)
                memcpy(s->crd[m] + at, p->shares[t].crd[k][m], (size_t)n * sizeof(uint64_t));
            at += n;
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
    for (int t = 0; t < p->nshares && p->counted; t++)
        memcpy(p->shares[t].slices, p->counted + (size_t)t * TSR_MAX_ORDER, sizeof p->shares[t].slices);
    if (p->counted)
        return TSR_OK;
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

/* Tables of the groups and of the tiles, so that an entry takes no hash. */
static tsr_status alloc_tables(sampling *p, tsr_error *err)
{
    for (int m = 0; m < p->out->order; m++) {
        const uint64_t dim = p->out->dims[m], ntiles = dim / TSR_SAMPLE_TILE + 1;
        void *block;
        if (p->shares[0].slices[m]) {
            TSR_TRY(tsr_alloc_array(&block, dim / TSR_SAMPLE_GROUP + 1, 1, 1, "samples", err));
            p->groups[m] = block;
        }
        if (ntiles > MAX_TILES)
            continue;
        TSR_TRY(tsr_alloc_array(&block, ntiles, sizeof(uint16_t), 0, "samples", err));
        p->tiles[m] = block;
        for (uint64_t i = 0; i < ntiles; i++)
            p->tiles[m][i] = (uint16_t)bucket_of_tile(m, i);
    }
    return TSR_OK;
}

/* Why the pass ended before its time. */
static tsr_status pass_status(const sampling *p, tsr_error *err)
{
    for (int t = 0; t < p->nshares; t++) {
        if (p->shares[t].cancelled)
            return tsr_fail(err, TSR_CANCELLED, "cancelled while in phase survey");
        if (p->shares[t].failed)
            return tsr_fail(err, TSR_NOMEM, "out of memory for samples of the entries");
    }
    return TSR_OK;
}

/* Everything for the first pass. */
static tsr_status prepare(sampling *p, tsr_error *err)
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
    TSR_TRY(alloc_tables(p, err));
    guess_buckets(p);
    fill_groups(p);
    return TSR_OK;
}

bool advise_sampling_add(advise_sampling *p, int t, const tsr_cell_block *block)
{
    return count_block(p, t, block);
}

static tsr_status finish(sampling *p, tsr_cells *cells, tsr_error *err)
{
    bool again = false;
    TSR_TRY(pass_status(p, err));
    choose(p);
    for (int k = 0; k < p->out->n; k++)
        again = again || !p->is_left_out[k];
    fill_groups(p);
    if (again)
        TSR_TRY(tsr_cells_walk(cells, take_block, p, err));
    TSR_TRY(pass_status(p, err));
    for (int k = 0; k < p->out->n; k++)
        TSR_TRY(join(p, k, err));
    return TSR_OK;
}

tsr_status advise_sampling_finish(advise_sampling *p, tsr_cells *cells, tsr_error *err)
{
    const tsr_status status = finish(p, cells, err);
    if (p->counted)
        memset(p->out->slices, 0, sizeof p->out->slices);
    return status;
}

static void clear_shares(sampling *p)
{
    for (int t = 0; p->shares && t < p->nshares; t++) {
        tsr_free(p->shares[t].count);
        for (int m = 0; m < TSR_MAX_ORDER; m++)
            if (!p->counted && p->shares[t].slices[m] != p->out->slices[m])
                tsr_free(p->shares[t].slices[m]);
        for (int k = 0; k < TSR_MAX_SAMPLES; k++)
            for (int m = 0; m < TSR_MAX_ORDER; m++)
                tsr_free(p->shares[t].crd[k][m]);
    }
    tsr_free(p->shares);
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        tsr_free(p->groups[m]);
        tsr_free(p->tiles[m]);
    }
}

/* Of few entries a sample has fewer: as large a part as the smallest cache needs, of which a sample should have eight lines or more. */
static uint64_t usual_nnz(uint64_t npos)
{
    const uint64_t n = npos / TSR_SAMPLE_PART;
    return npos <= 2 * TSR_SAMPLE_LEAST ? 2 * TSR_SAMPLE_LEAST
           : n < TSR_SAMPLE_LEAST       ? TSR_SAMPLE_LEAST
           : n > TSR_SAMPLE_NNZ         ? TSR_SAMPLE_NNZ
                                        : n;
}

void advise_sampling_free(advise_sampling *p)
{
    if (p)
        clear_shares(p);
    tsr_free(p);
}

tsr_status advise_sampling_new(advise_sampling **sampling_out, tsr_samples *out, const advise_source *source,
                               const tsr_sample_options *o, const advise_counters *counters, tsr_error *err)
{
    *out = (tsr_samples){.order = source->order};
    memcpy(out->dims, source->dims, (size_t)out->order * sizeof *out->dims);
    for (int m = 0; m < out->order; m++)
        add_sample(out, TSR_SAMPLE_SLICES, m);
    for (int m = 0; out->order == 2 && m < 2; m++)
        add_sample(out, TSR_SAMPLE_BANDS, m);
    if (out->order > 1)
        add_sample(out, TSR_SAMPLE_TILES, 0);
    sampling *const p = *sampling_out = tsr_calloc(1, sizeof *p);
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory for samples of the entries");
    p->out = out;
    p->observer = o->observer;
    p->npos = source->npos;
    p->nshares = counters->nshares;
    p->counted = counters->slices;
    const double room = (double)MAX_SAMPLED / (8.0 * out->order * (out->n ? out->n : 1)),
                 wanted = (double)(o->nnz ? o->nnz : usual_nnz(p->npos));
    p->wanted = wanted < room ? wanted : room;
    p->most = MOST * (o->nnz ? p->wanted : TSR_SAMPLE_NNZ < room ? TSR_SAMPLE_NNZ : room); /* whole groups */
    const tsr_status status = prepare(p, err);
    if (status != TSR_OK) {
        advise_sampling_free(p);
        *sampling_out = NULL;
    }
    return status;
}

tsr_status tsr_samples_init(tsr_samples *out, const tsr_tensor *tensor, const tsr_coo *coo,
                            const tsr_sample_options *options, tsr_error *err)
{
    static const tsr_sample_options defaults = {0};
    const tsr_sample_options *const o = options ? options : &defaults;
    const advise_source source = {.tensor = tensor,
                                  .coo = coo,
                                  .order = tensor ? tensor->order : coo->order,
                                  .dims = tensor ? tensor->dims : coo->dims,
                                  .npos = tensor ? tensor->npos : coo->nnz};
    advise_sampling *p = NULL;
    tsr_cells *cells;
    *out = (tsr_samples){0};
    TSR_TRY(tsr_cells_new(&cells, tensor, coo, o->nthreads, err));
    tsr_status status;
    const advise_counters counters = {tsr_cells_nshares(cells), NULL};
    TSR_TRY_OUT(advise_sampling_new(&p, out, &source, o, &counters, err));
    TSR_TRY_OUT(tsr_cells_walk(cells, count_block, p, err));
    TSR_TRY_OUT(advise_sampling_finish(p, cells, err));
out:
    advise_sampling_free(p);
    tsr_cells_free(cells);
    if (status != TSR_OK)
        tsr_samples_clear(out);
    return status;
}

void tsr_samples_thin(tsr_samples *samples, const tsr_thin *thin)
{
    const double more = samples->nnz > 0 ? (double)thin->nnz / (double)samples->nnz : 1,
                 part = (double)thin->nslices / (double)samples->dims[thin->mode];
    samples->is_thin = true;
    samples->thin_mode = thin->mode;
    samples->nnz = thin->nnz;
    for (int k = 0; k < samples->n; k++) {
        tsr_sample *const s = &samples->of[k];
        if (s->kind == TSR_SAMPLE_TILES || s->mode != thin->mode) {
            s->more = more;
            continue;
        }
        s->nnz = thin->nnz;
        s->eligible *= more;
        s->share *= part;
        s->hot_groups /= part;
        s->hot_buckets /= part;
    }
    /* so that sums over all slices are right */
    for (int m = 0; m < samples->order; m++)
        for (uint64_t i = 0; samples->slices[m] && i < samples->dims[m]; i++)
            samples->slices[m][i] = (uint32_t)fmin(samples->slices[m][i] * more, UINT32_MAX);
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
