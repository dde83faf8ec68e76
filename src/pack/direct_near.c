/* The entries of a matrix into rows of the other mode where they move to near places: consecutive entries go to rows
 * that are near each other (a band), or the result fits a cache. One counting pass and one scatter, in which each
 * thread writes at its own offsets, so the result does not depend on the number of threads.
 *
 * New memory costs more than the scatter, since the system zeroes each page. Where entries move by less than
 * MAX_AHEAD places, the scatter therefore stays inside the arrays of the source: a thread copies the entries that come next
 * into a buffer in cache, and writes to places that were copied before. The few entries that go elsewhere (to places
 * further on, or to the share of another thread) are put aside until all threads are done.
 *
 * The last thread counts in the result's array of positions, from pos[1] on: the place after the last entry of each row is
 * where the next row begins.
 *
 * Memory beside the result: 4 bytes per row and further thread, the buffers, and the entries put aside. */
#include "direct_internal.h"
#include "tsr_tile.h"

enum {
    NSAMPLES = 16,
    SEEN = 4096,   /* entries of a sample: the lines that a scatter of them touches fit the second cache */
    NWINDOWS = 64, /* looked at, to see how far entries move */
    WINDOW = TSR_LEVEL_BLOCK / 2, /* entries of a window */
    BLOCK = TSR_LEVEL_BLOCK / 8,  /* some blocks, and their places in the arrays, fit the first cache */
    MAX_BUFFERED = 512,           /* blocks in a buffer: with 8-byte values half of the second cache */
    MAX_AHEAD = (MAX_BUFFERED - 2) * BLOCK,
    FETCHED = 3 /* blocks between the one that is copied and the one that is fetched meanwhile (measured) */
};

/* Entries that wait until all threads are done: the place and the coordinate, 4 bytes each, and the value. */
typedef struct aside {
    unsigned char *memory;
    size_t n, room;
} aside;

typedef struct near_job {
    pack_job *job;
    const direct_entries *from;
    const uint32_t *key;
    size_t width;                    /* of a value; 0 where iso */
    tsr_array pos;                   /* nrows + 1: of the result, which takes it where it has that width */
    uint32_t *next[TSR_MAX_THREADS]; /* nrows each: the place of the next entry; of the last thread: in pos */
    uint32_t *offset;                /* next[] of the other threads */
    const uint32_t *lists;           /* pos of the source, nmajor + 1; NULL: it has none, or of other width */
    bool has_runs;                   /* the keys of most lists of the source follow each other */
    uint64_t before[TSR_MAX_THREADS + 1]; /* entries in the rows of the threads before */
    uint32_t *crd;                        /* of the result */
    unsigned char *values;
    const unsigned char *from_values;
    /* inside the arrays of the source: */
    size_t nbuffered; /* blocks in a buffer */
    unsigned char *buffer[TSR_MAX_THREADS];
    aside aside[TSR_MAX_THREADS];
} near_job;

/* ---- whether entries go near ---- */

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

bool direct_goes_near(const direct_entries *from, size_t width)
{
    const uint64_t n = from->n;
    const double each = 4 + (double)n / (double)from->nrows * (double)(sizeof(uint32_t) + width);
    uint32_t seen[SEEN];
    uint64_t near = 0;
    if (each * (double)from->nrows <= (double)pack_tuning(n).near_nbytes)
        return true;
    for (int w = 0; w < NSAMPLES && n >= SEEN; w++)
        near += count_neighbours(seen, from->key->data, tsr_cut(n - SEEN, w, NSAMPLES));
    return near >= (uint64_t)NSAMPLES * SEEN / 8 * 7;
}

/* How far ahead the entries of a window go at most: up to the last places of their rows. */
static uint64_t places_ahead(const near_job *k, uint64_t first)
{
    uint64_t most = 0;
    for (uint64_t e = first; e < first + WINDOW; e++) {
        const uint64_t next = (uint64_t)k->key[e] + 1,
                       place = next < k->from->nrows ? k->next[0][next] : k->from->n;
        most = place > e && place - e > most ? place - e : most;
    }
    return most;
}

/* Whether the arrays of the source become those of the result: the source owns them, and entries of most windows move
 * only a little. Sets nbuffered. */
static bool stays_inside(near_job *k)
{
    const tsr_array *values = k->job->source->values;
    const uint64_t n = k->from->n;
    uint64_t most = 0;
    int far = 0;
    if (k->from->key->borrowed || (k->width > 0 && (values->borrowed || values->n != n)) || n < WINDOW)
        return false;
    for (int w = 0; w < NWINDOWS; w++) {
        const uint64_t ahead = places_ahead(k, tsr_cut(n - WINDOW, w, NWINDOWS));
        far += ahead > MAX_AHEAD;
        most = ahead <= MAX_AHEAD && ahead > most ? ahead : most;
    }
    k->nbuffered = (size_t)(most / BLOCK) + 2;
    return far <= NWINDOWS / 8;
}

/* ---- counting ---- */

/* The number of the entry after those of a list, or `end`. */
static uint64_t list_end(const near_job *k, uint64_t list, uint64_t end)
{
    return k->lists[list + 1] < end ? k->lists[list + 1] : end;
}

/* Whether the keys of entries [first, stop) of a list follow each other: they rise. */
static bool is_run(const uint32_t *key, uint64_t first, uint64_t stop)
{
    return stop > first && key[stop - 1] - key[first] == stop - first - 1;
}

/* Whether most lists are runs of some length: two steps of a run cost less than one for each entry. */
static bool has_runs(const near_job *k)
{
    const uint64_t n = k->from->from.nmajor;
    uint64_t in_runs = 0, seen = 0;
    for (int w = 0; w < NWINDOWS && k->lists && n >= BLOCK; w++) {
        const uint64_t list = tsr_cut(n - BLOCK, w, NWINDOWS);
        for (uint64_t i = list; i < list + BLOCK; i++) {
            const uint64_t first = k->lists[i], stop = k->lists[i + 1];
            seen += stop - first;
            in_runs += stop - first >= 4 && is_run(k->key, first, stop) ? stop - first : 0;
        }
    }
    return seen > 0 && in_runs >= seen - seen / 8;
}

/* Count entries [first, end): first the differences between the counts of neighbouring rows, since a run only begins and ends, then
 * their sums, up to the row after the last run, which gets 0. */
static void count_runs(const near_job *k, uint32_t *restrict count, uint64_t first, uint64_t end)
{
    const uint32_t *restrict key = k->key;
    const uint64_t nrows = k->from->nrows;
    uint64_t node = 0, least = nrows, most = 0;
    uint32_t list;
    direct_majors(&list, &node, &k->from->from, first, first < end);
    for (uint64_t stop; first < end; first = stop, list++) {
        stop = list_end(k, list, end);
        const bool run = is_run(key, first, stop);
        for (uint64_t e = first, next; e < stop; e = next) {
            next = run ? stop : e + 1;
            const uint64_t row = key[e], after = row + (next - e);
            count[row]++;
            if (after < nrows)
                count[after]--;
            least = row < least ? row : least;
            most = after > most ? after : most;
        }
    }
    for (uint64_t row = least + 1; row <= most && row < nrows; row++)
        count[row] += count[row - 1];
}

static void count_rows(void *arg, int t, int nthreads)
{
    near_job *k = arg;
    const uint32_t *restrict key = k->key;
    uint32_t *restrict count = k->next[t];
    const uint64_t begin = tsr_cut(k->from->n, t, nthreads), end = tsr_cut(k->from->n, t + 1, nthreads);
    if (k->has_runs) {
        count_runs(k, count, begin, end);
        return;
    }
    for (uint64_t e = begin; e < end; e++)
        count[key[e]]++;
}

/* Share t has a range of the rows. */
static void sum_range(void *arg, int t, int nthreads)
{
    near_job *k = arg;
    const uint64_t nrows = k->from->nrows, end = tsr_cut(nrows, t + 1, nthreads);
    uint64_t sum = 0;
    for (int s = 0; s < nthreads; s++)
        for (uint64_t row = tsr_cut(nrows, t, nthreads); row < end; row++)
            sum += k->next[s][row];
    k->before[t + 1] = sum;
}

/* Turn the counts of a range into offsets: those of one row follow each other, thread by thread. */
static void offset_range(void *arg, int t, int nthreads)
{
    near_job *k = arg;
    const uint64_t nrows = k->from->nrows, end = tsr_cut(nrows, t + 1, nthreads);
    uint32_t at = (uint32_t)k->before[t];
    for (uint64_t row = tsr_cut(nrows, t, nthreads); row < end; row++)
        for (int s = 0; s < nthreads; s++) {
            uint32_t *count = &k->next[s][row];
            const uint32_t c = *count;
            *count = at;
            at += c;
        }
}

static tsr_status count_entries(near_job *k, tsr_error *err)
{
    const int nthreads = k->job->nthreads;
    const uint64_t nrows = k->from->nrows;
    void *out;
    TSR_TRY(tsr_array_init(&k->pos, nrows + 1, sizeof *k->offset, true, "counting rows", err));
    if (nthreads > 1) {
        TSR_TRY(tsr_alloc_array(&out, (uint64_t)(nthreads - 1) * nrows, sizeof *k->offset, 1, "counting rows",
                                err));
        k->offset = out;
    }
    for (int t = 0; t < nthreads - 1; t++)
        k->next[t] = k->offset + (size_t)t * nrows;
    k->next[nthreads - 1] = (uint32_t *)k->pos.data + 1;
    k->has_runs = has_runs(k);
    tsr_parallel(nthreads, count_rows, k);
    if (nthreads > 1)
        tsr_parallel(nthreads, sum_range, k);
    for (int t = 0; nthreads > 1 && t < nthreads; t++)
        k->before[t + 1] += k->before[t];
    tsr_parallel(nthreads, offset_range, k);
    return TSR_OK;
}

/* ---- into new arrays ---- */

/* The entries of [first, end), list by list, with values of 8 bytes. */
static void scatter_lists(const near_job *k, uint32_t *restrict next, uint32_t list, uint64_t first,
                          uint64_t end)
{
    const uint32_t *restrict key = k->key;
    const uint64_t *restrict from = (const uint64_t *)(const void *)k->from_values;
    uint32_t *restrict crd = k->crd;
    uint64_t *restrict values = (uint64_t *)(void *)k->values;
    for (uint64_t stop; first < end; first = stop, list++) {
        stop = list_end(k, list, end);
        for (uint64_t e = first; e < stop; e++) {
            const uint32_t place = next[key[e]]++;
            crd[place] = list;
            values[place] = from[e];
        }
    }
}

static void scatter_rows(void *arg, int t, int nthreads)
{
    near_job *k = arg;
    uint32_t *restrict next = k->next[t];
    uint32_t block[BLOCK], place[BLOCK];
    const uint64_t begin = tsr_cut(k->from->n, t, nthreads), end = tsr_cut(k->from->n, t + 1, nthreads);
    const direct_target to = {k->crd, k->values, k->width, false};
    uint64_t node = 0;
    size_t n;
    const size_t most = k->lists && k->width == 8 ? 64 * BLOCK : BLOCK;
    for (uint64_t first = begin; first < end; first += n) {
        n = end - first < most ? (size_t)(end - first) : most;
        if (!pack_step(k->job, t, PACK_FILL, first - begin, end - begin))
            return;
        if (most > BLOCK) {
            uint32_t list;
            direct_majors(&list, &node, &k->from->from, first, 1);
            scatter_lists(k, next, list, first, first + n);
            continue;
        }
        const uint32_t *other = direct_others(block, &node, k->from, first, n);
        for (size_t i = 0; i < n; i++)
            place[i] = next[k->key[first + i]]++;
        direct_scatter(&to, place, other, k->from_values + first * k->width, n);
    }
}

/* ---- inside the arrays of the source ---- */

/* Put an entry aside. False: out of memory. */
static bool put_aside(aside *a, uint32_t place, uint32_t coordinate, const unsigned char *value, size_t width)
{
    enum { FIRST = 1024 };
    const size_t nbytes = 2 * sizeof(uint32_t) + width;
    if (a->n == a->room) {
        const size_t room = a->room ? 2 * a->room : FIRST;
        void *memory = tsr_realloc(a->memory, room * nbytes); /* n is below 2^32 */
        if (!memory)
            return false;
        a->memory = memory;
        a->room = room;
    }
    unsigned char *to = a->memory + a->n++ * nbytes;
    memcpy(to, &place, sizeof place);
    memcpy(to + sizeof place, &coordinate, sizeof coordinate);
    memcpy(to + 2 * sizeof place, value, width);
    return true;
}

/* Store the entries that share t put aside. */
static void store_aside(void *arg, int t, int nthreads)
{
    const near_job *k = arg;
    const aside *a = &k->aside[t];
    (void)nthreads;
    for (size_t i = 0; i < a->n; i++) {
        const unsigned char *from = a->memory + i * (2 * sizeof(uint32_t) + k->width);
        uint32_t place;
        memcpy(&place, from, sizeof place);
        memcpy(&k->crd[place], from + sizeof place, sizeof *k->crd);
        memcpy(k->values + place * k->width, from + 2 * sizeof place, k->width);
    }
}

/* A block of entries in the buffer, and the places that they may be written to: [begin, begin + ready). */
typedef struct near_block {
    const uint32_t *key;
    const uint32_t *other; /* NULL: the number of the list */
    const unsigned char *values;
    uint64_t first, list; /* the first entry, and where `other` is NULL the list that has it */
    size_t n;
    uint32_t begin, ready;
} near_block;

/* Entries [first, stop) of a block, all of one list where the block has no `other`. */
typedef struct near_part {
    size_t first, stop;
    uint32_t list;
} near_part;

/* Move a part of a block: those whose places are not ready are put aside. The width is a constant where this is
 * called. */
static inline bool move_entries(near_job *k, uint32_t *restrict next, aside *a, const near_block *b,
                                near_part part, size_t width)
{
    const uint32_t *restrict key = b->key, *restrict other = b->other;
    const unsigned char *restrict from = b->values;
    uint32_t *restrict crd = k->crd;
    unsigned char *restrict to = k->values;
    const uint32_t begin = b->begin, ready = b->ready;
    for (size_t i = part.first; i < part.stop; i++) {
        const uint32_t place = next[key[i]]++, c = other ? other[i] : part.list;
        if (place - begin >= ready) {
            if (!put_aside(a, place, c, from + i * width, width))
                return false;
            continue;
        }
        crd[place] = c;
        memcpy(to + place * width, from + i * width, width);
    }
    return true;
}

static inline bool move_lists(near_job *k, uint32_t *next, aside *a, const near_block *b, size_t width)
{
    uint64_t list = b->list;
    if (b->other)
        return move_entries(k, next, a, b, (near_part){0, b->n, 0}, width);
    for (size_t i = 0, stop; i < b->n; i = stop, list++) {
        stop = (size_t)(list_end(k, list, b->first + b->n) - b->first);
        if (!move_entries(k, next, a, b, (near_part){i, stop, (uint32_t)list}, width))
            return false;
    }
    return true;
}

static bool move_block(near_job *k, uint32_t *next, aside *a, const near_block *b)
{
    switch (k->width) {
    case 4:
        return move_lists(k, next, a, b, 4);
    case 8:
        return move_lists(k, next, a, b, 8);
    default:
        return move_lists(k, next, a, b, k->width);
    }
}

/* Whether the lists of a block have the same length, from the one after `list` on, as far as their sum tells: then a processor
 * guesses where they end, and a loop over lists is faster than a look at the list of each entry. */
static bool has_equal_lists(const near_job *k, uint64_t list)
{
    const uint64_t left = k->from->from.nmajor - list;
    if (left < 2)
        return false;
    const uint32_t *pos = k->lists + list + 1;
    const uint32_t length = pos[1] - pos[0], nlists = length > 0 ? BLOCK / length : 0;
    return length > 0 && nlists < left && pos[nlists] - pos[0] == nlists * length;
}

/* The share of a thread. */
typedef struct near_share {
    uint64_t end, loaded;  /* entries before `loaded` are in the buffer, or were moved */
    unsigned char *buffer; /* nbuffered blocks of keys, then of values; a block of entries is in one slot */
    size_t load, slot;     /* of the block that is loaded next, and of the one that is moved next */
} near_share;

static unsigned char *slot_values(const near_job *k, const near_share *s, size_t slot)
{
    return s->buffer + k->nbuffered * BLOCK * sizeof(uint32_t) + slot * BLOCK * k->width;
}

/* Copy the next block into its slot. A block further on is fetched meanwhile. */
static void load_block(const near_job *k, near_share *s)
{
    const uint64_t first = s->loaded, ahead = first + FETCHED * BLOCK;
    const size_t n = s->end - first < BLOCK ? (size_t)(s->end - first) : BLOCK;
    memcpy(s->buffer + s->load * BLOCK * sizeof(uint32_t), k->crd + first, n * sizeof(uint32_t));
    memcpy(slot_values(k, s, s->load), k->values + first * k->width, n * k->width);
    if (ahead + BLOCK <= s->end) {
        tsr_fetch(k->crd + ahead, BLOCK * sizeof(uint32_t));
        tsr_fetch(k->values + ahead * k->width, BLOCK * k->width);
    }
    s->loaded += n;
    s->load = (s->load + 1) % k->nbuffered;
}

static bool move_share_within(near_job *k, int t, uint64_t begin, uint64_t end)
{
    near_share s = {.end = end, .loaded = begin, .buffer = k->buffer[t]};
    uint32_t *const next = k->next[t], block[BLOCK];
    uint64_t list = 0;
    for (uint64_t first = begin; first < end; first += BLOCK) {
        const size_t n = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        if ((first - begin) % TSR_LEVEL_BLOCK == 0 &&
            !pack_step(k->job, t, PACK_FILL, first - begin, end - begin))
            return true;
        while (list > 0 && k->lists && k->lists[list + 1] <= first)
            list++;
        const bool by_lists = list > 0 && k->lists && has_equal_lists(k, list);
        while (s.loaded < end && s.loaded < first + k->nbuffered * BLOCK)
            load_block(k, &s);
        const near_block b = {
            .key = (const uint32_t *)(const void *)s.buffer + s.slot * BLOCK,
            .other = by_lists ? NULL : direct_others(block, &list, k->from, first, n),
            .values = slot_values(k, &s, s.slot),
            .first = first,
            .list = list,
            .n = n,
            .begin = (uint32_t)begin,
            .ready = (uint32_t)(s.loaded - begin),
        };
        if (!move_block(k, next, &k->aside[t], &b))
            return false;
        s.slot = (s.slot + 1) % k->nbuffered;
    }
    return true;
}

static void move_share(void *arg, int t, int nthreads)
{
    near_job *k = arg;
    if (!move_share_within(k, t, tsr_cut(k->from->n, t, nthreads), tsr_cut(k->from->n, t + 1, nthreads)))
        tsr_fail(&k->job->shares[t].err, TSR_NOMEM, "out of memory: moving entries");
}

static tsr_status move_inside(near_job *k, tsr_error *err)
{
    const uint64_t nbytes = (uint64_t)k->nbuffered * BLOCK * (sizeof(uint32_t) + k->width);
    void *out;
    for (int t = 0; t < k->job->nthreads; t++) {
        TSR_TRY(tsr_alloc_array(&out, nbytes, 1, 0, "moving entries", err));
        k->buffer[t] = out;
    }
    TSR_TRY(pack_run_with(k->job, move_share, k, err));
    if (!k->job->cancelled)
        tsr_parallel(k->job->nthreads, store_aside, k);
    return TSR_OK;
}

/* ---- the tensor ---- */

static tsr_status run(near_job *k, tsr_error *err)
{
    pack_job *job = k->job;
    TSR_TRY(count_entries(k, err));
    const bool inside = stays_inside(k);
    for (int t = 0; t < job->nthreads; t++)
        memset(job->shares[t].opened, 0, sizeof job->shares[t].opened);
    job->shares[0].opened[1] = k->from->n;
    job->copies_values = !inside;
    job->sorted = inside; /* so the arrays move */
    job->moved_crd[1] = inside ? k->from->key : NULL;
    job->moved_pos[1] = &k->pos;
    const tsr_status status = pack_alloc(job, err);
    job->sorted = false;
    TSR_TRY(status);
    k->crd = job->tensor->levels[1].crd.data;
    k->values = job->tensor->values.data;
    if (inside) {
        TSR_TRY(move_inside(k, err));
    } else {
        k->from_values = job->iso ? (const unsigned char *)"" : job->source->values->data;
        tsr_parallel(job->nthreads, scatter_rows, k);
    }
    direct_keep(job, &job->tensor->levels[1].pos, &k->pos);
    return TSR_OK;
}

tsr_status direct_near(pack_job *job, const direct_entries *from, tsr_error *err)
{
    near_job *k = tsr_calloc(1, sizeof *k);
    if (!k)
        return tsr_fail(err, TSR_NOMEM, "out of memory: sorting entries");
    k->job = job;
    k->from = from;
    k->key = from->key->data;
    k->lists = !from->other && from->from.top == DIRECT_FULL && from->from.pos->width == sizeof *k->lists
                   ? from->from.pos->data
                   : NULL;
    k->width = job->iso ? 0 : tsr_type_nbytes(job->source->value_type);
    const tsr_status status = run(k, err);
    for (int t = 0; t < job->nthreads; t++) {
        tsr_free(k->buffer[t]);
        tsr_free(k->aside[t].memory);
    }
    tsr_array_clear(&k->pos);
    tsr_free(k->offset);
    tsr_free(k);
    return status;
}
