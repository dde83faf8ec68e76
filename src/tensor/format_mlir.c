/* The notation of MLIR:
 *
 *   [#NAME =] #sparse_tensor.encoding<{ entry {, entry} }>
 *   entry := map = [{l0, l1}] (d0 [= expression], d1) -> ([l0 =] expression : level, ...)
 *          | posWidth = N | crdWidth = N | implicitVal = 0 [: type]
 *
 * An expression of a mode (d0 = ...) is the inverse; it follows from the levels and is skipped. */
#include <inttypes.h>

#include "format_internal.h"
#include "tsr_num.h"

typedef struct encoding {
    format_draft draft;
    bool has_map, has_pos, has_crd;
    int pos_nbits, crd_nbits;
    int order; /* of the tensor; < 0: unknown */
} encoding;

static bool is_word(const tsr_cursor *cursor, const char *word)
{
    return tsr_name_is(word, cursor->p, (size_t)(format_word_end(cursor->p) - cursor->p));
}

/* ---- entries: the cursor is after the '=' ---- */

static tsr_status take_map(encoding *e, tsr_cursor *cursor, tsr_error *err)
{
    TSR_TRY(format_parse_map(&e->draft, cursor, e->order, true, err));
    e->has_map = true;
    return TSR_OK;
}

static tsr_status take_width(int *nbits, tsr_cursor *cursor, tsr_error *err)
{
    uint64_t v;
    const char *end = tsr_parse_u64(&v, cursor->p, cursor->p + strlen(cursor->p));
    if (*cursor->p < '0' || *cursor->p > '9')
        return format_unexpected(cursor, "a width: 0, 8, 16, 32 or 64", err);
    if (!end || (v != 0 && v != 8 && v != 16 && v != 32 && v != 64))
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, format_col(cursor),
                           "the width must be 0, 8, 16, 32 or 64, not %.*s",
                           end ? (int)(end - cursor->p) : 20, cursor->p);
    *nbits = (int)v;
    cursor->p = format_skip_blanks(end);
    return TSR_OK;
}

/* Skip an implicit value of 0 or 0.0 with a type, which is the default of tensors. */
static tsr_status take_implicit(tsr_cursor *cursor, tsr_error *err)
{
    const size_t n = strspn(cursor->p, "+-0123456789.eE");
    const size_t zeros = strspn(cursor->p, "0.");
    if (n == 0 || zeros != n)
        return tsr_fail_at(
            err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
            "an implicit value other than 0 is not supported in a format: write the fill to the tensor");
    cursor->p = format_skip_blanks(cursor->p + n);
    if (*cursor->p != ':')
        return TSR_OK;
    cursor->p = format_skip_blanks(cursor->p + 1);
    cursor->p = format_skip_blanks(format_word_end(cursor->p));
    return TSR_OK;
}

/* Report an unknown or unsupported entry. */
static tsr_status refuse_entry(const tsr_cursor *cursor, tsr_error *err)
{
    static const char *const old[] = {"dimLevelType", "dimOrdering",    "dimSlices",
                                      "dimToLvl",     "higherOrdering", "indexBitWidth",
                                      "lvlToDim",     "lvlTypes",       "pointerBitWidth"};
    for (size_t k = 0; k < sizeof old / sizeof *old; k++)
        if (is_word(cursor, old[k]))
            return tsr_fail_at(
                err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                "%s belongs to an older version of encodings: write map = (d0, d1) -> (d0 : dense, d1 "
                ": compressed) instead",
                old[k]);
    if (is_word(cursor, "explicitVal"))
        return tsr_fail_at(err, TSR_UNSUPPORTED, NULL, 0, format_col(cursor),
                           "an explicit value is not supported in a format: the tensor stores the values");
    return format_unexpected(cursor, "map, posWidth, crdWidth or implicitVal", err);
}

static tsr_status parse_entry(encoding *e, tsr_cursor *cursor, tsr_error *err)
{
    const tsr_cursor at = *cursor;
    const bool map = is_word(cursor, "map"), pos = is_word(cursor, "posWidth"),
               crd = is_word(cursor, "crdWidth"), implicit = is_word(cursor, "implicitVal");
    if (!map && !pos && !crd && !implicit)
        return refuse_entry(cursor, err);
    if ((map && e->has_map) || (pos && e->has_pos) || (crd && e->has_crd))
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, format_col(&at), "%s occurs twice: write it once",
                           map   ? "map"
                           : pos ? "posWidth"
                                 : "crdWidth");
    cursor->p = format_word_end(cursor->p);
    TSR_TRY(format_expect(cursor, "=", "'='", err));
    if (map)
        return take_map(e, cursor, err);
    if (implicit)
        return take_implicit(cursor, err);
    e->has_pos = e->has_pos || pos;
    e->has_crd = e->has_crd || crd;
    return take_width(pos ? &e->pos_nbits : &e->crd_nbits, cursor, err);
}

/* ---- the whole encoding ---- */

/* [#NAME =] #sparse_tensor.encoding<{ */
static tsr_status parse_head(tsr_cursor *cursor, tsr_error *err)
{
    TSR_TRY(format_expect(cursor, "#", "'#sparse_tensor.encoding'", err));
    const char *const end = format_word_end(cursor->p), *const next = format_skip_blanks(end);
    if (end > cursor->p && *next == '=') {
        cursor->p = next + 1;
        TSR_TRY(format_expect(cursor, "#", "'#sparse_tensor.encoding'", err));
    }
    TSR_TRY(format_expect(cursor, "sparse_tensor.encoding", "'sparse_tensor.encoding'", err));
    TSR_TRY(format_expect(cursor, "<", "'<{'", err));
    return format_expect(cursor, "{", "'{'", err);
}

static tsr_status parse_all(encoding *e, tsr_cursor *cursor, tsr_error *err)
{
    TSR_TRY(parse_head(cursor, err));
    while (*cursor->p != '}') {
        TSR_TRY(parse_entry(e, cursor, err));
        if (*cursor->p != '}')
            TSR_TRY(format_expect(cursor, ",", "',' or '}'", err));
    }
    TSR_TRY(format_expect(cursor, "}", "'}'", err));
    TSR_TRY(format_expect(cursor, ">", "'>'", err));
    if (*cursor->p != '\0')
        return format_unexpected(cursor, "the end of the format", err);
    return e->has_map ? TSR_OK : tsr_fail(err, TSR_SYNTAX, "the encoding does not have a map");
}

static tsr_status parse(tsr_format **out, tsr_format_widths *widths, const char *text,
                        const tsr_format_hints *hints, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = format_skip_blanks(text)};
    encoding e = {.order = hints->order};
    const tsr_status status = parse_all(&e, &cursor, err);
    if (status != TSR_OK) {
        if (e.has_map)
            tsr_map_builder_free(e.draft.builder);
        return status;
    }
    *widths = (tsr_format_widths){.pos_nbits = e.pos_nbits, .crd_nbits = e.crd_nbits};
    return format_finish(out, &e.draft, err);
}

static bool claims(const char *text)
{
    return *format_skip_blanks(text) == '#';
}

static tsr_status print(tsr_text *text, const tsr_format *format, const uint64_t *dims, tsr_error *err)
{
    (void)dims;
    if (tsr_format_has_pitch(format))
        return tsr_fail(err, TSR_UNSUPPORTED, "MLIR does not support pitches");
    TSR_TRY(format_check_letters(format, "MLIR", err));
    tsr_text_add(text, "#sparse_tensor.encoding<{ map = ");
    tsr_format_print_long(text, format);
    tsr_text_add(text, " }>");
    return tsr_text_status(text, err);
}

const tsr_format_notation tsr_format_mlir = {
    .name = "mlir",
    .example = "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>",
    .claims = claims,
    .parse = parse,
    .print = print,
};
