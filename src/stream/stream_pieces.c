/* The pieces of all ranks as one tensor. Every rank knows where each piece lies in each array: the positions of a piece count from its
 * first entry, so that the number of positions before it is added; and where its first entry has the same parent as the last
 * entry of the piece before, that parent is stored once. Rank 0 loads parts of the arrays from the ranks that have them, or lets all ranks
 * write theirs into the file. Between two requests the other ranks wait in tsr_stream_serve. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "stream_ranks.h"

enum { MAX_PLACED = 2 * TSR_MAX_LEVELS + 1, PATH_NBYTES = 4096, WRITE_NBYTES = 1 << 20 };

typedef enum op { OP_END, OP_LOAD, OP_WRITE } op;
typedef struct request {
    op op;
    tsr_part_range range;
    char path[PATH_NBYTES];
    int nplaced;
    struct {
        tsr_part part;
        int level;
        uint64_t offset;
    } placed[MAX_PLACED];
} request;

typedef struct ranked {
    tsr_parts base; /* first */
    const tsr_ranks *ranks;
    stream_piece_files files;
    stream_place *place;            /* n */
    uint64_t total[TSR_MAX_LEVELS]; /* positions that were opened */
    unsigned char iso_value[TSR_MAX_VALUE_NBYTES];
    uint64_t *written_nbytes; /* of the caller, or NULL */
    request *requests;        /* n, of which number 0 counts */
    request mine;
} ranked;

/* ---- where pieces lie ---- */

static tsr_status place_all(ranked *r, const stream_job *j, const stream_piece *piece, tsr_error *err)
{
    stream_front at = {0};
    for (int k = 0; k < r->ranks->n; k++)
        TSR_TRY(stream_place_piece(&r->place[k], &at, j->fill, &piece[k], err));
    memcpy(r->total, at.npos, sizeof r->total);
    return TSR_OK;
}

/* The last rank has what follows the last piece. */
static void place_end(ranked *r)
{
    const tsr_tensor *const t = r->base.tensor;
    stream_place *const last = &r->place[r->ranks->n - 1];
    last->values.end = t->values.n;
    for (int l = 0; l < t->nlevels; l++)
        last->pos[l].end = t->levels[l].pos.n;
}

/* ---- parts of arrays ---- */

static const stream_extent *find_extent(const ranked *r, int rank, const tsr_part_range *range)
{
    const stream_place *const p = &r->place[rank];
    return range->part == TSR_PART_POS   ? &p->pos[range->level]
           : range->part == TSR_PART_CRD ? &p->crd[range->level]
                                         : &p->values;
}

static size_t find_width(const ranked *r, const tsr_part_range *range)
{
    const tsr_tensor *const t = r->base.tensor;
    return range->part == TSR_PART_POS   ? t->levels[range->level].pos.width
           : range->part == TSR_PART_CRD ? t->levels[range->level].crd.width
                                         : t->values.width;
}

/* The part of the range that a rank has. */
static tsr_part_range cut_range(const ranked *r, int rank, const tsr_part_range *range)
{
    const stream_extent *const e = find_extent(r, rank, range);
    tsr_part_range cut = *range;
    const uint64_t end = range->first + range->n < e->end ? range->first + range->n : e->end;
    cut.first = range->first > e->start ? range->first : e->start;
    cut.n = end > cut.first ? end - cut.first : 0;
    return cut;
}

/* Elements of pos, as the tensor stores them. */
static tsr_status load_pos(unsigned char *out, ranked *r, const tsr_part_range *range, tsr_error *err)
{
    enum { STEP = 1024 };
    uint64_t wide[STEP];
    const stream_place *const p = &r->place[r->ranks->rank];
    const stream_extent *const e = &p->pos[range->level];
    tsr_array narrow = {.data = out, .n = range->n, .width = find_width(r, range)};
    for (uint64_t at = 0; at < range->n;) {
        const uint64_t i = range->first + at;
        const uint64_t until = i < e->own ? e->own : i < e->stop ? e->stop : e->end;
        const uint64_t left = until - i < range->n - at ? until - i : range->n - at;
        const size_t n = left < STEP ? (size_t)left : STEP;
        if (i >= e->own && i < e->stop)
            TSR_TRY(stream_fill_read_pos(wide, &r->files.pos[range->level], r->files.pos_width[range->level],
                                         i - e->own + e->skip, n, err));
        for (size_t k = 0; k < n; k++)
            wide[k] = i < e->own    ? p->before[range->level]
                      : i < e->stop ? wide[k] + p->base[range->level]
                                    : r->total[range->level];
        tsr_array_store(&narrow, at, wide, n);
        at += n;
    }
    return TSR_OK;
}

/* Coordinates, or values. */
static tsr_status load_plain(unsigned char *out, ranked *r, const tsr_part_range *range, tsr_error *err)
{
    const stream_extent *const e = find_extent(r, r->ranks->rank, range);
    const size_t width = find_width(r, range);
    const stream_file *const file =
        range->part == TSR_PART_CRD ? &r->files.crd[range->level] : &r->files.values;
    for (uint64_t at = 0; at < range->n;) {
        const uint64_t i = range->first + at;
        const bool stored = i >= e->own && i < e->stop;
        const uint64_t until = i < e->own ? e->own : stored ? e->stop : e->end;
        const uint64_t n = until - i < range->n - at ? until - i : range->n - at;
        if (stored)
            TSR_TRY(stream_file_read(out + at * width, file, (i - e->own + e->skip) * width, n * width, err));
        for (uint64_t k = 0; k < n && !stored; k++)
            memcpy(out + (at + k) * width, r->base.tensor->fill, width);
        at += n;
    }
    return TSR_OK;
}

static tsr_status load_own(void *out, ranked *r, const tsr_part_range *range, tsr_error *err)
{
    return range->part == TSR_PART_POS ? load_pos(out, r, range, err) : load_plain(out, r, range, err);
}

/* ---- requests ---- */

/* All ranks: *out is what rank 0 wants. */
static tsr_status ask(const request **out, ranked *r, tsr_error *err)
{
    TSR_TRY(r->ranks->gather(r->requests, &r->mine, sizeof r->mine, r->ranks->ctx, err));
    *out = r->requests;
    return TSR_OK;
}

/* All ranks: send the range to rank 0, which has `out`. */
static tsr_status collect(void *out, ranked *r, const tsr_part_range *range, tsr_error *err)
{
    const tsr_ranks *const ranks = r->ranks;
    const size_t width = find_width(r, range);
    const tsr_part_range cut = cut_range(r, ranks->rank, range);
    const uint64_t n = (uint64_t)ranks->n;
    void *memory, *own = NULL;
    tsr_status status =
        tsr_alloc_array(&memory, n, 2 * sizeof(uint64_t) + 2 * sizeof(void *), 1, "lengths", err);
    if (status == TSR_OK)
        status = tsr_alloc_array(&own, cut.n + 1, width, 0, "a part of an array", err);
    if (status == TSR_OK)
        status = load_own(own, r, &cut, err);
    TSR_TRY_OUT(tsr_ranks_agree(ranks, status, err));
    uint64_t *const sent = memory, *const got = sent + n;
    const void **const from = (const void **)(void *)(got + n);
    void **const to = (void **)(void *)(from + n);
    sent[0] = cut.n * width;
    from[0] = own;
    for (int k = 0; ranks->rank == 0 && k < ranks->n; k++) {
        const tsr_part_range theirs = cut_range(r, k, range);
        got[k] = theirs.n * width;
        to[k] = (unsigned char *)out + (theirs.n ? theirs.first - range->first : 0) * width;
    }
    status = ranks->exchange(to, got, from, sent, ranks->ctx, err);
out:
    tsr_free(memory);
    tsr_free(own);
    return status;
}

/* Write what this rank has of one array. */
static tsr_status write_array(ranked *r, const stream_output *output, const request *q, int k,
                              unsigned char *room, tsr_error *err)
{
    tsr_part_range range = {q->placed[k].part, q->placed[k].level, 0, UINT64_MAX};
    const stream_extent *const e = find_extent(r, r->ranks->rank, &range);
    const size_t width = find_width(r, &range);
    for (uint64_t i = e->start; i < e->end; i += range.n) {
        range.first = i;
        range.n = e->end - i < WRITE_NBYTES / width ? e->end - i : WRITE_NBYTES / width;
        TSR_TRY(load_own(room, r, &range, err));
        TSR_TRY(stream_write_at(output, room, range.n * width, q->placed[k].offset + i * width, err));
        if (r->written_nbytes)
            *r->written_nbytes += range.n * width;
    }
    return TSR_OK;
}

/* All ranks: write what they have of all arrays into the file. */
static tsr_status write_arrays(ranked *r, const request *q, tsr_error *err)
{
    void *room;
    tsr_status status = tsr_alloc_array(&room, WRITE_NBYTES, 1, 0, "a part of an array", err);
    const int fd = open(q->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && status == TSR_OK)
        status = tsr_fail_errno(err, errno, q->path, "cannot open the output");
    const stream_output output = {.fd = fd, .path = q->path, .direct = -1};
    for (int k = 0; status == TSR_OK && k < q->nplaced; k++)
        status = write_array(r, &output, q, k, room, err);
    if (status == TSR_OK && fsync(fd) != 0)
        status = tsr_fail_errno(err, errno, q->path, "cannot write");
    if (fd >= 0 && close(fd) != 0 && status == TSR_OK)
        status = tsr_fail_errno(err, errno, q->path, "cannot write");
    tsr_free(room);
    return tsr_ranks_agree(r->ranks, status, err);
}

/* ---- rank 0 ---- */

static tsr_status load_ranked(void *out, tsr_parts *parts, const tsr_part_range *range, tsr_error *err)
{
    ranked *const r = (ranked *)parts;
    const request *q;
    if (range->part == TSR_PART_VALUES && parts->tensor->iso) {
        memcpy(out, r->iso_value, range->n ? parts->tensor->values.width : 0);
        return TSR_OK;
    }
    r->mine.op = OP_LOAD;
    r->mine.range = *range;
    TSR_TRY(ask(&q, r, err));
    return collect(out, r, range, err);
}

static tsr_status place_ranked(tsr_parts *parts, tsr_part part, int level, uint64_t offset, tsr_error *err)
{
    ranked *const r = (ranked *)parts;
    if (r->mine.nplaced == MAX_PLACED)
        return tsr_fail(err, TSR_LIMIT, "too many arrays");
    r->mine.placed[r->mine.nplaced].part = part;
    r->mine.placed[r->mine.nplaced].level = level;
    r->mine.placed[r->mine.nplaced++].offset = offset;
    return TSR_OK;
}

static tsr_status fill_ranked(tsr_parts *parts, const char *path, tsr_error *err)
{
    ranked *const r = (ranked *)parts;
    const request *q;
    if (strlen(path) >= sizeof r->mine.path)
        return tsr_fail(err, TSR_LIMIT, "the path of the output has more than %d bytes", PATH_NBYTES - 1);
    r->mine.op = OP_WRITE;
    strcpy(r->mine.path, path);
    TSR_TRY(ask(&q, r, err));
    return write_arrays(r, q, err);
}

static void free_local(ranked *r)
{
    for (int l = 0; l < TSR_MAX_LEVELS; l++) {
        stream_file_clear(&r->files.pos[l]);
        stream_file_clear(&r->files.crd[l]);
    }
    stream_file_clear(&r->files.values);
    tsr_tensor_free(r->base.tensor);
    tsr_free(r->place);
    tsr_free(r->requests);
    tsr_free(r);
}

static void free_ranked(tsr_parts *parts)
{
    ranked *const r = (ranked *)parts;
    const request *q;
    r->mine.op = OP_END;
    if (r->ranks->rank == 0)
        (void)ask(&q, r, NULL); /* a rank that is gone ends the run anyway */
    free_local(r);
}

/* ---- the doors ---- */

tsr_status tsr_stream_serve(tsr_parts *parts, tsr_error *err)
{
    ranked *const r = (ranked *)parts;
    for (;;) {
        const request *q;
        TSR_TRY(ask(&q, r, err));
        if (q->op == OP_END)
            return TSR_OK;
        /* rank 0 has the same error, and tells the user */
        if (q->op == OP_LOAD)
            (void)collect(NULL, r, &q->range, err);
        else
            (void)write_arrays(r, q, err);
    }
}

/* The sums of all pieces. */
static void add_up(ranked *r, stream_job *j, const stream_piece *piece)
{
    tsr_pack_stats *const stats = &j->stats.pack;
    *stats = (tsr_pack_stats){0};
    for (int k = 0; k < r->ranks->n; k++) {
        if (j->options.pack.duplicates == TSR_DUP_KEEP && r->base.duplicate == 0 && piece[k].nduplicates > 0)
            r->base.duplicate = stats->nentries + piece[k].first_duplicate;
        stats->nentries += piece[k].nentries;
        stats->nstored += piece[k].nstored;
        stats->nduplicates += piece[k].nduplicates;
    }
    r->base.nstored = stats->nstored;
}

tsr_status stream_pieces_join(tsr_parts **out, stream_job *j, tsr_error *err)
{
    const tsr_ranks *const ranks = j->options.ranks;
    ranked *const r = tsr_calloc(1, sizeof *r);
    stream_piece mine;
    void *pieces = NULL, *places = NULL, *requests = NULL;
    const uint64_t n = (uint64_t)ranks->n;
    tsr_status status = r ? TSR_OK : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = tsr_alloc_array(&pieces, n, sizeof mine, 0, "pieces", err);
    if (status == TSR_OK)
        status = tsr_alloc_array(&places, n, sizeof(stream_place), 1, "pieces", err);
    if (status == TSR_OK)
        status = tsr_alloc_array(&requests, n, sizeof(request), 0, "requests", err);
    if (status == TSR_OK)
        status = stream_fill_end_piece(&mine, &r->files, j->fill, err);
    status = tsr_ranks_agree(ranks, status, err);
    if (status == TSR_OK)
        status = ranks->gather(pieces, &mine, sizeof mine, ranks->ctx, err);
    if (r) {
        r->ranks = ranks;
        r->written_nbytes = j->options.written_nbytes;
        r->place = places;
        r->requests = requests;
    }
    if (status == TSR_OK)
        status = place_all(r, j, pieces, err);
    if (status == TSR_OK) {
        add_up(r, j, pieces);
        memcpy(r->iso_value, j->value, sizeof r->iso_value);
        status = stream_fill_describe(&r->base.tensor, j->fill, r->total, j->stats.pack.nduplicates, err);
    }
    tsr_free(pieces);
    status = tsr_ranks_agree(ranks, status, err);
    if (status != TSR_OK) {
        if (r)
            free_local(r);
        return status;
    }
    place_end(r);
    r->base.load = load_ranked;
    r->base.place = place_ranked;
    r->base.fill = fill_ranked;
    r->base.free = free_ranked;
    *out = &r->base;
    return TSR_OK;
}
