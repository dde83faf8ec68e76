/* Sorted entries to level arrays on all threads: each thread fills a piece in memory with a share of the entries, and the pieces are
 * appended to the files, each by one thread at the place where it lies (stream_place.c). */
#include "stream_fill.h"
#include "stream_job.h"

typedef stream_job job;

/* ---- pieces to files ---- */

/* Where the arrays of a piece go. */
typedef struct target {
    stream_piece piece;
    stream_place place;
    uint64_t pos[TSR_MAX_LEVELS], crd[TSR_MAX_LEVELS], values; /* bytes of the files */
    tsr_error err;
} target;

typedef struct appending {
    stream_fill *fill;
    stream_fill *const *piece;
    target *target;
    int n, narrays;
    stream_window window
        [STREAM_MAX_WINDOWS]; /* of arrays: number 2 l is the pos of level l, 2 l + 1 the crd, the last one the values */
} appending;

/* The end of the fill. */
static void find_front(stream_front *at, const stream_fill *f)
{
    uint64_t position = 0;
    *at = (stream_front){.any = f->nentries > 0, .nvalues = f->nvalues};
    for (int l = 0; l < f->nlevels; l++) {
        const fill_level *const level = &f->level[l];
        if (level->type->full)
            position = position * f->binding->pitch[l] + f->last[l];
        else if (!level->type->branchless)
            position = level->npos - 1;
        at->npos[l] = level->npos;
        at->written[l] = level->written;
        at->last[l] = f->last[l];
        at->last_position[l] = position;
    }
}

/* The first entries of a piece of the tensor, which begins there. */
static void begin_piece(stream_fill *f, target *t)
{
    for (int l = 0; l < f->nlevels; l++) {
        stream_extent *const e = &t->place.pos[l];
        e->start = e->own;
        f->level[l].begin = e->own;
        f->piece.first[l] = t->piece.first[l];
        f->piece.first_position[l] = t->piece.first_position[l];
    }
    if (f->dense_leaf)
        f->piece.begin_values = t->place.values.start = t->place.values.own;
}

static tsr_status reserve(uint64_t *offset, stream_file *file, const stream_extent *e, size_t width,
                          tsr_error *err)
{
    return file->fd >= 0 ? stream_file_reserve(offset, file, (e->stop - e->start) * width, err) : TSR_OK;
}

/* Find the place of each piece, and make room for it. */
static tsr_status place_pieces(appending *a, tsr_error *err)
{
    stream_fill *const f = a->fill;
    stream_front at;
    find_front(&at, f);
    for (int k = 0; k < a->n; k++) {
        target *const t = &a->target[k];
        *t = (target){0};
        stream_fill_describe_piece(&t->piece, a->piece[k]);
        if (t->piece.nentries == 0)
            continue;
        const bool begins = f->is_piece && !at.any;
        TSR_TRY(stream_place_piece(&t->place, &at, f, &t->piece, err));
        if (begins)
            begin_piece(f, t);
        for (int l = 0; l < f->nlevels; l++) {
            fill_level *const level = &f->level[l];
            TSR_TRY(reserve(&t->pos[l], &level->pos, &t->place.pos[l], level->pos_width, err));
            TSR_TRY(reserve(&t->crd[l], &level->crd, &t->place.crd[l], level->crd_width, err));
        }
        TSR_TRY(reserve(&t->values, &f->values, &t->place.values, f->width, err));
        if (f->nduplicates == 0 && t->piece.nduplicates > 0)
            f->first_duplicate = f->nentries + t->piece.first_duplicate;
        f->nduplicates += t->piece.nduplicates;
        f->nentries += t->piece.nentries;
    }
    f->nvalues = at.nvalues;
    for (int l = 0; l < f->nlevels; l++) {
        f->level[l].npos = at.npos[l];
        f->level[l].written = at.written[l];
        f->last[l] = at.last[l];
        f->piece.last_position[l] = at.last_position[l];
    }
    return TSR_OK;
}

/* ---- where the bytes of all pieces go: into memory that a thread writes, or to the files ---- */

static void start_window(stream_window *w, const stream_file *file)
{
    *w = (stream_window){.file = {.fd = -1}};
    if (file->fd < 0)
        return;
    w->file.fd = file->fd;
    w->file.path = file->path;
    w->file.nbytes = w->first = file->nbytes;
}

static void start_windows(appending *a)
{
    const stream_fill *const f = a->fill;
    a->narrays = 2 * f->nlevels + 1;
    for (int l = 0; l < f->nlevels; l++) {
        start_window(&a->window[2 * l], &f->level[l].pos);
        start_window(&a->window[2 * l + 1], &f->level[l].crd);
    }
    start_window(&a->window[2 * f->nlevels], &f->values);
}

/* All pieces have their places: *fits: there is memory for the windows. */
static tsr_status take_windows(bool *fits, appending *a, tsr_error *err)
{
    const stream_fill *const f = a->fill;
    *fits = false;
    if (!f->writer)
        return TSR_OK;
    for (int l = 0; l < f->nlevels; l++) {
        a->window[2 * l].nbytes = f->level[l].pos.nbytes - a->window[2 * l].first;
        a->window[2 * l + 1].nbytes = f->level[l].crd.nbytes - a->window[2 * l + 1].first;
    }
    a->window[2 * f->nlevels].nbytes = f->values.nbytes - a->window[2 * f->nlevels].first;
    return stream_writer_take(fits, f->writer, a->window, a->narrays, err);
}

static tsr_status put(const stream_window *w, uint64_t offset, const void *bytes, size_t nbytes,
                      tsr_error *err)
{
    if (!w->bytes)
        return stream_file_put(&w->file, offset, bytes, nbytes, err);
    if (nbytes > 0)
        memcpy(w->bytes + (offset - w->first), bytes, nbytes);
    return TSR_OK;
}

/* Write n times the same element. */
static tsr_status write_gap(const stream_window *w, uint64_t offset, const void *element, size_t width,
                            uint64_t n, tsr_error *err)
{
    unsigned char many[4096];
    const size_t each = sizeof many / width;
    for (size_t i = 0; i < each && i < n; i++)
        memcpy(many + i * width, element, width);
    for (uint64_t i = 0; i < n; i += each) {
        const size_t k = n - i < each ? (size_t)(n - i) : each;
        TSR_TRY(put(w, offset + i * width, many, k * width, err));
    }
    return TSR_OK;
}

/* Write the elements of pos of a piece, in the width of the file: in the memory of the piece, which is as wide at least. */
static tsr_status write_pos(const appending *a, int k, int l, tsr_error *err)
{
    enum { STEP = 1024 };
    const target *const t = &a->target[k];
    const stream_window *const w = &a->window[2 * l];
    const stream_extent *const e = &t->place.pos[l];
    const size_t width = a->fill->level[l].pos_width;
    const uint64_t ngap = e->own - e->start, n = e->stop - e->own;
    uint64_t element = 0;
    tsr_array one = {.data = &element, .n = 1, .width = width};
    tsr_array_set(&one, 0, t->place.before[l]);
    TSR_TRY(write_gap(w, t->pos[l], &element, width, ngap, err));
    if (n == 0)
        return TSR_OK;
    uint64_t *const from = (uint64_t *)(void *)a->piece[k]->level[l].pos.buf + e->skip;
    tsr_array narrow = {.data = from, .n = n, .width = width};
    for (uint64_t i = 0; i < n; i += STEP) {
        uint64_t block[STEP];
        const size_t m = n - i < STEP ? (size_t)(n - i) : STEP;
        for (size_t q = 0; q < m; q++)
            block[q] = from[i + q] + t->place.base[l];
        tsr_array_store(&narrow, i, block, m);
    }
    return put(w, t->pos[l] + ngap * width, from, n * width, err);
}

/* An element of an array: `width` bytes at `bytes`. */
typedef struct element {
    const void *bytes;
    size_t width;
} element;

/* Coordinates or values: those before the piece are fills. */
static tsr_status write_plain(const stream_window *to, uint64_t offset, const stream_extent *e,
                              const stream_file *from, element fill, tsr_error *err)
{
    const size_t width = fill.width;
    const uint64_t ngap = e->own - e->start, n = e->stop - e->own;
    TSR_TRY(write_gap(to, offset, fill.bytes, width, ngap, err));
    return n > 0 ? put(to, offset + ngap * width, from->buf + e->skip * width, n * width, err) : TSR_OK;
}

/* Write an array of piece k. */
static tsr_status write_array(const appending *a, int k, int array, tsr_error *err)
{
    const stream_fill *const f = a->fill, *const piece = a->piece[k];
    const target *const t = &a->target[k];
    const int l = array / 2;
    if (l == f->nlevels)
        return f->values.fd >= 0 ? write_plain(&a->window[array], t->values, &t->place.values, &piece->values,
                                               (element){f->facts.fill, f->width}, err)
                                 : TSR_OK;
    const fill_level *const level = &f->level[l];
    if (array % 2 == 0)
        return level->pos.fd >= 0 ? write_pos(a, k, l, err) : TSR_OK;
    return level->crd.fd >= 0
               ? write_plain(&a->window[array], t->crd[l], &t->place.crd[l], &piece->level[l].crd,
                             (element){f->facts.fill, level->crd_width}, err)
               : TSR_OK;
}

/* Threads begin with different arrays, since the system lets one thread write into a file at a time. */
static void write_pieces(void *arg, int t, int nthreads)
{
    const appending *const a = arg;
    const int narrays = a->narrays;
    for (int k = t; k < a->n; k += nthreads) {
        target *const to = &a->target[k];
        for (int i = 0; i < narrays && to->piece.nentries > 0 && to->err.status == TSR_OK; i++)
            if (write_array(a, k, (i + k * narrays / a->n) % narrays, &to->err) != TSR_OK)
                break;
    }
}

tsr_status stream_fill_append(stream_fill *fill, stream_fill *const *piece, int n, tsr_error *err)
{
    appending a = {.fill = fill, .piece = piece, .n = n};
    void *targets;
    TSR_TRY(tsr_alloc_array(&targets, (uint64_t)n, sizeof(target), 0, "pieces", err));
    a.target = targets;
    bool fits = false;
    start_windows(&a);
    tsr_status status = place_pieces(&a, err);
    if (status == TSR_OK)
        status = take_windows(&fits, &a, err);
    if (status == TSR_OK)
        tsr_parallel(n, write_pieces, &a);
    for (int k = 0; k < n && status == TSR_OK; k++)
        status = tsr_fail_as(err, &a.target[k].err);
    if (fits && status == TSR_OK)
        stream_writer_put(fill->writer);
    tsr_free(targets);
    return status;
}

/* ---- a list of storage coordinates to pieces ---- */

typedef struct filling {
    job *j;
    const tsr_tensor *list;
    uint64_t *cut; /* n + 1 */
    tsr_error *errors;
    int n;
} filling;

/* Add entries [first, end) of the list. */
static tsr_status fill_range(stream_fill *fill, const stream_rows *rows, const tsr_tensor *list,
                             uint64_t first, uint64_t end, tsr_error *err)
{
    uint64_t *coord[TSR_MAX_LEVELS];
    for (int l = 0; l < list->nlevels; l++)
        coord[l] = (uint64_t *)rows->level[l];
    const size_t step = list->iso ? 0 : list->values.width;
    for (; first < end; first += STREAM_BLOCK) {
        const size_t n = end - first < STREAM_BLOCK ? (size_t)(end - first) : STREAM_BLOCK;
        for (int l = 0; l < list->nlevels; l++)
            tsr_array_load(coord[l], &list->levels[l].crd, first, n);
        TSR_TRY(
            stream_fill_add(fill, coord, (const unsigned char *)list->values.data + first * step, n, err));
    }
    return TSR_OK;
}

static void fill_pieces(void *arg, int t, int nthreads)
{
    const filling *const f = arg;
    for (int k = t; k < f->n; k += nthreads) {
        const uint64_t first = f->cut[k], end = f->cut[k + 1];
        enum { EACH = 32, LEAST = 4096 }; /* bytes of an array for an entry */
        stream_fill_reset(f->j->pieces[k], (end - first) * EACH + LEAST);
        (void)fill_range(f->j->pieces[k], &f->j->rows[t], f->list, first, end, &f->errors[k]);
    }
}

/* The first entry from i on whose cell is not that of the entry before. */
static uint64_t next_cell(const tsr_tensor *list, uint64_t i)
{
    for (; i > 0 && i < list->npos; i++)
        for (int l = 0; l < list->nlevels; l++)
            if (tsr_array_get(&list->levels[l].crd, i) != tsr_array_get(&list->levels[l].crd, i - 1))
                return i;
    return i;
}

/* Make the pieces. */
static tsr_status make_pieces(job *j, int n, tsr_error *err)
{
    void *pieces;
    if (j->pieces)
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&pieces, (uint64_t)n, sizeof *j->pieces, 1, "pieces", err));
    j->pieces = pieces;
    for (j->npieces = 0; j->npieces < n; j->npieces++)
        TSR_TRY(stream_fill_new_piece(&j->pieces[j->npieces], j->fill, err));
    return TSR_OK;
}

void stream_job_free_pieces(job *j)
{
    for (int k = 0; k < j->npieces; k++)
        stream_fill_free(j->pieces[k]);
    tsr_free(j->pieces);
    j->pieces = NULL;
    j->npieces = 0;
}

/* Append the entries [cut[0], cut[n]) of the list: by pieces, or one after the other where cells without entries would make the pieces
 * long. */
static tsr_status append_round(filling *f, tsr_error *err)
{
    job *const j = f->j;
    memset(f->errors, 0, (size_t)f->n * sizeof *f->errors);
    tsr_parallel(f->n, fill_pieces, f);
    for (int k = 0; k < f->n; k++) {
        if (f->errors[k].status == TSR_OK)
            continue;
        if (stream_fill_overflows(j->pieces[k]))
            return fill_range(j->fill, &j->rows[0], f->list, f->cut[0], f->cut[f->n], err);
        return tsr_fail_as(err, &f->errors[k]);
    }
    return stream_fill_append(j->fill, j->pieces, f->n, err);
}

/* How many threads fill pieces, and how many entries they have together. */
static int plan_round(uint64_t *nentries, const job *j, uint64_t n)
{
    enum { PER_THREAD = 1 << 14, MOST = 1 << 20 };
    /* the arrays of a round are a small part of what a bucket takes while it is sorted */
    const uint64_t most = j->capacity / 8 < MOST ? j->capacity / 8 : MOST;
    const bool tests = j->options.bucket_nentries > 0 && j->options.pack.nthreads > 0;
    *nentries = tests ? j->capacity / 2 + 1 : most;
    const uint64_t useful = (*nentries < n ? *nentries : n) / PER_THREAD;
    return tests || useful >= (uint64_t)j->nthreads ? j->nthreads : (int)useful;
}

tsr_status stream_job_append(job *j, const tsr_tensor *list, tsr_error *err)
{
    uint64_t each;
    filling f = {.j = j, .list = list, .n = plan_round(&each, j, list->npos)};
    void *cuts = NULL, *errors = NULL;
    tsr_status status = TSR_OK;
    if (f.n <= 1)
        return fill_range(j->fill, &j->rows[0], list, 0, list->npos, err);
    TSR_TRY_OUT(make_pieces(j, j->nthreads, err));
    TSR_TRY_OUT(tsr_alloc_array(&cuts, (uint64_t)f.n + 1, sizeof *f.cut, 0, "pieces", err));
    TSR_TRY_OUT(tsr_alloc_array(&errors, (uint64_t)f.n, sizeof *f.errors, 0, "errors of threads", err));
    f.cut = cuts;
    f.errors = errors;
    for (uint64_t first = 0; first < list->npos; first = f.cut[f.n]) {
        const uint64_t n = list->npos - first < each ? list->npos - first : each;
        f.cut[0] = first;
        for (int k = 1; k <= f.n; k++) {
            const uint64_t i = next_cell(list, first + tsr_cut(n, k, f.n));
            f.cut[k] = i > f.cut[k - 1] ? i : f.cut[k - 1];
        }
        TSR_TRY_OUT(append_round(&f, err));
    }
out:
    tsr_free(cuts);
    tsr_free(errors);
    return status;
}
