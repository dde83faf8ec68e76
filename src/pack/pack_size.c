/* The size of a packed tensor: positions and widths of each level, computed before memory is allocated. */
#include <inttypes.h>
#include <math.h>

#include "pack_internal.h"
#include "tsr_memory.h"

/* The width of an array whose largest element is `max`; a requested width is returned even where `max` does
 * not fit. */
static size_t width_for(tsr_index_width policy, uint64_t max)
{
    switch (policy) {
    case TSR_INDEX_INTEROP:
        return max < (UINT64_C(1) << 31) ? 4 : 8;
    case TSR_INDEX_8:
        return 1;
    case TSR_INDEX_16:
        return 2;
    case TSR_INDEX_32:
        return 4;
    case TSR_INDEX_64:
        return 8;
    default:
        return tsr_width_for(max);
    }
}

tsr_index_width tsr_pack_policy(tsr_index_width policy, const tsr_format *format)
{
    if (policy != TSR_INDEX_AUTO)
        return policy;
    return tsr_format_is_permutation(format, NULL) ? TSR_INDEX_INTEROP : TSR_INDEX_NARROW;
}

tsr_status tsr_pack_fit_width(size_t *width, tsr_index_width policy, uint64_t max, const char *array, int l,
                              tsr_error *err)
{
    *width = width_for(policy, max);
    if (*width >= tsr_width_for(max))
        return TSR_OK;
    return tsr_fail(err, TSR_RANGE,
                    "level %d: %s needs elements up to %" PRIu64 ", which do not fit %zu bits", l, array, max,
                    8 * *width);
}

/* ---- limits ---- */

bool pack_fits(const tsr_pack_options *options, double nbytes, double freed)
{
    const bool allowed = !options->max_nbytes || nbytes <= (double)options->max_nbytes;
    return allowed && tsr_memory_fits(nbytes - freed);
}

tsr_status pack_too_large(const tsr_format *format, const uint64_t *dims, const tsr_pack_options *options,
                          double nbytes, tsr_error *err)
{
    char need[32], have[32], words[TSR_MEMORY_WORDS_NBYTES];
    tsr_text what = {0};
    tsr_format_print_name_for(&what, format, dims);
    for (int m = 0; m < format->order; m++)
        tsr_text_addf(&what, "%s%" PRIu64, m > 0 ? " x " : " of ", dims[m]);
    tsr_status status;
    if (options->max_nbytes && nbytes > (double)options->max_nbytes)
        status = tsr_fail(err, TSR_LIMIT, "%s needs %s, more than the allowed %s", tsr_text_cstr(&what),
                          tsr_bytes_text_f(need, nbytes), tsr_bytes_text(have, options->max_nbytes));
    else
        status =
            tsr_fail(err, TSR_LIMIT, "%s needs %s", tsr_text_cstr(&what), tsr_memory_words(words, nbytes));
    tsr_text_clear(&what);
    return status;
}

tsr_status pack_room_take(void *arg, double nbytes, tsr_error *err)
{
    pack_room *room = arg;
    const pack_job *job = room->job;
    room->nbytes += nbytes;
    if (pack_fits(&job->options, room->nbytes, 0))
        return TSR_OK;
    return pack_too_large(job->format, job->source->dims, &job->options, room->nbytes, err);
}

tsr_level_room pack_room_open(pack_room *room)
{
    static const size_t widths[] = {
        [TSR_INDEX_8] = 1, [TSR_INDEX_16] = 2, [TSR_INDEX_32] = 4, [TSR_INDEX_64] = 8};
    const tsr_index_width policy = tsr_pack_policy(room->job->options.index_width, room->job->format);
    const bool fixed =
        policy == TSR_INDEX_8 || policy == TSR_INDEX_16 || policy == TSR_INDEX_32 || policy == TSR_INDEX_64;
    return (tsr_level_room){.width = fixed ? widths[policy] : 0,
                            .is_interop = policy == TSR_INDEX_INTEROP,
                            .take = pack_room_take,
                            .arg = room};
}

/* The bytes that packing frees before or while it allocates the tensor's arrays. The arrays of a source in storage
 * order stay until the levels are made from them, but its values may be moved to the tensor. */
static double freed_nbytes(const pack_job *job, bool inspected)
{
    const tsr_source *source = job->source;
    const double values = source->values ? (double)tsr_array_owned_nbytes(source->values) : 0;
    double nbytes = 0;
    if (inspected && job->sorted) {
        nbytes = job->dense_leaf ? 0 : values;
        for (int l = 0; l < job->nlevels; l++)
            nbytes += (job->moved_pos[l] ? (double)tsr_array_owned_nbytes(job->moved_pos[l]) : 0) +
                      (job->moved_crd[l] ? (double)tsr_array_owned_nbytes(job->moved_crd[l]) : 0);
        return nbytes;
    }
    if (inspected && job->copies_values)
        return 0;
    for (int i = 0; i < source->narrays; i++)
        nbytes += (double)tsr_array_owned_nbytes(source->arrays[i]);
    return nbytes;
}

/* The positions of a level of this type under nparents positions; -1: they depend on the entries. A double,
 * since sizes are checked before they are known to fit 64 bits. */
static double own_positions(const tsr_level_type *type, double nparents, uint64_t pitch)
{
    return type->full         ? nparents * (double)pitch
           : type->branchless ? nparents
                              : -1; /* types that assemble: -1 */
}

tsr_status pack_shape_init(pack_shape *shape, const pack_job *job, const uint64_t *opened, tsr_error *err)
{
    const tsr_index_width policy = tsr_pack_policy(job->options.index_width, job->format);
    uint64_t npos = 1;
    double nbytes = 0, positions = 1;
    bool fits = true; /* npos is exact */
    for (int l = 0; l < job->nlevels; l++) {
        const tsr_level_type *type = job->format->levels[l].type;
        const uint64_t size = job->binding->size[l];
        const double parents = positions;
        shape->nparents[l] = npos;
        fits = fits && type->npos(&npos, npos, job->binding->pitch[l]);
        const bool has_crd = tsr_level_array_row(type, TSR_LEVEL_CRD),
                   has_pos = tsr_level_array_row(type, TSR_LEVEL_POS);
        positions = own_positions(type, parents, job->binding->pitch[l]);
        if (positions < 0) {
            npos = opened ? opened[l] : job->n > 0;
            positions = (double)npos;
        }
        shape->npos[l] = npos;
        TSR_TRY(tsr_pack_fit_width(&shape->crd_width[l], policy, has_crd && size > 0 ? size - 1 : 0, "crd", l,
                                   err));
        TSR_TRY(tsr_pack_fit_width(&shape->pos_width[l], policy, has_pos ? npos : 0, "pos", l, err));
        nbytes += has_pos && !type->assemble ? (parents + 1) * (double)shape->pos_width[l] : 0;
        nbytes += has_crd ? positions * (double)shape->crd_width[l] : 0;
    }
    shape->nvalues = npos;
    nbytes += (job->iso ? 1 : positions) * (double)tsr_type_nbytes(job->source->value_type);
    if (fits && pack_fits(&job->options, nbytes, freed_nbytes(job, opened != NULL)))
        return TSR_OK;
    return pack_too_large(job->format, job->source->dims, &job->options, nbytes, err);
}

double tsr_pack_nbytes_bound(const tsr_format *format, const uint64_t *dims, tsr_type type, uint64_t nnz,
                             tsr_index_width width)
{
    tsr_binding *binding;
    if (tsr_binding_new(&binding, format, dims, NULL) != TSR_OK)
        return HUGE_VAL;
    double nbytes = 0, positions = 1;
    width = tsr_pack_policy(width, format);
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *level = format->levels[l].type;
        const uint64_t size = binding->size[l];
        const double parents = positions;
        positions = own_positions(level, parents, binding->pitch[l]);
        if (positions < 0) {
            /* a group, or a level that keeps duplicates, may have a position for each entry */
            const bool unique = tsr_format_cut(format, l) == l,
                       bounded = unique && parents * (double)size < (double)nnz;
            const bool padded = level->assemble && !level->is_compact && nnz > 0;
            positions = bounded || padded ? parents * (double)size : (double)nnz;
        }
        if (tsr_level_array_row(level, TSR_LEVEL_POS))
            nbytes += (parents + 1) *
                      (double)width_for(width, positions < 0x1p64 ? (uint64_t)positions : UINT64_MAX);
        if (tsr_level_array_row(level, TSR_LEVEL_CRD))
            nbytes += positions * (double)width_for(width, size > 0 ? size - 1 : 0);
    }
    const bool iso = type == TSR_PATTERN && format->nlevels > 0 && !tsr_format_has_dense_leaf(format);
    tsr_binding_free(binding);
    return nbytes + (iso ? 1 : positions) * (double)tsr_type_nbytes(type);
}
