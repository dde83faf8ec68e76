/* From coordinates in order, in an array for each mode, to levels that are all lists (csf). The values and the coordinates of the
 * last level are the same arrays and move to the result; the levels above are made in one pass. */
#include "direct_internal.h"
#include "tsr_clones.h"

/* The levels above the last. */
typedef struct lister {
    pack_job *job;
    int ninternal;
    const uint32_t *crd[TSR_MAX_LEVELS]; /* n */
} lister;

/* Whether the source is a tensor of coordinates in the order of these modes, and so in order and without duplicates. */
static bool has_coordinates(const tsr_source *source, const int *mode)
{
    int source_mode[TSR_MAX_LEVELS];
    const tsr_format *format = source->tensor ? source->tensor->format : NULL;
    if (!format || !tsr_format_is_permutation(format, source_mode) ||
        memcmp(source_mode, mode, (size_t)format->nlevels * sizeof *mode) != 0 ||
        !tsr_level_is_list(format->levels[0].type) || format->levels[format->nlevels - 1].nonunique)
        return false;
    for (int i = 1; i < format->nlevels; i++)
        if (!format->levels[i].type->branchless)
            return false;
    return true;
}

/* Whether the source has the coordinates and values of the result, in the same sequence. The columns of the levels are set;
 * *last: the one of the last level. */
static bool find_columns(lister *l, tsr_array **last, const pack_job *job)
{
    int mode[TSR_MAX_LEVELS];
    if (job->n == 0 || job->keep || job->nduplicates > 0 || job->nlevels < 2 ||
        !tsr_format_is_permutation(job->format, mode) || !(job->sorted || has_coordinates(job->source, mode)))
        return false;
    l->ninternal = job->nlevels - 1;
    for (int i = 0; i < job->nlevels; i++) {
        const tsr_level_spec *level = &job->format->levels[i];
        tsr_array *column = job->source->columns[mode[i]];
        if (!tsr_level_is_list(level->type) || level->nonunique || !column ||
            (i < l->ninternal && column->width != sizeof *l->crd[i]))
            return false;
        *last = column;
        l->crd[i] = column->data;
    }
    return job->iso || (job->source->values && pack_takes_values(job));
}

/* A block of entries. */
typedef struct block {
    size_t n;                        /* entries that open a position at the level that is filled */
    uint32_t entry[TSR_LEVEL_BLOCK]; /* these entries, in the block */
    uint32_t child[TSR_LEVEL_BLOCK]; /* which of the openings of the level below they are */
    uint32_t differs[TSR_MAX_LEVELS]
                    [TSR_LEVEL_BLOCK]; /* not 0: from the entry before, at this level or one above */
} block;

TSR_CLONES static void compare(block *b, const lister *l, uint64_t first, size_t n)
{
    const size_t from = first == 0;
    for (int level = 0; level < l->ninternal; level++) {
        const uint32_t *restrict c = l->crd[level] + first;
        const uint32_t *restrict before = c - 1;
        const uint32_t *above = b->differs[level > 0 ? level - 1 : 0];
        uint32_t *differs = b->differs[level];
        if (from)
            differs[0] = 1;
        if (level == 0)
            for (size_t i = from; i < n; i++)
                differs[i] = c[i] ^ before[i];
        else
            for (size_t i = from; i < n; i++)
                differs[i] = above[i] | (c[i] ^ before[i]);
    }
}

/* From the openings of the level below to those of `level`. few: most of them open none. */
static void rise(block *b, int level, bool few)
{
    const uint32_t *restrict differs = b->differs[level];
    size_t k = 0;
    for (size_t i = 0; few && i < b->n; i++)
        if (differs[b->entry[i]]) {
            b->entry[k] = b->entry[i];
            b->child[k++] = (uint32_t)i;
        }
    for (size_t i = 0; !few && i < b->n; i++) {
        const uint32_t e = b->entry[i];
        b->entry[k] = e;
        b->child[k] = (uint32_t)i;
        k += differs[e] != 0;
    }
    b->n = k;
}

/* Append the positions that a block of entries opens. npos: the positions that are there, of each level; of the last one, the entries
 * before the block. */
TSR_CLONES static void fill_block(uint64_t *npos, block *b, const lister *l, size_t n)
{
    tsr_level *levels = l->job->tensor->levels;
    const uint64_t first = npos[l->ninternal];
    uint64_t room[TSR_LEVEL_BLOCK];
    compare(b, l, first, n);
    for (size_t i = 0; i < n; i++)
        b->entry[i] = (uint32_t)i;
    b->n = n;
    for (int level = l->ninternal - 1; level >= 0; level--) {
        const uint32_t *restrict c = l->crd[level] + first;
        const uint64_t child = npos[level + 1];
        npos[level + 1] += b->n;
        rise(b, level, levels[level].npos < levels[level + 1].npos / 8);
        for (size_t i = 0; i < b->n; i++)
            room[i] = c[b->entry[i]];
        tsr_array_store(&levels[level].crd, npos[level], room, b->n);
        for (size_t i = 0; i < b->n; i++)
            room[i] = child + b->child[i];
        tsr_array_store(&levels[level + 1].pos, npos[level], room, b->n);
    }
    npos[0] += b->n;
}

TSR_CLONES static void count_share(void *arg, int t, int nthreads)
{
    const lister *l = arg;
    pack_share *share = &l->job->shares[t];
    const uint64_t end = tsr_cut(l->job->n, t + 1, nthreads);
    block b;
    size_t n;
    memset(share->opened, 0, sizeof share->opened);
    share->first = tsr_cut(l->job->n, t, nthreads);
    share->opened[l->ninternal] = end - share->first;
    for (uint64_t first = share->first; first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        compare(&b, l, first, n);
        for (int level = 0; level < l->ninternal; level++) {
            const uint32_t *differs = b.differs[level];
            uint32_t nopened = 0;
            for (size_t i = 0; i < n; i++)
                nopened += differs[i] != 0;
            share->opened[level] += nopened;
        }
    }
}

static void fill_share(void *arg, int t, int nthreads)
{
    const lister *l = arg;
    pack_job *job = l->job;
    const uint64_t begin = job->shares[t].first, end = job->shares[t + 1].first;
    uint64_t npos[TSR_MAX_LEVELS] = {0};
    (void)nthreads;
    for (int u = 0; u < t; u++)
        for (int level = 0; level < l->ninternal; level++)
            npos[level] += job->shares[u].opened[level];
    npos[l->ninternal] = begin;
    block b;
    size_t n;
    for (uint64_t first = begin; first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        if (!pack_step(job, t, PACK_FILL, first - begin, end - begin))
            return;
        fill_block(npos, &b, l, n);
    }
}

double direct_lists_nbytes(const pack_job *job)
{
    lister l;
    tsr_array *last;
    if (!find_columns(&l, &last, job))
        return INFINITY;
    return (double)job->n * l.ninternal * (double)sizeof *l.crd[0] * (job->sorted ? 1 : 2);
}

tsr_status direct_lists(bool *done, pack_job *job, tsr_error *err)
{
    lister l = {.job = job};
    tsr_array *last = NULL;
    if (!find_columns(&l, &last, job))
        return TSR_OK;
    if (!job->sorted) { /* not inspected, so not counted */
        tsr_parallel(job->nthreads, count_share, &l);
        job->shares[job->nthreads].first = job->n;
        job->sorted = true; /* so the values move */
    }
    job->moved_crd[l.ninternal] = last;
    TSR_TRY(pack_alloc(job, err));
    tsr_level *levels = job->tensor->levels;
    direct_keep(job, &levels[l.ninternal].crd, last);
    TSR_TRY(pack_run_with(job, fill_share, &l, err));
    for (int level = 0; level < job->nlevels; level++)
        tsr_array_set(&levels[level].pos, levels[level].nparents, levels[level].npos);
    *done = true;
    return TSR_OK;
}
