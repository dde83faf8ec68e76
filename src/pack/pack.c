/* tsr_pack: from coordinates to a packed tensor. */
#include <inttypes.h>
#include <stdio.h>

#include "pack_internal.h"

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

const char *pack_entry_text(char buf[PACK_ENTRY_NBYTES], const pack_job *job, uint64_t e)
{
    int64_t result[TSR_MAX_LEVELS], mode[TSR_MAX_ORDER] = {0};
    const int order = job->coo->order;
    if (job->sorted) {
        for (int m = 0; m < order; m++)
            mode[m] = (int64_t)tsr_array_get(&job->coo->crd[m], e);
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
    tsr_parallel(job->nthreads, body, job);
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

static tsr_status check_array(const tsr_array *array, uint64_t n, size_t width, const char *name,
                              tsr_error *err)
{
    if (array->data && array->n == n && array->width == width)
        return TSR_OK;
    return tsr_fail(err, TSR_CORRUPT,
                    "%s has %" PRIu64 " elements of %zu bytes, but %" PRIu64 " of %zu bytes are expected",
                    name, array->data ? array->n : 0, array->width, n, width);
}

static tsr_status check_coo(const tsr_coo *coo, tsr_error *err)
{
    if (coo->order < 0 || coo->order > TSR_MAX_ORDER || (unsigned)coo->type >= TSR_NTYPES)
        return tsr_fail(err, TSR_CORRUPT, "invalid tensor: %d modes, value type %d", coo->order,
                        (int)coo->type);
    for (int m = 0; m < coo->order; m++)
        TSR_TRY(
            check_array(&coo->crd[m], coo->nnz, coo->crd[m].width == 4 ? 4 : 8, "a coordinate array", err));
    return check_array(&coo->values, coo->iso ? 1 : coo->nnz, tsr_type_nbytes(coo->type), "the value array",
                       err);
}

/* Replace the values of a pattern, which are all 1, by a single value. */
static tsr_status drop_pattern_values(tsr_coo *coo, tsr_error *err)
{
    if (coo->type != TSR_PATTERN || coo->iso)
        return TSR_OK;
    tsr_array_clear(&coo->values);
    coo->iso = true;
    TSR_TRY(tsr_array_init(&coo->values, 1, 1, 0, "the value", err));
    *(unsigned char *)coo->values.data = 1;
    return TSR_OK;
}

static tsr_status check_arguments(const tsr_coo *coo, const tsr_format *format,
                                  const tsr_pack_options *options, tsr_error *err)
{
    if (coo->order != format->order)
        return tsr_fail(err, TSR_ARGUMENT, "the format has %d modes, but the tensor has %d", format->order,
                        coo->order);
    if (coo->order == 0 && coo->nnz == 0 && coo->type == TSR_PATTERN)
        return tsr_fail(err, TSR_ARGUMENT,
                        "a pattern of order 0 must have one entry: an empty one cannot be packed");
    if ((unsigned)options->duplicates > TSR_DUP_ERROR || (unsigned)options->index_width > TSR_INDEX_64)
        return tsr_fail(err, TSR_ARGUMENT, "invalid duplicates (%d) or index width (%d)",
                        (int)options->duplicates, (int)options->index_width);
    if (options->duplicates != TSR_DUP_KEEP || tsr_format_keeps_duplicates(format))
        return TSR_OK;
    tsr_text text = {0};
    tsr_format_print(&text, format);
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

static tsr_status start_job(pack_job *job, tsr_error *err)
{
    const tsr_format *format = job->format;
    job->n = job->coo->nnz;
    job->nthreads = threads_for(job->n, job->options.nthreads);
    job->nlevels = format->nlevels;
    job->keep = job->options.duplicates == TSR_DUP_KEEP;
    job->dense_leaf = format->nlevels == 0 || tsr_format_has_dense_leaf(format);
    job->iso = job->coo->iso && !tsr_format_has_dense_leaf(format);
    job->duplicate_lead = (uint8_t)(format->nlevels > 0 ? format->nlevels : 1);
    for (int l = 0; l < format->nlevels; l++) {
        job->cut[l] = tsr_format_cut(format, l);
        if (l > 0 && job->cut[l - 1] > job->cut[l])
            job->cut[l] = job->cut[l - 1]; /* a new position at the level above opens one here */
    }
    TSR_TRY(tsr_tensor_new(&job->tensor, format, job->coo->dims, job->coo->type, err));
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
    tsr_coo_free(job->coo);
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
    const tsr_status status =
        tsr_progress(job->options.observer, "pack", (uint64_t)((double)job->n * done), job->n, err);
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
                        pack_entry_text(entry, job, pack_first_duplicate(job)));
    }
    /* sums of equal values differ with the number of duplicates */
    if (job->options.duplicates == TSR_DUP_SUM && job->coo->type != TSR_PATTERN)
        job->iso = false;
    return TSR_OK;
}

static tsr_status run_job(pack_job *job, tsr_error *err)
{
    pack_shape least;
    TSR_TRY(check_coo(job->coo, err));
    TSR_TRY(check_arguments(job->coo, job->format, &job->options, err));
    TSR_TRY(drop_pattern_values(job->coo, err));
    TSR_TRY(start_job(job, err));
    TSR_TRY(pack_shape_init(&least, job, NULL, err));
    TSR_TRY(tell(job, PACK_INSPECT, 0, err));
    TSR_TRY(pack_inspect(job, err));
    TSR_TRY(pack_end_pass(job, PACK_INSPECT, err));
    if (!job->sorted)
        TSR_TRY(pack_sort(job, err));
    TSR_TRY(pack_end_pass(job, PACK_RANGES, err));
    pack_cut(job);
    if (!job->sorted)
        pack_count(job);
    TSR_TRY(judge_duplicates(job, err));
    TSR_TRY(pack_end_pass(job, PACK_COUNT, err));
    TSR_TRY(pack_alloc(job, err));
    TSR_TRY(pack_fill(job, err));
    return pack_end_pass(job, PACK_FILL, err);
}

tsr_status tsr_pack(tsr_tensor **out, tsr_coo *coo, const tsr_format *format, const tsr_pack_options *options,
                    tsr_pack_stats *stats, tsr_error *err)
{
    static const tsr_pack_options defaults = {0};
    *out = NULL;
    pack_job *job = tsr_calloc(1, sizeof *job);
    if (!job) {
        tsr_coo_free(coo);
        return tsr_fail(err, TSR_NOMEM, "out of memory: packing");
    }
    job->coo = coo;
    job->format = format;
    job->options = options ? *options : defaults;
    const tsr_status status = run_job(job, err);
    if (status == TSR_OK) {
        if (stats)
            *stats = (tsr_pack_stats){.nentries = job->n,
                                      .nstored = job->keep ? job->n : job->n - job->nduplicates,
                                      .nduplicates = job->nduplicates,
                                      .was_sorted = job->sorted,
                                      .key_nbits = job->key.total};
        *out = job->tensor;
        job->tensor = NULL;
    }
    end_job(job);
    tsr_free(job);
    return status;
}
