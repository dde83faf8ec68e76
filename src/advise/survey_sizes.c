/* advise_sizes: the memory that the named formats would take. The bytes follow from the number of positions
 * of each level, and that number from the number of different prefixes of the storage coordinates of the
 * entries. */
#include <math.h>
#include <string.h>

#include "advise_internal.h"

/* Bytes of an element of an array of positions or coordinates, as the tools choose them: 4 or 8 if each
 * level is one mode, else the smallest width that holds `largest`. */
static double index_nbytes(bool plain, double largest)
{
    if (plain)
        return largest < 0x1p31 ? 4 : 8;
    return (double)tsr_width_for(largest < 0x1p64 ? (uint64_t)largest : UINT64_MAX);
}

static bool find_tuples(double *n, const tsr_survey *survey, uint32_t modes)
{
    for (int i = 0; i < survey->ntuples; i++)
        if (survey->tuples[i].modes == modes) {
            *n = (double)survey->tuples[i].n;
            return true;
        }
    return false;
}

/* The last level whose coordinate, when it changes, begins a new position at level l. */
static int opening_level(const tsr_format *format, int l)
{
    const int cut = tsr_format_cut(format, l);
    return cut < format->nlevels ? cut : format->nlevels - 1;
}

/* Set npos[l] of the levels that depend on the entries from the tuples that the survey knows; return false
 * when the survey does not know one of them. */
static bool known_positions(double *npos, const tsr_survey *survey, const tsr_format *format)
{
    int perm[TSR_MAX_LEVELS];
    if (!tsr_format_is_permutation(format, perm))
        return false;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        uint32_t modes = 0;
        if (type->full || type->branchless)
            continue;
        for (int k = 0; k <= opening_level(format, l); k++)
            modes |= UINT32_C(1) << perm[k];
        if (!find_tuples(&npos[l], survey, modes))
            return false;
    }
    return true;
}

/* Upper bounds of npos: a level has at most one position for each entry, and at most one for each tuple of
 * coordinates up to this level. */
static void bound_positions(double *npos, const tsr_binding *binding, uint64_t nnz)
{
    const tsr_format *const format = binding->format;
    double parents = 1;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const double cells = parents * (double)binding->size[l];
        const bool unique =
            tsr_format_cut(format, l) == l; /* if not, there may be one position for each entry */
        if (!type->full && !type->branchless)
            npos[l] = unique && cells < (double)nnz ? cells : (double)nnz;
        parents = type->full ? parents * (double)binding->pitch[l] : type->branchless ? parents : npos[l];
    }
}

double advise_format_nbytes(const double *npos, const tsr_binding *binding, tsr_type type_of_values,
                            bool is_iso)
{
    const tsr_format *const format = binding->format;
    const bool plain = tsr_format_is_permutation(format, NULL);
    double nparents = 1, nbytes = 0;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const uint64_t size = binding->size[l];
        const double n = type->full         ? nparents * (double)binding->pitch[l]
                         : type->branchless ? nparents
                                            : npos[l];
        if (tsr_level_array_row(type, TSR_LEVEL_POS))
            nbytes += (nparents + 1) * index_nbytes(plain, n);
        if (tsr_level_array_row(type, TSR_LEVEL_CRD))
            nbytes += n * index_nbytes(plain, size > 0 ? (double)(size - 1) : 0);
        nparents = n;
    }
    const bool one = is_iso && !tsr_format_has_dense_leaf(format);
    return nbytes + (double)tsr_type_nbytes(type_of_values) * (one ? 1 : nparents);
}

static tsr_status count_positions(double *npos, const tsr_survey *survey, const advise_source *source,
                                  const tsr_binding *binding, tsr_error *err)
{
    advise_prefixes prefixes;
    int modes[TSR_MAX_LEVELS];
    const bool plain = tsr_format_is_permutation(binding->format, modes);
    const int n = binding->format->nlevels;
    if (survey->nnz == 0 || n == 0)
        return TSR_OK;
    TSR_TRY(advise_count_prefixes(&prefixes, source, modes, n, plain ? NULL : binding, err));
    for (int l = 0; l < n; l++)
        npos[l] = (double)prefixes.npos[opening_level(binding->format, l)];
    return TSR_OK;
}

static tsr_status size_of(tsr_format_size *size, const tsr_survey *survey, const advise_source *source,
                          const tsr_format *format, tsr_error *err)
{
    double npos[TSR_MAX_LEVELS] = {0};
    tsr_binding *binding;
    size->nbytes = HUGE_VAL;
    if (tsr_binding_new(&binding, format, source->dims, NULL) != TSR_OK)
        return TSR_OK; /* the dims do not fit the blocks of the format */
    tsr_status status = TSR_OK;
    size->exact = known_positions(npos, survey, format);
    if (!size->exact && advise_may_sort(source, survey->nnz)) {
        status = count_positions(npos, survey, source, binding, err);
        size->exact = status == TSR_OK;
    } else if (!size->exact) {
        bound_positions(npos, binding, survey->nnz);
    }
    size->nbytes = advise_format_nbytes(npos, binding, source->type, source->iso);
    tsr_binding_free(binding);
    return status;
}

/* Whether `format`, which was parsed from the name of a named format, is printed with that name. It is not
 * if the name, for this order, was read as level letters, or if the format has several names and prints
 * another one. */
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

tsr_status advise_sizes(tsr_survey *survey, const advise_source *source, tsr_error *err)
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
        if (tsr_format_parse(&format, name, source->order, source->dims, NULL) != TSR_OK)
            continue; /* for another order, or with parameters */
        if (tsr_format_assembles(format) || !goes_by(format, name)) { /* sizes that counts do not determine */
            tsr_format_free(format);
            continue;
        }
        tsr_format_size *const size = &survey->sizes[survey->nsizes++];
        size->format = tsr_strdup(name);
        const tsr_status status = size->format ? size_of(size, survey, source, format, err)
                                               : tsr_fail(err, TSR_NOMEM, "out of memory");
        tsr_format_free(format);
        TSR_TRY(status);
    }
    return TSR_OK;
}
