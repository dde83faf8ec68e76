/* tsr_pack: from coordinates, or any other source of entries, to a packed tensor. */
#include <inttypes.h>
#include <stdio.h>

#include "direct_internal.h"

#include <time.h>

/* A further thread needs at least this number of entries. */
enum { ENTRIES_PER_THREAD = 1 << 14 };

/* ---- helpers for all files ---- */

/* result[l]: the storage coordinate at level l of entry e of the sorted records, as the map gives it. */
static void record_results(int64_t *result, const pack_job *job, uint64_t e)
{
    uint64_t value[TSR_MAX_LEVELS], *level[TSR_MAX_LEVELS];
    for (int l = 0; l < job->nlevels; l++)
        level[l] = &value[l];
    pack_key_decode(job, level, e, 1);
    for (int l = 0; l < job->nlevels; l++)
        result[l] = (int64_t)value[l] + job->binding->base[l];
}

const char *pack_entry_text(char buf[PACK_ENTRY_NBYTES], pack_job *job, int t, uint64_t e)
{
    int64_t result[TSR_MAX_LEVELS], mode[TSR_MAX_ORDER] = {0};
    const int order = job->source->order;
    if (job->sorted) {
        tsr_source_block block;
        if (job->source->type->load(&block, job->source, &(tsr_source_range){.t = t, .first = e, .n = 1},
                                    NULL) != TSR_OK)
            return "(?)";
        for (int m = 0; m < order; m++) {
            const tsr_array crd = {
                .data = (void *)(uintptr_t)block.crd[m].data, .n = 1, .width = block.crd[m].width};
            mode[m] = (int64_t)tsr_array_get(&crd, 0);
        }
    } else {
        record_results(result, job, e);
        if (tsr_map_eval(mode, job->binding->inverse, result, NULL) != TSR_OK)
            return "(?)";
    }
    size_t at = 1;
    buf[0] = '(';
    for (int m = 0; m < order; m++)
        at += (size_t)snprintf(buf + at, PACK_ENTRY_NBYTES - at, "%s%" PRId64, m > 0 ? ", " : "", mode[m]);
    buf[at] = ')';
    buf[at + 1] = '\0';
    return buf;
}

tsr_status pack_run(pack_job *job, void (*body)(void *job, int t, int nthreads), tsr_error *err)
{
    return pack_run_with(job, body, job, err);
}

tsr_status pack_run_with(pack_job *job, void (*body)(void *arg, int t, int nthreads), void *arg,
                         tsr_error *err)
{
    tsr_parallel(job->nthreads, body, arg);
    for (int t = 0; t < job->nthreads; t++) {
        const tsr_error *found = &job->shares[t].err;
        if (found->status != TSR_OK) {
            if (err)
                *err = *found;
            return found->status;
        }
    }
    return TSR_OK;
}

/* ---- arguments ---- */

static tsr_status check_arguments(const tsr_source *source, const tsr_format *format,
                                  const tsr_pack_options *options, tsr_error *err)
{
    if (source->order != format->order)
        return tsr_fail(err, TSR_ARGUMENT, "the format has %d modes, but the tensor has %d", format->order,
                        source->order);
    if (source->order == 0 && source->nnz == 0 && source->value_type == TSR_PATTERN)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a pattern of order 0 must have one entry: an empty one cannot be packed");
    if ((unsigned)options->duplicates > TSR_DUP_ERROR || (unsigned)options->index_width > TSR_INDEX_64)
        return tsr_fail(err, TSR_ARGUMENT, "invalid duplicates (%d) or index width (%d)",
                        (int)options->duplicates, (int)options->index_width);
    if (options->duplicates != TSR_DUP_KEEP || tsr_format_keeps_duplicates(format))
        return TSR_OK;
    tsr_text text = {0};
    tsr_format_print_name(&text, format);
    const tsr_status status = tsr_fail(
        err, TSR_ARGUMENT, "%s stores each coordinate once: keeping duplicates needs a nonunique last level",
        tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return status;
}

/* ---- the job ---- */

static int threads_for(uint64_t n, int requested)
{
    const int most = tsr_thread_count(requested);
    const uint64_t useful = n / ENTRIES_PER_THREAD + 1;
    /* a requested count is used as it is: tests need it */
    return requested > 0 || useful > (uint64_t)most ? most : (int)useful;
}

static tsr_status start_source(pack_job *job, tsr_error *err)
{
    tsr_source *source = job->source;
    job->nthreads = threads_for(source->nnz, job->options.nthreads);
    if (source->type->start)
        TSR_TRY(source->type->start(source, job->nthreads, err));
    job->n = source->nnz;
    return TSR_OK;
}

static tsr_status start_job(pack_job *job, tsr_error *err)
{
    const tsr_format *format = job->format;
    tsr_source *source = job->source;
    job->nlevels = format->nlevels;
    job->keep = job->options.duplicates == TSR_DUP_KEEP;
    job->dense_leaf = format->nlevels == 0 || tsr_format_has_dense_leaf(format);
    job->iso = source->iso && !tsr_format_has_dense_leaf(format);
    job->duplicate_lead = (uint8_t)(format->nlevels > 0 ? format->nlevels : 1);
    for (int l = 0; l < format->nlevels; l++) {
        job->cut[l] = tsr_format_cut(format, l);
        if (l > 0 && job->cut[l - 1] > job->cut[l])
            job->cut[l] = job->cut[l - 1]; /* a new position at the level above opens one here */
    }
    TSR_TRY(tsr_tensor_new(&job->tensor, format, source->dims, source->value_type, err));
    job->binding = job->tensor->binding;
    TSR_TRY(tsr_map_plan_new(&job->plan, job->binding->forward, err));
    for (int l = 0; l < format->nlevels; l++)
        job->alias[l] = job->binding->base[l] == 0 ? tsr_map_plan_alias(job->plan, l) : -1;
    void *shares;
    TSR_TRY(tsr_alloc_array(&shares, (uint64_t)job->nthreads + 1, sizeof *job->shares, 1, "packing", err));
    job->shares = shares;
    return pack_rows_new(job, err);
}

static void end_job(pack_job *job)
{
    pack_records_clear(&job->records);
    pack_rows_free(job);
    tsr_free(job->shares);
    tsr_map_plan_free(job->plan);
    tsr_tensor_free(job->tensor);
    tsr_source_free(job->source);
}

/* The approximate part of the time of a run at the end of each pass. */
static double end_of_pass(const pack_job *job, pack_pass pass)
{
    static const double unsorted[] = {0.08, 0.13, 0.40, 0.75, 0.80, 1},
                        sorted[] = {0.35, 0.35, 0.35, 0.35, 0.35, 1};
    return (job->sorted ? sorted : unsorted)[pass];
}

/* Report progress, in entries; part: of the pass. */
static tsr_status tell(pack_job *job, pack_pass pass, double part, tsr_error *err)
{
    const double begin = pass > 0 ? end_of_pass(job, pass - 1) : 0;
    const double done = begin + (end_of_pass(job, pass) - begin) * part;
    const uint64_t total = job->part.total ? job->part.total : job->n;
    const tsr_status status =
        tsr_progress(job->options.observer, "pack",
                     (uint64_t)((double)total * (job->part.begin + job->part.share * done)), total, err);
    if (status != TSR_OK)
        job->cancelled = true;
    return status;
}

bool pack_step(pack_job *job, int t, pack_pass pass, uint64_t done, uint64_t total)
{
    enum { STEP_NS = 250000000 };
    if (t != 0 || total == 0)
        return !job->cancelled;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (ns - job->step_ns < STEP_NS)
        return !job->cancelled;
    job->step_ns = ns;
    return tell(job, pass, (double)done / (double)total, NULL) == TSR_OK;
}

tsr_status pack_end_pass(pack_job *job, pack_pass pass, tsr_error *err)
{
    if (job->cancelled)
        return tsr_fail(err, TSR_CANCELLED, "cancelled while in phase pack");
    return tell(job, pass, 1, err);
}

static tsr_status judge_duplicates(pack_job *job, tsr_error *err)
{
    for (int t = 0; t < job->nthreads; t++)
        job->nduplicates += job->shares[t].nduplicates;
    if (job->nduplicates == 0)
        return TSR_OK;
    if (job->options.duplicates == TSR_DUP_ERROR) {
        char entry[PACK_ENTRY_NBYTES];
        return tsr_fail(err, TSR_DUPLICATE, "entry %s (counted from 0) occurs more than once",
                        pack_entry_text(entry, job, 0, pack_first_duplicate(job)));
    }
    /* sums of equal values differ with the number of duplicates */
    if (job->options.duplicates == TSR_DUP_SUM && job->source->value_type != TSR_PATTERN)
        job->iso = false;
    return TSR_OK;
}

/* ---- the ways ---- */

/* When a way is tried: what is known then makes it cheaper than what follows. */
enum {
    OF_TENSOR = 1,   /* the source is a packed tensor, nothing was looked at */
    OF_SORTED = 2,   /* the entries are in storage order */
    OF_UNSORTED = 4, /* they are not, and are not sorted yet */
    OF_COUNTED = 8   /* sorted, and the positions of all levels counted */
};

/* A way from a source to a packed tensor other than sorting and filling. */
typedef struct pack_way {
    const char *name;
    int times;      /* when it is tried */
    bool assembles; /* for formats that are assembled from rows: see tsr_format_assembles */
    double (*nbytes)(
        const pack_job *job); /* the cost, INFINITY where it does not fit: see direct_internal.h */
    tsr_status (*run)(bool *done, pack_job *job,
                      tsr_error *err); /* *done stays false where the entries turn out not to fit */
} pack_way;

static const pack_way ways[] = {
    {"arrays are moved, since the entries are in the order of the format", OF_TENSOR | OF_SORTED, false,
     direct_move_nbytes, direct_move},
    {"one pass over lists, since every level of the format is a list", OF_TENSOR | OF_COUNTED, false,
     direct_lists_nbytes, direct_lists},
#if TSR_HAVE_PACK_WAYS /* else entries are sorted, which gives the same arrays */
    {"entries are counted, then scattered, since one level of the order changes and places are near",
     OF_TENSOR | OF_UNSORTED, false, direct_near_nbytes, direct_near},
    {"entries are counted, then scattered through buckets of rows, since the format has rows",
     OF_TENSOR | OF_UNSORTED, false, direct_reorder_nbytes, direct_reorder},
    {"blocks are made of rows, since the source has rows", OF_TENSOR, false, direct_blocks_nbytes,
     direct_blocks},
    {"rows are taken over, since the format is assembled from rows", OF_TENSOR, true, direct_rows_nbytes,
     direct_rows},
#endif
};

/* The cost of sorting and filling. Entries in order are read twice. Others are read twice, then their keys of 8 bytes and values are
 * written, sorted (read and written) and filled in (read), and the keys are read once more to count. */
static double sort_nbytes(const pack_job *job)
{
    const double key = sizeof(uint64_t), value = (double)pack_value_nbytes(job), n = (double)job->source->nnz;
    return n * (job->sorted ? 2 * key + value : 3 * key + 4 * (key + value));
}

/* Run the cheapest way that fits, if it is cheaper than sorting. */
static tsr_status try_ways(bool *done, pack_job *job, int time, bool assembles, tsr_error *err)
{
    const pack_way *best = NULL;
    const double sort = sort_nbytes(job);
    double least = sort;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!(ways[i].times & time) || ways[i].assembles != assembles)
            continue;
        const double nbytes = ways[i].nbytes(job);
        if (nbytes < least) {
            least = nbytes;
            best = &ways[i];
        }
    }
    if (!best)
        return TSR_OK;
    TSR_TRY(best->run(done, job, err));
    if (!*done)
        return TSR_OK;
    job->way = best->name;
    job->way_nbytes = least;
    job->sort_nbytes = sort;
    return pack_end_pass(job, PACK_FILL, err);
}

/* Sort the entries unless they are in order, and fill the levels. */
static tsr_status sort_and_fill(pack_job *job, bool assembles, tsr_error *err)
{
    bool done = false;
    if (!job->sorted)
        TSR_TRY(pack_sort(job, err));
    TSR_TRY(pack_end_pass(job, PACK_RANGES, err));
    TSR_TRY(pack_cut(job, err));
    if (!job->sorted)
        TSR_TRY(pack_count(job, err));
    TSR_TRY(judge_duplicates(job, err));
    TSR_TRY(pack_end_pass(job, PACK_COUNT, err));
    if (!assembles)
        TSR_TRY(try_ways(&done, job, OF_COUNTED, false, err));
    if (done)
        return TSR_OK;
    job->way = job->sorted ? "levels are filled, since the entries are in order"
                           : "entries are sorted, then levels are filled: no cheaper way fits";
    if (assembles) {
        TSR_TRY(pack_levels(job, err));
    } else {
        TSR_TRY(pack_alloc(job, err));
        TSR_TRY(pack_fill(job, err));
    }
    return pack_end_pass(job, PACK_FILL, err);
}

static tsr_status run_job(pack_job *job, tsr_error *err)
{
    pack_shape least;
    bool done = false;
    TSR_TRY(start_source(job, err));
    TSR_TRY(check_arguments(job->source, job->format, &job->options, err));
    TSR_TRY(start_job(job, err));
    TSR_TRY(pack_shape_init(&least, job, NULL, err));
    TSR_TRY(tell(job, PACK_INSPECT, 0, err));
    const bool to_rows = tsr_format_assembles(job->format);
    const bool assembles =
        to_rows || (job->source->tensor && tsr_format_assembles(job->source->tensor->format));
    if (job->source->tensor)
        TSR_TRY(try_ways(&done, job, OF_TENSOR, assembles, err));
    if (done)
        return TSR_OK;
    TSR_TRY(pack_inspect(job, err));
    TSR_TRY(pack_end_pass(job, PACK_INSPECT, err));
    if (!assembles)
        TSR_TRY(try_ways(&done, job, job->sorted ? OF_SORTED : OF_UNSORTED, false, err));
    return done ? TSR_OK : sort_and_fill(job, to_rows, err);
}

/* What a job is to do. */
typedef struct pack_task {
    const tsr_format *format;
    tsr_pack_options options;
    pack_part part;
} pack_task;

/* Run one job. The source is consumed. */
static tsr_status do_task(tsr_tensor **out, tsr_source *source, const pack_task *task, tsr_pack_stats *stats,
                          tsr_error *err)
{
    *out = NULL;
    pack_job *job = tsr_calloc(1, sizeof *job);
    if (!job) {
        tsr_source_free(source);
        return tsr_fail(err, TSR_NOMEM, "out of memory: packing");
    }
    job->source = source;
    job->format = task->format;
    job->options = task->options;
    job->part = task->part;
    const tsr_status status = run_job(job, err);
    if (status == TSR_OK) {
        *stats = (tsr_pack_stats){.nentries = job->n,
                                  .nstored = job->keep ? job->n : job->n - job->nduplicates,
                                  .nduplicates = job->nduplicates,
                                  .was_sorted = job->sorted,
                                  .key_nbits = job->key.total,
                                  .way = job->way,
                                  .way_nbytes = job->way_nbytes,
                                  .sort_nbytes = job->sort_nbytes};
        *out = job->tensor;
        job->tensor = NULL;
    }
    end_job(job);
    tsr_free(job);
    return status;
}

/* Pack by rows first, then into the format: levels that are made from counts need rows, and entries are sorted and
 * duplicates combined fastest in rows. */
static tsr_status pack_over_rows(tsr_tensor **out, tsr_source *source, const int mode[2],
                                 const pack_task *task, tsr_pack_stats *stats, tsr_error *err)
{
    const double first_share = 0.7; /* of the time, about */
    const uint64_t total = source->nnz;
    tsr_format *rows = NULL;
    tsr_tensor *tensor = NULL;
    tsr_pack_stats rows_stats, last_stats;
    tsr_status status = tsr_format_nested(&rows, 2, 1, mode, err);
    if (status != TSR_OK) {
        tsr_source_free(source);
        return status;
    }
    pack_task first = {rows, task->options, {0, first_share, total}}, last = *task;
    first.options.index_width = TSR_INDEX_INTEROP;
    first.options.max_nbytes = 0; /* the limit is for the result */
    last.part = (pack_part){first_share, 1 - first_share, total};
    TSR_TRY_OUT(do_task(&tensor, source, &first, &rows_stats, err));
    TSR_TRY_OUT(tsr_source_of_tensor(&source, tensor, err));
    TSR_TRY_OUT(do_task(out, source, &last, &last_stats, err));
    *stats = rows_stats;
out:
    tsr_format_free(rows);
    return status;
}

tsr_status tsr_pack_source(tsr_tensor **out, tsr_source *source, const tsr_format *format,
                           const tsr_pack_options *options, tsr_pack_stats *stats, tsr_error *err)
{
    static const tsr_pack_options defaults = {0};
    const pack_task task = {format, options ? *options : defaults, {0, 1, 0}};
    tsr_pack_stats unused;
    int mode[2];
    *out = NULL;
    stats = stats ? stats : &unused;
    return direct_wants_rows(mode, source, format, task.options.duplicates)
               ? pack_over_rows(out, source, mode, &task, stats, err)
               : do_task(out, source, &task, stats, err);
}

tsr_status tsr_pack(tsr_tensor **out, tsr_coo *coo, const tsr_format *format, const tsr_pack_options *options,
                    tsr_pack_stats *stats, tsr_error *err)
{
    tsr_source *source;
    *out = NULL;
    TSR_TRY(tsr_source_of_coo(&source, coo, err));
    return tsr_pack_source(out, source, format, options, stats, err);
}
