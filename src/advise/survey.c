/* tsr_survey_init: the first pass, the facts that follow from it, and the sorts. */
#include "tsr_survey.h"

#include <inttypes.h>
#include <string.h>

#include "advise_internal.h"

void advise_spread_add(tsr_spread *spread, uint64_t n)
{
    if (spread->used == 0 || n < spread->min)
        spread->min = n;
    if (n > spread->max)
        spread->max = n;
    spread->used++;
}

bool advise_may_sort(const advise_source *source, uint64_t nnz)
{
    const tsr_survey_options *const o = source->options;
    return o->exact || nnz <= (o->small ? o->small : TSR_SURVEY_SMALL);
}

/* Store in the survey that the entries have n different tuples of coordinates in the modes of the bit set.
 * The first number of a set stays. */
static void add_tuples(tsr_survey *survey, uint32_t modes, uint64_t n)
{
    for (int i = 0; i < survey->ntuples; i++)
        if (survey->tuples[i].modes == modes)
            return;
    if (survey->ntuples < TSR_SURVEY_MAX_TUPLES) {
        survey->tuples[survey->ntuples].modes = modes;
        survey->tuples[survey->ntuples++].n = n;
    }
}

static uint32_t all_modes(int order)
{
    return (UINT32_C(1) << order) - 1;
}

/* ---- the order of the entries ---- */

/* What the coordinate of mode m does in the pattern `code`: 0 stays, 1 rises, 2 falls. */
static uint32_t step_of(const advise_pass *pass, uint32_t code, int m)
{
    return code / pass->weight[m] % 3;
}

/* advise_find_rising, from the counts of the patterns instead of from the entries. */
static void find_rising(bool *rising, bool *ties, const advise_pass *pass, int order, const int *prefix,
                        int n)
{
    *ties = false;
    for (int m = 0; m < order; m++)
        rising[m] = true;
    for (uint32_t code = 0; code < ADVISE_MAX_PATTERNS; code++) {
        bool tie = pass->npatterns[code] > 0;
        for (int k = 0; k < n && tie; k++)
            tie = step_of(pass, code, prefix[k]) == 0;
        *ties = *ties || tie;
        for (int m = 0; m < order && tie; m++)
            rising[m] = rising[m] && step_of(pass, code, m) < 2;
    }
}

/* Find an order of the modes in which the entries are sorted. The next mode can be any mode that never falls
 * between neighbours that agree in the modes chosen before: choosing it only leaves fewer pairs of neighbours
 * for the other modes to sort. So the first such mode is chosen each time. */
static tsr_status find_order(tsr_survey *survey, const advise_pass *pass, const advise_source *source,
                             tsr_error *err)
{
    bool used[TSR_MAX_ORDER] = {false}, rising[TSR_MAX_ORDER], ties = true;
    survey->sorted = true;
    for (int n = 0; n < source->order; n++) {
        if (ties && source->order > ADVISE_PATTERN_MODES)
            TSR_TRY(advise_find_rising(rising, &ties, source, survey->sorted_by, n, err));
        else if (ties)
            find_rising(rising, &ties, pass, source->order, survey->sorted_by, n);
        int m = 0;
        while (m < source->order && (used[m] || !rising[m]))
            m++;
        if (m == source->order) {
            survey->sorted = false;
            return TSR_OK;
        }
        used[m] = true;
        survey->sorted_by[n] = m;
    }
    return TSR_OK;
}

/* Count the prefixes in the order in which the entries are sorted: a new prefix begins where two neighbours
 * differ in it. */
static void count_sorted_tuples(tsr_survey *survey, const advise_pass *pass, int order)
{
    uint32_t modes = 0;
    for (int l = 0; survey->sorted && order <= ADVISE_PATTERN_MODES && l < order; l++) {
        uint64_t n = survey->nnz > 0;
        modes |= UINT32_C(1) << survey->sorted_by[l];
        for (uint32_t code = 0; code < ADVISE_MAX_PATTERNS; code++) {
            bool differs = false;
            for (int k = 0; k <= l && pass->npatterns[code] && !differs; k++)
                differs = step_of(pass, code, survey->sorted_by[k]) != 0;
            n += differs ? pass->npatterns[code] : 0;
        }
        add_tuples(survey, modes, n);
    }
}

/* ---- slices and fibers ---- */

/* The mode whose fibers are probably runs in storage order: the last mode of a format of plain modes, else
 * the last mode. */
static int guess_run_mode(const advise_source *source)
{
    int perm[TSR_MAX_LEVELS];
    if (source->order < 3 || !source->options->spreads)
        return -1;
    if (source->tensor && tsr_format_is_permutation(source->tensor->format, perm))
        return perm[source->order - 1];
    return source->order - 1;
}

/* Runs are fibers only if the entries are sorted with run_mode as the last mode. They are in a packed tensor
 * of plain modes; for other entries the survey has found their order. */
static bool runs_are_fibers(const tsr_survey *survey, const advise_source *source, int run_mode)
{
    const bool packed = source->tensor && tsr_format_is_permutation(source->tensor->format, NULL);
    return run_mode >= 0 && (packed || (survey->sorted && survey->sorted_by[source->order - 1] == run_mode));
}

static tsr_status take_runs(tsr_survey *survey, const advise_pass *pass, const advise_source *source,
                            tsr_error *err)
{
    const int last = source->order > 0 ? source->order - 1 : 0;
    if (runs_are_fibers(survey, source, pass->run_mode)) {
        survey->modes[pass->run_mode].fibers = pass->runs;
        return TSR_OK;
    }
    if (pass->run_mode < 0 || !survey->sorted)
        return TSR_OK;
    tsr_survey_options options = *source->options;
    options.density = NULL;
    advise_source again = *source;
    again.options = &options;
    advise_pass *const second = tsr_calloc(1, sizeof *second);
    if (!second)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a survey");
    second->run_mode = survey->sorted_by[last];
    const tsr_status status = advise_pass_run(second, &again, err);
    survey->modes[second->run_mode].fibers = second->runs;
    tsr_free(second);
    return status;
}

/* In a matrix the fibers of one mode are the slices of the other; a vector is one fiber. */
static void fibers_of_few_modes(tsr_survey *survey, int order)
{
    if (order == 1 && survey->duplicates_known) {
        survey->modes[0].fibers = (tsr_spread){.known = true};
        if (survey->nnz > 0)
            advise_spread_add(&survey->modes[0].fibers, survey->nnz - survey->nduplicates);
    }
    for (int m = 0; order == 2 && m < 2; m++)
        survey->modes[m].fibers = survey->modes[1 - m].slices;
}

static void note_tuples(tsr_survey *survey, int order)
{
    for (int m = 0; m < order; m++) {
        const tsr_mode_facts *const f = &survey->modes[m];
        if (f->slices.known)
            add_tuples(survey, UINT32_C(1) << m, f->slices.used);
        if (f->fibers.known && order > 1)
            add_tuples(survey, all_modes(order) & ~(UINT32_C(1) << m), f->fibers.used);
    }
    if (survey->duplicates_known && order > 0)
        add_tuples(survey, all_modes(order), survey->nnz - survey->nduplicates);
}

/* Find the fibers of mode m and the slices of the next mode with one sort, by the modes m + 1, m + 2, ..., m
 * (cyclically). */
static tsr_status sort_mode(tsr_survey *survey, const advise_source *source, int m, tsr_error *err)
{
    const int order = source->order, after = (m + 1) % order;
    advise_prefixes prefixes;
    int modes[TSR_MAX_ORDER];
    uint32_t set = 0;
    for (int l = 0; l < order; l++)
        modes[l] = (after + l) % order;
    TSR_TRY(advise_count_prefixes(&prefixes, source, modes, order, NULL, err));
    survey->nduplicates = survey->nnz - prefixes.npos[order - 1];
    survey->duplicates_known = true;
    survey->modes[m].fibers = prefixes.last;
    survey->modes[after].slices = prefixes.first;
    for (int l = 0; l < order; l++) {
        set |= UINT32_C(1) << modes[l];
        add_tuples(survey, set, prefixes.npos[l]);
    }
    return TSR_OK;
}

/* Sort for each fact that the first pass has not shown. When duplicates are not known, all counts have
 * duplicates in them and are found again. */
static tsr_status sort_the_rest(tsr_survey *survey, const advise_source *source, tsr_error *err)
{
    const int order = source->order;
    if (order == 0 || survey->nnz == 0 || !advise_may_sort(source, survey->nnz))
        return TSR_OK;
    const bool all = !survey->duplicates_known;
    for (int m = 0; m < order; m++) {
        const bool fibers = all || !survey->modes[m].fibers.known;
        const bool slices = all || !survey->modes[(m + 1) % order].slices.known;
        if ((fibers || slices) && (source->options->spreads || all))
            TSR_TRY(sort_mode(survey, source, m, err));
        if (all && !source->options->spreads)
            break; /* one sort has found the duplicates */
    }
    return TSR_OK;
}

static void finish_modes(tsr_survey *survey, const advise_source *source)
{
    const double ndistinct = (double)(survey->nnz - survey->nduplicates);
    for (int m = 0; m < source->order; m++) {
        tsr_mode_facts *const f = &survey->modes[m];
        f->slices.total = (double)source->dims[m];
        f->fibers.total = 1;
        for (int k = 0; k < source->order; k++)
            f->fibers.total *= k == m ? 1 : (double)source->dims[k];
        f->slices.mean = f->slices.used ? ndistinct / (double)f->slices.used : 0;
        f->fibers.mean = f->fibers.used ? ndistinct / (double)f->fibers.used : 0;
    }
}

/* ---- the survey ---- */

static tsr_status take_pass(tsr_survey *survey, const advise_pass *pass, const advise_source *source,
                            tsr_error *err)
{
    survey->nnz = pass->nnz;
    TSR_TRY(find_order(survey, pass, source, err));
    /* Entries at one cell are neighbours in a packed tensor and in sorted coordinates. */
    survey->duplicates_known = source->tensor || survey->sorted;
    survey->nduplicates = survey->duplicates_known ? pass->nties : 0;
    if (survey->duplicates_known)
        count_sorted_tuples(survey, pass, source->order);
    /* The pass does not count a duplicate that is the neighbour of the earlier entry: the counts of the
     * slices are right if all duplicates are such neighbours, or if there is no such neighbour. */
    for (int m = 0; m < source->order && (survey->duplicates_known || pass->nties == 0); m++)
        survey->modes[m].slices = pass->slices[m];
    TSR_TRY(take_runs(survey, pass, source, err));
    fibers_of_few_modes(survey, source->order);
    if (survey->duplicates_known)
        note_tuples(survey, source->order);
    TSR_TRY(sort_the_rest(survey, source, err));
    finish_modes(survey, source);
    return source->options->sizes ? advise_sizes(survey, source, err) : TSR_OK;
}

tsr_status tsr_survey_init(tsr_survey *survey, const tsr_tensor *tensor, const tsr_coo *coo,
                           const tsr_survey_options *options, tsr_error *err)
{
    static const tsr_survey_options defaults = {0};
    advise_source source = {.tensor = tensor, .coo = coo, .options = options ? options : &defaults};
    source.order = tensor ? tensor->order : coo->order;
    source.dims = tensor ? tensor->dims : coo->dims;
    source.type = tensor ? tensor->type : coo->type;
    source.iso = tensor ? tensor->iso || tensor->type == TSR_PATTERN : coo->iso;
    source.npos = tensor ? tensor->npos : coo->nnz;
    memset(survey, 0, sizeof *survey);
    survey->ncells = 1;
    for (int m = 0; m < source.order; m++)
        survey->ncells *= (double)source.dims[m];
    const bool unbounded = tensor && tensor->iso && tsr_format_has_dense_leaf(tensor->format);
    if (unbounded && tensor->npos >> 34)
        return tsr_fail(err, TSR_LIMIT,
                        "cannot survey dense levels of %" PRIu64
                        " positions that share one value: at most 2^34 - 1 can be surveyed",
                        tensor->npos);
    advise_pass *const pass = tsr_calloc(1, sizeof *pass);
    if (!pass)
        return tsr_fail(err, TSR_NOMEM, "out of memory for a survey");
    pass->run_mode = guess_run_mode(&source);
    pass->spreads = source.options->spreads || source.options->sizes;
    tsr_samples samples = {0};
    if (pass->spreads && source.order > 1 && !advise_may_sort(&source, source.npos))
        pass->samples = &samples;
    tsr_status status = advise_pass_run(pass, &source, err);
    if (status == TSR_OK)
        status = take_pass(survey, pass, &source, err);
    if (status == TSR_OK && pass->samples)
        status = advise_estimate(survey, &source, &samples, err);
    if (status == TSR_OK && source.options->values)
        status = advise_look_at_values(&survey->values, tensor ? &tensor->values : &coo->values, source.type,
                                       source.options->nthreads, err);
    tsr_samples_clear(&samples);
    tsr_free(pass);
    return status;
}

void tsr_survey_clear(tsr_survey *survey)
{
    for (int i = 0; i < survey->nsizes; i++)
        tsr_free(survey->sizes[i].format);
    tsr_free(survey->sizes);
    memset(survey, 0, sizeof *survey);
}
