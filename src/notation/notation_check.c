/* Checks names and sizes: every name has one use and one order, every variable has one size. */
#include "notation_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- names ---- */

static bool is_name(const char *name, const char *s, size_t n)
{
    return strncmp(name, s, n) == 0 && name[n] == '\0';
}

static int find_tensor(const tsr_notation *notation, const char *s, size_t n)
{
    for (int t = 0; t < notation->ntensors; t++)
        if (is_name(notation->tensor[t].name, s, n))
            return t;
    return -1;
}

static int find_var(const tsr_notation *notation, const char *s, size_t n)
{
    for (int v = 0; v < notation->nvars; v++)
        if (is_name(notation->var[v], s, n))
            return v;
    return -1;
}

int tsr_notation_find_tensor(const tsr_notation *notation, const char *name)
{
    return find_tensor(notation, name, strlen(name));
}

int tsr_notation_find_var(const tsr_notation *notation, const char *name)
{
    return find_var(notation, name, strlen(name));
}

double tsr_expr_constant(const tsr_expr *e)
{
    const double a = e->a ? tsr_expr_constant(e->a) : 0, b = e->b ? tsr_expr_constant(e->b) : 0;
    switch (e->kind) {
    case TSR_EXPR_NUMBER:
        return e->number;
    case TSR_EXPR_NEG:
        return -a;
    case TSR_EXPR_ADD:
        return a + b;
    case TSR_EXPR_SUB:
        return a - b;
    case TSR_EXPR_MUL:
        return a * b;
    case TSR_EXPR_DIV:
        return a / b;
    default:
        return e->function->value(a, b);
    }
}

/* The first access of tensor t in an expression, or NULL. */
static const tsr_expr *find_access(const tsr_expr *e, int t)
{
    if (!e || (e->kind == TSR_EXPR_ACCESS && e->tensor == t))
        return e;
    const tsr_expr *const found = find_access(e->a, t);
    return found ? found : find_access(e->b, t);
}

const tsr_expr *tsr_notation_access(const tsr_notation *notation, int t)
{
    const tsr_expr *const found = t == 0 ? notation->result : find_access(notation->rhs, t);
    return found ? found : find_access(tsr_notation_condition(notation), t);
}

/* The variables of all places where the tensor stands in e. */
static uint32_t vars_of(const tsr_expr *e, int t)
{
    if (!e)
        return 0;
    const uint32_t own = e->kind == TSR_EXPR_ACCESS && e->tensor == t ? e->vars : 0;
    return own | vars_of(e->a, t) | vars_of(e->b, t);
}

uint32_t tsr_notation_tensor_vars(const tsr_notation *notation, int t)
{
    return t == 0 ? vars_of(notation->result, t)
                  : vars_of(notation->rhs, t) | vars_of(tsr_notation_condition(notation), t);
}

int tsr_notation_largest(const tsr_notation *notation)
{
    int most = notation->ntensors > 1 ? 1 : -1;
    for (int t = 2; t < notation->ntensors; t++)
        if (notation->tensor[t].order > notation->tensor[most].order)
            most = t;
    return most;
}

int tsr_expr_mode(const tsr_expr *access, int var)
{
    for (int m = 0; m < access->nindices; m++)
        if (access->index[m] == var)
            return m;
    return -1;
}

/* Copy the name of the current token into the memory of the notation. */
static tsr_status keep_name(const char **name, const notation_parser *parser)
{
    *name = tsr_arena_strndup(parser->notation->arena, parser->token.s, parser->token.n);
    return *name ? TSR_OK : tsr_fail(parser->err, TSR_NOMEM, "out of memory for the names of an expression");
}

tsr_status notation_use_tensor(int *tensor, notation_parser *parser)
{
    tsr_notation *notation = parser->notation;
    const notation_token *token = &parser->token;
    const uint32_t col = notation_col(parser, token->s);
    const int shown = notation_quoted(token->n);
    const int var = find_var(notation, token->s, token->n);
    if (var >= 0)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "'%.*s' is an index variable (column %" PRIu32 ") and cannot also be a tensor",
                           shown, token->s, notation->var_col[var]);
    *tensor = find_tensor(notation, token->s, token->n);
    if (*tensor == 0)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "the result '%.*s' cannot also be on the right side ('+=' adds to it)", shown,
                           token->s);
    if (*tensor > 0)
        return TSR_OK;
    if (notation->ntensors == TSR_NOTATION_MAX_TENSORS)
        return tsr_fail_at(parser->err, TSR_LIMIT, NULL, 0, col,
                           "too many tensors: '%.*s' is more than the limit of %d", shown, token->s,
                           TSR_NOTATION_MAX_TENSORS);
    *tensor = notation->ntensors;
    tsr_notation_tensor *added = &notation->tensor[*tensor];
    *added = (tsr_notation_tensor){.order = -1, .col = col};
    TSR_TRY(keep_name(&added->name, parser));
    notation->ntensors++;
    return TSR_OK;
}

tsr_status notation_use_var(int *var, notation_parser *parser)
{
    tsr_notation *notation = parser->notation;
    const notation_token *token = &parser->token;
    const uint32_t col = notation_col(parser, token->s);
    const int shown = notation_quoted(token->n);
    const int tensor = find_tensor(notation, token->s, token->n);
    if (tensor >= 0)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "'%.*s' is a tensor (column %" PRIu32 ") and cannot also be an index variable",
                           shown, token->s, notation->tensor[tensor].col);
    *var = find_var(notation, token->s, token->n);
    if (*var >= 0)
        return TSR_OK;
    if (notation->nvars == TSR_NOTATION_MAX_VARS)
        return tsr_fail_at(parser->err, TSR_LIMIT, NULL, 0, col,
                           "too many index variables: '%.*s' is more than the limit of %d", shown, token->s,
                           TSR_NOTATION_MAX_VARS);
    *var = notation->nvars;
    TSR_TRY(keep_name(&notation->var[*var], parser));
    notation->var_col[*var] = col;
    notation->nvars++;
    return TSR_OK;
}

/* An order in an error message: "0 indices", "1 index", "3 indices". */
#define INDICES(order) (order), (order) == 1 ? "index" : "indices"

tsr_status notation_use_order(notation_parser *parser, int tensor, int order, uint32_t col)
{
    tsr_notation_tensor *t = &parser->notation->tensor[tensor];
    if (t->order < 0)
        t->order = order;
    if (t->order != order)
        return tsr_fail_at(parser->err, TSR_ARGUMENT, NULL, 0, col,
                           "'%.*s' has %d %s here, but %d at column %" PRIu32,
                           notation_quoted(strlen(t->name)), t->name, INDICES(order), t->order, t->col);
    return TSR_OK;
}

/* ---- sizes ---- */

/* Where the size of each variable came from. */
typedef struct size_walk {
    const tsr_notation *notation;
    const uint64_t *const *dims;
    uint64_t *size;
    uint32_t known;                    /* the set of variables with a known size */
    int tensor[TSR_NOTATION_MAX_VARS]; /* the tensor whose dim it is; -1: given */
    int mode[TSR_NOTATION_MAX_VARS];
    tsr_error *err;
} size_walk;

/* The number of coordinates of the mode that the access reads. */
static uint64_t length_of(const tsr_expr *access, int mode, const uint64_t *dims)
{
    const tsr_mode_window *const w = tsr_expr_window(access, mode);
    return w ? w->n : dims[mode];
}

static tsr_status check_window(const size_walk *walk, const tsr_expr *access, int mode)
{
    const tsr_mode_window *const window = tsr_expr_window(access, mode);
    const uint64_t *dims = walk->dims[access->tensor];
    if (!window || !dims || window->behind <= dims[mode])
        return TSR_OK;
    return tsr_fail_at(walk->err, TSR_ARGUMENT, NULL, 0, access->col,
                       "the window of %.40s reads coordinate %" PRIu64 ", but mode %d of %.40s has %" PRIu64
                       " (coordinates count from 0)",
                       walk->notation->var[access->index[mode]], window->behind - 1, mode,
                       walk->notation->tensor[access->tensor].name, dims[mode]);
}

static tsr_status sizes_disagree(const size_walk *walk, const tsr_expr *access, int mode)
{
    const tsr_notation *notation = walk->notation;
    const int v = access->index[mode];
    const char *var = notation->var[v], *here = notation->tensor[access->tensor].name;
    const uint64_t dim = length_of(access, mode, walk->dims[access->tensor]);
    if (walk->tensor[v] < 0)
        return tsr_fail_at(walk->err, TSR_ARGUMENT, NULL, 0, access->col,
                           "%.40s is given as %" PRIu64 " but is %" PRIu64 " in %.40s", var, walk->size[v],
                           dim, here);
    if (walk->tensor[v] == access->tensor)
        return tsr_fail_at(walk->err, TSR_ARGUMENT, NULL, 0, access->col,
                           "%.40s is %" PRIu64 " in mode %d of %.40s but %" PRIu64 " in mode %d", var,
                           walk->size[v], walk->mode[v], here, dim, mode);
    return tsr_fail_at(walk->err, TSR_ARGUMENT, NULL, 0, access->col,
                       "%.40s is %" PRIu64 " in %.40s but %" PRIu64 " in %.40s", var, walk->size[v],
                       notation->tensor[walk->tensor[v]].name, dim, here);
}

static tsr_status walk_access(size_walk *walk, const tsr_expr *access)
{
    const uint64_t *dims = walk->dims[access->tensor];
    for (int m = 0; m < access->nindices; m++) {
        const int v = access->index[m];
        TSR_TRY(check_window(walk, access, m));
        if (!dims && !tsr_expr_window(access, m))
            continue;
        const uint64_t length = length_of(access, m, dims);
        if (!(walk->known >> v & 1)) {
            walk->known |= UINT32_C(1) << v;
            walk->size[v] = length;
            walk->tensor[v] = access->tensor;
            walk->mode[v] = m;
        } else if (walk->size[v] != length)
            return sizes_disagree(walk, access, m);
    }
    return TSR_OK;
}

static tsr_status walk_expr(size_walk *walk, const tsr_expr *expr)
{
    if (!expr)
        return TSR_OK;
    if (expr->kind == TSR_EXPR_ACCESS)
        return walk_access(walk, expr);
    TSR_TRY(walk_expr(walk, expr->a));
    return walk_expr(walk, expr->b);
}

/* Give an index of a band in e, whose size is unknown, the size of the other index. Returns whether it did so. */
static bool take_other_size(size_walk *walk, const tsr_expr *e)
{
    if (!e || !e->has_band)
        return false;
    if (e->kind != TSR_EXPR_BAND)
        return take_other_size(walk, e->a) || take_other_size(walk, e->b);
    const uint32_t unknown = e->vars & ~walk->known;
    if (unknown == 0 || unknown == e->vars)
        return false;
    const int k = unknown >> e->index[0] & 1 ? 0 : 1;
    walk->size[e->index[k]] = walk->size[e->index[1 - k]];
    walk->known |= e->vars;
    return true;
}

static tsr_status find_sizes(uint64_t *size, const tsr_notation *notation, const uint64_t *const *dims,
                             const uint64_t *given, tsr_error *err)
{
    size_walk walk = {.notation = notation, .dims = dims, .size = size, .err = err};
    for (int v = 0; v < notation->nvars; v++) {
        size[v] = given ? given[v] : TSR_NOTATION_UNKNOWN;
        walk.known |= (uint32_t)(size[v] != TSR_NOTATION_UNKNOWN) << v;
        walk.tensor[v] = -1;
    }
    TSR_TRY(walk_access(&walk, notation->result));
    TSR_TRY(walk_expr(&walk, notation->rhs));
    TSR_TRY(walk_expr(&walk, tsr_notation_condition(notation)));
    while (take_other_size(&walk, notation->rhs)) {
    }
    for (int v = 0; v < notation->nvars; v++)
        if (!(walk.known >> v & 1))
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, notation->var_col[v],
                               "the size of %.40s is unknown: no tensor with known dims has it as an index",
                               notation->var[v]);
    return TSR_OK;
}

tsr_status tsr_notation_sizes(uint64_t *size, const tsr_notation *notation, const uint64_t *const *dims,
                              const uint64_t *given, tsr_error *err)
{
    const tsr_status status = find_sizes(size, notation, dims, given, err);
    if (status != TSR_OK && (notation->nstatements > 0 || notation->is_rewritten) && err)
        err->col = 0; /* it would be in a text that the caller has not written */
    return status;
}
