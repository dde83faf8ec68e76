/* The tensor that a fill has made: arrays in temporary files, which are loaded part by part, or copied into the output by all threads. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream_fill.h"
#include "tsr_checked.h"
#include "tsr_interrupt.h"
#include "tsr_memory.h"
#include "tsr_output.h"
#include "tsr_parallel.h"
#include "tsr_system.h"

enum { MAX_PLACED = 2 * TSR_MAX_LEVELS + 1, UNIT_NBYTES = 1 << 20, MAX_UNIT_NBYTES = 4 << 20 };

/* An array that the writer has left to the parts. */
typedef struct placed {
    tsr_part part;
    int level;
    uint64_t offset; /* of the file */
    uint64_t n;      /* elements */
    size_t width;
    int direct; /* the temporary file, for reading past the cache; -1: by `load` */
} placed;

typedef struct filled {
    tsr_parts base; /* first */
    stream_piece_files files;
    unsigned char iso_value[TSR_MAX_VALUE_NBYTES];
    bool direct; /* the arrays were written past the cache */
    int nthreads, nplaced;
    const tsr_observer *observer;
    placed placed[MAX_PLACED];
} filled;

tsr_status stream_fill_read_pos(uint64_t *out, const stream_file *file, size_t width, uint64_t first,
                                size_t n, tsr_error *err)
{
    enum { STEP = 1024 };
    uint64_t stored[STEP];
    for (size_t i = 0; i < n; i += STEP) {
        const size_t k = n - i < STEP ? n - i : STEP;
        const tsr_array narrow = {.data = stored, .n = k, .width = width};
        TSR_TRY(stream_file_read(stored, file, (first + i) * width, k * width, err));
        tsr_array_load(out + i, &narrow, 0, k);
    }
    return TSR_OK;
}

static tsr_status load_pos(void *out, const filled *f, const tsr_array *array, const tsr_part_range *range,
                           tsr_error *err)
{
    enum { STEP = 1024 };
    uint64_t wide[STEP];
    const stream_file *const file = &f->files.pos[range->level];
    const size_t width = f->files.pos_width[range->level];
    tsr_array narrow = {.data = out, .n = range->n, .width = array->width};
    if (width == array->width)
        return stream_file_read(out, file, range->first * width, range->n * width, err);
    for (uint64_t i = 0; i < range->n; i += STEP) {
        const size_t k = range->n - i < STEP ? (size_t)(range->n - i) : STEP;
        TSR_TRY(stream_fill_read_pos(wide, file, width, range->first + i, k, err));
        tsr_array_store(&narrow, i, wide, k);
    }
    return TSR_OK;
}

static const stream_file *file_of(const filled *f, tsr_part part, int level)
{
    return part == TSR_PART_POS   ? &f->files.pos[level]
           : part == TSR_PART_CRD ? &f->files.crd[level]
                                  : &f->files.values;
}

static tsr_status load_filled(void *out, tsr_parts *parts, const tsr_part_range *range, tsr_error *err)
{
    const filled *const f = (const filled *)parts;
    const tsr_tensor *const t = parts->tensor;
    const tsr_level *const level = &t->levels[range->level];
    if (range->part == TSR_PART_POS)
        return load_pos(out, f, &level->pos, range, err);
    if (range->part == TSR_PART_VALUES && t->iso) {
        memcpy(out, f->iso_value, range->n ? t->values.width : 0);
        return TSR_OK;
    }
    const stream_file *const file = file_of(f, range->part, range->level);
    const size_t width = range->part == TSR_PART_CRD ? level->crd.width : t->values.width;
    return stream_file_read(out, file, range->first * width, range->n * width, err);
}

/* ---- into the output, on all threads ---- */

static tsr_status place_filled(tsr_parts *parts, tsr_part part, int level, uint64_t offset, tsr_error *err)
{
    filled *const f = (filled *)parts;
    const tsr_level *const l = &parts->tensor->levels[level];
    const tsr_array *const array = part == TSR_PART_POS   ? &l->pos
                                   : part == TSR_PART_CRD ? &l->crd
                                                          : &parts->tensor->values;
    if (f->nplaced == MAX_PLACED)
        return tsr_fail(err, TSR_LIMIT, "too many arrays");
    f->placed[f->nplaced++] = (placed){part, level, offset, array->n, array->width, -1};
    return TSR_OK;
}

/* Copies of all arrays, in units. */
typedef struct copying {
    filled *f;
    stream_output output;
    size_t unit_nbytes;
    unsigned char *
        room; /* of threads, each twice room_nbytes, a multiple of TSR_DIRECT_NBYTES, as the address is: a unit as it lies in
                          * the output, and as it lies in the temporary file */
    size_t room_nbytes;
    tsr_error *errors; /* nthreads */
    uint64_t nbytes;   /* of all arrays */
    atomic_uint_fast64_t next, done;
    atomic_bool stop;
} copying;

/* Units end at multiples of TSR_DIRECT_NBYTES of the file. */
static uint64_t count_units(const copying *c, const placed *p)
{
    return (p->offset % TSR_DIRECT_NBYTES + p->n * p->width + c->unit_nbytes - 1) / c->unit_nbytes;
}

/* The first element of a unit. */
static uint64_t unit_begin(const copying *c, const placed *p, uint64_t unit)
{
    const uint64_t i = unit ? (unit * c->unit_nbytes - p->offset % TSR_DIRECT_NBYTES) / p->width : 0;
    return i < p->n ? i : p->n;
}

/* Read past the cache: the blocks that have these bytes, into `blocks`. False: it is not possible. */
static bool load_direct(unsigned char *out, unsigned char *blocks, int direct, uint64_t offset, size_t nbytes)
{
    const size_t before = (size_t)(offset % TSR_DIRECT_NBYTES), need = before + nbytes;
    const size_t whole = (need + TSR_DIRECT_NBYTES - 1) / TSR_DIRECT_NBYTES * TSR_DIRECT_NBYTES;
    for (size_t done = 0; done < need;) {
        const ssize_t n =
            direct >= 0 ? pread(direct, blocks + done, whole - done, (off_t)(offset - before + done)) : -1;
        if (n <= 0 || (done + (size_t)n < need && n % TSR_DIRECT_NBYTES != 0))
            return false;
        done += (size_t)n;
    }
    memcpy(out, blocks + before, nbytes);
    return true;
}

/* Copy a part of an array. */
static tsr_status copy_unit(copying *c, const placed *p, uint64_t unit, int t, tsr_error *err)
{
    const uint64_t first = unit_begin(c, p, unit), n = unit_begin(c, p, unit + 1) - first;
    const tsr_part_range range = {p->part, p->level, first, n};
    const uint64_t offset = p->offset + first * p->width, nbytes = n * p->width;
    unsigned char *const blocks = c->room + 2 * (size_t)t * c->room_nbytes, *const room =
                                                                                blocks + c->room_nbytes +
                                                                                offset % TSR_DIRECT_NBYTES;
    TSR_TRY(tsr_interrupt_check(err));
    if (!load_direct(room, blocks, p->direct, first * p->width, (size_t)nbytes))
        TSR_TRY(c->f->base.load(room, &c->f->base, &range, err));
    TSR_TRY(stream_write_at(&c->output, room, (size_t)nbytes, offset, err));
    if (c->output.direct < 0)
        tsr_system_write_soon(c->output.fd, offset, nbytes);
    atomic_fetch_add(&c->done, nbytes);
    return TSR_OK;
}

static void copy_units(void *arg, int t, int nthreads)
{
    copying *const c = arg;
    tsr_error *const err = &c->errors[t];
    (void)nthreads;
    while (!atomic_load(&c->stop)) {
        uint64_t unit = atomic_fetch_add(&c->next, 1);
        int k = 0;
        for (; k < c->f->nplaced; k++) {
            const uint64_t n = count_units(c, &c->f->placed[k]);
            if (unit < n)
                break;
            unit -= n;
        }
        if (k == c->f->nplaced)
            return;
        tsr_status status = copy_unit(c, &c->f->placed[k], unit, t, err);
        if (status == TSR_OK && t == 0)
            status = tsr_progress(c->f->observer, "write", atomic_load(&c->done), c->nbytes, err);
        if (status != TSR_OK)
            atomic_store(&c->stop, true);
    }
}

/* Open the output. Where it exceeds the limit of memory, it is written past the cache of the system. */
static tsr_status open_output(copying *c, const char *path, tsr_error *err)
{
    const uint64_t limit = tsr_memory_limit(), unit = limit / 64;
    c->output = (stream_output){.path = path, .direct = -1};
    c->unit_nbytes = UNIT_NBYTES;
    c->output.fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (c->output.fd < 0)
        return tsr_fail_errno(err, errno, path, "cannot open the output");
    bool large = c->nbytes > limit;
    if (large && unit > UNIT_NBYTES)
        c->unit_nbytes = unit < MAX_UNIT_NBYTES ? (size_t)unit / UNIT_NBYTES * UNIT_NBYTES : MAX_UNIT_NBYTES;
#ifdef TSR_FAULTS
    enum { TEST_NBYTES = 3 * TSR_DIRECT_NBYTES }; /* small inputs have several units, too */
    if (getenv("TSR_STREAM_BUCKET")) {
        large = true;
        c->unit_nbytes = TEST_NBYTES;
    }
#endif
    if (large)
        c->output.direct = tsr_system_open_direct(path);
    return TSR_OK;
}

/* Open the temporary files that hold the elements as the output does, where they were written past the cache. */
static void open_arrays(filled *f)
{
    for (int k = 0; f->direct && k < f->nplaced; k++) {
        placed *const p = &f->placed[k];
        const bool same = p->part != TSR_PART_POS || f->files.pos_width[p->level] == p->width;
        if (same && !(p->part == TSR_PART_VALUES && f->base.tensor->iso))
            p->direct = tsr_system_open_direct(file_of(f, p->part, p->level)->path.s);
    }
}

static void close_arrays(filled *f)
{
    for (int k = 0; k < f->nplaced; k++) {
        if (f->placed[k].direct >= 0)
            (void)close(f->placed[k].direct);
        f->placed[k].direct = -1;
    }
}

static tsr_status close_output(const stream_output *output, tsr_error *err)
{
    if (output->direct >= 0)
        (void)close(output->direct);
    if (output->fd >= 0 && close(output->fd) != 0)
        return tsr_fail_errno(err, errno, output->path, "cannot write");
    return TSR_OK;
}

static tsr_status fill_filled(tsr_parts *parts, const char *path, tsr_error *err)
{
    filled *const f = (filled *)parts;
    copying c = {.f = f, .output = {.fd = -1, .direct = -1}};
    void *room = NULL, *errors = NULL;
    tsr_status status;
    for (int k = 0; k < f->nplaced; k++)
        c.nbytes += f->placed[k].n * f->placed[k].width;
    TSR_TRY_OUT(open_output(&c, path, err));
    const uint64_t useful = c.nbytes / c.unit_nbytes + 1;
    const int nthreads = useful < (uint64_t)f->nthreads ? (int)useful : f->nthreads;
    open_arrays(f);
    c.room_nbytes = c.unit_nbytes + 2 * TSR_DIRECT_NBYTES;
    TSR_TRY_OUT(tsr_alloc_array(&room, 2 * (uint64_t)nthreads * c.room_nbytes + TSR_DIRECT_NBYTES, 1, 0,
                                "parts of arrays", err));
    TSR_TRY_OUT(tsr_alloc_array(&errors, (uint64_t)nthreads, sizeof *c.errors, 1, "errors of threads", err));
    c.room = (unsigned char *)room + (size_t)(-(uintptr_t)room % TSR_DIRECT_NBYTES);
    c.errors = errors;
    tsr_parallel(nthreads, copy_units, &c);
    for (int t = 0; t < nthreads && status == TSR_OK; t++)
        status = tsr_fail_as(err, &c.errors[t]);
out:
    if (status == TSR_OK)
        status = close_output(&c.output, err);
    else
        (void)close_output(&c.output, NULL);
    close_arrays(f);
    tsr_free(room);
    tsr_free(errors);
    return status;
}

/* ---- making it ---- */

static void free_filled(tsr_parts *parts)
{
    filled *const f = (filled *)parts;
    for (int l = 0; l < TSR_MAX_LEVELS; l++) {
        stream_file_clear(&f->files.pos[l]);
        stream_file_clear(&f->files.crd[l]);
    }
    stream_file_clear(&f->files.values);
    tsr_tensor_free(parts->tensor);
    tsr_free(f);
}

static void start_files(stream_piece_files *files, const stream_fill *f)
{
    files->values.fd = -1;
    for (int l = 0; l < TSR_MAX_LEVELS; l++) {
        files->pos[l].fd = files->crd[l].fd = -1;
        files->pos_width[l] = f->level[l].pos_width;
    }
}

/* Set the lengths of level l; found: the positions that the entries have opened. *npos: of the level above, then of this one. */
static tsr_status describe_level(tsr_tensor *t, const stream_fill *f, int l, uint64_t found, uint64_t *npos,
                                 tsr_error *err)
{
    const fill_level *const from = &f->level[l];
    tsr_level *const level = &t->levels[l];
    level->nparents = *npos;
    if (from->type->full) {
        if (!tsr_mul_u64(npos, *npos, f->binding->pitch[l]))
            return tsr_fail(err, TSR_LIMIT, "the levels down to level %d have more than 2^64 positions", l);
    } else if (!from->type->branchless) {
        *npos = found;
        TSR_TRY(stream_fill_width(&level->pos.width, f, l, "pos", *npos, err));
        level->pos.n = level->nparents + 1;
    }
    level->npos = *npos;
    if (tsr_level_has(from->type, TSR_LEVEL_CRD)) {
        level->crd.n = *npos;
        level->crd.width = from->crd_width;
    }
    return TSR_OK;
}

tsr_status stream_fill_describe(tsr_tensor **out, const stream_fill *f, const uint64_t *found,
                                uint64_t nduplicates, tsr_error *err)
{
    uint64_t npos = 1;
    TSR_TRY(tsr_tensor_new(out, f->binding->format, f->facts.dims, f->facts.type, err));
    tsr_tensor *const t = *out;
    t->structure = f->facts.structure;
    t->has_fill = f->facts.has_fill;
    memcpy(t->fill, f->facts.fill, sizeof t->fill);
    for (int l = 0; l < f->nlevels; l++)
        TSR_TRY(describe_level(t, f, l, found[l], &npos, err));
    t->npos = npos;
    const bool sums = nduplicates > 0 && f->pack.duplicates == TSR_DUP_SUM && t->type != TSR_PATTERN;
    t->iso = f->facts.iso && !f->dense_leaf && !sums;
    t->values.n = t->iso ? 1 : t->npos;
    t->values.width = f->width;
    return TSR_OK;
}

static tsr_status end_level(filled *out, stream_fill *f, int l, tsr_error *err)
{
    fill_level *const from = &f->level[l];
    const tsr_level *const level = &out->base.tensor->levels[l];
    pos_run run;
    run.n = 0;
    if (tsr_level_has(from->type, TSR_LEVEL_POS) && from->written <= level->nparents)
        TSR_TRY(stream_fill_write_pos(f, from, &run, level->nparents, err));
    TSR_TRY(stream_fill_flush_pos(from, &run, err));
    TSR_TRY(stream_fill_hand_over(&out->files.pos[l], &from->pos, err));
    return stream_fill_hand_over(&out->files.crd[l], &from->crd, err);
}

static tsr_status end_values(filled *out, stream_fill *f, tsr_error *err)
{
    const tsr_tensor *const t = out->base.tensor;
    if (f->dense_leaf)
        TSR_TRY(stream_file_repeat(&f->values, f->facts.fill, f->width, t->npos - f->nvalues, err));
    return stream_fill_hand_over(&out->files.values, &f->values, err);
}

static tsr_status end_fill(filled *out, stream_fill *f, tsr_error *err)
{
    uint64_t found[TSR_MAX_LEVELS];
    for (int l = 0; l < f->nlevels; l++)
        found[l] = f->level[l].npos;
    TSR_TRY(stream_fill_describe(&out->base.tensor, f, found, f->nduplicates, err));
    for (int l = 0; l < f->nlevels; l++)
        TSR_TRY(end_level(out, f, l, err));
    return end_values(out, f, err);
}

tsr_status stream_fill_end(tsr_parts **out, stream_fill *f, tsr_pack_stats *stats, tsr_error *err)
{
    filled *const made = tsr_calloc(1, sizeof *made);
    *out = NULL;
    if (!made)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    const tsr_status written = stream_writer_wait(f->writer, err);
    if (written != TSR_OK) {
        tsr_free(made);
        return written;
    }
    made->base.load = load_filled;
    made->base.place = place_filled;
    made->base.fill = fill_filled;
    made->base.free = free_filled;
    made->nthreads = tsr_thread_count(f->pack.nthreads);
    made->observer = f->pack.observer;
    made->direct = f->writer != NULL;
    start_files(&made->files, f);
    memcpy(made->iso_value, f->iso_value, sizeof made->iso_value);
    const tsr_status status = end_fill(made, f, err);
    if (status != TSR_OK) {
        free_filled(&made->base);
        return status;
    }
    made->base.nstored = f->keep ? f->nentries : f->nentries - f->nduplicates;
    made->base.duplicate = f->keep ? f->first_duplicate : 0;
    *stats = (tsr_pack_stats){
        .nentries = f->nentries, .nstored = made->base.nstored, .nduplicates = f->nduplicates};
    *out = &made->base;
    return TSR_OK;
}

/* ---- a piece of a tensor ---- */

void stream_fill_describe_piece(stream_piece *piece, const stream_fill *f)
{
    *piece = f->piece;
    piece->nentries = f->nentries;
    piece->nstored = f->keep ? f->nentries : f->nentries - f->nduplicates;
    piece->nduplicates = f->nduplicates;
    piece->first_duplicate = f->first_duplicate;
    piece->nvalues = f->nvalues;
    memcpy(piece->iso_value, f->iso_value, sizeof piece->iso_value);
    for (int l = 0; l < f->nlevels; l++) {
        const fill_level *const level = &f->level[l];
        piece->last[l] = f->last[l];
        piece->npos[l] = level->npos;
        piece->begin[l] = level->begin;
        piece->written[l] = level->written;
    }
}

tsr_status stream_fill_end_piece(stream_piece *piece, stream_piece_files *files, stream_fill *f,
                                 tsr_error *err)
{
    stream_fill_describe_piece(piece, f);
    start_files(files, f);
    for (int l = 0; l < f->nlevels; l++) {
        TSR_TRY(stream_fill_hand_over(&files->pos[l], &f->level[l].pos, err));
        TSR_TRY(stream_fill_hand_over(&files->crd[l], &f->level[l].crd, err));
    }
    return stream_fill_hand_over(&files->values, &f->values, err);
}
