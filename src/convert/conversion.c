/* The steps of a conversion in memory: read, shape (symmetry, transformations, packing), write, verify. Each knows only the tables
 * of codecs and formats. */
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

/* ---- the steps ---- */

/* The width of all arrays of the data, where they shall have one. */
static tsr_index_width same_width(const tsr_data *data)
{
    const uint64_t nnz = data->coo ? data->coo->nnz : data->tensor->npos;
    bool fits = nnz <= INT32_MAX;
    for (int m = 0; m < tsr_data_order(data); m++)
        fits = fits && tsr_data_dims(data)[m] <= (uint64_t)INT32_MAX + 1;
    return fits ? TSR_INDEX_32 : TSR_INDEX_64;
}

tsr_index_width tsr_conversion_width(const tsr_conversion *j)
{
    if (j->s->index_same)
        return same_width(&j->data);
    return j->s->index_given || j->index_nbits == 0 ? j->s->pack.index_width
                                                    : tsr_index_width_of(j->index_nbits);
}

/* The order is known after reading only, but a misspelt format is one for any order. */
static tsr_status check_format_text(job *j, tsr_error *err)
{
    tsr_format *format = NULL;
    int index_nbits;
    tsr_error fault = {0};
    const int order = j->s->read.shape_order > 0 ? j->s->read.shape_order : -1;
    const tsr_status status = tsr_format_parse_sized(&format, &index_nbits, j->s->format,
                                                     (tsr_shape){order, NULL}, TSR_F64, &fault);
    tsr_format_free(format);
    if (status != TSR_SYNTAX)
        return TSR_OK;
    *err = fault;
    j->wrong = (tsr_transform_place){"format", j->s->format};
    return status;
}

static tsr_status check_transforms(job *j, tsr_error *err)
{
    j->transforms = (tsr_transform_job){
        .transforms = &j->s->transforms, .read = &j->s->read, .pack = &j->s->pack, .in = j->s->in};
    const tsr_status status = tsr_transforms_check(&j->transforms, err);
    j->wrong = (tsr_transform_place){j->transforms.place.option, j->transforms.place.text};
    return status;
}

tsr_status tsr_conversion_set_shard(settings *s, const char *text, tsr_error *err)
{
    const char *const slash = strchr(text, '/'), *const end = text + strlen(text);
    uint64_t shard, nshards;
    if (strcmp(text, "auto") == 0)
        return tsr_scheduler_part(&s->shard, &s->nshards, TSR_STREAM_MAX_SHARDS, err);
    if (!slash || tsr_parse_u64(&shard, text, slash) != slash ||
        tsr_parse_u64(&nshards, slash + 1, end) != end || shard >= nshards || nshards > TSR_STREAM_MAX_SHARDS)
        return tsr_fail(err, TSR_ARGUMENT,
                        "invalid value '%s': write I/N, such as 0/8, for shard I of N: I is 0 to N-1, and N "
                        "is at most %d; or auto, in a job of Slurm",
                        text, TSR_STREAM_MAX_SHARDS);
    s->shard = (int)shard;
    s->nshards = (int)nshards;
    return TSR_OK;
}

tsr_status tsr_conversion_check(const settings *s, tsr_error *err)
{
    const bool cut = s->join || s->nshards > 0, from_pipe = strcmp(s->in, "-") == 0,
               to_pipe = strcmp(s->out, "-") == 0;
    if (s->verify && to_pipe)
        return tsr_fail(err, TSR_ARGUMENT, "--verify cannot read standard output back: write to a file");
    if (s->join && s->nshards > 0)
        return tsr_fail(err, TSR_ARGUMENT, "--join comes after --shard: use one of them");
    if (cut && (from_pipe || to_pipe))
        return tsr_fail(err, TSR_ARGUMENT, "--shard and --join need files: IN and OUT cannot be -");
    if (cut && s->choose)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--format=auto needs all entries, so it does not work with --shard and --join");
    return TSR_OK;
}

/* What can be refused before anything is read. */
static tsr_status plan(job *j, tsr_error *err)
{
    const settings *const s = j->s;
    TSR_TRY(tsr_conversion_check(s, err));
    if (s->ranks && s->dry_run)
        return tsr_fail(err, TSR_ARGUMENT, "--dry-run works in one process: leave mpirun out");
    if (s->from)
        TSR_TRY(tsr_codec_by_name(&j->from, s->from, err));
    if (!s->to)
        TSR_TRY(tsr_check_not_folder(s->out, err));
    TSR_TRY(tsr_write_plan(&j->to, s->out, s->to, &s->write, err));
    TSR_TRY(tsr_codec_check_given(&s->given, j->from, j->to, "--", err));
    TSR_TRY(tsr_check_output(s->out, s->in, err));
    TSR_TRY(check_transforms(j, err));
    if (s->read.select && (s->ranks || s->nshards > 0 || s->join))
        return tsr_fail(err, TSR_ARGUMENT,
                        "--rows and --cols read a part at once: leave out mpirun, --shard and "
                        "--join");
    return s->format && !s->choose ? check_format_text(j, err) : TSR_OK;
}

static tsr_status read_input(job *j, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    TSR_TRY(tsr_read_selected(&j->data, j->s->in, j->from, &j->s->read, err));
    j->read_s = tsr_conversion_seconds(start);
    j->repaired = j->data.coo && j->data.coo->repaired;
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

/* Pack the data, coordinates or tensor, into `format`. */
static tsr_status pack(job *j, const tsr_format *format, tsr_error *err)
{
    tsr_pack_options how = j->s->pack;
    how.index_width = tsr_conversion_width(j);
    const tsr_status status = tsr_data_pack(&j->data, format, &how, &j->stats, err);
    if (status != TSR_OK && status != TSR_ARGUMENT)
        tsr_error_set_path(err, j->s->in);
    TSR_TRY(status);
    j->packed = true;
    warn_of_padding(j);
    return TSR_OK;
}

/* Bring the data into a form that the codec of the target writes. */
static tsr_status suit_target(job *j, tsr_error *err)
{
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

static tsr_status choose_format(tsr_format **out, job *j, const tsr_format *own, tsr_error *err)
{
    const tsr_data *const data = &j->data;
    const tsr_conversion_known known = {.order = tsr_data_order(data),
                                        .dims = tsr_data_dims(data),
                                        .type = tsr_data_type(data),
                                        .structure = tsr_data_structure(data),
                                        .packed = data->tensor,
                                        .own = own,
                                        .natural = data->coo ? data->coo->natural : NULL,
                                        .repaired = j->repaired};
    return tsr_conversion_choose(out, j, &known, err);
}

/* Symmetry, transformations, packing, and what the target needs. */
static tsr_status shape_data(job *j, tsr_error *err)
{
    const uint64_t start = tsr_now_ns();
    tsr_format *own = NULL, *format = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(prepare_data(&own, j, err));
    TSR_TRY_OUT(choose_format(&format, j, own, err));
    if (format)
        TSR_TRY_OUT(pack(j, format, err));
    TSR_TRY_OUT(suit_target(j, err));
    j->pack_s = tsr_conversion_seconds(start) - j->transform_s - j->choose_s;
out:
    tsr_format_free(own);
    tsr_format_free(format);
    return status;
}

static tsr_status write_output(job *j, tsr_error *err)
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

static tsr_status run(job *j, tsr_error *err)
{
    bool done = false;
    const tsr_status planned = plan(j, err);
    TSR_TRY(j->s->ranks ? tsr_ranks_agree(j->s->ranks, planned, err) : planned);
    j->in_nbytes = tsr_file_nbytes(j->s->in);
    const bool whole = j->s->choose || j->s->index_same || j->s->read.select,
               streams = !whole && tsr_conversion_should_stream(j);
    j->only_copies = !whole && !streams && tsr_conversion_may_copy(j);
    if (streams || j->only_copies)
        TSR_TRY(tsr_conversion_stream(&done, j, err));
    if (done)
        return TSR_OK;
    if (j->s->ranks && j->s->ranks->rank > 0)
        return TSR_OK;              /* rank 0 converts such a tensor as a whole */
    j->sharded = j->s->nshards > 0; /* with nothing to do: the join converts such a tensor as a whole */
    if (j->sharded)
        return TSR_OK;
    TSR_TRY(read_input(j, err));
    TSR_TRY(shape_data(j, err));
    if (j->s->verify)
        TSR_TRY(check_verify_memory(j, err));
    if (j->s->dry_run)
        return tsr_conversion_measure(j, err);
    TSR_TRY(write_output(j, err));
    if (j->s->verify)
        TSR_TRY(verify_output(j, err));
    return TSR_OK;
}

tsr_status tsr_conversion_run(tsr_conversion *j, tsr_error *err)
{
    const settings *const s = j->s;
    TSR_TRY(run(j, err));
    if (s->resume && !j->resumed && !s->dry_run && !(s->ranks && s->ranks->rank > 0))
        tsr_warn(s->read.observer, s->in, 0, "there was nothing to resume: all of the input was converted");
    return TSR_OK;
}

void tsr_conversion_clear(tsr_conversion *j)
{
    tsr_format_free(j->dry.format);
    tsr_text_clear(&j->dry.folder);
    tsr_data_clear(&j->data);
    tsr_text_clear(&j->folder);
    tsr_free(j->shares);
}
