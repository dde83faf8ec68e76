/* The tape of the interpreter: a program as a row of instructions whose operands are addresses of slots. A
 * slot holds an index as int64_t, a boolean as a byte per lane, a value as its C type (complex: _Complex) per
 * lane. */
#ifndef IR_TAPE_H
#define IR_TAPE_H

#include "ir_internal.h"

typedef struct ir_machine ir_machine;
typedef struct ir_insn ir_insn;

/* Run an instruction and return the next one; NULL at the end and after an error (machine->status). */
typedef const ir_insn *ir_handler(ir_machine *machine, const ir_insn *in);

/* An array while the program runs. */
typedef struct ir_memory {
    const tsr_ir_array *array;
    unsigned char *data;
    int64_t length; /* number of elements; -1: unknown */
    /* Used while a parallel loop stores into the array: the last access of each element, as state + 8 *
     * iteration. */
    uint32_t *touched;
    /* An output of pieces: the number of parts, and the pieces that were given. A part: the output. */
    struct ir_piece *pieces;
    int64_t nparts, npieces;
    struct ir_memory *whole;
} ir_memory;

typedef struct ir_piece {
    void *data;
    int64_t n; /* -1: not given */
} ir_piece;

/* The lists of TAKE, MATCH, UNITE, INTERSECT and MULTIPLY. */
typedef struct ir_lists {
    ir_memory *from[TSR_IR_MAX_FROM];
    const void *range[TSR_IR_MAX_RANGE], *index;
} ir_lists;

struct ir_insn {
    ir_handler *run;
    void *out;
    const void *x, *y, *z;
    int lanes;
    int jump;          /* jump target, an instruction's number; SELECT: lanes of its boolean */
    size_t nbytes;     /* bytes of an element */
    tsr_type from, to; /* CONVERT: value types */
    ir_memory *memory;
    const tsr_ir_stmt *stmt; /* the statement of the instruction, for errors; NULL: lengths of parameters */
};

struct ir_machine {
    const tsr_ir *ir;
    const ir_insn *code;
    ir_memory *memory; /* arrays, by number */
    uint64_t nsteps, max_steps;
    int64_t first, iteration; /* of the running parallel loop: iteration = variable - first */
    int64_t niterations;      /* of this loop; 0: no such loop runs */
    tsr_status status;
    tsr_error *err;
};

/* The handler of an operation on values of that type; NULL if there is none. */
ir_handler *ir_value_handler(tsr_ir_op op, tsr_type type);
/* The handler of an operation on indices or booleans. */
ir_handler *ir_index_handler(tsr_ir_op op);
ir_handler *ir_load_handler(const tsr_ir_array *array, int lanes);
ir_handler *ir_store_handler(const tsr_ir_array *array, int lanes, bool add, bool atomic);
ir_handler ir_run_convert, ir_run_splat, ir_run_select, ir_run_copy, ir_run_sort, ir_run_shift;
ir_handler ir_run_call; /* z: the function */
ir_handler ir_run_take, ir_run_match, ir_run_unite, ir_run_intersect,
    ir_run_multiply;        /* x, y: lo and hi; z: ir_lists */
ir_handler ir_run_lanes_by; /* PICK, and BELOW where memory is NULL; z: ir_lists, of which from[0] counts */
/* Instructions of statements (ir_tape_stmt.c). jump: nbytes is the steps of a round; unless: x is a boolean. */
ir_handler ir_run_end, ir_run_jump, ir_run_unless;
/* Of loops. out: the variable; x: the upper bound; taken: memory has the next number. */
ir_handler ir_run_for, ir_run_next, ir_run_parallel, ir_run_next_parallel, ir_run_taken;
/* Of arrays. x: the number of elements, or of the part. */
ir_handler ir_run_local, ir_run_heap, ir_run_length, ir_run_parts, ir_run_part;
ir_handler ir_run_reserve, ir_run_give, ir_run_join, ir_run_trim;

/* Store an error in the statement of the instruction; returns NULL. */
const ir_insn *ir_trap(ir_machine *m, const ir_insn *in, tsr_status status, const char *format, ...)
    TSR_PRINTF(4, 5);

#endif
