/* The table of kernels that were compiled into the library. It is made when the library is built, by
 * gen_kernels; gen_kernels itself is linked with an empty one. */
#ifndef KERNEL_BUILTIN_H
#define KERNEL_BUILTIN_H

#include "tsr_kernel.h"
#include "tsr_rt.h"

/* A kernel is compiled for any processor, and for better ones where the compiler can. */
typedef enum kernel_processor {
    KERNEL_ANY,
    KERNEL_X86_64_V3,
    KERNEL_X86_64_V4,
    KERNEL_NPROCESSORS
} kernel_processor;

typedef struct kernel_builtin {
    tsr_kernel_builtin about;
    tsr_rt_function *function[KERNEL_NPROCESSORS]; /* NULL: not compiled for that */
} kernel_builtin;

/* All of them; the last has no function. */
extern const kernel_builtin kernel_builtins[];

/* The best for this processor of the functions that were compiled from the text with this hash
 * (tsr_jit_hash), or NULL. */
tsr_rt_function *kernel_builtin_find(const char *key);

#endif
