/* A conversion in parts, of tensors larger than memory: the entries are read run by run, packed by tsr_stream_pack, and written piece by
 * piece. The file is the one that a conversion in memory writes. */
#include <stdlib.h>
#include <string.h>

#include "tsr_files.h"
#include "conversion_internal.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

typedef tsr_conversion_settings settings;
typedef tsr_conversion job;
typedef tsr_conversion_way way;
typedef tsr_course conversion;

/* ---- whether ---- */

/* A guess of the memory that a conversion in memory takes: the entries of text as coordinates, a copy while they are sorted,
 * and the packed tensor. An input that cannot be looked at counts as large where a limit is given. */
static double guess_need(const job *j)
{
    enum { PLAIN = 3, COMPRESSED = 12 };
    const double nbytes = (double)j->in_nbytes;
    tsr_input *input;
    bool compressed = false;
    if (j->in_nbytes == 0)
        return j->s->memory_nbytes > 0 ? 1e30 : 0;
    if (tsr_input_open(&input, j->s->in, 0, NULL, NULL) == TSR_OK) {
        compressed = tsr_input_is_gzip(input);
        tsr_input_free(input);
    }
    return nbytes * (compressed ? COMPRESSED : PLAIN);
}

bool tsr_conversion_should_stream(const job *j)
{
    tsr_memory_room room;
    if (j->s->nshards > 0 || j->s->join || j->s->ranks)
        return true;
    if (j->s->source)
        return j->s->source->large;
#ifdef TSR_FAULTS
    if (getenv("TSR_STREAM_BUCKET"))
        return true;
#endif
    /* less memory than LEAST is refused in words, as a tensor in memory is */
    enum { LEAST = 48 << 20, FEW = 2, BUFFERS_NBYTES = 8 << 20 };
    tsr_memory_find_room(&room);
    /* with a limit, the buffers of many threads count, too */
    const int nthreads = j->s->memory_nbytes > 0 ? tsr_thread_count(j->s->pack.nthreads) : 0;
    const double buffers = nthreads > FEW ? (double)(nthreads - FEW) * BUFFERS_NBYTES : 0;
    return room.nbytes >= LEAST && guess_need(j) + buffers > (double)room.nbytes;
}

bool tsr_conversion_may_copy(const job *j)
{
    const settings *const s = j->s;
    uint64_t least = 64 << 20; /* below, a conversion takes no time */
#ifdef TSR_FAULTS
    if (getenv("TSR_COPY_NBYTES"))
        least = 0;
#endif
    return !s->source && j->in_nbytes >= least && s->nmore == 0 && j->to->write_parts &&
           tsr_transforms_permute(&s->transforms) && !s->index_given && !s->verify && !s->labels &&
           s->names.n == 0 && s->write.deflate == 0 && !s->read.has_type && !s->read.repair;
}

/* ---- changes ---- */

static tsr_status plan_way(void *ctx, tsr_facts *facts, tsr_error *err)
{
    way *const w = ctx;
    job *const j = w->j;
    tsr_coo like = {.order = facts->order, .type = facts->type, .has_fill = facts->has_fill};
    memcpy(like.dims, facts->dims, sizeof like.dims);
    if (w->expands)
        facts->structure = TSR_GENERAL;
    j->in_order = facts->order;
    memcpy(j->in_dims, facts->dims, sizeof j->in_dims);
    if (j->s->transforms.n == 0)
        return TSR_OK;
    const tsr_status status = tsr_transform_pass_new(&w->pass, &j->transforms, &like, err);
    j->wrong = (tsr_transform_place){j->transforms.place.option, j->transforms.place.text};
    TSR_TRY(status);
    facts->order = tsr_transform_pass_dims(facts->dims, w->pass);
    return TSR_OK;
}

static tsr_status apply_way(void *ctx, tsr_coo **coo, tsr_error *err)
{
    way *const w = ctx;
    if (w->expands)
        TSR_TRY(tsr_coo_expand(*coo, err));
    return w->pass ? tsr_transform_pass_apply(w->pass, coo, err) : TSR_OK;
}

/* Describe the packed input, with its modes permuted where the transformations do nothing else. */
static tsr_status look(conversion *c, tsr_error *err)
{
    job *const j = c->j;
    const tsr_facts *const facts = &c->feed->facts;
    tsr_parts *const parts = tsr_feed_parts(c->feed);
    if (!facts->format || !facts->has_dims)
        return TSR_OK;
    if (parts)
        TSR_TRY(tsr_tensor_view(&c->packed, parts->tensor, err));
    else
        TSR_TRY(tsr_tensor_new(&c->packed, facts->format, facts->dims, facts->type, err));
    c->packed->structure = facts->structure;
    c->packed->has_fill = facts->has_fill;
    return tsr_conversion_relabel(&c->permuted, j, c->packed, err);
}

/* Put the changes between the feed and what follows. */
static tsr_status change_feed(conversion *c, tsr_error *err)
{
    tsr_facts final = c->feed->facts;
    if (!final.has_dims)
        TSR_TRY(tsr_stream_count(&final, NULL, c->feed, c->j->s->read.observer, err));
    final.integers = c->feed->facts.integers;
    final.mixed = c->feed->facts.mixed;
    final.type = c->feed->facts.type;
    c->way.change = (tsr_stream_change){.ctx = &c->way, .plan = plan_way, .apply = apply_way};
    tsr_feed *const inner = c->feed;
    c->feed = NULL;
    return tsr_stream_changed(&c->feed, inner, &final, &c->way.change, err);
}

/* Symmetry and transformations. Where modes are only permuted, the entries change later, if they are packed at all. */
static tsr_status change_entries(conversion *c, tsr_error *err)
{
    const settings *const s = c->j->s;
    tsr_format *before = NULL;
    tsr_status status = TSR_OK;
    c->way = (way){.j = c->j};
    TSR_TRY(tsr_conversion_expands(&c->way.expands, s, c->feed->facts.structure, err));
    TSR_TRY(look(c, err));
    if (!c->way.expands && s->transforms.n == 0)
        return TSR_OK;
    if (c->j->only_copies && !c->permuted)
        return tsr_fail(err, TSR_UNSUPPORTED, "entries move");
    if (c->feed->facts.format)
        TSR_TRY(tsr_format_copy(&before, c->feed->facts.format, err));
    if (!c->permuted) {
        tsr_tensor_free(c->packed);
        c->packed = NULL;
        TSR_TRY_OUT(change_feed(c, err));
    }
    if (before)
        status = tsr_conversion_keep_own(&c->own, before, c->feed->facts.order,
                                         c->permuted ? c->packed->dims : c->feed->facts.dims, err);
out:
    tsr_format_free(before);
    return status;
}

/* TSR_UNSUPPORTED where the codec writes the packed input as it is, or in another format, which takes the tensor in memory. */
static tsr_status check_entries_target(const conversion *c, tsr_error *err)
{
    const tsr_facts *const facts = &c->feed->facts;
    const tsr_codec *const to = c->j->to;
    const char *instead = NULL;
    tsr_tensor *like;
    if (!facts->format || !to->takes_tensor)
        return TSR_OK;
    TSR_TRY(tsr_tensor_new(&like, facts->format, facts->dims, facts->type, err));
    like->structure = facts->structure;
    const bool takes = to->takes_tensor(like, &instead) || instead;
    tsr_tensor_free(like);
    return takes ? tsr_fail(err, TSR_UNSUPPORTED, "%s writes this format as a whole", to->name) : TSR_OK;
}

/* ---- the format ---- */

static tsr_status change(tsr_conversion_known *known, conversion *c, tsr_error *err)
{
    TSR_TRY(change_entries(c, err));
    const tsr_facts *const facts = &c->feed->facts;
    *known = (tsr_conversion_known){.feed = c->feed,
                                    .order = facts->order,
                                    .type = facts->type,
                                    .structure = facts->structure,
                                    .packed = c->packed,
                                    .own = c->own,
                                    .natural = facts->natural};
    return TSR_OK;
}

/* Where the command line names no storage format and the file cannot hold the one that was chosen, pack into the format that the
 * codec takes instead. */
static tsr_status suit_format(conversion *c, tsr_error *err)
{
    const tsr_codec *const to = c->j->to;
    const tsr_facts *const facts = &c->feed->facts;
    uint64_t dims[TSR_MAX_ORDER];
    const char *instead = NULL;
    tsr_tensor *like;
    if (!c->format || !to->takes_tensor || !to->write_parts || to->write_entries ||
        tsr_format_has_dense_leaf(c->format))
        return TSR_OK;
    for (int m = 0; m < facts->order; m++)
        dims[m] = facts->has_dims ? facts->dims[m] : 1;
    TSR_TRY(tsr_tensor_new(&like, c->format, dims, facts->type, err));
    like->structure = facts->structure;
    like->has_fill = facts->has_fill;
    const bool takes = to->takes_tensor(like, &instead);
    tsr_tensor_free(like);
    if (takes || !instead)
        return TSR_OK;
    tsr_format_free(c->format);
    c->format = NULL;
    c->j->dry.why = "since the file cannot hold the format that the entries had";
    return tsr_format_parse(&c->format, instead, facts->order, NULL, err);
}

/* ---- packing and writing ---- */

/* With ranks, all have the error that one of them has. */
static tsr_status agree(const job *j, tsr_status status, tsr_error *err)
{
    return j->s->ranks ? tsr_ranks_agree(j->s->ranks, status, err) : status;
}

/* The memory for buckets: what the limit leaves beside what the process holds and the buffers of reading and writing. */
static uint64_t find_budget(const job *j)
{
    enum { RESERVE = 24 << 20, LEAST = 16 << 20 };
    tsr_memory_room room;
    tsr_memory_find_room(&room);
    if (j->s->ranks && j->s->memory_nbytes == 0)
        room.nbytes /= (uint64_t)j->s->ranks->nlocal;
    const uint64_t spare = room.nbytes / 16 > RESERVE ? room.nbytes / 16 : RESERVE;
    return room.nbytes > spare + LEAST ? room.nbytes - spare : LEAST;
}

/* The threads that the memory that is left has room for: each holds blocks of the input and buffers of the sorter. */
static int fit_threads(int requested)
{
    enum { LEAST = 2, EACH_NBYTES = 16 << 20 };
    tsr_memory_room room;
    tsr_memory_find_room(&room);
    const uint64_t fit = room.nbytes / EACH_NBYTES, most = fit > LEAST ? fit : LEAST;
    return (uint64_t)tsr_thread_count(requested) > most ? (int)most : requested;
}

/* Whether the arrays keep the widths that they have in the input, as in memory: nothing asks to pack the tensor again. */
static bool keeps_widths(const conversion *c)
{
    const job *const j = c->j;
    const tsr_facts *const facts = &c->feed->facts;
    return facts->format && tsr_format_equal(facts->format, c->format) && !j->s->index_given &&
           !j->s->duplicates_given && j->index_nbits == 0 && j->s->transforms.n == 0 && !c->way.expands;
}

static tsr_status pack(conversion *c, tsr_error *err)
{
    job *const j = c->j;
    const uint64_t start = tsr_now_ns();
    const settings *const s = j->s;
    tsr_stream_options options = {.pack = s->pack, .shard = s->shard, .nshards = s->nshards};
    tsr_stream_stats stats = {0};
    options.pack.nthreads = fit_threads(s->pack.nthreads);
    options.step = s->join ? TSR_STREAM_JOIN : s->nshards > 0 ? TSR_STREAM_SHARD : TSR_STREAM_WHOLE;
    options.pack.index_width = tsr_conversion_width(j);
    options.keeps_widths = keeps_widths(c);
    tsr_status ready = tsr_conversion_identify(c, err);
    if (ready == TSR_OK)
        ready = tsr_conversion_make_folder(c, err);
    TSR_TRY(agree(j, ready, err));
    if (s->join && tsr_conversion_is_whole(c))
        return tsr_fail(err, TSR_UNSUPPORTED, "the join converts this as a whole");
    c->joined = tsr_conversion_was_joined(c);
    if (c->joined) {
        j->sharded = j->was_done = true;
        return TSR_OK;
    }
    options.identity = c->identity.nbytes ? c->identity.s : NULL;
    options.folder = tsr_text_cstr(&c->folder.path);
    options.memory_nbytes = find_budget(j);
    options.ranks = j->s->ranks;
    options.written_nbytes = &c->share.written_nbytes;
    const tsr_status status = tsr_stream_pack(&c->parts, c->feed, c->format, &options, &stats, err);
    if (status != TSR_OK && status != TSR_ARGUMENT)
        tsr_error_set_path(err, j->s->in);
    TSR_TRY(status);
    tsr_text_add(&j->folder, options.folder);
    c->shared = j->s->ranks != NULL;
    const uint64_t written = c->share.written_nbytes;
    c->share = stats.ranks;
    c->share.written_nbytes = written;
    tsr_feed_close(c->feed);
    c->feed = NULL;
    j->packed = true;
    j->stats = stats.pack;
    j->nbuckets = stats.nbuckets;
    j->nread = stats.nread;
    j->was_done = stats.was_done;
    j->sharded = s->nshards > 0;
    j->spilled_nbytes = stats.spilled_nbytes;
    j->pack_s = tsr_conversion_seconds(start);
    return TSR_OK;
}

/* Before the output: read the names of --names, and write those of --labels. data: describes the result. */
static tsr_status prepare_labels(conversion *c, tsr_data data, tsr_error *err)
{
    job *const j = c->j;
    data.labels = c->labels;
    const tsr_status status = tsr_conversion_read_names(&data, &j->s->names, err);
    c->labels = data.labels;
    TSR_TRY(status);
    TSR_TRY(tsr_conversion_check_labels(j->s->labels, c->labels, err));
    if (j->s->labels && !j->s->dry_run)
        TSR_TRY(tsr_conversion_write_labels(j->s->labels, c->labels, err));
    if (j->to->has_labels)
        c->write.labels = c->labels;
    else if (tsr_labels_any(c->labels) && !j->s->labels)
        tsr_warn_dropped_labels(j->s->write.observer, j->s->out, j->to);
    return TSR_OK;
}

/* Whether the codec writes parts of such a tensor as they are. TSR_UNSUPPORTED: it does not write their entries one by one
 * either. */
static tsr_status check_parts(bool *as_they_are, const tsr_codec *to, const tsr_tensor *tensor,
                              tsr_error *err)
{
    const char *instead = NULL;
    *as_they_are = to->write_parts && (!to->takes_tensor || to->takes_tensor(tensor, &instead));
    if (*as_they_are)
        return TSR_OK;
    if (!to->write_entries || instead || (to->takes_tensor && to->takes_tensor(tensor, &instead)))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "a tensor in this format that is larger than memory cannot be written as %s: choose another "
            "storage format with --format, or another file format",
            to->name);
    return TSR_OK;
}

/* Write the parts as they are; *done: the codec takes them. */
static tsr_status write_parts(bool *done, conversion *c, tsr_error *err)
{
    job *const j = c->j;
    TSR_TRY(check_parts(done, j->to, c->parts->tensor, err));
    if (!*done)
        return TSR_OK;
    TSR_TRY(prepare_labels(c, (tsr_data){.tensor = c->parts->tensor}, err));
    if (!j->s->dry_run)
        return j->to->write_parts(j->s->out, c->parts, &c->write, &j->out_nbytes, err);
    j->dry.copies = j->dry.streams = j->dry.counted = true;
    j->out_nbytes = tsr_tensor_nbytes(c->parts->tensor);
    return TSR_OK;
}

/* Keep the description of the packed tensor for the report. */
static void keep_tensor(conversion *c)
{
    c->j->data.tensor = c->parts->tensor;
    c->parts->tensor = NULL;
}

static tsr_status write_entries(conversion *c, tsr_error *err)
{
    job *const j = c->j;
    const tsr_codec *const to = j->to;
    const tsr_facts *const facts = &c->feed->facts;
    const tsr_status able = to->check ? to->check(facts->order, facts->type, err) : TSR_OK;
    tsr_error_set_path(able == TSR_OK ? NULL : err, j->s->out);
    TSR_TRY(able);
    return to->write_entries(j->s->out, c->feed, &c->write, &j->out_nbytes, err);
}

static tsr_status write_output(conversion *c, tsr_error *err)
{
    job *const j = c->j;
    const uint64_t start = tsr_now_ns();
    bool done = false;
    if (c->parts) {
        TSR_TRY(write_parts(&done, c, err));
        if (!done) {
            tsr_parts *const parts = c->parts;
            c->parts = NULL;
            TSR_TRY(tsr_feed_of_parts(&c->feed, parts, err));
        }
    }
    if (!done) {
        tsr_feed *const inner = c->feed;
        c->feed = NULL;
        TSR_TRY(tsr_stream_settled(&c->feed, inner, j->s->read.observer, err));
        tsr_coo like = {.order = c->feed->facts.order};
        memcpy(like.dims, c->feed->facts.dims, sizeof like.dims);
        TSR_TRY(prepare_labels(c, (tsr_data){.coo = &like}, err));
        TSR_TRY(write_entries(c, err));
        j->unpacked = j->packed;
        const tsr_facts *const facts = &c->feed->facts;
        TSR_TRY(tsr_coo_new(&j->data.coo, (tsr_shape){facts->order, facts->dims}, facts->type, err));
        j->data.coo->structure = facts->structure;
        j->data.coo->nnz =
            j->packed ? j->stats.nstored : facts->nnz; /* for the report: there are no arrays */
        j->packed = false;
    }
    if (c->parts)
        keep_tensor(c);
    j->write_s = tsr_conversion_seconds(start);
    return TSR_OK;
}

/* Write the arrays of the packed input as they are, with their widths, where nothing asks for others: no temporary files are needed.
 * *done false: the file does not take them. */
static tsr_status write_as_is(bool *done, conversion *c, tsr_error *err)
{
    job *const j = c->j;
    const uint64_t start = tsr_now_ns();
    tsr_parts *const parts = tsr_feed_parts(c->feed);
    *done = false;
    if (!parts || !j->to->write_parts || j->s->nshards > 0 || j->s->join || (j->s->ranks && c->permuted))
        return TSR_OK;
    if (j->s->ranks)
        return tsr_fail(err, TSR_UNSUPPORTED, "rank 0 writes the arrays as they are");
    tsr_tensor *const own = parts->tensor;
    parts->tensor = c->packed; /* the same arrays, of other modes */
    c->parts = parts;
    const tsr_status status = write_parts(done, c, err);
    c->parts = NULL; /* the feed's */
    parts->tensor = own;
    if (!*done || status != TSR_OK)
        return *done ? status : TSR_OK;
    j->copied = true;
    TSR_TRY(tsr_parts_count(&j->stats.nstored, parts, err));
    j->write_s = tsr_conversion_seconds(start);
    j->data.tensor = c->packed;
    c->packed = NULL;
    return TSR_OK;
}

/* The packed input stays as it is, but its arrays cannot be copied: pack them anew, or write the entries. */
static tsr_status stay_packed(conversion *c, tsr_error *err)
{
    return c->j->to->write_parts ? tsr_format_copy(&c->format, c->packed->format, err)
                                 : check_entries_target(c, err);
}

/* A dry run in which entries would be packed or written: what is known of the result before the work, and the errors that the
 * work would meet before it begins. */
static tsr_status describe(conversion *c, tsr_error *err)
{
    job *const j = c->j;
    tsr_facts final = c->feed->facts;
    tsr_tensor *like = NULL;
    bool as_they_are;
    const tsr_status counted = tsr_stream_count(&final, NULL, c->feed, j->s->read.observer, err);
    if (counted != TSR_UNSUPPORTED) /* a pipe, which can be read only once */
        TSR_TRY(counted);
    j->dry.counted = counted == TSR_OK;
    TSR_TRY(tsr_coo_new(&j->data.coo, (tsr_shape){final.order, final.dims}, final.type, err));
    j->data.coo->structure = final.structure;
    j->data.coo->nnz = final.nnz; /* there are no arrays */
    const tsr_status able = j->to->check ? j->to->check(final.order, final.type, err) : TSR_OK;
    tsr_error_set_path(able == TSR_OK ? NULL : err, j->s->out);
    TSR_TRY(able);
    if (c->format) {
        TSR_TRY(tsr_tensor_new(&like, c->format, final.dims, final.type, err));
        like->structure = final.structure;
        like->has_fill = final.has_fill;
        const tsr_status status = check_parts(&as_they_are, j->to, like, err);
        tsr_tensor_free(like);
        TSR_TRY(status);
        TSR_TRY(tsr_conversion_check_folder(&j->dry.folder, c, err));
    }
    TSR_TRY(prepare_labels(c, (tsr_data){.coo = j->data.coo}, err));
    j->dry.streams = true;
    j->dry.why = c->format ? j->dry.why : NULL;
    j->dry.format = c->format;
    c->format = NULL;
    return TSR_OK;
}

/* What stays as it is is written (*done), else the entries change, and the format suits the file. */
static tsr_status settle_entries(bool *done, conversion *c, tsr_error *err)
{
    *done = false;
    if (!c->format && c->packed) {
        TSR_TRY(write_as_is(done, c, err));
        if (*done)
            return TSR_OK;
        TSR_TRY(stay_packed(c, err));
    }
    if (c->j->only_copies)
        return tsr_fail(err, TSR_UNSUPPORTED, "the arrays are not written as they are");
    if (c->permuted)
        TSR_TRY(change_feed(c, err));
    return c->j->s->format ? TSR_OK : suit_format(c, err);
}

static tsr_status settle(bool *done, conversion *c, tsr_error *err)
{
    const settings *const s = c->j->s;
    TSR_TRY(settle_entries(done, c, err));
    if (*done)
        return TSR_OK;
    if (!c->format && (s->nshards > 0 || s->join || s->ranks))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "entries that keep the sequence of the input are not sorted in shards");
    *done = s->dry_run;
    return s->dry_run ? describe(c, err) : TSR_OK;
}

static tsr_status write_share(conversion *c, tsr_error *err)
{
    const tsr_ranks *const ranks = c->j->s->ranks;
    if (ranks && ranks->rank > 0)
        return tsr_stream_serve(c->parts, err);
    return c->j->sharded ? TSR_OK : write_output(c, err);
}

/* Take the names of the feed, to write them. False: transformations would have to carry them. */
static bool keep_labels(conversion *c)
{
    const job *const j = c->j;
    c->write = j->s->write;
    const bool any = tsr_labels_any(c->feed->labels);
    if (!any && j->s->names.n == 0 && !j->s->labels)
        return true;
    if (j->s->transforms.n > 0)
        return false;
    if (any) {
        c->labels = c->feed->labels;
        c->feed->labels = NULL;
    }
    return true;
}

/* After the output: how it went, and what each rank did. */
static tsr_status end_ranks(conversion *c, tsr_status status, tsr_error *err)
{
    job *const j = c->j;
    const tsr_ranks *const ranks = j->s->ranks;
    TSR_TRY(agree(j, status, err));
    TSR_TRY(ranks->sum(&j->transforms.ndropped, 1, ranks->ctx, err));
    void *shares;
    TSR_TRY(tsr_ranks_gather(&shares, &c->share, sizeof c->share, ranks, "what the ranks did", err));
    j->shares = shares;
    return TSR_OK;
}

static tsr_status open_input(bool *taken, conversion *c, tsr_error *err)
{
    job *const j = c->j;
    tsr_read_options read = j->s->read;
    *taken = false;
    read.only_stored = j->only_copies;
    if (!j->to->write_parts && !j->to->write_entries)
        return TSR_OK;
    read.nthreads = fit_threads(read.nthreads);
    const tsr_conversion_source *const source = j->s->source;
    const tsr_status opened = source            ? source->feed(&c->feed, source->ctx, err)
                              : j->s->nmore > 0 ? tsr_conversion_open_files(&c->feed, &c->own, j, &read, err)
                                                : tsr_feed_open(&c->feed, j->s->in, j->from, &read, err);
    const tsr_status able = agree(j, opened, err);
    if (able != TSR_OK && opened == TSR_OK)
        tsr_feed_close(c->feed);
    if (able == TSR_UNSUPPORTED && strcmp(j->s->in, "-") != 0 && j->s->nmore == 0)
        return TSR_OK;
    TSR_TRY(able);
    c->agrees = j->s->ranks != NULL;
    *taken = keep_labels(c);
    if (*taken && !j->s->verify)
        return TSR_OK;
    tsr_feed_close(c->feed);
    tsr_labels_free(c->labels);
    tsr_format_free(c->own);
    return !*taken ? TSR_OK
                   : tsr_fail(err, TSR_ARGUMENT,
                              "--verify compares in memory: leave it out for shards, for ranks, and for a "
                              "tensor larger than memory");
}

/* Forget what the steps did: others begin anew. */
static void take_back(job *j)
{
    j->packed = j->unpacked = false;
    j->stats = (tsr_pack_stats){0};
    j->wrong = (tsr_transform_place){0};
    tsr_coo_free(j->data.coo); /* of a dry run */
    j->data.coo = NULL;
    tsr_text_clear(&j->dry.folder);
}

static tsr_status end(bool *done, conversion *c, tsr_status status, tsr_error *err)
{
    job *const j = c->j;
    if (status == TSR_UNSUPPORTED && strcmp(j->s->in, "-") != 0) {
        /* a step or a level that needs the tensor in memory: it may fit, and else it is refused with its size */
        *done = false;
        status = TSR_OK;
        take_back(j);
    }
    tsr_feed_close(c->feed);
    tsr_parts_free(c->parts);
    tsr_format_free(c->format);
    tsr_format_free(c->own);
    tsr_tensor_free(c->packed);
    tsr_transform_pass_free(c->way.pass);
    if (c->shared)
        status = end_ranks(c, status, err);
    if (!*done && j->s->nshards > 0)
        tsr_conversion_mark_whole(c);
    tsr_conversion_end_folder(c, status);
    tsr_text_clear(&c->identity);
    tsr_labels_free(c->labels);
    return status;
}

const tsr_conversion_steps tsr_conversion_in_parts = {
    .open = open_input, .change = change, .settle = settle, .pack = pack, .write = write_share, .end = end};
