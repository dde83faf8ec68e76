/* What the kernel_step*.c files, kernel_rewrite.c, kernel_program.c and kernel_fuse.c share: a step computes a part of a statement, or one
 * of several statements, before the kernel itself. Its result is a tensor with a name, which stands for the part. */
#ifndef KERNEL_STEPS_H
#define KERNEL_STEPS_H

#include "kernel_internal.h"
#include "tsr_emit.h"
#include "tsr_pack.h"
#include "tsr_rules.h"

enum { KERNEL_STEP_MAX_NAME = 48 };

typedef struct kernel_step {
    tsr_rules_kind kind;
    const tsr_expr
        *expr; /* the part of kernel->original, a matrix of a list: the access; NULL: the right side */
    char name[KERNEL_STEP_MAX_NAME];
    int order;
    int var[TSR_MAX_ORDER]; /* the variables of the result, by their numbers in kernel->original */
    uint64_t dims[TSR_MAX_ORDER];
    int mode;    /* of TSR_RULES_LIST: the mode of `expr` */
    bool turned; /* of TSR_RULES_LIST: the rows are those of the tensor, not of the list */
    char inner
        [KERNEL_STEP_MAX_NAME]; /* of TSR_RULES_LIST: the variable of the tensor's coordinates, whose number in `var` is -1 */
    tsr_kernel *own; /* owned; of TSR_RULES_STATEMENT */
    const tsr_function
        *exact_for;    /* the values are converted to or from doubles, which this function needs; or NULL */
    bool is_statement; /* a statement of several: `text` is all of it, and `name` the name that it gives */
    char *text;        /* owned; of TSR_RULES_STATEMENT: the expression that `own` computes */
    const char *how;   /* of a rule: what stands before the '=' of the statement: "top(1)", "" */
    bool keeps_true;   /* of a rule: the result has the entries that are not 0 */
    tsr_type type;
    tsr_format *
        format; /* owned; of the result and of the arguments; of TSR_RULES_OLD: that of the result of the kernel */
} kernel_step;

/* The data that are needed to make the steps. */
typedef struct kernel_maker {
    tsr_rules_maker base; /* must be the first member */
    tsr_kernel *kernel;
    const tsr_kernel_tensor *given; /* ngiven elements, with names */
    int ngiven;
    bool has_sizes; /* the sizes of the variables of kernel->notation are known */
    uint64_t size[TSR_NOTATION_MAX_VARS];
} kernel_maker;

/* The tensors that a step can read. */
typedef struct kernel_step_input {
    const tsr_kernel *kernel;
    const tsr_tensor *const *operands; /* of kernel->original */
    tsr_tensor *result;                /* for TSR_RULES_OLD, which may move the entries out of it */
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
/* Append the name of the step with the variables: "T1_(i,j)". */
void kernel_step_print_access(tsr_text *text, const kernel_step *step, const tsr_notation *notation);
/* The result of a step as an operand. */
tsr_kernel_tensor kernel_describe_step(const kernel_step *step);
/* The description of the tensor with this name among n; NULL: there is none. */
const tsr_kernel_tensor *kernel_find_given(const tsr_kernel_tensor *given, int n, const char *name);
bool kernel_is_given_dense(const tsr_kernel_tensor *given);
tsr_type kernel_given_type(const tsr_kernel_tensor *given);
/* Set the sizes of the variables of the notation, from the tensors that the caller has described. */
tsr_status kernel_step_sizes(uint64_t *size, const tsr_notation *notation, const tsr_kernel_tensor *given,
                             int ngiven, tsr_error *err) TSR_NODISCARD;
/* tsr_rules_maker.make of a kernel_maker. */
tsr_status kernel_make_step(tsr_rules_maker *maker, tsr_rules_made *made, const tsr_rules_step *of,
                            tsr_error *err) TSR_NODISCARD;
/* Whether other sizes can be served: all steps are matrices of lists, or compute by programs for any size. */
bool kernel_has_open_steps(const tsr_kernel *kernel);
/* Make the steps of m->kernel, which has none, by the programs of those of `base`, for other tensors: m->given. Errors as in
 * tsr_kernel_rebind. */
tsr_status kernel_rebind_steps(kernel_maker *m, const tsr_kernel *base, tsr_error *err) TSR_NODISCARD;
/* After the rules: give the entries before the run the type of the result, where the caller has not said it. */
void kernel_settle_old(const kernel_maker *m);
/* The descriptions of the tensors of a notation whose numbers are `first` or more: those that the caller has described, then results
 * of steps. Returns the number of them; `out` may be m->given. */
int kernel_select_given(tsr_kernel_tensor *out, const kernel_maker *m, const tsr_notation *of, int first);

/* ---- kernel_step_matrix.c ---- */

/* *out: the tensor of TSR_RULES_BAND. */
tsr_status kernel_step_band(tsr_tensor **out, const kernel_step *step, int nthreads,
                            tsr_error *err) TSR_NODISCARD;

/* Pack coo in the format of the step, and free coo. If `status` is not TSR_OK, only free coo, and return
 * `status`. */
tsr_status kernel_step_pack(tsr_tensor **out, const kernel_step *step, tsr_coo *coo, tsr_status status,
                            int nthreads, tsr_error *err) TSR_NODISCARD;

/* Append what the step of a matrix is. */
void kernel_print_list_step(tsr_text *text, const kernel_step *step, const tsr_notation *notation);
/* *out: the matrix. */
tsr_status kernel_step_list(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                            tsr_error *err) TSR_NODISCARD;

/* ---- kernel_program.c ---- */

/* The tensors that statements can read: those of the caller, then the results of the statements before. */
typedef struct kernel_program {
    tsr_kernel *kernel;
    const tsr_notation *notation; /* of all statements */
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
    int like;                       /* the operand whose entries the sparse result has; 0: none */
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
/* *out: the text of one statement, to be freed with tsr_free. */
tsr_status kernel_statement_text(char **out, const tsr_notation *own, tsr_error *err) TSR_NODISCARD;
/* Find or compile the functions of a kernel that was made to be interpreted. */
tsr_status kernel_settle(tsr_kernel *kernel, const kernel_program *p) TSR_NODISCARD;
/* The kernel of statement k, whole. */
static inline tsr_kernel *kernel_of_statement(const tsr_kernel *kernel, int k)
{
    return k < kernel->nsteps ? kernel->step[k].own : kernel->last;
}

#if TSR_HAVE_FUSION
/* ---- kernel_text.c ---- */

/* Whether the text has several programs: of steps, or one that converts the result. */
bool kernel_prints_several(const tsr_kernel *kernel);
/* Append the C text or the header of such a kernel. `how` has no texts of parameters. */
tsr_status kernel_print_several(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what,
                                const tsr_emit_options *how, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_fuse.c, where statements run together ---- */

/* Set kernel->groups: find the statements that run together, and make their kernels. */
tsr_status kernel_fuse(kernel_program *p) TSR_NODISCARD;
void kernel_groups_free(struct kernel_groups *groups);
/* The group that begins with statement k and is fused; NULL: there is none. */
const kernel_group *kernel_group_at(const tsr_kernel *kernel, int k);
/* Run the group: set owned[k] for the statements whose results are read behind it, or `result` where the last statement is in it. */
tsr_status kernel_run_group(const kernel_group *group, const kernel_step_input *in, tsr_tensor **owned,
                            tsr_error *err) TSR_NODISCARD;
#else
static inline bool kernel_prints_several(const tsr_kernel *kernel)
{
    return kernel_computes_steps(kernel);
}
static inline tsr_status kernel_print_several(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what,
                                              const tsr_emit_options *how, tsr_error *err)
{
    (void)text, (void)what, (void)how;
    return tsr_fail(
        err, TSR_UNSUPPORTED,
        "%s is computed in several steps, not by one function: use the text `graph`, which shows the steps",
        kernel->text.expression);
}
static inline tsr_status kernel_fuse(kernel_program *p)
{
    (void)p;
    return TSR_OK;
}
static inline void kernel_groups_free(struct kernel_groups *groups)
{
    (void)groups;
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
