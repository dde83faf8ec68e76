/* advise_count_prefixes: the number of different prefixes of the tuples of coordinates of the entries, from sorted keys
 * (advise_keys.h). To bound the memory, the entries are sorted in parts: the first coordinate of an entry chooses the
 * part, so no prefix is in two parts. */
#include <string.h>

#include "advise_internal.h"
#include "advise_keys.h"
#include "tsr_parallel.h"

enum {
    BLOCK = TSR_LEVEL_BLOCK,
    MAX_PARTS = 64,
    KEYS_NBYTES = 512 << 20, /* of the keys of a part and of the memory to sort them, about */
};

typedef struct collecting {
    const advise_source *source;
    const int *modes;
    const tsr_binding *binding; /* or NULL: the coordinates are those of `modes` */
    tsr_map_plan *forward;
    char *scratch; /* scratch_nbytes bytes for each share */
    size_t scratch_nbytes;
    advise_keys layout;
    int nparts, part;               /* part: the part whose keys are collected now */
    uint64_t (*counts)[MAX_PARTS];  /* for each share: entries of each part */
    uint64_t next[TSR_MAX_THREADS]; /* for each share: the number of the next key that it writes */
    uint64_t *keys;
} collecting;

static void lay_out(advise_keys *to, const collecting *c, int n)
{
    uint64_t size[TSR_MAX_LEVELS];
    for (int l = 0; l < n; l++)
        size[l] = c->binding ? c->binding->size[l] : c->source->dims[c->modes[l]];
    advise_keys_lay_out(to, size, n);
}

/* ---- collecting ---- */

/* The part of an entry with this first coordinate. The multiplication spreads neighbouring coordinates over
 * all parts. */
static int part_of(const collecting *c, uint64_t index)
{
    return c->nparts == 1 ? 0
                          : (int)((index * UINT64_C(0x9e3779b97f4a7c15) >> 32) * (uint64_t)c->nparts >> 32);
}

/* Set index[l] to the l-th coordinates of the entries of the block, in the order of the key: an array of the
 * block, or of `room`. */
static void find_indices(const uint64_t **index, uint64_t (*room)[BLOCK], const collecting *c, int t,
                         const tsr_cell_block *block)
{
    for (int l = 0; !c->binding && l < c->layout.n; l++)
        index[l] = block->crd[c->modes[l]];
    if (!c->binding)
        return;
    const int64_t *in[TSR_MAX_ORDER];
    int64_t *out[TSR_MAX_LEVELS];
    for (int m = 0; m < c->source->order; m++)
        in[m] = (const int64_t *)block->crd[m];
    for (int l = 0; l < c->layout.n; l++)
        out[l] = (int64_t *)room[l];
    tsr_map_plan_apply(c->forward, out, in, block->n, c->scratch + (size_t)t * c->scratch_nbytes);
    for (int l = 0; l < c->layout.n; l++) {
        for (size_t i = 0; c->binding->base[l] != 0 && i < block->n; i++)
            room[l][i] -= (uint64_t)c->binding->base[l];
        index[l] = room[l];
    }
}

static bool count_parts(void *arg, int t, const tsr_cell_block *block)
{
    collecting *c = arg;
    uint64_t room[TSR_MAX_LEVELS][BLOCK];
    const uint64_t *index[TSR_MAX_LEVELS] = {block->crd[0]};
    find_indices(index, room, c, t, block);
    for (size_t i = 0; i < block->n; i++)
        c->counts[t][part_of(c, index[0][i])]++;
    return true;
}

static bool collect_part(void *arg, int t, const tsr_cell_block *block)
{
    collecting *c = arg;
    uint64_t room[TSR_MAX_LEVELS][BLOCK];
    const uint64_t *index[TSR_MAX_LEVELS] = {block->crd[0]};
    const size_t nwords = (size_t)c->layout.nwords;
    find_indices(index, room, c, t, block);
    uint32_t taken[BLOCK];
    size_t n = 0;
    for (size_t i = 0; i < block->n; i++) {
        taken[n] = (uint32_t)i;
        n += part_of(c, index[0][i]) == c->part;
    }
    uint64_t *const key = c->keys + c->next[t] * nwords;
    memset(key, 0, n * nwords * sizeof *key);
    for (int l = 0; l < c->layout.n; l++) {
        uint64_t of[BLOCK];
        for (size_t i = 0; i < n; i++)
            of[i] = index[l][taken[i]];
        advise_keys_put(key, &c->layout, l, of, 0, n);
    }
    c->next[t] += n;
    return true;
}

/* ---- counting ---- */

static void count_sorted(advise_prefixes *out, const uint64_t *keys, uint64_t n, const advise_keys *layout)
{
    uint64_t changes[TSR_MAX_LEVELS + 1] = {1}, group = 1,
                                      run = 1; /* the first entry differs in coordinate 0 */
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t *key = keys + i * (uint64_t)layout->nwords;
        const int l = advise_keys_change(key - layout->nwords, key, layout);
        changes[l]++;
        if (l == layout->n)
            continue; /* a duplicate */
        if (l == 0)
            advise_spread_add(&out->first, group);
        if (l < layout->n - 1)
            advise_spread_add(&out->last, run);
        group = l == 0 ? 1 : group + 1;
        run = l < layout->n - 1 ? 1 : run + 1;
    }
    advise_spread_add(&out->first, group);
    advise_spread_add(&out->last, run);
    uint64_t sum = 0;
    for (int l = 0; l < layout->n; l++) {
        sum += changes[l];
        out->npos[l] += sum;
    }
}

/* ---- the parts ---- */

/* Set the number of the first key that each share writes; return the number of entries in the part. */
static uint64_t place_shares(collecting *c, int nshares)
{
    uint64_t n = 0;
    for (int t = 0; t < nshares; t++) {
        c->next[t] = n;
        n += c->counts[t][c->part];
    }
    return n;
}

static tsr_status run_part(advise_prefixes *out, collecting *c, tsr_cells *cells, tsr_error *err)
{
    const uint64_t n = place_shares(c, tsr_cells_nshares(cells));
    void *keys = NULL, *other = NULL;
    tsr_status status = TSR_OK;
    if (n == 0)
        return TSR_OK;
    TSR_TRY_OUT(tsr_alloc_array(&keys, n, (size_t)c->layout.nwords * 8, 0, "keys of the entries", err));
    TSR_TRY_OUT(tsr_alloc_array(&other, n, (size_t)c->layout.nwords * 8, 0, "keys of the entries", err));
    c->keys = keys;
    TSR_TRY_OUT(tsr_cells_walk(cells, collect_part, c, err));
    count_sorted(out, advise_keys_sort(keys, other, n, &c->layout), n, &c->layout);
    status =
        tsr_progress(c->source->options->observer, "survey", (uint64_t)c->part + 1, (uint64_t)c->nparts, err);
out:
    tsr_free(keys);
    tsr_free(other);
    return status;
}

static tsr_status run_parts(advise_prefixes *out, collecting *c, tsr_cells *cells, tsr_error *err)
{
    const int nshares = tsr_cells_nshares(cells);
    uint64_t counts[TSR_MAX_THREADS], n = 0;
    TSR_TRY(tsr_cells_count(counts, cells, err));
    for (int t = 0; t < nshares; t++)
        n += counts[t];
    const uint64_t asked = c->source->options->sort_nbytes;
    const double nparts = (double)n * 16 * c->layout.nwords / (double)(asked ? asked : KEYS_NBYTES);
    c->nparts = nparts > MAX_PARTS ? MAX_PARTS : (int)nparts + 1;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)nshares, sizeof *c->counts, 1, "threads", err));
    c->counts = block;
    for (int t = 0; t < nshares && c->nparts == 1; t++)
        c->counts[t][0] = counts[t];
    tsr_status status = c->nparts > 1 ? tsr_cells_walk(cells, count_parts, c, err) : TSR_OK;
    for (c->part = 0; c->part < c->nparts && status == TSR_OK; c->part++)
        status = run_part(out, c, cells, err);
    tsr_free(c->counts);
    return status;
}

tsr_status advise_count_prefixes(advise_prefixes *out, const advise_source *source, const int *modes, int n,
                                 const tsr_binding *binding, tsr_error *err)
{
    collecting c = {.source = source, .modes = modes, .binding = binding};
    tsr_cells *cells = NULL;
    void *scratch = NULL;
    tsr_status status;
    *out = (advise_prefixes){.n = n};
    lay_out(&c.layout, &c, n);
    TSR_TRY_OUT(tsr_cells_new(&cells, source->tensor, source->coo, source->options->nthreads, err));
    if (binding) {
        TSR_TRY_OUT(tsr_map_plan_new(&c.forward, binding->forward, err));
        c.scratch_nbytes = (tsr_map_plan_scratch_nbytes(c.forward) + 63) / 64 * 64;
        TSR_TRY_OUT(tsr_alloc_array(&scratch, (uint64_t)tsr_cells_nshares(cells), c.scratch_nbytes + 1, 0,
                                    "blocks of coordinates", err));
        c.scratch = scratch;
    }
    status = run_parts(out, &c, cells, err);
    if (n == 1) { /* all entries are one group, and count_sorted has counted a group in each part */
        out->last = (tsr_spread){.used = 0};
        if (out->npos[0] > 0)
            advise_spread_add(&out->last, out->npos[0]);
    }
    out->first.known = out->last.known = true;
out:
    tsr_map_plan_free(c.forward);
    tsr_free(scratch);
    tsr_cells_free(cells);
    return status;
}
