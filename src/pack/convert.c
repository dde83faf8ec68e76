/* tsr_convert: a packed tensor is a source of the packer; from one dense layout to another, values are moved
 * directly. */
#include <math.h>

#include "pack_internal.h"
#include "tsr_cells.h"
#include "tsr_relayout.h"

/* ---- dense to dense ---- */

typedef struct dense_job {
    const tsr_tensor *from;
    const tsr_pack_options *options;
    tsr_tensor *to;
    tsr_relayout *relayout;
    unsigned char fill[TSR_MAX_VALUE_NBYTES];
    bool zero_fill;
    int nthreads;
} dense_job;

/* Whether values can be moved directly, with the same result as from the packer; never in a build without the ways to pack. */
static bool is_dense_job(const tsr_tensor *from, const tsr_format *to, const tsr_pack_options *options)
{
    return TSR_HAVE_PACK_WAYS && tsr_format_is_dense(from->format) && tsr_format_is_dense(to) &&
           from->nlevels > 0 && to->nlevels > 0 && from->order == to->order && !from->iso &&
           from->type != TSR_PATTERN && from->structure == TSR_GENERAL && from->npos > 0 &&
           from->values.data && from->values.n == from->npos && options->duplicates != TSR_DUP_KEEP &&
           (unsigned)options->duplicates <= TSR_DUP_ERROR && (unsigned)options->index_width <= TSR_INDEX_64 &&
           pack_fits(options, tsr_pack_nbytes_bound(to, from->dims, from->type, 0, options->index_width), 0);
}

static tsr_status size_target(dense_job *job, const tsr_format *format, tsr_error *err)
{
    const tsr_tensor *from = job->from;
    uint64_t npos = 1;
    for (int l = 0; l < format->nlevels; l++) {
        job->to->levels[l].nparents = npos;
        npos *= job->to->levels[l].pitch; /* the limit was checked */
        job->to->levels[l].npos = npos;
    }
    job->to->npos = npos;
    job->to->has_fill = from->has_fill;
    memcpy(job->to->fill, from->fill, sizeof from->fill);
    return tsr_array_init(&job->to->values, npos, from->values.width, job->zero_fill, "values", err);
}

/* Convert directly. *done = false: the padding of the source holds values, which the packer will
 * report. */
static tsr_status convert_dense(bool *done, dense_job *job, const tsr_format *format, tsr_pack_stats *stats,
                                tsr_error *err)
{
    const tsr_tensor *from = job->from;
    uint64_t nentries = 0;
    TSR_TRY(tsr_progress(job->options->observer, "pack", 0, from->npos, err));
    TSR_TRY(tsr_tensor_new(&job->to, format, from->dims, from->type, err));
    const tsr_dense_layout to_layout = {.binding = job->to->binding};
    const tsr_dense_layout from_layout = {.binding = from->binding};
    TSR_TRY(tsr_relayout_new(&job->relayout, &to_layout, &from_layout, (int)from->values.width * 8, err));
    if (tsr_relayout_from_npos(job->relayout) != from->npos)
        return TSR_OK;
    TSR_TRY(size_target(job, format, err));
    TSR_TRY(tsr_relayout_run(job->relayout,
                             &(tsr_relayout_copy){.to = job->to->values.data,
                                                  .from = from->values.data,
                                                  .fill = job->fill,
                                                  .to_is_filled = job->zero_fill},
                             job->nthreads, err));
    if (stats || from->binding->may_pad)
        nentries = tsr_cells_nstored(from, job->nthreads);
    if (from->binding->may_pad && tsr_cells_nstored(job->to, job->nthreads) != nentries)
        return TSR_OK;
    if (stats)
        *stats = (tsr_pack_stats){.nentries = nentries, .nstored = nentries, .was_sorted = true};
    *done = true;
    return tsr_progress(job->options->observer, "pack", from->npos, from->npos, err);
}

/* job: the tensor and the options. *out is NULL if the tensor cannot be converted in this way. */
static tsr_status try_dense(tsr_tensor **out, dense_job *job, const tsr_format *format, tsr_pack_stats *stats,
                            tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    bool done = false;
    job->nthreads = tsr_thread_count(job->options->nthreads);
    if (job->from->has_fill)
        memcpy(job->fill, job->from->fill, job->from->values.width);
    job->zero_fill = memcmp(job->fill, zero, sizeof zero) == 0;
    const tsr_status status = convert_dense(&done, job, format, stats, err);
    tsr_relayout_free(job->relayout);
    if (status == TSR_OK && done)
        *out = job->to;
    else
        tsr_tensor_free(job->to);
    return status;
}

/* ---- any to any ---- */

tsr_status tsr_convert(tsr_tensor **out, tsr_tensor *tensor, const tsr_format *format,
                       const tsr_pack_options *options, tsr_pack_stats *stats, tsr_error *err)
{
    static const tsr_pack_options defaults = {0};
    tsr_source *source;
    tsr_status status = TSR_OK;
    *out = NULL;
    if (!options)
        options = &defaults;
    /* refuse a target that is too large for any entries before the entries are unpacked */
    const double least = tsr_pack_nbytes_bound(format, tensor->dims, tensor->type, 0, options->index_width);
    if (least < HUGE_VAL && format->order == tensor->order &&
        !pack_fits(options, least, (double)tsr_tensor_owned_nbytes(tensor)))
        status = pack_too_large(format, tensor->dims, options, least, err);
    else if (is_dense_job(tensor, format, options))
        status = try_dense(out, &(dense_job){.from = tensor, .options = options}, format, stats, err);
    if (status != TSR_OK || *out) {
        tsr_tensor_free(tensor);
        return status;
    }
    TSR_TRY(tsr_source_of_tensor(&source, tensor, err));
    return tsr_pack_source(out, source, format, options, stats, err);
}
