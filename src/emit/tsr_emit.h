/* Emit a loop program as readable C11 text. */
#ifndef TSR_EMIT_H
#define TSR_EMIT_H

#include "tsr_ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A processor that a text is written for. */
typedef struct tsr_emit_target {
    const char *name;   /* "x86-64-v3"; NULL ends the table */
    const char *arch;   /* as in the names of cross compilers: "x86_64", "aarch64" */
    const char *flag;   /* of gcc and clang: "-march=x86-64-v3" */
    const char *forms;  /* its vector instructions: "AVX2, BMI2" */
    const char *macros; /* which of the macros that the pieces ask for it defines, each between blanks */
} tsr_emit_target;
extern const tsr_emit_target tsr_emit_targets[];
/* TSR_ARGUMENT for another name. */
tsr_status tsr_emit_target_parse(const tsr_emit_target **out, const char *name, tsr_error *err) TSR_NODISCARD;

typedef struct tsr_emit_options {
    bool entry; /* also emit the uniform entry point tsr_rt_entry (tsr_rt.h), which unpacks an array of
                   arguments and calls the function; the function is then static. If the program has
                   outputs, one more argument is a tsr_rt_limit, which the function asks before it
                   allocates an output, and which may have blocks for the outputs */
    bool
        visible; /* with `entry`: the function is not static, unless it has outputs, and the entry point is */
    bool is_part; /* with `visible`: both are static */
    const char *const
        *param;        /* nparams texts for a comment that say what each parameter is; NULL: no comment */
    int threads;       /* 1 + the number of a parameter that is the number of threads, where a value below 1
                    means all threads; 0: no parameter is */
    bool signed_index; /* arrays of indices that are parameters have signed elements */
    bool cxx;          /* the text is also valid C++17, unless it has complex values */
    bool scalar;       /* the functions behind the kernel have no vector instructions, either */
    bool has_header;   /* include "NAME.h", the header that declares the function (tsr_emit_header) */
    bool
        short_text; /* include "tessera_rt.h" (tsr_emit_runtime) instead of the pieces of src/rt; not with entry */
    const tsr_emit_target *target; /* the text is for this processor alone; NULL: for any */
} tsr_emit_options;

/* Append one self-contained translation unit: the program's header as a comment, the includes, the pieces of
 * src/rt that the function uses, and the function int name(int64_t i_size, double *restrict y, const
 * uint32_t *restrict A2_pos, ...) which returns 0, or 1 when memory ran out. Index parameters are sizes and
 * counts: they must not be negative, and the number of threads must be positive, unless options->threads
 * names this parameter. Parallel loops become `#pragma omp parallel for`, which a compiler without OpenMP may
 * ignore. Without vectors (tsr_ir_vectorize) it is plain C11; with vectors it needs the vector types of gcc
 * (9 and later) and clang. A number is appended to names that are words of C; variables without effect are
 * left out. options may be NULL: all zero. TSR_ARGUMENT: the program's name cannot be the name of a C
 * function; TSR_UNSUPPORTED: vectors of complex values, or of more than 64 lanes; TSR_NOMEM. After a failure
 * the text that was appended is invalid. */
tsr_status tsr_emit_c(tsr_text *text, const tsr_ir *ir, const tsr_emit_options *options,
                      tsr_error *err) TSR_NODISCARD;
/* Append a header for C and C++ that declares the function. Of the options, only `param` and `signed_index`
 * have an effect. Errors as in tsr_emit_c. */
tsr_status tsr_emit_header(tsr_text *text, const tsr_ir *ir, const tsr_emit_options *options,
                           tsr_error *err) TSR_NODISCARD;

/* ---- several programs, one after the other ---- */

/* What a function that runs several programs has: a parameter of its own, or what one program makes and others read. */
typedef enum tsr_emit_place_kind {
    TSR_EMIT_GIVEN, /* a parameter */
    TSR_EMIT_MADE,  /* an output of a program */
    TSR_EMIT_ROOM, /* an array that the function allocates: `count` elements, of the type of the first program that has it */
    TSR_EMIT_WRITTEN /* the number `count` */
} tsr_emit_place_kind;
typedef struct tsr_emit_place {
    tsr_emit_place_kind kind;
    const char *name;  /* in C, different from all others; of a parameter that is an output without "_out" */
    const char *what;  /* of a parameter, for the comment */
    const char *count; /* a C expression of names of other places */
    const char *
        refuses; /* of an output: the function fails where it has elements, which are these words; NULL: it does not */
} tsr_emit_place;

/* A program of such a function: its parameter i is place[i] of the places. */
typedef struct tsr_emit_call {
    const tsr_ir *ir;
    const char *name; /* of the C function */
    const int *place; /* ir->nparams */
    int threads;      /* as in tsr_emit_options */
} tsr_emit_call;
typedef struct tsr_emit_calls {
    const char *name, *header; /* of the function; what it computes, for the comment at the top */
    const tsr_emit_call *call; /* ncalls, in order */
    int ncalls;
    const tsr_emit_place *place; /* nplaces */
    int nplaces;
} tsr_emit_calls;

/* Whether a variable of a text can have the name: it is not a word of C, and texts do not define it. */
bool tsr_emit_is_name(const char *name);
/* Append one self-contained translation unit, as tsr_emit_c does: a function that runs the programs in order, and a static function
 * for each of them. It frees what it makes. Of the options, `entry`, `visible`, `param` and `threads` have no effect.
 * Errors as in tsr_emit_c. */
tsr_status tsr_emit_several(tsr_text *text, const tsr_emit_calls *calls, const tsr_emit_options *options,
                            tsr_error *err) TSR_NODISCARD;
/* Append a header that declares this function. */
tsr_status tsr_emit_several_header(tsr_text *text, const tsr_emit_calls *calls,
                                   const tsr_emit_options *options, tsr_error *err) TSR_NODISCARD;

/* Append the file tessera_rt.h, which all texts with short_text include: C11, also C++17, that compiles alone. It has
 * every piece of src/rt for the target (NULL: any processor), for all types that it can have but vectors, which a text defines itself. */
tsr_status tsr_emit_runtime(tsr_text *text, const tsr_emit_target *target, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
