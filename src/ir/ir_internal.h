/* What the files of ir share. */
#ifndef IR_INTERNAL_H
#define IR_INTERNAL_H

#include <stdarg.h>

#include "tsr_arena.h"
#include "tsr_error.h"
#include "tsr_ir.h"

enum {
    IR_MAX_DEPTH = 1000,    /* operations inside each other in an expression: what is walked by recursion */
    IR_MAX_NODES = 1 << 20, /* operations of an expression, counted as a tree */
    IR_MAX_NESTING = 200,   /* blocks inside each other */
    IR_NBUCKETS = 256
};

/* A name that was given out. */
typedef struct ir_name {
    struct ir_name *next;  /* in the bucket */
    struct ir_name *other; /* of the same block */
    const char *text;
    bool is_live;    /* its block is open */
    bool is_forever; /* never given out again: parameters, heap arrays, the function */
} ir_name;

/* An open block. */
typedef struct ir_frame {
    struct ir_frame *up;
    tsr_ir_stmt *stmt;   /* FOR, WHILE, IF; NULL: the program's body */
    tsr_ir_block *block; /* where statements go */
    ir_name *names;      /* those that end with it */
    int depth;
} ir_frame;

/* A parameter in the order of the signature. */
typedef struct ir_param_node {
    struct ir_param_node *next;
    tsr_ir_param param;
} ir_param_node;

struct tsr_ir_builder {
    tsr_arena arena;
    tsr_status fault; /* the first one; then nothing more is built */
    char why[256];
    tsr_ir *ir;
    ir_frame *frame; /* the innermost open block */
    ir_param_node *params, **params_end;
    ir_name *bucket[IR_NBUCKETS];
};

/* What kind of operation: the last column of ops.def. */
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

/* The constant c. */
static inline bool ir_is_index(const tsr_ir_expr *x, int64_t c)
{
    return x->op == TSR_IR_INDEX && x->type.kind == TSR_IR_IS_INDEX && x->index == c;
}

extern const tsr_ir_type ir_index_type, ir_bool_type;

/* "f64x8" into buf of at least 32 bytes; returns buf. */
char *ir_type_text(char *buf, tsr_ir_type type);
/* The result's type of an operation with these operands (as many as it has; those of LOAD, SELECT, CONVERT
 * and SPLAT too, but for the type that CONVERT and SPLAT ask for, which is *type on entry). False, with the
 * fault in why (of nbytes), when it has none. */
bool ir_result_type(tsr_ir_type *type, tsr_ir_op op, const tsr_ir_expr *const *arg, char *why, size_t nbytes);
/* Whether a value (or an index) of type `from` becomes one of type `to`: all but complex to real and real to
 * integer. */
bool ir_can_convert(tsr_ir_type to, tsr_ir_type from);
/* The type of values that an array of element type elem loads as is: itself; pattern has none. */
bool ir_can_load(tsr_type elem, tsr_ir_type as);

/* Note a fault (the first counts); returns NULL. */
void *ir_fault(tsr_ir_builder *b, tsr_status status, const char *format, ...) TSR_PRINTF(3, 4);
void *ir_alloc(tsr_ir_builder *b, size_t nbytes);
/* A name that is not visible here, beginning with `name`; it ends with the innermost block unless is_forever.
 */
const char *ir_new_name(tsr_ir_builder *b, const char *name, bool is_forever);
/* A load of lanes elements. */
const tsr_ir_expr *ir_load(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *index,
                           tsr_ir_type type);
/* Give a parameter its length, when all parameters are there. */
void ir_set_length(tsr_ir_builder *b, const tsr_ir_array *array, const tsr_ir_expr *length);
/* A variable's read. */
const tsr_ir_expr *ir_var_expr(tsr_ir_builder *b, const tsr_ir_var *var);
/* A statement as one line of text, without its blocks and the line's end. */
void ir_print_head(tsr_text *text, const tsr_ir_stmt *s);

#endif
