/* The text of maps and expressions (DESIGN.md section 5), parsed by recursive descent:
 *   map    := '(' names ')' ['[' names ']'] ['{' names '}'] '->' '(' [sum {',' sum}] ')' [domain]
 *           | 'KNOWN' 'EMPTY'
 *   domain := [','] ['domain' ':' {sum 'in' '[' int ',' int ']' [',']}]
 *   sum    := term {('+' | '-') term}
 *   term   := unary {('*' | '/' | '//' | '%' | 'floordiv' | 'floorDiv' | 'ceildiv' | 'mod') unary}
 *   unary  := '-' unary | int [factor] | factor
 *   factor := name | '(' sum ')' | ('min' | 'max') '(' sum ',' sum ')' | '#' name {name}
 * The factor after an int follows without a blank: 100d0. The minus sign binds tighter than the other
 * operators: -d0 mod 2 is (-d0) mod 2. A divisor is a constant; with a negative divisor, x floordiv -c is -x
 * floordiv c and x mod -c is x mod c, which is never negative. */
#include "map_internal.h"

#include <string.h>

#include "tsr_num.h"

/* the nesting of the printed text of the deepest expression */
enum { MAX_NESTING = 2 * TSR_EXPR_MAX_DEPTH + 2 };

typedef struct parser {
    tsr_map *map;
    tsr_cursor *cursor;
    int nesting;
    tsr_error *err;
} parser;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The length of the name or word at p, 0 if there is none. */
static size_t name_length(const char *p)
{
    size_t n = 0;
    if (is_name_start(*p))
        while (is_name_start(p[n]) || is_digit(p[n]))
            n++;
    return n;
}

bool tsr_map_is_reserved(const char *word, size_t n)
{
    static const char *const words[] = {"floordiv", "floorDiv", "ceildiv", "mod",
                                        "min",      "max",      "in",      "domain"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (tsr_name_is(words[i], word, n))
            return true;
    return false;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

static uint64_t column(const parser *ps, const char *at)
{
    return (uint64_t)(at - ps->cursor->start) + 1;
}

static tsr_status expected(const parser *ps, const char *at, const char *what)
{
    return tsr_fail_expected(ps->err, 0, column(ps, at), what, at, name_length(at));
}

/* Check x, which was just built from the text at `at`: if it is NULL, report why. */
static tsr_status built(const parser *ps, const tsr_linear *x, const char *at)
{
    if (x)
        return TSR_OK;
    return tsr_fail_at(ps->err, ps->map->pool.fault, NULL, 0, column(ps, at), "%s", ps->map->pool.why);
}

/* Skip blanks and take the character c. */
static tsr_status take(parser *ps, char c, const char *what)
{
    const char *p = skip_blanks(ps->cursor->p);
    if (*p != c)
        return expected(ps, p, what);
    ps->cursor->p = p + 1;
    return TSR_OK;
}

static bool peek(const parser *ps, char c)
{
    return *skip_blanks(ps->cursor->p) == c;
}

/* ---- expressions ---- */

static tsr_status parse_sum(const tsr_linear **out, parser *ps);

/* Parse the name of a variable at the cursor. */
static tsr_status parse_var(int *var, parser *ps)
{
    const char *p = ps->cursor->p;
    const size_t n = name_length(p);
    for (int v = 0; v < ps->map->nvars; v++)
        if (tsr_name_is(ps->map->vars[v].name, p, n)) {
            ps->cursor->p = p + n;
            *var = v;
            return TSR_OK;
        }
    if (n == 0 || tsr_map_is_reserved(p, n))
        return expected(ps, p, "a number, a name or '('");
    tsr_text names = {0};
    for (int v = 0; v < ps->map->nvars; v++) {
        tsr_text_add(&names, v > 0 ? ", " : "");
        tsr_text_add(&names, ps->map->vars[v].name);
    }
    const tsr_status status =
        tsr_fail_at(ps->err, TSR_SYNTAX, NULL, 0, column(ps, p), "unknown name '%.*s' (known: %s)",
                    n > 40 ? 40 : (int)n, p, names.nbytes > 0 ? tsr_text_cstr(&names) : "none");
    tsr_text_clear(&names);
    return status;
}

/* Take the '(' at the cursor; leave() takes the matching ')'. */
static tsr_status enter(parser *ps)
{
    if (ps->nesting == MAX_NESTING)
        return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps, ps->cursor->p),
                           "more than %d nested parentheses", MAX_NESTING);
    ps->cursor->p++;
    ps->nesting++;
    return TSR_OK;
}

static tsr_status leave(parser *ps)
{
    ps->nesting--;
    return take(ps, ')', "')' or an operator");
}

static tsr_status parse_parentheses(const tsr_linear **out, parser *ps)
{
    TSR_TRY(enter(ps));
    TSR_TRY(parse_sum(out, ps));
    return leave(ps);
}

/* Parse min(a, b) or max(a, b). */
static tsr_status parse_choice(const tsr_linear **out, parser *ps)
{
    const char *start = ps->cursor->p;
    const tsr_linear *a, *b;
    ps->cursor->p = skip_blanks(start + 3);
    if (*ps->cursor->p != '(')
        return expected(ps, ps->cursor->p, "'(' and two operands");
    TSR_TRY(enter(ps));
    TSR_TRY(parse_sum(&a, ps));
    TSR_TRY(take(ps, ',', "',' or an operator"));
    TSR_TRY(parse_sum(&b, ps));
    TSR_TRY(leave(ps));
    *out = tsr_linear_choose(&ps->map->pool, start[1] == 'i' ? TSR_ATOM_MIN : TSR_ATOM_MAX, a, b);
    return built(ps, *out, start);
}

/* Parse `#i j`: all names that follow belong to the counter. */
static tsr_status parse_counter(const tsr_linear **out, parser *ps)
{
    const char *start = ps->cursor->p, *p = start + 1;
    uint64_t counts = 0;
    do {
        int var;
        ps->cursor->p = skip_blanks(p);
        TSR_TRY(parse_var(&var, ps));
        counts |= UINT64_C(1) << var;
        p = skip_blanks(ps->cursor->p);
    } while (is_name_start(*p) && !tsr_map_is_reserved(p, name_length(p)));
    *out = tsr_linear_counter(&ps->map->pool, counts);
    return built(ps, *out, start);
}

static bool starts_factor(const char *p)
{
    const size_t n = name_length(p);
    return *p == '(' || *p == '#' || tsr_name_is("min", p, n) || tsr_name_is("max", p, n) ||
           (n > 0 && !tsr_map_is_reserved(p, n));
}

static tsr_status parse_factor(const tsr_linear **out, parser *ps)
{
    const char *p = ps->cursor->p;
    const size_t n = name_length(p);
    if (*p == '(')
        return parse_parentheses(out, ps);
    if (*p == '#')
        return parse_counter(out, ps);
    if (tsr_name_is("min", p, n) || tsr_name_is("max", p, n))
        return parse_choice(out, ps);
    int var;
    TSR_TRY(parse_var(&var, ps));
    *out = tsr_linear_var(&ps->map->pool, var);
    return built(ps, *out, p);
}

static tsr_status parse_number(const tsr_linear **out, parser *ps)
{
    const char *at = ps->cursor->p, *end = at;
    int64_t c;
    while (is_digit(*end))
        end++;
    if (!tsr_parse_i64(&c, at, end))
        return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps, at),
                           "number '%.*s' does not fit into 64 bits", end - at > 40 ? 40 : (int)(end - at),
                           at);
    ps->cursor->p = end;
    if (starts_factor(end))
        TSR_TRY(parse_factor(out, ps));
    else
        *out = tsr_linear_const(&ps->map->pool, 1);
    *out = tsr_linear_scale(&ps->map->pool, *out, c);
    return built(ps, *out, at);
}

static tsr_status parse_unary(const tsr_linear **out, parser *ps)
{
    const char *p = skip_blanks(ps->cursor->p), *start = p;
    bool negative = false;
    for (; *p == '-' && p[1] != '>'; p = skip_blanks(p + 1))
        negative = !negative;
    ps->cursor->p = p;
    if (is_digit(*p))
        TSR_TRY(parse_number(out, ps));
    else
        TSR_TRY(parse_factor(out, ps));
    if (negative)
        *out = tsr_linear_scale(&ps->map->pool, *out, -1);
    return built(ps, *out, start);
}

typedef enum operator{ NONE, TIMES, FLOORDIV, CEILDIV, MOD } operator;

/* The operator at p, of the precedence of a product, and its end. */
static operator find_operator(const char **end, const char *p)
{
    static const struct {
        const char *text;
        operator op;
    } operators[] = {{"*", TIMES},           {"//", FLOORDIV},       {"/", FLOORDIV},      {"%", MOD},
                     {"floordiv", FLOORDIV}, {"floorDiv", FLOORDIV}, {"ceildiv", CEILDIV}, {"mod", MOD}};
    const size_t nname = name_length(p);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        const size_t n = strlen(operators[i].text);
        if (strncmp(p, operators[i].text, n) == 0 && (nname == 0 || nname == n)) {
            *end = p + n;
            return operators[i].op;
        }
    }
    return NONE;
}

static tsr_status multiply(const tsr_linear **out, parser *ps, const tsr_linear *a, const tsr_linear *b,
                           const char *at)
{
    *out = tsr_linear_product(&ps->map->pool, a, b);
    return built(ps, *out, at);
}

/* a op b for the divisions; the text of b begins at `at`. */
static tsr_status divide(const tsr_linear **out, parser *ps, operator op, const tsr_linear *a,
                         const tsr_linear *b, const char *at)
{
    tsr_pool *pool = &ps->map->pool;
    if (b->n > 0 || b->c == 0)
        return tsr_fail_at(ps->err, TSR_UNSUPPORTED, NULL, 0, column(ps, at),
                           "the divisor must be a constant other than 0, not '%.*s'",
                           (int)(ps->cursor->p - at), at);
    const int64_t sign = b->c < 0 ? -1 : 1, c = b->c * sign;
    if (op == MOD)
        *out = tsr_linear_mod(pool, a, c);
    else if (op == FLOORDIV)
        *out = tsr_linear_floordiv(pool, tsr_linear_scale(pool, a, sign), c);
    else /* ceil(a / c) = -floor(-a / c) */
        *out = tsr_linear_scale(pool, tsr_linear_floordiv(pool, tsr_linear_scale(pool, a, -sign), c), -1);
    return built(ps, *out, at);
}

static tsr_status parse_term(const tsr_linear **out, parser *ps)
{
    TSR_TRY(parse_unary(out, ps));
    for (;;) {
        const char *at = skip_blanks(ps->cursor->p), *end = at;
        const operator op = find_operator(&end, at);
        if (op == NONE)
            return TSR_OK;
        const tsr_linear *right;
        ps->cursor->p = end = skip_blanks(end);
        TSR_TRY(parse_unary(&right, ps));
        if (op == TIMES)
            TSR_TRY(multiply(out, ps, *out, right, at));
        else
            TSR_TRY(divide(out, ps, op, *out, right, end));
    }
}

static tsr_status parse_sum(const tsr_linear **out, parser *ps)
{
    const char *start = skip_blanks(ps->cursor->p);
    tsr_sum sum;
    tsr_status status;
    int64_t sign = 1;
    tsr_sum_init(&sum, &ps->map->pool);
    for (;;) {
        const tsr_linear *term;
        TSR_TRY_OUT(parse_term(&term, ps));
        tsr_sum_add(&sum, sign, term);
        const char *p = skip_blanks(ps->cursor->p);
        if (sum.failed || (*p != '+' && (*p != '-' || p[1] == '>')))
            break;
        sign = *p == '+' ? 1 : -1;
        ps->cursor->p = p + 1;
    }
    *out = tsr_sum_take(&sum);
    return built(ps, *out, start);
out:
    tsr_sum_drop(&sum);
    return status;
}

tsr_status tsr_map_build_parse(const tsr_linear **out, tsr_map_builder *builder, tsr_cursor *cursor,
                               tsr_error *err)
{
    *out = NULL;
    TSR_TRY(tsr_pool_status(&builder->map->pool, err));
    parser ps = {.map = builder->map, .cursor = cursor, .err = err};
    const tsr_linear *x;
    TSR_TRY(parse_sum(&x, &ps));
    *out = x;
    return TSR_OK;
}

/* ---- maps ---- */

/* Parse the names between `open` and `close` as variables of one kind. */
static tsr_status parse_names(parser *ps, tsr_var_kind kind, char close, const char *close_text)
{
    ps->cursor->p++;
    if (peek(ps, close)) {
        ps->cursor->p = skip_blanks(ps->cursor->p) + 1;
        return TSR_OK;
    }
    for (;;) {
        const char *p = skip_blanks(ps->cursor->p);
        const size_t n = name_length(p);
        if (n == 0)
            return expected(ps, p, "a name");
        const tsr_status status = tsr_map_add_var(ps->map, kind, p, n, ps->err);
        if (status != TSR_OK) {
            const tsr_status told = status == TSR_ARGUMENT ? TSR_SYNTAX : status;
            if (ps->err) {
                ps->err->status = told;
                ps->err->col = column(ps, p);
            }
            return told;
        }
        ps->cursor->p = p + n;
        if (!peek(ps, ','))
            return take(ps, close, close_text);
        ps->cursor->p = skip_blanks(ps->cursor->p) + 1;
    }
}

static tsr_status parse_variables(parser *ps)
{
    if (!peek(ps, '('))
        return expected(ps, skip_blanks(ps->cursor->p), "'(' and the dims of a map");
    ps->cursor->p = skip_blanks(ps->cursor->p);
    TSR_TRY(parse_names(ps, TSR_VAR_DIM, ')', "',' or ')' after a dim"));
    if (peek(ps, '[')) {
        ps->cursor->p = skip_blanks(ps->cursor->p);
        TSR_TRY(parse_names(ps, TSR_VAR_RANGE, ']', "',' or ']' after a range symbol"));
    }
    if (peek(ps, '{')) {
        ps->cursor->p = skip_blanks(ps->cursor->p);
        TSR_TRY(parse_names(ps, TSR_VAR_RUNTIME, '}', "',' or '}' after a runtime symbol"));
    }
    return TSR_OK;
}

static tsr_status parse_results(const tsr_linear **results, int *nresults, parser *ps)
{
    TSR_TRY(take(ps, '-', "'->'"));
    if (*ps->cursor->p != '>')
        return expected(ps, ps->cursor->p - 1, "'->'");
    ps->cursor->p++;
    TSR_TRY(take(ps, '(', "'(' and the results of a map"));
    *nresults = 0;
    if (peek(ps, ')'))
        return take(ps, ')', "')'");
    for (;;) {
        const char *p = skip_blanks(ps->cursor->p);
        if (*nresults == TSR_MAP_MAX_RESULTS)
            return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps, p), "a map has at most %d results",
                               TSR_MAP_MAX_RESULTS);
        TSR_TRY(parse_sum(&results[(*nresults)++], ps));
        if (!peek(ps, ','))
            return take(ps, ')', "',', ')' or an operator");
        TSR_TRY(take(ps, ',', "','"));
    }
}

static tsr_status parse_bound(int64_t *out, parser *ps)
{
    const char *p = skip_blanks(ps->cursor->p), *end = p + (*p == '-');
    if (!is_digit(*end))
        return expected(ps, p, "an integer");
    while (is_digit(*end))
        end++;
    if (!tsr_parse_i64(out, p, end))
        return tsr_fail_at(ps->err, TSR_LIMIT, NULL, 0, column(ps, p), "a bound does not fit into 64 bits");
    ps->cursor->p = end;
    return TSR_OK;
}

static tsr_status parse_constraint(parser *ps)
{
    const tsr_linear *x;
    tsr_interval in;
    TSR_TRY(parse_sum(&x, ps));
    const char *p = skip_blanks(ps->cursor->p);
    if (!tsr_name_is("in", p, name_length(p)))
        return expected(ps, p, "'in' or an operator");
    ps->cursor->p = p + 2;
    TSR_TRY(take(ps, '[', "'['"));
    TSR_TRY(parse_bound(&in.lo, ps));
    TSR_TRY(take(ps, ',', "','"));
    TSR_TRY(parse_bound(&in.hi, ps));
    TSR_TRY(take(ps, ']', "']'"));
    return tsr_map_add_constraint(ps->map, x, in, ps->err);
}

static tsr_status parse_domain(parser *ps)
{
    if (peek(ps, ','))
        TSR_TRY(take(ps, ',', "','"));
    const char *p = skip_blanks(ps->cursor->p);
    if (*p == '\0') {
        ps->cursor->p = p;
        return TSR_OK;
    }
    const size_t n = name_length(p);
    if (!tsr_name_is("domain", p, n))
        return expected(ps, p, "'domain' or the end");
    ps->cursor->p = p + n;
    TSR_TRY(take(ps, ':', "':' after 'domain'"));
    while (!peek(ps, '\0')) {
        TSR_TRY(parse_constraint(ps));
        if (peek(ps, ','))
            TSR_TRY(take(ps, ',', "','"));
    }
    return TSR_OK;
}

/* Whether the whole text is `KNOWN EMPTY`. */
static bool says_empty(const char *text)
{
    const char *p = skip_blanks(text), *q = skip_blanks(p + name_length(p));
    return tsr_name_is("KNOWN", p, name_length(p)) && tsr_name_is("EMPTY", q, name_length(q)) &&
           *skip_blanks(q + name_length(q)) == '\0';
}

/* Take `affine_map<`, which MLIR writes around a map. */
static bool take_affine_map(tsr_cursor *cursor)
{
    const char *const p = skip_blanks(cursor->p), *const q = skip_blanks(p + name_length(p));
    const bool is_mlir = tsr_name_is("affine_map", p, name_length(p)) && *q == '<';
    if (is_mlir)
        cursor->p = q + 1;
    return is_mlir;
}

tsr_status tsr_map_parse(tsr_map **out, const char *text, tsr_error *err)
{
    *out = NULL;
    tsr_cursor cursor = {.start = text, .p = text};
    parser ps = {.cursor = &cursor, .err = err};
    const tsr_linear *results[TSR_MAP_MAX_RESULTS];
    int nresults = 0;
    TSR_TRY(tsr_map_new(&ps.map, err));
    if (says_empty(text)) {
        ps.map->empty = true;
        return tsr_map_finish(out, ps.map, 0, NULL, err);
    }
    tsr_status status;
    const bool is_mlir = take_affine_map(&cursor);
    TSR_TRY_OUT(parse_variables(&ps));
    TSR_TRY_OUT(parse_results(results, &nresults, &ps));
    if (is_mlir)
        TSR_TRY_OUT(take(&ps, '>', "'>'"));
    TSR_TRY_OUT(parse_domain(&ps));
    return tsr_map_finish(out, ps.map, nresults, results, err);
out:
    tsr_map_free(ps.map);
    return status;
}
