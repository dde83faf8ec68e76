/* Feeds: what all kinds share, and feeds over readers. See tsr_feed.h. */
#include "tsr_feed.h"

#include <string.h>
#include <sys/stat.h>

#include "codec_internal.h"
#include "tsr_reader.h"

tsr_status tsr_feed_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    *run = (tsr_run){0};
    return feed->type->next(run, feed, err);
}

bool tsr_feed_can_spread(const tsr_feed *feed)
{
    return feed->type->spread;
}

tsr_status tsr_feed_spread(bool *more, tsr_feed *feed, uint64_t until, const tsr_feed_share *share,
                           tsr_error *err)
{
    return feed->type->spread(more, feed, until, share, err);
}

tsr_status tsr_feed_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    const bool whole = first == 0 && end == UINT64_MAX;
    if (!feed->type->seek || !(feed->can_seek || (whole && feed->can_rewind)))
        return tsr_fail(err, TSR_UNSUPPORTED, "the input can be read once only: write it to a file first");
    return feed->type->seek(feed, first, end, err);
}

void tsr_feed_close(tsr_feed *feed)
{
    if (!feed)
        return;
    tsr_input *const opened = feed->opened;
    tsr_labels_free(feed->labels);
    feed->type->close(feed);
    tsr_input_free(opened);
}

void tsr_parts_free(tsr_parts *parts)
{
    if (parts)
        parts->free(parts);
}

/* ---- a reader as a feed ---- */

typedef struct pieces {
    tsr_feed base; /* first */
    tsr_reader *reader;
    char *path; /* owned */
    const tsr_codec *codec;
    tsr_read_options options;
} pieces;

static tsr_status pieces_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    pieces *const p = (pieces *)feed;
    tsr_piece piece;
    TSR_TRY(tsr_reader_next(&piece, p->reader, err));
    run->n = piece.n;
    for (int m = 0; m < feed->facts.order; m++)
        run->crd[m] = piece.crd[m];
    run->values = piece.values;
    run->type = piece.type;
    feed->place += piece.n;
    if (piece.n > 0 && piece.iso != feed->facts.iso)
        return tsr_fail(err, TSR_UNSUPPORTED, "the pieces of this file are of different kinds");
    return TSR_OK;
}

/* Only back to the beginning: the file is opened again. */
static tsr_status pieces_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    pieces *const p = (pieces *)feed;
    (void)first, (void)end;
    if (feed->place == 0)
        return TSR_OK;
    tsr_reader_free(p->reader);
    p->reader = NULL;
    feed->place = 0;
    return tsr_reader_open(&p->reader, p->path, p->codec, &p->options, err);
}

static void pieces_close(tsr_feed *feed)
{
    pieces *const p = (pieces *)feed;
    tsr_reader_free(p->reader);
    tsr_free(p->path);
    tsr_free(p);
}

static const tsr_feed_type pieces_type = {.next = pieces_next, .seek = pieces_seek, .close = pieces_close};

static bool is_file(const char *path)
{
    const char *object;
    struct stat st;
    char *const file = tsr_path_split(&object, path);
    const bool found = file && strcmp(path, "-") != 0 && stat(file, &st) == 0 &&
                       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
    tsr_free(file);
    return found;
}

/* What the reader knows; the first piece tells whether the values are one for all, and the file is opened again. */
static tsr_status look(pieces *p, tsr_error *err)
{
    const tsr_reader_info *const info = tsr_reader_about(p->reader);
    tsr_facts *const facts = &p->base.facts;
    if (!info->bounded)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s files like this one are read only as a whole",
                        info->codec->name);
    if (info->order == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "a scalar is not read in runs");
    *facts = (tsr_facts){.order = info->order,
                         .has_dims = info->has_dims,
                         .has_nnz = info->has_nnz,
                         .nnz = info->nnz,
                         .type = info->type,
                         .iso = info->type == TSR_PATTERN,
                         .structure = info->structure,
                         .has_fill = info->has_fill};
    memcpy(facts->dims, info->dims, sizeof facts->dims);
    memcpy(facts->fill, info->fill, sizeof facts->fill);
    p->base.length = info->has_nnz ? info->nnz : 0;
    /* the integers of a text may turn out to be the beginning of reals */
    facts->integers = facts->mixed =
        info->codec->streams && !p->options.has_type && (info->type == TSR_F64 || info->type == TSR_I64);
    facts->type = facts->mixed ? TSR_F64 : facts->type;
    p->base.can_rewind = is_file(p->path);
    if (!p->base.can_rewind)
        return TSR_OK;
    tsr_piece piece;
    TSR_TRY(tsr_reader_next(&piece, p->reader, err));
    facts->iso = facts->iso || (piece.n > 0 && piece.iso);
    p->base.place = piece.n;
    return tsr_feed_seek(&p->base, 0, UINT64_MAX, err);
}

static tsr_status open_pieces(tsr_feed **out, const char *path, const tsr_codec *codec,
                              const tsr_read_options *options, tsr_error *err)
{
    pieces *const p = tsr_calloc(1, sizeof *p);
    if (!p)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    p->base.type = &pieces_type;
    p->codec = codec;
    p->options = *options;
    p->options.input = is_file(path) ? NULL : options->input;
    p->path = tsr_strdup(path);
    tsr_status status = p->path ? tsr_reader_open(&p->reader, path, codec, &p->options, err)
                                : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK)
        status = look(p, err);
    if (status != TSR_OK) {
        pieces_close(&p->base);
        return status;
    }
    *out = &p->base;
    return TSR_OK;
}

/* ---- opening ---- */

static tsr_status open_with(void *out, const char *path, const tsr_codec *codec,
                            const tsr_read_options *options, tsr_error *err)
{
    tsr_feed **const feed = out;
    tsr_status status = TSR_UNSUPPORTED;
    if (options->only_stored && !codec->knows_stored)
        (void)tsr_fail(err, status, "%s files have no arrays that are stored as they are", codec->name);
    else if (codec->feed)
        status = codec->feed(feed, path, options, err);
    else if (codec->open)
        status = open_pieces(feed, path, codec, options, err);
    else
        (void)tsr_fail(err, status, "%s files are read only as a whole", codec->name);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

tsr_status tsr_feed_open(tsr_feed **out, const char *path, const tsr_codec *codec,
                         const tsr_read_options *options, tsr_error *err)
{
    tsr_codec_call call = {path, codec, options, open_with, out, NULL};
    *out = NULL;
    const tsr_status status = tsr_codec_use(&call, err);
    if (status == TSR_OK)
        (*out)->opened = call.opened; /* the feed may go on with it */
    else
        tsr_input_free(call.opened);
    return status;
}
