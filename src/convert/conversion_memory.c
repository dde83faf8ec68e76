/* A conversion in memory: the input is read as a whole, its data change, are packed, and are written. */
#include <string.h>

#include "conversion_internal.h"
#include "tsr_files.h"
#include "tsr_interrupt.h"
#include "tsr_memory.h"
#include "tsr_num.h"
#include "tsr_picked.h"
#include "tsr_write.h"

typedef tsr_conversion_settings settings;
typedef tsr_conversion job;
typedef tsr_course course;

/* Read several inputs. */
static tsr_status collect_files(course *c, tsr_error *err)
{
    job *const j = c->j;
    tsr_feed *feed;
    TSR_TRY(tsr_conversion_open_files(&feed, &c->own, j, &j->s->read, err));
    j->data.labels = feed->labels;
    feed->labels = NULL;
    const tsr_status status = tsr_stream_collect(&j->data.coo, feed, j->s->read.observer, err);
    if (status != TSR_OK)
        tsr_format_free(c->own);
    return status;
}

static tsr_status open_input(bool *taken, course *c, tsr_error *err)
{
    job *const j = c->j;
    const uint64_t start = tsr_now_ns();
    *taken = true;
    const tsr_conversion_source *const source = j->s->source;
    if (source)
        TSR_TRY(source->data(&j->data, source->ctx, err));
    else if (j->s->nmore > 0)
        TSR_TRY(collect_files(c, err));
    else
        TSR_TRY(tsr_read_selected(&j->data, j->s->in, j->from, &j->s->read, err));
    j->read_s = tsr_conversion_seconds(start);
    j->repaired = j->data.coo && j->data.coo->repaired;
    if (!source)
        TSR_TRY(tsr_codec_check_given(&j->s->given, j->data.codec, j->to, "--", err));
    return tsr_conversion_read_names(&j->data, &j->s->names, err);
}

/* Warn of a result that is mostly cells without an entry, in a format that also stores coordinates. */
static void warn_of_padding(const job *j)
{
    enum { MOSTLY = 4, SMALL_NBYTES = 1 << 20 };
    const tsr_tensor *const t = j->data.tensor;
    const uint64_t nbytes = tsr_tensor_nbytes(t);
    tsr_format *nested = NULL;
    tsr_text name = {0}, better = {0};
    char size[32];
    if (nbytes < SMALL_NBYTES || t->npos / MOSTLY < j->stats.nstored || tsr_format_is_dense(t->format))
        return;
    tsr_format_print_name(&name, t->format);
    if (tsr_format_nested(&nested, t->order, t->order == 2, NULL, NULL) == TSR_OK)
        tsr_format_print_name(&better, nested);
    tsr_format_free(nested);
    tsr_warn(j->s->pack.observer, j->s->in, 0,
             "%s takes %s, since it stores %.1f cells for each entry: choose a format without dense blocks, "
             "such as "
             "%s, to save memory",
             tsr_text_cstr(&name), tsr_bytes_text(size, nbytes),
             (double)t->npos / (double)(j->stats.nstored ? j->stats.nstored : 1), tsr_text_cstr(&better));
    tsr_text_clear(&name);
    tsr_text_clear(&better);
}

/* Pack the data, coordinates or tensor. */
static tsr_status pack(course *c, tsr_error *err)
{
    job *const j = c->j;
    const uint64_t start = tsr_now_ns();
    tsr_pack_options how = j->s->pack;
    how.index_width = tsr_conversion_width(j);
    const tsr_status status = tsr_data_pack(&j->data, c->format, &how, &j->stats, err);
    if (status != TSR_OK && status != TSR_ARGUMENT)
        tsr_error_set_path(err, j->s->in);
    TSR_TRY(status);
    j->packed = true;
    j->pack_s += tsr_conversion_seconds(start);
    warn_of_padding(j);
    return TSR_OK;
}

/* Bring the data into a form that the codec of the target writes. */
static tsr_status suit_target(job *j, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    tsr_written done = {0};
    tsr_pack_options how = j->s->pack;
    how.index_width = tsr_conversion_width(j);
    const tsr_status status = tsr_write_suit(&j->data, j->to, &how, &done, err);
    j->unpacked = j->unpacked || done.unpacked;
    if (status != TSR_OK && status != TSR_ARGUMENT && status != TSR_UNSUPPORTED)
        tsr_error_set_path(err, j->s->in);
    if (done.unpacked)
        j->dry.why = NULL;
    if (done.packed) {
        j->dry.why = "since the file cannot hold the format that the entries had";
        j->packed = true;
        j->stats = done.stats;
    }
    j->pack_s += tsr_conversion_seconds(start);
    return status;
}

/* Carry out the transformations on coordinates. */
static tsr_status transform(job *j, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    j->transforms.labels = j->data.labels;
    const tsr_status status = tsr_transforms_run(&j->transforms, &j->data.coo, err);
    j->wrong = (tsr_transform_place){j->transforms.place.option, j->transforms.place.text};
    j->transform_s = tsr_conversion_seconds(start);
    return status;
}

/* Symmetry and transformations, which need coordinates; *own = the format that these were stored in, when it
 * suits what comes out. */
static tsr_status prepare_data(tsr_format **own, job *j, tsr_error *err)
{
    const bool transforms = j->s->transforms.n > 0;
    const uint64_t start = tsr_now_ns();
    tsr_format *before = NULL;
    tsr_status status = TSR_OK;
    bool expands, permuted = false;
    TSR_TRY(tsr_conversion_expands(&expands, j->s, tsr_data_structure(&j->data), err));
    if (!expands && !transforms)
        return TSR_OK;
    if (j->data.tensor) {
        TSR_TRY_OUT(tsr_format_copy(&before, j->data.tensor->format, err));
        j->transforms.labels = j->data.labels;
        TSR_TRY_OUT(tsr_conversion_relabel(&permuted, j, j->data.tensor, err));
        j->transform_s = tsr_conversion_seconds(start);
    }
    if (!permuted) {
        j->unpacked = j->unpacked || j->data.tensor;
        TSR_TRY_OUT(tsr_data_unpack(&j->data, j->s->pack.nthreads, err));
        if (expands)
            TSR_TRY_OUT(tsr_coo_expand(j->data.coo, err));
        j->in_order = j->data.coo->order;
        memcpy(j->in_dims, j->data.coo->dims, sizeof j->in_dims);
        if (transforms)
            TSR_TRY_OUT(transform(j, err));
    }
    if (before)
        status = tsr_conversion_keep_own(own, before, tsr_data_order(&j->data), tsr_data_dims(&j->data), err);
out:
    tsr_format_free(before);
    return status;
}

static tsr_status change(tsr_conversion_known *known, course *c, tsr_error *err)
{
    job *const j = c->j;
    const tsr_data *const data = &j->data;
    const uint64_t start = tsr_now_ns();
    TSR_TRY(prepare_data(&c->own, j, err));
    j->pack_s += tsr_conversion_seconds(start) - j->transform_s;
    *known = (tsr_conversion_known){.order = tsr_data_order(data),
                                    .dims = tsr_data_dims(data),
                                    .type = tsr_data_type(data),
                                    .structure = tsr_data_structure(data),
                                    .packed = data->tensor,
                                    .own = c->own,
                                    .natural = data->coo ? data->coo->natural : NULL,
                                    .repaired = j->repaired};
    return TSR_OK;
}

/* The data are what the conversion asks for. */
static tsr_status settle(bool *done, course *c, tsr_error *err)
{
    (void)c, (void)err;
    *done = false;
    return TSR_OK;
}

static tsr_status write_file(job *j, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    const settings *const s = j->s;
    TSR_TRY(tsr_interrupt_check(err));
    tsr_written done;
    if (s->labels) {
        TSR_TRY(tsr_conversion_write_labels(s->labels, j->data.labels, err));
        if (!j->to->has_labels) { /* they are not dropped now */
            tsr_labels_free(j->data.labels);
            j->data.labels = NULL;
        }
    }
    TSR_TRY(tsr_write(s->out, &j->data, j->to, &s->write, &done, err));
    j->out_nbytes = done.nbytes;
    j->write_s = tsr_conversion_seconds(start);
    return TSR_OK;
}

/* What verifying will hold beside what is written: the same again, as it is read, and where it is packed the
 * entries of both; and room for what no estimate counts (HDF5, blocks that malloc keeps). Told before OUT is
 * written. */
static tsr_status check_verify_memory(const job *j, tsr_error *err)
{
    enum { UNCOUNTED_NBYTES = 8 << 20 };
    const tsr_tensor *const tensor = j->data.tensor;
    double nbytes = 0;
    if (tensor) {
        const bool counted = j->packed || !tsr_format_has_dense_leaf(tensor->format);
        const uint64_t nnz = j->packed ? j->stats.nstored : counted ? tensor->npos : 0;
        nbytes = (double)tsr_tensor_nbytes(tensor) +
                 2 * (double)tsr_coo_nbytes_for((tsr_shape){tensor->order, tensor->dims}, tensor->type, nnz);
    } else {
        nbytes = (double)tsr_coo_nbytes(j->data.coo);
    }
    return tsr_memory_check(nbytes + UNCOUNTED_NBYTES, "--verify", err);
}

/* Read the output back and compare it with what was to be written. */
static tsr_status verify_output(job *j, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    tsr_data back = {0};
    tsr_coo *mine = NULL, *other = NULL;
    tsr_status status = TSR_OK;
    bool same = false;
    const tsr_type type = tsr_data_type(&j->data);
    tsr_read_options read = {.nthreads = j->s->pack.nthreads,
                             .index_base = j->s->write.index_base,
                             .has_type = true,
                             .type = type,
                             .observer = j->s->read.observer};
    if (j->to->has_header) { /* the dims may not be in the text */
        read.shape_order = tsr_data_order(&j->data);
        memcpy(read.shape, tsr_data_dims(&j->data), sizeof read.shape);
    }
    if (j->data.tensor)
        TSR_TRY_OUT(tsr_unpack(&mine, j->data.tensor, j->s->pack.nthreads, err));
    TSR_TRY_OUT(tsr_read(&back, j->s->out, j->to, &read, err));
    if (back.tensor)
        TSR_TRY_OUT(tsr_unpack(&other, back.tensor, j->s->pack.nthreads, err));
    tsr_error difference = {0};
    status = tsr_coo_same(&same, mine ? mine : j->data.coo, other ? other : back.coo, &difference);
    if (status != TSR_OK)
        *err = difference;
    else if (!same)
        status = tsr_fail_at(err, TSR_CORRUPT, j->s->out, 0, 0,
                             "the file differs from what was written when it is read back: %s",
                             difference.message);
    j->verify_s = tsr_conversion_seconds(start);
out:
    tsr_coo_free(mine);
    tsr_coo_free(other);
    tsr_data_clear(&back);
    return status;
}

static tsr_status write_output(course *c, tsr_error *err)
{
    job *const j = c->j;
    TSR_TRY(suit_target(j, err));
    if (j->s->verify)
        TSR_TRY(check_verify_memory(j, err));
    if (j->s->dry_run)
        return tsr_conversion_measure(j, err);
    TSR_TRY(write_file(j, err));
    return j->s->verify ? verify_output(j, err) : TSR_OK;
}

static tsr_status end(bool *done, course *c, tsr_status status, tsr_error *err)
{
    (void)done, (void)err;
    tsr_format_free(c->own);
    tsr_format_free(c->format);
    return status;
}

const tsr_conversion_steps tsr_conversion_in_memory = {
    .open = open_input, .change = change, .settle = settle, .pack = pack, .write = write_output, .end = end};
