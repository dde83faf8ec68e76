/* The loop program: a small typed language between lowering and C.
 *
 * A program is one function: parameters (indices and arrays) and a body of statements. Types: boolean, index
 * (int64), value (a tsr_type; one lane, or a vector of 2, 4, 8... lanes). Arrays hold values, or unsigned
 * integers of 8 to 64 bits (coordinates and positions) that load as indices. A variable is declared once,
 * before its use, and lives to the end of its block. Two things that are visible at the same place have
 * different names (the builder adds a number); the names of parameters and heap arrays are not used for
 * anything else. The arena of the program owns everything; expressions are immutable and may be used many
 * times.
 *
 * Meaning: index arithmetic is exact (an overflow is an error). floordiv and mod have a positive divisor; x bit k
 * is bit k, from 0 to 62, of x >= 0. An element of 64 bits that are all set loads as -1.
 * Value arithmetic follows IEEE 754 in the type of the value, in the written order except for the lanes of a
 * vector and HSUM; integers wrap around, and integer x / 0 = 0; complex values are multiplied and divided as
 * in tsr_rt_values.h. All operands of an operation are evaluated (also those of and, or, select), so every load must
 * be in range. Two threads of a parallel loop must not access one element unless both only read it or both
 * store atomically. */
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
    tsr_type type; /* type of a value; never pattern, f16 or bf16 */
    int lanes;     /* 1: a scalar. A boolean of several lanes is the result of comparing vectors of `type` */
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
    int number;      /* 0, 1, ... in a program; the index in tables of analyses */
} tsr_ir_var;

typedef enum tsr_ir_place {
    TSR_IR_PARAM, /* the memory of the caller */
    TSR_IR_LOCAL, /* automatic: a literal number of elements, 1 or more */
    /* allocated where it is declared (only in the body, not in an inner block), freed at the end */
    TSR_IR_HEAP,
    /* a parameter: the program allocates the array as for HEAP; if it succeeds, the caller owns the array */
    TSR_IR_OUTPUT,
    /* where a thread appends to an output that consists of pieces: declared, empty, in the body or in the body of a
     * parallel loop; RESERVE makes it longer; GIVE makes its elements a piece of the output, and empties it */
    TSR_IR_PART
} tsr_ir_place;

typedef struct tsr_ir_expr tsr_ir_expr;

typedef struct tsr_ir_array {
    const char *name;
    bool is_index; /* stores unsigned integers that load as indices; else values */
    /* index array: TSR_U8, U16, U32 or U64; else a value type (pattern: bytes, 1 = stored, which load as 0 or
     * 1 of the requested type; f16, bf16: only read, too) */
    tsr_type elem;
    bool is_const; /* a parameter that is only read */
    tsr_ir_place place;
    /* number of elements, an index expression; NULL: a parameter of unknown length, or an output that no
     * statement has allocated yet */
    const tsr_ir_expr *length;
    int number;                       /* 0, 1, ... in a program */
    const struct tsr_ir_array *whole; /* PART: the output */
} tsr_ir_array;

/* A function of doubles without side effects. */
typedef struct tsr_ir_function {
    const char *name; /* letters, digits and '_' */
    int nargs;        /* 1 or 2 */
    const char *text; /* the value as a C expression of the doubles x and y, with the functions of math.h */
    double (*value)(double x, double y);
} tsr_ir_function;

struct tsr_ir_expr {
    tsr_ir_op op;
    tsr_ir_type type;
    /* ADD..NOT: the operands. GATHER: the bits of the first at the ones of the second, a constant, moved
     * together; neither is negative. MASK: the bits that both have; neither is negative. MIX: (x * y mod 2^64) / 4. LOAD: arg[0] is the index of the (first) element. SELECT: boolean, then, else,
     * all three evaluated; for vectors the boolean has one lane or as many as the vectors. CONVERT: a value
     * (or index) to `type`: all conversions except complex to real; a real that becomes an integer fits. SPLAT: a scalar to
     * all lanes. HSUM: the sum of the lanes, computed by adding the upper half to the lower half until one
     * lane is left. CALL: the function of two doubles; of one double and an operand that is not used. PICK and
     * BELOW have vectors only, and read consecutive elements of an array of indices from arg[0] on, c[0], c[1]...:
     * PICK: lane l is array[min(c[l], arg[1])]; BELOW: lane l is c[l] < arg[1]. */
    const tsr_ir_expr *arg[3];
    int64_t index;         /* INDEX: the constant; boolean: 0 or 1 */
    double value;          /* VALUE: the constant, converted to the type (one lane) */
    const tsr_ir_var *var; /* VAR: the variable */
    const tsr_ir_array
        *array; /* LOAD: type.lanes consecutive elements from arg[0] on, converted to type.type. PICK */
    const tsr_ir_array *by;          /* PICK, BELOW: the array of indices, of at most 32 bits */
    const tsr_ir_function *function; /* CALL */
    int depth, nnodes;               /* nesting of operations (at most 1000), and their number */
};

/* The kinds of stmts.def:
 *
 *   DECLARE    var = expr
 *   ASSIGN     var = expr, or var += expr
 *   STORE      array[index] = expr, or +=; expr has the element type of the array and may be a vector. An
 *              array of indices takes an index that fits its elements
 *   FOR        for var in [lo, hi): body; lo and hi are evaluated once, before the loop
 *   WHILE      while expr: body
 *   IF         if expr: body, else: other
 *   ARRAY      declare a local or heap array, or allocate an output
 *   SORT       sort the elements [lo, hi) of an array of indices in ascending order; nothing if hi <= lo
 *   TAKE       write the numbers i - range[0] of the elements i in [lo, hi) of from[0] that are not 0 to array, from
 *              element `index` on, in rising order; set these elements to 0; from[1][0] = how many there were. Up to
 *              TSR_IR_SLACK elements of array after the last one become undefined
 *   MATCH      find pairs of equal elements of from[0] in [range[0], range[1]) and of from[1] in [range[2], range[3]),
 *              both in rising order without repetition. array[0] = the number of pairs, at most (length - 3) / 2;
 *              array[1] and array[2] = where the search stopped in each list: no pair before is left out, and one of
 *              them is the end of its range unless array is full; then the places of the pairs in from[0], and
 *              from (length - 3) / 2 elements later on those in from[1]
 *   UNITE      append the sum of two sparse rows: the elements of from[0] in [range[0], range[1]) and of from[1] in
 *              [range[2], range[3]), both in rising order without repetition, to array from element `index` on, each
 *              once, in rising order; to from[4], from the same element on, the element of from[2], times range[4], or of
 *              from[3], times range[5], at the place of the coordinate, and their sum where both lists have it;
 *              from[5][0] = the number of coordinates. All values have one type, which tsr_type_is_word; range[4] and
 *              range[5] are values of this type, or NULL: 1
 *   INTERSECT  the same, of the coordinates that both rows have: the element of from[2] times that of from[3]; range[4] and
 *              range[5] are NULL
 *   MULTIPLY   append the product of a sparse row and the rows of a sparse matrix: for q in [range[0], range[1]) and p in
 *              [from[6][k], from[6][k + 1]), k = from[0][q], the products from[2][q] * from[3][p] (f64) at the
 *              coordinates from[1][p] are added, in this order. The coordinates are in [range[2], range[3]); there are at
 *              most range[5] products. array, index, from[4] and from[5] as in UNITE. Either the range has at most
 *              TSR_IR_NARROW coordinates, and from[7] to from[9] are NULL. Or from[7] (f64), from[8] (u8) and from[9] (u32)
 *              are a workspace with an element range[4] + c for each coordinate c: from[7] is -0.0 and from[8] 0 there,
 *              before and after; up to TSR_IR_SLACK elements of array after the last one become undefined. Then the products are
 *              marked where the range has at most range[6] coordinates for each of them, else listed if they are at most
 *              range[7], at most 1024: the way changes the time alone
 *   PARTS      an output will be joined from lo pieces, which threads append to expr parts; both are numbered from 0.
 *              hi: about how many elements all pieces have; 0: unknown. Only in the body. ARRAY then declares a part:
 *              number `index` of its output
 *   RESERVE    make room for at least expr elements in a part, or in an output outside parallel loops; its elements are kept
 *   TRIM       an output, which was allocated with more room, has expr elements. Only in the body
 *   GIVE       elements [lo, hi) of the part become piece number `index` of its output, and the part is empty again
 *   JOIN       allocate an output from its pieces, in order; all of them must have been given
 *   SHIFT      array has the positions of n = range[2] pieces of an output, each counted from the begin of its piece. The numbers
 *              from[0][range[0] + p], of the entries of piece p, become the numbers of the entries of the pieces before p, for p
 *              in [0, n]; element q + 1 of array is raised by that of the piece p that has q: q in [range[3] * b[p],
 *              range[3] * b[p + 1]), b[p] = from[0][range[1] + p]. On expr threads. Only in the body
 *   PREFETCH   array[index] will be accessed soon; the index may be out of range
 *   COMMENT */
typedef enum tsr_ir_stmt_kind {
#define X(NAME, name, text) TSR_IR_##NAME,
#include "stmts.def"
#undef X
    TSR_IR_NSTMTS
} tsr_ir_stmt_kind;

typedef struct tsr_ir_stmt tsr_ir_stmt;

enum { TSR_IR_SLACK = 16, TSR_IR_MAX_FROM = 10, TSR_IR_MAX_RANGE = 8, TSR_IR_NARROW = 32 };

/* A list of statements. */
typedef struct tsr_ir_block {
    tsr_ir_stmt *first, *last;
} tsr_ir_block;

/* Marks of a loop. */
typedef enum tsr_ir_mark {
    /* iterations run at once on up to hi - lo threads; never inside another parallel loop */
    TSR_IR_PARALLEL = 1,
    TSR_IR_VECTOR =
        2, /* iterations are independent except for sums into a scalar (var += ...): may become vectors */
    TSR_IR_UNROLL = 4, /* literal trip count: worth unrolling completely */
    /* from 0 on: the next number of the loop is the one element of `array`, which the loop then raises by one. So all
     * iterations of the enclosing parallel loop that run such a loop share the numbers, and each iteration gets rising
     * numbers */
    TSR_IR_TAKEN = 8,
    /* FOR: asks the pass of the same name (src/passes) for other loops */
    TSR_IR_GROUPS = 16,
    TSR_IR_LANES = 32,
    TSR_IR_RUNS = 64,
} tsr_ir_mark;

struct tsr_ir_stmt {
    tsr_ir_stmt *next;
    tsr_ir_stmt_kind kind;
    bool add;       /* ASSIGN, STORE: += instead of = */
    bool atomic;    /* STORE with add, one lane: other threads may add to the element at the same time */
    bool zeroed;    /* ARRAY: starts as zeros, else undefined */
    bool write;     /* PREFETCH: for writing */
    bool is_enough; /* RESERVE: the array never has more elements before it is given */
    unsigned marks; /* FOR: tsr_ir_mark bits */
    int64_t each;   /* FOR with GROUPS, LANES: iterations at a time */
    const tsr_ir_var *var; /* DECLARE, ASSIGN, FOR */
    /* STORE, ARRAY, SORT, TAKE, MATCH, UNITE, INTERSECT, MULTIPLY, PREFETCH, PARTS, RESERVE, GIVE, JOIN, TRIM, SHIFT; FOR with TAKEN */
    const tsr_ir_array *array;
    /* STORE, PREFETCH, TAKE, UNITE, INTERSECT, MULTIPLY; ARRAY of a part: the number of the part; GIVE: of the piece; FOR with
     * LANES: the last place of arrays that are read where a list says */
    const tsr_ir_expr *index;
    /* FOR, SORT, TAKE, GIVE; PARTS: lo: the number of pieces, hi: about how many elements they have */
    const tsr_ir_expr *lo, *hi;
    const tsr_ir_array *from
        [TSR_IR_MAX_FROM]; /* SHIFT: one; TAKE, MATCH: two; UNITE, INTERSECT: six; MULTIPLY: seven or ten */
    const tsr_ir_expr *range
        [TSR_IR_MAX_RANGE]; /* MATCH, SHIFT: four; UNITE: six; INTERSECT: four; MULTIPLY: four or eight; TAKE: one */
    const tsr_ir_expr
        *expr;         /* DECLARE, ASSIGN, STORE: the value; WHILE, IF: the condition; PARTS, RESERVE, TRIM */
    tsr_ir_block body; /* FOR, WHILE, IF */
    tsr_ir_block other; /* IF: else, may be empty */
    const char *text;   /* COMMENT: one or more lines, without comment signs */
};

/* A parameter: either var or array is set. */
typedef struct tsr_ir_param {
    const tsr_ir_var *var; /* an index, not negative */
    const tsr_ir_array *array;
} tsr_ir_param;

/* What memory a program asks for ahead of its use, which the pass `prefetches` (src/passes) carries out: accesses of `array` whose
 * place depends on list[p] are prefetched for the position p + ahead, where list[p] is loaded. */
typedef struct tsr_ir_fetch {
    struct tsr_ir_fetch *next;
    const tsr_ir_array *array;
    const tsr_ir_array *
        list; /* of indices; NULL: `array` is read in order, and is prefetched `ahead` elements later: in loops of
                                 literal length for the whole loop, else (each) in each step */
    const tsr_ir_expr *last;    /* the last position of the list */
    const tsr_ir_array *beside; /* accessed at the same places; NULL: there is none */
    int ahead;
    int nlines; /* cache lines of 64 bytes, at most, from the first element on that the loops inside access */
    bool write; /* the elements are written */
    bool each;
    bool once; /* in loops of other lengths, too: one line, before the loop */
} tsr_ir_fetch;

typedef struct tsr_ir {
    const char *name;   /* name of the function */
    const char *header; /* the comment at the top of the function: what it computes and for which case */
    int nparams;
    const tsr_ir_param *param; /* in the order of the signature */
    int nvars, narrays;        /* numbers of variables and arrays */
    bool rounds_products;      /* a product is rounded before it is added to a sum: compiled code has no fused
                             multiply-add, as the interpreter has none */
    tsr_ir_block body;
    const tsr_ir_fetch *fetch; /* in the order in which they were asked for */
    int vector_nbytes; /* of the vectors that the pass `vectors` makes of loops that are marked; 0: it makes none */
    struct tsr_ir
        *plain; /* the program before that pass, which tsr_ir_free frees, too; NULL: it has made no vectors */
    struct tsr_ir_builder *builder; /* owns the memory */
} tsr_ir;

/* ---- building: sticky; after an error the builder builds nothing, and tsr_ir_finish returns the error
 * ---- */

typedef struct tsr_ir_builder tsr_ir_builder;

/* NULL: out of memory; the functions below accept NULL */
tsr_ir_builder *tsr_ir_builder_new(const char *name);
void tsr_ir_builder_free(tsr_ir_builder *b);
/* Return the finished program; the builder is freed, also on failure. The program is verified: TSR_ARGUMENT
 * with the error (a bug in the caller), TSR_NOMEM. */
tsr_status tsr_ir_finish(tsr_ir **out, tsr_ir_builder *b, const char *header, tsr_error *err) TSR_NODISCARD;
void tsr_ir_free(tsr_ir *ir);

/* Set vector_nbytes: 64, 32, 16 or 0. */
void tsr_ir_ask_vectors(tsr_ir_builder *b, int nbytes);
/* Set rounds_products: loops that add products in different ways then give the same bits. */
void tsr_ir_round_products(tsr_ir_builder *b);

/* Parameters, in order. All functions copy names. */
const tsr_ir_expr *tsr_ir_index_param(tsr_ir_builder *b, const char *name);
const tsr_ir_array *tsr_ir_array_param(tsr_ir_builder *b, const char *name, bool is_index, tsr_type elem,
                                       bool is_const, const tsr_ir_expr *length);
/* An output parameter: it exists from tsr_ir_output_new on, which every program must call once for each
 * output. */
const tsr_ir_array *tsr_ir_output_param(tsr_ir_builder *b, const char *name, bool is_index, tsr_type elem);

/* Expressions; the types are checked. Constants and neutral elements are folded for indices (x + 0, x * 1, 0
 * * x, (x + 2) + 3, x + (y + 2), min(x, x)) and booleans; for values only 1 * v and v * 1. */
const tsr_ir_expr *tsr_ir_index(tsr_ir_builder *b, int64_t c);
const tsr_ir_expr *tsr_ir_bool(tsr_ir_builder *b, bool c);
const tsr_ir_expr *tsr_ir_value(tsr_ir_builder *b, tsr_ir_type type, double c);
/* Any operation of ops.def with two operands (or one: y = NULL); a scalar value is splat if the other operand
 * is a vector. */
const tsr_ir_expr *tsr_ir_op2(tsr_ir_builder *b, tsr_ir_op op, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_add(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_sub(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_mul(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_select(tsr_ir_builder *b, const tsr_ir_expr *c, const tsr_ir_expr *x,
                                 const tsr_ir_expr *y);
/* array[index] as an index, or as a value of type `as` (converted from the element type). */
const tsr_ir_expr *tsr_ir_load_index(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index);
const tsr_ir_expr *tsr_ir_load_value(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                                     tsr_ir_type as);
const tsr_ir_expr *tsr_ir_convert(tsr_ir_builder *b, const tsr_ir_expr *x, tsr_ir_type type);
/* A scalar value in all `lanes` lanes (1: x itself). */
const tsr_ir_expr *tsr_ir_splat(tsr_ir_builder *b, const tsr_ir_expr *x, int lanes);
/* function(x, y), of doubles; y: NULL if the function has one argument. The texts of the function are copied. */
const tsr_ir_expr *tsr_ir_call(tsr_ir_builder *b, const tsr_ir_function *function, const tsr_ir_expr *x,
                               const tsr_ir_expr *y);
const tsr_ir_expr *tsr_ir_hsum(tsr_ir_builder *b, const tsr_ir_expr *x);
/* An expression that reads a variable. */
const tsr_ir_expr *tsr_ir_read(tsr_ir_builder *b, const tsr_ir_var *var);
/* The operation of x, which is not a leaf, with these operands and arrays instead of its own. */
const tsr_ir_expr *tsr_ir_like(tsr_ir_builder *b, const tsr_ir_expr *x, const tsr_ir_expr *const arg[3],
                               const tsr_ir_array *array, const tsr_ir_array *by);

/* Statements are added to the innermost open block. */
/* Declare a constant, or a variable that can be assigned; returns the expression that reads it. */
const tsr_ir_expr *tsr_ir_declare(tsr_ir_builder *b, const char *name, const tsr_ir_expr *x, bool is_mutable);
void tsr_ir_assign(tsr_ir_builder *b, const tsr_ir_expr *var, const tsr_ir_expr *x, bool add);
/* Store x, converted to the element type of the array if it is a value. */
void tsr_ir_store(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                  const tsr_ir_expr *x, bool add, bool atomic);
/* A local array of n elements (n literal; 0 counts as 1), or a heap array: of values, or (second function) of
 * indices with elements of TSR_U8, U16, U32 or U64. */
const tsr_ir_array *tsr_ir_array_new(tsr_ir_builder *b, const char *name, tsr_type elem, tsr_ir_place place,
                                     const tsr_ir_expr *n, bool zeroed);
const tsr_ir_array *tsr_ir_index_array_new(tsr_ir_builder *b, const char *name, tsr_type elem,
                                           tsr_ir_place place, const tsr_ir_expr *n, bool zeroed);
/* Allocate an output parameter of n elements. Only in the body, not in an inner block. */
void tsr_ir_output_new(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *n, bool zeroed);
/* The extent of an output that is joined from pieces. */
typedef struct tsr_ir_extent {
    const tsr_ir_expr *nparts;  /* number of parts, into which threads append */
    const tsr_ir_expr *npieces; /* number of pieces, which are given in any order */
    const tsr_ir_expr *about;   /* about how many elements all pieces have; 0: unknown */
} tsr_ir_extent;
/* Statements for an output that is joined from pieces: declare the number of parts and pieces; declare part number t;
 * reserve room for n elements in a part; make elements [lo, hi) of the part piece number `piece`, and empty the part;
 * join the pieces. A thread that gives a piece may wait for the pieces before it: so a thread gives its pieces in
 * rising order, and if threads run one after the other, no piece is given before an earlier piece. */
void tsr_ir_parts(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_extent *extent);
const tsr_ir_array *tsr_ir_part_new(tsr_ir_builder *b, const tsr_ir_array *output, const tsr_ir_expr *t);
void tsr_ir_reserve(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *n);
/* The same, where the part never needs more room before it is given. */
void tsr_ir_reserve_all(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *n);
void tsr_ir_give(tsr_ir_builder *b, const tsr_ir_array *part, const tsr_ir_expr *lo, const tsr_ir_expr *hi,
                 const tsr_ir_expr *piece);
void tsr_ir_join(tsr_ir_builder *b, const tsr_ir_array *output);
/* SHIFT. range: the places of the numbers of entries and of the begins, the number of pieces, the factor of the begins. */
void tsr_ir_shift(tsr_ir_builder *b, const tsr_ir_array *positions, const tsr_ir_array *numbers,
                  const tsr_ir_expr *const range[4], const tsr_ir_expr *nthreads);
void tsr_ir_sort(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *lo, const tsr_ir_expr *hi);
/* TAKE: list[at..) receives the marks that are set in [lo, hi), counted from `base`. Returns the number of them. */
const tsr_ir_expr *tsr_ir_take(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                               const tsr_ir_array *marks, const tsr_ir_expr *const range[2],
                               const tsr_ir_expr *base);
/* MATCH. range: the ranges in a and in b, four indices. */
void tsr_ir_match(tsr_ir_builder *b, const tsr_ir_array *found, const tsr_ir_array *x, const tsr_ir_array *y,
                  const tsr_ir_expr *const range[4]);
/* UNITE. from: the coordinates of two rows, their values, the values of the sum. range: the ranges of the rows; then the
 * factors of the rows, NULL: 1. Returns the number of coordinates. */
const tsr_ir_expr *tsr_ir_unite(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                                const tsr_ir_array *const from[5], const tsr_ir_expr *const range[6]);
/* INTERSECT. from: the same, of the product. range: the ranges of the rows. */
const tsr_ir_expr *tsr_ir_intersect(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                                    const tsr_ir_array *const from[5], const tsr_ir_expr *const range[4]);
/* MULTIPLY. from: coordinates of the row and of the matrix, values of the row, of the matrix and of the product, positions
 * of the matrix's rows; then the workspace, or three times NULL. range: of the row, of the coordinates; then the place of the
 * workspace, the number of products, and the numbers that choose the way, or four times NULL. Returns the number of coordinates. */
const tsr_ir_expr *tsr_ir_multiply(tsr_ir_builder *b, const tsr_ir_array *list, const tsr_ir_expr *at,
                                   const tsr_ir_array *const from[9], const tsr_ir_expr *const range[8]);
void tsr_ir_prefetch(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index, bool write);
/* Ask for prefetches; asking twice for the same array and list changes nothing. */
void tsr_ir_ask(tsr_ir_builder *b, const tsr_ir_fetch *fetch);
void tsr_ir_comment(tsr_ir_builder *b, const char *format, ...) TSR_PRINTF(2, 3);
/* Open a block; tsr_ir_end closes the innermost block. Returns the variable of the loop. */
const tsr_ir_expr *tsr_ir_for(tsr_ir_builder *b, const char *name, const tsr_ir_expr *lo,
                              const tsr_ir_expr *hi, unsigned marks);
/* A loop over the numbers from 0 to n - 1 that no thread has taken: see TSR_IR_TAKEN. `next`: one U64, 0 at the
 * beginning. */
const tsr_ir_expr *tsr_ir_for_taken(tsr_ir_builder *b, const char *name, const tsr_ir_array *next,
                                    const tsr_ir_expr *n);
/* Mark the innermost open block, a FOR, and set its `each` and `index`. */
void tsr_ir_ask_loop(tsr_ir_builder *b, tsr_ir_mark mark, int64_t each, const tsr_ir_expr *last);
void tsr_ir_while(tsr_ir_builder *b, const tsr_ir_expr *condition);
void tsr_ir_if(tsr_ir_builder *b, const tsr_ir_expr *condition);
void tsr_ir_else(tsr_ir_builder *b); /* closes the block of the if and opens that of the else */
void tsr_ir_end(tsr_ir_builder *b);
/* Close the n innermost blocks. */
void tsr_ir_close(tsr_ir_builder *b, int n);
typedef struct tsr_ir_range {
    const tsr_ir_expr *lo, *hi;
} tsr_ir_range;
/* The first index q in [lo, hi) with f(q) >= target (hi if there is none), where f does not fall on [lo, hi):
 * a binary search as a while loop. f returns the expression of f at an index expression. */
typedef const tsr_ir_expr *(*tsr_ir_function_of)(tsr_ir_builder *b, void *arg, const tsr_ir_expr *q);
const tsr_ir_expr *tsr_ir_search(tsr_ir_builder *b, const char *name, tsr_ir_range in,
                                 const tsr_ir_expr *target, tsr_ir_function_of f, void *arg);

static inline tsr_ir_type tsr_ir_value_type(tsr_type type)
{
    const tsr_ir_type t = {TSR_IR_IS_VALUE, type, 1};
    return t;
}

/* ---- changes of a finished program, by the builder that owns it ---- */

/* Between both calls, statements are built after the statement `after` of the block (NULL: at its begin), with names of their own.
 * TSR_NOMEM, TSR_LIMIT, TSR_ARGUMENT: an error of the builder, from then on. */
void tsr_ir_begin_insert(tsr_ir *ir, tsr_ir_block *into, tsr_ir_stmt *after);
tsr_status tsr_ir_end_insert(tsr_ir *ir, tsr_error *err) TSR_NODISCARD;
/* Exchange the two programs. */
void tsr_ir_exchange(tsr_ir *x, tsr_ir *y);

/* Copies of statements (ir_copy.c). */
typedef struct tsr_ir_copier {
    tsr_ir_builder *b; /* copies are added to its innermost open block */
    bool
        anew; /* b builds another program; else the copies are not visible where the statements are, and have their names */
    int nvars, narrays; /* of the program: later variables and arrays are used as they are */
    const tsr_ir_expr *
        *var; /* nvars: what the copy reads instead of the variable; NULL: the variable itself */
    const tsr_ir_array **array; /* narrays: what it uses instead of the array; NULL: the array itself */
    /* what it has instead of x; NULL: a copy of x. NULL: there is no such function */
    const tsr_ir_expr *(*edit)(void *arg, const tsr_ir_expr *x);
    void (*stmt)(void *arg,
                 const tsr_ir_stmt *s); /* adds the copy of a statement in a block; NULL: tsr_ir_copy_stmt */
    void *arg;
} tsr_ir_copier;
const tsr_ir_expr *tsr_ir_copy_expr(const tsr_ir_copier *c, const tsr_ir_expr *x);
/* Add a copy; tables have what it declares from then on. */
void tsr_ir_copy_stmt(const tsr_ir_copier *c, const tsr_ir_stmt *s);
void tsr_ir_copy_block(const tsr_ir_copier *c, const tsr_ir_block *block);

/* Whether something is in a program (ir_find.c). A test of a node of an expression, of a statement without its blocks. */
typedef bool tsr_ir_test(void *arg, const tsr_ir_expr *x);
typedef bool tsr_ir_stmt_test(void *arg, const tsr_ir_stmt *s);
/* Whether the test holds for a node of x, which may be NULL; of an expression of the statement itself; for a statement from s to
 * `last` (NULL: the last one of the block), or in their blocks. No node is left out until it holds. */
bool tsr_ir_any(const tsr_ir_expr *x, tsr_ir_test *is, void *arg);
bool tsr_ir_any_of(const tsr_ir_stmt *s, tsr_ir_test *is, void *arg);
bool tsr_ir_any_stmt(const tsr_ir_stmt *s, const tsr_ir_stmt *last, tsr_ir_stmt_test *is, void *arg);
/* Whether x, or the statement or its blocks, read the variable; whether x reads an array. */
bool tsr_ir_reads(const tsr_ir_expr *x, const tsr_ir_var *var);
bool tsr_ir_stmt_reads(const tsr_ir_stmt *s, const tsr_ir_var *var);
bool tsr_ir_loads(const tsr_ir_expr *x);

/* ---- use ---- */

/* Append the program as text, for readers and golden tests. */
void tsr_ir_print(tsr_text *text, const tsr_ir *ir);
/* Check types, scopes, declarations before use, stores into const arrays, and marks of loops: TSR_ARGUMENT
 * with the first error. */
tsr_status tsr_ir_verify(const tsr_ir *ir, tsr_error *err) TSR_NODISCARD;

/* The same program with the loops marked VECTOR written as vectors of at most `nbytes` bytes (64, 32 or 16;
 * 0: an unchanged copy). A loop becomes vectors if its body has only declarations of constants, stores (not
 * atomic), sums into scalars that it does not read, and prefetches; its values are real or integer (integers
 * without division; complex stay scalar); every load of a value and every store is at (an invariant) + the
 * variable of the loop, directly or by an index constant declared in the body; and each select depends on a
 * comparison of values of its own type. Other loops stay as they are. All vectors have the same number of
 * lanes: nbytes divided by the size of the widest type of a value or array in any of these loops; arrays of
 * narrower elements are loaded as half vectors and converted.
 *   - A literal trip count of up to 16 vectors is written out: whole vectors, halves of them down to 16
 *     bytes, scalars (10 f64: 8 + 2). A longer or unknown trip count becomes a loop of vectors and a loop for
 *     the rest.
 *   - A local array of up to 16 vectors that is only stored into by such written-out loops over its whole
 *     length, at the variable of the loop, becomes variables (row0, row1...: accumulators in registers).
 *     Before any other load from the array (for an atomic sum, for example) the variables are stored to
 *     memory.
 *   - A sum into a scalar goes into up to 4 vectors, which are added up (HSUM) after the outermost enclosing
 *     statement that only adds to the scalar. So sums of floats are rounded in another way. The result has no
 *     VECTOR marks, so vectorising it again changes nothing. TSR_ARGUMENT for other nbytes, TSR_NOMEM. */
tsr_status tsr_ir_vectorize(tsr_ir **out, const tsr_ir *ir, int nbytes, tsr_error *err) TSR_NODISCARD;

/* Whether the program has heap arrays. */
bool tsr_ir_takes_memory(const tsr_ir *ir);
/* The bytes of the heap arrays whose lengths follow from the index parameters alone; a double: a length may be
 * over 2^63. args: nparams; the values of the index parameters, < 0 for those that are not known. TSR_NOMEM. */
tsr_status tsr_ir_memory(double *nbytes, const tsr_ir *ir, const int64_t *args, tsr_error *err) TSR_NODISCARD;

/* An argument for the interpreter: n for an index; for an array its data, and its length n > 0 in elements
 * unless the program gives the length; for an output data points to a tsr_ir_output. */
typedef struct tsr_ir_arg {
    int64_t n;
    void *data;
} tsr_ir_arg;
/* An array that a program returns: n elements, which the caller frees (tsr_alloc.h). All fields are 0 before
 * a run and after a run that failed. */
typedef struct tsr_ir_output {
    void *data;
    int64_t n;
} tsr_ir_output;
/* Run the program with the interpreter: the oracle for compiled kernels, and the way to run kernels without a
 * compiler (about 20 to 50 times slower). The iterations of a parallel loop run in order. Checked: every
 * index against the length of its array (where known), index arithmetic against overflow, and accesses of one
 * element by two iterations of a parallel loop (for arrays of up to 2^26 elements). Undefined elements start
 * as bytes of 255. args: nparams arguments; arrays are aligned for their elements. TSR_CORRUPT with the
 * statement for these errors; TSR_ARGUMENT for an invalid argument; TSR_NOMEM; TSR_CANCELLED after max_steps
 * statements (0: no limit; checked once per round of a loop). */
tsr_status tsr_ir_run(const tsr_ir *ir, const tsr_ir_arg *args, uint64_t max_steps,
                      tsr_error *err) TSR_NODISCARD;
/* Whether the interpreter and compiled code give the same bits, except those of NaN, on the same number of threads. False also
 * where that is not known. */
bool tsr_ir_is_exact(const tsr_ir *ir);

#ifdef __cplusplus
}
#endif
#endif
