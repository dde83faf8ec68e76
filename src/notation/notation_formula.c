/* Operands by formula. A choice whose conditions tell only the difference of two indices, and which is 0 somewhere, is a sum of bands:
 *
 *     i == j ? 4 : abs(i - j) == 1 ? -1 : 0     becomes     eye(i,j,-1)*(-1) + 4*eye(i,j) + eye(i,j,1)*(-1)
 *
 * so loops run through the entries alone. A definition, `A(i,j) : i == j ? 4 : 1`, is a formula with a name; its right side
 * replaces each access. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "notation_internal.h"
#include "tsr_bits.h"

enum { MAX_EDGES = 64, MAX_BANDS = 32, MAX_COPIED = 1 << 16 };
static const int64_t BEYOND = (INT64_C(1) << 53) - 1; /* the greatest offset that is read */

/* The differences d = at v - at u at which a condition or the branch may change: each is the least of an interval. */
typedef struct edges {
    int u, v;
    int n;
    int64_t at[MAX_EDGES]; /* ascending once they are sorted */
} edges;

/* by[0]*u + by[1]*v + plus */
typedef struct affine {
    double by[2], plus;
} affine;

static bool take_affine(affine *out, const edges *x, const tsr_expr *e)
{
    affine a = {{0, 0}, 0}, b = {{0, 0}, 0};
    *out = a;
    if (e->kind == TSR_EXPR_NUMBER) {
        out->plus = e->number;
        return true;
    }
    if (e->kind == TSR_EXPR_VAR) {
        out->by[e->index[0] == x->v] = 1;
        return true;
    }
    if (e->kind != TSR_EXPR_NEG && e->kind != TSR_EXPR_ADD && e->kind != TSR_EXPR_SUB &&
        e->kind != TSR_EXPR_MUL)
        return false;
    if (!take_affine(&a, x, e->a) || (e->b && !take_affine(&b, x, e->b)))
        return false;
    const bool constant[] = {a.by[0] == 0 && a.by[1] == 0, b.by[0] == 0 && b.by[1] == 0};
    if (e->kind == TSR_EXPR_MUL && !constant[0] && !constant[1])
        return false;
    if (e->kind == TSR_EXPR_MUL) {
        const affine *const of = constant[0] ? &b : &a;
        const double by = constant[0] ? a.plus : b.plus;
        *out = (affine){{by * of->by[0], by * of->by[1]}, by * of->plus};
        return true;
    }
    const double first = e->kind == TSR_EXPR_NEG ? -1 : 1, second = e->kind == TSR_EXPR_SUB ? -1 : 1;
    for (int k = 0; k < 2; k++)
        out->by[k] = first * a.by[k] + second * b.by[k];
    out->plus = first * a.plus + second * b.plus;
    return true;
}

/* Add what is the least integer at least d, and the least above d. */
static bool add_edge(edges *x, double d)
{
    if (!(fabs(d) < 1e15) || x->n + 2 > MAX_EDGES)
        return false;
    x->at[x->n++] = (int64_t)ceil(d);
    x->at[x->n++] = (int64_t)floor(d) + 1;
    return true;
}

/* Add the d at which a - b changes its sign. */
static bool add_comparison(edges *x, const tsr_expr *a, const tsr_expr *b)
{
    affine p, q;
    const tsr_expr *const side[] = {a, b};
    for (int k = 0; k < 2; k++) {
        const tsr_expr *const e = side[k], *const other = side[1 - k];
        if (e->kind != TSR_EXPR_CALL)
            continue;
        if (e->function->exact != TSR_EXACT_ABS || !take_affine(&p, x, e->a) || !take_affine(&q, x, other))
            return false;
        return p.by[0] == -p.by[1] && p.by[1] != 0 && q.by[0] == 0 && q.by[1] == 0 &&
               add_edge(x, (q.plus - p.plus) / p.by[1]) && add_edge(x, (-q.plus - p.plus) / p.by[1]);
    }
    if (!take_affine(&p, x, a) || !take_affine(&q, x, b))
        return false;
    const double by = p.by[1] - q.by[1];
    return p.by[0] - q.by[0] == -by && by != 0 && add_edge(x, (q.plus - p.plus) / by);
}

/* Add the edges of a condition. False: it tells more than the difference of u and v. */
static bool add_condition(edges *x, const tsr_expr *e)
{
    const tsr_exact how = e->kind == TSR_EXPR_CALL ? e->function->exact : TSR_EXACT_NONE;
    if (how >= TSR_EXACT_LT && how <= TSR_EXACT_GT)
        return add_comparison(x, e->a, e->b);
    return how >= TSR_EXACT_AND && how <= TSR_EXACT_NOT && add_condition(x, e->a) &&
           (!e->b || add_condition(x, e->b));
}

static double value_at(const edges *x, int64_t d, const tsr_expr *e)
{
    const double a = e->a ? value_at(x, d, e->a) : 0, b = e->b ? value_at(x, d, e->b) : 0;
    if (e->kind == TSR_EXPR_VAR)
        return e->index[0] == x->v ? (double)d : 0;
    return e->kind == TSR_EXPR_NUMBER ? e->number
           : e->kind == TSR_EXPR_NEG  ? -a
           : e->kind == TSR_EXPR_ADD  ? a + b
           : e->kind == TSR_EXPR_SUB  ? a - b
           : e->kind == TSR_EXPR_MUL  ? a * b
                                      : e->function->value(a, b);
}

/* Whether the condition tells the difference of two indices alone, which become u and v. */
static bool take_indices(edges *x, const tsr_expr *cond)
{
    if (cond->tensors || cond->vars == 0 || (cond->vars & (cond->vars - 1)) == 0)
        return false;
    const int u = tsr_lowest_bit(cond->vars), v = tsr_lowest_bit(cond->vars & (cond->vars - 1));
    *x = (edges){.u = u, .v = v};
    return cond->vars == (UINT32_C(1) << u | UINT32_C(1) << v) && add_condition(x, cond);
}

/* Whether e is a choice by the difference of u and v. */
static bool is_choice(const edges *x, const tsr_expr **cond, const tsr_expr **first, const tsr_expr **second,
                      const tsr_expr *e)
{
    edges own;
    return notation_take_choice(cond, first, second, e) && take_indices(&own, *cond) && own.u == x->u &&
           own.v == x->v;
}

/* Add the edges of the choices in e. False: there are too many. */
static bool add_choices(edges *x, const tsr_expr *e)
{
    const tsr_expr *cond, *first, *second;
    return !e || !is_choice(x, &cond, &first, &second, e) ||
           (add_condition(x, cond) && add_choices(x, first) && add_choices(x, second));
}

/* The value of e at the difference d; NULL: it is absent. */
static const tsr_expr *leaf_at(const edges *x, int64_t d, const tsr_expr *e)
{
    const tsr_expr *cond, *first, *second;
    while (e && is_choice(x, &cond, &first, &second, e))
        e = value_at(x, d, cond) != 0 ? first : second;
    return e && e->kind == TSR_EXPR_NUMBER && e->number == 0 ? NULL : e;
}

static void sort_edges(edges *x)
{
    int n = 0;
    for (int k = 1; k < x->n; k++) {
        const int64_t at = x->at[k];
        int to = k;
        for (; to > 0 && x->at[to - 1] > at; to--)
            x->at[to] = x->at[to - 1];
        x->at[to] = at;
    }
    for (int k = 0; k < x->n; k++)
        if (k == 0 || x->at[k] != x->at[k - 1])
            x->at[n++] = x->at[k];
    x->n = n;
}

/* An interval of differences, and the value there. */
typedef struct piece {
    int64_t low, high;
    const tsr_expr *leaf;
} piece;

/* Add the product of the band and the value to the sum *out, which is NULL at first. */
static tsr_status add_piece(const tsr_expr **out, const notation_parser *parser, const edges *x,
                            const piece *p)
{
    const tsr_expr *product;
    TSR_TRY(notation_new_band(&product, parser, x->u, x->v, p->low, p->high));
    if (p->leaf->kind != TSR_EXPR_NUMBER || p->leaf->number != 1)
        TSR_TRY(notation_new_operator(&product, parser, TSR_EXPR_MUL, p->leaf->col, p->leaf, product));
    if (!*out) {
        *out = product;
        return TSR_OK;
    }
    return notation_new_operator(out, parser, TSR_EXPR_ADD, p->leaf->col, *out, product);
}

/* The pieces of e; their number, or -1 if there are too many. */
static int find_pieces(piece *to, bool *has_zeros, const edges *x, const tsr_expr *e)
{
    int n = 0;
    *has_zeros = false;
    for (int k = 0; k <= x->n; k++) {
        const int64_t low = k == 0 ? -TSR_NOTATION_NO_END : x->at[k - 1];
        const int64_t high = k == x->n ? TSR_NOTATION_NO_END : x->at[k] - 1;
        const tsr_expr *const leaf = leaf_at(x, k == 0 ? high : low, e);
        *has_zeros = *has_zeros || !leaf;
        if (leaf && n > 0 && to[n - 1].leaf == leaf && to[n - 1].high == low - 1) {
            to[n - 1].high = high;
            continue;
        }
        if (leaf && n == MAX_BANDS)
            return -1;
        if (leaf)
            to[n++] = (piece){low, high, leaf};
    }
    return n;
}

/* `c and d ? a : 0` as `c ? (d ? a : 0) : 0`, where c tells the difference of two indices and d something else. */
static tsr_status split_condition(const tsr_expr **e, const notation_parser *parser)
{
    edges x;
    const tsr_expr *cond, *first, *second, *inner;
    if (!notation_take_choice(&cond, &first, &second, *e) || second || cond->kind != TSR_EXPR_CALL ||
        cond->function->exact != TSR_EXACT_AND || take_indices(&x, cond))
        return TSR_OK;
    const tsr_function *const when = (*e)->function;
    const bool behind = take_indices(&x, cond->b);
    if (!behind && !take_indices(&x, cond->a))
        return TSR_OK;
    const tsr_expr *const of_bands = behind ? cond->b : cond->a, *const rest = behind ? cond->a : cond->b;
    TSR_TRY(notation_new_call(&inner, parser, when, (*e)->col, (const tsr_expr *const[]){rest, first}));
    return notation_new_call(e, parser, when, (*e)->col, (const tsr_expr *const[]){of_bands, inner});
}

tsr_status notation_spread(const tsr_expr **out, notation_parser *parser)
{
    edges x;
    piece pieces[MAX_BANDS];
    bool has_zeros;
    const tsr_expr *cond, *first, *second, *sum = NULL, *whole = *out;
    TSR_TRY(split_condition(&whole, parser));
    if (!notation_take_choice(&cond, &first, &second, whole) || !take_indices(&x, cond))
        return TSR_OK;
    x.n = 0;
    if (!add_choices(&x, whole))
        return TSR_OK;
    sort_edges(&x);
    const int n = find_pieces(pieces, &has_zeros, &x, whole);
    if (n < 0 || !has_zeros)
        return TSR_OK;
    if (n == 0) /* 2*i - 2*j == 5 ? 1 : 0 has no entry: a diagonal beyond all tensors */
        TSR_TRY(notation_new_band(&sum, parser, x.u, x.v, BEYOND, BEYOND));
    for (int k = 0; k < n; k++)
        TSR_TRY(add_piece(&sum, parser, &x, &pieces[k]));
    *out = sum;
    parser->rewrites = parser->spreads = true;
    return TSR_OK;
}

/* ---- definitions ---- */

bool notation_begins_definition(const char *statement)
{
    return statement[strcspn(statement, ":=;")] == ':';
}

tsr_status notation_check_definition(const notation_parser *parser)
{
    const tsr_notation *const own = parser->notation;
    const tsr_expr *const left = own->result;
    const char *const name = own->tensor[0].name;
    if (own->ntensors > 1)
        return tsr_fail_at(
            parser->err, TSR_ARGUMENT, NULL, 0, own->tensor[1].col,
            "the formula of %.40s reads the tensor %.40s: a formula has numbers, the indices of "
            "the left, and functions of them",
            name, own->tensor[1].name);
    if (tsr_expr_has_window(left, false) || left->nindices > own->nfree)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, left->col,
                           "a formula is for all values of its indices: name each once, without a window");
    if (own->nvars > own->nfree)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, own->var_col[own->nfree],
                           "the formula of %.40s has the index %.40s, which its left side lacks", name,
                           own->var[own->nfree]);
    return TSR_OK;
}

/* *out: e, a part of a definition, with var[v] in place of its variable v. */
static tsr_status copy_expr(const tsr_expr **out, notation_parser *parser, const tsr_expr *e, const int *var)
{
    const tsr_expr *arg[2] = {NULL, NULL};
    *out = e;
    if (++parser->ncopied > MAX_COPIED)
        return tsr_fail(parser->err, TSR_LIMIT, "formulas give more than %d operators and operands",
                        MAX_COPIED);
    if (e->kind == TSR_EXPR_NUMBER)
        return TSR_OK;
    if (e->kind == TSR_EXPR_VAR)
        return notation_new_var(out, parser, var[e->index[0]]);
    if (e->kind == TSR_EXPR_BAND) {
        const int u = var[e->index[0]], v = var[e->index[1]];
        return u != v ? notation_new_band(out, parser, u, v, e->low, e->high)
                      : notation_new_number(out, parser, e->low <= 0 && e->high >= 0 ? 1 : 0);
    }
    TSR_TRY(copy_expr(&arg[0], parser, e->a, var));
    if (e->b)
        TSR_TRY(copy_expr(&arg[1], parser, e->b, var));
    return e->kind == TSR_EXPR_CALL ? notation_new_call(out, parser, e->function, e->col, arg)
                                    : notation_new_operator(out, parser, e->kind, e->col, arg[0], arg[1]);
}

const tsr_notation *notation_find_definition(const notation_parser *parser)
{
    const notation_token *const token = &parser->token;
    for (int k = 0; k < parser->ndefinitions; k++)
        if (notation_is_word(token, parser->definition[k]->tensor[0].name))
            return parser->definition[k];
    return NULL;
}

tsr_status notation_parse_defined(const tsr_expr **out, const tsr_notation *definition,
                                  notation_parser *parser)
{
    const char *const name = definition->tensor[0].name;
    const uint32_t col = notation_col(parser, parser->token.s);
    const int order = definition->result->nindices;
    int var[TSR_NOTATION_MAX_ORDER];
    TSR_TRY(notation_next(parser));
    for (int m = 0; m <= order && order > 0; m++) {
        if (parser->token.kind != (m == 0 ? '(' : m < order ? ',' : ')'))
            return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                               "the formula %.40s has %d ind%s, each without a window", name, order,
                               order == 1 ? "ex" : "ices");
        TSR_TRY(notation_next(parser));
        if (m == order)
            break;
        if (parser->token.kind != TOKEN_NAME)
            return notation_unexpected(parser, "an index variable");
        TSR_TRY(notation_use_var(&var[m], parser));
        TSR_TRY(notation_next(parser));
    }
    parser->rewrites = true;
    parser->spreads = parser->spreads || definition->spreads;
    return copy_expr(out, parser, definition->rhs, var);
}
