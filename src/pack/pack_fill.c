/* Counting the positions that each thread's share of the sorted entries opens, and filling the level arrays
 * and values. */
#include <inttypes.h>

#include "pack_internal.h"

/* Compute rows->lead of a block of entries in storage order. False: share t has failed. */
static bool load_lead(pack_job *job, int t, uint64_t first, size_t n)
{
    pack_rows *rows = &job->rows[t];
    pack_coords coords[TSR_MAX_LEVELS];
    if (!job->sorted)
        pack_key_lead(job, rows, first, n);
    else if (pack_entries_load(coords, job, t, first, n, false))
        pack_entries_lead(job, rows, coords, first, n);
    else
        return false;
    return true;
}

#define WIDEN(ctype)                                   \
    do {                                               \
        const ctype *restrict c = (const ctype *)data; \
        for (size_t i = 0; i < n; i++)                 \
            out[i] = c[i];                             \
    } while (0)

static void widen(uint64_t *restrict out, const void *data, size_t width, size_t n)
{
    if (width == 4)
        WIDEN(uint32_t);
    else if (data != out)
        WIDEN(uint64_t);
}

bool pack_load_block(pack_job *job, int t, uint64_t *const *coord, uint64_t first, size_t n, bool with_values)
{
    pack_rows *rows = &job->rows[t];
    pack_coords coords[TSR_MAX_LEVELS];
    const tsr_array *sorted_values = &job->records.values;
    if (!job->sorted) {
        pack_key_lead(job, rows, first, n);
        pack_key_decode(job, coord, first, n);
        rows->values = job->source->iso ? job->source->value
                       : sorted_values->data
                           ? (const unsigned char *)sorted_values->data + first * sorted_values->width
                           : NULL;
        return true;
    }
    if (!pack_entries_load(coords, job, t, first, n, with_values))
        return false;
    pack_entries_lead(job, rows, coords, first, n);
    for (int l = 0; l < job->nlevels; l++)
        widen(coord[l], coords[l].data, coords[l].width, n);
    return true;
}

/* ---- shares and counts ---- */

tsr_status pack_cut(pack_job *job, tsr_error *err)
{
    uint64_t least = 0;
    for (int t = 0; t <= job->nthreads; t++) {
        uint64_t e = tsr_cut(job->n, t, job->nthreads);
        e = e < least ? least : e;
        for (; !job->keep && e > 0 && e < job->n; e++) {
            if (!load_lead(job, 0, e, 1))
                return tsr_fail_as(err, &job->shares[0].err);
            if (job->rows[0].lead[0] < job->duplicate_lead)
                break;
        }
        job->shares[t].first = least = e;
    }
    return TSR_OK;
}

static void count_share(void *arg, int t, int nthreads)
{
    pack_job *job = arg;
    pack_share *share = &job->shares[t];
    const uint64_t end = job->shares[t + 1].first;
    (void)nthreads;
    memset(share->opened, 0, sizeof share->opened);
    share->nduplicates = 0;
    size_t n;
    for (uint64_t first = share->first; first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        if (!load_lead(job, t, first, n))
            return;
        pack_count_block(job, share, &job->rows[t], n);
    }
}

tsr_status pack_count(pack_job *job, tsr_error *err)
{
    return pack_run(job, count_share, err);
}

uint64_t pack_first_duplicate(pack_job *job)
{
    pack_rows *rows = &job->rows[0];
    for (uint64_t first = 0;; first += PACK_BLOCK) {
        const uint64_t left = job->n - first;
        const size_t n = left < PACK_BLOCK ? (size_t)left : PACK_BLOCK;
        const bool loaded = load_lead(job, 0, first, n);
        const uint8_t *found = loaded ? memchr(rows->lead, job->duplicate_lead, n) : rows->lead;
        if (found)
            return first + (uint64_t)(found - rows->lead);
    }
}

/* ---- filling ---- */

/* The state of a thread that fills its share. */
typedef struct filler {
    pack_job *job;
    int t;
    pack_rows *rows;
    pack_share *share;
    uint64_t *coord[TSR_MAX_LEVELS];
    tsr_level_cursor cursor[TSR_MAX_LEVELS];
    uint64_t last; /* leaf position of the last stored entry */
} filler;

/* Store the block's entries level by level; rows->position receives the leaf positions. Returns n, or the
 * index of an entry that would be the second child under a singleton at *level. */
static size_t descend(filler *f, size_t n, int *level)
{
    tsr_tensor *tensor = f->job->tensor;
    tsr_level_block block = {.n = n, .lead = f->rows->lead, .position = f->rows->position};
    memset(block.position, 0, n * sizeof *block.position);
    for (int l = 0; l < tensor->nlevels; l++) {
        block.coord = f->coord[l];
        block.cut = f->job->cut[l];
        const size_t done = tensor->levels[l].type->fill(&tensor->levels[l], &f->cursor[l], &block);
        if (done < n) {
            *level = l;
            return done;
        }
    }
    return n;
}

/* Set the cursors to their state after the entry before the share. The positions of that entry follow from
 * its coordinates and from the number of positions opened before: store it again, without opening
 * positions. False: the share has failed. */
static bool start_cursors(filler *f)
{
    pack_job *job = f->job;
    memset(f->cursor, 0, sizeof f->cursor);
    if (f->share->first == 0)
        return true;
    for (int l = 0; l < job->nlevels; l++)
        for (int k = 0; k < f->t; k++)
            f->cursor[l].npos += job->shares[k].opened[l];
    if (!pack_load_block(job, f->t, f->coord, f->share->first - 1, 1, false))
        return false;
    uint64_t parent = 0, position = 0;
    const uint8_t lead = 1, cut = 0; /* does not open positions */
    for (int l = 0; l < job->nlevels; l++, parent = position) {
        tsr_level *level = &job->tensor->levels[l];
        tsr_level_block block = {1, f->coord[l], &lead, cut, &position};
        f->cursor[l].nparents = parent; /* where the entry began, so that no pos is written */
        (void)level->type->fill(level, &f->cursor[l], &block);
        f->cursor[l] = (tsr_level_cursor){.npos = position + 1, .nparents = parent};
    }
    f->last = position;
    return true;
}

/* Remove the duplicates from the block. flag[i]: entry i was a duplicate. Returns the number of entries
 * left. */
static size_t drop_duplicates(filler *f, uint64_t first, size_t n)
{
    const pack_job *job = f->job;
    uint8_t *restrict lead = f->rows->lead, *restrict flag = f->rows->flag;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        flag[i] = first + i > 0 && lead[i] == job->duplicate_lead;
        kept += !flag[i];
    }
    if (kept == n)
        return n;
    for (int l = 0; l < job->nlevels; l++) {
        uint64_t *restrict c = f->coord[l];
        size_t k = 0;
        for (size_t i = 0; i < n; i++) {
            c[k] = c[i];
            k += !flag[i];
        }
    }
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        lead[k] = lead[i];
        k += !flag[i];
    }
    return kept;
}

/* Store the values of a block without duplicates. */
static void store_values(const filler *f, size_t n)
{
    const pack_job *job = f->job;
    const unsigned char *from = f->rows->values;
    tsr_array *to = &job->tensor->values;
    const uint64_t *position = f->rows->position;
    unsigned char *dst = to->data;
    if (job->source->iso)
        for (size_t i = 0; i < n; i++)
            memcpy(dst + position[i] * to->width, from, to->width);
    else if (job->dense_leaf)
        tsr_array_scatter(dst, from, to->width, position, n);
    else
        memcpy(dst + position[0] * to->width, from, n * to->width);
}

/* Store the values of a block whose duplicates were removed: a duplicate goes to the position of the entry
 * before it. */
static tsr_status merge_values(filler *f, uint64_t first, size_t n)
{
    pack_job *job = f->job;
    const tsr_duplicates policy = job->options.duplicates;
    const size_t width = job->tensor->values.width;
    unsigned char *dst = job->tensor->values.data;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char *value = f->rows->values + (job->source->iso ? 0 : i * width);
        if (!f->rows->flag[i]) {
            f->last = f->rows->position[k++];
            memcpy(dst + f->last * width, value, width);
        } else if (policy == TSR_DUP_LAST) {
            memcpy(dst + f->last * width, value, width);
        } else if (policy == TSR_DUP_SUM && !pack_add(job, dst + f->last * width, value)) {
            char entry[PACK_ENTRY_NBYTES];
            return tsr_fail(
                &f->share->err, TSR_RANGE, "the sum of the duplicates of entry %s does not fit %s",
                pack_entry_text(entry, job, f->t, first + i), tsr_type_name(job->source->value_type));
        }
    }
    return TSR_OK;
}

/* TSR_ARGUMENT: entry e of the sorted entries would be a second child under a singleton. */
static tsr_status fail_second_child(const filler *f, int level, uint64_t e)
{
    char entry[PACK_ENTRY_NBYTES];
    return tsr_fail(&f->share->err, TSR_ARGUMENT,
                    "level %d is a singleton, which stores one coordinate per parent, but entry %s "
                    "needs a second one: use another format",
                    level, pack_entry_text(entry, f->job, f->t, e));
}

/* The index in the whole block of the k-th entry that was kept. */
static size_t place_of_kept(const filler *f, size_t k)
{
    size_t i = 0;
    for (size_t kept = 0;; i++)
        if (!f->rows->flag[i] && kept++ == k)
            return i;
}

static tsr_status fill_block(filler *f, uint64_t first, size_t n)
{
    pack_job *job = f->job;
    const bool merge = job->nduplicates > 0 && !job->keep;
    int level = 0;
    if (!pack_load_block(job, f->t, f->coord, first, n, !job->iso && !job->values_taken))
        return f->share->err.status;
    const size_t kept = merge ? drop_duplicates(f, first, n) : n;
    const size_t done = descend(f, kept, &level);
    if (done < kept)
        return fail_second_child(f, level, first + (merge ? place_of_kept(f, done) : done));
    if (job->iso || job->values_taken)
        return TSR_OK;
    if (kept < n)
        return merge_values(f, first, n);
    store_values(f, n);
    f->last = f->rows->position[n - 1];
    return TSR_OK;
}

static void fill_share(void *arg, int t, int nthreads)
{
    pack_job *job = arg;
    filler f = {.job = job, .t = t, .rows = &job->rows[t], .share = &job->shares[t]};
    for (int l = 0; l < job->nlevels; l++)
        f.coord[l] = f.rows->level[l] + 1;
    if (!start_cursors(&f))
        return;
    const uint64_t end = job->shares[t + 1].first;
    size_t n;
    for (uint64_t first = f.share->first; first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        if (!pack_step(job, t, PACK_FILL, first - f.share->first, end - f.share->first) ||
            fill_block(&f, first, n) != TSR_OK)
            return;
    }
    if (t == nthreads - 1)
        for (int l = 0; l < job->nlevels; l++)
            if (job->tensor->levels[l].type->finish)
                job->tensor->levels[l].type->finish(&job->tensor->levels[l], &f.cursor[l]);
}

tsr_status pack_fill(pack_job *job, tsr_error *err)
{
    return pack_run(job, fill_share, err);
}
