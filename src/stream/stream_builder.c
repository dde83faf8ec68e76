/* Builders: see tsr_builder.h. A thread adds to the blocks of its lane. A segment of a block has one piece and one stamp: the stamp of the builder
 * rises where an entry is added in another lane than the one before, so that segments by piece and stamp are in the sequence that the header
 * states, and a thread that adds alone makes one segment. */
#include <inttypes.h>
#include <stdio.h>

#include "stream_builder.h"

enum { FEW = 1 << 8, MANY = 1 << 16, BLOCK = 1 << 10, FILE_ROOM = 1 << 16 };

/* ---- a builder ---- */

static size_t entry_nbytes(const tsr_builder *b)
{
    size_t nbytes = b->value_nbytes;
    for (int m = 0; m < b->options.order; m++)
        nbytes += b->width[m];
    return nbytes;
}

static void set_widths(tsr_builder *b)
{
    const tsr_builder_options *const o = &b->options;
    enum { HOLD = 4, OPEN = 8, OPEN_LANES = 16 };
    b->value_nbytes = o->type == TSR_PATTERN ? 0 : tsr_type_nbytes(o->type);
    for (int m = 0; m < o->order; m++)
        b->width[m] = o->dims[m] ? tsr_crd_width(o->dims[m]) : 8;
    b->most = MANY;
    b->held_most = UINT64_MAX;
    if (o->memory_nbytes == 0)
        return;
    b->held_most = o->memory_nbytes / HOLD;
    const uint64_t fit = b->held_most / OPEN / OPEN_LANES * OPEN / entry_nbytes(b);
    if (fit < b->most)
        b->most = fit < FEW ? FEW : (uint32_t)fit;
}

tsr_status tsr_builder_new(tsr_builder **out, const tsr_builder_options *options, tsr_error *err)
{
    tsr_builder *const b = tsr_calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a builder");
    b->options = *options;
    if (options->temp)
        tsr_text_add(&b->temp, options->temp);
    b->options.temp = options->temp ? b->temp.s : NULL;
    set_widths(b);
    atomic_init(&b->stamp, 1); /* that of a lane without entries is 0 */
    pthread_mutex_init(&b->lock, NULL);
    for (int i = 0; i < BUILDER_LANES; i++) {
        pthread_mutex_init(&b->lane[i].lock, NULL);
        b->lane[i].file.fd = -1;
    }
    const tsr_status status = tsr_text_status(&b->temp, err);
    if (status == TSR_OK)
        *out = b;
    else
        tsr_builder_free(b);
    return status;
}

static void free_block(tsr_builder *b, builder_block *block)
{
    atomic_fetch_sub_explicit(&b->held, block->nbytes, memory_order_relaxed);
    tsr_free(block->segment);
    tsr_free(block);
}

static void clear_lane(tsr_builder *b, builder_lane *lane)
{
    for (size_t i = 0; i < lane->nblocks; i++)
        free_block(b, lane->block[i]);
    tsr_free(lane->block);
    tsr_free(lane->spill);
    tsr_free(lane->scratch);
    stream_file_clear(&lane->file);
    lane->block = NULL;
    lane->spill = NULL;
    lane->scratch = NULL;
    lane->nblocks = lane->room = lane->nspills = lane->spill_room = 0;
    memset(lane->max, 0, sizeof lane->max);
    atomic_store_explicit(&lane->nentries, 0, memory_order_relaxed);
}

void tsr_builder_clear(tsr_builder *b)
{
    builder_lock_all(b);
    for (int i = 0; i < BUILDER_LANES; i++)
        clear_lane(b, &b->lane[i]);
    atomic_store_explicit(&b->spilled, 0, memory_order_relaxed);
    tsr_free(b->part);
    b->part = NULL;
    if (b->has_folder)
        tsr_folder_remove(&b->folder);
    b->has_folder = false;
    builder_unlock_all(b);
}

void tsr_builder_free(tsr_builder *b)
{
    if (!b)
        return;
    tsr_builder_clear(b);
    for (int i = 0; i < BUILDER_LANES; i++)
        pthread_mutex_destroy(&b->lane[i].lock);
    pthread_mutex_destroy(&b->lock);
    tsr_text_clear(&b->temp);
    tsr_free(b);
}

uint64_t tsr_builder_nentries(const tsr_builder *builder)
{
    tsr_builder *const b = (tsr_builder *)(uintptr_t)builder; /* C11 loads atomics from non-const objects */
    uint64_t n = 0;
    for (int i = 0; i < BUILDER_LANES; i++)
        n += atomic_load_explicit(&b->lane[i].nentries, memory_order_relaxed);
    return n;
}

uint64_t tsr_builder_nbytes(const tsr_builder *builder)
{
    return atomic_load_explicit(&((tsr_builder *)(uintptr_t)builder)->held, memory_order_relaxed);
}

uint64_t tsr_builder_spilled(const tsr_builder *builder)
{
    return atomic_load_explicit(&((tsr_builder *)(uintptr_t)builder)->spilled, memory_order_relaxed);
}

const tsr_builder_options *tsr_builder_about(const tsr_builder *builder)
{
    return &builder->options;
}

const char *tsr_builder_folder(const tsr_builder *builder)
{
    return builder->folder.path.s;
}

/* ---- locks ---- */

void builder_lock_all(tsr_builder *b)
{
    for (int i = 0; i < BUILDER_LANES; i++)
        pthread_mutex_lock(&b->lane[i].lock);
}

void builder_unlock_all(tsr_builder *b)
{
    for (int i = BUILDER_LANES; i-- > 0;)
        pthread_mutex_unlock(&b->lane[i].lock);
}

/* The lane of this thread: threads are numbered as they come. */
static builder_lane *own_lane(tsr_builder *b)
{
    static atomic_uint nthreads;
    static _Thread_local unsigned number; /* from 1 on */
    if (number == 0)
        number = atomic_fetch_add_explicit(&nthreads, 1, memory_order_relaxed) + 1;
    return &b->lane[number % BUILDER_LANES];
}

/* ---- temporary files ---- */

static tsr_status open_folder(tsr_builder *b, tsr_error *err)
{
    pthread_mutex_lock(&b->lock);
    tsr_status status = TSR_OK;
    if (!b->has_folder)
        status = b->temp.nbytes ? tsr_folder_new(&b->folder, b->temp.s, err)
                                : tsr_folder_new_temporary(&b->folder, err);
    b->has_folder = status == TSR_OK;
    pthread_mutex_unlock(&b->lock);
    return status;
}

static tsr_status open_file(tsr_builder *b, builder_lane *lane, tsr_error *err)
{
    const size_t columns = (size_t)b->options.order * BUILDER_CHUNK * sizeof(uint64_t);
    char name[32];
    void *scratch;
    if (lane->scratch)
        return TSR_OK;
    TSR_TRY(open_folder(b, err));
    TSR_TRY(tsr_alloc_array(&scratch, columns + stream_chunk_room_nbytes(b->options.order, BUILDER_CHUNK), 1,
                            0, "a chunk of a builder", err));
    snprintf(name, sizeof name, "lane%02d", (int)(lane - b->lane));
    const tsr_status status = stream_file_new(&lane->file, b->folder.path.s, name, FILE_ROOM, err);
    if (status == TSR_OK) {
        lane->scratch = scratch;
        return TSR_OK;
    }
    stream_file_clear(&lane->file);
    tsr_free(scratch);
    return status;
}

/* Write entries [first, first + n) of a block as a chunk. */
static tsr_status write_chunk(const tsr_builder *b, builder_lane *lane, const builder_block *block,
                              const tsr_part_range *range, tsr_error *err)
{
    uint64_t *column = (uint64_t *)(void *)lane->scratch;
    tsr_run run = {.n = range->n,
                   .type = b->options.type,
                   .values = block->values + b->value_nbytes * (size_t)range->first};
    for (int m = 0; m < b->options.order; m++, column += BUILDER_CHUNK) {
        const tsr_array from = {.data = block->crd[m], .n = block->n, .width = b->width[m]};
        tsr_array_load(column, &from, range->first, range->n);
        run.crd[m] = column;
    }
    return stream_chunk_write(&lane->file, &run, b->options.order, b->value_nbytes == 0,
                              (unsigned char *)column, err);
}

/* Where the chunks of this segment are noted: with those before them, if they have its piece and stamp. */
static tsr_status note_spill(builder_spill **out, builder_lane *lane, const builder_segment *s,
                             tsr_error *err)
{
    builder_spill *const last = lane->nspills ? &lane->spill[lane->nspills - 1] : NULL;
    *out = last;
    if (last && last->piece == s->piece && last->stamp == s->stamp)
        return TSR_OK;
    if (lane->nspills == lane->spill_room) {
        const size_t room = lane->spill_room ? 2 * lane->spill_room : 64;
        void *more = lane->spill;
        TSR_TRY(tsr_realloc_array(&more, room, sizeof *lane->spill, "the list of chunks", err));
        lane->spill = more;
        lane->spill_room = room;
    }
    *out = &lane->spill[lane->nspills++];
    **out = (builder_spill){.piece = s->piece, .stamp = s->stamp, .first = lane->file.nbytes};
    return TSR_OK;
}

static tsr_status spill_block(tsr_builder *b, builder_lane *lane, const builder_block *block, tsr_error *err)
{
    for (uint32_t k = 0; k < block->nsegments; k++) {
        const uint64_t end = k + 1 < block->nsegments ? block->segment[k + 1].first : block->n;
        tsr_part_range range = {.first = block->segment[k].first};
        builder_spill *note;
        if (range.first == end)
            continue;
        TSR_TRY(note_spill(&note, lane, &block->segment[k], err));
        for (; range.first < end; range.first += range.n) {
            const uint64_t before = lane->file.nbytes;
            range.n = end - range.first < BUILDER_CHUNK ? end - range.first : BUILDER_CHUNK;
            TSR_TRY(write_chunk(b, lane, block, &range, err));
            note->nbytes += lane->file.nbytes - before;
            note->nentries += range.n;
            atomic_fetch_add_explicit(&b->spilled, lane->file.nbytes - before, memory_order_relaxed);
        }
    }
    return TSR_OK;
}

/* Where the file of a lane ends, whose buffer is empty. */
typedef struct file_end {
    uint64_t nbytes;
    size_t nspills;
    builder_spill last;
} file_end;

static file_end find_file_end(const builder_lane *lane)
{
    file_end end = {.nbytes = lane->file.nbytes, .nspills = lane->nspills};
    if (lane->nspills)
        end.last = lane->spill[lane->nspills - 1];
    return end;
}

/* Forget what was written since then: it is overwritten. */
static void cut_file(tsr_builder *b, builder_lane *lane, const file_end *end)
{
    atomic_fetch_sub_explicit(&b->spilled, lane->file.nbytes - end->nbytes, memory_order_relaxed);
    lane->file.nbytes = lane->file.flushed = end->nbytes;
    lane->file.nbuf = 0;
    lane->nspills = end->nspills;
    if (lane->nspills)
        lane->spill[lane->nspills - 1] = end->last;
}

static tsr_status spill_blocks(tsr_builder *b, builder_lane *lane, tsr_error *err)
{
    for (size_t i = 0; i < lane->nblocks; i++)
        TSR_TRY(spill_block(b, lane, lane->block[i], err));
    return stream_file_sync(&lane->file, err);
}

tsr_status builder_spill_lane(tsr_builder *b, builder_lane *lane, tsr_error *err)
{
    if (lane->nblocks == 0)
        return TSR_OK;
    TSR_TRY(open_file(b, lane, err));
    const file_end end = find_file_end(lane);
    const tsr_status status = spill_blocks(b, lane, err);
    if (status != TSR_OK) {
        cut_file(b, lane, &end);
        return status;
    }
    while (lane->nblocks > 0)
        free_block(b, lane->block[--lane->nblocks]);
    return TSR_OK;
}

/* ---- blocks ---- */

static builder_block *last_block(const builder_lane *lane)
{
    return lane->nblocks ? lane->block[lane->nblocks - 1] : NULL;
}

static uint64_t free_entries(const builder_lane *lane)
{
    const builder_block *const block = last_block(lane);
    return block ? block->capacity - block->n : 0;
}

static tsr_status new_block(builder_block **out, const tsr_builder *b, uint64_t capacity, tsr_error *err)
{
    const int order = b->options.order;
    size_t nbytes = sizeof(builder_block) + stream_padded((size_t)capacity * b->value_nbytes);
    void *memory;
    for (int m = 0; m < order; m++)
        nbytes += stream_padded((size_t)capacity * b->width[m]);
    TSR_TRY(tsr_alloc_array(&memory, nbytes, 1, 0, "a block of a builder", err));
    builder_block *const block = memory;
    *block = (builder_block){.capacity = (uint32_t)capacity, .nbytes = nbytes};
    block->values = (unsigned char *)(block + 1);
    unsigned char *next = block->values + stream_padded((size_t)capacity * b->value_nbytes);
    for (int m = 0; m < order; m++) {
        block->crd[m] = next;
        next += stream_padded((size_t)capacity * b->width[m]);
    }
    *out = block;
    return TSR_OK;
}

/* Whether n entries more exceed the memory for entries. */
static bool exceeds(const tsr_builder *b, uint64_t n)
{
    return b->held_most < UINT64_MAX && tsr_builder_nbytes(b) + n * entry_nbytes(b) > b->held_most;
}

/* Open a block for some of n entries. spills: what the lane has goes to its file where the memory for entries ends. */
static tsr_status open_block(tsr_builder *b, builder_lane *lane, uint64_t n, bool spills, tsr_error *err)
{
    uint64_t capacity = lane->capacity ? 2 * (uint64_t)lane->capacity : FEW;
    builder_block *block;
    capacity = capacity < n ? n : capacity;
    capacity = capacity < b->most ? capacity : b->most;
    if (spills && exceeds(b, capacity))
        TSR_TRY(builder_spill_lane(b, lane, err));
    if (lane->nblocks == lane->room) {
        const size_t room = lane->room ? 2 * lane->room : 16;
        void *more = lane->block;
        TSR_TRY(tsr_realloc_array(&more, room, sizeof(builder_block *), "the list of blocks", err));
        lane->block = more;
        lane->room = room;
    }
    TSR_TRY(new_block(&block, b, capacity, err));
    lane->block[lane->nblocks++] = block;
    lane->capacity = (uint32_t)capacity;
    atomic_fetch_add_explicit(&b->held, block->nbytes, memory_order_relaxed);
    return TSR_OK;
}

/* The segment of the last block in which the next entry of this piece is. */
static tsr_status open_segment(tsr_builder *b, builder_lane *lane, uint64_t piece, tsr_error *err)
{
    builder_block *const block = last_block(lane);
    const bool goes_on =
        lane->piece == piece && lane->stamp == atomic_load_explicit(&b->stamp, memory_order_acquire);
    if (goes_on && block->nsegments > 0)
        return TSR_OK;
    if (block->nsegments == block->room) {
        const uint32_t room = block->room ? 2 * block->room : 1;
        const size_t more_nbytes = (room - block->room) * sizeof *block->segment;
        void *more = block->segment;
        TSR_TRY(tsr_realloc_array(&more, room, sizeof *block->segment, "segments of a builder", err));
        block->segment = more;
        block->room = room;
        block->nbytes += more_nbytes;
        atomic_fetch_add_explicit(&b->held, more_nbytes, memory_order_relaxed);
    }
    if (!goes_on) {
        lane->piece = piece;
        lane->stamp = atomic_fetch_add_explicit(&b->stamp, 1, memory_order_acq_rel) + 1;
    }
    block->segment[block->nsegments++] = (builder_segment){piece, lane->stamp, block->n};
    return TSR_OK;
}

/* ---- entries ---- */

/* The coordinates [first, first + n) as numbers of 64 bits, n <= BLOCK; negative ones are larger than any dim. *max: the largest of them and
 * of what it was. */
static void load_column(uint64_t *restrict out, uint64_t *max, const tsr_builder_column *column,
                        uint64_t first, size_t n)
{
    uint64_t most = *max;
#define LOAD(name, ctype)                                                       \
    case name: {                                                                \
        const ctype *restrict const from = (const ctype *)column->data + first; \
        for (size_t i = 0; i < n; i++) {                                        \
            const uint64_t v = (uint64_t)from[i];                               \
            out[i] = v;                                                         \
            most = v > most ? v : most;                                         \
        }                                                                       \
        break;                                                                  \
    }
    switch (column->type) {
        LOAD(TSR_I8, int8_t)
        LOAD(TSR_I16, int16_t)
        LOAD(TSR_I32, int32_t)
        LOAD(TSR_U8, uint8_t)
        LOAD(TSR_U16, uint16_t)
        LOAD(TSR_U32, uint32_t)
        LOAD(TSR_I64, int64_t)
    default:
        LOAD(TSR_U64, uint64_t)
    }
#undef LOAD
    *max = most;
}

/* Coordinates of mode m are below this number. */
static uint64_t bound(const tsr_builder *b, int m)
{
    return b->options.dims[m] ? b->options.dims[m] : INT64_MAX;
}

static tsr_status refuse(const tsr_builder *b, int m, const tsr_builder_column *column, uint64_t crd,
                         uint64_t entry, tsr_error *err)
{
    if (column->type <= TSR_I64 && crd > INT64_MAX)
        return tsr_fail(err, TSR_CORRUPT, "entry %" PRIu64 ": coordinate %" PRId64 " of mode %d is negative",
                        entry, (int64_t)crd, m);
    return tsr_fail(err, TSR_CORRUPT,
                    "entry %" PRIu64 ": coordinate %" PRIu64 " of mode %d is beyond its dim %" PRIu64, entry,
                    crd, m, bound(b, m));
}

/* Entries [first, first + n) of what is added: checked, and, unless block is NULL, stored after the entries of the block. */
typedef struct taking {
    const tsr_builder *b;
    const tsr_builder_entries *e;
    builder_block *block;
    uint64_t first, n;
    uint64_t max[TSR_MAX_ORDER]; /* the largest coordinates */
} taking;

static tsr_status take_column(taking *t, int m, tsr_error *err)
{
    const uint64_t end = bound(t->b, m);
    uint64_t crd[BLOCK];
    for (uint64_t done = 0, n; done < t->n; done += n) {
        n = t->n - done < BLOCK ? t->n - done : BLOCK;
        load_column(crd, &t->max[m], &t->e->crd[m], t->first + done, (size_t)n);
        for (uint64_t i = 0; t->max[m] >= end && i < n; i++)
            if (crd[i] >= end)
                return refuse(t->b, m, &t->e->crd[m], crd[i], t->first + done + i, err);
        if (t->block) {
            tsr_array to = {.data = t->block->crd[m], .n = t->block->capacity, .width = t->b->width[m]};
            tsr_array_store(&to, t->block->n + done, crd, n);
        }
    }
    return TSR_OK;
}

/* Convert values to the builder's type; where there is no block, to see whether they fit. */
static tsr_status convert_values(const taking *t, unsigned char *to, tsr_error *err)
{
    const tsr_builder_entries *const e = t->e;
    unsigned char scratch[BLOCK * TSR_MAX_VALUE_NBYTES];
    const unsigned char *const from =
        (const unsigned char *)e->values + (size_t)(e->iso ? 0 : t->first) * tsr_type_nbytes(e->type);
    const uint64_t all = e->iso ? 1 : t->n;
    if (to)
        return tsr_values_convert(to, t->b->options.type, from, e->type, all, err);
    for (uint64_t done = 0, n; done < all; done += n) {
        n = all - done < BLOCK ? all - done : BLOCK;
        TSR_TRY(tsr_values_convert(scratch, t->b->options.type,
                                   from + (size_t)done * tsr_type_nbytes(e->type), e->type, n, err));
    }
    return TSR_OK;
}

static tsr_status take_values(const taking *t, tsr_error *err)
{
    const size_t width = t->b->value_nbytes;
    const tsr_builder_entries *const e = t->e;
    unsigned char *const to = t->block ? t->block->values + width * t->block->n : NULL;
    if (width == 0)
        return TSR_OK;
    if (e->type != t->b->options.type)
        TSR_TRY(convert_values(t, to, err));
    else if (to)
        memcpy(to, (const unsigned char *)e->values + (e->iso ? 0 : (size_t)t->first * width),
               (size_t)(e->iso ? 1 : t->n) * width);
    for (uint64_t i = 1; to && e->iso && i < t->n; i++)
        memcpy(to + width * (size_t)i, to, width);
    return TSR_OK;
}

static tsr_status take_some(taking *t, tsr_error *err)
{
    for (int m = 0; m < t->b->options.order; m++)
        TSR_TRY(take_column(t, m, err));
    return take_values(t, err);
}

/* The lane has n entries more. */
static void count_entries(const tsr_builder *b, builder_lane *lane, const uint64_t *max, uint64_t n)
{
    for (int m = 0; m < b->options.order; m++)
        lane->max[m] = max[m] > lane->max[m] ? max[m] : lane->max[m];
    n += atomic_load_explicit(&lane->nentries, memory_order_relaxed);
    atomic_store_explicit(&lane->nentries, n, memory_order_relaxed);
}

static tsr_status fill_blocks(tsr_builder *b, builder_lane *lane, uint64_t piece, taking *t, tsr_error *err)
{
    const uint64_t all = t->e->n;
    const bool spills = lane->nblocks == 0;
    for (t->first = 0; t->first < all; t->first += t->n) {
        if (free_entries(lane) == 0)
            TSR_TRY(open_block(b, lane, all - t->first, spills, err));
        t->block = last_block(lane);
        t->n = all - t->first < free_entries(lane) ? all - t->first : free_entries(lane);
        TSR_TRY(open_segment(b, lane, piece, err));
        TSR_TRY(take_some(t, err));
        t->block->n += (uint32_t)t->n;
    }
    return TSR_OK;
}

/* Add all entries, or none. A lane that must spill meanwhile has nothing else in memory, so that what a failure leaves of the entries follows
 * all else in the blocks and in the file. */
static tsr_status add(tsr_builder *b, builder_lane *lane, uint64_t piece, taking *t, tsr_error *err)
{
    if (t->e->n > free_entries(lane)) { /* what fits one block is checked as it is filled */
        TSR_TRY(take_some(t, err));
        if (exceeds(b, t->e->n - free_entries(lane)))
            TSR_TRY(builder_spill_lane(b, lane, err));
    }
    const file_end end = find_file_end(lane);
    builder_block *const last = last_block(lane);
    const size_t nblocks = lane->nblocks;
    const uint32_t n = last ? last->n : 0, nsegments = last ? last->nsegments : 0;
    const tsr_status status = fill_blocks(b, lane, piece, t, err);
    if (status == TSR_OK) {
        count_entries(b, lane, t->max, t->e->n);
        return TSR_OK;
    }
    if (lane->file.fd >= 0)
        cut_file(b, lane, &end);
    while (lane->nblocks > nblocks)
        free_block(b, lane->block[--lane->nblocks]);
    if (last) {
        last->n = n;
        last->nsegments = nsegments;
    }
    lane->stamp = 0; /* the next entry begins a segment */
    return status;
}

tsr_status tsr_builder_add(tsr_builder *b, uint64_t piece, const tsr_builder_entries *entries, tsr_error *err)
{
    builder_lane *const lane = own_lane(b);
    taking t = {.b = b, .e = entries, .n = entries->n};
    if (entries->n == 0)
        return TSR_OK;
    pthread_mutex_lock(&lane->lock);
    const tsr_status status = add(b, lane, piece, &t, err);
    pthread_mutex_unlock(&lane->lock);
    return status;
}

static tsr_status add_one(tsr_builder *b, builder_lane *lane, uint64_t piece, tsr_error *err)
{
    if (free_entries(lane) == 0)
        TSR_TRY(open_block(b, lane, 1, true, err));
    return open_segment(b, lane, piece, err);
}

tsr_status tsr_builder_add_one(tsr_builder *b, uint64_t piece, const uint64_t *crd, const void *value,
                               tsr_error *err)
{
    builder_lane *const lane = own_lane(b);
    for (int m = 0; m < b->options.order; m++) {
        const tsr_builder_column column = {crd, TSR_U64};
        if (crd[m] >= bound(b, m))
            return refuse(b, m, &column, crd[m], 0, err);
    }
    pthread_mutex_lock(&lane->lock);
    const tsr_status status = add_one(b, lane, piece, err);
    if (status == TSR_OK) {
        builder_block *const block = last_block(lane);
        for (int m = 0; m < b->options.order; m++) {
            tsr_array to = {.data = block->crd[m], .n = block->capacity, .width = b->width[m]};
            tsr_array_set(&to, block->n, crd[m]);
        }
        if (b->value_nbytes)
            memcpy(block->values + b->value_nbytes * block->n, value, b->value_nbytes);
        block->n++;
        count_entries(b, lane, crd, 1);
    }
    pthread_mutex_unlock(&lane->lock);
    return status;
}
