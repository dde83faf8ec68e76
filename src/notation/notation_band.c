/* Bands: operands that no tensor stores. eye(i,j), tril(i,j), triu(i,j) and band(i,j,-1,1) have the value 1 at all i and j whose
 * difference j - i is in an interval, and no entries elsewhere. */
#include <inttypes.h>

#include "notation_internal.h"

enum { MAX_NAME = 5 };

/* The words; which ends of the interval their offset gives, and whether each end has an offset of its own. */
#define WORD(name, low, high, both) \
    {                               \
#name, low, high, both      \
    }
static const struct word {
    char name[MAX_NAME];
    bool low, high, both;
} words[] = {WORD(eye, true, true, false), WORD(tril, false, true, false), WORD(triu, true, false, false),
             WORD(band, true, true, true)};

static const struct word *find_word(const notation_token *token)
{
    for (size_t k = 0; token->kind == TOKEN_NAME && k < sizeof words / sizeof *words; k++)
        if (tsr_name_is(words[k].name, token->s, token->n))
            return &words[k];
    return NULL;
}

bool notation_is_band(const notation_parser *parser)
{
    return find_word(&parser->token) != NULL;
}

/* ',' ['-'] NUMBER */
static tsr_status parse_offset(int64_t *offset, notation_parser *parser)
{
    static const double most = 0x1p53;
    TSR_TRY(notation_expect(parser, ',', "',' and an offset j - i"));
    const bool negative = parser->token.kind == '-';
    if (negative)
        TSR_TRY(notation_next(parser));
    const notation_token number = parser->token;
    if (number.kind != TOKEN_NUMBER)
        return notation_unexpected(parser, "an offset j - i, a whole number, as in band(i,j,-1,1)");
    if (!(number.number < most) || number.number != (double)(int64_t)number.number)
        return tsr_fail_at(parser->err, TSR_RANGE, NULL, 0, notation_col(parser, number.s),
                           "%.*s is not an offset: write a whole number below 2^53",
                           notation_quoted(number.n), number.s);
    *offset = negative ? -(int64_t)number.number : (int64_t)number.number;
    return notation_next(parser);
}

static tsr_status parse_index(tsr_expr *band, int k, notation_parser *parser)
{
    const uint32_t col = notation_col(parser, parser->token.s);
    if (parser->token.kind != TOKEN_NAME)
        return notation_unexpected(parser, "an index variable, as in eye(i,j)");
    TSR_TRY(notation_use_var(&band->index[k], parser));
    if (k == 1 && band->index[0] == band->index[1])
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "a band is between two different indices");
    band->vars = band->common = band->vars | UINT32_C(1) << band->index[k];
    return notation_next(parser);
}

tsr_status notation_new_band(const tsr_expr **out, const notation_parser *parser, int u, int v, int64_t low,
                             int64_t high)
{
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_BAND, 0));
    e->nindices = 2;
    e->has_step = e->has_band = true;
    e->index[0] = u;
    e->index[1] = v;
    e->vars = e->common = UINT32_C(1) << u | UINT32_C(1) << v;
    e->low = low;
    e->high = high;
    *out = e;
    return TSR_OK;
}

tsr_status notation_parse_band(const tsr_expr **out, notation_parser *parser)
{
    const struct word *const word = find_word(&parser->token);
    tsr_expr *e;
    TSR_TRY(notation_new_expr(&e, parser, TSR_EXPR_BAND, notation_col(parser, parser->token.s)));
    e->nindices = 2;
    e->has_step = e->has_band = true;
    e->low = word->low ? 0 : -TSR_NOTATION_NO_END;
    e->high = word->high ? 0 : TSR_NOTATION_NO_END;
    TSR_TRY(notation_next(parser));
    TSR_TRY(notation_expect(parser, '(', "'('"));
    TSR_TRY(parse_index(e, 0, parser));
    TSR_TRY(notation_expect(parser, ',', "',' and the second index, as in eye(i,j)"));
    TSR_TRY(parse_index(e, 1, parser));
    if (word->both) {
        TSR_TRY(parse_offset(&e->low, parser));
        TSR_TRY(parse_offset(&e->high, parser));
    } else if (parser->token.kind == ',') {
        TSR_TRY(parse_offset(word->low ? &e->low : &e->high, parser));
        e->high = word->low && word->high ? e->low : e->high;
    }
    if (e->low > e->high)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, e->col,
                           "an empty band: its offsets go from %" PRId64 " to %" PRId64, e->low, e->high);
    if (parser->token.kind == ')')
        e->end = notation_col(parser, parser->token.s) + 1;
    *out = e;
    return notation_expect(parser, ')', "the ')' behind the last offset");
}

void notation_print_band(tsr_text *text, const tsr_notation *notation, const tsr_expr *e)
{
    const bool low = e->low > -TSR_NOTATION_NO_END, high = e->high < TSR_NOTATION_NO_END;
    const bool both = low && high && e->low != e->high;
    const struct word *word = words;
    while (word->low != low || word->high != high || word->both != both)
        word++;
    tsr_text_addf(text, "%s(%s,%s", word->name, notation->var[e->index[0]], notation->var[e->index[1]]);
    const int64_t one = low ? e->low : e->high;
    if (both)
        tsr_text_addf(text, ",%" PRId64 ",%" PRId64, e->low, e->high);
    else if (one != 0)
        tsr_text_addf(text, ",%" PRId64, one);
    tsr_text_add(text, ")");
}
