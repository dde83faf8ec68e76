/* Endings: which entries of a row a statement keeps, `top(10)=`, and the condition that they meet, `where C > 2`. */
#include <inttypes.h>
#include <string.h>

#include "notation_internal.h"

static bool is_word(const notation_token *token, const char *word)
{
    return token->kind == TOKEN_NAME && tsr_name_is(word, token->s, token->n);
}

/* ---- selections ---- */

static bool gives_place(const notation_parser *parser)
{
    return is_word(&parser->token, "argmax") || is_word(&parser->token, "argmin");
}

bool notation_is_selection(const notation_parser *parser)
{
    return is_word(&parser->token, "top") || is_word(&parser->token, "bottom") || gives_place(parser);
}

/* The number of entries. */
static tsr_status parse_count(tsr_selection *selection, notation_parser *parser)
{
    const notation_token count = parser->token;
    if (count.kind != TOKEN_NUMBER)
        return notation_unexpected(parser, "the number of entries that are kept of each row, as in top(10)=");
    if (!(count.number >= 1 && count.number <= TSR_NOTATION_MAX_TOP) ||
        count.number != (double)(uint64_t)count.number)
        return tsr_fail_at(parser->err, TSR_RANGE, NULL, 0, notation_col(parser, count.s),
                           "%.*s entries of each row cannot be kept: write a whole number from 1 to %d",
                           notation_quoted(count.n), count.s, TSR_NOTATION_MAX_TOP);
    selection->n = (uint64_t)count.number;
    return notation_next(parser);
}

/* The index variable whose coordinate is given. */
static tsr_status parse_place(tsr_selection *selection, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    if (parser->token.kind != TOKEN_NAME)
        return notation_unexpected(parser, "the index whose coordinate is the result, as in argmax(j)=");
    TSR_TRY(notation_use_var(&selection->var, parser));
    if (selection->var < parser->notation->nfree)
        return tsr_fail_at(
            parser->err, TSR_ARGUMENT, NULL, 0, col,
            "the result has the index %.40s already: name an index of the right side alone, as in "
            "p(i) argmax(j)= A(i,j)",
            parser->notation->var[selection->var]);
    return notation_next(parser);
}

tsr_status notation_parse_selection(tsr_selection *selection, notation_parser *parser)
{
    selection->gives_place = gives_place(parser);
    selection->least = is_word(&parser->token, "bottom") || is_word(&parser->token, "argmin");
    TSR_TRY(notation_next(parser));
    TSR_TRY(notation_expect(parser, '(',
                            selection->gives_place
                                ? "'(' and the index whose coordinate is the result, as in argmax(j)="
                                : "'(' and the number of entries that are kept of each row, as in top(10)="));
    TSR_TRY(selection->gives_place ? parse_place(selection, parser) : parse_count(selection, parser));
    if (parser->token.kind == ',') {
        TSR_TRY(notation_next(parser));
        if (!is_word(&parser->token, "abs"))
            return notation_unexpected(parser, "'abs', which compares absolute values");
        selection->by_abs = true;
        TSR_TRY(notation_next(parser));
    }
    return notation_expect(parser, ')',
                           selection->gives_place ? "')' after the index, or ', abs)'"
                                                  : "')' after the number of entries, or ', abs)'");
}

/* ---- conditions ---- */

tsr_status notation_parse_operand(const tsr_expr **out, notation_parser *parser)
{
    const tsr_notation *const notation = parser->notation;
    const notation_token name = parser->token;
    int v = 0;
    tsr_expr *e;
    if (is_word(&name, notation->tensor[0].name)) {
        TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_ACCESS, notation_col(parser, name.s)));
        e->tensors = 1;
        *out = e;
        TSR_TRY(notation_next(parser));
        for (int m = 0; parser->token.kind == '(' || (m > 0 && parser->token.kind == ','); m++) {
            TSR_TRY(notation_next(parser));
            if (m >= notation->result->nindices ||
                !is_word(&parser->token, notation->var[notation->result->index[m]]))
                return notation_unexpected(parser, "the indices that the result has on the left");
            TSR_TRY(notation_next(parser));
            if (m + 1 == notation->result->nindices)
                return notation_expect(parser, ')', "the ')' behind the indices of the result");
        }
        return TSR_OK;
    }
    while (v < notation->nfree && !is_word(&name, notation->var[v]))
        v++;
    if (v == notation->nfree)
        return notation_unexpected(
            parser, "the result, an index of it, a number or a function: a condition has no other operands");
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_VAR, notation_col(parser, name.s)));
    e->index[0] = v;
    e->vars = e->common = UINT32_C(1) << v;
    *out = e;
    return notation_next(parser);
}

/* name(a, b), an operator at `col`. */
static tsr_status combine(const tsr_expr **a, notation_parser *parser, const char *name, uint32_t col,
                          const tsr_expr *b)
{
    const tsr_function *const function = notation_find_function(parser, name, strlen(name));
    return notation_new_call(a, parser, function, col, (const tsr_expr *const[]){*a, b});
}

/* sum [('<' | '<=' | '==' | '!=' | '>=' | '>') sum] */
static tsr_status parse_compared(const tsr_expr **out, notation_parser *parser)
{
    static const struct {
        int token;
        const char *function;
    } signs[] = {{'<', "lt"},      {TOKEN_LE, "le"}, {TOKEN_EQ, "eq"},
                 {TOKEN_NE, "ne"}, {TOKEN_GE, "ge"}, {'>', "gt"}};
    TSR_TRY(notation_parse_sum(out, parser));
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (parser->token.kind != signs[k].token)
            continue;
        const uint32_t col = notation_col(parser, parser->token.s);
        const tsr_expr *right;
        TSR_TRY(notation_next(parser));
        TSR_TRY(notation_parse_sum(&right, parser));
        return combine(out, parser, signs[k].function, col, right);
    }
    return TSR_OK;
}

/* compared {'and' compared}; or: both {'or' both}, of which the first was not parsed yet. */
static tsr_status parse_joined(const tsr_expr **out, notation_parser *parser, bool or)
{
    const char *const word = or ? "or" : "and";
    TSR_TRY(or ? parse_joined(out, parser, false) : parse_compared(out, parser));
    while (is_word(&parser->token, word)) {
        const uint32_t col = notation_col(parser, parser->token.s);
        const tsr_expr *right;
        TSR_TRY(notation_next(parser));
        TSR_TRY(or ? parse_joined(&right, parser, false) : parse_compared(&right, parser));
        TSR_TRY(combine(out, parser, word, col, right));
    }
    return TSR_OK;
}

tsr_status notation_parse_condition(const tsr_expr **out, notation_parser *parser)
{
    return parse_joined(out, parser, true);
}

tsr_status notation_parse_where(notation_parser *parser)
{
    if (!is_word(&parser->token, "where"))
        return TSR_OK;
    TSR_TRY(notation_next(parser));
    parser->in_where = true;
    TSR_TRY(notation_parse_condition(&parser->notation->where, parser));
    parser->in_where = false;
    return TSR_OK;
}

tsr_status notation_check_ending(const notation_parser *parser)
{
    const tsr_notation *const notation = parser->notation;
    const tsr_expr *const result = notation->result;
    const bool gives_place = notation->selection.gives_place;
    if (!tsr_notation_has_ending(notation) && !gives_place)
        return TSR_OK;
    if (gives_place && notation->where)
        return tsr_fail_at(parser->err, TSR_UNSUPPORTED, NULL, 0, notation->where->col,
                           "a condition cannot stand behind %s: keep the entries that meet it in a statement "
                           "of their own",
                           notation->selection.least ? "argmin" : "argmax");
    const char *const what = gives_place                 ? notation->selection.least ? "argmin" : "argmax"
                             : notation->where           ? "where"
                             : notation->selection.least ? "bottom"
                                                         : "top";
    const char *why = result->nindices == 0 && !gives_place ? "is a single number"
                      : tsr_expr_has_window(result, false)  ? "has a window"
                      : result->nindices > notation->nfree  ? "has an index twice"
                                                            : NULL;
    if (!why)
        return TSR_OK;
    return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, result->col,
                       "'%s' %s, but %s %s here: compute it as a tensor with each "
                       "index once, in a statement of its own",
                       what, gives_place ? "gives coordinates" : "leaves out entries of the result",
                       notation->tensor[0].name, why);
}
