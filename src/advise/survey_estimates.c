/* advise_estimate: sizes and fibers of a large tensor from samples, as the advisor estimates them (visit.c). */
#include <math.h>
#include <string.h>

#include "advise_internal.h"
#include "advise_visit.h"

/* Estimate the positions of the levels of a format, which is named by a text; *nbytes: of its arrays and values. *known is false where the
 * dims or the samples do not suit it. */
static tsr_status visit_format(bool *known, double *npos, double *nbytes, const advise_visited *of,
                               const char *text, tsr_error *err)
{
    const tsr_samples *const s = of->samples;
    tsr_format *format;
    advise_visit visit;
    *known = false;
    tsr_status status = tsr_format_parse(&format, text, s->order, s->dims, NULL);
    if (status == TSR_OK) {
        status = advise_visit_init(&visit, of, format, NULL);
        tsr_format_free(format);
    }
    if (status == TSR_NOMEM)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a survey");
    if (status != TSR_OK)
        return TSR_OK;
    *known = true;
    memcpy(npos, visit.npos, sizeof visit.npos);
    *nbytes = visit.nbytes;
    advise_visit_clear(&visit);
    return TSR_OK;
}

/* The fibers of mode m are the prefixes of all other modes, in a format that has mode m last. */
static tsr_status estimate_fibers(tsr_spread *fibers, const advise_visited *of, int m, tsr_error *err)
{
    const int order = of->samples->order;
    double npos[TSR_MAX_LEVELS], nbytes;
    bool known;
    tsr_text text = {0};
    for (int l = 0; l < order; l++)
        tsr_text_add(&text, "s");
    for (int l = 0; l < order; l++)
        tsr_text_addf(&text, "%c%d", l ? ',' : ':', l == order - 1 ? m : l < m ? l : l + 1);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = visit_format(&known, npos, &nbytes, of, text.s, err);
    if (status == TSR_OK && known && npos[order - 2] > 0)
        fibers->estimate = (double)of->samples->nnz / npos[order - 2];
    tsr_text_clear(&text);
    return status;
}

tsr_status advise_estimate(tsr_survey *survey, const advise_source *source, const tsr_samples *samples,
                           tsr_error *err)
{
    const advise_caches caches = {0};
    tsr_room room = {{0}, {0}};
    const advise_visited of = {samples, &caches, {source->type, source->iso}, &room};
    double npos[TSR_MAX_LEVELS], nbytes;
    bool known;
    tsr_status status = TSR_OK;
    for (int m = 0; m < source->order && source->options->spreads; m++)
        if (!survey->modes[m].fibers.known)
            TSR_TRY_OUT(estimate_fibers(&survey->modes[m].fibers, &of, m, err));
    for (int i = 0; i < survey->nsizes; i++) {
        tsr_format_size *const size = &survey->sizes[i];
        if (size->exact || !isfinite(size->nbytes))
            continue;
        TSR_TRY_OUT(visit_format(&known, npos, &nbytes, &of, size->format, err));
        size->estimate = known ? fmin(nbytes, size->nbytes) : 0;
    }
out:
    advise_room_clear(&room);
    return status;
}
