/* Loop program -> C11 text that a person would be glad to read. */
#ifndef TSR_EMIT_H
#define TSR_EMIT_H

#include "tsr_ir.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_emit_options {
    bool entry; /* besides the function, emit the uniform entry point tsr_rt_entry (tsr_rt.h), which unpacks
                   an array of arguments and calls it; the function is then static */
    bool has_header; /* the function is declared in a header of its own: include it ("name.h") */
} tsr_emit_options;

/* Append one self-contained translation unit: the program's header as a comment, the includes and those
 * pieces of tsr_rt.h that it uses, and the function int name(int64_t i_size, double *restrict y, const
 * uint32_t *restrict A2_pos, ...) which returns 0, or 1 when memory ran out. Index parameters are sizes and
 * counts: they may not be negative, and the number of threads not 0. Parallel loops become `#pragma omp
 * parallel for`, which a compiler without OpenMP may ignore. Without vectors (tsr_ir_vectorize) it is plain
 * C11; with vectors it needs the vector types of gcc (9 and later) and clang. Names that are words of C get a
 * number; variables that nothing depends on are left out. options may be NULL. TSR_ARGUMENT: the program's
 * name cannot be a function's; TSR_UNSUPPORTED: vectors of complex values, or of more than 64 lanes;
 * TSR_NOMEM. After a failure the text's end means nothing. */
tsr_status tsr_emit_c(tsr_text *text, const tsr_ir *ir, const tsr_emit_options *options,
                      tsr_error *err) TSR_NODISCARD;
/* Append the header that declares the function, with guards, for C and C++. */
tsr_status tsr_emit_header(tsr_text *text, const tsr_ir *ir, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
