/* Kernels: index notation and a format per tensor become a function that runs.
 *
 *     const tsr_kernel_tensor tensors[] = {{.name = "A", .tensor = A}, {.name = "x", .tensor = x}};
 *     const tsr_tensor *const operands[] = {A, x};
 *     TSR_TRY(tsr_kernel_new(&k, "y(i) = A(i,j) * x(j)", tensors, 2, NULL, err));
 *     TSR_TRY(tsr_kernel_result(&y, k, operands, err));
 *     TSR_TRY(tsr_kernel_run(k, y, operands, 0, err));
 *
 * A kernel is immutable: many threads may run one at once, with different tensors, each its own result. It is
 * made for the formats, value types, array widths and dims of the tensors it was given, and may be run with
 * any tensors that agree in these (values changed, other patterns too). Tensors must be sound, as
 * tsr_tensor_check finds: a run checks kinds and lengths, but not the entries of level arrays. Kernels take
 * whole matrices (no stored triangles), absent entries of 0, and make no pattern. */
#ifndef TSR_KERNEL_H
#define TSR_KERNEL_H

#include "tsr_tensor.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_kernel tsr_kernel;

/* One tensor of the notation, found by its name. Either a tensor, or what it will be like. The result need
 * not be given: it is then dense, row by row, of the operands' common type (complex over real over signed
 * over unsigned, as wide as the widest; f64 for a real beside integers of 4 bytes or more, and where all are
 * patterns). */
typedef struct tsr_kernel_tensor {
    const char *name;
    const tsr_tensor *tensor; /* or NULL, and then: */
    const tsr_format *format; /* NULL: dense */
    const uint64_t *dims;     /* NULL: as the other tensors' dims say */
    tsr_type type;            /* F64 by default; of the result also TSR_NTYPES: the operands' common type */
    uint8_t index_nbytes;     /* width of its level arrays; 0: 4 */
} tsr_kernel_tensor;

typedef enum tsr_kernel_engine {
    TSR_ENGINE_AUTO,     /* built in, else compiled, else interpreted */
    TSR_ENGINE_COMPILED, /* built in or compiled: TSR_UNSUPPORTED without a compiler */
    TSR_ENGINE_JIT,      /* compiled even when built in */
    TSR_ENGINE_BUILTIN,  /* built in or TSR_UNSUPPORTED */
    TSR_ENGINE_INTERPRETER
} tsr_kernel_engine;

typedef struct tsr_kernel_options {
    const char *schedule; /* tsr_lower.h's text; NULL: automatic */
    int nthreads;         /* what the schedule plans for; 0: all */
    tsr_kernel_engine engine;
    const char *semiring;     /* what + and * stand for (tsr_notation.h): "min-plus"...; NULL: plus-times */
    const char *name;         /* of the C function; NULL: "kernel" */
    bool has_header;          /* the C texts include the header "NAME.h" (TSR_KERNEL_HEADER) */
    const char *compiler;     /* NULL: $TSR_CC, else cc */
    const char *const *flags; /* NULL: the JIT's */
    const char *cache_dir;    /* NULL: the user's */
    bool no_cache;
} tsr_kernel_options;

/* What became of it. */
typedef struct tsr_kernel_info {
    tsr_kernel_engine engine; /* BUILTIN, JIT or INTERPRETER */
    bool from_cache;
    uint64_t lower_ns, compile_ns, load_ns;
    const char *schedule;   /* what was chosen, as text */
    const char *warning;    /* why the interpreter runs, or the compiler without a cache; or NULL */
    const char *expression; /* canonical */
} tsr_kernel_info;

/* TSR_SYNTAX and TSR_ARGUMENT for the notation (err->col), TSR_UNSUPPORTED for what cannot be lowered, and
 * the JIT's. options may be NULL. */
tsr_status tsr_kernel_new(tsr_kernel **out, const char *expression, const tsr_kernel_tensor *tensors,
                          int ntensors, const tsr_kernel_options *options, tsr_error *err) TSR_NODISCARD;
void tsr_kernel_free(tsr_kernel *kernel);
const tsr_kernel_info *tsr_kernel_get_info(const tsr_kernel *kernel);

/* The tensors that the notation names, the result first; borrowed names. */
int tsr_kernel_ntensors(const tsr_kernel *kernel);
const char *tsr_kernel_tensor_name(const tsr_kernel *kernel, int t);

/* A new result of the right format and size, zeroed; where it shares levels with an operand, operands (in the
 * order of tsr_kernel_run) give them, and they are copied. TSR_LIMIT when it does not fit into memory. */
tsr_status tsr_kernel_result(tsr_tensor **out, const tsr_kernel *kernel, const tsr_tensor *const *operands,
                             tsr_error *err) TSR_NODISCARD;
/* Run: the result's values are set (for += added to). operands: the notation's tensors but the result, in
 * order of first use. TSR_ARGUMENT when one does not agree with what the kernel was made for, or the result
 * is also an operand, or its levels are not the pattern operand's (lengths, and a sample of their entries).
 * nthreads 0: all. */
tsr_status tsr_kernel_run(const tsr_kernel *kernel, tsr_tensor *result, const tsr_tensor *const *operands,
                          int nthreads, tsr_error *err) TSR_NODISCARD;

typedef enum tsr_kernel_text {
    TSR_KERNEL_C,   /* what is compiled, with vectors */
    TSR_KERNEL_C11, /* plain C11 for any compiler */
    TSR_KERNEL_HEADER,
    TSR_KERNEL_IR,
    TSR_KERNEL_GRAPH
} tsr_kernel_text;
/* Append one of its texts. No compiler is needed: a kernel made with TSR_ENGINE_INTERPRETER has them all. */
tsr_status tsr_kernel_print(tsr_text *text, const tsr_kernel *kernel, tsr_kernel_text what,
                            tsr_error *err) TSR_NODISCARD;

/* Work of one run, for rates. flops: one addition and the multiplications between the factors that are no
 * scalars, for each term of the notation, at each of its points: stored entries (padding and zeros of dense
 * blocks not counted) times the sizes of the variables that the sparse operand does not have. nbytes: the
 * arrays of all operands (of a dense one no more cells than entries of the sparse operand lead to), and the
 * result's values (twice for +=). */
typedef struct tsr_kernel_work {
    double flops, nbytes;
} tsr_kernel_work;
tsr_status tsr_kernel_count(tsr_kernel_work *work, const tsr_kernel *kernel, const tsr_tensor *result,
                            const tsr_tensor *const *operands, tsr_error *err) TSR_NODISCARD;

/* The kernels that are built into the library: number i, NULL past the end. */
typedef struct tsr_kernel_builtin {
    const char *key;  /* tsr_jit_hash of the text it was compiled from */
    const char *name; /* of its .kernel file (tsr_kernel_file.h) */
    const char *summary;
    const char *expression;
    const char *formats; /* "B:csr; C:dd" */
    const char *type;    /* of all values */
    const char *index;   /* bytes of the entries of level arrays */
    const char *sizes;   /* "r=16", "" for none */
    const char *schedule;
} tsr_kernel_builtin;
const tsr_kernel_builtin *tsr_kernel_builtin_at(int i);

#ifdef __cplusplus
}
#endif
#endif
