/* Index maps:
 *     (d0, d1)[s0]{rt0} -> (d0 floordiv 2, d1 + s0), domain: d0 in [0, 9], d1 in [0, 19], s0 in [0, 3]
 *
 * A map takes integer variables to integer results. An expression is a sum of constant * atom plus a
 * constant; an atom is a variable, `L floordiv c` or `L mod c` of another expression L with a constant c > 0,
 * `min(L, M)`, `max(L, M)`, a product of two atoms, or a counter `#i j`: how many entries with these i and j
 * came before (it is kept and printed; formats give it meaning; a point alone does not have its value).
 * floordiv rounds down, mod is in [0, c). Equal expressions of one map are one object (interned), so equality
 * is identity. A map is immutable once built, and owns everything in it. All arithmetic on constants is
 * checked: a map whose constants would leave int64 is refused (TSR_LIMIT), never wrapped. So is one with more
 * than 1024 terms in a sum or 64 floordivs and mods inside each other. */
#ifndef TSR_MAP_H
#define TSR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_MAP_MAX_VARS = 64, TSR_MAP_MAX_RESULTS = 64 };

typedef struct tsr_map tsr_map;

/* An inclusive interval; lo > hi is empty; INT64_MIN and INT64_MAX stand for unbounded. */
typedef struct tsr_interval {
    int64_t lo, hi;
} tsr_interval;

typedef enum tsr_var_kind { TSR_VAR_DIM, TSR_VAR_RANGE, TSR_VAR_RUNTIME } tsr_var_kind;

/* A cursor over text that several parsers share: format text holds map expressions between its own words. */
typedef struct tsr_cursor {
    const char *start; /* whole text, for columns and carets in errors */
    const char *p;     /* next character */
} tsr_cursor;

/* ---- text ---- */

/* Parse the whole of `text`: dims, optional [range symbols], {runtime symbols}, results, optional domain, as
 * in DESIGN.md section 5. Names are free and are kept for printing errors; canonical print renames them.
 * TSR_SYNTAX with the column (err->col) and what was expected; TSR_UNSUPPORTED for division by something not
 * a constant, or 0, and for a product of three variables. `KNOWN EMPTY` is a map without variables, results
 * and points. */
tsr_status tsr_map_parse(tsr_map **out, const char *text, tsr_error *err) TSR_NODISCARD;
/* Append the canonical text (d0, d1, s0, rt0; parse of it gives an equal map). */
void tsr_map_print(tsr_text *text, const tsr_map *map);
/* The same for a reader: a map that visibly has no points (tsr_map_is_known_empty) is KNOWN EMPTY, as in XLA.
 */
void tsr_map_show(tsr_text *text, const tsr_map *map);
/* Append result r alone, with the given variable names (nvars of them; NULL: canonical). */
void tsr_map_print_result(tsr_text *text, const tsr_map *map, int r, const char *const *names);
void tsr_map_free(tsr_map *map);

/* Append C11: `void function(int64_t *result, int64_t i, ...)`, which writes result[0..nresults) at a point
 * of the domain, and `int function_inside(int64_t i, ...)`, which tells whether a point is in it. Parameters
 * are the variables, named as in the map where C allows. Values beyond int64 are the caller's. TSR_ARGUMENT
 * when `function` is no name, TSR_UNSUPPORTED for counters. */
tsr_status tsr_map_emit_c(tsr_text *text, const tsr_map *map, const char *function,
                          tsr_error *err) TSR_NODISCARD;

/* ---- building, piece by piece (used by the format parser, by named formats, by layouts) ---- */

typedef struct tsr_map_builder tsr_map_builder;
typedef struct tsr_linear tsr_linear; /* an interned expression, owned by its builder and then by the map */

/* A builder for a map with ndims dims of the given names (copied; NULL: d0, d1, ...), unbounded. */
tsr_status tsr_map_builder_new(tsr_map_builder **out, int ndims, const char *const *names,
                               tsr_error *err) TSR_NODISCARD;
void tsr_map_builder_free(tsr_map_builder *builder);
/* Parse one expression at cursor->p in terms of the builder's names; advance the cursor past it. */
tsr_status tsr_map_build_parse(const tsr_linear **out, tsr_map_builder *builder, tsr_cursor *cursor,
                               tsr_error *err) TSR_NODISCARD;
/* Expressions from pieces; each returns NULL when memory or int64 ran out, and takes NULL for NULL (sticky).
 */
const tsr_linear *tsr_map_build_var(tsr_map_builder *builder, int var);
const tsr_linear *tsr_map_build_const(tsr_map_builder *builder, int64_t c);
const tsr_linear *tsr_map_build_add(tsr_map_builder *builder, const tsr_linear *a, const tsr_linear *b);
const tsr_linear *tsr_map_build_scale(tsr_map_builder *builder, const tsr_linear *a, int64_t k);
const tsr_linear *tsr_map_build_floordiv(tsr_map_builder *builder, const tsr_linear *a, int64_t c);
const tsr_linear *tsr_map_build_mod(tsr_map_builder *builder, const tsr_linear *a, int64_t c);
const tsr_linear *tsr_map_build_min(tsr_map_builder *builder, const tsr_linear *a, const tsr_linear *b);
const tsr_linear *tsr_map_build_max(tsr_map_builder *builder, const tsr_linear *a, const tsr_linear *b);
/* Add a symbol (NULL: its canonical name), unbounded; *var is its number. Range symbols come before runtime
 * symbols. */
tsr_status tsr_map_build_symbol(int *var, tsr_map_builder *builder, tsr_var_kind kind, const char *name,
                                tsr_error *err) TSR_NODISCARD;
/* Demand x in [lo, hi] (INT64_MIN, INT64_MAX: unbounded there). Of a plain variable, this narrows its bounds.
 */
tsr_status tsr_map_build_constraint(tsr_map_builder *builder, const tsr_linear *x, int64_t lo, int64_t hi,
                                    tsr_error *err) TSR_NODISCARD;
/* Bound variable `var` to [lo, hi]. */
void tsr_map_build_bound(tsr_map_builder *builder, int var, int64_t lo, int64_t hi);
/* The map with these results; the builder is used up and freed, on failure too. */
tsr_status tsr_map_build_finish(tsr_map **out, tsr_map_builder *builder, int nresults,
                                const tsr_linear *const *results, tsr_error *err) TSR_NODISCARD;

/* ---- asking ---- */

int tsr_map_ndims(const tsr_map *map);
int tsr_map_nvars(const tsr_map *map); /* dims, then range symbols, then runtime symbols */
int tsr_map_nresults(const tsr_map *map);
const char *tsr_map_var_name(const tsr_map *map, int var);
tsr_var_kind tsr_map_var_kind(const tsr_map *map, int var);
tsr_interval tsr_map_var_bounds(const tsr_map *map, int var);
/* Whether some bounds, or a constraint, visibly leave no point. True for every map without points whose
 * emptiness tsr_map_simplify found. */
bool tsr_map_is_known_empty(const tsr_map *map);
/* Whether there is more to the domain than the bounds of the variables. */
bool tsr_map_is_constrained(const tsr_map *map);
/* An interval that holds result r for all variables in their bounds; exact for sums of digits. */
tsr_interval tsr_map_result_bounds(const tsr_map *map, int r);
/* bounds[r], nresults of them: an interval that holds result r on the whole domain, constraints considered;
 * the exact one where the points are at most some ten thousands. Empty (lo > hi) when the domain is. */
tsr_status tsr_map_image(tsr_interval *bounds, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* Result r as a level's coordinate range: as above, but `x mod c` counts as the whole of [0, c) even when x
 * is smaller, so that a block keeps its shape at a ragged edge. */
tsr_interval tsr_map_level_bounds(const tsr_map *map, int r);
/* If there are as many results as dims and each is a different plain dim: true, and perm[r] = that dim
 * (nresults entries; may be NULL). */
bool tsr_map_is_permutation(const tsr_map *map, int *perm);
/* k * ((dim floordiv div) mod mod); mod = 0: no mod. */
typedef struct tsr_digit {
    int64_t k, div, mod;
    int dim;
} tsr_digit;
/* Result r as *constant plus a sum of digits of dims: how many digits there are (at most max), -1 when it is
 * no such sum or a longer one. */
int tsr_map_result_digits(tsr_digit *digits, int max, int64_t *constant, const tsr_map *map, int r);
/* Result r written by the caller's own constructors, bottom-up: constants, variables, and the operations
 * '+' '-' '*', '/' (floordiv by a constant > 0), '%' (mod a constant > 0), '<' (min) and '>' (max). NULL when
 * a constructor of an operand returned NULL, and for counters. */
typedef struct tsr_map_fold {
    void *arg;
    const void *(*constant)(void *arg, int64_t c);
    const void *(*var)(void *arg, int var);
    const void *(*apply)(void *arg, char operation, const void *x, const void *y);
} tsr_map_fold;
const void *tsr_map_fold_result(const tsr_map *map, int r, const tsr_map_fold *fold);
bool tsr_map_equal(const tsr_map *a, const tsr_map *b); /* same text up to names */
/* The variables that result r depends on, as bits; those that a counter counts are among them. */
uint64_t tsr_map_result_vars(const tsr_map *map, int r);
/* Whether result r takes the remainder of something (`x mod c`) anywhere. */
bool tsr_map_result_has_mod(const tsr_map *map, int r);
/* A result of a map whose variable v is called by the number name[v], 0 to 63 (nvars entries). */
typedef struct tsr_map_named_result {
    const tsr_map *map;
    int result;
    const int *name;
} tsr_map_named_result;
/* Whether both results are the same expression once variables of one name are one variable. */
tsr_status tsr_map_result_same(bool *same, const tsr_map_named_result *a, const tsr_map_named_result *b,
                               tsr_error *err) TSR_NODISCARD;

/* ---- making maps from maps ---- */

/* The same map again, names too. */
tsr_status tsr_map_copy(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;

/* A result of a new map: result number `index` of the map that it is made from, dim number `index`, or 0. */
typedef enum tsr_map_pick_kind { TSR_PICK_RESULT, TSR_PICK_DIM, TSR_PICK_ZERO } tsr_map_pick_kind;
typedef struct tsr_map_pick {
    tsr_map_pick_kind kind;
    int index;
} tsr_map_pick;
/* The map with the same variables, all of them unbounded and without constraints, and these n results. */
tsr_status tsr_map_pick_results(tsr_map **out, const tsr_map *map, int n, const tsr_map_pick *picks,
                                tsr_error *err) TSR_NODISCARD;

/* The same map with dim i bounded to [0, dims[i] - 1]. dims[i] <= INT64_MAX. An empty dim gives an empty
 * domain. */
tsr_status tsr_map_bind(tsr_map **out, const tsr_map *map, const uint64_t *dims,
                        tsr_error *err) TSR_NODISCARD;
/* Simplify with domain knowledge (facts: grammar-and-model section 6). Idempotent, never wrong. */
tsr_status tsr_map_simplify(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* The same, but a variable that has one value stays a variable. */
tsr_status tsr_map_simplify_keeping_points(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* outer after inner: results of `inner` become the dims of `outer`. */
tsr_status tsr_map_compose(tsr_map **out, const tsr_map *outer, const tsr_map *inner,
                           tsr_error *err) TSR_NODISCARD;
/* Without the variables that no result needs (dims, symbols or both), and the constraints on them, where
 * these can be satisfied. removed[v] (nvars flags; may be NULL) tells which went. */
tsr_status tsr_map_remove_unused(tsr_map **out, bool *removed, const tsr_map *map, bool dims, bool symbols,
                                 tsr_error *err) TSR_NODISCARD;
/* Range symbols that may have only each m-th value (`s mod m in [r, r]`) become s * m + r; simplified. */
tsr_status tsr_map_rescale_symbols(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* The symbols number symbols[0..n) become dims, after the map's own and in this order. Range symbols are
 * counted first, then runtime symbols; none may be named twice. */
tsr_status tsr_map_symbols_to_dims(tsr_map **out, const tsr_map *map, int n, const int *symbols,
                                   tsr_error *err) TSR_NODISCARD;
/* Whether both maps have the same domain and the same results there; variables correspond by number. Decided
 * by simplification, by an inverse, or by comparing all points where they are at most some millions; then
 * point (nvars entries; may be NULL) is the first one, in row-major order, that only one of the maps takes,
 * or that they take elsewhere; if they are more, it is any such point. TSR_ARGUMENT when the maps differ in
 * their numbers of dims, symbols or results; TSR_UNSUPPORTED when it could not be decided. */
tsr_status tsr_map_same(bool *same, int64_t *point, const tsr_map *a, const tsr_map *b,
                        tsr_error *err) TSR_NODISCARD;
/* The inverse by digits (section 5): a map from this map's results to its dims, right wherever this map is
 * defined. The map must be bound (its dims bounded). TSR_UNSUPPORTED with the reason when it is not injective
 * ("results `i floordiv 3` and `i mod 2` do not give back i"). Where the inverse gives dims outside their
 * bounds, or where applying this map to what it gives does not lead back, the cell is padding. */
tsr_status tsr_map_invert(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;

/* ---- applying ---- */

/* results[0..nresults) = map(vars[0..nvars)); the slow obvious way, for tests and single points. TSR_RANGE on
 * overflow. */
tsr_status tsr_map_eval(int64_t *results, const tsr_map *map, const int64_t *vars,
                        tsr_error *err) TSR_NODISCARD;

/* Whether the point satisfies the constraints. Bounds of variables do not count. TSR_RANGE on overflow. */
tsr_status tsr_map_satisfies(bool *satisfied, const tsr_map *map, const int64_t *vars,
                             tsr_error *err) TSR_NODISCARD;
/* Whether the point is in the domain: inside the bounds, and satisfying the constraints. */
tsr_status tsr_map_inside(bool *inside, const tsr_map *map, const int64_t *vars,
                          tsr_error *err) TSR_NODISCARD;

/* A map compiled for arrays: patterns (permutation, one digit) are recognised, the rest is a tape of vector
 * operations over blocks, so no tree is walked per entry. Immutable: many threads may apply one plan.
 * Division by a constant is by shift or by multiplication with a reciprocal. */
typedef struct tsr_map_plan tsr_map_plan;
enum { TSR_MAP_BLOCK = 1024 };
/* The map's variables must be bounded such that no intermediate leaves int64 (TSR_LIMIT). */
tsr_status tsr_map_plan_new(tsr_map_plan **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
void tsr_map_plan_free(tsr_map_plan *plan);
/* Bytes of scratch that one call of tsr_map_plan_apply or tsr_map_plan_inside needs (aligned as malloc does).
 */
size_t tsr_map_plan_scratch_nbytes(const tsr_map_plan *plan);
/* For e in [0, n), n <= TSR_MAP_BLOCK: out[r][e] = result r of (in[0][e], in[1][e], ...). out[r] may be NULL
 * (not wanted). A result that is a plain variable is copied; tsr_map_plan_alias tells which. in and out do
 * not overlap. */
void tsr_map_plan_apply(const tsr_map_plan *plan, int64_t *const *out, const int64_t *const *in, size_t n,
                        void *scratch);
/* inside[e] = 1 where entry e is in the map's domain (bounds and constraints), else 0, for e in [0, n),
 * n <= TSR_MAP_BLOCK. What the plan's results are for an entry outside is not said. */
void tsr_map_plan_inside(const tsr_map_plan *plan, uint8_t *inside, const int64_t *const *in, size_t n,
                         void *scratch);
/* The variable that result r is a copy of, or -1: callers can then read the input instead. */
int tsr_map_plan_alias(const tsr_map_plan *plan, int r);

#ifdef __cplusplus
}
#endif
#endif
