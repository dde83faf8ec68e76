/* Printing formats in the short and the long form. The text parses back to an equal format. */
#include "format_internal.h"

#include <inttypes.h>

/* The letter of level l in the short form, so that from_letters (format_parse.c) gives the level back; 0:
 * there is none. */
static char level_letter(const tsr_format *format, int l)
{
    const tsr_level_spec *level = &format->levels[l];
    if (level->type->branchless && l > 0 && format->levels[l - 1].nonunique) {
        const bool followed = l + 1 < format->nlevels && format->levels[l + 1].type->branchless;
        return level->nonunique == followed ? level->type->letter : '\0';
    }
    return level->nonunique ? level->type->letter_nonunique : level->type->letter;
}

static bool has_short_form(const tsr_format *format, int *perm)
{
    if (format->order == 0 || !tsr_format_is_permutation(format, perm))
        return false;
    for (int l = 0; l < format->nlevels; l++)
        if (!level_letter(format, l) || format->levels[l].pitch)
            return false;
    return true;
}

void tsr_format_print(tsr_text *text, const tsr_format *format)
{
    int perm[TSR_MAP_MAX_RESULTS];
    if (!has_short_form(format, perm)) {
        tsr_format_print_long(text, format);
        return;
    }
    bool in_order = true;
    for (int l = 0; l < format->nlevels; l++) {
        const char letter = level_letter(format, l);
        tsr_text_add_n(text, &letter, 1);
        in_order = in_order && perm[l] == l;
    }
    for (int l = 0; !in_order && l < format->nlevels; l++)
        tsr_text_addf(text, "%c%d", l ? ',' : ':', perm[l]);
}

const char *const *format_mode_names(int order)
{
    static const char *const few[] = {"i", "j", "k", "l"};
    static const char *const many[] = {"d0", "d1", "d2",  "d3",  "d4",  "d5",  "d6",  "d7",
                                       "d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15"};
    return order <= 4 ? few : many;
}

void tsr_format_print_long(tsr_text *text, const tsr_format *format)
{
    const char *const *names = format_mode_names(format->order);
    tsr_text_add(text, "(");
    for (int m = 0; m < format->order; m++)
        tsr_text_addf(text, "%s%s", m ? ", " : "", names[m]);
    tsr_text_add(text, ") -> (");
    for (int l = 0; l < format->nlevels; l++) {
        tsr_text_add(text, l ? ", " : "");
        tsr_map_print_result(text, format->map, l, names);
        tsr_text_addf(text, " : %s%s", format->levels[l].type->name,
                      format->levels[l].nonunique ? "(nonunique)" : "");
        if (format->levels[l].param)
            tsr_text_addf(text, "(%" PRIu64 ")", format->levels[l].param);
        if (format->levels[l].pitch)
            tsr_text_addf(text, "(pitch = %" PRIu64 ")", format->levels[l].pitch);
    }
    tsr_text_add(text, ")");
}

/* ---- as notations ---- */

static tsr_status print_letters(tsr_text *text, const tsr_format *format, const uint64_t *dims,
                                tsr_error *err)
{
    int perm[TSR_MAP_MAX_RESULTS];
    (void)dims;
    if (!has_short_form(format, perm))
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "level letters need a format whose levels store one mode each: use the long form");
    tsr_format_print(text, format);
    return tsr_text_status(text, err);
}

static tsr_status print_long(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    (void)dims;
    tsr_format_print_long(text, format);
    return tsr_text_status(text, err);
}

static bool claims_long(const char *text)
{
    return *format_skip_blanks(text) == '(';
}

static tsr_status parse_long(tsr_format **out, tsr_format_widths *widths, const char *text,
                             const tsr_format_hints *hints, tsr_error *err)
{
    (void)widths;
    return format_parse_long(out, text, hints->order, err);
}

const tsr_format_notation tsr_format_letters = {
    .name = "letters",
    .example = "ds:1,0",
    .claims = format_claims_letters,
    .parse = format_parse_word,
    .print = print_letters,
};
const tsr_format_notation tsr_format_long = {
    .name = "long",
    .example = "(i, j) -> (i : dense, j : compressed)",
    .claims = claims_long,
    .parse = parse_long,
    .print = print_long,
};
