/* Reading a file in pieces: see tsr_reader.h. */
#include "codec_internal.h"

#include <string.h>

#include "tsr_feed.h"
#include "tsr_pack.h"

struct tsr_reader {
    tsr_reader_info info;
    tsr_reader_source source;
    tsr_status status; /* of the last call of `next` */
    tsr_error fault;
    char *path;       /* owned, for messages */
    tsr_input *input; /* owned: opened to choose the codec; NULL: the codec opens the path */
};

/* ---- a tensor in memory, in pieces ---- */

enum { PIECE = 1 << 16 };

typedef struct whole {
    tsr_coo *coo;                 /* owned */
    uint64_t at;                  /* the next entry */
    uint64_t *crd[TSR_MAX_ORDER]; /* owned: PIECE coordinates of each mode */
} whole;

static tsr_status next_of_whole(tsr_piece *out, tsr_reader_info *info, void *state, tsr_error *err)
{
    whole *const w = state;
    const tsr_coo *const coo = w->coo;
    (void)info;
    (void)err;
    *out = (tsr_piece){
        .n = coo->nnz - w->at < PIECE ? coo->nnz - w->at : PIECE, .iso = coo->iso, .type = coo->type};
    for (int m = 0; m < coo->order; m++) {
        tsr_array_load(w->crd[m], &coo->crd[m], w->at, out->n);
        out->crd[m] = w->crd[m];
    }
    out->values = (const char *)coo->values.data + (coo->iso ? 0 : w->at * coo->values.width);
    w->at += out->n;
    return TSR_OK;
}

static void close_whole(void *state)
{
    whole *const w = state;
    tsr_coo_free(w->coo);
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_free(w->crd[m]);
    tsr_free(w);
}

/* Make a source of the data, which are used up. */
static tsr_status open_whole(tsr_reader *reader, tsr_data *data, int nthreads, tsr_error *err)
{
    tsr_status status = TSR_OK;
    whole *const w = tsr_calloc(1, sizeof *w);
    if (!w)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    reader->source = (tsr_reader_source){.state = w, .next = next_of_whole, .close = close_whole};
    w->coo = data->coo;
    data->coo = NULL;
    if (!w->coo)
        TSR_TRY(tsr_unpack(&w->coo, data->tensor, nthreads, err));
    tsr_data_clear(data);
    const tsr_coo *const coo = w->coo;
    for (int m = 0; m < coo->order && status == TSR_OK; m++) {
        w->crd[m] = tsr_malloc(PIECE * sizeof *w->crd[m]);
        if (!w->crd[m])
            status = tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    tsr_reader_info *const info = &reader->info;
    info->order = coo->order;
    info->has_dims = info->has_nnz = true;
    memcpy(info->dims, coo->dims, sizeof info->dims);
    info->nnz = coo->nnz;
    info->type = coo->type;
    info->structure = coo->structure;
    info->has_fill = coo->has_fill;
    memcpy(info->fill, coo->fill, sizeof info->fill);
    return status;
}

/* ---- a feed as a source ---- */

static tsr_status next_of_feed(tsr_piece *out, tsr_reader_info *info, void *state, tsr_error *err)
{
    tsr_feed *const feed = state;
    tsr_run run;
    TSR_TRY(tsr_feed_next(&run, feed, err));
    *out = (tsr_piece){.n = run.n, .iso = feed->facts.iso, .values = run.values, .type = run.type};
    for (int m = 0; m < info->order; m++)
        out->crd[m] = run.crd[m];
    if (!info->has_nnz)
        info->nnz += run.n;
    info->has_nnz = info->has_nnz || run.n == 0;
    return TSR_OK;
}

static void close_feed(void *state)
{
    tsr_feed_close(state);
}

/* Make a source of the feed. A number of entries that is not known is counted on the way. */
static void use_feed(tsr_reader *reader, tsr_feed *feed)
{
    const tsr_facts *const facts = &feed->facts;
    tsr_reader_info *const info = &reader->info;
    reader->source = (tsr_reader_source){.state = feed, .next = next_of_feed, .close = close_feed};
    info->bounded = true;
    info->order = facts->order;
    info->has_dims = facts->has_dims;
    memcpy(info->dims, facts->dims, sizeof info->dims);
    info->has_nnz = facts->has_nnz;
    info->nnz = facts->has_nnz ? facts->nnz : 0;
    info->type = facts->type;
    info->structure = facts->structure;
    info->has_fill = facts->has_fill;
    memcpy(info->fill, facts->fill, sizeof info->fill);
}

/* ---- readers ---- */

/* Open with the codec: in pieces if it can, else read the whole tensor. */
static tsr_status open_with(void *out, const char *path, const tsr_codec *codec,
                            const tsr_read_options *options, tsr_error *err)
{
    tsr_reader *const reader = out;
    tsr_data data = {0};
    reader->info.codec = codec;
    if (codec->open) {
        reader->info.bounded = true;
        TSR_TRY(codec->open(&reader->source, &reader->info, path, options, err));
        if (reader->source.next)
            return TSR_OK;
        data = reader->source.whole;
        reader->source.whole = (tsr_data){0};
        reader->info = (tsr_reader_info){.codec = codec}; /* not this file */
    }
    tsr_feed *feed = NULL;
    if (!codec->open && codec->feed) {
        tsr_error why = {0};
        const tsr_status status = codec->feed(&feed, path, options, &why);
        if (status == TSR_OK)
            use_feed(reader, feed);
        if (status != TSR_OK && status != TSR_UNSUPPORTED && err)
            *err = why;
        if (status != TSR_UNSUPPORTED)
            return status;
    }
    const bool done = data.coo || data.tensor;
    if (!done && !codec->read)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s files can only be written", codec->name);
    tsr_status status = done ? TSR_OK : codec->read(&data, path, options, err);
    if (status == TSR_OK)
        status = open_whole(reader, &data, options->nthreads, err);
    tsr_data_clear(&data);
    return status;
}

tsr_status tsr_reader_open(tsr_reader **out, const char *path, const tsr_codec *codec,
                           const tsr_read_options *options, tsr_error *err)
{
    *out = NULL;
    tsr_reader *const reader = tsr_calloc(1, sizeof *reader);
    if (!reader)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    reader->path = tsr_strdup(path);
    tsr_codec_call call = {reader->path, codec, options, open_with, reader, NULL}; /* codecs keep the path */
    const tsr_status status =
        reader->path ? tsr_codec_use(&call, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    reader->input = call.opened;
    if (status == TSR_OK) {
        *out = reader;
    } else {
        tsr_error_set_path(err, path);
        tsr_reader_free(reader);
    }
    return status;
}

const tsr_reader_info *tsr_reader_about(const tsr_reader *reader)
{
    return &reader->info;
}

tsr_status tsr_reader_next(tsr_piece *out, tsr_reader *reader, tsr_error *err)
{
    *out = (tsr_piece){.n = 0};
    if (reader->status == TSR_OK) {
        reader->status = reader->source.next(out, &reader->info, reader->source.state, &reader->fault);
        if (reader->status != TSR_OK)
            tsr_error_set_path(&reader->fault, reader->path);
    }
    if (reader->status != TSR_OK) {
        *out = (tsr_piece){.n = 0};
        if (err)
            *err = reader->fault;
    }
    return reader->status;
}

void tsr_reader_free(tsr_reader *reader)
{
    if (!reader)
        return;
    if (reader->source.close)
        reader->source.close(reader->source.state);
    tsr_input_free(reader->input);
    tsr_free(reader->path);
    tsr_free(reader);
}
