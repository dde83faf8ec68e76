/* What the files of emit share: the state of one emission. Sticky: the first failure is kept, the rest of the
 * text does not matter then. */
#ifndef EMIT_INTERNAL_H
#define EMIT_INTERNAL_H

#include <stdbool.h>

#include "tsr_arena.h"
#include "tsr_emit.h"

enum {
    EMIT_COLUMNS = 110,
    EMIT_MAX_LANES_LOG2 = 6, /* 64 lanes */
    EMIT_MAX_FACTS = 64,
    EMIT_MAX_SEARCHES = 16 /* different ones; more stay loops */
};

/* Pieces of tsr_rt.h by name. */
typedef enum emit_piece {
#define X(name) EMIT_##name,
#include "pieces.def"
#undef X
    EMIT_NPIECES
} emit_piece;

/* Something used for a type: a piece, a vector type, a helper of a vector type. */
typedef bool emit_type_set[TSR_NTYPES][EMIT_MAX_LANES_LOG2 + 1];

/* How tight an operator of C binds. */
typedef enum emit_prec {
    PREC_ANY,
    PREC_SELECT,
    PREC_OR,
    PREC_AND,
    PREC_EQUAL,
    PREC_LESS,
    PREC_ADD,
    PREC_MUL,
    PREC_PREFIX,
    PREC_ATOM
} emit_prec;

/* less <= more, where the statement being looked at stands. */
typedef struct emit_fact {
    const tsr_ir_expr *less, *more;
} emit_fact;

/* A binary search: the statements from `first` (which declares the position) to `loop`. */
typedef struct emit_search {
    const tsr_ir_stmt *first, *loop;
    const tsr_ir_var *middle;
    const tsr_ir_expr *lo, *hi, *target, *there; /* there: of middle */
} emit_search;

/* A function for searches: its name, and its text from the parameters on. */
typedef struct emit_search_function {
    const char *name, *text;
} emit_search_function;

typedef struct emit {
    const tsr_ir *ir;
    tsr_arena arena;
    tsr_status status;
    tsr_error *err;

    const char **var_name; /* nvars, narrays: the name in C, NULL where the program has none of that number */
    const char **array_name;
    bool *is_used;       /* nvars: something depends on it */
    bool *array_is_used; /* narrays */
    bool *is_natural;    /* nvars: an index that is never negative */
    emit_fact fact[EMIT_MAX_FACTS];
    int nfacts;

    tsr_text line;             /* the statement under construction, without indentation */
    tsr_text body;             /* finished lines */
    int depth;                 /* of indentation */
    bool in_vector;            /* inside a loop that is left to the compiler to vectorise */
    const tsr_ir_array **heap; /* narrays: heap arrays that are allocated here, nheap of them */
    int nheap;
    const char **bound; /* nvars: variables made for bounds of loops that are visible here, nbounds of them */
    int nbounds;

    emit_search_function search[EMIT_MAX_SEARCHES];
    int nsearches;

    emit_type_set piece[EMIT_NPIECES];
    emit_type_set vector; /* types with more than one lane */
    emit_type_set sum, select, divide;
    bool uses_complex, uses_bool, uses_math;
} emit;

void emit_fail(emit *e, tsr_status status, const char *format, ...) TSR_PRINTF(3, 4);
void *emit_alloc(emit *e, size_t n, size_t size);

/* ---- emit_names.c ---- */

/* Names of all variables and arrays that are none of C's or ours. */
void emit_choose_names(emit *e);
/* A name that nothing has, beginning with `name`. */
const char *emit_new_name(emit *e, const char *name);
/* Whether it can be the name of a function. */
bool emit_is_identifier(const char *name);
/* "double", "uint32_t", "f64x8", "bool", "int64_t"; uses the type. */
const char *emit_c_type(emit *e, tsr_ir_type type);
/* "f64", "i32x16". */
const char *emit_type_name(emit *e, tsr_ir_type type);
const char *emit_c_elem(tsr_type type);
/* The k of lanes = 2^k; EMIT_MAX_LANES_LOG2 where they are more. */
int emit_log2_lanes(int lanes);
/* The unsigned type of as many bits as a signed one; else the type itself. */
tsr_type emit_unsigned_of(tsr_type type);
/* The type of comparisons of vectors of that type. */
tsr_ir_type emit_mask_type(tsr_ir_type type);

/* ---- emit_analysis.c ---- */

void emit_analyse(emit *e);
/* Whether an index is never negative, where the statement being looked at stands. */
bool emit_is_natural(const emit *e, const tsr_ir_expr *x);
/* Learn from a condition that holds, and forget what an assignment may change. */
void emit_learn(emit *e, const tsr_ir_expr *condition);
void emit_forget(emit *e, const tsr_ir_var *var);
/* Forget what the statements may change: what is known at the top of a loop's every iteration. */
void emit_forget_assigned(emit *e, const tsr_ir_block *block);
/* Whether the statement does nothing that matters: its variable, or array, is read by nothing and
 * nobody; or nothing in it matters. */
bool emit_is_dead(const emit *e, const tsr_ir_stmt *s);
/* Whether x is the same all through the loop. */
bool emit_is_invariant(const tsr_ir_expr *x, const tsr_ir_stmt *loop);

/* ---- emit_expr.c ---- */

/* Append x to the line; in parentheses when it binds less than `least`. */
void emit_expr(emit *e, const tsr_ir_expr *x, emit_prec least);
/* The same, for a value where its type matters: C must not make an int of a narrower type, nor take a complex
 * number for a real one (-0 + 0 is 0). */
void emit_typed(emit *e, const tsr_ir_expr *x, emit_prec least);
/* The address of an element. */
void emit_address(emit *e, const tsr_ir_array *array, const tsr_ir_expr *index);
/* Whether arithmetic on the type is a function (integers that wrap around), and that function of x and y. */
bool emit_wraps(tsr_ir_type type);
void emit_use(emit *e, emit_piece piece, tsr_ir_type type);
bool emit_is_zero(const tsr_ir_expr *x);

/* ---- emit_stmt.c ---- */

void emit_block(emit *e, const tsr_ir_block *block);
/* The line (broken where it is too long) goes to the body. */
void emit_flush(emit *e);
void emit_comment(tsr_text *out, int indent, const char *text);

/* ---- emit_search.c ---- */

/* Whether the statements from s on are a binary search (or the name of its target, and the search). */
bool emit_find_search(emit_search *out, const emit *e, const tsr_ir_stmt *s);
/* Write the call of its function to the body. False, with nothing written: it has to be written out. */
bool emit_put_search(emit *e, const emit_search *search);
/* Append the functions that are called. */
void emit_put_searches(const emit *e, tsr_text *out);

/* ---- emit_piece.c ---- */

/* Append the includes, vector types and pieces that were used. */
void emit_prelude(emit *e, tsr_text *out, const tsr_emit_options *options);
/* Append one piece that is no model. */
void emit_put_piece(const emit *e, tsr_text *out, emit_piece which);
/* The names that pieces define. */
extern const char *const emit_piece_names[EMIT_NPIECES];

#endif
