/* The notation of XLA's layouts as formats. A tiled layout, f32[3,5]{1,0:T(2,2)}, has dense levels. A sparse
 * layout, {1,0:D(D,C)}, has one letter for each physical dimension, from major to minor: D dense, C
 * compressed, S singleton, H loose compressed (not supported). A + after a letter means not unique; a ~ means
 * in any order: C~ is the level type unordered. */
#include "tsr_format_layout.h"

#include <stdio.h>
#include <string.h>

/* ---- the type ---- */

/* XLA's name of a value type; a pattern is stored as bytes that are 0 or 1. */
static const char *xla_type_name(char buf[16], tsr_type type)
{
    const char *const name = tsr_type_name(type);
    snprintf(buf, 16, "%s", type == TSR_PATTERN ? "pred" : name);
    if (name[0] == 'i')
        buf[0] = 's';
    return buf;
}

/* The error for a layout with the type `says` and a tensor of another type. */
static tsr_status other_type(const char *says, tsr_type type, tsr_error *err)
{
    char name[16];
    for (int t = 0; t < TSR_NTYPES; t++)
        if (strcmp(says, xla_type_name(name, (tsr_type)t)) == 0)
            return tsr_fail(
                err, TSR_ARGUMENT,
                "the layout has the type %s, but the tensor has %s: leave the type out, or convert with "
                "--type=%s",
                says, tsr_type_name(type), tsr_type_name((tsr_type)t));
    return tsr_fail(err, TSR_UNSUPPORTED, "the layout has the type %s, which is not a value type of tensors",
                    says);
}

/* Check that the layout has the type of the tensor, if it names a type, and elements of the same number of
 * bits, if it names a number. */
static tsr_status check_type(const tsr_xla *xla, tsr_type type, tsr_error *err)
{
    char name[16];
    const int64_t nbits = 8 * (int64_t)tsr_type_nbytes(type);
    if (xla->type[0] && strcmp(xla->type, xla_type_name(name, type)) != 0)
        return other_type(xla->type, type, err);
    if (xla->element_nbits != 0 && xla->element_nbits != nbits)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "the elements of the layout have %lld bits (E), but the values of the tensor, %s, have %lld",
            (long long)xla->element_nbits, tsr_type_name(type), (long long)nbits);
    return TSR_OK;
}

/* ---- sparse layouts ---- */

/* XLA's letters and those of the short format. */
static const struct {
    char xla, own;
} letters[] = {{'D', 'd'}, {'C', 's'}, {'S', 'q'}};

static const tsr_level_type *type_of_letter(char letter)
{
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (letters[k].xla == letter)
            return tsr_level_type_by_letter(letters[k].own, &(bool){false});
    return NULL; /* H: loose compressed */
}

static tsr_status from_sparse(tsr_format **out, const tsr_xla *xla, const tsr_format_hints *hints,
                              tsr_error *err)
{
    tsr_level_spec levels[TSR_XLA_MAX_RANK];
    int modes[TSR_XLA_MAX_RANK], l = 0;
    for (int d = 0; xla->has_dims && hints->dims && d < xla->rank; d++)
        if (xla->rank != hints->order || (uint64_t)xla->dims[d] != hints->dims[d])
            return tsr_fail(err, TSR_ARGUMENT, "the layout and the tensor have different dims");
    if (xla->ntiles > 0 || xla->tail > 1)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot read a sparse layout with tiles: XLA does not define what it stores");
    for (const char *p = xla->levels; *p && l < xla->rank; l++) {
        levels[l] = (tsr_level_spec){.type = type_of_letter(*p)};
        if (!levels[l].type)
            return tsr_fail(err, TSR_UNSUPPORTED, "level %d is H (loose compressed), which is not supported",
                            l);
        bool any_order = false;
        for (p++; *p && *p != ','; p++) {
            levels[l].nonunique = levels[l].nonunique || *p == '+';
            any_order = any_order || *p == '~';
        }
        if (any_order)
            TSR_TRY(tsr_format_any_order(&levels[l], "~", 0, err));
        modes[l] = xla->order[xla->rank - 1 - l];
        p += *p == ',';
    }
    return tsr_format_permuted(out, xla->rank, levels, modes, err);
}

static tsr_status print_sparse(tsr_text *text, const tsr_format *format, tsr_error *err)
{
    int perm[TSR_MAP_MAX_RESULTS];
    tsr_text levels = {0};
    tsr_status status = TSR_OK;
    if (!tsr_format_is_permutation(format, perm) || tsr_format_has_pitch(format))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "cannot write the format as a sparse layout of XLA: each level must be one mode, "
                        "without a pitch");
    for (int l = 0; l < format->nlevels && status == TSR_OK; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const bool any_order = tsr_level_lists(type) && !type->is_ordered;
        char letter = any_order ? 'C' : '\0';
        for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
            letter = type->letter == letters[k].own ? letters[k].xla : letter;
        if (!letter)
            status = tsr_fail(
                err, TSR_UNSUPPORTED,
                "cannot write the format as a sparse layout of XLA, which has no letter for level %d, %s", l,
                type->name);
        tsr_text_addf(&levels, "%s%c%s", l ? "," : "", letter,
                      format->levels[l].nonunique ? "+"
                      : any_order                 ? "~"
                                                  : "");
    }
    if (status == TSR_OK) {
        tsr_text_add(text, "{");
        for (int l = format->nlevels - 1; l >= 0; l--)
            tsr_text_addf(text, l > 0 ? "%d," : "%d", perm[l]);
        tsr_text_addf(text, ":D(%s)}", tsr_text_cstr(&levels));
        status = tsr_text_status(text, err);
    }
    tsr_text_clear(&levels);
    return status;
}

/* ---- the notation ---- */

static bool claims(const char *text)
{
    return tsr_layout_kind_of(text) == TSR_LAYOUT_XLA;
}

/* The format of a dense layout; a layout without dims gets the dims of the tensor. */
static tsr_status from_dense(tsr_format **out, const tsr_xla *xla, const tsr_format_hints *hints,
                             tsr_error *err)
{
    int64_t dims[TSR_MAX_ORDER] = {0};
    tsr_xla *bound = NULL;
    tsr_layout *layout = NULL;
    if (!xla->has_dims) {
        for (int d = 0; d < hints->order; d++)
            dims[d] = (int64_t)hints->dims[d];
        TSR_TRY(tsr_xla_bind(&bound, xla, NULL, hints->order, dims, err));
    }
    tsr_status status = tsr_layout_from_xla(&layout, bound ? bound : xla, err);
    if (status == TSR_OK)
        status = tsr_format_from_layout(out, layout, hints, err);
    tsr_layout_free(layout);
    tsr_xla_free(bound);
    return status;
}

static tsr_status parse(tsr_format **out, tsr_format_widths *widths, const char *text,
                        const tsr_format_hints *hints, tsr_error *err)
{
    tsr_xla *xla;
    (void)widths;
    *out = NULL;
    TSR_TRY(tsr_xla_parse(&xla, text, err));
    tsr_status status = hints->type ? check_type(xla, *hints->type, err) : TSR_OK;
    if (status == TSR_OK && hints->order >= 0 && xla->rank != hints->order && !xla->has_dims)
        status = tsr_fail(err, TSR_ARGUMENT, "the layout has %d dims, but the tensor has %d modes", xla->rank,
                          hints->order);
    if (status == TSR_OK && !tsr_xla_is_dense(xla))
        status = from_sparse(out, xla, hints, err);
    else if (status == TSR_OK && (xla->has_dims || hints->dims))
        status = from_dense(out, xla, hints, err);
    tsr_xla_free(xla);
    return status;
}

static tsr_status print(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    tsr_layout *layout;
    tsr_xla *xla;
    if (!tsr_format_is_dense(format))
        return print_sparse(text, format, err);
    TSR_TRY(tsr_layout_from_format(&layout, format, dims, err));
    tsr_status status = tsr_layout_to_xla(&xla, layout, NULL, err);
    tsr_layout_free(layout);
    TSR_TRY(status);
    tsr_xla_print(text, xla);
    tsr_xla_free(xla);
    return tsr_text_status(text, err);
}

const tsr_format_notation tsr_format_xla = {
    .name = "xla",
    .example = "{1,0:D(D,C)}",
    .claims = claims,
    .parse = parse,
    .print = print,
};
