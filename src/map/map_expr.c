/* Expressions: interned linear forms over atoms (see map_internal.h for the invariant). */
#include "map_internal.h"

#include <string.h>

#include "tsr_alloc.h"
#include "tsr_checked.h"

static const char *const NO_MEMORY = "out of memory for the expressions of a map";
static const char *const OVERFLOW = "a constant of the map does not fit into 64 bits";

/* ---- the pool ---- */

void tsr_pool_clear(tsr_pool *pool)
{
    tsr_arena_clear(&pool->arena);
    tsr_free(pool->linears.buckets);
    tsr_free(pool->atoms.buckets);
    *pool = (tsr_pool){0};
}

static void *fault(tsr_pool *pool, tsr_status status, const char *why)
{
    if (pool->fault == TSR_OK || status == TSR_NOMEM) {
        pool->fault = status;
        pool->why = why;
    }
    return NULL;
}

tsr_status tsr_pool_status(const tsr_pool *pool, tsr_error *err)
{
    return pool->fault == TSR_OK ? TSR_OK : tsr_fail(err, pool->fault, "%s", pool->why);
}

void tsr_pool_forgive(tsr_pool *pool)
{
    if (pool->fault != TSR_NOMEM)
        pool->fault = TSR_OK;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

/* The first object in the bucket of `hash`. */
static const tsr_node *bucket(const tsr_intern_table *table, uint64_t hash)
{
    return table->nbuckets ? table->buckets[hash & (table->nbuckets - 1)] : NULL;
}

/* Make room for one more object; false: out of memory. */
static bool grow(tsr_intern_table *table)
{
    if ((size_t)table->n < table->nbuckets)
        return true;
    const size_t n = table->nbuckets ? table->nbuckets * 2 : 32;
    tsr_node **buckets = tsr_calloc(n, sizeof *buckets);
    if (!buckets)
        return false;
    for (size_t b = 0; b < table->nbuckets; b++)
        for (tsr_node *node = table->buckets[b], *next; node; node = next) {
            next = node->next;
            node->next = buckets[node->hash & (n - 1)];
            buckets[node->hash & (n - 1)] = node;
        }
    tsr_free(table->buckets);
    table->buckets = buckets;
    table->nbuckets = n;
    return true;
}

/* Add a new object of nbytes, which begins with its node, to the table; NULL: out of memory. */
static void *new_object(tsr_pool *pool, tsr_intern_table *table, uint64_t hash, size_t nbytes)
{
    tsr_node *node = grow(table) ? tsr_arena_alloc(&pool->arena, nbytes) : NULL;
    if (!node)
        return fault(pool, TSR_NOMEM, NO_MEMORY);
    tsr_node **first = &table->buckets[hash & (table->nbuckets - 1)];
    *node = (tsr_node){.next = *first, .hash = hash, .id = table->n++};
    *first = node;
    return node;
}

static uint64_t hash_atom(const tsr_atom *key)
{
    uint64_t hash = mix(mix((uint64_t)key->kind, (uint64_t)key->var), (uint64_t)key->c);
    hash = key->counts ? mix(hash, key->counts) : hash;
    hash = key->x ? mix(hash, (uint64_t)key->x->node.id) : hash;
    return key->y ? mix(hash, (uint64_t)key->y->node.id) : hash;
}

static const tsr_atom *find_atom(const tsr_pool *pool, const tsr_atom *key)
{
    for (const tsr_node *node = bucket(&pool->atoms, hash_atom(key)); node; node = node->next) {
        const tsr_atom *a = (const tsr_atom *)node;
        if (a->kind == key->kind && a->var == key->var && a->c == key->c && a->counts == key->counts &&
            a->x == key->x && a->y == key->y)
            return a;
    }
    return NULL;
}

const tsr_atom *tsr_pool_find_floordiv(const tsr_pool *pool, const tsr_linear *x, int64_t c)
{
    return find_atom(pool, &(tsr_atom){.kind = TSR_ATOM_FLOORDIV, .x = x, .c = c});
}

/* The object equal to *key, added if it is new. The node of *key is not read. */
static const tsr_atom *intern_atom(tsr_pool *pool, const tsr_atom *key)
{
    const tsr_atom *found = find_atom(pool, key);
    if (found)
        return found;
    tsr_atom *atom = new_object(pool, &pool->atoms, hash_atom(key), sizeof *atom);
    if (atom) {
        const tsr_node node = atom->node;
        *atom = *key;
        atom->node = node;
    }
    return atom;
}

static bool same_terms(const tsr_map_term *a, const tsr_map_term *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].k != b[i].k || a[i].atom != b[i].atom)
            return false;
    return true;
}

static const tsr_linear *intern_linear(tsr_pool *pool, int64_t c, const tsr_map_term *t, int n)
{
    uint64_t hash = mix(1, (uint64_t)c);
    int depth = 0, nnodes = 1;
    for (int i = 0; i < n; i++) {
        const tsr_linear *x = t[i].atom->x, *y = t[i].atom->y;
        hash = mix(mix(hash, (uint64_t)t[i].k), (uint64_t)t[i].atom->node.id);
        nnodes += 1 + (x ? x->nnodes : 0) + (y ? y->nnodes : 0);
        if (x && x->depth >= depth)
            depth = x->depth + 1;
        if (y && y->depth >= depth)
            depth = y->depth + 1;
        if (nnodes > TSR_EXPR_MAX_NODES)
            return fault(pool, TSR_LIMIT, "an expression of the map has more than 65536 nodes");
    }
    if (depth > TSR_EXPR_MAX_DEPTH)
        return fault(pool, TSR_LIMIT, "an expression of the map has more than 64 nested floordivs and mods");
    for (const tsr_node *node = bucket(&pool->linears, hash); node; node = node->next) {
        const tsr_linear *x = (const tsr_linear *)node;
        if (x->c == c && x->n == n && same_terms(x->t, t, n))
            return x;
    }
    const size_t nbytes = (size_t)n * sizeof *t;
    tsr_linear *x = new_object(pool, &pool->linears, hash, sizeof *x + nbytes);
    if (!x)
        return NULL;
    x->depth = depth;
    x->nnodes = nnodes;
    x->c = c;
    x->n = n;
    if (n > 0)
        memcpy(x->t, t, nbytes);
    return x;
}

/* ---- order ---- */

static int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Compare in structural order, also atoms of different pools: by kind, then by operands. 0: equal. */
static int compare_atoms(const tsr_atom *a, const tsr_atom *b)
{
    if (a == b)
        return 0;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == TSR_ATOM_VAR)
        return compare_i64(a->var, b->var);
    if (a->kind == TSR_ATOM_COUNTER)
        return (a->counts > b->counts) - (a->counts < b->counts);
    int order = tsr_linear_compare(a->x, b->x);
    if (order == 0 && a->y)
        order = tsr_linear_compare(a->y, b->y);
    return order ? order : compare_i64(a->c, b->c);
}

int tsr_linear_compare(const tsr_linear *a, const tsr_linear *b)
{
    if (a == b)
        return 0;
    for (int i = 0; i < a->n && i < b->n; i++) {
        const int order = compare_atoms(a->t[i].atom, b->t[i].atom);
        if (order)
            return order;
        if (a->t[i].k != b->t[i].k)
            return compare_i64(a->t[i].k, b->t[i].k);
    }
    return a->n != b->n ? compare_i64(a->n, b->n) : compare_i64(a->c, b->c);
}

const tsr_atom *tsr_linear_as_atom(const tsr_linear *x)
{
    return x->n == 1 && x->c == 0 && x->t[0].k == 1 ? x->t[0].atom : NULL;
}

bool tsr_linear_uses(const tsr_linear *x, int var)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        if ((a->kind == TSR_ATOM_VAR && a->var == var) || (a->counts >> var & 1) ||
            (a->x && tsr_linear_uses(a->x, var)) || (a->y && tsr_linear_uses(a->y, var)))
            return true;
    }
    return false;
}

bool tsr_linear_has_counter(const tsr_linear *x)
{
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        if (a->kind == TSR_ATOM_COUNTER || (a->x && tsr_linear_has_counter(a->x)) ||
            (a->y && tsr_linear_has_counter(a->y)))
            return true;
    }
    return false;
}

uint64_t tsr_linear_vars(const tsr_linear *x)
{
    uint64_t vars = 0;
    for (int i = 0; i < x->n; i++) {
        const tsr_atom *a = x->t[i].atom;
        vars |= a->counts;
        vars |= a->kind == TSR_ATOM_VAR ? UINT64_C(1) << a->var : 0;
        vars |= a->x ? tsr_linear_vars(a->x) : 0;
        vars |= a->y ? tsr_linear_vars(a->y) : 0;
    }
    return vars;
}

/* ---- sums ---- */

void tsr_sum_init(tsr_sum *sum, tsr_pool *pool)
{
    sum->pool = pool;
    sum->c = 0;
    sum->n = 0;
    sum->capacity = (int)(sizeof sum->few / sizeof sum->few[0]);
    sum->t = sum->few;
    sum->failed = pool->fault != TSR_OK;
}

void tsr_sum_drop(tsr_sum *sum)
{
    if (sum->t != sum->few)
        tsr_free(sum->t);
    sum->t = sum->few;
    sum->failed = true;
}

static void fail_sum(tsr_sum *sum, tsr_status status, const char *why)
{
    fault(sum->pool, status, why);
    sum->failed = true;
}

/* *a += k * b; false if the result leaves [-INT64_MAX, INT64_MAX]. */
static bool multiply_add(int64_t *a, int64_t k, int64_t b)
{
    int64_t v;
    if (!tsr_mul_i64(&v, k, b) || !tsr_add_i64(&v, *a, v) || v == INT64_MIN)
        return false;
    *a = v;
    return true;
}

void tsr_sum_add_const(tsr_sum *sum, int64_t c)
{
    if (!sum->failed && !multiply_add(&sum->c, 1, c))
        fail_sum(sum, TSR_LIMIT, OVERFLOW);
}

/* The index of `atom` among the terms, or the index where it would be inserted. */
static int find_term(const tsr_sum *sum, const tsr_atom *atom, bool *found)
{
    int lo = 0, hi = sum->n;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        const int order = compare_atoms(sum->t[mid].atom, atom);
        if (order == 0) {
            *found = true;
            return mid;
        }
        if (order < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *found = false;
    return lo;
}

static bool grow_sum(tsr_sum *sum)
{
    if (sum->n < sum->capacity)
        return true;
    if (sum->n >= TSR_EXPR_MAX_TERMS) {
        fail_sum(sum, TSR_LIMIT, "a sum of the map has more than 1024 terms");
        return false;
    }
    const size_t nbytes = (size_t)sum->capacity * 2 * sizeof *sum->t;
    tsr_map_term *t = tsr_realloc(sum->t == sum->few ? NULL : sum->t, nbytes);
    if (!t) {
        fail_sum(sum, TSR_NOMEM, NO_MEMORY);
        return false;
    }
    if (sum->t == sum->few)
        memcpy(t, sum->few, sizeof sum->few);
    sum->t = t;
    sum->capacity *= 2;
    return true;
}

void tsr_sum_add_atom(tsr_sum *sum, int64_t k, const tsr_atom *atom)
{
    if (sum->failed || k == 0)
        return;
    bool found;
    const int at = find_term(sum, atom, &found);
    if (found) {
        if (!multiply_add(&sum->t[at].k, 1, k)) {
            fail_sum(sum, TSR_LIMIT, OVERFLOW);
        } else if (sum->t[at].k == 0) {
            sum->n--;
            memmove(sum->t + at, sum->t + at + 1, (size_t)(sum->n - at) * sizeof *sum->t);
        }
        return;
    }
    if (!grow_sum(sum))
        return;
    memmove(sum->t + at + 1, sum->t + at, (size_t)(sum->n - at) * sizeof *sum->t);
    sum->t[at] = (tsr_map_term){.k = k, .atom = atom};
    sum->n++;
}

void tsr_sum_add(tsr_sum *sum, int64_t k, const tsr_linear *x)
{
    if (!x)
        sum->failed = true;
    if (sum->failed || k == 0)
        return;
    if (!multiply_add(&sum->c, k, x->c))
        fail_sum(sum, TSR_LIMIT, OVERFLOW);
    for (int i = 0; i < x->n; i++) {
        int64_t ki = 0;
        if (!multiply_add(&ki, k, x->t[i].k))
            fail_sum(sum, TSR_LIMIT, OVERFLOW);
        tsr_sum_add_atom(sum, ki, x->t[i].atom);
    }
}

const tsr_linear *tsr_sum_take(tsr_sum *sum)
{
    const tsr_linear *x = sum->failed ? NULL : intern_linear(sum->pool, sum->c, sum->t, sum->n);
    tsr_sum_drop(sum);
    return x;
}

/* ---- expressions ---- */

const tsr_linear *tsr_linear_const(tsr_pool *pool, int64_t c)
{
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add_const(&sum, c);
    return tsr_sum_take(&sum);
}

const tsr_linear *tsr_linear_atom(tsr_pool *pool, const tsr_atom *atom)
{
    if (!atom || pool->fault != TSR_OK)
        return NULL;
    const tsr_map_term term = {.k = 1, .atom = atom};
    return intern_linear(pool, 0, &term, 1);
}

const tsr_linear *tsr_linear_var(tsr_pool *pool, int var)
{
    return tsr_linear_atom(pool, intern_atom(pool, &(tsr_atom){.kind = TSR_ATOM_VAR, .var = var}));
}

const tsr_linear *tsr_linear_combine(tsr_pool *pool, int64_t ka, const tsr_linear *a, int64_t kb,
                                     const tsr_linear *b)
{
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add(&sum, ka, a);
    tsr_sum_add(&sum, kb, b);
    return tsr_sum_take(&sum);
}

const tsr_linear *tsr_linear_scale(tsr_pool *pool, const tsr_linear *a, int64_t k)
{
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add(&sum, k, a);
    return tsr_sum_take(&sum);
}

const tsr_linear *tsr_linear_add_const(tsr_pool *pool, const tsr_linear *a, int64_t c)
{
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add(&sum, 1, a);
    tsr_sum_add_const(&sum, c);
    return tsr_sum_take(&sum);
}

const tsr_linear *tsr_linear_floordiv(tsr_pool *pool, const tsr_linear *a, int64_t c)
{
    if (!a || c <= 0 || pool->fault != TSR_OK)
        return NULL;
    if (c == 1)
        return a;
    if (a->n == 0)
        return tsr_linear_const(pool, tsr_floordiv_i64(a->c, c));
    return tsr_linear_atom(pool, intern_atom(pool, &(tsr_atom){.kind = TSR_ATOM_FLOORDIV, .x = a, .c = c}));
}

const tsr_linear *tsr_linear_mod(tsr_pool *pool, const tsr_linear *a, int64_t c)
{
    if (!a || c <= 0 || pool->fault != TSR_OK)
        return NULL;
    if (a->n == 0 || c == 1)
        return tsr_linear_const(pool, c == 1 ? 0 : tsr_floormod_i64(a->c, c));
    return tsr_linear_atom(pool, intern_atom(pool, &(tsr_atom){.kind = TSR_ATOM_MOD, .x = a, .c = c}));
}

const tsr_linear *tsr_linear_choose(tsr_pool *pool, tsr_atom_kind kind, const tsr_linear *a,
                                    const tsr_linear *b)
{
    if (!a || !b || pool->fault != TSR_OK)
        return NULL;
    if (a->n == b->n && same_terms(a->t, b->t, a->n)) /* both differ by a constant */
        return (a->c < b->c) == (kind == TSR_ATOM_MIN) ? a : b;
    const bool swap = a->n == 0 || (b->n > 0 && tsr_linear_compare(a, b) > 0); /* a constant comes last */
    return tsr_linear_atom(
        pool, intern_atom(pool, &(tsr_atom){.kind = kind, .x = swap ? b : a, .y = swap ? a : b}));
}

static const tsr_atom *product_of_atoms(tsr_pool *pool, const tsr_atom *a, const tsr_atom *b)
{
    if (a->kind == TSR_ATOM_PRODUCT || b->kind == TSR_ATOM_PRODUCT)
        return fault(pool, TSR_UNSUPPORTED, "a product may have at most two factors that are not constant");
    const bool swap = compare_atoms(a, b) > 0;
    const tsr_linear *x = tsr_linear_atom(pool, swap ? b : a), *y = tsr_linear_atom(pool, swap ? a : b);
    return x && y ? intern_atom(pool, &(tsr_atom){.kind = TSR_ATOM_PRODUCT, .x = x, .y = y}) : NULL;
}

const tsr_linear *tsr_linear_product(tsr_pool *pool, const tsr_linear *a, const tsr_linear *b)
{
    if (!a || !b || pool->fault != TSR_OK)
        return NULL;
    if (a->n == 0 || b->n == 0)
        return a->n == 0 ? tsr_linear_scale(pool, b, a->c) : tsr_linear_scale(pool, a, b->c);
    tsr_sum sum;
    tsr_sum_init(&sum, pool);
    tsr_sum_add(&sum, a->c, b);
    tsr_sum_add(&sum, b->c, a);
    int64_t cc = 0, k;
    if (multiply_add(&cc, a->c, b->c))
        tsr_sum_add_const(&sum, -cc); /* the product of the constants was added twice */
    else
        fail_sum(&sum, TSR_LIMIT, OVERFLOW);
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n && !sum.failed; j++) {
            const tsr_atom *atom = product_of_atoms(pool, a->t[i].atom, b->t[j].atom);
            k = 0;
            if (!atom)
                sum.failed = true;
            else if (!multiply_add(&k, a->t[i].k, b->t[j].k))
                fail_sum(&sum, TSR_LIMIT, OVERFLOW);
            else
                tsr_sum_add_atom(&sum, k, atom);
        }
    return tsr_sum_take(&sum);
}

const tsr_linear *tsr_linear_counter(tsr_pool *pool, uint64_t counts)
{
    return tsr_linear_atom(pool, intern_atom(pool, &(tsr_atom){.kind = TSR_ATOM_COUNTER, .counts = counts}));
}

const tsr_linear *tsr_linear_apply(tsr_pool *pool, const tsr_atom *atom, const tsr_linear *x,
                                   const tsr_linear *y)
{
    switch (atom->kind) {
    case TSR_ATOM_FLOORDIV:
        return tsr_linear_floordiv(pool, x, atom->c);
    case TSR_ATOM_MOD:
        return tsr_linear_mod(pool, x, atom->c);
    case TSR_ATOM_PRODUCT:
        return tsr_linear_product(pool, x, y);
    default:
        return tsr_linear_choose(pool, atom->kind, x, y);
    }
}

/* ---- copies from pool to pool ---- */

tsr_status tsr_import_init(tsr_import *import, tsr_pool *to, const tsr_linear *const *vars,
                           const tsr_pool *from, tsr_error *err)
{
    void *memo;
    *import = (tsr_import){.to = to, .vars = vars};
    TSR_TRY(tsr_alloc_array(&memo, (uint64_t)from->linears.n, sizeof(tsr_linear *), 1, "copying a map", err));
    import->memo = memo;
    return TSR_OK;
}

/* The counter of the expressions that replaced its variables: variables, or constants, which do not matter
 * for the count. */
static const tsr_linear *import_counter(const tsr_import *import, uint64_t counts)
{
    uint64_t to = 0;
    for (int v = 0; v < TSR_MAP_MAX_VARS; v++) {
        const tsr_linear *x = counts >> v & 1 ? import->vars[v] : NULL;
        if (!x || x->n == 0)
            continue;
        const tsr_atom *atom = tsr_linear_as_atom(x);
        if (!atom || atom->kind != TSR_ATOM_VAR)
            return fault(import->to, TSR_UNSUPPORTED,
                         "a counter may count by variables only, not by expressions");
        to |= UINT64_C(1) << atom->var;
    }
    return tsr_linear_counter(import->to, to);
}

static const tsr_linear *import_atom(tsr_import *import, const tsr_atom *a)
{
    if (a->kind == TSR_ATOM_VAR)
        return import->vars[a->var];
    if (a->kind == TSR_ATOM_COUNTER)
        return import_counter(import, a->counts);
    const tsr_linear *x = tsr_import_linear(import, a->x);
    return tsr_linear_apply(import->to, a, x, a->y ? tsr_import_linear(import, a->y) : NULL);
}

const tsr_linear *tsr_import_linear(tsr_import *import, const tsr_linear *x)
{
    if (import->memo[x->node.id])
        return import->memo[x->node.id];
    tsr_sum sum;
    tsr_sum_init(&sum, import->to);
    tsr_sum_add_const(&sum, x->c);
    for (int i = 0; i < x->n && !sum.failed; i++)
        tsr_sum_add(&sum, x->t[i].k, import_atom(import, x->t[i].atom));
    return import->memo[x->node.id] = tsr_sum_take(&sum);
}

void tsr_import_clear(tsr_import *import)
{
    tsr_free(import->memo);
    import->memo = NULL;
}
