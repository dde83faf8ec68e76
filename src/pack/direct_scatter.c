/* The engine of conversions into rows: count the entries of each digit, turn the counts into places, scatter the entries. Each
 * thread writes at its own places, so the result does not depend on the number of threads. */
#include "direct_internal.h"
#include "tsr_tile.h"

enum {
    /* entries between the one that is written and the one whose cache lines are fetched: the line of the place is
     * guessed from the place that its digit has now (measured) */
    AHEAD = 24,
    STEP =
        64 *
        TSR_LEVEL_BLOCK, /* entries between two looks at the entries, and at the observer where blocks need no room */
    LINE_ENTRIES = 8 /* in a cache line, about */
};

/* ---- one thread ---- */

void direct_count(uint32_t *count, const direct_pass *p, uint64_t first, uint64_t end)
{
    const uint32_t *restrict key = p->key;
    uint32_t *restrict counts = count;
    const int shift = p->shift;
    for (uint64_t e = first; e < end; e++)
        counts[key[e] >> shift]++;
}

/* Entries [first, end) of a pass. */
typedef struct part {
    uint64_t first, end;
    const uint32_t *other; /* end - first; NULL: the number of the list */
    const uint32_t *lists; /* the entries before lists[list + 1] are in the list; NULL: all of them are */
    uint64_t list;
    bool fetches;
} part;

/* How a part is put. */
enum {
    FETCH = 1, /* the lines of the entries that follow */
    LISTS = 2, /* the other coordinates are numbers of lists */
    ROWS = 4   /* the key is the digit, and nothing of it is stored */
};

/* The width and `how` are constants where this is called. */
static inline void put_part(uint32_t *restrict next, const direct_pass *p, const part *b, size_t width,
                            int how)
{
    const uint32_t *restrict key = p->key, *restrict other = b->other;
    const unsigned char *restrict from = p->values;
    uint32_t *restrict crd = p->crd, *restrict low = p->low;
    unsigned char *restrict to = p->to_values;
    const uint32_t mask = how & ROWS ? 0 : p->mask, low_mask = p->low_mask;
    const int shift = how & ROWS ? 0 : p->shift, nbits = how & ROWS ? 0 : p->nbits;
    uint64_t list = b->list;
    for (uint64_t e = b->first, stop; e < b->end; e = stop, list++) {
        stop = how & LISTS && b->lists && b->lists[list + 1] < b->end ? b->lists[list + 1] : b->end;
        for (uint64_t i = e; i < stop; i++) {
            const uint32_t k = key[i], place = next[k >> shift]++;
            if (how & FETCH) {
                const uint32_t ahead = next[key[i + AHEAD] >> shift];
                tsr_fetch_to(crd + ahead);
                tsr_fetch_to(to + ahead * width);
            }
            crd[place] = (k & mask) << nbits | (how & LISTS ? (uint32_t)list : other[i - b->first]);
            if (!(how & ROWS) && low)
                low[place] = k & low_mask;
            memcpy(to + place * width, from + i * width, width);
        }
    }
}

#define PUT(how)                                 \
    do {                                         \
        if (p->width == 8)                       \
            put_part(next, p, b, 8, how);        \
        else if (p->width == 4)                  \
            put_part(next, p, b, 4, how);        \
        else                                     \
            put_part(next, p, b, p->width, how); \
    } while (0)

static void put(uint32_t *next, const direct_pass *p, const part *b)
{
    const bool fetches = (p->fetches || b->fetches) && b->end + AHEAD <= p->n;
    const bool by_rows = p->shift == 0 && p->mask == 0 && !p->low;
    if (b->other && fetches)
        PUT(FETCH);
    else if (b->other)
        PUT(0);
    else if (fetches && by_rows)
        PUT(FETCH | LISTS | ROWS);
    else if (by_rows)
        PUT(LISTS | ROWS);
    else if (fetches)
        PUT(FETCH | LISTS);
    else
        PUT(LISTS);
}

void direct_put(uint32_t *next, const direct_pass *p)
{
    put(next, p, &(part){.end = p->n, .other = p->other});
}

/* ---- all threads ---- */

typedef struct scatterer {
    pack_job *job;
    direct_digits *digits;
    const direct_pass *pass;
    pack_pass when;
} scatterer;

static void count_share(void *arg, int t, int nthreads)
{
    const scatterer *s = arg;
    direct_count(s->digits->next[t], s->pass, tsr_cut(s->pass->n, t, nthreads),
                 tsr_cut(s->pass->n, t + 1, nthreads));
}

/* Share t has a range of the digits. */
static void sum_range(void *arg, int t, int nthreads)
{
    direct_digits *d = ((const scatterer *)arg)->digits;
    const uint64_t end = tsr_cut(d->n, t + 1, nthreads);
    uint64_t sum = 0;
    for (int s = 0; s < nthreads; s++)
        for (uint64_t digit = tsr_cut(d->n, t, nthreads); digit < end; digit++)
            sum += d->next[s][digit];
    d->before[t + 1] = sum;
}

/* The counts of one thread. */
static void place_alone(uint32_t *restrict next, uint64_t ndigits)
{
    uint32_t at = 0;
    for (uint64_t digit = 0; digit < ndigits; digit++) {
        const uint32_t c = next[digit];
        next[digit] = at;
        at += c;
    }
}

/* Turn the counts of a range into places: those of one digit follow each other, thread by thread. */
static void place_range(void *arg, int t, int nthreads)
{
    direct_digits *d = ((const scatterer *)arg)->digits;
    const uint64_t end = tsr_cut(d->n, t + 1, nthreads);
    uint32_t at = (uint32_t)d->before[t];
    if (nthreads == 1) {
        place_alone(d->next[0], d->n);
        return;
    }
    for (uint64_t digit = tsr_cut(d->n, t, nthreads); digit < end; digit++)
        for (int s = 0; s < nthreads; s++) {
            uint32_t *count = &d->next[s][digit];
            const uint32_t c = *count;
            *count = at;
            at += c;
        }
}

tsr_status direct_digits_init(direct_digits *d, pack_job *job, const direct_pass *pass, tsr_error *err)
{
    const int nthreads = job->nthreads;
    scatterer s = {job, d, pass, PACK_BUCKETS};
    void *out;
    TSR_TRY(tsr_array_init(&d->begin, d->n + 1, sizeof *d->counts, true, "counting rows", err));
    TSR_TRY(
        tsr_alloc_array(&out, (uint64_t)(nthreads - 1) * d->n, sizeof *d->counts, 1, "counting rows", err));
    d->counts = out;
    for (int t = 0; t < nthreads - 1; t++)
        d->next[t] = d->counts + (size_t)t * d->n;
    d->next[nthreads - 1] = (uint32_t *)d->begin.data + 1;
    tsr_parallel(nthreads, count_share, &s);
    if (nthreads > 1)
        tsr_parallel(nthreads, sum_range, &s);
    for (int t = 0; nthreads > 1 && t < nthreads; t++)
        d->before[t + 1] += d->before[t];
    tsr_parallel(nthreads, place_range, &s);
    return TSR_OK;
}

void direct_digits_clear(direct_digits *d)
{
    tsr_array_clear(&d->begin);
    tsr_free(d->counts);
}

/* Whether most entries from `first` on, of each of which there are `each` a digit, go to lines that few entries before went to: then
 * fetching them takes less time than it saves. */
static bool scatters(const direct_pass *p, uint64_t first, uint64_t end, uint64_t each)
{
    enum {
        SAMPLE = 1024,
        SLOTS = 64
    }; /* measured: a band of 9 diagonals is near, a mesh of 3 dimensions is not */
    const uint32_t together = each < LINE_ENTRIES ? (uint32_t)(LINE_ENTRIES / (each + 1)) : 1;
    uint32_t seen[SLOTS] = {0}, n = 0;
    end = end - first < SAMPLE ? end : first + SAMPLE;
    for (uint64_t e = first; e < end; e++) {
        const uint32_t digits = (p->key[e] >> p->shift) / together + 1;
        n += seen[digits % SLOTS] != digits;
        seen[digits % SLOTS] = digits;
    }
    return n > (end - first) / 2;
}

/* By lists where the source has them: a loop for each list is faster than a look at the list of each entry. */
static void put_share(void *arg, int t, int nthreads)
{
    const scatterer *s = arg;
    const direct_pass *p = s->pass;
    const uint64_t begin = tsr_cut(p->n, t, nthreads), end = tsr_cut(p->n, t + 1, nthreads);
    uint32_t block[TSR_LEVEL_BLOCK];
    uint64_t node = 0, look = begin;
    part b = {.lists = !p->other && p->from->top == DIRECT_FULL && p->from->pos->width == sizeof *b.lists
                           ? p->from->pos->data
                           : NULL};
    const uint64_t most = p->other || b.lists ? STEP : TSR_LEVEL_BLOCK;
    for (b.first = begin; b.first < end; b.first = b.end) {
        b.end = end - b.first < most ? end : b.first + most;
        if (!pack_step(s->job, t, s->when, b.first - begin, end - begin))
            return;
        if (b.first >= look) {
            b.fetches = scatters(p, b.first, end, p->n / s->digits->n);
            look = b.first + STEP;
            node = b.lists ? 0 : node; /* found anew: it may be far */
        }
        b.other = p->other ? p->other + b.first : b.lists ? NULL : block;
        if (!p->other)
            direct_majors(block, &node, p->from, b.first, b.lists ? 1 : b.end - b.first);
        b.list = block[0];
        put(s->digits->next[t], p, &b);
    }
}

void direct_scatter(pack_job *job, direct_digits *d, const direct_pass *pass, pack_pass when)
{
    scatterer s = {job, d, pass, when};
    tsr_parallel(job->nthreads, put_share, &s);
}
