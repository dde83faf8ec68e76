/* Index notation: A(i,r) = B(i,j,k) * C(j,r) * D(k,r)
 *
 *     statement := access ('=' | REDUCTION '=') sum
 *     REDUCTION := '+' | '*' | 'min' | 'max' | 'or' | 'and' | 'xor'
 *     sum       := product {('+' | '-') product}
 *     product   := unary {('*' | '/') unary}
 *     unary     := '-' unary | primary
 *     primary   := NUMBER | access | variable | '(' sum ')' | FUNCTION '(' sum [',' sum] ')'
 *     access    := NAME ['(' [index {',' index}] ')']
 *     index     := NAME ['(' window ')']
 *     window    := FIRST ',' BEHIND [',' STEP] | '{' COORDINATE {',' COORDINATE} '}'
 *     variable  := a NAME that is an index somewhere in the statement
 *     NAME      := a letter or '_', then letters, digits and '_'
 *     NUMBER    := (digits ['.' [digits]] | '.' digits) [('e' | 'E') ['+' | '-'] digits]
 *
 * Blanks and line ends may stand between tokens. A name without parentheses is a scalar: a tensor of order 0.
 * The operators of one rank go from left to right. FIRST, BEHIND, STEP and COORDINATE are whole NUMBERs.
 *
 * A NUMBER is any decimal form of C (1, 1., .5, 1.e3, 1E-3), rounded to the nearest double, in base ten
 * whatever its leading zeros. Refused: one that overflows, one that is not zero and rounds to it, hexadecimal
 * (0x10), suffixes (1f), digit separators (1_000), an exponent without digits (1e). `inf` and `nan` are
 * names.
 *
 * Meaning: the right side multiplied out is a sum of terms. Each is summed over those of its own variables
 * that are not on the left: a = b(i) + c adds c once, and a(i) = b(i) * (c(i,j) + d(i)) is b(i)*c(i,j) summed
 * over j, plus b(i)*d(i).
 *
 * A variable as a value is its coordinate: a(i) = i*b(i). b(i(2,8,3)) is the vector of b(2) and b(5), b(i({7,0}))
 * that of b(7) and b(0): the variable of a window counts coordinates from 0.
 *
 * `+=` adds to what the result held. `min=` and the others reduce: the right side, in ordinary arithmetic, is
 * worked out for all of its variables; those that are not on the left are reduced, and what the result held
 * takes part.
 *
 * The result may not stand on the right; one name always has one order, and is not both tensor and variable.
 * An index variable of the left must occur on the right, or have its size given. */
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
    TSR_NOTATION_MAX_TENSORS = 32,     /* different tensors, the result too */
    TSR_NOTATION_MAX_TERMS = 256,      /* additive terms after multiplying out */
    TSR_NOTATION_MAX_FACTORS = 64,     /* factors of one term */
    TSR_NOTATION_MAX_NESTING = 256,    /* parentheses and minus signs inside each other */
    TSR_NOTATION_MAX_HEIGHT = 1024,    /* operators on the way from the root of an expression to a leaf */
    TSR_NOTATION_MAX_NBYTES = 1 << 20, /* of text */
};

typedef enum tsr_expr_kind {
    TSR_EXPR_NUMBER,
    TSR_EXPR_ACCESS,
    TSR_EXPR_NEG, /* -a */
    TSR_EXPR_ADD, /* a + b, and so on */
    TSR_EXPR_SUB,
    TSR_EXPR_MUL,
    TSR_EXPR_DIV,
    TSR_EXPR_CALL, /* function(a) or function(a, b) */
    TSR_EXPR_VAR,  /* the coordinate of an index variable */
} tsr_expr_kind;

/* A function of functions.def. A name of that list with a '(' behind it is the function, never a tensor. */
typedef struct tsr_function {
    const char *name;
    int nargs;  /* 1 or 2 */
    bool both;  /* present where all arguments are, else where one is */
    bool whole; /* a whole number where its arguments are */
    double (*value)(double x, double y);
} tsr_function;

/* The coordinates of a mode that an access reads: first, first + step... below behind, or those of a list. */
typedef struct tsr_mode_window {
    uint64_t n; /* of coordinates; 0: there is no window, all are read */
    uint64_t first, behind, step;
    const uint64_t *list; /* n coordinates, each below `behind`; NULL: first, behind and step tell */
} tsr_mode_window;

/* An expression; immutable, owned by its notation. A set of variables or tensors has bit v for number v. */
typedef struct tsr_expr {
    tsr_expr_kind kind;
    uint32_t col;                 /* 1-based byte column in the text: of an operator, its sign */
    const struct tsr_expr *a, *b; /* operands, NULL where the kind has none */
    const tsr_function *function; /* of TSR_EXPR_CALL */
    uint32_t end; /* of TSR_EXPR_CALL, TSR_EXPR_VAR, TSR_EXPR_ACCESS: the column behind its last character */
    uint32_t open,
        close;     /* in parentheses: the column of the outermost '(' and that behind its ')'; else 0 */
    bool has_step; /* it is a call, a variable or an access with windows, or has one in it */
    double number; /* of TSR_EXPR_NUMBER: finite, not negative */
    const char *spelling;              /* of TSR_EXPR_NUMBER: as written */
    int tensor;                        /* of TSR_EXPR_ACCESS: number of the tensor */
    int nindices;                      /* of TSR_EXPR_ACCESS: the tensor's order */
    int index[TSR_NOTATION_MAX_ORDER]; /* of TSR_EXPR_ACCESS: nindices variables; one may repeat; of
                                          TSR_EXPR_VAR: index[0] */
    const tsr_mode_window *window;     /* of TSR_EXPR_ACCESS: nindices windows; NULL: none of them has one */
    int height;                        /* operators down to the farthest leaf, <= TSR_NOTATION_MAX_HEIGHT */
    uint32_t tensors;                  /* the set of tensors that occur in it */
    uint32_t vars;                     /* the set of variables that occur in it */
    uint32_t common;                   /* those of vars that every part of it, multiplied out, has */
} tsr_expr;

typedef struct tsr_notation_tensor {
    const char *name;
    int order;
    uint32_t col; /* where it first stands */
} tsr_notation_tensor;

typedef struct tsr_notation {
    const char *text; /* a copy, one line or more */
    bool accumulate;  /* += and the other reductions: what the result held takes part */
    const struct tsr_semiring
        *reduction;   /* of another reduction than +=: its operation as `add`; else NULL */
    uint32_t rhs_col; /* where the right side begins */
    int ntensors;     /* tensor 0 is the result, the others in order of first use */
    tsr_notation_tensor tensor[TSR_NOTATION_MAX_TENSORS];
    int nvars; /* the left's variables first, in order of first use, then the others in order of first use */
    const char *var[TSR_NOTATION_MAX_VARS];
    uint32_t var_col[TSR_NOTATION_MAX_VARS]; /* where each first stands */
    int nfree;                               /* how many variables stand on the left: var[0..nfree) */
    const tsr_expr *result;                  /* an access of tensor 0 */
    const tsr_expr *rhs;
    struct tsr_arena *arena; /* owns all of the above */
} tsr_notation;

/* Parse and check the names. TSR_SYNTAX: not in the grammar, or something left over behind the expression;
 * TSR_ARGUMENT: names that do not agree; TSR_RANGE: a number that no double comes near; TSR_LIMIT: more of
 * something than the limits above. err->col is the byte of the text that is at fault, counted from 1
 * through its lines. */
tsr_status tsr_notation_parse(tsr_notation **out, const char *text, tsr_error *err) TSR_NODISCARD;
void tsr_notation_free(tsr_notation *notation);
/* Append the canonical text: spaces around operators but * and /, parentheses only where needed; parses back
 * to an equal notation. */
void tsr_notation_print(tsr_text *text, const tsr_notation *notation);
/* Append one expression likewise. */
void tsr_expr_print(tsr_text *text, const tsr_notation *notation, const tsr_expr *expr);
/* The number of the tensor or variable of that name, or -1. */
int tsr_notation_find_tensor(const tsr_notation *notation, const char *name);
int tsr_notation_find_var(const tsr_notation *notation, const char *name);
/* The first access of tensor t: of the result (0) the one on the left, of another the leftmost on the right.
 */
const tsr_expr *tsr_notation_access(const tsr_notation *notation, int t);

/* The variables' sizes from the tensors' dims: size[v] for each variable. dims[t] is NULL where tensor t's
 * dims are unknown (the result's then follow from the sizes), else order entries. given[v] (may be NULL
 * altogether) is a size that the user stated, or 0. TSR_ARGUMENT with both places: "j is 9184 in B but 9000
 * in C"; also for a variable whose size nothing tells. err->col is the second place. */
tsr_status tsr_notation_sizes(uint64_t *size, const tsr_notation *notation, const uint64_t *const *dims,
                              const uint64_t *given, tsr_error *err) TSR_NODISCARD;

/* What two values become, of real or integer type: x + y, x * y, the lesser, the greater, 1 where one of them
 * is not 0 (else 0), 1 where both are not 0, and so on. */
typedef enum tsr_combine {
    TSR_COMBINE_ADD,
    TSR_COMBINE_MUL,
    TSR_COMBINE_MIN,
    TSR_COMBINE_MAX,
    TSR_COMBINE_OR,
    TSR_COMBINE_AND,
    TSR_COMBINE_XOR,    /* 1 where one of them is not 0 and the other is, else 0 */
    TSR_COMBINE_FIRST,  /* x */
    TSR_COMBINE_SECOND, /* y */
    TSR_COMBINE_PAIR    /* 1 */
} tsr_combine;

/* What the notation's + (and the sum over a variable) and * stand for, and the value of what is absent: an
 * infinity is the greatest or the least value of an integer type. */
typedef struct tsr_semiring {
    const char *name;
    tsr_combine add, mul;
    double fill;
} tsr_semiring;
/* plus-times first; a name of NULL at the end. */
extern const tsr_semiring tsr_semirings[];
/* Whether sums in it give 0 or 1 alone, so that one summand counts as x != 0. */
static inline bool tsr_semiring_is_logical(const tsr_semiring *ring)
{
    return ring->add == TSR_COMBINE_OR || ring->add == TSR_COMBINE_AND || ring->add == TSR_COMBINE_XOR;
}
/* The semiring of that name; NULL: plus-times. TSR_ARGUMENT. */
tsr_status tsr_semiring_parse(const tsr_semiring **out, const char *name, tsr_error *err) TSR_NODISCARD;

/* One additive term: sign * product of factors, summed over its variables that are not free. */
typedef struct tsr_factor {
    const tsr_expr *expr; /* an access, a number, a call, or a sum of dense parts: never NEG, MUL or DIV */
    bool inverse;         /* divides instead of multiplying */
} tsr_factor;

typedef struct tsr_term {
    bool negative;
    int nfactors;             /* >= 1 */
    const tsr_factor *factor; /* in order of the text */
    uint32_t tensors;         /* bit t: tensor t occurs in the term */
    uint32_t vars;            /* bit v: variable v occurs in the term */
    uint32_t sum;             /* bit v: variable v is summed over (occurs and is not free) */
} tsr_term;

typedef struct tsr_terms {
    int nterms; /* >= 1 */
    const tsr_term *term;
    struct tsr_arena *arena;
} tsr_terms;

/* The right side as a sum of terms, in order of the text. A product over a sum is multiplied out where the
 * sum holds a tensor of the set `sparse` (bit t: tensor t is stored sparse), or where a part of it lacks a
 * summed variable of another part that the rest of the product lacks too; other sums stay whole factors.
 * TSR_UNSUPPORTED: dividing by a sum with a sparse tensor in it, or by one that would have to be
 * multiplied out; TSR_LIMIT. The notation must outlive the terms. */
tsr_status tsr_notation_terms(tsr_terms **out, const tsr_notation *notation, uint32_t sparse,
                              tsr_error *err) TSR_NODISCARD;
void tsr_terms_free(tsr_terms *terms);

#ifdef __cplusplus
}
#endif
#endif
