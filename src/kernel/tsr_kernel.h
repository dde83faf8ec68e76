/* Kernels: a function that runs, made from index notation and a format for each tensor.
 *
 *     const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
 *     const tsr_tensor *const operands[] = {A, x};
 *     TSR_TRY(tsr_kernel_new(&k, "y(i) = A(i,j) * x(j)", tensors, 2, NULL, err));
 *     TSR_TRY(tsr_kernel_result(&y, k, operands, err));
 *     TSR_TRY(tsr_kernel_run(k, y, operands, 0, err));
 *
 * A kernel is immutable: several threads may run it at the same time, each with its own result. A kernel is
 * made for the formats, value types, array widths and dims of the given tensors, and may be run with any
 * tensors that agree in these; their values and entries may differ. Tensors must pass tsr_tensor_check: a run
 * checks kinds and lengths, but not the elements of level arrays. Operands must store whole matrices (not one
 * triangle) and have a fill of 0; a result cannot have the type pattern. */
#ifndef TSR_KERNEL_H
#define TSR_KERNEL_H

#include "tsr_observer.h"
#include "tsr_tensor.h"
#include "tsr_text.h"
#include "tsr_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_kernel tsr_kernel;

/* One tensor of the notation, identified by its name: either a tensor, or the properties of the tensors to
 * come. The result may be left out: it is then dense, row-major, of the operands' common type (complex wins
 * over real, real over signed, signed over unsigned; the width is that of the widest; f64 for a real type
 * with integers of 4 or more bytes, and where all are patterns). */
typedef struct tsr_kernel_tensor {
    const char *name;
    const tsr_tensor *tensor; /* NULL: given by the fields below */
    const tsr_format *format; /* NULL: dense */
    const uint64_t *dims;     /* NULL: follow from the dims of the other tensors */
    tsr_type type;            /* 0 is F64; TSR_NTYPES, of the result only: the operands' common type */
    uint8_t index_nbytes;     /* bytes per element of level arrays: 1, 2, 4 or 8; 0: 4 */
} tsr_kernel_tensor;

typedef enum tsr_kernel_engine {
    TSR_ENGINE_AUTO,     /* built in, else compiled, else interpreted */
    TSR_ENGINE_COMPILED, /* built in or compiled; TSR_UNSUPPORTED without a compiler */
    TSR_ENGINE_JIT,      /* compiled even where it is built in */
    TSR_ENGINE_BUILTIN,  /* built in, else TSR_UNSUPPORTED */
    TSR_ENGINE_INTERPRETER
} tsr_kernel_engine;

/* A kernel that was compiled before it is asked for: one of the library, or one that a program made ahead of time. */
typedef struct tsr_kernel_builtin {
    const char *key;  /* tsr_jit_hash of the compiled text */
    const char *name; /* of the .kernel file (tsr_kernel_file.h) */
    const char *summary;
    const char *expression;
    const char *formats; /* "B:csr; C:dd" */
    const char *type;    /* of all values */
    const char *index;   /* bytes per element of level arrays */
    const char *sizes;   /* sizes that are literals of the kernel: "r=16"; "": none */
    const char *schedule;
} tsr_kernel_builtin;
typedef struct tsr_kernel_made {
    tsr_kernel_builtin about;
    void (*function)(void); /* a tsr_rt_function */
} tsr_kernel_made;

/* Functions that the user has defined, compiled; immutable. */
typedef struct tsr_functions tsr_functions;

/* Of programs for values alone. TSR_KERNEL_TRAIL: the result keeps the places of contributions. */
typedef enum tsr_kernel_values { TSR_KERNEL_ALL, TSR_KERNEL_VALUES, TSR_KERNEL_TRAIL } tsr_kernel_values;

/* What the result of a kernel may take. */
typedef enum tsr_kernel_takes {
    TSR_KERNEL_TAKES_ALL, /* the levels of an operand, which tsr_kernel_result copies; with += what is in it before the run */
    TSR_KERNEL_TAKES_NO_LEVELS, /* no levels of an operand: tsr_kernel_result needs no operands */
    TSR_KERNEL_TAKES_NO_VALUES /* += and other reductions begin without the values and entries before the run */
} tsr_kernel_takes;

typedef struct tsr_kernel_options {
    const char *schedule; /* text form, see tsr_schedule in tsr_lower.h; NULL: automatic */
    const char *
        plan; /* the text TSR_KERNEL_GRAPH of the plan to follow, TSR_UNSUPPORTED if that is impossible; NULL: the
                             cheapest one */
    int nthreads; /* number of threads that the automatic schedule is chosen for; 0: all */
    tsr_kernel_engine engine;
    const tsr_functions
        *functions;           /* more functions of the expression; NULL: none; they must outlive the kernel */
    const char *semiring;     /* the meaning of + and * (tsr_notation.h): "min-plus"...; NULL: plus-times */
    const char *name;         /* of the C function; NULL: "kernel" */
    const tsr_tuning *tuning; /* what is assumed of the machine; NULL: the defaults */
    bool signed_index;        /* the arrays of indices in the C texts have signed elements */
    const struct tsr_emit_target
        *target;                  /* the texts are for this processor alone (tsr_emit.h); NULL: for any */
    bool cxx;                     /* the C texts are also valid C++17 */
    bool has_header;              /* the C texts include the header "NAME.h" (TSR_KERNEL_HEADER) */
    const char *compiler;         /* NULL: $TSR_CC, else cc */
    const char *const *flags;     /* see tsr_jit.h; NULL: the JIT's default flags */
    const char *cache_dir;        /* NULL: the user's cache folder */
    bool no_cache;                /* compile without the cache */
    const tsr_observer *observer; /* may cancel the compiler while tsr_kernel_new waits for it; may be NULL */
    /* not NULL: where the interpreter gives the same bits, TSR_ENGINE_AUTO starts the compiler in the pool and does not wait for it. Runs
     * are interpreted, or wait where the operands are large, until it has ended. The texts of these options must outlive the kernel. */
    struct tsr_jit_pool *pool;
    /* variables of this size have a size that is known only at run time, so that blocks of them are counted then; 0: none */
    uint64_t stand_in;
    /* for tsr_kernel_compute alone: where the kernel would make the levels of a sparse result, its program only computes values, in less
     * time than a run; tsr_kernel_run is then TSR_ARGUMENT. Other kernels are made as always. */
    tsr_kernel_values values_only;
    tsr_kernel_takes takes;
    bool any_size;    /* lower for tensors of other dims, too, where possible: see tsr_kernel_rebind */
    bool any_density; /* with any_size: the plan is for unknown numbers of entries, and serves all numbers */
    const tsr_kernel_made *made; /* nmade kernels that were made ahead of time: used before built-in ones */
    int nmade;
} tsr_kernel_options;

/* Append the path of a file that is kept for the user: the value of the environment variable, else `name` in the cache folder of
 * kernels. Nothing is appended if the value is "none", or if no cache folder is known. */
void tsr_kept_path(tsr_text *path, const char *variable, const char *name);
/* The same of the file that keeps the tuning of this machine: $TSR_TUNING, else "tuning". */
void tsr_tuning_path(tsr_text *path);
/* Read that file; numbers that it does not name are the defaults. If the file does not exist, *out follows from the caches of this
 * machine (tsr_tuning_of_machine), and is the defaults if TSR_TUNING is "none". Errors: TSR_SYNTAX (err->path, err->line),
 * TSR_LIMIT, TSR_IO, TSR_NOMEM. */
tsr_status tsr_tuning_load(tsr_tuning *out, tsr_error *err) TSR_NODISCARD;

/* Compile functions for expressions; free them with tsr_functions_free. texts: ntexts definitions "NAME(x) = EXPRESSION" or
 * "NAME(x,y) = EXPRESSION", where EXPRESSION is a C expression of the doubles x and y with the functions of math.h, without
 * side effects. "; zero at x=0", "; zero at y=0" or "; zero at x=0, y=0" may follow: the value is 0 where this argument is, so
 * the value is absent where the argument is; a few other arguments are tried. Without it the function is treated as one
 * of functions.def: absent where all arguments are, or present everywhere if it is not 0 there. The options (NULL: defaults) are those of the compiler.
 * TSR_SYNTAX (err->col), TSR_ARGUMENT, TSR_LIMIT, TSR_UNSUPPORTED: there is no compiler. */
tsr_status tsr_functions_new(tsr_functions **out, const char *const *texts, int ntexts,
                             const tsr_kernel_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_functions_free(tsr_functions *functions);
/* For tsr_notation_parse_with; borrowed. NULL for NULL. */
const struct tsr_function_list *tsr_functions_list(const tsr_functions *functions);

/* The sparse format that suits the result where no format is given: levels of its own if an entry of the result
 * needs several sparse operands to have entries in all of its variables; the pattern of an operand (tsr_kernel_propose_pattern) if a
 * dense result would have more than 2^24 cells and more than 16 times the values of such a result; *out is NULL where the result is better
 * dense. tensors: as for tsr_kernel_new; that of the result is not looked at. functions: NULL if there are none. Free *out with tsr_format_free.
 * TSR_SYNTAX, TSR_NOMEM. */
typedef struct tsr_kernel_question {
    const char *expression;
    const tsr_kernel_tensor *tensors;
    int ntensors;
    const tsr_functions *functions;
} tsr_kernel_question;
tsr_status tsr_kernel_propose_format(tsr_format **out, const tsr_kernel_question *question,
                                     tsr_error *err) TSR_NODISCARD;
/* A sparse format for a result that need not be dense since it has entries only where one operand has: the outer
 * levels of that operand, and dense levels below. *operand: its name, which is not copied. *out is NULL where no
 * operand has such levels. */
tsr_status tsr_kernel_propose_pattern(tsr_format **out, const char **operand,
                                      const tsr_kernel_question *question, tsr_error *err) TSR_NODISCARD;

/* How a kernel was made. */
typedef struct tsr_kernel_info {
    tsr_kernel_engine engine;               /* BUILTIN, JIT or INTERPRETER */
    bool values_only;                       /* the program computes values alone: see tsr_kernel_options */
    bool from_cache;                        /* the compiled function was found in the cache */
    uint64_t lower_ns, compile_ns, load_ns; /* times of lowering, compiling and loading */
    const char *schedule;                   /* the chosen schedule as text; borrowed */
    const char *warning;    /* why the interpreter runs, or why the cache was not used; NULL: no warning */
    const char *expression; /* the notation in canonical form */
    const char
        *made; /* BUILTIN: the name of the kernel of options->made that runs; NULL: one of the library */
} tsr_kernel_info;

/* Make a kernel; free it with tsr_kernel_free. tensors: ntensors of them, in any order; they are not kept.
 * options may be NULL: all zero. TSR_SYNTAX, TSR_ARGUMENT: a wrong notation or schedule (err->col) or
 * argument. TSR_UNSUPPORTED: formats or an expression that cannot be lowered. Further errors are those of
 * tsr_jit_load. */
tsr_status tsr_kernel_new(tsr_kernel **out, const char *expression, const tsr_kernel_tensor *tensors,
                          int ntensors, const tsr_kernel_options *options, tsr_error *err) TSR_NODISCARD;
/* A kernel for tensors of other dims that runs the program of `kernel`, which was made with any_size and must outlive
 * *out: nothing is lowered or compiled. The tensors are as in tsr_kernel_new. TSR_UNSUPPORTED: the program does not
 * serve these tensors, since formats, types or widths differ, or sizes that the program depends on. Other errors as in
 * tsr_kernel_new. */
tsr_status tsr_kernel_rebind(tsr_kernel **out, const tsr_kernel *kernel, const tsr_kernel_tensor *tensors,
                             int ntensors, tsr_error *err) TSR_NODISCARD;
void tsr_kernel_free(tsr_kernel *kernel);
/* A pool of compilers that work while kernels are interpreted (tsr_kernel_options). Kernels that wait for one keep the pool. NULL: out of
 * memory. */
struct tsr_jit_pool *tsr_kernel_pool_new(void);
void tsr_kernel_pool_free(struct tsr_jit_pool *pool);
/* Wait until no compiler is at work for the kernel (options->pool). *info: how it was made; borrowed. Errors of tsr_jit_load. */
tsr_status tsr_kernel_await(const tsr_kernel_info **info, const tsr_kernel *kernel,
                            tsr_error *err) TSR_NODISCARD;
/* The warning of a compiler that was waited for after the kernel was made; NULL: none, or it was asked for before. */
const char *tsr_kernel_news(const tsr_kernel *kernel);
/* Borrowed from the kernel; without what a compiler that still works will make. */
const tsr_kernel_info *tsr_kernel_get_info(const tsr_kernel *kernel);

/* The number of tensors in the notation, and their names, borrowed; tensor 0 is the result. */
int tsr_kernel_ntensors(const tsr_kernel *kernel);
const char *tsr_kernel_tensor_name(const tsr_kernel *kernel, int t);

/* A new result with the format, dims and type of the kernel, zeroed. Where the result shares levels with an
 * operand, the levels are copied from operands[], which are in the order of tsr_kernel_run; else operands may
 * be NULL. TSR_LIMIT: it does not fit into memory. */
tsr_status tsr_kernel_result(tsr_tensor **out, const tsr_kernel *kernel, const tsr_tensor *const *operands,
                             tsr_error *err) TSR_NODISCARD;
/* Run the kernel: set the values of the result (+=: add to them). operands: tsr_kernel_ntensors() - 1
 * tensors, without the result, in order of first use in the notation. nthreads 0: see tsr_kernel_threads. TSR_ARGUMENT: a tensor
 * does not agree with the kernel, or the result is also an operand, shares memory with one, or its levels differ
 * from those of the pattern operand (all elements are compared, once for each pair of tensors).
 * Where the run makes the levels of the result, it makes them in the memory of the levels that the result has, if it can: a second run
 * into the same result takes less time and memory than one into a new result. If such a run fails (but not with +=), the
 * result is empty; where memory ran out, it may only be freed or be the result of another run. */
tsr_status tsr_kernel_run(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                          int nthreads, tsr_error *err) TSR_NODISCARD;
/* The number of threads of such a run: `requested`, if it is not 0; else 1 where the operands have so little work that waking a second
 * thread takes longer than it saves, else 0, which stands for all. The operands agree with the kernel. */
int tsr_kernel_threads(const tsr_kernel *kernel, const tsr_tensor *const *operands, int requested);

/* The two parts of a run as separate calls, for a result whose levels are computed once and whose values are
 * computed often. assemble: compute the levels that a run would compute, with the value 0 for all entries.
 * compute: compute the values into the levels that the result has; the arrays of the levels stay as they are, and
 * the values are bitwise those of a run. Each call costs as much as a run, but less for a kernel that was made with
 * values_only. With TSR_KERNEL_TRAIL the result keeps the places of contributions (docs/kernels.md, "Entries and values apart"). Errors as in tsr_kernel_run; tsr_kernel_compute also TSR_ARGUMENT when the operands give other entries (all
 * values are then 0), and TSR_UNSUPPORTED for a sparse result with +=. */
tsr_status tsr_kernel_assemble(const tsr_kernel *kernel, tsr_tensor *result,
                               const tsr_tensor *const *operands, int nthreads, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_kernel_compute(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                              int nthreads, tsr_error *err) TSR_NODISCARD;

typedef enum tsr_kernel_text {
    TSR_KERNEL_C,         /* the compiled text, with vectors */
    TSR_KERNEL_C11,       /* plain C11 for any compiler */
    TSR_KERNEL_C_SHORT,   /* as TSR_KERNEL_C, but the text includes tessera_rt.h */
    TSR_KERNEL_C11_SHORT, /* as TSR_KERNEL_C11, but the text includes tessera_rt.h */
    TSR_KERNEL_RUNTIME,   /* tessera_rt.h, the same for all kernels */
    TSR_KERNEL_HEADER,    /* the C header that declares the function */
    TSR_KERNEL_IR,        /* the loop program */
    TSR_KERNEL_GRAPH      /* the iteration graph or the plan */
} tsr_kernel_text;
/* Append a text of the kernel. A compiler is not needed: kernels of TSR_ENGINE_INTERPRETER have all texts,
 * too. A kernel of several steps, or of several statements, has a function for each of them in
 * its text, and one that runs them; functions between them sort and convert what a later one reads in another order, and a result that is
 * assembled in another format. TSR_UNSUPPORTED: they would convert from other levels than full ones, lists and coordinates. Where
 * a sparse result is added to, the function has the entries before as an operand: "Y_before". */
tsr_status tsr_kernel_print(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what,
                            tsr_error *err) TSR_NODISCARD;

/* The work of one run, for rates. flops: for each term of the notation, one addition and the multiplications
 * between the factors that are not scalars, at each point: the number of stored entries (without padding and
 * zeros of dense blocks) times the sizes of the variables that the sparse operand does not have. For a product of
 * two sparse operands that share one variable, the pairs of entries that meet; for others, the number that would meet if
 * entries were spread evenly. nbytes: the
 * arrays of all operands (of a dense operand at most one cell per entry of the sparse operand and index of
 * other variables), and the values of the result (twice for +=). Both are 0 for an expression with
 * functions. */
typedef struct tsr_kernel_work {
    double flops, nbytes;
} tsr_kernel_work;
tsr_status tsr_kernel_count(tsr_kernel_work *work, const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, tsr_error *err) TSR_NODISCARD;

/* The kernel of a row of options->made, for tensors of any size and density where its formats allow that (tsr_kernel_rebind). If it has
 * several steps, each of them is one of the nrows rows.
 * TSR_UNSUPPORTED: this version of the library makes another program of the row, so that its function cannot be used. */
tsr_status tsr_kernel_made_new(tsr_kernel **out, const tsr_kernel_made *rows, int nrows, int row,
                               tsr_error *err) TSR_NODISCARD;
/* Built-in kernel number i; NULL past the end. */
const tsr_kernel_builtin *tsr_kernel_builtin_at(int i);

#ifdef __cplusplus
}
#endif
#endif
