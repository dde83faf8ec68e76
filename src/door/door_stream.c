/* Reading from memory or through a function of the caller, and writing through one. What reads or writes a stream does so directly,
 * a text above all; the other kinds of files go through a temporary one, since they are read and written to and fro. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "door_file.h"
#include "tsr_fetched.h"
#include "tsr_folder.h"
#include "tsr_input.h"
#include "tsr_output.h"

enum { BLOCK_NBYTES = 1 << 20 };

/* ---- names ---- */

/* The temporary file of a stream. Messages and warnings show the name of the stream instead of that of the file. */
typedef struct spool {
    tsr_folder folder;
    tsr_text path;
    const char *name; /* of the stream; borrowed */
    const tsr_observer *outer;
    tsr_observer observer;
} spool;

static void rename_place(const spool *s, tsr_error *err)
{
    const size_t n = s->folder.path.nbytes;
    if (err && n > 0 && strncmp(err->path, s->folder.path.s, n) == 0)
        snprintf(err->path, sizeof err->path, "%s", s->name);
}

static void warn_renamed(void *ctx, const tsr_error *warning)
{
    const spool *const s = ctx;
    tsr_error own = *warning;
    rename_place(s, &own);
    if (s->outer->warn)
        s->outer->warn(s->outer->ctx, &own);
}

static bool goes_on(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    const spool *const s = ctx;
    return s->outer->progress(s->outer->ctx, phase, done, total);
}

/* Make the folder, and name the file in it like the stream, whose suffix may say what it holds. */
static tsr_status spool_init(spool *s, const char *name, const door_call *call)
{
    const char *const slash = strrchr(name, '/'), *const base = slash ? slash + 1 : name;
    const bool usable = *base && strcmp(base, ".") != 0 && strcmp(base, "..") != 0;
    s->name = name;
    s->outer = call->observer;
    s->observer = (tsr_observer){.ctx = s, .warn = warn_renamed, .progress = goes_on};
    TSR_TRY(tsr_folder_new_temporary(&s->folder, call->err));
    tsr_text_addf(&s->path, "%s/%s", s->folder.path.s, usable ? base : "stream");
    return tsr_text_status(&s->path, call->err);
}

static tsr_status spool_clear(spool *s, tsr_status status, const door_call *call)
{
    rename_place(s, status == TSR_OK ? NULL : call->err);
    tsr_folder_remove(&s->folder);
    tsr_text_clear(&s->path);
    return status;
}

/* ---- reading ---- */

/* Reads the caller's bytes in sequence. The first bytes are kept, so that the reader can go back to the beginning until more than
 * these were asked for: the kind of file is found from them. */
typedef struct reader {
    tessera_source from;
    const door_call *call;
    uint64_t at; /* bytes that were asked of the caller */
    unsigned char *head;
    size_t nhead, given; /* bytes of the head; those that were handed on */
    bool ended;
    bool passed; /* more than the head was handed on */
} reader;

enum { HEAD_NBYTES = 1 << 19 }; /* more than tsr_input_peek takes, also of gzip */

static tsr_status ask(size_t *n, reader *r, void *out, size_t room, tsr_error *err)
{
    const tessera_source *const from = &r->from;
    const uint64_t left = from->nbytes - r->at; /* where the size is known */
    unsigned char more;
    *n = 0;
    TSR_TRY(tsr_interrupt_check(err));
    if (from->data) {
        *n = left < room ? (size_t)left : room;
        memcpy(out, (const char *)from->data + r->at, *n);
        r->at += *n;
        return TSR_OK;
    }
    const bool at_size = from->nbytes > 0 && left == 0; /* look whether there are more */
    const size_t most = at_size ? 1 : from->nbytes > 0 && left < room ? (size_t)left : room;
    const int64_t got = from->read(from->user, r->at, at_size ? &more : out, most);
    TSR_TRY(tsr_interrupt_check(err)); /* the function may have asked for it */
    if (got < 0)
        return tsr_fail_at(err, TSR_IO, from->name, 0, 0,
                           "the caller's function cannot read after %" PRIu64 " bytes", r->at);
    if ((uint64_t)got > most)
        return tsr_fail_at(err, TSR_IO, from->name, 0, 0,
                           "the caller's function says that it read %" PRId64
                           " bytes of the %zu that were asked for",
                           got, most);
    if (at_size && got > 0)
        return tsr_fail_at(err, TSR_IO, from->name, 0, 0,
                           "has more than the %" PRIu64 " bytes that were announced", from->nbytes);
    if (!at_size && got == 0 && from->nbytes > 0)
        return tsr_fail_at(err, TSR_IO, from->name, 0, 0,
                           "ends after %" PRIu64 " of the %" PRIu64 " bytes that were announced", r->at,
                           from->nbytes);
    *n = (size_t)got;
    r->at += *n;
    return TSR_OK;
}

static tsr_status read_bytes(size_t *n, void *out, size_t room, void *ctx, tsr_error *err)
{
    reader *const r = ctx;
    *n = 0;
    if (r->given < r->nhead) {
        *n = r->nhead - r->given < room ? r->nhead - r->given : room;
        memcpy(out, r->head + r->given, *n);
        r->given += *n;
        return TSR_OK;
    }
    if (r->ended)
        return TSR_OK;
    r->passed = true;
    TSR_TRY(ask(n, r, out, room, err));
    r->ended = *n == 0;
    return TSR_OK;
}

/* Whether only those bytes are fetched that are read: of HDF5, also behind MATLAB's first 512 bytes, if the function gives any
 * byte. The other readers take files as the system has them. */
static bool is_fetched(const reader *r)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    enum { N = sizeof signature - 1, USER_BLOCK = 512 };
    if (!r->from.random || r->nhead < USER_BLOCK + N)
        return false;
    return memcmp(r->head, signature, N) == 0 || memcmp(r->head + USER_BLOCK, signature, N) == 0;
}

static tsr_status read_head(reader *r)
{
    r->head = tsr_malloc(HEAD_NBYTES);
    if (!r->head)
        return tsr_fail(r->call->err, TSR_NOMEM, "out of memory: the first bytes of a stream");
    while (r->nhead < HEAD_NBYTES && !r->ended && !is_fetched(r)) {
        const size_t most =
            r->from.random && r->nhead == 0 ? TSR_FETCHED_BLOCK_NBYTES : HEAD_NBYTES - r->nhead;
        size_t n;
        TSR_TRY(ask(&n, r, r->head + r->nhead, most, r->call->err));
        r->nhead += n;
        r->ended = n == 0;
    }
    return TSR_OK;
}

/* Bytes that are asked for at any place. */
static tsr_status fetch(void *ctx, void *out, uint64_t offset, size_t nbytes, tsr_error *err)
{
    reader *const r = ctx;
    for (unsigned char *p = out; nbytes > 0;) {
        size_t n = 0;
        if (offset < r->nhead) {
            n = r->nhead - offset < nbytes ? (size_t)(r->nhead - offset) : nbytes;
            memcpy(p, r->head + offset, n);
        } else {
            r->at = offset;
            TSR_TRY(ask(&n, r, p, nbytes, err));
        }
        p += n;
        offset += n;
        nbytes -= n;
    }
    return TSR_OK;
}

/* Write all bytes to the file. */
static tsr_status spool_fill(const spool *s, reader *r)
{
    tsr_error *const err = r->call->err;
    tsr_output *output;
    const tsr_output_options plain = {.gzip_level = -1};
    char *const block = tsr_malloc(BLOCK_NBYTES);
    if (!block)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a block of a stream");
    tsr_status status = tsr_output_open(&output, s->path.s, &plain, err);
    for (size_t n = 1; status == TSR_OK && n > 0;) {
        status = read_bytes(&n, block, BLOCK_NBYTES, r, err);
        if (status == TSR_OK)
            status = tsr_progress(r->call->observer, "read", r->at, r->from.nbytes, err);
        if (status == TSR_OK && n > 0)
            status = tsr_output_write(output, block, n, err);
    }
    if (status == TSR_OK)
        status = tsr_output_commit(output, err);
    tsr_output_free(output);
    tsr_free(block);
    return status;
}

/* Read the bytes as a stream; *done false: this kind of file is not read so, and the reader is at the beginning again. */
static tsr_status read_stream(bool *done, tsr_data *data, const tsr_codec *codec, tsr_read_options *read,
                              reader *r)
{
    const door_call *const call = r->call;
    const tsr_inflow bytes = {r->from.name, r->from.nbytes, read_bytes, r};
    const tsr_codec *found = codec;
    tsr_input *input;
    *done = false;
    TSR_TRY(tsr_input_open_inflow(&input, &bytes, 0, call->observer, call->err));
    tsr_error unknown;
    if (!found && tsr_codec_of_input(&found, r->from.name, input, &unknown) != TSR_OK)
        found = NULL; /* a file shows more */
    *done = !r->from.object && (found ? found->streams : tsr_input_is_gzip(input));
    read->input = input;
    const tsr_status status = *done ? tsr_read_selected(data, r->from.name, codec, read, call->err) : TSR_OK;
    tsr_input_free(input);
    read->input = NULL;
    if (!*done && r->passed)
        return tsr_fail_at(call->err, TSR_UNSUPPORTED, r->from.name, 0, 0,
                           "the stream cannot be begun again: write it to a file");
    r->given = 0;
    return status;
}

static tsr_status read_spooled(tessera_tensor **out, const tsr_codec *codec, door_reading *how, reader *r)
{
    const door_call *const call = r->call;
    spool s = {.name = r->from.name};
    tsr_fetched *fetched = NULL;
    tsr_data data = {0};
    tsr_status status = spool_init(&s, r->from.name, call);
    if (status == TSR_OK && is_fetched(r))
        status = tsr_fetched_new(&fetched, s.path.s, r->from.nbytes, fetch, r, call->err);
    else if (status == TSR_OK)
        status = spool_fill(&s, r);
    if (status == TSR_OK && r->from.object)
        tsr_text_addf(&s.path, ":%s", r->from.object);
    if (status == TSR_OK)
        status = tsr_text_status(&s.path, call->err);
    how->read.observer = &s.observer;
    if (status == TSR_OK)
        status = door_check_codec_options(&how->options, s.path.s, call->err);
    if (status == TSR_OK)
        status = tsr_read_selected(&data, s.path.s, codec, &how->read, call->err);
    if (status == TSR_OK)
        status = door_shape_read(out, &data, s.path.s, how, call);
    if (status != TSR_OK && fetched && tsr_fetched_error(fetched)->status != TSR_OK) {
        *call->err = *tsr_fetched_error(fetched);
        status = call->err->status;
    }
    tsr_fetched_free(fetched);
    return spool_clear(&s, status, call);
}

static tsr_status read_source(tessera_tensor **out, const tessera_source *given,
                              const tessera_read_options *options, const door_call *call)
{
    reader r = {.call = call};
    door_reading how;
    const tsr_codec *codec;
    tsr_data data = {0};
    bool done = false;
    TSR_TRY(door_need(out, "result", call->err));
    *out = NULL;
    TSR_TRY(door_need(given, "source", call->err));
    TSR_TRY(door_options(&r.from, sizeof r.from, given, "tessera_source", call->err));
    if (!r.from.data && !r.from.read)
        return tsr_fail(call->err, TSR_ARGUMENT, "the source has neither data nor a function that reads");
    if (r.from.data && r.from.read)
        return tsr_fail(call->err, TSR_ARGUMENT,
                        "the source has data and a function that reads: give one of them");
    if (r.from.random && (!r.from.read || r.from.nbytes == 0))
        return tsr_fail(call->err, TSR_ARGUMENT,
                        "reading at any place needs a function that reads, and the number of bytes");
    if (!r.from.name || !*r.from.name)
        r.from.name = "stream";
    TSR_TRY(door_take_reading(&how, &codec, options, call));
    tsr_status status = read_head(&r);
    if (status == TSR_OK && !is_fetched(&r))
        status = read_stream(&done, &data, codec, &how.read, &r);
    if (status == TSR_OK && done)
        status = door_shape_read(out, &data, r.from.name, &how, call);
    else if (status == TSR_OK)
        status = read_spooled(out, codec, &how, &r);
    tsr_free(r.head);
    return status;
}

tessera_status tessera_read_source(tessera_tensor **out, const tessera_source *source,
                                   const tessera_read_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, read_source(out, source, options, &call));
}

/* ---- writing ---- */

typedef struct writer {
    tessera_sink to;
    const door_call *call;
    uint64_t nbytes;
} writer;

static tsr_status write_bytes(const void *bytes, size_t nbytes, void *ctx, tsr_error *err)
{
    writer *const w = ctx;
    TSR_TRY(tsr_interrupt_check(err));
    const int failed = nbytes > 0 ? w->to.write(w->to.user, bytes, nbytes) : 0;
    TSR_TRY(tsr_interrupt_check(err));
    if (failed)
        return tsr_fail_at(err, TSR_IO, w->to.name, 0, 0,
                           "the caller's function cannot write after %" PRIu64 " bytes", w->nbytes);
    w->nbytes += nbytes;
    return TSR_OK;
}

/* Hand the bytes of the file on. */
static tsr_status spool_empty(const spool *s, writer *w)
{
    tsr_error *const err = w->call->err;
    char *const block = tsr_malloc(BLOCK_NBYTES);
    if (!block)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a block of a stream");
    const int fd = open(s->path.s, O_RDONLY | O_CLOEXEC);
    tsr_status status = fd < 0 ? tsr_fail_errno(err, errno, s->path.s, "cannot open") : TSR_OK;
    for (ssize_t n = 1; status == TSR_OK && n > 0;) {
        n = read(fd, block, BLOCK_NBYTES);
        if (n < 0)
            status = tsr_fail_errno(err, errno, s->path.s, "cannot read");
        else
            status = write_bytes(block, (size_t)n, w, err);
    }
    if (fd >= 0)
        (void)close(fd);
    tsr_free(block);
    return status;
}

static bool ends_with(const char *s, const char *tail)
{
    const size_t n = strlen(s), t = strlen(tail);
    return n >= t && strcmp(s + n - t, tail) == 0;
}

static tsr_status write_sink(const tessera_sink *given, const tessera_tensor *tensor,
                             const tessera_write_options *options, const door_call *call)
{
    writer w = {.call = call};
    tsr_write_options write;
    const tsr_codec *codec;
    TSR_TRY(door_need(given, "sink", call->err));
    TSR_TRY(door_need(tensor, "tensor", call->err));
    TSR_TRY(door_options(&w.to, sizeof w.to, given, "tessera_sink", call->err));
    if (!w.to.write)
        return tsr_fail(call->err, TSR_ARGUMENT, "the sink does not have a function that writes");
    if (!w.to.name || !*w.to.name)
        w.to.name = "stream";
    TSR_TRY(door_take_writing(&write, &codec, w.to.name, options, call));
    if (codec->streams) {
        const tsr_sink sink = {write_bytes, &w};
        write.sink = &sink;
        return door_write_tensor(w.to.name, tensor, codec, &write, call);
    }
    if (codec->folders && ends_with(w.to.name, codec->folders))
        return tsr_fail(
            call->err, TSR_UNSUPPORTED,
            "a %s file of this name is a folder, which is not one stream: give a name that ends in .zip",
            codec->name);
    spool s = {.name = w.to.name};
    tsr_status status = spool_init(&s, w.to.name, call);
    write.observer = &s.observer;
    if (status == TSR_OK)
        status = door_write_tensor(s.path.s, tensor, codec, &write, call);
    if (status == TSR_OK)
        status = spool_empty(&s, &w);
    return spool_clear(&s, status, call);
}

tessera_status tessera_write_sink(const tessera_sink *sink, const tessera_tensor *tensor,
                                  const tessera_write_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, write_sink(sink, tensor, options, &call));
}
