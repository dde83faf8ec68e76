/* Feeds of text: see text_stream.h. Blocks of lines are parsed on all threads, in rounds, and given out in input order; or each thread
 * parses the blocks that it takes. */
#include "text_stream.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "turns.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

/* A block of a round. */
typedef struct slot {
    tsr_block block; /* unused for the head */
    const char *text;
    size_t nbytes;
    uint64_t offset; /* of the text in the input */
    tsr_entry_block parsed;
    bool unread; /* the input failed, as `status` and `err` tell */
    tsr_status status;
    tsr_error err;
} slot;

typedef struct stream {
    tsr_feed base; /* first */
    tsr_lines lines;
    tsr_text_plan plan;
    tsr_read_options options;
    uint64_t data_place, data_line; /* where the entries begin; lines before them */
    bool has_head;                  /* the rest of the header's blocks comes first */
    bool whole;                     /* the run began with the first entry and has no end */
    bool size_like;                 /* the first entry can still be a size line */
    bool finished;
    uint64_t line; /* lines before the next run; only where `whole` */
    tsr_text_counts counts;
    int nslots, nfilled, at; /* slots of this round; slots [at, nfilled) are not given out yet */
    bool real;               /* a value was not an integer */
    slot *slots;
} stream;

/* ---- blocks ---- */

static void parse_slot(void *arg, int t, int nthreads)
{
    stream *const s = arg;
    for (int i = t; i < s->nfilled; i += nthreads) {
        slot *const b = &s->slots[i];
        b->parsed.real = s->real;
        b->err = (tsr_error){0};
        b->status = tsr_entry_block_parse(&b->parsed, &s->plan.columns, b->text, b->nbytes, &b->err);
    }
}

/* Fetch blocks and parse them. No slot is filled at the end of the input. */
static tsr_status start_round(stream *s, tsr_error *err)
{
    s->at = s->nfilled = 0;
    if (s->has_head) {
        slot *const b = &s->slots[s->nfilled++];
        b->text = s->lines.text ? s->lines.text + s->lines.at : "";
        b->nbytes = s->lines.nbytes - s->lines.at;
        b->offset = s->data_place;
        s->has_head = false;
    }
    tsr_status status = TSR_OK;
    tsr_error fault = {0};
    while (s->nfilled < s->nslots) {
        slot *const b = &s->slots[s->nfilled];
        status = tsr_input_next(&b->block, s->lines.input, &fault);
        if (status != TSR_OK || b->block.nbytes == 0)
            break;
        b->text = b->block.text;
        b->nbytes = b->block.nbytes;
        b->offset = b->block.offset;
        b->unread = false;
        s->nfilled++;
    }
    const int most = tsr_thread_count(s->options.nthreads);
    tsr_parallel(s->nfilled < most ? s->nfilled : most, parse_slot, s);
    if (status != TSR_OK && s->nfilled == 0 && err)
        *err = fault; /* else the next round finds the fault again: it is sticky */
    return s->nfilled == 0 ? status : TSR_OK;
}

/* Give an error about the byte `at` of a slot line and column. */
static void place_error(const stream *s, const slot *b, const char *at, tsr_error *err)
{
    const char *line = at;
    if (!err)
        return;
    tsr_error_set_path(err, s->lines.path);
    if (!s->whole)
        return; /* the lines before are not counted */
    while (line > b->text && line[-1] != '\n')
        line--;
    uint64_t n = s->line + 1;
    for (const char *p = b->text; p < line; p++)
        n += *p == '\n';
    err->line = n;
    err->col = (uint64_t)(at - line) + 1;
}

static tsr_status check_slot(const stream *s, const slot *b, tsr_error *err)
{
    if (s->whole && s->plan.has_nnz && b->parsed.n > s->plan.nnz - s->counts.nentries) {
        const tsr_status status = tsr_entries_too_many(s->plan.nnz, err);
        place_error(s, b,
                    tsr_entry_locate(&s->plan.columns, b->text, b->nbytes, s->plan.nnz - s->counts.nentries),
                    err);
        return status;
    }
    if (b->status == TSR_OK)
        return TSR_OK;
    if (err)
        *err = b->err;
    if (!b->unread)
        place_error(s, b, b->parsed.fault ? b->parsed.fault : b->text, err);
    return b->status;
}

/* Whether the entries, except the very first, are inside the size that the first line may mean. */
static bool inside_size(const stream *s, const tsr_entry_block *parsed)
{
    for (int m = 0; m < s->plan.columns.order; m++)
        for (size_t i = s->counts.nentries == 0; i < parsed->n; i++)
            if (parsed->crd[m][i] + s->plan.columns.base > s->plan.size[m])
                return false;
    return true;
}

static tsr_status finish(stream *s, tsr_error *err)
{
    if (!s->whole || s->finished)
        return TSR_OK;
    s->finished = true;
    if (s->plan.has_nnz && s->counts.nentries < s->plan.nnz)
        return tsr_entries_too_few(s->lines.path, s->line, s->counts.nentries, s->plan.nnz, err);
    s->counts.first_is_size = s->size_like && s->counts.nentries > 0 &&
                              s->plan.size[s->plan.columns.order] == s->counts.nentries - 1;
    return s->plan.finish ? s->plan.finish(&s->counts, &s->plan, s->lines.path, &s->options, err) : TSR_OK;
}

static void give_out(tsr_run *run, const stream *s, const slot *b)
{
    static const unsigned char one = 1;
    const tsr_columns *const c = &s->plan.columns;
    run->n = b->parsed.n;
    for (int m = 0; m < c->order; m++)
        run->crd[m] = b->parsed.crd[m];
    const bool pattern = c->type == TSR_PATTERN || s->base.facts.type == TSR_PATTERN;
    run->values = pattern ? &one : b->parsed.values;
    run->type = pattern ? TSR_PATTERN : c->integers && !b->parsed.real ? TSR_I64 : c->type;
    run->max = c->has_dims ? NULL : b->parsed.max;
}

/* The block is the next one: check it, and count it. */
static tsr_status accept_slot(stream *s, const slot *b, tsr_error *err)
{
    TSR_TRY(check_slot(s, b, err));
    s->real = s->real || b->parsed.real;
    s->size_like = s->size_like && inside_size(s, &b->parsed);
    s->counts.nentries += b->parsed.n;
    s->counts.nextra += b->parsed.nextra;
    s->counts.nmirrored += b->parsed.nmirrored;
    s->line += b->parsed.nlines;
    s->base.place = b->offset + b->nbytes;
    return TSR_OK;
}

static tsr_status stream_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    stream *const s = (stream *)feed;
    for (;;) {
        if (s->at == s->nfilled)
            TSR_TRY(start_round(s, err));
        if (s->nfilled == 0)
            return finish(s, err);
        slot *const b = &s->slots[s->at++];
        TSR_TRY(accept_slot(s, b, err));
        if (b->parsed.n > 0) {
            give_out(run, s, b);
            return TSR_OK;
        }
    }
}

/* ---- threads that take blocks ---- */

typedef struct sharing {
    stream *s;
    const tsr_feed_share *share;
    uint64_t until;
    pthread_mutex_t fetching; /* of the next three */
    bool ended;               /* no more blocks are fetched */
    bool more;
    uint64_t nfetched;
    tsr_turns turns; /* of accepting; its lock is that of what follows, and of what accept_slot changes */
    uint64_t ntaken;
    tsr_status status;
    tsr_error err;
} sharing;

static void end_sharing(sharing *w)
{
    pthread_mutex_lock(&w->fetching);
    w->ended = true;
    pthread_mutex_unlock(&w->fetching);
}

/* Fetch the next block. *n: its number. A failure of the input is the failure of the block. */
static bool fetch_slot(uint64_t *n, sharing *w, slot *b)
{
    bool found = false;
    pthread_mutex_lock(&w->fetching);
    if (!w->ended) {
        b->err = (tsr_error){0};
        b->status = tsr_input_next(&b->block, w->s->lines.input, &b->err);
        b->unread = b->status != TSR_OK;
        found = b->unread || b->block.nbytes > 0;
        w->more = found;
        w->ended = b->unread || !found || b->block.offset + b->block.nbytes >= w->until;
        *n = w->nfetched;
        w->nfetched += found;
    }
    pthread_mutex_unlock(&w->fetching);
    b->text = b->block.text;
    b->nbytes = b->block.nbytes;
    b->offset = b->block.offset;
    return found;
}

/* At the turn of block n, under the lock: *k is the number of its run. */
static bool accept_turn(tsr_run *run, uint64_t *k, sharing *w, const slot *b, int t)
{
    w->status = accept_slot(w->s, b, &w->err);
    if (w->status == TSR_OK && b->parsed.n > 0) {
        give_out(run, w->s, b);
        w->status = w->share->accept(w->share->ctx, t, w->s->base.place, run, &w->err);
        *k = w->ntaken++;
    }
    if (w->status == TSR_OK)
        tsr_turns_pass(&w->turns);
    else
        tsr_turns_stop(&w->turns);
    return w->status == TSR_OK;
}

/* Accept block n, and take it. */
static bool take_slot(sharing *w, slot *b, uint64_t n, int t)
{
    tsr_run run = {0};
    uint64_t k = 0;
    pthread_mutex_lock(&w->turns.lock);
    bool goes_on = tsr_turns_wait(&w->turns, n) && accept_turn(&run, &k, w, b, t);
    pthread_mutex_unlock(&w->turns.lock);
    if (!goes_on || run.n == 0)
        return goes_on;
    goes_on = w->share->take(w->share->ctx, t, k, &run);
    if (!goes_on) {
        pthread_mutex_lock(&w->turns.lock);
        tsr_turns_stop(&w->turns);
        pthread_mutex_unlock(&w->turns.lock);
    }
    return goes_on;
}

static void take_slots(void *arg, int t, int nthreads)
{
    sharing *const w = arg;
    stream *const s = w->s;
    slot *const b = &s->slots[t];
    uint64_t n;
    (void)nthreads;
    while (fetch_slot(&n, w, b)) {
        pthread_mutex_lock(&w->turns.lock);
        b->parsed.real = s->real;
        pthread_mutex_unlock(&w->turns.lock);
        b->parsed.n = 0;
        if (!b->unread)
            b->status = tsr_entry_block_parse(&b->parsed, &s->plan.columns, b->text, b->nbytes, &b->err);
        if (!take_slot(w, b, n, t))
            end_sharing(w);
    }
}

/* The blocks that a round has parsed already, and the rest of those of the header. */
static tsr_status take_round(sharing *w, tsr_error *err)
{
    stream *const s = w->s;
    while (s->has_head || s->at < s->nfilled) {
        tsr_run run = {0};
        TSR_TRY(stream_next(&run, &s->base, err));
        w->more = run.n > 0;
        if (!w->more)
            return TSR_OK;
        TSR_TRY(w->share->accept(w->share->ctx, 0, s->base.place, &run, err));
        if (!w->share->take(w->share->ctx, 0, w->ntaken++, &run)) {
            w->ended = true;
            return TSR_OK;
        }
    }
    w->ended = s->base.place >= w->until;
    return TSR_OK;
}

static tsr_status stream_spread(bool *more, tsr_feed *feed, uint64_t until, const tsr_feed_share *share,
                                tsr_error *err)
{
    stream *const s = (stream *)feed;
    sharing w = {.s = s, .share = share, .until = until, .more = true};
    TSR_TRY(take_round(&w, err));
    *more = w.more;
    if (w.ended || !w.more)
        return TSR_OK;
    pthread_mutex_init(&w.fetching, NULL);
    tsr_turns_init(&w.turns);
    tsr_parallel(share->nthreads < s->nslots ? share->nthreads : s->nslots, take_slots, &w);
    tsr_turns_clear(&w.turns);
    pthread_mutex_destroy(&w.fetching);
    *more = w.more;
    if (w.status != TSR_OK && err)
        *err = w.err;
    return w.status;
}

/* ---- places ---- */

static void start(stream *s, bool whole)
{
    s->at = s->nfilled = 0;
    s->has_head = false;
    s->whole = whole;
    s->real = false;
    s->size_like = s->plan.has_size;
    s->line = s->data_line;
    s->counts = (tsr_text_counts){0};
    s->finished = false;
}

/* Open a compressed file again, and skip its header. */
static tsr_status open_again(stream *s, tsr_error *err)
{
    tsr_lines fresh;
    tsr_read_options options = s->options;
    const char *p, *end;
    options.input = NULL;
    tsr_status status = tsr_lines_open(&fresh, s->lines.path, &options, err);
    while (status == TSR_OK && fresh.line < s->data_line) {
        status = tsr_lines_next(&p, &end, &fresh, err);
        if (status == TSR_OK && !p)
            status = tsr_fail_at(err, TSR_CORRUPT, s->lines.path, 0, 0, "the file changed while it was read");
    }
    if (status != TSR_OK) {
        tsr_lines_clear(&fresh);
        return status;
    }
    tsr_lines_clear(&s->lines);
    s->lines = fresh;
    return TSR_OK;
}

static tsr_status stream_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    stream *const s = (stream *)feed;
    const bool whole = first <= s->data_place && end == UINT64_MAX;
    first = first > s->data_place ? first : s->data_place;
    if (s->base.can_seek) {
        TSR_TRY(tsr_input_seek(s->lines.input, first, end, err));
    } else {
        if (!whole)
            return tsr_fail_at(err, TSR_UNSUPPORTED, s->lines.path, 0, 0,
                               "only a plain file can be read from its middle");
        TSR_TRY(open_again(s, err));
    }
    start(s, whole);
    s->has_head = !s->base.can_seek;
    feed->place = first;
    return TSR_OK;
}

static void stream_close(tsr_feed *feed)
{
    stream *const s = (stream *)feed;
    for (int i = 0; s->slots && i < s->nslots; i++) {
        tsr_block_clear(&s->slots[i].block);
        tsr_entry_block_clear(&s->slots[i].parsed);
    }
    tsr_free(s->slots);
    tsr_lines_clear(&s->lines);
    tsr_free(s);
}

static const tsr_feed_type type = {
    .next = stream_next, .seek = stream_seek, .close = stream_close, .spread = stream_spread};

/* ---- opening ---- */

static bool is_regular(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void set_facts(tsr_facts *facts, const tsr_text_plan *plan)
{
    const tsr_columns *const c = &plan->columns;
    facts->order = c->order;
    facts->has_dims = c->has_dims;
    memcpy(facts->dims, c->dims, sizeof facts->dims);
    facts->has_nnz = plan->has_nnz;
    facts->nnz = plan->nnz;
    facts->type = plan->has_type ? plan->type : c->type;
    facts->mixed = c->integers;
    facts->integers = !plan->has_type && c->integers;
    facts->iso = c->type == TSR_PATTERN || facts->type == TSR_PATTERN;
    facts->structure = c->structure;
}

/* The blocks that are parsed at once: two for each thread, but no more than a sixteenth of the memory that is left holds, since the
 * rest is for the entries. */
static int count_slots(int nthreads)
{
    enum { PER_THREAD = 2, LEAST = 4, NBYTES = 6 << 20, SHARE = 16 };
    const uint64_t wanted = PER_THREAD * (uint64_t)tsr_thread_count(nthreads);
    tsr_memory_room room;
    tsr_memory_find_room(&room);
    const uint64_t fit = room.nbytes / SHARE / NBYTES, most = fit > LEAST ? fit : LEAST;
    return (int)(wanted < most ? wanted : most);
}

tsr_status tsr_text_stream_open(tsr_feed **out, tsr_lines *lines, const tsr_text_plan *plan,
                                const tsr_read_options *options, tsr_error *err)
{
    stream *const s = tsr_calloc(1, sizeof *s);
    const int nslots = count_slots(options->nthreads);
    slot *const slots = s ? tsr_calloc((size_t)nslots, sizeof *slots) : NULL;
    *out = NULL;
    if (!slots) {
        tsr_free(s);
        tsr_lines_clear(lines);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    s->base.type = &type;
    s->slots = slots;
    s->nslots = nslots;
    s->plan = *plan;
    s->options = *options;
    set_facts(&s->base.facts, plan);
    if (!s->plan.columns.has_dims)
        for (int m = 0; m < plan->columns.order; m++)
            s->plan.columns.dims[m] = INT64_MAX;
    s->lines = *lines;
    *lines = (tsr_lines){.mark = SIZE_MAX};
    s->data_line = s->lines.line;
    s->data_place = s->lines.place + s->lines.at;
    s->base.place = s->data_place;
    s->base.can_seek = tsr_input_can_seek(s->lines.input);
    s->base.can_rewind = s->base.can_seek || is_regular(s->lines.path);
    s->base.length = s->base.can_seek ? tsr_input_nbytes(s->lines.input) : 0;
    start(s, true);
    s->has_head = true;
    *out = &s->base;
    return TSR_OK;
}
