/* What the files of kernel share. */
#ifndef KERNEL_INTERNAL_H
#define KERNEL_INTERNAL_H

#include "tsr_jit.h"
#include "tsr_kernel.h"
#include "tsr_lower.h"
#include "tsr_plan.h"
#include "tsr_rt.h"

/* What a kernel was made for, one tensor. */
typedef struct kernel_tensor {
    tsr_format *format;   /* owned */
    tsr_binding *binding; /* owned; of format to dims */
    uint64_t dims[TSR_MAX_ORDER];
    tsr_lower_operand operand; /* type, widths, pitches */
} kernel_tensor;

/* Everything is set by tsr_kernel_new and only read after that. */
struct tsr_kernel {
    tsr_notation
        *original; /* as it was given, where functions in it are computed in steps before; else NULL */
    int nsteps;
    struct kernel_step *step; /* owned; nsteps */
    tsr_notation *notation;
    kernel_tensor tensor[TSR_NOTATION_MAX_TENSORS]; /* notation->ntensors, the result first */
    uint64_t size[TSR_NOTATION_MAX_VARS];           /* notation->nvars */
    int nthreads;                                   /* planned for */
    bool has_header;
    tsr_schedule schedule; /* asked for */
    const tsr_semiring *ring;
    tsr_plan *plan;                        /* NULL: the nests of one driver each do; else: */
    tsr_binding *copy[TSR_PLAN_MAX_VIEWS]; /* owned; of views that are copies */
    tsr_lower_operand
        operand[TSR_NOTATION_MAX_TENSORS + TSR_PLAN_MAX_VIEWS]; /* as tsr_lower_plan takes them */
    tsr_lowered *lowered;
    tsr_jit *jit;              /* owns `function` when that was compiled now */
    tsr_rt_function *function; /* NULL: the interpreter runs `lowered` */
    tsr_kernel_info info;      /* its texts are the three below */
    char *schedule_text, *warning, *expression;
};

/* ---- kernel_tensors.c ---- */

/* Fill kernel->tensor and kernel->size from what the caller said. The notation is there. */
tsr_status kernel_describe(tsr_kernel *kernel, const tsr_kernel_tensor *tensors, int ntensors,
                           tsr_error *err) TSR_NODISCARD;

/* The notation that callers see. */
static inline const tsr_notation *kernel_notation(const tsr_kernel *kernel)
{
    return kernel->original ? kernel->original : kernel->notation;
}
/* The type that holds what values of both types give. */
tsr_type kernel_common_type(tsr_type a, tsr_type b);

/* ---- kernel_steps.c ---- */

/* Make the steps that compute the functions of kernel->notation, which becomes kernel->original;
 * kernel->notation is then the same with tensors in their place. given: what the caller said; *out, *n: what
 * the new notation needs of it, and of the steps' results (tsr_free). */
tsr_status kernel_make_steps(tsr_kernel *kernel, tsr_kernel_tensor **out, int *n,
                             const tsr_kernel_tensor *given, int ngiven, const tsr_kernel_options *options,
                             tsr_error *err) TSR_NODISCARD;
void kernel_free_steps(tsr_kernel *kernel);
/* Run them. operands: of the original notation; inner: those of kernel->notation; owned: the steps' results,
 * for the caller to free (nsteps, NULL where there is none). */
tsr_status kernel_run_steps(const tsr_tensor **inner, tsr_tensor **owned, const tsr_kernel *kernel,
                            const tsr_tensor *const *operands, int nthreads, tsr_error *err) TSR_NODISCARD;
tsr_status kernel_print_steps(tsr_text *text, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_plan.c ---- */

/* Plan and lower what needs more than nests of one driver each. */
tsr_status kernel_plan(tsr_kernel *kernel, const char *name, tsr_error *err) TSR_NODISCARD;
/* Whether the result is assembled by a run, which gives it its levels. */
static inline bool kernel_assembles(const tsr_kernel *kernel)
{
    return kernel->plan && kernel->plan->sink != TSR_PLAN_DENSE;
}
/* The copies that a run reads; copies: one for each view, NULL for those that are no copies. The caller frees
 * them. */
tsr_status kernel_make_copies(tsr_tensor **copies, const tsr_kernel *kernel,
                              const tsr_tensor *const *operands, int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_assemble.c ---- */

/* A result without entries. */
tsr_status kernel_empty_result(tsr_tensor **out, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;
/* Put what the program allocated into the result. output: one for each parameter of the program, their blocks
 * are used up, on failure too. */
tsr_status kernel_take_outputs(tsr_tensor *result, const tsr_kernel *kernel, tsr_ir_output *output,
                               int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_engine.c ---- */

/* Append the C text that is compiled, with its entry point: what a built-in kernel is found by. */
tsr_status kernel_entry_text(tsr_text *text, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;
/* Find or make what runs the lowered program. */
tsr_status kernel_choose_engine(tsr_kernel *kernel, const tsr_kernel_options *options,
                                tsr_error *err) TSR_NODISCARD;

/* ---- kernel_check.c ---- */

/* What no kernel takes, whatever it was made for: symmetric storage, a fill that is not zero.
 * TSR_UNSUPPORTED.
 */
tsr_status kernel_check_kind(const char *name, const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
/* Tensor t of the notation is as the kernel was made for, and its arrays are as long as its levels say. Cost:
 * a few operations per level. TSR_ARGUMENT, TSR_UNSUPPORTED. */
tsr_status kernel_check_tensor(const tsr_kernel *kernel, int t, const tsr_tensor *tensor,
                               tsr_error *err) TSR_NODISCARD;
/* All tensors of a run: each by itself, the result is none of the operands and has the levels of the pattern
 * operand. */
tsr_status kernel_check_run(const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, tsr_error *err) TSR_NODISCARD;

#endif
