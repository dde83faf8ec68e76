/* The table of kernels that were compiled into the library. It is made when the library is built; the
 * programs that make it are linked with an empty one. */
#ifndef KERNEL_BUILTIN_H
#define KERNEL_BUILTIN_H

#include "tsr_kernel.h"
#include "tsr_rt.h"

typedef struct kernel_builtin {
    tsr_kernel_builtin about;
    tsr_rt_function *function;
} kernel_builtin;

/* All of them; the last has no function. */
extern const kernel_builtin kernel_builtins[];

/* The function that was compiled from the text with this hash (tsr_jit_hash), or NULL. */
tsr_rt_function *kernel_builtin_find(const char *key);

#endif
