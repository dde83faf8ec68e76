/* Parses tuples, layouts and tilers by recursive descent (the grammar is in tsr_tla.h). */
#include <string.h>

#include "tla_internal.h"

#include "tsr_num.h"

typedef struct parser {
    tsr_arena *arena;
    tsr_cursor *cursor;
    int nesting;
    tsr_error *err;
} parser;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint64_t column(const parser *ps)
{
    return (uint64_t)(ps->cursor->p - ps->cursor->start) + 1;
}

static tsr_status expected(const parser *ps, const char *what)
{
    return tsr_fail_expected(ps->err, 0, column(ps), what, ps->cursor->p, 0);
}

/* Skip blanks, and take the character c if it comes next. */
static bool take(parser *ps, char c)
{
    const char *p = ps->cursor->p;
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    ps->cursor->p = *p == c && c != '\0' ? p + 1 : p;
    return *p == c;
}

/* Take `word <` or `cute::word <` if it comes next: CuTe's tuples and layouts as types of C++. */
static bool take_type(parser *ps, const char *word)
{
    const char *const start = ps->cursor->p;
    if (take(ps, 'c') && strncmp(ps->cursor->p, "ute::", 5) == 0)
        ps->cursor->p += 5;
    else
        ps->cursor->p = start;
    (void)take(ps, '\0'); /* skips blanks */
    const size_t n = strlen(word);
    if (strncmp(ps->cursor->p, word, n) == 0) {
        ps->cursor->p += n;
        if (take(ps, '<'))
            return true;
    }
    ps->cursor->p = start;
    return false;
}

static tsr_status too_deep(const parser *ps, const char *what)
{
    return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps), "a %s may nest at most %d deep", what,
                       TSR_TLA_MAX_DEPTH);
}

static tsr_status too_many(const parser *ps, const char *what)
{
    return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps), "a %s has at most %d leaves", what,
                       TSR_TLA_MAX_LEAVES);
}

static tsr_status parse_tuple(const tsr_tuple **out, parser *ps);

static tsr_status parse_leaf(const tsr_tuple **out, parser *ps)
{
    const bool is_type = take_type(ps, "Int") || take_type(ps, "C");
    const bool mark = is_type || take(ps, '_');
    (void)(is_type && take(ps, '\0')); /* skips blanks */
    const char *at = ps->cursor->p, *end = at;
    int64_t v;
    while (is_digit(*end))
        end++;
    if (end == at && mark && !is_type)
        return tsr_tuple_any(out, ps->arena, ps->err);
    if (end == at)
        return expected(ps, "an integer, '_' or '('");
    if (!tsr_parse_i64(&v, at, end))
        return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps), "number '%.*s' does not fit into 64 bits",
                           end - at > 40 ? 40 : (int)(end - at), at);
    ps->cursor->p = end;
    if (is_type && !take(ps, '>'))
        return expected(ps, "'>'");
    return tsr_tuple_leaf(out, ps->arena, v, mark, ps->err);
}

static tsr_status parse_list(const tsr_tuple **out, parser *ps, char end)
{
    const tsr_tuple *x[TSR_TLA_MAX_LEAVES];
    int n = 0;
    if (ps->nesting == TSR_TLA_MAX_DEPTH)
        return too_deep(ps, "tuple");
    ps->nesting++;
    if (!take(ps, end)) {
        do {
            if (n == TSR_TLA_MAX_LEAVES)
                return too_many(ps, "tuple");
            TSR_TRY(parse_tuple(&x[n++], ps));
        } while (take(ps, ','));
        if (!take(ps, end))
            return expected(ps, end == ')' ? "',' or ')'" : "',' or '>'");
    }
    ps->nesting--;
    return tsr_tuple_list(out, ps->arena, n, x, ps->err);
}

static tsr_status parse_tuple(const tsr_tuple **out, parser *ps)
{
    static const char *const types[] = {"Shape", "Stride", "Coord", "Step", "Tile", "tuple"};
    if (take(ps, '('))
        return parse_list(out, ps, ')');
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (take_type(ps, types[i]))
            return parse_list(out, ps, '>');
    return parse_leaf(out, ps);
}

/* Layout<Shape<...>, Stride<...>> after its '<'. */
static tsr_status parse_layout_type(tsr_tla *out, parser *ps)
{
    const tsr_tuple *shape, *stride;
    TSR_TRY(parse_tuple(&shape, ps));
    if (!take(ps, ','))
        return expected(ps, "',' and the stride of the layout");
    TSR_TRY(parse_tuple(&stride, ps));
    if (!take(ps, '>'))
        return expected(ps, "'>'");
    return tsr_tla_make(out, shape, stride, NULL, ps->err);
}

/* Parse stride ['@' origin] of a layout after its shape and ':'. */
static tsr_status parse_stride(tsr_tla *out, parser *ps, const tsr_tuple *shape)
{
    const tsr_tuple *stride, *origin = NULL;
    TSR_TRY(parse_tuple(&stride, ps));
    if (take(ps, '@'))
        TSR_TRY(parse_tuple(&origin, ps));
    return tsr_tla_make(out, shape, stride, origin, ps->err);
}

static tsr_status parse_end(parser *ps, const char *what)
{
    return take(ps, '\0') ? TSR_OK : expected(ps, what);
}

tsr_status tsr_tuple_parse(const tsr_tuple **out, tsr_arena *arena, const char *text, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    parser ps = {.arena = arena, .cursor = &cursor, .err = err};
    const tsr_tuple *tuple;
    *out = NULL;
    TSR_TRY(parse_tuple(&tuple, &ps));
    TSR_TRY(parse_end(&ps, "the end of the tuple"));
    *out = tuple;
    return TSR_OK;
}

/* The layout, and the end of the text. */
static tsr_status parse_whole_layout(tsr_tla *out, parser *ps)
{
    const tsr_tuple *shape;
    if (take_type(ps, "Layout")) {
        TSR_TRY(parse_layout_type(out, ps));
    } else {
        TSR_TRY(parse_tuple(&shape, ps));
        if (!take(ps, ':'))
            return expected(ps, "':' and the stride of the layout");
        TSR_TRY(parse_stride(out, ps, shape));
    }
    return parse_end(ps, out->origin ? "the end of the layout" : "'@' or the end of the layout");
}

tsr_status tsr_tla_parse(tsr_tla *out, tsr_arena *arena, const char *text, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    parser ps = {.arena = arena, .cursor = &cursor, .err = err};
    tsr_tla layout;
    *out = (tsr_tla){0};
    TSR_TRY(parse_whole_layout(&layout, &ps));
    *out = layout;
    return TSR_OK;
}

/* ---- swizzled layouts ---- */

static bool take_swizzle(parser *ps)
{
    return take_type(ps, "Swizzle") || take_type(ps, "Sw") || take_type(ps, "S");
}

bool tsr_swizzled_begins(const char *text)
{
    tsr_cursor cursor = {.start = text, .p = text};
    parser ps = {.cursor = &cursor};
    return take_swizzle(&ps);
}

/* Parse a small integer, with a sign if `negative`. */
static tsr_status parse_small(int *out, parser *ps, bool negative)
{
    const tsr_tuple *leaf;
    const bool minus = negative && take(ps, '-');
    TSR_TRY(parse_leaf(&leaf, ps));
    if (leaf->kind != TSR_TUPLE_INT || leaf->v > TSR_SWIZZLE_MAX_NBITS)
        return tsr_fail_at(ps->err, TSR_SYNTAX, NULL, 0, column(ps),
                           "expected an integer up to %d in the swizzle", TSR_SWIZZLE_MAX_NBITS);
    *out = minus ? -(int)leaf->v : (int)leaf->v;
    return TSR_OK;
}

static tsr_status parse_swizzled(tsr_swizzled *out, parser *ps)
{
    const tsr_tuple *offset;
    if (!take_swizzle(ps))
        return expected(ps, "a swizzle such as Sw<3,4,3>");
    TSR_TRY(parse_small(&out->swizzle.bits, ps, false));
    if (!take(ps, ','))
        return expected(ps, "','");
    TSR_TRY(parse_small(&out->swizzle.base, ps, false));
    if (!take(ps, ','))
        return expected(ps, "','");
    TSR_TRY(parse_small(&out->swizzle.shift, ps, true));
    if (!take(ps, '>'))
        return expected(ps, "'>'");
    if (!take(ps, 'o'))
        return expected(ps, "'o' and the offset");
    TSR_TRY(parse_leaf(&offset, ps));
    if (offset->kind != TSR_TUPLE_INT)
        return expected(ps, "an integer before it");
    out->offset = offset->v;
    if (!take(ps, 'o'))
        return expected(ps, "'o' and the layout");
    TSR_TRY(parse_whole_layout(&out->layout, ps));
    return tsr_swizzled_check(out, ps->err);
}

tsr_status tsr_swizzled_parse(tsr_swizzled *out, tsr_arena *arena, const char *text, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    parser ps = {.arena = arena, .cursor = &cursor, .err = err};
    tsr_swizzled x = {0};
    *out = x;
    TSR_TRY(parse_swizzled(&x, &ps));
    *out = x;
    return TSR_OK;
}

/* ---- tilers ---- */

static tsr_status new_tiler(const tsr_tiler **out, parser *ps, tsr_tiler value)
{
    tsr_tiler *tiler = tsr_arena_alloc(ps->arena, sizeof *tiler);
    *out = tiler;
    if (!tiler)
        return tsr_fail(ps->err, TSR_NOMEM, "out of memory for a tiler");
    *tiler = value;
    return TSR_OK;
}

static tsr_status new_list(const tsr_tiler **out, parser *ps, int n, const tsr_tiler *const *x)
{
    const tsr_tiler **entries = tsr_arena_alloc(ps->arena, ((size_t)n + 1) * sizeof *entries);
    *out = NULL;
    if (!entries)
        return tsr_fail(ps->err, TSR_NOMEM, "out of memory for a tiler");
    for (int i = 0; i < n; i++)
        entries[i] = x[i];
    return new_tiler(out, ps, (tsr_tiler){.kind = TSR_TILER_LIST, .n = n, .x = entries});
}

/* A shape as a tiler: an integer n is n:1, a tuple is the list of its entries. */
static tsr_status tiler_of_shape(const tsr_tiler **out, parser *ps, const tsr_tuple *shape)
{
    const tsr_tiler *x[TSR_TLA_MAX_LEAVES];
    if (shape->kind == TSR_TUPLE_ANY)
        return new_tiler(out, ps, (tsr_tiler){.kind = TSR_TILER_ANY});
    if (shape->kind == TSR_TUPLE_INT) {
        tsr_tiler tiler = {.kind = TSR_TILER_LAYOUT};
        const tsr_tuple *one;
        TSR_TRY(tsr_tuple_leaf(&one, ps->arena, 1, shape->is_static, ps->err));
        TSR_TRY(tsr_tla_make(&tiler.layout, shape, one, NULL, ps->err));
        return new_tiler(out, ps, tiler);
    }
    for (int i = 0; i < shape->n; i++)
        TSR_TRY(tiler_of_shape(&x[i], ps, shape->x[i]));
    return new_list(out, ps, shape->n, x);
}

static tsr_status parse_tiler(const tsr_tiler **out, parser *ps);

/* The list after its bracket: [a;b], or CuTe's <a,b>. */
static tsr_status parse_tiler_list(const tsr_tiler **out, parser *ps, char separator, char end)
{
    const tsr_tiler *x[TSR_TLA_MAX_LEAVES];
    int n = 0;
    if (ps->nesting == TSR_TLA_MAX_DEPTH)
        return too_deep(ps, "tiler");
    ps->nesting++;
    do {
        if (n == TSR_TLA_MAX_LEAVES)
            return too_many(ps, "tiler");
        TSR_TRY(parse_tiler(&x[n++], ps));
    } while (take(ps, separator));
    if (!take(ps, end))
        return expected(ps, end == ']' ? "';' or ']'" : "',' or '>'");
    ps->nesting--;
    return new_list(out, ps, n, x);
}

static tsr_status parse_tiler(const tsr_tiler **out, parser *ps)
{
    const tsr_tuple *tuple;
    if (take(ps, '['))
        return parse_tiler_list(out, ps, ';', ']');
    if (take(ps, '<'))
        return parse_tiler_list(out, ps, ',', '>');
    TSR_TRY(parse_tuple(&tuple, ps));
    if (!take(ps, ':'))
        return tiler_of_shape(out, ps, tuple);
    tsr_tiler tiler = {.kind = TSR_TILER_LAYOUT};
    TSR_TRY(parse_stride(&tiler.layout, ps, tuple));
    return new_tiler(out, ps, tiler);
}

tsr_status tsr_tiler_parse(const tsr_tiler **out, tsr_arena *arena, const char *text, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    parser ps = {.arena = arena, .cursor = &cursor, .err = err};
    const tsr_tiler *tiler;
    *out = NULL;
    TSR_TRY(parse_tiler(&tiler, &ps));
    TSR_TRY(parse_end(&ps, "the end of the tiler"));
    *out = tiler;
    return TSR_OK;
}
