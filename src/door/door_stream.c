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
#include "tsr_shown.h"

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

enum {
    HEAD_NBYTES = 1 << 19, /* more than tsr_input_peek takes, also of gzip */
    FIRST_NBYTES = 1 << 14 /* of what is read at any place: enough for most headers */
};

static tsr_status boasted(const tessera_source *from, int64_t got, size_t most, tsr_error *err)
{
    return tsr_fail_at(err, TSR_IO, from->name, 0, 0,
                       "the caller's function says that it read %" PRId64
                       " bytes of the %zu that were asked for",
                       got, most);
}

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
        return boasted(from, got, most, err);
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

/* Whether only those bytes are fetched that are read, if the function gives any byte: of HDF5, also behind MATLAB's first 512 bytes,
 * and of ZIP archives. The other readers take files as the system has them. */
static bool is_fetched(const reader *r)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n", zip[] = "PK\3\4";
    enum { N = sizeof hdf5 - 1, USER_BLOCK = 512 };
    if (!r->from.random || r->nhead < N)
        return false;
    return memcmp(r->head, hdf5, N) == 0 || memcmp(r->head, zip, sizeof zip - 1) == 0 ||
           (r->nhead >= USER_BLOCK + N && memcmp(r->head + USER_BLOCK, hdf5, N) == 0);
}

static tsr_status read_head(reader *r)
{
    r->head = tsr_malloc(HEAD_NBYTES);
    if (!r->head)
        return tsr_fail(r->call->err, TSR_NOMEM, "out of memory: the first bytes of a stream");
    while (r->nhead < HEAD_NBYTES && !r->ended && !is_fetched(r)) {
        const size_t most = r->from.random && r->nhead == 0 ? FIRST_NBYTES : HEAD_NBYTES - r->nhead;
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

/* Bytes of a file of a folder. */
static tsr_status fetch_member(int64_t *n, void *ctx, const tsr_fetched_part *part, tsr_error *err)
{
    const tessera_source *const from = &((const reader *)ctx)->from;
    TSR_TRY(tsr_interrupt_check(err));
    const int64_t got = from->get(from->user, part->name, part->offset, part->out, part->room);
    TSR_TRY(tsr_interrupt_check(err)); /* the function may have asked for it */
    *n = got < 0 ? -1 : got;
    char shown[TSR_SHOWN_NBYTES];
    if (got < 0 && !(got == -2 && part->offset == 0))
        return tsr_fail_at(err, TSR_IO, from->name, 0, 0,
                           "the caller's function cannot read '%s' after %" PRIu64 " bytes",
                           tsr_show(shown, part->name), part->offset);
    if (got > 0 && (uint64_t)got > part->room)
        return boasted(from, got, part->room, err);
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

/* The source as a file or a folder, in which only what is read comes from the caller where that is possible. */
typedef struct placed {
    spool spool;
    tsr_fetched *file;
    tsr_fetched_folder *folder;
} placed;

static tsr_status place(placed *p, reader *r)
{
    tsr_error *const err = r->call->err;
    tsr_text *const path = &p->spool.path;
    TSR_TRY(spool_init(&p->spool, r->from.name, r->call));
    if (r->from.get) {
        const tsr_codec *codec;
        TSR_TRY(tsr_fetched_folder_new(&p->folder, path->s, fetch_member, r, err));
        if (tsr_codec_by_content(&codec, path->s, NULL) != TSR_OK)
            return tsr_fail_at(err, TSR_UNSUPPORTED, r->from.name, 0, 0,
                               "is a folder without a Zarr group or array");
    } else if (is_fetched(r)) {
        TSR_TRY(tsr_fetched_new(&p->file, path->s, r->from.nbytes, fetch, r, err));
        (void)tsr_fetched_need(p->file, 0, 1); /* the kind of file is found from the first bytes */
    } else {
        TSR_TRY(spool_fill(&p->spool, r));
    }
    if (r->from.object)
        tsr_text_addf(path, ":%s", r->from.object);
    return tsr_text_status(path, err);
}

/* What did not come is an error, also where the reader went on without it. */
static tsr_status all_came(const placed *p, tsr_status status, tsr_error *err)
{
    const tsr_error *const fault = p->folder ? tsr_fetched_folder_error(p->folder)
                                   : p->file ? tsr_fetched_error(p->file)
                                             : NULL;
    if (!fault || fault->status == TSR_OK)
        return status;
    *err = *fault;
    return fault->status;
}

static tsr_status placed_clear(placed *p, tsr_status status, const door_call *call)
{
    tsr_fetched_free(p->file);
    tsr_fetched_folder_free(p->folder);
    return spool_clear(&p->spool, status, call);
}

static tsr_status read_placed(tessera_tensor **out, const tsr_codec *codec, door_reading *how, reader *r)
{
    const door_call *const call = r->call;
    placed p = {.spool.name = r->from.name};
    tsr_data data = {0};
    tsr_status status = place(&p, r);
    const char *const path = tsr_text_cstr(&p.spool.path);
    how->read.observer = &p.spool.observer;
    if (status == TSR_OK)
        status = door_check_codec_options(&how->options, path, call->err);
    if (status == TSR_OK)
        status = tsr_read_selected(&data, path, codec, &how->read, call->err);
    status = all_came(&p, status, call->err);
    if (status == TSR_OK)
        status = door_shape_read(out, &data, path, how, call);
    else
        tsr_data_clear(&data);
    return placed_clear(&p, status, call);
}

static tsr_status take_source(reader *r, const tessera_source *given)
{
    tsr_error *const err = r->call->err;
    tessera_source *const from = &r->from;
    TSR_TRY(door_need(given, "source", err));
    TSR_TRY(door_options(from, sizeof *from, given, "tessera_source", err));
    const int n = (from->data != NULL) + (from->read != NULL) + (from->get != NULL);
    if (n == 0)
        return tsr_fail(err, TSR_ARGUMENT, "the source has neither data nor a function that reads");
    if (n > 1)
        return tsr_fail(err, TSR_ARGUMENT, "the source has %s: give one of them",
                        from->get ? "a function of a folder and more" : "data and a function that reads");
    if (from->random && (!from->read || from->nbytes == 0))
        return tsr_fail(err, TSR_ARGUMENT,
                        "reading at any place needs a function that reads, and the number of bytes");
    if (!from->name || !*from->name)
        from->name = "stream";
    return TSR_OK;
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
    TSR_TRY(take_source(&r, given));
    TSR_TRY(door_take_reading(&how, &codec, options, call));
    tsr_status status = r.from.get ? TSR_OK : read_head(&r);
    if (status == TSR_OK && !r.from.get && !is_fetched(&r))
        status = read_stream(&done, &data, codec, &how.read, &r);
    if (status == TSR_OK && done)
        status = door_shape_read(out, &data, r.from.name, &how, call);
    else if (status == TSR_OK)
        status = read_placed(out, codec, &how, &r);
    tsr_free(r.head);
    return status;
}

tessera_status tessera_read_source(tessera_tensor **out, const tessera_source *source,
                                   const tessera_read_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    return door_end(&call, read_source(out, source, options, &call));
}

static tsr_status info_placed(tsr_text *text, const tessera_info_options *o, reader *r)
{
    placed p = {.spool.name = r->from.name};
    tsr_status status = place(&p, r);
    door_call inside = *r->call;
    inside.observer = &p.spool.observer;
    if (status == TSR_OK)
        status = door_file_facts(text, p.spool.path.s, r->from.name, o, &inside);
    return placed_clear(&p, all_came(&p, status, r->call->err), r->call);
}

tessera_status tessera_info_source(char **out, const tessera_source *source,
                                   const tessera_info_options *options, tessera_context *ctx)
{
    const door_call call = door_begin(ctx);
    reader r = {.call = &call};
    tessera_info_options o;
    tsr_text text = {0};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(door_need(out, "result", call.err));
    *out = NULL;
    TSR_TRY_OUT(take_source(&r, source));
    TSR_TRY_OUT(door_options(&o, sizeof o, options, "tessera_info_options", call.err));
    if (!r.from.get)
        TSR_TRY_OUT(read_head(&r));
    TSR_TRY_OUT(info_placed(&text, &o, &r));
    status = tsr_text_take(out, &text, call.err);
out:
    tsr_free(r.head);
    tsr_text_clear(&text);
    return door_end(&call, status);
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
