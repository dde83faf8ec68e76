/* Windows: the coordinates of a mode that an access reads. */
#include <string.h>

#include "notation_internal.h"

enum { MAX_LISTED = 1 << 16 };

/* The current token, a whole number below 2^53. */
static tsr_status parse_whole(uint64_t *out, notation_parser *parser, const char *what)
{
    const notation_token *const token = &parser->token;
    if (token->kind != TOKEN_NUMBER)
        return notation_unexpected(parser, what);
    if (!(token->number < 0x1p53) || token->number != (double)(uint64_t)token->number)
        return tsr_fail_at(parser->err, TSR_RANGE, NULL, 0, notation_col(parser, token->s),
                           "%.*s is not a coordinate: write a whole number below 2^53",
                           notation_quoted(token->n), token->s);
    *out = (uint64_t)token->number;
    return notation_next(parser);
}

/* '{' COORDINATE {',' COORDINATE} '}' */
static tsr_status parse_list(tsr_mode_window *window, notation_parser *parser)
{
    size_t most = 1;
    for (const char *p = parser->token.s; *p && *p != '}'; p++)
        most += *p == ',';
    if (most > MAX_LISTED)
        return tsr_fail_at(parser->err, TSR_LIMIT, NULL, 0, notation_col(parser, parser->token.s),
                           "a list of more than %d coordinates", MAX_LISTED);
    uint64_t *const list = tsr_arena_alloc(parser->notation->arena, most * sizeof *list);
    if (!list)
        return tsr_fail(parser->err, TSR_NOMEM, "out of memory for an expression");
    do {
        TSR_TRY(notation_next(parser));
        TSR_TRY(parse_whole(&list[window->n], parser, "a coordinate"));
        if (list[window->n] >= window->behind)
            window->behind = list[window->n] + 1;
        window->n++;
    } while (parser->token.kind == ',' && window->n < most);
    window->list = list;
    return notation_expect(parser, '}', "',' and a coordinate, or the '}' behind the last");
}

tsr_status notation_parse_window(tsr_mode_window *window, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    TSR_TRY(notation_next(parser));
    if (parser->token.kind == '{') {
        TSR_TRY(parse_list(window, parser));
        return notation_expect(parser, ')', "the ')' behind the list of coordinates");
    }
    window->step = 1;
    TSR_TRY(parse_whole(&window->first, parser, "the window's first coordinate, or '{'"));
    TSR_TRY(notation_expect(parser, ',', "',' and the coordinate behind the window's last"));
    TSR_TRY(parse_whole(&window->behind, parser, "the coordinate behind the window's last"));
    if (parser->token.kind == ',') {
        TSR_TRY(notation_next(parser));
        TSR_TRY(parse_whole(&window->step, parser, "the window's step"));
    }
    if (window->first >= window->behind || window->step == 0)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "an empty window: (FIRST,BEHIND,STEP) reads FIRST, FIRST + STEP... below BEHIND");
    window->n = (window->behind - window->first - 1) / window->step + 1;
    window->behind = window->first + (window->n - 1) * window->step + 1;
    return notation_expect(parser, ')', "',' and a step, or the ')' behind the window");
}

bool tsr_expr_has_window(const tsr_expr *expr, bool with_list)
{
    if (!expr || !expr->has_step)
        return false;
    for (int m = 0; expr->kind == TSR_EXPR_ACCESS && m < expr->nindices; m++) {
        const tsr_mode_window *const w = tsr_expr_window(expr, m);
        if (w && (w->list || !with_list))
            return true;
    }
    return tsr_expr_has_window(expr->a, with_list) || tsr_expr_has_window(expr->b, with_list);
}

bool tsr_expr_has_coordinate(const tsr_expr *expr)
{
    return expr && (expr->kind == TSR_EXPR_VAR || tsr_expr_has_coordinate(expr->a) ||
                    tsr_expr_has_coordinate(expr->b));
}

static bool same_window(const tsr_mode_window *a, const tsr_mode_window *b)
{
    if (!a || !b)
        return a == b;
    if (a->n != b->n || !a->list != !b->list)
        return false;
    return a->list ? memcmp(a->list, b->list, (size_t)a->n * sizeof *a->list) == 0
                   : a->first == b->first && a->step == b->step;
}

bool tsr_expr_same_access(const tsr_expr *a, const tsr_expr *b)
{
    if (a->tensor != b->tensor || a->nindices != b->nindices)
        return false;
    for (int m = 0; m < a->nindices; m++)
        if (a->index[m] != b->index[m] || !same_window(tsr_expr_window(a, m), tsr_expr_window(b, m)))
            return false;
    return true;
}
