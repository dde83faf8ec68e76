/* Values that depend on conditions: comparisons, `and`, `or`, and `c ? a : b`, which becomes calls of the functions lt, le, eq, ne, ge,
 * gt, and, or, when, unless and either. */
#include <string.h>

#include "notation_internal.h"

tsr_status notation_combine(const tsr_expr **a, notation_parser *parser, const char *name, uint32_t col,
                            const tsr_expr *b)
{
    const tsr_function *const function = notation_find_function(parser, name, strlen(name));
    TSR_TRY(notation_new_call(a, parser, function, col, (const tsr_expr *const[]){*a, b}));
    /* the expression was just created, so it may be changed */
    ((tsr_expr *)(uintptr_t)*a)->end = notation_col(parser, parser->behind);
    return TSR_OK;
}

/* In a statement with `|=`: a comparison binds weaker than & and |, which in C bind weaker. */
static tsr_status refuse_bare(const notation_parser *parser, const tsr_expr *side)
{
    const char sign =
        side->kind != TSR_EXPR_CALL && side->b && !side->open ? parser->notation->text[side->col - 1] : 0;
    if (sign != '&' && sign != '|')
        return TSR_OK;
    return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, side->col,
                       "a comparison beside '&' or '|' stands in parentheses, as in (A(i,j) > 2) & B(i,j)");
}

/* sum [('<' | '<=' | '==' | '!=' | '>=' | '>') sum] */
static tsr_status parse_compared(const tsr_expr **out, notation_parser *parser)
{
    static const struct {
        int token;
        const char *function;
    } signs[] = {{'<', "lt"},      {TOKEN_LE, "le"}, {TOKEN_EQ, "eq"},
                 {TOKEN_NE, "ne"}, {TOKEN_GE, "ge"}, {'>', "gt"}};
    const uint32_t col = notation_col(parser, parser->token.s);
    TSR_TRY(notation_parse_sum(out, parser));
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (parser->token.kind != signs[k].token)
            continue;
        const tsr_expr *right;
        TSR_TRY(refuse_bare(parser, *out));
        TSR_TRY(notation_next(parser));
        TSR_TRY(notation_parse_sum(&right, parser));
        TSR_TRY(refuse_bare(parser, right));
        return notation_combine(out, parser, signs[k].function, col, right);
    }
    return TSR_OK;
}

/* compared {'and' compared}; or: both {'or' both}, of which the first was not parsed yet. */
static tsr_status parse_joined(const tsr_expr **out, notation_parser *parser, bool or)
{
    const char *const word = or ? "or" : "and";
    const uint32_t col = notation_col(parser, parser->token.s);
    TSR_TRY(or ? parse_joined(out, parser, false) : parse_compared(out, parser));
    while (notation_is_word(&parser->token, word)) {
        const tsr_expr *right;
        TSR_TRY(notation_next(parser));
        TSR_TRY(or ? parse_joined(&right, parser, false) : parse_compared(&right, parser));
        TSR_TRY(notation_combine(out, parser, word, col, right));
    }
    return TSR_OK;
}

/* Whether a choice of two values is in e. */
static bool has_either(const tsr_expr *e)
{
    return e && ((e->kind == TSR_EXPR_CALL && e->function->exact == TSR_EXACT_EITHER) || has_either(e->a) ||
                 has_either(e->b));
}

static bool is_zero(const tsr_expr *e)
{
    return e->kind == TSR_EXPR_NUMBER && e->number == 0;
}

/* Parse '?' and the two branches behind the condition *out, which began in column `col`. */
static tsr_status parse_branches(const tsr_expr **out, notation_parser *parser, uint32_t col)
{
    const tsr_expr *first, *second, *const cond = *out;
    TSR_TRY(notation_nest(parser));
    parser->choices++;
    TSR_TRY(notation_parse_choice(&first, parser));
    TSR_TRY(notation_expect(parser, ':', "':' and the value where the condition does not hold"));
    TSR_TRY(notation_parse_choice(&second, parser));
    parser->nesting--;
    parser->choices--;
    if (is_zero(second))
        return notation_combine(out, parser, "when", col, first);
    if (!is_zero(first) &&
        has_either(cond)) /* the condition stands twice in the expression: so would all inside */
        return tsr_fail_at(parser->err, TSR_UNSUPPORTED, NULL, 0, col,
                           "a condition has a choice of two values in it: compute it in a statement before");
    const tsr_expr *other = cond;
    TSR_TRY(notation_combine(&other, parser, "unless", col, second));
    *out = other;
    if (is_zero(first))
        return TSR_OK;
    *out = cond;
    TSR_TRY(notation_combine(out, parser, "when", col, first));
    return notation_combine(out, parser, "either", col, other);
}

tsr_status notation_parse_choice(const tsr_expr **out, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    TSR_TRY(parse_joined(out, parser, true));
    return parser->token.kind == '?' ? parse_branches(out, parser, col) : TSR_OK;
}

tsr_status notation_parse_value(const tsr_expr **out, notation_parser *parser)
{
    TSR_TRY(notation_parse_choice(out, parser));
    return parser->in_where ? TSR_OK : notation_spread(out, parser);
}

bool notation_take_choice(const tsr_expr **cond, const tsr_expr **first, const tsr_expr **second,
                          const tsr_expr *e)
{
    const tsr_exact how = e->kind == TSR_EXPR_CALL ? e->function->exact : TSR_EXACT_NONE;
    const bool both = how == TSR_EXACT_EITHER && e->a->kind == TSR_EXPR_CALL && e->b->kind == TSR_EXPR_CALL &&
                      e->a->function->exact == TSR_EXACT_WHEN && e->b->function->exact == TSR_EXACT_UNLESS &&
                      e->a->a == e->b->a;
    if (!both && how != TSR_EXACT_WHEN && how != TSR_EXACT_UNLESS)
        return false;
    *cond = both ? e->a->a : e->a;
    *first = both ? e->a->b : how == TSR_EXACT_WHEN ? e->b : NULL;
    *second = both ? e->b->b : how == TSR_EXACT_UNLESS ? e->b : NULL;
    return true;
}
