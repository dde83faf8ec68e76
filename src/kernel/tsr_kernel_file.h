/* Kernel files: the text of a standard kernel, NAME.kernel in bench/kernels. The lines are `key: value`; a
 * line that begins with a blank continues the line before, and a line that begins with '#' is a comment.
 *
 *     summary: what the kernel computes, in one line
 *     expression: A(i,r) = B(i,j,k) * C(j,r) * D(k,r)
 *     formats: B:csf:0,1,2; D:dd      one line per choice of formats; tensors that are not named are dense
 *     types: f64 f32                  value types, each of all tensors (default: f64)
 *     index: 4                        bytes per element of level arrays (default: 4)
 *     sizes: r=16                     sizes that are literals of the kernel, one line per choice of sizes
 *     schedule: private(A)            the text form of tsr_lower.h, one line per schedule; or `automatic`
 *
 * Each combination of one choice per key is a variant. Variants are numbered so that the last key varies
 * fastest. */
#ifndef TSR_KERNEL_FILE_H
#define TSR_KERNEL_FILE_H

#include "tsr_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_KERNEL_FILE_MAX = 16 }; /* lines or words of one key */

typedef struct tsr_kernel_list {
    int n; /* >= 1: a missing key has the default */
    const char *text[TSR_KERNEL_FILE_MAX];
} tsr_kernel_list;

typedef struct tsr_kernel_file {
    const char *name, *summary, *expression;
    tsr_kernel_list formats, types, index, sizes, schedules;
    struct tsr_arena_chunk *memory;
} tsr_kernel_file;

/* Parse the text of a kernel file; free the result with tsr_kernel_file_free. name: of the kernel, used in
 * errors. TSR_SYNTAX with err->line: an unknown key, a repeated key, a missing summary or expression.
 * TSR_LIMIT: too many choices. TSR_NOMEM. Values are checked when a kernel is made. */
tsr_status tsr_kernel_file_parse(tsr_kernel_file **out, const char *name, const char *text,
                                 tsr_error *err) TSR_NODISCARD;
void tsr_kernel_file_free(tsr_kernel_file *file);

int tsr_kernel_file_nvariants(const tsr_kernel_file *file);
/* The choices of one variant; borrowed texts. */
typedef struct tsr_kernel_variant {
    const char *formats, *type, *index, *sizes, *schedule;
} tsr_kernel_variant;
/* Variant v, 0 <= v < nvariants. */
tsr_kernel_variant tsr_kernel_file_variant(const tsr_kernel_file *file, int v);
/* Make the kernel of variant v, for tensors with enough entries for all threads; a size that the variant
 * does not give counts as large. options->schedule and options->nthreads are ignored. */
tsr_status tsr_kernel_file_new(tsr_kernel **out, const tsr_kernel_file *file, int v,
                               const tsr_kernel_options *options, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
