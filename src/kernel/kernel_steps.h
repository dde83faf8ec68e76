/* The types and functions that the kernel_step*.c files, kernel_rewrite.c, kernel_program.c and kernel_fuse.c share. These files compute parts
 * of an expression before the kernel itself. Each part is a step; the result of the step is a tensor with a
 * name, which replaces the part in the expression. */
#ifndef KERNEL_STEPS_H
#define KERNEL_STEPS_H

#include "kernel_internal.h"
#include "tsr_pack.h"

enum { KERNEL_STEP_MAX_NAME = 48 };

typedef enum kernel_step_kind {
    KERNEL_STEP_LIST,  /* the matrix of a list of coordinates */
    KERNEL_STEP_OLD,   /* the entries of a sparse result before the run */
    KERNEL_STEP_BAND,  /* a band: an interval of each row, whose entries are 1 */
    KERNEL_STEP_KERNEL /* an expression, which another kernel computes */
} kernel_step_kind;

typedef struct kernel_step {
    kernel_step_kind kind;
    const tsr_expr *expr; /* the part of kernel->original: the call, the access or the divisor; else
                  NULL */
    char name[KERNEL_STEP_MAX_NAME];
    int order;
    int var[TSR_MAX_ORDER]; /* the variables of the result, by their numbers in kernel->original */
    uint64_t dims[TSR_MAX_ORDER];
    int mode;    /* of KERNEL_STEP_LIST: the mode of `expr` */
    bool turned; /* of KERNEL_STEP_LIST: the rows are those of the tensor, not of the list */
    char inner
        [KERNEL_STEP_MAX_NAME]; /* of KERNEL_STEP_LIST: the variable of the tensor's coordinates, whose number in `var` is -1 */
    tsr_kernel *own; /* owned; of KERNEL_STEP_KERNEL */
    const tsr_function
        *exact_for;    /* the values are converted to or from doubles, which this function needs; or NULL */
    bool is_argument;  /* of a function that another step computes; no other part of the expression uses it */
    bool is_statement; /* a statement of several: `text` is all of it, and `name` the name that it gives */
    char *text;        /* owned; of KERNEL_STEP_KERNEL: the expression that `own` computes */
    char how
        [KERNEL_STEP_MAX_NAME]; /* of KERNEL_STEP_KERNEL: what stands before the '=' of the statement: "top(1)", "" */
    tsr_type type;
    tsr_format *
        format; /* owned; of the result and of the arguments; of KERNEL_STEP_OLD: that of the result of the kernel */
} kernel_step;

/* The data that are needed to make the steps. */
typedef struct kernel_maker {
    tsr_kernel *kernel;
    const tsr_kernel_tensor *given; /* ngiven elements, with names */
    int ngiven;
    const tsr_kernel_options *options;
    uint64_t size[TSR_NOTATION_MAX_VARS];
    tsr_type type; /* of products of two operands; TSR_NTYPES: the common type of the operands */
    tsr_error *err;
} kernel_maker;

/* The tensors that a step can read. */
typedef struct kernel_step_input {
    const tsr_kernel *kernel;
    const tsr_tensor *const *operands; /* of kernel->original */
    tsr_tensor *result;                /* for KERNEL_STEP_OLD, which may move the entries out of it */
    tsr_tensor *
        *moved; /* set to the tensor of the step that has the entries of the result; NULL: no step has them */
    tsr_tensor *const *made; /* the results of the steps before */
    int nthreads;
} kernel_step_input;

/* Run all steps; where they are statements, also the last one. `inner` receives the operands of kernel->notation. `owned`, which is also in->made, receives the
 * results of the nsteps steps (NULL for a step that did not run), which the caller frees, also after a
 * failure. */
tsr_status kernel_run_steps(const tsr_tensor **inner, tsr_tensor **owned, const kernel_step_input *in,
                            tsr_error *err) TSR_NODISCARD;
/* The tensor with this name: an operand, or the result of a step before; NULL: there is no such tensor. */
const tsr_tensor *kernel_find_input(const kernel_step_input *in, const char *name);
/* The bytes of an element of the level arrays of the result of the step. */
int kernel_step_width(const kernel_step *step);
/* Whether the elements of all level arrays have that number of bytes. */
bool kernel_has_width(const tsr_tensor *tensor, size_t width);
/* Whether a tensor, a variable or a step has the name. */
bool kernel_is_name_used(const tsr_kernel *kernel, const char *name);
/* Append the name of the step with the variables: "T1_(i,j)". */
void kernel_step_print_access(tsr_text *text, const kernel_step *step, const tsr_notation *notation);
/* The set of tensors that the caller has described as sparse. */
uint32_t kernel_sparse_set(const tsr_notation *notation, const tsr_kernel_tensor *given, int ngiven);
bool kernel_is_given_dense(const tsr_kernel_tensor *given);
tsr_type kernel_given_type(const tsr_kernel_tensor *given);
/* Set the sizes of the variables of the notation, from the tensors that the caller has described. */
tsr_status kernel_step_sizes(uint64_t *size, const tsr_notation *notation, const tsr_kernel_tensor *given,
                             int ngiven, tsr_error *err) TSR_NODISCARD;
/* The next step, with a name; there is room for it. */
kernel_step *kernel_add_step(tsr_kernel *kernel);
/* Make the kernel that computes step->text, a right side over the variables of the step. */
tsr_status kernel_step_make_own(kernel_step *step, const kernel_maker *m, const char *semiring) TSR_NODISCARD;
/* The caller's description of tensor t of kernel->original; NULL: the caller has not described it. */
const tsr_kernel_tensor *kernel_given_for(const kernel_maker *m, int t);
/* The common value type of these operands (bit t for tensor t); without operands that of the result. */
tsr_type kernel_operands_type(const kernel_maker *m, uint32_t of);
/* Whether both parts of the expression have the same text; a may be NULL. */
bool kernel_same_text(const tsr_kernel *kernel, const tsr_expr *a, const tsr_expr *b);
/* Make a step of a part that a kernel of its own computes: a sum that is a divisor, a function, or an argument of one. text:
 * owned, the text of the part. */
tsr_status kernel_step_make_part(kernel_step *step, const kernel_maker *m, tsr_text *text,
                                 const char *semiring) TSR_NODISCARD;
/* Describe the tensors of the new notation: the tensors of the caller that it still has, and the results of the
 * steps. Returns the number of them. */
int kernel_describe_inner(tsr_kernel_tensor *out, const kernel_maker *m);

/* ---- kernel_rewrite.c ---- */

/* Whether a step can be added without exceeding the limit on tensors. */
bool kernel_has_room(const tsr_kernel *kernel);

/* ---- kernel_step_find.c ---- */

/* The parts of an expression that are steps. */
typedef struct kernel_finder {
    uint32_t sparse, vars; /* the tensors that are stored sparse; all variables */
    uint32_t complex;      /* the tensors of complex values */
    bool inlines;          /* functions and coordinates may be parts of the kernel itself */
    bool multiplies_out;   /* products of sums may be multiplied out */
    int nsparse;           /* sparse operands of the functions that are */
    int n;                 /* the number of parts; parts that do not fit into `found` are only counted */
    const tsr_expr *found[TSR_NOTATION_MAX_TENSORS];
    bool
        is_factor[TSR_NOTATION_MAX_TENSORS]; /* an access with a list that is a factor of the kernel itself */
} kernel_finder;
void kernel_finder_init(kernel_finder *f, const tsr_kernel *kernel, const tsr_notation *notation,
                        const tsr_kernel_tensor *given, int ngiven);
/* Find the outermost parts of e that are steps, from left to right. A divisor that is a sum of sparse tensors
 * is a step, too. */
void kernel_find_steps(kernel_finder *f, const tsr_expr *e);
/* Whether a kernel of its own can compute the function and its arguments. */
bool kernel_is_alone(const kernel_maker *m, const kernel_finder *f, const tsr_expr *call);
bool kernel_is_number(const tsr_expr *e);
/* Whether e is a product of a band and of an access, which the band leaves entries of: *access is the access, *band the band. */
bool kernel_is_filtered(const tsr_expr **access, const tsr_expr **band, const tsr_expr *e);
/* Whether all values of the type are doubles. */
bool kernel_is_exact_double(tsr_type type);
bool kernel_is_sum(const tsr_expr *e);
/* Whether e has a function, whose values may have another type than the operands. */
bool kernel_has_call(const tsr_expr *e);

/* ---- kernel_step_call.c ---- */

/* Make the steps for the arguments of a function that it does not read as they are. */
tsr_status kernel_make_arguments(const kernel_maker *m, const tsr_expr *call) TSR_NODISCARD;
/* Make the step of the function step->expr. */
tsr_status kernel_make_call(kernel_step *step, const kernel_maker *m) TSR_NODISCARD;

/* Make the step of a band, or of an access whose entries a band leaves (kernel_is_filtered): step->expr. */
tsr_status kernel_make_band(kernel_step *step, const kernel_maker *m) TSR_NODISCARD;
/* *out: the tensor of KERNEL_STEP_BAND. */
tsr_status kernel_step_band(tsr_tensor **out, const kernel_step *step, tsr_error *err) TSR_NODISCARD;

/* Pack coo in the format of the step, and free coo. If `status` is not TSR_OK, only free coo, and return
 * `status`. */
tsr_status kernel_step_pack(tsr_tensor **out, const kernel_step *step, tsr_coo *coo, tsr_status status,
                            int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_step_list.c ---- */

/* Check that the list of a mode of the result has no coordinate twice; NULL: there is no list. */
tsr_status kernel_check_list(const tsr_mode_window *window, const tsr_notation *notation,
                             tsr_error *err) TSR_NODISCARD;
/* of[k]: the step of the matrix of mode k, for the modes of the set; else NULL. */
tsr_status kernel_make_lists(kernel_step **of, const kernel_maker *m, const tsr_expr *access,
                             uint32_t modes) TSR_NODISCARD;
/* Append the product of the matrices, each with a * behind it: "!!T1_(i,i_1)*". */
void kernel_print_lists(tsr_text *text, kernel_step *const *of, const kernel_maker *m,
                        const tsr_expr *access);
/* Append the access with the name and the variables of the tensor's coordinates: "A(i_1,j)". */
void kernel_print_listed(tsr_text *text, kernel_step *const *of, const kernel_maker *m,
                         const tsr_expr *access, const char *name);
/* Append what the step of a matrix is. */
void kernel_print_list_step(tsr_text *text, const kernel_step *step, const tsr_notation *notation);
/* The dim of mode k of the access, whose window may be a part of it. */
uint64_t kernel_whole_dim(const kernel_maker *m, const tsr_expr *access, int k);
/* *out: the matrix. */
tsr_status kernel_step_list(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                            tsr_error *err) TSR_NODISCARD;

/* ---- kernel_program.c ---- */

/* The tensors that statements can read: those of the caller, then the results of the statements before. */
typedef struct kernel_program {
    tsr_kernel *kernel;
    const tsr_notation *notation; /* of all statements */
    const tsr_kernel_options *options;
    uint64_t size[TSR_NOTATION_MAX_VARS];
    int n;
    tsr_kernel_tensor tensor[TSR_NOTATION_MAX_TENSORS + TSR_NOTATION_MAX_STATEMENTS];
    uint64_t dims[TSR_NOTATION_MAX_TENSORS]
                 [TSR_MAX_ORDER]; /* of the tensors of the caller that follow from others */
    tsr_error *err;
} kernel_program;

/* A statement that runs over blocks of rows. */
typedef struct kernel_part {
    tsr_kernel *block,
        *rest; /* owned; for the rows of a block, and for those of a shorter last one (NULL: there is none) */
    int mode
        [TSR_NOTATION_MAX_TENSORS]; /* of each operand: the mode whose rows are read; -1: the operand is read whole */
    bool is_inside;                 /* only statements of the group read the result: it is kept for a block */
} kernel_part;

/* The statements first to first + n - 1, which run one after the other for each block of rows. */
typedef struct kernel_group {
    int first, n;
    uint64_t nrows, block;
    kernel_part *part; /* owned; n */
    bool is_fused;     /* else they run one after the other as a whole */
} kernel_group;

/* Which statements run together. */
struct kernel_groups {
    int n;
    kernel_group group[TSR_NOTATION_MAX_STATEMENTS];
    char *why
        [TSR_NOTATION_MAX_STATEMENTS]; /* owned; of each statement: why it does not run with the one before; or NULL */
};

/* The descriptions of the operands of a statement; returns their number. */
int kernel_select_tensors(tsr_kernel_tensor *to, const kernel_program *p, const tsr_notation *own);
/* What the kernel of a statement is made with. */
tsr_kernel_options kernel_statement_options(const kernel_program *p);
/* Find or compile the functions of a kernel that was made to be interpreted. */
tsr_status kernel_settle(tsr_kernel *kernel, const kernel_program *p) TSR_NODISCARD;
/* The kernel of statement k, whole. */
static inline tsr_kernel *kernel_of_statement(const tsr_kernel *kernel, int k)
{
    return k < kernel->nsteps ? kernel->step[k].own : kernel->last;
}

/* ---- kernel_fuse.c, where statements run together (TSR_WITH_FUSION) ---- */

#if TSR_HAVE_FUSION
/* Set kernel->groups: find the statements that run together, and make their kernels. */
tsr_status kernel_fuse(kernel_program *p) TSR_NODISCARD;
/* *out: the rows [lo, hi) of the mode, which the first level stores; it borrows values and coordinates. TSR_ARGUMENT: arrays are too short. */
tsr_status kernel_view_rows(tsr_tensor **out, const tsr_tensor *from, int mode, uint64_t lo, uint64_t hi,
                            tsr_error *err) TSR_NODISCARD;
void kernel_groups_free(struct kernel_groups *groups);
/* Append what runs together, and why the others do not. */
void kernel_print_groups(tsr_text *text, const tsr_kernel *kernel);
/* The group that begins with statement k and is fused; NULL: there is none. */
const kernel_group *kernel_group_at(const tsr_kernel *kernel, int k);
/* Run the group: set owned[k] for the statements whose results are read behind it, or `result` where the last statement is in it. */
tsr_status kernel_run_group(const kernel_group *group, const kernel_step_input *in, tsr_tensor **owned,
                            tsr_error *err) TSR_NODISCARD;
#else
static inline tsr_status kernel_fuse(kernel_program *p)
{
    (void)p;
    return TSR_OK;
}
static inline void kernel_groups_free(struct kernel_groups *groups)
{
    (void)groups;
}
static inline void kernel_print_groups(tsr_text *text, const tsr_kernel *kernel)
{
    (void)text, (void)kernel;
}
static inline const kernel_group *kernel_group_at(const tsr_kernel *kernel, int k)
{
    (void)kernel, (void)k;
    return NULL;
}
static inline tsr_status kernel_run_group(const kernel_group *group, const kernel_step_input *in,
                                          tsr_tensor **owned, tsr_error *err)
{
    (void)group, (void)in, (void)owned, (void)err;
    return TSR_OK;
}
#endif

#endif
