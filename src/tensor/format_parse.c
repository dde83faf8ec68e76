/* Choosing the notation of a text, and parsing the short form.
 *
 *   text  := word [ '(' int {',' int} ')' ] [ ':' modes ]
 *   modes := int {',' int}                              in storage order, each mode once
 *
 * A word that is the name of a format for the requested order is that format; else, where all characters are
 * level letters, it is the short form (csc is compressed sparse columns for a matrix, and three compressed
 * levels for 3 modes). */
#include "format_internal.h"

#include <inttypes.h>

#include "tsr_num.h"
#include "tsr_suggest.h"

/* A list of integers: at most `capacity`, each in [min, max]. */
typedef struct int_list {
    int capacity;
    int64_t min, max;
    const char *what; /* one integer, for errors */
} int_list;

/* Parse int {, int}. Stops at the first other character. */
static tsr_status parse_ints(int64_t *out, int *n, int_list list, tsr_cursor *cursor, tsr_error *err)
{
    const int64_t min = list.min, max = list.max;
    const char *const what = list.what;
    const char *end = cursor->start + strlen(cursor->start);
    for (*n = 0;;) {
        cursor->p = format_skip_blanks(cursor->p);
        uint64_t v;
        if (*cursor->p == '+')
            return format_unexpected(cursor, what, err);
        const char *next = tsr_parse_u64(&v, cursor->p, end);
        if (!next && v == 0)
            return format_unexpected(cursor, what, err);
        if (!next || v > (uint64_t)max || v < (uint64_t)min)
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(cursor),
                               "expected %s from %" PRId64 " to %" PRId64 ", not %.*s", what, min, max,
                               next ? (int)(next - cursor->p) : 20, cursor->p);
        if (*n == list.capacity)
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(cursor),
                               "more than %d numbers: expected %s", list.capacity, what);
        out[(*n)++] = (int64_t)v;
        cursor->p = format_skip_blanks(next);
        if (*cursor->p != ',')
            return TSR_OK;
        cursor->p++;
    }
}

/* Parse the modes after ':': *nmodes different numbers in [0, *nmodes). Their number must be `order` unless
 * that is < 0. */
static tsr_status parse_modes(int *modes, int *nmodes, tsr_cursor *cursor, int order, tsr_error *err)
{
    const tsr_cursor first = *cursor;
    int64_t v[TSR_MAX_ORDER];
    TSR_TRY(parse_ints(v, nmodes, (int_list){TSR_MAX_ORDER, 0, TSR_MAX_ORDER - 1, "a mode"}, cursor, err));
    if (order >= 0 && *nmodes != order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(&first),
                           "the format has %d modes, but the tensor has %d", *nmodes, order);
    bool seen[TSR_MAX_ORDER] = {false};
    for (int m = 0; m < *nmodes; m++) {
        if (v[m] >= *nmodes || seen[v[m]])
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(&first),
                               v[m] >= *nmodes ? "mode %" PRId64 " does not exist: there are %d modes"
                                               : "mode %" PRId64 " occurs twice among %d modes",
                               v[m], *nmodes);
        seen[v[m]] = true;
        modes[m] = (int)v[m];
    }
    return TSR_OK;
}

/* The parts of a text that begins with a word. */
typedef struct word_form {
    const char *word;
    size_t nword;
    int nparams; /* -1: no parentheses */
    int64_t params[FORMAT_MAX_PARAMS];
    uint64_t params_col, modes_col;
    int nmodes; /* -1: no modes */
    int modes[TSR_MAX_ORDER];
} word_form;

static tsr_status parse_word_form(word_form *r, tsr_cursor *cursor, int order, tsr_error *err)
{
    const char *end = format_word_end(cursor->p);
    if (end == cursor->p)
        return format_unexpected(cursor, "a format: ds:1,0, csr, bcsr(2,3) or (i, j) -> (i : dense, ...)",
                                 err);
    *r = (word_form){.word = cursor->p, .nword = (size_t)(end - cursor->p), .nparams = -1, .nmodes = -1};
    cursor->p = format_skip_blanks(end);
    if (*cursor->p == '(') {
        cursor->p = format_skip_blanks(cursor->p + 1);
        r->params_col = format_col(cursor);
        if (*cursor->p == ')')
            r->nparams = 0;
        else
            TSR_TRY(parse_ints(r->params, &r->nparams,
                               (int_list){FORMAT_MAX_PARAMS, 1, INT64_MAX, "a parameter"}, cursor, err));
        TSR_TRY(format_expect(cursor, ")", "',' or ')'", err));
    }
    if (*cursor->p == ':') {
        cursor->p = format_skip_blanks(cursor->p + 1);
        r->modes_col = format_col(cursor);
        TSR_TRY(parse_modes(r->modes, &r->nmodes, cursor, order, err));
    }
    return *cursor->p == '\0' ? TSR_OK : format_unexpected(cursor, "the end of the format", err);
}

/* ---- short form ---- */

static bool is_letters(const word_form *r)
{
    bool nonunique;
    for (size_t k = 0; k < r->nword; k++)
        if (!tsr_level_type_by_letter(r->word[k], &nonunique))
            return false;
    return r->nparams < 0;
}

static tsr_status from_letters(tsr_format **out, const word_form *r, const tsr_cursor *cursor, tsr_error *err)
{
    const uint64_t col = (uint64_t)(r->word - cursor->start) + 1;
    if (r->nword > TSR_MAX_ORDER)
        return tsr_fail_at(err, TSR_LIMIT, NULL, 0, col,
                           "the format has %zu levels; at most %d modes are supported", r->nword,
                           TSR_MAX_ORDER);
    const int n = (int)r->nword;
    if (r->nmodes >= 0 && r->nmodes != n)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, r->modes_col, "%d modes are listed for %d levels",
                           r->nmodes, n);
    format_draft draft = {.order = n, .nlevels = n};
    for (int l = 0; l < n; l++) {
        tsr_level_spec *level = &draft.levels[l];
        level->type = tsr_level_type_by_letter(r->word[l], &level->nonunique);
        draft.col[l] = col + (uint64_t)l;
    }
    format_settle_singletons(draft.levels, n);
    TSR_TRY(tsr_map_builder_new(&draft.builder, n, NULL, err));
    for (int l = 0; l < n; l++)
        draft.results[l] = tsr_map_build_var(draft.builder, r->nmodes >= 0 ? r->modes[l] : l);
    return format_finish(out, &draft, err);
}

/* ---- all forms ---- */

static tsr_status unknown_word(const word_form *r, const tsr_cursor *cursor, tsr_error *err)
{
    const size_t col = (size_t)(r->word - cursor->start) + 1;
    tsr_suggest suggest;
    const char *other = NULL;
    const size_t nother = format_find_other(&other, r->word, r->nword);
    if (nother > 0)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col, "the storage format '%.*s' is not here: %.*s",
                           (int)r->nword, r->word, (int)nother, other);
    tsr_suggest_begin(&suggest, r->word, r->nword);
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++)
        tsr_suggest_offer(&suggest, named->name);
    if (suggest.nnear > 0 && suggest.nnear <= TSR_SUGGEST_MAX_NEAR)
        return tsr_suggest_fail(&suggest, TSR_ARGUMENT, col, "storage format", err);
    const tsr_status status =
        tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col,
                    "unknown storage format '%.*s': use level letters (d, s or c, u, q) or one of the named "
                    "formats: %s",
                    r->nword > 40 ? 40 : (int)r->nword, r->word, tsr_text_cstr(&suggest.known));
    tsr_suggest_clear(&suggest);
    return status;
}

/* The error of a format for tensors of another order; `col`: where its name is. */
static tsr_status wrong_order(const char *name, int order, int wanted, uint64_t col, tsr_error *err)
{
    const char *const things[] = {"scalars", "vectors", "matrices"};
    const char *const plural = wanted == 1 ? "" : "s";
    return order < 3 ? tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col, "%s is for %s; this tensor has %d mode%s",
                                   name, things[order], wanted, plural)
                     : tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, col,
                                   "%s is for tensors of %d modes; this tensor has %d", name, order, wanted);
}

tsr_status format_parse_word(tsr_format **out, tsr_format_widths *widths, const char *text,
                             const tsr_format_hints *hints, tsr_error *err)
{
    const int order = hints->order;
    (void)widths;
    tsr_cursor cursor = {.start = text, .p = format_skip_blanks(text)};
    word_form r;
    TSR_TRY(parse_word_form(&r, &cursor, order, err));
    const int wanted = order >= 0 ? order : r.nmodes;
    const tsr_named_format *named = format_find_named(r.word, r.nword);
    const int named_order = named ? format_named_order(named) : -1;
    const bool fits = named && (named_order < 0 || wanted < 0 || named_order == wanted);
    if (!fits && is_letters(&r) && (!named || (int)r.nword == wanted)) {
        if (wanted >= 0 && (int)r.nword != wanted)
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, (uint64_t)(r.word - text) + 1,
                               "'%.*s' has %zu levels, but the tensor has %d modes",
                               r.nword > 40 ? 40 : (int)r.nword, r.word, r.nword, wanted);
        return from_letters(out, &r, &cursor, err);
    }
    if (!named)
        return unknown_word(&r, &cursor, err);
    if (!fits)
        return wrong_order(named->name, named_order, wanted, (uint64_t)(r.word - text) + 1, err);
    format_request request = {
        .named = named,
        .nparams = r.nparams > 0 ? r.nparams : 0,
        .order = wanted >= 0 ? wanted : named_order,
        .modes = r.nmodes >= 0 ? r.modes : NULL,
        .dims = hints->dims,
        .col = r.nparams >= 0 ? r.params_col : 0,
    };
    memcpy(request.params, r.params, sizeof request.params);
    return format_from_named(out, &request, err);
}

bool format_claims_letters(const char *text)
{
    bool nonunique;
    const char *p = format_skip_blanks(text), *const end = format_word_end(p);
    for (; p < end; p++)
        if (!tsr_level_type_by_letter(*p, &nonunique))
            return false;
    return end > format_skip_blanks(text);
}

bool format_claims_word(const char *text)
{
    return format_is_word_start(*format_skip_blanks(text));
}

const tsr_format_notation *tsr_format_notation_of(const char *text)
{
    for (const tsr_format_notation *const *n = tsr_format_notations; *n; n++)
        if ((*n)->claims(text))
            return *n;
    return NULL;
}

const tsr_format_notation *tsr_format_notation_by_name(const char *name)
{
    for (const tsr_format_notation *const *n = tsr_format_notations; *n; n++)
        if (strcmp((*n)->name, name) == 0)
            return *n;
    return NULL;
}

tsr_status tsr_format_parse_for(tsr_format **out, tsr_format_widths *widths, const char *text,
                                const tsr_format_hints *hints, tsr_error *err)
{
    const tsr_format_notation *const notation = tsr_format_notation_of(text);
    tsr_format *format = NULL;
    *out = NULL;
    *widths = (tsr_format_widths){0};
    if (!notation) {
        const tsr_cursor cursor = {.start = text, .p = format_skip_blanks(text)};
        return format_unexpected(&cursor, "a format: ds:1,0, csr, bcsr(2,3) or (i, j) -> (i : dense, ...)",
                                 err);
    }
    TSR_TRY(notation->parse(&format, widths, text, hints, err));
    if (hints->dims && format) {
        tsr_binding *binding;
        const tsr_status status = tsr_binding_new(&binding, format, hints->dims, err);
        tsr_binding_free(binding);
        if (status != TSR_OK) {
            tsr_format_free(format);
            return status;
        }
    }
    *out = format;
    return TSR_OK;
}

tsr_status tsr_format_parse(tsr_format **out, const char *text, int order, const uint64_t *dims,
                            tsr_error *err)
{
    const tsr_format_hints hints = {.order = order, .dims = dims};
    tsr_format_widths widths;
    TSR_TRY(tsr_format_parse_for(out, &widths, text, &hints, err));
    if (!*out)
        return tsr_fail(err, TSR_ARGUMENT, "the format depends on the dims, which are unknown here");
    if (widths.pos_nbits == 0 && widths.crd_nbits == 0)
        return TSR_OK;
    tsr_format_free(*out);
    *out = NULL;
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "posWidth = %d, crdWidth = %d: widths are not part of a format: leave them out",
                    widths.pos_nbits, widths.crd_nbits);
}

tsr_status tsr_format_parse_sized(tsr_format **out, int *index_nbits, const char *text, tsr_shape shape,
                                  tsr_type type, tsr_error *err)
{
    const tsr_format_hints hints = {
        .order = shape.ndims, .dims = shape.dims, .type = shape.dims ? &type : NULL};
    tsr_format_widths widths;
    *index_nbits = 0;
    TSR_TRY(tsr_format_parse_for(out, &widths, text, &hints, err));
    *index_nbits = widths.pos_nbits ? widths.pos_nbits : widths.crd_nbits;
    if (widths.crd_nbits == 0 || widths.crd_nbits == *index_nbits)
        return TSR_OK;
    tsr_format_free(*out);
    *out = NULL;
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "posWidth = %d and crdWidth = %d differ: Tessera has one width for both",
                    widths.pos_nbits, widths.crd_nbits);
}
