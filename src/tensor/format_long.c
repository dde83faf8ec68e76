/* The long form: (i, j) -> (i floordiv 2 : dense, j : compressed(nonunique), ...). */
#include "format_internal.h"

#include "tsr_num.h"

/* ( name {, name} ): the modes' names, as spans of the text. */
static tsr_status parse_names(const char **names, size_t *lengths, int *nnames, tsr_cursor *cursor,
                              tsr_error *err)
{
    *nnames = 0;
    TSR_TRY(format_expect(cursor, "(", "'(' and the names of the modes", err));
    if (*cursor->p == ')')
        return format_expect(cursor, ")", "')'", err);
    for (;;) {
        const char *end = format_word_end(cursor->p);
        if (end == cursor->p)
            return format_unexpected(cursor, "the name of a mode", err);
        const size_t n = (size_t)(end - cursor->p);
        if (*nnames == TSR_MAX_ORDER)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, format_col(cursor),
                               "more than %d modes are not supported", TSR_MAX_ORDER);
        for (int m = 0; m < *nnames; m++)
            if (lengths[m] == n && memcmp(names[m], cursor->p, n) == 0)
                return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor),
                                   "two modes are called '%.*s'", n > 40 ? 40 : (int)n, cursor->p);
        names[*nnames] = cursor->p;
        lengths[(*nnames)++] = n;
        cursor->p = format_skip_blanks(end);
        if (*cursor->p == ')')
            return format_expect(cursor, ")", "')'", err);
        TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
}

/* A builder whose dims have these names. */
static tsr_status make_builder(tsr_map_builder **out, const char *const *names, const size_t *lengths,
                               int nnames, tsr_error *err)
{
    const char *copies[TSR_MAX_ORDER];
    tsr_text text = {0};
    size_t at[TSR_MAX_ORDER];
    for (int m = 0; m < nnames; m++) {
        at[m] = text.nbytes;
        tsr_text_add_n(&text, names[m], lengths[m]);
        tsr_text_add_n(&text, "", 1);
    }
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK) {
        for (int m = 0; m < nnames; m++)
            copies[m] = tsr_text_cstr(&text) + at[m];
        status = tsr_map_builder_new(out, nnames, copies, err);
    }
    tsr_text_clear(&text);
    return status;
}

/* Words of other systems for levels that we do not store; everything else is a misspelling. */
static bool is_foreign(const char *word, size_t n)
{
    static const char *const words[] = {"banded", "batch",      "block2_4", "compressed_hi",    "delta",
                                        "hashed", "list",       "offset",   "loose_compressed", "prefix",
                                        "range",  "structured", "sliced",   "squeezed"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == n && memcmp(words[k], word, n) == 0)
            return true;
    return false;
}

static tsr_status unknown_type(const tsr_cursor *cursor, size_t n, tsr_error *err)
{
    tsr_text known = {0};
    for (const tsr_level_type *const *type = tsr_level_types; *type; type++) {
        tsr_text_add(&known, type == tsr_level_types ? "" : ", ");
        tsr_text_add(&known, (*type)->name);
    }
    const int shown = n > 40 ? 40 : (int)n;
    const tsr_status status = is_foreign(cursor->p, n)
                                  ? tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                                                "level type '%.*s' is not supported (supported: %s)", shown,
                                                cursor->p, tsr_text_cstr(&known))
                                  : tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor),
                                                "'%.*s' is not a level type (expected one of: %s)", shown,
                                                cursor->p, tsr_text_cstr(&known));
    tsr_text_clear(&known);
    return status;
}

static const char property_names[] = "a level property (nonunique, pitch = N)";

/* pitch = N, cursor at its first letter. */
static tsr_status parse_pitch(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    if (level->pitch)
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor), "a second pitch of one level");
    cursor->p += strlen("pitch");
    TSR_TRY(format_expect(cursor, "=", "'=' and the pitch", err));
    const char *end = tsr_parse_u64(&level->pitch, cursor->p, cursor->p + strlen(cursor->p));
    if (*cursor->p < '0' || *cursor->p > '9')
        return format_unexpected(cursor, "a pitch", err);
    if (!end || level->pitch == 0 || level->pitch > INT64_MAX)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(cursor),
                           "a pitch is from 1 to 2^63 - 1, not %.*s", end ? (int)(end - cursor->p) : 20,
                           cursor->p);
    cursor->p = format_skip_blanks(end);
    return TSR_OK;
}

static bool is_word(const char *p, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(p, word, n) == 0;
}

/* ( property {, property} ), cursor behind the '('. */
static tsr_status parse_properties(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    static const char *const foreign[] = {"nonordered", "soa", "padded", "high"};
    for (;;) {
        const size_t n = (size_t)(format_word_end(cursor->p) - cursor->p);
        if (n == 0)
            return format_unexpected(cursor, property_names, err);
        for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
            if (is_word(cursor->p, n, foreign[k]))
                return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                                   "level property '%s' is not supported (supported: nonunique, pitch = N)",
                                   foreign[k]);
        if (is_word(cursor->p, n, "pitch")) {
            TSR_TRY(parse_pitch(level, cursor, err));
        } else if (is_word(cursor->p, n, "nonunique")) {
            level->nonunique = true;
            cursor->p = format_skip_blanks(cursor->p + n);
        } else {
            return format_unexpected(cursor, property_names, err);
        }
        if (*cursor->p == ')')
            return format_expect(cursor, ")", "')'", err);
        TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
}

/* kind [(properties)] */
static tsr_status parse_level(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    const size_t n = (size_t)(format_word_end(cursor->p) - cursor->p);
    if (n == 0)
        return format_unexpected(cursor, "a level type", err);
    *level = (tsr_level_spec){.type = tsr_level_type_by_name(cursor->p, n)};
    if (!level->type)
        return unknown_type(cursor, n, err);
    cursor->p = format_skip_blanks(cursor->p + n);
    if (*cursor->p != '(')
        return TSR_OK;
    cursor->p = format_skip_blanks(cursor->p + 1);
    return parse_properties(level, cursor, err);
}

/* ( expression : level {, expression : level} ) */
static tsr_status parse_levels(format_draft *draft, tsr_cursor *cursor, tsr_error *err)
{
    TSR_TRY(format_expect(cursor, "(", "'(' and the levels", err));
    if (*cursor->p == ')')
        return format_expect(cursor, ")", "')'", err);
    for (;;) {
        if (draft->nlevels == TSR_MAX_LEVELS)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, format_col(cursor),
                               "more than %d levels are not supported", TSR_MAX_LEVELS);
        const int l = draft->nlevels;
        TSR_TRY(tsr_map_build_parse(&draft->results[l], draft->builder, cursor, err));
        TSR_TRY(format_expect(cursor, ":", "':' and a level type", err));
        draft->col[l] = format_col(cursor);
        TSR_TRY(parse_level(&draft->levels[l], cursor, err));
        draft->nlevels++;
        cursor->p = format_skip_blanks(cursor->p);
        if (*cursor->p == ')')
            return format_expect(cursor, ")", "')'", err);
        TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
}

tsr_status format_parse_long(tsr_format **out, const char *text, int order, tsr_error *err)
{
    *out = NULL;
    tsr_cursor cursor = {.start = text, .p = text};
    const char *names[TSR_MAX_ORDER];
    size_t lengths[TSR_MAX_ORDER];
    format_draft draft = {0};
    TSR_TRY(parse_names(names, lengths, &draft.order, &cursor, err));
    if (order >= 0 && order != draft.order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, 1, "the format has %d modes, the tensor has %d",
                           draft.order, order);
    if (*cursor.p == '[' || *cursor.p == '{')
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(&cursor),
                           "symbols are not supported in a format");
    TSR_TRY(format_expect(&cursor, "->", "'->'", err));
    TSR_TRY(make_builder(&draft.builder, names, lengths, draft.order, err));
    tsr_status status = parse_levels(&draft, &cursor, err);
    if (status == TSR_OK && *cursor.p != '\0')
        status = format_unexpected(&cursor, "the end of the format", err);
    if (status != TSR_OK) {
        tsr_map_builder_free(draft.builder);
        return status;
    }
    return format_finish(out, &draft, err);
}
