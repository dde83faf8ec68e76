/* Parses XLA's shapes and layouts (the grammar is in tsr_xla.h) by recursive descent. */
#include "xla_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_num.h"

typedef struct parser {
    tsr_cursor *cursor;
    tsr_xla *xla;
    const char *tile_at[TSR_XLA_MAX_TILES]; /* the start of each tile, for errors found later */
    int depth;                              /* number of enclosing P(...) */
    tsr_error *err;
} parser;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (is_letter(p[n]) || (n > 0 && is_digit(p[n])))
        n++;
    return n;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* Skip blanks; returns the cursor. */
static const char *here(parser *ps)
{
    ps->cursor->p = skip_blanks(ps->cursor->p);
    return ps->cursor->p;
}

static char next(parser *ps)
{
    return *here(ps);
}

static uint64_t column(const parser *ps, const char *at)
{
    return (uint64_t)(at - ps->cursor->start) + 1;
}

#define FAIL_AT(ps, at, status, ...) \
    tsr_fail_at((ps)->err, (status), NULL, 0, column((ps), (at)), __VA_ARGS__)

static tsr_status expected(const parser *ps, const char *what)
{
    const char *at = ps->cursor->p;
    return tsr_fail_expected(ps->err, 0, column(ps, at), what, at, word_length(at));
}

static tsr_status take(parser *ps, char c, const char *what)
{
    if (next(ps) != c)
        return expected(ps, what);
    ps->cursor->p++;
    return TSR_OK;
}

/* Parse a number >= least. A sign is parsed, too, so that an error shows the whole number. */
static tsr_status take_number(int64_t *out, parser *ps, int64_t least, const char *what)
{
    const char *at = here(ps), *end = at + (*at == '-');
    if (!is_digit(*end))
        return expected(ps, what);
    while (is_digit(*end))
        end++;
    const int shown = end - at > 40 ? 40 : (int)(end - at);
    if (!tsr_parse_i64(out, at, end))
        return FAIL_AT(ps, at, TSR_LIMIT, "number %.*s does not fit into 64 bits", shown, at);
    if (*out < least)
        return FAIL_AT(ps, at, TSR_SYNTAX, "expected %s, not %.*s", what, shown, at);
    ps->cursor->p = end;
    return TSR_OK;
}

/* '(' number >= least ')' */
static tsr_status take_argument(int64_t *out, parser *ps, int64_t least, const char *what)
{
    TSR_TRY(take(ps, '(', "'('"));
    TSR_TRY(take_number(out, ps, least, what));
    return take(ps, ')', "')'");
}

static tsr_status take_type(char *out, parser *ps)
{
    const char *at = here(ps);
    const size_t n = word_length(at);
    if (n == 0)
        return expected(ps, "a type");
    if (!xla_find_type(out, at, n))
        return FAIL_AT(ps, at, TSR_SYNTAX, "unknown type '%.*s' (known: pred, s8, u8, bf16, f32, c64, ...)",
                       n > 40 ? 40 : (int)n, at);
    ps->cursor->p += n;
    return TSR_OK;
}

/* ---- properties ---- */

/* Parse one size or star of a tile. The documents write the star as U+2217. */
static tsr_status take_tile_size(int64_t *out, parser *ps)
{
    static const char operator_star[] = "\xE2\x88\x97";
    const char *at = here(ps);
    if (*at == '*' || strncmp(at, operator_star, strlen(operator_star)) == 0) {
        ps->cursor->p += *at == '*' ? 1 : strlen(operator_star);
        *out = TSR_XLA_STAR;
        return TSR_OK;
    }
    TSR_TRY(take_number(out, ps, INT64_MIN, "a tile size or '*'"));
    if (*out > 0 || *out == TSR_XLA_STAR)
        return TSR_OK;
    return FAIL_AT(ps, at, TSR_SYNTAX, "a tile size must be positive, '*' or -1, not %lld", (long long)*out);
}

static tsr_status take_tile(parser *ps)
{
    const char *at = ps->cursor->p, *last;
    if (ps->xla->ntiles == TSR_XLA_MAX_TILES)
        return FAIL_AT(ps, at, TSR_LIMIT, "a layout has at most %d tiles", TSR_XLA_MAX_TILES);
    tsr_xla_tile *tile = &ps->xla->tiles[ps->xla->ntiles];
    ps->tile_at[ps->xla->ntiles++] = at;
    do {
        ps->cursor->p++;
        last = here(ps);
        if (tile->rank == TSR_XLA_MAX_TILE_RANK)
            return FAIL_AT(ps, last, TSR_LIMIT, "a tile has at most %d sizes", TSR_XLA_MAX_TILE_RANK);
        TSR_TRY(take_tile_size(&tile->t[tile->rank++], ps));
    } while (next(ps) == ',');
    if (tile->t[tile->rank - 1] == TSR_XLA_STAR)
        return FAIL_AT(ps, last, TSR_SYNTAX,
                       "the last size of a tile cannot be '*': there is no more minor dim to fold into");
    return take(ps, ')', "',' or ')' in a tile");
}

static tsr_status take_tiles(parser *ps)
{
    if (next(ps) != '(')
        return expected(ps, "'(' and a tile");
    while (next(ps) == '(')
        TSR_TRY(take_tile(ps));
    return TSR_OK;
}

tsr_status xla_parse_tiles(tsr_xla *xla, tsr_cursor *cursor, tsr_error *err)
{
    parser ps = {.cursor = cursor, .xla = xla, .err = err};
    return take_tiles(&ps);
}

/* Move the text to *out and clear it. */
static tsr_status keep(char **out, tsr_text *text, tsr_status status, tsr_error *err)
{
    if (status == TSR_OK)
        return tsr_text_take(out, text, err);
    tsr_text_clear(text);
    return status;
}

/* Parse (D,C+~): for each dim dense, compressed, singleton or loose (H); + not unique, ~ not ordered. */
static tsr_status read_levels(tsr_text *text, parser *ps)
{
    const char *at = ps->cursor->p;
    int n = 0;
    if (next(ps) != '(')
        return expected(ps, "'('");
    do {
        ps->cursor->p++;
        const char c = next(ps);
        if (c == '\0' || !strchr("DCSH", c))
            return expected(ps, "a level: D, C, S or H");
        tsr_text_add(text, n++ > 0 ? "," : "");
        tsr_text_add_n(text, ps->cursor->p++, 1);
        for (const char *mark = "+~"; *mark; mark++)
            if (*ps->cursor->p == *mark)
                tsr_text_add_n(text, ps->cursor->p++, 1);
    } while (next(ps) == ',');
    if (n != ps->xla->rank)
        return FAIL_AT(ps, at, TSR_SYNTAX, "D has %d dims, but the layout has %d", n, ps->xla->rank);
    return take(ps, ')', "',' or ')' after a level");
}

/* Parse (0:3)(1:0,4): dim, and the indices where it is split. */
static tsr_status read_splits(tsr_text *text, parser *ps)
{
    if (next(ps) != '(')
        return expected(ps, "'(' and a split");
    while (next(ps) == '(') {
        const char *at = ++ps->cursor->p;
        int64_t n;
        char separator = ':';
        TSR_TRY(take_number(&n, ps, 0, "a dim"));
        if (n >= ps->xla->rank)
            return FAIL_AT(ps, at, TSR_SYNTAX, "dim %lld does not exist: the layout has %d dims",
                           (long long)n, ps->xla->rank);
        tsr_text_addf(text, "(%lld", (long long)n);
        if (next(ps) != ':')
            return expected(ps, "':' after the dim of a split");
        do {
            ps->cursor->p++;
            TSR_TRY(take_number(&n, ps, 0, "an index"));
            tsr_text_addf(text, "%c%lld", separator, (long long)n);
            separator = ',';
        } while (next(ps) == ',');
        TSR_TRY(take(ps, ')', "',' or ')' in a split"));
        tsr_text_add(text, ")");
    }
    return TSR_OK;
}

static tsr_status take_levels(parser *ps)
{
    tsr_text text = {0};
    return keep(&ps->xla->levels, &text, read_levels(&text, ps), ps->err);
}

static tsr_status take_splits(parser *ps)
{
    tsr_text text = {0};
    return keep(&ps->xla->splits, &text, read_splits(&text, ps), ps->err);
}

static tsr_status take_tail(parser *ps)
{
    return take_argument(&ps->xla->tail, ps, 1, "a number of elements above 0");
}

static tsr_status take_index_type(parser *ps)
{
    TSR_TRY(take(ps, '(', "'('"));
    TSR_TRY(take_type(ps->xla->index_type, ps));
    return take(ps, ')', "')'");
}

static tsr_status take_pointer_type(parser *ps)
{
    TSR_TRY(take(ps, '(', "'('"));
    TSR_TRY(take_type(ps->xla->pointer_type, ps));
    return take(ps, ')', "')'");
}

static tsr_status take_element_nbits(parser *ps)
{
    return take_argument(&ps->xla->element_nbits, ps, 0, "a number of bits");
}

static tsr_status take_memory_space(parser *ps)
{
    return take_argument(&ps->xla->memory_space, ps, 0, "a memory space");
}

static tsr_status take_shape(parser *ps);

/* Parse the shape inside P(...), which may contain another P(...); its canonical text is stored. */
static tsr_status take_physical(parser *ps)
{
    enum { MAX_DEPTH = 4 };
    parser inner = {.cursor = ps->cursor, .depth = ps->depth + 1, .err = ps->err};
    tsr_text text = {0};
    TSR_TRY(take(ps, '(', "'('"));
    if (inner.depth > MAX_DEPTH)
        return FAIL_AT(ps, ps->cursor->p, TSR_LIMIT, "physical shapes may nest at most %d deep", MAX_DEPTH);
    TSR_TRY(xla_new(&inner.xla, ps->err));
    const tsr_status status = take_shape(&inner);
    if (status == TSR_OK)
        tsr_xla_print(&text, inner.xla);
    tsr_xla_free(inner.xla);
    TSR_TRY(keep(&ps->xla->physical, &text, status, ps->err));
    return take(ps, ')', "')' after the physical shape");
}

static tsr_status take_metadata(parser *ps)
{
    return take_argument(&ps->xla->metadata_nbytes, ps, 0, "a number of bytes");
}

static const struct {
    const char *name;
    tsr_status (*take)(parser *ps);
} properties[] = {
    {"D", take_levels},       {"T", take_tiles},         {"L", take_tail},    {"#", take_index_type},
    {"*", take_pointer_type}, {"E", take_element_nbits}, {"SC", take_splits}, {"S", take_memory_space},
    {"M", take_metadata},     {"P", take_physical},
};
enum { NPROPERTIES = sizeof properties / sizeof properties[0], TILES = 1 };

/* Find the property that begins here and move the cursor past its name. Tiles may come without a name. */
static int find_property(parser *ps)
{
    if (next(ps) == '(')
        return TILES;
    for (int i = 0; i < NPROPERTIES; i++) {
        const size_t n = strlen(properties[i].name);
        if (strncmp(ps->cursor->p, properties[i].name, n) == 0) {
            ps->cursor->p += n;
            return i;
        }
    }
    return -1;
}

static tsr_status take_properties(parser *ps)
{
    bool seen[NPROPERTIES] = {false};
    do {
        const char *at = here(ps);
        const int i = find_property(ps);
        if (i < 0)
            return expected(ps, "a property: T, L, #, *, E, S, SC, P, M or D");
        if (seen[i])
            return FAIL_AT(ps, at, TSR_SYNTAX, "%s is given twice", properties[i].name);
        seen[i] = true;
        TSR_TRY(properties[i].take(ps));
    } while (next(ps) != '}');
    return TSR_OK;
}

/* ---- the order, the dims, the whole shape ---- */

static void order_by_default(tsr_xla *xla)
{
    for (int i = 0; i < xla->rank; i++)
        xla->order[i] = xla->rank - 1 - i;
}

/* Parse the dims from minor to major. In a layout alone the rank is known only at the end. */
static tsr_status take_order(parser *ps)
{
    tsr_xla *xla = ps->xla;
    const char *at[TSR_XLA_MAX_RANK] = {NULL}, *start = ps->cursor->p;
    int n = 0;
    bool seen[TSR_XLA_MAX_RANK] = {false};
    if (is_digit(next(ps)) || *ps->cursor->p == '-')
        do {
            int64_t d;
            ps->cursor->p += n > 0;
            const char *start_of_dim = here(ps);
            TSR_TRY(take_number(&d, ps, 0, "a dim"));
            if (n == TSR_XLA_MAX_RANK)
                return FAIL_AT(ps, start_of_dim, TSR_LIMIT, "an array has at most %d dims", TSR_XLA_MAX_RANK);
            at[n] = start_of_dim;
            xla->order[n++] = d < TSR_XLA_MAX_RANK ? (int)d : TSR_XLA_MAX_RANK;
        } while (next(ps) == ',');
    if (xla->has_dims && n != xla->rank)
        return FAIL_AT(ps, start, TSR_SYNTAX, "the layout has %d dims, but the shape has %d", n, xla->rank);
    xla->rank = n;
    for (int i = 0; i < n; i++) {
        const int d = xla->order[i];
        if (d >= n)
            return FAIL_AT(ps, at[i], TSR_SYNTAX, "the dims of this layout are 0 to %d", n - 1);
        if (seen[d])
            return FAIL_AT(ps, at[i], TSR_SYNTAX, "dim %d is listed twice", d);
        seen[d] = true;
    }
    return TSR_OK;
}

static tsr_status take_layout(parser *ps)
{
    TSR_TRY(take(ps, '{', "'{'"));
    TSR_TRY(take_order(ps));
    if (next(ps) == ':') {
        ps->cursor->p++;
        TSR_TRY(take_properties(ps));
    }
    return take(ps, '}', "',', ':' or '}'");
}

static tsr_status take_dims(parser *ps)
{
    tsr_xla *xla = ps->xla;
    xla->has_dims = true;
    ps->cursor->p++;
    if (next(ps) == ']') {
        ps->cursor->p++;
        return TSR_OK;
    }
    for (;;) {
        if (xla->rank == TSR_XLA_MAX_RANK)
            return FAIL_AT(ps, ps->cursor->p, TSR_LIMIT, "an array has at most %d dims", TSR_XLA_MAX_RANK);
        xla->dynamic[xla->rank] = next(ps) == '<' && ps->cursor->p[1] == '=';
        ps->cursor->p += xla->dynamic[xla->rank] ? 2 : 0; /* laid out as the bound */
        TSR_TRY(take_number(&xla->dims[xla->rank++], ps, 0, "a size"));
        if (next(ps) != ',')
            return take(ps, ']', "',' or ']' after a size");
        ps->cursor->p++;
        next(ps);
    }
}

/* Whether a layout follows the dims. After blanks, a brace may also belong to the surrounding text: `->
 * f32[3] { body`. */
static bool layout_follows(const parser *ps)
{
    const char *p = skip_blanks(ps->cursor->p);
    if (*p != '{')
        return false;
    const char *inside = skip_blanks(p + 1);
    return p == ps->cursor->p || is_digit(*inside) || *inside == ':' || *inside == '}';
}

static tsr_status take_shape(parser *ps)
{
    tsr_xla *xla = ps->xla;
    const char *start = here(ps);
    int tile = -1;
    if (is_letter(*start)) {
        TSR_TRY(take_type(xla->type, ps));
        if (next(ps) != '[')
            return expected(ps, "'[' and the dims");
    }
    if (*ps->cursor->p == '[') {
        TSR_TRY(take_dims(ps));
        order_by_default(xla);
        if (layout_follows(ps))
            TSR_TRY(take_layout(ps));
    } else if (*ps->cursor->p == '{') {
        TSR_TRY(take_layout(ps));
    } else {
        return expected(ps, "a type, '[' and dims, or '{' and a layout");
    }
    const tsr_status status = xla_derive(xla, &tile, ps->err);
    if (status != TSR_OK && ps->err)
        ps->err->col = column(ps, tile >= 0 ? ps->tile_at[tile] : start);
    return status;
}

tsr_status tsr_xla_parse_at(tsr_xla **out, tsr_cursor *cursor, tsr_error *err)
{
    parser ps = {.cursor = cursor, .err = err};
    *out = NULL;
    TSR_TRY(xla_new(&ps.xla, err));
    const tsr_status status = take_shape(&ps);
    if (status == TSR_OK)
        *out = ps.xla;
    else
        tsr_xla_free(ps.xla);
    return status;
}

tsr_status tsr_xla_parse(tsr_xla **out, const char *text, tsr_error *err)
{
    tsr_cursor cursor = {.start = text, .p = text};
    TSR_TRY(tsr_xla_parse_at(out, &cursor, err));
    cursor.p = skip_blanks(cursor.p);
    if (*cursor.p == '\0')
        return TSR_OK;
    const parser ps = {.cursor = &cursor, .err = err};
    tsr_xla_free(*out);
    *out = NULL;
    return expected(&ps, "the end");
}
