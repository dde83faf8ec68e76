/* From entries in any order to records in storage order. The sort is stable, and the result does not
 * depend on the number of threads.
 *
 * 1. Each entry is scattered from the source directly to the bucket of the first bits of its key. The number of
 * bits is
 *    chosen so that the entries of a bucket fit a cache. Records never exist twice. 2. A range of entries
 *    that is still too large for a cache (skewed data) is split further, by the highest bits of the key that
 *    vary in the range, through a scratch copy. 3. Each range is sorted in cache: words of key bits and the
 *    entry's number in the range are radix sorted, then the columns (planes and values) are permuted once. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "pack_internal.h"
#include "tsr_clones.h"
#include "tsr_memory.h"

enum {
    ENTRY_NBYTES = 64,           /* keys, value and words of an entry, about */
    RANGE_MAX_ENTRIES = 1 << 16, /* larger ranges are split */
    DIGIT_NBITS = 11,
    SHORT = 32 /* up to this number, words are sorted by insertion */
};

typedef struct range {
    uint64_t first, n;
} range;

typedef struct sorter {
    pack_job *job;
    uint64_t bucket;  /* entries wanted in a bucket, at least 1: the bucket fits the second cache */
    uint64_t *offset; /* nthreads * 2^DIGIT_NBITS: the place of each thread's next entry of each digit */
    range *ranges;
    size_t nranges, ranges_capacity;
    atomic_size_t next;      /* the next range to sort */
    unsigned char **scratch; /* nthreads: three words per entry of the longest range */
    uint64_t longest;
    /* the current split: */
    range split;
    int plane, shift, nbits;
    uint64_t *varying; /* nthreads */
    void *columns[PACK_MAX_PLANES + 1];
} sorter;

/* ---- columns: the planes, then the values ---- */

static int ncolumns(const pack_job *job)
{
    return job->key.nplanes + (job->records.values.data != NULL);
}

static tsr_array *column(pack_job *job, int c)
{
    return c < job->key.nplanes ? &job->records.plane[c] : &job->records.values;
}

static void *at(const tsr_array *array, uint64_t first)
{
    return (unsigned char *)array->data + first * array->width;
}

/* ---- step 1: from the source to buckets ---- */

static void count_buckets(void *arg, int t, int nthreads)
{
    const sorter *s = arg;
    pack_job *job = s->job;
    pack_rows *rows = &job->rows[t];
    pack_coords coords[TSR_MAX_LEVELS];
    uint64_t *restrict count = s->offset + ((size_t)t << job->key.nbucket_bits);
    const uint64_t end = tsr_cut(job->n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = tsr_cut(job->n, t, nthreads); first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        pack_step(job, t, PACK_BUCKETS, first, end); /* share 0 begins at 0 */
        if (!pack_entries_load(coords, job, t, first, n, false))
            return;
        pack_key_encode(rows->work, &job->key, -1, coords, n);
        for (size_t i = 0; i < n; i++)
            count[rows->work[i]]++;
    }
}

/* Replace counts by offsets. offset[t * ndigits + d] is the count of digit d in thread t, and becomes the
 * place of its first entry: digits in order, and within a digit threads in order, from `first` on. */
static void counts_to_offsets(uint64_t *offset, size_t ndigits, int nthreads, uint64_t first)
{
    for (size_t d = 0; d < ndigits; d++)
        for (int t = 0; t < nthreads; t++) {
            const uint64_t count = offset[(size_t)t * ndigits + d];
            offset[(size_t)t * ndigits + d] = first;
            first += count;
        }
}

TSR_CLONES static void narrow(uint64_t *row, size_t n)
{
    uint32_t *out = (uint32_t *)row;
    for (size_t i = 0; i < n; i++) {
        const uint32_t v = (uint32_t)row[i];
        memcpy(&out[i], &v, sizeof v);
    }
}

static void scatter_to_buckets(void *arg, int t, int nthreads)
{
    const sorter *s = arg;
    pack_job *job = s->job;
    const pack_key *key = &job->key;
    pack_rows *rows = &job->rows[t];
    pack_coords coords[TSR_MAX_LEVELS];
    uint64_t *restrict offset = s->offset + ((size_t)t << key->nbucket_bits);
    uint64_t *restrict dest = rows->work, *row = rows->position;
    const uint64_t end = tsr_cut(job->n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = tsr_cut(job->n, t, nthreads); first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        pack_step(job, t, PACK_SCATTER, first, end); /* share 0 begins at 0 */
        if (!pack_entries_load(coords, job, t, first, n, !job->source->iso))
            return;
        pack_key_encode(row, key, -1, coords, n);
        for (size_t i = 0; i < n; i++)
            dest[i] = offset[row[i]]++;
        for (int p = 0; p < key->nplanes; p++) {
            pack_key_encode(row, key, p, coords, n);
            if (key->plane_width[p] == 4)
                narrow(row, n);
            tsr_array_scatter(job->records.plane[p].data, row, key->plane_width[p], dest, n);
        }
        if (!job->source->iso)
            tsr_array_scatter(job->records.values.data, rows->values, job->records.values.width, dest, n);
    }
}

/* TSR_LIMIT where the records do not fit into memory beside the coordinates. */
static tsr_status check_memory(const pack_job *job, tsr_error *err)
{
    double each = job->source->iso ? 0 : (double)tsr_type_nbytes(job->source->value_type);
    char what[64];
    for (int p = 0; p < job->key.nplanes; p++)
        each += (double)job->key.plane_width[p];
    snprintf(what, sizeof what, "sorting %" PRIu64 " entries", job->n);
    return tsr_memory_check(each * (double)job->n, what, err);
}

static tsr_status to_buckets(sorter *s, tsr_error *err)
{
    pack_job *job = s->job;
    pack_records *records = &job->records;
    const size_t nbuckets = (size_t)1 << job->key.nbucket_bits;
    void *out;
    TSR_TRY(check_memory(job, err));
    TSR_TRY(tsr_alloc_array(&out, nbuckets + 1, sizeof *records->bucket, 0, "sorting", err));
    records->bucket = out;
    for (int p = 0; p < job->key.nplanes; p++)
        TSR_TRY(tsr_array_init(&records->plane[p], job->n, job->key.plane_width[p], 0,
                               "sorting the coordinates", err));
    if (!job->source->iso)
        TSR_TRY(tsr_array_init(&records->values, job->n, tsr_type_nbytes(job->source->value_type), 0,
                               "sorting the values", err));
    TSR_TRY(pack_run_with(job, count_buckets, s, err));
    counts_to_offsets(s->offset, nbuckets, job->nthreads, 0);
    memcpy(records->bucket, s->offset, nbuckets * sizeof *records->bucket);
    records->bucket[nbuckets] = job->n;
    return pack_run_with(job, scatter_to_buckets, s, err);
}

/* ---- step 2: splitting long ranges ---- */

static tsr_status add_range(sorter *s, uint64_t first, uint64_t n, tsr_error *err)
{
    if (n < 2)
        return TSR_OK;
    if (s->nranges == s->ranges_capacity) {
        const size_t capacity = 2 * s->ranges_capacity + 1024;
        range *grown = tsr_realloc(s->ranges, capacity * sizeof *grown);
        if (!grown)
            return tsr_fail(err, TSR_NOMEM, "out of memory: sorting");
        s->ranges = grown;
        s->ranges_capacity = capacity;
    }
    s->ranges[s->nranges++] = (range){first, n};
    return TSR_OK;
}

#define VARYING(ctype)                              \
    do {                                            \
        const ctype *restrict k = at(plane, first); \
        ctype v = 0;                                \
        for (uint64_t i = 0; i < n; i++)            \
            v |= (ctype)(k[i] ^ k[0]);              \
        return v;                                   \
    } while (0)

/* The bits in which the keys of a range differ. */
static uint64_t varying_bits(const tsr_array *plane, uint64_t first, uint64_t n)
{
    if (plane->width == 4)
        VARYING(uint32_t);
    VARYING(uint64_t);
}

static void find_varying(void *arg, int t, int nthreads)
{
    const sorter *s = arg;
    const tsr_array *plane = &s->job->records.plane[s->plane];
    const uint64_t from = tsr_cut(s->split.n, t, nthreads), to = tsr_cut(s->split.n, t + 1, nthreads);
    /* one entry of overlap joins the shares */
    s->varying[t] =
        from < to ? varying_bits(plane, s->split.first + from - (from > 0), to - from + (from > 0)) : 0;
}

#define DIGITS(ctype)                                       \
    do {                                                    \
        const ctype *restrict k = at(plane, first);         \
        for (size_t i = 0; i < n; i++)                      \
            digit[i] = ((uint64_t)k[i] >> s->shift) & mask; \
    } while (0)

static void split_digits(uint64_t *restrict digit, const sorter *s, uint64_t first, size_t n)
{
    const tsr_array *plane = &s->job->records.plane[s->plane];
    const uint64_t mask = (UINT64_C(1) << s->nbits) - 1;
    if (plane->width == 4)
        DIGITS(uint32_t);
    else
        DIGITS(uint64_t);
}

static void count_split(void *arg, int t, int nthreads)
{
    const sorter *s = arg;
    uint64_t *restrict digit = s->job->rows[t].work;
    uint64_t *restrict count = s->offset + ((size_t)t << s->nbits);
    memset(count, 0, sizeof *count << s->nbits);
    const uint64_t end = s->split.first + tsr_cut(s->split.n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = s->split.first + tsr_cut(s->split.n, t, nthreads); first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        split_digits(digit, s, first, n);
        for (size_t i = 0; i < n; i++)
            count[digit[i]]++;
    }
}

static void scatter_split(void *arg, int t, int nthreads)
{
    const sorter *s = arg;
    pack_job *job = s->job;
    uint64_t *restrict dest = job->rows[t].work;
    uint64_t *restrict offset = s->offset + ((size_t)t << s->nbits);
    const uint64_t end = s->split.first + tsr_cut(s->split.n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = s->split.first + tsr_cut(s->split.n, t, nthreads); first < end; first += n) {
        n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
        split_digits(dest, s, first, n);
        for (size_t i = 0; i < n; i++)
            dest[i] = offset[dest[i]]++;
        for (int c = 0; c < ncolumns(job); c++) {
            const tsr_array *col = column(job, c);
            tsr_array_scatter(s->columns[c], at(col, first), col->width, dest, n);
        }
    }
}

static void copy_split(void *arg, int t, int nthreads)
{
    const sorter *s = arg;
    pack_job *job = s->job;
    const uint64_t from = tsr_cut(s->split.n, t, nthreads), to = tsr_cut(s->split.n, t + 1, nthreads);
    for (int c = 0; c < ncolumns(job); c++) {
        const tsr_array *col = column(job, c);
        memcpy(at(col, s->split.first + from), (unsigned char *)s->columns[c] + from * col->width,
               (to - from) * col->width);
    }
}

/* Add the parts of a range that was just split, short neighbours together: the offsets of the last thread
 * are where the digits end. */
static tsr_status add_parts(sorter *s, tsr_error *err)
{
    const range whole = s->split;
    const uint64_t *end = s->offset + ((size_t)(s->job->nthreads - 1) << s->nbits);
    uint64_t first = 0;
    for (size_t d = 0; d < (size_t)1 << s->nbits; d++)
        if (end[d] - first >= s->bucket || end[d] == whole.n) {
            const uint64_t begin = d > 0 ? end[d - 1] : 0; /* of this digit */
            const uint64_t cut = end[d] - first > RANGE_MAX_ENTRIES ? begin : end[d];
            TSR_TRY(add_range(s, whole.first + first, cut - first, err));
            TSR_TRY(add_range(s, whole.first + cut, end[d] - cut, err));
            first = end[d];
        }
    return TSR_OK;
}

/* Scatter a range by the highest bits that vary in it. A range of equal keys is in order. */
static tsr_status split_range(sorter *s, range r, tsr_error *err)
{
    pack_job *job = s->job;
    uint64_t v = 0;
    s->split = r;
    for (s->plane = 0; s->plane < job->key.nplanes && v == 0; s->plane++) {
        tsr_parallel(job->nthreads, find_varying, s);
        for (int t = 0; t < job->nthreads; t++)
            v |= s->varying[t];
    }
    if (v == 0)
        return TSR_OK;
    s->plane--;
    const int high = tsr_bit_length(v);
    s->nbits = high < DIGIT_NBITS ? high : DIGIT_NBITS;
    s->shift = high - s->nbits;
    tsr_parallel(job->nthreads, count_split, s);
    counts_to_offsets(s->offset, (size_t)1 << s->nbits, job->nthreads, 0);
    tsr_parallel(job->nthreads, scatter_split, s);
    tsr_parallel(job->nthreads, copy_split, s);
    return add_parts(s, err);
}

static tsr_status split_long_ranges(sorter *s, tsr_error *err)
{
    pack_job *job = s->job;
    uint64_t longest = 0;
    tsr_status status = TSR_OK;
    for (size_t k = 0; k < s->nranges; k++)
        longest = s->ranges[k].n > longest ? s->ranges[k].n : longest;
    if (longest <= RANGE_MAX_ENTRIES)
        return TSR_OK;
    pack_free_arrays(job->source); /* room for the copy */
    for (int c = 0; c < ncolumns(job); c++)
        TSR_TRY_OUT(tsr_alloc_array(&s->columns[c], longest, column(job, c)->width, 0, "sorting", err));
    for (size_t k = 0; k < s->nranges; k++)
        if (s->ranges[k].n > RANGE_MAX_ENTRIES) {
            const range r = s->ranges[k];
            s->ranges[k].n = 0;
            TSR_TRY_OUT(split_range(s, r, err));
        }
out:
    for (int c = 0; c <= PACK_MAX_PLANES; c++) {
        tsr_free(s->columns[c]);
        s->columns[c] = NULL;
    }
    return status;
}

/* ---- step 3: in cache ---- */

static void sort_short(uint64_t *word, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t w = word[i];
        size_t k = i;
        for (; k > 0 && word[k - 1] > w; k--)
            word[k] = word[k - 1];
        word[k] = w;
    }
}

static int lowest_bit(uint64_t v)
{
    return tsr_bit_length(v & (~v + 1)) - 1;
}

TSR_CLONES void pack_sort_words(uint64_t *word, uint64_t *scratch, size_t n, int low)
{
    if (n <= SHORT) {
        sort_short(word, n);
        return;
    }
    uint32_t count[1 << DIGIT_NBITS];
    uint64_t varying = 0, *from = word, *to = scratch;
    for (size_t i = 0; i < n; i++)
        varying |= word[i] ^ word[0];
    varying = varying >> low << low;
    const int length = tsr_bit_length(n);
    const int max_nbits = length < DIGIT_NBITS ? length : DIGIT_NBITS;
    while (varying) {
        const int shift = lowest_bit(varying), span = tsr_bit_length(varying) - shift;
        const int npasses = (span + max_nbits - 1) / max_nbits;
        const int nbits = (span + npasses - 1) / npasses;
        const uint64_t mask = (UINT64_C(1) << nbits) - 1;
        memset(count, 0, sizeof *count << nbits);
        for (size_t i = 0; i < n; i++)
            count[(from[i] >> shift) & mask]++;
        uint32_t sum = 0;
        for (size_t d = 0; d <= mask; d++) {
            const uint32_t c = count[d];
            count[d] = sum;
            sum += c;
        }
        for (size_t i = 0; i < n; i++)
            to[count[(from[i] >> shift) & mask]++] = from[i];
        uint64_t *const swap = from;
        from = to;
        to = swap;
        varying &= ~(mask << shift);
    }
    if (from != word)
        memcpy(word, from, n * sizeof *word);
}

/* The place in the planes of the key up to which the words are sorted. */
typedef struct place {
    int plane, left; /* left: bits of the plane that were not used yet */
} place;

/* Words of the entries of a range. The low nindex_bits of a word are the number of an entry in the range. */
typedef struct words {
    const pack_job *job;
    const range *r;
    uint64_t *scratch;
    int nindex_bits;
} words;

/* Sort n words by the key bits from `where` on; the keys of the entries are equal up to `where`. Words with equal
 * next bits are sorted by the bits that follow. */
TSR_CLONES static void sort_by_key(const words *all, uint64_t *word, size_t n, place where)
{
    const pack_job *const job = all->job;
    const range *const r = all->r;
    const int nindex_bits = all->nindex_bits;
    if (where.left == 0) {
        if (where.plane + 1 >= job->key.nplanes)
            return;
        where = (place){where.plane + 1, job->key.plane_nbits[where.plane + 1]};
    }
    const tsr_array *plane = &job->records.plane[where.plane];
    const uint64_t index_mask = (UINT64_C(1) << nindex_bits) - 1;
    const int nbits = where.left < 64 - nindex_bits ? where.left : 64 - nindex_bits;
    where.left -= nbits;
    const uint64_t mask = UINT64_MAX >> (64 - nbits);
    for (size_t i = 0; i < n; i++) {
        const uint64_t e = word[i] & index_mask;
        const uint64_t key = plane->width == 4 ? ((const uint32_t *)plane->data)[r->first + e]
                                               : ((const uint64_t *)plane->data)[r->first + e];
        word[i] = (((key >> where.left) & mask) << nindex_bits) | e;
    }
    pack_sort_words(word, all->scratch, n, nindex_bits);
    if (where.left == 0 && where.plane + 1 == job->key.nplanes)
        return;
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && word[k] >> nindex_bits == word[i] >> nindex_bits; k++)
            ;
        if (k - i > 1)
            sort_by_key(all, word + i, k - i, where);
    }
}

#define UNPACK(ctype)                               \
    do {                                            \
        ctype *restrict k = at(plane, first);       \
        for (size_t i = 0; i < n; i++)              \
            k[i] = (ctype)(word[i] >> nindex_bits); \
    } while (0)

/* Copy the keys from words that contain the whole keys. */
TSR_CLONES static void unpack_keys(const tsr_array *plane, uint64_t first, const uint64_t *restrict word,
                                   size_t n, int nindex_bits)
{
    if (plane->width == 4)
        UNPACK(uint32_t);
    else
        UNPACK(uint64_t);
}

TSR_CLONES static void sort_range(pack_job *job, const range *r, unsigned char *scratch)
{
    const size_t n = (size_t)r->n;
    uint64_t *word = (uint64_t *)(void *)scratch, *other = word + n;
    const int nindex_bits = tsr_bit_length(n - 1);
    for (size_t i = 0; i < n; i++)
        word[i] = i;
    sort_by_key(&(words){job, r, other, nindex_bits}, word, n, (place){-1, 0});
    const bool whole = job->key.nplanes == 1 && job->key.plane_nbits[0] + nindex_bits <= 64;
    if (whole)
        unpack_keys(column(job, 0), r->first, word, n, nindex_bits);
    for (int c = whole; c < ncolumns(job); c++) {
        const tsr_array *col = column(job, c);
        tsr_array_gather(other, at(col, r->first), col->width, word, (UINT64_C(1) << nindex_bits) - 1, n);
        memcpy(at(col, r->first), other, n * col->width);
    }
}

static void sort_ranges(void *arg, int t, int nthreads)
{
    sorter *s = arg;
    (void)nthreads;
    for (size_t k; (k = atomic_fetch_add(&s->next, 1)) < s->nranges;)
        if (pack_step(s->job, t, PACK_RANGES, k, s->nranges) && s->ranges[k].n > 1)
            sort_range(s->job, &s->ranges[k], s->scratch[t]);
}

/* ---- the whole sort ---- */

static tsr_status sort_in_cache(sorter *s, tsr_error *err)
{
    const int nthreads = s->job->nthreads;
    uint64_t longest = 0;
    for (size_t k = 0; k < s->nranges; k++)
        longest = s->ranges[k].n > longest ? s->ranges[k].n : longest;
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)nthreads, sizeof *s->scratch, 1, "sorting", err));
    s->scratch = out;
    for (int t = 0; t < nthreads; t++) {
        TSR_TRY(tsr_alloc_array(&out, longest, 3 * sizeof(uint64_t), 0, "sorting", err));
        s->scratch[t] = out;
    }
    tsr_parallel(nthreads, sort_ranges, s);
    return TSR_OK;
}

static tsr_status sort_records(sorter *s, tsr_error *err)
{
    pack_job *job = s->job;
    void *out;
    TSR_TRY(
        tsr_alloc_array(&out, (uint64_t)job->nthreads << DIGIT_NBITS, sizeof *s->offset, 1, "sorting", err));
    s->offset = out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)job->nthreads, sizeof *s->varying, 0, "sorting", err));
    s->varying = out;
    TSR_TRY(to_buckets(s, err));
    TSR_TRY(pack_end_pass(job, PACK_SCATTER, err));
    for (size_t b = 0; b < (size_t)1 << job->key.nbucket_bits; b++)
        TSR_TRY(
            add_range(s, job->records.bucket[b], job->records.bucket[b + 1] - job->records.bucket[b], err));
    TSR_TRY(split_long_ranges(s, err));
    return sort_in_cache(s, err);
}

tsr_status pack_sort(pack_job *job, tsr_error *err)
{
    uint64_t used[TSR_MAX_LEVELS] = {0};
    for (int t = 0; t < job->nthreads; t++)
        for (int l = 0; l < job->nlevels; l++)
            used[l] |= job->shares[t].used[l];
    const uint64_t wanted = pack_tuning(job->n).sort_nbytes / ENTRY_NBYTES;
    sorter s = {.job = job, .bucket = wanted ? wanted : 1};
    int nbucket_bits = tsr_bit_length(job->n / s.bucket);
    if (nbucket_bits > PACK_MAX_BUCKET_BITS)
        nbucket_bits = PACK_MAX_BUCKET_BITS;
    pack_key_init(&job->key, job->nlevels, used, nbucket_bits);
    const tsr_status status = sort_records(&s, err);
    for (int t = 0; s.scratch && t < job->nthreads; t++)
        tsr_free(s.scratch[t]);
    tsr_free(s.scratch);
    tsr_free(s.ranges);
    tsr_free(s.varying);
    tsr_free(s.offset);
    return status;
}

void pack_records_clear(pack_records *records)
{
    for (int p = 0; p < PACK_MAX_PLANES; p++)
        tsr_array_clear(&records->plane[p]);
    tsr_array_clear(&records->values);
    tsr_free(records->bucket);
    records->bucket = NULL;
}
