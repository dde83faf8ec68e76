/* Index maps:
 *     (d0, d1)[s0]{rt0} -> (d0 floordiv 2, d1 + s0), domain: d0 in [0, 9], d1 in [0, 19], s0 in [0, 3]
 *
 * A map takes integer variables to integer results. An expression is a sum of constant * atom plus a
 * constant. An atom is a variable, `L floordiv c` or `L mod c` of an expression L with a constant c > 0,
 * `min(L, M)`, `max(L, M)`, a product of two atoms, or a counter `#i j`: the number of earlier entries with
 * the same i and j (a counter is parsed and printed, and formats give it a meaning; it has no value at a
 * single point). floordiv rounds down, mod is in [0, c). Equal expressions of one map are one object
 * (interned), so equality is identity. A map is immutable once built, and owns its parts. Arithmetic on
 * constants is checked: a map whose constants would leave int64 is refused (TSR_LIMIT). So is a map with more
 * than 1024 terms in a sum, or with more than 64 nested floordivs and mods. */
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

/* An inclusive interval; lo > hi is empty; INT64_MIN and INT64_MAX mean unbounded. */
typedef struct tsr_interval {
    int64_t lo, hi;
} tsr_interval;

typedef enum tsr_var_kind { TSR_VAR_DIM, TSR_VAR_RANGE, TSR_VAR_RUNTIME } tsr_var_kind;

/* A cursor over text that several parsers share: the text of a format contains map expressions between its
 * own words. */
typedef struct tsr_cursor {
    const char *start; /* the whole text, for columns in errors */
    const char *p;     /* next character */
} tsr_cursor;

/* ---- text ---- */

/* Parse the whole `text`: dims, optional [range symbols], {runtime symbols}, results, optional domain, as in
 * DESIGN.md section 5. Names are free and are kept for printing errors; the canonical text has other names.
 * TSR_SYNTAX with the column (err->col) and the expected token; TSR_UNSUPPORTED for division by 0 or by an
 * expression that is not constant, and for a product of three variables. `KNOWN EMPTY` is a map without
 * variables, results and points. */
tsr_status tsr_map_parse(tsr_map **out, const char *text, tsr_error *err) TSR_NODISCARD;
/* Append the canonical text (variables d0, d1, s0, rt0). Parsing it gives an equal map. */
void tsr_map_print(tsr_text *text, const tsr_map *map);
/* The same for a human reader: a map that is known to have no points (tsr_map_is_known_empty) is printed as
 * KNOWN EMPTY, as XLA does. */
void tsr_map_show(tsr_text *text, const tsr_map *map);
/* Append result r alone, with the given names of the variables (nvars names; NULL: canonical names). */
void tsr_map_print_result(tsr_text *text, const tsr_map *map, int r, const char *const *names);
void tsr_map_free(tsr_map *map);

/* Append C11: `void function(int64_t *result, int64_t i, ...)`, which writes result[0..nresults) for a point
 * of the domain, and `int function_inside(int64_t i, ...)`, which returns whether a point is in the domain.
 * The parameters are the variables, with the names of the map where C allows them. The C code does not check
 * for values beyond int64. TSR_ARGUMENT if `function` is not a C name, TSR_UNSUPPORTED for counters. */
tsr_status tsr_map_emit_c(tsr_text *text, const tsr_map *map, const char *function,
                          tsr_error *err) TSR_NODISCARD;

/* ---- building a map piece by piece (for the format parser, named formats, layouts) ---- */

typedef struct tsr_map_builder tsr_map_builder;
typedef struct tsr_linear tsr_linear; /* an interned expression; owned by the builder, then by the map */

/* A builder for a map with ndims unbounded dims that have the given names (copied; NULL: d0, d1, ...). */
tsr_status tsr_map_builder_new(tsr_map_builder **out, int ndims, const char *const *names,
                               tsr_error *err) TSR_NODISCARD;
void tsr_map_builder_free(tsr_map_builder *builder);
/* Parse one expression at cursor->p in terms of the builder's names; advance the cursor past it. */
tsr_status tsr_map_build_parse(const tsr_linear **out, tsr_map_builder *builder, tsr_cursor *cursor,
                               tsr_error *err) TSR_NODISCARD;
/* Expressions from pieces. Each function returns NULL if memory ran out or a constant does not fit int64, and
 * returns NULL if an operand is NULL (sticky). */
const tsr_linear *tsr_map_build_var(tsr_map_builder *builder, int var);
const tsr_linear *tsr_map_build_const(tsr_map_builder *builder, int64_t c);
const tsr_linear *tsr_map_build_add(tsr_map_builder *builder, const tsr_linear *a, const tsr_linear *b);
const tsr_linear *tsr_map_build_scale(tsr_map_builder *builder, const tsr_linear *a, int64_t k);
const tsr_linear *tsr_map_build_floordiv(tsr_map_builder *builder, const tsr_linear *a, int64_t c);
const tsr_linear *tsr_map_build_mod(tsr_map_builder *builder, const tsr_linear *a, int64_t c);
/* Set the bounds of variable `var` to [lo, hi]. */
void tsr_map_build_bound(tsr_map_builder *builder, int var, int64_t lo, int64_t hi);
/* Build the map with these results; the builder is freed, also on failure. */
tsr_status tsr_map_build_finish(tsr_map **out, tsr_map_builder *builder, int nresults,
                                const tsr_linear *const *results, tsr_error *err) TSR_NODISCARD;

/* ---- queries ---- */

int tsr_map_ndims(const tsr_map *map);
/* number of variables: dims, then range symbols, then runtime symbols */
int tsr_map_nvars(const tsr_map *map);
int tsr_map_nresults(const tsr_map *map);
const char *tsr_map_var_name(const tsr_map *map, int var);
tsr_interval tsr_map_var_bounds(const tsr_map *map, int var);
/* Whether a bound or a constraint is an empty interval, so that the domain is empty. tsr_map_simplify finds
 * more empty domains and then makes a bound empty. */
bool tsr_map_is_known_empty(const tsr_map *map);
/* Whether the domain has constraints beside the bounds of the variables. */
bool tsr_map_is_constrained(const tsr_map *map);
/* An interval that contains result r for all variables in their bounds; exact for sums of digits. */
tsr_interval tsr_map_result_bounds(const tsr_map *map, int r);
/* bounds[r] (nresults entries): an interval that contains result r on the whole domain, including the
 * constraints; exact if the domain has at most about ten thousand points. Empty (lo > hi) if the domain is
 * empty. */
tsr_status tsr_map_image(tsr_interval *bounds, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* The range of result r as coordinates of a level: as tsr_map_result_bounds, except that `x mod c` counts as
 * the whole of [0, c) even if x is smaller, so that a block keeps its shape at a ragged edge. */
tsr_interval tsr_map_level_bounds(const tsr_map *map, int r);
/* Whether the results are a permutation of the dims; then perm[r] = the dim that is result r (nresults
 * entries; may be NULL). */
bool tsr_map_is_permutation(const tsr_map *map, int *perm);
/* k * ((dim floordiv div) mod mod); mod = 0: no mod. */
typedef struct tsr_digit {
    int64_t k, div, mod;
    int dim;
} tsr_digit;
/* Write result r as *constant plus a sum of digits of dims. Returns the number of digits (at most max), -1 if
 * the result is not such a sum or has more digits. */
int tsr_map_result_digits(tsr_digit *digits, int max, int64_t *constant, const tsr_map *map, int r);
/* Bits that move in order: bit i of the ones of `from` in variable var becomes bit i of the ones of `to`. Both
 * have the same number of ones. */
typedef struct tsr_bit_move {
    int var;
    uint64_t from, to;
} tsr_bit_move;
/* Write result r as the sum (without carries) of moves of bits, one for each variable in it, which must be
 * bounded and not negative. Returns the number of moves (at most max), -1 if the result is not such a sum. A key
 * that interleaves the bits of coordinates is such a sum, and so are the coordinates in terms of the key. */
int tsr_map_result_moves(tsr_bit_move *moves, int max, const tsr_map *map, int r);
/* Build result r with the caller's own constructors, bottom-up: constants, variables, and the operations '+'
 * '-' '*', '/' (floordiv by a constant > 0), '%' (mod a constant > 0), '<' (min) and '>' (max). NULL if a
 * constructor returned NULL, and for counters. */
typedef struct tsr_map_fold {
    void *arg;
    const void *(*constant)(void *arg, int64_t c);
    const void *(*var)(void *arg, int var);
    const void *(*apply)(void *arg, char operation, const void *x, const void *y);
} tsr_map_fold;
const void *tsr_map_fold_result(const tsr_map *map, int r, const tsr_map_fold *fold);
bool tsr_map_equal(const tsr_map *a, const tsr_map *b); /* whether the texts are the same except for names */
/* The variables that result r depends on, as bits, including those that a counter counts by. */
uint64_t tsr_map_result_vars(const tsr_map *map, int r);
/* Whether result r contains a counter, so that it cannot be computed from a point alone. */
bool tsr_map_result_counts(const tsr_map *map, int r);
/* Whether result r contains `x mod c`. */
bool tsr_map_result_has_mod(const tsr_map *map, int r);
/* A result of a map, where variable v has the number name[v], 0 to 63 (nvars entries), as its name. */
typedef struct tsr_map_named_result {
    const tsr_map *map;
    int result;
    const int *name;
} tsr_map_named_result;
/* Whether both results are the same expression if variables with the same name are the same variable. */
tsr_status tsr_map_result_same(bool *same, const tsr_map_named_result *a, const tsr_map_named_result *b,
                               tsr_error *err) TSR_NODISCARD;

/* ---- maps from maps ---- */

/* A copy of the map, with its names. */
tsr_status tsr_map_copy(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;

/* A result of a new map: result number `index` of the old map, dim number `index`, or 0. */
typedef enum tsr_map_pick_kind { TSR_PICK_RESULT, TSR_PICK_DIM, TSR_PICK_ZERO } tsr_map_pick_kind;
typedef struct tsr_map_pick {
    tsr_map_pick_kind kind;
    int index;
} tsr_map_pick;
/* A map with the same variables, all of them unbounded and without constraints, and these n results. */
tsr_status tsr_map_pick_results(tsr_map **out, const tsr_map *map, int n, const tsr_map_pick *picks,
                                tsr_error *err) TSR_NODISCARD;

/* The same map with dim i bounded to [0, dims[i] - 1]. dims[i] <= INT64_MAX. A dim of 0 gives an empty
 * domain. */
tsr_status tsr_map_bind(tsr_map **out, const tsr_map *map, const uint64_t *dims,
                        tsr_error *err) TSR_NODISCARD;
/* Simplify the map with the bounds and constraints of its domain. The result is equal on the domain;
 * simplifying it again changes nothing. */
tsr_status tsr_map_simplify(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* The same, except that a variable with only one value stays a variable. */
tsr_status tsr_map_simplify_keeping_points(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* outer after inner: the results of `inner` become the dims of `outer`. TSR_ARGUMENT if their numbers
 * differ. */
tsr_status tsr_map_compose(tsr_map **out, const tsr_map *outer, const tsr_map *inner,
                           tsr_error *err) TSR_NODISCARD;
/* Remove the dims, the symbols or both that no result needs, and the constraints on them if these can be
 * satisfied. removed[v] (nvars flags; may be NULL): variable v was removed. */
tsr_status tsr_map_remove_unused(tsr_map **out, bool *removed, const tsr_map *map, bool dims, bool symbols,
                                 tsr_error *err) TSR_NODISCARD;
/* Replace each range symbol that may only have every m-th value (`s mod m in [r, r]`) by s * m + r;
 * simplified. */
tsr_status tsr_map_rescale_symbols(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* Turn the symbols with the numbers symbols[0..n) into dims, after the dims of the map and in this order.
 * Range symbols are numbered first, then runtime symbols; TSR_ARGUMENT if a symbol is listed twice. */
tsr_status tsr_map_symbols_to_dims(tsr_map **out, const tsr_map *map, int n, const int *symbols,
                                   tsr_error *err) TSR_NODISCARD;
/* Whether both maps have the same domain and the same results on it; variables correspond by number. Decided
 * by simplification, by an inverse, or, for at most some million points, by comparing all points. If the maps
 * differ, `point` (nvars entries; may be NULL) is a point that only one of the domains contains, or at which
 * the results differ: the first such point in row-major order if all points were compared, else any.
 * TSR_ARGUMENT if the maps have different numbers of dims, symbols or results; TSR_UNSUPPORTED if the
 * question could not be decided. */
tsr_status tsr_map_same(bool *same, int64_t *point, const tsr_map *a, const tsr_map *b,
                        tsr_error *err) TSR_NODISCARD;
/* The inverse by digits: a map from the results of this map to its dims, correct wherever this map is
 * defined. The dims must be bounded. TSR_UNSUPPORTED with the reason if the map is not injective ("results `i
 * floordiv 3` and `i mod 2` do not give back i"). Where the inverse gives dims outside their bounds, or where
 * this map does not lead back from those dims, the cell is padding. */
tsr_status tsr_map_invert(tsr_map **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;

/* ---- applying ---- */

/* results[0..nresults) = map(vars[0..nvars)). Slow and simple, for tests and single points. TSR_RANGE if a
 * value leaves int64. */
tsr_status tsr_map_eval(int64_t *results, const tsr_map *map, const int64_t *vars,
                        tsr_error *err) TSR_NODISCARD;

/* Whether the point satisfies the constraints; the bounds of the variables are not checked. TSR_RANGE if a
 * value leaves int64. */
tsr_status tsr_map_satisfies(bool *satisfied, const tsr_map *map, const int64_t *vars,
                             tsr_error *err) TSR_NODISCARD;
/* Whether the point is in the domain: inside the bounds and satisfying the constraints. TSR_RANGE if a value
 * leaves int64. */
tsr_status tsr_map_inside(bool *inside, const tsr_map *map, const int64_t *vars,
                          tsr_error *err) TSR_NODISCARD;

/* A map compiled for arrays: a permutation and a single digit are recognised, any other map is a tape of
 * vector operations over blocks, so that no tree is walked per entry. Immutable: many threads may apply one
 * plan. Division by a constant is a shift or a multiplication with a reciprocal. */
typedef struct tsr_map_plan tsr_map_plan;
enum { TSR_MAP_BLOCK = 1024 };
/* The variables must be bounded so tightly that no intermediate value can leave int64 (else TSR_LIMIT). */
tsr_status tsr_map_plan_new(tsr_map_plan **out, const tsr_map *map, tsr_error *err) TSR_NODISCARD;
void tsr_map_plan_free(tsr_map_plan *plan);
/* The bytes of scratch that one call of tsr_map_plan_apply or tsr_map_plan_inside needs (aligned as by
 * malloc). */
size_t tsr_map_plan_scratch_nbytes(const tsr_map_plan *plan);
/* For e in [0, n), n <= TSR_MAP_BLOCK: out[r][e] = result r of (in[0][e], in[1][e], ...). out[r] may be NULL
 * (not wanted). A result that is a plain variable is copied; tsr_map_plan_alias says which results are. in
 * and out do not overlap. */
void tsr_map_plan_apply(const tsr_map_plan *plan, int64_t *const *out, const int64_t *const *in, size_t n,
                        void *scratch);
/* For e in [0, n), n <= TSR_MAP_BLOCK: inside[e] = 1 if entry e is in the domain of the map (bounds and
 * constraints), else 0. Outside the domain the results of tsr_map_plan_apply are unspecified. */
void tsr_map_plan_inside(const tsr_map_plan *plan, uint8_t *inside, const int64_t *const *in, size_t n,
                         void *scratch);
/* The variable that result r is a copy of, or -1: the caller can then read the input instead. */
int tsr_map_plan_alias(const tsr_map_plan *plan, int r);

#ifdef __cplusplus
}
#endif
#endif
