/* Tokens of index notation. ASCII only, in every locale; an error about another character quotes all its
 * bytes. */
#include "notation_internal.h"

#include <math.h>
#include <string.h>

#include "tsr_num.h"
#include "tsr_text.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *skip_digits(const char *p)
{
    while (is_digit(*p))
        p++;
    return p;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

static const char *skip_name(const char *p)
{
    while (is_name_start(*p) || is_digit(*p))
        p++;
    return p;
}

uint32_t notation_col(const notation_parser *parser, const char *p)
{
    return (uint32_t)(p - parser->notation->text) + 1;
}

int notation_quoted(size_t n)
{
    return n > 40 ? 40 : (int)n;
}

/* ---- numbers ---- */

static tsr_status bad_number(const notation_parser *parser, const char *s, const char *end, tsr_status status,
                             const char *why)
{
    return tsr_fail_at(parser->err, status, NULL, 0, notation_col(parser, s), "'%.*s' %s",
                       notation_quoted((size_t)(end - s)), s, why);
}

/* The text from s to `stop` looks like a number but continues with a character that numbers do not have. */
static tsr_status not_a_number(const notation_parser *parser, const char *s, const char *stop)
{
    const char *end = stop;
    while (*end == '.' || is_digit(*end) || is_name_start(*end))
        end++;
    const char *why = "is not a number: a factor before a name needs '*', and a name starts with a letter";
    if (stop == s + 1 && *s == '0' && (*stop == 'x' || *stop == 'X'))
        why = "is not a number: hexadecimal is not supported";
    else if (*stop == 'e' || *stop == 'E') {
        why = "is not a number: its exponent has no digits";
        if (end == stop + 1 && (*end == '+' || *end == '-'))
            end++;
    } else if (*stop == '_')
        why = "is not a number: digits are written without separators";
    else if (*stop == '.')
        why = "is not a number: it has two points";
    return bad_number(parser, s, end, TSR_SYNTAX, why);
}

/* Parse the number at p, which begins with a digit, or with a point and a digit. */
static tsr_status number_at(notation_parser *parser, const char *p)
{
    const char *end = skip_digits(p);
    if (*end == '.')
        end = skip_digits(end + 1);
    const char *mantissa_end = end;
    if (*end == 'e' || *end == 'E') {
        const char *digits = end + 1 + (end[1] == '+' || end[1] == '-');
        if (is_digit(*digits))
            end = skip_digits(digits);
    }
    if (*end == '.' || is_name_start(*end))
        return not_a_number(parser, p, end);
    double v;
    if (tsr_parse_f64(&v, p, end) != end)
        return bad_number(parser, p, end, TSR_SYNTAX, "is not a number");
    if (isinf(v))
        return bad_number(parser, p, end, TSR_RANGE, "is beyond the largest number, 1.7976931348623157e+308");
    if (v == 0 && strspn(p, "0.") < (size_t)(mantissa_end - p))
        return bad_number(parser, p, end, TSR_RANGE, "rounds to zero: the smallest number is 5e-324");
    parser->token = (notation_token){TOKEN_NUMBER, p, (size_t)(end - p), v};
    return TSR_OK;
}

/* ---- all tokens ---- */

tsr_status notation_token_at(notation_parser *parser, const char *p)
{
    const char *const behind = parser->behind = p;
    p = skip_blanks(p);
    if (is_digit(*p) || (*p == '.' && is_digit(p[1])))
        return number_at(parser, p);
    notation_token token = {.kind = *p, .s = p, .n = 1};
    if (*p == '\0')
        token = (notation_token){.kind = TOKEN_END, .s = behind};
    else if (is_name_start(*p))
        token = (notation_token){.kind = TOKEN_NAME, .s = p, .n = (size_t)(skip_name(p) - p)};
    else if (*p == '+' && p[1] == '=')
        token = (notation_token){.kind = TOKEN_ADD_ASSIGN, .s = p, .n = 2};
    else if (*p == '*' && p[1] == '=')
        token = (notation_token){.kind = TOKEN_MUL_ASSIGN, .s = p, .n = 2};
    else if (*p == '|' && p[1] == '=')
        token = (notation_token){.kind = TOKEN_OR_ASSIGN, .s = p, .n = 2};
    else if (strchr("<=!>", *p) && p[1] == '=')
        token = (notation_token){.kind = *p == '<'   ? TOKEN_LE
                                         : *p == '=' ? TOKEN_EQ
                                         : *p == '!' ? TOKEN_NE
                                                     : TOKEN_GE,
                                 .s = p,
                                 .n = 2};
    else if (!strchr("=+-*/(),{}!<>&|?:", *p))
        token = (notation_token){.kind = TOKEN_OTHER, .s = p};
    parser->token = token;
    return TSR_OK;
}

tsr_status notation_next(notation_parser *parser)
{
    return notation_token_at(parser, parser->token.s + parser->token.n);
}

/* Whether one of the indices that begin behind the '(' at p is the name; *end: behind the ')'. */
static bool has_index(const char **end, const char *p, const notation_token *name)
{
    bool found = false;
    int depth = 1; /* windows have parentheses of their own */
    for (p++; *p && depth > 0;) {
        if (is_name_start(*p)) {
            const char *const behind = skip_name(p);
            found = found || ((size_t)(behind - p) == name->n && memcmp(p, name->s, name->n) == 0);
            p = behind;
            continue;
        }
        depth += (*p == '(') - (*p == ')');
        p++;
    }
    *end = p;
    return found;
}

bool notation_is_var(const notation_parser *parser)
{
    const char *p = parser->notation->text;
    const notation_token *const token = &parser->token;
    for (int t = 0; t < parser->notation->ntensors; t++) { /* seen before: so few names are looked for */
        const char *const name = parser->notation->tensor[t].name;
        if (tsr_name_is(name, token->s, token->n))
            return false;
    }
    while (*p) {
        if (is_digit(*p)) /* the e of a number is not a name */
            while (is_digit(*p) || *p == '.' || is_name_start(*p))
                p++;
        if (!is_name_start(*p)) {
            p += *p != '\0';
            continue;
        }
        const char *const name = p;
        p = skip_name(p);
        const char *const behind = skip_blanks(p);
        if (*behind != '(' || notation_find_function(parser, name, (size_t)(p - name)))
            continue;
        if (has_index(&p, behind, &parser->token))
            return true;
    }
    return false;
}

tsr_status notation_unexpected(const notation_parser *parser, const char *expected)
{
    const notation_token *token = &parser->token;
    return tsr_fail_expected(parser->err, 0, notation_col(parser, token->s), expected,
                             token->kind == TOKEN_END ? "" : token->s, token->n);
}

tsr_status notation_expect(notation_parser *parser, int kind, const char *expected)
{
    return parser->token.kind == kind ? notation_next(parser) : notation_unexpected(parser, expected);
}
