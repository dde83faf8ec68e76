/* The entries of a matrix into rows of the other mode, or of coordinates in no order into rows, by the engine of direct_scatter.c in one of
 * two ways:
 *
 *   near     one scatter by rows: where consecutive entries go to rows that are near each other (a band), where the result fits a
 *            cache, or where enough of the lines that entries go to are in a cache, and the others are fetched in time.
 *   buckets  elsewhere a scatter would miss the cache with each entry. There the entries are scattered to buckets of neighbouring
 *            rows first, into the places of the result where the rows of the bucket will be, with the low bits of the row above the bits of
 *            the coordinate, or beside them where 32 bits do not hold both; then each bucket is scattered by rows, in cache, and
 *            each row of a source that is not in order is sorted.
 *
 * Memory beside the result: 4 bytes per row and further thread; of buckets 4 bytes per entry (none where 32 bits hold both)
 * and a bucket per thread; no more than 16 bytes per entry. The result does not depend on the number of threads. */
#include "direct_internal.h"
#include "tsr_machine.h"

enum {
    /* of an entry in a bucket: its coordinate and value, and those of the places of the row (measured) */
    ENTRY_NBYTES = 48,
    MAX_BUCKETS_NBITS = 11, /* more streams than that do not pay */
    NSAMPLES = 16,
    SEEN = 4096 /* entries of a sample: the lines that a scatter of them touches fit the second cache */
};

typedef struct reorder {
    pack_job *job;
    direct_pass pass;
    direct_matrix from; /* of an unordered source: not set */
    direct_digits digits;
    uint64_t nrows, ncols; /* of the result */
    bool ordered;          /* the minor coordinates of the result rise as the entries come */
    tsr_array *pos;        /* of the result */
    /* of buckets: */
    int shift,
        crd_nbits; /* bits of the row in a bucket; of a coordinate below them, or 0: they are in pass.low */
    uint64_t longest;   /* entries in the largest bucket */
    uint32_t **scratch; /* per thread: places of the rows, a bucket's coordinates and values */
    atomic_size_t next; /* bucket */
    /* of an unordered source: */
    bool reports_repeats;   /* duplicates are an error, or change the result in another way */
    uint32_t *removed;      /* nrows: duplicates that were removed from each row */
    atomic_ullong nremoved; /* their sum */
    atomic_bool gives_up;   /* duplicates that are left to the packer by keys */
} reorder;

/* ---- rows of an unordered source ---- */

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
    const size_t width = r->pass.width;
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
    const size_t width = r->pass.width;
    uint32_t *crd = r->pass.crd + first;
    unsigned char *values = r->pass.to_values + first * width;
    bool rises = true, repeats = false, failed = false;
    for (size_t i = 1; i < n && rises; i++)
        rises = crd[i] > crd[i - 1];
    if (rises)
        return 0;
    if (n > DIRECT_SHORT || !insert_row(crd, values, width, n))
        sort_long_row(crd, values, width, n, words);
    for (size_t i = 1; i < n; i++)
        repeats |= crd[i] == crd[i - 1];
    if (!repeats)
        return 0;
    const size_t kept = merge_row(r, crd, values, n, &failed);
    if (failed || r->reports_repeats)
        r->gives_up = true;
    return n - kept;
}

/* ---- buckets ---- */

/* The bytes of scratch for a bucket: coordinates and values, or the words of a row that is sorted. */
static uint64_t scratch_nbytes(const reorder *r)
{
    const size_t width = r->pass.width;
    const uint64_t entries = (r->longest + 1) * (sizeof(uint32_t) + width) + DIRECT_SHORT * sizeof(uint32_t);
    const uint64_t words = r->ordered ? 0 : r->longest * 2 * (width > 8 ? width : 8);
    return entries > words ? entries : words;
}

/* A bucket: its entries are [first, first + pass.n) of the result, of rows [row, row + nrows). */
typedef struct bucket {
    uint64_t first, row, nrows;
    direct_pass pass; /* from the result to scratch, by rows */
    uint32_t *end;    /* nrows: where the entries of each row end in the bucket */
} bucket;

static bucket bucket_at(const reorder *r, size_t k, uint32_t *scratch)
{
    const uint32_t *begin = r->digits.begin.data;
    const uint64_t row = (uint64_t)k << r->shift, left = r->nrows - row, all = UINT64_C(1) << r->shift;
    const uint32_t *const crd = r->pass.crd + begin[k], *const low =
                                                            r->pass.low ? r->pass.low + begin[k] : NULL;
    uint32_t *const to = scratch + scratch_nbytes(r) / sizeof *to + 1;
    unsigned char *const values = (unsigned char *)(scratch + r->longest + DIRECT_SHORT + (r->longest & 1));
    return (bucket){.first = begin[k],
                    .row = row,
                    .nrows = left < all ? left : all,
                    .end = to,
                    .pass = {.n = begin[k + 1] - begin[k],
                             .key = low ? low : crd,
                             .shift = r->crd_nbits,
                             .mask = low ? 0 : (UINT32_C(1) << r->crd_nbits) - 1,
                             .other = low ? crd : NULL,
                             .values = r->pass.to_values + begin[k] * r->pass.width,
                             .width = r->pass.width,
                             .crd = scratch,
                             .to_values = values}};
}

/* Scatter the entries of a bucket into scratch, by rows, and set pos. */
static void scatter_bucket(const reorder *r, const bucket *b)
{
    uint32_t at = 0;
    memset(b->end, 0, b->nrows * sizeof *b->end);
    direct_count(b->end, &b->pass, 0, b->pass.n);
    for (uint64_t k = 0; k < b->nrows; k++) {
        const uint32_t c = b->end[k];
        tsr_array_set(r->pos, b->row + k, b->first + at);
        b->end[k] = at;
        at += c;
    }
    direct_put(b->end, &b->pass);
}

/* Copy the entries from scratch into the result. Returns whether each row is in order. */
static bool copy_bucket(const reorder *r, const bucket *b)
{
    const size_t width = r->pass.width;
    uint32_t *to_crd = r->pass.crd + b->first;
    unsigned char *to_values = r->pass.to_values + b->first * width;
    if (!r->ordered && (width == 8 || width == 4) && r->ncols <= (uint64_t)INT32_MAX + 1)
        return direct_sort_short(
            &(direct_short){b->nrows, b->end, b->pass.crd, b->pass.to_values, width, to_crd, to_values});
    memcpy(to_crd, b->pass.crd, b->pass.n * sizeof *to_crd);
    if (width)
        memcpy(to_values, b->pass.to_values, b->pass.n * width);
    return r->ordered;
}

static void sort_bucket(reorder *r, size_t k, uint32_t *scratch)
{
    const bucket b = bucket_at(r, k, scratch);
    scatter_bucket(r, &b);
    if (copy_bucket(r, &b))
        return;
    uint64_t removed = 0;
    for (uint64_t i = 0, begin = 0; i < b.nrows; begin = b.end[i++]) {
        if (b.end[i] - begin < 2)
            continue;
        const size_t n_removed = sort_row(r, b.first + begin, b.end[i] - begin, (uint64_t *)(void *)scratch);
        if (n_removed > 0)
            r->removed[b.row + i] = (uint32_t)n_removed;
        removed += n_removed;
    }
    if (removed > 0)
        atomic_fetch_add(&r->nremoved, removed);
}

static void sort_buckets(void *arg, int t, int nthreads)
{
    reorder *r = arg;
    (void)nthreads;
    for (size_t b; (b = atomic_fetch_add(&r->next, 1)) < r->digits.n;)
        if (pack_step(r->job, t, PACK_FILL, b, r->digits.n))
            sort_bucket(r, b, r->scratch[t]);
}

/* Find the longest bucket. Returns whether most entries are in it: each thread would need scratch for them. */
static bool is_lopsided(reorder *r)
{
    enum { ALWAYS_NBYTES = 4 << 20, EACH_NBYTES = 12 };
    for (uint64_t b = 0; b < r->digits.n; b++) {
        const uint64_t end = b + 1 < r->digits.n ? r->digits.next[0][b + 1] : r->pass.n;
        if (end - r->digits.next[0][b] > r->longest)
            r->longest = end - r->digits.next[0][b];
    }
    const double nbytes = (double)scratch_nbytes(r) * r->job->nthreads;
    return nbytes > ALWAYS_NBYTES + EACH_NBYTES * (double)r->pass.n;
}

static tsr_status make_scratch(reorder *r, tsr_error *err)
{
    const uint64_t places = sizeof(uint32_t) * ((UINT64_C(1) << r->shift) + 1);
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)r->job->nthreads, sizeof *r->scratch, 1, "sorting", err));
    r->scratch = out;
    for (int t = 0; t < r->job->nthreads; t++) {
        TSR_TRY(tsr_alloc_array(&out, scratch_nbytes(r) + places, 1, 0, "sorting", err));
        r->scratch[t] = out;
    }
    return TSR_OK;
}

/* Set the pass that fills the buckets. */
static tsr_status set_pass(reorder *r, tsr_error *err)
{
    const uint32_t rows = (UINT32_C(1) << r->shift) - 1;
    void *out;
    r->pass.shift = r->shift;
    r->pass.fetches = true;
    r->crd_nbits = tsr_bit_length(r->ncols - 1);
    if (r->crd_nbits + r->shift <= 32 && r->crd_nbits < 32) {
        r->pass.mask = rows;
        r->pass.nbits = r->crd_nbits;
        return TSR_OK;
    }
    r->crd_nbits = 0;
    r->pass.low_mask = rows;
    TSR_TRY(tsr_alloc_array(&out, r->pass.n, sizeof *r->pass.low, 0, "sorting", err));
    r->pass.low = out;
    return TSR_OK;
}

static tsr_status scatter_twice(reorder *r, tsr_error *err)
{
    void *out;
    TSR_TRY(set_pass(r, err));
    TSR_TRY(direct_digits_init(&r->digits, r->job, &r->pass, err));
    r->gives_up = is_lopsided(r);
    if (r->gives_up)
        return TSR_OK;
    if (!r->ordered) {
        TSR_TRY(tsr_alloc_array(&out, r->nrows, sizeof *r->removed, 1, "removing duplicates", err));
        r->removed = out;
    }
    TSR_TRY(make_scratch(r, err));
    direct_scatter(r->job, &r->digits, &r->pass, PACK_SCATTER);
    tsr_parallel(r->job->nthreads, sort_buckets, r);
    tsr_array_set(r->pos, r->nrows, r->pass.n);
    return TSR_OK;
}

/* ---- duplicates ---- */

/* Close the gaps that removed duplicates left. */
static tsr_status close_gaps(reorder *r, tsr_error *err)
{
    tsr_tensor *tensor = r->job->tensor;
    tsr_level *level = &tensor->levels[1];
    uint64_t at = 0, begin = 0;
    for (uint64_t row = 0; row < r->nrows; row++) {
        const uint64_t end = tsr_array_get(r->pos, row + 1), n = end - begin - r->removed[row];
        tsr_array_set(r->pos, row, at);
        if (at < begin) {
            memmove(r->pass.crd + at, r->pass.crd + begin, n * sizeof *r->pass.crd);
            memmove(r->pass.to_values + at * r->pass.width, r->pass.to_values + begin * r->pass.width,
                    n * r->pass.width);
        }
        at += n;
        begin = end;
    }
    tsr_array_set(r->pos, r->nrows, at);
    r->job->nduplicates = r->pass.n - at;
    level->npos = tensor->npos = at;
    TSR_TRY(tsr_array_resize(&level->crd, at, level->crd.width, "removing duplicates", err));
    return r->pass.width ? tsr_array_resize(&tensor->values, at, r->pass.width, "removing duplicates", err)
                         : TSR_OK;
}

/* ---- the choice ---- */

/* Choose the buckets. */
static void choose_buckets(reorder *r)
{
    const uint64_t n = r->pass.n, wanted = pack_tuning(n).bucket_nbytes / ENTRY_NBYTES;
    int nbits = tsr_bit_length(n / (wanted ? wanted : 1));
    nbits = nbits > MAX_BUCKETS_NBITS ? MAX_BUCKETS_NBITS : nbits;
    const int row_nbits = tsr_bit_length(r->nrows - 1);
    r->shift = row_nbits > nbits ? row_nbits - nbits : 0;
    r->digits.n = ((r->nrows - 1) >> r->shift) + 1;
}

/* The columns of the entries. False: not a case for this file. */
static bool find_columns(reorder *r, const pack_job *job, const int mode[2])
{
    const tsr_source *source = job->source;
    const tsr_array *key, *other;
    if (direct_source(&r->from, source)) {
        r->ordered = mode[0] == r->from.minor;
        r->pass.n = r->from.n;
        key = r->from.crd;
        other = r->from.top == DIRECT_ENTRIES ? r->from.rows : NULL;
        if (!r->ordered || r->from.nmajor > UINT32_MAX)
            return false;
    } else {
        key = source->columns[mode[0]];
        other = source->columns[mode[1]];
        r->pass.n = job->n;
        if (!key || !other)
            return false;
    }
    if (key->width != sizeof(uint32_t) || (other && other->width != sizeof(uint32_t)))
        return false;
    r->nrows = source->dims[mode[0]];
    r->ncols = source->dims[mode[1]];
    r->pass.key = key->data;
    r->pass.other = other ? other->data : NULL;
    r->pass.from = &r->from;
    return true;
}

static tsr_status find_shape(pack_shape *shape, const reorder *r, const pack_job *job, tsr_error *err)
{
    const uint64_t opened[TSR_MAX_LEVELS] = {0, r->pass.n};
    return pack_shape_init(shape, job, opened, err);
}

static bool is_case(reorder *r, const pack_job *job)
{
    int mode[TSR_MAX_LEVELS];
    direct_top top;
    pack_shape shape;
    return direct_format(&top, mode, job->format) && top == DIRECT_FULL && find_columns(r, job, mode) &&
           r->pass.n > 0 && r->pass.n < UINT32_MAX && r->nrows > 0 && !job->keep &&
           (job->iso || job->source->values) &&
           /* a result that is too large is an error of the ways */
           (find_shape(&shape, r, job, NULL) != TSR_OK || shape.crd_width[1] == sizeof(uint32_t));
}

/* The positions of the rows, and tables with a count for each row. */
static double rows_nbytes(const reorder *r, int ntables)
{
    return (double)r->nrows * (double)(sizeof(uint64_t) + (size_t)ntables * sizeof(uint32_t));
}

/* The entries of [first, first + SEEN) that go to the neighbourhood of an entry since `first`: to one of the 16 rows whose next places share a
 * cache line. */
static uint64_t count_neighbours(uint32_t *seen, const uint32_t *key, uint64_t first)
{
    uint64_t n = 0;
    memset(seen, 0, SEEN * sizeof *seen);
    for (uint64_t e = first; e < first + SEEN; e++) {
        const uint32_t rows = key[e] / 16 + 1;
        n += seen[rows % SEEN] == rows;
        seen[rows % SEEN] = rows;
    }
    return n;
}

static double result_nbytes(const reorder *r, size_t width)
{
    return (double)r->pass.n * (double)(sizeof(uint32_t) + width) + rows_nbytes(r, 0) / 2;
}

/* The part of the entries that go to lines which no second cache holds; 0 where the result fits one. */
static double far_part(const reorder *r, size_t width)
{
    const uint64_t n = r->pass.n;
    uint32_t seen[SEEN];
    uint64_t near = 0;
    if (result_nbytes(r, width) <= (double)pack_tuning(n).near_nbytes)
        return 0;
    for (int w = 0; w < NSAMPLES && n >= SEEN; w++)
        near += count_neighbours(seen, r->pass.key, tsr_cut(n - SEEN, w, NSAMPLES));
    return 1 - (double)near / (NSAMPLES * SEEN);
}

/* The time of the entries that go far, in bytes of buckets (measured): to memory, or to the last cache where the next places of the
 * rows do not go far, too. */
static double far_nbytes(const reorder *r, size_t width)
{
    enum { TO_MEMORY_NBYTES = 54, TO_CACHE_NBYTES = 24 };
    const double part = far_part(r, width);
    const bool cached = part > 0 && r->nrows * sizeof(uint32_t) <= pack_tuning(r->pass.n).near_nbytes &&
                        result_nbytes(r, width) <= (double)tsr_cache_nbytes(3);
    return part * (cached ? TO_CACHE_NBYTES : TO_MEMORY_NBYTES) * (double)r->pass.n;
}

double direct_near_nbytes(const pack_job *job)
{
    reorder r = {0};
    if (!is_case(&r, job) || !r.ordered)
        return INFINITY;
    return direct_read_nbytes(job, r.pass.n) + rows_nbytes(&r, job->nthreads) +
           far_nbytes(&r, pack_value_nbytes(job));
}

double direct_reorder_nbytes(const pack_job *job)
{
    reorder r = {0};
    if (!is_case(&r, job))
        return INFINITY;
    const double bucket_nbytes =
        (double)(sizeof(uint32_t) + sizeof(uint16_t) + pack_value_nbytes(job)) * (double)r.pass.n;
    return direct_read_nbytes(job, r.pass.n) + 2 * bucket_nbytes + rows_nbytes(&r, 1);
}

/* ---- the ways ---- */

static void clear(reorder *r)
{
    for (int t = 0; r->scratch && t < r->job->nthreads; t++)
        tsr_free(r->scratch[t]);
    tsr_free(r->scratch);
    direct_digits_clear(&r->digits);
    tsr_free(r->pass.low);
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

static tsr_status alloc_result(reorder *r, tsr_error *err)
{
    pack_job *job = r->job;
    tsr_tensor *tensor = job->tensor;
    for (int t = 0; t < job->nthreads; t++)
        memset(job->shares[t].opened, 0, sizeof job->shares[t].opened);
    job->shares[0].opened[1] = r->pass.n;
    job->copies_values = true;
    TSR_TRY(pack_alloc(job, err));
    r->pos = &tensor->levels[1].pos;
    r->pass.crd = tensor->levels[1].crd.data;
    r->pass.to_values = tensor->values.data;
    r->pass.values = job->iso ? (const unsigned char *)"" : job->source->values->data;
    return TSR_OK;
}

static tsr_status run_near(reorder *r, tsr_error *err)
{
    pack_job *job = r->job;
    r->digits.n = r->nrows;
    TSR_TRY(direct_digits_init(&r->digits, job, &r->pass, err));
    job->moved_pos[1] = &r->digits.begin;
    TSR_TRY(alloc_result(r, err));
    direct_scatter(job, &r->digits, &r->pass, PACK_FILL);
    direct_keep(job, r->pos, &r->digits.begin);
    job->moved_pos[1] = NULL;
    return TSR_OK;
}

static tsr_status run_buckets(reorder *r, tsr_error *err)
{
    const pack_job *job = r->job;
    choose_buckets(r);
    TSR_TRY(alloc_result(r, err));
    /* sums of equal values differ with the number of duplicates */
    r->reports_repeats =
        job->options.duplicates == TSR_DUP_ERROR ||
        (job->iso && job->options.duplicates == TSR_DUP_SUM && job->source->value_type != TSR_PATTERN);
    TSR_TRY(scatter_twice(r, err));
    return r->nremoved > 0 && !r->gives_up ? close_gaps(r, err) : TSR_OK;
}

static tsr_status run_way(bool *done, pack_job *job, tsr_status (*run)(reorder *r, tsr_error *err),
                          tsr_error *err)
{
    reorder *r = tsr_calloc(1, sizeof *r);
    pack_shape shape;
    if (!r)
        return tsr_fail(err, TSR_NOMEM, "out of memory: sorting entries");
    r->job = job;
    tsr_status status = TSR_OK;
    if (is_case(r, job)) {
        r->pass.width = pack_value_nbytes(job);
        TSR_TRY_OUT(find_shape(&shape, r, job, err));
        TSR_TRY_OUT(run(r, err));
        *done = !r->gives_up;
        if (!*done)
            take_back(job);
    }
out:
    clear(r);
    tsr_free(r);
    return status;
}

tsr_status direct_near(bool *done, pack_job *job, tsr_error *err)
{
    return run_way(done, job, run_near, err);
}

tsr_status direct_reorder(bool *done, pack_job *job, tsr_error *err)
{
    return run_way(done, job, run_buckets, err);
}
