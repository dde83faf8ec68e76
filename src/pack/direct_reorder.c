/* The entries of a matrix into rows of the other mode, or of coordinates in no order into rows: one stable counting
 * pass by the major coordinate, and where the source is not in order a sort of each row.
 *
 * Where consecutive entries go to places that are near each other (a band), or the result fits a cache, one scatter
 * does it (direct_near.c). Elsewhere a scatter would miss the cache with each entry. There the entries go to buckets of
 * neighbouring rows first, into the places of the result where the rows of the bucket will be, with the low bits of
 * their row above the bits of the coordinate, or beside them where 32 bits do not hold both; then each bucket is sorted in
 * cache. Memory beside the result: 2 bytes per entry (none where 32 bits hold both) and a bucket per thread; no more than 16
 * bytes per entry. The result does not depend on the number of threads. */
#include "direct_internal.h"
#include "tsr_tile.h"

enum {
    /* of an entry in a bucket: row, value and scratch, and as much again, since the 16-bit numbers of the
     * entries should fit the first cache (measured) */
    ENTRY_NBYTES = 48,
    MAX_BUCKETS_NBITS = 11, /* more streams than that do not pay */
    LOW_NBITS = 16,         /* of the rows of a bucket */
    AHEAD = 64, /* bytes: the cache line after the one that is written is fetched, since it is not guessed */
};

typedef struct reorder {
    pack_job *job;
    direct_entries in;
    uint64_t ncols;              /* of the result */
    bool ordered;                /* the minor coordinates of the result rise as the entries come */
    const unsigned char *values; /* of the source; NULL where iso */
    size_t width;                /* of a value; 0 where iso */
    uint32_t *crd;               /* of the result */
    unsigned char *to_values;
    tsr_array *pos;
    int shift;
    size_t nbuckets;
    uint32_t *offset;        /* per thread: the place of the next entry of each bucket, or of each row */
    uint32_t *bucket;        /* nbuckets + 1: the first entries of the buckets */
    int crd_nbits;           /* of a coordinate where the low bits of the row are above it; else 0, and: */
    uint16_t *low;           /* n: the low bits of the row */
    uint64_t longest;        /* entries in the largest bucket */
    direct_streams *streams; /* per thread: how buckets are filled; NULL: by a scatter */
    uint32_t **scratch;      /* per thread: a bucket's coordinates and values */
    atomic_size_t next;      /* bucket */
    /* of an unordered source: */
    bool reports_repeats;   /* duplicates are an error, or change the result in another way */
    uint32_t *removed;      /* nrows: duplicates that were removed from each row */
    atomic_ullong nremoved; /* their sum */
    atomic_bool gives_up;   /* duplicates that are left to the packer by keys */
} reorder;

/* ---- columns of the source ---- */

const uint32_t *direct_others(uint32_t *block, uint64_t *node, const direct_entries *from, uint64_t first,
                              size_t n)
{
    if (from->other)
        return (const uint32_t *)from->other->data + first;
    direct_majors(block, node, &from->from, first, n);
    return block;
}

/* ---- writing entries ---- */

#define SCATTER(ctype, fetch)                                             \
    do {                                                                  \
        const ctype *restrict v = (const ctype *)(const void *)values;    \
        ctype *restrict to = (ctype *)(void *)t->values;                  \
        for (size_t i = 0; i < n; i++) {                                  \
            to_crd[place[i]] = crd[i];                                    \
            to[place[i]] = v[i];                                          \
            if (fetch) {                                                  \
                tsr_fetch_to(to + place[i] + AHEAD / sizeof *to);         \
                tsr_fetch_to(to_crd + place[i] + AHEAD / sizeof *to_crd); \
            }                                                             \
        }                                                                 \
    } while (0)

void direct_scatter(const direct_target *t, const uint32_t *restrict place, const uint32_t *restrict crd,
                    const unsigned char *values, size_t n)
{
    uint32_t *restrict to_crd = t->crd;
    const size_t width = t->width;
    if (width == 8 && t->is_far) {
        SCATTER(uint64_t, true);
    } else if (width == 8) {
        SCATTER(uint64_t, false);
    } else if (width == 4 && t->is_far) {
        SCATTER(uint32_t, true);
    } else if (width == 4) {
        SCATTER(uint32_t, false);
    } else if (width == 0) {
        for (size_t i = 0; i < n; i++)
            to_crd[place[i]] = crd[i];
    } else {
        for (size_t i = 0; i < n; i++) {
            to_crd[place[i]] = crd[i];
            memcpy(t->values + place[i] * width, values + i * width, width);
        }
    }
}

/* ---- buckets ---- */

static void count_buckets(void *arg, int t, int nthreads)
{
    reorder *r = arg;
    const uint32_t *restrict key = r->in.key->data;
    uint32_t *restrict count = r->offset + (size_t)t * r->nbuckets;
    const uint64_t end = tsr_cut(r->in.n, t + 1, nthreads);
    const int shift = r->shift;
    for (uint64_t e = tsr_cut(r->in.n, t, nthreads); e < end; e++)
        count[key[e] >> shift]++;
}

static void sum_buckets(reorder *r)
{
    uint32_t at = 0;
    r->longest = 0;
    for (size_t b = 0; b < r->nbuckets; b++) {
        r->bucket[b] = at;
        for (int t = 0; t < r->job->nthreads; t++) {
            uint32_t *count = &r->offset[(size_t)t * r->nbuckets + b];
            const uint32_t c = *count;
            *count = at;
            at += c;
        }
        if (at - r->bucket[b] > r->longest)
            r->longest = at - r->bucket[b];
    }
    r->bucket[r->nbuckets] = at;
}

static void fill_buckets(void *arg, int t, int nthreads)
{
    reorder *r = arg;
    uint32_t *restrict next = r->offset + (size_t)t * r->nbuckets;
    const direct_streams *streams = r->streams ? &r->streams[t] : NULL;
    uint32_t block[TSR_LEVEL_BLOCK], both[TSR_LEVEL_BLOCK], place[TSR_LEVEL_BLOCK];
    uint16_t *restrict low = r->low;
    const uint32_t *restrict key = r->in.key->data;
    const uint32_t mask = (UINT32_C(1) << r->shift) - 1;
    const uint64_t begin = tsr_cut(r->in.n, t, nthreads), end = tsr_cut(r->in.n, t + 1, nthreads);
    const direct_target to = {r->crd, r->to_values, r->width, true};
    uint64_t node = 0;
    size_t n;
    for (uint64_t first = begin; first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? (size_t)(end - first) : TSR_LEVEL_BLOCK;
        if (!pack_step(r->job, t, PACK_SCATTER, first - begin, end - begin))
            return;
        const uint32_t *other = direct_others(block, &node, &r->in, first, n);
        for (size_t i = 0; i < n; i++)
            place[i] = key[first + i] >> r->shift; /* the bucket */
        for (size_t i = 0; !streams && i < n; i++)
            place[i] = next[place[i]]++;
        for (size_t i = 0; low && i < n; i++) {
            low[place[i]] = (uint16_t)(key[first + i] & mask);
            tsr_fetch_to(low + place[i] + AHEAD / sizeof *low);
        }
        for (size_t i = 0; !low && i < n; i++)
            both[i] = (key[first + i] & mask) << r->crd_nbits | other[i];
        if (streams)
            direct_streams_put(streams, place, both, r->values + first * r->width, n);
        else
            direct_scatter(&to, place, low ? other : both, r->values + first * r->width, n);
    }
    if (streams)
        direct_streams_end(streams);
}

#define INSERT(ctype)                                \
    do {                                             \
        ctype *restrict v = (ctype *)(void *)values; \
        for (size_t i = 1; i < n; i++) {             \
            const uint32_t c = crd[i];               \
            const ctype value = v[i];                \
            size_t k = i;                            \
            for (; k > 0 && crd[k - 1] > c; k--) {   \
                crd[k] = crd[k - 1];                 \
                v[k] = v[k - 1];                     \
            }                                        \
            crd[k] = c;                              \
            v[k] = value;                            \
        }                                            \
    } while (0)

/* Sort a short row by insertion. False: the width is not one of these. */
static bool insert_row(uint32_t *restrict crd, unsigned char *values, size_t width, size_t n)
{
    if (width == 8)
        INSERT(uint64_t);
    else if (width == 4)
        INSERT(uint32_t);
    else
        return false;
    return true;
}

/* Sort the entries [0, n) of a row by words of coordinate and index; words: 2 * n * width, at least 2 * n. */
static void sort_long_row(uint32_t *crd, unsigned char *values, size_t width, size_t n, uint64_t *words)
{
    const int nindex_bits = tsr_bit_length(n - 1);
    for (size_t i = 0; i < n; i++)
        words[i] = (uint64_t)crd[i] << nindex_bits | i;
    pack_sort_words(words, words + n, n, nindex_bits);
    for (size_t i = 0; i < n; i++)
        crd[i] = (uint32_t)(words[i] >> nindex_bits);
    if (width == 0)
        return;
    tsr_array_gather(words + n, values, width, words, (UINT64_C(1) << nindex_bits) - 1, n);
    memcpy(values, words + n, n * width);
}

/* Combine the entries of a sorted row that have the same coordinates. Returns the number of entries left; *failed: a
 * sum does not fit the type. */
static size_t merge_row(const reorder *r, uint32_t *crd, unsigned char *values, size_t n, bool *failed)
{
    const tsr_duplicates policy = r->job->options.duplicates;
    const size_t width = r->width;
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        if (crd[i] != crd[kept - 1]) {
            crd[kept] = crd[i];
            memmove(values + kept++ * width, values + i * width, width);
        } else if (policy == TSR_DUP_LAST) {
            memmove(values + (kept - 1) * width, values + i * width, width);
        } else if (policy == TSR_DUP_SUM && width > 0) {
            *failed = *failed || !pack_add(r->job, values + (kept - 1) * width, values + i * width);
        }
    }
    return kept;
}

/* Sort the entries [first, first + n) of a row, stable, and combine duplicates. Returns the number of entries that
 * were removed. */
static size_t sort_row(reorder *r, uint64_t first, size_t n, uint64_t *words)
{
    uint32_t *crd = r->crd + first;
    unsigned char *values = r->to_values + first * r->width;
    bool rises = true, repeats = false, failed = false;
    for (size_t i = 1; i < n && rises; i++)
        rises = crd[i] > crd[i - 1];
    if (rises)
        return 0;
    if (n > DIRECT_SHORT || !insert_row(crd, values, r->width, n))
        sort_long_row(crd, values, r->width, n, words);
    for (size_t i = 1; i < n; i++)
        repeats |= crd[i] == crd[i - 1];
    if (!repeats)
        return 0;
    const size_t kept = merge_row(r, crd, values, n, &failed);
    if (failed || r->reports_repeats)
        r->gives_up = true;
    return n - kept;
}

/* A bucket: `n` entries of `nrows` rows, from entry `first` and row `row` on. */
typedef struct bucket {
    uint64_t first, row, nrows;
    size_t n;
    uint32_t *end;         /* nrows: after gather_bucket, where the entries of each row end */
    uint32_t *crd;         /* scratch */
    unsigned char *values; /* scratch */
    void *index; /* scratch: the entry that comes to each place; 2 bytes each, or 4 (has_wide_index) */
} bucket;

/* Whether the number of an entry in a bucket needs more than 16 bits. */
static bool has_wide_index(const reorder *r)
{
    return r->longest > UINT16_MAX + UINT64_C(1);
}

/* Set pos, and `end` to where the entries of each row begin. */
static void count_bucket(const reorder *r, const bucket *b)
{
    const uint32_t *restrict both = r->crd + b->first;
    uint32_t *restrict end = b->end, at = 0;
    memset(end, 0, b->nrows * sizeof *end);
    for (size_t i = 0; r->low && i < b->n; i++)
        end[r->low[b->first + i]]++;
    for (size_t i = 0; !r->low && i < b->n; i++)
        end[both[i] >> r->crd_nbits]++;
    for (uint64_t k = 0; k < b->nrows; k++) {
        const uint32_t c = end[k];
        tsr_array_set(r->pos, b->row + k, b->first + at);
        end[k] = at;
        at += c;
    }
}

/* The values, which are needed next, are fetched meanwhile. */
#define INDEX(itype, row)                                            \
    do {                                                             \
        itype *restrict index = (itype *)b->index;                   \
        for (size_t i = 0, stop; i < b->n; i = stop) {               \
            stop = b->n - i < FETCHED ? b->n : i + FETCHED;          \
            tsr_fetch(values + i * r->width, (stop - i) * r->width); \
            for (size_t k = i; k < stop; k++)                        \
                index[end[row]++] = (itype)k;                        \
        }                                                            \
    } while (0)

/* index = the entries by rows, those of a row as they come. */
static void index_bucket(const reorder *r, const bucket *b)
{
    enum { FETCHED = 16 };
    const uint32_t *restrict both = r->crd + b->first;
    const uint16_t *restrict low = r->low ? r->low + b->first : NULL;
    const unsigned char *values = r->to_values + b->first * r->width;
    uint32_t *restrict end = b->end;
    const int nbits = r->crd_nbits;
    if (low && has_wide_index(r))
        INDEX(uint32_t, low[k]);
    else if (low)
        INDEX(uint16_t, low[k]);
    else if (has_wide_index(r))
        INDEX(uint32_t, both[k] >> nbits);
    else
        INDEX(uint16_t, both[k] >> nbits);
}

#define GATHER_VALUES(ctype)                                           \
    do {                                                               \
        const ctype *restrict v = (const ctype *)(const void *)values; \
        ctype *restrict to = (ctype *)(void *)b->values;               \
        for (size_t i = 0; i < b->n; i++)                              \
            to[i] = v[index[i]];                                       \
    } while (0)
#define GATHER(itype)                                                        \
    do {                                                                     \
        const itype *restrict index = (const itype *)b->index;               \
        for (size_t i = 0; i < b->n; i++)                                    \
            crd[i] = both[index[i]] & mask;                                  \
        if (width == 8)                                                      \
            GATHER_VALUES(uint64_t);                                         \
        else if (width == 4)                                                 \
            GATHER_VALUES(uint32_t);                                         \
        for (size_t i = 0; width != 8 && width != 4 && i < b->n; i++)        \
            memcpy(b->values + i * width, values + index[i] * width, width); \
    } while (0)

/* Gather the rows of a bucket in scratch, in cache, and set pos. */
static void gather_bucket(const reorder *r, const bucket *b)
{
    const uint32_t *restrict both = r->crd + b->first;
    const unsigned char *values = r->to_values + b->first * r->width;
    const uint32_t mask = r->low ? UINT32_MAX : (UINT32_C(1) << r->crd_nbits) - 1;
    const size_t width = r->width;
    uint32_t *restrict crd = b->crd;
    count_bucket(r, b);
    index_bucket(r, b);
    if (has_wide_index(r))
        GATHER(uint32_t);
    else
        GATHER(uint16_t);
}

/* Copy the entries from scratch into the result. Returns whether each row is in order. */
static bool copy_bucket(const reorder *r, const bucket *b)
{
    uint32_t *to_crd = r->crd + b->first;
    unsigned char *to_values = r->to_values + b->first * r->width;
    if (!r->ordered && (r->width == 8 || r->width == 4) && r->ncols <= (uint64_t)INT32_MAX + 1)
        return direct_sort_short(
            &(direct_short){b->nrows, b->end, b->crd, b->values, r->width, to_crd, to_values});
    memcpy(to_crd, b->crd, b->n * sizeof *to_crd);
    if (r->width)
        memcpy(to_values, b->values, b->n * r->width);
    return r->ordered;
}

/* Sort a bucket by rows. end: a place for each row of the bucket. */
static void sort_bucket(reorder *r, size_t k, uint32_t *end, uint32_t *scratch)
{
    const uint64_t first = r->bucket[k], row = (uint64_t)k << r->shift;
    const uint64_t left = r->in.nrows - row, all = UINT64_C(1) << r->shift;
    unsigned char *const values = (unsigned char *)(scratch + r->longest + DIRECT_SHORT + (r->longest & 1));
    const bucket b = {.first = first,
                      .row = row,
                      .nrows = left < all ? left : all,
                      .n = r->bucket[k + 1] - first,
                      .end = end,
                      .crd = scratch,
                      .values = values,
                      .index = values + (r->longest * r->width + 3) / 4 * 4};
    gather_bucket(r, &b);
    if (copy_bucket(r, &b))
        return;
    uint64_t removed = 0;
    for (uint64_t i = 0, begin = 0; i < b.nrows; begin = end[i++]) {
        if (end[i] - begin < 2)
            continue;
        const size_t n_removed = sort_row(r, first + begin, end[i] - begin, (uint64_t *)(void *)scratch);
        if (n_removed > 0)
            r->removed[row + i] = (uint32_t)n_removed;
        removed += n_removed;
    }
    if (removed > 0)
        atomic_fetch_add(&r->nremoved, removed);
}

static void sort_buckets(void *arg, int t, int nthreads)
{
    reorder *r = arg;
    (void)nthreads;
    for (size_t b; (b = atomic_fetch_add(&r->next, 1)) < r->nbuckets;)
        if (pack_step(r->job, t, PACK_FILL, b, r->nbuckets))
            sort_bucket(r, b, r->offset + ((size_t)t << r->shift), r->scratch[t]);
}

/* The bytes of scratch for a bucket: coordinates, values and places, or the words of a row that is sorted. */
static uint64_t scratch_nbytes(const reorder *r)
{
    const uint64_t entries = (r->longest + 1) * (sizeof(uint32_t) + r->width + (has_wide_index(r) ? 4 : 2)) +
                             DIRECT_SHORT * sizeof(uint32_t);
    const uint64_t words = r->ordered ? 0 : r->longest * 2 * (r->width > 8 ? r->width : 8);
    return entries > words ? entries : words;
}

/* Whether most entries are in one bucket, for which each thread would need scratch. */
static bool is_lopsided(const reorder *r)
{
    enum { ALWAYS_NBYTES = 4 << 20, EACH_NBYTES = 12 };
    const double nbytes = (double)scratch_nbytes(r) * r->job->nthreads;
    return nbytes > ALWAYS_NBYTES + EACH_NBYTES * (double)r->in.n;
}

static tsr_status make_scratch(reorder *r, tsr_error *err)
{
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)r->job->nthreads, sizeof *r->scratch, 1, "sorting", err));
    r->scratch = out;
    for (int t = 0; t < r->job->nthreads; t++) {
        TSR_TRY(tsr_alloc_array(&out, scratch_nbytes(r), 1, 0, "sorting", err));
        r->scratch[t] = out;
    }
    return TSR_OK;
}

/* Fill buckets past the caches where the result is much larger than these. */
static tsr_status make_streams(reorder *r, tsr_error *err)
{
    enum {
        STREAMED_NBYTES = 1 << 25,
        LINE_NBYTES = 64
    }; /* measured: below, ordinary stores are as fast or faster */
    const uint64_t nbytes = r->in.n * (sizeof *r->crd + r->width);
    const bool aligned = ((uintptr_t)r->crd | (uintptr_t)r->to_values) % LINE_NBYTES == 0;
    void *out;
    if (r->low || nbytes < STREAMED_NBYTES || !aligned || (r->width != 0 && r->width != 4 && r->width != 8))
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)r->job->nthreads, sizeof *r->streams, 1, "sorting", err));
    r->streams = out;
    for (int t = 0; t < r->job->nthreads; t++) {
        r->streams[t] = (direct_streams){.to = {r->crd, r->to_values, r->width, true},
                                         .n = r->nbuckets,
                                         .next = r->offset + (size_t)t * r->nbuckets};
        TSR_TRY(direct_streams_init(&r->streams[t], err));
    }
    return TSR_OK;
}

static tsr_status scatter_twice(reorder *r, tsr_error *err)
{
    const uint64_t nthreads = (uint64_t)r->job->nthreads, rows = UINT64_C(1) << r->shift;
    const uint64_t places = rows > r->nbuckets ? rows : r->nbuckets;
    void *out;
    TSR_TRY(tsr_alloc_array(&out, nthreads * places, sizeof *r->offset, 1, "sorting", err));
    r->offset = out;
    TSR_TRY(tsr_alloc_array(&out, r->nbuckets + 1, sizeof *r->bucket, 0, "sorting", err));
    r->bucket = out;
    r->crd_nbits = tsr_bit_length(r->ncols - 1);
    if (r->crd_nbits + r->shift > 32 || r->crd_nbits == 32) {
        r->crd_nbits = 0;
        TSR_TRY(tsr_alloc_array(&out, r->in.n, sizeof *r->low, 0, "sorting", err));
        r->low = out;
    }
    tsr_parallel(r->job->nthreads, count_buckets, r);
    sum_buckets(r);
    r->gives_up = is_lopsided(r);
    if (r->gives_up)
        return TSR_OK;
    if (!r->ordered) {
        TSR_TRY(tsr_alloc_array(&out, r->in.nrows, sizeof *r->removed, 1, "removing duplicates", err));
        r->removed = out;
    }
    TSR_TRY(make_scratch(r, err));
    TSR_TRY(make_streams(r, err));
    tsr_parallel(r->job->nthreads, fill_buckets, r);
    tsr_parallel(r->job->nthreads, sort_buckets, r);
    tsr_array_set(r->pos, r->in.nrows, r->in.n);
    return TSR_OK;
}

/* ---- duplicates ---- */

/* Close the gaps that removed duplicates left. */
static tsr_status close_gaps(reorder *r, tsr_error *err)
{
    tsr_tensor *tensor = r->job->tensor;
    tsr_level *level = &tensor->levels[1];
    uint64_t at = 0, begin = 0;
    for (uint64_t row = 0; row < r->in.nrows; row++) {
        const uint64_t end = tsr_array_get(r->pos, row + 1), n = end - begin - r->removed[row];
        tsr_array_set(r->pos, row, at);
        if (at < begin) {
            memmove(r->crd + at, r->crd + begin, n * sizeof *r->crd);
            memmove(r->to_values + at * r->width, r->to_values + begin * r->width, n * r->width);
        }
        at += n;
        begin = end;
    }
    tsr_array_set(r->pos, r->in.nrows, at);
    r->job->nduplicates = r->in.n - at;
    level->npos = tensor->npos = at;
    TSR_TRY(tsr_array_resize(&level->crd, at, level->crd.width, "removing duplicates", err));
    return r->width ? tsr_array_resize(&tensor->values, at, r->width, "removing duplicates", err) : TSR_OK;
}

/* ---- the choice ---- */

/* Choose the buckets. */
static void choose_buckets(reorder *r)
{
    const uint64_t wanted = pack_tuning(r->in.n).bucket_nbytes / ENTRY_NBYTES; /* entries of a bucket */
    int nbits = tsr_bit_length(r->in.n / (wanted ? wanted : 1));
    nbits = nbits > MAX_BUCKETS_NBITS ? MAX_BUCKETS_NBITS : nbits;
    const int row_nbits = tsr_bit_length(r->in.nrows - 1);
    r->shift = row_nbits > nbits ? row_nbits - nbits : 0;
    r->nbuckets = (size_t)((r->in.nrows - 1) >> r->shift) + 1;
}

/* The columns of the entries: r->in.key along the rows of the result. False: not a case for this file. */
static bool find_columns(reorder *r, const pack_job *job, const int mode[2])
{
    tsr_source *source = job->source;
    if (direct_source(&r->in.from, source)) {
        r->ordered = mode[0] == r->in.from.minor;
        r->in.n = r->in.from.n;
        if (!r->ordered)
            return false;
        r->in.key = r->in.from.crd;
        r->in.other = r->in.from.top == DIRECT_ENTRIES ? r->in.from.rows : NULL;
        if (r->in.from.nmajor > UINT32_MAX)
            return false;
    } else {
        r->in.key = source->columns[mode[0]];
        r->in.other = source->columns[mode[1]];
        r->in.n = job->n;
        if (!r->in.key || !r->in.other)
            return false;
    }
    r->in.nrows = source->dims[mode[0]];
    r->ncols = source->dims[mode[1]];
    return r->in.key->width == sizeof(uint32_t) && (!r->in.other || r->in.other->width == sizeof(uint32_t));
}

static tsr_status find_shape(pack_shape *shape, const reorder *r, const pack_job *job, tsr_error *err)
{
    const uint64_t opened[TSR_MAX_LEVELS] = {0, r->in.n};
    return pack_shape_init(shape, job, opened, err);
}

static bool is_case(reorder *r, const pack_job *job)
{
    int mode[TSR_MAX_LEVELS];
    direct_top top;
    pack_shape shape;
    return direct_format(&top, mode, job->format) && top == DIRECT_FULL && find_columns(r, job, mode) &&
           r->in.n > 0 && r->in.n < UINT32_MAX && r->in.nrows > 0 && !job->keep &&
           (job->iso || job->source->values) &&
           /* a result that is too large is an error of direct_reorder */
           (find_shape(&shape, r, job, NULL) != TSR_OK || shape.crd_width[1] == sizeof(uint32_t));
}

/* The positions of the rows, and tables with a count for each row. */
static double rows_nbytes(const reorder *r, int ntables)
{
    return (double)r->in.nrows * (double)(sizeof(uint64_t) + (size_t)ntables * sizeof(uint32_t));
}

double direct_near_nbytes(const pack_job *job)
{
    reorder r = {0};
    return is_case(&r, job) && r.ordered && direct_goes_near(&r.in, pack_value_nbytes(job))
               ? direct_read_nbytes(job, r.in.n) + rows_nbytes(&r, job->nthreads)
               : INFINITY;
}

double direct_reorder_nbytes(const pack_job *job)
{
    reorder r = {0};
    if (!is_case(&r, job))
        return INFINITY;
    const double bucket_nbytes =
        (double)(sizeof(uint32_t) + sizeof *r.low + pack_value_nbytes(job)) * (double)r.in.n;
    return direct_read_nbytes(job, r.in.n) + 2 * bucket_nbytes + rows_nbytes(&r, 1);
}

static void clear(reorder *r)
{
    for (int t = 0; r->scratch && t < r->job->nthreads; t++)
        tsr_free(r->scratch[t]);
    tsr_free(r->scratch);
    for (int t = 0; r->streams && t < r->job->nthreads; t++)
        direct_streams_clear(&r->streams[t]);
    tsr_free(r->streams);
    tsr_free(r->offset);
    tsr_free(r->bucket);
    tsr_free(r->low);
    tsr_free(r->removed);
}

/* Undo the allocation of the result: the entries have to be packed by keys. */
static void take_back(pack_job *job)
{
    for (int l = 0; l < job->nlevels; l++) {
        tsr_array_clear(&job->tensor->levels[l].pos);
        tsr_array_clear(&job->tensor->levels[l].crd);
    }
    tsr_array_clear(&job->tensor->values);
    job->copies_values = false;
    memset(job->shares[0].opened, 0, sizeof job->shares[0].opened);
}

static tsr_status run(reorder *r, tsr_error *err)
{
    pack_job *job = r->job;
    tsr_tensor *tensor = job->tensor;
    choose_buckets(r);
    if (r->shift > LOW_NBITS)
        return TSR_OK;
    for (int t = 0; t < job->nthreads; t++)
        memset(job->shares[t].opened, 0, sizeof job->shares[t].opened);
    job->shares[0].opened[1] = r->in.n;
    job->copies_values = true;
    TSR_TRY(pack_alloc(job, err));
    r->crd = tensor->levels[1].crd.data;
    r->pos = &tensor->levels[1].pos;
    r->width = job->iso ? 0 : tensor->values.width;
    /* sums of equal values differ with the number of duplicates */
    r->reports_repeats =
        job->options.duplicates == TSR_DUP_ERROR ||
        (job->iso && job->options.duplicates == TSR_DUP_SUM && job->source->value_type != TSR_PATTERN);
    r->values = job->iso ? (const unsigned char *)"" : job->source->values->data;
    r->to_values = tensor->values.data;
    TSR_TRY(scatter_twice(r, err));
    return r->nremoved > 0 && !r->gives_up ? close_gaps(r, err) : TSR_OK;
}

tsr_status direct_scatter_near(bool *done, pack_job *job, tsr_error *err)
{
    reorder r = {.job = job};
    pack_shape shape;
    *done = is_case(&r, job);
    if (!*done)
        return TSR_OK;
    TSR_TRY(find_shape(&shape, &r, job, err));
    return direct_near(job, &r.in, err);
}

tsr_status direct_reorder(bool *done, pack_job *job, tsr_error *err)
{
    reorder r = {.job = job};
    pack_shape shape;
    if (!is_case(&r, job))
        return TSR_OK;
    TSR_TRY(find_shape(&shape, &r, job, err));
    const tsr_status status = run(&r, err);
    clear(&r);
    TSR_TRY(status);
    *done = job->copies_values && !r.gives_up;
    if (!*done)
        take_back(job);
    return TSR_OK;
}
