/* The notation of the Universal Sparse Tensor (UST) of NVIDIA's nvmath-python, as that library prints
 * formats:
 *
 *   [i, j] -> ((i // 2): <LevelFormat.DENSE>, (j // 3): <LevelFormat.COMPRESSED>, (i % 2): ..., (j % 3): ...)
 *   [i, j] -> (i: (<LevelFormat.COMPRESSED>, <LevelProperty.NONUNIQUE>), j: <LevelFormat.SINGLETON>)
 *
 *   text     := '[' [name {',' name}] ']' '->' '(' [item {',' item}] ')'
 *   item     := expression ':' level
 *   level    := format | '(' format ',' property ')' | '(' format ',' ('('|'[') property {',' property}
 * (')'|']') ')' format   := a name of a level type, `property` one of UNIQUE, NONUNIQUE, ORDERED, UNORDERED;
 * either may stand in <> and have its class before it (LevelFormat., LevelProperty.)
 *
 * The form in articles about UST, (i, j) -> (i : dense, j : compressed), is the long form. A singleton
 * between a nonunique level and another singleton is nonunique, although UST does not write it: COO of 3
 * modes. COMPRESSED, UNORDERED is the level type unordered. Level formats without a level type in
 * Tessera are not supported (BATCH, RANGE, DELTA). */
#include "format_internal.h"

#include <ctype.h>

/* Parse <Class.NAME>, <NAME>, Class.NAME or NAME, with a number after it as in repr(); *name is NAME. */
static tsr_status take_name(const char **name, size_t *n, const char *class, const char *expected,
                            tsr_cursor *cursor, tsr_error *err)
{
    const bool angle = *cursor->p == '<';
    const size_t nclass = strlen(class);
    if (angle)
        cursor->p = format_skip_blanks(cursor->p + 1);
    if (strncmp(cursor->p, class, nclass) == 0 && cursor->p[nclass] == '.')
        cursor->p += nclass + 1;
    *name = cursor->p;
    *n = (size_t)(format_word_end(cursor->p) - cursor->p);
    if (*n == 0)
        return format_unexpected(cursor, expected, err);
    cursor->p = format_skip_blanks(cursor->p + *n);
    if (angle && *cursor->p == ':') /* <LevelFormat.DENSE: 0> */
        cursor->p += 1 + strspn(cursor->p + 1, " 0123456789");
    return angle ? format_expect(cursor, ">", "'>'", err) : TSR_OK;
}

static tsr_status take_format(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    const tsr_cursor at = *cursor;
    const char *name;
    size_t n;
    char lower[24] = "";
    TSR_TRY(take_name(&name, &n, "LevelFormat", "a level format such as <LevelFormat.DENSE>", cursor, err));
    for (size_t i = 0; i < n && i < sizeof lower - 1; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    *level = (tsr_level_spec){.type = n < sizeof lower ? tsr_level_type_by_name(lower, n) : NULL};
    if (level->type && level->type->letter)
        return TSR_OK; /* types without a letter are Tessera's own: UST's names mean other arrays */
    return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(&at),
                       "UST's level format '%.*s' is not supported", n > 40 ? 40 : (int)n, name);
}

/* *unordered: the column of the property UNORDERED; else unchanged. */
static tsr_status take_property(tsr_level_spec *level, uint64_t *unordered, tsr_cursor *cursor,
                                tsr_error *err)
{
    static const struct {
        const char *name;
        bool nonunique, unordered;
    } words[] = {{"UNIQUE", false, false},
                 {"NONUNIQUE", true, false},
                 {"ORDERED", false, false},
                 {"UNORDERED", false, true}};
    enum { NWORDS = sizeof words / sizeof *words };
    static const char expected[] = "a property: UNIQUE, NONUNIQUE, ORDERED or UNORDERED";
    const tsr_cursor at = *cursor;
    const char *name;
    size_t n;
    TSR_TRY(take_name(&name, &n, "LevelProperty", expected, cursor, err));
    const size_t i = tsr_name_find(&words[0].name, NWORDS, sizeof *words, name, n);
    if (i == NWORDS)
        return format_unexpected(&at, expected, err);
    level->nonunique = level->nonunique || words[i].nonunique;
    *unordered = words[i].unordered ? format_col(&at) : *unordered;
    return TSR_OK;
}

/* Parse format | (format, property) | (format, (property, ...)); the inner list may be in [], too. */
static tsr_status take_level(tsr_level_spec *level, tsr_cursor *cursor, tsr_error *err)
{
    uint64_t unordered = 0;
    if (*cursor->p != '(')
        return take_format(level, cursor, err);
    cursor->p = format_skip_blanks(cursor->p + 1);
    TSR_TRY(take_format(level, cursor, err));
    if (*cursor->p == ',') {
        cursor->p = format_skip_blanks(cursor->p + 1);
        const char open = *cursor->p == '(' || *cursor->p == '[' ? *cursor->p : '\0';
        if (open)
            cursor->p = format_skip_blanks(cursor->p + 1);
        TSR_TRY(take_property(level, &unordered, cursor, err));
        while (open && *cursor->p == ',') {
            cursor->p = format_skip_blanks(cursor->p + 1);
            if (*cursor->p == ')') /* Python's tuple of one: (x,) */
                break;
            TSR_TRY(take_property(level, &unordered, cursor, err));
        }
        if (open)
            TSR_TRY(format_expect(cursor, open == '(' ? ")" : "]", "the end of the properties", err));
        if (unordered > 0)
            TSR_TRY(tsr_format_any_order(level, "UNORDERED", unordered, err));
    }
    return format_expect(cursor, ")", "',' or ')'", err);
}

static tsr_status take_levels(format_draft *draft, tsr_cursor *cursor, tsr_error *err)
{
    TSR_TRY(format_expect(cursor, "(", "'(' and the levels", err));
    while (*cursor->p != ')') {
        const int l = draft->nlevels;
        if (l == TSR_MAX_LEVELS)
            return tsr_fail_at(err, TSR_LIMIT, NULL, 0, format_col(cursor),
                               "more than %d levels are not supported", TSR_MAX_LEVELS);
        TSR_TRY(tsr_map_build_parse(&draft->results[l], draft->builder, cursor, err));
        TSR_TRY(format_expect(cursor, ":", "':' and a level format", err));
        draft->col[l] = format_col(cursor);
        TSR_TRY(take_level(&draft->levels[l], cursor, err));
        draft->nlevels++;
        cursor->p = format_skip_blanks(cursor->p);
        if (*cursor->p != ')')
            TSR_TRY(format_expect(cursor, ",", "',' or ')'", err));
    }
    return format_expect(cursor, ")", "')'", err);
}

static bool claims(const char *text)
{
    const char *p = format_skip_blanks(text);
    if (*p != '[')
        return false;
    p = format_skip_blanks(p + 1);
    return format_is_word_start(*p) || (*p == ']' && *format_skip_blanks(p + 1) == '-');
}

static tsr_status parse(tsr_format **out, tsr_format_widths *widths, const char *text,
                        const tsr_format_hints *hints, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = format_skip_blanks(text)};
    format_draft draft = {0};
    (void)widths;
    TSR_TRY(format_parse_modes(&draft, &cursor, hints->order, err));
    tsr_status status = format_expect(&cursor, "->", "'->'", err);
    if (status == TSR_OK)
        status = take_levels(&draft, &cursor, err);
    if (status == TSR_OK && *cursor.p)
        status = format_unexpected(&cursor, "the end of the format", err);
    if (status != TSR_OK) {
        tsr_map_builder_free(draft.builder);
        return status;
    }
    format_settle_singletons(draft.levels, draft.nlevels);
    return format_finish(out, &draft, err);
}

/* ---- printing ---- */

/* Print the expression of level l with UST's operators; in parentheses unless it is a single name. */
static tsr_status print_expression(tsr_text *text, const tsr_format *format, int l, const char *const *names,
                                   tsr_error *err)
{
    tsr_text plain = {0};
    tsr_map_print_result(&plain, format->map, l, names);
    const char *p = tsr_text_cstr(&plain);
    const bool bare = *format_word_end(p) == '\0';
    tsr_text_add(text, bare ? "" : "(");
    while (*p) {
        const char *const end = format_word_end(p);
        const size_t n = (size_t)(end - p);
        if (n == 8 && memcmp(p, "floordiv", n) == 0)
            tsr_text_add(text, "//");
        else if (n == 3 && memcmp(p, "mod", n) == 0)
            tsr_text_add(text, "%");
        else
            tsr_text_add_n(text, p, n > 0 ? n : 1);
        p = n > 0 ? end : p + 1;
    }
    tsr_text_add(text, bare ? "" : ")");
    const tsr_status status = tsr_text_status(&plain, err);
    tsr_text_clear(&plain);
    return status;
}

static void print_level(tsr_text *text, const tsr_level_spec *level, bool nonunique)
{
    tsr_text_add(text, nonunique ? "(<LevelFormat." : "<LevelFormat.");
    for (const char *p = level->type->name; *p; p++) {
        const char upper = (char)toupper((unsigned char)*p);
        tsr_text_add_n(text, &upper, 1);
    }
    tsr_text_add(text, nonunique ? ">, <LevelProperty.NONUNIQUE>)" : ">");
}

static tsr_status print(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    const char *const *names = format_mode_names(format->order);
    tsr_level_spec plain[TSR_MAX_LEVELS];
    (void)dims;
    if (tsr_format_has_pitch(format))
        return tsr_fail(err, TSR_UNSUPPORTED, "UST does not support pitches");
    TSR_TRY(format_check_letters(format, "UST", err));
    memcpy(plain, format->levels, sizeof plain);
    for (int l = 0; l < format->nlevels; l++) /* parsing sets nonunique for singletons again, so it is not
                                                 written */
        plain[l].nonunique = plain[l].nonunique && !plain[l].type->branchless;
    format_settle_singletons(plain, format->nlevels);
    for (int l = 0; l < format->nlevels; l++)
        if (plain[l].nonunique && !format->levels[l].nonunique)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "UST would read the singleton of level %d as nonunique, but it is unique", l);
    tsr_text_add(text, "[");
    for (int m = 0; m < format->order; m++)
        tsr_text_addf(text, m ? ", %s" : "%s", names[m]);
    tsr_text_add(text, "] -> (");
    for (int l = 0; l < format->nlevels; l++) {
        tsr_text_add(text, l ? ", " : "");
        TSR_TRY(print_expression(text, format, l, names, err));
        tsr_text_add(text, ": ");
        const bool settled = plain[l].type->branchless && plain[l].nonunique == format->levels[l].nonunique;
        print_level(text, &format->levels[l], format->levels[l].nonunique && !settled);
    }
    tsr_text_add(text, ")");
    return tsr_text_status(text, err);
}

const tsr_format_notation tsr_format_ust = {
    .name = "ust",
    .example = "[i, j] -> (i: <LevelFormat.DENSE>, j: <LevelFormat.COMPRESSED>)",
    .claims = claims,
    .parse = parse,
    .print = print,
};
