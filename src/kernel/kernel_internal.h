/* Declarations shared by the files of kernel. */
#ifndef KERNEL_INTERNAL_H
#define KERNEL_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "tsr_interrupt.h"
#include "tsr_jit.h"
#include "tsr_kernel.h"
#include "tsr_lower.h"
#include "tsr_memory.h"
#include "tsr_plan.h"
#include "tsr_rt.h"

/* The properties of one tensor that a kernel is made for. */
typedef struct kernel_tensor {
    tsr_format *format;   /* owned */
    tsr_binding *binding; /* owned; of `format` with `dims` */
    uint64_t dims[TSR_MAX_ORDER];
    tsr_plan_operand operand; /* type, widths, pitches */
    /* The part of the values of dense blocks, or of marked cells, that are not 0, by a sample; 1: unknown. */
    double filled;
} kernel_tensor;

/* The sizes that a program is lowered for where it serves other sizes, too: see kernel_sizes.c. */
typedef struct kernel_open {
    bool planned;                         /* the plan was chosen by sizes and by numbers of entries */
    uint64_t size[TSR_NOTATION_MAX_VARS]; /* notation->nvars */
    tsr_binding *binding[TSR_NOTATION_MAX_TENSORS]; /* owned; notation->ntensors */
} kernel_open;

/* The statement of a kernel in storage coordinates: see kernel_storage.c. */
typedef struct kernel_storage {
    tsr_notation *notation; /* owned; its tensors have the numbers of kernel->notation */
    tsr_format *format[TSR_NOTATION_MAX_TENSORS];   /* owned; the modes of a tensor are its levels */
    tsr_binding *binding[TSR_NOTATION_MAX_TENSORS]; /* owned; of `format` */
    uint64_t size[TSR_NOTATION_MAX_VARS];
    tsr_plan_parts parts[TSR_NOTATION_MAX_TENSORS]; /* of the levels of `format`, in those of the tensors */
    bool has_parts;                                 /* a level has several parts, or no positions */
} kernel_storage;

/* What runs the program of a kernel, and of those that borrow it. While a compiler works, the interpreter runs it. */
typedef struct kernel_code {
    tsr_jit *jit;                        /* owns `function` where the JIT compiled it; else NULL */
    _Atomic(tsr_rt_function *) function; /* NULL: the interpreter runs `lowered` */
    tsr_kernel_info info;                /* that of the kernel, or what the compiler made later */
    char *warning;                       /* owned; NULL: no warning */
    atomic_bool waits;                   /* for a compiler; the fields below are then set */
    atomic_bool is_news;  /* the warning came after the kernel was made, and no caller has it */
    pthread_mutex_t lock; /* for the thread that takes what the compiler made */
    tsr_jit_pool *pool;
    uint64_t number; /* of the text in the pool */
    char *source;    /* owned */
} kernel_code;

/* tsr_kernel_new sets all fields; they are only read afterwards, except what `code` says of a compiler that works. */
struct tsr_kernel {
    const tsr_kernel
        *base; /* the kernel whose notation, plan and program this kernel borrows; NULL: it owns them */
    kernel_storage *storage; /* owned; the statement that is planned; NULL: `notation` is */
    kernel_open *open;       /* owned; NULL: the program is for the sizes of this kernel alone */
    tsr_notation *original; /* the given notation, where steps compute the functions in it first; else NULL */
    int nsteps;
    struct kernel_step *step; /* owned; TSR_NOTATION_MAX_TENSORS elements, of which nsteps are used */
    tsr_kernel *
        last; /* owned; the last of several statements, whose result is that of this kernel; else NULL. The steps are the
                         statements before, and there is no program */
    struct kernel_groups *groups; /* owned; with `last`: which statements run together; NULL: none */
    tsr_notation *notation;       /* the notation that the program computes */
    kernel_tensor tensor[TSR_NOTATION_MAX_TENSORS]; /* notation->ntensors, the result first */
    uint64_t size[TSR_NOTATION_MAX_VARS];           /* notation->nvars */
    uint64_t cached_nbytes; /* half of the last cache: arrays of this size or more do not stay in it */
    /* of the caller; without a pool, texts of it are read only while the kernel is made. nthreads: of the plan; values_only: what the
     * program has */
    tsr_kernel_options how;
    tsr_schedule schedule; /* requested */
    const tsr_semiring *ring;
    tsr_plan *plan;
    tsr_binding *copy[TSR_PLAN_MAX_VIEWS]; /* owned; the bindings of views that are copies */
    tsr_plan_operand
        *operand; /* owned; the argument of tsr_lower: of each tensor, then of each view of the plan */
    tsr_lowered *lowered;
    kernel_code *code;    /* owned; NULL: no program */
    tsr_kernel_info info; /* its texts are those of `text`, and of `code` */
    struct {
        char *schedule, *expression;
    } text; /* owned */
};

/* ---- kernel_tensors.c ---- */

/* The description, with the format, the dims and the type of the tensor that it has. */
static inline tsr_kernel_tensor kernel_complete(tsr_kernel_tensor given)
{
    if (given.tensor) {
        given.format = given.tensor->format;
        given.dims = given.tensor->dims;
        given.type = given.tensor->type;
    }
    return given;
}
/* *out: the n descriptions, complete, with room for those of steps; free it with tsr_free. TSR_ARGUMENT, TSR_NOMEM. */
tsr_status kernel_take_given(tsr_kernel_tensor **out, const tsr_kernel_tensor *given, int n,
                             tsr_error *err) TSR_NODISCARD;
/* Set kernel->tensor and kernel->size from the tensors that the caller gave, complete. kernel->notation is set.
 * TSR_ARGUMENT, TSR_UNSUPPORTED, TSR_NOMEM. */
tsr_status kernel_describe(tsr_kernel *kernel, const tsr_kernel_tensor *tensors, int ntensors,
                           tsr_error *err) TSR_NODISCARD;

/* The notation that callers see. */
static inline const tsr_notation *kernel_notation(const tsr_kernel *kernel)
{
    return kernel->original ? kernel->original : kernel->notation;
}

/* ---- kernel_sizes.c ---- */

/* Set kernel->open, where the program can serve other sizes; else NULL. planned: the plan depends on sizes, as it merges.
 * TSR_NOMEM. */
tsr_status kernel_open_sizes(tsr_kernel *kernel, bool planned, tsr_error *err) TSR_NODISCARD;
void kernel_open_free(kernel_open *open);
/* Tensor t as it is planned and lowered, and the size of each variable. */
tsr_plan_operand kernel_operand(const tsr_kernel *kernel, int t);
static inline const uint64_t *kernel_sizes(const tsr_kernel *kernel)
{
    return kernel->open ? kernel->open->size : kernel->size;
}

/* ---- kernel_storage.c ---- */

/* *out: the statement in storage coordinates; NULL: there is none. kernel->plan is a plan that merges. TSR_NOMEM. */
#if TSR_HAVE_STORAGE
tsr_status kernel_make_storage(kernel_storage **out, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;
void kernel_storage_free(kernel_storage *storage);
#else
static inline tsr_status kernel_make_storage(kernel_storage **out, const tsr_kernel *kernel, tsr_error *err)
{
    *out = NULL;
    (void)kernel, (void)err;
    return TSR_OK;
}
static inline void kernel_storage_free(kernel_storage *storage)
{
    (void)storage;
}
#endif

/* ---- kernel_rewrite.c ---- */

/* Rewrite the statement before it is planned, and parse the schedule for what is left of it. The *n descriptions `given`, of
 * kernel_take_given, become those of what is left. */
tsr_status kernel_rewrite(tsr_kernel *kernel, tsr_kernel_tensor *given, int *n, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_steps.c ---- */

void kernel_free_steps(tsr_kernel *kernel);
/* Whether a step computes a tensor, or the result is moved after the run: other kernels are one function. */
bool kernel_computes_steps(const tsr_kernel *kernel);
/* Append the steps as text. */
tsr_status kernel_print_steps(tsr_text *text, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_program.c ---- */

/* Make the parts of a kernel whose notation has several statements. The notation becomes kernel->original. */
tsr_status kernel_make_program(tsr_kernel *kernel, const tsr_kernel_tensor *tensors, int ntensors,
                               tsr_error *err) TSR_NODISCARD;
/* tsr_kernel_propose_format for several statements. */
tsr_status kernel_propose_program(tsr_format **out, const tsr_notation *notation,
                                  const tsr_kernel_question *asked, tsr_error *err) TSR_NODISCARD;
/* Append the statements with their plans. */
tsr_status kernel_print_program(tsr_text *text, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_plan.c ---- */

/* Set kernel->plan, kernel->operand, kernel->copy; and kernel->open if the program shall serve any size. */
tsr_status kernel_plan(tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;
/* Whether a run makes the levels of the result. */
static inline bool kernel_assembles(const tsr_kernel *kernel)
{
    return kernel->last ? kernel_assembles(kernel->last)
                        : kernel->plan && kernel->plan->sink != TSR_PLAN_DENSE;
}
/* Whether the workspaces of the program are copies of the result. */
bool kernel_adds_copies(const tsr_kernel *kernel);
/* Whether a run of the program allocates the levels of the result. */
static inline bool kernel_has_outputs(const tsr_kernel *kernel)
{
    return kernel_assembles(kernel) && !kernel->how.values_only;
}
/* Make the copies that a run reads. copies: plan->nviews pointers, initially NULL; a pointer is set for each
 * view that is a copy. The caller frees the tensors, on failure, too. */
tsr_status kernel_make_copies(tsr_tensor **copies, const tsr_kernel *kernel,
                              const tsr_tensor *const *operands, int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_assemble.c ---- */

/* The array of the assembled tensor that becomes parameter i of the program; NULL: parameter i is not an output, or becomes coordinates
 * that are packed. */
tsr_array *kernel_output_array(tsr_tensor *tensor, const tsr_kernel *kernel, int i);
/* Exchange the contents of two tensors. */
void kernel_swap(tsr_tensor *a, tsr_tensor *b);
/* A result without entries. */
tsr_status kernel_empty_result(tsr_tensor **out, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;
/* Move the arrays that the program allocated into the result. output: one for each parameter of the program;
 * the arrays are consumed, on failure, too. */
tsr_status kernel_take_outputs(tsr_tensor *result, const tsr_kernel *kernel, tsr_ir_output *output,
                               int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_run.c ---- */

/* What a program for values alone noticed. */
typedef struct kernel_met {
    int64_t number
        [2]; /* added to: the differences between the entries of the result and those that the operands give; and those between
                          the contributions and the trail */
    tsr_trail *trail; /* that the program uses; NULL: none */
} kernel_met;

/* tsr_kernel_run for any program. */
tsr_status kernel_run(kernel_met *met, const tsr_kernel *kernel, tsr_tensor *result,
                      const tsr_tensor *const *operands, int nthreads, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_memory.c ---- */

/* Check that the workspaces of the program on nthreads threads fit into memory, and set *held to their
 * bytes. args has nparams elements; an index of which the value is unknown is negative, and a workspace with
 * such a length counts as 0 bytes. The error TSR_LIMIT has the bytes, and the number of threads whose
 * workspaces would fit. */
tsr_status kernel_check_workspaces(uint64_t *held, const tsr_kernel *kernel, const tsr_ir_arg *args,
                                   int nthreads, tsr_error *err) TSR_NODISCARD;

/* The limit that a program asks before its outputs grow. The outputs begin with the arrays of the result of the run before,
 * whose pages the system then need not make again. */
typedef struct kernel_limit {
    tsr_rt_limit given; /* must be the first member */
    const tsr_kernel *kernel;
    tsr_tensor *result;
    const tsr_rt_output *output; /* the outputs of the program, one for each parameter */
    uint64_t operands_nbytes;    /* of all operands together */
    tsr_interrupt_scope scope;   /* of the call: a request ends the program when it asks for memory */
    atomic_ullong nbytes;        /* the bytes that have been allowed, which count as held */
    _Atomic(double) wanted;      /* the bytes of all outputs when a request was refused; 0: no request was */
    atomic_flag refuses;         /* set by the thread that was refused first and writes `words` */
    char words
        [TSR_MEMORY_WORDS_NBYTES]; /* what was needed and what was left then: later the program frees its outputs */
} kernel_limit;
void kernel_limit_init(kernel_limit *limit, const tsr_kernel *kernel, tsr_tensor *result,
                       const tsr_rt_output *output, uint64_t operands_nbytes);
/* After a failed run: if the program took arrays of the result, make the result empty. Where there is no memory even for that, the
 * result stays without arrays, and can be freed or be the result of another run. */
void kernel_reset_result(tsr_tensor *result, const tsr_kernel *kernel);
/* The error TSR_LIMIT with the bytes that were refused. Call it after the program has ended. */
tsr_status kernel_refuse_outputs(const tsr_kernel *kernel, const kernel_limit *limit,
                                 tsr_error *err) TSR_NODISCARD;

/* ---- kernel_params.c ---- */

/* The number of the last parameter of the program with this role; -1: there is none. A program whose threads share work has
 * TSR_PARAM_NTHREADS. */
int kernel_find_param(const tsr_kernel *kernel, tsr_param_role role);
/* Describe the parameters of the function of the kernel, with one text for each parameter. The caller frees
 * *texts and *buffer with tsr_free. *threads: 1 + the number of the parameter that is the number of
 * threads. */
tsr_status kernel_param_texts(char ***texts, char **buffer, int *threads, const tsr_kernel *kernel,
                              tsr_error *err) TSR_NODISCARD;

/* ---- kernel_engine.c ---- */

/* How the JIT compiles. */
tsr_jit_options kernel_jit_options(const tsr_kernel_options *options);
/* Append the C text to compile, with the entry point. The hash of this text identifies a built-in kernel. */
tsr_status kernel_entry_text(tsr_text *text, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;
/* Find or compile the function that runs the lowered program, and set kernel->info. */
tsr_status kernel_choose_engine(tsr_kernel *kernel, const tsr_kernel_options *options,
                                tsr_error *err) TSR_NODISCARD;
void kernel_code_free(kernel_code *code);
/* *function: what runs the program now; NULL: the interpreter. *waits: only until a compiler has ended, for which
 * kernel_await waits. Errors of tsr_jit_load. */
tsr_status kernel_find_function(tsr_rt_function **function, bool *waits, const tsr_kernel *kernel,
                                tsr_error *err) TSR_NODISCARD;
tsr_status kernel_await(tsr_rt_function **function, const tsr_kernel *kernel, tsr_error *err) TSR_NODISCARD;

/* ---- kernel_check.c ---- */

/* TSR_UNSUPPORTED for a tensor that kernels never take: a stored triangle, or a fill that is not 0. */
tsr_status kernel_check_kind(const char *name, const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;
/* Check that the tensor has the format, dims, types and widths of the kernel's tensor t, and that the arrays
 * have the lengths that the levels need; of a result whose levels a run makes, the format, dims and type alone. Cost: a few operations
 * per level. TSR_ARGUMENT, TSR_UNSUPPORTED. */
tsr_status kernel_check_tensor(const tsr_kernel *kernel, int t, const tsr_tensor *tensor,
                               tsr_error *err) TSR_NODISCARD;
/* Whether two levels of one type have the same positions and coordinates, compared on nthreads threads (0: all). */
bool kernel_same_level(const tsr_level *a, const tsr_level *b, int nthreads);
/* Check all tensors of a run: each tensor by itself; that the result shares no memory with an operand; and that it has the
 * levels of the pattern operand, for which all elements are compared on nthreads threads (0: all), unless
 * kernel_note_pattern has noted that they are equal. TSR_ARGUMENT, TSR_UNSUPPORTED. */
tsr_status kernel_check_run(const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, int nthreads, tsr_error *err) TSR_NODISCARD;
/* After the check: note that the result has the levels of the pattern operand, so that the next check costs nothing. */
void kernel_note_pattern(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands);

#endif
