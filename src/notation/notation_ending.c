/* Endings: which entries of a row a statement keeps, `top(10)=`, and the condition that they meet, `where C > 2`. */
#include <inttypes.h>
#include <string.h>

#include "notation_internal.h"

bool notation_is_word(const notation_token *token, const char *word)
{
    return token->kind == TOKEN_NAME && tsr_name_is(word, token->s, token->n);
}

/* ---- selections ---- */

static bool gives_place(const notation_parser *parser)
{
    return notation_is_word(&parser->token, "argmax") || notation_is_word(&parser->token, "argmin");
}

bool notation_is_selection(const notation_parser *parser)
{
    return notation_is_word(&parser->token, "top") || notation_is_word(&parser->token, "bottom") ||
           gives_place(parser);
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
    selection->least =
        notation_is_word(&parser->token, "bottom") || notation_is_word(&parser->token, "argmin");
    TSR_TRY(notation_next(parser));
    TSR_TRY(notation_expect(parser, '(',
                            selection->gives_place
                                ? "'(' and the index whose coordinate is the result, as in argmax(j)="
                                : "'(' and the number of entries that are kept of each row, as in top(10)="));
    TSR_TRY(selection->gives_place ? parse_place(selection, parser) : parse_count(selection, parser));
    if (parser->token.kind == ',') {
        TSR_TRY(notation_next(parser));
        if (!notation_is_word(&parser->token, "abs"))
            return notation_unexpected(parser, "'abs', which compares absolute values");
        selection->by_abs = true;
        TSR_TRY(notation_next(parser));
    }
    return notation_expect(parser, ')',
                           selection->gives_place ? "')' after the index, or ', abs)'"
                                                  : "')' after the number of entries, or ', abs)'");
}

/* ---- conditions ---- */

/* The value of the entry, with the indices of the left or without. */
static tsr_status parse_entry(const tsr_expr **out, notation_parser *parser, bool has_indices)
{
    const tsr_notation *const notation = parser->notation;
    const uint32_t col = notation_col(parser, parser->token.s);
    const tsr_expr *access = NULL;
    tsr_expr *e;
    TSR_TRY(has_indices ? notation_parse_access(&access, parser) : notation_next(parser));
    if (access && !tsr_expr_same_access(access, notation->result))
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "a condition is about one entry of %.40s: write its name alone, or with the "
                           "indices that it has on the left",
                           notation->tensor[0].name);
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_ACCESS, col));
    e->tensors = 1;
    *out = e;
    return TSR_OK;
}

/* Refuse variable v, at column `col`, unless it is on the left. */
static tsr_status check_index(const notation_parser *parser, int v, uint32_t col)
{
    const tsr_notation *const notation = parser->notation;
    if (v < notation->nfree)
        return TSR_OK;
    return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                       "a condition is about an entry of %.40s, which does not have the index %.40s",
                       notation->tensor[0].name, notation->var[v]);
}

tsr_status notation_parse_operand(const tsr_expr **out, notation_parser *parser, bool has_indices)
{
    const notation_token name = parser->token;
    const uint32_t col = notation_col(parser, name.s);
    if (notation_is_word(&name, parser->notation->tensor[0].name))
        return parse_entry(out, parser, has_indices);
    if (has_indices && notation_is_band(parser))
        return tsr_fail_at(parser->err, TSR_UNSUPPORTED, NULL, 0, col,
                           "a condition has no bands: compare the indices, as in i == j");
    if (!has_indices && notation_is_var(parser)) {
        int v;
        TSR_TRY(notation_use_var(&v, parser));
        TSR_TRY(check_index(parser, v, col));
        TSR_TRY(notation_new_var(out, parser, v));
        /* the expression was just created, so it may be changed */
        ((tsr_expr *)(uintptr_t)*out)->col = col;
        return notation_next(parser);
    }
    TSR_TRY(notation_parse_access(out, parser));
    for (int m = 0; m < (*out)->nindices; m++)
        TSR_TRY(check_index(parser, (*out)->index[m], col));
    return TSR_OK;
}

/* The first operator in a function of e: + and * of numbers, which the semiring or-and does not have. in_call: e is an argument. */
static const tsr_expr *find_arithmetic(const tsr_expr *e, bool in_call)
{
    if (!e)
        return NULL;
    if (in_call && e->a && e->kind != TSR_EXPR_CALL)
        return e;
    const tsr_expr *const found = find_arithmetic(e->a, in_call || e->kind == TSR_EXPR_CALL);
    return found ? found : find_arithmetic(e->b, in_call || e->kind == TSR_EXPR_CALL);
}

/* Of `|=`: a sparse result has the entries that are not 0. */
static tsr_status add_truth(notation_parser *parser)
{
    tsr_notation *const notation = parser->notation;
    tsr_expr *value;
    const tsr_expr *zero, *const arithmetic = find_arithmetic(notation->rhs, false);
    if (arithmetic)
        return tsr_fail_at(parser->err, TSR_UNSUPPORTED, NULL, 0, arithmetic->col,
                           "a condition of |= has no arithmetic: compute it in a statement before, with =");
    TSR_TRY(notation_new_expr(&value, parser, TSR_EXPR_ACCESS, notation->result->col));
    value->tensors = 1;
    TSR_TRY(notation_new_number(&zero, parser, 0));
    notation->is_true = value;
    TSR_TRY(notation_combine(&notation->is_true, parser, "ne", notation->result->col, zero));
    return !notation->where
               ? TSR_OK
               : notation_combine(&notation->is_true, parser, "and", notation->result->col, notation->where);
}

tsr_status notation_parse_where(notation_parser *parser)
{
    if (notation_is_word(&parser->token, "where")) {
        TSR_TRY(notation_next(parser));
        parser->in_where = true;
        TSR_TRY(notation_parse_value(&parser->notation->where, parser));
        parser->in_where = false;
    }
    return parser->notation->is_truth ? add_truth(parser) : TSR_OK;
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
