/* What the files share that compute parts of an expression before the kernel itself: each part is a step, whose
 * result stands in its place, under a name of its own. */
#ifndef KERNEL_STEPS_H
#define KERNEL_STEPS_H

#include "kernel_internal.h"
#include "tsr_pack.h"

enum { KERNEL_STEP_MAX_NAME = 48 };

typedef enum kernel_step_kind {
    KERNEL_STEP_CALL,   /* a function of its arguments */
    KERNEL_STEP_VAR,    /* 0, 1, 2... */
    KERNEL_STEP_WINDOW, /* some coordinates of an operand */
    KERNEL_STEP_OLD,    /* what a sparse result held before */
    KERNEL_STEP_KERNEL  /* an expression of its own */
} kernel_step_kind;

typedef struct kernel_step {
    kernel_step_kind kind;
    const tsr_expr
        *expr; /* of kernel->original: the call, the variable, the access, the divisor; else NULL */
    char name[KERNEL_STEP_MAX_NAME];
    int order;
    int var[TSR_MAX_ORDER]; /* of kernel->original */
    uint64_t dims[TSR_MAX_ORDER];
    uint64_t whole_dims[TSR_MAX_ORDER]; /* of KERNEL_STEP_WINDOW: the operand's */
    tsr_kernel *arg[2];                 /* owned; NULL: a number, or there is none */
    double number[2];
    char *text; /* owned; of KERNEL_STEP_KERNEL: what arg[0] computes */
    tsr_type type;
    tsr_format *format; /* owned; of the result and of the arguments */
} kernel_step;

/* What is needed to make the steps. */
typedef struct kernel_maker {
    tsr_kernel *kernel;
    const tsr_kernel_tensor *given; /* ngiven, with names */
    int ngiven;
    const tsr_kernel_options *options;
    uint64_t size[TSR_NOTATION_MAX_VARS];
    tsr_type type; /* of products of two operands; TSR_NTYPES: the operands' common type */
    tsr_error *err;
} kernel_maker;

/* What a step can be computed from. */
typedef struct kernel_step_input {
    const tsr_kernel *kernel;
    const tsr_tensor *const *operands; /* of kernel->original */
    const tsr_tensor *result;          /* for what a sparse result held before */
    tsr_tensor *const *made;           /* results of the steps before */
    int nthreads;
} kernel_step_input;

/* The bytes of an entry of the step's level arrays. */
int kernel_step_width(const kernel_step *step);
/* Append the step's name with its variables. */
void kernel_step_print_access(tsr_text *text, const kernel_step *step, const tsr_notation *notation);
/* Entries of tensor t of the notation, whose variables' sizes are m->size; estimated where they are not known. */
double kernel_estimate_nstored(const kernel_maker *m, const tsr_notation *notation, int t);
/* Whether one more step fits into the limit on tensors. */
bool kernel_has_room(const tsr_kernel *kernel, const tsr_terms *terms);
/* Add a step that computes the product `text` for these variables of the notation. */
tsr_status kernel_add_product(const kernel_step **out, const kernel_maker *m, const char *text,
                              const tsr_notation *notation, const int *var, int nvars) TSR_NODISCARD;

/* ---- kernel_chain.c ---- */

/* Append the notation with products of many factors cut into steps, which are added to the kernel; terms: of the notation;
 * sparse: the set of its tensors that are stored sparse. */
tsr_status kernel_split_products(tsr_text *text, const kernel_maker *m, const tsr_notation *notation,
                                 const tsr_terms *terms, uint32_t sparse) TSR_NODISCARD;

/* Run the kernel of an argument with tensors found by their names. */
tsr_status kernel_step_argument(tsr_tensor **out, const tsr_kernel *arg, const kernel_step_input *in,
                                tsr_error *err) TSR_NODISCARD;
/* Pack coo, which is used up, in the step's format; a status that is not TSR_OK is passed on. */
tsr_status kernel_step_pack(tsr_tensor **out, const kernel_step *step, tsr_coo *coo, tsr_status status,
                            int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_step_call.c, kernel_step_shape.c ---- */

tsr_status kernel_step_call(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                            tsr_error *err) TSR_NODISCARD;
tsr_status kernel_step_var(tsr_tensor **out, const kernel_step *step, tsr_error *err) TSR_NODISCARD;
tsr_status kernel_step_window(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                              tsr_error *err) TSR_NODISCARD;
tsr_status kernel_step_old(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                           tsr_error *err) TSR_NODISCARD;
/* The result is what the kernel was made for. */
tsr_status kernel_step_check_whole(const tsr_kernel *kernel, const tsr_tensor *result,
                                   tsr_error *err) TSR_NODISCARD;
/* Put the entries of `part`, the result of windows, where they belong in the whole result. */
tsr_status kernel_step_embed(tsr_tensor *result, const tsr_kernel *kernel, const tsr_tensor *part,
                             int nthreads, tsr_error *err) TSR_NODISCARD;

#endif
