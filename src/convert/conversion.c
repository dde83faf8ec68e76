/* A conversion: what is asked for is checked, then the steps are taken, one after the other, on entries that are in memory or come in
 * parts. */
#include <string.h>

#include "conversion_internal.h"
#include "tsr_files.h"
#include "tsr_num.h"
#include "tsr_write.h"

typedef tsr_conversion_settings settings;
typedef tsr_conversion job;
typedef tsr_course course;
typedef tsr_conversion_steps steps;

/* ---- what can be known before ---- */

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

/* What several inputs do not go with. */
static tsr_status check_files(const settings *s, tsr_error *err)
{
    bool pipe = strcmp(s->in, "-") == 0;
    if (s->along < 0 || s->along > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_ARGUMENT, "inputs cannot be joined along mode %d: modes are numbered from 0",
                        s->along - 1);
    for (int i = 0; i < s->nmore; i++)
        pipe = pipe || strcmp(s->more[i], "-") == 0;
    if (pipe)
        return tsr_fail(err, TSR_ARGUMENT, "several inputs need files: - cannot be one of them");
    if (s->read.select)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--rows and --cols read a part of one file: use --slice with several");
    if (s->read.relabel)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--relabel numbers the names of one file: join the texts first, or convert each");
    return TSR_OK;
}

tsr_status tsr_conversion_check(const settings *s, tsr_error *err)
{
    const bool cut = s->join || s->nshards > 0, from_pipe = strcmp(s->in, "-") == 0,
               to_pipe = strcmp(s->out, "-") == 0;
    if (s->nmore > 0)
        TSR_TRY(check_files(s, err));
    else if (s->along > 0)
        return tsr_fail(err, TSR_ARGUMENT, "--along joins several inputs: name two or more files");
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
    if (!s->source)
        TSR_TRY(tsr_check_output(s->out, s->in, err));
    for (int i = 0; i < s->nmore; i++)
        TSR_TRY(tsr_check_output(s->out, s->more[i], err));
    TSR_TRY(check_transforms(j, err));
    if (s->read.select && (s->ranks || s->nshards > 0 || s->join))
        return tsr_fail(err, TSR_ARGUMENT,
                        "--rows and --cols read a part at once: leave out mpirun, --shard and "
                        "--join");
    return s->format && !s->choose ? check_format_text(j, err) : TSR_OK;
}

/* ---- several inputs ---- */

tsr_status tsr_conversion_open_files(tsr_feed **out, tsr_format **own, const job *j,
                                     const tsr_read_options *read, tsr_error *err)
{
    const settings *const s = j->s;
    const int n = 1 + s->nmore;
    void *paths;
    TSR_TRY(tsr_alloc_array(&paths, (uint64_t)n, sizeof(char *), 0, "the input files", err));
    const char **const path = paths;
    path[0] = s->in;
    for (int i = 0; i < s->nmore; i++)
        path[1 + i] = s->more[i];
    tsr_stream_inputs in = {.n = n, .path = path, .along = s->along - 1, .codec = j->from, .read = read};
    tsr_status status = tsr_stream_files(out, &in, err);
    const tsr_facts *const facts = status == TSR_OK ? &(*out)->facts : NULL;
    if (in.format && facts->has_dims && s->transforms.n == 0)
        status = tsr_conversion_keep_own(own, in.format, facts->order, facts->dims, err);
    if (status != TSR_OK && *out) {
        tsr_feed_close(*out);
        *out = NULL;
    }
    tsr_format_free(in.format);
    tsr_free(paths);
    return status;
}

/* ---- the steps ---- */

static tsr_status take_steps(course *c, const steps *by, tsr_error *err)
{
    job *const j = c->j;
    tsr_conversion_known known = {0};
    bool done = false;
    tsr_status status = by->change(&known, c, err);
    if (status == TSR_OK)
        status = tsr_conversion_choose(&c->format, j, &known, err);
    TSR_TRY(c->agrees ? tsr_ranks_agree(j->s->ranks, status, err) : status);
    TSR_TRY(by->settle(&done, c, err));
    if (done)
        return TSR_OK;
    if (c->format)
        TSR_TRY(by->pack(c, err));
    return by->write(c, err);
}

/* *done false: these steps are not for this input or output, and nothing was done. */
static tsr_status convert(bool *done, job *j, const steps *by, tsr_error *err)
{
    course c = {.j = j};
    tsr_error fault = {0};
    TSR_TRY(by->open(done, &c, err));
    if (!*done)
        return TSR_OK;
    const tsr_status taken = take_steps(&c, by, &fault), status = by->end(done, &c, taken, &fault);
    if (status != TSR_OK && err)
        *err = fault;
    return status;
}

static tsr_status run(job *j, tsr_error *err)
{
    bool done = false;
    const tsr_status planned = plan(j, err);
    TSR_TRY(j->s->ranks ? tsr_ranks_agree(j->s->ranks, planned, err) : planned);
    j->in_nbytes = j->s->source ? 0 : tsr_file_nbytes(j->s->in);
    for (int i = 0; i < j->s->nmore; i++)
        j->in_nbytes += tsr_file_nbytes(j->s->more[i]);
    const bool whole = j->s->choose || j->s->index_same || j->s->read.select,
               streams = !whole && tsr_conversion_should_stream(j);
    j->only_copies = !whole && !streams && tsr_conversion_may_copy(j);
    if (streams || j->only_copies)
        TSR_TRY(convert(&done, j, &tsr_conversion_in_parts, err));
    if (done)
        return TSR_OK;
    if (j->s->ranks && j->s->ranks->rank > 0)
        return TSR_OK;              /* rank 0 converts such a tensor as a whole */
    j->sharded = j->s->nshards > 0; /* with nothing to do: the join converts such a tensor as a whole */
    if (j->sharded)
        return TSR_OK;
    return convert(&done, j, &tsr_conversion_in_memory, err);
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
