/* One pass over the entries in storage order. Each pair of neighbours has a pattern, which says for each
 * mode whether the later entry has the same coordinate, a larger one or a smaller one. The counts of all
 * patterns show in which orders of the modes the entries are sorted, and the number of different prefixes in
 * each of these orders. */
#include <string.h>

#include "advise_internal.h"
#include "tsr_clones.h"
#include "tsr_parallel.h"

enum { BLOCK = TSR_LEVEL_BLOCK };

/* The counts of one share of the entries. */
typedef struct share {
    uint64_t n, nties;
    uint64_t first[TSR_MAX_ORDER], last[TSR_MAX_ORDER]; /* coordinates, if n > 0 */
    uint64_t *npatterns; /* two tables of ADVISE_MAX_PATTERNS counts, to add; NULL: more than 8 modes */
    tsr_array count[TSR_MAX_ORDER]; /* entries of each slice; data NULL: not counted */
    uint64_t *grid;                 /* the counts of the picture, or NULL */
    /* The first run may have begun in the share before, and the last run may go on in the next share. Entries
     * at one cell count once. */
    bool broken;        /* the first run has ended */
    uint64_t head, run; /* entries of the first run, if broken, and of the run that has not ended */
    tsr_spread runs;    /* the runs between the first and the last */
} share;

typedef struct passing {
    advise_pass *pass;
    const advise_source *source;
    tsr_cells *cells;
    share *shares;
    int nshares;
    advise_sampling *sampling; /* NULL: no samples are taken */
    uint32_t **slices;         /* what it has of the counts */
    bool cancelled;
} passing;

/* ---- blocks ---- */

/* code[i] += weight * (0 if c[i] is equal to the coordinate before it, 1 if larger, 2 if smaller). */
TSR_CLONES static void compare(uint32_t *restrict code, const uint64_t *restrict c, uint64_t before,
                               uint32_t weight, size_t n)
{
    code[0] += weight * (uint32_t)((c[0] > before) + 2 * (c[0] < before));
    for (size_t i = 1; i < n; i++)
        code[i] += weight * (uint32_t)((c[i] > c[i - 1]) + 2 * (c[i] < c[i - 1]));
}

/* Set code[i] to the pattern of entry i of the block and the entry before it; 0 for the first entry of the
 * share. */
static void find_patterns(uint32_t *code, const advise_pass *pass, const share *s, int order,
                          const tsr_cell_block *block)
{
    memset(code, 0, block->n * sizeof *code);
    for (int m = 0; m < order; m++)
        compare(code, block->crd[m], s->n ? s->last[m] : block->crd[m][0], pass->weight[m], block->n);
}

static bool all_same(const uint64_t *c, size_t n)
{
    return memcmp(c, c + 1, (n - 1) * sizeof *c) == 0;
}

#define COUNT(ctype)                               \
    do {                                           \
        ctype *restrict count = to->data;          \
        for (size_t i = 0; i < n; i++)             \
            count[c[i]] += (ctype)(fresh[i] != 0); \
    } while (0)

/* Count the entries of each slice; fresh[i] is 0 for a duplicate. If all coordinates are equal, the sum is
 * made in a register. */
static void count_slices(tsr_array *to, const uint64_t *restrict c, const uint32_t *restrict fresh, size_t n)
{
    if (c[0] == c[n - 1] && all_same(c, n)) {
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += fresh[i] != 0;
        tsr_array_set(to, c[0], tsr_array_get(to, c[0]) + sum);
        return;
    }
    if (to->width == 4)
        COUNT(uint32_t);
    else
        COUNT(uint64_t);
}

static void end_run(share *s)
{
    if (s->broken)
        advise_spread_add(&s->runs, s->run);
    else
        s->head = s->run;
    s->broken = true;
    s->run = 0;
}

/* A pattern of 3 or more changes a mode other than run_mode, which has weight 1. */
static void measure_runs(share *s, const uint32_t *code, size_t first, size_t n)
{
    for (size_t i = first; i < n; i++) {
        if (code[i] >= 3)
            end_run(s);
        s->run += code[i] != 0;
    }
}

static bool take_block(void *arg, int t, const tsr_cell_block *block)
{
    passing *p = arg;
    share *s = &p->shares[t];
    advise_pass *const pass = p->pass;
    const int order = p->source->order;
    uint32_t code[BLOCK];
    const size_t n = block->n, fresh = s->n == 0; /* 1: the first entry is the first of the share, which
                                                     join_shares compares */
    find_patterns(code, pass, s, order, block);
    for (size_t i = fresh; i < n; i++)
        s->nties += code[i] == 0;
    for (size_t i = fresh; s->npatterns && i < n; i++)
        s->npatterns[(i & 1) * ADVISE_MAX_PATTERNS +
                     code[i]]++; /* two tables: adding to one counter twice in a row is slow */
    if (fresh) {
        code[0] = 1; /* not a duplicate, as far as this share knows */
        for (int m = 0; m < order; m++)
            s->first[m] = block->crd[m][0];
        s->run = 1;
    }
    if (pass->run_mode >= 0)
        measure_runs(s, code, fresh, n);
    for (int m = 0; m < order; m++)
        if (s->count[m].data)
            count_slices(&s->count[m], block->crd[m], code, n);
    if (s->grid)
        tsr_density_add(p->source->options->density, s->grid, block);
    for (int m = 0; m < order; m++)
        s->last[m] = block->crd[m][n - 1];
    s->n += n;
    if (p->sampling && !advise_sampling_add(p->sampling, t, block))
        return false;
    if (t == 0 && tsr_progress(p->source->options->observer, "survey", s->n * (uint64_t)p->nshares,
                               p->source->npos, NULL) != TSR_OK)
        p->cancelled = true; /* only share 0 writes it */
    return !(t == 0 && p->cancelled);
}

/* ---- joining the shares ---- */

static uint32_t pattern_of(const advise_pass *pass, int order, const uint64_t *before, const uint64_t *after)
{
    uint32_t code = 0;
    for (int m = 0; m < order; m++)
        compare(&code, &after[m], before[m], pass->weight[m], 1);
    return code;
}

static void add_spread(tsr_spread *to, const tsr_spread *from)
{
    if (from->used == 0)
        return;
    to->min = to->used == 0 || from->min < to->min ? from->min : to->min;
    to->max = from->max > to->max ? from->max : to->max;
    to->used += from->used;
}

/* Uncount the first entry of share s, which is a duplicate of the last entry of the share before. */
static void take_back(share *s, int order)
{
    for (int m = 0; m < order; m++)
        if (s->count[m].data)
            tsr_array_set(&s->count[m], s->first[m], tsr_array_get(&s->count[m], s->first[m]) - 1);
    if (s->broken)
        s->head--;
    else
        s->run--;
}

/* Add the counts of all shares, in the order of the shares. */
static void join_shares(passing *p)
{
    advise_pass *const pass = p->pass;
    const int order = p->source->order;
    const share *before = NULL;
    uint64_t open = 0; /* entries of the run that has not ended */
    for (int t = 0; t < p->nshares; t++) {
        share *s = &p->shares[t];
        if (s->n == 0)
            continue;
        const uint32_t code = before ? pattern_of(pass, order, before->last, s->first) : 3;
        if (before) {
            pass->nties += code == 0;
            if (s->npatterns)
                pass->npatterns[code]++;
            if (code == 0)
                take_back(s, order);
        }
        if (before && code >= 3)
            advise_spread_add(&pass->runs, open);
        open = code >= 3 ? 0 : open;
        if (s->broken) {
            advise_spread_add(&pass->runs, open + s->head);
            add_spread(&pass->runs, &s->runs);
            open = 0;
        }
        open += s->run;
        pass->nnz += s->n;
        pass->nties += s->nties;
        for (int k = 0; s->npatterns && k < ADVISE_MAX_PATTERNS; k++)
            pass->npatterns[k] += s->npatterns[k] + s->npatterns[ADVISE_MAX_PATTERNS + k];
        before = s;
    }
    if (before)
        advise_spread_add(&pass->runs, open);
    pass->runs.known = pass->run_mode >= 0;
}

static void measure_slices(tsr_spread *slices, const passing *p, int m)
{
    slices->known = p->shares[0].count[m].data != NULL;
    for (uint64_t i = 0; slices->known && i < p->source->dims[m]; i++) {
        uint64_t n = 0;
        for (int t = 0; t < p->nshares; t++)
            n += tsr_array_get(&p->shares[t].count[m], i);
        if (n > 0)
            advise_spread_add(slices, n);
    }
}

/* ---- memory ---- */

/* Choose the modes whose slices are counted, and return the number of shares that can have counters: all
 * counters take at most 64 MiB or 4 bytes per position, whichever is more. */
static int plan_counters(bool *counted, const advise_source *source, size_t width, int nshares)
{
    const double least = 64 << 20,
                 room = 4.0 * (double)source->npos > least ? 4.0 * (double)source->npos : least;
    double need = 0;
    for (int m = 0; m < source->order; m++) {
        const double one = (double)source->dims[m] * (double)width;
        counted[m] = need + one <= room;
        need += counted[m] ? one : 0;
    }
    while (nshares > 1 && need * nshares > room)
        nshares--;
    return nshares;
}

static tsr_status new_share(share *s, const passing *p, const bool *counted, size_t width, tsr_error *err)
{
    const tsr_density *const density = p->source->options->density;
    void *block;
    if (p->source->order <= ADVISE_PATTERN_MODES) {
        TSR_TRY(
            tsr_alloc_array(&block, (uint64_t)2 * ADVISE_MAX_PATTERNS, sizeof(uint64_t), 1, "a survey", err));
        s->npatterns = block;
    }
    if (density) {
        TSR_TRY(tsr_alloc_array(&block, (uint64_t)density->n[0] * density->n[1], sizeof(uint64_t), 1,
                                "the picture", err));
        s->grid = block;
    }
    for (int m = 0; m < p->source->order; m++)
        if (p->pass->spreads && counted[m])
            TSR_TRY(tsr_array_init(&s->count[m], p->source->dims[m], width, 1, "counters of slices", err));
    return TSR_OK;
}

static void free_shares(passing *p)
{
    for (int t = 0; p->shares && t < p->nshares; t++) {
        tsr_free(p->shares[t].npatterns);
        tsr_free(p->shares[t].grid);
        for (int m = 0; m < TSR_MAX_ORDER; m++)
            tsr_array_clear(&p->shares[t].count[m]);
    }
    tsr_free(p->shares);
    advise_sampling_free(p->sampling);
    tsr_free(p->slices);
    tsr_cells_free(p->cells);
}

/* Take samples in the same pass, with the counts of the slices if these have four bytes. */
static tsr_status begin_samples(passing *p, size_t width, tsr_error *err)
{
    const tsr_sample_options how = {.observer = p->source->options->observer};
    advise_counters counters = {.nshares = p->nshares};
    void *block;
    TSR_TRY(
        tsr_alloc_array(&block, (uint64_t)p->nshares * TSR_MAX_ORDER, sizeof(uint32_t *), 1, "samples", err));
    counters.slices = block;
    for (int t = 0; t < p->nshares; t++)
        for (int m = 0; m < p->source->order; m++)
            counters.slices[t * TSR_MAX_ORDER + m] = p->shares[t].count[m].data;
    p->slices = counters.slices;
    if (width != sizeof(uint32_t))
        counters.slices = NULL;
    return advise_sampling_new(&p->sampling, p->pass->samples, p->source, &how, &counters, err);
}

static void add_picture(const passing *p)
{
    tsr_density *const density = p->source->options->density;
    for (int t = 0; density && t < p->nshares; t++)
        for (size_t c = 0; c < (size_t)density->n[0] * density->n[1]; c++)
            density->count[c] += p->shares[t].grid[c];
    if (density)
        tsr_density_finish(density);
}

/* The weights of the modes in a pattern: powers of 3, 1 for run_mode. With more than 8 modes, all modes
 * other than run_mode have one weight. */
static void set_weights(advise_pass *pass, int order)
{
    uint32_t next = pass->run_mode >= 0 ? 3 : 1;
    for (int m = 0; m < order; m++) {
        pass->weight[m] = m == pass->run_mode ? 1 : next;
        if (m != pass->run_mode && order <= ADVISE_PATTERN_MODES)
            next *= 3;
    }
}

tsr_status advise_pass_run(advise_pass *pass, const advise_source *source, tsr_error *err)
{
    passing p = {.pass = pass, .source = source};
    bool counted[TSR_MAX_ORDER] = {false};
    const size_t width = source->npos <= UINT32_MAX ? 4 : 8;
    int nshares = tsr_thread_count(source->options->nthreads);
    void *shares = NULL;
    tsr_status status;
    set_weights(pass, source->order);
    if (pass->spreads)
        nshares = plan_counters(counted, source, width, nshares);
    TSR_TRY_OUT(tsr_cells_new(&p.cells, source->tensor, source->coo, nshares, err));
    p.nshares = tsr_cells_nshares(p.cells);
    TSR_TRY_OUT(tsr_alloc_array(&shares, (uint64_t)p.nshares, sizeof *p.shares, 1, "a survey", err));
    p.shares = shares;
    for (int t = 0; t < p.nshares; t++)
        TSR_TRY_OUT(new_share(&p.shares[t], &p, counted, width, err));
    if (pass->samples)
        TSR_TRY_OUT(begin_samples(&p, width, err));
    TSR_TRY_OUT(tsr_cells_walk(p.cells, take_block, &p, err));
    if (p.cancelled) {
        status = tsr_fail(err, TSR_CANCELLED, "cancelled while in phase survey");
        goto out;
    }
    join_shares(&p);
    for (int m = 0; m < source->order; m++)
        measure_slices(&pass->slices[m], &p, m);
    if (p.sampling)
        TSR_TRY_OUT(advise_sampling_finish(p.sampling, p.cells, err));
    add_picture(&p);
out:
    free_shares(&p);
    return status;
}

/* ---- orders of more than 8 modes ---- */

typedef struct rising_job {
    int order, nprefix;
    const int *prefix;
    bool rising[TSR_MAX_ORDER], ties, any;
    uint64_t last[TSR_MAX_ORDER];
} rising_job;

static bool take_rising(void *arg, int t, const tsr_cell_block *block)
{
    rising_job *job = arg;
    (void)t;
    for (size_t i = 0; i < block->n; i++) {
        bool tie = job->any;
        for (int k = 0; k < job->nprefix && tie; k++)
            tie = block->crd[job->prefix[k]][i] == job->last[job->prefix[k]];
        job->ties = job->ties || tie;
        for (int m = 0; m < job->order; m++) {
            job->rising[m] = job->rising[m] && (!tie || block->crd[m][i] >= job->last[m]);
            job->last[m] = block->crd[m][i];
        }
        job->any = true;
    }
    return true;
}

tsr_status advise_find_rising(bool *rising, bool *ties, const advise_source *source, const int *prefix, int n,
                              tsr_error *err)
{
    rising_job job = {.order = source->order, .nprefix = n, .prefix = prefix};
    tsr_cells *cells;
    for (int m = 0; m < source->order; m++)
        job.rising[m] = true;
    TSR_TRY(tsr_cells_new(&cells, source->tensor, source->coo, 1, err));
    const tsr_status status = tsr_cells_walk(cells, take_rising, &job, err);
    tsr_cells_free(cells);
    memcpy(rising, job.rising, sizeof job.rising);
    *ties = job.ties;
    return status;
}
