/* The long form: (i, j) -> (i floordiv 2 : dense, j : compressed(nonunique), ...). */
#include <stdio.h>

#include "format_internal.h"
#include "tsr_num.h"
#include "tsr_suggest.h"

/* A list of names: pointers into the text. */
typedef struct name_list {
    int n;
    const char *name[TSR_MAX_LEVELS];
    size_t length[TSR_MAX_LEVELS];
} name_list;

static bool is_name(const name_list *names, int k, const char *p, size_t n)
{
    return names->length[k] == n && memcmp(names->name[k], p, n) == 0;
}

/* Skip the text after the name of a mode in MLIR: [= expression of the levels], which the levels determine.
 * [: slice] is TSR_UNSUPPORTED. */
static tsr_status skip_inverse(tsr_cursor *cursor, tsr_error *err)
{
    int depth = 0;
    if (*cursor->p == '=') {
        while (*cursor->p && (depth > 0 || !strchr(",:)", *cursor->p))) {
            depth += *cursor->p == '(' ? 1 : *cursor->p == ')' ? -1 : 0;
            cursor->p++;
        }
    }
    if (*cursor->p == ':')
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                           "slices are not supported in a format");
    return TSR_OK;
}

/* Parse ( name {, name} ), or the same in {} or []: at most `max` names. what: "mode" or "level", for
 * errors. */
static tsr_status parse_names(name_list *names, const char *what, int max, bool mlir, tsr_cursor *cursor,
                              tsr_error *err)
{
    static const struct {
        const char *open, *close, *expected, *more;
    } brackets[] = {
        {"(", ")", "')'", "',' or ')'"}, {"{", "}", "'}'", "',' or '}'"}, {"[", "]", "']'", "',' or ']'"}};
    const int b = *cursor->p == '{' ? 1 : *cursor->p == '[' ? 2 : 0;
    const char *const close = brackets[b].close, *const expected = brackets[b].expected;
    char wanted[32];
    names->n = 0;
    snprintf(wanted, sizeof wanted, "'(' and the names of the %ss", what);
    TSR_TRY(format_expect(cursor, brackets[b].open, wanted, err));
    if (*cursor->p == *close)
        return format_expect(cursor, close, expected, err);
    for (;;) {
        const char *end = format_word_end(cursor->p);
        snprintf(wanted, sizeof wanted, "the name of a %s", what);
        if (end == cursor->p)
            return format_unexpected(cursor, wanted, err);
        const size_t n = (size_t)(end - cursor->p);
        if (names->n == max)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, format_col(cursor),
                               "more than %d %ss are not supported", max, what);
        for (int k = 0; k < names->n; k++)
            if (is_name(names, k, cursor->p, n))
                return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor),
                                   "two %ss have the same name '%.*s'", what, n > 40 ? 40 : (int)n,
                                   cursor->p);
        names->name[names->n] = cursor->p;
        names->length[names->n++] = n;
        cursor->p = format_skip_blanks(end);
        if (mlir)
            TSR_TRY(skip_inverse(cursor, err));
        if (*cursor->p == *close)
            return format_expect(cursor, close, expected, err);
        TSR_TRY(format_expect(cursor, ",", brackets[b].more, err));
    }
}

/* A builder whose dims have these names. */
static tsr_status make_builder(tsr_map_builder **out, const name_list *names, tsr_error *err)
{
    const char *copies[TSR_MAX_LEVELS];
    tsr_text text = {0};
    size_t at[TSR_MAX_LEVELS];
    for (int m = 0; m < names->n; m++) {
        at[m] = text.nbytes;
        tsr_text_add_n(&text, names->name[m], names->length[m]);
        tsr_text_add_n(&text, "", 1);
    }
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK) {
        for (int m = 0; m < names->n; m++)
            copies[m] = tsr_text_cstr(&text) + at[m];
        status = tsr_map_builder_new(out, names->n, copies, err);
    }
    tsr_text_clear(&text);
    return status;
}

/* Level types of other systems that Tessera does not support; any other word is a misspelling. */
static bool is_foreign(const char *word, size_t n)
{
    static const char *const words[] = {"banded", "batch",  "block2_4",         "compressed_hi", "delta",
                                        "list",   "offset", "loose_compressed", "prefix"};
    enum { NWORDS = sizeof words / sizeof *words };
    return tsr_name_find(words, NWORDS, sizeof *words, word, n) < NWORDS;
}

static tsr_status unknown_type(const tsr_cursor *cursor, size_t n, tsr_error *err)
{
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, cursor->p, n);
    for (const tsr_level_type *const *type = tsr_level_types; *type; type++)
        tsr_suggest_offer(&suggest, (*type)->name);
    if (!is_foreign(cursor->p, n))
        return tsr_suggest_fail(&suggest, TSR_SYNTAX, format_col(cursor), "level type", err);
    const tsr_status status = tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                                          "level type '%.*s' is not supported (supported: %s)",
                                          n > 40 ? 40 : (int)n, cursor->p, tsr_text_cstr(&suggest.known));
    tsr_suggest_clear(&suggest);
    return status;
}

static const char property_names[] = "a level property (nonunique, pitch = N)";

/* pitch = N, cursor at its first letter. */
static tsr_status parse_pitch(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    if (level->pitch)
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor),
                           "the pitch occurs twice: write it once");
    cursor->p += strlen("pitch");
    TSR_TRY(format_expect(cursor, "=", "'=' and the pitch", err));
    const char *end = tsr_parse_u64(&level->pitch, cursor->p, cursor->p + strlen(cursor->p));
    if (*cursor->p < '0' || *cursor->p > '9')
        return format_unexpected(cursor, "a pitch", err);
    if (!end || level->pitch == 0 || level->pitch > INT64_MAX)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(cursor),
                           "the pitch must be 1 to 2^63 - 1, not %.*s", end ? (int)(end - cursor->p) : 20,
                           cursor->p);
    cursor->p = format_skip_blanks(end);
    return TSR_OK;
}

/* The number of a type that has a parameter, cursor at its first digit. */
static tsr_status parse_param(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    const char *end = tsr_parse_u64(&level->param, cursor->p, cursor->p + strlen(cursor->p));
    if (!level->type->parameter)
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor),
                           "%s does not have a number in parentheses", level->type->name);
    if (!end || level->param == 0 || level->param > INT32_MAX)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(cursor),
                           "%s(N): the number of %s must be 1 to 2^31 - 1", level->type->name,
                           level->type->parameter);
    cursor->p = format_skip_blanks(end);
    return TSR_OK;
}

tsr_status tsr_format_any_order(tsr_level_spec *level, const char *word, uint64_t col, tsr_error *err)
{
    if (level->type != tsr_level_of_list || level->nonunique)
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, col,
                           "%s is supported for compressed levels of unique coordinates only: without it, "
                           "the coordinates of this level are sorted",
                           word);
    level->type = tsr_level_in_any_order;
    return TSR_OK;
}

/* Parse property {, property} ')'. soa, a property of MLIR, requires an array for each level, which Tessera's
 * storage has. */
static tsr_status parse_properties(tsr_level_spec *level, bool mlir, tsr_cursor *cursor, tsr_error *err)
{
    static const char *const foreign[] = {"nonordered", "soa", "padded", "high"};
    uint64_t nonordered = 0; /* its column */
    if (*cursor->p >= '0' && *cursor->p <= '9') {
        TSR_TRY(parse_param(level, cursor, err));
        if (*cursor->p == ')')
            return format_expect(cursor, ")", "')'", err);
        TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
    for (;;) {
        const size_t n = (size_t)(format_word_end(cursor->p) - cursor->p);
        if (n == 0)
            return format_unexpected(cursor, property_names, err);
        for (size_t k = mlir ? 2 : 0; k < sizeof foreign / sizeof *foreign; k++)
            if (tsr_name_is(foreign[k], cursor->p, n))
                return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                                   "level property '%s' is not supported (supported: nonunique, pitch = N)",
                                   foreign[k]);
        if (tsr_name_is("pitch", cursor->p, n)) {
            TSR_TRY(parse_pitch(level, cursor, err));
        } else if (tsr_name_is("nonunique", cursor->p, n)) {
            level->nonunique = true;
            cursor->p = format_skip_blanks(cursor->p + n);
        } else if (tsr_name_is("nonordered", cursor->p, n)) { /* mlir */
            nonordered = format_col(cursor);
            cursor->p = format_skip_blanks(cursor->p + n);
        } else if (tsr_name_is("soa", cursor->p, n) && level->type->branchless) { /* mlir */
            cursor->p = format_skip_blanks(cursor->p + n);
        } else {
            return format_unexpected(cursor, property_names, err);
        }
        if (*cursor->p == ')') {
            if (nonordered > 0)
                TSR_TRY(tsr_format_any_order(level, "nonordered", nonordered, err));
            return format_expect(cursor, ")", "')'", err);
        }
        TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
}

/* kind [(properties)] */
static tsr_status parse_level(tsr_level_spec *level, bool mlir, tsr_cursor *cursor, tsr_error *err)
{
    const size_t n = (size_t)(format_word_end(cursor->p) - cursor->p);
    if (n == 0)
        return format_unexpected(cursor, "a level type", err);
    *level = (tsr_level_spec){.type = tsr_level_type_by_name(cursor->p, n)};
    if (level->type && *format_skip_blanks(cursor->p + n) == '[')
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                           "%.*s[n, m] is not supported: write nm(n,m), or the levels "
                           "j floordiv m : dense, j mod m : structured(n)",
                           (int)n, cursor->p);
    if (!level->type || (mlir && !level->type->letter))
        return unknown_type(cursor, n, err);
    cursor->p = format_skip_blanks(cursor->p + n);
    if (*cursor->p != '(')
        return TSR_OK;
    cursor->p = format_skip_blanks(cursor->p + 1);
    return parse_properties(level, mlir, cursor, err);
}

/* Skip [name =] before the expression of level l in MLIR. Where names are declared, this must be the l-th of
 * them. */
static tsr_status skip_level_name(const name_list *declared, int l, tsr_cursor *cursor, tsr_error *err)
{
    const char *const end = format_word_end(cursor->p), *const next = format_skip_blanks(end);
    const size_t n = (size_t)(end - cursor->p);
    if (n == 0 || *next != '=')
        return TSR_OK;
    if (declared->n > 0 && (l >= declared->n || !is_name(declared, l, cursor->p, n)))
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(cursor),
                           "level %d has the name '%.*s', which differs from the declared name", l,
                           n > 40 ? 40 : (int)n, cursor->p);
    cursor->p = format_skip_blanks(next + 1);
    return TSR_OK;
}

/* Parse ( expression : level {, expression : level} ). declared: the declared names of levels in MLIR, else
 * NULL. */
static tsr_status parse_levels(format_draft *draft, const name_list *declared, tsr_cursor *cursor,
                               tsr_error *err)
{
    TSR_TRY(format_expect(cursor, "(", "'(' and the levels", err));
    if (*cursor->p == ')')
        return format_expect(cursor, ")", "')'", err);
    for (;;) {
        if (draft->nlevels == TSR_MAX_LEVELS)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, format_col(cursor),
                               "more than %d levels are not supported", TSR_MAX_LEVELS);
        const int l = draft->nlevels;
        if (declared)
            TSR_TRY(skip_level_name(declared, l, cursor, err));
        TSR_TRY(tsr_map_build_parse(&draft->results[l], draft->builder, cursor, err));
        TSR_TRY(format_expect(cursor, ":", "':' and a level type", err));
        draft->col[l] = format_col(cursor);
        TSR_TRY(parse_level(&draft->levels[l], declared != NULL, cursor, err));
        draft->nlevels++;
        cursor->p = format_skip_blanks(cursor->p);
        if (*cursor->p == ')')
            return format_expect(cursor, ")", "')'", err);
        TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
}

/* Parse the names of the modes; their number must be `order` unless that is < 0. */
static tsr_status take_modes(name_list *modes, format_draft *draft, tsr_cursor *cursor, int order, bool mlir,
                             tsr_error *err)
{
    const uint64_t col = format_col(cursor);
    TSR_TRY(parse_names(modes, "mode", TSR_MAX_ORDER, mlir, cursor, err));
    draft->order = modes->n;
    if (order >= 0 && order != draft->order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col, "the format has %d modes, but the tensor has %d",
                           draft->order, order);
    return TSR_OK;
}

tsr_status format_parse_modes(format_draft *draft, tsr_cursor *cursor, int order, tsr_error *err)
{
    name_list modes;
    *draft = (format_draft){0};
    TSR_TRY(take_modes(&modes, draft, cursor, order, false, err));
    return make_builder(&draft->builder, &modes, err);
}

tsr_status format_parse_map(format_draft *draft, tsr_cursor *cursor, int order, bool mlir, tsr_error *err)
{
    name_list modes, declared = {.n = 0};
    const uint64_t col = format_col(cursor);
    *draft = (format_draft){0};
    if (mlir && *cursor->p == '{')
        TSR_TRY(parse_names(&declared, "level", TSR_MAX_LEVELS, false, cursor, err));
    if (mlir && *cursor->p == '[')
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                           "symbols are not supported in a format");
    TSR_TRY(take_modes(&modes, draft, cursor, order, mlir, err));
    if (*cursor->p == '[' || *cursor->p == '{')
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                           "symbols are not supported in a format");
    TSR_TRY(format_expect(cursor, "->", "'->'", err));
    TSR_TRY(make_builder(&draft->builder, &modes, err));
    tsr_status status = parse_levels(draft, mlir ? &declared : NULL, cursor, err);
    if (status == TSR_OK && declared.n > 0 && declared.n != draft->nlevels)
        status = tsr_fail_at(err, TSR_SYNTAX, NULL, 0, col, "%d levels are declared, but %d follow",
                             declared.n, draft->nlevels);
    if (status != TSR_OK)
        tsr_map_builder_free(draft->builder);
    return status;
}

tsr_status format_parse_long(tsr_format **out, const char *text, int order, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    format_draft draft;
    *out = NULL;
    TSR_TRY(format_parse_map(&draft, &cursor, order, false, err));
    if (*cursor.p == '\0')
        return format_finish(out, &draft, err);
    tsr_map_builder_free(draft.builder);
    return format_unexpected(&cursor, "the end of the format", err);
}
