/* Declarations that the files of map share: expressions, the pool that interns them, and the map itself.
 *
 * A linear form is c + sum k[i] * atom[i] with all k[i] != 0 and the atoms in ascending structural order
 * (compare_atoms in map_expr.c). Within one pool equal forms, and equal atoms, are one object. Constants and
 * coefficients are in [-INT64_MAX, INT64_MAX], so that each of them can be negated. */
#ifndef TSR_MAP_INTERNAL_H
#define TSR_MAP_INTERNAL_H

#include "tsr_arena.h"
#include "tsr_checked.h"
#include "tsr_map.h"

enum {
    TSR_EXPR_MAX_TERMS = 1024,   /* terms of one linear form */
    TSR_EXPR_MAX_DEPTH = 64,     /* nesting of floordiv and mod */
    TSR_EXPR_MAX_NODES = 1 << 16 /* nodes of an expression written out as a tree */
};

typedef enum tsr_atom_kind {
    TSR_ATOM_VAR,
    TSR_ATOM_FLOORDIV,
    TSR_ATOM_MOD,
    TSR_ATOM_MIN,
    TSR_ATOM_MAX,
    TSR_ATOM_PRODUCT, /* product of two atoms, neither of which is a product */
    TSR_ATOM_COUNTER  /* the number of earlier entries with the same values of these variables */
} tsr_atom_kind;

/* The first member of every interned object. */
typedef struct tsr_node {
    struct tsr_node *next; /* the next object in the same hash bucket */
    uint64_t hash;
    int id; /* 0, 1, 2... in the object's table */
} tsr_node;

typedef struct tsr_intern_table {
    tsr_node **buckets;
    size_t nbuckets; /* a power of two, or 0 */
    int n;           /* number of objects */
} tsr_intern_table;

typedef struct tsr_atom {
    tsr_node node;
    tsr_atom_kind kind;
    int var;         /* variable: its number */
    int64_t c;       /* floordiv and mod: the divisor, > 1 */
    uint64_t counts; /* counter: the variables that it counts by, as bits */
    /* floordiv and mod: the dividend, which is not a constant; min, max and product: the first operand */
    const tsr_linear *x;
    const tsr_linear *y; /* min, max and product: the second operand */
} tsr_atom;

typedef struct tsr_map_term {
    int64_t k; /* != 0 */
    const tsr_atom *atom;
} tsr_map_term;

struct tsr_linear {
    tsr_node node;
    int depth, nnodes;
    int64_t c;
    int n; /* number of terms */
    tsr_map_term t[];
};

/* A pool of expressions, which are freed together. Sticky: after a failure `fault` holds the first error. */
typedef struct tsr_pool {
    tsr_arena arena;
    tsr_intern_table linears, atoms;
    tsr_status fault; /* TSR_OK, TSR_NOMEM, TSR_LIMIT or TSR_UNSUPPORTED */
    const char *why;  /* the sentence for `fault`, static */
} tsr_pool;

typedef struct tsr_var {
    const char *name; /* in the arena of the pool */
    tsr_var_kind kind;
    tsr_interval bounds; /* an empty interval is stored as [0, -1] */
} tsr_var;

typedef struct tsr_constraint {
    const tsr_linear *x; /* not a constant and not a plain variable */
    tsr_interval in;
} tsr_constraint;

struct tsr_map {
    tsr_pool pool;
    int ndims, nvars, nresults, nconstraints;
    tsr_var vars[TSR_MAP_MAX_VARS]; /* nvars: dims, then range symbols, then runtime symbols */
    const tsr_linear *results[TSR_MAP_MAX_RESULTS];
    tsr_constraint *constraints; /* nconstraints, in ascending structural order, each expression once */
    bool empty;                  /* a constant constraint does not hold: the domain is empty */
    bool keep_points;            /* used during simplification: keep variables that have only one value */
    struct tsr_intervals *known; /* while it is simplified; else NULL */
};

/* Intervals of atoms that were computed before, for these bounds of the variables: a chain of divisions is asked for
 * its interval once for each of its links, and would be walked to its end each time. */
enum { TSR_INTERVALS_NSLOTS = 512 };
typedef struct tsr_intervals {
    int nvars;
    tsr_interval bounds[TSR_MAP_MAX_VARS];
    struct {
        const tsr_atom *atom; /* NULL: free; of id modulo the number of slots */
        tsr_interval in;
    } slot[TSR_INTERVALS_NSLOTS];
} tsr_intervals;

struct tsr_map_builder {
    tsr_map *map;
};

#define TSR_INTERVAL_EMPTY ((tsr_interval){0, -1})
#define TSR_INTERVAL_ALL ((tsr_interval){INT64_MIN, INT64_MAX})

/* ---- map_digits.c ---- */

/* Write an atom as a digit of a variable, with k = 1; false: it is not a digit. */
bool tsr_atom_as_digit(tsr_digit *d, const tsr_atom *atom);
/* Whether the terms of x that are digits of `var` move bits of it: see tsr_bit_move. *nterms: their number, at
 * least 1. */
bool tsr_linear_moves_bits(tsr_bit_move *move, int *nterms, const tsr_linear *x, int var,
                           const tsr_var *vars);

/* ---- map_expr.c ---- */

void tsr_pool_clear(tsr_pool *pool);
/* The fault of the pool as an error; TSR_OK if there is none. */
tsr_status tsr_pool_status(const tsr_pool *pool, tsr_error *err) TSR_NODISCARD;
/* After a rewrite that was only tried: clear a fault about a constant, a size or the degree of a product. */
void tsr_pool_forgive(tsr_pool *pool);

/* The atom `x floordiv c` if the pool has it, else NULL. */
const tsr_atom *tsr_pool_find_floordiv(const tsr_pool *pool, const tsr_linear *x, int64_t c);

/* A linear form under construction; tsr_sum_take interns it. */
typedef struct tsr_sum {
    tsr_pool *pool;
    int64_t c;
    int n, capacity;
    tsr_map_term *t; /* `few`, or an allocated block */
    tsr_map_term few[8];
    bool failed;
} tsr_sum;
void tsr_sum_init(tsr_sum *sum, tsr_pool *pool);
void tsr_sum_add_const(tsr_sum *sum, int64_t c);
void tsr_sum_add_atom(tsr_sum *sum, int64_t k, const tsr_atom *atom);
void tsr_sum_add(tsr_sum *sum, int64_t k, const tsr_linear *x);
/* Return the interned form, or NULL after a failure; *sum may not be used afterwards. */
const tsr_linear *tsr_sum_take(tsr_sum *sum);
void tsr_sum_drop(tsr_sum *sum);

const tsr_linear *tsr_linear_const(tsr_pool *pool, int64_t c);
const tsr_linear *tsr_linear_var(tsr_pool *pool, int var);
const tsr_linear *tsr_linear_atom(tsr_pool *pool, const tsr_atom *atom);
/* a * ka + b * kb */
const tsr_linear *tsr_linear_combine(tsr_pool *pool, int64_t ka, const tsr_linear *a, int64_t kb,
                                     const tsr_linear *b);
const tsr_linear *tsr_linear_scale(tsr_pool *pool, const tsr_linear *a, int64_t k);
const tsr_linear *tsr_linear_add_const(tsr_pool *pool, const tsr_linear *a, int64_t c);
const tsr_linear *tsr_linear_floordiv(tsr_pool *pool, const tsr_linear *a, int64_t c);
const tsr_linear *tsr_linear_mod(tsr_pool *pool, const tsr_linear *a, int64_t c);
/* min(a, b) or max(a, b). kind: TSR_ATOM_MIN or TSR_ATOM_MAX. */
const tsr_linear *tsr_linear_choose(tsr_pool *pool, tsr_atom_kind kind, const tsr_linear *a,
                                    const tsr_linear *b);
/* a * b multiplied out; TSR_UNSUPPORTED for a product of three atoms. */
const tsr_linear *tsr_linear_product(tsr_pool *pool, const tsr_linear *a, const tsr_linear *b);
const tsr_linear *tsr_linear_counter(tsr_pool *pool, uint64_t counts);
/* The operation of `atom`, which must have operands, applied to x and y. */
const tsr_linear *tsr_linear_apply(tsr_pool *pool, const tsr_atom *atom, const tsr_linear *x,
                                   const tsr_linear *y);

int tsr_linear_compare(const tsr_linear *a, const tsr_linear *b);
/* Whether two maps with the same number of variables have the same bounds and constraints, literally. */
bool tsr_map_domain_equal(const tsr_map *a, const tsr_map *b);
/* The atom when x is `1 * atom + 0`, else NULL. */
const tsr_atom *tsr_linear_as_atom(const tsr_linear *x);
/* Whether variable `var` occurs in x. */
bool tsr_linear_uses(const tsr_linear *x, int var);
bool tsr_linear_has_counter(const tsr_linear *x);
/* The variables that occur in x, as bits. */
uint64_t tsr_linear_vars(const tsr_linear *x);

/* A copy from one pool to another with variables replaced. */
typedef struct tsr_import {
    tsr_pool *to;
    const tsr_linear *const *vars; /* the expression in `to` that replaces each variable */
    const tsr_linear **memo;       /* the copied forms, by id of the linear forms of the source */
} tsr_import;
tsr_status tsr_import_init(tsr_import *import, tsr_pool *to, const tsr_linear *const *vars,
                           const tsr_pool *from, tsr_error *err) TSR_NODISCARD;
const tsr_linear *tsr_import_linear(tsr_import *import, const tsr_linear *x);
void tsr_import_clear(tsr_import *import);

/* ---- map_build.c ---- */

/* An empty map under construction. */
tsr_status tsr_map_new(tsr_map **out, tsr_error *err) TSR_NODISCARD;
/* Add a variable whose name has n characters (NULL: its canonical name). Dims come first, then range symbols,
 * then runtime symbols. TSR_LIMIT for too many variables, TSR_ARGUMENT for a name that is used already or
 * reserved. */
tsr_status tsr_map_add_var(tsr_map *map, tsr_var_kind kind, const char *name, size_t n,
                           tsr_error *err) TSR_NODISCARD;
/* Add the constraint that x is in [lo, hi]; for a plain variable this narrows its bounds. */
tsr_status tsr_map_add_constraint(tsr_map *map, const tsr_linear *x, tsr_interval in,
                                  tsr_error *err) TSR_NODISCARD;
/* Finish the map with these results (from its pool). On failure the map is freed and *out is NULL. */
tsr_status tsr_map_finish(tsr_map **out, tsr_map *map, int nresults, const tsr_linear *const *results,
                          tsr_error *err) TSR_NODISCARD;
/* "d0", "s1", "rt2": the canonical name of variable var, into buf of 16 bytes. */
const char *tsr_map_canonical_name(char *buf, const tsr_map *map, int var);

/* ---- map_compose.c ---- */

/* Add to `map` a variable with the kind and the bounds of `var`; *out is its expression. keep_name: it gets
 * the name of `var`, else its canonical name. */
tsr_status tsr_map_add_like(const tsr_linear **out, tsr_map *map, const tsr_var *var, bool keep_name,
                            tsr_error *err) TSR_NODISCARD;
/* results[r] = result r of `from` with its variables replaced by vars. The constraints of `from` are added to
 * `map`, except those on variables that are not replaced (NULL). */
tsr_status tsr_map_import(const tsr_linear **results, tsr_map *map, const tsr_map *from,
                          const tsr_linear *const *vars, tsr_error *err) TSR_NODISCARD;

/* ---- map_points.c ---- */

/* The points of a box, in row-major order; variables outside it stay 0. */
typedef struct tsr_points {
    int n, var[TSR_MAP_MAX_VARS]; /* n variables, by number */
    tsr_interval in[TSR_MAP_MAX_VARS];
    bool first, whole; /* whole: no values of an unbounded variable are left out */
    uint64_t npoints;  /* UINT64_MAX: that many or more */
    int64_t x[TSR_MAP_MAX_VARS];
} tsr_points;
/* Start with the box of the variables in `chosen` (bits); an unbounded variable is limited to [-reach,
 * reach]. False: the box has no point. */
bool tsr_points_init(tsr_points *points, const tsr_var *vars, int nvars, uint64_t chosen, int64_t reach);
/* The cost of evaluating the map at one point, in nodes of its expressions; at least 1. */
uint64_t tsr_map_cost(const tsr_map *map);
/* Advance points->x to the next point (in the first call: to the first point); false at the end. */
bool tsr_points_next(tsr_points *points);

/* ---- map_interval.c ---- */

bool tsr_interval_is_empty(tsr_interval a);
bool tsr_interval_is_bounded(tsr_interval a);
tsr_interval tsr_interval_meet(tsr_interval a, tsr_interval b);
tsr_interval tsr_interval_add(tsr_interval a, tsr_interval b);
tsr_interval tsr_interval_scale(tsr_interval a, int64_t k);
/* An interval that contains x for all values of the variables in their bounds. whole_mod: `x mod c` counts as
 * all of [0, c). */
tsr_interval tsr_interval_of(const tsr_linear *x, const tsr_var *vars, bool whole_mod);
/* tsr_interval_of(x, map->vars, false), by map->known where it is there. */
tsr_interval tsr_interval_in(const tsr_map *map, const tsr_linear *x);
tsr_interval tsr_interval_of_atom(const tsr_atom *atom, const tsr_var *vars, bool whole_mod);

/* a / c rounded down, c > 0; and the remainder in [0, c). */
static inline int64_t tsr_floordiv_i64(int64_t a, int64_t c)
{
    return a / c - (a % c < 0);
}
static inline int64_t tsr_floormod_i64(int64_t a, int64_t c)
{
    const int64_t r = a % c;
    return r < 0 ? r + c : r;
}
/* The greatest common divisor of a >= 0 and b >= 0. */
static inline int64_t tsr_gcd_i64(int64_t a, int64_t b)
{
    return (int64_t)tsr_gcd_u64((uint64_t)a, (uint64_t)b);
}

/* ---- map_simplify.c ---- */

/* Simplify x in the pool of the map; NULL: out of memory. The map must not be finished, and its constraints
 * are used. */
const tsr_linear *tsr_simplify_linear(tsr_map *map, const tsr_linear *x);
/* x = g * (*a) + (*b), where g divides no coefficient of b. False: out of memory. */
bool tsr_linear_split(const tsr_linear **a, const tsr_linear **b, tsr_pool *pool, const tsr_linear *x,
                      int64_t g);
/* An interval that contains x on the domain of the map. */
tsr_interval tsr_simplify_interval(const tsr_map *map, const tsr_linear *x);

/* ---- map_domain.c ---- */

/* ---- map_eval.c ---- */

/* The value of x at a point; false: it does not fit int64, or x contains a counter. */
bool tsr_linear_eval(int64_t *out, const tsr_linear *x, const int64_t *vars);

/* ---- map_parse.c ---- */

/* Whether these n characters are a word of the grammar and so cannot be a name. */
bool tsr_map_is_reserved(const char *word, size_t n);

/* ---- map_print.c ---- */

/* Append x with the names of the map, or with canonical names. */
void tsr_linear_print(tsr_text *text, const tsr_map *map, const tsr_linear *x, const char *const *names);

#endif
