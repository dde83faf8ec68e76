/* A feed of several files, one after the other: the parts of one tensor, or tensors that are joined along a mode. See tsr_stream_files.
 *
 * Places are those of the files, one after the other. A file that cannot be read from any place counts as one entry that begins where the
 * file does, so that a range of places has all of it or nothing, and reading is not continued inside it. One file is open at a time. */
#include <string.h>

#include "tsr_codec.h"
#include "tsr_files.h"
#include "tsr_parallel.h"
#include "tsr_stream.h"

typedef struct member {
    char *path;      /* owned */
    uint64_t base;   /* where its places begin */
    uint64_t shift;  /* added to the coordinates of the mode `along` */
    uint64_t length; /* places, at least 1 */
    bool can_seek, expands;
} member;

/* A run whose coordinates are shifted, or whose one value is repeated: one for each thread. */
typedef struct changed_run {
    void *crd, *values;
    uint64_t ncrd, nvalues; /* room: coordinates; bytes */
    tsr_error err;
} changed_run;

typedef struct files {
    tsr_feed base; /* first */
    const tsr_codec *codec;
    tsr_read_options read;
    tsr_stream_change change; /* of one triangle to both */
    int n, along;             /* files; the mode, or -1 */
    member *file;             /* n, owned */
    int at;                   /* the file that is read next, or is open; n: none */
    tsr_feed *feed;           /* of file `at`, or NULL */
    uint64_t first, end;      /* the range of places */
    bool declared;            /* all files so far have dims in their headers */
    int nruns;
    changed_run *run; /* nruns, owned */
} files;

/* ---- one file ---- */

/* A file that is read only as a whole, as a feed of its entries. */
typedef struct held {
    tsr_feed base; /* first */
    tsr_coo *coo;
    uint64_t *crd; /* HELD_RUN for each mode */
} held;

enum { HELD_RUN = 1 << 16 };

static tsr_status held_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    held *const h = (held *)feed;
    const tsr_coo *const coo = h->coo;
    (void)err;
    run->n = coo->nnz - feed->place < HELD_RUN ? coo->nnz - feed->place : HELD_RUN;
    if (run->n == 0)
        return TSR_OK;
    for (int m = 0; m < coo->order; m++) {
        uint64_t *const crd = h->crd + (size_t)m * HELD_RUN;
        tsr_array_load(crd, &coo->crd[m], feed->place, run->n);
        run->crd[m] = crd;
    }
    run->values = (const unsigned char *)coo->values.data + (coo->iso ? 0 : feed->place * coo->values.width);
    run->type = coo->type;
    feed->place += run->n;
    return TSR_OK;
}

static tsr_status held_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    (void)first, (void)end, (void)err; /* the whole */
    feed->place = 0;
    return TSR_OK;
}

static void held_close(tsr_feed *feed)
{
    held *const h = (held *)feed;
    tsr_coo_free(h->coo);
    tsr_free(h->crd);
    tsr_free(h);
}

static const tsr_feed_type held_type = {.next = held_next, .seek = held_seek, .close = held_close};

static tsr_status open_held(tsr_feed **out, const char *path, const files *f, tsr_error *err)
{
    tsr_data data = {0};
    void *crd = NULL;
    tsr_status status;
    held *const h = tsr_calloc(1, sizeof *h);
    *out = NULL;
    if (!h)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    TSR_TRY_OUT(tsr_read(&data, path, f->codec, &f->read, err));
    if (data.tensor)
        TSR_TRY_OUT(tsr_unpack(&data.coo, data.tensor, f->read.nthreads, err));
    const tsr_coo *const coo = data.coo;
    if (coo->order == 0)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "a scalar is not one of several files"));
    TSR_TRY_OUT(
        tsr_alloc_array(&crd, (uint64_t)coo->order * HELD_RUN, sizeof *h->crd, 0, "a run of entries", err));
    h->base = (tsr_feed){.type = &held_type, .length = coo->nnz, .can_rewind = true, .labels = data.labels};
    h->base.facts = (tsr_facts){.order = coo->order,
                                .has_dims = true,
                                .has_nnz = true,
                                .nnz = coo->nnz,
                                .type = coo->type,
                                .iso = coo->iso,
                                .structure = coo->structure,
                                .has_fill = coo->has_fill};
    memcpy(h->base.facts.dims, coo->dims, sizeof coo->dims);
    memcpy(h->base.facts.fill, coo->fill, sizeof coo->fill);
    h->crd = crd;
    h->coo = data.coo;
    data.coo = NULL;
    data.labels = NULL;
    *out = &h->base;
out:
    tsr_data_clear(&data);
    if (!*out)
        tsr_free(h);
    return status;
}

static tsr_status open_file(tsr_feed **out, const files *f, const char *path, tsr_error *err)
{
    const tsr_status status = tsr_feed_open(out, path, f->codec, &f->read, err);
    return status == TSR_UNSUPPORTED ? open_held(out, path, f, err) : status;
}

static tsr_status plan_expanding(void *ctx, tsr_facts *facts, tsr_error *err)
{
    (void)ctx, (void)err;
    facts->structure = TSR_GENERAL;
    return TSR_OK;
}

static tsr_status expand(void *ctx, tsr_coo **coo, tsr_error *err)
{
    (void)ctx;
    return tsr_coo_expand(*coo, err);
}

static void end_file(files *f)
{
    tsr_feed_close(f->feed);
    f->feed = NULL;
    f->at++;
    f->base.place = f->at < f->n ? f->file[f->at].base : f->base.length;
}

/* Open the file that comes next in the range. f->feed is NULL: there are no more. */
static tsr_status begin_file(files *f, tsr_error *err)
{
    while (!f->feed && f->at < f->n) {
        const member *const file = &f->file[f->at];
        const uint64_t first = f->first > file->base ? f->first - file->base : 0;
        if (file->base >= f->end)
            f->at = f->n;
        if (f->at == f->n || first >= file->length || (first > 0 && !file->can_seek)) {
            f->at += f->at < f->n;
            continue;
        }
        TSR_TRY(open_file(&f->feed, f, file->path, err));
        if (file->expands) {
            tsr_feed *const inner = f->feed;
            const tsr_facts facts = inner->facts;
            f->feed = NULL;
            TSR_TRY(tsr_stream_changed(&f->feed, inner, &facts, &f->change, err));
        }
        if (file->can_seek && (first > 0 || f->end - file->base < file->length))
            TSR_TRY(tsr_feed_seek(
                f->feed, first, f->end - file->base < file->length ? f->end - file->base : UINT64_MAX, err));
        f->base.place = file->base + first;
        f->base.unsteady = !file->can_seek;
    }
    return TSR_OK;
}

static uint64_t place_in(const files *f, uint64_t place)
{
    const member *const file = &f->file[f->at];
    return file->base + (place < file->length || file->can_seek ? place : file->length - 1);
}

/* ---- runs ---- */

static tsr_status grow(void **room, uint64_t *had, uint64_t n, size_t width, tsr_error *err)
{
    if (n <= *had)
        return TSR_OK;
    tsr_free(*room);
    *room = NULL;
    *had = 0;
    TSR_TRY(tsr_alloc_array(room, n, width, 0, "a run of entries", err));
    *had = n;
    return TSR_OK;
}

/* Give the run of the open file the coordinates and values of the whole. */
static tsr_status change_run(tsr_run *run, const files *f, changed_run *to, tsr_error *err)
{
    const uint64_t shift = f->file[f->at].shift;
    if (shift > 0) {
        TSR_TRY(grow(&to->crd, &to->ncrd, run->n, sizeof(uint64_t), err));
        uint64_t *const crd = to->crd;
        for (uint64_t i = 0; i < run->n; i++)
            crd[i] = run->crd[f->along][i] + shift;
        run->crd[f->along] = crd;
        run->max = NULL;
    }
    if (f->feed->facts.iso && !f->base.facts.iso) {
        const size_t width = tsr_type_nbytes(run->type);
        TSR_TRY(grow(&to->values, &to->nvalues, run->n * width, 1, err));
        unsigned char *const values = to->values;
        for (uint64_t i = 0; i < run->n; i++)
            memcpy(values + i * width, run->values, width);
        run->values = values;
    }
    return TSR_OK;
}

static tsr_status files_next(tsr_run *run, tsr_feed *feed, tsr_error *err)
{
    files *const f = (files *)feed;
    for (;;) {
        TSR_TRY(begin_file(f, err));
        if (!f->feed)
            return TSR_OK;
        TSR_TRY(tsr_feed_next(run, f->feed, err));
        if (run->n > 0) {
            feed->place = place_in(f, f->feed->place);
            return change_run(run, f, &f->run[0], err);
        }
        end_file(f);
    }
}

/* ---- runs that threads take ---- */

typedef struct sharing {
    files *f;
    const tsr_feed_share *share;
    uint64_t naccepted;
} sharing;

static tsr_status accept_run(void *ctx, int t, uint64_t place, const tsr_run *run, tsr_error *err)
{
    sharing *const s = ctx;
    s->naccepted++;
    return s->share->accept(s->share->ctx, t, place_in(s->f, place), run, err);
}

static bool take_run(void *ctx, int t, uint64_t k, const tsr_run *run)
{
    const sharing *const s = ctx;
    changed_run *const to = &s->f->run[t];
    tsr_run whole = *run;
    return change_run(&whole, s->f, to, &to->err) == TSR_OK && s->share->take(s->share->ctx, t, k, &whole);
}

/* What is left of the open file, by this thread. */
static tsr_status take_rest(sharing *s, tsr_error *err)
{
    files *const f = s->f;
    for (;;) {
        tsr_run run;
        TSR_TRY(tsr_feed_next(&run, f->feed, err));
        if (run.n == 0)
            return TSR_OK;
        f->base.place = place_in(f, f->feed->place);
        TSR_TRY(accept_run(s, 0, f->feed->place, &run, err));
        if (!take_run(s, 0, s->naccepted - 1, &run))
            return tsr_fail_as(err, &f->run[0].err);
    }
}

/* The runs of one file. */
static tsr_status files_spread(bool *more, tsr_feed *feed, uint64_t until, const tsr_feed_share *share,
                               tsr_error *err)
{
    files *const f = (files *)feed;
    sharing s = {.f = f, .share = share};
    bool inside = true;
    TSR_TRY(begin_file(f, err));
    *more = f->feed;
    if (!f->feed)
        return TSR_OK;
    const uint64_t base = f->file[f->at].base;
    const tsr_feed_share inner = {.nthreads = share->nthreads < f->nruns ? share->nthreads : f->nruns,
                                  .ctx = &s,
                                  .accept = accept_run,
                                  .take = take_run};
    if (tsr_feed_can_spread(f->feed)) {
        TSR_TRY(tsr_feed_spread(&inside, f->feed, until > base ? until - base : 0, &inner, err));
        for (int t = 0; t < f->nruns; t++)
            TSR_TRY(tsr_fail_as(err, &f->run[t].err));
        inside = inside && f->file[f->at].can_seek;
        f->base.place = place_in(f, f->feed->place);
        if (inside)
            return TSR_OK;
    }
    TSR_TRY(take_rest(&s, err));
    end_file(f);
    return TSR_OK;
}

static tsr_status files_seek(tsr_feed *feed, uint64_t first, uint64_t end, tsr_error *err)
{
    files *const f = (files *)feed;
    (void)err;
    tsr_feed_close(f->feed);
    f->feed = NULL;
    f->at = 0;
    f->first = first;
    f->end = end;
    feed->place = first < feed->length ? first : feed->length;
    feed->unsteady = false;
    return TSR_OK;
}

static void files_close(tsr_feed *feed)
{
    files *const f = (files *)feed;
    tsr_feed_close(f->feed);
    for (int i = 0; f->file && i < f->n; i++)
        tsr_free(f->file[i].path);
    for (int t = 0; f->run && t < f->nruns; t++) {
        tsr_free(f->run[t].crd);
        tsr_free(f->run[t].values);
    }
    tsr_free(f->file);
    tsr_free(f->run);
    tsr_free(f);
}

static const tsr_feed_type files_type = {
    .next = files_next, .seek = files_seek, .close = files_close, .spread = files_spread};

/* ---- the facts of all ---- */

static bool is_number(const tsr_facts *facts)
{
    return facts->type == TSR_F64 || facts->type == TSR_I64;
}

static bool is_whole(const tsr_facts *facts)
{
    return facts->type == TSR_I64 || facts->integers;
}

/* Values of both: integers and reals of 64 bits become reals; other types must be equal. */
static tsr_status join_types(tsr_facts *all, const tsr_facts *one, const files *f, int i, tsr_error *err)
{
    if (all->type != one->type && !(is_number(all) && is_number(one)))
        return tsr_fail_at(
            err, TSR_ARGUMENT, f->file[i].path, 0, 0,
            "the values are %s, and those of %s are %s: give all files one type with --type, or with "
            "--no-values",
            tsr_type_name(one->type), f->file[0].path, tsr_type_name(all->type));
    if (all->has_fill != one->has_fill ||
        (all->has_fill && memcmp(all->fill, one->fill, sizeof all->fill) != 0))
        return tsr_fail_at(err, TSR_ARGUMENT, f->file[i].path, 0, 0,
                           "cells without an entry have another value than those of %s", f->file[0].path);
    const bool whole = is_whole(all) && is_whole(one), differ = all->type != one->type;
    all->mixed = all->mixed || one->mixed || differ;
    all->type = differ ? TSR_F64 : all->type;
    all->integers = all->type == TSR_F64 && whole;
    all->iso = all->iso && one->iso && all->type == TSR_PATTERN;
    all->has_nnz = all->has_nnz && one->has_nnz;
    all->nnz += one->nnz;
    return TSR_OK;
}

static tsr_status join_dims(tsr_facts *all, const tsr_facts *one, const files *f, int i, tsr_error *err)
{
    for (int m = 0; m < all->order; m++) {
        if (m == f->along) {
            if (one->dims[m] > INT64_MAX - all->dims[m])
                return tsr_fail_at(err, TSR_LIMIT, f->file[i].path, 0, 0,
                                   "the sum of the dims %d is over 2^63 - 1", m);
            f->file[i].shift = all->dims[m];
            all->dims[m] += one->dims[m];
        } else if (f->along >= 0 && f->declared && all->dims[m] != one->dims[m]) {
            return tsr_fail_at(
                err, TSR_ARGUMENT, f->file[i].path, 0, 0,
                "dim %d is %llu, and that of %s is %llu: files that are joined along mode %d have the "
                "same other dims",
                m, (unsigned long long)one->dims[m], f->file[0].path, (unsigned long long)all->dims[m],
                f->along);
        } else if (one->dims[m] > all->dims[m]) {
            all->dims[m] = one->dims[m];
        }
    }
    all->has_dims = all->has_dims && one->has_dims;
    return TSR_OK;
}

static bool same_names(const tsr_names *a, const tsr_names *b)
{
    return a->n == b->n && a->text.nbytes == b->text.nbytes &&
           (a->n == 0 || memcmp(a->text.s, b->text.s, a->text.nbytes) == 0);
}

/* Take the names of file i, which has `dims`: they follow those of the files before along the mode, and are the same in other modes. */
static tsr_status join_labels(files *f, int i, tsr_feed *feed, tsr_error *err)
{
    tsr_labels *const all = f->base.labels, *const one = feed->labels;
    if (i == 0) {
        f->base.labels = one;
        feed->labels = NULL;
        return TSR_OK;
    }
    static const tsr_names none = {0};
    for (int m = 0; m < feed->facts.order; m++) {
        const tsr_names *const mine = all ? &all->modes[m] : &none, *const more =
                                                                        one ? &one->modes[m] : &none;
        if (m != f->along ? !same_names(mine, more) : (mine->n > 0) != (more->n > 0))
            return tsr_fail_at(
                err, TSR_ARGUMENT, f->file[i].path, 0, 0,
                "the names of mode %d differ from those of %s: several files have the same names%s", m,
                f->file[0].path, m == f->along ? ", or all have their own" : "");
        for (uint64_t x = 0; m == f->along && x < more->n; x++) {
            const char *const name = tsr_names_get(more, x);
            TSR_TRY(tsr_names_add(&all->modes[m], name, strlen(name), err));
        }
    }
    return TSR_OK;
}

/* The format that all files have, or NULL. */
static tsr_status join_formats(tsr_format **format, const tsr_facts *one, int i, tsr_error *err)
{
    if (i == 0)
        return one->format ? tsr_format_copy(format, one->format, err) : TSR_OK;
    if (*format && (!one->format || !tsr_format_equal(*format, one->format))) {
        tsr_format_free(*format);
        *format = NULL;
    }
    return TSR_OK;
}

/* Look at file i. Dims that are not declared take a pass over its entries where they matter: those of the mode `along`. */
static tsr_status look_at(files *f, int i, tsr_stream_inputs *in, tsr_structure *structure, tsr_error *err)
{
    tsr_feed *feed;
    member *const file = &f->file[i];
    TSR_TRY(open_file(&feed, f, in->path[i], err));
    tsr_facts one = feed->facts, *const all = &f->base.facts;
    tsr_status status = TSR_OK;
    if (feed->facts.order <= f->along)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_ARGUMENT, in->path[i], 0, 0,
                                "mode %d does not exist: the file has %d modes, numbered from 0", f->along,
                                one.order));
    if (!feed->can_rewind)
        TSR_TRY_OUT(tsr_fail_at(err, TSR_ARGUMENT, in->path[i], 0, 0,
                                "one of several files cannot be a pipe: write it to a file first"));
    f->declared = (i == 0 || f->declared) && one.has_dims;
    if (!one.has_dims)
        memset(one.dims, 0, sizeof one.dims);
    if (!one.has_dims && f->along >= 0) {
        TSR_TRY_OUT(tsr_stream_count(&one, NULL, feed, f->read.observer, err));
        one.type = feed->facts.type;
        one.integers = feed->facts.integers;
        one.mixed = feed->facts.mixed;
    }
    file->can_seek = feed->can_seek;
    file->length = feed->can_seek && feed->length > 0 ? feed->length : tsr_file_nbytes(in->path[i]) + 1;
    file->base = f->base.length;
    f->base.length += file->length;
    file->expands =
        one.structure != TSR_GENERAL; /* unless all files are of one structure, and stay where they are */
    TSR_TRY_OUT(join_formats(&in->format, &one, i, err));
    if (i == 0) {
        *all = one;
        *structure = one.structure;
        all->iso = all->iso && all->type == TSR_PATTERN;
        all->format = NULL;
        all->natural = NULL;
    } else if (one.order != all->order) {
        TSR_TRY_OUT(tsr_fail_at(err, TSR_ARGUMENT, in->path[i], 0, 0, "the file has %d modes, and %s has %d",
                                one.order, in->path[0], all->order));
    } else {
        *structure = *structure == one.structure ? one.structure : TSR_GENERAL;
        TSR_TRY_OUT(join_types(all, &one, f, i, err));
        TSR_TRY_OUT(join_dims(all, &one, f, i, err));
    }
    status = join_labels(f, i, feed, err);
out:
    tsr_feed_close(feed);
    return status;
}

/* Dims of a file that has none in its header are those of its entries, and can be larger than those that other files declare. */
static tsr_status count_dims(files *f, tsr_error *err)
{
    uint64_t dims[TSR_MAX_ORDER];
    tsr_facts final;
    memcpy(dims, f->base.facts.dims, sizeof dims);
    bool declared = false;
    for (int m = 0; m < f->base.facts.order; m++)
        declared = declared || dims[m] > 0;
    if (f->base.facts.has_dims || !declared)
        return TSR_OK;
    TSR_TRY(tsr_stream_count(&final, NULL, &f->base, f->read.observer, err));
    for (int m = 0; m < final.order; m++)
        f->base.facts.dims[m] = dims[m] > final.dims[m] ? dims[m] : final.dims[m];
    f->base.facts.has_dims = true;
    return TSR_OK;
}

static tsr_status look(files *f, tsr_stream_inputs *in, tsr_error *err)
{
    tsr_structure structure = TSR_GENERAL;
    for (int i = 0; i < f->n; i++) {
        f->file[i].path = tsr_strdup(in->path[i]);
        if (!f->file[i].path)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        TSR_TRY(look_at(f, i, in, &structure, err));
    }
    f->base.facts.structure = f->along < 0 ? structure : TSR_GENERAL;
    for (int i = 0; i < f->n; i++)
        f->file[i].expands = f->file[i].expands && f->base.facts.structure == TSR_GENERAL;
    bool expands = false;
    for (int i = 0; i < f->n; i++)
        expands = expands || f->file[i].expands;
    f->base.facts.has_nnz = f->base.facts.has_nnz && !expands;
    return count_dims(f, err);
}

tsr_status tsr_stream_files(tsr_feed **out, tsr_stream_inputs *in, tsr_error *err)
{
    files *const f = tsr_calloc(1, sizeof *f);
    void *memory = NULL;
    tsr_status status;
    *out = NULL;
    in->format = NULL;
    if (!f)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    f->base.type = &files_type;
    f->base.can_seek = f->base.can_rewind = true;
    f->codec = in->codec;
    f->read = *in->read;
    f->read.input = NULL;
    f->change = (tsr_stream_change){.plan = plan_expanding, .apply = expand};
    f->n = in->n;
    f->along = in->along;
    f->end = UINT64_MAX;
    f->nruns = tsr_thread_count(in->read->nthreads);
    TSR_TRY_OUT(tsr_alloc_array(&memory, (uint64_t)f->n, sizeof *f->file, 1, "the input files", err));
    f->file = memory;
    TSR_TRY_OUT(tsr_alloc_array(&memory, (uint64_t)f->nruns, sizeof *f->run, 1, "threads", err));
    f->run = memory;
    status = look(f, in, err);
out:
    if (status == TSR_OK) {
        *out = &f->base;
        return TSR_OK;
    }
    tsr_feed_close(&f->base);
    tsr_format_free(in->format);
    in->format = NULL;
    return status;
}

/* ---- in memory ---- */

/* Room for the entries, which is n where it is known and else grows. */
static tsr_status append_run(tsr_coo *coo, uint64_t *room, const tsr_run *run, tsr_error *err)
{
    const uint64_t nnz = coo->nnz + run->n;
    if (nnz > *room) {
        const uint64_t more = nnz > *room + *room / 2 ? nnz : *room + *room / 2;
        for (int m = 0; m < coo->order; m++)
            TSR_TRY(tsr_array_resize(&coo->crd[m], more, coo->crd[m].width, "an array of coordinates", err));
        if (!coo->iso)
            TSR_TRY(tsr_array_resize(&coo->values, more, coo->values.width, "an array of values", err));
        *room = more;
    }
    for (int m = 0; m < coo->order; m++)
        tsr_array_store(&coo->crd[m], coo->nnz, run->crd[m], run->n);
    if (!coo->iso)
        memcpy((unsigned char *)coo->values.data + coo->nnz * coo->values.width, run->values,
               run->n * coo->values.width);
    else if (coo->nnz == 0)
        memcpy(coo->values.data, run->values, coo->values.width);
    coo->nnz = nnz;
    return TSR_OK;
}

tsr_status tsr_stream_collect(tsr_coo **out, tsr_feed *feed, const tsr_observer *observer, tsr_error *err)
{
    tsr_feed *settled;
    tsr_coo *coo = NULL;
    tsr_status status;
    *out = NULL;
    TSR_TRY(tsr_stream_settled(&settled, feed, observer, err));
    const tsr_facts *const facts = &settled->facts;
    uint64_t room = facts->has_nnz ? facts->nnz : 0;
    TSR_TRY_OUT(
        tsr_coo_new_sized(&coo, (tsr_shape){facts->order, facts->dims}, facts->type, facts->iso, room, err));
    coo->nnz = 0;
    coo->structure = facts->structure;
    coo->has_fill = facts->has_fill;
    memcpy(coo->fill, facts->fill, sizeof coo->fill);
    for (;;) {
        tsr_run run;
        TSR_TRY_OUT(tsr_feed_next(&run, settled, err));
        if (run.n == 0)
            break;
        TSR_TRY_OUT(append_run(coo, &room, &run, err));
    }
    for (int m = 0; m < coo->order; m++)
        coo->crd[m].n = coo->nnz;
    if (!coo->iso)
        coo->values.n = coo->nnz;
    *out = coo;
    coo = NULL;
out:
    tsr_coo_free(coo);
    tsr_feed_close(settled);
    return status;
}
