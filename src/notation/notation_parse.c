/* The grammar of docs/notation.md by recursive descent: one function per rule, with one token of lookahead. */
#include "notation_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_alloc.h"

static tsr_status no_memory(tsr_error *err)
{
    return tsr_fail(err, TSR_NOMEM, "out of memory for an expression");
}

/* ---- expressions ---- */

tsr_status notation_new_expr(tsr_expr **out, const notation_parser *parser, tsr_expr_kind kind, uint32_t col)
{
    *out = tsr_arena_alloc(parser->notation->arena, sizeof **out);
    if (!*out)
        return no_memory(parser->err);
    (*out)->kind = kind;
    (*out)->col = col;
    return TSR_OK;
}

tsr_status notation_new_operator(const tsr_expr **out, const notation_parser *parser, tsr_expr_kind kind,
                                 uint32_t col, const tsr_expr *a, const tsr_expr *b)
{
    const int height = 1 + (b && b->height > a->height ? b->height : a->height);
    if (height > TSR_NOTATION_MAX_HEIGHT)
        return tsr_fail_at(parser->err, TSR_LIMIT, NULL, 0, col, "operators are nested more than %d deep",
                           TSR_NOTATION_MAX_HEIGHT);
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, kind, col));
    e->a = a;
    e->b = b;
    e->height = height;
    e->tensors = a->tensors;
    e->vars = a->vars;
    e->common = a->common;
    e->has_step = a->has_step || (b && b->has_step);
    e->has_mask = a->has_mask || (b && b->has_mask);
    e->has_band = a->has_band || (b && b->has_band);
    if (b) {
        const bool sum = kind == TSR_EXPR_ADD || kind == TSR_EXPR_SUB;
        e->tensors |= b->tensors;
        e->vars |= b->vars;
        e->common = sum ? a->common & b->common : a->common | b->common;
    }
    *out = e;
    return TSR_OK;
}

tsr_status notation_new_number(const tsr_expr **out, const notation_parser *parser, int number)
{
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_NUMBER, 0));
    e->number = number;
    e->spelling = number ? "1" : "0";
    *out = e;
    return TSR_OK;
}

tsr_status notation_new_var(const tsr_expr **out, const notation_parser *parser, int var)
{
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_VAR, 0));
    e->index[0] = var;
    e->vars = e->common = UINT32_C(1) << var;
    e->has_step = true;
    *out = e;
    return TSR_OK;
}

static tsr_status parse_number(const tsr_expr **out, notation_parser *parser)
{
    const notation_token *token = &parser->token;
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_NUMBER, notation_col(parser, token->s)));
    e->number = token->number;
    e->spelling = tsr_arena_strndup(parser->notation->arena, token->s, token->n);
    if (!e->spelling)
        return no_memory(parser->err);
    *out = e;
    return notation_next(parser);
}

/* ---- access ---- */

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\n\r");
}

/* The character after the current token. */
static char behind_token(const notation_parser *parser)
{
    return *skip_blanks(parser->token.s + parser->token.n);
}

/* Whether the current token, a name, is followed by '(' and another name: a tensor or a function, not an index variable. */
static bool is_argument(const notation_parser *parser)
{
    const char *const open = skip_blanks(parser->token.s + parser->token.n);
    const char next = *open == '(' ? *skip_blanks(open + 1) : '\0';
    return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '_';
}

/* Parse the window of the last index of the access. */
static tsr_status add_window(tsr_expr *access, notation_parser *parser)
{
    if (!access->window)
        access->window =
            tsr_arena_alloc(parser->notation->arena, TSR_NOTATION_MAX_ORDER * sizeof *access->window);
    if (!access->window)
        return no_memory(parser->err);
    access->has_step = true;
    return notation_parse_window((tsr_mode_window *)(uintptr_t)&access->window[access->nindices - 1], parser);
}

/* Parse '(' [index {',' index}] ')'. */
static tsr_status parse_indices(tsr_expr *access, notation_parser *parser)
{
    TSR_TRY(notation_next(parser));
    if (parser->token.kind == ')') {
        access->end = notation_col(parser, parser->token.s) + 1;
        return notation_next(parser);
    }
    for (;;) {
        if (parser->token.kind != TOKEN_NAME)
            return notation_unexpected(parser,
                                       access->nindices ? "an index variable" : "an index variable or ')'");
        if (access->nindices == TSR_NOTATION_MAX_ORDER)
            return tsr_fail_at(parser->err, TSR_LIMIT, NULL, 0, notation_col(parser, parser->token.s),
                               "a tensor has at most %d indices", TSR_NOTATION_MAX_ORDER);
        int var;
        if (is_argument(parser))
            return notation_unknown_function(parser, parser->notation->tensor[access->tensor].name,
                                             access->col);
        TSR_TRY(notation_use_var(&var, parser));
        access->index[access->nindices++] = var;
        access->vars |= UINT32_C(1) << var;
        TSR_TRY(notation_next(parser));
        if (parser->token.kind == '(')
            TSR_TRY(add_window(access, parser));
        if (parser->token.kind == ')') {
            access->end = notation_col(parser, parser->token.s) + 1;
            return notation_next(parser);
        }
        if (parser->token.kind != ',')
            return notation_unexpected(parser, "',' or ')' after an index variable");
        TSR_TRY(notation_next(parser));
    }
}

tsr_status notation_parse_access(const tsr_expr **out, notation_parser *parser)
{
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_ACCESS, notation_col(parser, parser->token.s)));
    e->end = e->col + (uint32_t)parser->token.n;
    if (!parser->in_where || !notation_is_word(&parser->token, parser->notation->tensor[0].name))
        TSR_TRY(notation_use_tensor(&e->tensor, parser)); /* else the entry: tensor 0 */
    TSR_TRY(notation_next(parser));
    if (parser->token.kind == '(')
        TSR_TRY(parse_indices(e, parser));
    TSR_TRY(notation_use_order(parser, e->tensor, e->nindices, e->col));
    e->tensors = UINT32_C(1) << e->tensor;
    e->common = e->vars;
    *out = e;
    return TSR_OK;
}

/* ---- operators ---- */

tsr_status notation_nest(notation_parser *parser)
{
    if (++parser->nesting > TSR_NOTATION_MAX_NESTING)
        return tsr_fail_at(parser->err, TSR_LIMIT, NULL, 0, notation_col(parser, parser->token.s),
                           "parentheses and minus signs are nested more than %d deep",
                           TSR_NOTATION_MAX_NESTING);
    return notation_next(parser);
}

static tsr_status parse_parentheses(const tsr_expr **out, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    TSR_TRY(notation_nest(parser));
    TSR_TRY(parser->choices > 0 ? notation_parse_choice(out, parser) : notation_parse_value(out, parser));
    if (parser->token.kind != ')') {
        char expected[80];
        snprintf(expected, sizeof expected, "an operator or the ')' that closes the '(' of column %" PRIu32,
                 col);
        return notation_unexpected(parser, expected);
    }
    parser->nesting--;
    /* the expression was just created, so it may be changed */
    tsr_expr *const e = (tsr_expr *)(uintptr_t)*out;
    e->open = col;
    e->close = notation_col(parser, parser->token.s) + 1;
    return notation_next(parser);
}

/* The function that the current token, a name, calls; NULL: the name is a tensor. */
static const tsr_function *called(const notation_parser *parser)
{
    return behind_token(parser) == '(' ? notation_find_function(parser, parser->token.s, parser->token.n)
                                       : NULL;
}

tsr_status notation_new_call(const tsr_expr **out, const notation_parser *parser,
                             const tsr_function *function, uint32_t col, const tsr_expr *const arg[2])
{
    const tsr_expr *made = NULL;
    TSR_TRY(notation_new_operator(&made, parser, TSR_EXPR_CALL, col, arg[0], arg[1]));
    tsr_expr *const e =
        (tsr_expr *)(uintptr_t)made; /* the expression was created above, so it may be changed */
    e->function = function;
    e->has_step = true;
    e->common = e->vars;
    *out = e;
    return TSR_OK;
}

/* uniform(x, y, z) is uniform(9007199254740992*uniform(x, y), z): the product is a whole number below 2^53. *a, *b: its two arguments. */
static tsr_status parse_third(const tsr_expr **a, const tsr_expr **b, const tsr_function *function,
                              notation_parser *parser, uint32_t col)
{
    const tsr_expr *inner = NULL;
    tsr_expr *number;
    TSR_TRY(notation_new_call(&inner, parser, function, col, (const tsr_expr *const[]){*a, *b}));
    TSR_TRY(notation_new_expr(&number, parser, TSR_EXPR_NUMBER, col));
    number->number = 0x1p53;
    number->spelling = "9007199254740992";
    TSR_TRY(notation_new_operator(a, parser, TSR_EXPR_MUL, col, number, inner));
    TSR_TRY(notation_next(parser));
    return notation_parse_choice(b, parser);
}

/* Parse FUNCTION '(' sum [',' sum] ')'. A call counts as one part, whatever its arguments are. */
static tsr_status parse_call(const tsr_expr **out, const tsr_function *function, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    const tsr_expr *a, *b = NULL, *made = NULL;
    TSR_TRY(notation_next(parser));
    TSR_TRY(notation_nest(parser));
    TSR_TRY(notation_parse_choice(&a, parser));
    if (function->nargs == 2) {
        if (parser->token.kind != ',')
            return notation_unexpected(parser, "',' and the second argument of the function");
        TSR_TRY(notation_next(parser));
        TSR_TRY(notation_parse_choice(&b, parser));
    }
    if (parser->token.kind == ',' && notation_takes_third(function))
        TSR_TRY(parse_third(&a, &b, function, parser, col));
    if (parser->token.kind != ')')
        return notation_unexpected(parser, "an operator or the ')' after the last argument of the function");
    const uint32_t end = notation_col(parser, parser->token.s) + 1;
    parser->nesting--;
    TSR_TRY(notation_new_call(&made, parser, function, col, (const tsr_expr *const[]){a, b}));
    ((tsr_expr *)(uintptr_t)made)->end = end;
    *out = made;
    return notation_next(parser);
}

/* The current token, a name, is a variable that stands for its coordinate. */
static tsr_status parse_var(const tsr_expr **out, notation_parser *parser)
{
    int var;
    TSR_TRY(notation_use_var(&var, parser));
    TSR_TRY(notation_new_var(out, parser, var));
    /* the expression was just created, so it may be changed */
    tsr_expr *const e = (tsr_expr *)(uintptr_t)*out;
    e->col = notation_col(parser, parser->token.s);
    e->end = e->col + (uint32_t)parser->token.n;
    return notation_next(parser);
}

static tsr_status parse_primary(const tsr_expr **out, notation_parser *parser)
{
    const tsr_function *function = parser->token.kind == TOKEN_NAME ? called(parser) : NULL;
    if (function)
        return parse_call(out, function, parser);
    const tsr_notation *const definition = notation_find_definition(parser);
    if (definition)
        return notation_parse_defined(out, definition, parser);
    if (parser->in_where && parser->token.kind == TOKEN_NAME)
        return notation_parse_operand(out, parser, behind_token(parser) == '(');
    if (notation_is_band(parser) && behind_token(parser) == '(')
        return notation_parse_band(out, parser);
    if (parser->token.kind == TOKEN_NAME && behind_token(parser) != '(' && notation_is_var(parser))
        return parse_var(out, parser);
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
        return parse_number(out, parser);
    case TOKEN_NAME:
        return notation_parse_access(out, parser);
    case '(':
        return parse_parentheses(out, parser);
    default:
        return notation_unexpected(parser, "a number, a tensor, '-' or '('");
    }
}

/* Parse '!' access or '!!' access. */
static tsr_status parse_mask(const tsr_expr **out, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    TSR_TRY(notation_next(parser));
    const bool twice = parser->token.kind == '!';
    if (twice)
        TSR_TRY(notation_next(parser));
    if (notation_find_definition(parser))
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, notation_col(parser, parser->token.s),
                           "%.*s is a formula, and only a tensor is a mask: compare, as in %.*s(i,j) != 0",
                           notation_quoted(parser->token.n), parser->token.s,
                           notation_quoted(parser->token.n), parser->token.s);
    if (parser->token.kind != TOKEN_NAME || behind_token(parser) != '(' || called(parser) ||
        notation_is_band(parser))
        return notation_unexpected(parser, "a tensor with indices after the '!', as in '!M(i,j)*B(i,j)'");
    if (parser->in_where)
        return tsr_fail_at(parser->err, TSR_UNSUPPORTED, NULL, 0, col,
                           "a condition has no masks: compare the value, as in M(i,j) != 0, or multiply the "
                           "right side by the mask");
    TSR_TRY(notation_parse_access(out, parser));
    /* the expression was just created, so it may be changed */
    tsr_expr *const e = (tsr_expr *)(uintptr_t)*out;
    e->mask = twice ? TSR_MASK_STORED : TSR_MASK_ABSENT;
    e->has_mask = true;
    return TSR_OK;
}

static tsr_status parse_unary(const tsr_expr **out, notation_parser *parser)
{
    if (parser->token.kind == '!')
        return parse_mask(out, parser);
    if (parser->token.kind != '-')
        return parse_primary(out, parser);
    const uint32_t col = notation_col(parser, parser->token.s);
    const tsr_expr *operand;
    TSR_TRY(notation_nest(parser));
    TSR_TRY(parse_unary(&operand, parser));
    parser->nesting--;
    return notation_new_operator(out, parser, TSR_EXPR_NEG, col, operand, NULL);
}

/* Refuse '&' and '|' where they do not join entries. */
static tsr_status check_joins(const notation_parser *parser)
{
    const char sign = *parser->token.s;
    if ((sign != '&' && sign != '|') || (parser->notation->is_truth && !parser->in_where))
        return TSR_OK;
    return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, notation_col(parser, parser->token.s),
                       "'%c' joins entries in a statement with '|=': write '%s' between conditions", sign,
                       sign == '&' ? "and" : "or");
}

static tsr_status parse_product(const tsr_expr **out, notation_parser *parser)
{
    const tsr_expr *left, *right;
    TSR_TRY(parse_unary(&left, parser));
    while (parser->token.kind == '*' || parser->token.kind == '/' || parser->token.kind == '&') {
        const tsr_expr_kind kind = parser->token.kind == '/' ? TSR_EXPR_DIV : TSR_EXPR_MUL;
        TSR_TRY(check_joins(parser));
        const uint32_t col = notation_col(parser, parser->token.s);
        TSR_TRY(notation_next(parser));
        TSR_TRY(parse_unary(&right, parser));
        TSR_TRY(notation_new_operator(&left, parser, kind, col, left, right));
    }
    *out = left;
    return TSR_OK;
}

tsr_status notation_parse_sum(const tsr_expr **out, notation_parser *parser)
{
    const tsr_expr *left, *right;
    TSR_TRY(parse_product(&left, parser));
    while (parser->token.kind == '+' || parser->token.kind == '-' || parser->token.kind == '|') {
        const tsr_expr_kind kind = parser->token.kind == '-' ? TSR_EXPR_SUB : TSR_EXPR_ADD;
        TSR_TRY(check_joins(parser));
        const uint32_t col = notation_col(parser, parser->token.s);
        TSR_TRY(notation_next(parser));
        TSR_TRY(parse_product(&right, parser));
        TSR_TRY(notation_new_operator(&left, parser, kind, col, left, right));
    }
    *out = left;
    return TSR_OK;
}

/* ---- statement ---- */

/* Whether the text looks like the subscripts of einsum: "ij,j->i". */
static bool is_einsum(const char *text)
{
    const char *const arrow = strstr(text, "->");
    for (const char *p = text; arrow && p < arrow; p++)
        if (!((*p | 32) >= 'a' && (*p | 32) <= 'z') && *p != ',' && *p != ' ')
            return false;
    return arrow && strchr(text, '=') == NULL;
}

/* Parse '=' or a reduction. */
static tsr_status parse_assignment(notation_parser *parser)
{
    static const char expected[] =
        "'=' after the result, or '+=', '|=', '*=', 'min=', 'max=', 'or=', 'and=', "
        "'xor=', 'top(10)=', 'bottom(10)=', 'argmax(j)=', 'argmin(j)='";
    tsr_notation *notation = parser->notation;
    if (notation_is_selection(parser)) {
        TSR_TRY(notation_parse_selection(&notation->selection, parser));
        return parser->token.kind == '=' ? notation_next(parser)
                                         : notation_unexpected(parser, "'=' after the selection");
    }
    const notation_token token = parser->token;
    notation->is_truth = token.kind == TOKEN_OR_ASSIGN;
    notation->accumulate = token.kind != '=' && !notation->is_truth;
    if (token.kind == TOKEN_NAME || token.kind == TOKEN_MUL_ASSIGN)
        notation->reduction = notation_find_reduction(token.s, token.kind == TOKEN_NAME ? token.n : 1);
    if (token.kind == TOKEN_NAME && notation->reduction) {
        TSR_TRY(notation_next(parser));
        if (parser->token.kind != '=')
            return notation_unexpected(parser, "'=' after the reduction");
    } else if (token.kind != '=' && token.kind != TOKEN_ADD_ASSIGN && token.kind != TOKEN_MUL_ASSIGN &&
               token.kind != TOKEN_OR_ASSIGN) {
        if (is_einsum(parser->notation->text))
            return tsr_fail_at(parser->err, TSR_SYNTAX, NULL, 0, notation_col(parser, token.s),
                               "these are subscripts of einsum, not an expression: name the tensors, as in "
                               "y(i) = A(i,j)*x(j) for ij,j->i");
        return notation_unexpected(parser, expected);
    }
    return notation_next(parser);
}

/* Fail at a token after the last term; a hint for signs that other languages use. */
static tsr_status unexpected_end(const notation_parser *parser)
{
    const char sign = *parser->token.s;
    return notation_unexpected(
        parser, sign == '['
                    ? "an operator or the end of the expression (indices stand in parentheses: A(i,j))"
                : sign == '^' ? "an operator or the end of the expression (a power is pow(x, 2))"
                : parser->notation->is_truth && sign != '\0' && strchr("<=!>", sign)
                    ? "an operator or the end of the expression (a comparison stands in parentheses)"
                : sign == ';' ? "an operator or the end of the expression (there is one statement here)"
                              : "an operator or the end of the expression");
}

static tsr_status parse_statement(notation_parser *parser, bool defines)
{
    tsr_notation *notation = parser->notation;
    TSR_TRY(notation_token_at(parser, notation->text));
    if (parser->token.kind != TOKEN_NAME)
        return notation_unexpected(parser, "the result: a name, as in 'y(i) = A(i,j)*x(j)'");
    if (notation_find_definition(parser))
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, notation_col(parser, parser->token.s),
                           "%.*s is a formula already: give this result another name",
                           notation_quoted(parser->token.n), parser->token.s);
    TSR_TRY(notation_parse_access(&notation->result, parser));
    notation->nfree = notation->nvars;
    TSR_TRY(defines ? notation_expect(parser, ':', "':'") : parse_assignment(parser));
    notation->rhs_col = notation_col(parser, parser->token.s);
    TSR_TRY(notation->is_truth ? notation_parse_sum(&notation->rhs, parser)
                               : notation_parse_value(&notation->rhs, parser));
    notation->rhs_end = notation_col(parser, parser->token.s);
    TSR_TRY(notation_parse_where(parser));
    if (parser->token.kind != TOKEN_END)
        return unexpected_end(parser);
    return defines ? notation_check_definition(parser) : notation_check_ending(parser);
}

tsr_status tsr_notation_parse(tsr_notation **out, const char *text, tsr_error *err)
{
    return tsr_notation_parse_with(out, text, NULL, err);
}

tsr_status tsr_notation_parse_with(tsr_notation **out, const char *text, const tsr_function_list *functions,
                                   tsr_error *err)
{
    const notation_given given = {.functions = functions};
    return notation_parse_given(out, text, &given, err);
}

/* Parse the text of the notation in its place, so that columns count there. */
static tsr_status parse_own_text(tsr_notation **notation, const notation_given *given, tsr_error *err)
{
    const notation_given own = {.functions = given->functions};
    tsr_notation *const before = *notation;
    tsr_text text = {0};
    tsr_notation_print(&text, before);
    tsr_status status = tsr_text_status(&text, err);
    if (status == TSR_OK)
        status = notation_parse_given(notation, tsr_text_cstr(&text), &own, err);
    if (status == TSR_OK)
        (*notation)->is_rewritten = true;
    else if (err)
        err->col = 0; /* it would be in a text that the caller has not written */
    tsr_text_clear(&text);
    tsr_notation_free(before);
    return status;
}

tsr_status notation_parse_given(tsr_notation **out, const char *text, const notation_given *given,
                                tsr_error *err)
{
    *out = NULL;
    const size_t n = strlen(text);
    if (n > TSR_NOTATION_MAX_NBYTES)
        return tsr_fail(err, TSR_LIMIT, "the expression has %zu bytes, more than the limit of %d", n,
                        TSR_NOTATION_MAX_NBYTES);
    tsr_arena *arena = tsr_calloc(1, sizeof *arena);
    if (!arena)
        return no_memory(err);
    tsr_notation *notation = tsr_arena_alloc(arena, sizeof *notation);
    const char *copy = tsr_arena_strndup(arena, text, n);
    if (!notation || !copy) {
        tsr_arena_clear(arena);
        tsr_free(arena);
        return no_memory(err);
    }
    notation->arena = arena;
    notation->text = copy;
    notation_parser parser = {.notation = notation,
                              .functions = given->functions,
                              .ndefinitions = given->ndefinitions,
                              .definition = given->definition,
                              .err = err};
    tsr_status status = parse_statement(&parser, given->defines);
    if (status != TSR_OK)
        tsr_notation_free(notation);
    else if (parser.rewrites && !given->defines)
        status = parse_own_text(&notation, given, err);
    if (status != TSR_OK)
        return status;
    notation->spreads = notation->spreads || parser.spreads;
    *out = notation;
    return TSR_OK;
}

void tsr_notation_free(tsr_notation *notation)
{
    if (!notation)
        return;
    for (int k = 0; k < notation->nstatements; k++)
        tsr_notation_free(notation->statement[k]);
    tsr_arena *arena = notation->arena;
    tsr_arena_clear(arena);
    tsr_free(arena);
}
