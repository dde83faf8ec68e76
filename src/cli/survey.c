/* A survey of entries: see survey.h. */
#include "survey.h"

#include <string.h>

enum {
    BLOCK = 1024,
    EXACT_NNZ = 4000000, /* up to here packing into each format takes a second or two altogether */
};

/* ---- the order of the entries ---- */

/* Over all neighbours (e - 1, e) that agree in the modes prefix[0..n): which modes never fall? *ties tells
 * whether any such pair is left. */
static void find_rising(bool *rising, bool *ties, const tsr_coo *coo, const int *prefix, int n)
{
    uint64_t crd[TSR_MAX_ORDER][BLOCK + 1];
    *ties = false;
    for (int m = 0; m < coo->order; m++)
        rising[m] = true;
    for (uint64_t first = 0; first + 1 < coo->nnz; first += BLOCK) {
        const uint64_t left = coo->nnz - first;
        const size_t here = left > BLOCK + 1 ? BLOCK + 1 : (size_t)left; /* blocks share their edge entry */
        for (int m = 0; m < coo->order; m++)
            tsr_array_load(crd[m], &coo->crd[m], first, here);
        for (size_t e = 1; e < here; e++) {
            bool tie = true;
            for (int k = 0; k < n && tie; k++)
                tie = crd[prefix[k]][e - 1] == crd[prefix[k]][e];
            if (!tie)
                continue;
            *ties = true;
            for (int m = 0; m < coo->order; m++)
                rising[m] = rising[m] && crd[m][e - 1] <= crd[m][e];
        }
    }
}

/* A mode that never falls while the modes chosen so far stand still can come next without loss: whatever
 * order the rest needs, it needs for fewer pairs afterwards. So the first such mode is taken, again and
 * again. */
static void find_order(tsr_cli_survey *survey, const tsr_coo *coo)
{
    bool used[TSR_MAX_ORDER] = {false}, rising[TSR_MAX_ORDER], ties = true;
    survey->sorted = true;
    for (int n = 0; n < coo->order; n++) {
        if (ties)
            find_rising(rising, &ties, coo, survey->sorted_by, n);
        int m = 0;
        while (m < coo->order && (used[m] || !rising[m]))
            m++;
        if (m == coo->order) {
            survey->sorted = false;
            return;
        }
        used[m] = true;
        survey->sorted_by[n] = m;
    }
}

/* ---- slices and fibers ---- */

/* The coordinates alone: what packing needs to find positions. */
static tsr_status copy_pattern(tsr_coo **out, const tsr_coo *coo, tsr_error *err)
{
    TSR_TRY(tsr_coo_new_sized(out, coo->order, coo->dims, TSR_PATTERN, true, coo->nnz, err));
    for (int m = 0; m < coo->order; m++)
        memcpy((*out)->crd[m].data, coo->crd[m].data, coo->nnz * coo->crd[m].width);
    memset((*out)->values.data, 1, 1);
    return TSR_OK;
}

static tsr_status pack_pattern(tsr_tensor **out, const tsr_coo *coo, const tsr_format *format,
                               tsr_index_width width, const tsr_cli_survey_options *options,
                               tsr_pack_stats *stats, tsr_error *err)
{
    tsr_coo *copy = NULL;
    const tsr_pack_options pack = {
        .index_width = width, .nthreads = options->nthreads, .observer = options->observer};
    TSR_TRY(copy_pattern(&copy, coo, err));
    return tsr_pack(out, copy, format, &pack, stats, err);
}

static void spread_add(tsr_cli_spread *spread, uint64_t n)
{
    if (spread->used == 0 || n < spread->min)
        spread->min = n;
    if (n > spread->max)
        spread->max = n;
    spread->used++;
}

/* The lengths of the segments of the last level, and the number of leaves below each position of the first.
 */
static void measure(tsr_cli_mode_facts *along_last, tsr_cli_mode_facts *across_first, const tsr_tensor *t)
{
    const tsr_level *const last = &t->levels[t->nlevels - 1];
    for (uint64_t p = 0; p < last->nparents; p++)
        spread_add(&along_last->fibers, tsr_array_get(&last->pos, p + 1) - tsr_array_get(&last->pos, p));
    for (uint64_t p = 0; p < t->levels[0].npos; p++) {
        uint64_t lo = p, hi = p + 1;
        for (int l = 1; l < t->nlevels; l++) {
            lo = tsr_array_get(&t->levels[l].pos, lo);
            hi = tsr_array_get(&t->levels[l].pos, hi);
        }
        spread_add(&across_first->slices, hi - lo);
    }
}

/* The fibers of mode m and the slices of the mode after it come from one tree: all modes compressed, in the
 * order m + 1, m + 2, ..., m (cyclically). */
static tsr_status survey_mode(tsr_cli_survey *survey, const tsr_coo *coo, int m,
                              const tsr_cli_survey_options *options, tsr_error *err)
{
    const int order = coo->order;
    tsr_level_spec levels[TSR_MAX_ORDER];
    int modes[TSR_MAX_ORDER];
    for (int l = 0; l < order; l++) {
        levels[l] = (tsr_level_spec){.type = &tsr_level_compressed};
        modes[l] = (m + l + 1) % order;
    }
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    tsr_pack_stats stats = {0};
    tsr_status status = tsr_format_permuted(&format, order, levels, modes, err);
    if (status == TSR_OK)
        status = pack_pattern(&tensor, coo, format, TSR_INDEX_NARROW, options, &stats, err);
    if (status == TSR_OK) {
        survey->nduplicates = stats.nduplicates;
        for (int l = 0; l < order; l++)
            survey->npos[(m + 1) % order][l] = tensor->levels[l].npos;
        measure(&survey->modes[m], &survey->modes[(m + 1) % order], tensor);
    }
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    return status;
}

static void finish_modes(tsr_cli_survey *survey, const tsr_coo *coo)
{
    const double ndistinct = (double)(survey->nnz - survey->nduplicates);
    for (int m = 0; m < coo->order; m++) {
        tsr_cli_mode_facts *const f = &survey->modes[m];
        f->slices.total = (double)coo->dims[m];
        f->fibers.total = 1;
        for (int k = 0; k < coo->order; k++)
            f->fibers.total *= k == m ? 1 : (double)coo->dims[k];
        f->slices.mean = f->slices.used ? ndistinct / (double)f->slices.used : 0;
        f->fibers.mean = f->fibers.used ? ndistinct / (double)f->fibers.used : 0;
    }
}

/* ---- sizes ---- */

/* Bytes of the tensor `t` of coordinates alone, if it had the values of `coo`. */
static double nbytes_with_values(const tsr_tensor *t, const tsr_coo *coo)
{
    double nbytes = 0;
    for (int l = 0; l < t->nlevels; l++)
        nbytes += (double)tsr_level_nbytes(&t->levels[l]);
    const bool one = coo->iso && !tsr_format_has_dense_leaf(t->format);
    return nbytes + (double)tsr_type_nbytes(coo->type) * (one ? 1 : (double)t->npos);
}

/* How many different tuples of indices the entries have in the modes perm[0..n)? False when the survey does
 * not know: the modes are not next to each other. */
static bool count_tuples(double *count, const tsr_cli_survey *survey, int order, const int *perm, int n)
{
    for (int first = 0; first < order; first++) {
        int inside = 0;
        for (int k = 0; k < n; k++)
            inside += (perm[k] - first + order) % order < n;
        if (inside == n) {
            *count = (double)survey->npos[first][n - 1];
            return true;
        }
    }
    return false;
}

/* Bytes that a format of plain modes takes, from the number of positions of its levels (tsr_level.h); false
 * when the survey does not know one. */
static bool nbytes_by_counting(double *out, const tsr_cli_survey *survey, const tsr_coo *coo,
                               const tsr_format *format)
{
    int perm[TSR_MAX_LEVELS];
    double nparents = 1, nbytes = 0;
    if (!tsr_format_is_permutation(format, perm))
        return false;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const double size = (double)coo->dims[perm[l]];
        const int cut = tsr_format_cut(format, l);
        double npos = nparents; /* branchless */
        if (type->full)
            npos = nparents * (size > 0 && format->levels[l].pitch ? (double)format->levels[l].pitch : size);
        else if (!type->branchless && !count_tuples(&npos, survey, coo->order, perm,
                                                    cut < format->nlevels ? cut + 1 : format->nlevels))
            return false;
        if (type->has_pos)
            nbytes += (nparents + 1) * (npos < 0x1p31 ? 4 : 8);
        if (type->has_crd)
            nbytes += npos * (size <= 0x1p31 ? 4 : 8);
        nparents = npos;
    }
    const bool one = coo->iso && !tsr_format_has_dense_leaf(format);
    *out = nbytes + (double)tsr_type_nbytes(coo->type) * (one ? 1 : nparents);
    return true;
}

static tsr_status size_of(tsr_cli_size *size, const tsr_cli_survey *survey, const tsr_coo *coo,
                          const tsr_format *format, const tsr_cli_survey_options *options, tsr_error *err)
{
    size->exact = nbytes_by_counting(&size->nbytes, survey, coo, format);
    if (size->exact)
        return TSR_OK;
    const tsr_index_width width =
        tsr_format_is_permutation(format, NULL) ? TSR_INDEX_INTEROP : TSR_INDEX_NARROW;
    size->nbytes = tsr_pack_nbytes_bound(format, coo->dims, coo->type, coo->nnz, width);
    const double plain = (double)tsr_coo_nbytes_for(coo->order, coo->dims, coo->type, coo->nnz);
    const bool small = coo->nnz <= EXACT_NNZ && size->nbytes <= 16 * plain + 64e6;
    if (!small && !options->exact)
        return TSR_OK;
    tsr_tensor *tensor = NULL;
    const tsr_status status = pack_pattern(&tensor, coo, format, width, options, NULL, err);
    if (status == TSR_LIMIT)
        return TSR_OK; /* too large to build: the bound stays */
    if (status == TSR_OK) {
        size->nbytes = nbytes_with_values(tensor, coo);
        size->exact = true;
    }
    tsr_tensor_free(tensor);
    return status;
}

/* Whether `format`, parsed from a named format's name, goes by that name: a name of level letters may mean
 * those letters for another order, and of several names for one format one is enough. */
static bool goes_by(const tsr_format *format, const char *name)
{
    tsr_text text = {0};
    tsr_format_print_name(&text, format);
    const size_t n = strlen(name);
    const char *const printed = tsr_text_cstr(&text);
    const bool same =
        printed[0] == '(' || (strncmp(printed, name, n) == 0 && (!printed[n] || printed[n] == '('));
    tsr_text_clear(&text);
    return same;
}

static tsr_status survey_sizes(tsr_cli_survey *survey, const tsr_coo *coo,
                               const tsr_cli_survey_options *options, tsr_error *err)
{
    size_t n = 0;
    while (tsr_named_formats[n].name)
        n++;
    survey->sizes = tsr_calloc(n, sizeof *survey->sizes);
    if (!survey->sizes)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const char *const name = tsr_named_formats[i].name;
        tsr_format *format = NULL;
        if (tsr_format_parse(&format, name, coo->order, coo->dims, NULL) != TSR_OK)
            continue; /* for another order, or with parameters */
        if (!goes_by(format, name)) {
            tsr_format_free(format);
            continue;
        }
        tsr_cli_size *const size = &survey->sizes[survey->nsizes++];
        size->format = tsr_strdup(name);
        const tsr_status status = size->format ? size_of(size, survey, coo, format, options, err)
                                               : tsr_fail(err, TSR_NOMEM, "out of memory");
        tsr_format_free(format);
        TSR_TRY(status);
    }
    return TSR_OK;
}

tsr_status tsr_cli_survey_init(tsr_cli_survey *survey, const tsr_coo *coo,
                               const tsr_cli_survey_options *options, tsr_error *err)
{
    memset(survey, 0, sizeof *survey);
    survey->nnz = coo->nnz;
    survey->ncells = 1;
    for (int m = 0; m < coo->order; m++)
        survey->ncells *= (double)coo->dims[m];
    find_order(survey, coo);
    for (int m = 0; m < coo->order; m++)
        TSR_TRY(survey_mode(survey, coo, m, options, err));
    finish_modes(survey, coo);
    return survey_sizes(survey, coo, options, err);
}

void tsr_cli_survey_clear(tsr_cli_survey *survey)
{
    for (int i = 0; i < survey->nsizes; i++)
        tsr_free(survey->sizes[i].format);
    tsr_free(survey->sizes);
    memset(survey, 0, sizeof *survey);
}
