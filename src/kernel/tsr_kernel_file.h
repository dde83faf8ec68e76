/* Kernel files: the text of a standard kernel, NAME.kernel in bench/kernels. It is lines of `key: value`; a
 * line that begins with a blank continues the line before, one that begins with '#' is a comment.
 *
 *     summary: what it computes, in a line
 *     expression: A(i,r) = B(i,j,k) * C(j,r) * D(k,r)
 *     formats: B:csf:0,1,2; D:dd      one line for each way to store the operands; those not named are dense
 *     types: f64 f32                  of all values (none: f64)
 *     index: 4                        bytes of the entries of level arrays (none: 4)
 *     sizes: r=16                     sizes that are written into the kernel, one line for each choice of them
 *     schedule: private(A)            tsr_lower.h's text; one line for each, `automatic` the automatic one
 *
 * Each combination of a line or word of each key is a variant: they are numbered with the last key running
 * fastest. */
#ifndef TSR_KERNEL_FILE_H
#define TSR_KERNEL_FILE_H

#include "tsr_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_KERNEL_FILE_MAX = 16 }; /* lines or words of one key */

typedef struct tsr_kernel_list {
    int n; /* at least 1: a key that is not there has its default */
    const char *text[TSR_KERNEL_FILE_MAX];
} tsr_kernel_list;

typedef struct tsr_kernel_file {
    const char *name, *summary, *expression;
    tsr_kernel_list formats, types, index, sizes, schedules;
    struct tsr_arena_chunk *memory;
} tsr_kernel_file;

/* TSR_SYNTAX with err->line: an unknown key, one twice, no expression. Values are looked at when a kernel is
 * made. */
tsr_status tsr_kernel_file_parse(tsr_kernel_file **out, const char *name, const char *text,
                                 tsr_error *err) TSR_NODISCARD;
void tsr_kernel_file_free(tsr_kernel_file *file);

int tsr_kernel_file_nvariants(const tsr_kernel_file *file);
/* What variant v, 0 <= v < nvariants, is made of: borrowed texts. */
typedef struct tsr_kernel_variant {
    const char *formats, *type, *index, *sizes, *schedule;
} tsr_kernel_variant;
tsr_kernel_variant tsr_kernel_file_variant(const tsr_kernel_file *file, int v);
/* Make the kernel of variant v, for tensors with so many entries that all threads have work; a size that the
 * variant does not give is large. options->schedule and ->nthreads are not looked at. */
tsr_status tsr_kernel_file_new(tsr_kernel **out, const tsr_kernel_file *file, int v,
                               const tsr_kernel_options *options, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
