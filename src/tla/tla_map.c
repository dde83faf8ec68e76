/* Layouts as index maps and as nested dense levels. A leaf of a mode is a digit of the coordinate of the
 * mode: leaf k of sizes s0, s1, ... has divisor s0 * ... * s(k-1) and modulus sk; the last leaf needs no
 * modulus. */
#include "tla_internal.h"

/* Collect the digits of all modes, without those of size 1 and without pitches. Returns their number. */
static int collect_digits(tsr_tla_level *level, const tsr_tla *layout)
{
    int n = 0;
    for (int m = 0; m < tsr_tla_rank(layout); m++) {
        const tsr_tla mode = tsr_tla_at(layout, m);
        const int first = n;
        int64_t divisor = 1;
        tsr_tla_flat flat;
        tsr_tla_leaves(&flat, &mode);
        for (int i = 0; i < flat.n; i++) {
            const tsr_tla_leaf leaf = flat.leaf[i];
            if (leaf.shape > 1)
                level[n++] = (tsr_tla_level){.mode = m,
                                             .divisor = divisor,
                                             .modulus = leaf.shape,
                                             .size = leaf.shape,
                                             .stride = leaf.stride};
            divisor *= leaf.shape;
        }
        if (n > first)
            level[n - 1].modulus = 0;
    }
    return n;
}

/* ---- maps ---- */

/* A builder with one bounded dim for each mode. */
static tsr_status new_builder(tsr_map_builder **out, int rank, const int64_t *dims, tsr_error *err)
{
    TSR_TRY(tsr_map_builder_new(out, rank, NULL, err));
    for (int m = 0; m < rank; m++)
        tsr_map_build_bound(*out, m, 0, dims[m] - 1);
    return TSR_OK;
}

static const tsr_linear *build_digit(tsr_map_builder *builder, const tsr_tla_level *level)
{
    const tsr_linear *x = tsr_map_build_var(builder, level->mode);
    if (level->divisor > 1)
        x = tsr_map_build_floordiv(builder, x, level->divisor);
    return level->modulus > 0 ? tsr_map_build_mod(builder, x, level->modulus) : x;
}

tsr_status tsr_tla_to_map(tsr_map **out, const tsr_tla *layout, tsr_error *err)
{
    tsr_tla_level level[TSR_TLA_MAX_LEAVES];
    int64_t dims[TSR_TLA_MAX_LEAVES];
    tsr_map_builder *builder;
    *out = NULL;
    for (int m = 0; m < tsr_tla_rank(layout); m++)
        dims[m] = tsr_tla_dim(layout, m);
    const int n = collect_digits(level, layout);
    TSR_TRY(new_builder(&builder, tsr_tla_rank(layout), dims, err));
    const tsr_linear *sum = tsr_map_build_const(builder, 0);
    for (int l = 0; l < n; l++) {
        const tsr_linear *digit = build_digit(builder, &level[l]);
        sum = tsr_map_build_add(builder, sum, tsr_map_build_scale(builder, digit, level[l].stride));
    }
    return tsr_map_build_finish(out, builder, 1, &sum, err);
}

tsr_status tsr_tla_levels_map(tsr_map **out, const tsr_tla_levels *levels, tsr_error *err)
{
    const tsr_linear *digit[TSR_TLA_MAX_LEAVES];
    tsr_map_builder *builder;
    *out = NULL;
    TSR_TRY(new_builder(&builder, levels->rank, levels->dims, err));
    for (int l = 0; l < levels->nlevels; l++)
        digit[l] = build_digit(builder, &levels->level[l]);
    return tsr_map_build_finish(out, builder, levels->nlevels, digit, err);
}

/* ---- levels ---- */

/* Sort by descending stride; insertion sort, since there are few levels. */
static void sort_levels(tsr_tla_level *level, int n)
{
    for (int i = 1; i < n; i++) {
        const tsr_tla_level x = level[i];
        int at = i;
        for (; at > 0 && level[at - 1].stride < x.stride; at--)
            level[at] = level[at - 1];
        level[at] = x;
    }
}

/* Compute the pitch of level `inner`, which follows `outer`; fail with the reason if there is no pitch. */
static tsr_status find_pitch(tsr_tla_level *inner, const tsr_tla_level *outer, const tsr_tla *layout,
                             tsr_error *err)
{
    char shown[TSR_TUPLE_SHOWN_NBYTES];
    if (inner->stride == 0)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s is only a view: stride 0 in mode %d gives %lld coordinates the same offset",
                        tsr_tla_show(shown, layout), inner->mode, (long long)inner->size);
    if (!outer)
        return TSR_OK;
    if (outer->stride % inner->stride != 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s is only a view: stride %lld of mode %d is not a multiple of stride %lld of mode %d",
            tsr_tla_show(shown, layout), (long long)outer->stride, outer->mode, (long long)inner->stride,
            inner->mode);
    inner->pitch = outer->stride / inner->stride;
    if (inner->pitch < inner->size)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s is only a view: %lld elements with stride %lld in mode %d overlap stride %lld of mode %d",
            tsr_tla_show(shown, layout), (long long)inner->size, (long long)inner->stride, inner->mode,
            (long long)outer->stride, outer->mode);
    return TSR_OK;
}

tsr_status tsr_tla_to_levels(tsr_tla_levels *out, const tsr_tla *layout, tsr_error *err)
{
    tsr_tla_levels levels = {.rank = tsr_tla_rank(layout), .unit = 1, .cosize = tsr_tla_cosize(layout)};
    *out = (tsr_tla_levels){0};
    for (int m = 0; m < levels.rank; m++)
        levels.dims[m] = tsr_tla_dim(layout, m);
    levels.nlevels = collect_digits(levels.level, layout);
    sort_levels(levels.level, levels.nlevels);
    /* start with the smallest stride, so that stride 0 is reported first */
    for (int l = levels.nlevels - 1; l >= 0; l--)
        TSR_TRY(find_pitch(&levels.level[l], l > 0 ? &levels.level[l - 1] : NULL, layout, err));
    if (levels.nlevels > 0) {
        levels.level[0].pitch = levels.level[0].size;
        levels.unit = levels.level[levels.nlevels - 1].stride;
    }
    *out = levels;
    return TSR_OK;
}

bool tsr_tla_levels_coord(int64_t *coord, const tsr_tla_levels *levels, int64_t offset)
{
    for (int m = 0; m < levels->rank; m++)
        coord[m] = 0;
    if (offset < 0 || offset >= levels->cosize)
        return false;
    for (int l = 0; l < levels->nlevels; l++) {
        const tsr_tla_level *level = &levels->level[l];
        const int64_t digit = offset / level->stride;
        if (digit >= level->size)
            return false;
        coord[level->mode] += digit * level->divisor;
        offset %= level->stride;
    }
    for (int m = 0; m < levels->rank; m++)
        if (coord[m] >= levels->dims[m])
            return false;
    return offset == 0;
}
