/* Header lines and entries in parallel: see text_reader.h.
 *
 * Each thread takes the next block of lines, parses it into buffers of its own, and then waits for its turn.
 * Turns are in input order, so at a block's turn the number of entries and lines before the block is known,
 * the first fault by position wins, and the result does not depend on the number of threads. The entries are
 * copied to their place outside the lock. */
#include "text_reader.h"
#include "turns.h"

#include <inttypes.h>
#include <time.h>

#include "tsr_checked.h"
#include "tsr_memory.h"
#include "tsr_num.h"
#include "tsr_parallel.h"

/* --- Header lines ----------------------------------------------------------------------------------------
 */

tsr_status tsr_lines_open(tsr_lines *lines, const char *path, const tsr_read_options *options, tsr_error *err)
{
    *lines = (tsr_lines){.mark = SIZE_MAX, .path = path, .input = options->input};
    if (lines->input)
        return TSR_OK;
    lines->owns_input = true;
    return tsr_input_open(&lines->input, path, 0, options->observer, err);
}

void tsr_lines_clear(tsr_lines *lines)
{
    tsr_free(lines->text);
    tsr_block_clear(&lines->block);
    if (lines->owns_input)
        tsr_input_free(lines->input);
    *lines = (tsr_lines){.mark = SIZE_MAX};
}

/* Drop the text that is not needed any more and append the next block of the input. */
static tsr_status fetch(tsr_lines *lines, tsr_error *err)
{
    const size_t keep = lines->mark < lines->at ? lines->mark : lines->at;
    if (lines->ended)
        return TSR_OK;
    TSR_TRY(tsr_input_next(&lines->block, lines->input, err));
    if (lines->block.nbytes == 0) {
        lines->ended = true;
        return TSR_OK;
    }
    lines->next_index = lines->block.index + 1;
    lines->nfetched += lines->block.nbytes;
    if (lines->head_only && lines->nfetched > TSR_LINES_HEAD_NBYTES)
        return tsr_fail_at(err, TSR_LIMIT, lines->path, lines->line, 0, "the header is longer than %d MiB",
                           TSR_LINES_HEAD_NBYTES >> 20);
    if (keep) {
        memmove(lines->text, lines->text + keep, lines->nbytes - keep);
        lines->nbytes -= keep;
        lines->at -= keep;
        lines->place += keep;
        if (lines->mark != SIZE_MAX)
            lines->mark -= keep;
    }
    if (lines->nbytes == 0)
        lines->place = lines->block.offset;
    const size_t need = lines->nbytes + lines->block.nbytes + TSR_INPUT_PADDING;
    if (need > lines->capacity) {
        char *text = tsr_realloc(lines->text, need + need / 2);
        if (!text)
            return tsr_fail(err, TSR_NOMEM, "out of memory: %zu bytes of header", need);
        lines->text = text;
        lines->capacity = need + need / 2;
    }
    memcpy(lines->text + lines->nbytes, lines->block.text, lines->block.nbytes);
    lines->nbytes += lines->block.nbytes;
    memset(lines->text + lines->nbytes, 0, TSR_INPUT_PADDING);
    return TSR_OK;
}

tsr_status tsr_lines_next(const char **p, const char **end, tsr_lines *lines, tsr_error *err)
{
    *p = *end = NULL;
    if (lines->at == lines->nbytes)
        TSR_TRY(fetch(lines, err));
    if (lines->at == lines->nbytes)
        return TSR_OK;
    const char *const line = lines->text + lines->at;
    const char *const newline = memchr(line, '\n', lines->nbytes - lines->at);
    lines->at = (size_t)(newline + 1 - lines->text);
    lines->line++;
    *p = line;
    *end = newline;
    return TSR_OK;
}

tsr_status tsr_lines_next_data(const char **p, const char **end, tsr_lines *lines, const char *comments,
                               tsr_error *err)
{
    do {
        TSR_TRY(tsr_lines_next(p, end, lines, err));
        if (*p)
            tsr_line_strip(p, end, comments);
    } while (*p && *p == *end);
    return TSR_OK;
}

void tsr_lines_mark(tsr_lines *lines)
{
    lines->mark = lines->at;
    lines->mark_line = lines->line;
}

void tsr_lines_back(tsr_lines *lines)
{
    lines->at = lines->mark;
    lines->line = lines->mark_line;
    lines->mark = SIZE_MAX;
}

size_t tsr_lines_marked_nbytes(const tsr_lines *lines)
{
    return lines->mark == SIZE_MAX ? 0 : lines->at - lines->mark;
}

uint64_t tsr_lines_col(const tsr_lines *lines, const char *at)
{
    const char *line = at;
    while (line > lines->text && line[-1] != '\n')
        line--;
    return (uint64_t)(at - line) + 1;
}

tsr_status tsr_lines_check_shape(const tsr_lines *lines, const tsr_read_options *options, int order,
                                 const uint64_t *dims, tsr_error *err)
{
    if (options->shape_order <= 0)
        return TSR_OK;
    if (options->shape_order != order)
        return tsr_fail_at(err, TSR_ARGUMENT, lines->path, lines->line, 0,
                           "the file has %d modes, but the given shape has %d", order, options->shape_order);
    for (int m = 0; dims && m < order; m++)
        if (options->shape[m] != dims[m])
            return tsr_fail_at(err, TSR_ARGUMENT, lines->path, lines->line, 0,
                               "mode %d has size %" PRIu64 " in the file, but %" PRIu64 " in the given shape",
                               m, dims[m], options->shape[m]);
    return TSR_OK;
}

tsr_status tsr_lines_describe(tsr_lines *lines, tsr_brief *brief, const char *path,
                              const tsr_read_options *options, tsr_error *err)
{
    enum { MAX_SHOWN = 200 };
    TSR_TRY(tsr_lines_open(lines, path, options, err));
    lines->head_only = true;
    brief->gzip = tsr_input_is_gzip(lines->input);
    tsr_lines_mark(lines);
    for (int i = 0; i < TSR_BRIEF_LINES; i++) {
        const char *p, *end;
        TSR_TRY(tsr_lines_next(&p, &end, lines, err));
        if (!p)
            break;
        const size_t n = (size_t)(end - p);
        tsr_text_add_n(&brief->head, p, n < MAX_SHOWN ? n : MAX_SHOWN);
        tsr_text_add(&brief->head, n < MAX_SHOWN ? "\n" : "...\n");
    }
    tsr_lines_back(lines);
    return tsr_text_status(&brief->head, err);
}

bool tsr_next_token(const char **token, const char **token_end, const char **p, const char *end)
{
    const char *s = *p;
    while (s < end && tsr_is_blank(*s))
        s++;
    *token = s;
    while (s < end && !tsr_is_blank(*s))
        s++;
    *token_end = *p = s;
    return *token < s;
}

int tsr_count_tokens(const char *p, const char *end)
{
    const char *token, *token_end;
    int n = 0;
    while (n < INT32_MAX && tsr_next_token(&token, &token_end, &p, end))
        n++;
    return n;
}

/* --- Entries -----------------------------------------------------------------------------------------------
 */

enum { PROGRESS_INTERVAL_NS = 100 * 1000 * 1000, FIRST_CAPACITY = 1 << 12 };

/* The state that the threads share; it changes only under the lock. */
typedef struct engine {
    tsr_entries *entries;
    tsr_lines *lines; /* the text from `at` on is block 0 */
    const tsr_observer *observer;
    tsr_turns turns;       /* of the blocks; block 0 is the head */
    pthread_cond_t copied; /* signalled when ncopiers becomes 0 */
    bool head_taken;       /* block 0 is given out */
    tsr_status status;
    tsr_error *err;          /* filled by the thread whose turn it was */
    tsr_status input_status; /* of the input; used where no block has a fault */
    tsr_error input_err;
    uint64_t nnz, capacity;      /* entries with a place; length of the arrays */
    uint64_t line;               /* lines before the block whose turn it is */
    uint64_t nbytes;             /* bytes before that block */
    uint64_t nints;              /* entries stored as i64, all before the first real value */
    bool real;                   /* a value was not an integer */
    int ncopiers;                /* threads that are copying into the arrays */
    uint64_t max[TSR_MAX_ORDER]; /* the largest coordinate per mode */
    int64_t progress_ns;         /* time of the last progress report */
} engine;

/* The state of one thread. */
typedef struct worker {
    engine *engine;
    tsr_block block;
    tsr_entry_block parsed;
    char *text;
    size_t nbytes;
    uint64_t number; /* of the block, 0 for the head */
    tsr_error err;
} worker;

static uint64_t count_newlines(const char *p, const char *end)
{
    uint64_t n = 0;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        n++;
        p++;
    }
    return n;
}

/* Stop all threads with this status; e->err is filled except its path. Under the lock. */
static void stop(engine *e, tsr_status status)
{
    e->status = status;
    tsr_error_set_path(e->err, e->lines->path);
    tsr_turns_stop(&e->turns);
}

void tsr_entries_place(tsr_error *err, const char *text, const char *at, uint64_t nlines)
{
    if (!err)
        return;
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    err->line = nlines + count_newlines(text, line) + 1;
    err->col = (uint64_t)(at - line) + 1;
}

/* Resize *array, of which n elements are used, to `capacity` elements of `width` bytes (4 or 8, at least the
 * current width). */
static tsr_status regrow(tsr_array *array, uint64_t n, uint64_t capacity, size_t width, tsr_error *err)
{
    const size_t had = array->width;
    TSR_TRY(tsr_array_resize(array, capacity, width, "one column of the entries", err));
    void *const data = array->data;
    if (width == 8 && had == 4)
        for (uint64_t i = n; i-- > 0;) {
            uint32_t v;
            memcpy(&v, (char *)data + 4 * i, sizeof v);
            const uint64_t wide = v;
            memcpy((char *)data + 8 * i, &wide, sizeof wide);
        }
    return TSR_OK;
}

/* The bytes of all arrays for `capacity` entries with these widths of coordinates. */
static double entries_nbytes(const tsr_entries *en, uint64_t capacity, const size_t *width)
{
    double each = en->columns.type == TSR_PATTERN ? 0 : (double)tsr_type_nbytes(en->columns.type);
    for (int m = 0; m < en->columns.order; m++)
        each += (double)width[m];
    return each * (double)capacity;
}

/* Whether the additional memory for `capacity` entries fits. */
static bool fits(const engine *e, uint64_t capacity, const size_t *width)
{
    const tsr_entries *const en = e->entries;
    double now = (double)tsr_array_nbytes(&en->values);
    for (int m = 0; m < en->columns.order; m++)
        now += (double)tsr_array_nbytes(&en->crd[m]);
    return tsr_memory_fits(entries_nbytes(en, capacity, width) - now);
}

static tsr_status too_many(const engine *e, uint64_t n, const char *how, const size_t *width, tsr_error *err)
{
    char words[TSR_MEMORY_WORDS_NBYTES];
    return tsr_fail(err, TSR_LIMIT, "%s%" PRIu64 " entries need %s", how, n,
                    tsr_memory_words(words, entries_nbytes(e->entries, n, width)));
}

/* How much of the input was parsed. */
typedef struct parsed_part {
    uint64_t nbytes;      /* of the text */
    uint64_t file_nbytes; /* of the file, where it is compressed */
} parsed_part;

/* The estimated number of entries where the rest of the input is like the part, which holds `need`
 * entries; 2 * need where the length of the input is unknown. Growing once instead of by doubling saves
 * copies. */
static uint64_t estimate(const engine *e, uint64_t need, parsed_part part)
{
    const tsr_input *const input = e->lines->input;
    const double total = (double)tsr_input_nbytes(input);
    const double seen = tsr_input_is_gzip(input) ? (double)part.file_nbytes : (double)part.nbytes;
    const double factor = total > 0 && seen > 0 && seen <= total ? 1.03 * total / seen : 2;
    const double n = (double)need * factor;
    return n < 0x1p62 ? (uint64_t)n + 1 : need;
}

/* Reduce *capacity, an estimate, until it fits into memory. The rest of the lines may be longer, and the
 * entries fewer, so TSR_LIMIT is returned only where a quarter of the estimate, or `need`, does not fit. */
static tsr_status fit_capacity(uint64_t *capacity, const engine *e, uint64_t need, const size_t *width,
                               tsr_error *err)
{
    for (int i = 0; i < 3; i++) {
        if (fits(e, *capacity, width))
            return TSR_OK;
        if (i < 2)
            *capacity = *capacity / 2 > need ? *capacity / 2 : need;
    }
    return too_many(e, *capacity, *capacity > need ? "an estimated " : "", width, err);
}

/* Make room for `need` entries with coordinates up to max; part: of the input up to these entries. Called
 * under the lock, at the thread's turn, while no thread copies. */
static tsr_status reserve(engine *e, uint64_t need, parsed_part part, const uint64_t *max, tsr_error *err)
{
    tsr_entries *const en = e->entries;
    uint64_t capacity = e->capacity;
    size_t width[TSR_MAX_ORDER];
    for (int m = 0; m < en->columns.order; m++)
        width[m] = en->crd[m].width == 4 && max[m] > UINT32_MAX ? 8 : en->crd[m].width;
    if (need > capacity) {
        capacity = estimate(e, need, part);
        if (en->has_nnz && capacity > en->nnz)
            capacity = en->nnz;
        TSR_TRY(fit_capacity(&capacity, e, need, width, err));
    }
    for (int m = 0; m < en->columns.order; m++)
        if (capacity != e->capacity || width[m] != en->crd[m].width)
            TSR_TRY(regrow(&en->crd[m], e->nnz, capacity, width[m], err));
    if (capacity != e->capacity && en->columns.type != TSR_PATTERN)
        TSR_TRY(regrow(&en->values, e->nnz, capacity, en->values.width, err));
    e->capacity = capacity;
    return TSR_OK;
}

static bool needs_reserve(const engine *e, uint64_t need, const uint64_t *max)
{
    if (need > e->capacity)
        return true;
    for (int m = 0; m < e->entries->columns.order; m++)
        if (e->entries->crd[m].width == 4 && max[m] > UINT32_MAX)
            return true;
    return false;
}

static tsr_status tell_progress(engine *e, tsr_error *err)
{
    if (!e->observer || !e->observer->progress)
        return TSR_OK;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (ns - e->progress_ns < PROGRESS_INTERVAL_NS)
        return TSR_OK;
    e->progress_ns = ns;
    return tsr_progress(e->observer, "read", tsr_input_nbytes_read(e->lines->input),
                        tsr_input_nbytes(e->lines->input), err);
}

/* At the worker's turn, under the lock: check the block and reserve its place. */
static tsr_status account(engine *e, worker *w, tsr_status parsed)
{
    tsr_entries *const en = e->entries;
    tsr_entry_block *const b = &w->parsed;
    if (en->has_nnz && b->n > en->nnz - e->nnz) {
        const tsr_status status = tsr_entries_too_many(en->nnz, e->err);
        tsr_entries_place(e->err, w->text,
                          tsr_entry_locate(&en->columns, w->text, w->nbytes, en->nnz - e->nnz), e->line);
        return status;
    }
    if (parsed != TSR_OK) {
        if (e->err) {
            *e->err = w->err;
            if (b->fault)
                tsr_entries_place(e->err, w->text, b->fault, e->line);
        }
        return parsed;
    }
    if (needs_reserve(e, e->nnz + b->n, b->max)) {
        while (e->ncopiers > 0)
            pthread_cond_wait(&e->copied, &e->turns.lock);
        const tsr_block *const block = w->number > 0 ? &w->block : &e->lines->block;
        const parsed_part part = {e->nbytes + w->nbytes, block->file_nbytes};
        TSR_TRY(reserve(e, e->nnz + b->n, part, b->max, e->err));
    }
    if (b->real)
        e->real = true;
    if (!e->real)
        e->nints += b->n;
    for (int m = 0; m < en->columns.order; m++)
        e->max[m] = b->max[m] > e->max[m] ? b->max[m] : e->max[m];
    en->nextra += b->nextra;
    en->nmirrored += b->nmirrored;
    return tell_progress(e, e->err);
}

/* Copy the block's entries to `offset`; to_real: convert the block's integers, since an earlier value was
 * real. */
static void copy_entries(const engine *e, worker *w, uint64_t offset, bool to_real)
{
    tsr_entries *const en = e->entries;
    tsr_entry_block *const b = &w->parsed;
    for (int m = 0; m < en->columns.order; m++)
        tsr_array_store(&en->crd[m], offset, b->crd[m], b->n);
    if (en->columns.type == TSR_PATTERN)
        return;
    if (to_real)
        tsr_entry_block_make_real(b);
    memcpy((char *)en->values.data + offset * en->values.width, b->values, b->n * en->values.width);
}

/* Wait for the worker's turn and store its entries. False: the threads must stop. */
static bool place_entries(engine *e, worker *w, tsr_status parsed)
{
    pthread_mutex_lock(&e->turns.lock);
    if (tsr_turns_wait(&e->turns, w->number)) {
        const tsr_status status = account(e, w, parsed);
        if (status != TSR_OK)
            stop(e, status);
    }
    if (e->turns.stopped) {
        pthread_mutex_unlock(&e->turns.lock);
        return false;
    }
    const uint64_t offset = e->nnz;
    const bool to_real = e->entries->columns.integers && e->real && !w->parsed.real;
    e->nnz += w->parsed.n;
    e->line += w->parsed.nlines;
    e->nbytes += w->nbytes;
    e->ncopiers++;
    tsr_turns_pass(&e->turns);
    pthread_mutex_unlock(&e->turns.lock);

    copy_entries(e, w, offset, to_real);

    pthread_mutex_lock(&e->turns.lock);
    if (--e->ncopiers == 0)
        pthread_cond_signal(&e->copied);
    w->parsed.real = e->real;
    const bool go_on = !e->turns.stopped;
    pthread_mutex_unlock(&e->turns.lock);
    return go_on;
}

/* Take the next block; the head is the first. False: the end of the input, or a fault of the input, which
 * the engine keeps. */
static bool take_block(engine *e, worker *w)
{
    pthread_mutex_lock(&e->turns.lock);
    const bool head = !e->head_taken;
    e->head_taken = true;
    pthread_mutex_unlock(&e->turns.lock);
    if (head) {
        w->text = e->lines->nbytes > 0 ? e->lines->text + e->lines->at : ""; /* an empty input has no text */
        w->nbytes = e->lines->nbytes - e->lines->at;
        w->number = 0;
        return true;
    }
    const tsr_status status = tsr_input_next(&w->block, e->lines->input, &w->err);
    if (status == TSR_OK) {
        w->text = w->block.text;
        w->nbytes = w->block.nbytes;
        w->number = w->block.index - e->lines->next_index + 1;
        return w->nbytes > 0;
    }
    /* all blocks before the fault are given out, so their threads still get their turns */
    pthread_mutex_lock(&e->turns.lock);
    if (e->input_status == TSR_OK) {
        e->input_status = status;
        e->input_err = w->err;
    }
    pthread_mutex_unlock(&e->turns.lock);
    return false;
}

tsr_status tsr_entries_parse(tsr_entry_block *block, const tsr_columns *columns, char *text, size_t nbytes,
                             tsr_error *err)
{
    const char *fault = NULL;
    tsr_error why = {0};
    const tsr_status status =
        columns->fields ? tsr_fields_rewrite(text, nbytes, columns->fields, &fault, &why) : TSR_OK;
    if (fault) /* the lines before it count */
        for (nbytes = (size_t)(fault - text); nbytes > 0 && text[nbytes - 1] != '\n';)
            nbytes--;
    const tsr_status parsed = tsr_entry_block_parse(block, columns, text, nbytes, err);
    if (status == TSR_OK || parsed != TSR_OK)
        return parsed;
    block->fault = fault;
    if (err)
        *err = why;
    return status;
}

static void work(void *arg, int t, int nthreads)
{
    (void)t;
    (void)nthreads;
    engine *const e = arg;
    worker w = {.engine = e};
    while (take_block(e, &w)) {
        const tsr_status parsed =
            tsr_entries_parse(&w.parsed, &e->entries->columns, w.text, w.nbytes, &w.err);
        if (!place_entries(e, &w, parsed))
            break;
    }
    tsr_entry_block_clear(&w.parsed);
    tsr_block_clear(&w.block);
}

/* The number of threads to start: at most the number of blocks left, estimated from the size of the last
 * block. */
static int choose_threads(const tsr_lines *lines, const tsr_read_options *options)
{
    const uint64_t nbytes = tsr_input_max_text_nbytes(lines->input);
    const uint64_t fetched = lines->block.offset + lines->block.nbytes;
    const int nthreads = tsr_thread_count(options->nthreads);
    if (lines->ended || nbytes <= fetched)
        return 1;
    const uint64_t nblocks = (nbytes - fetched) / (lines->block.nbytes + 1) + 2;
    return nblocks < (uint64_t)nthreads ? (int)nblocks : nthreads;
}

tsr_status tsr_entries_check_count(const tsr_entries *entries, const tsr_lines *lines, tsr_error *err)
{
    const uint64_t max_nbytes = tsr_input_max_text_nbytes(lines->input);
    const uint64_t max_nnz = max_nbytes / (2 * (uint64_t)tsr_columns_count(&entries->columns)) + 1;
    char words[32];
    if (!entries->has_nnz || max_nbytes == UINT64_MAX || entries->nnz <= max_nnz)
        return TSR_OK;
    return tsr_fail_at(err, TSR_SYNTAX, lines->path, lines->line, 0,
                       "the header claims %" PRIu64 " entries, more than a file of %s can hold", entries->nnz,
                       tsr_bytes_text(words, max_nbytes));
}

/* Allocate the arrays, with the whole length where the count is known. */
static tsr_status start_arrays(engine *e, tsr_error *err)
{
    tsr_entries *const en = e->entries;
    const tsr_columns *const c = &en->columns;
    uint64_t capacity = FIRST_CAPACITY;
    if (en->has_nnz) {
        const uint64_t max_nbytes = tsr_input_max_text_nbytes(e->lines->input);
        TSR_TRY(tsr_entries_check_count(en, e->lines, err));
        if (max_nbytes != UINT64_MAX || en->nnz < capacity)
            capacity = en->nnz;
    }
    size_t width[TSR_MAX_ORDER];
    for (int m = 0; m < c->order; m++)
        width[m] = c->has_dims && c->dims[m] > UINT32_MAX + UINT64_C(1) ? 8 : 4;
    if (!fits(e, capacity, width)) {
        (void)too_many(e, capacity, "", width, err);
        tsr_error_set_path(err, e->lines->path);
        return TSR_LIMIT;
    }
    for (int m = 0; m < c->order; m++)
        TSR_TRY(tsr_array_init(&en->crd[m], capacity, width[m], 0, "the coordinates of one mode", err));
    if (c->type != TSR_PATTERN)
        TSR_TRY(tsr_array_init(&en->values, capacity, tsr_type_nbytes(c->type), 0, "the values", err));
    e->capacity = capacity;
    return TSR_OK;
}

/* After the last block: set count, dims and type, and shrink the arrays to the number of entries. */
static tsr_status finish(engine *e, tsr_error *err)
{
    tsr_entries *const en = e->entries;
    tsr_columns *const c = &en->columns;
    if (en->has_nnz && e->nnz < en->nnz)
        return tsr_entries_too_few(e->lines->path, e->line, e->nnz, en->nnz, err);
    en->nnz = e->nnz;
    en->type = c->integers && !e->real ? TSR_I64 : c->type;
    if (e->real)
        for (uint64_t i = 0; i < e->nints; i++) {
            int64_t v;
            memcpy(&v, (char *)en->values.data + 8 * i, sizeof v);
            const double real = (double)v;
            memcpy((char *)en->values.data + 8 * i, &real, sizeof real);
        }
    if (!c->has_dims)
        for (int m = 0; m < c->order; m++)
            c->dims[m] = e->nnz ? e->max[m] + 1 : 0;
    if (e->capacity == e->nnz)
        return TSR_OK;
    for (int m = 0; m < c->order; m++)
        TSR_TRY(regrow(&en->crd[m], e->nnz, e->nnz, en->crd[m].width, err));
    return en->values.data ? regrow(&en->values, e->nnz, e->nnz, en->values.width, err) : TSR_OK;
}

tsr_status tsr_entries_read(tsr_entries *entries, tsr_lines *lines, const tsr_read_options *options,
                            tsr_error *err)
{
    engine e = {
        .entries = entries, .lines = lines, .observer = options->observer, .line = lines->line, .err = err};
    if (!entries->columns.has_dims)
        for (int m = 0; m < entries->columns.order; m++)
            entries->columns.dims[m] = INT64_MAX;
    tsr_status status = start_arrays(&e, err);
    if (status == TSR_OK) {
        tsr_turns_init(&e.turns);
        pthread_cond_init(&e.copied, NULL);
        tsr_parallel(choose_threads(lines, options), work, &e);
        pthread_cond_destroy(&e.copied);
        tsr_turns_clear(&e.turns);
        status = e.status;
        if (status == TSR_OK && e.input_status != TSR_OK) {
            status = e.input_status;
            if (err)
                *err = e.input_err;
        }
    }
    if (status == TSR_OK)
        status = finish(&e, err);
    if (status != TSR_OK)
        tsr_entries_clear(entries);
    return status;
}

void tsr_entries_clear(tsr_entries *entries)
{
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_array_clear(&entries->crd[m]);
    tsr_array_clear(&entries->values);
}

bool tsr_entries_have_zero(const tsr_entries *entries)
{
    for (int m = 0; m < entries->columns.order; m++)
        for (uint64_t e = 0; e < entries->nnz; e++)
            if (tsr_array_get(&entries->crd[m], e) == 0)
                return true;
    return false;
}

tsr_status tsr_entries_to_coo(tsr_coo **out, tsr_entries *entries, tsr_error *err)
{
    const tsr_columns *const c = &entries->columns;
    tsr_coo *coo;
    const tsr_status status = tsr_coo_new_sized(&coo, (tsr_shape){c->order, c->dims}, entries->type,
                                                c->type == TSR_PATTERN, 0, err);
    *out = NULL;
    if (status != TSR_OK) {
        tsr_entries_clear(entries);
        return status;
    }
    for (int m = 0; m < c->order; m++) {
        tsr_array_clear(&coo->crd[m]);
        coo->crd[m] = entries->crd[m];
    }
    if (c->type == TSR_PATTERN) {
        memset(coo->values.data, 1, tsr_type_nbytes(TSR_PATTERN));
    } else {
        tsr_array_clear(&coo->values);
        coo->values = entries->values;
    }
    coo->nnz = entries->nnz;
    coo->structure = c->structure;
    memset(entries->crd, 0, sizeof entries->crd);
    memset(&entries->values, 0, sizeof entries->values);
    *out = coo;
    return TSR_OK;
}

tsr_type tsr_parse_type(tsr_type natural, const tsr_read_options *options)
{
    const bool single = options->has_type && (options->type == TSR_F32 || options->type == TSR_C64);
    if (natural == TSR_F64 && single)
        return TSR_F32;
    if (natural == TSR_C128 && single)
        return TSR_C64;
    return natural;
}
