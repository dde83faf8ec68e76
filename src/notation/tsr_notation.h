/* Index notation: A(i,r) = B(i,j,k) * C(j,r) * D(k,r)
 *
 * The grammar stands in docs/notation.md; the test python_grammar compares it with the parser.
 *
 * Blanks and line ends may separate tokens. A name without parentheses is a scalar: a tensor of order 0.
 * Operators of the same precedence are evaluated from left to right. Counts, offsets, and the coordinates and
 * steps of windows are whole NUMBERs.
 *
 * A NUMBER is any decimal form of C (1, 1., .5, 1.e3, 1E-3), rounded to the nearest double; leading zeros do
 * not mean octal. Errors: a number that overflows, a nonzero number that rounds to zero, hexadecimal (0x10),
 * suffixes (1f), digit separators (1_000), an exponent without digits (1e). `inf` and `nan` are names.
 *
 * Meaning: the right side multiplied out is a sum of terms. Each term is summed over those of its own
 * variables that are not on the left: a = b(i) + c adds c once, and a(i) = b(i) * (c(i,j) + d(i)) is
 * b(i)*c(i,j) summed over j, plus b(i)*d(i).
 *
 * A variable as a value is its coordinate: a(i) = i*b(i). b(i(2,8,3)) is the vector of b(2) and b(5),
 * b(i({7,0})) the vector of b(7) and b(0): the variable of a window counts coordinates from 0.
 *
 * band(i,j,-1,2) is an operand that is not stored: it is 1 where -1 <= j - i <= 2, and has no entries elsewhere; eye(i,j,k) is 1 where
 * j - i is k (0 if it is left out), tril(i,j,k) where it is at most k, triu(i,j,k) at least k. The sizes of i and j are those of other tensors,
 * and equal where no tensor has one of them.
 *
 * !B(i,j) is a mask: a term with this factor has no entries where B stores one, whatever the value is, and the
 * factor does not change values elsewhere (alone it is 1). B must have a sparse level. !!B(i,j) is the opposite mask: a term
 * with it has entries only where B stores one, and the factor does not change values.
 *
 * c ? a : b is either(when(c, a), unless(c, b)): a where c is not 0, else b; a branch that is the number 0 has no entries. A choice by the
 * difference of two indices, which is 0 somewhere, is a sum of bands times values. A definition, A(i,j) : i + j, is no statement: its
 * right side stands for the accesses of A behind it. Where a text has such a choice or access, the notation is that of another text,
 * which has the bands and formulas (is_rewritten).
 *
 * `|=` tells where the result has entries: `|` and `&` are + and * of the semiring or-and, and the result is a pattern.
 *
 * `+=` adds to the old value of the result. `min=` and the other reductions evaluate the right side, in
 * ordinary arithmetic, for all of its variables, and reduce over those that are not on the left; the old
 * value of the result takes part.
 *
 * An ending leaves entries of the result absent: `where` those at which the condition is 0, `top(10)=` those of each row that are
 * not among the ten largest (`bottom`: least; abs: by absolute values) after `where`. A row has all entries that differ in the last
 * index alone; of equal values the smaller coordinate comes first, and NaNs come last. In a condition the name of the result,
 * without its indices or with them, is the value of the entry; other names are variables of the left, or operands that have no
 * other variables.
 * `p(i) argmax(j)= A(i,j)` computes the right side for all variables of the left and j, and gives the coordinate j of the largest
 * entry (argmin: least) in the same order. Without an entry it is -1 in a dense result, else absent.
 *
 * The result must not occur on the right of the '=' before 'where'; all accesses of a name have the same order; a name is either a
 * tensor or a variable. An index variable of the left must occur on the right, or its size must be given. */
#ifndef TSR_NOTATION_H
#define TSR_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_error.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TSR_NOTATION_MAX_ORDER = 16,       /* indices of one access */
    TSR_NOTATION_MAX_VARS = 32,        /* different index variables */
    TSR_NOTATION_MAX_TENSORS = 32,     /* different tensors, including the result */
    TSR_NOTATION_MAX_TERMS = 256,      /* terms after multiplying out */
    TSR_NOTATION_MAX_FACTORS = 64,     /* factors of one term */
    TSR_NOTATION_MAX_NESTING = 256,    /* nesting of parentheses and minus signs */
    TSR_NOTATION_MAX_HEIGHT = 1024,    /* operators on the path from the root of an expression to a leaf */
    TSR_NOTATION_MAX_NBYTES = 1 << 20, /* bytes of text */
    TSR_NOTATION_MAX_TOP = 1000000,    /* entries of a row that a selection keeps */
    TSR_NOTATION_MAX_STATEMENTS = 16,
};

#define TSR_NOTATION_NO_END INT64_MAX /* of a band without an end */

typedef enum tsr_expr_kind {
    TSR_EXPR_NUMBER,
    TSR_EXPR_ACCESS,
    TSR_EXPR_NEG, /* -a */
    TSR_EXPR_ADD, /* a + b; the others likewise */
    TSR_EXPR_SUB,
    TSR_EXPR_MUL,
    TSR_EXPR_DIV,
    TSR_EXPR_CALL, /* function(a) or function(a, b) */
    TSR_EXPR_VAR,  /* the coordinate of an index variable */
    TSR_EXPR_BAND, /* 1 where low <= index[1] - index[0] <= high, else absent */
} tsr_expr_kind;

/* A function that integers of one type compute without another type: what x and y, or x alone, give. */
typedef enum tsr_exact {
    TSR_EXACT_NONE, /* another function */
    TSR_EXACT_MIN,
    TSR_EXACT_MAX,
    TSR_EXACT_ABS, /* of the least value of the type: itself */
    TSR_EXACT_SAME,
    TSR_EXACT_SIGN,
    TSR_EXACT_LT,
    TSR_EXACT_LE,
    TSR_EXACT_EQ,
    TSR_EXACT_NE,
    TSR_EXACT_GE,
    TSR_EXACT_GT,
    TSR_EXACT_AND,
    TSR_EXACT_OR,
    TSR_EXACT_XOR,
    TSR_EXACT_NOT,
    TSR_EXACT_WHEN,   /* y where x is not 0, else 0 */
    TSR_EXACT_UNLESS, /* y where x is 0, else 0 */
    TSR_EXACT_EITHER  /* x + y */
} tsr_exact;

/* A function of functions.def. A name of that list before a '(' is the function, never a tensor. */
typedef struct tsr_function {
    const char *name;
    int nargs; /* 1 or 2 */
    /* bit k: the value is 0 where argument k is, so it is absent where argument k is; 0: present where at least one
     * argument is, and everywhere if it is not 0 where all are absent */
    unsigned needs;
    bool whole; /* true: a whole number if its arguments are whole numbers */
    tsr_exact exact;
    double (*value)(double x, double y);
    const char *text; /* the value as a C expression of the doubles x and y */
} tsr_function;

/* Functions besides those of functions.def. */
typedef struct tsr_function_list {
    int n;
    const tsr_function *function;
} tsr_function_list;
/* Whether functions.def has a function of that name. */
bool tsr_function_is_known(const char *name);

/* The coordinates of a mode that an access reads: first, first + step... below behind, or those of a list. */
typedef struct tsr_mode_window {
    uint64_t n; /* number of coordinates; 0: there is no window, all coordinates are read */
    uint64_t first, behind, step;
    const uint64_t *list; /* n coordinates, each below `behind`; NULL: use first, behind and step */
} tsr_mode_window;

/* What an access contributes to a product. */
typedef enum tsr_mask {
    TSR_MASK_NONE,   /* the value; the product is absent where the tensor stores no entry */
    TSR_MASK_ABSENT, /* !B(i,j): the product is absent where the tensor stores an entry; no value */
    TSR_MASK_STORED  /* !!B(i,j): the product is absent where the tensor stores no entry; no value */
} tsr_mask;

/* An expression; immutable, owned by its notation. In a set of variables or tensors, bit v stands for number
 * v. */
typedef struct tsr_expr {
    tsr_expr_kind kind;
    uint32_t col; /* 1-based byte column in the text; for an operator the column of its sign */
    const struct tsr_expr *a, *b; /* operands; NULL if the kind has none */
    const tsr_function *function; /* TSR_EXPR_CALL */
    uint32_t
        end; /* TSR_EXPR_CALL, TSR_EXPR_VAR, TSR_EXPR_ACCESS, TSR_EXPR_BAND: the column after the last character */
    uint32_t open,
        close; /* if in parentheses: the column of the outermost '(' and the column after its ')'; else 0 */
    bool
        has_step; /* the expression is a call, a variable, a band or an access with windows, or contains one */
    double number;        /* TSR_EXPR_NUMBER: finite, not negative */
    const char *spelling; /* TSR_EXPR_NUMBER: as written in the text */
    int tensor;           /* TSR_EXPR_ACCESS: number of the tensor */
    int nindices;         /* TSR_EXPR_ACCESS: the order of the tensor; TSR_EXPR_BAND: 2 */
    int64_t low, high;    /* TSR_EXPR_BAND: offsets; -TSR_NOTATION_NO_END, TSR_NOTATION_NO_END: no end */
    /* TSR_EXPR_ACCESS, TSR_EXPR_BAND: nindices variables, which may repeat in an access; TSR_EXPR_VAR: index[0] */
    int index[TSR_NOTATION_MAX_ORDER];
    const tsr_mode_window *window; /* TSR_EXPR_ACCESS: nindices windows; NULL: no windows */
    tsr_mask mask;                 /* TSR_EXPR_ACCESS */
    int height;                    /* operators on the path to the deepest leaf, <= TSR_NOTATION_MAX_HEIGHT */
    uint32_t tensors;              /* the set of tensors that occur in the expression */
    uint32_t vars;                 /* the set of variables that occur in the expression */
    bool has_mask, has_band;       /* the expression is or contains a mask, a band */
    uint32_t common; /* the variables of `vars` that occur in every part of the multiplied-out expression */
} tsr_expr;

/* How many entries of each row `top(10, abs)=` keeps, and which; or the coordinate that `argmax(j)=` gives. */
typedef struct tsr_selection {
    uint64_t n; /* 0: all of them */
    bool least, by_abs;
    bool gives_place; /* the result holds the coordinate of `var` of the first entry in this order; n is 0 */
    int var;
} tsr_selection;

typedef struct tsr_notation_tensor {
    const char *name;
    int order;
    uint32_t col; /* column of the first occurrence */
} tsr_notation_tensor;

typedef struct tsr_notation {
    const char *text; /* a copy of the text, one or more lines */
    bool accumulate;  /* += and the other reductions: the old value of the result takes part */
    const struct tsr_semiring
        *reduction;    /* the operation of a reduction other than +=, as `add`; else NULL */
    bool is_truth;     /* |=: the values are those of the semiring or-and, and the result is a pattern */
    bool spreads;      /* a choice became a sum of bands, of which each is multiplied by its value */
    bool is_rewritten; /* the text is not the given one: columns count in it */
    tsr_selection selection;
    const tsr_expr *
        where; /* NULL: all entries stay; an access of tensor 0, without indices, is the value of the entry */
    const tsr_expr *is_true;   /* |=: `where` and that the value is not 0, which a sparse result needs */
    uint32_t rhs_col, rhs_end; /* column where the right side begins, and the column after its last token */
    int ntensors;              /* tensor 0 is the result, the others are in order of first use */
    tsr_notation_tensor tensor[TSR_NOTATION_MAX_TENSORS];
    /* the variables on the left first, in order of first use, then the others in order of first use */
    int nvars;
    const char *var[TSR_NOTATION_MAX_VARS];
    uint32_t var_col[TSR_NOTATION_MAX_VARS]; /* column of the first occurrence of each variable */
    int nfree;                               /* number of variables on the left: var[0..nfree) */
    const tsr_expr *result;                  /* an access of tensor 0 */
    const tsr_expr *rhs;
    int nstatements;                       /* 0: the text is one statement; else see tsr_program_parse */
    struct tsr_notation *const *statement; /* owned; nstatements */
    struct tsr_arena *arena;               /* owns the memory */
} tsr_notation;

/* Parse and check the names. TSR_SYNTAX: the text does not follow the grammar, or text follows the
 * expression; TSR_ARGUMENT: inconsistent names; TSR_RANGE: a number that a double cannot represent;
 * TSR_LIMIT: one of the limits above. err->col is the byte of the error in the text, counted from 1 across
 * lines. */
tsr_status tsr_notation_parse(tsr_notation **out, const char *text, tsr_error *err) TSR_NODISCARD;
/* The same with further functions (NULL: none), which must outlive the notation. */
tsr_status tsr_notation_parse_with(tsr_notation **out, const char *text, const tsr_function_list *functions,
                                   tsr_error *err) TSR_NODISCARD;
/* The same for one statement or several, separated by ';'. A statement may read the results of those before it; the result of the last
 * one is the result of all. The notation of several has that result, the tensors that no statement makes as its operands, and a
 * right side that is the product of their accesses: it tells names, orders and sizes, not what is computed. An index variable has
 * one size in all statements. Also TSR_ARGUMENT: a tensor that is made twice, read before it is made, or never read. */
tsr_status tsr_program_parse(tsr_notation **out, const char *text, const tsr_function_list *functions,
                             tsr_error *err) TSR_NODISCARD;
void tsr_notation_free(tsr_notation *notation);
/* Append the statements that compute the derivative of a number with respect to an operand, dA, from the one with respect to the
 * result, dy: of y(i) = A(i,j)*x(j), "dA(i,j) = !!A(i,j)*(dy(i)*x(j))". It has entries where the operand has. Values are real, and
 * + and * those of numbers. Of min=, max=, top, bottom and `where` dy counts where the result has chosen; equal values share it. Of
 * several statements the gradients follow from the last to the first. TSR_ARGUMENT: not an operand, or a name is taken;
 * TSR_UNSUPPORTED: another reduction, a window of the operand, a function whose derivative is not known, a gradient that is 0. */
tsr_status tsr_notation_gradient(tsr_text *text, const tsr_notation *notation, const char *operand,
                                 tsr_error *err) TSR_NODISCARD;
/* Append the canonical text: blanks around all operators except * and /, parentheses only where needed. It
 * parses back to an equal notation. */
void tsr_notation_print(tsr_text *text, const tsr_notation *notation);
/* Append what stands between the result and the right side, as " += ", and behind it, as " where C > 2". */
void tsr_notation_print_assignment(tsr_text *text, const tsr_notation *notation);
void tsr_notation_print_where(tsr_text *text, const tsr_notation *notation);
/* Whether entries that the right side has are absent from the result. */
static inline bool tsr_notation_has_ending(const tsr_notation *notation)
{
    return notation->selection.n > 0 || notation->where;
}
/* The condition of one statement, whose operands are tensors of the notation; NULL: it has none, or there are several statements. */
static inline const tsr_expr *tsr_notation_condition(const tsr_notation *notation)
{
    return notation->nstatements > 0 ? NULL : notation->where;
}
/* Whether the right side reads tensor t; else only the condition does. */
static inline bool tsr_notation_computes(const tsr_notation *notation, int t)
{
    return notation->rhs->tensors >> t & 1;
}
/* The variables on the left, as a set. */
static inline uint32_t tsr_notation_free_vars(const tsr_notation *notation)
{
    return (uint32_t)((UINT64_C(1) << notation->nfree) - 1);
}
/* Append one expression in the same form. */
void tsr_expr_print(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr);
/* Append one factor of a product: the same, with parentheses around a sum. */
void tsr_expr_print_factor(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr);
/* The value of an expression that has neither tensors nor variables. */
double tsr_expr_constant(const tsr_expr *expr);
/* The window of mode m of the access; NULL: the access reads all coordinates of the mode. */
static inline const tsr_mode_window *tsr_expr_window(const tsr_expr *access, int m)
{
    return access->window && access->window[m].n > 0 ? &access->window[m] : NULL;
}
/* The coordinate that value c of the variable of a mode with this window reads; NULL: c. */
static inline uint64_t tsr_window_coordinate(const tsr_mode_window *w, uint64_t c)
{
    return !w ? c : w->list ? w->list[c] : w->first + c * w->step;
}
/* Whether an access in the expression has a window; with_list: a window that is a list of coordinates. */
bool tsr_expr_has_window(const tsr_expr *expr, bool with_list);
/* Whether the coordinate of a variable is a value in the expression, which may be NULL: an i64. */
bool tsr_expr_has_coordinate(const tsr_expr *expr);
/* Whether both accesses read the same coordinates of the same tensor; masks are not compared. */
bool tsr_expr_same_access(const tsr_expr *a, const tsr_expr *b);
/* The number of the tensor or variable with that name, or -1. */
int tsr_notation_find_tensor(const tsr_notation *notation, const char *name);
int tsr_notation_find_var(const tsr_notation *notation, const char *name);
/* The first access of tensor t: for the result (0) the access on the left, for another tensor the leftmost on
 * the right, or in the condition. */
const tsr_expr *tsr_notation_access(const tsr_notation *notation, int t);
/* The variables of tensor t in all places where it stands: bit v is variable v. */
uint32_t tsr_notation_tensor_vars(const tsr_notation *notation, int t);
/* The first operand with the most modes, which is the sparse one where one operand is sparse; -1: there are no operands. */
int tsr_notation_largest(const tsr_notation *notation);
/* The first mode of the access that has the index variable, or -1. */
int tsr_expr_mode(const tsr_expr *access, int var);

#define TSR_NOTATION_UNKNOWN UINT64_MAX /* a size that is not known */

/* Compute the size of each variable, size[v], from the dims of the tensors; of an index that only a band has, it is that of the other. dims[t] has one entry per index
 * of tensor t, or is NULL if the dims are unknown (those of the result then follow from the sizes). given[v]
 * is a size that the user gave, or TSR_NOTATION_UNKNOWN; given may be NULL. TSR_ARGUMENT with both places if sizes differ: "j is
 * 9184 in B but 9000 in C"; also if the size of a variable is unknown. err->col is the second place. */
tsr_status tsr_notation_sizes(uint64_t *size, const tsr_notation *notation, const uint64_t *const *dims,
                              const uint64_t *given, tsr_error *err) TSR_NODISCARD;

/* A binary operation on two values of real or integer type: x + y, x * y, minimum, maximum, 1 if at least one
 * is not 0 (else 0), 1 if both are not 0, and so on. */
typedef enum tsr_combine {
    TSR_COMBINE_ADD,
    TSR_COMBINE_MUL,
    TSR_COMBINE_MIN,
    TSR_COMBINE_MAX,
    TSR_COMBINE_OR,
    TSR_COMBINE_AND,
    TSR_COMBINE_XOR,    /* 1 if exactly one of them is not 0, else 0 */
    TSR_COMBINE_FIRST,  /* x */
    TSR_COMBINE_SECOND, /* y */
    TSR_COMBINE_PAIR    /* 1 */
} tsr_combine;

/* A semiring: the meaning of + (and of the sum over a variable) and of *, and the value of absent entries; an
 * infinity stands for the greatest or the least value of an integer type. */
typedef struct tsr_semiring {
    const char *name;
    tsr_combine add, mul;
    double fill;
    bool distributes; /* x*(y + z) = x*y + x*z and (x + y)*z = x*z + y*z for all values */
    bool commutes;    /* x*y = y*x */
} tsr_semiring;
/* Whether x*1 = x for all values. */
static inline bool tsr_semiring_has_one(const tsr_semiring *ring)
{
    return ring->mul == TSR_COMBINE_MUL || ring->mul == TSR_COMBINE_AND;
}
/* All semirings: plus-times first; a name of NULL ends the list. */
extern const tsr_semiring tsr_semirings[];
/* Whether sums give only 0 or 1, so that a sum of one summand x is x != 0. */
static inline bool tsr_semiring_is_logical(const tsr_semiring *ring)
{
    return ring->add == TSR_COMBINE_OR || ring->add == TSR_COMBINE_AND || ring->add == TSR_COMBINE_XOR;
}
/* Whether the ring is that of a reduction, `max=`: what is reduced has the operations of numbers. */
bool tsr_semiring_is_reduction(const tsr_semiring *ring);
/* The semiring with that name; NULL: plus-times. TSR_ARGUMENT for an unknown name. */
tsr_status tsr_semiring_parse(const tsr_semiring **out, const char *name, tsr_error *err) TSR_NODISCARD;

/* One term: sign * product of factors, summed over its variables that are not free. */
typedef struct tsr_factor {
    const tsr_expr *expr; /* an access, a number, a call, or a sum of dense parts; not NEG, MUL or DIV */
    bool inverse;         /* a divisor */
} tsr_factor;

typedef struct tsr_term {
    bool negative;
    int nfactors;             /* >= 1 */
    const tsr_factor *factor; /* in text order */
    uint32_t tensors;         /* bit t: tensor t occurs in the term */
    uint32_t vars;            /* bit v: variable v occurs in the term */
    uint32_t sum;             /* bit v: variable v is summed over (occurs and is not free) */
} tsr_term;

typedef struct tsr_terms {
    int nterms; /* >= 1 */
    const tsr_term *term;
    struct tsr_arena *arena;
} tsr_terms;

/* The right side as a sum of terms, in text order. A product with a sum is multiplied out if the sum contains
 * a tensor of the set `sparse` (bit t: tensor t is stored sparse), or if one of its parts lacks a summed
 * variable of another part that the rest of the product lacks, too; other sums stay whole factors.
 * TSR_UNSUPPORTED: division by a sum that contains a sparse tensor, or by a sum that would have to be
 * multiplied out; TSR_LIMIT. The notation must outlive the terms. */
tsr_status tsr_notation_terms(tsr_terms **out, const tsr_notation *notation, uint32_t sparse,
                              tsr_error *err) TSR_NODISCARD;
void tsr_terms_free(tsr_terms *terms);

#ifdef __cplusplus
}
#endif
#endif
