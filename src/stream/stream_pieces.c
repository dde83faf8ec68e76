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

/* Where the piece of a rank lies. A rank has elements [start, end) of an array, of which its file holds [own, stop). Those before
 * repeat the position at which the pieces before it end, or the fill, and so do those after it, which the last rank has. */
typedef struct extent {
    uint64_t start, own, stop, end;
    uint64_t skip; /* elements at the beginning of the file that belong to the piece before */
} extent;
typedef struct place {
    extent pos[TSR_MAX_LEVELS], crd[TSR_MAX_LEVELS], values;
    uint64_t base[TSR_MAX_LEVELS];   /* of the positions of a level */
    uint64_t before[TSR_MAX_LEVELS]; /* positions of the level that earlier pieces have opened */
} place;

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
    place *place;                   /* n */
    uint64_t total[TSR_MAX_LEVELS]; /* positions that were opened */
    unsigned char iso_value[TSR_MAX_VALUE_NBYTES];
    uint64_t *written_nbytes; /* of the caller, or NULL */
    request *requests;        /* n, of which number 0 counts */
    request mine;
} ranked;

/* ---- where pieces lie ---- */

/* The end of the pieces so far. */
typedef struct front {
    bool any;
    uint64_t npos[TSR_MAX_LEVELS], written[TSR_MAX_LEVELS], nvalues;
    uint64_t last[TSR_MAX_LEVELS], last_position[TSR_MAX_LEVELS];
} front;

static void place_pos(extent *e, front *at, int l, const stream_piece *piece, uint64_t parents)
{
    const uint64_t first = piece->begin[l] + parents;
    e->skip = at->any && first < at->written[l] ? at->written[l] - first : 0;
    e->own = first + e->skip;
    e->stop = at->written[l] = piece->written[l] + parents;
}

/* Place a piece behind the front. */
static tsr_status place_piece(place *p, front *at, const stream_job *j, const stream_piece *piece,
                              tsr_error *err)
{
    const front old = *at;
    const int nlevels = j->format->nlevels;
    const bool dense_leaf = tsr_format_has_dense_leaf(j->format);
    int lead = 0;
    uint64_t parents = 0; /* what is added to positions of the level above */
    while (old.any && lead < nlevels && piece->first[lead] == old.last[lead])
        lead++;
    for (int l = 0; l < nlevels; l++) {
        const tsr_level_type *const type = j->format->levels[l].type;
        const bool shared = old.any && lead > stream_fill_cut(j->fill, l);
        const bool same_parent =
            old.any && (l == 0 || piece->first_position[l - 1] + parents == old.last_position[l - 1]);
        if (type->full) {
            parents *= j->map.binding->pitch[l];
        } else {
            if (type->branchless && same_parent && !shared)
                return stream_fill_check_child(j->fill, piece, l, err);
            p->base[l] = old.npos[l] - shared;
            p->crd[l].skip = shared;
            at->npos[l] = p->crd[l].stop = p->base[l] + piece->npos[l];
            if (!type->branchless) {
                place_pos(&p->pos[l], at, l, piece, parents);
                parents = p->base[l];
            }
        }
        at->last_position[l] = piece->last_position[l] + parents;
    }
    p->values.own = dense_leaf ? piece->begin_values + parents : old.nvalues;
    at->nvalues = p->values.stop = dense_leaf ? piece->nvalues + parents : old.nvalues + piece->nvalues;
    memcpy(at->last, piece->last, sizeof at->last);
    at->any = true;
    return TSR_OK;
}

static void start_extent(extent *e, uint64_t start)
{
    *e = (extent){.start = start, .own = start, .stop = start};
}

static tsr_status place_all(ranked *r, const stream_job *j, const stream_piece *piece, tsr_error *err)
{
    front at = {0};
    for (int k = 0; k < r->ranks->n; k++) {
        place *const p = &r->place[k];
        start_extent(&p->values, at.nvalues);
        for (int l = 0; l < j->format->nlevels; l++) {
            start_extent(&p->pos[l], at.written[l]);
            start_extent(&p->crd[l], at.npos[l]);
            p->before[l] = at.npos[l];
        }
        if (piece[k].nentries > 0)
            TSR_TRY(place_piece(p, &at, j, &piece[k], err));
        p->values.end = p->values.stop;
        for (int l = 0; l < j->format->nlevels; l++) {
            p->pos[l].end = p->pos[l].stop;
            p->crd[l].end = p->crd[l].stop;
        }
    }
    memcpy(r->total, at.npos, sizeof r->total);
    return TSR_OK;
}

/* The last rank has what follows the last piece. */
static void place_end(ranked *r)
{
    const tsr_tensor *const t = r->base.tensor;
    place *const last = &r->place[r->ranks->n - 1];
    last->values.end = t->values.n;
    for (int l = 0; l < t->nlevels; l++)
        last->pos[l].end = t->levels[l].pos.n;
}

/* ---- parts of arrays ---- */

static const extent *find_extent(const ranked *r, int rank, const tsr_part_range *range)
{
    const place *const p = &r->place[rank];
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
    const extent *const e = find_extent(r, rank, range);
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
    const place *const p = &r->place[r->ranks->rank];
    const extent *const e = &p->pos[range->level];
    tsr_array narrow = {.data = out, .n = range->n, .width = find_width(r, range)};
    for (uint64_t at = 0; at < range->n;) {
        const uint64_t i = range->first + at;
        const uint64_t until = i < e->own ? e->own : i < e->stop ? e->stop : e->end;
        const uint64_t left = until - i < range->n - at ? until - i : range->n - at;
        const size_t n = left < STEP ? (size_t)left : STEP;
        if (i >= e->own && i < e->stop)
            TSR_TRY(stream_file_read(wide, &r->files.pos[range->level], (i - e->own + e->skip) * sizeof *wide,
                                     n * sizeof *wide, err));
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
    const extent *const e = find_extent(r, r->ranks->rank, range);
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

static tsr_status write_at(int fd, const unsigned char *p, size_t nbytes, uint64_t offset, const char *path,
                           tsr_error *err)
{
    while (nbytes > 0) {
        const ssize_t n = pwrite(fd, p, nbytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return tsr_fail_errno(err, n < 0 ? errno : ENOSPC, path, "cannot write");
        p += n;
        offset += (uint64_t)n;
        nbytes -= (size_t)n;
    }
    return TSR_OK;
}

/* Write what this rank has of one array. */
static tsr_status write_array(ranked *r, int fd, const request *q, int k, unsigned char *room, tsr_error *err)
{
    tsr_part_range range = {q->placed[k].part, q->placed[k].level, 0, UINT64_MAX};
    const extent *const e = find_extent(r, r->ranks->rank, &range);
    const size_t width = find_width(r, &range);
    for (uint64_t i = e->start; i < e->end; i += range.n) {
        range.first = i;
        range.n = e->end - i < WRITE_NBYTES / width ? e->end - i : WRITE_NBYTES / width;
        TSR_TRY(load_own(room, r, &range, err));
        TSR_TRY(write_at(fd, room, range.n * width, q->placed[k].offset + i * width, q->path, err));
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
    for (int k = 0; status == TSR_OK && k < q->nplaced; k++)
        status = write_array(r, fd, q, k, room, err);
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
        status = tsr_alloc_array(&places, n, sizeof(place), 1, "pieces", err);
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
