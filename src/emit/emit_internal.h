/* Declarations shared by the files of emit: the state of one emission. Failures are sticky: the first one is
 * kept, and the text is invalid then. */
#ifndef EMIT_INTERNAL_H
#define EMIT_INTERNAL_H

#include <stdbool.h>

#include "tsr_arena.h"
#include "tsr_emit.h"

enum {
    EMIT_COLUMNS = 110,
    EMIT_MAX_LANES_LOG2 = 6, /* 64 lanes */
    EMIT_MAX_FACTS = 64,
    EMIT_NHEADERS = 7,       /* headers of C that the text may include */
    EMIT_NLISTS = 3,         /* types of lists of indices */
    EMIT_MAX_FUNCTIONS = 64, /* different functions in one program */
    EMIT_MAX_SEARCHES = 16   /* different search functions; further searches stay loops */
};

/* Pieces of src/rt by name. */
typedef enum emit_piece {
#define X(name) EMIT_##name,
#include "pieces.def"
#undef X
    EMIT_NPIECES
} emit_piece;

/* The types, by number and log2 of lanes, for which a piece, a vector type or a helper is used. */
typedef bool emit_type_set[TSR_NTYPES][EMIT_MAX_LANES_LOG2 + 1];

/* The precedence of operators of C, from loose to tight. */
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

/* A fact that holds at the current statement: less <= more. */
typedef struct emit_fact {
    const tsr_ir_expr *less, *more;
} emit_fact;

/* A binary search: the statements from `first` (which declares the position) to `loop`, as tsr_ir_search
 * makes them. */
typedef struct emit_search {
    const tsr_ir_stmt *first, *loop; /* loop: the last statement */
    const tsr_ir_var *middle, *into; /* into: the variable that is set to the position; NULL: a new one */
    const tsr_ir_expr *lo, *hi, *target, *there; /* there: the searched function at `middle` */
} emit_search;

/* A C function for searches: the name, and the text from the parameters on. */
typedef struct emit_search_function {
    const char *name, *text;
} emit_search_function;

typedef struct emit {
    const tsr_ir *ir;
    const char *name; /* of the function of `ir` */
    tsr_arena arena;
    tsr_status status;
    tsr_error *err;

    const char **var_name;   /* nvars: the name in C, NULL where the program does not have a variable of this
                            * number */
    const char **array_name; /* narrays: the same of arrays */
    bool *is_used;           /* nvars: whether an effect of the program depends on the variable */
    bool *array_is_used;     /* narrays: the same of arrays */
    bool *is_number;         /* narrays: whether the array is written as a number, see emit_find_numbers */
    bool *is_natural;        /* nvars: whether the variable is an index that is never negative */
    emit_fact fact[EMIT_MAX_FACTS]; /* nfacts */
    int nfacts;

    tsr_text line;  /* the statement under construction, without indentation */
    tsr_text body;  /* finished lines */
    int depth;      /* of indentation */
    bool in_vector; /* inside a loop that the compiler shall vectorise */
    const tsr_ir_array *
        *heap; /* capacity narrays; nheap heap arrays and outputs, in the order of allocation */
    int nheap;
    const char **parts_name; /* narrays elements: the name of the parts of an output, or of a part; or NULL */
    const char *
        *room_name; /* narrays elements: the variable with the room of an output that grows; or NULL */
    const tsr_ir_expr *
        *length; /* narrays elements: the length of an output, which the caller learns at the end; or NULL */
    const char *failed_name; /* the variable that is set when a thread gets no memory; or NULL */
    const char *fail_name;   /* the label where all memory is freed; NULL: the function owns no memory */
    const char **unchecked;  /* capacity 2 * narrays; nunchecked names of blocks that may be NULL */
    int nunchecked;
    const char *next_part; /* the label at the end of the open parallel loop; or NULL */
    int nends;             /* labels of this kind so far */
    const char **bound;    /* capacity nvars; nbounds names of variables for loop bounds that are visible at
                         * this point */
    int nbounds;

    emit_search_function search[EMIT_MAX_SEARCHES]; /* nsearches */
    int nsearches;

    const tsr_ir_function *function[EMIT_MAX_FUNCTIONS]; /* nfunctions that are called */
    const char *function_name[EMIT_MAX_FUNCTIONS];       /* the names in C */
    int nfunctions;

    emit_type_set piece[EMIT_NPIECES];
    emit_type_set vector; /* types with more than one lane */
    emit_type_set sum, select, divide;
    emit_type_set half; /* f16, bf16: vectors that are made of such elements */
    emit_type_set pick[EMIT_NLISTS], below[EMIT_NLISTS]; /* by the width of the list: 8, 16, 32 bits */
    bool uses_complex, uses_bool, uses_math, uses_null, uses_threads;
    bool rounds;                     /* a function rounds products before they are added */
    bool uses_header[EMIT_NHEADERS]; /* of C, see emit_piece.c */
    tsr_emit_options options;
    bool is_runtime; /* the text is tessera_rt.h, not a kernel */
    bool has_limit;  /* the last parameter of the function is a limit, which it asks before it allocates an
                       output */
} emit;

/* Record a failure, unless there is one already. */
void emit_fail(emit *e, tsr_status status, const char *format, ...) TSR_PRINTF(3, 4);
/* n elements of `size` bytes, zeroed, in the arena of the emission; NULL after a failure. */
void *emit_alloc(emit *e, size_t n, size_t size);
/* The text, which is cleared, in the arena of the emission; "" after a failure. */
const char *emit_keep(emit *e, tsr_text *text);
/* The name with this end, in the arena. */
const char *emit_name_with(emit *e, const char *name, const char *after);

/* ---- emit_unit.c ---- */

/* Begin with a text; then with each program of it: what the functions before have used stays used. name: NULL: that of the program. */
void emit_start(emit *e, const tsr_emit_options *options, tsr_error *err);
void emit_open(emit *e, const tsr_ir *ir, const char *name);
/* End with the text: the status of all of it. */
tsr_status emit_finish(emit *e, const tsr_text *out);
/* Append the parameter with this name: "const uint32_t *restrict A2_pos". */
void emit_put_param(emit *e, tsr_text *out, const tsr_ir_param *p, const char *name, bool in_header);
/* The name of parameter i in the C text. */
const char *emit_param_name(const emit *e, int i);
/* Append "int NAME(...)" with these parameters, broken between them. before: "static " or "". */
void emit_put_signature(tsr_text *out, const char *before, const char *name, const char *const *param, int n);
/* Append the function of the program. before: what stands before its type. */
void emit_put_function(emit *e, tsr_text *out, const char *before);
/* Append the comment at the top of a text: the lines of the header, and how to compile it. */
void emit_put_contract(const emit *e, tsr_text *out, const char *header, const char *name);
/* Append the lines as a comment; short ones after the first are joined. */
void emit_put_lines(tsr_text *out, const char *lines);
/* Append the comment of n parameters, described by one text each. */
void emit_put_param_comment(tsr_text *out, const char *const *name, const char *const *what, int n);
/* Append a header that declares the function: the comment and the signature are given. */
void emit_put_header(emit *e, tsr_text *out, const char *name, const tsr_text *comment,
                     const tsr_text *signature);
/* Append the text of functions, which the first of them calls: `kernel` is that one, `others` those behind it. */
void emit_put_text(emit *e, tsr_text *out, const tsr_text *kernel, const tsr_text *others,
                   const tsr_text *comment);

/* ---- emit_names.c ---- */

/* Choose C names for all variables and arrays, different from the reserved words of C and the names of
 * pieces. */
void emit_choose_names(emit *e);
/* An unused name that begins with `name`, in the arena; "" after a failure. */
const char *emit_new_name(emit *e, const char *name);
/* Whether the name can be the name of a C function. */
bool emit_is_identifier(const char *name);
/* The C type: "double", "uint32_t", "f64x8", "bool", "int64_t". Marks vector types and headers as used. */
const char *emit_c_type(emit *e, tsr_ir_type type);
/* The name of a value type in names of helpers: "f64", "i32x16". */
const char *emit_type_name(emit *e, tsr_ir_type type);
/* The C type of an element: "double". */
const char *emit_c_elem(tsr_type type);
/* The C type of an array's elements. */
const char *emit_element_type(emit *e, const tsr_ir_array *a);
/* The least k with lanes <= 2^k, at most EMIT_MAX_LANES_LOG2. */
int emit_log2_lanes(int lanes);
/* The unsigned type with the same number of bits as a signed integer type; any other type itself. */
tsr_type emit_unsigned_of(tsr_type type);
/* The types of the elements of lists that PICK and BELOW read, narrow ones first. */
extern const tsr_type emit_list_types[EMIT_NLISTS];
/* The type of the result where vectors of this type are compared. */
tsr_ir_type emit_mask_type(tsr_ir_type type);

/* ---- emit_analysis.c ---- */

/* Set is_used, array_is_used and is_natural. */
void emit_analyse(emit *e);
/* Whether the index x is never negative at the current statement. */
bool emit_is_natural(const emit *e, const tsr_ir_expr *x);
/* Add the facts that follow from a condition that holds; drop the facts about a variable that is
 * assigned. */
void emit_learn(emit *e, const tsr_ir_expr *condition);
void emit_forget(emit *e, const tsr_ir_var *var);
/* Drop the facts about all variables that the block assigns: the rest holds at the top of each iteration of
 * a loop with this body. */
void emit_forget_assigned(emit *e, const tsr_ir_block *block);
/* Whether the statement can be left out: its variable or array is never used, or all statements in it can be
 * left out. */
bool emit_is_dead(const emit *e, const tsr_ir_stmt *s);
/* Whether x has the same value in all iterations of the loop. */
bool emit_is_invariant(const tsr_ir_expr *x, const tsr_ir_stmt *loop);

/* ---- emit_expr.c ---- */

/* Append x to the line, in parentheses where it binds less tightly than `least`. */
void emit_expr(emit *e, const tsr_ir_expr *x, emit_prec least);
/* The same for a value whose type matters: C must not promote a narrower type to int, nor treat a complex
 * number as a real one (-0 + 0 is 0). */
void emit_typed(emit *e, const tsr_ir_expr *x, emit_prec least);
/* The address of an element. */
void emit_address(emit *e, const tsr_ir_array *array, const tsr_ir_expr *index);
/* Whether arithmetic on the type needs functions, since integers wrap around. */
bool emit_wraps(tsr_ir_type type);
/* Mark a piece as used for the type. */
void emit_use(emit *e, emit_piece piece, tsr_ir_type type);
/* Whether x is the constant +0, or a splat of it. */
bool emit_is_zero(const tsr_ir_expr *x);

/* ---- emit_stmt.c ---- */

/* Append the statements of the block to the body. */
void emit_block(emit *e, const tsr_ir_block *block);
/* Move the line to the body, broken where it is too long. */
void emit_flush(emit *e);
/* Append the text as a C comment, indented by this number of columns. */
void emit_comment(tsr_text *out, int indent, const char *text);
/* Append n characters that begin and end with a line, without the lines of conditions that do not hold on the target, or in a scalar text:
 * "#if defined(__AVX512F__)" and "#ifdef __BMI2__" with their #else and #endif. Other conditions stay. */
void emit_keep_lines(const emit *e, tsr_text *out, const char *s, size_t n);

/* ---- emit_memory.c ---- */

/* Find the memory that the function owns, and name what belongs to it. */
void emit_find_memory(emit *e);
/* Emit its declarations. */
void emit_declare_memory(emit *e);
/* Emit the statement that leaves the function when memory runs out. */
void emit_give_up(emit *e);
/* The block of this name was allocated: check later that it is there. */
void emit_check_later(emit *e, const char *name);
/* Emit the check of the blocks that were allocated since the last check, unless the statement `next` allocates another. */
void emit_check_memory(emit *e, const tsr_ir_stmt *next);
/* Emit the end of the function: pass the outputs to the caller, free everything else. */
void emit_end_memory(emit *e);

/* ---- emit_parts.c ---- */

/* Emit the statement s, and the statements after it, if they concern outputs that are joined from parts. */
const tsr_ir_stmt *emit_parts(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_part(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_reserve(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_give(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_join(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_trim(emit *e, const tsr_ir_stmt *s);

/* ---- emit_lists.c: statements ---- */

/* Find the arrays of one element that only a statement sets which appends elements: they are written as numbers. */
void emit_find_numbers(emit *e, const tsr_ir_block *block);
const tsr_ir_stmt *emit_take(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_shift(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_match(emit *e, const tsr_ir_stmt *s);
const tsr_ir_stmt *emit_unite(emit *e, const tsr_ir_stmt *s); /* and INTERSECT */
const tsr_ir_stmt *emit_multiply(emit *e, const tsr_ir_stmt *s);
/* Whether the body of a loop fills parts, so the body ends early when memory runs out. */
bool emit_fills_parts(const tsr_ir_block *block);
/* Emit the body of a parallel loop that fills parts, of which the line is the head. When memory runs out, the body jumps to its end;
 * joining the parts finds that some are missing. */
void emit_part_body(emit *e, const tsr_ir_stmt *s, const char *name);

/* ---- emit_search.c ---- */

/* Whether a binary search begins at s, perhaps with a declaration of its target before it. */
bool emit_find_search(emit_search *out, const emit *e, const tsr_ir_stmt *s);
/* Append the call of a search function to the body. False, with nothing appended: the search must stay a
 * loop. */
bool emit_put_search(emit *e, const emit_search *search);
/* Append the search functions that are called. */
void emit_put_searches(const emit *e, tsr_text *out);

/* ---- emit_private.c ---- */

/* Append the clause for the arrays of the function that a parallel loop uses: each thread has a copy of their addresses, so that
 * they need not be read from memory again and again. */
void emit_put_private(emit *e, const tsr_ir_stmt *loop);

/* ---- emit_piece.c ---- */

/* Find the headers and pieces that the used pieces need. */
void emit_find_needs(emit *e);
/* Whether a statement adds a product. */
bool emit_adds_products(const tsr_ir_block *block);
/* Append the includes, types and macros that are used. */
void emit_prelude(emit *e, tsr_text *out);
/* Append the definitions of the functions that are called. */
void emit_put_runtime(emit *e, tsr_text *out);
/* Append the used pieces, each behind those that it needs. */
void emit_put_pieces(emit *e, tsr_text *out);
/* The type at the end of the name of a model: "i32", "u32" or "c128"; NULL: the piece is not a model. */
const char *emit_model_type(const char *name);
/* The headers of C that a text may include: "<complex.h>". */
extern const char *const emit_c_headers[EMIT_NHEADERS];
/* Append the prototypes of those of the functions that the callers call. */
void emit_put_prototypes(tsr_text *out, const char *functions, const char *const callers[2]);
/* Append the functions for PICK and BELOW that are used (emit_lanes.c). */
void emit_put_lanes(emit *e, tsr_text *out);
/* Append PICK or BELOW to the line, and mark the function that it calls. */
void emit_lanes_by(emit *e, const tsr_ir_expr *x);
/* Append one piece that is not a model. */
void emit_put_piece(const emit *e, tsr_text *out, emit_piece which);
/* The name that each piece defines. */
extern const char *const emit_piece_names[EMIT_NPIECES];

#endif
