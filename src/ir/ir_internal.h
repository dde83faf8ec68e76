/* What the files of ir share. */
#ifndef IR_INTERNAL_H
#define IR_INTERNAL_H

#include <stdarg.h>

#include "tsr_arena.h"
#include "tsr_error.h"
#include "tsr_ir.h"

enum {
    IR_MAX_DEPTH = 1000,    /* nesting of operations in an expression, which functions walk by recursion */
    IR_MAX_NODES = 1 << 20, /* operations of an expression, counted as a tree */
    IR_MAX_NESTING = 200,   /* nesting of blocks */
    IR_NBUCKETS = 256
};

/* A name that is in use. */
typedef struct ir_name {
    struct ir_name *next;  /* the next name in the hash bucket */
    struct ir_name *other; /* the next name of the same block */
    const char *text;
    bool is_live;    /* the block of the name is open */
    bool is_forever; /* the name is never reused: parameters, heap arrays, the function */
} ir_name;

/* An open block. */
typedef struct ir_frame {
    struct ir_frame *up;
    tsr_ir_stmt *stmt;   /* FOR, WHILE, IF; NULL: the body of the program */
    tsr_ir_block *block; /* the block that gets new statements */
    ir_name *names;      /* names that end with the block */
    int depth;
    tsr_ir_stmt *after; /* of tsr_ir_begin_insert */
    tsr_ir_block *into;
} ir_frame;

/* A parameter, in the order of the signature. */
typedef struct ir_param_node {
    struct ir_param_node *next;
    tsr_ir_param param;
} ir_param_node;

struct tsr_ir_builder {
    tsr_arena arena;
    tsr_status fault; /* the first error; after it nothing more is built */
    char why[256];
    tsr_ir *ir;
    ir_frame *frame; /* the innermost open block */
    ir_param_node *params, **params_end;
    ir_name *bucket[IR_NBUCKETS];
};

/* The kind of an operation: the last column of ops.def. */
char ir_op_kind(tsr_ir_op op);
const char *ir_op_text(tsr_ir_op op);
int ir_op_nargs(tsr_ir_op op);

static inline bool ir_same_type(tsr_ir_type a, tsr_ir_type b)
{
    return a.kind == b.kind && a.lanes == b.lanes && (a.kind == TSR_IR_IS_INDEX || a.type == b.type);
}

static inline bool ir_is_value(tsr_ir_type t)
{
    return t.kind == TSR_IR_IS_VALUE;
}

/* Whether x is the constant c. */
static inline bool ir_is_index(const tsr_ir_expr *x, int64_t c)
{
    return x->op == TSR_IR_INDEX && x->type.kind == TSR_IR_IS_INDEX && x->index == c;
}

extern const tsr_ir_type ir_index_type, ir_bool_type;

/* Write "f64x8" into buf of at least 32 bytes; returns buf. */
char *ir_type_text(char *buf, tsr_ir_type type);
/* The type of the result of an operation with these operands (also for LOAD, SELECT, CONVERT and SPLAT; the
 * type that CONVERT and SPLAT give is in *type on entry). False, with the error in `why` (nbytes bytes), if
 * the operands do not fit. */
bool ir_result_type(tsr_ir_type *type, tsr_ir_op op, const tsr_ir_expr *const *arg, char *why, size_t nbytes);
/* Whether an array of element type elem (pattern: bytes) can be loaded as values of type `as`, that is, whether
 * its elements can be converted to `as`. */
bool ir_can_load(tsr_type elem, tsr_ir_type as);

/* Store an error (only the first one counts); returns NULL. */
void *ir_fault(tsr_ir_builder *b, tsr_status status, const char *format, ...) TSR_PRINTF(3, 4);
/* Add a copy of *s to the innermost block, and open its body if it has one. */
tsr_ir_stmt *ir_add_stmt(tsr_ir_builder *b, const tsr_ir_stmt *s, bool opens);
/* Another variable of this name, a new one where it is visible, too; another local array of this name and length, which is declared. */
const tsr_ir_var *ir_copy_var(tsr_ir_builder *b, const tsr_ir_var *var, bool is_new_name);
const tsr_ir_array *ir_same_array(tsr_ir_builder *b, const tsr_ir_array *array, bool zeroed);
void *ir_alloc(tsr_ir_builder *b, size_t nbytes);
/* A new name that is not visible here and begins with `name`. It is in use to the end of the innermost block,
 * or always if is_forever. */
const char *ir_new_name(tsr_ir_builder *b, const char *name, bool is_forever);
/* A load of `lanes` consecutive elements. */
const tsr_ir_expr *ir_load(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                           tsr_ir_type type);
/* Whether PICK and BELOW can read the array: indices of at most 32 bits. */
bool ir_is_list(const tsr_ir_array *by);
/* PICK or BELOW: the operation, the type and the arrays of `like`, with these operands. */
const tsr_ir_expr *ir_lanes_by(tsr_ir_builder *b, const tsr_ir_expr *like, const tsr_ir_expr *place,
                               const tsr_ir_expr *bound);
/* Set the length of an array parameter once all parameters exist. */
void ir_set_length(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *length);
/* Append a statement as one line of text, without its blocks and without the newline. */
void ir_print_head(tsr_text *text, const tsr_ir_stmt *s);

#endif
