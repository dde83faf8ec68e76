/* The storage coordinates of the entries, block by block, and the first pass over the entries. */
#include <inttypes.h>

#include "pack_internal.h"
#include "tsr_clones.h"

static void rows_carve(pack_rows *rows, const pack_job *job, unsigned char *memory)
{
    const size_t row = TSR_LEVEL_BLOCK * sizeof(uint64_t);
    rows->memory = memory;
    for (int m = 0; m < job->source->order; m++, memory += row)
        rows->mode[m] = (uint64_t *)(void *)memory;
    for (int l = 0; l < job->nlevels; l++, memory += row)
        rows->level[l] = (uint64_t *)(void *)memory;
    rows->position = (uint64_t *)(void *)memory;
    rows->work = (uint64_t *)(void *)(memory + row);
    rows->lead = memory + 2 * row;
    rows->flag = rows->lead + TSR_LEVEL_BLOCK;
    rows->plan_scratch = rows->flag + TSR_LEVEL_BLOCK;
}

tsr_status pack_rows_new(pack_job *job, tsr_error *err)
{
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)job->nthreads, sizeof *job->rows, 1, "packing", err));
    job->rows = out;
    const size_t nbytes =
        (size_t)(job->source->order + job->nlevels + 2) * TSR_LEVEL_BLOCK * sizeof(uint64_t) +
        2 * TSR_LEVEL_BLOCK + tsr_map_plan_scratch_nbytes(job->plan);
    for (int t = 0; t < job->nthreads; t++) {
        TSR_TRY(tsr_alloc_array(&out, nbytes, 1, 0, "packing", err));
        rows_carve(&job->rows[t], job, out);
    }
    return TSR_OK;
}

void pack_rows_free(pack_job *job)
{
    for (int t = 0; job->rows && t < job->nthreads; t++)
        tsr_free(job->rows[t].memory);
    tsr_free(job->rows);
    job->rows = NULL;
}

/* Compute the levels that do not copy a mode, with the map's plan, into places [0, n] of their rows. The columns
 * begin with the entry before the block where there is one. */
static void apply_plan(const pack_job *job, pack_rows *rows, const tsr_source_block *block, uint64_t first,
                       size_t n)
{
    const int64_t *in[TSR_MAX_ORDER];
    int64_t *out[TSR_MAX_LEVELS];
    const uint64_t before = first > 0;
    for (int m = 0; m < job->source->order; m++) {
        const tsr_array column = {
            .data = (void *)(uintptr_t)block->crd[m].data, .n = n + before, .width = block->crd[m].width};
        tsr_array_load(rows->mode[m] + 1 - before, &column, 0, n + before);
        if (!before)
            rows->mode[m][0] = rows->mode[m][1];
        in[m] = (const int64_t *)rows->mode[m];
    }
    for (int l = 0; l < job->nlevels; l++)
        out[l] = job->alias[l] < 0 ? (int64_t *)rows->level[l] : NULL;
    tsr_map_plan_apply(job->plan, out, in, n + 1, rows->plan_scratch);
    for (int l = 0; l < job->nlevels; l++) {
        const int64_t base = job->binding->base[l];
        if (out[l] && base != 0)
            for (size_t i = 0; i <= n; i++)
                out[l][i] -= base;
    }
}

/* coords[l] from a block of the source that begins with the entry before `first`, where there is one. */
static void find_coords(pack_coords *coords, const pack_job *job, pack_rows *rows,
                        const tsr_source_block *block, uint64_t first, size_t n)
{
    bool mapped = false;
    for (int l = 0; l < job->nlevels; l++) {
        if (job->alias[l] < 0) {
            mapped = true;
            coords[l] = (pack_coords){rows->level[l] + 1, sizeof(uint64_t)};
        } else {
            const tsr_source_column *column = &block->crd[job->alias[l]];
            coords[l] = (pack_coords){(const unsigned char *)column->data + (first > 0) * column->width,
                                      column->width};
        }
    }
    if (mapped)
        apply_plan(job, rows, block, first, n);
}

/* Load the block and the entry before it. */
static bool load_block(tsr_source_block *block, pack_job *job, int t, uint64_t first, size_t n,
                       bool with_values)
{
    const uint64_t before = first > 0;
    const tsr_source_range range = {t, with_values, first - before, n + before};
    if (job->source->type->load(block, job->source, &range, &job->shares[t].err) != TSR_OK)
        return false;
    const size_t width = job->source->iso || !with_values ? 0 : tsr_type_nbytes(job->source->value_type);
    const unsigned char *const values = block->values;
    job->rows[t].values = values && width > 0 ? values + before * width : values;
    return true;
}

bool pack_entries_load(pack_coords *coords, pack_job *job, int t, uint64_t first, size_t n, bool with_values)
{
    tsr_source_block block = {0};
    if (!load_block(&block, job, t, first, n, with_values))
        return false;
    find_coords(coords, job, &job->rows[t], &block, first, n);
    return true;
}

#define LEAD(ctype)                                         \
    do {                                                    \
        const ctype *restrict c = (const ctype *)data;      \
        const ctype *restrict d = c - 1;                    \
        for (size_t i = from; i < n; i++) {                 \
            lead[i] = c[i] != d[i] ? (uint8_t)l : lead[i];  \
            fall[i] = c[i] != d[i] ? c[i] < d[i] : fall[i]; \
        }                                                   \
    } while (0)

TSR_CLONES void pack_entries_lead(const pack_job *job, pack_rows *rows, const pack_coords *coords,
                                  uint64_t first, size_t n)
{
    uint8_t *restrict lead = rows->lead, *restrict fall = rows->flag;
    const size_t from = first == 0;
    memset(lead, job->duplicate_lead, n);
    memset(fall, 0, n);
    for (int l = job->nlevels - 1; l >= 0; l--) {
        const void *data = coords[l].data;
        if (coords[l].width == 4)
            LEAD(uint32_t);
        else
            LEAD(uint64_t);
    }
    if (first == 0)
        lead[0] = 0;
}

/* ---- the first pass ---- */

#define USED(ctype)                                    \
    do {                                               \
        const ctype *restrict c = (const ctype *)data; \
        ctype bits = 0;                                \
        for (size_t i = 0; i < n; i++)                 \
            bits |= c[i];                              \
        return bits;                                   \
    } while (0)

static uint64_t bits_used(const void *data, size_t width, size_t n)
{
    if (width == 4)
        USED(uint32_t);
    USED(uint64_t);
}

#define LARGEST(ctype)                                 \
    do {                                               \
        const ctype *restrict c = (const ctype *)data; \
        ctype max = 0;                                 \
        for (size_t i = 0; i < n; i++)                 \
            max = c[i] > max ? c[i] : max;             \
        return max;                                    \
    } while (0)

static uint64_t largest(const void *data, size_t width, size_t n)
{
    if (width == 4)
        LARGEST(uint32_t);
    LARGEST(uint64_t);
}

/* Report the first entry of the block that is outside the dims; there must be one. */
static void fail_outside(pack_share *share, const tsr_source *source, const tsr_source_block *block,
                         uint64_t first)
{
    for (uint64_t e = 0;; e++)
        for (int m = 0; m < source->order; m++) {
            const tsr_array column = {
                .data = (void *)(uintptr_t)block->crd[m].data, .n = e + 1, .width = block->crd[m].width};
            const uint64_t c = tsr_array_get(&column, e);
            if (c >= source->dims[m]) {
                (void)tsr_fail(&share->err, TSR_CORRUPT,
                               "entry %" PRIu64 " has coordinate %" PRIu64
                               " in mode %d, which is outside [0, %" PRIu64 ")",
                               first + e, c, m, source->dims[m]);
                return;
            }
        }
}

static bool block_inside(const tsr_source *source, const tsr_source_block *block, size_t n)
{
    for (int m = 0; m < source->order; m++)
        if (largest(block->crd[m].data, block->crd[m].width, n) >= source->dims[m])
            return false;
    return true;
}

void pack_count_block(const pack_job *job, pack_share *share, const pack_rows *rows, size_t n)
{
    tsr_level_block block = {.n = n, .lead = rows->lead};
    for (int l = 0; l < job->nlevels; l++) {
        block.cut = job->cut[l];
        if (!job->keep && block.cut >= job->duplicate_lead)
            block.cut = (uint8_t)(job->duplicate_lead - 1);
        const tsr_level_type *type = job->format->levels[l].type;
        share->opened[l] += type->count ? type->count(&block) : 0;
    }
    uint64_t nduplicates = 0;
    for (size_t i = 0; i < n; i++)
        nduplicates += rows->lead[i] == job->duplicate_lead;
    share->nduplicates += nduplicates;
}

TSR_CLONES static void inspect_share(void *arg, int t, int nthreads)
{
    pack_job *job = arg;
    pack_share *share = &job->shares[t];
    pack_rows *rows = &job->rows[t];
    pack_coords coords[TSR_MAX_LEVELS];
    const uint64_t end = tsr_cut(job->n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = tsr_cut(job->n, t, nthreads); first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        const uint64_t begin = tsr_cut(job->n, t, nthreads);
        if (!pack_step(job, t, PACK_INSPECT, first - begin, end - begin))
            return;
        tsr_source_block block = {0};
        if (!load_block(&block, job, t, first, n, false))
            return;
        const size_t before = first > 0;
        if (!job->source->checked && !block_inside(job->source, &block, n + before)) {
            fail_outside(share, job->source, &block, first - before);
            return;
        }
        find_coords(coords, job, rows, &block, first, n);
        for (int l = 0; l < job->nlevels; l++)
            share->used[l] |= bits_used(coords[l].data, coords[l].width, n);
        if (share->falls)
            continue;
        pack_entries_lead(job, rows, coords, first, n);
        share->falls = memchr(rows->flag, 1, n) != NULL;
        if (!share->falls)
            pack_count_block(job, share, rows, n);
    }
}

tsr_status pack_inspect(pack_job *job, tsr_error *err)
{
    TSR_TRY(pack_run(job, inspect_share, err));
    job->sorted = true;
    for (int t = 0; t < job->nthreads; t++)
        job->sorted = job->sorted && !job->shares[t].falls;
    return TSR_OK;
}
