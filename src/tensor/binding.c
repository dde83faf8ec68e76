/* A format bound to dims: level sizes, and both directions of the map. */
#include "tsr_owners.h"
#include "format_internal.h"

#include <inttypes.h>

#include "tensor_internal.h"
#include "tsr_checked.h"

/* Whether the products of a[0..na) and of b[0..nb), all positive, differ. The result is exact for products
 * of any size: common factors are cancelled, and all factors become 1 only where the products are equal. */
static bool products_differ(const uint64_t *a, int na, const uint64_t *b, int nb)
{
    uint64_t rest[TSR_MAX_LEVELS];
    memcpy(rest, b, (size_t)nb * sizeof *b);
    bool differ = false;
    for (int i = 0; i < na; i++) {
        uint64_t left = a[i];
        for (int k = 0; k < nb; k++) {
            const uint64_t g = tsr_gcd_u64(left, rest[k]);
            left /= g;
            rest[k] /= g;
        }
        differ = differ || left != 1;
    }
    for (int k = 0; k < nb; k++)
        differ = differ || rest[k] != 1;
    return differ;
}

/* Set size and base of level l from the range of the map's result l. */
static tsr_status bind_level(tsr_binding *binding, int l, tsr_error *err)
{
    const tsr_interval range = tsr_map_level_bounds(binding->forward, l);
    if (range.lo > range.hi)
        return TSR_OK; /* size 0, base 0 */
    const int64_t base = range.lo < 0 ? range.lo : 0;
    const uint64_t size = (uint64_t)range.hi - (uint64_t)base + 1;
    if (range.lo == INT64_MIN || range.hi == INT64_MAX || size > INT64_MAX)
        return tsr_fail(err, TSR_LIMIT, "level %d would have more than 2^63 - 1 coordinates", l);
    binding->base[l] = base;
    binding->size[l] = size;
    return TSR_OK;
}

/* TSR_LIMIT where the inverse cannot be applied to all cells, including padding, which unpacking needs. */
static tsr_status check_inverse(const tsr_binding *binding, tsr_error *err)
{
    tsr_map_plan *plan;
    const tsr_status status = tsr_map_plan_new(&plan, binding->inverse, err);
    if (status == TSR_OK)
        tsr_map_plan_free(plan);
    return status == TSR_LIMIT
               ? tsr_fail(err, TSR_LIMIT,
                          "the levels would have cells for coordinates beyond 2^63 - 1: the dims are "
                          "too large for the blocks of this format")
               : status;
}

/* Set the pitches. A level of size 0 does not have padding. */
static tsr_status bind_pitches(tsr_binding *binding, tsr_error *err)
{
    for (int l = 0; l < binding->format->nlevels; l++) {
        const uint64_t size = binding->size[l], pitch = binding->format->levels[l].pitch;
        binding->pitch[l] = pitch && size ? pitch : size;
        if (pitch && pitch < size)
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d has pitch %" PRIu64 ", which is less than the size %" PRIu64, l, pitch,
                            size);
    }
    return TSR_OK;
}

/* A mode of dim 0 is bound as if it had one coordinate, since maps need one. Set the sizes of levels that
 * depend on such a mode to 0, except levels inside blocks (x mod c). */
static void empty_levels(tsr_binding *binding)
{
    const tsr_map *const map = binding->format->map;
    uint64_t empty = 0;
    for (int m = 0; m < binding->format->order; m++)
        empty |= (uint64_t)(binding->dims[m] == 0) << m;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (tsr_map_result_vars(map, l) & empty && !tsr_map_result_has_mod(map, l))
            binding->size[l] = 0;
}

static bool may_pad(const tsr_binding *binding)
{
    bool pitched = false;
    for (int l = 0; l < binding->format->nlevels; l++)
        if (binding->size[l] == 0)
            return false; /* there are no cells */
    for (int l = 0; l < binding->format->nlevels; l++)
        pitched =
            pitched || binding->pitch[l] > binding->size[l] || binding->format->levels[l].type->is_padded;
    return binding->empty || pitched ||
           products_differ(binding->size, binding->format->nlevels, binding->dims, binding->format->order);
}

tsr_status tsr_binding_new(tsr_binding **out, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_shape_check(format->order, dims, TSR_F64, err));
    tsr_binding *binding = tsr_calloc(1, sizeof *binding);
    if (!binding)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a binding");
    tsr_status status = TSR_OK;
    uint64_t bound[TSR_MAX_ORDER] = {0};
    binding->format = format;
    for (int m = 0; m < format->order; m++) {
        binding->dims[m] = dims[m];
        binding->empty = binding->empty || dims[m] == 0;
        bound[m] = dims[m] ? dims[m] : 1;
    }
    TSR_TRY_OUT(tsr_map_bind(&binding->forward, format->map, bound, err));
    for (int l = 0; l < format->nlevels; l++)
        TSR_TRY_OUT(bind_level(binding, l, err));
    TSR_TRY_OUT(tsr_map_invert(&binding->inverse, binding->forward, err));
    TSR_TRY_OUT(check_inverse(binding, err));
    if (binding->empty)
        empty_levels(binding);
    TSR_TRY_OUT(bind_pitches(binding, err));
    binding->may_pad = may_pad(binding);
    *out = binding;
out:
    if (status != TSR_OK)
        tsr_binding_free(binding);
    return status;
}

bool tsr_format_suits(const tsr_format *format, int order, const uint64_t *dims)
{
    tsr_binding *binding = NULL;
    const bool fits = format->order == order && tsr_binding_new(&binding, format, dims, NULL) == TSR_OK;
    tsr_binding_free(binding);
    return fits;
}

tsr_binding *tsr_binding_share(const tsr_binding *binding)
{
    tsr_binding *const same = (tsr_binding *)(uintptr_t)binding; /* the count of owners is all that changes */
    tsr_owner_add(&same->nowners);
    return same;
}

void tsr_binding_free(tsr_binding *binding)
{
    if (!binding || !tsr_owner_drop(&binding->nowners))
        return;
    tsr_map_free(binding->forward);
    tsr_map_free(binding->inverse);
    tsr_free(binding);
}
