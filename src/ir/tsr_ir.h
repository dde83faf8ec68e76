/* The loop program: a small typed language between lowering and C.
 *
 * A program is one function: parameters (indices and arrays) and a body of statements. Types: boolean, index
 * (int64), value (a tsr_type, one lane or a vector of 2, 4, 8... lanes). Arrays hold values, or unsigned
 * integers of 8 to 64 bits (coordinates and positions) that load as indices. Variables are declared once,
 * before use, and live to the end of their block; a name is never used for two things that are visible at one
 * place (the builder adds a number), and those of parameters and heap arrays are used for nothing else at
 * all. Everything lives in the program's arena; expressions are immutable and may be used many times.
 *
 * Meaning. Index arithmetic is exact (an overflow is a fault). floordiv and mod have a positive divisor.
 * Value arithmetic is IEEE's in the value's type, in the order written but for the lanes of a vector and
 * HSUM; integers wrap around, and x / 0 = 0 for them; complex values are multiplied and divided as
 * tsr_rt.h does. All operands of an operation are evaluated (of and, or, select too), so that a load is in range
 * wherever it stands. Two
 * threads of a parallel loop may not touch one element unless both only read it or both store atomically. */
#ifndef TSR_IR_H
#define TSR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsr_text.h"
#include "tsr_type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tsr_ir_kind { TSR_IR_IS_BOOL, TSR_IR_IS_INDEX, TSR_IR_IS_VALUE } tsr_ir_kind;

typedef struct tsr_ir_type {
    tsr_ir_kind kind;
    tsr_type type; /* of a value; never pattern */
    int lanes;     /* 1: a scalar. A boolean of several lanes comes from comparing vectors of `type` */
} tsr_ir_type;

typedef enum tsr_ir_op {
#define X(name, text, nargs, kind) TSR_IR_##name,
#include "ops.def"
#undef X
    TSR_IR_NOPS
} tsr_ir_op;

typedef struct tsr_ir_var {
    const char *name;
    tsr_ir_type type;
    bool is_param;
    bool is_mutable; /* may be assigned after its declaration */
    int number;      /* 0, 1, ... in a program: what analyses index by */
} tsr_ir_var;

typedef enum tsr_ir_place {
    TSR_IR_PARAM,  /* the caller's */
    TSR_IR_LOCAL,  /* automatic: a literal number of elements, 1 or more */
    TSR_IR_HEAP,   /* allocated where it is declared (in no block but the body), freed at the end */
    TSR_IR_OUTPUT, /* a parameter through which the program hands over an array that it allocates: like HEAP,
                     but when the program has succeeded the array is the caller's */
    TSR_IR_PART /* one part of an output that is put together from parts: declared in the body, or in that of
                     a parallel loop, empty; RESERVE makes it longer */
} tsr_ir_place;

typedef struct tsr_ir_expr tsr_ir_expr;

typedef struct tsr_ir_array {
    const char *name;
    bool is_index; /* holds unsigned integers that load as indices; else values */
    tsr_type elem; /* TSR_U8, U16, U32 or U64 of an index array; a value type (pattern: bytes, 1 = stored,
                      that load as 0 or 1 of the type asked for) */
    bool is_const; /* parameters: only read */
    tsr_ir_place place;
    const tsr_ir_expr *length; /* elements, an index expression; NULL: a parameter whose length is not said,
                                  or an output that no statement has allocated yet */
    int number;                /* 0, 1, ... in a program */
    const struct tsr_ir_array *whole; /* PART: the output */
} tsr_ir_array;

struct tsr_ir_expr {
    tsr_ir_op op;
    tsr_ir_type type;
    /* ADD..NOT: the operands. LOAD: arg[0] the index of the (first) element. SELECT: boolean, then, else, all
     * three evaluated; vectors with a boolean of one lane or of as many. CONVERT: a value (or index) to type:
     * all but complex to real and real to integer. SPLAT: a scalar to all lanes. HSUM: the sum of the lanes,
     * those of the lower half added to those of the upper half until one is left. */
    const tsr_ir_expr *arg[3];
    int64_t index;         /* INDEX: the constant; of a boolean type 0 or 1 */
    double value;          /* VALUE: the constant, converted to the type (one lane) */
    const tsr_ir_var *var; /* VAR */
    const tsr_ir_array
        *array;        /* LOAD: type.lanes consecutive elements from arg[0] on, converted to type.type */
    int depth, nnodes; /* operations inside each other (at most 1000), and in all */
};

/* The kinds of stmts.def:
 *
 *   DECLARE    var = expr
 *   ASSIGN     var = expr, or var += expr
 *   STORE      array[index] = expr, or +=; expr has the array's element type and may be a vector. An array of
 *              indices takes an index that fits its elements
 *   FOR        for var in [lo, hi): body; lo and hi are taken once, before
 *   WHILE      while expr: body
 *   IF         if expr: body, else: other
 *   ARRAY      declare a local or heap array, or allocate an output
 *   SORT       put the elements [lo, hi) of an array of indices into rising order; nothing where hi <= lo
 *   PARTS      an output will consist of expr parts, numbered from 0; in no block but the body. ARRAY then
 *              declares a part: number index of its output
 *   RESERVE    a part has room for at least expr elements from now on; those that it had are kept
 *   GIVE       the part is its elements [lo, hi); nothing is done with the array after that
 *   JOIN       allocate an output: its parts, all of which were given, one after the other
 *   PREFETCH   array[index] will be wanted soon; the index may be out of range
 *   COMMENT */
typedef enum tsr_ir_stmt_kind {
#define X(NAME, name, text) TSR_IR_##NAME,
#include "stmts.def"
#undef X
    TSR_IR_NSTMTS
} tsr_ir_stmt_kind;

typedef struct tsr_ir_stmt tsr_ir_stmt;

/* A list of statements. */
typedef struct tsr_ir_block {
    tsr_ir_stmt *first, *last;
} tsr_ir_block;

/* Marks of a loop. */
typedef enum tsr_ir_mark {
    TSR_IR_PARALLEL = 1, /* iterations run at once on up to hi - lo threads; never inside another such loop */
    TSR_IR_VECTOR =
        2, /* iterations are independent but for sums into a scalar (var += ...): may become vectors */
    TSR_IR_UNROLL = 4, /* literal trip count: worth unrolling whole */
} tsr_ir_mark;

struct tsr_ir_stmt {
    tsr_ir_stmt *next;
    tsr_ir_stmt_kind kind;
    bool add;                   /* ASSIGN, STORE: += */
    bool atomic;                /* STORE with add, one lane: other threads may add to the element */
    bool zeroed;                /* ARRAY: starts as zeros, else undefined */
    bool write;                 /* PREFETCH: to be written */
    unsigned marks;             /* FOR: tsr_ir_mark bits */
    const tsr_ir_var *var;      /* DECLARE, ASSIGN, FOR */
    const tsr_ir_array *array;  /* STORE, ARRAY, SORT, PREFETCH, PARTS, RESERVE, GIVE, JOIN */
    const tsr_ir_expr *index;   /* STORE, PREFETCH; ARRAY of a part: the part's number */
    const tsr_ir_expr *lo, *hi; /* FOR, SORT, GIVE */
    const tsr_ir_expr *expr; /* DECLARE, ASSIGN, STORE: the value; WHILE, IF: the condition; PARTS, RESERVE */
    tsr_ir_block body;       /* FOR, WHILE, IF */
    tsr_ir_block other;      /* IF: else, may be empty */
    const char *text;        /* COMMENT: one or more lines, without comment signs */
};

/* A parameter: exactly one of the two is set. */
typedef struct tsr_ir_param {
    const tsr_ir_var *var; /* an index, never negative */
    const tsr_ir_array *array;
} tsr_ir_param;

typedef struct tsr_ir {
    const char *name;   /* of the function */
    const char *header; /* the comment at its top: what it computes and what it is specialised for */
    int nparams;
    const tsr_ir_param *param; /* in order of the signature */
    int nvars, narrays;        /* numbers given out */
    tsr_ir_block body;
    struct tsr_ir_builder *builder; /* owns everything */
} tsr_ir;

/* ---- building: sticky; a builder that ran out of memory or was used wrongly builds nothing, and finish
 * tells ---- */

typedef struct tsr_ir_builder tsr_ir_builder;

tsr_ir_builder *tsr_ir_builder_new(const char *name); /* NULL: no memory; all calls below take NULL */
void tsr_ir_builder_free(tsr_ir_builder *b);
/* Hand the program over; the builder is used up, on failure too. The program is verified: TSR_ARGUMENT with
 * the fault (a bug in the caller), TSR_NOMEM. */
tsr_status tsr_ir_finish(tsr_ir **out, tsr_ir_builder *b, const char *header, tsr_error *err) TSR_NODISCARD;
void tsr_ir_free(tsr_ir *ir);

/* Parameters, in order. Names are copied, here and everywhere. */
const tsr_ir_expr *tsr_ir_index_param(tsr_ir_builder *b, const char *name);
const tsr_ir_array *tsr_ir_array_param(tsr_ir_builder *b, const char *name, bool is_index, tsr_type elem,
                                       bool is_const, const tsr_ir_expr *length);
/* An output: it is there from tsr_ir_output_new on, which every program must call once for each. */
const tsr_ir_array *tsr_ir_output_param(tsr_ir_builder *b, const char *name, bool is_index, tsr_type elem);

/* Expressions; their types are checked as they are built. They fold constants and neutral elements of indices
 * (x + 0, x * 1, 0 * x, (x + 2) + 3, x + (y + 2), min(x, x)), of booleans, and 1 * v, v * 1 of values;
 * nothing else of values. */
const tsr_ir_expr *tsr_ir_index(tsr_ir_builder *b, int64_t c);
const tsr_ir_expr *tsr_ir_bool(tsr_ir_builder *b, bool c);
const tsr_ir_expr *tsr_ir_value(tsr_ir_builder *b, tsr_ir_type type, double c);
/* Any operation of ops.def with two (one: y = NULL) operands; a scalar value beside a vector is splat. */
const tsr_ir_expr *tsr_ir_op2(tsr_ir_builder *b, tsr_ir_op op, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_add(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_sub(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_mul(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_select(tsr_ir_builder *b, const tsr_ir_expr *c, const tsr_ir_expr *x,
                                 const tsr_ir_expr *y);
/* array[index] as an index, or as a value of type `as` (converted from the array's). */
const tsr_ir_expr *tsr_ir_load_index(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index);
const tsr_ir_expr *tsr_ir_load_value(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                                     tsr_ir_type as);
const tsr_ir_expr *tsr_ir_convert(tsr_ir_builder *b, const tsr_ir_expr *x, tsr_ir_type type);
/* A scalar value to so many lanes (1: x itself). */
const tsr_ir_expr *tsr_ir_splat(tsr_ir_builder *b, const tsr_ir_expr *x, int lanes);
const tsr_ir_expr *tsr_ir_hsum(tsr_ir_builder *b, const tsr_ir_expr *x);

/* Statements are added to the innermost open block. */
/* A constant, or a variable that can be assigned; the expression that reads it. */
const tsr_ir_expr *tsr_ir_declare(tsr_ir_builder *b, const char *name, const tsr_ir_expr *x, bool is_mutable);
void tsr_ir_assign(tsr_ir_builder *b, const tsr_ir_expr *var, const tsr_ir_expr *x, bool add);
/* A value x is converted to the array's element type. */
void tsr_ir_store(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                  const tsr_ir_expr *x, bool add, bool atomic);
/* A local array of n elements (n literal; 0 counts as 1), or a heap array: of values, or (the second) of
 * indices in elements of TSR_U8, U16, U32 or U64. */
const tsr_ir_array *tsr_ir_array_new(tsr_ir_builder *b, const char *name, tsr_type elem, tsr_ir_place place,
                                     const tsr_ir_expr *n, bool zeroed);
const tsr_ir_array *tsr_ir_index_array_new(tsr_ir_builder *b, const char *name, tsr_type elem,
                                           tsr_ir_place place, const tsr_ir_expr *n, bool zeroed);
/* Allocate an output parameter: n elements. In no block but the body. */
void tsr_ir_output_new(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *n, bool zeroed);
/* An output of n parts; part number t of it; room for n elements in a part; the part is its elements [lo, hi);
 * the output is its parts. */
void tsr_ir_parts(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *n);
const tsr_ir_array *tsr_ir_part_new(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *t);
void tsr_ir_reserve(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *n);
void tsr_ir_give(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *lo, const tsr_ir_expr *hi);
void tsr_ir_join(tsr_ir_builder *b, const tsr_ir_array *output);
void tsr_ir_sort(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *lo, const tsr_ir_expr *hi);
void tsr_ir_prefetch(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index, bool write);
void tsr_ir_comment(tsr_ir_builder *b, const char *format, ...) TSR_PRINTF(2, 3);
/* Open a block; tsr_ir_end closes the innermost. The loop's variable is returned. */
const tsr_ir_expr *tsr_ir_for(tsr_ir_builder *b, const char *name, const tsr_ir_expr *lo,
                              const tsr_ir_expr *hi, unsigned marks);
void tsr_ir_while(tsr_ir_builder *b, const tsr_ir_expr *condition);
void tsr_ir_if(tsr_ir_builder *b, const tsr_ir_expr *condition);
void tsr_ir_else(tsr_ir_builder *b); /* closes the if's block and opens the else's */
void tsr_ir_end(tsr_ir_builder *b);
/* First free index q in [lo, hi] such that f(q) >= target, f not falling on [lo, hi) (hi when there is none):
 * a binary search written out as a while loop. f gives the expression of f at an index expression. */
typedef const tsr_ir_expr *(*tsr_ir_function_of)(tsr_ir_builder *b, void *arg, const tsr_ir_expr *q);
const tsr_ir_expr *tsr_ir_search(tsr_ir_builder *b, const char *name, const tsr_ir_expr *lo,
                                 const tsr_ir_expr *hi, const tsr_ir_expr *target, tsr_ir_function_of f,
                                 void *arg);

static inline tsr_ir_type tsr_ir_value_type(tsr_type type)
{
    const tsr_ir_type t = {TSR_IR_IS_VALUE, type, 1};
    return t;
}

/* ---- using ---- */

/* Append the program as text, for people and golden tests. */
void tsr_ir_print(tsr_text *text, const tsr_ir *ir);
/* Types, scopes, declarations before use, no store into a const array, marks where they may stand:
 * TSR_ARGUMENT with the first fault. */
tsr_status tsr_ir_verify(const tsr_ir *ir, tsr_error *err) TSR_NODISCARD;

/* The same program with loops marked VECTOR written as vectors of `nbytes` bytes and less (64, 32 or 16; 0: a
 * copy as it is). A loop becomes vectors when its body declares constants, stores (not atomically), sums into
 * scalars that it does not read, prefetches, and nothing else; its values are real or integer (integers not
 * divided; complex stay scalar); every load of a value and every store is at (something invariant) + the
 * loop's variable, directly or by an index constant declared in the body; select chooses by a comparison of
 * values of its own type. Other loops stay as they are. The lanes of all are as many as the widest type of a
 * value or array in any of them has in `nbytes`; arrays of narrower elements are loaded as half vectors and
 * converted.
 *   - A literal trip count of up to 16 vectors is written out: whole vectors, halves of them down to 16 bytes,
 *     scalars (10 f64: 8 + 2). Longer or not literal: a loop of vectors, and one of the rest.
 *   - A local array of up to 16 vectors that is only stored into by such written-out loops over its whole length,
 *     at the loop's variable, becomes variables (row0, row1...: accumulators in registers). Where something else
 *     loads from it (an atomic sum, say), it is stored to memory before.
 *   - A sum into a scalar goes into up to 4 vectors, added up (HSUM) after the outermost statement around it that
 *     does nothing to the scalar but add. So sums of floats are rounded otherwise.
 * No mark VECTOR is left. A vectorised program may be vectorised again: nothing changes. TSR_ARGUMENT for other
 * nbytes, TSR_NOMEM. */
tsr_status tsr_ir_vectorize(tsr_ir **out, const tsr_ir *ir, int nbytes, tsr_error *err) TSR_NODISCARD;

/* Whether the program has heap arrays. */
bool tsr_ir_takes_memory(const tsr_ir *ir);
/* The bytes of the heap arrays whose lengths follow from the index parameters alone; a double: a length may be
 * over 2^63. args: nparams; the values of the index parameters, < 0 for those that are not known. TSR_NOMEM. */
tsr_status tsr_ir_memory(double *nbytes, const tsr_ir *ir, const int64_t *args, tsr_error *err) TSR_NODISCARD;

/* An argument for the interpreter: n for an index; for an array its data, and n > 0 its length in elements
 * where the program does not say that; for an output data is a tsr_ir_output. */
typedef struct tsr_ir_arg {
    int64_t n;
    void *data;
} tsr_ir_arg;
/* What a program hands over: n elements, the caller's to free (tsr_alloc.h). All 0 before, and after a run
 * that failed. */
typedef struct tsr_ir_output {
    void *data;
    int64_t n;
} tsr_ir_output;
/* Run the program: the oracle for everything compiled, and what runs where there is no compiler (some 20 to
 * 50 times slower). The iterations of a parallel loop run in order. Checked: every index against its array's
 * length (where it is known), index arithmetic against overflow, two iterations of a parallel loop of 2 or
 * more touching one element (of up to 2^26). Elements that start undefined are bytes of 255. args: nparams;
 * arrays are aligned for their elements. TSR_CORRUPT with the statement for those faults; TSR_ARGUMENT for an
 * argument that cannot be; TSR_NOMEM; TSR_CANCELLED after max_steps statements (0: no bound; counted per
 * round of a loop). */
tsr_status tsr_ir_run(const tsr_ir *ir, const tsr_ir_arg *args, uint64_t max_steps,
                      tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
